/* dag_impl.h - the storage of the dag, for the files of this folder only.
 *
 *   nodes[e] = { op, n, a, b }     n <= 2 arguments are in a, b;  n >= 3: args[a .. a+n-1]
 *   NUM: a = place in numbers      PARAM: a = id      VAR: a = id, b = order of derivative
 *   MUL with a number in front and n >= 3: b = the node of the product without the number
 *   ADD with n >= 3: b = its primitive sum when that was asked for (sum.c)
 *
 *   table: open addressing, hash << 32 | node index (0 is empty; node 0 is never an expression); the hash is there
 *   so that a search does not touch the nodes
 *   stamp, place, bits: per node, for walks (walk.h); they grow when a walk starts
 */
#ifndef DD_EXPR_DAG_IMPL_H
#define DD_EXPR_DAG_IMPL_H

#include "expr/dag.h"
#include "expr/ratio.h"

typedef struct dd_node {
    uint8_t op;
    uint32_t n;
    uint32_t a, b;
} dd_node;

enum { DD_SPARE_LISTS = 4 }; /* walks within walks are few */

struct dd_dag {
    dd_pool *pool;
    dd_context *ctx;
    dd_node *nodes;
    uint32_t count, capacity, max_nodes;
    uint64_t *table;
    uint32_t table_mask;
    DD_VEC(dd_expr) args;
    DD_VEC(dd_ratio) numbers;
    uint32_t *stamp, *place;
    uint64_t *bits; /* one per node, all zero between uses: sorts nodes of a walk */
    uint32_t mark_capacity, epoch;
    dd_expr_vec spare[DD_SPARE_LISTS]; /* lists of walks that ended, for those that begin */
    bool has_derived;                  /* a DERIVED node was made */
    dd_expr zero, one, minus_one;
};

/* The arguments of e. The pointer is good until the next node is made. */
static inline const dd_expr *dd_args_of(const dd_dag *dag, dd_expr e)
{
    const dd_node *node = &dag->nodes[e];
    return node->n <= 2 ? &node->a : &dag->args.data[node->a];
}

static inline dd_op dd_op_at(const dd_dag *dag, dd_expr e)
{
    return (dd_op)dag->nodes[e].op;
}

static inline dd_ratio dd_ratio_at(const dd_dag *dag, dd_expr e)
{
    return dag->numbers.data[dag->nodes[e].a];
}

static inline bool dd_is_op(const dd_dag *dag, dd_expr e, dd_op op)
{
    return dag->nodes[e].op == op;
}

/* 0^(-1): defined nowhere, so that numbers and factors at it do not matter. */
static inline bool dd_divides_by_zero(const dd_dag *dag, dd_expr e)
{
    return dd_is_op(dag, e, DD_OP_POW) && dag->nodes[e].a == dag->zero && dd_is_op(dag, dag->nodes[e].b, DD_OP_NUM);
}

/* The number in front of a term c*t (1 when there is none) and the rest t; a NUM is c with rest DD_EXPR_NONE. */
static inline dd_expr dd_term_split(const dd_dag *dag, dd_expr term, dd_expr *rest)
{
    const dd_node *node = &dag->nodes[term];
    if (node->op == DD_OP_NUM) {
        *rest = DD_EXPR_NONE;
        return term;
    }
    dd_expr first = node->op == DD_OP_MUL ? *dd_args_of(dag, term) : DD_EXPR_NONE;
    if (first != DD_EXPR_NONE && dag->nodes[first].op == DD_OP_NUM) {
        *rest = node->b;
        return first;
    }
    *rest = term;
    return dag->one;
}

/* The node with exactly these arguments (not inside dag->args), already canonical; made when it is not there yet. */
dd_expr dd_intern(dd_dag *dag, dd_op op, const dd_expr *args, uint32_t n);
dd_expr dd_intern_number(dd_dag *dag, dd_ratio value);

/* number*rest for a rest without a number in front that is neither NUM nor ADD. */
dd_expr dd_scale_term(dd_dag *dag, dd_expr number, dd_expr rest);

/* number*e for a NUM; sums are multiplied out. */
dd_expr dd_scale(dd_dag *dag, dd_expr number, dd_expr e);

/* sum = content*primitive with the numbers of the primitive sum integers without common factor; the sign stays. In
 * products and integer powers sums are in this form, so that 2*(a + b)*x and (2*a + 2*b)*x are the same node. */
dd_expr dd_primitive(dd_dag *dag, dd_expr sum, dd_ratio *content);

/* A copy of the arguments in a small buffer or, when they are many, in a block: for building nodes while reading. */
#define DD_SMALL_ARGS 32
typedef struct dd_args_copy {
    dd_expr *data;
    uint32_t n;
    dd_expr small[DD_SMALL_ARGS];
} dd_args_copy;
void dd_args_copy_new(dd_args_copy *copy, dd_dag *dag, dd_expr e);
void dd_args_copy_free(dd_args_copy *copy, dd_dag *dag);

/* The derivative of e with respect to its argument i, for every operation but ADD, MUL, IF, MIN and MAX. Of
 * DERIVED only the odd arguments have one. */
dd_expr dd_local_partial(dd_dag *dag, dd_expr e, uint32_t i);

#endif
