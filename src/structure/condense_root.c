/* condense_root.c - a row in one column alone, and nothing else: the column is a number, the root at the consistent point.
 *
 * The attitude of a slide on the world is such a one: its last three numbers are zero, and what is left of x*x = 1 is
 * x_1^2 = 1. Isolated roots do not move, so the number holds at all times.
 */
#include <math.h>

#include "structure/condense_impl.h"

enum { STEPS = 20 };                    /* of Newton's method, from a point that is nearly there */
static const double LEAST_SLOPE = 1e-6; /* of the row, in numbers of size 1: smaller ones belong to double roots */
static const double SETTLED = 4e-16;    /* relative: a step that is rounding */
static const double SIMPLE = 1024;      /* roots that are multiples of 1/SIMPLE are taken without their rounding */

typedef struct number_for {
    dd_expr symbol, number;
} number_for;

static dd_expr put_number(void *user, dd_expr symbol)
{
    const number_for *n = user;
    return symbol == n->symbol ? n->number : DD_EXPR_NONE;
}

/* The value of e, which contains no other symbol, at x. */
static bool value_at(dd_condenser *w, dd_expr e, dd_expr symbol, double x, double *value)
{
    number_for n = {symbol, dd_num(w->dag, x)};
    uint32_t culprit;
    return dd_model_evaluate(w->s->model, dd_substitute(w->dag, e, put_number, &n), false, value, &culprit) &&
           isfinite(*value);
}

static bool is_alone(dd_condenser *w, dd_expr e, dd_expr symbol)
{
    dd_expr_vec symbols = {0};
    dd_symbols(w->dag, e, true, &symbols, w->scratch);
    const bool alone = symbols.len == 1 && symbols.data[0] == symbol;
    dd_vec_free(w->scratch, &symbols);
    return alone;
}

/* Newton's method from x; false where the slope vanishes, or it goes away. */
static bool find_root(dd_condenser *w, dd_expr e, dd_expr symbol, double *x)
{
    const dd_expr slope = dd_diff(w->dag, e, symbol);
    const double from = *x;
    for (int k = 0; k < STEPS; k++) {
        double r, d;
        if (!value_at(w, e, symbol, *x, &r) || !value_at(w, slope, symbol, *x, &d) || fabs(d) < LEAST_SLOPE) {
            return false;
        }
        *x -= r / d;
        if (fabs(r / d) <= SETTLED * fabs(*x)) {
            return fabs(*x - from) <= 1e-3 * fmax(1, fabs(from));
        }
    }
    return false;
}

bool dd_condense_root(dd_condenser *w, uint32_t row)
{
    const dd_live_row *r = dd_condense_look(w, row);
    if (r->tried_root || r->rates || r->cols.len != 1 || !dd_condense_may_go(w, r->cols.data[0])) {
        return false;
    }
    w->row[row].tried_root = true;
    const uint32_t col = r->cols.data[0];
    const dd_expr symbol = dd_var(w->dag, w->s->unknown[col], 0), e = r->e;
    double x = w->s->point.x[(size_t)col * (w->s->point.order + 1)], rest;
    if (!is_alone(w, e, symbol) || !find_root(w, e, symbol, &x)) {
        return false;
    }
    /* 1, 1/2, 0: exactly, where that is a root */
    const double near = round(x * SIMPLE) / SIMPLE;
    x = value_at(w, e, symbol, near, &rest) && rest == 0 && fabs(x - near) < 1e-9 ? near : x;
    w->row[row].gone = true;
    dd_condense_settle(w, col, dd_num(w->dag, x));
    return true;
}
