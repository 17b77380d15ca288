/* sim_plot.c - a picture of chosen variables: one SVG file, a panel for each request.
 *
 * A request is "[CAPTION:] NAME, NAME ... [over NAME]". A name stands for a variable or for all elements of an array;
 * ':' in brackets stands for every index (cell[:].T). "over time [h]" gives the time axis another label. */
#include <ctype.h>
#include <string.h>

#include "base/file.h"
#include "report/plot.h"
#include "sim/sim_impl.h"

enum { MOST_LINES = 3 * DD_PLOT_COLOURS, DEFAULT_PANELS = 6 };

typedef struct plot_work {
    dd_sim *sim;
    dd_pool *pool;
    dd_rows rows;
    DD_VEC(dd_plot) plots;
} plot_work;

typedef struct panel {
    DD_VEC(uint32_t) columns;
    const char *caption; /* NULL: none given */
    uint32_t over;       /* DD_NO_INDEX: time */
    const char *x_name;
} panel;

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
        if (*pattern == ':' && isdigit((unsigned char)*name)) {
            while (isdigit((unsigned char)*name)) {
                name++;
            }
            pattern++;
        } else if (*pattern++ != *name++) {
            return false;
        }
    }
    const char *end = *name == '[' ? strchr(name, ']') : NULL;
    return *pattern == '\0' && (*name == '\0' || (end && end[1] == '\0'));
}

/* ---- requests ---- */

