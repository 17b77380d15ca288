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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moderate_sizes_are_left_alone),
        cmocka_unit_test(small_rows_and_costs_grow),
        cmocka_unit_test(large_gradients_shrink),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
