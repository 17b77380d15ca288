/* minnorm.c - minimum-norm corrections through the augmented system (see minnorm.h), or dense when small: by a QR
 * decomposition where the rows are clearly independent, otherwise by the SVD. */
#include "la/minnorm.h"

#include <math.h>
#include <string.h>

#include "la/lapack.h"
#include "la/linsolver.h"
#include "la/svd.h"

static const double dense_tol_default = 1e-12, sparse_rcond_default = 1e-14;

/* B^T = Q R has full rank without doubt where the condition of R, as LAPACK estimates it, is this far from rounding. An
 * SVD is twenty times the work. */
static const double clear_rcond = 1e-5;
enum { QR_BLOCK = 32 }; /* columns that LAPACK works on at a time */

struct dd_minnorm {
    dd_context *ctx;
    uint32_t m, n, nnz;
    dd_minnorm_info info;
    double mu;
    bool ready;
    double *weight;         /* n */
    double *rhs, *residual; /* m + n each */
    dd_work memory;
    /* dense */
    dd_svd svd;
    double *b; /* m x n: A W, destroyed by the decomposition */
    struct {
        bool used;           /* the newest factors are these */
        double *a, *tau;     /* n x m: Q and R of B^T; m */
        double *work, *part; /* lwork; n */
        int *iwork, lwork;   /* m */
    } qr;
    /* sparse: [I B^T; B -mu I], pattern and where the entries of A go */
    dd_csc k;
    uint32_t *upper, *lower; /* nnz: positions in k.val of B^T and of B */
    uint32_t *diagonal;      /* m: positions of -mu */
    dd_linsolver *solver;
};

/* Builds K and remembers where the values of A go. Column j < n: 1, then column j of B; column n + i: row i of B,
 * -mu. */
static dd_status build_augmented(dd_minnorm *mn, const dd_csc *a)
{
    uint32_t m = mn->m, n = mn->n, nnz = mn->nnz;
    dd_work w = {.ctx = mn->ctx};
    uint32_t *t_ptr = dd_work_array(&w, (size_t)m + 1, sizeof *t_ptr);
    uint32_t *t_idx = dd_work_array(&w, nnz, sizeof *t_idx);
    uint32_t *t_entry = dd_work_array(&w, nnz, sizeof *t_entry);
    mn->upper = dd_work_array(&mn->memory, nnz, sizeof *mn->upper);
    mn->lower = dd_work_array(&mn->memory, nnz, sizeof *mn->lower);
    mn->diagonal = dd_work_array(&mn->memory, m, sizeof *mn->diagonal);
    dd_status st = w.failed || mn->memory.failed ? DD_OUT_OF_MEMORY : DD_OK;
    st = st == DD_OK ? dd_csc_new(&mn->k, mn->ctx, m + n, m + n, 2 * nnz + m + n) : st;
    if (st == DD_OK) {
        /* columns of A are rows of its transpose: one call finds the order of B^T's entries */
        dd_pattern p = {.nrows = n, .ncols = m, .ptr = a->ptr, .idx = a->idx};
        dd_pattern_transpose(&p, t_ptr, t_idx, t_entry);
        uint32_t at = 0;
        /* columns of y: the identity above, B below */
        for (uint32_t j = 0; j < n; j++) {
            mn->k.idx[at] = j;
            mn->k.val[at++] = 1;
            for (uint32_t e = a->ptr[j]; e < a->ptr[j + 1]; e++) {
                mn->lower[e] = at;
                mn->k.idx[at++] = n + a->idx[e];
            }
            mn->k.ptr[j + 1] = at;
        }
        /* columns of the multipliers: B^T above, -mu I below */
        for (uint32_t i = 0; i < m; i++) {
            for (uint32_t e = t_ptr[i]; e < t_ptr[i + 1]; e++) {
                mn->upper[t_entry[e]] = at;
                mn->k.idx[at++] = t_idx[e];
            }
            mn->diagonal[i] = at;
            mn->k.idx[at++] = n + i;
            mn->k.ptr[n + i + 1] = at;
        }
    }
    dd_work_free(&w);
    return st;
}

