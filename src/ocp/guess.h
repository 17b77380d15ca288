/* guess.h - where to begin: initialGuess and start values as functions of time. */
#ifndef DD_OCP_GUESS_H
#define DD_OCP_GUESS_H

#include "ocp/transcription.h"

/* initialGuess where it is given, else the start value, else 0. Raises; the work memory goes with dd_guess_free. */
typedef struct dd_written_guess dd_written_guess;
dd_written_guess *dd_written_guess_new(dd_ocp_problem *o, dd_pool *pool);
void dd_written_guess_free(dd_written_guess *g); /* NULL is fine */
dd_guess dd_written_guess_as(dd_written_guess *g);

#endif
