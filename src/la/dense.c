/* dense.c - rank with reasons (equilibrate, then SVD or QR with column pivoting), null spaces, least squares.
 *
 * With B = R A C, R and C diagonal: A x = 0 <=> B (C^-1 x) = 0 and y^T A = 0 <=> (R^-1 y)^T B = 0, so null vectors of B
 * are scaled back by C and R and made orthonormal again.
 */
#include "la/dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "la/lapack.h"
#include "la/svd.h"

/* A gap in the singular values that rounding does not make: then the rank is clear wherever tol lies. */
static const double clear_gap = 1e5;

enum {
    BLOCK = 64,      /* columns of a block in LAPACK, for work arrays */
    MOST_OBLONG = 20 /* the SVD of a longer matrix than this times DD_RANK_SVD costs too much */
};

static double power_of_two_below(double v)
{
    int exponent;
    frexp(v, &exponent);
    return ldexp(1.0, exponent - 1);
}

/* Largest |entry| of each row or column of the scaled matrix turns into one division by a power of two. */
static void scale_side(uint32_t m, uint32_t n, double *b, bool rows, const double *floor, double *scale)
{
    uint32_t count = rows ? m : n, cross = rows ? n : m;
    for (uint32_t i = 0; i < count; i++) {
        double *line = b + (rows ? i : (size_t)i * m), largest = 0;
        size_t step = rows ? m : 1;
        for (uint32_t k = 0; k < cross; k++) {
            largest = fmax(largest, fabs(line[k * step]));
        }
        largest = floor != NULL ? fmax(largest, floor[i]) : largest;
        /* a power of two: scaling is exact, so it cannot change the rank */
        double s = largest > 0 ? 1.0 / power_of_two_below(largest) : 1.0;
        scale[i] *= s;
        for (uint32_t k = 0; k < cross; k++) {
            line[k * step] *= s;
        }
    }
}

/* Copies a into b and scales rows, columns, rows again to largest entry in [1, 2). */
static dd_status equilibrate(dd_context *ctx, const dd_dense *a, const double *floor, double *b, double *row_scale,
                             double *col_scale)
{
    const uint32_t m = a->m, n = a->n;
    /* LAPACK promises nothing for NaN, so the matrix is checked while it is copied */
    for (uint32_t j = 0; j < n; j++) {
        for (uint32_t i = 0; i < m; i++) {
            double v = a->a[i + (size_t)j * a->lda];
            if (!isfinite(v)) {
                return dd_fail(ctx, DD_INVALID_ARGUMENT, "a matrix entry is not a finite number");
            }
            b[i + (size_t)j * m] = v;
        }
    }
    for (uint32_t i = 0; i < m; i++) {
        row_scale[i] = 1;
    }
    for (uint32_t j = 0; j < n; j++) {
        col_scale[j] = 1;
    }
    scale_side(m, n, b, true, floor, row_scale);
    if (floor == NULL) { /* columns of rounding noise must stay small when floors define the size of noise */
        scale_side(m, n, b, false, NULL, col_scale);
        scale_side(m, n, b, true, NULL, row_scale);
    }
    return DD_OK;
}

/* Fills everything but `svd` from the decreasing values s (count of them). */
static void judge(dd_rank_info *out, uint32_t count, const double *s, double tol)
{
    out->sigma_max = count > 0 ? s[0] : 0;
    out->rank = 0;
    /* s_k > tol s_0; the second test stops at exact zeros when tol s_0 underflows */
    while (out->rank < count && s[out->rank] > tol * out->sigma_max && s[out->rank] > 0) {
        out->rank++;
    }
    out->kept = out->rank > 0 ? s[out->rank - 1] / out->sigma_max : 1;
    out->dropped = out->rank > 0 && out->rank < count ? s[out->rank] / out->sigma_max : 0;
    out->gap = out->dropped > 0 ? out->kept / out->dropped : HUGE_VAL;
    /* clear: two decades of distance on both sides of tol, or a gap no rounding explains */
    out->clear = (out->kept >= DD_CLEAR_MARGIN * tol && out->dropped <= tol / DD_CLEAR_MARGIN) ||
                 (out->dropped > 0 && out->gap >= clear_gap);
}

