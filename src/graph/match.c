/* match.c - maximum bipartite matching: greedy start, Hopcroft-Karp phases (SIAM J. Comput. 2, 1973), then the row
 * order.
 *
 * A phase labels rows with their alternating distance from the free rows and then augments along disjoint shortest
 * paths found by depth-first search. The row order matters only where rows stay unmatched, that is in the rows that
 * free rows reach (the over-determined part, which is closed: its rows have no other columns). There the matching is
 * thrown away and rebuilt row by row in order; a search that fails has visited only columns that can never again lie
 * on an augmenting path, so they stay marked and all failures together cost one sweep.
 */
#include "graph/match.h"

#include <string.h>

#define DEAD UINT32_MAX

typedef struct matcher {
    const dd_pattern *a;
    uint32_t *row_match, *col_match;
    uint32_t *level; /* rows: distance from the free rows, DD_NO_INDEX when not reached */
    uint32_t *next;  /* rows: next entry to try in the current search */
    uint32_t *look;  /* rows: next entry to try for a free column; a matched column never becomes free again */
    uint32_t *stack; /* rows on the path */
    uint32_t *queue; /* rows to label, or to rebuild */
    uint32_t *mark;  /* columns: number of the search that visited it last, or DEAD */
    uint32_t *seen;  /* columns visited by the current search */
    uint32_t search; /* number of the current search (or of a sweep of searches that share their marks) */
    uint32_t size;
} matcher;

static void greedy_start(matcher *m)
{
    for (uint32_t i = 0; i < m->a->nrows; i++) {
        for (uint32_t e = m->a->ptr[i]; e < m->a->ptr[i + 1] && m->row_match[i] == DD_NO_INDEX; e++) {
            uint32_t j = m->a->idx[e];
            if (m->col_match[j] == DD_NO_INDEX) {
                m->row_match[i] = j;
                m->col_match[j] = i;
                m->size++;
            }
        }
    }
}

/* Breadth-first levels from all free rows; true when a free column is reachable. */
static bool label_rows(matcher *m)
{
    const dd_pattern *a = m->a;
    uint32_t head = 0, tail = 0, last = DD_NO_INDEX;
    /* all free rows are at level 0 */
    for (uint32_t i = 0; i < a->nrows; i++) {
        m->next[i] = a->ptr[i];
        m->level[i] = DD_NO_INDEX;
        if (m->row_match[i] == DD_NO_INDEX) {
            m->level[i] = 0;
            m->queue[tail++] = i;
        }
    }
    /* rows behind the first free column are not on a shortest augmenting path */
    while (head < tail) {
        uint32_t i = m->queue[head++];
        if (m->level[i] >= last) {
            break; /* beyond the shortest augmenting paths */
        }
        for (uint32_t e = a->ptr[i]; e < a->ptr[i + 1]; e++) {
            uint32_t r = m->col_match[a->idx[e]];
            if (r == DD_NO_INDEX) {
                last = m->level[i] + 1;
            } else if (m->level[r] == DD_NO_INDEX) {
                m->level[r] = m->level[i] + 1;
                m->queue[tail++] = r;
            }
        }
    }
    return last != DD_NO_INDEX;
}

/* Follows the path on the stack back and swaps its matching; the last row takes the free column j. */
static void swap_path(matcher *m, uint32_t depth, uint32_t j)
{
    while (depth > 0) {
        uint32_t i = m->stack[--depth];
        /* each row on the path takes the column of the row above it and hands its own on */
        uint32_t old = m->row_match[i];
        m->row_match[i] = j;
        m->col_match[j] = i;
        j = old;
    }
    m->size++;
}

/* A free column in row i, or DD_NO_INDEX; each entry is looked at once over the whole run. */
static uint32_t look_ahead(matcher *m, uint32_t i)
{
    while (m->look[i] < m->a->ptr[i + 1]) {
        uint32_t j = m->a->idx[m->look[i]++];
        if (m->col_match[j] == DD_NO_INDEX) {
            return j;
        }
    }
    return DD_NO_INDEX;
}

