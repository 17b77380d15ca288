/* run_branch.c - steps that end on another branch of the equations: where two solutions of z^2 = x come near each other, Newton's
 * method may find the other one behind a long step, and every row holds there. The watch on solvability notices. With error
 * control the step is undone and a shorter one taken; a step that is given keeps its x, and its z goes back. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "sim/run_impl.h"
#include "sim/solvability.h"

static const double SHORTER = 0.25; /* of the step that was undone */

/* The unknown that differs most between the branches; rates follow algebraic ones. */
static uint32_t largest_difference(const dd_sim *sim, const double *w, const double *wdot)
{
    const double follows = 0.1;
    const dd_problem *p = &sim->numbers->problem;
    const dd_integrator *it = sim->integrator;
    double most = -1;
    uint32_t found = 0;
    for (uint32_t j = 0; j < p->n; j++) {
        const double by = p->differential[j] ? follows * (wdot[j] - it->wdot[j]) : w[j] - it->w[j];
        const double off = fabs(by) / p->nominal[j];
        if (off > most) {
            most = off;
            found = j;
        }
    }
    return found;
}

static void tell(dd_sim *sim, uint32_t j)
{
    const dd_integrator *it = sim->integrator;
    char name[200];
    dd_run_name_unknown(sim, j, name, sizeof name);
    const char *option = sim->options.step > 0 ? dd_option_word(sim->ctx, "--step") : dd_option_word(sim->ctx, "--tol");
    dd_vec_push(
        sim->pool, &sim->messages,
        dd_pool_printf(sim->pool,
                       "the step from time %.6g to %.6g ended on another solution of the equations for %s, and the "
                       "run was put back onto its own; take shorter steps (%s)",
                       it->t_old, it->t, name, option));
    sim->branch_told = true;
}

bool dd_run_leaves_branch(dd_sim *sim, double until)
{
    const double least = 64 * DBL_EPSILON; /* of the time: shorter steps are none */
    dd_integrator *it = sim->integrator;
    const double *w, *wdot;
    if (!sim->solvability || !dd_solvability_left_branch(sim->solvability, &w, &wdot)) {
        return false;
    }
    const double shorter = SHORTER * (it->t - it->t_old);
    if (sim->options.step <= 0 && !sim->sens && !sim->dummy && shorter > least * fabs(it->t)) {
        dd_integ_start(it, it->t_old, sim->w_before, sim->wdot_before);
        it->stats.steps--;
        it->stats.rejected++;
        sim->kink_bound = it->t + shorter;
        dd_solvability_undo(sim->solvability);
        return true;
    }
    /* what ends at an event begins again there */
    if (until == it->t) {
        if (!sim->branch_told) {
            tell(sim, largest_difference(sim, w, wdot));
        }
        memcpy(it->w, w, sim->numbers->n * sizeof *w);
        memcpy(it->wdot, wdot, sim->numbers->n * sizeof *wdot);
        sim->rejoined = true;
        dd_solvability_start(sim->solvability);
    }
    return false;
}

void dd_run_rejoin(dd_sim *sim)
{
    dd_integrator *it = sim->integrator;
    sim->rejoined = false;
    memcpy(sim->w, it->w, sim->numbers->n * sizeof *sim->w);
    memcpy(sim->wdot, it->wdot, sim->numbers->n * sizeof *sim->wdot);
    dd_integ_start(it, it->t, sim->w, sim->wdot);
}
