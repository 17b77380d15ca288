/* watch.h - how well the constraints hold, explicit and hidden ones, where the equations that are integrated do not
 * know them all: the equations as written, of index 2 and more. */
#ifndef DD_SIM_WATCH_H
#define DD_SIM_WATCH_H

#include "dynamics/numbers.h"
#include "sim/inputs.h"

typedef struct dd_watch dd_watch;

/* form: DD_EQUATIONS_WHOLE, because every invariant is wanted, or DD_EQUATIONS_KEPT, for those that time drives too.
 * *out is NULL when the system has no constraints to look at, or they contain what the first-order form alone knows.
 * inputs: NULL without a table. Lives in the pool, except for memory that dd_watch_free frees, also when this
 * raises. */
void dd_watch_new(dd_watch **out, const dd_system *s, dd_form_of_equations form, dd_inputs *inputs, dd_pool *pool);
void dd_watch_free(dd_watch *watch); /* NULL is fine */

/* Numbers of parameters: those of this system from now on, and taken again. */
void dd_watch_use(dd_watch *watch, const dd_system *s);
void dd_watch_renumber(dd_watch *watch);

uint32_t dd_watch_count(const dd_watch *watch);

/* values: of the declared columns. *violation: the largest residual; *distance: |G^+ c| over nominal. Never raises. */
void dd_watch_look(dd_watch *watch, double t, const double *values, double *violation, double *distance);

/* At the point looked at last: the largest residual of the constraints that were differentiated `level` times; NaN when
 * there are none. */
double dd_watch_residual(const dd_watch *watch, uint32_t level);

/* Moves the differential variables among the values onto the constraints, and takes all others from the rows of the
 * reduced system there. False: no such point was found, and the values are as they were. Never raises. */
bool dd_watch_complete(dd_watch *watch, double t, double *values);

#endif
