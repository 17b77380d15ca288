/* rank_sparse.h - rank of a large sparse rectangular matrix, which rows and columns are dependent, and why.
 *
 * All rows known at once: a square matrix that is clearly regular is seen by factoring the blocks of its
 * block-triangular form; otherwise dd_rowspace in the column order of dd_rowspace_order. The rows later in priority
 * are the dependent ones. For a prioritised set of independent columns call it with the transpose.
 */
#ifndef DD_LA_RANK_SPARSE_H
#define DD_LA_RANK_SPARSE_H

#include "la/rowspace.h"

typedef struct dd_rank_sparse_options {
    dd_rowspace_options space;    /* tol, threshold, max_work (track is set as needed) */
    const uint32_t *row_priority; /* NULL for 0, 1, 2, ..., or a permutation of the rows, first to be kept first */
    const double *row_magnitude;  /* NULL, or nrows: see dd_rowspace_add */
    uint32_t max_left, max_right; /* null vectors wanted at most (default 0) */
} dd_rank_sparse_options;

dd_rank_sparse_options dd_rank_sparse_options_default(void);

/*   out           rank and how clear it is
 *   a             nrows x ncols, not changed
 *   options       NULL for the defaults
 *   row_dependent nrows: 1 when the row is a combination of rows before it in priority, else 0
 *   col_free      ncols or NULL: 0 for the columns of a maximal independent set (the pivots), 1 for the others
 *   left          NULL, or receives an nrows x k matrix, k = min(max_left, nrows - rank): column q holds the
 *                 combination y with y^T A = 0 that belongs to the q-th dependent row in priority; that row's
 *                 coefficient is 1, the others are independent rows before it
 *   right         NULL, or receives an ncols x k matrix, k = min(max_right, ncols - rank): column q holds x with
 *                 A x = 0 that belongs to the q-th free column (ascending): 1 there, 0 in the other free columns
 * left and right are freed by the caller with dd_csc_free. Entries below 1e-13 of the largest are not stored. */
dd_status dd_rank_sparse(dd_rowspace_info *out, dd_context *ctx, const dd_csc *a, const dd_rank_sparse_options *options,
                         uint8_t *row_dependent, uint8_t *col_free, dd_csc *left, dd_csc *right);

/* The quick half alone: true when a square matrix is regular without doubt, with *rcond at least `limit`. options: tol and
 * row_magnitude count. */
dd_status dd_rank_is_clear(bool *clear, double *rcond, dd_context *ctx, const dd_csc *a,
                           const dd_rank_sparse_options *options, double limit);

#endif
