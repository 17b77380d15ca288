/* nonsingular.c - one factorisation by KLU, P (A / R) Q = L U with unit L, so sign(det A) is that of the permutations and of
 * the pivots, and one solution with it. Start reading at dd_nonsingular_value(). */
#include "la/nonsingular.h"

#include <math.h>

#include "la/klu_watched.h"

/* A pivot may be this much smaller than the largest entry below it: digits count as much as sparsity. */
static const double PIVOT_TOLERANCE = 0.1;

/* Reciprocal pivot growth below this: pivots are chosen again. */
static const double GROWTH_LIMIT = 1e-3;

struct dd_nonsingular {
    dd_context *ctx;
    dd_csc a;
    uint32_t count, *entry; /* per entry: its place in a.val */
    double *row, *col, *b;  /* scales, the first time, and work */
    double *values;         /* work: of the scaled matrix */
    bool scaled, *seen;     /* scales are known; work */
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric;
};

static dd_status allocate(dd_nonsingular *d, uint32_t n, const dd_triplets *entries)
{
    dd_context *ctx = d->ctx;
    const size_t room = (size_t)n + 1;
    d->entry = dd_mem_new_array(ctx, (size_t)d->count + 1, sizeof *d->entry);
    d->seen = dd_mem_new_array(ctx, room, sizeof *d->seen);
    d->row = dd_mem_new_array(ctx, 3 * room, sizeof *d->row);
    d->values = dd_mem_new_array(ctx, (size_t)d->count + 1, sizeof *d->values);
    if (!d->entry || !d->seen || !d->row || !d->values) {
        return DD_OUT_OF_MEMORY;
    }
    d->col = d->row + room;
    d->b = d->col + room;
    const dd_triplets zeros = {entries->count, entries->row, entries->col, d->values};
    return dd_csc_from_triplets(&d->a, ctx, n, n, &zeros, d->entry);
}

dd_status dd_nonsingular_new(dd_nonsingular **out, dd_context *ctx, uint32_t n, const dd_triplets *entries)
{
    *out = NULL;
    dd_nonsingular *d = dd_mem_new_array(ctx, 1, sizeof *d);
    if (!d) {
        return DD_OUT_OF_MEMORY;
    }
    *d = (dd_nonsingular){.ctx = ctx, .count = entries->count, .a = {.nrows = n, .ncols = n}};
    dd_status st = allocate(d, n, entries);
    klu_defaults(&d->common);
    d->common.tol = PIVOT_TOLERANCE;
    st = st == DD_OK ? dd_klu_analyse(&d->symbolic, ctx, n, d->a.ptr, d->a.idx, &d->common) : st;
    if (st == DD_OK && !d->symbolic) {
        st = dd_fail(ctx, DD_OUT_OF_MEMORY, "the sparse factorisation ran out of memory");
    }
    if (st != DD_OK) {
        dd_nonsingular_free(d);
        return st;
    }
    *out = d;
    return DD_OK;
}

void dd_nonsingular_free(dd_nonsingular *d)
{
    if (!d) {
        return;
    }
    const size_t room = (size_t)d->a.ncols + 1;
    klu_free_numeric(&d->numeric, &d->common);
    klu_free_symbolic(&d->symbolic, &d->common);
    dd_mem_free(d->ctx, d->entry, ((size_t)d->count + 1) * sizeof *d->entry);
    dd_mem_free(d->ctx, d->values, ((size_t)d->count + 1) * sizeof *d->values);
    dd_mem_free(d->ctx, d->seen, room * sizeof *d->seen);
    dd_mem_free(d->ctx, d->row, 3 * room * sizeof *d->row);
    dd_csc_free(d->ctx, &d->a);
    dd_mem_free(d->ctx, d, sizeof *d);
}

