/* runaway.c - experiments with wide bounds and with a magnified cost. */
#include "ocp/runaway.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "ocp/columns.h"
#include "ocp/flat.h"

enum { KINDS = DD_COLUMN_OTHER, MOST_ITERATIONS = 300, SLOPE_ITERATIONS = 80 };
#define FAR_TIME 10    /* times the horizon of the guess: worth a look at a solution */
#define VERY_FAR 1e3   /* the same where no slope can be seen any more */
#define FAR_VALUE 1e3  /* times the size of the guess, or of the nominal value */
#define FAR_LOST 100   /* the same where there is no solution */
#define WIDE_TIME 100  /* bounds of the experiment, in horizons */
#define WIDE_VALUE 1e4 /* in sizes */
#define NARROW 1e-3    /* of these, where the model cannot be solved so far out */
#define WIDER 10       /* bounds of the second experiment, relative to the first */
#define GROWS 3        /* times, between the two: something that runs away before it is at the bounds */
#define GROWS_SLOWLY 1.02
#define AT_BOUND 0.98        /* of the bound */
#define ASIDE 0.03           /* how far a guess without slope is left, scaled */
#define UNMOVED 1e-9         /* scaled */
#define FIRST_PART 0.4       /* of the time, for the solve from a point near the guess */
#define MUCH_LESS 1e-3       /* cost: no rounding */
#define MAGNIFIED 1e6        /* the cost, where its slope is looked at */
#define LEADS_ON 2           /* growth there that is no rounding */
#define WALKS_ON 1.1         /* the same at the end of a steady walk: exp(x) with a slope of 1e-8 goes on to 1e-14 */
#define ROOM 10              /* times its value: a variable with less room to its bound cannot run away */
#define LEAST_SIZE 1e-6      /* of a guess */
#define AMONG_LARGEST 1e-3   /* of the largest growth: named with it */
#define GAIN 1e-6            /* of the cost, relative: above the tolerance of the solver */
#define WIDER_NARROW 4       /* bounds of the second narrow experiment, relative to the first, */
#define GAIN_NARROW 0.5      /* and the part by which the cost must fall there */
#define NO_RISE 1e-9         /* of the cost, relative: rounding */
#define FALLS 1e-10          /* the same for a cost that was magnified before */
#define FEASIBLE 1e-6        /* violation */
#define SMALL_OBJECTIVE 1e-3 /* smaller ones are compared with this */

/* All variables of one state, algebraic variable, control, parameter or time. */
typedef struct quantity {
    dd_column_kind kind;
    uint32_t index;
    double size;  /* of the user's guess, at least 1 (scaled); times: the horizon */
    double value; /* largest at the point, where no bound is near */
    bool at_bound;
} quantity;

typedef struct watch {
    dd_ocp *p;
    const dd_transcription *t;
    const dd_nlp *nlp;
    dd_pool *pool;
    const dd_column *columns;
    uint32_t first[KINDS + 1]; /* of the quantities of a kind */
    quantity *quantities;
    uint32_t n;
} watch;

static quantity *quantity_of(const watch *w, uint32_t column)
{
    const dd_column *c = &w->columns[column];
    return c->kind == DD_COLUMN_OTHER ? NULL : &w->quantities[w->first[c->kind] + c->index];
}

/* A time is measured from the other end of the horizon. */
static double extent(const watch *w, uint32_t column, const double *y)
{
    const dd_column *c = &w->columns[column];
    bool is_time = c->kind == DD_COLUMN_START_TIME || c->kind == DD_COLUMN_FINAL_TIME;
    return is_time ? dd_transcription_time(w->t, y, 1) - dd_transcription_time(w->t, y, 0) : fabs(y[column]);
}

