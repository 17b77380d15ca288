/* test_explicit.c - explicit Runge-Kutta methods: observed orders, error control, dense output, stiffness, failures. */
#include "problems.h"

#include "integ/explicit.h"
#include "integ/explicit_rhs.h"

typedef struct outcome {
    double x, z;             /* largest errors on the grid (pendulum: at the end) */
    double inside, inside_z; /* between grid points; not for the pendulum */
    dd_integ_stats stats;
    bool stiff;
} outcome;

static outcome solve(const char *method, const ivp *from, double rtol, double fixed)
{
    ivp_problem p;
    dd_tableau *tab;
    dd_integrator *it;
    ivp_make(&p, from, rtol);
    dd_integ_options options = ivp_options(&p, rtol, fixed);
    assert_int_equal(dd_tableau_new(&tab, ctx, method), DD_OK);
    assert_int_equal(dd_explicit_new(&it, ctx, &p.p, tab, &options), DD_OK);
    outcome out = {0};
    uint64_t before = dd_context_allocations(ctx);
    assert_int_equal(dd_integ_start(it, from->t0, from->w0, from->v0), DD_STEP_OK);
    while (it->t < from->t1) {
        dd_step_verdict v = dd_integ_step(it, from->t1);
        if (v != DD_STEP_OK && fixed > 0) { /* a long step may leave the domain of log */
            out.x = out.z = out.inside = out.inside_z = INFINITY;
            break;
        }
        assert_int_equal(v, DD_STEP_OK);
        if (from != &ivp_pendulum || it->t == from->t1) {
            out.x = fmax(out.x, ivp_error(it, from, true));
            out.z = fmax(out.z, ivp_error(it, from, false));
        }
        for (uint32_t k = 1; k < 4 && from != &ivp_pendulum; k++) {
            double w[IVP_MOST], exact[IVP_MOST], t = it->t_old + k * 0.25 * (it->t - it->t_old);
            dd_integ_interpolate(it, t, w, NULL);
            from->exact(t, exact);
            for (uint32_t j = 0; j < from->n; j++) {
                double *most = from->differential[j] ? &out.inside : &out.inside_z;
                *most = fmax(*most, fabs(w[j] - exact[j]));
            }
        }
    }
    assert_int_equal(dd_context_allocations(ctx), before);
    out.stats = it->stats;
    out.stiff = it->stiff;
    dd_integ_free(it);
    dd_tableau_free(tab);
    return out;
}

static bool is_explicit(const char *method, uint32_t *order)
{
    dd_tableau *tab;
    assert_int_equal(dd_tableau_new(&tab, ctx, method), DD_OK);
    bool yes = tab->structure == DD_TABLEAU_EXPLICIT;
    *order = tab->order;
    dd_tableau_free(tab);
    return yes;
}

/* The order seen at the smallest steps whose errors are not rounding: the last one against the one twice as long. */
static double observed(const char *method, const ivp *from, double outcome_at(const outcome *))
{
    static const uint32_t grid[] = {4,   6,   8,   12,  16,  24,  32,   48,   64,  96,
                                    128, 192, 256, 384, 512, 768, 1024, 1536, 2048};
    double err[sizeof grid / sizeof *grid], order = 0;
    for (size_t k = 0; k < sizeof grid / sizeof *grid; k++) {
        outcome o = solve(method, from, 1e-6, (from->t1 - from->t0) / grid[k]);
        err[k] = outcome_at(&o);
        if (err[k] < 1e-14 + 2e-15 * grid[k]) {
            break;
        }
        order = k >= 2 ? log2(err[k - 2] / err[k]) : 0;
    }
    return order;
}

static double of_x(const outcome *o)
{
    return o->x;
}

static double of_z(const outcome *o)
{
    return o->z;
}

static double of_inside(const outcome *o)
{
    return o->inside;
}

static double of_inside_z(const outcome *o)
{
    return o->inside_z;
}

static void expect_order(const char *method, const ivp *from, double at(const outcome *), const char *what,
                         double order)
{
    double seen = observed(method, from, at);
    if (!(fabs(seen - order) < 0.2)) {
        print_error("%s on %s, %s: order %.2f, not %.0f\n", method, from->name, what, seen, order);
    }
    assert_true(fabs(seen - order) < 0.2);
}

static void test_orders(void **state)
{
    (void)state;
    const char *method;
    uint32_t order, count = 0;
    for (uint32_t i = 0; (method = dd_tableau_listed(i)); i++) {
        if (is_explicit(method, &order)) {
            expect_order(method, &ivp_ode, of_x, "x", order);
            expect_order(method, &ivp_dae, of_x, "x", order);
            expect_order(method, &ivp_dae, of_z, "z", order);
            expect_order(method, &ivp_pendulum, of_x, "x", order);
            count++;
        }
    }
    assert_true(count >= 15);
}

