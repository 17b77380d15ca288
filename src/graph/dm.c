/* dm.c - coarse Dulmage-Mendelsohn decomposition by alternating reachability from the unmatched rows and columns
 * (Pothen and Fan, ACM TOMS 16, 1990), and connected components of its two defective parts.
 */
#include "graph/dm.h"

#include <string.h>

typedef struct decomposition {
    const dd_pattern *a, *t; /* by rows and by columns */
    const uint32_t *row_match, *col_match;
    dd_dm_labels to; /* all of them */
    uint32_t *queue; /* nrows + ncols */
    uint32_t components;
} decomposition;

/* Marks everything reachable from the unmatched "lines" (rows of p) with `part`: from a line to its crossing lines, and
 * from a crossing line to its matched line. Used once with rows as lines, once with columns as lines. */
static void reach(const dd_pattern *p, const uint32_t *match, const uint32_t *cross_match, uint8_t *line_part,
                  uint8_t *cross_part, dd_dm_part part, uint32_t *queue)
{
    uint32_t head = 0, tail = 0;
    /* start from every unmatched line: it is why this part is defective */
    for (uint32_t i = 0; i < p->nrows; i++) {
        if (match[i] == DD_NO_INDEX) {
            line_part[i] = (uint8_t)part;
            queue[tail++] = i;
        }
    }
    /* breadth-first along alternating paths */
    while (head < tail) {
        uint32_t i = queue[head++];
        for (uint32_t e = p->ptr[i]; e < p->ptr[i + 1]; e++) {
            uint32_t j = p->idx[e];
            if (cross_part[j] == part) {
                continue;
            }
            cross_part[j] = (uint8_t)part;
            uint32_t next = cross_match[j]; /* matched: otherwise the matching could be extended */
            if (line_part[next] != part) {
                line_part[next] = (uint8_t)part;
                queue[tail++] = next;
            }
        }
    }
}

/* Rows or columns, with the entries of each, their parts and their components. */
typedef struct lines {
    const dd_pattern *p;
    const uint8_t *part;
    uint32_t *component;
} lines;

/* Numbers the component of line `start` inside one part: `line` are rows and `cross` columns, or the other way round.
 * Lines are queued as they are, crossing lines with an offset of line.p->nrows. */
static void spread(decomposition *d, lines line, lines cross, uint32_t start, dd_dm_part part)
{
    uint32_t head = 0, tail = 0, id = d->components++, count = line.p->nrows;
    line.component[start] = id;
    d->queue[tail++] = start;
    while (head < tail) {
        /* the bipartite graph is searched in both directions: a node is a line or a crossing line */
        uint32_t node = d->queue[head++];
        bool is_line = node < count;
        const dd_pattern *g = is_line ? line.p : cross.p;
        lines other = is_line ? cross : line;
        uint32_t i = is_line ? node : node - count, shift = is_line ? count : 0;
        for (uint32_t e = g->ptr[i]; e < g->ptr[i + 1]; e++) {
            uint32_t k = g->idx[e];
            if (other.part[k] == part && other.component[k] == DD_NO_INDEX) {
                other.component[k] = id;
                d->queue[tail++] = k + shift;
            }
        }
    }
}

static void number_components(decomposition *d, dd_dm_info *out)
{
    const lines rows = {d->a, d->to.row_part, d->to.row_component};
    const lines cols = {d->t, d->to.col_part, d->to.col_component};
    memset(rows.component, 0xff, (size_t)d->a->nrows * sizeof *rows.component);
    memset(cols.component, 0xff, (size_t)d->a->ncols * sizeof *cols.component);
    /* lowest row first, so that the numbers do not depend on the matching */
    for (uint32_t i = 0; i < d->a->nrows; i++) {
        if (rows.part[i] == DD_DM_OVER && rows.component[i] == DD_NO_INDEX) {
            spread(d, rows, cols, i, DD_DM_OVER);
        }
    }
    out->over_components = d->components;
    /* the under-determined part is the over-determined part of the transpose */
    for (uint32_t j = 0; j < d->a->ncols; j++) {
        if (cols.part[j] == DD_DM_UNDER && cols.component[j] == DD_NO_INDEX) {
            spread(d, cols, rows, j, DD_DM_UNDER);
        }
    }
    out->under_components = d->components - out->over_components;
}

static void decompose(decomposition *d, dd_dm_info *out)
{
    memset(d->to.row_part, DD_DM_SQUARE, d->a->nrows);
    memset(d->to.col_part, DD_DM_SQUARE, d->a->ncols);
    /* a row cannot be reached from both sides: the path between them would augment the matching */
    reach(d->a, d->row_match, d->col_match, d->to.row_part, d->to.col_part, DD_DM_OVER, d->queue);
    reach(d->t, d->col_match, d->row_match, d->to.col_part, d->to.row_part, DD_DM_UNDER, d->queue);
    memset(out, 0, sizeof *out);
    for (uint32_t i = 0; i < d->a->nrows; i++) {
        out->rows[d->to.row_part[i]]++;
    }
    for (uint32_t j = 0; j < d->a->ncols; j++) {
        out->cols[d->to.col_part[j]]++;
    }
    number_components(d, out);
}

dd_status dd_graph_dm(dd_dm_info *out, dd_context *ctx, const dd_pattern *a, const uint32_t *row_match,
                      const uint32_t *col_match, const dd_dm_labels *labels)
{
    dd_work w = {.ctx = ctx};
    uint32_t *ptr = dd_work_array(&w, (size_t)a->ncols + 1, sizeof *ptr);
    uint32_t *idx = dd_work_array(&w, a->ptr[a->nrows], sizeof *idx);
    dd_pattern t = {.nrows = a->ncols, .ncols = a->nrows, .ptr = ptr, .idx = idx};
    decomposition d = {.a = a, .t = &t, .row_match = row_match, .col_match = col_match, .to = *labels};
    /* components are computed in any case; the caller may do without them */
    if (labels->row_component == NULL) {
        d.to.row_component = dd_work_array(&w, a->nrows, sizeof *d.to.row_component);
    }
    if (labels->col_component == NULL) {
        d.to.col_component = dd_work_array(&w, a->ncols, sizeof *d.to.col_component);
    }
    d.queue = dd_work_array(&w, (size_t)a->nrows + a->ncols, sizeof *d.queue);
    if (!w.failed) {
        dd_pattern_transpose(a, ptr, idx, NULL);
        decompose(&d, out);
    }
    dd_work_free(&w);
    return w.failed ? DD_OUT_OF_MEMORY : DD_OK;
}
