/* order.c - the elimination order of a row space.
 *
 * 1. Column singletons: a column that occurs in one row only is pivot of that row if its entry is large enough there,
 *    and the row is out of the game; this may leave further singletons. (The equations of a model that merely define
 *    a variable go this way.)
 * 2. COLAMD on the rest.
 * 3. A postorder of the column elimination tree, larger subtrees first. It does not change the fill, but keeps columns
 *    that are eliminated together side by side, which the partial sums of long rows need: they run along the order.
 * Rows with one entry cause no fill and are left out; so are long rows.
 */
#include <colamd.h>
#include <string.h>

#include "la/travel.h"

typedef struct ordering {
    dd_pattern rows;    /* all rows */
    dd_pattern cols;    /* its transpose, */
    uint32_t *entry;    /* with the position of each entry in rows.idx */
    const double *size; /* sizes of the entries, NULL: all alike */
    double threshold;
    uint8_t *used;         /* rows that take part */
    uint32_t *count;       /* columns: rows that take part */
    uint32_t *core_column; /* column of the rest -> column, and */
    uint32_t *core_index;  /* back; DD_NO_INDEX for singletons */
    uint32_t singletons, core;
} ordering;

static void select_rows(ordering *o)
{
    uint32_t longest = dd_long_row_limit(o->rows.ncols);
    for (uint32_t i = 0; i < o->rows.nrows; i++) {
        /* a row with one entry never fills in; a long one would make every column a neighbour of every other */
        uint32_t len = o->rows.ptr[i + 1] - o->rows.ptr[i];
        o->used[i] = len > 1 && len <= longest;
        for (uint32_t e = o->rows.ptr[i]; e < o->rows.ptr[i + 1] && o->used[i]; e++) {
            o->count[o->rows.idx[e]]++;
        }
    }
}

/* Is entry e large enough within row i to be its pivot? */
static bool is_large(const ordering *o, uint32_t i, uint32_t e)
{
    double largest = 0;
    for (uint32_t k = o->rows.ptr[i]; k < o->rows.ptr[i + 1] && o->size != NULL; k++) {
        largest = o->size[k] > largest ? o->size[k] : largest;
    }
    return o->size == NULL || o->size[e] >= o->threshold * largest;
}

/* Takes row i out with its singleton j, which comes next in the order, followed by the columns that no row is left for:
 * so a row that arrives at j and is reduced there finds its next free column at once. Columns left with one row join
 * the queue. */
static uint32_t take_singleton(ordering *o, uint32_t j, uint32_t i, uint32_t *queue, uint32_t tail,
                               uint32_t *column_order)
{
    /* the row leaves the game, and every column it was in has one row less */
    o->used[i] = 0;
    o->core_index[j] = DD_NO_INDEX;
    column_order[o->singletons++] = j;
    for (uint32_t e = o->rows.ptr[i]; e < o->rows.ptr[i + 1]; e++) {
        uint32_t k = o->rows.idx[e];
        o->count[k]--;
        if (o->count[k] == 1) {
            queue[tail++] = k;
        } else if (o->count[k] == 0 && k != j) {
            o->core_index[k] = DD_NO_INDEX;
            column_order[o->singletons++] = k;
        }
    }
    return tail;
}

/* Writes the singletons to the front of column_order. */
static void peel_singletons(ordering *o, uint32_t *queue, uint32_t *column_order)
{
    uint32_t head = 0, tail = 0;
    for (uint32_t j = 0; j < o->rows.ncols; j++) {
        o->core_index[j] = 0;
        if (o->count[j] == 1) {
            queue[tail++] = j;
        }
    }
    /* peeling one singleton may create the next */
    while (head < tail) {
        uint32_t j = queue[head++], e = o->cols.ptr[j];
        if (o->count[j] != 1) {
            continue; /* its row went with another column */
        }
        /* the one row of column j that is left */
        while (!o->used[o->cols.idx[e]]) {
            e++;
        }
        if (is_large(o, o->cols.idx[e], o->entry[e])) {
            tail = take_singleton(o, j, o->cols.idx[e], queue, tail, column_order);
        }
    }
    /* the columns that remain are the core, numbered by ascending column */
    for (uint32_t j = 0; j < o->rows.ncols; j++) {
        if (o->core_index[j] != DD_NO_INDEX) {
            o->core_index[j] = o->core;
            o->core_column[o->core++] = j;
        }
    }
}

