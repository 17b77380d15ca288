/* finite.c - variables that are computed from the solution but do not act on it: sqrt of a negative number there stops no
 * integrator, so it is looked for after every step, and the moment is closed in by bisection on the dense output. */
#include <math.h>

#include "sim/sim_impl.h"

static uint32_t culprit_at(dd_sim *sim, double t)
{
    dd_integ_interpolate(sim->integrator, t, sim->w, sim->wdot);
    dd_numbers_outputs(sim->numbers, t, sim->w, sim->wdot, sim->values);
    for (uint32_t j = 0; j < sim->system->declared; j++) {
        if (!isfinite(sim->values[j])) {
            return j;
        }
    }
    return DD_NO_INDEX;
}

uint32_t dd_sim_not_finite(dd_sim *sim, double t_old, double t, double *last_good)
{
    if (sim->numbers->equations->assigned.len == 0) {
        return DD_NO_INDEX; /* the integrator saw all of them */
    }
    uint32_t culprit = culprit_at(sim, t);
    double good = t_old, bad = t;
    while (culprit != DD_NO_INDEX) {
        const double middle = good + 0.5 * (bad - good);
        if (middle <= good || middle >= bad) {
            break;
        }
        const uint32_t there = culprit_at(sim, middle);
        if (there == DD_NO_INDEX) {
            good = middle;
        } else {
            culprit = there;
            bad = middle;
        }
    }
    *last_good = good;
    return culprit;
}
