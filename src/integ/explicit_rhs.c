/* explicit_rhs.c - x' and z from F(x', x, z, t) = 0 by Newton's method with kept factors. Start at dd_rhs_solve. */
#include "integ/explicit_rhs.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "integ/fixed_newton.h"
#include "integ/noise.h"
#include "la/pencil.h"

enum {
    MOST_ITERATIONS = 40,
    MOST_REFRESHES = 12, /* new matrices within one solution */
    MANY_ITERATIONS = 4, /* when old factors needed this many, the next solution starts with new ones */
    SMALL = 64,          /* unknowns up to which a new matrix costs about as much as two residuals */
    LINEAR_AFTER = 4,  /* solutions whose second correction was nothing: F is linear in v, one correction is enough, */
    LINEAR_CHECK = 16, /* solutions after which a second one is made, to see whether that still holds */
    MOST_FOLLOWED = 60 /* solutions on the way from F = F(guess) to F = 0 */
};
/* The first part of that way, and the smallest: a way that has a fold leads nowhere. */
static const double FIRST_PART = 0.25, LEAST_PART = 1e-6;
static const double SLOW = 0.25;        /* rate of convergence above which a new matrix is worth its price */
static const double ASTRAY = 0.9;       /* above it a wary solution takes its last correction back */
static const double TRUSTED = 0.1;      /* a rate known from before below which one iteration may be enough */
static const double REMEMBERED = 0.3;   /* part of the last rate that is kept where convergence got better */
static const double BEST = 0.02;        /* no rate is trusted to be better */
static const double SUBSTANTIAL = 1e-4; /* a first correction, relative to v, that shows whether F is linear */
static const double LINEAR = 1e-11;     /* a rate that only a linear F can have */
static const double NOISE = 1e-13;      /* corrections below this part of w that do not shrink any more are rounding */
/* What rounding makes of corrections (noise.h) is taken for it up to this factor, and where it is no more than this part of the
 * tolerance, or of w. */
static const double OF_ROUNDING = 30, NOISE_PART = 0.3, NOISE_OF_W = 1e-6;

struct dd_rhs {
    dd_context *ctx;
    const dd_problem *problem;
    uint32_t n, n_algebraic;
    dd_rhs_kind kind;
    dd_csc k;         /* pattern and values of K */
    uint32_t *source; /* entry of k -> entry of the problem's pattern */
    double *m, *j;    /* on the problem's pattern */
    double *f;        /* n */
    double *noise;    /* 4 n: scratch */
    double *guess;    /* 4 n: the guess for w and w', and the last solution on the way from it */
    double *f_guess;  /* n: F there, */
    double rest;      /* and the part of it that is still taken from F */
    uint32_t *row;    /* diagonal: the row of column j */
    double *inverse;  /* diagonal: -1 / M of column j */
    dd_pencil *solver;
    bool factored, stale;
    double theta;               /* rate of convergence seen with these factors */
    uint32_t linear, unchecked; /* solutions in a row that were linear; those trusted since the last check */
};

dd_rhs_kind dd_rhs_get_kind(const dd_rhs *r)
{
    return r->kind;
}

uint32_t dd_rhs_algebraic(const dd_rhs *r)
{
    return r->n_algebraic;
}

void dd_rhs_forget(dd_rhs *r)
{
    r->stale = r->kind == DD_RHS_NEWTON;
    r->linear = r->unchecked = 0;
}

/* ---- creation ---- */

/* M everywhere, when it is constant and can be evaluated at 0. */
static bool constant_m(dd_rhs *r)
{
    const dd_problem *p = r->problem;
    uint32_t nnz = p->pattern.ptr[r->n];
    /* the pattern is pruned by values, which must hold everywhere */
    if (!p->m_constant) {
        return false;
    }
    p->jacobian(p->user, 0.0, r->f, r->f, r->m, r->j);
    for (uint32_t q = 0; q < nnz; q++) {
        if (!isfinite(r->m[q])) {
            return false;
        }
    }
    return true;
}

/* Which columns of x' a row can have: with an explicit rate its own and those without one, else all. */
static bool may_have(const dd_rhs *r, const uint32_t *column_of, uint32_t row, uint32_t col)
{
    return column_of[row] == DD_NO_INDEX || column_of[row] == col || r->problem->rate_row[col] == DD_NO_INDEX;
}

