/* substitute.c - the expression substitution method (Tan, Nedialkov and Pryce 2017), where combining rows fails because
 * the coefficients contain the leading derivatives themselves.
 *
 * With J v = 0 on a minimal dependent set L of columns, M the rows that reach them and gamma = max c_i over M, one
 * column l of L stays and for the others
 *
 *     y_k = x_k^(d_k - gamma) - (v_k / v_l) x_l^(d_l - gamma)                                                  (*)
 *
 * is a new unknown; in the rows of M, x_k^(d_k - c_i) becomes the (gamma - c_i)-th derivative of what (*) says it is.
 * Since J v = 0 holds identically, x_l^(d_l - c_i) drops out of these rows, and the value of the transversal falls.
 * v must be free of derivatives x_j^(k) with k >= d_j - gamma of the block's own columns; those of blocks solved before
 * may stay (the caller makes sure that the value did fall).
 */
#include "structure/substitute.h"

#include <math.h>
#include <string.h>

#include "la/rank_sparse.h"
#include "structure/exact.h"

enum { MAX_SET = 64 }; /* columns of a substitution, as rows of a combination (convert.c) */

typedef struct substitution {
    dd_system *s;
    dd_numeric *nm;
    const dd_blocks *blocks;
    uint32_t first, size; /* of the block in the permutations */
    dd_pool *scratch;
    dd_exact exact;
    uint32_t n; /* columns in L */
    uint32_t col[MAX_SET];
    uint32_t *place; /* column -> 1 + position in L, 0 outside */
    uint32_t kept;   /* position of l in L */
    uint32_t gamma;
    dd_index_vec rows;    /* M */
    dd_expr v[MAX_SET];   /* v_k / v_l */
    dd_expr put[MAX_SET]; /* y_k + v_k x_l^(d_l - gamma) */
    uint32_t row_c;       /* c_i of the row at hand */
    dd_expr dropped;      /* x_l^(d_l - c_i) of the row at hand, */
    dd_expr number;       /* and the number put in for it */
} substitution;

static dd_expr tight_partial(const dd_incidence *inc, uint32_t entry)
{
    return inc->sigma[entry] == 1 ? inc->partial1[entry] : inc->partial0[entry];
}

/* ---- L ---- */

typedef struct entries {
    DD_VEC(uint32_t) row, col;
    DD_VEC(double) val;
} entries;

/* The block's Jacobian at a generic point, transposed: its dependent rows are the dependent columns. */
static bool block_entries(substitution *w, uint32_t p, entries *out)
{
    const dd_incidence *inc = w->nm->inc;
    /* positions of the block's columns, 1 and up; 0 outside */
    uint32_t *local = dd_pool_alloc_array(w->scratch, inc->ncols + 1, sizeof *local);
    for (uint32_t q = 0; q < w->size; q++) {
        local[w->blocks->col_perm[w->first + q]] = q + 1;
    }
    w->nm->t0 = dd_system_generic_time(w->s, p);
    if (!dd_numeric_partials(w->nm, w->exact.point[p], DD_EXACT_ORDER + 1)) {
        return false;
    }
    /* J^T: columns of J become rows */
    for (uint32_t q = 0; q < w->size; q++) {
        uint32_t i = w->blocks->row_perm[w->first + q];
        for (uint32_t e = inc->ptr[i]; e < inc->ptr[i + 1]; e++) {
            if (dd_is_tight(inc, &w->s->off, i, e) && local[inc->idx[e]] > 0) {
                double magnitude;
                dd_vec_push(w->scratch, &out->row, local[inc->idx[e]] - 1);
                dd_vec_push(w->scratch, &out->col, q);
                dd_vec_push(w->scratch, &out->val, dd_numeric_tight(w->nm, e, &magnitude));
            }
        }
    }
    return true;
}