/* COLAMD's order of the core columns into order (core of them). */
static dd_status order_core(dd_context *ctx, const ordering *o, uint32_t *order)
{
    uint32_t nnz = o->rows.ptr[o->rows.nrows];
    size_t room = colamd_recommended((int)nnz, (int)o->rows.nrows, (int)o->core);
    /* room as COLAMD recommends: its input is overwritten during the run */
    dd_work w = {.ctx = ctx};
    int *ptr = dd_work_array(&w, (size_t)o->core + 1, sizeof *ptr);
    int *idx = dd_work_array(&w, room, sizeof *idx);
    dd_status st = w.failed || room == 0 ? DD_OUT_OF_MEMORY : DD_OK;
    if (st == DD_OK) {
        int at = 0, stats[COLAMD_STATS];
        /* the core by columns, with the rows that still take part */
        for (uint32_t k = 0; k < o->core; k++) {
            uint32_t j = o->core_column[k];
            ptr[k] = at;
            for (uint32_t e = o->cols.ptr[j]; e < o->cols.ptr[j + 1]; e++) {
                if (o->used[o->cols.idx[e]]) {
                    idx[at++] = (int)o->cols.idx[e];
                }
            }
        }
        ptr[o->core] = at;
        if (!colamd((int)o->rows.nrows, (int)o->core, (int)room, idx, ptr, NULL, stats)) {
            st = dd_fail(ctx, DD_INVALID_ARGUMENT, "the pattern of the rows is not valid");
        }
        for (uint32_t k = 0; k < o->core && st == DD_OK; k++) {
            order[k] = (uint32_t)ptr[k];
        }
    }
    dd_work_free(&w);
    return st;
}

/* Elimination tree of A^T A in the given order (Liu 1990): parent of position k, or DD_NO_INDEX. ancestor: core;
 * previous: rows. */
static void column_tree(const ordering *o, const uint32_t *order, uint32_t *parent, uint32_t *ancestor,
                        uint32_t *previous)
{
    memset(previous, 0xff, (size_t)o->rows.nrows * sizeof *previous);
    for (uint32_t k = 0; k < o->core; k++) {
        parent[k] = ancestor[k] = DD_NO_INDEX;
        uint32_t j = o->core_column[order[k]];
        for (uint32_t e = o->cols.ptr[j]; e < o->cols.ptr[j + 1]; e++) {
            uint32_t i = o->cols.idx[e];
            if (!o->used[i]) {
                continue;
            }
            /* climb from the last column of row i to its root, compressing the path: the root gets k as parent */
            for (uint32_t r = previous[i]; r != DD_NO_INDEX && r < k;) {
                uint32_t next = ancestor[r];
                ancestor[r] = k;
                if (next == DD_NO_INDEX) {
                    parent[r] = k;
                }
                r = next;
            }
            /* the columns of one row form a clique of A^T A, so it is enough to link each to the one before */
            previous[i] = k;
        }
    }
}

/* Start of each node in a postorder in which the largest subtree of a node comes first. first: start of the node's
 * subtree; size: of its subtree; big: its largest child. All of length core. Nodes come before their parents. */
