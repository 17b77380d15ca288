/* functions.h - vector functions with their derivatives, compiled once and found again.
 *
 * The program of every mesh is made of the same few functions. Their derivatives and the compilation of these take
 * longer than all else of a transcription, so they are kept with the problem.
 */
#ifndef DD_OCP_FUNCTIONS_H
#define DD_OCP_FUNCTIONS_H

#include "base/pool.h"
#include "eval/derivative.h"
#include "eval/program.h"

typedef struct dd_ocp_functions dd_ocp_functions;

/* A function of inputs and constants; the Hessian is that of sum_o w_o output_o with the weights PARAM fresh + o. */
typedef struct dd_ocp_function_spec {
    const dd_expr *inputs, *outputs, *constants;
    uint32_t n_in, n_out, n_constants;
    uint32_t fresh;
} dd_ocp_function_spec;

typedef struct dd_ocp_function {
    dd_ocp_function_spec spec; /* copies */
    const dd_derivative *jacobian, *hessian;
    dd_program *values, *first, *second; /* second has the weights as another segment of inputs */
} dd_ocp_function;

dd_ocp_functions *dd_ocp_functions_new(dd_pool *pool);
/* Compiles it unless it is known. It lives in the pool of the functions. Raises. */
const dd_ocp_function *dd_ocp_function_find(dd_ocp_functions *known, dd_dag *dag, const dd_ocp_function_spec *spec);

#endif
