/* chebyshev.c - windows of Gauss-Lobatto points t_k = t_n + H (1 - cos(k pi / K)) / 2, k = 0..K.
 *
 *     F(1/H sum_j D_kj w_j, w_k, t_k) = 0,  k = 1..K,   x_0 given,
 *
 * with the differentiation matrix D, for w_1..w_K by Newton's method with the Jacobians of all points. z is a
 * polynomial through the points 1..K. Start reading at chebyshev_step. */
#include "integ/chebyshev.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "integ/chebyshev_impl.h"
#include "integ/fixed.h"
#include "methods/collocation.h"

enum { DEFAULT_POINTS = 16 };
/* At time 0 windows could shrink for ever; below this, weights of w' overflow in norms, which would be blamed on the
 * equations. */
static const double EARLIEST = 1e-100;
static const double PART = 0.1;      /* the tolerance in force is this part of what was asked for */
static const double FIRST = 0.02;    /* first window, as a part of the way to the bound */
static const double SAFETY = 0.9;    /* of the predicted length, as usual in step size control */
static const double LARGEST = 2.0;   /* growth from window to window: a window that is too long costs a whole solve */
static const double SMALLEST = 0.2;  /* reduction by the series, whose prediction is poor far from the tolerance */
static const double SHORTENED = 0.4; /* reduction where Newton's method or the projection failed */

/* ---- creation ---- */

/* clang-format off */
#define CHEBYSHEV_ARRAYS(X) \
    X(base.w, n) X(base.wdot, n) X(D, N * N) X(A, N * N) X(value, N * n) X(rate, N * n) X(value_last, N * n) X(rate_last, N * n) \
    X(shift, n) X(du, N * n) X(f, N * n) X(m, N * nnz) X(j, N * nnz) X(atol, n) X(weight, n) X(scale, n) \
    X(projected_scale, n) X(work, 2 * n)
/* clang-format on */

static dd_status allocate(chebyshev *c)
{
    const size_t n = c->n, nnz = c->base.problem->pattern.ptr[n], N = c->last + 1;
    bool all = true;
#define CHEBYSHEV_NEW(field, length)                                                                                   \
    c->field = dd_mem_new_array(c->base.ctx, (length) + 1, sizeof(double));                                            \
    all = all && c->field;
    CHEBYSHEV_ARRAYS(CHEBYSHEV_NEW)
#undef CHEBYSHEV_NEW
    return all ? DD_OK : DD_OUT_OF_MEMORY;
}

static void chebyshev_free(dd_integrator *it)
{
    chebyshev *c = (chebyshev *)it;
    const size_t n = c->n, nnz = it->problem->pattern.ptr[n], N = c->last + 1;
#define CHEBYSHEV_FREE(field, length) dd_mem_free(it->ctx, c->field, ((length) + 1) * sizeof(double));
    CHEBYSHEV_ARRAYS(CHEBYSHEV_FREE)
#undef CHEBYSHEV_FREE
    dd_stage_matrix_free(c->matrix);
    dd_pencil_free(c->march);
    dd_projector_free(c->projector);
    dd_mem_free(it->ctx, c, sizeof *c);
}

/* Off the diagonal D_kj = (w_j / w_k) / (c_k - c_j) with the barycentric weights (-1)^j, halved at both ends; on it the
 * negative sum of the others, so that constants have derivative zero. */
static void make_differentiation(chebyshev *c)
{
    const uint32_t K = c->last, N = K + 1;
    dd_quad exact[DD_CHEBYSHEV_POINTS], w[DD_CHEBYSHEV_POINTS];
    exact[0] = 0;
    dd_collocation_nodes(DD_NODES_CHEBYSHEV, K, exact + 1);
    /* nodes and weights in 113 bits, because differences of nodes near the ends are small */
    for (uint32_t k = 0; k < N; k++) {
        w[k] = (k % 2 == 0 ? 1 : -1) * (k == 0 || k == K ? (dd_quad)0.5 : 1);
        c->node[k] = (double)exact[k];
        c->weight_x[k] = (double)w[k];
        /* without the first point each weight gains the factor c_k - c_0 = c_k */
        c->weight_z[k] = (double)(w[k] * exact[k]);
    }
    /* the diagonal as the negative sum of its row: rounding then does not create slopes of constants */
    for (uint32_t k = 0; k < N; k++) {
        dd_quad sum = 0;
        for (uint32_t j = 0; j < N; j++) {
            if (j != k) {
                const dd_quad d = w[j] / w[k] / (exact[k] - exact[j]);
                c->D[(size_t)k * N + j] = (double)d;
                sum -= d;
            }
        }
        c->D[(size_t)k * N + k] = (double)sum;
    }
}

