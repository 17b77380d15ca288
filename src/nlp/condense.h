/* condense.h - the quadratic model of a program with a shape, with its start as a parameter, condensed to the variables that
 * no row determines.
 *
 * Rows that determine variables (shape.h, and those of the start) are solved for them: the controls remain, with
 *
 *     min (g + G s)^T u + u^T H u / 2   s.t.   lower <= c + D s + C u <= upper
 *
 * s: the step of the states at the start. All but s is known before it is; then a small dense program is left
 * (dense_qp.h). */
#ifndef DD_NLP_CONDENSE_H
#define DD_NLP_CONDENSE_H

#include "nlp/linearized.h"

typedef struct dd_condensed_qp dd_condensed_qp;

/* start_row: the first of `states` equality rows with one entry each, which fix the states at node 0. NULL: the program has no
 * shape, variables of the border, or too many controls for dense matrices. Lives as long as the pool. Raises; nothing is allocated
 * after this. */
dd_condensed_qp *dd_condensed_new(dd_pool *pool, const dd_nlp *nlp, uint32_t start_row, uint32_t states);

/* Condenses the model as it is now; solves it for the start that the rows have now, which is a guess of the active rows to come.
 * guess: multipliers, where the solution is expected. False: it cannot be done with these numbers. */
bool dd_condensed_take(dd_condensed_qp *c, const dd_linearized *model, const dd_nlp_result *guess);

/* Solves for the start that the rows have now: x, multipliers and all else of the result. A curvature that is not positive
 * definite in the controls is made so. False: there is no verdict, and the result is as it was. */
bool dd_condensed_solve(dd_condensed_qp *c, dd_nlp_result *result);

#endif
