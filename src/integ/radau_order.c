/* radau_order.c - the three orders: their coefficients, the tolerances in force with them, and which one is used next.
 *
 * The order rises while Newton converges fast at steady step sizes and falls when it converges slowly. */
#include <float.h>
#include <math.h>

#include "integ/radau_impl.h"

/* From this smoothed rate of convergence on the order falls; FAST: below it, per order, a higher one pays. */
static const double LOWER_ORDER = 0.8, FAST[] = {0.03, 0.01};
/* Tolerances for which order 13 pays: the best order grows with the digits asked for. */
static const double DIGITS = 3e-6;
/* Steps between a change of the order and a rise, and the changes of the step size that are still steady. */
enum { SETTLED = 10 };
static const double STEADY_LEAST = 0.8, STEADY_MOST = 1.2;

/* Half a millisecond of exact arithmetic: done when an order is first used. */
static void setup_order(radau_order *o, uint32_t s)
{
    dd_radau_coefficients_init(&o->k, s); /* fails for other s only */
    o->ld = s <= 4 ? 4 : 8;
    /* columns of T, T Lambda and T^-1 with the stages of a row together, as vectors load them */
    for (uint32_t c = 0; c < s; c++) {
        for (uint32_t i = 0; i < o->ld; i++) {
            uint32_t row = i < s ? i : s - 1;
            o->t[c * o->ld + i] = o->k.T[row * s + c];
            if (i < s) {
                o->t_inverse[i * o->ld + c] = o->k.T_inverse[c * s + i];
            }
            /* column c of T Lambda, Lambda = diag(gamma, [alpha -beta; beta alpha], ...): a pair mixes its two columns */
            double v = o->k.gamma * o->k.T[row * s];
            if (c > 0) {
                uint32_t pair = (c - 1) / 2, first = 2 * pair + 1;
                double a = o->k.alpha[pair], b = o->k.beta[pair];
                v = c == first ? a * o->k.T[row * s + first] + b * o->k.T[row * s + first + 1]
                               : -b * o->k.T[row * s + first] + a * o->k.T[row * s + first + 1];
            }
            o->t_lambda[c * o->ld + i] = v;
        }
    }
    dd_radau_polynomial_setup(o);
}

/* Tolerances for an estimate of order s, so that a result of order 2s - 1 has the error asked for. */
void dd_radau_use_order(radau *r, uint32_t index)
{
    uint32_t s = 3 + 2 * index;
    if (r->order[index].ld == 0) {
        setup_order(&r->order[index], s);
    }
    r->now = index;
    /* empirical safety factors per order */
    static const double factor[DD_RADAU_ORDERS] = {0.05, 0.03, 0.01};        /* tightening costs little at high order */
    double rtol = r->options.rtol, loose = fmax(1.0, pow(rtol / 1e-6, 0.2)); /* few steps average out less */
    double tight = index == 0 ? pow(fmin(1.0, rtol / 1e-6), 4.0 / 5.0 - 4.0 / 6.0) : 1.0; /* order 5, not 6 */
    /* order s + 1 of the local estimate against order 2s of the local error: rtol^((s + 1) / 2s) */
    r->rtol_now = factor[index] * tight / loose * pow(rtol, (s + 1) / (2.0 * s));
    r->atol_now = r->rtol_now / r->options.rtol;
    double exponent = (s + 1) / (2.0 * s);
    /* Newton's error must not be seen in the estimate (Hairer & Wanner II, IV.8), nor can it be below rounding */
    r->newton_goal = fmax(10 * DBL_EPSILON / r->rtol_now, fmin(0.03, pow(r->rtol_now, 1.0 / exponent - 1.0)));
    r->factors_valid = false;
}

/* Transformed tolerances stand for tol^((s + 1)/2s) of an unknown's size S: an estimate with this relative error has a result
 * with tol. Where atol > rtol S, an unknown far below its nominal value, S (atol/S)^((s + 1)/2s) is meant, which is less than
 * what atol is given, by the factor (rtol S/atol)^((s - 1)/2s). The safety factors above cover that for smooth solutions.
 * Where conditions on the solution switch, errors move the moment, and the jump there makes them errors of all: sizes count.
 * Not above index 1: rounding errors of large unknowns over h are errors of small ones there (y at rest beside x = 1 of a
 * pendulum), which no step makes smaller. */
static bool sizes_count(const radau *r)
{
    return r->base.switches && !r->options.higher_index;
}

static void set_shares(radau *r)
{
    const double s = 3 + 2 * r->now, power = (s - 1) / (2 * s), grown = 1.1;
    const uint8_t *x = r->base.problem->differential;
    const bool all = r->share_order != r->now + 1;
    for (uint32_t j = 0; j < r->n; j++) {
        const double size = fmax(fabs(r->base.w[j]), x[j] ? fabs(r->base.h * r->base.wdot[j]) : 0);
        if (!all && !(size > grown * r->peak[j])) {
            continue; /* what it was is near enough */
        }
        r->peak[j] = fmax(r->peak[j], size);
        const double asked = r->options.rtol * fmax(r->peak[j], r->atol[j]) / r->atol[j];
        r->share[j] = x[j] && asked < 1 ? pow(asked, power) : 1.0;
    }
    r->share_order = r->now + 1;
}

void dd_radau_set_weights(radau *r)
{
    r->weight_slope = r->rtol_now;
    uint32_t n = r->n, s = 3 + 2 * r->now;
    if (sizes_count(r)) {
        set_shares(r);
    }
    /* one copy of the weights per stage: norms over all stages run over one array */
    for (uint32_t j = 0; j < n; j++) {
        r->weight[j] =
            1.0 / (r->atol_now * (sizes_count(r) ? r->share[j] : 1.0) * r->atol[j] + r->rtol_now * fabs(r->base.w[j]));
    }
    for (uint32_t q = n; q < s * n; q++) {
        r->weight[q] = r->weight[q - n];
    }
}

double dd_radau_first_step(const radau *r, double bound)
{
    /* a step that changes x by a hundredth */
    double span = bound - r->base.t, value = dd_radau_norm(r, r->base.w, 1), slope = 0;
    for (uint32_t j = 0; j < r->n; j++) {
        double x = r->base.problem->differential[j] ? r->base.wdot[j] * r->weight[j] : 0.0;
        slope += x * x;
    }
    slope = r->n > 0 ? sqrt(slope / r->n) : 0.0;
    double h = value > 1e-5 && slope > 1e-5 ? 0.01 * value / slope : 1e-6 * span;
    return fmin(dd_integ_first_step(r->base.t, fmin(h, 1e-3 * span)), span);
}

void dd_radau_choose_order(radau *r, double h)
{
    r->since_change++;
    /* the rate of convergence, smoothed: quick to rise, slow to fall */
    r->theta_trend = fmin(10.0, fmax(r->theta, 0.5 * r->theta_trend));
    double ratio = h / r->h_accepted;
    uint32_t next = r->now;
    bool worth = r->now == 0 || r->options.rtol <= DIGITS;
    /* up: Newton converges fast and the step size is steady */
    if (r->now < r->most && worth && r->theta_trend <= FAST[r->now] && ratio < STEADY_MOST && ratio > STEADY_LEAST) {
        next = r->now + 1;
    }
    /* down: it hardly converges */
    if (r->theta_trend >= LOWER_ORDER) {
        next = r->now > r->least ? r->now - 1 : r->now;
    }
    /* not up again right after a change */
    if (r->since_change < SETTLED && next > r->now) {
        next = r->now;
    }
    if (next != r->now) {
        dd_radau_use_order(r, next);
        r->since_change = 0;
    }
}
