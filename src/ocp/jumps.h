/* jumps.h - equations that jump where a relation in states changes, inside an interval.
 *
 * At such a place the costate jumps by pi s_x, where s is the relation and pi = (H+ - H-)/(s_x f-): crossing it earlier or later
 * changes the cost. The program on a mesh has derivatives between its points only, where the equations are smooth, and so a
 * continuous costate: its solution is a motion of the model that nothing proves to be the cheapest one. Where controls are at
 * their bounds they are so with either costate.
 */
#ifndef DD_OCP_JUMPS_H
#define DD_OCP_JUMPS_H

#include "ocp/ocp_impl.h"

/* What the solution crosses while a control or a parameter is free, in words; NULL: nothing. Raises. */
const char *dd_ocp_jump_words(const dd_ocp *p);

#endif
