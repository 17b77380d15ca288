/* radau.c - steps and control of the Radau integrator. Start reading at radau_step().
 *
 * The error estimate (radau_error.c) is of order s; the step size follows from it by Gustafsson's predictive
 * control, and tolerances are transformed so that the error of the result is near what was asked for
 * (radau_order.c).
 *
 * The matrices of Newton's method are taken at the middle stage of the predicted step, not at its start: how fast it
 * converges is decided by how far they are from those at the stages, which is half as far from there.
 */
#include "integ/radau.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "integ/radau_impl.h"

/* Where it is to be kept the polynomial's error is kept below 1/DENSE of the tolerance. */
static const double DENSE = 2.0;

/* Estimates that are this many times larger than their order predicts, for 3, 5 and 7 stages, are those of a kink:
 * halving a step makes what a kink in the second derivative does 8 times smaller, a smooth solution's estimate
 * 2^(s+1) times. They are kept below 1/KINK of the tolerance. */
static const double ROUGH[DD_RADAU_ORDERS] = {5.0, 15.0, 30.0}, KINK = 6.0;

/* Rounding errors in first integrals are taken out in the stages from this part of the tolerance on. */
static const double CONSERVED = 0.01;

/* Step size control as in RADAU5 (Hairer & Wanner II, sec. IV.8): safety factor, limits of one change; factors are kept
 * while the step would grow by less than KEPT. */
static const double SAFETY = 0.9, MOST_SHRINK = 5.0, MOST_GROWTH = 8.0, KEPT = 1.2;
/* Shortening after the first step's rejection, where Newton diverged or a matrix is singular, and after a projection
 * that moved too far: FARTHEST, in units of the tolerance. */
static const double FIRST_SHRINK = 0.1, HALF = 0.5, QUARTER = 0.25, FARTHEST = 2.0;
/* Rates of convergence: below GOOD the matrices are kept; above SLOW the next step is limited so that the rate,
 * which grows with h, stays near AIM (but not shortened below LEAST of the last step); see radau_order.c for those
 * of the order. */
static const double GOOD = 1e-3, SLOW = 0.1, AIM = 0.3, LEAST = 0.8;

/* ---- creation ---- */

static uint32_t order_index(uint32_t stages, uint32_t otherwise)
{
    return stages < 3 || stages > DD_RADAU_MOST ? otherwise : (stages - 3) / 2;
}

/* All arrays of numbers, by one table: field and length. */
/* clang-format off */
#define RADAU_ARRAYS(X)                                                                                                \
    X(base.w, n) X(base.wdot, n) X(atol, n) X(weight, s * n) X(m, nnz) X(j, nnz) X(u, s * n) X(du, s * n) X(z, ld * n)     \
    X(k, ld * n) X(stage, ld * n) X(f, ld * n) X(w_old, n) X(shift, n) X(scale, n) X(err, n) X(work, n) X(work2, n)                \
    X(z_last, ld * n) X(peak, n) X(share, n) X(assigned, 3 * r->n_assigned)
/* clang-format on */

/* One piece of memory, each array at the start of a cache line: vectors then never lie across two. */
enum { LINE = 8 }; /* numbers in a line */

static double *take(double *base, size_t *used, size_t length)
{
    double *place = base ? base + *used : NULL;
    *used += (length + LINE) / LINE * LINE;
    return place;
}

static size_t lay_out(radau *r, double *base)
{
    size_t n = r->n, nnz = r->base.problem->pattern.ptr[n], s = 3 + 2 * r->most, ld = s <= 4 ? 4 : 8, used = 0;
#define RADAU_TAKE(field, length) r->field = take(base, &used, length);
    RADAU_ARRAYS(RADAU_TAKE)
#undef RADAU_TAKE
    return used;
}