/* The size of the user's value or guess: the guess of this mesh may be a solution of another that ran away already. */
static double first_size(const dd_ocp_problem *o, const quantity *q)
{
    dd_column c = {q->kind, q->index, 0};
    const dd_decision *d = dd_column_decision(o, &c);
    /* a free time: its size is the horizon */
    if (d == NULL) {
        return fmax(fabs(o->first_horizon), LEAST_SIZE);
    }
    /* the value in the text, scaled; at least 1, so that a guess of zero is not a size */
    const dd_variable *v = &o->model->vars.data[d->var];
    double value = v->kind == DD_KIND_PARAMETER ? v->value : v->start_value;
    uint32_t culprit;
    if (d->order == 0 && v->guess != DD_EXPR_NONE) {
        dd_model_evaluate(o->model, v->guess, false, &value, &culprit);
    }
    return isfinite(value) ? fmax(1, fabs(value) / d->scale) : 1;
}

static watch new_watch(dd_ocp *p)
{
    const dd_ocp_problem *o = p->problem;
    watch w = {.p = p, .t = p->transcription, .nlp = p->transcription->nlp, .pool = dd_pool_child(p->pool)};
    /* one quantity per state, algebraic variable, control and parameter, whatever the number of points */
    uint32_t counts[KINDS] = {
        [DD_COLUMN_STATE] = o->x.len,     [DD_COLUMN_ALGEBRAIC] = o->z.len, [DD_COLUMN_CONTROL] = o->u.len,
        [DD_COLUMN_PARAMETER] = o->p.len, [DD_COLUMN_START_TIME] = 1,       [DD_COLUMN_FINAL_TIME] = 1};
    w.columns = dd_ocp_columns(w.t, w.pool);
    for (int k = 0; k < KINDS; k++) {
        w.first[k] = w.n;
        w.n += counts[k];
    }
    w.quantities = dd_pool_alloc_array(w.pool, w.n + 1, sizeof *w.quantities);
    for (uint32_t k = 0; k < KINDS; k++) {
        for (uint32_t i = 0; i < counts[k]; i++) {
            w.quantities[w.first[k] + i] = (quantity){.kind = (dd_column_kind)k, .index = i};
        }
    }
    for (uint32_t i = 0; i < w.n; i++) {
        w.quantities[i].size = first_size(p->problem, &w.quantities[i]);
    }
    return w;
}

/* Whether a variable could go on where it goes. */
static bool open_at(const watch *w, uint32_t j, double value)
{
    /* room for ten times its value before its bound */
    return value >= 0 ? w->nlp->x_upper[j] > value + ROOM * fabs(value)
                      : w->nlp->x_lower[j] < value - ROOM * fabs(value);
}

static void look(watch *w, const double *y)
{
    for (uint32_t i = 0; i < w->n; i++) {
        w->quantities[i].value = 0;
    }
    /* the largest value at all points, of those that could go on */
    for (uint32_t j = 0; j < w->nlp->n; j++) {
        quantity *q = quantity_of(w, j);
        if (q != NULL && open_at(w, j, y[j])) {
            q->value = fmax(q->value, extent(w, j, y));
        }
    }
}

static bool is_time(const quantity *q)
{
    return q->kind == DD_COLUMN_START_TIME || q->kind == DD_COLUMN_FINAL_TIME;
}

static const char *name_of(const watch *w, const quantity *q)
{
    dd_column c = {q->kind, q->index, 0};
    const dd_decision *d = dd_column_decision(w->p->problem, &c);
    if (d == NULL) {
        return q->kind == DD_COLUMN_FINAL_TIME ? "finalTime" : "startTime";
    }
    const char *name = dd_model_var_name_dup(w->p->problem->model, d->var, w->p->pool);
    return d->order > 0 ? dd_pool_printf(w->p->pool, "der(%s)", name) : name;
}

