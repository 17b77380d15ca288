/* Kinks in costs and rows: which of them become variables, and optima in closed form on meshes that have their switches. */
#include <stdio.h>

#include "ocp_kit.h"

static kit solve_cost(const char *cost, const char *more, const dd_ocp_options *options)
{
    char text[1024];
    snprintf(text, sizeof text,
             "model M parameter Real w = 1; input Real u(min = -1, max = 1), q(min = 0, max = 1);"
             " Real x(start = 0, fixed = true), v(start = 0, fixed = true); equation der(x) = v; der(v) = u; end M;"
             " optimization P(objectiveIntegrand = %s + 0.0*q, finalTime = 4) extends M;"
             " constraint x(finalTime) = 3; v(finalTime) = 0; %s end P;",
             cost, more);
    return kit_solve("m.mop", text, options);
}

static dd_ocp_options eight(void)
{
    dd_ocp_options o = dd_ocp_options_default();
    o.intervals = 8;
    o.control = DD_OCP_CONSTANT;
    o.program_only = true;
    return o;
}

/* t1 (4 - t1) = 3: thrust for one second, brakes for one: nodes of the mesh */
static void test_fuel(void **state)
{
    (void)state;
    static const char *const costs[] = {"abs(u)",
                                        "max(u, -u)",
                                        "-min(u, -u)",
                                        "sqrt(u^2)",
                                        "noEvent(if u < 0 then -u else u)",
                                        "semiLinear(u, 1, -1)",
                                        "max(u, max(-u, u - q))",
                                        "abs(abs(u))",
                                        "w*abs(u)"};
    for (size_t i = 0; i < sizeof costs / sizeof *costs; i++) {
        for (int shooting = 0; shooting < 2; shooting++) {
            dd_ocp_options o = eight();
            o.shooting = shooting == 1;
            kit k = solve_cost(costs[i], "", &o);
            assert_int_equal(k.info.status, DD_OCP_OPTIMAL);
            assert_near(k.info.objective, 2, 1e-6);
            assert_int_equal(k.ocp->problem->kinks.len, 1);
            kit_free(&k);
        }
    }
}

static uint32_t kinks_of(const char *cost, const char *more)
{
    dd_ocp_options o = eight();
    o.max_iterations = 1;
    kit k = solve_cost(cost, more, &o);
    const uint32_t n = k.ocp->problem->kinks.len;
    kit_free(&k);
    return n;
}

static void test_which(void **state)
{
    (void)state;
    /* smooth where the slope vanishes at the kink; the curvature must be finite there */
    assert_int_equal(kinks_of("max(0, v - 0.2)^2 + u^2", ""), 0);
    assert_int_equal(kinks_of("abs(u)^1.5", ""), 1);
    assert_int_equal(kinks_of("sqrt(1 + u^2)", ""), 0);
    /* where large values are wanted, or where no one knows, the kink stays */
    assert_int_equal(kinks_of("u^2 - abs(v)", ""), 0);
    assert_int_equal(kinks_of("x*abs(u)", ""), 0);
    assert_int_equal(kinks_of("q*abs(u)", ""), 1);
    assert_int_equal(kinks_of("u^2 + abs(abs(v) - 0.2)", ""), 1);
    assert_int_equal(kinks_of("0*abs(u) + u^2", ""), 0);
    assert_int_equal(kinks_of("abs(q) + u^2", ""), 0);
    /* rows: the side on which it matters */
    assert_int_equal(kinks_of("u^2", "abs(u) + abs(v) <= 3;"), 2);
    assert_int_equal(kinks_of("u^2", "abs(u) + abs(v) >= -3;"), 0);
    assert_int_equal(kinks_of("u^2", "min(u, v) >= -3;"), 1);
    assert_int_equal(kinks_of("u^2", "abs(v) <= 3;"), 1);
}

