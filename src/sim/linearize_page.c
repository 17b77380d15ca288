/* linearize_page.c - linear systems as a page: eigenvalues in the complex plane and over time, the matrices, the point.
 * Both forms, in states and as written (the pencil), are points of the same kind here. */
#include <math.h>

#include "report/written.h"
#include "sim/linearize_impl.h"

enum { MOST_SHOWN = 12 }; /* rows and columns of a matrix that a page shows */

/* What a page needs to know of a linear system. */
typedef struct point {
    dd_sim_status status;
    const char *reason;
    double t;
    uint32_t n_eigen;
    const double *re, *im;
} point;

typedef struct page_work {
    const point *points; /* in the order of their times */
    uint32_t count;      /* of those that are ok */
    dd_pool *pool;
    dd_page_writer *page;
} page_work;

static const char *number_text(page_work *w, double value)
{
    return dd_pool_printf(w->pool, "%.5g", value);
}

/* ---- eigenvalues ---- */

/* Parts that are only rounding, beside the largest eigenvalue, are shown as 0: a point on the imaginary axis is on it. */
static const double *rounded(const double *part, const double *other, uint32_t n, dd_pool *pool)
{
    static const double ROUNDING = 1e-12;
    double *out = dd_pool_alloc_array(pool, (size_t)n + 1, sizeof *out), size = 0;
    for (uint32_t k = 0; k < n; k++) {
        size = fmax(size, hypot(part[k], other[k]));
    }
    for (uint32_t k = 0; k < n; k++) {
        out[k] = fabs(part[k]) > ROUNDING * size ? part[k] : 0;
    }
    return out;
}

static void set_eigenvalues(point *p, const double *re, const double *im, uint32_t n, dd_pool *pool)
{
    p->n_eigen = n;
    p->re = rounded(re, im, n, pool);
    p->im = rounded(im, re, n, pool);
}

/* Those of the points from first to last, together. */
static dd_plot_line eigen_line(page_work *w, uint32_t first, uint32_t last, const char *name)
{
    double *x, *y;
    uint64_t n = 0;
    for (uint32_t i = first; i <= last; i++) {
        n += w->points[i].n_eigen;
    }
    x = dd_pool_alloc_array(w->pool, n + 1, sizeof *x);
    y = dd_pool_alloc_array(w->pool, n + 1, sizeof *y);
    n = 0;
    for (uint32_t i = first; i <= last; i++) {
        for (uint32_t k = 0; k < w->points[i].n_eigen; k++, n++) {
            x[n] = w->points[i].re[k];
            y[n] = w->points[i].im[k];
        }
    }
    return (dd_plot_line){.name = name, .x = x, .y = y, .count = n, .style = DD_LINE_POINTS};
}

/* A line per time as far as they can be told apart; of more the first, the last, and all between. */
static uint32_t add_times(page_work *w, dd_plot_line *lines)
{
    const uint32_t last = w->count - 1;
    if (w->count == 1) {
        lines[0] = eigen_line(w, 0, 0, "eigenvalues");
        return 1;
    }
    if (w->count < DD_PLOT_COLOURS) {
        for (uint32_t i = 0; i < w->count; i++) {
            lines[i] = eigen_line(w, i, i, dd_pool_printf(w->pool, "time %.5g", w->points[i].t));
        }
        return w->count;
    }
    lines[0] = eigen_line(w, 0, 0, dd_pool_printf(w->pool, "time %.5g", w->points[0].t));
    lines[1] = eigen_line(w, last, last, dd_pool_printf(w->pool, "time %.5g", w->points[last].t));
    lines[2] = eigen_line(w, 1, last - 1, "between");
    return 3;
}