static bool dependent_columns_at(substitution *w, uint32_t p)
{
    entries at = {0};
    if (!block_entries(w, p, &at)) {
        return false;
    }
    uint8_t *dependent = dd_pool_alloc_array(w->scratch, w->size + 1, 1);
    /* one vanishing combination of columns, with the smallest set that the elimination finds */
    dd_csc a = {0}, left = {0};
    dd_rank_sparse_options options = dd_rank_sparse_options_default();
    options.max_left = 1;
    dd_rowspace_info info = {0};
    dd_context *ctx = w->s->ctx;
    dd_status st = dd_csc_from_triplets(&a, ctx, w->size, w->size,
                                        &(dd_triplets){at.row.len, at.row.data, at.col.data, at.val.data}, NULL);
    if (st == DD_OK) {
        st = dd_rank_sparse(&info, ctx, &a, &options, dependent, NULL, &left, NULL);
    }
    /* its support is L; entries of rounding size do not belong to it */
    w->n = 0;
    for (uint32_t k = 0; st == DD_OK && left.ncols > 0 && k < left.ptr[1]; k++) {
        if (fabs(left.val[k]) > 1e-9) {
            w->col[w->n < MAX_SET ? w->n : 0] = w->blocks->col_perm[w->first + left.idx[k]];
            w->n++;
        }
    }
    dd_csc_free(ctx, &a);
    dd_csc_free(ctx, &left);
    dd_system_must(w->s, st, "substituting expressions");
    return info.clear && w->n > 1 && w->n <= MAX_SET;
}

/* L at the first point that shows it clearly; l is the column with the fewest derivatives, so that (*) stays of first
 * order. */
static bool find_columns(substitution *w)
{
    bool found = false;
    for (uint32_t p = 0; p < DD_EXACT_POINTS && !found; p++) {
        found = dependent_columns_at(w, p);
    }
    w->place = dd_pool_alloc_array(w->scratch, w->s->ncols + 1, sizeof *w->place);
    /* 1 + position, so that 0 means outside */
    for (uint32_t k = 0; k < w->n && found; k++) {
        w->place[w->col[k]] = k + 1;
        w->kept = w->s->off.d[w->col[k]] < w->s->off.d[w->col[w->kept]] ? k : w->kept;
    }
    return found;
}

/* ---- M, gamma and v ---- */

static void find_rows(substitution *w)
{
    const dd_incidence *inc = w->nm->inc;
    for (uint32_t i = 0; i < inc->n; i++) {
        bool reaches = false;
        for (uint32_t e = inc->ptr[i]; e < inc->ptr[i + 1]; e++) {
            reaches = reaches || (dd_is_tight(inc, &w->s->off, i, e) && w->place[inc->idx[e]] > 0);
        }
        /* gamma is the largest number of differentiations of these rows */
        if (reaches) {
            dd_vec_push(w->scratch, &w->rows, i);
            w->gamma = w->s->off.c[i] > w->gamma ? w->s->off.c[i] : w->gamma;
        }
    }
}

static bool find_direction(substitution *w)
{
    const dd_incidence *inc = w->nm->inc;
    dd_expr zero = dd_rational(w->s->model->dag, 0, 1);
    uint32_t count = w->rows.len;
    dd_expr *a = dd_pool_alloc_array(w->scratch, (size_t)count * w->n + 1, sizeof *a);
    for (uint32_t q = 0; q < count; q++) {
        for (uint32_t k = 0; k < w->n; k++) {
            a[(size_t)q * w->n + k] = zero;
        }
        uint32_t i = w->rows.data[q];
        for (uint32_t e = inc->ptr[i]; e < inc->ptr[i + 1]; e++) {
            if (dd_is_tight(inc, &w->s->off, i, e) && w->place[inc->idx[e]] > 0) {
                a[(size_t)q * w->n + w->place[inc->idx[e]] - 1] = tight_partial(inc, e);
            }
        }
    }
    return dd_exact_null_vector(&w->exact, a, count, w->n, w->kept, w->v);
}

static bool direction_allowed(substitution *w)
{
    dd_dag *dag = w->s->model->dag;
    dd_expr_vec leading = {0};
    uint32_t block = w->blocks->block_of_col[w->col[0]];
    bool allowed = true;
    for (uint32_t k = 0; k < w->n; k++) {
        allowed = allowed && w->s->off.d[w->col[k]] >= w->gamma;
        dd_exact_has_leading(&w->exact, w->v[k], &w->s->off, w->gamma, &leading);
    }
    for (uint32_t i = 0; i < leading.len; i++) {
        uint32_t col = w->s->column[dd_symbol_id(dag, leading.data[i])];
        allowed = allowed && w->blocks->block_of_col[col] != block;
    }
    return allowed;
}

/* ---- new unknowns ---- */

static void *grown(dd_pool *pool, const void *old, size_t count, size_t more, size_t size)
{
    void *p = dd_pool_alloc_array(pool, count + more + 1, size);
    memcpy(p, old, count * size);
    return p;
}

