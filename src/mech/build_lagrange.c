/* build_lagrange.c - dd_model_add_lagrange: the checks of lagrange(...) in the language, then one equation of
 * motion per coordinate and one equation per constraint. */
#include "mech/lagrange.h"
#include "model/build.h"

typedef struct lagrange_call {
    dd_model *m;
    const dd_lagrange_input *in;
    dd_pool *scratch;
    uint8_t *role; /* per var */
} lagrange_call;

enum { ROLE_NONE = 0, ROLE_COORDINATE, ROLE_MULTIPLIER };

static const char *name_of(const lagrange_call *call, dd_expr symbol)
{
    return dd_model_var_name_dup(call->m, dd_symbol_id(call->m->dag, symbol), call->scratch);
}

/* ---- arguments ---- */

static void check_variables(lagrange_call *call, const dd_expr *list, uint32_t n, const char *what, uint8_t role)
{
    dd_model *m = call->m;
    dd_build_need_numbers(m, list, n, what);
    /* each must be a declared variable itself, not a derivative, a parameter or an expression, and have one role
     * only */
    for (uint32_t i = 0; i < n; i++) {
        bool variable = dd_op_of(m->dag, list[i]) == DD_OP_VAR && dd_symbol_order(m->dag, list[i]) == 0 &&
                        m->vars.data[dd_symbol_id(m->dag, list[i])].kind == DD_KIND_VARIABLE;
        if (!variable) {
            dd_build_refuse(m, "%s[%u] is not a variable of the model", what, i);
        }
        uint8_t *taken = &call->role[dd_symbol_id(m->dag, list[i])];
        if (*taken != ROLE_NONE) {
            dd_build_refuse(m, *taken == role ? "%s appears twice in %s" : "%s is a coordinate and cannot appear in %s",
                            name_of(call, list[i]), what);
        }
        *taken = role;
    }
}

static void check_expressions(lagrange_call *call)
{
    dd_model *m = call->m;
    const dd_lagrange_input *in = call->in;
    const struct {
        const char *name;
        dd_expr e;
    } energies[] = {{"T", in->T}, {"V", in->V}, {"D", in->D}};
    /* T is required, V and D are optional */
    for (int i = 0; i < 3; i++) {
        if (i == 0 || energies[i].e != DD_EXPR_NONE) {
            dd_build_need_number(m, energies[i].e, energies[i].name, DD_NO_INDEX);
        }
    }
    /* lists: a length without a list is refused too */
    dd_build_need_numbers(m, in->c, in->nc, "c");
    dd_build_need_numbers(m, in->a, in->na, "a");
    dd_build_need_numbers(m, in->Q, in->Q ? in->nq : 0, "Q");
    dd_build_need_numbers(m, in->forces, in->nf, "forces");
    dd_build_need_numbers(m, in->points, in->nf, "points");
}

/* ---- what the expressions contain ---- */

/* Coordinates up to this order of derivative, inputs and, where `others` are allowed, anything else. */
static void check_contents(lagrange_call *call, dd_expr e, const char *what, uint32_t max_order, bool others)
{
    dd_model *m = call->m;
    dd_expr_vec symbols = {0};
    if (e == DD_EXPR_NONE) {
        return;
    }
    dd_symbols(m->dag, e, false, &symbols, call->scratch);
    /* every symbol in e must be a coordinate of a low enough order, an input, or allowed as `others` */
    for (uint32_t i = 0; i < symbols.len; i++) {
        uint32_t var = dd_symbol_id(m->dag, symbols.data[i]), order = dd_symbol_order(m->dag, symbols.data[i]);
        bool coordinate = call->role[var] == ROLE_COORDINATE;
        if (!coordinate && !others && m->vars.data[var].kind != DD_KIND_INPUT) {
            dd_build_refuse(
                m,
                "%s contains %.100s, which is neither a coordinate in q, nor the derivative of one, nor time, a "
                "parameter or an input; a speed is dd_expr_der of a coordinate",
                what, name_of(call, symbols.data[i]));
        }
        if (coordinate && order > max_order) {
            dd_build_refuse(m,
                            order == 1 ? "%s contains der(%.100s), but may depend on positions only"
                                       : "%s contains a higher derivative of %.100s",
                            what, name_of(call, symbols.data[i]));
        }
    }
    dd_vec_free(call->scratch, &symbols);
}

static void check_list(lagrange_call *call, const dd_expr *list, uint32_t n, const char *what, uint32_t max_order,
                       bool others)
{
    for (uint32_t i = 0; i < n; i++) {
        check_contents(call, list[i], what, max_order, others);
    }
}

