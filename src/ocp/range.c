/* range.c - interval arithmetic over the nodes of an expression in topological order. Results are widened by a few
 * roundings, so that "never" is meant. */
#include "ocp/range.h"

#include <float.h>
#include <math.h>

#include "expr/walk.h"

#define ROUNDING 1e-14

static const dd_range anything = {-INFINITY, INFINITY};

static dd_range widened(double low, double high)
{
    if (isnan(low) || isnan(high)) {
        return anything;
    }
    low = fmin(low, DBL_MAX); /* a bound that overflows is still one */
    high = fmax(high, -DBL_MAX);
    return (dd_range){low - ROUNDING * fabs(low), high + ROUNDING * fabs(high)};
}

static dd_range add(dd_range a, dd_range b)
{
    return (dd_range){a.low + b.low, a.high + b.high}; /* low is never +inf, high never -inf */
}

/* 0 * inf is treated as 0: an unbounded factor is never infinite itself. */
static double times(double a, double b)
{
    return a == 0 || b == 0 ? 0 : a * b;
}

static dd_range multiply(dd_range a, dd_range b)
{
    /* extremes of bilinear functions are at the corners */
    double v[] = {times(a.low, b.low), times(a.low, b.high), times(a.high, b.low), times(a.high, b.high)};
    return widened(fmin(fmin(v[0], v[1]), fmin(v[2], v[3])), fmax(fmax(v[0], v[1]), fmax(v[2], v[3])));
}

static dd_range whole_power(dd_range a, double n)
{
    double low = pow(a.low, n), high = pow(a.high, n);
    /* even powers are positive on both sides of the pole */
    if (n < 0 && a.low <= 0 && a.high >= 0) { /* a pole */
        return fmod(n, 2) == 0 ? (dd_range){0, INFINITY} : anything;
    }
    /* odd powers grow; even ones have their least value at zero */
    if (fmod(n, 2) != 0) {
        return widened(fmin(low, high), fmax(low, high));
    }
    bool through_zero = n > 0 && a.low <= 0 && a.high >= 0;
    return widened(through_zero ? 0 : fmin(low, high), fmax(low, high));
}

static dd_range power(dd_range a, dd_range n)
{
    /* a^b with a varying b has no simple hull */
    if (n.low != n.high) {
        return anything;
    }
    if (n.low == floor(n.low)) {
        return whole_power(a, n.low);
    }
    /* roots are defined from zero on */
    if (a.high < 0) {
        return anything; /* not defined there at all */
    }
    double low = pow(fmax(a.low, 0), n.low), high = pow(a.high, n.low);
    return widened(fmin(low, high), fmax(low, high));
}

static dd_range increasing(double (*f)(double), dd_range a)
{
    return widened(f(a.low), f(a.high));
}

/* Whether k with c + 2 pi k inside a exists. */
static bool contains_phase(dd_range a, double c)
{
    const double turn = 6.283185307179586;
    return floor((a.high - c) / turn + 1e-12) >= ceil((a.low - c) / turn - 1e-12);
}

static dd_range sine(dd_range a, double shift)
{
    const double quarter = 1.5707963267948966;
    /* seven radians hold a whole turn */
    if (!(a.high - a.low < 7)) {
        return (dd_range){-1, 1};
    }
    /* values at the ends, and the extremes that lie inside */
    double f = sin(a.low + shift), g = sin(a.high + shift);
    dd_range shifted = {a.low + shift, a.high + shift};
    double high = contains_phase(shifted, quarter) ? 1 : fmax(f, g);
    double low = contains_phase(shifted, -quarter) ? -1 : fmin(f, g);
    return (dd_range){fmax(-1, low - ROUNDING), fmin(1, high + ROUNDING)};
}

static dd_range absolute(dd_range a)
{
    double most = fmax(fabs(a.low), fabs(a.high)), least = fmin(fabs(a.low), fabs(a.high));
    return (dd_range){a.low <= 0 && a.high >= 0 ? 0 : least, most};
}

static dd_range hull(dd_range a, dd_range b)
{
    return (dd_range){fmin(a.low, b.low), fmax(a.high, b.high)};
}