static void postorder(const ordering *o, const uint32_t *parent, uint32_t *size, uint32_t *big, uint32_t *first,
                      uint32_t *next)
{
    uint32_t roots = 0;
    for (uint32_t k = 0; k < o->core; k++) {
        size[k] = 1;
        big[k] = DD_NO_INDEX;
    }
    /* parents have larger numbers than their children: one pass sums up subtrees */
    for (uint32_t k = 0; k < o->core; k++) {
        uint32_t p = parent[k];
        if (p != DD_NO_INDEX) {
            size[p] += size[k];
            big[p] = big[p] == DD_NO_INDEX || size[k] > size[big[p]] ? k : big[p];
        }
    }
    /* from the roots down: the largest child starts where its parent's subtree starts, the others follow */
    for (uint32_t k = o->core; k > 0; k--) {
        uint32_t v = k - 1, p = parent[v];
        if (p == DD_NO_INDEX) {
            first[v] = roots;
            roots += size[v];
        } else if (big[p] == v) {
            first[v] = first[p];
        } else {
            first[v] = next[p];
            next[p] += size[v];
        }
        next[v] = first[v] + (big[v] != DD_NO_INDEX ? size[big[v]] : 0);
    }
}

static dd_status order_rest(dd_context *ctx, const ordering *o, uint32_t *column_order)
{
    size_t n = o->core;
    dd_work w = {.ctx = ctx};
    uint32_t *order = dd_work_array(&w, n, sizeof *order);
    uint32_t *parent = dd_work_array(&w, n, sizeof *parent);
    uint32_t *size = dd_work_array(&w, n, sizeof *size);
    uint32_t *big = dd_work_array(&w, n, sizeof *big);
    uint32_t *first = dd_work_array(&w, n, sizeof *first);
    uint32_t *next = dd_work_array(&w, n, sizeof *next);
    uint32_t *previous = dd_work_array(&w, o->rows.nrows, sizeof *previous);
    dd_status st = w.failed ? DD_OUT_OF_MEMORY : order_core(ctx, o, order);
    if (st == DD_OK) {
        column_tree(o, order, parent, next, previous);
        postorder(o, parent, size, big, first, next);
        /* a node comes last in its subtree: at first + size - 1 */
        for (uint32_t k = 0; k < n; k++) {
            column_order[o->singletons + first[k] + size[k] - 1] = o->core_column[order[k]];
        }
    }
    dd_work_free(&w);
    return st;
}

dd_status dd_rowspace_order(dd_context *ctx, const dd_pattern *a, const double *size, double threshold,
                            uint32_t *column_order)
{
    uint32_t nnz = a->ptr[a->nrows];
    /* COLAMD and its work arrays count with 32-bit integers */
    if (nnz > INT32_MAX / 4 || a->nrows > INT32_MAX / 8 || a->ncols > INT32_MAX / 8) {
        return dd_fail(ctx, DD_LIMIT, "the matrix has too many entries to be ordered");
    }
    dd_work w = {.ctx = ctx};
    uint32_t *col_ptr = dd_work_array(&w, (size_t)a->ncols + 1, sizeof *col_ptr);
    uint32_t *row_idx = dd_work_array(&w, nnz, sizeof *row_idx);
    uint32_t *queue = dd_work_array(&w, a->ncols, sizeof *queue);
    /* both directions of the pattern, then the parts of the ordering */
    ordering o = {.rows = *a, .cols = {.nrows = a->ncols, .ncols = a->nrows, .ptr = col_ptr, .idx = row_idx}};
    o.size = size;
    o.threshold = threshold;
    o.entry = dd_work_array(&w, nnz, sizeof *o.entry);
    o.used = dd_work_array(&w, a->nrows, sizeof *o.used);
    o.count = dd_work_array(&w, a->ncols, sizeof *o.count);
    o.core_column = dd_work_array(&w, a->ncols, sizeof *o.core_column);
    o.core_index = dd_work_array(&w, a->ncols, sizeof *o.core_index);
    dd_status st = DD_OUT_OF_MEMORY;
    if (!w.failed) {
        dd_pattern_transpose(a, col_ptr, row_idx, o.entry);
        select_rows(&o);
        peel_singletons(&o, queue, column_order);
        st = order_rest(ctx, &o, column_order);
    }
    dd_work_free(&w);
    return st;
}
