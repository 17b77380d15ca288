/* condense_rest.c - the rows and columns that condensing leaves, as a separate system: its columns, rows and point are those
 * of the whole, its offsets, certificate and reduction its own. */
#include <string.h>

#include "eval/tape.h"
#include "structure/certificate.h"
#include "structure/condense_impl.h"

enum {
    MOST_STATES = 64,   /* beyond, sparse equations in many unknowns are better than dense ones in few */
    MOST_NODES = 200000 /* operations of all rows */
};

bool dd_condense_gains(const dd_condenser *w)
{
    const dd_system *s = w->s;
    uint32_t states = 0;
    bool clean = true;
    for (uint32_t j = 0; j < s->ncols; j++) {
        /* x without its velocity, or the other way round, would be two states for one */
        uint32_t velocity = s->velocity[s->unknown[j]], col = velocity == DD_NO_INDEX ? j : s->column[velocity];
        bool left = w->h[j] == DD_EXPR_NONE;
        states += left && !w->algebraic[j];
        clean = clean && (left || w->h[col] != DD_EXPR_NONE);
    }
    return w->settled > 0 && clean && states <= MOST_STATES;
}

static void number_columns(dd_condenser *w, dd_system *c, dd_pool *pool)
{
    const dd_system *s = w->s;
    uint32_t vars = s->model->vars.len;
    c->ncols = 0;
    c->unknown = dd_pool_alloc_array(pool, s->ncols + 1, sizeof *c->unknown);
    c->column = dd_pool_alloc_array(pool, vars + 1, sizeof *c->column);
    c->velocity = dd_pool_alloc_array(pool, vars + 1, sizeof *c->velocity);
    c->differentiated = dd_pool_alloc_array(pool, s->ncols + 1, sizeof *c->differentiated);
    c->size = dd_pool_alloc_array(pool, s->ncols + 1, sizeof *c->size);
    /* a velocity that went is no name any more: x' is x' again */
    for (uint32_t v = 0; v < vars; v++) {
        uint32_t velocity = s->velocity[v], col = velocity == DD_NO_INDEX ? DD_NO_INDEX : s->column[velocity];
        c->velocity[v] = col == DD_NO_INDEX || w->h[col] == DD_EXPR_NONE ? velocity : DD_NO_INDEX;
        c->column[v] = DD_NO_INDEX;
    }
    /* the columns that are left, in their order */
    for (uint32_t j = 0; j < s->ncols; j++) {
        if (w->h[j] == DD_EXPR_NONE) {
            c->column[s->unknown[j]] = c->ncols;
            c->unknown[c->ncols] = s->unknown[j];
            c->differentiated[c->ncols] = s->differentiated[j];
            c->size[c->ncols++] = s->size[j];
        }
    }
    c->declared = c->ncols;
}

/* False when a second derivative is left: a first-order form would need a velocity that the text does not have. */
static bool note_derivatives(dd_condenser *w, dd_system *c, dd_expr e)
{
    dd_expr_vec symbols = {0};
    bool first_order = true;
    dd_symbols(w->dag, e, false, &symbols, w->scratch);
    for (uint32_t i = 0; i < symbols.len; i++) {
        uint32_t col = c->column[dd_symbol_id(w->dag, symbols.data[i])];
        uint32_t order = col == DD_NO_INDEX ? 0 : dd_symbol_order(w->dag, symbols.data[i]);
        first_order = first_order && order <= 1;
        if (order > 0) {
            c->differentiated[col] = true;
        }
    }
    dd_vec_free(w->scratch, &symbols);
    return first_order;
}

static bool list_rows(dd_condenser *w, dd_condensed *out, dd_pool *pool)
{
    const dd_system *s = w->s;
    dd_system *c = out->system;
    dd_expr_vec rows = {0};
    bool first_order = true;
    c->eqs = (dd_eq_vec){0};
    out->eq_of = dd_pool_alloc_array(pool, s->inc.n + 1, sizeof *out->eq_of);
    for (uint32_t i = 0; i < s->inc.n; i++) {
        if (!w->row[i].gone) {
            out->eq_of[rows.len] = i;
            dd_vec_push(w->scratch, &rows, dd_condense_look(w, i)->e);
        }
    }
    dd_condense_shorten(w, rows.data, rows.len);
    for (uint32_t i = 0; i < rows.len; i++) {
        dd_eq eq = s->eqs.data[out->eq_of[i]];
        eq.residual = rows.data[i];
        first_order = first_order && note_derivatives(w, c, eq.residual);
        dd_vec_push(pool, &c->eqs, eq);
    }
    return first_order && c->eqs.len == c->ncols;
}

static uint32_t operations(dd_condenser *w, const dd_eq_vec *eqs)
{
    dd_pool *scratch = dd_pool_child(w->scratch);
    dd_expr_vec rows = {0}, symbols = {0};
    for (uint32_t i = 0; i < eqs->len; i++) {
        dd_vec_push(scratch, &rows, eqs->data[i].residual);
    }
    dd_symbols_of_all(w->dag, rows.data, rows.len, true, &symbols, scratch);
    uint32_t length = dd_tape_length(dd_tape_new(scratch, w->dag, symbols.data, symbols.len, rows.data, rows.len));
    dd_pool_free(scratch);
    return length;
}

static void take_point(dd_system *c, const dd_system *s, dd_pool *pool)
{
    size_t stride = s->point.order + 1;
    c->point.x = dd_pool_alloc_array(pool, c->ncols * stride + 1, sizeof *c->point.x);
    for (uint32_t j = 0; j < c->ncols; j++) {
        memcpy(c->point.x + j * stride, s->point.x + s->column[c->unknown[j]] * stride, stride * sizeof(double));
    }
}

/* The offsets of the rest are right: its Jacobian is regular at the consistent point of the whole. */
static bool certified(dd_system *c, const dd_system *s, dd_pool *scratch)
{
    c->inc = dd_system_incidence(c, &c->eqs, c->pool);
    c->off = dd_system_offsets(c, &c->inc, c->pool);
    /* the same degrees of freedom, and derivatives that the point has */
    if (!c->off.perfect || c->off.dof != s->off.dof || c->off.max_d + 1 > s->point.order) {
        return false;
    }
    dd_blocks blocks = dd_system_blocks(c, &c->inc, &c->off, scratch);
    dd_regularity at =
        dd_system_regularity(c, dd_system_numeric(c), &c->off, &blocks, c->point.x, c->point.order + 1, false, scratch);
    return at.finite && !at.singular;
}

bool dd_condense_rest(dd_condenser *w, dd_condensed *out, dd_pool *pool)
{
    const dd_system *s = w->s;
    dd_system *c = out->system;
    /* names, parameters and options are those of the whole; lists are its own */
    *c = *s;
    c->pool = pool;
    c->numeric = NULL;
    c->warnings = c->structural_conditions = (dd_string_vec){0};
    c->visible = c->hidden = (dd_constraint_row_vec){0};
    c->visible_text = c->hidden_text = (dd_text_row_vec){0};
    c->reduced = (dd_reduced){0};
    number_columns(w, c, pool);
    if (!list_rows(w, out, pool) || operations(w, &c->eqs) > MOST_NODES) {
        return false;
    }
    take_point(c, s, pool);
    if (!certified(c, s, w->scratch)) {
        return false;
    }
    dd_system_reduce(c);
    return true;
}
