/* ldlkit.h - what the tests of the LDL^T factorisation share: random symmetric matrices, dense truth by LAPACK. */
#ifndef DD_TEST_LDLKIT_H
#define DD_TEST_LDLKIT_H

#include "lakit.h"

#include "la/lapack.h"
#include "la/ldl.h"

void dsyev_(const char *jobz, const char *uplo, const int *n, double *a, const int *lda, double *w, double *work,
            const int *lwork, int *info, size_t jobz_len, size_t uplo_len);

enum { LDL_MOST = 64 };

/* A dense symmetric matrix (both triangles), its pattern and pairs. */
typedef struct ldl_case {
    uint32_t n;
    double a[LDL_MOST * LDL_MOST];
    bool there[LDL_MOST * LDL_MOST]; /* entries of the pattern, which may be zero */
    uint32_t partner[LDL_MOST];
    uint32_t ptr[LDL_MOST + 1], idx[LDL_MOST * LDL_MOST];
    double val[LDL_MOST * LDL_MOST];
} ldl_case;

static inline void ldl_clear(ldl_case *c, uint32_t n)
{
    c->n = n;
    memset(c->a, 0, (size_t)n * n * sizeof *c->a);
    memset(c->there, 0, (size_t)n * n * sizeof *c->there);
    for (uint32_t i = 0; i < n; i++) {
        c->partner[i] = DD_NO_INDEX;
    }
}

static inline void ldl_set(ldl_case *c, uint32_t i, uint32_t j, double value)
{
    c->a[i + j * c->n] = c->a[j + i * c->n] = value;
    c->there[i + j * c->n] = c->there[j + i * c->n] = true;
}

/* The lower triangle by columns, of the matrix as it is now. */
static inline dd_ldl_pattern ldl_pattern(ldl_case *c)
{
    uint32_t count = 0;
    for (uint32_t j = 0; j < c->n; j++) {
        c->ptr[j] = count;
        for (uint32_t i = j; i < c->n; i++) {
            if (c->there[i + j * c->n]) {
                c->val[count] = c->a[i + j * c->n];
                c->idx[count++] = i;
            }
        }
    }
    c->ptr[c->n] = count;
    return (dd_ldl_pattern){.n = c->n, .ptr = c->ptr, .idx = c->idx, .partner = c->partner};
}

/* 10^x, x uniform in (from, to). */
static inline double ldl_power(uint64_t *rng, double from, double to)
{
    return pow(10, from + (to - from) * 0.5 * (kit_real(rng) + 1));
}

/* ---- dense truth ---- */

/* Rows and columns scaled to a largest entry near 1. */
static inline void ldl_scaled(const ldl_case *c, double *out)
{
    const uint32_t n = c->n;
    double s[LDL_MOST];
    for (uint32_t i = 0; i < n; i++) {
        s[i] = 1;
    }
    for (uint32_t sweep = 0; sweep < 12; sweep++) {
        double most[LDL_MOST] = {0};
        for (uint32_t j = 0; j < n; j++) {
            for (uint32_t i = 0; i < n; i++) {
                most[i] = fmax(most[i], fabs(c->a[i + j * n]) * s[i] * s[j]);
            }
        }
        for (uint32_t i = 0; i < n; i++) {
            s[i] /= most[i] > 0 ? sqrt(most[i]) : 1;
        }
    }
    for (uint32_t j = 0; j < n; j++) {
        for (uint32_t i = 0; i < n; i++) {
            out[i + j * n] = c->a[i + j * n] * s[i] * s[j];
        }
    }
}

typedef struct ldl_truth {
    uint32_t negative, zero; /* zero: below 1e-13 of the scaled matrix */
    double smallest;         /* magnitude of an eigenvalue of the scaled matrix that is not zero; INFINITY: none */
} ldl_truth;

static inline ldl_truth ldl_inertia(const ldl_case *c)
{
    double a[LDL_MOST * LDL_MOST], w[LDL_MOST], work[8 * LDL_MOST];
    int n = (int)c->n, lwork = 8 * LDL_MOST, info = 0;
    ldl_truth t = {.smallest = INFINITY};
    ldl_scaled(c, a);
    if (n > 0) {
        dsyev_("N", "L", &n, a, &n, w, work, &lwork, &info, 1, 1);
    }
    assert_int_equal(info, 0);
    for (int i = 0; i < n; i++) {
        if (fabs(w[i]) < 1e-13) {
            t.zero++;
        } else {
            t.negative += w[i] < 0;
            t.smallest = fmin(t.smallest, fabs(w[i]));
        }
    }
    return t;
}

