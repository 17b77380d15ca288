/* solvability_order.c - do two branches end at a singular point, or does the one go on?
 *
 * Where unknowns arrive with an infinite slope, z^m = x and falling x, the order m decides: for even m two branches meet
 * and end, for odd m the one goes on. The number d ~ z^(m - 1) says which: mirrored at the place, z* + (z* - z), it has
 * the other sign or the same. */
#include <math.h>

#include "sim/solvability_impl.h"

static const double INFINITE = 0.75; /* an unknown that moves with a smaller power of the distance has no slope there */

/* Does unknown j, an algebraic one or a rate, move with an infinite slope from begin over there to lo? errors: what those
 * of the scout make of it at `there`; at lo, where the number is smaller, they may be anything. */
static bool is_steep(double begin, double there, double lo, double nominal, double ratio, double errors)
{
    const double least = 1e-3; /* of its nominal value: less is no motion */
    const double far = fabs(begin - lo), near = fabs(there - lo);
    return far > least * nominal && far < pow(ratio, INFINITE) * near && !(near <= errors * nominal);
}

void dd_solv_tell_order(dd_solvability *s, dd_singular *found)
{
    const dd_problem *p = &s->numbers->problem;
    const uint32_t k = (uint32_t)(found->item - s->numbers->solvable->items);
    const double ratio = (found->t - s->begin.t) / (found->t - s->there.t);
    bool steep = false;
    dd_solv_values(s, &s->there, s->probe);
    const double errors = dd_solv_other_side(s, k) / fabs(s->probe[k]);
    for (uint32_t j = 0; j < s->n && found->kind != DD_SINGULAR_GROWS; j++) {
        steep =
            steep || (p->differential[j]
                          ? is_steep(s->begin.wdot[j], s->there.wdot[j], s->lo.wdot[j], p->nominal[j], ratio, errors)
                          : is_steep(s->begin.w[j], s->there.w[j], s->lo.w[j], p->nominal[j], ratio, errors));
    }
    if (!steep) {
        return;
    }
    dd_solv_values(s, &s->begin, s->probe);
    const double before = s->probe[k];
    /* the mirror image of begin: states are those of the place */
    for (uint32_t j = 0; j < s->n; j++) {
        s->begin.w[j] = p->differential[j] ? s->lo.w[j] : 2 * s->lo.w[j] - s->begin.w[j];
        s->begin.wdot[j] = 2 * s->lo.wdot[j] - s->begin.wdot[j];
    }
    s->begin.t = found->t;
    dd_solv_values(s, &s->begin, s->probe);
    const double product = before * s->probe[k];
    found->kind = product < 0 ? DD_SINGULAR_ENDS : product > 0 ? DD_SINGULAR_OPEN : found->kind;
    found->steep = true;
}

/* The last accepted point at least this long before a time. */
static const dd_solv_state *accepted_before(const dd_solvability *s, double t, double distance)
{
    const dd_solv_state *found = NULL;
    for (uint32_t i = 0; i < s->kept && s->history[i].t <= t - distance; i++) {
        found = s->history[i].valid ? &s->history[i] : found;
    }
    return found;
}

void dd_solv_tell_order_by_history(dd_solvability *s, dd_singular *found)
{
    const double near = DD_SOLV_NEAR * (found->t - s->mode_start);
    const dd_solv_state *far = accepted_before(s, found->t, near),
                        *nearer = accepted_before(s, found->t, near / DD_SOLV_NEARER);
    if (!far || !nearer || far == nearer || dd_solv_last(s)->t < found->t - 0.1 * near / DD_SOLV_NEARER) {
        return;
    }
    dd_solv_copy(s, &s->begin, far->t, far->w, far->wdot);
    dd_solv_copy(s, &s->there, nearer->t, nearer->w, nearer->wdot);
    dd_solv_tell_order(s, found);
}
