/* sens.h - derivatives of a numerical solution by parameters and start values: S = dw/dp, staggered direct.
 *
 *     new -> integ_start, start -> integ_step, step ... interpolate ... integ_step, step -> free
 *
 * After each step of the integrator its own equations are differentiated at the stages it converged to
 * (step_record.h) and the linear equations for the stages of S are solved to rounding: S is the derivative of the
 * numbers that the integrator computed with its step sizes, projection included. The choice of the step sizes is not
 * differentiated, but given steps may begin and end at times that depend on p (behind an event, before one): their
 * dt/dp is an argument, and inside S is then the derivative along these times (sens_moving.c). What is read from
 * outside is at fixed time. Start reading at dd_sens_step.
 */
#ifndef DD_SENS_SENS_H
#define DD_SENS_SENS_H

#include "integ/integrator.h"

typedef struct dd_sens dd_sens;

/* For the problem of the integrator with its n_parameters > 0; the integrator may be any later one of the same kind. */
dd_status dd_sens_new(dd_sens **out, dd_context *ctx, dd_integrator *it);
/* For single points of a problem, without steps: `move` and `solve` alone. */
dd_status dd_sens_new_at_points(dd_sens **out, dd_context *ctx, const dd_problem *problem);
void dd_sens_free(dd_sens *q); /* NULL is fine */

/* After a start of the integrator. s, sdot: dw/dp and dw'/dp there, n * n_parameters, one column per parameter.
 * solve: z and x' are solved for from x, as they are for problems of index 1; otherwise they stay as given. moment:
 * dt/dp of the time of the start, n_parameters, which s and sdot then follow; NULL: it does not depend on p. */
dd_step_verdict dd_sens_start(dd_sens *q, dd_integrator *it, const double *s, const double *sdot, const double *moment,
                              bool solve);

/* The same where the last step of another one, of the same problem, began. */
void dd_sens_restart(dd_sens *q, dd_integrator *it, const dd_sens *from);

/* After every accepted step. moment: dt/dp of its end, NULL: 0. OK, SINGULAR, NONFINITE or OUT_OF_MEMORY. */
dd_step_verdict dd_sens_step(dd_sens *q, dd_integrator *it, const double *moment);

/* At the end of the last step, along its moment; columns as above. */
const double *dd_sens_values(const dd_sens *q);
const double *dd_sens_slopes(const dd_sens *q);
const double *dd_sens_moment(const dd_sens *q);
const double *dd_sens_old_moment(const dd_sens *q); /* where it began */

/* The derivative of what interpolate returns for t_old <= t <= it->t, t fixed. */
dd_step_verdict dd_sens_interpolate(dd_sens *q, dd_integrator *it, double t, double *s, double *sdot);

/* s (columns of dw/dp before it) at a point that a projection has moved: w, by shift, in the norm with the weights
 * scale (n each), which do not depend on the point. */
dd_step_verdict dd_sens_move(dd_sens *q, double t, const double *w, const double *shift, const double *scale,
                             double *s);

/* The end of the last step was moved in the same way, after it: S there follows. */
dd_step_verdict dd_sens_moved(dd_sens *q, double t, const double *w, const double *shift, const double *scale);

/* x' and z parts of sdot and s from the x part of s, at any point that satisfies the equations. */
dd_step_verdict dd_sens_solve(dd_sens *q, double t, const double *w, const double *wdot, double *s, double *sdot);

/* x'' and z' (n) at a point of the solution: the equations differentiated by time, their explicit part by differences
 * over `part`. */
dd_step_verdict dd_sens_rates(dd_sens *q, double t, const double *w, const double *wdot, double part, double *out);

/* A derivative by time from values within a step: sum of weight[i] f(at[i]), of fourth order; off by (part of the step
 * between the points)^4, which is less than rounding. Central, or to one side near the ends of the step. */
enum { DD_STENCIL = 5 };
typedef struct dd_stencil {
    double at[DD_STENCIL], weight[DD_STENCIL];
} dd_stencil;

dd_stencil dd_stencil_new(double from, double to, double t);

#endif
