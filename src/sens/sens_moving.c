/* sens_moving.c - steps whose ends depend on p: those behind an event at t_e(p), and the one that ends at a moment t_e(p).
 *
 * Derivatives follow the ends. With a dot for d/dp and c_i = (t_i - t_old)/h, the stages of a step have
 *
 *     M K_i. + J W_i. + F_p + F_t t_i. = 0,   t_i. = t_old. + c_i h.,   W_i. = y. + sum_j A_ij (h K_j).
 *
 * In the unknowns (h K_i). = h K_i. + h. K_i these are the equations of a step between fixed ends with
 * F_p + F_t t_i. - M K_i h./h in the place of F_p. A history of points (bdf-m) has coefficients that follow from all times,
 *
 *     w' = beta_0 w + sum_k beta_k y_k,   d ln beta_k = (t. - t_k.)/(t_k - t) + sum_{q != k} ((t. - t_q.)/(t - t_q) - (t_k. - t_q.)/(t_k - t_q))
 *
 * which adds -(w beta_0. + sum y_k beta_k.)/beta_0 to w. Derivatives by time (of F, of dense output) are differences of
 * fourth order. */
#include <math.h>
#include <string.h>

#include "integ/fixed_newton.h"
#include "sens/sens_impl.h"

/* ---- differences ---- */

dd_stencil dd_stencil_new(double from, double to, double t)
{
    /* 2e-4 of the step: the fourth-order error is at the level of rounding */
    const double part = 2e-4, step = part * (to - from);
    static const double central[] = {1.0 / 12, -2.0 / 3, 0, 2.0 / 3, -1.0 / 12};
    static const double onesided[] = {-25.0 / 12, 4, -3, 4.0 / 3, -1.0 / 4};
    /* one-sided near the ends of the step, where the function may have a corner */
    const bool left = t - 2 * step < from, right = !left && t + 2 * step > to;
    dd_stencil out;
    for (int i = 0; i < DD_STENCIL; i++) {
        out.at[i] = t + step * (left ? i : right ? -i : i - 2);
        out.weight[i] = (left || right ? onesided[i] : central[i]) / (right ? -step : step);
    }
    return out;
}

/* dF/dt into q->time_rate, from times within the step: an input may have a corner at its end. Where there is no step
 * yet, from times behind t. */
static void find_time_rate(dd_sens *q, double t, const double *w, const double *wdot)
{
    const dd_problem *p = q->problem;
    const dd_stencil d = dd_stencil_new(q->t_old, q->t > q->t_old ? q->t : t + q->span, t);
    memset(q->time_rate, 0, q->n * sizeof *q->time_rate);
    for (int i = 0; i < DD_STENCIL; i++) {
        if (d.weight[i] != 0) {
            p->residual(p->user, d.at[i], w, wdot, q->sample);
            for (uint32_t j = 0; j < q->n; j++) {
                q->time_rate[j] += d.weight[i] * q->sample[j];
            }
        }
    }
}

/* Slopes in time of what interpolate returns, into point and slope. */
static void find_dense_rate(dd_sens *q, dd_integrator *it, double t, double *point, double *slope)
{
    const dd_stencil d = dd_stencil_new(it->t_old, it->t, t);
    double *w = q->sample, *v = q->sample + q->n;
    memset(point, 0, q->n * sizeof *point);
    memset(slope, 0, q->n * sizeof *slope);
    for (int i = 0; i < DD_STENCIL; i++) {
        if (d.weight[i] != 0) {
            dd_integ_interpolate(it, d.at[i], w, v);
            for (uint32_t j = 0; j < q->n; j++) {
                point[j] += d.weight[i] * w[j];
                slope[j] += d.weight[i] * v[j];
            }
        }
    }
}

/* ---- moments ---- */

static void look_for_motion(dd_sens *q)
{
    q->moving = false;
    /* dt/dp of any of the times */
    for (size_t at = 0; at < (size_t)SENS_TIMES * q->np; at++) {
        q->moving = q->moving || q->moment[at] != 0;
    }
}

