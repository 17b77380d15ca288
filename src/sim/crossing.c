/* crossing.c - the first change of sign of switching functions within a step: g is bracketed on the dense output at
 * a few points, and where a parabola through these says that it passes through zero and back between two of them,
 * and closed in by the Illinois variant of regula falsi. */
#include "sim/crossing.h"

#include <float.h>
#include <math.h>

enum { PROBES = DD_CROSSING_PROBES, MOST_ITERATIONS = 200 };

double dd_switch_distance(const dd_switch *s, double mode, double g)
{
    switch (s->kind) {
    case DD_SWITCH_RELATION:
        return mode == DD_SWITCH_LIVE ? 1.0 : mode > 0 ? g : -g;
    case DD_SWITCH_FLOOR:
        return fmin(g - mode, mode + 1 - g);
    case DD_SWITCH_SIGN:
        return mode == 0 ? g : mode * g; /* 0: g is how strongly it is held */
    default:
        return 1.0; /* never changes by itself */
    }
}

bool dd_switch_changes(const dd_switch *s)
{
    return s->kind != DD_SWITCH_SLOPE && s->kind != DD_SWITCH_MARGIN;
}

static double distance(const dd_crossings *c, uint32_t k, double g)
{
    return dd_switch_distance(&c->list[k], c->mode[k], g);
}

static void probe(dd_crossings *c, double t, double *g)
{
    if (c->rough) {
        c->state(c->user, t);
    } else {
        dd_integ_interpolate(c->integrator, t, c->w, c->wdot);
    }
    c->evaluate(c->user, t, c->w, c->wdot, g);
}

/* The same for switch k as accurately as it can be had: x' and z are solved for where they matter. */
static void probe_solved(dd_crossings *c, uint32_t k, double t)
{
    (c->list[k].implicit ? c->state : c->state_x)(c->user, t);
    c->evaluate(c->user, t, c->w, c->wdot, c->g_probe);
}

/* The change of switch k between a (holds) and b (does not): the first point on b's side. */
static double close_in(dd_crossings *c, uint32_t k, double a, double fa, double b, double fb, bool solved)
{
    double limit = 4 * DBL_EPSILON * fmax(fabs(a), fabs(b));
    /* regula falsi; every fourth step bisects, and so does one that would leave the interval */
    for (int it = 0; it < MOST_ITERATIONS && b - a > limit; it++) {
        double t = it % 4 == 3 ? 0.5 * (a + b) : (a * fb - b * fa) / (fb - fa);
        t = t > a + 0.5 * limit && t < b - 0.5 * limit ? t : 0.5 * (a + b);
        if (solved) {
            probe_solved(c, k, t);
        } else {
            probe(c, t, c->g_probe);
        }
        double f = distance(c, k, c->g_probe[k]);
        /* halving the value of the end that stays makes it move (Illinois) */
        if (f > 0) {
            a = t;
            fa = f;
            fb *= 0.5;
        } else {
            b = t;
            fb = fmin(f, -DBL_MIN);
            fa *= 0.5;
        }
    }
    return b;
}

static double solved_distance(dd_crossings *c, uint32_t k, double t)
{
    probe_solved(c, k, t);
    return distance(c, k, c->g_probe[k]);
}

/* Closes in on the change between a and b; fa > 0 > fb on the dense output. The accurate solution may change a little
 * before or after that: there it is looked for up to the ends of the step. */
static double find_change(dd_crossings *c, uint32_t k, double a, double fa, double b, double fb)
{
    const double from = c->integrator->t_old, to = c->integrator->t;
    double width = b - a;
    /* the accurate values at both ends may have other signs than the polynomial */
    double left = a, right = b, at_left = solved_distance(c, k, a), at_right = solved_distance(c, k, b);
    /* to the left until it holds, then to the right until it does not; ever further, since a and b may be close together */
    while (at_left <= 0 && left > from) {
        right = left;
        at_right = at_left;
        left = fmax(left - width, from);
        at_left = solved_distance(c, k, left);
        width *= 2;
    }
    while (at_left > 0 && at_right >= 0 && right < to) {
        left = right;
        at_left = at_right;
        right = fmin(right + width, to);
        at_right = solved_distance(c, k, right);
        width *= 2;
    }
    if (at_left > 0 && at_right < 0) {
        return close_in(c, k, left, at_left, right, at_right, true);
    }
    return close_in(c, k, a, fa, b, fb, false);
}

