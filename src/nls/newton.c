/* newton.c - damped Newton with the natural monotonicity test (Deuflhard 2004, algorithm NLEQ-ERR, section 3.3).
 *
 * From x with correction dx = -J^-1 F(x), a factor l is accepted when the simplified correction
 * dx~ = -J^-1 F(x + l dx) has ||dx~|| <= (1 - l/4) ||dx||; otherwise l becomes the minimiser of the model
 * ||dx~ - (1 - l) dx|| = h l^2 / 2 ||dx||. Norms are the largest |dx_j| / max(|x_j|, size_j).
 */
#include "nls/newton.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "la/linsolver.h"

enum { MAX_ITERATIONS = 80, DENSE_SIZE = 24 };
static const double least_damping = 1e-7;            /* below, the iteration is stuck */
static const double least_cut = 0.1, most_cut = 0.5; /* of the damping factor after a trial that failed */
static const double least_rcond = 1e-300;            /* only exact singularity is refused */
static const double goal = 4 * DBL_EPSILON;
static const double floor_of_rounding = 1e-7; /* a correction below this that no longer shrinks is rounding */
static const double first_damping = 1.0;

typedef struct newton {
    dd_context *ctx;
    const dd_square *p;
    const double *size;
    double *x;
    dd_csc j;
    dd_linsolver *ls; /* NULL for one unknown */
    double *r, *dx, *simple, *trial;
    dd_newton_info *info;
} newton;

static double norm(const newton *w, const double *d)
{
    double most = 0;
    for (uint32_t i = 0; i < w->p->n; i++) {
        /* relative to the larger of the unknown and its nominal size: near zero a change is measured in units of
         * size */
        double part = fabs(d[i]) / fmax(fabs(w->x[i]), w->size[i]);
        if (!isfinite(part)) {
            return INFINITY;
        }
        most = fmax(most, part);
    }
    return most;
}

static bool residual(newton *w, const double *x, double *r)
{
    w->info->residuals++;
    if (w->p->residual(w->p->user, x, r) != 0) {
        return false;
    }
    for (uint32_t i = 0; i < w->p->n; i++) {
        if (!isfinite(r[i])) {
            return false;
        }
    }
    return true;
}

static bool jacobian(newton *w)
{
    w->info->iterations++;
    if (w->p->jacobian(w->p->user, w->x, w->j.val) != 0) {
        return false;
    }
    for (uint32_t k = 0; k < w->j.ptr[w->p->n]; k++) {
        if (!isfinite(w->j.val[k])) {
            return false;
        }
    }
    return true;
}

/* Factors the Jacobian; *regular says whether it can be used. */
static dd_status factor(newton *w, bool *regular)
{
    /* one unknown: a number instead of a matrix */
    if (!w->ls) {
        *regular = w->j.ptr[1] == 1 && w->j.val[0] != 0 && isfinite(1 / w->j.val[0]);
        return DD_OK;
    }
    dd_status st = dd_linsolver_refactor(w->ls, &w->j);
    *regular = st == DD_OK && !dd_linsolver_get_info(w->ls).singular;
    return st;
}

/* d := -J^-1 r */
static dd_status correct(newton *w, const double *r, double *d)
{
    for (uint32_t i = 0; i < w->p->n; i++) {
        d[i] = -r[i];
    }
    if (!w->ls) {
        d[0] /= w->j.val[0];
        return DD_OK;
    }
    return dd_linsolver_solve(w->ls, 1, d);
}

/* The damping factor that the model predicts after a trial with l. */
static double next_damping(newton *w, double l, double before)
{
    /* the part of the simplified correction that a linear F would not have: ||dx~ - (1 - l) dx|| */
    double rest = 0;
    for (uint32_t i = 0; i < w->p->n; i++) {
        double part = fabs(w->simple[i] - (1 - l) * w->dx[i]) / fmax(fabs(w->x[i]), w->size[i]);
        rest = fmax(rest, part);
    }
    /* h = 2 rest / (l^2 before), and the model's minimiser is 1 / h */
    return rest > 0 ? 0.5 * before * l * l / rest : 1.0;
}

typedef enum search_end { SEARCH_TAKEN, SEARCH_FLOOR, SEARCH_STUCK } search_end;

/* Finds an acceptable factor and moves there: r and simple belong to the new point. *l: first guess, and the next. */
static dd_status search(newton *w, double *l, search_end *end)
{
    double before = norm(w, w->dx), factor = fmin(*l, 1.0);
    *end = SEARCH_STUCK;
    while (factor >= least_damping) {
        /* x + l dx; where F is not finite there, only a shorter step can help */
        for (uint32_t i = 0; i < w->p->n; i++) {
            w->trial[i] = w->x[i] + factor * w->dx[i];
        }
        if (!residual(w, w->trial, w->r)) {
            factor *= most_cut;
            continue;
        }
        /* the simplified correction: old Jacobian, new residual */
        dd_status st = correct(w, w->r, w->simple);
        if (st != DD_OK) {
            return st;
        }
        double after = norm(w, w->simple), model = next_damping(w, factor, before);
        /* the restricted monotonicity test: a quarter of the decrease that a linear F would show is enough */
        if (after <= (1 - factor / 4) * before) {
            memcpy(w->x, w->trial, w->p->n * sizeof *w->x);
            w->info->correction = after;
            *l = fmin(1.0, model);
            *end = SEARCH_TAKEN;
            return DD_OK;
        }
        /* near the solution and no longer shrinking: rounding in F, not a bad step */
        if (before <= floor_of_rounding && factor == 1.0) {
            *end = SEARCH_FLOOR; /* stays at x, whose residual cannot be improved */
            return DD_OK;
        }
        /* the model's factor, within limits: it knows one point only */
        factor = isfinite(model) ? fmin(fmax(model, least_cut * factor), most_cut * factor) : most_cut * factor;
    }
    return DD_OK;
}

