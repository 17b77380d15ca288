/* explicit.c - steps of explicit Runge-Kutta methods. Start reading at explicit_step. */
#include "integ/explicit.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "integ/explicit_impl.h"
#include "integ/fixed.h"

/* error of x' (times h) and z of a stage, in units of the tolerance */
static const double STAGE_GOAL = 1e-3;

/* Step size control as in Hairer, Norsett & Wanner I, sec. II.4: safety factor, limits of one change, how a step is
 * shortened when it was rejected by its error, and when there is no error to go by. */
static const double SAFETY = 0.9, LARGEST = 8.0, SMALLEST = 0.2, REJECTED = 0.1, SHORTENED = 0.25;
static const double FARTHEST = 2.0; /* projection by more than this, in units of the tolerance, rejects the step */

/* Steps in a row that are so short that x hardly moves by rounding, while others are rejected: where the slope itself is
 * rounded (next to a fold) the estimate lets such steps pass now and then, and the run would never end. At rest steps are
 * long, and none is rejected. */
enum { MOST_CREEPING = 100, CREEPING_REJECTED = MOST_CREEPING / 4 };
static const double CREEPING = 100 * DBL_EPSILON; /* relative to x */

/* ---- creation ---- */

/* clang-format off */
#define EXPLICIT_ARRAYS(X) \
    X(base.w, n) X(base.wdot, n) X(atol, n) X(weight, n) X(k, dense * n) X(stage, n) X(slope, n) X(w_old, n) \
    X(wdot_old, n) X(shift, n) X(work, n) X(point, n) X(rate, n) X(e, s) X(e_low, s) \
    X(points, kept * n) X(scale, n)
/* clang-format on */

static size_t kept_stages(const explicit_rk *e)
{
    return e->base.problem->n_parameters > 0 ? e->extension.stages : 0;
}

static dd_status allocate(explicit_rk *e)
{
    size_t n = e->n, s = e->tableau->stages, dense = e->extension.stages, kept = kept_stages(e);
    bool all = true;
#define EXPLICIT_NEW(field, length)                                                                                    \
    e->field = dd_mem_new_array(e->base.ctx, (length) + 1, sizeof(double));                                            \
    all = all && e->field;
    EXPLICIT_ARRAYS(EXPLICIT_NEW)
#undef EXPLICIT_NEW
    return all ? DD_OK : DD_OUT_OF_MEMORY;
}

static void explicit_free(dd_integrator *it)
{
    explicit_rk *e = (explicit_rk *)it;
    size_t n = e->n, s = e->tableau->stages, dense = e->extension.stages, kept = kept_stages(e);
#define EXPLICIT_FREE(field, length) dd_mem_free(it->ctx, e->field, ((length) + 1) * sizeof(double));
    EXPLICIT_ARRAYS(EXPLICIT_FREE)
#undef EXPLICIT_FREE
    dd_explicit_extension_free(e);
    dd_rhs_free(e->rhs);
    dd_projector_free(e->projector);
    dd_mem_free(it->ctx, e, sizeof *e);
}

/* ---- stages ---- */

void dd_explicit_add(const explicit_rk *e, double h, const double *a, uint32_t count, double *out)
{
    const uint32_t n = e->n;
    /* zeros of the tableau cost nothing */
    for (uint32_t i = 0; i < count; i++) {
        const double factor = h * a[i], *k = e->k + (size_t)i * n;
        if (a[i] == 0) {
            continue;
        }
        for (uint32_t j = 0; j < n; j++) {
            out[j] += factor * k[j];
        }
    }
}

void dd_explicit_combine(const explicit_rk *e, const double *w, double h, const double *a, uint32_t count, double *out)
{
    memcpy(out, w, e->n * sizeof *out);
    dd_explicit_add(e, h, a, count, out);
}

/* z of the point `to`, as a guess, from the point that was solved last */
static void guess_algebraic(const explicit_rk *e, double *to, const double *from)
{
    const uint8_t *differential = e->base.problem->differential;
    for (uint32_t j = 0; e->n_algebraic > 0 && j < e->n; j++) {
        to[j] = differential[j] ? to[j] : from[j];
    }
}

