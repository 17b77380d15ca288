/* literal.c - relations within noEvent, which an `if` in a function has as well.
 *
 * They make no events, but what depends on them has a kink, and the estimate of a step of high order may be blind to
 * it. So they are frozen like those of abs: the step ends at the kink unless the other branch is within the tolerance
 * (layers.c). But noEvent also guards what has no value on the other side (`if x > 0 then x*log(x) else 0`), where no
 * step of a frozen branch ends, and switching back and forth that is none of the user's concern. Then they are taken
 * as they are written, until the place is passed. Steps of a given size end nowhere else: they never freeze.
 *
 * A function may also have more pieces than a run has steps (a root by bisection). Where nearly every step ends at a
 * kink, some steps are taken with the relations as written; if these are much longer, it stays so. */
#include <string.h>

#include "sim/run_impl.h"
#include "sim/sensitivity.h"

enum {
    FIRST_REST = 16,  /* steps until they are frozen again, twice as many after every failure */
    FIRST_STOPS = 64, /* kinks until steps are compared, */
    MORE_STOPS = 4    /* that many times as many before it is done again */
};
static const double NEARLY_ALL = 1.25; /* steps per kink */
static const double MUCH_LONGER = 10;

/* Do all kinks end steps? Splines have some in their third derivative. */
static bool is_smooth(const dd_sim *sim)
{
    return sim->numbers->seen_kinks && !sim->inputs;
}

static bool is_live(const dd_sim *sim, uint32_t k)
{
    return sim->numbers->switches.data[k].literal && sim->numbers->mode[k] == DD_SWITCH_LIVE;
}

/* As written from now on. True: some were frozen. */
static bool thaw(dd_sim *sim)
{
    bool any = false;
    for (uint32_t k = 0; k < sim->numbers->switches.len; k++) {
        if (sim->numbers->switches.data[k].literal && !is_live(sim, k)) {
            dd_numbers_freeze(sim->numbers, k, DD_SWITCH_LIVE);
            any = true;
        }
    }
    sim->smooth = sim->smooth && !any;
    return any;
}

void dd_sim_freeze_literals(dd_sim *sim, double t, const double *w, const double *wdot)
{
    dd_numbers *q = sim->numbers;
    sim->smooth = sim->options.step <= 0 && is_smooth(sim);
    if (sim->options.step > 0) {
        return;
    }
    /* g while all are as written: relations on relations have their values at once */
    dd_numbers_switching(q, t, w, wdot, sim->g_aside);
    for (uint32_t k = 0; k < q->switches.len; k++) {
        if (is_live(sim, k)) {
            dd_numbers_freeze(q, k, dd_switch_mode(&q->switches.data[k], sim->g_aside[k]));
        }
    }
}

void dd_sim_first_literals(dd_sim *sim)
{
    sim->smooth = sim->options.step <= 0 && is_smooth(sim);
    sim->live_for = 0;
    sim->live_rest = FIRST_REST;
    sim->kink_stops = (dd_kink_stops){.wanted = FIRST_STOPS, .t = sim->t0};
}

/* Steps are counted from here on. */
static void mark(dd_sim *sim)
{
    sim->kink_stops.count = 0;
    sim->kink_stops.steps = sim->integrator->stats.steps;
    sim->kink_stops.t = sim->integrator->t;
}

/* Time per step since the mark. */
static double pace(const dd_sim *sim)
{
    const uint64_t steps = sim->integrator->stats.steps - sim->kink_stops.steps;
    return steps > 0 ? (sim->integrator->t - sim->kink_stops.t) / (double)steps : 0.0;
}

bool dd_sim_stays_literal(dd_sim *sim)
{
    if (!thaw(sim)) {
        return false;
    }
    sim->live_for = UINT64_MAX;
    return true;
}

bool dd_sim_try_literally(dd_sim *sim)
{
    dd_integrator *it = sim->integrator;
    dd_step_verdict v;
    if (!thaw(sim)) {
        return false;
    }
    /* the method starts again here: x' may be that of the other branch */
    sim->live_for = sim->live_rest;
    sim->live_rest *= 2;
    memcpy(sim->w, it->w, sim->numbers->n * sizeof *sim->w);
    memcpy(sim->wdot, it->wdot, sim->numbers->n * sizeof *sim->wdot);
    dd_slopes_solve(sim->slopes, it->t, sim->w, sim->wdot);
    dd_sim_sens_pause(sim);
    dd_integ_start(it, it->t, sim->w, sim->wdot);
    it->h = 0;
    if (!dd_sim_sens_go_on(sim, &v)) {
        dd_run_sensitivities_failed(sim, it->t, v);
    }
    return true;
}

/* Many kinks: is it time to compare with steps that do not stop for them? */
static void look_at_stops(dd_sim *sim)
{
    dd_kink_stops *k = &sim->kink_stops;
    const double steps = (double)(sim->integrator->stats.steps - k->steps);
    if (k->count < k->wanted) {
        return;
    }
    const bool nearly_all = steps <= NEARLY_ALL * (double)k->count;
    k->pace = nearly_all ? pace(sim) : 0.0;
    mark(sim);
    if (nearly_all) {
        k->wanted *= MORE_STOPS;
        dd_sim_try_literally(sim);
    }
}

void dd_sim_rest_literals(dd_sim *sim)
{
    if (sim->live_for == UINT64_MAX) {
        return;
    }
    if (sim->live_for == 0) {
        look_at_stops(sim);
        return;
    }
    if (--sim->live_for > 0) {
        return;
    }
    /* the end of the steps as written: were they that much longer? */
    const bool longer = sim->kink_stops.pace > 0 && pace(sim) > MUCH_LONGER * sim->kink_stops.pace;
    sim->kink_stops.pace = 0;
    mark(sim);
    if (longer) {
        sim->live_for = UINT64_MAX;
        return;
    }
    dd_sim_freeze_literals(sim, sim->integrator->t, sim->integrator->w, sim->integrator->wdot);
}
