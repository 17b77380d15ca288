/* pencil.c - sigma M + J: explicit inverse for very few unknowns, dense LU, or KLU. */
#include "la/pencil.h"

#include <math.h>
#include <string.h>

#include "base/context.h"
#include "la/klu_watched.h"
#include "la/lapack.h"
#include "la/small.h"

enum {
    ALWAYS_DENSE = 12,   /* no look at the pattern below this */
    MOST_SMALL = 40,     /* own loops beat calls of LAPACK */
    DENSE_ADVANTAGE = 8, /* how much faster a dense operation is than a sparse one */
    COLUMN_WORK = 20,    /* operations of KLU for each column beside the elimination itself */
    ENTRY_WORK = 4,      /* operations for each entry of a dense matrix beside it: filling, solving */
    LINE = 8,            /* numbers in a cache line */
    LARGE = 1 << 20      /* entries whose arrays take a time that can be noticed */
};

struct dd_pencil {
    dd_context *ctx;
    uint32_t n;
    bool is_complex, sparse;
    size_t ld; /* of the dense matrices */
    uint32_t *ptr, *idx;
    size_t nnz, n_values; /* of `values` */

    /* dense: real and imaginary parts apart, at cache lines; interleaved for LAPACK's complex kind */
    double *dense, *re, *im, *mixed;
    size_t dense_length;
    int32_t *pivot;

    /* sparse: values interleaved when complex */
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric;
    double *values, *rhs;

    double seconds; /* that the last factorisation took; 0: none yet */
    size_t charged; /* bytes of the factors, by KLU's estimate */
};

bool dd_pencil_is_sparse(const dd_pencil *p)
{
    return p->sparse;
}

/* ---- creation ---- */

static dd_status allocate(dd_pencil *p, const dd_csc *pattern)
{
    dd_context *ctx = p->ctx;
    size_t n = p->n, nnz = p->nnz;
    /* complex values take two numbers each */
    p->ptr = dd_mem_new_array(ctx, n + 1, sizeof *p->ptr);
    p->idx = dd_mem_new_array(ctx, nnz + 1, sizeof *p->idx);
    p->rhs = dd_mem_new_array(ctx, 2 * n + 1, sizeof *p->rhs);
    p->n_values = (p->is_complex ? 2 * nnz : nnz) + 1;
    p->values = dd_mem_new_array(ctx, p->n_values, sizeof *p->values);
    if (!p->ptr || !p->idx || !p->rhs || !p->values) {
        return DD_OUT_OF_MEMORY;
    }
    memcpy(p->ptr, pattern->ptr, (n + 1) * sizeof *p->ptr);
    memcpy(p->idx, pattern->idx, nnz * sizeof *p->idx);
    return DD_OK;
}

static dd_status allocate_dense(dd_pencil *p)
{
    dd_context *ctx = p->ctx;
    size_t n = p->n;
    /* own loops need a leading dimension of whole vectors, LAPACK does not */
    p->ld = n > MOST_SMALL ? n : dd_small_ld(p->n);
    size_t entries = (n * p->ld + LINE - 1) / LINE * LINE;
    p->dense_length = entries * (p->is_complex ? 2 : 1) + LINE;
    p->dense = dd_mem_new_array(ctx, p->dense_length, sizeof *p->dense);
    if (p->dense) {
        /* start at a cache line: the vector loads of small.c then never cross one */
        size_t past = (uintptr_t)p->dense / sizeof *p->dense % LINE;
        p->re = p->dense + (LINE - past) % LINE;
        p->im = p->is_complex ? p->re + entries : NULL;
    }
    p->mixed = p->is_complex && n > MOST_SMALL ? dd_mem_new_array(ctx, 2 * n * n + 1, sizeof *p->mixed) : NULL;
    p->pivot = dd_mem_new_array(ctx, n + 1, sizeof *p->pivot);
    bool all = p->dense && (p->mixed || !p->is_complex || n <= MOST_SMALL) && p->pivot;
    return all ? DD_OK : DD_OUT_OF_MEMORY;
}

/* KLU's estimate of its operations against those of a dense factor. */
static bool sparse_is_cheaper(const dd_pencil *p)
{
    double n = p->n, dense = n * n * n / 3;
    return p->symbolic && p->symbolic->est_flops >= 0 &&
           (p->symbolic->est_flops + COLUMN_WORK * n) * DENSE_ADVANTAGE < dense + ENTRY_WORK * n * n;
}

