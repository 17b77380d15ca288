/* The structure of pencils with known Weierstrass form: P (s [I 0; 0 N] - [J 0; 0 I]) Q with random P and Q. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "la/weierstrass.h"

enum { MOST = 24 };

static uint64_t seed = 7;

static double uniform(void)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(seed >> 11) * 0x1p-52 - 1;
}

static dd_context *new_context(void)
{
    dd_context *ctx = NULL;
    assert_int_equal(dd_context_new(&ctx, NULL), DD_OK);
    return ctx;
}

/* A random matrix that is far from singular: strong on its diagonal. */
static void random_matrix(uint32_t n, double *a)
{
    for (uint32_t j = 0; j < n; j++) {
        for (uint32_t i = 0; i < n; i++) {
            a[i + j * n] = uniform() + (i == j ? 3 : 0) * (uniform() > 0 ? 1 : -1);
        }
    }
}

static void product(uint32_t n, const double *a, const double *b, double *c)
{
    for (uint32_t j = 0; j < n; j++) {
        for (uint32_t i = 0; i < n; i++) {
            double sum = 0;
            for (uint32_t k = 0; k < n; k++) {
                sum += a[i + k * n] * b[k + j * n];
            }
            c[i + j * n] = sum;
        }
    }
}

typedef struct form {
    uint32_t n, finite, blocks, block[MOST];
    double e[MOST * MOST], a[MOST * MOST], eigen[MOST];
} form;

/* Real eigenvalues, then nilpotent blocks (sizes falling), between random matrices. */
static void make_form(form *f, uint32_t finite, const uint32_t *block, uint32_t blocks)
{
    static double e[MOST * MOST], a[MOST * MOST], p[MOST * MOST], q[MOST * MOST], t[MOST * MOST];
    *f = (form){.n = finite, .finite = finite, .blocks = blocks};
    for (uint32_t b = 0; b < blocks; b++) {
        f->block[b] = block[b];
        f->n += block[b];
    }
    const uint32_t n = f->n;
    memset(e, 0, sizeof e);
    memset(a, 0, sizeof a);
    for (uint32_t i = 0; i < finite; i++) {
        f->eigen[i] = 2.0 - (double)i * 1.25; /* falling, apart */
        e[i + i * n] = 1;
        a[i + i * n] = f->eigen[i];
    }
    for (uint32_t b = 0, at = finite; b < blocks; at += block[b++]) {
        for (uint32_t i = 0; i < block[b]; i++) {
            a[at + i + (at + i) * n] = 1;
            if (i + 1 < block[b]) {
                e[at + i + (at + i + 1) * n] = 1;
            }
        }
    }
    random_matrix(n, p);
    random_matrix(n, q);
    product(n, p, e, t);
    product(n, t, q, f->e);
    product(n, p, a, t);
    product(n, t, q, f->a);
}

static void check_form(const form *f, const dd_weierstrass *w)
{
    assert_true(w->regular);
    assert_true(w->decided);
    assert_int_equal(w->finite, f->finite);
    assert_int_equal(w->n_blocks, f->blocks);
    assert_int_equal(w->index, f->blocks > 0 ? f->block[0] : 0);
    for (uint32_t b = 0; b < f->blocks; b++) {
        assert_int_equal(w->block[b], f->block[b]);
    }
    for (uint32_t i = 0; i < f->finite; i++) {
        assert_true(fabs(w->re[i] - f->eigen[i]) < 1e-7);
        assert_true(fabs(w->im[i]) < 1e-7);
    }
}

