/* loop_page.c - a closed loop as a page with plots, and a picture of chosen columns of its record. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/context.h"
#include "control/loop.h"
#include "report/written.h"

/* Figures of variables, of estimates; values in the table; rows of the record that a figure with plans shows. */
enum { MOST_FIGURES = 30, MOST_PLANNED = 60, MOST_VALUES = 24, MOST_ROWS = 2000 };

typedef struct page_work {
    dd_loop *l;
    dd_pool *pool;
    dd_page page;
    dd_curves curves;
    dd_figure_vec figures;
    DD_VEC(dd_page_row) summary, settings, values;
    dd_page_table tables[5], rest[2]; /* rest: constants and copies, which have no figures */
    uint32_t left_out;
} page_work;

#define ADD(w, list, name, ...)                                                                                        \
    dd_vec_push((w)->pool, &(w)->list, ((dd_page_row){name, dd_pool_printf((w)->pool, __VA_ARGS__)}))

/* ---- tables ---- */

static void add_times(page_work *w, const char *name, const double *ms, uint32_t n)
{
    const dd_spread s = dd_spread_of(ms, n, w->pool);
    ADD(w, summary, name, "%.3g median, %.3g for 99 %%, %.3g at most", s.median, s.p99, s.most);
}

static void add_summary(page_work *w)
{
    const dd_loop *l = w->l;
    const dd_loop_info *i = &l->info;
    ADD(w, summary, "status", "%s", dd_loop_status_name(i->status));
    ADD(w, summary, "samples", "%u of %g s", i->samples, l->options.sample_period);
    if (!isnan(i->cost)) {
        ADD(w, summary, "cost", "%.8g", i->cost);
    }
    if (!isnan(i->max_violation)) {
        ADD(w, summary, "largest violation of a constraint", "%.2g%s%s%s", i->max_violation,
            i->max_violation > 0 ? " (" : "", i->max_violation > 0 ? i->worst : "", i->max_violation > 0 ? ")" : "");
    }
    ADD(w, summary, "failed solves, softened", "%u, %u", i->failed, i->softened);
    if (i->samples > 0) {
        const dd_spread n = dd_spread_of(l->iterations.data, l->iterations.len, w->pool);
        ADD(w, summary, "iterations", "%g median, %g at most", n.median, n.most);
        add_times(w, "ms of a sample", l->solve_ms.data, l->solve_ms.len);
        add_times(w, "ms before the measurement", l->preparation_ms.data, l->preparation_ms.len);
        add_times(w, "ms after the measurement", l->feedback_ms.data, l->feedback_ms.len);
        ADD(w, summary, "ms of the first sample", "%.3g", l->solve_ms.data[0]);
    }
}

static void add_settings(page_work *w)
{
    const dd_control_options *o = &w->l->options;
    const dd_control *c = w->l->control;
    const struct {
        const char *name, *value;
    } texts[] = {{"plant", o->plant},
                 {"measured", o->measured},
                 {"noise", o->noise},
                 {"set-points", o->reference},
                 {"disturbance", o->disturbance},
                 {"estimated parameters", o->estimate},
                 {"process noise", o->process_noise},
                 {"error of the first estimate", o->initial_error},
                 {"recorded measurements", o->measurements}};
    /* texts that were given, then numbers */
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (texts[i].value != NULL) {
            ADD(w, settings, texts[i].name, "%s%s", texts[i].value,
                texts[i].value == o->reference && o->preview ? ", known over the horizon" : "");
        }
    }
    if (c->free_end) {
        ADD(w, settings, "horizon", "shrinks to a free end, %u intervals of degree %u", c->options.intervals,
            o->degree);
    } else {
        ADD(w, settings, "horizon", "%g s, %u intervals of degree %u", c->horizon, c->options.intervals, o->degree);
    }
    ADD(w, settings, "sample period", "%g s", o->sample_period);
    if (o->delay > 0) {
        ADD(w, settings, "delay", "%g s", o->delay);
    }
    ADD(w, settings, "mode", "%s", o->mode == DD_MODE_RTI ? "rti" : "converge");
    ADD(w, settings, "tolerance", "%g", o->tolerance);
    ADD(w, settings, "seed of the noise", "%llu", (unsigned long long)o->seed);
}

static void add_values(page_work *w)
{
    const dd_loop *l = w->l;
    const uint32_t count = l->n_plant + l->n_inputs;
    for (uint32_t i = 0; l->record.count > 0 && i < count && i < MOST_VALUES; i++) {
        ADD(w, values, l->columns[i], "%.6g",
            dd_table_rounded(&l->record, i, dd_table_row(&l->record, l->record.count - 1)[1 + i]));
    }
}

/* ---- figures ---- */