static dd_status allocate(radau *r)
{
    r->memory_length = lay_out(r, NULL) + LINE;
    /* one line more, so that the first array can begin at the start of a line */
    r->memory = dd_mem_new_array(r->base.ctx, r->memory_length, sizeof *r->memory);
    if (!r->memory) {
        return DD_OUT_OF_MEMORY;
    }
    size_t past = (uintptr_t)r->memory / sizeof *r->memory % LINE;
    lay_out(r, r->memory + (LINE - past) % LINE);
    return DD_OK;
}

static void radau_free(dd_integrator *it)
{
    radau *r = (radau *)it;
    dd_context *ctx = it->ctx;
    dd_mem_free(ctx, r->memory, r->memory_length * sizeof *r->memory);
    dd_pencil_free(r->real);
    for (uint32_t q = 0; q < (DD_RADAU_MOST - 1) / 2; q++) {
        dd_pencil_free(r->pair[q]);
    }
    dd_projector_free(r->projector);
    dd_conserve_free(r->conserve);
    dd_mem_free(ctx, r, sizeof *r);
}

static dd_status make_solvers(radau *r)
{
    const dd_problem *p = r->base.problem;
    dd_status st = dd_pencil_new(&r->real, r->base.ctx, &p->pattern, false, DD_PENCIL_AUTO);
    for (uint32_t q = 0; q < r->most + 1 && st == DD_OK; q++) {
        st = dd_pencil_new(&r->pair[q], r->base.ctx, &p->pattern, true, DD_PENCIL_AUTO);
    }
    if (st == DD_OK && r->options.project) {
        st = dd_projector_new_keeping(&r->projector, r->base.ctx, p);
    }
    st = st == DD_OK ? dd_conserve_new(&r->conserve, r->base.ctx, p, r->most + 1) : st;
    return st;
}

/* ---- control ---- */

static dd_step_verdict radau_start(dd_integrator *it, double t, const double *w, const double *wdot)
{
    radau *r = (radau *)it;
    /* nothing of the last run or mode is kept: no polynomial to continue, no matrices; sizes are, within a run */
    if (!(t >= it->t)) {
        memset(r->peak, 0, r->n * sizeof *r->peak);
    }
    it->t = it->t_old = t;
    memcpy(it->w, w, r->n * sizeof *w);
    memcpy(it->wdot, wdot, r->n * sizeof *wdot);
    r->last = DD_NO_INDEX;
    r->first = true;
    r->after_rejection = r->jacobian_fresh = r->factors_valid = false;
    r->faccon = 1.0;
    r->theta = r->theta_trend = 0.01;
    r->since_change = 0;
    r->forced_before = r->forced_size = r->h_accepted = r->err_own = 0;
    r->unlooked = DD_RADAU_SELDOM;
    dd_radau_use_order(r, r->least);
    dd_radau_set_weights(r);
    return DD_STEP_OK;
}

static bool factor(radau *r, double h, dd_step_verdict *verdict)
{
    const radau_order *o = &r->order[r->now];
    bool singular, any = false;
    uint32_t column;
    /* gamma/h M + J, then one complex matrix (alpha + i beta)/h M + J per pair */
    dd_status st = dd_pencil_factor(r->real, o->k.gamma / h, 0, r->m, r->j, &singular, &column);
    any = singular;
    r->base.worst = singular ? column : r->base.worst;
    for (uint32_t q = 0; q < o->k.pairs && st == DD_OK && !any; q++) {
        st = dd_pencil_factor(r->pair[q], o->k.alpha[q] / h, o->k.beta[q] / h, r->m, r->j, &singular, &column);
        any = any || singular;
        r->base.worst = singular ? column : r->base.worst;
    }
    r->base.stats.factorizations++;
    r->factors_valid = st == DD_OK && !any;
    /* directions that take rounding errors out of linear integrals belong to the factors */
    if (r->factors_valid && r->conserve) {
        const dd_residual_point at = {.w = r->base.w, .v = r->base.wdot, .m = r->m, .j = r->j, .stride = 1};
        const double part = CONSERVED * r->options.rtol / r->rtol_now;
        const bool needed = dd_conserve_begin(r->conserve, o->k.gamma / h, &at, r->weight, part);
        for (uint32_t q = 0; q <= o->k.pairs && needed; q++) {
            dd_conserve_update(r->conserve, q, q == 0 ? r->real : r->pair[q - 1], r->weight);
        }
    }
    r->h_factored = h;
    *verdict = st != DD_OK ? DD_STEP_OUT_OF_MEMORY : any ? DD_STEP_SINGULAR : DD_STEP_OK;
    return r->factors_valid;
}

