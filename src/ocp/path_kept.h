/* path_kept.h - equalities at all times that the equations keep by themselves.
 *
 * The sum of all parts of a population, a quaternion's length, the constraint of a pendulum that was reduced by hand: a
 * derivative of e vanishes wherever the row and the derivatives before it hold, for every control. Then e = c holds at all times
 * once it holds at the start together with these derivatives, and is imposed there alone.
 */
#ifndef DD_OCP_PATH_KEPT_H
#define DD_OCP_PATH_KEPT_H

#include "ocp/problem.h"
#include "ocp/transcription.h"

/* How often this equality in states, parameters and time is to be differentiated until nothing is left: 0, the equations do not
 * keep it; 1, it is kept; 2, if its derivative, *level[1], is zero at the start too. level: DD_KEPT_MOST expressions, the row
 * itself first. Found by numbers: at several points where the rows hold, near the guess, for parameters that allow it and
 * random controls, the last derivative is rounding. Nothing that switches may be in them: then what holds at generic points
 * holds everywhere. Raises. */
enum { DD_KEPT_MOST = 3 };
uint32_t dd_ocp_path_kept(dd_ocp_problem *o, const dd_ocp_row *row, const dd_guess *guess, dd_expr *level,
                          dd_pool *pool);

#endif
