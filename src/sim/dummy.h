/* dummy.h - dummy derivatives: as many x as there are invariants follow from them instead of from their rates.
 *
 *     F(x', x, z, t) = 0, c(x, t) = 0     row i: x_j' - f = 0 with j a dummy   ->   row i: c_k(x, t) = 0, x_j algebraic
 *
 * (Mattsson and Soederlind, SIAM J. Sci. Comput. 14, 1993.) The problem made so has index 1 as long as the gradients
 * of c in the dummies are regular; which x are dummies is chosen for a point and has to be chosen again when the
 * solution has gone far enough (a pendulum turning over: x, then y, then x ...).
 */
#ifndef DD_SIM_DUMMY_H
#define DD_SIM_DUMMY_H

#include "dynamics/numbers.h"

typedef struct dd_dummy dd_dummy;

/* Memory for the choice. NULL when there are no invariants. Raises. */
dd_dummy *dd_dummy_new(dd_numbers *q, dd_pool *pool);
void dd_dummy_free(dd_dummy *d); /* NULL is fine; the pool keeps the rest */

typedef enum dd_dummy_verdict {
    DD_DUMMY_OK,
    DD_DUMMY_DEPENDENT, /* the constraints depend on each other at this point */
    DD_DUMMY_NO_RATE,   /* only with an unknown that has no explicit rate: *blamed */
    DD_DUMMY_OUT_OF_MEMORY
} dd_dummy_verdict;

/* Chooses at a point and makes the problem; integrators on the problem made before must be freed first. */
dd_dummy_verdict dd_dummy_choose(dd_dummy *d, double t, const double *w, uint32_t *blamed);

/* The problem of the last choice; the same address always. */
const dd_problem *dd_dummy_problem(const dd_dummy *d);

/* By how much the volume of the dummies' gradients would grow if one of them was exchanged: 1 or less is the best
 * choice, INFINITY where it is singular. */
double dd_dummy_gain(dd_dummy *d, double t, const double *w);

bool dd_dummy_is(const dd_dummy *d, uint32_t unknown);

#endif
