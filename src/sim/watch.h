/* watch.h - how well the constraints hold, explicit and hidden ones, where the equations that are integrated do not
 * know them all: the equations as written, of index 2 and more. */
#ifndef DD_SIM_WATCH_H
#define DD_SIM_WATCH_H

#include "dynamics/numbers.h"
#include "integ/integrator.h"
#include "integ/project.h"
#include "sim/inputs.h"

typedef struct dd_watch dd_watch;

/* form: DD_EQUATIONS_WHOLE, because every invariant is wanted, or DD_EQUATIONS_KEPT, for those that time drives too.
 * *out is NULL when the reduced system is not known, or its constraints contain what the first-order form alone knows;
 * there may be no constraints, since the others are assignments. inputs: NULL without a table. directions: NULL, or
 * what values are differentiated by (numbers.h). Lives in the pool, except for memory that dd_watch_free frees, also
 * when this raises. */
void dd_watch_new(dd_watch **out, const dd_system *s, dd_form_of_equations form, dd_inputs *inputs,
                  const dd_direction_vec *directions, dd_pool *pool);
void dd_watch_free(dd_watch *watch); /* NULL is fine */

/* Branches are those of the numbers that are integrated, from now on, where they have the relation too. Raises. */
void dd_watch_follow(dd_watch *watch, const dd_numbers *numbers, dd_pool *pool);

/* Numbers of parameters: those of this system from now on, and taken again. */
void dd_watch_use(dd_watch *watch, const dd_system *s);
void dd_watch_renumber(dd_watch *watch);

uint32_t dd_watch_count(const dd_watch *watch); /* of constraints; NULL: 0 */
uint32_t dd_watch_unknowns(const dd_watch *watch);

/* values: of the declared columns. *violation: the largest residual; *distance: |G^+ c| over nominal. Never raises. */
void dd_watch_look(dd_watch *watch, double t, const double *values, double *violation, double *distance);

/* At the point looked at last: the largest residual of the constraints that were differentiated `level` times; NaN when
 * there are none. */
double dd_watch_residual(const dd_watch *watch, uint32_t level);

/* Moves the differential variables among the values onto the constraints, and takes all others from the rows of the
 * reduced system there. False: no such point was found, and the values are as they were. Never raises. */
bool dd_watch_complete(dd_watch *watch, double t, double *values);

/* The states of the reduced system by the values, and what has its constraints; the projector is NULL without any. */
const dd_numbers *dd_watch_states(dd_watch *watch, double t, const double *values, dd_projector **projector,
                                  double **w);

/* x' there, of the unknown w of the reduced system. False: it has none. */
bool dd_watch_rate(const dd_watch *watch, dd_expr w, double *rate);

/* The derivatives of the completed values by the directions: change, of the declared columns per direction, before and
 * after; values: before. moment: dt/dp per direction, which `change` follows; differences over `part` show how the
 * point moves with t. NULL: t is fixed. Where no point is found they stay as they are. */
dd_step_verdict dd_watch_complete_change(dd_watch *watch, double t, const double *values, const double *moment,
                                         double part, double *change);

/* The derivative of dd_watch_rate by direction p there. */
bool dd_watch_rate_change(const dd_watch *watch, dd_expr w, uint32_t p, double *change);

#endif
