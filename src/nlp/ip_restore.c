/* ip_restore.c - the restoration phase (W&B section 3.3): the nearest point that violates the rows least.
 *
 *     min rho sum(p + n) + zeta/2 |D (x - x_R)|^2   s.t.   c(x) - t - p + n = 0,  p, n >= 0
 *
 * solved by the same method as a phase of its own, until the filter of the first phase accepts its point. Where it has
 * a solution that violates the rows, the program is infeasible near it. */
#include <math.h>
#include <string.h>

#include "nlp/ip_impl.h"

#define GAIN 0.9             /* kappa_resto: the largest residual must fall by this */
#define LARGE_MULTIPLIER 1e3 /* larger multipliers of bounds are forgotten afterwards */

/* p - n = c with p, n on the central path of rho (p + n) - mu (log p + log n), W&B (33): with r = rho |c| and
 * h = sqrt(mu^2 + r^2) the smaller one is (mu + h - r) / (2 rho), written without cancellation. */
static void centre(double c, double mu, double rho, double *p, double *n)
{
    double r = rho * fabs(c), h = hypot(mu, r);
    double small = (mu + mu * mu / (h + r)) / (2 * rho);
    *n = c > 0 ? small : small - c;
    *p = c > 0 ? small + c : small;
}

/* Residual of row i without elastic variables, in an inner point. */
static void plain_residuals(const dd_ip *inner, const dd_ip_point *point, double *c)
{
    uint32_t slacks = inner->outer->nt;
    memcpy(c, point->c, inner->m * sizeof *c);
    for (uint32_t t = slacks; t < inner->nt; t++) {
        c[inner->row[t]] -= inner->sign[t] * point->w[inner->n + t];
    }
}

/* Elastic variables that fit the present x and t; their multipliers. */
void dd_ip_centre_elastic(dd_ip *inner)
{
    plain_residuals(inner, &inner->now, inner->ec);
    for (uint32_t t = inner->outer->nt; t + 1 < inner->nt; t += 2) {
        double *p = &inner->now.w[inner->n + t], *n = p + 1;
        centre(inner->ec[inner->row[t]], inner->mu, inner->cost[t], p, n);
        inner->zl[inner->n + t] = inner->mu / *p;
        inner->zl[inner->n + t + 1] = inner->mu / *n;
    }
}

static bool begin(dd_ip *inner)
{
    dd_ip *outer = inner->outer;
    double worst = outer->now.largest;
    dd_ip_set_barrier(inner, fmax(outer->mu, worst));
    inner->zeta = sqrt(inner->mu);
    inner->reference_residual = worst;
    inner->left = false;
    inner->last_delta = inner->least_delta = 0;
    inner->shrinks = 0;
    inner->tiny_steps = 0;
    inner->acceptable = 0;
    /* x and t of the outer phase, with the same bounds, which may have moved */
    size_t shared = (size_t)outer->nw;
    memcpy(inner->lower, outer->lower, shared * sizeof *inner->lower);
    memcpy(inner->upper, outer->upper, shared * sizeof *inner->upper);
    memcpy(inner->now.w, outer->now.w, shared * sizeof *inner->now.w);
    for (uint32_t i = 0; i < inner->n; i++) {
        inner->reference[i] = outer->now.w[i];
        inner->weight[i] = fmin(1, 1 / fmax(fabs(outer->now.w[i]), 1e-300));
    }
    for (uint32_t i = 0; i < outer->nw; i++) {
        inner->zl[i] = fmin(outer->zl[i], DD_IP_ELASTIC);
        inner->zu[i] = fmin(outer->zu[i], DD_IP_ELASTIC);
    }
    memset(inner->y, 0, inner->m * sizeof *inner->y);
    /* the residuals with p = n = 0, then p and n, then the point as a whole */
    memset(inner->now.w + outer->nw, 0, (inner->nw - outer->nw) * sizeof *inner->now.w);
    if (!dd_ip_evaluate(inner, &inner->now)) {
        return false;
    }
    dd_ip_centre_elastic(inner);
    return dd_ip_evaluate(inner, &inner->now) && dd_ip_derivatives(inner);
}