static dd_status make_matrix(chebyshev *c)
{
    const size_t K = c->last, N = K + 1;
    /* dF = (1/H D x M + I x J) dw in the unknown values: P is D without the first point, Q is I */
    double *P = dd_mem_new_array(c->base.ctx, K * K, sizeof *P), *Q = dd_mem_new_array(c->base.ctx, K * K, sizeof *Q);
    dd_status st = P && Q ? DD_OK : DD_OUT_OF_MEMORY;
    if (st == DD_OK) {
        for (size_t k = 0; k < K; k++) {
            Q[k * K + k] = 1;
            memcpy(P + k * K, c->D + (k + 1) * N + 1, K * sizeof *P);
        }
        st = dd_stage_matrix_new(&c->matrix, c->base.ctx, c->base.problem, c->last, P, Q);
    }
    dd_mem_free(c->base.ctx, P, K * K * sizeof *P);
    dd_mem_free(c->base.ctx, Q, K * K * sizeof *Q);
    return st;
}

/* ---- steps ---- */

static void set_weights(chebyshev *c)
{
    const double *nominal = c->base.problem->nominal;
    for (uint32_t j = 0; j < c->n; j++) {
        const double size = fabs(c->base.w[j]);
        c->scale[j] = c->options.fixed_step > 0 ? dd_fixed_scale(size, nominal, j)
                                                : c->atol_now * c->atol[j] + c->rtol_now * size;
        c->weight[j] = 1.0 / c->scale[j];
    }
}

static dd_step_verdict chebyshev_start(dd_integrator *it, double t, const double *w, const double *wdot)
{
    chebyshev *c = (chebyshev *)it;
    it->t = it->t_old = t;
    memcpy(it->w, w, c->n * sizeof *w);
    for (uint32_t j = 0; j < c->n; j++) {
        /* what is no finite number or no derivative is no guess */
        it->wdot[j] = wdot && it->problem->differential[j] && isfinite(wdot[j]) ? wdot[j] : 0.0;
    }
    c->started = c->after_rejection = false;
    c->why = DD_STEP_STEP_TOO_SMALL;
    set_weights(c);
    return DD_STEP_OK;
}

/* The last two coefficients of the Chebyshev series of x, in units of the tolerance:
 * a_m = 2/K sum_k'' x_k cos(m k pi / K), half of that for m = K; '' halves the first and last term. */
static double tail(const chebyshev *c)
{
    const uint8_t *x = c->base.problem->differential;
    const uint32_t K = c->last;
    double sum = 0;
    uint32_t count = 0;
    /* the coefficients of the highest two degrees: one alone vanishes for even or odd functions */
    for (uint32_t j = 0; j < c->n; j++) {
        double last = 0, before = 0;
        for (uint32_t k = 0; k <= K && x[j]; k++) {
            const double v = c->value[(size_t)k * c->n + j] * c->weight_x[k]; /* (-1)^k, halved at the ends */
            last += v;
            before += v * (1 - 2 * c->node[k]); /* cos((K-1) k pi / K) = (-1)^k cos(k pi / K) */
        }
        const double d = fmax(fabs(last) / K, 2 * fabs(before) / K) * c->weight[j];
        sum += d * d;
        count += x[j];
    }
    return sqrt(sum / (count > 0 ? count : 1));
}

static dd_step_verdict try_window(chebyshev *c, double h, double t_new, double *err)
{
    *err = 0;
    /* first along the tangent; where Newton's method fails from there, by a march through the points */
    dd_chebyshev_guess_line(c, h);
    dd_step_verdict v = dd_chebyshev_solve(c, h);
    if (v != DD_STEP_OK && v != DD_STEP_OUT_OF_MEMORY && dd_chebyshev_guess_march(c, h)) {
        v = dd_chebyshev_solve(c, h);
    }
    if (v != DD_STEP_OK) {
        c->base.stats.newton_failures++;
        return v;
    }
    /* windows are short enough when the last coefficients are below the tolerance */
    if (!(c->options.fixed_step > 0)) {
        *err = tail(c);
        if (!(*err <= 1.0)) {
            return isfinite(*err) ? DD_STEP_STEP_TOO_SMALL : DD_STEP_NONFINITE;
        }
    }
    /* the end goes to the nearest point of the invariants; the correction spreads linearly over the window */
    memset(c->shift, 0, c->n * sizeof *c->shift);
    if (c->projector) {
        memcpy(c->work, chebyshev_at(c->value, c, c->last), c->n * sizeof *c->work);
        memcpy(c->projected_scale, c->scale, c->n * sizeof *c->scale);
        dd_projection p = dd_project(c->projector, t_new, c->work, c->scale, 5, c->shift);
        c->base.stats.projections++;
        c->base.violation = p.converged ? fmax(c->base.violation, p.violation) : c->base.violation;
        return p.converged ? DD_STEP_OK : DD_STEP_PROJECTION_FAILED;
    }
    return DD_STEP_OK;
}

static void swap(double **a, double **b)
{
    double *c = *a;
    *a = *b;
    *b = c;
}

static void accept(chebyshev *c, double h, double t_new)
{
    dd_integrator *it = &c->base;
    swap(&c->value, &c->value_last);
    swap(&c->rate, &c->rate_last);
    const double *end = chebyshev_at(c->value_last, c, c->last);
    for (uint32_t j = 0; j < c->n; j++) {
        it->w[j] = end[j] + c->shift[j];
    }
    memcpy(it->wdot, chebyshev_at(c->rate_last, c, c->last), c->n * sizeof *it->wdot);
    it->t_old = it->t;
    it->t = t_new;
    it->stats.steps++;
    c->h_last = h;
    c->started = true;
    set_weights(c);
}

