/* point.c - the solution between the ends of a step: dense output, moved onto the constraints. Steps end on them, but a
 * polynomial between two points of a curved surface leaves it by as much as its own error, which is of the size of the
 * tolerance or somewhat more. */
#include <string.h>

#include "sim/sim_impl.h"

enum { CORRECTIONS = 3 }; /* from a distance d: d^2, then rounding */

void dd_sim_point(dd_sim *sim, double t)
{
    const dd_integrator *it = sim->integrator;
    const uint32_t n = sim->numbers->n;
    dd_integ_interpolate(it, t, sim->w, sim->wdot);
    sim->shifted = sim->projector && sim->options.stabilize == DD_STABILIZE_PROJECTION && t < it->t;
    if (!sim->shifted) {
        return;
    }
    /* fixed weights, so that the derivative of the shift is that of the constraints alone */
    memcpy(sim->plain, sim->w, n * sizeof *sim->w);
    if (!dd_project(sim->projector, t, sim->w, sim->numbers->problem.nominal, CORRECTIONS, sim->shift).converged) {
        memcpy(sim->w, sim->plain, n * sizeof *sim->w);
        sim->shifted = false;
    }
}

void dd_sim_values(dd_sim *sim, double t, const double *w, const double *wdot)
{
    dd_numbers_outputs(sim->numbers, t, w, wdot, sim->values);
    if (sim->end_open && sim->watch) {
        dd_watch_complete(sim->watch, t, sim->values);
    }
}
