/* dag.c - storage of the nodes: the hash table that makes equal expressions equal indices, leaves, and looking.
 * The canonical constructors are in sum.c, product.c and function.c. */
#include "expr/dag_impl.h"

#include <assert.h>
#include <string.h>

#include "base/hash.h"

#define DEFAULT_MAX_NODES (UINT32_C(1) << 28)

dd_dag *dd_dag_new(dd_pool *pool, uint32_t max_nodes)
{
    dd_dag *dag = dd_pool_alloc(pool, sizeof *dag);
    dag->pool = pool;
    dag->ctx = dd_pool_context(pool);
    dag->max_nodes = max_nodes != 0 ? max_nodes : DEFAULT_MAX_NODES;
    /* a table of 512 places and 256 nodes: both double when they fill up */
    dag->count = 1; /* node 0 is DD_EXPR_NONE */
    dag->epoch = 1;
    dag->table_mask = 511;
    dag->table = dd_block_resize(pool, NULL, 512 * sizeof *dag->table);
    memset(dag->table, 0, 512 * sizeof *dag->table);
    dag->capacity = 256;
    dag->nodes = dd_block_resize(pool, NULL, dag->capacity * sizeof *dag->nodes);
    memset(dag->nodes, 0, sizeof *dag->nodes);
    /* numbers that every constructor compares with */
    dag->zero = dd_intern_number(dag, dd_ratio_of(0, 1));
    dag->one = dd_intern_number(dag, dd_ratio_of(1, 1));
    dag->minus_one = dd_intern_number(dag, dd_ratio_of(-1, 1));
    return dag;
}

dd_pool *dd_dag_pool(const dd_dag *dag)
{
    return dag->pool;
}

uint32_t dd_dag_count(const dd_dag *dag)
{
    return dag->count;
}

/* ---- the table ---- */

static void grow_table(dd_dag *dag)
{
    uint32_t mask = 2 * dag->table_mask + 1;
    uint64_t *table = dd_block_resize(dag->pool, NULL, ((size_t)mask + 1) * sizeof *table);
    memset(table, 0, ((size_t)mask + 1) * sizeof *table);
    /* the hash is in the table, so growing does not touch the nodes */
    for (uint32_t i = 0; i <= dag->table_mask; i++) {
        uint64_t entry = dag->table[i];
        uint32_t at = (uint32_t)(entry >> 32) & mask;
        while (table[at] != 0) {
            at = (at + 1) & mask;
        }
        table[at] = entry; /* an empty one changes nothing */
    }
    dd_block_free(dag->pool, dag->table);
    dag->table = table;
    dag->table_mask = mask;
}

static void grow_nodes(dd_dag *dag)
{
    uint32_t capacity = 2 * dag->capacity;
    dag->nodes = dd_block_resize(dag->pool, dag->nodes, capacity * sizeof *dag->nodes);
    dag->capacity = capacity;
}

/* Makes room for one node more, before anything is changed. */
static void reserve_node(dd_dag *dag)
{
    /* the limit is named before memory runs out */
    if (dag->count >= dag->max_nodes) {
        dd_raise(dag->ctx, DD_LIMIT, "the expressions need more than %u nodes", dag->max_nodes);
    }
    if (dag->count == dag->capacity) {
        grow_nodes(dag);
    }
    /* at most 5/8 full: linear probing stays short */
    if (dag->count > dag->table_mask / 8 * 5) {
        grow_table(dag);
    }
    /* building is the longest loop without other checks */
    if ((dag->count & 1023) == 0) {
        dd_check_stop(dag->ctx);
    }
}

static dd_expr append_node(dd_dag *dag, dd_node node, uint32_t hash)
{
    dd_expr e = dag->count++;
    uint32_t at = hash & dag->table_mask;
    while (dag->table[at] != 0) {
        at = (at + 1) & dag->table_mask;
    }
    dag->table[at] = (uint64_t)hash << 32 | e;
    dag->nodes[e] = node;
    return e;
}

static bool same(const dd_dag *dag, dd_expr e, const dd_node *node, const dd_expr *args)
{
    const dd_node *old = &dag->nodes[e];
    if (old->op != node->op || old->n != node->n) {
        return false;
    }
    /* three and more arguments lie in args, payload and up to two in the node itself */
    if (node->n > 2) {
        return memcmp(&dag->args.data[old->a], args, node->n * sizeof *args) == 0;
    }
    return old->a == node->a && old->b == node->b;
}

/* node.a, node.b hold payload or up to two arguments; args is used for three or more. */
static dd_expr intern_node(dd_dag *dag, dd_node node, const dd_expr *args)
{
    /* operation, number of arguments, arguments: two nodes are equal exactly when these are */
    uint64_t h = dd_hash_mix(node.op, node.n);
    if (node.n <= 2) {
        h = dd_hash_mix(dd_hash_mix(h, node.a), node.b);
    } else {
        for (uint32_t i = 0; i < node.n; i++) {
            h = dd_hash_mix(h, args[i]);
        }
    }
    uint32_t hash = (uint32_t)(h ^ (h >> 32));
    /* linear probing; the hash is compared before the node is looked at */
    for (uint32_t at = hash & dag->table_mask; dag->table[at] != 0; at = (at + 1) & dag->table_mask) {
        dd_expr e = (dd_expr)dag->table[at];
        if (dag->table[at] >> 32 == hash && same(dag, e, &node, args)) {
            return e;
        }
    }
    reserve_node(dag);
    /* arguments are copied only for a node that is new */
    if (node.n > 2) {
        if (dag->args.cap - dag->args.len < node.n) {
            dd_vec_reserve(dag->pool, &dag->args, (uint64_t)dag->args.len + node.n);
        }
        node.a = dag->args.len;
        memcpy(dag->args.data + dag->args.len, args, node.n * sizeof *args);
        dag->args.len += node.n;
    }
    return append_node(dag, node, hash);
}

