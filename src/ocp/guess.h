/* guess.h - where to begin: values of x, z, u over the horizon.
 *
 *   written    initialGuess where it is given, else the start value, else 0
 *   linear     states from their start to x(finalTime) = number, in a straight line
 *   simulate   the model under the written controls, from its consistent start
 *   FILE.csv   columns by name, for instance of an optimization or simulation before
 *
 * Every guess is finite, within the bounds, on the invariants of the reduced system, and its algebraic variables
 * satisfy their equations, as far as Newton finds that.
 */
#ifndef DD_OCP_GUESS_H
#define DD_OCP_GUESS_H

#include "ocp/transcription.h"

typedef struct dd_guess_source dd_guess_source;

/* kind: NULL (written), "linear", "simulate" or the name of a file. *out is set at once, so that what was made can be
 * freed when this raises: DD_IO or DD_INVALID_MODEL with "file:line: ..." for a file. */
void dd_guess_source_new(dd_guess_source **out, dd_ocp_problem *o, const char *kind, dd_pool *pool);
void dd_guess_source_free(dd_guess_source *s); /* NULL is fine */
dd_guess dd_guess_source_as(dd_guess_source *s);

/* From now on states go to x(finalTime) = number in straight lines. False, and nothing changes, when they did
 * already, when a table says where they go, and when there are no such rows. Raises. */
bool dd_guess_source_lines(dd_guess_source *s);
void dd_guess_source_no_lines(dd_guess_source *s); /* as written again */
/* From now on states and algebraic variables are those of a simulation under these controls. False, and nothing
 * changes, where that does not reach the end. Raises. */
bool dd_guess_source_simulate(dd_guess_source *s, const dd_guess *controls);
/* The table that states are taken from, NULL for none; to be put back after simulations. */
const struct dd_guess_table *dd_guess_source_table(const dd_guess_source *s);
void dd_guess_source_use_table(dd_guess_source *s, const struct dd_guess_table *table);
/* What rows on one state alone, at instant number `instant`, leave of it: x(finalTime) = 1, x(startTime) >= 2. Without
 * any from -infinity to infinity; empty (lower > upper) where they contradict each other. */
void dd_ocp_rows_on_state(const dd_ocp_problem *o, uint32_t instant, uint32_t state, double *lower, double *upper);
/* Before it is put within bounds and made consistent. */
dd_guess dd_guess_source_raw(dd_guess_source *s);
/* Another guess (a perturbed one, say) made consistent in the same way; it is asked first and must live as long. */
dd_guess dd_guess_source_around(dd_guess_source *s, const dd_guess *inner);

#endif
