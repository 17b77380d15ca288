/* function.c - canonical functions, relations, logic and selections. Functions of numbers become numbers (exactly at
 * the points where that is possible; not at all when the result is not finite). Truth values are the numbers 0 and 1.
 * */
#include "expr/dag_impl.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "expr/sort.h"

/* ---- functions of one argument ---- */

/* The value of a function of a number; DD_EXPR_NONE when it must stay as it is. */
static dd_expr fold_unary(dd_dag *dag, dd_op op, dd_expr a)
{
    dd_ratio x = dd_ratio_at(dag, a);
    /* exact where the argument is: |x|, sign, floor, ceil of rationals stay rational */
    switch (op) {
    case DD_OP_ABS:
        return x.value < 0 ? dd_neg(dag, a) : a;
    case DD_OP_SIGN:
        return dd_num(dag, (x.value > 0) - (x.value < 0));
    case DD_OP_FLOOR:
        return dd_intern_number(dag, dd_ratio_floor(x));
    case DD_OP_CEIL:
        return dd_intern_number(dag, dd_ratio_neg(dd_ratio_floor(dd_ratio_neg(x))));
    case DD_OP_NOT:
        return x.value == 0 ? dag->one : dag->zero;
    case DD_OP_NOEVENT:
        return a;
    default:
        break;
    }
    /* exactly zero at the known root: sin(0), log(1) */
    const dd_elementary *function = dd_elementary_of(op);
    if (!isnan(function->root) && dd_ratio_is(x, (int64_t)function->root)) {
        return dag->zero;
    }
    /* zero elsewhere is an underflow, not a value */
    double value = function->value(x.value);
    return isfinite(value) && value != 0 ? dd_num(dag, value) : DD_EXPR_NONE;
}

/* The same term with the opposite sign when its number is negative; DD_EXPR_NONE otherwise. Sums keep the sign they
 * were written with. */
static dd_expr without_minus(dd_dag *dag, dd_expr a)
{
    dd_expr rest, c = dd_term_split(dag, a, &rest);
    return rest != DD_EXPR_NONE && dd_ratio_at(dag, c).value < 0 ? dd_neg(dag, a) : DD_EXPR_NONE;
}

static dd_expr simplify_unary(dd_dag *dag, dd_op op, dd_expr a)
{
    dd_op inner = dd_op_at(dag, a);
    dd_expr positive = DD_EXPR_NONE;
    const dd_elementary *function = dd_elementary_of(op);
    /* f(-x) = -f(x): the sign in front */
    if (op == DD_OP_SIGN || (function != NULL && function->symmetry == DD_ODD)) {
        positive = without_minus(dag, a);
        return positive != DD_EXPR_NONE ? dd_neg(dag, dd_unary(dag, op, positive)) : DD_EXPR_NONE;
    }
    /* f(-x) = f(x): no sign */
    if (function != NULL && function->symmetry == DD_EVEN) {
        positive = without_minus(dag, a);
        return positive != DD_EXPR_NONE ? dd_unary(dag, op, positive) : DD_EXPR_NONE;
    }
    switch (op) {
    case DD_OP_ABS:
        positive = without_minus(dag, a);
        /* abs(abs(x)) and abs(-x) */
        return inner == DD_OP_ABS ? a : positive != DD_EXPR_NONE ? dd_unary(dag, op, positive) : DD_EXPR_NONE;
    /* exp(log(x)) = x and log(exp(x)) = x wherever the left side is defined */
    case DD_OP_EXP:
        return inner == DD_OP_LOG ? dag->nodes[a].a : DD_EXPR_NONE;
    case DD_OP_LOG:
        return inner == DD_OP_EXP ? dag->nodes[a].a : DD_EXPR_NONE;
    case DD_OP_FLOOR:
    case DD_OP_CEIL:
        return inner == DD_OP_FLOOR || inner == DD_OP_CEIL ? a : DD_EXPR_NONE;
    /* leaves contain no relation that could make an event */
    case DD_OP_NOEVENT:
        return inner <= DD_OP_TIME || inner == DD_OP_NOEVENT ? a : DD_EXPR_NONE;
    default:
        return DD_EXPR_NONE;
    }
}

