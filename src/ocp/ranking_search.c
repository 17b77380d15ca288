/* ranking_search.c - a point on all rows by Gauss-Newton with smallest corrections. */
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "base/random.h"
#include "la/dense.h"
#include "nls/gauss_newton.h"
#include "ocp/ranking.h"

#define MOST_STEPS 50 /* of Gauss-Newton: quadratic where rows cross, linear with a factor of 1/2 where they touch */
#define ON_ROWS 1e-13 /* residual that is rounding */
#define SLOW 0.9 /* of the residual before: after SLOW_AFTER steps a search that gains less has ended off the rows */
#define SLOW_AFTER 10
#define LONGEST 2.0        /* expected sizes in one step: farther away the linear model says nothing */
#define RANK_CUT 1e-8      /* of the largest singular value: below it rows depend on each other */
#define LEAST_HORIZON 1e-6 /* free times are scaled by the length of the horizon, which may be 0 in a guess */

/* ---- values ---- */

static void set_values(dd_ranking *k, const dd_ranking_values *values)
{
    dd_ocp_problem *o = k->o;
    uint32_t at = 0;
    /* the guess at every instant; a start that is known does not move */
    for (uint32_t i = 0; i < k->instants.len; i++) {
        double theta = o->instants.data[k->instants.data[i]].theta;
        bool known = theta == 0 && o->start_known;
        values->at(values->user, theta, k->v + at);
        if (known) {
            memcpy(k->v + at, o->x_start, o->x.len * sizeof *k->v);
        }
        for (uint32_t j = 0; j < o->x.len; j++, at++) {
            k->scale[at] = o->x.data[j].scale;
            k->fixed[at] = known;
        }
    }
    for (uint32_t i = 0; i < o->p.len; i++, at++) {
        k->v[at] = o->p.data[i].start_value;
        k->scale[at] = o->p.data[i].scale;
        k->fixed[at] = k->hold_parameters;
    }
    /* free times move in units of the horizon */
    k->v[at] = o->t0_value;
    k->v[at + 1] = o->tf_value;
    k->scale[at] = k->scale[at + 1] = fmax(fabs(o->tf_value - o->t0_value), LEAST_HORIZON);
    k->fixed[at] = !o->free_t0 || k->hold_parameters;
    k->fixed[at + 1] = !o->free_tf || k->hold_parameters;
}

/* Sizes of the rows: what one expected size of a variable does to them where all variables have their size. Without
 * them a search would meet rows in metres and forget those in kilometres per second. */
static void set_sizes(dd_ranking *k)
{
    uint32_t m = k->outputs.len, n = k->inputs.len;
    dd_pool *scratch = dd_pool_child(k->pool);
    double *typical = dd_pool_alloc_array(scratch, n + 1, sizeof *typical);
    /* not at the guess, where a body at rest in the origin has no slope */
    for (uint32_t j = 0; j < n; j++) {
        double least = k->fixed[j] || j >= k->n_states ? 0 : k->scale[j];
        typical[j] = fabs(k->v[j]) < least ? least : k->v[j];
    }
    const double *in[] = {typical};
    dd_program_eval(k->first, in, k->entries);
    memset(k->size, 0, m * sizeof *k->size);
    for (uint32_t j = 0; j < n; j++) {
        for (uint32_t e = k->derivative->ptr[j]; e < k->derivative->ptr[j + 1]; e++) {
            double *size = &k->size[k->derivative->idx[e]];
            *size = fmax(*size, fabs(k->entries[e]) * k->scale[j]);
        }
    }
    for (uint32_t i = 0; i < m; i++) {
        k->size[i] = k->size[i] > 0 && isfinite(k->size[i]) ? k->size[i] : 1;
    }
    dd_pool_free(scratch);
}

/* The Jacobian at v; only that of the kept outputs when asked. */
static void linearise(dd_ranking *k, const double *v, bool only_kept)
{
    const double *in[] = {v};
    uint32_t m = k->outputs.len, n = k->inputs.len;
    dd_program_eval(k->first, in, k->entries);
    /* columns scaled by the expected size of a variable; those that are fixed are zero and so never move */
    memset(k->jac, 0, (size_t)m * n * sizeof *k->jac);
    for (uint32_t j = 0; j < n; j++) {
        for (uint32_t e = k->derivative->ptr[j]; e < k->derivative->ptr[j + 1]; e++) {
            uint32_t i = k->derivative->idx[e];
            bool counts = !k->fixed[j] && (!only_kept || k->kept[i]);
            k->jac[(size_t)j * m + i] = counts ? k->entries[e] * k->scale[j] : 0;
        }
    }
}

/* Values and Jacobian at the point. */
void dd_ranking_evaluate(dd_ranking *k)
{
    const double *in[] = {k->v};
    dd_program_eval(k->values, in, k->r);
    linearise(k, k->v, false);
}

/* ---- onto the outputs, as nls/gauss_newton.h asks for it ---- */

typedef struct row_search {
    dd_ranking *k;
    bool only_kept;
    double *rhs;
    double length; /* of the last step, in expected sizes */
} row_search;

