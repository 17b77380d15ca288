/* linearize_page.c - a linear system as a page: eigenvalues in the complex plane, the matrices, the point. */
#include <math.h>

#include "report/written.h"
#include "sim/linearize_impl.h"

enum { MOST_SHOWN = 12 }; /* rows and columns of a matrix that a page shows */

typedef struct page_work {
    const dd_linsys *l;
    dd_pool *pool;
    dd_page_writer *page;
} page_work;

static const char *number_text(page_work *w, double value)
{
    return dd_pool_printf(w->pool, "%.5g", value);
}

/* ---- eigenvalues ---- */

static void add_plane(page_work *w)
{
    const dd_linsys_info *i = &w->l->info;
    dd_plot_line *lines = dd_pool_alloc_array(w->pool, 2, sizeof *lines);
    double *zero = dd_pool_alloc_array(w->pool, 2, sizeof *zero),
           *height = dd_pool_alloc_array(w->pool, 2, sizeof *height);
    double size = 0;
    /* the axis is as high as the highest eigenvalue; beside real ones alone, a fifth of their size */
    for (uint32_t k = 0; k < i->nx; k++) {
        size = fmax(size, i->eigen_im[k] != 0 ? fabs(i->eigen_im[k]) : 0.2 * fabs(i->eigen_re[k]));
    }
    zero[0] = zero[1] = 0;
    height[0] = -size;
    height[1] = size;
    lines[0] = (dd_plot_line){.name = "eigenvalues", .y = i->eigen_im, .style = DD_LINE_POINTS};
    lines[1] = (dd_plot_line){.name = "imaginary axis",
                              .y = height,
                              .x = zero,
                              .count = 2,
                              .style = DD_LINE_DASHED,
                              .colour = DD_PLOT_COLOURS};
    const dd_page_figure f = {.title = "eigenvalues of A",
                              .doc = "in the complex plane; left of the dashed line they decay",
                              .unit = "",
                              .note = "",
                              .plot = {.x = i->eigen_re,
                                       .count = i->nx,
                                       .stride = 1,
                                       .lines = lines,
                                       .n_lines = 2,
                                       .x_name = "real part",
                                       .path = true}};
    dd_page_add_figure(w->page, &f);
}

/* What an eigenvalue means: how fast, how often, how damped. */
static void add_list(page_work *w)
{
    static const char *const headings[] = {"eigenvalue", "time constant [s]", "frequency [Hz]", "damping"};
    enum { COLUMNS = sizeof headings / sizeof *headings, MOST = 60 };
    const dd_linsys_info *i = &w->l->info;
    const uint32_t n = i->nx < MOST ? i->nx : MOST;
    const char **cells = dd_pool_alloc_array(w->pool, (size_t)n * COLUMNS + 1, sizeof *cells);
    for (uint32_t k = 0; k < n; k++) {
        const double re = i->eigen_re[k], im = i->eigen_im[k], size = hypot(re, im);
        const char **row = cells + (size_t)k * COLUMNS;
        row[0] = im == 0 ? number_text(w, re)
                         : dd_pool_printf(w->pool, "%.5g %s %.5gi", re, im < 0 ? "\xE2\x88\x92" : "+", fabs(im));
        row[1] = re != 0 ? number_text(w, 1 / fabs(re)) : "";
        row[2] = im != 0 ? number_text(w, fabs(im) / (2 * M_PI)) : "";
        row[3] = im != 0 && size > 0 ? number_text(w, -re / size) : "";
    }
    const char *note = n < i->nx ? dd_pool_printf(w->pool, "and %u more", i->nx - n) : "";
    dd_page_add_grid(w->page, &(dd_page_grid){"Eigenvalues", note, headings, cells, COLUMNS, n, 0});
}

/* ---- matrices ---- */

typedef const char *(*naming)(const dd_linsys *l, uint32_t i);

typedef struct matrix {
    const char *title;
    const double *values; /* row by row */
    uint32_t n_rows, n_columns;
    naming row, column;
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
        headings[1 + j] = m->column(w->l, j);
    }
    for (uint32_t i = 0; i < rows; i++) {
        cells[(size_t)i * width] = m->row(w->l, i);
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

static void add_point(page_work *w)
{
    const dd_linsys_info *i = &w->l->info;
    DD_VEC(dd_page_row) rows = {0};
    for (uint32_t k = 0; k < i->nx && k < MOST_SHOWN; k++) {
        dd_vec_push(w->pool, &rows, ((dd_page_row){w->l->x_name[k], number_text(w, i->x[k])}));
    }
    for (uint32_t k = 0; k < i->nu && k < MOST_SHOWN; k++) {
        dd_vec_push(w->pool, &rows, ((dd_page_row){w->l->u_name[k], number_text(w, i->u[k])}));
    }
    const char *note = i->nx > MOST_SHOWN || i->nu > MOST_SHOWN ? "the first of them; the JSON has all" : "";
    dd_page_add_table(w->page, &(dd_page_table){"States and inputs of the point", note, rows.data, rows.len});
}

/* ---- all together ---- */

static dd_page_head head_of(const dd_linsys *l, dd_pool *pool)
{
    const dd_model *m = l->system->model;
    const bool good = l->info.status == DD_SIM_OK;
    return (dd_page_head){
        .title = m->name,
        .doc = m->doc != NULL ? m->doc : "",
        .subtitle = dd_pool_printf(pool, "linearized at time %.10g: %u states, %u inputs, %u outputs", l->info.t,
                                   l->info.nx, l->info.nu, l->info.ny),
        .failure = good ? "" : dd_pool_printf(pool, "%s: %s", dd_sim_status_name(l->info.status), l->info.reason)};
}

static void page_body(void *user)
{
    dd_written *out = user;
    page_work w = {.l = out->user, .pool = out->pool};
    const dd_linsys_info *i = &w.l->info;
    const dd_page_head head = head_of(w.l, w.pool);
    w.page = dd_page_begin(w.pool, &head);
    /* a run that did not reach the point has a headline with the reason, and nothing else */
    if (i->status == DD_SIM_OK) {
        if (i->nx > 0) {
            dd_page_section(w.page, "Eigenvalues");
            add_plane(&w);
            add_list(&w);
        }
        dd_page_section(w.page, "Matrices");
        const matrix all[] = {
            {"A", i->A, i->nx, i->nx, dd_linsys_state_name, dd_linsys_state_name},
            {"B", i->B, i->nx, i->nu, dd_linsys_state_name, dd_linsys_input_name},
            {"C", i->C, i->ny, i->nx, dd_linsys_output_name, dd_linsys_state_name},
            {"D", i->D, i->ny, i->nu, dd_linsys_output_name, dd_linsys_input_name},
        };
        for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
            add_matrix(&w, &all[k]);
        }
        dd_page_section(w.page, "Point");
        add_point(&w);
    }
    out->text = dd_text_new(out->pool);
    dd_page_end(w.page, &out->text);
}

dd_status dd_linsys_write_report(dd_linsys *l, const char *path)
{
    if (l == NULL || path == NULL) {
        return DD_INVALID_ARGUMENT;
    }
    return dd_written_make(&(dd_written){.ctx = l->ctx, .user = l, .path = path}, page_body);
}
