/* numbers_impl.h - what the files of compiled equations share: numbers.c (compiling), numbers_evaluate.c (callbacks),
 * numbers_jacobian.c (matrices), numbers_assigned.c (what was put into the rows), numbers_integrals.c (first integrals), numbers_derivatives.c (by parameters). */
#ifndef DD_DYNAMICS_NUMBERS_IMPL_H
#define DD_DYNAMICS_NUMBERS_IMPL_H

#include "dynamics/numbers.h"

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
/* Inputs that nobody supplies are 0 in e. */
dd_expr dd_numbers_put_inputs(dd_compiler *c, dd_expr e);
dd_compiled *dd_numbers_compile(dd_compiler *c, const dd_expr *outputs, uint32_t n, uint32_t lanes);

/* ---- numbers_evaluate.c ---- */
/* One point. */
void dd_numbers_evaluate(dd_numbers *q, const dd_compiled *p, double t, const double *w, const double *wdot,
                         double *out);
/* What integrators see: callbacks, which unknowns are differential, their sizes. */
void dd_numbers_describe(dd_compiler *c);

/* ---- numbers_assigned.c ---- */
/* Lists algebraic unknowns that were put into the rows for the integrators; outputs: as expressions. */
void dd_numbers_describe_assigned(dd_compiler *c, const dd_expr *outputs);

/* ---- numbers_jacobian.c ---- */
/* Does e stay the same along a solution? */
bool dd_numbers_is_constant(dd_compiler *c, dd_expr e);
/* M and J of the rows, and what in them can vanish. */
void dd_numbers_compile_jacobian(dd_compiler *c, const dd_expr *rows, const dd_expr *divisors);
/* Invariants and their matrix; returns its entries. */
dd_expr_vec dd_numbers_compile_invariants(dd_compiler *c, const dd_expr *list, uint32_t count);
void dd_numbers_free_pattern(dd_context *ctx, dd_csc *a);
/* The matrix of derivatives of functions of w: its pattern, per entry the position in it, and room for the entries.
 * Returns these. */
typedef struct dd_row_matrix {
    dd_csc pattern;
    uint32_t *entry;
    double *value;
} dd_row_matrix;
dd_expr_vec dd_numbers_row_matrix(dd_compiler *c, const dd_expr *list, uint32_t count, dd_row_matrix *out);

/* ---- numbers_integrals.c ---- */
/* Finds them; rows: F, as expressions. Those that are kept by projections go to q->integrals. */
void dd_numbers_find_integrals(dd_compiler *c, const dd_expr *rows);
/* Compiles them; list: the invariants, then q->integrals. */
void dd_numbers_compile_integrals(dd_compiler *c, const dd_expr *list);
/* When the parameters are known. */
void dd_numbers_finish_integrals(dd_numbers *q);

/* ---- numbers_derivatives.c ---- */
/* rows, invariants with the entries of their matrix, switching functions, and outputs of the declared columns */
void dd_numbers_compile_derivatives(dd_compiler *c, const dd_expr *rows, const dd_expr *invariants,
                                    const dd_expr_vec *matrix, const dd_expr_vec *switching, const dd_expr *outputs);

#endif
