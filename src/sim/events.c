/* events.c - where relations change: known moments are bounds of steps; others are changes of sign of g on the dense
 * output, bracketed at a few points of every step, and where a parabola through these says that g passes through zero and
 * back between two of them, and closed in by the Illinois variant of regula falsi. */
#include <float.h>
#include <math.h>

#include "sim/sim_impl.h"

enum { PROBES = DD_SIM_PROBES, MOST_ITERATIONS = 200, MOST_EVENTS_KEPT = 10000 };

static double mode_of(const dd_switch *s, double g)
{
    if (s->kind == DD_SWITCH_FLOOR) {
        return floor(g);
    }
    return g > 0 || (g == 0 && s->holds_at_zero) ? 1.0 : 0.0;
}

double dd_sim_mode_at(const dd_switch *s, double g, double t)
{
    if (s->only_time) { /* at the moment itself what comes after counts */
        return s->at > t ? (s->rate > 0 ? 0.0 : 1.0) : (s->rate > 0 ? 1.0 : 0.0);
    }
    return mode_of(s, g);
}

void dd_sim_first_modes(dd_sim *sim)
{
    dd_numbers *q = sim->numbers;
    dd_numbers_switching(q, sim->t0, sim->w0, sim->wdot0, sim->g_probe);
    for (uint32_t k = 0; k < q->switches.len; k++) {
        dd_numbers_freeze(q, k, dd_sim_mode_at(&q->switches.data[k], sim->g_probe[k], sim->t0));
    }
}

double dd_sim_next_time_event(const dd_sim *sim, double t)
{
    const dd_numbers *q = sim->numbers;
    double next = INFINITY;
    for (uint32_t k = 0; k < q->switches.len; k++) {
        const dd_switch *s = &q->switches.data[k];
        if (s->only_time && s->at > t && s->at < next) {
            next = s->at;
        }
    }
    return sim->inputs ? fmin(next, dd_inputs_next_jump(sim->inputs, t)) : next;
}

/* How far the switch is from changing: positive while its frozen value holds. */
static double distance(const dd_numbers *q, uint32_t k, double g)
{
    const dd_switch *s = &q->switches.data[k];
    double mode = q->mode[k];
    if (s->kind == DD_SWITCH_FLOOR) {
        return fmin(g - mode, mode + 1 - g);
    }
    return mode > 0 ? g : -g;
}

static void probe(dd_sim *sim, double t, double *g)
{
    dd_integ_interpolate(sim->integrator, t, sim->w, sim->wdot);
    dd_numbers_switching(sim->numbers, t, sim->w, sim->wdot, g);
}

/* The same with x' and z from the equations at the x of the dense output, which is more accurate than its own. */
static void probe_solved(dd_sim *sim, double t, double *g)
{
    dd_integ_interpolate(sim->integrator, t, sim->w, sim->wdot);
    dd_slopes_solve(sim->slopes, t, sim->w, sim->wdot);
    dd_numbers_switching(sim->numbers, t, sim->w, sim->wdot, g);
}