static dd_status prepare(dd_minnorm *mn, const dd_csc *a)
{
    dd_status st;
    mn->weight = dd_work_array(&mn->memory, mn->n, sizeof *mn->weight);
    mn->rhs = dd_work_array(&mn->memory, (size_t)mn->m + mn->n, sizeof *mn->rhs);
    mn->residual = dd_work_array(&mn->memory, (size_t)mn->m + mn->n, sizeof *mn->residual);
    if (mn->info.dense) {
        mn->b = dd_work_array(&mn->memory, (size_t)mn->m * mn->n, sizeof *mn->b);
        mn->qr.lwork = QR_BLOCK * (int)(mn->m + mn->n) + 1;
        mn->qr.a = dd_work_array(&mn->memory, (size_t)mn->m * mn->n, sizeof *mn->qr.a);
        mn->qr.tau = dd_work_array(&mn->memory, mn->m, sizeof *mn->qr.tau);
        mn->qr.part = dd_work_array(&mn->memory, mn->n, sizeof *mn->qr.part);
        mn->qr.work = dd_work_array(&mn->memory, (size_t)mn->qr.lwork, sizeof *mn->qr.work);
        mn->qr.iwork = dd_work_array(&mn->memory, mn->m, sizeof *mn->qr.iwork);
        st = mn->memory.failed ? DD_OUT_OF_MEMORY : dd_svd_new(&mn->svd, mn->ctx, mn->m, mn->n, DD_SVD_THIN);
    } else {
        st = mn->memory.failed ? DD_OUT_OF_MEMORY : build_augmented(mn, a);
        st = st == DD_OK ? dd_linsolver_new(&mn->solver, mn->ctx, "klu") : st;
        /* a symmetric pattern with a full diagonal: its block-triangular form is no finer than its connected
         * components */
        if (st == DD_OK) {
            dd_linsolver_set_one_block(mn->solver);
        }
        st = st == DD_OK ? dd_linsolver_analyse(mn->solver, &mn->k) : st;
    }
    return st;
}

dd_status dd_minnorm_new(dd_minnorm **out, dd_context *ctx, const dd_csc *a)
{
    *out = NULL;
    uint32_t nnz = a->ptr[a->ncols];
    /* K has 2 nnz + m + n entries and KLU counts with 32-bit integers */
    if (nnz > INT32_MAX / 4 || a->nrows > INT32_MAX / 16 || a->ncols > INT32_MAX / 16) {
        return dd_fail(ctx, DD_LIMIT, "the correction has too many rows, columns or entries");
    }
    dd_minnorm *mn = dd_mem_new_array(ctx, 1, sizeof *mn);
    if (mn == NULL) {
        return DD_OUT_OF_MEMORY;
    }
    *mn = (dd_minnorm){.ctx = ctx, .m = a->nrows, .n = a->ncols, .nnz = nnz, .memory.ctx = ctx};
    mn->info.row = DD_NO_INDEX;
    mn->info.dense = a->nrows <= DD_MINNORM_DENSE && a->ncols <= DD_MINNORM_DENSE;
    dd_status st = prepare(mn, a);
    if (st != DD_OK) {
        dd_minnorm_free(mn);
        return st;
    }
    *out = mn;
    return DD_OK;
}

void dd_minnorm_free(dd_minnorm *mn)
{
    if (mn == NULL) {
        return;
    }
    dd_context *ctx = mn->ctx;
    dd_linsolver_free(mn->solver);
    dd_csc_free(ctx, &mn->k);
    dd_svd_free(&mn->svd);
    dd_work_free(&mn->memory);
    dd_mem_free(ctx, mn, sizeof *mn);
}

