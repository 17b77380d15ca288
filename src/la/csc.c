/* csc.c - building, transposing, multiplying and scaling sparse matrices by columns. */
#include "la/csc.h"

#include <math.h>
#include <string.h>

void dd_csc_free(dd_context *ctx, dd_csc *a)
{
    size_t cap = a->capacity;
    dd_mem_free(ctx, a->ptr, ((size_t)a->ncols + 1) * sizeof *a->ptr);
    dd_mem_free(ctx, a->idx, cap * sizeof *a->idx);
    dd_mem_free(ctx, a->val, cap * sizeof *a->val);
    memset(a, 0, sizeof *a);
}

dd_status dd_csc_new(dd_csc *out, dd_context *ctx, uint32_t nrows, uint32_t ncols, uint32_t capacity)
{
    uint32_t cap = capacity > 0 ? capacity : 1;
    *out = (dd_csc){.nrows = nrows, .ncols = ncols, .capacity = cap};
    out->ptr = dd_mem_new_array(ctx, (size_t)ncols + 1, sizeof *out->ptr);
    out->idx = dd_mem_new_array(ctx, cap, sizeof *out->idx);
    out->val = dd_mem_new_array(ctx, cap, sizeof *out->val);
    if (out->ptr == NULL || out->idx == NULL || out->val == NULL) {
        dd_csc_free(ctx, out);
        return DD_OUT_OF_MEMORY;
    }
    return DD_OK;
}

/* Merges equal neighbours of sorted columns in place; to[e] becomes the merged position of sorted entry e. */
static void merge_duplicates(dd_csc *a, uint32_t *to)
{
    uint32_t n = 0;
    for (uint32_t j = 0; j < a->ncols; j++) {
        uint32_t start = a->ptr[j], end = a->ptr[j + 1];
        a->ptr[j] = n;
        for (uint32_t e = start; e < end; e++) {
            /* n never overtakes e, so the columns shrink in place */
            if (n > a->ptr[j] && a->idx[n - 1] == a->idx[e]) {
                a->val[n - 1] += a->val[e];
            } else {
                a->idx[n] = a->idx[e];
                a->val[n] = a->val[e];
                n++;
            }
            to[e] = n - 1;
        }
    }
    a->ptr[a->ncols] = n;
}

static bool triplets_valid(uint32_t nrows, uint32_t ncols, const dd_triplets *t)
{
    for (uint32_t k = 0; k < t->count; k++) {
        if (t->row[k] >= nrows || t->col[k] >= ncols) {
            return false;
        }
    }
    return true;
}

dd_status dd_csc_from_triplets(dd_csc *out, dd_context *ctx, uint32_t nrows, uint32_t ncols, const dd_triplets *t,
                               uint32_t *entry)
{
    const uint32_t count = t->count;
    memset(out, 0, sizeof *out);
    if (!triplets_valid(nrows, ncols, t)) {
        return dd_fail(ctx, DD_INVALID_ARGUMENT, "a matrix entry lies outside the matrix");
    }
    dd_work w = {.ctx = ctx};
    uint32_t *row_ptr = dd_work_array(&w, (size_t)nrows + 1, sizeof *row_ptr);
    uint32_t *by_row = dd_work_array(&w, count, sizeof *by_row);
    uint32_t *key = dd_work_array(&w, count, sizeof *key);
    uint32_t *by_col = dd_work_array(&w, count, sizeof *by_col);
    dd_status st = w.failed ? DD_OUT_OF_MEMORY : dd_csc_new(out, ctx, nrows, ncols, count);
    if (st == DD_OK) {
        /* sort by row, then stably by column */
        dd_bucket_sort(count, nrows, t->row, row_ptr, by_row);
        for (uint32_t k = 0; k < count; k++) {
            key[k] = t->col[by_row[k]];
        }
        dd_bucket_sort(count, ncols, key, out->ptr, by_col);
        /* both permutations in one: by_col[e] is the triplet at sorted position e */
        for (uint32_t e = 0; e < count; e++) {
            by_col[e] = by_row[by_col[e]];
            out->idx[e] = t->row[by_col[e]];
            out->val[e] = t->val[by_col[e]];
        }
        merge_duplicates(out, key);
        /* key was needed for sorting only; it now maps sorted entries to merged ones */
        for (uint32_t e = 0; e < count && entry != NULL; e++) {
            entry[by_col[e]] = key[e];
        }
    }
    dd_work_free(&w);
    return st;
}

