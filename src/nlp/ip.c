/* ip.c - the loop of the interior-point solver (W&B algorithm A): barrier, direction, search, restoration, ends. */
#include "nlp/ip.h"

#include <math.h>
#include <string.h>

#include "nlp/ip_impl.h"
#include "nlp/kkt_kinds.h"

#define LARGEST_THETA 1e4 /* times theta at the start: more is never accepted */
#define SMALL_THETA 1e-4  /* the same: below it the barrier function decides */

/* the looser test */
#define ACCEPTABLE 1e-6
#define ACCEPTABLE_VIOLATION 1e-4
#define ACCEPTABLE_COMPLEMENTARITY 1e-2
#define ACCEPTABLE_AFTER 15u

#define UNSCALED_VIOLATION 1e-4 /* "optimal" never violates a row by more, in the user's units */
#define POLISHED 10.0           /* times the tolerance: violated by less, in the user's units, without further steps */
#define MOST_POLISHING 3u
#define SAME 2.0 /* times the least barrier, which changes with the objective and the active bounds */
#define ROWS_COST                                                                                                      \
    10.0         /* times the gap of the options: what rows that do not hold exactly may change the objective by */
#define GAP 1e-6 /* of the objective's size: what the last barrier may cost, in the user's units */
#define COST_MOST 1e-4   /* of the objective's size: "optimal" never misses it by more for its barrier's sake */
#define SLOPE_MOST 1e-4  /* of objective and gradient: a gradient of the Lagrangian above is followed further, */
#define MOST_SLOPES 30u  /* for so many steps: rounding may hide the rest where objectives were scaled down by much */
#define DIVERGING 1e12   /* variables larger than this: unbounded, */
#define BOTTOMLESS -1e18 /* or a feasible point whose scaled objective is below this: slopes are at most 100 at first */
/* a search that has stalled: most of the last iterations have short steps, and the violation is not halved */
#define STALL_WINDOW 20u
#define STALL_STEPS 15u
#define SHORT_STEP 0.1
#define STALL_GAIN 0.5
#define ASTRAY 1e8 /* variables larger than this with rows that do not hold */

/* ---- limits and reports ---- */

bool dd_ip_must_stop(dd_ip_base *b)
{
    const dd_nlp_options *o = b->options;
    b->stopped = b->stopped || (o->stop != NULL && o->stop(o->user));
    return b->stopped;
}

static bool out_of_time(const dd_ip_base *b)
{
    return b->options->max_seconds > 0 && dd_clock_seconds() - b->begin > b->options->max_seconds;
}

/* The iterate that violates least, and among those within the tolerance the one that costs least. */
static void keep_best(dd_ip *ip, double objective, double violation)
{
    dd_ip_base *b = ip->base;
    violation = fmax(violation, b->options->tolerance);
    if (violation < b->best_violation || (violation == b->best_violation && objective < b->best_objective)) {
        dd_ip_unscaled(b, ip->now.w, b->best);
        b->best_objective = objective;
        b->best_violation = violation;
    }
}

static double largest_step(const dd_ip *ip)
{
    return dd_ip_largest(ip->dw, ip->n);
}

bool dd_ip_report(dd_ip *ip, const dd_ip_errors *errors)
{
    dd_ip_base *b = ip->base;
    const dd_nlp_options *o = b->options;
    double violation = dd_ip_true_violation(ip, &ip->now), objective = NAN;
    /* the restoration has another objective: that of the program is asked for */
    if (ip->outer == NULL) {
        objective = dd_ip_true_objective(ip, &ip->now);
    } else {
        dd_ip_unscaled(b, ip->now.w, b->x);
        if (!b->nlp->objective(b->nlp->user, b->x, b->evaluated != ip->now.serial, &objective)) {
            objective = NAN;
        }
        b->evaluated = ip->now.serial;
    }
    keep_best(ip, isnan(objective) ? INFINITY : objective, violation);
    if (o->progress != NULL) {
        bool evaluated = false;
        if (b->scaled_x) {
            dd_ip_unscaled(b, ip->now.w, b->x);
        }
        dd_nlp_iteration it = {.number = b->iterations,
                               .objective = objective,
                               .violation = violation,
                               .dual_infeasibility = errors->dual,
                               .barrier = ip->mu,
                               .step = b->iterations > 0 ? largest_step(ip) : 0,
                               .regularization = ip->delta_w,
                               .alpha = ip->alpha,
                               .restoration = ip->outer != NULL,
                               .x = b->scaled_x ? b->x : ip->now.w,
                               .evaluated = &evaluated};
        b->stopped = b->stopped || !o->progress(o->user, &it);
        b->evaluated = evaluated ? 0 : b->evaluated;
    }
    return dd_ip_must_stop(b);
}

