/* reading.h - every declared variable of a solution at a time, or other values. */
#ifndef DD_OCP_READING_H
#define DD_OCP_READING_H

#include "ocp/ocp_impl.h"

typedef struct dd_reading {
    const dd_ocp *p;
    dd_ocp_outputs *outputs; /* NULL: none */
    double *x, *z, *u, *params;
    double *values; /* in the order of p->outputs->vars, or of the outputs that were given */
} dd_reading;

/* p has a trajectory. Raises. */
dd_reading dd_reading_new(dd_ocp *p, dd_pool *pool);
/* The values of other expressions, `count` of them. Raises. */
dd_reading dd_reading_of(const dd_ocp *p, dd_ocp_outputs *outputs, uint32_t count, dd_pool *pool);
/* left: the limit from the left where something jumps. */
void dd_reading_at(dd_reading *r, double theta, bool left);
/* The values at the end, from the left, for people: what is rounding beside the rest of its curve is 0. In the pool. */
const double *dd_reading_end(dd_reading *r, dd_pool *pool);
/* "time 1.5", "time 1.5 in phase carry": where a part theta of the horizon is, in that phase (from 1; 0: none). Raises. */
const char *dd_reading_when(const dd_ocp *p, uint32_t phase, double theta);
const char *dd_reading_name(const dd_ocp *p, uint32_t i, dd_pool *pool);

#endif
