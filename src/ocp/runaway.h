/* runaway.h - costs without a lower bound: what grows past all bounds, and the proof.
 *
 * A solver that stops says little: iterates that grow may belong to an infeasible problem, and a cost that falls
 * ever more slowly looks optimal far out. So two experiments are made. Where no solution was found, everything
 * that has no bounds gets wide ones; what then lies at them, and at ten times wider ones with a smaller cost, runs
 * away. Where a solution lies far from the guess, the solve goes on with the cost magnified: a minimum stays, a
 * slope leads on.
 */
#ifndef DD_OCP_RUNAWAY_H
#define DD_OCP_RUNAWAY_H

#include "ocp/diagnose.h"

typedef enum dd_runaway {
    DD_RUNAWAY_NO,
    DD_RUNAWAY_YES,     /* out->runaway has the names */
    DD_RUNAWAY_BOUNDED, /* with wide bounds there is a solution within them: y */
    DD_RUNAWAY_UNKNOWN  /* of a guess that was left: no solve came to an end */
} dd_runaway;

/* Something without bounds is far from where it began. solved: a smaller distance is suspicious. Raises. */
bool dd_ocp_far_away(dd_ocp *p, bool solved);
/* After a failure. y: room for a point. Raises. */
dd_runaway dd_ocp_bounded_solve(dd_ocp *p, double deadline, dd_diagnosis *out, double *y);
/* After a solution that lies far away, or (steady) at the end of a steady walk: steady.h. Raises. */
bool dd_ocp_slope_leads_on(dd_ocp *p, bool steady, double deadline, dd_diagnosis *out);
/* Nothing that is chosen has moved from the guess. Raises. */
bool dd_ocp_stayed(dd_ocp *p);
/* After a "solution" that is the guess itself, or flat: the slope of the cost may vanish there by accident, at a maximum
 * even. The solve is made again from places beside it. BOUNDED: y is better; NO: it came back. Raises. */
dd_runaway dd_ocp_leave_guess(dd_ocp *p, bool flat, double deadline, dd_diagnosis *out, double *y);
/* Names of the largest quantities at the present point: for a solver that says that iterates diverge. Raises. */
void dd_ocp_name_largest(dd_ocp *p, dd_diagnosis *out);

#endif