/* ---- ends ---- */

static bool is_acceptable(const dd_ip *ip, const dd_ip_errors *e)
{
    return e->total <= ACCEPTABLE && e->complementarity <= ACCEPTABLE_COMPLEMENTARITY &&
           dd_ip_true_violation(ip, &ip->now) <= ACCEPTABLE_VIOLATION;
}

static double farthest(const dd_ip *ip)
{
    return dd_ip_largest(ip->now.w, ip->n);
}

/* Iterates that run off and violate the rows say nothing about the objective. While rounding still shows the violation,
 * once, the restoration looks whether there are feasible points at all. */
static bool is_astray(const dd_ip *ip)
{
    return ip->outer == NULL && !ip->strayed && farthest(ip) > ASTRAY && dd_ip_residual(ip) > UNSCALED_VIOLATION;
}

/* Short steps for long that do not reduce the violation: near a minimum of it that is not zero multipliers grow without
 * end, and the filter still accepts. Then the restoration has its turn. Asked once per iteration. */
static bool is_stalled(dd_ip *ip)
{
    if (ip->outer != NULL) {
        return false;
    }
    ip->short_steps += ip->alpha < SHORT_STEP ? 1 : 0;
    if (++ip->window < STALL_WINDOW) {
        return false;
    }
    bool stalled = ip->short_steps >= STALL_STEPS && ip->now.theta > STALL_GAIN * ip->window_theta &&
                   dd_ip_residual(ip) > UNSCALED_VIOLATION;
    ip->window = ip->short_steps = 0;
    ip->window_theta = ip->now.theta;
    return stalled;
}

/* What the objective changes by, to first order, where the rows are made to hold: y^T c. */
static double cost_of_rows(const dd_ip *ip)
{
    double sum = 0;
    for (uint32_t i = 0; i < ip->m; i++) {
        sum += ip->y[i] * ip->now.c[i];
    }
    return fabs(sum);
}

/* Rows that were scaled down may be violated by more than the tolerance in the user's units: a few further steps
 * make that small, if rounding allows it. Likewise an objective that was scaled down needs a smaller barrier. */
static bool holds(dd_ip *ip, const dd_ip_errors *e)
{
    if (ip->outer != NULL) {
        return true;
    }
    double fine = POLISHED * ip->base->options->tolerance;
    if (dd_ip_residual(ip) > fine && ip->polished < MOST_POLISHING && !dd_ip_rows_are_rounding(ip, fine)) {
        ip->polished++;
        return false;
    }
    /* likewise rows whose residuals show in the objective */
    const double allowed = ROWS_COST * ip->base->options->gap * fabs(ip->now.objective);
    if (allowed > 0 && ip->polished < MOST_POLISHING && cost_of_rows(ip) > allowed && !dd_ip_rows_are_rounding(ip, 0)) {
        ip->polished++;
        return false;
    }
    if (e->dual > dd_ip_slope_allowed(ip, SLOPE_MOST) && ip->sloping < MOST_SLOPES) {
        ip->sloping++;
        return false;
    }
    double gap = e->complementarity / ip->base->f_scale;
    double most = GAP * fmax(1, fabs(dd_ip_true_objective(ip, &ip->now)));
    if (gap > most && ip->precision > DD_IP_LEAST_PRECISION) {
        ip->precision = fmax(DD_IP_LEAST_PRECISION, 0.5 * ip->precision * most / gap);
        return false;
    }
    if (gap > most && ip->mu > SAME * dd_ip_least_barrier(ip)) {
        return false; /* on its way there */
    }
    return dd_ip_true_violation(ip, &ip->now) <= UNSCALED_VIOLATION;
}

static bool is_optimal(const dd_ip *ip, const dd_ip_errors *e)
{
    const dd_nlp_options *o = ip->base->options;
    double complementarity = o->complementarity > 0 ? o->complementarity : UNSCALED_VIOLATION;
    return e->total <= o->tolerance && e->complementarity <= complementarity;
}

