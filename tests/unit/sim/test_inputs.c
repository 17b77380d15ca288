/* Inputs from tables: interpolation against closed forms, pieces between jumps, moments the integrator must see. */
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "daedal/daedal.h"
#include "result/series.h"
#include "sim/inputs.h"
#include "unit/base/support.h"

/* ---- one column ---- */

enum { POINTS = 41 };

static dd_series series_of(const double *t, const double *v, uint32_t n, bool spline, dd_pool *pool)
{
    dd_table *table = dd_table_of_pool(pool, 1);
    for (uint32_t i = 0; i < n; i++) {
        dd_table_push(table, pool, t[i], &v[i]);
    }
    return dd_series_new(table, 0, spline, false, pool);
}

static dd_series sampled(dd_pool *pool, double (*f)(double), bool spline, uint32_t n, double *t, double *v)
{
    for (uint32_t i = 0; i < n; i++) { /* uneven */
        const double s = (double)i / (n - 1);
        t[i] = 2 * s + 0.1 * sin(3 * s);
        v[i] = f(t[i]);
    }
    return series_of(t, v, n, spline, pool);
}

static double cubic(double t)
{
    return 1 - 2 * t + 3 * t * t - 0.5 * t * t * t;
}

static double wave(double t)
{
    return sin(2 * t + 0.7); /* its fourth derivative vanishes at neither end */
}

/* not-a-knot reproduces cubics with their derivatives */
static void test_spline_of_cubic(void **state)
{
    (void)state;
    dd_context *ctx = new_context();
    dd_pool *pool = dd_pool_new(ctx);
    double t[POINTS], v[POINTS];
    for (uint32_t n = 4; n <= POINTS; n = 2 * n + 1) {
        dd_series c = sampled(pool, cubic, true, n, t, v);
        for (int k = 0; k <= 100; k++) {
            const double x = t[0] + (t[n - 1] - t[0]) * k / 100;
            assert_true(fabs(dd_series_value(&c, 0, x) - cubic(x)) < 1e-12);
            assert_true(k == 100 || fabs(dd_series_value(&c, 1, x) - (-2 + 6 * x - 1.5 * x * x)) < 1e-10);
            assert_true(k == 100 || fabs(dd_series_value(&c, 2, x) - (6 - 3 * x)) < 1e-8);
        }
    }
    dd_pool_free(pool);
    dd_context_free(ctx);
}

static double largest_error(dd_series *c, double end, double (*f)(double))
{
    double most = 0;
    for (int k = 0; k <= 1000; k++) {
        const double x = end * k / 1000;
        most = fmax(most, fabs(dd_series_value(c, 0, x) - f(x)));
    }
    return most;
}

/* errors fall as h^4 for splines, as h^2 for lines */
static void test_order(void **state)
{
    (void)state;
    dd_context *ctx = new_context();
    dd_pool *pool = dd_pool_new(ctx);
    enum { FINE = 161 };
    double t[FINE], v[FINE];
    for (int spline = 0; spline <= 1; spline++) {
        dd_series coarse = sampled(pool, wave, spline, 81, t, v);
        const double e1 = largest_error(&coarse, 2, wave);
        dd_series fine = sampled(pool, wave, spline, FINE, t, v);
        const double e2 = largest_error(&fine, 2, wave), order = log2(e1 / e2);
        assert_true(fabs(order - (spline ? 4 : 2)) < 0.3);
    }
    dd_pool_free(pool);
    dd_context_free(ctx);
}

/* parabolas and lines from few rows, a single row; values beyond the ends are held */
static void test_few_rows(void **state)
{
    (void)state;
    dd_context *ctx = new_context();
    dd_pool *pool = dd_pool_new(ctx);
    const double t[] = {0, 1, 3}, v[] = {0, 1, 9};
    dd_series c = series_of(t, v, 3, true, pool);
    assert_true(fabs(dd_series_value(&c, 0, 2) - 4) < 1e-14);
    assert_true(fabs(dd_series_value(&c, 1, 2) - 4) < 1e-14);
    assert_true(fabs(dd_series_value(&c, 2, 0.5) - 2) < 1e-14);
    c = series_of(t, v, 2, true, pool);
    assert_true(dd_series_value(&c, 0, 0.25) == 0.25);
    assert_true(dd_series_value(&c, 1, 0.25) == 1);
    assert_true(dd_series_value(&c, 0, -1) == 0 && dd_series_value(&c, 0, 7) == 1);
    assert_true(dd_series_value(&c, 1, -1) == 0 && dd_series_value(&c, 1, 7) == 0);
    c = series_of(t, v + 2, 1, true, pool);
    assert_true(dd_series_value(&c, 0, -1) == 9 && dd_series_value(&c, 0, 5) == 9);
    dd_pool_free(pool);
    dd_context_free(ctx);
}

