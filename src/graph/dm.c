/* dm.c - coarse Dulmage-Mendelsohn decomposition by alternating reachability from the unmatched rows and columns
 * (Pothen and Fan, ACM TOMS 16, 1990), and connected components of its two defective parts.
 */
#include "graph/dm.h"

#include <string.h>

typedef struct decomposition {
    const dd_pattern *a, *t; /* by rows and by columns */
    const uint32_t *row_match, *col_match;
    uint8_t *row_part, *col_part;
    uint32_t *row_component, *col_component;
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

/* Numbers the component of line `start` (a row when lines are rows) inside one part. Lines are queued as they are,
 * crossing lines with an offset of p->nrows. */
static void spread(decomposition *d, const dd_pattern *p, const dd_pattern *q, uint32_t start, dd_dm_part part,
                   const uint8_t *line_part, const uint8_t *cross_part, uint32_t *line_component,
                   uint32_t *cross_component)
{
    uint32_t head = 0, tail = 0, id = d->components++;
    line_component[start] = id;
    d->queue[tail++] = start;
    while (head < tail) {
        /* the bipartite graph is searched in both directions: a node is a line or a crossing line */
        uint32_t node = d->queue[head++];
        bool line = node < p->nrows;
        const dd_pattern *g = line ? p : q;
        const uint8_t *other_part = line ? cross_part : line_part;
        uint32_t *other = line ? cross_component : line_component;
        uint32_t i = line ? node : node - p->nrows, shift = line ? p->nrows : 0;
        for (uint32_t e = g->ptr[i]; e < g->ptr[i + 1]; e++) {
            uint32_t k = g->idx[e];
            if (other_part[k] == part && other[k] == DD_NO_INDEX) {
                other[k] = id;
                d->queue[tail++] = k + shift;
            }
        }
    }
}

static void number_components(decomposition *d, dd_dm_info *out)
{
    memset(d->row_component, 0xff, (size_t)d->a->nrows * sizeof *d->row_component);
    memset(d->col_component, 0xff, (size_t)d->a->ncols * sizeof *d->col_component);
    /* lowest row first, so that the numbers do not depend on the matching */
    for (uint32_t i = 0; i < d->a->nrows; i++) {
        if (d->row_part[i] == DD_DM_OVER && d->row_component[i] == DD_NO_INDEX) {
            spread(d, d->a, d->t, i, DD_DM_OVER, d->row_part, d->col_part, d->row_component, d->col_component);
        }
    }
    out->over_components = d->components;
    /* the under-determined part is the over-determined part of the transpose */
    for (uint32_t j = 0; j < d->a->ncols; j++) {
        if (d->col_part[j] == DD_DM_UNDER && d->col_component[j] == DD_NO_INDEX) {
            spread(d, d->t, d->a, j, DD_DM_UNDER, d->col_part, d->row_part, d->col_component, d->row_component);
        }
    }
    out->under_components = d->components - out->over_components;
}

static void decompose(decomposition *d, dd_dm_info *out)
{
    memset(d->row_part, DD_DM_SQUARE, d->a->nrows);
    memset(d->col_part, DD_DM_SQUARE, d->a->ncols);
    /* a row cannot be reached from both sides: the path between them would augment the matching */
    reach(d->a, d->row_match, d->col_match, d->row_part, d->col_part, DD_DM_OVER, d->queue);
    reach(d->t, d->col_match, d->row_match, d->col_part, d->row_part, DD_DM_UNDER, d->queue);
    memset(out, 0, sizeof *out);
    for (uint32_t i = 0; i < d->a->nrows; i++) {
        out->rows[d->row_part[i]]++;
    }
    for (uint32_t j = 0; j < d->a->ncols; j++) {
        out->cols[d->col_part[j]]++;
    }
    number_components(d, out);
}

dd_status dd_graph_dm(dd_dm_info *out, dd_context *ctx, const dd_pattern *a, const uint32_t *row_match,
                      const uint32_t *col_match, uint8_t *row_part, uint8_t *col_part, uint32_t *row_component,
                      uint32_t *col_component)
{
    dd_work w = {.ctx = ctx};
    uint32_t *ptr = dd_work_array(&w, (size_t)a->ncols + 1, sizeof *ptr);
    uint32_t *idx = dd_work_array(&w, a->ptr[a->nrows], sizeof *idx);
    dd_pattern t = {.nrows = a->ncols, .ncols = a->nrows, .ptr = ptr, .idx = idx};
    decomposition d = {.a = a, .t = &t, .row_match = row_match, .col_match = col_match};
    d.row_part = row_part;
    d.col_part = col_part;
    /* components are computed in any case; the caller may do without them */
    d.row_component = row_component != NULL ? row_component : dd_work_array(&w, a->nrows, sizeof(uint32_t));
    d.col_component = col_component != NULL ? col_component : dd_work_array(&w, a->ncols, sizeof(uint32_t));
    d.queue = dd_work_array(&w, (size_t)a->nrows + a->ncols, sizeof *d.queue);
    if (!w.failed) {
        dd_pattern_transpose(a, ptr, idx, NULL);
        decompose(&d, out);
    }
    dd_work_free(&w);
    return w.failed ? DD_OUT_OF_MEMORY : DD_OK;
}
