/* sim_page.c - a simulation as a page with plots: one figure per array that was declared. */
#include <math.h>
#include <string.h>

#include "report/written.h"
#include "sim/sim_impl.h"

enum { MOST_FIGURES = 40, MOST_VALUES = 24, CURVE_POINTS = 500, MOVING_POINTS = 1500 };

/* ---- smooth curves ---- */

/* High-order steps are long: between their ends the picture takes points of an even grid, found as the rows of
 * a grid are. */
dd_status dd_sim_add_curves(dd_sim *sim, double until)
{
    const dd_integrator *it = sim->integrator;
    /* a body that turns needs more points than a curve that goes up and down */
    const double spacing = (sim->t_stop - sim->t0) / (sim->system->model->drawing ? MOVING_POINTS : CURVE_POINTS);
    for (double k = floor((it->t_old - sim->t0) / spacing) + 1; sim->t0 + k * spacing < until; k++) {
        const double t = sim->t0 + k * spacing;
        dd_sim_point(sim, t);
        dd_sim_values(sim, t, sim->w, sim->wdot);
        if (t > it->t_old && dd_table_add(&sim->curves, sim->ctx, t, sim->values) != DD_OK) {
            return DD_OUT_OF_MEMORY;
        }
    }
    return DD_OK;
}

typedef struct page_work {
    dd_sim *sim;
    dd_pool *pool;
    dd_page page;
    dd_figure_vec figures;
    DD_VEC(dd_page_row) statistics, values;
    dd_page_table tables[2];
    dd_string_vec messages;
} page_work;

static const char *number_text(page_work *w, double value)
{
    return dd_pool_printf(w->pool, "%.6g", value);
}

/* ---- figures ---- */

static void add_figures(page_work *w)
{
    const dd_curves curves = dd_sim_curves(w->sim, true, w->pool);
    const uint32_t left_out =
        dd_curves_figures(&curves, 0, w->sim->system->declared, NULL, MOST_FIGURES, &w->figures, w->pool);
    w->page.figures = w->figures.data;
    w->page.n_figures = w->figures.len;
    w->page.figures_note =
        left_out > 0 ? dd_pool_printf(w->pool, "%u more variables are not drawn; the trajectory has all.", left_out)
                     : "";
}

/* ---- tables ---- */

static void add_count(page_work *w, const char *name, uint64_t value)
{
    dd_page_row row = {name, dd_pool_printf(w->pool, "%llu", (unsigned long long)value)};
    dd_vec_push(w->pool, &w->statistics, row);
}

static void add_statistics(page_work *w)
{
    const dd_sim_info *info = &w->sim->info;
    const dd_sim_stats *s = &info->stats;
    add_count(w, "steps", s->steps);
    add_count(w, "steps rejected", s->rejected);
    add_count(w, "events", s->events);
    add_count(w, "evaluations of the equations", s->residuals);
    add_count(w, "Jacobians", s->jacobians);
    add_count(w, "factorizations", s->factorizations);
    add_count(w, "Newton iterations", s->newton);
    add_count(w, "rows of the trajectory", w->sim->rows.count);
    if (w->sim->numbers->problem.n_invariants > 0 || w->sim->watch) {
        dd_page_row row = {"largest residual of a constraint", number_text(w, info->constraint_violation)};
        dd_vec_push(w->pool, &w->statistics, row);
    }
    dd_page_row seconds = {"seconds", dd_pool_printf(w->pool, "%.3g", s->seconds)};
    dd_vec_push(w->pool, &w->statistics, seconds);
    w->tables[1] = (dd_page_table){"Effort", "", w->statistics.data, w->statistics.len};
}

static void add_values(page_work *w)
{
    const uint32_t count = dd_sim_variable_count(w->sim);
    for (uint32_t i = 0; i < count && i < MOST_VALUES; i++) {
        dd_page_row row = {dd_sim_variable_name(w->sim, i), number_text(w, dd_sim_final(w->sim, i))};
        dd_vec_push(w->pool, &w->values, row);
    }
    w->tables[0] =
        (dd_page_table){dd_pool_printf(w->pool, "Values at time %.10g", w->sim->info.t),
                        count > MOST_VALUES ? dd_pool_printf(w->pool, "and %u more", count - MOST_VALUES) : "",
                        w->values.data, w->values.len};
    w->page.tables = w->tables;
    w->page.n_tables = 2;
}

static void add_words(page_work *w)
{
    const dd_sim *sim = w->sim;
    const dd_sim_info *info = &sim->info;
    dd_page *page = &w->page;
    page->head.title = sim->system->model->name;
    page->head.doc = sim->system->model->doc ? sim->system->model->doc : "";
    page->head.subtitle = dd_pool_printf(w->pool, "simulated from time %.10g to %.10g with %s", info->t0, info->t,
                                         info->method ? info->method : "no method");
    page->head.failure = info->status == DD_SIM_OK
                             ? ""
                             : dd_pool_printf(w->pool, "Stopped before time %.10g (%s): %s", sim->t_stop,
                                              dd_sim_status_name(info->status), info->reason);
    for (uint32_t i = 0; i < sim->messages.len; i++) {
        dd_vec_push(w->pool, &w->messages, sim->messages.data[i]);
    }
    for (uint32_t i = 0; i < dd_sim_warning_count(sim); i++) {
        dd_vec_push(w->pool, &w->messages, sim->system->warnings.data[i]);
    }
    page->messages = w->messages.data;
    page->n_messages = w->messages.len;
}

/* ---- writing ---- */

static void page_body(void *arg)
{
    dd_written *out = arg;
    dd_sim *sim = out->user;
    page_work w = {.sim = sim, .pool = out->pool};
    add_words(&w);
    add_figures(&w);
    add_statistics(&w);
    add_values(&w);
    out->text = dd_text_new(out->pool);
    dd_page_html(&out->text, &w.page);
    sim->reported = dd_pool_strdup(sim->pool, out->path);
}

dd_status dd_sim_write_report(dd_sim *sim, const char *path)
{
    if (!sim || !path) {
        return DD_INVALID_ARGUMENT;
    }
    if (!sim->started || sim->rows.count == 0) {
        return dd_fail(sim->ctx, DD_INVALID_ARGUMENT, "there is no trajectory to plot");
    }
    const dd_status st = dd_written_make(&(dd_written){.ctx = sim->ctx, .user = sim, .path = path}, page_body);
    if (st != DD_OK) {
        sim->reported = NULL;
    }
    return st;
}
