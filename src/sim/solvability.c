/* solvability.c - what raises a suspicion. Two samples of different sign; a value that has fallen by orders of
 * magnitude; three samples whose parabola dips towards zero between them. Start at dd_solvability_look. */
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "sim/solvability_impl.h"
#include "structure/numeric.h"

enum {
    SPREAD = 64,          /* samples over the whole run at least: long steps are looked into */
    MOST_PROBES = 16,     /* within one step */
    MOST_BLAMED = 32,     /* items whose minima are looked for after a failure */
    MOST_REJECTIONS = 50, /* minima that were not zeros: beyond that many, looking costs more than it finds */
    PLENTY = 20000, /* steps of scouts, and these per step of the run: beyond, items that were looked at in vain as */
    PER_STEP = 2    /* often wait. A run that creeps through noise has a suspicion in every step */
};
static const double DIP = 0.5; /* a parabola that promises less than this part of what was seen, */
/* Where steps are given, which do not shorten towards a cusp, |t - 1|^(2/3), and where samples in long steps are off by more. */
static const double DIP_GIVEN = 0.97;
static const double DEEP = 0.02;         /* or less than this part of the neighbours */
static const double SPIKE = 1e-3;        /* a sample that is this small beside both its neighbours */
static const double CORNER = 0.5;        /* how alike the sides of a corner are */
static const double NEAR_MISS = 1e-4;    /* of the neighbours: a minimum this low may be a zero and errors of the run */
static const double BESIDE_SAMPLE = 0.1; /* of a step: a place that near is on either side of it */
static const double BESIDE = 1e-3;     /* of the way so far: how far a run that loses accuracy is ahead of the scout */
static const double NOTHING = 1e-10;   /* of the largest value so far */
static const double TURNED = 10;       /* times that, where the values rise again behind it */
static const double ASIDE = 1e-3;      /* of the way so far: where a scout begins that is to see the lowest point */
static const double DRIFT = 100;       /* or this many times the violation of the constraints, */
static const double MOST_DRIFT = 1e-6; /* but not more */
static const double LONG_WAY = 3;      /* decades of distance over which it must have fallen; fewer after a failure: */
static const double SHORT_WAY = 1.5;
static const double AGAIN = 0.1;  /* the way is looked at again when the value has fallen to this part */
static const double RECENT = 0.2; /* of the way so far: what lies further back does not speak for a value of now */
/* Fallen by that factor from one sample to the next: a step that ends at a kink may end at a zero. */
static const double COLLAPSE = 1e-6;

bool dd_solvability_failed(const dd_solvability *s)
{
    return s->failed;
}

/* ---- memory ---- */

/* Keeps the last points, and of those before some at distances that grow geometrically, up to the first: an
 * integrator may creep towards a singular point for thousands of steps, and the verdict rests on the way to it. */
static void thin_out(dd_solvability *s)
{
    enum { LAST = 4 };
    const double apart = s->room == DD_SOLVABILITY_HISTORY ? 4 : 64, now = s->history[s->kept - 1].t;
    double kept_at = 0;
    uint32_t to = s->kept;
    /* backwards from the last point; distances grow by a factor from one kept point to the next */
    for (uint32_t from = s->kept; from-- > 0;) { /* the kept ones gather at the end, */
        const double distance = now - s->history[from].t;
        if (s->kept - from <= LAST || from == 0 || distance >= apart * kept_at) {
            const dd_solv_state keep = s->history[--to];
            s->history[to] = s->history[from];
            s->history[from] = keep;
            kept_at = distance;
        }
    }
    for (uint32_t i = 0; to > 0 && to + i < s->kept; i++) { /* and go to the beginning */
        const dd_solv_state keep = s->history[i];
        s->history[i] = s->history[to + i];
        s->history[to + i] = keep;
    }
    s->kept -= to;
}

static void remember(dd_solvability *s, const dd_solv_state *at)
{
    if (s->kept == s->room) {
        thin_out(s);
    }
    dd_solv_state *slot = &s->history[s->kept++];
    dd_solv_copy(s, slot, at->t, at->w, at->wdot);
    slot->valid = at->valid;
}

static void forget_samples(dd_solvability *s)
{
    for (int i = 0; i < 3; i++) {
        s->t[i] = NAN;
        for (uint32_t k = 0; k < s->count; k++) {
            s->v[i][k] = NAN;
        }
    }
}

