/* moments.h - times at which a problem switches by the clock: if time >= 0.5, abs(time - 1), max(0, time - 2).
 *
 * Collocation loses its order in an interval that contains such a time. They are known before anything is solved, so the mesh has
 * a node at each: a little before it, for the right end of the interval before belongs to what was.
 */
#ifndef DD_OCP_MOMENTS_H
#define DD_OCP_MOMENTS_H

#include "ocp/problem.h"

typedef DD_VEC(double) dd_moment_vec;

/* Their places on the horizon (0 < theta < 1), increasing. None where the horizon is free: they move with it. Raises. */
dd_moment_vec dd_ocp_moments(dd_ocp_problem *o, dd_pool *pool);

#endif
