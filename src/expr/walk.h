/* walk.h - the nodes that some expressions consist of, in topological order, each once.
 *
 *   walk.nodes[0..n-1] increasing;  dd_walk_place(dag, &walk, walk.nodes[i]) == i
 *
 * Cost: the size of the expressions, never of the dag. Places are kept in arrays of the dag: a newer walk overwrites
 * them, and dd_walk_refresh brings them back. Nodes made after the walk have no place.
 */
#ifndef DD_EXPR_WALK_H
#define DD_EXPR_WALK_H

#include "expr/dag.h"

typedef struct dd_walk {
    dd_expr *nodes;
    uint32_t n, cap;
    uint32_t epoch;
} dd_walk;

#define DD_NO_PLACE UINT32_MAX

/* Walks from the roots to the leaves; nodes of index < lowest are left out (0: none). DD_EXPR_NONE roots are skipped.
 * */
dd_walk dd_walk_new(dd_dag *dag, const dd_expr *roots, uint32_t n_roots, dd_expr lowest);
/* The same in two halves, for those who mostly need no order: nodes[] in any order and without places, then ordered. */
dd_walk dd_walk_unordered(dd_dag *dag, const dd_expr *roots, uint32_t n_roots);
/* noEvent is a leaf: what it holds together is left out, unless it is a root or part of one. */
dd_walk dd_walk_held(dd_dag *dag, const dd_expr *roots, uint32_t n_roots);
void dd_walk_order(dd_dag *dag, dd_walk *walk);
void dd_walk_free(dd_dag *dag, dd_walk *walk);
void dd_walk_refresh(dd_dag *dag, dd_walk *walk); /* does nothing when no newer walk was made */

/* DD_NO_PLACE when e is not part of the walk. The walk must be the newest, or refreshed. */
uint32_t dd_walk_place(const dd_dag *dag, const dd_walk *walk, dd_expr e);

/* Is there anything that switches in these expressions: abs, sign, floor, ceil, min, max, mod, if? Without, what holds at
 * generic points holds everywhere. */
bool dd_has_switch(dd_dag *dag, const dd_expr *roots, uint32_t n);

#endif
