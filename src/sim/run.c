/* run.c - the loop of a simulation: steps, rows of the trajectory, events, verdicts. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/context.h"
#include "integ/project.h"
#include "result/csv.h"
#include "sim/sensitivity.h"
#include "sim/solvability.h"

enum { MOST_NEAR_EVENTS = 100, PROGRESS_EVERY = 64, LARGE = 1000 };

/* ---- verdicts ---- */

static void stop_with(dd_sim *sim, dd_sim_status status, const char *format, ...) __attribute__((format(printf, 3, 4)));

static void stop_with(dd_sim *sim, dd_sim_status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    dd_format(sim->reason, sizeof sim->reason, format, args);
    va_end(args);
    sim->info.status = status;
    sim->info.reason = sim->reason;
}

void dd_sim_end(dd_sim *sim, dd_sim_status status, const char *reason)
{
    stop_with(sim, status, "%s", reason);
}

/* Was the run asked to stop, by a signal or by its time limit? Then the status says so. */
static bool interrupted(dd_sim *sim)
{
    dd_status st = dd_poll_stop_now(sim->ctx);
    if (st == DD_OK) {
        return false;
    }
    /* kernels foresee that a factorisation would not end in time, and stop before it */
    stop_with(sim, st == DD_INTERRUPTED ? DD_SIM_INTERRUPTED : DD_SIM_TIME_LIMIT, "%s at time %.10g",
              st == DD_INTERRUPTED         ? "interrupted"
              : dd_stop_foreseen(sim->ctx) ? "the time limit leaves no time for the next factorisation"
                                           : "the time limit was reached",
              sim->integrator->t);
    return true;
}

static void name_unknown(const dd_sim *sim, uint32_t j, char *out, size_t size)
{
    const dd_numbers *q = sim->numbers;
    if (j == DD_NO_INDEX || j >= q->n) {
        snprintf(out, size, "the solution");
        return;
    }
    dd_dag *dag = q->system->model->dag;
    const char *name = dd_model_var_name_dup(q->system->model, dd_symbol_id(dag, q->w.data[j]), sim->pool);
    snprintf(out, size, "%s", name);
}

/* The unknown that changes fastest, for its size. */
static uint32_t fastest(const dd_sim *sim)
{
    const dd_integrator *it = sim->integrator;
    uint32_t found = DD_NO_INDEX;
    double most = 0;
    /* relative to the value or its nominal: the likely culprit where no step is short enough */
    for (uint32_t j = 0; j < sim->numbers->n; j++) {
        const double rate = fabs(it->wdot[j]) / fmax(fabs(it->w[j]), sim->numbers->problem.nominal[j]);
        if (sim->numbers->problem.differential[j] && rate > most) {
            found = j;
            most = rate;
        }
    }
    return found;
}

/* The unknown that is larger than any solution would be, DD_NO_INDEX: none. */
static uint32_t grown(const dd_sim *sim)
{
    const double beyond = 1e30; /* times nominal: numbers that end in overflow, not sizes of things */
    uint32_t found = DD_NO_INDEX;
    double most = beyond;
    for (uint32_t j = 0; j < sim->numbers->n; j++) {
        const double size = fabs(sim->integrator->w[j]) / sim->numbers->problem.nominal[j];
        if (size > most) {
            found = j;
            most = size;
        }
    }
    return found;
}

static void not_finite(dd_sim *sim, const char *name)
{
    const dd_integrator *it = sim->integrator;
    const uint32_t large = grown(sim);
    /* without a huge value it is a formula that has no value there */
    if (large == DD_NO_INDEX) {
        stop_with(
            sim, DD_SIM_NONFINITE,
            "at time %.10g the equations cannot be evaluated any further (not a number or infinite; %s is affected "
            "first): look for sqrt or log of a negative number, or a division by zero",
            it->t, name);
        return;
    }
    char which[200];
    name_unknown(sim, large, which, sizeof which);
    stop_with(sim, DD_SIM_NONFINITE, "at time %.10g the numbers have grown beyond all bounds (%s = %.1e)%s", it->t,
              which, it->w[large],
              sim->options.step > 0
                  ? ": the method is unstable with steps of this size; take shorter ones (--step), or "
                    "a method that chooses them"
                  : ": the solution grows without end");
}

