/* staged.h - points that satisfy a staged system: damped Gauss-Newton, stage after stage.
 *
 * A DAE and its derivatives fall into stages (structure/point.c): the rows of stage s involve unknowns of stages up
 * to s and are solved for those of stage s, in general fewer rows than unknowns. Each step is the smallest weighted
 * correction (la/minnorm.h), so the result is the solution near the guess.
 */
#ifndef DD_NLS_STAGED_H
#define DD_NLS_STAGED_H

#include "la/csc.h"

typedef struct dd_staged_problem {
    void *user;
    uint32_t stages;
    uint32_t n; /* unknowns of all stages together */

    /* The rows of a stage as a matrix pattern (row count, column count = unknowns of the stage) and which unknown each
     * column is. The arrays stay the problem's. */
    void (*shape)(void *user, uint32_t stage, dd_csc *pattern, const uint32_t **unknown);

    /* r: residuals of the stage at x (n). Returns 0, or > 0 when something is not finite there (shorten the step). */
    int (*residual)(void *user, uint32_t stage, const double *x, double *r);

    /* Fills the values of the pattern's entries at x. Same return values. */
    int (*jacobian)(void *user, uint32_t stage, const double *x, dd_csc *j);
} dd_staged_problem;

typedef struct dd_staged_info {
    bool converged;
    uint32_t stage, row; /* not converged: where, and the row with the largest scaled residual there */
    double residual;     /* that scaled residual */
    uint32_t iterations; /* counter, all stages */
} dd_staged_info;

/* Improves x (n) from its guess. weight: n numbers > 0, how easily an unknown is moved (small: held). Not converging
 * is a verdict in info, not a failure. */
dd_status dd_staged_solve(dd_staged_info *info, dd_context *ctx, const dd_staged_problem *problem, const double *weight,
                          double *x);

#endif
