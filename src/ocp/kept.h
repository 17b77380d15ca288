/* kept.h - a solution of the present transcription, kept while another one is tried. */
#ifndef DD_OCP_KEPT_H
#define DD_OCP_KEPT_H

#include "ocp/ocp_impl.h"

typedef struct dd_kept {
    dd_nlp_result result;
    dd_ocp_info info;
    double *values; /* x, lambda, z_lower, z_upper */
} dd_kept;

/* Raises. */
dd_kept dd_ocp_keep(dd_ocp *p, dd_pool *pool);
/* It is the solution again; iterations spent since are kept. */
void dd_ocp_put_back(dd_ocp *p, const dd_kept *kept);
/* The same after a try near it; a stop of the try stays one. */
void dd_ocp_put_back_after(dd_ocp *p, const dd_kept *kept);
/* The present solution was there before a try that ended with this status: a stop stays one, with a reason. */
void dd_ocp_keep_stop(dd_ocp *p, dd_ocp_status status);
/* Another solution gains something when its objective is below this. */
double dd_ocp_to_beat(const dd_ocp *p);

#endif
