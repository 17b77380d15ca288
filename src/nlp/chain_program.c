/* chain_program.c - the LU factorisation of a sparse leaf as a list of entries (chain_sparse.h).
 *
 * 1. Every row gets a variable: the one that it determines where that is there, else by a maximum matching.
 * 2. Minimum degree on the graph of A and its transpose, rows in the order of their variables.
 * 3. The columns one by one (Gilbert and Peierls 1988), with values where they are given: then the pivot is the row of
 *    step 1 unless it is small beside its column in some lane.
 * 4. L and U by rows, and which rows each panel of right-hand sides reaches.
 */
#include <math.h>
#include <string.h>

#include "graph/match.h"
#include "la/ldl.h"
#include "nlp/chain_sparse.h"
#include "nlp/chain_vector.h"

static const double keep_pivot = 0.1; /* as in chain_lanes.c */

/* Columns of a factor while they are found. */
typedef struct columns {
    uint32_t *ptr, *row;
    double *value; /* CHAIN_LANES for each; NULL: structure alone */
    uint32_t count;
    size_t room;
} columns;

typedef struct analysis {
    dd_context *ctx;
    const chain_shape *s;
    const v8 *value; /* of a batch; NULL: structure alone */
    uint32_t nd;
    uint32_t *ptr, *row, *entry; /* A by columns: rows, slots */
    uint32_t *wanted;            /* row of a variable */
    uint32_t *order;             /* variable at a position */
    uint32_t *position;          /* of a row; DD_NO_INDEX: it has none yet */
    uint32_t *chosen;            /* row at a position */
    columns l, u;                /* L: rows of A; U: positions */
    double *x;                   /* nd elements: the column at hand, by rows of A */
    uint8_t *mark;               /* nd: rows in it */
} analysis;

INLINE v8 load(const double *p)
{
    v8 v;
    memcpy(&v, p, sizeof v);
    return v;
}

INLINE void store(double *p, v8 v)
{
    memcpy(p, &v, sizeof v);
}

static bool push(analysis *a, columns *c, uint32_t row)
{
    if (c->count == c->room) {
        const size_t room = 2 * c->room + 64, element = CHAIN_LANES * sizeof *c->value;
        uint32_t *rows = dd_mem_resize(a->ctx, c->row, c->room * sizeof *rows, room * sizeof *rows);
        if (!rows) {
            return false;
        }
        c->row = rows;
        if (a->value) {
            double *value = dd_mem_resize(a->ctx, c->value, c->room * element, room * element);
            if (!value) {
                /* the rows have their new size, and room says what is freed */
                c->row = dd_mem_resize(a->ctx, rows, room * sizeof *rows, c->room * sizeof *rows);
                return false;
            }
            c->value = value;
        }
        c->room = room;
    }
    c->row[c->count] = row;
    if (a->value) {
        memcpy(c->value + (size_t)c->count * CHAIN_LANES, a->x + (size_t)row * CHAIN_LANES, CHAIN_LANES * sizeof *a->x);
    }
    c->count++;
    return true;
}

static void free_columns(const analysis *a, columns *c)
{
    dd_mem_free(a->ctx, c->row, c->room * sizeof *c->row);
    dd_mem_free(a->ctx, c->value, c->value ? c->room * CHAIN_LANES * sizeof *c->value : 0);
}

