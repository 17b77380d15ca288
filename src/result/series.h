/* series.h - one column of a table as a function of time: cut into pieces at jumps, each interpolated by itself.
 *
 *     time:   0     1     2   2     3
 *     u:      0.0   0.5   0.5 1.0   1.0
 *            |------ piece 0 -|--- piece 1
 *
 * Linear between rows (no derivatives), or cubic splines (not-a-knot; two derivatives). A run that integrates across a
 * jump enters piece after piece: within a step values come from one piece, also a little beyond its ends, where they
 * are held. */
#ifndef DD_RESULT_SERIES_H
#define DD_RESULT_SERIES_H

#include <stdbool.h>

#include "result/table.h"

typedef struct dd_series {
    uint32_t n;
    double *t, *v;     /* rows; t does not decrease, and equal neighbours are jumps */
    double *curvature; /* u'' at the rows; NULL: linear */
    uint32_t pieces;   /* at least 1 */
    uint32_t *first;   /* piece p is rows first[p] .. first[p+1] - 1 */
    uint32_t piece;    /* the one in force */
    uint32_t cursor;   /* the interval looked at last */
} dd_series;

/* From a column of a table with rows, which are copied; repeated rows without a jump are dropped unless `repeated`. Raises when memory
 * runs out. */
dd_series dd_series_new(const dd_table *table, uint32_t column, bool spline, bool repeated, dd_pool *pool);

/* How u changes with its rows first..last: 1 there, 0 at the others, interpolated like c. */
dd_series dd_series_basis(const dd_series *c, uint32_t first, uint32_t last, dd_pool *pool);

/* The last piece that begins at or before t. */
void dd_series_enter(dd_series *c, double t);

/* u^(order)(t) in the present piece; outside of it the value at its end is held. Linear: 0 for order > 0. */
double dd_series_value(dd_series *c, uint32_t order, double t);

#endif
