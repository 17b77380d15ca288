/* closed_form.h - x' and z of a system of index 1 as formulas in x, where that takes small linear blocks alone. */
#ifndef DD_STRUCTURE_CLOSED_FORM_H
#define DD_STRUCTURE_CLOSED_FORM_H

#include "structure/system.h"

/* Solves rows[n] = 0 for unknowns[n] (symbols), block after block, as far as `wanted` (unknowns that are asked for)
 * needs it; at most three coupled unknowns that a block is linear in. value[i]: the formula of unknowns[i], without any
 * of the unknowns; DD_EXPR_NONE where there is none or nobody asked. Raises. */
void dd_closed_forms(const dd_system *s, const dd_expr *rows, const dd_expr *unknowns, uint32_t n, const bool *wanted,
                     dd_expr *value, dd_pool *scratch);

#endif
