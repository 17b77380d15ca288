/* condense.c - columns that rows determine in closed form leave, one at a time, with all their derivatives.
 *
 * A row a*x_j + r = 0 with a constant a, and without x_j in r, is equivalent to x_j = -r/a at all times; so x_j may be
 * put in everywhere, differentiated as often as it is asked for. This keeps the set of solutions whatever row and
 * column are taken; the order below keeps states few and formulas short:
 *
 *   1. rows with one algebraic unknown determine it; rows without any determine a differential variable, not a
 *      preferred state, unless it would change much where the others change little: what stays is what an integrator
 *      keeps within its tolerance
 *   2. a row in one column and nothing else makes it a number (condense_root.c); groups of rows: attitudes, angular
 *      velocities, torques (condense_block.c)
 *   3. a row in which several differential variables could be determined: the least preferred, with the same exception
 *   4. rows with several algebraic unknowns determine one of them (forces in closed loops)
 *   5. as 3, preferred states too: one of them follows from the others
 *   6. rates of columns that stay become formulas where rows ask for them (condense_rates.c)
 *
 * A row that determines a derivative, x' = f, stays: it makes x a state. When other rows determine x itself, x' is a
 * formula, and the row determines something else: Newton's law of a body on an arm determines the force on it.
 *
 * What is left becomes a system in condense_rest.c. */
#include <math.h>
#include <string.h>

#include "expr/walk.h"
#include "structure/condense_impl.h"
#include "structure/numeric.h"

enum {
    MOST_COLUMNS = 3000, /* beyond, sparse equations in many unknowns are better than dense ones in few */
    MOST_ROUNDS = 200
};

static const double LEAST_COEFFICIENT = 1e-8; /* smaller ones lose digits where they are divided by */
static const double STEEP = 4;                /* times the errors of what stays, in units of the sizes, in what goes */

/* ---- values ---- */

static dd_expr derivative_of_value(dd_condenser *w, uint32_t col, dd_expr symbol)
{
    dd_expr known = (dd_expr)dd_map_get(&w->rate_of, symbol);
    if (known != DD_EXPR_NONE) {
        return known;
    }
    dd_expr e = w->h[col];
    for (uint32_t m = 0; m < dd_symbol_order(w->dag, symbol); m++) {
        e = dd_system_derivative(w->s, e);
    }
    dd_map_put(&w->rate_of, symbol, e);
    return e;
}

/* x' of a column that stays, where it is known; its own row says what it is (condense_rates.c). */
static bool has_known_rate(const dd_condenser *w, uint32_t col, uint32_t order)
{
    return order == 1 && w->rate[col] != DD_EXPR_NONE && w->rate_row[col] != w->reading;
}

static dd_expr value_of(void *user, dd_expr symbol)
{
    dd_condenser *w = user;
    if (dd_op_of(w->dag, symbol) != DD_OP_VAR) {
        return DD_EXPR_NONE;
    }
    const uint32_t col = w->s->column[dd_symbol_id(w->dag, symbol)], order = dd_symbol_order(w->dag, symbol);
    if (col == DD_NO_INDEX) {
        return DD_EXPR_NONE;
    }
    if (w->h[col] == DD_EXPR_NONE) {
        return has_known_rate(w, col, order) ? w->rate[col] : DD_EXPR_NONE;
    }
    return order == 0 ? w->h[col] : derivative_of_value(w, col, symbol);
}

static bool has_values(dd_condenser *w, const dd_expr_vec *symbols)
{
    bool any = false;
    for (uint32_t i = 0; i < symbols->len && !any; i++) {
        uint32_t col = w->s->column[dd_symbol_id(w->dag, symbols->data[i])];
        any = col != DD_NO_INDEX &&
              (w->h[col] != DD_EXPR_NONE || has_known_rate(w, col, dd_symbol_order(w->dag, symbols->data[i])));
    }
    return any;
}

/* With all values put in, and the symbols of the result; `has`: it contains a value for sure. Values contain columns that
 * have got values since; no cycle can close, because a value never contains its column. */
