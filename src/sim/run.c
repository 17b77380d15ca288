/* run.c - the loop of a simulation: steps, rows of the trajectory, events, verdicts. */
#include <math.h>
#include <string.h>
#include <time.h>

#include "base/context.h"
#include "integ/project.h"
#include "sim/growth.h"
#include "sim/leap.h"
#include "sim/run_impl.h"
#include "sim/sensitivity.h"
#include "sim/solvability.h"
#include "sim/unstable.h"

enum { PROGRESS_EVERY = 64, LARGE = 1000 };

/* ---- what must hold ---- */

static bool assertions_hold(dd_sim *sim, double t)
{
    for (uint32_t i = 0; i < sim->system->model->assertions.len; i++) {
        if (dd_sim_assertion_fails(sim, i, t)) {
            dd_run_assertion_failed(sim, i, t);
            return false;
        }
    }
    return true;
}

static bool starts_finite(dd_sim *sim)
{
    for (uint32_t j = 0; j < sim->system->declared; j++) {
        if (!isfinite(sim->values[j])) {
            dd_run_stop(sim, DD_SIM_NONFINITE, "at the start, time %.10g, %s is not a number or infinite", sim->t0,
                        dd_system_column_name(sim->system, j, sim->pool));
            return false;
        }
    }
    return true;
}

/* The run ends at t, within the last step. */
void dd_run_go_back(dd_sim *sim, double t)
{
    dd_integrator *it = sim->integrator;
    dd_sim_point(sim, t);
    dd_sim_sens_go_back(sim, t);
    it->t = t;
    memcpy(it->w, sim->w, sim->numbers->n * sizeof *sim->w);
    memcpy(it->wdot, sim->wdot, sim->numbers->n * sizeof *sim->wdot);
}

/* How far the point is off the constraints, in nominals; the largest values are part of the answer. */
static double note_violation(dd_sim *sim, double t, const double *w, const double *wdot)
{
    const dd_problem *p = &sim->numbers->problem;
    double off = 0;
    /* equations as written: the reduced system's invariants are watched from outside */
    if (sim->watch) {
        double violation, distance;
        dd_sim_values(sim, t, w, wdot);
        dd_watch_look(sim->watch, t, sim->values, &violation, &distance);
        sim->info.constraint_violation = fmax(sim->info.constraint_violation, violation);
        sim->info.constraint_distance = fmax(sim->info.constraint_distance, distance);
        sim->watched = violation;
        off = distance;
    }
    if (p->n_invariants == 0) {
        return off;
    }
    /* largest residual, and the distance to the constraints in units of the nominals */
    p->invariants(p->user, t, w, sim->invariant);
    for (uint32_t k = 0; k < p->n_invariants; k++) {
        sim->info.constraint_violation = fmax(sim->info.constraint_violation, fabs(sim->invariant[k]));
    }
    memcpy(sim->w, w, p->n * sizeof *w);
    dd_projection look = dd_project(sim->projector, t, sim->w, p->nominal, 1, sim->wdot);
    sim->info.constraint_distance = fmax(sim->info.constraint_distance, look.moved);
    return fmax(off, look.moved);
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
        dd_run_sensitivities_failed(sim, t, v);
    }
    return true;
}

/* Does a sign stick while a method of the user's own takes steps as short as its layer? Radau goes on, and that is
 * said. */
static bool slides(dd_sim *sim)
{
    if (sim->options.tableau_file || !dd_sim_sticks(sim)) {
        return false;
    }
    dd_vec_push(
        sim->pool, &sim->messages,
        dd_pool_printf(sim->pool,
                       "from time %.6g on a sign stays at its jump (the solution slides): radau continues there, %s "
                       "would need very short steps",
                       sim->integrator->t, sim->options.method));
    return true;
}

/* ---- dummy derivatives ---- */

/* The dummies are chosen again where the solution is; the method starts again there, with the step size it had reached
 * where that says something. */