static void forget(dd_solvability *s)
{
    s->kept = 0;
    s->accurate.valid = false;
    memset(s->error[0], 0, s->n * sizeof *s->lost);
    memset(s->error[1], 0, s->n * sizeof *s->lost);
    memset(s->peak, 0, s->count * sizeof *s->peak);
    memset(s->near_zero, 0, s->count * sizeof *s->near_zero);
    memset(s->fruitless, 0, s->count * sizeof *s->fruitless);
    forget_samples(s);
}

static void push_sample(dd_solvability *s, double t, const double *v)
{
    /* the last three samples of all items, newest first */
    double *last = s->v[2];
    s->v[2] = s->v[1];
    s->v[1] = s->v[0];
    s->v[0] = last;
    s->t[2] = s->t[1];
    s->t[1] = s->t[0];
    s->t[0] = t;
    memcpy(last, v, s->count * sizeof *v);
}

/* ---- suspicions ---- */

/* Do three samples in a row dip towards zero between them? dip: DIP; *at: where. */
static bool dips(const double *t, const double *f, double dip, double *at)
{
    /* the parabola through three samples: f1 + slope s + curvature s^2 with s from the middle */
    const double left = t[1] - t[0], right = t[2] - t[1], least = fmin(f[0], fmin(f[1], f[2]));
    const double down = (f[1] - f[0]) / left, up = (f[2] - f[1]) / right;
    const double curvature = (up - down) / (left + right), slope = down + curvature * left;
    *at = t[1];
    /* a needle between two samples cannot be seen by a parabola */
    if (f[1] < SPIKE * f[0] && f[1] < SPIKE * f[2]) {
        return true;
    }
    /* nor a corner: a line to zero that comes back at about the same slope, as where z^2 = x^2 turns to the other root */
    const double ahead = f[1] + down * right, behind = f[1] - up * left;
    if (ahead < 0 && -ahead > CORNER * f[2] && -ahead < f[2] / CORNER) {
        *at = t[1] - f[1] / down;
        return true;
    }
    if (behind < 0 && -behind > CORNER * f[0] && -behind < f[0] / CORNER) {
        *at = t[1] - f[1] / up;
        return true;
    }
    *at = t[1] - 0.5 * slope / curvature;
    /* its lowest value must promise much less than what was seen */
    return curvature > 0 && *at > t[0] && *at < t[2] &&
           f[1] - 0.25 * slope * slope / curvature < fmax(dip * least, DEEP * fmax(f[0], f[2]));
}

/* The latest accepted point before t, at least `away` from it; else the last one. NULL: none. */
static const dd_solv_state *state_before(const dd_solvability *s, double t, double away)
{
    for (uint32_t i = s->kept; i-- > 0;) {
        if (s->history[i].valid && s->history[i].t <= t && t - s->history[i].t >= away) {
            return &s->history[i];
        }
    }
    return away == 0 ? NULL : state_before(s, t, 0);
}

/* Closes in from a healthy distance: an integrator that creeps towards the place has long been inaccurate, and one that
 * jumps has passed it. The scout takes its own steps, so from the last point too when it finds nothing. */
static bool close_in(dd_solvability *s, double before, double hi, uint32_t k, double floor, dd_singular *out)
{
    /* from nearby to far: the nearest start is accurate and short, a far one has not yet left the solution */
    static const double away[] = {1e-4, 1e-2, 0.2, 0};
    const dd_solv_state *tried = NULL;
    for (size_t i = 0; i < sizeof away / sizeof *away && !s->failed; i++) {
        const dd_solv_state *from = state_before(s, before, away[i] * (hi - s->mode_start));
        if (from && from != tried && dd_solv_close_in(s, from, hi, k, floor, out)) {
            return true;
        }
        tried = from;
    }
    return false;
}

/* A minimum on the dense output of a run may be what an integrator made of a solution that had ended before: does
 * the scout find such a place? It takes that of the minimum, and false is returned in any case: what was found stays
 * found. */
static bool came_before(dd_solvability *s, uint32_t k, double begin, dd_singular *found)
{
    const double clearly = 1e-3, floor = NOTHING * s->peak[k];
    dd_singular earlier;
    /* the search below moves s->lo: keep the point of the minimum */
    const dd_solv_state lo = s->lo;
    dd_solv_copy(s, &s->kept_lo, lo.t, lo.w, lo.wdot);
    /* where it is below the floor all along, the minimum is the place: |t - t*|^4 is low far from it */
    if (close_in(s, begin, found->t, k, floor, &earlier) &&
        earlier.t < found->t - clearly * (found->t - s->mode_start) &&
        dd_solv_in_run(s, k, fmax(begin, 0.5 * (earlier.t + found->t))) > floor) {
        *found = earlier;
    } else {
        dd_solv_copy(s, &s->lo, s->kept_lo.t, s->kept_lo.w, s->kept_lo.wdot);
    }
    return false;
}

