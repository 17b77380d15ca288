/* Dense rank, null spaces and least squares against matrices made with known rank and known solutions. */
#include "lakit.h"

/* m x n of rank r with singular values 1 (r of them) and `small`: products of random factors plus scaled noise. */
static double *make_rank(uint64_t *rng, uint32_t m, uint32_t n, uint32_t r)
{
    double *u = malloc(((size_t)m * r + 1) * sizeof *u), *v = malloc(((size_t)n * r + 1) * sizeof *v);
    double *a = calloc((size_t)m * n + 1, sizeof *a);
    for (uint32_t k = 0; k < m * r; k++) {
        u[k] = kit_real(rng);
    }
    for (uint32_t k = 0; k < n * r; k++) {
        v[k] = kit_real(rng);
    }
    for (uint32_t k = 0; k < r; k++) {
        for (uint32_t j = 0; j < n; j++) {
            for (uint32_t i = 0; i < m; i++) {
                a[i + (size_t)j * m] += u[i + (size_t)k * m] * v[j + (size_t)k * n];
            }
        }
    }
    free(u);
    free(v);
    return a;
}

/* ||M^T v|| (left) or ||M v|| for each of k columns, and orthonormality. */
static void check_basis(const double *a, uint32_t m, uint32_t n, const double *v, uint32_t k, bool left)
{
    uint32_t len = left ? m : n, other = left ? n : m;
    const double norm = kit_norm(a, m * n);
    for (uint32_t q = 0; q < k; q++) {
        for (uint32_t i = 0; i < other; i++) {
            double sum = 0, size = 0;
            for (uint32_t j = 0; j < len; j++) {
                double entry = left ? a[j + (size_t)i * m] : a[i + (size_t)j * m];
                sum += entry * v[j + (size_t)q * len];
                size += fabs(entry * v[j + (size_t)q * len]);
            }
            assert_true(fabs(sum) <= 1e-9 * (size + norm * 1e-3));
        }
        for (uint32_t p = 0; p <= q; p++) {
            double dot = 0;
            for (uint32_t j = 0; j < len; j++) {
                dot += v[j + (size_t)p * len] * v[j + (size_t)q * len];
            }
            assert_true(fabs(dot - (p == q)) < 1e-10);
        }
    }
}

static void test_rank(void **state)
{
    (void)state;
    uint64_t rng = 1001;
    dd_context *ctx = kit_context();
    const uint32_t large[][3] = {{230, 260, 205}, {260, 230, 230}, {210, 210, 0}, {201, 300, 100}};
    for (uint32_t round = 0; round < 204; round++) {
        uint32_t m = kit_below(&rng, 20), n = kit_below(&rng, 20), most = m < n ? m : n, r = kit_below(&rng, most + 1);
        if (round >= 200) {
            m = large[round - 200][0];
            n = large[round - 200][1];
            r = large[round - 200][2];
        }
        double *a = make_rank(&rng, m, n, r);
        /* other units for rows and columns */
        for (uint32_t i = 0; i < m && round % 2; i++) {
            double s = pow(10, 6 * kit_real(&rng));
            for (uint32_t j = 0; j < n; j++) {
                a[i + (size_t)j * m] *= s;
            }
        }
        double *left = malloc(((size_t)m * m + 1) * sizeof *left), *right = malloc(((size_t)n * n + 1) * sizeof *right);
        dd_rank_info info, alone;
        assert_int_equal(dd_rank_dense(&info, ctx, &(dd_dense){m, n, a, m}, 1e-10, NULL, left, right), DD_OK);
        assert_int_equal(dd_rank_dense(&alone, ctx, &(dd_dense){m, n, a, m}, 1e-10, NULL, NULL, NULL), DD_OK);
        assert_int_equal(info.rank, r);
        assert_int_equal(alone.rank, r); /* without vectors LAPACK goes another way */
        assert_true(fabs(alone.kept - info.kept) < 1e-12);
        assert_true(info.clear || info.kept < 1e-8);
        assert_int_equal(info.svd, round < 200);
        check_basis(a, m, n, right, n - r, false);
        if (round % 2 == 0) {
            check_basis(a, m, n, left, m - r, true);
        }
        free(a);
        free(left);
        free(right);
    }
    dd_context_free(ctx);
}

/* Doubtful: a singular value near the tolerance is not called clear; the gap says how doubtful. */
static void test_doubt(void **state)
{
    (void)state;
    dd_context *ctx = kit_context();
    double a[] = {1, 1, 1, 1 + 1e-9};
    dd_rank_info info;
    assert_int_equal(dd_rank_dense(&info, ctx, &(dd_dense){2, 2, a, 2}, 1e-8, NULL, NULL, NULL), DD_OK);
    assert_int_equal(info.rank, 1);
    assert_true(info.dropped > 1e-10 && info.dropped < 1e-8);
    assert_true(info.clear); /* the gap itself is wide */
    double b[] = {1, 1, 1, 1 + 1e-7};
    assert_int_equal(dd_rank_dense(&info, ctx, &(dd_dense){2, 2, b, 2}, 1e-8, NULL, NULL, NULL), DD_OK);
    assert_int_equal(info.rank, 2);
    assert_false(info.clear);
    /* a noise row is taken as zero when its floor is given */
    double c[] = {1, 1e-15, 2, 3e-15}, floor[] = {1, 1};
    assert_int_equal(dd_rank_dense(&info, ctx, &(dd_dense){2, 2, c, 2}, 1e-10, NULL, NULL, NULL), DD_OK);
    assert_int_equal(info.rank, 2);
    assert_int_equal(dd_rank_dense(&info, ctx, &(dd_dense){2, 2, c, 2}, 1e-10, floor, NULL, NULL), DD_OK);
    assert_int_equal(info.rank, 1);
    c[0] = NAN;
    assert_int_equal(dd_rank_dense(&info, ctx, &(dd_dense){2, 2, c, 2}, 0, NULL, NULL, NULL), DD_INVALID_ARGUMENT);
    dd_context_free(ctx);
}

