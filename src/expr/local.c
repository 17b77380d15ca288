/* local.c - the derivative of each operation with respect to one argument. */
#include <assert.h>

#include "expr/dag_impl.h"

static dd_expr power(dd_dag *dag, dd_expr a, int64_t num, int64_t den)
{
    return dd_pow(dag, a, dd_rational(dag, num, den));
}

static dd_expr one_plus_square(dd_dag *dag, dd_expr a, int sign)
{
    dd_expr square = power(dag, a, 2, 1);
    return dd_add(dag, dag->one, sign < 0 ? dd_neg(dag, square) : square);
}

static dd_expr unary_partial(dd_dag *dag, dd_expr e, dd_expr a)
{
    switch (dd_op_at(dag, e)) {
    case DD_OP_SIN:
        return dd_unary(dag, DD_OP_COS, a);
    case DD_OP_COS:
        return dd_neg(dag, dd_unary(dag, DD_OP_SIN, a));
    case DD_OP_TAN:
        return one_plus_square(dag, e, 1);
    case DD_OP_ASIN:
        return power(dag, one_plus_square(dag, a, -1), -1, 2);
    case DD_OP_ACOS:
        return dd_neg(dag, power(dag, one_plus_square(dag, a, -1), -1, 2));
    case DD_OP_ATAN:
        return power(dag, one_plus_square(dag, a, 1), -1, 1);
    case DD_OP_SINH:
        return dd_unary(dag, DD_OP_COSH, a);
    case DD_OP_COSH:
        return dd_unary(dag, DD_OP_SINH, a);
    case DD_OP_TANH:
        return one_plus_square(dag, e, -1);
    case DD_OP_EXP:
        return e;
    case DD_OP_LOG:
        return power(dag, a, -1, 1);
    case DD_OP_LOG10:
        return dd_div(dag, power(dag, a, -1, 1), dd_unary(dag, DD_OP_LOG, dd_num(dag, 10)));
    case DD_OP_ABS:
        return dd_unary(dag, DD_OP_SIGN, a);
    case DD_OP_NOEVENT:
        return dag->one;
    default:
        return dag->zero; /* sign, floor, ceil and truth values are constant between their jumps */
    }
}

static dd_expr power_partial(dd_dag *dag, dd_expr e, dd_expr base, dd_expr exponent, uint32_t i)
{
    if (i == 1) {
        return dd_mul(dag, e, dd_unary(dag, DD_OP_LOG, base));
    }
    return dd_mul(dag, exponent, dd_pow(dag, base, dd_sub(dag, exponent, dag->one)));
}

/* atan2(y, x): x/(x^2 + y^2), -y/(x^2 + y^2) */
static dd_expr atan2_partial(dd_dag *dag, dd_expr y, dd_expr x, uint32_t i)
{
    dd_expr square = dd_add(dag, power(dag, x, 2, 1), power(dag, y, 2, 1));
    return dd_div(dag, i == 0 ? x : dd_neg(dag, y), square);
}

dd_expr dd_local_partial(dd_dag *dag, dd_expr e, uint32_t i)
{
    dd_node node = dag->nodes[e];
    if (node.op == DD_OP_DERIVED) {
        return i % 2 == 1 ? dd_args_of(dag, e)[i + 1] : dag->zero;
    }
    if (node.n == 1) {
        return unary_partial(dag, e, node.a);
    }
    switch ((dd_op)node.op) {
    case DD_OP_POW:
        return power_partial(dag, e, node.a, node.b, i);
    case DD_OP_ATAN2:
        return atan2_partial(dag, node.a, node.b, i);
    case DD_OP_MOD: /* mod(a, b) = a - floor(a/b)*b */
        return i == 0 ? dag->one : dd_neg(dag, dd_unary(dag, DD_OP_FLOOR, dd_div(dag, node.a, node.b)));
    default:
        return dag->zero;
    }
}
