/* matrix.c - dots of a pattern, in cells where there are too many; names beside small ones. */
#include "report/matrix.h"

#include <math.h>
#include <string.h>

#include "report/plot.h"

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

void dd_matrix_svg(dd_text *out, const dd_matrix *m)
{
    const uint32_t largest = m->n_rows > m->n_columns ? m->n_rows : m->n_columns;
    const bool named = largest <= NAMED;
    grid g = {.m = m, .out = out, .every = largest / MOST_CELLS + 1};
    const uint32_t across = cells(m->n_columns, g.every), down = cells(m->n_rows, g.every);
    /* names beside small matrices; cells of large ones share the side */
    g.left = g.top = named ? 10 + LETTER * MOST_LETTERS : 6;
    g.size = fmin(20, (double)SIDE / fmax(1, cells(largest, g.every)));
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
    if (named) {
        add_names(&g);
    }
    dd_text_add(out, "</svg>\n");
}
