/* solver_klu.c - sparse LU by KLU: block-triangular form, AMD inside the blocks, threshold pivoting (Davis and
 * Palamadai Natarajan, ACM TOMS 37, 2010). Uses KLU, BTF, AMD and COLAMD only, which are LGPL; no GPL part of
 * SuiteSparse.
 */
#include <math.h>

#include "la/klu_watched.h"
#include "la/solver.h"

/* A pivot may be this much smaller than the largest entry below it. KLU's own 0.001 trades digits for sparsity: small
 * well-conditioned systems then lose half of them. */
static const double pivot_tol = 0.1;

/* Reciprocal pivot growth below this: choose pivots again, strictly by size. */
static const double growth_limit = 1e-5;

typedef struct klu_state {
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric;
    double seconds; /* that the last factorisation took; 0: none yet */
    size_t charged; /* bytes of the factors, by KLU's estimate */
} klu_state;

/* KLU's status as one of ours; a singular matrix is not a failure. */
static dd_status status_of(dd_linsolver *ls)
{
    const klu_state *s = ls->state;
    switch (s->common.status) {
    case KLU_OK:
    case KLU_SINGULAR:
        return DD_OK;
    case KLU_OUT_OF_MEMORY:
        return dd_fail(ls->ctx, DD_OUT_OF_MEMORY, "the sparse factorisation ran out of memory");
    case KLU_TOO_LARGE:
        return dd_fail(ls->ctx, DD_LIMIT, "the sparse factorisation has more than 2^31 entries");
    default:
        return dd_fail(ls->ctx, DD_INVALID_ARGUMENT, "the matrix pattern is not valid");
    }
}

static dd_status analyse(dd_linsolver *ls)
{
    klu_state *s = ls->state;
    klu_defaults(&s->common);
    s->common.tol = pivot_tol;
    s->common.btf = !ls->one_block;
    const dd_status st =
        dd_klu_analyse(&s->symbolic, ls->ctx, ls->pattern.ncols, ls->pattern.ptr, ls->pattern.idx, &s->common);
    return st != DD_OK ? st : s->symbolic != NULL ? DD_OK : status_of(ls);
}

static bool all_finite(const dd_csc *a)
{
    for (uint32_t e = 0; e < a->ptr[a->ncols]; e++) {
        if (!isfinite(a->val[e])) {
            return false;
        }
    }
    return true;
}

/* Fills info from the state after klu_factor or klu_refactor. */
static void report(dd_linsolver *ls)
{
    klu_state *s = ls->state;
    dd_linsolver_info *info = &ls->info;
    info->singular = s->common.status == KLU_SINGULAR || s->numeric == NULL;
    /* KLU stopped at a column: with a structural defect its rank is the size of the matching */
    if (info->singular) {
        uint32_t n = ls->pattern.ncols, column = (uint32_t)s->common.singular_col;
        info->structural = s->symbolic->structural_rank >= 0 && (uint32_t)s->symbolic->structural_rank < n;
        info->column = column < n ? column : DD_NO_INDEX;
        info->rank = (uint32_t)(info->structural ? s->symbolic->structural_rank : s->common.numerical_rank);
        info->rcond = 0;
        return;
    }
    info->fill = (uint64_t)s->numeric->lnz + (uint64_t)s->numeric->unz;
    /* rcond here is min |u_ii| / max |u_ii|: cheap, and a hint rather than a bound */
    klu_rcond(s->symbolic, s->numeric, &s->common);
    info->rcond = s->common.rcond;
}

/* A low estimate of the time of the next factorisation: by the operation count at first, then by that of the last one.
 */
static double expected_seconds(const klu_state *s)
{
    static const double rate = 1e9;    /* operations in a second, on a fast machine */
    static const double as_last = 0.9; /* of the time that the last one took: a low estimate */
    return s->seconds > 0 || !s->symbolic ? as_last * s->seconds : fmax(s->symbolic->est_flops, 0) / rate;
}

static dd_status run_klu(dd_linsolver *ls, const dd_csc *a, bool reuse)
{
    klu_state *s = ls->state;
    bool ok;
    const dd_klu_task task = {.n = ls->pattern.ncols,
                              .ptr = ls->pattern.ptr,
                              .idx = ls->pattern.idx,
                              .val = a->val,
                              .reuse = reuse,
                              .seconds = expected_seconds(s),
                              .symbolic = &s->symbolic,
                              .numeric = &s->numeric,
                              .common = &s->common};
    const dd_status st = dd_klu_factor(ls->ctx, &task, &ok);
    return st == DD_OK ? status_of(ls) : st;
}