/* The largest of r, in sizes of the rows; NaN where one is. */
static double search_size(void *user, const double *r)
{
    const row_search *s = user;
    double most = 0;
    for (uint32_t i = 0; i < s->k->outputs.len; i++) {
        double v = s->only_kept && !s->k->kept[i] ? 0 : fabs(r[i]) / s->k->size[i];
        most = v > most || isnan(v) ? v : most;
    }
    return most;
}

static int search_residual(void *user, const double *x, double *r)
{
    const row_search *s = user;
    const double *in[] = {x};
    dd_program_eval(s->k->values, in, r);
    return isfinite(search_size(user, r)) ? 0 : 1;
}

/* dx = -J^+ r: the minimum-norm correction exists whatever the rank. */
static dd_status search_step(void *user, const double *x, const double *r, double *dx, dd_correction *found)
{
    row_search *s = user;
    dd_ranking *k = s->k;
    uint32_t m = k->outputs.len, n = k->inputs.len;
    linearise(k, x, s->only_kept);
    /* rows that are not kept have a zero Jacobian and a zero residual: they take no part */
    for (uint32_t i = 0; i < m; i++) {
        s->rhs[i] = s->only_kept && !k->kept[i] ? 0 : -r[i] / k->size[i];
        for (uint32_t j = 0; j < n; j++) {
            k->jac[(size_t)j * m + i] /= k->size[i];
        }
    }
    dd_context *ctx = dd_pool_context(k->pool);
    dd_status st = dd_lstsq_dense(ctx, &(dd_dense){m, n, k->jac, m}, s->rhs, RANK_CUT, dx, NULL, NULL);
    *found = st == DD_OK ? DD_CORRECTION_FOUND : DD_CORRECTION_MISSING;
    /* lengths count in expected sizes, steps in the variables themselves */
    s->length = 0;
    for (uint32_t j = 0; st == DD_OK && j < n; j++) {
        s->length = fmax(s->length, fabs(dx[j]));
        dx[j] *= k->scale[j];
    }
    return st == DD_OUT_OF_MEMORY ? dd_fail(ctx, st, "%s", dd_status_text(st)) : DD_OK;
}

static double search_length(void *user, const double *x, const double *dx)
{
    const row_search *s = user;
    (void)x;
    (void)dx;
    return s->length;
}

/* Nearest states on the outputs. Rows may touch or contradict, so that the residual left is a result: it ends where it is
 * rounding or falls no longer. */
double dd_ranking_project(dd_ranking *k, bool only_kept, dd_pool *scratch)
{
    uint32_t m = k->outputs.len, n = k->inputs.len;
    row_search s = {.k = k, .only_kept = only_kept, .rhs = dd_pool_alloc_array(scratch, m + 1, sizeof(double))};
    /* smallest corrections in expected sizes, cut to LONGEST; k->v is the point and stays there */
    const dd_gauss_newton g = {.user = &s,
                               .n = n,
                               .rows = m,
                               .residual = search_residual,
                               .size = search_size,
                               .step = search_step,
                               .length = search_length,
                               .x = k->v,
                               .r = k->r,
                               .dx = dd_pool_alloc_array(scratch, n + 1, sizeof(double)),
                               .trial = dd_pool_alloc_array(scratch, n + 1, sizeof(double)),
                               .trial_r = dd_pool_alloc_array(scratch, m + 1, sizeof(double)),
                               .most_steps = MOST_STEPS,
                               .longest = LONGEST,
                               .residual_goal = ON_ROWS,
                               .slow = SLOW,
                               .slow_after = SLOW_AFTER};
    dd_gauss_newton_info run;
    dd_context *ctx = dd_pool_context(k->pool);
    dd_status st = dd_gauss_newton_run(&run, ctx, &g);
    if (st != DD_OK) {
        dd_raise(ctx, st, "%s", dd_pool_strdup(k->pool, dd_context_message(ctx)));
    }
    return run.size;
}

/* A search that ends off the rows proves nothing where they are curved: it may have stopped where a gradient
 * vanishes. So it begins again a few times, elsewhere; the point with the smallest residual is taken. */
double dd_ranking_find(dd_ranking *k, const dd_ranking_values *values, uint32_t attempts)
{
    uint32_t n = k->inputs.len;
    dd_pool *scratch = dd_pool_child(k->pool);
    double *best = dd_pool_alloc_array(scratch, n + 1, sizeof *best), least = INFINITY;
    /* the same numbers in every run */
    uint64_t random = 0x9e3779b97f4a7c15u;
    for (uint32_t attempt = 0; attempt < attempts && least > DD_RANKING_FOUND; attempt++) {
        /* the guess itself first, then guesses ever farther from it */
        set_values(k, values);
        if (attempt == 0) {
            set_sizes(k);
        }
        for (uint32_t j = 0; j < k->n_states + k->o->p.len && attempt > 0; j++) {
            double r = dd_random(&random);
            k->v[j] += k->fixed[j] ? 0 : attempt * r * k->scale[j];
        }
        double norm = dd_ranking_project(k, false, scratch);
        if (norm < least) {
            least = norm;
            memcpy(best, k->v, n * sizeof *best);
        }
    }
    if (isfinite(least)) {
        memcpy(k->v, best, n * sizeof *best);
    }
    dd_ranking_evaluate(k);
    dd_pool_free(scratch);
    return least;
}