static dd_expr resolve(dd_condenser *w, dd_expr e, bool has, dd_expr_vec *symbols)
{
    if (!has) {
        dd_symbols(w->dag, e, false, symbols, w->scratch);
    }
    for (int round = 0; round < MOST_ROUNDS && ((has && round == 0) || has_values(w, symbols)); round++) {
        e = dd_substitute(w->dag, e, value_of, w);
        symbols->len = 0;
        dd_symbols(w->dag, e, false, symbols, w->scratch);
    }
    return e;
}

/* All values in what is left, together: they share nearly everything. */
static void resolve_values(dd_condenser *w)
{
    uint32_t n = w->s->ncols;
    dd_expr *next = dd_pool_alloc_array(w->scratch, n + 1, sizeof *next);
    bool changed = true;
    for (int round = 0; changed && round < MOST_ROUNDS; round++) {
        /* until no value contains a column that has one */
        dd_substitute_all(w->dag, w->h, n, value_of, w, next);
        changed = memcmp(next, w->h, n * sizeof *next) != 0;
        memcpy(w->h, next, n * sizeof *next);
    }
    if (w->number != NULL) {
        dd_substitute_all(w->dag, w->h, n, dd_condense_number, w, next);
        memcpy(w->h, next, n * sizeof *next);
    }
}

/* ---- rows ---- */

static bool rate_of_open_column(const dd_condenser *w, dd_expr symbol, uint32_t *col)
{
    *col = w->s->column[dd_symbol_id(w->dag, symbol)];
    return *col != DD_NO_INDEX && w->h[*col] == DD_EXPR_NONE && dd_symbol_order(w->dag, symbol) > 0;
}

static bool has_own_rates(dd_condenser *w, uint32_t row)
{
    dd_expr_vec symbols = {0};
    bool own = false;
    uint32_t col;
    dd_symbols(w->dag, w->s->eqs.data[row].residual, false, &symbols, w->scratch);
    for (uint32_t i = 0; i < symbols.len && !own; i++) {
        own =
            rate_of_open_column(w, symbols.data[i], &col) && (w->rate[col] == DD_EXPR_NONE || w->rate_row[col] == row);
    }
    dd_vec_free(w->scratch, &symbols);
    return own;
}

const dd_live_row *dd_condense_look(dd_condenser *w, uint32_t row)
{
    dd_live_row *r = &w->row[row];
    if (!r->stale) {
        return r;
    }
    dd_expr_vec symbols = {0};
    /* with all values so far; whatever was tried before may succeed now */
    w->reading = row;
    r->e = resolve(w, r->e, r->cols.len > 0, &symbols);
    w->reading = DD_NO_INDEX;
    r->cols.len = 0;
    r->algebraic = 0;
    r->rates = r->stale = r->tried = r->tried_group = false;
    r->tried_differential = r->tried_preferred = r->tried_several = r->tried_root = false;
    /* distinct columns, of any order */
    for (uint32_t i = 0; i < symbols.len; i++) {
        uint32_t col;
        r->rates = rate_of_open_column(w, symbols.data[i], &col) || r->rates;
        bool seen = col == DD_NO_INDEX;
        for (uint32_t k = 0; k < r->cols.len && !seen; k++) {
            seen = r->cols.data[k] == col;
        }
        if (!seen) {
            dd_vec_push(w->scratch, &r->cols, col);
            dd_vec_push(w->scratch, &w->rows_with[col], row);
            r->algebraic += w->algebraic[col];
        }
    }
    dd_vec_free(w->scratch, &symbols);
    /* as written it determines a derivative, of a column that is still there */
    r->own_rates = r->rates && has_own_rates(w, row);
    return r;
}

bool dd_condense_may_go(const dd_condenser *w, uint32_t col)
{
    dd_state_select select = w->s->model->vars.data[w->s->unknown[col]].select;
    return select < DD_SELECT_PREFER || (w->preferred_too && select == DD_SELECT_PREFER);
}

