/* solvability_locate.c - closing in on a suspicious place with a separate integrator, the scout, and the verdict.
 *
 * Bisection: from the last good point the scout goes half of the way that is left. Where it arrives with the old
 * sign, the good point moves there; where it does not, the end does. Recorded are values at distances from the place
 * that fall geometrically: d(t* - delta) ~ delta^p with p > 0 for a zero, p < 0 for a pole, p = 0 for a jump or a
 * factor that fades. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "integ/radau.h"
#include "sim/solvability_impl.h"

enum {
    MOST_HALVINGS = 120,
    MOST_STEPS = 200,    /* of the scout on one half, */
    MOST_LOST = 8,       /* times in a row that no step leads on, */
    MOST_SCOUTED = 5000, /* and for one suspicion */
    DECADES = 4          /* of distance over which the power is taken */
};
static const double TIGHTEST = 1e-9; /* tolerance of the scout, where the run's own is not smaller */
static const double FLAT = 0.1;   /* smaller powers are treated as zero: those of real singularities are 1/3 or more */
static const double SMOOTH = 1.2; /* z^m = x has the number z^(m - 1), with a power below 1 */
static const double AHEAD = 1e-9; /* of the way: how near a point is taken to a place behind which there is noise */
static const double ERRORS = 10, LEAST_ERRORS = 1e-7; /* of a solution, in tolerances, and at least */
static const double ROUNDING = 1e-11; /* relative to the largest value seen: below it there is only noise */

/* ---- the scout ---- */

double dd_solv_scout_tolerance(const dd_solvability *s)
{
    return fmin(dd_sim_tolerance(s->sim), TIGHTEST);
}

bool dd_solv_make_scout(dd_solvability *s)
{
    if (s->scout) {
        return true;
    }
    const double tol = dd_solv_scout_tolerance(s);
    for (uint32_t j = 0; j < s->n; j++) {
        s->atol[j] = tol * s->numbers->problem.nominal[j];
    }
    const dd_integ_options o = {.rtol = tol, .atol = s->atol, .project = true};
    s->failed = dd_radau_new(&s->scout, s->ctx, &s->numbers->problem, &o) != DD_OK;
    return !s->failed;
}

void dd_solv_send(dd_solvability *s, const dd_solv_state *from, double h)
{
    if (s->own && from != &s->start) { /* x' and z may be rough */
        dd_solv_copy(s, &s->start, from->t, from->w, from->wdot);
        dd_slopes_solve(s->slopes, from->t, s->start.w, s->start.wdot);
        from = &s->start;
    }
    dd_integ_start(s->scout, from->t, from->w, from->wdot);
    s->scout->h = h;
}

bool dd_solv_step(dd_solvability *s, double bound)
{
    enum { POLL = 16 };
    /* a suspicion costs a bounded number of steps */
    s->scouted_in_run++;
    if (++s->scouted > MOST_SCOUTED || (s->scouted % POLL == 0 && dd_poll_stop(s->ctx) != DD_OK)) {
        return false;
    }
    return dd_integ_step(s->scout, bound) == DD_STEP_OK;
}

/* The scout's point. */
static void take_scout(dd_solvability *s, dd_solv_state *out)
{
    dd_solv_copy(s, out, s->scout->t, s->scout->w, s->scout->wdot);
}

/* ---- the verdict ---- */

typedef struct fall { /* |d| over distance, both as logarithms, the nearest first */
    uint32_t count;
    double x[DD_SOLVABILITY_RECORDS], y[DD_SOLVABILITY_RECORDS];
} fall;

/* Sorted by distance. */
static void insert(fall *f, double x, double y)
{
    uint32_t at = f->count++;
    for (; at > 0 && f->x[at - 1] > x; at--) {
        f->x[at] = f->x[at - 1];
        f->y[at] = f->y[at - 1];
    }
    f->x[at] = x;
    f->y[at] = y;
}

static void add_point(fall *f, double distance, double value)
{
    if (distance > 0 && fabs(value) > 0) {
        insert(f, log10(distance), log10(fabs(value)));
    }
}

/* The records of item k further away than `nearest`; of: values or sizes. */
static void add_points(const dd_solvability *s, const double *of, uint32_t k, double place, double nearest, fall *f)
{
    for (uint32_t i = 0; i < s->records.count; i++) {
        if (place - s->records.t[i] > nearest) {
            add_point(f, place - s->records.t[i], of[(size_t)i * s->count + k]);
        }
    }
}

