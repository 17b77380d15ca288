/* ip_search.c - the filter line search with second-order corrections (W&B sections 2.3 and 2.4, algorithm A-5). */
#include <float.h>
#include <math.h>
#include <string.h>

#include "nlp/ip_impl.h"

#define MARGIN_THETA 1e-5 /* gamma_theta, gamma_phi: by which a step must improve one of the two */
#define MARGIN_PHI 1e-8
#define ARMIJO 1e-8      /* eta_phi */
#define SWITCH_THETA 1.1 /* s_theta, s_phi, delta of the switching condition (19) */
#define SWITCH_PHI 2.3
#define SWITCH_DELTA 1.0
#define LEAST_ALPHA 0.05 /* gamma_alpha */
#define CUT 0.5
#define MOST_CORRECTIONS 4u
#define CORRECTION_GAIN 0.99 /* kappa_soc: a correction must reduce theta by this */
#define MOST_INCREASE 5.0    /* decades by which the barrier function may grow where theta falls */
#define KEPT_NEAR 1e10       /* kappa_Sigma: z (w - bound) within this factor of mu */
#define FORGET_AFTER 5u      /* steps in a row whose last cut was the filter's doing: its old pairs stand in the way */
#define MOST_FORGETS 5u      /* times in a solve: without a limit it could cycle */
#define WATCH_AFTER 10u      /* shortened steps in a row */
#define WATCHED_STEPS 3u     /* whole steps without a test */
#define BLOCKED 0.3          /* bounds cut the step to this part or less: */
#define CENTRED 10.0         /* then z (w - bound) is at least mu over this */
#define LONG 0.03            /* the search cuts steps to this part or less: they are too long */
#define LEAST_DELTA 1e-4     /* for a step that was too long, where no size is known: as for a wrong inertia */
#define MOST_DELTA 1e4
#define GROW_DELTA 8.0
#define SHRINK_DELTA 0.1 /* after a whole step */
#define NO_DELTA 1e-6    /* and less is none */
#define LOOKED_AT 1e-6   /* lengths below: do they still move any variable? */
#define LEAST_EVER 1e-40 /* and no shorter: steps that diverge are cut to less than the rounding of 1e-12 */
#define TINY (10 * DBL_EPSILON)
#define TINY_DUAL 1e-2
#define ROUNDING (10 * DBL_EPSILON)

/* ---- the filter ---- */

void dd_ip_reset_filter(dd_ip *ip)
{
    ip->filter.length = 0;
    ip->refused = 0;
    ip->filter_refused = false;
    ip->restored = false;
}

bool dd_ip_filter_accepts(const dd_ip *ip, double theta, double phi)
{
    for (uint32_t k = 0; k < ip->filter.length; k++) {
        if (theta >= ip->filter.pairs[k][0] && phi >= ip->filter.pairs[k][1]) {
            return false;
        }
    }
    return true;
}

static bool grow(dd_ip *ip)
{
    dd_ip_filter *f = &ip->filter;
    size_t size = f->room * sizeof *f->pairs;
    void *more = dd_mem_resize(ip->base->ctx, f->pairs, size, 2 * size);
    if (more == NULL) {
        return false;
    }
    f->pairs = more;
    f->room *= 2;
    return true;
}

void dd_ip_filter_add(dd_ip *ip, double theta, double phi)
{
    dd_ip_filter *f = &ip->filter;
    double at_theta = (1 - MARGIN_THETA) * theta, at_phi = phi - MARGIN_PHI * theta;
    /* pairs that the new one covers are not needed any more */
    uint32_t kept = 0;
    for (uint32_t k = 0; k < f->length; k++) {
        if (f->pairs[k][0] < at_theta || f->pairs[k][1] < at_phi) {
            memcpy(f->pairs[kept++], f->pairs[k], sizeof *f->pairs);
        }
    }
    f->length = kept;
    /* without memory the filter forgets its oldest pair: it may accept more, never less than it should */
    if (f->length == f->room && !grow(ip)) {
        memmove(f->pairs, f->pairs + 1, (f->length - 1) * sizeof *f->pairs);
        f->length--;
    }
    f->pairs[f->length][0] = at_theta;
    f->pairs[f->length++][1] = at_phi;
}

/* a <= b up to the rounding of numbers of this size */
static bool at_most(double a, double b, double size)
{
    return a - b <= ROUNDING * fabs(size);
}

bool dd_ip_improves(const dd_ip *ip, double theta, double phi)
{
    return at_most(theta, (1 - MARGIN_THETA) * ip->theta, ip->theta) ||
           at_most(phi, ip->phi - MARGIN_PHI * ip->theta, ip->phi);
}

/* ---- how far to the bounds ---- */