void dd_sens_moment_start(dd_sens *q, const double *moment)
{
    for (size_t at = 0; at < (size_t)SENS_TIMES * q->np; at++) {
        q->moment[at] = moment ? moment[at % q->np] : 0.0;
    }
    look_for_motion(q);
}

void dd_sens_moment_step(dd_sens *q, const double *moment)
{
    /* the newest moment first */
    memmove(q->moment + q->np, q->moment, (size_t)(SENS_TIMES - 1) * q->np * sizeof *q->moment);
    for (uint32_t p = 0; p < q->np; p++) {
        q->moment[p] = moment ? moment[p] : 0.0;
    }
    look_for_motion(q);
}

const double *dd_sens_moment(const dd_sens *q)
{
    return q->moment;
}

const double *dd_sens_old_moment(const dd_sens *q)
{
    return q->moment + q->np;
}

/* ---- a step ---- */

/* beta_k. / beta_k of the k-th point, k >= 1, of the m-step formula */
static double relative_change(const dd_sens *q, uint32_t m, uint32_t k, uint32_t p)
{
    const double *t = q->record.times, end = sens_moment(q, 0, p), own = sens_moment(q, k, p);
    /* logarithmic derivative of the product that beta_k is */
    double sum = (end - own) / (t[k] - t[0]);
    for (uint32_t r = 1; r <= m; r++) {
        const double other = sens_moment(q, r, p);
        sum += r == k ? 0.0 : (end - other) / (t[0] - t[r]) - (own - other) / (t[k] - t[r]);
    }
    return sum;
}

void dd_sens_moving_history(dd_sens *q)
{
    const dd_step_record *r = &q->record;
    memset(q->extra, 0, q->block * sizeof *q->extra);
    if (!q->moving || !r->times) {
        return;
    }
    /* as many points as the formula has coefficients */
    uint32_t m = 0;
    while (m < r->inputs && r->base[m] != 0) {
        m++;
    }
    /* base_{k-1} = -beta_k / beta_0, so -beta_k. / beta_0 = base_{k-1} (beta_k. / beta_k); the beta add up to 0 */
    for (uint32_t p = 0; p < q->np; p++) {
        double *extra = sens_column(q, q->extra, 0, p);
        for (uint32_t k = 1; k <= m; k++) {
            const double change = r->base[k - 1] * relative_change(q, m, k, p);
            for (uint32_t j = 0; j < q->n; j++) {
                extra[j] += q->problem->differential[j] ? change * (r->points[k][j] - r->point[j]) : 0.0;
            }
        }
    }
}

void dd_sens_moving_stage(dd_sens *q, uint32_t i, const double *m, double *fp)
{
    const dd_step_record *r = &q->record;
    const dd_csc *pattern = &q->problem->pattern;
    const double *w = r->point + (size_t)i * q->n, *v = r->rate + (size_t)i * q->n;
    if (!q->moving) {
        return;
    }
    find_time_rate(q, r->time[i], w, v);
    /* M K_i, for the part of h. in the rates */
    double *mk = q->sample;
    memset(mk, 0, q->n * sizeof *mk);
    for (uint32_t col = 0; col < q->n; col++) {
        for (uint32_t e = pattern->ptr[col]; e < pattern->ptr[col + 1] && q->problem->differential[col]; e++) {
            mk[pattern->idx[e]] += m[e] * v[col];
        }
    }
    /* t_i. is linear between the moments of both ends */
    for (uint32_t p = 0; p < q->np; p++) {
        const double from = sens_moment(q, 1, p), to = sens_moment(q, 0, p);
        const double moment = from + (r->time[i] - q->t_old) / (q->t - q->t_old) * (to - from);
        for (uint32_t j = 0; j < q->n; j++) {
            fp[(size_t)p * q->n + j] += q->time_rate[j] * moment - mk[j] * sens_stretch(q, p) / r->h;
        }
    }
}

void dd_sens_moving_end(dd_sens *q, double t, const double *w, const double *wdot, double *fp)
{
    if (!q->moving) {
        return;
    }
    find_time_rate(q, t, w, wdot);
    for (uint32_t p = 0; p < q->np; p++) {
        for (uint32_t j = 0; j < q->n; j++) {
            fp[(size_t)p * q->n + j] += q->time_rate[j] * sens_moment(q, 0, p);
        }
    }
}

