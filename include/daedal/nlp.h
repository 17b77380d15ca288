/* nlp.h - nonlinear programs written as C functions, without a model.
 *
 *     min f(x)   subject to   c_lower <= c(x) <= c_upper,   x_lower <= x <= x_upper
 *
 *     dd_nlprog *nlp;
 *     if (dd_nlprog_new(&nlp, ctx, &functions) == DD_OK && dd_nlprog_solve(nlp, start, NULL) == DD_OK)
 *         printf("%s %g\n", dd_nlp_status_name(dd_nlprog_get_info(nlp).status), dd_nlprog_get_info(nlp).objective);
 *     dd_nlprog_free(nlp);
 *
 * Sizes, bounds and patterns are given once, values many times. A program that has no solution is a status of a
 * successful call, not a failure. Multipliers have the signs of the Lagrangian
 *
 *     f + lambda^T c - z_lower^T x + z_upper^T x:      grad f + J^T lambda - z_lower + z_upper = 0 at a solution,
 *
 * so lambda > 0 pushes against c_upper, lambda < 0 against c_lower, and z_lower, z_upper >= 0.
 */
#ifndef DAEDAL_NLP_H
#define DAEDAL_NLP_H

#include "daedal/context.h"
#include "daedal/export.h"

#ifdef __cplusplus
extern "C" {
#endif

/* acceptable: no progress near a solution, a looser test is met. infeasible: a local minimum of the violation that
 * is not zero. unbounded: iterates diverge. evaluation_error: a function has no finite value at the start, or at any
 * point that a step leads to. overdetermined: more equalities than variables, and the solver cannot decide whether
 * they agree. failed: the solver gave up. */
#define DD_NLP_STATUS_LIST(X)                                                                                          \
    X(OPTIMAL, "optimal")                                                                                              \
    X(ACCEPTABLE, "acceptable")                                                                                        \
    X(INFEASIBLE, "infeasible")                                                                                        \
    X(UNBOUNDED, "unbounded")                                                                                          \
    X(ITERATION_LIMIT, "iteration_limit")                                                                              \
    X(TIME_LIMIT, "time_limit")                                                                                        \
    X(EVALUATION_ERROR, "evaluation_error")                                                                            \
    X(INTERRUPTED, "interrupted")                                                                                      \
    X(OVERDETERMINED, "overdetermined")                                                                                \
    X(FAILED, "failed")
typedef enum dd_nlp_status {
#define DD_NLP_STATUS_ENUM(id, name) DD_NLP_##id,
    DD_NLP_STATUS_LIST(DD_NLP_STATUS_ENUM)
#undef DD_NLP_STATUS_ENUM
} dd_nlp_status;
DD_API const char *dd_nlp_status_name(dd_nlp_status status); /* "optimal"; "unknown" for a value outside the list */

/* The program. Arrays are the caller's and are copied by dd_nlprog_new; `user` and the functions are kept.
 *
 * A function returns 0 when its values are written, > 0 when it has none at x (the solver tries a shorter step), < 0
 * to stop the solve (status `interrupted`). Values that are not finite have the effect of a return value > 0. new_x:
 * x differs from that of the previous call of any of the functions. Functions are called by one thread at a time,
 * which need not be the caller's. */
typedef struct dd_nlprog_functions {
    void *user;
    uint32_t n, m;                   /* variables, rows */
    const double *x_lower, *x_upper; /* n each; -INFINITY, INFINITY: no bound; NULL: none at all. Equal ones fix it */
    const double *c_lower, *c_upper; /* m each; the same. Equal ones make an equality */
    const double *x_size;            /* n: expected magnitudes of the variables, > 0; NULL: all 1 */
    uint32_t jacobian_nnz, hessian_nnz;
    const uint32_t *jacobian_row, *jacobian_col; /* jacobian_nnz: entries dc_row/dx_col; repeated ones add up */
    const uint32_t *hessian_row, *hessian_col;   /* hessian_nnz: the lower triangle, row >= col */
    int (*objective)(void *user, const double *x, bool new_x, double *f);
    int (*gradient)(void *user, const double *x, bool new_x, double *g);      /* g: n */
    int (*constraints)(void *user, const double *x, bool new_x, double *c);   /* c: m; NULL when m is 0 */
    int (*jacobian)(void *user, const double *x, bool new_x, double *values); /* jacobian_nnz; NULL when m is 0 */
    /* of sigma f + lambda^T c, lambda: m, values: hessian_nnz; NULL: it is approximated, if the solver can */
    int (*hessian)(void *user, const double *x, bool new_x, double sigma, const double *lambda, double *values);
    const char *const *x_names; /* n, for messages; NULL: no names */
    const char *const *c_names; /* m */
} dd_nlprog_functions;

typedef struct dd_nlprog dd_nlprog;

/* The context must outlive it. Fails with DD_INVALID_ARGUMENT (an impossible size, bound or entry, or a missing
 * function; the message says which), DD_OUT_OF_MEMORY. */
DD_API dd_status dd_nlprog_new(dd_nlprog **out, dd_context *ctx, const dd_nlprog_functions *functions);
DD_API void dd_nlprog_free(dd_nlprog *p); /* NULL is fine */

/* Other bounds for the next solve (n, n, m, m; copied; NULL: unchanged). Rows may become equalities, variables
 * fixed, and back. Fails with DD_INVALID_ARGUMENT, and then nothing has changed. */
DD_API dd_status dd_nlprog_set_bounds(dd_nlprog *p, const double *x_lower, const double *x_upper, const double *c_lower,
                                      const double *c_upper);

/* One line of the iteration table. */
typedef struct dd_nlprog_iteration {
    uint32_t number; /* from 0 */
    double objective, violation, dual_infeasibility, barrier;
    double step, regularization, alpha; /* step size, regularisation of the Hessian, fraction of the step taken */
    bool restoration;                   /* the solver looks for a feasible point only */
    const double *x;                    /* n: the iterate; NULL: not known */
} dd_nlprog_iteration;

typedef struct dd_nlprog_options {
    const char *solver;      /* "daedal", "ipopt"; NULL: the first that is available here */
    double tolerance;        /* 1e-8: of violation, gradient of the Lagrangian and complementarity, scaled */
    uint32_t max_iterations; /* 3000 */
    double max_seconds;      /* CPU; 0: no limit. The limit of the context holds as well */
    double barrier;          /* first value of the barrier parameter; 0: the solver's own */
    bool warm;               /* begin with the multipliers of the last solve or of dd_nlprog_set_multipliers; combine it
                                with a small barrier (1e-6) */
    uint32_t threads;        /* of the linear algebra; 0 and 1: one. The result does not depend on it */
    void *user;
    bool (*progress)(void *user, const dd_nlprog_iteration *it); /* after each iteration; false stops. NULL: none */
} dd_nlprog_options;
DD_API dd_nlprog_options dd_nlprog_options_default(void);

/* Where a warm solve begins: m, n, n numbers, copied; NULL: zeros. */
DD_API dd_status dd_nlprog_set_multipliers(dd_nlprog *p, const double *lambda, const double *z_lower,
                                           const double *z_upper);

/* Solves from x (n; NULL: from where the last solve ended, 0 before the first). It need not satisfy bounds or rows.
 * options may be NULL. May be called again. If it is stopped (dd_context_interrupt, the time limit of the context), it
 * succeeds with `interrupted` or `time_limit` and the best point so far. Fails with DD_OUT_OF_MEMORY, and with
 * DD_INVALID_ARGUMENT for an impossible option or a solver that is not available. */
DD_API dd_status dd_nlprog_solve(dd_nlprog *p, const double *x, const dd_nlprog_options *options);

/* The result of the last solve; `failed` and zeros before the first. Residuals are of the unscaled program at the
 * point that is returned, computed by the functions themselves; NaN where these have no values. */
typedef struct dd_nlprog_info {
    dd_nlp_status status;
    const char *solver;        /* its name */
    const char *reason;        /* one sentence; "" when optimal */
    double objective;          /* NaN: no value at the point */
    double violation;          /* largest of rows and bounds */
    double dual_infeasibility; /* largest component of the gradient of the Lagrangian, fixed variables left out */
    double complementarity;    /* largest product of a multiplier and the distance to its bound */
    double sign;               /* largest multiplier of the wrong sign */
    uint32_t worst_row;        /* the row that is violated most; m: none */
    uint32_t iterations;
    uint32_t factorizations;                                          /* 0: not reported by the solver */
    uint32_t objectives, gradients, constraints, jacobians, hessians; /* calls of the functions */
    uint32_t refused;                                                 /* calls without a finite value */
    uint32_t dependent; /* equalities that depended on others in the last iteration, if the solver finds them */
    double seconds_total, seconds_evaluate;
} dd_nlprog_info;
DD_API dd_nlprog_info dd_nlprog_get_info(const dd_nlprog *p);

/* The point and its multipliers; the arrays belong to the program and change with the next solve. Not every solver
 * computes the multiplier of a fixed variable. */
DD_API const double *dd_nlprog_x(const dd_nlprog *p);       /* n */
DD_API const double *dd_nlprog_lambda(const dd_nlprog *p);  /* m */
DD_API const double *dd_nlprog_z_lower(const dd_nlprog *p); /* n */
DD_API const double *dd_nlprog_z_upper(const dd_nlprog *p); /* n */
/* Row i < dependent of the info; m beyond the end. */
DD_API uint32_t dd_nlprog_dependent_row(const dd_nlprog *p, uint32_t i);
/* Names as given, or "". They live as long as the program. */
DD_API const char *dd_nlprog_row_name(const dd_nlprog *p, uint32_t row);
DD_API const char *dd_nlprog_variable_name(const dd_nlprog *p, uint32_t variable);

/* The solvers by name, the preferred one first; NULL after the last. */
DD_API const char *dd_nlprog_solver(uint32_t i);
/* Whether this solver is available; false for an unknown name. */
DD_API bool dd_nlprog_solver_available(const char *name);

#ifdef __cplusplus
}
#endif
#endif