double dd_ip_to_boundary(const dd_ip *ip, const double *dw, double tau)
{
    /* the largest alpha <= 1 with distance + alpha d >= (1 - tau) distance, W&B (15a) */
    double alpha = 1;
    for (uint32_t k = 0; k < ip->n_low; k++) {
        uint32_t i = ip->low[k];
        double room = tau * (ip->now.w[i] - ip->lower[i]);
        alpha = -dw[i] * alpha > room ? room / -dw[i] : alpha;
    }
    for (uint32_t k = 0; k < ip->n_high; k++) {
        uint32_t i = ip->high[k];
        double room = tau * (ip->upper[i] - ip->now.w[i]);
        alpha = dw[i] * alpha > room ? room / dw[i] : alpha;
    }
    return alpha;
}

double dd_ip_dual_to_boundary(const dd_ip *ip, double tau)
{
    double alpha = 1;
    for (uint32_t k = 0; k < ip->n_low; k++) {
        uint32_t i = ip->low[k];
        alpha = -ip->dzl[i] * alpha > tau * ip->zl[i] ? tau * ip->zl[i] / -ip->dzl[i] : alpha;
    }
    for (uint32_t k = 0; k < ip->n_high; k++) {
        uint32_t i = ip->high[k];
        alpha = -ip->dzu[i] * alpha > tau * ip->zu[i] ? tau * ip->zu[i] / -ip->dzu[i] : alpha;
    }
    return alpha;
}

/* ---- trial points ---- */

/* The trial point at now + alpha d, with its functions. */
static bool go(dd_ip *ip, double alpha, const double *d)
{
    dd_ip_add_scaled(ip->trial.w, ip->now.w, alpha, d, ip->nw);
    ip->trials++;
    return dd_ip_evaluate(ip, &ip->trial);
}

/* Progress in the barrier function is expected to dominate, W&B (19). */
static bool switches(const dd_ip *ip, double alpha)
{
    return ip->theta <= ip->theta_min && ip->slope < 0 &&
           alpha * pow(-ip->slope, SWITCH_PHI) > SWITCH_DELTA * pow(ip->theta, SWITCH_THETA);
}

static bool armijo(const dd_ip *ip, double alpha, double phi)
{
    return at_most(phi - ip->phi, ARMIJO * alpha * ip->slope, ip->phi);
}

/* Is the trial point acceptable to the filter and to the present iterate? */
static bool acceptable(dd_ip *ip, double alpha)
{
    double theta = ip->trial.theta, phi = dd_ip_barrier(ip, &ip->trial);
    ip->filter_refused = false;
    if (!isfinite(phi) || theta > ip->theta_max) {
        return false;
    }
    bool better;
    if (switches(ip, alpha)) {
        better = armijo(ip, alpha, phi);
    } else {
        better = dd_ip_improves(ip, theta, phi);
        /* less infeasible, but at what price? */
        double more = phi - ip->phi, size = fmax(1, fabs(ip->phi) > 10 ? log10(fabs(ip->phi)) : 1);
        better = better && (more <= 0 || log10(more) <= MOST_INCREASE + size);
    }
    ip->filter_refused = better && !dd_ip_filter_accepts(ip, theta, phi);
    return better && !ip->filter_refused;
}

/* A filter may refuse again and again what is better than the present iterate, because of pairs from long ago that
 * happened to be good in one respect. Then it is emptied. `refused`: the last trial before this step was refused so. */
static void forget_old_pairs(dd_ip *ip, bool refused)
{
    ip->refused = refused ? ip->refused + 1 : 0;
    if (ip->refused >= FORGET_AFTER && ip->forgets < MOST_FORGETS) {
        const bool restored = ip->restored;
        ip->forgets++;
        dd_ip_reset_filter(ip);
        /* but not the point that a restoration had to leave: iterates would come back to it, again and again */
        if (restored) {
            dd_ip_filter_add(ip, ip->restored_theta, ip->restored_phi);
            ip->restored = true;
        }
    }
}

/* The smallest step length worth trying, W&B (23). */
static double least_alpha(const dd_ip *ip)
{
    double least = MARGIN_THETA;
    if (ip->slope < 0) {
        least = fmin(least, MARGIN_PHI * ip->theta / -ip->slope);
        if (ip->theta <= ip->theta_min) {
            least = fmin(least, SWITCH_DELTA * pow(ip->theta, SWITCH_THETA) / pow(-ip->slope, SWITCH_PHI));
        }
    }
    return LEAST_ALPHA * least;
}

/* Second-order corrections of the first trial: the same matrix with the residuals of the trial point added, W&B
 * section 2.4. True: the trial point is accepted. */
