/* panel.c - plots of requests; figures of whole arrays. */
#include "report/panel.h"

#include <math.h>
#include <string.h>

#include "report/panel_private.h"

enum { DEFAULT_PANELS = 6 };

static const char *name_of(const dd_curves *c, uint32_t column)
{
    return c->table->columns[column].name;
}

/* ---- plots ---- */

/* The unit of all lines; "" when they differ. */
static const char *common_unit(const dd_curves *c, const dd_panel *p)
{
    /* one unit for the axis, or each line with its own */
    const char *unit = dd_panel_unit(c, p->columns.data[0]);
    for (uint32_t i = 1; i < p->columns.len; i++) {
        unit = strcmp(unit, dd_panel_unit(c, p->columns.data[i])) == 0 ? unit : "";
    }
    return unit;
}

static const char *caption_of(const dd_curves *c, const dd_panel *p, const char *unit, dd_pool *pool)
{
    const bool one = p->columns.len == 1;
    const char *doc = p->caption ? p->caption : one ? c->columns[p->columns.data[0]].doc : "";
    if (one && (!p->caption || p->over.len > 0)) { /* no legend: the name is here */
        const char *name = dd_panel_with_unit(pool, name_of(c, p->columns.data[0]), unit);
        return doc[0] ? dd_pool_printf(pool, "%s \xC2\xB7 %s", name, doc) : name;
    }
    return doc[0]    ? dd_panel_with_unit(pool, doc, strchr(doc, '[') ? "" : unit)
           : unit[0] ? dd_pool_printf(pool, "[%s]", unit)
                     : "";
}

/* A shape in space keeps its proportions: both axes are of one unit, or of one array. */
static bool same_scale(const dd_curves *c, const dd_panel *p, const char *unit)
{
    if (p->over.len == 0 || p->equal) {
        return p->equal;
    }
    const uint32_t over = p->over.data[0];
    /* axes of one array, or of one unit, are shown in the same scale */
    bool one_array = true;
    for (uint32_t i = 0; i < p->columns.len; i++) {
        one_array = one_array && c->columns[p->columns.data[i]].array == c->columns[over].array;
    }
    return one_array || (unit[0] && strcmp(unit, dd_panel_unit(c, over)) == 0);
}

/* Curves with a separate time are copied, with that time beside them; all lines of the plot have the same. */
static void use_own_time(dd_plot *plot, dd_plot_line *lines, const dd_curve *of, dd_pool *pool)
{
    const size_t width = 1 + (size_t)plot->n_lines;
    double *copy = dd_pool_alloc_array(pool, plot->count * width + 1, sizeof *copy);
    /* time, then the lines, row by row */
    for (uint64_t i = 0; i < plot->count; i++) {
        copy[i * width] = of->from + of->length * plot->x[i * plot->stride];
        for (uint32_t k = 0; k < plot->n_lines; k++) {
            copy[i * width + 1 + k] = lines[k].y[i * plot->stride];
        }
    }
    for (uint32_t k = 0; k < plot->n_lines; k++) {
        lines[k].y = copy + 1 + k;
    }
    plot->x = copy;
    plot->stride = width;
    plot->x_end = of->from + of->length;
}

/* Dots of the columns that are shown as lines, in the colours of those; `lines` has room for all. */
static void add_dots(const dd_curves *c, const uint32_t *columns, dd_plot *plot, dd_plot_line *lines)
{
    const uint32_t n = plot->n_lines;
    for (uint32_t k = 0; k < n; k++) {
        for (uint32_t i = 0; i < c->n_dots && plot->n_lines < n + c->n_dots; i++) {
            const dd_curve_dots *d = &c->dots[i];
            if (d->column == columns[k]) {
                lines[plot->n_lines++] = (dd_plot_line){.name = d->name,
                                                        .y = d->y,
                                                        .x = d->x,
                                                        .count = d->count,
                                                        .style = DD_LINE_POINTS,
                                                        .colour = 1 + k % DD_PLOT_COLOURS};
            }
        }
    }
}

/* The curve whose time all of a panel have; NULL: that of the rows. */
static const dd_curve *common_time(const dd_curves *c, const dd_panel *p)
{
    const dd_curve *first = &c->columns[p->columns.data[0]];
    /* all lines must share the same time to have one axis */
    bool same = first->length > 0;
    for (uint32_t i = 1; i < p->columns.len; i++) {
        const dd_curve *other = &c->columns[p->columns.data[i]];
        same = same && other->from == first->from && other->length == first->length;
    }
    return same ? first : NULL;
}

