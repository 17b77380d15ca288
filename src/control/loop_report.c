/* loop_report.c - a closed loop for programs and people: CSV, JSON, text. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/context.h"
#include "base/json.h"
#include "control/loop.h"

/* ---- CSV ---- */

typedef struct csv_call {
    dd_loop *l;
    bool *blank;
} csv_call;

static const char *field_name(void *user, uint32_t field)
{
    const csv_call *call = user;
    return field == 0 ? "time" : call->l->columns[field - 1];
}

/* Fields of samples are empty between them. */
static const double *field_values(void *user, uint64_t i, const bool **blank)
{
    const csv_call *call = user;
    const double *row = dd_table_row(&call->l->record, i);
    for (uint32_t k = 0; k < call->l->record.width; k++) {
        call->blank[k] = isnan(row[k]);
    }
    *blank = call->blank;
    return row;
}

static void csv_body(void *user)
{
    csv_call *call = user;
    call->blank = dd_pool_alloc_array(call->l->pool, call->l->record.width + 1, sizeof *call->blank);
}

dd_status dd_loop_write_csv(dd_loop *l, const char *path)
{
    if (l == NULL || path == NULL) {
        return DD_INVALID_ARGUMENT;
    }
    csv_call call = {.l = l};
    const dd_respite before = dd_respite_begin(l->ctx);
    dd_status st = dd_protect(l->ctx, csv_body, &call);
    const dd_table_rows rows = {&call, l->record.count, l->record.width, field_name, field_values};
    st = st == DD_OK ? dd_table_write(l->ctx, path, &rows) : st;
    dd_respite_end(l->ctx, &before);
    return st;
}

/* ---- figures ---- */

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y ? 1 : 0;
}

dd_spread dd_spread_of(const double *values, uint32_t n, dd_pool *pool)
{
    dd_spread s = {NAN, NAN, NAN};
    const uint32_t skip = n > 1 ? 1 : 0;
    n -= skip;
    if (n == 0) {
        return s;
    }
    double *sorted = dd_pool_alloc_array(pool, n, sizeof *sorted);
    memcpy(sorted, values + skip, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, compare);
    s.median = n % 2 == 1 ? sorted[n / 2] : 0.5 * (sorted[n / 2 - 1] + sorted[n / 2]);
    s.p99 = sorted[(uint32_t)ceil(0.99 * n) - 1];
    s.most = sorted[n - 1];
    return s;
}

static void put_spread(dd_json *j, const char *key, const double *values, uint32_t n, bool p99, dd_pool *pool)
{
    const dd_spread s = dd_spread_of(values, n, pool);
    dd_json_key(j, key);
    dd_json_begin_object(j);
    dd_json_put_number(j, "median", s.median);
    if (p99) {
        dd_json_put_number(j, "p99", s.p99);
    }
    dd_json_put_number(j, "max", s.most);
    if (p99) {
        dd_json_put_number(j, "first", n > 0 ? values[0] : NAN);
    }
    dd_json_end_object(j);
}

typedef struct text_call {
    dd_loop *l;
    const char *text;
} text_call;

static void put_final(dd_json *j, const dd_loop *l)
{
    dd_json_key(j, "final");
    dd_json_begin_object(j);
    for (uint32_t i = 0; i < l->n_plant; i++) {
        dd_json_put_number(j, l->columns[i], dd_loop_value(l, i));
    }
    for (uint32_t i = 0; i < l->n_inputs; i++) {
        dd_json_put_number(j, l->columns[l->n_plant + i], l->u[i]);
    }
    dd_json_end_object(j);
    dd_json_key(j, "estimates");
    dd_json_begin_object(j);
    for (uint32_t i = 0; i < l->n_estimates; i++) {
        dd_json_put_number(j, dd_control_estimate_name(l->control, i), dd_control_estimate(l->control, i));
    }
    dd_json_end_object(j);
}