/* Decisions come before the variables that follow from them. */
static void name_runaways(const watch *w, const bool *which, dd_diagnosis *out)
{
    static const dd_column_kind order[] = {DD_COLUMN_FINAL_TIME, DD_COLUMN_START_TIME, DD_COLUMN_CONTROL,
                                           DD_COLUMN_PARAMETER,  DD_COLUMN_STATE,      DD_COLUMN_ALGEBRAIC};
    /* a user can bound times, controls and parameters; states follow from them */
    for (size_t k = 0; k < sizeof order / sizeof *order; k++) {
        bool follows = order[k] == DD_COLUMN_STATE || order[k] == DD_COLUMN_ALGEBRAIC;
        for (uint32_t i = 0; i < w->n && !(follows && out->runaway.len > 0); i++) {
            if (which[i] && w->quantities[i].kind == order[k]) {
                dd_vec_push(w->p->pool, &out->runaway, name_of(w, &w->quantities[i]));
            }
        }
    }
}

bool dd_ocp_far_away(dd_ocp *p, bool solved)
{
    watch w = new_watch(p);
    bool found = false;
    look(&w, p->result.x);
    /* for a solution it takes more to be suspicious */
    for (uint32_t i = 0; i < w.n; i++) {
        const quantity *q = &w.quantities[i];
        double limit = is_time(q) ? FAR_TIME : solved ? FAR_VALUE : FAR_LOST;
        found = found || q->value > limit * q->size;
    }
    dd_pool_free(w.pool);
    return found;
}

void dd_ocp_name_largest(dd_ocp *p, dd_diagnosis *out)
{
    watch w = new_watch(p);
    double most = 0;
    look(&w, p->result.x);
    bool *which = dd_pool_alloc_array(w.pool, w.n + 1, sizeof *which);
    /* relative to the guess */
    for (uint32_t i = 0; i < w.n; i++) {
        most = fmax(most, w.quantities[i].value / fmax(w.quantities[i].size, LEAST_SIZE));
    }
    for (uint32_t i = 0; i < w.n; i++) {
        which[i] = w.quantities[i].value > AMONG_LARGEST * most * w.quantities[i].size;
    }
    name_runaways(&w, which, out);
    dd_pool_free(w.pool);
}

/* ---- solves of experiments ---- */

typedef struct experiment {
    double *memory, *lower, *upper;
    dd_nlp nlp;
    dd_nlp_result result;
    dd_limited limited;
} experiment;

static experiment new_experiment(watch *w, double deadline, const double *from)
{
    experiment x = {.nlp = *w->nlp, .limited = {w->p->ctx, deadline}};
    size_t n = w->nlp->n, m = w->nlp->m;
    /* one allocation: bounds, point, multipliers */
    x.memory = dd_pool_alloc_array(w->pool, 5 * n + m + 1, sizeof *x.memory);
    x.lower = x.memory;
    x.upper = x.lower + n;
    x.result.x = x.upper + n;
    x.result.z_lower = x.result.x + n;
    x.result.z_upper = x.result.z_lower + n;
    x.result.lambda = x.result.z_upper + n;
    memcpy(x.lower, w->nlp->x_lower, n * sizeof *x.lower);
    memcpy(x.upper, w->nlp->x_upper, n * sizeof *x.upper);
    memcpy(x.result.x, from, n * sizeof *from);
    x.nlp.x_lower = x.lower;
    x.nlp.x_upper = x.upper;
    /* quasi-Newton where the solve was one */
    if (w->p->options.hessian == DD_OCP_BFGS) {
        x.nlp.hessian = NULL;
        x.nlp.hessian_nnz = 0;
    }
    return x;
}

static void run(watch *w, experiment *x, double magnified)
{
    dd_nlp_options options = dd_ocp_solver_options(w->p);
    options.tolerance = w->p->options.tolerance;
    const uint32_t most = magnified > 0 ? SLOPE_ITERATIONS : MOST_ITERATIONS;
    options.max_iterations = w->p->options.max_iterations < most ? w->p->options.max_iterations : most;
    options.objective_scale = magnified;
    options.user = &x->limited;
    options.progress = dd_limited_progress;
    options.stop = dd_limited_stop;
    dd_status status = dd_nlp_solve(w->p->ctx, &x->nlp, &options, &x->result);
    if (status != DD_OK) {
        dd_raise(w->p->ctx, status, "%s", dd_pool_strdup(w->p->pool, dd_context_message(w->p->ctx)));
    }
}

