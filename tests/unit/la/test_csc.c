/* Sparse matrices against dense arithmetic written out here. */
#include "lakit.h"

enum { NMAX = 12 };

static void test_triplets(void **state)
{
    (void)state;
    uint64_t rng = 4;
    dd_context *ctx = kit_context();
    for (uint32_t round = 0; round < 300; round++) {
        uint32_t m = 1 + kit_below(&rng, NMAX), n = 1 + kit_below(&rng, NMAX), count = kit_below(&rng, 60);
        uint32_t row[60], col[60], entry[60];
        double val[60], dense[NMAX * NMAX] = {0}, got[NMAX * NMAX];
        for (uint32_t k = 0; k < count; k++) {
            row[k] = kit_below(&rng, m);
            col[k] = kit_below(&rng, n);
            val[k] = (double)kit_below(&rng, 9) - 4;
            dense[row[k] + col[k] * m] += val[k];
        }
        dd_csc a;
        assert_int_equal(dd_csc_from_triplets(&a, ctx, m, n, &(dd_triplets){count, row, col, val}, entry), DD_OK);
        dd_csc_to_dense(&a, got, m);
        assert_memory_equal(dense, got, m * n * sizeof *got);
        for (uint32_t j = 0; j < n; j++) {
            for (uint32_t e = a.ptr[j] + 1; e < a.ptr[j + 1]; e++) {
                assert_true(a.idx[e - 1] < a.idx[e]);
            }
        }
        for (uint32_t k = 0; k < count; k++) {
            assert_int_equal(a.idx[entry[k]], row[k]);
            assert_true(a.ptr[col[k]] <= entry[k] && entry[k] < a.ptr[col[k] + 1]);
        }
        dd_csc_free(ctx, &a);
    }
    uint32_t bad = 3, zero = 0;
    double one = 1;
    dd_csc a;
    assert_int_equal(dd_csc_from_triplets(&a, ctx, 3, 3, &(dd_triplets){1, &bad, &zero, &one}, NULL),
                     DD_INVALID_ARGUMENT);
    assert_int_equal(dd_csc_from_triplets(&a, ctx, 0, 0, &(dd_triplets){0, NULL, NULL, NULL}, NULL), DD_OK);
    dd_csc_free(ctx, &a);
    dd_context_free(ctx);
}

static void test_products(void **state)
{
    (void)state;
    uint64_t rng = 6;
    dd_context *ctx = kit_context();
    for (uint32_t round = 0; round < 200; round++) {
        uint32_t m = 1 + kit_below(&rng, NMAX), n = 1 + kit_below(&rng, NMAX);
        dd_csc a = kit_sparse(ctx, &rng, m, n, 40), t;
        double *d = kit_dense(&a), x[NMAX], y[NMAX], z[NMAX], u[NMAX];
        assert_int_equal(dd_csc_transpose(&t, ctx, &a), DD_OK);
        for (uint32_t i = 0; i < NMAX; i++) {
            x[i] = kit_real(&rng);
            y[i] = z[i] = u[i] = 1;
        }
        dd_csc_multiply(&a, 2, x, y);
        dd_csc_multiply_t(&t, 2, x, z);
        dd_csc_multiply_t(&a, -1, x, u);
        for (uint32_t i = 0; i < m; i++) {
            double want = 1;
            for (uint32_t j = 0; j < n; j++) {
                want += 2 * d[i + j * m] * x[j];
            }
            assert_true(fabs(y[i] - want) < 1e-13 && fabs(z[i] - want) < 1e-13);
        }
        for (uint32_t j = 0; j < n; j++) {
            double want = 1;
            for (uint32_t i = 0; i < m; i++) {
                want -= d[i + j * m] * x[i];
            }
            assert_true(fabs(u[j] - want) < 1e-13);
        }
        free(d);
        dd_csc_free(ctx, &t);
        dd_csc_free(ctx, &a);
    }
    dd_context_free(ctx);
}

/* Rows and columns in units between 10^-9 and 10^9 come out with largest entries near 1, by exact powers of two. */
static void test_equilibrate(void **state)
{
    (void)state;
    uint64_t rng = 9;
    dd_context *ctx = kit_context();
    for (uint32_t round = 0; round < 100; round++) {
        dd_csc a = kit_sparse(ctx, &rng, NMAX, NMAX, 40);
        double r[NMAX], c[NMAX], row_max[NMAX] = {0};
        for (uint32_t i = 0; i < NMAX; i++) {
            r[i] = pow(10, 9 * kit_real(&rng));
            c[i] = pow(10, 9 * kit_real(&rng));
        }
        dd_csc_scale(&a, r, c);
        assert_int_equal(dd_csc_equilibrate(ctx, &a, 8, r, c), DD_OK);
        dd_csc_scale(&a, r, c);
        for (uint32_t j = 0; j < NMAX; j++) {
            int exponent;
            assert_true(frexp(c[j], &exponent) == 0.5 && frexp(r[j], &exponent) == 0.5);
            double col_max = 0;
            for (uint32_t e = a.ptr[j]; e < a.ptr[j + 1]; e++) {
                col_max = fmax(col_max, fabs(a.val[e]));
                row_max[a.idx[e]] = fmax(row_max[a.idx[e]], fabs(a.val[e]));
            }
            assert_true(a.ptr[j] == a.ptr[j + 1] || (col_max > 1e-2 && col_max < 4));
        }
        for (uint32_t i = 0; i < NMAX; i++) {
            assert_true(row_max[i] == 0 || (row_max[i] > 1e-2 && row_max[i] < 4));
        }
        dd_csc_free(ctx, &a);
    }
    dd_context_free(ctx);
}

static dd_status sweep_call(dd_context *ctx, void *arg)
{
    (void)arg;
    uint32_t row[3] = {0, 1, 0}, col[3] = {1, 0, 1};
    double val[3] = {1, 2, 3}, r[2], c[2];
    dd_csc a, t = {0};
    dd_status st = dd_csc_from_triplets(&a, ctx, 2, 2, &(dd_triplets){3, row, col, val}, NULL);
    st = st == DD_OK ? dd_csc_transpose(&t, ctx, &a) : st;
    st = st == DD_OK ? dd_csc_equilibrate(ctx, &a, 2, r, c) : st;
    dd_csc_free(ctx, &a);
    dd_csc_free(ctx, &t);
    return st;
}

static void test_memory(void **state)
{
    (void)state;
    kit_memory_sweep(sweep_call, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_triplets), cmocka_unit_test(test_products),
                                       cmocka_unit_test(test_equilibrate), cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
