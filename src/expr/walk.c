/* walk.c - collecting reachable nodes with an explicit stack and marks that carry the number of the walk. */
#include "expr/walk.h"

#include <assert.h>
#include <string.h>

#include "expr/dag_impl.h"
#include "expr/sort.h"

#define SORTED_BELOW 16u /* nodes: so few are sorted */
#define SPARSE 8u        /* words of marks per node from which on a sort is faster than a pass over all of them */
#define WORD 64u         /* marks in a word */

static void grow_marks(dd_dag *dag)
{
    uint32_t old = dag->mark_capacity, capacity = dag->capacity;
    dag->stamp = dd_block_resize(dag->pool, dag->stamp, capacity * sizeof *dag->stamp);
    dag->place = dd_block_resize(dag->pool, dag->place, capacity * sizeof *dag->place);
    memset(dag->stamp + old, 0, (capacity - old) * sizeof *dag->stamp);
    const uint32_t words = capacity / WORD + 1, old_words = old > 0 ? old / WORD + 1 : 0;
    dag->bits = dd_block_resize(dag->pool, dag->bits, words * sizeof *dag->bits);
    memset(dag->bits + old_words, 0, (words - old_words) * sizeof *dag->bits);
    dag->mark_capacity = capacity;
}

static uint32_t next_epoch(dd_dag *dag)
{
    /* after 2^32 walks the stamps start over */
    if (++dag->epoch == 0) {
        memset(dag->stamp, 0, dag->mark_capacity * sizeof *dag->stamp);
        dag->epoch = 1;
    }
    return dag->epoch;
}

/* ---- lists ---- */

/* Walks are many and most are short: lists are used again. */
static dd_expr_vec take_list(dd_dag *dag)
{
    for (uint32_t i = 0; i < DD_SPARE_LISTS; i++) {
        if (dag->spare[i].data) {
            dd_expr_vec list = dag->spare[i];
            dag->spare[i] = (dd_expr_vec){0};
            list.len = 0;
            return list;
        }
    }
    return (dd_expr_vec){0};
}

static void give_back(dd_dag *dag, dd_expr_vec list)
{
    for (uint32_t i = 0; i < DD_SPARE_LISTS && list.data; i++) {
        if (!dag->spare[i].data) {
            dag->spare[i] = list;
            list = (dd_expr_vec){0};
        }
    }
    dd_block_free(dag->pool, list.data);
}

/* ---- walks ---- */

/* All nodes below some roots, unordered, marked with the walk's number. The list is its own queue: arguments of nodes[i]
 * are added behind. held: noEvent is a leaf. */
static inline dd_expr_vec reach_until(dd_dag *dag, const dd_expr *roots, uint32_t n_roots, dd_expr lowest, bool held)
{
    /* marks grow with the dag, and only when a walk needs them */
    if (dag->mark_capacity < dag->count) {
        grow_marks(dag);
    }
    uint32_t epoch = next_epoch(dag);
    dd_expr_vec found = take_list(dag);
    uint32_t *stamp = dag->stamp;
    for (uint32_t i = 0; i < n_roots; i++) {
        dd_expr e = roots[i];
        if (e != DD_EXPR_NONE && e >= lowest && stamp[e] != epoch) {
            stamp[e] = epoch;
            dd_vec_push(dag->pool, &found, e);
        }
    }
    /* breadth first: the list is the queue */
    for (uint32_t i = 0; i < found.len; i++) {
        const dd_expr *args = dd_args_of(dag, found.data[i]);
        const bool leaf = held && dd_op_of(dag, found.data[i]) == DD_OP_NOEVENT;
        for (uint32_t k = 0, n = leaf ? 0 : dag->nodes[found.data[i]].n; k < n; k++) {
            if (args[k] >= lowest && stamp[args[k]] != epoch) {
                stamp[args[k]] = epoch;
                dd_vec_push(dag->pool, &found, args[k]);
            }
        }
    }
    dd_check_stop(dag->ctx);
    return found;
}

static dd_expr_vec reach(dd_dag *dag, const dd_expr *roots, uint32_t n_roots, dd_expr lowest)
{
    return reach_until(dag, roots, n_roots, lowest, false);
}

/* One bit per node, then a pass over the words between the first and the last: no comparison of a sort is predicted. The
 * words are zero before and after. */
static void order_by_bits(dd_dag *dag, dd_expr *nodes, uint32_t len, uint32_t first, uint32_t last)
{
    uint64_t *bits = dag->bits;
    for (uint32_t i = 0; i < len; i++) {
        bits[nodes[i] / WORD] |= UINT64_C(1) << (nodes[i] % WORD);
    }
    uint32_t n = 0;
    for (uint32_t w = first / WORD; w <= last / WORD; w++) {
        for (uint64_t left = bits[w]; left != 0; left &= left - 1) {
            nodes[n++] = w * WORD + (uint32_t)__builtin_ctzll(left);
        }
        bits[w] = 0;
    }
}

