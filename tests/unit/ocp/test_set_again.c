/* Optimizations that are set and solved again: the same optimum as a new problem with these numbers has, and closed
 * forms. */
#include <math.h>
#include <string.h>

#include "daedal/daedal.h"
#include "unit/base/support.h"

typedef struct rig {
    dd_context *ctx;
    dd_model *model;
    dd_system *system;
    dd_ocp *ocp;
} rig;

static rig new_rig(const char *text, const char *const *settings, uint32_t count, const dd_ocp_options *options)
{
    rig r = {.ctx = new_context()};
    dd_load_options load = dd_load_options_default();
    load.settings = settings;
    load.n_settings = count;
    assert_int_equal(dd_model_load_text(&r.model, r.ctx, "m.mop", text, strlen(text), &load), DD_OK);
    assert_int_equal(dd_model_analyse(&r.system, r.model, NULL), DD_OK);
    assert_int_equal(dd_ocp_new(&r.ocp, r.system, options), DD_OK);
    return r;
}

static void free_rig(rig *r)
{
    dd_ocp_free(r->ocp);
    dd_system_free(r->system);
    dd_model_free(r->model);
    dd_context_free(r->ctx);
}

static dd_ocp_options repeated(uint32_t intervals)
{
    dd_ocp_options o = dd_ocp_options_default();
    o.intervals = intervals;
    o.control = DD_OCP_CONSTANT;
    o.start_given = o.program_only = true;
    return o;
}

static void solved(const rig *r)
{
    assert_int_equal(dd_ocp_get_info(r->ocp).status, DD_OCP_OPTIMAL);
}

static const char *const follow =
    "model M parameter Real k = 1, w = 1, most = 2, limit = 2*most; input Real u(min = -limit, max = limit);"
    " Real x(start = 1, fixed = true), v(start = 0, fixed = true); equation der(x) = v; der(v) = u - k*x^3; end M;"
    " optimization P(objectiveIntegrand = (x - sin(w*time))^2 + 0.01*u^2, startTime = 0, finalTime = 4)"
    " extends M; constraint v <= most; end P;";