/* The solution at the end of the step onto the invariants; false when that moves it by more than the tolerance. */
static bool project(radau *r, double t, double *w)
{
    if (!r->projector) {
        memset(r->shift, 0, r->n * sizeof *r->shift);
        return true;
    }
    /* the nearest point in the norm of the error test */
    for (uint32_t j = 0; j < r->n; j++) {
        r->scale[j] = 1.0 / r->weight[j];
    }
    r->scale_slope = r->weight_slope;
    dd_projection p = dd_project(r->projector, t, w, r->scale, 5, r->shift);
    r->base.stats.projections++;
    bool good = p.converged && p.moved < FARTHEST;
    if (good) {
        r->base.violation = fmax(r->base.violation, p.violation);
    }
    return good;
}

/* ---- one step ---- */

/* The 1/(s+1)-th power; control needs few digits. */
static double power(double x, uint32_t s)
{
    return powf((float)x, 1.0f / (float)(s + 1));
}

typedef struct attempt {
    double h;
    bool at_bound;
    uint32_t rejections;
    double forced;     /* estimated error of forced components */
    double err, h_err; /* the last estimate that was too large, and its h; 0: none */
    uint32_t order_err;
    dd_step_verdict why; /* of the last failure */
} attempt;

static void shorten(radau *r, attempt *a, double factor)
{
    a->h *= factor;
    a->at_bound = false;
    a->rejections++;
    r->factors_valid = false;
    r->after_rejection = true;
    r->base.stats.rejected++;
}

/* An estimate that was made before, with another h. */
typedef struct earlier {
    double err, h;
    uint32_t order;
} earlier;

/* Does it predict how large the next one is? Not of another order, nor from much shorter a step, where rounding is
 * all that is seen. */
static bool predicts(const radau *r, const earlier *e, double h)
{
    const double much = 3.0;
    return e->err > 0 && e->order == r->now && h <= much * e->h;
}

/* Is an estimate much larger than order s + 1 lets it be? */
static bool is_off(const radau *r, double err, double h, const earlier *e)
{
    const uint32_t s = 3 + 2 * r->now;
    return predicts(r, e, h) && err > ROUGH[r->now] * e->err * pow(h / e->h, s + 1);
}

/* The solution may have a kink in this step (a relation within noEvent that is taken as written). Then the result is no better
 * than its estimate, while transformed tolerances rely on a higher order: the tolerance asked for applies, unless
 * the last step or a longer try of this one shows that the estimate has its order. Estimates above index 1, and of
 * rounding errors, have none. */
static double rough_error(const radau *r, const attempt *a, double err)
{
    enum { MOST_TRIES = 12 }; /* a kink in the second derivative needs half of them */
    const double asked = KINK * err * r->rtol_now / r->options.rtol;
    const earlier last = {r->err_own, r->h_accepted, r->own}, longer = {a->err, a->h_err, a->order_err};
    if (r->base.smooth || err >= 1.0 || asked <= 1.0 || r->options.higher_index || a->rejections >= MOST_TRIES) {
        return err;
    }
    const bool known = predicts(r, &last, a->h) || predicts(r, &longer, a->h);
    return !known || is_off(r, err, a->h, &last) || is_off(r, err, a->h, &longer) ? asked : err;
}

