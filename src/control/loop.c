/* loop.c - the closed loop: measure, decide, apply, and the plant to the next sample. */
#include "control/loop.h"

#include <math.h>
#include <string.h>

#include "base/context.h"

#define PLANT_TOL 1e-8
#define ROUNDING 1e-9 /* of a sample period */

/* Between two samples the plant is looked at in Lobatto's points, whose quadrature is of order 8: Hairer, Norsett and
 * Wanner. Rows of the record are there too. */
enum { POINTS = 4 };
static const double point_at[POINTS] = {0.17267316464601142810, 0.5, 0.82732683535398857190, 1};
static const double weight[POINTS + 1] = {0.05, 49.0 / 180, 32.0 / 90, 49.0 / 180, 0.05};

const char *dd_loop_status_name(dd_loop_status status)
{
    static const char *const names[] = {
#define DD_LOOP_STATUS_TEXT(id, name) name,
        DD_LOOP_STATUS_LIST(DD_LOOP_STATUS_TEXT)
#undef DD_LOOP_STATUS_TEXT
    };
    return names[status];
}

/* ---- creation ---- */

static _Noreturn void pass_on(dd_loop *l, dd_status st)
{
    dd_raise(l->ctx, st, "%s", dd_pool_strdup(l->pool, dd_context_message(l->ctx)));
}

/* The plan as the plant's inputs between samples. */
static void follow(void *user, double t, double *values)
{
    dd_loop *l = user;
    if (l->options.delay > 0) {
        dd_decided_value(l->control, l->piece, t, values);
    } else {
        /* at both ends as between them: polynomials jump there */
        const double end = ROUNDING * l->options.sample_period;
        if (!dd_control_plan_beside(l->control, t, fmax(fmin(t, l->to - end), l->from + end), values)) {
            memcpy(values, l->u, l->n_inputs * sizeof *values);
        }
    }
}

static void make_plant(dd_loop *l)
{
    dd_sim_options o = dd_sim_options_default();
    o.hold_inputs = true;
    o.keep_rows = false;
    o.has_start = o.has_stop = true;
    o.start = l->start;
    o.stop = l->stop;
    o.tol = l->options.plant_tol > 0 ? l->options.plant_tol : PLANT_TOL;
    if (l->follows) {
        o.input = follow;
        o.input_user = l;
    }
    /* inputs are held between samples, or follow the plan */
    dd_status st = dd_sim_new(&l->plant, l->plant_system, &o);
    if (st != DD_OK) {
        pass_on(l, st);
    }
    if (!l->follows) {
        for (uint32_t i = 0; i < l->n_inputs && st == DD_OK; i++) {
            st = dd_sim_set(l->plant, dd_control_input_name(l->control, i), l->u[i]);
        }
    }
    st = st == DD_OK ? dd_sim_begin(l->plant) : st;
    if (st != DD_OK) {
        pass_on(l, st);
    }
}

static void match_measured(dd_loop *l)
{
    const uint32_t count = dd_control_measured_count(l->control);
    l->measured_of = dd_pool_alloc_array(l->pool, count + 1, sizeof *l->measured_of);
    l->noise = dd_pool_alloc_array(l->pool, count + 1, sizeof *l->noise);
    l->y = dd_pool_alloc_array(l->pool, count + 1, sizeof *l->y);
    dd_number_vec sigma = {0};
    if (l->options.noise != NULL) {
        sigma = dd_read_numbers(l->ctx, l->options.noise, "noise", l->pool);
    }
    for (uint32_t i = 0; i < count; i++) {
        const char *name = dd_control_measured_name(l->control, i);
        l->measured_of[i] = dd_place_in_sim(l->plant_system, name, l->pool);
        if (l->measured_of[i] == dd_sim_variable_count(l->plant)) {
            dd_raise(l->ctx, DD_INVALID_MODEL, "the plant %s has no variable %s, which is measured",
                     l->plant_system->model->name, name);
        }
        const uint32_t entry = l->control->estimator->measured.data[i].entry;
        l->noise[i] = sigma.len == 0 ? 0 : sigma.data[sigma.len > 1 ? entry : 0];
    }
}

