/* quadrature.h - the integral of the cost once more, along the solution between its points: the program knows it at the
 * collocation points alone, and a cost that varies faster than those is not what it says. */
#ifndef DD_OCP_QUADRATURE_H
#define DD_OCP_QUADRATURE_H

#include "ocp/ocp_impl.h"

/* By how much the integral in the objective is off, relative to the objective; 0 without an integral. part: of each
 * interval. Raises when asked to stop. */
double dd_ocp_cost_error(const dd_ocp *p, double *part);

#endif
