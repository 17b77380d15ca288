/* convert.c - the linear combination method with exact coefficients.
 *
 * 1. At a generic point the dependent rows of the block and the rows they depend on are found numerically (a minimal
 *    dependent set S).
 * 2. The coefficients u are found symbolically by elimination on the columns of S, with u = 1 for the row to be
 * replaced, so
 *    replacing it loses nothing. Rational numbers stay exact; whether an expression is zero is decided at several
 * generic points.
 * 3. g = sum u_i f_i^(c_i - c_min) has lower derivatives only; the value of the transversal falls by at least one, so
 *    repeating this ends. It needs u free of the derivatives x_j^(k), k >= d_j - c_min.
 */
#include "structure/convert.h"

#include <math.h>
#include <string.h>

#include "la/rank_sparse.h"
#include "structure/exact.h"

enum { MAX_SET = 64, MAX_EXPANDED = 2000, MAX_NESTING = 50, MAX_EXACT = 300 };

typedef struct conversion {
    dd_system *s;
    dd_numeric *nm;
    const dd_offsets *off; /* c and d in force */
    uint32_t n_scope;
    const uint32_t *scope; /* rows among which a combination is looked for */
    const bool *in_scope;  /* per column: its leading derivative must cancel */
    dd_eq_vec *eqs;
    dd_pool *scratch;
    dd_exact exact;
    uint32_t n; /* rows in S */
    uint32_t row[MAX_SET];
    uint32_t target; /* position in S of the row to be replaced */
    uint32_t c_min;
    dd_expr f[MAX_SET]; /* their residuals with assigned variables put in */
    dd_expr u[MAX_SET];
    double coef[MAX_SET]; /* u at the point where the set was found, up to a factor */
    dd_expr *assigned;    /* per column: h where its row reads x = h, DD_EXPR_NONE */
} conversion;

static bool vanishes(conversion *c, dd_expr e)
{
    return dd_exact_vanishes(&c->exact, e);
}

/* Minimal dependent sets of rows: set q is rows[ptr[q]] .. rows[ptr[q+1]-1]; the dependent row comes first. */
typedef struct dependent_sets {
    bool finite, clear;
    uint32_t rank;
    DD_VEC(uint32_t) ptr;
    DD_VEC(uint32_t) rows;
    DD_VEC(double) coefs; /* of the vanishing combination, at the point */
} dependent_sets;

typedef struct copy_sets {
    conversion *c;
    const dd_csc *left;
    const uint32_t *position; /* scope position -> place in priority */
    dependent_sets *out;
} copy_sets;

static void copy_sets_body(void *arg)
{
    copy_sets *copy = arg;
    conversion *c = copy->c;
    dependent_sets *out = copy->out;
    dd_vec_push(c->scratch, &out->ptr, 0);
    for (uint32_t q = 0; q < copy->left->ncols; q++) {
        uint32_t first = out->rows.len, last = first;
        for (uint32_t k = copy->left->ptr[q]; k < copy->left->ptr[q + 1]; k++) {
            if (fabs(copy->left->val[k]) > 1e-9) {
                dd_vec_push(c->scratch, &out->rows, copy->left->idx[k]);
                dd_vec_push(c->scratch, &out->coefs, copy->left->val[k]);
                uint32_t at = out->rows.len - 1;
                last = copy->position[out->rows.data[at]] > copy->position[out->rows.data[last]] ? at : last;
            }
        }
        /* the dependent row is the last in priority */
        for (uint32_t k = first; k < out->rows.len; k++) {
            out->rows.data[k] = c->scope[out->rows.data[k]];
        }
        if (out->rows.len > first) {
            uint32_t row = out->rows.data[first];
            double coef = out->coefs.data[first];
            out->rows.data[first] = out->rows.data[last];
            out->coefs.data[first] = out->coefs.data[last];
            out->rows.data[last] = row;
            out->coefs.data[last] = coef;
        }
        dd_vec_push(c->scratch, &out->ptr, out->rows.len);
    }
}

static bool entry_in_scope(const conversion *c, uint32_t row, uint32_t entry)
{
    return dd_is_tight(c->nm->inc, c->off, row, entry) && c->in_scope[c->nm->inc->idx[entry]];
}

