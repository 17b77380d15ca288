/* leap.c - steps that leap over the end of the solution. Start reading at dd_leap_look.
 *
 * Without error control a method steps over a pole, over the end of x = sqrt(1 - t) or through a collision, and goes on with
 * numbers that belong to no solution. Explicit methods with error control do so where |x| is below the tolerance, after some
 * attempts. Three looks, each only where the one before finds something (at steps with error control: after two
 * rejections, or where they have become short):
 *
 *     slopes     x' at the ends of this step and of the last one: do they change by much, or do they contradict the
 *                change of x (trapezoidal rule)? No evaluations.
 *     defect     does the polynomial of the step obey the equations between its ends? Three evaluations.
 *     scout      Radau with error control from the beginning of the step to its end. Where no step of it is short enough,
 *                the solution ends there, and so does the run. Where it arrives, the error of the step is known. */
#include "sim/leap.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "integ/radau.h"
#include "sim/dummy.h"
#include "sim/run_impl.h"

enum {
    MOST = 2000,      /* unknowns */
    MOST_STEPS = 600, /* of the scout in one step: down to rounding it needs one or two hundred */
    POLL = 16,        /* of its steps between looks at the clock */
    /* evaluations of scouts, and that part of those of the run: not more, */
    PLENTY = 3000,
    PER_UNKNOWN = 20000, /* of this, divided by their number: those of small models cost little */
    PART = 2,
    /* and with error control */
    SOME = 2000,
    SMALL_PART = 50,
    REJECTIONS = 2 /* in a row: steps with error control are looked at after that */
};
/* Part of the slope by which it departs from a line in a step (that of a swing: in half a radian), or from what the change
 * of x says; the same between the ends. */
static const double BENDS = 0.2, CONTRADICTS = 0.05, DEFECT = 0.1;
/* Steps with error control are looked at where they are this much shorter than others were, too. */
static const double SHORT = 1e-3;
/* Of its size: changes of x in a step below that are not looked at. */
static const double HARDLY = 1e-9;
/* Tolerances of the scout: of x, and of its change; a second scout with looser ones confirms an end. */
static const double RELATIVE = 1e-5, OWN = 1e-3, LOOSER = 30;
/* Distance from the constraints, in nominal values: the solution has left them. */
static const double FAR = 0.1;
/* Error of one step, of the change of an unknown in it and of its largest size so far: the step says nothing. */
static const double MISSED = 0.3, VISIBLE = 0.1;

/* The step in which an unknown is off by most, in that step alone. */
typedef struct missed {
    double off, from, to, value, scouted;
} missed;

/* A point of the run, n numbers each. */
typedef struct place {
    double t, *w, *slope;
} place;

struct dd_leap {
    uint32_t n;
    place from;               /* where the step began, */
    place trusted;            /* and where the last one ended that was no leap */
    bool is_trusted;          /* known */
    double *last, last_h;     /* n: slope where the step before began; its size, 0: none */
    double *largest;          /* n: |w| so far */
    double *at, *rate, *atol; /* n: scratch */
    dd_integrator *scout;     /* NULL: not yet needed */
    bool given;               /* steps are */
    double longest;           /* step so far */
    uint64_t rejected;        /* attempts before the step */
    uint64_t spent;           /* evaluations of scouts */
    missed *missed;           /* n: steps that say nothing */
    bool ended, told;         /* the run, by a verdict of this file; said */
};

dd_leap *dd_leap_new(dd_sim *sim)
{
    const uint32_t n = sim->numbers->problem.n;
    const bool as_written = sim->numbers->equations->form == DD_EQUATIONS_ORIGINAL && sim->system->index > 1;
    const bool given = sim->options.step > 0;
    const bool explicit = sim->tableau && sim->tableau->structure == DD_TABLEAU_EXPLICIT;
    if (!(given || explicit) || as_written || n == 0 || n > MOST) {
        return NULL;
    }
    dd_leap *p = dd_pool_alloc(sim->pool, sizeof *p);
    *p = (dd_leap){.n = n, .given = given};
    double **const vectors[] = {&p->from.w,  &p->from.slope, &p->trusted.w, &p->trusted.slope, &p->last,
                                &p->largest, &p->at,         &p->rate,      &p->atol};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        *vectors[i] = dd_pool_alloc_array(sim->pool, n, sizeof **vectors[i]);
    }
    p->missed = dd_pool_alloc_array(sim->pool, n, sizeof *p->missed);
    return p;
}

