/* csc.h - sparse matrices by columns, and dense helpers' conventions.
 *
 *     ptr: ncols+1, ptr[0] == 0       column j holds rows idx[ptr[j] .. ptr[j+1]-1], ascending, each at most once,
 *     idx, val: ptr[ncols]            with values val[...]; a stored zero is an entry of the pattern
 *
 * Conventions of the whole module: matrices and vectors of double; dense matrices are column-major. Kernels return
 * DD_OK, DD_OUT_OF_MEMORY, DD_INVALID_ARGUMENT (sizes or indices out of range, a value that is not finite) or a
 * status that their header names; a numerical verdict ("singular") is a field of the result, not a failure. After a
 * failure result arrays are unspecified, result objects are empty and nothing is leaked.
 *
 * Of SuiteSparse only KLU, AMD, BTF and COLAMD are used (LGPL); the GPL parts (SPQR, UMFPACK, CHOLMOD) must never be
 * linked.
 */
#ifndef DD_LA_CSC_H
#define DD_LA_CSC_H

#include "graph/pattern.h"

/* A decision about rank is called clear when all kept numbers are this far above the tolerance and all dropped ones
 * this far below: two decades, more than scaling and pivoting move them. */
enum { DD_CLEAR_MARGIN = 100 };

/* A matrix that owns its arrays when made by the functions here. A caller may also fill the fields with arrays of its
 * own (and then never calls dd_csc_free). Zero-initialise: dd_csc a = {0}. */
typedef struct dd_csc {
    uint32_t nrows, ncols;
    uint32_t *ptr;     /* ncols + 1 */
    uint32_t *idx;     /* ptr[ncols] */
    double *val;       /* ptr[ncols] */
    uint32_t capacity; /* entries allocated; 0 when the arrays are the caller's */
} dd_csc;

/* Frees the arrays and empties the struct; {0} is fine. */
void dd_csc_free(dd_context *ctx, dd_csc *a);

/* An nrows x ncols matrix with room for `capacity` entries; ptr is zero, the caller fills ptr, idx, val. */
dd_status dd_csc_new(dd_csc *out, dd_context *ctx, uint32_t nrows, uint32_t ncols, uint32_t capacity);

/* Entries (row[k], col[k], val[k]), k < count, in any order. */
typedef struct dd_triplets {
    uint32_t count;
    const uint32_t *row, *col;
    const double *val;
} dd_triplets;

/* From triplets; duplicates are summed. entry: count or NULL, receives the position in out->val each triplet was added
 * to (to refill values later without sorting). */
dd_status dd_csc_from_triplets(dd_csc *out, dd_context *ctx, uint32_t nrows, uint32_t ncols, const dd_triplets *t,
                               uint32_t *entry);

/* The transpose as a new matrix. */
dd_status dd_csc_transpose(dd_csc *out, dd_context *ctx, const dd_csc *a);

/* y += alpha A x  (x: ncols, y: nrows)   and   y += alpha A^T x  (x: nrows, y: ncols). */
void dd_csc_multiply(const dd_csc *a, double alpha, const double *x, double *y);
void dd_csc_multiply_t(const dd_csc *a, double alpha, const double *x, double *y);

/* Copies A into the dense nrows x ncols array `out` with leading dimension ld >= nrows; the rest is zero. */
void dd_csc_to_dense(const dd_csc *a, double *out, uint32_t ld);

/* Equilibration (Ruiz 2001) with powers of two, exact in floating point: after `sweeps` sweeps (4 is plenty) the
 * largest |row_scale[i] a_ij col_scale[j]| of each row and column is near 1. row_scale: nrows, col_scale: ncols; empty
 * or zero rows and columns get 1. A is not changed; apply with dd_csc_scale. */
dd_status dd_csc_equilibrate(dd_context *ctx, const dd_csc *a, uint32_t sweeps, double *row_scale, double *col_scale);

/* a_ij := row_scale[i] a_ij col_scale[j]; either may be NULL for all ones. */
void dd_csc_scale(dd_csc *a, const double *row_scale, const double *col_scale);

#endif
