/* noise.h - what rounding errors of F do to the corrections of Newton's method: A^-1 (eps terms), terms_i the size
 * of what F_i is computed from. Corrections of that size shrink no more, however short the step is and however far
 * the residuals of other rows are from their own rounding level: one row's noise is another row's residual in the
 * next iteration. */
#ifndef DD_INTEG_NOISE_H
#define DD_INTEG_NOISE_H

#include "integ/conserve.h"
#include "integ/fixed_newton.h"

/* Root mean square of it, in units of 1/weight, at a point w, w' of time t, where F is evaluated; conserve may be NULL. terms,
 * work: n and 2 n numbers of scratch. t NaN: rounding of time is not looked at, work is n and the stride of `at` free. */
double dd_newton_noise(const dd_problem *problem, double t, const dd_residual_point *at, dd_pencil *solver,
                       dd_conserve *conserve, const double *weight, double *terms, double *work);

#endif