dd_status dd_csc_transpose(dd_csc *out, dd_context *ctx, const dd_csc *a)
{
    dd_work w = {.ctx = ctx};
    uint32_t nnz = a->ptr[a->ncols], *entry = dd_work_array(&w, nnz, sizeof *entry);
    memset(out, 0, sizeof *out);
    dd_status st = w.failed ? DD_OUT_OF_MEMORY : dd_csc_new(out, ctx, a->ncols, a->nrows, nnz);
    if (st == DD_OK) {
        /* a matrix by columns is the pattern of its transpose by rows */
        dd_pattern p = {.nrows = a->ncols, .ncols = a->nrows, .ptr = a->ptr, .idx = a->idx};
        dd_pattern_transpose(&p, out->ptr, out->idx, entry);
        for (uint32_t e = 0; e < nnz; e++) {
            out->val[e] = a->val[entry[e]];
        }
    }
    dd_work_free(&w);
    return st;
}

void dd_csc_multiply(const dd_csc *a, double alpha, const double *x, double *y)
{
    for (uint32_t j = 0; j < a->ncols; j++) {
        for (uint32_t e = a->ptr[j]; e < a->ptr[j + 1]; e++) {
            y[a->idx[e]] += alpha * a->val[e] * x[j];
        }
    }
}

void dd_csc_multiply_t(const dd_csc *a, double alpha, const double *x, double *y)
{
    for (uint32_t j = 0; j < a->ncols; j++) {
        double sum = 0;
        for (uint32_t e = a->ptr[j]; e < a->ptr[j + 1]; e++) {
            sum += a->val[e] * x[a->idx[e]];
        }
        y[j] += alpha * sum;
    }
}

void dd_csc_to_dense(const dd_csc *a, double *out, uint32_t ld)
{
    for (uint32_t j = 0; j < a->ncols; j++) {
        double *column = out + (size_t)j * ld;
        memset(column, 0, ld * sizeof *column);
        for (uint32_t e = a->ptr[j]; e < a->ptr[j + 1]; e++) {
            column[a->idx[e]] = a->val[e];
        }
    }
}

/* scale *= 2^-round(log2(largest) / 2): half of the way to 1, as Ruiz does for both sides at once. */
static void halve_exponent(double *scale, double *largest, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (largest[i] > 0 && isfinite(largest[i])) {
            /* 2^-ceil(exponent / 2), where largest = f 2^exponent with f in [1/2, 1) */
            int exponent;
            frexp(largest[i], &exponent);
            scale[i] = ldexp(scale[i], -(exponent > 0 ? (exponent + 1) / 2 : exponent / 2));
        }
        largest[i] = 0;
    }
}

dd_status dd_csc_equilibrate(dd_context *ctx, const dd_csc *a, uint32_t sweeps, double *row_scale, double *col_scale)
{
    dd_work w = {.ctx = ctx};
    double *row_max = dd_work_array(&w, a->nrows, sizeof *row_max);
    double *col_max = dd_work_array(&w, a->ncols, sizeof *col_max);
    /* start from the identity */
    for (uint32_t i = 0; i < a->nrows; i++) {
        row_scale[i] = 1;
    }
    for (uint32_t j = 0; j < a->ncols; j++) {
        col_scale[j] = 1;
    }
    for (uint32_t s = 0; s < sweeps && !w.failed; s++) {
        /* largest entries of the matrix as it is scaled so far */
        for (uint32_t j = 0; j < a->ncols; j++) {
            for (uint32_t e = a->ptr[j]; e < a->ptr[j + 1]; e++) {
                uint32_t i = a->idx[e];
                double v = row_scale[i] * fabs(a->val[e]) * col_scale[j];
                row_max[i] = v > row_max[i] ? v : row_max[i];
                col_max[j] = v > col_max[j] ? v : col_max[j];
            }
        }
        halve_exponent(row_scale, row_max, a->nrows);
        halve_exponent(col_scale, col_max, a->ncols);
    }
    dd_work_free(&w);
    return w.failed ? DD_OUT_OF_MEMORY : DD_OK;
}

void dd_csc_scale(dd_csc *a, const double *row_scale, const double *col_scale)
{
    for (uint32_t j = 0; j < a->ncols; j++) {
        double s = col_scale != NULL ? col_scale[j] : 1;
        for (uint32_t e = a->ptr[j]; e < a->ptr[j + 1]; e++) {
            a->val[e] *= s * (row_scale != NULL ? row_scale[a->idx[e]] : 1);
        }
    }
}