/* Between grid points: own extensions of order q have local errors h^(q+1), Hermite's cubic h^4, the quintic h^6. */
static void test_dense_orders(void **state)
{
    (void)state;
    const struct {
        const char *method;
        uint32_t order;
    } list[] = {{"rk4", 4},         {"kutta3", 3},   {"bs32", 3},       {"dopri54", 5},
                {"cash-karp54", 5}, {"verner65", 6}, {"fehlberg78", 6}, {"dop853", 8}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        expect_order(list[i].method, &ivp_ode, of_inside, "x inside", list[i].order);
        expect_order(list[i].method, &ivp_dae, of_inside, "x inside", list[i].order);
        expect_order(list[i].method, &ivp_dae, of_inside_z, "z inside", list[i].order);
    }
}

/* Every pair delivers what was asked for, and costs grow as they should. */
static void test_tolerances(void **state)
{
    (void)state;
    const char *methods[] = {"heun-euler21", "bs32",     "fehlberg45", "cash-karp54",
                             "dopri54",      "verner65", "fehlberg78", "dop853"};
    const ivp *problems[] = {&ivp_ode, &ivp_dae, &ivp_pendulum};
    for (size_t q = 0; q < 3; q++) {
        for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
            for (double tol = 1e-3; tol > 1e-11; tol *= 1e-2) {
                if (tol < 1e-8 && i < 2) {
                    continue;
                }
                outcome o = solve(methods[i], problems[q], tol, 0);
                const bool low = strcmp(methods[i], "fehlberg78") == 0; /* its quintic is of lower order */
                o.inside = low ? 0 : o.inside;
                if (!(o.x <= tol * 2.7) || o.inside > tol * 10 || o.stats.rejected > 4 + o.stats.steps / 3) {
                    print_error("%s on %s at %g: error %g, inside %g, %d of %d rejected\n", methods[i],
                                problems[q]->name, tol, o.x, o.inside, (int)o.stats.rejected, (int)o.stats.steps);
                }
                assert_true(o.x <= tol * 2.7); /* relative to |x|, which reaches e */
                assert_true(o.inside <= tol * 10);
                assert_true(o.stats.rejected <= 4 + o.stats.steps / 3);
                assert_false(o.stiff);
            }
        }
    }
}

/* 13 periods of the pendulum, some 100 s: energy and end point, falling with the tolerance; constraints to rounding. */
static void test_conservation(void **state)
{
    (void)state;
    ivp long_run = ivp_pendulum;
    long_run.t1 = 52 * PENDULUM_QUARTER;
    dd_tableau *tab;
    assert_int_equal(dd_tableau_new(&tab, ctx, "dop853"), DD_OK);
    for (double tol = 1e-4; tol > 1e-11; tol *= 1e-2) {
        ivp_problem p;
        dd_integrator *it;
        ivp_make(&p, &long_run, tol);
        dd_integ_options options = ivp_options(&p, tol, 0);
        assert_int_equal(dd_explicit_new(&it, ctx, &p.p, tab, &options), DD_OK);
        assert_int_equal(dd_integ_start(it, 0, long_run.w0, long_run.v0), DD_STEP_OK);
        double most = 0;
        while (it->t < long_run.t1) {
            assert_int_equal(dd_integ_step(it, long_run.t1), DD_STEP_OK);
            const double *w = it->w;
            most = fmax(most, fabs((w[2] * w[2] + w[3] * w[3]) / 2 + w[1])); /* 0 at the start */
        }
        assert_true(most < 2 * tol);
        assert_true(fabs(it->w[0] - 1) + fabs(it->w[1]) < 20 * tol);
        assert_true(it->violation < 1e-15);
        /* linear in x' and z: one residual per stage, the points of control and check aside */
        assert_true(tol < 1e-8 || it->stats.residuals < (it->stats.steps + it->stats.rejected) * 15);
        dd_integ_free(it);
    }
    dd_tableau_free(tab);
}

static void test_stiffness_is_seen(void **state)
{
    (void)state;
    ivp stiff = ivp_stiff;
    stiff.t1 = 0.01; /* 10000 time constants */
    const char *methods[] = {"dopri54", "dop853", "verner65", "cash-karp54"};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        outcome o = solve(methods[i], &stiff, 1e-5, 0);
        if (!o.stiff) {
            print_error("%s: not seen in %d steps\n", methods[i], (int)o.stats.steps);
        }
        assert_true(o.stiff);
        assert_true(o.x < 1e-4);
    }
}