/* A by columns, and a row for every variable. */
static dd_status match_rows(analysis *a)
{
    const chain_shape *s = a->s;
    dd_work w = {.ctx = a->ctx};
    uint32_t *row_match = dd_work_array(&w, a->nd, sizeof *row_match);
    if (w.failed) {
        return DD_OUT_OF_MEMORY;
    }
    const dd_pattern rows = {.nrows = a->nd, .ncols = a->nd, .ptr = s->a_ptr, .idx = s->a_col};
    dd_pattern_transpose(&rows, a->ptr, a->row, a->entry);
    memset(row_match, 0xff, a->nd * sizeof *row_match);
    memset(a->wanted, 0xff, a->nd * sizeof *a->wanted);
    /* rows begin with the variables that they determine */
    for (uint32_t i = 0; i < a->nd; i++) {
        for (uint32_t e = s->a_ptr[i]; e < s->a_ptr[i + 1]; e++) {
            if (s->a_col[e] == i) {
                row_match[i] = a->wanted[i] = i;
            }
        }
    }
    uint32_t size = 0;
    const dd_status st = dd_graph_match(&size, a->ctx, &rows, NULL, true, row_match, a->wanted);
    dd_work_free(&w);
    return st == DD_OK && size < a->nd ? DD_LIMIT : st;
}

/* Minimum degree on the graph of the variables. */
static dd_status find_order(analysis *a)
{
    const uint32_t nd = a->nd, entries = a->ptr[nd];
    dd_work w = {.ctx = a->ctx};
    uint32_t *ptr = dd_work_array(&w, (size_t)nd + 1, sizeof *ptr), *idx = dd_work_array(&w, entries, sizeof *idx);
    uint32_t *key = dd_work_array(&w, entries, sizeof *key), *other = dd_work_array(&w, entries, sizeof *other);
    uint32_t *sorted = dd_work_array(&w, entries, sizeof *sorted), *last = dd_work_array(&w, nd, sizeof *last);
    uint32_t *variable = dd_work_array(&w, nd, sizeof *variable);
    if (w.failed) {
        dd_work_free(&w);
        return DD_OUT_OF_MEMORY;
    }
    for (uint32_t j = 0; j < nd; j++) {
        variable[a->wanted[j]] = j;
    }
    /* entries of the lower triangle, each once */
    for (uint32_t j = 0; j < nd; j++) {
        for (uint32_t e = a->ptr[j]; e < a->ptr[j + 1]; e++) {
            const uint32_t i = variable[a->row[e]];
            key[e] = i < j ? i : j;
            other[e] = i < j ? j : i;
        }
    }
    dd_bucket_sort(entries, nd, key, ptr, sorted);
    memset(last, 0xff, nd * sizeof *last);
    uint32_t count = 0;
    for (uint32_t j = 0; j < nd; j++) {
        const uint32_t from = ptr[j];
        ptr[j] = count;
        for (uint32_t e = from; e < ptr[j + 1]; e++) {
            const uint32_t i = other[sorted[e]];
            if (last[i] != j) {
                last[i] = j;
                idx[count++] = i;
            }
        }
    }
    ptr[nd] = count;
    const dd_ldl_pattern graph = {.n = nd, .ptr = ptr, .idx = idx};
    const dd_status st = dd_ldl_find_order(a->order, a->ctx, &graph);
    dd_work_free(&w);
    return st;
}

/* The row of the pivot of the column in x. */
static uint32_t choose_row(const analysis *a, uint32_t variable)
{
    const uint32_t wanted = a->wanted[variable];
    const bool is_free = a->position[wanted] == DD_NO_INDEX;
    if (!a->value) {
        return wanted;
    }
    v8 largest = {0};
    for (uint32_t i = 0; i < a->nd; i++) {
        if (a->mark[i] && a->position[i] == DD_NO_INDEX) {
            largest = larger(largest, absolute(load(a->x + (size_t)i * CHAIN_LANES)));
        }
    }
    /* the smallest part of the column's largest entry, over the lanes */
    double best = -1;
    uint32_t at = DD_NO_INDEX;
    for (uint32_t i = 0; i < a->nd; i++) {
        if (!a->mark[i] || a->position[i] != DD_NO_INDEX) {
            continue;
        }
        double least = 1;
        for (int l = 0; l < CHAIN_LANES; l++) {
            const double size = fabs(a->x[(size_t)i * CHAIN_LANES + l]), of = largest[l];
            least = size < least * of ? size / of : of > 0 ? least : 0;
        }
        if (i == wanted && least >= keep_pivot) {
            return i;
        }
        if (least > best) {
            best = least;
            at = i;
        }
    }
    return at != DD_NO_INDEX || !is_free ? at : wanted;
}

