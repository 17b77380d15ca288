/* sim_page.c - a simulation as a page: variables, steps, numbers. */
#include <math.h>
#include <string.h>

#include "report/written.h"
#include "sim/growth.h"

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
    dd_page_writer *page;
    dd_curves curves;
} page_work;

typedef DD_VEC(dd_page_row) row_vec;

static const char *number_text(page_work *w, double value)
{
    return dd_pool_printf(w->pool, "%.6g", value);
}

static const char *with_unit(page_work *w, double value, const char *unit)
{
    return unit[0] != '\0' ? dd_pool_printf(w->pool, "%.6g %s", value, unit) : number_text(w, value);
}

/* ---- tables ---- */

static void add_count(page_work *w, row_vec *rows, const char *name, uint64_t value)
{
    dd_page_row row = {name, dd_pool_printf(w->pool, "%llu", (unsigned long long)value)};
    dd_vec_push(w->pool, rows, row);
}

static void add_effort(page_work *w)
{
    const dd_sim_info *info = &w->sim->info;
    const dd_sim_stats *s = &info->stats;
    row_vec rows = {0};
    add_count(w, &rows, "steps", s->steps);
    add_count(w, &rows, "steps rejected", s->rejected);
    add_count(w, &rows, "events", s->events);
    add_count(w, &rows, "evaluations of the equations", s->residuals);
    add_count(w, &rows, "Jacobians", s->jacobians);
    add_count(w, &rows, "factorizations", s->factorizations);
    add_count(w, &rows, "Newton iterations", s->newton);
    add_count(w, &rows, "rows of the trajectory", w->sim->rows.count);
    if (w->sim->numbers->problem.n_invariants > 0 || dd_watch_count(w->sim->watch) > 0) {
        dd_page_row row = {"largest residual of a constraint", number_text(w, info->constraint_violation)};
        dd_vec_push(w->pool, &rows, row);
    }
    dd_page_row seconds = {"seconds", dd_pool_printf(w->pool, "%.3g", s->seconds)};
    dd_vec_push(w->pool, &rows, seconds);
    dd_page_add_table(w->page, &(dd_page_table){"Effort", "", rows.data, rows.len});
}

/* Values at the end: of the variables asked for, or of those that are looked for first. */
static void add_values(page_work *w)
{
    const dd_index_vec list = dd_sim_listed(w->sim, MOST_VALUES, w->pool);
    row_vec rows = {0};
    for (uint32_t k = 0; k < list.len && k < MOST_VALUES; k++) {
        const uint32_t i = list.data[k];
        const dd_page_row row = {dd_sim_variable_name(w->sim, i),
                                 with_unit(w, dd_table_rounded(&w->sim->rows, i, dd_sim_final(w->sim, i)),
                                           w->curves.table->columns[i].unit)};
        dd_vec_push(w->pool, &rows, row);
    }
    const char *note = list.len > MOST_VALUES ? dd_pool_printf(w->pool, "and %u more", list.len - MOST_VALUES) : "";
    const char *title = dd_pool_printf(w->pool, "Values at time %.10g", w->sim->info.t);
    dd_page_add_table(w->page, &(dd_page_table){title, note, rows.data, rows.len});
}

static void add_parameters(page_work *w)
{
    const dd_model *m = w->sim->system->model;
    row_vec rows = {0};
    uint32_t left_out = 0;
    for (uint32_t v = 0; v < m->vars.len; v++) {
        const dd_variable *var = &m->vars.data[v];
        const bool wanted = var->kind == DD_KIND_PARAMETER && var->has_value && !m->arrays.data[var->array].introduced;
        if (wanted && rows.len < MOST_VALUES) {
            dd_page_row row = {dd_model_var_name_dup(m, v, w->pool),
                               with_unit(w, w->sim->system->parameter[v], m->arrays.data[var->array].unit)};
            dd_vec_push(w->pool, &rows, row);
        } else if (wanted) {
            left_out++;
        }
    }
    const char *note = left_out > 0 ? dd_pool_printf(w->pool, "and %u more", left_out) : "";
    dd_page_add_table(w->page, &(dd_page_table){"Parameters", note, rows.data, rows.len});
}

