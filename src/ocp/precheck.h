/* precheck.h - what can be said about an optimization before anything is solved: bounds and rows that contradict each
 * other, rows that hold or fail whatever is chosen, a start that nothing can mend. */
#ifndef DD_OCP_PRECHECK_H
#define DD_OCP_PRECHECK_H

#include "ocp/ocp_impl.h"

/* Sets status and reason; returns false, for "return dd_ocp_refuse(...)". */
bool dd_ocp_refuse(dd_ocp *p, dd_ocp_status status, const char *reason);

/* Bounds, times and the start; also contradictions found by problem and boundary. False: refused. Raises. */
bool dd_ocp_check_problem(dd_ocp *p);

/* Rows over the bounds by interval arithmetic, and pairs of rows. Rows without effect are noted in the messages.
 * False: refused. Raises. */
bool dd_ocp_check_rows(dd_ocp *p);

/* A function that is not finite at the guess of the present transcription: which, where and with what values. False:
 * refused. Raises. */
bool dd_ocp_check_guess(dd_ocp *p);

/* "x <= 0.5", or "x <= 2 (max)" where an attribute set it. Raises. */
const char *dd_ocp_bound_name(const dd_ocp_problem *o, const dd_decision *d, bool upper);

#endif