/* An array of `count` unknowns behind the others; returns its first variable. */
static uint32_t add_unknowns(dd_system *s, uint32_t count, dd_span span)
{
    dd_model *m = s->model;
    uint32_t before = m->vars.len;
    const char *name = dd_pool_printf(m->pool, "aux%u", s->ncols - s->declared + 1);
    uint32_t index = dd_model_add_array(m, name, &count, 1, DD_KIND_VARIABLE, DD_TYPE_REAL, span);
    m->arrays.data[index].auxiliary = true;
    /* separate arrays: other sets of rows keep theirs (rows.h) */
    s->column = grown(s->pool, s->column, before, count, sizeof *s->column);
    s->unknown = grown(s->pool, s->unknown, before, count, sizeof *s->unknown);
    s->velocity = grown(s->pool, s->velocity, before, count, sizeof *s->velocity);
    s->parameter = grown(s->pool, s->parameter, before, count, sizeof *s->parameter);
    s->differentiated = grown(s->pool, s->differentiated, s->ncols, count, sizeof *s->differentiated);
    s->size = grown(s->pool, s->size, s->ncols, count, sizeof *s->size);
    for (uint32_t v = before; v < m->vars.len; v++) {
        s->unknown[s->ncols] = v;
        s->size[s->ncols] = 1.0;
        s->column[v] = s->ncols++;
        s->velocity[v] = DD_NO_INDEX;
    }
    return before;
}

void dd_system_drop_auxiliaries(dd_system *s)
{
    for (uint32_t j = s->declared; j < s->ncols; j++) {
        s->column[s->unknown[j]] = DD_NO_INDEX;
    }
    s->ncols = s->declared;
    s->meaning.len = 0;
}

static dd_expr meaning_symbol(void *user, dd_expr symbol)
{
    const dd_system *s = user;
    dd_dag *dag = s->model->dag;
    uint32_t col = dd_op_of(dag, symbol) == DD_OP_VAR ? s->column[dd_symbol_id(dag, symbol)] : DD_NO_INDEX;
    if (col == DD_NO_INDEX || col < s->declared) {
        return DD_EXPR_NONE;
    }
    /* the m-th derivative of an auxiliary is that of its meaning */
    dd_expr e = s->meaning.data[col - s->declared];
    for (uint32_t k = 0; k < dd_symbol_order(dag, symbol); k++) {
        e = dd_system_derivative(s, e);
    }
    return e;
}

/* A meaning may contain auxiliaries of earlier rounds only, so this ends. */
dd_expr dd_system_without_auxiliaries(const dd_system *s, dd_expr e)
{
    for (uint32_t round = 0; round < s->meaning.len; round++) {
        dd_expr next = dd_substitute(s->model->dag, e, meaning_symbol, (void *)s);
        if (next == e) {
            break;
        }
        e = next;
    }
    return e;
}

static void define_unknowns(substitution *w)
{
    dd_system *s = w->s;
    dd_dag *dag = s->model->dag;
    const dd_group *g = &s->model->groups.data[s->model->rows.data[s->eqs.data[w->rows.data[0]].row].group];
    uint32_t y = add_unknowns(s, w->n - 1, g->span);
    /* x_l^(d_l - gamma) */
    dd_expr kept = dd_var(dag, s->unknown[w->col[w->kept]], s->off.d[w->col[w->kept]] - w->gamma);
    const char *from = dd_exact_places(&w->exact, &s->eqs, w->rows.data, w->rows.len);
    for (uint32_t k = 0; k < w->n; k++) {
        if (k == w->kept) {
            continue;
        }
        /* y_k = x_k^(d_k - gamma) - v_k x_l^(d_l - gamma), and the row that says so */
        dd_expr unknown = dd_var(dag, y++, 0);
        dd_expr old = dd_var(dag, s->unknown[w->col[k]], s->off.d[w->col[k]] - w->gamma);
        dd_expr part = dd_mul(dag, w->v[k], kept);
        dd_expr meaning = dd_sub(dag, old, part);
        w->put[k] = dd_add(dag, unknown, part);
        dd_vec_push(s->pool, &s->meaning, meaning);
        dd_vec_push(s->pool, &s->eqs,
                    ((dd_eq){.residual = dd_sub(dag, unknown, meaning),
                             .row = s->eqs.data[w->rows.data[0]].row,
                             .converted = true,
                             .definition = true,
                             .from = from}));
    }
}

/* ---- the rows of M ---- */

