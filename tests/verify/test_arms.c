/* Arms of two to four hinges and slides with axes, lengths and inertias at random, in space and in the plane, made from parts and
 * by lagrange() from energies that are written down with rotation matrices or angles: the same optimum. Every arm is found at the
 * values at which it is fixed. */
#include "unit/ocp/ocp_kit.h"

enum { ARMS = 60, MOST = 4, TEXT = 8000, INTERVALS = 16 };

typedef struct arm {
    uint32_t n;
    bool slides[MOST];
    int axis[MOST];
    double mass[MOST], inertia[MOST][3];
    double in[MOST][3], out[MOST][3]; /* from the joint to the centre of its link, and from there to the next one */
    double start[MOST], end[MOST];
} arm;

static uint32_t state_of_noise;

static double noise(double low, double high)
{
    state_of_noise = state_of_noise * 1664525u + 1013904223u;
    const double t = (double)(state_of_noise >> 8) / (1 << 24);
    return round(1000 * (low + t * (high - low))) / 1000;
}

static arm random_arm(uint32_t seed)
{
    state_of_noise = 977 * seed + 3;
    arm a = {.n = 2 + (uint32_t)(noise(0, 0.999) * (MOST - 1))};
    for (uint32_t k = 0; k < a.n; k++) {
        a.slides[k] = noise(0, 1) < 0.25;
        a.axis[k] = (int)(noise(0, 0.999) * 3);
        a.mass[k] = noise(0.5, 4);
        /* some lengths and starts are zero */
        for (int i = 0; i < 3; i++) {
            a.inertia[k][i] = noise(0.02, 0.2);
            a.in[k][i] = noise(0, 1) < 0.6 ? noise(-0.3, 0.3) : 0;
            a.out[k][i] = noise(0, 1) < 0.7 ? noise(-0.4, 0.4) : 0;
        }
        a.start[k] = noise(0, 1) < 0.7 ? noise(-0.6, 0.6) : 0;
        a.end[k] = a.start[k] + noise(-0.4, 0.4);
    }
    return a;
}

/* ---- texts ---- */

typedef struct text {
    char data[TEXT];
    size_t n;
} text;

__attribute__((format(printf, 2, 3))) static void add(text *t, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    t->n += (size_t)vsnprintf(t->data + t->n, TEXT - t->n, format, list);
    va_end(list);
    assert_true(t->n < TEXT);
}

static const char *vector(const double v[3], double by)
{
    static char buffer[8][80];
    static int at;
    at = (at + 1) % 8;
    snprintf(buffer[at], sizeof buffer[at], "{%.4g, %.4g, %.4g}", by * v[0], by * v[1], by * v[2]);
    return buffer[at];
}

static const char *axis(int a)
{
    static const char *const axes[] = {"{1, 0, 0}", "{0, 1, 0}", "{0, 0, 1}"};
    return axes[a];
}

static void add_goal(text *t, const arm *a, bool parts)
{
    add(t, "optimization S(objectiveIntegrand = u*u/100, startTime = 0, finalTime = 0.4)\n  extends A;\nconstraint\n");
    for (uint32_t k = 0; k < a->n; k++) {
        const char *const place = a->slides[k] ? "s" : "phi", *const rate = a->slides[k] ? "v" : "w";
        if (parts) {
            add(t, "  j%u.%s(finalTime) = %.4g; j%u.%s(finalTime) = 0;\n", k + 1, place, a->end[k], k + 1, rate);
        } else {
            add(t, "  q[%u](finalTime) = %.4g; w[%u](finalTime) = 0;\n", k + 1, a->end[k], k + 1);
        }
    }
    add(t, "end S;\n");
}

static void add_connections(text *t, const arm *a)
{
    add(t, "equation\n  connect(world.frame, j1.a);\n");
    for (uint32_t k = 0; k < a->n; k++) {
        add(t, "  connect(j%u.b, l%u.a);\n", k + 1, k + 1);
    }
    for (uint32_t k = 1; k < a->n; k++) {
        add(t, "  connect(l%u.b, j%u.a);\n", k, k + 1);
    }
    add(t, "end A;\n");
}

