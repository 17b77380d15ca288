/* bdf.c - variable order, variable step. Start reading at bdf_step.
 *
 * History: backward differences D_k = nabla^k w_n, k = 0..q, of values at distance h; when h changes they are recomputed
 * from the polynomial they stand for. With the prediction w0 = sum_k D_k and d = w_{n+1} - w0 the formula of order q is
 *
 *     h w' = alpha_q d + sum_{k=1..q} gamma_k D_k,   gamma_k = 1 + 1/2 + ... + 1/k,   alpha_q = (1 - kappa_q) gamma_q,
 *
 * and its local error (kappa_q gamma_q + 1/(q+1)) d. */
#include "integ/bdf.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "integ/explicit_rhs.h"
#include "integ/fixed.h"
#include "integ/noise.h"
#include "integ/project.h"
#include "integ/step_record.h"
#include "la/pencil.h"

enum { MOST_ORDER = 5, ROWS = MOST_ORDER + 3, MOST_NEWTON = 4 };
_Static_assert((int)ROWS <= (int)DD_RECORD_INPUTS, "a record holds the history");

static const double kappa[MOST_ORDER + 1] = {0, -37.0 / 200, -1.0 / 9, -0.0823, -0.0415, 0};
/* The tolerance in force is this part of what was asked for: errors of many steps add up, of more steps at small
 * tolerances. */
static const double PART = 0.06, PART_EXPONENT = 0.12;
/* Noise (noise.h) is taken for it up to this factor, and where it is no more than this part of the tolerance. */
static const double NOISE = 30, NOISE_PART = 0.1;
/* Rounding errors in first integrals are taken out from this part of the tolerance in force on. */
static const double CONSERVED = 0.1;
static const double NEWTON_GOAL = 0.02; /* error of d, in units of the tolerance in force */

typedef struct bdf {
    dd_integrator base;
    dd_integ_options options;
    uint32_t n;
    dd_pencil *solver;
    dd_projector *projector;
    dd_conserve *conserve; /* NULL: no linear integrals */
    dd_rhs *rhs;           /* for the start */
    double *atol, *weight;
    double *m, *j;               /* values on the pattern */
    double *difference;          /* ROWS x n */
    double *predicted, *psi, *d; /* n: w0, sum gamma_k D_k, w - w0 */
    double *w_new, *v_new, *f;   /* n */
    double *shift, *scale;       /* n: what projection added, D of its norm */
    double *w_old;               /* n: before the last step */
    double alpha[MOST_ORDER + 1], gamma[MOST_ORDER + 1], error[MOST_ORDER + 1];
    double rtol_now, atol_now;

    bool started, jacobian_current, jacobian_known, rate_known;
    uint32_t order, order_last; /* for the next step; of the last one */
    uint32_t even;              /* steps since h or order changed */
    double h_now;               /* distance of the history */
    double mix[ROWS][ROWS];     /* what the last step did to the history before it began */
    double sigma_factored;      /* 0: no factors */
    double rate;
    bool after_rejection;
    dd_step_verdict why;
} bdf;

/* ---- creation ---- */

/* clang-format off */
#define BDF_ARRAYS(X) \
    X(base.w, n) X(base.wdot, n) X(atol, n) X(weight, n) X(m, nnz) X(j, nnz) X(difference, ROWS * n) \
    X(predicted, n) X(psi, n) X(d, n) X(w_new, n) X(v_new, n) X(f, n) X(shift, n) X(scale, n) \
    X(w_old, n)
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

static void setup(bdf *b)
{
    /* gamma_q, alpha_q and the error constant, from kappa_q (Klopfenstein; Shampine & Reichelt 1997) */
    for (uint32_t q = 1; q <= MOST_ORDER; q++) {
        b->gamma[q] = b->gamma[q - 1] + 1.0 / q;
        b->alpha[q] = (1 - kappa[q]) * b->gamma[q];
        b->error[q] = fabs(kappa[q] * b->gamma[q] + 1.0 / (q + 1));
    }
}

/* ---- history ---- */

static double *row(const bdf *b, uint32_t k)
{
    return b->difference + (size_t)k * b->n;
}