/* not (a < b) is b <= a, and so on. */
static dd_expr negate_relation(dd_dag *dag, dd_expr a)
{
    /* a < b and b <= a are opposites: no `not` is kept around a relation */
    dd_expr swapped[2] = {dag->nodes[a].b, dag->nodes[a].a}, kept[2] = {dag->nodes[a].a, dag->nodes[a].b};
    switch (dd_op_at(dag, a)) {
    case DD_OP_NOT:
        return dag->nodes[a].a;
    case DD_OP_LT:
        return dd_intern(dag, DD_OP_LE, swapped, 2);
    case DD_OP_LE:
        return dd_intern(dag, DD_OP_LT, swapped, 2);
    case DD_OP_EQ:
        return dd_intern(dag, DD_OP_NE, kept, 2);
    case DD_OP_NE:
        return dd_intern(dag, DD_OP_EQ, kept, 2);
    default:
        return DD_EXPR_NONE;
    }
}

dd_expr dd_unary(dd_dag *dag, dd_op op, dd_expr a)
{
    assert(dd_op_arity(op) == 1);
    dd_expr e = DD_EXPR_NONE;
    /* numbers are computed, everything else is simplified by rules */
    if (dd_is_op(dag, a, DD_OP_NUM)) {
        e = fold_unary(dag, op, a);
    } else if (op == DD_OP_NOT) {
        e = negate_relation(dag, a);
    } else {
        e = simplify_unary(dag, op, a);
    }
    return e != DD_EXPR_NONE ? e : dd_intern(dag, op, &a, 1);
}

/* ---- functions and relations of two arguments ---- */

static dd_expr truth(const dd_dag *dag, bool value)
{
    return value ? dag->one : dag->zero;
}

/* mod(x, y) = x - floor(x/y)*y */
static dd_expr fold_mod(dd_dag *dag, dd_ratio x, dd_ratio y)
{
    dd_ratio inverse;
    /* by exact division, so that whole quotients stay whole */
    if (dd_ratio_is(y, 0) || !dd_ratio_power(y, dd_ratio_of(-1, 1), &inverse)) {
        return DD_EXPR_NONE;
    }
    dd_ratio whole = dd_ratio_floor(dd_ratio_mul(x, inverse));
    return dd_intern_number(dag, dd_ratio_add(x, dd_ratio_neg(dd_ratio_mul(whole, y))));
}

static dd_expr fold_binary(dd_dag *dag, dd_op op, dd_expr a, dd_expr b)
{
    dd_ratio x = dd_ratio_at(dag, a), y = dd_ratio_at(dag, b);
    int order = dd_ratio_compare(x, y);
    switch (op) {
    /* atan2(0, x > 0) is exactly zero */
    case DD_OP_ATAN2:
        return dd_ratio_is(x, 0) && y.value > 0 ? dag->zero : dd_num(dag, atan2(x.value, y.value));
    case DD_OP_MIN:
        return order <= 0 ? a : b;
    case DD_OP_MAX:
        return order >= 0 ? a : b;
    case DD_OP_MOD:
        return fold_mod(dag, x, y);
    case DD_OP_LT:
        return truth(dag, order < 0);
    case DD_OP_LE:
        return truth(dag, order <= 0);
    case DD_OP_EQ:
        return truth(dag, order == 0);
    case DD_OP_NE:
        return truth(dag, order != 0);
    default:
        return DD_EXPR_NONE;
    }
}

