/* matrix.c - dots of a pattern, in cells where there are too many; names beside small ones. */
#include "report/matrix.h"

#include <math.h>
#include <string.h>

#include "base/json.h"
#include "report/page_private.h"

enum { SIDE = 440, MOST_CELLS = 220, NAMED = 24, LETTER = 7, MOST_LETTERS = 16 };

typedef struct grid {
    const dd_matrix *m;
    dd_text *out;
    uint32_t every;   /* rows and columns per cell */
    double size;      /* of a cell */
    double left, top; /* room for names */
} grid;

static uint32_t cells(uint32_t n, uint32_t every)
{
    return (n + every - 1) / every;
}

static void add_cell(const grid *g, uint32_t i, uint32_t j, int kind)
{
    const double gap = g->size > 4 ? 0.1 * g->size : 0;
    dd_text_printf(g->out, "<rect class=\"k%d\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>",
                   kind, g->left + j * g->size + gap, g->top + i * g->size + gap, fmax(g->size - 2 * gap, 0.6),
                   fmax(g->size - 2 * gap, 0.6), kind == 1 ? "#d55e00" : "#0072b2");
}

/* Cells of a row of cells, each once; 2 in `seen` is an entry of kind 1, which is drawn above others. */
static void add_cells_of(const grid *g, uint32_t i, uint8_t *seen)
{
    const dd_matrix *m = g->m;
    const uint32_t columns = cells(m->n_columns, g->every);
    memset(seen, 0, columns);
    for (uint32_t r = i * g->every; r < m->n_rows && r < (i + 1) * g->every; r++) {
        for (uint32_t k = m->ptr[r]; k < m->ptr[r + 1]; k++) {
            const uint8_t mark = m->kind != NULL && m->kind[k] == 1 ? 2 : 1;
            uint8_t *cell = &seen[m->index[k] / g->every];
            *cell = mark > *cell ? mark : *cell;
        }
    }
    for (uint32_t j = 0; j < columns; j++) {
        if (seen[j] > 0) {
            add_cell(g, i, j, seen[j] - 1);
        }
    }
}

static void add_blocks(const grid *g)
{
    for (uint32_t b = 0; b < g->m->n_blocks; b++) {
        const double from = g->m->block[b] / (double)g->every * g->size,
                     side = (g->m->block[b + 1] - g->m->block[b]) / (double)g->every * g->size;
        if (side > 2) {
            dd_text_printf(g->out,
                           "<rect class=\"o\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"none\" "
                           "stroke=\"#888888\"/>",
                           g->left + from, g->top + from, side, side);
        }
    }
}

static const char *shortened(const char *name, dd_pool *pool)
{
    return strlen(name) <= MOST_LETTERS ? name : dd_pool_printf(pool, "%.*s\xE2\x80\xA6", MOST_LETTERS - 1, name);
}

static void add_names(const grid *g)
{
    const dd_matrix *m = g->m;
    for (uint32_t i = 0; m->row_names != NULL && i < m->n_rows; i++) {
        dd_text_printf(g->out, "<text class=\"t\" text-anchor=\"end\" x=\"%.1f\" y=\"%.1f\">", g->left - 5,
                       g->top + (i + 0.5) * g->size + 4);
        dd_html_text(g->out, shortened(m->row_names[i], g->out->pool));
        dd_text_add(g->out, "</text>");
    }
    for (uint32_t j = 0; m->column_names != NULL && j < m->n_columns; j++) {
        const double x = g->left + (j + 0.5) * g->size + 4, y = g->top - 5;
        dd_text_printf(g->out, "<text class=\"t\" transform=\"translate(%.1f %.1f) rotate(-90)\">", x, y);
        dd_html_text(g->out, shortened(m->column_names[j], g->out->pool));
        dd_text_add(g->out, "</text>");
    }
}

/* Room for the names of a side: as much as the longest needs. */
static double room_for(const char *const *names, uint32_t n)
{
    size_t longest = 0;
    for (uint32_t i = 0; names != NULL && i < n; i++) {
        const size_t length = strlen(names[i]);
        longest = length > longest ? length : longest;
    }
    return 10 + LETTER * (double)(longest < MOST_LETTERS ? longest : MOST_LETTERS);
}

static bool has_names(const dd_matrix *m)
{
    return m->n_rows <= NAMED && m->n_columns <= NAMED;
}

/* Where the cells are; names beside small matrices, cells of large ones share the side. */
static grid grid_of(const dd_matrix *m, dd_text *out)
{
    const uint32_t largest = m->n_rows > m->n_columns ? m->n_rows : m->n_columns;
    grid g = {.m = m, .out = out, .every = largest / MOST_CELLS + 1};
    g.left = has_names(m) ? room_for(m->row_names, m->n_rows) : 6;
    g.top = has_names(m) ? room_for(m->column_names, m->n_columns) : 6;
    g.size = fmin(20, (double)SIDE / fmax(1, cells(largest, g.every)));
    return g;
}

void dd_matrix_svg(dd_text *out, const dd_matrix *m)
{
    const grid g = grid_of(m, out);
    const uint32_t across = cells(m->n_columns, g.every), down = cells(m->n_rows, g.every);
    dd_text_printf(out,
                   "<svg viewBox=\"0 0 %.0f %.0f\" role=\"img\" width=\"%.0f\"><title>pattern of %u rows and %u columns"
                   "</title><rect class=\"o\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"none\" "
                   "stroke=\"#888888\"/>",
                   g.left + across * g.size + 6, g.top + down * g.size + 6, g.left + across * g.size + 6, m->n_rows,
                   m->n_columns, g.left, g.top, across * g.size, down * g.size);
    uint8_t *seen = dd_pool_alloc_array(out->pool, (size_t)across + 1, sizeof *seen);
    for (uint32_t i = 0; i < down; i++) {
        add_cells_of(&g, i, seen);
    }
    add_blocks(&g);
    if (has_names(m)) {
        add_names(&g);
    }
    dd_text_add(out, "</svg>\n");
}

static void put_words(dd_json *j, const char *key, const char *const *words, uint32_t n)
{
    dd_json_key(j, key);
    dd_json_begin_array(j);
    for (uint32_t i = 0; i < n; i++) {
        dd_json_string(j, words[i]);
    }
    dd_json_end_array(j);
}

void dd_page_add_matrix(dd_page_writer *w, const char *title, const char *doc, const dd_matrix *m)
{
    enum { MOST_WORDS = 6000 }; /* rows and columns together: the page stays small */
    dd_text svg = dd_text_new(w->pool), json = dd_text_new(w->pool);
    dd_matrix_svg(&svg, m);
    if (m->row_words == NULL || m->column_words == NULL || m->n_rows + m->n_columns > MOST_WORDS) {
        dd_page_add_picture(w, title, doc, dd_text_str(&svg));
        return;
    }
    const grid g = grid_of(m, &svg);
    dd_json j = dd_json_new(&json);
    dd_json_begin_object(&j);
    dd_json_put_number(&j, "left", g.left);
    dd_json_put_number(&j, "top", g.top);
    dd_json_put_number(&j, "size", g.size);
    dd_json_put_int(&j, "every", g.every);
    put_words(&j, "rows", m->row_words, m->n_rows);
    put_words(&j, "columns", m->column_words, m->n_columns);
    dd_json_end_object(&j);
    dd_page_use_scripts(w, "matrix");
    dd_page_add_picture_with(w, title, doc, dd_text_str(&svg), "data-matrix", dd_text_str(&json));
}
