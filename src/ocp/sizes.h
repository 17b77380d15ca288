/* sizes.h - how large states and controls will be, where neither `nominal` nor a start, a bound or a guess says it. */
#ifndef DD_OCP_SIZES_H
#define DD_OCP_SIZES_H

#include "ocp/problem.h"

/* Raises. Sets the scale of states and controls whose size is not given directly: from values asked for at points,
 * through the equations from the sizes of others, for integrals also from rates at the guess. Scales of moderate size
 * stay 1. Then the guess of a free end about which the text says nothing (end_unsaid), if it is far from the time that
 * these sizes and rates tell. */
void dd_ocp_find_sizes(dd_ocp_problem *o);

/* The size that bounds tell, the larger of their magnitudes; 0: none. */
double dd_size_of_bounds(double lower, double upper);

#endif
