/* Both square solvers: residuals recomputed, transposes, refactoring, singular matrices with the column named. */
#include "lakit.h"

#include "la/linsolver.h"
#include "sizes.h"

static dd_csc regular(dd_context *ctx, uint64_t *rng, uint32_t n)
{
    kit_triplets t = kit_triplets_new(6 * n);
    uint32_t *perm = malloc(n * sizeof *perm);
    kit_shuffle(rng, n, perm);
    for (uint32_t j = 0; j < n; j++) {
        kit_entry(&t, perm[j], j, 4 + kit_real(rng));
        for (uint32_t k = 0; k < 3; k++) {
            kit_entry(&t, kit_below(rng, n), j, kit_real(rng));
        }
    }
    free(perm);
    return kit_matrix(ctx, n, n, &t);
}

static void check_solution(const dd_csc *a, const double *x, const double *b, bool transposed)
{
    double *r = malloc((a->ncols + 1) * sizeof *r);
    memcpy(r, b, a->ncols * sizeof *r);
    (transposed ? dd_csc_multiply_t : dd_csc_multiply)(a, -1, x, r);
    assert_true(kit_norm(r, a->ncols) < 1e-11 * (1 + kit_norm(x, a->ncols)));
    free(r);
}

static void test_random(void **state)
{
    (void)state;
    dd_context *ctx = kit_context();
    uint64_t rng = 40;
    for (uint32_t s = 0; dd_linsolver_name(s) != NULL; s++) {
        for (uint32_t round = 0; round < 60; round++) {
            uint32_t n = 1 + kit_below(&rng, 60);
            dd_csc a = regular(ctx, &rng, n);
            dd_linsolver *ls;
            double b[120], x[120], condition;
            assert_int_equal(dd_linsolver_new(&ls, ctx, dd_linsolver_name(s)), DD_OK);
            assert_int_equal(dd_linsolver_analyse(ls, &a), DD_OK);
            for (uint32_t pass = 0; pass < 3; pass++) {
                assert_int_equal((pass == 0 ? dd_linsolver_factor : dd_linsolver_refactor)(ls, &a), DD_OK);
                assert_false(dd_linsolver_get_info(ls).singular);
                assert_int_equal(dd_linsolver_condition(ls, &a, &condition), DD_OK);
                assert_true(condition >= 1 && condition < 1e6);
                for (uint32_t i = 0; i < 2 * n; i++) {
                    b[i] = x[i] = kit_real(&rng);
                }
                assert_int_equal(dd_linsolver_solve(ls, 2, x), DD_OK);
                check_solution(&a, x, b, false);
                check_solution(&a, x + n, b + n, false);
                memcpy(x, b, n * sizeof *x);
                assert_int_equal(dd_linsolver_solve_t(ls, 1, x), DD_OK);
                check_solution(&a, x, b, true);
                for (uint32_t e = 0; e < a.ptr[n]; e++) {
                    a.val[e] *= 1 + 0.05 * kit_real(&rng);
                }
            }
            dd_linsolver_info info = dd_linsolver_get_info(ls);
            assert_int_equal(info.factor_count + info.refactor_count, 3);
            assert_int_equal(info.solve_count, 9);
            dd_linsolver_free(ls);
            dd_csc_free(ctx, &a);
        }
    }
    dd_context_free(ctx);
}

