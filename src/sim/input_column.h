/* input_column.h - one input as a function of time: rows, cut into pieces at jumps, interpolated piece by piece. */
#ifndef DD_SIM_INPUT_COLUMN_H
#define DD_SIM_INPUT_COLUMN_H

#include <stdbool.h>

#include "base/pool.h"

typedef struct dd_input_column {
    uint32_t n;
    double *t, *v;     /* rows; t does not decrease, and equal neighbours are jumps */
    double *curvature; /* u'' at the rows; NULL: linear */
    uint32_t pieces;   /* at least 1 */
    uint32_t *first;   /* piece p is rows first[p] .. first[p+1] - 1 */
    uint32_t piece;    /* the one in force */
    uint32_t cursor;   /* the interval looked at last */
} dd_input_column;

/* From n >= 1 rows, which are copied; repeated rows without a jump are dropped unless `repeated`. Raises when memory
 * runs out. */
dd_input_column dd_input_column_new(const double *t, const double *v, uint32_t n, bool spline, bool repeated,
                                    dd_pool *pool);

/* How u changes with its rows first..last: 1 there, 0 at the others, interpolated like c. */
dd_input_column dd_input_column_basis(const dd_input_column *c, uint32_t first, uint32_t last, dd_pool *pool);

/* The last piece that begins at or before t. */
void dd_input_column_enter(dd_input_column *c, double t);

/* u^(order)(t) in the present piece; outside of it the value at its end is held. Linear: 0 for order > 0. */
double dd_input_column_value(dd_input_column *c, uint32_t order, double t);

#endif
