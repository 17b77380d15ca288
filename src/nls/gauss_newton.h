/* gauss_newton.h - points on constraints: damped Gauss-Newton with smallest corrections, with a new linearisation in every step.
 *
 * r(x) = 0 has fewer rows than unknowns, or rows that depend on each other, so the caller decides what the smallest
 * correction is: weights, scales, the rank that is taken. The loop decides about the length of steps and the end.
 */
#ifndef DD_NLS_GAUSS_NEWTON_H
#define DD_NLS_GAUSS_NEWTON_H

#include <stdbool.h>
#include <stdint.h>

#include "daedal/context.h"

typedef enum dd_correction {
    DD_CORRECTION_FOUND,
    DD_CORRECTION_NOT_NEEDED, /* the residual is rounding */
    DD_CORRECTION_MISSING     /* no matrix or no correction at this point */
} dd_correction;

typedef struct dd_gauss_newton {
    void *user;
    uint32_t n, rows;        /* entries of dx and of r */
    const uint32_t *unknown; /* entry of x that each entry of dx moves; NULL: the same one */

    /* r at x. Returns 0, or > 0 when something is not finite there. */
    int (*residual)(void *user, const double *x, double *r);
    /* The length of r that steps must reduce; that of a residual that is not finite is never used. */
    double (*size)(void *user, const double *r);
    /* Linearises at x and finds the smallest correction. */
    dd_status (*step)(void *user, const double *x, const double *r, double *dx, dd_correction *found);
    /* The length of dx, in the units of the limits below. */
    double (*length)(void *user, const double *x, const double *dx);

    double *x, *r;                /* the point and its residual; improved */
    double *dx, *trial, *trial_r; /* room: n, as long as x and equal to it where dx does not move it, rows */

    uint32_t most_steps;
    /* Damping. Either halves until the residual falls by `decrease` of what a linear model promises (Armijo): at most
     * `trials`, one where the step is shorter than `short_step`, since it is rounding then. Or trials == 0: every step is
     * taken, at most `longest` of it. */
    uint32_t trials;
    double decrease, short_step, longest;
    /* Ends. */
    double residual_goal; /* size of a residual that is rounding; below 0: steps alone decide */
    double step_goal,
        fast_ratio;   /* length of a step that is rounding; shorter than short_step and than fast_ratio times
                                    * the step before: the next one would be */
    double slow;      /* after slow_after steps the size must fall below this part of the last; 0: no test */
    double slow_step; /* only behind a step shorter than this; 0: behind any */
    uint32_t slow_after;
} dd_gauss_newton;

typedef enum dd_gauss_newton_end {
    DD_END_ARRIVED,    /* residual or step at the level of rounding */
    DD_END_STUCK,      /* no step reduces the residual (enough) */
    DD_END_NO_STEP,    /* DD_CORRECTION_MISSING */
    DD_END_NOT_FINITE, /* the residual at the beginning, or behind an undamped step */
    DD_END_TOO_MANY
} dd_gauss_newton_end;

typedef struct dd_gauss_newton_info {
    dd_gauss_newton_end end;
    uint32_t steps; /* corrections computed */
    double size;    /* of the last residual, */
    double step;    /* and of the last correction that was taken; 0: none was */
} dd_gauss_newton_info;

/* Fails when the context asks to stop, or with the status of `step`. */
dd_status dd_gauss_newton_run(dd_gauss_newton_info *info, dd_context *ctx, const dd_gauss_newton *g);

#endif
