/* regular.c - regularity of a square matrix block by block: a matching and the block-triangular form of graph (both
 * near linear, unlike the search inside KLU), then one factorisation for each diagonal block. Entries outside the
 * diagonal blocks do not matter for regularity.
 */
#include "la/regular.h"

#include <math.h>

#include "graph/match.h"
#include "graph/scc.h"
#include "la/linsolver.h"

enum { DENSE_BLOCK = 16 };

typedef struct tester {
    dd_context *ctx;
    const dd_csc *a;
    uint32_t *column, *row; /* at each position of the block-triangular form */
    uint32_t *block_ptr;
    uint32_t *position; /* of each row */
    uint32_t blocks;
} tester;

/* Matching and blocks of the columns; perfect: whether there are any. */
static dd_status find_blocks(tester *t, uint32_t *match, uint32_t *other, bool *perfect)
{
    uint32_t n = t->a->ncols, size;
    dd_pattern p = {.nrows = n, .ncols = n, .ptr = t->a->ptr, .idx = t->a->idx};
    /* a perfect matching is necessary; without it the matrix is structurally singular */
    dd_status st = dd_graph_match(&size, t->ctx, &p, NULL, false, match, other);
    *perfect = st == DD_OK && size == n;
    if (*perfect) {
        /* the pattern is that of A^T, so rows of the form are columns of A */
        st = dd_graph_btf(&t->blocks, t->ctx, &p, match, t->column, t->row, t->block_ptr);
        for (uint32_t k = 0; k < n && st == DD_OK; k++) {
            t->position[t->row[k]] = k;
        }
    }
    return st;
}

/* The diagonal block between positions first and last, with its matched entries on the diagonal. */
static dd_status extract_block(const tester *t, uint32_t first, uint32_t last, dd_csc *out)
{
    /* room for all entries of the columns, although those outside the block are dropped */
    uint32_t nnz = 0, at = 0;
    for (uint32_t k = first; k < last; k++) {
        nnz += t->a->ptr[t->column[k] + 1] - t->a->ptr[t->column[k]];
    }
    dd_status st = dd_csc_new(out, t->ctx, last - first, last - first, nnz);
    for (uint32_t k = first; k < last && st == DD_OK; k++) {
        for (uint32_t e = t->a->ptr[t->column[k]]; e < t->a->ptr[t->column[k] + 1]; e++) {
            uint32_t p = t->position[t->a->idx[e]];
            if (p >= first && p < last) {
                out->idx[at] = p - first;
                out->val[at++] = t->a->val[e];
            }
        }
        out->ptr[k - first + 1] = at;
    }
    return st;
}

static dd_status test_block(const tester *t, uint32_t first, uint32_t last, double *rcond, uint64_t *fill)
{
    dd_csc block = {0};
    dd_linsolver *solver = NULL;
    dd_status st = extract_block(t, first, last, &block);
    /* a 1 x 1 block: its size, with A scaled to entries near 1 */
    if (st == DD_OK && last - first == 1) {
        *rcond = fmin(1, fabs(block.val[0]));
        *fill += 1;
    } else if (st == DD_OK) {
        /* LAPACK is quicker on a small block; the block is irreducible, so KLU need not look for blocks */
        st = dd_linsolver_new(&solver, t->ctx, last - first <= DENSE_BLOCK ? "dense" : "klu");
        if (st == DD_OK) {
            dd_linsolver_set_one_block(solver);
            st = dd_linsolver_analyse(solver, &block);
        }
        st = st == DD_OK ? dd_linsolver_factor(solver, &block) : st;
        if (st == DD_OK) {
            dd_linsolver_info info = dd_linsolver_get_info(solver);
            *rcond = info.singular ? 0 : info.rcond;
            *fill += info.fill;
        }
    }
    dd_linsolver_free(solver);
    dd_csc_free(t->ctx, &block);
    return st;
}

dd_status dd_regular_test(dd_regular *out, dd_context *ctx, const dd_csc *a, double limit)
{
    uint32_t n = a->ncols;
    dd_work w = {.ctx = ctx};
    tester t = {.ctx = ctx, .a = a};
    uint32_t *match = dd_work_array(&w, n, sizeof *match);
    uint32_t *other = dd_work_array(&w, n, sizeof *other);
    t.column = dd_work_array(&w, n, sizeof *t.column);
    t.row = dd_work_array(&w, n, sizeof *t.row);
    t.block_ptr = dd_work_array(&w, (size_t)n + 1, sizeof *t.block_ptr);
    t.position = dd_work_array(&w, n, sizeof *t.position);
    bool perfect = false;
    dd_status st = w.failed ? DD_OUT_OF_MEMORY : find_blocks(&t, match, other, &perfect);
    *out = (dd_regular){.rcond = perfect ? 1 : 0};
    /* det A is the product of the determinants of the blocks: one singular block is enough to stop */
    for (uint32_t b = 0; b < t.blocks && st == DD_OK && out->rcond >= limit; b++) {
        double rcond = 0;
        st = test_block(&t, t.block_ptr[b], t.block_ptr[b + 1], &rcond, &out->fill);
        out->rcond = fmin(out->rcond, rcond);
    }
    dd_work_free(&w);
    return st;
}
