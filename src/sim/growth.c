/* growth.c - how much errors of the size of the tolerance grow along a run. Start reading at dd_growth_of_errors.
 *
 * A disturbance d of the solution follows M d' + J d = 0. During a run some of its points are kept, which costs next to
 * nothing. Once somebody asks, they are looked at: F = (sigma M + J)^-1 sigma M lets only those directions grow that grow by
 * themselves, within the circle of the implicit Euler method; oscillations and decay become smaller. What the looks promise
 * is added up, never below zero. It is too much where directions turn (an orbit, a swing), so where it is large a
 * neighbour decides: the solution from a start that is one tolerance away. */
#include "sim/growth.h"

#include <math.h>
#include <string.h>

#include "base/context.h"
#include "integ/bdf.h"
#include "integ/explicit.h"
#include "integ/project.h"
#include "integ/radau.h"
#include "la/pencil.h"
#include "sim/compare.h"
#include "structure/numeric.h"

enum {
    POINTS = 128,    /* kept at most; beyond that every second one goes */
    PASSES = 4,      /* of F at a look: the direction that grows most comes to the front */
    MOST = 2000,     /* unknowns */
    CORRECTIONS = 3, /* onto the constraints */
    MOST_STEPS = 4,  /* of the neighbour, times those of the run, and */
    LEAST_STEPS = 100,
    MOST_KINKS = 100 /* that it passes */
};
static const double CIRCLE = 4;      /* sigma h: growth by up to exp(8) a step is seen */
static const double STEEP = 64;      /* times that beside a point, where a root may have nearly infinite slopes */
static const double HARDLY = 1e-3;   /* tolerances: a start that constraints do not let move by more has no neighbour */
static const double MOST_FALL = 0.3; /* of the logarithm, in a step: an oscillation says little */
static const double PROMISING = 0.7; /* of the logarithm of growth that is said: worth a neighbour */
static const double SERIOUS = 1e3;   /* growth by this factor is said, */
static const double LOST = 0.03; /* and by less, where it takes errors of the tolerance to this part of the solution, */
static const double LEAST = 30;  /* but not by less than that */
static const double LONG = 20;   /* seconds: runs that take longer are not repeated */

struct dd_growth {
    dd_context *ctx;
    uint32_t n;
    double *points;          /* POINTS times t, w, w' */
    uint32_t kept;           /* of them */
    uint64_t every, steps;   /* steps between them; since the last one */
    double *m, *j;           /* values on the pattern */
    dd_pencil *solver;       /* NULL: not yet needed */
    double *look;            /* n: the direction of the looks */
    double *w, *wdot, *work; /* n: a point; scratch */
    double *beside;          /* n: a point one tolerance away */
    double *g, *mode;        /* per switch: its function; its mode in the run */
    double lambda;           /* by the last look */
    double promised;         /* the logarithm by the looks, */
    double here;             /* and by those that are not beside a point, growth alone */
    double grown;            /* by the neighbour; NaN: not large, or not known */
    bool failed, decided;
};

/* The logarithm of growth that is said. */
static double serious(const dd_sim *sim)
{
    return log(fmax(LEAST, fmin(SERIOUS, LOST / dd_sim_tolerance(sim))));
}

/* ---- memory ---- */

