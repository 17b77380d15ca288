/* gauss_newton.c - the loop of damped Gauss-Newton steps. */
#include "nls/gauss_newton.h"

#include <math.h>
#include <string.h>

#include "base/context.h"

static uint32_t place(const dd_gauss_newton *g, uint32_t c)
{
    return g->unknown ? g->unknown[c] : c;
}

/* trial := x + alpha dx, and its residual; false when that is not finite. */
static bool look_at(const dd_gauss_newton *g, double alpha)
{
    for (uint32_t c = 0; c < g->n; c++) {
        g->trial[place(g, c)] = g->x[place(g, c)] + alpha * g->dx[c];
    }
    return g->residual(g->user, g->trial, g->trial_r) == 0;
}

static void accept(const dd_gauss_newton *g)
{
    for (uint32_t c = 0; c < g->n; c++) {
        g->x[place(g, c)] = g->trial[place(g, c)];
    }
    memcpy(g->r, g->trial_r, g->rows * sizeof *g->r);
}

/* The longest of the halved steps that reduces the residual; its length in *step. False when there is none. */
static bool descend(const dd_gauss_newton *g, dd_gauss_newton_info *info, double *step)
{
    /* measured again: the step may have changed the scales of rows */
    const double before = g->size(g->user, g->r), length = g->length(g->user, g->x, g->dx);
    const uint32_t trials = length < g->short_step ? 1 : g->trials;
    double alpha = 1;
    for (uint32_t h = 0; h < trials; h++, alpha /= 2) {
        /* a point outside the domain is a rejection */
        if (!look_at(g, alpha)) {
            continue;
        }
        const double after = g->size(g->user, g->trial_r);
        if (after < before * (1 - g->decrease * alpha) || before == 0) {
            accept(g);
            info->size = after;
            *step = alpha * length;
            return true;
        }
    }
    /* no descent: the trial point returns to x */
    for (uint32_t c = 0; c < g->n; c++) {
        g->trial[place(g, c)] = g->x[place(g, c)];
    }
    return false;
}

/* The step, or as much of it as the linear model is trusted with. False when the residual there is not finite. */
static bool take_whole(const dd_gauss_newton *g, dd_gauss_newton_info *info, double *step)
{
    const double length = g->length(g->user, g->x, g->dx), alpha = length > g->longest ? g->longest / length : 1;
    const bool finite = look_at(g, alpha);
    accept(g);
    info->size = g->size(g->user, g->r);
    *step = alpha * length;
    return finite;
}

/* One step from a point whose residual is known; true: that was the last one. */
static dd_status advance(const dd_gauss_newton *g, dd_gauss_newton_info *info, double *last_step, bool *done)
{
    dd_correction found = DD_CORRECTION_FOUND;
    dd_status st = g->step(g->user, g->x, g->r, g->dx, &found);
    *done = true;
    if (st != DD_OK || found != DD_CORRECTION_FOUND) {
        info->end = found == DD_CORRECTION_NOT_NEEDED ? DD_END_ARRIVED : DD_END_NO_STEP;
        return st;
    }
    info->steps++;
    double step = 0;
    if (g->trials > 0 ? !descend(g, info, &step) : !take_whole(g, info, &step)) {
        info->end = g->trials > 0 ? DD_END_STUCK : DD_END_NOT_FINITE;
        return DD_OK;
    }
    /* at rounding level, or falling so fast that the next step would be */
    info->end = DD_END_ARRIVED;
    *done = step < g->step_goal || (step < g->short_step && step < g->fast_ratio * *last_step);
    *last_step = info->step = step;
    return DD_OK;
}

dd_status dd_gauss_newton_run(dd_gauss_newton_info *info, dd_context *ctx, const dd_gauss_newton *g)
{
    double last_step = INFINITY, last_size = INFINITY;
    *info = (dd_gauss_newton_info){.end = DD_END_NOT_FINITE, .size = INFINITY};
    if (g->residual(g->user, g->x, g->r) != 0) {
        return DD_OK;
    }
    info->size = g->size(g->user, g->r);
    for (uint32_t it = 0; it < g->most_steps; it++) {
        dd_status st = dd_poll_stop(ctx);
        if (st != DD_OK) {
            return st;
        }
        if (g->residual_goal >= 0 && !(info->size > g->residual_goal)) {
            info->end = DD_END_ARRIVED;
            return DD_OK;
        }
        /* where rows touch, convergence is linear; slower than that it ends off the rows, or is rounding */
        if (g->slow > 0 && it > g->slow_after && info->size > g->slow * last_size &&
            (g->slow_step <= 0 || last_step < g->slow_step)) {
            info->end = DD_END_STUCK;
            return DD_OK;
        }
        last_size = info->size;
        bool done = false;
        st = advance(g, info, &last_step, &done);
        if (st != DD_OK || done) {
            return st;
        }
    }
    info->end = DD_END_TOO_MANY;
    return DD_OK;
}
