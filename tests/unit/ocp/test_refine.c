/* Mesh refinement: controls that jump, boundary layers, smooth problems, problems without a control; optima in closed
 * form or from the literature. */
#include "ocp/refine.h"
#include "unit/ocp/ocp_kit.h"

static kit solve(const char *text, uint32_t intervals, dd_ocp_control control, double refine)
{
    dd_ocp_options o = dd_ocp_options_default();
    o.intervals = intervals;
    o.control = control;
    o.refine = refine;
    kit s = kit_solve("m.mop", text, &o);
    assert_int_equal(s.status, DD_OK);
    assert_int_equal(s.info.status, DD_OCP_OPTIMAL);
    return s;
}

static void assert_refined(const char *text, uint32_t intervals, dd_ocp_control control, double refine, double optimum,
                           double tolerance)
{
    kit s = solve(text, intervals, control, refine);
    if (!(fabs(s.info.objective - optimum) <= tolerance)) {
        fail_msg("objective %.12g, not %.12g within %g (%u meshes, %u intervals)", s.info.objective, optimum, tolerance,
                 s.info.meshes, s.info.intervals);
    }
    assert_true(s.info.estimated_error <= refine);
    assert_true(s.info.objective_change <= refine);
    assert_true(s.info.meshes >= 2);
    assert_false(kit_says(&s, "limit"));
    kit_free(&s);
}

#define DOUBLE_INTEGRATOR(v0)                                                                                          \
    "optimization M(objective = finalTime, startTime = 0, finalTime(free = true, min = 0.1, max = 10, start = 3))\n"   \
    "  Real x(start = 0, fixed = true), v(start = " v0 ", fixed = true);\n"                                            \
    "  input Real u(min = -1, max = 1);\n"                                                                             \
    "equation\n"                                                                                                       \
    "  der(x) = v; der(v) = u;\n"                                                                                      \
    "constraint\n"                                                                                                     \
    "  x(finalTime) = 1; v(finalTime) = 0;\n"                                                                          \
    "end M;\n"

/* Full thrust, then full brake: T = 2 sqrt(1 + v0^2/2) - v0, the jump at an irrational part of it. */
static void test_bang_bang(void **state)
{
    (void)state;
    double moving = 2 * sqrt(1 + 0.3 * 0.3 / 2) - 0.3;
    for (int control = 0; control < 3; control++) {
        assert_refined(DOUBLE_INTEGRATOR("0"), 7, (dd_ocp_control)control, 1e-7, 2, 1e-7);
        assert_refined(DOUBLE_INTEGRATOR("0.3"), 10, (dd_ocp_control)control, 1e-7, moving, 1e-7);
    }
}

/* A pendulum swung up in the least time: two switches, which move by an interval from mesh to mesh, so that a small tolerance
 * takes more meshes than usual. The optimum: three arcs by Runge-Kutta's method of order 4, their lengths by Newton's. */
static void test_many_small_meshes(void **state)
{
    (void)state;
    static const char text[] =
        "optimization M(objective = finalTime, finalTime(free = true, min = 0.1, max = 20, initialGuess = 4))\n"
        "  Real q(start = 0, fixed = true), w(start = 0, fixed = true);\n"
        "  input Real u(min = -1, max = 1);\n"
        "equation\n"
        "  der(q) = w; der(w) = -sin(q) + 0.5*u;\n"
        "constraint\n"
        "  q(finalTime) = 3.141592653589793; w(finalTime) = 0;\n"
        "end M;\n";
    assert_refined(text, 50, DD_OCP_CONSTANT, 1e-7, 7.586693492828, 1e-6);
}

/* What equal intervals give: the refinement above is not a matter of course. */
static void test_without(void **state)
{
    (void)state;
    kit s = solve(DOUBLE_INTEGRATOR("0.3"), 10, DD_OCP_CONSTANT, 0);
    assert_true(s.info.objective > 2 * sqrt(1 + 0.3 * 0.3 / 2) - 0.3 + 1e-4);
    assert_true(s.info.estimated_error <
                1e-8); /* integrated exactly (as the solver sees it), yet far from the optimum */
    assert_true(isnan(s.info.objective_change));
    assert_int_equal(s.info.meshes, 1);
    kit_free(&s);
}

/* Boundary layers of width 1 in a horizon of 1000. */
static void test_hypersensitive(void **state)
{
    static const char text[] = "optimization M(objectiveIntegrand = 0.5*(x^2 + u^2), startTime = 0, finalTime = 1000)\n"
                               "  Real x(start = 1.5, fixed = true);\n"
                               "  input Real u;\n"
                               "equation\n"
                               "  der(x) = -x^3 + u;\n"
                               "constraint\n"
                               "  x(finalTime) = 1;\n"
                               "end M;\n";
    (void)state;
    /* the value function of x' = -x^3 + u on an infinite horizon is int (-x^3 + x sqrt(1 + x^4)) dx from the left, and
     * with the other sign of the root at the right end, by the Hamilton-Jacobi equation */
    double value = 0;
    const int n = 20000;
    for (int i = 0; i < n; i++) {
        double a = 1.5 * (i + 0.5) / n, b = 1.0 * (i + 0.5) / n;
        value += 1.5 / n * (-a * a * a + a * sqrt(1 + a * a * a * a));
        value += 1.0 / n * (b * b * b + b * sqrt(1 + b * b * b * b));
    }
    assert_refined(text, 20, DD_OCP_POLYNOMIAL, 1e-6, value, 1e-6);
}

