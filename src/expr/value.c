/* value.c - depth-first evaluation with an explicit stack and a memo. */
#include "expr/value.h"

#include <math.h>

#include "base/hash.h"

typedef struct evaluator {
    dd_dag *dag;
    dd_pool *pool;
    dd_map slot_of; /* node -> slot + 1 */
    DD_VEC(double) slots;
    dd_expr_vec stack;
    DD_VEC(double) args;
} evaluator;

static bool known(const evaluator *ev, dd_expr e, double *value)
{
    uint32_t slot = dd_map_get(&ev->slot_of, e);
    if (slot == 0) {
        return false;
    }
    *value = ev->slots.data[slot - 1];
    return true;
}

static void store(evaluator *ev, dd_expr e, double value)
{
    dd_vec_push(ev->pool, &ev->slots, value);
    dd_map_put(&ev->slot_of, e, ev->slots.len);
}

/* Pushes an argument that is still unknown; true when it was known already. */
static bool want(evaluator *ev, dd_expr arg, double *value)
{
    if (known(ev, arg, value)) {
        return true;
    }
    dd_vec_push(ev->pool, &ev->stack, arg);
    return false;
}

static void visit_if(evaluator *ev, dd_expr e)
{
    double condition, value;
    /* the condition first; then one branch alone */
    if (!want(ev, dd_arg(ev->dag, e, 0), &condition)) {
        return;
    }
    if (want(ev, dd_arg(ev->dag, e, condition != 0 ? 1 : 2), &value)) {
        store(ev, e, value);
        ev->stack.len--;
    }
}

static void visit(evaluator *ev, dd_expr e)
{
    /* of a derived value only the value */
    uint32_t n = dd_op_of(ev->dag, e) == DD_OP_DERIVED ? 1 : dd_arg_count(ev->dag, e);
    bool ready = true;
    ev->args.len = 0;
    /* arguments that are missing go on the stack, and e is visited again */
    for (uint32_t i = 0; i < n; i++) {
        double value = 0;
        ready = want(ev, dd_arg(ev->dag, e, i), &value) && ready;
        dd_vec_push(ev->pool, &ev->args, value);
    }
    if (ready) {
        store(ev, e, dd_op_apply(dd_op_of(ev->dag, e), ev->args.data, n));
        ev->stack.len--;
    }
}

double dd_value_of(dd_dag *dag, dd_expr e, dd_symbol_value value, void *user, dd_pool *scratch)
{
    evaluator ev = {.dag = dag, .pool = dd_pool_child(scratch)};
    ev.slot_of = dd_map_new(ev.pool);
    dd_vec_push(ev.pool, &ev.stack, e);
    double result = NAN;
    /* a node leaves the stack when its value is known */
    while (ev.stack.len > 0) {
        dd_expr top = ev.stack.data[ev.stack.len - 1];
        dd_op op = dd_op_of(dag, top);
        if (known(&ev, top, &result)) {
            ev.stack.len--;
        } else if (op == DD_OP_NUM || op == DD_OP_PARAM || op == DD_OP_VAR || op == DD_OP_TIME) {
            store(&ev, top, op == DD_OP_NUM ? dd_num_value(dag, top) : value(user, top));
        } else if (op == DD_OP_IF) {
            visit_if(&ev, top);
        } else {
            visit(&ev, top);
        }
    }
    known(&ev, e, &result);
    dd_pool_free(ev.pool);
    return result;
}

static double fold(const double *a, uint32_t n, dd_op op)
{
    /* sum from 0, product from 1 */
    double r = op == DD_OP_ADD ? 0.0 : 1.0;
    for (uint32_t i = 0; i < n; i++) {
        r = op == DD_OP_ADD ? r + a[i] : r * a[i];
    }
    return r;
}

static double all_or_any(const double *a, uint32_t n, bool all)
{
    for (uint32_t i = 0; i < n; i++) {
        if ((a[i] != 0) != all) {
            return !all;
        }
    }
    return all;
}

double dd_op_apply(dd_op op, const double *a, uint32_t n)
{
    switch (op) {
    case DD_OP_ADD:
    case DD_OP_MUL:
        return fold(a, n, op);
    /* roots and inverses are correctly rounded, pow is not */
    case DD_OP_POW:
        return a[1] == 0.5 ? sqrt(a[0]) : a[1] == -1 ? 1 / a[0] : pow(a[0], a[1]);
#define APPLY(id, text, f, ...)                                                                                        \
    case DD_OP_##id:                                                                                                   \
        return f(a[0]);
        DD_ELEMENTARY_LIST(APPLY)
#undef APPLY
    case DD_OP_ABS:
        return fabs(a[0]);
    case DD_OP_SIGN:
        return (a[0] > 0) - (a[0] < 0);
    case DD_OP_FLOOR:
        return floor(a[0]);
    case DD_OP_CEIL:
        return ceil(a[0]);
    case DD_OP_ATAN2:
        return atan2(a[0], a[1]);
    /* as dag.h defines them: min and max take the first of equal arguments */
    case DD_OP_MIN:
        return a[1] < a[0] ? a[1] : a[0];
    case DD_OP_MAX:
        return a[1] > a[0] ? a[1] : a[0];
    case DD_OP_MOD:
        return a[0] - floor(a[0] / a[1]) * a[1];
    case DD_OP_LT:
        return a[0] < a[1];
    case DD_OP_LE:
        return a[0] <= a[1];
    case DD_OP_EQ:
        return a[0] == a[1];
    case DD_OP_NE:
        return a[0] != a[1];
    case DD_OP_AND:
        return all_or_any(a, n, true);
    case DD_OP_OR:
        return all_or_any(a, n, false);
    case DD_OP_NOT:
        return a[0] == 0;
    case DD_OP_IF:
        return a[0] != 0 ? a[1] : a[2];
    case DD_OP_NOEVENT:
    case DD_OP_HOMOTOPY:
    case DD_OP_DERIVED:
        return a[0];
    default:
        return NAN;
    }
}
