/* fixed_newton.h - when a Newton iteration with kept factors is done, needs new ones, or has failed. For methods with
 * given steps, which solve their equations to rounding. */
#ifndef DD_INTEG_FIXED_NEWTON_H
#define DD_INTEG_FIXED_NEWTON_H

#include <math.h>

#include "base/vector.h" /* dd_all_finite */
#include "integ/problem.h"

typedef enum dd_newton_next {
    DD_NEWTON_GO_ON,
    DD_NEWTON_REFRESH, /* a new Jacobian at the iterate */
    DD_NEWTON_DONE,
    DD_NEWTON_FAILED
} dd_newton_next;

/* A correction d in units of 1/weight, the size of its unknown where the step begins, or of its value now where that is
 * larger: rounding errors are relative to it, and what begins at zero may be of any size within a step. */
static inline double dd_newton_part(double d, double weight, double value)
{
    return d * weight / fmax(1.0, fabs(value) * weight);
}

/* All but wary zero before each solution. */
typedef struct dd_newton_watch {
    uint32_t count, since, refreshes; /* corrections in all, with these factors; factors made */
    double last, theta;               /* size of the last correction, rate of convergence */
    bool wary;                        /* of other solutions: what went astray is taken back */
    bool damped; /* a last attempt: new factors always, and half of what went astray is taken back */
} dd_newton_watch;

/* size: of the correction just made, relative to the solution; goal: of the error that is left, 0: rounding. */
dd_newton_next dd_newton_judge(dd_newton_watch *watch, double size, double goal);

/* Where it asks for a new Jacobian: was the last correction hardly smaller than the one before, or larger? Then the old
 * one led astray, and the correction is taken back first: from z = 0 of 2 z^2 + z/100 = x it leads to z < 0. */
bool dd_newton_went_astray(const dd_newton_watch *watch);
/* The part of it that is taken back. Half: an odd root, sqrt(x) and -sqrt(-x), sends x to -x and back for ever. */
double dd_newton_part_back(const dd_newton_watch *watch);

/* Where it asks for a new Jacobian: are corrections small that several of them have not made smaller? Then residuals that are
 * rounding errors are all there is, as for equations of index 3. */
bool dd_newton_rests(const dd_newton_watch *watch);

/* New factors were made. */
void dd_newton_renewed(dd_newton_watch *watch);

/* The solution needed enough corrections for the next one to start with new factors. */
bool dd_newton_was_slow(const dd_newton_watch *watch);

/* A point at which F was evaluated, for dd_residual_is_rounding: entry j of each vector at [j * stride]. */
typedef struct dd_residual_point {
    const double *w,
        *v;          /* what w and w' were computed from: sums of the sizes of the terms, or the values themselves */
    const double *f; /* F */
    const double *m, *j; /* M and J on the pattern, there or nearby */
    size_t stride;
} dd_residual_point;

/* Is every F_i as small as the rounding errors of its own terms, sum_j |M_ij w'_j| + |J_ij w_j|? Then no iteration
 * comes closer, however large the corrections are that follow from it: equations of index 3 turn rounding errors eps
 * of the constraints into eps/h^2 of the multipliers. terms: n numbers of scratch. */
bool dd_residual_is_rounding(const dd_problem *problem, const dd_residual_point *at, double *terms);

/* sum_j |M_ij w'_j| + |J_ij w_j| per row */
void dd_residual_terms(const dd_problem *problem, const dd_residual_point *at, double *terms);

#endif
