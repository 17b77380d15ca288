/* start_solve.c - the square system of all rows f_i^(k), k <= c_i, and conditions.
 *
 * Held values leave as many unknowns x_j^(m) as rows. The block-triangular form of their pattern is solved in order
 * (start_block.c).
 */
#include <string.h>

#include "graph/match.h"
#include "graph/scc.h"
#include "init/start_impl.h"

/* ---- the square pattern ---- */

static void number_unknowns(start_work *w, start_square *q)
{
    const dd_system *s = w->s;
    uint32_t count = 0, total = w->shape.total;
    q->number = dd_pool_alloc_array(w->scratch, total + 1, sizeof *q->number);
    q->col = dd_pool_alloc_array(w->scratch, total + 1, sizeof *q->col);
    q->power = dd_pool_alloc_array(w->scratch, total + 1, sizeof *q->power);
    /* numbers without gaps for the values not held */
    for (uint32_t j = 0; j < s->ncols; j++) {
        for (uint32_t u = w->shape.offset[j]; u < w->shape.offset[j + 1]; u++) {
            bool held = u == w->shape.offset[j] && w->held[j];
            q->number[u] = held ? DD_NO_INDEX : count;
            if (!held) {
                q->col[count] = j;
                q->power[count++] = u - w->shape.offset[j];
            }
        }
    }
    q->n = count;
}

static void add_pattern_row(start_work *w, start_square *q, uint32_t at, uint32_t i, uint32_t k)
{
    const start_rows *r = &w->rows;
    q->row[at] = i;
    q->order[at] = k;
    /* all x_j^(m) that the k-th derivative of the row contains */
    for (uint32_t e = r->inc.ptr[i]; e < r->inc.ptr[i + 1]; e++) {
        uint32_t first = w->shape.offset[r->inc.idx[e]], known = w->shape.offset[r->inc.idx[e] + 1] - first;
        for (uint32_t m = 0; m <= k + 1 && m < known; m++) {
            if (dd_start_meets(r, e, k, m) && q->number[first + m] != DD_NO_INDEX) {
                dd_vec_push(w->scratch, &q->idx, q->number[first + m]);
            }
        }
    }
    q->ptr[at + 1] = q->idx.len;
}

/* False when there are not as many rows as unknowns. */
static bool build_square(start_work *w, const start_choice *choice, start_square *q)
{
    uint32_t rows = 0, fixed = w->conditions.len - (w->rows.eqs.len - w->rows.n), at = 0;
    number_unknowns(w, q);
    /* every derivative up to c_i of an equation, and initial equations that count */
    for (uint32_t i = 0; i < w->rows.eqs.len; i++) {
        rows += i < w->rows.n ? dd_start_row_order(w, i) + 1 : choice->dependent[fixed + i - w->rows.n] ? 0 : 1;
    }
    q->row = dd_pool_alloc_array(w->scratch, rows + 1, sizeof *q->row);
    q->order = dd_pool_alloc_array(w->scratch, rows + 1, sizeof *q->order);
    q->ptr = dd_pool_alloc_array(w->scratch, rows + 2, sizeof *q->ptr);
    for (uint32_t i = 0; i < w->rows.eqs.len; i++) {
        if (i >= w->rows.n && choice->dependent[fixed + i - w->rows.n]) {
            continue;
        }
        for (uint32_t k = 0; k <= dd_start_row_order(w, i); k++) {
            add_pattern_row(w, q, at++, i, k);
        }
    }
    return rows == q->n;
}

/* The block-triangular form; false without a perfect matching. */
static bool find_blocks(start_work *w, start_square *q)
{
    /* a perfect matching, then strong components: blocks that are solved one after the other */
    uint32_t size = 0, n = q->n;
    dd_pattern pattern = {n, n, q->ptr, q->idx.data};
    uint32_t *row_match = dd_pool_alloc_array(w->scratch, n + 1, sizeof *row_match);
    uint32_t *col_match = dd_pool_alloc_array(w->scratch, n + 1, sizeof *col_match);
    dd_system_must(w->s, dd_graph_match(&size, w->s->ctx, &pattern, NULL, false, row_match, col_match),
                   "matching initial equations");
    if (size < n) {
        return false;
    }
    q->row_perm = dd_pool_alloc_array(w->scratch, n + 1, sizeof *q->row_perm);
    q->col_perm = dd_pool_alloc_array(w->scratch, n + 1, sizeof *q->col_perm);
    q->block = dd_pool_alloc_array(w->scratch, n + 2, sizeof *q->block);
    dd_system_must(w->s, dd_graph_btf(&q->blocks, w->s->ctx, &pattern, row_match, q->row_perm, q->col_perm, q->block),
                   "ordering initial equations");
    return true;
}

/* ---- all blocks ---- */

static bool solve_in_order(start_work *w, const start_square *q)
{
    uint32_t *local_of = dd_pool_alloc_array(w->scratch, q->n + 1, sizeof *local_of);
    memset(local_of, 0xff, (q->n + 1) * sizeof *local_of);
    w->out->blocks = q->blocks;
    /* earlier blocks are constants of later ones */
    for (uint32_t i = 0; i < q->blocks; i++) {
        uint32_t n = q->block[i + 1] - q->block[i];
        dd_check_stop(w->s->ctx);
        w->out->largest_block = n > w->out->largest_block ? n : w->out->largest_block;
        if (!dd_start_solve_block(w, q, q->block[i], n, local_of)) {
            return false;
        }
    }
    return true;
}

bool dd_start_solve(start_work *w, const start_choice *choice)
{
    start_square q = {0};
    /* from the guess, with held values in place */
    memcpy(w->x, w->guess, (size_t)w->s->ncols * w->stride * sizeof *w->x);
    for (uint32_t j = 0; j < w->s->ncols; j++) {
        if (w->held[j]) {
            w->x[(size_t)j * w->stride] = w->value[j];
        }
    }
    if (!build_square(w, choice, &q) || !find_blocks(w, &q)) {
        return dd_start_refuse(w, "the equations and the initial conditions together are singular at the start values");
    }
    return solve_in_order(w, &q);
}
