/* hidden.h - switches that a coarse interval hides.
 *
 * The multiplier of a bound of a constant control is the integral of the switching function H_u over its interval.
 * Where that function changes its sign inside, and the integral does not, the control stays at the wrong bound for
 * a part of the interval, and nothing else shows it: the motion is exact, and a mesh refined at the visible
 * switches has settled. From the means of three neighbours the function is known as a parabola, and with it such
 * places. The jumps of linear controls may hide beside long intervals as well.
 */
#ifndef DD_OCP_HIDDEN_H
#define DD_OCP_HIDDEN_H

#include "ocp/ocp_impl.h"

/* The mesh of the present solution with those intervals divided in which a switch of a constant or linear control may
 * hide; n = 0: there are none. Raises. */
dd_mesh dd_ocp_mesh_for_hidden(const dd_ocp *p, dd_pool *pool);
/* About how much of the objective constant controls lose because they cannot switch inside an interval, from the same
 * function, and the part (n) of each interval. 0 with other controls. Raises. */
double dd_ocp_switch_loss(const dd_ocp *p, double *part);
/* The mesh with those intervals divided in four that lose more than `least`. Raises. */
dd_mesh dd_ocp_mesh_for_losses(const dd_ocp *p, const double *part, double least, dd_pool *pool);

#endif
