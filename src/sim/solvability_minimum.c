/* solvability_minimum.c - zeros without a change of sign: the lowest point of |d| within a step, on its dense
 * output. Points of it that lie near a singular one are as good as others, steps that end there are not. Start at
 * dd_solv_lowest. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "sim/solvability_impl.h"

enum {
    MOST_STEPS = 200,
    MOST_LOOKS = 48,  /* points tried for the lowest one */
    LOOKS_BEFORE = 8, /* after these a minimum must promise to be small */
    PARTS = 14        /* of a step: shorter ones at its ends */
};
static const double GIVEN_ERRORS = 1e-3; /* of solutions by given steps, which have no tolerance */
static const double COARSE = 1e-2;       /* what is above this is never called zero, however inaccurate the method */
static const double SMALL = 0.05;        /* a sample below this part of its neighbours needs no promise; else */
static const double FAR_BELOW = 1e-3;    /* the neighbours */
static const double SHORT_OF = 0.99;     /* of the way to where a line meets zero */
static const double PROMISE = 0.5;   /* the point that a parabola names must be lower than this part of what was seen */
static const double CREEPING = 1e-4; /* steps of the scout that are shorter than this part of its way */

typedef struct valley { /* three points with the lowest in the middle */
    double t[3], f[3];
} valley;

/* A path: the last step of the run, or of the scout. */
static const dd_integrator *path_of(const dd_solvability *s, bool scout)
{
    return scout ? s->scout : s->sim->integrator;
}

/* |item k| at t on the path; the point is in s->there, all values in s->probe. */
static double height(dd_solvability *s, bool scout, uint32_t k, double t)
{
    /* along the scout by its polynomial, along the run by its accurate points */
    if (scout) {
        dd_integ_interpolate(s->scout, t, s->there.w, s->there.wdot);
        s->there.t = t;
        s->there.valid = true;
    } else {
        dd_sim_point(s->sim, t);
        dd_solv_take(s, t, s->sim->w, s->sim->wdot, &s->there);
    }
    dd_solv_values(s, &s->there, s->probe);
    return isnan(s->probe[k]) ? INFINITY : fabs(s->probe[k]);
}

double dd_solv_in_run(dd_solvability *s, uint32_t k, double t)
{
    return height(s, false, k, t);
}

/* Into the larger part. */
static double golden_section(const valley *v)
{
    const double golden = 0.382, a = v->t[0] - v->t[1], b = v->t[2] - v->t[1];
    return v->t[1] + golden * (-a > b ? a : b);
}

/* Where a parabola through the points is lowest; inside, and not where we have been. */
static double next_point(const valley *v, double *promised)
{
    /* parabola through the three points; golden section where it has no minimum inside */
    const double a = v->t[0] - v->t[1], b = v->t[2] - v->t[1];
    const double left = (v->f[0] - v->f[1]) / a, right = (v->f[2] - v->f[1]) / b;
    const double curvature = (right - left) / (b - a), slope = left - curvature * a, step = -0.5 * slope / curvature;
    const bool usable = curvature > 0 && v->t[1] + step > v->t[0] && v->t[1] + step < v->t[2] && step != 0;
    *promised = usable ? v->f[1] + 0.5 * slope * step : 0;
    return usable ? v->t[1] + step : golden_section(v);
}

static void narrow(valley *v, double t, double f)
{
    /* the new point replaces the middle, or the end on its side */
    const int side = t < v->t[1] ? 0 : 2;
    if (f < v->f[1]) {
        v->t[2 - side] = v->t[1];
        v->f[2 - side] = v->f[1];
        v->t[1] = t;
        v->f[1] = f;
    } else {
        v->t[side] = t;
        v->f[side] = f;
    }
}

/* A corner, |x|, is no parabola: where the line of each side meets zero, as long as that leads down at least by half. Not
 * quite there: at the place itself z may be what Newton could not solve for. */
