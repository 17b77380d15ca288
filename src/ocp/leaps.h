/* leaps.h - does a control jump, as far as a solution shows? Linear controls are continuous: a jump is a large change within
 * one interval. */
#ifndef DD_OCP_LEAPS_H
#define DD_OCP_LEAPS_H

#include "ocp/ocp_impl.h"

typedef struct dd_control_leap {
    double part;      /* of the range of its values: the change in one interval; 0: no control jumps or is steep */
    const char *name; /* of the control */
    const char *when; /* "time 1.5", "time 1.5 in phase carry" */
} dd_control_leap;

/* The largest one of all controls of all phases. Raises. */
dd_control_leap dd_ocp_leap(const dd_ocp *p);

#endif