/* The cycloid through (1, 0.5), down being positive: x = r (a - sin a), y = r (1 - cos a), T = a sqrt(r/g). */
static void test_brachistochrone(void **state)
{
    static const char text[] =
        "optimization M(objective = finalTime, startTime = 0, finalTime(free = true, min = 0.1, max = 10, start = 1))\n"
        "  Real x(start = 0, fixed = true, initialGuess = time), y(start = 0, fixed = true, initialGuess = 0.5*time);\n"
        "  Real v(start = 0, fixed = true, initialGuess = 3*time);\n"
        "  input Real u(min = -3.2, max = 3.2, initialGuess = 1);\n"
        "equation\n"
        "  der(x) = v*sin(u); der(y) = v*cos(u); der(v) = 9.81*cos(u);\n"
        "constraint\n"
        "  x(finalTime) = 1; y(finalTime) = 0.5;\n"
        "end M;\n";
    (void)state;
    double low = 1, high = 6;
    for (int i = 0; i < 100; i++) {
        double a = (low + high) / 2;
        *((a - sin(a)) / (1 - cos(a)) < 2 ? &low : &high) = a;
    }
    double optimum = low * sqrt(0.5 / (1 - cos(low)) / 9.81);
    assert_refined(text, 5, DD_OCP_POLYNOMIAL, 1e-8, optimum, 1e-8);
    assert_refined(text, 5, DD_OCP_LINEAR, 1e-8, optimum, 1e-8);
    assert_refined(text, 10, DD_OCP_CONSTANT, 1e-5, optimum, 1e-5);
}

/* No control at all: a parameter that makes the end right, p = ln(2)/4. */
static void test_no_control(void **state)
{
    static const char text[] = "optimization M(objective = p^2, startTime = 0, finalTime = 4)\n"
                               "  parameter Real p(free = true, min = 0, max = 1) = 0.5;\n"
                               "  Real x(start = 1, fixed = true, initialGuess = 1);\n"
                               "equation\n"
                               "  der(x) = p*x;\n"
                               "constraint\n"
                               "  x(finalTime) = 2;\n"
                               "end M;\n";
    (void)state;
    double p = log(2) / 4;
    kit s = solve(text, 1, DD_OCP_CONSTANT, 1e-9);
    assert_true(fabs(s.info.objective - p * p) < 1e-9);
    assert_true(s.info.estimated_error <= 1e-9 && s.info.objective_change <= 1e-9);
    kit_free(&s);
}

/* More than double precision has: a limit ends it, the solution is still there, and the answer says what was reached. */
static void test_limit(void **state)
{
    static const char text[] = "optimization M(objectiveIntegrand = x^2 + u^2, startTime = 0, finalTime = 2)\n"
                               "  Real x(start = 1, fixed = true);\n"
                               "  input Real u;\n"
                               "equation\n"
                               "  der(x) = sin(x) + u;\n"
                               "end M;\n";
    (void)state;
    dd_ocp_options o = dd_ocp_options_default();
    o.intervals = 1;
    o.refine = 1e-15;
    kit s = kit_solve("m.mop", text, &o);
    assert_int_equal(s.info.status, DD_OCP_INACCURATE);
    assert_non_null(strstr(s.info.reason, "the tolerance 1e-15 of the mesh was not reached"));
    assert_non_null(strstr(s.info.reason, "x ends "));
    assert_true(s.info.estimated_error < 1e-8);
    assert_true(s.info.worst_interval >= 1 && s.info.worst_interval <= s.info.intervals);
    assert_true(s.info.worst_from >= 0 && s.info.worst_from < s.info.worst_to && s.info.worst_to <= 2);
    kit_free(&s);
}

/* The error of the cost belongs to the solution that is present: a new one whose intervals were looked at before (to
 * tell whether it is a motion at all) is not judged by the cost of the last. */
static void test_cost_of_the_present(void **state)
{
    (void)state;
    kit s = solve("optimization M(objectiveIntegrand = exp(3*x) + u^2, finalTime = 1)\n"
                  "  Real x(start = 1, fixed = true);\n  input Real u;\nequation\n  der(x) = u;\nend M;\n",
                  5, DD_OCP_CONSTANT, 0);
    const double first = s.ocp->cost_error;
    assert_true(first > 0);
    s.ocp->error_known = false; /* as a solve leaves it */
    s.ocp->cost_error = 2 * first;
    assert_true(dd_ocp_interval_error(s.ocp) < 1);
    dd_ocp_estimate(s.ocp);
    assert_near(s.ocp->cost_error, first, 1e-12 * first);
    kit_free(&s);
}

int main(void)
{
    if (!dd_nlp_available()) {
        return 77; /* skipped */
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bang_bang),           cmocka_unit_test(test_without),
        cmocka_unit_test(test_hypersensitive),      cmocka_unit_test(test_brachistochrone),
        cmocka_unit_test(test_no_control),          cmocka_unit_test(test_limit),
        cmocka_unit_test(test_cost_of_the_present), cmocka_unit_test(test_many_small_meshes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
