/* guess_consistent.h - points of a guess that the model can pass through.
 *
 * At a time, x is moved to the nearest point on the invariants of the reduced system (in units of the expected
 * sizes), and z follows from x and u by Newton on 0 = g. Only z that enter everything linearly (forces of
 * constraints) stay as guessed, zero for most: the solver finds them in one step from anywhere, and the forces of
 * a guessed motion under guessed controls, which fit each other badly, hold the iterates back (an upright pendulum
 * takes two to five times as many iterations from them). The same equations serve guesses by simulation.
 */
#ifndef DD_OCP_GUESS_CONSISTENT_H
#define DD_OCP_GUESS_CONSISTENT_H

#include "ocp/guess_table.h"

typedef struct dd_consistent dd_consistent;

/* Compiles. *out is set at once, so that what was made can be freed when this raises. */
void dd_consistent_new(dd_consistent **out, dd_ocp_problem *o, dd_pool *pool);
void dd_consistent_free(dd_consistent *c); /* NULL is fine */

/* Improves x and z at time t; u is known. False where that fails: x is then as it was, or z is. */
bool dd_consistent_point(dd_consistent *c, double t, double *x, double *z, const double *u);

/* Integrates from the start under the controls of a guess, into a table over the whole horizon. NULL where it
 * stops before the end, with a message of the problem unless quiet. Raises. */
dd_guess_table *dd_consistent_simulate(dd_consistent *c, const dd_guess *controls, bool quiet, dd_pool *pool);

#endif
