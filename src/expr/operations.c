/* operations.c - the table of operations, as data. */
#include "expr/operations.h"

#include <stddef.h>

static const struct {
    const char *name;
    int n;
} ops[] = {
#define NAMED(id, name, n) [DD_OP_##id] = {name, n},
#define OF_ONE(id, name, ...) [DD_OP_##id] = {name, 1},
    DD_LEAF_LIST(NAMED) DD_ALGEBRA_LIST(NAMED) DD_ELEMENTARY_LIST(OF_ONE) DD_PLAIN_LIST(NAMED) DD_LOGIC_LIST(NAMED)};

static const dd_elementary elementary[] = {
#define DD_LANGUAGE_MODELICA false
#define DD_LANGUAGE_OURS true
#define RECORD(id, name, f, symmetry, root, low, high, course, slope, language)                                        \
    {name, f, DD_##symmetry, root, low, high, DD_##course, slope, DD_LANGUAGE_##language},
    DD_ELEMENTARY_LIST(RECORD)};

const char *dd_op_name(dd_op op)
{
    return op < DD_OP_COUNT ? ops[op].name : "";
}

int dd_op_arity(dd_op op)
{
    return ops[op].n;
}

bool dd_op_is_condition(dd_op op)
{
    return (op >= DD_OP_LT && op <= DD_OP_NOT) || op == DD_OP_AND || op == DD_OP_OR;
}

const dd_elementary *dd_elementary_of(dd_op op)
{
    return op >= DD_OP_SIN && op < DD_OP_ABS ? &elementary[op - DD_OP_SIN] : NULL;
}

double dd_slope_polynomial(const int8_t *q, double v)
{
    /* 1 - v^2 by its factors: near v = 1 the difference of squares would lose all digits */
    if (q[1] == 0 && q[0] == -q[2]) {
        return q[0] * (1 - v) * (1 + v); /* right to the last digit near v = 1 */
    }
    double sum = q[0];
    sum += q[1] != 0 ? q[1] * v : 0;
    return q[2] != 0 ? sum + q[2] * v * v : sum;
}

double dd_slope_value(const dd_elementary *e, double x, double f)
{
    const dd_slope *s = &e->slope;
    /* the three kinds of slope, see operations.h */
    switch (s->kind) {
    case DD_SLOPE_FUNCTION:
        return s->sign * dd_elementary_of(s->other)->value(x);
    case DD_SLOPE_VALUE:
        return dd_slope_polynomial(s->q, f);
    default: {
        double q = dd_slope_polynomial(s->q, x);
        return s->sign / (s->of == DD_ROOT ? sqrt(q) : s->of == DD_LN10 ? q * log(10) : q);
    }
    }
}
