/* irk.c - steps of implicit Runge-Kutta methods. Start reading at irk_step. */
#include "integ/irk.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "integ/fixed.h"
#include "integ/irk_impl.h"

static const double PART = 0.1;        /* the tolerance in force is this part of what was asked for */
static const double STAGE_GOAL = 1e-3; /* error of the stage equations, in units of the tolerance */

/* Step size control as in Hairer & Wanner II, sec. IV.8: safety factor, limits of one change, and how a step is
 * shortened when the stages were not solved. KEPT: an increase below this is not worth a new factorisation. */
static const double SAFETY = 0.9, LARGEST = 5.0, SMALLEST = 0.2, SHORTENED = 0.25, KEPT = 1.2;
static const double REJECTED = 0.1; /* a rejected step shrinks by a factor of ten at most */
static const double FARTHEST = 2.0; /* projection by more than this, in units of the tolerance, rejects the step */

/* ---- creation ---- */

/* clang-format off */
#define IRK_ARRAYS(X) \
    X(base.w, n) X(base.wdot, n) X(atol, n) X(weight, n) X(m, jac) X(j, jac) X(u, s * n) X(du, s * n) \
    X(point, ld * n) X(rate, ld * n) X(f, ld * n) X(times, ld) X(w_new, n) X(v_new, n) X(err, n) X(e, s) \
    X(shift, n) X(scale, n) X(work, n) X(w_old, n) X(v_old, n) X(u_last, s * n) X(followed, s * n)
/* clang-format on */

#define IRK_SIZES(r)                                                                                                   \
    const size_t n = (r)->n, s = (r)->s, ld = (r)->ld;                                                                 \
    const size_t jac = (r)->base.problem->pattern.ptr[n] * ((r)->tableau->structure == DD_TABLEAU_IMPLICIT ? s : 1)

static dd_status allocate(irk *r)
{
    IRK_SIZES(r);
    bool all = true;
#define IRK_NEW(field, length)                                                                                         \
    r->field = dd_mem_new_array(r->base.ctx, (length) + 1, sizeof(double));                                            \
    all = all && r->field;
    IRK_ARRAYS(IRK_NEW)
#undef IRK_NEW
    return all ? DD_OK : DD_OUT_OF_MEMORY;
}

static void irk_free(dd_integrator *it)
{
    irk *r = (irk *)it;
    IRK_SIZES(r);
#define IRK_FREE(field, length) dd_mem_free(it->ctx, r->field, ((length) + 1) * sizeof(double));
    IRK_ARRAYS(IRK_FREE)
#undef IRK_FREE
    for (uint32_t q = 0; q < r->n_solvers; q++) {
        dd_pencil_free(r->stage_solver[q]);
    }
    dd_stage_matrix_free(r->matrix);
    dd_rhs_free(r->rhs);
    dd_projector_free(r->projector);
    dd_mem_free(it->ctx, r, sizeof *r);
}

/* One factor for each different A_ii of a diagonal method. */
static dd_status make_stage_solvers(irk *r)
{
    dd_status st = DD_OK;
    const double *A = r->tableau->A;
    /* stages with the same A_ii share a matrix; singly diagonal methods have one for all */
    for (uint32_t i = 0; i < r->s && st == DD_OK; i++) {
        const double a = A[(size_t)i * r->s + i];
        uint32_t before = 0;
        while (before < i && A[(size_t)before * r->s + before] != a) {
            before++;
        }
        r->solver_of[i] = before < i ? r->solver_of[before] : r->n_solvers;
        if (before == i && a != 0) {
            st = dd_pencil_new(&r->stage_solver[r->n_solvers], r->base.ctx, &r->base.problem->pattern, false,
                               DD_PENCIL_AUTO);
            r->n_solvers += st == DD_OK;
        }
    }
    return st;
}

