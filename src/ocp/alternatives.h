/* alternatives.h - cheaper solutions beside the one that was found.
 *
 * A program with controls at their bounds is a choice between bounds, interval by interval, and may have local minima
 * that no solver leaves: a throttle at its lower bound in the last interval of a burn, with multipliers of the right
 * sign. Which of them is found depends on rounding. So where a solution shows such a pattern it is solved again, from
 * itself, with
 *
 *   - short runs at a bound, or between the bounds, that stand among long ones at another bound set to that bound,
 *   - switches moved by one interval where the multiplier beside them is small,
 * - a mesh with twice the intervals and then its own again, where the solve was so long that this costs little beside
 * it,
 *
 * and the best is kept. Where no control shows such a pattern nothing is tried.
 */
#ifndef DD_OCP_ALTERNATIVES_H
#define DD_OCP_ALTERNATIVES_H

#include "ocp/ocp_impl.h"

/* After a solve: a note says what was gained. Raises. */
void dd_ocp_try_alternatives(dd_ocp *p);

#endif
