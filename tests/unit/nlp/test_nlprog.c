/* The public nonlinear program: what it refuses, what its functions may answer, and what it says afterwards. */
#include <math.h>
#include <string.h>

#include "daedal/nlp.h"
#include "unit/base/support.h"

/* min (x - 3)^2 + (y + 1)^2, x + y = 1 - with a function that can be told to fail. At (2.5, -1.5), multiplier 1. */
typedef struct told {
    uint32_t calls, from; /* the answer begins with this call of the objective; 0: never */
    int answer;
    bool nan;
} told;

static int objective(void *user, const double *x, bool new_x, double *f)
{
    told *t = user;
    (void)new_x;
    *f = (x[0] - 3) * (x[0] - 3) + (x[1] + 1) * (x[1] + 1);
    t->calls++;
    bool now = t->from > 0 && t->calls >= t->from;
    *f = now && t->nan ? NAN : *f;
    return now ? t->answer : 0;
}

static int gradient(void *user, const double *x, bool new_x, double *g)
{
    (void)user, (void)new_x;
    g[0] = 2 * (x[0] - 3);
    g[1] = 2 * (x[1] + 1);
    return 0;
}

static int rows(void *user, const double *x, bool new_x, double *c)
{
    (void)user, (void)new_x;
    c[0] = x[0] + x[1];
    return 0;
}

static int jacobian(void *user, const double *x, bool new_x, double *values)
{
    (void)user, (void)x, (void)new_x;
    values[0] = values[1] = 1;
    return 0;
}

static int hessian(void *user, const double *x, bool new_x, double sigma, const double *lambda, double *values)
{
    (void)user, (void)x, (void)new_x, (void)lambda;
    values[0] = values[1] = 2 * sigma;
    return 0;
}

static dd_nlprog_functions program(told *t)
{
    static const double one[] = {1};
    static const uint32_t row[] = {0, 0}, both[] = {0, 1};
    static const char *const names[] = {"x", "y"}, *const row_names[] = {"sum"};
    return (dd_nlprog_functions){.user = t,
                                 .n = 2,
                                 .m = 1,
                                 .c_lower = one,
                                 .c_upper = one,
                                 .jacobian_nnz = 2,
                                 .hessian_nnz = 2,
                                 .jacobian_row = row,
                                 .jacobian_col = both,
                                 .hessian_row = both,
                                 .hessian_col = both,
                                 .objective = objective,
                                 .gradient = gradient,
                                 .constraints = rows,
                                 .jacobian = jacobian,
                                 .hessian = hessian,
                                 .x_names = names,
                                 .c_names = row_names};
}

static void refused(dd_context *ctx, const dd_nlprog_functions *f, const char *message)
{
    dd_nlprog *p;
    assert_int_equal(dd_nlprog_new(&p, ctx, f), DD_INVALID_ARGUMENT);
    assert_null(p);
    assert_string_equal(dd_context_message(ctx), message);
}

static void test_refused(void **state)
{
    (void)state;
    dd_context *ctx = new_context();
    dd_nlprog *p;
    told t = {0};
    const dd_nlprog_functions good = program(&t);
    assert_int_equal(dd_nlprog_new(NULL, ctx, &good), DD_INVALID_ARGUMENT);
    assert_int_equal(dd_nlprog_new(&p, NULL, &good), DD_INVALID_ARGUMENT);
    assert_int_equal(dd_nlprog_new(&p, ctx, NULL), DD_INVALID_ARGUMENT);
    /* bounds */
    static const double two[] = {0, 2}, minus[] = {0, -2}, none[] = {0, NAN}, far[] = {0, INFINITY};
    dd_nlprog_functions f = good;
    f.x_lower = two;
    f.x_upper = minus;
    refused(ctx, &f, "variable 1: the lower bound 2 is above the upper bound -2");
    f.x_upper = none;
    refused(ctx, &f, "variable 1: a bound is not a number");
    f.x_lower = far;
    f.x_upper = NULL;
    refused(ctx, &f, "variable 1: no number is between its bounds");
    f = good;
    f.x_size = minus;
    refused(ctx, &f, "variable 0: its size must be a positive number, not 0");
    /* places and functions */
    static const uint32_t beyond[] = {0, 2}, first[] = {0, 0};
    f = good;
    f.jacobian_col = beyond;
    refused(ctx, &f, "entry 1 of the Jacobian is at (0, 2): there are 1 rows and 2 variables");
    f.jacobian_col = NULL;
    refused(ctx, &f, "the Jacobian has entries without places");
    f = good;
    f.hessian_row = first;
    refused(ctx, &f, "entry 1 of the Hessian is at (0, 1): not in the lower triangle of 2 variables");
    f = good;
    f.constraints = NULL;
    refused(ctx, &f, "a function is missing: objective, gradient, constraints or jacobian");
    dd_context_free(ctx);
}

