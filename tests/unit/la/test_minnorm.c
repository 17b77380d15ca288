/* Minimum-norm corrections: optimality conditions, agreement of the dense and the sparse path, deficient rank,
 * damping. */
#include "lakit.h"

#include "la/minnorm.h"
#include "sizes.h"

/* A dx = r, and W^-2 dx = -A^T l is in the row space: together they characterise the solution. */
static void check_optimal(const dd_csc *a, const double *w, double mu, const double *r, const double *dx,
                          const double *l)
{
    uint32_t m = a->nrows, n = a->ncols;
    double *res = malloc((m + 1) * sizeof *res), *grad = calloc(n + 1, sizeof *grad);
    for (uint32_t i = 0; i < m; i++) {
        res[i] = -r[i] - mu * l[i];
    }
    dd_csc_multiply(a, 1, dx, res);
    dd_csc_multiply_t(a, 1, l, grad);
    assert_true(kit_norm(res, m) < 1e-9 * (1 + kit_norm(r, m)));
    for (uint32_t j = 0; j < n; j++) {
        assert_true(fabs(dx[j] + w[j] * w[j] * grad[j]) < 1e-9 * (1 + fabs(dx[j])));
    }
    free(res);
    free(grad);
}

/* Wide matrix of full row rank. */
static dd_csc wide(dd_context *ctx, uint64_t *rng, uint32_t m, uint32_t n)
{
    kit_triplets t = kit_triplets_new(5 * m);
    for (uint32_t i = 0; i < m; i++) {
        kit_entry(&t, i, i, 3 + kit_real(rng));
        for (uint32_t k = 0; k < 3; k++) {
            kit_entry(&t, i, kit_below(rng, n), kit_real(rng));
        }
    }
    return kit_matrix(ctx, m, n, &t);
}

static void test_optimal(void **state)
{
    (void)state;
    dd_context *ctx = kit_context();
    uint64_t rng = 91;
    for (uint32_t round = 0; round < 60; round++) {
        uint32_t n = 1 + kit_below(&rng, round < 30 ? 60 : 200), m = 1 + kit_below(&rng, n);
        dd_csc a = wide(ctx, &rng, m, n);
        double w[200], r[200], dx[200], l[200];
        for (uint32_t j = 0; j < n; j++) {
            w[j] = 0.1 + fabs(kit_real(&rng));
            r[j] = kit_real(&rng);
        }
        dd_minnorm *mn;
        assert_int_equal(dd_minnorm_new(&mn, ctx, &a), DD_OK);
        assert_int_equal(dd_minnorm_solve(mn, r, dx, l), DD_INVALID_ARGUMENT); /* nothing factored yet */
        for (uint32_t pass = 0; pass < 3; pass++) {
            double mu = pass == 2 ? 0.3 : 0;
            assert_int_equal(dd_minnorm_factor(mn, &a, w, mu, 0), DD_OK);
            assert_false(dd_minnorm_get_info(mn).singular);
            assert_int_equal(dd_minnorm_get_info(mn).dense, n <= DD_MINNORM_DENSE);
            assert_int_equal(dd_minnorm_solve(mn, r, dx, l), DD_OK);
            check_optimal(&a, w, mu, r, dx, l);
            for (uint32_t e = 0; e < a.ptr[n]; e++) {
                a.val[e] *= 1 + 0.01 * kit_real(&rng);
            }
        }
        dd_minnorm_free(mn);
        dd_csc_free(ctx, &a);
    }
    dd_context_free(ctx);
}

/* Two rows that differ by less and less: a QR decomposition where they are clearly independent, singular values beyond. Both
 * give the shortest solution, and the rank falls where it must. */
