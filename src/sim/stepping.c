/* stepping.c - a simulation that is stepped from outside: numbers that are set, times it goes to, states replaced.
 *
 * What is set between two steps is a jump, and passed as an event is (run_events.c): x goes on, x' and z are solved for
 * again, all histories begin again. Before the first step it changes the start. Inputs from a function jump where it
 * gives other values at the begin of a step than it gave at the end of the one before. */
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "integ/project.h"
#include "sim/replace.h"
#include "sim/run_impl.h"

/* ---- numbers ---- */

typedef struct naming {
    dd_sim *sim;
    const char *name;
    uint32_t var; /* of the model */
    double value;
} naming;

void dd_sim_renumber(dd_sim *sim)
{
    if (!sim->renumbered) {
        return;
    }
    dd_numbers_set_parameters(sim->numbers);
    if (sim->watch) {
        dd_watch_renumber(sim->watch);
    }
    sim->renumbered = false;
}

/* The variant whose numbers can be set; everything that reads numbers reads it from now on. */
static void make_variant(dd_sim *sim)
{
    if (sim->variant == NULL) {
        sim->variant = dd_variant_new(sim->system, sim->pool);
        sim->system = sim->variant->system;
        sim->numbers->system = sim->system;
        if (sim->watch) {
            dd_watch_use(sim->watch, sim->system);
        }
    }
}

static void set_input(const naming *n)
{
    dd_sim *sim = n->sim;
    if (sim->inputs == NULL || !dd_inputs_hold(sim->inputs, n->var, n->value)) {
        dd_raise(sim->ctx, DD_INVALID_ARGUMENT, "%s cannot be set: %s", n->name,
                 sim->system->model->vars.data[n->var].has_value ? "it has a formula"
                 : sim->options.hold_inputs                      ? "the input file has a column for it"
                                                                 : "inputs are held only with the option hold_inputs");
    }
    sim->jumps = true;
    sim->stale = sim->stale || !sim->moved_on;
}

static void set_body(void *user)
{
    naming *n = user;
    dd_sim *sim = n->sim;
    dd_pool *scratch = dd_pool_child(sim->pool);
    n->var = dd_system_need(sim->system, n->name, "parameter, input or variable", scratch);
    dd_pool_free(scratch);
    const dd_var_kind kind = sim->system->model->vars.data[n->var].kind;
    if (kind == DD_KIND_INPUT) {
        set_input(n);
        return;
    }
    make_variant(sim);
    if (kind == DD_KIND_VARIABLE) {
        dd_variant_set_start(sim->variant, n->var, n->value);
        sim->stale = true;
        return;
    }
    const dd_status st = dd_variant_set(sim->variant, n->var, n->value);
    if (st != DD_OK) {
        dd_raise(sim->ctx, st, "%s", dd_pool_strdup(sim->pool, dd_context_message(sim->ctx)));
    }
    sim->renumbered = sim->jumps = sim->stale = true;
}

dd_status dd_sim_set(dd_sim *sim, const char *name, double value)
{
    if (sim == NULL || name == NULL) {
        return DD_INVALID_ARGUMENT;
    }
    if (!isfinite(value)) {
        return dd_fail(sim->ctx, DD_INVALID_ARGUMENT, "%s must be a finite number, not %g", name, value);
    }
    if (sim->numbers == NULL) {
        return dd_fail(sim->ctx, DD_INVALID_ARGUMENT, "%s cannot be set: %s", name, sim->info.reason);
    }
    if (sim->sens != NULL) {
        return dd_fail(sim->ctx, DD_INVALID_ARGUMENT, "%s cannot be set: the simulation has sensitivities", name);
    }
    naming n = {.sim = sim, .name = name, .value = value};
    return dd_protect(sim->ctx, set_body, &n);
}

typedef struct finding {
    const dd_sim *sim;
    const char *name;
    uint32_t found;
} finding;

static void find_body(void *user)
{
    finding *f = user;
    const dd_system *s = f->sim->system;
    dd_pool *scratch = dd_pool_child(f->sim->pool);
    const uint32_t var = dd_system_find(s, f->name, scratch);
    const uint32_t column = var != DD_NO_INDEX ? s->column[var] : DD_NO_INDEX;
    f->found = column < s->declared ? column : s->declared;
    dd_pool_free(scratch);
}

uint32_t dd_sim_find(const dd_sim *sim, const char *name)
{
    finding f = {sim, name, dd_sim_variable_count(sim)};
    if (sim != NULL && name != NULL) {
        dd_protect(sim->ctx, find_body, &f);
    }
    return f.found;
}

double dd_sim_value(const dd_sim *sim, const char *name)
{
    return dd_sim_final(sim, dd_sim_find(sim, name));
}

/* ---- steps ---- */

