/* scc.h - strongly connected components and the block-triangular form. */
#ifndef DD_GRAPH_SCC_H
#define DD_GRAPH_SCC_H

#include "graph/pattern.h"

/* Strongly connected components of the directed graph with arcs i -> idx (nrows == ncols required, otherwise
 * DD_INVALID_ARGUMENT).
 *   count      receives the number of components
 *   component  nrows: the component of each node. An arc i -> k between different components has
 *              component[i] > component[k]: the targets of a node are numbered before the node.
 * Tarjan (1972) with an explicit stack, O(n + nnz). */
dd_status dd_graph_scc(uint32_t *count, dd_context *ctx, const dd_pattern *g, uint32_t *component);

/* Block-triangular form in evaluation order of a square pattern with a perfect matching.
 *   count      receives the number of blocks
 *   row_match  nrows: column of each row, a perfect matching (otherwise DD_INVALID_ARGUMENT)
 *   row_perm   nrows, col_perm  nrows: position k holds row row_perm[k] and its matched column col_perm[k]
 *   block_ptr  nrows+1 (count+1 used): block b is the positions block_ptr[b] .. block_ptr[b+1]-1
 * A row of block b has entries only in columns of blocks 0..b, so solving block after block determines all columns.
 * Inside a block the rows ascend. A block of size > 1 is an algebraic loop. */
dd_status dd_graph_btf(uint32_t *count, dd_context *ctx, const dd_pattern *a, const uint32_t *row_match,
                       uint32_t *row_perm, uint32_t *col_perm, uint32_t *block_ptr);

#endif
