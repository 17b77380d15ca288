/* compare.h - the end of a run beside that of a run with more digits. */
#ifndef DD_SIM_COMPARE_H
#define DD_SIM_COMPARE_H

#include "sim/sim_impl.h"

/* After a run: where its end is off by more than a few tolerances, a message says so. It runs Radau with a tenth of the
 * tolerance where errors may have added up, where they may have grown (`growing`), and where that costs next to nothing.
 * Raises. */
void dd_compare_tell(dd_sim *sim, bool growing);

/* The same after a run of the equations as written, of index 2 or more, whose algebraic variables no error test controls, and
 * after one with dummy derivatives: beside a run of the reduced form with projection. Once a run. Raises. */
void dd_compare_tell_form(dd_sim *sim);

#endif
