/* bdf_fixed.c - the m-step formula  w'_{n+1} = sum_j beta_j w_{n+1-j}  with given steps, to rounding.
 *
 * On an even grid beta = alpha / h (multistep.h); otherwise beta_j is the slope at t_{n+1} of the Lagrange
 * polynomial of the j-th point. The first m - 1 steps are taken by Radau IIA. Start reading at fixed_step. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "integ/bdf.h"
#include "integ/fixed.h"
#include "integ/fixed_newton.h"
#include "integ/irk.h"
#include "integ/project.h"
#include "integ/step_record.h"
#include "la/pencil.h"
#include "methods/multistep.h"

enum { MOST_FOLLOWED = 60 }; /* solutions on the way from F = F(last point) to F = 0 */
/* The first part of that way, and the smallest: a way that has a fold leads nowhere. */
static const double FIRST_PART = 0.25, LEAST_PART = 1e-6;

typedef struct bdf_fixed {
    dd_integrator base;
    dd_integ_options options;
    uint32_t n;
    dd_bdf formula;
    char name[8];
    dd_tableau *tableau; /* of the starter */
    dd_integrator *starter;
    dd_pencil *solver;
    dd_projector *projector;
    double *m, *j, *weight, *constant, *f, *shift, *scale;
    double *residual, *size;    /* n, 2*n: F before the last correction; scratch */
    double *f_guess, *followed; /* n: F at the last point, the solution on the way from there */
    double rest;                /* the part of f_guess that is still taken from F */
    double *projected_scale;    /* n: scale of the last projection */
    double *atol;
    double *history[DD_BDF_STEPS + 1], times[DD_BDF_STEPS + 1]; /* the latest point first */
    double *w_new, *v_new;
    uint32_t known;  /* points in the history */
    bool by_starter; /* the last step was the starter's */
    double beta[DD_BDF_STEPS + 1];
    bool stale, factored;
    double beta_factored;
} bdf_fixed;

/* ---- creation ---- */

/* clang-format off */
#define FIXED_ARRAYS(X) \
    X(base.w, n) X(base.wdot, n) X(m, nnz) X(j, nnz) X(weight, n) X(constant, n) X(f, n) X(residual, n) X(size, 2 * n) X(f_guess, n) X(followed, n) X(shift, n) X(scale, n) \
    X(projected_scale, n) X(atol, n) X(w_new, n) X(v_new, n) X(history[0], n) X(history[1], n) X(history[2], n) X(history[3], n) \
    X(history[4], n) X(history[5], n) X(history[6], n)
/* clang-format on */

static dd_status allocate(bdf_fixed *b)
{
    const size_t n = b->n, nnz = b->base.problem->pattern.ptr[n];
    bool all = true;
#define FIXED_NEW(field, length)                                                                                       \
    b->field = dd_mem_new_array(b->base.ctx, (length) + 1, sizeof(double));                                            \
    all = all && b->field;
    FIXED_ARRAYS(FIXED_NEW)
#undef FIXED_NEW
    return all ? DD_OK : DD_OUT_OF_MEMORY;
}

static void fixed_free(dd_integrator *it)
{
    bdf_fixed *b = (bdf_fixed *)it;
    const size_t n = b->n, nnz = it->problem->pattern.ptr[n];
#define FIXED_FREE(field, length) dd_mem_free(it->ctx, b->field, ((length) + 1) * sizeof(double));
    FIXED_ARRAYS(FIXED_FREE)
#undef FIXED_FREE
    dd_integ_free(b->starter);
    dd_tableau_free(b->tableau);
    dd_pencil_free(b->solver);
    dd_projector_free(b->projector);
    dd_mem_free(it->ctx, b, sizeof *b);
}

/* Radau IIA with s stages has order 2s - 1, at least m. */
static dd_status make_starter(bdf_fixed *b)
{
    /* the smallest number of stages with 2s - 1 >= m */
    char name[] = "radau-1";
    name[6] = (char)('0' + (b->formula.steps + 2) / 2);
    dd_status st = dd_tableau_new(&b->tableau, b->base.ctx, name);
    return st == DD_OK ? dd_irk_new(&b->starter, b->base.ctx, b->base.problem, b->tableau, &b->options) : st;
}

