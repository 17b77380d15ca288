/* The models of examples/ do what is claimed of them: closed forms, the same motion in other coordinates, the same
 * equations in another form (catalog A1-A9, A12, B6, E1-E4, E6-E8). */
#include "unit/sim/examples.h"

/* ---- worked systems ---- */

static void spring_mass(void **state)
{
    (void)state;
    run r = simulate("spring_mass.mo", "SpringMass", NULL, until(10));
    const double d = 0.1 / 4, w = sqrt(4 - d * d), t = 10;
    expect(&r, "x", exp(-d * t) * (cos(w * t) + d / w * sin(w * t)), NEAR);
    expect(&r, "v", -exp(-d * t) * 4 / w * sin(w * t), NEAR);
    end(&r);
    r = simulate("spring_mass.mo", "SpringMass", "d=0", until(2 * PI * sqrt(2.0 / 8))); /* one period */
    expect(&r, "x", 1, NEAR);
    expect(&r, "v", 0, NEAR);
    end(&r);
}

/* Lagrange's equations against those solved by hand for the accelerations. */
static void cart_pole(void **state)
{
    (void)state;
    run r = simulate("cart_pole.mo", "CartPole", "u=sin(time) F[1]=0.2", until(3));
    run hand = simulate_text(
        "model H constant Real M = 0.3, m = 1, L = 0.5, g = 9.81; Real x(start = 0, fixed = true), "
        "th(start = 1.4, fixed = true), v(start = 0, fixed = true) = der(x), w(start = 0, fixed = true) = der(th); "
        "Real a = M + m, b = -M*L*sin(th), c = M*L^2; Real r1 = M*L*w^2*cos(th) + sin(time) + 0.2; "
        "Real r2 = -M*g*L*cos(th) - 0.2*L*sin(th);\n"
        "equation der(v) = (c*r1 - b*r2)/(a*c - b^2); der(w) = (a*r2 - b*r1)/(a*c - b^2); end H;",
        until(3));
    const char *const names[] = {"x", "th", "v", "w"};
    for (int i = 0; i < 4; i++) {
        expect(&r, names[i], value(&hand, names[i]), NEAR);
    }
    end(&r);
    end(&hand);
}

/* Left alone, the common centre of mass stays where it is along the rails; upright, the pole falls like exp(s t). */
static void cart_pole_alone(void **state)
{
    (void)state;
    run r = simulate("cart_pole.mo", "CartPole", NULL, until(4));
    const double where = 0.15 * cos(1.4);
    for (uint64_t row = 0; row < dd_sim_row_count(r.sim); row++) {
        const double x = dd_sim_row_value(r.sim, row, variable(&r, "x")),
                     th = dd_sim_row_value(r.sim, row, variable(&r, "th"));
        assert_true(fabs(1.3 * x + 0.15 * cos(th) - where) < NEAR);
    }
    end(&r);
    r = simulate("cart_pole.mo", "CartPole", "th=1.57079632679489661923", until(1e-9));
    dd_linsys *l;
    assert_int_equal(dd_linsys_new(&l, r.sim), DD_OK);
    const dd_linsys_info info = dd_linsys_get_info(l);
    const double fastest = sqrt(1.3 * 9.81 / 0.5);
    assert_int_equal(info.nx, 4);
    assert_true(fabs(info.eigen_re[0] - fastest) < 1e-9 && fabs(info.eigen_re[3] + fastest) < 1e-9);
    dd_linsys_free(l);
    end(&r);
}

/* From energies, from Newton's equations, with the constraint differentiated by hand, and in two angles. */
static void spherical_pendulum(void **state)
{
    (void)state;
    dd_sim_options o = until(10);
    o.tol = 1e-11;
    run r = simulate("spherical_forms.mo", "Compared", NULL, o);
    run dae = simulate("spherical_pendulum.mo", "SphericalPendulum", NULL, o);
    for (uint32_t i = 1; i <= 3; i++) {
        char name[8], other[20];
        snprintf(name, sizeof name, "p[%u]", i);
        snprintf(other, sizeof other, "ode.p[%u]", i);
        expect(&dae, name, value(&r, other), 1e-8);
    }
    for (uint64_t row = 0; row < dd_sim_row_count(r.sim); row++) {
        assert_true(dd_sim_row_value(r.sim, row, variable(&r, "difference[1]")) < 1e-8);
        assert_true(dd_sim_row_value(r.sim, row, variable(&r, "difference[2]")) < 1e-8);
    }
    /* twice the multiplier of the energies, whose constraint is not halved */
    expect(&r, "dae.z", 2 * value(&dae, "lam[1]"), 1e-8);
    end(&dae);
    end(&r);
}

