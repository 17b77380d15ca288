/* svd.c - dgesvd with its memory, and the pseudo-inverse built on it. */
#include "la/svd.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "la/lapack.h"

/* How many singular vectors of one side are kept. */
static uint32_t base_size(dd_svd_vectors vectors, uint32_t all, uint32_t count)
{
    return vectors == DD_SVD_FULL ? all : vectors == DD_SVD_THIN ? count : 0;
}

dd_status dd_svd_new(dd_svd *out, dd_context *ctx, uint32_t m, uint32_t n, dd_svd_vectors vectors)
{
    /* LAPACK's 32-bit sizes, with room for its work array */
    uint32_t count = m < n ? m : n, longest = m < n ? n : m;
    memset(out, 0, sizeof *out);
    if (longest > INT32_MAX / 256) {
        return dd_fail(ctx, DD_INVALID_ARGUMENT, "a dense matrix is too large");
    }
    *out = (dd_svd){.m = m, .n = n, .count = count, .vectors = vectors, .memory.ctx = ctx};
    /* above LAPACK's minimum max(3 count + longest, 5 count), with blocks of 64 for speed */
    out->lwork = (int)(5 * count + 64 * (m + n) + 64);
    out->s = dd_work_array(&out->memory, count, sizeof *out->s);
    out->u = dd_work_array(&out->memory, (size_t)m * base_size(vectors, m, count), sizeof *out->u);
    out->vt = dd_work_array(&out->memory, (size_t)n * base_size(vectors, n, count), sizeof *out->vt);
    out->work = dd_work_array(&out->memory, (size_t)out->lwork, sizeof *out->work);
    if (out->memory.failed) {
        dd_svd_free(out);
        return DD_OUT_OF_MEMORY;
    }
    return DD_OK;
}

void dd_svd_free(dd_svd *svd)
{
    dd_work_free(&svd->memory);
    memset(svd, 0, sizeof *svd);
}

/* An empty matrix: full bases are identities. */
static void identity(double *a, uint32_t n)
{
    memset(a, 0, (size_t)n * n * sizeof *a);
    for (uint32_t i = 0; i < n; i++) {
        a[i + (size_t)i * n] = 1;
    }
}

dd_status dd_svd_run(dd_svd *svd, dd_context *ctx, double *a)
{
    if (svd->count == 0) {
        if (svd->vectors == DD_SVD_FULL) {
            identity(svd->u, svd->m);
            identity(svd->vt, svd->n);
        }
        return DD_OK;
    }
    /* LAPACK promises nothing for NaN */
    for (size_t k = 0; k < (size_t)svd->m * svd->n; k++) {
        if (!isfinite(a[k])) {
            return dd_fail(ctx, DD_INVALID_ARGUMENT, "a matrix entry is not a finite number");
        }
    }
    /* vectors: none, the first count, all */
    static const char *const jobs[] = {"N", "S", "A"};
    const char *job = jobs[svd->vectors];
    int m = (int)svd->m, n = (int)svd->n, ldvt = (int)(svd->vectors == DD_SVD_FULL ? svd->n : svd->count), info = 0;
    dgesvd_(job, job, &m, &n, a, &m, svd->s, svd->u, &m, svd->vt, &ldvt, svd->work, &svd->lwork, &info, 1, 1);
    if (info != 0) {
        return dd_fail(ctx, DD_NUMERIC, "the singular value decomposition did not converge");
    }
    return DD_OK;
}

uint32_t dd_svd_rank(const dd_svd *svd, double tol)
{
    uint32_t rank = 0;
    while (rank < svd->count && svd->s[rank] > tol * svd->s[0] && svd->s[rank] > 0) {
        rank++;
    }
    return rank;
}

void dd_svd_apply_inverse(const dd_svd *svd, uint32_t rank, double mu, const double *b, double *x, double *multiplier)
{
    size_t ldvt = svd->vectors == DD_SVD_FULL ? svd->n : svd->count;
    assert(svd->vectors != DD_SVD_VALUES);
    memset(x, 0, svd->n * sizeof *x);
    if (multiplier != NULL) {
        memset(multiplier, 0, svd->m * sizeof *multiplier);
    }
    /* x = sum_k v_k (u_k . b) s / (s^2 + mu), the pseudo-inverse when mu = 0 */
    for (uint32_t k = 0; k < rank; k++) {
        const double *u = svd->u + (size_t)k * svd->m;
        double s = svd->s[k], along = 0;
        for (uint32_t i = 0; i < svd->m; i++) {
            along += u[i] * b[i];
        }
        along /= mu > 0 ? s + mu / s : s; /* no s * s: it may underflow */
        for (uint32_t j = 0; j < svd->n; j++) {
            x[j] += along * svd->vt[k + j * ldvt];
        }
        /* multiplier = -sum_k u_k (u_k . b) / (s^2 + mu), so that x = -A^T multiplier */
        along /= s;
        for (uint32_t i = 0; i < svd->m && multiplier != NULL; i++) {
            multiplier[i] -= along * u[i];
        }
    }
}