/* Bounds of the columns shown, each level once; a side is forbidden where it is for all of them. The first n lines are those
 * of the columns. */
static void add_bounds(const dd_curves *c, const uint32_t *columns, uint32_t n, dd_plot *plot, dd_plot_line *lines,
                       dd_pool *pool)
{
    double *levels = dd_pool_alloc_array(pool, 2 * (size_t)n, sizeof *levels);
    plot->lower = INFINITY;
    plot->upper = -INFINITY;
    for (uint32_t i = 0; i < n; i++) {
        const double bounds[] = {c->columns[columns[i]].lower, c->columns[columns[i]].upper};
        lines[i].lower = bounds[0];
        lines[i].upper = bounds[1];
        plot->lower = fmin(plot->lower, bounds[0]);
        plot->upper = fmax(plot->upper, bounds[1]);
        /* infinite or already there: the place is used again */
        for (int k = 0; k < 2; k++) {
            bool known = !isfinite(bounds[k]);
            for (uint32_t l = 0; l < plot->n_levels; l++) {
                known = known || levels[l] == bounds[k];
            }
            levels[plot->n_levels] = bounds[k];
            plot->n_levels += known ? 0 : 1;
        }
    }
    plot->levels = levels;
    plot->bounded = isfinite(plot->lower) || isfinite(plot->upper);
    /* where bounds are not all the same, each line has its own */
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < n; k++) {
            lines[i].bounded = lines[i].bounded || lines[k].lower != lines[0].lower || lines[k].upper != lines[0].upper;
        }
    }
}

/* Is this panel the plot of the map, and of nothing else? */
static bool is_map(const dd_curves *c, const dd_panel *p)
{
    return c->map.x != NULL && p->over.len == 1 && p->columns.len == 1 &&
           strcmp(name_of(c, p->over.data[0]), c->map.x) == 0 && strcmp(name_of(c, p->columns.data[0]), c->map.y) == 0;
}

/* Outlines behind the path, as lines of their own. */
static void add_outlines(const dd_curves *c, dd_plot *plot, dd_plot_line *lines)
{
    for (uint32_t i = 0; i < c->map.count; i++) {
        const dd_curve_outline *o = &c->map.outlines[i];
        lines[plot->n_lines++] =
            (dd_plot_line){.name = o->name, .x = o->x, .y = o->y, .count = o->count, .style = o->style};
    }
    plot->equal = true;
}

dd_plot dd_panel_plot(const dd_curves *c, const dd_panel *p, dd_pool *pool)
{
    const char *unit = common_unit(c, p);
    const size_t room = (size_t)p->columns.len + c->n_dots + c->map.count;
    dd_plot_line *lines = dd_pool_alloc_array(pool, room, sizeof *lines);
    /* the legend names units where they differ */
    for (uint32_t i = 0; i < p->columns.len; i++) {
        const char *own = unit[0] ? "" : dd_panel_unit(c, p->columns.data[i]);
        lines[i] = (dd_plot_line){.name = dd_panel_with_unit(pool, name_of(c, p->columns.data[i]), own),
                                  .y = c->table->data + 1 + p->columns.data[i]};
    }
    /* over another variable: a path, without marks of time */
    const bool path = p->over.len > 0;
    const uint32_t over = path ? p->over.data[0] : 0;
    dd_plot plot = {.x = path ? c->table->data + 1 + over : c->table->data,
                    .count = c->table->count,
                    .stride = c->table->width,
                    .lines = lines,
                    .n_lines = p->columns.len,
                    .x_name = path        ? dd_panel_with_unit(pool, name_of(c, over), dd_panel_unit(c, over))
                              : p->x_name ? p->x_name
                                          : "time",
                    .marks = c->marks,
                    .n_marks = path ? 0 : c->n_marks,
                    .x_end = c->x_end,
                    .caption = caption_of(c, p, unit, pool),
                    .path = path,
                    .equal = path && same_scale(c, p, unit)};
    /* phases have their own length of time */
    const dd_curve *own = path ? NULL : common_time(c, p);
    if (own != NULL) {
        use_own_time(&plot, lines, own, pool);
    } else if (!path && c->x_name != NULL) {
        plot.x_name = c->x_name;
    }
    if (is_map(c, p)) {
        add_outlines(c, &plot, lines);
    }
    if (!path) {
        add_bounds(c, p->columns.data, p->columns.len, &plot, lines, pool);
    }
    if (!path && own == NULL) {
        add_dots(c, p->columns.data, &plot, lines);
    }
    return plot;
}