/* Baumgarte's form from a start beside the sphere, with c' = 0: c = c(0) (1 + a t) exp(-a t). */
static void spherical_baumgarte(void **state)
{
    (void)state;
    run r = simulate("spherical_forms.mo", "IndexOne", "p[1]=0.7 a=3", until(2));
    const uint32_t c = variable(&r, "c");
    for (uint64_t row = 0; row < dd_sim_row_count(r.sim); row++) {
        const double t = dd_sim_row_time(r.sim, row);
        assert_true(fabs(dd_sim_row_value(r.sim, row, c) - 0.065 * (1 + 3 * t) * exp(-3 * t)) < NEAR);
    }
    end(&r);
}

/* A long time after the flows have changed, the tank is at rest at what the balance says. */
static void tank_at_rest(void **state)
{
    (void)state;
    run r = simulate("cstr.mo", "Cstr", "Fa=if\ttime<6\tthen\t1\telse\t2 F=if\ttime<6\tthen\t1\telse\t2", until(60));
    const double a = 1, ca = a / (3 * a + 1.4);
    assert_int_equal(r.info.stats.events, 1);
    expect(&r, "V", 2, NEAR);
    expect(&r, "CA", ca, NEAR);
    expect(&r, "CB", 2 * ca, NEAR);
    expect(&r, "CC", 1.4 * ca / a, NEAR);
    expect(&r, "R1", a * (1 - ca), NEAR);
    end(&r);
}

static void tank(void **state)
{
    (void)state;
    run r = simulate("cstr.mo", "Cstr", "Fa=1 F=1", until(4));
    /* V stays 2; (1 + Keq) CA' = a (CA0 - (1 + Keq) CA) - k2 Keq CA with a = Fa/V; CC' = -a CC + k2 Keq CA */
    const double t = 4, a = 0.5, k = 1.4, s = (3 * a + k) / 3, rest = a / (3 * a + k), c0 = 0.4 - rest;
    const double ca = rest + c0 * exp(-s * t);
    const double cc = k * rest / a * (1 - exp(-a * t)) + k * c0 / (a - s) * (exp(-s * t) - exp(-a * t));
    expect(&r, "V", 2, NEAR);
    expect(&r, "CA", ca, NEAR);
    expect(&r, "CB", 2 * ca, NEAR);
    expect(&r, "CC", cc, NEAR);
    expect(&r, "R2", 1.4 * ca, NEAR);
    expect(&r, "R1", a * (1 - ca) + s * c0 * exp(-s * t), NEAR);
    end(&r);
}

static void planar_pendulum(void **state)
{
    (void)state;
    run dae = simulate("planar_pendulum.mo", "PlanarPendulum", NULL, until(10));
    run ode = simulate("planar_pendulum.mo", "PendulumAngle", "phi=0.64350110879328438679", until(10));
    const double phi = value(&ode, "phi"), w = value(&ode, "w");
    expect(&dae, "x", sin(phi), 1e-6);
    expect(&dae, "y", cos(phi), 1e-6);
    expect(&dae, "u", cos(phi) * w, 1e-6);
    expect(&dae, "f", w * w + 9.81 * cos(phi), 1e-6);
    end(&dae);
    end(&ode);
}