static bool correct(dd_ip *ip, double alpha)
{
    double step = alpha;
    memcpy(ip->sc, ip->now.c, ip->m * sizeof *ip->sc);
    for (uint32_t k = 0; k < MOST_CORRECTIONS; k++) {
        double theta = ip->trial.theta;
        /* c_soc = alpha c_soc + c(trial) */
        for (uint32_t i = 0; i < ip->m; i++) {
            ip->sc[i] = step * ip->sc[i] + ip->trial.c[i];
        }
        if (!dd_ip_direction(ip, ip->sc, ip->sw, ip->sy)) {
            return false;
        }
        step = dd_ip_to_boundary(ip, ip->sw, ip->tau);
        if (!go(ip, step, ip->sw)) {
            return false;
        }
        if (acceptable(ip, alpha)) {
            return true;
        }
        /* each correction must gain something */
        if (ip->trial.theta > CORRECTION_GAIN * theta) {
            return false;
        }
    }
    return false;
}

static bool is_tiny(const dd_ip *ip)
{
    for (uint32_t i = 0; i < ip->nw; i++) {
        if (fabs(ip->dw[i]) > TINY * (1 + fabs(ip->now.w[i]))) {
            return false;
        }
    }
    return ip->now.theta < 1e-4;
}

/* ---- accepting ---- */

/* W&B (16): multipliers of bounds stay within a factor of mu / distance. What is not a number becomes one. */
static double kept_near(double z, double centre, double below)
{
    double most = KEPT_NEAR * centre, least = centre / below;
    z = z < most ? z : most;
    return z > least ? z : least;
}

/* A distance that rounding made zero: the bound moves to where the product with its multiplier is mu, if there are
 * numbers between, and never by more than a small part. */
static double room_at(double w, double mu, double z)
{
    const double size = fmax(1, fabs(w)), wanted = z > 0 ? mu / z : INFINITY;
    return fmin(pow(DBL_EPSILON, 0.75) * size, fmax(wanted, 2 * DBL_EPSILON * size));
}

/* Multipliers of bounds at the new point, and the distances there, all in one pass. A step that goes to the bounds
 * leaves small products z (w - bound), which say that these bounds do not hold the next step either: it is cut shorter
 * still, and the iterates jam. Far from feasible points such multipliers are raised. */
static void arrive_at_bounds(dd_ip *ip)
{
    const double least = DBL_EPSILON * fmin(1, ip->mu), *w = ip->now.w;
    const double below = ip->blocked ? CENTRED : KEPT_NEAR;
    for (uint32_t k = 0; k < ip->n_low; k++) {
        uint32_t i = ip->low[k];
        if (w[i] - ip->lower[i] < least) {
            ip->lower[i] = w[i] - room_at(w[i], ip->mu, ip->zl[i]);
        }
        double inverse = 1 / (w[i] - ip->lower[i]);
        ip->low_inverse[k] = inverse;
        ip->zl[i] = kept_near(ip->zl[i] + ip->alpha_dual * ip->dzl[i], ip->mu * inverse, below);
    }
    for (uint32_t k = 0; k < ip->n_high; k++) {
        uint32_t i = ip->high[k];
        if (ip->upper[i] - w[i] < least) {
            ip->upper[i] = w[i] + room_at(w[i], ip->mu, ip->zu[i]);
        }
        double inverse = 1 / (ip->upper[i] - w[i]);
        ip->high_inverse[k] = inverse;
        ip->zu[i] = kept_near(ip->zu[i] + ip->alpha_dual * ip->dzu[i], ip->mu * inverse, below);
    }
    ip->inverse_serial = ip->now.serial;
}

void dd_ip_accept(dd_ip *ip, double alpha_y)
{
    dd_ip_point swap = ip->now;
    ip->now = ip->trial;
    ip->trial = swap;
    ip->base->failed = false; /* whatever failed was given up for a step that did not */
    dd_ip_add_scaled(ip->y, ip->y, alpha_y, ip->dy, ip->m);
    arrive_at_bounds(ip);
}

/* After a step of length alpha that the filter accepts: does the filter grow? Not where the barrier function fell as
 * it should. */
static void settle(dd_ip *ip, double alpha)
{
    double phi = dd_ip_barrier(ip, &ip->trial);
    if (!switches(ip, alpha) || !armijo(ip, alpha, phi)) {
        dd_ip_filter_add(ip, ip->theta, ip->phi);
    }
    ip->alpha = alpha;
    dd_ip_accept(ip, alpha);
}

/* What trial points are compared with: the present point and the slope of the barrier function along the step. */
void dd_ip_set_reference(dd_ip *ip)
{
    ip->theta = ip->now.theta;
    ip->phi = dd_ip_barrier(ip, &ip->now);
    ip->slope = dd_ip_slope(ip, ip->dw);
}

