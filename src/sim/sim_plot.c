/* sim_plot.c - a simulation as a table of curves, and a picture of chosen ones: one SVG file. */
#include <math.h>
#include <string.h>

#include "dynamics/drawn.h"
#include "report/written.h"
#include "sim/sim_impl.h"

/* ---- columns ---- */

/* Variables that a file of inputs feeds; NULL: none. */
static const dd_index_vec *fed_inputs(const dd_sim *sim)
{
    const bool from_file = sim->inputs != NULL && dd_inputs_path(sim->inputs) != NULL;
    return from_file ? dd_inputs_supplied(sim->inputs) : NULL;
}

static dd_curve curve_of(const dd_model *m, uint32_t var, const char *name, dd_curve_role role)
{
    const uint32_t array = m->vars.data[var].array;
    const dd_array *a = &m->arrays.data[array];
    return (dd_curve){.doc = a->doc,
                      .title = a->introduced ? name : a->name,
                      .array = array,
                      .role = a->is_output ? DD_ROLE_OUTPUT : role,
                      .lower = -INFINITY,
                      .upper = INFINITY};
}

/* Inputs at the times of the rows. The first of two rows at one time is before the jump. */
static void add_inputs(const dd_sim *sim, const dd_index_vec *fed, dd_table *t, uint32_t first)
{
    for (uint64_t i = 0; i < t->count; i++) {
        double *row = t->data + i * t->width;
        const bool jumps = i > 0 && i + 1 < t->count && dd_table_time(t, i + 1) == row[0];
        dd_inputs_enter(sim->inputs, jumps ? dd_table_time(t, i - 1) : row[0]);
        for (uint32_t k = 0; k < fed->len; k++) {
            row[1 + first + k] = dd_inputs_value(sim->inputs, fed->data[k], 0, row[0]);
        }
    }
    /* a run that goes on finds them as it left them */
    if (sim->integrator != NULL) {
        dd_inputs_enter(sim->inputs, sim->integrator->t);
    }
}

/* The same rows with more columns. */
static dd_table *widened(const dd_table *from, uint32_t columns, dd_pool *pool)
{
    dd_table *to = dd_table_of_pool(pool, columns);
    dd_table_reserve(to, pool, from->count);
    for (uint64_t i = 0; i < from->count; i++) {
        memcpy(dd_table_push_row(to, pool), dd_table_row(from, i), from->width * sizeof(double));
    }
    return to;
}

dd_curves dd_sim_curves(const dd_sim *sim, bool data, dd_pool *pool)
{
    const dd_system *s = sim->system;
    const dd_model *m = s->model;
    const dd_index_vec *fed = fed_inputs(sim);
    const uint32_t n = dd_sim_variable_count(sim), all = n + (fed != NULL ? fed->len : 0);
    dd_curve *columns = dd_pool_alloc_array(pool, all + 1, sizeof *columns);
    dd_table_column *names = dd_pool_alloc_array(pool, all + 1, sizeof *names);
    /* titles and units come from the declaration, one per array */
    for (uint32_t i = 0; i < all; i++) {
        const uint32_t var = i < n ? s->unknown[i] : fed->data[i - n];
        const char *name = i < n ? dd_sim_variable_name(sim, i) : dd_model_var_name_dup(m, var, pool);
        const dd_curve_role role = i >= n ? DD_ROLE_INPUT : s->differentiated[i] ? DD_ROLE_STATE : DD_ROLE_OTHER;
        names[i] = (dd_table_column){name, m->arrays.data[m->vars.data[var].array].unit};
        columns[i] = curve_of(m, var, name, role);
    }
    /* with data: every row and, where they were kept, points between them */
    dd_table *table = data ? dd_table_merge(&sim->rows, &sim->curves, pool) : dd_table_of_pool(pool, all);
    if (data && all > n) {
        table = widened(table, all, pool);
        add_inputs(sim, fed, table, n);
    }
    table->columns = names;
    /* events are marks on the time axis */
    dd_curves curves = {.table = table,
                        .columns = columns,
                        .marks = sim->event_times.data,
                        .n_marks = sim->event_times.len,
                        .x_end = sim->t_stop,
                        .map = dd_drawn_map(m, s->parameter, pool)};
    dd_drawn_places(&curves, m, s->parameter, pool);
    return curves;
}

dd_status dd_sim_show(dd_sim *sim, const char *const *requests, uint32_t count)
{
    const dd_status st = dd_sim_check_plot(sim, requests, count);
    return st != DD_OK ? st : dd_requests_keep(sim->ctx, sim->pool, &sim->show, requests, count);
}

bool *dd_sim_shown(const dd_sim *sim, dd_pool *pool)
{
    const dd_curves curves = dd_sim_curves(sim, false, pool);
    return dd_panels_chosen(&curves, sim->show.items, sim->show.count, pool);
}

dd_index_vec dd_sim_listed(const dd_sim *sim, uint32_t most, dd_pool *pool)
{
    const uint32_t n = dd_sim_variable_count(sim);
    const bool *chosen = dd_sim_shown(sim, pool);
    dd_index_vec list = {0};
    for (uint32_t i = 0; i < n; i++) {
        if (chosen[i]) {
            dd_vec_push(pool, &list, i);
        }
    }
    if (list.len <= most) {
        return list;
    }
    /* too many: those first that a page would show first; inputs from outside are not among the variables */
    const dd_curves curves = dd_sim_curves(sim, true, pool);
    const uint32_t *order = dd_curves_order(&curves, pool);
    list.len = 0;
    for (uint32_t i = 0; i + 1 < curves.table->width; i++) {
        if (order[i] < n && chosen[order[i]]) {
            dd_vec_push(pool, &list, order[i]);
        }
    }
    return list;
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
