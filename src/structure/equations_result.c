/* equations_result.c - rows, assigned symbols and invariants in the symbols that stay. */
#include "structure/closed_form.h"
#include "structure/equations_impl.h"

static void add_row(dd_equations *q, dd_pool *pool, dd_expr row, uint32_t eq, uint32_t level)
{
    dd_vec_push(pool, &q->rows, row);
    dd_vec_push(pool, &q->row_eq, eq);
    dd_vec_push(pool, &q->row_level, level);
    dd_vec_push(pool, &q->rate, DD_EXPR_NONE);
    dd_vec_push(pool, &q->rate_of, DD_NO_INDEX);
}

/* The row x' - f = 0 of an explicit rate, which is kept beside it. */
static void add_rate(dd_equations_work *w, dd_pool *pool, const dd_rate_rows *rates, uint32_t i, dd_expr f,
                     uint32_t state)
{
    dd_equations *q = w->q;
    add_row(q, pool, dd_sub(w->s->model->dag, rates->symbols.data[i], f), rates->eqs.data[i], rates->levels.data[i]);
    q->rate.data[q->rows.len - 1] = f;
    q->rate_of.data[q->rows.len - 1] = state;
}

/* Derivatives that only seem to be in a row ((y' + a)*(y' - a) - y'^2 ...): the analysis found that it does not depend
 * on them, so any number may stand there. */
static dd_expr seeming_symbol(void *user, dd_expr symbol)
{
    const dd_equations_work *w = user;
    const dd_system *s = w->s;
    dd_dag *dag = s->model->dag;
    uint32_t order = dd_op_of(dag, symbol) == DD_OP_VAR ? dd_symbol_order(dag, symbol) : 0;
    uint32_t col = order > 0 ? s->column[dd_symbol_id(dag, symbol)] : DD_NO_INDEX;
    /* derivatives of x, and higher ones among z, are unknowns of the result */
    bool known = col == DD_NO_INDEX || (order == 1 && w->is_x[col]) || dd_equations_place(w, symbol) != DD_NO_INDEX;
    return known ? DD_EXPR_NONE : dd_rational(dag, 0, 1);
}

static dd_expr final_row(dd_equations_work *w, dd_expr e)
{
    return dd_substitute(w->s->model->dag, dd_equations_put(w, e), seeming_symbol, w);
}

static void write_assigned(dd_equations_work *w, dd_pool *pool)
{
    const dd_system *s = w->s;
    dd_dag *dag = s->model->dag;
    for (uint32_t z = 0; z < w->z.len; z++) {
        if (w->value[z] == DD_EXPR_NONE) {
            dd_vec_push(pool, &w->q->z, w->z.data[z]);
        } else {
            dd_vec_push(pool, &w->q->assigned, ((dd_assigned){w->z.data[z], dd_equations_put(w, w->value[z])}));
        }
    }
    /* columns of differentiated rows, with every derivative that the reduction knows */
    for (uint32_t j = 0; j < s->ncols; j++) {
        for (uint32_t m = 0; w->h[j] != DD_EXPR_NONE && m <= s->off.d[j]; m++) {
            dd_expr symbol = dd_var(dag, s->unknown[j], m);
            dd_vec_push(pool, &w->q->assigned, ((dd_assigned){symbol, dd_equations_put(w, symbol)}));
        }
    }
}

void dd_equations_write(dd_equations_work *w, const dd_expr_vec *x, const dd_rate_rows *rates, dd_pool *pool)
{
    dd_dag *dag = w->s->model->dag;
    dd_equations *q = w->q;
    w->is_x = dd_pool_alloc_array(w->scratch, w->s->ncols + 1, sizeof *w->is_x);
    uint32_t *state = dd_pool_alloc_array(w->scratch, w->s->ncols + 1, sizeof *state); /* per column: place in x */
    /* x' of these columns stays a symbol */
    for (uint32_t i = 0; i < x->len; i++) {
        const uint32_t col = w->s->column[dd_symbol_id(dag, x->data[i])];
        dd_vec_push(pool, &q->x, x->data[i]);
        w->is_x[col] = true;
        state[col] = i;
    }
    /* x' - f = 0, then the rows that were not used up */
    for (uint32_t i = 0; i < rates->rates.len; i++) {
        const uint32_t col = w->s->column[dd_symbol_id(dag, rates->symbols.data[i])];
        add_rate(w, pool, rates, i, final_row(w, rates->rates.data[i]), w->is_x[col] ? state[col] : DD_NO_INDEX);
    }
    for (uint32_t i = 0; i < w->rows.len; i++) {
        if (!w->done[i]) {
            const dd_constraint_row *c = &w->rows.data[i];
            add_row(q, pool, dd_equations_scaled(w, final_row(w, c->expr), c), c->eq, c->level);
        }
    }
    write_assigned(w, pool);
    /* divisors in the symbols that are left */
    for (uint32_t i = 0; i < q->divisors.len; i++) {
        q->divisors.data[i].value = final_row(w, q->divisors.data[i].value);
    }
}

/* ---- invariants ---- */

