/* estimate.h - how accurate a transcribed solution is: the dynamics once more, by the production integrator, under
 * the optimal control. From each x_k over its interval: the error that the transcription made there. From the
 * start over the whole horizon: the difference that a simulation will show.
 *
 * Differences of states are scaled by max(nominal, max|x|). The two integrations raise when asked to stop.
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

/* Of each interval. */
typedef struct dd_replay_error {
    double *size;    /* at its end, from x_k; INFINITY where the integration failed */
    uint32_t *state; /* the one that differs most; DD_NO_INDEX: it failed */
} dd_replay_error;
/* Fills the n entries of both; the largest size. */
double dd_replay_intervals(dd_replay *r, dd_replay_error *error);

/* The largest difference at any interval boundary of a simulation from x_0; INFINITY when it failed. until:
 * how far it came, 0 to 1. */
double dd_replay_all(dd_replay *r, double *until);

/* The scale of differences of state i. */
double dd_replay_scale(const dd_replay *r, uint32_t i);

#endif
