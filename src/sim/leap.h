/* leap.h - the watch on given steps: does a step leap over the end of the solution, or miss it altogether? */
#ifndef DD_SIM_LEAP_H
#define DD_SIM_LEAP_H

#include "sim/sim_impl.h"

typedef struct dd_leap dd_leap;

/* In the pool, except for what dd_leap_free frees; NULL: steps are controlled, or nothing can be compared. */
dd_leap *dd_leap_new(dd_sim *sim);
void dd_leap_free(dd_leap *p); /* NULL is fine */

void dd_leap_start(dd_sim *sim);
/* Before a step. */
void dd_leap_before(dd_sim *sim);
/* A mode ends: slopes before and behind it are not compared. */
void dd_leap_restart(dd_sim *sim);
/* Looks at the last step, up to `until`. True: the solution ends within it; the status says so, and the run is back where
 * the step began. */
bool dd_leap_look(dd_sim *sim, double until);
/* The same for a step that failed. */
bool dd_leap_blame(dd_sim *sim, double bound);
/* At the end of a run: the message, if a step missed the solution. */
void dd_leap_tell(dd_sim *sim);

#endif
