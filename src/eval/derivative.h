/* derivative.h - sparse first and second derivatives, as expressions in the order of a sparse matrix: outputs of a
 * program (program.h) that then fills the values of the matrix.
 *
 *     dd_derivative *jacobian = dd_jacobian_new(pool, dag, f, m, x, n);
 *     spec.outputs = jacobian->entries, spec.n_outputs = jacobian->ptr[n]   ->   val[] of a dd_csc with this ptr, idx
 */
#ifndef DD_EVAL_DERIVATIVE_H
#define DD_EVAL_DERIVATIVE_H

#include "expr/dag.h"

/* The symbols that an entry depends on, in growing order: nothing; parameters; parameters and time; anything. */
typedef enum dd_entry_kind { DD_ENTRY_NUMBER, DD_ENTRY_PARAMETERS, DD_ENTRY_TIME, DD_ENTRY_VARIES } dd_entry_kind;

typedef struct dd_derivative {
    uint32_t nrows, ncols;
    uint32_t *ptr;    /* ncols + 1; column j has the entries ptr[j] .. ptr[j+1]-1 */
    uint32_t *idx;    /* their rows, ascending */
    dd_expr *entries; /* their expressions */
    uint8_t *kind;    /* dd_entry_kind of each */
    uint32_t colours; /* directions that the entries were computed from; 0 when each is a separate expression */
} dd_derivative;

/* d outputs[i] / d wanted[j], m x n; wanted are symbols (VAR, PARAM, TIME), each at most once. DD_EXPR_NONE among the
 * outputs is an empty row. The entries are made row by row by reverse accumulation, or, when that has fewer operations,
 * by forward derivatives in as few directions as a colouring of the columns allows. The pattern holds the entries that
 * are not zero identically. Raises; lives in the pool. */
dd_derivative *dd_jacobian_new(dd_pool *pool, dd_dag *dag, const dd_expr *outputs, uint32_t m, const dd_expr *wanted,
                               uint32_t n);

/* The lower triangle (row >= column) of the second derivatives of sum_i weights[i]*outputs[i], n x n: the gradient by
 * one reverse accumulation over all outputs, then its derivatives row by row. Weights are expressions that do not
 * depend on the wanted symbols, usually separate symbols. */
dd_derivative *dd_hessian_new(dd_pool *pool, dd_dag *dag, const dd_expr *outputs, const dd_expr *weights, uint32_t m,
                              const dd_expr *wanted, uint32_t n);

#endif