static void order(dd_dag *dag, dd_expr *nodes, uint32_t len)
{
    uint32_t first = UINT32_MAX, last = 0;
    for (uint32_t i = 0; i < len; i++) {
        first = nodes[i] < first ? nodes[i] : first;
        last = nodes[i] > last ? nodes[i] : last;
    }
    if (len < SORTED_BELOW || (last - first) / WORD / SPARSE >= len) {
        dd_sort_u32(nodes, len);
    } else {
        order_by_bits(dag, nodes, len, first, last);
    }
}

dd_walk dd_walk_unordered(dd_dag *dag, const dd_expr *roots, uint32_t n_roots)
{
    dd_expr_vec found = reach(dag, roots, n_roots, 0);
    return (dd_walk){found.data, found.len, found.cap, dag->epoch};
}

void dd_walk_order(dd_dag *dag, dd_walk *walk)
{
    /* by index, which is a topological order */
    order(dag, walk->nodes, walk->n);
    if (walk->epoch != dag->epoch) {
        dd_walk_refresh(dag, walk); /* a newer walk has taken the places */
        return;
    }
    for (uint32_t i = 0; i < walk->n; i++) {
        dag->place[walk->nodes[i]] = i;
    }
}

dd_walk dd_walk_held(dd_dag *dag, const dd_expr *roots, uint32_t n_roots)
{
    dd_expr_vec found = reach_until(dag, roots, n_roots, 0, true);
    dd_walk walk = {found.data, found.len, found.cap, dag->epoch};
    dd_walk_order(dag, &walk);
    return walk;
}

dd_walk dd_walk_new(dd_dag *dag, const dd_expr *roots, uint32_t n_roots, dd_expr lowest)
{
    dd_expr_vec found = reach(dag, roots, n_roots, lowest);
    dd_walk walk = {found.data, found.len, found.cap, dag->epoch};
    dd_walk_order(dag, &walk);
    return walk;
}

void dd_walk_free(dd_dag *dag, dd_walk *walk)
{
    give_back(dag, (dd_expr_vec){.data = walk->nodes, .len = walk->n, .cap = walk->cap});
    *walk = (dd_walk){0};
}

void dd_walk_refresh(dd_dag *dag, dd_walk *walk)
{
    /* no newer walk: the places are still valid */
    if (walk->epoch == dag->epoch) {
        return;
    }
    walk->epoch = next_epoch(dag);
    for (uint32_t i = 0; i < walk->n; i++) {
        dag->stamp[walk->nodes[i]] = walk->epoch;
        dag->place[walk->nodes[i]] = i;
    }
}

uint32_t dd_walk_place(const dd_dag *dag, const dd_walk *walk, dd_expr e)
{
    assert(walk->epoch == dag->epoch);
    return e < dag->mark_capacity && dag->stamp[e] == walk->epoch ? dag->place[e] : DD_NO_PLACE;
}

void dd_symbols_of_all(dd_dag *dag, const dd_expr *e, uint32_t count, bool with_params, dd_expr_vec *out, dd_pool *pool)
{
    dd_expr_vec found = reach(dag, e, count, 0);
    /* only they need an order */
    uint32_t n = 0;
    for (uint32_t i = 0; i < found.len; i++) {
        dd_op op = dd_op_at(dag, found.data[i]);
        if (op == DD_OP_VAR || (with_params && (op == DD_OP_PARAM || op == DD_OP_TIME))) {
            found.data[n++] = found.data[i];
        }
    }
    dd_sort_u32(found.data, n);
    for (uint32_t i = 0; i < n; i++) {
        dd_vec_push(pool, out, found.data[i]);
    }
    give_back(dag, found);
}

void dd_symbols(dd_dag *dag, dd_expr e, bool with_params, dd_expr_vec *out, dd_pool *pool)
{
    dd_symbols_of_all(dag, &e, 1, with_params, out, pool);
}

/* Arguments have smaller indices than their users, so nothing below the symbol needs to be looked at. */
bool dd_depends(dd_dag *dag, dd_expr e, dd_expr symbol)
{
    dd_expr_vec found = reach(dag, &e, 1, symbol);
    give_back(dag, found);
    return symbol < dag->mark_capacity && dag->stamp[symbol] == dag->epoch;
}

bool dd_has_switch(dd_dag *dag, const dd_expr *roots, uint32_t n)
{
    dd_walk walk = dd_walk_unordered(dag, roots, n);
    bool found = false;
    for (uint32_t i = 0; i < walk.n && !found; i++) {
        switch (dd_op_of(dag, walk.nodes[i])) {
        case DD_OP_ABS:
        case DD_OP_SIGN:
        case DD_OP_FLOOR:
        case DD_OP_CEIL:
        case DD_OP_MIN:
        case DD_OP_MAX:
        case DD_OP_MOD:
        case DD_OP_IF:
            found = true;
            break;
        default:
            break;
        }
    }
    dd_walk_free(dag, &walk);
    return found;
}