/* Chebyshev collocation, on the reduced system and on the one of index 3 as written. */
static void pendulum_by_chebyshev(void **state)
{
    (void)state;
    dd_sim_options o = until(10);
    o.tol = 1e-12;
    run ode = simulate("planar_pendulum.mo", "PendulumAngle", NULL, o);
    const double phi = value(&ode, "phi"), w = value(&ode, "w");
    for (int i = 0; i < 3; i++) {
        o.tol = 1e-9;
        o.method = i == 2 ? "chebyshev-12" : "chebyshev";
        o.step = i == 2 ? 0.2 : 0;
        o.form = i == 0 ? DD_SIM_FORM_REDUCED : DD_SIM_FORM_ORIGINAL;
        run r = simulate("planar_pendulum.mo", "PlanarPendulum", NULL, o);
        expect(&r, "x", sin(phi), 1e-8);
        expect(&r, "y", cos(phi), 1e-8);
        expect(&r, "u", cos(phi) * w, 1e-8);
        expect(&r, "f", w * w + 9.81 * cos(phi), i == 0 ? 1e-8 : 1e-6);
        end(&r);
    }
    end(&ode);
    o = until(10);
    run both = simulate("planar_pendulum.mo", "BothPendulums", NULL, o);
    for (uint32_t i = 1; i <= 3; i++) {
        char name[20];
        snprintf(name, sizeof name, "difference[%u]", i);
        expect(&both, name, 0, 1e-7);
    }
    end(&both);
}

/* Energy and angular momentum in space stay; about the first and third axis the body stays near them, about the
 * second it turns over. */
static void tumbling_body(void **state)
{
    (void)state;
    const double I[3] = {1, 2, 3};
    run r = simulate("rigid_body.mo", "ThreeAxes", NULL, until(40));
    assert_int_equal(r.info.status, DD_SIM_OK);
    assert_true(r.info.constraint_violation < 1e-12);
    for (uint32_t k = 0; k < 3; k++) {
        char name[30];
        double least = 1, energy = 0;
        for (uint32_t i = 0; i < 3; i++) {
            const double w0 = i == k ? 1 : 0.01;
            energy += 0.5 * I[i] * w0 * w0;
            snprintf(name, sizeof name, "about[%u].H[%u]", k + 1, i + 1);
            expect(&r, name, I[i] * w0, NEAR);
        }
        snprintf(name, sizeof name, "about[%u].energy", k + 1);
        expect(&r, name, energy, NEAR);
        snprintf(name, sizeof name, "about[%u].w[%u]", k + 1, k + 1);
        for (uint64_t row = 0; row < dd_sim_row_count(r.sim); row++) {
            least = fmin(least, dd_sim_row_value(r.sim, row, variable(&r, name)));
        }
        assert_true(k == 1 ? least < -0.99 : least > 0.99);
    }
    end(&r);
}

/* Inverse dynamics of index 5, all of it known: z'' and x'' give the rope force, that gives the trolley. At the start the
 * rope hangs straight down and x - s is 0: no equation may be divided by it. */
static void crane(void **state)
{
    (void)state;
    run r = simulate("overhead_crane.mo", "OverheadCrane", NULL, until(2));
    const double t = 2, x = 0.2 * sin(t), z = 4 - 0.1 * sin(2 * t), ax = -0.2 * sin(t), az = 0.4 * sin(2 * t);
    const double lam = 2 * (9.81 - az) / z, s = x + 2 * ax / lam;
    expect(&r, "lam", lam, NEAR);
    expect(&r, "s", s, NEAR);
    expect(&r, "l", sqrt((x - s) * (x - s) + z * z), NEAR);
    assert_true(r.info.stats.steps < 200);
    end(&r);
}

/* No freedom is left: the hidden constraints, also the one that holds a derivative of the rope force, fix every state. So
 * at any tolerance the states are those of the formulas, to rounding. */
static void crane_without_drift(void **state)
{
    (void)state;
    dd_sim_options o = until(20);
    o.tol = 1e-3;
    run r = simulate("overhead_crane.mo", "OverheadCrane", NULL, o);
    const double t = 20, ax = -0.2 * sin(t), az = 0.4 * sin(2 * t), z = 4 - 0.1 * sin(2 * t), vz = -0.2 * cos(2 * t);
    const double lam = 2 * (9.81 - az) / z, rate = -2 * 0.8 * cos(2 * t) / z - lam * vz / z;
    expect(&r, "lam", lam, 1e-12);
    expect(&r, "s", 0.2 * sin(t) + 2 * ax / lam, 1e-12);
    expect(&r, "vs", 0.2 * cos(t) - 2 * 0.2 * cos(t) / lam - 2 * ax * rate / (lam * lam), 1e-12);
    end(&r);
}