static void add_plane(page_work *w, const char *title)
{
    dd_plot_line *lines = dd_pool_alloc_array(w->pool, DD_PLOT_COLOURS + 1, sizeof *lines);
    double *zero = dd_pool_alloc_array(w->pool, 2, sizeof *zero),
           *height = dd_pool_alloc_array(w->pool, 2, sizeof *height);
    double size = 0;
    /* the axis is as high as the highest eigenvalue; beside real ones alone, a fifth of their size */
    for (uint32_t i = 0; i < w->count; i++) {
        const point *p = &w->points[i];
        for (uint32_t k = 0; k < p->n_eigen; k++) {
            size = fmax(size, p->im[k] != 0 ? fabs(p->im[k]) : 0.2 * fabs(p->re[k]));
        }
    }
    zero[0] = zero[1] = 0;
    height[0] = -size;
    height[1] = size;
    const uint32_t n = add_times(w, lines);
    lines[n] = (dd_plot_line){.name = "imaginary axis",
                              .y = height,
                              .x = zero,
                              .count = 2,
                              .style = DD_LINE_DASHED,
                              .colour = DD_PLOT_COLOURS};
    const dd_page_figure f = {.title = title,
                              .doc = "in the complex plane; left of the dashed line they decay",
                              .unit = "",
                              .note = "",
                              .plot = {.x = lines[0].x,
                                       .count = lines[0].count,
                                       .stride = 1,
                                       .lines = lines,
                                       .n_lines = n + 1,
                                       .x_name = "real part",
                                       .path = true}};
    dd_page_add_figure(w->page, &f);
}

/* Real parts, or imaginary ones, at all times: dots, since nothing says which eigenvalue continues which. */
static void add_over_time(page_work *w, bool real)
{
    static const double zero = 0;
    dd_plot_line *line = dd_pool_alloc(w->pool, sizeof *line);
    *line = eigen_line(w, 0, w->count - 1, real ? "real parts" : "imaginary parts");
    double *t = dd_pool_alloc_array(w->pool, line->count + 1, sizeof *t);
    uint64_t n = 0;
    /* one dot per eigenvalue, at the time of its point */
    for (uint32_t i = 0; i < w->count; i++) {
        for (uint32_t k = 0; k < w->points[i].n_eigen; k++) {
            t[n++] = w->points[i].t;
        }
    }
    line->y = real ? line->x : line->y;
    line->x = t;
    const dd_page_figure f = {.title = line->name,
                              .doc = "of the eigenvalues along the solution",
                              .unit = "",
                              .note = "",
                              .plot = {.x = t,
                                       .count = n,
                                       .stride = 1,
                                       .lines = line,
                                       .n_lines = 1,
                                       .levels = &zero,
                                       .n_levels = real ? 1 : 0,
                                       .x_name = "time"}};
    dd_page_add_figure(w->page, &f);
}

/* What an eigenvalue means: how fast, how often, how damped. */
static void add_list(page_work *w)
{
    static const char *const headings[] = {"eigenvalue", "time constant [s]", "frequency [Hz]", "damping"};
    enum { COLUMNS = sizeof headings / sizeof *headings, MOST = 60 };
    const point *p = &w->points[w->count - 1];
    const uint32_t n = p->n_eigen < MOST ? p->n_eigen : MOST;
    const char **cells = dd_pool_alloc_array(w->pool, (size_t)n * COLUMNS + 1, sizeof *cells);
    for (uint32_t k = 0; k < n; k++) {
        const double re = p->re[k], im = p->im[k], size = hypot(re, im);
        const char **row = cells + (size_t)k * COLUMNS;
        row[0] = im == 0 ? number_text(w, re)
                         : dd_pool_printf(w->pool, "%.5g %s %.5gi", re, im < 0 ? "\xE2\x88\x92" : "+", fabs(im));
        row[1] = re != 0 ? number_text(w, 1 / fabs(re)) : "";
        row[2] = im != 0 ? number_text(w, fabs(im) / (2 * M_PI)) : "";
        row[3] = im != 0 && size > 0 ? number_text(w, re != 0 ? -re / size : 0) : "";
    }
    const char *note = n < p->n_eigen ? dd_pool_printf(w->pool, "and %u more", p->n_eigen - n) : "";
    const char *title = w->count > 1 ? dd_pool_printf(w->pool, "Eigenvalues at time %.10g", p->t) : "Eigenvalues";
    dd_page_add_grid(w->page, &(dd_page_grid){title, note, headings, cells, COLUMNS, n, 0});
}