/* ---- formula ---- */

static bool even_grid(const bdf_fixed *b, double t_new, double h)
{
    for (uint32_t k = 0; k < b->formula.steps; k++) {
        if (fabs(t_new - b->times[k] - (k + 1) * h) > 1e-10 * h) {
            return false;
        }
    }
    return true;
}

/* beta[0] belongs to t_new, beta[k] to history[k - 1] */
static void coefficients(const bdf_fixed *b, double t_new, double h, double *beta)
{
    const uint32_t m = b->formula.steps;
    /* the coefficients for equal steps are exact fractions */
    if (even_grid(b, t_new, h)) {
        for (uint32_t k = 0; k <= m; k++) {
            beta[k] = b->formula.alpha[k] / h;
        }
        return;
    }
    /* uneven: slopes of Lagrange polynomials at t_new; they sum to zero, since constants have none */
    beta[0] = 0;
    for (uint32_t k = 1; k <= m; k++) {
        const double tk = b->times[k - 1];
        double product = 1.0 / (tk - t_new);
        for (uint32_t q = 1; q <= m; q++) {
            product *= q == k ? 1.0 : (t_new - b->times[q - 1]) / (tk - b->times[q - 1]);
        }
        beta[k] = product;
        beta[0] -= product;
    }
}

/* weight[k] of history[k] in the polynomial through `count` points */
static void lagrange(const bdf_fixed *b, uint32_t count, double t, double *weight)
{
    for (uint32_t k = 0; k < count; k++) {
        weight[k] = 1;
        for (uint32_t q = 0; q < count; q++) {
            weight[k] *= q == k ? 1.0 : (t - b->times[q]) / (b->times[k] - b->times[q]);
        }
    }
}

static void lagrange_slope(const bdf_fixed *b, uint32_t count, double t, double *weight)
{
    /* product rule, as a sum over the factor that is differentiated */
    for (uint32_t k = 0; k < count; k++) {
        weight[k] = 0;
        for (uint32_t left = 0; left < count; left++) {
            double product = left == k ? 0.0 : 1.0 / (b->times[k] - b->times[left]);
            for (uint32_t q = 0; q < count; q++) {
                product *= q == k || q == left ? 1.0 : (t - b->times[q]) / (b->times[k] - b->times[q]);
            }
            weight[k] += product;
        }
    }
}

static void combine(const bdf_fixed *b, uint32_t count, const double *weight, double *out)
{
    memset(out, 0, b->n * sizeof *out);
    for (uint32_t k = 0; k < count; k++) {
        for (uint32_t j = 0; j < b->n; j++) {
            out[j] += weight[k] * b->history[k][j];
        }
    }
}

static void push(bdf_fixed *b, double t, const double *w)
{
    /* the oldest vector is reused */
    double *oldest = b->history[DD_BDF_STEPS];
    memmove(b->history + 1, b->history, DD_BDF_STEPS * sizeof *b->history);
    memmove(b->times + 1, b->times, DD_BDF_STEPS * sizeof *b->times);
    b->history[0] = oldest;
    b->times[0] = t;
    memcpy(oldest, w, b->n * sizeof *w);
    b->known = b->known < DD_BDF_STEPS + 1 ? b->known + 1 : b->known;
}

/* ---- Newton ---- */

static dd_step_verdict refresh(bdf_fixed *b, double t, double beta)
{
    const dd_problem *p = b->base.problem;
    const size_t nnz = p->pattern.ptr[b->n];
    bool singular;
    /* beta_0 M + J */
    p->jacobian(p->user, t, b->w_new, b->v_new, b->m, b->j);
    b->base.stats.jacobians++;
    dd_status st = dd_pencil_factor(b->solver, beta, 0, b->m, b->j, &singular, &b->base.worst);
    b->base.stats.factorizations++;
    b->factored = st == DD_OK && !singular;
    b->beta_factored = beta;
    b->stale = false;
    if (b->factored) {
        return DD_STEP_OK;
    }
    return st != DD_OK                                            ? DD_STEP_OUT_OF_MEMORY
           : dd_all_finite(b->m, nnz) && dd_all_finite(b->j, nnz) ? DD_STEP_SINGULAR
                                                                  : DD_STEP_NONFINITE;
}

