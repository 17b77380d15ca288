/* redundant.h - rows that were left out, looked at again when there is a solution. */
#ifndef DD_OCP_REDUNDANT_H
#define DD_OCP_REDUNDANT_H

#include "ocp/ocp_impl.h"

/* Ranks the boundary rows at the solution and solves once more, from there, when other rows have to be kept. Raises. */
void dd_ocp_rank_again(dd_ocp *p);

/* The largest residual of a row that was left out, relative to its size: of the size of the discretisation error.
 * Raises. */
double dd_ocp_redundant_error(dd_ocp *p);

/* Writes down the residuals; a solution at the edge of a guard, or off such a row by more than the discretisation
 * explains, is not optimal. Raises. */
void dd_ocp_judge_guards(dd_ocp *p);

/* Whether constraints that were left out because they repeat others hold at the present solution, as far as its mesh
 * can show. Raises. */
bool dd_ocp_repeated_hold(dd_ocp *p);

#endif
