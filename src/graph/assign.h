/* assign.h - highest-value transversal of a Sigma matrix and the smallest offsets (Pryce, BIT 41, 2001).
 *
 * sigma_ij >= 0 is the highest derivative of variable j in equation i; entries that are not stored are -infinity.
 * Typical use:
 *     dd_graph_assign(&info, ctx, &pattern, sigma, row_match, col_match, row_dual, col_dual);
 *     if (!info.perfect) -> dd_graph_dm with the matching (it is a maximum one)
 *     dd_graph_offsets(ctx, &pattern, &(dd_transversal){sigma, row_match, row_dual, col_dual}, dmin, most, c, d);
 */
#ifndef DD_GRAPH_ASSIGN_H
#define DD_GRAPH_ASSIGN_H

#include "graph/pattern.h"

typedef struct dd_assign_info {
    bool perfect;    /* a perfect matching exists (nrows == ncols and structurally regular) */
    uint32_t size;   /* pairs in the returned matching: the structural rank */
    int64_t value;   /* perfect: sum of sigma over the transversal (the structural dof) */
    uint32_t phases; /* counter: shortest-path phases used */
} dd_assign_info;

/* Maximises sum sigma_ij over perfect matchings.
 *   a          the pattern
 *   sigma      a->ptr[nrows] values, in the order of a->idx, each 0 .. 2^20 (otherwise DD_INVALID_ARGUMENT)
 *   row_match  nrows, col_match ncols: the transversal; when not perfect, a maximum matching of the pattern instead
 *              (its value means nothing)
 *   row_dual   nrows, col_dual ncols: when perfect, integers with col_dual[j] - row_dual[i] >= sigma_ij for every
 *              entry and equality on the transversal (the proof of optimality); any sign
 * Method: from all free rows at once, shortest paths in reduced costs with a monotone radix heap, then a maximum
 * matching of the tight entries, repeated. */
dd_status dd_graph_assign(dd_assign_info *out, dd_context *ctx, const dd_pattern *a, const int32_t *sigma,
                          uint32_t *row_match, uint32_t *col_match, int64_t *row_dual, int64_t *col_dual);

/* A transversal with its proof, from dd_graph_assign with info.perfect. */
typedef struct dd_transversal {
    const int32_t *sigma;
    const uint32_t *row_match;
    const int64_t *row_dual, *col_dual;
} dd_transversal;

/* The smallest c >= 0 and d >= dmin with d_j - c_i >= sigma_ij everywhere and equality on the transversal. They are
 * unique, elementwise smallest and do not depend on which optimal transversal is used.
 *   t          the transversal (checked in O(nnz): duals that do not prove it optimal return DD_INVALID_ARGUMENT)
 *   dmin       ncols lower bounds >= 0, or NULL for all 0
 *   max_offset cap: DD_LIMIT when some c_i or d_j would exceed it (c and d are then unspecified)
 *   c          nrows, d ncols
 * Method: with the duals as potentials the fixed point d_j = max(dmin_j, max_i sigma_ij + c_i),
 * c_i = d_j(i) - sigma_i,j(i) is one shortest-path problem with non-negative lengths: O(nnz log) always, also when
 * offsets grow with n. */
dd_status dd_graph_offsets(dd_context *ctx, const dd_pattern *a, const dd_transversal *t, const uint32_t *dmin,
                           uint32_t max_offset, uint32_t *c, uint32_t *d);

#endif
