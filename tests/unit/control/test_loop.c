/* Closed loops against independent truth: discrete Riccati recursions, the plant's own exact motion, statistics of noise. */
#include <math.h>
#include <string.h>

#include "control/random.h"
#include "daedal/daedal.h"
#include "unit/base/support.h"

typedef struct rig {
    dd_context *ctx;
    dd_model *model;
    dd_system *system;
} rig;

static rig new_rig(const char *text)
{
    rig r = {.ctx = new_context()};
    assert_int_equal(dd_model_load_text(&r.model, r.ctx, "m.mop", text, strlen(text), NULL), DD_OK);
    assert_int_equal(dd_model_analyse(&r.system, r.model, NULL), DD_OK);
    return r;
}

static void free_rig(rig *r)
{
    dd_system_free(r->system);
    dd_model_free(r->model);
    dd_context_free(r->ctx);
}

static dd_control_options settings(const rig *r)
{
    dd_control_options o = dd_control_options_default();
    assert_int_equal(dd_control_options_of(&o, r->system, 0), DD_OK);
    return o;
}

static const char *const integrator =
    "model M input Real u(min = -2, max = 2); Real x(start = 1, fixed = true); equation der(x) = u; end M;"
    " optimization P(objectiveIntegrand = (x - xRef)^2 + u^2, startTime = 0, finalTime = 2) extends M;"
    " parameter Real xRef = 0; annotation(experiment(StopTime = 3), Daedal(nmpc(samplePeriod = 0.1))); end P;";

/* min sum of int (x + u t)^2 + u^2 over n held inputs: V = P x^2 from the last interval to the first; the gain of the first */
static double first_gain(uint32_t n, double h)
{
    double p = 0, k = 0;
    for (uint32_t i = 0; i < n; i++) {
        const double q = h, s = 0.5 * h * h, r = h * h * h / 3 + h;
        k = (s + p * h) / (r + p * h * h);
        p = q + p - k * k * (r + p * h * h);
    }
    return k;
}

static void loop_as_riccati(const char *mode)
{
    rig r = new_rig(integrator);
    dd_control_options o = settings(&r);
    char why[DD_OPTION_WHY];
    assert_true(dd_control_options_set(&o, "mode", mode, why));
    dd_loop *loop;
    assert_int_equal(dd_loop_new(&loop, r.system, NULL, &o), DD_OK);
    assert_int_equal(dd_loop_run(loop), DD_OK);
    const dd_loop_info info = dd_loop_get_info(loop);
    assert_int_equal(info.status, DD_LOOP_OK);
    assert_int_equal(info.samples, 30);
    assert_int_equal(info.failed + info.softened, 0);
    /* x_{k+1} = (1 - K h) x_k, and the cost of that */
    const double h = 0.1, gain = first_gain(20, h);
    double x = 1, cost = 0;
    for (int k = 0; k < 30; k++) {
        const double u = -gain * x;
        cost += h * x * x + h * h * x * u + (h * h * h / 3 + h) * u * u;
        x += h * u;
    }
    assert_true(fabs(info.cost - cost) < 1e-7);
    assert_true(fabs(dd_control_estimate(dd_loop_controller(loop), 0) - x / (1 - gain * h)) < 1e-7);
    dd_loop_free(loop);
    free_rig(&r);
}

static void test_converge(void **state)
{
    (void)state;
    loop_as_riccati("converge");
}

/* a linear system with a quadratic cost: one step is the whole solution */
static void test_rti(void **state)
{
    (void)state;
    loop_as_riccati("rti");
}

/* x' = u under u = -K x(t_k + knows) from t_k + 2.5 h on: its cost until 3.25. Exact motion in steps of h/2. */
static double late_cost(double gain, bool knows)
{
    enum { HALVES = 65, LATE = 5 };
    const double h = 0.05;
    double x[HALVES + 1] = {1}, u = 0, cost = 0;
    for (int i = 0; i < HALVES; i++) {
        if (i >= LATE && (i - LATE) % 2 == 0) {
            u = -gain * x[knows ? i : i - LATE];
        }
        cost += h * x[i] * x[i] + h * h * x[i] * u + (h * h * h / 3 + h) * u * u;
        x[i + 1] = x[i] + h * u;
    }
    return cost;
}

