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

/* ---- orders ---- */

enum { METHOD, GROUP, THEORY, ORDER, VERDICT = 6 }; /* columns of the summary of orders */

/* The row of the summary about a line; NULL: none, or nothing was decided about it. */
static const dd_cell *decided_row(const dd_study *study, const char *name, const char *group)
{
    const dd_grid *g = &study->summary;
    const uint32_t row = dd_grid_find(g, METHOD, name, GROUP, group);
    if (row >= dd_grid_rows(g) || isnan(dd_grid_at(g, row, ORDER)->number) ||
        strcmp(dd_grid_at(g, row, VERDICT)->word, "undecided") == 0) {
        return NULL;
    }
    return dd_grid_at(g, row, 0);
}

/* A method with the order that was measured for it, where that is the subject. */
static const char *label_of(const dd_study *study, const dd_line_spec *spec, const char *name, const char *group)
{
    const dd_cell *row = spec->slope != 0 ? decided_row(study, name, group) : NULL;
    return row == NULL ? name : dd_pool_printf(study->pool, "%s: %.2f", name, row[ORDER].number);
}

/* The order that a line is compared with: that of the theory, else the nearest whole one. NaN: none. */
static double order_beside(const dd_study *study, const char *name, const char *group)
{
    const dd_cell *row = decided_row(study, name, group);
    return row == NULL ? (double)NAN : isnan(row[THEORY].number) ? rint(row[ORDER].number) : row[THEORY].number;
}

/* A dashed line of this order a little below the points that the order of a method was taken from. */
static dd_plot_line slope_line(const dd_study *study, const dd_line_spec *spec, const char *name, const char *group,
                               double order)
{
    enum { BELOW = 3 }; /* a factor: beside the line, but clearly its own */
    const dd_grid *g = &study->points;
    const uint32_t use = spec->y + 2; /* behind the slopes of neighbours */
    double *x = dd_pool_alloc_array(study->pool, 2, sizeof *x), *y = dd_pool_alloc_array(study->pool, 2, sizeof *y);
    uint32_t used = 0;
    /* the first and the last of them */
    for (uint32_t i = 0; i < dd_grid_rows(g); i++) {
        if (is_mine(g, spec, i, name, group) && dd_grid_at(g, i, use)->word[0] == '\0') {
            x[used > 0] = dd_grid_at(g, i, spec->x)->number;
            y[used > 0] = dd_grid_at(g, i, spec->y)->number;
            used++;
        }
    }
    if (used < 2) {
        return (dd_plot_line){0};
    }
    y[1] /= BELOW;
    y[0] = y[1] * pow(x[0] / x[1], spec->slope * order);
    return (dd_plot_line){
        .name = dd_pool_printf(study->pool, "order %g", order), .style = DD_LINE_DASHED, .x = x, .y = y, .count = 2};
}

/* One for each order among the lines, in the colour of the first that has it. */
static uint32_t add_slopes(const dd_study *study, const dd_line_spec *spec, const dd_string_vec *names,
                           const char *group, dd_plot_line *lines)
{
    uint32_t n = names->len;
    for (uint32_t k = 0; k < names->len; k++) {
        const double order = order_beside(study, names->data[k], group);
        const dd_plot_line line = order > 0 ? slope_line(study, spec, names->data[k], group, order) : (dd_plot_line){0};
        bool known = line.count == 0;
        for (uint32_t i = names->len; i < n; i++) {
            known = known || strcmp(lines[i].name, line.name) == 0;
        }
        if (!known) {
            lines[n] = line;
            lines[n++].colour = 1 + k % DD_PLOT_COLOURS;
        }
    }
    return n;
}

/* ---- panels ---- */

static void add_panel(dd_study *study, const dd_line_spec *spec, const char *group)
{
    dd_pool *pool = study->pool;
    const dd_string_vec names = dd_grid_words(&study->points, spec->name, spec->group, group, pool);
    dd_plot_line *lines = dd_pool_alloc_array(pool, 2 * (size_t)names.len + 1, sizeof *lines);
    bool any = false;
    /* a line per name; a panel in which nothing can be seen is left out */
    for (uint32_t k = 0; k < names.len; k++) {
        lines[k] = collect(study, spec, names.data[k], group);
        lines[k].name = label_of(study, spec, names.data[k], group);
        any = any || is_visible(spec, &lines[k]);
    }
    if (!any) {
        return;
    }
    const uint32_t count = spec->slope != 0 ? add_slopes(study, spec, &names, group, lines) : names.len;
    const dd_plot plot = {.stride = 1,
                          .lines = lines,
                          .n_lines = count,
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
