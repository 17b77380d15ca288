/* corrections.c - the loop of simplified Gauss-Newton corrections. */
#include "nls/corrections.h"

#include <math.h>
#include <stddef.h>

dd_corrections_end dd_corrections_run(const dd_corrections *c, double *x, double *sum, double *last)
{
    *last = INFINITY;
    for (uint32_t k = 0; k < c->most; k++) {
        const int state = c->residual(c->user, x);
        if (state != 0) {
            return state < 0 ? DD_CORRECTIONS_ON_ROWS : DD_CORRECTIONS_NOT_FINITE;
        }
        double size = 0;
        if (c->correct(c->user, x, c->dx, &size) != 0) {
            return DD_CORRECTIONS_NOT_FINITE;
        }
        /* !(a < b) is true for NaN as well */
        if (!(size < c->contraction * *last)) {
            return DD_CORRECTIONS_STALLED;
        }
        *last = size;
        for (uint32_t j = 0; j < c->n; j++) {
            x[j] += c->dx[j];
        }
        for (uint32_t j = 0; sum != NULL && j < c->n; j++) {
            sum[j] += c->dx[j];
        }
        if (size <= c->goal) {
            return DD_CORRECTIONS_DONE;
        }
    }
    return DD_CORRECTIONS_ALL_USED;
}
