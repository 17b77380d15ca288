/* equations_assign.c - variables that a differentiated row assigns (x_b = sqrt(L^2 - y_b^2) inside a constraint) are
 * assigned with all their derivatives: these rows and their invariants disappear. Start reading at
 * dd_equations_assign(). */
#include "structure/equations_impl.h"

/* ---- what has a value ---- */

uint32_t dd_equations_place(const dd_equations_work *w, dd_expr symbol)
{
    uint32_t at = (uint32_t)dd_map_get(&w->place, symbol);
    return at == 0 ? DD_NO_INDEX : at - 1;
}

/* The m-th derivative of what is assigned to a column. */
static dd_expr assigned_rate(dd_equations_work *w, uint32_t col, dd_expr symbol)
{
    dd_expr known = (dd_expr)dd_map_get(&w->h_rate, symbol);
    if (known != DD_EXPR_NONE) {
        return known;
    }
    /* derivatives are asked for again and again: each is made once */
    dd_expr e = w->h[col];
    for (uint32_t m = 0; m < dd_symbol_order(w->s->model->dag, symbol); m++) {
        e = dd_system_derivative(w->s, e);
    }
    dd_map_put(&w->h_rate, symbol, e);
    return e;
}

static dd_expr known_value(void *user, dd_expr symbol)
{
    dd_equations_work *w = user;
    const dd_system *s = w->s;
    dd_dag *dag = s->model->dag;
    if (dd_op_of(dag, symbol) != DD_OP_VAR) {
        return DD_EXPR_NONE;
    }
    uint32_t col = s->column[dd_symbol_id(dag, symbol)];
    if (col == DD_NO_INDEX) {
        return DD_EXPR_NONE;
    }
    /* by a differentiated row, with all derivatives */
    if (w->h[col] != DD_EXPR_NONE) {
        return assigned_rate(w, col, symbol);
    }
    /* explicit rates of the reduction, then those found late */
    if (dd_symbol_order(dag, symbol) == 1 && w->form == DD_EQUATIONS_REDUCED && s->rate[col] != DD_EXPR_NONE) {
        return s->rate[col];
    }
    if (dd_symbol_order(dag, symbol) == 1 && w->late && w->late[col] != DD_EXPR_NONE) {
        return w->late[col];
    }
    /* algebraic unknowns that were eliminated */
    uint32_t at = w->value ? dd_equations_place(w, symbol) : DD_NO_INDEX;
    return at == DD_NO_INDEX ? DD_EXPR_NONE : w->value[at];
}

/* Values contain symbols that have values themselves; there are no cycles. */
dd_expr dd_equations_put(dd_equations_work *w, dd_expr e)
{
    for (int round = 0; round < DD_EQUATIONS_ROUNDS; round++) {
        dd_expr next = dd_substitute(w->s->model->dag, e, known_value, w);
        if (next == e) {
            break;
        }
        e = next;
    }
    return e;
}

bool dd_equations_constant(const dd_equations_work *w, dd_expr e)
{
    dd_dag *dag = w->s->model->dag;
    dd_expr_vec symbols = {0};
    bool constant = true;
    dd_symbols(dag, e, true, &symbols, w->scratch);
    for (uint32_t i = 0; i < symbols.len; i++) {
        constant = constant && dd_op_of(dag, symbols.data[i]) == DD_OP_PARAM;
    }
    dd_vec_free(w->scratch, &symbols);
    return constant;
}

/* ---- variables assigned by differentiated rows ---- */

static bool contains_column(const dd_equations_work *w, dd_expr e, uint32_t col, bool *rates)
{
    const dd_system *s = w->s;
    dd_dag *dag = s->model->dag;
    dd_expr_vec symbols = {0};
    bool found = false;
    dd_symbols(dag, e, false, &symbols, w->scratch);
    for (uint32_t i = 0; i < symbols.len; i++) {
        uint32_t j = s->column[dd_symbol_id(dag, symbols.data[i])];
        found = found || j == col;
        *rates = *rates || (j != DD_NO_INDEX && dd_symbol_order(dag, symbols.data[i]) > 0);
    }
    dd_vec_free(w->scratch, &symbols);
    return found;
}

/* h in the symbols that stay, so that no cycle can close. */
static bool assign_column(dd_equations_work *w, uint32_t row, dd_expr residual, uint32_t col)
{
    const dd_system *s = w->s;
    dd_dag *dag = s->model->dag;
    /* c x + rest = 0 with a constant c, and rest free of x and of derivatives: x = -rest/c */
    dd_expr symbol = dd_var(dag, s->unknown[col], 0), coefficient, rest;
    bool rates = false;
    if (!dd_linear(dag, residual, &symbol, 1, &coefficient, &rest) || dd_is_num(dag, coefficient, 0) ||
        !dd_equations_constant(w, coefficient) || contains_column(w, rest, col, &rates) || rates) {
        return false;
    }
    w->h[col] = dd_neg(dag, dd_div(dag, rest, coefficient));
    w->assigning[row] = true;
    return true;
}