/* 2.5 samples between a measurement and its inputs: the model is exact, so each input is that of the state it will meet */
static void test_delay(void **state)
{
    (void)state;
    for (int rti = 0; rti < 2; rti++) {
        rig r = new_rig(integrator);
        dd_control_options o = settings(&r);
        char why[DD_OPTION_WHY];
        assert_true(dd_control_options_set(&o, "mode", rti ? "rti" : "converge", why));
        assert_true(dd_control_options_set(&o, "delay", "0.25", why));
        assert_true(dd_control_options_set(&o, "stop", "3.25", why));
        dd_loop *loop;
        assert_int_equal(dd_loop_new(&loop, r.system, NULL, &o), DD_OK);
        assert_int_equal(dd_loop_run(loop), DD_OK);
        const dd_loop_info info = dd_loop_get_info(loop);
        assert_int_equal(info.status, DD_LOOP_OK);
        assert_int_equal(info.samples, 33);
        assert_int_equal(info.failed + info.softened, 0);
        const double gain = first_gain(20, 0.1), expected = late_cost(gain, true);
        assert_true(fabs(info.cost - expected) < 1e-6);
        assert_true(fabs(late_cost(gain, false) - expected) > 0.01);
        dd_loop_free(loop);
        free_rig(&r);
    }
}

/* nothing is measured while inputs are on their way: the estimate is the prediction under those that act */
static void test_delay_missing(void **state)
{
    (void)state;
    rig r = new_rig(integrator);
    dd_control_options o = settings(&r);
    o.delay = 0.25;
    dd_control *c;
    assert_int_equal(dd_control_new(&c, r.system, &o), DD_OK);
    double x[8] = {1}, u[8] = {0}, missing = NAN;
    for (int k = 0; k < 7; k++) {
        assert_int_equal(dd_control_step(c, k < 4 ? &x[k] : &missing, &u[k]), DD_OK);
        /* 0.5 h under the input of three samples before, then 0.5 h under that of two before */
        x[k + 1] = x[k] + 0.05 * (k > 2 ? u[k - 3] : 0) + 0.05 * (k > 1 ? u[k - 2] : 0);
        const double ahead = x[k + 1] + 0.05 * (k > 1 ? u[k - 2] : 0) + 0.1 * (k > 0 ? u[k - 1] : 0);
        assert_true(fabs(dd_control_estimate(c, 0) - ahead) < 1e-7);
    }
    dd_control_free(c);
    free_rig(&r);
}

/* the controller alone: set-points, missing measurements, time */
static void test_controller(void **state)
{
    (void)state;
    rig r = new_rig(integrator);
    dd_control_options o = settings(&r);
    dd_control *c;
    assert_int_equal(dd_control_new(&c, r.system, &o), DD_OK);
    assert_int_equal(dd_control_measured_count(c), 1);
    assert_string_equal(dd_control_measured_name(c, 0), "x");
    assert_string_equal(dd_control_input_name(c, 0), "u");
    const double gain = first_gain(20, 0.1);
    double y = 0.4, u;
    assert_int_equal(dd_control_step(c, &y, &u), DD_OK);
    assert_true(fabs(u + gain * 0.4) < 1e-7);
    /* towards another set-point: the distance to it decides */
    assert_int_equal(dd_control_set(c, "xRef", 1), DD_OK);
    assert_int_equal(dd_control_prepare(c), DD_OK);
    assert_int_equal(dd_control_step(c, &y, &u), DD_OK);
    assert_true(fabs(u - gain * 0.6) < 1e-7);
    /* nothing measured: the prediction of the plan */
    const double predicted = 0.4 + 0.1 * u;
    y = NAN;
    assert_int_equal(dd_control_step(c, &y, &u), DD_OK);
    assert_true(fabs(dd_control_estimate(c, 0) - predicted) < 1e-7);
    assert_true(fabs(u - gain * (1 - predicted)) < 1e-6);
    assert_true(fabs(dd_control_time(c) - 0.3) < 1e-12);
    /* a bound is kept */
    y = -20;
    assert_int_equal(dd_control_step(c, &y, &u), DD_OK);
    assert_true(u <= 2 && u > 2 - 1e-5);
    assert_int_equal(dd_control_set(c, "nothing", 1), DD_INVALID_ARGUMENT);
    dd_control_free(c);
    free_rig(&r);
}

