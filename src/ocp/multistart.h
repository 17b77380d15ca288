/* multistart.h - the first solve: from the guess, by way of a coarse mesh, or from several guesses. */
#ifndef DD_OCP_MULTISTART_H
#define DD_OCP_MULTISTART_H

#include "ocp/ocp_impl.h"

/* Solves on the mesh, from p->guess.
 *
 * With options.coarse, or when the solve from the guess fails, a mesh with a fifth of the intervals is solved
 * first and its solution is the guess of the full one; after a failure states go straight to their end values
 * there, then a simulated motion (motion.h), longer horizons and guesses beside the first are tried. p->tried
 * lists them. A solution that the model does not follow is treated as a failure. With options.multistart = N, N -
 * 1 more guesses are tried: smooth random changes of states and controls within their bounds, and of free
 * parameters and times. They are the same in every run. The distinct optima are in p->optima, the best one is the
 * solution. Raises. */
void dd_ocp_first_solve(dd_ocp *p, const dd_mesh *mesh);
/* The same from one guess, whatever the options say about several. Raises. */
void dd_ocp_solve_from_guess(dd_ocp *p, const dd_mesh *mesh);

#endif
