/* bdf_impl.h - the data of the BDF integrator, for its files: bdf.c (steps and control), bdf_newton.c (the equations
 * of a step), bdf_history.c (backward differences, dense output, the step for its derivatives). */
#ifndef DD_INTEG_BDF_IMPL_H
#define DD_INTEG_BDF_IMPL_H

#include "integ/bdf.h"
#include "integ/conserve.h"
#include "integ/explicit_rhs.h"
#include "integ/project.h"
#include "la/pencil.h"

enum { BDF_MOST_ORDER = 5, BDF_ROWS = BDF_MOST_ORDER + 3 };
static const double BDF_NEWTON_GOAL = 0.02; /* error of d, in units of the tolerance in force */

typedef struct bdf {
    dd_integrator base;
    dd_integ_options options;
    uint32_t n;
    dd_pencil *solver;
    dd_projector *projector;
    dd_conserve *conserve; /* NULL: no linear integrals */
    dd_rhs *rhs;           /* for the start */
    double *atol, *weight;
    double *m, *j;               /* values on the pattern */
    double *difference;          /* BDF_ROWS x n */
    double *predicted, *psi, *d; /* n: w0, sum gamma_k D_k, w - w0 */
    double *w_new, *v_new, *f;   /* n */
    double *shift, *scale;       /* n: what projection added, D of its norm */
    double *w_old;               /* n: before the last step */
    double *stage_w, *stage_v;   /* n: the end of that step before x' and z were solved for, if they were */
    double alpha[BDF_MOST_ORDER + 1], gamma[BDF_MOST_ORDER + 1], error[BDF_MOST_ORDER + 1];
    double rtol_now, atol_now;
    double rtol_part; /* rtol_now where rounding allows it */

    bool started, jacobian_current, jacobian_known, rate_known;
    uint32_t order, order_last;        /* for the next step; of the last one */
    uint32_t even;                     /* steps since h or order changed */
    double h_now;                      /* distance of the history */
    double mix[BDF_ROWS][BDF_ROWS];    /* what the last step did to the history before it began */
    double sigma_factored;             /* 0: no factors */
    double rate, rate_at, jacobian_at; /* of Newton's corrections, and the times of its measurement and of m and j */
    bool after_rejection;
    bool coupled;                    /* dd_problem_is_coupled() */
    bool solve_ends;                 /* z and x' follow from x after every projection: it has shown in the error of z */
    bool end_solved;                 /* in the last step */
    double rejected_h, rejected_err; /* of the first rejection of this step; h 0: none by its error */
    dd_step_verdict why;
} bdf;

/* ---- bdf_history.c ---- */
/* Coefficients of all orders. */
void dd_bdf_setup(bdf *b);
/* D_k, n numbers */
double *dd_bdf_row(const bdf *b, uint32_t k);
/* The first two rows, from w and w'. */
void dd_bdf_begin_history(bdf *b, double h);
/* The same polynomial by differences over another h. */
void dd_bdf_rescale(bdf *b, double h);
/* w0 and psi. */
void dd_bdf_predict(bdf *b);
/* The differences at the new point. */
void dd_bdf_append(bdf *b);
void dd_bdf_interpolate(const dd_integrator *it, double t, double *w, double *wdot);
void dd_bdf_record(dd_integrator *it, bool dense, dd_step_record *out);
void dd_bdf_dense(const dd_integrator *it, double t, dd_step_dense *out);

/* ---- bdf_newton.c ---- */
/* Root mean square of u + v (v: NULL is 0) in the weights, over x or (all) over x and z. */
double dd_bdf_norm(const bdf *b, const double *u, const double *v, bool all);
/* Solves for d, w_new and v_new: with the factors there are, then with a new Jacobian. */
dd_step_verdict dd_bdf_newton(bdf *b, double h, double t);

#endif
