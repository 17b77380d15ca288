/* bdf.c - variable order, variable step. Start reading at bdf_step.
 *
 * History: backward differences D_k = nabla^k w_n, k = 0..q, of values at distance h; when h changes they are
 * recomputed from the polynomial that they represent. With the prediction w0 = sum_k D_k and d = w_{n+1} - w0 the
 * formula of order q is
 *
 *     h w' = alpha_q d + sum_{k=1..q} gamma_k D_k,   gamma_k = 1 + 1/2 + ... + 1/k,   alpha_q = (1 - kappa_q) gamma_q,
 *
 * and its local error (kappa_q gamma_q + 1/(q+1)) d. */
#include "integ/bdf.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "integ/bdf_impl.h"
#include "integ/fixed.h"

/* The tolerance in force is this part of what was asked for: errors of many steps add up, of more steps at small
 * tolerances. */
static const double PART = 0.06, PART_EXPONENT = 0.12;
/* It is raised, up to the second part of what was asked for, where rounding of t moves the invariants by more than the first,
 * in units of it: differences of the history would show that instead of the solution. */
static const double NOISE_BORNE = 3.0, NOISE_PART = 0.1;
/* Step size control as in ode15s: longest growth of a step, and how a step is shortened at most, after a second
 * rejection in a row, and when Newton's method or the projection failed (FARTHEST: in units of the tolerance). */
static const double GROWTH = 10.0, MOST_SHORTENED = 0.1, HALF = 0.5, FAILED = 0.3, FARTHEST = 10.0;
/* Safety factors of the predicted step sizes for the same, a lower and a higher order: a change must pay. */
static const double SAME = 1.2, LOWER = 1.3, HIGHER = 1.4;
/* The same where the step was rejected: 1/1.2 and 1/1.3. */
static const double REJECTED = 0.833, REJECTED_LOWER = 0.769;

/* Algebraic variables whose error falls to no less than STUBBORN while the step is shortened to SHORTER show what projection
 * moved (z follows x with its own, perhaps large, slopes) or a jump; a smooth one falls with h^2 at least. */
static const double SHORTER = 0.3, STUBBORN = 0.5;

/* ---- creation ---- */

/* clang-format off */
#define BDF_ARRAYS(X) \
    X(base.w, n) X(base.wdot, n) X(atol, n) X(weight, n) X(m, nnz) X(j, nnz) X(difference, BDF_ROWS * n) \
    X(predicted, n) X(psi, n) X(d, n) X(w_new, n) X(v_new, n) X(f, n) X(shift, n) X(scale, 2 * n) \
    X(w_old, n) X(stage_w, n) X(stage_v, n)
/* clang-format on */

static dd_status allocate(bdf *b)
{
    const size_t n = b->n, nnz = b->base.problem->pattern.ptr[n];
    bool all = true;
#define BDF_NEW(field, length)                                                                                         \
    b->field = dd_mem_new_array(b->base.ctx, (length) + 1, sizeof(double));                                            \
    all = all && b->field;
    BDF_ARRAYS(BDF_NEW)
#undef BDF_NEW
    return all ? DD_OK : DD_OUT_OF_MEMORY;
}

static void bdf_free(dd_integrator *it)
{
    bdf *b = (bdf *)it;
    const size_t n = b->n, nnz = it->problem->pattern.ptr[n];
#define BDF_FREE(field, length) dd_mem_free(it->ctx, b->field, ((length) + 1) * sizeof(double));
    BDF_ARRAYS(BDF_FREE)
#undef BDF_FREE
    dd_pencil_free(b->solver);
    dd_rhs_free(b->rhs);
    dd_projector_free(b->projector);
    dd_conserve_free(b->conserve);
    dd_mem_free(it->ctx, b, sizeof *b);
}

/* ---- norms ---- */

static void set_weights(bdf *b)
{
    for (uint32_t j = 0; j < b->n; j++) {
        b->weight[j] = 1.0 / (b->atol_now * b->atol[j] + b->rtol_now * fabs(b->base.w[j]));
    }
}

static double error_norm(const bdf *b, const double *u, const double *v)
{
    return dd_bdf_norm(b, u, v, b->started && !b->options.higher_index);
}

/* x' and z at the end of a step from x there, after projection has moved it: z may follow x with large slopes, and what it
 * lacks would be a jump in its history. The stage before is kept for the record of the step. */
