/* test_events.c - relations that change on the way: moments and values against closed forms, many in a row, chattering. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "daedal/daedal.h"

typedef struct run {
    dd_context *ctx;
    dd_model *model;
    dd_system *system;
    dd_sim *sim;
    dd_sim_info info;
} run;

static run simulate(const char *text, double stop, double tol, const char *method)
{
    run r = {0};
    assert_int_equal(dd_context_new(&r.ctx, NULL), DD_OK);
    assert_int_equal(dd_model_load_text(&r.model, r.ctx, "test.mo", text, strlen(text), NULL), DD_OK);
    assert_int_equal(dd_model_analyse(&r.system, r.model, NULL), DD_OK);
    dd_sim_options o = dd_sim_options_default();
    o.has_stop = true;
    o.stop = stop;
    o.tol = tol;
    o.method = method;
    assert_int_equal(dd_sim_new(&r.sim, r.system, &o), DD_OK);
    assert_int_equal(dd_sim_run(r.sim), DD_OK);
    r.info = dd_sim_get_info(r.sim);
    return r;
}

static void done(run *r)
{
    dd_sim_free(r->sim);
    dd_system_free(r->system);
    dd_model_free(r->model);
    dd_context_free(r->ctx);
}

static double final(const run *r, const char *name)
{
    for (uint32_t i = 0; i < dd_sim_variable_count(r->sim); i++) {
        if (strcmp(dd_sim_variable_name(r->sim, i), name) == 0) {
            return dd_sim_final(r->sim, i);
        }
    }
    fail_msg("no variable %s", name);
    return NAN;
}

static const char *const methods[] = {"radau", "dop853", "bdf", "auto"};

/* x' = 1 until 1, then -2 until 2.5, then 0: moments known before are hit exactly. */
static void test_moments(void **state)
{
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        run r = simulate("model M Real x(start=0,fixed=true); equation der(x) = if time < 1 then 1 else "
                         "if time < 2.5 then -2 else 0; end M;",
                         3, 1e-6, methods[i]);
        assert_int_equal(r.info.status, DD_SIM_OK);
        assert_true(fabs(final(&r, "x") - (1 - 3)) < 1e-13);
        assert_int_equal(r.info.stats.events, 2);
        done(&r);
    }
}

/* x'' = -sign(x) from rest at 1: parabolas, period 4 sqrt(2). */
static void test_relay(void **state)
{
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        double stop = 10 * sqrt(2.0); /* two and a half periods: x = -1 */
        run r = simulate("model M Real x(start=1,fixed=true), v(start=0,fixed=true); equation der(x) = v; "
                         "der(v) = if x > 0 then -1 else 1; end M;",
                         stop, 1e-8, methods[i]);
        assert_int_equal(r.info.status, DD_SIM_OK);
        assert_true(fabs(final(&r, "x") + 1) < 1e-7);
        assert_true(fabs(final(&r, "v")) < 1e-6);
        assert_int_equal(r.info.stats.events, 5);
        done(&r);
    }
}

/* abs, min, max and sign have kinks: |sin| integrated over [0, 10]; a clipped ramp. */
static void test_kinks(void **state)
{
    (void)state;
    run r = simulate("model M Real x(start=0,fixed=true), y(start=0,fixed=true), s(start=0,fixed=true); "
                     "equation der(x) = abs(sin(time)); der(y) = min(max(time - 1, 0), 2); der(s) = sign(cos(time)); "
                     "end M;",
                     10, 1e-9, NULL);
    assert_int_equal(r.info.status, DD_SIM_OK);
    double k = floor(10 / M_PI);
    assert_true(fabs(final(&r, "x") - (2 * k + 1 - cos(10 - k * M_PI))) < 1e-7);
    assert_true(fabs(final(&r, "y") - (2 + 7 * 2)) < 1e-8);
    double switches = M_PI / 2 - (M_PI) + (M_PI) - (10 - 5 * M_PI / 2); /* +, -, +, - of lengths pi/2, pi, pi, rest */
    assert_true(fabs(final(&r, "s") - switches) < 1e-8);
    done(&r);
}

/* A saw tooth: the integral of mod(t, 0.3) and of floor(2 t). */
static void test_floor(void **state)
{
    (void)state;
    run r = simulate("model M Real x(start=0,fixed=true), y(start=0,fixed=true); equation der(x) = mod(time, 0.3); "
                     "der(y) = floor(2*time); end M;",
                     2, 1e-9, NULL);
    assert_int_equal(r.info.status, DD_SIM_OK);
    assert_true(fabs(final(&r, "x") - (6 * 0.045 + 0.02)) < 1e-9);
    assert_true(fabs(final(&r, "y") - 0.5 * (0 + 1 + 2 + 3)) < 1e-9);
    done(&r);
}