/* K's pattern: z columns as they are, x' columns without the entries that only J has, as far as explicit rates or a
 * constant M show. column_of: the x' for which a row is explicit, DD_NO_INDEX. */
static dd_status make_pattern(dd_rhs *r, const uint32_t *column_of, bool m_known)
{
    const dd_csc *p = &r->problem->pattern;
    uint32_t at = 0;
    dd_status st = dd_csc_new(&r->k, r->ctx, r->n, r->n, p->ptr[r->n]);
    if (st != DD_OK) {
        return st;
    }
    for (uint32_t col = 0; col < r->n; col++) {
        bool x = r->problem->differential[col];
        for (uint32_t q = p->ptr[col]; q < p->ptr[col + 1]; q++) {
            if (!x || (may_have(r, column_of, p->idx[q], col) && (!m_known || r->m[q] != 0))) {
                r->k.idx[at] = p->idx[q];
                r->source[at++] = q;
            }
        }
        r->k.ptr[col + 1] = at;
    }
    return DD_OK;
}

/* Every unknown has an explicit rate: x' = f, M = 1. */
static bool all_explicit(dd_rhs *r)
{
    const uint32_t *rate_row = r->problem->rate_row;
    for (uint32_t col = 0; col < r->n; col++) {
        if (rate_row == NULL || rate_row[col] == DD_NO_INDEX || !r->problem->differential[col]) {
            return false;
        }
        r->row[col] = rate_row[col];
        r->inverse[col] = -1.0;
    }
    return true;
}

/* One entry in each row and column, in equations that nobody has solved for the rates, such as C v' - i = 0? */
static bool find_diagonal(dd_rhs *r)
{
    if (r->n_algebraic > 0 || r->k.ptr[r->n] != r->n) {
        return false;
    }
    /* a permutation times a diagonal: each row and each column has exactly one entry */
    memset(r->f, 0, r->n * sizeof *r->f); /* marks the rows that are taken */
    bool good = true;
    for (uint32_t col = 0; col < r->n && good; col++) {
        good = r->k.ptr[col + 1] == col + 1 && r->f[r->k.idx[col]] == 0;
        if (good) {
            r->row[col] = r->k.idx[col];
            r->f[r->row[col]] = 1;
            r->inverse[col] = -1.0 / r->m[r->source[col]];
        }
    }
    return good;
}

/* The matrix K and how it is used, where not everything is explicit. */
static dd_status make_matrix(dd_rhs *r)
{
    const dd_problem *p = r->problem;
    uint32_t *column_of = r->row; /* room until a diagonal is found */
    for (uint32_t i = 0; i < r->n; i++) {
        column_of[i] = DD_NO_INDEX;
    }
    for (uint32_t col = 0; p->rate_row != NULL && col < r->n; col++) {
        if (p->rate_row[col] != DD_NO_INDEX) {
            column_of[p->rate_row[col]] = col;
        }
    }
    /* M known beforehand decides how much work a solution is */
    const bool m_known = constant_m(r), constant = m_known && (r->n_algebraic == 0 || p->j_constant);
    dd_status st = make_pattern(r, column_of, m_known);
    if (st != DD_OK) {
        return st;
    }
    /* K = [dF/dx' dF/dz] constant: one factorisation for all times; diagonal: none at all */
    r->kind = !constant ? DD_RHS_NEWTON : find_diagonal(r) ? DD_RHS_DIAGONAL : DD_RHS_CONSTANT;
    return r->kind == DD_RHS_DIAGONAL ? DD_OK : dd_pencil_new(&r->solver, r->ctx, &r->k, false, DD_PENCIL_AUTO);
}

