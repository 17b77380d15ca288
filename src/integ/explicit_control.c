/* explicit_control.c - error norm, first step size, and the watch for stiffness of explicit methods. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "integ/explicit_impl.h"

/* The tolerance in force is this part of what was asked for: errors of many steps add up, and projection changes the
 * solution by as much as the step's error. */
static const double PART = 0.1, PART_PROJECTED = 0.03;

/* The watch for stiffness, as in DOPRI5 and DOP853: steps at the border of stability until a run is treated as
 * stiff, steps inside it until the count is forgotten, and the part of the stability interval that is its border. */
enum { STIFF_AFTER = 15, SMOOTH_AFTER = 6, LOOK_EVERY = 8 };
static const double BORDER = 0.95;
/* Steps in a row that move by less than this, in parts of the tolerance (norm), where errors would allow longer ones: a tank
 * that is empty, in the layer of its square root. */
enum { MOST_STILL = 100 };
static const double STILL = 20;
/* Steps that follow a rejected one are shortened by a safety factor, so the border is closer than they show. */
static const double BORDER_REJECTED = 0.85;

double dd_explicit_growth(const dd_tableau *tab, double re, double im)
{
    double gr[DD_TABLEAU_STAGES], gi[DD_TABLEAU_STAGES], r = 1, i = 0;
    /* g = 1 + z A g, one stage after the other; R = 1 + z b^T g */
    for (uint32_t k = 0; k < tab->stages; k++) {
        double sr = 0, si = 0;
        for (uint32_t j = 0; j < k; j++) {
            sr += tab->A[(size_t)k * tab->stages + j] * gr[j];
            si += tab->A[(size_t)k * tab->stages + j] * gi[j];
        }
        gr[k] = 1 + re * sr - im * si;
        gi[k] = re * si + im * sr;
        r += tab->b[k] * (re * gr[k] - im * gi[k]);
        i += tab->b[k] * (re * gi[k] + im * gr[k]);
    }
    return hypot(r, i);
}

static double real_interval(const dd_tableau *tab)
{
    double z = 0;
    /* steps of 0.01; 100 is more than any explicit method here reaches */
    while (z < 100 && dd_explicit_growth(tab, -z - 0.01, 0) <= 1.0 + 1e-9) {
        z += 0.01;
    }
    return z;
}

void dd_explicit_control_setup(explicit_rk *e)
{
    const dd_tableau *tab = e->tableau;
    const uint32_t s = tab->stages;
    /* error weights b - bhat; the estimate's order determines how the error depends on h */
    uint32_t q = tab->order;
    if (tab->bhat) {
        /* dop853's two estimates together are of order 8 */
        q = tab->bhat_low ? tab->order : (tab->order < tab->embedded_order ? tab->order : tab->embedded_order) + 1;
        for (uint32_t i = 0; i < s; i++) {
            e->e[i] = tab->b[i] - tab->bhat[i];
            e->e_low[i] = tab->bhat_low ? tab->b[i] - tab->bhat_low[i] : 0.0;
        }
    }
    /* proportional-integral control damps oscillations of h; order 8 does better without (Hairer & Wanner II, IV.2) */
    e->exponent = 1.0 / q;
    e->beta = q >= 8 ? 0.0 : 0.2 / q;
    double part = e->projector ? PART_PROJECTED : PART;
    if (tab->order < tab->embedded_order) {
        /* an estimate of higher order than the result: tol^(p/(p+1)) would come out */
        part *= fmin(1.0, pow(e->options.rtol / 0.1, 1.0 / tab->order));
    }
    /* below 50 roundings no step can be judged */
    e->rtol_now = fmax(part * e->options.rtol, 50 * DBL_EPSILON);
    e->atol_now = e->options.rtol > 0 ? e->rtol_now / e->options.rtol : part;
    /* the stiffness test needs a second point at t + h */
    e->reach = real_interval(tab);
    e->companion = DD_NO_INDEX;
    for (uint32_t i = 1; i < s - tab->first_same_as_last; i++) {
        e->companion = tab->c[i] == 1.0 ? i : e->companion;
    }
}

/* With a fixed step nothing is controlled: the weights measure rounding. */
void dd_explicit_weights(explicit_rk *e, const double *other)
{
    const double *w = e->base.w, *nominal = e->base.problem->nominal;
    /* relative to the larger of both ends, so that a component that grows within the step is measured fairly */
    for (uint32_t j = 0; j < e->n; j++) {
        double size = other ? fmax(fabs(w[j]), fabs(other[j])) : fabs(w[j]);
        e->weight[j] = e->options.fixed_step > 0 ? 1.0 / dd_fixed_scale(size, nominal, j)
                                                 : 1.0 / (e->atol_now * e->atol[j] + e->rtol_now * size);
    }
}

/* Root mean square over the differential unknowns; algebraic entries of k are 0. */
static double norm(const explicit_rk *e, const double *v)
{
    double sum = 0;
    for (uint32_t j = 0; j < e->n; j++) {
        double x = e->base.problem->differential[j] ? v[j] * e->weight[j] : 0.0;
        sum += x * x;
    }
    return sqrt(sum / (e->n_differential > 0 ? e->n_differential : 1));
}