/* x := L^-1 times a column of A; its entries of U are written. */
static void reach_column(analysis *a, uint32_t variable, uint32_t at)
{
    for (uint32_t e = a->ptr[variable]; e < a->ptr[variable + 1]; e++) {
        const uint32_t i = a->row[e];
        a->mark[i] = 1;
        if (a->value) {
            store(a->x + (size_t)i * CHAIN_LANES, a->value[a->entry[e]]);
        }
    }
    for (uint32_t k = 0; k < at; k++) {
        const uint32_t pivot = a->chosen[k];
        if (!a->mark[pivot]) {
            continue;
        }
        a->u.row[a->u.count] = k; /* room was made */
        a->u.count++;
        const v8 x = a->value ? load(a->x + (size_t)pivot * CHAIN_LANES) : (v8){0};
        for (uint32_t e = a->l.ptr[k]; e < a->l.ptr[k + 1]; e++) {
            const uint32_t i = a->l.row[e];
            a->mark[i] = 1;
            if (a->value) {
                double *to = a->x + (size_t)i * CHAIN_LANES;
                store(to, load(to) - load(a->l.value + (size_t)e * CHAIN_LANES) * x);
            }
        }
    }
}

/* Room for a whole column of U. */
static bool make_room(analysis *a, columns *c)
{
    const size_t wanted = (size_t)c->count + a->nd;
    if (wanted <= c->room) {
        return true;
    }
    const size_t room = 2 * wanted;
    uint32_t *rows = dd_mem_resize(a->ctx, c->row, c->room * sizeof *rows, room * sizeof *rows);
    if (!rows) {
        return false;
    }
    c->row = rows;
    c->room = room;
    return true;
}

/* One column: its pivot, U above it, L below. DD_LIMIT: there is no pivot. */
static dd_status factor_column(analysis *a, uint32_t at)
{
    const uint32_t variable = a->order[at], nd = a->nd;
    a->l.ptr[at] = a->l.count;
    a->u.ptr[at] = a->u.count;
    memset(a->mark, 0, nd);
    memset(a->x, 0, (size_t)nd * CHAIN_LANES * sizeof *a->x);
    if (!make_room(a, &a->u)) {
        return DD_OUT_OF_MEMORY;
    }
    /* L^-1 times the column of A (Gilbert and Peierls): U so far, and the candidates for the pivot */
    reach_column(a, variable, at);
    const uint32_t row = choose_row(a, variable);
    if (row == DD_NO_INDEX) {
        return DD_LIMIT;
    }
    a->position[row] = at;
    a->chosen[at] = row;
    /* what is left of the column, divided by the pivot, is L; without values only its pattern is wanted */
    v8 inverse = {0};
    if (a->value) {
        inverse = 1 / load(a->x + (size_t)row * CHAIN_LANES);
    }
    for (uint32_t i = 0; i < nd; i++) {
        if (a->mark[i] && a->position[i] == DD_NO_INDEX) {
            double *x = a->x + (size_t)i * CHAIN_LANES;
            store(x, load(x) * inverse);
            if (!push(a, &a->l, i)) {
                return DD_OUT_OF_MEMORY;
            }
        }
    }
    a->l.ptr[at + 1] = a->l.count;
    a->u.ptr[at + 1] = a->u.count;
    return DD_OK;
}

/* ---- the program ---- */