/* Normal equations of the result: A^T (A x - b) = 0, and x is orthogonal to the null space. */
static void test_least_squares(void **state)
{
    (void)state;
    uint64_t rng = 55;
    dd_context *ctx = kit_context();
    enum { MOST = 80 };
    static double b[MOST], x[MOST], right[MOST * MOST];
    for (uint32_t round = 0; round < 206; round++) {
        const uint32_t below = round < 200 ? 15 : MOST;
        uint32_t m = 1 + kit_below(&rng, below), n = 1 + kit_below(&rng, below), most = m < n ? m : n, rank;
        uint32_t r = kit_below(&rng, most + 1);
        double *a = make_rank(&rng, m, n, r), residual;
        for (uint32_t i = 0; i < m; i++) {
            b[i] = kit_real(&rng);
        }
        assert_int_equal(dd_lstsq_dense(ctx, &(dd_dense){m, n, a, m}, b, 1e-10, x, &rank, &residual), DD_OK);
        assert_int_equal(rank, r);
        double norm2 = 0;
        for (uint32_t j = 0; j < n; j++) {
            double normal = 0;
            for (uint32_t i = 0; i < m; i++) {
                double ri = -b[i];
                for (uint32_t k = 0; k < n; k++) {
                    ri += a[i + k * m] * x[k];
                }
                normal += a[i + j * m] * ri;
                norm2 += j == 0 ? ri * ri : 0;
            }
            assert_true(fabs(normal) < 1e-8 * (1 + kit_norm(x, n)));
        }
        assert_true(fabs(sqrt(norm2) - residual) < 1e-9 * (1 + kit_norm(x, n)));
        dd_rank_info info;
        assert_int_equal(dd_rank_dense(&info, ctx, &(dd_dense){m, n, a, m}, 1e-10, NULL, NULL, right), DD_OK);
        for (uint32_t q = 0; q < n - r; q++) {
            double dot = 0;
            for (uint32_t j = 0; j < n; j++) {
                dot += x[j] * right[j + q * n];
            }
            assert_true(fabs(dot) < 1e-8 * (1 + kit_norm(x, n)));
        }
        free(a);
    }
    dd_context_free(ctx);
}

static dd_status sweep_call(dd_context *ctx, void *arg)
{
    const double a[6] = {1, 2, 3, 2, 4, 6}, b[3] = {1, 1, 1};
    double x[2], left[9], right[4], big[4] = {1, 0, 0, 1};
    (void)arg;
    dd_rank_info info;
    dd_status st = dd_rank_dense(&info, ctx, &(dd_dense){3, 2, a, 3}, 0, NULL, left, right);
    st = st == DD_OK ? dd_rank_dense(&info, ctx, &(dd_dense){2, 2, big, 2}, 0, NULL, NULL, NULL) : st;
    return st == DD_OK ? dd_lstsq_dense(ctx, &(dd_dense){3, 2, a, 3}, b, 0, x, NULL, NULL) : st;
}

static dd_status sweep_large(dd_context *ctx, void *arg)
{
    dd_rank_info info;
    double *a = arg, *null = a + 201 * 201;
    return dd_rank_dense(&info, ctx, &(dd_dense){201, 201, a, 201}, 0, NULL, null, null + 201 * 201);
}

/* the null space in memory of the caller: as many columns as are left, orthonormal, mapped to zero; rows of very different units */
static void test_null(void **state)
{
    (void)state;
    uint64_t rng = 17;
    for (uint32_t m = 0; m <= 8; m++) {
        for (uint32_t n = 1; n <= 9; n++) {
            for (uint32_t r = 0; r <= m && r <= n; r++) {
                double *a = make_rank(&rng, m, n, r);
                for (uint32_t j = 0; j < n; j++) {
                    for (uint32_t i = 0; i < m; i++) {
                        a[i + (size_t)j * m] *= pow(10, (double)(i % 3) * 5 - 5);
                    }
                }
                double *null = calloc((size_t)n * n, sizeof *null);
                double *work = calloc(dd_null_work(m, n), sizeof *work);
                int *pivot = calloc((size_t)m + 1, sizeof *pivot);
                assert_int_equal(dd_null_dense(a, m, n, 1e-9, null, work, pivot), n - r);
                check_basis(a, m, n, null, n - r, false);
                free(a);
                free(null);
                free(work);
                free(pivot);
            }
        }
    }
}

static void test_memory(void **state)
{
    (void)state;
    kit_memory_sweep(sweep_call, NULL);
    double *a = calloc(3 * 201 * 201, sizeof *a);
    for (uint32_t i = 0; i < 200; i++) {
        a[i + 201 * i] = 1;
    }
    kit_memory_sweep(sweep_large, a);
    free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rank), cmocka_unit_test(test_doubt),
                                       cmocka_unit_test(test_least_squares), cmocka_unit_test(test_null),
                                       cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
