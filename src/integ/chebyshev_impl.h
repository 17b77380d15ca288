/* chebyshev_impl.h - the data of windows, for their files: chebyshev.c (windows and control), chebyshev_newton.c (their
 * equations), chebyshev_dense.c (between the points; the window for its derivatives). */
#ifndef DD_INTEG_CHEBYSHEV_IMPL_H
#define DD_INTEG_CHEBYSHEV_IMPL_H

#include "integ/chebyshev.h"
#include "integ/irk_matrix.h"
#include "integ/project.h"
#include "la/pencil.h"

typedef struct chebyshev {
    dd_integrator base;
    dd_integ_options options;
    uint32_t n, last; /* last: K */
    dd_stage_matrix *matrix;
    dd_pencil *march; /* for the guess by implicit Euler */
    dd_projector *projector;
    double *D; /* (K + 1) x (K + 1) */
    double *A; /* K x K: integrals, for derivatives of the window */
    double node[DD_CHEBYSHEV_POINTS], weight_x[DD_CHEBYSHEV_POINTS]; /* barycentric weights of all points, */
    double weight_z[DD_CHEBYSHEV_POINTS];                            /* and of those but the first */
    double *value, *rate;                                            /* (K + 1) x n: w and w' at the points */
    double *value_last, *rate_last;                                  /* the same of the last window */
    double *shift;                                                   /* n: what projection added at its end */
    double *du, *f, *m, *j;                                          /* K*n, K*n, K*nnz */
    double *atol, *weight, *scale, *work;
    double *projected_scale; /* n: scale of the last projection */
    double rtol_now, atol_now, h_last;
    bool started, after_rejection;
    dd_step_verdict why;
} chebyshev;

/* The n numbers of point k. */
static inline double *chebyshev_at(double *rows, const chebyshev *c, uint32_t k)
{
    return rows + (size_t)k * c->n;
}

/* ---- chebyshev_newton.c ---- */
/* Guesses of all points: along the tangent, or by implicit Euler from point to point (false when it gets stuck). */
void dd_chebyshev_guess_line(chebyshev *c, double h);
bool dd_chebyshev_guess_march(chebyshev *c, double h);
/* The window of length h from the guess in value. */
dd_step_verdict dd_chebyshev_solve(chebyshev *c, double h);

/* ---- chebyshev_dense.c ---- */
void dd_chebyshev_interpolate(const dd_integrator *it, double t, double *w, double *wdot);
/* c->A, for problems with parameters. */
void dd_chebyshev_make_integrals(chebyshev *c);
void dd_chebyshev_record(dd_integrator *it, bool dense, dd_step_record *out);
void dd_chebyshev_dense(const dd_integrator *it, double t, dd_step_dense *out);

#endif
