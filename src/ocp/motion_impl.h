/* motion_impl.h - the work shared by motion.c (one simulation, the part that fits) and motion_search.c (many starts). */
#ifndef DD_OCP_MOTION_IMPL_H
#define DD_OCP_MOTION_IMPL_H

#include "ocp/motion.h"

/* Over a long time if that can be simulated, else over the guessed horizon. Returns the length, 0 for neither. */
double dd_motion_simulate(dd_motion *m);
/* Sets begin, end and misfit of the part of the simulation that fits best; roughly: on a grid of fewer parts. */
void dd_motion_best_part(dd_motion *m, double horizon, bool roughly);
/* How far that part goes from its begin, in sizes of the states. */
double dd_motion_extent(dd_motion *m);
/* Both, as a guess. False: it cannot be simulated. */
bool dd_motion_by_simulation(dd_motion *m, bool roughly, dd_guess *out);

#endif