/* r := b - A x; returns the largest |r_i| / (|A| |x| + |b|)_i. Where that is nothing but rounding errors of unknowns that
 * should be zero, the norm of x takes their place (Arioli, Demmel and Duff, SIAM J. Matrix Anal. Appl. 10, 1989). */
static inline double ldl_residual(const ldl_case *c, const double *b, const double *x, double *r)
{
    const double norm = kit_norm(x, c->n), eps = 2.3e-16;
    double worst = 0;
    for (uint32_t i = 0; i < c->n; i++) {
        long double sum = b[i];
        double size = fabs(b[i]), row = 0;
        for (uint32_t j = 0; j < c->n; j++) {
            sum -= (long double)c->a[i + j * c->n] * x[j];
            size += fabs(c->a[i + j * c->n] * x[j]);
            row += fabs(c->a[i + j * c->n]);
        }
        size = size > 1000 * c->n * eps * (row * norm + fabs(b[i])) ? size : size + row * norm;
        r[i] = (double)sum;
        worst = fmax(worst, size > 0 ? fabs(r[i]) / size : 0);
    }
    return worst;
}

/* Solves, refines once; returns the residual after it. */
static inline double ldl_solved(dd_ldl *f, const ldl_case *c, const double *b, double *x)
{
    double r[LDL_MOST];
    memcpy(x, b, c->n * sizeof *x);
    dd_ldl_solve(f, x);
    ldl_residual(c, b, x, r);
    dd_ldl_solve(f, r);
    for (uint32_t i = 0; i < c->n; i++) {
        x[i] += r[i];
    }
    return ldl_residual(c, b, x, r);
}

/* ---- random matrices ---- */

/* Pairs of unknowns that share an entry, some of them. */
static inline void ldl_random_pairs(ldl_case *c, uint64_t *rng)
{
    for (uint32_t i = 0; i < c->n; i++) {
        const uint32_t j = kit_below(rng, c->n);
        if (i != j && c->there[i + j * c->n] && c->partner[i] == DD_NO_INDEX && c->partner[j] == DD_NO_INDEX) {
            c->partner[i] = j;
            c->partner[j] = i;
        }
    }
}

static inline void ldl_random_symmetric(ldl_case *c, uint64_t *rng, uint32_t n)
{
    const uint32_t percent = 5 + kit_below(rng, 60), diagonal = kit_below(rng, 101), wide = kit_below(rng, 3);
    ldl_clear(c, n);
    for (uint32_t j = 0; j < n; j++) {
        for (uint32_t i = j; i < n; i++) {
            if (kit_below(rng, 100) < (i == j ? diagonal : percent)) {
                ldl_set(c, i, j, kit_real(rng) * (wide == 0 ? ldl_power(rng, -4, 4) : 1));
            }
        }
    }
}

/* [ H + diag(p)  J^T ; J  -diag(q) ]: n variables, m rows. */
static inline void ldl_random_kkt(ldl_case *c, uint64_t *rng, uint32_t n, uint32_t m)
{
    const uint32_t percent = 5 + kit_below(rng, 50), exact = kit_below(rng, 3);
    ldl_clear(c, n + m);
    for (uint32_t j = 0; j < n; j++) {
        for (uint32_t i = j; i < n; i++) {
            if (kit_below(rng, 100) < percent) {
                ldl_set(c, i, j, kit_real(rng));
            }
        }
        const double p = ldl_power(rng, -8, 8);
        ldl_set(c, j, j, c->a[j + j * c->n] + p);
    }
    for (uint32_t i = 0; i < m; i++) {
        for (uint32_t j = 0; j < n; j++) {
            if (j == i || kit_below(rng, 100) < percent) {
                ldl_set(c, n + i, j, exact == 0 ? (double)kit_below(rng, 7) - 3 : kit_real(rng));
            }
        }
        /* equalities, with and without their place on the diagonal; inequalities */
        const uint32_t kind = kit_below(rng, 4);
        if (kind > 0) {
            ldl_set(c, n + i, n + i, kind == 1 ? 0 : -ldl_power(rng, -8, 8));
        }
    }
    if (kit_below(rng, 2) == 0) {
        for (uint32_t i = 0; i < m && i < n; i++) {
            c->partner[i] = n + i;
            c->partner[n + i] = i;
        }
    }
}

