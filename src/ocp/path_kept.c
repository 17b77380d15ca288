/* path_kept.c - derivatives de/dt + sum_i de/dx_i f_i of a row along the motion, at random points on the rows before. */
#include "ocp/path_kept.h"

#include <math.h>
#include <string.h>

#include "base/context.h"
#include "base/random.h"
#include "eval/derivative.h"
#include "expr/walk.h"
#include "la/minnorm.h"
#include "nls/gauss_newton.h"
#include "ocp/compiled.h"

enum { POINTS = 6, LEAST_POINTS = 4, STEPS = 40, HALVINGS = 12 };
#define SPREAD 0.3     /* of an expected size: how far points are from the guess */
#define ARRIVED 1e-13  /* of an expected size: a correction that is rounding */
#define SHORT 1e-8     /* of an expected size: from here Newton's method needs no damping */
#define FAST 0.1       /* of the step before: the next one is rounding */
#define DECREASE 1e-4  /* of the residual, in Armijo's test */
#define ROUNDING 1e-10 /* of the terms of the derivative */

typedef struct probe {
    dd_ocp_problem *o;
    dd_pool *pool;
    dd_expr_vec inputs; /* x, z, p, u, time; the first n are unknown: what a free parameter can satisfy can hold */
    uint32_t n;
    dd_expr_vec rows; /* the levels, then the algebraic equations */
    dd_expr_vec terms;
    dd_program_work *residual, *entries, *term;
    dd_csc a;
    dd_minnorm *solver;
    double *v, *at, *weight, *value, *r, *dx, *trial, *trial_r;
    double goal; /* of the first level; all others are zero */
} probe;

static void add_symbols(probe *k, const dd_decision_vec *list)
{
    for (uint32_t i = 0; i < list->len; i++) {
        dd_vec_push(k->pool, &k->inputs, list->data[i].symbol);
    }
}

static bool depends_on(const dd_ocp_problem *o, dd_expr e, const dd_decision_vec *list)
{
    bool found = false;
    for (uint32_t i = 0; i < list->len && !found; i++) {
        found = dd_depends(o->dag, e, list->data[i].symbol);
    }
    return found;
}

/* Data has values that a random point does not know. */
static bool has_data(const dd_ocp_problem *o, const dd_expr_vec *list)
{
    bool found = false;
    for (uint32_t i = 0; i < list->len && !found; i++) {
        for (uint32_t j = 0; j < o->data.len && !found; j++) {
            found = dd_depends(o->dag, list->data[i], o->data.data[j].symbol);
        }
    }
    return found;
}

/* ---- onto the rows ---- */

static int residual_at(void *user, const double *x, double *r)
{
    probe *k = user;
    memcpy(k->at, k->v, k->inputs.len * sizeof *k->at);
    memcpy(k->at, x, k->n * sizeof *k->at);
    const double *in[] = {k->at};
    dd_program_eval(k->residual, in, r);
    r[0] -= k->goal;
    bool finite = true;
    for (uint32_t i = 0; i < k->rows.len; i++) {
        finite = finite && isfinite(r[i]);
    }
    return finite ? 0 : 1;
}

static double size_of(void *user, const double *r)
{
    const probe *k = user;
    double sum = 0;
    for (uint32_t i = 0; i < k->rows.len; i++) {
        sum += r[i] * r[i];
    }
    return sqrt(sum);
}

/* The smallest correction in expected sizes. */
static dd_status step_at(void *user, const double *x, const double *r, double *dx, dd_correction *found)
{
    probe *k = user;
    memcpy(k->at, k->v, k->inputs.len * sizeof *k->at);
    memcpy(k->at, x, k->n * sizeof *k->at);
    const double *in[] = {k->at};
    dd_program_eval(k->entries, in, k->a.val);
    bool finite = true;
    for (uint32_t e = 0; e < k->a.ptr[k->n]; e++) {
        finite = finite && isfinite(k->a.val[e]);
    }
    *found = DD_CORRECTION_MISSING;
    dd_status st = finite ? dd_minnorm_factor(k->solver, &k->a, k->weight, 0, 0) : DD_OK;
    if (!finite || st != DD_OK || (dd_minnorm_get_info(k->solver).singular && !dd_minnorm_get_info(k->solver).dense)) {
        return st;
    }
    double *rhs = k->value;
    for (uint32_t i = 0; i < k->rows.len; i++) {
        rhs[i] = -r[i];
    }
    st = dd_minnorm_solve(k->solver, rhs, dx, NULL);
    *found = st == DD_OK ? DD_CORRECTION_FOUND : *found;
    return st;
}