/* Scales the k columns of v (n x k) by `scale` and makes them orthonormal (QR). */
static dd_status orthonormalise(dd_context *ctx, uint32_t n, uint32_t k, double *v, const double *scale)
{
    if (k == 0) {
        return DD_OK;
    }
    /* back to the caller's units, where the vectors are no longer orthonormal */
    for (uint32_t q = 0; q < k; q++) {
        for (uint32_t i = 0; i < n; i++) {
            v[i + (size_t)q * n] *= scale[i];
        }
    }
    int rows = (int)n, cols = (int)k, lwork = (int)(BLOCK * k), info = 0;
    dd_work w = {.ctx = ctx};
    double *tau = dd_work_array(&w, k, sizeof *tau);
    double *work = dd_work_array(&w, (size_t)lwork, sizeof *work);
    /* V = Q R, and Q spans the same space */
    if (!w.failed) {
        dgeqrf_(&rows, &cols, v, &rows, tau, work, &lwork, &info);
        dorgqr_(&rows, &cols, &cols, v, &rows, tau, work, &lwork, &info);
    }
    dd_work_free(&w);
    return w.failed ? DD_OUT_OF_MEMORY : DD_OK;
}

/* The rank of b by its singular values alone, a tenth of the work of finding the vectors too. b stays. */
static dd_status rank_by_values(dd_rank_info *out, dd_context *ctx, uint32_t m, uint32_t n, const double *b, double tol)
{
    dd_svd svd;
    dd_status st = dd_svd_new(&svd, ctx, m, n, DD_SVD_VALUES);
    if (st != DD_OK) {
        return st;
    }
    dd_work w = {.ctx = ctx};
    double *copy = dd_work_array(&w, (size_t)m * n + 1, sizeof *copy);
    st = w.failed ? DD_OUT_OF_MEMORY : DD_OK;
    if (st == DD_OK) {
        memcpy(copy, b, (size_t)m * n * sizeof *copy);
        st = dd_svd_run(&svd, ctx, copy);
    }
    if (st == DD_OK) {
        out->svd = true;
        judge(out, svd.count, svd.s, tol);
    }
    dd_work_free(&w);
    dd_svd_free(&svd);
    return st;
}

static dd_status rank_by_svd(dd_rank_info *out, dd_context *ctx, uint32_t m, uint32_t n, double *b, double tol,
                             double *left_null, double *right_null)
{
    dd_svd svd;
    const bool vectors = left_null != NULL || right_null != NULL;
    /* most square matrices are regular: they have no null vectors */
    if (vectors && m == n) {
        const dd_status by_values = rank_by_values(out, ctx, m, n, b, tol);
        if (by_values != DD_OK || out->rank == n) {
            return by_values;
        }
    }
    dd_status st = dd_svd_new(&svd, ctx, m, n, vectors ? DD_SVD_FULL : DD_SVD_VALUES);
    if (st != DD_OK) {
        return st;
    }
    st = dd_svd_run(&svd, ctx, b);
    if (st == DD_OK) {
        out->svd = true;
        judge(out, svd.count, svd.s, tol);
        /* the columns of U behind the rank span the left null space */
        for (uint32_t k = out->rank; k < m && left_null != NULL; k++) {
            memcpy(left_null + (size_t)(k - out->rank) * m, svd.u + (size_t)k * m, m * sizeof *left_null);
        }
        /* and the rows of V^T behind the rank the right one */
        for (uint32_t k = out->rank; k < n && right_null != NULL; k++) {
            for (uint32_t j = 0; j < n; j++) {
                right_null[j + (size_t)(k - out->rank) * n] = svd.vt[k + (size_t)j * n];
            }
        }
    }
    dd_svd_free(&svd);
    return st;
}

typedef struct qr {
    int m, n, lwork, *jpvt;
    double *b, *tau, *work, *diag;
    double *q; /* m x m */
} qr;

