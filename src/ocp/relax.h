/* relax.h - which constraints of the user would have to give way.
 *
 * The equations of the model, continuity and consistency stay; rows, end conditions, start values, bounds of
 * states and of free times each get one slack (nlp/elastic.h), whose weighted sum is made smallest. The
 * multipliers name the constraints that are in conflict; each of them is then tried alone, and where none suffices
 * a smallest set is sought by taking constraints out one by one.
 */
#ifndef DD_OCP_RELAX_H
#define DD_OCP_RELAX_H

#include "ocp/diagnose.h"

typedef enum dd_relax_verdict {
    DD_RELAX_UNKNOWN,   /* not decided: stopped, or the solver failed */
    DD_RELAX_FEASIBLE,  /* nothing has to: y satisfies all constraints */
    DD_RELAX_NEEDED,    /* y satisfies the model; relax, instead and conflict are filled */
    DD_RELAX_IMPOSSIBLE /* not even the model's own equations were satisfied */
} dd_relax_verdict;

/* The rows are linear in the variables, as far as second derivatives at the guess and at the present point show: then
 * `infeasible` is no matter of where one begins. Raises. */
bool dd_ocp_rows_linear(dd_ocp *p);

/* An elastic solve from the guess shows a conflict: a longer solve is not worth its time. Raises. */
bool dd_ocp_in_conflict(dd_ocp *p, double deadline);

/* y: room for a point of the program. Raises. */
dd_relax_verdict dd_ocp_relax(dd_ocp *p, double deadline, dd_diagnosis *out, double *y);

#endif