static dd_status allocate(dd_rhs *r)
{
    size_t n = r->n, nnz = r->problem->pattern.ptr[n];
    r->source = dd_mem_new_array(r->ctx, nnz + 1, sizeof *r->source);
    r->m = dd_mem_new_array(r->ctx, nnz + 1, sizeof *r->m);
    r->j = dd_mem_new_array(r->ctx, nnz + 1, sizeof *r->j);
    r->f = dd_mem_new_array(r->ctx, n + 1, sizeof *r->f);
    r->noise = dd_mem_new_array(r->ctx, 4 * n + 1, sizeof *r->noise);
    r->guess = dd_mem_new_array(r->ctx, 4 * n + 1, sizeof *r->guess);
    r->f_guess = dd_mem_new_array(r->ctx, n + 1, sizeof *r->f_guess);
    r->row = dd_mem_new_array(r->ctx, n + 1, sizeof *r->row);
    r->inverse = dd_mem_new_array(r->ctx, n + 1, sizeof *r->inverse);
    return r->source && r->m && r->j && r->f && r->noise && r->guess && r->f_guess && r->row && r->inverse
               ? DD_OK
               : DD_OUT_OF_MEMORY;
}

dd_status dd_rhs_new(dd_rhs **out, dd_context *ctx, const dd_problem *problem)
{
    *out = NULL;
    dd_rhs *r = dd_mem_new_array(ctx, 1, sizeof *r);
    if (!r) {
        return DD_OUT_OF_MEMORY;
    }
    r->ctx = ctx;
    r->problem = problem;
    r->n = problem->n;
    r->theta = 1;
    for (uint32_t col = 0; col < r->n; col++) {
        r->n_algebraic += !problem->differential[col];
    }
    dd_status st = allocate(r);
    /* rows x' = f need no matrix */
    if (st == DD_OK && all_explicit(r)) {
        r->kind = DD_RHS_DIAGONAL;
    } else if (st == DD_OK) {
        st = make_matrix(r);
    }
    if (st != DD_OK) {
        dd_rhs_free(r);
        return st;
    }
    *out = r;
    return DD_OK;
}

void dd_rhs_free(dd_rhs *r)
{
    if (!r) {
        return;
    }
    size_t n = r->n, nnz = r->problem->pattern.ptr[n];
    dd_mem_free(r->ctx, r->source, (nnz + 1) * sizeof *r->source);
    dd_mem_free(r->ctx, r->m, (nnz + 1) * sizeof *r->m);
    dd_mem_free(r->ctx, r->j, (nnz + 1) * sizeof *r->j);
    dd_mem_free(r->ctx, r->f, (n + 1) * sizeof *r->f);
    dd_mem_free(r->ctx, r->noise, (4 * n + 1) * sizeof *r->noise);
    dd_mem_free(r->ctx, r->guess, (4 * n + 1) * sizeof *r->guess);
    dd_mem_free(r->ctx, r->f_guess, (n + 1) * sizeof *r->f_guess);
    dd_mem_free(r->ctx, r->row, (n + 1) * sizeof *r->row);
    dd_mem_free(r->ctx, r->inverse, (n + 1) * sizeof *r->inverse);
    dd_csc_free(r->ctx, &r->k);
    dd_pencil_free(r->solver);
    dd_mem_free(r->ctx, r, sizeof *r);
}

/* ---- solving ---- */

static uint32_t first_bad(const double *v, uint32_t n)
{
    for (uint32_t q = 0; q < n; q++) {
        if (!isfinite(v[q])) {
            return q;
        }
    }
    return DD_NO_INDEX;
}

static dd_step_verdict refresh(dd_rhs *r, double t, const double *w, const double *wdot, dd_integ_stats *stats,
                               uint32_t *worst)
{
    const dd_problem *p = r->problem;
    p->jacobian(p->user, t, w, wdot, r->m, r->j);
    stats->jacobians++;
    /* K takes columns of M for x' and of J for z */
    for (uint32_t col = 0; col < r->n; col++) {
        const double *from = p->differential[col] ? r->m : r->j;
        for (uint32_t q = r->k.ptr[col]; q < r->k.ptr[col + 1]; q++) {
            r->k.val[q] = from[r->source[q]];
        }
    }
    bool singular;
    uint32_t column;
    dd_status st = dd_pencil_factor(r->solver, 0, 0, r->k.val, r->k.val, &singular, &column);
    stats->factorizations++;
    r->factored = st == DD_OK && !singular;
    r->stale = false;
    r->theta = 1; /* the rate of convergence belonged to the old factors */
    if (r->factored) {
        return DD_STEP_OK;
    }
    /* values that are not finite also make the matrix look singular */
    *worst = column;
    if (st != DD_OK) {
        return DD_STEP_OUT_OF_MEMORY;
    }
    return dd_all_finite(r->k.val, r->k.ptr[r->n]) ? DD_STEP_SINGULAR : DD_STEP_NONFINITE;
}