/* y at x, linear between points. */
static double at_distance(const fall *f, double x)
{
    uint32_t i = 0;
    while (i + 2 < f->count && f->x[i + 1] < x) {
        i++;
    }
    const double width = f->x[i + 1] - f->x[i];
    return width > 0 ? f->y[i] + (f->y[i + 1] - f->y[i]) * (x - f->x[i]) / width : f->y[i];
}

typedef struct range { /* powers over single decades, and over all */
    double least, most, mean;
} range;

/* The power with which d falls over the decades next to the place; NaN where there are not enough points. floor: values
 * below it are noise. */
static range power_of(const fall *f, double floor, double decades)
{
    const range unknown = {NAN, NAN, NAN};
    uint32_t first = 0;
    /* the nearest points below the floor are noise */
    while (first < f->count && !(f->y[first] > floor)) {
        first++;
    }
    if (first + 2 > f->count) {
        return unknown;
    }
    /* at least two decades are needed for a power */
    const double begin = f->x[first], end = fmin(begin + decades, f->x[f->count - 1]);
    if (end - begin < 2) {
        return unknown;
    }
    range r = {.least = INFINITY, .most = -INFINITY};
    /* slopes of the log-log line, decade by decade */
    for (double x = begin; x + 1 <= end; x += 1) {
        const double power = at_distance(f, x + 1) - at_distance(f, x);
        r.least = fmin(r.least, power);
        r.most = fmax(r.most, power);
    }
    r.mean = (at_distance(f, end) - at_distance(f, begin)) / (end - begin);
    return r;
}

static double highest(const fall *f)
{
    double most = -INFINITY;
    for (uint32_t i = 0; i < f->count; i++) {
        most = fmax(most, f->y[i]);
    }
    return most;
}

double dd_solv_other_side(const dd_solvability *s, uint32_t k)
{
    return ERRORS * dd_solv_scout_tolerance(s) * s->peak[k];
}

/* How the unknowns of item k behave towards the place: do they grow without bound? */
bool dd_solv_unknowns_grow(const dd_solvability *s, uint32_t k, double place, double nearest)
{
    fall f = {0};
    /* errors of the solution over a number that vanishes grow too: what number and unknown make together, the other side of
     * the equation, must be more than they are */
    const double noise = fmax(ERRORS * dd_sim_tolerance(s->sim), LEAST_ERRORS) * s->peak[k];
    for (uint32_t i = 0; i < s->records.count; i++) {
        const size_t at = (size_t)i * s->count + k;
        const double distance = place - s->records.t[i];
        if (distance > nearest && fabs(s->records.value[at]) * s->records.size[at] > noise) {
            add_point(&f, distance, s->records.size[at]);
        }
    }
    for (uint32_t i = 0; i < f.count; i++) {
        f.y[i] = fmax(f.y[i], 0); /* below its nominal size nothing is large */
    }
    /* a negative power of the distance is growth without bound */
    const double power = power_of(&f, -INFINITY, DECADES).mean;
    /* points too close together for a power: what has grown a hundredfold is treated as growing */
    return isnan(power) ? f.count > 1 && f.y[0] > f.y[f.count - 1] + 2 : power < -FLAT;
}

/* Does item k tend to zero at `place`, known to within `width`? The power in *power. What the scout's own errors can make
 * of it shows no power: a state that decays changes its sign where it drowns in them. */
static bool tends_to_zero(dd_solvability *s, uint32_t k, double place, double width, double floor, double *power)
{
    fall f = {0};
    /* closer to the place than its own uncertainty no distance means anything */
    const double nearest = fmax(4 * width, 64 * DBL_EPSILON * fabs(place));
    add_points(s, s->records.value, k, place, nearest, &f);
    const double least = fmax(30 * floor, DD_SOLV_ABOVE * dd_solv_noise(s, k, &s->lo, dd_solv_scout_tolerance(s), 0));
    const double noise = fmax(highest(&f) + log10(ROUNDING), least > 0 ? log10(least) : -INFINITY);
    const range r = power_of(&f, noise, DECADES);
    *power = r.most; /* where the scout stops short of the place, the last decade is too flat */
    return r.mean > FLAT && r.least > 0.2 * FLAT;
}

