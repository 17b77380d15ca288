/* sim.c - making a simulation: compiled equations, a consistent start, an integrator. */
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "init/start.h"
#include "sim/growth.h"
#include "sim/leap.h"
#include "sim/sensitivity.h"
#include "sim/solvability.h"

dd_sim_options dd_sim_options_default(void)
{
    return (dd_sim_options){.max_steps = 10000000, .keep_rows = true};
}

const char *dd_sim_status_name(dd_sim_status status)
{
    static const char *const names[] = {
#define DD_SIM_STATUS_TEXT(id, name) name,
        DD_SIM_STATUS_LIST(DD_SIM_STATUS_TEXT)
#undef DD_SIM_STATUS_TEXT
    };
    return names[status];
}

/* ---- options ---- */

/* Smaller tolerances ask for less than the rounding of a single step: 45 units of the last place. */
static const double LEAST_TOLERANCE = 1e-14;

double dd_sim_tolerance(const dd_sim *sim)
{
    return sim->options.tol > 0 ? fmax(sim->options.tol, LEAST_TOLERANCE) : 1e-6;
}

void dd_sim_default_range(const dd_system *system, double *start, double *stop)
{
    const dd_experiment *e = system ? &system->model->experiment : NULL;
    if (start) {
        *start = !e ? NAN : e->has_start ? e->start : 0.0;
    }
    if (stop) {
        *stop = !e ? NAN : e->has_stop ? e->stop : 1.0;
    }
}

/* What the model's annotation experiment(...) says applies where no option does, and is checked like one. */
static void settle_options(dd_sim *sim)
{
    const dd_experiment *e = &sim->system->model->experiment;
    dd_sim_options *o = &sim->options;
    dd_sim_default_range(sim->system, &sim->t0, &sim->t_stop);
    /* a time other than 0 was set, with or without its flag */
    sim->t0 = o->has_start || o->start != 0 ? o->start : sim->t0;
    sim->t_stop = o->has_stop || o->stop != 0 ? o->stop : sim->t_stop;
    if (o->points == 0 && o->interval == 0 && e->has_interval) {
        o->interval = e->interval;
    }
    if (o->tol == 0 && e->has_tolerance) {
        o->tol = e->tolerance;
    }
}

static void settle_atol(dd_sim *sim)
{
    double tol = dd_sim_tolerance(sim);
    for (uint32_t j = 0; j < sim->numbers->n; j++) {
        sim->atol[j] = sim->options.atol > 0 ? sim->options.atol : tol * sim->numbers->problem.nominal[j];
    }
}

/* ---- the start ---- */

/* Values and derivatives of the unknowns from Taylor coefficients x_j^(k)/k! of the columns. */
static void read_start(dd_sim *sim, const double *x, uint32_t stride)
{
    const dd_numbers *q = sim->numbers;
    dd_dag *dag = q->system->model->dag;
    /* x^(k) = k! times its Taylor coefficient */
    for (uint32_t j = 0; j < q->n; j++) {
        uint32_t col = q->system->column[dd_symbol_id(dag, q->w.data[j])];
        uint32_t order = dd_symbol_order(dag, q->w.data[j]);
        double factorial = 1;
        for (uint32_t k = 2; k <= order; k++) {
            factorial *= k;
        }
        sim->w0[j] = order < stride ? x[(size_t)col * stride + order] * factorial : 0.0;
        sim->wdot0[j] = order == 0 && stride > 1 && q->problem.differential[j] ? x[(size_t)col * stride + 1] : 0.0;
    }
}

/* Once, however often the start is found again. */
static void add_message(dd_sim *sim, const char *text)
{
    for (uint32_t i = 0; i < sim->messages.len; i++) {
        if (strcmp(sim->messages.data[i], text) == 0) {
            return;
        }
    }
    dd_vec_push(sim->pool, &sim->messages, (const char *)dd_pool_strdup(sim->pool, text));
}