static void new_text(dd_loop *l)
{
    dd_pool_free(l->text);
    l->text = NULL;
    l->text = dd_pool_child(l->pool);
}

static void json_body(void *user)
{
    text_call *call = user;
    dd_loop *l = call->l;
    const dd_loop_info *i = &l->info;
    new_text(l);
    dd_text out = dd_text_new(l->text);
    dd_json j = dd_json_new(&out);
    /* the verdict and what it is about */
    dd_json_begin_object(&j);
    dd_json_put_string(&j, "status", dd_loop_status_name(i->status));
    dd_json_put_string(&j, "class", l->system->model->name);
    if (l->recorded.rows != NULL) {
        dd_json_put_string(&j, "measurements", l->options.measurements);
    } else {
        dd_json_put_string(&j, "plant", l->plant_system->model->name);
    }
    dd_json_put_number(&j, "t", i->t);
    if (i->status != DD_LOOP_OK) {
        dd_json_put_string(&j, "reason", i->reason);
    }
    /* how good the loop was, then how long its samples took */
    dd_json_put_int(&j, "samples", i->samples);
    dd_json_put_number(&j, "cost", i->cost);
    dd_json_put_number(&j, "max_violation", i->max_violation);
    if (i->max_violation > 0) {
        dd_json_put_string(&j, "worst", i->worst);
    }
    dd_json_put_int(&j, "failed_solves", i->failed);
    dd_json_put_int(&j, "softened", i->softened);
    put_spread(&j, "iterations", l->iterations.data, l->iterations.len, false, l->text);
    put_spread(&j, "solve_ms", l->solve_ms.data, l->solve_ms.len, true, l->text);
    put_spread(&j, "preparation_ms", l->preparation_ms.data, l->preparation_ms.len, true, l->text);
    put_spread(&j, "feedback_ms", l->feedback_ms.data, l->feedback_ms.len, true, l->text);
    put_spread(&j, "estimate_ms", l->estimate_ms.data, l->estimate_ms.len, true, l->text);
    put_final(&j, l);
    dd_json_key(&j, "messages");
    dd_json_begin_array(&j);
    for (uint32_t k = 0; k < l->messages.len; k++) {
        dd_json_string(&j, l->messages.data[k]);
    }
    dd_json_end_array(&j);
    dd_json_end_object(&j);
    call->text = dd_text_str(&out);
}

dd_status dd_loop_json(const char **out, dd_loop *l)
{
    if (out == NULL || l == NULL) {
        return DD_INVALID_ARGUMENT;
    }
    text_call call = {.l = l};
    const dd_respite before = dd_respite_begin(l->ctx);
    const dd_status st = dd_protect(l->ctx, json_body, &call);
    dd_respite_end(l->ctx, &before);
    *out = st == DD_OK ? call.text : NULL;
    return st;
}

/* ---- text ---- */

/* Some columns of the record with their last values: names in one width, those that --show does not ask for left out. */
typedef struct listing {
    const bool *chosen; /* per column of the record */
    uint32_t first, count;
    const char *heading;
    double time;
} listing;

static void add_listing(dd_loop *l, dd_text *out, const listing *s, const char *(*name)(const dd_loop *, uint32_t),
                        double (*value)(const dd_loop *, uint32_t))
{
    size_t widest = 0;
    bool any = false;
    for (uint32_t i = 0; i < s->count; i++) {
        const size_t length = strlen(name(l, i));
        widest = s->chosen[s->first + i] && length > widest ? length : widest;
        any = any || s->chosen[s->first + i];
    }
    if (any) {
        dd_text_printf(out, "\n  %s at time %.6g\n", s->heading, s->time);
    }
    for (uint32_t i = 0; i < s->count; i++) {
        if (s->chosen[s->first + i]) {
            dd_text_printf(out, "    %-*s  %.6g\n", (int)widest, name(l, i), value(l, i));
        }
    }
}

static const char *plant_name(const dd_loop *l, uint32_t i)
{
    return l->columns[i];
}

