/* equations_rows.c - the reduced rows sorted: those that determine x', and the rest. Start reading at
 * dd_equations_sort_rows(). */
#include <math.h>

#include "structure/equations_impl.h"

static bool is_rate_row(const dd_system *s, const dd_constraint_row *c, uint32_t *col)
{
    const dd_incidence *inc = &s->inc;
    for (uint32_t e = inc->ptr[c->eq]; c->level == 0 && e < inc->ptr[c->eq + 1]; e++) {
        uint32_t j = inc->idx[e];
        /* the row that reduce.c took the closed form of x' from */
        if (inc->sigma[e] == 1 && s->rate[j] != DD_EXPR_NONE && s->rate_row[j] == c->eq) {
            *col = j;
            return true;
        }
    }
    return false;
}

/* sum over m < k of binomial(k, m) alpha^(k - m) c^(m), the part that Baumgarte's method adds to c^(k); nothing when
 * c^(0) is no invariant. */
static dd_expr damping(dd_equations_work *w, const dd_constraint_row *c)
{
    const dd_system *s = w->s;
    dd_dag *dag = s->model->dag;
    dd_expr sum = dd_rational(dag, 0, 1);
    double binomial = 1; /* (k, m) for falling m, starting with m = k */
    for (uint32_t down = 1; down <= c->level; down++) {
        uint32_t m = c->level - down;
        /* (d/dt + alpha)^k c = sum of binomial(k, m) alpha^(k-m) c^(m) */
        binomial = binomial * (m + 1) / down;
        for (uint32_t i = 0; i < s->reduced.invariants.len; i++) {
            const dd_constraint_row *lower = &s->reduced.invariants.data[i];
            if (lower->eq == c->eq && lower->level == m) {
                dd_expr factor = dd_num(dag, binomial * pow(w->alpha, down));
                sum = dd_add(dag, sum, dd_mul(dag, factor, lower->raw));
            }
        }
    }
    return sum;
}

dd_expr dd_equations_damped(dd_equations_work *w, const dd_constraint_row *c)
{
    return w->alpha > 0 ? dd_add(w->s->model->dag, c->raw, damping(w, c)) : c->raw;
}

/* The only derivative in a row when it is a first one, DD_EXPR_NONE. */
static dd_expr only_rate(const dd_equations_work *w, dd_expr row)
{
    const dd_system *s = w->s;
    dd_dag *dag = s->model->dag;
    dd_expr_vec symbols = {0};
    dd_expr found = DD_EXPR_NONE;
    uint32_t derivatives = 0;
    dd_symbols(dag, row, false, &symbols, w->scratch);
    for (uint32_t i = 0; i < symbols.len; i++) {
        bool unknown = s->column[dd_symbol_id(dag, symbols.data[i])] != DD_NO_INDEX;
        uint32_t order = unknown ? dd_symbol_order(dag, symbols.data[i]) : 0;
        /* of unknowns; inputs may be differentiated */
        derivatives += order > 0;
        found = order == 1 ? symbols.data[i] : found;
    }
    dd_vec_free(w->scratch, &symbols);
    return derivatives == 1 ? found : DD_EXPR_NONE;
}

static bool find_late_rate(dd_equations_work *w, uint32_t i)
{
    const dd_system *s = w->s;
    dd_dag *dag = s->model->dag;
    const dd_constraint_row *c = &s->reduced.rows.data[i];
    /* with what is known so far put in, x' alone and linear: x' = -rest/coefficient */
    dd_expr row = dd_equations_put(w, dd_equations_damped(w, c)), symbol = only_rate(w, row), coefficient, rest;
    uint32_t col = symbol == DD_EXPR_NONE ? DD_NO_INDEX : s->column[dd_symbol_id(dag, symbol)];
    if (col == DD_NO_INDEX || s->off.d[col] == 0 || !dd_linear(dag, row, &symbol, 1, &coefficient, &rest) ||
        dd_is_num(dag, coefficient, 0) || !dd_equations_constant(w, coefficient)) {
        return false;
    }
    w->late[col] = dd_neg(dag, dd_div(dag, rest, coefficient));
    w->late_of[i] = col + 1;
    return true;
}

