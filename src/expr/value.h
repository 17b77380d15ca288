/* value.h - the value of one expression at given symbols, for parameters and attributes (tapes are for everything
 * hot). */
#ifndef DD_EXPR_VALUE_H
#define DD_EXPR_VALUE_H

#include "expr/dag.h"

/* A number for a VAR, PARAM or TIME node. */
typedef double (*dd_symbol_value)(void *user, dd_expr symbol);

/* Evaluates e; `if` looks only at the branch taken. Raises only when memory runs out. */
double dd_value_of(dd_dag *dag, dd_expr e, dd_symbol_value value, void *user, dd_pool *scratch);

/* One operation on n numbers. NUM and symbols are not operations. Tapes and programs compute the same up to rounding
 * (they have their own powers and vector functions), and choose otherwise where an argument of min or max is NaN. */
double dd_op_apply(dd_op op, const double *args, uint32_t n);

#endif