static void test_singular(void **state)
{
    (void)state;
    dd_context *ctx = kit_context();
    for (uint32_t s = 0; dd_linsolver_name(s) != NULL; s++) {
        dd_linsolver *ls;
        double b[3] = {1, 2, 3}, condition;
        assert_int_equal(dd_linsolver_new(&ls, ctx, dd_linsolver_name(s)), DD_OK);
        /* columns 1 and 2 parallel */
        kit_triplets t = kit_triplets_new(9);
        const double v[3][3] = {{1, 2, 4}, {0, 1, 2}, {1, 3, 6}};
        for (uint32_t k = 0; k < 9; k++) {
            kit_entry(&t, k / 3, k % 3, v[k / 3][k % 3]);
        }
        dd_csc a = kit_matrix(ctx, 3, 3, &t);
        assert_int_equal(dd_linsolver_analyse(ls, &a), DD_OK);
        assert_int_equal(dd_linsolver_factor(ls, &a), DD_OK);
        dd_linsolver_info info = dd_linsolver_get_info(ls);
        assert_true(info.singular && !info.structural);
        assert_true(info.column == 1 || info.column == 2);
        assert_int_equal(info.rank, 2);
        assert_int_equal(dd_linsolver_solve(ls, 1, b), DD_INVALID_ARGUMENT);
        assert_int_equal(dd_linsolver_condition(ls, &a, &condition), DD_OK);
        assert_true(isinf(condition));
        /* nearly so: regular until a limit is set */
        a.val[8] += 1e-13;
        assert_int_equal(dd_linsolver_refactor(ls, &a), DD_OK);
        assert_false(dd_linsolver_get_info(ls).singular);
        dd_linsolver_set_singular(ls, 1e-10);
        assert_int_equal(dd_linsolver_factor(ls, &a), DD_OK);
        info = dd_linsolver_get_info(ls);
        assert_true(info.singular && (info.column == 1 || info.column == 2));
        /* and regular again with other values */
        a.val[8] = 17;
        assert_int_equal(dd_linsolver_refactor(ls, &a), DD_OK);
        assert_false(dd_linsolver_get_info(ls).singular);
        assert_int_equal(dd_linsolver_solve(ls, 1, b), DD_OK);
        a.val[0] = NAN;
        assert_int_equal(dd_linsolver_factor(ls, &a), DD_INVALID_ARGUMENT);
        dd_csc_free(ctx, &a);
        /* an empty column */
        t = kit_triplets_new(3);
        kit_entry(&t, 0, 0, 1);
        kit_entry(&t, 1, 0, 1);
        kit_entry(&t, 2, 2, 1);
        a = kit_matrix(ctx, 3, 3, &t);
        assert_int_equal(dd_linsolver_factor(ls, &a), DD_INVALID_ARGUMENT); /* not the analysed pattern */
        assert_int_equal(dd_linsolver_analyse(ls, &a), DD_OK);
        assert_int_equal(dd_linsolver_factor(ls, &a), DD_OK);
        info = dd_linsolver_get_info(ls);
        assert_true(info.singular);
        assert_int_equal(info.column, 1);
        assert_int_equal(info.structural, strcmp(dd_linsolver_name(s), "klu") == 0);
        dd_csc_free(ctx, &a);
        /* nothing at all */
        assert_int_equal(dd_csc_new(&a, ctx, 0, 0, 0), DD_OK);
        assert_int_equal(dd_linsolver_analyse(ls, &a), DD_OK);
        assert_int_equal(dd_linsolver_factor(ls, &a), DD_OK);
        assert_int_equal(dd_linsolver_solve(ls, 1, b), DD_OK);
        dd_csc_free(ctx, &a);
        dd_linsolver_free(ls);
    }
    dd_linsolver *ls;
    assert_int_equal(dd_linsolver_new(&ls, ctx, "umfpack"), DD_INVALID_ARGUMENT);
    dd_context_free(ctx);
}

/* Refactoring with pivots that have become tiny falls back to choosing new ones. */
static void test_bad_pivots(void **state)
{
    (void)state;
    dd_context *ctx = kit_context();
    kit_triplets t = kit_triplets_new(4);
    kit_entry(&t, 0, 0, 1);
    kit_entry(&t, 0, 1, 1);
    kit_entry(&t, 1, 0, 0.1);
    kit_entry(&t, 1, 1, 1);
    dd_csc a = kit_matrix(ctx, 2, 2, &t);
    dd_linsolver *ls;
    assert_int_equal(dd_linsolver_new(&ls, ctx, "klu"), DD_OK);
    assert_int_equal(dd_linsolver_analyse(ls, &a), DD_OK);
    assert_int_equal(dd_linsolver_factor(ls, &a), DD_OK);
    a.val[0] = 1e-18;
    a.val[1] = 1;
    assert_int_equal(dd_linsolver_refactor(ls, &a), DD_OK);
    assert_int_equal(dd_linsolver_get_info(ls).factor_count, 2);
    double x[2] = {1, 2};
    assert_int_equal(dd_linsolver_solve(ls, 1, x), DD_OK); /* x0 + x1 = 2, x1 = 1 */
    assert_true(fabs(x[0] - 1) < 1e-12 && fabs(x[1] - 1) < 1e-12);
    dd_linsolver_free(ls);
    dd_csc_free(ctx, &a);
    dd_context_free(ctx);
}

