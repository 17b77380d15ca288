/* run_events.c - passing an event: x goes on, new branches, x' and z solved for again, all histories begin again. */
#include <math.h>
#include <string.h>

#include "integ/project.h"
#include "sim/leap.h"
#include "sim/run_impl.h"
#include "sim/sensitivity.h"
#include "sim/solvability.h"

enum { MOST_NEAR_EVENTS = 100 }; /* in a row without motion: chattering */
/* Corrections at an event, in tolerances: what matters to the user; what a step would notice (methods go by parts of the
 * tolerance, down to 5e-3). */
static const double MOVED = 0.1, NOTICED = 1e-3;

/* Has x moved by more than the tolerance since the first of the near events? */
static bool has_moved(const dd_sim *sim)
{
    const dd_problem *p = &sim->numbers->problem;
    const double *w = sim->w, tol = dd_sim_tolerance(sim);
    /* in units of the tolerance */
    for (uint32_t j = 0; j < p->n; j++) {
        const double moved = fabs(w[j] - sim->near_w[j]);
        if (p->differential[j] && !(moved <= sim->atol[j] + tol * fabs(w[j]))) {
            return true;
        }
    }
    return false;
}

/* Events without end: many in a row with hardly any time between them, and nothing moves meanwhile. Fast switching
 * alone, in a long run, is neither. */
static bool chatters(dd_sim *sim, double t)
{
    /* a billionth of the time that has passed */
    const double hardly = 1e-9 * fmax(t - sim->t0, 1e-3 * (sim->t_stop - sim->t0));
    const bool near = t - sim->last_event < hardly;
    sim->last_event = t;
    sim->near_events = near ? sim->near_events + 1 : 0;
    /* far apart, or not yet many: only then is a look at x worth its price */
    if (sim->near_events > 0 && sim->near_events < MOST_NEAR_EVENTS) {
        return false;
    }
    /* begin to count where something has moved */
    dd_integ_interpolate(sim->integrator, t, sim->w, sim->wdot);
    if (sim->near_events == 0 || has_moved(sim)) {
        memcpy(sim->near_w, sim->w, sim->numbers->n * sizeof *sim->near_w);
        sim->near_events = 0;
        return false;
    }
    if (dd_sim_stays_literal(sim)) {
        sim->near_events = 0;
        return false;
    }
    dd_run_stop(
        sim, DD_SIM_CHATTERING,
        "at time %.10g conditions switch back and forth without end: the solution would slide along the switching "
        "surface; give the condition a width (hysteresis) or smooth it",
        t);
    return true;
}

/* Puts the point in sim->w onto the constraints behind the event, which hold there already but for errors of the
 * solution up to a moment that was found during the run. Where they jump impulse.c judges. */
static bool meet_constraints(dd_sim *sim, double t, uint32_t which, double nothing)
{
    enum { CORRECTIONS = 3 };
    const dd_problem *p = &sim->numbers->problem;
    if (!sim->keeper || sim->options.stabilize != DD_STABILIZE_PROJECTION || which == DD_NO_INDEX) {
        return false;
    }
    /* in the norm of the error test, as steps are */
    for (uint32_t j = 0; j < p->n; j++) {
        sim->aside[j] = sim->w[j];
        sim->aside_rate[j] = sim->atol[j] + dd_sim_tolerance(sim) * fabs(sim->w[j]);
    }
    const dd_projection look = dd_project(sim->keeper, t, sim->aside, sim->aside_rate, CORRECTIONS, sim->shift);
    if (!look.converged || !(look.moved > nothing)) {
        return false;
    }
    memcpy(sim->w, sim->aside, p->n * sizeof *sim->w);
    return true;
}

uint32_t dd_sim_column_of(const dd_sim *sim, uint32_t j)
{
    const dd_system *s = sim->system;
    const dd_expr w = sim->numbers->w.data[j];
    const uint32_t column = s->column[dd_symbol_id(s->model->dag, w)];
    return column < s->declared && dd_symbol_order(s->model->dag, w) == 0 ? column : DD_NO_INDEX;
}

/* Equations of index 2 and more as they are written do not determine z at a point, and a method that starts again off the
 * hidden constraints answers with impulses. So the point behind an event is made consistent as that at the start is, by
 * the reduced system; where it has no answer, all stays as it was. */
static void make_consistent(dd_sim *sim, double t)
{
    dd_numbers *q = sim->numbers;
    dd_numbers_outputs(q, t, sim->w, sim->wdot, sim->values);
    if (!sim->watch || !dd_watch_complete(sim->watch, t, sim->values)) {
        return;
    }
    for (uint32_t j = 0; j < q->n; j++) {
        const uint32_t column = dd_sim_column_of(sim, j);
        sim->w[j] = column != DD_NO_INDEX ? sim->values[column] : sim->w[j];
        if (q->problem.differential[j]) {
            dd_watch_rate(sim->watch, q->w.data[j], &sim->wdot[j]);
        }
    }
}

/* x' and z of the point in sim->w. */
static dd_slopes_info solve_point(dd_sim *sim, double t)
{
    if (sim->numbers->equations->form == DD_EQUATIONS_ORIGINAL && sim->system->index > 1) {
        make_consistent(sim, t);
        return (dd_slopes_info){.converged = true};
    }
    return dd_slopes_solve(sim->slopes, t, sim->w, sim->wdot);
}

