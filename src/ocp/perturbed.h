/* perturbed.h - guesses beside the guess, for several starts and for a second try. */
#ifndef DD_OCP_PERTURBED_H
#define DD_OCP_PERTURBED_H

#include "ocp/ocp_impl.h"

typedef struct dd_perturbed {
    dd_ocp *p;
    dd_guess raw;
    double amplitude;
    bool simulated;                      /* states are those of a simulation under the perturbed controls */
    const struct dd_guess_table *table;  /* of the guess itself */
    double *wave;                        /* (x, u) * waves: coefficients */
    double first_t0, first_tf, *first_p; /* guesses of decisions */
} dd_perturbed;

/* Raises. The raw guess is that of p. */
dd_perturbed dd_perturbed_new(dd_ocp *p);
/* Guess `number` (1, 2, ...): the same on every machine; odd ones are nearer; some are motions that the model can
 * make. Also moves the guesses of parameters and times, until they are restored. */
dd_guess dd_perturbed_guess(dd_perturbed *q, uint32_t number);
void dd_perturbed_restore(const dd_perturbed *q);

#endif
