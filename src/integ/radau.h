/* radau.h - the production integrator: Radau IIA of order 5, 9 and 13 with error control (Hairer & Wanner II, IV.8, and
 * Stiff differential equations solved by Radau methods, 1999), on F(w', w, t) = 0. */
#ifndef DD_INTEG_RADAU_H
#define DD_INTEG_RADAU_H

#include "integ/integrator.h"

/* options are copied. The problem must live longer. */
dd_status dd_radau_new(dd_integrator **out, dd_context *ctx, const dd_problem *problem,
                       const dd_integ_options *options);

#endif