static bool choose_again(dd_sim *sim)
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
    dd_status st = dd_sim_choose_dummies(sim, t, sim->w);
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
        dd_run_stop(sim, st == DD_OUT_OF_MEMORY ? DD_SIM_OUT_OF_MEMORY : DD_SIM_SINGULAR, "%s",
                    dd_context_message(sim->ctx));
        return false;
    }
    dd_step_verdict v;
    if (!dd_sim_sens_go_on(sim, &v)) {
        dd_run_sensitivities_failed(sim, t, v);
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

/* A step failed: other dummies first, then a singular point ahead, the end of the solution, then words. True: the run goes on. */
static bool step_again(dd_sim *sim, dd_step_verdict v, double bound)
{
    const dd_integrator *it = sim->integrator;
    dd_singular found;
    if (dd_run_interrupted(sim)) { /* kernels that stop say that they cannot go on */
        return false;
    }
    if (v != DD_STEP_OUT_OF_MEMORY && dd_sim_try_literally(sim)) {
        return sim->info.status == DD_SIM_OK;
    }
    if (sim->dummy && it->t > sim->last_choice) {
        return choose_again(sim); /* once from here: the dummies may be to blame */
    }
    if (v != DD_STEP_OUT_OF_MEMORY && sim->solvability && dd_solvability_blame(sim->solvability, &found)) {
        /* that of a branch that is left before: to a point between, once; an event on the way is found */
        if (!(it->t < sim->kink_bound) && dd_solvability_kink_before(sim->solvability, &found, &sim->kink_bound)) {
            return true;
        }
        dd_run_end_at_singular(sim, &found);
    } else if (v != DD_STEP_OUT_OF_MEMORY && dd_run_has_just_passed(sim)) {
        dd_solvability_tell(sim, &sim->last_singular);
    } else if (v == DD_STEP_OUT_OF_MEMORY || !sim->leap || !dd_leap_blame(sim, bound)) {
        dd_run_step_failed(sim, v);
    }
    return false;
}

/* False: the status says why. Where the equations have no answer behind the event, a number may have vanished there, as that of
 * q*abs(q) = p does at the kink. */
static bool pass_event(dd_sim *sim, double t, uint32_t which)
{
    const double beside = 1e-3; /* of the way so far */
    if (dd_run_pass_event(sim, t, which)) {
        return true;
    }
    if (sim->info.status == DD_SIM_NEWTON_FAILED || sim->info.status == DD_SIM_SINGULAR) {
        dd_run_blame_singular(sim, beside * (t - sim->t0));
    }
    return false;
}

/* What must hold in the last step up to `until`: solvability, finite values, assertions; then its rows, unless it is undone.
 * False: the status says why. */
static bool take_step(dd_sim *sim, double until)
{
    double last_good, first_bad, stopped = INFINITY;
    if (!dd_run_stays_solvable(sim, until)) {
        return false;
    }
    sim->undone = dd_run_leaves_branch(sim, until);
    if (sim->undone) {
        return true;
    }
    if (sim->leap && dd_leap_look(sim, until)) {
        dd_run_blame_singular(sim, INFINITY); /* an end of the solution: that may be why */
        return false;
    }
    const uint32_t wrong = dd_sim_wrong_value(sim, until, &last_good, &first_bad);
    if (wrong != DD_NO_INDEX) {
        dd_run_value_failed(sim, wrong, last_good, first_bad);
        return false;
    }
    /* kinks of outputs are rows on both sides, without an event */
    if (!dd_sim_add_kinks(sim, until, &stopped)) {
        if (stopped < INFINITY &&
            (dd_sim_row_spacing(sim) <= 0 || !sim->options.keep_rows || dd_run_add_rows(sim, stopped))) {
            dd_run_go_back(sim, stopped);
        }
        return false;
    }
    return !sim->options.keep_rows || dd_run_add_rows(sim, until);
}

static bool one_step(dd_sim *sim)
{
    dd_integrator *it = sim->integrator;
    /* a step never passes a moment of time or a corner of an input */
    double moment = dd_sim_next_time_event(sim, it->t), bound = fmin(moment, sim->t_goal), at;
    if (sim->inputs) {
        bound = fmin(bound, dd_inputs_next_corner(sim->inputs, it->t));
    }
    bound = it->t < sim->kink_bound ? fmin(bound, sim->kink_bound) : bound;
    if (sim->rejoined) {
        dd_run_rejoin(sim);
    }
    dd_sim_dense_before(sim);
    if (sim->leap) {
        dd_leap_before(sim);
    }
    it->smooth = sim->smooth;
    it->switches = sim->has_conditions;
    it->wary = sim->has_implicit;
    dd_step_verdict v = dd_integ_step(it, bound);
    if (v != DD_STEP_OK) {
        return step_again(sim, v, bound);
    }
    /* sensitivities follow each step, before its end is moved or cut */
    if (!dd_sim_sens_step(sim, bound, &v)) {
        dd_run_sensitivities_failed(sim, it->t, v);
        return false;
    }
    if (sim->dummy) {
        polish_dummies(sim);
    }
    /* the first event within the step cuts it: the rest of it is not part of the solution */
    uint32_t which = DD_NO_INDEX;
    bool event = dd_sim_find_event(sim, &at, &which);
    if (!take_step(sim, event ? at : it->t)) {
        return false;
    }
    if (sim->undone) {
        return true;
    }
    if (sim->unstable && !sim->switched && dd_unstable_look(sim)) {
        dd_run_blame_singular(sim, INFINITY); /* beside a singular point every step is too long */
        return false;
    }
    /* where steps do not end on the constraints, how far they are off is part of the answer */
    if (sim->options.stabilize != DD_STABILIZE_PROJECTION || sim->watch) {
        const double off = note_violation(sim, it->t, it->w, it->wdot);
        if (dd_run_left_constraints(sim, off)) {
            return false;
        }
    }
    if (sim->options.keep_curves && !dd_sim_note_step(sim, event ? at : it->t)) {
        return dd_run_memory_ran_out(sim, it->t);
    }
    if (event) {
        return pass_event(sim, at, which);
    }
    if (sim->growth) {
        dd_growth_step(sim);
    }
    /* a moment of time that was the bound is an event as well */
    return it->t < moment || it->t >= sim->t_goal || pass_event(sim, it->t, DD_NO_INDEX);
}

/* A stop may be noticed between a step and its row: the trajectory reaches the time that is reported. */
static void keep_last_step(dd_sim *sim)
{
    const dd_integrator *it = sim->integrator;
    const bool stopped = sim->info.status == DD_SIM_INTERRUPTED || sim->info.status == DD_SIM_TIME_LIMIT;
    const bool steps = sim->options.keep_rows && dd_sim_row_spacing(sim) <= 0 && !sim->sens && sim->rows.count > 0;
    if (stopped && steps && dd_table_time(&sim->rows, sim->rows.count - 1) < it->t) {
        dd_sim_add_row(sim, it->t, it->w, it->wdot);
    }
}

void dd_run_go(dd_sim *sim)
{
    const uint64_t every = sim->numbers->n < LARGE ? PROGRESS_EVERY : 1; /* steps of large models take long */
    uint64_t count = 0;
    /* after each step: stiffness, dummies, limits, progress */
    while (sim->integrator->t < sim->t_goal && one_step(sim)) {
        if (sim->integrator->stiff && (sim->automatic || slides(sim)) && !go_on_with_radau(sim)) {
            dd_raise(sim->ctx, DD_OUT_OF_MEMORY, "memory ran out");
        }
        if (sim->info.status != DD_SIM_OK) {
            break;
        }
        dd_sim_rest_literals(sim);
        if (dummies_worn(sim) && !choose_again(sim)) {
            break;
        }
        const dd_integrator *it = sim->integrator;
        if (it->stats.steps >= sim->options.max_steps) {
            dd_run_stop(sim, DD_SIM_TOO_MANY_STEPS,
                        it->stiff ? "%llu steps were taken and time %.10g was reached: the equations are stiff, and "
                                    "steps of %s are limited by its stability; take radau or bdf"
                                  : "%llu steps were taken and time %.10g was reached",
                        (unsigned long long)it->stats.steps, it->t, it->name);
            break;
        }
        if (++count % every == 0) {
            if (sim->options.progress) {
                sim->options.progress(sim->options.progress_user, it->t, it->h);
            }
            if (dd_run_interrupted(sim)) {
                break;
            }
        }
    }
    keep_last_step(sim);
}

/* Algebraic unknowns and derivatives at the end, exactly for the x there. */
void dd_run_finish(dd_sim *sim)
{
    dd_integrator *it = sim->integrator;
    memcpy(sim->w, it->w, sim->numbers->n * sizeof *sim->w);
    memcpy(sim->wdot, it->wdot, sim->numbers->n * sizeof *sim->wdot);
    if (sim->info.status == DD_SIM_OK) {
        dd_slopes_solve(sim->slopes, it->t, sim->w, sim->wdot);
    }
    dd_sim_values(sim, it->t, sim->w, sim->wdot);
    /* a value that is not finite makes the run fail even where nothing depends on it */
    for (uint32_t j = 0; j < sim->system->declared && sim->info.status == DD_SIM_OK; j++) {
        if (!isfinite(sim->values[j])) {
            dd_run_stop(sim, DD_SIM_NONFINITE, "%s is not finite at time %.10g",
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
    if (sim->numbers->equations->form == DD_EQUATIONS_ORIGINAL && sim->system->index > 1 &&
        dd_watch_count(sim->watch) == 0) {
        /* constraints that are not known as formulas: not looked at, so not said to hold */
        sim->info.constraint_violation = sim->info.constraint_distance = NAN;
    }
    /* what takes time comes last: a run that is stopped there has its values and counts */
    dd_sim_sens_finish(sim, it->t, sim->w, sim->wdot);
    if (sim->unstable) {
        dd_unstable_tell(sim);
    }
    if (sim->leap) {
        dd_leap_tell(sim);
    }
    if (sim->solvability) {
        dd_solvability_end(sim->solvability);
    }
}

/* Are there conditions on more than time? Moments of time do not depend on errors of the solution. */
static void look_at_conditions(dd_sim *sim)
{
    sim->has_conditions = sim->has_implicit = false;
    for (uint32_t k = 0; k < sim->numbers->switches.len; k++) {
        const dd_switch *s = &sim->numbers->switches.data[k];
        sim->has_conditions = sim->has_conditions || !s->only_time;
        sim->has_implicit = sim->has_implicit || s->implicit;
    }
}

bool dd_run_begin(dd_sim *sim)
{
    /* a run may be repeated: everything that a run changes is set again */
    if (sim->switched && dd_sim_make_integrator(sim) != DD_OK) {
        dd_raise(sim->ctx, DD_OUT_OF_MEMORY, "memory ran out");
    }
    dd_integrator *it = sim->integrator;
    sim->began = dd_clock_seconds();
    sim->began_clock = clock();
    dd_sim_tell_unfed(sim);
    sim->rows.count = sim->curves.count = sim->steps.count = 0;
    dd_run_expect_rows(sim);
    sim->event_times.len = 0;
    sim->next_row = 1;
    sim->near_events = 0;
    look_at_conditions(sim);
    dd_sim_first_literals(sim);
    sim->last_event = sim->kink_bound = -INFINITY;
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
    sim->compared = sim->undone = sim->rejoined = sim->branch_told = false;
    if (sim->solvability) {
        dd_solvability_start(sim->solvability);
    }
    if (sim->unstable) {
        dd_unstable_start(sim->unstable, sim);
    }
    if (sim->growth) {
        dd_growth_start(sim);
    }
    if (sim->leap) {
        dd_leap_start(sim);
    }
    (void)note_violation(sim, sim->t0, sim->w0, sim->wdot0);
    /* derivatives, the first row, and what must hold already there */
    dd_step_verdict v;
    if (!dd_sim_sens_start(sim, &v)) {
        dd_run_sensitivities_failed(sim, sim->t0, v);
        return false;
    }
    return dd_sim_add_row(sim, sim->t0, it->w, it->wdot) && starts_finite(sim) && assertions_hold(sim, sim->t0);
}

static void run_body(void *arg)
{
    dd_sim *sim = arg;
    if (sim->stale) {
        dd_sim_make_start(sim);
        if (!sim->started) {
            return;
        }
    }
    sim->begun = false;
    sim->t_goal = sim->t_stop;
    if (dd_run_begin(sim)) {
        dd_run_go(sim);
    }
    dd_run_finish(sim);
    sim->info.stats.seconds = dd_clock_seconds() - sim->began;
}

static void finish_body(void *arg)
{
    dd_run_finish(arg);
}

/* A limit that was reached inside a step, where a message is being found or at the end: what there is until then is kept, and
 * the status says that the run did not end by itself. */
static dd_status stopped_inside(dd_sim *sim, dd_status st)
{
    const dd_integrator *it = sim->integrator;
    if (sim->info.status == DD_SIM_OK) {
        dd_run_stop(sim, st == DD_INTERRUPTED ? DD_SIM_INTERRUPTED : DD_SIM_TIME_LIMIT, "%s at time %.10g",
                    st == DD_INTERRUPTED ? "interrupted" : "the time limit was reached", it->t);
    }
    (void)dd_protect(sim->ctx, finish_body,
                     sim); /* values and counts; what they ask for beyond that may be cut short again */
    sim->info.t = it->t;
    sim->info.stats.seconds = dd_clock_seconds() - sim->began;
    return DD_OK;
}

dd_status dd_sim_run(dd_sim *sim)
{
    if (!sim) {
        return DD_INVALID_ARGUMENT;
    }
    if (!sim->started && !sim->stale) {
        return DD_OK; /* the status says why */
    }
    const dd_status st = dd_protect(sim->ctx, run_body, sim);
    return (st == DD_TIME_LIMIT || st == DD_INTERRUPTED) && sim->rows.count + sim->integrator->stats.steps > 0
               ? stopped_inside(sim, st)
               : st;
}