/* a repeated time is a jump, unless nothing changes; of three rows at one time the outer ones count */
static void test_pieces(void **state)
{
    (void)state;
    dd_context *ctx = new_context();
    dd_pool *pool = dd_pool_new(ctx);
    const double t[] = {0, 1, 1, 2, 2, 3, 3, 3, 4}, v[] = {0, 1, 5, 5, 5, 5, 77, 2, 2};
    dd_series c = series_of(t, v, 9, false, pool);
    assert_int_equal(c.pieces, 3);
    dd_series_enter(&c, 0);
    assert_true(dd_series_value(&c, 0, 1) == 1);   /* the left side, until the jump is passed */
    assert_true(dd_series_value(&c, 0, 1.5) == 1); /* held */
    dd_series_enter(&c, 1);
    assert_true(dd_series_value(&c, 0, 1) == 5);
    assert_true(dd_series_value(&c, 0, 3) == 5);
    dd_series_enter(&c, 3);
    assert_true(dd_series_value(&c, 0, 3) == 2);
    dd_series_enter(&c, -5);
    assert_true(dd_series_value(&c, 0, 0.5) == 0.5);
    dd_series_enter(&c, 99);
    assert_true(dd_series_value(&c, 0, 99) == 2);
    dd_pool_free(pool);
    dd_context_free(ctx);
}

/* the cursor changes nothing: random access gives what a walk gives */
static void test_any_order(void **state)
{
    (void)state;
    dd_context *ctx = new_context();
    dd_pool *pool = dd_pool_new(ctx);
    double t[POINTS], v[POINTS];
    dd_series a = sampled(pool, wave, true, POINTS, t, v), b = sampled(pool, wave, true, POINTS, t, v);
    uint32_t seed = 1;
    for (int k = 0; k < 5000; k++) {
        seed = seed * 1664525u + 1013904223u;
        const double x = 2.4 * (seed >> 8) / (double)(1 << 24) - 0.2;
        b.cursor = 0;
        assert_true(dd_series_value(&a, 0, x) == dd_series_value(&b, 0, x));
    }
    for (uint32_t i = 0; i < POINTS; i++) { /* rows themselves are met exactly by lines */
        dd_series c = series_of(t, v, POINTS, false, pool);
        assert_true(dd_series_value(&c, 0, t[i]) == v[i]);
    }
    dd_pool_free(pool);
    dd_context_free(ctx);
}

/* ---- a table for a model ---- */

static char path[] = "/tmp/daedal-inputs-XXXXXX";

static const char model_text[] = "model M\n input Real u; input Real q[2];\n Real x(start = 0, fixed = true);\n"
                                 "equation\n der(x) = u + q[2];\nend M;\n";

typedef struct table_call {
    dd_system *system;
    dd_pool *pool;
    dd_inputs_options options;
    dd_string_vec messages;
    dd_inputs *in;
} table_call;

static void table_body(void *arg)
{
    table_call *call = arg;
    call->in = dd_inputs_new(call->system, &call->options, &call->messages, call->pool);
}

static void put_file(const char *text)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static void with_table(const char *csv, dd_status expected, void (*look)(table_call *))
{
    strcpy(path + strlen(path) - 6, "XXXXXX");
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    put_file(csv);
    dd_context *ctx = new_context();
    dd_model *model;
    dd_system *system;
    assert_int_equal(dd_model_load_text(&model, ctx, "m.mo", model_text, strlen(model_text), NULL), DD_OK);
    assert_int_equal(dd_model_analyse(&system, model, NULL), DD_OK);
    table_call call = {
        .system = system, .pool = dd_pool_new(ctx), .options = {.path = path, .start = 0, .stop = 4, .tol = 1e-6}};
    assert_int_equal(dd_protect(ctx, table_body, &call), expected);
    if (look) {
        look(&call);
    }
    dd_pool_free(call.pool);
    dd_system_free(system);
    dd_model_free(model);
    dd_context_free(ctx);
    unlink(path);
}

