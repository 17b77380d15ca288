/* mhe.h - a moving-horizon estimator: the state and parameters from the newest samples (ocp/window.h), and from all older ones
 * by the arrival cost.
 *
 *     prior      v = (x, p) at the first sample of the window ~ N(mean, P), P on the tangent space of the invariants
 *     full       the first sample leaves: its measurements update the prior, the model carries it on to the next one (an
 *                extended Kalman step, linearised at the solution of the window; mhe_arrival.c)
 *
 * P, mean and all that follows are in the scales of the program.
 */
#ifndef DD_CONTROL_MHE_H
#define DD_CONTROL_MHE_H

#include "control/function.h"
#include "control/mhe_model.h"
#include "ocp/window.h"

/* Prior of v = (x, p), n = nx + np numbers, and work memory of its step. */
typedef struct dd_arrival {
    uint32_t n, n_measured;
    double *mean, *p, *a;         /* n, n by n: covariance and its inverse on the tangent space */
    double *null, *basis, *small; /* n by n each */
    double *row, *gain, *star;    /* n each */
    double *packed;               /* for dd_window_set_arrival */
    double *f, *g;                /* n by n and n by nu: d v_next/d(v, w) */
    double *jacobian, *rows;      /* of the program: slopes and values */
    double *matrix, *right;       /* of one interval: points, and columns (x, p, w) */
    double *slope, *value;        /* of h or c by (x, z, p) */
    double *invariant;            /* of c by v */
    uint32_t *row_of;             /* per row of the program: its number in an interval */
    int *pivot;
    double *null_work; /* of dd_null_dense */
    int *null_pivot;
} dd_arrival;

typedef struct dd_mhe {
    dd_context *ctx;
    dd_pool *pool;
    dd_mhe_model *model;
    dd_ocp_problem *o;
    dd_window window;
    dd_transcription *t;
    dd_nlp_result result;
    const dd_nlp_solver *solver;
    dd_nlp_memory memory;              /* of the solver */
    dd_local_function *h, *c, *states; /* measured; invariants; states of the class */
    const double *sigma;               /* of the measurements */
    uint32_t samples, size;            /* in the window now, and at most */
    uint32_t degree, n_data;
    double dt, tolerance;
    uint32_t max_iterations;
    double *y;            /* size by n_measured; NaN: missing */
    double *data, *times; /* size by degree by n_data; size: the sample at the end of the interval */
    double *before;       /* the point and multipliers before a solve */
    double *w, *u;        /* x, z, p and noise with data at one place */
    double *node_y, *node_c, *point_times;
    dd_arrival arrival;
    dd_nlp_status status; /* of the last solve */
    uint32_t iterations;
    double *estimate; /* states of the class, then estimated parameters */
    uint32_t n_states;
    uint32_t *state_var; /* these states */
} dd_mhe;

typedef struct dd_mhe_setup {
    const dd_system *system; /* of the class */
    const dd_control_options *options;
    const dd_decision_vec *states, *algebraic, *inputs; /* of the class */
    const dd_named_vec *measured;
    const double *sigma;
    const double *first; /* the first prediction: states, then algebraic variables */
} dd_mhe_setup;

/* In the pool. Raises. */
dd_mhe *dd_mhe_new(const dd_mhe_setup *setup, dd_pool *pool);
void dd_mhe_free(dd_mhe *m); /* memory that is not the pool's; NULL is fine */
/* The sample at a time with its measurements (NaN: missing). inputs: those of the class at the collocation points since the
 * sample before, degree by inputs; the last ones are those just before the sample. parameter: numbers of the class's
 * parameters. True: m->estimate is new. Raises. */
bool dd_mhe_step(dd_mhe *m, double time, const double *inputs, const double *y, const double *parameter);
/* Where in an interval its points are, 0 to 1: point j from 0. */
double dd_mhe_point(const dd_mhe *m, uint32_t j);

/* ---- mhe_arrival.c ---- */
void dd_arrival_new(dd_mhe *m);
/* The standard deviation of entry i of v at the first sample, in the scales of the program. */
double dd_arrival_first_error(const dd_mhe *m, uint32_t i);
/* The first prior: around the present guess, with the given errors. Raises. */
void dd_arrival_begin(dd_mhe *m);
/* The first sample leaves the window: once it is full and solved, before it moves. Raises. */
void dd_arrival_carry(dd_mhe *m);

/* ---- mhe_interval.c ---- */
/* (x, z) at all points of interval k by (x_k, p, w_k), into arrival.right (points by n + nu): from the collocation equations and
 * arrival.jacobian. False: they are singular. */
bool dd_mhe_interval_slopes(dd_mhe *m, uint32_t k);
/* The guess in the last interval: the motion from its begin without noise, where that can be found. */
void dd_mhe_predict(dd_mhe *m);

/* x, z, p at the end of interval k into m->w, and noise and data there into m->u; the time. */
double dd_mhe_end_of(dd_mhe *m, uint32_t k);

#endif