static void descend_corner(dd_solvability *s, bool scout, uint32_t k, valley *v)
{
    for (int look = 0, in_vain = 0; look < MOST_LOOKS && in_vain < 2 && v->f[1] > 0; look++) {
        const int side = look % 2 == 0 ? 0 : 2; /* whose line */
        const double slope = (v->f[1] - v->f[side]) / (v->t[1] - v->t[side]), before = v->f[1];
        const double t = v->t[1] - SHORT_OF * v->f[1] / slope;
        if (t > v->t[0] && t < v->t[2] && t != v->t[1]) {
            narrow(v, t, height(s, scout, k, t));
        }
        in_vain = v->f[1] > 0.5 * before ? in_vain + 1 : 0;
    }
}

/* Goes down to the bottom; true when that is zero. */
static bool descend(dd_solvability *s, bool scout, uint32_t k, valley *v, double zero)
{
    double width = INFINITY; /* two points ago */
    for (int look = 0; look < MOST_LOOKS && v->f[1] > 0; look++) {
        double promised;
        /* down to rounding of t, or until nothing small is promised any more */
        const double limit = 4 * DBL_EPSILON * fabs(v->t[1]);
        double t = next_point(v, &promised);
        if (v->t[2] - v->t[0] <= limit || fabs(t - v->t[1]) <= 0.25 * limit ||
            (look >= LOOKS_BEFORE && promised > 100 * zero && promised > 0.5 * v->f[1])) {
            break;
        }
        /* where parabolas hardly narrow it they see one side only, as that of |t - t*|^4 */
        if (look % 2 == 0) {
            t = v->t[2] - v->t[0] > 0.5 * width ? golden_section(v) : t;
            width = v->t[2] - v->t[0];
        }
        narrow(v, t, height(s, scout, k, t));
    }
    return v->f[1] <= zero;
}

/* Higher than a line on the side of the lowest point that the minimum is not on: a cusp, as |t - t*|^(2/3) has one? */
static bool is_cusp(dd_solvability *s, bool scout, uint32_t k, const valley *v)
{
    return height(s, scout, k, 0.5 * (v->t[0] + v->t[1])) > 0.5 * (v->f[0] + v->f[1]) ||
           height(s, scout, k, 0.5 * (v->t[1] + v->t[2])) > 0.5 * (v->f[1] + v->f[2]);
}

/* Does a power of the distance lead to a place, decade by decade, from where span (of either sign) begins? */
static bool falls_towards(dd_solvability *s, bool scout, uint32_t k, double place, double span)
{
    enum { FARTHEST = 1, NEAREST = 6 }; /* decades of distance, in parts of the span */
    const double power = 0.2;
    bool falls = true;
    double far = INFINITY;
    for (int decade = FARTHEST; decade <= NEAREST && falls; decade++) {
        const double f = height(s, scout, k, place + span * pow(10, -decade));
        falls = decade == FARTHEST || log10(far / f) > power;
        far = f;
    }
    return falls;
}

/* The bottom of a cusp by golden sections. It is zero if a power of the distance leads there, decade by decade: rounding of t
 * alone leaves (1e-16)^(2/3). */
static bool descend_cusp(dd_solvability *s, bool scout, uint32_t k, valley *v)
{
    const double left = v->t[1] - v->t[0], right = v->t[2] - v->t[1];
    while (v->t[2] - v->t[0] > 4 * DBL_EPSILON * fabs(v->t[1])) {
        const double t = golden_section(v);
        if (t == v->t[1]) {
            break;
        }
        narrow(v, t, height(s, scout, k, t));
    }
    return falls_towards(s, scout, k, v->t[1], -left) && falls_towards(s, scout, k, v->t[1], right);
}

/* The lowest point between a and b that has higher ones on both sides; *changed: the first time at which the sign is
 * another than `sign`, NaN without. */