dd_step_verdict dd_explicit_evaluate(explicit_rk *e, double t, double h, double *stage, double *k)
{
    /* the error of h x' and z enters the solution like an error of x */
    const double goal = e->options.fixed_step > 0 ? 0.0 : STAGE_GOAL;
    dd_rhs_accuracy accuracy = {e->weight, fabs(h), goal, .given = e->options.fixed_step > 0, .wary = e->base.wary};
    memcpy(k, e->slope, e->n * sizeof *k);
    dd_step_verdict v = dd_rhs_solve(e->rhs, t, stage, k, &accuracy, &e->base.stats, &e->base.worst);
    if (v == DD_STEP_OK && dd_rhs_get_kind(e->rhs) == DD_RHS_NEWTON) {
        memcpy(e->slope, k, e->n * sizeof *k); /* the next guess */
    }
    return v;
}

/* All stages after the first, which is wdot. The last point is left in stage. */
static dd_step_verdict run_stages(explicit_rk *e, double h)
{
    const dd_tableau *tab = e->tableau;
    const uint32_t n = e->n, s = tab->stages;
    /* stage 1 is x' at the start of the step, known from the end of the last one */
    memcpy(e->k, e->base.wdot, n * sizeof *e->k);
    memcpy(e->slope, e->base.wdot, n * sizeof *e->slope);
    memcpy(e->work, e->base.w, n * sizeof *e->work); /* keeps z of the stage before */
    /* X_i = x_n + h sum_{j<i} A_ij k_j, then x' and z there from F = 0 */
    for (uint32_t i = 1; i < s; i++) {
        dd_explicit_combine(e, e->base.w, h, tab->A + (size_t)i * s, i, e->stage);
        guess_algebraic(e, e->stage, e->work);
        dd_step_verdict v = dd_explicit_evaluate(e, e->base.t + tab->c[i] * h, h, e->stage, e->k + (size_t)i * n);
        if (v != DD_STEP_OK) {
            return v;
        }
        guess_algebraic(e, e->work, e->stage);
        /* sensitivities differentiate at the points of the stages */
        if (kept_stages(e) > 0) {
            memcpy(e->points + (size_t)i * n, e->stage, n * sizeof *e->stage);
        }
    }
    return DD_STEP_OK;
}

/* The end of the step onto the invariants; *moved: so far that x' and z must be found again. */
static bool project(explicit_rk *e, double t, double *w, bool *moved)
{
    *moved = false;
    if (!e->projector) {
        return true;
    }
    /* the nearest point in the norm of the error test */
    for (uint32_t j = 0; j < e->n; j++) {
        e->scale[j] = 1.0 / e->weight[j];
    }
    dd_projection p = dd_project(e->projector, t, w, e->scale, 5, e->shift);
    e->base.stats.projections++;
    /* farther than twice the tolerance: the step was too inaccurate, whatever its estimate says */
    if (!p.converged || (e->options.fixed_step == 0 && p.moved >= FARTHEST)) {
        return false;
    }
    *moved = p.moved > (e->options.fixed_step > 0 ? 0.0 : STAGE_GOAL);
    e->base.violation = fmax(e->base.violation, p.violation);
    return true;
}

/* ---- one step ---- */

static dd_step_verdict explicit_start(dd_integrator *it, double t, const double *w, const double *wdot)
{
    explicit_rk *e = (explicit_rk *)it;
    const uint8_t *differential = it->problem->differential;
    it->t = it->t_old = t;
    memcpy(it->w, w, e->n * sizeof *w);
    /* x' of the caller is a guess; what is not finite is replaced by zero */
    for (uint32_t j = 0; j < e->n; j++) {
        e->slope[j] = wdot && differential[j] && isfinite(wdot[j]) ? wdot[j] : 0.0;
    }
    e->started = e->after_rejection = it->stiff = false;
    e->stiff_hits = e->smooth_hits = e->creeping = e->still = 0;
    e->err_accepted = 1e-4;
    e->why = DD_STEP_STEP_TOO_SMALL;
    dd_rhs_forget(e->rhs);
    dd_explicit_weights(e, NULL);
    /* x' and z at the start to rounding: they enter every stage */
    dd_rhs_accuracy accuracy = {.weight = e->weight, .h = 1.0, .goal = 0.0};
    memcpy(it->wdot, e->slope, e->n * sizeof *it->wdot);
    return dd_rhs_solve(e->rhs, t, it->w, it->wdot, &accuracy, &it->stats, &it->worst);
}

typedef struct attempt {
    double h, t_new;
    bool at_bound, moved;
    double err;
} attempt;