void dd_leap_free(dd_leap *p)
{
    if (p) {
        dd_integ_free(p->scout);
    }
}

/* ---- along a run ---- */

void dd_leap_start(dd_sim *sim)
{
    dd_leap *p = sim->leap;
    p->spent = 0;
    memset(p->missed, 0, p->n * sizeof *p->missed);
    p->longest = 0;
    p->ended = false;
    memset(p->largest, 0, p->n * sizeof *p->largest);
    dd_leap_restart(sim);
}

void dd_leap_restart(dd_sim *sim)
{
    sim->leap->last_h = 0;
    sim->leap->is_trusted = false;
}

static void keep(const dd_leap *p, place *out, double t, const double *w, const double *slope)
{
    out->t = t;
    memcpy(out->w, w, p->n * sizeof *w);
    memcpy(out->slope, slope, p->n * sizeof *slope);
}

/* Where a step begins. */
static void begin(dd_leap *p, double t)
{
    p->from.t = t;
    /* the first of a mode: no other is known */
    if (!p->is_trusted || !p->given) {
        keep(p, &p->trusted, t, p->from.w, p->from.slope);
        p->is_trusted = true;
    }
    for (uint32_t j = 0; j < p->n; j++) {
        p->largest[j] = fmax(p->largest[j], fabs(p->from.w[j]));
    }
}

void dd_leap_before(dd_sim *sim)
{
    dd_leap *p = sim->leap;
    const dd_integrator *it = sim->integrator;
    p->rejected = it->stats.rejected;
    if (p->given) {
        memcpy(p->from.w, it->w, p->n * sizeof *p->from.w);
        memcpy(p->from.slope, it->wdot, p->n * sizeof *p->from.slope);
        begin(p, it->t);
    }
}

/* ---- slopes and defect ---- */

/* Does the integrator have x_j' of its own? */
static bool has_slope(const dd_sim *sim, uint32_t j)
{
    return sim->numbers->problem.differential[j] && !(sim->dummy && dd_dummy_is(sim->dummy, j));
}

/* Is the slope of unknown j one that a method of any order resolves in this step? Not: it bends, by half of itself, or the
 * trapezoidal rule finds another change of x. */
static bool is_even(const dd_sim *sim, uint32_t j)
{
    const dd_leap *p = sim->leap;
    const dd_integrator *it = sim->integrator;
    const double h = it->t - p->from.t, a = p->from.slope[j], b = it->wdot[j], change = it->w[j] - p->from.w[j];
    const double most = fmax(fabs(a), fabs(b));
    if (h * most <= HARDLY * (fabs(p->from.w[j]) + sim->numbers->problem.nominal[j]) && isfinite(change)) {
        return true;
    }
    /* the line through the last two slopes, or a constant */
    const double expected = p->last_h > 0 ? a + (a - p->last[j]) * h / p->last_h : a;
    const double size = p->last_h > 0 ? fmax(most, fabs(p->last[j])) : most;
    return fabs(b - expected) <= BENDS * size && fabs(change - h * (a + b) / 2) <= CONTRADICTS * h * size;
}

/* Does the polynomial of the step obey the equations at this part of it? */
static bool obeys(dd_sim *sim, double part)
{
    dd_leap *p = sim->leap;
    const dd_integrator *it = sim->integrator;
    const double t = p->from.t + part * (it->t - p->from.t);
    dd_integ_interpolate(it, t, p->at, p->rate);
    memcpy(p->atol, p->rate, p->n * sizeof *p->rate); /* that of the polynomial */
    const dd_slopes_info info = dd_slopes_solve(sim->slopes, t, p->at, p->rate);
    for (uint32_t j = 0; j < p->n && info.converged; j++) {
        const double ends = fmin(fabs(p->from.slope[j]), fabs(it->wdot[j]));
        const double most = fmax(ends, fmax(fabs(p->rate[j]), fabs(p->atol[j])));
        if (has_slope(sim, j) && !(fabs(p->atol[j] - p->rate[j]) <= DEFECT * most)) {
            return false;
        }
    }
    return info.converged;
}

