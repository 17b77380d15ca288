/* explain_rank.c - the rank of dF/dx' after k differentiations, from numbers at the consistent point.
 *
 * The system then has, for every row, its newest constraint c(x) = 0 that fewer than k differentiations have shown, as
 * dc/dt = 0, or else the row as it is. The derivative of dc/dt by x' is dc/dx.
 */
#include <math.h>

#include "la/rank_sparse.h"
#include "structure/explain.h"
#include "structure/numeric.h"

enum { MOST_ROWS = 1000 }; /* a rank that is only shown must not cost more than the analysis */

uint32_t dd_explain_order(const dd_system *s, uint32_t order)
{
    return s->index > 0 && order + 1 > (uint32_t)s->index ? (uint32_t)s->index - 1 : order;
}

typedef struct ranking {
    const dd_system *s;
    dd_pool *scratch;
    const dd_constraint_row **newest; /* per row: NULL where it is no constraint yet */
    dd_index_vec row, col;
    dd_expr_vec entry;
} ranking;

static void take_newest(ranking *k, const dd_constraint_row_vec *list, uint32_t differentiations)
{
    for (uint32_t i = 0; i < list->len; i++) {
        const dd_constraint_row *c = &list->data[i], *before = k->newest[c->eq];
        if (dd_explain_order(k->s, c->order) < differentiations && (!before || c->level > before->level)) {
            k->newest[c->eq] = c;
        }
    }
}

/* Entries of a row: derivatives of a constraint by x, of any other row by x'. False where a constraint still contains
 * derivatives. */
static bool add_row(ranking *k, uint32_t i)
{
    const dd_system *s = k->s;
    dd_dag *dag = s->model->dag;
    const dd_constraint_row *c = k->newest[i];
    const dd_expr e = c ? c->expr : s->eqs.data[i].residual;
    if (c && dd_system_has_rates(s, e, k->scratch)) {
        return false;
    }
    dd_expr_vec symbols = {0}, partials = {0};
    dd_partials(dag, e, false, &symbols, &partials, k->scratch);
    for (uint32_t q = 0; q < symbols.len; q++) {
        const uint32_t col = s->column[dd_symbol_id(dag, symbols.data[q])];
        if (col != DD_NO_INDEX && dd_symbol_order(dag, symbols.data[q]) == (c ? 0u : 1u)) {
            dd_vec_push(k->scratch, &k->row, i);
            dd_vec_push(k->scratch, &k->col, col);
            dd_vec_push(k->scratch, &k->entry, partials.data[q]);
        }
    }
    dd_vec_free(k->scratch, &symbols);
    dd_vec_free(k->scratch, &partials);
    return true;
}

/* All entries in one evaluation; the rank with rows scaled by the size of what they are computed from. */
static uint32_t rank_of(ranking *k)
{
    const dd_system *s = k->s;
    const uint32_t n = k->entry.len;
    double *value = dd_pool_alloc_array(k->scratch, 2 * (size_t)n + 2, sizeof *value), *size = value + n + 1;
    double *magnitude = dd_pool_alloc_array(k->scratch, s->inc.n + 1, sizeof *magnitude);
    const dd_numeric_place at = {s->point.x, s->point.order + 1, {dd_system_start_time(s), NULL, 0}};
    dd_numeric_values(s, k->entry.data, n, &at, value, size, k->scratch);
    /* rows are scaled by the largest terms that their entries are computed from */
    for (uint32_t e = 0; e < n; e++) {
        if (!isfinite(value[e])) {
            return DD_NO_INDEX;
        }
        magnitude[k->row.data[e]] = fmax(magnitude[k->row.data[e]], size[e]);
    }
    dd_rank_sparse_options options = dd_rank_sparse_options_default();
    options.space.tol = s->options.rank_tolerance;
    options.row_magnitude = magnitude;
    uint8_t *dependent = dd_pool_alloc_array(k->scratch, s->inc.n + 1, 1);
    dd_rowspace_info info = {0};
    dd_csc a = {0};
    const dd_triplets entries = {n, k->row.data, k->col.data, value};
    dd_status st = dd_csc_from_triplets(&a, s->ctx, s->inc.n, s->ncols, &entries, NULL);
    if (st == DD_OK) {
        st = dd_rank_sparse(&info, s->ctx, &a, &options, dependent, NULL, NULL, NULL);
    }
    dd_csc_free(s->ctx, &a);
    dd_system_must(s, st, "rank of derivatives");
    return info.rank;
}

uint32_t dd_explain_rank_after(const dd_explanation *x, uint32_t differentiations)
{
    const dd_system *s = x->s;
    if (!s->point.x || !s->point.consistent || s->inc.n > MOST_ROWS || s->ncols != s->declared) {
        return DD_NO_INDEX;
    }
    ranking k = {.s = s, .scratch = dd_pool_child(x->pool)};
    k.newest = dd_pool_alloc_array(k.scratch, s->inc.n + 1, sizeof *k.newest);
    take_newest(&k, &s->visible, differentiations);
    take_newest(&k, &s->hidden, differentiations);
    bool known = true;
    for (uint32_t i = 0; i < s->inc.n && known; i++) {
        known = add_row(&k, i);
    }
    const uint32_t rank = known ? rank_of(&k) : DD_NO_INDEX;
    dd_pool_free(k.scratch);
    return rank;
}
