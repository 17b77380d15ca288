/* layers.c - kinks and jumps that are no events: what lies within the tolerance is not stopped for.
 *
 * The tolerance of a switching function g is the change that unknowns in it make when they change by theirs. A sign
 * that the solution does not leave, because both sides push it back (friction that sticks, levels that have become
 * equal), gets a layer of about that width around g = 0, in which it is g/width: there the solution follows what is
 * known as sliding mode, until one side does not push back any more (Filippov's condition). A kink of abs, min or
 * max is passed when the branch behind it differs from the one in force by less than the tolerance until the end of
 * the step, or over all of it where the next step begins with x' from its end. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "sim/sim_impl.h"

static double tolerance(const dd_sim *sim, const double *w, uint32_t j)
{
    return sim->atol[j] + dd_sim_tolerance(sim) * fabs(w[j]);
}

/* The tolerance of g of switch k. */
static double tolerance_of(dd_sim *sim, uint32_t k, double t, const double *w, const double *wdot)
{
    dd_numbers *q = sim->numbers;
    const dd_switch *s = &q->switches.data[k];
    const double least = 1e-12; /* of a function of time alone */
    double sum = 0;
    /* |dg| for each unknown changed by its tolerance, added up */
    dd_numbers_switching(q, t, w, wdot, sim->g_aside);
    const double g = sim->g_aside[k];
    memcpy(sim->aside, w, q->n * sizeof *w);
    for (uint32_t i = 0; i < s->columns; i++) {
        const uint32_t j = s->column[i];
        sim->aside[j] = w[j] + tolerance(sim, w, j);
        dd_numbers_switching(q, t, sim->aside, wdot, sim->g_aside);
        sum += isfinite(sim->g_aside[k]) ? fabs(sim->g_aside[k] - g) : 0.0;
        sim->aside[j] = w[j];
    }
    return fmax(sum, least * fmax(1.0, fabs(g)));
}

/* ---- signs ---- */

/* dg/dt of switch k at a point with these rates; g is a function of time and x. */
static double rate_of(dd_sim *sim, uint32_t k, double t, const double *w, const double *rate, double part)
{
    const dd_problem *p = &sim->numbers->problem;
    double g[2];
    /* central difference along the rates */
    for (int side = 0; side < 2; side++) {
        const double dt = side == 0 ? -part : part;
        for (uint32_t j = 0; j < p->n; j++) {
            sim->aside[j] = w[j] + (p->differential[j] ? dt * rate[j] : 0.0);
        }
        dd_numbers_switching(sim->numbers, t + dt, sim->aside, rate, sim->g_aside);
        g[side] = sim->g_aside[k];
    }
    return (g[1] - g[0]) / (2 * part);
}

/* A time in which the solution changes: that of the last step, but not too short. */
static double motion_time(const dd_sim *sim)
{
    const double step = sim->integrator ? sim->integrator->t - sim->integrator->t_old : 0.0;
    return fmax(step, 1e-4 * (sim->t_stop - sim->t0));
}

/* How strongly both sides of sign k push towards g = 0 (Filippov's condition): negative when the solution leaves, to
 * *side. Without a value (no number) when g is not a function of x, or x' cannot be found. */
static double hold_of(dd_sim *sim, uint32_t k, double t, const double *w, const double *wdot, double *side)
{
    dd_numbers *q = sim->numbers;
    const double s = q->mode[k], slope = q->mode[k + 1];
    const double part = 1e-3 * motion_time(sim); /* short against the motion, long against rounding */
    /* dg/dt with the sign frozen at -1 and at +1: does either side push towards zero? */
    double push[2] = {NAN, NAN};
    for (int i = 0; i < 2 && !q->switches.data[k].implicit; i++) {
        dd_numbers_freeze(q, k, i == 0 ? -1.0 : 1.0);
        dd_numbers_freeze(q, k + 1, 0.0);
        memcpy(sim->aside, w, q->n * sizeof *w);
        memcpy(sim->aside_rate, wdot, q->n * sizeof *w);
        if (dd_slopes_solve(sim->slopes, t, sim->aside, sim->aside_rate).converged) {
            push[i] = (i == 0 ? 1.0 : -1.0) * rate_of(sim, k, t, w, sim->aside_rate, part);
        }
    }
    dd_numbers_freeze(q, k, s);
    dd_numbers_freeze(q, k + 1, slope);
    *side = push[0] < push[1] ? -1.0 : 1.0;
    return isnan(push[0]) || isnan(push[1]) ? NAN : fmin(push[0], push[1]);
}