static dependent_sets sets_at(conversion *c, uint32_t p, const uint32_t *priority, uint32_t most)
{
    const dd_incidence *inc = c->nm->inc;
    dependent_sets out = {0};
    DD_VEC(uint32_t) row = {0}, col = {0};
    DD_VEC(double) val = {0};
    c->nm->t0 = dd_system_generic_time(c->s, p);
    out.finite = dd_numeric_partials(c->nm, c->exact.point[p], DD_EXACT_ORDER + 1);
    for (uint32_t k = 0; k < c->n_scope && out.finite; k++) {
        uint32_t i = c->scope[k];
        for (uint32_t e = inc->ptr[i]; e < inc->ptr[i + 1]; e++) {
            if (entry_in_scope(c, i, e)) {
                double magnitude;
                dd_vec_push(c->scratch, &row, k);
                dd_vec_push(c->scratch, &col, inc->idx[e]);
                dd_vec_push(c->scratch, &val, dd_numeric_tight(c->nm, e, &magnitude));
            }
        }
    }
    if (!out.finite) {
        return out;
    }
    uint8_t *dependent = dd_pool_alloc_array(c->scratch, c->n_scope + 1, 1);
    uint32_t *position = dd_pool_alloc_array(c->scratch, c->n_scope + 1, sizeof *position);
    for (uint32_t k = 0; k < c->n_scope; k++) {
        position[priority[k]] = k;
    }
    dd_csc a = {0}, left = {0};
    dd_rank_sparse_options options = dd_rank_sparse_options_default();
    options.max_left = most;
    options.row_priority = priority;
    dd_rowspace_info info = {0};
    dd_context *ctx = c->s->ctx;
    dd_status st = dd_csc_from_triplets(&a, ctx, c->n_scope, inc->ncols,
                                        &(dd_triplets){row.len, row.data, col.data, val.data}, NULL);
    if (st == DD_OK) {
        st = dd_rank_sparse(&info, ctx, &a, &options, dependent, NULL, &left, NULL);
    }
    if (st == DD_OK) {
        copy_sets copy = {c, &left, position, &out};
        st = dd_protect(ctx, copy_sets_body, &copy);
    }
    dd_csc_free(ctx, &a);
    dd_csc_free(ctx, &left);
    dd_system_must(c->s, st, "combining equations");
    out.rank = info.rank;
    out.clear = info.clear;
    return out;
}

/* One combination, the dependent row k first; its coefficients are left in place. */
static void add_exact_set(conversion *c, const uint32_t *priority, const uint64_t *combination, uint32_t k,
                          dependent_sets *out)
{
    for (uint32_t q = k + 1; q-- > 0;) {
        if (combination[q] != 0) {
            int64_t num = 0, den = 1;
            bool small = dd_field_rational(dd_field_div(combination[q], combination[k]), &num, &den);
            dd_vec_push(c->scratch, &out->rows, c->scope[priority[q]]);
            dd_vec_push(c->scratch, &out->coefs, small ? (double)num / (double)den : (double)NAN);
        }
    }
    dd_vec_push(c->scratch, &out->ptr, out->rows.len);
}

/* The same without rounding; not finite where something divides by zero, or where there are too many rows. Coefficients
 * that are not small rational numbers are left open (NAN). */
static dependent_sets exact_sets(conversion *c, const uint32_t *priority, uint32_t most)
{
    const dd_incidence *inc = c->nm->inc;
    dependent_sets out = {.finite = c->n_scope <= MAX_EXACT};
    uint32_t n = c->n_scope, cols = 0;
    uint32_t *local = dd_pool_alloc_array(c->scratch, inc->ncols + 1, sizeof *local);
    for (uint32_t j = 0; j < inc->ncols; j++) {
        local[j] = c->in_scope[j] ? cols++ : DD_NO_INDEX;
    }
    if (!out.finite || cols > 2 * MAX_EXACT) {
        return (dependent_sets){0};
    }
    /* [J I]: what the elimination does to I are the combinations */
    uint32_t width = cols + n;
    uint64_t *a = dd_pool_alloc_array(c->scratch, (size_t)n * width + 1, sizeof *a);
    bool *dependent = dd_pool_alloc_array(c->scratch, n + 1, sizeof *dependent);
    uint32_t *pivot = dd_pool_alloc_array(c->scratch, n + 1, sizeof *pivot);
    for (uint32_t k = 0; k < n; k++) {
        uint32_t i = c->scope[priority[k]];
        a[(size_t)k * width + cols + k] = 1;
        for (uint32_t e = inc->ptr[i]; e < inc->ptr[i + 1]; e++) {
            if (entry_in_scope(c, i, e)) {
                dd_expr partial = inc->sigma[e] == 1 ? inc->partial1[e] : inc->partial0[e];
                uint64_t *at = &a[(size_t)k * width + local[inc->idx[e]]];
                out.finite = out.finite && dd_field_value(&c->exact.field, partial, at) != DD_FIELD_UNDEFINED;
            }
        }
    }
    out.clear = true;
    out.rank = out.finite ? dd_field_eliminate(a, n, width, cols, dependent, pivot) : 0;
    dd_vec_push(c->scratch, &out.ptr, 0);
    for (uint32_t k = 0; k < n && out.finite && out.ptr.len <= most; k++) {
        if (dependent[k]) {
            add_exact_set(c, priority, a + (size_t)k * width + cols, k, &out);
        }
    }
    return out;
}