static void test_random_forms(void **state)
{
    (void)state;
    dd_context *ctx = new_context();
    static form f;
    uint32_t tried = 0;
    for (uint32_t finite = 0; finite < 6; finite++) {
        static const uint32_t sets[][4] = {{0},       {1},       {2},    {3},          {1, 1, 1}, {2, 1},
                                           {3, 1, 1}, {3, 3, 2}, {4, 2}, {2, 2, 1, 1}, {5}};
        for (size_t s = 0; s < sizeof sets / sizeof *sets; s++) {
            uint32_t blocks = 0;
            while (blocks < 4 && sets[s][blocks] > 0) {
                blocks++;
            }
            if (finite + blocks == 0) {
                continue;
            }
            make_form(&f, finite, sets[s], blocks);
            /* rows and columns in other units, time in seconds or years */
            for (int units = 0; units < 2; units++) {
                dd_weierstrass w;
                assert_int_equal(dd_weierstrass_find(&w, ctx, f.n, f.e, f.a), DD_OK);
                check_form(&f, &w);
                dd_weierstrass_free(ctx, &w);
                for (uint32_t j = 0; j < f.n; j++) {
                    for (uint32_t i = 0; i < f.n; i++) {
                        const double scale = pow(10, (double)(i % 5) * 2 - 4) * pow(10, 3 - (double)(j % 4) * 2);
                        f.e[i + j * f.n] *= scale;
                        f.a[i + j * f.n] *= scale;
                    }
                }
                tried++;
            }
        }
    }
    assert_true(tried > 120);
    dd_context_free(ctx);
}

/* E x' = x + B u with E = [0 1 0; 0 0 1; 0 0 0]: one block of size 3. */
static void test_nilpotent(void **state)
{
    (void)state;
    dd_context *ctx = new_context();
    const double e[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0}, a[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    dd_weierstrass w;
    assert_int_equal(dd_weierstrass_find(&w, ctx, 3, e, a), DD_OK);
    assert_true(w.regular && w.decided);
    assert_int_equal(w.index, 3);
    assert_int_equal(w.n_blocks, 1);
    assert_int_equal(w.finite, 0);
    dd_weierstrass_free(ctx, &w);
    dd_context_free(ctx);
}

/* Microfarads beside kiloohms: C v' = -i, R i = v has one eigenvalue -1/(R C), whatever the units. */
static void test_units(void **state)
{
    (void)state;
    dd_context *ctx = new_context();
    for (int k = 0; k < 16; k++) {
        const double R = 1e3, C = pow(10, -k);
        const double e[4] = {C, 0, 0, 0}, a[4] = {0, 1, -1, -R};
        dd_weierstrass w;
        assert_int_equal(dd_weierstrass_find(&w, ctx, 2, e, a), DD_OK);
        assert_true(w.regular && w.decided);
        assert_int_equal(w.finite, 1);
        assert_int_equal(w.index, 1);
        assert_true(fabs(w.re[0] * R * C + 1) < 1e-10);
        dd_weierstrass_free(ctx, &w);
    }
    dd_context_free(ctx);
}

/* Two equal rows: no unique solution. */
static void test_singular(void **state)
{
    (void)state;
    dd_context *ctx = new_context();
    const double e[4] = {1, 1, 0, 0}, a[4] = {2, 2, 3, 3};
    dd_weierstrass w;
    assert_int_equal(dd_weierstrass_find(&w, ctx, 2, e, a), DD_OK);
    assert_false(w.regular);
    dd_weierstrass_free(ctx, &w);
    dd_context_free(ctx);
}

/* Nearly dependent rows of E: the answer says that it depends on what is called zero. */
static void test_doubt(void **state)
{
    (void)state;
    dd_context *ctx = new_context();
    const double e[4] = {1, 1, 1, 1 + 3e-10}, a[4] = {1, 2, 3, 4};
    dd_weierstrass w;
    assert_int_equal(dd_weierstrass_find(&w, ctx, 2, e, a), DD_OK);
    assert_false(w.decided);
    assert_true(w.doubtful > 1e-12 && w.doubtful < 1e-8);
    dd_weierstrass_free(ctx, &w);
    dd_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_forms), cmocka_unit_test(test_nilpotent),
                                       cmocka_unit_test(test_units), cmocka_unit_test(test_singular),
                                       cmocka_unit_test(test_doubt)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
