/* homotopy.c - the Newton homotopy H(x, s) = F(x) - (1 - s) F(x0) = 0, followed by pseudo-arclength continuation.
 *
 * With y = (x / size, s) and the tangent t of the path (H_y t = 0, |t| = 1), the next point is predicted along t and
 * corrected by Newton's method on [H(y); t . (y - predicted)] = 0, whose matrix [H_y; t^T] stays regular where the
 * path turns back in s (Allgower and Georg 1990, ch. 2).
 */
#include <math.h>
#include <string.h>

#include "la/linsolver.h"
#include "nls/newton.h"

enum { MAX_STEPS = 400, MAX_CORRECTIONS = 6, DENSE_SIZE = 40 };
/* Arc lengths in units of size: cautious at first, at most twice the distance from the origin at a time, and given up
 * where the path bends faster than 1e-9 or is 1e7 sizes away. */
static const double first_step = 0.05, longest_step = 2.0, shortest_step = 1e-9, far_away = 1e7;
static const double corrected = 1e-7; /* along the path; the end is found by Newton's method */
/* The next step by the number of corrections: two mean that the path is nearly straight, more than three that it bends.
 * A step that was not corrected at all is tried again with less than half its length. */
static const double step_straight = 2.0, step_usual = 1.2, step_bent = 0.6, step_failed = 0.4;
static const double least_rcond = 1e-14; /* of the bordered matrix: below, the tangent is not determined */

typedef struct path {
    dd_context *ctx;
    const dd_square *p;
    const double *size;
    uint32_t n;
    dd_csc j; /* of the problem */
    dd_csc a; /* n + 1: [J size, F0; t^T] */
    dd_linsolver *ls;
    double *f0, *x, *r, *y, *trial, *tangent, *next, *rhs;
    dd_newton_info *info;
} path;

static void unscale(const path *w, const double *y)
{
    for (uint32_t i = 0; i < w->n; i++) {
        w->x[i] = y[i] * w->size[i];
    }
}

/* The bordered pattern: the problem's columns with one more row, and a full last column. */
static dd_status border(path *w)
{
    uint32_t n = w->n, entries = w->j.ptr[n] + 2 * n + 1, at = 0;
    dd_status st = dd_csc_new(&w->a, w->ctx, n + 1, n + 1, entries);
    /* column c of J with a last entry of the tangent; the last column is H_s = F0, full */
    for (uint32_t c = 0; st == DD_OK && c <= n; c++) {
        for (uint32_t k = c < n ? w->j.ptr[c] : 0; k < (c < n ? w->j.ptr[c + 1] : n); k++) {
            w->a.idx[at++] = c < n ? w->j.idx[k] : k;
        }
        w->a.idx[at++] = n;
        w->a.ptr[c + 1] = at;
    }
    return st;
}

/* Factors [H_y; row^T] at y; *regular as usual. */
static dd_status factor(path *w, const double *y, const double *row, bool *regular)
{
    *regular = false;
    unscale(w, y);
    w->info->iterations++;
    if (w->p->jacobian(w->p->user, w->x, w->j.val) != 0) {
        return DD_OK;
    }
    /* H_y = [J diag(size), F0]: dH/ds = F(x0) */
    for (uint32_t c = 0, at = 0; c <= w->n; c++) {
        for (uint32_t k = c < w->n ? w->j.ptr[c] : 0; k < (c < w->n ? w->j.ptr[c + 1] : w->n); k++) {
            double v = c < w->n ? w->j.val[k] * w->size[c] : w->f0[k];
            if (!isfinite(v)) {
                return DD_OK;
            }
            w->a.val[at++] = v;
        }
        w->a.val[at++] = row[c];
    }
    dd_status st = dd_linsolver_refactor(w->ls, &w->a);
    *regular = st == DD_OK && !dd_linsolver_get_info(w->ls).singular;
    return st;
}

