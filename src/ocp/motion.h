/* motion.h - motions of the model as guesses: a solver that begins on one has nothing to repair but the ends.
 *
 * The model is simulated under the controls of the guess, over a few horizons where more than one end is possible. Of
 * that motion the part is taken whose ends violate the rows of the problem least: with a free final time any length
 * within its bounds; where the start is open and time does not enter, it may begin anywhere. So a periodic orbit that
 * attracts is found from any guess in its basin; from a guess at rest, by way of starts beside it.
 */
#ifndef DD_OCP_MOTION_H
#define DD_OCP_MOTION_H

#include "ocp/ocp_impl.h"

typedef struct dd_motion {
    dd_ocp *p;
    dd_guess raw;
    const struct dd_guess_table *table; /* of the guess itself */
    double first_tf;
    double share;           /* of their range: where bounded controls are held; outside 0..1: as guessed */
    uint32_t away;          /* number of a start beside that of the guess; 0: the guess */
    bool simulating, rests; /* rests: the motion of the guess does */
    double begin, end;      /* the part that is taken, of the simulated time */
    double misfit;          /* of its ends: sum of squares */
    const double *start;    /* where simulations begin; NULL: at the guess */
    struct dd_motion_found *found;
    const char *words; /* of the motion at hand */
    double *scratch;   /* states and algebraic variables that nobody asked for */
} dd_motion;

enum { DD_MOTIONS = 4, DD_MOTIONS_AWAY = 3, DD_MOTIONS_FOUND = 4 };
#define DD_MOTION_FITS 1e-2 /* misfit of a motion that is nearly a solution: what fails from there is the mesh */

/* Raises. The guess is that of p. */
dd_motion dd_motion_new(dd_ocp *p);
/* Motion `number`, from 0. False: it cannot be simulated, or would be the same as one before. Sets the guess of a
 * free final time until it is restored. Raises. */
bool dd_motion_guess(dd_motion *m, uint32_t number, dd_guess *out);
/* After a motion that rests, or of a model without controls, where the start is open: one from a start beside it,
 * `number` from 1. False as above. Raises. */
bool dd_motion_away(dd_motion *m, uint32_t number, dd_guess *out);
/* Where nothing but the start decides: the best of many starts near and far, by the misfit of their motions; `number`
 * from 0, best first. False as above. Raises. */
bool dd_motion_search(dd_motion *m, uint32_t number, dd_guess *out);
void dd_motion_restore(const dd_motion *m);

/* Nothing but a start and bounds on controls is asked of an ODE: whatever the controls, it moves. */
bool dd_ocp_always_moves(const dd_ocp_problem *o);

#endif