static void solve_end(bdf *b, double t, double h)
{
    const size_t bytes = b->n * sizeof *b->w_new;
    memcpy(b->stage_w, b->w_new, bytes);
    memcpy(b->stage_v, b->v_new, bytes);
    const dd_rhs_accuracy accuracy = {.weight = b->weight, .h = h, .goal = BDF_NEWTON_GOAL};
    uint32_t worst;
    b->end_solved = dd_rhs_solve(b->rhs, t, b->w_new, b->v_new, &accuracy, &b->base.stats, &worst) == DD_STEP_OK;
    if (!b->end_solved) {
        memcpy(b->w_new, b->stage_w, bytes);
        memcpy(b->v_new, b->stage_v, bytes);
    }
    for (uint32_t j = 0; j < b->n; j++) {
        b->d[j] += b->w_new[j] - b->stage_w[j];
    }
}

/* The end of the step onto the invariants; d follows. */
static bool project(bdf *b, double t, double h)
{
    b->end_solved = false;
    /* linear integrals first, exactly; d is changed with w */
    if (b->conserve) {
        memcpy(b->f, b->w_new, b->n * sizeof *b->f);
        dd_conserve_hold(b->conserve, b->w_new, b->weight);
        for (uint32_t j = 0; j < b->n; j++) {
            b->d[j] += b->w_new[j] - b->f[j];
        }
    }
    if (!b->projector) {
        return true;
    }
    for (uint32_t j = 0; j < b->n; j++) {
        b->scale[j] = 1.0 / b->weight[j];
    }
    /* then the invariants, in the norm of the error test */
    dd_projection p = dd_project(b->projector, t, b->w_new, b->scale, 5, b->shift);
    b->base.stats.projections++;
    if (!p.converged || p.moved >= FARTHEST) {
        return false;
    }
    for (uint32_t j = 0; j < b->n; j++) {
        b->d[j] += b->shift[j];
    }
    b->base.violation = fmax(b->base.violation, p.violation);
    if (b->solve_ends && p.moved > 0) {
        solve_end(b, t, h);
    }
    return true;
}

/* Tolerances in force, with their weights, for steps from (t, w) on. */
static void set_parts(bdf *b)
{
    const double rtol = b->options.rtol;
    b->rtol_now = b->rtol_part;
    b->atol_now = rtol > 0 ? b->rtol_now / rtol : PART;
    set_weights(b);
    if (!b->projector || !(b->atol_now < NOISE_PART)) {
        return;
    }
    /* the noise of the invariants, in units of the tolerance in force */
    for (uint32_t j = 0; j < b->n; j++) {
        b->scale[j] = 1.0 / b->weight[j];
    }
    const double noise = dd_project_noise(b->projector, b->base.t, b->base.w, b->scale);
    const double raise = fmin(fmax(noise / NOISE_BORNE, 1.0), NOISE_PART / b->atol_now);
    b->rtol_now *= raise;
    b->atol_now *= raise;
    set_weights(b);
}

/* ---- steps ---- */

/* x' and z follow from x where they can; otherwise they stay as given. */
static dd_step_verdict bdf_start(dd_integrator *it, double t, const double *w, const double *wdot)
{
    bdf *b = (bdf *)it;
    /* order 1, no history, no factors */
    it->t = it->t_old = t;
    memcpy(it->w, w, b->n * sizeof *w);
    for (uint32_t j = 0; j < b->n; j++) {
        it->wdot[j] = it->problem->differential[j] && wdot && isfinite(wdot[j]) ? wdot[j] : 0.0;
    }
    b->started = b->jacobian_known = b->jacobian_current = b->rate_known = b->after_rejection = false;
    b->rejected_h = 0;
    b->solve_ends = b->end_solved = false;
    b->sigma_factored = 0;
    b->order = b->order_last = 1;
    b->even = 0;
    b->why = DD_STEP_STEP_TOO_SMALL;
    set_parts(b);
    memset(b->difference, 0, (size_t)BDF_ROWS * b->n * sizeof *b->difference);
    /* x' and z to the accuracy of the steps, on copies: equations of higher index keep the given ones */
    memcpy(b->w_new, it->w, b->n * sizeof *b->w_new);
    memcpy(b->v_new, it->wdot, b->n * sizeof *b->v_new);
    dd_rhs_forget(b->rhs);
    dd_rhs_accuracy accuracy = {.weight = b->weight, .h = 1.0, .goal = BDF_NEWTON_GOAL};
    uint32_t worst;
    if (dd_rhs_solve(b->rhs, t, b->w_new, b->v_new, &accuracy, &it->stats, &worst) == DD_STEP_OK) {
        memcpy(it->w, b->w_new, b->n * sizeof *it->w);
        memcpy(it->wdot, b->v_new, b->n * sizeof *it->wdot);
        set_weights(b);
    }
    return DD_STEP_OK;
}

/* so that h^2 x'' is likely to be below the tolerance: x'' is taken as |x'|^2 / |x| */
static double first_step(const bdf *b, double bound)
{
    const double span = bound - b->base.t, slope = dd_bdf_norm(b, b->base.wdot, NULL, false);
    /* h^2 x'' = 1/4 in units of the tolerance, with x'' taken as |x'|^2 / |x| */
    const double h = slope > 0 ? 0.5 / (slope * sqrt(b->rtol_now)) : 1e-3 * span;
    return fmin(dd_integ_first_step(b->base.t, fmin(h, 1e-2 * span)), span);
}