/* ---- matrices ---- */

typedef struct matrix {
    const char *title;
    const double *values; /* row by row */
    uint32_t n_rows, n_columns;
    const char *const *row, *const *column; /* names */
} matrix;

static void add_matrix(page_work *w, const matrix *m)
{
    const uint32_t rows = m->n_rows < MOST_SHOWN ? m->n_rows : MOST_SHOWN;
    const uint32_t columns = m->n_columns < MOST_SHOWN ? m->n_columns : MOST_SHOWN, width = columns + 1;
    if (rows == 0 || columns == 0) {
        return;
    }
    const char **headings = dd_pool_alloc_array(w->pool, width, sizeof *headings);
    const char **cells = dd_pool_alloc_array(w->pool, (size_t)rows * width, sizeof *cells);
    headings[0] = "";
    for (uint32_t j = 0; j < columns; j++) {
        headings[1 + j] = m->column[j];
    }
    for (uint32_t i = 0; i < rows; i++) {
        cells[(size_t)i * width] = m->row[i];
        for (uint32_t j = 0; j < columns; j++) {
            cells[(size_t)i * width + 1 + j] = number_text(w, m->values[(size_t)i * m->n_columns + j]);
        }
    }
    const char *note =
        rows < m->n_rows || columns < m->n_columns
            ? dd_pool_printf(w->pool, "of %u rows and %u columns; the JSON has all", m->n_rows, m->n_columns)
            : "";
    dd_page_add_grid(w->page, &(dd_page_grid){m->title, note, headings, cells, width, rows, 1});
}

static void add_values(page_work *w, const char *const *names, const double *values, uint32_t n, const char *title)
{
    DD_VEC(dd_page_row) rows = {0};
    for (uint32_t k = 0; k < n && k < MOST_SHOWN; k++) {
        dd_vec_push(w->pool, &rows, ((dd_page_row){names[k], number_text(w, values[k])}));
    }
    const char *note = n > MOST_SHOWN ? "the first of them; the JSON has all" : "";
    dd_page_add_table(w->page, &(dd_page_table){title, note, rows.data, rows.len});
}

/* ---- all together ---- */

/* Begins the page; the eigenvalues of all points come first. subtitle: of the sizes, behind the times. */
static void begin_page(page_work *w, const dd_model *m, const char *sizes, const char *eigenvalues)
{
    const uint32_t all = w->count;
    while (w->count > 0 && w->points[w->count - 1].status != DD_SIM_OK) {
        w->count--;
    }
    const point *last = &w->points[all - 1];
    const bool good = w->count == all;
    const char *times = all > 1
                            ? dd_pool_printf(w->pool, "at %u times from %.10g to %.10g", all, w->points[0].t, last->t)
                            : dd_pool_printf(w->pool, "at time %.10g", last->t);
    const dd_page_head head = {
        .title = m->name,
        .doc = m->doc != NULL ? m->doc : "",
        .subtitle = dd_pool_printf(w->pool, "linearized %s%s", times, sizes),
        .failure = good ? "" : dd_pool_printf(w->pool, "%s: %s", dd_sim_status_name(last->status), last->reason)};
    w->page = dd_page_begin(w->pool, &head);
    /* a run that did not reach its first point has a headline with the reason, and nothing else */
    if (w->count == 0 || w->points[w->count - 1].n_eigen == 0) {
        return;
    }
    dd_page_section(w->page, "Eigenvalues");
    add_plane(w, eigenvalues);
    if (w->count > 1) {
        add_over_time(w, true);
        add_over_time(w, false);
    }
    add_list(w);
}