dd_status dd_pencil_new(dd_pencil **out, dd_context *ctx, const dd_csc *pattern, bool is_complex, dd_pencil_kind kind)
{
    *out = NULL;
    dd_pencil *p = dd_mem_new_array(ctx, 1, sizeof *p);
    if (!p) {
        return DD_OUT_OF_MEMORY;
    }
    p->ctx = ctx;
    p->n = pattern->ncols;
    p->nnz = pattern->ptr[p->n];
    p->is_complex = is_complex;
    /* arrays of gigabytes, and copies of them, take seconds: the time limit is looked at between them */
    const bool large = p->nnz > LARGE;
    dd_status st = large ? dd_poll_stop_now(ctx) : DD_OK;
    st = st == DD_OK ? allocate(p, pattern) : st;
    st = st == DD_OK && large ? dd_poll_stop_now(ctx) : st;
    /* KLU's analysis estimates the cost, which decides between sparse and dense */
    klu_defaults(&p->common);
    if (st == DD_OK && kind != DD_PENCIL_DENSE && (p->n > ALWAYS_DENSE || kind == DD_PENCIL_SPARSE)) {
        st = dd_klu_analyse(&p->symbolic, ctx, p->n, p->ptr, p->idx, &p->common);
        p->sparse = p->symbolic && (kind == DD_PENCIL_SPARSE || sparse_is_cheaper(p));
        st = st == DD_OK && p->common.status == KLU_OUT_OF_MEMORY ? DD_OUT_OF_MEMORY : st;
    }
    if (st == DD_OK && !p->sparse) {
        klu_free_symbolic(&p->symbolic, &p->common);
        st = allocate_dense(p);
    }
    if (st != DD_OK) {
        dd_pencil_free(p);
        return st;
    }
    *out = p;
    return DD_OK;
}

void dd_pencil_free(dd_pencil *p)
{
    if (!p) {
        return;
    }
    dd_context *ctx = p->ctx;
    size_t n = p->n, nnz = p->nnz;
    if (p->numeric && p->is_complex) {
        klu_z_free_numeric(&p->numeric, &p->common);
    } else if (p->numeric) {
        klu_free_numeric(&p->numeric, &p->common);
    }
    klu_free_symbolic(&p->symbolic, &p->common);
    /* the factors are KLU's own memory: the context only knows their estimated size */
    dd_mem_discharge(ctx, p->charged);
    dd_mem_free(ctx, p->values, p->n_values * sizeof *p->values);
    dd_mem_free(ctx, p->idx, (nnz + 1) * sizeof *p->idx);
    dd_mem_free(ctx, p->ptr, (n + 1) * sizeof *p->ptr);
    dd_mem_free(ctx, p->rhs, (2 * n + 1) * sizeof *p->rhs);
    dd_mem_free(ctx, p->dense, p->dense_length * sizeof *p->dense);
    dd_mem_free(ctx, p->mixed, (2 * n * n + 1) * sizeof *p->mixed);
    dd_mem_free(ctx, p->pivot, (n + 1) * sizeof *p->pivot);
    dd_mem_free(ctx, p, sizeof *p);
}

/* ---- factors ---- */

static void fill_dense(dd_pencil *p, double re, double im, const double *m, const double *j)
{
    size_t n = p->n, ld = p->ld;
    memset(p->re, 0, n * ld * sizeof *p->re);
    if (p->is_complex) {
        memset(p->im, 0, n * ld * sizeof *p->im);
    }
    /* sigma M + J, entry by entry of the common pattern */
    for (size_t col = 0; col < n; col++) {
        for (uint32_t k = p->ptr[col]; k < p->ptr[col + 1]; k++) {
            p->re[col * ld + p->idx[k]] = re * m[k] + j[k];
            if (p->is_complex) {
                p->im[col * ld + p->idx[k]] = im * m[k];
            }
        }
    }
}

static bool lapack_factor(dd_pencil *p, uint32_t *column)
{
    int n = (int)p->n, info = 0;
    size_t entries = (size_t)p->n * p->n;
    /* LAPACK's complex type interleaves the parts */
    if (p->is_complex) {
        for (size_t k = 0; k < entries; k++) {
            p->mixed[2 * k] = p->re[k];
            p->mixed[2 * k + 1] = p->im[k];
        }
        zgetrf_(&n, &n, p->mixed, &n, p->pivot, &info);
    } else {
        dgetrf_(&n, &n, p->re, &n, p->pivot, &info);
    }
    *column = info > 0 ? (uint32_t)info - 1 : DD_NO_INDEX;
    const double *diagonal = p->is_complex ? p->mixed : p->re;
    /* NaN passes through pivoting without info > 0: the diagonal of U shows it */
    double sum = 0;
    for (size_t k = 0; k < p->n; k++) {
        sum += fabs(diagonal[(p->is_complex ? 2 : 1) * k * (p->n + 1)]);
    }
    return info == 0 && isfinite(sum);
}