/* parameters, bounds through them, start time and state: against a new problem with the same numbers */
static void test_same_as_new(void **state)
{
    (void)state;
    dd_ocp_options o = repeated(40);
    rig again = new_rig(follow, NULL, 0, &o);
    assert_int_equal(dd_ocp_solve(again.ocp), DD_OK);
    solved(&again);
    const struct {
        const char *settings[7];
        double k, w, most, t0, x, v;
    } cases[] = {
        {{"k=2", "w=1", "most=2", "startTime=0", "finalTime=4", "x=0.5", "v=-0.3"}, 2, 1, 2, 0, 0.5, -0.3},
        {{"k=0.5", "w=3", "most=0.7", "startTime=1.5", "finalTime=5.5", "x=0.2", "v=0.1"}, 0.5, 3, 0.7, 1.5, 0.2, 0.1},
        {{"k=1", "w=2", "most=1.1", "startTime=-2", "finalTime=2", "x=-1", "v=1"}, 1, 2, 1.1, -2, -1, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dd_ocp_options plain = repeated(40);
        plain.start_given = false;
        rig fresh = new_rig(follow, cases[i].settings, 7, &plain);
        assert_int_equal(dd_ocp_solve(fresh.ocp), DD_OK);
        solved(&fresh);
        assert_int_equal(dd_ocp_set(again.ocp, "k", cases[i].k), DD_OK);
        assert_int_equal(dd_ocp_set(again.ocp, "w", cases[i].w), DD_OK);
        assert_int_equal(dd_ocp_set(again.ocp, "most", cases[i].most), DD_OK);
        assert_string_equal(dd_ocp_state_name(again.ocp, 0), "x");
        const double start[] = {cases[i].x, cases[i].v};
        assert_int_equal(dd_ocp_set_start(again.ocp, cases[i].t0, start), DD_OK);
        assert_int_equal(dd_ocp_solve_again(again.ocp, NULL), DD_OK);
        solved(&again);
        const double a = dd_ocp_get_info(again.ocp).objective, b = dd_ocp_get_info(fresh.ocp).objective;
        assert_true(fabs(a - b) < 1e-6 * fmax(1, fabs(b)));
        assert_true(fabs(dd_ocp_get_info(again.ocp).start_time - cases[i].t0) < 1e-12);
        double u[2][1];
        for (double t = cases[i].t0 + 0.05; t < cases[i].t0 + 4; t += 0.4) {
            assert_int_equal(dd_ocp_controls(again.ocp, t, u[0]), DD_OK);
            assert_int_equal(dd_ocp_controls(fresh.ocp, t, u[1]), DD_OK);
            assert_true(fabs(u[0][0] - u[1][0]) < 1e-4);
        }
        /* variables are read with the new numbers: the bound on u */
        double values[8];
        assert_int_equal(dd_ocp_values(again.ocp, cases[i].t0, false, values), DD_OK);
        free_rig(&fresh);
    }
    free_rig(&again);
}

static const char *const regulator =
    "model M input Real u; Real x(start = 1, fixed = true); equation der(x) = u; end M;"
    " optimization P(objectiveIntegrand = x^2 + u^2, startTime = 0, finalTime = 6) extends M; end P;";

/* min int x^2 + u^2, x' = u: J = x0^2 tanh(T), costate 2 x0 tanh(T) */
static void test_closed_form(void **state)
{
    (void)state;
    dd_ocp_options o = repeated(60);
    o.control = DD_OCP_POLYNOMIAL;
    rig r = new_rig(regulator, NULL, 0, &o);
    assert_int_equal(dd_ocp_solve(r.ocp), DD_OK);
    solved(&r);
    double x = 1, t = 0;
    /* a closed loop: after every sample the state is that of the plan */
    for (int k = 0; k < 30; k++) {
        assert_int_equal(dd_ocp_set_start(r.ocp, t, &x), DD_OK);
        assert_int_equal(dd_ocp_solve_again(r.ocp, &(dd_ocp_again){.shift = k > 0}), DD_OK);
        solved(&r);
        assert_true(fabs(dd_ocp_get_info(r.ocp).objective - x * x * tanh(6)) < 1e-7);
        assert_true(fabs(dd_ocp_costate(r.ocp, "x", t) - 2 * x * tanh(6)) < 1e-5);
        assert_true(k == 0 || dd_ocp_get_info(r.ocp).iterations <= 6);
        t += 0.1;
        assert_int_equal(dd_ocp_states(r.ocp, t, &x), DD_OK);
    }
    /* a bound that is set: u >= -0.25 from x = 1, held until x = 0.25 / tanh of what is left */
    x = 1;
    assert_int_equal(dd_ocp_set(r.ocp, "u.min", -0.25), DD_OK);
    assert_int_equal(dd_ocp_set_start(r.ocp, 0, &x), DD_OK);
    const double times[] = {0, 6}, states[] = {1, 0}, controls[] = {-0.2, 0};
    assert_int_equal(dd_ocp_guess(r.ocp, times, 2, states, controls), DD_OK);
    assert_int_equal(dd_ocp_solve_again(r.ocp, NULL), DD_OK);
    solved(&r);
    double u;
    assert_int_equal(dd_ocp_controls(r.ocp, 1, &u), DD_OK);
    assert_true(fabs(u + 0.25) < 1e-6);
    free_rig(&r);
}

static void test_refused(void **state)
{
    (void)state;
    dd_ocp_options o = repeated(20);
    rig r = new_rig(follow, NULL, 0, &o);
    const double start[] = {0, NAN};
    assert_int_equal(dd_ocp_solve_again(r.ocp, NULL), DD_INVALID_ARGUMENT);
    assert_int_equal(dd_ocp_set_start(r.ocp, 0, start), DD_INVALID_ARGUMENT);
    assert_int_equal(dd_ocp_solve(r.ocp), DD_OK);
    const double before = dd_ocp_get_info(r.ocp).objective;
    assert_int_equal(dd_ocp_set_start(r.ocp, 0, start), DD_INVALID_ARGUMENT);
    assert_int_equal(dd_ocp_set(r.ocp, "mos", 1), DD_INVALID_ARGUMENT);
    assert_non_null(strstr(dd_context_message(r.ctx), "did you mean \"most\""));
    assert_int_equal(dd_ocp_set(r.ocp, "k", NAN), DD_INVALID_ARGUMENT);
    assert_int_equal(dd_ocp_set(r.ocp, "k.max", 1), DD_INVALID_ARGUMENT);
    assert_int_equal(dd_ocp_solve_again(r.ocp, NULL), DD_OK);
    assert_true(fabs(dd_ocp_get_info(r.ocp).objective - before) < 1e-7);
    free_rig(&r);
}

static const char *const pushed =
    "model M input Real u; Real x(start = 1, fixed = true); equation der(x) = u; end M;"
    " optimization P(objectiveIntegrand = x^2 + u^2, startTime = 0, finalTime = 6) extends M;"
    " constraint u >= -0.25; end P;";

/* min int x^2 + u^2, x' = u, u >= -1/4: with H = x^2 + u^2 + p u, dH/du = p - 1/2 is the multiplier of the row while it is
 * active, and 0 afterwards. By name, with the costate p and the control. */
static void test_multipliers_by_name(void **state)
{
    (void)state;
    dd_ocp_options o = repeated(60);
    o.control = DD_OCP_POLYNOMIAL;
    o.start_given = false;
    rig r = new_rig(pushed, NULL, 0, &o);
    assert_int_equal(dd_ocp_control_count(r.ocp), 0); /* known after the solve */
    assert_true(isnan(dd_ocp_multiplier(r.ocp, "u", 1)));
    assert_int_equal(dd_ocp_solve(r.ocp), DD_OK);
    solved(&r);
    assert_int_equal(dd_ocp_control_count(r.ocp), 1);
    assert_string_equal(dd_ocp_control_name(r.ocp, 0), "u");
    assert_string_equal(dd_ocp_control_name(r.ocp, 1), "");
    const double second = 0.1 * (4 + sqrt(6)) / 10; /* a collocation point, where densities are exact */
    for (double t = second; t < 2.5; t += 0.5) {
        const double p = dd_ocp_costate(r.ocp, "x", t), m = dd_ocp_multiplier(r.ocp, "u", t);
        assert_true(p > 0.6 && fabs(m + (p - 0.5)) < 1e-6 * p); /* lower bounds have negative ones */
    }
    assert_true(fabs(dd_ocp_multiplier(r.ocp, "u", 5)) < 1e-6);
    assert_true(isnan(dd_ocp_multiplier(r.ocp, "v", 1)) && isnan(dd_ocp_costate(r.ocp, "u", 1)));
    free_rig(&r);
}

/* what is missing or out of order is refused by status, and nothing changes */
static void test_calls_out_of_order(void **state)
{
    (void)state;
    dd_ocp_options o = repeated(10);
    rig r = new_rig(regulator, NULL, 0, &o);
    double x = 1, u;
    assert_int_equal(dd_ocp_controls(r.ocp, 0, &u), DD_INVALID_ARGUMENT);
    assert_int_equal(dd_ocp_states(r.ocp, 0, &x), DD_INVALID_ARGUMENT);
    assert_int_equal(dd_ocp_set_start(r.ocp, 0, &x), DD_INVALID_ARGUMENT);
    assert_int_equal(dd_ocp_solve(r.ocp), DD_OK);
    solved(&r);
    assert_int_equal(dd_ocp_controls(r.ocp, 0, NULL), DD_INVALID_ARGUMENT);
    assert_int_equal(dd_ocp_states(r.ocp, 0, NULL), DD_INVALID_ARGUMENT);
    assert_int_equal(dd_ocp_set_start(r.ocp, 0, NULL), DD_INVALID_ARGUMENT);
    assert_int_equal(dd_ocp_set_start(r.ocp, NAN, &x), DD_INVALID_ARGUMENT);
    assert_int_equal(dd_ocp_set(r.ocp, "u.min", NAN), DD_INVALID_ARGUMENT);
    assert_int_equal(dd_ocp_solve_again(r.ocp, NULL), DD_OK);
    solved(&r);
    free_rig(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_same_as_new), cmocka_unit_test(test_closed_form),
                                       cmocka_unit_test(test_multipliers_by_name),
                                       cmocka_unit_test(test_calls_out_of_order), cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