static bool find_valley(dd_solvability *s, bool scout, uint32_t k, const double *ends, double sign, valley *v,
                        double *changed)
{
    double t[PARTS + 1], f[PARTS + 1];
    bool found = false;
    *changed = NAN;
    /* points at cosines: denser at the ends of the step, where polynomials are worse */
    for (int p = 0; p <= PARTS; p++) {
        const double pi = 3.14159265358979323846;
        t[p] = p == PARTS ? ends[1] : ends[0] + 0.5 * (ends[1] - ends[0]) * (1 - cos(pi * p / PARTS));
        f[p] = height(s, scout, k, t[p]);
        *changed = isnan(*changed) && s->probe[k] * sign < 0 ? t[p] : *changed;
    }
    /* the lowest point that has higher neighbours; what stays zero behind it has faded below the smallest number */
    for (int p = 1; p < PARTS; p++) {
        const bool low = f[p] <= f[p - 1] && f[p] <= f[p + 1] && f[p + 1] > 0;
        if (low && (!found || f[p] < v->f[1])) {
            *v = (valley){{t[p - 1], t[p], t[p + 1]}, {f[p - 1], f[p], f[p + 1]}};
            found = true;
        }
    }
    return found;
}

/* What the distance of the path from the constraints makes of |item k| at t: dense output leaves them a little, and
 * without projection the steps do. */
static double disturbance(dd_solvability *s, uint32_t k, double t)
{
    enum { CORRECTIONS = 3 };
    dd_sim *sim = s->sim;
    if (s->own || !sim->projector) {
        return 0;
    }
    /* the same point before and after it is moved onto the constraints */
    dd_integ_interpolate(sim->integrator, t, sim->w, sim->wdot);
    dd_solv_take(s, t, sim->w, sim->wdot, &s->there);
    dd_solv_values(s, &s->there, s->probe);
    const double before = fabs(s->probe[k]);
    dd_project(sim->projector, t, sim->w, sim->numbers->problem.nominal, CORRECTIONS, sim->wdot);
    dd_integ_interpolate(sim->integrator, t, s->there.w, sim->wdot);
    dd_solv_take(s, t, sim->w, sim->wdot, &s->there);
    dd_solv_values(s, &s->there, s->probe);
    return isnan(s->probe[k]) ? 0.0 : fabs(before - fabs(s->probe[k]));
}

/* Where two quantities vanish together, errors of the solution leave the sum of their squares. */
static double zero_level(dd_solvability *s, bool scout, uint32_t k, const double *ends, double reference)
{
    /* two errors of the size of the tolerance, squared */
    const double tolerance = 10 * dd_sim_tolerance(s->sim);
    const double change = scout ? 0.0 : 3 * disturbance(s, k, 0.5 * (ends[0] + ends[1])) / reference;
    const double level =
        fmin(fmax(dd_solv_nothing(s), fmax(fmax(tolerance * tolerance, change * change), s->added)), COARSE);
    /* a run that creeps towards the place has small neighbours; what is nothing beside the whole way is zero there too,
     * if it is far below them: a factor that fades is not */
    return fmax(reference * level, fmin(dd_solv_nothing(s) * s->peak[k], FAR_BELOW * reference));
}

enum { HALVINGS = 9 }; /* of the way to a zero: closer than 1e-3 of it there is only noise */

/* Given steps may be far off the solution next to a zero: do the unknowns of item k grow along the scout too, from where the
 * step began? True where that cannot be told. */
static bool grows_along_scout(dd_solvability *s, uint32_t k, double place)
{
    const dd_solv_state *from = dd_solv_last(s);
    if (!from || !from->valid || !(from->t < place) || !dd_solv_make_scout(s)) {
        return true;
    }
    const double span = place - from->t;
    s->records.count = 0;
    dd_solv_send(s, from, span);
    /* at distances that halve, as in the run */
    for (int i = 1; i <= HALVINGS; i++) {
        const double target = place - ldexp(span, -i);
        while (s->scout->t < target) {
            if (!dd_solv_step(s, target)) {
                return true;
            }
        }
        dd_solv_copy(s, &s->there, s->scout->t, s->scout->w, s->scout->wdot);
        dd_solv_values(s, &s->there, s->probe);
        dd_solv_record(s, &s->there, s->probe);
    }
    return dd_solv_unknowns_grow(s, k, place, 0);
}

