/* sim_report.c - a simulation for programs: its trajectory as CSV, its verdict as JSON. */
#include <math.h>
#include <string.h>

#include "base/json.h"
#include "sim/growth.h"
#include "sim/sensitivity.h"

/* ---- CSV ---- */

/* What is written: the rows, with their sensitivities put behind them on demand. */
typedef struct csv_call {
    dd_sim *sim;
    const char *path;
    const char **names; /* per field */
    double *row;        /* with sensitivities: one of the file */
    dd_table_rows rows;
} csv_call;

static const char *field_name(void *user, uint32_t field)
{
    const csv_call *call = user;
    return call->names[field];
}

static const double *field_values(void *user, uint64_t i, const bool **blank)
{
    const csv_call *call = user;
    const dd_sim *sim = call->sim;
    (void)blank;
    if (!call->row) {
        return dd_table_row(&sim->rows, i);
    }
    /* the time of the second table is that of the first */
    const dd_table *more = &sim->sens->rows;
    memcpy(call->row, dd_table_row(&sim->rows, i), sim->rows.width * sizeof *call->row);
    for (uint32_t k = 1; k < more->width; k++) {
        call->row[sim->rows.width + k - 1] = i < more->count ? dd_table_row(more, i)[k] : NAN;
    }
    return call->row;
}

static void prepare_csv(void *arg)
{
    csv_call *call = arg;
    dd_sim *sim = call->sim;
    const uint32_t count = dd_sim_variable_count(sim), parameters = dd_sim_sensitivity_count(sim);
    const uint32_t fields = 1 + count * (1 + parameters);
    sim->written = dd_pool_strdup(sim->pool, call->path);
    /* time, the variables, then their derivatives parameter by parameter */
    call->names = dd_pool_alloc_array(sim->pool, fields, sizeof *call->names);
    call->row = parameters > 0 ? dd_pool_alloc_array(sim->pool, fields, sizeof *call->row) : NULL;
    call->names[0] = "time";
    for (uint32_t j = 0; j < count; j++) {
        call->names[1 + j] = dd_sim_variable_name(sim, j);
    }
    for (uint32_t p = 0; p < parameters; p++) {
        for (uint32_t j = 0; j < count; j++) {
            call->names[1 + (p + 1) * count + j] =
                dd_pool_printf(sim->pool, "d(%s)/d(%s)", dd_sim_variable_name(sim, j), dd_sim_sensitivity_name(sim, p));
        }
    }
    call->rows = (dd_table_rows){call, sim->rows.count, fields, field_name, field_values};
}

dd_status dd_sim_write_csv(dd_sim *sim, const char *path)
{
    if (!sim || !path) {
        return DD_INVALID_ARGUMENT;
    }
    csv_call call = {.sim = sim, .path = path};
    /* what a run has found is written, whether it was stopped or the limit comes meanwhile */
    const dd_respite before = dd_respite_begin(sim->ctx);
    dd_status st = dd_protect(sim->ctx, prepare_csv, &call);
    st = st == DD_OK ? dd_table_write(sim->ctx, path, &call.rows) : st;
    dd_respite_end(sim->ctx, &before);
    if (st != DD_OK) {
        sim->written = NULL;
    }
    return st;
}

/* ---- JSON ---- */

static void add_stats(dd_json *j, const dd_sim_stats *s)
{
    dd_json_key(j, "stats");
    dd_json_begin_object(j);
    dd_json_put_int(j, "steps", (int64_t)s->steps);
    dd_json_put_int(j, "rejected", (int64_t)s->rejected);
    dd_json_put_int(j, "residuals", (int64_t)s->residuals);
    dd_json_put_int(j, "jacobians", (int64_t)s->jacobians);
    dd_json_put_int(j, "factorizations", (int64_t)s->factorizations);
    dd_json_put_int(j, "newton", (int64_t)s->newton);
    dd_json_put_int(j, "projections", (int64_t)s->projections);
    dd_json_put_int(j, "events", (int64_t)s->events);
    if (s->choices > 0) { /* dummy derivatives only */
        dd_json_put_int(j, "choices", (int64_t)s->choices);
    }
    dd_json_put_number(j, "seconds", s->seconds);
    dd_json_end_object(j);
}

