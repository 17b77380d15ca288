/* resolved.h - speeds that a mesh can follow.
 *
 * Where nothing bounds the speeds of a mechanical model, a program on a mesh has optima that are no motions:
 * between two nodes a joint turns several times, the collocation points see it now and then, and the cost falls. A
 * solve that goes there is repeated with speeds bounded by what the mesh resolves, a part of the coordinate's size
 * in an interval; from its solution the bounds are taken away again.
 */
#ifndef DD_OCP_RESOLVED_H
#define DD_OCP_RESOLVED_H

#include "ocp/ocp_impl.h"

typedef struct dd_resolved {
    dd_ocp_problem *o;
    double *lower, *upper; /* per state: its bounds as they were */
    double *most;          /* per state: the largest size that was allowed; infinite: nothing was changed */
} dd_resolved;

/* Has the present iterate speeds beyond what its mesh resolves? A speed is a state that is another state's
 * derivative. */
bool dd_resolved_exceeded(dd_ocp *p);

/* Is there a speed without bounds? */
bool dd_resolved_open(const dd_ocp_problem *o);
/* Is the present iterate at the bounds that r has set? */
bool dd_resolved_active(dd_ocp *p, const dd_resolved *r);

/* Speeds bounded for a mesh of this many intervals, until dd_resolved_restore. */
dd_resolved dd_resolved_new(dd_ocp *p, uint32_t intervals);
void dd_resolved_restore(dd_resolved *r);

#endif