static void test_options_refused(void **state)
{
    (void)state;
    dd_context *ctx = new_context();
    dd_nlprog *p;
    told t = {0};
    const dd_nlprog_functions f = program(&t);
    assert_int_equal(dd_nlprog_new(&p, ctx, &f), DD_OK);
    dd_nlprog_options o = dd_nlprog_options_default();
    assert_true(o.tolerance == 1e-8 && o.max_iterations == 3000 && o.solver == NULL && !o.warm);
    o.solver = "simplex";
    assert_int_equal(dd_nlprog_solve(p, NULL, &o), DD_INVALID_ARGUMENT);
    assert_string_equal(dd_context_message(ctx), "there is no solver simplex");
    o = dd_nlprog_options_default();
    o.tolerance = 0;
    assert_int_equal(dd_nlprog_solve(p, NULL, &o), DD_INVALID_ARGUMENT);
    o = dd_nlprog_options_default();
    o.barrier = NAN;
    assert_int_equal(dd_nlprog_solve(p, NULL, &o), DD_INVALID_ARGUMENT);
    /* before any solve */
    assert_int_equal(dd_nlprog_get_info(p).status, DD_NLP_FAILED);
    assert_int_equal(dd_nlprog_get_info(p).worst_row, 1);
    assert_string_equal(dd_nlprog_row_name(p, 0), "sum");
    assert_string_equal(dd_nlprog_row_name(p, 1), "");
    assert_string_equal(dd_nlprog_variable_name(p, 1), "y");
    assert_int_equal(dd_nlprog_dependent_row(p, 0), 1);
    static const double high[] = {2};
    assert_int_equal(dd_nlprog_set_bounds(p, NULL, NULL, high, NULL), DD_INVALID_ARGUMENT); /* above the upper one */
    dd_nlprog_free(p);
    /* nothing of nothing */
    assert_int_equal(dd_nlprog_solve(NULL, NULL, NULL), DD_INVALID_ARGUMENT);
    assert_null(dd_nlprog_x(NULL));
    assert_false(dd_nlprog_solver_available(NULL));
    assert_false(dd_nlprog_solver_available("simplex"));
    dd_nlprog_free(NULL);
    assert_string_equal(dd_nlp_status_name(DD_NLP_FAILED), "failed");
    assert_string_equal(dd_nlp_status_name((dd_nlp_status)99), "unknown");
    dd_context_free(ctx);
}

static dd_nlprog_info solved(dd_context *ctx, told *t, const char *solver)
{
    dd_nlprog *p;
    const dd_nlprog_functions f = program(t);
    dd_nlprog_options o = dd_nlprog_options_default();
    o.solver = solver;
    assert_int_equal(dd_nlprog_new(&p, ctx, &f), DD_OK);
    assert_int_equal(dd_nlprog_solve(p, NULL, &o), DD_OK);
    const dd_nlprog_info info = dd_nlprog_get_info(p);
    assert_string_equal(info.solver, solver);
    /* texts live as long as the program */
    assert_int_equal(info.reason[0] == '\0', info.status == DD_NLP_OPTIMAL);
    if (info.status == DD_NLP_OPTIMAL) {
        assert_true(fabs(dd_nlprog_x(p)[0] - 2.5) < 1e-7 && fabs(dd_nlprog_x(p)[1] + 1.5) < 1e-7);
        assert_true(fabs(dd_nlprog_lambda(p)[0] - 1) < 1e-7);
        assert_true(info.violation < 1e-8 && info.dual_infeasibility < 1e-7);
        assert_true(fabs(info.objective - 0.5) < 1e-8);
        assert_true(info.objectives > 0 && info.gradients > 0 && info.constraints > 0 && info.hessians > 0);
    }
    dd_nlprog_free(p);
    return info;
}

/* Every solver that is there: solved, stopped by a function, no value at the start, and none from some call on. */
static void test_answers(void **state)
{
    (void)state;
    dd_context *ctx = new_context();
    for (uint32_t i = 0; dd_nlprog_solver(i) != NULL; i++) {
        const char *solver = dd_nlprog_solver(i);
        if (!dd_nlprog_solver_available(solver)) {
            continue;
        }
        told fine = {0}, stops = {.from = 1, .answer = -1}, nowhere = {.from = 1, .answer = 1},
             nan = {.from = 1, .nan = true};
        assert_int_equal(solved(ctx, &fine, solver).status, DD_NLP_OPTIMAL);
        assert_int_equal(solved(ctx, &stops, solver).status, DD_NLP_INTERRUPTED);
        dd_nlprog_info info = solved(ctx, &nowhere, solver);
        assert_int_equal(info.status, DD_NLP_EVALUATION_ERROR);
        assert_true(info.refused > 0);
        assert_int_equal(solved(ctx, &nan, solver).status, DD_NLP_EVALUATION_ERROR);
        told later = {.from = 2, .answer = 1};
        assert_int_not_equal(solved(ctx, &later, solver).status, DD_NLP_OPTIMAL);
    }
    dd_context_free(ctx);
}

/* x^2 + y^2 + x y - 3 x, least at (2, -1): -3. */
static int bowl(void *user, const double *x, bool new_x, double *f)
{
    (void)user, (void)new_x;
    *f = x[0] * x[0] + x[1] * x[1] + x[0] * x[1] - 3 * x[0];
    return 0;
}

