/* boundary.h - rows at the ends and at interior times: which of them the invariants already imply.
 *
 * Invariants c(x, p, t) = 0 of a reduced DAE are imposed once and then hold at every time by themselves. A row such as
 * p[3](finalTime) = 1 for a rod of length 1 may follow from them and from the other rows; imposed again it makes the
 * program degenerate. All equality rows in states are ranked together with the gradients of the invariants at each
 * instant, at a set of states projected onto both (at a raw guess the rank is wrong). Rows that add nothing are dropped
 * and kept as loose guards, so that the branch they ask for is kept; rows that contradict the others are an error.
 */
#ifndef DD_OCP_BOUNDARY_H
#define DD_OCP_BOUNDARY_H

#include "ocp/problem.h"

/* Adds rows for the conditions of the start and for the invariants to o->points where the start is not known, then ranks
 * all of them near the given states: guess(user, theta, x) fills x. at_end: invariants are imposed at the end. Sets
 * o->reason and o->infeasible when rows contradict each other. Raises. */
void dd_ocp_boundary(dd_ocp_problem *o, void (*guess)(void *user, double theta, double *x), void *user, bool at_end);

#endif