static void look_at_moments(table_call *call)
{
    dd_inputs *in = call->in;
    assert_int_equal(dd_inputs_supplied(in)->len, 2);
    /* jumps of either column, corners of u at 3 where its slope changes and of q[2] nowhere */
    assert_true(dd_inputs_next_jump(in, 0) == 1);
    assert_true(dd_inputs_next_jump(in, 1) == 2);
    assert_true(isinf(dd_inputs_next_jump(in, 2)));
    assert_true(dd_inputs_next_corner(in, 2) == 3);
    assert_true(isinf(dd_inputs_next_corner(in, 4)));
    const uint32_t u = dd_inputs_supplied(in)->data[0], q2 = dd_inputs_supplied(in)->data[1];
    assert_true(dd_inputs_value(in, u, 0, 0.5) == 0.5);
    assert_true(dd_inputs_value(in, q2, 0, 0.5) == 7);
    dd_inputs_enter(in, 1);
    assert_true(dd_inputs_value(in, u, 0, 1) == 4);
    double taylor[8 * 2];
    assert_true(call->system->model->vars.len <= 8);
    dd_inputs_taylor(in, 2.5, 2, taylor);
    assert_true(taylor[u * 2] == 4 && taylor[u * 2 + 1] == 0 && taylor[q2 * 2] == 7);
    assert_int_equal(call->messages.len, 0);
}

static void test_moments(void **state)
{
    (void)state;
    with_table("time,u,x,\"q[2]\"\n0,0,9,7\n1,1,9,7\n1,4,9,7\n2,4,9,7\n2,4,9,8\n3,4,9,8\n4,5,9,8\n", DD_OK,
               look_at_moments);
}

static void look_at_coverage(table_call *call)
{
    assert_int_equal(call->messages.len, 2);
    assert_non_null(strstr(call->messages.data[0], "begins at time 1"));
    assert_non_null(strstr(call->messages.data[1], "ends at time 2"));
}

static void look_at_refusal(table_call *call)
{
    assert_non_null(strstr(dd_context_message(call->system->ctx), ":3: time goes backwards"));
}

static void test_messages(void **state)
{
    (void)state;
    with_table("time,u\n1,0\n2,0\n", DD_OK, look_at_coverage);
    with_table("time,u\n1,0\n0,0\n", DD_INVALID_MODEL, look_at_refusal);
    with_table("time,nothing\n1,0\n", DD_INVALID_MODEL, NULL);
    with_table("", DD_INVALID_MODEL, NULL);
}

/* ---- a whole run through the public interface ---- */

static double run_with(const char *csv, double stop)
{
    strcpy(path + strlen(path) - 6, "XXXXXX");
    close(mkstemp(path));
    put_file(csv);
    dd_context *ctx = new_context();
    dd_model *model;
    dd_system *system;
    dd_sim *sim;
    assert_int_equal(dd_model_load_text(&model, ctx, "m.mo", model_text, strlen(model_text), NULL), DD_OK);
    assert_int_equal(dd_model_analyse(&system, model, NULL), DD_OK);
    dd_sim_options o = dd_sim_options_default();
    o.has_stop = true;
    o.stop = stop;
    o.tol = 1e-10;
    o.input_file = path;
    assert_int_equal(dd_sim_new(&sim, system, &o), DD_OK);
    double x = 0;
    for (int again = 0; again < 2; again++) { /* a second run starts with the first piece again */
        assert_int_equal(dd_sim_run(sim), DD_OK);
        assert_int_equal(dd_sim_get_info(sim).status, DD_SIM_OK);
        assert_true(again == 0 || dd_sim_final(sim, 0) == x);
        x = dd_sim_final(sim, 0);
    }
    dd_sim_free(sim);
    dd_system_free(system);
    dd_model_free(model);
    dd_context_free(ctx);
    unlink(path);
    return x;
}

static void test_runs(void **state)
{
    (void)state;
    assert_true(fabs(run_with("time,u\n0,0\n1,1\n1,-3\n2,-3\n", 2) + 2.5) < 1e-9);
    assert_true(fabs(run_with("time,u\n0,1\n0.5,1\n0.5,0\n0.6,0\n0.6,2\n9,2\n", 1) - 1.3) < 1e-9);
    /* a saw tooth with 200 corners: its integral, exactly */
    char csv[8192] = "time,u\n";
    for (int i = 0; i <= 200; i++) {
        sprintf(csv + strlen(csv), "%.17g,%d\n", i / 100.0, i % 2);
    }
    assert_true(fabs(run_with(csv, 2) - 1) < 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spline_of_cubic), cmocka_unit_test(test_order),     cmocka_unit_test(test_few_rows),
        cmocka_unit_test(test_pieces),          cmocka_unit_test(test_any_order), cmocka_unit_test(test_moments),
        cmocka_unit_test(test_messages),        cmocka_unit_test(test_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
