/* The error estimate against flows that are known in closed form: ODE and DAE, all kinds of controls and nodes, a free
 * final time and a free parameter; and the simulation of the result. */
#include "unit/ocp/ocp_kit.h"

static kit solve(const char *text, dd_ocp_options o)
{
    kit s = kit_solve("m.mop", text, &o);
    assert_int_equal(s.status, DD_OK);
    kit_assert_solved(&s.info);
    return s;
}

static double state(const kit *s, uint32_t k, uint32_t i)
{
    return s->ocp->result.x[s->ocp->transcription->x_at[k] + i] * s->ocp->problem->x.data[i].scale;
}

static double time_at(const kit *s, uint32_t k)
{
    return dd_transcription_time(s->ocp->transcription, s->ocp->result.x, s->ocp->transcription->mesh.theta[k]);
}

/* max(1, max|x|) over all points, as in the estimate */
static double size_of(const kit *s)
{
    const dd_transcription *t = s->ocp->transcription;
    double size = 1;
    for (uint32_t k = 0; k <= t->mesh.n; k++) {
        size = fmax(size, fabs(state(s, k, 0)));
        for (uint32_t j = 0; k < t->mesh.n && j < t->mesh.degree[k]; j++) {
            double x = s->ocp->result.x[t->point_at[k * DD_DEGREE_MOST + j]];
            size = fmax(size, fabs(x * s->ocp->problem->x.data[0].scale));
        }
    }
    return size;
}

/* ln x(t) - ln x(s) of the exact flow is growth(t) - growth(s). */
typedef double growth(double t, double p);

static double sine(double t, double p)
{
    (void)p;
    return sin(t);
}

static double line(double t, double p)
{
    return -p * t;
}

/* The largest error of an interval, and that of the whole, by the exact flow; scaled as in the estimate. */
static void true_errors(const kit *s, growth *g, double p, double *interval, double *whole)
{
    uint32_t n = s->ocp->transcription->mesh.n;
    double size = size_of(s), t0 = time_at(s, 0);
    *interval = *whole = 0;
    for (uint32_t k = 0; k < n; k++) {
        double end = time_at(s, k + 1), change = g(end, p) - g(time_at(s, k), p);
        *interval = fmax(*interval, fabs(state(s, k, 0) * exp(change) - state(s, k + 1, 0)));
        *whole = fmax(*whole, fabs(state(s, 0, 0) * exp(g(end, p) - g(t0, p)) - state(s, k + 1, 0)));
    }
    *interval /= size;
    *whole /= size;
}

static void assert_ratio(double estimate, double truth, double factor)
{
    if (!(estimate <= truth * factor && estimate >= truth / factor)) {
        fail_msg("estimated %g, true %g", estimate, truth);
    }
}

/* u = 1 is optimal and exact in all its forms. */
static const char ode[] = "optimization M(objectiveIntegrand = (u - 1)^2, startTime = 0, finalTime = 5)\n"
                          "  Real x(start = 1, fixed = true);\n"
                          "  input Real u;\n"
                          "equation\n"
                          "  der(x) = cos(time)*x*u;\n"
                          "end M;\n";

static void test_ode(void **state_unused)
{
    (void)state_unused;
    for (int control = 0; control < 3; control++) {
        /* one point per interval leaves the sawtooth of a linear control undecided */
        for (uint32_t degree = control == DD_OCP_LINEAR ? 2 : 1; degree <= 3; degree++) {
            for (int legendre = 0; legendre < 2; legendre++) {
                dd_ocp_options o = dd_ocp_options_default();
                o.intervals = 8;
                o.degree = degree;
                o.legendre = legendre;
                o.control = (dd_ocp_control)control;
                o.tolerance = 1e-12;
                kit s = solve(ode, o);
                double interval, whole;
                true_errors(&s, sine, 0, &interval, &whole);
                assert_true(interval > 1e-8);
                assert_ratio(s.info.estimated_error, interval, 1.01);
                assert_ratio(s.info.simulation_difference, whole, 1.01);
                kit_free(&s);
            }
        }
    }
}