/* Effort: one residual per stage and nothing else when rows are explicit; factors kept otherwise. */
static void test_effort(void **state)
{
    (void)state;
    ivp_problem p;
    ivp_make(&p, &ivp_ode, 1e-6);
    dd_rhs *rhs;
    assert_int_equal(dd_rhs_new(&rhs, ctx, &p.p), DD_OK);
    assert_int_equal(dd_rhs_get_kind(rhs), DD_RHS_DIAGONAL);
    dd_rhs_free(rhs);
    ivp_make(&p, &ivp_dae, 1e-6);
    assert_int_equal(dd_rhs_new(&rhs, ctx, &p.p), DD_OK);
    assert_int_equal(dd_rhs_get_kind(rhs), DD_RHS_NEWTON);
    dd_rhs_free(rhs);

    dd_tableau *tab;
    dd_integrator *it;
    assert_int_equal(dd_tableau_new(&tab, ctx, "dopri54"), DD_OK);
    ivp_make(&p, &ivp_ode, 1e-6);
    dd_integ_options options = ivp_options(&p, 1e-6, 0.1);
    assert_int_equal(dd_explicit_new(&it, ctx, &p.p, tab, &options), DD_OK);
    assert_int_equal(ivp_run(it, &ivp_ode), DD_STEP_OK);
    assert_int_equal(it->stats.steps, 40);
    assert_int_equal(it->stats.residuals, 40 * 6 + 1); /* the seventh is the first of the next step */
    assert_int_equal(it->stats.jacobians, 0);
    dd_integ_free(it);

    ivp_make(&p, &ivp_dae, 1e-6);
    options = ivp_options(&p, 1e-6, 0);
    assert_int_equal(dd_explicit_new(&it, ctx, &p.p, tab, &options), DD_OK);
    assert_int_equal(ivp_run(it, &ivp_dae), DD_STEP_OK);
    assert_true(it->stats.factorizations < it->stats.steps * 6);
    assert_true(it->stats.residuals < it->stats.steps * 6 * 5);
    dd_integ_free(it);
    dd_tableau_free(tab);
}

/* x' = A x with a full constant M: the constant kind, against the diagonal one. */
static void mass_residual(void *user, double t, const double *w, const double *v, double *f)
{
    double g[2];
    ode_residual(user, t, w, v, g);
    f[0] = 2 * g[0] + g[1];
    f[1] = g[0] - 3 * g[1];
}

static void mass_jacobian(const ivp *p, double t, const double *w, const double *v, double *m, double *j)
{
    double m0[4] = {0}, j0[4] = {0};
    ode_jacobian(p, t, w, v, m0, j0);
    for (uint32_t c = 0; c < 2; c++) {
        m[AT(0, c)] = 2 * m0[AT(0, c)] + m0[AT(1, c)];
        m[AT(1, c)] = m0[AT(0, c)] - 3 * m0[AT(1, c)];
        j[AT(0, c)] = 2 * j0[AT(0, c)] + j0[AT(1, c)];
        j[AT(1, c)] = j0[AT(0, c)] - 3 * j0[AT(1, c)];
    }
}

static void test_constant_mass(void **state)
{
    (void)state;
    ivp mass = ivp_ode;
    mass.residual = mass_residual;
    mass.jacobian = mass_jacobian;
    outcome plain = solve("dop853", &ivp_ode, 1e-8, 0), constant = solve("dop853", &mass, 1e-8, 0);
    assert_int_equal(constant.stats.factorizations, 1);
    assert_int_equal(constant.stats.residuals, plain.stats.residuals);
    assert_true(fabs(constant.x - plain.x) < 1e-13);
    mass.m_constant = false;
    outcome newton = solve("dop853", &mass, 1e-8, 0);
    assert_true(newton.x < 1e-8);
}

static dd_step_verdict fate(const char *method, const ivp *from, double fixed, double *t)
{
    ivp_problem p;
    dd_tableau *tab;
    dd_integrator *it;
    ivp_make(&p, from, 1e-6);
    dd_integ_options options = ivp_options(&p, 1e-6, fixed);
    assert_int_equal(dd_tableau_new(&tab, ctx, method), DD_OK);
    assert_int_equal(dd_explicit_new(&it, ctx, &p.p, tab, &options), DD_OK);
    dd_step_verdict v = ivp_run(it, from);
    for (uint32_t j = 0; j < from->n; j++) {
        assert_true(isfinite(it->w[j])); /* the trajectory so far is kept */
    }
    *t = it->t;
    dd_integ_free(it);
    dd_tableau_free(tab);
    return v;
}

