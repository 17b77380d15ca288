/* alpha.c - the default of Baumgarte's alpha.
 *
 * In c'' + 2 alpha c' + alpha^2 c = 0 a constraint that was left comes back at the rate alpha. Slower than the
 * motion, and it drifts meanwhile. Much faster, and the terms with alpha dominate the error of every step; beyond
 * 2/h an explicit method is unstable. So alpha is the rate of the motion at the start, but never more than a small
 * part of 1/h where the step h is given. */
#include <math.h>

#include "sim/sim_impl.h"

/* h alpha: small against 2, where Euler's method becomes unstable, and small enough for the terms with alpha not to be
 * what limits the accuracy. */
static const double PART_OF_STEP = 0.1;
/* The rate at the start says nothing where the motion begins at rest or with a transient: alpha times the length of the
 * run stays within these. */
static const double LEAST_DECAYS = 10, MOST_DECAYS = 1000;

/* |x'| / |x|, each variable in units of its nominal value. */
static double rate_at_start(const dd_sim *sim)
{
    const dd_problem *p = &sim->numbers->problem;
    double value = 0, slope = 0;
    for (uint32_t j = 0; j < p->n; j++) {
        if (p->differential[j]) {
            const double x = sim->w0[j] / p->nominal[j], v = sim->wdot0[j] / p->nominal[j];
            value += x * x;
            slope += v * v;
        }
    }
    return value > 0 ? sqrt(slope / value) : 0.0;
}

static double within_step(const dd_sim *sim, double alpha)
{
    return sim->options.step > 0 ? fmin(alpha, PART_OF_STEP / sim->options.step) : alpha;
}

double dd_sim_first_alpha(const dd_sim *sim)
{
    if (sim->options.stabilize != DD_STABILIZE_BAUMGARTE) {
        return 0;
    }
    return sim->options.alpha > 0 ? sim->options.alpha : within_step(sim, MOST_DECAYS / (sim->t_stop - sim->t0));
}

double dd_sim_alpha(const dd_sim *sim)
{
    const double span = sim->t_stop - sim->t0, rate = rate_at_start(sim);
    if (sim->options.stabilize != DD_STABILIZE_BAUMGARTE || sim->options.alpha > 0) {
        return dd_sim_first_alpha(sim);
    }
    const double alpha =
        isfinite(rate) ? fmin(fmax(rate, LEAST_DECAYS / span), MOST_DECAYS / span) : LEAST_DECAYS / span;
    return within_step(sim, dd_constant_scale(alpha));
}