static bool is_resolved(dd_sim *sim)
{
    const dd_integ_stats stats = sim->integrator->stats; /* those of the method */
    static const double parts[] = {0.31, 0.73};          /* no points that methods have; and the end */
    bool even = true;
    for (uint32_t j = 0; j < sim->leap->n && even; j++) {
        even = !has_slope(sim, j) || is_even(sim, j);
    }
    even = even || (obeys(sim, parts[0]) && obeys(sim, parts[1]) && obeys(sim, 1));
    sim->integrator->stats = stats;
    return even;
}

/* ---- the scout ---- */

/* Tolerances by what the step itself says of the size of things. */
static void set_tolerance(dd_sim *sim, const place *from, double h, double looser)
{
    dd_leap *p = sim->leap;
    const double *nominal = sim->numbers->problem.nominal;
    for (uint32_t j = 0; j < p->n; j++) {
        const double moved = has_slope(sim, j) ? fmin(h * fabs(from->slope[j]), fabs(from->w[j])) : nominal[j];
        p->atol[j] = looser * (OWN * moved + HARDLY * (fabs(from->w[j]) + nominal[j]));
    }
    p->scout->ops->set_tolerance(p->scout, looser * RELATIVE, p->atol);
}

/* Does a scout that does not come to an end go back and forth at a place? Its steps have become much shorter. */
static bool is_stuck(double longest, double lately, int steps)
{
    const double shorter = 1e-3;
    return steps >= MOST_STEPS && lately < shorter * longest * (MOST_STEPS / 2.0);
}

/* From a place to `until`, or as far as it gets. False: the solution does not get there; *why. */
static bool scout_arrives(dd_sim *sim, const place *from, double until, double looser, dd_step_verdict *why)
{
    dd_leap *p = sim->leap;
    dd_integrator *it = p->scout;
    double longest = 0, half = from->t;
    int steps = 0;
    set_tolerance(sim, from, until - from->t, looser);
    it->stats = (dd_integ_stats){0};
    it->h = 0;
    *why = dd_integ_start(it, from->t, from->w, from->slope);
    /* how long its steps are, and how far it comes in the second half of them */
    for (; *why == DD_STEP_OK && it->t < until && steps < MOST_STEPS; steps++) {
        if (steps % POLL == 0 && dd_poll_stop(sim->ctx) != DD_OK) {
            break;
        }
        half = steps == MOST_STEPS / 2 ? it->t : half;
        *why = dd_integ_step(it, until);
        longest = fmax(longest, it->t - it->t_old);
    }
    p->spent += it->stats.residuals;
    /* kernels that are asked to stop fail: that is no verdict, and the run sees it */
    if (*why != DD_STEP_OK && dd_poll_stop_now(sim->ctx) != DD_OK) {
        *why = DD_STEP_OK;
    }
    if (*why == DD_STEP_OK && is_stuck(longest, it->t - half, steps)) {
        *why = DD_STEP_STEP_TOO_SMALL;
    }
    return *why == DD_STEP_OK;
}

/* Does no step of the scout lead from a place to `until`, by either tolerance? Then *end is how far it came. */
static bool ends_from(dd_sim *sim, const place *from, double until, double *end, dd_step_verdict *why)
{
    const double same = 0.1; /* of the way: both scouts end at the same place */
    const dd_leap *p = sim->leap;
    dd_step_verdict second;
    if (scout_arrives(sim, from, until, 1, why)) {
        return false;
    }
    *end = p->scout->t;
    return *why == DD_STEP_OUT_OF_MEMORY ||
           (!scout_arrives(sim, from, until, LOOSER, &second) && fabs(p->scout->t - *end) <= same * (until - from->t));
}

/* The same from the place that is trusted, where the step does not begin there: an implicit method may leave the solution
 * for a step or two, to where others end, and find back. */
