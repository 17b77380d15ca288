/* equations_spare.c - unknowns that constraints determine together. Start reading at dd_equations_use_spares().
 *
 * x = L*sin(phi) and y = -L*cos(phi) tell the same rate twice: x' = L*cos(phi)*phi' and y' = L*sin(phi)*phi'. The reduction
 * takes one of them and leaves the other, the spare, as a hidden constraint. But the one fails at cos(phi) = 0, the other at
 * sin(phi) = 0, and only both together determine phi' everywhere. So a small block of k rows whose determinant may vanish is
 * joined with a spare that has no other unknowns:
 *
 *     A y + r = 0                k + 1 rows, which agree along solutions
 *     A^T (A y + r) = 0          the block: regular where A has rank k
 *     n^T r = 0                  the constraint, with n^T A = 0: n are the minors of A, not all zero where A has rank k
 */
#include "expr/waves.h"
#include "structure/equations_impl.h"
#include "structure/row_blocks.h"

enum {
    MOST = DD_ROW_BLOCKS_COUPLED,
    MOST_TERMS = 12 /* of a sum of squares that is collected: cos^2 + sin^2 is 1 */
};

typedef struct joiner {
    dd_equations_work *w;
    dd_dag *dag;
    dd_expr_vec unknowns;
    dd_row_blocks blocks;
    uint32_t *block_of; /* per unknown */
    bool *taken;        /* per block: it has a spare */
} joiner;

/* k rows of a block and the spare: a y + r = 0. */
typedef struct joined {
    uint32_t k;
    dd_expr symbol[MOST];
    dd_expr a[MOST + 1][MOST];
    dd_expr damped[MOST + 1], r[MOST + 1]; /* with what Baumgarte's method adds, and without */
} joined;

/* x' without an explicit rate, and z. */
static void list_unknowns(joiner *j, const dd_expr_vec *x, const dd_rate_rows *rates)
{
    dd_equations_work *w = j->w;
    dd_map known = dd_map_new(w->scratch);
    for (uint32_t i = 0; i < rates->symbols.len; i++) {
        dd_map_put(&known, rates->symbols.data[i], 1);
    }
    for (uint32_t i = 0; i < x->len; i++) {
        const dd_expr rate = dd_var(j->dag, dd_symbol_id(j->dag, x->data[i]), 1);
        if (dd_map_get(&known, rate) == 0) {
            dd_vec_push(w->scratch, &j->unknowns, rate);
        }
    }
    for (uint32_t i = 0; i < w->z.len; i++) {
        dd_vec_push(w->scratch, &j->unknowns, w->z.data[i]);
    }
}

static bool find_blocks(joiner *j)
{
    dd_equations_work *w = j->w;
    const uint32_t n = w->rows.len;
    dd_expr *rows = dd_pool_alloc_array(w->scratch, (size_t)n + 1, sizeof *rows);
    for (uint32_t i = 0; i < n; i++) {
        rows[i] = w->rows.data[i].expr;
    }
    if (j->unknowns.len != n || !dd_row_blocks_find(&j->blocks, w->s, rows, j->unknowns.data, n, w->scratch)) {
        return false;
    }
    j->block_of = dd_pool_alloc_array(w->scratch, (size_t)n + 1, sizeof *j->block_of);
    j->taken = dd_pool_alloc_array(w->scratch, (size_t)j->blocks.count + 1, sizeof *j->taken);
    for (uint32_t b = 0; b < j->blocks.count; b++) {
        for (uint32_t p = j->blocks.first[b]; p < j->blocks.first[b + 1]; p++) {
            j->block_of[j->blocks.col_perm[p]] = b;
        }
    }
    return true;
}