static void write_parts(text *t, const arm *a)
{
    add(t, "model A\n  import Daedal.Mechanics.*;\n  World world;\n  input Real u[%u];\n", a->n);
    for (uint32_t k = 0; k < a->n; k++) {
        const char *const place = a->slides[k] ? "s" : "phi", *const rate = a->slides[k] ? "v" : "w";
        add(t, "  %s j%u(n = %s, %s(start = %.4g, fixed = true), %s(start = 0, fixed = true), %s = u[%u]);\n",
            a->slides[k] ? "Prismatic" : "Revolute", k + 1, axis(a->axis[k]), place, a->start[k], rate,
            a->slides[k] ? "force" : "tau", k + 1);
        add(t, "  Link l%u(m = %.4g, I = diagonal(%s), ra = %s, rb = %s);\n", k + 1, a->mass[k],
            vector(a->inertia[k], 1), vector(a->in[k], -1), vector(a->out[k], 1));
    }
    add_connections(t, a);
    add_goal(t, a, true);
}

/* R: axes of a link; b: where its joint is; p: its centre; o: angular velocity in its own axes. */
static void add_link(text *t, const arm *a, uint32_t k)
{
    const uint32_t i = k + 1;
    if (a->slides[k]) {
        add(t, "  Real R%u[3, 3] = R%u, o%u[3] = o%u;\n", i, k, i, k);
        add(t, "  Real b%u[3] = e%u + R%u*(q[%u]*%s);\n", i, k, k, i, axis(a->axis[k]));
    } else {
        add(t, "  Real D%u[3, 3] = rot%c(q[%u]), R%u[3, 3] = R%u*D%u;\n", i, "XYZ"[a->axis[k]], i, i, k, i);
        add(t, "  Real o%u[3] = transpose(D%u)*o%u + w[%u]*%s, b%u[3] = e%u;\n", i, i, k, i, axis(a->axis[k]), i, k);
    }
    add(t, "  Real p%u[3] = b%u + R%u*%s, e%u[3] = p%u + R%u*%s, v%u[3] = der(p%u);\n", i, i, i, vector(a->in[k], 1), i,
        i, i, vector(a->out[k], 1), i, i);
}

static void add_states(text *t, const arm *a)
{
    add(t, "  Real q[%u](start = {", a->n);
    for (uint32_t k = 0; k < a->n; k++) {
        add(t, "%s%.4g", k > 0 ? ", " : "", a->start[k]);
    }
    add(t, "}, each fixed = true), w[%u](each start = 0, each fixed = true) = der(q);\n  input Real u[%u];\n", a->n,
        a->n);
}

/* up: which coordinate is the height */
static void add_potential(text *t, const arm *a, int up)
{
    add(t, ", V = 0");
    for (uint32_t k = 0; k < a->n; k++) {
        add(t, " + 9.81*%.4g*p%u[%d]", a->mass[k], k + 1, up);
    }
    add(t, ", Q = u);\nend A;\n");
}

static void write_energies(text *t, const arm *a)
{
    add(t, "model A\n  import Daedal.Rotations.*;\n");
    add_states(t, a);
    add(t, "  parameter Real R0[3, 3] = identity(3), o0[3] = zeros(3), e0[3] = zeros(3);\n");
    for (uint32_t k = 0; k < a->n; k++) {
        add_link(t, a, k);
    }
    add(t, "equation\n  lagrange(q = q, T = 0");
    for (uint32_t k = 0; k < a->n; k++) {
        add(t, " + 0.5*%.4g*(v%u*v%u) + 0.5*(o%u*(diagonal(%s)*o%u))", a->mass[k], k + 1, k + 1, k + 1,
            vector(a->inertia[k], 1), k + 1);
    }
    add_potential(t, a, 3);
    add_goal(t, a, false);
}

/* ---- the same in the plane: axes 0 and 1 are those of slides ---- */

static const char *pair(const double v[3], double by)
{
    static char buffer[8][60];
    static int at;
    at = (at + 1) % 8;
    snprintf(buffer[at], sizeof buffer[at], "{%.4g, %.4g}", by * v[0], by * v[1]);
    return buffer[at];
}

static const char *axis_in_plane(int a)
{
    return a == 0 ? "{1, 0}" : "{0, 1}";
}

static void write_planar_parts(text *t, const arm *a)
{
    add(t, "model A\n  import Daedal.Mechanics.Planar.*;\n  World world;\n  input Real u[%u];\n", a->n);
    for (uint32_t k = 0; k < a->n; k++) {
        if (a->slides[k]) {
            add(t,
                "  Prismatic j%u(n = %s, s(start = %.4g, fixed = true), v(start = 0, fixed = true), force = u[%u]);\n",
                k + 1, axis_in_plane(a->axis[k]), a->start[k], k + 1);
        } else {
            add(t, "  Revolute j%u(phi(start = %.4g, fixed = true), w(start = 0, fixed = true), tau = u[%u]);\n", k + 1,
                a->start[k], k + 1);
        }
        add(t, "  Link l%u(m = %.4g, I = %.4g, ra = %s, rb = %s);\n", k + 1, a->mass[k], a->inertia[k][0],
            pair(a->in[k], -1), pair(a->out[k], 1));
    }
    add_connections(t, a);
    add_goal(t, a, true);
}