static dd_step_verdict chebyshev_step(dd_integrator *it, double bound)
{
    chebyshev *c = (chebyshev *)it;
    const bool fixed = c->options.fixed_step > 0;
    /* the first window of a run; the series decides on the following ones */
    if (!c->started) {
        it->h = fixed                       ? c->options.fixed_step
                : c->options.first_step > 0 ? c->options.first_step
                                            : fmin(dd_integ_first_step(it->t, FIRST * (bound - it->t)), bound - it->t);
    }
    double h = c->options.most_step > 0 && !fixed ? fmin(it->h, c->options.most_step) : it->h;
    for (;;) {
        /* end exactly at the bound, and never leave a rest that is too short for a window */
        const bool at_bound = dd_fixed_reaches(it->t, h, bound);
        const double t_new = at_bound ? bound : it->t + h;
        h = dd_fixed_size(it->t, h, bound);
        /* too short to advance t in floating point: report why the last attempt failed */
        if (h <= 10 * DBL_EPSILON * fmax(fabs(it->t), EARLIEST) && !(at_bound && !c->after_rejection)) {
            return c->why;
        }
        double err;
        /* the coefficients of degree K shrink like H^K */
        dd_step_verdict v = try_window(c, h, t_new, &err);
        const double factor = SAFETY * pow(fmax(err, 1e-30), -1.0 / c->last);
        if (v == DD_STEP_OK) {
            accept(c, h, t_new);
            /* after a rejection the window does not grow; one cut at the bound does not reduce the next one */
            if (!fixed) {
                const double next = h * fmin(c->after_rejection ? 1.0 : LARGEST, factor);
                it->h = at_bound ? fmax(next, it->h) : next;
            }
            c->after_rejection = false;
            return DD_STEP_OK;
        }
        /* with given windows there is nothing to shorten */
        if (fixed || v == DD_STEP_OUT_OF_MEMORY) {
            return v;
        }
        c->why = v;
        c->after_rejection = true;
        it->stats.rejected++;
        /* by the series where it was too long for it, otherwise by a fixed factor */
        h *= v == DD_STEP_STEP_TOO_SMALL ? fmax(SMALLEST, fmin(SAFETY, factor)) : SHORTENED;
    }
}

static void chebyshev_set_tolerance(dd_integrator *it, double rtol, const double *atol)
{
    chebyshev *c = (chebyshev *)it;
    memmove(c->atol, atol, c->n * sizeof *atol);
    c->options.rtol = rtol;
    c->options.atol = c->atol;
    /* w' comes from differences: below a hundred roundings the series cannot be resolved */
    c->rtol_now = fmax(PART * rtol, 100 * DBL_EPSILON);
    c->atol_now = rtol > 0 ? c->rtol_now / rtol : PART;
}

static const dd_integrator_ops chebyshev_ops = {
    .start = chebyshev_start,
    .step = chebyshev_step,
    .interpolate = dd_chebyshev_interpolate,
    .free = chebyshev_free,
    .set_tolerance = chebyshev_set_tolerance,
    .record = dd_chebyshev_record,
    .dense = dd_chebyshev_dense,
};

static dd_status build(chebyshev *c)
{
    dd_status st = allocate(c);
    if (st == DD_OK) {
        chebyshev_set_tolerance(&c->base, c->options.rtol, c->options.atol);
        make_differentiation(c);
        if (c->base.problem->n_parameters > 0) {
            dd_chebyshev_make_integrals(c);
        }
        st = make_matrix(c);
    }
    if (st == DD_OK) {
        st = dd_pencil_new(&c->march, c->base.ctx, &c->base.problem->pattern, false, DD_PENCIL_AUTO);
    }
    return st == DD_OK && c->options.project ? dd_projector_new(&c->projector, c->base.ctx, c->base.problem) : st;
}

dd_status dd_chebyshev_new(dd_integrator **out, dd_context *ctx, const dd_problem *problem, uint32_t points,
                           const dd_integ_options *options)
{
    *out = NULL;
    points = points == 0 ? DEFAULT_POINTS : points;
    if (points < 3 || points > DD_CHEBYSHEV_POINTS) {
        return dd_fail(ctx, DD_INVALID_ARGUMENT, "a Chebyshev window has 3 to %d points", DD_CHEBYSHEV_POINTS);
    }
    chebyshev *c = dd_mem_new_array(ctx, 1, sizeof *c);
    if (!c) {
        return DD_OUT_OF_MEMORY;
    }
    c->base = (dd_integrator){
        .ops = &chebyshev_ops, .ctx = ctx, .problem = problem, .name = "chebyshev", .worst = DD_NO_INDEX};
    c->options = *options;
    c->n = problem->n;
    c->last = points - 1;
    dd_status st = build(c);
    if (st != DD_OK) {
        chebyshev_free(&c->base);
        return st;
    }
    *out = &c->base;
    return DD_OK;
}
