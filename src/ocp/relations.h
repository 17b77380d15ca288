/* relations.h - relations that would make events in a simulation. An optimization has none: it evaluates both
 * sides of a kink as the iterates come, and says so. */
#ifndef DD_OCP_RELATIONS_H
#define DD_OCP_RELATIONS_H

#include "ocp/problem.h"

/* One message that names the places of all relations in `if` outside noEvent that can change in time. Raises. */
void dd_ocp_note_relations(dd_ocp_problem *o);
/* Why a solve that does not end may not: relations, and kinks that stay as they are (kinks.h), begun with "; ". Empty: there are
 * none. Raises. */
const char *dd_ocp_sharp_words(const dd_ocp_problem *o);

#endif