/* A number that vanishes only because a state that it depends on grows without bound, exp(-x) x' = 1 or x'/x = x, is
 * not to blame: the solution ends, and no equation is singular at any of its points. Towards a singular point states
 * have limits: from one decade of the number to the next they move by less and less. Here they move by as much, or
 * more. */
static bool runs_away(dd_solvability *s, uint32_t k, const dd_solv_state *at)
{
    const double less = 0.7, least = 1e-2; /* of the decade before; of the nominal value */
    fall f = {0};
    for (uint32_t i = 0; i < s->records.count; i++) {
        const double value = fabs(s->records.value[(size_t)i * s->count + k]);
        if (value > 0) {
            insert(&f, log10(value), s->records.reach[(size_t)i * s->count + k]);
        }
    }
    /* the last decades, the lowest first: each must move the state as much as the one before */
    const double begin = f.count > 1 ? f.x[0] : 0, end = f.count > 1 ? f.x[f.count - 1] : 0;
    bool grows = end - begin >= 3;
    for (double x = begin; grows && x + 2 <= fmin(end, begin + DECADES); x += 1) {
        const double here = at_distance(&f, x) - at_distance(&f, x + 1);
        const double before = at_distance(&f, x + 1) - at_distance(&f, x + 2);
        grows = here > least && here > less * before;
    }
    return grows && dd_solv_depends_on_own(s, k, at);
}

/* The kind as far as the way to the place tells it. */
static dd_singular_kind kind_of(const dd_solvability *s, uint32_t k, double place, double nearest, double power)
{
    if (dd_solv_unknowns_grow(s, k, place, nearest)) {
        return DD_SINGULAR_GROWS;
    }
    return power < SMOOTH ? DD_SINGULAR_ROOT : DD_SINGULAR_OPEN;
}

/* The item that falls, among all or k alone. */
static bool judge(dd_solvability *s, uint32_t k, double place, double width, double floor, dd_singular *found)
{
    double best = 0;
    /* the item with the highest power is the one that vanishes first */
    for (uint32_t i = k == DD_NO_INDEX ? 0 : k; i < (k == DD_NO_INDEX ? s->count : k + 1); i++) {
        double power;
        if (tends_to_zero(s, i, place, width, floor, &power) && power > best && !runs_away(s, i, &s->lo)) {
            best = power;
            found->item = &s->numbers->solvable->items[i];
            found->t = place;
            found->steep = false;
            found->kind = kind_of(s, i, place, fmax(4 * width, 64 * DBL_EPSILON * fabs(place)), power);
        }
    }
    return best > 0;
}

/* ---- by the way so far ---- */

/* Are there points in each decade next to the place? A single large step says nothing. */
static bool covers(const fall *f, double decades)
{
    uint32_t i = 0;
    /* a gap of more than a decade between points ends the way */
    while (i + 1 < f->count && f->x[i + 1] - f->x[i] <= 1) {
        i++;
    }
    return f->count > 0 && f->x[i] - f->x[0] >= decades;
}

/* Do the records fall with power p? The place that this would mean is ahead: |d|^(1/p) is a line. */
static bool falls_with(const dd_solvability *s, uint32_t k, double p, double way, double *place)
{
    enum { WAY = 8 }; /* decades that are looked at */
    const uint32_t last = s->records.count - 1;
    const double *v = s->records.value, *t = s->records.t;
    /* |d|^(1/p) falls linearly: the line through the last point and one four times as high names the place */
    const double now = fabs(v[(size_t)last * s->count + k]);
    uint32_t b = last;
    while (b > 0 && !(fabs(v[(size_t)b * s->count + k]) >= 4 * now)) {
        b--;
    }
    const double u = pow(now, 1 / p), before = pow(fabs(v[(size_t)b * s->count + k]), 1 / p);
    if (!(before > u)) {
        return false;
    }
    *place = t[last] + u * (t[last] - t[b]) / (before - u);
    fall f = {0};
    add_points(s, v, k, *place, 0, &f);
    const range r = power_of(&f, -INFINITY, WAY);
    /* then the power at that place must be p indeed, on every decade of the way */
    return covers(&f, way) && r.least > 0.6 * p && r.most < 1.5 * p;
}

/* Leaves the last records of item k out while they are small: near a corner, z^2 = x^2, they are what Newton's method
 * leaves of z, and no power fits them. True: there were some. */