static dd_expr simplify_equal_arguments(dd_dag *dag, dd_op op, dd_expr a)
{
    switch (op) {
    case DD_OP_MIN:
    case DD_OP_MAX:
    case DD_OP_HOMOTOPY:
        return a;
    case DD_OP_LE:
    case DD_OP_EQ:
        return dag->one;
    case DD_OP_LT:
    case DD_OP_NE:
        return dag->zero;
    default:
        return DD_EXPR_NONE;
    }
}

dd_expr dd_binary(dd_dag *dag, dd_op op, dd_expr a, dd_expr b)
{
    assert((dd_op_arity(op) == 2 && op != DD_OP_POW) || op == DD_OP_AND || op == DD_OP_OR);
    dd_expr e = DD_EXPR_NONE;
    if (op == DD_OP_AND || op == DD_OP_OR) {
        return dd_logic(dag, op, (dd_expr[]){a, b}, 2);
    }
    /* equal arguments or two numbers: the result is known */
    if (a == b) {
        e = simplify_equal_arguments(dag, op, a);
    } else if (dd_is_op(dag, a, DD_OP_NUM) && dd_is_op(dag, b, DD_OP_NUM)) {
        e = fold_binary(dag, op, a, b);
    }
    if (e != DD_EXPR_NONE) {
        return e;
    }
    /* the order of arguments that commute is that of their indices */
    bool commutes = op == DD_OP_MIN || op == DD_OP_MAX || op == DD_OP_EQ || op == DD_OP_NE;
    return dd_intern(dag, op, commutes && b < a ? (dd_expr[]){b, a} : (dd_expr[]){a, b}, 2);
}

/* ---- and, or, if ---- */

static uint32_t flatten_logic(const dd_dag *dag, dd_op op, const dd_expr *args, uint32_t n, dd_expr *out)
{
    uint32_t total = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t m = dd_is_op(dag, args[i], op) ? dag->nodes[args[i]].n : 1;
        if (out != NULL) {
            memcpy(out + total, m > 1 ? dd_args_of(dag, args[i]) : &args[i], m * sizeof *out);
        }
        total += m;
    }
    return total;
}

dd_expr dd_logic(dd_dag *dag, dd_op op, const dd_expr *args, uint32_t n)
{
    /* true is neutral in `and` and decisive in `or` */
    dd_expr neutral = truth(dag, op == DD_OP_AND), decisive = truth(dag, op == DD_OP_OR);
    uint32_t total = flatten_logic(dag, op, args, n, NULL), out = 0;
    dd_expr small[DD_SMALL_ARGS], e = DD_EXPR_NONE;
    dd_expr *all = total <= DD_SMALL_ARGS ? small : dd_block_resize(dag->pool, NULL, total * sizeof *all);
    flatten_logic(dag, op, args, n, all);
    dd_sort_u32(all, total);
    /* sorted, so equal conditions are neighbours */
    for (uint32_t i = 0; i < total && e == DD_EXPR_NONE; i++) {
        dd_expr a = all[i];
        if (dd_is_op(dag, a, DD_OP_NUM)) {
            a = truth(dag, dd_ratio_at(dag, a).value != 0);
            e = a == decisive ? decisive : DD_EXPR_NONE;
        } else if (out == 0 || all[out - 1] != a) {
            all[out++] = a;
        }
    }
    if (e == DD_EXPR_NONE) {
        e = out == 0 ? neutral : out == 1 ? all[0] : dd_intern(dag, op, all, out);
    }
    if (all != small) {
        dd_block_free(dag->pool, all);
    }
    return e;
}

