/* events.c - where relations change: known moments are bounds of steps; others are changes of sign of g on the dense
 * output, bracketed at a few points of every step and closed in by the Illinois variant of regula falsi. */
#include <float.h>
#include <math.h>

#include "sim/sim_impl.h"

enum { PROBES = 5, MOST_ITERATIONS = 200, MOST_EVENTS_KEPT = 10000 };

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
    dd_numbers_switching(q, sim->t0, sim->w0, sim->wdot0, sim->g_new);
    for (uint32_t k = 0; k < q->switches.len; k++) {
        dd_numbers_freeze(q, k, dd_sim_mode_at(&q->switches.data[k], sim->g_new[k], sim->t0));
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

bool dd_sim_find_event(dd_sim *sim, double *at, uint32_t *which)
{
    dd_numbers *q = sim->numbers;
    dd_integrator *it = sim->integrator;
    if (q->switches.len == 0) {
        return false;
    }
    double t = it->t_old, h = (it->t - it->t_old) / (PROBES + 1);
    probe(sim, t, sim->g_old);
    for (uint32_t p = 1; p <= PROBES + 1; p++) {
        double next = p == PROBES + 1 ? it->t : it->t_old + p * h;
        probe(sim, next, sim->g_new);
        *which = DD_NO_INDEX;
        for (uint32_t k = 0; k < q->switches.len; k++) {
            double now = distance(q, k, sim->g_new[k]), before = distance(q, k, sim->g_old[k]);
            if (q->switches.data[k].only_time || now >= 0 || isnan(now)) {
                continue;
            }
            /* it may change at the very start: two switches at one moment, apart by rounding */
            double found = before > 0 ? find_change(sim, k, t, before, next, now) : t;
            if (*which == DD_NO_INDEX || found < *at) {
                *at = found;
                *which = k;
            }
        }
        if (*which != DD_NO_INDEX) {
            return true;
        }
        for (uint32_t k = 0; k < q->switches.len; k++) {
            sim->g_old[k] = sim->g_new[k];
        }
        t = next;
    }
    return false;
}

void dd_sim_pass_event(dd_sim *sim, double t, uint32_t which)
{
    dd_numbers *q = sim->numbers;
    if (sim->inputs) {
        dd_inputs_enter(sim->inputs, t);
    }
    probe(sim, t, sim->g_probe);
    for (uint32_t k = 0; k < q->switches.len; k++) {
        const dd_switch *s = &q->switches.data[k];
        if (s->only_time) {
            if (s->at <= t) {
                dd_numbers_freeze(q, k, s->rate > 0 ? 1.0 : 0.0);
            }
        } else if (k == which || distance(q, k, sim->g_probe[k]) < 0) {
            double now = q->mode[k];
            if (k != which) { /* an input may jump by any amount */
                now = mode_of(s, sim->g_probe[k]);
            } else if (s->kind == DD_SWITCH_FLOOR) {
                now = sim->g_probe[k] - now > 0.5 ? now + 1 : now - 1;
            } else {
                now = now > 0 ? 0.0 : 1.0;
            }
            dd_numbers_freeze(q, k, now);
        }
    }
    sim->info.stats.events++;
    if (sim->event_times.len < MOST_EVENTS_KEPT) {
        dd_vec_push(sim->pool, &sim->event_times, t);
    }
}
