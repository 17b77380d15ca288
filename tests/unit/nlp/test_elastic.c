/* The elastic program: values and derivatives against differences, and optima that follow from geometry. */
#include <math.h>
#include <string.h>

#include "nlp/elastic.h"
#include "unit/base/support.h"

/* Rows x^2 + y^2 in [4, 9], x + y >= 10, x y = 1; bounds x <= 2, y in [-5, 3]. */
static bool no_objective(void *user, const double *x, bool new_x, double *f)
{
    (void)user, (void)x, (void)new_x;
    *f = 0;
    return true;
}

static bool no_gradient(void *user, const double *x, bool new_x, double *g)
{
    (void)user, (void)x, (void)new_x;
    g[0] = g[1] = 0;
    return true;
}

static bool rows(void *user, const double *x, bool new_x, double *c)
{
    (void)user, (void)new_x;
    c[0] = x[0] * x[0] + x[1] * x[1];
    c[1] = x[0] + x[1];
    c[2] = x[0] * x[1];
    return true;
}

static bool slopes(void *user, const double *x, bool new_x, double *values)
{
    (void)user, (void)new_x;
    const double v[] = {2 * x[0], 2 * x[1], 1, 1, x[1], x[0]};
    memcpy(values, v, sizeof v);
    return true;
}

static bool curvature(void *user, const double *x, bool new_x, double sigma, const double *lambda, double *values)
{
    (void)user, (void)x, (void)new_x, (void)sigma;
    values[0] = 2 * lambda[0];
    values[1] = lambda[2];
    values[2] = 2 * lambda[0];
    return true;
}

static dd_nlp program(const double *bounds)
{
    static const uint32_t row[] = {0, 0, 1, 1, 2, 2}, col[] = {0, 1, 0, 1, 0, 1}, high[] = {0, 1, 1}, low[] = {0, 0, 1};
    return (dd_nlp){.n = 2,
                    .m = 3,
                    .x_lower = bounds,
                    .x_upper = bounds + 2,
                    .c_lower = bounds + 4,
                    .c_upper = bounds + 7,
                    .jacobian_nnz = 6,
                    .hessian_nnz = 3,
                    .jacobian_row = row,
                    .jacobian_col = col,
                    .hessian_row = high,
                    .hessian_col = low,
                    .objective = no_objective,
                    .gradient = no_gradient,
                    .constraints = rows,
                    .jacobian = slopes,
                    .hessian = curvature};
}

static const double some_bounds[] = {-INFINITY, -5, 2, 3, 4, 10, 1, 9, INFINITY, 1};

#define H DD_ELASTIC_HARD

/* Derivatives of all rows by central differences of the elastic program's own values. */
static void test_derivatives(void **state)
{
    (void)state;
    dd_context *ctx = new_context();
    dd_nlp inner = program(some_bounds);
    const double weight[] = {1, 2, 3, 4}, unit[] = {0.5, 2, 1, 1}, reference[] = {0.3, 0.2};
    const uint32_t row_lower[] = {0, 1, 2}, row_upper[] = {3, H, 2}, lower[] = {H, 1}, upper[] = {3, H};
    dd_elastic_spec spec = {4, weight, unit, row_lower, row_upper, lower, upper, reference, 0.1, NULL};
    dd_elastic *e;
    assert_int_equal(dd_elastic_new(&e, ctx, &inner, &spec), DD_OK);
    const dd_nlp *nlp = dd_elastic_nlp(e);
    assert_int_equal(nlp->n, 6);
    assert_int_equal(nlp->m, 3 + 2 + 2); /* two rows have two sides, two bounds give way */
    double x[] = {0.7, -1.1, 0.2, 0.3, 0.4, 0.5}, plus[7], minus[7], dense[7][6] = {{0}};
    double *values = calloc(nlp->jacobian_nnz, sizeof *values);
    assert_non_null(values);
    assert_true(nlp->jacobian(nlp->user, x, true, values));
    for (uint32_t k = 0; k < nlp->jacobian_nnz; k++) {
        dense[nlp->jacobian_row[k]][nlp->jacobian_col[k]] += values[k];
    }
    free(values);
    for (uint32_t j = 0; j < 6; j++) {
        double keep = x[j];
        x[j] = keep + 1e-4;
        assert_true(nlp->constraints(nlp->user, x, true, plus));
        x[j] = keep - 1e-4;
        assert_true(nlp->constraints(nlp->user, x, true, minus));
        x[j] = keep;
        for (uint32_t i = 0; i < 7; i++) {
            assert_true(fabs((plus[i] - minus[i]) / 2e-4 - dense[i][j]) < 1e-9);
        }
    }
    /* the Hessian of lambda^T c + sigma f is that of the rows they are copies of, plus the distance */
    const double lambda[] = {1, 2, 3, 0.5, 0.25, 9, 9};
    double h[5];
    assert_int_equal(nlp->hessian_nnz, 5);
    assert_true(nlp->hessian(nlp->user, x, true, 2, lambda, h));
    assert_true(fabs(h[0] - 3) < 1e-15 && fabs(h[1] - 3.25) < 1e-15 && fabs(h[2] - 3) < 1e-15);
    assert_true(fabs(h[3] - 0.2) < 1e-15 && fabs(h[4] - 0.2) < 1e-15);
    dd_elastic_free(e);
    dd_context_free(ctx);
}

