/* switching.h - what the kind of control does to the objective where a control jumps or is steep.
 *
 * Constant controls jump between intervals only. Where the best control jumps inside one, the objective is too high,
 * and nothing else shows it: the motion is exact. The multipliers tell about how much is lost (hidden.h); a mesh with
 * these intervals divided tells how much it is. A control that is steep loses in the same way (stairs.h). Polynomial
 * controls that jump leave their bounds between the points, and the objective may be lower than any that the bounds
 * allow: a mesh of halved intervals tells by how much.
 */
#ifndef DD_OCP_SWITCHING_H
#define DD_OCP_SWITCHING_H

#include "ocp/ocp_impl.h"

/* With constant controls: where the mesh is ours, better meshes while that pays; else a note with the gain. Nothing
 * with options.refine, which does all this. Raises. */
void dd_ocp_divide_switches(dd_ocp *p);
/* With polynomial controls that leave their bounds: NULL if the objective is accurate all the same, or became so on a
 * finer mesh of ours; else the reason why it is not, in words. Raises. */
const char *dd_ocp_leaves_bounds(dd_ocp *p);

#endif