/* The equations of all stages but a first one that is known. */
static dd_status make_matrix(irk *r)
{
    const uint32_t first = r->first, s = r->s - first;
    const size_t square = (size_t)s * s;
    double *identity = dd_mem_new_array(r->base.ctx, 2 * square, sizeof *identity), *A = identity + square;
    if (!identity) {
        return DD_OUT_OF_MEMORY;
    }
    /* dF/du = 1/h I x M + A x J with u = h K, over the stages that are unknown */
    for (uint32_t i = 0; i < s; i++) {
        identity[(size_t)i * (s + 1)] = 1;
        memcpy(A + (size_t)i * s, r->tableau->A + (size_t)(i + first) * r->s + first, s * sizeof *A);
    }
    dd_status st = dd_stage_matrix_new(&r->matrix, r->base.ctx, r->base.problem, s, identity, A);
    dd_mem_free(r->base.ctx, identity, 2 * square * sizeof *identity);
    return st;
}

/* Coupled stages whose first is the end of the last step (Lobatto IIIA), for equations of index above 1: their rows
 * do not determine x' and z there a second time. */
static bool first_is_known(const irk *r)
{
    /* a zero first row and b = A_s: x', z at the start were determined by the last step */
    const dd_tableau *tab = r->tableau;
    bool zero = tab->structure == DD_TABLEAU_IMPLICIT && r->options.higher_index && tab->stiffly_accurate && r->s > 1;
    for (uint32_t k = 0; k < r->s && zero; k++) {
        zero = tab->A[k] == 0;
    }
    return zero;
}

static void setup_control(irk *r)
{
    const dd_tableau *tab = r->tableau;
    const bool fixed = r->options.fixed_step > 0;
    /* the estimate has the order of the lower formula plus one */
    const uint32_t q =
        (tab->embedded_order > 0 && tab->embedded_order < tab->order ? tab->embedded_order : tab->order) + 1;
    for (uint32_t i = 0; tab->bhat && i < r->s; i++) {
        r->e[i] = tab->b[i] - tab->bhat[i];
    }
    double part = PART;
    if (tab->order <
        tab->embedded_order) { /* the estimate is of higher order than the result, see explicit_control.c */
        part *= fmin(1.0, pow(r->options.rtol / 0.1, 1.0 / tab->order));
    }
    r->exponent = 1.0 / q;
    /* proportional-integral control (Hairer & Wanner II, IV.2) */
    r->beta = 0.2 / q;
    r->rtol_now = fmax(part * r->options.rtol, 50 * DBL_EPSILON);
    r->atol_now = r->options.rtol > 0 ? r->rtol_now / r->options.rtol : part;
    r->goal = fixed ? 0.0 : STAGE_GOAL;
}

/* ---- steps ---- */

static void set_weights(irk *r, const double *other)
{
    const double *w = r->base.w, *nominal = r->base.problem->nominal;
    for (uint32_t j = 0; j < r->n; j++) {
        /* relative to the larger of both ends */
        double size = other ? fmax(fabs(w[j]), fabs(other[j])) : fabs(w[j]);
        r->weight[j] = r->options.fixed_step > 0 ? 1.0 / dd_fixed_scale(size, nominal, j)
                                                 : 1.0 / (r->atol_now * r->atol[j] + r->rtol_now * size);
    }
}

static double norm(const irk *r, const double *v)
{
    double sum = 0;
    uint32_t count = 0;
    /* x alone: z follows from x without memory */
    for (uint32_t j = 0; j < r->n; j++) {
        double x = r->base.problem->differential[j] ? v[j] * r->weight[j] : 0.0;
        sum += x * x;
        count += r->base.problem->differential[j];
    }
    return sqrt(sum / (count > 0 ? count : 1));
}

