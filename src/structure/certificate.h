/* certificate.h - is the system Jacobian regular at a point? */
#ifndef DD_STRUCTURE_CERTIFICATE_H
#define DD_STRUCTURE_CERTIFICATE_H

#include "structure/numeric.h"

/* The block-triangular form of the system Jacobian's pattern (tight entries): blocks in evaluation order. */
typedef struct dd_blocks {
    uint32_t count;
    uint32_t *row_perm, *col_perm, *ptr;
    uint32_t *block_of_col;
} dd_blocks;

dd_blocks dd_system_blocks(const dd_system *s, const dd_incidence *inc, const dd_offsets *off, dd_pool *pool);

/* What was found at one point. */
typedef struct dd_regularity {
    bool finite; /* all partials are finite there */
    bool singular;
    uint32_t block; /* the first singular block */
    uint32_t n_rows, n_cols;
    uint32_t *rows; /* rows of a vanishing combination in that block, with their coefficients */
    double *row_coef;
    uint32_t *cols; /* columns that stay undetermined together, with their direction */
    double *col_coef;
    bool constant; /* that direction is the same at all generic points */
    bool zero_row; /* a single row whose gradient vanishes there */
    double least;  /* regular: the smallest scaled singular value (or pivot) of any block of several rows, at most 1 */
} dd_regularity;

/* Rank of every diagonal block at x, rows scaled by the magnitude of what they are computed from. Stops at the first
 * singular block and returns one vanishing combination. Blocks of constants are judged exactly (field.h); with
 * `generic`, where x represents all points, so are those that are rational in the unknowns. */
dd_regularity dd_system_regularity(dd_system *s, dd_numeric *nm, const dd_offsets *off, const dd_blocks *blocks,
                                   const double *x, uint32_t stride, bool generic, dd_pool *pool);

/* Scaling of all of J at the point of the last dd_numeric_partials: row_scale n, col_scale ncols (square systems). */
void dd_system_scaling(const dd_system *s, const dd_numeric *nm, const dd_offsets *off, double *row_scale,
                       double *col_scale, dd_pool *pool);

static inline bool dd_is_tight(const dd_incidence *inc, const dd_offsets *off, uint32_t row, uint32_t entry)
{
    return (int64_t)off->d[inc->idx[entry]] - off->c[row] == inc->sigma[entry];
}

#endif
