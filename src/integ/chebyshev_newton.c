/* chebyshev_newton.c - the equations of a window by Newton's method with the Jacobians of all points, and its
 * guesses. */
#include <math.h>
#include <string.h>

#include "integ/chebyshev_impl.h"
#include "integ/fixed_newton.h"

enum { FULL_NEWTON = 25 };       /* times that Jacobians are renewed for large corrections */
static const double FAR = 1e-2;  /* corrections above this call for new Jacobians at once */
static const double GOAL = 1e-3; /* error of the window's equations, in units of the tolerance in force */

static void differentiate(chebyshev *c, double h)
{
    const uint8_t *x = c->base.problem->differential;
    const uint32_t n = c->n, N = c->last + 1;
    /* w'_k = 1/H sum_q D_kq w_q for x; z has no derivative */
    for (uint32_t k = 0; k < N; k++) {
        double *out = chebyshev_at(c->rate, c, k);
        memset(out, 0, n * sizeof *out);
        for (uint32_t q = 0; q < N; q++) {
            const double d = c->D[(size_t)k * N + q] / h, *from = chebyshev_at(c->value, c, q);
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
        p->jacobian(p->user, c->base.t + c->node[k] * h, chebyshev_at(c->value, c, k), chebyshev_at(c->rate, c, k),
                    c->m + (k - 1) * nnz, c->j + (k - 1) * nnz);
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
    const bool given = c->options.fixed_step > 0;
    /* residuals at all points, written where the corrections will be */
    for (uint32_t k = 1; k <= K; k++) {
        p->residual(p->user, c->base.t + c->node[k] * h, chebyshev_at(c->value, c, k), chebyshev_at(c->rate, c, k),
                    chebyshev_at(c->du, c, k - 1));
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
        double *w = chebyshev_at(c->value, c, k), *du = chebyshev_at(c->du, c, k - 1);
        for (uint32_t j = 0; j < n; j++) {
            w[j] -= du[j];
            const double d = given ? dd_newton_part(du[j], c->weight[j], w[j]) : du[j] * c->weight[j];
            sum += d * d;
            if (!(d * d <= most)) {
                most = d * d;
                c->base.worst = j;
            }
        }
    }
    differentiate(c, h);
    return n > 0 ? sqrt(sum / ((double)K * n)) : 0.0; /* all is assigned: nothing to solve for */
}

/* Were the residuals of the last correction rounding errors? w' is a sum over all points, with weights of both signs
 * and of the size of K^2/h: its rounding errors are those of the terms. Values are those after the correction, of
 * the same size. */
static bool at_rounding(chebyshev *c, double h)
{
    const uint32_t N = c->last + 1;
    const size_t nnz = c->base.problem->pattern.ptr[c->n];
    double *v = c->work, *terms = c->work + c->n;
    /* sum_q |D_kq w_q| / H bounds the rounding errors of w'_k, in units of eps */
    for (uint32_t k = 1; k <= c->last; k++) {
        memset(v, 0, c->n * sizeof *v);
        for (uint32_t q = 0; q < N; q++) {
            const double d = fabs(c->D[(size_t)k * N + q]) / h, *from = chebyshev_at(c->value, c, q);
            for (uint32_t j = 0; j < c->n; j++) {
                v[j] += d * fabs(from[j]);
            }
        }
        const dd_residual_point point = {.w = chebyshev_at(c->value, c, k),
                                         .v = v,
                                         .f = chebyshev_at(c->f, c, k - 1),
                                         .m = c->m + (k - 1) * nnz,
                                         .j = c->j + (k - 1) * nnz,
                                         .stride = 1};
        if (!dd_residual_is_rounding(c->base.problem, &point, terms)) {
            return false;
        }
    }
    return true;
}

/* Have the iterates run away? What cannot be evaluated there says nothing about the equations. */
static bool has_run_away(const chebyshev *c)
{
    const double far = 1e8; /* times the size at the beginning of the window: no solution of a window grows that much */
    for (uint32_t k = 1; k <= c->last; k++) {
        const double *w = chebyshev_at(c->value, c, k);
        for (uint32_t j = 0; j < c->n; j++) {
            if (!(fabs(w[j]) <= far * dd_fixed_scale(c->base.w[j], c->base.problem->nominal, j))) {
                return true;
            }
        }
    }
    return false;
}

dd_step_verdict dd_chebyshev_solve(chebyshev *c, double h)
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
    return v == DD_STEP_NONFINITE && has_run_away(c) ? DD_STEP_NEWTON_FAILED : v;
}

void dd_chebyshev_guess_line(chebyshev *c, double h)
{
    const uint8_t *x = c->base.problem->differential;
    for (uint32_t k = 0; k <= c->last; k++) {
        double *w = chebyshev_at(c->value, c, k);
        for (uint32_t j = 0; j < c->n; j++) {
            w[j] = c->base.w[j] + (x[j] ? c->node[k] * h * c->base.wdot[j] : 0.0);
        }
    }
}

/* Implicit Euler from point to point: rough, but it follows bends that a line does not. False when it gets stuck. */
bool dd_chebyshev_guess_march(chebyshev *c, double h)
{
    enum { CORRECTIONS = 6 };
    const dd_problem *p = c->base.problem;
    const uint32_t n = c->n;
    double *v = c->work, *f = c->work + n;
    /* from point to point with the value before as the guess */
    memcpy(chebyshev_at(c->value, c, 0), c->base.w, n * sizeof *c->value);
    for (uint32_t k = 1; k <= c->last; k++) {
        const double step = (c->node[k] - c->node[k - 1]) * h, t = c->base.t + c->node[k] * h;
        const double *before = chebyshev_at(c->value, c, k - 1);
        double *w = chebyshev_at(c->value, c, k);
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