static bool drop_bottom(dd_solvability *s, uint32_t k)
{
    const double small = 1e-6; /* of the largest: above the root of rounding */
    const uint32_t before = s->records.count;
    double most = 0;
    for (uint32_t i = 0; i < before; i++) {
        most = fmax(most, fabs(s->records.value[(size_t)i * s->count + k]));
    }
    while (s->records.count > 0 &&
           fabs(s->records.value[(size_t)(s->records.count - 1) * s->count + k]) < small * most) {
        s->records.count--;
    }
    return s->records.count < before;
}

/* By the records: which power, and where is the place? */
static bool falls_to_zero(dd_solvability *s, uint32_t k, double way, double reach, dd_singular *found)
{
    static const double powers[] = {2, 4, 1, 0.5};
    /* double zeros first (minima), then simple ones and roots */
    for (size_t i = 0; i < sizeof powers / sizeof *powers && s->records.count > 1; i++) {
        double place;
        const dd_solv_state *last = dd_solv_last(s);
        if (falls_with(s, k, powers[i], way, &place) && place - last->t <= reach && !runs_away(s, k, last)) {
            const double nearest = 1e-3 * (place - s->mode_start); /* nearer is noise */
            *found = (dd_singular){
                .t = place, .kind = kind_of(s, k, place, nearest, powers[i]), .item = &s->numbers->solvable->items[k]};
            /* the state at the place, continued by its rates */
            dd_solv_copy(s, &s->lo, place, last->w, last->wdot);
            for (uint32_t j = 0; j < s->numbers->equations->x.len; j++) {
                s->lo.w[j] += (place - last->t) * last->wdot[j]; /* a short way */
            }
            dd_solv_tell_order_by_history(s, found);
            return true;
        }
    }
    return false;
}

bool dd_solv_approaches(dd_solvability *s, uint32_t k, double way, double reach, dd_singular *found)
{
    /* values along the points that were kept */
    s->records.count = 0;
    for (uint32_t i = 0; i < s->kept; i++) {
        if (s->history[i].valid) {
            dd_solv_values(s, &s->history[i], s->probe);
            dd_solv_record(s, &s->history[i], s->probe);
        }
    }
    return falls_to_zero(s, k, way, reach, found) || (drop_bottom(s, k) && falls_to_zero(s, k, way, reach, found));
}

/* ---- the last point ---- */

bool dd_solv_walk(dd_solvability *s, const dd_solv_state *from, double t)
{
    dd_solv_send(s, from, t - from->t);
    for (int i = 0; i < MOST_STEPS && s->scout->t < t; i++) {
        if (!dd_solv_step(s, t)) {
            return false;
        }
    }
    take_scout(s, &s->there);
    return s->scout->t >= t;
}

/* Walks to three points before the place, begin, there and nearest; false when the scout does not get there. */
static bool walk_near(dd_solvability *s, const dd_solv_state *from, const dd_singular *found)
{
    const double near = DD_SOLV_NEAR * (found->t - from->t);
    dd_solv_copy(s, &s->begin, from->t, from->w, from->wdot);
    if (!dd_solv_walk(s, &s->begin, found->t - near)) {
        return false;
    }
    dd_solv_copy(s, &s->begin, s->there.t, s->there.w, s->there.wdot);
    if (!dd_solv_walk(s, &s->begin, found->t - near / DD_SOLV_NEARER)) {
        return false;
    }
    dd_solv_copy(s, &s->nearest, s->there.t, s->there.w, s->there.wdot);
    const bool arrives = dd_solv_walk(s, &s->nearest, found->t - near / (DD_SOLV_NEARER * DD_SOLV_NEARER));
    /* the walk ends in `there`, which is the nearest point: the two change places */
    const dd_solv_state middle = s->nearest;
    s->nearest = s->there;
    s->there = middle;
    return arrives;
}

/* Where the solution goes on by continuity, x' and z at the place are 0/0: their limits follow from points before
 * it, by a line through two of them. x is that of the nearer one, or of the place itself where the scout arrives
 * there. */
