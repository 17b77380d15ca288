/* sim_plot.c - a simulation as a table of curves, and a picture of chosen ones: one SVG file. */
#include <math.h>

#include "report/written.h"
#include "sim/sim_impl.h"

dd_curves dd_sim_curves(const dd_sim *sim, bool data, dd_pool *pool)
{
    const dd_system *s = sim->system;
    const dd_model *m = s->model;
    const uint32_t n = dd_sim_variable_count(sim);
    dd_curve *columns = dd_pool_alloc_array(pool, n + 1, sizeof *columns);
    dd_table_column *names = dd_pool_alloc_array(pool, n + 1, sizeof *names);
    /* titles and units come from the declaration, one per array */
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t array = m->vars.data[s->unknown[i]].array;
        const dd_array *a = &m->arrays.data[array];
        names[i] = (dd_table_column){dd_sim_variable_name(sim, i), a->unit};
        columns[i] = (dd_curve){.doc = a->doc,
                                .title = a->introduced ? names[i].name : a->name,
                                .array = array,
                                .lower = -INFINITY,
                                .upper = INFINITY};
    }
    /* with data: every row and, where they were kept, points between them */
    dd_table *table = data ? dd_table_merge(&sim->rows, &sim->curves, pool) : dd_table_of_pool(pool, n);
    table->columns = names;
    /* events are marks on the time axis */
    return (dd_curves){.table = table,
                       .columns = columns,
                       .marks = sim->event_times.data,
                       .n_marks = sim->event_times.len,
                       .x_end = sim->t_stop};
}

/* ---- writing ---- */

static void plot_body(void *arg)
{
    dd_written *out = arg;
    dd_sim *sim = out->user;
    const dd_model *m = sim->system->model;
    const dd_curves curves = dd_sim_curves(sim, out->path != NULL, out->pool);
    /* without a path the requests are only checked, before a long run */
    if (!out->path) {
        dd_panels_check(&curves, out->requests, out->n_requests, out->pool);
        return;
    }
    dd_written_picture(out, &curves, m->name, m->doc);
    sim->plotted = dd_pool_strdup(sim->pool, out->path);
}

static dd_status make(dd_sim *sim, const char *path, const char *const *requests, uint32_t count)
{
    dd_written out = {.ctx = sim->ctx, .user = sim, .path = path, .requests = requests, .n_requests = count};
    const dd_status st = dd_written_make(&out, plot_body);
    if (st != DD_OK) {
        sim->plotted = NULL;
    }
    return st;
}

dd_status dd_sim_check_plot(dd_sim *sim, const char *const *requests, uint32_t count)
{
    if (!sim || (count > 0 && !requests)) {
        return DD_INVALID_ARGUMENT;
    }
    return make(sim, NULL, requests, count);
}

dd_status dd_sim_write_plot(dd_sim *sim, const char *path, const char *const *requests, uint32_t count)
{
    if (!sim || !path || (count > 0 && !requests)) {
        return DD_INVALID_ARGUMENT;
    }
    if (!sim->started || sim->rows.count == 0) {
        return dd_fail(sim->ctx, DD_INVALID_ARGUMENT, "there is no trajectory to plot");
    }
    return make(sim, path, requests, count);
}
