/* replace.h - what dd_sim_replace takes. */
#ifndef DD_SIM_REPLACE_H
#define DD_SIM_REPLACE_H

#include "daedal/sim.h"

/* Differential variables; one that a constraint determines may be solved for, and is none then. variable: its number. */
bool dd_sim_can_replace(const dd_sim *sim, uint32_t variable);

#endif
