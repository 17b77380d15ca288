/* start_linear.c - one row that is a sum of unknowns with numbers, for one of them: connections and the frames of parts.
 *
 * A model made of parts has hundreds of such rows; each is solved by one division, without tapes and Newton's method. The
 * derivatives of the row are the same sum of the derivatives.
 */
#include <math.h>

#include "init/start_impl.h"

/* The row in numbers: a*x + rest. */
typedef struct sum {
    double a, rest;
} sum;

/* Coefficient k of the derivative of that order is this times coefficient k + order. */
static double rate_factor(uint32_t k, uint32_t order)
{
    return order == 0 ? 1.0 : (double)k + 1.0;
}

/* Adds factor*symbol, coefficient k of it; unknown: the place in w->x that is solved for. False for what has no number
 * here: time and inputs. */
static bool add_symbol(const start_work *w, dd_expr symbol, double factor, uint32_t k, size_t unknown, sum *to)
{
    const dd_system *s = w->s;
    dd_dag *dag = s->model->dag;
    const dd_op op = dd_op_of(dag, symbol);
    if (op == DD_OP_PARAM) {
        to->rest += k == 0 ? factor * s->parameter[dd_symbol_id(dag, symbol)] : 0.0;
        return true;
    }
    const uint32_t col = op == DD_OP_VAR ? s->column[dd_symbol_id(dag, symbol)] : DD_NO_INDEX;
    const uint32_t order = col == DD_NO_INDEX ? 0 : dd_symbol_order(dag, symbol);
    if (col == DD_NO_INDEX || order > 1 || k + order >= w->stride) {
        return false;
    }
    const size_t place = (size_t)col * w->stride + k + order;
    factor *= rate_factor(k, order);
    to->a += place == unknown ? factor : 0.0;
    to->rest += place == unknown ? 0.0 : factor * w->x[place];
    return true;
}

/* A number, a symbol, or a number times a symbol. */
static bool add_term(const start_work *w, dd_expr term, uint32_t k, size_t unknown, sum *to)
{
    dd_dag *dag = w->s->model->dag;
    if (dd_op_of(dag, term) == DD_OP_NUM) {
        to->rest += k == 0 ? dd_num_value(dag, term) : 0.0;
        return true;
    }
    if (dd_op_of(dag, term) != DD_OP_MUL) {
        return dd_arg_count(dag, term) == 0 && add_symbol(w, term, 1, k, unknown, to);
    }
    const dd_expr number = dd_arg(dag, term, 0), symbol = dd_arg(dag, term, 1);
    return dd_arg_count(dag, term) == 2 && dd_op_of(dag, number) == DD_OP_NUM && dd_arg_count(dag, symbol) == 0 &&
           add_symbol(w, symbol, dd_num_value(dag, number), k, unknown, to);
}

bool dd_start_solve_linear(start_work *w, uint32_t row, uint32_t order, uint32_t col, uint32_t power)
{
    dd_dag *dag = w->s->model->dag;
    const dd_expr e = w->rows.eqs.data[row].residual;
    const size_t unknown = (size_t)col * w->stride + power;
    sum total = {0};
    bool linear = dd_op_of(dag, e) == DD_OP_ADD;
    for (uint32_t i = 0; linear && i < dd_arg_count(dag, e); i++) {
        linear = add_term(w, dd_arg(dag, e, i), order, unknown, &total);
    }
    const double x = linear && total.a != 0 ? -total.rest / total.a : NAN;
    if (!isfinite(x)) {
        return false;
    }
    w->x[unknown] = x == 0 ? 0 : x; /* no -0 */
    return true;
}