static bool ends_from_trusted(dd_sim *sim, double until, double *end, dd_step_verdict *why)
{
    const dd_leap *p = sim->leap;
    return p->trusted.t < p->from.t && ends_from(sim, &p->trusted, until, end, why);
}

/* False: there is none; memory ran out where it could not be made. */
static bool make_scout(dd_sim *sim, bool *out_of_memory)
{
    dd_leap *p = sim->leap;
    *out_of_memory = false;
    const uint64_t made = sim->integrator->stats.residuals;
    if (p->spent > (p->given ? made / PART + PLENTY + PER_UNKNOWN / p->n : made / SMALL_PART + SOME)) {
        return false;
    }
    if (!p->scout) {
        const dd_integ_options o = {
            .rtol = RELATIVE, .atol = sim->atol, .project = sim->options.stabilize == DD_STABILIZE_PROJECTION};
        *out_of_memory = dd_radau_new(&p->scout, sim->ctx, &sim->numbers->problem, &o) != DD_OK;
    }
    return !*out_of_memory;
}

/* ---- verdicts ---- */

/* The unknown of the scout with the largest rate, for its size. */
static uint32_t steepest(const dd_sim *sim)
{
    const dd_leap *p = sim->leap;
    uint32_t found = DD_NO_INDEX;
    double most = 0;
    for (uint32_t j = 0; j < p->n; j++) {
        const double rate = fabs(p->scout->wdot[j]) / (fabs(p->scout->w[j]) + fabs(p->from.w[j]) + DBL_MIN);
        if (has_slope(sim, j) && !(rate <= most)) {
            found = j;
            most = rate;
        }
    }
    return found;
}

static void tell_end(dd_sim *sim, double end, double h, dd_step_verdict why)
{
    char name[200];
    sim->leap->ended = true;
    if (why == DD_STEP_OUT_OF_MEMORY) {
        dd_run_memory_ran_out(sim, end);
        return;
    }
    /* off its constraints the equations are those of another motion, which may end where this one does not */
    if (sim->options.stabilize != DD_STABILIZE_PROJECTION && sim->info.constraint_distance > FAR) {
        dd_run_tell_left(sim, sim->info.constraint_distance);
        return;
    }
    dd_run_name_unknown(sim, steepest(sim), name, sizeof name);
    dd_run_stop(
        sim, why == DD_STEP_NONFINITE ? DD_SIM_NONFINITE : DD_SIM_STEP_TOO_SMALL,
        "at time %.10g the solution ends, within a step of %.6g: %s; steps leap over such a point, and what they "
        "find beyond it is not a solution",
        end, h,
        why == DD_STEP_NONFINITE
            ? "the equations cannot be evaluated any further (not a number or infinite)"
            : dd_pool_printf(sim->pool, "%s grows without bound there, jumps, or arrives with an infinite slope",
                             name));
}

/* The scout has arrived: how far is the step off? The worst of each unknown is kept. True: one says nothing. */
static bool note_missed(dd_sim *sim)
{
    dd_leap *p = sim->leap;
    const dd_integrator *it = sim->integrator;
    bool any = false;
    for (uint32_t j = 0; j < p->n; j++) {
        const double off = fabs(it->w[j] - p->scout->w[j]), change = fabs(p->scout->w[j] - p->from.w[j]);
        if (!has_slope(sim, j) || !(off > MISSED * change)) {
            continue;
        }
        any = any || off > VISIBLE * fmax(p->largest[j], HARDLY * sim->numbers->problem.nominal[j]);
        if (off > p->missed[j].off) {
            p->missed[j] = (missed){off, p->from.t, it->t, it->w[j], p->scout->w[j]};
        }
    }
    return any;
}

/* The unknown that was missed most, beside its largest size in the run; DD_NO_INDEX: none by much. */
static uint32_t missed_most(const dd_sim *sim)
{
    const dd_leap *p = sim->leap;
    uint32_t found = DD_NO_INDEX;
    double most = VISIBLE;
    for (uint32_t j = 0; j < p->n; j++) {
        const double size = fmax(p->largest[j], HARDLY * sim->numbers->problem.nominal[j]);
        if (p->missed[j].off > most * size) {
            found = j;
            most = p->missed[j].off / size;
        }
    }
    return found;
}

