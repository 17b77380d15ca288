/* radau_swings.c - components that swing with a small amplitude.
 *
 * The estimate has order s, the result order 2s - 1, and tolerances are transformed for that: an estimate of
 * tol^((s+1)/2s) means a result with an error of tol, in units of the solution. Where a component swings with an
 * amplitude of a times the size that its tolerance is relative to (atol/rtol + |x|), the tolerance relative to its motion
 * is tol/a, the transformed one a (tol/a)^((s+1)/2s): a^((s-1)/2s) times the usual one. Without that factor the error of a
 * step grows as a falls, like a^-((s-1)/(s+1)). What decays forgets such errors; what swings adds them up. */
#include <math.h>

#include "integ/radau_impl.h"

enum {
    TURNS_APART = 20 /* steps from one turn to the next at most, or it is no swing */
};
static const double LEAST_SWING =
    10;                         /* tolerances: smaller swings may be lost, no error is much larger than they are */
static const double AMPLE = 30; /* amplitudes of one part in so many are ordinary */

void dd_radau_swings_start(radau *r)
{
    r->swings = false;
    for (uint32_t j = 0; j < r->n; j++) {
        r->turn[j] = r->base.w[j];
        r->swing[j] = 0;
        r->since_turn[j] = INFINITY;
        r->swing_factor[j] = 1;
    }
}

/* The factor of the errors of component j, by the amplitude of its last swing. */
static double factor_of(const radau *r, uint32_t j)
{
    const double s = 3 + 2.0 * r->now, rtol = r->options.rtol, size = r->atol[j] / rtol + fabs(r->base.w[j]);
    const double part = AMPLE * r->swing[j] / size;
    return part < 1 && r->swing[j] > LEAST_SWING * rtol * size ? pow(part, -0.5 * (s - 1) / s) : 1.0;
}

void dd_radau_swings_look(radau *r, const double *slope, uint32_t stride)
{
    const dd_integrator *it = &r->base;
    r->swings = false;
    for (uint32_t j = 0; j < r->n; j++) {
        if (!it->problem->differential[j]) {
            continue;
        }
        r->since_turn[j]++;
        /* a turn: a swing where the last turn is not long ago */
        if (it->wdot[j] * slope[(size_t)j * stride] < 0) {
            r->swing[j] = r->since_turn[j] <= TURNS_APART ? 0.5 * fabs(it->w[j] - r->turn[j]) : 0.0;
            r->turn[j] = it->w[j];
            r->since_turn[j] = 0;
            r->swing_factor[j] = r->swing[j] > 0 ? factor_of(r, j) : 1.0;
        }
        r->swing_factor[j] = r->since_turn[j] <= TURNS_APART ? r->swing_factor[j] : 1.0;
        r->swings = r->swings || r->swing_factor[j] > 1;
    }
}

double dd_radau_swing_error(const radau *r)
{
    double sum = 0;
    uint32_t count = 0;
    for (uint32_t j = 0; j < r->n && r->swings; j++) {
        if (r->base.problem->differential[j]) {
            const double x = r->err[j] * r->weight[j] * r->swing_factor[j];
            sum += x * x;
            count++;
        }
    }
    return count > 0 ? sqrt(sum / count) : 0.0;
}
