/* stability.h - the stability function R(z) = det(I - z(A - 1 b^T)) / det(I - zA) and what follows from it. */
#ifndef DD_METHODS_STABILITY_H
#define DD_METHODS_STABILITY_H

#include "methods/tableau.h"

typedef struct dd_stability {
    uint32_t numerator_degree, denominator_degree;
    /* constant terms first, both 1; common factors removed */
    dd_quad numerator[DD_TABLEAU_STAGES + 1], denominator[DD_TABLEAU_STAGES + 1];
    uint32_t cancelled;     /* degree of the common factors that were removed */
    bool a_stable;          /* |R(z)| <= 1 for re z <= 0 */
    bool l_stable;          /* and R(z) -> 0 for z -> infinity */
    double at_infinity;     /* |R(infinity)|, HUGE_VAL when it has no limit */
    double real, imaginary; /* |R| <= 1 on [-real, 0] and on i [0, imaginary], as far as 10^6 (HUGE_VAL: that far) */
    double rough_numerator[DD_TABLEAU_STAGES + 1], rough_denominator[DD_TABLEAU_STAGES + 1]; /* rounded, for pictures */
} dd_stability;

/* DD_NUMERIC when roots could not be found, which has not been seen. */
dd_status dd_stability_find(dd_stability *out, dd_context *ctx, const dd_tableau *t);

/* |R(re + i im)|; HUGE_VAL at a pole. */
double dd_stability_factor(const dd_stability *stability, double re, double im);

#endif