/* Q and R of B^T. False when the rows of B are not clearly independent, or not finite. */
static bool factor_qr(dd_minnorm *mn)
{
    const uint32_t m = mn->m, n = mn->n;
    double largest = 0;
    for (uint32_t j = 0; j < n; j++) {
        for (uint32_t i = 0; i < m; i++) {
            mn->qr.a[j + (size_t)i * n] = mn->b[i + (size_t)j * m];
            largest = fmax(largest, fabs(mn->b[i + (size_t)j * m]));
        }
    }
    int rows = (int)n, cols = (int)m, info = 0;
    double rcond = 0;
    if (m == 0 || m > n || !(largest > 0) || !isfinite(largest)) {
        return false;
    }
    dgeqrf_(&rows, &cols, mn->qr.a, &rows, mn->qr.tau, mn->qr.work, &mn->qr.lwork, &info);
    dtrcon_("1", "U", "N", &cols, mn->qr.a, &rows, &rcond, mn->qr.work, mn->qr.iwork, &info, 1, 1, 1);
    mn->info.rcond = rcond;
    return rcond >= clear_rcond;
}

/* y = Q R^-T r is the shortest solution of B y = r; the multiplier is -R^-1 R^-T r. */
static void solve_qr(dd_minnorm *mn, const double *r, double *y, double *multiplier)
{
    const int rows = (int)mn->n, cols = (int)mn->m, one = 1;
    int info = 0;
    double *part = mn->qr.part;
    memset(part, 0, mn->n * sizeof *part);
    memcpy(part, r, mn->m * sizeof *r);
    dtrtrs_("U", "T", "N", &cols, &one, mn->qr.a, &rows, part, &rows, &info, 1, 1, 1);
    memcpy(y, part, mn->n * sizeof *y);
    dormqr_("L", "N", &rows, &one, &cols, mn->qr.a, &rows, mn->qr.tau, y, &rows, mn->qr.work, &mn->qr.lwork, &info, 1,
            1);
    if (multiplier != NULL) {
        dtrtrs_("U", "N", "N", &cols, &one, mn->qr.a, &rows, part, &rows, &info, 1, 1, 1);
        for (uint32_t i = 0; i < mn->m; i++) {
            multiplier[i] = -part[i];
        }
    }
}

static dd_status factor_dense(dd_minnorm *mn, const dd_csc *a, double tol)
{
    /* B = A W, then the SVD of B */
    dd_csc_to_dense(a, mn->b, mn->m);
    for (uint32_t j = 0; j < mn->n; j++) {
        for (uint32_t i = 0; i < mn->m; i++) {
            mn->b[i + (size_t)j * mn->m] *= mn->weight[j];
        }
    }
    mn->qr.used = mn->mu == 0 && tol < clear_rcond && factor_qr(mn);
    if (mn->qr.used) {
        mn->info.rank = mn->m;
        mn->info.singular = false;
        return DD_OK;
    }
    dd_status st = dd_svd_run(&mn->svd, mn->ctx, mn->b);
    if (st != DD_OK) {
        return st;
    }
    const dd_svd *svd = &mn->svd;
    /* rank by relative size of the singular values; solving works with any rank */
    mn->info.rank = dd_svd_rank(svd, tol > 0 ? tol : dense_tol_default);
    mn->info.singular = mn->info.rank < mn->m;
    mn->info.rcond = svd->count > 0 && svd->s[0] > 0 ? svd->s[svd->count - 1] / svd->s[0] : svd->count == 0;
    if (mn->info.singular && svd->count == mn->m) { /* the row with the largest share in the lost direction */
        const double *u = svd->u + (size_t)(svd->count - 1) * mn->m;
        mn->info.row = 0;
        for (uint32_t i = 1; i < mn->m; i++) {
            mn->info.row = fabs(u[i]) > fabs(u[mn->info.row]) ? i : mn->info.row;
        }
    }
    return DD_OK;
}