/* R_ij(r) = prod_{m=1..i} (m - 1 - j r) / m, i, j = 1..q: differences over r h are D R(r) U, U = R(1). */
static void step_matrix(uint32_t q, double r, double out[MOST_ORDER][MOST_ORDER])
{
    for (uint32_t j = 1; j <= q; j++) {
        double product = 1;
        for (uint32_t i = 1; i <= q; i++) {
            product *= (i - 1 - j * r) / i;
            out[i - 1][j - 1] = product;
        }
    }
}

/* mix := (rows 1..q of the history by T^T) mix */
static void note_rescaling(bdf *b, uint32_t q, double T[MOST_ORDER][MOST_ORDER])
{
    /* mix is how the differences now depend on those when the step began */
    double old[ROWS][ROWS];
    memcpy(old, b->mix, sizeof old);
    for (uint32_t j = 0; j < q; j++) {
        for (uint32_t at = 0; at < ROWS; at++) {
            double sum = 0;
            for (uint32_t i = 0; i < q; i++) {
                sum += T[i][j] * old[i + 1][at];
            }
            b->mix[j + 1][at] = sum;
        }
    }
}

static void rescale(bdf *b, double h)
{
    const uint32_t q = b->order, n = b->n;
    /* T = R(h_new/h) U: the same polynomial, sampled at distance h_new */
    double R[MOST_ORDER][MOST_ORDER], U[MOST_ORDER][MOST_ORDER], T[MOST_ORDER][MOST_ORDER] = {{0}};
    step_matrix(q, h / b->h_now, R);
    step_matrix(q, 1.0, U);
    for (uint32_t i = 0; i < q; i++) {
        for (uint32_t k = 0; k < q; k++) {
            for (uint32_t j = 0; j < q; j++) {
                T[i][j] += R[i][k] * U[k][j];
            }
        }
    }
    /* D := D T, unknown by unknown */
    for (uint32_t at = 0; at < n; at++) {
        double old[MOST_ORDER];
        for (uint32_t i = 0; i < q; i++) {
            old[i] = row(b, i + 1)[at];
        }
        for (uint32_t j = 0; j < q; j++) {
            double sum = 0;
            for (uint32_t i = 0; i < q; i++) {
                sum += old[i] * T[i][j];
            }
            row(b, j + 1)[at] = sum;
        }
    }
    note_rescaling(b, q, T);
    b->h_now = h;
    b->even = 0;
}

static void predict(bdf *b)
{
    const uint32_t n = b->n;
    /* w0 = sum D_k and psi = sum gamma_k D_k */
    memcpy(b->predicted, row(b, 0), n * sizeof *b->predicted);
    memset(b->psi, 0, n * sizeof *b->psi);
    for (uint32_t k = 1; k <= b->order; k++) {
        const double *D = row(b, k), gamma = b->gamma[k];
        for (uint32_t j = 0; j < n; j++) {
            b->predicted[j] += D[j];
            b->psi[j] += gamma * D[j];
        }
    }
}

/* The differences at the new point. */
static void append(bdf *b)
{
    const uint32_t n = b->n, q = b->order;
    double *last = row(b, q + 2), *next = row(b, q + 1);
    /* nabla^{q+1} = d, nabla^{q+2} its change; then each lower difference gains the one above it */
    for (uint32_t j = 0; j < n; j++) {
        last[j] = b->d[j] - next[j];
        next[j] = b->d[j];
    }
    for (uint32_t k = q; k >= 1; k--) {
        double *D = row(b, k);
        const double *higher = row(b, k + 1);
        for (uint32_t j = 0; j < n; j++) {
            D[j] += higher[j];
        }
    }
    memcpy(row(b, 0), b->w_new, n * sizeof *b->w_new);
}

/* ---- norms ---- */

static void set_weights(bdf *b)
{
    for (uint32_t j = 0; j < b->n; j++) {
        b->weight[j] = 1.0 / (b->atol_now * b->atol[j] + b->rtol_now * fabs(b->base.w[j]));
    }
}

/* Root mean square; the sum of two vectors when v is given. Above index 1 z counts in Newton's method alone: its errors
 * after a change of the step size are not made smaller by shorter steps, and x does not inherit them. */
static double norm(const bdf *b, const double *u, const double *v, bool all)
{
    const uint8_t *x = b->base.problem->differential;
    double sum = 0;
    for (uint32_t j = 0; j < b->n; j++) {
        double d = all || x[j] ? (u[j] + (v ? v[j] : 0.0)) * b->weight[j] : 0.0;
        sum += d * d;
    }
    return sqrt(sum / (b->n > 0 ? b->n : 1));
}