/* A consistent start at t0; false when there is none, and the status says why. */
static bool find_start(dd_sim *sim)
{
    /* tolerances and wishes of the run decide how a start is found */
    dd_outside at = {.time = sim->t0};
    dd_start_options o = dd_start_options_default();
    o.auto_init = sim->options.auto_init;
    o.project = sim->options.project;
    o.tol = dd_sim_tolerance(sim);
    o.directions = sim->sens ? &sim->sens->directions : NULL;
    o.start_of = sim->sens ? sim->sens->start_of : NULL;
    /* inputs at the start with two derivatives, as many as splines have */
    if (sim->inputs) {
        enum { STRIDE = 3 };
        double *taylor =
            dd_pool_alloc_array(sim->pool, (size_t)STRIDE * sim->system->model->vars.len + 1, sizeof *taylor);
        dd_inputs_taylor(sim->inputs, sim->t0, STRIDE, taylor);
        at.inputs = taylor;
        at.input_stride = STRIDE;
    }
    /* with sensitivities its derivatives are kept; else its memory goes, since it may be computed again and again */
    dd_pool *scratch = sim->sens ? sim->pool : dd_pool_child(sim->pool);
    dd_start start = dd_system_start(sim->system, &at, &o, scratch);
    for (uint32_t i = 0; i < start.messages.len; i++) {
        add_message(sim, start.messages.data[i]);
    }
    bool found = start.ok;
    if (found) {
        read_start(sim, start.x, start.stride);
        found = dd_sim_sens_take_start(sim, &start);
    } else {
        sim->info.status = DD_SIM_INIT_FAILED;
        sim->info.reason = dd_pool_strdup(sim->pool, start.reason);
    }
    if (scratch != sim->pool) {
        dd_pool_free(scratch);
    }
    return found;
}

/* ---- creation ---- */

static void read_inputs(dd_sim *sim)
{
    const dd_sim_options *options = &sim->options;
    if (options->input_file || options->hold_inputs || options->input) {
        dd_inputs_options o = {.path = options->input_file,
                               .hold = options->hold_inputs || options->input != NULL,
                               .call = options->input,
                               .call_user = options->input_user,
                               .interpolation = options->interpolation,
                               .start = sim->t0,
                               .stop = sim->t_stop,
                               .tol = dd_sim_tolerance(sim),
                               .names = options->sensitivity,
                               .n_names = options->n_sensitivity};
        sim->inputs = dd_inputs_new(sim->system, &o, &sim->messages, sim->pool);
    }
}

static void allocate(dd_sim *sim)
{
    const dd_numbers *q = sim->numbers;
    /* work space is made here, since the callbacks of kernels must not raise */
    uint32_t n = q->n, sw = q->switches.len, values = sim->system->declared + sim->system->model->assertions.len;
    sim->atol = dd_pool_alloc_array(sim->pool, n + 1, sizeof(double));
    sim->w0 = dd_pool_alloc_array(sim->pool, n + 1, sizeof(double));
    sim->wdot0 = dd_pool_alloc_array(sim->pool, n + 1, sizeof(double));
    sim->w = dd_pool_alloc_array(sim->pool, n + 1, sizeof(double));
    sim->wdot = dd_pool_alloc_array(sim->pool, n + 1, sizeof(double));
    sim->shift = dd_pool_alloc_array(sim->pool, n + 1, sizeof(double));
    sim->near_w = dd_pool_alloc_array(sim->pool, n + 1, sizeof(double));
    sim->plain = dd_pool_alloc_array(sim->pool, n + 1, sizeof(double));
    sim->w_before = dd_pool_alloc_array(sim->pool, n + 1, sizeof(double));
    sim->wdot_before = dd_pool_alloc_array(sim->pool, n + 1, sizeof(double));
    sim->z_solved = dd_pool_alloc_array(sim->pool, n + 1, sizeof(double));
    sim->state_w = dd_pool_alloc_array(sim->pool, n + 1, sizeof(double));
    sim->state_wdot = dd_pool_alloc_array(sim->pool, n + 1, sizeof(double));
    sim->guess = dd_pool_alloc_array(sim->pool, n + 1, sizeof(double));
    sim->guess_rate = dd_pool_alloc_array(sim->pool, n + 1, sizeof(double));
    sim->first_z = dd_pool_alloc_array(sim->pool, n + 1, sizeof(double));
    sim->first_rate = dd_pool_alloc_array(sim->pool, n + 1, sizeof(double));
    sim->values = dd_pool_alloc_array(sim->pool, values + 1, sizeof(double));
    sim->warned = dd_pool_alloc_array(sim->pool, sim->system->model->assertions.len + 1, sizeof *sim->warned);
    sim->invariant = dd_pool_alloc_array(sim->pool, q->problem.n_invariants + 1, sizeof(double));
    sim->mode0 = dd_pool_alloc_array(sim->pool, sw + 1, sizeof(double));
    sim->g_seen = dd_pool_alloc_array(sim->pool, (size_t)(DD_CROSSING_PROBES + 2) * sw + 1, sizeof(double));
    const uint32_t kinks = q->kinks.len;
    sim->g_part = dd_pool_alloc_array(sim->pool, (size_t)(DD_CROSSING_PROBES + 2) * (sw + kinks) + 1, sizeof(double));
    sim->kink_mode = dd_pool_alloc_array(sim->pool, kinks + 1, sizeof(double));
    sim->kink_seen = dd_pool_alloc_array(sim->pool, (size_t)(DD_CROSSING_PROBES + 2) * kinks + 1, sizeof(double));
    sim->kink_probe = dd_pool_alloc_array(sim->pool, kinks + 1, sizeof(double));
    sim->g_probe = dd_pool_alloc_array(sim->pool, sw + 1, sizeof(double));
    sim->passed = dd_pool_alloc_array(sim->pool, sw + 1, sizeof *sim->passed);
    sim->crossed = dd_pool_alloc_array(sim->pool, sw + 1, sizeof *sim->crossed);
    sim->decided = dd_pool_alloc_array(sim->pool, sw + 1, sizeof *sim->decided);
    sim->turned = dd_pool_alloc_array(sim->pool, sw + 1, sizeof *sim->turned);
    sim->g_aside = dd_pool_alloc_array(sim->pool, sw + 1, sizeof(double));
    sim->g_before = dd_pool_alloc_array(sim->pool, sw + 1, sizeof(double));
    sim->aside = dd_pool_alloc_array(sim->pool, n + 1, sizeof(double));
    sim->aside_rate = dd_pool_alloc_array(sim->pool, n + 1, sizeof(double));
    sim->arrived = dd_pool_alloc_array(sim->pool, n + 1, sizeof(double));
    sim->arrived_rate = dd_pool_alloc_array(sim->pool, n + 1, sizeof(double));
    sim->mode_arrived = dd_pool_alloc_array(sim->pool, sw + 1, sizeof(double));
    sim->rows.width = sim->curves.width = sim->system->declared + 1;
    sim->steps.width = DD_STEP_COLUMNS + 1;
}