void dd_sim_switching(dd_sim *sim, double t, const double *w, const double *wdot, double *g)
{
    dd_numbers *q = sim->numbers;
    dd_numbers_switching(q, t, w, wdot, g);
    for (uint32_t k = 0; k < q->switches.len; k++) {
        dd_switch *s = &q->switches.data[k];
        /* a sign that is held: g becomes the distance to being let go */
        if (s->kind == DD_SWITCH_SIGN && q->mode[k] == 0) {
            const double hold = hold_of(sim, k, t, w, wdot, &s->side);
            /* near the middle of the layer nothing is left yet; without a value the layer alone decides */
            const double inside = (isnan(hold) ? 1.0 : 0.5) * s->width - fabs(g[k]);
            s->side = g[k] > 0 ? 1.0 : -1.0;
            g[k] = isnan(hold) ? inside : fmax(hold, inside);
        }
    }
}

static void stick(dd_sim *sim, uint32_t k, double t, const double *w, const double *wdot)
{
    const double part = 0.5; /* the solution is somewhere in the layer: its error is below half the tolerance */
    dd_switch *s = &sim->numbers->switches.data[k];
    s->width = part * tolerance_of(sim, k, t, w, wdot);
    dd_numbers_freeze(sim->numbers, k, 0.0);
    dd_numbers_freeze(sim->numbers, k + 1, 1.0 / s->width);
}

bool dd_sim_sticks(const dd_sim *sim)
{
    const dd_numbers *q = sim->numbers;
    bool found = false;
    for (uint32_t k = 0; k < q->switches.len; k++) {
        found = found || (q->switches.data[k].kind == DD_SWITCH_SIGN && q->mode[k] == 0);
    }
    return found;
}

bool dd_sim_slide(dd_sim *sim, uint32_t k, double t, const double *w, const double *wdot)
{
    const double part = 1e-3 * motion_time(sim); /* to be away from zero by the tolerance: otherwise it is no matter */
    double side;
    /* it leaves faster than the tolerance matters: then it is no sliding */
    const double hold = hold_of(sim, k, t, w, wdot, &side);
    if (sim->never_sticks || -hold * part > tolerance_of(sim, k, t, w, wdot)) {
        dd_numbers_freeze(sim->numbers, k, side);
        dd_numbers_freeze(sim->numbers, k + 1, 0.0);
        return false;
    }
    stick(sim, k, t, w, wdot);
    return true;
}

bool dd_sim_slide_all(dd_sim *sim, double t)
{
    bool stuck = false;
    /* only signs that were crossed at this event */
    for (uint32_t k = 0; k < sim->numbers->switches.len; k++) {
        if (!sim->crossed[k]) {
            continue;
        }
        sim->crossed[k] = false; /* decided once per event */
        const double near = tolerance_of(sim, k, t, sim->w, sim->wdot);
        dd_numbers_switching(sim->numbers, t, sim->w, sim->wdot, sim->g_aside);
        if (fabs(sim->g_aside[k]) <= near) { /* else it has jumped to the other side */
            stuck = dd_sim_slide(sim, k, t, sim->w, sim->wdot) || stuck;
        }
    }
    return stuck;
}

/* ---- several relations at once ---- */

/* Was g of switch k in the last step much larger than here? A quick look: what is at its bound now is to be found. */
static bool is_small(const dd_sim *sim, uint32_t k, double g)
{
    enum { LAST = DD_CROSSING_PROBES + 1 };
    const double part = 1e-3;
    double most = 0;
    /* compared with its largest value in the last step */
    for (uint32_t i = 0; i <= LAST; i++) {
        most = fmax(most, fabs(sim->g_seen[(size_t)i * sim->numbers->switches.len + k]));
    }
    return fabs(g) <= part * most || g == 0;
}