/* The step from t to t_new: its end with z in stage, k there in slope. */
static dd_step_verdict try_step(explicit_rk *e, attempt *a)
{
    const dd_tableau *tab = e->tableau;
    const uint32_t s = tab->stages;
    dd_step_verdict v = run_stages(e, a->h);
    if (v != DD_STEP_OK) {
        return v;
    }
    /* x_{n+1} = x_n + h sum_i b_i k_i; otherwise the last stage is this point already */
    if (!tab->first_same_as_last) {
        dd_explicit_combine(e, e->base.w, a->h, tab->b, s, e->stage);
        guess_algebraic(e, e->stage, e->work);
    }
    /* the estimate first: a rejected step needs no projection */
    a->err = 0;
    if (e->options.fixed_step == 0) {
        dd_explicit_weights(e, e->stage);
        a->err = dd_explicit_error(e, a->h);
        if (!(a->err < 1.0)) {
            return isfinite(a->err) ? DD_STEP_STEP_TOO_SMALL : DD_STEP_NONFINITE;
        }
    }
    /* then onto the invariants, and x' and z where the point has moved */
    if (!project(e, a->t_new, e->stage, &a->moved)) {
        return DD_STEP_PROJECTION_FAILED;
    }
    e->end_solved = !tab->first_same_as_last || a->moved;
    /* the end becomes the first stage of the next step */
    if (e->end_solved) {
        v = dd_explicit_evaluate(e, a->t_new, a->h, e->stage, e->rate);
    }
    const double *end = e->end_solved ? e->rate : e->k + (size_t)(s - 1) * e->n;
    memcpy(e->slope, end, e->n * sizeof *e->slope);
    return v;
}

static void accept(explicit_rk *e, const attempt *a)
{
    dd_integrator *it = &e->base;
    /* pointers rotate: the old point is needed for interpolation */
    double *old = e->w_old;
    e->w_old = it->w;
    it->w = e->stage;
    e->stage = old;
    old = e->wdot_old;
    e->wdot_old = it->wdot;
    it->wdot = e->slope;
    e->slope = old;
    it->t_old = it->t;
    it->t = a->t_new;
    e->h_last = a->h;
    e->started = true;
    e->extended = false;
    it->dense_error = 0; /* unless a stage of the extension cannot be solved for */
    it->stats.steps++;
    it->order = e->tableau->order;
    it->error = e->options.fixed_step > 0 ? 0 : a->err;
}

/* Proportional-integral control: h_new = h 0.9 err^-(1/q - 3/4 beta) err_before^beta (Hairer & Wanner II, IV.2). */
static double next_step(explicit_rk *e, const attempt *a)
{
    /* both ends bounded: a tiny error or a tiny predecessor must not steer the next step */
    double err = fmax(a->err, 1e-10);
    double factor = SAFETY * pow(err, -(e->exponent - 0.75 * e->beta)) * pow(e->err_accepted, e->beta);
    factor = fmin(e->after_rejection ? 1.0 : LARGEST, fmax(SMALLEST, factor));
    e->err_accepted = fmax(err, 1e-4);
    e->after_rejection = false;
    return a->h * factor;
}

static double shorter(const explicit_rk *e, const attempt *a, dd_step_verdict why)
{
    /* by the order where the error was too large, by a fixed factor where there is no error to go by */
    if (why == DD_STEP_STEP_TOO_SMALL) {
        return a->h * fmax(REJECTED, SAFETY * pow(a->err, -e->exponent));
    }
    return a->h * SHORTENED;
}

/* Counts steps without motion, and the rejected ones among them. */
static void watch_creeping(explicit_rk *e)
{
    const dd_integrator *it = &e->base;
    bool moved = e->options.fixed_step > 0 || e->creeping >= MOST_CREEPING;
    for (uint32_t j = 0; j < e->n && !moved; j++) {
        moved = it->problem->differential[j] && !(fabs(it->w[j] - e->w_old[j]) <= CREEPING * fabs(it->w[j]));
    }
    e->creeping = moved ? 0 : e->creeping + 1;
    e->creep_rejected = moved ? it->stats.rejected : e->creep_rejected;
}