/* ---- forms ---- */

static run form(const char *class_name, const char *settings, double stop)
{
    return simulate("forms.mo", class_name, settings, until(stop));
}

static void second_order(void **state)
{
    (void)state;
    run r = form("SecondOrder", NULL, 2);
    const double a = (-5 + sqrt(17)) / 2, b = (-5 - sqrt(17)) / 2;
    expect(&r, "x", (b * exp(2 * a) - a * exp(2 * b)) / (b - a), NEAR);
    expect(&r, "der(x)", a * b * (exp(2 * a) - exp(2 * b)) / (b - a), NEAR);
    end(&r);
}

static void implicit_rates(void **state)
{
    (void)state;
    run r = form("Implicit", NULL, 1); /* x'^3 = -x from -1: x = -(1 - 2t/3)^(3/2) */
    expect(&r, "x", -pow(1.0 / 3, 1.5), NEAR);
    end(&r);
    r = form("Sine", NULL, 1);
    run plain = simulate_text(
        "model P Real x(start = 0, fixed = true); equation der(x) = sin(2*time) - sin(x + 1); end P;", until(1));
    expect(&r, "x", value(&plain, "x"), NEAR);
    end(&plain);
    end(&r);
}

/* x = 3 v - v^3, x' = v: 3 ln|v| - 3 v^2/2 - t is constant, and the roots at x = 0 are 0 and +-sqrt(3). */
static void three_roots(void **state)
{
    (void)state;
    const double roots[] = {1.7, -1.7, 0.01};
    for (int i = 0; i < 3; i++) {
        char setting[40];
        snprintf(setting, sizeof setting, "v=%g", roots[i]);
        run r = form("ThreeRoots", setting, 1);
        const double v = value(&r, "v");
        expect(&r, "x", 3 * v - v * v * v, NEAR);
        if (i == 2) {
            expect(&r, "v", 0, 1e-12);
        } else {
            assert_true(v * roots[i] > 0);
            assert_true(fabs(3 * log(fabs(v)) - 1.5 * v * v - 1 - (1.5 * log(3) - 4.5)) < NEAR);
        }
        end(&r);
    }
}

static void nilpotent(void **state)
{
    (void)state;
    run r = form("Nilpotent", "u=sin(2*time)", 1);
    expect(&r, "x[3]", -sin(2), 1e-12);
    expect(&r, "x[2]", -2 * cos(2), 1e-12);
    expect(&r, "x[1]", 4 * sin(2), 1e-12);
    end(&r);
}

static void same_in_two_forms(void **state)
{
    (void)state;
    run a = form("FullyImplicit", NULL, 3), b = form("SemiExplicit", NULL, 3);
    expect(&a, "x", value(&b, "x"), NEAR);
    expect(&a, "z", value(&b, "z"), NEAR);
    end(&a);
    end(&b);
    a = form("MassMatrix", NULL, 3);
    b = form("MassSolved", NULL, 3);
    expect(&a, "x[1]", value(&b, "x[1]"), NEAR);
    expect(&a, "x[2]", value(&b, "x[2]"), NEAR);
    end(&a);
    end(&b);
}

static void multipliers(void **state)
{
    (void)state;
    run r = form("Multiplier", NULL, 1); /* 3 x1' = 11 x1, l = 2 x1' */
    expect(&r, "x1", exp(11.0 / 3), NEAR);
    expect(&r, "x2", 2 * exp(11.0 / 3), NEAR);
    expect(&r, "l", 22.0 / 3 * exp(11.0 / 3), NEAR);
    end(&r);
    r = simulate_text("model M Real x1(start = 1), x2, l1, l2; equation der(x1) = 10*x1 + 15*x2 - l1 + l2; "
                      "der(x2) = x1 + 5*x2 + l2; 3*x1 + 7*x2 = 0; end M;",
                      until(1));
    assert_int_equal(r.info.status, DD_SIM_INVALID_MODEL);
    assert_non_null(strstr(r.info.reason, "3 equations for 4 unknowns"));
    assert_true(strstr(r.info.reason, "l1") && strstr(r.info.reason, "l2"));
    end(&r);
}