/* x' and z at the start follow from x where the problem is of index 1; otherwise they stay as given. */
static dd_step_verdict irk_start(dd_integrator *it, double t, const double *w, const double *wdot)
{
    irk *r = (irk *)it;
    const uint8_t *x = it->problem->differential;
    it->t = it->t_old = t;
    memcpy(it->w, w, r->n * sizeof *w);
    /* x' and z are guesses; what is not finite is replaced by zero */
    for (uint32_t j = 0; j < r->n; j++) {
        it->wdot[j] = wdot && x[j] && isfinite(wdot[j]) ? wdot[j] : 0.0;
        it->w[j] = x[j] || isfinite(w[j]) ? w[j] : 0.0;
    }
    /* everything that belongs to the last run or mode is forgotten */
    r->started = r->after_rejection = false;
    r->why = DD_STEP_STEP_TOO_SMALL;
    r->err_accepted = 1e-4;
    r->stale = true;
    r->theta = 1;
    set_weights(r, NULL);
    /* on copies: equations of index above 1 do not determine x' and z, and keep the given ones */
    memcpy(r->point, it->w, r->n * sizeof *r->point);
    memcpy(r->rate, it->wdot, r->n * sizeof *r->rate);
    dd_rhs_forget(r->rhs);
    dd_rhs_accuracy accuracy = {.weight = r->weight, .h = 1.0, .goal = 0.0};
    uint32_t worst;
    if (dd_rhs_solve(r->rhs, t, r->point, r->rate, &accuracy, &it->stats, &worst) == DD_STEP_OK) {
        memcpy(it->w, r->point, r->n * sizeof *it->w);
        memcpy(it->wdot, r->rate, r->n * sizeof *it->wdot);
    }
    return DD_STEP_OK;
}

typedef struct attempt {
    double h, t_new, err;
    bool at_bound;
} attempt;

static dd_step_verdict estimate(irk *r, attempt *a)
{
    if (r->options.fixed_step > 0) {
        return DD_STEP_OK;
    }
    /* sum_i (b_i - bhat_i) h K_i */
    for (uint32_t j = 0; j < r->n; j++) {
        double sum = 0;
        for (uint32_t i = 0; i < r->s && r->base.problem->differential[j]; i++) {
            sum += r->e[i] * r->u[(size_t)i * r->n + j];
        }
        r->err[j] = sum;
    }
    /* stiff components would be overestimated by orders of magnitude */
    dd_irk_filter(r, a->h);
    set_weights(r, r->w_new);
    a->err = norm(r, r->err);
    return a->err < 1.0 ? DD_STEP_OK : isfinite(a->err) ? DD_STEP_STEP_TOO_SMALL : DD_STEP_NONFINITE;
}

static dd_step_verdict project(irk *r, double t, bool *moved)
{
    *moved = false;
    memset(r->shift, 0, r->n * sizeof *r->shift);
    if (!r->projector) {
        return DD_STEP_OK;
    }
    /* the nearest point in the norm of the error test */
    for (uint32_t j = 0; j < r->n; j++) {
        r->scale[j] = 1.0 / r->weight[j];
    }
    dd_projection p = dd_project(r->projector, t, r->w_new, r->scale, 5, r->shift);
    r->base.stats.projections++;
    /* farther than twice the tolerance: the step was too inaccurate, whatever its estimate says */
    if (!p.converged || (r->options.fixed_step == 0 && p.moved >= FARTHEST)) {
        return DD_STEP_PROJECTION_FAILED;
    }
    *moved = p.moved > (r->options.fixed_step > 0 ? 0.0 : STAGE_GOAL);
    r->base.violation = fmax(r->base.violation, p.violation);
    return DD_STEP_OK;
}

/* x' and z at the end of a step that the method leaves open: the polynomial of the stages continued, as a guess for the
 * next step. Other methods keep those of the last stage. */
static void continue_to_end(irk *r, double h)
{
    const uint8_t *x = r->base.problem->differential;
    double weight[DD_TABLEAU_STAGES];
    if (!dd_irk_end_weights(r, weight)) {
        return;
    }
    for (uint32_t j = 0; j < r->n; j++) {
        double sum = 0;
        for (uint32_t i = 0; i < r->s; i++) {
            sum += weight[i] * r->u[(size_t)i * r->n + j];
        }
        *(x[j] ? &r->v_new[j] : &r->w_new[j]) = x[j] ? sum / h : sum;
    }
}