bool dd_condense_contains(dd_condenser *w, dd_expr e, const uint32_t *cols, uint32_t n)
{
    dd_expr_vec symbols = {0};
    bool found = false;
    dd_symbols(w->dag, e, false, &symbols, w->scratch);
    for (uint32_t i = 0; i < symbols.len && !found; i++) {
        for (uint32_t k = 0; k < n && !found; k++) {
            found = w->s->column[dd_symbol_id(w->dag, symbols.data[i])] == cols[k];
        }
    }
    dd_vec_free(w->scratch, &symbols);
    return found;
}

/* Sums and products of symbols, sines and cosines: nothing in them makes events or ends. */
static bool is_smooth(dd_condenser *w, dd_expr e)
{
    dd_walk walk = dd_walk_unordered(w->dag, &e, 1);
    bool smooth = true;
    for (uint32_t i = 0; i < walk.n && smooth; i++) {
        const dd_op op = dd_op_of(w->dag, walk.nodes[i]);
        smooth = dd_arg_count(w->dag, walk.nodes[i]) == 0 || op == DD_OP_ADD || op == DD_OP_MUL || op == DD_OP_SIN ||
                 op == DD_OP_COS || op == DD_OP_NOEVENT;
    }
    dd_walk_free(w->dag, &walk);
    return smooth;
}

/* A sum that stays one term where it is added to others, and in all its derivatives: sums of sums would be opened, and
 * what they share be lost. The position of the last body of an arm is that of the body before it and two terms, not two
 * terms for each body. noEvent, which changes no value, keeps it together. */
static dd_expr held(dd_condenser *w, dd_expr h)
{
    return dd_op_of(w->dag, h) == DD_OP_ADD && is_smooth(w, h) ? dd_unary(w->dag, DD_OP_NOEVENT, h) : h;
}

void dd_condense_settle(dd_condenser *w, uint32_t col, dd_expr h)
{
    w->h[col] = held(w, w->algebraic[col] ? h : dd_condense_collected(w, h));
    w->settled += !w->algebraic[col];
    /* rows that contain the column are read again when they are looked at */
    for (uint32_t i = 0; i < w->rows_with[col].len; i++) {
        dd_live_row *r = &w->row[w->rows_with[col].data[i]];
        for (uint32_t k = 0; k < r->cols.len && !r->gone && !r->stale; k++) {
            r->stale = r->cols.data[k] == col;
        }
    }
}

/* A number that is not 0, nor zero but for rounding as cos(pi/2) is, and that no optimisation changes. */
bool dd_condense_is_constant(dd_condenser *w, dd_expr e)
{
    dd_expr_vec symbols = {0};
    bool constant = true;
    double value = 0;
    uint32_t culprit;
    dd_symbols(w->dag, e, true, &symbols, w->scratch);
    for (uint32_t i = 0; i < symbols.len && constant; i++) {
        constant = dd_op_of(w->dag, symbols.data[i]) == DD_OP_PARAM &&
                   !w->s->model->vars.data[dd_symbol_id(w->dag, symbols.data[i])].free;
    }
    dd_vec_free(w->scratch, &symbols);
    return constant && dd_model_evaluate(w->s->model, e, false, &value, &culprit) && fabs(value) >= LEAST_COEFFICIENT &&
           isfinite(value);
}

/* Row a*x + rest = 0 with a constant a: x is -rest/a. A preferred state goes only where it is known from outside. */
static bool gives(dd_condenser *w, uint32_t row, uint32_t col, dd_expr *value)
{
    dd_expr symbol = dd_var(w->dag, w->s->unknown[col], 0), a;
    bool outside = w->row[row].cols.len == 1;
    if ((!outside && !dd_condense_may_go(w, col)) || !dd_linear_coefficients(w->dag, w->row[row].e, &symbol, 1, &a) ||
        !dd_condense_is_constant(w, a)) {
        return false;
    }
    const dd_expr rest = dd_linear_rest(w->dag, w->row[row].e, &symbol, 1);
    /* the rest is free of x_j, but maybe not of its derivatives */
    if (w->row[row].rates && dd_condense_contains(w, rest, &col, 1)) {
        return false;
    }
    *value = dd_neg(w->dag, dd_div(w->dag, rest, a));
    return true;
}