/* By rows from columns: place[e] is the row of entry e. */
static void by_rows(uint32_t nd, const columns *c, const uint32_t *position, uint32_t *ptr, uint32_t *col)
{
    memset(ptr, 0, ((size_t)nd + 1) * sizeof *ptr);
    for (uint32_t e = 0; e < c->count; e++) {
        ptr[(position ? position[c->row[e]] : c->row[e]) + 1]++;
    }
    for (uint32_t i = 0; i < nd; i++) {
        ptr[i + 1] += ptr[i];
    }
    /* ptr[i] runs to the end of row i, and is put back */
    for (uint32_t j = 0; j < nd; j++) {
        for (uint32_t e = c->ptr[j]; e < c->ptr[j + 1]; e++) {
            col[ptr[position ? position[c->row[e]] : c->row[e]]++] = j;
        }
    }
    for (uint32_t i = nd; i > 0; i--) {
        ptr[i] = ptr[i - 1];
    }
    ptr[0] = 0;
}

/* Entries of A by pivots. */
static void write_entries(const analysis *a, chain_program *p)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < a->nd; i++) {
        const uint32_t row = p->row[i];
        p->a_ptr[i] = count;
        for (uint32_t e = a->s->a_ptr[row]; e < a->s->a_ptr[row + 1]; e++) {
            p->a_slot[count] = e;
            p->a_at[count++] = p->col_at[a->s->a_col[e]];
        }
    }
    p->a_ptr[a->nd] = count;
}

/* The rows that a panel reaches, in mark; returns how many entries of L matter. */
static uint32_t reach_panel(const analysis *a, const chain_program *p, uint32_t panel)
{
    const chain_shape *s = a->s;
    const uint32_t from = panel * CHAIN_PANEL, to = from + CHAIN_PANEL < s->ne ? from + CHAIN_PANEL : s->ne;
    uint32_t count = 0;
    memset(a->mark, 0, a->nd);
    /* rows with an entry of the panel, then all that a substitution with L spreads them to */
    for (uint32_t e = s->ae_ptr[from]; e < s->ae_ptr[to]; e++) {
        a->mark[p->row_at[s->ae_row[e]]] = 1;
    }
    for (uint32_t i = 0; i < a->nd; i++) {
        for (uint32_t k = p->l_ptr[i]; k < p->l_ptr[i + 1]; k++) {
            if (a->mark[p->l_col[k]]) {
                a->mark[i] = 1;
                count++;
            }
        }
    }
    return count;
}

/* For every panel of right-hand sides the rows of its forward substitution and the entries of L in them. */
static bool write_reach(const analysis *a, chain_program *p, chain_pool *pool)
{
    const uint32_t panels = (a->s->ne + CHAIN_PANEL - 1) / CHAIN_PANEL;
    size_t rows = 0, parts = 0;
    /* once to count, */
    for (uint32_t panel = 0; panel < panels; panel++) {
        parts += reach_panel(a, p, panel);
        for (uint32_t i = 0; i < a->nd; i++) {
            rows += a->mark[i];
        }
    }
    p->reach_ptr = dd_chain_take(pool, (size_t)panels + 1, sizeof *p->reach_ptr);
    p->reach_row = dd_chain_take(pool, rows, sizeof *p->reach_row);
    p->part_ptr = dd_chain_take(pool, rows + 1, sizeof *p->part_ptr);
    p->part = dd_chain_take(pool, parts, sizeof *p->part);
    if (pool->failed) {
        return false;
    }
    /* forward with what is reached, backward with all of U */
    p->operations += (double)CHAIN_PANEL * ((double)parts + panels * (double)(p->u_ptr[a->nd] + a->nd));
    /* once to write */
    rows = parts = 0;
    for (uint32_t panel = 0; panel < panels; panel++) {
        reach_panel(a, p, panel);
        p->reach_ptr[panel] = (uint32_t)rows;
        for (uint32_t i = 0; i < a->nd; i++) {
            if (!a->mark[i]) {
                continue;
            }
            p->part_ptr[rows] = (uint32_t)parts;
            p->reach_row[rows++] = i;
            for (uint32_t k = p->l_ptr[i]; k < p->l_ptr[i + 1]; k++) {
                if (a->mark[p->l_col[k]]) {
                    p->part[parts++] = k;
                }
            }
        }
    }
    p->reach_ptr[panels] = (uint32_t)rows;
    p->part_ptr[rows] = (uint32_t)parts;
    return true;
}

