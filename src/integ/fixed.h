/* fixed.h - the grid of a run with given steps: t + h, but the last step ends exactly at the bound. */
#ifndef DD_INTEG_FIXED_H
#define DD_INTEG_FIXED_H

#include <float.h>
#include <math.h>
#include <stdbool.h>

/* Does a step of size h from t end at the bound? A rest of h/10000 is not worth a separate step. */
static inline bool dd_fixed_reaches(double t, double h, double bound)
{
    return h * 1.0001 >= bound - t;
}

/* Its size. The last step of an even grid differs from the others by rounding alone: it gets their size, so that
 * factors can be kept; the time then is set to the bound. */
static inline double dd_fixed_size(double t, double h, double bound)
{
    const double left = bound - t;
    return !dd_fixed_reaches(t, h, bound) || fabs(left - h) <= 16 * DBL_EPSILON * (fabs(t) + fabs(h)) ? h : left;
}

#endif
