/* statistics.h - how well free parameters are known: standard deviations and correlations of a least-squares fit.
 *
 * The objective S is a sum of squares of m residuals with errors of variance s^2 (where they are weighted: of
 * weight 1). With the Hessian H of the Lagrangian restricted to the null space of the active constraints (the
 * reduced Hessian; 2 J^T J near a good fit),
 *
 *     cov(p) = 2 s^2 (H^-1)_pp,    s^2 = S / (m - n)     n: what is estimated, parameters and free start values
 *
 * (H^-1)_pp is read from the solution of [H A^T; A 0] [d; l] = [e_p; 0]. annotation(Daedal(sigma = 0.1)) sets s in
 * place of the estimate. For an integral of squares the sum over the samples is m/T times the integral, which
 * cancels in the estimate.
 */
#ifndef DD_OCP_STATISTICS_H
#define DD_OCP_STATISTICS_H

#include "ocp/ocp_impl.h"

struct dd_statistics {
    uint32_t residuals, estimated; /* m, n */
    double sigma;                  /* s */
    bool given;                    /* s is that of the annotation */
    double *deviation;             /* per parameter; NaN for one that is at a bound */
    double *correlation;           /* parameters x parameters */
};

/* Of the solution at hand, into p->statistics; NULL where there is no fit of parameters, and where it has none,
 * with a message. Raises. */
void dd_ocp_statistics(dd_ocp *p);

/* Squares that the objective is a sum of: residuals; 0 when it is something else. */
uint32_t dd_ocp_residual_count(const dd_ocp_problem *o);

#endif