static void index_one_forms(void **state)
{
    (void)state;
    run r = form("NeverDifferentiated", NULL, 1);
    expect(&r, "x1", exp(1) - 1, NEAR);
    expect(&r, "x2", -2 * exp(-1), NEAR);
    end(&r);
    r = form("Cancelling", NULL, 0.5); /* x1 = -7 - cos(x2), x1 + x2 = 7 t + const */
    const double x1 = value(&r, "x1"), x2 = value(&r, "x2");
    assert_true(fabs(x1 + cos(x2) + 7) < NEAR);
    assert_true(fabs(x1 + x2 - 3.5 - (-7.5 + acos(0.5))) < NEAR);
    end(&r);
    r = form("Elimination", "x=2", 1); /* (x^2)' = 2 - 2 x^2 */
    expect(&r, "x", sqrt(1 + 3 * exp(-2)), NEAR);
    expect(&r, "z", 1 / sqrt(1 + 3 * exp(-2)), NEAR);
    end(&r);
}

static void kind_depends_on_data(void **state)
{
    (void)state;
    run r = form("Vanishing", "u=2", 1);
    expect(&r, "x", exp(-0.5), NEAR);
    end(&r);
    r = form("Vanishing", "u=0", 1);
    expect(&r, "x", 0, 0);
    end(&r);
    r = form("Branches", NULL, 1); /* from x1 <> x2: x2' = -1 */
    expect(&r, "x1", exp(-1), NEAR);
    expect(&r, "x2", -1, NEAR);
    end(&r);
    r = form("Branches", "x1=2 x2=2 u=sin(time)", 1); /* from x1 = x2: they stay equal */
    assert_int_equal(dd_system_index(r.system), 1);
    expect(&r, "x1", 2.5 * exp(-1) + 0.5 * (sin(1) - cos(1)), NEAR);
    expect(&r, "x2", value(&r, "x1"), NEAR);
    end(&r);
}

/* ---- a fast variable ---- */

static void tikhonov(void **state)
{
    (void)state;
    run slow = simulate("tikhonov.mo", "FastAndSlow", "eps=0", until(1));
    assert_int_equal(dd_system_index(slow.system), 1);
    double before = 0;
    for (double eps = 1e-1; eps > 5e-6; eps /= 10) {
        char setting[40];
        snprintf(setting, sizeof setting, "eps=%g", eps);
        run fast = simulate("tikhonov.mo", "FastAndSlow", setting, until(1));
        const double dx = fabs(value(&fast, "x") - value(&slow, "x")), dz = fabs(value(&fast, "z") - value(&slow, "z"));
        assert_true(dx < 0.2 * eps && dz < 0.2 * eps); /* O(eps) past the first moments */
        assert_true(before == 0 || fabs(before / dx - 10) < 2);
        before = dx;
        /* dg/dz < 0 is seen in the linear system: one eigenvalue near -1/eps */
        dd_linsys *l;
        assert_int_equal(dd_linsys_new(&l, fast.sim), DD_OK);
        const dd_linsys_info info = dd_linsys_get_info(l);
        const double z = value(&fast, "z");
        assert_true(fabs(info.eigen_re[1] * eps + 1 + z * z) < 2 * eps);
        dd_linsys_free(l);
        end(&fast);
    }
    /* a curve that repels: the DAE is the same, the solution is not */
    run away = simulate("tikhonov.mo", "FastAndSlow", "eps=0.01 sign=-1 z=0.45", until(1));
    assert_true(away.info.status != DD_SIM_OK || fabs(value(&away, "z") - value(&slow, "z")) > 1);
    end(&away);
    end(&slow);
}

/* ---- a classical method on a model of index 3 ---- */

static double z_error(const run *r, uint64_t row)
{
    return fabs(dd_sim_row_value(r->sim, row, variable(r, "z")) + sin(dd_sim_row_time(r->sim, row) + 1));
}