/* Is the first point the better one to judge at? Clear decisions first, then the higher rank. */
static bool judges_better(const dependent_sets *a, const dependent_sets *b)
{
    return !b->finite || (a->clear != b->clear ? a->clear : a->rank > b->rank);
}

/* At the best generic point, one with dependent rows if they are known to exist; rows with many differentiations are
 * preferred as the independent ones. */
static dependent_sets find_dependent_rows(conversion *c, uint32_t most, bool known)
{
    uint32_t *priority = dd_pool_alloc_array(c->scratch, c->n_scope + 1, sizeof *priority);
    uint32_t filled = 0, most_c = 0;
    for (uint32_t k = 0; k < c->n_scope; k++) {
        most_c = c->off->c[c->scope[k]] > most_c ? c->off->c[c->scope[k]] : most_c;
    }
    for (uint32_t level = most_c + 1; level-- > 0;) {
        for (uint32_t k = 0; k < c->n_scope; k++) {
            if (c->off->c[c->scope[k]] == level) {
                priority[filled++] = k;
            }
        }
    }
    dependent_sets best = exact_sets(c, priority, most);
    if (best.finite && best.rank < c->n_scope) {
        return best;
    }
    best = (dependent_sets){0};
    for (uint32_t p = 0; p < DD_EXACT_POINTS; p++) {
        dependent_sets at = sets_at(c, p, priority, most);
        if (at.finite && !(known && at.rank == c->n_scope) && judges_better(&at, &best)) {
            best = at;
        }
    }
    return best;
}

/* Makes set q the one at hand. */
static bool take_set(conversion *c, const dependent_sets *sets, uint32_t q)
{
    uint32_t first = sets->ptr.data[q];
    c->n = sets->ptr.data[q + 1] - first;
    if (c->n == 0 || c->n > MAX_SET) {
        return false;
    }
    memcpy(c->row, sets->rows.data + first, c->n * sizeof *c->row);
    memcpy(c->coef, sets->coefs.data + first, c->n * sizeof *c->coef);
    return true;
}

static void choose_target(conversion *c)
{
    c->c_min = UINT32_MAX;
    for (uint32_t k = 0; k < c->n; k++) {
        if (c->off->c[c->row[k]] < c->c_min) {
            c->c_min = c->off->c[c->row[k]];
            c->target = k;
        }
    }
}

/* Variables that their own row assigns, x = h(...): putting h in is a combination of rows too, and lets coefficients
 * that depend on x pass as coefficients in what h depends on. Rows and columns are matched by the transversal, so
 * this ends. */
static void find_assigned(conversion *c, const dd_blocks *blocks)
{
    dd_dag *dag = c->s->model->dag;
    for (uint32_t b = 0; b < blocks->count; b++) {
        uint32_t p = blocks->ptr[b], row = blocks->row_perm[p], col = blocks->col_perm[p];
        dd_expr symbol = dd_var(dag, c->s->unknown[col], 0), coefficient, rest;
        if (blocks->ptr[b + 1] - p == 1 && c->off->d[col] == c->off->c[row] &&
            dd_linear(dag, c->eqs->data[row].residual, &symbol, 1, &coefficient, &rest) &&
            dd_op_of(dag, coefficient) == DD_OP_NUM) {
            c->assigned[col] = dd_neg(dag, dd_div(dag, rest, coefficient));
        }
    }
}

static dd_expr assigned_symbol(void *user, dd_expr symbol)
{
    conversion *c = user;
    dd_dag *dag = c->s->model->dag;
    if (dd_op_of(dag, symbol) != DD_OP_VAR) {
        return DD_EXPR_NONE;
    }
    uint32_t col = c->s->column[dd_symbol_id(dag, symbol)];
    if (col == DD_NO_INDEX || c->assigned[col] == DD_EXPR_NONE) {
        return DD_EXPR_NONE;
    }
    dd_expr e = c->assigned[col];
    for (uint32_t k = 0; k < dd_symbol_order(dag, symbol); k++) {
        e = dd_system_derivative(c->s, e);
    }
    return e;
}

