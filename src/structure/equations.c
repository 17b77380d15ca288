/* equations.c - explicit rates and assigned variables: what can be solved for symbolically is.
 *
 * A variable that a differentiated row assigns (x_b = sqrt(L^2 - y_b^2) inside a constraint) is assigned with all its
 * derivatives: these rows and their invariants disappear.
 *
 * Algebraic unknowns are eliminated by a queue, as in forward substitution: a row with one unknown left that it is linear
 * in gives it (the coefficient cannot vanish where the system is of index 1). Then rows that are linear in an unknown with
 * a number as coefficient give that one (tearing), which may leave others with a single unknown. An unknown stays when
 * putting it in would fill the Jacobian: its row has many symbols and many rows use it.
 */
#include "structure/equations.h"

#include <math.h>

#include "structure/closed_form.h"
#include "structure/condense.h"

enum {
    MOST_ROUNDS = 50,
    ALWAYS = 64,    /* unknowns up to which fill does not matter */
    MOST_FILL = 4,  /* entries a substitution may add, relative to those it takes away */
    MOST_TORN = 400 /* rows looked at for tearing */
};

typedef enum assigning { ASSIGN_NOTHING, ASSIGN_STRICTLY, ASSIGN_FREELY } assigning;

typedef struct work {
    const dd_system *s;
    dd_equations *q;
    dd_pool *pool, *scratch;
    dd_map place;               /* z symbol -> 1 + index in z */
    dd_expr_vec z;              /* all algebraic unknowns */
    dd_expr *value;             /* per z: DD_EXPR_NONE while unknown */
    bool *kept;                 /* per z: stays an unknown */
    bool undivided;             /* no unknown is the quotient by a function of variables */
    uint32_t *uses;             /* per z: rows that contain it */
    dd_constraint_row_vec rows; /* rows that are no explicit rates; expr holds the residual */
    bool *done;                 /* per row: it gave an unknown */
    uint32_t *left;             /* per row: unknowns left */
    uint32_t *ptr, *list;       /* per z: the rows that contain it */
    dd_index_vec queue;
    dd_expr *h;                    /* per column: what a differentiated row assigns to it, DD_EXPR_NONE */
    bool *assigning;               /* per row of s->eqs: it does so */
    uint32_t *row_uses, *col_uses; /* per row of s->eqs, per column: how often they are in the reduced system */
    dd_expr *late;     /* per column: its rate where only a differentiated row gives it in closed form, DD_EXPR_NONE */
    uint32_t *late_of; /* per reduced row: 1 + the column whose rate it gives so */
    dd_map h_rate;     /* VAR(x, m) of such a column -> m-th derivative of h */
    dd_form_of_equations form;
    assigning assign;
    double alpha;
    bool *is_x; /* per column */
} work;

static uint32_t place_of(const work *w, dd_expr symbol)
{
    uint32_t at = (uint32_t)dd_map_get(&w->place, symbol);
    return at == 0 ? DD_NO_INDEX : at - 1;
}

/* The m-th derivative of what is assigned to a column. */
static dd_expr assigned_rate(work *w, uint32_t col, dd_expr symbol)
{
    dd_expr known = (dd_expr)dd_map_get(&w->h_rate, symbol);
    if (known != DD_EXPR_NONE) {
        return known;
    }
    dd_expr e = w->h[col];
    for (uint32_t m = 0; m < dd_symbol_order(w->s->model->dag, symbol); m++) {
        e = dd_system_derivative(w->s, e);
    }
    dd_map_put(&w->h_rate, symbol, e);
    return e;
}

static dd_expr known_value(void *user, dd_expr symbol)
{
    work *w = user;
    const dd_system *s = w->s;
    dd_dag *dag = s->model->dag;
    if (dd_op_of(dag, symbol) != DD_OP_VAR) {
        return DD_EXPR_NONE;
    }
    uint32_t col = s->column[dd_symbol_id(dag, symbol)];
    if (col == DD_NO_INDEX) {
        return DD_EXPR_NONE;
    }
    if (w->h[col] != DD_EXPR_NONE) {
        return assigned_rate(w, col, symbol);
    }
    if (dd_symbol_order(dag, symbol) == 1 && w->form == DD_EQUATIONS_REDUCED && s->rate[col] != DD_EXPR_NONE) {
        return s->rate[col];
    }
    if (dd_symbol_order(dag, symbol) == 1 && w->late && w->late[col] != DD_EXPR_NONE) {
        return w->late[col];
    }
    uint32_t at = w->value ? place_of(w, symbol) : DD_NO_INDEX;
    return at == DD_NO_INDEX ? DD_EXPR_NONE : w->value[at];
}

