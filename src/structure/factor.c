/* factor.c - the coefficient of a derivative that divides its whole row. */
#include "structure/factor.h"

#include <math.h>

#include "structure/numeric.h"

/* Is c still below the line of q = rest/c? */
static bool divides(const dd_dag *dag, dd_expr c, dd_expr q)
{
    const bool product = dd_op_of(dag, q) == DD_OP_MUL;
    for (uint32_t i = 0; i < (product ? dd_arg_count(dag, q) : 1); i++) {
        const dd_expr f = product ? dd_arg(dag, q, i) : q;
        /* rest/c still contains 1/c */
        if (dd_op_of(dag, f) == DD_OP_POW && dd_arg(dag, f, 0) == c) {
            return false;
        }
    }
    return true;
}

/* c where the row is c*x' + c*q; DD_EXPR_NONE when it is not. */
static dd_expr common_factor(dd_system *s, dd_expr residual, dd_expr rate, dd_pool *scratch)
{
    dd_dag *dag = s->model->dag;
    dd_expr c, rest;
    if (!dd_linear(dag, residual, &rate, 1, &c, &rest) || dd_op_of(dag, c) == DD_OP_NUM ||
        dd_system_has_rates(s, c, scratch)) {
        return DD_EXPR_NONE;
    }
    return dd_is_num(dag, rest, 0) || divides(dag, c, dd_div(dag, rest, c)) ? c : DD_EXPR_NONE;
}

dd_expr dd_vanishing_factor(dd_system *s, uint32_t row, const double *x, uint32_t stride)
{
    const double nothing = 1e-9; /* relative to the terms it is made of */
    const dd_incidence *inc = &s->inc;
    dd_numeric *nm = dd_system_numeric(s);
    if (!dd_numeric_partials(nm, x, stride)) {
        return DD_EXPR_NONE;
    }
    dd_pool *scratch = dd_pool_child(s->pool);
    dd_expr found = DD_EXPR_NONE;
    for (uint32_t e = inc->ptr[row]; e < inc->ptr[row + 1] && found == DD_EXPR_NONE; e++) {
        /* a derivative whose coefficient vanishes at the point, and is a factor of the whole row */
        if (inc->sigma[e] != 1) {
            continue;
        }
        double magnitude;
        const double value = dd_numeric_tight(nm, e, &magnitude);
        if (fabs(value) <= nothing * magnitude) {
            found =
                common_factor(s, s->eqs.data[row].residual, dd_var(s->model->dag, s->unknown[inc->idx[e]], 1), scratch);
        }
    }
    dd_pool_free(scratch);
    return found;
}