static void step_failed(dd_sim *sim, dd_step_verdict v)
{
    const dd_integrator *it = sim->integrator;
    char name[200];
    /* the integrator names the unknown that moved most, where it knows one */
    name_unknown(sim, it->worst == DD_NO_INDEX && v == DD_STEP_STEP_TOO_SMALL ? fastest(sim) : it->worst, name,
                 sizeof name);
    switch (v) {
    case DD_STEP_NONFINITE:
        not_finite(sim, name);
        break;
    case DD_STEP_SINGULAR:
        if (dd_sim_method_leaves_open(sim)) {
            stop_with(sim, DD_SIM_SINGULAR,
                      "%s cannot integrate these equations of index %d: its last stage enters no other one, so that "
                      "they do not determine %s; take radau-S, lobatto-S or gauss-S, or the reduced form (default)",
                      it->name, sim->system->index, name);
            break;
        }
        stop_with(sim, DD_SIM_SINGULAR,
                  "at time %.10g the equations lose rank: %s and what depends on it is not determined any more", it->t,
                  name);
        break;
    case DD_STEP_NEWTON_FAILED:
        stop_with(sim, DD_SIM_NEWTON_FAILED,
                  "at time %.10g the nonlinear equations of a step could not be solved, however short; %s moved most",
                  it->t, name);
        break;
    case DD_STEP_PROJECTION_FAILED:
        stop_with(sim, DD_SIM_NEWTON_FAILED,
                  "at time %.10g the solution could not be projected onto its constraints: they may become dependent "
                  "there (check at that point), or the tolerance is too loose",
                  it->t);
        break;
    case DD_STEP_OUT_OF_MEMORY:
        stop_with(sim, DD_SIM_OUT_OF_MEMORY, "memory ran out at time %.10g", it->t);
        break;
    default:
        stop_with(sim, DD_SIM_STEP_TOO_SMALL,
                  "at time %.10g no step is short enough for the tolerance: %s may grow without bound there or jump",
                  it->t, name);
        break;
    }
}

/* The solution is there, its derivatives by parameters are not. */
static void sensitivities_failed(dd_sim *sim, double t, dd_step_verdict v)
{
    sim->sens->lost = true;
    if (v == DD_STEP_OUT_OF_MEMORY && interrupted(sim)) { /* kernels that stop say that they cannot go on */
        return;
    }
    switch (v) {
    case DD_STEP_OUT_OF_MEMORY:
        stop_with(sim, DD_SIM_OUT_OF_MEMORY, "memory ran out at time %.10g", t);
        break;
    case DD_STEP_SINGULAR:
        stop_with(sim, DD_SIM_SINGULAR, "at time %.10g the linear equations of the sensitivities are singular", t);
        break;
    default:
        stop_with(sim, DD_SIM_NONFINITE,
                  "at time %.10g a sensitivity is not a number or infinite: a derivative of the equations does not "
                  "exist there, or a condition changes without crossing its bound",
                  t);
        break;
    }
}

/* Returns false. */
static bool memory_ran_out(dd_sim *sim, double t)
{
    stop_with(sim, DD_SIM_OUT_OF_MEMORY, "memory ran out at time %.10g", t);
    return false;
}

/* ---- rows ---- */

dd_status dd_rows_add(dd_context *ctx, dd_rows *r, double t, const double *values)
{
    /* doubling, except that a grid's number of rows is known beforehand */
    if (r->count == r->capacity) {
        uint64_t more = r->capacity == 0 ? 256 : 2 * r->capacity;
        more = r->expected > r->capacity && r->expected < more ? r->expected : more;
        double *data =
            dd_mem_resize(ctx, r->data, r->capacity * r->width * sizeof *data, more * r->width * sizeof *data);
        if (!data) {
            return DD_OUT_OF_MEMORY;
        }
        r->data = data;
        r->capacity = more;
    }
    double *row = r->data + r->count * r->width;
    row[0] = t;
    memcpy(row + 1, values, (r->width - 1) * sizeof *row);
    r->count++;
    return DD_OK;
}

bool dd_sim_add_row(dd_sim *sim, double t, const double *w, const double *wdot)
{
    dd_sim_values(sim, t, w, wdot);
    return !sim->options.keep_rows || dd_sim_keep_row(sim, t, w, wdot);
}

bool dd_sim_keep_row(dd_sim *sim, double t, const double *w, const double *wdot)
{
    dd_step_verdict v;
    if (!dd_sim_sens_look(sim, t, w, wdot, true, &v)) {
        sensitivities_failed(sim, t, v);
        return false;
    }
    return dd_rows_add(sim->ctx, &sim->rows, t, sim->values) == DD_OK || memory_ran_out(sim, t);
}

double dd_sim_row_spacing(const dd_sim *sim)
{
    return sim->options.points > 0 ? (sim->t_stop - sim->t0) / sim->options.points : sim->options.interval;
}

/* Seconds that go by while this program computes for one: on a busy machine it waits for others. */
static double waiting(const dd_sim *sim)
{
    const double computed = (double)(clock() - sim->began_clock) / CLOCKS_PER_SEC;
    const double passed = dd_clock_seconds() - sim->began;
    return computed > 0 && passed > computed ? passed / computed : 1.0;
}