/* Values contain symbols that have values themselves; there are no cycles. */
static dd_expr resolve(work *w, dd_expr e)
{
    for (int round = 0; round < MOST_ROUNDS; round++) {
        dd_expr next = dd_substitute(w->s->model->dag, e, known_value, w);
        if (next == e) {
            break;
        }
        e = next;
    }
    return e;
}

/* ---- variables assigned by differentiated rows ---- */

static bool contains_column(const work *w, dd_expr e, uint32_t col, bool *rates)
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

static bool constant_coefficient(const work *w, dd_expr e)
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

/* h in the symbols that stay, so that no cycle can close. */
static bool assign_column(work *w, uint32_t row, dd_expr residual, uint32_t col)
{
    const dd_system *s = w->s;
    dd_dag *dag = s->model->dag;
    dd_expr symbol = dd_var(dag, s->unknown[col], 0), coefficient, rest;
    bool rates = false;
    if (!dd_linear(dag, residual, &symbol, 1, &coefficient, &rest) || dd_is_num(dag, coefficient, 0) ||
        !constant_coefficient(w, coefficient) || contains_column(w, rest, col, &rates) || rates) {
        return false;
    }
    w->h[col] = dd_neg(dag, dd_div(dag, rest, coefficient));
    w->assigning[row] = true;
    return true;
}

/* Only this column and nothing else that is unknown: time, inputs and parameters give it. */
static bool only_column(const work *w, dd_expr residual)
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
static void count_uses(work *w)
{
    const dd_system *s = w->s;
    const dd_dag *dag = s->model->dag;
    w->row_uses = dd_pool_alloc_array(w->scratch, s->eqs.len + 1, sizeof *w->row_uses);
    w->col_uses = dd_pool_alloc_array(w->scratch, s->ncols + 1, sizeof *w->col_uses);
    for (uint32_t i = 0; i < s->reduced.rows.len; i++) {
        w->row_uses[s->reduced.rows.data[i].eq]++;
    }
    const dd_expr_vec *lists[] = {&s->reduced.x, &s->reduced.z};
    for (int k = 0; k < 2; k++) {
        for (uint32_t i = 0; i < lists[k]->len; i++) {
            w->col_uses[s->column[dd_symbol_id(dag, lists[k]->data[i])]]++;
        }
    }
}

/* May the row and all its derivatives be taken out together with the column and all its derivatives? Yes when every
 * derivative of the row says what a derivative is, and the second derivative of the column is not the first of a velocity,
 * which stays. Freely: also columns that are known from outside, whose velocities then are known too; whether all this
 * leaves as many rows as unknowns is seen in the end. Strictly: each pair must be as many by itself. */
static bool goes_with(const work *w, uint32_t row, uint32_t col, bool outside)
{
    const dd_system *s = w->s;
    bool freely = w->assign == ASSIGN_FREELY;
    bool named = s->off.d[col] > 1 && s->velocity[s->unknown[col]] != DD_NO_INDEX;
    return s->off.d[col] == s->off.c[row] && w->h[col] == DD_EXPR_NONE &&
           (freely || w->row_uses[row] == w->col_uses[col]) &&
           ((outside && freely) || (!named && (outside || s->steady[row])));
}

