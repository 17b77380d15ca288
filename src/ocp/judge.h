/* judge.h - is the solution of the program a motion of the model? */
#ifndef DD_OCP_JUDGE_H
#define DD_OCP_JUDGE_H

#include "ocp/ocp_impl.h"

/* Estimates the error of every interval, refines the mesh (refine.h), simulates the result, and where the
 * simulation goes elsewhere solves on a mesh twice as fine. Then p->info has the worst interval, and the status is
 * `inaccurate`, with its reason, where
 *
 *   - the error of an interval is above DD_OCP_COARSE or not finite,
 *   - options.refine was not reached,
 *   - the simulation differs by more than DD_OCP_APART and the finer mesh does not confirm the solution.
 *
 * Where the finer mesh confirms it, p->info.note says that the motion is unstable. Raises. */
void dd_ocp_judge(dd_ocp *p);

#endif
