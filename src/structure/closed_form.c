/* closed_form.c - the block-triangular form of rows of index 1, solved symbolically: a block with one, two or three
 * unknowns that it is linear in determines them by Cramer's rule. The determinant of a block cannot vanish where the
 * index is 1: the rows as a whole are regular there. */
#include "structure/closed_form.h"

#include "graph/match.h"
#include "graph/scc.h"

enum { MOST_COUPLED = 3 }; /* determinants of larger blocks cost more than solving them in numbers */

typedef struct work {
    const dd_system *s;
    const dd_expr *rows, *unknowns;
    uint32_t n;
    dd_expr *value;
    dd_pool *scratch;
    dd_map place;                                 /* unknown -> 1 + index */
    uint32_t *ptr, *idx;                          /* unknowns of each row */
    uint32_t count, *row_perm, *col_perm, *block; /* block-triangular form, in the order of evaluation */
} work;

static void find_pattern(work *w)
{
    dd_dag *dag = w->s->model->dag;
    DD_VEC(uint32_t) idx = {0};
    dd_expr_vec symbols = {0};
    w->place = dd_map_new(w->scratch);
    w->ptr = dd_pool_alloc_array(w->scratch, w->n + 1, sizeof *w->ptr);
    for (uint32_t i = 0; i < w->n; i++) {
        dd_map_put(&w->place, w->unknowns[i], i + 1);
    }
    /* unknowns of each row; other symbols are known */
    for (uint32_t i = 0; i < w->n; i++) {
        symbols.len = 0;
        dd_symbols(dag, w->rows[i], false, &symbols, w->scratch);
        for (uint32_t k = 0; k < symbols.len; k++) {
            uint32_t at = (uint32_t)dd_map_get(&w->place, symbols.data[k]);
            if (at > 0) {
                dd_vec_push(w->scratch, &idx, at - 1);
            }
        }
        w->ptr[i + 1] = idx.len;
    }
    w->idx = idx.data;
}

static bool find_blocks(work *w)
{
    uint32_t n = w->n, size;
    uint32_t *row_match = dd_pool_alloc_array(w->scratch, n + 1, sizeof *row_match);
    uint32_t *col_match = dd_pool_alloc_array(w->scratch, n + 1, sizeof *col_match);
    dd_pattern pattern = {n, n, w->ptr, w->idx};
    dd_system_must(w->s, dd_graph_match(&size, w->s->ctx, &pattern, NULL, false, row_match, col_match), "closed forms");
    /* no row for each unknown: nothing can be solved */
    if (size < n) {
        return false;
    }
    w->row_perm = dd_pool_alloc_array(w->scratch, n + 1, sizeof *w->row_perm);
    w->col_perm = dd_pool_alloc_array(w->scratch, n + 1, sizeof *w->col_perm);
    w->block = dd_pool_alloc_array(w->scratch, n + 2, sizeof *w->block);
    dd_system_must(w->s, dd_graph_btf(&w->count, w->s->ctx, &pattern, row_match, w->row_perm, w->col_perm, w->block),
                   "closed forms");
    return true;
}

/* Blocks that the wanted unknowns need, from the last to the first. */
static bool *needed_blocks(work *w, const bool *wanted)
{
    bool *open = dd_pool_alloc_array(w->scratch, w->n + 1, sizeof *open);
    bool *needed = dd_pool_alloc_array(w->scratch, w->count + 1, sizeof *needed);
    for (uint32_t i = 0; i < w->n; i++) {
        open[i] = wanted[i];
    }
    for (uint32_t b = w->count; b-- > 0;) {
        for (uint32_t p = w->block[b]; p < w->block[b + 1]; p++) {
            needed[b] = needed[b] || open[w->col_perm[p]];
        }
        /* the unknowns in its rows belong to this block or to earlier ones */
        for (uint32_t p = w->block[b]; needed[b] && p < w->block[b + 1]; p++) {
            for (uint32_t e = w->ptr[w->row_perm[p]]; e < w->ptr[w->row_perm[p] + 1]; e++) {
                open[w->idx[e]] = true;
            }
        }
    }
    return needed;
}