static double error_norm(const bdf *b, const double *u, const double *v)
{
    return norm(b, u, v, b->started && !b->options.higher_index);
}

/* ---- Newton ---- */

static dd_step_verdict factor(bdf *b, double sigma)
{
    const dd_problem *p = b->base.problem;
    /* a new Jacobian only when Newton asks for it, not for a new step size */
    if (!b->jacobian_known) {
        p->jacobian(p->user, b->base.t, b->base.w, b->base.wdot, b->m, b->j);
        b->base.stats.jacobians++;
        b->jacobian_known = b->jacobian_current = true;
    }
    bool singular;
    dd_status st = dd_pencil_factor(b->solver, sigma, 0, b->m, b->j, &singular, &b->base.worst);
    b->base.stats.factorizations++;
    b->rate_known = false;
    b->sigma_factored = st == DD_OK && !singular ? sigma : 0.0;
    /* directions that take rounding errors out of linear integrals belong to the factors */
    if (b->sigma_factored != 0) {
        if (b->conserve) {
            const dd_residual_point at = {.w = b->base.w, .v = b->base.wdot, .m = b->m, .j = b->j, .stride = 1};
            if (dd_conserve_begin(b->conserve, sigma, &at, b->weight, CONSERVED)) {
                dd_conserve_update(b->conserve, 0, b->solver, b->weight);
            }
        }
        return DD_STEP_OK;
    }
    /* memory, a rank defect or an infinity: each has another verdict */
    const size_t nnz = p->pattern.ptr[b->n];
    return st != DD_OK                                            ? DD_STEP_OUT_OF_MEMORY
           : dd_all_finite(b->m, nnz) && dd_all_finite(b->j, nnz) ? DD_STEP_SINGULAR
                                                                  : DD_STEP_NONFINITE;
}

static void note_worst(bdf *b)
{
    double most = -1;
    for (uint32_t j = 0; j < b->n; j++) {
        double x = fabs(b->f[j]) * b->weight[j];
        if (!(x <= most)) {
            most = x;
            b->base.worst = j;
        }
    }
}

/* Are corrections of this size what rounding errors of F give, and small? */
static bool is_noise(bdf *b, double size)
{
    const dd_residual_point at = {.w = b->w_new, .v = b->v_new, .m = b->m, .j = b->j, .stride = 1};
    return size * b->rtol_now <= NOISE_PART * b->options.rtol &&
           size <= NOISE * dd_newton_noise(b->base.problem, &at, b->solver, b->conserve, b->weight, b->shift, b->scale);
}

/* F((alpha d + psi) / h, w0 + d, t) = 0 for d. */
static dd_step_verdict solve(bdf *b, double h, double t)
{
    const dd_problem *p = b->base.problem;
    const uint32_t n = b->n;
    const double alpha = b->alpha[b->order];
    const double least = 100 * DBL_EPSILON / b->rtol_now; /* rounding, in units of the tolerance */
    double last = 0;
    /* from the prediction, d = 0 */
    memset(b->d, 0, n * sizeof *b->d);
    for (uint32_t k = 0; k < MOST_NEWTON; k++) {
        /* w = w0 + d, h w' = alpha d + psi */
        for (uint32_t j = 0; j < n; j++) {
            b->w_new[j] = b->predicted[j] + b->d[j];
            b->v_new[j] = p->differential[j] ? (alpha * b->d[j] + b->psi[j]) / h : 0.0;
        }
        p->residual(p->user, t, b->w_new, b->v_new, b->f);
        b->base.stats.residuals++;
        b->base.stats.newton++;
        if (!dd_all_finite(b->f, n)) {
            return DD_STEP_NONFINITE;
        }
        /* (alpha/h M + J) correction = F */
        dd_pencil_solve(b->solver, b->f, NULL);
        if (b->conserve) { /* c^T w' = 0 for d - f */
            for (uint32_t j = 0; j < n; j++) {
                b->scale[j] = -b->d[j] - b->psi[j] / alpha;
            }
            dd_conserve_apply(b->conserve, b->f, b->scale, 1);
        }
        const double size = norm(b, b->f, NULL, true);
        note_worst(b);
        if (!isfinite(size)) {
            return DD_STEP_NONFINITE;
        }
        for (uint32_t j = 0; j < n; j++) {
            b->d[j] -= b->f[j];
        }
        /* rounding, or a correction that does not shrink: noise of F, or no convergence */
        bool done = size <= least;
        if (!done && k > 0) {
            if (size > 0.9 * last && !(done = is_noise(b, size))) {
                return DD_STEP_NEWTON_FAILED;
            }
        }
        /* the rate of convergence, remembered from step to step */
        if (!done && k > 0) {
            b->rate = fmax(0.9 * (b->rate_known ? b->rate : 0.0), size / last);
            b->rate_known = true;
        }
        /* the error that is left, now and after the iterations that are left */
        if (!done && b->rate_known) {
            const double left = size * b->rate / (1 - b->rate);
            done = left <= NEWTON_GOAL;
            if (!done && (k + 1 == MOST_NEWTON || left * pow(b->rate, MOST_NEWTON - 1.0 - k) > NEWTON_GOAL)) {
                return DD_STEP_NEWTON_FAILED;
            }
        }
        if (done) {
            for (uint32_t j = 0; j < n; j++) {
                b->w_new[j] = b->predicted[j] + b->d[j];
                b->v_new[j] = p->differential[j] ? (alpha * b->d[j] + b->psi[j]) / h : 0.0;
            }
            return DD_STEP_OK;
        }
        last = size;
    }
    return DD_STEP_NEWTON_FAILED;
}