/* ---- back to fixed time ---- */

void dd_sens_to_fixed_end(dd_sens *q, dd_integrator *it, double *s, double *sdot)
{
    if (!q->moving) {
        return;
    }
    /* S at fixed time = S along the moment - slope dt/dp */
    if (q->stepped) {
        find_dense_rate(q, it, it->t, q->point, q->slope);
    } else { /* nothing is known but x' */
        memcpy(q->point, it->wdot, q->n * sizeof *q->point);
        memset(q->slope, 0, q->n * sizeof *q->slope);
    }
    for (uint32_t p = 0; p < q->np; p++) {
        for (uint32_t j = 0; j < q->n; j++) {
            sens_column(q, s, 0, p)[j] -= q->point[j] * sens_moment(q, 0, p);
            sens_column(q, sdot, 0, p)[j] -= q->slope[j] * sens_moment(q, 0, p);
        }
    }
}

/* Times of a history move: what interpolate returns then, by the change of all of them along p. */
static void move_history(dd_sens *q, dd_integrator *it, double t, uint32_t p, double *s, double *sdot)
{
    const dd_step_record *r = &q->record;
    /* times of the history are moved a little and back: what interpolate returns changes with them */
    double kept[SENS_TIMES], most = 0;
    memcpy(kept, r->times, (r->inputs) * sizeof *kept);
    for (uint32_t k = 0; k < r->inputs; k++) {
        most = fmax(most, fabs(sens_moment(q, k, p)));
    }
    const double h = it->t - it->t_old;
    const dd_stencil d = dd_stencil_new(-h, h, 0);
    double *w = q->sample, *v = q->sample + q->n;
    for (int i = 0; i < DD_STENCIL && most > 0; i++) {
        for (uint32_t k = 0; k < r->inputs; k++) {
            r->times[k] = kept[k] + d.at[i] * sens_moment(q, k, p) / most;
        }
        dd_integ_interpolate(it, t, w, v);
        for (uint32_t j = 0; j < q->n; j++) {
            s[j] += most * d.weight[i] * w[j];
            sdot[j] += most * d.weight[i] * v[j];
        }
    }
    memcpy(r->times, kept, (r->inputs) * sizeof *kept);
}

/* With theta = (t - t_old)/h: x = sum of weights(theta) and vectors that are differentiated, h x' of the ends among
 * them; x' the same over h. */
void dd_sens_to_fixed(dd_sens *q, dd_integrator *it, double t, const dd_step_dense *dense, double *s, double *sdot)
{
    if (!q->moving) {
        return;
    }
    if (q->record.times) {
        for (uint32_t p = 0; p < q->np; p++) {
            move_history(q, it, t, p, sens_column(q, s, 0, p), sens_column(q, sdot, 0, p));
        }
        return;
    }
    /* the time t is fixed while both ends of the step move: theta and h change */
    const double h = q->record.h, theta = (t - it->t_old) / h;
    double *old = q->residual; /* n: x' where the step began */
    find_dense_rate(q, it, t, q->point, q->slope);
    dd_integ_interpolate(it, it->t_old, q->sample, old);
    dd_integ_interpolate(it, t, q->sample, q->sample + q->n);
    const double *now = q->sample + q->n;
    for (uint32_t p = 0; p < q->np; p++) {
        const double stretch = sens_stretch(q, p) / h, shift = -sens_moment(q, 1, p) - theta * sens_stretch(q, p);
        for (uint32_t j = 0; j < q->n; j++) {
            const double ends = dense->x.old_slope * old[j] + dense->x.new_slope * it->wdot[j];
            const double own = dense->slope.old_slope * old[j] + dense->slope.new_slope * it->wdot[j];
            sens_column(q, s, 0, p)[j] += stretch * ends + shift * q->point[j];
            sens_column(q, sdot, 0, p)[j] += -stretch * (now[j] - own) + shift * q->slope[j];
        }
    }
}