/* The end of the step, in w_new and v_new. */
static dd_step_verdict finish(irk *r, attempt *a)
{
    const uint8_t *x = r->base.problem->differential;
    const double *last = r->u + (size_t)(r->s - 1) * r->n;
    /* x_{n+1} = x_n + sum_i b_i (h K_i); z and x' of the last stage unless the method says otherwise */
    for (uint32_t j = 0; j < r->n; j++) {
        double sum = x[j] ? r->base.w[j] : last[j];
        for (uint32_t i = 0; i < r->s && x[j]; i++) {
            sum += r->tableau->b[i] * r->u[(size_t)i * r->n + j];
        }
        r->w_new[j] = sum;
        r->v_new[j] = x[j] ? last[j] / a->h : 0.0;
    }
    continue_to_end(r, a->h);
    /* the estimate first: a rejected step needs no projection */
    bool moved = false;
    dd_step_verdict v = estimate(r, a);
    v = v == DD_STEP_OK ? project(r, a->t_new, &moved) : v;
    /* only a stiffly accurate method ends at its last stage, where F = 0 holds already */
    r->end_solved = (!r->tableau->stiffly_accurate || moved) && !r->options.higher_index;
    if (v != DD_STEP_OK || !r->end_solved) {
        return v;
    }
    dd_rhs_accuracy accuracy = {r->weight, a->h, r->goal, .given = r->options.fixed_step > 0, .wary = r->base.wary};
    return dd_rhs_solve(r->rhs, a->t_new, r->w_new, r->v_new, &accuracy, &r->base.stats, &r->base.worst);
}

static void swap(double **a, double **b)
{
    double *c = *a;
    *a = *b;
    *b = c;
}

static void accept(irk *r, const attempt *a)
{
    dd_integrator *it = &r->base;
    /* pointers rotate: the last step is needed for interpolation */
    swap(&r->w_old, &it->w);
    swap(&it->w, &r->w_new);
    swap(&r->v_old, &it->wdot);
    swap(&it->wdot, &r->v_new);
    swap(&r->u_last, &r->u);
    it->t_old = it->t;
    it->t = a->t_new;
    r->h_last = a->h;
    r->started = true;
    it->stats.steps++;
    it->order = r->tableau->order;
    it->error = r->options.fixed_step > 0 ? 0 : a->err;
    set_weights(r, NULL);
}

static double next_step(irk *r, const attempt *a)
{
    /* both ends bounded: a tiny error or a tiny predecessor must not steer the next step */
    double err = fmax(a->err, 1e-10);
    double factor = SAFETY * pow(err, -(r->exponent - 0.75 * r->beta)) * pow(r->err_accepted, r->beta);
    factor = fmin(r->after_rejection ? 1.0 : LARGEST, fmax(SMALLEST, factor));
    r->err_accepted = fmax(err, 1e-4);
    r->after_rejection = false;
    return a->h * (factor > 1.0 && factor < KEPT ? 1.0 : factor); /* the same size keeps the factors */
}

static double first_step(const irk *r, double bound)
{
    const double span = bound - r->base.t, value = norm(r, r->base.w), slope = norm(r, r->base.wdot);
    /* a step that changes x by a hundredth */
    const double h = value > 1e-5 && slope > 1e-5 ? 0.01 * value / slope : 1e-6 * span;
    return fmin(dd_integ_first_step(r->base.t, fmin(h, 1e-3 * span)), span);
}

