/* function.h - a vector function of x, z, u, data and time of a problem, with its dense Jacobian by (x, z), or by (x, z, p): for
 * estimates. */
#ifndef DD_CONTROL_FUNCTION_H
#define DD_CONTROL_FUNCTION_H

#include "eval/derivative.h"
#include "eval/program.h"
#include "ocp/problem.h"

typedef struct dd_local_function {
    const dd_ocp_problem *o;
    uint32_t n_out, n_in; /* n_in: x and z, or x, z and p */
    uint32_t n_outside;   /* u, or u and data */
    dd_program_work *values, *slopes;
    const dd_derivative *jacobian;
    dd_expr_vec constants; /* parameters */
    double *constant_value, *in, *entry;
} dd_local_function;

/* In the pool, also its work memory. Raises. */
dd_local_function *dd_local_function_new(dd_ocp_problem *o, const dd_expr *outputs, uint32_t n, dd_pool *pool);
/* The same; decided parameters are inputs behind z, data inputs behind u. */
dd_local_function *dd_function_of_parameters(dd_ocp_problem *o, const dd_expr *outputs, uint32_t n, dd_pool *pool);
/* Numbers of parameters (by variable of the model) from now on. */
void dd_local_function_set(dd_local_function *f, const double *parameter);
/* Values (n_out), and with slopes the Jacobian by rows: slopes[i * n_in + j]. w: x, then z (and p); u: u
 * (and data). */
void dd_local_function_eval(dd_local_function *f, double time, const double *w, const double *u, double *out,
                            double *slopes);

#endif
