/* substitute.c - replacing symbols and rebuilding the nodes above them, in index order. */
#include <string.h>

#include "expr/dag_impl.h"
#include "expr/sort.h"
#include "expr/walk.h"

/* The node with its arguments replaced; e itself when none changed. All arguments have places in the newest walk. */
static dd_expr rebuild(dd_dag *dag, const dd_expr *image, dd_expr e)
{
    const dd_expr *old = dd_args_of(dag, e);
    bool changed = false;
    for (uint32_t i = 0; i < dag->nodes[e].n && !changed; i++) {
        changed = image[dag->place[old[i]]] != old[i];
    }
    if (!changed) {
        return e;
    }
    dd_args_copy args;
    dd_args_copy_new(&args, dag, e);
    for (uint32_t i = 0; i < args.n; i++) {
        args.data[i] = image[dag->place[args.data[i]]];
    }
    dd_expr result = dd_make(dag, dd_op_at(dag, e), args.data, args.n);
    dd_args_copy_free(&args, dag);
    return result;
}

static bool is_symbol(const dd_dag *dag, dd_expr e)
{
    dd_op op = dd_op_at(dag, e);
    return op == DD_OP_VAR || op == DD_OP_PARAM || op == DD_OP_TIME;
}

/* A symbol and what the caller's map makes of it. */
typedef struct replaced {
    dd_expr symbol, by;
} replaced;
typedef DD_VEC(replaced) replaced_vec;

/* By rising index: the map may make nodes, and their order must not depend on that of the walk. */
static replaced_vec ask(dd_dag *dag, const dd_walk *walk, dd_symbol_map map, void *user)
{
    dd_expr_vec symbols = {0};
    replaced_vec found = {0};
    for (uint32_t i = 0; i < walk->n; i++) {
        if (is_symbol(dag, walk->nodes[i])) {
            dd_vec_push(dag->pool, &symbols, walk->nodes[i]);
        }
    }
    dd_sort_u32(symbols.data, symbols.len);
    for (uint32_t i = 0; i < symbols.len; i++) {
        const dd_expr by = map(user, symbols.data[i]);
        if (by != DD_EXPR_NONE && by != symbols.data[i]) {
            dd_vec_push(dag->pool, &found, ((replaced){symbols.data[i], by}));
        }
    }
    dd_vec_free(dag->pool, &symbols);
    return found;
}

/* Everything above the replaced symbols, arguments before users. */
static void replace(dd_dag *dag, dd_walk *walk, const replaced_vec *found, const dd_expr *exprs, uint32_t n,
                    dd_expr *out)
{
    dd_walk_order(dag, walk);
    dd_expr *image = dd_block_resize(dag->pool, NULL, ((size_t)walk->n + 1) * sizeof *image);
    memcpy(image, walk->nodes, walk->n * sizeof *image);
    for (uint32_t i = 0; i < found->len; i++) {
        image[dd_walk_place(dag, walk, found->data[i].symbol)] = found->data[i].by;
    }
    for (uint32_t i = 0; i < walk->n; i++) {
        if (dag->nodes[walk->nodes[i]].n > 0) {
            image[i] = rebuild(dag, image, walk->nodes[i]);
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        out[i] = exprs[i] != DD_EXPR_NONE ? image[dd_walk_place(dag, walk, exprs[i])] : DD_EXPR_NONE;
    }
    dd_block_free(dag->pool, image);
}

void dd_substitute_all(dd_dag *dag, const dd_expr *exprs, uint32_t n, dd_symbol_map map, void *user, dd_expr *out)
{
    dd_walk walk = dd_walk_unordered(dag, exprs, n);
    replaced_vec found = ask(dag, &walk, map, user);
    /* most calls replace nothing: they need no order */
    if (found.len > 0) {
        replace(dag, &walk, &found, exprs, n, out);
    } else if (out != exprs && n > 0) {
        memmove(out, exprs, n * sizeof *out);
    }
    dd_vec_free(dag->pool, &found);
    dd_walk_free(dag, &walk);
}

dd_expr dd_substitute(dd_dag *dag, dd_expr e, dd_symbol_map map, void *user)
{
    dd_expr out;
    dd_substitute_all(dag, &e, 1, map, user, &out);
    return out;
}
