/* closed_form.c - the block-triangular form of rows of index 1, solved symbolically: a block with one, two or three
 * unknowns that it is linear in determines them by Cramer's rule. The determinant of a block cannot vanish where the
 * index is 1: the rows as a whole are regular there. */
#include "structure/closed_form.h"

#include "structure/row_blocks.h"

enum { MOST_COUPLED = DD_ROW_BLOCKS_COUPLED };

typedef struct work {
    const dd_system *s;
    const dd_expr *rows, *unknowns;
    dd_expr *value;
    dd_pool *scratch;
    dd_row_blocks blocks;
} work;

/* Blocks that the wanted unknowns need, from the last to the first. */
static bool *needed_blocks(work *w, const bool *wanted)
{
    bool *open = dd_pool_alloc_array(w->scratch, w->blocks.n + 1, sizeof *open);
    bool *needed = dd_pool_alloc_array(w->scratch, w->blocks.count + 1, sizeof *needed);
    for (uint32_t i = 0; i < w->blocks.n; i++) {
        open[i] = wanted[i];
    }
    for (uint32_t b = w->blocks.count; b-- > 0;) {
        for (uint32_t p = w->blocks.first[b]; p < w->blocks.first[b + 1]; p++) {
            needed[b] = needed[b] || open[w->blocks.col_perm[p]];
        }
        /* the unknowns in its rows belong to this block or to earlier ones */
        for (uint32_t p = w->blocks.first[b]; needed[b] && p < w->blocks.first[b + 1]; p++) {
            for (uint32_t e = w->blocks.ptr[w->blocks.row_perm[p]]; e < w->blocks.ptr[w->blocks.row_perm[p] + 1]; e++) {
                open[w->blocks.idx[e]] = true;
            }
        }
    }
    return needed;
}

static dd_expr known_value(void *user, dd_expr symbol)
{
    const work *w = user;
    uint32_t at = (uint32_t)dd_map_get(&w->blocks.place, symbol);
    return at > 0 ? w->value[at - 1] : DD_EXPR_NONE;
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
        symbol[i] = w->unknowns[w->blocks.col_perm[first + i]];
    }
    /* a_i y + rest_i = 0 with earlier blocks put in; an unknown of an earlier block without a formula ends it */
    for (uint32_t i = 0; i < k; i++) {
        uint32_t row = w->blocks.row_perm[first + i], open = 0;
        for (uint32_t e = w->blocks.ptr[row]; e < w->blocks.ptr[row + 1]; e++) {
            open += w->value[w->blocks.idx[e]] == DD_EXPR_NONE;
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
    dd_expr det = dd_row_blocks_determinant(dag, k, a);
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
        value[j] = dd_neg(dag, dd_div(dag, dd_row_blocks_determinant(dag, k, b), det));
    }
    /* only now, so that the rows of this block were read without them */
    for (uint32_t j = 0; j < k; j++) {
        w->value[w->blocks.col_perm[first + j]] = value[j];
    }
    return true;
}

void dd_closed_forms(const dd_system *s, const dd_expr *rows, const dd_expr *unknowns, uint32_t n, const bool *wanted,
                     dd_expr *value, dd_pool *scratch)
{
    work w = {.s = s, .rows = rows, .unknowns = unknowns, .value = value, .scratch = dd_pool_child(scratch)};
    for (uint32_t i = 0; i < n; i++) {
        value[i] = DD_EXPR_NONE;
    }
    if (dd_row_blocks_find(&w.blocks, s, rows, unknowns, n, w.scratch)) {
        const bool *needed = needed_blocks(&w, wanted);
        for (uint32_t b = 0; b < w.blocks.count; b++) {
            dd_check_stop(s->ctx);
            if (needed[b]) {
                solve_block(&w, w.blocks.first[b], w.blocks.first[b + 1] - w.blocks.first[b]);
            }
        }
    }
    dd_pool_free(w.scratch);
}