static int bowl_gradient(void *user, const double *x, bool new_x, double *g)
{
    (void)user, (void)new_x;
    g[0] = 2 * x[0] + x[1] - 3;
    g[1] = 2 * x[1] + x[0];
    return 0;
}

/* Without second derivatives they are approximated, whether or not a pattern is given: the same few steps. */
static void test_no_hessian(void **state)
{
    (void)state;
    static const double start[] = {5, -7};
    static const uint32_t row[] = {0, 1, 1}, col[] = {0, 0, 1};
    dd_context *ctx = new_context();
    for (int pattern = 0; pattern < 2; pattern++) {
        dd_nlprog *p;
        const dd_nlprog_functions f = {.n = 2,
                                       .hessian_nnz = pattern ? 3 : 0,
                                       .hessian_row = row,
                                       .hessian_col = col,
                                       .objective = bowl,
                                       .gradient = bowl_gradient};
        assert_int_equal(dd_nlprog_new(&p, ctx, &f), DD_OK);
        assert_int_equal(dd_nlprog_solve(p, start, NULL), DD_OK);
        assert_int_equal(dd_nlprog_get_info(p).status, DD_NLP_OPTIMAL);
        assert_true(fabs(dd_nlprog_get_info(p).objective + 3) < 1e-8);
        assert_in_range(dd_nlprog_get_info(p).iterations, 1, 12);
        dd_nlprog_free(p);
    }
    dd_context_free(ctx);
}

/* An interrupt of the context is a verdict, and the point stays. */
static void test_interrupt(void **state)
{
    (void)state;
    dd_context *ctx = new_context();
    for (uint32_t i = 0; dd_nlprog_solver(i) != NULL; i++) {
        if (!dd_nlprog_solver_available(dd_nlprog_solver(i))) {
            continue;
        }
        told fine = {0};
        dd_context_interrupt(ctx);
        assert_int_equal(solved(ctx, &fine, dd_nlprog_solver(i)).status, DD_NLP_INTERRUPTED);
    }
    dd_context_free(ctx);
}

/* Bounds change, and a warm solve takes fewer iterations than a cold one. */
static void test_again(void **state)
{
    (void)state;
    dd_context *ctx = new_context();
    dd_nlprog *p;
    told t = {0};
    const dd_nlprog_functions f = program(&t);
    if (!dd_nlprog_solver_available(dd_nlprog_solver(0))) {
        skip();
    }
    assert_int_equal(dd_nlprog_new(&p, ctx, &f), DD_OK);
    static const double low[] = {-INFINITY, -1};
    assert_int_equal(dd_nlprog_set_bounds(p, low, NULL, NULL, NULL), DD_OK);
    assert_int_equal(dd_nlprog_solve(p, NULL, NULL), DD_OK);
    assert_true(fabs(dd_nlprog_x(p)[0] - 2) < 1e-7); /* y at its bound; z_lower = lambda + 0 = 2 */
    assert_true(fabs(dd_nlprog_z_lower(p)[1] - 2) < 1e-6);
    const uint32_t cold = dd_nlprog_get_info(p).iterations;
    dd_nlprog_options o = dd_nlprog_options_default();
    o.warm = true;
    o.barrier = 1e-8;
    assert_int_equal(dd_nlprog_solve(p, NULL, &o), DD_OK);
    assert_int_equal(dd_nlprog_get_info(p).status, DD_NLP_OPTIMAL);
    assert_true(dd_nlprog_get_info(p).iterations < cold);
    dd_nlprog_free(p);
    dd_context_free(ctx);
}

static dd_context *failing(counting *count, uint64_t at)
{
    dd_context_options options = dd_context_options_default();
    options.alloc = counting_alloc;
    options.alloc_user = count;
    options.fail_at = at;
    dd_context *ctx;
    return dd_context_new(&ctx, &options) == DD_OK ? ctx : NULL;
}

/* Each allocation fails in turn, of making and of solving. */
static void test_memory(void **state)
{
    (void)state;
    for (uint32_t i = 0; dd_nlprog_solver(i) != NULL; i++) {
        dd_status status = DD_OUT_OF_MEMORY;
        for (uint64_t at = 1; status != DD_OK && dd_nlprog_solver_available(dd_nlprog_solver(i)); at++) {
            counting count = {0};
            dd_context *ctx = failing(&count, at);
            dd_nlprog *p = NULL;
            told t = {0};
            const dd_nlprog_functions f = program(&t);
            dd_nlprog_options o = dd_nlprog_options_default();
            o.solver = dd_nlprog_solver(i);
            if (ctx != NULL) {
                status = dd_nlprog_new(&p, ctx, &f);
                status = status == DD_OK ? dd_nlprog_solve(p, NULL, &o) : status;
                assert_true(status == DD_OK || status == DD_OUT_OF_MEMORY);
            }
            dd_nlprog_free(p);
            dd_context_free(ctx);
            assert_int_equal(count.bytes, 0);
            assert_int_equal(count.blocks, 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_refused),   cmocka_unit_test(test_options_refused),
                                       cmocka_unit_test(test_answers),   cmocka_unit_test(test_no_hessian),
                                       cmocka_unit_test(test_interrupt), cmocka_unit_test(test_again),
                                       cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
