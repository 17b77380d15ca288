/* solvability_kink.c - singular points that the solution does not reach, since it changes its branch before.
 *
 * Relations are frozen within a step. p = m |m| + e m, a flow with a laminar part, has one solution m for each p; but the
 * branch -m^2 + e m of negative m goes on to positive ones, and folds at m = e/2. A step over the kink fails there,
 * and the scout, for which relations are frozen too, finds the fold. The way out is a step that ends between: the kink
 * within it is found as others are. */
#include <math.h>

#include "sim/solvability_impl.h"

enum { MOST_HALVINGS = 40 };
static const double APART = 1e-9; /* of the way: kink and place are told apart, above the errors of the scout */

/* The largest part of its distance from a kink at `from` by which a point is on the other side of it; 0: it is on none. */
static double part_beyond(dd_solvability *s, const dd_solv_state *at, const dd_solv_state *from)
{
    const dd_numbers *q = s->numbers;
    double most = 0;
    if (s->own) {
        return 0; /* steps are taken with other relations than the watch has */
    }
    dd_numbers_switching(s->numbers, from->t, from->w, from->wdot, s->switching);
    for (uint32_t k = 0; k < q->switches.len; k++) {
        s->far[k] = fabs(dd_switch_distance(&q->switches.data[k], q->mode[k], s->switching[k]));
    }
    dd_numbers_switching(s->numbers, at->t, at->w, at->wdot, s->switching);
    for (uint32_t k = 0; k < q->switches.len; k++) {
        const dd_switch *r = &q->switches.data[k];
        const bool turns = r->kind == DD_SWITCH_RELATION || (r->kind == DD_SWITCH_SIGN && q->mode[k] != 0);
        const double distance = turns && !r->only_time ? dd_switch_distance(r, q->mode[k], s->switching[k]) : 0;
        most = distance < 0 ? fmax(most, -distance / s->far[k]) : most;
    }
    return most;
}

bool dd_solv_is_beyond_kink(dd_solvability *s, const dd_solv_state *at)
{
    return part_beyond(s, at, at) > 0;
}

bool dd_solv_is_left_before(dd_solvability *s, const dd_singular *found)
{
    const double clearly = 1e-6; /* of the way from the last point to the kink */
    const dd_solv_state *last = dd_solv_last(s);
    double between;
    if (!last || !last->valid) {
        return dd_solv_is_beyond_kink(s, &s->lo);
    }
    if (s->lo.t > s->t[0]) { /* a zero at the kink itself is one */
        return part_beyond(s, &s->lo, last) > clearly;
    }
    /* the branches may be those behind a kink in the step already: then points before it are on none */
    return dd_solv_is_beyond_kink(s, last) ? part_beyond(s, &s->lo, last) > clearly
                                           : dd_solvability_kink_before(s, found, &between);
}

bool dd_solvability_kink_before(dd_solvability *s, const dd_singular *found, double *between)
{
    const dd_solv_state *last = dd_solv_last(s);
    if (!last->valid || !(found->t > last->t) || dd_solv_is_beyond_kink(s, last) ||
        !dd_solv_is_beyond_kink(s, &s->lo)) {
        return false;
    }
    /* bisection: before the kink, beyond it, until it is nearer to the latter than the place is */
    const double least = APART * (found->t - last->t);
    double before = last->t, beyond = fmin(s->lo.t, found->t);
    s->scouted = 0;
    for (int i = 0; i < MOST_HALVINGS && !(beyond - before <= 0.5 * (found->t - beyond)); i++) {
        const double middle = before + 0.5 * (beyond - before);
        if (found->t - middle < least || !dd_solv_walk(s, last, middle)) {
            return false;
        }
        const bool is_beyond = dd_solv_is_beyond_kink(s, &s->there);
        before = is_beyond ? before : middle;
        beyond = is_beyond ? middle : beyond;
    }
    *between = beyond;
    return beyond - before <= 0.5 * (found->t - beyond);
}
