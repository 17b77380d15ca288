/* alternatives.h - cheaper solutions beside the one that was found.
 *
 * A program with controls at their bounds is a choice between bounds, interval by interval, and may have local minima
 * that no solver leaves: a throttle at its lower bound in the last interval of a burn, with multipliers of the right
 * sign. Which of them is found depends on rounding. So where a solution shows such a pattern it is solved again, from
 * itself, with
 *
 *   - short runs at a bound, or between the bounds, among long ones at another bound set to that bound; with a free
 *     horizon also those at its ends,
 *   - switches moved by one interval where the multiplier is small on one side of them and not on the other,
 *   - visits to the bounds of a control that runs between them before and after (a singular arc) left out, or made one
 *     interval earlier or later,
 *   - a jump between a bound and a value inside, where the bound has a high price at once, one interval later or earlier, and
 *     farther once that has gained something,
 *   - values of single intervals that stand out from a smooth control replaced by a straight line between their neighbours,
 *   - a control that takes two levels, perhaps because its cost has several minima, on one of them throughout,
 *   - a mesh with twice the intervals and then its own again, where the solve was so long that this costs little beside
 *     it,
 *
 * and the best is kept. Where no control shows such a pattern nothing is tried.
 */
#ifndef DD_OCP_ALTERNATIVES_H
#define DD_OCP_ALTERNATIVES_H

#include "ocp/ocp_impl.h"

/* After a solve: a note says what was gained. Costs a fifth of the solve's iterations at most, or three, where
 * nothing is gained and no control jumps so or takes two levels; what is tried depends on iterations, not on seconds, so that all machines try the same.
 * Raises. */
void dd_ocp_try_alternatives(dd_ocp *p);
/* Asked after each iteration: the present solve is an alternative and will not gain anything. */
bool dd_ocp_alternative_fails(const dd_ocp *p, const dd_nlp_iteration *it);

#endif
