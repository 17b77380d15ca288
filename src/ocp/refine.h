/* refine.h - the error of a solution, and better meshes until it is small enough. */
#ifndef DD_OCP_REFINE_H
#define DD_OCP_REFINE_H

#include "ocp/ocp_impl.h"

/* Estimates the error of the solution; with options.refine, solves on finer meshes until the error and the change of the
 * objective are below it, or a limit is reached (then a message says so). Raises. */
void dd_ocp_refine(dd_ocp *p);
/* The largest error of an interval of the present solution; p->error has all. Integrates once. Raises. */
double dd_ocp_interval_error(dd_ocp *p);
/* The solution as the guess of the next solve, where parameters and free times begin too. */
dd_guess dd_ocp_continue(dd_ocp *p);

/* A better mesh for the solution y of t, from the error of each interval.
 *
 *   - Where a control jumps inside an interval, the place follows from its mean there; three boundaries are put around
 *     it. The next solution has the jump in an interval a twentieth as wide.
 *   - Intervals with an error above tolerance get a higher degree where the Legendre coefficients of the states fall
 *     fast, else they are split, into as many parts as the order asks for.
 *   - growth > 1: the objective has not settled. Intervals where the control is represented badly are split (constant,
 *     linear) or raised (polynomial), so that there are about `growth` times as many.
 *
 * Raises. */
dd_mesh dd_mesh_refined(const dd_transcription *t, const double *y, const double *error, double tolerance,
                        double growth, dd_pool *pool);

#endif