static _Noreturn void no_such_name(plot_work *w, const char *name)
{
    const uint32_t count = dd_sim_variable_count(w->sim);
    const char **names = dd_pool_alloc_array(w->pool, count + 1, sizeof *names);
    for (uint32_t i = 0; i < count; i++) {
        names[i] = dd_sim_variable_name(w->sim, i);
    }
    const char *near = dd_closest_name(name, names, count);
    dd_raise(w->sim->ctx, DD_INVALID_ARGUMENT, "there is no variable \"%s\" to plot%s%s%s", name,
             near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
}

static void add_columns(plot_work *w, panel *p, const char *name)
{
    const uint32_t before = p->columns.len;
    for (uint32_t i = 0; i < dd_sim_variable_count(w->sim); i++) {
        if (matches(name, dd_sim_variable_name(w->sim, i))) {
            dd_vec_push(w->pool, &p->columns, i);
        }
    }
    if (p->columns.len == before) {
        no_such_name(w, name);
    }
    if (p->columns.len > MOST_LINES) {
        dd_raise(w->sim->ctx, DD_INVALID_ARGUMENT, "\"%s\" makes more than %d lines in one plot", name,
                 (int)MOST_LINES);
    }
}

static const dd_array *array_of(const dd_sim *sim, uint32_t column)
{
    const dd_model *m = sim->system->model;
    return &m->arrays.data[m->vars.data[sim->system->unknown[column]].array];
}

static const char *unit_of(const dd_sim *sim, uint32_t column)
{
    const char *unit = array_of(sim, column)->unit;
    return strcmp(unit, "1") == 0 ? "" : unit;
}

static const char *with_unit(dd_pool *pool, const char *name, const char *unit)
{
    return unit[0] ? dd_pool_printf(pool, "%s [%s]", name, unit) : name;
}

static void read_over(plot_work *w, panel *p, const char *text)
{
    panel other = {0};
    if (strcmp(text, "time") == 0 || strncmp(text, "time ", 5) == 0) {
        p->x_name = text;
        return;
    }
    add_columns(w, &other, text);
    if (other.columns.len > 1) {
        dd_raise(w->sim->ctx, DD_INVALID_ARGUMENT, "over %s: one variable is needed, not %u", text, other.columns.len);
    }
    p->over = other.columns.data[0];
    p->x_name = with_unit(w->pool, dd_sim_variable_name(w->sim, p->over), unit_of(w->sim, p->over));
}

static panel read_panel(plot_work *w, const char *text)
{
    panel p = {.over = DD_NO_INDEX, .x_name = "time [s]"};
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
static const char *common_unit(const dd_sim *sim, const panel *p)
{
    const char *unit = unit_of(sim, p->columns.data[0]);
    for (uint32_t i = 1; i < p->columns.len; i++) {
        unit = strcmp(unit, unit_of(sim, p->columns.data[i])) == 0 ? unit : "";
    }
    return unit;
}

static const char *caption_of(plot_work *w, const panel *p, const char *unit)
{
    const bool one = p->columns.len == 1;
    const char *doc = p->caption ? p->caption : one ? array_of(w->sim, p->columns.data[0])->doc : "";
    if (one && (!p->caption || p->over != DD_NO_INDEX)) { /* no legend: the name stands here */
        const char *name = with_unit(w->pool, dd_sim_variable_name(w->sim, p->columns.data[0]), unit);
        return doc[0] ? dd_pool_printf(w->pool, "%s \xC2\xB7 %s", name, doc) : name;
    }
    return doc[0]    ? with_unit(w->pool, doc, strchr(doc, '[') ? "" : unit)
           : unit[0] ? dd_pool_printf(w->pool, "[%s]", unit)
                     : "";
}

/* A shape in space keeps its proportions: both axes are of one unit, or of one array. */
static bool same_scale(const dd_sim *sim, const panel *p, const char *unit)
{
    if (p->over == DD_NO_INDEX) {
        return false;
    }
    bool one_array = true;
    for (uint32_t i = 0; i < p->columns.len; i++) {
        one_array = one_array && array_of(sim, p->columns.data[i]) == array_of(sim, p->over);
    }
    return one_array || (unit[0] && strcmp(unit, unit_of(sim, p->over)) == 0);
}

static void add_plot(plot_work *w, const panel *p)
{
    const dd_sim *sim = w->sim;
    const char *unit = common_unit(sim, p);
    dd_plot_line *lines = dd_pool_alloc_array(w->pool, p->columns.len, sizeof *lines);
    for (uint32_t i = 0; i < p->columns.len; i++) {
        const char *own = unit[0] ? "" : unit_of(sim, p->columns.data[i]);
        lines[i].name = with_unit(w->pool, dd_sim_variable_name(sim, p->columns.data[i]), own);
        lines[i].y = w->rows.data + 1 + p->columns.data[i];
    }
    const bool path = p->over != DD_NO_INDEX;
    dd_plot plot = {.x = path ? w->rows.data + 1 + p->over : w->rows.data,
                    .count = w->rows.count,
                    .stride = w->rows.width,
                    .lines = lines,
                    .n_lines = p->columns.len,
                    .x_name = p->x_name,
                    .marks = sim->event_times.data,
                    .n_marks = path ? 0 : sim->event_times.len,
                    .x_end = sim->t_stop,
                    .caption = caption_of(w, p, unit),
                    .path = path,
                    .equal = same_scale(sim, p, unit)};
    dd_vec_push(w->pool, &w->plots, plot);
}

/* Without requests: the first declared variables, arrays as wholes. */
static void add_default_panels(plot_work *w)
{
    const dd_system *s = w->sim->system;
    const dd_variable *vars = s->model->vars.data;
    for (uint32_t j = 0; j < s->declared && w->plots.len < DEFAULT_PANELS;) {
        panel p = {.over = DD_NO_INDEX, .x_name = "time [s]"};
        const uint32_t array = vars[s->unknown[j]].array;
        for (; j < s->declared && vars[s->unknown[j]].array == array; j++) {
            if (p.columns.len < DD_PLOT_COLOURS) {
                dd_vec_push(w->pool, &p.columns, j);
            }
        }
        add_plot(w, &p);
    }
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
    plot_work w = {.sim = call->sim, .pool = call->pool};
    if (call->path) {
        w.rows = dd_sim_all_points(call->sim, call->pool);
    }
    for (uint32_t i = 0; i < call->n_requests; i++) {
        panel p = read_panel(&w, call->requests[i]);
        if (call->path) {
            add_plot(&w, &p);
        }
    }
    if (!call->path) {
        return;
    }
    if (call->n_requests == 0) {
        add_default_panels(&w);
    }
    call->text = dd_text_new(call->pool);
    dd_plot_picture(&call->text, m->name, m->doc ? m->doc : "", w.plots.data, w.plots.len);
    call->sim->plotted = dd_pool_strdup(call->sim->pool, call->path);
}

static dd_status run_call(plot_call *call)
{
    call->pool = dd_pool_new(call->sim->ctx);
    if (!call->pool) {
        return dd_fail(call->sim->ctx, DD_OUT_OF_MEMORY, "memory ran out");
    }
    dd_status st = dd_protect(call->sim->ctx, plot_body, call);
    if (st == DD_OK && call->path) {
        st = dd_file_write(call->sim->ctx, call->path, dd_text_str(&call->text), call->text.len);
    }
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
