/* Sensitivities of simulated models with error control: smooth ones, events whose moment depends on parameters, a method
 * that changes on the way; allocations that fail. */
#include "differences.h"
#include "fault/sweep.h"

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

/* One simulation in which allocation number fail_at fails (0: none); *before: allocations up to the analysis. True when it
 * reached its end. */
static bool survives(const char *text, const char *method, uint64_t fail_at, uint64_t *before, uint64_t *all)
{
    const char *const names[] = {"L", "x"};
    sweep_ledger ledger = {0};
    dd_context_options options = dd_context_options_default();
    options.alloc = sweep_alloc;
    options.alloc_user = &ledger;
    options.fail_at = fail_at;
    dd_context *ctx;
    dd_model *model;
    dd_system *system;
    dd_sim *sim;
    dd_sim_options o = dd_sim_options_default();
    o.method = method;
    o.sensitivity = names;
    o.n_sensitivity = 2;
    o.points = 5;
    o.has_stop = true;
    o.stop = 0.1;
    assert_int_equal(dd_context_new(&ctx, &options), DD_OK);
    assert_int_equal(dd_model_load_text(&model, ctx, "m.mo", text, strlen(text), NULL), DD_OK);
    assert_int_equal(dd_model_analyse(&system, model, NULL), DD_OK);
    *before = dd_context_allocations(ctx);
    dd_status st = dd_sim_new(&sim, system, &o);
    dd_sim_status end = DD_SIM_OUT_OF_MEMORY;
    if (st == DD_OK) {
        st = dd_sim_run(sim);
        end = dd_sim_get_info(sim).status;
    }
    *all = dd_context_allocations(ctx);
    assert_true(st == DD_OK || st == DD_OUT_OF_MEMORY);
    assert_true(st != DD_OK || end == DD_SIM_OK || end == DD_SIM_OUT_OF_MEMORY);
    dd_sim_free(sim);
    dd_system_free(system);
    dd_model_free(model);
    dd_context_free(ctx);
    assert_false(ledger.wrong);
    assert_int_equal(ledger.bytes, 0);
    return st == DD_OK && end == DD_SIM_OK;
}

static void test_failing_allocations(void **state)
{
    (void)state;
    static const char *const methods[] = {"radau", "bdf", "dop853", "chebyshev"};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        uint64_t before, all, b, a;
        assert_true(survives(pendulum, methods[i], 0, &before, &all));
        assert_true(all > before + 50);
        const uint64_t step = (all - before) / 60 + 1;
        for (uint64_t k = before + 1 + i; k <= all; k += step) {
            assert_false(survives(pendulum, methods[i], k, &b, &a));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_error_control),
        cmocka_unit_test(test_events),
        cmocka_unit_test(test_events_on_algebraic_variables_and_derivatives),
        cmocka_unit_test(test_stiffness_found_on_the_way),
        cmocka_unit_test(test_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
