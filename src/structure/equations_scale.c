/* equations_scale.c - rows divided by what multiplies all their unknowns. Start reading at dd_equations_scaled().
 *
 * x*y' = x*cos(t) is y' = cos(t) while x is not zero. Where x fades within a step, a matrix of Newton's method that was computed
 * before is too large for that row, and its corrections are too small by as much: they look like convergence, and y does
 * not move. Divided by x the row has the same coefficient everywhere. What was divided by is kept among the divisors,
 * which a simulation watches: where it vanishes, the row as written determines nothing. */
#include "expr/walk.h"
#include "structure/equations_impl.h"

/* ---- factors ---- */

/* base^exponent with a number above zero as exponent; other factors are their own base. */
typedef struct power {
    dd_expr base;
    double exponent;
} power;

typedef DD_VEC(power) power_vec;

static power power_of(const dd_dag *dag, dd_expr factor)
{
    if (dd_op_of(dag, factor) == DD_OP_POW && dd_op_of(dag, dd_arg(dag, factor, 1)) == DD_OP_NUM) {
        return (power){dd_arg(dag, factor, 0), dd_num_value(dag, dd_arg(dag, factor, 1))};
    }
    return (power){factor, 1};
}

/* How often base is a factor of a term. */
static double exponent_in(const dd_dag *dag, dd_expr term, dd_expr base)
{
    const bool product = dd_op_of(dag, term) == DD_OP_MUL;
    double found = 0;
    for (uint32_t i = 0; i < (product ? dd_arg_count(dag, term) : 1); i++) {
        const power p = power_of(dag, product ? dd_arg(dag, term, i) : term);
        found = p.base == base ? p.exponent : found;
    }
    return found;
}

/* The factors of a term that may be divided by: powers above zero of what `w->fixed` allows. */
static void list_factors(dd_equations_work *w, dd_expr term, power_vec *out)
{
    const dd_dag *dag = w->s->model->dag;
    const bool product = dd_op_of(dag, term) == DD_OP_MUL;
    for (uint32_t i = 0; i < (product ? dd_arg_count(dag, term) : 1); i++) {
        const power p = power_of(dag, product ? dd_arg(dag, term, i) : term);
        if (p.exponent > 0 && !dd_equations_constant(w, p.base)) {
            dd_vec_push(w->scratch, out, p);
        }
    }
}

/* Keeps of the factors found so far what all terms of e have. */
static void keep_common(const dd_dag *dag, dd_expr e, power_vec *common)
{
    const bool sum = dd_op_of(dag, e) == DD_OP_ADD;
    for (uint32_t i = 0; i < (sum ? dd_arg_count(dag, e) : 1); i++) {
        const dd_expr term = sum ? dd_arg(dag, e, i) : e;
        for (uint32_t k = 0; k < common->len; k++) {
            const double there = exponent_in(dag, term, common->data[k].base);
            common->data[k].exponent = there < common->data[k].exponent ? there : common->data[k].exponent;
        }
    }
}

/* ---- what a row may be divided by ---- */

/* Nothing that switches: a coefficient may be zero in a mode in which the row says something else. */
static bool is_smooth(dd_equations_work *w, dd_expr e)
{
    return !dd_has_switch(w->s->model->dag, &e, 1);
}

/* x' and z: what the rows determine at a point. */
static bool is_unknown(const dd_equations_work *w, dd_expr symbol)
{
    const dd_dag *dag = w->s->model->dag;
    const uint32_t col = w->s->column[dd_symbol_id(dag, symbol)];
    const bool rate = col != DD_NO_INDEX && dd_symbol_order(dag, symbol) == 1 && w->is_x[col];
    return rate || dd_equations_place(w, symbol) != DD_NO_INDEX;
}

static void list_unknowns(dd_equations_work *w, dd_expr e, dd_expr_vec *out)
{
    dd_expr_vec symbols = {0};
    dd_symbols(w->s->model->dag, e, false, &symbols, w->scratch);
    for (uint32_t i = 0; i < symbols.len; i++) {
        if (is_unknown(w, symbols.data[i])) {
            dd_vec_push(w->scratch, out, symbols.data[i]);
        }
    }
    dd_vec_free(w->scratch, &symbols);
}