/* a: angle of a link; b: where its joint is; p: its centre; e: its end. turn: a vector in the axes of a link. */
static void write_planar_energies(text *t, const arm *a)
{
    add(t, "function turn\n  input Real a;\n  input Real d[2];\n  output Real y[2];\nalgorithm\n"
           "  y := {cos(a)*d[1] - sin(a)*d[2], sin(a)*d[1] + cos(a)*d[2]};\nend turn;\nmodel A\n");
    add_states(t, a);
    add(t, "  parameter Real a0 = 0, e0[2] = zeros(2);\n");
    for (uint32_t k = 0; k < a->n; k++) {
        const uint32_t i = k + 1;
        if (a->slides[k]) {
            add(t, "  Real a%u = a%u, b%u[2] = e%u + turn(a%u, q[%u]*%s);\n", i, k, i, k, k, i,
                axis_in_plane(a->axis[k]));
        } else {
            add(t, "  Real a%u = a%u + q[%u], b%u[2] = e%u;\n", i, k, i, i, k);
        }
        add(t,
            "  Real p%u[2] = b%u + turn(a%u, %s), e%u[2] = p%u + turn(a%u, %s), v%u[2] = der(p%u), o%u = der(a%u);\n",
            i, i, i, pair(a->in[k], 1), i, i, i, pair(a->out[k], 1), i, i, i, i);
    }
    add(t, "equation\n  lagrange(q = q, T = 0");
    for (uint32_t k = 0; k < a->n; k++) {
        add(t, " + 0.5*%.4g*(v%u*v%u) + 0.5*%.4g*o%u^2", a->mass[k], k + 1, k + 1, a->inertia[k][0], k + 1);
    }
    add_potential(t, a, 2);
    add_goal(t, a, false);
}

/* ---- comparison ---- */

/* As `daedal optimize` does it. */
static kit solve(const text *t)
{
    kit k = {.ctx = new_context()};
    dd_ocp_options options = dd_ocp_options_default();
    dd_analyse_options analysis = dd_analyse_options_default();
    options.intervals = INTERVALS;
    analysis.trust_structure = analysis.parameters_stay = analysis.fewer_unknowns = true;
    assert_int_equal(dd_model_load_text(&k.model, k.ctx, "m.mop", t->data, t->n, NULL), DD_OK);
    assert_int_equal(dd_model_analyse(&k.system, k.model, &analysis), DD_OK);
    assert_int_equal(dd_ocp_new(&k.ocp, k.system, &options), DD_OK);
    k.status = dd_ocp_solve(k.ocp);
    k.info = dd_ocp_get_info(k.ocp);
    assert_int_equal(k.status, DD_OK);
    return k;
}

/* On a mesh that is too coarse for an arm (a light one that swings) there are local minima that are no motions: true where both
 * are motions, and compared. */
static bool compare(uint32_t seed, void (*with_parts)(text *, const arm *), void (*with_energies)(text *, const arm *))
{
    const arm a = random_arm(seed);
    text parts = {.n = 0}, energies = {.n = 0};
    with_parts(&parts, &a);
    with_energies(&energies, &a);
    kit p = solve(&parts), e = solve(&energies);
    const bool both = p.info.status == DD_OCP_OPTIMAL && e.info.status == DD_OCP_OPTIMAL;
    const bool apart = fabs(p.info.objective - e.info.objective) > 1e-7 * fmax(1e-3, fabs(e.info.objective));
    if (!p.system->point_given || (both && apart)) {
        fail_msg("arm %u: from parts %.10g (start %s), from energies %.10g\n%s", seed, p.info.objective,
                 p.system->point_given ? "held" : "moved", e.info.objective, parts.data);
    }
    kit_free(&p);
    kit_free(&e);
    return both;
}

static void test_in_space(void **state)
{
    (void)state;
    uint32_t compared = 0;
    for (uint32_t seed = 1; seed <= ARMS; seed++) {
        compared += compare(seed, write_parts, write_energies);
    }
    assert_true(compared > ARMS * 4 / 5);
}

static void test_in_the_plane(void **state)
{
    (void)state;
    uint32_t compared = 0;
    for (uint32_t seed = 1; seed <= ARMS; seed++) {
        compared += compare(seed, write_planar_parts, write_planar_energies);
    }
    assert_true(compared > ARMS * 4 / 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_in_space), cmocka_unit_test(test_in_the_plane)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