/* H(y) into rhs (n); false when not finite. */
static bool residual(path *w, const double *y)
{
    unscale(w, y);
    w->info->residuals++;
    if (w->p->residual(w->p->user, w->x, w->r) != 0) {
        return false;
    }
    for (uint32_t i = 0; i < w->n; i++) {
        w->rhs[i] = w->r[i] - (1 - y[w->n]) * w->f0[i];
        if (!isfinite(w->rhs[i])) {
            return false;
        }
    }
    return true;
}

static double length(const double *v, uint32_t n)
{
    double sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        sum += v[i] * v[i];
    }
    return sqrt(sum);
}

/* The tangent at y into next, on the side of `row`. */
static dd_status find_tangent(path *w, const double *row, bool *found)
{
    bool regular;
    dd_status st = factor(w, w->y, row, &regular);
    *found = false;
    if (st != DD_OK || !regular) {
        return st;
    }
    /* H_y t = 0 and row . t = 1: t lies on the side of the old tangent, so the path is not followed backwards */
    memset(w->next, 0, (w->n + 1) * sizeof *w->next);
    w->next[w->n] = 1;
    st = dd_linsolver_solve(w->ls, 1, w->next);
    double size = length(w->next, w->n + 1);
    *found = st == DD_OK && isfinite(size) && size > 0;
    for (uint32_t i = 0; i <= w->n && *found; i++) {
        w->next[i] /= size;
    }
    return st;
}

/* Newton on [H; t (y - predicted)] from the prediction in trial. */
static dd_status correct(path *w, bool *found, int *corrections)
{
    double last = INFINITY;
    *found = false;
    /* a correction that does not shrink means that the step was too long */
    for (*corrections = 0; *corrections < MAX_CORRECTIONS; ++*corrections) {
        bool regular;
        dd_status st = factor(w, w->trial, w->tangent, &regular);
        if (st != DD_OK || !regular || !residual(w, w->trial)) {
            return st;
        }
        w->rhs[w->n] = 0; /* the corrections stay in the plane across the tangent */
        st = dd_linsolver_solve(w->ls, 1, w->rhs);
        double step = length(w->rhs, w->n + 1);
        if (st != DD_OK || !(step < last)) {
            return st;
        }
        for (uint32_t i = 0; i <= w->n; i++) {
            w->trial[i] -= w->rhs[i];
        }
        if (step <= corrected * (1 + length(w->trial, w->n + 1))) {
            *found = residual(w, w->trial);
            return DD_OK;
        }
        last = step;
    }
    return DD_OK;
}

/* At the guess: towards larger s; where the Jacobian is singular there, along some direction that leaves. */
static dd_status start_path(path *w, bool *found)
{
    memset(w->tangent, 0, (w->n + 1) * sizeof *w->tangent);
    /* s is the unknown that moves first: H_x is regular at most guesses */
    w->tangent[w->n] = 1;
    dd_status st = find_tangent(w, w->tangent, found);
    if (st == DD_OK && !*found) {
        /* a fixed direction near (1, ..., 1), perturbed so that it is orthogonal to no tangent by symmetry */
        for (uint32_t i = 0; i <= w->n; i++) {
            w->tangent[i] = 1 + 0.37 * ((double)((i * 7919u) % 13u) / 13.0 - 0.5);
        }
        st = find_tangent(w, w->tangent, found);
    }
    memcpy(w->tangent, w->next, (w->n + 1) * sizeof *w->tangent);
    return st;
}