static dd_nlp_status optimum(dd_context *ctx, const dd_nlp *nlp, double *x, double *lambda)
{
    double low[8] = {0}, high[8] = {0};
    dd_nlp_result r = {.x = x, .lambda = lambda, .z_lower = low, .z_upper = high};
    dd_nlp_options options = dd_nlp_options_default();
    assert_int_equal(dd_nlp_solve(ctx, nlp, &options, &r), DD_OK);
    return r.status;
}

/* x + y >= 10 against x <= 2 and y <= 3: they are 5 apart, and the cheapest of them gives all of it. */
static void test_cheapest_gives_way(void **state)
{
    (void)state;
    if (!dd_nlp_available()) {
        skip();
    }
    dd_context *ctx = new_context();
    static const double bounds[] = {-INFINITY, -5, 2, 3, -INFINITY, 10, -INFINITY, INFINITY, INFINITY, INFINITY};
    dd_nlp inner = program(bounds);
    const double unit[] = {1, 1, 1}, reference[] = {0, 0};
    const uint32_t row_lower[] = {H, 0, H}, none[] = {H, H, H}, open[] = {H, H}, upper[] = {1, 2};
    for (uint32_t cheap = 0; cheap < 3; cheap++) {
        double weight[] = {2, 2, 2}, x[] = {0, 0, 6, 1, 1}, lambda[8] = {0}, pressure[3];
        weight[cheap] = 1;
        dd_elastic_spec spec = {3, weight, unit, row_lower, none, open, upper, reference, 1e-8, NULL};
        dd_elastic *e;
        assert_int_equal(dd_elastic_new(&e, ctx, &inner, &spec), DD_OK);
        assert_int_equal(optimum(ctx, dd_elastic_nlp(e), x, lambda), DD_NLP_OPTIMAL);
        for (uint32_t g = 0; g < 3; g++) {
            assert_true(fabs(x[2 + g] - (g == cheap ? 5 : 0)) < 1e-5);
        }
        dd_elastic_pressure(e, lambda, pressure); /* all three are in conflict: multipliers 1, 1, 1 */
        for (uint32_t g = 0; g < 3; g++) {
            assert_true(fabs(pressure[g] - 1) < 1e-5);
        }
        dd_elastic_free(e);
    }
    dd_context_free(ctx);
}

/* The same where the cheapest may give 2 at most: the two others, equally cheap, give the rest. */
static void test_gives_way_so_far(void **state)
{
    (void)state;
    if (!dd_nlp_available()) {
        skip();
    }
    dd_context *ctx = new_context();
    static const double bounds[] = {-INFINITY, -5, 2, 3, -INFINITY, 10, -INFINITY, INFINITY, INFINITY, INFINITY};
    dd_nlp inner = program(bounds);
    const double unit[] = {1, 1, 1}, weight[] = {1, 2, 2}, reference[] = {0, 0}, most[] = {2, INFINITY, INFINITY};
    const uint32_t row_lower[] = {H, 0, H}, none[] = {H, H, H}, open[] = {H, H}, upper[] = {1, 2};
    dd_elastic_spec spec = {3, weight, unit, row_lower, none, open, upper, reference, 1e-8, most};
    double x[] = {0, 0, 1, 3, 3}, lambda[8] = {0};
    dd_elastic *e;
    assert_int_equal(dd_elastic_new(&e, ctx, &inner, &spec), DD_OK);
    assert_int_equal(optimum(ctx, dd_elastic_nlp(e), x, lambda), DD_NLP_OPTIMAL);
    assert_true(fabs(x[2] - 2) < 1e-5 && fabs(x[3] + x[4] - 3) < 1e-5);
    dd_elastic_free(e);
    dd_context_free(ctx);
}

/* One slack for two rows: the larger violation counts. A point that satisfies everything needs none. */
static void test_nothing_gives_way(void **state)
{
    (void)state;
    if (!dd_nlp_available()) {
        skip();
    }
    dd_context *ctx = new_context();
    static const double bounds[] = {-INFINITY, -5, 2, 3, 4, 1, -INFINITY, 9, INFINITY, INFINITY};
    dd_nlp inner = program(bounds);
    const double unit[] = {1}, weight[] = {1}, reference[] = {0, 0};
    const uint32_t row_lower[] = {0, 0, H}, row_upper[] = {0, 0, H}, open[] = {H, H};
    dd_elastic_spec spec = {1, weight, unit, row_lower, row_upper, open, open, reference, 1e-8, NULL};
    double x[] = {0.5, 0.5, 5}, lambda[8] = {0};
    dd_elastic *e;
    assert_int_equal(dd_elastic_new(&e, ctx, &inner, &spec), DD_OK);
    assert_int_equal(optimum(ctx, dd_elastic_nlp(e), x, lambda), DD_NLP_OPTIMAL);
    assert_true(x[2] < 1e-6 && x[0] * x[0] + x[1] * x[1] > 4 - 1e-5);
    dd_elastic_free(e);
    dd_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_derivatives), cmocka_unit_test(test_cheapest_gives_way),
                                       cmocka_unit_test(test_gives_way_so_far),
                                       cmocka_unit_test(test_nothing_gives_way)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