/* The verdict where no step leads further. Where no multipliers exist (double roots), those of Newton's method never
 * settle: the best ones for the point are tried. */
static dd_nlp_status verdict(dd_ip *ip)
{
    dd_ip_errors e = dd_ip_measure(ip, 0);
    if (ip->outer == NULL && !is_acceptable(ip, &e) && dd_ip_residual(ip) <= ip->base->options->tolerance) {
        memcpy(ip->dy, ip->y, ip->m * sizeof *ip->dy);
        dd_ip_least_squares_multipliers(ip, INFINITY);
        dd_ip_errors other = dd_ip_measure(ip, 0);
        if (other.total < e.total) {
            e = other;
        } else { /* no better: back to Newton's */
            memcpy(ip->y, ip->dy, ip->m * sizeof *ip->y);
            dd_ip_lagrangian(ip);
        }
    }
    if (ip->outer == NULL) {
        dd_ip_excuse_rounding(ip, &e);
    }
    const double gap = e.complementarity / ip->base->f_scale, size = fabs(dd_ip_true_objective(ip, &ip->now));
    bool fine = dd_ip_true_violation(ip, &ip->now) <= UNSCALED_VIOLATION && is_optimal(ip, &e) &&
                (ip->outer != NULL || gap <= COST_MOST * fmax(1, size));
    return fine ? DD_NLP_OPTIMAL : is_acceptable(ip, &e) ? DD_NLP_ACCEPTABLE : DD_NLP_FAILED;
}

/* Where the caller says what the barrier may cost, the way goes on until it costs about that. */
static bool is_last_barrier(const dd_ip *ip, const dd_ip_errors *e)
{
    return ip->outer != NULL || ip->base->options->gap <= 0 || ip->mu <= SAME * dd_ip_least_barrier(ip) ||
           e->complementarity <= SAME * dd_ip_least_barrier(ip);
}

/* True: the phase ends here with *status. */
static bool has_ended(dd_ip *ip, const dd_ip_errors *e, dd_nlp_status *status)
{
    const dd_ip_base *b = ip->base;
    const dd_nlp_options *o = b->options;
    /* a square program may end with the multipliers of its rows alone */
    dd_ip_errors here = *e;
    e = !is_optimal(ip, e) && dd_ip_square_ends(ip, &here) ? &here : e;
    if ((is_optimal(ip, e) && is_last_barrier(ip, e) && holds(ip, e)) || dd_ip_ends_without_cost(ip)) {
        *status = DD_NLP_OPTIMAL;
        return true;
    }
    /* acceptable for many iterations; for longer where it still converges */
    *status = DD_NLP_ACCEPTABLE;
    ip->acceptable = ip->outer == NULL && is_acceptable(ip, e) ? ip->acceptable + 1 : 0;
    bool converges = dd_ip_barrier_falls(ip, e) || (ip->alpha >= 1 && ip->delta_w == 0);
    if (ip->acceptable >= (converges ? 2 : 1) * ACCEPTABLE_AFTER) {
        return true;
    }
    *status = DD_NLP_UNBOUNDED;
    const bool feasible = ip->outer == NULL && dd_ip_residual(ip) <= o->tolerance;
    if (farthest(ip) > DIVERGING || (ip->now.objective < BOTTOMLESS && feasible)) {
        return true;
    }
    /* iterations, or steps that a caller regards as jammed */
    *status = DD_NLP_ITERATION_LIMIT;
    const bool jams = ip->outer != NULL || fmin(ip->alpha, ip->alpha_dual) < o->least_step;
    if (b->iterations >= o->max_iterations || (o->least_step > 0 && b->iterations > 0 && jams)) {
        return true;
    }
    *status = DD_NLP_TIME_LIMIT;
    return out_of_time(b);
}

