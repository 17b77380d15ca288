/* saddle.h - solutions that meet the conditions of first order and are no minimum.
 *
 * A problem with a symmetry often has a symmetric stationary point: a turn about one axis, although a turn about all three is
 * quicker; a path straight up to an obstacle. Newton's method that begins on the symmetry stays there, and rounding decides
 * whether it leaves. It shows in the last step: the Hessian on the tangent space of the constraints has negative eigenvalues, so
 * the step was regularised to the end. Then controls are moved off the symmetry by waves, the problem is solved again from there,
 * and the cheaper solution is kept.
 */
#ifndef DD_OCP_SADDLE_H
#define DD_OCP_SADDLE_H

#include "ocp/ocp_impl.h"

/* After a solve. Costs nothing where the curvature is positive. A note says what was gained, or that the solution may be a saddle
 * point. Raises. */
void dd_ocp_leave_saddle(dd_ocp *p);

#endif
