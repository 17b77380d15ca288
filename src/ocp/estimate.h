/* estimate.h - how accurate a transcribed solution is: the dynamics once more, by the production integrator, under the
 * optimal control. From each x_k over its own interval that gives the error that the transcription made there; from the
 * start over the whole horizon it says what a simulation will see.
 *
 * Differences of states are scaled by max(nominal, max|x|).
 */
#ifndef DD_OCP_ESTIMATE_H
#define DD_OCP_ESTIMATE_H

#include "ocp/transcription.h"

typedef struct dd_replay dd_replay;

/* Compiles x' = f, 0 = g for the integrator. Raises; memory that is not the pool's goes with dd_replay_free. */
dd_replay *dd_replay_new(dd_ocp_problem *o, dd_pool *pool);
void dd_replay_free(dd_replay *r); /* NULL is fine */

/* The solution y of t from now on; both must live as long as they are used. */
void dd_replay_use(dd_replay *r, const dd_transcription *t, const double *y);

/* error[k], n of them: at the end of interval k, from x_k; INFINITY where the integration failed. Returns the
 * largest. */
double dd_replay_intervals(dd_replay *r, double *error);

/* The largest difference at any interval boundary of a simulation from x_0; INFINITY when it failed on the way. */
double dd_replay_all(dd_replay *r);

#endif