/* What may be disturbed: parameters and inputs of the plant that the controller does not set. */
static void check_disturbed(dd_loop *l, const char *name)
{
    const uint32_t var = dd_system_find(l->plant_system, name, l->pool);
    if (var == DD_NO_INDEX) {
        dd_raise(l->ctx, DD_INVALID_ARGUMENT, "%s: the plant %s has no input or parameter \"%s\"",
                 l->options.disturbance, l->plant_system->model->name, name);
    }
    const dd_var_kind kind = l->plant_system->model->vars.data[var].kind;
    const char *why = kind == DD_KIND_PARAMETER ? dd_system_refuses(l->plant_system, var)
                      : kind == DD_KIND_INPUT   ? NULL
                                                : "is neither an input nor a parameter of the plant";
    for (uint32_t i = 0; i < l->n_inputs; i++) {
        if (strcmp(dd_control_input_name(l->control, i), name) == 0) {
            why = "is an input that the controller sets; disturb another input or a parameter of the plant";
        }
    }
    if (why != NULL) {
        dd_raise(l->ctx, DD_INVALID_MODEL, "%s: the column %s %s", l->options.disturbance, name, why);
    }
}

static void read_disturbance(dd_loop *l)
{
    dd_disturbance *d = &l->disturbance;
    if (l->options.disturbance == NULL) {
        return;
    }
    dd_table_reader file = {0};
    const dd_status st = dd_table_open(&file, l->options.disturbance, l->pool);
    if (st != DD_OK) {
        pass_on(l, st);
    }
    if (!dd_table_header(&file) || !dd_table_require_time(&file)) {
        dd_table_refuse(&file, file.problem);
    }
    /* every column but the time is an input or a parameter of the plant, once */
    uint32_t *fields = dd_pool_alloc_array(l->pool, file.fields + 1, sizeof *fields);
    d->names = dd_pool_alloc_array(l->pool, file.fields + 1, sizeof *d->names);
    for (uint32_t i = 0; i < file.fields; i++) {
        if (i != file.time) {
            d->names[d->count] = dd_pool_strdup(l->pool, file.csv.field[i]);
            check_disturbed(l, d->names[d->count]);
            fields[d->count++] = i;
        }
    }
    if (!dd_table_require_once(&file, fields, d->count)) {
        dd_table_refuse(&file, file.problem);
    }
    dd_table_choose(&file, fields, d->count);
    d->rows = dd_table_of_pool(l->pool, d->count);
    if (!dd_table_read(&file, d->rows, l->pool)) {
        dd_table_refuse(&file, file.problem);
    }
    if (d->rows->count == 0) {
        dd_raise(l->ctx, DD_INVALID_MODEL, "%s has no rows", l->options.disturbance);
    }
}

static void name_columns(dd_loop *l)
{
    const bool recorded = l->recorded.rows != NULL;
    l->n_plant = recorded ? dd_control_measured_count(l->control) : dd_sim_variable_count(l->plant);
    l->n_estimates = dd_control_estimate_count(l->control);
    l->n_references = l->control->reference.names.len;
    const uint32_t count = l->n_plant + l->n_inputs + l->n_estimates + l->n_references + 3;
    l->columns = dd_pool_alloc_array(l->pool, count + 1, sizeof *l->columns);
    uint32_t n = 0;
    for (uint32_t i = 0; i < l->n_plant; i++) {
        l->columns[n++] = recorded ? dd_control_measured_name(l->control, i) : dd_sim_variable_name(l->plant, i);
    }
    for (uint32_t i = 0; i < l->n_inputs; i++) {
        l->columns[n++] = dd_control_input_name(l->control, i);
    }
    for (uint32_t i = 0; i < l->n_estimates; i++) {
        l->columns[n++] = dd_pool_printf(l->pool, "estimate.%s", dd_control_estimate_name(l->control, i));
    }
    for (uint32_t i = 0; i < l->n_references; i++) {
        l->columns[n++] = dd_model_var_name_dup(l->system->model, l->control->reference.names.data[i].var, l->pool);
    }
    l->columns[n++] = "solve_ms";
    l->columns[n++] = "iterations";
    l->columns[n++] = "status";
    l->record.width = count + 1;
}

