/* dense_qp.h - small, dense, strictly convex quadratic programs that are solved again and again.
 *
 *     min g^T x + x^T H x / 2   s.t.   lower <= C x <= upper
 *
 * The dual active-set method of Goldfarb and Idnani (1983). H and C are factored before g and the bounds are known, with the
 * rows that were active last: where the same rows are active again, a solve costs two triangular systems and one look at
 * all rows. */
#ifndef DD_NLP_DENSE_QP_H
#define DD_NLP_DENSE_QP_H

#include "base/pool.h"

typedef struct dd_dense_qp dd_dense_qp;

typedef enum dd_dense_qp_status {
    DD_DENSE_QP_OPTIMAL,
    DD_DENSE_QP_INFEASIBLE, /* proven: a combination of rows has no solution */
    DD_DENSE_QP_LIMIT,      /* of changes of the active set */
    DD_DENSE_QP_FAILED      /* H has no factor, or numbers are not finite */
} dd_dense_qp_status;

/* n variables, m rows. Lives as long as the pool. Raises; nothing is allocated after this. */
dd_dense_qp *dd_dense_qp_new(dd_pool *pool, uint32_t n, uint32_t m);

/* To be filled by the caller: the lower triangle of H (n x n) and C (m x n), row by row. */
double *dd_dense_qp_hessian(dd_dense_qp *q);
double *dd_dense_qp_rows(dd_dense_qp *q);

/* Rows that are expected to be active: with a multiplier that is not small (m, signs as below). Without this call they are
 * those of the solve before. Before dd_dense_qp_factor. */
void dd_dense_qp_expect(dd_dense_qp *q, const double *lambda);

/* Takes H and C as they are now. Where H is not positive definite, steps away from the bounds that are expected to be active are
 * penalised, which changes nothing as long as they are; where that is not enough, H gets the smallest of a row of multiples of the
 * identity that makes it definite. False: none does. */
bool dd_dense_qp_factor(dd_dense_qp *q);
double dd_dense_qp_added(const dd_dense_qp *q); /* that multiple; 0: none */

/* Rows with lower == upper are equalities. x (n) and the multipliers lambda (m; g + H x + C^T lambda = 0, positive where the upper
 * bound holds x back, negative at the lower one) are the caller's. changes (may be NULL): of the active set. */
dd_dense_qp_status dd_dense_qp_solve(dd_dense_qp *q, const double *g, const double *lower, const double *upper,
                                     double *x, double *lambda, uint32_t *changes);

#endif