/* Inside noEvent nothing is located; the result is right all the same where the expression is smooth enough. */
static void test_no_event(void **state)
{
    (void)state;
    run r = simulate("model M Real x(start=0,fixed=true); equation der(x) = noEvent(if time < 1 then time else 1); "
                     "end M;",
                     2, 1e-8, NULL);
    assert_int_equal(r.info.status, DD_SIM_OK);
    assert_int_equal(r.info.stats.events, 0);
    assert_true(fabs(final(&r, "x") - 1.5) < 1e-6);
    done(&r);
}

/* Two crossings close together within one long step of a smooth motion: both are found, in order. */
static void test_pairs(void **state)
{
    (void)state;
    run r = simulate("model M Real x(start=0,fixed=true), y(start=0,fixed=true); equation der(x) = cos(time); "
                     "der(y) = if x > 0.999 then 1 else 0; end M;",
                     6, 1e-8, NULL);
    assert_int_equal(r.info.status, DD_SIM_OK);
    assert_int_equal(r.info.stats.events, 2);
    assert_true(fabs(final(&r, "y") - 2 * acos(0.999)) < 1e-6);
    done(&r);
}

static void test_chattering(void **state)
{
    (void)state;
    run r = simulate("model M Real x(start=1,fixed=true); equation der(x) = if x > 0 then -1 else 1; end M;", 3, 1e-6,
                     NULL);
    assert_int_equal(r.info.status, DD_SIM_CHATTERING);
    assert_true(fabs(r.info.t - 1) < 1e-3);
    assert_non_null(strstr(r.info.reason, "back and forth"));
    done(&r);
}

/* An algebraic variable jumps with the branch; the constraint of an index-3 model holds across the event. */
static void test_constrained(void **state)
{
    (void)state;
    run r = simulate("model M Real x(start=1,fixed=true), y(start=0), u(start=0,fixed=true), v(start=0), l; equation "
                     "der(x) = u; der(y) = v; der(u) = -l*x + (if x < 0 then 0.5 else 0); der(v) = -l*y - 9.81; "
                     "x^2 + y^2 = 1; end M;",
                     5, 1e-7, NULL);
    assert_int_equal(r.info.status, DD_SIM_OK);
    assert_true(r.info.stats.events > 3);
    assert_true(r.info.constraint_violation < 1e-10);
    done(&r);
}

/* An acceleration that the equations give only implicitly: at the event it has the value asked for by the equations, not
 * by the dense output, whose derivatives are less accurate than its values. */
static void test_implicit_condition(void **state)
{
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        run r = simulate("model M Real x(start = 1, fixed = true), v(start = 0, fixed = true), a = der(v); "
                         "Real y(start = 0, fixed = true); equation der(x) = v; "
                         "(2 + cos(x))*der(v) + sin(x) + 0.3*der(v)^3 = 0; "
                         "der(y) = if der(v) > 0.1 then 1 else 0; end M;",
                         10, 1e-4, methods[i]);
        assert_int_equal(r.info.status, DD_SIM_OK);
        assert_int_equal(dd_sim_event_count(r.sim), 2);
        uint32_t seen = 0;
        for (uint64_t row = 1; row < dd_sim_row_count(r.sim); row++) {
            if (dd_sim_row_time(r.sim, row) == dd_sim_row_time(r.sim, row - 1)) { /* behind the event */
                assert_true(fabs(dd_sim_row_value(r.sim, row, 2) - 0.1) < 1e-13);
                seen++;
            }
        }
        assert_int_equal(seen, 2);
        done(&r);
    }
}

/* The same motion by a method with long windows and by one with short steps. */
static void same_by_windows(const char *text, double stop, uint64_t events, double tol)
{
    run a = simulate(text, stop, 1e-12, "chebyshev"), b = simulate(text, stop, 1e-12, "dop853");
    assert_int_equal(a.info.status, DD_SIM_OK);
    assert_int_equal(b.info.status, DD_SIM_OK);
    assert_int_equal(a.info.stats.events, events);
    assert_int_equal(b.info.stats.events, events);
    assert_true(fabs(final(&a, "x") - final(&b, "x")) < tol);
    done(&a);
    done(&b);
}

/* Short contacts with a stiff stop: the bound is passed, at exactly 0 of the condition, and passed again soon after. */
static void test_bounces(void **state)
{
    (void)state;
    same_by_windows(
        "model M Real x(start = -0.158, fixed = true), v(start = 0.247, fixed = true); equation der(x) = v; "
        "der(v) = -14.534*x - 0.037*v + 1.687*sin(4.012*time) + (if x > 0.29 then -4594.4*(x - 0.2) else 0); "
        "end M;",
        10, 10, 1e-9);
    /* over the edge and back between two probes */
    same_by_windows(
        "model M Real x(start = -0.199, fixed = true), v(start = 0.693, fixed = true); equation der(x) = v; "
        "der(v) = -14.302*x - 0.016*v + 1.919*sin(1.801*time) + (if x > 0.04 then -11618.5*(x - 0.2) else 0); "
        "end M;",
        10, 7, 1e-8);
}

/* A condition on a sawtooth: it changes with every tooth, at the same moment, and never back. p = 2 t: x rises in the
 * first half of each tooth (of 1/2) and falls in the second. */