/* Rows may be many, or long: they end early enough for those that are there to be written before the time limit. */
static bool no_time_for_rows(dd_sim *sim)
{
    enum { EVERY = 256, NUMBERS = 1 << 16 }; /* rows, or so many numbers, between two looks at the clock */
    const double room = (double)NUMBERS / sim->rows.width;
    const uint64_t count = sim->rows.count, every = room >= EVERY ? EVERY : room > 1 ? (uint64_t)room : 1;
    if (count % every != 0) {
        return false;
    }
    const uint64_t looks = count / every;
    /* the cost of writing a number is measured, since rows that cannot be written are worthless */
    if (looks > 0 && (looks & (looks - 1)) == 0 && dd_seconds_left(sim->ctx) < INFINITY) {
        sim->write_number = dd_csv_number_seconds() * waiting(sim); /* now and then: the machine may be busy */
    }
    const double width = sim->rows.width + (sim->sens ? sim->sens->rows.width : 0);
    if ((double)count * width * sim->write_number < dd_seconds_left(sim->ctx)) {
        return interrupted(sim);
    }
    stop_with(sim, DD_SIM_TIME_LIMIT, "the time limit leaves no time for more than %llu rows, at time %.10g",
              (unsigned long long)count, sim->integrator->t);
    return true;
}

/* Rows of the last step up to `until`: those of the grid, or its end. False: the status says why. */
static bool add_rows(dd_sim *sim, double until)
{
    /* curves for pictures are denser than rows, and kept apart */
    if (sim->options.keep_curves && dd_sim_add_curves(sim, until) != DD_OK) {
        return memory_ran_out(sim, until);
    }
    double spacing = dd_sim_row_spacing(sim);
    /* without a grid every step is a row, at its end or at the event */
    if (spacing <= 0) {
        const dd_integrator *it = sim->integrator;
        if (sim->options.write_rows && no_time_for_rows(sim)) {
            return false;
        }
        if (until == it->t) {
            return dd_sim_add_row(sim, until, it->w, it->wdot);
        }
        dd_sim_point(sim, until);
        return dd_sim_add_row(sim, until, sim->w, sim->wdot);
    }
    /* a grid: rows by dense output, the last one exactly at the stop time */
    for (;;) {
        double t = sim->t0 + sim->next_row * spacing;
        if (fabs(t - sim->t_stop) < 1e-9 * spacing) {
            t = sim->t_stop;
        }
        if (t > until) {
            return true;
        }
        if (no_time_for_rows(sim)) {
            return false;
        }
        dd_sim_point(sim, t);
        if (!dd_sim_add_row(sim, t, sim->w, sim->wdot)) {
            return false;
        }
        sim->next_row += 1;
    }
}

/* ---- what must hold ---- */

static void assertion_failed(dd_sim *sim, uint32_t i, double t)
{
    const dd_model *m = sim->system->model;
    stop_with(sim, DD_SIM_ASSERTION_FAILED, "at time %.10g: %s (%s)", t, m->assertions.data[i].message,
              dd_model_place(m, m->assertions.data[i].span, sim->pool));
}

static bool assertions_hold(dd_sim *sim, double t)
{
    for (uint32_t i = 0; i < sim->system->model->assertions.len; i++) {
        if (dd_sim_assertion_fails(sim, i, t)) {
            assertion_failed(sim, i, t);
            return false;
        }
    }
    return true;
}

static bool starts_finite(dd_sim *sim)
{
    for (uint32_t j = 0; j < sim->system->declared; j++) {
        if (!isfinite(sim->values[j])) {
            stop_with(sim, DD_SIM_NONFINITE, "at the start, time %.10g, %s is not a number or infinite", sim->t0,
                      dd_system_column_name(sim->system, j, sim->pool));
            return false;
        }
    }
    return true;
}

/* The run ends at t, within the last step. */
static void go_back(dd_sim *sim, double t)
{
    dd_integrator *it = sim->integrator;
    dd_sim_point(sim, t);
    dd_sim_sens_go_back(sim, t);
    it->t = t;
    memcpy(it->w, sim->w, sim->numbers->n * sizeof *sim->w);
    memcpy(it->wdot, sim->wdot, sim->numbers->n * sizeof *sim->wdot);
}

