/* Steps of sequential quadratic programming with the quadratic model of a program: quadratic convergence to the
 * program's own solution, active bounds and inequalities found by the model. */
#include <math.h>
#include <string.h>

#include "nlp/linearized.h"
#include "unit/base/support.h"

/* min exp(x) + (y - 2)^2 s.t. x^2 + y^2 = 2, x y <= 0.3, y <= 1.5 */
static bool objective(void *user, const double *x, bool new_x, double *f)
{
    (void)user, (void)new_x;
    *f = exp(x[0]) + (x[1] - 2) * (x[1] - 2);
    return true;
}

static bool gradient(void *user, const double *x, bool new_x, double *g)
{
    (void)user, (void)new_x;
    g[0] = exp(x[0]);
    g[1] = 2 * (x[1] - 2);
    return true;
}

static bool rows(void *user, const double *x, bool new_x, double *c)
{
    (void)user, (void)new_x;
    c[0] = x[0] * x[0] + x[1] * x[1];
    c[1] = x[0] * x[1];
    return true;
}

static bool slopes(void *user, const double *x, bool new_x, double *values)
{
    (void)user, (void)new_x;
    const double v[] = {2 * x[0], 2 * x[1], x[1], x[0]};
    memcpy(values, v, sizeof v);
    return true;
}

static bool curvature(void *user, const double *x, bool new_x, double sigma, const double *lambda, double *values)
{
    (void)user, (void)new_x;
    values[0] = sigma * exp(x[0]) + 2 * lambda[0];
    values[1] = lambda[1];
    values[2] = 2 * sigma + 2 * lambda[0];
    return true;
}

static const double x_lower[] = {-INFINITY, -INFINITY}, c_lower[] = {2, -INFINITY}, c_upper[] = {2, 0.3};

static dd_nlp program(const double *x_upper)
{
    static const uint32_t row[] = {0, 0, 1, 1}, col[] = {0, 1, 0, 1}, high[] = {0, 1, 1}, low[] = {0, 0, 1};
    return (dd_nlp){.n = 2,
                    .m = 2,
                    .x_lower = x_lower,
                    .x_upper = x_upper,
                    .c_lower = c_lower,
                    .c_upper = c_upper,
                    .jacobian_nnz = 4,
                    .hessian_nnz = 3,
                    .jacobian_row = row,
                    .jacobian_col = col,
                    .hessian_row = high,
                    .hessian_col = low,
                    .objective = objective,
                    .gradient = gradient,
                    .constraints = rows,
                    .jacobian = slopes,
                    .hessian = curvature};
}

typedef struct point {
    double x[2], lambda[2], low[2], high[2];
} point;

static void solve(dd_context *ctx, const dd_nlp *nlp, point *p)
{
    dd_nlp_options options = dd_nlp_options_default();
    options.solver = dd_nlp_solver_named("daedal");
    options.tolerance = 1e-12;
    dd_nlp_result result = {.x = p->x, .lambda = p->lambda, .z_lower = p->low, .z_upper = p->high};
    assert_int_equal(dd_nlp_solve(ctx, nlp, &options, &result), DD_OK);
    assert_int_equal(result.status, DD_NLP_OPTIMAL);
}

/* Errors of full steps from beside the solution: each at most a multiple of the square of the one before. */
static void steps_converge(const double *x_upper, double offset)
{
    dd_context *ctx = new_context();
    dd_nlp nlp = program(x_upper);
    point exact = {.x = {-1, 1}}, p;
    solve(ctx, &nlp, &exact);
    p = exact;
    p.x[0] += offset;
    p.x[1] -= offset;
    dd_linearized *l;
    assert_int_equal(dd_linearized_new(&l, ctx, &nlp), DD_OK);
    double before = offset;
    for (int k = 0; k < 6; k++) {
        assert_true(dd_linearized_at(l, p.x, p.lambda));
        solve(ctx, dd_linearized_nlp(l), &p);
        double error = hypot(p.x[0] - exact.x[0], p.x[1] - exact.x[1]);
        assert_true(error <= 10 * before * before + 1e-9);
        before = error;
    }
    assert_true(before < 1e-9);
    dd_linearized_free(l);
    dd_context_free(ctx);
}

static void test_newton(void **state)
{
    (void)state;
    const double far[] = {INFINITY, INFINITY}, near[] = {INFINITY, 1.3};
    steps_converge(far, 0.1);
    steps_converge(near, 0.1); /* the bound is active: y = 1.3, x = -sqrt(2 - 1.69) */
}

/* Without multipliers the curvature is that of the objective alone: slower, to the same point. */
static void test_gauss_newton(void **state)
{
    (void)state;
    const double x_upper[] = {INFINITY, 1.3};
    dd_context *ctx = new_context();
    dd_nlp nlp = program(x_upper);
    dd_linearized *l;
    point p = {.x = {-0.7, 1.2}};
    assert_int_equal(dd_linearized_new(&l, ctx, &nlp), DD_OK);
    for (int k = 0; k < 40; k++) {
        assert_true(dd_linearized_at(l, p.x, NULL));
        solve(ctx, dd_linearized_nlp(l), &p);
    }
    assert_true(fabs(p.x[1] - 1.3) < 1e-7 && fabs(p.x[0] + sqrt(2 - 1.69)) < 1e-7);
    dd_linearized_free(l);
    dd_linearized_free(NULL);
    dd_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_newton),
        cmocka_unit_test(test_gauss_newton),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
