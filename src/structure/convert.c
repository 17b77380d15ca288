/* convert.c - the linear combination method with exact coefficients.
 *
 * 1. At a generic point the dependent rows of the block and the rows they depend on are found numerically (a minimal
 *    dependent set S).
 * 2. The coefficients u are found symbolically by elimination on the columns of S, with u = 1 for the row to be
 *    replaced, so replacing it loses nothing; it is one that leaves the others free of divisors, if there is such a
 *    row. Rational numbers stay exact; whether an expression is zero is decided at several generic points.
 * 3. g = sum u_i f_i^(c_i - c_min) has lower derivatives only; the value of the transversal falls by at least one, so
 *    repeating this ends. It needs u free of the derivatives x_j^(k), k >= d_j - c_min.
 */
#include "structure/convert.h"

#include <math.h>
#include <string.h>

#include "structure/dependent_rows.h"

enum {
    MAX_SET = 64,        /* rows of a combination: longer ones are no dependency of a few equations */
    MAX_EXPANDED = 2000, /* terms up to which a product is expanded */
    MAX_NESTING = 50     /* assigned variables in assigned variables */
};

typedef struct conversion {
    dd_row_scope scope;
    dd_eq_vec *eqs;
    uint32_t n; /* rows in S */
    uint32_t row[MAX_SET];
    uint32_t target; /* position in S of the row to be replaced */
    uint32_t c_min;
    dd_expr f[MAX_SET]; /* their residuals with assigned variables put in */
    dd_expr u[MAX_SET];
    double coef[MAX_SET];      /* u at the point where the set was found, up to a factor */
    dd_expr *assigned;         /* per column: h where its row reads x = h, DD_EXPR_NONE */
    uint32_t *assigned_row;    /* per column: that row */
    uint32_t behind;           /* differentiations of model rows in what was put in so far, */
    uint32_t inlined[MAX_SET]; /* and in each row of S */
} conversion;

static bool vanishes(conversion *c, dd_expr e)
{
    return dd_exact_vanishes(&c->scope.exact, e);
}

/* Makes set q the one at hand. */
static bool take_set(conversion *c, const dd_dependent_sets *sets, uint32_t q)
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
        /* the row with the fewest differentiations: the others are differentiated up to the difference, itself not
         * at all */
        if (c->scope.off->c[c->row[k]] < c->c_min) {
            c->c_min = c->scope.off->c[c->row[k]];
            c->target = k;
        }
    }
}

/* Variables that their own row assigns, x = h(...): putting h in is a combination of rows too, and lets coefficients
 * that depend on x pass as coefficients in what h depends on. Rows and columns are matched by the transversal, so
 * this ends. */
static void find_assigned(conversion *c, const dd_blocks *blocks)
{
    dd_dag *dag = c->scope.s->model->dag;
    for (uint32_t b = 0; b < blocks->count; b++) {
        uint32_t p = blocks->ptr[b], row = blocks->row_perm[p], col = blocks->col_perm[p];
        dd_expr symbol = dd_var(dag, c->scope.s->unknown[col], 0), coefficient, rest;
        /* a block of one row that is linear in its own unknown, with a number */
        if (blocks->ptr[b + 1] - p == 1 && c->scope.off->d[col] == c->scope.off->c[row] &&
            dd_linear(dag, c->eqs->data[row].residual, &symbol, 1, &coefficient, &rest) &&
            dd_op_of(dag, coefficient) == DD_OP_NUM) {
            c->assigned[col] = dd_neg(dag, dd_div(dag, rest, coefficient));
            c->assigned_row[col] = row;
        }
    }
}

static dd_expr assigned_symbol(void *user, dd_expr symbol)
{
    conversion *c = user;
    dd_dag *dag = c->scope.s->model->dag;
    if (dd_op_of(dag, symbol) != DD_OP_VAR) {
        return DD_EXPR_NONE;
    }
    uint32_t col = c->scope.s->column[dd_symbol_id(dag, symbol)];
    if (col == DD_NO_INDEX || c->assigned[col] == DD_EXPR_NONE) {
        return DD_EXPR_NONE;
    }
    dd_expr e = c->assigned[col];
    const uint32_t order = dd_symbol_order(dag, symbol);
    for (uint32_t k = 0; k < order; k++) {
        e = dd_system_derivative(c->scope.s, e);
    }
    /* a derivative put in is one of the row that assigns the variable */
    const uint32_t behind = c->eqs->data[c->assigned_row[col]].depth + order;
    c->behind = behind > c->behind ? behind : c->behind;
    return e;
}

