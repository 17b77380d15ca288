/* solvability_order.c - do two branches end at a singular point, or does the one go on?
 *
 * Where unknowns arrive with an infinite slope, z^m = x and falling x, the order m decides: for even m two branches meet
 * and end, for odd m the one goes on. The number d ~ z^(m - 1) says which: mirrored at the place, z* + (z* - z), it has
 * the other sign or the same. */
#include <math.h>

#include "sim/solvability_impl.h"

static const double INFINITE = 0.75; /* an unknown that moves with a smaller power of the distance has no slope there */

static const double DEPENDS =
    0.3; /* of its value: a number that is smaller on the other side does not depend on its unknowns */

/* An unknown, an algebraic one or a rate, at three points at these distances before the place. Next to the place itself
 * it may be anything: there it is a quotient of errors. */
typedef struct approach {
    double z[3], distance[3]; /* the farthest first */
} approach;

static approach approach_of(const dd_solvability *s, uint32_t j, double place)
{
    const dd_solv_state *const at[] = {&s->begin, &s->there, &s->nearest};
    approach a;
    for (int i = 0; i < 3; i++) {
        a.z[i] = s->numbers->problem.differential[j] ? at[i]->wdot[j] : at[i]->w[j];
        a.distance[i] = place - at[i]->t;
    }
    return a;
}

/* z = z* + c distance^q: the quotient of its two differences, which grows with q. */
static double quotient(const approach *a, double q)
{
    const double middle = pow(a->distance[1], q);
    return (pow(a->distance[0], q) - middle) / (middle - pow(a->distance[2], q));
}

/* q, at least nearly 0 and at most 4. */
static double power_of_approach(const approach *a)
{
    const double measured = (a->z[0] - a->z[1]) / (a->z[1] - a->z[2]);
    double low = 0.01, high = 4;
    while (high - low > 1e-3) {
        const double middle = 0.5 * (low + high);
        *(quotient(a, middle) < measured ? &low : &high) = middle;
    }
    return low;
}

typedef enum answer { NO, UNKNOWN, YES } answer;

/* Is q so small that the slope is infinite? errors: what those of the scout make of the nearest value, relative to the
 * nominal one. */
static answer is_steep(const approach *a, double nominal, double errors)
{
    const double least = 1e-6; /* of its nominal value: less is no motion */
    const double noise = errors * nominal, first = fabs(a->z[1] - a->z[0]), second = fabs(a->z[2] - a->z[1]);
    if (first + second <= least * nominal) {
        return NO;
    }
    if (second > noise && (a->z[1] - a->z[0]) * (a->z[2] - a->z[1]) > 0) {
        return power_of_approach(a) < INFINITE ? YES : NO;
    }
    return first > quotient(a, INFINITE) * fmax(second, noise) ? NO : UNKNOWN;
}

/* z* */
static double limit_of(const approach *a)
{
    const double first = a->z[1] - a->z[0], second = a->z[2] - a->z[1];
    if (!(first * second > 0)) {
        return a->z[2];
    }
    const double q = power_of_approach(a), near = pow(a->distance[2], q);
    return a->z[2] - (a->z[1] - a->z[2]) / (pow(a->distance[1], q) - near) * near;
}

/* The number k at a point by the relations that hold at it: the solution may pass a kink (z |z| = x at x = 0), and what the
 * branch before it is beyond is no part of the equations. */
static double value_behind_kinks(dd_solvability *s, uint32_t k, const dd_solv_state *at)
{
    dd_numbers *q = s->numbers;
    for (uint32_t i = 0; i < q->switches.len; i++) {
        s->modes[i] = q->mode[i];
    }
    dd_numbers_switching(q, at->t, at->w, at->wdot, s->switching);
    for (uint32_t i = 0; i < q->switches.len; i++) {
        const dd_switch *r = &q->switches.data[i];
        const bool is_free = r->kind == DD_SWITCH_RELATION || (r->kind == DD_SWITCH_SIGN && s->modes[i] != 0);
        if (is_free && !r->only_time && s->modes[i] != DD_SWITCH_LIVE) {
            dd_numbers_freeze(q, i, dd_switch_mode(r, s->switching[i]));
        }
    }
    dd_solv_values(s, at, s->probe);
    for (uint32_t i = 0; i < q->switches.len; i++) {
        dd_numbers_freeze(q, i, s->modes[i]);
    }
    return s->probe[k];
}