/* The kind of a zero at a minimum, and the point there: all from the same step. */
static void settle(dd_solvability *s, bool scout, uint32_t k, double begin, dd_singular *found)
{
    const double span = found->t - begin;
    s->records.count = 0;
    /* the unknowns at distances that halve, for their power of growth */
    for (int i = 1; i <= HALVINGS; i++) {
        height(s, scout, k, found->t - ldexp(span, -i));
        dd_solv_record(s, &s->there, s->probe);
    }
    const bool given_steps = !scout && s->sim->options.step > 0;
    const bool grows = dd_solv_unknowns_grow(s, k, found->t, 0) && (!given_steps || grows_along_scout(s, k, found->t));
    found->kind = grows ? DD_SINGULAR_GROWS : DD_SINGULAR_OPEN;
    dd_integ_interpolate(path_of(s, scout), found->t, s->sim->w, s->sim->wdot);
    dd_solv_take(s, found->t, s->sim->w, s->sim->wdot, &s->lo);
}

/* What errors of the path can make of item k at a point; 0: not known. */
static double noise_of(dd_solvability *s, bool scout, uint32_t k, const dd_solv_state *at)
{
    const double rtol = dd_sim_tolerance(s->sim), atol = s->sim->options.atol;
    if (!at || !at->valid) {
        return 0;
    }
    return scout ? dd_solv_noise(s, k, at, dd_solv_scout_tolerance(s), 0) : dd_solv_noise(s, k, at, rtol, atol);
}

/* Is the largest value beside a place no more than that? Then it has no sign, and no minimum means anything: a state that
 * decays. */
static bool is_noise(dd_solvability *s, bool scout, uint32_t k, double largest, const dd_solv_state *at)
{
    return largest <= DD_SOLV_ABOVE * noise_of(s, scout, k, at);
}

/* Is the lowest value far above what errors of the states and of its time make of it? Then it is no zero, however small beside
 * others: 1/cosh(40 x) falls by seventeen orders of magnitude where x turns at 1. */
static bool is_resolved(dd_solvability *s, bool scout, uint32_t k, const valley *v)
{
    const double above = 10, beside = 1e-7; /* of the way so far */
    const double apart = beside * (v->t[1] - s->mode_start);
    const double left = height(s, scout, k, fmax(v->t[0], v->t[1] - apart)),
                 right = height(s, scout, k, fmin(v->t[2], v->t[1] + apart)), lowest = height(s, scout, k, v->t[1]);
    double noise = fmax(fabs(left - lowest), fabs(right - lowest));
    dd_solv_copy(s, &s->nearest, s->there.t, s->there.w, s->there.wdot);
    const bool given_steps = !scout && s->sim->options.step > 0;
    const double tol = given_steps ? GIVEN_ERRORS : dd_sim_tolerance(s->sim), *nominal = s->numbers->problem.nominal;
    noise += dd_solv_noise(s, k, &s->nearest, tol, given_steps ? 0 : s->sim->options.atol);
    /* and of the rates, which some numbers depend on */
    dd_solv_copy(s, &s->there, s->nearest.t, s->nearest.w, s->nearest.wdot);
    for (uint32_t j = 0; j < s->n; j++) {
        s->there.wdot[j] += tol * fmax(fabs(s->there.wdot[j]), nominal[j] / (v->t[1] - s->mode_start));
    }
    dd_solv_values(s, &s->there, s->probe);
    noise += fabs(fabs(s->probe[k]) - lowest);
    return lowest > above * noise;
}

/* Would errors of the run take its lowest value to zero? Those of some steps have added up. */
static bool is_bottom_noise(dd_solvability *s, bool scout, uint32_t k, const valley *v)
{
    const double added = 10;
    if (s->sim->options.step > 0) {
        return false;
    }
    height(s, scout, k, v->t[1]);
    dd_solv_copy(s, &s->nearest, s->there.t, s->there.w, s->there.wdot);
    return v->f[1] <= added * noise_of(s, scout, k, &s->nearest);
}

