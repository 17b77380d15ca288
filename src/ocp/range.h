/* range.h - where the values of an expression can lie when its symbols stay within bounds, by interval arithmetic:
 * the true range is always inside the answer, which may be wider. */
#ifndef DD_OCP_RANGE_H
#define DD_OCP_RANGE_H

#include "expr/dag.h"

typedef struct dd_range {
    double low, high; /* low <= high; -INFINITY, INFINITY where nothing is known */
} dd_range;

/* The range of a VAR, PARAM or TIME node. */
typedef dd_range (*dd_symbol_range)(void *user, dd_expr symbol);

/* Raises when memory runs out. */
dd_range dd_range_of(dd_dag *dag, dd_expr e, dd_symbol_range range, void *user, dd_pool *scratch);

#endif