/* Lines over an axis that they share, count points each. */
static dd_page_figure *add_figure(page_work *w, const char *heading, const char *title, const char *doc, dd_plot plot)
{
    plot.stride = 1;
    const dd_page_figure f = {.heading = heading, .title = title, .doc = doc, .unit = "", .note = "", .plot = plot};
    dd_vec_push(w->pool, &w->figures, f);
    return &w->figures.data[w->figures.len - 1];
}

/* What a figure with plans compares: columns of the record, and a number of each row of a plan. */
typedef struct compared {
    uint32_t plant, estimate; /* columns; UINT32_MAX: none */
    uint32_t planned;
    const char *title;
    const dd_decision *bounds;
} compared;

static void set_levels(page_work *w, dd_plot *plot, const dd_decision *d)
{
    double *levels = dd_pool_alloc_array(w->pool, 2, sizeof *levels);
    if (isfinite(d->lower)) {
        levels[plot->n_levels++] = d->lower;
    }
    if (isfinite(d->upper)) {
        levels[plot->n_levels++] = d->upper;
    }
    plot->levels = levels;
    plot->bounded = plot->n_levels > 0;
    plot->lower = d->lower;
    plot->upper = d->upper;
}

/* A column of the record with the times of its rows, or of every few of very many. */
static dd_plot_line recorded_line(page_work *w, const char *name, uint32_t column)
{
    const dd_table *t = w->curves.table;
    const uint64_t every = t->count / MOST_ROWS + 1;
    double *x = dd_pool_alloc_array(w->pool, t->count + 1, sizeof *x);
    double *y = dd_pool_alloc_array(w->pool, t->count + 1, sizeof *y);
    uint64_t n = 0;
    for (uint64_t i = 0; i < t->count; i += every, n++) {
        x[n] = dd_table_time(t, i);
        y[n] = dd_table_row(t, i)[1 + column];
    }
    return (dd_plot_line){.name = name, .y = y, .x = x, .count = n};
}

static dd_plot_line planned_line(page_work *w, const dd_prediction *p, uint32_t planned)
{
    enum { COLOUR = 3 }; /* all plans have the same */
    const uint32_t width = 1 + w->l->control->problem->x.len + w->l->control->problem->u.len;
    double *x = dd_pool_alloc_array(w->pool, p->points + 1, sizeof *x);
    double *y = dd_pool_alloc_array(w->pool, p->points + 1, sizeof *y);
    for (uint32_t i = 0; i < p->points; i++) {
        x[i] = p->rows[(size_t)i * width];
        y[i] = p->rows[(size_t)i * width + planned];
    }
    return (dd_plot_line){.name = dd_pool_printf(w->pool, "planned at %.4g", p->time),
                          .y = y,
                          .x = x,
                          .count = p->points,
                          .style = DD_LINE_DASHED,
                          .colour = COLOUR};
}

static void add_compared(page_work *w, const char *heading, const compared *c)
{
    const dd_loop *l = w->l;
    dd_plot_line *lines = dd_pool_alloc_array(w->pool, 2 + (size_t)l->predictions.len, sizeof *lines);
    dd_plot plot = {.lines = lines, .x_name = "time"};
    if (c->plant != UINT32_MAX) {
        lines[plot.n_lines++] = recorded_line(w, c->estimate != UINT32_MAX ? "plant" : "applied", c->plant);
    }
    if (c->estimate != UINT32_MAX) {
        lines[plot.n_lines++] = recorded_line(w, "estimate", c->estimate);
    }
    for (uint32_t k = 0; k < l->predictions.len; k++) {
        lines[plot.n_lines++] = planned_line(w, &l->predictions.data[k], c->planned);
    }
    set_levels(w, &plot, c->bounds);
    add_figure(w, heading, c->title, "", plot);
    const uint32_t column = c->plant != UINT32_MAX ? c->plant : c->estimate;
    w->figures.data[w->figures.len - 1].unit = w->curves.table->columns[column].unit;
}

/* Inputs and states: what happened, what was thought, what was planned. */
static void add_plans(page_work *w)
{
    const dd_loop *l = w->l;
    const dd_ocp_problem *o = l->control->problem;
    for (uint32_t i = 0; i < o->u.len; i++) {
        const compared c = {l->n_plant + i, UINT32_MAX, 1 + o->x.len + i, l->control->input_name[i], &o->u.data[i]};
        add_compared(w, i == 0 ? "Inputs, applied and planned" : NULL, &c);
    }
    for (uint32_t i = 0; i < o->x.len; i++) {
        if (w->figures.len >= MOST_PLANNED) {
            w->left_out++;
            continue;
        }
        const bool known = l->ledger.state_of[i] < l->n_plant;
        const compared c = {known ? l->ledger.state_of[i] : UINT32_MAX, l->n_plant + l->n_inputs + i, 1 + i,
                            l->control->state_name[i], &o->x.data[i]};
        add_compared(w, i == 0 ? "States: plant, estimates, plans" : NULL, &c);
    }
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y ? 1 : 0;
}