static dd_expr put_assigned(conversion *c, dd_expr e)
{
    for (int round = 0; round < MAX_NESTING; round++) {
        dd_expr next = dd_substitute(c->scope.s->model->dag, e, assigned_symbol, c);
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
    dd_dag *dag = c->scope.s->model->dag;
    dd_expr_vec symbols = {0}, partials = {0};
    cols->len = values->len = 0;
    dd_partials(dag, c->f[k], false, &symbols, &partials, c->scope.scratch);
    for (uint32_t i = 0; i < symbols.len; i++) {
        uint32_t col = c->scope.s->column[dd_symbol_id(dag, symbols.data[i])];
        /* leading: x_j^(d_j - c_i), what must cancel */
        if (col != DD_NO_INDEX && c->scope.columns[col] &&
            (int64_t)dd_symbol_order(dag, symbols.data[i]) ==
                (int64_t)c->scope.off->d[col] - (int64_t)c->scope.off->c[c->row[k]]) {
            dd_vec_push(c->scope.scratch, cols, col);
            dd_vec_push(c->scope.scratch, values, partials.data[i]);
        }
    }
}

static column_system gather_columns(conversion *c)
{
    dd_expr zero = dd_rational(c->scope.s->model->dag, 0, 1);
    uint32_t *position = dd_pool_alloc_array(c->scope.scratch, c->scope.nm->inc->ncols + 1, sizeof *position);
    column_system cs = {0};
    dd_expr_vec cols = {0}, values = {0};
    /* columns that some row of S touches get a row of the matrix */
    for (uint32_t k = 0; k < c->n; k++) {
        leading_partials(c, k, &cols, &values);
        for (uint32_t i = 0; i < cols.len; i++) {
            if (position[cols.data[i]] == 0) {
                position[cols.data[i]] = ++cs.count;
            }
        }
    }
    cs.a = dd_pool_alloc_array(c->scope.scratch, (size_t)cs.count * c->n + 1, sizeof *cs.a);
    for (uint32_t q = 0; q < cs.count * c->n; q++) {
        cs.a[q] = zero;
    }
    /* entry (j, k): the derivative of row k by the leading derivative of column j */
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
    return dd_exact_null_vector(&c->scope.exact, cs.a, cs.count, c->n, c->target, c->u);
}

static bool coefficients_allowed(conversion *c)
{
    dd_expr_vec leading = {0};
    for (uint32_t k = 0; k < c->n; k++) {
        if (dd_exact_has_leading(&c->scope.exact, c->u[k], c->scope.off, c->c_min, &leading)) {
            return false;
        }
    }
    return true;
}

/* lowered: derivatives of x are written by its velocity v where a row says x' = v. As written, x' stays, which may be
 * what cancels against that very row. */
static dd_expr combine(conversion *c, bool lowered)
{
    dd_dag *dag = c->scope.s->model->dag;
    dd_expr terms[MAX_SET];
    for (uint32_t k = 0; k < c->n; k++) {
        dd_expr f = c->f[k];
        /* f_i^(c_i - c_min) */
        for (uint32_t d = c->c_min; d < c->scope.off->c[c->row[k]]; d++) {
            f = lowered ? dd_system_derivative(c->scope.s, f) : dd_total_derivative(dag, f, NULL, NULL);
        }
        terms[k] = dd_mul(dag, c->u[k], f);
    }
    return dd_sum(dag, terms, c->n);
}

/* Takes terms out whose coefficient is zero without looking so: leading derivatives inside the block must be gone,
 * those of blocks solved before may stay. False when one in the block stays or enters nonlinearly. */
static bool strip_leading(conversion *c, dd_expr *g)
{
    dd_dag *dag = c->scope.s->model->dag;
    for (int attempt = 0; attempt < 2; attempt++) {
        dd_expr_vec leading = {0};
        /* leading derivatives that are still in the formula */
        dd_exact_has_leading(&c->scope.exact, *g, c->scope.off, c->c_min, &leading);
        uint32_t in_block = 0;
        for (uint32_t i = 0; i < leading.len; i++) {
            uint32_t col = c->scope.s->column[dd_symbol_id(dag, leading.data[i])];
            if (c->scope.columns[col]) {
                leading.data[in_block++] = leading.data[i];
            }
        }
        if (in_block == 0) {
            return true;
        }
        /* linear in them, with coefficients that are zero in disguise: they go */
        dd_expr *coefficient = dd_pool_alloc_array(c->scope.scratch, in_block, sizeof *coefficient);
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
        /* multiplied out and tried again: they may cancel */
        *g = dd_expand(dag, *g, MAX_EXPANDED);
    }
    return false;
}

static bool has_unknowns(conversion *c, dd_expr e)
{
    dd_expr_vec symbols = {0};
    dd_symbols(c->scope.s->model->dag, e, false, &symbols, c->scope.scratch);
    for (uint32_t i = 0; i < symbols.len; i++) {
        if (c->scope.s->column[dd_symbol_id(c->scope.s->model->dag, symbols.data[i])] != DD_NO_INDEX) {
            return true;
        }
    }
    return false;
}

const uint32_t *dd_system_origins(const dd_system *s, const dd_eq_vec *eqs, const uint32_t *rows, uint32_t n,
                                  uint32_t *count)
{
    dd_index_vec found = {0};
    dd_pool *scratch = dd_pool_child(s->pool);
    bool *seen = dd_pool_alloc_array(scratch, eqs->len + 1, sizeof *seen);
    for (uint32_t k = 0; k < n; k++) {
        /* a row as written is its own origin */
        const dd_eq *eq = &eqs->data[rows[k]];
        const uint32_t *from = eq->n_origins > 0 ? eq->origins : &rows[k];
        for (uint32_t i = 0; i < (eq->n_origins > 0 ? eq->n_origins : 1); i++) {
            if (!seen[from[i]]) {
                seen[from[i]] = true;
                dd_vec_push(s->pool, &found, from[i]);
            }
        }
    }
    dd_pool_free(scratch);
    *count = found.len;
    return found.data;
}

/* A base^n that divides e, or a term of it, and contains unknowns; DD_EXPR_NONE if there is none. */
static dd_expr divisor_of(conversion *c, dd_expr e)
{
    dd_dag *dag = c->scope.s->model->dag;
    const bool sum = dd_op_of(dag, e) == DD_OP_ADD;
    for (uint32_t i = 0; i < (sum ? dd_arg_count(dag, e) : 1); i++) {
        const dd_expr term = sum ? dd_arg(dag, e, i) : e;
        const bool product = dd_op_of(dag, term) == DD_OP_MUL;
        for (uint32_t q = 0; q < (product ? dd_arg_count(dag, term) : 1); q++) {
            const dd_expr factor = product ? dd_arg(dag, term, q) : term;
            if (dd_op_of(dag, factor) != DD_OP_POW) {
                continue;
            }
            const dd_expr exponent = dd_arg(dag, factor, 1);
            if (dd_op_of(dag, exponent) == DD_OP_NUM && dd_num_value(dag, exponent) < 0 && has_unknowns(c, factor)) {
                return dd_pow(dag, dd_arg(dag, factor, 0), dd_neg(dag, exponent));
            }
        }
    }
    return DD_EXPR_NONE;
}

static dd_expr multiply_terms(dd_dag *dag, dd_expr e, dd_expr by)
{
    if (dd_op_of(dag, e) != DD_OP_ADD) {
        return dd_mul(dag, e, by);
    }
    dd_expr sum = dd_rational(dag, 0, 1);
    for (uint32_t i = 0; i < dd_arg_count(dag, e); i++) {
        sum = dd_add(dag, sum, dd_mul(dag, dd_arg(dag, e, i), by));
    }
    return sum;
}

/* The coefficients with 1 for another row; false where that needs divisors. */
static bool coefficients_for(conversion *c, uint32_t target, dd_expr *v)
{
    dd_dag *dag = c->scope.s->model->dag;
    /* the row that is replaced takes part, and is not differentiated */
    bool fine = c->scope.off->c[c->row[target]] == c->c_min && !vanishes(c, c->u[target]);
    const dd_expr by = fine ? dd_pow(dag, c->u[target], dd_rational(dag, -1, 1)) : DD_EXPR_NONE;
    for (uint32_t k = 0; k < c->n && fine; k++) {
        v[k] = multiply_terms(dag, c->u[k], by);
        fine = divisor_of(c, v[k]) == DD_EXPR_NONE;
    }
    return fine;
}

/* n/d = 0 seems to determine an unknown of d, by letting it grow without bound, and multiplied by d it has solutions with
 * d = 0 that the equations do not have. Another row is replaced where all coefficients are then free of divisors: of
 * several the one with most unknowns, which leaves the simplest rows. */
static void avoid_divisors(conversion *c)
{
    dd_expr v[MAX_SET];
    bool divided = false;
    for (uint32_t k = 0; k < c->n && !divided; k++) {
        divided = divisor_of(c, c->u[k]) != DD_EXPR_NONE;
    }
    uint32_t best = c->n, most = 0;
    for (uint32_t target = 0; target < c->n && divided; target++) {
        dd_expr_vec symbols = {0};
        dd_symbols(c->scope.s->model->dag, c->f[target], false, &symbols, c->scope.scratch);
        if (symbols.len > most && coefficients_for(c, target, v)) {
            best = target;
            most = symbols.len;
        }
    }
    if (best < c->n && coefficients_for(c, best, v)) {
        memcpy(c->u, v, c->n * sizeof *v);
        c->target = best;
    }
}

static void replace_row(conversion *c, dd_expr g)
{
    uint32_t depth = 0;
    for (uint32_t k = 0; k < c->n; k++) {
        /* differentiations in the combination: those of its rows and of what was put in, and those that were made now */
        const uint32_t own = c->eqs->data[c->row[k]].depth;
        uint32_t behind = (own > c->inlined[k] ? own : c->inlined[k]) + c->scope.off->c[c->row[k]] - c->c_min;
        depth = behind > depth ? behind : depth;
    }
    /* for explanations: which rows, how often differentiated, times what */
    dd_combined_row *parts = dd_pool_alloc_array(c->scope.s->pool, c->n, sizeof *parts);
    for (uint32_t k = 0; k < c->n; k++) {
        parts[k] = (dd_combined_row){.row = c->row[k],
                                     .level = c->scope.off->c[c->row[k]] - c->c_min,
                                     .factor = c->u[k],
                                     .converted = c->eqs->data[c->row[k]].converted};
    }
    uint32_t n_origins;
    const uint32_t *origins = dd_system_origins(c->scope.s, c->eqs, c->row, c->n, &n_origins);
    dd_eq *eq = &c->eqs->data[c->row[c->target]];
    const char *from = dd_exact_places(&c->scope.exact, c->eqs, c->row, c->n);
    *eq = (dd_eq){.residual = g,
                  .row = eq->row,
                  .depth = depth,
                  .converted = true,
                  .from = from,
                  .parts = parts,
                  .n_parts = c->n,
                  .origins = origins,
                  .n_origins = n_origins};
}

/* The numbers found at the point, if they look rational: most dependencies have constant coefficients, and whether the
 * leading derivatives really cancel is checked afterwards. */
static bool rational_coefficients(conversion *c)
{
    enum { MOST_DENOMINATOR = 12 };        /* of coefficients that people write */
    const double whole = 1e-7, most = 1e6; /* how near to a whole number; beyond, rounding hides the denominator */
    for (uint32_t k = 0; k < c->n; k++) {
        double value = c->coef[k] / c->coef[c->target];
        int64_t den = 1;
        /* the smallest denominator that makes it a whole number */
        while (den <= MOST_DENOMINATOR &&
               !(fabs(value * (double)den - round(value * (double)den)) <= whole * fmax(1.0, fabs(value)))) {
            den++;
        }
        if (den > MOST_DENOMINATOR || fabs(value) > most) {
            return false;
        }
        c->u[k] = dd_rational(c->scope.s->model->dag, (int64_t)round(value * (double)den), den);
    }
    return true;
}

/* Where coefficients are looked for: constants, functions of the unknowns, the same with assigned variables put in. */
typedef enum search { SEARCH_CONSTANT, SEARCH_FUNCTION, SEARCH_INLINED, SEARCH_COUNT } search;

static bool find_combination(conversion *c, search how, dd_expr *g)
{
    for (uint32_t k = 0; k < c->n; k++) {
        /* assigned variables put in only where nothing else helped: rows get longer */
        dd_expr f = c->eqs->data[c->row[k]].residual;
        c->behind = 0;
        c->f[k] = how == SEARCH_INLINED ? put_assigned(c, f) : f;
        c->inlined[k] = c->behind;
    }
    bool found = how == SEARCH_CONSTANT ? rational_coefficients(c) : find_coefficients(c) && coefficients_allowed(c);
    if (!found) {
        return false;
    }
    avoid_divisors(c);
    for (int lowered = 1; lowered >= 0; lowered--) {
        *g = combine(c, lowered);
        if (strip_leading(c, g) && dd_exact_first_order(&c->scope.exact, *g)) {
            return true;
        }
    }
    return false;
}

/* Combines the set at hand. */
static void combine_set(conversion *c, dd_conversion_result *out)
{
    out->outcome = DD_CONVERSION_NOT_POSSIBLE;
    choose_target(c);
    dd_expr g = DD_EXPR_NONE;
    bool found = false;
    /* from simple coefficients to complicated ones */
    for (search how = SEARCH_CONSTANT; how < SEARCH_COUNT && !found; how++) {
        found = find_combination(c, how, &g);
    }
    if (!found) {
        return;
    }
    /* a zero, or a number, is shown as such */
    dd_expr expanded = dd_expand(c->scope.s->model->dag, g, MAX_EXPANDED);
    if (dd_op_of(c->scope.s->model->dag, expanded) == DD_OP_NUM || vanishes(c, g)) {
        g = expanded;
    }
    out->combination = g;
    out->replaced = c->row[c->target];
    /* 0 = 0, 0 = number or function of time, or a new row */
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
    *c = (conversion){.scope = {.s = s, .nm = nm, .off = off}, .eqs = eqs};
    c->scope.scratch = dd_pool_child(pool);
    c->assigned = dd_pool_alloc_array(c->scope.scratch, s->ncols + 1, sizeof *c->assigned);
    c->assigned_row = dd_pool_alloc_array(c->scope.scratch, s->ncols + 1, sizeof *c->assigned_row);
    c->scope.exact = dd_exact_new(s, c->scope.scratch);
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
    /* rows and columns of the singular block; its leading derivatives must cancel */
    bool *in_scope = dd_pool_alloc_array(c->scope.scratch, s->ncols + 1, sizeof *in_scope);
    for (uint32_t p = blocks->ptr[block]; p < blocks->ptr[block + 1]; p++) {
        in_scope[blocks->col_perm[p]] = true;
    }
    c->scope.n = blocks->ptr[block + 1] - blocks->ptr[block];
    c->scope.rows = blocks->row_perm + blocks->ptr[block];
    c->scope.columns = in_scope;
    find_assigned(c, blocks);
    dd_conversion_result out = {.outcome = DD_CONVERSION_NOT_POSSIBLE};
    /* one set is enough: a conversion changes the structure, and all is looked at again */
    dd_dependent_sets sets = dd_dependent_rows(&c->scope, 1, true);
    if (sets.ptr.len > 1 && take_set(c, &sets, 0)) {
        combine_set(c, &out);
    }
    keep_rows(c, &out, pool);
    dd_pool_free(c->scope.scratch);
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
    bool *in_scope = dd_pool_alloc_array(c->scope.scratch, s->ncols + 1, sizeof *in_scope);
    /* rows that contain x', among all columns */
    for (uint32_t i = 0; i < inc->n; i++) {
        bool has_rate = false;
        for (uint32_t e = inc->ptr[i]; e < inc->ptr[i + 1]; e++) {
            has_rate = has_rate || inc->sigma[e] == 1;
            in_scope[inc->idx[e]] = true;
        }
        if (has_rate) {
            dd_vec_push(c->scope.scratch, &rows, i);
        }
    }
    c->scope.n = rows.len;
    c->scope.rows = rows.data;
    c->scope.columns = in_scope;
    *replaced = 0;
    /* all dependent sets at once: replacing the dependent row of one leaves the others as they are */
    dd_conversion_result out = {.outcome = DD_CONVERSION_NOT_POSSIBLE};
    dd_dependent_sets sets = {0};
    if (rows.len > 1) {
        sets = dd_dependent_rows(&c->scope, rows.len, false);
    }
    for (uint32_t q = 0; q + 1 < sets.ptr.len; q++) {
        dd_check_stop(s->ctx);
        if (take_set(c, &sets, q)) {
            combine_set(c, &out);
            *replaced += out.outcome == DD_CONVERSION_DONE;
        }
        /* the verdict is there */
        if (out.outcome == DD_CONVERSION_REDUNDANT || out.outcome == DD_CONVERSION_CONTRADICTION) {
            keep_rows(c, &out, pool);
            break;
        }
    }
    dd_pool_free(c->scope.scratch);
    return out;
}
