/* sens_impl.h - the data of the sensitivities, for the files of this folder: sens.c (steps), sens_stages.c (linear
 * equations of stages), sens_project.c (projection), sens_moving.c (ends of steps that depend on p).
 *
 * A block of columns has one vector of n numbers per parameter. Stage data: the block of stage i begins at i * np *
 * n. */
#ifndef DD_SENS_SENS_IMPL_H
#define DD_SENS_SENS_IMPL_H

#include "integ/irk_matrix.h"
#include "integ/step_record.h"
#include "la/pencil.h"
#include "sens/sens.h"

enum { SENS_MATRICES = 3, SENS_TIMES = DD_RECORD_INPUTS + 1 };

typedef struct sens_projection sens_projection;

/* The matrix of all stages for one A. */
typedef struct sens_matrix {
    dd_stage_matrix *matrix;
    uint32_t s;
    double *A; /* s x s */
} sens_matrix;

struct dd_sens {
    dd_context *ctx;
    const dd_problem *problem;
    uint32_t n, np;
    size_t block; /* n * np */
    size_t nnz;   /* of the pattern: it may be another one when this is freed */
    uint32_t most_stages, coupled_stages, inputs;
    dd_step_record record; /* of the last step */
    bool stepped, extended;

    double *s, *sdot, *s_old, *sdot_old; /* at the ends of the last step */
    double *y, *y_old;                   /* inputs blocks: dy/dp after and before it */
    double *value, *rate;                /* most_stages blocks: dW_i/dp, h dK_i/dp */
    double *shift;                       /* a block: what projection added */
    double *m, *j;                       /* on the pattern, of each stage when coupled */
    double *fp;                          /* dF/dp, a block for each stage when coupled */
    double *val;                         /* on the pattern */
    double *base, *residual;             /* n; coupled stages * n */
    double *point, *slope;               /* n: of the solution */
    bool solve;                          /* z and x' follow from x */
    /* where times depend on p */
    bool moving;
    double t_old, t;   /* of the last step */
    double span;       /* its length, also behind a new start */
    double *moment;    /* (SENS_TIMES) * np: dt/dp of the end of the last step, of its beginning, of points before */
    double *extra;     /* a block: what moving times of a history add to the stage and to the end */
    double *time_rate; /* n: dF/dt */
    double *sample;    /* 2n */
    dd_pencil *solver;
    sens_matrix matrix[SENS_MATRICES];
    sens_projection *projection;
};

static inline double *sens_column(const dd_sens *q, double *data, uint32_t i, uint32_t p)
{
    return data + (size_t)i * q->block + (size_t)p * q->n;
}

/* dt/dp of the end (0) or the beginning (1) of the last step. */
static inline double sens_moment(const dd_sens *q, uint32_t point, uint32_t p)
{
    return q->moment[(size_t)point * q->np + p];
}

/* dh/dp where the stages scale with h */
static inline double sens_stretch(const dd_sens *q, uint32_t p)
{
    return q->moving && !q->record.times ? sens_moment(q, 0, p) - sens_moment(q, 1, p) : 0.0;
}

/* ---- sens_moving.c ---- */
/* The moments of a start, of a step's end. */
void dd_sens_moment_start(dd_sens *q, const double *moment);
void dd_sens_moment_step(dd_sens *q, const double *moment);
/* q->extra of the last step; 0 but for histories. */
void dd_sens_moving_history(dd_sens *q);
/* Adds to dF/dp (a block) of stage i what its time and h add; m: M there. */
void dd_sens_moving_stage(dd_sens *q, uint32_t i, const double *m, double *fp);
/* Adds dF/dt dt/dp for the end of the step to dF/dp (a block). */
void dd_sens_moving_end(dd_sens *q, double t, const double *w, const double *wdot, double *fp);
/* From derivatives along the moving times to fixed time, at the point that interpolate has. */
void dd_sens_to_fixed_end(dd_sens *q, dd_integrator *it, double *s, double *sdot);
void dd_sens_to_fixed(dd_sens *q, dd_integrator *it, double t, const dd_step_dense *dense, double *s, double *sdot);

/* ---- sens_stages.c ---- */
/* All stages one after the other, from..to-1. */
dd_step_verdict dd_sens_sequential(dd_sens *q, uint32_t from, uint32_t to);
/* All at once. */
dd_step_verdict dd_sens_coupled(dd_sens *q, dd_integrator *it);
void dd_sens_matrices_free(dd_sens *q);

/* ---- sens_project.c ---- */
dd_status dd_sens_projection_new(sens_projection **out, dd_context *ctx, const dd_problem *problem);
void dd_sens_projection_free(sens_projection *x); /* NULL is fine */
/* dshift/dp (a block) at the end of the step, where s holds de/dp before the projection; w: after it. Its time moves as
 * q->moment says. */
dd_step_verdict dd_sens_project(dd_sens *q, double t, const double *w);

#endif