static bool found(const experiment *x)
{
    return x->result.status == DD_NLP_OPTIMAL || x->result.status == DD_NLP_ACCEPTABLE;
}

/* Bounds for variables without bounds. Times: t_other +- wide horizons. */
static void widen(const watch *w, experiment *x, double factor)
{
    const dd_ocp_problem *o = w->p->problem;
    for (uint32_t j = 0; j < w->nlp->n; j++) {
        const quantity *q = quantity_of(w, j);
        if (q == NULL) {
            continue;
        }
        /* so far beyond anything guessed that only a runaway gets there */
        double room = factor * (is_time(q) ? WIDE_TIME : WIDE_VALUE) * q->size;
        double centre = q->kind == DD_COLUMN_START_TIME   ? o->tf_value
                        : q->kind == DD_COLUMN_FINAL_TIME ? o->t0_value
                                                          : 0;
        /* bounds of the user stay where they are tighter */
        x->lower[j] = fmax(x->lower[j], fmin(centre - room, x->upper[j]));
        x->upper[j] = fmin(x->upper[j], fmax(centre + room, x->lower[j]));
        x->result.x[j] = fmin(fmax(x->result.x[j], x->lower[j]), x->upper[j]);
    }
}

/* Quantities at a bound of the experiment. */
static bool at_bounds(watch *w, const experiment *x, bool *which)
{
    bool any = false;
    memset(which, 0, w->n * sizeof *which);
    for (uint32_t j = 0; j < w->nlp->n; j++) {
        const quantity *q = quantity_of(w, j);
        double v = x->result.x[j];
        /* at a bound of the experiment, not of the user */
        bool up = x->upper[j] < w->nlp->x_upper[j] && v > 0 && v > AT_BOUND * x->upper[j];
        bool down = x->lower[j] > w->nlp->x_lower[j] && v < 0 && v < AT_BOUND * x->lower[j];
        if (q != NULL && (up || down)) {
            which[q - w->quantities] = any = true;
        }
    }
    return any;
}

static bool is_chosen(const quantity *q)
{
    return q->kind != DD_COLUMN_STATE && q->kind != DD_COLUMN_ALGEBRAIC;
}

static bool any_chosen(const watch *w, const bool *which)
{
    bool any = false;
    for (uint32_t i = 0; i < w->n; i++) {
        any = any || (which[i] && is_chosen(&w->quantities[i]));
    }
    return any;
}

/* Decisions that grow with the bounds, though others reach them first; a little is enough where states grow
 * exponentially with it. */
static void add_growing(watch *w, const double *a, const double *b, bool *which)
{
    double *before = dd_pool_alloc_array(w->pool, w->n + 1, sizeof *before);
    /* values of both experiments side by side */
    look(w, a);
    for (uint32_t i = 0; i < w->n; i++) {
        before[i] = w->quantities[i].value;
    }
    look(w, b);
    for (uint32_t i = 0; i < w->n; i++) {
        const quantity *q = &w->quantities[i];
        which[i] = which[i] || (q->value > GROWS * before[i] && q->value > FAR_LOST * q->size);
    }
    /* where only states reach the bounds, a small growth of something chosen names the cause */
    bool chosen = any_chosen(w, which);
    for (uint32_t i = 0; i < w->n && !chosen; i++) {
        const quantity *q = &w->quantities[i];
        which[i] = which[i] || (is_chosen(q) && q->value > GROWS_SLOWLY * before[i] && q->value > GROWS * q->size);
    }
}

