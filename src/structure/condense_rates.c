/* condense_rates.c - rates in closed form of columns that stay.
 *
 * The attitude q of a body on a ball joint is determined by no other column, so it is a state, with the rates
 * q' = q*w/2 + mu*q. The place of the body follows from q, and its velocity v from q and q'. Only once q' is a formula is v
 * one too: then Newton's law determines the force in the joint, and what is left of the body is q and w.
 *
 * The rate of a column x is known where a row is a*x' + r = 0 with a constant a, and r contains no derivative and no
 * algebraic unknown but one that is zero: a multiplier mu that only holds a constraint c(x) = 0 which the rates keep by
 * themselves. With x' = g + mu*k,
 *
 *   0 = dc/dt = (dc/dx g) + mu*(dc/dx k),  dc/dx g = 0 identically,  dc/dx k = alpha + beta*c with a number alpha != 0
 *
 * says that mu = 0 at all times. The row that gives x' stays as it is, with mu: the rest has the degrees of freedom of the
 * whole. Such identities are decided at generic points (condense_block.c). */
#include <math.h>

#include "structure/condense_impl.h"

/* x' = g + mu*k, from a row. */
typedef struct rate_row {
    uint32_t row, col; /* DD_NO_INDEX: the row gives no rate */
    uint32_t mu;       /* column; DD_NO_INDEX: there is none */
    dd_expr g, k;
} rate_row;
typedef DD_VEC(rate_row) rate_row_vec;

/* The one column whose derivative is in the row, and the algebraic ones: DD_NO_INDEX where there are none. */
static bool find_columns(dd_condenser *w, const dd_live_row *r, uint32_t *rate, uint32_t *mu)
{
    dd_expr_vec symbols = {0};
    bool single = r->algebraic <= 1;
    *rate = *mu = DD_NO_INDEX;
    dd_symbols(w->dag, r->e, false, &symbols, w->scratch);
    for (uint32_t i = 0; i < symbols.len && single; i++) {
        const uint32_t col = w->s->column[dd_symbol_id(w->dag, symbols.data[i])];
        const uint32_t order = dd_symbol_order(w->dag, symbols.data[i]);
        if (col != DD_NO_INDEX && order > 0) {
            single = order == 1 && *rate == DD_NO_INDEX;
            *rate = col;
        } else if (col != DD_NO_INDEX && w->algebraic[col]) {
            *mu = col;
        }
    }
    dd_vec_free(w->scratch, &symbols);
    return single && *rate != DD_NO_INDEX;
}

/* The row as x' = g + mu*k; its column is DD_NO_INDEX where it is not of this kind. */
static rate_row read_row(dd_condenser *w, uint32_t row)
{
    const dd_live_row *r = dd_condense_look(w, row);
    rate_row out = {.row = row, .k = dd_rational(w->dag, 0, 1)};
    uint32_t col;
    dd_expr a, rest;
    out.col = DD_NO_INDEX;
    /* a rate with a name is that other column */
    if (!r->own_rates || !find_columns(w, r, &col, &out.mu) || w->rate[col] != DD_EXPR_NONE ||
        w->s->velocity[w->s->unknown[col]] != DD_NO_INDEX) {
        return out;
    }
    const dd_expr symbol = dd_var(w->dag, w->s->unknown[col], 1);
    if (!dd_linear(w->dag, r->e, &symbol, 1, &a, &rest) || !dd_condense_is_constant(w, a)) {
        return out;
    }
    out.g = dd_neg(w->dag, dd_div(w->dag, rest, a));
    if (out.mu != DD_NO_INDEX) {
        const dd_expr mu = dd_var(w->dag, w->s->unknown[out.mu], 0);
        if (!dd_linear(w->dag, out.g, &mu, 1, &out.k, &out.g)) {
            return out;
        }
    }
    out.col = col;
    return out;
}

static const rate_row *rate_with(const rate_row_vec *rates, uint32_t col, uint32_t mu)
{
    for (uint32_t i = 0; i < rates->len; i++) {
        if (rates->data[i].col == col && rates->data[i].mu == mu) {
            return &rates->data[i];
        }
    }
    return NULL;
}

