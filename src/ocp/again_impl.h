/* again_impl.h - shared by the files that solve a program again: again.c, again_soft.c, again_step.c. */
#ifndef DD_OCP_AGAIN_IMPL_H
#define DD_OCP_AGAIN_IMPL_H

#include "ocp/ocp_impl.h"

#define DD_AGAIN_BARRIER 1e-4 /* of the first step: near a solution that was moved, larger ones only lead away */

/* All numbers of the program as they were set. Raises. */
void dd_ocp_refresh(dd_ocp *p);
/* Solves this program, which has the variables and rows of the transcription, from the present result. Raises. */
void dd_ocp_run_program(dd_ocp *p, const dd_nlp *nlp, const dd_ocp_again *how);
/* What the solver says of its solution, into info; the conditions are not computed again here. */
void dd_ocp_tell_again(dd_ocp *p, double began);

#endif