static dd_step_verdict irk_step(dd_integrator *it, double bound)
{
    irk *r = (irk *)it;
    const bool fixed = r->options.fixed_step > 0;
    /* the first step of a run, or behind an event */
    if (!r->started) {
        it->h = fixed                       ? r->options.fixed_step
                : r->options.first_step > 0 ? r->options.first_step
                                            : first_step(r, bound);
    }
    attempt a = {.h = it->h};
    a.h = r->options.most_step > 0 && !fixed ? fmin(a.h, r->options.most_step) : a.h;
    for (;;) {
        /* end exactly at the bound, and never leave a rest that is too short for a step */
        a.at_bound = dd_fixed_reaches(it->t, a.h, bound);
        a.t_new = a.at_bound ? bound : it->t + a.h;
        a.h = dd_fixed_size(it->t, a.h, bound);
        /* t + h = t in floating point: report why the last attempt failed */
        if (a.h <= 10 * DBL_EPSILON * fmax(fabs(it->t), DBL_MIN) && !(a.at_bound && !r->after_rejection)) {
            return r->why;
        }
        /* stages, then the end with estimate and projection */
        dd_step_verdict why = dd_irk_stages(r, a.h);
        bool error = why == DD_STEP_OK;
        why = error ? finish(r, &a) : why;
        if (why == DD_STEP_OK) {
            break;
        }
        /* with given steps there is nothing to shorten */
        if (fixed || why == DD_STEP_OUT_OF_MEMORY) {
            return why;
        }
        it->stats.rejected++;
        r->after_rejection = true;
        r->why = why;
        /* by the order where the error was too large, otherwise by a fixed factor */
        a.h *= why == DD_STEP_STEP_TOO_SMALL ? fmax(REJECTED, SAFETY * pow(a.err, -r->exponent)) : SHORTENED;
    }
    accept(r, &a);
    /* a step cut at the bound does not reduce the next one */
    if (!fixed) {
        double h = next_step(r, &a);
        it->h = a.at_bound ? fmax(h, it->h) : h;
    }
    return DD_STEP_OK;
}

static void irk_set_tolerance(dd_integrator *it, double rtol, const double *atol)
{
    irk *r = (irk *)it;
    memmove(r->atol, atol, r->n * sizeof *atol);
    r->options.rtol = rtol;
    r->options.atol = r->atol;
    setup_control(r);
}

static const dd_integrator_ops irk_ops = {
    .start = irk_start,
    .step = irk_step,
    .interpolate = dd_irk_interpolate,
    .free = irk_free,
    .set_tolerance = irk_set_tolerance,
    .record = dd_irk_record,
    .dense = dd_irk_weights,
};

static dd_status build(irk *r)
{
    dd_status st = allocate(r);
    st = st == DD_OK ? dd_rhs_new(&r->rhs, r->base.ctx, r->base.problem) : st;
    if (st == DD_OK) {
        /* coupled stages need one large matrix, diagonal methods one of size n per A_ii */
        st = r->tableau->structure == DD_TABLEAU_IMPLICIT ? make_matrix(r) : make_stage_solvers(r);
    }
    if (st == DD_OK && r->options.project) {
        st = dd_projector_new(&r->projector, r->base.ctx, r->base.problem);
    }
    if (st == DD_OK) {
        irk_set_tolerance(&r->base, r->options.rtol, r->options.atol);
        dd_irk_dense_setup(r);
    }
    return st;
}

dd_status dd_irk_new(dd_integrator **out, dd_context *ctx, const dd_problem *problem, const dd_tableau *tableau,
                     const dd_integ_options *options)
{
    *out = NULL;
    /* without an embedded formula there is no estimate to choose steps by */
    if (!(options->fixed_step > 0) && tableau->embedded_order == 0) {
        return dd_fail(ctx, DD_INVALID_ARGUMENT,
                       "the method %s has no embedded formula to control its error: give a step size", tableau->name);
    }
    irk *r = dd_mem_new_array(ctx, 1, sizeof *r);
    if (!r) {
        return DD_OUT_OF_MEMORY;
    }
    r->base =
        (dd_integrator){.ops = &irk_ops, .ctx = ctx, .problem = problem, .name = tableau->name, .worst = DD_NO_INDEX};
    r->self = r;
    r->options = *options;
    r->tableau = tableau;
    r->n = problem->n;
    r->s = tableau->stages;
    /* batches are evaluated in groups of four points */
    r->ld = (r->s + 3) / 4 * 4;
    r->first = first_is_known(r);
    r->end_open = options->higher_index && !tableau->stiffly_accurate;
    /* owned parts are freed by the common routine, also when only some exist */
    dd_status st = build(r);
    if (st != DD_OK) {
        irk_free(&r->base);
        return st;
    }
    *out = &r->base;
    return DD_OK;
}
