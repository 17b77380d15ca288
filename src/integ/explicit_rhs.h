/* explicit_rhs.h - "on the fly": x' and z from F(x', x, z, t) = 0 for given x and t.
 *
 * The unknowns v = (x', z) are found by Newton's method with the matrix K = [dF/dx' | dF/dz], which is regular for
 * problems of index 1, kept factored and used again while it converges. Two cases need no iteration: K is constant (one
 * residual and one solve), or constant with one entry per row and column (one residual). */
#ifndef DD_INTEG_EXPLICIT_RHS_H
#define DD_INTEG_EXPLICIT_RHS_H

#include "integ/integrator.h"

typedef enum dd_rhs_kind {
    DD_RHS_DIAGONAL, /* all rates explicit, or no z and constant M with one entry in each row and column:
                      * x' = -F(0, x, t) / M */
    DD_RHS_CONSTANT, /* K is the same everywhere: F is linear in v */
    DD_RHS_NEWTON
} dd_rhs_kind;

typedef struct dd_rhs dd_rhs;

/* The problem must live longer. Its Jacobian is evaluated once here when M is said to be constant. */
dd_status dd_rhs_new(dd_rhs **out, dd_context *ctx, const dd_problem *problem);
void dd_rhs_free(dd_rhs *r); /* NULL is fine */

dd_rhs_kind dd_rhs_get_kind(const dd_rhs *r);
uint32_t dd_rhs_algebraic(const dd_rhs *r); /* number of z */

/* How accurate the solution must be: |D dv| <= goal, root mean square, D_j = weight[j] for z and h weight[j] for x'.
 * goal == 0: to rounding. */
typedef struct dd_rhs_accuracy {
    const double *weight; /* n */
    double h, goal;
    bool given; /* the step is, and cannot be shortened where Newton's method fails: then a longer way is tried */
    bool wary;  /* of other solutions: a correction that hardly shrinks is taken back before the matrix is renewed */
} dd_rhs_accuracy;

/* Solves for wdot_j where w_j is differential and for w_j where it is not; their values on entry are the guess. The
 * other wdot_j must be 0. OK, NEWTON_FAILED, SINGULAR, NONFINITE or OUT_OF_MEMORY; *worst names an unknown after a
 * failure. */
dd_step_verdict dd_rhs_solve(dd_rhs *r, double t, double *w, double *wdot, const dd_rhs_accuracy *accuracy,
                             dd_integ_stats *stats, uint32_t *worst);

/* Its parts, for other iterations (slopes.h): K at a point, factored where it is not constant: OK, SINGULAR,
 * NONFINITE or OUT_OF_MEMORY; and f := K^-1 f, n. */
dd_step_verdict dd_rhs_factor(dd_rhs *r, double t, const double *w, const double *wdot, dd_integ_stats *stats,
                              uint32_t *worst);
void dd_rhs_apply(dd_rhs *r, double *f);

/* The factors belong to another set of equations from here on (modes have changed, a new start). */
void dd_rhs_forget(dd_rhs *r);

#endif
