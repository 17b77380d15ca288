/* path_kept.h - equalities at all times that the equations keep by themselves.
 *
 * The sum of all parts of a population, a quaternion's length, an energy without loss: der(e) vanishes wherever the row holds, for
 * every control. Then e = c holds at all times once it holds at the start, and is imposed there alone.
 */
#ifndef DD_OCP_PATH_KEPT_H
#define DD_OCP_PATH_KEPT_H

#include "ocp/problem.h"
#include "ocp/transcription.h"

/* Is this equality in states, parameters and time kept by the equations? Found by numbers: at several points on the row, near the
 * guess and with random controls, its derivative is rounding. Raises. */
bool dd_ocp_path_is_kept(dd_ocp_problem *o, const dd_ocp_row *row, const dd_guess *guess, dd_pool *pool);

#endif
