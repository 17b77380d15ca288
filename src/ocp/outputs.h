/* outputs.h - every declared variable and input from x, z, u, p and time: what reports and files show. */
#ifndef DD_OCP_OUTPUTS_H
#define DD_OCP_OUTPUTS_H

#include "eval/program.h"
#include "ocp/problem.h"

typedef struct dd_ocp_outputs {
    dd_index_vec vars; /* of the model: variables, then controls */
    dd_program_work *work;
    const dd_ocp_problem *o;
    double *in; /* x, z, u, p, time, t0, tf, data */
} dd_ocp_outputs;

/* Raise. */
dd_ocp_outputs *dd_ocp_outputs_new(dd_ocp_problem *o, dd_pool *pool);
dd_ocp_outputs *dd_ocp_outputs_path(dd_ocp_problem *o,
                                    dd_pool *pool); /* the values of the path rows instead; no vars */
dd_ocp_outputs *dd_ocp_outputs_of(dd_ocp_problem *o, const dd_expr_vec *values, dd_pool *pool); /* no vars */

/* A moment of a solution: states, algebraic variables, controls and parameters in the user's units, and the times. */
typedef struct dd_ocp_moment {
    const double *x, *z, *u, *p;
    double t, t0, tf;
} dd_ocp_moment;

void dd_ocp_outputs_eval(dd_ocp_outputs *out, const dd_ocp_moment *m, double *values);

#endif
