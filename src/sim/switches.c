/* switches.c - finding relations and rewriting kinks. Nodes are visited in increasing index, which is topological. */
#include "sim/switches.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

static int by_index(const void *a, const void *b)
{
    dd_expr x = *(const dd_expr *)a, y = *(const dd_expr *)b;
    return x < y ? -1 : x > y;
}

/* All nodes that the expressions reach without looking into noEvent, increasing. */
static dd_expr_vec reachable(dd_dag *dag, const dd_expr *exprs, uint32_t n, dd_pool *scratch)
{
    dd_expr_vec found = {0}, stack = {0};
    dd_map seen = dd_map_new(scratch);
    for (uint32_t i = 0; i < n; i++) {
        dd_vec_push(scratch, &stack, exprs[i]);
        while (stack.len > 0) {
            dd_expr e = stack.data[--stack.len];
            if (dd_map_get(&seen, e)) {
                continue;
            }
            dd_map_put(&seen, e, 1);
            dd_vec_push(scratch, &found, e);
            for (uint32_t k = 0; dd_op_of(dag, e) != DD_OP_NOEVENT && k < dd_arg_count(dag, e); k++) {
                dd_vec_push(scratch, &stack, dd_arg(dag, e, k));
            }
        }
    }
    if (found.len > 0) {
        qsort(found.data, found.len, sizeof *found.data, by_index);
    }
    return found;
}

static dd_expr positive(dd_dag *dag, dd_expr a)
{
    return dd_binary(dag, DD_OP_LT, dd_rational(dag, 0, 1), a);
}

/* The node with kinks written as `if`, arguments already rewritten. */
static dd_expr without_kink(dd_dag *dag, dd_op op, const dd_expr *a, uint32_t n)
{
    switch (op) {
    case DD_OP_ABS:
        return dd_if(dag, positive(dag, a[0]), a[0], dd_neg(dag, a[0]));
    case DD_OP_SIGN:
        return dd_if(dag, positive(dag, a[0]), dd_rational(dag, 1, 1),
                     dd_if(dag, positive(dag, dd_neg(dag, a[0])), dd_rational(dag, -1, 1), dd_rational(dag, 0, 1)));
    case DD_OP_MIN:
        return dd_if(dag, dd_binary(dag, DD_OP_LT, a[0], a[1]), a[0], a[1]);
    case DD_OP_MAX:
        return dd_if(dag, dd_binary(dag, DD_OP_LT, a[0], a[1]), a[1], a[0]);
    case DD_OP_CEIL:
        return dd_neg(dag, dd_unary(dag, DD_OP_FLOOR, dd_neg(dag, a[0])));
    case DD_OP_MOD:
        return dd_sub(dag, a[0], dd_mul(dag, a[1], dd_unary(dag, DD_OP_FLOOR, dd_div(dag, a[0], a[1]))));
    default:
        return dd_make(dag, op, a, n);
    }
}

/* Does the operation become `if` or floor? Kinks without a jump only where they are asked for. */
static bool is_rewritten(dd_op op, bool kinks)
{
    switch (op) {
    case DD_OP_CEIL:
    case DD_OP_MOD:
        return true;
    case DD_OP_ABS:
    case DD_OP_SIGN:
    case DD_OP_MIN:
    case DD_OP_MAX:
        return kinks;
    default:
        return false;
    }
}

static void rewrite(dd_dag *dag, dd_expr *exprs, uint32_t n, bool kinks, dd_pool *scratch)
{
    dd_expr_vec nodes = reachable(dag, exprs, n, scratch), args = {0};
    dd_map now = dd_map_new(scratch);
    for (uint32_t i = 0; i < nodes.len; i++) {
        dd_expr e = nodes.data[i], next = e;
        dd_op op = dd_op_of(dag, e);
        uint32_t count = dd_arg_count(dag, e);
        bool changed = is_rewritten(op, kinks);
        args.len = 0;
        for (uint32_t k = 0; k < count && op != DD_OP_NOEVENT; k++) {
            dd_expr arg = (dd_expr)dd_map_get(&now, dd_arg(dag, e, k));
            changed = changed || arg != dd_arg(dag, e, k);
            dd_vec_push(scratch, &args, arg);
        }
        if (changed && op != DD_OP_NOEVENT) {
            assert(args.data); /* an operation that changed has arguments */
            next = without_kink(dag, op, args.data, args.len);
        }
        dd_map_put(&now, e, next);
    }
    for (uint32_t i = 0; i < n; i++) {
        exprs[i] = (dd_expr)dd_map_get(&now, exprs[i]);
    }
}

