/* reduce.c - from offsets to constraints, hidden constraints and a system of index 1.
 *
 * Stage l = -max d .. 0 has the rows f_i^(c_i + l) and the unknowns x_j^(d_j + l). In each stage the true derivatives
 * (d_j + l >= 1) are matched with rows, those with the fewest differentiations first; these rows are "active": they
 * determine a derivative. (Which rows can do so together is a question of rank at a consistent point: two turns about
 * one axis look like any two turns. Without such a point the pattern decides.) The rows left over are constraints:
 * visible ones when nothing was differentiated, hidden ones otherwise. At stage 0 they determine the algebraic
 * variables; at earlier stages they are invariants of the motion.
 *
 *   reduced system F = active rows of all stages + left-over rows of stage 0
 *   invariants       = left-over rows of earlier stages
 *
 * An index-3 pendulum: active p' = v, v' = ...; left over p*p = L^2 (stage -2), p*v = 0 (stage -1), p*v' + v*v = 0
 * (stage 0).
 */

#include <math.h>

#include "graph/match.h"
#include "la/rank_sparse.h"
#include "structure/assigning.h"
#include "structure/certificate.h"
#include "structure/condense.h"
#include "structure/numeric.h"

typedef struct reducer {
    dd_system *s;
    dd_pool *scratch;
    dd_expr *derivative; /* per row: its latest derivative */
    uint32_t *done;      /* per row: how often it has been differentiated */
    uint32_t *order;     /* row order of a stage */
    uint32_t *ptr, *idx, *row_match, *col_match;
    int64_t level;
    bool *vanishes;     /* per entry: as good as zero at the consistent point; NULL when there is none */
    double *value;      /* per entry: its value there */
    double *magnitude;  /* per row: size of the numbers the values are computed from */
    uint8_t *passive;   /* per row of the stage in order: it depends on rows before it */
    bool *by_time;      /* per row: it assigns what varies with the time or inputs alone */
    dd_map known_after; /* (column, m) -> 1 + differentiations after which x_j^(m) is known */
} reducer;

static dd_expr derivative_of(reducer *r, uint32_t row, uint32_t k)
{
    /* stages ask for higher derivatives one after the other; a lower one begins again */
    if (r->done[row] > k) {
        r->done[row] = 0;
        r->derivative[row] = r->s->eqs.data[row].residual;
    }
    for (; r->done[row] < k; r->done[row]++) {
        r->derivative[row] = dd_system_derivative(r->s, r->derivative[row]);
    }
    return r->derivative[row];
}

/* x_j' in closed form: its active row, undifferentiated, has no other derivative and is linear in it with a constant
 * coefficient. Rows that are not active for x_j' must not be used: for them x_j' is known from elsewhere. */
static void find_rate(reducer *r, uint32_t col, uint32_t row)
{
    dd_system *s = r->s;
    const dd_incidence *inc = &s->inc;
    dd_dag *dag = s->model->dag;
    uint32_t derivatives = 0, entry = 0;
    for (uint32_t e = inc->ptr[row]; e < inc->ptr[row + 1]; e++) {
        derivatives += inc->sigma[e] == 1;
        entry = inc->idx[e] == col ? e : entry;
    }
    if (derivatives != 1 || inc->partial1[entry] == DD_EXPR_NONE ||
        !dd_system_is_constant(s, inc->partial1[entry], r->scratch)) {
        return;
    }
    /* c x' + rest = 0 with a constant c: x' = -rest/c */
    dd_expr symbol = dd_var(dag, s->unknown[col], 1), coefficient, rest;
    if (dd_linear(dag, s->eqs.data[row].residual, &symbol, 1, &coefficient, &rest)) {
        s->rate[col] = dd_neg(dag, dd_div(dag, rest, coefficient));
        s->rate_row[col] = row;
    }
}

dd_expr dd_system_rate(dd_system *s, uint32_t col)
{
    return s->rate ? s->rate[col] : DD_EXPR_NONE;
}

static dd_expr first_rate(void *user, dd_expr symbol)
{
    dd_system *s = user;
    dd_dag *dag = s->model->dag;
    if (dd_op_of(dag, symbol) != DD_OP_VAR || dd_symbol_order(dag, symbol) != 1) {
        return DD_EXPR_NONE;
    }
    uint32_t col = s->column[dd_symbol_id(dag, symbol)];
    return col == DD_NO_INDEX ? DD_EXPR_NONE : s->rate[col] != DD_EXPR_NONE ? s->rate[col] : s->assigned_rate[col];
}