static dd_plot plot_of(const dd_curves *c, const dd_panel *p, dd_pool *pool)
{
    return p->kind == DD_PANEL_LINES ? dd_panel_plot(c, p, pool) : dd_panel_profile(c, p, pool);
}

typedef DD_VEC(dd_plot) plot_vec;

/* Without requests: the first columns, arrays as wholes. */
static void add_default_panels(const dd_curves *c, plot_vec *plots, dd_pool *pool)
{
    for (uint32_t j = 0; j + 1 < c->table->width && plots->len < DEFAULT_PANELS;) {
        dd_panel p = {.kind = DD_PANEL_LINES};
        /* all elements of an array in one panel */
        const uint32_t array = c->columns[j].array;
        for (; j + 1 < c->table->width && c->columns[j].array == array; j++) {
            if (p.columns.len < DD_PLOT_COLOURS) {
                dd_vec_push(pool, &p.columns, j);
            }
        }
        dd_vec_push(pool, plots, dd_panel_plot(c, &p, pool));
    }
}

void dd_panels_picture(dd_text *out, const dd_curves *c, const char *title, const char *subtitle,
                       const char *const *requests, uint32_t count, dd_pool *pool)
{
    plot_vec plots = {0};
    /* a request per panel */
    for (uint32_t i = 0; i < count; i++) {
        const dd_panel p = dd_panel_read(c, requests[i], pool);
        dd_vec_push(pool, &plots, plot_of(c, &p, pool));
    }
    if (count == 0) {
        add_default_panels(c, &plots, pool);
    }
    dd_plot_picture(out, title, subtitle, plots.data, plots.len);
}

/* The figure of a request: its caption, else its names. */
static dd_page_figure figure_of(const dd_curves *c, const char *request, dd_pool *pool)
{
    const dd_panel p = dd_panel_read(c, request, pool);
    const bool one = p.columns.len == 1;
    dd_page_figure f = {.title = p.caption != NULL ? p.caption
                                 : one             ? name_of(c, p.columns.data[0])
                                                   : request,
                        .doc = p.caption == NULL && one ? c->columns[p.columns.data[0]].doc : "",
                        .unit = p.caption != NULL && strchr(p.caption, '[') != NULL ? "" : common_unit(c, &p),
                        .note = "",
                        .plot = plot_of(c, &p, pool)};
    f.plot.caption = NULL;
    return f;
}

void dd_panels_figures(const dd_curves *c, const char *const *requests, uint32_t count, dd_figure_vec *out,
                       dd_pool *pool)
{
    for (uint32_t i = 0; i < count; i++) {
        dd_page_figure f = figure_of(c, requests[i], pool);
        f.heading = i == 0 ? "Shown" : NULL;
        dd_vec_push(pool, out, f);
    }
}

void dd_panels_page(dd_page_writer *page, const dd_curves *c, const char *const *requests, uint32_t count,
                    uint32_t most, dd_pool *pool)
{
    if (count == 0) {
        dd_choice_page(page, c, most, pool);
        return;
    }
    dd_page_section(page, "Shown");
    for (uint32_t i = 0; i < count; i++) {
        const dd_page_figure f = figure_of(c, requests[i], pool);
        dd_page_add_figure(page, &f);
    }
}

void dd_panels_check(const dd_curves *c, const char *const *requests, uint32_t count, dd_pool *pool)
{
    for (uint32_t i = 0; i < count; i++) {
        dd_panel_read(c, requests[i], pool);
    }
}

bool *dd_panels_chosen(const dd_curves *c, const char *const *requests, uint32_t count, dd_pool *pool)
{
    bool *chosen = dd_pool_alloc_array(pool, c->table->width, sizeof *chosen);
    for (uint32_t i = 0; i + 1 < c->table->width; i++) {
        chosen[i] = count == 0;
    }
    for (uint32_t i = 0; i < count; i++) {
        const dd_panel p = dd_panel_read(c, requests[i], pool);
        for (uint32_t k = 0; k < p.columns.len; k++) {
            chosen[p.columns.data[k]] = true;
        }
        for (uint32_t k = 0; k < p.over.len; k++) {
            chosen[p.over.data[k]] = true;
        }
    }
    return chosen;
}