/* dc/dx along g and along k, for a row c whose columns all have rates with mu. */
static bool along_rates(dd_condenser *w, const rate_row_vec *rates, const dd_live_row *c, uint32_t mu, dd_expr *dg,
                        dd_expr *dk)
{
    *dg = *dk = dd_rational(w->dag, 0, 1);
    for (uint32_t i = 0; i < c->cols.len; i++) {
        const uint32_t col = c->cols.data[i];
        const rate_row *r = rate_with(rates, col, mu);
        if (r == NULL) {
            return false;
        }
        const dd_expr partial = dd_diff(w->dag, c->e, dd_var(w->dag, w->s->unknown[col], 0));
        *dg = dd_add(w->dag, *dg, dd_mul(w->dag, partial, r->g));
        *dk = dd_add(w->dag, *dk, dd_mul(w->dag, partial, r->k));
    }
    return c->cols.len > 0;
}

/* a = alpha + beta*c with numbers, alpha not zero: beta from two generic points, then a - beta*c is a number. */
static bool differs_by_number(dd_condenser *w, dd_expr a, dd_expr c)
{
    const dd_expr e[2] = {a, c};
    double first[2], second[2], alpha;
    dd_condense_values(w, e, 2, 0, first);
    dd_condense_values(w, e, 2, 1, second);
    const double beta = (second[0] - first[0]) / (second[1] - first[1]);
    return isfinite(beta) &&
           dd_condense_is_number(w, dd_sub(w->dag, a, dd_mul(w->dag, dd_num(w->dag, beta), c)), &alpha);
}

/* Is mu zero, because a constraint that it holds is kept by the rates without it? */
static bool is_zero(dd_condenser *w, const rate_row_vec *rates, uint32_t mu)
{
    for (uint32_t i = 0; i < w->s->inc.n; i++) {
        const dd_live_row *c = w->row[i].gone ? NULL : dd_condense_look(w, i);
        dd_expr dg, dk;
        if (c != NULL && !c->rates && c->algebraic == 0 && along_rates(w, rates, c, mu, &dg, &dk) &&
            dd_condense_vanishes(w, dg) && differs_by_number(w, dk, c->e)) {
            return true;
        }
    }
    return false;
}

/* Does another row contain the derivative, so that a formula for it is of use? */
static bool is_asked_for(dd_condenser *w, const rate_row *rate)
{
    const dd_expr symbol = dd_var(w->dag, w->s->unknown[rate->col], 1);
    for (uint32_t i = 0; i < w->s->inc.n; i++) {
        if (i != rate->row && !w->row[i].gone && w->row[i].rates && dd_depends(w->dag, w->row[i].e, symbol)) {
            return true;
        }
    }
    return false;
}

bool dd_condense_rates(dd_condenser *w)
{
    rate_row_vec rates = {0};
    bool any = false;
    for (uint32_t i = 0; i < w->s->inc.n; i++) {
        rate_row r = {.col = DD_NO_INDEX};
        if (!w->row[i].gone) {
            r = read_row(w, i);
        }
        if (r.col != DD_NO_INDEX) {
            dd_vec_push(w->scratch, &rates, r);
        }
    }
    /* all of a body at a time: rows are read again only then */
    for (uint32_t i = 0; i < rates.len; i++) {
        const rate_row *r = &rates.data[i];
        if (is_asked_for(w, r) && (r->mu == DD_NO_INDEX || is_zero(w, &rates, r->mu))) {
            w->rate[r->col] = r->g;
            w->rate_row[r->col] = r->row;
            any = true;
        }
    }
    for (uint32_t i = 0; i < w->s->inc.n && any; i++) {
        w->row[i].stale = w->row[i].stale || (!w->row[i].gone && w->row[i].rates && !w->row[i].own_rates);
    }
    dd_vec_free(w->scratch, &rates);
    return any;
}