static double length_of(void *user, const double *x, const double *dx)
{
    (void)x;
    const probe *k = user;
    double size = 0;
    for (uint32_t i = 0; i < k->n; i++) {
        size = fmax(size, fabs(dx[i]) / k->weight[i]);
    }
    return size;
}

/* Moves the unknowns of v onto the rows. */
static bool go_to_rows(probe *k)
{
    /* damped steps of Gauss and Newton until a correction is rounding, whatever the residuals are */
    const dd_gauss_newton g = {.user = k,
                               .n = k->n,
                               .rows = k->rows.len,
                               .residual = residual_at,
                               .size = size_of,
                               .step = step_at,
                               .length = length_of,
                               .x = k->v,
                               .r = k->r,
                               .dx = k->dx,
                               .trial = k->trial,
                               .trial_r = k->trial_r,
                               .most_steps = STEPS,
                               .trials = HALVINGS,
                               .decrease = DECREASE,
                               .short_step = SHORT,
                               .residual_goal = -1,
                               .step_goal = ARRIVED,
                               .fast_ratio = FAST};
    dd_gauss_newton_info run;
    /* a matrix without full rank ends the search from this point; limits end everything */
    const dd_status st = dd_gauss_newton_run(&run, dd_pool_context(k->pool), &g);
    if (st != DD_OK && st != DD_INVALID_ARGUMENT) {
        dd_raise(dd_pool_context(k->pool), st, "%s", dd_context_message(dd_pool_context(k->pool)));
    }
    return st == DD_OK && run.end == DD_END_ARRIVED;
}

/* ---- one level ---- */

/* States and algebraic variables of the guess at a time, moved; so are parameters, since what vanishes at their guess need not
 * vanish elsewhere. Controls anywhere between their bounds. */
static void choose(probe *k, const dd_guess *guess, double theta, uint64_t *random)
{
    const dd_ocp_problem *o = k->o;
    double *x = k->v, *z = x + o->x.len, *p = z + o->z.len, *u = p + o->p.len;
    guess->at(guess->user, theta, false, x, z, u);
    for (uint32_t i = 0; i < o->p.len; i++) {
        p[i] = o->p.data[i].start_value;
    }
    for (uint32_t i = 0; i < k->n; i++) {
        x[i] += SPREAD * k->weight[i] * dd_random(random);
    }
    for (uint32_t i = 0; i < o->p.len; i++) {
        p[i] = fmin(fmax(p[i], o->p.data[i].lower), o->p.data[i].upper);
    }
    for (uint32_t i = 0; i < o->u.len; i++) {
        const dd_decision *d = &o->u.data[i];
        u[i] = fmin(fmax(u[i] + d->scale * dd_random(random), d->lower), d->upper);
    }
    u[o->u.len] = o->t0_value + theta * (o->tf_value - o->t0_value);
}

/* The sum of the terms, and of their sizes. */
static double sum_of_terms(probe *k, double *size)
{
    const double *in[] = {k->v};
    dd_program_eval(k->term, in, k->value);
    double sum = 0;
    *size = 0;
    for (uint32_t i = 0; i < k->terms.len; i++) {
        sum += k->value[i];
        *size += fabs(k->value[i]);
    }
    return sum;
}

/* Is the sum of the terms rounding, of these or of those beside the rows? A single term that has a row as a factor is. */
static bool vanishes(probe *k, double beside, bool *known)
{
    double size;
    const double sum = sum_of_terms(k, &size);
    *known = isfinite(size);
    return *known && fabs(sum) <= ROUNDING * fmax(size, isfinite(beside) ? beside : 0);
}

/* Programs and room for the rows and terms of this level. */
static void compile(probe *k)
{
    dd_ocp_problem *o = k->o;
    const dd_derivative *d = dd_jacobian_new(k->pool, o->dag, k->rows.data, k->rows.len, k->inputs.data, k->n);
    const uint32_t entries = d->ptr[k->n], most = k->rows.len + k->terms.len + entries;
    k->residual = dd_ocp_compile(o, k->inputs.data, k->inputs.len, k->rows.data, k->rows.len, k->pool);
    k->entries = dd_ocp_compile(o, k->inputs.data, k->inputs.len, d->entries, entries, k->pool);
    k->term = dd_ocp_compile(o, k->inputs.data, k->inputs.len, k->terms.data, k->terms.len, k->pool);
    k->a = (dd_csc){.nrows = k->rows.len, .ncols = k->n, .ptr = d->ptr, .idx = d->idx};
    k->a.val = dd_pool_alloc_array(k->pool, entries + 1, sizeof *k->a.val);
    double **const rooms[] = {&k->value, &k->r, &k->trial_r};
    for (uint32_t i = 0; i < 3; i++) {
        *rooms[i] = dd_pool_alloc_array(k->pool, most + 1, sizeof **rooms[i]);
    }
}