/* How g changes: not at all, with time alone, or with the unknowns. */
typedef enum varies { VARIES_NOT, VARIES_TIME, VARIES_STATE } varies;

static varies how_it_varies(const dd_system *s, dd_expr g, dd_pool *scratch)
{
    dd_dag *dag = s->model->dag;
    dd_expr_vec symbols = {0};
    dd_symbols(dag, g, true, &symbols, scratch);
    varies v = VARIES_NOT;
    for (uint32_t i = 0; i < symbols.len; i++) {
        dd_op op = dd_op_of(dag, symbols.data[i]);
        v = op == DD_OP_VAR ? VARIES_STATE : op == DD_OP_TIME && v == VARIES_NOT ? VARIES_TIME : v;
    }
    return v;
}

static void add_switch(const dd_system *s, dd_expr node, dd_switch_vec *out, dd_pool *pool, dd_pool *scratch)
{
    dd_dag *dag = s->model->dag;
    dd_op op = dd_op_of(dag, node);
    dd_switch w = {.kind = op == DD_OP_FLOOR ? DD_SWITCH_FLOOR : DD_SWITCH_RELATION, .node = node};
    w.g = op == DD_OP_FLOOR ? dd_arg(dag, node, 0) : dd_sub(dag, dd_arg(dag, node, 1), dd_arg(dag, node, 0));
    w.holds_at_zero = op == DD_OP_LE;
    varies v = how_it_varies(s, w.g, scratch);
    if (v == VARIES_NOT) {
        return; /* constant: evaluated as it stands */
    }
    dd_expr time = dd_time(dag), rate, rest;
    uint32_t culprit;
    double a, b;
    if (v == VARIES_TIME && w.kind == DD_SWITCH_RELATION && dd_linear(dag, w.g, &time, 1, &rate, &rest) &&
        dd_model_evaluate(s->model, rate, false, &a, &culprit) && a != 0 &&
        dd_model_evaluate(s->model, rest, false, &b, &culprit)) {
        w.only_time = true;
        w.rate = a;
        w.at = -b / a;
    }
    dd_vec_push(pool, out, w);
}

/* Relations and floors that the expressions reach, beside those known. */
static void collect(const dd_system *s, const dd_expr *exprs, uint32_t n, const dd_switch_vec *known,
                    dd_switch_vec *out, dd_pool *pool, dd_pool *scratch)
{
    dd_dag *dag = s->model->dag;
    dd_expr_vec nodes = reachable(dag, exprs, n, scratch);
    dd_map seen = dd_map_new(scratch);
    for (uint32_t k = 0; k < known->len; k++) {
        dd_map_put(&seen, known->data[k].node, 1);
    }
    for (uint32_t i = 0; i < nodes.len; i++) {
        const dd_op op = dd_op_of(dag, nodes.data[i]);
        if ((op == DD_OP_LT || op == DD_OP_LE || op == DD_OP_FLOOR) && !dd_map_get(&seen, nodes.data[i])) {
            add_switch(s, nodes.data[i], out, pool, scratch);
        }
    }
}

void dd_switches_find(const dd_system *s, dd_expr *exprs, uint32_t n, dd_switch_vec *switches, dd_pool *pool)
{
    dd_pool *scratch = dd_pool_child(pool);
    rewrite(s->model->dag, exprs, n, true, scratch);
    collect(s, exprs, n, switches, switches, pool, scratch);
    dd_pool_free(scratch);
}

void dd_switches_look(const dd_system *s, dd_expr *exprs, uint32_t n, const dd_switch_vec *known, dd_switch_vec *out,
                      dd_pool *pool)
{
    dd_pool *scratch = dd_pool_child(pool);
    rewrite(s->model->dag, exprs, n, false, scratch);
    collect(s, exprs, n, known, out, pool, scratch);
    for (uint32_t k = 0; k < out->len; k++) {
        out->data[k].only_time = false; /* no step ends there: found like the others */
    }
    dd_pool_free(scratch);
}
