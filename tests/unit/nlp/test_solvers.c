/* test_solvers.c - the list of solvers, and a solver that is chosen. */
#include "unit/base/support.h"

#include <string.h>

#include "nlp/nlp.h"
#include "nlp/permuted.h"

/* The words of the option are the names of the entries, in the same order. */
static void names_of_entries(void **state)
{
    (void)state;
    uint32_t count = 0;
    for (; dd_nlp_solver_at(count) != NULL; count++) {
        const dd_nlp_solver *solver = dd_nlp_solver_at(count);
        assert_non_null(dd_nlp_solver_names[count]);
        assert_string_equal(solver->name, dd_nlp_solver_names[count]);
        assert_ptr_equal(dd_nlp_solver_named(solver->name), solver);
        assert_true(solver->available() || solver->missing != NULL);
    }
    assert_true(count > 0);
    assert_null(dd_nlp_solver_names[count]);
    assert_null(dd_nlp_solver_named("snopt"));
}

static void asked_for_by_name(void **state)
{
    (void)state;
    dd_context *ctx;
    const dd_nlp_solver *solver;
    assert_int_equal(dd_context_new(&ctx, NULL), DD_OK);
    assert_int_equal(dd_nlp_solver_find(&solver, ctx, NULL), DD_OK);
    assert_null(solver);
    assert_int_equal(dd_nlp_solver_find(&solver, ctx, "snopt"), DD_INVALID_ARGUMENT);
    assert_string_equal(dd_context_message(ctx), "there is no solver snopt");
    for (uint32_t i = 0; dd_nlp_solver_at(i) != NULL; i++) {
        const dd_nlp_solver *entry = dd_nlp_solver_at(i);
        const dd_status status = dd_nlp_solver_find(&solver, ctx, entry->name);
        assert_int_equal(status, entry->available() ? DD_OK : DD_INVALID_ARGUMENT);
        assert_ptr_equal(solver, entry->available() ? entry : NULL);
        assert_true(entry->available() || strcmp(dd_context_message(ctx), entry->missing) == 0);
    }
    dd_context_free(ctx);
}

/* min sum (x_i - i)^2 by a solver of our own: one Newton step, which finds the minimum. */
enum { N = 7 };

static bool gradient(void *user, const double *x, bool new_x, double *g)
{
    (void)user, (void)new_x;
    for (int i = 0; i < N; i++) {
        g[i] = 2 * (x[i] - i);
    }
    return true;
}

static int solved; /* how often our solver was called */

static bool always(void)
{
    return true;
}

static dd_status newton_step(dd_context *ctx, const dd_nlp *nlp, const dd_nlp_options *options, dd_nlp_result *result)
{
    (void)ctx, (void)options;
    double g[N];
    solved++;
    assert_true(nlp->gradient(nlp->user, result->x, true, g));
    for (uint32_t i = 0; i < nlp->n; i++) {
        result->x[i] -= g[i] / 2;
    }
    result->status = DD_NLP_OPTIMAL;
    return DD_OK;
}

/* The solver of the options is the one that runs, in any order of the variables. */
static void the_chosen_one_solves(void **state)
{
    (void)state;
    static const dd_nlp_solver own = {"own", always, NULL, newton_step};
    double lower[N] = {0}, upper[N] = {0}, x[N] = {0}, z_lower[N] = {0}, z_upper[N] = {0}, lambda[1] = {0};
    dd_nlp nlp = {
        .n = N, .x_lower = lower, .x_upper = upper, .c_lower = lambda, .c_upper = lambda, .gradient = gradient};
    dd_nlp_result result = {.x = x, .lambda = lambda, .z_lower = z_lower, .z_upper = z_upper};
    dd_nlp_options options = dd_nlp_options_default();
    dd_permuted *permuted;
    dd_context *ctx;
    options.solver = &own;
    assert_int_equal(dd_context_new(&ctx, NULL), DD_OK);
    assert_int_equal(dd_nlp_solve(ctx, &nlp, &options, &result), DD_OK);
    assert_int_equal(solved, 1);
    memset(x, 0, sizeof x);
    assert_int_equal(dd_permuted_new(&permuted, ctx, &nlp, 5, 1), DD_OK);
    assert_int_equal(dd_permuted_solve(permuted, &options, &result), DD_OK);
    assert_int_equal(solved, 2);
    for (int i = 0; i < N; i++) {
        assert_true(x[i] == i);
    }
    dd_permuted_free(permuted);
    dd_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(names_of_entries), cmocka_unit_test(asked_for_by_name),
                                       cmocka_unit_test(the_chosen_one_solves)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