/* The index was decided by the derivative array: there is an answer for this solution, but no reduced system. */
static bool is_unreduced(const dd_sim *sim)
{
    return sim->system->certificate == DD_CERTIFICATE_DERIVATIVE_ARRAY;
}

/* Index 0 and 1 need no reduction: where the analysis differentiated rows all the same (they had to be combined
 * first), the rows as written keep the constraints exactly. Explicit methods need x' and z apart, which the reduced
 * form has. */
static dd_form_of_equations choose_form(const dd_sim *sim)
{
    const dd_system *s = sim->system;
    /* explicit methods need x' = f, which a singular start does not have */
    if (is_unreduced(sim) && dd_sim_method_is_explicit(sim)) {
        dd_raise(sim->ctx, DD_INVALID_ARGUMENT,
                 "%s needs the derivatives in closed form, but the equations are singular at the start values: take an "
                 "implicit method, such as radau",
                 sim->options.method);
    }
    if (sim->options.form == DD_SIM_FORM_ORIGINAL || is_unreduced(sim)) {
        return DD_EQUATIONS_ORIGINAL;
    }
    if (sim->options.keep_constraints) {
        return DD_EQUATIONS_KEPT;
    }
    if (sim->options.stabilize == DD_STABILIZE_DUMMY) { /* a choice among all variables, repeated during the run */
        return DD_EQUATIONS_WHOLE;
    }
    /* index 1 with combined rows: as written, nothing was differentiated and nothing drifts */
    bool simple = s->index <= 1 && s->off.max_c > 0 && sim->options.stabilize == DD_STABILIZE_PROJECTION;
    return simple && !dd_sim_method_is_explicit(sim) ? DD_EQUATIONS_ORIGINAL : DD_EQUATIONS_REDUCED;
}

static void warn_original(dd_sim *sim)
{
    if ((sim->options.form == DD_SIM_FORM_ORIGINAL || is_unreduced(sim)) && sim->system->index > 1) {
        dd_vec_push(
            sim->pool, &sim->messages,
            (const char *)dd_pool_printf(
                sim->pool,
                "the equations are integrated as written, with index %d: after the start and after every change of "
                "step size algebraic variables have errors that no step size makes small, and Newton's method is "
                "badly conditioned for small steps; the reduced form (default) has neither",
                sim->system->index));
    }
}

