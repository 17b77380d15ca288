/* chebyshev.c - windows of Gauss-Lobatto points t_k = t_n + H (1 - cos(k pi / K)) / 2, k = 0..K.
 *
 *     F(1/H sum_j D_kj w_j, w_k, t_k) = 0,  k = 1..K,   x_0 given,
 *
 * with the differentiation matrix D, for w_1..w_K by Newton's method with the Jacobians of all points. z is a polynomial
 * through the points 1..K. Start reading at chebyshev_step. */
#include "integ/chebyshev.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "integ/fixed.h"
#include "integ/fixed_newton.h"
#include "integ/irk_matrix.h"
#include "integ/project.h"
#include "integ/step_record.h"
#include "la/pencil.h"
#include "methods/collocation.h"

enum { DEFAULT_POINTS = 16, MOST = DD_CHEBYSHEV_POINTS };
static const double PART = 0.1;      /* the tolerance in force is this part of what was asked for */
static const double FAR = 1e-2;      /* corrections above this call for new Jacobians at once */
static const double GOAL = 1e-3;     /* error of the window's equations, in units of the tolerance in force */
enum { FULL_NEWTON = 25 };           /* times that Jacobians are renewed for large corrections */
static const double FIRST = 0.02;    /* first window, as a part of the way to the bound */
static const double SAFETY = 0.9;    /* of the predicted length, as usual in step size control */
static const double LARGEST = 2.0;   /* growth from window to window: a window that is too long costs a whole solve */
static const double SMALLEST = 0.2;  /* reduction by the series, whose prediction is poor far from the tolerance */
static const double SHORTENED = 0.4; /* reduction where Newton's method or the projection failed */

typedef struct chebyshev {
    dd_integrator base;
    dd_integ_options options;
    uint32_t n, last; /* last: K */
    dd_stage_matrix *matrix;
    dd_pencil *march; /* for the guess by implicit Euler */
    dd_projector *projector;
    double *D;                         /* (K + 1) x (K + 1) */
    double *A;                         /* K x K: integrals, for derivatives of the window */
    double node[MOST], weight_x[MOST]; /* barycentric weights of all points, */
    double weight_z[MOST];             /* and of those but the first */
    double *value, *rate;              /* (K + 1) x n: w and w' at the points */
    double *value_last, *rate_last;    /* the same of the last window */
    double *shift;                     /* n: what projection added at its end */
    double *du, *f, *m, *j;            /* K*n, K*n, K*nnz */
    double *atol, *weight, *scale, *work;
    double *projected_scale; /* n: scale of the last projection */
    double rtol_now, atol_now, h_last;
    bool started, after_rejection;
    dd_step_verdict why;
} chebyshev;

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
    dd_quad exact[MOST], w[MOST];
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

/* ---- the window's equations ---- */

static double *at(double *rows, const chebyshev *c, uint32_t k)
{
    return rows + (size_t)k * c->n;
}

static void differentiate(chebyshev *c, double h)
{
    const uint8_t *x = c->base.problem->differential;
    const uint32_t n = c->n, N = c->last + 1;
    /* w'_k = 1/H sum_q D_kq w_q for x; z has no derivative */
    for (uint32_t k = 0; k < N; k++) {
        double *out = at(c->rate, c, k);
        memset(out, 0, n * sizeof *out);
        for (uint32_t q = 0; q < N; q++) {
            const double d = c->D[(size_t)k * N + q] / h, *from = at(c->value, c, q);
            for (uint32_t j = 0; j < n; j++) {
                out[j] += d * from[j];
            }
        }
        for (uint32_t j = 0; j < n; j++) {
            out[j] = x[j] ? out[j] : 0.0;
        }
    }
}

static dd_step_verdict refresh(chebyshev *c, double h)
{
    const dd_problem *p = c->base.problem;
    const size_t nnz = p->pattern.ptr[c->n];
    /* M and J at every point but the first, where x is given */
    for (uint32_t k = 1; k <= c->last; k++) {
        p->jacobian(p->user, c->base.t + c->node[k] * h, at(c->value, c, k), at(c->rate, c, k), c->m + (k - 1) * nnz,
                    c->j + (k - 1) * nnz);
        c->base.stats.jacobians++;
    }
    bool singular;
    /* 1/H D x M + I x J, one matrix for all points */
    dd_status st = dd_stage_matrix_factor(c->matrix, 1.0 / h, c->m, c->j, nnz, &singular, &c->base.worst);
    c->base.stats.factorizations++;
    if (st != DD_OK) {
        return DD_STEP_OUT_OF_MEMORY;
    }
    /* a rank defect and an infinity in the matrix are different verdicts */
    const bool finite = dd_all_finite(c->m, c->last * nnz) && dd_all_finite(c->j, c->last * nnz);
    return !singular ? DD_STEP_OK : finite ? DD_STEP_SINGULAR : DD_STEP_NONFINITE;
}