/* The next row below i in a layered search (levels increase by one), or DD_NO_INDEX. */
static uint32_t step_layered(matcher *m, uint32_t i)
{
    while (m->next[i] < m->a->ptr[i + 1]) {
        uint32_t r = m->col_match[m->a->idx[m->next[i]++]];
        if (m->level[r] == m->level[i] + 1) {
            return r;
        }
    }
    return DD_NO_INDEX;
}

/* Depth-first search of one phase from free row s; every entry is used once per phase. */
static void augment_layered(matcher *m, uint32_t s)
{
    uint32_t depth = 0;
    m->stack[depth++] = s;
    while (depth > 0) {
        uint32_t i = m->stack[depth - 1];
        /* a free column ends the path; without one the search goes down a level */
        uint32_t j = look_ahead(m, i);
        if (j != DD_NO_INDEX) {
            swap_path(m, depth, j);
            return;
        }
        uint32_t r = step_layered(m, i);
        if (r != DD_NO_INDEX) {
            m->stack[depth++] = r;
        } else {
            m->level[i] = DD_NO_INDEX; /* no way on from here in this phase */
            depth--;
        }
    }
}

/* Depth-first search from free row s over all columns not dead and not marked with m->search. Returns false when there
 * is no path; *seen then counts the columns visited (in m->seen). */
static bool augment_free(matcher *m, uint32_t s, uint32_t *seen_count)
{
    uint32_t depth = 0, seen = 0;
    /* entries of a row are tried from its start: marks, not pointers, keep a column from being visited twice */
    m->next[s] = m->a->ptr[s];
    m->stack[depth++] = s;
    while (depth > 0) {
        uint32_t i = m->stack[depth - 1];
        uint32_t j = look_ahead(m, i);
        if (j != DD_NO_INDEX) {
            swap_path(m, depth, j);
            return true;
        }
        /* go down to the row that holds the next column not visited yet */
        bool deeper = false;
        while (m->next[i] < m->a->ptr[i + 1] && !deeper) {
            j = m->a->idx[m->next[i]++];
            if (m->mark[j] != DEAD && m->mark[j] != m->search) {
                m->mark[j] = m->search;
                m->seen[seen++] = j;
                uint32_t r = m->col_match[j];
                m->next[r] = m->a->ptr[r];
                m->stack[depth++] = r;
                deeper = true;
            }
        }
        if (!deeper) {
            depth--;
        }
    }
    *seen_count = seen;
    return false;
}

/* Shortest paths first, then (Duff and Wiberg 1988) one more sweep along paths of any length. */
static dd_status run_phases(dd_context *ctx, matcher *m)
{
    uint32_t seen;
    while (label_rows(m)) {
        dd_status st = dd_poll_stop(ctx);
        if (st != DD_OK) {
            return st;
        }
        /* disjoint shortest paths; when none is left, the phase is over */
        for (uint32_t i = 0; i < m->a->nrows; i++) {
            if (m->row_match[i] == DD_NO_INDEX) {
                augment_layered(m, i);
            }
        }
        /* the marks are shared within the sweep, which keeps it linear; paths it misses are left to the next phase */
        m->search++;
        for (uint32_t i = 0; i < m->a->nrows; i++) {
            if (m->row_match[i] == DD_NO_INDEX) {
                augment_free(m, i, &seen);
            }
        }
    }
    return DD_OK;
}

/* Augments from the rows m->queue[0..count-1], one after the other. */
static dd_status augment_in_order(dd_context *ctx, matcher *m, uint32_t count)
{
    for (uint32_t k = 0; k < count; k++) {
        dd_status st = dd_poll_stop(ctx);
        if (st != DD_OK) {
            return st;
        }
        m->search++;
        uint32_t seen = 0;
        /* no path from here: the columns visited are closed under alternating paths, so no later search can use them */
        if (!augment_free(m, m->queue[k], &seen)) {
            while (seen > 0) {
                m->mark[m->seen[--seen]] = DEAD;
            }
        }
    }
    return DD_OK;
}