/* The same where g begins at zero, as right after its event, and has changed at b: at once, or it left zero for the
 * right side first and came back within a short part of the step. */
static double find_return(dd_crossings *c, uint32_t k, double a, double fa, double b, double fb)
{
    /* g = 0 at a: after its own event */
    const double limit = 4 * DBL_EPSILON * fmax(fabs(a), fabs(b)), nothing = 1e-6;
    double right = b, f_right = fb;
    if (fa < nothing * fb) { /* both are negative: it is on the wrong side from the beginning */
        return a;
    }
    /* from the right towards a by halves, until it is seen on the right side */
    double part = b - a;
    while ((part *= 0.5) > limit) {
        probe(c, a + part, c->g_probe);
        const double f = distance(c, k, c->g_probe[k]);
        if (f > 0) {
            return find_change(c, k, a + part, f, right, f_right);
        }
        right = a + part;
        f_right = fmin(f, -DBL_MIN);
    }
    return a;
}

/* ---- between the probes ---- */

typedef struct dip { /* three points of a distance, in the order of time */
    double t[3], f[3];
} dip;

/* Time and value of the extremum of the parabola through them; false when it is no minimum. */
static bool lowest_point(const dip *d, double *t, double *f)
{
    /* slope and curvature at the middle point */
    const double a = d->t[0] - d->t[1], b = d->t[2] - d->t[1];
    const double left = (d->f[0] - d->f[1]) / a, right = (d->f[2] - d->f[1]) / b;
    const double curvature = (right - left) / (b - a), slope = left - curvature * a;
    if (!(curvature > 0)) {
        return false;
    }
    const double step = -0.5 * slope / curvature;
    *t = d->t[1] + step;
    *f = d->f[1] + 0.5 * slope * step;
    return true;
}

/* Does the distance of switch k pass below zero and come back between two probes, a and b? A parabola through three
 * of them says where to look; the lowest point is looked for while it promises less than a part of what is seen.
 * True: it is negative at *t. */
static bool dips_between(dd_crossings *c, uint32_t k, dip d, double a, double b, double *t, double *f)
{
    enum { LOOKS = 6 };
    const double part = 0.25;
    for (int look = 0; look < LOOKS; look++) {
        double expected;
        /* worth a look only where the parabola promises much less than what was seen */
        const double seen = fmin(d.f[0], fmin(d.f[1], d.f[2]));
        if (!lowest_point(&d, t, &expected) || !(*t > a && *t < b) || expected > part * seen) {
            return false;
        }
        probe(c, *t, c->g_probe);
        *f = distance(c, k, c->g_probe[k]);
        if (*f < 0) {
            return true;
        }
        /* the lowest point becomes the middle */
        const int out = *t < d.t[1] ? 2 : 0; /* the neighbours of the new point stay */
        if (*t == d.t[1] || !(*f < d.f[1])) {
            return false;
        }
        d.t[out] = d.t[1];
        d.f[out] = d.f[1];
        d.t[1] = *t;
        d.f[1] = *f;
    }
    return false;
}

/* ---- the first change within a step ---- */

typedef struct probes {
    double t[PROBES + 2];
    const double *g; /* of all switches, probe after probe */
} probes;

static double seen_distance(const dd_crossings *c, const probes *p, uint32_t i, uint32_t k)
{
    return distance(c, k, p->g[(size_t)i * c->count + k]);
}

static dip three_points(const dd_crossings *c, const probes *p, uint32_t first, uint32_t k)
{
    dip d;
    for (uint32_t i = 0; i < 3; i++) {
        d.t[i] = p->t[first + i];
        d.f[i] = seen_distance(c, p, first + i, k);
    }
    return d;
}

