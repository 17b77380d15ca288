/* nlp.h - a nonlinear program as a solver sees it, and the result of a solver.
 *
 *     min f(x)   s.t.   c_lower <= c(x) <= c_upper,  x_lower <= x <= x_upper
 *
 * Sizes, bounds and patterns are given once, values many times. Functions return false when a value is not finite; the
 * solver then tries a shorter step. Lagrangian: f + lambda^T c - z_lower^T x + z_upper^T x.
 */
#ifndef DD_NLP_NLP_H
#define DD_NLP_NLP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/context.h"
#include "base/team.h"
#include "base/text.h"
#include "daedal/nlp.h" /* dd_nlp_status */
#include "nlp/shape.h"

typedef struct dd_nlp {
    void *user;
    uint32_t n, m;
    const double *x_lower, *x_upper; /* -INFINITY, INFINITY without */
    const double *c_lower, *c_upper;
    const double *x_size; /* how large the variables are expected to be; NULL: all of size 1 */
    uint32_t jacobian_nnz, hessian_nnz;
    const uint32_t *jacobian_row, *jacobian_col;
    const uint32_t *hessian_row, *hessian_col; /* lower triangle: row >= col */
    /* new_x: the point differs from that of the call before, of whichever function */
    bool (*objective)(void *user, const double *x, bool new_x, double *f);
    bool (*gradient)(void *user, const double *x, bool new_x, double *g);
    bool (*constraints)(void *user, const double *x, bool new_x, double *c);
    bool (*jacobian)(void *user, const double *x, bool new_x, double *values);
    /* of sigma f + lambda^T c; NULL: the solver approximates it */
    bool (*hessian)(void *user, const double *x, bool new_x, double sigma, const double *lambda, double *values);
    const dd_nlp_shape *shape; /* the program as a chain of intervals; NULL: not known, or it is not one */
    /* "der(x) = v, interval 3, point 2": for messages only */
    void (*row_name)(void *user, uint32_t row, dd_text *out);
    void (*column_name)(void *user, uint32_t column, dd_text *out);
} dd_nlp;

/* One line of the iteration table. */
typedef struct dd_nlp_iteration {
    uint32_t number;
    double objective, violation, dual_infeasibility, barrier, step, regularization, alpha;
    bool restoration;
    const double *x; /* n: the iterate; NULL: not known */
    bool *evaluated; /* to be set when functions of the program were asked for since */
} dd_nlp_iteration;

typedef struct dd_nlp_solver dd_nlp_solver;

/* What a solver keeps from one solve to the next: of programs with the same patterns and kinds of rows, such as the same
 * program with other numbers, memory and plans are made once. The solver fills it, dd_nlp_memory_free empties it. */
typedef struct dd_nlp_memory {
    dd_context *ctx;
    void *kept;
    void (*release)(dd_context *ctx, void *kept);
} dd_nlp_memory;

typedef struct dd_nlp_options {
    const dd_nlp_solver *solver; /* NULL: the first of the list that is available here */
    double tolerance;            /* 1e-8 */
    uint32_t max_iterations;
    double max_seconds; /* CPU; 0: no limit */
    double barrier;     /* first value of mu; 0: the solver's own */
    double push;        /* of the first point from its bounds, of their distance or of its size; 0: the solver's own */
    double complementarity; /* products of multipliers and distances to bounds at the end; 0: the solver's own */
    double objective_scale; /* 0: the solver's own */
    double gap;             /* of the objective: what the products of multipliers and distances to active bounds may add
                             * up to at the end; 0: the solver's own */
    double
        least_step;   /* shorter steps end the search as at max_iterations, bounds or the filter cut them; 0: none do */
    bool warm;        /* the result's multipliers are where to begin */
    uint32_t threads; /* 0 and 1: one. The result does not depend on it */
    dd_team *team;    /* of that many; NULL: the solver makes one where there are several */
    dd_nlp_memory *memory; /* the caller's, zero at first; NULL: nothing is kept */
    void *user;
    bool (*progress)(void *user, const dd_nlp_iteration *it); /* false: stop; may be NULL */
    bool (*stop)(void *user); /* true: stop now, also between iterations; may be NULL. Neither may raise */
} dd_nlp_options;
dd_nlp_options dd_nlp_options_default(void);