/* Order and size of the next step, after q + 2 steps of the same kind; each order's optimum less a margin. */
static void choose_order(bdf *b, double err)
{
    const uint32_t q = b->order;
    b->even = b->even + 1 < BDF_MOST_ORDER + 2 ? b->even + 1 : BDF_MOST_ORDER + 2;
    if (b->even < q + 2) {
        return;
    }
    /* three candidates: order q - 1, q, q + 1, with safety factors that favour the order in force */
    double best = fmin(GROWTH, 1.0 / (SAME * pow(fmax(err, 1e-12), 1.0 / (q + 1))));
    uint32_t order = q;
    if (q > 1) {
        double lower = error_norm(b, dd_bdf_row(b, q), NULL) * b->error[q - 1];
        double factor = fmin(GROWTH, 1.0 / (LOWER * pow(fmax(lower, 1e-12), 1.0 / q)));
        order = factor > best ? q - 1 : order;
        best = fmax(best, factor);
    }
    if (q < BDF_MOST_ORDER) {
        double higher = error_norm(b, dd_bdf_row(b, q + 2), NULL) * b->error[q + 1];
        double factor = fmin(GROWTH, 1.0 / (HIGHER * pow(fmax(higher, 1e-12), 1.0 / (q + 2))));
        order = factor > best ? q + 1 : order;
        best = fmax(best, factor);
    }
    /* size and order stay unless a longer step is possible */
    if (best > 1.0) {
        b->base.h = b->h_now * best;
        b->order = order;
        b->even = 0;
    }
}

static void accept(bdf *b, double h, double t_new, double err)
{
    dd_integrator *it = &b->base;
    dd_bdf_append(b);
    memcpy(b->w_old, it->w, b->n * sizeof *it->w);
    memcpy(it->w, b->w_new, b->n * sizeof *it->w);
    memcpy(it->wdot, b->v_new, b->n * sizeof *it->wdot);
    it->t_old = it->t;
    it->t = t_new;
    it->stats.steps++;
    it->order = b->order;
    it->error = err;
    b->started = true;
    b->after_rejection = b->jacobian_current = false;
    b->rejected_h = 0;
    b->order_last = b->order;
    it->h = h;
    set_weights(b);
    choose_order(b, err);
}

/* The error was too large: a smaller step, perhaps of lower order. Returns the factor. */
static double reject(bdf *b, double err)
{
    const uint32_t q = b->order;
    /* a second rejection in a row: the estimate is no guide */
    if (b->after_rejection || !isfinite(err)) {
        return HALF;
    }
    double factor = fmax(MOST_SHORTENED, REJECTED * pow(err, -1.0 / (q + 1)));
    /* lower order where that allows a longer step */
    if (q > 1) {
        double lower = error_norm(b, dd_bdf_row(b, q), b->d) * b->error[q - 1];
        double other = fmax(MOST_SHORTENED, REJECTED_LOWER * pow(fmax(lower, 1e-12), -1.0 / q));
        if (other > factor) {
            factor = fmin(1.0, other);
            b->order = q - 1;
        }
    }
    return factor;
}

/* Is the error that of z alone, and no smaller after shorter steps? z is solved for at every point: only its prediction is
 * wrong then, and no step would be short enough. */
static bool is_stubborn(bdf *b, double h, double err)
{
    if (!b->after_rejection || !(b->rejected_h > 0)) {
        b->rejected_h = h;
        b->rejected_err = err;
        return false;
    }
    if (!b->started || b->error[b->order] * dd_bdf_norm(b, b->d, NULL, false) > 1.0) {
        return false;
    }
    b->solve_ends = b->projector && !b->options.higher_index;
    if (h > SHORTER * b->rejected_h) {
        return false;
    }
    const bool stubborn = err > STUBBORN * b->rejected_err;
    /* part of the error may have been that of the step: what is left is compared with steps that are shorter still */
    b->rejected_h = h;
    b->rejected_err = err;
    return stubborn;
}

/* One try. *factor: for the next, after a failure. */
static dd_step_verdict try_step(bdf *b, double h, double t_new, double *err, double *factor)
{
    /* Newton's failures have no error to go by: a fixed factor */
    *factor = FAILED;
    dd_bdf_predict(b);
    dd_step_verdict v = dd_bdf_newton(b, h, t_new);
    if (v != DD_STEP_OK) {
        return v;
    }
    /* the local error from d, before projection changes it */
    *err = b->error[b->order] * error_norm(b, b->d, NULL);
    if (!(*err <= 1.0) && !is_stubborn(b, h, *err)) {
        *factor = reject(b, *err);
        return isfinite(*err) ? DD_STEP_STEP_TOO_SMALL : DD_STEP_NONFINITE;
    }
    return project(b, t_new, h) ? DD_STEP_OK : DD_STEP_PROJECTION_FAILED;
}

