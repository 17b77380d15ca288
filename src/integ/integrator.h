/* integrator.h - one interface of all integrators.
 *
 *     new (radau.h, ...) -> start(t, w, w') -> step(bound) ... interpolate ... step -> free
 *
 * After start and after every step, t, w and wdot hold the solution; between t_old and t the step can be evaluated
 * at any time. Nothing is allocated after new.
 */
#ifndef DD_INTEG_INTEGRATOR_H
#define DD_INTEG_INTEGRATOR_H

#include <float.h>
#include <math.h>

#include "integ/problem.h"

/* X(id, text): what a step ends with */
#define DD_STEP_LIST(X)                                                                                                \
    X(OK, "ok")                                                                                                        \
    X(STEP_TOO_SMALL, "step_too_small")                                                                                \
    X(NEWTON_FAILED, "newton_failed")                                                                                  \
    X(SINGULAR, "singular")                                                                                            \
    X(NONFINITE, "nonfinite")                                                                                          \
    X(PROJECTION_FAILED, "projection_failed")                                                                          \
    X(OUT_OF_MEMORY, "out_of_memory")

typedef enum dd_step_verdict {
#define DD_STEP_ENUM(id, text) DD_STEP_##id,
    DD_STEP_LIST(DD_STEP_ENUM)
#undef DD_STEP_ENUM
} dd_step_verdict;

typedef struct dd_integ_stats {
    uint64_t steps, rejected; /* accepted; rejected by the error estimate or by Newton */
    uint64_t residuals;       /* points at which F was evaluated */
    uint64_t jacobians, factorizations, newton, newton_failures, projections;
} dd_integ_stats;

/* What is done about the error of the polynomial between the ends of a step. */
typedef enum dd_dense_error {
    DD_DENSE_UNSEEN,
    DD_DENSE_SEEN, /* dense_error and dense_rough report it */
    DD_DENSE_KEPT  /* below the tolerance, too */
} dd_dense_error;

typedef struct dd_integ_options {
    double rtol;
    const double *atol;    /* n; copied */
    double first_step;     /* 0: found */
    double most_step;      /* 0: no limit */
    double fixed_step;     /* 0: error control */
    bool higher_index;     /* F is of index above 1: x' and z do not follow from x at one point */
    dd_dense_error dense;  /* radau: the error between the ends of a step */
    bool assigned;         /* radau: errors of algebraic unknowns that were put into the rows are looked at */
    bool project;          /* onto the invariants, after each step */
    uint32_t least_stages; /* radau: 3, 5 or 7; 0: 3 */
    uint32_t most_stages;  /* radau: 3, 5 or 7; 0: 7 */
} dd_integ_options;

typedef struct dd_step_record dd_step_record; /* step_record.h */
typedef struct dd_step_dense dd_step_dense;

typedef struct dd_integrator dd_integrator;
struct dd_integrator {
    const struct dd_integrator_ops *ops;
    dd_context *ctx;
    const dd_problem *problem;
    const char *name;   /* "radau5" after steps of order 5, ... */
    double t_old, t, h; /* the last step went from t_old to t; h is the proposal for the next */
    double *w, *wdot;
    dd_integ_stats stats;
    uint32_t worst;   /* after a failure: the unknown to blame, DD_NO_INDEX when unknown */
    double violation; /* largest |c| after projection, over the run */
    uint32_t order;   /* of the last step; 0: not known */
    double error;     /* its estimate, in units of the tolerance; 0: there is none */
    /* radau: estimates of what interpolate is off within the last step: of x in units of the tolerance; of all unknowns,
     * relative to their size. Explicit methods: infinite once a stage of the extension has no solution, else 0 */
    double dense_error, dense_rough;
    /* radau: how many times larger errors of algebraic unknowns that were put into the rows are than those of x, both in
     * tolerances, when last looked at; another integrator of the same problem may begin with that */
    double steep;
    bool smooth;   /* set by the caller: all kinks are ends of steps; false: some may be passed unseen */
    bool switches; /* set by the caller: conditions on the solution change the equations */
    bool wary; /* set by the caller: some are on x' or z, and beyond them equations may have solutions that are none */
    bool
        restless; /* set by the caller: coefficients of rates change much from step to step; old Jacobians say little */
    bool stiff;   /* explicit methods: stability, not accuracy, has been limiting the step size */
    bool keeps_slope; /* explicit methods: x' at the end of a step is the first stage of the next one */
};

typedef struct dd_integrator_ops {
    dd_step_verdict (*start)(dd_integrator *it, double t, const double *w, const double *wdot);
    /* one accepted step, not beyond bound (> t); may end exactly there */
    dd_step_verdict (*step)(dd_integrator *it, double bound);
    /* w and wdot (either may be NULL) at t_old <= t <= it->t, within the last step */
    void (*interpolate)(const dd_integrator *it, double t, double *w, double *wdot);
    void (*free)(dd_integrator *it);
    /* other tolerances for the next start; atol: n. NULL: make another integrator */
    void (*set_tolerance)(dd_integrator *it, double rtol, const double *atol);

    /* What derivatives of the solution need (sens/sens.h); for problems with n_parameters > 0 alone. */
    /* The last step; with the extra stages of its dense output when wanted. */
    void (*record)(dd_integrator *it, bool dense, dd_step_record *out);
    /* How interpolate finds its value at t, t_old <= t < it->t. */
    void (*dense)(const dd_integrator *it, double t, dd_step_dense *out);
    /* Solves the linear equations of the coupled stages of the last step, roughly, with the factors the step had: r
     * (stages * n) are residuals on entry, then corrections of h K_i for x and of z. NULL: no such factors. */
    void (*correct)(dd_integrator *it, double *r);
} dd_integrator_ops;

static inline dd_step_verdict dd_integ_start(dd_integrator *it, double t, const double *w, const double *wdot)
{
    return it->ops->start(it, t, w, wdot);
}

static inline dd_step_verdict dd_integ_step(dd_integrator *it, double bound)
{
    return it->ops->step(it, bound);
}

static inline void dd_integ_interpolate(const dd_integrator *it, double t, double *w, double *wdot)
{
    it->ops->interpolate(it, t, w, wdot);
}

static inline void dd_integ_free(dd_integrator *it)
{
    if (it) {
        it->ops->free(it);
    }
}

/* A guess h of the first step from t, but not so short that time would hardly move: |w|/|w'| says nothing where w
 * has just passed through zero. */
static inline double dd_integ_first_step(double t, double h)
{
    return fmax(h, 1e3 * DBL_EPSILON * fabs(t));
}

const char *dd_step_verdict_text(dd_step_verdict v);

#endif