/* The largest entries of rows, and then of columns of what is left. */
static void find_scales(dd_nonsingular *d)
{
    const dd_csc *a = &d->a;
    for (uint32_t i = 0; i < a->ncols; i++) {
        d->row[i] = d->col[i] = 0;
    }
    for (uint32_t e = 0; e < a->ptr[a->ncols]; e++) {
        d->row[a->idx[e]] = fmax(d->row[a->idx[e]], fabs(a->val[e]));
    }
    for (uint32_t j = 0; j < a->ncols; j++) {
        for (uint32_t e = a->ptr[j]; e < a->ptr[j + 1]; e++) {
            const double row = d->row[a->idx[e]];
            d->col[j] = fmax(d->col[j], row > 0 ? fabs(a->val[e]) / row : 0.0);
        }
    }
    for (uint32_t i = 0; i < a->ncols; i++) {
        d->row[i] = d->row[i] > 0 ? d->row[i] : 1.0;
        d->col[i] = d->col[i] > 0 ? d->col[i] : 1.0;
    }
    d->scaled = true;
}

static bool set_values(dd_nonsingular *d, const double *values)
{
    dd_csc *a = &d->a;
    for (uint32_t k = 0; k < d->count; k++) {
        if (!isfinite(values[k])) {
            return false;
        }
        a->val[d->entry[k]] = values[k];
    }
    if (!d->scaled) {
        find_scales(d);
    }
    for (uint32_t j = 0; j < a->ncols; j++) {
        for (uint32_t e = a->ptr[j]; e < a->ptr[j + 1]; e++) {
            a->val[e] /= d->row[a->idx[e]] * d->col[j];
        }
    }
    return true;
}

/* -1 for an odd number of exchanges: each cycle of even length has one. */
static int sign_of(dd_nonsingular *d, const int *permutation)
{
    int sign = 1;
    for (uint32_t i = 0; i < d->a.ncols; i++) {
        d->seen[i] = false;
    }
    for (uint32_t i = 0; i < d->a.ncols; i++) {
        for (uint32_t k = (uint32_t)permutation[i]; !d->seen[i] && k != i; k = (uint32_t)permutation[k]) {
            d->seen[k] = true;
            sign = -sign;
        }
        d->seen[i] = true;
    }
    return sign;
}

static int sign_of_determinant(dd_nonsingular *d)
{
    const double *pivot = d->numeric->Udiag;
    int sign = sign_of(d, d->numeric->Pnum) * sign_of(d, d->symbolic->Q);
    for (uint32_t k = 0; k < d->a.ncols; k++) {
        sign = pivot[k] < 0 ? -sign : sign;
    }
    return sign;
}

/* |A^-1 b|, root mean square. */
static double size_of_solution(dd_nonsingular *d)
{
    const uint32_t n = d->a.ncols;
    uint64_t state = 1;
    for (uint32_t i = 0; i < n; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u; /* Knuth's linear congruential generator */
        d->b[i] = state >> 63 ? 1.0 : -1.0;
    }
    if (!klu_solve(d->symbolic, d->numeric, (int)n, 1, d->b, &d->common)) {
        return NAN;
    }
    double sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        sum += d->b[i] * d->b[i];
    }
    return sqrt(sum / n);
}

/* With the pivots of the last matrix, or new ones: false when memory or a limit ended it. */
static bool run_klu(dd_nonsingular *d, bool reuse)
{
    const dd_klu_task task = {.n = d->a.ncols,
                              .ptr = d->a.ptr,
                              .idx = d->a.idx,
                              .val = d->a.val,
                              .reuse = reuse,
                              .symbolic = &d->symbolic,
                              .numeric = &d->numeric,
                              .common = &d->common};
    bool ok;
    if (!reuse) {
        klu_free_numeric(&d->numeric, &d->common);
    }
    return dd_klu_factor(d->ctx, &task, &ok) == DD_OK;
}

/* Old pivots cost a fifth, but they may have become bad, or zero beside good ones. */
static bool factor(dd_nonsingular *d)
{
    if (d->numeric) {
        if (!run_klu(d, true)) {
            return false;
        }
        const bool regular = d->common.status == KLU_OK;
        klu_rgrowth((int *)d->a.ptr, (int *)d->a.idx, d->a.val, d->symbolic, d->numeric, &d->common);
        if (regular && d->common.rgrowth >= GROWTH_LIMIT) {
            return true;
        }
    }
    return run_klu(d, false);
}

double dd_nonsingular_value(dd_nonsingular *d, const double *values)
{
    if (!set_values(d, values) || !factor(d)) {
        return NAN;
    }
    if (d->common.status == KLU_SINGULAR) {
        return 0.0;
    }
    return d->common.status == KLU_OK && d->numeric ? sign_of_determinant(d) / size_of_solution(d) : NAN;
}
