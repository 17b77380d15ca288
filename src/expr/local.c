/* local.c - the derivative of each operation with respect to one argument. */
#include <assert.h>

#include "expr/dag_impl.h"

static dd_expr power(dd_dag *dag, dd_expr a, int64_t num, int64_t den)
{
    return dd_pow(dag, a, dd_rational(dag, num, den));
}

/* q[0] + q[1] a + q[2] a^2; the coefficients are -1, 0 or 1 */
static dd_expr polynomial(dd_dag *dag, const int8_t *q, dd_expr a)
{
    dd_expr sum = q[0] < 0 ? dag->minus_one : q[0] > 0 ? dag->one : dag->zero;
    if (q[1] != 0) {
        sum = dd_add(dag, sum, q[1] < 0 ? dd_neg(dag, a) : a);
    }
    if (q[2] != 0) {
        dd_expr square = power(dag, a, 2, 1);
        sum = dd_add(dag, sum, q[2] < 0 ? dd_neg(dag, square) : square);
    }
    return sum;
}

/* f'(a), with e = f(a), as operations.h says it */
static dd_expr elementary_partial(dd_dag *dag, const dd_slope *s, dd_expr e, dd_expr a)
{
    dd_expr slope;
    /* f' as the table of operations says it */
    switch (s->kind) {
    case DD_SLOPE_FUNCTION:
        slope = dd_unary(dag, s->other, a);
        break;
    case DD_SLOPE_VALUE:
        slope = polynomial(dag, s->q, e);
        break;
    /* 1/q, 1/sqrt(q) or 1/(log(10) q) */
    default:
        slope = power(dag, polynomial(dag, s->q, a), -1, s->of == DD_ROOT ? 2 : 1);
        slope = s->of == DD_LN10 ? dd_div(dag, slope, dd_unary(dag, DD_OP_LOG, dd_num(dag, 10))) : slope;
        break;
    }
    return s->sign < 0 ? dd_neg(dag, slope) : slope;
}

static dd_expr unary_partial(dd_dag *dag, dd_expr e, dd_expr a)
{
    const dd_op op = dd_op_at(dag, e);
    const dd_elementary *function = dd_elementary_of(op);
    /* elementary functions share one rule */
    if (function != NULL) {
        return elementary_partial(dag, &function->slope, e, a);
    }
    switch (op) {
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
    /* d(a^b)/db = a^b log(a); d(a^b)/da = b a^(b-1) */
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
    /* a derived value: its partials are given */
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