static void test_failures(void **state)
{
    (void)state;
    double t;
    const char *methods[] = {"dopri54", "dop853"};
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(fate(methods[i], &ivp_blowup, 0, &t), DD_STEP_STEP_TOO_SMALL);
        assert_true(fabs(t - 1) < 1e-4);
        assert_int_equal(fate(methods[i], &ivp_nan, 0, &t), DD_STEP_NONFINITE);
        assert_true(fabs(t - 1) < 1e-9);
        assert_int_equal(fate(methods[i], &ivp_singular, 0, &t), DD_STEP_SINGULAR);
    }
    assert_int_equal(fate("rk4", &ivp_nan, 0.1, &t), DD_STEP_NONFINITE);
    assert_true(t > 0.89 && t < 1.01);
    assert_int_equal(fate("rk4", &ivp_blowup, 0.05, &t), DD_STEP_NONFINITE); /* overflows some steps later */
}

static void test_refusals(void **state)
{
    (void)state;
    ivp_problem p;
    dd_tableau *tab;
    dd_integrator *it;
    ivp_make(&p, &ivp_ode, 1e-6);
    dd_integ_options options = ivp_options(&p, 1e-6, 0);
    assert_int_equal(dd_tableau_new(&tab, ctx, "rk4"), DD_OK);
    assert_int_equal(dd_explicit_new(&it, ctx, &p.p, tab, &options), DD_INVALID_ARGUMENT);
    assert_non_null(strstr(dd_context_message(ctx), "step size"));
    dd_tableau_free(tab);
    assert_int_equal(dd_tableau_new(&tab, ctx, "radau-3"), DD_OK);
    assert_int_equal(dd_explicit_new(&it, ctx, &p.p, tab, &options), DD_INVALID_ARGUMENT);
    dd_tableau_free(tab);
}

/* Every allocation of the creation may fail. */
static void test_allocation_failures(void **state)
{
    (void)state;
    ivp_problem p;
    ivp_make(&p, &ivp_pendulum, 1e-6);
    dd_integ_options options = ivp_options(&p, 1e-6, 0);
    dd_tableau *tab;
    assert_int_equal(dd_tableau_new(&tab, ctx, "dop853"), DD_OK);
    dd_status st = DD_OUT_OF_MEMORY;
    for (uint64_t at = 1; st != DD_OK; at++) {
        dd_context_options limits = dd_context_options_default();
        limits.fail_at = at;
        dd_context *small;
        dd_integrator *it;
        if (dd_context_new(&small, &limits) != DD_OK) {
            continue;
        }
        st = dd_explicit_new(&it, small, &p.p, tab, &options);
        if (st == DD_OK) {
            dd_integ_free(it);
        }
        assert_int_equal(dd_context_memory(small), empty);
        dd_context_free(small);
        assert_true(at < 200);
    }
    dd_tableau_free(tab);
}

/* An integrator with other tolerances behaves like a new one. */
static void test_set_tolerance(void **state)
{
    (void)state;
    ivp_problem p;
    dd_integrator *it[2];
    dd_tableau *tab;
    assert_int_equal(dd_tableau_new(&tab, ctx, "dop853"), DD_OK);
    ivp_make(&p, &ivp_dae, 1e-4);
    for (int k = 0; k < 2; k++) {
        const double tol = k == 0 ? 1e-4 : 1e-6;
        for (uint32_t j = 0; j < p.p.n; j++) {
            p.atol[j] = tol;
        }
        dd_integ_options options = ivp_options(&p, tol, 0);
        assert_int_equal(dd_explicit_new(&it[k], ctx, &p.p, tab, &options), DD_OK);
    }
    assert_int_equal(ivp_run(it[0], &ivp_dae), DD_STEP_OK);
    it[0]->ops->set_tolerance(it[0], 1e-6, p.atol);
    it[0]->h = 0;
    assert_int_equal(ivp_run(it[0], &ivp_dae), DD_STEP_OK);
    assert_int_equal(ivp_run(it[1], &ivp_dae), DD_STEP_OK);
    for (uint32_t j = 0; j < p.p.n; j++) {
        assert_true(fabs(it[0]->w[j] - it[1]->w[j]) < 1e-7);
    }
    assert_true(ivp_error(it[0], &ivp_dae, true) < 2e-6);
    for (int k = 0; k < 2; k++) {
        dd_integ_free(it[k]);
    }
    dd_tableau_free(tab);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_orders),
        cmocka_unit_test(test_dense_orders),
        cmocka_unit_test(test_tolerances),
        cmocka_unit_test(test_stiffness_is_seen),
        cmocka_unit_test(test_effort),
        cmocka_unit_test(test_constant_mass),
        cmocka_unit_test(test_failures),
        cmocka_unit_test(test_set_tolerance),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_conservation),
        cmocka_unit_test(test_allocation_failures),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
