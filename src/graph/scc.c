/* scc.c - Tarjan's strongly connected components (SIAM J. Comput. 1, 1972) with an explicit stack, and the
 * block-triangular form that follows from it: row i needs the rows that are matched with its columns.
 */
#include "graph/scc.h"

#include <string.h>

typedef struct tarjan {
    const dd_pattern *g;
    const uint32_t *target; /* NULL, or columns: the node an entry points to (BTF: the matched row) */
    uint32_t *order;        /* visit number from 1; 0: not visited */
    uint32_t *low;          /* smallest visit number reachable */
    uint32_t *next;         /* next entry to follow */
    uint32_t *path, *open;  /* depth-first path; nodes whose component is not closed */
    uint32_t *component;
    uint32_t visits, opened, count;
} tarjan;

static void enter(tarjan *t, uint32_t i)
{
    t->order[i] = t->low[i] = ++t->visits;
    t->next[i] = t->g->ptr[i];
    t->open[t->opened++] = i;
}

static void close_component(tarjan *t, uint32_t root)
{
    /* everything opened since the root is reachable from it and reaches it */
    uint32_t i;
    do {
        i = t->open[--t->opened];
        t->component[i] = t->count;
    } while (i != root);
    t->count++;
}

static void lower(uint32_t *low, uint32_t value)
{
    if (value < *low) {
        *low = value;
    }
}

static void visit(tarjan *t, uint32_t root)
{
    uint32_t depth = 0;
    enter(t, root);
    t->path[depth++] = root;
    while (depth > 0) {
        uint32_t i = t->path[depth - 1];
        /* follow the next entry: down to a new node, or back to one whose component is open */
        if (t->next[i] < t->g->ptr[i + 1]) {
            uint32_t k = t->g->idx[t->next[i]++];
            k = t->target != NULL ? t->target[k] : k;
            if (t->order[k] == 0) {
                enter(t, k);
                t->path[depth++] = k;
            } else if (t->component[k] == DD_NO_INDEX) {
                lower(&t->low[i], t->order[k]);
            }
            continue;
        }
        /* no way back above i: i is the root of its component, and all opened after it belong to it */
        if (t->low[i] == t->order[i]) {
            close_component(t, i);
        }
        if (--depth > 0) {
            lower(&t->low[t->path[depth - 1]], t->low[i]);
        }
    }
}

static dd_status components(uint32_t *count, dd_context *ctx, const dd_pattern *g, const uint32_t *target,
                            uint32_t *component)
{
    dd_work w = {.ctx = ctx};
    tarjan t = {.g = g, .target = target, .component = component};
    t.order = dd_work_array(&w, g->nrows, sizeof *t.order);
    t.low = dd_work_array(&w, g->nrows, sizeof *t.low);
    t.next = dd_work_array(&w, g->nrows, sizeof *t.next);
    t.path = dd_work_array(&w, g->nrows, sizeof *t.path);
    t.open = dd_work_array(&w, g->nrows, sizeof *t.open);
    if (!w.failed) {
        memset(component, 0xff, (size_t)g->nrows * sizeof *component);
        /* every node that no earlier search has reached starts one */
        for (uint32_t i = 0; i < g->nrows; i++) {
            if (t.order[i] == 0) {
                visit(&t, i);
            }
        }
    }
    dd_work_free(&w);
    *count = t.count;
    return w.failed ? DD_OUT_OF_MEMORY : DD_OK;
}

dd_status dd_graph_scc(uint32_t *count, dd_context *ctx, const dd_pattern *g, uint32_t *component)
{
    if (g->nrows != g->ncols) {
        return dd_fail(ctx, DD_INVALID_ARGUMENT, "strong components need a square pattern");
    }
    return components(count, ctx, g, NULL, component);
}

/* col_match from row_match; false when the matching is not perfect. */
static bool invert_matching(const dd_pattern *a, const uint32_t *row_match, uint32_t *col_match)
{
    if (a->nrows != a->ncols) {
        return false;
    }
    memset(col_match, 0xff, (size_t)a->ncols * sizeof *col_match);
    for (uint32_t i = 0; i < a->nrows; i++) {
        uint32_t j = row_match[i];
        if (j >= a->ncols || col_match[j] != DD_NO_INDEX) {
            return false;
        }
        col_match[j] = i;
    }
    return true;
}

dd_status dd_graph_btf(uint32_t *count, dd_context *ctx, const dd_pattern *a, const uint32_t *row_match,
                       uint32_t *row_perm, uint32_t *col_perm, uint32_t *block_ptr)
{
    dd_work w = {.ctx = ctx};
    uint32_t *col_match = dd_work_array(&w, a->ncols, sizeof *col_match);
    uint32_t *component = dd_work_array(&w, a->nrows, sizeof *component);
    dd_status st = w.failed ? DD_OUT_OF_MEMORY : DD_OK;
    if (st == DD_OK && !invert_matching(a, row_match, col_match)) {
        st = dd_fail(ctx, DD_INVALID_ARGUMENT, "the block-triangular form needs a perfect matching");
    }
    if (st == DD_OK) {
        st = components(count, ctx, a, col_match, component);
    }
    if (st == DD_OK) {
        /* Tarjan closes a component after those it needs, so the numbers are already in block-triangular order */
        dd_bucket_sort(a->nrows, *count, component, block_ptr, row_perm);
        for (uint32_t k = 0; k < a->nrows; k++) {
            col_perm[k] = row_match[row_perm[k]];
        }
    }
    dd_work_free(&w);
    return st;
}