dd_growth *dd_growth_new(dd_sim *sim)
{
    const dd_problem *p = &sim->numbers->problem;
    const uint32_t n = p->n, nnz = p->pattern.ptr[n];
    const bool rows_as_written = sim->numbers->equations->form == DD_EQUATIONS_ORIGINAL && sim->system->index > 1;
    if (sim->options.step > 0 || rows_as_written || sim->dummy || n == 0 || n > MOST) {
        return NULL;
    }
    dd_growth *g = dd_pool_alloc(sim->pool, sizeof *g);
    *g = (dd_growth){.ctx = sim->ctx, .n = n};
    g->points = dd_pool_alloc_array(sim->pool, POINTS * (2 * (size_t)n + 1), sizeof *g->points);
    const uint32_t switches = sim->numbers->switches.len;
    g->g = dd_pool_alloc_array(sim->pool, switches + 1, sizeof *g->g);
    g->mode = dd_pool_alloc_array(sim->pool, switches + 1, sizeof *g->mode);
    g->m = dd_pool_alloc_array(sim->pool, nnz + 1, sizeof *g->m);
    g->j = dd_pool_alloc_array(sim->pool, nnz + 1, sizeof *g->j);
    double **const vectors[] = {&g->look, &g->w, &g->wdot, &g->work, &g->beside};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        *vectors[i] = dd_pool_alloc_array(sim->pool, n, sizeof **vectors[i]);
    }
    return g;
}

void dd_growth_free(dd_growth *g)
{
    if (g) {
        dd_pencil_free(g->solver);
    }
}

/* Point i: t, then w, then w'. */
static double *point(const dd_growth *g, uint32_t i)
{
    return g->points + (size_t)i * (2 * g->n + 1);
}

static void keep_point(dd_growth *g, const dd_integrator *it)
{
    if (g->kept == POINTS) {
        for (uint32_t i = 1; 2 * i < POINTS; i++) {
            memcpy(point(g, i), point(g, 2 * i), (2 * (size_t)g->n + 1) * sizeof(double));
        }
        g->kept = POINTS / 2;
        g->every *= 2;
    }
    double *p = point(g, g->kept++);
    p[0] = it->t;
    memcpy(p + 1, it->w, g->n * sizeof *p);
    memcpy(p + 1 + g->n, it->wdot, g->n * sizeof *p);
    g->steps = 0;
}

/* ---- directions ---- */

/* The tolerance of unknown j at a point; 0 for z. */
static double tolerance_of(const dd_sim *sim, const double *w, uint32_t j)
{
    return sim->numbers->problem.differential[j] ? sim->atol[j] + dd_sim_tolerance(sim) * fabs(w[j]) : 0.0;
}

/* Of any direction, one tolerance long in every state. */
static void begin_direction(const dd_sim *sim, const double *w, double *d)
{
    for (uint32_t j = 0; j < sim->growth->n; j++) {
        d[j] = copysign(tolerance_of(sim, w, j), dd_noise(j, 0, 43));
    }
}

/* Root mean square in tolerances. */
static double length_of(const dd_sim *sim, const double *w, const double *d)
{
    double sum = 0;
    uint32_t states = 0;
    for (uint32_t j = 0; j < sim->growth->n; j++) {
        const double tolerance = tolerance_of(sim, w, j);
        if (tolerance > 0) {
            sum += d[j] / tolerance * (d[j] / tolerance);
            states++;
        }
    }
    return states > 0 ? sqrt(sum / states) : 0.0;
}

static void scale(dd_growth *g, double *d, double factor)
{
    for (uint32_t j = 0; j < g->n; j++) {
        d[j] *= factor;
    }
}

/* Is the mode at a point another one than that in which it was computed? */
static bool changes_mode(dd_sim *sim, double t, const double *w, const double *wdot)
{
    const dd_growth *g = sim->growth;
    const dd_numbers *q = sim->numbers;
    if (q->switches.len > 0) {
        dd_numbers_switching(sim->numbers, t, w, wdot, g->g);
    }
    for (uint32_t k = 0; k < q->switches.len; k++) {
        const dd_switch *s = &q->switches.data[k];
        if (dd_switch_changes(s) && dd_switch_mode_at(s, g->g[k], t) != q->mode[k]) {
            return true;
        }
    }
    return false;
}

