/* leave_out.h - constraints that repeat others (repeated.h) are left out, and the program is solved again without
 * them.
 *
 * Looked for where a solver stalls (all constraints nearly hold, and yet multipliers or what it adds to the
 * Hessian grow beyond measure, or it restores feasibility again and again), where it ends short of an optimum,
 * where there are more equations than variables, and at a solution. What was left out must hold at the solution
 * without it, as far as the mesh can show; otherwise it is a constraint again and everything is as before.
 */
#ifndef DD_OCP_LEAVE_OUT_H
#define DD_OCP_LEAVE_OUT_H

#include "ocp/ocp_impl.h"

/* From the solver's progress: true when rows were found that repeat others, so that the solve may end, and after a
 * failure, which is p->look_failed then. Does not raise. */
bool dd_ocp_stalls_on_rows(dd_ocp *p, const dd_nlp_iteration *it);
/* After a solve of the present transcription that ended as it did; run solves it once more from result.x. Raises. */
void dd_ocp_solve_without_repeated(dd_ocp *p, void (*run)(dd_ocp *p, void *user), void *user);
/* The same at a solution, which stays as it is when nothing repeats. Raises. */
void dd_ocp_compare_at_solution(dd_ocp *p);

#endif
