/* boundary.h - rows at the ends and at interior times: which of them the invariants already imply.
 *
 * Invariants c(x, p, t) = 0 of a reduced DAE are imposed once and then hold at every time by themselves. A row
 * such as p[3](finalTime) = 1 for a rod of length 1 may follow from them and from the other rows; imposed again it
 * makes the program degenerate. All equality rows in states are ranked together with the gradients of the
 * invariants at each instant, at a set of states projected onto both (at a raw guess the rank is wrong). Rows that
 * add nothing are dropped and kept as loose guards, so that the branch they ask for is kept; rows that contradict
 * the others are an error. A row that adds nothing at the point but does not follow from the others touches them
 * there: it stays, and is a trap.
 */
#ifndef DD_OCP_BOUNDARY_H
#define DD_OCP_BOUNDARY_H

#include "ocp/ranking.h"

/* Adds rows for the conditions of the start and for the invariants to o->points where the start is not known, then
 * ranks all of them near the given states. Sets o->reason and o->infeasible when rows contradict each other.
 * Raises. */
void dd_ocp_boundary(dd_ocp_problem *o, const dd_ranking_values *guess, dd_consistency where);

/* Ranks again at the given states, those of a solution. True when other rows are kept now: the problem is another
 * one, and has to be solved again. Raises. */
bool dd_ocp_boundary_again(dd_ocp_problem *o, const dd_ranking_values *solution, dd_consistency where);

#define DD_OCP_NO_VALUE 1e-9 /* rows whose terms are below this have the size of their changes */
#define DD_OCP_GUARD 0.25    /* a row that was left out may be off by this, relative to its size */
/* Guards on both sides of all rows that were left out. */
void dd_ocp_close_guards(dd_ocp_problem *o);

/* "p*p - L^2 = 0", or "the derivative of p*p - L^2 = 0: p*v = 0". */
const char *dd_ocp_invariant_words(dd_ocp_problem *o, uint32_t which);

#endif
