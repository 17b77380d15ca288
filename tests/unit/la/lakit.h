/* lakit.h - small helpers of the la tests: dense truth by SVD, random sparse matrices. */
#ifndef DD_TEST_LAKIT_H
#define DD_TEST_LAKIT_H

#include <math.h>

#include "../graph/kit.h"

#include "la/csc.h"
#include "la/dense.h"

/* Triplets under construction. */
typedef struct kit_triplets {
    uint32_t *row, *col, count, cap;
    double *val;
} kit_triplets;

static inline kit_triplets kit_triplets_new(uint32_t cap)
{
    kit_triplets t = {.cap = cap};
    t.row = malloc(((size_t)cap + 1) * sizeof *t.row);
    t.col = malloc(((size_t)cap + 1) * sizeof *t.col);
    t.val = malloc(((size_t)cap + 1) * sizeof *t.val);
    return t;
}

static inline void kit_entry(kit_triplets *t, uint32_t row, uint32_t col, double val)
{
    assert_true(t->count < t->cap);
    t->row[t->count] = row;
    t->col[t->count] = col;
    t->val[t->count++] = val;
}

/* The matrix of the triplets, which are freed. */
static inline dd_csc kit_matrix(dd_context *ctx, uint32_t m, uint32_t n, kit_triplets *t)
{
    dd_csc a;
    assert_int_equal(dd_csc_from_triplets(&a, ctx, m, n, &(dd_triplets){t->count, t->row, t->col, t->val}, NULL),
                     DD_OK);
    free(t->row);
    free(t->col);
    free(t->val);
    return a;
}

/* Random sparse m x n. */
static inline dd_csc kit_sparse(dd_context *ctx, uint64_t *rng, uint32_t m, uint32_t n, uint32_t percent)
{
    kit_triplets t = kit_triplets_new(m * n);
    for (uint32_t i = 0; i < m; i++) {
        for (uint32_t j = 0; j < n; j++) {
            if (kit_below(rng, 100) < percent) {
                kit_entry(&t, i, j, kit_real(rng));
            }
        }
    }
    return kit_matrix(ctx, m, n, &t);
}

static inline double *kit_dense(const dd_csc *a)
{
    double *d = malloc(((size_t)a->nrows * a->ncols + 1) * sizeof *d);
    dd_csc_to_dense(a, d, a->nrows);
    return d;
}

static inline double kit_norm(const double *x, uint32_t n)
{
    double sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        sum = fmax(sum, fabs(x[i]));
    }
    return sum;
}

#endif