/* x_j^(m) in closed form: the rate differentiated m - 1 times, rates put in each time. */
static dd_expr rate_symbol(void *user, dd_expr symbol)
{
    enum { MOST_ORDER = 8 }; /* formulas grow with the order; nobody reads longer ones */
    dd_system *s = user;
    dd_dag *dag = s->model->dag;
    uint32_t order = dd_op_of(dag, symbol) == DD_OP_VAR ? dd_symbol_order(dag, symbol) : 0;
    uint32_t col = order > 0 ? s->column[dd_symbol_id(dag, symbol)] : DD_NO_INDEX;
    dd_expr e = col == DD_NO_INDEX ? DD_EXPR_NONE : s->rate[col] != DD_EXPR_NONE ? s->rate[col] : s->assigned_rate[col];
    if (e == DD_EXPR_NONE || order > MOST_ORDER) {
        return DD_EXPR_NONE;
    }
    for (uint32_t m = 1; m < order; m++) {
        e = dd_substitute(dag, dd_system_derivative(s, e), first_rate, s);
    }
    return e;
}

/* Rates of assigned variables: the formula differentiated, with what is known before put in. Only by rows of which all
 * derivatives are used up as formulas, so that none of them is a constraint itself: x^2 + y^2 = b determines b', and
 * b = 4, differentiated, is the constraint x*x' + y*y' = 0. */
static void put_assigned_rates(dd_system *s, dd_pool *scratch)
{
    enum { MOST_NODES = 400 }; /* of a rate: nobody reads longer ones, and they would grow from one to the next */
    dd_assigning a = dd_system_assigned_by_states(s, s->steady, scratch);
    for (uint32_t k = 0; k < a.n; k++) {
        uint32_t col = a.col[k];
        if (s->off.d[col] == 0 || s->rate[col] != DD_EXPR_NONE) {
            continue;
        }
        dd_check_stop(s->ctx);
        /* x = h(states), so x' = dh/dt with the rates of the states put in */
        dd_expr e = dd_assigning_formula(s, &a, k);
        e = e == DD_EXPR_NONE ? e : dd_substitute(s->model->dag, dd_system_derivative(s, e), first_rate, s);
        bool fits = e != DD_EXPR_NONE && dd_system_is_short(s, e, MOST_NODES, scratch);
        s->assigned_rate[col] = fits && !dd_system_has_rates(s, e, scratch) ? e : DD_EXPR_NONE;
    }
}

/* A formula in the states must not say what the time determines: with b = time + 1, x^2 + y^2 = b is a constraint on x
 * and y. */
static void find_rows_by_time(reducer *r)
{
    r->by_time = dd_pool_alloc_array(r->scratch, r->s->inc.n + 1, sizeof *r->by_time);
    dd_assigning a = dd_system_assigned_by_time(r->s, r->scratch);
    for (uint32_t k = 0; k < a.n; k++) {
        r->by_time[a.row[k]] = a.varies[k];
    }
}

/* Can the row determine some column, with all its derivatives? Connections and declarations can. */
static bool assigns(const reducer *r, uint32_t row)
{
    const dd_incidence *inc = &r->s->inc;
    bool found = false;
    for (uint32_t e = inc->ptr[row]; e < inc->ptr[row + 1]; e++) {
        if (inc->sigma[e] == 1) {
            return false;
        }
        found = found ||
                (dd_is_tight(inc, &r->s->off, row, e) && dd_system_is_constant(r->s, inc->partial0[e], r->scratch));
    }
    return found;
}

/* Sorting key of a row at this stage: few differentiations first, then rows that contain a derivative as written, then
 * rows that assign by time, then those that can assign. What comes last is what the others leave as a constraint. */
enum { ROW_KINDS = 4 };

static uint32_t row_key(const reducer *r, uint32_t row)
{
    const dd_incidence *inc = &r->s->inc;
    uint32_t k = (uint32_t)(r->s->off.c[row] + r->level);
    bool has_rate = false;
    for (uint32_t e = inc->ptr[row]; e < inc->ptr[row + 1]; e++) {
        has_rate = has_rate || (inc->sigma[e] == 1 && dd_is_tight(inc, &r->s->off, row, e));
    }
    return ROW_KINDS * k + (has_rate ? 0u : r->by_time[row] ? 1u : assigns(r, row) ? 2u : 3u);
}