static void set_rates(bdf_fixed *b, double beta)
{
    const uint8_t *x = b->base.problem->differential;
    for (uint32_t j = 0; j < b->n; j++) {
        b->v_new[j] = x[j] ? beta * b->w_new[j] + b->constant[j] : 0.0;
    }
}

/* One correction; its size. */
static double correct(bdf_fixed *b, double t, double beta)
{
    const dd_problem *p = b->base.problem;
    p->residual(p->user, t, b->w_new, b->v_new, b->f);
    b->base.stats.residuals++;
    b->base.stats.newton++;
    if (!dd_all_finite(b->f, b->n)) {
        return NAN;
    }
    for (uint32_t j = 0; j < b->n && b->rest > 0; j++) {
        b->f[j] -= b->rest * b->f_guess[j];
    }
    /* kept: whether F was rounding is asked after the correction */
    memcpy(b->residual, b->f, b->n * sizeof *b->f);
    dd_pencil_solve(b->solver, b->f, NULL);
    /* root mean square; note the unknown that moved most */
    double sum = 0, most = -1;
    for (uint32_t j = 0; j < b->n; j++) {
        b->w_new[j] -= b->f[j];
        const double d = dd_newton_part(b->f[j], b->weight[j], b->w_new[j]);
        sum += d * d;
        if (!(d * d <= most)) {
            most = d * d;
            b->base.worst = j;
        }
    }
    set_rates(b, beta);
    return sqrt(sum / (b->n > 0 ? b->n : 1));
}

static void take_back(bdf_fixed *b, double beta, const dd_newton_watch *watch)
{
    if (dd_newton_went_astray(watch)) {
        const double part = dd_newton_part_back(watch);
        for (uint32_t j = 0; j < b->n; j++) {
            b->w_new[j] += part * b->f[j];
        }
        set_rates(b, beta);
    }
}

/* Was F before the last correction rounding error? w' is the sum of beta w and the constant, which nearly cancel. */
static bool at_rounding(bdf_fixed *b, double beta)
{
    for (uint32_t j = 0; j < b->n; j++) {
        b->size[j] = fabs(beta * b->w_new[j]) + fabs(b->constant[j]);
    }
    const dd_residual_point at = {.w = b->w_new, .v = b->size, .f = b->residual, .m = b->m, .j = b->j, .stride = 1};
    return dd_residual_is_rounding(b->base.problem, &at, b->size + b->n);
}

static dd_step_verdict try_to_solve(bdf_fixed *b, double t, double beta, bool damped)
{
    dd_newton_watch watch = {.wary = b->base.wary, .damped = damped};
    dd_step_verdict v = DD_STEP_OK;
    set_rates(b, beta);
    /* factors are kept while beta_0 and the convergence allow it */
    if (!b->factored || b->stale || b->beta_factored != beta) {
        v = refresh(b, t, beta);
        dd_newton_renewed(&watch);
    }
    while (v == DD_STEP_OK) {
        const double size = correct(b, t, beta);
        /* with given steps always to rounding */
        const dd_newton_next next = dd_newton_judge(&watch, size, 0);
        const bool rests = b->options.higher_index || dd_newton_rests(&watch);
        if (next == DD_NEWTON_DONE || (next == DD_NEWTON_REFRESH && rests && at_rounding(b, beta))) {
            b->stale = dd_newton_was_slow(&watch);
            return DD_STEP_OK;
        }
        if (next == DD_NEWTON_FAILED) {
            v = isfinite(size) ? DD_STEP_NEWTON_FAILED : DD_STEP_NONFINITE;
        } else if (next == DD_NEWTON_REFRESH) {
            take_back(b, beta, &watch);
            v = refresh(b, t, beta);
            dd_newton_renewed(&watch);
        }
    }
    b->stale = true;
    return v;
}