bool dd_ip_outer_accepts(dd_ip *inner)
{
    dd_ip *outer = inner->outer;
    plain_residuals(inner, &inner->now, inner->ec);
    /* not their sum: between rows that contradict each other it falls, and the first phase would come back for ever */
    if (dd_ip_largest(inner->ec, inner->m) > GAIN * inner->reference_residual) {
        return false;
    }
    memcpy(outer->trial.w, inner->now.w, outer->nw * sizeof *outer->trial.w);
    if (!dd_ip_evaluate(outer, &outer->trial)) {
        return false;
    }
    double phi = dd_ip_barrier(outer, &outer->trial);
    return isfinite(phi) && dd_ip_improves(outer, outer->trial.theta, phi) &&
           dd_ip_filter_accepts(outer, outer->trial.theta, phi);
}

/* Multipliers of bounds after the move from now to trial: one Newton step, kept positive. */
static void carry_multipliers(dd_ip *ip)
{
    for (uint32_t i = 0; i < ip->nw; i++) {
        ip->dw[i] = ip->trial.w[i] - ip->now.w[i];
    }
    ip->alpha_dual = dd_ip_bound_steps(ip, ip->mu, ip->tau).dual;
    memset(ip->dy, 0, ip->m * sizeof *ip->dy);
    dd_ip_accept(ip, 0);
    double largest = 0;
    for (uint32_t i = 0; i < ip->nw; i++) {
        largest = fmax(largest, fmax(ip->zl[i], ip->zu[i]));
    }
    if (largest > LARGE_MULTIPLIER) {
        for (uint32_t k = 0; k < ip->n_low; k++) {
            ip->zl[ip->low[k]] = 1;
        }
        for (uint32_t k = 0; k < ip->n_high; k++) {
            ip->zu[ip->high[k]] = 1;
        }
    }
    memset(ip->y, 0, ip->m * sizeof *ip->y);
}

static dd_ip_restored run(dd_ip *ip, dd_ip *inner)
{
    if (!begin(inner)) {
        return DD_IP_RESTORE_FAILED;
    }
    if (ip->base->quasi != NULL) {
        dd_ip_quasi_forget(ip->base->quasi);
    }
    dd_nlp_status end = dd_ip_run(inner);
    if (ip->base->quasi != NULL) {
        dd_ip_quasi_forget(ip->base->quasi);
    }
    bool limited = end == DD_NLP_INTERRUPTED || end == DD_NLP_TIME_LIMIT || end == DD_NLP_ITERATION_LIMIT;
    if (limited) {
        ip->inner_end = end;
        return DD_IP_RESTORE_STOPPED;
    }
    if (!inner->left) {
        /* a point that violates the rows least, and yet violates them */
        memcpy(ip->trial.w, inner->now.w, ip->nw * sizeof *ip->trial.w);
        double violation = dd_ip_evaluate(ip, &ip->trial) ? ip->trial.theta : INFINITY;
        bool converged = end == DD_NLP_OPTIMAL || end == DD_NLP_ACCEPTABLE;
        if (converged && violation > ip->base->options->tolerance * 1e2) {
            carry_multipliers(ip);
            memcpy(ip->y, inner->y, ip->m * sizeof *ip->y); /* the certificate: A^T y is as good as zero */
            return DD_IP_INFEASIBLE;
        }
        if (!converged || !(violation < ip->now.theta)) {
            return DD_IP_RESTORE_FAILED;
        }
        dd_ip_reset_filter(ip); /* feasible, but not to the filter: it begins again from here */
    }
    carry_multipliers(ip);
    return dd_ip_derivatives(ip) ? DD_IP_RESTORED : DD_IP_RESTORE_FAILED;
}

dd_ip_restored dd_ip_restore(dd_ip *ip)
{
    dd_ip_base *b = ip->base;
    /* the filter must not let the iterates come back here */
    dd_ip_filter_add(ip, ip->now.theta, ip->phi);
    ip->restored = true;
    ip->restored_theta = ip->now.theta;
    ip->restored_phi = ip->phi;
    ip->watch = ip->shortened = 0;
    if (b->inner == NULL) {
        b->inner = dd_mem_new_array(b->ctx, 1, sizeof *b->inner);
        b->status = b->inner == NULL ? DD_OUT_OF_MEMORY : dd_ip_new(b->inner, b, ip);
        if (b->status != DD_OK) {
            return DD_IP_RESTORE_FAILED;
        }
    }
    return run(ip, b->inner);
}
