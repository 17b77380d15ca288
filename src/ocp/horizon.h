/* horizon.h - horizons that a solution has shrunk to nothing.
 *
 * With J = phi(x(t0 + T)) and x' = f(x, u) the slope by a control is T phi_x f_u: where T is zero it vanishes whatever the
 * control is, and so a horizon without length is stationary for all controls under which the cost rises with T, though it
 * may fall under others. Newton's method cannot see these from there.
 */
#ifndef DD_OCP_HORIZON_H
#define DD_OCP_HORIZON_H

#include "ocp/ocp_impl.h"

/* A free horizon, or a phase, has shrunk to (nearly) no length, and it could be as long as it was guessed. */
bool dd_ocp_horizon_shrunk(const dd_ocp *p);
/* After a solution that has: solved again with the guessed length at least. True: that costs less, y is the point. Raises. */
bool dd_ocp_lengthen(dd_ocp *p, double deadline, double *y);
/* After solves from there: one that has shrunk the horizon again and costs more than y is no solution. */
void dd_ocp_refuse_shrunk(dd_ocp *p, const double *y);

#endif