/* A column that a row gives, with its value. */
typedef struct given {
    uint32_t row, col; /* DD_NO_INDEX: none */
    dd_expr value;
} given;

static bool take(dd_condenser *w, const given *g)
{
    if (g->col == DD_NO_INDEX) {
        return false;
    }
    w->row[g->row].gone = true;
    dd_condense_settle(w, g->col, g->value);
    return true;
}

/* Of the column and what is declared with it: a coordinate of a place that is zero has the size of the place. */
static double size_of(const dd_condenser *w, uint32_t col)
{
    const dd_system *s = w->s;
    const dd_model *m = s->model;
    const dd_array *array = &m->arrays.data[m->vars.data[s->unknown[col]].array];
    double size = 0;
    for (uint32_t v = array->first; v < array->first + array->size; v++) {
        const uint32_t j = s->column[v];
        if (j < s->ncols) {
            size = fmax(size, fmax(s->size[j], fabs(s->point.x[(size_t)j * (s->point.order + 1)])));
        }
    }
    return size;
}

/* The size of a column without a large start value, which is as much that of what follows from it. */
static double unit_of(const dd_system *s, uint32_t col)
{
    const dd_variable *v = &s->model->vars.data[s->unknown[col]];
    return v->has_nominal && v->nominal_value != 0 ? fabs(v->nominal_value) : 1.0;
}

/* Does it matter to an error test how steep a column is in others? Not that of an acceleration with a name: nobody integrates it,
 * and a formula is no worse than a row, however stiff the spring in it. Nor that of the place or speed of a body, which its part
 * says is no state: its lever may be long, and at rest nothing tells the size of its speed. And optimizations have no such test. */
static bool may_be_steep(const dd_system *s, uint32_t col)
{
    return !s->differentiated[col] || s->model->vars.data[s->unknown[col]].select <= DD_SELECT_AVOID ||
           s->options.parameters_stay;
}

/* At the consistent point, is the value steep in one of the columns in it? */
static bool is_steep(dd_condenser *w, uint32_t col, dd_expr value)
{
    const dd_system *s = w->s;
    if (may_be_steep(s, col)) {
        return false;
    }
    const dd_numeric_place at = {s->point.x, s->point.order + 1, {.time = dd_system_start_time(s)}};
    dd_expr_vec symbols = {0}, partials = {0};
    dd_partials(w->dag, value, false, &symbols, &partials, w->scratch);
    double *slope = dd_pool_alloc_array(w->scratch, (size_t)partials.len + 1, sizeof *slope);
    double *magnitude = dd_pool_alloc_array(w->scratch, (size_t)partials.len + 1, sizeof *magnitude);
    dd_numeric_values(s, partials.data, partials.len, &at, slope, magnitude, w->scratch);
    const double size = size_of(w, col);
    bool steep = false;
    for (uint32_t i = 0; i < symbols.len && !steep; i++) {
        const uint32_t j = s->column[dd_symbol_id(w->dag, symbols.data[i])];
        steep = j != DD_NO_INDEX && j < s->ncols && fabs(slope[i]) * unit_of(s, j) > STEEP * size;
    }
    dd_vec_free(w->scratch, &symbols);
    dd_vec_free(w->scratch, &partials);
    return steep;
}

/* Step 1. */
static bool take_single(dd_condenser *w, uint32_t row)
{
    const dd_live_row *r = dd_condense_look(w, row);
    given found = {row, DD_NO_INDEX, DD_EXPR_NONE};
    uint32_t count = 0;
    if (r->tried || r->own_rates || r->algebraic > 1 || (r->algebraic == 0 && r->rates)) {
        return false;
    }
    w->row[row].tried = true;
    /* an algebraic unknown, else a differential one; several candidates are a choice for step 3 */
    for (uint32_t k = 0; k < r->cols.len && count < 2; k++) {
        uint32_t col = r->cols.data[k];
        if (w->algebraic[col] == (r->algebraic == 1) && gives(w, row, col, &found.value)) {
            found.col = col;
            count++;
        }
    }
    const bool differential = count == 1 && !w->algebraic[found.col];
    return count == 1 && !(differential && is_steep(w, found.col, found.value)) && take(w, &found);
}

