/* impossible.h - proofs that no consistent point has the given initial values, and values in words. */
#ifndef DD_STRUCTURE_IMPOSSIBLE_H
#define DD_STRUCTURE_IMPOSSIBLE_H

#include "structure/numeric.h"

/* A sentence on why no values satisfy all equations f_i^(k) = 0, k <= c_i, the initial equations and the fixed values
 * at the start time; NULL when that was not shown (it may be true all the same). *always: the equations alone are
 * enough for the proof, so that no other start helps. */
const char *dd_system_impossible(const dd_system *s, bool *always, dd_pool *pool);

/* "x = 1 (fixed), z = 0.5": the unknowns of the rows with their values at x (ncols * stride coefficients). */
const char *dd_system_values_of_rows(const dd_system *s, const uint32_t *rows, uint32_t n, const double *x,
                                     uint32_t stride, dd_pool *pool);

#endif
