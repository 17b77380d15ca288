/* impulse.h - what happens at an event to variables whose derivatives the equations need. */
#ifndef DD_SIM_IMPULSE_H
#define DD_SIM_IMPULSE_H

#include <stdbool.h>
#include <stdint.h>

#include "daedal/sim.h"

typedef struct dd_impulses dd_impulses;

/* In the simulation's pool; NULL where the structure of the equations is not known. Raises. */
dd_impulses *dd_impulses_new(const dd_sim *sim);

/* The two sides of an event at t: before branches change (on the dense output), and with x' and z solved for behind it
 * in sim->w and sim->wdot. which: the switch that was found, or DD_NO_INDEX. False: a state would have to jump, and the
 * status says so; impulses in algebraic variables are a message. */
void dd_sim_before_event(dd_sim *sim, double t);
bool dd_sim_behind_event(dd_sim *sim, double t, uint32_t which);

/* The same for a condition in variables that nothing else depends on, with both sides in sim->values. (An impulse
 * does not show in what depends on it: between the events all derivatives are ordinary.) */
void dd_sim_before_kink(dd_sim *sim);
bool dd_sim_behind_kink(dd_sim *sim, double t, uint32_t which);

#endif