static void new_body(void *user)
{
    dd_loop *l = user;
    const dd_experiment *e = &l->system->model->experiment;
    dd_status st = dd_control_new(&l->control, l->system, &l->options);
    if (st != DD_OK) {
        pass_on(l, st);
    }
    l->start = dd_control_time(l->control);
    l->stop = l->options.has_stop ? l->options.stop : e->has_stop ? e->stop : l->start + 1;
    if (!(l->stop > l->start) && l->options.measurements == NULL) {
        dd_raise(l->ctx, DD_INVALID_ARGUMENT, "the loop stops at %g, which is not after its start %g", l->stop,
                 l->start);
    }
    /* inputs: those in use, and those that follow */
    l->n_inputs = dd_control_input_count(l->control);
    l->u = dd_pool_alloc_array(l->pool, l->n_inputs + 1, sizeof *l->u);
    l->next_u = dd_pool_alloc_array(l->pool, l->n_inputs + 1, sizeof *l->next_u);
    memcpy(l->u, l->control->u, l->n_inputs * sizeof *l->u);
    l->follows = l->options.control == DD_OCP_LINEAR || l->options.control == DD_OCP_POLYNOMIAL;
    l->random = dd_random_new(l->options.seed);
    if (l->options.measurements != NULL) {
        dd_recorded_new(l);
    } else {
        make_plant(l);
        match_measured(l);
        read_disturbance(l);
        dd_ledger_new(l);
    }
    name_columns(l);
}

dd_status dd_loop_new(dd_loop **out, const dd_system *system, const dd_system *plant, const dd_control_options *options)
{
    if (out != NULL) {
        *out = NULL;
    }
    if (out == NULL || system == NULL || options == NULL) {
        return DD_INVALID_ARGUMENT;
    }
    dd_context *ctx = system->ctx;
    dd_pool *pool = dd_pool_new(ctx);
    dd_loop *l = pool != NULL ? dd_mem_new_array(ctx, 1, sizeof *l) : NULL;
    if (l == NULL) {
        dd_pool_free(pool);
        return dd_fail(ctx, DD_OUT_OF_MEMORY, "%s", dd_status_text(DD_OUT_OF_MEMORY));
    }
    /* the plant is the model itself unless there is another */
    *l = (dd_loop){.ctx = ctx, .pool = pool, .system = system, .options = *options};
    l->plant_system = plant != NULL ? plant : system;
    l->info = (dd_loop_info){
        .status = DD_LOOP_INTERRUPTED, .reason = "not run yet", .worst = "", .cost = NAN, .max_violation = NAN};
    const dd_status st = dd_protect(ctx, new_body, l);
    if (st != DD_OK) {
        dd_loop_free(l);
        return st;
    }
    *out = l;
    return DD_OK;
}

void dd_loop_free(dd_loop *l)
{
    if (l != NULL) {
        dd_sim_free(l->plant);
        dd_control_free(l->control);
        dd_table_free(&l->record, l->ctx);
        dd_pool_free(l->text);
        dd_pool_free(l->pool);
        dd_mem_free(l->ctx, l, sizeof *l);
    }
}

/* ---- a run ---- */

static void end(dd_loop *l, dd_loop_status status, const char *reason)
{
    l->info.status = status;
    l->info.reason = dd_pool_strdup(l->pool, reason);
}

double dd_loop_value(const dd_loop *l, uint32_t i)
{
    return l->recorded.rows != NULL ? l->y[i] : dd_sim_final(l->plant, i);
}