/* How many samples took how long: bars of equal width over the logarithm would mislead, so the slowest hundredth is one
 * bar at the end. The cold first sample is left out. */
static void add_histogram(page_work *w)
{
    enum { BARS = 24 };
    const dd_loop *l = w->l;
    const uint32_t n = l->solve_ms.len - 1;
    const double *ms = l->solve_ms.data + 1;
    const double width = fmax(dd_spread_of(ms, n, w->pool).p99, 1e-6) / (BARS - 1);
    double *x = dd_pool_alloc_array(w->pool, BARS, sizeof *x), *y = dd_pool_alloc_array(w->pool, BARS, sizeof *y);
    for (uint32_t k = 0; k < BARS; k++) {
        x[k] = (k + 0.5) * width;
        y[k] = 0;
    }
    for (uint32_t i = 0; i < n; i++) {
        const double at = floor(ms[i] / width);
        y[at < BARS - 1 ? (uint32_t)at : BARS - 1] += 1;
    }
    dd_plot_line *line = dd_pool_alloc(w->pool, sizeof *line);
    *line = (dd_plot_line){.name = "samples", .y = y, .style = DD_LINE_BARS};
    add_figure(w, NULL, "histogram of solve times", "the last bar has all that are slower",
               (dd_plot){.x = x, .count = BARS, .lines = line, .n_lines = 1, .x_name = "milliseconds"});
}

/* Times of the samples, and in order: the time that a part of the samples keeps. The cold first sample is left out of
 * the order. */
static void add_timing(page_work *w)
{
    const dd_loop *l = w->l;
    const uint32_t n = l->solve_ms.len;
    if (n < 3) {
        return;
    }
    const double *const from[3] = {l->solve_ms.data, l->preparation_ms.data, l->feedback_ms.data};
    static const char *const names[3] = {"all", "before the measurement", "after the measurement"};
    double *t = dd_pool_alloc_array(w->pool, n, sizeof *t), *part = dd_pool_alloc_array(w->pool, n, sizeof *part);
    dd_plot_line *over_time = dd_pool_alloc_array(w->pool, 3, sizeof *over_time);
    dd_plot_line *in_order = dd_pool_alloc_array(w->pool, 3, sizeof *in_order);
    for (uint32_t i = 0; i < n; i++) {
        t[i] = l->start + i * l->options.sample_period;
        part[i] = 100.0 * (i + 1) / (n - 1);
    }
    /* over time, and sorted: the share of samples that stay below a time; the first one is cold and left out */
    for (int k = 0; k < 3; k++) {
        double *sorted = dd_pool_alloc_array(w->pool, n, sizeof *sorted);
        memcpy(sorted, from[k] + 1, (n - 1) * sizeof *sorted);
        qsort(sorted, n - 1, sizeof *sorted, compare);
        over_time[k] = (dd_plot_line){.name = names[k], .y = from[k]};
        in_order[k] = (dd_plot_line){.name = names[k], .y = sorted};
    }
    add_figure(w, "Timing", "milliseconds of each sample", "processor time of the thread",
               (dd_plot){.x = t, .count = n, .lines = over_time, .n_lines = 3, .x_name = "time", .log = true});
    add_figure(w, NULL, "distribution", "milliseconds that this part of the samples does not exceed, without the first",
               (dd_plot){.x = part, .count = n - 1, .lines = in_order, .n_lines = 3, .x_name = "%", .log = true});
    add_histogram(w);
    dd_plot_line *iterations = dd_pool_alloc(w->pool, sizeof *iterations);
    *iterations = (dd_plot_line){.name = "iterations", .y = l->iterations.data};
    add_figure(w, NULL, "iterations of each sample", "",
               (dd_plot){.x = t, .count = n, .lines = iterations, .n_lines = 1, .x_name = "time"});
}