/* The mode that belongs to a point. *events: did a relation change that is no kink of abs, min or max? */
static bool enter_mode(dd_sim *sim, double t, const double *w, const double *wdot, bool *events)
{
    dd_growth *g = sim->growth;
    dd_numbers *q = sim->numbers;
    bool changed = false;
    *events = false;
    if (q->switches.len > 0) {
        dd_numbers_switching(q, t, w, wdot, g->g);
    }
    for (uint32_t k = 0; k < q->switches.len; k++) {
        const dd_switch *s = &q->switches.data[k];
        const double mode = dd_switch_mode_at(s, g->g[k], t);
        if (dd_switch_changes(s) && mode != q->mode[k]) {
            dd_numbers_freeze(q, k, mode);
            changed = true;
            *events = *events || !(s->quiet || s->soft);
        }
    }
    return changed;
}

/* That of the run again. */
static void leave_mode(dd_sim *sim)
{
    for (uint32_t k = 0; k < sim->numbers->switches.len; k++) {
        dd_numbers_freeze(sim->numbers, k, sim->growth->mode[k]);
    }
}

/* M and J at a point, and factors of sigma M + J; false where there are none. */
static bool factor(dd_sim *sim, double t, const double *w, const double *wdot, double sigma)
{
    dd_growth *g = sim->growth;
    const dd_problem *p = &sim->numbers->problem;
    bool singular;
    uint32_t column;
    if (!g->solver && dd_pencil_new(&g->solver, g->ctx, &p->pattern, false, DD_PENCIL_AUTO) != DD_OK) {
        g->failed = true; /* a run does not end because its errors cannot be estimated */
        return false;
    }
    p->jacobian(p->user, t, w, wdot, g->m, g->j);
    if (dd_pencil_factor(g->solver, sigma, 0, g->m, g->j, &singular, &column) != DD_OK) {
        g->failed = true;
        return false;
    }
    return !singular;
}

/* out = (sigma M + J)^-1 sigma M d */
static void filter(dd_sim *sim, double sigma, const double *d, double *out)
{
    dd_growth *g = sim->growth;
    dd_csc m = sim->numbers->problem.pattern;
    m.val = g->m;
    memset(out, 0, g->n * sizeof *out);
    dd_csc_multiply(&m, sigma, d, out);
    dd_pencil_solve(g->solver, out, NULL);
}

/* ---- looks ---- */

void dd_growth_onto_constraints(dd_sim *sim, double t, const double *w, double *d, double *point, double *weight,
                                double *shift)
{
    const uint32_t n = sim->numbers->n;
    if (!sim->projector) {
        return;
    }
    /* a point one tolerance away is near enough for a direction */
    for (uint32_t j = 0; j < n; j++) {
        const double tolerance = tolerance_of(sim, w, j);
        point[j] = w[j] + (tolerance > 0 ? d[j] : 0.0);
        weight[j] = tolerance > 0 ? tolerance : 1.0;
    }
    dd_project(sim->projector, t, point, weight, CORRECTIONS, shift);
    for (uint32_t j = 0; j < n; j++) {
        d[j] += shift[j];
    }
}

static void stay_on_constraints(dd_sim *sim, const double *at, double *d)
{
    dd_growth *g = sim->growth;
    dd_growth_onto_constraints(sim, at[0], at + 1, d, g->w, g->work, g->wdot);
}

/* The factor by which F lets the direction grow that it lets grow most; 0: not known. */
static double largest_ratio(dd_sim *sim, const double *at, double sigma)
{
    dd_growth *g = sim->growth;
    double ratio = 0;
    /* a part of every direction, since tolerances change with the solution */
    begin_direction(sim, at + 1, g->work);
    for (uint32_t j = 0; j < g->n; j++) {
        g->look[j] += g->work[j];
    }
    for (int pass = 0; pass < PASSES; pass++) {
        stay_on_constraints(sim, at, g->look);
        const double before = length_of(sim, at + 1, g->look);
        filter(sim, sigma, g->look, g->work);
        memcpy(g->look, g->work, g->n * sizeof *g->look);
        stay_on_constraints(sim, at, g->look);
        const double length = length_of(sim, at + 1, g->look);
        ratio = length / before;
        if (!(length > 0 && isfinite(ratio))) {
            begin_direction(sim, at + 1, g->look);
            return 0;
        }
        scale(g, g->look, 1 / length);
    }
    return ratio;
}

