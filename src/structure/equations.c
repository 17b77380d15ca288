/* equations.c - explicit rates and assigned variables: what can be solved for symbolically is. Start reading at
 * build(). */
#include "structure/equations.h"

#include "structure/condense.h"
#include "structure/equations_impl.h"

/* Columns that differentiated rows assign, and the unknowns that are left. */
static void begin(dd_equations_work *w, dd_assigning assign, dd_expr_vec *x, dd_pool *pool)
{
    /* nothing of an attempt with other assignments is left */
    *w->q = (dd_equations){0};
    w->pool = pool;
    w->scratch = dd_pool_child(pool);
    w->z = (dd_expr_vec){0};
    w->rows = (dd_constraint_row_vec){0};
    w->queue = (dd_index_vec){0};
    w->value = NULL;
    w->late = NULL;
    w->joined = NULL;
    w->assign = assign;
    dd_equations_assign(w);
    dd_equations_sort_unknowns(w, x);
}

/* False when rows and unknowns do not balance: assigned columns have taken a row that something else needs. */
static bool build(dd_equations_work *w, dd_assigning assign, dd_pool *pool)
{
    dd_expr_vec x = {0};
    dd_rate_rows rates = {0};
    begin(w, assign, &x, pool);
    if (w->form == DD_EQUATIONS_REDUCED) {
        dd_equations_sort_rows(w, &rates);
    } else {
        dd_equations_take_original(w);
    }
    const bool balanced = x.len + w->z.len == rates.rates.len + w->rows.len;
    if (balanced) {
        if (w->form == DD_EQUATIONS_REDUCED) {
            dd_equations_use_spares(w, &x, &rates);
        }
        dd_equations_eliminate(w, &rates.rates);
        dd_equations_write(w, &x, &rates, pool);
        dd_equations_write_invariants(w, pool);
    }
    dd_pool_free(w->scratch);
    return balanced;
}

static dd_equations_work new_work(const dd_system *s, dd_form_of_equations form, double baumgarte, dd_pool *pool)
{
    dd_equations_work w = {.s = s, .q = dd_pool_alloc(pool, sizeof(dd_equations)), .alpha = baumgarte};
    w.undivided = form == DD_EQUATIONS_UNDIVIDED;
    w.constrained = form == DD_EQUATIONS_KEPT;
    w.form = form == DD_EQUATIONS_ORIGINAL ? form : DD_EQUATIONS_REDUCED;
    return w;
}

/* A constraint as it is written that holds for x, and does not disappear with what is assigned. */
static bool is_invariant(dd_equations_work *w, const dd_constraint_row *c, const bool *is_x)
{
    const dd_system *s = w->s;
    dd_dag *dag = s->model->dag;
    dd_expr_vec symbols = {0};
    if (c->level > 0 || w->assigning[c->eq]) {
        return false;
    }
    dd_symbols(dag, dd_equations_put(w, c->raw), false, &symbols, w->scratch);
    bool states = true, any = false;
    for (uint32_t i = 0; i < symbols.len && states; i++) {
        const uint32_t col = s->column[dd_symbol_id(dag, symbols.data[i])];
        any = any || col != DD_NO_INDEX;
        states = col == DD_NO_INDEX || (dd_symbol_order(dag, symbols.data[i]) == 0 && is_x[col]);
    }
    return any && states;
}

/* The fewest states that the equations of the whole system may have, when they have invariants for sure; else 0. A small
 * part of the work of making these equations. */
static uint32_t fewest_states(const dd_system *s, dd_form_of_equations form, dd_pool *pool)
{
    dd_pool *scratch = dd_pool_child(pool);
    dd_equations_work w = new_work(s, form, 0, scratch);
    dd_expr_vec x = {0};
    bool sure = false, *is_x = dd_pool_alloc_array(scratch, s->ncols + 1, sizeof *is_x);
    begin(&w, DD_ASSIGN_FREELY, &x, scratch);
    for (uint32_t i = 0; i < x.len; i++) {
        is_x[s->column[dd_symbol_id(s->model->dag, x.data[i])]] = true;
    }
    for (uint32_t i = 0; i < s->reduced.invariants.len && !sure; i++) {
        sure = is_invariant(&w, &s->reduced.invariants.data[i], is_x);
    }
    const uint32_t states = sure ? x.len : 0;
    dd_pool_free(scratch);
    return states;
}

static dd_equations *equations_of(const dd_system *s, dd_form_of_equations form, double baumgarte, dd_pool *pool)
{
    dd_equations_work w = new_work(s, form, baumgarte, pool);
    /* assign as much as leaves rows and unknowns in balance */
    if (!build(&w, DD_ASSIGN_FREELY, pool) && !build(&w, DD_ASSIGN_STRICTLY, pool)) {
        build(&w, DD_ASSIGN_NOTHING, pool);
    }
    w.q->form = w.form;
    w.q->system = s;
    return w.q;
}

