/* events.c - where relations change: known moments are bounds of steps; others are found on the dense output
 * (crossing.c). What depends on what has changed changes with it. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "sim/sim_impl.h"

static const double GROWN =
    4; /* steps that are longer than the last one by more are idle: nothing tells them what repeats */

enum {
    MOST_EVENTS_KEPT = 10000,
    LONG_STEPS = 32 /* of the run: longer ones may meet the same phase of what repeats at all probes */
};

/* One look at all relations with the values they have: those that differ now are frozen again. */
static bool look_again(dd_sim *sim)
{
    dd_numbers *q = sim->numbers;
    bool changed = false;
    dd_numbers_switching(q, sim->t0, sim->w0, sim->wdot0, sim->g_probe);
    /* relations that jump by themselves; slopes and margins are set elsewhere */
    for (uint32_t k = 0; k < q->switches.len; k++) {
        const double mode = dd_switch_mode_at(&q->switches.data[k], sim->g_probe[k], sim->t0);
        if (mode != q->mode[k] && dd_switch_changes(&q->switches.data[k])) {
            dd_numbers_freeze(q, k, mode);
            changed = true;
        }
    }
    return changed;
}

void dd_sim_first_modes(dd_sim *sim)
{
    dd_numbers *q = sim->numbers;
    /* all false first: a relation that another one decides is looked at again */
    for (uint32_t k = 0; k < q->switches.len; k++) {
        dd_numbers_freeze(q, k, q->switches.data[k].literal ? DD_SWITCH_LIVE : 0);
    }
    /* a relation may be on what another one decides: a chain of them takes a look each */
    for (uint32_t round = 0; round <= q->switches.len && look_again(sim); round++) {
    }
    dd_sim_set_margins(sim, sim->t0, sim->w0, sim->wdot0);
    /* a sign at exactly zero: does the solution stay there? */
    for (uint32_t k = 0; k < q->switches.len; k++) {
        if (q->switches.data[k].kind == DD_SWITCH_SIGN && q->mode[k] == 0) {
            dd_sim_slide(sim, k, sim->t0, sim->w0, sim->wdot0);
        }
    }
    dd_sim_freeze_literals(sim, sim->t0, sim->w0, sim->wdot0);
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

dd_crossings dd_sim_crossings(dd_sim *sim, const dd_switch_vec *list, const double *mode, dd_crossing_values evaluate,
                              double *g_seen, double *g_probe)
{
    return (dd_crossings){.integrator = sim->integrator,
                          .state = dd_sim_state,
                          .state_x = dd_sim_state_x,
                          .user = sim,
                          .rough = dd_sim_dense_is_rough(sim),
                          .given = sim->options.step > 0,
                          .list = list->data,
                          .count = list->len,
                          .mode = mode,
                          .evaluate = evaluate,
                          .w = sim->w,
                          .wdot = sim->wdot,
                          .g_seen = g_seen,
                          .g_probe = g_probe,
                          .g_part = sim->g_part,
                          .long_step = (sim->t_stop - sim->t0) / LONG_STEPS};
}

static void values(void *user, double t, const double *w, const double *wdot, double *g)
{
    dd_sim_switching(user, t, w, wdot, g);
}

bool dd_sim_find_event(dd_sim *sim, double *at, uint32_t *which)
{
    dd_numbers *q = sim->numbers;
    const dd_integrator *it = sim->integrator;
    if (q->changing == 0) {
        return false;
    }
    dd_crossings c = dd_sim_crossings(sim, &q->switches, q->mode, values, sim->g_seen, sim->g_probe);
    bool passed = false;
    c.grown = it->t - it->t_old > GROWN * sim->last_length;
    sim->last_length = it->t - it->t_old;
    /* kinks within the tolerance are not events: look further behind them */
    c.ignored = sim->passed;
    memset(sim->passed, 0, q->switches.len * sizeof *sim->passed);
    while (dd_crossings_first(&c, it->t_old, it->t, at, which)) {
        if (!dd_sim_passes_kink(sim, *which, *at)) {
            return true;
        }
        sim->passed[*which] = passed = true;
        c.seen = true;
    }
    if (passed) {
        dd_sim_leave_kinks(sim);
    }
    return false;
}

/* The value of switch k behind the event; which: the one that was found. */
static double mode_behind(const dd_sim *sim, uint32_t k, uint32_t which, double t, double g)
{
    const dd_switch *s = &sim->numbers->switches.data[k];
    const double now = sim->numbers->mode[k];
    /* a moment that is reached has its value from now on */
    if (s->only_time) {
        return s->at <= t ? (s->rate > 0 ? 1.0 : 0.0) : now;
    }
    if (!dd_switch_changes(s) || (s->literal && now == DD_SWITCH_LIVE)) {
        return now;
    }
    /* others change only if they are clearly on the other side now */
    if (k != which) { /* an input may jump by any amount; what has just changed may be short of its bound by rounding */
        const double rounding = s->kind == DD_SWITCH_FLOOR ? 16 * DBL_EPSILON * fabs(g) : 0.0;
        const bool stays = !(dd_switch_distance(s, now, g) < -rounding);
        return stays ? now : s->kind == DD_SWITCH_SIGN && now == 0 ? s->side : dd_switch_mode(s, g);
    }
    /* the one that was found changes by definition, whatever its rounding */
    switch (s->kind) {
    case DD_SWITCH_FLOOR:
        return g - now > 0.5 ? now + 1 : now - 1;
    case DD_SWITCH_SIGN:
        return now == 0 ? s->side : -now;
    default:
        return now > 0 ? 0.0 : 1.0;
    }
}

void dd_sim_turn_twins(dd_sim *sim, uint32_t k)
{
    dd_numbers *q = sim->numbers;
    const dd_switch *list = q->switches.data;
    /* relations on g and -g turn together */
    for (uint32_t j = 0; j < q->switches.len && list[k].kind == DD_SWITCH_RELATION; j++) {
        const bool live = list[j].literal && q->mode[j] == DD_SWITCH_LIVE;
        if (j != k && !live && list[j].kind == DD_SWITCH_RELATION && list[j].twin == list[k].twin) {
            const bool above = (q->mode[k] > 0) == (list[j].twin_sign == list[k].twin_sign);
            sim->turned[j] = sim->turned[j] || (q->mode[j] > 0) != above;
            dd_numbers_freeze(q, j, above ? 1.0 : 0.0);
        }
    }
}

/* Freezes switch k at this value. True when it differs from the one before. */
static bool change_mode(dd_sim *sim, uint32_t k, double mode)
{
    dd_numbers *q = sim->numbers;
    if (mode == q->mode[k]) {
        return false;
    }
    /* a sign that leaves zero has no slope any more */
    if (q->switches.data[k].kind == DD_SWITCH_SIGN) {
        sim->crossed[k] = q->mode[k] != 0;
        dd_numbers_freeze(q, k + 1, 0.0);
    }
    dd_numbers_freeze(q, k, mode);
    sim->turned[k] = true;
    return true;
}

bool dd_sim_settle(dd_sim *sim, double t, uint32_t which)
{
    dd_numbers *q = sim->numbers;
    bool changed = false;
    dd_sim_switching(sim, t, sim->w, sim->wdot, sim->g_probe);
    for (uint32_t k = 0; k < q->switches.len; k++) {
        const double g = sim->g_probe[k];
        changed = (k != which && !sim->decided[k] && change_mode(sim, k, mode_behind(sim, k, which, t, g))) || changed;
    }
    return changed;
}

/* Conditions on what other conditions decide (mod(x, 1) < 0.5) change at the same moment. */
static void settle_consequences(dd_sim *sim, double t, uint32_t which)
{
    enum { ROUNDS = 8 };
    for (int round = 0; round < ROUNDS && dd_sim_settle(sim, t, which); round++) {
    }
}

void dd_sim_pass_event(dd_sim *sim, double t, uint32_t which)
{
    dd_numbers *q = sim->numbers;
    /* inputs behind their jump */
    if (sim->inputs) {
        dd_inputs_enter(sim->inputs, t);
    }
    if (sim->renumbered) { /* parameters jump with them */
        dd_sim_renumber(sim);
    }
    memset(sim->turned, 0, (q->switches.len + 1) * sizeof *sim->turned);
    memset(sim->crossed, 0, (q->switches.len + 1) * sizeof *sim->crossed);
    memset(sim->decided, 0, (q->switches.len + 1) * sizeof *sim->decided);
    dd_sim_switching(sim, t, sim->w, sim->wdot, sim->g_probe);
    /* all relations at the moment, then those that depend on them */
    for (uint32_t k = 0; k < q->switches.len; k++) {
        change_mode(sim, k, mode_behind(sim, k, which, t, sim->g_probe[k]));
    }
    if (which != DD_NO_INDEX) {
        dd_sim_turn_twins(sim, which);
    }
    settle_consequences(sim, t, which);
}

bool dd_sim_is_event(const dd_sim *sim, uint32_t which)
{
    const dd_switch_vec *list = &sim->numbers->switches;
    bool loud = which == DD_NO_INDEX;
    for (uint32_t k = 0; k < list->len; k++) {
        loud = loud || (sim->turned[k] && !list->data[k].quiet);
    }
    return loud;
}

void dd_sim_note_event(dd_sim *sim, double t)
{
    sim->info.stats.events++;
    if (sim->event_times.len < MOST_EVENTS_KEPT) {
        dd_vec_push(sim->pool, &sim->event_times, t);
    }
}