/* Smaller: sooner eliminated. What is fixed at the start is what the user thinks in. */
static int reluctance(const dd_condenser *w, uint32_t col)
{
    const dd_variable *v = &w->s->model->vars.data[w->s->unknown[col]];
    return 2 * (int)v->select + v->fixed;
}

/* Step 3: among equals the one declared last, so that parts depend on those before them. */
static bool take_differential(dd_condenser *w, uint32_t row)
{
    const dd_live_row *r = dd_condense_look(w, row);
    bool *tried = w->preferred_too ? &w->row[row].tried_preferred : &w->row[row].tried_differential;
    given best = {row, DD_NO_INDEX, DD_EXPR_NONE};
    dd_expr value;
    if (*tried || r->rates || r->algebraic > 0) {
        return false;
    }
    *tried = true;
    for (uint32_t k = 0; k < r->cols.len; k++) {
        uint32_t col = r->cols.data[k];
        /* least preferred as a state, then declared last */
        bool better = best.col == DD_NO_INDEX || reluctance(w, col) < reluctance(w, best.col) ||
                      (reluctance(w, col) == reluctance(w, best.col) && col > best.col);
        better = better && gives(w, row, col, &value) && !is_steep(w, col, value);
        best = better ? (given){row, col, value} : best;
    }
    return take(w, &best);
}

/* The first algebraic column that a row gives; looked for once, until the row changes. */
static given first_algebraic(dd_condenser *w, uint32_t row)
{
    dd_live_row *r = &w->row[row];
    if (!r->tried_several) {
        r->tried_several = true;
        r->given = DD_NO_INDEX;
        for (uint32_t k = 0; k < r->cols.len && r->given == DD_NO_INDEX; k++) {
            const uint32_t col = r->cols.data[k];
            r->given = w->algebraic[col] && gives(w, row, col, &r->given_value) ? col : DD_NO_INDEX;
        }
    }
    return (given){row, r->given, r->given_value};
}

/* Step 4: in the row with the fewest. */
static bool take_one_of_several(dd_condenser *w)
{
    given best = {DD_NO_INDEX, DD_NO_INDEX, DD_EXPR_NONE};
    uint32_t fewest = UINT32_MAX;
    for (uint32_t k = 0; k < w->live.len; k++) {
        const uint32_t i = w->live.data[k];
        const dd_live_row *r = w->row[i].gone ? NULL : dd_condense_look(w, i);
        /* fewest unknowns: the shortest formula, and the least it spreads */
        if (!r || r->own_rates || r->algebraic < 2 || r->algebraic >= fewest) {
            continue;
        }
        const given first = first_algebraic(w, i);
        if (first.col != DD_NO_INDEX) {
            best = first;
            fewest = r->algebraic;
        }
    }
    return take(w, &best);
}

static uint32_t group_of(const dd_condenser *w, uint32_t row)
{
    return w->s->model->rows.data[w->s->eqs.data[row].row].group;
}

/* Rows of one equation of the text are next to each other. */
static bool take_groups(dd_condenser *w)
{
    enum { MOST_ROWS = 4 }; /* a quaternion is the longest vector of a joint */
    const dd_index_vec *live = &w->live;
    for (uint32_t k = 0; k < live->len;) {
        uint32_t rows[MOST_ROWS], n = 0, group = group_of(w, live->data[k]);
        bool news = false;
        /* the rows of one written equation; worth another look when one of them has changed */
        for (; k < live->len && group_of(w, live->data[k]) == group; k++) {
            const uint32_t i = live->data[k];
            if (!w->row[i].gone && !w->s->eqs.data[i].definition && n < MOST_ROWS) {
                rows[n] = i;
                news = !dd_condense_look(w, i)->tried_group || news;
                w->row[i].tried_group = true;
            }
            n += !w->row[i].gone;
        }
        if (news && n > 1 && n <= MOST_ROWS && dd_condense_group(w, rows, n)) {
            return true;
        }
    }
    return false;
}