/* Does the derivative vanish on the rows? One point where it does not is enough to say no. */
static bool is_kept(probe *k, const dd_guess *guess)
{
    compile(k);
    dd_context *ctx = dd_pool_context(k->pool);
    const dd_status st = dd_minnorm_new(&k->solver, ctx, &k->a);
    if (st != DD_OK) {
        dd_raise(ctx, st, "%s", dd_context_message(ctx));
    }
    uint32_t points = 0;
    uint64_t random = 1;
    bool kept = true;
    for (uint32_t n = 0; n < POINTS && kept; n++) {
        choose(k, guess, (n + 0.5) / POINTS, &random);
        bool known = false;
        double beside;
        sum_of_terms(k, &beside);
        if (go_to_rows(k)) { /* otherwise a logarithm has no value there, say */
            kept = vanishes(k, beside, &known) || !known;
            points += known;
        }
    }
    dd_minnorm_free(k->solver);
    k->solver = NULL;
    return kept && points >= LEAST_POINTS;
}

/* ---- levels ---- */

/* The terms of the derivative along the motion; returns their sum. */
static dd_expr set_terms(probe *k, dd_expr e)
{
    dd_ocp_problem *o = k->o;
    k->terms.len = 0;
    dd_vec_push(k->pool, &k->terms, dd_diff(o->dag, e, o->time));
    for (uint32_t i = 0; i < o->x.len; i++) {
        const dd_expr slope = dd_diff(o->dag, e, o->x.data[i].symbol);
        dd_vec_push(k->pool, &k->terms, dd_mul(o->dag, slope, o->f.data[i]));
    }
    return dd_sum(o->dag, k->terms.data, k->terms.len);
}

uint32_t dd_ocp_path_kept(dd_ocp_problem *o, const dd_ocp_row *row, const dd_guess *guess, dd_expr *level,
                          dd_pool *pool)
{
    probe k = {.o = o, .pool = pool, .n = o->x.len + o->z.len + o->p.len, .goal = row->lower};
    const dd_decision_vec *lists[] = {&o->x, &o->z, &o->p, &o->u};
    for (uint32_t l = 0; l < 4; l++) {
        add_symbols(&k, lists[l]);
    }
    dd_vec_push(pool, &k.inputs, o->time);
    double **const rooms[] = {&k.v, &k.at, &k.weight, &k.dx, &k.trial};
    for (uint32_t i = 0; i < 5; i++) {
        *rooms[i] = dd_pool_alloc_array(pool, k.inputs.len + 1, sizeof **rooms[i]);
    }
    for (uint32_t l = 0, at = 0; l < 3; l++) {
        for (uint32_t i = 0; i < lists[l]->len; i++) {
            k.weight[at++] = lists[l]->data[i].scale;
        }
    }
    /* level by level, while a derivative is one of states alone */
    level[0] = row->e;
    for (uint32_t n = 1; n <= DD_KEPT_MOST && o->x.len > 0; n++) {
        const dd_expr next = set_terms(&k, level[n - 1]);
        k.rows.len = 0;
        for (uint32_t i = 0; i < n; i++) {
            dd_vec_push(pool, &k.rows, level[i]);
        }
        for (uint32_t i = 0; i < o->g.len; i++) {
            dd_vec_push(pool, &k.rows, o->g.data[i]);
        }
        /* points between two switches, or without data, say nothing about the others */
        if (has_data(o, &k.rows) || has_data(o, &k.terms) || dd_has_switch(o->dag, k.rows.data, k.rows.len) ||
            dd_has_switch(o->dag, k.terms.data, k.terms.len)) {
            return 0;
        }
        if (is_kept(&k, guess)) {
            return n;
        }
        if (n == DD_KEPT_MOST || depends_on(o, next, &o->z) || depends_on(o, next, &o->u)) {
            return 0;
        }
        level[n] = next;
    }
    return 0;
}