static void add_matrices(page_work *w, const matrix *list, size_t n)
{
    const double t = w->points[w->count - 1].t;
    dd_page_section(w->page, w->count > 1 ? dd_pool_printf(w->pool, "Matrices at time %.10g", t) : "Matrices");
    for (size_t k = 0; k < n; k++) {
        add_matrix(w, &list[k]);
    }
    dd_page_section(w->page, w->count > 1 ? "Last point" : "Point");
}

/* ---- in states ---- */

typedef struct linsys_list {
    dd_linsys *const *items;
    uint32_t count;
} linsys_list;

static void linsys_body(void *user)
{
    dd_written *out = user;
    const linsys_list *list = out->user;
    page_work w = {.count = list->count, .pool = out->pool};
    point *points = dd_pool_alloc_array(w.pool, list->count, sizeof *points);
    /* eigenvalues of all times, matrices of the last one */
    for (uint32_t k = 0; k < list->count; k++) {
        const dd_linsys_info *i = &list->items[k]->info;
        points[k] = (point){.status = i->status, .reason = i->reason, .t = i->t};
        set_eigenvalues(&points[k], i->eigen_re, i->eigen_im, i->nx, w.pool);
    }
    w.points = points;
    const dd_linsys_info *first = &list->items[0]->info;
    begin_page(&w, list->items[0]->system->model,
               dd_pool_printf(w.pool, ": %u states, %u inputs, %u outputs", first->nx, first->nu, first->ny),
               "eigenvalues of A");
    if (w.count > 0) {
        const dd_linsys *l = list->items[w.count - 1];
        const dd_linsys_info *i = &l->info;
        const matrix all[] = {{"A", i->A, i->nx, i->nx, l->x_name, l->x_name},
                              {"B", i->B, i->nx, i->nu, l->x_name, l->u_name},
                              {"C", i->C, i->ny, i->nx, l->y_name, l->x_name},
                              {"D", i->D, i->ny, i->nu, l->y_name, l->u_name}};
        add_matrices(&w, all, sizeof all / sizeof *all);
        add_values(&w, l->x_name, i->x, i->nx, "States");
        add_values(&w, l->u_name, i->u, i->nu, "Inputs");
    }
    out->text = dd_text_new(out->pool);
    dd_page_end(w.page, &out->text);
}

dd_status dd_linsys_write_reports(dd_linsys *const *points, uint32_t count, const char *path)
{
    if (points == NULL || count == 0 || points[0] == NULL || path == NULL) {
        return DD_INVALID_ARGUMENT;
    }
    linsys_list list = {points, count};
    return dd_written_make(&(dd_written){.ctx = points[0]->ctx, .user = &list, .path = path}, linsys_body);
}

dd_status dd_linsys_write_report(dd_linsys *l, const char *path)
{
    return dd_linsys_write_reports(&l, 1, path);
}

/* ---- as written ---- */

typedef struct descriptor_list {
    dd_descriptor *const *items;
    uint32_t count;
    const dd_linsys *l; /* of the first: its model and memory */
} descriptor_list;

/* What the pencil says at a point, in one line. */
static const char *pencil_text(page_work *w, const dd_descriptor_info *i)
{
    if (!i->analysed || !i->regular) {
        return !i->analysed ? "too many unknowns for an analysis of the pencil" : "the pencil is singular";
    }
    dd_text text = dd_text_new(w->pool);
    dd_text_printf(&text, "%u finite, %u infinite", i->n_finite, i->n_infinite);
    for (uint32_t k = 0; k < i->n_blocks; k++) {
        dd_text_printf(&text, "%s%u", k == 0 ? " in Jordan blocks of sizes " : ", ", i->block[k]);
    }
    dd_text_add(&text, i->decided ? "" : " (some ranks were not clear)");
    return dd_text_str(&text);
}