static void accept(radau *r, const attempt *a, double bound, double err, double h_new, uint32_t iterations)
{
    const radau_order *o = &r->order[r->now];
    dd_integrator *it = &r->base;
    uint32_t n = r->n, s = o->k.s;
    /* x' at the end is that of the last stage */
    for (uint32_t j = 0; j < n; j++) {
        it->wdot[j] = r->k[(size_t)j * o->ld + s - 1];
    }
    it->t_old = it->t;
    it->t = a->at_bound ? bound : it->t + a->h;
    /* pointers rotate: Z of this step is the next polynomial */
    double *swap = r->z_last;
    r->z_last = r->z;
    r->z = swap;
    r->last = r->now;
    r->h_last = a->h;
    r->forced_before = a->forced;
    it->dense_error = r->dense_error;
    it->dense_rough = r->dense_rough;
    it->stats.steps++;
    it->name = s == 3 ? "radau5" : s == 5 ? "radau9" : "radau13";
    it->order = 2 * s - 1;
    it->error = err;
    /* Gustafsson's predictive controller: the trend of the last two errors (Hairer & Wanner II, IV.8) */
    if (!r->first) { /* predictive control */
        double g = r->h_accepted / a->h * power(err * err / r->err_accepted, s) / SAFETY;
        h_new = fmin(h_new, a->h / fmin(MOST_SHRINK, fmax(1.0 / MOST_GROWTH, g)));
    }
    bool was_first = r->first;
    double h_before = r->h_accepted;
    const double forced = a->forced;
    r->h_accepted = was_first ? a->h : h_before;
    dd_radau_choose_order(r, a->h);
    r->h_accepted = a->h;
    r->err_accepted = fmax(0.01, err);
    /* no growth right after a rejection */
    h_new = r->after_rejection ? fmin(h_new, a->h) : h_new;
    r->first = r->after_rejection = false;
    r->jacobian_fresh = false;
    if (iterations > 1 && r->theta > SLOW) { /* theta grows with h: not further than Newton is likely to follow */
        h_new = fmin(h_new, a->h * fmax(LEAST, AIM / r->theta));
    }
    double ratio = h_new / a->h;
    if (r->theta < GOOD && ratio >= 1.0 && ratio <= KEPT && r->factors_valid) {
        h_new = a->h; /* keep the factors */
    } else {
        r->factors_valid = false;
    }
    /* nor further than what is known of forced components allows */
    h_new = fmin(h_new, a->h * dd_radau_forced_growth(r, forced, h_before, a->h));
    it->h = a->at_bound ? fmax(h_new, it->h) : h_new;
    dd_radau_set_weights(r);
}

/* Newton did not converge: a new Jacobian first, then a shorter step. */
static void newton_failed(radau *r, attempt *a, const radau_newton_result *newton)
{
    r->base.stats.newton_failures++;
    /* lower order where Newton diverges: fewer stages are closer together */
    a->why = newton->end == RADAU_NONFINITE ? DD_STEP_NONFINITE : DD_STEP_NEWTON_FAILED;
    if (r->now > r->least && newton->end != RADAU_SLOW) {
        dd_radau_use_order(r, r->now - 1);
        dd_radau_set_weights(r);
        r->since_change = 0;
    }
    shorten(r, a, newton->end == RADAU_SLOW ? newton->shrink : HALF);
    r->faccon = 1.0;
}

/* M and J at the middle stage of the prediction; at the start of the step where there is none that deserves trust. */
static void evaluate_matrices(radau *r, const attempt *a)
{
    dd_integrator *it = &r->base;
    const dd_problem *p = it->problem;
    const radau_order *o = &r->order[r->now];
    const uint32_t middle = o->k.s / 2;
    /* a prediction that reaches far, or has failed several times, is no good point for matrices */
    bool at_start = r->last == DD_NO_INDEX || a->h > 4 * r->h_last || a->rejections > 3;
    it->stats.jacobians++;
    r->jacobian_fresh = at_start; /* else a step of another length has another middle */
    r->factors_valid = false;
    if (at_start) {
        p->jacobian(p->user, it->t, it->w, it->wdot, r->m, r->j);
        return;
    }
    /* the middle stage out of the rows of stages */
    for (uint32_t j = 0; j < r->n; j++) {
        r->work[j] = r->stage[(size_t)j * o->ld + middle];
        r->work2[j] = r->k[(size_t)j * o->ld + middle];
    }
    p->jacobian(p->user, it->t + o->k.c[middle] * a->h, r->work, r->work2, r->m, r->j);
}