static void begin_body(void *user)
{
    dd_sim *sim = user;
    sim->begun = sim->moved_on = sim->has_step = false;
    if (sim->stale || !sim->started) {
        dd_sim_make_start(sim);
    }
    if (!sim->started) {
        return;
    }
    sim->jumps = sim->renumbered = false;
    sim->t_goal = sim->t0;
    sim->begun = dd_run_begin(sim);
    if (sim->inputs != NULL) {
        (void)dd_inputs_has_jumped(sim->inputs, sim->t0);
    }
    dd_run_finish(sim);
}

/* Where numbers have changed the run starts again; the integrator may have looked at matrices that are constant. */
static bool pass_jump(dd_sim *sim)
{
    const bool renumbered = sim->renumbered;
    const double t = sim->integrator->t;
    sim->jumps = false;
    if (sim->has_step ? !dd_run_pass_event(sim, t, DD_NO_INDEX) : !dd_run_restart(sim)) {
        return false;
    }
    sim->has_step = false;
    if (renumbered) {
        memcpy(sim->w, sim->integrator->w, sim->numbers->n * sizeof *sim->w);
        memcpy(sim->wdot, sim->integrator->wdot, sim->numbers->n * sizeof *sim->wdot);
        const dd_integ_stats stats = sim->integrator->stats;
        if (dd_sim_make_integrator(sim) != DD_OK) {
            dd_raise(sim->ctx, DD_OUT_OF_MEMORY, "memory ran out");
        }
        dd_integ_start(sim->integrator, t, sim->w, sim->wdot);
        sim->integrator->stats = stats;
    }
    return true;
}

static void step_body(void *user)
{
    dd_sim *sim = user;
    sim->began = dd_clock_seconds();
    sim->began_clock = clock();
    if (sim->inputs != NULL && dd_inputs_has_jumped(sim->inputs, sim->integrator->t)) {
        sim->jumps = true;
    }
    /* a step is as accurate as a run to there: its last step ends at the goal */
    if (!sim->jumps || pass_jump(sim)) {
        const double t = sim->integrator->t;
        dd_run_go(sim);
        sim->has_step = sim->has_step || sim->integrator->t > t;
        sim->moved_on = sim->moved_on || sim->has_step;
    }
    if (sim->inputs != NULL) {
        (void)dd_inputs_has_jumped(sim->inputs, sim->integrator->t);
    }
    const double before = sim->info.stats.seconds;
    dd_run_finish(sim);
    sim->begun = sim->info.status == DD_SIM_OK;
    sim->info.stats.seconds = before + dd_clock_seconds() - sim->began;
}

dd_status dd_sim_begin(dd_sim *sim)
{
    if (sim == NULL) {
        return DD_INVALID_ARGUMENT;
    }
    return sim->numbers == NULL ? DD_OK : dd_protect(sim->ctx, begin_body, sim); /* else the status says why */
}

dd_status dd_sim_step(dd_sim *sim, double t)
{
    if (sim == NULL) {
        return DD_INVALID_ARGUMENT;
    }
    dd_status st = DD_OK;
    /* first of all, and again where the start was changed before the first step */
    if ((!sim->begun && sim->info.status == DD_SIM_OK) || (sim->begun && !sim->moved_on && sim->stale)) {
        st = dd_sim_begin(sim);
    }
    if (st != DD_OK || !sim->begun) {
        return st;
    }
    if (!isfinite(t) || t < sim->integrator->t) {
        return dd_fail(sim->ctx, DD_INVALID_ARGUMENT, "the simulation is at time %.10g and cannot go to %.10g",
                       sim->integrator->t, t);
    }
    sim->t_goal = t;
    return dd_protect(sim->ctx, step_body, sim);
}

/* ---- other states ---- */

/* The unknown that is this declared column and differential; DD_NO_INDEX: none. */
static uint32_t unknown_of(const dd_sim *sim, uint32_t column)
{
    const dd_numbers *q = sim->numbers;
    dd_dag *dag = sim->system->model->dag;
    for (uint32_t j = 0; j < q->n && column < sim->system->declared; j++) {
        const bool same =
            dd_symbol_id(dag, q->w.data[j]) == sim->system->unknown[column] && dd_symbol_order(dag, q->w.data[j]) == 0;
        if (same && q->problem.differential[j]) {
            return j;
        }
    }
    return DD_NO_INDEX;
}

