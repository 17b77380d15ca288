/* fixed_newton.c - the rate of convergence theta = |d_k| / |d_{k-1}| bounds the error that is left: theta / (1 -
 * theta) |d_k|. */
#include "integ/fixed_newton.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_ITERATIONS = 80, MOST_REFRESHES = 25, MANY_ITERATIONS = 9, ENOUGH_REFRESHES = 3 };
static const double SLOW = 0.2;         /* a rate above this is worth a new matrix */
static const double CRAWLS = 0.1;       /* quotients of corrections that near 1 are no noise */
static const double ASTRAY = 0.9;       /* a correction that hardly shrank is none */
static const double BEST = 0.02;        /* one good quotient does not make a better rate than this */
static const double NOISE = 1e-12;      /* corrections below this that hardly shrink any more are rounding, */
static const double LARGE_NOISE = 1e-6; /* below that they may be, where coefficients are far apart */

dd_newton_next dd_newton_judge(dd_newton_watch *watch, double size, double goal)
{
    const bool again = (watch->since > 0 || watch->damped) && watch->last > 0;
    const double last = watch->last, target = goal > 0 ? goal : 2 * DBL_EPSILON;
    /* the first correction after a new matrix has no predecessor to compare with */
    watch->theta = again ? fmax(size / last, BEST) : 1;
    watch->count++;
    watch->since++;
    watch->last = size;
    if (!isfinite(size)) {
        return DD_NEWTON_FAILED;
    }
    /* what is left is theta / (1 - theta) |d_k| when the convergence is linear */
    if (size == 0 || (again && watch->theta < 1 && watch->theta / (1 - watch->theta) * size <= target)) {
        return DD_NEWTON_DONE;
    }
    /* the same correction again and again is none of rounding: an old matrix is far too large, as that of z^2 = c where z has
     * come near zero */
    const bool crawls = watch->refreshes == 0 && fabs(watch->theta - 1) < CRAWLS;
    if (again && size <= NOISE && last <= NOISE && watch->theta > SLOW && !crawls) { /* a new matrix would not help */
        return DD_NEWTON_DONE;
    }
    if (watch->count >= MOST_ITERATIONS) {
        return DD_NEWTON_FAILED;
    }
    if (watch->damped) {
        return DD_NEWTON_REFRESH;
    }
    if (again && watch->theta > SLOW) {
        return watch->refreshes >= MOST_REFRESHES ? DD_NEWTON_FAILED : DD_NEWTON_REFRESH;
    }
    return DD_NEWTON_GO_ON;
}

bool dd_newton_went_astray(const dd_newton_watch *watch)
{
    const bool looked_at = watch->damped ? watch->count > 1 : watch->wary && watch->since > 1;
    return looked_at && watch->theta > ASTRAY;
}

double dd_newton_part_back(const dd_newton_watch *watch)
{
    return watch->damped ? 0.5 : 1.0;
}

bool dd_newton_rests(const dd_newton_watch *watch)
{
    return watch->refreshes >= ENOUGH_REFRESHES && watch->last <= LARGE_NOISE;
}

void dd_newton_renewed(dd_newton_watch *watch)
{
    watch->since = 0;
    watch->refreshes++;
}

bool dd_newton_was_slow(const dd_newton_watch *watch)
{
    return watch->count >= MANY_ITERATIONS;
}

/* Rounding errors of F_i in units of eps times its terms: what is added up inside a term is not seen here. */
static const double ROUNDINGS = 1000;

void dd_residual_terms(const dd_problem *problem, const dd_residual_point *at, double *terms)
{
    const dd_csc *p = &problem->pattern;
    memset(terms, 0, problem->n * sizeof *terms);
    /* sum of |M_ij w'_j| + |J_ij w_j|: the size of the terms that F_i is computed from */
    for (uint32_t j = 0; j < problem->n; j++) {
        const double w = fabs(at->w[j * at->stride]), v = problem->differential[j] ? fabs(at->v[j * at->stride]) : 0.0;
        for (uint32_t k = p->ptr[j]; k < p->ptr[j + 1]; k++) {
            terms[p->idx[k]] += fabs(at->m[k]) * v + fabs(at->j[k]) * w;
        }
    }
}

bool dd_residual_is_rounding(const dd_problem *problem, const dd_residual_point *at, double *terms)
{
    dd_residual_terms(problem, at, terms);
    for (uint32_t i = 0; i < problem->n; i++) {
        if (!(fabs(at->f[i * at->stride]) <= ROUNDINGS * DBL_EPSILON * terms[i])) {
            return false;
        }
    }
    return true;
}