/* The factor at a point that is moved by one tolerance to a side (0: not moved), in the mode that belongs there. */
static double ratio_beside(dd_sim *sim, const double *at, double sigma, double side)
{
    dd_growth *g = sim->growth;
    for (uint32_t j = 0; j < g->n; j++) {
        g->beside[j] = at[1 + j] + side * copysign(tolerance_of(sim, at + 1, j), dd_noise(j, 0, 43));
    }
    bool events;
    if (side != 0) {
        enter_mode(sim, at[0], g->beside, at + 1 + g->n, &events);
    }
    const bool regular = factor(sim, at[0], g->beside, at + 1 + g->n, sigma);
    leave_mode(sim);
    return regular ? largest_ratio(sim, at, sigma) : 0;
}

/* Between the points i - 1 and i, `steps` apart: lambda of a direction that F multiplies by 1/(1 - lambda/sigma). sigma is
 * large enough for long steps too, across which an unstable direction is not seen by the method itself. Where a function has an
 * infinite slope, as a root at zero, the slope is that beside the point. */
static void take_look(dd_sim *sim, uint32_t i, double steps)
{
    dd_growth *g = sim->growth;
    const double *at = point(g, i), span = at[0] - point(g, i - 1)[0];
    const double sigma = CIRCLE * fmax(steps / span, POINTS / (sim->info.t - sim->info.t0));
    const int sides = sim->numbers->switches.len > 0 ? 1 : 0;
    double now = -INFINITY;
    for (int side = -sides; side <= sides; side++) {
        const double wider = side == 0 ? sigma : STEEP * sigma, ratio = ratio_beside(sim, at, wider, side);
        now = ratio > 0 ? fmax(now, wider * (1 - 1 / ratio)) : now;
        g->here = side == 0 && ratio > 1 ? g->here + wider * (1 - 1 / ratio) * span : g->here;
    }
    now = isfinite(now) ? now : 0;
    const double before = i > 1 ? g->lambda : now;
    g->lambda = now;
    g->promised = fmax(0, g->promised + fmax(-MOST_FALL * steps, 0.5 * (now + before) * span));
}

static void take_looks(dd_sim *sim)
{
    dd_growth *g = sim->growth;
    /* the end, where it is not yet among the points */
    const double last = (double)(g->steps > 0 ? g->steps : g->every);
    if (g->steps > 0) {
        keep_point(g, sim->integrator);
    }
    g->promised = g->here = 0;
    begin_direction(sim, point(g, 0) + 1, g->look);
    for (uint32_t i = 1; i < g->kept && !g->failed; i++) {
        take_look(sim, i, i + 1 < g->kept ? (double)g->every : last);
    }
}

/* ---- a neighbour ---- */

/* A second integrator like that of the run, which makes errors of the same kind. NULL: none. */
static dd_integrator *new_neighbour(dd_sim *sim)
{
    const dd_problem *p = &sim->numbers->problem;
    const dd_integ_options o = {
        .rtol = dd_sim_tolerance(sim), .atol = sim->atol, .project = sim->options.stabilize == DD_STABILIZE_PROJECTION};
    const bool explicit = sim->tableau && sim->tableau->structure == DD_TABLEAU_EXPLICIT && !sim->switched;
    dd_integrator *it = NULL;
    const dd_status st = explicit ? dd_explicit_new(&it, sim->ctx, p, sim->tableau, &o)
                         : strcmp(sim->integrator->name, "bdf") == 0 ? dd_bdf_new(&it, sim->ctx, p, &o)
                                                                     : dd_radau_new(&it, sim->ctx, p, &o);
    return st == DD_OK ? it : NULL;
}

