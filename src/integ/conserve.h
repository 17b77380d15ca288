/* conserve.h - linear first integrals c^T x of a problem, kept by the solutions of its linear systems.
 *
 * With lambda^T F = c^T x' a Newton step, A v = -F with A = sigma M + J, has c^T v = 0, because lambda^T A = sigma
 * c^T. But A is large where sigma is small (long steps of stiff equations), and of a solution by elimination sigma
 * c^T v is off by eps |A| |v|: at sigma = eps |A| nothing is right of the slow component that c measures, however
 * often Newton's method iterates. Rounding errors of F do the same. So v is corrected along V = A^-1 N^2 lambda,
 *
 *     v := v - V (c^T V)^-1 c^T v,
 *
 * with N the sizes of the terms that the rows of F are sums of: that leaves the contradiction among the rows,
 * lambda^T F, to those that know their value least (least squares with weights 1/N).
 */
#ifndef DD_INTEG_CONSERVE_H
#define DD_INTEG_CONSERVE_H

#include "integ/fixed_newton.h"
#include "la/pencil.h"

typedef struct dd_conserve dd_conserve;

/* NULL in *out when the problem has no such integrals. pairs: how many complex A there are beside the real one. */
dd_status dd_conserve_new(dd_conserve **out, dd_context *ctx, const dd_problem *problem, uint32_t pairs);
void dd_conserve_free(dd_conserve *q); /* NULL is fine */

/* New factors of A = sigma M + J, sigma real: a point nearby, with values of M and J; weight (n): of the error test.
 * False when rounding errors that reach c^T x are below `part` of 1/weight: nothing is corrected until the next
 * call. */
bool dd_conserve_begin(dd_conserve *q, double sigma, const dd_residual_point *at, const double *weight, double part);
/* Then the directions V, by the solver of the real A (which = 0) or of a complex one (1 ..). */
void dd_conserve_update(dd_conserve *q, uint32_t which, dd_pencil *solver, const double *weight);
/* Corrects v (n): c^T (v + factor*base) = 0 for all c; base may be NULL. */
void dd_conserve_apply(dd_conserve *q, double *v, const double *base, double factor);
/* Corrects v + i u: c^T (v + i u) = 0, with the complex A. */
void dd_conserve_apply_pair(dd_conserve *q, uint32_t which, double *v, double *u);
/* The end of a step: what rounding adds in every step is taken out of w (n), in the norm with this weight, so that
 * c^T w is what it was at the start. */
void dd_conserve_hold(dd_conserve *q, double *w, const double *weight);

#endif