/* Pivots chosen with the given tolerance. */
static dd_status factor_fresh(dd_linsolver *ls, const dd_csc *a, double tol)
{
    klu_state *s = ls->state;
    klu_free_numeric(&s->numeric, &s->common);
    s->common.tol = tol;
    return run_klu(ls, a, false);
}

/* Fills ls->info, and says whether the entries have grown too much during the factorisation. */
static bool has_grown(dd_linsolver *ls, const dd_csc *a)
{
    klu_state *s = ls->state;
    report(ls);
    if (ls->info.singular) {
        return false;
    }
    /* max|A| / max|U| by columns */
    klu_rgrowth((int *)ls->pattern.ptr, (int *)ls->pattern.idx, a->val, s->symbolic, s->numeric, &s->common);
    return !(s->common.rgrowth >= growth_limit);
}

/* Only a factorisation that fits into the limits is begun. */
static dd_status afford(dd_linsolver *ls)
{
    klu_state *s = ls->state;
    /* the fill is charged once, at the first factorisation */
    const double fill = s->charged > 0 || !s->symbolic ? 0 : fmax(s->symbolic->lnz, 0) + fmax(s->symbolic->unz, 0);
    const double bytes = fill * (sizeof(double) + sizeof(int));
    const dd_status st = dd_poll_afford(ls->ctx, expected_seconds(s), bytes);
    if (st == DD_OK && s->charged == 0) {
        s->charged = (size_t)bytes;
        dd_mem_charge(ls->ctx, s->charged);
    }
    return st;
}

static dd_status factor_timed(dd_linsolver *ls, const dd_csc *a, bool reuse);

static dd_status factor(dd_linsolver *ls, const dd_csc *a, bool reuse)
{
    enum { QUICK = 1000 }; /* unknowns: no look at the clock below */
    klu_state *s = ls->state;
    if (a->ncols < QUICK) {
        return factor_timed(ls, a, reuse);
    }
    dd_status st = afford(ls);
    const double began = dd_clock_seconds();
    st = st == DD_OK ? factor_timed(ls, a, reuse) : st;
    s->seconds = st == DD_OK ? dd_clock_seconds() - began : s->seconds;
    return st;
}

static dd_status factor_timed(dd_linsolver *ls, const dd_csc *a, bool reuse)
{
    dd_status st;
    ls->bad_pivots = false;
    if (!all_finite(a)) {
        return dd_fail(ls->ctx, DD_INVALID_ARGUMENT, "a matrix entry is not a finite number");
    }
    /* old pivots: quick, but they may have become bad */
    if (reuse) {
        st = run_klu(ls, a, true);
        ls->bad_pivots = st == DD_OK && has_grown(ls, a);
        return st;
    }
    /* fresh pivots favouring sparsity, and when that costs digits, fresh pivots by size alone */
    st = factor_fresh(ls, a, pivot_tol);
    if (st == DD_OK && has_grown(ls, a)) {
        st = factor_fresh(ls, a, 1.0);
        if (st == DD_OK) {
            report(ls);
        }
    }
    return st;
}

static uint32_t weakest(const dd_linsolver *ls)
{
    const klu_state *s = ls->state;
    /* Udiag is in pivot order; Q leads back to the column */
    const double *pivot = s->numeric->Udiag;
    uint32_t at = 0;
    for (uint32_t k = 1; k < ls->pattern.ncols; k++) {
        if (!(fabs(pivot[k]) >= fabs(pivot[at]))) {
            at = k;
        }
    }
    return (uint32_t)s->symbolic->Q[at];
}

static dd_status solve(dd_linsolver *ls, uint32_t nrhs, double *b, bool transposed)
{
    klu_state *s = ls->state;
    int n = (int)ls->pattern.ncols;
    (transposed ? klu_tsolve : klu_solve)(s->symbolic, s->numeric, n, (int)nrhs, b, &s->common);
    return status_of(ls);
}

static dd_status condition(dd_linsolver *ls, const dd_csc *a, double *out)
{
    klu_state *s = ls->state;
    klu_condest((int *)ls->pattern.ptr, a->val, s->symbolic, s->numeric, &s->common);
    *out = s->common.condest;
    return status_of(ls);
}

static void clear(dd_linsolver *ls)
{
    klu_state *s = ls->state;
    klu_free_numeric(&s->numeric, &s->common);
    klu_free_symbolic(&s->symbolic, &s->common);
    dd_mem_discharge(ls->ctx, s->charged);
    s->charged = 0;
}

const dd_solver_method dd_solver_klu = {
    "klu", sizeof(klu_state), analyse, factor, weakest, solve, condition, clear,
};
