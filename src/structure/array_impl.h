/* array_impl.h - the derivative array at work: array_point.c fills it and brings points onto its rows,
 * derivative_array.c reads its ranks. */
#ifndef DD_STRUCTURE_ARRAY_IMPL_H
#define DD_STRUCTURE_ARRAY_IMPL_H

#include "structure/derivative_array.h"

typedef struct dd_array_work {
    dd_system *s;
    dd_numeric *nm;
    dd_pool *scratch;
    uint32_t n, k_max; /* coefficients 0..k_max of the rows, 0..k_max+1 of the unknowns */
    uint32_t rows, cols, stride;
    double *m; /* rows x cols, column-major; column (m n + j), row (k n + i) */
    double *r, *dx, *scaled, *floor, *weight;
    double *noise; /* per row and opinion of units (dd_system_unit): as floor, in units of the columns */
} dd_array_work;

/* Which values a correction may move: a column with weight 0 stays. */
typedef enum dd_array_hold { DD_HOLD_WRITTEN, DD_HOLD_FIXED, DD_HOLD_NONE } dd_array_hold;

/* Adds the work of a factorisation that is about to be done; false when there has been enough. */
bool dd_array_spend(dd_array_work *w, uint32_t rows, uint32_t cols);
/* Rows 0..k_max, in w->scratch. */
void dd_array_set_order(dd_array_work *w, uint32_t k_max);
void dd_array_set_weights(dd_array_work *w, dd_array_hold held);
/* Moves x onto the array's zero set, by damped Gauss-Newton with the smallest weighted steps; leaves the matrix
 * there. */
bool dd_array_make_consistent(dd_array_work *w, double *x, uint32_t *failed_row);
/* The values written in the model are kept if that is possible, then the fixed ones; a model with fixed values is
 * judged at those and nowhere else. */
bool dd_array_find_point(dd_array_work *w, const double *guess, double *x, uint32_t *failed_row);

#endif
