/* The distance from a singular matrix: its sign is that of the determinant (dense elimination), it vanishes where the
 * determinant does, by the first power, and its size does not depend on how many pivots there are. */
#include "lakit.h"

#include "la/nonsingular.h"
#include "sizes.h"

/* Tridiagonal, -1 and 2, the first diagonal entry 2 - a: det = n + 1 - a n. */
static double ladder(dd_nonsingular *d, double *values, uint32_t n, double a)
{
    for (uint32_t i = 0; i < n; i++) {
        values[i] = i == 0 ? 2 - a : 2;
    }
    for (uint32_t i = n; i < 3 * n - 2; i++) {
        values[i] = -1;
    }
    return dd_nonsingular_value(d, values);
}

static dd_nonsingular *new_ladder(dd_context *ctx, uint32_t n, double **values)
{
    kit_triplets t = kit_triplets_new(3 * n);
    for (uint32_t i = 0; i < n; i++) {
        kit_entry(&t, i, i, 0);
    }
    for (uint32_t i = 0; i + 1 < n; i++) {
        kit_entry(&t, i, i + 1, 0);
        kit_entry(&t, i + 1, i, 0);
    }
    dd_nonsingular *d;
    assert_int_equal(dd_nonsingular_new(&d, ctx, n, &(dd_triplets){t.count, t.row, t.col, NULL}), DD_OK);
    free(t.row);
    free(t.col);
    *values = t.val;
    return d;
}

static void test_zero(void **state)
{
    (void)state;
    dd_context *ctx = kit_context();
    const uint32_t sizes[] = {2, 40, 500};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        const uint32_t n = sizes[s];
        const double root = (n + 1.0) / n;
        double *values;
        dd_nonsingular *d = new_ladder(ctx, n, &values);
        assert_true(ladder(d, values, n, 0) > 0 && ladder(d, values, n, 2) < 0);
        /* near the root, on both sides: of the first power */
        for (int side = -1; side <= 1; side += 2) {
            const double far = ladder(d, values, n, root + side * 1e-4 / n);
            const double near = ladder(d, values, n, root + side * 1e-6 / n);
            assert_true(far * side < 0 && near * side < 0);
            assert_true(fabs(far / near - 100) < 1);
        }
        values[0] = NAN;
        assert_true(isnan(dd_nonsingular_value(d, values)));
        dd_nonsingular_free(d);
        free(values);
    }
    dd_nonsingular_free(NULL);
    dd_context_free(ctx);
}

/* A factor of all entries leaves it as it is up to that factor, however many rows there are; a determinant would not fit. */
static void test_size(void **state)
{
    (void)state;
    dd_context *ctx = kit_context();
    double *values;
    dd_nonsingular *d = new_ladder(ctx, 1000, &values);
    const double one = ladder(d, values, 1000, 0);
    for (uint32_t i = 0; i < 2998; i++) {
        values[i] *= 10;
    }
    assert_true(fabs(dd_nonsingular_value(d, values) / one - 10) < 1e-9);
    dd_nonsingular_free(d);
    free(values);
    dd_context_free(ctx);
}

/* Sign of the determinant by dense elimination; 0 where a pivot is as good as zero. */
static int dense_sign(double *a, uint32_t n)
{
    int sign = 1;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t best = k;
        for (uint32_t i = k; i < n; i++) {
            best = fabs(a[i + n * k]) > fabs(a[best + n * k]) ? i : best;
        }
        if (fabs(a[best + n * k]) < 1e-9) {
            return 0;
        }
        for (uint32_t j = 0; j < n; j++) {
            const double keep = a[k + n * j];
            a[k + n * j] = a[best + n * j];
            a[best + n * j] = keep;
        }
        sign = (best != k) != (a[k + n * k] < 0) ? -sign : sign;
        for (uint32_t i = k + 1; i < n; i++) {
            const double factor = a[i + n * k] / a[k + n * k];
            for (uint32_t j = k; j < n; j++) {
                a[i + n * j] -= factor * a[k + n * j];
            }
        }
    }
    return sign;
}

static void test_signs(void **state)
{
    (void)state;
    dd_context *ctx = kit_context();
    uint64_t rng = 7;
    uint32_t regular = 0;
    for (uint32_t round = 0; round < 300; round++) {
        const uint32_t n = 2 + kit_below(&rng, 30);
        dd_csc a = kit_sparse(ctx, &rng, n, n, 30);
        uint32_t *col = malloc((a.ptr[n] + 1) * sizeof *col);
        for (uint32_t j = 0; j < n; j++) {
            for (uint32_t e = a.ptr[j]; e < a.ptr[j + 1]; e++) {
                col[e] = j;
            }
        }
        dd_nonsingular *d;
        assert_int_equal(dd_nonsingular_new(&d, ctx, n, &(dd_triplets){a.ptr[n], a.idx, col, NULL}), DD_OK);
        double *dense = malloc((size_t)n * n * sizeof *dense);
        /* other values on the same pattern: pivots are kept, and chosen again where they are bad */
        for (int again = 0; again < 3; again++) {
            dd_csc_to_dense(&a, dense, n);
            const double value = dd_nonsingular_value(d, a.val);
            const int sign = dense_sign(dense, n);
            assert_true(isfinite(value));
            assert_int_equal(sign == 0 ? 0 : (value > 0) - (value < 0), sign);
            regular += sign != 0;
            for (uint32_t e = 0; e < a.ptr[n]; e++) {
                a.val[e] = kit_real(&rng);
            }
        }
        free(dense);
        free(col);
        dd_nonsingular_free(d);
        dd_csc_free(ctx, &a);
    }
    assert_true(regular > 300);
    dd_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_zero),
        cmocka_unit_test(test_size),
        cmocka_unit_test(test_signs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