/* Within a given step, which has no tolerance, after its own event: the end is where the method is accurate. A line that a parabola
 * leaves upwards is above it first, and both values would lead back for ever. */
static bool settles_behind(const dd_crossings *c, const probes *p, uint32_t i, uint32_t k, double before)
{
    const double nothing = 1e-6, last = seen_distance(c, p, PROBES + 1, k);
    return last > 0 && (i == 0 || before <= 0) && seen_distance(c, p, 0, k) <= nothing * last;
}

/* The change of switch k between the probes i and i + 1. */
static bool change_between(dd_crossings *c, const probes *p, uint32_t i, uint32_t k, double *at)
{
    const double a = p->t[i], b = p->t[i + 1], nothing = 1e-6;
    const double before = seen_distance(c, p, i, k), now = seen_distance(c, p, i + 1, k);
    /* moments of time alone are bounds of steps, not crossings */
    if (c->list[k].only_time || isnan(now) || (c->ignored && c->ignored[k])) {
        return false;
    }
    /* it has changed at the second probe */
    if (now < 0) {
        if (c->given && settles_behind(c, p, i, k, before)) {
            return false;
        }
        *at = before > 0 ? find_change(c, k, a, before, b, now) : find_return(c, k, a, before, b, now);
        return true;
    }
    if (!(before > nothing * now)) { /* it comes from its own event */
        return false;
    }
    /* or it has changed and come back between the probes, as a parabola through three of them may show */
    double t, f;
    for (uint32_t first = i > 0 ? i - 1 : 0; first <= i && first + 2 <= PROBES + 1; first++) {
        if (dips_between(c, k, three_points(c, p, first, k), a, b, &t, &f)) {
            *at = find_change(c, k, a, before, t, f);
            return true;
        }
    }
    return false;
}

/* The first change between neighbouring probes. */
static bool first_of(dd_crossings *c, const probes *p, double *at, uint32_t *which)
{
    *which = DD_NO_INDEX;
    for (uint32_t i = 0; i <= PROBES && *which == DD_NO_INDEX; i++) {
        for (uint32_t k = 0; k < c->count; k++) {
            double found;
            if (change_between(c, p, i, k, &found) && (*which == DD_NO_INDEX || found < *at)) {
                *at = found;
                *which = k;
            }
        }
    }
    return *which != DD_NO_INDEX;
}

static probes probe_all(dd_crossings *c, double from, double until, double *g, bool seen)
{
    probes p = {.g = g};
    for (uint32_t i = 0; i <= PROBES + 1; i++) {
        p.t[i] = i == PROBES + 1 ? until : from + i * ((until - from) / (PROBES + 1));
        if (!seen) {
            probe(c, p.t[i], g + (size_t)i * c->count);
        }
    }
    return p;
}

/* ---- between probes that do not show what is between them ---- */

/* Fourth differences of samples of sin(w t) are those at the samples, times (2 sin(w d/2))^4 for a distance d: more than ROUGH of
 * the largest from w d = 1/2 on. Then parabolas say nothing, and what is nearer to zero than that may have been there. */
static bool is_rough(const dd_crossings *c, const probes *p, uint32_t k)
{
    enum { LAST = PROBES + 1 };
    const double rough = 0.05;
    double f[LAST + 1], most = -INFINITY, least = INFINITY, fourth = 0;
    if (c->list[k].only_time || (c->ignored && c->ignored[k])) {
        return false;
    }
    const bool plain = c->list[k].kind == DD_SWITCH_RELATION && c->mode[k] != DD_SWITCH_LIVE; /* nearly all are */
    const double sign = c->mode[k] > 0 ? 1 : -1;
    for (uint32_t i = 0; i <= LAST; i++) {
        f[i] = plain ? sign * p->g[(size_t)i * c->count + k] : seen_distance(c, p, i, k);
        most = f[i] > most ? f[i] : most;
        least = i > 0 && f[i] < least ? f[i] : least; /* at the first it may come from its own event */
    }
    if (least > 8 * (most - fmin(least, f[0]))) { /* they are at most 8 times the range */
        return false;
    }
    for (uint32_t i = 4; i <= LAST; i++) {
        fourth = fmax(fourth, fabs(f[i] - 4 * f[i - 1] + 6 * f[i - 2] - 4 * f[i - 3] + f[i - 4]));
    }
    return fourth > rough * fmax(most, -least) && fourth > least;
}