static void add_figures(page_work *w)
{
    const dd_loop *l = w->l;
    const uint32_t references = l->n_plant + l->n_inputs + l->n_estimates;
    w->curves = dd_loop_curves(l, true, w->pool);
    dd_page_figure map;
    if (l->show.count == 0 && dd_curves_map(&w->curves, &map, w->pool)) {
        map.heading = "Path";
        dd_vec_push(w->pool, &w->figures, map);
    }
    dd_panels_figures(&w->curves, l->show.items, l->show.count, &w->figures, w->pool);
    if (l->show.count == 0) {
        w->left_out = dd_curves_leave_out(&w->curves, 0, l->n_plant, w->rest, w->pool);
        w->left_out += dd_curves_figures(&w->curves, 0, l->n_plant, "The plant", MOST_FIGURES, &w->figures, w->pool);
    }
    w->left_out += dd_curves_figures(&w->curves, references, references + l->n_references, "Set-points", MOST_FIGURES,
                                     &w->figures, w->pool);
    add_plans(w);
    const uint32_t parameters = l->n_plant + l->n_inputs + l->control->problem->x.len;
    w->left_out += dd_curves_figures(&w->curves, parameters, references, "Estimated parameters", MOST_PLANNED,
                                     &w->figures, w->pool);
    add_timing(w);
    w->tables[3] = w->rest[0];
    w->tables[4] = w->rest[1];
    w->page.figures = w->figures.data;
    w->page.n_figures = w->figures.len;
    w->page.figures_note =
        w->left_out > 0 ? dd_pool_printf(w->pool, "%u more are not drawn; the record has all.", w->left_out) : "";
}

/* ---- all together ---- */

static void add_words(page_work *w)
{
    const dd_loop *l = w->l;
    const dd_model *m = l->system->model;
    const dd_loop_info *i = &l->info;
    w->page.head.title = l->recorded.rows != NULL
                             ? dd_pool_printf(w->pool, "%s estimates from %s", m->name, l->options.measurements)
                             : dd_pool_printf(w->pool, "%s controls %s", m->name, l->plant_system->model->name);
    w->page.head.doc = m->doc != NULL ? m->doc : "";
    w->page.head.subtitle =
        dd_pool_printf(w->pool, "closed loop from time %.6g to %.6g, %u samples", l->start, i->t, i->samples);
    w->page.head.failure = i->status == DD_LOOP_OK ? ""
                                                   : dd_pool_printf(w->pool, "Stopped before time %.10g (%s): %s",
                                                                    l->stop, dd_loop_status_name(i->status), i->reason);
    w->page.messages = l->messages.data;
    w->page.n_messages = l->messages.len;
    w->tables[0] = (dd_page_table){"Summary", "", w->summary.data, w->summary.len};
    w->tables[1] = (dd_page_table){"Settings", "", w->settings.data, w->settings.len};
    w->tables[2] =
        (dd_page_table){dd_pool_printf(w->pool, "Values at time %.10g", i->t), "", w->values.data, w->values.len};
    w->page.tables = w->tables;
    w->page.n_tables = 5;
}

static void page_body(void *user)
{
    dd_written *out = user;
    page_work work = {.l = out->user, .pool = out->pool}, *w = &work;
    add_summary(w);
    add_settings(w);
    add_values(w);
    add_words(w);
    if (w->l->record.count > 0) {
        add_figures(w);
        w->page.scene = dd_loop_scene(w->l, w->pool);
    }
    out->text = dd_text_new(w->pool);
    dd_page_html(&out->text, &w->page);
}

static void picture_body(void *user)
{
    dd_written *out = user;
    const dd_loop *l = out->user;
    const dd_curves c = dd_loop_curves(l, true, out->pool);
    dd_written_picture(out, &c, l->system->model->name, l->system->model->doc);
}

static void check_body(void *user)
{
    dd_written *out = user;
    const dd_curves c = dd_loop_curves(out->user, false, out->pool);
    dd_panels_check(&c, out->requests, out->n_requests, out->pool);
}

dd_status dd_loop_show(dd_loop *l, const char *const *requests, uint32_t count)
{
    const dd_status st = dd_loop_check_plot(l, requests, count);
    return st == DD_OK ? dd_requests_keep(l->ctx, l->pool, &l->show, requests, count) : st;
}

dd_status dd_loop_write_report(dd_loop *l, const char *path)
{
    if (l == NULL || path == NULL) {
        return DD_INVALID_ARGUMENT;
    }
    return dd_written_make(&(dd_written){.ctx = l->ctx, .user = l, .path = path}, page_body);
}

dd_status dd_loop_write_plot(dd_loop *l, const char *path, const char *const *requests, uint32_t count)
{
    if (l == NULL || path == NULL || (count > 0 && requests == NULL)) {
        return DD_INVALID_ARGUMENT;
    }
    if (l->record.count == 0) {
        return dd_fail(l->ctx, DD_INVALID_ARGUMENT, "there is no record to plot");
    }
    dd_written out = {.ctx = l->ctx, .user = l, .path = path, .requests = requests, .n_requests = count};
    return dd_written_make(&out, picture_body);
}

dd_status dd_loop_check_plot(dd_loop *l, const char *const *requests, uint32_t count)
{
    if (l == NULL || (count > 0 && requests == NULL)) {
        return DD_INVALID_ARGUMENT;
    }
    dd_written out = {.ctx = l->ctx, .user = l, .requests = requests, .n_requests = count};
    return dd_written_make(&out, check_body);
}