/* x' without an explicit rate, and z: what the rows determine beside the explicit rates. */
static dd_expr_vec implicit_unknowns(dd_equations_work *w)
{
    const dd_system *s = w->s;
    dd_dag *dag = s->model->dag;
    dd_expr_vec out = {0};
    for (uint32_t i = 0; i < w->q->x.len; i++) {
        uint32_t var = dd_symbol_id(dag, w->q->x.data[i]);
        uint32_t col = s->column[var];
        if (s->rate[col] == DD_EXPR_NONE && w->late[col] == DD_EXPR_NONE) {
            dd_vec_push(w->scratch, &out, dd_var(dag, var, 1));
        }
    }
    for (uint32_t i = 0; i < w->q->z.len; i++) {
        dd_vec_push(w->scratch, &out, w->q->z.data[i]);
    }
    return out;
}

typedef struct closed {
    dd_expr_vec unknowns;
    dd_map place;
    dd_expr *value;
    bool *wanted;
} closed;

/* Marks the implicit unknowns in e; false when there are none. */
static bool mark_unknowns(dd_equations_work *w, closed *c, dd_expr e, bool *known)
{
    dd_expr_vec symbols = {0};
    bool any = false;
    *known = true;
    dd_symbols(w->s->model->dag, e, false, &symbols, w->scratch);
    for (uint32_t k = 0; k < symbols.len; k++) {
        uint32_t at = (uint32_t)dd_map_get(&c->place, symbols.data[k]);
        if (at > 0) {
            any = c->wanted[at - 1] = true;
            *known = *known && c->value[at - 1] != DD_EXPR_NONE;
        }
    }
    dd_vec_free(w->scratch, &symbols);
    return any;
}

static dd_expr closed_value(void *user, dd_expr symbol)
{
    const closed *c = user;
    uint32_t at = (uint32_t)dd_map_get(&c->place, symbol);
    return at > 0 ? c->value[at - 1] : DD_EXPR_NONE;
}

/* x' and z where invariants contain them, in closed form where there is one. */
static void close_invariants(dd_equations_work *w, closed *c, const dd_expr *list, uint32_t count)
{
    dd_expr_vec rows = {0};
    bool any = false, known;
    c->unknowns = implicit_unknowns(w);
    uint32_t n = c->unknowns.len;
    c->place = dd_map_new(w->scratch);
    c->value = dd_pool_alloc_array(w->scratch, n + 1, sizeof *c->value);
    c->wanted = dd_pool_alloc_array(w->scratch, n + 1, sizeof *c->wanted);
    for (uint32_t i = 0; i < n; i++) {
        dd_map_put(&c->place, c->unknowns.data[i], i + 1);
    }
    /* only unknowns that some invariant contains are solved for */
    for (uint32_t i = 0; i < count; i++) {
        any = mark_unknowns(w, c, list[i], &known) || any;
    }
    for (uint32_t i = 0; i < w->q->rows.len; i++) {
        if (w->q->rate.data[i] == DD_EXPR_NONE) {
            dd_vec_push(w->scratch, &rows, w->q->rows.data[i]);
        }
    }
    /* as many implicit rows as implicit unknowns, and not too many for formulas */
    if (any && rows.len == n && n <= DD_EQUATIONS_TORN) {
        dd_closed_forms(w->s, rows.data, c->unknowns.data, n, c->wanted, c->value, w->scratch);
    }
}

/* Invariants as conditions on x alone; those with unknowns that have no closed form are left out. */
void dd_equations_write_invariants(dd_equations_work *w, dd_pool *pool)
{
    const dd_system *s = w->s;
    dd_dag *dag = s->model->dag;
    uint32_t count = s->reduced.invariants.len;
    if (w->form != DD_EQUATIONS_REDUCED || count == 0) {
        return;
    }
    dd_expr *list = dd_pool_alloc_array(w->scratch, count + 1, sizeof *list);
    for (uint32_t i = 0; i < count; i++) {
        const dd_constraint_row *c = &s->reduced.invariants.data[i];
        /* as `check` prints them, so that residuals mean the same */
        const bool joined = w->joined != NULL && w->joined[i] != DD_EXPR_NONE;
        dd_expr e = joined ? w->joined[i] : c->level > 0 ? dd_system_divide_content(s, c->raw) : c->raw;
        /* invariants of a row that left hold by themselves */
        list[i] = w->assigning[c->eq] ? dd_rational(dag, 0, 1) : final_row(w, e);
    }
    closed c = {0};
    close_invariants(w, &c, list, count);
    for (uint32_t i = 0; i < count; i++) {
        /* conditions on x alone: x' and z replaced by their closed form */
        bool known, open = mark_unknowns(w, &c, list[i], &known);
        dd_expr e = open && known ? dd_substitute(dag, list[i], closed_value, &c) : list[i];
        if (!known || dd_op_of(dag, e) == DD_OP_NUM) { /* a number: what assigned columns satisfy by themselves */
            continue;
        }
        dd_vec_push(pool, &w->q->invariants, e);
        dd_vec_push(pool, &w->q->invariant_eq, s->reduced.invariants.data[i].eq);
        dd_vec_push(pool, &w->q->invariant_level, s->reduced.invariants.data[i].level);
    }
}
