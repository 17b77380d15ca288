/* noise.c - signs of rounding errors are arbitrary: two patterns represent all. */
#include "integ/noise.h"

#include <float.h>
#include <math.h>

double dd_newton_noise(const dd_problem *problem, const dd_residual_point *at, dd_pencil *solver, dd_conserve *conserve,
                       const double *weight, double *terms, double *work)
{
    const uint32_t n = problem->n;
    double most = 0;
    /* rounding errors of F_i are about eps times its terms */
    dd_residual_terms(problem, at, terms);
    /* all of one sign, and of alternating sign */
    for (uint32_t pattern = 0; pattern < 2; pattern++) {
        for (uint32_t i = 0; i < n; i++) {
            work[i] = (pattern == 1 && i % 2 == 1 ? -DBL_EPSILON : DBL_EPSILON) * terms[i];
        }
        dd_pencil_solve(solver, work, NULL);
        if (conserve) {
            dd_conserve_apply(conserve, work, NULL, 0);
        }
        double sum = 0;
        for (uint32_t j = 0; j < n; j++) {
            sum += work[j] * weight[j] * (work[j] * weight[j]);
        }
        most = fmax(most, sqrt(sum / (n > 0 ? n : 1)));
    }
    return most;
}