/* Is what happens until it changes, in a time dt, within the tolerance, or dt no more than rounding of the time? A pulse that short
 * may be high. */
static bool is_no_matter(const dd_sim *sim, double dt)
{
    const double part = 0.1, rounding = 64 * DBL_EPSILON;
    if (dt <= rounding * fmax(fabs(sim->integrator->t), fabs(sim->t_stop))) {
        return true;
    }
    for (uint32_t j = 0; j < sim->numbers->n; j++) {
        if (sim->numbers->problem.differential[j] && fabs(sim->wdot[j]) * dt > part * tolerance(sim, sim->w, j)) {
            return false;
        }
    }
    return true;
}

/* Switch k at its bound, g: does it leave its value at once, and not come back in the other one? Then it has that one. */
static bool turns_at_once(dd_sim *sim, uint32_t k, double t, double g)
{
    dd_numbers *q = sim->numbers;
    const double mode = q->mode[k], part = 1e-3 * motion_time(sim);
    const double towards = mode > 0 ? 1.0 : -1.0; /* the side on which it keeps its value */
    /* does it move away from the side on which its value holds? */
    const double rate = rate_of(sim, k, t, sim->w, sim->wdot, part);
    if (!(towards * rate < 0) || !is_no_matter(sim, fabs(g / rate))) {
        return false;
    }
    /* with the other value: does it stay on the other side? */
    dd_numbers_freeze(q, k, 1.0 - mode);
    dd_sim_turn_twins(sim, k);
    memcpy(sim->plain, sim->w, q->n * sizeof *sim->w);
    memcpy(sim->shift, sim->wdot, q->n * sizeof *sim->w);
    if (dd_slopes_solve(sim->slopes, t, sim->w, sim->wdot).converged &&
        towards * rate_of(sim, k, t, sim->w, sim->wdot, part) < 0) {
        sim->turned[k] = true;
        for (uint32_t j = 0; j < q->switches.len; j++) {
            sim->decided[j] = sim->decided[j] || q->switches.data[j].twin == q->switches.data[k].twin;
        }
        return true;
    }
    /* no: both values lead back, so nothing changes here */
    dd_numbers_freeze(q, k, mode);
    dd_sim_turn_twins(sim, k);
    memcpy(sim->w, sim->plain, q->n * sizeof *sim->w);
    memcpy(sim->wdot, sim->shift, q->n * sizeof *sim->w);
    return false;
}

/* May switch k have changed together with others, so that the order in which they were found says nothing? */
static bool is_in_doubt(const dd_sim *sim, uint32_t k, uint32_t which)
{
    const dd_switch *s = &sim->numbers->switches.data[k];
    bool others = k != which;
    for (uint32_t i = 0; i < sim->numbers->switches.len && !others; i++) {
        others = i != which && sim->turned[i];
    }
    return others && s->kind == DD_SWITCH_RELATION && !s->only_time && !s->implicit && !sim->decided[k] &&
           sim->numbers->mode[k] != DD_SWITCH_LIVE;
}

bool dd_sim_turn_at_once(dd_sim *sim, double t, uint32_t which)
{
    const double near = 0.1; /* of the tolerance: what changes within that may as well change now */
    dd_numbers *q = sim->numbers;
    bool changed = false;
    /* one at a time, since each changes the rates of the others */
    for (uint32_t k = 0; k < q->switches.len; k++) {
        dd_numbers_switching(q, t, sim->w, sim->wdot, sim->g_probe);
        const double g = sim->g_probe[k];
        if (is_in_doubt(sim, k, which) && is_small(sim, k, g) &&
            fabs(g) <= near * tolerance_of(sim, k, t, sim->w, sim->wdot)) {
            changed = turns_at_once(sim, k, t, g) || changed;
        }
    }
    return changed;
}

/* ---- powers ---- */