/* a = 0 must be linear in the derivatives of coordinates that it contains. */
static void check_linear(lagrange_call *call, uint32_t i)
{
    dd_dag *dag = call->m->dag;
    dd_expr_vec symbols = {0};
    dd_expr rest;
    uint32_t n = 0;
    /* the first derivatives of coordinates in a, moved to the front of the list */
    dd_symbols(dag, call->in->a[i], false, &symbols, call->scratch);
    for (uint32_t k = 0; k < symbols.len; k++) {
        if (call->role[dd_symbol_id(dag, symbols.data[k])] == ROLE_COORDINATE &&
            dd_symbol_order(dag, symbols.data[k]) == 1) {
            symbols.data[n++] = symbols.data[k];
        }
    }
    /* linear means: d a/d q' does not contain q'. D'Alembert's principle covers such constraints only */
    dd_expr *coefficients = dd_pool_alloc_array(call->scratch, n, sizeof *coefficients);
    if (n > 0 && !dd_linear(dag, call->in->a[i], symbols.data, n, coefficients, &rest)) {
        dd_build_refuse(call->m, "a[%u] is not linear in the derivatives of the coordinates", i);
    }
    dd_vec_free(call->scratch, &symbols);
}

static void check(lagrange_call *call)
{
    const dd_lagrange_input *in = call->in;
    if (!in || in->nq == 0) {
        dd_build_refuse(call->m, in ? "q is empty: nothing moves" : "the input is NULL");
    }
    if (in->nc > UINT32_MAX - in->na) {
        dd_build_refuse(call->m, "nc + na is too large");
    }
    /* roles first: the checks of the contents ask which symbols are coordinates */
    call->role = dd_pool_alloc_array(call->scratch, call->m->vars.len + 1, sizeof *call->role);
    check_variables(call, in->q, in->nq, "q", ROLE_COORDINATE);
    check_variables(call, in->lambda, in->nc + in->na, "lambda", ROLE_MULTIPLIER);
    check_expressions(call);
    /* the highest derivative that each argument may contain: T and D have speeds, V and c positions only */
    check_contents(call, in->T, "T", 1, false);
    check_contents(call, in->V, "V", 0, false);
    check_contents(call, in->D, "D", 1, true);
    check_list(call, in->c, in->nc, "c", 0, false);
    check_list(call, in->a, in->na, "a", 1, true);
    check_list(call, in->points, in->nf, "points", 0, true);
    for (uint32_t i = 0; i < in->na; i++) {
        check_linear(call, i);
    }
}

/* ---- equations ---- */

static void add_motion(lagrange_call *call)
{
    dd_model *m = call->m;
    const dd_lagrange_input *in = call->in;
    dd_lagrange l = {.q = in->q,
                     .nq = in->nq,
                     .T = in->T,
                     .V = in->V,
                     .D = in->D,
                     .c = in->c,
                     .nc = in->nc,
                     .a = in->a,
                     .na = in->na,
                     .lambda = in->lambda,
                     .Q = in->Q,
                     .forces = in->forces,
                     .points = in->points,
                     .nf = in->nf};
    /* one residual per coordinate (lagrange.h), each a group named after it for reports */
    dd_expr *residuals = dd_pool_alloc_array(call->scratch, in->nq, sizeof *residuals);
    dd_lagrange_equations(m->dag, &l, residuals, call->scratch);
    l.first_group = m->groups.len;
    dd_vec_push(m->pool, &m->lagrange, (const dd_lagrange *)dd_lagrange_copy(&l, m->pool));
    for (uint32_t i = 0; i < in->nq; i++) {
        dd_group group = {.origin = DD_ORIGIN_LAGRANGE};
        group.doc = dd_pool_printf(m->pool, "equation of motion of %s", name_of(call, in->q[i]));
        dd_model_add_group(m, group, &residuals[i], 1);
    }
}

static void add_constraints(lagrange_call *call)
{
    const dd_lagrange_input *in = call->in;
    /* the constraints are rows as given; each report names them by their multiplier */
    for (uint32_t i = 0; i < in->nc + in->na; i++) {
        dd_expr residual = i < in->nc ? in->c[i] : in->a[i - in->nc];
        dd_group group = {.origin = DD_ORIGIN_CONSTRAINT};
        group.doc = dd_pool_printf(call->m->pool, "constraint with multiplier %s", name_of(call, in->lambda[i]));
        dd_model_add_group(call->m, group, &residual, 1);
    }
}

static void lagrange_body(void *arg)
{
    lagrange_call *call = arg;
    call->scratch = dd_pool_child(call->m->pool);
    check(call);
    add_motion(call);
    add_constraints(call);
    dd_pool_free(call->scratch);
}

dd_status dd_model_add_lagrange(dd_model *model, const dd_lagrange_input *input)
{
    lagrange_call call = {.m = model, .in = input};
    return model ? dd_build(model, "dd_model_add_lagrange", lagrange_body, &call) : DD_INVALID_ARGUMENT;
}
