/* unstable.h - the watch on the stability of explicit methods with given steps. */
#ifndef DD_SIM_UNSTABLE_H
#define DD_SIM_UNSTABLE_H

#include "sim/sim_impl.h"

typedef struct dd_unstable dd_unstable;

/* In the pool; NULL: nothing to watch, or too many unknowns for it. For explicit tableaux. */
dd_unstable *dd_unstable_new(dd_sim *sim);
void dd_unstable_start(dd_unstable *u, const dd_sim *sim);
/* After a step. True: the solution is lost, the status says so. */
bool dd_unstable_look(dd_sim *sim);
/* At the end of a run: the message, if errors grew without harm. */
void dd_unstable_tell(dd_sim *sim);

#endif
