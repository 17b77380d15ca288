/* Arms of two to four hinges and slides with axes, lengths and inertias at random, made from parts and by lagrange() from
 * energies that are written down with rotation matrices: the same optimum. Every arm is found at the values at which it is fixed. */
#include "unit/ocp/ocp_kit.h"

enum { ARMS = 60, MOST = 4, TEXT = 8000, INTERVALS = 8 };

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
    add(t, "optimization S(objectiveIntegrand = u*u/100, startTime = 0, finalTime = 1)\n  extends A;\nconstraint\n");
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
    add(t, "equation\n  connect(world.frame, j1.a);\n");
    for (uint32_t k = 0; k < a->n; k++) {
        add(t, "  connect(j%u.b, l%u.a);\n", k + 1, k + 1);
    }
    for (uint32_t k = 1; k < a->n; k++) {
        add(t, "  connect(l%u.b, j%u.a);\n", k, k + 1);
    }
    add(t, "end A;\n");
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

static void write_energies(text *t, const arm *a)
{
    add(t, "model A\n  import Daedal.Rotations.*;\n  Real q[%u](start = {", a->n);
    for (uint32_t k = 0; k < a->n; k++) {
        add(t, "%s%.4g", k > 0 ? ", " : "", a->start[k]);
    }
    add(t, "}, each fixed = true), w[%u](each start = 0, each fixed = true) = der(q);\n  input Real u[%u];\n", a->n,
        a->n);
    add(t, "  parameter Real R0[3, 3] = identity(3), o0[3] = zeros(3), e0[3] = zeros(3);\n");
    for (uint32_t k = 0; k < a->n; k++) {
        add_link(t, a, k);
    }
    add(t, "equation\n  lagrange(q = q, T = 0");
    for (uint32_t k = 0; k < a->n; k++) {
        add(t, " + 0.5*%.4g*(v%u*v%u) + 0.5*(o%u*(diagonal(%s)*o%u))", a->mass[k], k + 1, k + 1, k + 1,
            vector(a->inertia[k], 1), k + 1);
    }
    add(t, ", V = 0");
    for (uint32_t k = 0; k < a->n; k++) {
        add(t, " + 9.81*%.4g*p%u[3]", a->mass[k], k + 1);
    }
    add(t, ", Q = u);\nend A;\n");
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

static void test_arms(void **state)
{
    (void)state;
    uint32_t solved = 0;
    for (uint32_t seed = 1; seed <= ARMS; seed++) {
        const arm a = random_arm(seed);
        text parts = {.n = 0}, energies = {.n = 0};
        write_parts(&parts, &a);
        write_energies(&energies, &a);
        kit p = solve(&parts), e = solve(&energies);
        if (p.info.status != e.info.status || !p.system->point_given ||
            !(fabs(p.info.objective - e.info.objective) <= 1e-7 * fmax(1e-3, fabs(e.info.objective)))) {
            fail_msg("arm %u: from parts %.10g (%s, start %s), from energies %.10g (%s)\n%s\n%s", seed,
                     p.info.objective, p.info.reason, p.system->point_given ? "held" : "moved", e.info.objective,
                     e.info.reason, parts.data, energies.data);
        }
        solved += p.info.status == DD_OCP_OPTIMAL || p.info.status == DD_OCP_INACCURATE;
        kit_free(&p);
        kit_free(&e);
    }
    assert_int_equal(solved, ARMS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_arms)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
