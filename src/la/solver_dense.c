/* solver_dense.c - LU with partial pivoting of small or dense systems (LAPACK). */
#include <math.h>

#include "la/lapack.h"
#include "la/solver.h"

typedef struct dense_state {
    int n, *ipiv, *iwork;
    double *lu, *work;
    double norm; /* 1-norm of the matrix */
    dd_work memory;
} dense_state;

static dd_status analyse(dd_linsolver *ls)
{
    dense_state *s = ls->state;
    size_t n = ls->pattern.ncols;
    s->memory.ctx = ls->ctx;
    s->n = (int)n;
    s->lu = dd_work_array(&s->memory, n * n, sizeof *s->lu);
    s->ipiv = dd_work_array(&s->memory, n, sizeof *s->ipiv);
    s->iwork = dd_work_array(&s->memory, n, sizeof *s->iwork);
    s->work = dd_work_array(&s->memory, 4 * n, sizeof *s->work);
    return s->memory.failed ? DD_OUT_OF_MEMORY : DD_OK;
}

static double one_norm(const dd_csc *a)
{
    double norm = 0;
    for (uint32_t j = 0; j < a->ncols; j++) {
        double sum = 0;
        for (uint32_t e = a->ptr[j]; e < a->ptr[j + 1]; e++) {
            sum += fabs(a->val[e]);
        }
        /* NaN must win, so that the caller sees it */
        norm = sum > norm || isnan(sum) ? sum : norm;
    }
    return norm;
}

static dd_status factor(dd_linsolver *ls, const dd_csc *a, bool reuse)
{
    (void)reuse; /* choosing pivots again costs nothing here */
    dense_state *s = ls->state;
    int info = 0;
    s->norm = one_norm(a);
    if (!isfinite(s->norm)) {
        return dd_fail(ls->ctx, DD_INVALID_ARGUMENT, "a matrix entry is not a finite number");
    }
    /* only a factorisation long enough to matter is held against the time limit */
    static const double rate = 2e10; /* operations in a second, on a fast machine */
    const double n = a->ncols;
    const dd_status st = n > 300 ? dd_poll_afford(ls->ctx, 2 * n * n * n / 3 / rate, 0) : DD_OK;
    if (st != DD_OK) {
        return st;
    }
    dd_csc_to_dense(a, s->lu, a->ncols);
    dgetrf_(&s->n, &s->n, s->lu, &s->n, s->ipiv, &info);
    ls->bad_pivots = false;
    ls->info.fill = (uint64_t)a->ncols * a->ncols;
    /* an exact zero on the diagonal of U: the columns before it are independent */
    if (info > 0) {
        ls->info.singular = true;
        ls->info.column = (uint32_t)info - 1;
        ls->info.rank = (uint32_t)info - 1;
        ls->info.rcond = 0;
        return DD_OK;
    }
    /* 1 / (|A| |A^-1|), estimated in O(n^2) */
    dgecon_("1", &s->n, s->lu, &s->n, &s->norm, &ls->info.rcond, s->work, s->iwork, &info, 1);
    return DD_OK;
}

static uint32_t weakest(const dd_linsolver *ls)
{
    /* smallest |u_jj|: the column that is nearest to a combination of those before it */
    const dense_state *s = ls->state;
    uint32_t n = (uint32_t)s->n, at = 0;
    for (uint32_t j = 1; j < n; j++) {
        if (fabs(s->lu[j + (size_t)j * n]) < fabs(s->lu[at + (size_t)at * n])) {
            at = j;
        }
    }
    return at;
}

static dd_status solve(dd_linsolver *ls, uint32_t nrhs, double *b, bool transposed)
{
    dense_state *s = ls->state;
    int info = 0, count = (int)nrhs;
    dgetrs_(transposed ? "T" : "N", &s->n, &count, s->lu, &s->n, s->ipiv, b, &s->n, &info, 1);
    return DD_OK;
}

static dd_status condition(dd_linsolver *ls, const dd_csc *a, double *out)
{
    (void)a;
    *out = 1 / ls->info.rcond;
    return DD_OK;
}

static void clear(dd_linsolver *ls)
{
    dense_state *s = ls->state;
    dd_work_free(&s->memory);
}

const dd_solver_method dd_solver_dense = {
    "dense", sizeof(dense_state), analyse, factor, weakest, solve, condition, clear,
};