static dd_status write_program(const analysis *a, chain_program *p, chain_pool *pool)
{
    const uint32_t nd = a->nd, entries = a->ptr[nd];
    /* everything in the pool of the plan, so that it lives as long */
    uint32_t **vectors[] = {&p->row, &p->col, &p->row_at, &p->col_at};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        *vectors[i] = dd_chain_take(pool, nd, sizeof(uint32_t));
    }
    uint32_t **pointers[] = {&p->a_ptr, &p->l_ptr, &p->u_ptr};
    for (size_t i = 0; i < sizeof pointers / sizeof *pointers; i++) {
        *pointers[i] = dd_chain_take(pool, (size_t)nd + 1, sizeof(uint32_t));
    }
    p->a_slot = dd_chain_take(pool, entries, sizeof *p->a_slot);
    p->a_at = dd_chain_take(pool, entries, sizeof *p->a_at);
    p->l_col = dd_chain_take(pool, a->l.count, sizeof *p->l_col);
    p->u_col = dd_chain_take(pool, a->u.count, sizeof *p->u_col);
    if (pool->failed) {
        return DD_OUT_OF_MEMORY;
    }
    /* permutations in both directions, then L, U and A by rows in the order of the pivots */
    for (uint32_t k = 0; k < nd; k++) {
        p->row[k] = a->chosen[k];
        p->col[k] = a->order[k];
        p->row_at[a->chosen[k]] = k;
        p->col_at[a->order[k]] = k;
    }
    by_rows(nd, &a->l, p->row_at, p->l_ptr, p->l_col);
    by_rows(nd, &a->u, NULL, p->u_ptr, p->u_col);
    /* every entry of L takes a row of U with it */
    p->entries = a->l.count + a->u.count + nd;
    p->operations = p->entries;
    for (uint32_t k = 0; k < a->l.count; k++) {
        const uint32_t j = p->l_col[k];
        p->operations += p->u_ptr[j + 1] - p->u_ptr[j];
    }
    write_entries(a, p);
    return write_reach(a, p, pool) ? DD_OK : DD_OUT_OF_MEMORY;
}

dd_status dd_chain_program_make(chain_program *out, chain_pool *pool, const chain_shape *s, const double *value)
{
    const uint32_t nd = s->nd, entries = s->a_ptr[nd];
    dd_work w = {.ctx = pool->ctx};
    analysis a = {.ctx = pool->ctx, .s = s, .value = (const v8 *)value, .nd = nd};
    uint32_t **vectors[] = {&a.wanted, &a.order, &a.position, &a.chosen};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        *vectors[i] = dd_work_array(&w, nd, sizeof(uint32_t));
    }
    uint32_t **pointers[] = {&a.ptr, &a.l.ptr, &a.u.ptr};
    for (size_t i = 0; i < sizeof pointers / sizeof *pointers; i++) {
        *pointers[i] = dd_work_array(&w, (size_t)nd + 1, sizeof(uint32_t));
    }
    a.row = dd_work_array(&w, entries, sizeof *a.row);
    a.entry = dd_work_array(&w, entries, sizeof *a.entry);
    a.x = dd_work_array(&w, (size_t)nd * CHAIN_LANES, sizeof *a.x);
    a.mark = dd_work_array(&w, nd, sizeof *a.mark);
    dd_status st = w.failed ? DD_OUT_OF_MEMORY : match_rows(&a);
    st = st == DD_OK ? find_order(&a) : st;
    /* the columns, then what they say about rows */
    for (uint32_t i = 0; i < nd && st == DD_OK; i++) {
        a.position[i] = DD_NO_INDEX;
    }
    for (uint32_t at = 0; at < nd && st == DD_OK; at++) {
        st = factor_column(&a, at);
    }
    st = st == DD_OK ? write_program(&a, out, pool) : st;
    free_columns(&a, &a.l);
    free_columns(&a, &a.u);
    dd_work_free(&w);
    return st;
}
