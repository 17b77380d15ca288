/* sim_steps.c - the steps of a run for its page: size, order, estimated error, residuals of constraints. */
#include <math.h>

#include "report/page.h"
#include "sim/sim_impl.h"

bool dd_sim_note_step(dd_sim *sim, double until)
{
    const dd_integrator *it = sim->integrator;
    const dd_problem *p = &sim->numbers->problem;
    double row[DD_STEP_COLUMNS] = {[DD_STEP_SIZE] = until - it->t_old,
                                   [DD_STEP_ORDER] = it->order,
                                   [DD_STEP_ERROR] = it->error,
                                   [DD_STEP_RESIDUAL] = NAN};
    /* a step that an event cuts has no end to look at */
    if (dd_watch_count(sim->watch) > 0) {
        row[DD_STEP_RESIDUAL] = sim->watched;
    } else if (p->n_invariants > 0 && until == it->t) {
        p->invariants(p->user, it->t, it->w, sim->invariant);
        row[DD_STEP_RESIDUAL] = 0;
        for (uint32_t k = 0; k < p->n_invariants; k++) {
            row[DD_STEP_RESIDUAL] = fmax(row[DD_STEP_RESIDUAL], fabs(sim->invariant[k]));
        }
    }
    return dd_table_add(&sim->steps, sim->ctx, until, row) == DD_OK;
}

typedef struct step_figure {
    dd_sim_step_column column;
    const char *title, *doc, *name;
    bool log;
    bool at_end; /* a value of the end of the step; otherwise of all of it */
} step_figure;

/* Has any step this value? Orders and errors are 0 where they are not known. */
static bool is_known(const dd_table *steps, dd_sim_step_column column)
{
    for (uint64_t i = 0; i < steps->count; i++) {
        const double value = dd_table_row(steps, i)[1 + column];
        if (isfinite(value) && value > 0) {
            return true;
        }
    }
    return false;
}

/* A value holds for the whole of its step: a stair from where the step began. Two points per step. */
static dd_plot_line *stairs(const dd_sim *sim, const step_figure *f, dd_pool *pool)
{
    const dd_table *steps = &sim->steps;
    dd_plot_line *line = dd_pool_alloc(pool, sizeof *line);
    double *x = dd_pool_alloc_array(pool, 2 * steps->count, sizeof *x),
           *y = dd_pool_alloc_array(pool, 2 * steps->count, sizeof *y);
    for (uint64_t i = 0; i < steps->count; i++) {
        const double *row = dd_table_row(steps, i);
        x[2 * i] = row[0] - row[1 + DD_STEP_SIZE];
        x[2 * i + 1] = row[0];
        y[2 * i] = y[2 * i + 1] = row[1 + f->column];
    }
    *line = (dd_plot_line){.name = f->name, .y = y, .x = x, .count = 2 * steps->count};
    return line;
}

void dd_sim_add_steps(const dd_sim *sim, dd_page_writer *page, dd_pool *pool)
{
    static const step_figure figures[] = {
        {DD_STEP_SIZE, "step size", "", "step size", true, false},
        {DD_STEP_ORDER, "order", "of the method in each step", "order", false, false},
        {DD_STEP_ERROR, "estimated error of a step", "1 is the tolerance of a step", "estimate", true, false},
        {DD_STEP_RESIDUAL, "residual of the constraints", "the largest, at the end of each step; zeros have no dot",
         "residual", true, true},
    };
    const dd_table *steps = &sim->steps;
    if (steps->count < 2) {
        return;
    }
    dd_page_section(page, "Steps");
    /* a figure for each quantity that the integrator reports: methods with given steps have no error estimate */
    for (size_t k = 0; k < sizeof figures / sizeof *figures; k++) {
        const step_figure *f = &figures[k];
        if (!is_known(steps, f->column)) {
            continue;
        }
        dd_plot_line *line;
        if (f->at_end) {
            line = dd_pool_alloc(pool, sizeof *line);
            *line = (dd_plot_line){.name = f->name, .y = steps->data + 1 + f->column, .style = DD_LINE_POINTS};
        } else {
            line = stairs(sim, f, pool);
        }
        const dd_page_figure figure = {.title = f->title,
                                       .doc = f->doc,
                                       .unit = "",
                                       .note = "",
                                       .plot = {.x = steps->data,
                                                .count = steps->count,
                                                .stride = steps->width,
                                                .lines = line,
                                                .n_lines = 1,
                                                .x_name = "time",
                                                .marks = sim->event_times.data,
                                                .n_marks = sim->event_times.len,
                                                .x_end = sim->t_stop,
                                                .log = f->log}};
        dd_page_add_figure(page, &figure);
    }
}
