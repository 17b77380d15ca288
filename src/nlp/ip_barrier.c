/* ip_barrier.c - the barrier parameter: when it falls and how far. It is monotone (W&B (7), algorithm A-3); how fast it
 * falls near the solution, a probe decides. */
#include <math.h>

#include "nlp/ip_impl.h"

#define SOLVED 10.0 /* kappa_epsilon: a barrier problem is solved to this times mu */
#define LINEAR 0.2  /* kappa_mu */
#define POWER 1.5   /* theta_mu */
#define LEAST_TAU 0.99
#define LEAST_OBJECTIVE 1e-10 /* smaller ones are compared with this */

/* the probe: below 2, since whole steps leave complementarity of the size mu^2; where the barrier is larger than most,
 * bounds are not yet told apart, and faster steps only jam */
#define PROBED_POWER 1.9
#define REST 0.2  /* of the least barrier: what whole steps may add to it */
#define ABOVE 2.0 /* times the tolerance: another step follows */
#define PROBED_MOST 0.05
#define CENTRING 3.0 /* Mehrotra's exponent */
#define WHOLE                                                                                                          \
    0.9 /* part of the step to mu = 0 from which on mu falls faster than by W&B; with less, a small one falls
                        no faster than by Mehrotra: bounds that are hardly active halve their distances in a step,
                        however small mu is */
#define SMALL 1e-4
#define NEARLY_WHOLE 0.9 /* part of the last step, from which on its contraction says something about the next */
#define FAST 0.3         /* contraction that shows Newton's method at work: slower ones are those of bounds and cuts */

/* Bounds whose multipliers are larger than the distances to them. */
static uint32_t count_active(const dd_ip *ip)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < ip->n_low; k++) {
        uint32_t i = ip->low[k];
        count += ip->zl[i] > ip->now.w[i] - ip->lower[i] ? 1 : 0;
    }
    for (uint32_t k = 0; k < ip->n_high; k++) {
        uint32_t i = ip->high[k];
        count += ip->zu[i] > ip->upper[i] - ip->now.w[i] ? 1 : 0;
    }
    return count;
}

double dd_ip_least_barrier(const dd_ip *ip)
{
    const dd_nlp_options *o = ip->base->options;
    double tolerance = o->complementarity > 0 ? fmin(o->tolerance, o->complementarity) : o->tolerance;
    double least = tolerance / (SOLVED + 1);
    /* every active bound adds mu to the objective's distance from the optimum */
    if (o->gap > 0 && ip->outer == NULL) {
        double active = fmax(1, count_active(ip)), size = fmax(fabs(ip->now.objective), LEAST_OBJECTIVE);
        least = fmin(least, fmax(o->gap * size / active, DD_IP_LEAST_PRECISION * least));
    }
    return ip->precision * least;
}

void dd_ip_set_barrier(dd_ip *ip, double mu)
{
    ip->mu = mu;
    ip->tau = fmax(LEAST_TAU, 1 - mu);
}

static bool is_solved(const dd_ip *ip, const dd_ip_errors *now)
{
    return dd_ip_errors_for(now, ip->mu).total <= SOLVED * ip->mu;
}

bool dd_ip_barrier_falls(const dd_ip *ip, const dd_ip_errors *now)
{
    return is_solved(ip, now) && ip->mu > dd_ip_least_barrier(ip);
}

/* Newton's steps converge ever faster: where the last one was whole and the next, were it no better, would solve the
 * barrier problem, it may as well aim at a smaller barrier. */
static bool will_be_solved(const dd_ip *ip, const dd_ip_errors *now)
{
    if (ip->outer != NULL || ip->mu > PROBED_MOST || ip->alpha < NEARLY_WHOLE || ip->delta_w > 0 || !ip->has_before) {
        return false;
    }
    const dd_ip_errors here = dd_ip_errors_for(now, ip->mu);
    const double rate = here.total / dd_ip_errors_for(&ip->before, ip->mu).total;
    return here.complementarity <= SOLVED * ip->mu && rate <= FAST && rate * here.total <= SOLVED * ip->mu;
}

void dd_ip_update_barrier(dd_ip *ip, const dd_ip_errors *now, bool tiny)
{
    /* the least barrier counts active bounds: only where the present one may be left */
    ip->mu_before = ip->mu;
    const bool foreseen = will_be_solved(ip, now);
    ip->before = *now;
    ip->has_before = true;
    if (!is_solved(ip, now) && !tiny && !foreseen) {
        return;
    }
    tiny = tiny || foreseen;
    double least = dd_ip_least_barrier(ip);
    while (ip->mu > least) {
        if (!is_solved(ip, now) && !tiny) {
            return;
        }
        ip->mu_before = ip->mu;
        ip->acceptable = 0; /* it goes on */
        dd_ip_set_barrier(ip, fmax(least, fmin(LINEAR * ip->mu, pow(ip->mu, POWER))));
        dd_ip_reset_filter(ip);
        ip->watch = 0; /* its reference belongs to the other barrier */
        ip->watch_failed = false;
        tiny = false;
    }
}

bool dd_ip_probes(const dd_ip *ip, double delta)
{
    return ip->outer == NULL && ip->mu < ip->mu_before && ip->mu_before <= PROBED_MOST && delta == 0;
}

bool dd_ip_probe_barrier(dd_ip *ip)
{
    const double mu = ip->mu, before = ip->mu_before;
    if (!dd_ip_probes(ip, ip->delta_w)) {
        return true;
    }
    /* the step to mu = 0 by the same factors, and how far it may go */
    dd_ip_reach reach;
    if (!dd_ip_probe(ip, &reach)) {
        return false;
    }
    const double alpha = fmin(reach.primal, reach.dual);
    const double least = dd_ip_least_barrier(ip);
    /* it leaves (1 - alpha) of the products: mu falls with the cube of that (Mehrotra 1992) */
    const double rest = pow(1 - alpha, CENTRING);
    if (alpha < WHOLE) {
        const double slow = before > SMALL ? mu : fmax(mu, fmin(rest, LINEAR) * before);
        dd_ip_set_barrier(ip, fmax(least, slow));
        return true;
    }
    const double next = fmin(mu, fmax(pow(before, PROBED_POWER), rest * before));
    /* a barrier that meets the tolerance is the last one: products are then the least, and not mostly mu^2 */
    const double enough = ABOVE * ip->base->options->tolerance;
    const bool last = before * before <= REST * least;
    dd_ip_set_barrier(ip, next > enough ? next : last ? least : fmax(least, fmin(mu, enough)));
    return true;
}
