/* nearer.c - solves from other guesses on the same mesh; the first cheaper solution that is not far away is taken. */
#include "ocp/nearer.h"

#include <math.h>

#include "ocp/kept.h"
#include "ocp/motion.h"
#include "ocp/perturbed.h"
#include "ocp/phases.h"
#include "ocp/runaway.h"

enum { TRIES = 16, MOST = 150 }; /* guesses beside the guess; iterations of each: those that succeed are short */

/* One try. Where it gains nothing the present solution is that of before. */
static bool gains(dd_ocp *p, const dd_mesh *mesh, const dd_guess *guess)
{
    const double bar = dd_ocp_solved(p) ? dd_ocp_to_beat(p) : INFINITY;
    p->iteration_cap = MOST;
    dd_ocp_solve_on(p, mesh, guess, false);
    p->iteration_cap = 0;
    if (dd_ocp_solved(p) && p->info.objective < bar && !dd_ocp_far_away(p, true)) {
        dd_ocp_forget_previous(p);
        return true;
    }
    const dd_ocp_status status = p->info.status;
    dd_ocp_take_back(p);
    dd_ocp_keep_stop(p, status);
    return false;
}

static bool from_motion(dd_ocp *p, const dd_mesh *mesh)
{
    dd_motion m = dd_motion_new(p);
    dd_guess guess;
    const bool found = dd_motion_guess(&m, 0, &guess) && gains(p, mesh, &guess);
    dd_motion_restore(&m);
    return found;
}

static bool from_beside(dd_ocp *p, const dd_mesh *mesh)
{
    dd_perturbed q = dd_perturbed_new(p);
    bool found = false;
    for (uint32_t k = 1; k <= TRIES && !found && !dd_ocp_stopped(p); k++) {
        const dd_guess guess = dd_perturbed_guess(&q, k);
        /* parameters are elsewhere now: the motion with these has nothing to repair */
        found = from_motion(p, mesh) || (!dd_ocp_stopped(p) && gains(p, mesh, &guess));
    }
    dd_perturbed_restore(&q);
    return found;
}

/* Parameters begin at the values of the text again: solves by way of others have left them where those ended. */
static void restore_guesses(dd_ocp_problem *o)
{
    for (uint32_t i = 0; i < o->p.len && dd_ocp_phase_count(o) == 0; i++) {
        dd_decision *d = &o->p.data[i];
        d->start_value = fmin(fmax(o->model->vars.data[d->var].value, d->lower), d->upper);
    }
    o->tf_value = o->free_tf ? o->t0_value + o->first_horizon : o->tf_value;
}

bool dd_ocp_solve_nearer(dd_ocp *p)
{
    restore_guesses(p->problem);
    const dd_mesh mesh = dd_mesh_copy(&p->transcription->mesh, p->pool);
    const double far = p->info.objective;
    const bool ended = dd_ocp_solved(p);
    const bool found = from_motion(p, &mesh) || (!dd_ocp_stopped(p) && from_beside(p, &mesh));
    if (found) {
        const char *there =
            ended ? dd_pool_printf(p->pool, ", where the objective is %.10g and hardly falls any more", far) : "";
        dd_ocp_say(
            p, dd_pool_printf(p->problem->pool,
                              "from the guess the solver went far away%s; the solution was found from another guess",
                              there));
    }
    return found;
}