static bool dense_factor(dd_pencil *p, uint32_t *column)
{
    uint32_t n = p->n;
    if (n > MOST_SMALL) {
        return lapack_factor(p, column);
    }
    if (n <= DD_SMALL_INVERSE) {
        return p->is_complex ? dd_small_invert_complex(n, p->re, p->im, p->pivot, column)
                             : dd_small_invert(n, p->re, p->pivot, column);
    }
    return p->is_complex ? dd_small_factor_complex(n, p->re, p->im, p->pivot, column)
                         : dd_small_factor(n, p->re, p->pivot, column);
}

/* Reciprocal pivot growth, min over columns of max|A| / max|U|, below which pivots are chosen again: half of the digits
 * are lost there. */
static const double growth_limit = 1e-8;

/* The pivot order of the first factor is kept while the pivots stay good. */
static bool klu_good(dd_pencil *p)
{
    if (p->common.status != KLU_OK) {
        return false;
    }
    int *ptr = (int *)p->ptr, *idx = (int *)p->idx;
    if (p->is_complex) {
        klu_z_rgrowth(ptr, idx, p->values, p->symbolic, p->numeric, &p->common);
    } else {
        klu_rgrowth(ptr, idx, p->values, p->symbolic, p->numeric, &p->common);
    }
    return p->common.rgrowth > growth_limit;
}

/* A low estimate of the time of the next factorisation: by the operation count at first, then by that of the last one.
 */
static double expected_seconds(const dd_pencil *p)
{
    static const double sparse_rate = 1e9, dense_rate = 2e10; /* operations in a second, on a fast machine */
    static const double as_last = 0.9;                        /* of the time that the last one took: a low estimate */
    const double n = p->n, kind = p->is_complex ? 4 : 1;
    if (p->seconds > 0 || (p->sparse && !p->symbolic)) {
        return as_last * p->seconds;
    }
    const double operations = p->sparse ? fmax(p->symbolic->est_flops, 0) : 2 * n * n * n / 3;
    return kind * operations / (p->sparse ? sparse_rate : dense_rate);
}

/* Only a factorisation that fits into the limits is begun: a dense one cannot be stopped, and of a sparse one that was
 * left nothing would be known. */
static dd_status afford(dd_pencil *p)
{
    const double entry = (p->is_complex ? 16 : 8) + sizeof(int);
    /* too quick to matter for any limit */
    if (p->n <= MOST_SMALL) {
        return DD_OK;
    }
    const bool fresh = p->sparse && p->symbolic && p->charged == 0;
    const double fill = fresh ? fmax(p->symbolic->lnz, 0) + fmax(p->symbolic->unz, 0) : 0;
    const dd_status st = dd_poll_afford(p->ctx, expected_seconds(p), fill * entry);
    /* charged once: the fill is the same for every factorisation of this pattern */
    if (st == DD_OK && fresh) {
        p->charged = (size_t)(fill * entry);
        dd_mem_charge(p->ctx, p->charged);
    }
    return st;
}

static dd_status sparse_factor(dd_pencil *p, bool *singular, uint32_t *column)
{
    bool done = false, ok;
    dd_klu_task task = {.n = p->n,
                        .ptr = p->ptr,
                        .idx = p->idx,
                        .val = p->values,
                        .is_complex = p->is_complex,
                        .seconds = expected_seconds(p),
                        .symbolic = &p->symbolic,
                        .numeric = &p->numeric,
                        .common = &p->common};
    /* try the old pivot order first: it is several times faster than choosing pivots again */
    if (p->numeric) {
        p->common.halt_if_singular = 1;
        task.reuse = true;
        const dd_status st = dd_klu_factor(p->ctx, &task, &ok);
        if (st != DD_OK) {
            return st;
        }
        done = ok && klu_good(p);
        if (!done && p->is_complex) {
            klu_z_free_numeric(&p->numeric, &p->common);
        } else if (!done) {
            klu_free_numeric(&p->numeric, &p->common);
        }
    }
    /* the first factorisation, or the old pivots have become bad */
    if (!done) {
        task.reuse = false;
        const dd_status st = dd_klu_factor(p->ctx, &task, &ok);
        if (st != DD_OK) {
            return st;
        }
    }
    if (p->common.status == KLU_OUT_OF_MEMORY) {
        return DD_OUT_OF_MEMORY;
    }
    *singular = !p->numeric || p->common.status == KLU_SINGULAR;
    *column = *singular && p->common.singular_col < (int)p->n ? (uint32_t)p->common.singular_col : DD_NO_INDEX;
    return DD_OK;
}

