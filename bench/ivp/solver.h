/* solver.h - a solver as the benchmark sees it: open it for a problem (its set-up, timed apart), run it many times. */
#ifndef IVP_SOLVER_H
#define IVP_SOLVER_H

#include "problem.h"

enum { IVP_MAX_STEPS = 300000 };

typedef struct ivp_stats {
    long steps, evaluations, jacobians; /* evaluations of f or of the residual, without those for Jacobians */
} ivp_stats;

typedef struct ivp_solver {
    const char *name;
    bool ode_only;
    /* Everything that does not depend on tolerances: memory, matrices; for a solver that reads models, also reading
     * and compiling them (from `folder`/<problem>.mo). NULL after a failure. */
    void *(*open)(const ivp_problem *p, const char *folder);
    /* From the start to p->stop; y has p->n values, in the order of the problem. 0 when the end was reached, else the
     * solver's own code. May be called again and again. */
    int (*run)(void *self, double rtol, double atol, double *y, ivp_stats *stats);
    void (*close)(void *self);
} ivp_solver;

/* The solvers of this build, ended by NULL. */
extern const ivp_solver *const ivp_solvers[];

#endif
