/* linsolver.h - square linear systems behind one table: "dense" (LAPACK dgetrf) and "klu" (BTF + AMD).
 *
 *     new(name) -> analyse(pattern) once -> factor(values) -> solve ... -> refactor(new values) -> solve ... -> free
 *
 * KLU takes its memory from the C library (SuiteSparse_config), not from the context; its failure is reported as
 * DD_OUT_OF_MEMORY like any other.
 */
#ifndef DD_LA_LINSOLVER_H
#define DD_LA_LINSOLVER_H

#include "la/csc.h"

typedef struct dd_linsolver dd_linsolver;

typedef struct dd_linsolver_info {
    bool singular;   /* a pivot was zero, or rcond below the limit given to dd_linsolver_set_singular */
    bool structural; /* singular already by the pattern */
    uint32_t column; /* singular: the column of A where the pivot failed (the smallest relative pivot), else
                              DD_NO_INDEX */
    uint32_t rank;   /* structural rank when structural, else pivots done before the first zero one */
    double rcond;    /* cheap estimate of 1/condition: smallest / largest pivot after row scaling ("klu"), or dgecon
                              ("dense") */
    uint64_t factor_count, refactor_count, solve_count; /* counters */
    uint64_t fill;                                      /* entries of L and U */
} dd_linsolver_info;

/* name: "dense" or "klu"; DD_INVALID_ARGUMENT for another. */
dd_status dd_linsolver_new(dd_linsolver **out, dd_context *ctx, const char *name);
void dd_linsolver_free(dd_linsolver *ls); /* NULL is fine */

/* The names, for option lists: i = 0, 1, ...; NULL past the end. */
const char *dd_linsolver_name(uint32_t i);

/* Factors with rcond below this are treated as singular. Default 0: only exactly zero pivots do. */
void dd_linsolver_set_singular(dd_linsolver *ls, double rcond_limit);

/* The matrix is known to be one block with entries on the diagonal (symmetric or matched): the search for a
 * block-triangular form, which can take quadratic time, is left out. Call before dd_linsolver_analyse. */
void dd_linsolver_set_one_block(dd_linsolver *ls);

/* Learns the pattern (nrows == ncols; values unused). The pattern is copied. May be called again for another. */
dd_status dd_linsolver_analyse(dd_linsolver *ls, const dd_csc *a);

/* Factors A, which must have the analysed pattern, choosing pivots. DD_OK also when singular: look at info. */
dd_status dd_linsolver_factor(dd_linsolver *ls, const dd_csc *a);

/* Factors with the pivot order of the last factor; falls back to dd_linsolver_factor when the pivots have become bad
 * (or there is no earlier factor). */
dd_status dd_linsolver_refactor(dd_linsolver *ls, const dd_csc *a);

/* Solves A X = B (transposed: A^T X = B) in place; b: n * nrhs, column-major. DD_INVALID_ARGUMENT when there is no
 * regular factor. */
dd_status dd_linsolver_solve(dd_linsolver *ls, uint32_t nrhs, double *b);
dd_status dd_linsolver_solve_t(dd_linsolver *ls, uint32_t nrhs, double *b);

/* A 1-norm condition estimate of the last factored A (klu_condest or dgecon); a: the same values. HUGE_VAL if
 * singular. */
dd_status dd_linsolver_condition(dd_linsolver *ls, const dd_csc *a, double *condition);

dd_linsolver_info dd_linsolver_get_info(const dd_linsolver *ls);

#endif