static dd_step_verdict explicit_step(dd_integrator *it, double bound)
{
    explicit_rk *e = (explicit_rk *)it;
    const bool fixed = e->options.fixed_step > 0;
    /* the first step of a run, or behind an event */
    if (!e->started) {
        it->h = fixed                       ? e->options.fixed_step
                : e->options.first_step > 0 ? e->options.first_step
                                            : dd_explicit_first_step(e, bound);
    }
    if (e->creeping >= MOST_CREEPING && it->stats.rejected - e->creep_rejected >= CREEPING_REJECTED) {
        return e->why;
    }
    attempt a = {.h = it->h};
    a.h = e->options.most_step > 0 && !fixed ? fmin(a.h, e->options.most_step) : a.h;
    for (;;) {
        /* end exactly at the bound */
        a.at_bound = dd_fixed_reaches(it->t, a.h, bound);
        a.h = a.at_bound ? bound - it->t : a.h;
        a.t_new = a.at_bound ? bound : it->t + a.h;
        /* t + h = t in floating point: report why the last attempt failed */
        if (a.h <= 10 * DBL_EPSILON * fmax(fabs(it->t), DBL_MIN) && !(a.at_bound && !e->after_rejection)) {
            return e->why;
        }
        dd_step_verdict why = try_step(e, &a);
        if (why == DD_STEP_OK) {
            break;
        }
        /* with given steps there is nothing to shorten */
        if (fixed || why == DD_STEP_OUT_OF_MEMORY) {
            return why;
        }
        it->stats.rejected++;
        e->after_rejection = true;
        e->why = why;
        a.h = shorter(e, &a, why);
    }
    accept(e, &a);
    watch_creeping(e);
    /* a step cut at the bound does not reduce the next one */
    if (!fixed) {
        dd_explicit_watch_stiffness(e, a.h);
        double h = next_step(e, &a);
        it->h = a.at_bound ? fmax(h, it->h) : h;
    }
    dd_explicit_weights(e, NULL);
    return DD_STEP_OK;
}

static void explicit_set_tolerance(dd_integrator *it, double rtol, const double *atol)
{
    explicit_rk *e = (explicit_rk *)it;
    memmove(e->atol, atol, e->n * sizeof *atol);
    e->options.rtol = rtol;
    e->options.atol = e->atol;
    dd_explicit_control_setup(e);
}

static const dd_integrator_ops explicit_ops = {
    .start = explicit_start,
    .step = explicit_step,
    .interpolate = dd_explicit_interpolate,
    .free = explicit_free,
    .set_tolerance = explicit_set_tolerance,
    .record = dd_explicit_record,
    .dense = dd_explicit_weights_at,
};

static dd_status build(explicit_rk *e)
{
    dd_context *ctx = e->base.ctx;
    /* the extension first: its stages determine the size of the arrays */
    dd_status st = dd_explicit_extension_new(e);
    st = st == DD_OK ? allocate(e) : st;
    st = st == DD_OK ? dd_rhs_new(&e->rhs, ctx, e->base.problem) : st;
    if (st == DD_OK && e->options.project) {
        /* with given steps the method alone is looked at */
        st = e->options.fixed_step > 0 ? dd_projector_new(&e->projector, ctx, e->base.problem)
                                       : dd_projector_new_keeping(&e->projector, ctx, e->base.problem);
    }
    if (st == DD_OK) {
        e->n_algebraic = dd_rhs_algebraic(e->rhs);
        e->n_differential = e->n - e->n_algebraic;
        explicit_set_tolerance(&e->base, e->options.rtol, e->options.atol);
    }
    return st;
}

dd_status dd_explicit_new(dd_integrator **out, dd_context *ctx, const dd_problem *problem, const dd_tableau *tableau,
                          const dd_integ_options *options)
{
    *out = NULL;
    if (tableau->structure != DD_TABLEAU_EXPLICIT) {
        return dd_fail(ctx, DD_INVALID_ARGUMENT, "the method %s is implicit", tableau->name);
    }
    /* without an embedded formula there is no estimate to choose steps by */
    if (!(options->fixed_step > 0) && tableau->embedded_order == 0) {
        return dd_fail(ctx, DD_INVALID_ARGUMENT,
                       "the method %s has no embedded formula to control its error: give a step size", tableau->name);
    }
    explicit_rk *e = dd_mem_new_array(ctx, 1, sizeof *e);
    if (!e) {
        return DD_OUT_OF_MEMORY;
    }
    e->base = (dd_integrator){.ops = &explicit_ops,
                              .ctx = ctx,
                              .problem = problem,
                              .name = tableau->name,
                              .worst = DD_NO_INDEX,
                              .keeps_slope = true};
    e->self = e;
    e->options = *options;
    e->tableau = tableau;
    e->n = problem->n;
    /* owned parts are freed by the common routine, also when only some exist */
    dd_status st = build(e);
    if (st != DD_OK) {
        explicit_free(&e->base);
        return st;
    }
    *out = &e->base;
    return DD_OK;
}