/* Is there something to look at in the last step? Then its beginning is known. */
static bool begins_look(dd_sim *sim)
{
    dd_leap *p = sim->leap;
    const dd_integrator *it = sim->integrator;
    if (p->given) {
        return true;
    }
    const double h = it->t - it->t_old;
    p->longest = fmax(p->longest, h);
    if (sim->switched || (it->stats.rejected < p->rejected + REJECTIONS && h > SHORT * p->longest)) {
        return false;
    }
    const dd_integ_stats stats = it->stats;
    dd_integ_interpolate(it, it->t_old, p->from.w, p->from.slope);
    sim->integrator->stats = stats;
    begin(p, it->t_old);
    p->last_h = 0;
    return true;
}

/* A step that is not resolved: does the solution end within it? If not: *trusted, is it near the solution? */
static bool solution_ends(dd_sim *sim, double until, double *end, dd_step_verdict *why, bool *trusted)
{
    const dd_leap *p = sim->leap;
    const bool whole = until == sim->integrator->t;
    /* from where the step begins; where that is no place to trust, from there too */
    if (ends_from(sim, &p->from, until, end, why)) {
        *trusted = false;
        return *why == DD_STEP_OUT_OF_MEMORY || !(p->trusted.t < p->from.t) || ends_from_trusted(sim, until, end, why);
    }
    /* the scout has passed, and the step is elsewhere: the same question */
    *trusted = !(p->given && whole && p->scout->t == until && note_missed(sim));
    return !*trusted && ends_from_trusted(sim, until, end, why);
}

bool dd_leap_look(dd_sim *sim, double until)
{
    dd_leap *p = sim->leap;
    const dd_integrator *it = sim->integrator;
    double end = until;
    dd_step_verdict why = DD_STEP_OUT_OF_MEMORY;
    bool ended = false, out_of_memory = false;
    if (!begins_look(sim)) {
        return false;
    }
    /* the scout goes only where the step itself does not say enough */
    bool trusted = is_resolved(sim);
    if (!trusted && make_scout(sim, &out_of_memory)) {
        ended = solution_ends(sim, until, &end, &why, &trusted);
    }
    if (ended || out_of_memory) {
        const double h = it->t - p->from.t;
        dd_run_go_back(sim, p->from.t);
        tell_end(sim, end, h, why);
        return true;
    }
    /* its slopes are the last ones of the next step */
    memcpy(p->last, p->from.slope, p->n * sizeof *p->last);
    p->last_h = it->t - p->from.t;
    if (trusted) {
        keep(p, &p->trusted, it->t, it->w, it->wdot);
    }
    return false;
}

bool dd_leap_blame(dd_sim *sim, double bound)
{
    dd_leap *p = sim->leap;
    double end;
    dd_step_verdict why = DD_STEP_OUT_OF_MEMORY;
    bool out_of_memory;
    const double ahead = 2; /* steps: implicit ones notice the end before they come to it */
    const double until = fmin(bound, p->from.t + ahead * sim->options.step);
    if (p->given && make_scout(sim, &out_of_memory) && ends_from(sim, &p->from, until, &end, &why) &&
        (!(p->trusted.t < p->from.t) || ends_from_trusted(sim, until, &end, &why))) {
        tell_end(sim, end, until - p->from.t, why);
        return true;
    }
    return false;
}

void dd_leap_tell(dd_sim *sim)
{
    dd_leap *p = sim->leap;
    const uint32_t j = missed_most(sim);
    if (j == DD_NO_INDEX || p->told || !(sim->info.status == DD_SIM_OK || p->ended)) {
        return;
    }
    const missed *m = &p->missed[j];
    char name[200];
    dd_run_name_unknown(sim, j, name, sizeof name);
    dd_vec_push(
        sim->pool, &sim->messages,
        dd_pool_printf(sim->pool,
                       "the step from time %.6g to %.6g does not resolve the solution: %s is %.4g at its end, and "
                       "a method with error control comes to %.4g from the same start; take shorter steps (%s)",
                       m->from, m->to, name, m->value, m->scouted, dd_option_word(sim->ctx, "--step")));
    p->told = true;
}