/* right null vectors: with B P = Q [R1 R2; 0 ~0], columns P [-R1^-1 R2; I]. */
static void right_from_qr(qr *f, uint32_t rank, double *out)
{
    uint32_t n = (uint32_t)f->n, free_cols = n - rank;
    memset(out, 0, (size_t)n * free_cols * sizeof *out);
    double *r2 = f->work; /* rank x free_cols */
    /* R1 X = R2, in place */
    for (uint32_t q = 0; q < free_cols; q++) {
        memcpy(r2 + (size_t)q * rank, f->b + (size_t)(rank + q) * (uint32_t)f->m, rank * sizeof *r2);
    }
    int r = (int)rank, nrhs = (int)free_cols, info = 0;
    if (rank > 0 && free_cols > 0) {
        dtrtrs_("U", "N", "N", &r, &nrhs, f->b, &f->m, r2, &r, &info, 1, 1, 1);
    }
    /* back to the caller's columns: LAPACK counts pivots from 1 */
    for (uint32_t q = 0; q < free_cols; q++) {
        for (uint32_t k = 0; k < rank; k++) {
            out[(uint32_t)f->jpvt[k] - 1 + (size_t)q * n] = -r2[k + (size_t)q * rank];
        }
        out[(uint32_t)f->jpvt[rank + q] - 1 + (size_t)q * n] = 1;
    }
}

/* left null vectors: the last m - rank columns of the full Q. */
static void left_from_qr(qr *f, uint32_t rank, double *out)
{
    uint32_t m = (uint32_t)f->m, count = m < (uint32_t)f->n ? m : (uint32_t)f->n;
    /* Q is formed in full from the reflectors, which are below the diagonal of b */
    memcpy(f->q, f->b, (size_t)m * count * sizeof *f->q);
    int k = (int)count, info = 0;
    dorgqr_(&f->m, &f->m, &k, f->q, &f->m, f->tau, f->work, &f->lwork, &info);
    memcpy(out, f->q + (size_t)rank * m, (size_t)m * (m - rank) * sizeof *out);
}

static dd_status rank_by_qr(dd_rank_info *out, dd_context *ctx, uint32_t m, uint32_t n, double *b, double tol,
                            double *left_null, double *right_null)
{
    /* sizes: block is enough for dgeqp3 and dorgqr, square for the right-hand sides of right_from_qr */
    uint32_t count = m < n ? m : n;
    size_t block = BLOCK * ((size_t)m + n), square = right_null != NULL ? (size_t)n * n : 0;
    dd_work w = {.ctx = ctx};
    qr f = {.m = (int)m, .n = (int)n, .b = b, .lwork = (int)block};
    f.jpvt = dd_work_array(&w, n, sizeof *f.jpvt);
    f.tau = dd_work_array(&w, count, sizeof *f.tau);
    f.diag = dd_work_array(&w, count, sizeof *f.diag);
    f.work = dd_work_array(&w, block > square ? block : square, sizeof *f.work);
    f.q = dd_work_array(&w, left_null != NULL ? (size_t)m * m : 1, sizeof *f.q);
    if (!w.failed) {
        /* |r_kk| decreases and estimates the singular values, within a small factor in practice */
        int info = 0;
        dgeqp3_(&f.m, &f.n, b, &f.m, f.jpvt, f.tau, f.work, &f.lwork, &info);
        for (uint32_t k = 0; k < count; k++) {
            f.diag[k] = fabs(b[k + (size_t)k * m]);
        }
        judge(out, count, f.diag, tol);
        if (right_null != NULL) {
            right_from_qr(&f, out->rank, right_null);
        }
        if (left_null != NULL) {
            left_from_qr(&f, out->rank, left_null);
        }
    }
    dd_work_free(&w);
    return w.failed ? DD_OUT_OF_MEMORY : DD_OK;
}

