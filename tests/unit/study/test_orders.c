/* test_orders.c - measured orders equal those of the theory: an ODE, index 1, and index 2 and 3 as written. The numbers
 * expected are those of the textbooks. */
#include "unit/study/kit.h"

static const char *const text =
    "model Decay Real x(start = 1, fixed = true), z(start = 1); equation der(x) = -x*z; z^3 + z = 1 + x; end Decay;\n"
    "model Two Real y1(start = 1, fixed = true), y2(start = 1), z; equation der(y1) = y1*y2^2*z^2;\n"
    "  der(y2) = y1^2*y2^2 - 3*y2^2*z; 0 = y1^2*y2 - 1; end Two;\n"
    "model Three Real x1, x2, z; equation der(x1) = z; der(x2) = x1; x2 = cos(time); end Three;\n"
    "model Pendulum Real x(start = 0.6, fixed = true), y(start = -0.8), u(start = 0.4, fixed = true), v, lam;\n"
    "equation der(x) = u; der(y) = v; der(u) = -lam*x; der(v) = -lam*y - 1; x^2 + y^2 = 1; end Pendulum;\n";

/* measured against expected, and the theory of the study too */
static void expect(const dd_study *s, const char *method, const char *variables, double order)
{
    const double measured = study_value(s, DD_STUDY_SUMMARY, method, variables, "order");
    const double theory = study_value(s, DD_STUDY_SUMMARY, method, variables, "theory");
    if (!(fabs(measured - order) < 0.3) || theory != order) {
        fail_msg("%s, %s: order %g, theory %g, expected %g", method, variables, measured, theory, order);
    }
}

static const struct {
    const char *name;
    double order;
} methods[] = {{"euler", 1},       {"heun2", 2},   {"rk4", 4},       {"dopri54", 5},   {"implicit-euler", 1},
               {"trapezoidal", 2}, {"gauss-1", 2}, {"gauss-2", 4},   {"gauss-3", 6},   {"radau-1", 1},
               {"radau-2", 3},     {"radau-3", 5}, {"lobatto-2", 2}, {"lobatto-3", 4}, {"bdf-2", 2},
               {"bdf-3", 3},       {"bdf-4", 4}};

static const char names[] =
    "euler,heun2,rk4,dopri54,implicit-euler,trapezoidal,gauss-1,gauss-2,gauss-3,radau-1,radau-2,"
    "radau-3,lobatto-2,lobatto-3,bdf-2,bdf-3,bdf-4";

static void test_ode(void **state)
{
    (void)state;
    static const char *const exact[] = {"x = 3*cos(time)", "v = -3*sin(time)"};
    dd_study_options o = dd_study_options_default();
    o.methods = names;
    o.steps = "0.5:0.6:8";
    o.exact = exact;
    o.n_exact = 2;
    o.sim.stop = 3;
    o.sim.has_stop = true;
    study_case c =
        study_make("model M Real x(start = 3, fixed = true), v(start = 0, fixed = true); equation der(x) = v; "
                   "der(v) = -x; end M;",
                   "M", &o);
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        expect(c.study, methods[i].name, "differential", methods[i].order);
    }
    assert_int_equal(dd_study_get_info(c.study).failed, 0);
    study_end(&c);
}

/* z is as accurate as x, for every method; against a reference run */
static void test_index_1(void **state)
{
    (void)state;
    dd_study_options o = dd_study_options_default();
    o.methods = names;
    o.steps = "0.5:0.6:8";
    o.sim.stop = 2;
    o.sim.has_stop = true;
    study_case c = study_make(text, "Decay", &o);
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        expect(c.study, methods[i].name, "differential", methods[i].order);
        expect(c.study, methods[i].name, "algebraic", methods[i].order);
    }
    study_end(&c);
}