/* The lowest point between three samples, by a scout from before the first of them. */
static bool is_lowest_of_scout(dd_solvability *s, uint32_t k, const double *t, double reference, dd_singular *out)
{
    const dd_solv_state *from = state_before(s, t[0], 0);
    const bool found = from && dd_solv_lowest(s, from, t[2], k, reference, out);
    s->given_up[k] += !found;
    return found;
}

/* The last three samples of item k. */
static bool suspect_dip(dd_solvability *s, uint32_t k, dd_singular *out)
{
    const double t[] = {s->t[2], s->t[1], s->t[0]};
    const double f[] = {fabs(s->v[2][k]), fabs(s->v[1][k]), fabs(s->v[0][k])};
    const double least = fmin(f[0], fmin(f[1], f[2])), reference = fmax(f[0], f[2]);
    const bool given_steps = s->sim->options.step > 0;
    double at;
    if (!dips(t, f, given_steps || s->coarse ? DIP_GIVEN : DIP, &at)) {
        /* a method that took the other branch a step early turned above zero: the scout sees where the solution goes */
        const bool turned = given_steps && f[1] < f[0] && f[1] < f[2] && f[1] < DD_SOLV_LOW * s->peak[k];
        return turned && is_lowest_of_scout(s, k, t, reference, out);
    }
    /* in this step on its dense output, otherwise by a scout over the last two steps: in the one before, which has no dense output
     * now, or beside the sample between */
    const double begin = at > t[1] ? t[1] : t[0];
    const bool beside = at < t[1] + BESIDE_SAMPLE * (t[2] - t[1]);
    bool found = false;
    s->drowned_at = NAN;
    const bool in_run = begin >= s->sim->integrator->t_old;
    if (in_run) {
        /* a parabola does not know where a cusp is */
        found = dd_solv_lowest_in_run(s, k, begin, t[2], at, given_steps ? 0 : least, reference, out) &&
                !came_before(s, k, begin, out);
        s->given_up[k] += !found && given_steps;
    }
    /* where the run just misses zero, or its steps are given, that may be its error: the scout is more accurate */
    if (!in_run || (!found && (given_steps || beside || s->depth < NEAR_MISS * reference))) {
        found = is_lowest_of_scout(s, k, t, reference, out);
    }
    if (!found && !isnan(s->drowned_at)) {
        dd_solvability_doubt(s, k, s->drowned_at);
    }
    return found;
}

double dd_solv_nothing(const dd_solvability *s)
{
    const dd_sim *sim = s->sim;
    const double drift =
        sim->options.stabilize != DD_STABILIZE_PROJECTION || s->own ? sim->info.constraint_violation : 0;
    return drift > 0 ? fmin(fmax(NOTHING, DRIFT * drift), MOST_DRIFT) : NOTHING;
}

/* An explicit method whose steps are limited by stability would creep towards the place for ever: once item k is small
 * the scout goes ahead, and has to see it vanish. */
static bool creeps(dd_solvability *s, uint32_t k, dd_singular *out)
{
    const dd_sim *sim = s->sim;
    const double t = s->t[0];
    const dd_solv_state *from = state_before(s, t, 0);
    /* where it depends on the state whose rate it determines, that state may as well grow without bound */
    if (sim->options.step > 0 || !from || !dd_sim_method_is_explicit(sim) || dd_solv_depends_on_own(s, k, from)) {
        return false;
    }
    const double beyond = fmin(t + DD_SOLV_REACH * (t - s->mode_start), sim->t_stop);
    return close_in(s, t, beyond, k, NOTHING * s->peak[k], out) || dd_solv_lowest(s, from, beyond, k, s->peak[k], out);
}

/* Did item k turn so near to zero that errors of the states, one tolerance large, would have taken it there? Next to a fold
 * its square is smooth: y of y^2 = x, where x comes down to nearly zero and rises again. Which branch follows is open. */