static dd_expr put_assigned(conversion *c, dd_expr e)
{
    for (int round = 0; round < MAX_NESTING; round++) {
        dd_expr next = dd_substitute(c->s->model->dag, e, assigned_symbol, c);
        if (next == e) {
            break;
        }
        e = next;
    }
    return e;
}

/* One equation per column touched by S: sum over the rows of S of partial * u = 0. */
typedef struct column_system {
    uint32_t count;
    dd_expr *a; /* count * n */
} column_system;

/* Calls add(column, partial) for the leading derivatives x_j^(d_j - c_i) of row k of S inside the block. */
static void leading_partials(conversion *c, uint32_t k, dd_expr_vec *cols, dd_expr_vec *values)
{
    dd_dag *dag = c->s->model->dag;
    dd_expr_vec symbols = {0}, partials = {0};
    cols->len = values->len = 0;
    dd_partials(dag, c->f[k], false, &symbols, &partials, c->scratch);
    for (uint32_t i = 0; i < symbols.len; i++) {
        uint32_t col = c->s->column[dd_symbol_id(dag, symbols.data[i])];
        if (col != DD_NO_INDEX && c->in_scope[col] &&
            (int64_t)dd_symbol_order(dag, symbols.data[i]) == (int64_t)c->off->d[col] - (int64_t)c->off->c[c->row[k]]) {
            dd_vec_push(c->scratch, cols, col);
            dd_vec_push(c->scratch, values, partials.data[i]);
        }
    }
}

static column_system gather_columns(conversion *c)
{
    dd_expr zero = dd_rational(c->s->model->dag, 0, 1);
    uint32_t *position = dd_pool_alloc_array(c->scratch, c->nm->inc->ncols + 1, sizeof *position);
    column_system cs = {0};
    dd_expr_vec cols = {0}, values = {0};
    for (uint32_t k = 0; k < c->n; k++) {
        leading_partials(c, k, &cols, &values);
        for (uint32_t i = 0; i < cols.len; i++) {
            if (position[cols.data[i]] == 0) {
                position[cols.data[i]] = ++cs.count;
            }
        }
    }
    cs.a = dd_pool_alloc_array(c->scratch, (size_t)cs.count * c->n + 1, sizeof *cs.a);
    for (uint32_t q = 0; q < cs.count * c->n; q++) {
        cs.a[q] = zero;
    }
    for (uint32_t k = 0; k < c->n; k++) {
        leading_partials(c, k, &cols, &values);
        for (uint32_t i = 0; i < cols.len; i++) {
            cs.a[(size_t)(position[cols.data[i]] - 1) * c->n + k] = values.data[i];
        }
    }
    return cs;
}

static bool find_coefficients(conversion *c)
{
    column_system cs = gather_columns(c);
    return dd_exact_null_vector(&c->exact, cs.a, cs.count, c->n, c->target, c->u);
}

static bool coefficients_allowed(conversion *c)
{
    dd_expr_vec leading = {0};
    for (uint32_t k = 0; k < c->n; k++) {
        if (dd_exact_has_leading(&c->exact, c->u[k], c->off, c->c_min, &leading)) {
            return false;
        }
    }
    return true;
}

static dd_expr combine(conversion *c)
{
    dd_dag *dag = c->s->model->dag;
    dd_expr terms[MAX_SET];
    for (uint32_t k = 0; k < c->n; k++) {
        dd_expr f = c->f[k];
        for (uint32_t d = c->c_min; d < c->off->c[c->row[k]]; d++) {
            f = dd_system_derivative(c->s, f);
        }
        terms[k] = dd_mul(dag, c->u[k], f);
    }
    return dd_sum(dag, terms, c->n);
}

/* Takes terms out whose coefficient is zero without looking so: leading derivatives inside the block must be gone,
 * those of blocks solved before may stay. False when one in the block stays or enters nonlinearly. */