/* A search that found nothing. True: it goes on from another point. */
static bool go_on(dd_ip *ip, const dd_ip_errors *e, dd_nlp_status *status)
{
    dd_ip_base *b = ip->base;
    if (ip->outer != NULL) {
        /* new elastic variables for the same x, once */
        *status = DD_NLP_FAILED;
        if (ip->centred) {
            return false;
        }
        ip->centred = true;
        dd_ip_centre_elastic(ip);
        dd_ip_reset_filter(ip);
        return dd_ip_evaluate(ip, &ip->now) && dd_ip_derivatives(ip);
    }
    /* nothing to restore at a feasible point */
    if (ip->now.theta <= b->options->tolerance * 1e-2 || dd_ip_rows_are_rounding(ip, 0)) {
        *status = verdict(ip);
        return false;
    }
    bool nearly = is_acceptable(ip, e);
    *status = nearly ? DD_NLP_ACCEPTABLE : DD_NLP_FAILED;
    switch (dd_ip_restore(ip)) {
    case DD_IP_RESTORED:
        return true;
    case DD_IP_INFEASIBLE:
        *status = DD_NLP_INFEASIBLE;
        return false;
    case DD_IP_RESTORE_STOPPED:
        *status = ip->inner_end;
        return false;
    default:
        *status = b->failed && !nearly ? DD_NLP_EVALUATION_ERROR : *status;
        return false;
    }
}

/* ---- the loop ---- */

/* Derivatives at the point that was accepted. */
static bool arrive(dd_ip *ip)
{
    if (ip->base->quasi == NULL) {
        return dd_ip_derivatives(ip);
    }
    dd_ip_quasi_leave(ip, ip->trial.w); /* accepting has swapped the two points */
    if (!dd_ip_derivatives(ip)) {
        return false;
    }
    dd_ip_quasi_arrive(ip);
    return true;
}

/* Steps that are all rounding: a smaller barrier, or the end. */
static bool settle_tiny(dd_ip *ip, dd_nlp_status *status)
{
    if (ip->tiny_steps < 2) {
        return true;
    }
    bool least = ip->mu <= dd_ip_least_barrier(ip);
    if (least) {
        *status = verdict(ip);
        return false;
    }
    dd_ip_errors now = dd_ip_measure(ip, 0);
    dd_ip_update_barrier(ip, &now, true);
    return true;
}

/* One iteration from a point with derivatives. False: the phase ends with *status. */
static bool iterate(dd_ip *ip, const dd_ip_errors *e, dd_nlp_status *status)
{
    dd_ip_base *b = ip->base;
    *status = DD_NLP_EVALUATION_ERROR;
    if (b->quasi == NULL && !dd_ip_hessian(ip)) {
        return false;
    }
    dd_ip_found found = DD_IP_NONE;
    bool astray = is_astray(ip), lost = is_stalled(ip) || astray;
    ip->strayed = ip->strayed || astray;
    bool has_step =
        !lost && dd_ip_factor(ip) && dd_ip_probe_barrier(ip) && dd_ip_direction(ip, ip->now.c, ip->dw, ip->dy);
    if (!has_step) {
        memset(ip->dw, 0, ip->nw * sizeof *ip->dw);
        dd_ip_set_reference(ip);
        ip->watch = 0;
    } else {
        const dd_ip_reach reach = dd_ip_bound_steps(ip, ip->mu, ip->tau);
        if (ip->soft > 0) {
            dd_ip_set_reference(ip);
        } else {
            found = dd_ip_search(ip, reach);
        }
    }
    *status = DD_NLP_INTERRUPTED;
    if (b->stopped || found == DD_IP_STOPPED || b->status != DD_OK) {
        return false;
    }
    /* what the filter refuses may still be a good step of Newton's method; else the restoration has its turn */
    if (found == DD_IP_NONE) {
        if (has_step && ip->outer == NULL && dd_ip_soft_step(ip)) {
            b->iterations++;
            return true;
        }
        /* off the way and not brought back: on as before */
        return go_on(ip, e, status) ||
               (lost && *status == DD_NLP_FAILED && b->status == DD_OK && dd_ip_derivatives(ip));
    }
    b->iterations++;
    ip->centred = false;
    ip->tiny_steps = found == DD_IP_TINY ? ip->tiny_steps + 1 : 0;
    *status = DD_NLP_EVALUATION_ERROR;
    return arrive(ip) && settle_tiny(ip, status);
}