static void add_pencils(page_work *w, const descriptor_list *list)
{
    static const char *const headings[] = {"time", "eigenvalues", "nilpotency", "differential index"};
    enum { COLUMNS = sizeof headings / sizeof *headings };
    const char **cells = dd_pool_alloc_array(w->pool, (size_t)w->count * COLUMNS + 1, sizeof *cells);
    for (uint32_t k = 0; k < w->count; k++) {
        const dd_descriptor_info i = dd_descriptor_get_info(list->items[k]);
        const char **row = cells + (size_t)k * COLUMNS;
        row[0] = dd_pool_printf(w->pool, "%.10g", i.t);
        row[1] = pencil_text(w, &i);
        row[2] = i.analysed && i.regular ? dd_pool_printf(w->pool, "%u", i.nilpotency) : "";
        row[3] = i.differential_index >= 0 ? dd_pool_printf(w->pool, "%d", i.differential_index) : "";
    }
    dd_page_section(w->page, "Pencil sE \xE2\x88\x92 A");
    dd_page_add_grid(w->page, &(dd_page_grid){"", "", headings, cells, COLUMNS, w->count, 2});
}

static const char **names_of(page_work *w, const dd_descriptor *d, uint32_t n,
                             const char *(*name)(const dd_descriptor *d, uint32_t i))
{
    const char **names = dd_pool_alloc_array(w->pool, (size_t)n + 1, sizeof *names);
    for (uint32_t k = 0; k < n; k++) {
        names[k] = name != NULL ? name(d, k) : dd_pool_printf(w->pool, "equation %u", k + 1);
    }
    return names;
}

static void descriptor_body(void *user)
{
    dd_written *out = user;
    const descriptor_list *list = out->user;
    page_work w = {.count = list->count, .pool = out->pool};
    point *points = dd_pool_alloc_array(w.pool, list->count, sizeof *points);
    /* finite eigenvalues of all times, where the pencil is regular; matrices of the last one */
    for (uint32_t k = 0; k < list->count; k++) {
        const dd_descriptor_info i = dd_descriptor_get_info(list->items[k]);
        const bool known = i.analysed && i.regular;
        points[k] = (point){.status = i.status, .reason = i.reason, .t = i.t};
        set_eigenvalues(&points[k], i.eigen_re, i.eigen_im, known ? i.n_finite : 0, w.pool);
    }
    w.points = points;
    const dd_descriptor_info first = dd_descriptor_get_info(list->items[0]);
    begin_page(&w, list->l->system->model,
               dd_pool_printf(w.pool, ", as written: %u unknowns, %u inputs, %u outputs", first.n, first.nu, first.ny),
               "finite eigenvalues of the pencil");
    if (w.count > 0) {
        const dd_descriptor *d = list->items[w.count - 1];
        const dd_descriptor_info i = dd_descriptor_get_info(d);
        const char **equation = names_of(&w, d, i.n, NULL),
                   **unknown = names_of(&w, d, i.n, dd_descriptor_unknown_name),
                   **input = names_of(&w, d, i.nu, dd_descriptor_input_name);
        const matrix all[] = {{"E", i.E, i.n, i.n, equation, unknown},
                              {"A", i.A, i.n, i.n, equation, unknown},
                              {"B", i.B, i.n, i.nu, equation, input}};
        add_pencils(&w, list);
        add_matrices(&w, all, sizeof all / sizeof *all);
        add_values(&w, unknown, i.w, i.n, "Unknowns");
        add_values(&w, input, i.u, i.nu, "Inputs");
    }
    out->text = dd_text_new(out->pool);
    dd_page_end(w.page, &out->text);
}

dd_status dd_descriptor_write_reports(dd_descriptor *const *points, uint32_t count, const char *path)
{
    if (points == NULL || count == 0 || points[0] == NULL || path == NULL) {
        return DD_INVALID_ARGUMENT;
    }
    descriptor_list list = {points, count, dd_descriptor_system(points[0])};
    return dd_written_make(&(dd_written){.ctx = list.l->ctx, .user = &list, .path = path}, descriptor_body);
}
