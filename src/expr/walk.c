/* walk.c - collecting reachable nodes with an explicit stack and marks that carry the number of the walk. */
#include "expr/walk.h"

#include <assert.h>
#include <string.h>

#include "expr/dag_impl.h"
#include "expr/sort.h"

static void grow_marks(dd_dag *dag)
{
    uint32_t old = dag->mark_capacity, capacity = dag->capacity;
    dag->stamp = dd_block_resize(dag->pool, dag->stamp, capacity * sizeof *dag->stamp);
    dag->place = dd_block_resize(dag->pool, dag->place, capacity * sizeof *dag->place);
    memset(dag->stamp + old, 0, (capacity - old) * sizeof *dag->stamp);
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

/* The list of found nodes is its own queue: arguments of nodes[i] are added behind. */
dd_walk dd_walk_new(dd_dag *dag, const dd_expr *roots, uint32_t n_roots, dd_expr lowest)
{
    /* marks grow with the dag, and only when a walk needs them */
    if (dag->mark_capacity < dag->count) {
        grow_marks(dag);
    }
    uint32_t epoch = next_epoch(dag);
    DD_VEC(dd_expr) found = {0};
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
        for (uint32_t k = 0, n = dag->nodes[found.data[i]].n; k < n; k++) {
            if (args[k] >= lowest && stamp[args[k]] != epoch) {
                stamp[args[k]] = epoch;
                dd_vec_push(dag->pool, &found, args[k]);
            }
        }
    }
    dd_check_stop(dag->ctx);
    /* by index, which is a topological order */
    dd_sort_u32(found.data, found.len);
    for (uint32_t i = 0; i < found.len; i++) {
        dag->place[found.data[i]] = i;
    }
    return (dd_walk){found.data, found.len, epoch};
}

void dd_walk_free(dd_dag *dag, dd_walk *walk)
{
    dd_block_free(dag->pool, walk->nodes);
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

void dd_symbols(dd_dag *dag, dd_expr e, bool with_params, dd_expr_vec *out, dd_pool *pool)
{
    dd_walk walk = dd_walk_new(dag, &e, 1, 0);
    for (uint32_t i = 0; i < walk.n; i++) {
        dd_op op = dd_op_at(dag, walk.nodes[i]);
        if (op == DD_OP_VAR || (with_params && (op == DD_OP_PARAM || op == DD_OP_TIME))) {
            dd_vec_push(pool, out, walk.nodes[i]);
        }
    }
    dd_walk_free(dag, &walk);
}

/* Arguments have smaller indices than their users, so nothing below the symbol needs to be looked at. */
bool dd_depends(dd_dag *dag, dd_expr e, dd_expr symbol)
{
    dd_walk walk = dd_walk_new(dag, &e, 1, symbol);
    bool found = walk.n > 0 && walk.nodes[0] == symbol;
    dd_walk_free(dag, &walk);
    return found;
}
