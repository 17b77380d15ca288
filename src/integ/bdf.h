/* bdf.h - backward differentiation formulas on F(w', w, t) = 0.
 *
 * dd_bdf_new: order 1 to 5 and step size chosen by the error; numerical differentiation formulas in backward
 * differences with quasi-constant step (Shampine & Reichelt, The MATLAB ODE suite, 1997). One system with sigma M +
 * J per Newton step: for large sparse problems the cost of a step is linear in the number of unknowns.
 *
 * dd_bdf_fixed_new: the m-step formula with the given step size, m = 1..6, started by Radau IIA of at least the same
 * order. Steps that do not fit before the bound get the coefficients of uneven grids. */
#ifndef DD_INTEG_BDF_H
#define DD_INTEG_BDF_H

#include "integ/integrator.h"

/* options are copied. The problem must live longer. start() takes x; z and x' of its arguments are
 * guesses. */
dd_status dd_bdf_new(dd_integrator **out, dd_context *ctx, const dd_problem *problem, const dd_integ_options *options);

/* DD_INVALID_ARGUMENT unless 1 <= steps <= 6 and options->fixed_step > 0. */
dd_status dd_bdf_fixed_new(dd_integrator **out, dd_context *ctx, const dd_problem *problem, uint32_t steps,
                           const dd_integ_options *options);

#endif