/* Between the ends, on the last step of a path. */
static bool lowest_in_step(dd_solvability *s, bool scout, uint32_t k, const double *ends, double sign, double reference,
                           dd_singular *found, double *changed)
{
    valley v = {{0}, {0}};
    const double zero = zero_level(s, scout, k, ends, reference);
    /* what does not rise again behind it may fade, and errors of the path make valleys of their own; no valley, or a
     * change of sign instead: others look into that */
    const double behind = height(s, scout, k, ends[1]);
    dd_solv_copy(s, &s->nearest, s->there.t, s->there.w, s->there.wdot);
    s->depth = INFINITY;
    if (is_noise(s, scout, k, fmin(behind, reference), &s->nearest) ||
        !find_valley(s, scout, k, ends, sign, &v, changed) || !isnan(*changed)) {
        return false;
    }
    descend_corner(s, scout, k, &v);
    /* cusps where steps are given: others shorten their steps towards them */
    const bool cusp = !scout && s->sim->options.step > 0 && is_cusp(s, scout, k, &v);
    const bool is_zero = cusp ? descend_cusp(s, scout, k, &v) : descend(s, scout, k, &v, zero);
    s->depth = v.f[1];
    s->drowned_at = !is_zero && is_bottom_noise(s, scout, k, &v) ? v.t[1] : s->drowned_at;
    if (!is_zero || (!cusp && is_resolved(s, scout, k, &v))) {
        return false;
    }
    *found = (dd_singular){.t = v.t[1], .item = &s->numbers->solvable->items[k]};
    settle(s, scout, k, ends[0], found);
    return true;
}

/* A change of sign that the scout could not decide: along the dense output of the run, does the number pass through
 * zero? Poles and jumps do not. */
bool dd_solv_crosses_in_run(dd_solvability *s, uint32_t k, double from, double until, dd_singular *found)
{
    const double small = 1e-6;
    const double begin = height(s, false, k, from), sign = s->probe[k], most = fmax(begin, height(s, false, k, until));
    double lo = from, hi = until, left = begin, right = most;
    /* bisection on the sign down to rounding */
    for (double middle; (middle = lo + 0.5 * (hi - lo)) > lo && middle < hi;) {
        const double f = height(s, false, k, middle);
        const bool before = s->probe[k] * sign > 0;
        lo = before ? middle : lo;
        hi = before ? hi : middle;
        left = before ? f : left;
        right = before ? right : f;
    }
    /* at a zero both sides are small; at a pole or a jump they are not */
    if (!(left <= small * most && right <= small * most) || is_noise(s, false, k, most, dd_solv_last(s))) {
        return false;
    }
    *found = (dd_singular){.t = hi, .item = &s->numbers->solvable->items[k]};
    settle(s, false, k, from, found);
    return true;
}

/* A step that ends at the zero of a number of time alone: no scout is needed, which may not get there where the solution grows
 * without bound. */
bool dd_solv_collapses_in_run(dd_solvability *s, uint32_t k, double from, double until, dd_singular *found)
{
    const dd_solv_state *last = dd_solv_last(s);
    if (!last || !last->valid || dd_solv_noise(s, k, last, dd_solv_scout_tolerance(s), 0) != 0 ||
        !falls_towards(s, false, k, until, from - until)) {
        return false;
    }
    *found = (dd_singular){.t = until, .item = &s->numbers->solvable->items[k]};
    settle(s, false, k, from, found);
    return true;
}

