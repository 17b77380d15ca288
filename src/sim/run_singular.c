/* run_singular.c - singular points on the way of a run: it ends there, or passes with a warning. */
#include <math.h>
#include <string.h>

#include "sim/run_impl.h"
#include "sim/solvability.h"

void dd_run_end_at_singular(dd_sim *sim, const dd_singular *found)
{
    dd_integrator *it = sim->integrator;
    double t;
    const double *w, *wdot;
    const bool known = dd_solvability_point(sim->solvability, &t, &w, &wdot);
    /* rows behind the place belong to no solution */
    while (sim->rows.count > 1 && dd_table_time(&sim->rows, sim->rows.count - 1) > t) {
        sim->rows.count--; /* a minimum is seen when the step after it is there */
    }
    /* the grid's rows up to the place */
    if (t > it->t_old && t < it->t && sim->options.keep_rows && dd_sim_row_spacing(sim) > 0 &&
        !dd_run_add_rows(sim, t)) {
        return;
    }
    /* end there: by the point of the search, or back on the dense output */
    if (known) {
        it->t = t;
        memcpy(it->w, w, sim->numbers->n * sizeof *w);
        memcpy(it->wdot, wdot, sim->numbers->n * sizeof *wdot);
    } else if (t >= it->t_old && t < it->t) {
        dd_run_go_back(sim, t);
    }
    if (dd_sim_row_spacing(sim) <= 0 && !dd_sim_add_row(sim, it->t, it->w, it->wdot)) {
        return;
    }
    dd_solvability_tell(sim, found);
}

bool dd_run_has_just_passed(const dd_sim *sim)
{
    const double near = 1e-3 * (sim->integrator->t - sim->t0);
    return sim->singular_points > 0 && sim->integrator->t - sim->last_singular.t <= near;
}

bool dd_run_stays_solvable(dd_sim *sim, double until)
{
    dd_singular found;
    /* an allocation that failed inside the watch ends the run */
    if (!sim->solvability || !dd_solvability_look(sim->solvability, until, &found)) {
        return !sim->solvability || !dd_solvability_failed(sim->solvability) || dd_run_memory_ran_out(sim, until);
    }
    /* past it the watch begins again, as at a start */
    if (sim->options.through) {
        dd_solvability_warn(sim, &found);
        sim->last_singular = found;
        dd_solvability_start(sim->solvability);
        return true;
    }
    dd_run_end_at_singular(sim, &found);
    return false;
}

void dd_run_blame_singular(dd_sim *sim, double reach)
{
    dd_singular found;
    if (sim->solvability && sim->info.status != DD_SIM_OUT_OF_MEMORY &&
        dd_solvability_blame(sim->solvability, &found) && found.t <= sim->integrator->t + reach) {
        dd_run_end_at_singular(sim, &found);
    }
}