/* Rebuilds the matching of the rows reached by the last label_rows (which met no free column) in the given order. */
static dd_status apply_order(dd_context *ctx, matcher *m, const uint32_t *order)
{
    /* rows that free rows do not reach keep their matching */
    uint32_t count = 0;
    for (uint32_t k = 0; k < m->a->nrows; k++) {
        uint32_t i = order[k];
        if (m->level[i] == DD_NO_INDEX) {
            continue;
        }
        /* unmatch the row; its look-ahead must start over since columns become free again */
        m->queue[count++] = i;
        m->look[i] = m->a->ptr[i];
        if (m->row_match[i] != DD_NO_INDEX) {
            m->col_match[m->row_match[i]] = DD_NO_INDEX;
            m->row_match[i] = DD_NO_INDEX;
            m->size--;
        }
    }
    return augment_in_order(ctx, m, count);
}

static dd_status run(dd_context *ctx, matcher *m, const uint32_t *order)
{
    greedy_start(m);
    /* look-ahead pointers advance over the whole run, so each entry is looked at once */
    memcpy(m->look, m->a->ptr, (size_t)m->a->nrows * sizeof *m->look);
    dd_status st = run_phases(ctx, m);
    /* with all rows matched the order makes no difference */
    if (st == DD_OK && order != NULL && m->size < m->a->nrows) {
        st = apply_order(ctx, m, order);
    }
    return st;
}

static dd_status run_extend(dd_context *ctx, matcher *m, uint32_t first)
{
    memcpy(m->look, m->a->ptr, (size_t)m->a->nrows * sizeof *m->look);
    for (uint32_t i = first; i < m->a->nrows; i++) {
        m->queue[i - first] = i;
    }
    return augment_in_order(ctx, m, m->a->nrows - first);
}

static uint32_t count_matched(const uint32_t *match, uint32_t n)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < n; i++) {
        count += match[i] != DD_NO_INDEX;
    }
    return count;
}

static dd_status new_matcher(matcher *m, dd_work *w)
{
    uint32_t rows = m->a->nrows, cols = m->a->ncols;
    m->size = count_matched(m->row_match, rows);
    m->level = dd_work_array(w, rows, sizeof *m->level);
    m->next = dd_work_array(w, rows, sizeof *m->next);
    m->look = dd_work_array(w, rows, sizeof *m->look);
    m->stack = dd_work_array(w, rows, sizeof *m->stack);
    m->queue = dd_work_array(w, rows, sizeof *m->queue);
    m->mark = dd_work_array(w, cols, sizeof *m->mark);
    m->seen = dd_work_array(w, cols, sizeof *m->seen);
    return w->failed ? DD_OUT_OF_MEMORY : DD_OK;
}

dd_status dd_graph_match(uint32_t *size, dd_context *ctx, const dd_pattern *a, const uint32_t *row_order, bool initial,
                         uint32_t *row_match, uint32_t *col_match)
{
    if (!initial) {
        memset(row_match, 0xff, (size_t)a->nrows * sizeof *row_match);
        memset(col_match, 0xff, (size_t)a->ncols * sizeof *col_match);
    }
    dd_work w = {.ctx = ctx};
    matcher m = {.a = a, .row_match = row_match, .col_match = col_match};
    dd_status st = new_matcher(&m, &w);
    st = st == DD_OK ? run(ctx, &m, row_order) : st;
    dd_work_free(&w);
    *size = m.size;
    return st;
}

dd_status dd_graph_match_extend(uint32_t *size, dd_context *ctx, const dd_pattern *a, uint32_t first,
                                uint32_t *row_match, uint32_t *col_match)
{
    dd_work w = {.ctx = ctx};
    matcher m = {.a = a, .row_match = row_match, .col_match = col_match};
    dd_status st = new_matcher(&m, &w);
    st = st == DD_OK ? run_extend(ctx, &m, first) : st;
    dd_work_free(&w);
    *size = m.size;
    return st;
}