static void test_nearly_dependent(void **state)
{
    (void)state;
    enum { M = 6, N = 9 };
    dd_context *ctx = kit_context();
    uint64_t rng = 5;
    for (int digits = 1; digits <= 15; digits++) {
        const double apart = pow(10, -digits);
        kit_triplets t = kit_triplets_new(M * N);
        double row[N];
        for (uint32_t i = 0; i < M; i++) {
            for (uint32_t j = 0; j < N; j++) {
                row[j] = i + 1 < M ? kit_real(&rng) : j == 0 ? row[0] + apart : row[j]; /* the last: that before it */
                kit_entry(&t, i, j, row[j]);
            }
        }
        dd_csc a = kit_matrix(ctx, M, N, &t);
        double w[N], r[M], dx[N], l[M];
        for (uint32_t j = 0; j < N; j++) {
            w[j] = 1;
        }
        for (uint32_t i = 0; i < M; i++) { /* the last two agree as well as their rows do */
            r[i] = i + 1 < M ? kit_real(&rng) : r[i - 1] + 0.5 * apart;
        }
        dd_minnorm *mn;
        assert_int_equal(dd_minnorm_new(&mn, ctx, &a), DD_OK);
        assert_int_equal(dd_minnorm_factor(mn, &a, w, 0, 0), DD_OK);
        assert_int_equal(dd_minnorm_solve(mn, r, dx, l), DD_OK);
        const dd_minnorm_info info = dd_minnorm_get_info(mn);
        if (digits <= 10) {
            /* all rows hold, and the change along the direction that only the last row has is 1/2 */
            double rest[M];
            memcpy(rest, r, sizeof rest);
            dd_csc_multiply(&a, -1, dx, rest);
            assert_int_equal(info.rank, M);
            assert_true(kit_norm(rest, M) < 1e-13);
            assert_true(fabs(dx[0] - 0.5) < 1e-14 / apart);
        } else if (digits >= 14) {
            assert_int_equal(info.rank, M - 1);
            assert_true(kit_norm(dx, N) < 100);
        }
        assert_true(digits > 10 || info.rcond > 1e-3 * apart);
        dd_minnorm_free(mn);
        dd_csc_free(ctx, &a);
    }
    dd_context_free(ctx);
}

/* Two equal rows far apart: singular and named; damping gives the least-squares step; the dense path gives it at
 * once. */
static void test_deficient(void **state)
{
    (void)state;
    dd_context *ctx = kit_context();
    uint64_t rng = 17;
    const uint32_t sizes[] = {10, 300};
    for (uint32_t s = 0; s < 2; s++) {
        uint32_t m = sizes[s] / 2, n = sizes[s];
        kit_triplets t = kit_triplets_new(3 * m);
        for (uint32_t i = 0; i + 1 < m; i++) {
            kit_entry(&t, i, i, 1);
            kit_entry(&t, i, i + m, 2);
        }
        kit_entry(&t, m - 1, 0, 1);
        kit_entry(&t, m - 1, m, 2);
        dd_csc a = kit_matrix(ctx, m, n, &t);
        double r[150], dx[300], l[150];
        for (uint32_t i = 0; i < m; i++) {
            r[i] = kit_real(&rng);
        }
        dd_minnorm *mn;
        assert_int_equal(dd_minnorm_new(&mn, ctx, &a), DD_OK);
        assert_int_equal(dd_minnorm_factor(mn, &a, NULL, 0, 0), DD_OK);
        dd_minnorm_info info = dd_minnorm_get_info(mn);
        assert_true(info.singular);
        if (info.dense) {
            assert_int_equal(info.rank, m - 1);
            assert_true(info.row == 0 || info.row == m - 1);
        } else {
            assert_int_equal(dd_minnorm_solve(mn, r, dx, l), DD_INVALID_ARGUMENT);
            assert_int_equal(dd_minnorm_factor(mn, &a, NULL, 1e-9, 0), DD_OK);
            assert_false(dd_minnorm_get_info(mn).singular);
        }
        assert_int_equal(dd_minnorm_solve(mn, r, dx, l), DD_OK);
        /* rows i: x_i + 2 x_{i+m} = r_i, at least norm (r/5, 2r/5); rows 0 and m-1 share the mean */
        for (uint32_t i = 0; i + 1 < m; i++) {
            double ri = i == 0 ? (r[0] + r[m - 1]) / 2 : r[i];
            assert_true(fabs(dx[i] - ri / 5) < 1e-6 && fabs(dx[i + m] - 2 * ri / 5) < 1e-6);
        }
        dd_minnorm_free(mn);
        dd_csc_free(ctx, &a);
    }
    dd_context_free(ctx);
}

