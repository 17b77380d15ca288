/* stairs.h - what controls that are constant in an interval lose where the best control is steep.
 *
 * On an interval of width h the best control varies by d about its mean, nearly linearly. The mean is what the program has
 * found; what the variation would gain is 1/2 H_uu int (d (t/h - 1/2))^2 dt = h H_uu d^2/24, to second order. The second
 * derivative of the Lagrangian by the control of that interval is h H_uu. */
#ifndef DD_OCP_STAIRS_H
#define DD_OCP_STAIRS_H

#include "ocp/ocp_impl.h"

/* About how much of the objective constant controls between their bounds lose, and the part (n) of each interval. 0 with
 * other controls and without second derivatives. Raises. */
double dd_ocp_stairs_loss(const dd_ocp *p, double *part);

#endif