static void test_large(void **state)
{
    (void)state;
    enum { N = TEST_SIZE(10000, 100000) };
    dd_context *ctx = kit_context();
    uint64_t rng = 3;
    kit_triplets t = kit_triplets_new(4 * N);
    for (uint32_t i = 0; i < N; i++) {
        kit_entry(&t, i, i, 4);
        kit_entry(&t, i, (i + 1) % N, kit_real(&rng));
        kit_entry(&t, i, (i + N - 2) % N, kit_real(&rng));
    }
    dd_csc a = kit_matrix(ctx, N, N, &t);
    double *b = malloc(N * sizeof *b), *x = malloc(N * sizeof *x), start = kit_seconds();
    for (uint32_t i = 0; i < N; i++) {
        b[i] = x[i] = kit_real(&rng);
    }
    dd_linsolver *ls;
    assert_int_equal(dd_linsolver_new(&ls, ctx, "klu"), DD_OK);
    assert_int_equal(dd_linsolver_analyse(ls, &a), DD_OK);
    assert_int_equal(dd_linsolver_factor(ls, &a), DD_OK);
    assert_int_equal(dd_linsolver_refactor(ls, &a), DD_OK);
    assert_int_equal(dd_linsolver_solve(ls, 1, x), DD_OK);
    print_message("  n = %d: %.3f s\n", N, kit_seconds() - start);
    kit_cost("linsolver", start);
    check_solution(&a, x, b, false);
    free(b);
    free(x);
    dd_linsolver_free(ls);
    dd_csc_free(ctx, &a);
    dd_context_free(ctx);
}

static dd_status sweep_call(dd_context *ctx, void *arg)
{
    dd_status st = DD_OK;
    for (uint32_t s = 0; dd_linsolver_name(s) != NULL && st == DD_OK; s++) {
        dd_linsolver *ls;
        double b[5] = {1, 1, 1, 1, 1};
        st = dd_linsolver_new(&ls, ctx, dd_linsolver_name(s));
        st = st == DD_OK ? dd_linsolver_analyse(ls, arg) : st;
        st = st == DD_OK ? dd_linsolver_factor(ls, arg) : st;
        st = st == DD_OK ? dd_linsolver_solve(ls, 1, b) : st;
        dd_linsolver_free(ls);
    }
    return st;
}

static void test_memory(void **state)
{
    (void)state;
    dd_context *ctx = kit_context();
    uint64_t rng = 3;
    dd_csc a = regular(ctx, &rng, 5);
    kit_memory_sweep(sweep_call, &a);
    dd_csc_free(ctx, &a);
    dd_context_free(ctx);
}

/* -Laplace on a square grid: large enough for analysis and factorisation to run in threads. */
static dd_csc square_grid(dd_context *ctx, uint32_t side)
{
    kit_triplets t = kit_triplets_new(5 * side * side);
    for (uint32_t i = 0; i < side * side; i++) {
        kit_entry(&t, i, i, 4.1);
        for (uint32_t k = 0; k < 2; k++) {
            const uint32_t j = i + (k ? side : 1);
            if (j < side * side && (k || j % side)) {
                kit_entry(&t, i, j, -1);
                kit_entry(&t, j, i, -1);
            }
        }
    }
    return kit_matrix(ctx, side * side, side * side, &t);
}

/* Without a limit the solution is right, refactored too; with one the call ends, however far it is. */
static void test_threads(void **state)
{
    (void)state;
    enum { SIDE = 150, N = SIDE * SIDE };
    double *b = malloc(N * sizeof *b), *x = malloc(N * sizeof *x);
    for (int round = 0; round < 4; round++) {
        dd_context_options options = dd_context_options_default();
        dd_context *ctx, *limited;
        options.max_seconds = round == 0 ? 0 : 1e-3 * round * round;
        assert_int_equal(dd_context_new(&ctx, NULL), DD_OK);
        dd_csc a = square_grid(ctx, SIDE);
        assert_int_equal(dd_context_new(&limited, &options), DD_OK);
        dd_linsolver *ls;
        assert_int_equal(dd_linsolver_new(&ls, limited, "klu"), DD_OK);
        dd_status st = dd_linsolver_analyse(ls, &a);
        st = st == DD_OK ? dd_linsolver_factor(ls, &a) : st;
        st = st == DD_OK ? dd_linsolver_refactor(ls, &a) : st;
        assert_true(st == DD_OK || (round > 0 && st == DD_TIME_LIMIT));
        if (round == 0) {
            for (uint32_t i = 0; i < N; i++) {
                x[i] = b[i] = (i * 7919u) % 13u;
            }
            assert_int_equal(dd_linsolver_solve(ls, 1, x), DD_OK);
            check_solution(&a, x, b, false);
        }
        dd_linsolver_free(ls);
        dd_csc_free(ctx, &a);
        dd_context_free(limited); /* waits for what was left */
        dd_context_free(ctx);
    }
    free(b);
    free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random),     cmocka_unit_test(test_singular),
                                       cmocka_unit_test(test_bad_pivots), cmocka_unit_test(test_large),
                                       cmocka_unit_test(test_memory),     cmocka_unit_test(test_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