/* fuel as a state; where more of it is wanted, or an amount is given, the relaxation is not taken */
static void test_rates(void **state)
{
    (void)state;
    static const char *const classes[] = {
        "optimization P(objective = f(finalTime), finalTime = 4) extends M; constraint x(finalTime) = 3; v(finalTime) "
        "= 0;"
        " end P;",
        "optimization P(objective = -f(finalTime), finalTime = 4) extends M(u(initialGuess = 0.1)); end P;",
        "optimization P(objectiveIntegrand = v^2, finalTime = 4) extends M; constraint f(finalTime) = 2; x(finalTime) "
        "= 3;"
        " v(finalTime) = 0; end P;"};
    static const double optimum[] = {2, -4, 2 + 2 / 3.0};
    char text[1024];
    for (int i = 0; i < 6; i++) {
        dd_ocp_options o = eight();
        o.program_only = false;
        o.shooting = i >= 3;
        o.integrator = i >= 3 ? "rk4" : NULL;
        snprintf(text, sizeof text,
                 "model M input Real u(min = -1, max = 1); Real x(start = 0, fixed = true), v(start = 0, fixed = true),"
                 " f(start = 0, fixed = true); equation der(x) = v; der(v) = u; der(f) = abs(u); end M; %s",
                 classes[i % 3]);
        kit k = kit_solve("m.mop", text, &o);
        assert_int_equal(k.info.status, DD_OCP_OPTIMAL);
        assert_near(k.info.objective, optimum[i % 3], 1e-6);
        kit_free(&k);
    }
}

/* |u| + |v| <= 1.5 holds, and is active at its corner u = 0.5, v = 1; the value is that of the sides written out */
static void test_rows(void **state)
{
    (void)state;
    dd_ocp_options o = eight();
    kit a = solve_cost("u^2", "abs(u) + abs(v) <= 1.5;", &o);
    kit b = solve_cost("u^2", "u + v <= 1.5; u - v <= 1.5; -u + v <= 1.5; -u - v <= 1.5;", &o);
    assert_int_equal(a.info.status, DD_OCP_OPTIMAL);
    assert_int_equal(b.info.status, DD_OCP_OPTIMAL);
    assert_near(a.info.objective, b.info.objective, 1e-6);
    kit_free(&a);
    kit_free(&b);
}

/* a weight that turns negative would make the program another one */
static void test_sign_set_later(void **state)
{
    (void)state;
    dd_ocp_options o = eight();
    kit k = solve_cost("w*abs(u)", "", &o);
    assert_int_equal(dd_ocp_set(k.ocp, "w", 2), DD_OK);
    assert_int_equal(dd_ocp_solve_again(k.ocp, NULL), DD_OK);
    assert_near(dd_ocp_get_info(k.ocp).objective, 4, 1e-6);
    assert_int_equal(dd_ocp_set(k.ocp, "w", -1), DD_INVALID_ARGUMENT);
    assert_non_null(strstr(dd_context_message(k.ctx), "this needs a new optimization"));
    kit_free(&k);
}

/* the infimum of exp(x) is not a minimum; that of exp(x) + x^2/1000 is */
static void test_tail(void **state)
{
    (void)state;
    static const char *const model =
        "model M input Real u; Real x(start = 0, fixed = true); equation der(x) = u; end M;"
        " optimization P(objective = exp(x(finalTime))%s, finalTime = 1) extends M; end P;";
    char text[512];
    dd_ocp_options o = eight();
    snprintf(text, sizeof text, model, "");
    kit k = kit_solve("m.mop", text, &o);
    assert_int_equal(k.info.status, DD_OCP_UNBOUNDED);
    assert_non_null(strstr(k.info.reason, "as u grows"));
    kit_free(&k);
    snprintf(text, sizeof text, model, " + x(finalTime)^2/1000");
    k = kit_solve("m.mop", text, &o);
    assert_int_equal(k.info.status, DD_OCP_OPTIMAL);
    kit_free(&k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_fuel),           cmocka_unit_test(test_which),
                                       cmocka_unit_test(test_rows),           cmocka_unit_test(test_rates),
                                       cmocka_unit_test(test_sign_set_later), cmocka_unit_test(test_tail)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
