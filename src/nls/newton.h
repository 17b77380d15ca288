/* newton.h - square nonlinear systems: damped Newton, and a homotopy where that fails.
 *
 * Damping asks that the simplified correction shrinks (natural monotonicity, Deuflhard 2004, ch. 3), so it does not
 * depend on how the equations are scaled. A point where something is not finite shortens the step. Newton goes on until
 * the corrections are at rounding level. Verdicts are fields of the info, not failures.
 */
#ifndef DD_NLS_NEWTON_H
#define DD_NLS_NEWTON_H

#include "la/csc.h"

typedef struct dd_square {
    void *user;
    uint32_t n;
    const dd_csc *pattern; /* n x n; values unused */

    /* r (n) at x (n). Returns 0, or > 0 when something is not finite there. */
    int (*residual)(void *user, const double *x, double *r);

    /* The values of the pattern's entries at x. Same return values. */
    int (*jacobian)(void *user, const double *x, double *val);
} dd_square;

typedef enum dd_newton_verdict {
    DD_NEWTON_CONVERGED,
    DD_NEWTON_NOT_FINITE, /* residual or Jacobian at the guess */
    DD_NEWTON_SINGULAR,   /* the Jacobian at some iterate */
    DD_NEWTON_STUCK,      /* no step is short enough */
    DD_NEWTON_TOO_MANY    /* iterations, or steps along the path */
} dd_newton_verdict;

typedef struct dd_newton_info {
    dd_newton_verdict verdict;
    uint32_t iterations; /* Jacobians */
    uint32_t residuals;  /* residual evaluations */
    double correction;   /* the last one: largest |dx_j| / max(|x_j|, size_j) */
} dd_newton_info;

/* Improves x (n) from its guess. size: n numbers > 0; changes of an unknown are measured relative to
 * max(|x_j|, size_j). Without convergence x is left where the iteration stopped. */
dd_status dd_newton_solve(dd_newton_info *info, dd_context *ctx, const dd_square *problem, const double *size,
                          double *x);

/* Follows the path F(x) = (1 - s) F(x0) from the guess x0 at s = 0 by arc length, through turning points, until s
 * passes 1, and ends with dd_newton_solve there. */
dd_status dd_homotopy_solve(dd_newton_info *info, dd_context *ctx, const dd_square *problem, const double *size,
                            double *x);

#endif