/* One Newton correction of all points; its size, NaN when something was not finite. */
static double correct(chebyshev *c, double h)
{
    const dd_problem *p = c->base.problem;
    const uint32_t n = c->n, K = c->last;
    /* residuals at all points, written where the corrections will be */
    for (uint32_t k = 1; k <= K; k++) {
        p->residual(p->user, c->base.t + c->node[k] * h, at(c->value, c, k), at(c->rate, c, k), at(c->du, c, k - 1));
    }
    c->base.stats.residuals += K;
    c->base.stats.newton++;
    if (!dd_all_finite(c->du, (size_t)K * n)) {
        return NAN;
    }
    /* kept: whether residuals are rounding is asked after the correction */
    memcpy(c->f, c->du, (size_t)K * n * sizeof *c->f);
    dd_stage_matrix_solve(c->matrix, c->du);
    /* root mean square over points and unknowns, in units of the tolerance; note the unknown that moved most */
    double sum = 0, most = -1;
    for (uint32_t k = 1; k <= K; k++) {
        double *w = at(c->value, c, k), *du = at(c->du, c, k - 1);
        for (uint32_t j = 0; j < n; j++) {
            const double d = du[j] * c->weight[j];
            w[j] -= du[j];
            sum += d * d;
            if (!(d * d <= most)) {
                most = d * d;
                c->base.worst = j;
            }
        }
    }
    differentiate(c, h);
    return sqrt(sum / ((double)K * n));
}

/* Were the residuals of the last correction rounding errors? w' is a sum over all points, with weights of both signs and
 * of the size of K^2/h: its rounding errors are those of the terms. Values are those after the correction, of the same
 * size. */
static bool at_rounding(chebyshev *c, double h)
{
    const uint32_t N = c->last + 1;
    const size_t nnz = c->base.problem->pattern.ptr[c->n];
    double *v = c->work, *terms = c->work + c->n;
    /* sum_q |D_kq w_q| / H bounds the rounding errors of w'_k, in units of eps */
    for (uint32_t k = 1; k <= c->last; k++) {
        memset(v, 0, c->n * sizeof *v);
        for (uint32_t q = 0; q < N; q++) {
            const double d = fabs(c->D[(size_t)k * N + q]) / h, *from = at(c->value, c, q);
            for (uint32_t j = 0; j < c->n; j++) {
                v[j] += d * fabs(from[j]);
            }
        }
        const dd_residual_point point = {.w = at(c->value, c, k),
                                         .v = v,
                                         .f = at(c->f, c, k - 1),
                                         .m = c->m + (k - 1) * nnz,
                                         .j = c->j + (k - 1) * nnz,
                                         .stride = 1};
        if (!dd_residual_is_rounding(c->base.problem, &point, terms)) {
            return false;
        }
    }
    return true;
}

static dd_step_verdict solve(chebyshev *c, double h)
{
    dd_newton_watch watch = {0};
    const double unit = c->options.fixed_step > 0 ? 1.0 : c->rtol_now; /* of weight, relative to the solution */
    /* full Newton: the guess is far off, so the Jacobians are taken at its points */
    differentiate(c, h);
    dd_step_verdict v = refresh(c, h);
    dd_newton_renewed(&watch);
    while (v == DD_STEP_OK) {
        /* with given windows to rounding, otherwise to a small part of the tolerance */
        const double size = correct(c, h);
        dd_newton_next next = dd_newton_judge(&watch, size, c->options.fixed_step > 0 ? 0 : GOAL);
        /* equations of higher index leave residuals of rounding that no correction removes */
        if (next == DD_NEWTON_DONE || (next == DD_NEWTON_REFRESH && c->options.higher_index && at_rounding(c, h))) {
            return DD_STEP_OK;
        }
        if (next == DD_NEWTON_FAILED) {
            v = isfinite(size) ? DD_STEP_NEWTON_FAILED : DD_STEP_NONFINITE;
        } else if (next == DD_NEWTON_REFRESH || (size * unit > FAR && watch.refreshes < FULL_NEWTON)) {
            v = refresh(c, h);
            dd_newton_renewed(&watch);
        }
    }
    return v;
}

/* ---- guesses ---- */