dd_status dd_rank_dense(dd_rank_info *out, dd_context *ctx, const dd_dense *a, double tol, const double *floor,
                        double *left_null, double *right_null)
{
    const uint32_t m = a->m, n = a->n;
    memset(out, 0, sizeof *out);
    /* LAPACK's 32-bit sizes, with room for work arrays of 64 columns */
    uint32_t longest = m > n ? m : n;
    if (longest > INT32_MAX / 256 || a->lda < m) {
        return dd_fail(ctx, DD_INVALID_ARGUMENT, "a dense matrix is too large or its leading dimension too small");
    }
    /* default: the rounding of a product of this length, with a factor 8 for the factorisation */
    tol = tol > 0 ? tol : 8 * DBL_EPSILON * (longest > 0 ? longest : 1);
    dd_work w = {.ctx = ctx};
    double *b = dd_work_array(&w, (size_t)m * n, sizeof *b);
    double *row_scale = dd_work_array(&w, m, sizeof *row_scale);
    double *col_scale = dd_work_array(&w, n, sizeof *col_scale);
    dd_status st = w.failed ? DD_OUT_OF_MEMORY : equilibrate(ctx, a, floor, b, row_scale, col_scale);
    if (st == DD_OK) {
        /* an SVD costs several times a QR and decides more sharply: taken where it is quick */
        bool small = (m < n ? m : n) <= DD_RANK_SVD && longest <= MOST_OBLONG * DD_RANK_SVD;
        st = (small ? rank_by_svd : rank_by_qr)(out, ctx, m, n, b, tol, left_null, right_null);
    }
    /* null vectors of B = R A C are scaled back by R and C and made orthonormal again */
    if (st == DD_OK && left_null != NULL) {
        st = orthonormalise(ctx, m, m - out->rank, left_null, row_scale);
    }
    if (st == DD_OK && right_null != NULL) {
        st = orthonormalise(ctx, n, n - out->rank, right_null, col_scale);
    }
    dd_work_free(&w);
    return st;
}

static double residual_norm(const dd_dense *a, const double *x, const double *b)
{
    double norm = 0;
    for (uint32_t i = 0; i < a->m; i++) {
        double sum = -b[i];
        for (uint32_t j = 0; j < a->n; j++) {
            sum += a->a[i + (size_t)j * a->lda] * x[j];
        }
        norm = hypot(norm, sum);
    }
    return norm;
}

/* Copies a and b to where dgelsd works on them; false when an entry is not finite. */
static bool copy_finite(const dd_dense *a, const double *b, double *matrix, double *rhs)
{
    const uint32_t m = a->m;
    bool finite = true;
    for (uint32_t i = 0; i < m; i++) {
        rhs[i] = b[i];
        finite = finite && isfinite(b[i]);
    }
    for (uint32_t j = 0; j < a->n; j++) {
        for (uint32_t i = 0; i < m; i++) {
            matrix[i + (size_t)j * m] = a->a[i + (size_t)j * a->lda];
            finite = finite && isfinite(matrix[i + (size_t)j * m]);
        }
    }
    return finite;
}

/* Complete orthogonal factorisation: several times faster where the matrix is large. */
static dd_status solve_large(dd_work *w, int m, int n, double *matrix, double *rhs, double tol, int *rank)
{
    int longest = m > n ? m : n, one = 1, lwork = -1, info = 0;
    int *pivot = dd_work_array(w, (size_t)n, sizeof *pivot); /* zeros: every column may move */
    double best = 0;
    /* first call: asks for the size of the work array */
    dgelsy_(&m, &n, &one, matrix, &m, rhs, &longest, pivot, &tol, rank, &best, &lwork, &info);
    lwork = (int)best;
    double *work = dd_work_array(w, (size_t)lwork, sizeof *work);
    if (w->failed) {
        return DD_OUT_OF_MEMORY;
    }
    dgelsy_(&m, &n, &one, matrix, &m, rhs, &longest, pivot, &tol, rank, work, &lwork, &info);
    return DD_OK;
}

/* The SVD by divide and conquer, applied to b as it is found: no singular vectors are formed. */
static dd_status solve_least_squares(dd_context *ctx, dd_work *w, int m, int n, double *matrix, double *rhs, double tol,
                                     int *rank)
{
    if (m > DD_RANK_SVD && n > DD_RANK_SVD) {
        return solve_large(w, m, n, matrix, rhs, tol, rank);
    }
    int longest = m > n ? m : n, one = 1, lwork = -1, liwork = 0, info = 0;
    double *s = dd_work_array(w, (size_t)(m < n ? m : n), sizeof *s), best = 0;
    dgelsd_(&m, &n, &one, matrix, &m, rhs, &longest, s, &tol, rank, &best, &lwork, &liwork, &info); /* sizes */
    lwork = (int)best;
    double *work = dd_work_array(w, (size_t)lwork, sizeof *work);
    int *iwork = dd_work_array(w, (size_t)liwork, sizeof *iwork);
    if (w->failed) {
        return DD_OUT_OF_MEMORY;
    }
    dgelsd_(&m, &n, &one, matrix, &m, rhs, &longest, s, &tol, rank, work, &lwork, iwork, &info);
    return info == 0 ? DD_OK : dd_fail(ctx, DD_NUMERIC, "the singular value decomposition did not converge");
}