/* With the factors there are, then with a new Jacobian. */
static dd_step_verdict newton(bdf *b, double h, double t)
{
    /* factors are those of one sigma = alpha/h */
    const double sigma = b->alpha[b->order] / h;
    for (;;) {
        dd_step_verdict v = DD_STEP_OK;
        if (b->sigma_factored != sigma) {
            v = factor(b, sigma);
        }
        v = v == DD_STEP_OK ? solve(b, h, t) : v;
        if (v == DD_STEP_OK || v == DD_STEP_OUT_OF_MEMORY || b->jacobian_current) {
            b->base.stats.newton_failures += v != DD_STEP_OK;
            return v;
        }
        /* once more with a Jacobian at this point */
        b->jacobian_known = false;
        b->sigma_factored = 0;
    }
}

/* The end of the step onto the invariants; d follows. */
static bool project(bdf *b, double t)
{
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
    if (!p.converged || p.moved >= 10.0) {
        return false;
    }
    for (uint32_t j = 0; j < b->n; j++) {
        b->d[j] += b->shift[j];
    }
    b->base.violation = fmax(b->base.violation, p.violation);
    return true;
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
    b->sigma_factored = 0;
    b->order = b->order_last = 1;
    b->even = 0;
    b->why = DD_STEP_STEP_TOO_SMALL;
    set_weights(b);
    memset(b->difference, 0, (size_t)ROWS * b->n * sizeof *b->difference);
    /* x' and z to the accuracy of the steps, on copies: equations of higher index keep the given ones */
    memcpy(b->w_new, it->w, b->n * sizeof *b->w_new);
    memcpy(b->v_new, it->wdot, b->n * sizeof *b->v_new);
    dd_rhs_forget(b->rhs);
    dd_rhs_accuracy accuracy = {b->weight, 1.0, NEWTON_GOAL};
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
    const double span = bound - b->base.t, slope = norm(b, b->base.wdot, NULL, false);
    /* h^2 x'' = 1/4 in units of the tolerance, with x'' taken as |x'|^2 / |x| */
    const double h = slope > 0 ? 0.5 / (slope * sqrt(b->rtol_now)) : 1e-3 * span;
    return fmin(h, 1e-2 * span);
}

static void begin_history(bdf *b, double h)
{
    memcpy(row(b, 0), b->base.w, b->n * sizeof *b->base.w);
    for (uint32_t j = 0; j < b->n; j++) {
        row(b, 1)[j] = h * b->base.wdot[j];
    }
    b->h_now = h;
    memset(b->mix, 0, sizeof b->mix); /* from (w, w') */
    b->mix[0][0] = 1;
    b->mix[1][1] = h;
}

