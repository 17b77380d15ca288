/* ocp_scene.c - the motion of a solution: the drawing of the model along the optimal trajectory. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/context.h"
#include "dynamics/drawn.h"
#include "ocp/data.h"
#include "ocp/ocp_table.h"
#include "ocp/phases.h"
#include "ocp/reading.h"
#include "report/written.h"

/* Parameters as they were decided, and the times. */
const double *dd_ocp_all_parameters(dd_ocp *p, dd_pool *pool)
{
    const dd_ocp_problem *o = p->problem;
    const dd_optimization *opt = o->model->optimization;
    const uint32_t n = p->system->model->vars.len;
    double *values = dd_pool_alloc_array(pool, (size_t)n + 1, sizeof *values);
    memcpy(values, p->system->parameter, n * sizeof *values);
    const dd_reading r = dd_reading_new(p, pool);
    for (uint32_t i = 0; i < o->p.len; i++) {
        if (o->p.data[i].var < n) {
            values[o->p.data[i].var] = r.params[i];
        }
    }
    if (opt->start_var < n && opt->final_var < n) {
        values[opt->start_var] = p->info.start_time;
        values[opt->final_var] = p->info.final_time;
    }
    return values;
}

/* Measured data are inputs without a column. */
static double input_value(void *user, uint32_t var, double t)
{
    const dd_ocp *p = user;
    const dd_ocp_problem *o = p->problem;
    for (uint32_t i = 0; i < o->data.len; i++) {
        if (o->data.data[i].column->var == var) {
            return dd_data_at(o->data.data[i].column, t, t >= p->info.final_time);
        }
    }
    return 0;
}

/* ---- phases ---- */

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y ? 1 : 0;
}

typedef struct stages {
    dd_ocp *p;
    dd_reading reading;
    double *start, *final; /* per phase */
    uint32_t n;
} stages;

/* Every time at which a phase has a row, in order. */
static double *times_of(const stages *s, const dd_table *rows, uint64_t *count, dd_pool *pool)
{
    double *times = dd_pool_alloc_array(pool, s->n * rows->count + 1, sizeof *times);
    uint64_t n = 0;
    for (uint32_t k = 0; k < s->n; k++) {
        for (uint64_t i = 0; i < rows->count; i++) {
            times[n++] = s->start[k] + (s->final[k] - s->start[k]) * dd_table_time(rows, i);
        }
    }
    qsort(times, n, sizeof *times, compare);
    /* once where phases meet */
    *count = 0;
    for (uint64_t i = 0; i < n; i++) {
        if (*count == 0 || times[i] > times[*count - 1]) {
            times[(*count)++] = times[i];
        }
    }
    return times;
}

/* Variables of the phases that run at a time; those of others are not there. */
static void fill_row(stages *s, double t, double *row)
{
    const dd_optimization *opt = s->p->problem->model->optimization;
    const dd_index_vec *vars = &s->p->outputs->vars;
    row[0] = t;
    for (uint32_t i = 0; i < vars->len; i++) {
        row[1 + i] = NAN;
    }
    for (uint32_t k = 0; k < s->n; k++) {
        const double length = s->final[k] - s->start[k];
        if (t < s->start[k] || t > s->final[k] || !(length > 0)) {
            continue;
        }
        const double theta = (t - s->start[k]) / length;
        dd_reading_at(&s->reading, theta, theta >= 1);
        for (uint32_t i = 0; i < vars->len; i++) {
            const uint32_t phase = vars->data[i] < opt->n_phase_of ? opt->phase_of[vars->data[i]] : 0;
            if (phase == 0 || phase == k + 1) {
                row[1 + i] = s->reading.values[i];
            }
        }
    }
}

/* Phases in the order of time: the model has them side by side, each over a part from 0 to 1. */
static const dd_table *in_time(dd_ocp *p, const dd_table *rows, dd_pool *pool)
{
    stages s = {.p = p, .reading = dd_reading_new(p, pool), .n = dd_ocp_phase_count(p->problem)};
    const uint32_t width = p->outputs->vars.len;
    s.start = dd_pool_alloc_array(pool, s.n, sizeof *s.start);
    s.final = dd_pool_alloc_array(pool, s.n, sizeof *s.final);
    for (uint32_t k = 0; k < s.n; k++) {
        dd_ocp_phase_times(p->problem, k, s.reading.params, &s.start[k], &s.final[k]);
    }
    dd_table_column *names = dd_pool_alloc_array(pool, (size_t)width + 1, sizeof *names);
    for (uint32_t i = 0; i < width; i++) {
        names[i] = (dd_table_column){dd_reading_name(p, i, pool), ""};
    }
    dd_table *out = dd_table_of_pool(pool, width);
    uint64_t count;
    const double *times = times_of(&s, rows, &count, pool);
    for (uint64_t i = 0; i < count; i++) {
        fill_row(&s, times[i], dd_table_push_row(out, pool));
        dd_check_stop(p->ctx);
    }
    out->columns = names;
    return out;
}

/* ---- the scene ---- */

dd_scene *dd_ocp_scene(dd_ocp *p, dd_pool *pool)
{
    if (p->system->model->drawing == NULL || !dd_ocp_has_trajectory(p)) {
        return NULL;
    }
    const dd_table *rows = dd_ocp_table_new(p, false, DD_ROWS_PICTURE, pool)->rows;
    if (dd_ocp_phase_count(p->problem) > 0) {
        rows = in_time(p, rows, pool);
    }
    const dd_drawn_rows run = {.name = "", .table = rows, .input = input_value, .user = p};
    return dd_drawn_scene(p->system->model, dd_ocp_all_parameters(p, pool), &run, p->overlays.data, p->overlays.len,
                          pool);
}

/* ---- public ---- */

dd_status dd_ocp_set_overlays(dd_ocp *p, const char *const *files, uint32_t count)
{
    if (p == NULL || (count > 0 && files == NULL)) {
        return DD_INVALID_ARGUMENT;
    }
    const dd_model *m = p->system->model;
    if (count > 0 && m->optimization != NULL && m->optimization->phases.len > 0) {
        return dd_fail(p->ctx, DD_INVALID_ARGUMENT, "%s has phases: other solutions cannot be laid over it", m->name);
    }
    if (p->own == NULL && (p->own = dd_pool_new(p->ctx)) == NULL) {
        return dd_fail(p->ctx, DD_OUT_OF_MEMORY, "%s", dd_status_text(DD_OUT_OF_MEMORY));
    }
    return dd_drawn_set_overlays(m, p->system->parameter, files, count, &p->overlays, p->own);
}

static void film_body(void *arg)
{
    dd_written *out = arg;
    dd_written_film(out, dd_ocp_scene(out->user, out->pool));
}

dd_status dd_ocp_write_film(dd_ocp *p, const char *path)
{
    if (p == NULL || path == NULL) {
        return DD_INVALID_ARGUMENT;
    }
    if (!dd_ocp_has_trajectory(p)) {
        return dd_fail(p->ctx, DD_INVALID_ARGUMENT, "there is no trajectory to draw");
    }
    return dd_written_make(&(dd_written){.ctx = p->ctx, .user = p, .path = path}, film_body);
}