static bool may_have_folded(dd_solvability *s, uint32_t k)
{
    const double *v[] = {s->v[2], s->v[1], s->v[0]};
    const double a = s->t[2] - s->t[1], b = s->t[0] - s->t[1];
    const dd_solv_state *last = dd_solv_last(s);
    const bool turned = fabs(v[1][k]) < fabs(v[0][k]) && fabs(v[1][k]) < fabs(v[2][k]) && v[0][k] * v[2][k] > 0;
    if (s->doubt || s->sim->options.step > 0 || !turned || !(fabs(v[1][k]) < DD_SOLV_LOW * s->peak[k]) || !last ||
        !last->valid || !(a < 0 && b > 0)) {
        return false;
    }
    /* the lowest value of the parabola through the squares */
    const double middle = v[1][k] * v[1][k];
    const double left = (v[0][k] * v[0][k] - middle) / a, right = (v[2][k] * v[2][k] - middle) / b;
    const double curvature = (right - left) / (b - a), slope = left - curvature * a;
    const double lowest = middle - 0.25 * slope * slope / curvature;
    return curvature > 0 && fabs(lowest) <= DD_SOLV_ABOVE * dd_solv_noise_of_square(s, k, last);
}

/* Has item k come down to nothing, on its way since the mode began? */
static bool suspect_approach(dd_solvability *s, uint32_t k, dd_singular *out)
{
    /* the largest value so far is the measure of nothing */
    const double now = fabs(s->v[0][k]);
    if (now > s->peak[k]) {
        s->peak[k] = now;
        s->near_zero[k] = MOST_DRIFT * now;
    }
    const double nothing = dd_solv_nothing(s) * s->peak[k], lowest = fabs(s->v[1][k]);
    /* it turned at the bottom of its way: the steps of a run do not meet the lowest point itself */
    if (lowest < TURNED * nothing && now > lowest && dd_solv_approaches(s, k, LONG_WAY, INFINITY, out)) {
        return true;
    }
    /* or nearly: the scout, more accurate, is asked for the lowest point */
    if (lowest < MOST_DRIFT * s->peak[k] && now > lowest && fabs(s->v[2][k]) > lowest) {
        const dd_solv_state *from = state_before(s, s->t[1], ASIDE * (s->t[1] - s->mode_start));
        if (from && dd_solv_lowest(s, from, s->t[0], k, s->peak[k], out)) {
            return true;
        }
    }
    if (dd_solv_turned_in_noise(s, k, out)) {
        return true;
    }
    if (may_have_folded(s, k)) {
        dd_solvability_doubt(s, k, s->t[1]);
    }
    if (!(now < s->near_zero[k])) {
        return false;
    }
    if (creeps(s, k, out)) {
        return true;
    }
    /* look again only when it has fallen further, since the look is expensive */
    s->near_zero[k] = now > nothing ? fmax(nothing, 0.5 * now) : AGAIN * now;
    return now <= nothing && dd_solv_approaches(s, k, LONG_WAY, INFINITY, out);
}

/* Was item k below the errors of the run all along the last part of the way, and is it still? Then neither its sign nor
 * how it falls means anything: a state that decays has no zero where it drowns in its tolerance. */
static bool is_drowned(dd_solvability *s, uint32_t k)
{
    const dd_solv_state *last = dd_solv_last(s);
    if (!last || !last->valid) {
        return false;
    }
    const double noise = DD_SOLV_ABOVE * dd_solv_noise(s, k, last, dd_sim_tolerance(s->sim), s->sim->options.atol);
    const double since = s->t[0] - RECENT * (s->t[0] - s->mode_start);
    bool drowned = fabs(s->v[0][k]) <= noise && fabs(s->v[1][k]) <= noise;
    for (uint32_t i = s->kept; drowned && i-- > 0 && s->history[i].t >= since;) {
        dd_solv_values(s, &s->history[i], s->probe);
        drowned = fabs(s->probe[k]) <= noise;
    }
    return drowned;
}