/* The prediction, and factors for it. */
static bool prepare(radau *r, attempt *a)
{
    const dd_integrator *it = &r->base;
    /* matrices are kept while Newton converges by a factor of a thousand with them */
    bool stale = !r->jacobian_fresh && (r->theta >= GOOD || !r->factors_valid || it->stats.jacobians == 0);
    dd_radau_predict(r, a->h);
    if (stale) {
        evaluate_matrices(r, a);
    }
    if (!r->factors_valid || r->h_factored != a->h) {
        if (!factor(r, a->h, &a->why)) {
            shorten(r, a, HALF);
            return false;
        }
    }
    return true;
}

/* The errors of a step that was solved, in units of the tolerance. */
typedef struct errors {
    double estimate; /* of order s */
    double own;      /* of this step: a kink and the polynomial considered */
    double all;      /* forced components too, which may have been off before */
} errors;

static errors estimate_errors(radau *r, attempt *a)
{
    errors e = {.estimate = dd_radau_estimate(r, a->h)};
    e.own = rough_error(r, a, e.estimate);
    a->forced = e.own < 1.0 && !r->first && !r->options.higher_index ? dd_radau_forced(r, a->h, e.own)
                                                                     : 0.0; /* at the start delta is not known */
    if (r->options.dense != DD_DENSE_UNSEEN) {
        dd_radau_look_inside(r, a->h);
    }
    e.own = r->options.dense == DD_DENSE_KEPT ? fmax(e.own, DENSE * r->dense_error) : e.own;
    e.all = fmax(e.own, a->forced);
    return e;
}

/* x_{n+1} = x_n + Z_s, since Radau IIA is stiffly accurate, then onto the invariants. False: x stays where it was. */
static bool move_to_end(radau *r, const attempt *a)
{
    dd_integrator *it = &r->base;
    const radau_order *o = &r->order[r->now];
    memcpy(r->w_old, it->w, r->n * sizeof *it->w);
    for (uint32_t j = 0; j < r->n; j++) {
        it->w[j] += r->z[(size_t)j * o->ld + o->k.s - 1];
    }
    if (r->conserve) {
        dd_conserve_hold(r->conserve, it->w, r->weight);
    }
    if (!project(r, it->t + a->h, it->w)) {
        memcpy(it->w, r->w_old, r->n * sizeof *it->w);
        return false;
    }
    return true;
}

