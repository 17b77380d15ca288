/* radau_coefficients.h - what an integrator by Radau IIA with s stages needs (Hairer & Wanner II, sec. IV.8).
 *
 * With z_i = X_i - x_n the stage equations are z = h (A (x) I) x'(stages), so  h X' = (A^-1 (x) I) z.  Newton's
 * system with the matrix  h^-1 A^-1 (x) M - I (x) J  falls apart in the variables w = (T^-1 (x) I) z, since
 *
 *     T^-1 A^-1 T = diag(gamma, [alpha_1 -beta_1; beta_1 alpha_1], ...):
 *
 * one real system with  gamma/h M - J  and (s-1)/2 complex ones with (alpha_k + i beta_k)/h M - J for the unknown
 * w_{2k} + i w_{2k+1} (counted from 1: w_2 + i w_3, w_4 + i w_5, ...). Everything is computed in 113-bit arithmetic and
 * rounded once. */
#ifndef DD_INTEG_RADAU_COEFFICIENTS_H
#define DD_INTEG_RADAU_COEFFICIENTS_H

#include "daedal/status.h"
#include "methods/quad.h"

enum { DD_RADAU_STAGES = 9, DD_RADAU_PAIRS = 4 }; /* the most */

typedef struct dd_radau_coefficients {
    uint32_t s, pairs;                                   /* stages (odd), (s - 1)/2; the order is 2s - 1 */
    double c[DD_RADAU_STAGES];                           /* nodes, rising, c[s-1] = 1 */
    double A[DD_RADAU_STAGES * DD_RADAU_STAGES];         /* s x s, row-major: A[i * s + j]; the last row is b */
    double A_inverse[DD_RADAU_STAGES * DD_RADAU_STAGES]; /* the same layout, as the next two */
    double T[DD_RADAU_STAGES * DD_RADAU_STAGES];         /* first column of norm 1; last row (t, 1, 0, 1, 0, ...) */
    double T_inverse[DD_RADAU_STAGES * DD_RADAU_STAGES]; /* z = T w, w = T_inverse z */
    double gamma;                                        /* the real eigenvalue of A^-1 */
    double alpha[DD_RADAU_PAIRS], beta[DD_RADAU_PAIRS];  /* alpha_k + i beta_k, beta_k > 0; alpha rising */
    /* The error estimate: an embedded formula of order s with the weight 1/gamma at the left end yields
     *     err = (gamma/h M - J)^-1 ( f(t_n, x_n) + M/h sum_i e[i] z_i ),
     * for M x' = f. The sum is -h u'(0), u the collocation polynomial through 0, z_1, ..., z_s: the estimate compares
     * its slope at the left end, which is not a node, with the true one. e is 1/gamma times (e_1, ...) of (IV.8.19). */
    double e[DD_RADAU_STAGES];
} dd_radau_coefficients;

/* Fills *out for s = 1, 3, 5, 7 or 9 stages; DD_INVALID_ARGUMENT for any other s. Needs no memory; below 1 ms,
 * and at once for the stages of the table. */
dd_status dd_radau_coefficients_init(dd_radau_coefficients *out, uint32_t s);

/* The same without the table. */
dd_status dd_radau_coefficients_compute(dd_radau_coefficients *out, uint32_t s);
/* radau_table.c: the same numbers as constants, for 3, 5 and 7 stages; NULL for others. */
const dd_radau_coefficients *dd_radau_table(uint32_t s);

/* The same numbers before rounding, for tests. */
typedef struct dd_radau_exact {
    uint32_t s, pairs;
    dd_quad c[DD_RADAU_STAGES], A[DD_RADAU_STAGES * DD_RADAU_STAGES], A_inverse[DD_RADAU_STAGES * DD_RADAU_STAGES];
    dd_quad T[DD_RADAU_STAGES * DD_RADAU_STAGES], T_inverse[DD_RADAU_STAGES * DD_RADAU_STAGES];
    dd_quad gamma, alpha[DD_RADAU_PAIRS], beta[DD_RADAU_PAIRS], e[DD_RADAU_STAGES];
} dd_radau_exact;

dd_status dd_radau_exact_init(dd_radau_exact *out, uint32_t s);

#endif