static void make_numbers(dd_sim *sim, double alpha)
{
    dd_form_of_equations form = choose_form(sim);
    const dd_index_vec *supplied = sim->inputs ? dd_inputs_supplied(sim->inputs) : NULL;
    const dd_direction_vec *directions = sim->sens ? &sim->sens->directions : NULL;
    sim->numbers = dd_numbers_new(sim->system, form, alpha, supplied, directions, sim->pool);
    /* an event restarts with x' and z, which the form as written does not separate */
    if (form == DD_EQUATIONS_ORIGINAL && sim->numbers->changing > 0 && sim->options.form != DD_SIM_FORM_ORIGINAL &&
        !is_unreduced(sim)) { /* events restart with x' and z apart */
        dd_numbers_free(sim->numbers);
        sim->numbers = NULL;
        sim->numbers = dd_numbers_new(sim->system, DD_EQUATIONS_REDUCED, alpha, supplied, directions, sim->pool);
    }
    if (sim->watch) {
        dd_watch_follow(sim->watch, sim->numbers, sim->pool);
    }
}

/* The reduced system beside equations of index 2 and more as they are written. */
static void make_watch(dd_sim *sim)
{
    if (sim->numbers->equations->form != DD_EQUATIONS_ORIGINAL || sim->system->index <= 1) {
        return;
    }
    const dd_direction_vec *directions = sim->sens ? &sim->sens->directions : NULL;
    dd_watch_new(&sim->watch, sim->system, DD_EQUATIONS_WHOLE, sim->inputs, directions, sim->pool);
    if (sim->watch) {
        dd_watch_follow(sim->watch, sim->numbers, sim->pool);
    }
}

static void make_solvers(dd_sim *sim)
{
    const dd_problem *p = &sim->numbers->problem;
    dd_system_must(sim->system, dd_slopes_new(&sim->slopes, sim->ctx, p), "preparing a simulation");
    dd_system_must(sim->system, dd_projector_new(&sim->projector, sim->ctx, p), "preparing a simulation");
    dd_system_must(sim->system,
                   sim->options.step > 0 ? dd_projector_new(&sim->keeper, sim->ctx, p)
                                         : dd_projector_new_keeping(&sim->keeper, sim->ctx, p),
                   "preparing a simulation");
}

/* Baumgarte's alpha depends on the start, and the equations on alpha: they are made again when it is known. */
static void settle_alpha(dd_sim *sim, double before)
{
    const double alpha = dd_sim_alpha(sim);
    if (alpha == 0) {
        return;
    }
    dd_vec_push(sim->pool, &sim->messages,
                (const char *)dd_pool_printf(sim->pool, "Baumgarte stabilization with alpha = %.6g", alpha));
    if (alpha == before) {
        return;
    }
    /* everything that was compiled with the old alpha goes */
    dd_slopes_free(sim->slopes);
    dd_projector_free(sim->projector);
    dd_projector_free(sim->keeper);
    dd_numbers_free(sim->numbers);
    sim->slopes = NULL;
    sim->projector = sim->keeper = NULL;
    sim->numbers = NULL;
    make_numbers(sim, alpha);
    if (sim->inputs) {
        dd_inputs_connect(sim->inputs, sim->numbers); /* they were accepted before */
    }
    make_solvers(sim);
}

/* The message of a wrong method name is the user's. */
static void must_make(dd_sim *sim)
{
    dd_status st = dd_sim_make_integrator(sim);
    if (st == DD_OUT_OF_MEMORY) { /* kernels leave no message */
        dd_raise(sim->ctx, st, "memory ran out");
    }
    if (st != DD_OK) {
        dd_raise(sim->ctx, st, "%s", dd_context_message(sim->ctx));
    }
}

/* The start; then the modes there, the values to conserve, the integrator. */
static void start_from(dd_sim *sim, double alpha)
{
    sim->started = find_start(sim);
    sim->stale = false;
    if (sim->started) {
        settle_alpha(sim, alpha);
        sim->never_sticks = sim->options.step > 0 && dd_sim_method_is_explicit(sim);
        dd_sim_first_modes(sim);
        memcpy(sim->mode0, sim->numbers->mode, sim->numbers->switches.len * sizeof(double));
        dd_numbers_start_integrals(sim->numbers, sim->t0, sim->w0);
        must_make(sim);
        dd_solvability_free(sim->solvability);
        sim->solvability = NULL;
        dd_solvability_new(&sim->solvability, sim);
        dd_growth_free(sim->growth);
        sim->growth = NULL;
        sim->growth = dd_growth_new(sim);
        dd_leap_free(sim->leap);
        sim->leap = NULL;
        sim->leap = dd_leap_new(sim);
    }
}