bool dd_curves_map(const dd_curves *c, dd_page_figure *figure, dd_pool *pool)
{
    dd_panel p = {.kind = DD_PANEL_LINES};
    const char *const wanted[] = {c->map.y, c->map.x};
    uint32_t found[] = {DD_NO_COLUMN, DD_NO_COLUMN};
    for (uint32_t i = 0; c->map.x != NULL && i + 1 < c->table->width; i++) {
        for (int k = 0; k < 2; k++) {
            found[k] = strcmp(name_of(c, i), wanted[k]) == 0 ? i : found[k];
        }
    }
    if (found[0] == DD_NO_COLUMN || found[1] == DD_NO_COLUMN) {
        return false;
    }
    dd_vec_push(pool, &p.columns, found[0]);
    dd_vec_push(pool, &p.over, found[1]);
    *figure = (dd_page_figure){.title = dd_pool_printf(pool, "%s over %s", wanted[0], wanted[1]),
                               .doc = "",
                               .unit = common_unit(c, &p),
                               .note = "",
                               .plot = dd_panel_plot(c, &p, pool)};
    figure->plot.caption = NULL;
    return true;
}

/* ---- figures ---- */

static dd_plot figure_plot(const dd_curves *c, uint32_t column, uint32_t count, uint32_t shown, dd_pool *pool)
{
    dd_plot_line *lines = dd_pool_alloc_array(pool, (size_t)shown + c->n_dots, sizeof *lines);
    uint32_t *columns = dd_pool_alloc_array(pool, shown, sizeof *columns);
    for (uint32_t i = 0; i < shown; i++) {
        /* evenly, first and last among them */
        const uint32_t j = column + (shown == count ? i : (uint32_t)((uint64_t)i * (count - 1) / (shown - 1)));
        columns[i] = j;
        lines[i] = (dd_plot_line){.name = name_of(c, j), .y = c->table->data + 1 + j};
    }
    /* a plot over time with marks and bounds */
    dd_plot plot = {.x = c->table->data,
                    .count = c->table->count,
                    .stride = c->table->width,
                    .lines = lines,
                    .n_lines = shown,
                    .x_name = "time",
                    .marks = c->marks,
                    .n_marks = c->n_marks,
                    .x_end = c->x_end};
    add_bounds(c, columns, shown, &plot, lines, pool);
    if (c->columns[column].length > 0) {
        use_own_time(&plot, lines, &c->columns[column], pool);
    } else if (c->x_name != NULL) {
        plot.x_name = c->x_name;
    } else {
        add_dots(c, columns, &plot, lines);
    }
    return plot;
}

uint32_t dd_curves_figures(const dd_curves *c, uint32_t first, uint32_t end, const char *heading, uint32_t most,
                           dd_figure_vec *out, dd_pool *pool)
{
    uint32_t left_out = 0, count;
    for (uint32_t j = first; j < end; j += count) {
        /* elements of one array are neighbours; it is drawn as a whole where one of them is wanted */
        bool wanted = c->left_out == NULL || !c->left_out[j];
        for (count = 1; j + count < end && c->columns[j + count].array == c->columns[j].array; count++) {
            wanted = wanted || !c->left_out[j + count];
        }
        if (out->len >= most || !wanted) {
            left_out += wanted ? count : 0; /* the others are in the tables of dd_curves_leave_out */
            continue;
        }
        /* no more lines than colours */
        const uint32_t shown = count <= DD_PLOT_COLOURS ? count : DD_PLOT_COLOURS;
        dd_page_figure f = {.heading = heading,
                            .title = count == 1 ? name_of(c, j) : c->columns[j].title,
                            .doc = c->columns[j].doc,
                            .unit = c->table->columns[j].unit,
                            .note = shown < count ? dd_pool_printf(pool, "%u of %u shown", shown, count) : "",
                            .plot = figure_plot(c, j, count, shown, pool)};
        dd_vec_push(pool, out, f);
        heading = NULL; /* of the first one */
    }
    return left_out;
}
