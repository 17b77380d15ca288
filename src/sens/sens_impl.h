/* sens_impl.h - the data of the sensitivities, for the files of this folder: sens.c (steps), sens_stages.c (linear
 * equations of stages), sens_project.c (projection).
 *
 * A block of columns has one vector of n numbers per parameter. Stage data: the block of stage i begins at i * np * n. */
#ifndef DD_SENS_SENS_IMPL_H
#define DD_SENS_SENS_IMPL_H

#include "integ/irk_matrix.h"
#include "integ/step_record.h"
#include "la/pencil.h"
#include "sens/sens.h"

enum { SENS_MATRICES = 3 };

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
    dd_pencil *solver;
    sens_matrix matrix[SENS_MATRICES];
    sens_projection *projection;
};

static inline double *sens_column(const dd_sens *q, double *data, uint32_t i, uint32_t p)
{
    return data + (size_t)i * q->block + (size_t)p * q->n;
}

/* ---- sens_stages.c ---- */
/* All stages one after the other, from..to-1. */
dd_step_verdict dd_sens_sequential(dd_sens *q, uint32_t from, uint32_t to);
/* All at once. */
dd_step_verdict dd_sens_coupled(dd_sens *q, dd_integrator *it);
void dd_sens_matrices_free(dd_sens *q);

/* ---- sens_project.c ---- */
dd_status dd_sens_projection_new(sens_projection **out, dd_context *ctx, const dd_problem *problem);
void dd_sens_projection_free(sens_projection *x); /* NULL is fine */
/* dshift/dp (a block) at the end of the step, where s holds de/dp before the projection; w: after it. */
dd_step_verdict dd_sens_project(dd_sens *q, double t, const double *w);

#endif
