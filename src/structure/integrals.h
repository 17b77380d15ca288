/* integrals.h - first integrals that equations have by their form: combinations of rows, with constant coefficients, in
 * which only derivatives are left,
 *
 *     sum_i lambda_i row_i = sum_j c_j x_j',   so that sum_j c_j x_j stays as it is along every solution.
 *
 * Charge at a node between capacitors (der(q1) + der(q2) = 0), mass and atoms in reactions, momentum between bodies. */
#ifndef DD_STRUCTURE_INTEGRALS_H
#define DD_STRUCTURE_INTEGRALS_H

#include "structure/system.h"

/* lambda_i of an integral. */
typedef struct dd_row_factor {
    uint32_t integral, row;
    double value;
} dd_row_factor;
typedef DD_VEC(dd_row_factor) dd_row_factor_vec;

/* Appends sum_j c_j x_j to out, as expressions in VAR(.,0); a basis of what there is. Of systems with many rows that
 * none of the cheap tests excludes, none is given. rows: residuals with derivatives of first order. factors (may be
 * NULL): lambda, in the order of the integrals. Raises. */
void dd_find_integrals(const dd_system *s, const dd_expr *rows, uint32_t n, dd_expr_vec *out,
                       dd_row_factor_vec *factors, dd_pool *pool);

#endif
