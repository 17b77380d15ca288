/* explicit.h - explicit Runge-Kutta methods on F(x', x, z, t) = 0 of index 1: any tableau, fixed step or the embedded
 * formula's error control, with dense output. x' and z are solved for at every evaluation (explicit_rhs.h). */
#ifndef DD_INTEG_EXPLICIT_H
#define DD_INTEG_EXPLICIT_H

#include "integ/integrator.h"
#include "methods/tableau.h"

/* tableau: explicit, or DD_INVALID_ARGUMENT; without embedded formula options->fixed_step must be given. The problem
 * and the tableau must live longer, options are copied. start() takes x; z and x' of its arguments are guesses. */
dd_status dd_explicit_new(dd_integrator **out, dd_context *ctx, const dd_problem *problem, const dd_tableau *tableau,
                          const dd_integ_options *options);
/* |R(z)| of an explicit tableau, z = re + i im: R(z) = 1 + z b^T (I - z A)^-1 1. */
double dd_explicit_growth(const dd_tableau *tableau, double re, double im);

#endif
