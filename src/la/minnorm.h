/* minnorm.h - sparse minimum-norm corrections: the step of consistent initialisation and projection.
 *
 *     minimise ||W^-1 dx||  subject to  A dx = r         A: m x n, m <= n expected, W = diag(weight) > 0
 *
 * With B = A W, dx = W y this is the augmented system  [ I  B^T ] [ y ]   [ 0 ]
 *                                                      [ B -mu I] [ l ] = [ r ]
 * mu = 0: the exact constraint, needs full row rank. mu > 0: minimises ||y||^2 + ||B y - r||^2 / mu (Levenberg), fine
 * for any rank and shape. Small problems (m and n up to DD_MINNORM_DENSE) use a QR decomposition where the rows are clearly
 * independent, else the SVD, where mu = 0 with deficient rank yields the minimum-norm least-squares step.
 */
#ifndef DD_LA_MINNORM_H
#define DD_LA_MINNORM_H

#include "la/csc.h"

typedef struct dd_minnorm dd_minnorm;

enum { DD_MINNORM_DENSE = 60 };

typedef struct dd_minnorm_info {
    bool singular; /* sparse path: no regular factor, use mu > 0. Dense path: rank < m (solve still works). */
    uint32_t row;  /* singular: a row of A that is suspect (dense: the largest in the last left singular vector), or
                       DD_NO_INDEX */
    uint32_t rank; /* dense path: numerical rank; sparse path: m when regular, else unknown (0) */
    double rcond;  /* smallest / largest singular value (dense, or LAPACK's estimate of it), linsolver's (sparse) */
    bool dense;
    uint64_t factor_count, solve_count;
} dd_minnorm_info;

/* Learns the pattern of A (copied). */
dd_status dd_minnorm_new(dd_minnorm **out, dd_context *ctx, const dd_csc *a);
void dd_minnorm_free(dd_minnorm *mn); /* NULL is fine */

/* Factors for the values of A (a has the pattern given to new).
 *   weight  n numbers > 0, or NULL for all 1;  mu >= 0;  tol: relative rank tolerance of the dense path (0: 1e-12) and
 *           rcond limit of the sparse one (0: 1e-14) */
dd_status dd_minnorm_factor(dd_minnorm *mn, const dd_csc *a, const double *weight, double mu, double tol);

/* dx (n) for the right-hand side r (m). multiplier: NULL, or m: receives l (dx = -W B^T l). One step of iterative
 * refinement is included. DD_INVALID_ARGUMENT when the sparse factor is singular or missing. */
dd_status dd_minnorm_solve(dd_minnorm *mn, const double *r, double *dx, double *multiplier);

dd_minnorm_info dd_minnorm_get_info(const dd_minnorm *mn);

#endif
