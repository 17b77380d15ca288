/* test_meshes.c - orders of collocation: a linear-quadratic problem and a boundary value problem with known solutions. */
#include "unit/study/kit.h"

static const char *const text =
    "model I Real x(start = 1, fixed = true); input Real u; equation der(x) = u; end I;\n"
    "optimization LQ(objectiveIntegrand = (x^2 + u^2)/2, startTime = 0, finalTime = 1) extends I; end LQ;\n"
    "optimization Boundary(startTime = 0, finalTime = 1) Real x(start = 0), v(start = 0), z; equation der(x) = v;\n"
    "  der(v) = z; z = 4*x; constraint x(startTime) = 0; x(finalTime) = 1; end Boundary;\n";

static void expect(const dd_study *s, const char *method, const char *quantity, double order)
{
    const double measured = study_value(s, DD_STUDY_SUMMARY, method, quantity, "order");
    if (!(fabs(measured - order) < 0.2) || study_value(s, DD_STUDY_SUMMARY, method, quantity, "theory") != order) {
        fail_msg("%s, %s: order %g, expected %g", method, quantity, measured, order);
    }
}

static void test_linear_quadratic(void **state)
{
    (void)state;
    /* x'' = x, x(0) = 1, x'(1) = 0 */
    static const char *const exact[] = {"x = cosh(1 - time)/cosh(1)", "u = -sinh(1 - time)/cosh(1)",
                                        "objective = 0.38079707797788244"};
    dd_study_options o = dd_study_options_default();
    o.methods = "radau-1,radau-2,radau-3,legendre-1,legendre-2";
    o.intervals = "4:2:4";
    o.exact = exact;
    o.n_exact = 3;
    study_case c = study_make(text, "LQ", &o);
    static const struct {
        const char *name;
        double order, degree;
    } table[] = {{"radau-1", 1, 1}, {"radau-2", 3, 2}, {"radau-3", 5, 3}, {"legendre-1", 2, 1}, {"legendre-2", 4, 2}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        expect(c.study, table[i].name, "differential", table[i].order);
        expect(c.study, table[i].name, "objective", table[i].order);
        expect(c.study, table[i].name, "control", table[i].degree);
    }
    /* without relations the reference must show the same errors */
    o.n_exact = 0;
    study_case r = study_make(text, "LQ", &o);
    for (uint32_t i = 0; i < dd_study_row_count(c.study, DD_STUDY_POINTS); i++) {
        const double a = dd_study_number(c.study, DD_STUDY_POINTS, i, 3),
                     b = dd_study_number(r.study, DD_STUDY_POINTS, i, 3);
        assert_near(a, b, 0.01 * a + 1e-12);
    }
    study_end(&c);
    study_end(&r);
}

static void test_boundary(void **state)
{
    (void)state;
    static const char *const exact[] = {"x = sinh(2*time)/sinh(2)", "z = 4*sinh(2*time)/sinh(2)"};
    dd_study_options o = dd_study_options_default();
    o.methods = "radau-2,legendre-2,shooting:rk4,shooting:gauss-1";
    o.intervals = "4:2:4";
    o.exact = exact;
    o.n_exact = 2;
    study_case c = study_make(text, "Boundary", &o);
    expect(c.study, "radau-2", "differential", 3);
    expect(c.study, "radau-2", "algebraic", 3);
    expect(c.study, "legendre-2", "differential", 4);
    expect(c.study, "shooting:rk4", "differential", 4);
    expect(c.study, "shooting:gauss-1", "differential", 2);
    study_end(&c);
}

/* A control that jumps inside of an interval, also of the reference: errors that are no larger than the doubt about it are
 * not rounding, and it is said. */
static void test_jump(void **state)
{
    (void)state;
    dd_study_options o = dd_study_options_default();
    o.methods = "radau-2";
    o.intervals = "8:2:2";
    study_case c =
        study_make("optimization Jump(objective = finalTime, finalTime(free = true, initialGuess = 2, min = 0.1))\n"
                   "  Real x(start = 0, fixed = true), v(start = 0, fixed = true); input Real u(min = -1, max = 1.7);\n"
                   "equation der(x) = v; der(v) = u; constraint x(finalTime) = 1; v(finalTime) = 0; end Jump;\n",
                   "Jump", &o);
    const char *all = NULL;
    assert_int_equal(dd_study_text(&all, c.study, false), DD_OK);
    assert_non_null(strstr(all, "it differs: objective by"));
    const uint32_t verdict = study_column(c.study, DD_STUDY_SUMMARY, "verdict");
    for (uint32_t i = 0; i < dd_study_row_count(c.study, DD_STUDY_SUMMARY); i++) {
        assert_string_not_equal(dd_study_word(c.study, DD_STUDY_SUMMARY, i, verdict), "rounding level");
    }
    study_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_linear_quadratic),
        cmocka_unit_test(test_boundary),
        cmocka_unit_test(test_jump),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