dd_step_verdict dd_rhs_factor(dd_rhs *r, double t, const double *w, const double *wdot, dd_integ_stats *stats,
                              uint32_t *worst)
{
    if (r->n == 0 || r->kind == DD_RHS_DIAGONAL || (r->kind == DD_RHS_CONSTANT && r->factored)) {
        return DD_STEP_OK;
    }
    return refresh(r, t, w, wdot, stats, worst);
}

void dd_rhs_apply(dd_rhs *r, double *f)
{
    if (r->kind != DD_RHS_DIAGONAL) {
        dd_pencil_solve(r->solver, f, NULL);
        return;
    }
    for (uint32_t col = 0; col < r->n; col++) {
        r->f[col] = -r->inverse[col] * f[r->row[col]];
    }
    memcpy(f, r->f, r->n * sizeof *f);
}

static dd_step_verdict solve_diagonal(dd_rhs *r, double t, const double *w, double *wdot, dd_integ_stats *stats,
                                      uint32_t *worst)
{
    const dd_problem *p = r->problem;
    /* F = M x' + f(x, t): with x' = 0 the residual is f, and x' = -M^-1 f */
    memset(wdot, 0, r->n * sizeof *wdot);
    p->residual(p->user, t, w, wdot, r->f);
    stats->residuals++;
    for (uint32_t col = 0; col < r->n; col++) {
        wdot[col] = r->inverse[col] * r->f[r->row[col]];
    }
    if (!dd_all_finite(wdot, r->n)) {
        *worst = first_bad(wdot, r->n);
        return DD_STEP_NONFINITE;
    }
    return DD_STEP_OK;
}

/* One Newton correction; its size in *size. */
static dd_step_verdict correct(dd_rhs *r, double t, double *w, double *wdot, const dd_rhs_accuracy *a,
                               dd_integ_stats *stats, double *size, uint32_t *worst)
{
    const dd_problem *p = r->problem;
    p->residual(p->user, t, w, wdot, r->f);
    stats->residuals++;
    stats->newton++;
    if (!dd_all_finite(r->f, r->n)) {
        *worst = DD_NO_INDEX; /* rows are not unknowns */
        return DD_STEP_NONFINITE;
    }
    for (uint32_t q = 0; q < r->n && r->rest > 0; q++) {
        r->f[q] -= r->rest * r->f_guess[q];
    }
    dd_pencil_solve(r->solver, r->f, NULL);
    double sum = 0, most = -1;
    for (uint32_t q = 0; q < r->n; q++) {
        /* a correction of x' enters the solution times h */
        bool x = p->differential[q];
        double d = r->f[q] * a->weight[q] * (x ? a->h : 1.0);
        *(x ? wdot + q : w + q) -= r->f[q];
        sum += d * d;
        if (!(d * d <= most)) {
            most = d * d;
            *worst = q;
        }
    }
    *size = sqrt(sum / r->n);
    return isfinite(*size) ? DD_STEP_OK : DD_STEP_NONFINITE;
}

/* The last correction, which is still there. */
static void take_back(const dd_rhs *r, double *w, double *wdot)
{
    for (uint32_t q = 0; q < r->n; q++) {
        *(r->problem->differential[q] ? wdot + q : w + q) += r->f[q];
    }
}

/* The size of corrections that are rounding errors of w. */
static double rounding_of(const dd_rhs *r, const dd_rhs_accuracy *a, const double *w)
{
    double sum = 0;
    for (uint32_t q = 0; q < r->n; q++) {
        const double v = a->weight[q] * dd_fixed_scale(w[q], r->problem->nominal, q);
        sum += v * v;
    }
    return NOISE * sqrt(sum / r->n);
}