uint32_t dd_sim_warning_count(const dd_sim *sim)
{
    const dd_system *s = sim->system;
    const bool matters = s->certificate == DD_CERTIFICATE_UNDECIDED || s->on_factor || s->others_pass;
    return matters ? s->warnings.len : 0;
}

static void add_messages(dd_json *j, const dd_sim *sim)
{
    dd_json_key(j, "messages");
    dd_json_begin_array(j);
    for (uint32_t i = 0; i < sim->messages.len; i++) {
        dd_json_string(j, sim->messages.data[i]);
    }
    for (uint32_t i = 0; i < dd_sim_warning_count(sim); i++) {
        dd_json_string(j, sim->system->warnings.data[i]);
    }
    dd_json_end_array(j);
}

static void add_sensitivity(dd_json *j, const dd_sim *sim)
{
    if (!sim->sens) {
        return;
    }
    dd_json_key(j, "sensitivity");
    dd_json_begin_object(j);
    for (uint32_t p = 0; sim->started && p < sim->sens->count; p++) {
        dd_json_key(j, dd_sim_sensitivity_name(sim, p));
        dd_json_begin_object(j);
        for (uint32_t i = 0; i < dd_sim_variable_count(sim); i++) {
            dd_json_put_number(j, dd_sim_variable_name(sim, i), dd_sim_sensitivity(sim, p, i));
        }
        dd_json_end_object(j);
    }
    dd_json_end_object(j);
}

static void add_list(dd_json *j, const char *key, const dd_string_vec *list)
{
    dd_json_key(j, key);
    dd_json_begin_array(j);
    for (uint32_t i = 0; i < list->len; i++) {
        dd_json_string(j, list->data[i]);
    }
    dd_json_end_array(j);
}

/* Where solvability was lost: what vanishes (null: a block of equations), the equations, the variables. */
static void add_singular(dd_json *j, const dd_singular_parts *p)
{
    if (!p->found) {
        return;
    }
    dd_json_key(j, "singular");
    dd_json_begin_object(j);
    dd_json_key(j, "expression");
    if (p->expression[0]) {
        dd_json_string(j, p->expression);
    } else {
        dd_json_null(j);
    }
    add_list(j, "equations", &p->equations);
    add_list(j, "variables", &p->variables);
    dd_json_end_object(j);
}

static void write_json(dd_json *j, dd_sim *sim)
{
    const dd_sim_info *info = &sim->info;
    /* the verdict, with its reason and the place of a singular point */
    dd_json_begin_object(j);
    dd_json_put_string(j, "status", dd_sim_status_name(info->status));
    if (info->status != DD_SIM_OK) {
        dd_json_put_string(j, "reason", info->reason);
    }
    add_singular(j, &sim->singular);
    dd_json_put_string(j, "model", sim->system->model->name);
    if (info->method) {
        dd_json_put_string(j, "method", info->method);
    }
    dd_json_put_number(j, "t0", info->t0);
    dd_json_put_number(j, "t", info->t);
    /* values at the end: empty where there was no start */
    dd_json_key(j, "final");
    dd_json_begin_object(j);
    for (uint32_t i = 0; sim->started && i < dd_sim_variable_count(sim); i++) {
        dd_json_put_number(j, dd_sim_variable_name(sim, i), dd_sim_final(sim, i));
    }
    dd_json_end_object(j);
    add_sensitivity(j, sim);
    /* effort, and how well constraints were kept */
    add_stats(j, &info->stats);
    dd_json_put_number(j, "constraint_violation", info->constraint_violation);
    dd_json_put_number(j, "constraint_distance", info->constraint_distance);
    dd_json_put_number(j, "error_growth", dd_growth_of_errors(sim));
    if (sim->written) {
        dd_json_put_string(j, "output", sim->written);
    }
    add_messages(j, sim);
    dd_json_end_object(j);
}

typedef struct text_call {
    dd_sim *sim;
    const char *out;
} text_call;

static void json_body(void *arg)
{
    text_call *call = arg;
    dd_text text = dd_text_new(call->sim->pool);
    dd_json j = dd_json_new(&text);
    write_json(&j, call->sim);
    call->out = dd_text_str(&text);
}

dd_status dd_sim_json(const char **out, dd_sim *sim)
{
    if (!sim || !out) {
        return DD_INVALID_ARGUMENT;
    }
    text_call call = {.sim = sim, .out = ""};
    dd_status st = dd_protect(sim->ctx, json_body, &call);
    *out = call.out;
    return st;
}