/* z = u'' with u = sin(t + 1). Implicit Euler has x1_n = (u_n - u_(n-1))/h = u' - h u''/2 + ..., z_n = (x1_n - x1_(n-1))/h:
 * the halves cancel while h stays. At the start x1_0 = u' exactly, and z_1 = u''/2 + O(h), whatever h; after a change from
 * H to h the error is (H/h - 1)/2 u''. The last step is half as long here: u''/2 again. */
static void implicit_euler_on_index_3(void **state)
{
    (void)state;
    double first[3], middle[3], last[3];
    for (int i = 0; i < 3; i++) {
        const double h = 0.1 / pow(4, i);
        const uint64_t steps = (uint64_t)round(1 / h);
        dd_sim_options o = until(1 + 0.5 * h);
        o.form = DD_SIM_FORM_ORIGINAL;
        o.method = "implicit-euler";
        o.step = h;
        run r = simulate("forms.mo", "Chain", "u=sin(time+1)", o);
        assert_int_equal(r.info.status, DD_SIM_OK);
        assert_int_equal(dd_sim_row_count(r.sim), steps + 2);
        bool warned = false;
        for (uint32_t k = 0; k < dd_sim_message_count(r.sim); k++) {
            warned = warned ||
                     (strstr(dd_sim_message(r.sim, k), "index 3") && strstr(dd_sim_message(r.sim, k), "no step size"));
        }
        assert_true(warned);
        first[i] = z_error(&r, 1);
        middle[i] = z_error(&r, steps);
        last[i] = z_error(&r, steps + 1);
        end(&r);
    }
    for (int i = 1; i < 3; i++) {
        assert_true(first[i] > 0.35 && last[i] > 0.35); /* O(1): nothing is gained */
        assert_true(fabs(log(middle[i - 1] / middle[i]) / log(4) - 1) < 0.2);
    }
    assert_true(fabs(first[2] - 0.5 * sin(1)) < 0.01);
    assert_true(fabs(last[2] - 0.5 * sin(2)) < 0.01);
    /* the reduced form has neither */
    run r = simulate("forms.mo", "Chain", "u=sin(time+1)", until(1));
    expect(&r, "z", -sin(2), 1e-12);
    assert_int_equal(dd_sim_message_count(r.sim), 0);
    end(&r);
}

/* What is reported is the largest residual over the rows, of the constraints in the form that check prints, also where the
 * equations as written are integrated. */
static void violation_is_real(void **state)
{
    (void)state;
    for (int original = 0; original < 2; original++) {
        dd_sim_options o = until(2);
        o.tol = 1e-5;
        o.form = original ? DD_SIM_FORM_ORIGINAL : DD_SIM_FORM_REDUCED;
        o.stabilize = original ? DD_STABILIZE_PROJECTION : DD_STABILIZE_NONE;
        run r = simulate("spherical_pendulum.mo", "SphericalPendulum", NULL, o);
        double most = 0;
        const double length = 1; /* squared */
        for (uint64_t row = 0; row < dd_sim_row_count(r.sim); row++) {
            double pp = -length, pv = 0;
            for (uint32_t i = 0; i < 3; i++) {
                char p[8], v[8];
                snprintf(p, sizeof p, "p[%u]", i + 1);
                snprintf(v, sizeof v, "v[%u]", i + 1);
                double position = dd_sim_row_value(r.sim, row, variable(&r, p));
                pp += position * position;
                pv += position * dd_sim_row_value(r.sim, row, variable(&r, v));
            }
            most = fmax(most, fmax(fabs(pp), fabs(pv)));
        }
        assert_true(most > 1e-8);
        assert_true(fabs(r.info.constraint_violation - most) < 1e-12);
        assert_true(r.info.constraint_distance > 0.1 * most && r.info.constraint_distance < most);
        end(&r);
    }
}

