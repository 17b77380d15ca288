/* dm.h - coarse Dulmage-Mendelsohn decomposition: which rows are too many, which columns are not determined.
 *
 *                 under cols   square cols   over cols
 *   under rows  [     *             *            *     ]   more columns than rows: columns lack equations
 *   square rows [                   *            *     ]   as many rows as columns, perfectly matched
 *   over rows   [                                *     ]   more rows than columns: rows too many
 *
 * The labels do not depend on the matching used (Dulmage and Mendelsohn 1958; Pothen and Fan 1990).
 */
#ifndef DD_GRAPH_DM_H
#define DD_GRAPH_DM_H

#include "graph/pattern.h"

typedef enum dd_dm_part { DD_DM_OVER, DD_DM_SQUARE, DD_DM_UNDER, DD_DM_PARTS } dd_dm_part;

typedef struct dd_dm_info {
    uint32_t rows[DD_DM_PARTS], cols[DD_DM_PARTS]; /* how many rows and columns each part has */
    uint32_t over_components, under_components;
} dd_dm_info;

/* The part and the component of each row and column.
 *   row_part   nrows, col_part ncols: a dd_dm_part each
 *   row_component  nrows, col_component ncols (both NULL when not wanted): connected component inside the
 *              over-determined part, 0 .. over_components-1, or inside the under-determined part,
 *              over_components .. over_components+under_components-1; DD_NO_INDEX in the square part. Each component
 *              is one defect by itself: an over component has more rows than columns, an under component more columns
 *              than rows. An empty row is an over component alone, an empty column an under component alone.
 *              Numbered by lowest row (over) and lowest column (under). */
typedef struct dd_dm_labels {
    uint8_t *row_part, *col_part;
    uint32_t *row_component, *col_component;
} dd_dm_labels;

/* Decomposes with a maximum matching (dd_graph_match).
 *   row_match  nrows, col_match ncols: the matching
 *   labels     arrays of the caller, filled here
 * O(nrows + ncols + nnz). */
dd_status dd_graph_dm(dd_dm_info *out, dd_context *ctx, const dd_pattern *a, const uint32_t *row_match,
                      const uint32_t *col_match, const dd_dm_labels *labels);

#endif
