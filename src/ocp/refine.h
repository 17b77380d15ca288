/* refine.h - the error of a solution, and better meshes until it is small enough. */
#ifndef DD_OCP_REFINE_H
#define DD_OCP_REFINE_H

#include "ocp/ocp_impl.h"

#define DD_OCP_COARSE 1e-3 /* an estimated error above this is no motion of the model */
#define DD_OCP_APART 1e-2  /* a simulation that differs by more, or a change by a finer mesh, is reported */

/* Estimates the error of the solution; with options.refine, solves on finer meshes until the error and the change
 * of the objective are below it; without, and when the intervals were left open too, until the error is below
 * DD_OCP_COARSE. p->unreached says why that was not reached, NULL: it was. With options.refine and controls left
 * open, constant controls become polynomials (of shooting: linear ones) where they vary smoothly. Raises. */
void dd_ocp_refine(dd_ocp *p);
/* After a stop: a solution that was put aside for another try is the present one again. */
void dd_ocp_bring_back(dd_ocp *p);
/* The error of the present solution, into p->info. Raises. */
void dd_ocp_estimate(dd_ocp *p);
/* Solves on a mesh that is finer than the present one, from the present solution, which becomes `previous`. Raises. */
void dd_ocp_solve_on_refined(dd_ocp *p, const dd_mesh *mesh);
/* The same mesh with every interval halved. */
dd_mesh dd_mesh_halved(const dd_mesh *mesh, dd_pool *pool);
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
typedef struct dd_mesh_error {
    const double *motion; /* n */
    double tolerance;
    const double *cost; /* n: of the integral in the objective, relative to it; its intervals are split */
    double cost_tolerance;
} dd_mesh_error;
dd_mesh dd_mesh_refined(const dd_transcription *t, const double *y, const dd_mesh_error *error, double growth,
                        dd_pool *pool);

/* What constant controls lose to smooth ones, about, of the objective: the integral of the square of what they miss,
 * relative to their range. Intervals in which a control jumps are left out: nothing is to be gained there. */
double dd_mesh_control_loss(const dd_transcription *t, const double *y, double tolerance, dd_pool *pool);

#endif
