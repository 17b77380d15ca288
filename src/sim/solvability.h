/* solvability.h - solvability watched along a run: does one of the numbers of solvable.h tend to zero during the run?
 *
 *     every accepted step:  signs and sizes are compared with those before; a change of sign, a collapse or a deep minimum
 *                           is a suspicion, nothing more
 *     a suspicion:          a separate integrator (Radau, tight tolerance) goes from the last good point towards the
 *                           place and closes in on it (solvability_locate.c)
 *     the verdict:          singular only if the number falls with a power of the distance down to that point: poles,
 *                           jumps and factors that fade do not
 *
 * Signs are remembered from event to event: what changes there is no zero. The numbers are those of the reduced system
 * whatever the method, the form or the choice of dummy derivatives. */
#ifndef DD_SIM_SOLVABILITY_H
#define DD_SIM_SOLVABILITY_H

#include "sim/sim_impl.h"

typedef struct dd_solvability dd_solvability;

/* *out is NULL when nothing can vanish. Lives in the pool, except for memory that dd_solvability_free frees, also
 * when this raises. */
void dd_solvability_new(dd_solvability **out, dd_sim *sim);
void dd_solvability_free(dd_solvability *s); /* NULL is fine */

/* A new mode begins at the integrator's point: the start, an event, a singular point that was passed. */
void dd_solvability_start(dd_solvability *s);
/* Looks at the last step, up to `until`. True: singular, *out says where; the point just before it is in
 * dd_solvability_point. */
bool dd_solvability_look(dd_solvability *s, double until, dd_singular *out);
/* Did the last step that was looked at end on another branch of the equations, with no singular point before? *w, *wdot: its x
 * with x' and z of the right one. */
bool dd_solvability_left_branch(const dd_solvability *s, const double **w, const double **wdot);
/* The last step is undone: it has not been looked at. */
void dd_solvability_undo(dd_solvability *s);
/* dd_solvability_look where the integrator can go no further. */
bool dd_solvability_blame(dd_solvability *s, dd_singular *out);
/* Does the branch in force change before the place that was blamed? True: *between is a time between the two. */
bool dd_solvability_kink_before(dd_solvability *s, const dd_singular *found, double *between);
/* w and w' of the last point before the singular one, for sim->numbers; false when only the dense output has it. */
bool dd_solvability_point(const dd_solvability *s, double *t, const double **w, const double **wdot);
/* Memory ran out while looking. */
bool dd_solvability_failed(const dd_solvability *s);

/* ---- solvability_words.c ---- */
/* Status, reason and the parts of the report. */
void dd_solvability_tell(dd_sim *sim, const dd_singular *found);
/* Whether item k vanishes cannot be told at this tolerance: a message at the end, */
void dd_solvability_doubt(dd_solvability *s, uint32_t k, double t);
/* where the run ends well. */
void dd_solvability_end(dd_solvability *s);
/* A warning instead: the run goes on. */
void dd_solvability_warn(dd_sim *sim, const dd_singular *found);

#endif