/* One row: the plant now; of samples also what the controller did (estimate: NULL: that of the last sample). */
static void add_row(dd_loop *l, double t, const dd_sample_info *sample, const double *estimate)
{
    double *row = dd_table_new_row(&l->record, l->ctx);
    if (row == NULL) {
        dd_raise(l->ctx, DD_OUT_OF_MEMORY, NULL);
    }
    *row++ = t;
    for (uint32_t i = 0; i < l->n_plant; i++) {
        *row++ = dd_loop_value(l, i);
    }
    for (uint32_t i = 0; i < l->n_inputs; i++) {
        *row++ = l->u[i];
    }
    for (uint32_t i = 0; i < l->n_estimates; i++) {
        *row++ = sample == NULL ? (double)NAN : estimate != NULL ? estimate[i] : dd_control_estimate(l->control, i);
    }
    for (uint32_t i = 0; i < l->n_references; i++) {
        *row++ = l->control->reference.value[i];
    }
    *row++ = sample != NULL ? 1e3 * (sample->seconds_feedback + sample->seconds_preparation) : NAN;
    *row++ = sample != NULL ? (double)sample->iterations : (double)NAN;
    *row++ = sample != NULL ? (double)sample->status : (double)NAN;
}

/* Disturbances at or before t; true: some apply now. */
static void disturb(dd_loop *l, double t)
{
    dd_disturbance *d = &l->disturbance;
    while (d->rows != NULL && d->next < d->rows->count &&
           dd_table_time(d->rows, d->next) <= t + ROUNDING * l->options.sample_period) {
        for (uint32_t i = 0; i < d->count; i++) {
            const dd_status st = dd_sim_set(l->plant, d->names[i], dd_table_row(d->rows, d->next)[1 + i]);
            if (st != DD_OK) {
                pass_on(l, st);
            }
        }
        d->next++;
    }
}

/* The plant on to t, by way of the rows of the disturbance. False: it failed, and the status says why. */
static bool move_plant(dd_loop *l, double t)
{
    const dd_disturbance *d = &l->disturbance;
    for (bool there = false; !there;) {
        const double row = d->rows != NULL && d->next < d->rows->count ? dd_table_time(d->rows, d->next) : INFINITY;
        /* a row at t but for rounding applies at t: steps of rounding length cannot be taken */
        there = row >= t - ROUNDING * l->options.sample_period;
        const double goal = there ? t : row;
        const dd_status st = dd_sim_step(l->plant, goal);
        if (st != DD_OK) {
            pass_on(l, st);
        }
        const dd_sim_info info = dd_sim_get_info(l->plant);
        if (info.status != DD_SIM_OK) {
            l->info.t = info.t;
            end(l,
                info.status == DD_SIM_INTERRUPTED  ? DD_LOOP_INTERRUPTED
                : info.status == DD_SIM_TIME_LIMIT ? DD_LOOP_TIME_LIMIT
                                                   : DD_LOOP_PLANT_FAILED,
                dd_pool_printf(l->pool, "the plant stopped at time %.10g (%s): %s", info.t,
                               dd_sim_status_name(info.status), info.reason));
            return false;
        }
        disturb(l, goal);
    }
    return true;
}

/* Inputs of the plant from now on. */
static void apply_inputs(dd_loop *l)
{
    memcpy(l->u, l->next_u, l->n_inputs * sizeof *l->u);
    for (uint32_t i = 0; i < l->n_inputs && !l->follows; i++) {
        const dd_status st = dd_sim_set(l->plant, dd_control_input_name(l->control, i), l->u[i]);
        if (st != DD_OK) {
            pass_on(l, st);
        }
    }
}

/* From one time to another with rows and quadrature. */
static bool advance(dd_loop *l, double from, double to)
{
    l->from = from;
    l->to = to;
    double sum = weight[0] * dd_ledger_look(l, from);
    for (int i = 0; i < POINTS; i++) {
        const double t = i + 1 == POINTS ? to : from + point_at[i] * (to - from);
        if (!move_plant(l, t)) {
            return false;
        }
        if (l->follows) {
            follow(l, t, l->u);
        }
        sum += weight[i + 1] * dd_ledger_look(l, t);
        if (i + 1 < POINTS) {
            add_row(l, t, NULL, NULL);
        }
    }
    l->ledger.cost += sum * (to - from);
    return true;
}

/* Inputs of the plan by time, interval by interval, which may be shorter than a sample period: there they jump or have
 * corners. */