/* A value is wrong from first_bad on (see valid.c): the trajectory ends just before. */
static void value_failed(dd_sim *sim, uint32_t wrong, double last_good, double first_bad)
{
    dd_integrator *it = sim->integrator;
    /* rows up to the last good point, then the reason */
    if (last_good > it->t_old && !add_rows(sim, last_good)) {
        return;
    }
    const uint32_t assertions = sim->system->model->assertions.len;
    /* a row of the equations, an assertion, or a variable */
    if (wrong == sim->system->declared + assertions) {
        stop_with(
            sim, DD_SIM_NONFINITE,
            "at time %.10g the equations cannot be evaluated any further (not a number or infinite): look for sqrt "
            "or another power of a negative number",
            first_bad);
    } else if (wrong >= sim->system->declared) {
        assertion_failed(sim, wrong - sim->system->declared, first_bad);
    } else {
        stop_with(sim, DD_SIM_NONFINITE,
                  "from time %.10g on %s is not a number or infinite: look for sqrt or log of a negative number, or a "
                  "division by zero",
                  first_bad, dd_system_column_name(sim->system, wrong, sim->pool));
    }
    go_back(sim, last_good);
}

static void note_violation(dd_sim *sim, double t, const double *w, const double *wdot)
{
    const dd_problem *p = &sim->numbers->problem;
    /* equations as written: the reduced system's invariants are watched from outside */
    if (sim->watch) {
        double violation, distance;
        dd_sim_values(sim, t, w, wdot);
        dd_watch_look(sim->watch, t, sim->values, &violation, &distance);
        sim->info.constraint_violation = fmax(sim->info.constraint_violation, violation);
        sim->info.constraint_distance = fmax(sim->info.constraint_distance, distance);
    }
    if (p->n_invariants == 0) {
        return;
    }
    /* largest residual, and the distance to the constraints in units of the nominals */
    p->invariants(p->user, t, w, sim->invariant);
    for (uint32_t k = 0; k < p->n_invariants; k++) {
        sim->info.constraint_violation = fmax(sim->info.constraint_violation, fabs(sim->invariant[k]));
    }
    memcpy(sim->w, w, p->n * sizeof *w);
    dd_projection look = dd_project(sim->projector, t, sim->w, p->nominal, 1, sim->wdot);
    sim->info.constraint_distance = fmax(sim->info.constraint_distance, look.moved);
}

/* ---- solvability ---- */

/* The run ends at a singular point: the trajectory up to just before it. */
static void end_at_singular(dd_sim *sim, const dd_singular *found)
{
    dd_integrator *it = sim->integrator;
    double t;
    const double *w, *wdot;
    const bool known = dd_solvability_point(sim->solvability, &t, &w, &wdot);
    /* rows behind the place belong to no solution */
    while (sim->rows.count > 1 && sim->rows.data[(sim->rows.count - 1) * sim->rows.width] > t) {
        sim->rows.count--; /* a minimum is seen when the step after it is there */
    }
    /* the grid's rows up to the place */
    if (t > it->t_old && t < it->t && sim->options.keep_rows && dd_sim_row_spacing(sim) > 0 && !add_rows(sim, t)) {
        return;
    }
    /* end there: by the point of the search, or back on the dense output */
    if (known) {
        it->t = t;
        memcpy(it->w, w, sim->numbers->n * sizeof *w);
        memcpy(it->wdot, wdot, sim->numbers->n * sizeof *wdot);
    } else if (t >= it->t_old && t < it->t) {
        go_back(sim, t);
    }
    if (dd_sim_row_spacing(sim) <= 0 && !dd_sim_add_row(sim, it->t, it->w, it->wdot)) {
        return;
    }
    dd_solvability_tell(sim, found);
}

/* The singular point that --through led past was the end all the same. */
static bool has_just_passed(const dd_sim *sim)
{
    const double near = 1e-3 * (sim->integrator->t - sim->t0);
    return sim->singular_points > 0 && sim->integrator->t - sim->last_singular.t <= near;
}

/* False: the run ends, and the status says why. */
static bool stays_solvable(dd_sim *sim, double until)
{
    dd_singular found;
    /* an allocation that failed inside the watch ends the run */
    if (!sim->solvability || !dd_solvability_look(sim->solvability, until, &found)) {
        return !sim->solvability || !dd_solvability_failed(sim->solvability) || memory_ran_out(sim, until);
    }
    /* past it the watch begins again, as at a start */
    if (sim->options.through) {
        dd_solvability_warn(sim, &found);
        sim->last_singular = found;
        dd_solvability_start(sim->solvability);
        return true;
    }
    end_at_singular(sim, &found);
    return false;
}

/* ---- events ---- */

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

/* Events without end: many in a row with hardly any time between them, and nothing moves meanwhile. Fast switching alone,
 * in a long run, is neither. */
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
    stop_with(
        sim, DD_SIM_CHATTERING,
        "at time %.10g conditions switch back and forth without end: the solution would slide along the switching "
        "surface; give the condition a width (hysteresis) or smooth it",
        t);
    return true;
}

