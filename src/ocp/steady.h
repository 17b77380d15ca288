/* steady.h - solves that end on a slope: steps as long as ever, while the slope becomes too flat to see. */
#ifndef DD_OCP_STEADY_H
#define DD_OCP_STEADY_H

#include "ocp/history.h"

/* Near a minimum steps become shorter: the last one is a small part of those before. On the tail of exp(x) they all have
 * the same length, and only the slope shrinks, by the same factor in each. */
bool dd_ocp_steps_steady(const dd_history *h);

#endif
