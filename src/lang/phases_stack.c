/* phases_stack.c - the equations, constraints, integrands and guesses of each phase in the common time tau of all. */
#include "lang/phases.h"

typedef struct stacking {
    dd_flattener *fl;
    dd_expr start, length;
    bool keep_rates; /* der(x) is dealt with elsewhere */
} stacking;

static dd_expr put_common(void *user, dd_expr symbol)
{
    const stacking *s = user;
    dd_dag *dag = s->fl->m->dag;
    /* t = t_k + T_k tau */
    if (dd_op_of(dag, symbol) == DD_OP_TIME) {
        return dd_add(dag, s->start, dd_mul(dag, s->length, symbol));
    }
    /* d/dt = (1/T_k) d/dtau, once per order */
    uint32_t order = dd_op_of(dag, symbol) == DD_OP_VAR ? dd_symbol_order(dag, symbol) : 0;
    if (order == 0 || s->keep_rates) {
        return DD_EXPR_NONE;
    }
    return dd_div(dag, symbol, dd_pow(dag, s->length, dd_rational(dag, order, 1)));
}

static stacking stacking_of(dd_flattener *fl, uint32_t phase)
{
    const dd_flat_phase *p = dd_phase_get(fl, phase);
    return (stacking){.fl = fl, .start = p->start, .length = p->length};
}

/* An expression of a phase in tau. */
static dd_expr stacked(dd_flattener *fl, dd_expr e, uint32_t phase)
{
    stacking s = stacking_of(fl, phase);
    return dd_substitute(fl->m->dag, e, put_common, &s);
}

/* A residual that is linear in the derivatives, sum a x'/T + b, is multiplied by T: nothing is divided by a duration
 * that may be decided. */
static dd_expr stacked_row(dd_flattener *fl, dd_expr e, uint32_t phase)
{
    dd_dag *dag = fl->m->dag;
    stacking s = stacking_of(fl, phase);
    dd_expr_vec rates = {0};
    s.keep_rates = true;
    /* time replaced first, rates left: the row as a function of x' decides how it is scaled */
    dd_expr timed = dd_substitute(dag, e, put_common, &s), rest;
    dd_symbols(dag, timed, false, &rates, fl->pool);
    uint32_t n = 0;
    bool first_order = true;
    /* rates to the front of the list */
    for (uint32_t i = 0; i < rates.len; i++) {
        uint32_t order = dd_symbol_order(dag, rates.data[i]);
        first_order = first_order && order <= 1;
        if (order > 0) {
            rates.data[n++] = rates.data[i];
        }
    }
    /* sum a_i x_i'/T + b = 0 becomes sum a_i x_i' + T b = 0 */
    dd_expr *terms = dd_pool_alloc_array(fl->pool, n + 1, sizeof *terms), out = timed;
    if (n > 0 && first_order && dd_linear(dag, timed, rates.data, n, terms, &rest)) {
        for (uint32_t i = 0; i < n; i++) {
            terms[i] = dd_mul(dag, terms[i], rates.data[i]);
        }
        terms[n] = dd_mul(dag, s.length, rest);
        out = dd_sum(dag, terms, n + 1);
    } else if (n > 0) {
        /* nonlinear in a rate: divided as written */
        out = stacked(fl, e, phase);
    }
    dd_vec_free(fl->pool, &rates);
    return out;
}

/* ---- equations ---- */

/* The declaration of a variable that is bound to something with a derivative no longer determines it. */
static void unbind(dd_model *m, const dd_group *g)
{
    if (g->origin != DD_ORIGIN_BINDING) {
        return;
    }
    uint32_t array = dd_model_array_of(m, dd_form_get(m->forms, g->lhs)->payload);
    if (array == DD_NO_INDEX) {
        return;
    }
    /* the listing then prints the row, not the declaration */
    dd_array *a = &m->arrays.data[array];
    a->binding = DD_FORM_NONE;
    for (uint32_t i = 0; i < a->size; i++) {
        m->vars.data[a->first + i].binding = DD_EXPR_NONE;
    }
}

static void stack_rows(dd_flattener *fl, dd_group_vec *groups, dd_row_vec *rows, bool scale)
{
    /* rows without a variable of a phase do not change */
    for (uint32_t r = 0; r < rows->len; r++) {
        dd_row *row = &rows->data[r];
        dd_group *g = &groups->data[row->group];
        uint32_t phase;
        if (!dd_phases_of(fl, row->residual, g->span, "this equation", 0, &phase) || phase == 0) {
            continue;
        }
        dd_expr e = scale ? stacked_row(fl, row->residual, phase) : stacked(fl, row->residual, phase);
        g->stacked = g->stacked || e != row->residual;
        row->residual = e;
    }
    /* declarations that no longer say what their rows do */
    for (uint32_t i = 0; i < groups->len; i++) {
        if (groups->data[i].stacked) {
            unbind(fl->m, &groups->data[i]);
        }
    }
}