/* One pair of experiments: bounds wide times those of WIDE_VALUE and WIDE_TIME, then wider ones. */
static dd_runaway bounded_pair(watch *w, double deadline, const double *from, double wide, double wider, double least,
                               bool *which, double *y)
{
    experiment a = new_experiment(w, deadline, from);
    /* bounds for everything: if the solution lies inside them, it is bounded */
    widen(w, &a, wide);
    run(w, &a, 0);
    if (!found(&a)) {
        return DD_RUNAWAY_NO;
    }
    if (!at_bounds(w, &a, which)) {
        memcpy(y, a.result.x, w->nlp->n * sizeof *y);
        return DD_RUNAWAY_BOUNDED;
    }
    /* ten times wider bounds from there: a runaway goes on to them, and the cost falls */
    experiment b = new_experiment(w, deadline, a.result.x);
    widen(w, &b, wide * wider);
    run(w, &b, 0);
    double gain = a.result.objective - b.result.objective;
    /* costs that stay above zero with narrow bounds may be squares that approach zero */
    bool falls = gain > least * fabs(a.result.objective) && (wide >= 1 || b.result.objective < 0);
    if (!found(&b) || !at_bounds(w, &b, which) || !falls) {
        return DD_RUNAWAY_NO;
    }
    add_growing(w, a.result.x, b.result.x, which);
    return DD_RUNAWAY_YES;
}

/* Wide bounds first; where a model cannot be solved so far out, narrow ones, which prove less: then it must be
 * something chosen that lies at them, and the cost must fall a lot and below zero, where squares never are. */
static dd_runaway bounded_from(watch *w, double deadline, const double *from, dd_diagnosis *out, double *y)
{
    bool *which = dd_pool_alloc_array(w->pool, w->n + 1, sizeof *which);
    /* wide bounds with a small gain, else narrow ones with a large gain */
    dd_runaway verdict = bounded_pair(w, deadline, from, 1, WIDER, GAIN, which, y);
    if (verdict == DD_RUNAWAY_NO) {
        verdict = bounded_pair(w, deadline, from, NARROW, WIDER_NARROW, GAIN_NARROW, which, y);
        verdict = verdict == DD_RUNAWAY_YES && any_chosen(w, which) ? DD_RUNAWAY_YES : DD_RUNAWAY_NO;
    }
    if (verdict == DD_RUNAWAY_YES) {
        name_runaways(w, which, out);
    }
    return verdict;
}

dd_runaway dd_ocp_bounded_solve(dd_ocp *p, double deadline, dd_diagnosis *out, double *y)
{
    watch w = new_watch(p);
    dd_runaway verdict = bounded_from(&w, deadline, dd_elements_start(w.t->elements), out, y);
    dd_pool_free(w.pool);
    return verdict;
}

static double violation(watch *w, const double *y)
{
    double worst = 0, *c = dd_pool_alloc_array(w->pool, w->nlp->m + 1, sizeof *c);
    if (!w->nlp->constraints(w->nlp->user, y, true, c)) {
        return INFINITY;
    }
    /* absolute, in scaled rows */
    for (uint32_t i = 0; i < w->nlp->m; i++) {
        worst = fmax(worst, fmax(w->nlp->c_lower[i] - c[i], c[i] - w->nlp->c_upper[i]));
    }
    return worst;
}

/* A time or a parameter that is very far: does the cost fall up to there, and does it not rise farther out? A slope
 * that is too flat to see even when magnified is all that is left out there. */
static bool runs_away(watch *w, double deadline, uint32_t at)
{
    const double *y = w->p->result.x;
    const quantity *q = quantity_of(w, at);
    double start = is_time(q) ? dd_transcription_time(w->t, y, 0) : 0, sign = is_time(q) || y[at] > 0 ? 1 : -1;
    /* near: the same problem with this quantity held closer to the guess */
    experiment near = new_experiment(w, deadline, dd_elements_start(w->t->elements));
    near.result.x[at] = start + sign * FAR_TIME * q->size;
    *(sign > 0 ? &near.upper[at] : &near.lower[at]) = near.result.x[at];
    run(w, &near, 0);
    /* far: held beyond where it is now */
    experiment far = new_experiment(w, deadline, y);
    far.result.x[at] = start + sign * WIDER * q->value;
    *(sign > 0 ? &far.lower[at] : &far.upper[at]) = far.result.x[at];
    run(w, &far, 0);
    /* the cost falls up to here and does not rise beyond: there is no minimum between */
    double here = w->p->result.objective, nearer = near.result.objective, size = fmax(fabs(here), fabs(nearer));
    bool beyond = found(&far) || far.result.status == DD_NLP_UNBOUNDED; /* the solver itself may see it run off */
    return found(&near) && nearer > here + GAIN * size && beyond && far.result.objective < here + NO_RISE * size;
}