dd_expr dd_intern(dd_dag *dag, dd_op op, const dd_expr *args, uint32_t n)
{
    dd_node node = {.op = (uint8_t)op, .n = n};
    if (n <= 2) {
        node.a = n > 0 ? args[0] : 0;
        node.b = n > 1 ? args[1] : 0;
    } else if (op == DD_OP_MUL && dd_is_op(dag, args[0], DD_OP_NUM)) {
        /* c*x*y*z knows x*y*z, so that like terms are found without building it */
        node.b = dd_intern(dag, op, args + 1, n - 1); /* once: the rest has no number in front */
    }
    return intern_node(dag, node, args);
}

static bool same_number(dd_ratio a, dd_ratio b)
{
    return a.den == b.den && a.num == b.num && (a.den != 0 || memcmp(&a.value, &b.value, sizeof a.value) == 0);
}

dd_expr dd_intern_number(dd_dag *dag, dd_ratio value)
{
    uint64_t bits;
    /* an inexact number is its double alone */
    if (value.den == 0) {
        value.num = 0;
    }
    memcpy(&bits, &value.value, sizeof bits);
    uint64_t h = dd_hash_mix(dd_hash_mix((uint64_t)value.num, (uint64_t)value.den), bits);
    uint32_t hash = (uint32_t)(h ^ (h >> 32));
    /* by value: 1/2 and 0.5 are one number */
    for (uint32_t at = hash & dag->table_mask; dag->table[at] != 0; at = (at + 1) & dag->table_mask) {
        dd_expr e = (dd_expr)dag->table[at];
        if (dag->table[at] >> 32 == hash && dd_is_op(dag, e, DD_OP_NUM) && same_number(dd_ratio_at(dag, e), value)) {
            return e;
        }
    }
    reserve_node(dag);
    dd_vec_push(dag->pool, &dag->numbers, value);
    return append_node(dag, (dd_node){.op = DD_OP_NUM, .a = dag->numbers.len - 1}, hash);
}

void dd_args_copy_new(dd_args_copy *copy, dd_dag *dag, dd_expr e)
{
    copy->n = dag->nodes[e].n;
    /* few arguments are copied to the caller's stack */
    copy->data =
        copy->n <= DD_SMALL_ARGS ? copy->small : dd_block_resize(dag->pool, NULL, copy->n * sizeof *copy->data);
    memcpy(copy->data, dd_args_of(dag, e), copy->n * sizeof *copy->data);
}

void dd_args_copy_free(dd_args_copy *copy, dd_dag *dag)
{
    if (copy->data != copy->small) {
        dd_block_free(dag->pool, copy->data);
    }
}

/* ---- leaves ---- */

dd_expr dd_num(dd_dag *dag, double value)
{
    return dd_intern_number(dag, dd_ratio_from_double(value));
}

dd_expr dd_rational(dd_dag *dag, int64_t num, int64_t den)
{
    assert(den != 0);
    return dd_intern_number(dag, dd_ratio_of(num, den));
}

dd_expr dd_decimal(dd_dag *dag, const char *text, size_t length)
{
    return dd_intern_number(dag, dd_ratio_from_decimal(text, length));
}

dd_expr dd_param(dd_dag *dag, uint32_t id)
{
    return intern_node(dag, (dd_node){.op = DD_OP_PARAM, .a = id}, NULL);
}

dd_expr dd_var(dd_dag *dag, uint32_t id, uint32_t order)
{
    return intern_node(dag, (dd_node){.op = DD_OP_VAR, .a = id, .b = order}, NULL);
}

dd_expr dd_time(dd_dag *dag)
{
    return intern_node(dag, (dd_node){.op = DD_OP_TIME}, NULL);
}

/* ---- looking ---- */

dd_op dd_op_of(const dd_dag *dag, dd_expr e)
{
    assert(e != DD_EXPR_NONE && e < dag->count);
    return dd_op_at(dag, e);
}

uint32_t dd_arg_count(const dd_dag *dag, dd_expr e)
{
    assert(e != DD_EXPR_NONE && e < dag->count);
    return dag->nodes[e].n;
}

dd_expr dd_arg(const dd_dag *dag, dd_expr e, uint32_t i)
{
    assert(e < dag->count && i < dag->nodes[e].n);
    return dd_args_of(dag, e)[i];
}

double dd_num_value(const dd_dag *dag, dd_expr e)
{
    assert(dd_op_of(dag, e) == DD_OP_NUM);
    return dd_ratio_at(dag, e).value;
}

bool dd_num_rational(const dd_dag *dag, dd_expr e, int64_t *num, int64_t *den)
{
    assert(dd_op_of(dag, e) == DD_OP_NUM);
    dd_ratio r = dd_ratio_at(dag, e);
    if (r.den == 0) {
        return false;
    }
    *num = r.num;
    *den = r.den;
    return true;
}

uint32_t dd_symbol_id(const dd_dag *dag, dd_expr e)
{
    assert(dd_op_of(dag, e) == DD_OP_PARAM || dd_op_of(dag, e) == DD_OP_VAR);
    return dag->nodes[e].a;
}

uint32_t dd_symbol_order(const dd_dag *dag, dd_expr e)
{
    assert(dd_op_of(dag, e) == DD_OP_VAR);
    return dag->nodes[e].b;
}

bool dd_is_num(const dd_dag *dag, dd_expr e, double value)
{
    return dd_op_of(dag, e) == DD_OP_NUM && dd_ratio_at(dag, e).value == value;
}