/* a path row that the start violates: it gives way, by name and by as little as possible */
/* After the first two samples a controller allocates nothing, also when a disturbance makes a bound active. */
static void steady(const char *mode)
{
    rig r = new_rig(integrator);
    dd_control_options o = settings(&r);
    char why[DD_OPTION_WHY];
    assert_true(dd_control_options_set(&o, "mode", mode, why));
    dd_control *c;
    assert_int_equal(dd_control_new(&c, r.system, &o), DD_OK);
    double x = 1, u = 0;
    for (int k = 0; k < 70; k++) {
        if (k >= 2) {
            const uint64_t at = dd_context_allocations(r.ctx);
            assert_int_equal(dd_control_prepare(c), DD_OK);
            assert_int_equal(dd_control_step(c, &x, &u), DD_OK);
            assert_int_equal(dd_context_allocations(r.ctx) - at, 0);
        } else {
            assert_int_equal(dd_control_step(c, &x, &u), DD_OK);
        }
        assert_int_equal(dd_control_get_sample(c).status, DD_SAMPLE_SOLVED);
        x += 0.1 * u + (k == 10 ? 5 : 0);
        assert_true(fabs(u) <= 2 && (k != 11 || u < -1.9999));
    }
    assert_true(fabs(x) < 0.2);
    dd_control_free(c);
    free_rig(&r);
}

static void test_steady(void **state)
{
    (void)state;
    steady("converge");
    steady("rti");
}

static void test_softened(void **state)
{
    (void)state;
    const char *text =
        "model M input Real u(min = -1, max = 1); Real x(start = 0, fixed = true), y = 2*x; equation der(x) = u; end M;"
        " optimization P(objectiveIntegrand = u^2, startTime = 0, finalTime = 1) extends M; constraint y <= 1;"
        " annotation(Daedal(nmpc(samplePeriod = 0.1))); end P;";
    rig r = new_rig(text);
    dd_control_options o = settings(&r);
    dd_control *c;
    assert_int_equal(dd_control_new(&c, r.system, &o), DD_OK);
    double y = 0, u;
    assert_int_equal(dd_control_step(c, &y, &u), DD_OK);
    assert_int_equal(dd_control_get_sample(c).status, DD_SAMPLE_SOLVED);
    /* pushed beyond the limit, and back as fast as the input can: the first collocation point is at (4 - sqrt(6))/10 of
     * the first interval */
    y = 0.7;
    assert_int_equal(dd_control_step(c, &y, &u), DD_OK);
    const dd_sample_info s = dd_control_get_sample(c);
    assert_int_equal(s.status, DD_SAMPLE_SOFTENED);
    assert_non_null(strstr(s.reason, "y <= 1"));
    assert_true(fabs(s.violation - (2 * (0.7 - 0.1 * (4 - sqrt(6)) / 10) - 1)) < 1e-5);
    /* and holds again afterwards */
    y = 0.3;
    assert_int_equal(dd_control_step(c, &y, &u), DD_OK);
    assert_int_equal(dd_control_get_sample(c).status, DD_SAMPLE_SOLVED);
    dd_control_free(c);
    free_rig(&r);
}

/* A cart that is driven against its limits, with a set-point on the other side: all inputs change to the other bound. The
 * interior-point method alone takes 56 iterations from the plan before. A first state near zero is no size of states: with
 * scales of 1e-4 the second sample took 19. */
static void test_other_bounds(void **state)
{
    (void)state;
    const char *text =
        "model M input Real u(min = -1, max = 1); Real x(start = 0, fixed = true), v(start = 0, fixed = true) = der(x);"
        " equation der(v) = u - 0.1*v^3; end M;"
        " optimization P(objectiveIntegrand = (x - xRef)^2 + 1e-4*u^2, startTime = 0, finalTime = 4) extends M;"
        " parameter Real xRef = 1; annotation(Daedal(nmpc(samplePeriod = 0.1))); end P;";
    rig r = new_rig(text);
    dd_control_options o = settings(&r);
    dd_control *c;
    assert_int_equal(dd_control_new(&c, r.system, &o), DD_OK);
    double y[2] = {2e-4, -3e-4}, u;
    assert_int_equal(dd_control_step(c, y, &u), DD_OK);
    assert_true(u > 1 - 1e-6);
    for (int i = 0; i < 3; i++) {
        y[1] += 0.1;
        y[0] += 0.1 * y[1];
        assert_int_equal(dd_control_step(c, y, &u), DD_OK);
        assert_true(u > 1 - 1e-6);
        assert_true(dd_control_get_sample(c).iterations <= 8);
    }
    assert_int_equal(dd_control_set(c, "xRef", -1), DD_OK);
    assert_int_equal(dd_control_step(c, y, &u), DD_OK);
    assert_int_equal(dd_control_get_sample(c).status, DD_SAMPLE_SOLVED);
    assert_true(u < -1 + 1e-6);
    assert_true(dd_control_get_sample(c).iterations <= 28);
    dd_control_free(c);
    free_rig(&r);
}

