/* explicit_impl.h - the data of the explicit integrator, for its files: explicit.c (steps), explicit_control.c (error,
 * step size, stiffness), explicit_dense.c (continuous extension), explicit_record.c (the step for its derivatives).
 *
 * Stage derivatives: k[i*n + j]; 0 where w_j is algebraic. */
#ifndef DD_INTEG_EXPLICIT_IMPL_H
#define DD_INTEG_EXPLICIT_IMPL_H

#include "integ/explicit.h"
#include "integ/explicit_rhs.h"
#include "integ/project.h"

/* x(t_n + theta h) = x_n + h sum_i k_i sum_d B[i*degree + d-1] theta^d, with further stages s..: k_i is evaluated
 * at t_n + c h, x_n + h sum_j A_ij k_j, or is the slope at the end of the step. */
typedef struct explicit_extension {
    uint32_t stages, degree;
    double *A, *c, *B; /* (stages - s) x stages; stages - s; stages x degree */
} explicit_extension;

typedef struct explicit_rk {
    dd_integrator base;
    struct explicit_rk *self; /* to compute the extension's stages when first asked for them */
    dd_integ_options options;
    const dd_tableau *tableau;
    uint32_t n, n_algebraic, n_differential;
    dd_rhs *rhs;
    dd_projector *projector;
    explicit_extension extension;
    bool started, extended; /* there is a last step; its extension has been computed */
    bool end_solved;        /* its end is not the last stage */

    double *atol, *weight;
    double *k;         /* extension.stages * n */
    double *stage;     /* n: the point of a stage */
    double *slope;     /* n: x' while it is solved for */
    double *w_old;     /* n: start of the last step */
    double *wdot_old;  /* n */
    double *shift;     /* n: what projection added */
    double *work;      /* n */
    double *point;     /* n: interpolated values, */
    double *rate;      /* n: and slopes */
    double *points;    /* extension.stages * n: points of the stages, for problems with parameters alone */
    double *scale;     /* n: D of the projection's norm */
    double *e, *e_low; /* s: b - bhat, b - bhat_low */

    /* control */
    double rtol_now, atol_now; /* tolerances in force: rtol, and a factor of atol */
    double exponent, beta, err_accepted, h_last;
    bool after_rejection;
    dd_step_verdict why; /* of the last rejection */
    double reach;        /* R(z) is at most 1 in size for -reach <= z <= 0 */
    uint32_t companion;  /* the stage at t + h that differs from x_{n+1}, DD_NO_INDEX: none */
    uint32_t stiff_hits, smooth_hits;
    uint32_t creeping;       /* steps in a row without motion, */
    uint32_t still;          /* and with less than the tolerance sees */
    uint64_t creep_rejected; /* rejected before these */
    uint64_t rejected_seen;  /* steps rejected when stiffness was last looked at */
} explicit_rk;

/* ---- explicit.c ---- */
/* One evaluation: k (n) and z of stage at t. guess of x': slope. */
dd_step_verdict dd_explicit_evaluate(explicit_rk *e, double t, double h, double *stage, double *k);
/* out += h sum_j a[j] k_j over count stages */
void dd_explicit_add(const explicit_rk *e, double h, const double *a, uint32_t count, double *out);
/* out := w + h sum_j a[j] k_j over count stages, z unchanged */
void dd_explicit_combine(const explicit_rk *e, const double *w, double h, const double *a, uint32_t count, double *out);

/* ---- explicit_control.c ---- */
void dd_explicit_control_setup(explicit_rk *e);
void dd_explicit_weights(explicit_rk *e, const double *other);
double dd_explicit_first_step(explicit_rk *e, double bound);
double dd_explicit_error(explicit_rk *e, double h);
void dd_explicit_watch_stiffness(explicit_rk *e, double h);

/* ---- explicit_dense.c ---- */
dd_status dd_explicit_extension_new(explicit_rk *e);
void dd_explicit_extension_free(explicit_rk *e);
void dd_explicit_interpolate(const dd_integrator *it, double t, double *w, double *wdot);
/* The stages of the extension, once per step. */
void dd_explicit_extend(explicit_rk *e);
/* Is extra stage q the end of the step, where the slope is known? */
bool dd_explicit_is_end(const explicit_rk *e, uint32_t q);
/* sum_i k_i weight[i] is (x(t_n + theta h) - x_n) / h, sum_i k_i slope[i] its derivative by theta */
void dd_explicit_extension_weights(const explicit_rk *e, double theta, double *weight, double *slope);

/* ---- explicit_record.c ---- */
void dd_explicit_record(dd_integrator *it, bool dense, dd_step_record *out);
void dd_explicit_weights_at(const dd_integrator *it, double t, dd_step_dense *out);

#endif