/* Rows between the steps lie on the constraints as well, and their derivatives in the tangent space. */
static void rows_of_the_pendulum(void **state)
{
    (void)state;
    const char *const methods[] = {"radau", "dopri54", "bdf", "chebyshev", "gauss-2"};
    const char *const by[] = {"L", "v[2]"};
    for (int m = 0; m < 5; m++) {
        dd_sim_options o = until(3);
        o.tol = 1e-6;
        o.method = methods[m];
        o.step = m == 4 ? 0.02 : 0;
        o.points = 400;
        o.sensitivity = by;
        o.n_sensitivity = m == 3 ? 0 : 2;
        run r = simulate("spherical_pendulum.mo", "SphericalPendulum", NULL, o);
        assert_int_equal(r.info.status, DD_SIM_OK);
        assert_int_equal(dd_sim_row_count(r.sim), 401);
        for (uint64_t row = 0; row <= 400; row++) {
            double pp = -1, pv = 0, along[2] = {-1, 0}; /* p dp/dL = L, p dp/dv2 = 0 */
            for (uint32_t i = 1; i <= 3; i++) {
                const double p = row_value(&r, row, "p[%u]", i);
                pp += p * p;
                pv += p * row_value(&r, row, "v[%u]", i);
                for (uint32_t k = 0; k < o.n_sensitivity; k++) {
                    char name[8];
                    snprintf(name, sizeof name, "p[%u]", i);
                    along[k] += p * dd_sim_row_sensitivity(r.sim, row, k, variable(&r, name));
                }
            }
            assert_true(fabs(pp) < 1e-13 && fabs(pv) < 1e-13);
            assert_true(o.n_sensitivity == 0 || (fabs(along[0]) < 1e-11 && fabs(along[1]) < 1e-11));
        }
        end(&r);
    }
}

static void rows_of_the_robot(void **state)
{
    (void)state;
    dd_sim_options o = until(2);
    o.tol = 1e-6;
    o.points = 500;
    run r = simulate("delta_robot.mo", "DeltaRobot", NULL, o);
    const double d = 0.1, l = 0.3, L = 0.7, gamma[3] = {0, 2.0943951, 4.1887902};
    assert_int_equal(dd_sim_row_count(r.sim), 501);
    for (uint64_t row = 0; row <= 500; row++) {
        for (uint32_t i = 0; i < 3; i++) {
            const double a = row_value(&r, row, "alpha[%u]", i + 1), w = row_value(&r, row, "w[%u]", i + 1);
            const double reach = d + l * cos(a), rate = -l * sin(a) * w;
            const double arm[3] = {cos(gamma[i]) * reach, sin(gamma[i]) * reach, -l * sin(a)};
            const double speed[3] = {cos(gamma[i]) * rate, sin(gamma[i]) * rate, -l * cos(a) * w};
            double c = -L * L, v = 0;
            for (uint32_t k = 0; k < 3; k++) {
                const double rod = row_value(&r, row, "p[%u]", k + 1) - arm[k];
                c += rod * rod;
                v += rod * (row_value(&r, row, "v[%u]", k + 1) - speed[k]);
            }
            assert_true(fabs(c) < 1e-13 && fabs(v) < 1e-13);
        }
    }
    end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(spring_mass),
                                       cmocka_unit_test(cart_pole),
                                       cmocka_unit_test(cart_pole_alone),
                                       cmocka_unit_test(spherical_pendulum),
                                       cmocka_unit_test(spherical_baumgarte),
                                       cmocka_unit_test(tank),
                                       cmocka_unit_test(tank_at_rest),
                                       cmocka_unit_test(pendulum_by_chebyshev),
                                       cmocka_unit_test(tumbling_body),
                                       cmocka_unit_test(planar_pendulum),
                                       cmocka_unit_test(crane),
                                       cmocka_unit_test(crane_without_drift),
                                       cmocka_unit_test(second_order),
                                       cmocka_unit_test(implicit_rates),
                                       cmocka_unit_test(three_roots),
                                       cmocka_unit_test(nilpotent),
                                       cmocka_unit_test(same_in_two_forms),
                                       cmocka_unit_test(multipliers),
                                       cmocka_unit_test(index_one_forms),
                                       cmocka_unit_test(kind_depends_on_data),
                                       cmocka_unit_test(violation_is_real),
                                       cmocka_unit_test(rows_of_the_pendulum),
                                       cmocka_unit_test(rows_of_the_robot),
                                       cmocka_unit_test(tikhonov),
                                       cmocka_unit_test(implicit_euler_on_index_3)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
