/* several.h - several starts (options.multistart = N).
 *
 * The run from the given guess is the same as without the option, from its first solve to its verdict. After it another
 * run, with a problem of its own, solves from N - 1 perturbed guesses (perturbed.h) on the first mesh. The best of these
 * solutions, where it is better than what the first run found on that mesh, is brought to its verdict in the same way, and
 * the better end is the answer: what is lowest on a first mesh need not be on the last one, and the guess that was given
 * may have needed more than one solve. So several starts are never worse than one.
 */
#ifndef DD_OCP_SEVERAL_H
#define DD_OCP_SEVERAL_H

#include "ocp/ocp_impl.h"

/* The first solution of a run: from the given guess, or, in a run of other starts, the best of theirs. Raises. */
void dd_ocp_first_solve(dd_ocp *p, const dd_mesh *mesh);
/* After it, in the run from the given guess: its solution is one of the optima. Raises. */
void dd_ocp_note_first(dd_ocp *p);
/* In a run of other starts: is the best of them worth the rest of the run? */
bool dd_ocp_others_go_on(dd_ocp *p);
/* Has p, a run from the given guess, asked for others, and can they help? */
bool dd_ocp_wants_others(const dd_ocp *p);
/* The run of other starts is over, or was stopped with this status: the better of the two is *p, with the time and the
 * iterations of both; *others is to be freed. Raises. */
void dd_ocp_take_better(dd_ocp *p, dd_ocp *others, dd_status ended);

#endif
