/* Sensitivities are the derivatives of the numbers printed: every kind of method with every way to keep constraints, by
 * parameters, start values and inputs, against differences of the runs themselves. */
#include "unit/sens/differences.h"

static void test_constraints(void **state)
{
    (void)state;
    static const char *const methods[] = {"implicit-euler", "trapezoidal", "rk4",     "dopri54",
                                          "radau-2",        "radau-3",     "gauss-2", "lobatto-3",
                                          "bdf-1",          "bdf-2",       "bdf-4",   "chebyshev-6"};
    const dd_stabilize ways[] = {DD_STABILIZE_PROJECTION, DD_STABILIZE_BAUMGARTE, DD_STABILIZE_DUMMY,
                                 DD_STABILIZE_NONE};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
            const way w = {.method = methods[i], .step = 0.05, .tol = 1e-6, .stop = 0.5, .stabilize = ways[k]};
            compare(swing, &w, of_swing, 2, 2e-4);
            compare(crane, &w, of_crane, 3, 2e-4);
        }
    }
}

/* Steps behind an event, before one at a moment that is a parameter, and the last one, all depend on parameters. */
static void test_events(void **state)
{
    (void)state;
    static const char *const methods[] = {"euler",     "midpoint",    "rk4",     "dopri54",     "dop853",
                                          "gauss-1",   "gauss-2",     "radau-2", "radau-3",     "implicit-euler",
                                          "lobatto-3", "trapezoidal", "bdf-1",   "bdf-2",       "bdf-3",
                                          "bdf-5",     "chebyshev-4", "bdf-6",   "chebyshev-8", "lobatto-4"};
    /* an event is located to rounding, which differences over 1e-5 would magnify to the 1e-7 asked for; their own error is
     * of order part^4 */
    const double part = 1e-4;
    const dd_stabilize ways[] = {DD_STABILIZE_PROJECTION, DD_STABILIZE_BAUMGARTE, DD_STABILIZE_DUMMY,
                                 DD_STABILIZE_NONE};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        way w = {.method = methods[i], .step = 0.02, .tol = 1e-6, .stop = 0.93};
        compare(bumper, &w, of_bumper, 3, part);
        compare(moments, &w, of_moments, 4, part);
        for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
            w.stabilize = ways[k];
            compare(wall, &w, of_wall, 4, part);
        }
    }
}

static void test_error_control(void **state)
{
    (void)state;
    static const char *const methods[] = {"radau", "bdf", "dop853"};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        const way w = {.method = methods[i], .tol = 1e-11, .stop = 0.5};
        compare(swing, &w, of_swing, 2, 1e-3);
        compare(crane, &w, of_crane, 3, 1e-3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_constraints), cmocka_unit_test(test_events),
                                       cmocka_unit_test(test_error_control)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
