/* radau_impl.h - the data of the Radau integrator, for its files: radau.c (steps and control), radau_order.c (orders),
 * radau_error.c (error estimates), radau_newton.c (stage equations), radau_dense.c (the collocation polynomial),
 * radau_record.c (the step for its derivatives).
 *
 * Stage data (Z, K, W, F) has one row of `ld` numbers per unknown, one number per stage: [j*ld + i]. Transformed data
 * (U, right-hand sides) has one row of n numbers per component: [c*n + j].
 */
#ifndef DD_INTEG_RADAU_IMPL_H
#define DD_INTEG_RADAU_IMPL_H

#include "integ/conserve.h"
#include "integ/project.h"
#include "integ/radau.h"
#include "integ/radau_coefficients.h"
#include "la/pencil.h"

enum { DD_RADAU_ORDERS = 3, DD_RADAU_MOST = 7, DD_RADAU_LD = 8 };
/* Steps between two looks at the errors of assigned unknowns. */
enum { DD_RADAU_SELDOM = 16 };

/* The coefficients of one order, padded: stage s-1 is repeated in the pads. */
typedef struct radau_order {
    dd_radau_coefficients k;
    uint32_t ld;
    double t[DD_RADAU_MOST * DD_RADAU_LD];         /* T: [c*ld + i] */
    double t_lambda[DD_RADAU_MOST * DD_RADAU_LD];  /* T Lambda, so K = T Lambda U / h */
    double t_inverse[DD_RADAU_MOST * DD_RADAU_LD]; /* T^-1: [i*ld + c], zero in the pads */
    double per_denominator[DD_RADAU_MOST];         /* 1/prod (c_k - c_m) c_k: the polynomial through 0 and the nodes */
    double per_lower[DD_RADAU_MOST];               /* the same without the last node */
    double per_slope, bulge; /* 1/|prod c_k|, and the largest |theta prod (theta - c_k)| on [0, 1] */
} radau_order;

typedef struct radau {
    dd_integrator base;
    dd_integ_options options;
    uint32_t n;
    radau_order order[DD_RADAU_ORDERS];
    uint32_t now, least, most; /* indices into order */
    dd_pencil *real, *pair[(DD_RADAU_MOST - 1) / 2];
    dd_projector *projector;
    dd_conserve *conserve; /* NULL: no linear integrals */

    double *memory; /* of all arrays below */
    size_t memory_length;
    double *atol, *weight;     /* n; s*n: weight_j = 1/(atol_j + rtol |w_j|) in the tolerances in force, s times */
    double *peak, *share;      /* n: the largest |w_j| so far, and what is left of atol_j for it */
    double weight_slope;       /* d(1/weight)/d|w| */
    double newton_goal;        /* size of the last step of Newton, in weights */
    uint32_t share_order;      /* index of the order that they are for, plus one */
    double rtol_now, atol_now; /* rtol, and the factor of atol, transformed for the order */
    double *m, *j;             /* values of M and J */
    double *u, *du;            /* s*n */
    double *z, *k, *stage, *f; /* n*ld */
    double *w_old, *shift;     /* n: start of the last step; what projection added at its end, */
    double *scale;             /* n: in the norm with this D */
    double scale_slope;        /* dD/d|w| */
    double *err, *work, *work2;
    double dense_error, dense_rough; /* of the step that is tried; see base */
    /* errors of components that follow a forcing term, in units of the tolerance: of the last step, and for the next */
    double forced_before, forced_size;
    /* algebraic unknowns that were put into the rows: at a point and on both sides of it, 3 n_assigned; looked at so many
     * steps ago; and min atol/nominal */
    uint32_t n_assigned, unlooked;
    double *assigned, assigned_atol;

    /* the last accepted step, for the polynomial */
    double h_last;
    uint32_t last; /* its order index; DD_NO_INDEX before the first step */
    double *z_last;

    /* control */
    bool first, after_rejection, jacobian_fresh, factors_valid;
    bool coupled; /* dd_problem_is_coupled() */
    double h_factored;
    uint32_t order_factored;
    double theta, faccon, theta_trend, err_accepted, h_accepted;
    double err_own; /* the estimate of the last accepted step, of order `own`; 0: none */
    uint32_t own;
    uint32_t since_change, nonfinite, singular;
} radau;

typedef enum radau_newton_end { RADAU_CONVERGED, RADAU_SLOW, RADAU_DIVERGED, RADAU_NONFINITE } radau_newton_end;

typedef struct radau_newton_result {
    radau_newton_end end;
    uint32_t iterations;
    double shrink; /* slow: factor for h with which it should converge */
} radau_newton_result;

/* ---- radau_newton.c ---- */
radau_newton_result dd_radau_newton(radau *r, double h);
/* The most iterations with s stages, as in RADAU: 7, 12, 17. */
uint32_t dd_radau_most_iterations(uint32_t s);
/* U, K and the stages for a first guess: the slope at the start, or the last polynomial continued. */
void dd_radau_predict(radau *r, double h);
double dd_radau_norm(const radau *r, const double *v, uint32_t rows);

/* ---- radau_order.c ---- */
/* The order of this index from the next step on: coefficients, tolerances, Newton's goal. */
void dd_radau_use_order(radau *r, uint32_t index);
/* After an accepted step of size h: the order of the next one. */
void dd_radau_choose_order(radau *r, double h);
/* Weights of the error norm, at the point where the integrator is. */
void dd_radau_set_weights(radau *r);
double dd_radau_first_step(const radau *r, double bound);

/* ---- radau_error.c ---- */
/* The estimate of the step that was tried, in r->err, and its size in units of the tolerance in force. */
double dd_radau_estimate(radau *r, double h);
/* Of components that follow a forcing term, in units of the tolerance asked for; size: of the estimate before. Changes
 * r->err; 0 where it does not matter. */
double dd_radau_forced(radau *r, double h, double size);
/* The factor by which the next step may be longer than h on that account. */
double dd_radau_forced_growth(radau *r, double forced, double h_before, double h);

/* ---- radau_dense.c ---- */
void dd_radau_polynomial_setup(radau_order *o);
/* weights[k] with P(theta) = sum weights[k] Z_k; and of P' */
void dd_radau_polynomial(const radau_order *o, double theta, double *weights);
void dd_radau_polynomial_slope(const radau_order *o, double theta, double *weights);
void dd_radau_interpolate(const dd_integrator *it, double t, double *w, double *wdot);

/* What the polynomial of the step that is tried is off, into r->dense_error and r->dense_rough. */
void dd_radau_look_inside(radau *r, double h);

/* ---- radau_record.c ---- */
void dd_radau_record(dd_integrator *it, bool dense, dd_step_record *out);
void dd_radau_dense(const dd_integrator *it, double t, dd_step_dense *out);
void dd_radau_correct(dd_integrator *it, double *r);

#endif
