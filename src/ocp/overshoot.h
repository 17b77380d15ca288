/* overshoot.h - polynomial controls keep their bounds and the path constraints on them at collocation points; how
 * far they leave them in between. */
#ifndef DD_OCP_OVERSHOOT_H
#define DD_OCP_OVERSHOOT_H

#include "ocp/ocp_impl.h"

typedef struct dd_overshoot {
    double part; /* of the range of the control or the constraint, or of its size where one side is open; 0: none */
    double by, theta;   /* in its unit; where, as part of the horizon */
    const char *bounds; /* "u leaves its bounds", "u + v <= 1 is violated"; NULL: none */
} dd_overshoot;

/* The largest one of the present solution, looked for at a few places in each interval. Raises. */
dd_overshoot dd_ocp_overshoot(dd_ocp *p);
/* Says it where it matters. Raises. */
void dd_ocp_say_overshoot(dd_ocp *p);

#endif
