/* problem.h - what an integrator sees of a model: numbers in, numbers out, no symbols.
 *
 *     F(w', w, t) = 0,   w = (x, z),  n rows, of index 1 (dF/dx' and dF/dz together regular)
 *     c(w, t) = 0        invariants of x: true along exact solutions, used for projection
 *
 * Derivatives: M = dF/dw' and J = dF/dw, both on one CSC pattern. Callbacks cannot fail: what cannot be evaluated is
 * NaN or infinite in the result, and the integrator sees it there.
 */
#ifndef DD_INTEG_PROBLEM_H
#define DD_INTEG_PROBLEM_H

#include "la/csc.h"
#include <math.h>

enum { DD_MOST_LD = 128 };

typedef struct dd_problem {
    void *user;
    uint32_t n;
    const uint8_t *differential; /* n: 1 where w_j' appears in F (x), 0 for z */
    const double *nominal;       /* n: expected size of w_j, positive */
    dd_csc pattern;              /* n x n, of M and J together; values unused; the arrays are the problem's own */
    /* n, or NULL: none is known. Explicit rates: the row of F that reads w_j' - f = 0 with an f that contains no rate of
     * this kind; DD_NO_INDEX where there is none */
    const uint32_t *rate_row;
    bool rough_z; /* rows of F were differentiated: z may be forces and accelerations, as rough as derivatives of x, and
                        is not measured by what is asked of x (as in other codes above index 1) */
    bool m_constant; /* M is the same everywhere */
    bool j_constant; /* so is J (linear with constant coefficients) */

    /* f[n] at one point */
    void (*residual)(void *user, double t, const double *w, const double *wdot, double *f);
    /* the same at `lanes` points: t[k], w[j*ld + k], wdot and f likewise; ld a multiple of 4 and at most DD_MOST_LD, pads
     * (k >= lanes) are readable and writable */
    void (*residuals)(void *user, uint32_t lanes, size_t ld, const double *t, const double *w, const double *wdot,
                      double *f);
    /* values of M and J on the pattern */
    void (*jacobian)(void *user, double t, const double *w, const double *wdot, double *m, double *j);

    uint32_t n_invariants;
    dd_csc invariant_pattern; /* n_invariants x n */
    void (*invariants)(void *user, double t, const double *w, double *c);
    void (*invariant_jacobian)(void *user, double t, const double *w, double *values);

    /* First integrals: sums c^T x with constant c that stay as they are, at the stages of a method too, since a combination
     * of rows of F reads lambda^T F = c^T x' (sparse vectors, n_linear of them) ... */
    uint32_t n_linear;
    const uint32_t *linear_row_ptr, *linear_row; /* lambda */
    const double *linear_factor;
    const uint32_t *linear_ptr, *linear_idx; /* c */
    const double *linear_val, *linear_start; /* start: their values, while `linear_known` */
    bool linear_known;
    /* ... and others that the model's equations have: I(w, t) less its value at the start. The projections of integrators
     * keep the invariants and, behind them, these; while `kept_known`. */
    uint32_t n_kept; /* n_invariants + integrals; 0 without integrals */
    bool kept_known;
    dd_csc kept_pattern; /* n_kept x n */
    void (*kept)(void *user, double t, const double *w, double *c);
    void (*kept_jacobian)(void *user, double t, const double *w, double *values);

    /* Algebraic unknowns that were put into F: their values and sizes, for integrators that look at their errors. Where
     * they are steep in x these are larger than the errors of x let expect. */
    uint32_t n_assigned;
    const double *assigned_nominal;
    void (*assigned)(void *user, double t, const double *w, const double *wdot, double *out);

    /* Derivatives by parameters p, for the sensitivities; 0: none are wanted, and the callbacks may be NULL. A start value
     * that is asked for is a parameter too, one that no equation contains. */
    uint32_t n_parameters;
    /* dF/dp: out[n * n_parameters], one column per parameter */
    void (*parameter_derivatives)(void *user, double t, const double *w, const double *wdot, double *out);
    /* dc/dp: out[n_invariants * n_parameters] */
    void (*invariant_derivatives)(void *user, double t, const double *w, double *out);
    /* dG/dw dw + dG/dp_k on the pattern of G = dc/dw, for k = parameter */
    void (*invariant_change)(void *user, double t, const double *w, const double *dw, uint32_t parameter,
                             double *values);
} dd_problem;

/* Does z share rows with rates whose coefficients change, as in M(x) x' + G(x) z = f? Matrices of Newton's method from another
 * point then lead the first correction of x', which is that of x divided by h, into z. The second takes it out again:
 * the quotient of the two says nothing about the rate of convergence. */
static inline bool dd_problem_is_coupled(const dd_problem *p)
{
    bool has_z = false;
    for (uint32_t j = 0; j < p->n; j++) {
        has_z = has_z || !p->differential[j];
    }
    return has_z && !p->m_constant;
}

/* The scale of w_j where steps are given and no tolerance is: its nominal value (NULL: 1), or its size where that is
 * larger. Smooth, since the projection onto the invariants, which measures with it, is differentiated. */
static inline double dd_fixed_scale(double w, const double *nominal, uint32_t j)
{
    return hypot(w, nominal ? nominal[j] : 1.0);
}

#endif