/* Stable counting sort of the stage's rows by key. */
static uint32_t order_rows(reducer *r)
{
    uint32_t n = r->s->inc.n, most = ROW_KINDS * r->s->off.max_c + ROW_KINDS, count = 0;
    dd_pool *scratch = dd_pool_child(r->scratch);
    uint32_t *start = dd_pool_alloc_array(scratch, most + 2, sizeof *start);
    uint32_t *key = dd_pool_alloc_array(scratch, n + 1, sizeof *key);
    for (uint32_t i = 0; i < n; i++) {
        key[i] = r->s->off.c[i] + r->level >= 0 ? row_key(r, i) : UINT32_MAX;
        if (key[i] != UINT32_MAX) {
            start[key[i] + 1]++;
            count++;
        }
    }
    /* counts become the first place of each key */
    for (uint32_t k = 0; k < most; k++) {
        start[k + 1] += start[k];
    }
    for (uint32_t i = 0; i < n; i++) {
        if (key[i] != UINT32_MAX) {
            r->order[start[key[i]]++] = i;
        }
    }
    dd_pool_free(scratch);
    return count;
}

/* A row whose coefficient of a derivative is zero at the point does not determine the derivative there. */
static void find_vanishing(reducer *r)
{
    dd_system *s = r->s;
    const dd_incidence *inc = &s->inc;
    dd_numeric *nm = s->point.consistent && s->point.x ? dd_system_numeric(s) : NULL;
    if (!nm || !dd_numeric_partials(nm, s->point.x, s->point.order + 1)) {
        return;
    }
    r->vanishes = dd_pool_alloc_array(r->scratch, inc->ptr[inc->n] + 1, sizeof *r->vanishes);
    r->value = dd_pool_alloc_array(r->scratch, inc->ptr[inc->n] + 1, sizeof *r->value);
    r->magnitude = dd_pool_alloc_array(r->scratch, inc->n + 1, sizeof *r->magnitude);
    for (uint32_t i = 0; i < inc->n; i++) {
        for (uint32_t e = inc->ptr[i]; e < inc->ptr[i + 1]; e++) {
            double magnitude;
            r->value[e] = dd_numeric_tight(nm, e, &magnitude);
            r->vanishes[e] = fabs(r->value[e]) <= 1e-6 * magnitude; /* against the terms it is made of */
            r->magnitude[i] = fmax(r->magnitude[i], magnitude);
        }
    }
}

/* Entries of the stage: rows (in order) by true derivatives. */
static bool in_stage(const reducer *r, uint32_t row, uint32_t entry)
{
    const dd_system *s = r->s;
    return dd_is_tight(&s->inc, &s->off, row, entry) && s->off.d[s->inc.idx[entry]] + r->level >= 1;
}

/* Marks the rows that depend on rows before them, by rank at the point; returns the rank. */
static uint32_t rank_rows(reducer *r, uint32_t rows)
{
    const dd_incidence *inc = &r->s->inc;
    dd_context *ctx = r->s->ctx;
    dd_index_vec row = {0}, col = {0};
    DD_VEC(double) val = {0};
    /* the matrix of the stage's true derivatives in the order of preference */
    double *magnitude = dd_pool_alloc_array(r->scratch, rows + 1, sizeof *magnitude);
    for (uint32_t q = 0; q < rows; q++) {
        uint32_t i = r->order[q];
        magnitude[q] = r->magnitude[i];
        for (uint32_t e = inc->ptr[i]; e < inc->ptr[i + 1]; e++) {
            if (in_stage(r, i, e) && !r->vanishes[e]) {
                dd_vec_push(r->scratch, &row, q);
                dd_vec_push(r->scratch, &col, inc->idx[e]);
                dd_vec_push(r->scratch, &val, r->value[e]);
            }
        }
    }
    /* rows that depend on those before them cannot determine a derivative */
    r->passive = dd_pool_alloc_array(r->scratch, rows + 1, 1);
    dd_rank_sparse_options options = dd_rank_sparse_options_default();
    options.space.tol = r->s->options.rank_tolerance;
    options.row_magnitude = magnitude;
    dd_rowspace_info info = {0};
    dd_csc a = {0};
    dd_status st =
        dd_csc_from_triplets(&a, ctx, rows, inc->ncols, &(dd_triplets){row.len, row.data, col.data, val.data}, NULL);
    if (st == DD_OK) {
        st = dd_rank_sparse(&info, ctx, &a, &options, r->passive, NULL, NULL, NULL);
    }
    dd_csc_free(ctx, &a);
    dd_system_must(r->s, st, "rank of derivatives");
    return info.rank;
}

