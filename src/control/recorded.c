/* recorded.c - a moving-horizon estimator on recorded data: a file takes the place of the plant.
 *
 * A row at a sample has its measurements; inputs hold from their row on. Cells of measurements that are empty or nan are
 * missing; an empty cell of an input holds what was before it.
 */
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "control/loop.h"

#define AT_SAMPLE 1e-6 /* of a sample period: a row this near is at the sample */

/* The columns of measured variables, then of inputs. */
static void choose_columns(dd_loop *l, dd_table_reader *file)
{
    const uint32_t ny = dd_control_measured_count(l->control), n = ny + l->n_inputs;
    uint32_t *fields = dd_pool_alloc_array(l->pool, n + 1, sizeof *fields);
    for (uint32_t i = 0; i < n; i++) {
        const bool input = i >= ny;
        const char *name = input ? dd_control_input_name(l->control, i - ny) : dd_control_measured_name(l->control, i);
        fields[i] = dd_table_field(file, name);
        if (fields[i] == UINT32_MAX) {
            dd_raise(l->ctx, DD_INVALID_MODEL, "%s has no column %s, which is %s", l->options.measurements, name,
                     input ? "an input" : "measured");
        }
    }
    if (!dd_table_require_once(file, fields, n)) {
        dd_table_refuse(file, file->problem);
    }
    dd_table_choose(file, fields, n);
}

/* Empty cells of inputs hold the value before. */
static void fill_inputs(dd_loop *l)
{
    const uint32_t ny = dd_control_measured_count(l->control);
    dd_table *rows = l->recorded.rows;
    for (uint64_t r = 0; r < rows->count; r++) {
        double *row = rows->data + r * rows->width;
        for (uint32_t i = 1 + ny; i < rows->width; i++) {
            if (isnan(row[i]) && r == 0) {
                dd_raise(l->ctx, DD_INVALID_MODEL, "%s: the first row has no value of the input %s",
                         l->options.measurements, dd_control_input_name(l->control, i - 1 - ny));
            }
            row[i] = isnan(row[i]) ? (row - rows->width)[i] : row[i];
        }
    }
}

static void read_file(dd_loop *l)
{
    dd_table_reader file = {0};
    const dd_status st = dd_table_open(&file, l->options.measurements, l->pool);
    if (st != DD_OK) {
        dd_raise(l->ctx, st, "%s", dd_pool_strdup(l->pool, dd_context_message(l->ctx)));
    }
    if (!dd_table_header(&file) || !dd_table_require_time(&file)) {
        dd_table_refuse(&file, file.problem);
    }
    file.blanks = file.nans = true;
    choose_columns(l, &file);
    l->recorded.rows = dd_table_of_pool(l->pool, file.count);
    if (!dd_table_read(&file, l->recorded.rows, l->pool)) {
        dd_table_refuse(&file, file.problem);
    }
    if (l->recorded.rows->count == 0) {
        dd_raise(l->ctx, DD_INVALID_MODEL, "%s has no rows", l->options.measurements);
    }
    fill_inputs(l);
}

/* States that are measured themselves, for plots. */
static void match_states(dd_loop *l)
{
    const dd_named_vec *measured = &l->control->estimator->measured;
    const dd_decision_vec *x = &l->control->problem->x;
    l->ledger.state_of = dd_pool_alloc_array(l->pool, x->len + 1, sizeof *l->ledger.state_of);
    for (uint32_t i = 0; i < x->len; i++) {
        uint32_t k = 0;
        while (k < measured->len && measured->data[k].var != x->data[i].var) {
            k++;
        }
        l->ledger.state_of[i] = k < measured->len ? k : UINT32_MAX;
    }
}

void dd_recorded_new(dd_loop *l)
{
    const dd_experiment *e = &l->system->model->experiment;
    l->y = dd_pool_alloc_array(l->pool, dd_control_measured_count(l->control) + 1, sizeof *l->y);
    read_file(l);
    match_states(l);
    const dd_table *rows = l->recorded.rows;
    const double last = dd_table_time(rows, rows->count - 1);
    /* where nothing else is said, from the first row to the last */
    if (!l->options.has_start && !e->has_start) {
        l->start = dd_table_time(rows, 0);
        dd_control_set_time(l->control, l->start);
    }
    l->stop = l->options.has_stop || e->has_stop ? fmin(l->stop, last) : last;
    if (!(l->stop >= l->start)) {
        dd_raise(l->ctx, DD_INVALID_ARGUMENT, "%s ends at time %g, before the start %g", l->options.measurements, last,
                 l->start);
    }
}

/* The values of inputs just before a time. */
static const double *inputs_before(const dd_loop *l, double t)
{
    const dd_table *rows = l->recorded.rows;
    const double edge = t - AT_SAMPLE * l->options.sample_period;
    uint64_t low = 0, high = rows->count - 1; /* the last row before the edge, else the first */
    while (low < high) {
        const uint64_t mid = low + (high - low + 1) / 2;
        if (dd_table_time(rows, mid) < edge) {
            low = mid;
        } else {
            high = mid - 1;
        }
    }
    return dd_table_row(rows, low) + 1 + dd_control_measured_count(l->control);
}

/* Measurements of the rows at the sample; rows before it that were at none are counted. */
static void read_sample(dd_loop *l, double t)
{
    dd_recorded *r = &l->recorded;
    const uint32_t ny = dd_control_measured_count(l->control);
    const double near = AT_SAMPLE * l->options.sample_period;
    for (uint32_t i = 0; i < ny; i++) {
        l->y[i] = NAN;
    }
    for (; r->next < r->rows->count && dd_table_time(r->rows, r->next) <= t + near; r->next++) {
        const double *row = dd_table_row(r->rows, r->next);
        if (row[0] < t - near) {
            r->between += row[0] > l->start ? 1 : 0;
            continue;
        }
        for (uint32_t i = 0; i < ny; i++) {
            l->y[i] = isnan(row[1 + i]) ? l->y[i] : row[1 + i];
        }
    }
}

bool dd_recorded_sample(dd_loop *l)
{
    dd_control *c = l->control;
    const double t = dd_control_time(c), period = l->options.sample_period;
    read_sample(l, t);
    for (uint32_t j = 0; j < c->mhe->degree; j++) {
        const double at = t - (1 - dd_mhe_point(c->mhe, j)) * period;
        memcpy(c->u_points + (size_t)j * l->n_inputs, inputs_before(l, at), l->n_inputs * sizeof *l->u);
    }
    memcpy(c->u, inputs_before(l, t), l->n_inputs * sizeof *l->u);
    memcpy(l->u, c->u, l->n_inputs * sizeof *l->u);
    const dd_status st = dd_control_estimate_only(c, l->y);
    if (st != DD_OK) {
        dd_raise(l->ctx, st, "%s", dd_pool_strdup(l->pool, dd_context_message(l->ctx)));
    }
    l->info.t = t;
    return dd_control_time(c) <= l->stop + AT_SAMPLE * period;
}

void dd_recorded_close(dd_loop *l)
{
    const uint32_t between = l->recorded.between;
    if (between > 0) {
        dd_vec_push(l->pool, &l->messages,
                    (const char *)dd_pool_printf(l->pool,
                                                 "%u rows of %s are not at samples: their measurements were not used",
                                                 between, l->options.measurements));
    }
    l->info.cost = l->info.max_violation = NAN;
}