static dd_step_verdict bdf_step(dd_integrator *it, double bound)
{
    bdf *b = (bdf *)it;
    if (!b->started) {
        it->h = b->options.first_step > 0 ? b->options.first_step : first_step(b, bound);
    }
    /* at most ten times the distance of the history, whose polynomial does not reach further */
    double h = b->options.most_step > 0 ? fmin(it->h, b->options.most_step) : it->h, wanted = h;
    h = b->started ? fmin(h, GROWTH * b->h_now) : h;
    /* the record of this step begins with the identity */
    for (uint32_t k = 0; k < BDF_ROWS; k++) {
        memset(b->mix[k], 0, sizeof b->mix[k]);
        b->mix[k][k] = 1;
    }
    for (;;) {
        /* end exactly at the bound */
        const bool at_bound = dd_fixed_reaches(it->t, h, bound);
        const double t_new = at_bound ? bound : it->t + h;
        h = dd_fixed_size(it->t, h, bound);
        /* t + h = t in floating point: report why the last attempt failed */
        if (h <= 10 * DBL_EPSILON * fmax(fabs(it->t), DBL_MIN) && !(at_bound && !b->after_rejection)) {
            return b->why;
        }
        /* the history is at distance h: rescaled whenever h changes */
        if (!b->started) {
            dd_bdf_begin_history(b, h);
        } else if (h != b->h_now) {
            dd_bdf_rescale(b, h);
        }
        double err, factor;
        dd_step_verdict v = try_step(b, h, t_new, &err, &factor);
        if (v == DD_STEP_OK) {
            /* a step cut at the bound does not reduce the next one */
            const bool shortened = at_bound && h < wanted;
            accept(b, h, t_new, err);
            it->h = shortened ? fmax(it->h, wanted) : it->h;
            return DD_STEP_OK;
        }
        if (v == DD_STEP_OUT_OF_MEMORY) {
            return v;
        }
        b->why = v;
        b->after_rejection = true;
        it->stats.rejected++;
        set_parts(b);
        h *= factor;
        wanted = h;
    }
}

static void bdf_set_tolerance(dd_integrator *it, double rtol, const double *atol)
{
    bdf *b = (bdf *)it;
    /* more steps at small tolerances: their errors add up */
    const double part = PART * fmin(1.0, pow(rtol / 0.01, PART_EXPONENT));
    memmove(b->atol, atol, b->n * sizeof *atol);
    b->options.rtol = rtol;
    b->options.atol = b->atol;
    b->rtol_now = b->rtol_part = fmax(part * rtol, 100 * DBL_EPSILON);
    b->atol_now = rtol > 0 ? b->rtol_now / rtol : PART;
}

static const dd_integrator_ops bdf_ops = {
    .start = bdf_start,
    .step = bdf_step,
    .interpolate = dd_bdf_interpolate,
    .free = bdf_free,
    .set_tolerance = bdf_set_tolerance,
    .record = dd_bdf_record,
    .dense = dd_bdf_dense,
};

dd_status dd_bdf_new(dd_integrator **out, dd_context *ctx, const dd_problem *problem, const dd_integ_options *options)
{
    *out = NULL;
    bdf *b = dd_mem_new_array(ctx, 1, sizeof *b);
    if (!b) {
        return DD_OUT_OF_MEMORY;
    }
    b->base = (dd_integrator){.ops = &bdf_ops, .ctx = ctx, .problem = problem, .name = "bdf", .worst = DD_NO_INDEX};
    b->options = *options;
    b->n = problem->n;
    b->coupled = dd_problem_is_coupled(problem);
    /* matrices of the steps, slopes at the start, projection onto constraints, sums that are conserved */
    dd_status st = allocate(b);
    st = st == DD_OK ? dd_pencil_new(&b->solver, ctx, &problem->pattern, false, DD_PENCIL_AUTO) : st;
    st = st == DD_OK ? dd_rhs_new(&b->rhs, ctx, problem) : st;
    if (st == DD_OK && options->project) {
        st = dd_projector_new_keeping(&b->projector, ctx, problem);
    }
    st = st == DD_OK ? dd_conserve_new(&b->conserve, ctx, problem, 0) : st;
    if (st != DD_OK) {
        bdf_free(&b->base);
        return st;
    }
    dd_bdf_setup(b);
    bdf_set_tolerance(&b->base, options->rtol, options->atol);
    *out = &b->base;
    return DD_OK;
}