/* Columns that are nowhere differentiated in the text first; also those that came in for others. */
static bool assign_from_row(work *w, uint32_t row)
{
    const dd_system *s = w->s;
    dd_dag *dag = s->model->dag;
    dd_expr residual = resolve(w, s->eqs.data[row].residual);
    bool outside = only_column(w, residual), found = false;
    dd_expr_vec symbols = {0};
    dd_symbols(dag, residual, false, &symbols, w->scratch);
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

/* Rows that are differentiated and give their column, until no more are found: one may open the way for another. */
static void assign_columns(work *w)
{
    const dd_system *s = w->s;
    w->h = dd_pool_alloc_array(w->scratch, s->ncols + 1, sizeof *w->h);
    w->assigning = dd_pool_alloc_array(w->scratch, s->eqs.len + 1, sizeof *w->assigning);
    w->h_rate = dd_map_new(w->scratch);
    count_uses(w);
    bool changed = w->form == DD_EQUATIONS_REDUCED;
    for (int round = 0; changed && round < MOST_ROUNDS; round++) {
        changed = false;
        for (uint32_t i = 0; i < s->inc.n; i++) {
            if (s->off.c[i] > 0 && !w->assigning[i]) {
                changed = assign_from_row(w, i) || changed;
            }
        }
    }
}

/* ---- rows ---- */

static bool is_rate_row(const dd_system *s, const dd_constraint_row *c, uint32_t *col)
{
    const dd_incidence *inc = &s->inc;
    for (uint32_t e = inc->ptr[c->eq]; c->level == 0 && e < inc->ptr[c->eq + 1]; e++) {
        uint32_t j = inc->idx[e];
        if (inc->sigma[e] == 1 && s->rate[j] != DD_EXPR_NONE && s->rate_row[j] == c->eq) {
            *col = j;
            return true;
        }
    }
    return false;
}

/* sum over m < k of binomial(k, m) alpha^(k - m) c^(m), the part that Baumgarte's method adds to c^(k); nothing when
 * c^(0) is no invariant. */
static dd_expr damping(work *w, const dd_constraint_row *c)
{
    const dd_system *s = w->s;
    dd_dag *dag = s->model->dag;
    dd_expr sum = dd_rational(dag, 0, 1);
    double binomial = 1; /* (k, m) for falling m, starting with m = k */
    for (uint32_t down = 1; down <= c->level; down++) {
        uint32_t m = c->level - down;
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

static dd_expr damped(work *w, const dd_constraint_row *c)
{
    return w->alpha > 0 ? dd_add(w->s->model->dag, c->raw, damping(w, c)) : c->raw;
}

/* The only derivative in a row when it is a first one, DD_EXPR_NONE. */
static dd_expr only_rate(const work *w, dd_expr row)
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
        derivatives += order > 0;
        found = order == 1 ? symbols.data[i] : found;
    }
    dd_vec_free(w->scratch, &symbols);
    return derivatives == 1 ? found : DD_EXPR_NONE;
}

static bool find_late_rate(work *w, uint32_t i)
{
    const dd_system *s = w->s;
    dd_dag *dag = s->model->dag;
    const dd_constraint_row *c = &s->reduced.rows.data[i];
    dd_expr row = resolve(w, damped(w, c)), symbol = only_rate(w, row), coefficient, rest;
    uint32_t col = symbol == DD_EXPR_NONE ? DD_NO_INDEX : s->column[dd_symbol_id(dag, symbol)];
    if (col == DD_NO_INDEX || s->off.d[col] == 0 || !dd_linear(dag, row, &symbol, 1, &coefficient, &rest) ||
        dd_is_num(dag, coefficient, 0) || !constant_coefficient(w, coefficient)) {
        return false;
    }
    w->late[col] = dd_neg(dag, dd_div(dag, rest, coefficient));
    w->late_of[i] = col + 1;
    return true;
}

/* Differentiated rows that give a derivative in closed form once other rates are put in (the rate of a joint's angle from
 * those of bodies): otherwise squares of such a derivative would stay in the equations. */
static void find_late_rates(work *w)
{
    const dd_system *s = w->s;
    w->late = dd_pool_alloc_array(w->scratch, s->ncols + 1, sizeof *w->late);
    w->late_of = dd_pool_alloc_array(w->scratch, s->reduced.rows.len + 1, sizeof *w->late_of);
    bool changed = true;
    for (int round = 0; changed && round < MOST_ROUNDS; round++) {
        changed = false;
        for (uint32_t i = 0; i < s->reduced.rows.len; i++) {
            const dd_constraint_row *c = &s->reduced.rows.data[i];
            if (c->level > 0 && !w->assigning[c->eq] && w->late_of[i] == 0) {
                changed = find_late_rate(w, i) || changed;
            }
        }
    }
}

typedef struct rate_rows {
    dd_expr_vec symbols, rates;
    dd_index_vec eqs, levels;
} rate_rows;

static void add_rate(work *w, rate_rows *out, dd_expr symbol, dd_expr rate, const dd_constraint_row *c)
{
    dd_vec_push(w->scratch, &out->symbols, symbol);
    dd_vec_push(w->scratch, &out->rates, rate);
    dd_vec_push(w->scratch, &out->eqs, c->eq);
    dd_vec_push(w->scratch, &out->levels, c->level);
}

static void sort_rows_out(work *w, rate_rows *out)
{
    const dd_system *s = w->s;
    dd_dag *dag = s->model->dag;
    find_late_rates(w);
    for (uint32_t i = 0; i < s->reduced.rows.len; i++) {
        dd_constraint_row c = s->reduced.rows.data[i];
        uint32_t col = w->late_of[i] - 1;
        if (w->assigning[c.eq]) {
            continue;
        }
        if (w->late_of[i] > 0) {
            add_rate(w, out, dd_var(dag, s->unknown[col], 1), w->late[col], &c);
            continue;
        }
        bool rate = is_rate_row(s, &c, &col);
        if (rate && w->h[col] == DD_EXPR_NONE) {
            add_rate(w, out, dd_var(dag, s->unknown[col], 1), s->rate[col], &c);
            continue;
        }
        c.expr = resolve(w, rate ? c.raw : damped(w, &c)); /* the rate of an assigned column: v follows from it */
        dd_vec_push(w->scratch, &w->rows, c);
    }
}

/* The rows as written, of first order. */
static void take_original_rows(work *w)
{
    const dd_system *s = w->s;
    for (uint32_t i = 0; i < s->original.len; i++) {
        dd_constraint_row c = {.eq = i, .raw = s->original.data[i].residual, .expr = s->original.data[i].residual};
        dd_vec_push(w->scratch, &w->rows, c);
    }
}

/* x and z of the form asked for, without assigned columns. */
static void sort_unknowns_out(work *w, dd_expr_vec *x)
{
    const dd_system *s = w->s;
    dd_dag *dag = s->model->dag;
    if (w->form == DD_EQUATIONS_ORIGINAL) {
        for (uint32_t j = 0; j < s->declared; j++) {
            dd_vec_push(w->scratch, s->differentiated[j] ? x : &w->z, dd_var(dag, s->unknown[j], 0));
        }
        return;
    }
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

static void note_unknowns(work *w)
{
    w->place = dd_map_new(w->scratch);
    for (uint32_t i = 0; i < w->z.len; i++) {
        dd_map_put(&w->place, w->z.data[i], i + 1);
    }
    uint32_t nz = w->z.len, rows = w->rows.len;
    w->value = dd_pool_alloc_array(w->scratch, nz + 1, sizeof *w->value);
    w->kept = dd_pool_alloc_array(w->scratch, nz + 1, sizeof *w->kept);
    w->uses = dd_pool_alloc_array(w->scratch, nz + 1, sizeof *w->uses);
    w->done = dd_pool_alloc_array(w->scratch, rows + 1, sizeof *w->done);
    w->left = dd_pool_alloc_array(w->scratch, rows + 1, sizeof *w->left);
    w->ptr = dd_pool_alloc_array(w->scratch, nz + 2, sizeof *w->ptr);
}

/* A row with a derivative that is no explicit rate cannot give an algebraic unknown: it gives that derivative. */
static bool has_unknown_rate(const work *w, const dd_expr_vec *symbols)
{
    const dd_system *s = w->s;
    dd_dag *dag = s->model->dag;
    for (uint32_t i = 0; i < symbols->len; i++) {
        uint32_t col = s->column[dd_symbol_id(dag, symbols->data[i])];
        if (col != DD_NO_INDEX && dd_symbol_order(dag, symbols->data[i]) == 1) {
            return true;
        }
    }
    return false;
}

/* Which rows contain which unknown, both ways. */
static void note_incidence(work *w, const dd_expr_vec *rates)
{
    dd_dag *dag = w->s->model->dag;
    dd_expr_vec symbols = {0};
    for (int fill = 0; fill < 2; fill++) {
        for (uint32_t i = 0; i < w->rows.len; i++) {
            symbols.len = 0;
            dd_symbols(dag, w->rows.data[i].expr, false, &symbols, w->scratch);
            bool blocked = has_unknown_rate(w, &symbols);
            w->left[i] = blocked ? UINT32_MAX / 2 : 0;
            for (uint32_t k = 0; k < symbols.len; k++) {
                uint32_t z = place_of(w, symbols.data[k]);
                if (z == DD_NO_INDEX) {
                    continue;
                }
                w->left[i]++;
                if (fill) {
                    w->list[w->ptr[z]++] = i;
                } else {
                    w->ptr[z + 1]++;
                    w->uses[z]++;
                }
            }
        }
        if (!fill) {
            for (uint32_t z = 0; z < w->z.len; z++) {
                w->ptr[z + 1] += w->ptr[z];
            }
            w->list = dd_pool_alloc_array(w->scratch, w->ptr[w->z.len] + 1, sizeof *w->list);
        }
    }
    for (uint32_t z = w->z.len; z > 0; z--) { /* filling moved every start to the next one */
        w->ptr[z] = w->ptr[z - 1];
    }
    w->ptr[0] = 0;
    for (uint32_t i = 0; i < rates->len; i++) {
        symbols.len = 0;
        dd_symbols(dag, rates->data[i], false, &symbols, w->scratch);
        for (uint32_t k = 0; k < symbols.len; k++) {
            uint32_t z = place_of(w, symbols.data[k]);
            if (z != DD_NO_INDEX) {
                w->uses[z]++;
            }
        }
    }
}

/* ---- elimination ---- */

static bool would_fill(const work *w, uint32_t z, dd_expr value)
{
    if (w->s->ncols <= ALWAYS) {
        return false;
    }
    dd_expr_vec symbols = {0};
    dd_symbols(w->s->model->dag, value, false, &symbols, w->scratch);
    uint64_t many = symbols.len, uses = w->uses[z];
    dd_vec_free(w->scratch, &symbols);
    return many * uses > MOST_FILL * (many + uses);
}

/* One unknown less in the rows that contain z. */
static void settle(work *w, uint32_t z)
{
    for (uint32_t k = w->ptr[z]; k < w->ptr[z + 1]; k++) {
        uint32_t i = w->list[k];
        if (--w->left[i] == 1 && !w->done[i]) {
            dd_vec_push(w->scratch, &w->queue, i);
        }
    }
}

/* The only unknown left in a resolved row; DD_NO_INDEX when there are none or several, or derivatives. */
static uint32_t only_unknown(work *w, dd_expr row)
{
    dd_expr_vec symbols = {0};
    uint32_t found = DD_NO_INDEX, count = 0;
    dd_symbols(w->s->model->dag, row, false, &symbols, w->scratch);
    for (uint32_t k = 0; k < symbols.len; k++) {
        uint32_t z = place_of(w, symbols.data[k]);
        if (z != DD_NO_INDEX && !w->kept[z]) {
            found = z;
            count++;
        }
    }
    bool blocked = has_unknown_rate(w, &symbols);
    dd_vec_free(w->scratch, &symbols);
    return count == 1 && !blocked ? found : DD_NO_INDEX;
}

static bool has_variable(work *w, dd_expr e)
{
    dd_expr_vec symbols = {0};
    bool found = false;
    dd_symbols(w->s->model->dag, e, false, &symbols, w->scratch);
    for (uint32_t k = 0; k < symbols.len && !found; k++) {
        found = dd_op_of(w->s->model->dag, symbols.data[k]) == DD_OP_VAR;
    }
    dd_vec_free(w->scratch, &symbols);
    return found;
}

static bool solve_for(work *w, dd_expr row, uint32_t z, bool number_only, dd_expr *value)
{
    dd_dag *dag = w->s->model->dag;
    dd_expr coefficient, rest;
    if (!dd_linear(dag, row, &w->z.data[z], 1, &coefficient, &rest) || dd_is_num(dag, coefficient, 0) ||
        (number_only && dd_op_of(dag, coefficient) != DD_OP_NUM)) {
        return false;
    }
    *value = dd_neg(dag, dd_div(dag, rest, coefficient));
    return true;
}

/* Row i gives z from here on; what it is divided by is kept where it can vanish on the way. */
static void assign_unknown(work *w, uint32_t i, uint32_t z, dd_expr value)
{
    const dd_constraint_row *c = &w->rows.data[i];
    dd_expr coefficient, rest;
    if (dd_linear(w->s->model->dag, c->expr, &w->z.data[z], 1, &coefficient, &rest) &&
        !constant_coefficient(w, coefficient)) {
        dd_vec_push(w->pool, &w->q->divisors, ((dd_divisor){coefficient, w->z.data[z], c->eq, c->level}));
    }
    w->value[z] = value;
    w->done[i] = true;
}

/* Undivided form: z would be a quotient with variables below. */
static bool is_quotient(work *w, dd_expr row, uint32_t z)
{
    dd_expr coefficient, rest;
    return w->undivided && dd_linear(w->s->model->dag, row, &w->z.data[z], 1, &coefficient, &rest) &&
           has_variable(w, coefficient);
}

static void run_queue(work *w)
{
    for (uint32_t at = 0; at < w->queue.len; at++) {
        dd_check_stop(w->s->ctx);
        uint32_t i = w->queue.data[at];
        if (w->done[i]) {
            continue;
        }
        dd_constraint_row *c = &w->rows.data[i];
        c->expr = resolve(w, c->expr);
        uint32_t z = only_unknown(w, c->expr);
        dd_expr value;
        if (z == DD_NO_INDEX || !solve_for(w, c->expr, z, false, &value)) {
            continue;
        }
        if (would_fill(w, z, value) || is_quotient(w, c->expr, z)) {
            w->kept[z] = true; /* known to the rows that follow, but as an unknown of its own */
        } else {
            assign_unknown(w, i, z, value);
        }
        settle(w, z);
    }
    w->queue.len = 0;
}

/* Values found by tearing contain other unknowns, which may have got values since. */
static void resolve_values(work *w)
{
    for (uint32_t z = 0; z < w->z.len; z++) {
        if (w->value[z] != DD_EXPR_NONE) {
            w->value[z] = resolve(w, w->value[z]);
        }
    }
}

static bool tear_row(work *w, uint32_t i)
{
    dd_dag *dag = w->s->model->dag;
    dd_constraint_row *c = &w->rows.data[i];
    c->expr = resolve(w, c->expr);
    uint32_t single = only_unknown(w, c->expr), best = DD_NO_INDEX;
    dd_expr value = DD_EXPR_NONE, found;
    if (single != DD_NO_INDEX && solve_for(w, c->expr, single, false, &found) && !is_quotient(w, c->expr, single)) {
        best = single;
        value = found;
    }
    dd_expr_vec symbols = {0};
    dd_symbols(dag, c->expr, false, &symbols, w->scratch);
    bool blocked = has_unknown_rate(w, &symbols);
    for (uint32_t k = 0; k < symbols.len && best == DD_NO_INDEX && !blocked; k++) {
        uint32_t z = place_of(w, symbols.data[k]);
        if (z != DD_NO_INDEX && !w->kept[z] && solve_for(w, c->expr, z, true, &found)) {
            best = z;
            value = found;
        }
    }
    dd_vec_free(w->scratch, &symbols);
    if (best == DD_NO_INDEX || would_fill(w, best, value)) {
        return false;
    }
    assign_unknown(w, i, best, value);
    resolve_values(w);
    return true;
}

static void tear(work *w)
{
    uint32_t open = 0;
    for (uint32_t i = 0; i < w->rows.len; i++) {
        open += !w->done[i];
    }
    bool changed = open <= MOST_TORN && w->z.len <= MOST_TORN;
    while (changed) {
        changed = false;
        for (uint32_t i = 0; i < w->rows.len; i++) {
            dd_check_stop(w->s->ctx);
            changed = (!w->done[i] && tear_row(w, i)) || changed;
        }
    }
}

/* ---- the result ---- */

static void add_row(dd_equations *q, dd_pool *pool, dd_expr row, uint32_t eq, uint32_t level, bool rate)
{
    dd_vec_push(pool, &q->rows, row);
    dd_vec_push(pool, &q->row_eq, eq);
    dd_vec_push(pool, &q->row_level, level);
    dd_vec_push(pool, &q->explicit_rate, rate);
}

/* Derivatives that only seem to be in a row ((y' + a)*(y' - a) - y'^2 ...): the analysis found that it does not depend on
 * them, so any number may stand there. */
static dd_expr seeming_symbol(void *user, dd_expr symbol)
{
    const work *w = user;
    const dd_system *s = w->s;
    dd_dag *dag = s->model->dag;
    uint32_t order = dd_op_of(dag, symbol) == DD_OP_VAR ? dd_symbol_order(dag, symbol) : 0;
    uint32_t col = order > 0 ? s->column[dd_symbol_id(dag, symbol)] : DD_NO_INDEX;
    bool known = col == DD_NO_INDEX || (order == 1 && w->is_x[col]) || place_of(w, symbol) != DD_NO_INDEX;
    return known ? DD_EXPR_NONE : dd_rational(dag, 0, 1);
}

static dd_expr final_row(work *w, dd_expr e)
{
    return dd_substitute(w->s->model->dag, resolve(w, e), seeming_symbol, w);
}

static void write_assigned(work *w, dd_pool *pool)
{
    const dd_system *s = w->s;
    dd_dag *dag = s->model->dag;
    for (uint32_t z = 0; z < w->z.len; z++) {
        if (w->value[z] == DD_EXPR_NONE) {
            dd_vec_push(pool, &w->q->z, w->z.data[z]);
        } else {
            dd_vec_push(pool, &w->q->assigned, ((dd_assigned){w->z.data[z], resolve(w, w->value[z])}));
        }
    }
    for (uint32_t j = 0; j < s->ncols; j++) {
        for (uint32_t m = 0; w->h[j] != DD_EXPR_NONE && m <= s->off.d[j]; m++) {
            dd_expr symbol = dd_var(dag, s->unknown[j], m);
            dd_vec_push(pool, &w->q->assigned, ((dd_assigned){symbol, resolve(w, symbol)}));
        }
    }
}

static void write_result(work *w, const dd_expr_vec *x, const rate_rows *rates, dd_pool *pool)
{
    dd_dag *dag = w->s->model->dag;
    dd_equations *q = w->q;
    w->is_x = dd_pool_alloc_array(w->scratch, w->s->ncols + 1, sizeof *w->is_x);
    for (uint32_t i = 0; i < x->len; i++) {
        dd_vec_push(pool, &q->x, x->data[i]);
        w->is_x[w->s->column[dd_symbol_id(dag, x->data[i])]] = true;
    }
    for (uint32_t i = 0; i < rates->rates.len; i++) {
        dd_expr row = dd_sub(dag, rates->symbols.data[i], final_row(w, rates->rates.data[i]));
        add_row(q, pool, row, rates->eqs.data[i], rates->levels.data[i], true);
    }
    for (uint32_t i = 0; i < w->rows.len; i++) {
        if (!w->done[i]) {
            const dd_constraint_row *c = &w->rows.data[i];
            add_row(q, pool, final_row(w, c->expr), c->eq, c->level, false);
        }
    }
    write_assigned(w, pool);
    for (uint32_t i = 0; i < q->divisors.len; i++) {
        q->divisors.data[i].value = final_row(w, q->divisors.data[i].value);
    }
}

/* x' without an explicit rate, and z: what the rows give beside the explicit rates. */
static dd_expr_vec implicit_unknowns(work *w)
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
static bool mark_unknowns(work *w, closed *c, dd_expr e, bool *known)
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
static void close_invariants(work *w, closed *c, const dd_expr *list, uint32_t count)
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
    for (uint32_t i = 0; i < count; i++) {
        any = mark_unknowns(w, c, list[i], &known) || any;
    }
    for (uint32_t i = 0; i < w->q->rows.len; i++) {
        if (!w->q->explicit_rate.data[i]) {
            dd_vec_push(w->scratch, &rows, w->q->rows.data[i]);
        }
    }
    if (any && rows.len == n && n <= MOST_TORN) {
        dd_closed_forms(w->s, rows.data, c->unknowns.data, n, c->wanted, c->value, w->scratch);
    }
}

/* Invariants as conditions on x alone; those with unknowns that have no closed form are left out. */
static void add_invariants(work *w, dd_pool *pool)
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
        dd_expr e = c->level > 0 ? dd_system_divide_content(s, c->raw) : c->raw;
        list[i] = w->assigning[c->eq] ? dd_rational(dag, 0, 1) : final_row(w, e);
    }
    closed c = {0};
    close_invariants(w, &c, list, count);
    for (uint32_t i = 0; i < count; i++) {
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

/* False when rows and unknowns do not balance: assigned columns have taken a row that something else needs. */
static bool build(work *w, assigning assign, dd_pool *pool)
{
    dd_expr_vec x = {0};
    rate_rows rates = {0};
    *w->q = (dd_equations){0};
    w->pool = pool;
    w->scratch = dd_pool_child(pool);
    w->z = (dd_expr_vec){0};
    w->rows = (dd_constraint_row_vec){0};
    w->queue = (dd_index_vec){0};
    w->value = NULL;
    w->late = NULL;
    dd_form_of_equations form = w->form;
    w->assign = assign;
    w->form = assign != ASSIGN_NOTHING ? form : DD_EQUATIONS_ORIGINAL; /* nothing is assigned in that form */
    assign_columns(w);
    w->form = form;
    sort_unknowns_out(w, &x);
    if (form == DD_EQUATIONS_REDUCED) {
        sort_rows_out(w, &rates);
    } else {
        take_original_rows(w);
    }
    bool balanced = x.len + w->z.len == rates.rates.len + w->rows.len;
    if (balanced) {
        note_unknowns(w);
        note_incidence(w, &rates.rates);
        for (uint32_t i = 0; i < w->rows.len; i++) {
            if (w->left[i] == 1) {
                dd_vec_push(w->scratch, &w->queue, i);
            }
        }
        run_queue(w);
        resolve_values(w);
        tear(w);
        write_result(w, &x, &rates, pool);
        add_invariants(w, pool);
    }
    dd_pool_free(w->scratch);
    return balanced;
}

static dd_equations *equations_of(const dd_system *s, dd_form_of_equations form, double baumgarte, dd_pool *pool)
{
    work w = {.s = s, .q = dd_pool_alloc(pool, sizeof(dd_equations)), .form = form, .alpha = baumgarte};
    w.undivided = form == DD_EQUATIONS_UNDIVIDED;
    if (form != DD_EQUATIONS_ORIGINAL) {
        w.form = DD_EQUATIONS_REDUCED;
    }
    if (!build(&w, ASSIGN_FREELY, pool) && !build(&w, ASSIGN_STRICTLY, pool)) {
        build(&w, ASSIGN_NOTHING, pool);
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

static resolver new_resolver(const dd_equations *q, dd_pool *scratch)
{
    resolver r = {.s = q->system, .value = dd_map_new(scratch), .form = q->form};
    for (uint32_t i = 0; i < q->assigned.len; i++) {
        dd_map_put(&r.value, q->assigned.data[i].symbol, q->assigned.data[i].value);
    }
    return r;
}

/* Twice: rates contain assigned symbols. */
static void resolve_all(resolver *r, const dd_expr *e, uint32_t n, dd_expr *out)
{
    dd_substitute_all(r->s->model->dag, e, n, resolved_symbol, r, out);
    dd_substitute_all(r->s->model->dag, out, n, resolved_symbol, r, out);
}

dd_expr dd_equations_resolve(const dd_system *s, const dd_equations *q, dd_expr e)
{
    dd_pool *scratch = dd_pool_child(s->pool);
    resolver r = new_resolver(q, scratch);
    e = dd_system_lower(s, e);
    resolve_all(&r, &e, 1, &e);
    dd_pool_free(scratch);
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

/* Something that went may need a derivative that no row of the rest contains (the torque on a body in a loop: the angular
 * acceleration of a joint whose rate is assigned): it is the derivative of what is assigned. False when there is none. */
static bool complete(resolver *r, const dd_map *kept, dd_expr *e, dd_equations *q, dd_pool *pool)
{
    const dd_system *s = r->s;
    dd_dag *dag = s->model->dag;
    for (int round = 0; round < MOST_ROUNDS; round++) {
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
        value = dd_system_derivative(s, value);
        resolve_all(r, &value, 1, &value);
        dd_map_put(&r->value, symbol, value);
        dd_vec_push(pool, &q->assigned, ((dd_assigned){symbol, value}));
        resolve_all(r, e, 1, e);
    }
    return false;
}

/* What went before the reduction is assigned, with all derivatives that the whole system knows; rows are called by their
 * numbers there. All formulas of one order at once: they share nearly everything. False when one has no value. */
static bool add_condensed(const dd_system *s, const dd_condensed *c, dd_equations *q, dd_pool *pool)
{
    dd_dag *dag = s->model->dag;
    dd_pool *scratch = dd_pool_child(pool);
    dd_expr_vec value = {0}, known = {0};
    dd_index_vec col = {0};
    for (uint32_t i = 0; i < q->row_eq.len; i++) {
        q->row_eq.data[i] = c->eq_of[q->row_eq.data[i]];
    }
    for (uint32_t i = 0; i < q->invariant_eq.len; i++) {
        q->invariant_eq.data[i] = c->eq_of[q->invariant_eq.data[i]];
    }
    resolver r = new_resolver(q, scratch);
    dd_map kept = kept_symbols(q, scratch);
    for (uint32_t j = 0; j < s->ncols; j++) {
        if (c->h[j] != DD_EXPR_NONE) {
            dd_vec_push(scratch, &col, j);
            dd_vec_push(scratch, &value, c->h[j]);
            dd_vec_push(scratch, &known, DD_EXPR_NONE);
        }
    }
    for (uint32_t m = 0; value.len > 0; m++) {
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
        dd_system_derivatives(c->system, value.data, value.len);
    }
    dd_pool_free(scratch);
    return true;
}

dd_equations *dd_system_equations(const dd_system *s, dd_form_of_equations form, double baumgarte, dd_pool *pool)
{
    dd_equations *q = equations_of(s, form, baumgarte, pool);
    bool whole = form == DD_EQUATIONS_WHOLE || form == DD_EQUATIONS_ORIGINAL || q->invariants.len == 0;
    const dd_condensed *c = whole ? NULL : dd_system_condensed(s);
    dd_equations *fewer = c ? equations_of(c->system, form, baumgarte, pool) : q;
    /* An integrator marches a closed loop in all its coordinates: there the rates are explicit in x and the forces of the
     * constraints. What condensing leaves of a loop has rates that only a matrix of the angles gives, and needs several
     * times the steps (a slider crank with bdf 12 times). */
    const bool loop = form == DD_EQUATIONS_REDUCED && fewer->invariants.len > 0;
    if (loop || fewer->x.len >= q->x.len || !add_condensed(s, c, fewer, pool)) {
        return q;
    }
    return fewer;
}