dd_status dd_pencil_factor(dd_pencil *p, double re, double im, const double *m, const double *j, bool *singular,
                           uint32_t *column)
{
    *singular = false;
    *column = DD_NO_INDEX;
    if (p->n == 0) {
        return DD_OK;
    }
    const dd_status affordable = afford(p);
    if (affordable != DD_OK) {
        return affordable;
    }
    /* dense: small ones are too quick for the clock */
    if (!p->sparse) {
        const double began = p->n > MOST_SMALL ? dd_clock_seconds() : 0;
        fill_dense(p, re, im, m, j);
        *singular = !dense_factor(p, column);
        p->seconds = p->n > MOST_SMALL ? dd_clock_seconds() - began : 0;
        return DD_OK;
    }
    /* sparse: the values, and whether they are finite (KLU does not check) */
    double sum = 0;
    for (uint32_t k = 0; k < p->ptr[p->n]; k++) {
        double value = re * m[k] + j[k];
        sum += fabs(value);
        if (p->is_complex) {
            p->values[2 * k] = value;
            p->values[2 * k + 1] = im * m[k];
        } else {
            p->values[k] = value;
        }
    }
    if (!isfinite(sum)) {
        *singular = true;
        return DD_OK;
    }
    const double began = dd_clock_seconds();
    const dd_status st = sparse_factor(p, singular, column);
    p->seconds = dd_clock_seconds() - began;
    return st;
}

/* ---- solving ---- */

static void lapack_solve(dd_pencil *p, double *re, double *im)
{
    int n = (int)p->n, one = 1, info;
    if (!p->is_complex) {
        dgetrs_("N", &n, &one, p->re, &n, p->pivot, re, &n, &info, 1);
        return;
    }
    /* real and imaginary parts interleaved, and back */
    for (uint32_t k = 0; k < p->n; k++) {
        p->rhs[2 * k] = re[k];
        p->rhs[2 * k + 1] = im[k];
    }
    zgetrs_("N", &n, &one, p->mixed, &n, p->pivot, p->rhs, &n, &info, 1);
    for (uint32_t k = 0; k < p->n; k++) {
        re[k] = p->rhs[2 * k];
        im[k] = p->rhs[2 * k + 1];
    }
}

static void sparse_solve(dd_pencil *p, double *re, double *im)
{
    if (!p->is_complex) {
        klu_solve(p->symbolic, p->numeric, (int)p->n, 1, re, &p->common);
        return;
    }
    for (uint32_t k = 0; k < p->n; k++) {
        p->rhs[2 * k] = re[k];
        p->rhs[2 * k + 1] = im[k];
    }
    klu_z_solve(p->symbolic, p->numeric, (int)p->n, 1, p->rhs, &p->common);
    for (uint32_t k = 0; k < p->n; k++) {
        re[k] = p->rhs[2 * k];
        im[k] = p->rhs[2 * k + 1];
    }
}

void dd_pencil_solve(dd_pencil *p, double *re, double *im)
{
    if (p->n == 0) {
        return;
    }
    /* as it was factored: KLU, LAPACK, inverse for very few unknowns, own triangular factors */
    if (p->sparse) {
        sparse_solve(p, re, im);
    } else if (p->n > MOST_SMALL) {
        lapack_solve(p, re, im);
    } else if (p->n <= DD_SMALL_INVERSE && p->is_complex) {
        dd_small_apply_complex(p->n, p->re, p->im, re, im);
    } else if (p->n <= DD_SMALL_INVERSE) {
        dd_small_apply(p->n, p->re, re);
    } else if (p->is_complex) {
        dd_small_solve_complex(p->n, p->re, p->im, p->pivot, re, im);
    } else {
        dd_small_solve(p->n, p->re, p->pivot, re);
    }
}
