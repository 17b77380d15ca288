/* ocp_scene.c - the motion of a solution: the drawing of the model along the optimal trajectory. */
#include <string.h>

#include "base/context.h"
#include "dynamics/drawn.h"
#include "ocp/data.h"
#include "ocp/ocp_table.h"
#include "ocp/phases.h"
#include "ocp/reading.h"
#include "report/written.h"

/* Parameters as they were decided, and the times. */
static const double *parameters(dd_ocp *p, dd_pool *pool)
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

dd_scene *dd_ocp_scene(dd_ocp *p, dd_pool *pool)
{
    if (p->system->model->drawing == NULL || !dd_ocp_has_trajectory(p) || dd_ocp_phase_count(p->problem) > 0) {
        return NULL;
    }
    const dd_ocp_table *table = dd_ocp_table_new(p, false, true, pool);
    const dd_drawn_rows run = {.name = "", .table = table->rows, .input = input_value, .user = p};
    return dd_drawn_scene(p->system->model, parameters(p, pool), &run, p->overlays.data, p->overlays.len, pool);
}

/* ---- public ---- */

dd_status dd_ocp_set_overlays(dd_ocp *p, const char *const *files, uint32_t count)
{
    if (p == NULL || (count > 0 && files == NULL)) {
        return DD_INVALID_ARGUMENT;
    }
    const dd_model *m = p->system->model;
    if (m->optimization != NULL && m->optimization->phases.len > 0) {
        return dd_fail(p->ctx, DD_INVALID_ARGUMENT, "%s has phases: their motion cannot be drawn yet", m->name);
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
