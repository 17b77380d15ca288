/* colour.h - column colouring of a sparse Jacobian for compressed evaluation. */
#ifndef DD_GRAPH_COLOUR_H
#define DD_GRAPH_COLOUR_H

#include "graph/pattern.h"

/* Colours columns so that two columns with an entry in a common row differ (distance-2, Curtis-Powell-Reid): the
 * Jacobian times one 0/1 vector per colour then holds every entry unmixed.
 *   count   receives the number of colours
 *   colour  ncols: 0 .. count-1 (an empty column gets colour 0)
 * Greedy, columns in order of decreasing number of neighbours' entries, ties by index. Work: sum of squared row
 * lengths. */
dd_status dd_graph_colour(uint32_t *count, dd_context *ctx, const dd_pattern *a, uint32_t *colour);

#endif