/* Integers of which some rows and columns are combinations of others: B^T D B with D of +-1 and few rows. */
static inline void ldl_random_singular(ldl_case *c, uint64_t *rng, uint32_t n)
{
    const uint32_t rank = kit_below(rng, n + 1);
    double b[LDL_MOST] = {0};
    ldl_clear(c, n);
    for (uint32_t k = 0; k < rank; k++) {
        const double sign = kit_below(rng, 2) ? 1 : -1;
        for (uint32_t i = 0; i < n; i++) {
            b[i] = kit_below(rng, 3) == 0 ? (double)kit_below(rng, 7) - 3 : 0;
        }
        for (uint32_t j = 0; j < n; j++) {
            for (uint32_t i = j; i < n; i++) {
                if (b[i] * b[j] != 0) {
                    ldl_set(c, i, j, c->a[i + j * n] + sign * b[i] * b[j]);
                }
            }
        }
    }
}

/* ---- checks ---- */

/* Eigenvalues of the scaled matrix above this have the right sign. */
#define LDL_CLEAR 1e-10

/* Factors the case; inertia and residual are right. singular: eigenvalues that are zero but for rounding are zero; else
 * the matrix is passed over if it has such. Returns the information. */
static inline dd_ldl_info ldl_check(dd_context *ctx, uint64_t *rng, ldl_case *c, bool singular)
{
    const dd_ldl_pattern pattern = ldl_pattern(c);
    dd_ldl *f;
    dd_ldl_info info;
    double b[LDL_MOST], x[LDL_MOST];
    assert_int_equal(dd_ldl_new(&f, ctx, &pattern), DD_OK);
    const uint64_t allocations = dd_context_allocations(ctx);
    assert_int_equal(dd_ldl_factor(f, c->val, &info), DD_OK);
    assert_false(info.broken);
    const ldl_truth truth = ldl_inertia(c);
    const bool clear = truth.smallest > LDL_CLEAR && (singular || truth.zero == 0);
    if (clear) {
        assert_int_equal(info.zero, truth.zero);
        assert_int_equal(info.negative, truth.negative);
    }
    /* the right-hand side of a known solution is in the range, also of a singular matrix, whose entries are integers */
    for (uint32_t i = 0; i < c->n; i++) {
        x[i] = (double)kit_below(rng, 19) - 9;
    }
    for (uint32_t i = 0; i < c->n; i++) {
        b[i] = 0;
        for (uint32_t j = 0; j < c->n; j++) {
            b[i] += c->a[i + j * c->n] * x[j];
        }
    }
    const double residual = ldl_solved(f, c, b, x);
    if (clear) {
        assert_true(residual < 4 * (c->n + 4) * 2.3e-16);
        for (uint32_t k = 0; k < info.zero; k++) {
            assert_true(x[dd_ldl_zeros(f)[k]] == 0);
        }
    }
    /* nothing is allocated, unless there were delayed pivots the first time */
    assert_true(info.delayed > 0 || dd_context_allocations(ctx) == allocations);
    const uint64_t second = dd_context_allocations(ctx);
    assert_int_equal(dd_ldl_factor(f, c->val, NULL), DD_OK);
    assert_int_equal(dd_context_allocations(ctx), second);
    dd_ldl_free(f);
    return info;
}

/* One of three kinds of random matrices, with and without pairs. */
static inline dd_ldl_info ldl_check_random(dd_context *ctx, uint64_t *rng, ldl_case *c, uint32_t round, uint32_t n)
{
    switch (round % 3) {
    case 0:
        ldl_random_symmetric(c, rng, n);
        break;
    case 1:
        ldl_random_kkt(c, rng, n, kit_below(rng, n < LDL_MOST / 2 ? n + 1 : LDL_MOST - n));
        break;
    default:
        ldl_random_singular(c, rng, n);
    }
    if (round % 2 == 0) {
        ldl_random_pairs(c, rng);
    }
    return ldl_check(ctx, rng, c, round % 3 == 2);
}

#endif
