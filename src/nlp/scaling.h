/* scaling.h - factors for a program whose objective or rows are small in the units they are written in.
 *
 * Solvers scale down functions with large gradients but leave small ones, and a row in coulombs or farads then holds to
 * any tolerance from the first iterate on. Here such rows and such an objective are scaled up as well. */
#ifndef DD_NLP_SCALING_H
#define DD_NLP_SCALING_H

#include "nlp/nlp.h"

typedef struct dd_nlp_scaling {
    double objective; /* factor */
    double *x, *c;    /* factors: n, m */
    bool needed;      /* false: nothing is small, and all variables have the size 1; the solver's own way will do */
} dd_nlp_scaling;

size_t dd_nlp_scaling_memory(const dd_nlp *nlp); /* doubles that `memory` below has room for */
size_t dd_nlp_scaling_kept(const dd_nlp *nlp);   /* how many of them, from the first, hold the result */

/* Looks at the functions at x and at a point beside it (a gradient may vanish at a guess by accident). The arrays of
 * the result are parts of the memory. */
dd_nlp_scaling dd_nlp_find_scaling(const dd_nlp *nlp, const double *x, double *memory);

/* Values at another point, scaled by factors that were found before. */
typedef struct dd_nlp_scaled {
    double objective;
    const double *gradient, *jacobian; /* by scaled variables */
} dd_nlp_scaled;

/* Are these factors still right at such a point, but for a few times? It costs no evaluation. row: work memory, m
 * numbers. */
bool dd_nlp_scaling_holds(const dd_nlp *nlp, const dd_nlp_scaling *scaling, const dd_nlp_scaled *now, double *row);

#endif
