/* multistep.h - backward differentiation formulas with fixed step:
 *
 *     h x'_{n+1} = sum_{j = 0..m} alpha[j] x_{n+1-j},     from  sum_{k = 1..m} (1/k) nabla^k x_{n+1} = h x'_{n+1}. */
#ifndef DD_METHODS_MULTISTEP_H
#define DD_METHODS_MULTISTEP_H

#include "daedal/status.h"
#include "methods/quad.h"

enum { DD_BDF_STEPS = 6 }; /* the formulas with more steps are unstable for every step size */

typedef struct dd_bdf {
    uint32_t steps;                                   /* m, also the order */
    double alpha[DD_BDF_STEPS + 1];                   /* m + 1 of them, that of the new value first */
    int64_t numerator[DD_BDF_STEPS + 1], denominator; /* the same as fractions: alpha[j] = numerator[j] / denominator */
    double angle; /* A(angle)-stable, in degrees: 90 for m <= 2 (A-stable), 86.03, 73.35, 51.84, 17.84 */
} dd_bdf;

/* DD_INVALID_ARGUMENT unless 1 <= steps <= 6. */
dd_status dd_bdf_init(dd_bdf *out, uint32_t steps);

/* M of "bdf-M"; 0 when the name has another form or M is out of range. */
uint32_t dd_bdf_steps(const char *name);

/* The largest modulus of the roots of  sum_j alpha_j zeta^(m-j) = z zeta^m , that is the factor by which the formula
 * multiplies the solution of x' = lambda x, z = h lambda = re + i im, in the long run. */
double dd_bdf_factor(const dd_bdf *bdf, double re, double im);

#endif
