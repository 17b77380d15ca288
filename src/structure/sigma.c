/* sigma.c - Pryce's structural analysis: a transversal of highest value and the smallest offsets, for the whole system.
 *
 * Two sets of offsets: with d_j >= 0 for the reduction, with d_j >= 1 for the index (the largest c_i then counts the
 * differentiations after which every x' is determined, also those of algebraic variables).
 */
#include "graph/assign.h"
#include "structure/system.h"

/* More than this many differentiations of one row is a mistake in the model (or a test of this limit). */
static const uint32_t max_offset = 100000;

static uint32_t largest(const uint32_t *values, uint32_t n)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < n; i++) {
        most = values[i] > most ? values[i] : most;
    }
    return most;
}

dd_offsets dd_system_offsets(dd_system *s, const dd_incidence *inc, dd_pool *pool)
{
    uint32_t n = inc->n, ncols = inc->ncols;
    dd_pool *scratch = dd_pool_child(s->pool);
    dd_offsets off = {0};
    off.row_match = dd_pool_alloc_array(pool, n + 1, sizeof *off.row_match);
    off.col_match = dd_pool_alloc_array(pool, ncols + 1, sizeof *off.col_match);
    int64_t *row_dual = dd_pool_alloc_array(scratch, n + 1, sizeof *row_dual);
    int64_t *col_dual = dd_pool_alloc_array(scratch, ncols + 1, sizeof *col_dual);
    /* a transversal of highest value, max sum sigma_ij; its duals are feasible offsets, though not the smallest */
    dd_pattern pattern = {n, ncols, inc->ptr, inc->idx};
    dd_assign_info info;
    dd_system_must(
        s, dd_graph_assign(&info, s->ctx, &pattern, inc->sigma, off.row_match, off.col_match, row_dual, col_dual),
        "structural analysis");
    off.perfect = info.perfect;
    /* smallest c, d >= 0 with d_j - c_i >= sigma_ij and equality on the transversal; again with d_j >= 1 for the
     * index */
    if (info.perfect) {
        off.dof = info.value;
        off.c = dd_pool_alloc_array(pool, n + 1, sizeof *off.c);
        off.d = dd_pool_alloc_array(pool, n + 1, sizeof *off.d);
        off.c1 = dd_pool_alloc_array(pool, n + 1, sizeof *off.c1);
        uint32_t *ones = dd_pool_alloc_array(scratch, n + 1, sizeof *ones);
        uint32_t *d1 = dd_pool_alloc_array(scratch, n + 1, sizeof *d1);
        for (uint32_t j = 0; j < n; j++) {
            ones[j] = 1;
        }
        dd_system_must(s,
                       dd_graph_offsets(s->ctx, &pattern,
                                        &(dd_transversal){inc->sigma, off.row_match, row_dual, col_dual}, NULL,
                                        max_offset, off.c, off.d),
                       "structural analysis");
        dd_system_must(s,
                       dd_graph_offsets(s->ctx, &pattern,
                                        &(dd_transversal){inc->sigma, off.row_match, row_dual, col_dual}, ones,
                                        max_offset, off.c1, d1),
                       "structural analysis");
        off.max_c = largest(off.c, n);
        off.max_d = largest(off.d, n);
        off.max_c1 = largest(off.c1, n);
    }
    dd_pool_free(scratch);
    return off;
}
