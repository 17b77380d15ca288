/* match.h - maximum matching of rows with columns (transversal). */
#ifndef DD_GRAPH_MATCH_H
#define DD_GRAPH_MATCH_H

#include "graph/pattern.h"

/* Finds a maximum matching.
 *   size        receives the number of matched pairs (the structural rank)
 *   row_order   NULL, or a permutation of 0..nrows-1, most important row first. With it the set of matched rows is the
 *               lexicographically first one: a row is left unmatched only if it cannot be matched together with
 *               all matched rows before it. Without it which rows stay unmatched is unspecified (but deterministic).
 *   initial     true: row_match and col_match hold a valid matching to start from (extended or changed as needed);
 *               false: their contents are ignored
 *   row_match   nrows: the column of row i, or DD_NO_INDEX
 *   col_match   ncols: the row of column j, or DD_NO_INDEX
 * Method: greedy start, Hopcroft-Karp phases (O(nnz sqrt(n)) worst case, near linear in practice); the row order
 * is then put right inside the over-determined part alone by single augmentations. */
dd_status dd_graph_match(uint32_t *size, dd_context *ctx, const dd_pattern *a, const uint32_t *row_order, bool initial,
                         uint32_t *row_match, uint32_t *col_match);

/* Extends a matching by the rows first, first + 1, ... in this order: a row is left unmatched only if it cannot be
 * matched together with all matched rows before it.
 *   row_match  nrows: a valid matching of some of the rows before `first` on entry; those stay matched
 *   col_match  ncols: the same by columns
 * One augmentation for each row; all that fail together cost one sweep. */
dd_status dd_graph_match_extend(uint32_t *size, dd_context *ctx, const dd_pattern *a, uint32_t first,
                                uint32_t *row_match, uint32_t *col_match);

#endif
