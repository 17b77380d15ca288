/* sim_plot.c - a simulation as a table of curves, and a picture of chosen ones: one SVG file. */
#include <math.h>

#include "base/file.h"
#include "report/panel.h"
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

typedef struct plot_call {
    dd_sim *sim;
    const char *const *requests;
    uint32_t n_requests;
    const char *path; /* NULL: the requests are only looked at */
    dd_pool *pool;
    dd_text text;
} plot_call;

static void plot_body(void *arg)
{
    plot_call *call = arg;
    const dd_model *m = call->sim->system->model;
    const dd_curves curves = dd_sim_curves(call->sim, call->path != NULL, call->pool);
    /* without a path the requests are only checked, before a long run */
    if (!call->path) {
        dd_panels_check(&curves, call->requests, call->n_requests, call->pool);
        return;
    }
    call->text = dd_text_new(call->pool);
    dd_panels_picture(&call->text, &curves, m->name, m->doc ? m->doc : "", call->requests, call->n_requests,
                      call->pool);
    call->sim->plotted = dd_pool_strdup(call->sim->pool, call->path);
}

static dd_status run_call(plot_call *call)
{
    call->pool = dd_pool_new(call->sim->ctx);
    if (!call->pool) {
        return dd_fail(call->sim->ctx, DD_OUT_OF_MEMORY, "memory ran out");
    }
    const dd_respite before = dd_respite_begin(call->sim->ctx);
    dd_status st = dd_protect(call->sim->ctx, plot_body, call);
    if (st == DD_OK && call->path) {
        st = dd_file_write(call->sim->ctx, call->path, dd_text_str(&call->text), call->text.len);
    }
    dd_respite_end(call->sim->ctx, &before);
    if (st != DD_OK) {
        call->sim->plotted = NULL;
    }
    dd_pool_free(call->pool);
    return st;
}

dd_status dd_sim_check_plot(dd_sim *sim, const char *const *requests, uint32_t count)
{
    if (!sim || (count > 0 && !requests)) {
        return DD_INVALID_ARGUMENT;
    }
    plot_call call = {.sim = sim, .requests = requests, .n_requests = count};
    return run_call(&call);
}

dd_status dd_sim_write_plot(dd_sim *sim, const char *path, const char *const *requests, uint32_t count)
{
    if (!sim || !path || (count > 0 && !requests)) {
        return DD_INVALID_ARGUMENT;
    }
    if (!sim->started || sim->rows.count == 0) {
        return dd_fail(sim->ctx, DD_INVALID_ARGUMENT, "there is no trajectory to plot");
    }
    plot_call call = {.sim = sim, .requests = requests, .n_requests = count, .path = path};
    return run_call(&call);
}