/* Hairer, Norsett & Wanner I, sec. II.4: from |x|, |x'| and |x''|, the last by one explicit Euler step. */
double dd_explicit_first_step(explicit_rk *e, double bound)
{
    dd_integrator *it = &e->base;
    double span = bound - it->t, d0 = norm(e, it->w), d1 = norm(e, it->wdot);
    /* a step that changes x by a hundredth, from |x| / |x'|; tiny values say nothing about the scale */
    double h0 = d0 < 1e-5 || d1 < 1e-5 ? 1e-6 * span : 0.01 * d0 / d1;
    h0 = fmin(dd_integ_first_step(it->t, h0), span);
    /* x'' by the difference of x' along an explicit Euler step */
    for (uint32_t j = 0; j < e->n; j++) {
        e->stage[j] = it->w[j] + (it->problem->differential[j] ? h0 * it->wdot[j] : 0.0);
    }
    memcpy(e->slope, it->wdot, e->n * sizeof *e->slope);
    dd_step_verdict v = dd_explicit_evaluate(e, it->t + h0, h0, e->stage, e->work);
    if (v != DD_STEP_OK) {
        return fmin(1e-3 * h0, span); /* the step itself will find out */
    }
    for (uint32_t j = 0; j < e->n; j++) {
        e->work[j] -= it->wdot[j];
    }
    /* h^q max(|x'|, |x''|) = 0.01 in units of the tolerance */
    double d2 = norm(e, e->work) / h0, most = fmax(d1, d2);
    double h1 = most <= 1e-15 ? fmax(1e-6 * span, h0 * 1e-3) : pow(0.01 / most, e->exponent);
    return fmin(dd_integ_first_step(it->t, fmin(100 * h0, h1)), span);
}

/* |sum_i a_i k_i| */
static double sum_norm(explicit_rk *e, const double *a)
{
    memset(e->work, 0, e->n * sizeof *e->work);
    dd_explicit_add(e, 1.0, a, e->tableau->stages, e->work);
    return norm(e, e->work);
}

/* In units of the tolerance. With two estimates (dop853): err^2 / sqrt(err^2 + 0.01 err_low^2), sec. II.10. */
double dd_explicit_error(explicit_rk *e, double h)
{
    double low = e->tableau->bhat_low ? sum_norm(e, e->e_low) : 0.0;
    double err = sum_norm(e, e->e);
    /* an infinity or NaN in a stage must reject the step */
    if (!isfinite(err) || !isfinite(low)) {
        return INFINITY;
    }
    /* the estimate of order 3 guards the one of order 5 where that vanishes by accident */
    if (low > 0) {
        err = err > 0 ? err * (err / hypot(err, 0.1 * low)) : 0.0;
    }
    return fabs(h) * err;
}

/* Two points at t + h, stage and end: h |k - k'| / |X - X'| is near h |lambda| for the dominant eigenvalue. When it
 * lies at the border of stability in 15 steps, the step size is held down by stability (sec. IV.2 of volume II). */
void dd_explicit_watch_stiffness(explicit_rk *e, double h)
{
    dd_integrator *it = &e->base;
    /* at rest, and the steps do not grow: stability holds them down, however nonlinear what is stiff there */
    for (uint32_t j = 0; j < e->n; j++) {
        e->work[j] = it->w[j] - e->w_old[j];
    }
    e->still = norm(e, e->work) < STILL ? e->still + 1 : 0;
    it->stiff = it->stiff || e->still >= MOST_STILL;
    /* every eighth step is enough until the first suspicion */
    if (e->companion == DD_NO_INDEX || (it->stats.steps % LOOK_EVERY != 0 && e->stiff_hits == 0)) {
        return;
    }
    const dd_tableau *tab = e->tableau;
    const uint32_t s = tab->stages, n = e->n, i = e->companion;
    const double *k_end = tab->first_same_as_last ? e->k + (size_t)(s - 1) * n : it->wdot, *k = e->k + (size_t)i * n;
    /* the points that belong to the two slopes */
    dd_explicit_combine(e, e->w_old, h, tab->A + (size_t)i * s, i, e->stage);
    if (tab->first_same_as_last) {
        dd_explicit_combine(e, e->w_old, h, tab->b, s, e->work);
    } else {
        memcpy(e->work, it->w, n * sizeof *e->work);
    }
    for (uint32_t j = 0; j < n; j++) {
        e->work[j] -= e->stage[j];
        e->stage[j] = k_end[j] - k[j];
    }
    /* |f(X) - f(X')| / |X - X'| is a lower bound of the Lipschitz constant, close to |lambda| in stiff problems */
    double distance = norm(e, e->work), difference = norm(e, e->stage);
    /* at 95 percent of the real stability interval the step is limited by stability, not by accuracy */
    const double border = it->stats.rejected != e->rejected_seen ? BORDER_REJECTED : BORDER;
    e->rejected_seen = it->stats.rejected;
    if (distance > 0 && h * difference > border * e->reach * distance) {
        e->smooth_hits = 0;
        it->stiff = it->stiff || ++e->stiff_hits >= STIFF_AFTER;
    } else if (e->stiff_hits > 0 && ++e->smooth_hits >= SMOOTH_AFTER) {
        e->stiff_hits = e->smooth_hits = 0;
    }
}