static bool strip_leading(conversion *c, dd_expr *g)
{
    dd_dag *dag = c->s->model->dag;
    for (int attempt = 0; attempt < 2; attempt++) {
        dd_expr_vec leading = {0};
        dd_exact_has_leading(&c->exact, *g, c->off, c->c_min, &leading);
        uint32_t in_block = 0;
        for (uint32_t i = 0; i < leading.len; i++) {
            uint32_t col = c->s->column[dd_symbol_id(dag, leading.data[i])];
            if (c->in_scope[col]) {
                leading.data[in_block++] = leading.data[i];
            }
        }
        if (in_block == 0) {
            return true;
        }
        dd_expr *coefficient = dd_pool_alloc_array(c->scratch, in_block, sizeof *coefficient);
        dd_expr rest;
        if (dd_linear(dag, *g, leading.data, in_block, coefficient, &rest)) {
            bool all_zero = true;
            for (uint32_t i = 0; i < in_block; i++) {
                all_zero = all_zero && vanishes(c, coefficient[i]);
            }
            if (all_zero) {
                *g = rest;
                return true;
            }
        }
        *g = dd_expand(dag, *g, MAX_EXPANDED);
    }
    return false;
}

static bool has_unknowns(conversion *c, dd_expr e)
{
    dd_expr_vec symbols = {0};
    dd_symbols(c->s->model->dag, e, false, &symbols, c->scratch);
    for (uint32_t i = 0; i < symbols.len; i++) {
        if (c->s->column[dd_symbol_id(c->s->model->dag, symbols.data[i])] != DD_NO_INDEX) {
            return true;
        }
    }
    return false;
}

static void replace_row(conversion *c, dd_expr g)
{
    uint32_t depth = 0;
    for (uint32_t k = 0; k < c->n; k++) {
        uint32_t behind = c->eqs->data[c->row[k]].depth + c->off->c[c->row[k]] - c->c_min;
        depth = behind > depth ? behind : depth;
    }
    dd_eq *eq = &c->eqs->data[c->row[c->target]];
    const char *from = dd_exact_places(&c->exact, c->eqs, c->row, c->n);
    *eq = (dd_eq){.residual = g, .row = eq->row, .depth = depth, .converted = true, .from = from};
}

/* The numbers found at the point, if they look rational: most dependencies have constant coefficients, and whether the
 * leading derivatives really cancel is checked afterwards. */
static bool rational_coefficients(conversion *c)
{
    enum { MOST_DENOMINATOR = 12 };
    for (uint32_t k = 0; k < c->n; k++) {
        double value = c->coef[k] / c->coef[c->target];
        int64_t den = 1;
        while (den <= MOST_DENOMINATOR &&
               !(fabs(value * (double)den - round(value * (double)den)) <= 1e-7 * fmax(1.0, fabs(value)))) {
            den++;
        }
        if (den > MOST_DENOMINATOR || fabs(value) > 1e6) {
            return false;
        }
        c->u[k] = dd_rational(c->s->model->dag, (int64_t)round(value * (double)den), den);
    }
    return true;
}

/* Where coefficients are looked for: constants, functions of the unknowns, the same with assigned variables put in. */
typedef enum search { SEARCH_CONSTANT, SEARCH_FUNCTION, SEARCH_INLINED, SEARCH_COUNT } search;

static bool find_combination(conversion *c, search how, dd_expr *g)
{
    for (uint32_t k = 0; k < c->n; k++) {
        dd_expr f = c->eqs->data[c->row[k]].residual;
        c->f[k] = how == SEARCH_INLINED ? put_assigned(c, f) : f;
    }
    bool found = how == SEARCH_CONSTANT ? rational_coefficients(c) : find_coefficients(c) && coefficients_allowed(c);
    if (!found) {
        return false;
    }
    *g = combine(c);
    return strip_leading(c, g) && dd_exact_first_order(&c->exact, *g);
}

/* Combines the set at hand. */
static void combine_set(conversion *c, dd_conversion_result *out)
{
    out->outcome = DD_CONVERSION_NOT_POSSIBLE;
    choose_target(c);
    dd_expr g = DD_EXPR_NONE;
    bool found = false;
    for (search how = SEARCH_CONSTANT; how < SEARCH_COUNT && !found; how++) {
        found = find_combination(c, how, &g);
    }
    if (!found) {
        return;
    }
    dd_expr expanded = dd_expand(c->s->model->dag, g, MAX_EXPANDED);
    if (dd_op_of(c->s->model->dag, expanded) == DD_OP_NUM || vanishes(c, g)) {
        g = expanded;
    }
    out->combination = g;
    out->replaced = c->row[c->target];
    if (vanishes(c, g)) {
        out->outcome = DD_CONVERSION_REDUNDANT;
    } else if (!has_unknowns(c, g)) {
        out->outcome = DD_CONVERSION_CONTRADICTION;
    } else {
        replace_row(c, g);
        out->outcome = DD_CONVERSION_DONE;
    }
}