/* Matches the stage's rows (in order) with the true derivatives of the stage; returns how many are matched. */
static uint32_t match_rows(reducer *r, uint32_t rows, bool numeric)
{
    const dd_incidence *inc = &r->s->inc;
    /* rows by the derivatives they can determine: not passive ones, and not where the coefficient vanishes */
    r->ptr[0] = 0;
    for (uint32_t q = 0; q < rows; q++) {
        uint32_t i = r->order[q], at = r->ptr[q];
        for (uint32_t e = inc->ptr[i]; e < inc->ptr[i + 1] && !(r->passive && r->passive[q]); e++) {
            if (in_stage(r, i, e) && !(numeric && r->vanishes[e])) {
                r->idx[at++] = inc->idx[e];
            }
        }
        r->ptr[q + 1] = at;
    }
    /* in the order of preference: a row once matched stays matched, so what comes last is left over */
    uint32_t *identity = dd_pool_alloc_array(r->scratch, rows + 1, sizeof *identity);
    for (uint32_t q = 0; q < rows; q++) {
        identity[q] = q;
    }
    uint32_t size;
    dd_pattern pattern = {rows, inc->ncols, r->ptr, r->idx};
    dd_system_must(r->s, dd_graph_match(&size, r->s->ctx, &pattern, identity, false, r->row_match, r->col_match),
                   "matching derivatives");
    return size;
}

/* With rows that are independent at the point and coefficients that are not zero there where that is possible, else by
 * structure alone. Where nothing is differentiated the matching alone is good enough. */
static void match_stage(reducer *r, uint32_t rows)
{
    uint32_t wanted = 0;
    /* every true derivative needs a row */
    for (uint32_t j = 0; j < r->s->ncols; j++) {
        wanted += r->s->off.d[j] + r->level >= 1;
    }
    r->passive = NULL;
    /* a rank below that comes from a point that is not good enough: it is not used */
    if (r->vanishes && r->s->off.max_c > 0 && rows > wanted && rank_rows(r, rows) < wanted) {
        r->passive = NULL;
    }
    if (r->passive && match_rows(r, rows, true) == wanted) {
        return;
    }
    r->passive = NULL;
    /* a complete matching of entries that do not vanish, else of the pattern */
    if (!r->vanishes || match_rows(r, rows, true) < wanted) {
        match_rows(r, rows, false);
    }
}

static uint64_t derivative_key(uint32_t col, uint32_t order)
{
    return ((uint64_t)order << 32) | col;
}

/* Differentiations behind a row: its own, and those after which the derivatives in it are known. */
static uint32_t order_behind(reducer *r, dd_expr raw, uint32_t own)
{
    dd_system *s = r->s;
    dd_dag *dag = s->model->dag;
    dd_expr_vec symbols = {0};
    dd_symbols(dag, raw, false, &symbols, r->scratch);
    for (uint32_t i = 0; i < symbols.len; i++) {
        uint32_t col = s->column[dd_symbol_id(dag, symbols.data[i])], m = dd_symbol_order(dag, symbols.data[i]);
        /* a derivative that only a differentiated row determines costs those differentiations too */
        uint32_t after = col == DD_NO_INDEX || m == 0 ? 0 : dd_map_get(&r->known_after, derivative_key(col, m));
        own = after > own + 1 ? after - 1 : own;
    }
    dd_vec_free(r->scratch, &symbols);
    return own;
}

static dd_constraint_row stage_row(reducer *r, uint32_t row)
{
    uint32_t k = (uint32_t)(r->s->off.c[row] + r->level);
    dd_constraint_row c = {.eq = row, .level = k, .raw = derivative_of(r, row, k)};
    c.order = order_behind(r, c.raw, k + r->s->eqs.data[row].depth);
    c.expr = c.raw;
    return c;
}

/* An active row says what the derivative x_j^(m) of its column is. */
static void take_active(reducer *r, uint32_t row, uint32_t col)
{
    dd_system *s = r->s;
    dd_constraint_row c = stage_row(r, row);
    uint32_t m = (uint32_t)(s->off.d[col] + r->level);
    dd_map_put(&r->known_after, derivative_key(col, m), c.order + 1);
    /* the row as it is: the only kind that may determine a rate in closed form */
    if (m == 1 && c.level == 0) {
        find_rate(r, col, row);
    }
    if (dd_op_of(s->model->dag, c.raw) != DD_OP_NUM) { /* x'' = v' is 0 = 0 when x' is called v */
        dd_vec_push(s->pool, &s->reduced.rows, c);
    }
}

