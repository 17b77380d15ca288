/* chebyshev.h - spectral collocation by windows: on each window the solution is a polynomial through N Gauss-Lobatto
 * points, F holds at all of them but the first, where the initial conditions take their place.
 *
 * Only x is handed from window to window, so F may be of any index as long as its x' and x determine the rest: the
 * pendulum can be solved in the form it is written in (index 3). High order is cheap here, small steps are not: a
 * window should be long enough to need its points. */
#ifndef DD_INTEG_CHEBYSHEV_H
#define DD_INTEG_CHEBYSHEV_H

#include "integ/integrator.h"

enum { DD_CHEBYSHEV_POINTS = 65 }; /* the most */

/* points: N, 3 to 65 (0: 16). options->fixed_step is the length of the windows; 0: found so that the last
 * coefficients of the Chebyshev series are below the tolerance. options are copied, the problem must live longer.
 * start() takes x, which must fulfil all constraints, also hidden ones; z is a guess. */
dd_status dd_chebyshev_new(dd_integrator **out, dd_context *ctx, const dd_problem *problem, uint32_t points,
                           const dd_integ_options *options);

#endif