/* Puts the point in sim->w onto the constraints behind the event, which hold there already but for errors of the solution
 * up to a moment that was found on the way. Where they jump impulse.c judges. */
static void meet_constraints(dd_sim *sim, double t, uint32_t which)
{
    enum { CORRECTIONS = 3 };
    const double nothing = 0.1; /* tolerances */
    const dd_problem *p = &sim->numbers->problem;
    if (!sim->keeper || sim->options.stabilize != DD_STABILIZE_PROJECTION || which == DD_NO_INDEX) {
        return;
    }
    /* in the norm of the error test, as steps are */
    for (uint32_t j = 0; j < p->n; j++) {
        sim->aside[j] = sim->w[j];
        sim->aside_rate[j] = sim->atol[j] + dd_sim_tolerance(sim) * fabs(sim->w[j]);
    }
    const dd_projection look = dd_project(sim->keeper, t, sim->aside, sim->aside_rate, CORRECTIONS, sim->shift);
    /* what is within a tenth of the tolerance stays */
    if (look.converged && look.moved > nothing) {
        memcpy(sim->w, sim->aside, p->n * sizeof *sim->w);
    }
}

/* x' and z behind the event at t, until they agree with all relations; which: the one that was found. False: the status
 * says why. */
static bool solve_behind(dd_sim *sim, double t, uint32_t which)
{
    enum { ROUNDS = 8 };
    for (int round = 0;; round++) {
        /* values first, then relations by these values, until neither changes */
        const dd_slopes_info info = dd_slopes_solve(sim->slopes, t, sim->w, sim->wdot);
        if (!info.converged) {
            char name[200];
            name_unknown(sim, info.worst, name, sizeof name);
            stop_with(sim, info.singular ? DD_SIM_SINGULAR : DD_SIM_NEWTON_FAILED,
                      "after the event at time %.10g the equations could not be solved for %s", t, name);
            return false;
        }
        if (round == ROUNDS ||
            !(dd_sim_settle(sim, t, which) || dd_sim_slide_all(sim, t) || dd_sim_turn_at_once(sim, t, which))) {
            return true;
        }
    }
}

/* The solver starts anew at t with the new branches: x goes on, x' and z are solved for again. */
static bool pass_event(dd_sim *sim, double t, uint32_t which)
{
    dd_integrator *it = sim->integrator;
    dd_step_verdict v;
    /* derivatives arrive before the branches change, and leave with the new ones */
    if (chatters(sim, t)) {
        go_back(sim, t);
        return false;
    }
    if (!dd_sim_sens_arrive(sim, t, which, &v)) {
        sensitivities_failed(sim, t, v);
        return false;
    }
    /* values before the event, the new branches, x onto the constraints, then x' and z */
    dd_sim_before_event(sim, t);
    dd_sim_point(sim, t); /* on the constraints before the event */
    dd_sim_pass_event(sim, t, which);
    meet_constraints(sim, t, which);
    if (!solve_behind(sim, t, which)) {
        dd_sim_sens_go_back(sim, t);
        it->t = t;
        return false;
    }
    if (!dd_sim_behind_event(sim, t, which)) {
        dd_sim_sens_go_back(sim, t);
        it->t = t;
        return false;
    }
    /* kinks and layers restart the method without being events for the user */
    const bool event = dd_sim_is_event(sim, which);
    if (event) {
        dd_sim_note_event(sim, t);
    }
    /* all histories end here: integrator, kinks, watch of solvability, sensitivities */
    dd_integ_start(it, t, sim->w, sim->wdot);
    dd_sim_first_kinks(sim, t, sim->w, sim->wdot);
    if (sim->solvability) {
        dd_solvability_start(sim->solvability);
    }
    it->h = 0;
    if (!dd_sim_sens_leave(sim, &v)) {
        sensitivities_failed(sim, t, v);
        return false;
    }
    /* both sides of a jump, unless the rows are those of a grid */
    return !event || dd_sim_row_spacing(sim) > 0 || dd_sim_add_row(sim, t, it->w, it->wdot);
}

/* ---- stiffness ---- */

/* The explicit method chosen at the start has become expensive: Radau goes on from here. */
static bool go_on_with_radau(dd_sim *sim)
{
    /* counts go on, since the user sees one run */
    dd_integ_stats stats = sim->integrator->stats;
    double t = sim->integrator->t;
    memcpy(sim->w, sim->integrator->w, sim->numbers->n * sizeof *sim->w);
    memcpy(sim->wdot, sim->integrator->wdot, sim->numbers->n * sizeof *sim->wdot);
    sim->switched = true;
    dd_sim_sens_pause(sim);
    if (dd_sim_use_method(sim, "radau") != DD_OK) {
        return false;
    }
    dd_integ_start(sim->integrator, t, sim->w, sim->wdot);
    sim->integrator->stats = stats;
    dd_step_verdict v;
    if (!dd_sim_sens_go_on(sim, &v)) {
        sensitivities_failed(sim, t, v);
    }
    return true;
}