static bool advance_by_plan(dd_loop *l, double from, double to)
{
    for (double t = from; t < to;) {
        const double change = dd_control_next_change(l->control, t);
        const double end = change < to - ROUNDING * l->options.sample_period ? change : to;
        if (dd_control_plan_beside(l->control, l->follows ? t : 0.5 * (t + end), 0.5 * (t + end), l->next_u)) {
            apply_inputs(l);
        }
        if (!advance(l, t, end)) {
            return false;
        }
        if (end < to) {
            add_row(l, end, NULL, NULL);
        }
        t = end;
    }
    return true;
}

/* A sample decides what acts later. */
static void keep_late(dd_loop *l, const dd_sample_info *sample)
{
    dd_late late = {.at = sample->time + l->options.delay, .sample = *sample};
    late.estimate = dd_pool_alloc_array(l->pool, l->n_estimates + 1, sizeof *late.estimate);
    for (uint32_t i = 0; i < l->n_estimates; i++) {
        late.estimate[i] = dd_control_estimate(l->control, i);
    }
    dd_vec_push(l->pool, &l->late, late);
}

/* The inputs that were decided for t act. True: those of a sample begin, and its row is written. */
static bool take_late(dd_loop *l, double t)
{
    l->piece = dd_decided_find(l->control, t);
    dd_decided_value(l->control, l->piece, t, l->next_u);
    apply_inputs(l);
    const bool begins = l->due < l->late.len && l->late.data[l->due].at <= t + ROUNDING * l->options.sample_period;
    if (begins) {
        const dd_late *late = &l->late.data[l->due++];
        add_row(l, t, &late->sample, late->estimate);
    }
    return begins;
}

/* With a delay: the inputs that were decided before, one after the other as they begin to act. */
static bool advance_late(dd_loop *l, double from, double to)
{
    const double close = ROUNDING * l->options.sample_period;
    for (double t = from; t < to;) {
        if (!take_late(l, t) && (t > from || l->record.count == 0)) {
            add_row(l, t, NULL, NULL);
        }
        const double change = dd_decided_change(l->control, t), end = change < to - close ? change : to;
        if (!advance(l, t, end)) {
            return false;
        }
        t = end;
    }
    return true;
}

static void measure(dd_loop *l)
{
    for (uint32_t i = 0; i < dd_control_measured_count(l->control); i++) {
        const double exact = dd_sim_final(l->plant, l->measured_of[i]);
        l->y[i] = exact + (l->noise[i] > 0 ? l->noise[i] * dd_random_normal(&l->random) : 0);
    }
}

static void keep_times(dd_loop *l, const dd_sample_info *s)
{
    dd_vec_push(l->pool, &l->solve_ms, 1e3 * (s->seconds_preparation + s->seconds_feedback));
    dd_vec_push(l->pool, &l->preparation_ms, 1e3 * s->seconds_preparation);
    dd_vec_push(l->pool, &l->feedback_ms, 1e3 * s->seconds_feedback);
    dd_vec_push(l->pool, &l->estimate_ms, 1e3 * s->seconds_estimate);
    dd_vec_push(l->pool, &l->iterations, (double)s->iterations);
}

static void note_sample(dd_loop *l, const dd_sample_info *s)
{
    l->info.samples++;
    l->info.failed += s->status == DD_SAMPLE_FAILED ? 1 : 0;
    l->info.softened += s->status == DD_SAMPLE_SOFTENED ? 1 : 0;
    if (s->status != DD_SAMPLE_SOLVED && l->messages.len < 20) {
        dd_vec_push(l->pool, &l->messages,
                    (const char *)dd_pool_printf(l->pool, "at time %.6g %s%s", s->time,
                                                 s->status == DD_SAMPLE_SOFTENED ? "these gave way: " : "", s->reason));
    }
    keep_times(l, s);
}

