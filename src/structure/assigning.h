/* assigning.h - rows that determine a variable, one formula after the other. */
#ifndef DD_STRUCTURE_ASSIGNING_H
#define DD_STRUCTURE_ASSIGNING_H

#include "structure/system.h"

/* Assignments: rows without derivatives that are linear, with a parameter or a number, in the one unknown that is not
 * known yet. Each is made of what is known before it. */
typedef struct dd_assigning {
    uint32_t n;
    uint32_t *row, *col;
    bool *varies; /* it contains the time or inputs, or what is assigned from them */
} dd_assigning;

/* What follows from the time, inputs and parameters alone. */
dd_assigning dd_system_assigned_by_time(dd_system *s, dd_pool *pool);

/* What follows from the differentiated variables, by rows that are allowed. */
dd_assigning dd_system_assigned_by_states(dd_system *s, const bool *allowed, dd_pool *pool);

/* The column of an assignment as a formula. */
dd_expr dd_assigning_formula(dd_system *s, const dd_assigning *a, uint32_t k);

/* Has e at most `most` nodes? */
bool dd_system_is_short(const dd_system *s, dd_expr e, uint32_t most, dd_pool *scratch);

/* Does e contain parameters and numbers only? */
bool dd_system_is_constant(const dd_system *s, dd_expr e, dd_pool *scratch);

#endif
