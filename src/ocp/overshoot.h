/* overshoot.h - what holds at collocation points and not in between: bounds of polynomial controls and path constraints on
 * them, which they leave by a little; and path constraints on states, which a motion crosses where an interval is long
 * enough to step over what they forbid (an obstacle). */
#ifndef DD_OCP_OVERSHOOT_H
#define DD_OCP_OVERSHOOT_H

#include "ocp/ocp_impl.h"

typedef struct dd_overshoot {
    double part; /* of the range of the control or the constraint, or of its size where one side is open; 0: none */
    double by, theta;   /* in its unit; where, as part of the horizon */
    uint32_t phase;     /* of these bounds, from 1; 0: there are none */
    const char *bounds; /* "u leaves its bounds", "u + v <= 1 is violated"; NULL: none */
} dd_overshoot;

/* The largest one of the present solution, looked for at a few places in each interval. Raises. */
dd_overshoot dd_ocp_overshoot(dd_ocp *p);
/* Says it where it matters. confirmed: a finer mesh has the same objective all the same; then a large one is the note of the
 * result, because these controls cannot be applied. Raises. */
void dd_ocp_say_overshoot(dd_ocp *p, bool confirmed);

/* The same for bounds of states and path inequalities without controls. Raises. */
dd_overshoot dd_ocp_crossing(dd_ocp *p);
/* The solution steps over a constraint: optimal for the program, and of no use. Raises. */
bool dd_ocp_crosses(dd_ocp *p);
/* Its words for a verdict; NULL: it crosses nothing, but where it is outside by more than rounding that is said. Raises. */
const char *dd_ocp_crossing_words(dd_ocp *p);

#endif