/* The start, moved by one tolerance in every state as far as the constraints allow it, to this side (1, -1). */
static void begin_neighbour(dd_sim *sim, double side)
{
    dd_growth *g = sim->growth;
    for (uint32_t j = 0; j < g->n; j++) {
        const double tolerance = tolerance_of(sim, sim->w0, j);
        g->w[j] = sim->w0[j] + (tolerance > 0 ? side * copysign(tolerance, dd_noise(j, 0, 43)) : 0.0);
        g->work[j] = tolerance > 0 ? tolerance : 1.0;
    }
    if (sim->keeper) {
        dd_project(sim->keeper, sim->t0, g->w, g->work, CORRECTIONS, g->wdot);
    }
    memcpy(g->wdot, sim->wdot0, g->n * sizeof *g->wdot);
}

/* The first moment behind a change of mode in the step from `before` on, halved down to, and the point there in g->w and
 * g->wdot. The other side of the kink belongs to another solution, however small the tolerance is. */
static double find_kink(dd_sim *sim, dd_integrator *it, double before)
{
    enum { HALVES = 50 }; /* as far as the numbers go */
    const dd_growth *g = sim->growth;
    double behind = it->t;
    for (int i = 0; i < HALVES; i++) {
        const double middle = 0.5 * (before + behind);
        dd_integ_interpolate(it, middle, g->w, g->wdot);
        const bool passed = changes_mode(sim, middle, g->w, g->wdot);
        before = passed ? before : middle;
        behind = passed ? middle : behind;
    }
    dd_integ_interpolate(it, behind, g->w, g->wdot);
    return behind;
}

/* From where it is to the end of the run; false: it does not arrive, or comes to an event. */
static bool go_to_end(dd_sim *sim, dd_integrator *it)
{
    dd_growth *g = sim->growth;
    const double end = sim->integrator->t;
    const uint64_t most = MOST_STEPS * (sim->integrator->stats.steps + LEAST_STEPS);
    uint32_t kinks = 0;
    while (it->t < end) {
        const double before = it->t;
        if (it->stats.steps >= most || dd_poll_stop(g->ctx) != DD_OK || dd_integ_step(it, end) != DD_STEP_OK) {
            return false;
        }
        /* the step ends at a kink, as those of the run do */
        if (changes_mode(sim, it->t, it->w, it->wdot)) {
            bool events;
            const double at = find_kink(sim, it, before);
            enter_mode(sim, at, g->w, g->wdot, &events);
            dd_slopes_solve(sim->slopes, at, g->w, g->wdot);
            if (events || ++kinks > MOST_KINKS) {
                return false;
            }
            dd_integ_start(it, at, g->w, g->wdot);
        }
    }
    return true;
}

/* How far a solution that began one tolerance away is from this one at the end, in tolerances; 0: not known. */
static double distance_of_neighbour(dd_sim *sim, double side)
{
    dd_growth *g = sim->growth;
    bool events;
    begin_neighbour(sim, side);
    for (uint32_t j = 0; j < g->n; j++) {
        g->work[j] = g->w[j] - sim->w0[j];
    }
    const double begin = length_of(sim, sim->w0, g->work);
    enter_mode(sim, sim->t0, g->w, sim->wdot0, &events);
    dd_slopes_solve(sim->slopes, sim->t0, g->w, g->wdot);
    dd_integrator *it = new_neighbour(sim);
    double distance = 0;
    if (it && begin > HARDLY && !events) {
        dd_integ_start(it, sim->t0, g->w, g->wdot); /* x' and z are solved for already: a verdict shows in the steps */
    }
    if (it && begin > HARDLY && !events && go_to_end(sim, it)) {
        for (uint32_t j = 0; j < g->n; j++) {
            g->work[j] = it->w[j] - sim->integrator->w[j];
        }
        distance = length_of(sim, sim->integrator->w, g->work) / begin;
    }
    dd_integ_free(it);
    leave_mode(sim);
    return isfinite(distance) ? distance : 0;
}

