/* Sensitivities of simulated models with given steps: an ODE, an index-1 DAE, the pendulum of index 3 with projection;
 * forms of the equations, rows of the trajectory, the start. */
#include "differences.h"

static void near(double got, double expected, double tol)
{
    if (!(fabs(got - expected) <= tol)) {
        fail_msg("%.15g, expected %.15g", got, expected);
    }
}

static const char *const stepping[] = {"euler",   "rk4",     "dopri54", "dop853",     "implicit-euler", "trapezoidal",
                                       "gauss-1", "gauss-3", "radau-2", "radau-3",    "lobatto-3",      "bdf-1",
                                       "bdf-2",   "bdf-3",   "bdf-5",   "chebyshev-6"};
static void with_given_steps(const char *text, const parameter *p, uint32_t count)
{
    for (size_t i = 0; i < sizeof stepping / sizeof *stepping; i++) {
        const way w = {.method = stepping[i], .step = 0.02, .tol = 1e-6, .stop = 0.25};
        compare(text, &w, p, count, 1e-4);
    }
}

static void test_given_steps(void **state)
{
    (void)state;
    with_given_steps(ode, of_ode, 2);
    with_given_steps(index1, of_index1, 2);
}

static void test_projection_with_given_steps(void **state)
{
    (void)state;
    with_given_steps(pendulum, of_pendulum, 2);
}

static void test_other_forms(void **state)
{
    (void)state;
    way w = {.method = "radau-3", .step = 0.05, .tol = 1e-6, .stop = 0.5, .form = DD_SIM_FORM_ORIGINAL};
    compare(pendulum, &w, of_pendulum, 3, 1e-4);
    w = (way){.method = "radau", .tol = 1e-11, .stop = 0.5, .stabilize = DD_STABILIZE_NONE};
    compare(pendulum, &w, of_pendulum, 3, 1e-3);
    w.stabilize = DD_STABILIZE_BAUMGARTE;
    w.alpha = 5;
    compare(pendulum, &w, of_pendulum, 3, 1e-3);
    w.stabilize = DD_STABILIZE_DUMMY;
    w.stop = 1.2; /* through the lowest point: dummies are chosen anew */
    compare(pendulum, &w, of_pendulum, 3, 5e-4);
}

/* Equations as written: where a method leaves the end of a step open, the numbers printed are those of the reduced system, and
 * so are their derivatives; Lobatto IIIA begins with a stage that is known; behind an event all begin at a point that
 * is made consistent. */
static void test_as_written(void **state)
{
    (void)state;
    static const char *const methods[] = {"implicit-euler", "trapezoidal",       "radau-2", "gauss-2",
                                          "gauss-3",        "lobatto-iiia-3",    "bdf-2",   "lobatto-3",
                                          "chebyshev-6",    "implicit-midpoint", "gauss-1", "lobatto-iiia-4"};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        way w = {.method = methods[i], .step = 0.05, .tol = 1e-6, .stop = 0.5, .form = DD_SIM_FORM_ORIGINAL};
        compare(pendulum, &w, of_pendulum, 3, 1e-3);
        compare(chain, &w, of_chain, 2, 1e-3);
        w.step = 0.1; /* no step so short that differences are rounding, h^-2 of them in z */
        w.stop = 0.7;
        compare(push, &w, of_push, 3, 1e-3);
        compare(push, &w, of_moment, 1, 2e-4); /* what is left of the last step is short */
    }
}

