/* estimate.h - the state from one measurement:
 *
 *     min  sum_i ((h_i(x, z, u, t) - y_i)/sigma_i)^2   s.t.   c(x, t) = 0,  g(x, z, u, t) = 0
 *
 * from the prediction, which also settles the branch: Gauss and Newton's method with the constraints linearised (null
 * space by the optimality conditions). A missing value drops its term.
 */
#ifndef DD_CONTROL_ESTIMATE_H
#define DD_CONTROL_ESTIMATE_H

#include "control/function.h"
#include "control/names.h"

typedef struct dd_estimator {
    dd_ocp_problem *o;
    dd_context *ctx;
    dd_named_vec measured;       /* of the class's model */
    double *sigma;               /* one per measured scalar */
    dd_local_function *h, *rows; /* measurements; invariants, then g */
    uint32_t n, m;               /* x and z; rows */
    double *w;                   /* n: the estimate, before a step the prediction */
    double *before;              /* n: the prediction */
    double *value, *slope, *row_value, *row_slope;
    double *kkt, *right; /* (n + m)^2, n + m */
    int *pivot;
    uint32_t iterations; /* of the last one */
} dd_estimator;

/* noise: per scalar, NaN or 0: the expected size of the variable. In the pool. Raises. */
dd_estimator *dd_estimator_new(dd_ocp_problem *o, const dd_named_vec *measured, const double *noise, dd_pool *pool);
/* Do measurements and constraints determine the state at w? Else the name of a state that they leave open. Raises. */
const char *dd_estimator_open_state(dd_estimator *e, double time, const double *u, dd_pool *pool);
/* From e->w. False: no point was found, or too little was measured; e->w is then the prediction, put onto the
 * constraints where that is possible. Allocates nothing. */
bool dd_estimator_find(dd_estimator *e, double time, const double *u, const double *y);
/* Numbers of parameters from now on. */
void dd_estimator_set(dd_estimator *e, const double *parameter);

#endif