static void settle_point(dd_solvability *s, const dd_solv_state *from, const dd_singular *found)
{
    const double span = found->t - from->t, near = 0.01 * span;
    const uint8_t *differential = s->numbers->problem.differential;
    /* two points before the place, at one and two percent of the way */
    dd_solv_copy(s, &s->begin, from->t, from->w, from->wdot);
    if (found->kind != DD_SINGULAR_OPEN || found->steep || !dd_solv_walk(s, &s->begin, found->t - 2 * near)) {
        return;
    }
    dd_solv_copy(s, &s->lo, found->t, s->there.w, s->there.wdot);
    if (!dd_solv_walk(s, &s->begin, found->t - near)) {
        return;
    }
    /* extrapolated linearly: 2 near - far */
    for (uint32_t j = 0; j < s->n; j++) {
        s->lo.w[j] = 2 * s->there.w[j] - s->lo.w[j];
        s->lo.wdot[j] = 2 * s->there.wdot[j] - s->lo.wdot[j];
    }
    const bool arrives = dd_solv_walk(s, &s->begin, found->t);
    for (uint32_t j = 0; j < s->n && arrives; j++) {
        s->lo.w[j] = differential[j] ? s->there.w[j] : s->lo.w[j];
    }
}

/* Records up to the first one at which item k has fallen below this part of its highest value; all of them if none. */
static uint32_t records_down_to(const dd_solvability *s, uint32_t k, double part)
{
    double most = 0;
    for (uint32_t i = 0; i < s->records.count; i++) {
        const double value = fabs(s->records.value[(size_t)i * s->count + k]);
        if (value < part * most) {
            return i + 1;
        }
        most = fmax(most, value);
    }
    return s->records.count;
}

/* The scout may stop short of the place, where all is inaccurate: is there one ahead of its records, before hi? Or it
 * stays there: beside a root of the distance, x x' = -1, an error of x^2 of the size of the tolerance is one of its root
 * in x, and steps from noise to noise lead past the end of the solution. Then the way down to that noise decides. */
static bool judge_ahead(dd_solvability *s, uint32_t k, double hi, dd_singular *found)
{
    static const double powers[] = {1, 2, 0.5, 4}, down_to[] = {0, 1e-6, 1e-5, 1e-4, 1e-3};
    const double way = 2, beside = 1e-6; /* of the way: how well the place is known */
    const uint32_t all = s->records.count;
    const double end = all > 0 ? hi + beside * (hi - s->records.t[0]) : hi;
    for (uint32_t i = k == DD_NO_INDEX ? 0 : k; i < (k == DD_NO_INDEX ? s->count : k + 1); i++) {
        /* by all records: a part of them may have too few decades */
        if (runs_away(s, i, &s->lo) || dd_solv_turns_above_zero(s, i)) {
            continue;
        }
        for (size_t c = 0; c < sizeof powers / sizeof *powers * (sizeof down_to / sizeof *down_to) && all > 1; c++) {
            const double power = powers[c % (sizeof powers / sizeof *powers)];
            double place;
            s->records.count = records_down_to(s, i, down_to[c / (sizeof powers / sizeof *powers)]);
            const bool falls = falls_with(s, i, power, way, &place) && place <= end && !runs_away(s, i, &s->lo);
            if (falls) {
                found->item = &s->numbers->solvable->items[i];
                found->t = place;
                found->steep = false;
                found->kind = kind_of(s, i, place, 0, power);
            }
            s->records.count = all;
            if (falls) {
                return true;
            }
        }
    }
    return false;
}

/* ---- bisection ---- */

typedef struct search {
    uint32_t k;     /* item, DD_NO_INDEX: all */
    double floor;   /* |d| at or below this is beyond the place */
    double *before; /* values at the beginning, for their signs */
    double hi;
} search;

/* Are these values on the other side? */
static bool is_beyond(const dd_solvability *s, const search *g, const double *v)
{
    for (uint32_t i = g->k == DD_NO_INDEX ? 0 : g->k; i < (g->k == DD_NO_INDEX ? s->count : g->k + 1); i++) {
        if (isnan(v[i]) ? !isnan(g->before[i]) : v[i] * g->before[i] < 0 || fabs(v[i]) <= g->floor) {
            return true;
        }
    }
    return false;
}

typedef enum outcome {
    ARRIVED, /* at the target, with all signs as before */
    BEYOND,  /* on the other side */
    LOST     /* no step from where lo is now */
} outcome;

