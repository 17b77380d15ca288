/* slopes.c - damped Newton for the derivatives and the algebraic unknowns at one point, with the matrix of
 * explicit_rhs.h. */
#include "integ/slopes.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "integ/explicit_rhs.h"

enum { MOST_ITERATIONS = 40, MOST_HALVINGS = 20 };
static const double ARMIJO = 0.1;   /* part of the predicted decrease of |F| that a damped step must achieve */
static const double NEAR = 1e-5;    /* after a relative step this small the factors are as good as new ones */
static const double LOCAL = 1e-8;   /* steps below this are not damped: |F| is near its rounding errors */
static const double STALLED = 1e-9; /* steps below this that do not halve any more are rounding */

struct dd_slopes {
    dd_context *ctx;
    const dd_problem *problem;
    double *f, *step, *w, *wdot;
    dd_rhs *rhs;
    dd_integ_stats stats; /* counted by dd_rhs, not reported */
};

dd_status dd_slopes_new(dd_slopes **out, dd_context *ctx, const dd_problem *problem)
{
    *out = NULL;
    dd_slopes *s = dd_mem_new_array(ctx, 1, sizeof *s);
    if (!s) {
        return DD_OUT_OF_MEMORY;
    }
    uint32_t n = problem->n;
    s->ctx = ctx;
    s->problem = problem;
    s->f = dd_mem_new_array(ctx, n + 1, sizeof(double));
    s->step = dd_mem_new_array(ctx, n + 1, sizeof(double));
    s->w = dd_mem_new_array(ctx, n + 1, sizeof(double));
    s->wdot = dd_mem_new_array(ctx, n + 1, sizeof(double));
    dd_status st = s->f && s->step && s->w && s->wdot ? DD_OK : DD_OUT_OF_MEMORY;
    st = st == DD_OK ? dd_rhs_new(&s->rhs, ctx, problem) : st;
    if (st != DD_OK) {
        dd_slopes_free(s);
        return st;
    }
    *out = s;
    return DD_OK;
}

void dd_slopes_free(dd_slopes *s)
{
    if (!s) {
        return;
    }
    uint32_t n = s->problem->n;
    dd_mem_free(s->ctx, s->f, (n + 1) * sizeof(double));
    dd_mem_free(s->ctx, s->step, (n + 1) * sizeof(double));
    dd_mem_free(s->ctx, s->w, (n + 1) * sizeof(double));
    dd_mem_free(s->ctx, s->wdot, (n + 1) * sizeof(double));
    dd_rhs_free(s->rhs);
    dd_mem_free(s->ctx, s, sizeof *s);
}

static bool factor(dd_slopes *s, double t, dd_slopes_info *info)
{
    const dd_step_verdict v = dd_rhs_factor(s->rhs, t, s->w, s->wdot, &s->stats, &info->worst);
    info->singular = v == DD_STEP_SINGULAR;
    info->finite = v != DD_STEP_NONFINITE;
    return v == DD_STEP_OK;
}

/* relative to the value itself or to its nominal, whichever is larger */
static double size_of(const dd_slopes *s, uint32_t j)
{
    const double *v = s->problem->differential[j] ? s->wdot : s->w;
    return fmax(fabs(v[j]), s->problem->nominal ? s->problem->nominal[j] : 1.0);
}

/* Largest relative entry of the step; notes whose it is. */
static double judge(const dd_slopes *s, dd_slopes_info *info)
{
    double most = 0;
    for (uint32_t j = 0; j < s->problem->n; j++) {
        double x = fabs(s->step[j]) / size_of(s, j);
        if (!(x <= most)) {
            most = x;
            info->worst = j;
        }
    }
    return most;
}

static void move(dd_slopes *s, double factor)
{
    for (uint32_t j = 0; j < s->problem->n; j++) {
        double *v = s->problem->differential[j] ? s->wdot : s->w;
        v[j] += factor * s->step[j];
    }
}

static double residual_norm(dd_slopes *s, double t)
{
    const dd_problem *p = s->problem;
    p->residual(p->user, t, s->w, s->wdot, s->f);
    double sum = 0;
    for (uint32_t i = 0; i < p->n; i++) {
        sum += s->f[i] * s->f[i];
    }
    return sqrt(sum);
}

/* Newton's step -K^-1 F with the factors at hand, and its size. Whether it helps is judged by |F| afterwards. */
static bool newton_step(dd_slopes *s, dd_slopes_info *info)
{
    for (uint32_t i = 0; i < s->problem->n; i++) {
        s->step[i] = -s->f[i];
    }
    dd_rhs_apply(s->rhs, s->step);
    info->moved = judge(s, info);
    return isfinite(info->moved);
}

dd_slopes_info dd_slopes_solve(dd_slopes *s, double t, double *w, double *wdot)
{
    dd_slopes_info info = {.worst = DD_NO_INDEX, .finite = true};
    uint32_t n = s->problem->n;
    /* on copies: the caller's values stay as they are when this fails */
    memcpy(s->w, w, n * sizeof *w);
    memcpy(s->wdot, wdot, n * sizeof *wdot);
    double norm = residual_norm(s, t), last = INFINITY;
    info.finite = isfinite(norm);
    for (; info.iterations < MOST_ITERATIONS && info.finite; info.iterations++) {
        if (norm == 0) {
            info.converged = true;
            break;
        }
        bool near = last < NEAR;
        if ((!near && !factor(s, t, &info)) || !newton_step(s, &info)) {
            break;
        }
        /* halve the step until |F| decreases enough (Armijo) */
        double factor_of_step = 1.0, next = norm, moved = info.moved;
        for (int halving = 0; halving < MOST_HALVINGS; halving++) {
            move(s, factor_of_step);
            next = residual_norm(s, t);
            if (isfinite(next) && (next <= (1 - ARMIJO * factor_of_step) * norm || moved < LOCAL)) {
                break;
            }
            move(s, -factor_of_step);
            factor_of_step /= 2;
        }
        norm = isfinite(next) ? next : norm;
        /* done at a few units of rounding, or where small steps stop shrinking */
        if (moved < 16 * DBL_EPSILON || (moved < STALLED && moved > 0.5 * last)) {
            info.converged = true;
            break;
        }
        last = moved;
    }
    if (info.converged) {
        memcpy(w, s->w, n * sizeof *w);
        memcpy(wdot, s->wdot, n * sizeof *wdot);
    }
    return info;
}