/* The number k at the mirror image of the far point: its unknowns on the other side of their limits, states as at the
 * place. Spoils there. */
static double mirrored(dd_solvability *s, uint32_t k, double place)
{
    const uint8_t *differential = s->numbers->problem.differential;
    for (uint32_t j = 0; j < s->n; j++) {
        const approach a = approach_of(s, j, place);
        const double other = 2 * limit_of(&a) - a.z[0];
        s->there.w[j] = differential[j] ? s->lo.w[j] : other;
        s->there.wdot[j] = differential[j] ? other : 0.0;
    }
    s->there.t = place;
    return value_behind_kinks(s, k, &s->there);
}

/* Does any unknown arrive with an infinite slope? */
static answer any_steep(dd_solvability *s, uint32_t k, double place)
{
    dd_solv_values(s, &s->nearest, s->probe);
    const double errors = dd_solv_other_side(s, k) / fabs(s->probe[k]);
    answer any = NO;
    for (uint32_t j = 0; j < s->n; j++) {
        const approach a = approach_of(s, j, place);
        const answer here = is_steep(&a, s->numbers->problem.nominal[j], errors);
        any = here > any ? here : any;
    }
    return any;
}

void dd_solv_tell_order(dd_solvability *s, dd_singular *found)
{
    const uint32_t k = (uint32_t)(found->item - s->numbers->solvable->items);
    if (found->kind == DD_SINGULAR_GROWS) {
        return;
    }
    const answer steep = any_steep(s, k, found->t);
    dd_solv_values(s, &s->begin, s->probe);
    const double before = s->probe[k], other = mirrored(s, k, found->t);
    /* d u = b with a d that does not contain u has no second branch that could meet this one */
    if (steep == NO || fabs(other) <= DEPENDS * fabs(before)) {
        found->kind = DD_SINGULAR_OPEN;
    } else if (steep == YES) {
        found->kind = before * other < 0 ? DD_SINGULAR_ENDS : DD_SINGULAR_OPEN;
        found->steep = true;
    }
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
    const double nearer = 16; /* the history keeps points whose distances fall by 4 and more */
    dd_solv_state *const to[] = {&s->begin, &s->there, &s->nearest};
    const dd_solv_state *before = NULL;
    double near = DD_SOLV_NEAR * (found->t - s->mode_start);
    /* three points, each nearer than the one before */
    for (int i = 0; i < 3; i++, near /= nearer) {
        const dd_solv_state *at = accepted_before(s, found->t, near);
        if (!at || at == before) {
            return;
        }
        dd_solv_copy(s, to[i], at->t, at->w, at->wdot);
        before = at;
    }
    dd_solv_tell_order(s, found);
}

bool dd_solv_turns_above_zero(const dd_solvability *s, uint32_t k)
{
    const double little = 3, risen = 10, stays = 0.5;
    const double *v = s->records.value + k, *t = s->records.t;
    const uint32_t count = s->records.count, apart = s->count;
    uint32_t m = 0;
    /* the lowest value, and the bottom of the parabola through it and its neighbours */
    for (uint32_t i = 1; i < count; i++) {
        m = fabs(v[(size_t)i * apart]) < fabs(v[(size_t)m * apart]) ? i : m;
    }
    if (m == 0 || m + 1 >= count) {
        return false;
    }
    const double lowest = v[(size_t)m * apart];
    const double a = t[m - 1] - t[m], b = t[m + 1] - t[m];
    const double left = (v[(size_t)(m - 1) * apart] - lowest) / a, right = (v[(size_t)(m + 1) * apart] - lowest) / b;
    const double curvature = (right - left) / (b - a), slope = left - curvature * a;
    if (!((lowest - 0.25 * slope * slope / curvature) / lowest > stays)) {
        return false;
    }
    /* on both sides it rises far, in small steps */
    uint32_t up = m, down = m;
    double change = 1;
    for (; up + 1 < count && change < little && v[(size_t)up * apart] / lowest < risen; up++) {
        change = fabs(v[(size_t)(up + 1) * apart] / v[(size_t)up * apart]);
    }
    for (; down > 0 && change < little && v[(size_t)down * apart] / lowest < risen; down--) {
        change = fabs(v[(size_t)(down - 1) * apart] / v[(size_t)down * apart]);
    }
    return change < little && v[(size_t)up * apart] / lowest >= risen && v[(size_t)down * apart] / lowest >= risen;
}