/* x' and z behind the event at t, until they agree with all relations; which: the one that was found. False: the status
 * says why. */
static bool solve_behind(dd_sim *sim, double t, uint32_t which)
{
    enum { ROUNDS = 8 };
    for (int round = 0;; round++) {
        /* values first, then relations by these values, until neither changes */
        const dd_slopes_info info = solve_point(sim, t);
        if (!info.converged) {
            char name[200];
            dd_run_name_unknown(sim, info.worst, name, sizeof name);
            dd_run_stop(sim, info.singular ? DD_SIM_SINGULAR : DD_SIM_NEWTON_FAILED,
                        "after the event at time %.10g the equations could not be solved for %s", t, name);
            return false;
        }
        if (round == ROUNDS ||
            !(dd_sim_settle(sim, t, which) || dd_sim_slide_all(sim, t) || dd_sim_turn_at_once(sim, t, which))) {
            return true;
        }
    }
}

/* All histories end at t: integrator, kinks, watch of solvability. The point behind it is in sim->w and sim->wdot. */
static void begin_histories(dd_sim *sim, double t)
{
    dd_integ_start(sim->integrator, t, sim->w, sim->wdot);
    dd_sim_first_kinks(sim, t, sim->w, sim->wdot);
    if (sim->solvability) {
        dd_solvability_start(sim->solvability);
    }
    if (sim->leap) {
        dd_leap_restart(sim);
    }
    sim->integrator->h = 0;
    sim->kink_bound = -INFINITY;
}

bool dd_run_restart(dd_sim *sim)
{
    const dd_integrator *it = sim->integrator;
    const double t = it->t;
    memcpy(sim->w, it->w, sim->numbers->n * sizeof *sim->w);
    memcpy(sim->wdot, it->wdot, sim->numbers->n * sizeof *sim->wdot);
    dd_sim_pass_event(sim, t, DD_NO_INDEX);
    if (!solve_behind(sim, t, DD_NO_INDEX)) {
        return false;
    }
    begin_histories(sim, t);
    return dd_sim_row_spacing(sim) > 0 || dd_sim_add_row(sim, t, it->w, it->wdot);
}

/* The run ends at the event at t, with the values before it: there are none behind it. */
static bool end_before(dd_sim *sim, double t)
{
    dd_integrator *it = sim->integrator;
    for (uint32_t k = 0; k < sim->numbers->switches.len; k++) {
        dd_numbers_freeze(sim->numbers, k, sim->mode_arrived[k]);
    }
    dd_sim_sens_go_back(sim, t);
    it->t = t;
    memcpy(it->w, sim->arrived, sim->numbers->n * sizeof *sim->w);
    memcpy(it->wdot, sim->arrived_rate, sim->numbers->n * sizeof *sim->wdot);
    return false;
}

/* The solver starts again at t with the new branches: x goes on, x' and z are solved for again. */
bool dd_run_pass_event(dd_sim *sim, double t, uint32_t which)
{
    dd_integrator *it = sim->integrator;
    dd_step_verdict v;
    /* derivatives arrive before the branches change, and leave with the new ones */
    if (chatters(sim, t)) {
        dd_run_go_back(sim, t);
        return false;
    }
    if (!dd_sim_sens_arrive(sim, t, which, &v)) {
        dd_run_sensitivities_failed(sim, t, v);
        return false;
    }
    /* values before the event, the new branches, x onto the constraints, then x' and z */
    dd_sim_before_event(sim, t);
    dd_sim_point(sim, t); /* on the constraints before the event */
    memcpy(sim->arrived, sim->w, sim->numbers->n * sizeof *sim->w);
    memcpy(sim->arrived_rate, sim->wdot, sim->numbers->n * sizeof *sim->wdot);
    memcpy(sim->mode_arrived, sim->numbers->mode, sim->numbers->switches.len * sizeof *sim->mode_arrived);
    dd_sim_pass_event(sim, t, which);
    meet_constraints(sim, t, which, MOVED);
    if (!solve_behind(sim, t, which)) {
        return end_before(sim, t);
    }
    /* relations that followed have constraints of their own */
    if (meet_constraints(sim, t, which, NOTICED)) {
        (void)dd_slopes_solve(sim->slopes, t, sim->w, sim->wdot);
    }
    if (!dd_sim_behind_event(sim, t, which)) {
        return end_before(sim, t);
    }
    sim->kink_stops.count += which != DD_NO_INDEX && sim->numbers->switches.data[which].literal;
    /* kinks and layers restart the method without being events for the user */
    const bool event = dd_sim_is_event(sim, which);
    if (event) {
        dd_sim_note_event(sim, t);
    }
    begin_histories(sim, t);
    if (!dd_sim_sens_leave(sim, &v)) {
        dd_run_sensitivities_failed(sim, t, v);
        return false;
    }
    /* both sides of a jump, unless the rows are those of a grid */
    return !event || dd_sim_row_spacing(sim) > 0 || dd_sim_add_row(sim, t, it->w, it->wdot);
}
