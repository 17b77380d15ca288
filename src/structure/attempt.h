/* attempt.h - one attempt at an answer: rows in, answer out.
 *
 * The rows (rows.h) stay as they are. What an attempt returns is another dd_system that shares them and has an answer;
 * the policy (analyse.c) takes it, or drops it and makes another attempt. What all attempts of an analysis have in
 * common is the work that may be spent on derivative arrays (s->array).
 */
#ifndef DD_STRUCTURE_ATTEMPT_H
#define DD_STRUCTURE_ATTEMPT_H

#include "structure/witness.h"

/* An empty answer for the rows, with the warnings that came before it. */
dd_system *dd_attempt_new(const dd_system *rows);

/* The Jacobian is regular at a consistent point: the offsets are right there, and counts are verified. given: it is the
 * start that was given. An answer whose lists and counts agree (dd_answer_agrees) is worth completing. */
dd_system *dd_attempt_regular(const dd_system *rows, const dd_taylor_point *point, bool given);
/* Its initial conditions, and fixed values that contradict the equations. */
void dd_attempt_complete(dd_system *answer);

/* No consistent point was found, but where coefficients are constant none is needed. NULL when they are not. */
dd_system *dd_attempt_without_point(const dd_system *rows);

/* The Jacobian is singular at the start: what the derivative array finds there, or that the start is a multiple root.
 * NULL when neither decides. */
dd_system *dd_attempt_at_singular_start(const dd_system *rows, const dd_witness *w);
/* Nothing decides at the singular start: the answer of other points, with a warning, or none. */
dd_system *dd_attempt_beside_singular_start(const dd_system *rows, const dd_witness *w);

/* The derivative array of the rows as written, near one guess after the other: NULL when it decides nowhere. */
dd_system *dd_attempt_by_definition(const dd_system *rows);
/* The derivative array of the rows as written, where their structure deceives and no repair was found (w = NULL), or no
 * point confirms the repaired rows. Without a decision the structural answer, unconfirmed. */
dd_system *dd_attempt_as_written(const dd_system *rows, const dd_witness *w);

/* The structural answer, unconfirmed, and why. */
dd_system *dd_attempt_unconfirmed(const dd_system *rows, const dd_witness *w);

/* The given start is singular: says so by its values, since no formula shows it. */
void dd_attempt_warn_singular_start(dd_system *s, const dd_regularity *at, const double *x, uint32_t stride,
                                    bool regular_elsewhere);

/* ---- attempt_array.c ---- */

/* Index and constraints from ranks of the derivative array near x (ncols * stride coefficients), NULL when they do not
 * decide. where: what is singular there. elsewhere: other points are regular, which is said. *consistent becomes true
 * when the array could be satisfied. */
dd_system *dd_attempt_by_array(const dd_system *rows, const double *x, uint32_t stride, const dd_regularity *where,
                               bool elsewhere, bool *consistent);

#endif