/* Differentiated rows that determine a derivative in closed form once other rates are put in (the rate of a joint's
 * angle from those of bodies): otherwise squares of such a derivative would stay in the equations. */
static void find_late_rates(dd_equations_work *w)
{
    const dd_system *s = w->s;
    w->late = dd_pool_alloc_array(w->scratch, s->ncols + 1, sizeof *w->late);
    w->late_of = dd_pool_alloc_array(w->scratch, s->reduced.rows.len + 1, sizeof *w->late_of);
    bool changed = true;
    for (int round = 0; changed && round < DD_EQUATIONS_ROUNDS; round++) {
        changed = false;
        for (uint32_t i = 0; i < s->reduced.rows.len; i++) {
            const dd_constraint_row *c = &s->reduced.rows.data[i];
            /* rows as written were tried by the reduction */
            if (c->level > 0 && !w->assigning[c->eq] && w->late_of[i] == 0) {
                changed = find_late_rate(w, i) || changed;
            }
        }
    }
}

static void add_rate(dd_equations_work *w, dd_rate_rows *out, dd_expr symbol, dd_expr rate, const dd_constraint_row *c)
{
    dd_vec_push(w->scratch, &out->symbols, symbol);
    dd_vec_push(w->scratch, &out->rates, rate);
    dd_vec_push(w->scratch, &out->eqs, c->eq);
    dd_vec_push(w->scratch, &out->levels, c->level);
}

void dd_equations_sort_rows(dd_equations_work *w, dd_rate_rows *out)
{
    const dd_system *s = w->s;
    dd_dag *dag = s->model->dag;
    find_late_rates(w);
    for (uint32_t i = 0; i < s->reduced.rows.len; i++) {
        dd_constraint_row c = s->reduced.rows.data[i];
        uint32_t col = w->late_of[i] - 1;
        /* left together with its column */
        if (w->assigning[c.eq]) {
            continue;
        }
        /* x' = f from a differentiated row, */
        if (w->late_of[i] > 0) {
            add_rate(w, out, dd_var(dag, s->unknown[col], 1), w->late[col], &c);
            continue;
        }
        /* or from a row as written */
        bool rate = is_rate_row(s, &c, &col);
        if (rate && w->h[col] == DD_EXPR_NONE) {
            add_rate(w, out, dd_var(dag, s->unknown[col], 1), s->rate[col], &c);
            continue;
        }
        c.expr = dd_equations_put(
            w, rate ? c.raw : dd_equations_damped(w, &c)); /* the rate of an assigned column: v follows from it */
        dd_vec_push(w->scratch, &w->rows, c);
    }
}

/* The rows as written, of first order. */
void dd_equations_take_original(dd_equations_work *w)
{
    const dd_system *s = w->s;
    for (uint32_t i = 0; i < s->original.len; i++) {
        dd_constraint_row c = {.eq = i, .raw = s->original.data[i].residual, .expr = s->original.data[i].residual};
        dd_vec_push(w->scratch, &w->rows, c);
    }
}

/* x and z of the form asked for, without assigned columns. */
void dd_equations_sort_unknowns(dd_equations_work *w, dd_expr_vec *x)
{
    const dd_system *s = w->s;
    dd_dag *dag = s->model->dag;
    /* as written: differential is what is differentiated in the text */
    if (w->form == DD_EQUATIONS_ORIGINAL) {
        for (uint32_t j = 0; j < s->declared; j++) {
            dd_vec_push(w->scratch, s->differentiated[j] ? x : &w->z, dd_var(dag, s->unknown[j], 0));
        }
        return;
    }
    /* of the reduced system, what no differentiated row assigns */
    for (uint32_t i = 0; i < s->reduced.x.len; i++) {
        if (w->h[s->column[dd_symbol_id(dag, s->reduced.x.data[i])]] == DD_EXPR_NONE) {
            dd_vec_push(w->scratch, x, s->reduced.x.data[i]);
        }
    }
    for (uint32_t i = 0; i < s->reduced.z.len; i++) {
        if (w->h[s->column[dd_symbol_id(dag, s->reduced.z.data[i])]] == DD_EXPR_NONE) {
            dd_vec_push(w->scratch, &w->z, s->reduced.z.data[i]);
        }
    }
}