static bool any_is_rough(const dd_crossings *c, const probes *p)
{
    for (uint32_t k = 0; k < c->count; k++) {
        if (is_rough(c, p, k)) {
            return true;
        }
    }
    return false;
}

/* All probes of a step may meet the same phase of what repeats: is one between them, x in distances of probes from 1 to 4, off the
 * cubic through its neighbours? */
static bool is_off_at(dd_crossings *c, const probes *p, double x)
{
    const double rough = 0.05, enough = 4, *t = p->t;
    double weight[4];
    for (int i = 0; i < 4; i++) { /* Lagrange, at 1, 2, 3, 4 */
        weight[i] = 1;
        for (int j = 0; j < 4; j++) {
            weight[i] *= j == i ? 1 : (x - (j + 1)) / (i - j);
        }
    }
    probe(c, t[0] + x / (PROBES + 1) * (t[PROBES + 1] - t[0]), c->g_part);
    for (uint32_t k = 0; k < c->count; k++) {
        double off = distance(c, k, c->g_part[k]), most = 0, least = INFINITY;
        for (uint32_t i = 1; i <= 4; i++) {
            const double f = seen_distance(c, p, i, k);
            off -= weight[i - 1] * f;
            most = fmax(most, fabs(f));
            least = fmin(least, f);
        }
        const bool looked_for = !c->list[k].only_time && !(c->ignored && c->ignored[k]);
        if (looked_for && fabs(off) > rough * most && enough * fabs(off) > least) {
            return true;
        }
    }
    return false;
}

/* Two of them: one may meet the other phase with the same value. */
static bool is_off_between(dd_crossings *c, const probes *p)
{
    return is_off_at(c, p, 2.382) || is_off_at(c, p, 2.786);
}

/* The first change between from and until, by parts that are cut until their probes show what is between them. Cut
 * unevenly: equal distances may meet the same phase of what repeats. For the same reason a part that looks smooth is cut once
 * more where the one before it, or around it, was rough. */
static bool first_by_parts(dd_crossings *c, double from, double until, double *at, uint32_t *which)
{
    enum { DEEPEST = 12, MOST_PARTS = 4000 };
    const double uneven = 0.382;
    double end[DEEPEST + 1] = {until};
    bool doubted[DEEPEST + 1] = {true};
    int depth = 0;
    for (int parts = 0; depth >= 0 && parts < MOST_PARTS; parts++) {
        const probes p = probe_all(c, from, end[depth], c->g_part, false);
        const bool rough = depth < DEEPEST && any_is_rough(c, &p);
        if (rough || (depth < DEEPEST && doubted[depth])) {
            doubted[depth] = rough;
            if (rough && depth > 0) {
                doubted[depth - 1] = true;
            }
            end[depth + 1] = from + uneven * (end[depth] - from);
            doubted[++depth] = rough;
        } else if (first_of(c, &p, at, which)) {
            return true;
        } else {
            from = end[depth--];
        }
    }
    return false;
}

bool dd_crossings_first(dd_crossings *c, double from, double until, double *at, uint32_t *which)
{
    if (c->count == 0 || !(until > from)) {
        return false;
    }
    const probes p = probe_all(c, from, until, c->g_seen, c->seen);
    const bool by_parts = !c->rough && (until - from > c->long_step || any_is_rough(c, &p) ||
                                        (c->grown && !c->seen && is_off_between(c, &p)));
    return (by_parts && first_by_parts(c, from, until, at, which)) || first_of(c, &p, at, which);
}