static bool far_out(watch *w, double deadline, bool *which)
{
    bool any = false;
    memset(which, 0, w->n * sizeof *which);
    for (uint32_t j = 0; j < w->nlp->n; j++) {
        const quantity *q = quantity_of(w, j);
        /* single numbers: a time or a parameter can be held, a function of time cannot */
        bool single = q != NULL && (q->kind == DD_COLUMN_FINAL_TIME || q->kind == DD_COLUMN_PARAMETER);
        if (single && q->value > VERY_FAR * q->size && runs_away(w, deadline, j)) {
            which[q - w->quantities] = any = true;
        }
    }
    return any;
}

bool dd_ocp_slope_leads_on(dd_ocp *p, bool steady, double deadline, dd_diagnosis *out)
{
    watch w = new_watch(p);
    bool *which = dd_pool_alloc_array(w.pool, w.n + 1, sizeof *which), any = false;
    double *before = dd_pool_alloc_array(w.pool, w.n + 1, sizeof *before), objective = INFINITY;
    look(&w, p->result.x);
    /* only quantities that are far away already can lead on, or those that have walked */
    for (uint32_t i = 0; i < w.n; i++) {
        const quantity *q = &w.quantities[i];
        double limit = steady ? 1 : is_time(q) ? FAR_TIME : FAR_VALUE;
        before[i] = q->value > limit * q->size ? q->value : INFINITY;
    }
    /* where even a magnified slope is too flat, two solves decide */
    if (far_out(&w, deadline, which)) {
        name_runaways(&w, which, out);
        dd_pool_free(w.pool);
        return true;
    }
    /* the cost times 1e6: a slope below the solver's tolerance becomes visible */
    experiment x = new_experiment(&w, deadline, p->result.x);
    run(&w, &x, MAGNIFIED);
    look(&w, x.result.x);
    /* it grew, the rows hold, and the cost fell by more than rounding */
    bool ok = violation(&w, x.result.x) < FEASIBLE && w.nlp->objective(w.nlp->user, x.result.x, true, &objective);
    for (uint32_t i = 0; i < w.n && ok; i++) {
        which[i] = w.quantities[i].value > (steady ? WALKS_ON : LEADS_ON) * before[i];
        any = any || which[i];
    }
    any = any && objective < p->result.objective - FALLS * fabs(p->result.objective);
    if (any) {
        name_runaways(&w, which, out);
    }
    dd_pool_free(w.pool);
    return any;
}

/* ---- points where the slope vanishes by accident ---- */

bool dd_ocp_stayed(dd_ocp *p)
{
    watch w = new_watch(p);
    const double *first = dd_elements_start(w.t->elements), *y = p->result.x;
    bool stayed = true, any = false;
    /* every variable that could have moved is where it began */
    for (uint32_t j = 0; j < w.nlp->n && stayed; j++) {
        const quantity *q = quantity_of(&w, j);
        if (q != NULL && is_chosen(q) && w.nlp->x_lower[j] < w.nlp->x_upper[j]) {
            any = true;
            stayed = fabs(y[j] - first[j]) <= UNMOVED * fmax(1, fabs(first[j]));
        }
    }
    dd_pool_free(w.pool);
    return any && stayed;
}

/* Where to look beside a point without slope: everything a little, each its own way; then all values together. */
enum { ANYWHERE = 0, UP = 1, DOWN = -1 };

