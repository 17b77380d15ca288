/* followers.h - unknowns of a model made of parts that need no analysis: they follow others in closed form.
 *
 *     frame.r = arm.r              a copy, from a connection
 *     a.f + b.f = 0                a flow, up to its sign
 *     base.r = {0, 0, 1}           a value in parameters
 *     E = 0.5*m*(v*v)              nothing else contains E
 *
 * Of the unknowns of a mechanism two thirds are of this kind. Where nobody asks for the analysis of the whole
 * (dd_analyse_options.fewer_unknowns) they leave with their rows before it begins. */
#ifndef DD_STRUCTURE_FOLLOWERS_H
#define DD_STRUCTURE_FOLLOWERS_H

#include "structure/system.h"

/* rows: the model's rows, lowered, in place; gone[r] is set for those that leave. s->follower is filled with the values of
 * unknowns that leave, in the ones that stay; it stays NULL when none leaves. Raises. */
void dd_system_find_followers(dd_system *s, dd_expr *rows, uint8_t *gone);

#endif