/* From the last point to the solution by way of F(w) = (1 - part) F(last point), part from 0 to 1. */
static dd_step_verdict follow(bdf_fixed *b, double t, double beta)
{
    const size_t bytes = b->n * sizeof *b->w_new;
    double reached = 0, part = FIRST_PART;
    memcpy(b->followed, b->base.w, bytes);
    memcpy(b->w_new, b->followed, bytes);
    set_rates(b, beta);
    b->base.problem->residual(b->base.problem->user, t, b->w_new, b->v_new, b->f_guess);
    dd_step_verdict v = dd_all_finite(b->f_guess, b->n) ? DD_STEP_OK : DD_STEP_NONFINITE;
    for (int k = 0; k < MOST_FOLLOWED && v != DD_STEP_OUT_OF_MEMORY && reached < 1 && part > LEAST_PART; k++) {
        const double to = fmin(reached + part, 1);
        memcpy(b->w_new, b->followed, bytes);
        b->rest = 1 - to;
        b->stale = true;
        v = try_to_solve(b, t, beta, false);
        if (v == DD_STEP_OK) {
            memcpy(b->followed, b->w_new, bytes);
            reached = to;
        }
        part *= v == DD_STEP_OK ? 2 : 0.5;
    }
    b->rest = 0;
    b->stale = true;
    return reached == 1 || v != DD_STEP_OK ? v : DD_STEP_NEWTON_FAILED;
}

/* F(beta w + constant, w, t) = 0 for w = w_new, from the guess there; where that fails from the last point, with smaller
 * corrections, and by a longer way. */
static dd_step_verdict solve(bdf_fixed *b, double t, double beta)
{
    dd_step_verdict v = try_to_solve(b, t, beta, false);
    if (v == DD_STEP_NEWTON_FAILED || v == DD_STEP_NONFINITE) {
        memcpy(b->w_new, b->base.w, b->n * sizeof *b->w_new);
        v = try_to_solve(b, t, beta, true);
    }
    if (v == DD_STEP_NEWTON_FAILED || v == DD_STEP_NONFINITE) {
        v = follow(b, t, beta);
    }
    b->base.stats.newton_failures += v != DD_STEP_OK;
    return v;
}

/* ---- steps ---- */

static void set_weights(bdf_fixed *b)
{
    const double *nominal = b->base.problem->nominal;
    for (uint32_t j = 0; j < b->n; j++) {
        b->scale[j] = dd_fixed_scale(b->base.w[j], nominal, j);
        b->weight[j] = 1.0 / b->scale[j];
    }
}

static dd_step_verdict fixed_start(dd_integrator *it, double t, const double *w, const double *wdot)
{
    bdf_fixed *b = (bdf_fixed *)it;
    dd_step_verdict v = dd_integ_start(b->starter, t, w, wdot); /* finds x' and z */
    it->t = it->t_old = t;
    it->h = b->options.fixed_step;
    memcpy(it->w, b->starter->w, b->n * sizeof *w);
    memcpy(it->wdot, b->starter->wdot, b->n * sizeof *w);
    b->known = 0;
    b->factored = false;
    push(b, t, it->w);
    set_weights(b);
    return v;
}

/* the starter's work is part of this integrator's counts */
static dd_step_verdict step_by_starter(bdf_fixed *b, double bound)
{
    dd_integrator *it = &b->base, *from = b->starter;
    const dd_integ_stats before = from->stats;
    from->wary = b->base.wary;
    dd_step_verdict v = dd_integ_step(from, bound);
    it->stats.residuals += from->stats.residuals - before.residuals;
    it->stats.jacobians += from->stats.jacobians - before.jacobians;
    it->stats.factorizations += from->stats.factorizations - before.factorizations;
    it->stats.newton += from->stats.newton - before.newton;
    it->stats.projections += from->stats.projections - before.projections;
    it->worst = from->worst;
    it->violation = fmax(it->violation, from->violation);
    if (v == DD_STEP_OK) {
        memcpy(b->w_new, from->w, b->n * sizeof *b->w_new);
        memcpy(b->v_new, from->wdot, b->n * sizeof *b->v_new);
    }
    return v;
}

/* Does the guess lie further away than x is large? Then it may lie beside another root: T' = -T^4 from 1000 in a long step. */
static bool leads_astray(const bdf_fixed *b)
{
    const dd_problem *p = b->base.problem;
    for (uint32_t j = 0; j < b->n; j++) {
        const double w = b->base.w[j];
        if (p->differential[j] && fabs(b->w_new[j] - w) > fmax(fabs(w), p->nominal[j])) {
            return true;
        }
    }
    return false;
}

