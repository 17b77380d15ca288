/* flat.h - points where slope and curvature of the cost vanish: x^3 and -x^4 at 0.
 *
 * First and second derivatives do not show whether such a point is a minimum, and a solver accepts it. What lies beside
 * it does (runaway.h).
 */
#ifndef DD_OCP_FLAT_H
#define DD_OCP_FLAT_H

#include "ocp/ocp_impl.h"

/* No slope at the solution, and a variable along which the cost does not bend there either; beside it both are seen.
 * Raises. */
bool dd_ocp_flat(dd_ocp *p);
/* Moves all variables together, up (1) or down (-1), within their bounds. */
void dd_ocp_step_beside(const dd_nlp *nlp, int sign, double *y);

#endif
