/* growth.h - how much errors of the size of the tolerance grow along a run. */
#ifndef DD_SIM_GROWTH_H
#define DD_SIM_GROWTH_H

#include "sim/sim_impl.h"

typedef struct dd_growth dd_growth;

/* NULL: not looked at (given steps, equations of higher index as written, dummy derivatives, very many unknowns). */
dd_growth *dd_growth_new(dd_sim *sim);
void dd_growth_free(dd_growth *g); /* NULL is fine */

/* A direction d at a point (t, w) onto the constraints: what leaves them does not stay. d is of the size of the tolerance;
 * point, weight, shift: n each, scratch. Without projection nothing changes. */
void dd_growth_onto_constraints(dd_sim *sim, double t, const double *w, double *d, double *point, double *weight,
                                double *shift);

/* A run begins where the integrator is. */
void dd_growth_start(dd_sim *sim);
/* After a step without an event. */
void dd_growth_step(dd_sim *sim);
/* The factor by which errors of the size of the tolerance have grown at the end of a run, NaN where that is not large or not
 * known; the first call adds the message. Raises. */
double dd_growth_of_errors(dd_sim *sim);

#endif