void dd_sim_set_margins(dd_sim *sim, double t, const double *w, const double *wdot)
{
    const double times = 10; /* below zero by this many tolerances: errors add up over a run */
    dd_numbers *q = sim->numbers;
    for (uint32_t k = 0; k < q->switches.len; k++) {
        const dd_switch *s = &q->switches.data[k];
        /* the cubic layer is a fixed part of what is allowed below zero */
        if (s->kind == DD_SWITCH_MARGIN) {
            const double width = times / DD_SWITCH_FAR * tolerance_of(sim, k, t, w, wdot);
            dd_numbers_freeze(q, k, width);
            dd_numbers_freeze(q, k + 1, pow(width, s->exponent - 1));
        }
    }
}

void dd_sim_no_margins(dd_sim *sim)
{
    for (uint32_t k = 0; k < sim->numbers->switches.len; k++) {
        if (sim->numbers->switches.data[k].kind == DD_SWITCH_MARGIN) {
            dd_numbers_freeze(sim->numbers, k, 0.0);
        }
    }
}

/* ---- kinks that are passed ---- */

static const double PART = 0.1; /* of the tolerance that a kink may cost */

/* The same where no probe saw it there, as in a step over more than a period of what it compares with: at distances from the
 * change that double. */
static double farthest_behind(dd_sim *sim, uint32_t k, double at)
{
    enum { DOUBLINGS = 20 };
    const dd_integrator *it = sim->integrator;
    double least = 0, t = at;
    for (int i = 0; i <= DOUBLINGS; i++) {
        const double then = at + ldexp(it->t - at, i - DOUBLINGS);
        dd_integ_interpolate(it, then, sim->w, sim->wdot);
        dd_sim_switching(sim, then, sim->w, sim->wdot, sim->g_probe);
        const double d = dd_switch_distance(&sim->numbers->switches.data[k], sim->numbers->mode[k], sim->g_probe[k]);
        t = d < least ? then : t;
        least = fmin(least, d);
    }
    return t;
}

/* The time of the probes at which switch k was farthest on its other side, behind its change. */
static double farthest(dd_sim *sim, uint32_t k, double at)
{
    enum { LAST = DD_CROSSING_PROBES + 1 };
    const dd_numbers *q = sim->numbers;
    const dd_integrator *it = sim->integrator;
    double least = INFINITY;
    uint32_t found = LAST;
    /* the probe where the other branch would matter most */
    for (uint32_t i = 0; i <= LAST; i++) {
        const double d =
            dd_switch_distance(&q->switches.data[k], q->mode[k], sim->g_seen[(size_t)i * q->switches.len + k]);
        if (d < least) {
            least = d;
            found = i;
        }
    }
    if (!(least < 0)) {
        return farthest_behind(sim, k, at);
    }
    return found == LAST ? it->t : it->t_old + found * ((it->t - it->t_old) / LAST);
}

/* Is the difference of x' over `span`, and that of z, below its part of the tolerance? */
static bool alike(const dd_sim *sim, double span)
{
    const dd_problem *p = &sim->numbers->problem;
    /* x' over the time that is left, z at once */
    for (uint32_t j = 0; j < p->n; j++) {
        const double d = p->differential[j] ? span * (sim->aside_rate[j] - sim->wdot[j]) : sim->aside[j] - sim->w[j];
        if (!(fabs(d) <= PART * tolerance(sim, sim->w, j))) {
            return false;
        }
    }
    return true;
}

/* The same for how far x is from constraints that contain the kink. */
static bool stays_near(dd_sim *sim, double t)
{
    const dd_problem *p = &sim->numbers->problem;
    if (!sim->keeper) {
        return true;
    }
    for (uint32_t j = 0; j < p->n; j++) {
        sim->aside[j] = sim->w[j];
        sim->aside_rate[j] = tolerance(sim, sim->w, j);
    }
    const dd_projection moved = dd_project(sim->keeper, t, sim->aside, sim->aside_rate, 3, sim->shift);
    return moved.converged && moved.moved <= PART;
}

/* Is a relation of the model at its bound, within the tolerance, where the step begins? When it changes is no matter
 * then. */
