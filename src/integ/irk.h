/* irk.h - implicit Runge-Kutta methods directly on F(x', x, z, t) = 0: any tableau, fixed step, or the embedded
 * formula's error control where there is one.
 *
 * Unknown at each stage are x' and z; no value of z is ever carried from step to step. Stiffly accurate methods take
 * x and z from their last stage, the others find z from the equations at the new x, so that z has the order of x. */
#ifndef DD_INTEG_IRK_H
#define DD_INTEG_IRK_H

#include "integ/integrator.h"
#include "methods/tableau.h"

/* Without embedded formula options->fixed_step must be given (DD_INVALID_ARGUMENT otherwise). The problem and the
 * tableau must live longer, options are copied. Dense output: the collocation polynomial where the method is one,
 * Hermite's cubic with z from the equations otherwise. With a fixed step the stage equations are solved to rounding. */
dd_status dd_irk_new(dd_integrator **out, dd_context *ctx, const dd_problem *problem, const dd_tableau *tableau,
                     const dd_integ_options *options);

#endif