static void add_settings(page_work *w)
{
    const dd_sim *sim = w->sim;
    row_vec rows = {0};
    const dd_page_row given[] = {
        {"method", sim->info.method != NULL ? sim->info.method : "none"},
        {"tolerance", sim->options.step > 0 ? "none: steps of a given size" : number_text(w, dd_sim_tolerance(sim))},
        {"start", number_text(w, sim->t0)},
        {"stop", number_text(w, sim->t_stop)},
    };
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        dd_vec_push(w->pool, &rows, given[i]);
    }
    /* what was asked for beyond that */
    const double spacing = dd_sim_row_spacing(sim);
    if (spacing > 0) {
        dd_vec_push(w->pool, &rows, ((dd_page_row){"a row every", number_text(w, spacing)}));
    }
    if (sim->options.step > 0) {
        dd_vec_push(w->pool, &rows, ((dd_page_row){"step", number_text(w, sim->options.step)}));
    }
    if (sim->options.input_file != NULL) {
        dd_vec_push(w->pool, &rows, ((dd_page_row){"inputs from", sim->options.input_file}));
    }
    dd_page_add_table(w->page, &(dd_page_table){"Settings", "", rows.data, rows.len});
}

/* ---- words ---- */

static dd_page_head head_of(const dd_sim *sim, dd_pool *pool)
{
    const dd_sim_info *info = &sim->info;
    const dd_model *m = sim->system->model;
    return (dd_page_head){.title = m->name,
                          .doc = m->doc != NULL ? m->doc : "",
                          .subtitle = dd_pool_printf(pool, "simulated from time %.10g to %.10g with %s", info->t0,
                                                     info->t, info->method ? info->method : "no method"),
                          .failure = info->status == DD_SIM_OK
                                         ? ""
                                         : dd_pool_printf(pool, "Stopped before time %.10g (%s): %s", sim->t_stop,
                                                          dd_sim_status_name(info->status), info->reason)};
}

static void add_messages(page_work *w)
{
    dd_string_vec messages = {0};
    for (uint32_t i = 0; i < w->sim->messages.len; i++) {
        dd_vec_push(w->pool, &messages, w->sim->messages.data[i]);
    }
    for (uint32_t i = 0; i < dd_sim_warning_count(w->sim); i++) {
        dd_vec_push(w->pool, &messages, w->sim->system->warnings.data[i]);
    }
    if (messages.len > 0) {
        dd_page_section(w->page, "Messages");
        dd_page_add_list(w->page, messages.data, messages.len);
    }
}

/* ---- writing ---- */

static void page_body(void *arg)
{
    dd_written *out = arg;
    dd_sim *sim = out->user;
    (void)dd_growth_of_errors(sim); /* may add a message */
    page_work w = {.sim = sim, .pool = out->pool};
    const dd_page_head head = head_of(sim, out->pool);
    w.page = dd_page_begin(out->pool, &head);
    w.curves = dd_sim_curves(sim, true, out->pool);
    dd_page_add_scene(w.page, dd_sim_scene(sim, out->pool), out->pool);
    /* what was asked for, or what the tool chooses; then how it was computed */
    dd_panels_page(w.page, &w.curves, sim->show.items, sim->show.count, MOST_FIGURES, out->pool);
    add_messages(&w);
    dd_sim_add_steps(sim, w.page, out->pool);
    dd_page_section(w.page, "Numbers");
    add_values(&w);
    add_parameters(&w);
    add_settings(&w);
    add_effort(&w);
    out->text = dd_text_new(out->pool);
    dd_page_end(w.page, &out->text);
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
