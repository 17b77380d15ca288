/* ip_soft.c - before a restoration: steps that reduce the residuals of the barrier problem's optimality conditions
 * (W&B section 3.3, "reducing the KKT error"). Near a solution Newton's step is good even where the filter refuses it. */
#include <math.h>
#include <string.h>

#include "nlp/ip_impl.h"

#define SOFT_GAIN 0.9999
#define MOST_SOFT 10u /* steps in a row before the restoration has its turn */

/* Mean absolute residuals of the conditions with the present mu. */
static double conditions(const dd_ip *ip)
{
    double dual = 0, primal = ip->now.theta, products = 0;
    for (uint32_t i = 0; i < ip->nw; i++) {
        dual += fabs(ip->dual[i]);
    }
    for (uint32_t k = 0; k < ip->n_low; k++) {
        uint32_t i = ip->low[k];
        products += fabs(ip->zl[i] * (ip->now.w[i] - ip->lower[i]) - ip->mu);
    }
    for (uint32_t k = 0; k < ip->n_high; k++) {
        uint32_t i = ip->high[k];
        products += fabs(ip->zu[i] * (ip->upper[i] - ip->now.w[i]) - ip->mu);
    }
    uint32_t bounds = ip->n_low + ip->n_high;
    return dual / fmax(1, ip->nw) + primal / fmax(1, ip->m) + products / fmax(1, bounds);
}

static void swap_points(dd_ip *ip)
{
    dd_ip_point swap = ip->now;
    ip->now = ip->trial;
    ip->trial = swap;
}

bool dd_ip_soft_step(dd_ip *ip)
{
    double alpha = fmin(dd_ip_to_boundary(ip, ip->dw, ip->tau), dd_ip_dual_to_boundary(ip, ip->tau));
    double before = conditions(ip);
    if (ip->soft >= MOST_SOFT) {
        ip->soft = 0;
        return false;
    }
    /* the whole primal-dual step with one length */
    for (uint32_t i = 0; i < ip->nw; i++) {
        ip->trial.w[i] = ip->now.w[i] + alpha * ip->dw[i];
    }
    if (!dd_ip_evaluate(ip, &ip->trial)) {
        ip->soft = 0;
        return false;
    }
    /* what the filter accepts needs no further test */
    double phi = dd_ip_barrier(ip, &ip->trial);
    bool leaves =
        isfinite(phi) && dd_ip_improves(ip, ip->trial.theta, phi) && dd_ip_filter_accepts(ip, ip->trial.theta, phi);
    memcpy(ip->aw, ip->zl, ip->nw * sizeof *ip->aw);
    memcpy(ip->sw, ip->zu, ip->nw * sizeof *ip->sw);
    memcpy(ip->sy, ip->y, ip->m * sizeof *ip->sy);
    ip->alpha = ip->alpha_dual = alpha;
    dd_ip_accept(ip, alpha);
    bool ok = dd_ip_derivatives(ip);
    if (ok && (leaves || conditions(ip) <= SOFT_GAIN * before)) {
        ip->soft = leaves ? 0 : ip->soft + 1;
        return true;
    }
    /* back to where it was */
    swap_points(ip);
    memcpy(ip->zl, ip->aw, ip->nw * sizeof *ip->aw);
    memcpy(ip->zu, ip->sw, ip->nw * sizeof *ip->sw);
    memcpy(ip->y, ip->sy, ip->m * sizeof *ip->sy);
    ip->soft = 0;
    dd_ip_derivatives(ip); /* they exist: they were there before */
    return false;
}