static bool may_divide(dd_equations_work *w, dd_expr e)
{
    dd_expr_vec unknowns = {0};
    list_unknowns(w, e, &unknowns);
    const bool free_of_them = unknowns.len == 0;
    dd_vec_free(w->scratch, &unknowns);
    return free_of_them && !dd_equations_constant(w, e) && is_smooth(w, e);
}

/* The product of the factors that all partial derivatives of the row by its unknowns have; DD_EXPR_NONE without. */
static dd_expr common_factor(dd_equations_work *w, dd_expr row, const dd_expr_vec *unknowns)
{
    dd_dag *dag = w->s->model->dag;
    const dd_expr one = dd_rational(dag, 1, 1);
    dd_expr_vec found = {0}, partials = {0};
    power_vec common = {0};
    dd_gradient(dag, &(dd_gradient_of){&row, &one, 1, unknowns->data, unknowns->len}, &found, &partials, w->scratch);
    /* begin with those of any term, and strike out */
    for (uint32_t i = 0; i < partials.len; i++) {
        if (i == 0) {
            const bool sum = dd_op_of(dag, partials.data[0]) == DD_OP_ADD;
            list_factors(w, sum ? dd_arg(dag, partials.data[0], 0) : partials.data[0], &common);
        }
        keep_common(dag, partials.data[i], &common);
    }
    dd_expr factor = DD_EXPR_NONE;
    for (uint32_t k = 0; k < common.len; k++) {
        if (common.data[k].exponent > 0 && may_divide(w, common.data[k].base)) {
            const dd_expr p = dd_pow(dag, common.data[k].base, dd_num(dag, common.data[k].exponent));
            factor = factor == DD_EXPR_NONE ? p : dd_mul(dag, factor, p);
        }
    }
    return factor;
}

/* ---- division ---- */

/* Term by term, so that common factors cancel. */
static dd_expr divided(dd_dag *dag, dd_expr e, dd_expr by, dd_pool *scratch)
{
    if (dd_op_of(dag, e) != DD_OP_ADD) {
        return dd_div(dag, e, by);
    }
    const uint32_t n = dd_arg_count(dag, e);
    dd_expr *terms = dd_pool_alloc_array(scratch, n, sizeof *terms);
    for (uint32_t i = 0; i < n; i++) {
        terms[i] = dd_div(dag, dd_arg(dag, e, i), by);
    }
    return dd_sum(dag, terms, n);
}

dd_expr dd_equations_scaled(dd_equations_work *w, dd_expr row, const dd_constraint_row *c)
{
    dd_dag *dag = w->s->model->dag;
    dd_expr_vec unknowns = {0};
    dd_expr by = DD_EXPR_NONE, coefficient, result = row;
    /* at a singular start the rows as written are all there is; a transcription wants rows of low degree */
    if (w->undivided || w->s->certificate == DD_CERTIFICATE_DERIVATIVE_ARRAY) {
        return row;
    }
    list_unknowns(w, row, &unknowns);
    /* one unknown that the row is linear in: its coefficient, whatever it is made of */
    if (unknowns.len == 1 && dd_linear_coefficients(dag, row, unknowns.data, 1, &coefficient)) {
        if (!dd_is_num(dag, coefficient, 0) && may_divide(w, coefficient)) {
            by = coefficient;
            const dd_expr rest = dd_linear_rest(dag, row, unknowns.data, 1);
            result = dd_add(dag, unknowns.data[0], divided(dag, rest, by, w->scratch));
        }
    } else if (unknowns.len > 0) {
        by = common_factor(w, row, &unknowns);
        result = by == DD_EXPR_NONE ? row : divided(dag, row, by, w->scratch);
    }
    if (by != DD_EXPR_NONE) {
        dd_vec_push(w->pool, &w->q->divisors, ((dd_divisor){by, unknowns.data[0], c->eq, c->level}));
    }
    return result;
}