/* a plant with another parameter drives an algebraic variable over its bound: the loop says so */
static void test_algebraic_bound(void **state)
{
    (void)state;
    const char *text =
        "model M parameter Real k = 1; input Real u(min = -1, max = 1); Real x(start = 0, fixed = true), z(max = 0.5);"
        " equation der(x) = k*u; z^3 + z = x; end M;"
        " optimization P(objectiveIntegrand = (x - 1)^2, startTime = 0, finalTime = 1) extends M;"
        " annotation(experiment(StopTime = 1), Daedal(nmpc(samplePeriod = 0.1))); end P;";
    const char *const setting = "k=3";
    const dd_load_options load = {.class_name = "M", .settings = &setting, .n_settings = 1};
    rig r = new_rig(text), plant = {.ctx = r.ctx};
    assert_int_equal(dd_model_load_text(&plant.model, r.ctx, "m.mop", text, strlen(text), &load), DD_OK);
    assert_int_equal(dd_model_analyse(&plant.system, plant.model, NULL), DD_OK);
    dd_control_options o = settings(&r);
    dd_loop *loop;
    assert_int_equal(dd_loop_new(&loop, r.system, plant.system, &o), DD_OK);
    assert_int_equal(dd_loop_run(loop), DD_OK);
    assert_true(dd_loop_get_info(loop).max_violation > 1e-3);
    assert_string_equal(dd_loop_get_info(loop).worst, "z");
    dd_loop_free(loop);
    dd_system_free(plant.system);
    dd_model_free(plant.model);
    free_rig(&r);
}

static void test_refused(void **state)
{
    (void)state;
    rig r = new_rig(integrator);
    dd_control_options o = settings(&r);
    dd_control *c;
    const struct {
        const char *name, *value, *words;
    } wrong[] = {{"sample-period", "0.3", "does not divide"},
                 {"intervals", "30", "not a multiple"},
                 {"measured", "y", "measured"},
                 {"noise", "0.1,0.2", "noise has 2 numbers"},
                 {"delay", "-0.1", "delay"},
                 {"noise", "many", "not a number"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        dd_control_options bad = o;
        char why[DD_OPTION_WHY];
        assert_true(dd_control_options_set(&bad, wrong[i].name, wrong[i].value, why));
        assert_int_equal(dd_control_new(&c, r.system, &bad), DD_INVALID_ARGUMENT);
        assert_null(c);
        assert_non_null(strstr(dd_context_message(r.ctx), wrong[i].words));
    }
    free_rig(&r);
}

/* the published first outputs of xoshiro256++ from the state 1, 2, 3, 4; moments of the normal numbers */
static void test_random(void **state)
{
    (void)state;
    dd_random r = {.state = {1, 2, 3, 4}};
    const uint64_t first[] = {41943041, 58720359, 3588806011781223u, 3591011842654386u};
    for (size_t i = 0; i < sizeof first / sizeof *first; i++) {
        assert_true(dd_random_bits(&r) == first[i]);
    }
    r = dd_random_new(7);
    double sum = 0, squares = 0, fourth = 0;
    const int n = 200000;
    for (int i = 0; i < n; i++) {
        const double x = dd_random_normal(&r);
        sum += x;
        squares += x * x;
        fourth += x * x * x * x;
    }
    assert_true(fabs(sum / n) < 0.01 && fabs(squares / n - 1) < 0.015 && fabs(fourth / n - 3) < 0.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_converge), cmocka_unit_test(test_delay),           cmocka_unit_test(test_delay_missing),
        cmocka_unit_test(test_rti),      cmocka_unit_test(test_controller),      cmocka_unit_test(test_steady),
        cmocka_unit_test(test_softened), cmocka_unit_test(test_algebraic_bound), cmocka_unit_test(test_other_bounds),
        cmocka_unit_test(test_refused),  cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
