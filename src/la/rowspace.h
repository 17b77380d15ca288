/* rowspace.h - the span of sparse rows, grown one row at a time: is the next row independent of those before?
 *
 * Method. Columns have an elimination order (given; dd_rowspace_order makes a good one). A row travels
 * through its columns in that order; at a column that has a pivot row it is reduced by that row; at a free column it
 * becomes the pivot row and is independent; if nothing is left it is dependent. Rows are only ever changed by rows that
 * came before, so the answer is the greedy one for the order of adding. Two devices keep long chains linear:
 *   - at some columns the rows that passed are remembered in echelon form: a row that lies in their span is dependent
 *     at once and need not travel on (at most as many rows pass a column as the front there is wide);
 *   - a long row (a sum over very many columns) is cut into partial sums by auxiliary columns.
 * Total cost is that of a multifrontal elimination with front widths w: sum of w^3 (chains, trees, bands: linear in n).
 *
 * Zero decisions are relative and do not depend on units: an entry is treated as zero when it is below tol times the
 * largest number it was computed from. A free column is taken as pivot only if its entry is at least `threshold` of the
 * largest entry of the row near it (and 1e-6 of the largest anywhere); otherwise the column is moved later in the
 * order.
 */
#ifndef DD_LA_ROWSPACE_H
#define DD_LA_ROWSPACE_H

#include "la/csc.h"

typedef struct dd_rowspace dd_rowspace;

typedef struct dd_rowspace_options {
    double tol;        /* relative zero (default 1e-8: an entry kept just above it has a relative error of
                         2^-52 / tol, still below tol, so that rounding is not taken for substance) */
    double threshold;  /* pivot / largest entry of its row (default 0.3; larger is safer and fills more) */
    bool track;        /* keep the multipliers, needed by dd_rowspace_express (default false) */
    uint64_t max_work; /* entries updated before DD_LIMIT is returned; 0: no limit (default 0) */
} dd_rowspace_options;

dd_rowspace_options dd_rowspace_options_default(void);

/* How clear the decisions were so far. */
typedef struct dd_rowspace_info {
    uint32_t rows, rank; /* rows added, of which independent */
    double kept;         /* smallest (largest relative entry) of any row taken as independent; 1 when none */
    double dropped;      /* largest (largest relative entry) of any row found dependent; 0 when none */
    bool clear;          /* kept >= 100 tol and dropped <= tol / 100 */
    uint64_t work;       /* counter: entries updated */
    uint64_t stored;     /* counter: entries kept in pivot rows, remembered rows and multipliers */
} dd_rowspace_info;

/* An empty row space of ncols columns.
 *   column_order  ncols: the columns in elimination order (a permutation), or NULL for 0, 1, 2, ...
 *   options       NULL for the defaults */
dd_status dd_rowspace_new(dd_rowspace **out, dd_context *ctx, uint32_t ncols, const uint32_t *column_order,
                          const dd_rowspace_options *options);
void dd_rowspace_free(dd_rowspace *rs); /* NULL is fine */

/* scale: ncols numbers > 0; pivots are compared as |entry| * scale[column] (column equilibration; decisions about zero
 * do not need it). Call before the first row. */
void dd_rowspace_set_scale(dd_rowspace *rs, const double *scale);

/* A fill-limiting elimination order for all the rows that will be added (a pattern by rows, as many as known).
 *   size          NULL, or a->ptr[nrows] numbers: sizes |entry| * scale of the entries as pivots are compared. Without
 *                 them the order may lead to small pivots, which cost fill later.
 *   threshold     the one of the options
 *   column_order  a->ncols, receives a permutation for dd_rowspace_new
 * Column singletons first (their rows take no part in the rest), then COLAMD in a postorder of its elimination tree;
 * rows with one entry and long rows are left out. */
dd_status dd_rowspace_order(dd_context *ctx, const dd_pattern *a, const double *size, double threshold,
                            uint32_t *column_order);

/* Adds the row with entries (idx[k], val[k]), k < count, each column at most once; it gets the number 0, 1, 2, ... in
 * order of adding, dependent or not.
 *   independent  receives the verdict; a dependent row leaves the space as it was
 *   magnitude    size of the numbers the row was computed from: entries below tol * magnitude are zero, so a row
 *                of rounding noise is dependent. 0: the entries are exact.
 * After a failure the object can only be freed. */
dd_status dd_rowspace_add(dd_rowspace *rs, uint32_t count, const uint32_t *idx, const double *val, double magnitude,
                          bool *independent);

/* Would the row be independent? Changes nothing but internal memory. */
dd_status dd_rowspace_test(dd_rowspace *rs, uint32_t count, const uint32_t *idx, const double *val, double magnitude,
                           bool *independent);

/* row = sum coef[k] * (row number of[k]), k < terms; the arrays are the caller's, with room for
 * dd_rowspace_info.rank. */
typedef struct dd_combination {
    bool in_space;  /* false: the row is not in the space, and there are no terms */
    uint32_t terms; /* of ascending */
    uint32_t *of;
    double *coef;
} dd_combination;

/* Writes a row of the space as a combination of the independent rows, up to tol. Needs options.track (otherwise
 * DD_INVALID_ARGUMENT). Cost: the row's whole travel, up to all stored entries. */
dd_status dd_rowspace_express(dd_rowspace *rs, uint32_t count, const uint32_t *idx, const double *val, double magnitude,
                              dd_combination *out);

/* pivot_row: ncols, receives for each column the number of the row whose pivot it is, or DD_NO_INDEX: the pivot columns
 * are a maximal independent set of columns; the others are free. */
void dd_rowspace_pivots(const dd_rowspace *rs, uint32_t *pivot_row);

/* The right null vector of a free column: x (ncols) with x[column] = 1, 0 in all other free columns, and row * x = 0
 * for every row added, up to tol. DD_INVALID_ARGUMENT when the column is a pivot column. Cost: all pivot rows once. */
dd_status dd_rowspace_null_vector(dd_rowspace *rs, uint32_t column, double *x);

/* Likewise for any combination of free columns: x (ncols) holds their values on entry (others are ignored) and on
 * return a vector with row * x = 0 for every row added. Entries that are zero up to cancellation are exactly 0. */
dd_status dd_rowspace_null_combination(dd_rowspace *rs, double *x);

/* x (ncols) with 0 in the free columns and row k * x = rhs[k] for every independent row k, up to tol; rhs: one number
 * per row added. Needs options.track. With it a null vector is refined: x += solve(-rows * x). */
dd_status dd_rowspace_solve(dd_rowspace *rs, const double *rhs, double *x);

dd_rowspace_info dd_rowspace_get_info(const dd_rowspace *rs);

#endif