dd_expr dd_if(dd_dag *dag, dd_expr condition, dd_expr then, dd_expr otherwise)
{
    /* a known condition */
    if (dd_is_op(dag, condition, DD_OP_NUM)) {
        return dd_ratio_at(dag, condition).value != 0 ? then : otherwise;
    }
    /* if not c then a else b */
    if (dd_is_op(dag, condition, DD_OP_NOT)) {
        dd_expr swap = then;
        condition = dag->nodes[condition].a;
        then = otherwise;
        otherwise = swap;
    }
    /* the same condition below is known: if c then (if c then a else b) */
    if (dd_is_op(dag, then, DD_OP_IF) && dd_args_of(dag, then)[0] == condition) {
        then = dd_args_of(dag, then)[1];
    }
    if (dd_is_op(dag, otherwise, DD_OP_IF) && dd_args_of(dag, otherwise)[0] == condition) {
        otherwise = dd_args_of(dag, otherwise)[2];
    }
    return then == otherwise ? then : dd_intern(dag, DD_OP_IF, (dd_expr[]){condition, then, otherwise}, 3);
}

dd_expr dd_semi_linear(dd_dag *dag, dd_expr x, dd_expr above, dd_expr below)
{
    const dd_expr positive = dd_binary(dag, DD_OP_LE, dd_num(dag, 0), x);
    return dd_unary(dag, DD_OP_NOEVENT, dd_if(dag, positive, dd_mul(dag, above, x), dd_mul(dag, below, x)));
}

/* ---- derivatives given by the user ---- */

/* args: value, then pairs; pairs that add nothing are left out. */
static dd_expr make_derived(dd_dag *dag, const dd_expr *args, uint32_t n)
{
    dd_expr small[DD_SMALL_ARGS], e;
    dd_expr *kept = n <= DD_SMALL_ARGS ? small : dd_block_resize(dag->pool, NULL, n * sizeof *kept);
    uint32_t count = 0;
    bool fixed = dd_is_op(dag, args[0], DD_OP_NUM);
    kept[count++] = args[0];
    /* a constant argument or a zero partial contributes nothing */
    for (uint32_t i = 1; i + 1 < n; i += 2) {
        if (!dd_is_op(dag, args[i], DD_OP_NUM) && args[i + 1] != dag->zero) {
            kept[count++] = args[i];
            kept[count++] = args[i + 1];
        }
    }
    /* a constant value without derivatives is a number */
    if (fixed && count == 1) {
        e = args[0];
    } else {
        dag->has_derived = true;
        e = dd_intern(dag, DD_OP_DERIVED, kept, count);
    }
    if (kept != small) {
        dd_block_free(dag->pool, kept);
    }
    return e;
}

dd_expr dd_derived(dd_dag *dag, dd_expr value, const dd_expr *args, const dd_expr *partials, uint32_t n)
{
    uint32_t count = 2 * n + 1;
    dd_expr small[DD_SMALL_ARGS];
    dd_expr *all = count <= DD_SMALL_ARGS ? small : dd_block_resize(dag->pool, NULL, count * sizeof *all);
    /* value, then pairs */
    all[0] = value;
    for (uint32_t i = 0; i < n; i++) {
        all[2 * i + 1] = args[i];
        all[2 * i + 2] = partials[i];
    }
    dd_expr e = make_derived(dag, all, count);
    if (all != small) {
        dd_block_free(dag->pool, all);
    }
    return e;
}

dd_expr dd_make(dd_dag *dag, dd_op op, const dd_expr *args, uint32_t n)
{
    assert(dd_op_arity(op) < 0 || (uint32_t)dd_op_arity(op) == n);
    /* operations with their own canonical form */
    switch (op) {
    case DD_OP_ADD:
        return dd_sum(dag, args, n);
    case DD_OP_MUL:
        return dd_product(dag, args, n);
    case DD_OP_POW:
        return dd_pow(dag, args[0], args[1]);
    case DD_OP_AND:
    case DD_OP_OR:
        return dd_logic(dag, op, args, n);
    case DD_OP_IF:
        return dd_if(dag, args[0], args[1], args[2]);
    case DD_OP_TIME:
        return dd_time(dag);
    case DD_OP_DERIVED:
        return make_derived(dag, args, n);
    default:
        break;
    }
    assert(n == 1 || n == 2);
    return n == 1 ? dd_unary(dag, op, args[0]) : dd_binary(dag, op, args[0], args[1]);
}
