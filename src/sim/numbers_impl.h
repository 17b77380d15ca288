/* numbers_impl.h - what compiling equations (numbers.c) and their derivatives (numbers_derivatives.c) share. */
#ifndef DD_SIM_NUMBERS_IMPL_H
#define DD_SIM_NUMBERS_IMPL_H

#include "sim/numbers.h"

typedef struct dd_compiled {
    dd_program *program;
    dd_program_work *work;
} dd_compiled;

typedef struct dd_compiler {
    dd_numbers *q;
    dd_pool *pool, *scratch;
    dd_expr_vec symbols; /* of all segments */
    uint32_t segment[DD_MOST_SEGMENTS];
    dd_expr_vec parameters;
    dd_map column; /* symbol -> 1 + index: w_j, and n + index for w_j' */
    dd_map known_parameter;
    dd_map supplied; /* variables (+ 1) that are inputs with values from outside */
} dd_compiler;

/* ---- numbers.c ---- */
/* Does e stay the same along a solution? */
bool dd_numbers_is_constant(dd_compiler *c, dd_expr e);
/* Inputs that nobody supplies are 0 in e. */
dd_expr dd_numbers_put_inputs(dd_compiler *c, dd_expr e);
dd_compiled *dd_numbers_compile(dd_compiler *c, const dd_expr *outputs, uint32_t n, uint32_t lanes);
/* One point. */
void dd_numbers_evaluate(dd_numbers *q, const dd_compiled *p, double t, const double *w, const double *wdot,
                         double *out);

/* ---- numbers_derivatives.c ---- */
/* rows, invariants with the entries of their matrix, switching functions, and outputs of the declared columns */
void dd_numbers_compile_derivatives(dd_compiler *c, const dd_expr *rows, const dd_expr *invariants,
                                    const dd_expr_vec *matrix, const dd_expr_vec *switching, const dd_expr *outputs);

#endif
