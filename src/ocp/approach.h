/* approach.h - from a guess to the nearest point that satisfies all rows, before any cost is looked at.
 *
 * A cost may pull the first iterates to where no way leads back (a least time goes to its bound before the motion is
 * found). The distance to the guess pulls nowhere.
 */
#ifndef DD_OCP_APPROACH_H
#define DD_OCP_APPROACH_H

#include "ocp/ocp_impl.h"

/* Moves p->result.x there. False, and it stays, where that fails. Raises. */
bool dd_ocp_approach(dd_ocp *p, const dd_nlp_options *options);

#endif