void dd_sim_make_start(dd_sim *sim)
{
    sim->info = (dd_sim_info){.reason = "", .t0 = sim->t0, .t = sim->t0};
    dd_sim_renumber(sim);
    if (sim->inputs) {
        dd_inputs_enter(sim->inputs, sim->t0);
    }
    start_from(sim, dd_sim_alpha(sim));
}

static void build_body(void *arg)
{
    dd_sim *sim = arg;
    const dd_system *s = sim->system;
    /* options first: nothing is computed for impossible ones */
    settle_options(sim);
    dd_status wrong = dd_sim_check_options(sim);
    if (wrong != DD_OK) {
        dd_raise(sim->ctx, wrong, "%s", dd_context_message(sim->ctx));
    }
    if (sim->options.tol > 0 && sim->options.tol < LEAST_TOLERANCE) {
        add_message(sim,
                    dd_pool_printf(sim->pool,
                                   "a tolerance of %.3g is below what double precision resolves: %.0e is used, and "
                                   "rounding errors of many steps may be larger",
                                   sim->options.tol, LEAST_TOLERANCE));
    }
    sim->info = (dd_sim_info){.reason = "", .t0 = sim->t0, .t = sim->t0};
    /* a model that is wrong is an answer of the run, not a failure of the call */
    if (s->verdict != DD_VERDICT_OK) {
        sim->info.status = DD_SIM_INVALID_MODEL;
        sim->info.reason = s->reason;
        return;
    }
    /* inputs and parameters to differentiate by decide which symbols the programs have */
    read_inputs(sim);
    dd_sim_sens_system(sim);
    sim->sens = dd_sim_sens_new(sim);
    warn_original(sim);
    const double alpha = dd_sim_first_alpha(sim);
    make_numbers(sim, alpha);
    /* a table may not have the derivatives that the equations ask for */
    const char *refused = sim->inputs ? dd_inputs_connect(sim->inputs, sim->numbers) : NULL;
    if (refused) {
        sim->info.status = DD_SIM_INVALID_MODEL;
        sim->info.reason = refused;
        return;
    }
    /* the parts that a run needs, by what was asked for */
    allocate(sim);
    make_watch(sim);
    sim->impulses = dd_impulses_new(sim);
    dd_sim_sens_allocate(sim);
    if (sim->options.stabilize == DD_STABILIZE_DUMMY) {
        sim->dummy = dd_dummy_new(sim->numbers, sim->pool);
    }
    make_solvers(sim);
    settle_atol(sim);
    sim->info.t0 = sim->info.t = sim->t0;
    start_from(sim, alpha);
}

dd_status dd_sim_new(dd_sim **out, const dd_system *system, const dd_sim_options *options)
{
    if (out) {
        *out = NULL;
    }
    if (!out || !system) {
        return DD_INVALID_ARGUMENT;
    }
    dd_context *ctx = system->ctx;
    const dd_model *model = system->model;
    /* phases are stacked in a common time, which a simulation does not know */
    if (model->optimization && model->optimization->phases.len > 0) {
        return dd_fail(ctx, DD_INVALID_MODEL,
                       "%s is an optimization with phases (%s ..): phases are for `optimize`; a simulation needs one "
                       "model, such as that of a phase",
                       model->name, model->optimization->phases.data[0].name);
    }
    dd_pool *pool = dd_pool_new(ctx);
    dd_sim *sim = pool ? dd_mem_new_array(ctx, 1, sizeof *sim) : NULL;
    if (!sim) {
        dd_pool_free(pool);
        return dd_fail(ctx, DD_OUT_OF_MEMORY, "memory ran out");
    }
    sim->ctx = ctx;
    sim->system = system;
    sim->pool = pool;
    sim->options = options ? *options : dd_sim_options_default();
    sim->info.reason = "";
    /* whatever fails, dd_sim_free knows how much was made */
    dd_status st = dd_protect(ctx, build_body, sim);
    if (st != DD_OK) {
        dd_sim_free(sim);
        return st;
    }
    *out = sim;
    return DD_OK;
}