/* Item k between the last two samples, or the last three. */
static bool suspect_item(dd_solvability *s, uint32_t k, dd_singular *out)
{
    /* first by the way down, then by sign, by collapse, by a dip */
    const double now = s->v[0][k], before = s->v[1][k], first = s->v[2][k];
    if (suspect_approach(s, k, out)) {
        return true;
    }
    /* a sample at the place itself has no sign: those beside it tell */
    const bool at_place = before == 0 && !isnan(first);
    const double earlier = at_place ? first : before, since = s->t[at_place ? 2 : 1];
    if (isnan(now) || isnan(earlier) || earlier == 0) {
        return false;
    }
    /* a run with errors of its own may be at a place a little before the scout; given steps, where they take the other root of
     * z^2 = x, by two of them or so */
    const double margin = fmax(BESIDE * (s->t[0] - s->mode_start), 2 * s->sim->options.step);
    const double end = fmin(s->t[0] + margin, s->sim->t_stop);
    /* a change of sign: closed in by the scout, or decided on the run's own dense output */
    if (now * earlier < 0) {
        if (is_drowned(s, k)) {
            dd_solvability_doubt(s, k, s->t[0]);
            return false;
        }
        const bool vanishes = close_in(s, since, s->t[0], k, 0, out) ||
                              (!at_place && dd_solv_crosses_in_run(s, k, since, s->t[0], out)) ||
                              close_in(s, since, end, k, 0, out);
        s->crossed = s->crossed || !vanishes;
        return vanishes;
    }
    if (!at_place && fabs(now) < COLLAPSE * fabs(before)) {
        return dd_solv_collapses_in_run(s, k, s->t[1], s->t[0], out) ||
               close_in(s, s->t[1], s->t[0], k, 0.01 * NOTHING * fabs(before), out) ||
               close_in(s, s->t[1], end, k, 0.01 * NOTHING * fabs(before), out);
    }
    return !isnan(first) && first * now > 0 && s->given_up[k] <= MOST_REJECTIONS && suspect_dip(s, k, out);
}

static bool suspect(dd_solvability *s, uint32_t k, dd_singular *out)
{
    const double spent = (double)s->scouted_in_run, steps = (double)s->sim->integrator->stats.steps;
    s->scouted = 0;
    const bool waits = s->fruitless[k] > MOST_REJECTIONS && spent > PLENTY + PER_STEP * steps;
    const bool found = !waits && suspect_item(s, k, out);
    s->fruitless[k] += !found && s->scouted > 0;
    return found;
}

static bool suspect_any(dd_solvability *s, dd_singular *out)
{
    for (uint32_t k = 0; k < s->count; k++) {
        if (!suspect(s, k, out) || dd_solv_is_left_before(s, out)) {
            continue;
        }
        if (!is_drowned(s, k) || (!s->doubt && dd_solv_scout_sees(s, k, out))) {
            return true;
        }
        dd_solvability_doubt(s, k, s->t[0]);
    }
    return false;
}

/* The run at t, at the end of its last step or within it. */
static void take_end(dd_solvability *s, double t)
{
    dd_sim *sim = s->sim;
    /* at the end of a step the point is known; inside it by interpolation */
    const dd_integrator *it = sim->integrator;
    if (t == it->t) {
        dd_solv_take(s, t, it->w, it->wdot, &s->point);
    } else {
        dd_integ_interpolate(it, t, sim->w, sim->wdot);
        dd_solv_take(s, t, sim->w, sim->wdot, &s->point);
    }
}

static void sample(dd_solvability *s, const dd_solv_state *at)
{
    dd_solv_values(s, at, s->probe);
    push_sample(s, at->t, s->probe);
}

void dd_solvability_start(dd_solvability *s)
{
    forget(s);
    s->scouted_in_run = s->sim->integrator->stats.steps == 0 ? 0 : s->scouted_in_run; /* where a run begins */
    take_end(s, s->sim->integrator->t);
    sample(s, &s->point);
    remember(s, &s->point);
    s->mode_start = s->sim->integrator->t;
}

/* Are all numbers hardly curved over the last step, by one point within it? Then none of the rest is looked at. */
static bool is_plain(dd_solvability *s, const dd_solv_state *last)
{
    const double part = 0.382, hardly = 0.2; /* no simple part of the step, so that what repeats is not missed */
    /* one point within the step, for all numbers at once */
    (void)dd_solv_between(s, last, &s->point, last->t + part * (s->point.t - last->t), &s->there);
    dd_solv_values(s, &s->there, s->probe);
    dd_solv_values(s, &s->point, s->before);
    bool plain = true;
    for (uint32_t k = 0; k < s->count; k++) {
        const double a = s->v[0][k], b = s->before[k], line = a + part * (b - a);
        plain = plain && a * b > 0 && fabs(s->probe[k] - line) < hardly * fmin(fabs(a), fabs(b));
    }
    return plain;
}

/* Where a number that is small already changes within a step, so do coefficients of rates, and the corrections of Newton's
 * method with an old Jacobian are too small by as much. */
static void tell_integrator(dd_solvability *s)
{
    const double kept = 0.9;
    bool restless = false;
    for (uint32_t k = 0; k < s->count; k++) {
        const double now = s->v[0][k], last = s->ends[k];
        const bool same = now * last >= kept * fmax(now * now, last * last);
        restless = restless || (!same && fabs(now) < DD_SOLV_LOW * s->peak[k]);
        s->ends[k] = now;
    }
    s->sim->integrator->restless = restless && !s->own;
}