/* By how the values run over an interval; outside the domain nothing is known. */
static dd_range elementary(const dd_elementary *e, dd_range a)
{
    const double quarter = 1.5707963267948966;
    if (a.high < e->low || a.low > e->high) {
        return anything;
    }
    /* clipped to the domain; values outside are not known */
    double u = e->value(fmax(a.low, e->low)), v = e->value(fmin(a.high, e->high));
    switch (e->course) {
    case DD_MONOTONE:
        return isinf(u) && u == v ? anything : widened(fmin(u, v), fmax(u, v));
    case DD_BY_SIZE:
        return increasing(e->value, absolute(a));
    case DD_WAVE:
        return sine(a, e->symmetry == DD_EVEN ? quarter : 0);
    default:
        return anything;
    }
}

static dd_range apply_one(dd_op op, dd_range a)
{
    const dd_elementary *function = dd_elementary_of(op);
    if (function != NULL) {
        return elementary(function, a);
    }
    switch (op) {
    case DD_OP_ABS:
        return absolute(a);
    case DD_OP_SIGN:
        return (dd_range){a.low > 0 ? 1 : -1, a.high < 0 ? -1 : 1};
    case DD_OP_FLOOR:
        return increasing(floor, a);
    case DD_OP_CEIL:
        return increasing(ceil, a);
    case DD_OP_NOEVENT:
        return a;
    default:
        return anything;
    }
}

static dd_range apply_two(dd_op op, dd_range a, dd_range b)
{
    switch (op) {
    case DD_OP_POW:
        return power(a, b);
    case DD_OP_MIN:
        return (dd_range){fmin(a.low, b.low), fmin(a.high, b.high)};
    case DD_OP_MAX:
        return (dd_range){fmax(a.low, b.low), fmax(a.high, b.high)};
    case DD_OP_ATAN2:
        return (dd_range){-3.1415926535897936, 3.1415926535897936};
    case DD_OP_HOMOTOPY:
        return a;
    default:
        return anything;
    }
}

static dd_range node_range(dd_dag *dag, dd_expr e, const dd_walk *walk, const dd_range *of)
{
    dd_op op = dd_op_of(dag, e);
    uint32_t n = dd_arg_count(dag, e);
    /* sums and products take all arguments; the rest has one or two */
    dd_range r = n > 0 ? of[dd_walk_place(dag, walk, dd_arg(dag, e, 0))] : anything;
    if (op == DD_OP_ADD || op == DD_OP_MUL) {
        for (uint32_t i = 1; i < n; i++) {
            dd_range next = of[dd_walk_place(dag, walk, dd_arg(dag, e, i))];
            r = op == DD_OP_ADD ? add(r, next) : multiply(r, next);
        }
        return widened(r.low, r.high);
    }
    if (op == DD_OP_DERIVED) {
        return r;
    }
    /* either branch: the condition is not evaluated */
    if (op == DD_OP_IF) {
        return hull(of[dd_walk_place(dag, walk, dd_arg(dag, e, 1))], of[dd_walk_place(dag, walk, dd_arg(dag, e, 2))]);
    }
    return n == 1   ? apply_one(op, r)
           : n == 2 ? apply_two(op, r, of[dd_walk_place(dag, walk, dd_arg(dag, e, 1))])
                    : anything;
}

dd_range dd_range_of(dd_dag *dag, dd_expr e, dd_symbol_range range, void *user, dd_pool *scratch)
{
    dd_walk walk = dd_walk_new(dag, &e, 1, 0);
    dd_pool *pool = dd_pool_child(scratch);
    dd_range *of = dd_pool_alloc_array(pool, walk.n + 1, sizeof *of);
    /* children come before parents: every argument has its range already */
    for (uint32_t i = 0; i < walk.n; i++) {
        dd_op op = dd_op_of(dag, walk.nodes[i]);
        if (op == DD_OP_NUM) {
            double value = dd_num_value(dag, walk.nodes[i]);
            of[i] = (dd_range){value, value};
        } else if (op == DD_OP_PARAM || op == DD_OP_VAR || op == DD_OP_TIME) {
            of[i] = range(user, walk.nodes[i]);
        } else {
            of[i] = node_range(dag, walk.nodes[i], &walk, of);
        }
    }
    dd_range result = walk.n > 0 ? of[walk.n - 1] : anything;
    dd_walk_free(dag, &walk);
    dd_pool_free(pool);
    return result;
}
