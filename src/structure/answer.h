/* answer.h - an answer: what a regular structure says about the model, or why there is no answer. */
#ifndef DD_STRUCTURE_ANSWER_H
#define DD_STRUCTURE_ANSWER_H

#include "structure/system.h"

/* The verdict is another than ok: no index, no degrees of freedom, and the reason. */
void dd_answer_refuse(dd_system *s, dd_verdict verdict, const char *reason);

/* Index, degrees of freedom, constraints, reduced system, conditions and counts, from eqs and their offsets. Needs
 * s->point: where rows were substituted, ranks are taken there. */
void dd_answer_from_offsets(dd_system *s);

/* Index and numbers of constraints found another way. */
void dd_answer_take_counts(dd_system *s, uint32_t index, uint32_t visible, uint32_t hidden);

/* ODE, DAE or algebraic, from the index where it is known and else from the derivatives that appear. */
void dd_answer_set_kind(dd_system *s);

/* As many visible and hidden constraints are listed as were counted. */
bool dd_answer_agrees(const dd_system *s);

/* Another list with the same strings. */
dd_string_vec dd_answer_copied_strings(dd_pool *pool, const dd_string_vec *from);

#endif