dd_nlp_status dd_ip_run(dd_ip *ip)
{
    dd_nlp_status status = DD_NLP_FAILED;
    ip->precision = 1;
    ip->sloping = 0;
    ip->theta_max = LARGEST_THETA * fmax(1, ip->now.theta);
    ip->theta_min = SMALL_THETA * fmax(1, ip->now.theta);
    dd_ip_reset_filter(ip);
    for (bool first = true;; first = false) {
        dd_ip_errors e = dd_ip_measure(ip, 0);
        /* the point where a restoration begins was reported before */
        if ((ip->outer == NULL || !first) && dd_ip_report(ip, &e)) {
            return DD_NLP_INTERRUPTED;
        }
        if (ip->outer != NULL && !first && dd_ip_outer_accepts(ip)) {
            ip->left = true;
            return DD_NLP_OPTIMAL;
        }
        if (has_ended(ip, &e, &status)) {
            return status;
        }
        dd_ip_update_barrier(ip, &e, false);
        if (!iterate(ip, &e, &status)) {
            return status;
        }
    }
}

/* ---- the solver ---- */

/* The point and its objective: the best where it was stopped, else the last. */
static void give_point(dd_ip *ip, dd_nlp_status status)
{
    dd_ip_base *b = ip->base;
    const dd_nlp *nlp = b->nlp;
    dd_nlp_result *r = b->result;
    bool limited = status == DD_NLP_INTERRUPTED || status == DD_NLP_TIME_LIMIT || status == DD_NLP_ITERATION_LIMIT;
    if (limited) {
        memcpy(r->x, b->best, nlp->n * sizeof *r->x);
    } else {
        dd_ip_unscaled(b, ip->now.w, r->x);
    }
    /* the bounds had given way a little */
    for (uint32_t i = 0; i < nlp->n; i++) {
        r->x[i] = fmin(fmax(r->x[i], nlp->x_lower[i]), nlp->x_upper[i]);
    }
    if (!nlp->objective(nlp->user, r->x, true, &r->objective)) {
        r->objective = NAN;
    }
    /* what is optimal has a value: that of the iterate, whose functions were finite */
    if (isnan(r->objective) && (status == DD_NLP_OPTIMAL || status == DD_NLP_ACCEPTABLE)) {
        dd_ip_unscaled(b, ip->now.w, r->x);
        r->objective = dd_ip_true_objective(ip, &ip->now);
    }
}

static void give_result(dd_ip *ip, dd_nlp_status status)
{
    dd_ip_base *b = ip->base;
    const dd_nlp *nlp = b->nlp;
    dd_nlp_result *r = b->result;
    give_point(ip, status);
    /* multipliers in the units of the caller: the solver's belong to scaled variables, rows and cost */
    for (uint32_t i = 0; i < nlp->n; i++) {
        double factor = b->x_scale[i] / b->f_scale;
        r->z_lower[i] = ip->zl[i] * factor;
        r->z_upper[i] = ip->zu[i] * factor;
    }
    for (uint32_t i = 0; i < nlp->m; i++) {
        r->lambda[i] = ip->y[i] * b->c_scale[i] / b->f_scale;
    }
    /* residuals at mu = 0, and the effort */
    dd_ip_errors e = dd_ip_measure(ip, 0);
    r->status = status;
    r->violation = dd_ip_true_violation(ip, &ip->now);
    r->dual_infeasibility = e.dual;
    r->complementarity = e.complementarity;
    r->iterations = b->iterations;
    r->factorizations = b->factorizations;
    r->objective_factor = ip->base->f_scale;
    r->regularization = ip->delta_w > ip->least_delta ? ip->delta_w : 0;
    r->failed = b->failed && r->failed_at != NULL;
    r->seconds_evaluate = b->seconds_evaluate;
    r->seconds_factor = b->seconds_factor;
    dd_ip_look_at_scaling(ip, status);
}

/* Without variables there is nothing to solve: the rows hold or they do not. */
static dd_nlp_status judge_start(dd_ip *ip)
{
    return dd_ip_true_violation(ip, &ip->now) <= ip->base->options->tolerance ? DD_NLP_OPTIMAL : DD_NLP_INFEASIBLE;
}

static dd_nlp_status run_from_start(dd_ip *ip)
{
    uint32_t free = 0;
    for (uint32_t i = 0; i < ip->n; i++) {
        free += ip->base->fixed[i] ? 0 : 1;
    }
    bool started = dd_ip_start(ip);
    if (ip->base->status != DD_OK || dd_ip_must_stop(ip->base)) {
        return DD_NLP_INTERRUPTED;
    }
    if (!started) {
        return DD_NLP_EVALUATION_ERROR;
    }
    ip->costless = !(dd_ip_largest(ip->gradient, ip->n) > 0);
    ip->solutions = 0;
    return free == 0 ? judge_start(ip) : dd_ip_run(ip);
}