/* goal reached, given the size of the last correction and the rate of convergence? here: the matrix is that of this point */
static bool close_enough(const dd_rhs *r, const dd_rhs_accuracy *a, const double *w, double size, double last,
                         double theta, bool here)
{
    /* what is left after this correction is at most theta / (1 - theta) |d| (Hairer & Wanner II, IV.8) */
    double goal = a->goal > 0 ? a->goal : 2 * DBL_EPSILON;
    if (size == 0 || (theta < 1 && theta / (1 - theta) * size <= goal)) {
        return true;
    }
    /* two tiny corrections that do not shrink any more are rounding; with a matrix from elsewhere they may only be slow */
    const bool stalls = size > 0.5 * last;
    const double tiny = !stalls ? 0.0 : a->goal == 0 ? rounding_of(r, a, w) : here ? a->goal : 0.0;
    return size <= tiny && last <= tiny;
}

/* Are corrections of this size what rounding errors of F make of them? Where coefficients are far apart these are larger than
 * those of w, and no iteration comes closer. */
static bool is_noise(dd_rhs *r, double t, const dd_rhs_accuracy *a, const double *w, const double *wdot, double size)
{
    const dd_problem *p = r->problem;
    const double most = a->goal > 0 ? NOISE_PART : NOISE_OF_W / NOISE * rounding_of(r, a, w);
    if (!(size <= OF_ROUNDING * most)) {
        return false;
    }
    double *weight = r->noise, *terms = weight + r->n, *work = terms + r->n;
    for (uint32_t q = 0; q < r->n; q++) {
        weight[q] = a->weight[q] * (p->differential[q] ? a->h : 1.0);
    }
    const dd_residual_point at = {.w = w, .v = wdot, .m = r->m, .j = r->j, .stride = 1};
    const double noise = dd_newton_noise(p, t, &at, r->solver, NULL, weight, terms, work);
    return size <= OF_ROUNDING * noise && noise <= most;
}

/* F linear in v, as mechanics is, and a matrix that belongs to this x: the first correction is exact. */
static bool exact_at_once(dd_rhs *r, const dd_rhs_accuracy *a, double size)
{
    const bool trusted = r->linear >= LINEAR_AFTER && a->goal > 0 && LINEAR * size <= a->goal;
    r->unchecked = trusted ? (r->unchecked + 1) % LINEAR_CHECK : r->unchecked;
    return trusted && r->unchecked != 0;
}

/* Linearity of F, by the second correction with a matrix of this x. */
static void note_linearity(dd_rhs *r, const dd_rhs_accuracy *a, const double *w, const double *wdot, double last,
                           double size)
{
    /* only a substantial first correction shows that F is linear */
    double sum = 0;
    for (uint32_t q = 0; q < r->n; q++) {
        const double v = a->weight[q] * (r->problem->differential[q] ? a->h * wdot[q] : w[q]);
        sum += v * v;
    }
    if (last < SUBSTANTIAL * sqrt(sum / r->n)) {
        return; /* after a good guess the second correction is small in any case */
    }
    r->linear = size > LINEAR * last ? 0 : r->linear < LINEAR_AFTER ? r->linear + 1 : r->linear;
}

static dd_step_verdict iterate(dd_rhs *r, double t, double *w, double *wdot, const dd_rhs_accuracy *accuracy,
                               dd_integ_stats *stats, uint32_t *worst)
{
    dd_step_verdict verdict = DD_STEP_OK;
    uint32_t refreshes = 0;
    /* factors of an earlier point are kept as long as they converge */
    if (!r->factored || r->stale) {
        verdict = refresh(r, t, w, wdot, stats, worst);
        refreshes++;
    }
    const bool fresh = refreshes > 0;
    double last = 0;
    /* simplified Newton with the kept factors */
    for (uint32_t k = 0, since = 0; k < MOST_ITERATIONS && verdict == DD_STEP_OK; k++, since++) {
        double size;
        verdict = correct(r, t, w, wdot, accuracy, stats, &size, worst);
        /* a constant matrix: one correction is exact */
        if (verdict != DD_STEP_OK || r->kind == DD_RHS_CONSTANT) {
            return verdict;
        }
        /* F linear in x' and z: with a matrix of this point the first correction is exact */
        if (fresh && k == 0 && exact_at_once(r, accuracy, size)) {
            r->stale = true;
            return DD_STEP_OK;
        }
        if (fresh && k == 1 && last > 0) {
            note_linearity(r, accuracy, w, wdot, last, size);
        }
        /* one good quotient does not make a good rate */
        double theta = since > 0 && last > 0 ? fmax(size / last, BEST) : r->theta;
        bool known = since > 0 || (theta <= TRUSTED && accuracy->goal > 0);
        /* slow convergence is forgotten gradually */
        if (since > 0) {
            r->theta = fmax(theta, REMEMBERED * r->theta);
        }
        /* done; a solution that needed many corrections asks for new factors next time */
        if (known && close_enough(r, accuracy, w, size, since > 0 ? last : INFINITY, theta, refreshes > 0)) {
            r->stale = k + 1 >= MANY_ITERATIONS || (r->linear > 0 && r->n <= SMALL && accuracy->goal > 0);
            return DD_STEP_OK;
        }
        /* new factors at the iterate; hopeless where even those diverge */
        if (since > 0 && theta > SLOW) {
            if (refreshes > 0 && is_noise(r, t, accuracy, w, wdot, size)) {
                return DD_STEP_OK;
            }
            if (refreshes == MOST_REFRESHES || (theta > 2 && since > 2 && refreshes > 2)) {
                break;
            }
            if (accuracy->wary && theta > ASTRAY) {
                take_back(r, w, wdot);
            }
            verdict = refresh(r, t, w, wdot, stats, worst);
            refreshes++;
            since = UINT32_MAX; /* the next rate needs two corrections with the new matrix */
        }
        last = size;
    }
    stats->newton_failures++;
    r->stale = true;
    return verdict == DD_STEP_OK ? DD_STEP_NEWTON_FAILED : verdict;
}

