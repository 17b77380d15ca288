/* corrections.h - back onto constraints from nearby: simplified Gauss-Newton, corrections with factors that are kept.
 *
 * Beside gauss_newton.h because the matrix must not change: the factors at hand cost far more than a correction, and the
 * result is then a fixed formula of the point, which sensitivities differentiate. So nothing is damped; corrections that do
 * not shrink end it. Allocates nothing.
 */
#ifndef DD_NLS_CORRECTIONS_H
#define DD_NLS_CORRECTIONS_H

#include <stdint.h>

typedef struct dd_corrections {
    void *user;
    uint32_t n;
    /* The residual at x, kept by the user. Returns 0, < 0 when it is exactly zero, > 0 when it is not finite. */
    int (*residual)(void *user, const double *x);
    /* The correction dx (n) for that residual, and its size in the units of `goal`. Returns 0, or > 0 on failure. */
    int (*correct)(void *user, const double *x, double *dx, double *size);
    double *dx;         /* room: n */
    uint32_t most;      /* corrections */
    double contraction; /* each must be smaller than this part of the one before */
    double goal;        /* size that is nothing: the last one */
} dd_corrections;

typedef enum dd_corrections_end {
    DD_CORRECTIONS_ON_ROWS,    /* the residual is zero */
    DD_CORRECTIONS_DONE,       /* the last correction reached the goal */
    DD_CORRECTIONS_STALLED,    /* the last one did not shrink and was not made: rounding, or no convergence */
    DD_CORRECTIONS_NOT_FINITE, /* or a correction that failed */
    DD_CORRECTIONS_ALL_USED
} dd_corrections_end;

/* Moves x; *last: the size of the last correction made, INFINITY without one. sum: NULL, or what was added to x in all (n,
 * added to what it holds). */
dd_corrections_end dd_corrections_run(const dd_corrections *c, double *x, double *sum, double *last);

#endif
