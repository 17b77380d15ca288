/* test_pencil.c - sigma M + J: every kind (inverse, own LU, LAPACK, KLU) solves what it factored, real and complex. */
#include "lakit.h"

#include <complex.h>
#include <string.h>

#include "la/pencil.h"

static dd_context *ctx;

static int setup(void **state)
{
    (void)state;
    return dd_context_new(&ctx, NULL) != DD_OK;
}

static int teardown(void **state)
{
    (void)state;
    assert_int_equal(dd_context_memory(ctx) > 0, 1);
    dd_context_free(ctx);
    return 0;
}

/* Residual of the solution, relative, with a diagonal that makes the matrix regular; `shift` rows below its place it asks
 * for rows to be exchanged. */
static double residual(uint32_t n, uint32_t percent, uint32_t shift, bool is_complex, dd_pencil_kind kind,
                       uint64_t *rng)
{
    dd_csc j = kit_sparse(ctx, rng, n, n, percent);
    kit_triplets t = kit_triplets_new(n * n + n);
    for (uint32_t c = 0; c < n; c++) {
        for (uint32_t k = j.ptr[c]; k < j.ptr[c + 1]; k++) {
            kit_entry(&t, j.idx[k], c, 0.0);
        }
        kit_entry(&t, (c + shift) % n, c, 0.0);
    }
    dd_csc pattern = kit_matrix(ctx, n, n, &t);
    uint32_t nnz = pattern.ptr[n];
    double *m = calloc(nnz + 1, sizeof *m), *jv = calloc(nnz + 1, sizeof *jv), *re = calloc(n, sizeof *re),
           *im = calloc(n, sizeof *im);
    double complex *b = calloc(n, sizeof *b);
    double sigma_re = 3.0 + kit_real(rng), sigma_im = is_complex ? 2.0 + kit_real(rng) : 0.0, worst = 0;
    for (uint32_t c = 0; c < n; c++) {
        for (uint32_t k = pattern.ptr[c]; k < pattern.ptr[c + 1]; k++) {
            m[k] = pattern.idx[k] == (c + shift) % n ? 2.0 + kit_real(rng) : 0.2 * kit_real(rng);
            jv[k] = kit_real(rng);
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        re[i] = kit_real(rng);
        im[i] = is_complex ? kit_real(rng) : 0.0;
        b[i] = re[i] + I * im[i];
    }
    dd_pencil *p;
    bool singular;
    uint32_t column;
    assert_int_equal(dd_pencil_new(&p, ctx, &pattern, is_complex, kind), DD_OK);
    for (int again = 0; again < 2; again++) { /* the second time with the pivots of the first */
        assert_int_equal(dd_pencil_factor(p, sigma_re, sigma_im, m, jv, &singular, &column), DD_OK);
        assert_false(singular);
    }
    dd_pencil_solve(p, re, is_complex ? im : NULL);
    for (uint32_t c = 0; c < n; c++) {
        for (uint32_t k = pattern.ptr[c]; k < pattern.ptr[c + 1]; k++) {
            b[pattern.idx[k]] -= ((sigma_re + I * sigma_im) * m[k] + jv[k]) * (re[c] + I * im[c]);
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        worst = fmax(worst, cabs(b[i]));
    }
    dd_pencil_free(p);
    dd_csc_free(ctx, &j);
    dd_csc_free(ctx, &pattern);
    free(m), free(jv), free(re), free(im), free(b);
    return worst;
}

static void test_solves(void **state)
{
    (void)state;
    uint64_t rng = 5;
    for (uint32_t n = 1; n <= 70; n += n < 14 ? 1 : 9) {
        for (int is_complex = 0; is_complex < 2; is_complex++) {
            for (dd_pencil_kind kind = DD_PENCIL_AUTO; kind <= DD_PENCIL_SPARSE; kind++) {
                for (int try = 0; try < 5; try++) {
                    assert_true(residual(n, try < 3 ? 60 : 8, (uint32_t)try, is_complex, kind, &rng) < 1e-11 * n);
                }
            }
        }
    }
}

/* A zero row, a zero column and a value that is not finite are seen by every kind. */
static void test_singular(void **state)
{
    (void)state;
    for (uint32_t n = 2; n <= 60; n += 29) {
        for (int is_complex = 0; is_complex < 2; is_complex++) {
            for (dd_pencil_kind kind = DD_PENCIL_DENSE; kind <= DD_PENCIL_SPARSE; kind++) {
                kit_triplets t = kit_triplets_new(3 * n);
                for (uint32_t c = 0; c < n; c++) {
                    kit_entry(&t, c, c, 0.0);
                    if (c > 0) {
                        kit_entry(&t, c - 1, c, 0.0);
                    }
                }
                dd_csc pattern = kit_matrix(ctx, n, n, &t);
                double *m = calloc(2 * (size_t)n, sizeof *m), *j = calloc(2 * (size_t)n, sizeof *j);
                for (uint32_t c = 0; c < n; c++) {
                    for (uint32_t k = pattern.ptr[c]; k < pattern.ptr[c + 1]; k++) {
                        j[k] = pattern.idx[k] == c && c == n - 1 ? 0.0 : 1.0;
                    }
                }
                dd_pencil *p;
                bool singular;
                uint32_t column;
                assert_int_equal(dd_pencil_new(&p, ctx, &pattern, is_complex, kind), DD_OK);
                assert_int_equal(dd_pencil_factor(p, 1, is_complex, m, j, &singular, &column), DD_OK);
                assert_true(singular);
                j[0] = NAN;
                assert_int_equal(dd_pencil_factor(p, 1, is_complex, m, j, &singular, &column), DD_OK);
                assert_true(singular);
                dd_pencil_free(p);
                dd_csc_free(ctx, &pattern);
                free(m), free(j);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_solves), cmocka_unit_test(test_singular)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