static void stack_assertions(dd_flattener *fl)
{
    /* conditions are evaluated along the solution, in the common time */
    for (uint32_t i = 0; i < fl->m->assertions.len; i++) {
        dd_assertion *a = &fl->m->assertions.data[i];
        uint32_t phase;
        a->condition = dd_phases_lower(fl, a->condition);
        if (dd_phases_of(fl, a->condition, a->span, "this assertion", 0, &phase) && phase != 0) {
            a->condition = stacked(fl, a->condition, phase);
        }
    }
}

/* ---- the optimization ---- */

static bool has_point(const dd_flattener *fl, dd_expr e)
{
    dd_expr_vec symbols = {0};
    bool found = false;
    dd_symbols(fl->m->dag, e, true, &symbols, fl->pool);
    for (uint32_t i = 0; i < symbols.len && !found; i++) {
        found = dd_op_of(fl->m->dag, symbols.data[i]) != DD_OP_TIME &&
                fl->m->vars.data[dd_symbol_id(fl->m->dag, symbols.data[i])].kind == DD_KIND_POINT;
    }
    dd_vec_free(fl->pool, &symbols);
    return found;
}

static void stack_constraints(dd_flattener *fl)
{
    dd_optimization *o = fl->m->optimization;
    for (uint32_t i = 0; i < o->constraints.len; i++) {
        dd_constraint *c = &o->constraints.data[i];
        dd_expr e = dd_sub(fl->m->dag, c->lhs, c->rhs);
        uint32_t phase;
        /* values at instants have been placed by dd_phases_points */
        if (has_point(fl, e)) {
            continue;
        }
        if (!dd_phases_of(fl, e, c->span, "this path constraint", c->phase, &phase)) {
            return;
        }
        /* without a phase `time` has no meaning */
        if (phase == 0 && dd_depends(fl->m->dag, e, dd_time(fl->m->dag))) {
            dd_error(fl->ctx, c->span,
                     "`time` is the time of a phase, but this constraint belongs to no phase: write it in the class of "
                     "a phase");
            return;
        }
        if (phase != 0) {
            c->lhs = stacked(fl, dd_phases_lower(fl, c->lhs), phase);
            c->rhs = stacked(fl, dd_phases_lower(fl, c->rhs), phase);
        }
    }
}

static void add_term(dd_flattener *fl, dd_expr e, dd_span span, uint32_t hint)
{
    dd_optimization *o = fl->m->optimization;
    uint32_t phase;
    if (!dd_phases_of(fl, e, span, "this integrand", hint, &phase)) {
        return;
    }
    if (phase == 0) {
        dd_error(
            fl->ctx, span,
            "this integrand contains no variable of a phase, so its horizon is not known: write it in the class of "
            "a phase");
        return;
    }
    /* integral of L dt = integral of T_k L dtau */
    dd_expr term = dd_mul(fl->m->dag, dd_phase_get(fl, phase)->length, stacked(fl, dd_phases_lower(fl, e), phase));
    o->integrand = o->integrand != DD_EXPR_NONE ? dd_add(fl->m->dag, o->integrand, term) : term;
}

void dd_phases_add_integrand(dd_flattener *fl, dd_expr e, dd_span span, uint32_t phase)
{
    if (phase != 0 || dd_op_of(fl->m->dag, e) != DD_OP_ADD) {
        add_term(fl, e, span, phase);
        return;
    }
    uint32_t n = dd_arg_count(fl->m->dag, e); /* each term is of the phase it names */
    for (uint32_t i = 0; i < n; i++) {
        add_term(fl, dd_arg(fl->m->dag, e, i), span, 0);
    }
}

/* Guesses and known inputs are functions of the phase's time; a guess of that time will do for guesses. */
static void stack_variables(dd_flattener *fl)
{
    dd_dag *dag = fl->m->dag;
    /* guesses at the guessed times: they need not follow free parameters */
    for (uint32_t i = 0; i < fl->m->vars.len && i < fl->phases->of.len; i++) {
        dd_variable *v = &fl->m->vars.data[i];
        uint32_t phase = fl->phases->of.data[i];
        bool varies = v->kind == DD_KIND_VARIABLE || v->kind == DD_KIND_INPUT;
        if (phase == 0 || !varies) {
            continue;
        }
        const dd_flat_phase *p = dd_phase_get(fl, phase);
        stacking s = {.fl = fl, .start = dd_num(dag, p->start_value), .length = dd_num(dag, p->length_value)};
        v->guess = v->guess != DD_EXPR_NONE ? dd_substitute(dag, v->guess, put_common, &s) : v->guess;
        /* values of inputs are exact, so they follow the free times */
        if (v->kind == DD_KIND_INPUT && v->has_value && v->binding != DD_EXPR_NONE) {
            v->binding = stacked(fl, v->binding, phase);
        }
    }
}

void dd_phases_stack(dd_flattener *fl)
{
    /* rows of dynamics are multiplied by T, initial rows are not: they hold at one instant */
    stack_rows(fl, &fl->m->groups, &fl->m->rows, true);
    stack_rows(fl, &fl->m->initial_groups, &fl->m->initial_rows, false);
    stack_assertions(fl);
    stack_constraints(fl);
    stack_variables(fl);
}