static void guess_line(chebyshev *c, double h)
{
    const uint8_t *x = c->base.problem->differential;
    for (uint32_t k = 0; k <= c->last; k++) {
        double *w = at(c->value, c, k);
        for (uint32_t j = 0; j < c->n; j++) {
            w[j] = c->base.w[j] + (x[j] ? c->node[k] * h * c->base.wdot[j] : 0.0);
        }
    }
}

/* Implicit Euler from point to point: rough, but it follows bends that a line does not. False when it gets stuck. */
static bool guess_march(chebyshev *c, double h)
{
    enum { CORRECTIONS = 6 };
    const dd_problem *p = c->base.problem;
    const uint32_t n = c->n;
    double *v = c->work, *f = c->work + n;
    /* from point to point with the value before as the guess */
    memcpy(at(c->value, c, 0), c->base.w, n * sizeof *c->value);
    for (uint32_t k = 1; k <= c->last; k++) {
        const double step = (c->node[k] - c->node[k - 1]) * h, t = c->base.t + c->node[k] * h;
        const double *before = at(c->value, c, k - 1);
        double *w = at(c->value, c, k);
        memcpy(w, before, n * sizeof *w);
        for (uint32_t q = 0; q < CORRECTIONS; q++) {
            /* F((w - w_before) / h, w, t) = 0 by full Newton */
            for (uint32_t j = 0; j < n; j++) {
                v[j] = p->differential[j] ? (w[j] - before[j]) / step : 0.0;
            }
            bool singular;
            uint32_t column;
            p->jacobian(p->user, t, w, v, c->m, c->j);
            p->residual(p->user, t, w, v, f);
            c->base.stats.jacobians++;
            c->base.stats.residuals++;
            if (dd_pencil_factor(c->march, 1.0 / step, 0, c->m, c->j, &singular, &column) != DD_OK || singular ||
                !dd_all_finite(f, n)) {
                return false;
            }
            dd_pencil_solve(c->march, f, NULL);
            /* a fixed number of corrections: this is a guess, not a solution */
            for (uint32_t j = 0; j < n; j++) {
                w[j] -= f[j];
            }
        }
        if (!dd_all_finite(w, n)) {
            return false;
        }
    }
    return true;
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
    guess_line(c, h);
    dd_step_verdict v = solve(c, h);
    if (v != DD_STEP_OK && v != DD_STEP_OUT_OF_MEMORY && guess_march(c, h)) {
        v = solve(c, h);
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
        memcpy(c->work, at(c->value, c, c->last), c->n * sizeof *c->work);
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
    const double *end = at(c->value_last, c, c->last);
    for (uint32_t j = 0; j < c->n; j++) {
        it->w[j] = end[j] + c->shift[j];
    }
    memcpy(it->wdot, at(c->rate_last, c, c->last), c->n * sizeof *it->wdot);
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
                                            : FIRST * (bound - it->t);
    }
    double h = c->options.most_step > 0 && !fixed ? fmin(it->h, c->options.most_step) : it->h;
    for (;;) {
        /* end exactly at the bound, and never leave a rest that is too short for a window */
        const bool at_bound = dd_fixed_reaches(it->t, h, bound);
        const double t_new = at_bound ? bound : it->t + h;
        h = dd_fixed_size(it->t, h, bound);
        /* too short to advance t in floating point: report why the last attempt failed */
        if (h <= 10 * DBL_EPSILON * fmax(fabs(it->t), DBL_MIN) && !(at_bound && !c->after_rejection)) {
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

/* ---- dense output ---- */

/* Barycentric: sum_k b_k / (theta - c_k) f_k / sum_k b_k / (theta - c_k), written as weights of the f_k. */
static void barycentric(const chebyshev *c, const double *b, uint32_t first, double theta, double *weight)
{
    double sum = 0;
    for (uint32_t k = first; k <= c->last; k++) {
        /* at a point itself the formula is 0/0 */
        if (theta == c->node[k]) {
            memset(weight, 0, (c->last + 1) * sizeof *weight);
            weight[k] = 1;
            return;
        }
        weight[k] = b[k] / (theta - c->node[k]);
        sum += weight[k];
    }
    for (uint32_t k = first; k <= c->last; k++) {
        weight[k] /= sum;
    }
}

static void chebyshev_interpolate(const dd_integrator *it, double t, double *w, double *wdot)
{
    const chebyshev *c = (const chebyshev *)it;
    const uint8_t *x = it->problem->differential;
    const bool here = !c->started || t == it->t;
    /* x through all points, z through all but the first, where its value is not known */
    double weight_x[MOST] = {0}, weight_z[MOST] = {0};
    const double theta = c->started ? (t - it->t_old) / c->h_last : 0;
    barycentric(c, c->weight_x, 0, theta, weight_x);
    barycentric(c, c->weight_z, 1, theta, weight_z);
    for (uint32_t j = 0; j < c->n; j++) {
        double value = x[j] ? theta * c->shift[j] : 0.0, rate = 0;
        for (uint32_t k = 0; k <= c->last && !here; k++) {
            value += (x[j] ? weight_x[k] : weight_z[k]) * c->value_last[(size_t)k * c->n + j];
            rate += weight_x[k] * c->rate_last[(size_t)k * c->n + j];
        }
        if (w) {
            w[j] = here ? it->w[j] : value;
        }
        if (wdot) {
            wdot[j] = here ? it->wdot[j] : rate;
        }
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

/* ---- the window for its derivatives ---- */

/* A collocation method: A_ij = int_0^{c_i} l_j over the nodes but the first, the inverse of that part of D. */
static void make_integrals(chebyshev *c)
{
    const uint32_t K = c->last;
    dd_quad nodes[MOST], integral[MOST];
    dd_collocation_nodes(DD_NODES_CHEBYSHEV, K, nodes);
    for (uint32_t i = 0; i < K; i++) {
        dd_lagrange_integrals(nodes, K, nodes[i], integral);
        for (uint32_t j = 0; j < K; j++) {
            c->A[(size_t)i * K + j] = (double)integral[j];
        }
    }
}

static void chebyshev_record(dd_integrator *it, bool dense, dd_step_record *out)
{
    chebyshev *c = (chebyshev *)it;
    const uint32_t K = c->last;
    (void)dense;
    /* one step of a Runge-Kutta method with K coupled stages at the points 1..K */
    dd_record_one_input(out, c->h_last);
    out->stages = K;
    if (!out->point) {
        return;
    }
    out->coupled = true;
    out->shift = c->projector ? c->shift : NULL;
    out->scale = c->projected_scale;
    out->old = at(c->value_last, c, 0);
    out->scale_floor = c->options.fixed_step > 0;
    out->scale_slope = out->scale_floor ? 1.0 : c->rtol_now;
    /* the last row of A is b: the window ends at its last point */
    memcpy(out->b, c->A + (size_t)(K - 1) * K, K * sizeof *out->b);
    memcpy(out->point, at(c->value_last, c, 1), (size_t)K * c->n * sizeof *out->point);
    memcpy(out->rate, at(c->rate_last, c, 1), (size_t)K * c->n * sizeof *out->rate);
    for (uint32_t i = 0; i < K; i++) {
        out->time[i] = it->t_old + c->node[i + 1] * c->h_last;
        memcpy(out->A + (size_t)i * out->room, c->A + (size_t)i * K, K * sizeof *out->A);
    }
}

static void chebyshev_dense(const dd_integrator *it, double t, dd_step_dense *out)
{
    const chebyshev *c = (const chebyshev *)it;
    const double theta = (t - it->t_old) / c->h_last;
    double weight_x[MOST] = {0}, weight_z[MOST] = {0};
    barycentric(c, c->weight_x, 0, theta, weight_x);
    barycentric(c, c->weight_z, 1, theta, weight_z);
    /* derivatives of the interpolated values by those of the points, as in chebyshev_interpolate */
    out->x.input[0] = weight_x[0];
    out->x.shift = theta;
    out->slope.input[0] = weight_x[0] * c->D[0] / c->h_last; /* w' at the first point is a sum over all of them */
    for (uint32_t k = 1; k <= c->last; k++) {
        out->x.value[k - 1] = weight_x[k];
        out->z.value[k - 1] = weight_z[k];
        out->slope.rate[k - 1] = weight_x[k] / c->h_last;
        out->slope.value[k - 1] = weight_x[0] * c->D[k] / c->h_last;
    }
}

static const dd_integrator_ops chebyshev_ops = {
    .start = chebyshev_start,
    .step = chebyshev_step,
    .interpolate = chebyshev_interpolate,
    .free = chebyshev_free,
    .set_tolerance = chebyshev_set_tolerance,
    .record = chebyshev_record,
    .dense = chebyshev_dense,
};

static dd_status build(chebyshev *c)
{
    dd_status st = allocate(c);
    if (st == DD_OK) {
        chebyshev_set_tolerance(&c->base, c->options.rtol, c->options.atol);
        make_differentiation(c);
        if (c->base.problem->n_parameters > 0) {
            make_integrals(c);
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