static void take_constraint(reducer *r, uint32_t row)
{
    dd_system *s = r->s;
    dd_constraint_row c = stage_row(r, row);
    dd_vec_push(s->pool, c.order == 0 ? &s->visible : &s->hidden, c);
    /* at stage 0 it determines an algebraic variable; before, it holds along every solution */
    dd_vec_push(s->pool, r->level == 0 ? &s->reduced.rows : &s->reduced.invariants, c);
}

/* The rows of the stage as often differentiated as it wants them, together: they share parts. */
static void differentiate(reducer *r)
{
    dd_expr_vec next = {0};
    dd_index_vec row = {0};
    for (uint32_t i = 0; i < r->s->inc.n; i++) {
        if (r->s->off.c[i] + r->level == (int64_t)r->done[i] + 1) {
            dd_vec_push(r->scratch, &next, r->derivative[i]);
            dd_vec_push(r->scratch, &row, i);
        }
    }
    dd_system_derivatives(r->s, next.data, next.len);
    for (uint32_t k = 0; k < row.len; k++) {
        r->derivative[row.data[k]] = next.data[k];
        r->done[row.data[k]]++;
    }
}

static void split_stage(reducer *r)
{
    dd_pool *outer = r->scratch;
    r->scratch = dd_pool_child(outer);
    differentiate(r);
    /* which rows determine a derivative */
    uint32_t rows = order_rows(r), n = r->s->inc.n;
    match_stage(r, rows);
    uint32_t *column = dd_pool_alloc_array(r->scratch, n + 1, sizeof *column);
    for (uint32_t q = 0; q < rows; q++) {
        column[r->order[q]] = r->row_match[q];
    }
    /* active rows first: orders of constraints refer to what they make known */
    for (int constraints = 0; constraints < 2; constraints++) {
        for (uint32_t i = 0; i < n; i++) {
            if (r->s->off.c[i] + r->level < 0 || (column[i] == DD_NO_INDEX) != constraints) {
                continue;
            }
            if (constraints) {
                r->s->steady[i] = r->s->steady[i] && r->s->off.c[i] + r->level == 0;
                take_constraint(r, i);
            } else {
                take_active(r, i, column[i]);
            }
        }
    }
    dd_pool_free(r->scratch);
    r->scratch = outer;
}

/* With all rates known: the constraints without derivatives where that is possible. */
dd_expr dd_system_put_rates(const dd_system *s, dd_expr e)
{
    return dd_substitute(s->model->dag, e, rate_symbol, (void *)s); /* which only reads it */
}

/* Into visible and hidden constraints and invariants, which share rows and nearly everything in them: together. */
static void put_rates(dd_system *s, dd_pool *scratch)
{
    dd_constraint_row_vec *lists[] = {&s->visible, &s->hidden, &s->reduced.invariants};
    enum { LISTS = sizeof lists / sizeof *lists };
    const uint32_t most = s->visible.len + s->hidden.len + s->reduced.invariants.len;
    dd_expr *all = dd_pool_alloc_array(scratch, (size_t)most + 1, sizeof *all);
    uint32_t n = 0;
    for (uint32_t l = 0; l < LISTS; l++) {
        for (uint32_t i = 0; i < lists[l]->len; i++) {
            all[n++] = lists[l]->data[i].raw;
        }
    }
    dd_substitute_all(s->model->dag, all, n, rate_symbol, s, all);
    for (uint32_t l = 0, at = 0; l < LISTS; l++) {
        for (uint32_t i = 0; i < lists[l]->len; i++) {
            lists[l]->data[i].expr = all[at++];
        }
    }
}

/* x^(m) is v^(m - 1) when v is the velocity of x: an unknown of v, unless v is a mere name that nothing differentiates
 * as often. */
static bool named_by_velocity(const dd_system *s, uint32_t var, uint32_t m)
{
    for (var = s->velocity[var]; var != DD_NO_INDEX && s->column[var] != DD_NO_INDEX; var = s->velocity[var]) {
        if (--m <= s->off.d[s->column[var]]) {
            return true;
        }
    }
    return false;
}

