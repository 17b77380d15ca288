/* dependent.h - rows of a program whose gradients depend on each other at a point. */
#ifndef DD_OCP_DEPENDENT_H
#define DD_OCP_DEPENDENT_H

#include "ocp/diagnose.h"

/* Equalities and active inequalities at the present point, in the variables that are not at a bound: sets that are
 * dependent, each by its last row in the order equations of the model, then constraints of the user. Raises. */
void dd_ocp_find_dependent(dd_ocp *p, dd_diagnosis *out);

#endif
