/* panel.c - reads requests, makes plots of them; figures of whole arrays. */
#include "report/panel.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

enum { MOST_LINES = 3 * DD_PLOT_COLOURS, DEFAULT_PANELS = 6 };
#define DD_NO_INDEX UINT32_MAX

typedef struct plot_work {
    const dd_curves *c;
    dd_pool *pool;
    DD_VEC(dd_plot) plots;
} plot_work;

typedef struct panel {
    DD_VEC(uint32_t) columns;
    const char *caption; /* NULL: none given */
    uint32_t over;       /* DD_NO_INDEX: time */
    const char *x_name;
} panel;

static const char *name_of(const dd_curves *c, uint32_t column)
{
    return c->table->columns[column].name;
}

/* ---- words ---- */

static char *trimmed(dd_pool *pool, const char *begin, const char *end)
{
    while (begin < end && isspace((unsigned char)*begin)) {
        begin++;
    }
    while (end > begin && isspace((unsigned char)end[-1])) {
        end--;
    }
    return dd_pool_strndup(pool, begin, (size_t)(end - begin));
}

/* The first of `wanted` outside of brackets and quotes; the end of the text when there is none. */
static const char *find_outside(const char *text, char wanted)
{
    int depth = 0;
    bool quoted = false;
    for (; *text; text++) {
        /* a quote toggles; brackets count only outside of quotes */
        quoted = quoted != (*text == '\'');
        depth += quoted ? 0 : (*text == '[') - (*text == ']');
        if (!quoted && depth == 0 && *text == wanted) {
            return text;
        }
    }
    return text;
}

/* Does the pattern name this variable, or an array that it is an element of? */
static bool matches(const char *pattern, const char *name)
{
    while (*pattern && *name) {
        /* a colon matches any number */
        if (*pattern == ':' && isdigit((unsigned char)*name)) {
            while (isdigit((unsigned char)*name)) {
                name++;
            }
            pattern++;
        } else if (*pattern++ != *name++) {
            return false;
        }
    }
    /* an element of the array that was named */
    const char *end = *name == '[' ? strchr(name, ']') : NULL;
    return *pattern == '\0' && (*name == '\0' || (end && end[1] == '\0'));
}

/* ---- requests ---- */

