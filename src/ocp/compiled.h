/* compiled.h - expressions of an optimization as a program for one point at a time: what parameters they contain
 * besides the inputs are constants with the values of the problem. */
#ifndef DD_OCP_COMPILED_H
#define DD_OCP_COMPILED_H

#include "eval/program.h"
#include "ocp/problem.h"

/* Raises. startTime and finalTime that are no inputs have the values the problem begins with. It goes with the pool. */
dd_program_work *dd_ocp_compile(const dd_ocp_problem *o, const dd_expr *inputs, uint32_t n_inputs,
                                const dd_expr *outputs, uint32_t n_outputs, dd_pool *pool);

/* The symbols of the outputs that are no inputs: dd_ocp_constant has their values. */
dd_expr_vec dd_ocp_constants_of(const dd_ocp_problem *o, const dd_expr *inputs, uint32_t n_inputs,
                                const dd_expr *outputs, uint32_t n_outputs, dd_pool *pool);

#endif