static dd_expr first_rate(const dd_system *s, dd_expr symbol)
{
    dd_dag *dag = s->model->dag;
    if (dd_op_of(dag, symbol) != DD_OP_VAR || dd_symbol_order(dag, symbol) != 1) {
        return DD_EXPR_NONE;
    }
    uint32_t col = s->column[dd_symbol_id(dag, symbol)];
    return col == DD_NO_INDEX ? DD_EXPR_NONE : s->rate[col];
}

typedef struct resolver {
    const dd_system *s;
    dd_map value;
    dd_form_of_equations form;
} resolver;

static dd_expr resolved_symbol(void *user, dd_expr symbol)
{
    const resolver *r = user;
    dd_expr known = (dd_expr)dd_map_get(&r->value, symbol);
    return known != DD_EXPR_NONE || r->form == DD_EQUATIONS_ORIGINAL ? known : first_rate(r->s, symbol);
}

static dd_map assigned_values(const dd_equations *q, dd_pool *pool)
{
    dd_map value = dd_map_new(pool);
    for (uint32_t i = 0; i < q->assigned.len; i++) {
        dd_map_put(&value, q->assigned.data[i].symbol, q->assigned.data[i].value);
    }
    return value;
}

/* Twice: rates contain assigned symbols. */
static void resolve_all(resolver *r, const dd_expr *e, uint32_t n, dd_expr *out)
{
    dd_substitute_all(r->s->model->dag, e, n, resolved_symbol, r, out);
    dd_substitute_all(r->s->model->dag, out, n, resolved_symbol, r, out);
}

void dd_equations_resolve_all(const dd_system *s, const dd_equations *q, dd_expr *e, uint32_t n)
{
    resolver r = {.s = q->system, .value = q->value_of, .form = q->form};
    for (uint32_t i = 0; i < n; i++) {
        e[i] = dd_system_lower(s, e[i]);
    }
    resolve_all(&r, e, n, e);
}

dd_expr dd_equations_resolve(const dd_system *s, const dd_equations *q, dd_expr e)
{
    dd_equations_resolve_all(s, q, &e, 1);
    return e;
}

/* x, x' and z. */
static dd_map kept_symbols(const dd_equations *q, dd_pool *pool)
{
    dd_dag *dag = q->system->model->dag;
    dd_map kept = dd_map_new(pool);
    for (uint32_t i = 0; i < q->x.len; i++) {
        dd_map_put(&kept, q->x.data[i], 1);
        dd_map_put(&kept, dd_var(dag, dd_symbol_id(dag, q->x.data[i]), 1), 1);
    }
    for (uint32_t i = 0; i < q->z.len; i++) {
        dd_map_put(&kept, q->z.data[i], 1);
    }
    return kept;
}

/* A symbol of e that is neither kept nor from outside; DD_EXPR_NONE when there is none. */
static dd_expr missing_symbol(const dd_system *s, const dd_map *kept, dd_expr e, dd_pool *scratch)
{
    dd_expr_vec symbols = {0};
    dd_expr missing = DD_EXPR_NONE;
    dd_symbols(s->model->dag, e, false, &symbols, scratch);
    for (uint32_t i = 0; i < symbols.len && missing == DD_EXPR_NONE; i++) {
        bool known = s->column[dd_symbol_id(s->model->dag, symbols.data[i])] == DD_NO_INDEX ||
                     dd_map_get(kept, symbols.data[i]) != 0;
        missing = known ? DD_EXPR_NONE : symbols.data[i];
    }
    dd_vec_free(scratch, &symbols);
    return missing;
}

/* Something that went may need a derivative that no row of the rest contains (the torque on a body in a loop: the
 * angular acceleration of a joint whose rate is assigned): it is the derivative of what is assigned. False when there
 * is none. */
static bool complete(resolver *r, const dd_map *kept, dd_expr *e, dd_equations *q, dd_pool *pool)
{
    const dd_system *s = r->s;
    dd_dag *dag = s->model->dag;
    for (int round = 0; round < DD_EQUATIONS_ROUNDS; round++) {
        /* x^(m) is the derivative of x^(m-1), where that is assigned */
        dd_expr symbol = missing_symbol(s, kept, *e, pool);
        if (symbol == DD_EXPR_NONE) {
            return true;
        }
        uint32_t order = dd_symbol_order(dag, symbol);
        dd_expr below = order == 0 ? DD_EXPR_NONE : dd_var(dag, dd_symbol_id(dag, symbol), order - 1);
        dd_expr value = below == DD_EXPR_NONE ? DD_EXPR_NONE : (dd_expr)dd_map_get(&r->value, below);
        if (value == DD_EXPR_NONE || dd_map_get(&r->value, symbol) != 0) {
            return false;
        }
        /* assigned from now on, for what follows too */
        value = dd_system_derivative(s, value);
        resolve_all(r, &value, 1, &value);
        dd_map_put(&r->value, symbol, value);
        dd_vec_push(pool, &q->assigned, ((dd_assigned){symbol, value}));
        resolve_all(r, e, 1, e);
    }
    return false;
}