static dd_expr put_symbol(void *user, dd_expr symbol)
{
    substitution *w = user;
    dd_system *s = w->s;
    dd_dag *dag = s->model->dag;
    uint32_t col = dd_op_of(dag, symbol) == DD_OP_VAR ? s->column[dd_symbol_id(dag, symbol)] : DD_NO_INDEX;
    uint32_t k = col == DD_NO_INDEX || col >= w->nm->inc->ncols ? 0 : w->place[col];
    if (k == 0 || k - 1 == w->kept || dd_symbol_order(dag, symbol) + w->row_c != s->off.d[col]) {
        return DD_EXPR_NONE;
    }
    /* x_k^(d_k - c_i) is the (gamma - c_i)-th derivative of y_k + v_k x_l^(d_l - gamma) */
    dd_expr e = w->put[k - 1];
    for (uint32_t q = w->row_c; q < w->gamma; q++) {
        e = dd_system_derivative(s, e);
    }
    return e;
}

static dd_expr drop_symbol(void *user, dd_expr symbol)
{
    substitution *w = user;
    return symbol == w->dropped ? w->number : DD_EXPR_NONE;
}

/* The row no longer depends on x_l^(d_l - c_i), whatever it looks like: any number may stand there. */
static bool substitute_row(substitution *w, uint32_t row)
{
    dd_system *s = w->s;
    dd_dag *dag = s->model->dag;
    uint32_t kept = w->col[w->kept];
    w->row_c = s->off.c[row];
    /* (*) put in; then x_l^(d_l - c_i) is in the formula but not in its values */
    dd_expr e = dd_substitute(dag, s->eqs.data[row].residual, put_symbol, w);
    w->dropped = dd_system_lower(s, dd_var(dag, s->unknown[kept], s->off.d[kept] - w->row_c));
    w->number = dd_rational(dag, 0, 1);
    e = dd_substitute(dag, e, drop_symbol, w);
    if (!dd_exact_first_order(&w->exact, e)) {
        return false;
    }
    /* the row keeps its place and its history */
    dd_eq *eq = &s->eqs.data[row];
    const char *from = dd_exact_places(&w->exact, &s->eqs, &row, 1);
    *eq = (dd_eq){.residual = e,
                  .row = eq->row,
                  .depth = eq->depth,
                  .converted = true,
                  .definition = eq->definition,
                  .from = from};
    return true;
}

static bool substitute_all(substitution *w)
{
    uint32_t rows = w->s->eqs.len;
    define_unknowns(w);
    /* definitions may contain higher derivatives than the first-order form has */
    for (uint32_t i = rows; i < w->s->eqs.len; i++) {
        if (!dd_exact_first_order(&w->exact, w->s->eqs.data[i].residual)) {
            return false;
        }
    }
    for (uint32_t q = 0; q < w->rows.len; q++) {
        if (!substitute_row(w, w->rows.data[q])) {
            return false;
        }
    }
    return true;
}

static void restore(dd_system *s, const dd_eq_vec *rows, uint32_t ncols)
{
    s->eqs.len = 0;
    for (uint32_t i = 0; i < rows->len; i++) {
        dd_vec_push(s->pool, &s->eqs, rows->data[i]);
    }
    for (uint32_t j = ncols; j < s->ncols; j++) {
        s->column[s->unknown[j]] = DD_NO_INDEX;
    }
    s->ncols = ncols;
    s->meaning.len = ncols - s->declared;
}

bool dd_system_substitute(dd_system *s, dd_numeric *nm, const dd_blocks *blocks, uint32_t block, dd_pool *pool)
{
    substitution *w = dd_pool_alloc(pool, sizeof *w);
    *w = (substitution){.s = s, .nm = nm, .blocks = blocks, .scratch = dd_pool_child(pool)};
    w->first = blocks->ptr[block];
    w->size = blocks->ptr[block + 1] - w->first;
    w->exact = dd_exact_new(s, w->scratch);
    bool done = false;
    /* L, M and v; where v is not allowed to contain what it does, the method does not apply */
    if (find_columns(w)) {
        find_rows(w);
        if (find_direction(w) && direction_allowed(w)) {
            /* all rows or none */
            dd_eq_vec before = {0};
            uint32_t ncols = s->ncols;
            for (uint32_t i = 0; i < s->eqs.len; i++) {
                dd_vec_push(w->scratch, &before, s->eqs.data[i]);
            }
            done = substitute_all(w);
            if (!done) {
                restore(s, &before, ncols);
            }
        }
    }
    dd_pool_free(w->scratch);
    return done;
}