static dd_status factor_sparse(dd_minnorm *mn, const dd_csc *a, double tol)
{
    /* B and B^T share their values */
    for (uint32_t j = 0; j < mn->n; j++) {
        for (uint32_t e = a->ptr[j]; e < a->ptr[j + 1]; e++) {
            mn->k.val[mn->lower[e]] = mn->k.val[mn->upper[e]] = a->val[e] * mn->weight[j];
        }
    }
    for (uint32_t i = 0; i < mn->m; i++) {
        mn->k.val[mn->diagonal[i]] = -mn->mu;
    }
    /* rcond of K below the limit: A has lost rank at working precision */
    dd_linsolver_set_singular(mn->solver, tol > 0 ? tol : sparse_rcond_default);
    dd_status st = dd_linsolver_refactor(mn->solver, &mn->k);
    if (st == DD_OK) {
        dd_linsolver_info info = dd_linsolver_get_info(mn->solver);
        mn->info.singular = info.singular;
        mn->info.rcond = info.rcond;
        mn->info.rank = info.singular ? 0 : mn->m;
        mn->info.row = info.column != DD_NO_INDEX && info.column >= mn->n ? info.column - mn->n : DD_NO_INDEX;
    }
    return st;
}

dd_status dd_minnorm_factor(dd_minnorm *mn, const dd_csc *a, const double *weight, double mu, double tol)
{
    if (a->nrows != mn->m || a->ncols != mn->n || a->ptr[mn->n] != mn->nnz || !(mu >= 0)) {
        return dd_fail(mn->ctx, DD_INVALID_ARGUMENT,
                       "the matrix does not have the analysed pattern, or mu is negative");
    }
    /* W must be invertible: the norm is ||W^-1 dx|| */
    for (uint32_t j = 0; j < mn->n; j++) {
        mn->weight[j] = weight != NULL ? weight[j] : 1;
        if (!(mn->weight[j] > 0) || !isfinite(mn->weight[j])) {
            return dd_fail(mn->ctx, DD_INVALID_ARGUMENT, "a weight is not a positive number");
        }
    }
    mn->mu = mu;
    mn->ready = false;
    mn->info.row = DD_NO_INDEX;
    mn->info.factor_count++;
    dd_status st = (mn->info.dense ? factor_dense : factor_sparse)(mn, a, tol);
    mn->ready = st == DD_OK && (mn->info.dense || !mn->info.singular);
    return st;
}

/* K x = rhs with one step of refinement; the solution replaces rhs. */
static dd_status solve_refined(dd_minnorm *mn)
{
    uint32_t size = mn->m + mn->n;
    /* K x = b, then K dx = b - K x: regains the digits that pivoting for sparsity has lost */
    memcpy(mn->residual, mn->rhs, size * sizeof *mn->rhs);
    dd_status st = dd_linsolver_solve(mn->solver, 1, mn->rhs);
    if (st == DD_OK) {
        dd_csc_multiply(&mn->k, -1, mn->rhs, mn->residual);
        st = dd_linsolver_solve(mn->solver, 1, mn->residual);
    }
    for (uint32_t i = 0; i < size && st == DD_OK; i++) {
        mn->rhs[i] += mn->residual[i];
    }
    return st;
}

dd_status dd_minnorm_solve(dd_minnorm *mn, const double *r, double *dx, double *multiplier)
{
    if (!mn->ready) {
        return dd_fail(mn->ctx, DD_INVALID_ARGUMENT, "there is no regular factorisation to solve with");
    }
    mn->info.solve_count++;
    if (mn->info.dense && mn->qr.used) {
        solve_qr(mn, r, dx, multiplier);
    } else if (mn->info.dense) {
        dd_svd_apply_inverse(&mn->svd, mn->info.rank, mn->mu, r, dx, multiplier);
    } else {
        /* right-hand side (0, r) */
        memset(mn->rhs, 0, mn->n * sizeof *mn->rhs);
        memcpy(mn->rhs + mn->n, r, mn->m * sizeof *r);
        dd_status st = solve_refined(mn);
        if (st != DD_OK) {
            return st;
        }
        memcpy(dx, mn->rhs, mn->n * sizeof *dx);
        if (multiplier != NULL) {
            memcpy(multiplier, mn->rhs + mn->n, mn->m * sizeof *multiplier);
        }
    }
    /* dx = W y */
    for (uint32_t j = 0; j < mn->n; j++) {
        dx[j] *= mn->weight[j];
    }
    return DD_OK;
}

dd_minnorm_info dd_minnorm_get_info(const dd_minnorm *mn)
{
    return mn->info;
}