/* The last block that the row needs; DD_NO_INDEX when it has no unknowns. */
static uint32_t block_of_row(joiner *j, const dd_map *place, dd_expr row)
{
    dd_expr_vec symbols = {0};
    uint32_t last = DD_NO_INDEX;
    dd_symbols(j->dag, row, false, &symbols, j->w->scratch);
    for (uint32_t i = 0; i < symbols.len; i++) {
        const uint32_t at = (uint32_t)dd_map_get(place, symbols.data[i]);
        const uint32_t b = at > 0 ? (j->block_of ? j->block_of[at - 1] : 0) : DD_NO_INDEX;
        last = b != DD_NO_INDEX && (last == DD_NO_INDEX || b > last) ? b : last;
    }
    dd_vec_free(j->w->scratch, &symbols);
    return last;
}

/* 1/k for a row that is k times one without a numeric factor, else DD_EXPR_NONE: a row in millimetres is not to outweigh
 * one in metres. */
static dd_expr weight_of(joiner *j, const joined *m, dd_expr row, const dd_expr *a)
{
    dd_expr bare[MOST], rest;
    if (!dd_linear(j->dag, dd_system_divide_content(j->w->s, row), m->symbol, m->k, bare, &rest)) {
        return DD_EXPR_NONE;
    }
    for (uint32_t q = 0; q < m->k; q++) {
        if (!dd_is_num(j->dag, a[q], 0)) {
            const dd_expr weight = dd_div(j->dag, bare[q], a[q]);
            return dd_op_of(j->dag, weight) == DD_OP_NUM ? weight : DD_EXPR_NONE;
        }
    }
    return DD_EXPR_NONE;
}

/* One of the rows; false when it is not linear in the unknowns of the block. */
static bool take_row(joiner *j, joined *m, uint32_t i, dd_expr damped, dd_expr plain)
{
    dd_expr a[MOST];
    if (!dd_linear(j->dag, damped, m->symbol, m->k, m->a[i], &m->damped[i]) ||
        !dd_linear(j->dag, plain, m->symbol, m->k, a, &m->r[i])) {
        return false;
    }
    const dd_expr weight = weight_of(j, m, plain, a);
    if (weight != DD_EXPR_NONE) {
        for (uint32_t q = 0; q < m->k; q++) {
            m->a[i][q] = dd_mul(j->dag, weight, m->a[i][q]);
        }
        m->damped[i] = dd_mul(j->dag, weight, m->damped[i]);
        m->r[i] = dd_mul(j->dag, weight, m->r[i]);
    }
    return true;
}

static bool read_rows(joiner *j, uint32_t block, const dd_constraint_row *spare, joined *m)
{
    dd_equations_work *w = j->w;
    const uint32_t first = j->blocks.first[block];
    m->k = j->blocks.first[block + 1] - first;
    if (m->k > MOST) {
        return false;
    }
    for (uint32_t i = 0; i < m->k; i++) {
        m->symbol[i] = j->unknowns.data[j->blocks.col_perm[first + i]];
    }
    for (uint32_t i = 0; i < m->k; i++) {
        const dd_constraint_row *c = &w->rows.data[j->blocks.row_perm[first + i]];
        if (!take_row(j, m, i, c->expr, w->alpha > 0 ? dd_equations_put(w, c->raw) : c->expr)) {
            return false;
        }
    }
    return take_row(j, m, m->k, spare->expr, w->alpha > 0 ? dd_equations_put(w, spare->raw) : spare->expr);
}

/* det of the rows without `left_out`, among them the spare or not. */
static dd_expr minor_without(joiner *j, const joined *m, uint32_t left_out)
{
    dd_expr rows[MOST][MOST];
    for (uint32_t i = 0, at = 0; i <= m->k; i++) {
        if (i != left_out) {
            for (uint32_t q = 0; q < m->k; q++) {
                rows[at][q] = m->a[i][q];
            }
            at++;
        }
    }
    return dd_row_blocks_determinant(j->dag, m->k, rows);
}

/* sum over the rows of f_i * g_i */
static dd_expr product(joiner *j, uint32_t n, const dd_expr *f, const dd_expr *g)
{
    dd_expr terms[MOST + 1];
    for (uint32_t i = 0; i < n; i++) {
        terms[i] = dd_mul(j->dag, f[i], g[i]);
    }
    return dd_sum(j->dag, terms, n);
}