dd_status dd_lstsq_dense(dd_context *ctx, const dd_dense *a, const double *b, double tol, double *x, uint32_t *rank,
                         double *residual)
{
    const uint32_t m = a->m, n = a->n;
    uint32_t longest = m > n ? m : n;
    int r = 0;
    if (longest > INT32_MAX / 256 || a->lda < m) {
        return dd_fail(ctx, DD_INVALID_ARGUMENT, "a dense matrix is too large or its leading dimension too small");
    }
    dd_work w = {.ctx = ctx};
    double *matrix = dd_work_array(&w, (size_t)m * n, sizeof *matrix);
    double *rhs = dd_work_array(&w, longest, sizeof *rhs); /* b, then x */
    dd_status st = w.failed ? DD_OUT_OF_MEMORY : DD_OK;
    if (st == DD_OK && !copy_finite(a, b, matrix, rhs)) {
        st = dd_fail(ctx, DD_INVALID_ARGUMENT, "a matrix entry is not a finite number");
    }
    /* b lies in the first m numbers of rhs, and x replaces its first n */
    if (st == DD_OK && m > 0 && n > 0) {
        st = solve_least_squares(ctx, &w, (int)m, (int)n, matrix, rhs, tol > 0 ? tol : DBL_EPSILON * longest, &r);
    }
    if (st == DD_OK) {
        for (uint32_t j = 0; j < n; j++) {
            x[j] = m > 0 ? rhs[j] : 0;
        }
        if (rank != NULL) {
            *rank = (uint32_t)r;
        }
        /* from the caller's a: the factorisation has destroyed the copy */
        if (residual != NULL) {
            *residual = residual_norm(a, x, b);
        }
    }
    dd_work_free(&w);
    return st;
}

/* ---- the null space in memory of the caller ---- */

size_t dd_null_work(uint32_t m, uint32_t n)
{
    const size_t most = m > n ? m : n;
    return most * n + most + (3 * most + 1); /* the transposed matrix, factors of the reflectors, work of LAPACK */
}

uint32_t dd_null_dense(const double *a, uint32_t m, uint32_t n, double tol, double *null, double *work, int *pivot)
{
    const size_t most = m > n ? m : n;
    double *q = work, *tau = q + most * n, *rest = tau + most;
    const int rows = (int)n, cols = (int)m, lwork = (int)(3 * most + 1);
    int info;
    /* A^T = Q R P^T: what is orthogonal to its columns is the null space of A */
    for (uint32_t i = 0; i < m; i++) {
        double largest = 0;
        for (uint32_t j = 0; j < n; j++) {
            largest = fmax(largest, fabs(a[(size_t)j * m + i]));
        }
        for (uint32_t j = 0; j < n; j++) {
            q[(size_t)i * n + j] = largest > 0 ? a[(size_t)j * m + i] / largest : 0;
        }
        pivot[i] = 0;
    }
    uint32_t rank = 0;
    if (m > 0 && n > 0) {
        dgeqp3_(&rows, &cols, q, &rows, pivot, tau, rest, &lwork, &info);
        while (rank < m && rank < n && fabs(q[(size_t)rank * n + rank]) > tol * fabs(q[0])) {
            rank++;
        }
    }
    const int reflectors = (int)rank;
    if (n > 0) {
        dorgqr_(&rows, &rows, &reflectors, q, &rows, tau, rest, &lwork, &info);
    }
    memcpy(null, q + (size_t)rank * n, (size_t)(n - rank) * n * sizeof *null);
    return n - rank;
}