/* The change of switch k between a (holds) and b (does not): the first point on b's side. */
static double close_in(dd_sim *sim, uint32_t k, double a, double fa, double b, double fb, bool solved)
{
    double limit = 4 * DBL_EPSILON * fmax(fabs(a), fabs(b));
    for (int it = 0; it < MOST_ITERATIONS && b - a > limit; it++) {
        double t = it % 4 == 3 ? 0.5 * (a + b) : (a * fb - b * fa) / (fb - fa);
        t = t > a + 0.5 * limit && t < b - 0.5 * limit ? t : 0.5 * (a + b);
        (solved ? probe_solved : probe)(sim, t, sim->g_probe);
        double f = distance(sim->numbers, k, sim->g_probe[k]);
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

/* Closes in on the change between a and b; fa > 0 > fb on the dense output. */
static double find_change(dd_sim *sim, uint32_t k, double a, double fa, double b, double fb)
{
    const bool follows = sim->numbers->equations->form == DD_EQUATIONS_REDUCED || sim->system->index <= 1;
    if (sim->numbers->switches.data[k].implicit && follows) {
        probe_solved(sim, a, sim->g_probe);
        const double at_a = distance(sim->numbers, k, sim->g_probe[k]);
        probe_solved(sim, b, sim->g_probe);
        const double at_b = distance(sim->numbers, k, sim->g_probe[k]);
        if (at_a > 0 && at_b < 0) {
            return close_in(sim, k, a, at_a, b, at_b, true);
        }
    }
    return close_in(sim, k, a, fa, b, fb, false);
}

/* The same where g begins at zero, as after an event of its own, and has changed at b: at once, or it left zero for the
 * right side first and came back within a short part of the step. */
static double find_return(dd_sim *sim, uint32_t k, double a, double fa, double b, double fb)
{
    const double limit = 4 * DBL_EPSILON * fmax(fabs(a), fabs(b)), nothing = 1e-6;
    double right = b, f_right = fb;
    if (fa < nothing * fb) { /* both are negative: it is on the wrong side from the beginning */
        return a;
    }
    for (double part = 0.5 * (b - a); part > limit; part *= 0.5) {
        probe(sim, a + part, sim->g_probe);
        const double f = distance(sim->numbers, k, sim->g_probe[k]);
        if (f > 0) {
            return find_change(sim, k, a + part, f, right, f_right);
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
    const double a = d->t[0] - d->t[1], c = d->t[2] - d->t[1];
    const double left = (d->f[0] - d->f[1]) / a, right = (d->f[2] - d->f[1]) / c;
    const double curvature = (right - left) / (c - a), slope = left - curvature * a;
    if (!(curvature > 0)) {
        return false;
    }
    const double step = -0.5 * slope / curvature;
    *t = d->t[1] + step;
    *f = d->f[1] + 0.5 * slope * step;
    return true;
}

/* Does the distance of switch k pass below zero and come back between two probes, a and b? A parabola through three of
 * them tells where to look; the lowest point is looked for while it promises less than a part of what is seen. True: it is
 * negative at *t. */
static bool dips_between(dd_sim *sim, uint32_t k, dip d, double a, double b, double *t, double *f)
{
    enum { LOOKS = 6 };
    const double part = 0.25;
    for (int look = 0; look < LOOKS; look++) {
        double expected;
        const double seen = fmin(d.f[0], fmin(d.f[1], d.f[2]));
        if (!lowest_point(&d, t, &expected) || !(*t > a && *t < b) || expected > part * seen) {
            return false;
        }
        probe(sim, *t, sim->g_probe);
        *f = distance(sim->numbers, k, sim->g_probe[k]);
        if (*f < 0) {
            return true;
        }
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

static double seen_distance(const dd_sim *sim, const probes *p, uint32_t i, uint32_t k)
{
    return distance(sim->numbers, k, p->g[(size_t)i * sim->numbers->switches.len + k]);
}

static dip three_points(const dd_sim *sim, const probes *p, uint32_t first, uint32_t k)
{
    dip d;
    for (uint32_t i = 0; i < 3; i++) {
        d.t[i] = p->t[first + i];
        d.f[i] = seen_distance(sim, p, first + i, k);
    }
    return d;
}

/* The change of switch k between the probes i and i + 1. */
static bool change_between(dd_sim *sim, const probes *p, uint32_t i, uint32_t k, double *at)
{
    const double a = p->t[i], b = p->t[i + 1], nothing = 1e-6;
    const double before = seen_distance(sim, p, i, k), now = seen_distance(sim, p, i + 1, k);
    if (sim->numbers->switches.data[k].only_time || isnan(now)) {
        return false;
    }
    if (now < 0) {
        *at = before > 0 ? find_change(sim, k, a, before, b, now) : find_return(sim, k, a, before, b, now);
        return true;
    }
    if (!(before > nothing * now)) { /* it comes from its own event */
        return false;
    }
    double t, f;
    for (uint32_t first = i > 0 ? i - 1 : 0; first <= i && first + 2 <= PROBES + 1; first++) {
        if (dips_between(sim, k, three_points(sim, p, first, k), a, b, &t, &f)) {
            *at = find_change(sim, k, a, before, t, f);
            return true;
        }
    }
    return false;
}

bool dd_sim_find_event(dd_sim *sim, double *at, uint32_t *which)
{
    const uint32_t count = sim->numbers->switches.len;
    const dd_integrator *it = sim->integrator;
    if (count == 0) {
        return false;
    }
    probes p = {.g = sim->g_seen};
    for (uint32_t i = 0; i <= PROBES + 1; i++) {
        p.t[i] = i == PROBES + 1 ? it->t : it->t_old + i * ((it->t - it->t_old) / (PROBES + 1));
        probe(sim, p.t[i], sim->g_seen + (size_t)i * count);
    }
    *which = DD_NO_INDEX;
    for (uint32_t i = 0; i <= PROBES && *which == DD_NO_INDEX; i++) {
        for (uint32_t k = 0; k < count; k++) {
            double found;
            if (change_between(sim, &p, i, k, &found) && (*which == DD_NO_INDEX || found < *at)) {
                *at = found;
                *which = k;
            }
        }
    }
    return *which != DD_NO_INDEX;
}

/* The value of switch k behind the event; which: the one that was found. */
static double mode_behind(const dd_sim *sim, uint32_t k, uint32_t which, double t, double g)
{
    const dd_switch *s = &sim->numbers->switches.data[k];
    const double now = sim->numbers->mode[k];
    if (s->only_time) {
        return s->at <= t ? (s->rate > 0 ? 1.0 : 0.0) : now;
    }
    if (k != which) { /* an input may jump by any amount; what has just changed may be short of its bound by rounding */
        const double rounding = s->kind == DD_SWITCH_FLOOR ? 16 * DBL_EPSILON * fabs(g) : 0.0;
        return distance(sim->numbers, k, g) < -rounding ? mode_of(s, g) : now;
    }
    if (s->kind == DD_SWITCH_FLOOR) {
        return g - now > 0.5 ? now + 1 : now - 1;
    }
    return now > 0 ? 0.0 : 1.0;
}

/* Conditions on what other conditions decide (mod(x, 1) < 0.5) change at the same moment. */
static void settle_consequences(dd_sim *sim, double t, uint32_t which)
{
    enum { ROUNDS = 8 };
    dd_numbers *q = sim->numbers;
    bool changed = true;
    for (int round = 0; round < ROUNDS && changed; round++) {
        changed = false;
        dd_numbers_switching(q, t, sim->w, sim->wdot, sim->g_probe);
        for (uint32_t k = 0; k < q->switches.len; k++) {
            const double mode = k == which ? q->mode[k] : mode_behind(sim, k, which, t, sim->g_probe[k]);
            if (mode != q->mode[k]) {
                dd_numbers_freeze(q, k, mode);
                changed = true;
            }
        }
    }
}

void dd_sim_pass_event(dd_sim *sim, double t, uint32_t which)
{
    dd_numbers *q = sim->numbers;
    if (sim->inputs) {
        dd_inputs_enter(sim->inputs, t);
    }
    probe(sim, t, sim->g_probe);
    for (uint32_t k = 0; k < q->switches.len; k++) {
        dd_numbers_freeze(q, k, mode_behind(sim, k, which, t, sim->g_probe[k]));
    }
    settle_consequences(sim, t, which);
    sim->info.stats.events++;
    if (sim->event_times.len < MOST_EVENTS_KEPT) {
        dd_vec_push(sim->pool, &sim->event_times, t);
    }
}