/* A^T A y + A^T r in the place of the rows of the block. */
static void write_block(joiner *j, uint32_t block, const joined *m)
{
    for (uint32_t p = 0; p < m->k; p++) {
        dd_expr row = DD_EXPR_NONE, f[MOST + 1], g[MOST + 1];
        for (uint32_t i = 0; i <= m->k; i++) {
            f[i] = m->a[i][p];
        }
        row = product(j, m->k + 1, f, m->damped);
        for (uint32_t q = 0; q < m->k; q++) {
            for (uint32_t i = 0; i <= m->k; i++) {
                g[i] = m->a[i][q];
            }
            dd_expr square = product(j, m->k + 1, f, g);
            dd_collect_waves(j->dag, &square, 1, MOST_TERMS);
            row = dd_add(j->dag, row, dd_mul(j->dag, square, m->symbol[q]));
        }
        j->w->rows.data[j->blocks.row_perm[j->blocks.first[block] + p]].expr = row;
    }
}

/* n^T r, which replaces the spare among the invariants. */
static dd_expr constraint_of(joiner *j, const joined *m)
{
    dd_expr n[MOST + 1];
    for (uint32_t i = 0; i <= m->k; i++) {
        n[i] = minor_without(j, m, i);
        n[i] = i % 2 == 0 ? n[i] : dd_neg(j->dag, n[i]);
    }
    return product(j, m->k + 1, n, m->r);
}

/* Each block gets one spare: with two and more rows too many there are no smooth n for all of them. */
static void join(joiner *j, uint32_t invariant, const dd_constraint_row *spare)
{
    dd_equations_work *w = j->w;
    const uint32_t block = block_of_row(j, &j->blocks.place, spare->expr);
    joined m;
    if (block == DD_NO_INDEX || j->taken[block] || !read_rows(j, block, spare, &m)) {
        return;
    }
    /* a block that can never fail stays */
    dd_expr det = minor_without(j, &m, m.k);
    dd_collect_waves(j->dag, &det, 1, MOST_TERMS);
    if (dd_equations_constant(w, det)) {
        return;
    }
    j->taken[block] = true;
    write_block(j, block, &m);
    w->joined[invariant] = constraint_of(j, &m);
}

void dd_equations_use_spares(dd_equations_work *w, const dd_expr_vec *x, const dd_rate_rows *rates)
{
    const dd_system *s = w->s;
    joiner j = {.w = w, .dag = s->model->dag};
    dd_constraint_row_vec spare = {0};
    dd_index_vec invariant = {0};
    if (s->reduced.invariants.len == 0 || w->rows.len == 0) {
        return;
    }
    list_unknowns(&j, x, rates);
    dd_map place = dd_map_new(w->scratch);
    for (uint32_t i = 0; i < j.unknowns.len; i++) {
        dd_map_put(&place, j.unknowns.data[i], i + 1);
    }
    /* constraints left over that contain unknowns */
    for (uint32_t i = 0; i < s->reduced.invariants.len; i++) {
        dd_constraint_row c = s->reduced.invariants.data[i];
        if (w->assigning[c.eq]) {
            continue;
        }
        c.expr = dd_equations_put(w, dd_equations_damped(w, &c));
        if (block_of_row(&j, &place, c.expr) != DD_NO_INDEX) {
            dd_vec_push(w->scratch, &spare, c);
            dd_vec_push(w->scratch, &invariant, i);
        }
    }
    if (spare.len == 0 || !find_blocks(&j)) {
        return;
    }
    w->joined = dd_pool_alloc_array(w->scratch, (size_t)s->reduced.invariants.len + 1, sizeof *w->joined);
    for (uint32_t i = 0; i < spare.len; i++) {
        join(&j, invariant.data[i], &spare.data[i]);
    }
}
