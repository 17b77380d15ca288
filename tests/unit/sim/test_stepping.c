/* Simulations stepped from outside: against closed forms of piecewise problems, and against runs in one go. */
#include <math.h>
#include <string.h>

#include "daedal/daedal.h"
#include "unit/base/support.h"

typedef struct rig {
    dd_context *ctx;
    dd_model *model;
    dd_system *system;
    dd_sim *sim;
} rig;

static rig new_rig(const char *text, const dd_sim_options *options)
{
    rig r = {.ctx = new_context()};
    assert_int_equal(dd_model_load_text(&r.model, r.ctx, "m.mo", text, strlen(text), NULL), DD_OK);
    assert_int_equal(dd_model_analyse(&r.system, r.model, NULL), DD_OK);
    assert_int_equal(dd_sim_new(&r.sim, r.system, options), DD_OK);
    return r;
}

static void free_rig(rig *r)
{
    dd_sim_free(r->sim);
    dd_system_free(r->system);
    dd_model_free(r->model);
    dd_context_free(r->ctx);
}

static dd_sim_options accurate(void)
{
    dd_sim_options o = dd_sim_options_default();
    o.tol = 1e-9;
    o.hold_inputs = true;
    return o;
}

static void step(rig *r, double t)
{
    assert_int_equal(dd_sim_step(r->sim, t), DD_OK);
    assert_int_equal(dd_sim_get_info(r->sim).status, DD_SIM_OK);
    assert_true(dd_sim_get_info(r->sim).t == t);
}

static const char *const lag = "model Lag parameter Real k = 2; parameter Real twice = 2*k; constant Real c = 1;"
                               " parameter Integer n = 1; input Real u; Real x(start = 1, fixed = true); Real y[n];"
                               " equation der(x) = k*(u - x); for i in 1:n loop y[i] = twice*x; end for; end Lag;";

/* x' = k (u - x) with u and k constant between the steps: x = u + (x_0 - u) exp(-k h) */
static void test_held_input(void **state)
{
    (void)state;
    dd_sim_options o = accurate();
    rig r = new_rig(lag, &o);
    double x = 1, k = 2;
    for (int i = 0; i < 20; i++) {
        const double u = sin(1.7 * i), h = 0.1;
        k = i == 7 ? 5 : i == 13 ? 0.5 : k;
        assert_int_equal(dd_sim_set(r.sim, "u", u), DD_OK);
        if (i == 7 || i == 13) {
            assert_int_equal(dd_sim_set(r.sim, "k", k), DD_OK);
        }
        step(&r, (i + 1) * h);
        x = u + (x - u) * exp(-k * h);
        assert_true(fabs(dd_sim_value(r.sim, "x") - x) < 1e-7);
        /* bound to k: it follows */
        assert_true(fabs(dd_sim_value(r.sim, "y[1]") - 2 * k * x) < 1e-6);
    }
    /* again from the start, with the last numbers and another start value */
    assert_int_equal(dd_sim_set(r.sim, "x", 3), DD_OK);
    assert_int_equal(dd_sim_set(r.sim, "u", 0), DD_OK);
    assert_int_equal(dd_sim_begin(r.sim), DD_OK);
    assert_true(dd_sim_value(r.sim, "x") == 3);
    step(&r, 1);
    assert_true(fabs(dd_sim_value(r.sim, "x") - 3 * exp(-0.5)) < 1e-7);
    /* a whole run as well */
    assert_int_equal(dd_sim_run(r.sim), DD_OK);
    assert_true(fabs(dd_sim_value(r.sim, "x") - 3 * exp(-0.5)) < 1e-7);
    free_rig(&r);
}

static void test_refused(void **state)
{
    (void)state;
    dd_sim_options o = accurate();
    rig r = new_rig(lag, &o);
    step(&r, 0.5);
    const double x = dd_sim_value(r.sim, "x");
    const struct {
        const char *name, *words;
        double value;
    } wrong[] = {
        {"n", "shapes the model", 2}, {"c", "is a constant", 2}, {"twise", "did you mean", 1}, {"k", "finite", NAN}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(dd_sim_set(r.sim, wrong[i].name, wrong[i].value), DD_INVALID_ARGUMENT);
        assert_non_null(strstr(dd_context_message(r.ctx), wrong[i].words));
    }
    assert_int_equal(dd_sim_step(r.sim, 0.25), DD_INVALID_ARGUMENT);
    /* nothing was changed by that */
    step(&r, 1);
    assert_true(fabs(dd_sim_value(r.sim, "x") - x * exp(-1)) < 1e-7);
    free_rig(&r);
    /* inputs that are not held cannot be set */
    rig plain = new_rig(lag, NULL);
    assert_int_equal(dd_sim_set(plain.sim, "u", 1), DD_INVALID_ARGUMENT);
    assert_non_null(strstr(dd_context_message(plain.ctx), "hold_inputs"));
    free_rig(&plain);
}

static void cosine(void *user, double t, double *values)
{
    values[0] = *(const double *)user * cos(t);
}

/* x' = u(t) by a callback: x = x_0 + a sin t */
static void test_callback(void **state)
{
    (void)state;
    double a = 2;
    dd_sim_options o = accurate();
    o.input = cosine;
    o.input_user = &a;
    rig r = new_rig("model M input Real u; Real x(start = 0.5, fixed = true); equation der(x) = u; end M;", &o);
    for (int i = 1; i <= 7; i++) {
        step(&r, 0.3 * i);
        assert_true(fabs(dd_sim_value(r.sim, "x") - 0.5 - 2 * sin(0.3 * i)) < 1e-7);
    }
    free_rig(&r);
}

