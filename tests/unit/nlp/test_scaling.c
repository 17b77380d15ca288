/* Factors of rows and objective: small ones are scaled up, large gradients down, moderate ones left alone. */
#include <math.h>

#include "nlp/scaling.h"
#include "unit/base/support.h"

/* f = a x; rows b x - b (an end condition), 1e-9 x - 5 (far from its bound), x^2 (gradient 0 at 0). */
typedef struct sample {
    double a, b;
} sample;

static bool objective(void *user, const double *x, bool new_x, double *f)
{
    (void)new_x;
    *f = ((sample *)user)->a * x[0];
    return true;
}

static bool gradient(void *user, const double *x, bool new_x, double *g)
{
    (void)x, (void)new_x;
    g[0] = ((sample *)user)->a;
    return true;
}

static bool rows(void *user, const double *x, bool new_x, double *c)
{
    double b = ((sample *)user)->b;
    (void)new_x;
    c[0] = b * x[0] - b;
    c[1] = 1e-9 * x[0] - 5;
    c[2] = x[0] * x[0];
    return true;
}

static bool slopes(void *user, const double *x, bool new_x, double *values)
{
    (void)new_x;
    values[0] = ((sample *)user)->b;
    values[1] = 1e-9;
    values[2] = 2 * x[0];
    return true;
}

static dd_nlp_scaling scaling_of(sample *s, const double *size, double *memory, size_t room)
{
    static const double no[] = {-INFINITY, INFINITY}, low[] = {0, -INFINITY, 0}, high[] = {0, 0, 1};
    static const uint32_t row[] = {0, 1, 2}, col[] = {0, 0, 0};
    dd_nlp nlp = {.user = s, .n = 1, .m = 3, .x_lower = no, .x_upper = no + 1, .c_lower = low, .c_upper = high};
    nlp.jacobian_nnz = 3;
    nlp.jacobian_row = row;
    nlp.jacobian_col = col;
    nlp.objective = objective;
    nlp.gradient = gradient;
    nlp.constraints = rows;
    nlp.jacobian = slopes;
    nlp.x_size = size;
    assert_true(dd_nlp_scaling_memory(&nlp) <= room);
    const double x = 0;
    return dd_nlp_find_scaling(&nlp, &x, memory);
}

static void moderate_sizes_are_left_alone(void **state)
{
    (void)state;
    double memory[64];
    dd_nlp_scaling s = scaling_of(&(sample){1, 0.5}, NULL, memory, 64);
    assert_false(s.needed);
    assert_true(fabs(s.objective - 1) <= 0);
    assert_true(fabs(s.c[0] - 1) <= 0);
}

static void small_rows_and_costs_grow(void **state)
{
    (void)state;
    double memory[64];
    dd_nlp_scaling s = scaling_of(&(sample){1e-9, 5e-9}, NULL, memory, 64);
    assert_true(s.needed);
    assert_true(fabs(s.objective * 1e-9 - 1) <= 1e-12);
    assert_true(fabs(s.c[0] * 5e-9 - 1) <= 1e-12);
    assert_true(fabs(s.c[1] - 1) <= 0); /* flat, but far from its bound */
    assert_true(fabs(s.c[2] - 1) <= 0); /* its gradient vanishes at the guess only */
}

static void large_gradients_shrink(void **state)
{
    (void)state;
    double memory[64], size = 1e-6;
    dd_nlp_scaling s = scaling_of(&(sample){1e10, 1e9}, &size, memory, 64);
    assert_true(s.needed);
    assert_true(fabs(s.x[0] - 1e6) <= 1e-6);
    assert_true(fabs(s.objective - 1e-2) <= 1e-12); /* 100/(1e10*1e-6) */
    assert_true(fabs(s.c[0] - 1e-1) <= 1e-12);
}

/* Factors of 2e10 x in the cost and of rows 1e9 x and 1e-4 x, looked at again where slopes have changed. */
static bool holds_with(double cost, double large, double small, double moderate)
{
    static const uint32_t row[] = {0, 1, 2};
    const dd_nlp nlp = {.n = 1, .m = 3, .jacobian_nnz = 3, .jacobian_row = row};
    double x = 1, factors[] = {1e-7, 1e4, 1}, work[3];
    const dd_nlp_scaling s = {.objective = 5e-9, .x = &x, .c = factors};
    const double g = cost * s.objective, slopes_now[] = {large * factors[0], small * factors[1], moderate};
    return dd_nlp_scaling_holds(&nlp, &s, &(dd_nlp_scaled){.objective = g, .gradient = &g, .jacobian = slopes_now},
                                work);
}

