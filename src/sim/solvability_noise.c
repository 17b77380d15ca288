/* solvability_noise.c - numbers that turn so near to zero that errors of the run explain the rest. The scout, whose errors are
 * smaller, decides; beside given steps, whose errors nobody controls, it follows the solution from the beginning. */
#include <math.h>

#include "sim/solvability_impl.h"

/* Errors of given steps that are thought of, relative. */
static const double GIVEN_ERRORS = 1e-2;
/* Errors of the scout on its way from the beginning of the mode, in its tolerances. */
static const double ADDED_UP = 100;

/* The solution at t, by the scout from the beginning of the mode, or from where it was asked for before: given steps have errors
 * that nobody controls. NULL: it did not get there. */
static const dd_solv_state *on_solution(dd_solvability *s, double t)
{
    const dd_solv_state *from = s->accurate.valid && s->accurate.t <= t ? &s->accurate : &s->history[0];
    if (!from->valid || !dd_solv_make_scout(s)) {
        return NULL;
    }
    if (from->t < t) {
        dd_solv_send(s, from, t - from->t);
        while (s->scout->t < t) {
            if (!dd_solv_step(s, t)) {
                return NULL;
            }
        }
        dd_solv_copy(s, &s->accurate, s->scout->t, s->scout->w, s->scout->wdot);
        from = &s->accurate;
    }
    return from;
}

/* Given steps turned near zero: does item k of the solution touch it there, a step earlier or later? */
static bool touches(dd_solvability *s, uint32_t k, dd_singular *out)
{
    const dd_solv_state *last = dd_solv_last(s);
    const double noise = dd_solv_noise(s, k, last, GIVEN_ERRORS, 0);
    if (!(fabs(s->v[1][k]) <= DD_SOLV_ABOVE * noise && s->peak[k] > DD_SOLV_ABOVE / DD_SOLV_LOW * noise)) {
        return false;
    }
    const double around = s->t[0] - s->t[2];
    const double begin = fmax(s->t[2] - around, s->mode_start), end = fmin(s->t[0] + around, s->sim->t_stop);
    const dd_solv_state *from = on_solution(s, begin);
    s->added = ADDED_UP * dd_solv_scout_tolerance(s);
    const bool found = from && dd_solv_lowest(s, from, end, k, s->peak[k], out);
    s->added = 0;
    return found;
}

bool dd_solv_scout_sees(dd_solvability *s, uint32_t k, dd_singular *out)
{
    const dd_solv_state *from = &s->history[0], *last = dd_solv_last(s);
    const double end = fmin(s->t[0] + DD_SOLV_REACH * (s->t[0] - s->mode_start), s->sim->t_stop);
    const double floor = dd_solv_noise(s, k, last, dd_solv_scout_tolerance(s), 0);
    return from->valid && (dd_solv_close_in(s, from, end, k, DD_SOLV_ABOVE * floor, out) ||
                           dd_solv_lowest(s, from, s->t[0], k, s->peak[k], out));
}

bool dd_solv_turned_in_noise(dd_solvability *s, uint32_t k, dd_singular *out)
{
    const double now = s->v[0][k], lowest = s->v[1][k], first = s->v[2][k];
    const dd_solv_state *last = dd_solv_last(s);
    if (s->doubt || !last || !last->valid || !(fabs(lowest) < DD_SOLV_LOW * s->peak[k]) ||
        !(now * lowest > 0 && first * lowest > 0 && fabs(now) > fabs(lowest) && fabs(first) > fabs(lowest))) {
        return false;
    }
    if (s->sim->options.step > 0) {
        return touches(s, k, out);
    }
    const double noise = dd_solv_noise(s, k, last, dd_sim_tolerance(s->sim), s->sim->options.atol);
    if (!(fabs(lowest) <= DD_SOLV_ABOVE * noise && s->peak[k] > DD_SOLV_ABOVE / DD_SOLV_LOW * noise)) {
        return false;
    }
    if (dd_solv_scout_sees(s, k, out)) {
        return true;
    }
    dd_solvability_doubt(s, k, s->t[1]);
    return false;
}