/* Does a sign stick while a method of the user's own takes steps as short as its layer? Radau goes on, and that is said. */
static bool slides(dd_sim *sim)
{
    if (sim->options.tableau_file || !dd_sim_sticks(sim)) {
        return false;
    }
    dd_vec_push(
        sim->pool, &sim->messages,
        dd_pool_printf(sim->pool,
                       "from time %.6g on a sign stays at its jump (the solution slides): radau goes on there, %s "
                       "would need very short steps",
                       sim->integrator->t, sim->options.method));
    return true;
}

/* ---- dummy derivatives ---- */

/* The dummies are chosen anew where the solution is; the method starts again there, with the step size it had reached
 * where that says something. */
static bool choose_anew(dd_sim *sim)
{
    const dd_integrator *it = sim->integrator;
    const dd_integ_stats stats = it->stats;
    const double t = it->t, h = it->h, violation = it->violation;
    /* the user's method again, or the default */
    const char *name = sim->options.method && strcmp(sim->options.method, "auto") != 0 ? sim->options.method : "radau";
    uint32_t argument;
    const dd_sim_method *e = dd_sim_method_named(name, &argument);
    const bool starts_low = e != NULL && e->starts_low; /* its steps have to be found again */
    /* x goes on; rates of those that were dummies are not in the integrator */
    memcpy(sim->w, it->w, sim->numbers->n * sizeof *sim->w);
    memcpy(sim->wdot, it->wdot, sim->numbers->n * sizeof *sim->wdot);
    dd_slopes_solve(sim->slopes, t, sim->w, sim->wdot); /* rates of those that were dummies */
    sim->switched = true; /* the next run begins with a new integrator, whatever happens here */
    dd_sim_sens_pause(sim);
    dd_status st = dd_sim_choose_dummies(sim, t, sim->w, sim->wdot);
    sim->restart_step = starts_low ? 0.0 : h;
    if (st == DD_OUT_OF_MEMORY ||
        dd_sim_use_method(sim, sim->options.step > 0 && !sim->options.method ? "radau-3" : name) != DD_OK) {
        dd_raise(sim->ctx, DD_OUT_OF_MEMORY, "memory ran out"); /* the method was made before: nothing else can fail */
    }
    sim->restart_step = 0;
    /* step size and counts go on */
    dd_integ_start(sim->integrator, t, sim->w, sim->wdot);
    sim->integrator->stats = stats;
    sim->integrator->violation = violation;
    sim->info.stats.choices++;
    if (st != DD_OK) {
        stop_with(sim, st == DD_OUT_OF_MEMORY ? DD_SIM_OUT_OF_MEMORY : DD_SIM_SINGULAR, "%s",
                  dd_context_message(sim->ctx));
        return false;
    }
    dd_step_verdict v;
    if (!dd_sim_sens_go_on(sim, &v)) {
        sensitivities_failed(sim, t, v);
        return false;
    }
    return true;
}

/* Newton left the constraints at its own accuracy: the dummies, and hardly anything else, move onto them. They are
 * algebraic for the method, so that nothing else is disturbed. */
static void polish_dummies(dd_sim *sim)
{
    const double hardly = 1e-8;
    dd_integrator *it = sim->integrator;
    for (uint32_t j = 0; j < sim->numbers->n; j++) {
        sim->w[j] = sim->numbers->problem.nominal[j] * (dd_dummy_is(sim->dummy, j) ? 1.0 : hardly);
    }
    dd_project(sim->projector, it->t, it->w, sim->w, 5, sim->wdot);
    if (sim->sens) {
        dd_sens_moved(sim->sens->engine, it->t, it->w, sim->wdot, sim->w);
    }
}

/* An exchange of dummies would be that much better. */
static bool dummies_worn(dd_sim *sim)
{
    const double most = 10;
    return sim->dummy && dd_dummy_gain(sim->dummy, sim->integrator->t, sim->integrator->w) > most;
}

/* ---- the loop ---- */