static bool hovers(dd_sim *sim, uint32_t k)
{
    const dd_integrator *it = sim->integrator;
    return sim->numbers->switches.data[k].kind == DD_SWITCH_RELATION &&
           fabs(sim->g_seen[k]) <= tolerance_of(sim, k, it->t, it->w, it->wdot);
}

/* Do other relations see the kink, in unknowns that are assigned and no part of w? Its other branch is frozen now; g_before:
 * of all switches at t on the branch in force, on which they were looked at. They might change unseen behind the kink. */
static bool others_see(dd_sim *sim, uint32_t k, double t)
{
    dd_numbers *q = sim->numbers;
    const dd_switch *list = q->switches.data;
    dd_numbers_switching(q, t, sim->w, sim->wdot, sim->g_probe);
    for (uint32_t j = 0; j < q->switches.len; j++) {
        const double by = fabs(sim->g_probe[j] - sim->g_before[j]);
        const bool twin = list[j].kind == DD_SWITCH_RELATION && list[j].twin == list[k].twin;
        if (j != k && !twin && dd_switch_changes(&list[j]) && by > 0 &&
            !(by <= PART * tolerance_of(sim, j, t, sim->w, sim->wdot))) {
            return true;
        }
    }
    return false;
}

bool dd_sim_passes_kink(dd_sim *sim, uint32_t k, double at)
{
    dd_numbers *q = sim->numbers;
    const dd_integrator *it = sim->integrator;
    const double mode = q->mode[k];
    /* kinks, relations that hover at their bound, and signs that have no layer to slide in */
    const bool sign = sim->never_sticks && q->switches.data[k].kind == DD_SWITCH_SIGN && mode != 0;
    if (!q->switches.data[k].soft && !hovers(sim, k) && !sign) {
        return false;
    }
    /* derivatives by parameters belong to a branch also where values agree (u max(x, 0) near u = 0); given steps, whose
     * numbers have derivatives too, have no tolerance to go by */
    if ((sim->sens || sim->options.step > 0) && !sign && !hovers(sim, k)) {
        return false;
    }
    if (q->equations->form != DD_EQUATIONS_REDUCED && sim->system->index > 1) {
        return false; /* x' and z do not follow from x there */
    }
    /* x' and z with the branch in force, then with the other */
    const double t = farthest(sim, k, at);
    dd_integ_interpolate(it, t, sim->w, sim->wdot);
    if (!dd_slopes_solve(sim->slopes, t, sim->w, sim->wdot).converged) {
        return false;
    }
    memcpy(sim->aside, sim->w, q->n * sizeof *sim->w);
    memcpy(sim->aside_rate, sim->wdot, q->n * sizeof *sim->w);
    dd_numbers_switching(q, t, sim->w, sim->wdot, sim->g_before);
    dd_numbers_freeze(q, k, sign ? -mode : 1.0 - mode);
    /* x' of the old branch at the end of the step would be part of the next one, which is about as long */
    const double span = it->keeps_slope ? it->t - it->t_old : it->t - at;
    const bool passes = dd_slopes_solve(sim->slopes, t, sim->aside, sim->aside_rate).converged && alike(sim, span) &&
                        stays_near(sim, t) && !others_see(sim, k, t);
    dd_numbers_freeze(q, k, mode);
    return passes;
}

void dd_sim_leave_kinks(dd_sim *sim)
{
    enum { CORRECTIONS = 3 };
    dd_numbers *q = sim->numbers;
    dd_integrator *it = sim->integrator;
    /* the end of the step has the branches that belong to it, and lies on their constraints */
    dd_numbers_switching(q, it->t, it->w, it->wdot, sim->g_probe);
    for (uint32_t k = 0; k < q->switches.len; k++) {
        if (sim->passed[k]) {
            dd_numbers_freeze(q, k, dd_switch_mode(&q->switches.data[k], sim->g_probe[k]));
        }
    }
    if (sim->keeper && sim->options.stabilize == DD_STABILIZE_PROJECTION) {
        dd_project(sim->keeper, it->t, it->w, q->problem.nominal, CORRECTIONS, sim->shift);
    }
}