/* Rows that went are not asked again. */
static void leave_out_gone(dd_condenser *w)
{
    uint32_t left = 0;
    for (uint32_t k = 0; k < w->live.len; k++) {
        const uint32_t i = w->live.data[k];
        w->live.data[left] = i;
        left += !w->row[i].gone;
    }
    w->live.len = left;
}

static bool each_row(dd_condenser *w, bool (*step)(dd_condenser *, uint32_t), bool once)
{
    bool any = false;
    for (uint32_t k = 0; k < w->live.len && !(once && any); k++) {
        if (!w->row[w->live.data[k]].gone) {
            dd_check_stop(w->s->ctx);
            any = step(w, w->live.data[k]) || any;
        }
    }
    return any;
}

/* Step 5: joints of a closed loop, some of which the others determine. */
static bool take_preferred(dd_condenser *w)
{
    w->preferred_too = true;
    bool any = each_row(w, take_differential, true);
    w->preferred_too = false;
    return any;
}

static void eliminate(dd_condenser *w)
{
    while (each_row(w, take_single, false) || each_row(w, dd_condense_root, false) || take_groups(w) ||
           each_row(w, take_differential, true) || take_one_of_several(w) || take_preferred(w) ||
           dd_condense_rates(w)) {
        leave_out_gone(w);
    }
}

/* ---- all of it ---- */

/* Nowhere differentiated, and no name of a derivative. */
static void mark_algebraic(dd_condenser *w)
{
    const dd_system *s = w->s;
    for (uint32_t j = 0; j < s->ncols; j++) {
        w->algebraic[j] = !s->differentiated[j];
    }
    for (uint32_t j = 0; j < s->ncols; j++) {
        uint32_t velocity = s->velocity[s->unknown[j]];
        if (velocity != DD_NO_INDEX && s->column[velocity] != DD_NO_INDEX) {
            w->algebraic[s->column[velocity]] = false;
        }
    }
}

static const dd_condensed *condense(const dd_system *s, dd_pool *pool)
{
    if (s->ncols > MOST_COLUMNS || s->ncols != s->declared || !s->point.consistent || !s->point.x) {
        return NULL;
    }
    dd_condenser w = {.s = s, .dag = s->model->dag, .scratch = dd_pool_child(pool), .reading = DD_NO_INDEX};
    dd_condensed *out = dd_pool_alloc(pool, sizeof *out);
    out->system = dd_pool_alloc(pool, sizeof *out->system);
    out->h = w.h = dd_pool_alloc_array(pool, s->ncols + 1, sizeof *w.h);
    w.row = dd_pool_alloc_array(w.scratch, s->inc.n + 1, sizeof *w.row);
    w.algebraic = dd_pool_alloc_array(w.scratch, s->ncols + 1, sizeof *w.algebraic);
    w.rows_with = dd_pool_alloc_array(w.scratch, s->ncols + 1, sizeof *w.rows_with);
    w.rate_of = dd_map_new(w.scratch);
    w.rate = dd_pool_alloc_array(w.scratch, s->ncols + 1, sizeof *w.rate);
    w.rate_row = dd_pool_alloc_array(w.scratch, s->ncols + 1, sizeof *w.rate_row);
    mark_algebraic(&w);
    dd_condense_find_numbers(&w);
    /* all rows as they are, all to be read */
    for (uint32_t i = 0; i < s->inc.n; i++) {
        w.row[i] = (dd_live_row){.e = dd_condense_first(&w, i), .stale = true};
        dd_vec_push(w.scratch, &w.live, i);
    }
    eliminate(&w);
    /* worth it, and confirmed */
    bool fine = dd_condense_gains(&w) && dd_condense_rest(&w, out, pool);
    if (fine) {
        resolve_values(&w);
    }
    dd_pool_free(w.scratch);
    return fine ? out : NULL;
}

const dd_condensed *dd_system_condensed(const dd_system *s)
{
    if (!s->condensed->known) {
        s->condensed->value = condense(s, s->pool);
        s->condensed->known = true; /* not after a failure meanwhile */
    }
    return s->condensed->value;
}
