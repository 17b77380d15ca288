/* Square nonlinear systems: known roots from hard guesses, points that are not finite, paths with turning points, and
 * systems without a solution. */
#include "nls/newton.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "daedal/daedal.h"

typedef struct system2 {
    uint32_t n;
    void (*f)(const double *x, double *r);
    void (*j)(const double *x, double *val); /* column-major, full */
} system2;

static int residual(void *user, const double *x, double *r)
{
    const system2 *s = user;
    s->f(x, r);
    for (uint32_t i = 0; i < s->n; i++) {
        if (!isfinite(r[i])) {
            return 1;
        }
    }
    return 0;
}

static int jacobian(void *user, const double *x, double *val)
{
    const system2 *s = user;
    s->j(x, val);
    return 0;
}

typedef dd_status (*method)(dd_newton_info *, dd_context *, const dd_square *, const double *, double *);

static dd_newton_info run(const system2 *s, method m, double *x)
{
    dd_context *ctx;
    assert_int_equal(dd_context_new(&ctx, NULL), DD_OK);
    uint32_t ptr[] = {0, s->n, 2 * s->n}, idx[] = {0, 1, 0, 1};
    if (s->n == 1) {
        ptr[1] = 1;
    }
    dd_csc pattern = {.nrows = s->n, .ncols = s->n, .ptr = ptr, .idx = idx};
    dd_square p = {.user = (void *)s, .n = s->n, .pattern = &pattern, .residual = residual, .jacobian = jacobian};
    const double size[] = {1, 1};
    dd_newton_info info;
    assert_int_equal(m(&info, ctx, &p, size, x), DD_OK);
    dd_context_free(ctx);
    return info;
}

static void atan_f(const double *x, double *r)
{
    r[0] = atan(x[0]) - 0.1;
}
static void atan_j(const double *x, double *v)
{
    v[0] = 1 / (1 + x[0] * x[0]);
}
static void log_f(const double *x, double *r)
{
    r[0] = log(x[0]) - 1;
}
static void log_j(const double *x, double *v)
{
    v[0] = 1 / x[0];
}
static void square_f(const double *x, double *r)
{
    r[0] = x[0] * x[0] - 4;
}
static void square_j(const double *x, double *v)
{
    v[0] = 2 * x[0];
}
static void none_f(const double *x, double *r)
{
    r[0] = x[0] * x[0] + 1;
}
static void double_f(const double *x, double *r)
{
    r[0] = (x[0] - 1) * (x[0] - 1);
}
static void double_j(const double *x, double *v)
{
    v[0] = 2 * (x[0] - 1);
}
static void cubic_f(const double *x, double *r)
{
    r[0] = x[0] * x[0] * x[0] - 3 * x[0] + 20;
}
static void cubic_j(const double *x, double *v)
{
    v[0] = 3 * x[0] * x[0] - 3;
}

/* undamped Newton diverges for atan from |x| > 1.39 */
static void damping(void **state)
{
    (void)state;
    const system2 s = {1, atan_f, atan_j};
    for (double start = -50; start <= 50; start += 12.5) {
        double x = start;
        dd_newton_info info = run(&s, dd_newton_solve, &x);
        assert_int_equal(info.verdict, DD_NEWTON_CONVERGED);
        assert_true(fabs(x - tan(0.1)) <= 2 * DBL_EPSILON);
    }
}

/* the full step from 20 goes to a negative number, where log is not finite */
static void not_finite(void **state)
{
    (void)state;
    const system2 s = {1, log_f, log_j};
    double x = 20;
    assert_int_equal(run(&s, dd_newton_solve, &x).verdict, DD_NEWTON_CONVERGED);
    assert_true(fabs(x - exp(1.0)) <= 8 * DBL_EPSILON);
    x = -1;
    assert_int_equal(run(&s, dd_newton_solve, &x).verdict, DD_NEWTON_NOT_FINITE);
    x = -1;
    assert_int_equal(run(&s, dd_homotopy_solve, &x).verdict, DD_NEWTON_NOT_FINITE);
}

static void no_solution(void **state)
{
    (void)state;
    const system2 s = {1, none_f, square_j};
    for (double start = -2; start <= 2; start += 0.8) {
        double x = start;
        assert_int_not_equal(run(&s, dd_newton_solve, &x).verdict, DD_NEWTON_CONVERGED);
        x = start;
        assert_int_not_equal(run(&s, dd_homotopy_solve, &x).verdict, DD_NEWTON_CONVERGED);
    }
}

static void singular_guess(void **state)
{
    (void)state;
    const system2 s = {1, square_f, square_j};
    double x = 0;
    assert_int_equal(run(&s, dd_newton_solve, &x).verdict, DD_NEWTON_SINGULAR);
    x = 0;
    assert_int_equal(run(&s, dd_homotopy_solve, &x).verdict, DD_NEWTON_CONVERGED);
    assert_true(fabs(fabs(x) - 2) <= 4 * DBL_EPSILON);
}

/* (x - 1)^2 = 0: linear convergence down to rounding */
static void double_root(void **state)
{
    (void)state;
    const system2 s = {1, double_f, double_j};
    double x = 3;
    assert_int_equal(run(&s, dd_newton_solve, &x).verdict, DD_NEWTON_CONVERGED);
    assert_true(fabs(x - 1) <= 1e-7);
}

/* x^3 - 3x + 20 has one root, left of both turning points of the path from x = 3 */
static void through_turning_points(void **state)
{
    (void)state;
    const system2 s = {1, cubic_f, cubic_j};
    double x = 3;
    assert_int_not_equal(run(&s, dd_newton_solve, &x).verdict, DD_NEWTON_CONVERGED);
    x = 3;
    dd_newton_info info = run(&s, dd_homotopy_solve, &x);
    assert_int_equal(info.verdict, DD_NEWTON_CONVERGED);
    assert_true(fabs(x * x * x - 3 * x + 20) < 1e-13);
    assert_true(x < -3 && x > -3.2);
}

/* Freudenstein and Roth (1963): Newton from (0.5, -2) is caught by a point with a singular Jacobian; (5, 4) is the root */
static void freudenstein_f(const double *x, double *r)
{
    r[0] = -13 + x[0] + ((5 - x[1]) * x[1] - 2) * x[1];
    r[1] = -29 + x[0] + ((x[1] + 1) * x[1] - 14) * x[1];
}

static void freudenstein_j(const double *x, double *v)
{
    v[0] = v[1] = 1;
    v[2] = 10 * x[1] - 3 * x[1] * x[1] - 2;
    v[3] = 3 * x[1] * x[1] + 2 * x[1] - 14;
}

static void freudenstein_roth(void **state)
{
    (void)state;
    const system2 s = {2, freudenstein_f, freudenstein_j};
    double x[] = {0.5, -2};
    assert_int_equal(run(&s, dd_homotopy_solve, x).verdict, DD_NEWTON_CONVERGED);
    assert_true(fabs(x[0] - 5) < 1e-12 && fabs(x[1] - 4) < 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damping),           cmocka_unit_test(not_finite),  cmocka_unit_test(no_solution),
        cmocka_unit_test(singular_guess),    cmocka_unit_test(double_root), cmocka_unit_test(through_turning_points),
        cmocka_unit_test(freudenstein_roth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
