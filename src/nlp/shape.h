/* shape.h - where the variables and rows of a program are on a chain of intervals.
 *
 * Programs of optimal control are chains: interval k lies between node k and node k + 1, and what is inside an interval
 * meets only its own inside, its two nodes and the border. A solver that knows this condenses every interval by itself
 * and then walks along the nodes (chain.h).
 *
 *     node 0 --- inside 0 --- node 1 --- inside 1 --- ... --- inside N-1 --- node N          border: meets everything
 *
 * A variable or row inside interval k may meet (in a row, in an entry of the Hessian) only variables inside k, of node k,
 * of node k + 1 and of the border; one of node k only those inside k - 1 and k, and of nodes k - 1, k and k + 1. Rows of
 * the border may meet anything: periodic conditions, integrals, links over more than one interval. Variables of the
 * border: parameters, free times.
 *
 * `determines` pairs equality rows with variables: the collocation rows inside an interval with its states and
 * algebraic variables (their square matrix is regular for a system of index 1), the continuity rows, which are rows of
 * interval k as well, with the states at node k + 1 (coefficient not zero, each such variable in no other row that is
 * paired with a variable of that node).
 */
#ifndef DD_NLP_SHAPE_H
#define DD_NLP_SHAPE_H

#include <stdint.h>

#define DD_PLACE_BORDER UINT32_MAX
#define DD_PLACE_NODE(k) (2 * (k))
#define DD_PLACE_INSIDE(k) (2 * (k) + 1)
#define DD_DETERMINES_NONE UINT32_MAX

typedef struct dd_nlp_shape {
    uint32_t intervals;             /* N */
    const uint32_t *variable_place; /* n */
    const uint32_t *row_place;      /* m */
    const uint32_t *determines;     /* m: a variable, or DD_DETERMINES_NONE */
} dd_nlp_shape;

#endif
