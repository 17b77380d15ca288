/* verify.h - index and constraints of an answer by their definition, from the rows as written. */
#ifndef DD_STRUCTURE_VERIFY_H
#define DD_STRUCTURE_VERIFY_H

#include "structure/numeric.h"

/* The system with its declared columns alone and the incidence of the rows as written, for a look: lives as long as
 * scratch, and shares everything else with s. */
dd_system dd_verify_written(const dd_system *s, dd_pool *scratch);

/* The rank of dF/dx' at s->point, from numbers; false where it has no finite values there. nm: of these rows. */
bool dd_verify_rank_of_rates(const dd_system *s, dd_numeric *nm, uint32_t *rank, dd_pool *scratch);

/* Where the rows as written say something else than the structure (s->index, constraint_count, hidden_count), that
 * replaces it. Needs an answer at s->point. */
void dd_verify_counts(dd_system *s);

/* constraint_count and hidden_count at s->point, where auxiliary unknowns make lists of rows useless for counting. */
void dd_verify_constraint_counts(dd_system *s, dd_pool *scratch);

#endif