/* Only this column and nothing else that is unknown: time, inputs and parameters determine it. */
static bool only_column(const dd_equations_work *w, dd_expr residual)
{
    const dd_system *s = w->s;
    dd_expr_vec symbols = {0};
    uint32_t unknown = 0;
    dd_symbols(s->model->dag, residual, false, &symbols, w->scratch);
    for (uint32_t i = 0; i < symbols.len; i++) {
        unknown += s->column[dd_symbol_id(s->model->dag, symbols.data[i])] != DD_NO_INDEX;
    }
    dd_vec_free(w->scratch, &symbols);
    return unknown == 1;
}

/* Reduced rows that come from a row of s->eqs, and unknowns that belong to a column. */
static void count_uses(dd_equations_work *w)
{
    const dd_system *s = w->s;
    const dd_dag *dag = s->model->dag;
    w->row_uses = dd_pool_alloc_array(w->scratch, s->eqs.len + 1, sizeof *w->row_uses);
    w->col_uses = dd_pool_alloc_array(w->scratch, s->ncols + 1, sizeof *w->col_uses);
    for (uint32_t i = 0; i < s->reduced.rows.len; i++) {
        w->row_uses[s->reduced.rows.data[i].eq]++;
    }
    /* x counts once, and each of its higher derivatives among z */
    const dd_expr_vec *lists[] = {&s->reduced.x, &s->reduced.z};
    for (int k = 0; k < 2; k++) {
        for (uint32_t i = 0; i < lists[k]->len; i++) {
            w->col_uses[s->column[dd_symbol_id(dag, lists[k]->data[i])]]++;
        }
    }
}

/* May the row and all its derivatives be taken out together with the column and all its derivatives? Yes when every
 * derivative of the row determines a derivative, and the second derivative of the column is not the first of a
 * velocity, which stays. Freely: also columns that are known from outside, whose velocities then are known too; whether
 * all this leaves as many rows as unknowns is seen in the end. Strictly: each pair must be as many by itself. */
static bool goes_with(const dd_equations_work *w, uint32_t row, uint32_t col, bool outside)
{
    const dd_system *s = w->s;
    bool freely = w->assign == DD_ASSIGN_FREELY;
    /* x'' would be v', and v stays a state */
    bool named = s->off.d[col] > 1 && s->velocity[s->unknown[col]] != DD_NO_INDEX;
    /* lower derivatives of a row that is not steady are invariants, which leave with it */
    if (w->constrained && !s->steady[row]) {
        return false;
    }
    return s->off.d[col] == s->off.c[row] && w->h[col] == DD_EXPR_NONE &&
           (freely || w->row_uses[row] == w->col_uses[col]) &&
           ((outside && freely) || (!named && (outside || s->steady[row])));
}

/* Columns that are nowhere differentiated in the text first; also those that came in for others. */
static bool assign_from_row(dd_equations_work *w, uint32_t row)
{
    const dd_system *s = w->s;
    dd_dag *dag = s->model->dag;
    dd_expr residual = dd_equations_put(w, s->eqs.data[row].residual);
    bool outside = only_column(w, residual), found = false;
    dd_expr_vec symbols = {0};
    dd_symbols(dag, residual, false, &symbols, w->scratch);
    /* algebraic in the text first, then others */
    for (int written = 0; written < 2; written++) {
        for (uint32_t k = 0; k < symbols.len && !found; k++) {
            uint32_t col = s->column[dd_symbol_id(dag, symbols.data[k])];
            found = col != DD_NO_INDEX && dd_symbol_order(dag, symbols.data[k]) == 0 &&
                    s->differentiated[col] == (written == 1) && goes_with(w, row, col, outside) &&
                    assign_column(w, row, residual, col);
        }
    }
    dd_vec_free(w->scratch, &symbols);
    return found;
}

/* Rows that are differentiated and determine their column, until no more are found: one may open the way for
 * another. */
void dd_equations_assign(dd_equations_work *w)
{
    const dd_system *s = w->s;
    w->h = dd_pool_alloc_array(w->scratch, s->ncols + 1, sizeof *w->h);
    w->assigning = dd_pool_alloc_array(w->scratch, s->eqs.len + 1, sizeof *w->assigning);
    w->h_rate = dd_map_new(w->scratch);
    count_uses(w);
    /* constraints only: rows that are differentiated */
    bool changed = w->form == DD_EQUATIONS_REDUCED && w->assign != DD_ASSIGN_NOTHING;
    for (int round = 0; changed && round < DD_EQUATIONS_ROUNDS; round++) {
        changed = false;
        for (uint32_t i = 0; i < s->inc.n; i++) {
            if (s->off.c[i] > 0 && !w->assigning[i]) {
                changed = assign_from_row(w, i) || changed;
            }
        }
    }
}