/* From lo to the target; lo goes along as far as all is well. */
static outcome advance(dd_solvability *s, search *g, double target)
{
    /* each accepted step of the scout moves the good point; the first bad one bounds the place */
    dd_solv_send(s, &s->lo, target - s->lo.t);
    for (int i = 0; i < MOST_STEPS && s->scout->t < target; i++) {
        if (!dd_solv_step(s, target)) {
            return LOST;
        }
        take_scout(s, &s->there);
        dd_solv_values(s, &s->there, s->probe);
        if (is_beyond(s, g, s->probe)) {
            g->hi = fmin(g->hi, s->there.t);
            return BEYOND;
        }
        dd_solv_record(s, &s->there, s->probe);
        dd_solv_copy(s, &s->lo, s->there.t, s->there.w, s->there.wdot);
    }
    return s->scout->t >= target ? ARRIVED : LOST;
}

/* The first time that is not good any more, as far as the scout can see. */
static void halve(dd_solvability *s, search *g)
{
    int lost = 0;
    for (int i = 0; i < MOST_HALVINGS && lost < MOST_LOST; i++) {
        /* bisection, until the interval is a few roundings wide */
        const double middle = s->lo.t + 0.5 * (g->hi - s->lo.t);
        if (g->hi - s->lo.t <= 4 * DBL_EPSILON * fabs(g->hi) || !(middle > s->lo.t && middle < g->hi)) {
            return;
        }
        const double before = s->lo.t;
        const outcome o = advance(s, g, middle);
        /* both being beyond and being lost bound the place from above */
        if (o != ARRIVED) {
            g->hi = fmin(g->hi, middle);
        }
        lost = o == LOST && s->lo.t == before ? lost + 1 : 0;
    }
    g->hi = lost == MOST_LOST ? s->lo.t : g->hi; /* no step is short enough: it is here */
}

/* What has fallen to a floor has not vanished: concentrations fall by ten orders of magnitude and rise again. Does the scout,
 * without the floor, pass the place and see item k turn above zero? */
static bool passes_floor(dd_solvability *s, const dd_solv_state *from, uint32_t k, const dd_singular *found)
{
    enum { ADVANCES = 5 };
    if (k == DD_NO_INDEX) {
        return false;
    }
    search g = {.k = k, .floor = 0, .hi = INFINITY, .before = s->before};
    const double beyond = fmin(found->t + 0.5 * (found->t - from->t), s->sim->t_stop);
    dd_solv_copy(s, &s->nearest, s->lo.t, s->lo.w, s->lo.wdot);
    dd_solv_copy(s, &s->lo, from->t, from->w, from->wdot);
    s->records.count = 0;
    outcome o = LOST;
    for (int i = 0; i < ADVANCES && o == LOST; i++) {
        o = advance(s, &g, beyond);
    }
    dd_solv_copy(s, &s->lo, s->nearest.t, s->nearest.w, s->nearest.wdot);
    return o != BEYOND && dd_solv_turns_above_zero(s, k);
}

bool dd_solv_close_in(dd_solvability *s, const dd_solv_state *from, double hi, uint32_t k, double floor,
                      dd_singular *found)
{
    if (!dd_solv_make_scout(s) || !(hi > from->t)) {
        return false;
    }
    search g = {.k = k, .floor = floor, .hi = hi, .before = s->before};
    /* signs are compared with those at the beginning */
    s->records.count = 0;
    dd_solv_copy(s, &s->lo, from->t, from->w, from->wdot);
    dd_solv_values(s, &s->lo, g.before);
    dd_solv_record(s, &s->lo, g.before);
    /* the whole way at once: most suspicions end here */
    const outcome o = advance(s, &g, hi);
    if (o == ARRIVED) {
        return false; /* the whole way, and nothing was there */
    }
    halve(s, &g);
    if (!judge(s, k, g.hi, g.hi - s->lo.t, floor, found)) {
        if (!judge_ahead(s, k, hi, found)) {
            return false;
        }
        if (s->lo.t > found->t) { /* noise led past the place: the last point is the one before it */
            dd_solv_copy(s, &s->begin, from->t, from->w, from->wdot);
            dd_solv_walk(s, &s->begin, from->t + (1 - AHEAD) * (found->t - from->t));
            take_scout(s, &s->lo);
        }
    }
    if (floor > 0 && passes_floor(s, from, k, found)) {
        return false;
    }
    if (walk_near(s, from, found)) {
        dd_solv_tell_order(s, found);
    }
    settle_point(s, from, found);
    return true;
}