void dd_sim_free(dd_sim *sim)
{
    if (!sim) {
        return;
    }
    dd_sim_sens_free(sim);
    dd_integ_free(sim->integrator);
    dd_integ_free(sim->inner);
    dd_slopes_free(sim->slopes);
    dd_projector_free(sim->projector);
    dd_projector_free(sim->keeper);
    dd_watch_free(sim->watch);
    dd_solvability_free(sim->solvability);
    dd_growth_free(sim->growth);
    dd_leap_free(sim->leap);
    dd_tableau_free(sim->tableau);
    dd_dummy_free(sim->dummy);
    dd_numbers_free(sim->numbers);
    dd_table_free(&sim->rows, sim->ctx);
    dd_table_free(&sim->curves, sim->ctx);
    dd_table_free(&sim->steps, sim->ctx);
    dd_system_free(sim->own_system);
    dd_pool_free(sim->pool);
    dd_mem_free(sim->ctx, sim, sizeof *sim);
}

dd_status dd_sim_set_tolerance(dd_sim *sim, double tol, double atol)
{
    if (!sim) {
        return DD_INVALID_ARGUMENT;
    }
    sim->options.tol = tol;
    sim->options.atol = atol;
    settle_atol(sim);
    if (!sim->integrator) {
        return DD_OK; /* no start, no run */
    }
    if (!sim->integrator->ops->set_tolerance || sim->switched) {
        return dd_sim_make_integrator(sim);
    }
    sim->integrator->ops->set_tolerance(sim->integrator, dd_sim_tolerance(sim), sim->atol);
    if (sim->inner) {
        sim->inner->ops->set_tolerance(sim->inner, dd_sim_tolerance(sim), sim->atol);
    }
    return DD_OK;
}

/* ---- looking ---- */

dd_sim_info dd_sim_get_info(const dd_sim *sim)
{
    return sim ? sim->info : (dd_sim_info){.status = DD_SIM_INVALID_MODEL, .reason = ""};
}

void dd_sim_time_range(const dd_sim *sim, double *start, double *stop)
{
    if (start) {
        *start = sim ? sim->t0 : NAN;
    }
    if (stop) {
        *stop = sim ? sim->t_stop : NAN;
    }
}

uint32_t dd_sim_message_count(const dd_sim *sim)
{
    return sim ? sim->messages.len : 0;
}

const char *dd_sim_message(const dd_sim *sim, uint32_t i)
{
    return i < dd_sim_message_count(sim) ? sim->messages.data[i] : "";
}

uint32_t dd_sim_variable_count(const dd_sim *sim)
{
    return sim ? sim->system->declared : 0;
}

const char *dd_sim_variable_name(const dd_sim *sim, uint32_t i)
{
    return i < dd_sim_variable_count(sim) ? dd_system_column_name(sim->system, i, sim->pool) : "";
}

double dd_sim_final(const dd_sim *sim, uint32_t i)
{
    return i < dd_sim_variable_count(sim) && sim->started ? sim->values[i] : NAN;
}

uint32_t dd_sim_sensitivity_count(const dd_sim *sim)
{
    return sim && sim->sens ? sim->sens->count : 0;
}

const char *dd_sim_sensitivity_name(const dd_sim *sim, uint32_t p)
{
    return p < dd_sim_sensitivity_count(sim) ? sim->sens->name[p] : "";
}

double dd_sim_sensitivity(const dd_sim *sim, uint32_t p, uint32_t variable)
{
    const bool there = p < dd_sim_sensitivity_count(sim) && variable < dd_sim_variable_count(sim);
    return there && sim->started ? sim->sens->values[(size_t)p * sim->system->declared + variable] : NAN;
}

double dd_sim_row_sensitivity(const dd_sim *sim, uint64_t row, uint32_t p, uint32_t variable)
{
    if (p >= dd_sim_sensitivity_count(sim) || variable >= sim->system->declared || row >= sim->sens->rows.count) {
        return NAN;
    }
    return dd_table_row(&sim->sens->rows, row)[1 + (size_t)p * sim->system->declared + variable];
}

uint64_t dd_sim_row_count(const dd_sim *sim)
{
    return sim ? sim->rows.count : 0;
}

double dd_sim_row_time(const dd_sim *sim, uint64_t row)
{
    return row < dd_sim_row_count(sim) ? dd_table_time(&sim->rows, row) : NAN;
}

double dd_sim_row_value(const dd_sim *sim, uint64_t row, uint32_t variable)
{
    const bool there = row < dd_sim_row_count(sim) && variable < sim->system->declared;
    return there ? dd_table_row(&sim->rows, row)[1 + variable] : NAN;
}

uint32_t dd_sim_event_count(const dd_sim *sim)
{
    return sim ? sim->event_times.len : 0;
}

double dd_sim_event_time(const dd_sim *sim, uint32_t i)
{
    return i < dd_sim_event_count(sim) ? sim->event_times.data[i] : NAN;
}