static void test_sawtooth(void **state)
{
    (void)state;
    const char *const all[] = {"radau", "dop853", "bdf", "chebyshev", "dopri54"};
    for (size_t i = 0; i < 5; i++) {
        for (double tol = 1e-4; tol > 1e-13; tol *= 1e-4) {
            run r =
                simulate("model M Real x(start = 0, fixed = true), p(start = 0, fixed = true); equation der(p) = 2; "
                         "der(x) = if mod(p, 1) < 0.5 then 1 else -1; end M;",
                         10.125, tol, all[i]);
            assert_int_equal(r.info.status, DD_SIM_OK);
            assert_int_equal(r.info.stats.events, 40);
            assert_true(fabs(final(&r, "x") - 0.125) < 1e-11);
            done(&r);
        }
    }
}

/* x = cos t. What only outputs depend on has both its sides in the rows, and the solver does not stop for it. */
static void test_outputs_alone(void **state)
{
    (void)state;
    const double pi = 3.141592653589793;
    run plain = simulate("model M Real x(start = 1, fixed = true), v(start = 0, fixed = true); equation der(x) = v; "
                         "der(v) = -x; end M;",
                         2 * pi, 1e-9, NULL);
    run r =
        simulate("model M Real x(start = 1, fixed = true), v(start = 0, fixed = true), y, s, a; equation der(x) = v; "
                 "der(v) = -x; y = if x > 0.5 then 1 elseif time > 3.3 then 5 else 2; s = mod(time, 2); a = abs(x); "
                 "end M;",
                 2 * pi, 1e-9, NULL);
    assert_int_equal(r.info.status, DD_SIM_OK);
    assert_int_equal(r.info.stats.steps, plain.info.stats.steps);
    const struct {
        double t, y[2], s[2];
    } jumps[] = {{pi / 3, {1, 2}, {pi / 3, pi / 3}},
                 {2, {2, 2}, {2, 0}},
                 {3.3, {2, 5}, {1.3, 1.3}},
                 {4, {5, 5}, {2, 0}},
                 {5 * pi / 3, {5, 1}, {5 * pi / 3 - 4, 5 * pi / 3 - 4}},
                 {6, {1, 1}, {2, 0}}};
    assert_int_equal(dd_sim_event_count(r.sim), 6);
    assert_int_equal(dd_sim_row_count(r.sim), dd_sim_row_count(plain.sim) + 12);
    uint32_t seen = 0;
    for (uint64_t row = 1; row < dd_sim_row_count(r.sim); row++) {
        if (dd_sim_row_time(r.sim, row) > dd_sim_row_time(r.sim, row - 1)) {
            continue;
        }
        assert_true(fabs(dd_sim_row_time(r.sim, row) - jumps[seen].t) < 1e-7);
        for (uint64_t side = 0; side < 2; side++) {
            assert_true(dd_sim_row_value(r.sim, row - 1 + side, 2) == jumps[seen].y[side]);
            assert_true(fabs(dd_sim_row_value(r.sim, row - 1 + side, 3) - jumps[seen].s[side]) < 1e-7);
        }
        seen++;
    }
    assert_int_equal(seen, 6);
    done(&r);
    done(&plain);
}

/* A slow clock in a very long run is no chattering. */
static void test_long_run(void **state)
{
    (void)state;
    run r = {0};
    const char *text = "model M Real x(start = 0, fixed = true), p(start = 0, fixed = true); equation der(p) = 1; "
                       "der(x) = if mod(p, 1) < 0.5 then 1 else -1; end M;";
    assert_int_equal(dd_context_new(&r.ctx, NULL), DD_OK);
    assert_int_equal(dd_model_load_text(&r.model, r.ctx, "test.mo", text, strlen(text), NULL), DD_OK);
    assert_int_equal(dd_model_analyse(&r.system, r.model, NULL), DD_OK);
    dd_sim_options o = dd_sim_options_default();
    o.has_stop = true;
    o.stop = 1e10;
    o.max_steps = 5000;
    assert_int_equal(dd_sim_new(&r.sim, r.system, &o), DD_OK);
    assert_int_equal(dd_sim_run(r.sim), DD_OK);
    r.info = dd_sim_get_info(r.sim);
    assert_int_equal(r.info.status, DD_SIM_TOO_MANY_STEPS);
    assert_true(r.info.stats.events > 200);
    done(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_moments),    cmocka_unit_test(test_relay),
                                       cmocka_unit_test(test_kinks),      cmocka_unit_test(test_floor),
                                       cmocka_unit_test(test_no_event),   cmocka_unit_test(test_pairs),
                                       cmocka_unit_test(test_chattering), cmocka_unit_test(test_implicit_condition),
                                       cmocka_unit_test(test_bounces),    cmocka_unit_test(test_sawtooth),
                                       cmocka_unit_test(test_long_run),   cmocka_unit_test(test_outputs_alone),
                                       cmocka_unit_test(test_constrained)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
