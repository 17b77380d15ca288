/* irk_impl.h - the data of the implicit Runge-Kutta integrator, for its files: irk.c (steps and control),
 * irk_newton.c (stage equations), irk_dense.c (dense output), irk_record.c (the step for its derivatives).
 *
 * Unknowns: u[i*n + j] is h x'_j of stage i where w_j is differential, z_j of stage i where it is not. Points in
 * batches have one row of `ld` numbers per unknown: [j*ld + i]. */
#ifndef DD_INTEG_IRK_IMPL_H
#define DD_INTEG_IRK_IMPL_H

#include "integ/explicit_rhs.h"
#include "integ/irk.h"
#include "integ/irk_matrix.h"
#include "integ/project.h"
#include "la/pencil.h"

typedef struct irk {
    dd_integrator base;
    dd_integ_options options;
    const dd_tableau *tableau;
    struct irk *self; /* Hermite's interpolation solves for z */
    uint32_t n, s, ld;
    uint32_t first; /* 1: the first stage is the end of the last step and not solved for, else 0 */
    bool end_open;  /* the method says nothing on w' and z at the end of a step */
    dd_rhs *rhs;
    dd_projector *projector;

    /* coupled stages */
    dd_stage_matrix *matrix;
    /* one stage after the other: a factor for each different A_ii */
    dd_pencil *stage_solver[DD_TABLEAU_STAGES];
    uint32_t solver_of[DD_TABLEAU_STAGES], n_solvers;
    bool solver_valid[DD_TABLEAU_STAGES];

    double *atol, *weight;
    double *m, *j;         /* values on the pattern, of each stage when coupled */
    double *u, *du;        /* s*n */
    double *point, *rate;  /* ld*n, batches; the first n also for single points */
    double *f;             /* ld*n */
    double *times;         /* ld */
    double *w_new, *v_new; /* n: the end of the step */
    double *err, *e;       /* n, s: estimate; b - bhat */
    double *shift, *work;  /* n */
    double *scale;         /* n: D of the projection's norm */
    double *w_old, *v_old; /* n: the last step */
    double *u_last;        /* s*n */
    double *followed;      /* s*n: the stages of a shorter step, on the way to a given one */

    /* Newton */
    bool each_stage;             /* m and j have the values of each stage, not of one point */
    bool damped;                 /* a later attempt at the stages of a given step */
    double followed_from;        /* the last attempt: the length of the shorter step that the guess is from; else 0 */
    bool factored, stale, fresh; /* factors exist; renew them before the next step; the Jacobian is of this step */
    double h_factored, theta, goal;

    /* control */
    bool started, after_rejection;
    bool end_solved; /* w' and z at the end of the last step were solved for */
    dd_step_verdict why;
    double rtol_now, atol_now, exponent, beta, err_accepted, h_last;

    /* quadrature for integrals of Lagrange polynomials of degree s - 1 */
    double node[DD_TABLEAU_STAGES], node_weight[DD_TABLEAU_STAGES], barycentric[DD_TABLEAU_STAGES];
    uint32_t n_nodes;
} irk;

/* ---- irk_newton.c ---- */
/* All stages of the step of size h, in u. */
dd_step_verdict dd_irk_stages(irk *r, double h);
/* err := (1/(h A_ss) M + J)^-1 1/(h A_ss) M err, which keeps the estimate bounded for stiff components. */
void dd_irk_filter(irk *r, double h);

/* ---- irk_dense.c ---- */
void dd_irk_dense_setup(irk *r);
/* l_i(theta) and their integrals from 0 to theta; s each */
void dd_irk_lagrange(const irk *r, double theta, double *values);
void dd_irk_lagrange_integrals(const irk *r, double theta, double *integrals);
void dd_irk_interpolate(const dd_integrator *it, double t, double *w, double *wdot);
/* Does z between the ends of a step follow from the equations, where the method has no polynomial of it? */
bool dd_irk_z_follows(const irk *r);
/* w' and z at the end of a step as sums of those of the stages; false: they are those of the last one, or solved for. */
bool dd_irk_end_weights(const irk *r, double *weight);

/* ---- irk_record.c ---- */
void dd_irk_record(dd_integrator *it, bool dense, dd_step_record *out);
void dd_irk_weights(const dd_integrator *it, double t, dd_step_dense *out);

#endif