static void step_aside(const watch *w, experiment *x, int where)
{
    uint64_t random = 0x9e3779b97f4a7c15u;
    if (where != ANYWHERE) {
        dd_ocp_step_beside(w->nlp, where, x->result.x);
        return;
    }
    /* the same numbers in every run */
    for (uint32_t j = 0; j < w->nlp->n; j++) {
        double moved = x->result.x[j] + ASIDE * dd_random(&random);
        x->result.x[j] = fmin(fmax(moved, x->lower[j]), x->upper[j]);
    }
}

/* Whether a point costs less than the present one, by more than rounding. */
static bool costs_less(const watch *w, const double *y, double least)
{
    double objective, here = w->p->result.objective;
    return w->nlp->objective(w->nlp->user, y, true, &objective) &&
           objective < here - least * fmax(SMALL_OBJECTIVE, fabs(here));
}

static dd_runaway leave_towards(watch *w, int where, double deadline, dd_diagnosis *out, double *y)
{
    dd_runaway verdict = DD_RUNAWAY_NO;
    double now = dd_clock_seconds();
    /* a part of the time: wide bounds may have to follow */
    experiment x = new_experiment(w, now + FIRST_PART * (deadline - now), w->p->result.x);
    step_aside(w, &x, where);
    double *start = dd_pool_alloc_array(w->pool, w->nlp->n + 1, sizeof *start);
    memcpy(start, x.result.x, w->nlp->n * sizeof *start);
    run(w, &x, 0);
    /* a minimum beside the guess: cheaper or not */
    if (found(&x)) {
        verdict = costs_less(w, x.result.x, GAIN) ? DD_RUNAWAY_BOUNDED : DD_RUNAWAY_NO;
        memcpy(y, x.result.x, w->nlp->n * sizeof *y);
    } else {
        /* no minimum from there: is there any? */
        verdict = bounded_from(w, deadline, start, out, y);
        bool back = verdict == DD_RUNAWAY_BOUNDED && !costs_less(w, y, GAIN);
        verdict = back ? DD_RUNAWAY_NO : verdict == DD_RUNAWAY_NO ? DD_RUNAWAY_UNKNOWN : verdict;
    }
    if (verdict == DD_RUNAWAY_UNKNOWN && violation(w, x.result.x) < w->p->options.tolerance &&
        costs_less(w, x.result.x, MUCH_LESS)) { /* no minimum was found, but the guess is not one either */
        memcpy(y, x.result.x, w->nlp->n * sizeof *y);
        verdict = DD_RUNAWAY_BOUNDED;
    }
    return verdict;
}

static double cost_at(const watch *w, const double *y)
{
    double objective;
    return w->nlp->objective(w->nlp->user, y, true, &objective) ? objective : INFINITY;
}

dd_runaway dd_ocp_leave_guess(dd_ocp *p, bool flat, double deadline, dd_diagnosis *out, double *y)
{
    static const int places[] = {ANYWHERE, DOWN, UP};
    watch w = new_watch(p);
    dd_runaway verdict = DD_RUNAWAY_NO;
    double *other = dd_pool_alloc_array(w.pool, w.nlp->n + 1, sizeof *other), least = INFINITY;
    /* where a curvature can be seen, the nearest place is enough: a solve from there goes down if anything does */
    for (size_t i = 0; i < (flat ? sizeof places / sizeof *places : 1) && verdict != DD_RUNAWAY_YES; i++) {
        const dd_runaway here = leave_towards(&w, places[i], deadline, out, other);
        if (here == DD_RUNAWAY_BOUNDED && cost_at(&w, other) < least) {
            least = cost_at(&w, other);
            memcpy(y, other, w.nlp->n * sizeof *y);
        }
        /* a better point outweighs solves that did not finish; no minimum at all outweighs both */
        verdict = here == DD_RUNAWAY_YES || here == DD_RUNAWAY_BOUNDED || verdict == DD_RUNAWAY_NO ? here : verdict;
    }
    verdict = verdict != DD_RUNAWAY_YES && isfinite(least) ? DD_RUNAWAY_BOUNDED : verdict;
    dd_pool_free(w.pool);
    return verdict;
}