static void stairs(void *user, double t, double *values)
{
    (void)t;
    values[0] = *(const double *)user;
}

/* A function that gives other values from a step on is a jump as a held input is: x' and z, which follow from it, are solved
 * for again, and not taken for a solution that z + z^3 = u has left. */
static void test_callback_jumps(void **state)
{
    (void)state;
    const char *const text = "model M input Real u; Real x(start = 1, fixed = true), z;"
                             " equation der(x) = z - x; z + z^3 = 10*u; end M;";
    double u = 0;
    dd_sim_options o = accurate();
    o.input = stairs;
    o.input_user = &u;
    rig called = new_rig(text, &o);
    o = accurate();
    rig held = new_rig(text, &o);
    assert_int_equal(dd_sim_begin(called.sim), DD_OK);
    for (int i = 0; i < 6; i++) {
        u = i == 2 ? u : cos(3 * i); /* once it stays as it is */
        assert_int_equal(dd_sim_set(held.sim, "u", u), DD_OK);
        step(&called, 0.2 * (i + 1));
        step(&held, 0.2 * (i + 1));
        const double z = dd_sim_value(called.sim, "z");
        assert_true(fabs(z + z * z * z - 10 * u) < 1e-8);
        assert_true(fabs(dd_sim_value(called.sim, "x") - dd_sim_value(held.sim, "x")) < 1e-8);
    }
    assert_int_equal(dd_sim_event_count(called.sim), 4); /* the first one was at the start */
    free_rig(&called);
    free_rig(&held);
}

static const char *const pendulum =
    "model P parameter Real g = 9.81; input Real F; Real x(start = 0.6, fixed = true), y(start = -0.8);"
    " Real vx(start = 0, fixed = true) = der(x), vy = der(y), lam; equation der(vx) = -lam*x + F;"
    " der(vy) = -lam*y - g; x^2 + y^2 = 1; end P;";

static double energy(const rig *r)
{
    const double vx = dd_sim_value(r->sim, "vx"), vy = dd_sim_value(r->sim, "vy");
    return 0.5 * (vx * vx + vy * vy) + 9.81 * dd_sim_value(r->sim, "y");
}

/* index 3: what is replaced is put onto all constraints, and energy is conserved from there */
static void test_replace(void **state)
{
    (void)state;
    dd_sim_options o = accurate();
    rig r = new_rig(pendulum, &o);
    step(&r, 0.7);
    const uint32_t names[] = {dd_sim_find(r.sim, "x"), dd_sim_find(r.sim, "vx")};
    const double given[] = {0.28, 1.5};
    double moved = NAN;
    assert_int_equal(dd_sim_replace(r.sim, names, given, 2, &moved), DD_OK);
    const double x = dd_sim_value(r.sim, "x"), y = dd_sim_value(r.sim, "y");
    assert_true(moved < 1e-6 && fabs(x - 0.28) < 1e-6 && fabs(y + 0.96) < 1e-6);
    assert_true(fabs(x * dd_sim_value(r.sim, "vx") + y * dd_sim_value(r.sim, "vy")) < 1e-9);
    const double e = energy(&r);
    step(&r, 2.5);
    assert_true(fabs(energy(&r) - e) < 1e-6);
    /* values that contradict the constraints: the nearest point, on both of them */
    const uint32_t both[] = {dd_sim_find(r.sim, "x"), dd_sim_find(r.sim, "y")};
    const double off[] = {0.66, -0.88};
    assert_int_equal(dd_sim_replace(r.sim, both, off, 2, &moved), DD_OK);
    assert_true(fabs(hypot(dd_sim_value(r.sim, "x"), dd_sim_value(r.sim, "y")) - 1) < 1e-9);
    assert_true(fabs(dd_sim_value(r.sim, "x") - 0.6) < 1e-6 && fabs(moved - 0.08) < 1e-6);
    /* algebraic variables follow from the others */
    const uint32_t lam = dd_sim_find(r.sim, "lam");
    assert_int_equal(dd_sim_replace(r.sim, &lam, off, 1, NULL), DD_INVALID_ARGUMENT);
    assert_int_equal(dd_sim_set(r.sim, "F", 1), DD_OK);
    step(&r, 3);
    free_rig(&r);
}

/* a relaxation oscillator with events: steps from outside end where a run does */
static void test_events(void **state)
{
    (void)state;
    const char *text = "model B Real x(start = 1, fixed = true), v(start = 0, fixed = true) = der(x);"
                       " equation der(v) = if x > 0.2 then -1 else 3; end B;";
    dd_sim_options o = accurate();
    o.stop = 5;
    o.has_stop = true;
    rig whole = new_rig(text, &o), parts = new_rig(text, &o);
    assert_int_equal(dd_sim_run(whole.sim), DD_OK);
    for (int i = 1; i <= 37; i++) {
        step(&parts, 5 * i / 37.0);
    }
    assert_true(fabs(dd_sim_value(whole.sim, "x") - dd_sim_value(parts.sim, "x")) < 1e-7);
    assert_true(fabs(dd_sim_value(whole.sim, "v") - dd_sim_value(parts.sim, "v")) < 1e-7);
    assert_int_equal(dd_sim_event_count(whole.sim), dd_sim_event_count(parts.sim));
    free_rig(&whole);
    free_rig(&parts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_held_input), cmocka_unit_test(test_refused),
                                       cmocka_unit_test(test_callback),   cmocka_unit_test(test_callback_jumps),
                                       cmocka_unit_test(test_replace),    cmocka_unit_test(test_events)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