static dd_step_verdict radau_step(dd_integrator *it, double bound)
{
    radau *r = (radau *)it;
    /* the first step of a run, or behind an event */
    if (it->h <= 0 || r->first) {
        double h = r->options.first_step > 0 ? r->options.first_step
                   : it->h > 0               ? it->h
                                             : dd_radau_first_step(r, bound);
        it->h = h;
    }
    attempt a = {.h = it->h, .why = DD_STEP_OK};
    a.h = r->options.most_step > 0 ? fmin(a.h, r->options.most_step) : a.h;
    for (;;) {
        /* end exactly at the bound; a rest of a ten-thousandth is not left over */
        double left = bound - it->t;
        if (a.h * 1.0001 >= left) {
            a.h = left;
            a.at_bound = true;
        }
        /* t + h = t in floating point: report why the last attempt failed */
        if (a.h <= 10 * DBL_EPSILON * fmax(fabs(it->t), DBL_MIN) && !(a.at_bound && a.why == DD_STEP_OK)) {
            return a.why == DD_STEP_OK ? DD_STEP_STEP_TOO_SMALL : a.why;
        }
        if (!prepare(r, &a)) {
            if (a.why == DD_STEP_OUT_OF_MEMORY) {
                return a.why;
            }
            continue;
        }
        /* the stage equations */
        radau_newton_result newton = dd_radau_newton(r, a.h);
        if (newton.end != RADAU_CONVERGED) {
            newton_failed(r, &a, &newton);
            continue;
        }
        const errors e = estimate_errors(r, &a);
        /* many iterations of Newton's method shorten the next step a little */
        const uint32_t s = r->order[r->now].k.s, most = dd_radau_most_iterations(s);
        double safe = fmin(SAFETY, SAFETY * (1 + 2.0 * most) / (newton.iterations + 2.0 * most));
        double h_new = a.h / fmax(1.0 / MOST_GROWTH, fmin(MOST_SHRINK, power(e.all, s) / safe));
        /* rejected, unless the excess was there before the step began (forced components) */
        if (!(e.all < 1.0 || (e.own < 1.0 && a.forced - r->forced_before < 1.0))) {
            a.why = isfinite(e.all) ? DD_STEP_STEP_TOO_SMALL : DD_STEP_NONFINITE;
            a.err = e.estimate;
            a.h_err = a.h;
            a.order_err = r->now;
            shorten(r, &a, r->first || !isfinite(e.all) ? FIRST_SHRINK : h_new / a.h);
            continue;
        }
        if (!move_to_end(r, &a)) {
            a.why = DD_STEP_PROJECTION_FAILED;
            shorten(r, &a, QUARTER);
            continue;
        }
        r->err_own = e.estimate;
        r->own = r->now;
        accept(r, &a, bound, e.all, h_new, newton.iterations);
        return DD_STEP_OK;
    }
}

static void radau_set_tolerance(dd_integrator *it, double rtol, const double *atol)
{
    radau *r = (radau *)it;
    r->options.rtol = rtol;
    memcpy(r->atol, atol, r->n * sizeof *atol);
    r->assigned_atol = INFINITY;
    for (uint32_t j = 0; j < r->n; j++) {
        r->assigned_atol = fmin(r->assigned_atol, atol[j] / r->base.problem->nominal[j]);
    }
}

static const dd_integrator_ops radau_ops = {
    .start = radau_start,
    .step = radau_step,
    .interpolate = dd_radau_interpolate,
    .free = radau_free,
    .set_tolerance = radau_set_tolerance,
    .record = dd_radau_record,
    .dense = dd_radau_dense,
    .correct = dd_radau_correct,
};

dd_status dd_radau_new(dd_integrator **out, dd_context *ctx, const dd_problem *problem, const dd_integ_options *options)
{
    *out = NULL;
    radau *r = dd_mem_new_array(ctx, 1, sizeof *r);
    if (!r) {
        return DD_OUT_OF_MEMORY;
    }
    r->base =
        (dd_integrator){.ops = &radau_ops, .ctx = ctx, .problem = problem, .name = "radau5", .worst = DD_NO_INDEX};
    r->options = *options;
    r->n = problem->n;
    r->coupled = dd_problem_is_coupled(problem);
    r->n_assigned = options->assigned ? problem->n_assigned : 0;
    r->least = order_index(options->least_stages, 0);
    r->most = order_index(options->most_stages, DD_RADAU_ORDERS - 1);
    dd_status st = allocate(r);
    if (st == DD_OK) {
        st = make_solvers(r);
    }
    if (st != DD_OK) {
        radau_free(&r->base);
        return st;
    }
    radau_set_tolerance(&r->base, options->rtol, options->atol);
    r->options.atol = r->atol;
    *out = &r->base;
    return DD_OK;
}

const char *dd_step_verdict_text(dd_step_verdict v)
{
    static const char *const text[] = {
#define DD_STEP_TEXT(id, name) name,
        DD_STEP_LIST(DD_STEP_TEXT)
#undef DD_STEP_TEXT
    };
    return text[v];
}