/* Hairer and Wanner, volume II, table VII.4.1 */
static void test_index_2(void **state)
{
    (void)state;
    static const char *const exact[] = {"y1 = exp(time/4)", "y2 = exp(-time/2)", "z = exp(time/2)/2"};
    static const struct {
        const char *name;
        double y, z;
    } table[] = {{"implicit-euler", 1, 1}, {"radau-2", 3, 2}, {"radau-3", 5, 3}, {"lobatto-2", 2, 1},
                 {"lobatto-3", 4, 2},      {"gauss-1", 2, 2}, {"gauss-2", 2, 2}, {"gauss-3", 4, 4},
                 {"bdf-2", 2, 2},          {"bdf-3", 3, 3}};
    dd_study_options o = dd_study_options_default();
    o.methods = "implicit-euler,radau-2,radau-3,lobatto-2,lobatto-3,gauss-1,gauss-2,gauss-3,bdf-2,bdf-3,rk4";
    o.exact = exact;
    o.n_exact = 3;
    o.sim.form = DD_SIM_FORM_ORIGINAL;
    study_case c = study_make(text, "Two", &o);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        expect(c.study, table[i].name, "differential", table[i].y);
        expect(c.study, table[i].name, "algebraic", table[i].z);
    }
    /* explicit methods cannot: rows with a reason */
    assert_true(isnan(study_value(c.study, DD_STUDY_SUMMARY, "rk4", "algebraic", "order")));
    assert_int_equal(dd_study_get_info(c.study).failed, 7);
    study_end(&c);
}

/* implicit Euler: z is off by z(0)/2 in the first step whatever h, and by O(h) at the end */
static void test_index_3_first_step(void **state)
{
    (void)state;
    static const char *const exact[] = {"x1 = -sin(time)", "z = -cos(time)"};
    dd_study_options o = dd_study_options_default();
    o.methods = "implicit-euler,radau-2,radau-3";
    o.exact = exact;
    o.n_exact = 2;
    o.sim.form = DD_SIM_FORM_ORIGINAL;
    study_case end = study_make(text, "Three", &o);
    expect(end.study, "implicit-euler", "algebraic", 1);
    expect(end.study, "implicit-euler", "velocity", 1);
    expect(end.study, "radau-2", "velocity", 2);
    expect(end.study, "radau-3", "algebraic", 2);
    study_end(&end);
    o.norm = DD_STUDY_MAX;
    study_case worst = study_make(text, "Three", &o);
    expect(worst.study, "implicit-euler", "algebraic", 0);
    const uint32_t rows = dd_study_row_count(worst.study, DD_STUDY_POINTS);
    for (uint32_t i = 0; i < rows; i++) {
        if (strcmp(dd_study_word(worst.study, DD_STUDY_POINTS, i, 0), "implicit-euler") == 0 &&
            strcmp(dd_study_word(worst.study, DD_STUDY_POINTS, i, 1), "algebraic") == 0) {
            assert_near(dd_study_number(worst.study, DD_STUDY_POINTS, i, 3), 0.5, 0.01);
        }
    }
    study_end(&worst);
}

/* Hairer, Lubich, Roche: positions 2s - 1, velocities s, multipliers s - 1 for Radau */
static void test_index_3(void **state)
{
    (void)state;
    dd_study_options o = dd_study_options_default();
    o.methods = "radau-2,radau-3,lobatto-3,bdf-2";
    o.sim.form = DD_SIM_FORM_ORIGINAL;
    study_case c = study_make(text, "Pendulum", &o);
    expect(c.study, "radau-2", "position", 3);
    expect(c.study, "radau-2", "velocity", 2);
    expect(c.study, "radau-2", "algebraic", 1);
    expect(c.study, "radau-3", "position", 5);
    expect(c.study, "radau-3", "velocity", 3);
    expect(c.study, "radau-3", "algebraic", 2);
    expect(c.study, "lobatto-3", "position", 4);
    expect(c.study, "lobatto-3", "velocity", 2);
    expect(c.study, "bdf-2", "position", 2);
    study_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ode),     cmocka_unit_test(test_index_1),
        cmocka_unit_test(test_index_2), cmocka_unit_test(test_index_3_first_step),
        cmocka_unit_test(test_index_3),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