static _Noreturn void no_such_name(plot_work *w, const char *name)
{
    const uint32_t count = w->c->table->width - 1;
    const char **names = dd_pool_alloc_array(w->pool, count + 1, sizeof *names);
    for (uint32_t i = 0; i < count; i++) {
        names[i] = name_of(w->c, i);
    }
    /* the message names the closest variable */
    const char *near = dd_closest_name(name, names, count);
    dd_raise(dd_pool_context(w->pool), DD_INVALID_ARGUMENT, "there is no variable \"%s\" to plot%s%s%s", name,
             near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
}

static void add_columns(plot_work *w, panel *p, const char *name)
{
    /* all columns that match; no match is an error of the request */
    const uint32_t before = p->columns.len;
    for (uint32_t i = 0; i + 1 < w->c->table->width; i++) {
        if (matches(name, name_of(w->c, i))) {
            dd_vec_push(w->pool, &p->columns, i);
        }
    }
    if (p->columns.len == before) {
        no_such_name(w, name);
    }
    if (p->columns.len > MOST_LINES) {
        dd_raise(dd_pool_context(w->pool), DD_INVALID_ARGUMENT, "\"%s\" would draw more than %d lines in one plot",
                 name, (int)MOST_LINES);
    }
}

static const char *unit_of(const dd_curves *c, uint32_t column)
{
    const char *unit = c->table->columns[column].unit;
    return strcmp(unit, "1") == 0 ? "" : unit;
}

static const char *with_unit(dd_pool *pool, const char *name, const char *unit)
{
    return unit[0] ? dd_pool_printf(pool, "%s [%s]", name, unit) : name;
}

static void read_over(plot_work *w, panel *p, const char *text)
{
    panel other = {0};
    /* "over time [h]" only changes the label */
    if (strcmp(text, "time") == 0 || strncmp(text, "time ", 5) == 0) {
        p->x_name = text;
        return;
    }
    add_columns(w, &other, text);
    if (other.columns.len > 1) {
        dd_raise(dd_pool_context(w->pool), DD_INVALID_ARGUMENT, "over %s: one variable is needed, not %u", text,
                 other.columns.len);
    }
    p->over = other.columns.data[0];
    p->x_name = with_unit(w->pool, name_of(w->c, p->over), unit_of(w->c, p->over));
}

static panel read_panel(plot_work *w, const char *text)
{
    panel p = {.over = DD_NO_INDEX, .x_name = "time [s]"};
    /* caption, names, over: in this order */
    const char *colon = find_outside(text, ':');
    if (*colon) {
        p.caption = trimmed(w->pool, text, colon);
        text = colon + 1;
    }
    const char *names_end = strstr(text, " over ");
    if (names_end) {
        read_over(w, &p, trimmed(w->pool, names_end + 6, text + strlen(text)));
    }
    char *names = trimmed(w->pool, text, names_end ? names_end : text + strlen(text));
    /* names separated by commas outside of brackets */
    for (const char *at = names;;) {
        const char *comma = find_outside(at, ',');
        add_columns(w, &p, trimmed(w->pool, at, comma));
        if (!*comma) {
            return p;
        }
        at = comma + 1;
    }
}

/* ---- plots ---- */

/* The unit of all lines; "" when they differ. */
static const char *common_unit(const dd_curves *c, const panel *p)
{
    /* one unit for the axis, or each line with its own */
    const char *unit = unit_of(c, p->columns.data[0]);
    for (uint32_t i = 1; i < p->columns.len; i++) {
        unit = strcmp(unit, unit_of(c, p->columns.data[i])) == 0 ? unit : "";
    }
    return unit;
}

static const char *caption_of(plot_work *w, const panel *p, const char *unit)
{
    const bool one = p->columns.len == 1;
    const char *doc = p->caption ? p->caption : one ? w->c->columns[p->columns.data[0]].doc : "";
    if (one && (!p->caption || p->over != DD_NO_INDEX)) { /* no legend: the name is here */
        const char *name = with_unit(w->pool, name_of(w->c, p->columns.data[0]), unit);
        return doc[0] ? dd_pool_printf(w->pool, "%s \xC2\xB7 %s", name, doc) : name;
    }
    return doc[0]    ? with_unit(w->pool, doc, strchr(doc, '[') ? "" : unit)
           : unit[0] ? dd_pool_printf(w->pool, "[%s]", unit)
                     : "";
}

/* A shape in space keeps its proportions: both axes are of one unit, or of one array. */
static bool same_scale(const dd_curves *c, const panel *p, const char *unit)
{
    if (p->over == DD_NO_INDEX) {
        return false;
    }
    /* axes of one array, or of one unit, are shown in the same scale */
    bool one_array = true;
    for (uint32_t i = 0; i < p->columns.len; i++) {
        one_array = one_array && c->columns[p->columns.data[i]].array == c->columns[p->over].array;
    }
    return one_array || (unit[0] && strcmp(unit, unit_of(c, p->over)) == 0);
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

/* The curve whose time all of a panel have; NULL: that of the rows. */
static const dd_curve *common_time(const dd_curves *c, const panel *p)
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

static void add_plot(plot_work *w, const panel *p)
{
    const dd_curves *c = w->c;
    const char *unit = common_unit(c, p);
    dd_plot_line *lines = dd_pool_alloc_array(w->pool, p->columns.len, sizeof *lines);
    /* the legend names units where they differ */
    for (uint32_t i = 0; i < p->columns.len; i++) {
        const char *own = unit[0] ? "" : unit_of(c, p->columns.data[i]);
        lines[i].name = with_unit(w->pool, name_of(c, p->columns.data[i]), own);
        lines[i].y = c->table->data + 1 + p->columns.data[i];
    }
    /* over another variable: a path, without marks of time */
    const bool path = p->over != DD_NO_INDEX;
    dd_plot plot = {.x = path ? c->table->data + 1 + p->over : c->table->data,
                    .count = c->table->count,
                    .stride = c->table->width,
                    .lines = lines,
                    .n_lines = p->columns.len,
                    .x_name = p->x_name,
                    .marks = c->marks,
                    .n_marks = path ? 0 : c->n_marks,
                    .x_end = c->x_end,
                    .caption = caption_of(w, p, unit),
                    .path = path,
                    .equal = same_scale(c, p, unit)};
    /* phases have their own length of time */
    const dd_curve *own = path || p->columns.len == 0 ? NULL : common_time(c, p);
    if (own != NULL) {
        use_own_time(&plot, lines, own, w->pool);
    } else if (!path && c->x_name != NULL) {
        plot.x_name = c->x_name;
    }
    dd_vec_push(w->pool, &w->plots, plot);
}

/* Without requests: the first columns, arrays as wholes. */
static void add_default_panels(plot_work *w)
{
    const dd_curves *c = w->c;
    for (uint32_t j = 0; j + 1 < c->table->width && w->plots.len < DEFAULT_PANELS;) {
        panel p = {.over = DD_NO_INDEX, .x_name = "time [s]"};
        /* all elements of an array in one panel */
        const uint32_t array = c->columns[j].array;
        for (; j + 1 < c->table->width && c->columns[j].array == array; j++) {
            if (p.columns.len < DD_PLOT_COLOURS) {
                dd_vec_push(w->pool, &p.columns, j);
            }
        }
        add_plot(w, &p);
    }
}

void dd_panels_picture(dd_text *out, const dd_curves *c, const char *title, const char *subtitle,
                       const char *const *requests, uint32_t count, dd_pool *pool)
{
    plot_work w = {.c = c, .pool = pool};
    /* a request per panel */
    for (uint32_t i = 0; i < count; i++) {
        const panel p = read_panel(&w, requests[i]);
        add_plot(&w, &p);
    }
    if (count == 0) {
        add_default_panels(&w);
    }
    dd_plot_picture(out, title, subtitle, w.plots.data, w.plots.len);
}

void dd_panels_check(const dd_curves *c, const char *const *requests, uint32_t count, dd_pool *pool)
{
    plot_work w = {.c = c, .pool = pool};
    for (uint32_t i = 0; i < count; i++) {
        read_panel(&w, requests[i]);
    }
}

/* ---- figures ---- */

static dd_plot figure_plot(const dd_curves *c, uint32_t column, uint32_t count, uint32_t shown, dd_pool *pool)
{
    dd_plot_line *lines = dd_pool_alloc_array(pool, shown, sizeof *lines);
    double *levels = dd_pool_alloc_array(pool, 2 * (size_t)shown, sizeof *levels);
    uint32_t n_levels = 0;
    /* elements shown and the bounds to draw, each level once */
    for (uint32_t i = 0; i < shown; i++) {
        /* evenly, first and last among them */
        const uint32_t j = column + (shown == count ? i : (uint32_t)((uint64_t)i * (count - 1) / (shown - 1)));
        const double bounds[] = {c->columns[j].lower, c->columns[j].upper};
        lines[i].name = name_of(c, j);
        lines[i].y = c->table->data + 1 + j;
        /* infinite or already there: the place is used again */
        for (int k = 0; k < 2; k++) {
            bool known = !isfinite(bounds[k]);
            for (uint32_t l = 0; l < n_levels; l++) {
                known = known || levels[l] == bounds[k];
            }
            levels[n_levels] = bounds[k];
            n_levels += known ? 0 : 1;
        }
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
                    .levels = levels,
                    .n_levels = n_levels,
                    .x_end = c->x_end};
    if (c->columns[column].length > 0) {
        use_own_time(&plot, lines, &c->columns[column], pool);
    } else if (c->x_name != NULL) {
        plot.x_name = c->x_name;
    }
    return plot;
}

uint32_t dd_curves_figures(const dd_curves *c, uint32_t first, uint32_t end, const char *heading, uint32_t most,
                           dd_figure_vec *out, dd_pool *pool)
{
    uint32_t left_out = 0, count;
    for (uint32_t j = first; j < end; j += count) {
        /* elements of one array are neighbours */
        count = 1;
        while (j + count < end && c->columns[j + count].array == c->columns[j].array) {
            count++;
        }
        if (out->len >= most) {
            left_out += count;
            continue;
        }
        /* no more lines than colours */
        const uint32_t shown = count <= DD_PLOT_COLOURS ? count : DD_PLOT_COLOURS;
        dd_page_figure f = {.heading = j == first ? heading : NULL,
                            .title = count == 1 ? name_of(c, j) : c->columns[j].title,
                            .doc = c->columns[j].doc,
                            .unit = c->table->columns[j].unit,
                            .note = shown < count ? dd_pool_printf(pool, "%u of %u shown", shown, count) : "",
                            .plot = figure_plot(c, j, count, shown, pool)};
        dd_vec_push(pool, out, f);
    }
    return left_out;
}