/* One sample. False: the loop ends. */
static bool one_sample(dd_loop *l)
{
    const double t = dd_control_time(l->control);
    measure(l);
    const dd_status st = dd_control_step(l->control, l->y, l->next_u);
    if (st == DD_INTERRUPTED || st == DD_TIME_LIMIT) {
        end(l, st == DD_INTERRUPTED ? DD_LOOP_INTERRUPTED : DD_LOOP_TIME_LIMIT, "stopped while a sample was solved");
        return false;
    }
    if (st == DD_INVALID_ARGUMENT && l->info.samples == 0) {
        end(l, DD_LOOP_INFEASIBLE_START, dd_context_message(l->ctx));
        return false;
    }
    if (st != DD_OK) {
        pass_on(l, st);
    }
    const dd_sample_info sample = dd_control_get_sample(l->control);
    note_sample(l, &sample);
    dd_loop_keep_plan(l, &sample);
    /* to the next sample; less than a sample period before its end the plan is finished */
    const double next = l->control->finished ? dd_control_plan_end(l->control) : dd_control_time(l->control);
    const double to = fmin(next, l->stop);
    bool fine = true;
    if (l->options.delay > 0) {
        keep_late(l, &sample);
        fine = advance_late(l, t, to);
    } else {
        apply_inputs(l);
        add_row(l, t, &sample, NULL);
        fine = l->follows || l->control->free_end ? advance_by_plan(l, t, to) : advance(l, t, to);
    }
    if (!fine) {
        return false;
    }
    l->info.t = to;
    return !l->control->finished;
}

/* True: the loop is asked to stop, and its status says so. */
static bool is_stopped(dd_loop *l)
{
    const dd_status stop = dd_poll_stop_now(l->ctx);
    if (stop != DD_OK) {
        end(l, stop == DD_INTERRUPTED ? DD_LOOP_INTERRUPTED : DD_LOOP_TIME_LIMIT, "stopped between two samples");
    }
    return stop != DD_OK;
}

static void run_recorded(dd_loop *l)
{
    for (bool more = true; more;) {
        more = dd_recorded_sample(l);
        const dd_sample_info sample = dd_control_get_sample(l->control);
        note_sample(l, &sample);
        add_row(l, sample.time, &sample, NULL);
        more = more && !is_stopped(l);
    }
    dd_recorded_close(l);
}

static void run_body(void *user)
{
    dd_loop *l = user;
    l->info = (dd_loop_info){
        .status = DD_LOOP_OK, .reason = "", .worst = "", .t = l->start, .cost = NAN, .max_violation = NAN};
    /* recorded data need no plant */
    if (l->recorded.rows != NULL) {
        run_recorded(l);
        return;
    }
    const dd_sim_info start = dd_sim_get_info(l->plant);
    if (start.status != DD_SIM_OK) {
        end(l, DD_LOOP_PLANT_FAILED, dd_pool_printf(l->pool, "the plant does not start: %s", start.reason));
        return;
    }
    if (l->ledger.missing != NULL) {
        dd_vec_push(l->pool, &l->messages,
                    (const char *)dd_pool_printf(
                        l->pool, "the plant has no variable %s: cost and violations are not known", l->ledger.missing));
    }
    /* samples until the end, a failure or a limit; then the last row */
    disturb(l, l->start);
    while (dd_control_time(l->control) < l->stop - ROUNDING * l->options.sample_period && one_sample(l) &&
           !is_stopped(l)) {
    }
    if (l->options.delay > 0 && l->info.status == DD_LOOP_OK) {
        take_late(l, l->info.t);
    }
    if (l->info.samples > 0) {
        add_row(l, l->info.t, NULL, NULL);
        dd_ledger_close(l, l->info.t);
    }
}

dd_status dd_loop_run(dd_loop *l)
{
    if (l == NULL) {
        return DD_INVALID_ARGUMENT;
    }
    const dd_status st = dd_protect(l->ctx, run_body, l);
    if (st == DD_INTERRUPTED || st == DD_TIME_LIMIT) { /* raised between the kernels */
        l->info.status = st == DD_INTERRUPTED ? DD_LOOP_INTERRUPTED : DD_LOOP_TIME_LIMIT;
        l->info.reason = "stopped during the loop";
        return DD_OK;
    }
    return st;
}

dd_loop_info dd_loop_get_info(const dd_loop *l)
{
    return l != NULL ? l->info : (dd_loop_info){.status = DD_LOOP_INVALID_MODEL, .reason = "", .worst = ""};
}

dd_control *dd_loop_controller(dd_loop *l)
{
    return l != NULL ? l->control : NULL;
}