/* z + z^3 = x + x^3 has the one solution z = x; with finalTime 3 and p 2: x = exp(-2 t). */
static const char dae[] = "optimization M(objective = (finalTime - 3)^2 + (p - 2)^2, objectiveIntegrand = (u - 1)^2,\n"
                          "    startTime = 0, finalTime(free = true, min = 1, max = 5, start = 2))\n"
                          "  parameter Real p(free = true, min = 0.5, max = 4) = 1;\n"
                          "  Real x(start = 1, fixed = true, nominal = 0.5), z(initialGuess = 0.5);\n"
                          "  input Real u;\n"
                          "equation\n"
                          "  der(x) = -p*z*u;\n"
                          "  z + z^3 = x + x^3;\n"
                          "end M;\n";

static void test_dae(void **state_unused)
{
    (void)state_unused;
    for (int legendre = 0; legendre < 2; legendre++) {
        dd_ocp_options o = dd_ocp_options_default();
        o.intervals = 8;
        o.degree = 2;
        o.legendre = legendre;
        o.control = DD_OCP_POLYNOMIAL;
        kit s = solve(dae, o);
        double interval, whole, p = s.ocp->result.x[s.ocp->transcription->p_at] * s.ocp->problem->p.data[0].scale;
        assert_true(fabs(s.info.final_time - 3) < 1e-6 && fabs(p - 2) < 1e-6);
        true_errors(&s, line, p, &interval, &whole);
        assert_true(interval > 1e-6);
        assert_ratio(s.info.estimated_error, interval, 1.01);
        assert_ratio(s.info.simulation_difference, whole, 1.01);
        kit_free(&s);
    }
}

/* A control that is far from 1 within an interval: the estimate takes the polynomial that the program had. */
static void test_ramp(void **state_unused)
{
    static const char text[] = "optimization M(objectiveIntegrand = (u - 1 + time)^2, startTime = 0, finalTime = 2)\n"
                               "  Real x(start = 1, fixed = true);\n"
                               "  input Real u;\n"
                               "equation\n"
                               "  der(x) = u*x;\n"
                               "end M;\n";
    (void)state_unused;
    for (int control = 1; control < 3; control++) { /* linear and polynomial represent 1 - t: x = exp(t - t^2/2) */
        dd_ocp_options o = dd_ocp_options_default();
        o.intervals = 4;
        o.degree = 2;
        o.control = (dd_ocp_control)control;
        o.tolerance = 1e-11;
        kit s = solve(text, o);
        double worst = 0;
        for (uint32_t k = 0; k < 4; k++) {
            double a = time_at(&s, k), b = time_at(&s, k + 1);
            worst = fmax(worst, fabs(state(&s, k, 0) * exp(b - b * b / 2 - a + a * a / 2) - state(&s, k + 1, 0)));
        }
        assert_true(worst > 1e-6);
        assert_ratio(s.info.estimated_error, worst / size_of(&s), 1.01);
        kit_free(&s);
    }
}

/* min int x^2 + u^2 with x' = u, x(0) = 1 over [0, 1] is tanh(1). Every degree, both kinds of points: halving the intervals
 * gains the order of the method, 2 d - 1 with Radau and 2 d with Legendre points, until rounding. */
static void test_degrees(void **state_unused)
{
    (void)state_unused;
    static const char text[] = "optimization M(objectiveIntegrand = x^2 + u^2, startTime = 0, finalTime = 1)\n"
                               "  Real x(start = 1, fixed = true);\n"
                               "  input Real u;\n"
                               "equation\n"
                               "  der(x) = u;\n"
                               "end M;\n";
    for (uint32_t degree = 1; degree <= 9; degree++) {
        for (int legendre = 0; legendre < 2; legendre++) {
            double error[2];
            for (uint32_t k = 0; k < 2; k++) {
                dd_ocp_options o = dd_ocp_options_default();
                /* one point is coarse: its cost must be that of a motion, too */
                o.intervals = (degree == 1 ? 64 : 2) << k;
                o.degree = degree;
                o.legendre = legendre;
                o.control = DD_OCP_POLYNOMIAL;
                o.tolerance = 1e-12;
                kit s = solve(text, o);
                error[k] = fabs(s.info.objective - tanh(1));
                kit_free(&s);
            }
            double order = legendre ? 2 * degree : 2 * degree - 1;
            if (error[1] > fmax(error[0] / pow(2, order - 0.4), 2e-14)) {
                fail_msg("degree %u, legendre %d: errors %g, %g", degree, legendre, error[0], error[1]);
            }
        }
    }
}

int main(void)
{
    if (!dd_nlp_available()) {
        return 77; /* skipped */
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ode),
        cmocka_unit_test(test_degrees),
        cmocka_unit_test(test_dae),
        cmocka_unit_test(test_ramp),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