/* x is where to begin and where it ended; the arrays are the caller's (n, m, n, n). On INTERRUPTED, TIME_LIMIT
 * and ITERATION_LIMIT x is the best iterate: the one that violates least, and among those within the tolerance the one
 * that costs least; the multipliers are those of the last. On other ends before the solution x is the last iterate. */
typedef struct dd_nlp_result {
    dd_nlp_status status;
    double *x, *lambda, *z_lower, *z_upper;
    double *failed_at; /* n, or NULL: receives the last point at which a function failed */
    bool failed;       /* there is one, and no step was accepted after it */
    double objective, violation, dual_infeasibility, complementarity;
    double objective_factor; /* that the solver multiplied the objective by; 0: it does not say */
    uint32_t iterations;
    uint32_t factorizations; /* 0: the solver does not say */
    double
        regularization; /* of the last step, beside entries of size 1: above 0 where the Hessian has negative curvature */
    /* Equalities that depended on others in the last iteration, where the solver knows them: at most dependent_most of
     * them are written to `dependent` (the caller's, or NULL); dependent_count says how many there are. */
    uint32_t *dependent;
    uint32_t dependent_most, dependent_count;
    double seconds_evaluate, seconds_total;
    double seconds_factor; /* in factorisations and solves of linear systems; 0: the solver does not say */
} dd_nlp_result;

/* ---- solvers.c: the list of solvers; a new one is an entry there ---- */

struct dd_nlp_solver {
    const char *name; /* as the option `solver` has it */
    bool (*available)(void);
    const char *missing; /* the message where it is not: "built without ipopt"; NULL: it always is available */
    /* Fails with DD_OUT_OF_MEMORY, or DD_INVALID_ARGUMENT when it is not available. */
    dd_status (*solve)(dd_context *ctx, const dd_nlp *nlp, const dd_nlp_options *options, dd_nlp_result *result);
};

/* Their names in the order of the list, NULL behind the last: the words of the option `solver`. */
extern const char *const dd_nlp_solver_names[];
/* NULL behind the last. */
const dd_nlp_solver *dd_nlp_solver_at(uint32_t i);
/* NULL when there is no solver of that name. */
const dd_nlp_solver *dd_nlp_solver_named(const char *name);
/* The solver that a user asked for. NULL without a name. Fails with DD_INVALID_ARGUMENT when there is no such solver, or it is
 * not available here. */
dd_status dd_nlp_solver_find(const dd_nlp_solver **out, dd_context *ctx, const char *name);
/* The first that is available; the first of all where none is, whose message names the missing library. */
const dd_nlp_solver *dd_nlp_solver_preferred(void);

void dd_nlp_memory_free(dd_nlp_memory *memory); /* what it keeps; NULL is fine */

/* Is there a solver that runs here? */
bool dd_nlp_available(void);
/* Solves with options->solver. */
dd_status dd_nlp_solve(dd_context *ctx, const dd_nlp *nlp, const dd_nlp_options *options, dd_nlp_result *result);

/* ---- kkt.c: how well x and the multipliers satisfy the optimality conditions, independent of any solver ---- */
typedef struct dd_kkt {
    double violation;          /* largest violation of rows and bounds */
    double dual_infeasibility; /* largest component of the gradient of the Lagrangian, */
    double gradient;           /* and of that of the objective alone */
    double complementarity;    /* largest product of a multiplier and the distance to its bound */
    double sign;               /* largest multiplier of the wrong sign */
    uint32_t worst_row;        /* of the violation; n + m: none */
} dd_kkt;
/* False when a function is not finite there. */
dd_status dd_nlp_kkt(dd_context *ctx, const dd_nlp *nlp, const dd_nlp_result *at, dd_kkt *out);

#endif
