/* point.c - the solution between the ends of a step (dense.c), moved onto the constraints. Steps end on them, but a
 * polynomial between two points of a curved surface leaves it by as much as its own error, which is of the size of the
 * tolerance. */
#include <math.h>
#include <string.h>

#include "sim/sim_impl.h"

enum { CORRECTIONS = 3 }; /* from a distance d: d^2, then rounding */

/* Fixed weights, so that the derivative of the shift is that of the constraints alone. With dummy derivatives the
 * dummies move, and hardly anything else. */
const double *dd_sim_point_weights(dd_sim *sim)
{
    const double hardly = 1e-8, *nominal = sim->numbers->problem.nominal;
    if (!sim->dummy) {
        return nominal;
    }
    for (uint32_t j = 0; j < sim->numbers->n; j++) {
        sim->guess[j] = nominal[j] * (dd_dummy_is(sim->dummy, j) ? 1.0 : hardly);
    }
    return sim->guess;
}

static void place(dd_sim *sim, double t)
{
    const uint32_t n = sim->numbers->n;
    const bool keeps =
        sim->options.stabilize == DD_STABILIZE_PROJECTION || (sim->dummy && (!sim->sens || sim->options.step > 0));
    /* x by the accurate way, then onto constraints and first integrals, then x' and z */
    dd_sim_differential(sim, t);
    sim->shifted = sim->keeper && keeps && t < sim->integrator->t;
    memcpy(sim->plain, sim->w, n * sizeof *sim->w);
    /* a failed projection leaves the point where it was */
    if (sim->shifted &&
        !dd_project(sim->keeper, t, sim->w, dd_sim_point_weights(sim), CORRECTIONS, sim->shift).converged) {
        memcpy(sim->w, sim->plain, n * sizeof *sim->w);
        sim->shifted = false;
    }
    if (!sim->sens || sim->options.step > 0) { /* otherwise derivatives are those of the polynomials */
        dd_sim_solve_rest(sim, t);
    }
}

void dd_sim_point(dd_sim *sim, double t)
{
    place(sim, t);
    if (!dd_sim_z_is_doubtful(sim, t)) {
        return;
    }
    enum { TRUSTED = 8 }; /* steps */
    /* once more, by a step that ends here; is it another value, the other points of this step are found so, too */
    const double enough = 0.5, off = dd_sim_z_off(sim, sim->guess);
    memcpy(sim->first_z, sim->w, sim->numbers->n * sizeof *sim->w);
    sim->z_steep = true;
    sim->state_at = sim->solved_at = NAN;
    place(sim, t);
    sim->z_steep = dd_sim_z_off(sim, sim->first_z) > enough;
    sim->z_trusted = sim->z_steep ? 0 : TRUSTED;
    sim->z_plain = sim->z_steep ? 0 : off;
}

bool dd_sim_is_completed(const dd_sim *sim)
{
    return sim->end_open && dd_watch_count(sim->watch) > 0;
}

void dd_sim_values(dd_sim *sim, double t, const double *w, const double *wdot)
{
    dd_numbers_outputs(sim->numbers, t, w, wdot, sim->values);
    if (dd_sim_is_completed(sim)) {
        dd_watch_complete(sim->watch, t, sim->values);
    }
}