/* Does a step of this length lead nowhere? At a feasible point W&B (23) has no least length: where no value is better,
 * the search would go on forever. */
static bool is_nowhere(const dd_ip *ip, double alpha)
{
    for (uint32_t i = 0; i < ip->nw && alpha < LOOKED_AT && alpha > LEAST_EVER; i++) {
        if (ip->now.w[i] + alpha * ip->dw[i] != ip->now.w[i]) {
            return false;
        }
    }
    return alpha < LOOKED_AT;
}

/* Shorter and shorter steps from `alpha` on. whole: the first one is tried, with second-order corrections. */
static dd_ip_found backtrack(dd_ip *ip, double alpha, bool whole)
{
    double least = least_alpha(ip);
    bool first = whole, refused = false;
    for (; (alpha >= least && !is_nowhere(ip, alpha)) || first; alpha *= CUT, first = false) {
        bool defined = go(ip, alpha, ip->dw);
        if (defined && acceptable(ip, alpha)) {
            settle(ip, alpha);
            ip->shortened = first ? 0 : ip->shortened + 1;
            forget_old_pairs(ip, refused);
            return DD_IP_ACCEPTED;
        }
        refused = defined && ip->filter_refused;
        if (dd_ip_must_stop(ip->base)) {
            return DD_IP_STOPPED;
        }
        if (first && defined && ip->trial.theta >= ip->theta && correct(ip, alpha)) {
            settle(ip, alpha);
            ip->shortened = 0;
            forget_old_pairs(ip, false);
            return DD_IP_ACCEPTED;
        }
    }
    return DD_IP_NONE;
}

/* A few whole steps without any test, where short ones went on for long (W&B section 3.2, "watchdog"): if the filter
 * does not accept where they lead, the search goes back to where they began. */
static dd_ip_found watched(dd_ip *ip, double alpha)
{
    bool defined = go(ip, alpha, ip->dw);
    if (defined && acceptable(ip, alpha)) {
        ip->watch = 0;
        ip->watch_failed = false;
        ip->shortened = 0;
        settle(ip, alpha);
        return DD_IP_ACCEPTED;
    }
    if (dd_ip_must_stop(ip->base)) {
        return DD_IP_STOPPED;
    }
    if (defined && isfinite(dd_ip_barrier(ip, &ip->trial)) && ++ip->watch <= WATCHED_STEPS) {
        ip->alpha = alpha;
        dd_ip_accept(ip, alpha);
        return DD_IP_ACCEPTED;
    }
    ip->watch = 0;
    ip->watch_failed = true;
    ip->shortened = 0;
    if (!dd_ip_watch_return(ip)) {
        return DD_IP_NONE;
    }
    return backtrack(ip, CUT * dd_ip_to_boundary(ip, ip->dw, ip->tau), false);
}

/* The next regularisation at least: a step that was cut to a small part has left the region in which the quadratic model
 * holds, and the next one would leave it too, although the inertia is right (as in methods with a trust region). */
static void limit_next(dd_ip *ip, double part)
{
    if (part >= 1) {
        ip->least_delta = ip->least_delta > NO_DELTA ? SHRINK_DELTA * ip->least_delta : 0;
    } else if (part <= LONG && ip->watch_failed) {
        const double known = fmax(GROW_DELTA * ip->delta_w, CUT * ip->last_delta);
        ip->least_delta = fmin(MOST_DELTA, fmax(LEAST_DELTA, known));
    }
}

dd_ip_found dd_ip_search(dd_ip *ip, dd_ip_reach reach)
{
    const double alpha = reach.primal;
    ip->alpha_dual = reach.dual;
    ip->trials = 0;
    ip->blocked = alpha < BLOCKED && ip->now.theta > ip->theta_min;
    if (ip->watch == 0) {
        dd_ip_set_reference(ip);
    }
    /* steps of the size of rounding are taken: no function shows whether they are good */
    if (is_tiny(ip) && go(ip, alpha, ip->dw)) {
        ip->alpha = alpha;
        ip->watch = 0;
        dd_ip_accept(ip, alpha);
        return DD_IP_TINY;
    }
    if (ip->watch == 0 && ip->shortened >= WATCH_AFTER) {
        ip->watch = 1;
        dd_ip_watch_begin(ip);
    }
    const bool watches = ip->watch > 0;
    const dd_ip_found found = watches ? watched(ip, alpha) : backtrack(ip, alpha, true);
    ip->blocked = false;
    if (!watches && found == DD_IP_ACCEPTED) {
        limit_next(ip, ip->alpha / alpha);
    }
    return found;
}
