/* factor.h - rows that are products: (x1 - x2)*(der(x2) + 1) = 0 holds on two branches. */
#ifndef DD_STRUCTURE_FACTOR_H
#define DD_STRUCTURE_FACTOR_H

#include "structure/system.h"

/* The factor c of row i of s->eqs, where the row is c*(x' + q) = 0 for some x', c contains no derivatives and vanishes
 * at the point x (Taylor coefficients): a solution that starts there may stay on c = 0. DD_EXPR_NONE without.
 * Raises. */
dd_expr dd_vanishing_factor(dd_system *s, uint32_t row, const double *x, uint32_t stride);

#endif