static dd_step_verdict step_by_formula(bdf_fixed *b, double t_new, double h)
{
    const uint32_t m = b->formula.steps;
    double weight[DD_BDF_STEPS + 1];
    /* w' = beta_0 w + constant */
    coefficients(b, t_new, h, b->beta);
    combine(b, m, b->beta + 1, b->constant);
    /* the polynomial through the last points continued, as a guess */
    const uint32_t points = b->known < m + 1 ? b->known : m + 1;
    lagrange(b, points, t_new, weight);
    combine(b, points, weight, b->w_new);
    /* one point is a line with its slope: no change at all may be where x' is not determined, as 0 of x'^3 + x = 0 */
    for (uint32_t j = 0; j < b->n && points == 1; j++) {
        b->w_new[j] += b->base.problem->differential[j] ? h * b->base.wdot[j] : 0.0;
    }
    if (leads_astray(b)) {
        memcpy(b->w_new, b->base.w, b->n * sizeof *b->w_new);
    }
    dd_step_verdict v = solve(b, t_new, b->beta[0]);
    if (v != DD_STEP_OK || !b->projector) {
        return v;
    }
    memcpy(b->projected_scale, b->scale, b->n * sizeof *b->scale);
    dd_projection p = dd_project(b->projector, t_new, b->w_new, b->scale, 5, b->shift);
    b->base.stats.projections++;
    b->base.violation = p.converged ? fmax(b->base.violation, p.violation) : b->base.violation;
    return p.converged ? DD_STEP_OK : DD_STEP_PROJECTION_FAILED;
}

static dd_step_verdict fixed_step(dd_integrator *it, double bound)
{
    bdf_fixed *b = (bdf_fixed *)it;
    const double wanted = b->options.fixed_step;
    /* the first m - 1 steps by the starter */
    const bool starting = b->known < b->formula.steps, at_bound = dd_fixed_reaches(it->t, wanted, bound);
    const double h = dd_fixed_size(it->t, wanted, bound), t_new = at_bound ? bound : it->t + h;
    dd_step_verdict v = starting ? step_by_starter(b, bound) : step_by_formula(b, t_new, h);
    if (v != DD_STEP_OK) {
        return v;
    }
    memcpy(it->w, b->w_new, b->n * sizeof *it->w);
    memcpy(it->wdot, b->v_new, b->n * sizeof *it->wdot);
    it->t_old = it->t;
    it->t = t_new;
    it->stats.steps++;
    b->by_starter = starting;
    push(b, t_new, it->w);
    set_weights(b);
    return DD_STEP_OK;
}

static void fixed_interpolate(const dd_integrator *it, double t, double *w, double *wdot)
{
    const bdf_fixed *b = (const bdf_fixed *)it;
    const uint32_t points = b->formula.steps + 1;
    /* steps of the starter have its own dense output */
    if (b->known < 2 || b->by_starter) {
        dd_integ_interpolate(b->starter, t, w, wdot);
        return;
    }
    double weight[DD_BDF_STEPS + 1];
    if (w) {
        lagrange(b, points, t, weight);
        combine(b, points, weight, w);
    }
    if (wdot && t == it->t) {
        memcpy(wdot, it->wdot, b->n * sizeof *wdot);
    } else if (wdot) {
        lagrange_slope(b, points, t, weight);
        combine(b, points, weight, wdot);
        for (uint32_t j = 0; j < b->n; j++) {
            wdot[j] = it->problem->differential[j] ? wdot[j] : 0.0;
        }
    }
}

/* Given steps are solved to rounding whatever the tolerance. */
static void fixed_set_tolerance(dd_integrator *it, double rtol, const double *atol)
{
    (void)it, (void)rtol, (void)atol;
}

/* ---- the step for its derivatives ---- */