static bool one_step(dd_sim *sim)
{
    dd_integrator *it = sim->integrator;
    /* a step never passes a moment of time or a corner of an input */
    double moment = dd_sim_next_time_event(sim, it->t), bound = fmin(moment, sim->t_stop), at;
    if (sim->inputs) {
        bound = fmin(bound, dd_inputs_next_corner(sim->inputs, it->t));
    }
    dd_sim_dense_before(sim);
    dd_step_verdict v = dd_integ_step(it, bound);
    if (v != DD_STEP_OK && interrupted(sim)) { /* kernels that stop say that they cannot go on */
        return false;
    }
    /* a failed step: other dummies first, then a singular point ahead, then words */
    if (v != DD_STEP_OK && sim->dummy && it->t > sim->last_choice) {
        return choose_anew(sim); /* once from here: the dummies may be to blame */
    }
    if (v != DD_STEP_OK) {
        dd_singular found;
        if (v != DD_STEP_OUT_OF_MEMORY && sim->solvability && dd_solvability_blame(sim->solvability, &found)) {
            end_at_singular(sim, &found);
        } else if (v != DD_STEP_OUT_OF_MEMORY && has_just_passed(sim)) {
            dd_solvability_tell(sim, &sim->last_singular);
        } else {
            step_failed(sim, v);
        }
        return false;
    }
    /* sensitivities follow each step, before its end is moved or cut */
    if (!dd_sim_sens_step(sim, bound, &v)) {
        sensitivities_failed(sim, it->t, v);
        return false;
    }
    if (sim->dummy) {
        polish_dummies(sim);
    }
    /* the first event within the step cuts it; everything below is up to there */
    uint32_t which = DD_NO_INDEX;
    bool event = dd_sim_find_event(sim, &at, &which);
    double until = event ? at : it->t, last_good, first_bad;
    /* what must hold up to there: solvability, finite values, assertions */
    if (!stays_solvable(sim, until)) {
        return false;
    }
    uint32_t wrong = dd_sim_wrong_value(sim, until, &last_good, &first_bad);
    if (wrong != DD_NO_INDEX) {
        value_failed(sim, wrong, last_good, first_bad);
        return false;
    }
    /* kinks of outputs are rows on both sides, without an event */
    double stopped = INFINITY;
    if (!dd_sim_add_kinks(sim, until, &stopped)) {
        if (stopped < INFINITY && (dd_sim_row_spacing(sim) <= 0 || !sim->options.keep_rows || add_rows(sim, stopped))) {
            go_back(sim, stopped);
        }
        return false;
    }
    if (sim->options.keep_rows && !add_rows(sim, until)) {
        return false;
    }
    /* where steps do not end on the constraints, how far they are off is part of the answer */
    if (sim->options.stabilize != DD_STABILIZE_PROJECTION || sim->watch) {
        note_violation(sim, it->t, it->w, it->wdot);
    }
    if (event) {
        return pass_event(sim, at, which);
    }
    /* a moment of time that was the bound is an event as well */
    return it->t < moment || it->t >= sim->t_stop || pass_event(sim, it->t, DD_NO_INDEX);
}

static void integrate(dd_sim *sim)
{
    const uint64_t every = sim->numbers->n < LARGE ? PROGRESS_EVERY : 1; /* steps of large models take long */
    uint64_t count = 0;
    /* after each step: stiffness, dummies, limits, progress */
    while (sim->integrator->t < sim->t_stop && one_step(sim)) {
        if (sim->integrator->stiff && (sim->automatic || slides(sim)) && !go_on_with_radau(sim)) {
            dd_raise(sim->ctx, DD_OUT_OF_MEMORY, "memory ran out");
        }
        if (sim->info.status != DD_SIM_OK) {
            break;
        }
        if (dummies_worn(sim) && !choose_anew(sim)) {
            break;
        }
        const dd_integrator *it = sim->integrator;
        if (it->stats.steps >= sim->options.max_steps) {
            stop_with(sim, DD_SIM_TOO_MANY_STEPS, "%llu steps were taken and time %.10g was reached",
                      (unsigned long long)it->stats.steps, it->t);
            break;
        }
        if (++count % every == 0) {
            if (sim->options.progress) {
                sim->options.progress(sim->options.progress_user, it->t, it->h);
            }
            if (interrupted(sim)) {
                break;
            }
        }
    }
}