/* From the guess to the solution by way of F(v) = (1 - part) F(guess), part from 0 to 1: each is near the one before. Where
 * Newton's method alone overshoots (an exponential, E - 0.9999 sin(E) = t) that takes a few more solutions. */
static dd_step_verdict follow(dd_rhs *r, double t, double *w, double *wdot, const dd_rhs_accuracy *accuracy,
                              dd_integ_stats *stats, uint32_t *worst)
{
    const size_t bytes = r->n * sizeof *w;
    double *w_last = r->guess + 2 * (size_t)r->n, *wdot_last = w_last + r->n;
    double reached = 0, part = FIRST_PART;
    memcpy(w_last, r->guess, 2 * bytes);
    r->problem->residual(r->problem->user, t, r->guess, r->guess + r->n, r->f_guess);
    dd_step_verdict v = dd_all_finite(r->f_guess, r->n) ? DD_STEP_OK : DD_STEP_NONFINITE;
    for (int k = 0; k < MOST_FOLLOWED && v != DD_STEP_OUT_OF_MEMORY && reached < 1 && part > LEAST_PART; k++) {
        const double to = fmin(reached + part, 1);
        memcpy(w, w_last, bytes);
        memcpy(wdot, wdot_last, bytes);
        r->rest = 1 - to;
        r->stale = true;
        v = iterate(r, t, w, wdot, accuracy, stats, worst);
        if (v == DD_STEP_OK) {
            memcpy(w_last, w, bytes);
            memcpy(wdot_last, wdot, bytes);
            reached = to;
        }
        part *= v == DD_STEP_OK ? 2 : 0.5;
    }
    r->rest = 0;
    r->stale = true;
    return reached == 1 || v != DD_STEP_OK ? v : DD_STEP_NEWTON_FAILED;
}

dd_step_verdict dd_rhs_solve(dd_rhs *r, double t, double *w, double *wdot, const dd_rhs_accuracy *accuracy,
                             dd_integ_stats *stats, uint32_t *worst)
{
    if (r->n == 0) {
        return DD_STEP_OK;
    }
    if (r->kind == DD_RHS_DIAGONAL) {
        return solve_diagonal(r, t, w, wdot, stats, worst);
    }
    const bool may_follow = accuracy->given && r->kind == DD_RHS_NEWTON;
    if (may_follow) {
        memcpy(r->guess, w, r->n * sizeof *w);
        memcpy(r->guess + r->n, wdot, r->n * sizeof *wdot);
    }
    const dd_step_verdict v = iterate(r, t, w, wdot, accuracy, stats, worst);
    const bool again = may_follow && (v == DD_STEP_NEWTON_FAILED || v == DD_STEP_NONFINITE || v == DD_STEP_SINGULAR);
    return again ? follow(r, t, w, wdot, accuracy, stats, worst) : v;
}