/* Stage and end: w' = beta_0 w + sum_k beta_k y_{k-1}, so w = h w' / (h beta_0) - sum_k beta_k / beta_0 y_{k-1}. */
static void record_formula(bdf_fixed *b, dd_step_record *out)
{
    const dd_integrator *it = &b->base;
    out->stages = 1;
    out->h = it->t - it->t_old;
    out->A[0] = out->b[0] = 1 / (out->h * b->beta[0]);
    out->time[0] = it->t;
    for (uint32_t k = 0; k < b->formula.steps; k++) {
        out->base[k] = -b->beta[k + 1] / b->beta[0];
    }
    out->times = b->times;
    out->points = b->history;
    out->shift = b->projector ? b->shift : NULL;
    out->scale = b->projected_scale;
    out->old = b->history[1];
    out->scale_floor = true;
    out->scale_slope = 1.0;
    for (uint32_t j = 0; j < b->n; j++) {
        out->point[j] = it->w[j] - (b->projector ? b->shift[j] : 0.0);
        out->rate[j] = it->wdot[j];
    }
}

static void fixed_record(dd_integrator *it, bool dense, dd_step_record *out)
{
    bdf_fixed *b = (bdf_fixed *)it;
    out->end_stage = DD_NO_INDEX;
    if (!out->point || b->by_starter) {
        b->starter->ops->record(b->starter, dense, out);
    } else {
        record_formula(b, out);
    }
    out->inputs = DD_BDF_STEPS + 1;
    memset(out->take, 0, sizeof out->take);
    memset(out->keep, 0, sizeof out->keep);
    /* the new point comes first, the others move one place back */
    out->take[0] = 1;
    for (uint32_t k = 1; k < out->inputs; k++) {
        out->keep[k][k - 1] = 1;
    }
}

static void fixed_dense(const dd_integrator *it, double t, dd_step_dense *out)
{
    const bdf_fixed *b = (const bdf_fixed *)it;
    if (b->by_starter) {
        b->starter->ops->dense(b->starter, t, out);
        return;
    }
    const uint32_t points = b->formula.steps + 1;
    lagrange(b, points, t, out->x.output);
    lagrange(b, points, t, out->z.output);
    lagrange_slope(b, points, t, out->slope.output);
}

static const dd_integrator_ops fixed_ops = {
    .start = fixed_start,
    .step = fixed_step,
    .interpolate = fixed_interpolate,
    .free = fixed_free,
    .set_tolerance = fixed_set_tolerance,
    .record = fixed_record,
    .dense = fixed_dense,
};

static dd_status build(bdf_fixed *b)
{
    dd_context *ctx = b->base.ctx;
    const dd_problem *problem = b->base.problem;
    dd_status st = allocate(b);
    if (st == DD_OK) {
        memcpy(b->atol, b->options.atol, b->n * sizeof *b->atol);
        b->options.atol = b->atol;
        st = make_starter(b);
    }
    st = st == DD_OK ? dd_pencil_new(&b->solver, ctx, &problem->pattern, false, DD_PENCIL_AUTO) : st;
    return st == DD_OK && b->options.project ? dd_projector_new(&b->projector, ctx, problem) : st;
}

dd_status dd_bdf_fixed_new(dd_integrator **out, dd_context *ctx, const dd_problem *problem, uint32_t steps,
                           const dd_integ_options *options)
{
    *out = NULL;
    dd_bdf formula;
    if (dd_bdf_init(&formula, steps) != DD_OK || !(options->fixed_step > 0)) {
        return dd_fail(ctx, DD_INVALID_ARGUMENT, "bdf-M takes M from 1 to %d and a step size", DD_BDF_STEPS);
    }
    bdf_fixed *b = dd_mem_new_array(ctx, 1, sizeof *b);
    if (!b) {
        return DD_OUT_OF_MEMORY;
    }
    memcpy(b->name, "bdf-0", 6);
    b->name[4] = (char)('0' + steps);
    b->base = (dd_integrator){.ops = &fixed_ops, .ctx = ctx, .problem = problem, .name = b->name, .worst = DD_NO_INDEX};
    b->options = *options;
    b->n = problem->n;
    b->formula = formula;
    dd_status st = build(b);
    if (st != DD_OK) {
        fixed_free(&b->base);
        return st;
    }
    *out = &b->base;
    return DD_OK;
}
