/* nearer.h - other guesses after a solution that lies far away.
 *
 * A cost that falls ever more slowly as a parameter grows (a fit whose model is flat there) leads a solver out along its
 * slope, though there may be a lower minimum near the guess. "There is no minimum" would be wrong then.
 */
#ifndef DD_OCP_NEARER_H
#define DD_OCP_NEARER_H

#include "ocp/ocp_impl.h"

/* From a simulation and a few guesses beside the guess. True: a cheaper solution that is not far away is the present one.
 * Raises. */
bool dd_ocp_solve_nearer(dd_ocp *p);

#endif