/* Moves y along until s passes 1; *arrived then. */
static dd_status follow(path *w, bool *arrived)
{
    double h = first_step;
    bool found;
    *arrived = false;
    dd_status st = start_path(w, &found);
    for (int step = 0; st == DD_OK && found && step < MAX_STEPS && h > shortest_step; step++) {
        int corrections;
        bool good;
        /* predict along the tangent, correct across it */
        for (uint32_t i = 0; i <= w->n; i++) {
            w->trial[i] = w->y[i] + h * w->tangent[i];
        }
        st = correct(w, &good, &corrections);
        if (st != DD_OK || !good) {
            h *= step_failed;
            continue;
        }
        /* s = 1 is passed: the solution is between the two points, near the chord */
        double s0 = w->y[w->n], s1 = w->trial[w->n];
        if (s1 >= 1) {
            double part = s1 > s0 ? (1 - s0) / (s1 - s0) : 1.0;
            for (uint32_t i = 0; i <= w->n; i++) {
                w->y[i] += part * (w->trial[i] - w->y[i]);
            }
            *arrived = true;
            return DD_OK;
        }
        memcpy(w->y, w->trial, (w->n + 1) * sizeof *w->y);
        /* the path has left for infinity, as it may when F has no root on it */
        if (length(w->y, w->n + 1) > far_away || s1 < -far_away) {
            return DD_OK;
        }
        st = find_tangent(w, w->tangent, &found);
        memcpy(w->tangent, w->next, (w->n + 1) * sizeof *w->tangent);
        double longest = longest_step * (1 + length(w->y, w->n + 1));
        h = fmin(longest, h * (corrections <= 2 ? step_straight : corrections <= 3 ? step_usual : step_bent));
    }
    return st;
}

static dd_status run(path *w, const double *guess, double *x)
{
    if (w->p->residual(w->p->user, guess, w->f0) != 0) {
        w->info->verdict = DD_NEWTON_NOT_FINITE;
        return DD_OK;
    }
    /* in units of size, so that arc length treats all unknowns alike */
    for (uint32_t i = 0; i < w->n; i++) {
        if (!isfinite(w->f0[i])) {
            w->info->verdict = DD_NEWTON_NOT_FINITE;
            return DD_OK;
        }
        w->y[i] = guess[i] / w->size[i];
    }
    bool arrived;
    dd_status st = follow(w, &arrived);
    w->info->verdict = DD_NEWTON_TOO_MANY;
    unscale(w, w->y);
    memcpy(x, w->x, w->n * sizeof *x);
    /* the end of the path is accurate to the corrector's tolerance; Newton's method does the rest */
    if (st == DD_OK && arrived) {
        dd_newton_info end;
        st = dd_newton_solve(&end, w->ctx, w->p, w->size, x);
        w->info->verdict = end.verdict;
        w->info->correction = end.correction;
        w->info->iterations += end.iterations;
        w->info->residuals += end.residuals;
    }
    return st;
}

dd_status dd_homotopy_solve(dd_newton_info *info, dd_context *ctx, const dd_square *problem, const double *size,
                            double *x)
{
    uint32_t n = problem->n;
    *info = (dd_newton_info){.verdict = DD_NEWTON_CONVERGED};
    if (n == 0) {
        return DD_OK;
    }
    path w = {.ctx = ctx, .p = problem, .size = size, .n = n, .j = *problem->pattern, .info = info};
    dd_work memory = {.ctx = ctx};
    /* all arrays have room for s, too */
    double **arrays[] = {&w.f0, &w.x, &w.r, &w.y, &w.trial, &w.tangent, &w.next, &w.rhs};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        *arrays[i] = dd_work_array(&memory, (size_t)n + 1, sizeof(double));
    }
    w.j.val = dd_work_array(&memory, w.j.ptr[n], sizeof(double));
    dd_status st = memory.failed ? DD_OUT_OF_MEMORY : border(&w);
    st = st == DD_OK ? dd_linsolver_new(&w.ls, ctx, n < DENSE_SIZE ? "dense" : "klu") : st;
    if (st == DD_OK) {
        dd_linsolver_set_singular(w.ls, least_rcond);
        st = dd_linsolver_analyse(w.ls, &w.a);
    }
    st = st == DD_OK ? run(&w, x, x) : st;
    dd_linsolver_free(w.ls);
    dd_csc_free(ctx, &w.a);
    dd_work_free(&memory);
    return st;
}