/* Order and size of the next step, after q + 2 steps of the same kind; each order's optimum less a margin. */
static void choose_order(bdf *b, double err)
{
    const uint32_t q = b->order;
    b->even = b->even + 1 < MOST_ORDER + 2 ? b->even + 1 : MOST_ORDER + 2;
    if (b->even < q + 2) {
        return;
    }
    /* three candidates: order q - 1, q, q + 1, with safety factors that favour the order in force */
    double best = fmin(10.0, 1.0 / (1.2 * pow(fmax(err, 1e-12), 1.0 / (q + 1))));
    uint32_t order = q;
    if (q > 1) {
        double lower = error_norm(b, row(b, q), NULL) * b->error[q - 1];
        double factor = fmin(10.0, 1.0 / (1.3 * pow(fmax(lower, 1e-12), 1.0 / q)));
        order = factor > best ? q - 1 : order;
        best = fmax(best, factor);
    }
    if (q < MOST_ORDER) {
        double higher = error_norm(b, row(b, q + 2), NULL) * b->error[q + 1];
        double factor = fmin(10.0, 1.0 / (1.4 * pow(fmax(higher, 1e-12), 1.0 / (q + 2))));
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
    append(b);
    memcpy(b->w_old, it->w, b->n * sizeof *it->w);
    memcpy(it->w, b->w_new, b->n * sizeof *it->w);
    memcpy(it->wdot, b->v_new, b->n * sizeof *it->wdot);
    it->t_old = it->t;
    it->t = t_new;
    it->stats.steps++;
    b->started = true;
    b->after_rejection = b->jacobian_current = false;
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
        return 0.5;
    }
    double factor = fmax(0.1, 0.833 * pow(err, -1.0 / (q + 1)));
    /* lower order where that allows a longer step */
    if (q > 1) {
        double lower = error_norm(b, row(b, q), b->d) * b->error[q - 1];
        double other = fmax(0.1, 0.769 * pow(fmax(lower, 1e-12), -1.0 / q));
        if (other > factor) {
            factor = fmin(1.0, other);
            b->order = q - 1;
        }
    }
    return factor;
}

/* One try. *factor: for the next, after a failure. */
static dd_step_verdict try_step(bdf *b, double h, double t_new, double *err, double *factor)
{
    /* Newton's failures have no error to go by: a fixed factor */
    *factor = 0.3;
    predict(b);
    dd_step_verdict v = newton(b, h, t_new);
    if (v != DD_STEP_OK) {
        return v;
    }
    /* the local error from d, before projection changes it */
    *err = b->error[b->order] * error_norm(b, b->d, NULL);
    if (!(*err <= 1.0)) {
        *factor = reject(b, *err);
        return isfinite(*err) ? DD_STEP_STEP_TOO_SMALL : DD_STEP_NONFINITE;
    }
    return project(b, t_new) ? DD_STEP_OK : DD_STEP_PROJECTION_FAILED;
}

static dd_step_verdict bdf_step(dd_integrator *it, double bound)
{
    bdf *b = (bdf *)it;
    if (!b->started) {
        it->h = b->options.first_step > 0 ? b->options.first_step : first_step(b, bound);
    }
    /* at most ten times the distance of the history, whose polynomial does not reach further */
    double h = b->options.most_step > 0 ? fmin(it->h, b->options.most_step) : it->h, wanted = h;
    h = b->started ? fmin(h, 10 * b->h_now) : h;
    /* the record of this step begins with the identity */
    for (uint32_t k = 0; k < ROWS; k++) {
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
            begin_history(b, h);
        } else if (h != b->h_now) {
            rescale(b, h);
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
        h *= factor;
        wanted = h;
    }
}

/* prod_{m < k} (s + m) / (m + 1), the weights of the differences at s = (t - t_n) / h, and their derivatives by s */
static void newton_weights(uint32_t q, double s, double *value, double *slope)
{
    value[0] = 1;
    slope[0] = 0;
    for (uint32_t k = 1; k <= q; k++) {
        value[k] = value[k - 1] * (s + k - 1) / k;
        slope[k] = (slope[k - 1] * (s + k - 1) + value[k - 1]) / k;
    }
}