static void add_last_correction(newton *w)
{
    /* kept only where F is finite: a correction at rounding level may still leave a domain */
    for (uint32_t i = 0; i < w->p->n; i++) {
        w->trial[i] = w->x[i] + w->simple[i];
    }
    if (residual(w, w->trial, w->r)) {
        memcpy(w->x, w->trial, w->p->n * sizeof *w->x);
    }
}

typedef enum step_end { STEP_GO_ON, STEP_DONE } step_end;

static dd_status stop(newton *w, step_end *end, dd_newton_verdict verdict)
{
    w->info->verdict = verdict;
    *end = STEP_DONE;
    return DD_OK;
}

/* One Newton step from x, whose residual is r. l: the damping factor, for the next one too. */
static dd_status newton_step(newton *w, bool first, double *l, step_end *end)
{
    bool regular = false;
    search_end found;
    /* no Jacobian at the guess is the guess's fault; later a shorter step would have been needed */
    if (!jacobian(w)) {
        return stop(w, end, first ? DD_NEWTON_NOT_FINITE : DD_NEWTON_STUCK);
    }
    /* dx = -J^-1 F */
    dd_status st = factor(w, &regular);
    st = st == DD_OK && regular ? correct(w, w->r, w->dx) : st;
    w->info->correction = st == DD_OK && regular ? norm(w, w->dx) : INFINITY;
    if (st != DD_OK || !isfinite(w->info->correction)) {
        stop(w, end, DD_NEWTON_SINGULAR);
        return st;
    }
    /* the ordinary correction is at rounding level already */
    if (w->info->correction <= goal) {
        memcpy(w->simple, w->dx, w->p->n * sizeof *w->dx);
        add_last_correction(w);
        return stop(w, end, DD_NEWTON_CONVERGED);
    }
    /* a damped step; afterwards r belongs to the new point */
    st = search(w, l, &found);
    if (st != DD_OK || found == SEARCH_STUCK) {
        stop(w, end, DD_NEWTON_STUCK);
        return st;
    }
    if (found == SEARCH_TAKEN && w->info->correction <= goal) {
        add_last_correction(w);
        return stop(w, end, DD_NEWTON_CONVERGED);
    }
    return found == SEARCH_FLOOR ? stop(w, end, DD_NEWTON_CONVERGED) : DD_OK;
}

static dd_status iterate(newton *w)
{
    double l = first_damping;
    step_end end = STEP_GO_ON;
    /* the guess must be a point at which F is finite */
    if (!residual(w, w->x, w->r)) {
        w->info->verdict = DD_NEWTON_NOT_FINITE;
        return DD_OK;
    }
    w->info->verdict = DD_NEWTON_TOO_MANY;
    for (int it = 0; it < MAX_ITERATIONS && end == STEP_GO_ON; it++) {
        dd_status st = dd_poll_stop(w->ctx);
        st = st == DD_OK ? newton_step(w, it == 0, &l, &end) : st;
        if (st != DD_OK) {
            return st;
        }
    }
    return DD_OK;
}

dd_status dd_newton_solve(dd_newton_info *info, dd_context *ctx, const dd_square *problem, const double *size,
                          double *x)
{
    uint32_t n = problem->n;
    *info = (dd_newton_info){.verdict = DD_NEWTON_CONVERGED};
    if (n == 0) {
        return DD_OK;
    }
    double small[5] = {0};
    newton w = {.ctx = ctx, .p = problem, .size = size, .x = x, .j = *problem->pattern, .info = info};
    dd_work memory = {.ctx = ctx};
    dd_status st = DD_OK;
    /* one unknown is the common case inside larger solvers: no memory, no linear solver */
    if (n == 1) {
        w.r = small, w.dx = small + 1, w.simple = small + 2, w.trial = small + 3, w.j.val = small + 4;
    } else {
        w.r = dd_work_array(&memory, n, sizeof *w.r);
        w.dx = dd_work_array(&memory, n, sizeof *w.r);
        w.simple = dd_work_array(&memory, n, sizeof *w.r);
        w.trial = dd_work_array(&memory, n, sizeof *w.r);
        w.j.val = dd_work_array(&memory, w.j.ptr[n], sizeof *w.r);
        st = memory.failed ? DD_OUT_OF_MEMORY : dd_linsolver_new(&w.ls, ctx, n <= DENSE_SIZE ? "dense" : "klu");
        if (st == DD_OK) {
            dd_linsolver_set_singular(w.ls, least_rcond);
            st = dd_linsolver_analyse(w.ls, &w.j);
        }
    }
    st = st == DD_OK ? iterate(&w) : st;
    dd_linsolver_free(w.ls);
    dd_work_free(&memory);
    return st;
}