/* Stopped while the linear systems were planned: the point is the caller's. */
static void give_start(const dd_ip_base *b, dd_status stop)
{
    dd_nlp_result *r = b->result;
    r->status = stop == DD_TIME_LIMIT ? DD_NLP_TIME_LIMIT : DD_NLP_INTERRUPTED;
    r->violation = r->dual_infeasibility = r->complementarity = NAN;
    r->iterations = r->factorizations = 0;
    r->regularization = 0;
    r->failed = false;
    r->seconds_evaluate = r->seconds_factor = 0;
    if (!b->nlp->objective(b->nlp->user, r->x, true, &r->objective)) {
        r->objective = NAN;
    }
}

static bool is_stop(dd_status status)
{
    return status == DD_TIME_LIMIT || status == DD_INTERRUPTED;
}

/* A solve and what the next one of the same program can use again. */
typedef struct session {
    dd_ip_base base;
    dd_ip ip;
} session;

static void close_session(dd_context *ctx, void *kept)
{
    session *s = kept;
    dd_ip_free(&s->ip);
    dd_ip_base_free(&s->base);
    dd_mem_free(ctx, s, sizeof *s);
}

/* The session before where it fits, else a new one. *out is NULL when there is no memory for it. */
static dd_status open_session(session **out, dd_context *ctx, const dd_nlp *nlp, const dd_nlp_options *options,
                              dd_nlp_result *result)
{
    dd_nlp_memory *memory = options->memory;
    const double begin = dd_clock_seconds();
    session *s = memory != NULL ? memory->kept : NULL;
    if (s != NULL && dd_ip_base_fits(&s->base, nlp, options)) {
        memory->kept = NULL; /* given back at the end of the solve */
        s->base.nlp = nlp;
        s->base.options = options;
        s->base.result = result;
        s->base.begin = begin;
        dd_ip_base_again(&s->base);
        *out = s;
        return DD_OK;
    }
    dd_nlp_memory_free(memory);
    *out = s = dd_mem_new_array(ctx, 1, sizeof *s);
    if (s == NULL) {
        return dd_fail(ctx, DD_OUT_OF_MEMORY, "%s", dd_status_text(DD_OUT_OF_MEMORY));
    }
    s->base =
        (dd_ip_base){.ctx = ctx, .nlp = nlp, .options = options, .result = result, .begin = begin, .status = DD_OK};
    return dd_ip_base_new(&s->base);
}

/* Kept for the next solve, or freed. */
static void leave_session(session *s, const dd_nlp_options *options, bool keep)
{
    dd_context *ctx = s->base.ctx;
    if (s->base.inner != NULL) {
        dd_ip_free(s->base.inner);
        dd_mem_free(ctx, s->base.inner, sizeof *s->base.inner);
        s->base.inner = NULL;
    }
    if (keep && options->memory != NULL) {
        *options->memory = (dd_nlp_memory){ctx, s, close_session};
    } else {
        close_session(ctx, s);
    }
}

static dd_status run(dd_context *ctx, const dd_nlp *nlp, const dd_nlp_options *options, dd_nlp_result *result)
{
    session *s;
    result->dependent_count = 0;
    dd_status status = open_session(&s, ctx, nlp, options, result);
    if (s == NULL) {
        return status;
    }
    const double begin = s->base.begin;
    if (is_stop(status)) {
        give_start(&s->base, status);
        leave_session(s, options, false);
        result->seconds_total = dd_clock_seconds() - begin;
        return DD_OK;
    }
    status = status == DD_OK ? dd_ip_new(&s->ip, &s->base, NULL) : status;
    if (status == DD_OK) {
        dd_nlp_status end = run_from_start(&s->ip);
        status = is_stop(s->base.status) ? DD_OK : s->base.status;
        give_result(&s->ip, s->base.status == DD_TIME_LIMIT ? DD_NLP_TIME_LIMIT : end);
    }
    result->seconds_total = dd_clock_seconds() - begin;
    leave_session(s, options, status == DD_OK);
    /* factorisations fail without a message */
    return status == DD_OUT_OF_MEMORY ? dd_fail(ctx, status, "%s", dd_status_text(status)) : status;
}

static bool available(void)
{
    return true;
}

const dd_nlp_solver dd_nlp_solver_daedal = {"daedal", available, NULL, run};
