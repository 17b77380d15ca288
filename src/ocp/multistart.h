/* multistart.h - the first solve from a guess: on the mesh, by way of a coarse mesh, or from what else may help. */
#ifndef DD_OCP_MULTISTART_H
#define DD_OCP_MULTISTART_H

#include "ocp/ocp_impl.h"

enum { DD_FIRST_TRY = 400 }; /* iterations of a solve after which others begin elsewhere */

/* Solves on the mesh, from p->guess.
 *
 * With options.coarse, or when the solve from the guess fails, a mesh with a fifth of the intervals is solved
 * first and its solution is the guess of the full one; after a failure states go straight to their end values
 * there, then a simulated motion (motion.h), longer horizons and guesses beside the first are tried. p->tried
 * lists them. A solution that the model does not follow is treated as a failure. Raises. */
void dd_ocp_solve_from_guess(dd_ocp *p, const dd_mesh *mesh);
/* A note: how the solve from the given guess ended, how the solution was found instead, and that there may be others.
 * Raises. */
void dd_ocp_say_found(dd_ocp *p, const char *ended, const char *how);
/* Solved, by states that the model follows and that do not step over a constraint. Raises. */
bool dd_ocp_is_real(dd_ocp *p);

#endif