static dd_expr known_value(void *user, dd_expr symbol)
{
    const work *w = user;
    uint32_t at = (uint32_t)dd_map_get(&w->place, symbol);
    return at > 0 ? w->value[at - 1] : DD_EXPR_NONE;
}

static dd_expr minor_of(dd_dag *dag, dd_expr a, dd_expr d, dd_expr b, dd_expr c)
{
    return dd_sub(dag, dd_mul(dag, a, d), dd_mul(dag, b, c));
}

static dd_expr determinant(dd_dag *dag, uint32_t k, dd_expr a[MOST_COUPLED][MOST_COUPLED])
{
    if (k == 1) {
        return a[0][0];
    }
    if (k == 2) {
        return minor_of(dag, a[0][0], a[1][1], a[0][1], a[1][0]);
    }
    dd_expr sum = dd_rational(dag, 0, 1);
    for (uint32_t j = 0; j < 3; j++) { /* cyclic: no signs */
        uint32_t p = (j + 1) % 3, q = (j + 2) % 3;
        dd_expr rest = minor_of(dag, a[1][p], a[2][q], a[1][q], a[2][p]);
        sum = dd_add(dag, sum, dd_mul(dag, a[0][j], rest));
    }
    return sum;
}

/* Cramer's rule; false when the block is too large, not linear, or needs an unknown without a formula. */
static bool solve_block(work *w, uint32_t first, uint32_t k)
{
    dd_dag *dag = w->s->model->dag;
    dd_expr a[MOST_COUPLED][MOST_COUPLED], rest[MOST_COUPLED], symbol[MOST_COUPLED], value[MOST_COUPLED];
    if (k > MOST_COUPLED) {
        return false;
    }
    for (uint32_t i = 0; i < k; i++) {
        symbol[i] = w->unknowns[w->col_perm[first + i]];
    }
    /* a_i y + rest_i = 0 with earlier blocks put in; an unknown of an earlier block without a formula ends it */
    for (uint32_t i = 0; i < k; i++) {
        uint32_t row = w->row_perm[first + i], open = 0;
        for (uint32_t e = w->ptr[row]; e < w->ptr[row + 1]; e++) {
            open += w->value[w->idx[e]] == DD_EXPR_NONE;
        }
        dd_expr e = dd_substitute(dag, w->rows[row], known_value, w);
        if (open > k || !dd_linear(dag, e, symbol, k, a[i], &rest[i])) {
            return false;
        }
        for (uint32_t j = 0; j < k; j++) {
            open -= dd_depends(dag, w->rows[row], symbol[j]);
        }
        if (open > 0) {
            return false;
        }
    }
    /* y_j = -det(A with column j replaced by rest) / det A */
    dd_expr det = determinant(dag, k, a);
    if (dd_is_num(dag, det, 0)) {
        return false;
    }
    for (uint32_t j = 0; j < k; j++) {
        dd_expr b[MOST_COUPLED][MOST_COUPLED];
        for (uint32_t i = 0; i < k; i++) {
            for (uint32_t q = 0; q < k; q++) {
                b[i][q] = q == j ? rest[i] : a[i][q];
            }
        }
        value[j] = dd_neg(dag, dd_div(dag, determinant(dag, k, b), det));
    }
    /* only now, so that the rows of this block were read without them */
    for (uint32_t j = 0; j < k; j++) {
        w->value[w->col_perm[first + j]] = value[j];
    }
    return true;
}

void dd_closed_forms(const dd_system *s, const dd_expr *rows, const dd_expr *unknowns, uint32_t n, const bool *wanted,
                     dd_expr *value, dd_pool *scratch)
{
    work w = {.s = s, .rows = rows, .unknowns = unknowns, .n = n, .value = value, .scratch = dd_pool_child(scratch)};
    for (uint32_t i = 0; i < n; i++) {
        value[i] = DD_EXPR_NONE;
    }
    find_pattern(&w);
    if (find_blocks(&w)) {
        const bool *needed = needed_blocks(&w, wanted);
        for (uint32_t b = 0; b < w.count; b++) {
            dd_check_stop(s->ctx);
            if (needed[b]) {
                solve_block(&w, w.block[b], w.block[b + 1] - w.block[b]);
            }
        }
    }
    dd_pool_free(w.scratch);
}
