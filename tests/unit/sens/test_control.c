/* Sensitivities of simulated models with error control: smooth ones, events whose moment depends on parameters, a method
 * that changes on the way. */
#include "differences.h"

/* falls onto a spring with a damper: the force jumps where it touches; a push at a moment that is a parameter */
static const char bounce[] =
    "model M parameter Real k = 40, h = 1, c = 0.3, moment = 0.3; Real x(start = h, fixed = true), "
    "v(start = 0, fixed = true), f; equation der(x) = v; f = if x < c then k*(c - x) - 0.5*v + 1 "
    "else 0; der(v) = f - 9.81 + (if time > moment then 2 else 0); end M;";

/* switches on an algebraic variable, on a derivative, and by floor */
static const char hidden[] =
    "model M parameter Real a = 0.8, c = 0.9; Real x(start = 1, fixed = true), z(start = 1), p(start = 0, fixed = "
    "true); "
    "equation der(x) = -a*z + (if z < c + 0.1*sin(3*time) then -0.5 else 0); z^3 + z = 2*x + 0.2*sin(5*time); "
    "der(p) = (if der(x) < -1 then x else c) + 0.1*floor(3*x + 0.1); end M;";

static const parameter of_bounce[] = {{"k", 40}, {"h", 1}, {"c", 0.3}, {"moment", 0.3}, {"v", 0}};
static const parameter of_hidden[] = {{"a", 0.8}, {"c", 0.9}, {"x", 1}};

static void test_error_control(void **state)
{
    (void)state;
    with_error_control(ode, of_ode, 3, 1.0);
    with_error_control(index1, of_index1, 3, 0.5);
    with_error_control(pendulum, of_pendulum, 3, 0.5);
}

static void test_events(void **state)
{
    (void)state;
    with_error_control(bounce, of_bounce, 5, 0.9);
    /* without the events nothing would depend on them */
    const char *const names[] = {"moment"};
    const way w = {.method = "radau", .tol = 1e-9, .stop = 0.9};
    const result r = simulate(bounce, &w, NULL, names, 1);
    assert_true(fabs(r.by[0][0]) > 0.01);
}

static void test_events_on_algebraic_variables_and_derivatives(void **state)
{
    (void)state;
    static const char *const methods[] = {"dop853", "bdf"};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        const way w = {.method = methods[i], .tol = 1e-12, .stop = 1.5};
        compare(hidden, &w, of_hidden, 3, strcmp(methods[i], "bdf") == 0 ? 5e-4 : 1e-4);
    }
}

/* The method changes on the way: from an explicit one to Radau. */
static void test_stiffness_found_on_the_way(void **state)
{
    (void)state;
    static const char stiff[] =
        "model M parameter Real k = 300; Real x(start = 2, fixed = true), y(start = -0.001, fixed = "
        "true); equation der(x) = y; der(y) = k*(1 - x^2)*y - x; end M;";
    const parameter p[] = {{"k", 300}};
    const way w = {.method = "auto", .tol = 1e-10, .stop = 5};
    compare(stiff, &w, p, 1, 1e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_error_control),
        cmocka_unit_test(test_events),
        cmocka_unit_test(test_events_on_algebraic_variables_and_derivatives),
        cmocka_unit_test(test_stiffness_found_on_the_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
