/* What only the cost or a constraint says: derivatives that no equation contains, and what is guessed where the text says
 * nothing. */
#include "ocp_kit.h"

static kit solve(const char *body, const char *integrand)
{
    static char text[2000];
    dd_ocp_options options = dd_ocp_options_default();
    options.intervals = 20;
    options.solver = "daedal";
    snprintf(text, sizeof text,
             "optimization M(objectiveIntegrand = %s, startTime = 0, finalTime = 1)\n"
             "  Real x(start = 0, fixed = true), v(start = 0, fixed = true);\n"
             "  input Real u(min = -50, max = 50);\n"
             "  %s\n"
             "end M;\n",
             integrand, body);
    return kit_solve("m.mop", text, &options);
}

static void same(const char *body, const char *integrand, const char *by_hand, const char *integrand_by_hand)
{
    kit a = solve(body, integrand), b = solve(by_hand, integrand_by_hand);
    assert_int_equal(a.info.status, DD_OCP_OPTIMAL);
    assert_int_equal(b.info.status, DD_OCP_OPTIMAL);
    assert_near(a.info.objective, b.info.objective, 1e-7 * fabs(b.info.objective));
    kit_free(&a);
    kit_free(&b);
}

/* The derivative of an algebraic variable, against the formula that a person would find. */
static void test_derivatives(void **state)
{
    (void)state;
    /* in closed form, in a constraint and in the cost */
    same("Real E; equation der(x) = v; der(v) = u; E = 0.5*v^2 + 0.1*x; constraint x(finalTime) = 1; der(E) <= 2;",
         "u^2", "equation der(x) = v; der(v) = u; constraint x(finalTime) = 1; v*u + 0.1*v <= 2;", "u^2");
    same("Real E; equation der(x) = v; der(v) = u; E = 0.5*v^2 + 0.1*x; constraint x(finalTime) = 1;",
         "u^2 + 0.1*der(E)^2", "equation der(x) = v; der(v) = u; constraint x(finalTime) = 1;",
         "u^2 + 0.1*(v*u + 0.1*v)^2");
    /* defined by an equation only: s' = -0.15 v/s */
    same("Real s(start = 1); equation der(x) = v; der(v) = u; s*s = 2 - 0.3*x; constraint x(finalTime) = 1; der(s) >= "
         "-0.13;",
         "u^2",
         "Real s(start = 1); equation der(x) = v; der(v) = u; s*s = 2 - 0.3*x; constraint x(finalTime) = 1; -0.15*v/s "
         ">= -0.13;",
         "u^2");
    /* of second order, through a chain of copies */
    same("Real a, b; equation der(x) = v; der(v) = u; a = x + 2; b = -a; constraint x(finalTime) = 1; der(der(b)) >= "
         "-4;",
         "u^2", "equation der(x) = v; der(v) = u; constraint x(finalTime) = 1; u <= 4;", "u^2");
}

/* An input may jump: it has no derivative, and the reason says what to do. */
static void test_inputs(void **state)
{
    (void)state;
    kit k = solve("equation der(x) = v; der(v) = u; constraint x(finalTime) = 1; der(u) <= 3;", "u^2");
    assert_int_equal(k.info.status, DD_OCP_INVALID_MODEL);
    assert_non_null(strstr(k.info.reason, "contains der(u), but u is an input"));
    kit_free(&k);
    k = solve("Real a; equation der(x) = v; der(v) = u; a = u - x; constraint x(finalTime) = 1; der(a) <= 3;", "u^2");
    assert_int_equal(k.info.status, DD_OCP_INVALID_MODEL);
    assert_non_null(strstr(k.info.reason, "time derivative of an input"));
    kit_free(&k);
}

/* The derivative of an algebraic variable in an initial equation, with a number and with a decided parameter, against the same
 * condition on the states. */
static void test_start(void **state)
{
    (void)state;
    static const char *const bodies[][2] = {
        {"parameter Real k = 0.3; Real y(start = 1), b; input Real c; initial equation der(b) = 0.2; "
         "equation der(x) = v; der(v) = u; der(y) = c - y; b = y^2 + k; constraint x(finalTime) = 1; y(finalTime) = 1;",
         "Real y(start = 1); input Real c; equation der(x) = v; der(v) = u; der(y) = c - y; constraint x(finalTime) = "
         "1; y(finalTime) = 1; y(startTime)*(c(startTime) - y(startTime)) = 0.1;"},
        {"parameter Real k(free = true, min = 0.5, max = 2); Real y, p, a, b; initial equation der(b) = 0.5; "
         "a = 0.1; equation der(x) = v; der(v) = u; der(y) = p; der(p) = -y + u; a = y - k; b = 2*a + k; constraint "
         "x(finalTime) = 1; p(finalTime) = 0;",
         "parameter Real k(free = true, min = 0.5, max = 2); Real y, p; equation der(x) = v; der(v) = u; der(y) = p; "
         "der(p) = -y + u; constraint x(finalTime) = 1; p(finalTime) = 0; p(startTime) = 0.25; y(startTime) - k = "
         "0.1;"},
    };
    for (size_t i = 0; i < 2; i++) {
        same(bodies[i][0], i == 0 ? "u^2 + (c - 1)^2" : "u^2", bodies[i][1], i == 0 ? "u^2 + (c - 1)^2" : "u^2");
    }
}

/* At 0 the slope of s*s vanishes. s has a start value, its copy has none; or neither has one, and the start is found. */
static void test_guesses(void **state)
{
    (void)state;
    static const char *const bodies[] = {
        "Real s(start = 1), copy; equation der(x) = v; der(v) = u; s*s = 2 - 0.3*x; copy = s; constraint x(finalTime) "
        "= 1;",
        "Real copy, s(start = 1); equation der(x) = v; der(v) = u; s*s = 2 - 0.3*x; s = copy; constraint x(finalTime) "
        "= 1;",
        "Real s, q(start = 1.3); equation der(x) = v; der(v) = u; s*s = 2 - 0.3*x; 2*q = s + 0.5*x; constraint "
        "x(finalTime) = 1;",
        "Real s(start = 1), r; equation der(x) = v; der(v) = u; r*s = 2 - 0.3*x; r = s; constraint x(finalTime) = 1;",
    };
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        kit k = solve(bodies[i], "u^2");
        assert_int_equal(k.info.status, DD_OCP_OPTIMAL);
        assert_near(k.info.objective, 3 / (1 - 1.0 / (4 * 400)), 1e-6); /* constant controls on 20 intervals */
        assert_true(k.info.iterations < 30);
        kit_free(&k);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_derivatives),
        cmocka_unit_test(test_inputs),
        cmocka_unit_test(test_start),
        cmocka_unit_test(test_guesses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
