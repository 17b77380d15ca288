/* fixed.h - the grid of a run with given steps: t + h, but the last step ends exactly at the bound. */
#ifndef DD_INTEG_FIXED_H
#define DD_INTEG_FIXED_H

#include <stdbool.h>

/* Does a step of size h from t end at the bound? A rest of h/10000 is not worth a step of its own. */
static inline bool dd_fixed_reaches(double t, double h, double bound)
{
    return h * 1.0001 >= bound - t;
}

#endif