static void factors_hold_while_sizes_do(void **state)
{
    (void)state;
    assert_true(holds_with(2e10, 1e9, 1e-4, 1));
    assert_true(holds_with(5e10, 5e8, 3e-4, 300));
    assert_true(holds_with(2e10, 1e9, 0, 0)); /* a row without slopes has no size */
    /* what was scaled down has become larger or smaller, */
    assert_false(holds_with(1e11, 1e9, 1e-4, 1));
    assert_false(holds_with(1e9, 1e9, 1e-4, 1));
    assert_false(holds_with(2e10, 5e9, 1e-4, 1));
    assert_false(holds_with(2e10, 1e8, 1e-4, 1));
    /* what was scaled up larger, what was left alone large or small, or not a number at all */
    assert_false(holds_with(2e10, 1e9, 1e-3, 1));
    assert_false(holds_with(2e10, 1e9, 1e-4, 500));
    assert_false(holds_with(2e10, 1e9, 1e-4, 1e-3));
    assert_false(holds_with(NAN, 1e9, 1e-4, 1));
}

/* min (x - at)^2 s, with the row r x = r at. */
typedef struct moving {
    double at, s, r;
    uint32_t slopes; /* how often they were asked for */
} moving;

static bool square(void *user, const double *x, bool new_x, double *f)
{
    const moving *m = user;
    (void)new_x;
    *f = m->s * (x[0] - m->at) * (x[0] - m->at) + m->s * x[1] * x[1];
    return true;
}

static bool square_slopes(void *user, const double *x, bool new_x, double *g)
{
    const moving *m = user;
    (void)new_x;
    g[0] = 2 * m->s * (x[0] - m->at);
    g[1] = 2 * m->s * x[1];
    return true;
}

static bool line(void *user, const double *x, bool new_x, double *c)
{
    const moving *m = user;
    (void)new_x;
    c[0] = m->r * (x[0] + x[1] - m->at - 1);
    return true;
}

static bool line_slopes(void *user, const double *x, bool new_x, double *values)
{
    moving *m = user;
    (void)x, (void)new_x;
    values[0] = values[1] = m->r;
    m->slopes++;
    return true;
}

static bool curvature(void *user, const double *x, bool new_x, double factor, const double *y, double *h)
{
    const moving *m = user;
    (void)x, (void)new_x, (void)y;
    h[0] = h[1] = 2 * factor * m->s;
    return true;
}

/* Slopes that a solve asks for beside those of its iterates. */
static uint32_t looks_of(dd_context *ctx, moving *m, dd_nlp_memory *memory, dd_nlp_result *r, bool warm)
{
    static const double low[] = {-INFINITY, -INFINITY}, high[] = {INFINITY, INFINITY}, zero[] = {0};
    static const uint32_t row[] = {0, 0}, col[] = {0, 1};
    const dd_nlp nlp = {.user = m,
                        .n = 2,
                        .m = 1,
                        .x_lower = low,
                        .x_upper = high,
                        .c_lower = zero,
                        .c_upper = zero,
                        .jacobian_nnz = 2,
                        .jacobian_row = row,
                        .jacobian_col = col,
                        .hessian_nnz = 2,
                        .hessian_row = col,
                        .hessian_col = col,
                        .objective = square,
                        .gradient = square_slopes,
                        .constraints = line,
                        .jacobian = line_slopes,
                        .hessian = curvature};
    dd_nlp_options options = dd_nlp_options_default();
    options.solver = dd_nlp_solver_named("daedal");
    options.memory = memory;
    options.warm = warm;
    m->slopes = 0;
    assert_int_equal(dd_nlp_solve(ctx, &nlp, &options, r), DD_OK);
    assert_int_equal(r->status, DD_NLP_OPTIMAL);
    assert_true(fabs(r->x[0] - m->at - 0.5) <= 1e-7);
    return m->slopes - r->iterations - 1;
}

/* A warm solve uses the factors of the one before again, unless these were no longer right at its end. */
static void warm_solves_keep_factors(void **state)
{
    (void)state;
    dd_context *ctx;
    assert_int_equal(dd_context_new(&ctx, NULL), DD_OK);
    dd_nlp_memory memory = {0};
    double x[2] = {0}, lambda[1] = {0}, z[2][2] = {{0}};
    dd_nlp_result r = {.x = x, .lambda = lambda, .z_lower = z[0], .z_upper = z[1]};
    moving m = {.at = 0, .s = 1, .r = 1};
    assert_int_equal(looks_of(ctx, &m, &memory, &r, false), 2);
    m.at = 0.1;
    assert_int_equal(looks_of(ctx, &m, &memory, &r, true), 0);
    m.at = 0.2;
    assert_int_equal(looks_of(ctx, &m, &memory, &r, false), 2); /* it begins elsewhere */
    /* a row a million times larger: seen at the end of the solve, scaled at the next */
    m.r = 1e6;
    assert_int_equal(looks_of(ctx, &m, &memory, &r, true), 0);
    assert_int_equal(looks_of(ctx, &m, &memory, &r, true), 2);
    assert_int_equal(looks_of(ctx, &m, &memory, &r, true), 0);
    dd_nlp_memory_free(&memory);
    dd_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moderate_sizes_are_left_alone), cmocka_unit_test(small_rows_and_costs_grow),
        cmocka_unit_test(large_gradients_shrink),        cmocka_unit_test(factors_hold_while_sizes_do),
        cmocka_unit_test(warm_solves_keep_factors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