static void test_large(void **state)
{
    (void)state;
    enum { M = TEST_SIZE(5000, 50000), N = 2 * M };
    dd_context *ctx = kit_context();
    uint64_t rng = 66;
    kit_triplets t = kit_triplets_new(4 * M);
    for (uint32_t i = 0; i < M; i++) { /* rods between neighbours */
        for (uint32_t q = 0; q < 2; q++) {
            double v = kit_real(&rng) + (q == 0 ? 2 : 0);
            kit_entry(&t, i, 2 * i + q, v);
            if (i > 0) {
                kit_entry(&t, i, 2 * i - 2 + q, -v / 2);
            }
        }
    }
    dd_csc a = kit_matrix(ctx, M, N, &t);
    double *w = malloc(N * sizeof *w), *r = malloc(M * sizeof *r), *dx = malloc(N * sizeof *dx),
           *l = malloc(M * sizeof *l);
    for (uint32_t i = 0; i < N; i++) {
        w[i] = 1;
        r[i / 2] = kit_real(&rng);
    }
    double start = kit_seconds();
    dd_minnorm *mn;
    assert_int_equal(dd_minnorm_new(&mn, ctx, &a), DD_OK);
    assert_int_equal(dd_minnorm_factor(mn, &a, NULL, 0, 0), DD_OK);
    assert_int_equal(dd_minnorm_factor(mn, &a, w, 0, 0), DD_OK);
    assert_int_equal(dd_minnorm_solve(mn, r, dx, l), DD_OK);
    print_message("  %d x %d: %.3f s\n", M, N, kit_seconds() - start);
    kit_cost("minnorm", start);
    check_optimal(&a, w, 0, r, dx, l);
    free(w);
    free(r);
    free(dx);
    free(l);
    dd_minnorm_free(mn);
    dd_csc_free(ctx, &a);
    dd_context_free(ctx);
}

static dd_status sweep_call(dd_context *ctx, void *arg)
{
    const dd_csc *a = arg;
    double r[70] = {1}, dx[70];
    dd_minnorm *mn;
    dd_status st = dd_minnorm_new(&mn, ctx, a);
    st = st == DD_OK ? dd_minnorm_factor(mn, a, NULL, 0, 0) : st;
    st = st == DD_OK ? dd_minnorm_solve(mn, r, dx, NULL) : st;
    dd_minnorm_free(mn);
    return st;
}

static void test_memory(void **state)
{
    (void)state;
    dd_context *ctx = kit_context();
    uint64_t rng = 3;
    for (uint32_t n = 5; n <= 70; n += 65) {
        dd_csc a = wide(ctx, &rng, n / 2, n);
        kit_memory_sweep(sweep_call, &a);
        double weight[70] = {0};
        dd_minnorm *mn;
        assert_int_equal(dd_minnorm_new(&mn, ctx, &a), DD_OK);
        assert_int_equal(dd_minnorm_factor(mn, &a, weight, 0, 0), DD_INVALID_ARGUMENT);
        assert_int_equal(dd_minnorm_factor(mn, &a, NULL, -1, 0), DD_INVALID_ARGUMENT);
        dd_minnorm_free(mn);
        dd_csc_free(ctx, &a);
    }
    dd_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_optimal), cmocka_unit_test(test_nearly_dependent),
                                       cmocka_unit_test(test_deficient), cmocka_unit_test(test_large),
                                       cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
