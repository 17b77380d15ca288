/* substitute.h - the second conversion of systems whose structure lies: new unknowns for expressions of old ones. */
#ifndef DD_STRUCTURE_SUBSTITUTE_H
#define DD_STRUCTURE_SUBSTITUTE_H

#include "structure/certificate.h"

/* The system Jacobian is singular at generic points in block `block`: substitutes expressions in the rows of s->eqs and
 * adds unknowns (columns behind the declared ones) with the rows that define them. False, and nothing changed, when the
 * method does not apply. */
bool dd_system_substitute(dd_system *s, dd_numeric *nm, const dd_blocks *blocks, uint32_t block, dd_pool *pool);

/* Takes the added unknowns back, in s->column (which must be its own) and the lists; s->eqs must be set again. */
void dd_system_drop_auxiliaries(dd_system *s);

/* e in the declared unknowns: auxiliaries replaced by what they stand for. */
dd_expr dd_system_without_auxiliaries(const dd_system *s, dd_expr e);

#endif