/* Onto the constraints: at first the replaced values hardly move, then all move alike. */
static bool restore(dd_sim *sim, const bool *replaced, double t, double *w)
{
    enum { CORRECTIONS = 20 };
    const double hardly = 1e-8;
    const dd_problem *p = &sim->numbers->problem;
    if (p->n_invariants == 0) {
        return true;
    }
    memcpy(sim->plain, w, p->n * sizeof *w);
    for (int attempt = 0; attempt < 2; attempt++) {
        for (uint32_t j = 0; j < p->n; j++) {
            sim->aside_rate[j] = p->nominal[j] * (attempt == 0 && replaced[j] ? hardly : 1.0);
        }
        memcpy(w, sim->plain, p->n * sizeof *w);
        if (dd_project(sim->projector, t, w, sim->aside_rate, CORRECTIONS, sim->shift).converged) {
            return true;
        }
    }
    return false;
}

bool dd_sim_can_replace(const dd_sim *sim, uint32_t variable)
{
    return unknown_of(sim, variable) != DD_NO_INDEX;
}

typedef struct replacing {
    dd_sim *sim;
    double t;
    const uint32_t *variables;
    const double *values;
    uint32_t count;
    double moved;
    bool found;
} replacing;

static void replace_body(void *user)
{
    replacing *r = user;
    dd_sim *sim = r->sim;
    const dd_problem *p = &sim->numbers->problem;
    dd_pool *scratch = dd_pool_child(sim->pool);
    bool *replaced = dd_pool_alloc_array(scratch, p->n + 1, sizeof *replaced);
    double *w = dd_pool_alloc_array(scratch, p->n + 1, sizeof *w),
           *wdot = dd_pool_alloc_array(scratch, p->n + 1, sizeof *w);
    const double t = r->t;
    memcpy(w, sim->integrator->w, p->n * sizeof *w);
    memcpy(wdot, sim->integrator->wdot, p->n * sizeof *wdot);
    for (uint32_t i = 0; i < r->count; i++) {
        const uint32_t j = unknown_of(sim, r->variables[i]);
        if (j == DD_NO_INDEX || !isfinite(r->values[i])) {
            dd_raise(sim->ctx, DD_INVALID_ARGUMENT, "%s cannot be replaced: %s",
                     dd_sim_variable_name(sim, r->variables[i]),
                     j == DD_NO_INDEX ? "it is not a differential variable" : "its value is not a finite number");
        }
        w[j] = r->values[i];
        replaced[j] = true;
    }
    /* x onto the constraints, then x' and z by it */
    r->found = restore(sim, replaced, t, w) && dd_slopes_solve(sim->slopes, t, w, wdot).converged;
    for (uint32_t i = 0; i < r->count && r->found; i++) {
        const uint32_t j = unknown_of(sim, r->variables[i]);
        r->moved = fmax(r->moved, fabs(w[j] - r->values[i]) / p->nominal[j]);
    }
    if (r->found) {
        memcpy(sim->w, w, p->n * sizeof *w);
        memcpy(sim->wdot, wdot, p->n * sizeof *wdot);
        dd_integ_start(sim->integrator, t, sim->w, sim->wdot);
        dd_numbers_start_integrals(sim->numbers, t, sim->w);
        sim->has_step = false;
        sim->moved_on = true; /* the start is no longer where it is */
        dd_run_restart(sim);  /* relations by the new values */
        dd_run_finish(sim);
    }
    dd_pool_free(scratch);
}

static dd_status replace(dd_sim *sim, const double *time, replacing *r)
{
    dd_status st = !sim->begun ? dd_sim_begin(sim) : DD_OK;
    if (st != DD_OK || !sim->begun) {
        return st != DD_OK ? st
                           : dd_fail(sim->ctx, DD_INVALID_ARGUMENT, "nothing can be replaced: %s", sim->info.reason);
    }
    r->t = time != NULL ? *time : sim->integrator->t;
    st = dd_protect(sim->ctx, replace_body, r);
    if (st == DD_OK && !r->found) {
        return dd_fail(sim->ctx, DD_INVALID_ARGUMENT,
                       "no consistent state was found near the values that were given at time %.10g", r->t);
    }
    return st;
}

dd_status dd_sim_replace(dd_sim *sim, const uint32_t *variables, const double *values, uint32_t count, double *moved)
{
    if (sim == NULL || (count > 0 && (variables == NULL || values == NULL))) {
        return DD_INVALID_ARGUMENT;
    }
    replacing r = {.sim = sim, .variables = variables, .values = values, .count = count};
    const dd_status st = replace(sim, NULL, &r);
    if (st == DD_OK && moved != NULL) {
        *moved = r.moved;
    }
    return st;
}

dd_status dd_sim_replace_at(dd_sim *sim, double t, const uint32_t *variables, const double *values, uint32_t count)
{
    if (sim == NULL || !isfinite(t) || (count > 0 && (variables == NULL || values == NULL))) {
        return DD_INVALID_ARGUMENT;
    }
    replacing r = {.sim = sim, .variables = variables, .values = values, .count = count};
    return replace(sim, &t, &r);
}