/* ---- a run ---- */

void dd_growth_start(dd_sim *sim)
{
    dd_growth *g = sim->growth;
    g->every = 1;
    g->kept = 0;
    g->failed = g->decided = false;
    g->promised = g->here = 0;
    keep_point(g, sim->integrator);
}

void dd_growth_step(dd_sim *sim)
{
    dd_growth *g = sim->growth;
    if (++g->steps >= g->every) {
        keep_point(g, sim->integrator);
    }
}

/* Can the run be repeated? */
static bool is_simple(const dd_sim *sim)
{
    const dd_sim_info *info = &sim->info;
    const bool simple = info->stats.events == 0 && !sim->inputs && !sim->begun && info->t > info->t0;
    return info->status == DD_SIM_OK && simple && info->stats.seconds <= LONG;
}

/* Is there a neighbour in the same mode, with the same inputs, and is it worth while? */
static bool is_promising(dd_sim *sim)
{
    dd_growth *g = sim->growth;
    if (!is_simple(sim)) {
        return false;
    }
    take_looks(sim);
    return !g->failed && g->promised > PROMISING * serious(sim);
}

static void tell(dd_sim *sim)
{
    const dd_growth *g = sim->growth;
    const char *words =
        g->here > PROMISING * serious(sim)
            ? dd_pool_printf(sim->pool,
                             "errors of the size of the tolerance grow by about 1e%.0f until time %.6g: the values "
                             "there are not determined to the tolerance, since neighbouring solutions move apart; "
                             "stop earlier (%s), or ask for as many more digits (%s)",
                             log10(g->grown), sim->info.t, dd_option_word(sim->ctx, "--stop"),
                             dd_option_word(sim->ctx, "--tol"))
            : dd_pool_printf(
                  sim->pool,
                  "the solution is not unique, or nearly so: another one, from a start that is one tolerance "
                  "away, is 1e%.0f tolerances away at time %.6g; a rate has an infinite slope on the way (a root "
                  "at zero), where others can begin; start beside that point to choose one",
                  log10(g->grown), sim->info.t);
    dd_vec_push(sim->pool, &sim->messages, words);
}

double dd_growth_of_errors(dd_sim *sim)
{
    dd_growth *g = sim->growth;
    if (!g) {
        dd_compare_tell_form(sim);
        return NAN;
    }
    if (g->decided) {
        return g->grown;
    }
    g->decided = true;
    g->grown = NAN;
    memcpy(g->mode, sim->numbers->mode, sim->numbers->switches.len * sizeof *g->mode);
    double distance = 0;
    if (is_promising(sim)) {
        /* growth on one side is enough */
        distance = distance_of_neighbour(sim, 1);
        distance = log(distance) > serious(sim) ? distance : distance_of_neighbour(sim, -1);
    }
    if (g->failed && dd_poll_stop_now(g->ctx) == DD_OK) {
        dd_vec_push(sim->pool, &sim->messages,
                    (const char *)"memory ran out while it was looked at whether errors grow: that is not known");
    }
    if (!(distance > 0) || !(log(distance) > serious(sim))) {
        dd_compare_tell(sim, g->promised > log(LEAST));
        return NAN;
    }
    g->grown = distance;
    tell(sim);
    return distance;
}

typedef struct growth_call {
    dd_sim *sim;
    double out;
} growth_call;

static void growth_body(void *arg)
{
    growth_call *call = arg;
    call->out = dd_growth_of_errors(call->sim);
}

double dd_sim_error_growth(dd_sim *sim)
{
    growth_call call = {sim, NAN};
    return sim && dd_protect(sim->ctx, growth_body, &call) == DD_OK ? call.out : NAN;
}