static conversion *new_conversion(dd_system *s, dd_numeric *nm, const dd_offsets *off, dd_eq_vec *eqs, dd_pool *pool)
{
    conversion *c = dd_pool_alloc(pool, sizeof *c);
    *c = (conversion){.s = s, .nm = nm, .off = off, .eqs = eqs};
    c->scratch = dd_pool_child(pool);
    c->assigned = dd_pool_alloc_array(c->scratch, s->ncols + 1, sizeof *c->assigned);
    c->exact = dd_exact_new(s, c->scratch);
    return c;
}

static void keep_rows(const conversion *c, dd_conversion_result *out, dd_pool *pool)
{
    out->n_rows = c->n <= MAX_SET ? c->n : 0;
    out->rows = dd_pool_alloc_array(pool, out->n_rows + 1, sizeof *out->rows);
    memcpy(out->rows, c->row, out->n_rows * sizeof *out->rows);
}

dd_conversion_result dd_system_convert(dd_system *s, dd_numeric *nm, const dd_offsets *off, const dd_blocks *blocks,
                                       uint32_t block, dd_eq_vec *eqs, dd_pool *pool)
{
    conversion *c = new_conversion(s, nm, off, eqs, pool);
    bool *in_scope = dd_pool_alloc_array(c->scratch, s->ncols + 1, sizeof *in_scope);
    for (uint32_t p = blocks->ptr[block]; p < blocks->ptr[block + 1]; p++) {
        in_scope[blocks->col_perm[p]] = true;
    }
    c->n_scope = blocks->ptr[block + 1] - blocks->ptr[block];
    c->scope = blocks->row_perm + blocks->ptr[block];
    c->in_scope = in_scope;
    find_assigned(c, blocks);
    dd_conversion_result out = {.outcome = DD_CONVERSION_NOT_POSSIBLE};
    dependent_sets sets = find_dependent_rows(c, 1, true);
    if (sets.ptr.len > 1 && take_set(c, &sets, 0)) {
        combine_set(c, &out);
    }
    keep_rows(c, &out, pool);
    dd_pool_free(c->scratch);
    return out;
}

/* c = 0 and d = 1: the leading derivatives are all x'. */
static dd_offsets plain_offsets(const dd_system *s, uint32_t n, dd_pool *pool)
{
    dd_offsets off = {0};
    off.c = dd_pool_alloc_array(pool, n + 1, sizeof *off.c);
    off.d = dd_pool_alloc_array(pool, s->ncols + 1, sizeof *off.d);
    for (uint32_t j = 0; j < s->ncols; j++) {
        off.d[j] = 1;
    }
    return off;
}

dd_conversion_result dd_system_reduce_rates(dd_system *s, dd_numeric *nm, dd_eq_vec *eqs, uint32_t *replaced,
                                            dd_pool *pool)
{
    const dd_incidence *inc = nm->inc;
    dd_offsets off = plain_offsets(s, inc->n, pool);
    conversion *c = new_conversion(s, nm, &off, eqs, pool);
    dd_index_vec rows = {0};
    bool *in_scope = dd_pool_alloc_array(c->scratch, s->ncols + 1, sizeof *in_scope);
    for (uint32_t i = 0; i < inc->n; i++) {
        bool has_rate = false;
        for (uint32_t e = inc->ptr[i]; e < inc->ptr[i + 1]; e++) {
            has_rate = has_rate || inc->sigma[e] == 1;
            in_scope[inc->idx[e]] = true;
        }
        if (has_rate) {
            dd_vec_push(c->scratch, &rows, i);
        }
    }
    c->n_scope = rows.len;
    c->scope = rows.data;
    c->in_scope = in_scope;
    *replaced = 0;
    dd_conversion_result out = {.outcome = DD_CONVERSION_NOT_POSSIBLE};
    dependent_sets sets = {0};
    if (rows.len > 1) {
        sets = find_dependent_rows(c, rows.len, false);
    }
    for (uint32_t q = 0; q + 1 < sets.ptr.len; q++) {
        dd_check_stop(s->ctx);
        if (take_set(c, &sets, q)) {
            combine_set(c, &out);
            *replaced += out.outcome == DD_CONVERSION_DONE;
        }
        if (out.outcome == DD_CONVERSION_REDUNDANT || out.outcome == DD_CONVERSION_CONTRADICTION) {
            keep_rows(c, &out, pool);
            break;
        }
    }
    dd_pool_free(c->scratch);
    return out;
}
