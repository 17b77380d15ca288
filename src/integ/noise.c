/* noise.c - signs of rounding errors are arbitrary: two patterns represent all. */
#include "integ/noise.h"

#include <float.h>
#include <math.h>

/* Adds |t dF/dt| to the terms: where a difference of time and a number is small, 1 - t beside 1, it is time that is rounded. */
static void add_time(const dd_problem *problem, double t, const dd_residual_point *at, double *terms, double *work)
{
    const double part = 1e-8, later = t * (1 + part); /* differences have half the digits */
    double *f = work, *f_later = work + problem->n;
    if (!(fabs(t) > 0)) {
        return;
    }
    problem->residual(problem->user, t, at->w, at->v, f);
    problem->residual(problem->user, later, at->w, at->v, f_later);
    for (uint32_t i = 0; i < problem->n; i++) {
        const double term = fabs((f_later[i] - f[i]) / part);
        terms[i] += isfinite(term) ? term : 0.0;
    }
}

double dd_newton_noise(const dd_problem *problem, double t, const dd_residual_point *at, dd_pencil *solver,
                       dd_conserve *conserve, const double *weight, double *terms, double *work)
{
    const uint32_t n = problem->n;
    double most = 0;
    /* rounding errors of F_i are about eps times its terms */
    dd_residual_terms(problem, at, terms);
    add_time(problem, t, at, terms, work);
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
