/* bench_eval.h - the functions of a model that the evaluator is measured with: its residuals and their Jacobian. */
#ifndef DD_BENCH_EVAL_H
#define DD_BENCH_EVAL_H

#include <stdio.h>

#include "expr/dag.h"
#include "model/model.h"

typedef struct functions {
    const char *name;
    dd_model *model;
    dd_dag *dag;
    dd_expr_vec inputs, constants, outputs; /* outputs: residuals, then entries of the Jacobian by columns */
    uint32_t n_rows;
    double *at, *values; /* inputs near the start; constants */
} functions;

/* Writes "void name(const double *x, double *out)" in C. Every node of the dag is computed once; constants are numbers, so
 * that the compiler can fold what depends on them alone. */
void write_c(FILE *file, const char *name, const functions *f);

#endif
