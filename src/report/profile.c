/* profile.c - an array over its index or over positions: lines at some times, or colours over all times. */
#include <math.h>
#include <string.h>

#include "report/panel_private.h"

enum { DEFAULT_TIMES = 5, MOST_TIMES = DD_MOST_LINES };

/* The row at a time: the last one not behind it. */
static uint64_t row_at(const dd_table *t, double time)
{
    uint64_t row = 0;
    for (uint64_t i = 0; i < t->count && dd_table_time(t, i) <= time; i++) {
        row = i;
    }
    return row;
}

/* Times asked for, or evenly from the first row to the last. */
static double time_of(const dd_curves *c, const dd_panel *p, uint32_t k, uint32_t count)
{
    if (p->times.len > 0) {
        return p->times.data[k];
    }
    const double begin = dd_table_time(c->table, 0), end = dd_table_time(c->table, c->table->count - 1);
    return count < 2 ? end : begin + (end - begin) * k / (count - 1);
}

/* Is there something but the index to draw over? */
static bool has_positions(const dd_panel *p)
{
    return p->over.len + p->over_places.len > 0;
}

/* The position of element i in a row: a variable of it, a parameter, or the index. */
static double position(const dd_curves *c, const dd_panel *p, uint32_t i, const double *row)
{
    return p->over.len > 0          ? row[1 + p->over.data[i]]
           : p->over_places.len > 0 ? c->places[p->over_places.data[i]].value
                                    : i + 1.0;
}

static const char *position_name(const dd_curves *c, const dd_panel *p, dd_pool *pool)
{
    if (!has_positions(p)) {
        return "index";
    }
    if (p->over_places.len > 0) {
        const dd_curve_place *first = &c->places[p->over_places.data[0]];
        return dd_panel_with_unit(pool, first->title, strcmp(first->unit, "1") == 0 ? "" : first->unit);
    }
    const uint32_t first = p->over.data[0];
    return dd_panel_with_unit(pool, c->columns[first].title, dd_panel_unit(c, first));
}

static const char *title_of(const dd_curves *c, const dd_panel *p, dd_pool *pool)
{
    const uint32_t first = p->columns.data[0];
    const char *name = p->caption != NULL ? p->caption : c->columns[first].title;
    return dd_panel_with_unit(pool, name, strchr(name, '[') ? "" : dd_panel_unit(c, first));
}

/* A line per time: the values of the row there, over index or positions of the row. */
static dd_plot lines_plot(const dd_curves *c, const dd_panel *p, dd_pool *pool)
{
    const uint32_t n = p->columns.len, wanted = p->times.len > 0 ? p->times.len : DEFAULT_TIMES;
    const uint32_t count = c->table->count == 0 ? 0 : wanted < MOST_TIMES ? wanted : MOST_TIMES;
    dd_plot_line *lines = dd_pool_alloc_array(pool, count + 1, sizeof *lines);
    for (uint32_t k = 0; k < count; k++) {
        const double *row = dd_table_row(c->table, row_at(c->table, time_of(c, p, k, count)));
        double *x = dd_pool_alloc_array(pool, n, sizeof *x), *y = dd_pool_alloc_array(pool, n, sizeof *y);
        for (uint32_t i = 0; i < n; i++) {
            x[i] = position(c, p, i, row);
            y[i] = row[1 + p->columns.data[i]];
        }
        lines[k] = (dd_plot_line){.name = dd_pool_printf(pool, "time %.4g", row[0]), .y = y, .x = x, .count = n};
    }
    return (dd_plot){.stride = 1,
                     .lines = lines,
                     .n_lines = count,
                     .x_name = position_name(c, p, pool),
                     .x_whole = !has_positions(p),
                     .path = has_positions(p),
                     .caption = title_of(c, p, pool)};
}

/* All of it: a row of colours per element, at its index or its position at the start. */
static dd_plot heat_plot(const dd_curves *c, const dd_panel *p, dd_pool *pool)
{
    const uint32_t n = p->columns.len;
    dd_plot_line *lines = dd_pool_alloc_array(pool, n, sizeof *lines);
    double *at = dd_pool_alloc_array(pool, n, sizeof *at);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t column = p->columns.data[i];
        lines[i] = (dd_plot_line){.name = c->table->columns[column].name, .y = c->table->data + 1 + column};
        at[i] = p->over.len > 0 && c->table->count == 0 ? i + 1.0 : position(c, p, i, c->table->data);
    }
    return (dd_plot){.x = c->table->data,
                     .count = c->table->count,
                     .stride = c->table->width,
                     .lines = lines,
                     .n_lines = n,
                     .x_name = "time",
                     .x_end = c->x_end,
                     .heat = at,
                     .heat_name = position_name(c, p, pool),
                     .caption = title_of(c, p, pool)};
}

dd_plot dd_panel_profile(const dd_curves *c, const dd_panel *p, dd_pool *pool)
{
    return p->kind == DD_PANEL_HEAT ? heat_plot(c, p, pool) : lines_plot(c, p, pool);
}