/* Algebraic unknowns and derivatives at the end, exactly for the x there. */
static void finish(dd_sim *sim)
{
    dd_integrator *it = sim->integrator;
    memcpy(sim->w, it->w, sim->numbers->n * sizeof *sim->w);
    memcpy(sim->wdot, it->wdot, sim->numbers->n * sizeof *sim->wdot);
    if (sim->info.status == DD_SIM_OK) {
        dd_slopes_solve(sim->slopes, it->t, sim->w, sim->wdot);
    }
    dd_sim_values(sim, it->t, sim->w, sim->wdot);
    dd_sim_sens_finish(sim, it->t, sim->w, sim->wdot);
    /* a value that is not finite makes the run fail even where nothing depends on it */
    for (uint32_t j = 0; j < sim->system->declared && sim->info.status == DD_SIM_OK; j++) {
        if (!isfinite(sim->values[j])) {
            stop_with(sim, DD_SIM_NONFINITE, "%s is not finite at time %.10g",
                      dd_system_column_name(sim->system, j, sim->pool), it->t);
        }
    }
    /* events and choices are counted by the run, everything else by the integrator */
    dd_sim_stats *s = &sim->info.stats;
    uint64_t events = s->events, choices = s->choices;
    *s = (dd_sim_stats){.steps = it->stats.steps,
                        .rejected = it->stats.rejected,
                        .residuals = it->stats.residuals,
                        .jacobians = it->stats.jacobians,
                        .factorizations = it->stats.factorizations,
                        .newton = it->stats.newton,
                        .projections = it->stats.projections,
                        .events = events,
                        .choices = choices};
    sim->info.t = it->t;
    sim->info.method = it->name;
    sim->info.constraint_violation = fmax(sim->info.constraint_violation, it->violation);
    if (sim->numbers->equations->form == DD_EQUATIONS_ORIGINAL && sim->system->index > 1 && !sim->watch) {
        /* constraints that are not known as formulas: not looked at, so not said to hold */
        sim->info.constraint_violation = sim->info.constraint_distance = NAN;
    }
}

/* A grid says how many rows there will be. More than memory may hold are refused before the first. */
static void expect_rows(dd_sim *sim)
{
    const double spacing = dd_sim_row_spacing(sim), most = 1e15;
    if (!sim->options.keep_rows || spacing <= 0) {
        return;
    }
    /* the first row and both ends of rounding */
    const double rows = fmin(ceil((sim->t_stop - sim->t0) / spacing) + 2, most);
    const double width = sim->rows.width + (sim->sens ? sim->sens->rows.width : 0);
    sim->rows.expected = (uint64_t)rows;
    if (sim->sens) {
        sim->sens->rows.expected = sim->rows.expected;
    }
    /* refused before the first row, rather than after hours */
    const double bytes = rows * width * sizeof(double), room = dd_memory_left(sim->ctx);
    if (bytes > room + (double)sim->rows.capacity * sim->rows.width * sizeof(double)) {
        dd_raise(sim->ctx, DD_OUT_OF_MEMORY,
                 "%.0f rows of %.0f numbers need %.3g MB, and the memory limit leaves %.3g MB", rows, width,
                 1e-6 * bytes, 1e-6 * room);
    }
}

static void run_body(void *arg)
{
    dd_sim *sim = arg;
    /* a run may be repeated: everything that a run changes is set again */
    if (sim->switched && dd_sim_make_integrator(sim) != DD_OK) {
        dd_raise(sim->ctx, DD_OUT_OF_MEMORY, "memory ran out");
    }
    dd_integrator *it = sim->integrator;
    sim->began = dd_clock_seconds();
    sim->began_clock = clock();
    dd_sim_tell_unfed(sim);
    sim->rows.count = sim->curves.count = 0;
    expect_rows(sim);
    sim->event_times.len = 0;
    sim->next_row = 1;
    sim->near_events = 0;
    sim->last_event = -INFINITY;
    sim->info = (dd_sim_info){.status = DD_SIM_OK, .reason = "", .t0 = sim->t0, .t = sim->t0};
    it->stats = (dd_integ_stats){0};
    it->violation = 0;
    it->h = 0;
    /* branches and inputs as at the start */
    for (uint32_t k = 0; k < sim->numbers->switches.len; k++) {
        dd_numbers_freeze(sim->numbers, k, sim->mode0[k]);
    }
    if (sim->inputs) {
        dd_inputs_enter(sim->inputs, sim->t0);
    }
    dd_integ_start(it, sim->t0, sim->w0, sim->wdot0);
    dd_sim_first_kinks(sim, sim->t0, sim->w0, sim->wdot0);
    sim->singular = (dd_singular_parts){0};
    sim->singular_points = 0;
    if (sim->solvability) {
        dd_solvability_start(sim->solvability);
    }
    note_violation(sim, sim->t0, sim->w0, sim->wdot0);
    /* derivatives, the first row, and what must hold already there */
    dd_step_verdict v;
    if (!dd_sim_sens_start(sim, &v)) {
        sensitivities_failed(sim, sim->t0, v);
    } else if (dd_sim_add_row(sim, sim->t0, it->w, it->wdot) && starts_finite(sim) && assertions_hold(sim, sim->t0)) {
        integrate(sim);
    }
    finish(sim);
    sim->info.stats.seconds = dd_clock_seconds() - sim->began;
}

dd_status dd_sim_run(dd_sim *sim)
{
    if (!sim) {
        return DD_INVALID_ARGUMENT;
    }
    if (!sim->started) {
        return DD_OK; /* the status says why */
    }
    return dd_protect(sim->ctx, run_body, sim);
}
