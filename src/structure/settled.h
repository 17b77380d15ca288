/* settled.h - parameters that no decision changes, where the options say that they keep their values: numbers. */
#ifndef DD_STRUCTURE_SETTLED_H
#define DD_STRUCTURE_SETTLED_H

#include "structure/system.h"

/* Per variable of the model: is it such a parameter? NULL: none is, parameters can be set. */
const bool *dd_settled_parameters(const dd_system *s, dd_pool *pool);

/* The number of a settled parameter; DD_EXPR_NONE for everything else. */
dd_expr dd_settled_number(const dd_system *s, const bool *settled, dd_expr symbol);

#endif