static void bdf_interpolate(const dd_integrator *it, double t, double *w, double *wdot)
{
    const bdf *b = (const bdf *)it;
    const uint32_t n = b->n, q = b->started ? b->order_last : 0;
    const double s = b->started ? (t - it->t) / b->h_now : 0;
    double value[MOST_ORDER + 1], slope[MOST_ORDER + 1];
    /* Newton's backward form through the last q + 1 points */
    newton_weights(q, s, value, slope);
    for (uint32_t j = 0; j < n; j++) {
        double sum = b->started ? row(b, 0)[j] : it->w[j], rate = 0;
        for (uint32_t k = 1; k <= q; k++) {
            sum += value[k] * row(b, k)[j];
            rate += slope[k] * row(b, k)[j];
        }
        if (w) {
            w[j] = sum;
        }
        if (wdot) {
            const bool here = !b->started || t == it->t;
            wdot[j] = here ? it->wdot[j] : it->problem->differential[j] ? rate / b->h_now : 0.0;
        }
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
    b->rtol_now = fmax(part * rtol, 100 * DBL_EPSILON);
    b->atol_now = rtol > 0 ? b->rtol_now / rtol : PART;
}

/* ---- the step for its derivatives ---- */

/* With h w' = alpha d + psi the new point is w = w0 - psi/alpha + h w'/alpha: one stage. The differences there follow
 * from d = w - sum_k D_k as in append. */
static void bdf_record(dd_integrator *it, bool dense, dd_step_record *out)
{
    bdf *b = (bdf *)it;
    const uint32_t n = b->n, q = b->order_last;
    (void)dense;
    out->stages = 1;
    out->inputs = ROWS;
    if (!out->point) {
        return;
    }
    /* w = w0 - psi/alpha + h w'/alpha is one stage with A = b = 1/alpha */
    const double alpha = b->alpha[q];
    out->h = b->h_now;
    out->A[0] = out->b[0] = 1 / alpha;
    out->time[0] = it->t;
    out->end_stage = DD_NO_INDEX;
    out->mixed = true;
    memcpy(out->mix, b->mix, sizeof b->mix);
    double history[ROWS][ROWS + 1] = {{0}}, d[ROWS + 1] = {0}; /* in terms of the old differences and w */
    d[ROWS] = 1;
    /* w0 - psi/alpha = sum (1 - gamma_k/alpha) D_k, and d = w - sum D_k */
    for (uint32_t k = 0; k < ROWS; k++) {
        history[k][k] = 1;
        out->base[k] = k <= q ? 1 - b->gamma[k] / alpha : 0;
        d[k] = k <= q ? -1 : 0;
    }
    /* the new differences in terms of the old ones and w, by the same recurrence as append */
    for (uint32_t at = 0; at <= ROWS; at++) {
        history[q + 2][at] = d[at] - history[q + 1][at];
        history[q + 1][at] = d[at];
        for (uint32_t k = q; k >= 1; k--) {
            history[k][at] += history[k + 1][at];
        }
        history[0][at] = at == ROWS;
    }
    for (uint32_t k = 0; k < ROWS; k++) {
        memcpy(out->keep[k], history[k], ROWS * sizeof(double));
        out->take[k] = history[k][ROWS];
    }
    out->shift = b->projector ? b->shift : NULL;
    out->scale = b->scale;
    out->old = b->w_old;
    out->scale_slope = b->rtol_now;
    /* the stage is the point before projection */
    for (uint32_t j = 0; j < n; j++) {
        out->point[j] = it->w[j] - (b->projector ? b->shift[j] : 0.0);
        out->rate[j] = it->wdot[j];
    }
}

static void bdf_dense(const dd_integrator *it, double t, dd_step_dense *out)
{
    const bdf *b = (const bdf *)it;
    double value[MOST_ORDER + 1], slope[MOST_ORDER + 1];
    newton_weights(b->order_last, (t - it->t) / b->h_now, value, slope);
    for (uint32_t k = 0; k <= b->order_last; k++) {
        out->x.output[k] = out->z.output[k] = value[k];
        out->slope.output[k] = slope[k] / b->h_now;
    }
}

static const dd_integrator_ops bdf_ops = {
    .start = bdf_start,
    .step = bdf_step,
    .interpolate = bdf_interpolate,
    .free = bdf_free,
    .set_tolerance = bdf_set_tolerance,
    .record = bdf_record,
    .dense = bdf_dense,
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
    setup(b);
    bdf_set_tolerance(&b->base, options->rtol, options->atol);
    *out = &b->base;
    return DD_OK;
}