static void list_unknowns(dd_system *s)
{
    dd_dag *dag = s->model->dag;
    for (uint32_t j = 0; j < s->ncols; j++) {
        uint32_t var = s->unknown[j];
        dd_vec_push(s->pool, s->off.d[j] > 0 ? &s->reduced.x : &s->reduced.z, dd_var(dag, var, 0));
        /* second and higher derivatives without a name are algebraic unknowns of the reduced system */
        for (uint32_t m = 2; m <= s->off.d[j]; m++) {
            if (!named_by_velocity(s, var, m)) {
                dd_vec_push(s->pool, &s->reduced.z, dd_system_lower(s, dd_var(dag, var, m)));
            }
        }
    }
}

static void note_input_rates(dd_system *s, const dd_constraint_row *c, dd_map *seen, dd_pool *scratch)
{
    dd_dag *dag = s->model->dag;
    dd_expr_vec symbols = {0};
    dd_symbols(dag, c->raw, false, &symbols, scratch);
    for (uint32_t i = 0; i < symbols.len; i++) {
        uint32_t var = dd_symbol_id(dag, symbols.data[i]);
        bool rate = s->model->vars.data[var].kind == DD_KIND_INPUT && dd_symbol_order(dag, symbols.data[i]) > 0;
        if (rate && dd_map_get(seen, symbols.data[i]) == 0) {
            dd_map_put(seen, symbols.data[i], 1);
            dd_vec_push(s->pool, &s->reduced.input_rates, symbols.data[i]);
            dd_vec_push(s->pool, &s->reduced.input_rate_rows, c->eq);
        }
    }
    dd_vec_free(scratch, &symbols);
}

void dd_system_reduce(dd_system *s)
{
    uint32_t n = s->inc.n;
    reducer r = {.s = s, .scratch = dd_pool_child(s->pool)};
    r.known_after = dd_map_new(r.scratch);
    s->rate = dd_pool_alloc_array(s->pool, s->ncols + 1, sizeof *s->rate);
    s->rate_row = dd_pool_alloc_array(s->pool, s->ncols + 1, sizeof *s->rate_row);
    s->assigned_rate = dd_pool_alloc_array(s->pool, s->ncols + 1, sizeof *s->assigned_rate);
    s->steady = dd_pool_alloc_array(s->pool, n + 1, sizeof *s->steady);
    /* work of the stages */
    r.derivative = dd_pool_alloc_array(r.scratch, n + 1, sizeof *r.derivative);
    r.done = dd_pool_alloc_array(r.scratch, n + 1, sizeof *r.done);
    r.order = dd_pool_alloc_array(r.scratch, n + 1, sizeof *r.order);
    r.ptr = dd_pool_alloc_array(r.scratch, n + 2, sizeof *r.ptr);
    r.idx = dd_pool_alloc_array(r.scratch, s->inc.ptr[n] + 1, sizeof *r.idx);
    r.row_match = dd_pool_alloc_array(r.scratch, n + 1, sizeof *r.row_match);
    r.col_match = dd_pool_alloc_array(r.scratch, s->ncols + 1, sizeof *r.col_match);
    for (uint32_t i = 0; i < n; i++) {
        r.derivative[i] = s->eqs.data[i].residual;
        s->steady[i] = true;
    }
    /* from constraints as they are written to the highest derivatives of all rows */
    find_vanishing(&r);
    find_rows_by_time(&r);
    for (r.level = -(int64_t)s->off.max_c; r.level <= 0; r.level++) {
        dd_check_stop(s->ctx);
        split_stage(&r);
    }
    s->condensed = dd_pool_alloc(s->pool, sizeof *s->condensed);
    s->closed = false;
    /* unknowns, and the derivatives of inputs that rows ask for */
    list_unknowns(s);
    dd_map seen = dd_map_new(r.scratch);
    for (uint32_t i = 0; i < s->reduced.rows.len; i++) {
        note_input_rates(s, &s->reduced.rows.data[i], &seen, r.scratch);
    }
    for (uint32_t i = 0; i < s->reduced.invariants.len; i++) {
        note_input_rates(s, &s->reduced.invariants.data[i], &seen, r.scratch);
    }
    s->constraint_count = s->visible.len;
    s->hidden_count = s->hidden.len;
    dd_pool_free(r.scratch);
}

void dd_system_close_constraints(dd_system *s)
{
    if (s->closed) {
        return;
    }
    s->closed = true;
    dd_pool *scratch = dd_pool_child(s->pool);
    put_assigned_rates(s, scratch);
    put_rates(s, scratch);
    dd_pool_free(scratch);
}
