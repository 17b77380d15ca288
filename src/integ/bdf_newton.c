/* bdf_newton.c - F((alpha d + psi) / h, w0 + d, t) = 0 by simplified Newton, with a Jacobian that is kept from step
 * to step. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "integ/bdf_impl.h"
#include "integ/fixed_newton.h"
#include "integ/noise.h"

enum { MOST_NEWTON = 4 }; /* iterations: more cost as much as a shorter step */
/* Noise (noise.h) is taken for it up to this factor, and where it is no more than this part of the tolerance. */
static const double NOISE = 30, NOISE_PART = 0.1;
/* Rounding errors in first integrals are taken out from this part of the tolerance in force on. */
static const double CONSERVED = 0.1;
/* A correction that is larger than this part of the last one does not converge; the rate is forgotten as slowly. */
static const double DIVERGES = 0.9;
/* The second one may be that large: where multipliers follow rates, the first correction of x, over h, is what they are off by
 * then, and the third shows how the iteration converges. */
static const double MIXED = 2;

/* Root mean square; the sum of two vectors when v is given. Above index 1 z enters Newton's method alone: its errors
 * after a change of the step size are not made smaller by shorter steps, and x does not inherit them. */
double dd_bdf_norm(const bdf *b, const double *u, const double *v, bool all)
{
    const uint8_t *x = b->base.problem->differential;
    double sum = 0;
    for (uint32_t j = 0; j < b->n; j++) {
        double d = all || x[j] ? (u[j] + (v ? v[j] : 0.0)) * b->weight[j] : 0.0;
        sum += d * d;
    }
    return sqrt(sum / (b->n > 0 ? b->n : 1));
}

static dd_step_verdict factor(bdf *b, double sigma)
{
    const dd_problem *p = b->base.problem;
    /* a new Jacobian only when Newton asks for it, not for a new step size */
    if (!b->jacobian_known) {
        p->jacobian(p->user, b->base.t, b->base.w, b->base.wdot, b->m, b->j);
        b->base.stats.jacobians++;
        b->jacobian_at = b->base.t;
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

/* Are corrections of this size explained by rounding errors of F, up to a factor, and small? */
static bool is_noise(bdf *b, double t, double size, double factor)
{
    const dd_residual_point at = {.w = b->w_new, .v = b->v_new, .m = b->m, .j = b->j, .stride = 1};
    if (!(size * b->rtol_now <= NOISE_PART * b->options.rtol)) {
        return false;
    }
    const double noise =
        dd_newton_noise(b->base.problem, t, &at, b->solver, b->conserve, b->weight, b->shift, b->scale);
    return size <= factor * noise;
}

/* w = w0 + d, h w' = alpha d + psi */
static void set_point(bdf *b, double h)
{
    const uint8_t *x = b->base.problem->differential;
    const double alpha = b->alpha[b->order];
    for (uint32_t j = 0; j < b->n; j++) {
        b->w_new[j] = b->predicted[j] + b->d[j];
        b->v_new[j] = x[j] ? (alpha * b->d[j] + b->psi[j]) / h : 0.0;
    }
}

/* One correction of d, by (alpha/h M + J) correction = F; its size, NaN when something was not finite. */
static double correct(bdf *b, double h, double t)
{
    const dd_problem *p = b->base.problem;
    const double alpha = b->alpha[b->order];
    set_point(b, h);
    p->residual(p->user, t, b->w_new, b->v_new, b->f);
    b->base.stats.residuals++;
    b->base.stats.newton++;
    if (!dd_all_finite(b->f, b->n)) {
        return NAN;
    }
    dd_pencil_solve(b->solver, b->f, NULL);
    if (b->conserve) { /* c^T w' = 0 for d - f */
        for (uint32_t j = 0; j < b->n; j++) {
            b->scale[j] = -b->d[j] - b->psi[j] / alpha;
        }
        dd_conserve_apply(b->conserve, b->f, b->scale, 1);
    }
    const double size = dd_bdf_norm(b, b->f, NULL, true);
    note_worst(b);
    for (uint32_t j = 0; j < b->n && isfinite(size); j++) {
        b->d[j] -= b->f[j];
    }
    return size;
}

/* The rate of convergence at time t, from the last one measured. It comes from what the equations changed since m and j
 * were computed, so it grows like that distance: where the coefficients fade, the kept matrix is too large, corrections
 * are too small by as much, and a rate of some steps ago would accept them, unseen by the error test. */
static double aged_rate(const bdf *b, double t)
{
    const double then = fabs(b->rate_at - b->jacobian_at), now = fabs(t - b->jacobian_at);
    return now > then ? b->rate * now / then : b->rate;
}

/* Is the error that is left after a correction of this size small, by the rate of now? */
static bool is_small(double size, double rate)
{
    return rate < 1 && size * rate <= BDF_NEWTON_GOAL * (1 - rate);
}

/* F((alpha d + psi) / h, w0 + d, t) = 0 for d, from the prediction d = 0. */
static dd_step_verdict solve(bdf *b, double h, double t)
{
    const double least = 100 * DBL_EPSILON / b->rtol_now; /* rounding, in units of the tolerance */
    /* the first correction with a rate: of coupled problems the first one says nothing on those behind it */
    const uint32_t rated = b->coupled ? 2 : 1;
    double last = 0;
    memset(b->d, 0, b->n * sizeof *b->d);
    for (uint32_t k = 0; k < MOST_NEWTON; k++) {
        const double size = correct(b, h, t);
        if (!isfinite(size)) {
            return DD_STEP_NONFINITE;
        }
        /* rounding, or a correction that does not shrink: noise of F, or no convergence */
        bool done = size <= least;
        const bool second = k == 1 && b->jacobian_current && size <= MIXED * last;
        const bool shrinks = !(k >= rated && size > DIVERGES * last);
        if (!done && !shrinks) {
            done = is_noise(b, t, size, NOISE);
            if (!done && !second) {
                return DD_STEP_NEWTON_FAILED;
            }
        }
        /* the rate of convergence, remembered from step to step */
        if (!done && k >= rated && shrinks) {
            b->rate = fmax(DIVERGES * (b->rate_known ? b->rate : 0.0), size / last);
            b->rate_known = true;
            b->rate_at = t;
        }
        /* the error that is left, now and after the iterations that are left */
        if (!done && shrinks && b->rate_known && k + 1 >= rated) {
            const double left = size * b->rate / (1 - b->rate);
            done = is_small(size, aged_rate(b, t));
            const double at_last = left * pow(b->rate, MOST_NEWTON - 1.0 - k);
            if (!done && (k + 1 == MOST_NEWTON || (at_last > BDF_NEWTON_GOAL && !second))) {
                done = k > 0 && b->jacobian_current && is_noise(b, t, size, 1);
                if (!done) {
                    return DD_STEP_NEWTON_FAILED;
                }
            }
        }
        if (done) {
            set_point(b, h);
            return DD_STEP_OK;
        }
        last = size;
    }
    return DD_STEP_NEWTON_FAILED;
}

/* With the factors there are, then with a new Jacobian. */
dd_step_verdict dd_bdf_newton(bdf *b, double h, double t)
{
    /* factors are those of one sigma = alpha/h */
    const double sigma = b->alpha[b->order] / h;
    if (b->base.restless && !b->jacobian_current) {
        b->jacobian_known = false;
        b->sigma_factored = 0;
    }
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
