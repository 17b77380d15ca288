/* substitute.c - replacing symbols and rebuilding the nodes above them, in index order. */
#include "expr/dag_impl.h"
#include "expr/walk.h"

/* The node with its arguments replaced; e itself when none changed. */
static dd_expr rebuild(dd_dag *dag, const dd_walk *walk, const dd_expr *image, dd_expr e)
{
    dd_args_copy args;
    dd_args_copy_new(&args, dag, e);
    bool changed = false;
    for (uint32_t i = 0; i < args.n; i++) {
        dd_expr old = args.data[i];
        args.data[i] = image[dd_walk_place(dag, walk, old)];
        changed = changed || args.data[i] != old;
    }
    dd_expr result = changed ? dd_make(dag, dd_op_at(dag, e), args.data, args.n) : e;
    dd_args_copy_free(&args, dag);
    return result;
}

static bool is_symbol(const dd_dag *dag, dd_expr e)
{
    dd_op op = dd_op_at(dag, e);
    return op == DD_OP_VAR || op == DD_OP_PARAM || op == DD_OP_TIME;
}

void dd_substitute_all(dd_dag *dag, const dd_expr *exprs, uint32_t n, dd_symbol_map map, void *user, dd_expr *out)
{
    dd_walk walk = dd_walk_new(dag, exprs, n, 0);
    dd_expr *image = dd_block_resize(dag->pool, NULL, ((size_t)walk.n + 1) * sizeof *image);
    /* symbols first, by the caller's map */
    for (uint32_t i = 0; i < walk.n; i++) {
        dd_expr to = is_symbol(dag, walk.nodes[i]) ? map(user, walk.nodes[i]) : DD_EXPR_NONE;
        image[i] = to != DD_EXPR_NONE ? to : walk.nodes[i];
    }
    dd_walk_refresh(dag, &walk); /* the map may have walked */
    /* then everything above them, arguments before users */
    for (uint32_t i = 0; i < walk.n; i++) {
        if (dag->nodes[walk.nodes[i]].n > 0) {
            image[i] = rebuild(dag, &walk, image, walk.nodes[i]);
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        out[i] = exprs[i] != DD_EXPR_NONE ? image[dd_walk_place(dag, &walk, exprs[i])] : DD_EXPR_NONE;
    }
    dd_block_free(dag->pool, image);
    dd_walk_free(dag, &walk);
}

dd_expr dd_substitute(dd_dag *dag, dd_expr e, dd_symbol_map map, void *user)
{
    dd_expr out;
    dd_substitute_all(dag, &e, 1, map, user, &out);
    return out;
}