static double plant_value(const dd_loop *l, uint32_t i)
{
    return i < l->n_plant ? dd_loop_value(l, i) : l->u[i - l->n_plant];
}

static const char *estimate_name(const dd_loop *l, uint32_t i)
{
    return dd_control_estimate_name(l->control, i);
}

static double estimate_value(const dd_loop *l, uint32_t i)
{
    return dd_control_estimate(l->control, i);
}

/* The plant and its inputs, then what is estimated. */
static void add_values(dd_loop *l, dd_text *out)
{
    const dd_curves names = dd_loop_curves(l, false, l->text);
    const bool *chosen = dd_panels_chosen(&names, l->show.items, l->show.count, l->text);
    const uint32_t n = l->n_plant + l->n_inputs;
    const double sampled = dd_control_get_sample(l->control).time;
    if (l->recorded.rows == NULL) {
        add_listing(l, out, &(listing){chosen, 0, n, "The plant", l->info.t}, plant_name, plant_value);
    }
    /* without a moving horizon they are the measurements again: only for those who ask */
    if (l->control->mhe != NULL || l->show.count > 0) {
        add_listing(l, out, &(listing){chosen, n, l->n_estimates, "Estimates", sampled}, estimate_name, estimate_value);
    }
}

static void text_body(void *user)
{
    text_call *call = user;
    dd_loop *l = call->l;
    const dd_loop_info *i = &l->info;
    new_text(l);
    dd_text out = dd_text_new(l->text);
    /* the verdict in one line; of a loop that ran also its figures and where it ended */
    const bool recorded = l->recorded.rows != NULL;
    dd_text_printf(&out, "%s %s %s: %s\n", l->system->model->name, recorded ? "estimates from" : "controls",
                   recorded ? l->options.measurements : l->plant_system->model->name, dd_loop_status_name(i->status));
    if (i->status != DD_LOOP_OK) {
        dd_text_printf(&out, "  %s\n", i->reason);
    }
    if (i->samples > 0) {
        const dd_spread ms = dd_spread_of(l->solve_ms.data, l->solve_ms.len, l->text);
        const dd_spread n = dd_spread_of(l->iterations.data, l->iterations.len, l->text);
        dd_text_printf(&out, "  %u samples of %g s, from time %g to %g", i->samples, l->options.sample_period, l->start,
                       i->t);
        dd_text_printf(&out, "%s%s\n", isnan(i->cost) ? "" : "; cost ",
                       isnan(i->cost) ? "" : dd_pool_printf(l->text, "%.6g", i->cost));
        dd_text_printf(&out, "  %g iterations a sample (at most %g); %.3g ms, 99 %% below %.3g ms, at most %.3g ms\n",
                       n.median, n.most, ms.median, ms.p99, ms.most);
        dd_text_printf(&out, "  %u failed solves, %u softened", i->failed, i->softened);
        if (i->max_violation > 0) {
            dd_text_printf(&out, "; constraints violated by at most %.2g (%s)\n", i->max_violation, i->worst);
        } else {
            dd_text_printf(&out, "%s\n", isnan(i->max_violation) ? "" : "; all constraints hold");
        }
        add_values(l, &out);
    }
    for (uint32_t k = 0; k < l->messages.len; k++) {
        dd_text_printf(&out, "%s  %s\n", k == 0 ? "\n" : "", l->messages.data[k]);
    }
    call->text = dd_text_str(&out);
}

dd_status dd_loop_text(const char **out, dd_loop *l, bool colour)
{
    (void)colour;
    if (out == NULL || l == NULL) {
        return DD_INVALID_ARGUMENT;
    }
    text_call call = {.l = l};
    const dd_respite before = dd_respite_begin(l->ctx);
    const dd_status st = dd_protect(l->ctx, text_body, &call);
    dd_respite_end(l->ctx, &before);
    *out = st == DD_OK ? call.text : NULL;
    return st;
}