/* Is z on another branch behind the last step? Because a number vanished in it: true. Else s->left says so. */
static bool looks_at_branch(dd_solvability *s, const dd_solv_state *last, bool long_step, dd_singular *out)
{
    s->scouted = 0;
    const bool leaves = s->in_vain <= MOST_REJECTIONS && dd_solv_leaves_branch(s, last, long_step);
    if (leaves && dd_solv_close_in(s, last, s->point.t, DD_NO_INDEX, 0, out)) {
        return true;
    }
    s->in_vain += leaves;
    s->left = (leaves || (s->crossed && s->has_unknowns)) && dd_solv_is_on_other_branch(s, last);
    return false;
}

void dd_solvability_undo(dd_solvability *s)
{
    forget_samples(s);
    sample(s, dd_solv_last(s));
    s->left = false;
}

/* Is a singular point just ahead? way: the decades of distance over which an item must fall towards it. */
static bool blame(dd_solvability *s, double way, dd_singular *out)
{
    const dd_sim *sim = s->sim;
    /* points behind the end of the solution belong to none: the run has gone back */
    while (s->kept > 1 && dd_solv_last(s)->t > sim->integrator->t) {
        s->kept--;
    }
    if (s->kept == 0 || !state_before(s, dd_solv_last(s)->t, 0)) {
        return false;
    }
    const double t = dd_solv_last(s)->t, before = s->kept > 1 ? s->history[s->kept - 2].t : t;
    const double step = fmax(sim->options.step, t - before);
    s->scouted = 0;
    const double end = fmin(t + fmax(4 * step, DD_SOLV_REACH * (t - sim->t0)), sim->t_stop);
    const dd_solv_state *from = state_before(s, t, DD_SOLV_REACH * (t - s->mode_start));
    /* any change of sign or collapse first, then minima and ways down, item by item */
    if (close_in(s, t, end, DD_NO_INDEX, 0, out)) {
        return true;
    }
    for (uint32_t k = 0; k < s->count && k < MOST_BLAMED; k++) {
        dd_solv_values(s, from, s->probe);
        if (dd_solv_lowest(s, from, end, k, fabs(s->probe[k]), out) || dd_solv_approaches(s, k, way, end - t, out)) {
            return true;
        }
    }
    return dd_solv_was_faint(s, out);
}

bool dd_solvability_look(dd_solvability *s, double until, dd_singular *out)
{
    const dd_sim *sim = s->sim;
    const dd_integrator *it = sim->integrator;
    /* long steps are sampled inside, unless the numbers are nearly linear over them */
    const double length = until - it->t_old, apart = (sim->t_stop - sim->t0) / SPREAD;
    const dd_solv_state *last = dd_solv_last(s);
    take_end(s, until);
    s->crossed = s->left = false;
    const bool long_step = length > apart && last && last->valid && s->point.valid && last->t == it->t_old;
    const uint32_t parts = long_step && !is_plain(s, last) ? (uint32_t)fmin(ceil(length / apart), MOST_PROBES) : 1;
    s->coarse = parts > 1;
    for (uint32_t p = 1; p <= parts; p++) {
        if (p < parts) {
            (void)dd_solv_between(s, last, &s->point, it->t_old + p * (length / parts), &s->there);
        }
        sample(s, p < parts ? &s->there : &s->point);
        if (suspect_any(s, out)) {
            return true;
        }
    }
    if (looks_at_branch(s, last, long_step, out)) {
        return true;
    }
    if (s->left) {
        return false;
    }
    remember(s, &s->point);
    tell_integrator(s);
    /* digits are lost beside a singular point too: then that is named */
    dd_singular faint;
    if (!dd_solv_is_faint(s, &faint)) {
        return false;
    }
    if (!blame(s, LONG_WAY, out)) { /* over a shorter one, a factor that fades falls as well */
        *out = faint;
        dd_solv_copy(s, &s->lo, faint.t, sim->integrator->w, sim->integrator->wdot);
    }
    return true;
}

/* after a failed step */
bool dd_solvability_blame(dd_solvability *s, dd_singular *out)
{
    return blame(s, SHORT_WAY, out);
}

bool dd_solvability_point(const dd_solvability *s, double *t, const double **w, const double **wdot)
{
    *t = s->lo.t;
    *w = s->lo.w;
    *wdot = s->lo.wdot;
    return !s->own;
}