/* x' = -k x with x(0) = s: dx/dk = -t x, dx/ds = x/s, y = c x with c = 2 k: dy/dk = 2 x + c dx/dk. In rows of any grid. */
static void test_rows(void **state)
{
    (void)state;
    static const char text[] =
        "model M parameter Real k = 0.7, c = 2*k; Real x(start = 1.5, fixed = true), y = c*x; equation "
        "der(x) = -k*x; end M;";
    const char *const names[] = {"k", "x"}, *const methods[] = {"radau", "bdf", "dop853", "chebyshev", "radau-3"};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        dd_context *ctx;
        dd_model *model;
        dd_system *system;
        dd_sim *sim;
        dd_sim_options o = dd_sim_options_default();
        o.method = methods[i];
        o.step = strcmp(methods[i], "radau-3") == 0 ? 0.02 : 0;
        o.tol = 1e-12;
        o.points = 37;
        o.sensitivity = names;
        o.n_sensitivity = 2;
        assert_int_equal(dd_context_new(&ctx, NULL), DD_OK);
        assert_int_equal(dd_model_load_text(&model, ctx, "m.mo", text, strlen(text), NULL), DD_OK);
        assert_int_equal(dd_model_analyse(&system, model, NULL), DD_OK);
        assert_int_equal(dd_sim_new(&sim, system, &o), DD_OK);
        for (int again = 0; again < 2; again++) { /* runs can be repeated */
            assert_int_equal(dd_sim_run(sim), DD_OK);
            assert_int_equal(dd_sim_row_count(sim), 38);
            for (uint64_t row = 0; row < 38; row++) {
                const double t = dd_sim_row_time(sim, row), x = 1.5 * exp(-0.7 * t), tol = 1e-8;
                near(dd_sim_row_sensitivity(sim, row, 0, 0), -t * x, tol);
                near(dd_sim_row_sensitivity(sim, row, 0, 1), 2 * x - 1.4 * t * x, tol);
                near(dd_sim_row_sensitivity(sim, row, 1, 0), x / 1.5, tol);
            }
        }
        assert_string_equal(dd_sim_sensitivity_name(sim, 1), "x");
        dd_sim_free(sim);
        dd_system_free(system);
        dd_model_free(model);
        dd_context_free(ctx);
    }
}

/* An initial equation and a start on the circle: x(0)^2 + y(0)^2 = L^2 moves y(0) with L and x(0). */
static void test_start(void **state)
{
    (void)state;
    static const char text[] =
        "model M parameter Real L = 2, k = 0.5; Real x(start = 1, fixed = true), y(start = 1), u; initial "
        "equation x^2 + y^2 = L^2; equation der(x) = 0; der(y) = 0; u*y = k*L; end M;";
    const char *const names[] = {"L", "k", "x", "y"};
    const way w = {.method = "radau", .tol = 1e-6, .stop = 1};
    const result r = simulate(text, &w, NULL, names, 4);
    const double y = sqrt(3), tol = 1e-12;
    near(r.by[0][1], 2 / y, tol);
    near(r.by[0][2], 0.5 / y - 0.5 * 2 / (y * y) * 2 / y, tol);
    near(r.by[1][2], 2 / y, tol);
    near(r.by[2][1], -1 / y, tol);
    near(r.by[3][1], 0, tol); /* a guess */
}

/* Scales are constants of the run: a start value of 1, from which on sizes used to follow it; and by an input. */
static void test_scales_and_inputs(void **state)
{
    (void)state;
    way w = {.method = "implicit-euler", .step = 0.05, .tol = 1e-6, .stop = 0.5};
    compare(swing, &w, of_swing, 2, 2e-4);
    compare(crane, &w, of_crane, 3, 2e-4);
    w.method = "bdf-2";
    compare(swing, &w, of_swing, 1, 2e-4);
    w.stabilize = DD_STABILIZE_DUMMY;
    w.method = "chebyshev-6";
    compare(swing, &w, of_swing, 1, 2e-4);
}

/* Behind an event all steps move with it; differences are of runs without sensitivities. */
static void test_events_with_given_steps(void **state)
{
    (void)state;
    static const char *const methods[] = {"rk4", "trapezoidal", "radau-2", "bdf-3", "chebyshev-4"};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        const way w = {.method = methods[i], .step = 0.05, .tol = 1e-6, .stop = 0.93};
        compare(bumper, &w, of_bumper, 2, 2e-5);
        compare(moments, &w, of_moments, 2, 2e-5);
    }
    const way w = {.method = "gauss-2", .step = 0.05, .tol = 1e-6, .stop = 0.93};
    compare(wall, &w, of_wall, 2, 2e-5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scales_and_inputs),
        cmocka_unit_test(test_given_steps),
        cmocka_unit_test(test_events_with_given_steps),
        cmocka_unit_test(test_projection_with_given_steps),
        cmocka_unit_test(test_other_forms),
        cmocka_unit_test(test_as_written),
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
