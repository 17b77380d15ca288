/* squares.h - an objective as a sum of squares: which terms it has.
 *
 * c_1 r_1^2 + c_2 r_2^2 + ... with constants c_i >= 0, sums in brackets and constant terms included. Terms of the
 * integrand are squares at all times. */
#ifndef DD_OCP_SQUARES_H
#define DD_OCP_SQUARES_H

#include "ocp/problem.h"

typedef struct dd_square_term {
    dd_expr r;      /* its square is the term */
    dd_expr factor; /* a constant that the square is multiplied by */
    bool integral;
} dd_square_term;
typedef DD_VEC(dd_square_term) dd_square_term_vec;

/* Adds the terms; false when the expression is not such a sum (some may have been added then). Raises. */
bool dd_ocp_squares(const dd_ocp_problem *o, dd_expr e, bool integral, dd_square_term_vec *out, dd_pool *pool);

/* Rows of the data that a term is sampled at: those of its longest column inside of the horizon; NULL: no data. */
const dd_table *dd_ocp_square_rows(const dd_ocp_problem *o, dd_expr e, uint32_t *count);

#endif
