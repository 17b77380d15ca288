/* roots.h - square roots and other broken powers at zero, where they have a value and no derivative.
 *
 *     h' = u - sqrt(h),  h(finalTime) = 0        a tank that is to be empty
 *
 * Newton's method has no slope there. The program is then solved with (a + d)^r in the place of a^r, d being 1e-8 of the
 * size of a (1e-12 for a sum of squares, whose root is a length), then once more from there with a ten-thousandth of it. Errors are
 * estimated with max(a, 0)^r: the equations as they are, where they have a value (but for 1e-18, which gives them a slope).
 */
#ifndef DD_OCP_ROOTS_H
#define DD_OCP_ROOTS_H

#include "ocp/ocp_impl.h"

/* Puts rounded roots into the equations and the integrand that programs are made of. False: there are none, or none is near
 * zero at the present point. Raises. */
bool dd_ocp_round_roots(dd_ocp *p);
/* After a solve with rounded roots: less: a ten-thousandth of the distance d from now on, else d again. Raises. */
void dd_ocp_round_roots_less(dd_ocp_problem *o, bool less);
/* Puts max(a, 0)^r into the equations that errors are estimated with. False: as above. Raises. */
bool dd_ocp_hold_roots(dd_ocp *p);
/* The equations as they are. */
void dd_ocp_sharp_roots(dd_ocp_problem *o);

#endif