/* What went before the reduction is assigned, with all derivatives that the whole system knows; rows are called by
 * their numbers there. All formulas of one order at once: they share nearly everything. False when one has no value. */
static bool add_condensed(const dd_system *s, const dd_condensed *c, dd_equations *q, dd_pool *pool)
{
    dd_dag *dag = s->model->dag;
    dd_pool *scratch = dd_pool_child(pool);
    dd_expr_vec value = {0}, known = {0};
    dd_index_vec col = {0};
    /* rows by their numbers in the whole system */
    for (uint32_t i = 0; i < q->row_eq.len; i++) {
        q->row_eq.data[i] = c->eq_of[q->row_eq.data[i]];
    }
    for (uint32_t i = 0; i < q->invariant_eq.len; i++) {
        q->invariant_eq.data[i] = c->eq_of[q->invariant_eq.data[i]];
    }
    /* formulas of the columns that went, order by order */
    resolver r = {.s = q->system, .value = assigned_values(q, scratch), .form = q->form};
    dd_map kept = kept_symbols(q, scratch);
    for (uint32_t j = 0; j < s->ncols; j++) {
        if (c->h[j] != DD_EXPR_NONE) {
            dd_vec_push(scratch, &col, j);
            dd_vec_push(scratch, &value, c->h[j]);
            dd_vec_push(scratch, &known, DD_EXPR_NONE);
        }
    }
    for (uint32_t m = 0; value.len > 0; m++) {
        /* all of this order in the symbols that stay; the next order for those of which it is known */
        uint32_t left = 0;
        resolve_all(&r, value.data, value.len, known.data);
        for (uint32_t i = 0; i < value.len; i++) {
            dd_expr symbol = dd_var(dag, s->unknown[col.data[i]], m);
            if (!complete(&r, &kept, &known.data[i], q, pool)) {
                if (m == 0) {
                    return false;
                }
                continue; /* a derivative that nothing needs */
            }
            dd_vec_push(pool, &q->assigned, ((dd_assigned){symbol, known.data[i]}));
            if (m < s->off.d[col.data[i]]) {
                col.data[left] = col.data[i];
                value.data[left++] = value.data[i];
            }
        }
        value.len = left;
        /* in place, together */
        dd_system_derivatives(c->system, value.data, value.len);
    }
    dd_pool_free(scratch);
    return true;
}

/* The equations of what condensing leaves, where they may be used; else NULL. */
static dd_equations *equations_of_rest(const dd_system *s, dd_form_of_equations form, double baumgarte, dd_pool *pool)
{
    const dd_condensed *c = dd_system_condensed(s);
    dd_equations *q = c != NULL ? equations_of(c->system, form, baumgarte, pool) : NULL;
    /* An integrator marches a closed loop in all its coordinates: there the rates are explicit in x and the forces of
     * the constraints. What condensing leaves of a loop has rates that only a matrix of the angles determines, and
     * needs several times the steps (a slider crank with bdf 12 times). */
    const bool loop = form == DD_EQUATIONS_REDUCED && q != NULL && q->invariants.len > 0;
    return loop ? NULL : q;
}

/* Those of the whole system, or of what condensing leaves where these have fewer states. */
static dd_equations *fewest_equations(const dd_system *s, dd_form_of_equations form, double baumgarte, dd_pool *pool)
{
    /* without invariants there is nothing to condense */
    const bool whole = form == DD_EQUATIONS_WHOLE || form == DD_EQUATIONS_KEPT || form == DD_EQUATIONS_ORIGINAL ||
                       s->reduced.invariants.len == 0;
    const uint32_t fewest = whole ? 0 : fewest_states(s, form, pool);
    dd_equations *rest = fewest > 0 ? equations_of_rest(s, form, baumgarte, pool) : NULL;
    /* surely fewer states: the equations of the whole are not made */
    if (rest != NULL && rest->x.len < fewest && add_condensed(s, dd_system_condensed(s), rest, pool)) {
        return rest;
    }
    dd_equations *q = equations_of(s, form, baumgarte, pool);
    if (whole || q->invariants.len == 0 || (rest != NULL && rest->x.len < fewest)) {
        return q;
    }
    rest = fewest > 0 ? rest : equations_of_rest(s, form, baumgarte, pool);
    const bool fewer = rest != NULL && rest->x.len < q->x.len && add_condensed(s, dd_system_condensed(s), rest, pool);
    return fewer ? rest : q;
}

dd_equations *dd_system_equations(const dd_system *s, dd_form_of_equations form, double baumgarte, dd_pool *pool)
{
    dd_equations *q = fewest_equations(s, form, baumgarte, pool);
    q->value_of = assigned_values(q, pool);
    return q;
}