bool dd_solv_lowest_in_run(dd_solvability *s, uint32_t k, double from, double until, double promised, double least,
                           double reference, dd_singular *found)
{
    const double sign = s->v[0][k], ends[] = {from, until};
    double changed = NAN;
    /* one look at the promised place is cheap */
    if (least > SMALL * reference && height(s, false, k, promised) > PROMISE * least && s->probe[k] * sign > 0) {
        return false;
    }
    if (lowest_in_step(s, false, k, ends, sign, reference, found, &changed)) {
        return true;
    }
    return !isnan(changed) && dd_solv_close_in(s, dd_solv_last(s), changed, k, 0, found);
}

/* Does |item k| fall from one end of the scout's last step towards the other, next to it? */
static bool falls_from(dd_solvability *s, uint32_t k, double end, double other)
{
    const double beside = 0.02; /* of the step */
    return height(s, true, k, end + beside * (other - end)) < height(s, true, k, end);
}

/* The lowest point along a scout that goes on without beginning again: where the solution is not smooth enough for long
 * steps after a start, the only way to get far. */
static bool lowest_on_the_way(dd_solvability *s, const dd_solv_state *from, double until, uint32_t k, double reference,
                              dd_singular *found)
{
    double changed = NAN;
    bool falling = false;
    dd_solv_values(s, from, s->before);
    const double sign = s->before[k];
    dd_solv_copy(s, &s->begin, from->t, from->w, from->wdot);
    dd_solv_send(s, &s->begin, until - from->t);
    for (int i = 0; i < MOST_STEPS && s->scout->t < until; i++) {
        if (!dd_solv_step(s, until)) {
            return false;
        }
        /* it fell up to the joint of two steps and rises behind it: a step across the joint, begun where the last was half
         * done, has the minimum inside */
        if (falling && !falls_from(s, k, s->scout->t_old, s->scout->t)) {
            dd_solv_send(s, &s->begin, s->scout->t - s->begin.t);
            falling = false;
            continue;
        }
        const double ends[] = {s->scout->t_old, s->scout->t};
        if (lowest_in_step(s, true, k, ends, sign, reference, found, &changed)) {
            /* in steps that are nothing beside the way the scout creeps: its minima are noise */
            return ends[1] - ends[0] > CREEPING * (found->t - from->t);
        }
        if (!isnan(changed)) {
            return dd_solv_close_in(s, from, changed, k, 0, found);
        }
        falling = !falls_from(s, k, ends[1], ends[0]);
        s->begin.t = ends[0] + 0.5 * (ends[1] - ends[0]);
        dd_integ_interpolate(s->scout, s->begin.t, s->begin.w, s->begin.wdot);
    }
    return false;
}

bool dd_solv_lowest(dd_solvability *s, const dd_solv_state *from, double until, uint32_t k, double reference,
                    dd_singular *found)
{
    if (!dd_solv_make_scout(s)) {
        return false;
    }
    double changed = NAN;
    dd_solv_values(s, from, s->before);
    const double sign = s->before[k];
    dd_solv_copy(s, &s->begin, from->t, from->w, from->wdot);
    /* steps of the scout overlap by half, so that a minimum is inside one of them */
    for (int i = 0; i < MOST_STEPS && s->begin.t < until; i++) {
        dd_solv_send(s, &s->begin, until - s->begin.t);
        if (!dd_solv_step(s, until)) {
            return dd_solv_close_in(s, from, until, k, 0, found);
        }
        const double ends[] = {s->scout->t_old, s->scout->t};
        if (lowest_in_step(s, true, k, ends, sign, reference, found, &changed)) {
            return true;
        }
        if (!isnan(changed)) {
            return dd_solv_close_in(s, from, changed, k, 0, found);
        }
        if (s->scout->t >= until) {
            return false;
        }
        const double next = ends[0] + 0.5 * (ends[1] - ends[0]); /* steps overlap: it is inside of one */
        dd_integ_interpolate(s->scout, next, s->begin.w, s->begin.wdot);
        s->begin.t = next;
    }
    /* a scout that creeps, its steps ever shorter, is on its way to a place that bisection finds */
    return s->begin.t < until &&
           (dd_solv_close_in(s, from, until, k, 0, found) || lowest_on_the_way(s, from, until, k, reference, found));
}
