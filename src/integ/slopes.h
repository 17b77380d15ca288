/* slopes.h - x' and z from x: Newton on F(x', x, z, t) = 0, whose matrix [dF/dx' dF/dz] is regular for index 1. */
#ifndef DD_INTEG_SLOPES_H
#define DD_INTEG_SLOPES_H

#include "integ/problem.h"

typedef struct dd_slopes dd_slopes;

dd_status dd_slopes_new(dd_slopes **out, dd_context *ctx, const dd_problem *problem);
void dd_slopes_free(dd_slopes *s); /* NULL is fine */

typedef struct dd_slopes_info {
    bool converged, singular, finite;
    uint32_t worst; /* the unknown that moved most last, or where the matrix is singular */
    double moved;   /* its last step, relative to its size */
    uint32_t iterations;
} dd_slopes_info;

/* Improves wdot (x') and the z part of w at t until rounding stops it; x is not touched. The given values are the guess
 * and are left as they are when it does not converge. */
dd_slopes_info dd_slopes_solve(dd_slopes *s, double t, double *w, double *wdot);

#endif
