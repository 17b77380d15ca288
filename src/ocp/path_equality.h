/* path_equality.h - equalities at all times.
 *
 * Such a row is one more algebraic equation, so it needs a control that is as free as an algebraic variable:
 * polynomial ones are. With controls that are constant in an interval only rows in the controls alone can hold,
 * with linear ones those that are linear in them too. A row without a control at its own level raises the index of
 * the model and belongs among its equations.
 */
#ifndef DD_OCP_PATH_EQUALITY_H
#define DD_OCP_PATH_EQUALITY_H

#include "ocp/ranking.h"
#include "ocp/transcription.h"

/* Takes out rows that the invariants imply, with a message; sets o->reason and o->infeasible when a row cannot
 * hold with these controls. Raises. */
void dd_ocp_path_equalities(dd_ocp_problem *o, dd_control_kind control, const dd_guess *guess, dd_pool *pool);

/* Is there an equality that only polynomial controls are sure to keep? */
bool dd_ocp_path_needs_polynomial(const dd_ocp_problem *o);

#endif
