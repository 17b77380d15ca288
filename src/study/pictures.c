/* pictures.c - plots from the points of a study: a line per method, a panel per group of variables. */
#include <math.h>
#include <string.h>

#include "study/study_impl.h"

static bool is_mine(const dd_grid *g, const dd_line_spec *spec, uint32_t row, const char *name, const char *group)
{
    return strcmp(dd_grid_at(g, row, spec->name)->word, name) == 0 &&
           (!group || strcmp(dd_grid_at(g, row, spec->group)->word, group) == 0);
}

/* The rows of one line, with an x to itself. */
static dd_plot_line collect(const dd_study *study, const dd_line_spec *spec, const char *name, const char *group)
{
    const dd_grid *g = &study->points;
    const uint32_t rows = dd_grid_rows(g);
    double *x = dd_pool_alloc_array(study->pool, rows + 1, sizeof *x);
    double *y = dd_pool_alloc_array(study->pool, rows + 1, sizeof *y);
    uint32_t n = 0;
    for (uint32_t i = 0; i < rows; i++) {
        if (is_mine(g, spec, i, name, group)) {
            const double value = dd_grid_at(g, i, spec->y)->number;
            x[n] = dd_grid_at(g, i, spec->x)->number;
            y[n++] = value < spec->floor && spec->floor > 0 ? spec->floor : value;
        }
    }
    return (dd_plot_line){.style = spec->style, .x = x, .y = y, .count = n};
}

/* Something that the axes can show? */
static bool is_visible(const dd_line_spec *spec, const dd_plot_line *line)
{
    for (uint64_t i = 0; i < line->count; i++) {
        if (isfinite(line->x[i]) && isfinite(line->y[i]) && (line->y[i] > 0 || !spec->log_y)) {
            return true;
        }
    }
    return false;
}

/* A method with the order that was measured for it, where that is the subject. */
static const char *label_of(const dd_study *study, const char *name, const char *group)
{
    enum { METHOD, GROUP, ORDER = 3 }; /* columns of the summary */
    if (study->options.kind != DD_STUDY_ORDER || !group) {
        return name;
    }
    const uint32_t row = dd_grid_find(&study->summary, METHOD, name, GROUP, group);
    const double order = row < dd_grid_rows(&study->summary) ? dd_grid_at(&study->summary, row, ORDER)->number : NAN;
    return isnan(order) ? name : dd_pool_printf(study->pool, "%s: %.2f", name, order);
}

static void add_panel(dd_study *study, const dd_line_spec *spec, const char *group)
{
    dd_pool *pool = study->pool;
    const dd_string_vec names = dd_grid_words(&study->points, spec->name, spec->group, group, pool);
    dd_plot_line *lines = dd_pool_alloc_array(pool, names.len + 1, sizeof *lines);
    bool any = false;
    /* a line per name; a panel in which nothing can be seen is left out */
    for (uint32_t k = 0; k < names.len; k++) {
        lines[k] = collect(study, spec, names.data[k], group);
        lines[k].name = label_of(study, names.data[k], group);
        any = any || is_visible(spec, &lines[k]);
    }
    if (!any) {
        return;
    }
    const dd_plot plot = {.stride = 1,
                          .lines = lines,
                          .n_lines = names.len,
                          .x_name = spec->x_name,
                          .caption = !group ? spec->caption
                                     : spec->of_variables
                                         ? dd_pool_printf(pool, "%s, %s variables", spec->caption, group)
                                         : dd_pool_printf(pool, "%s, %s", spec->caption, group),
                          .path = true,
                          .log = spec->log_y,
                          .log_x = spec->log_x};
    dd_vec_push(pool, &study->plots, plot);
}

void dd_study_add_lines(dd_study *study, const dd_line_spec *spec)
{
    if (spec->group == UINT32_MAX) {
        add_panel(study, spec, NULL);
        return;
    }
    const dd_string_vec groups = dd_grid_words(&study->points, spec->group, UINT32_MAX, NULL, study->pool);
    for (uint32_t k = 0; k < groups.len; k++) {
        add_panel(study, spec, groups.data[k]);
    }
}
