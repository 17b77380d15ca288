/* horizon.c - the experiment with a horizon that is held open; with phases all of them have their guessed times. */
#include "ocp/horizon.h"

#include <math.h>
#include <string.h>

#include "ocp/diagnose.h"
#include "ocp/phases.h"

enum { MOST_ITERATIONS = 300 };
#define SHRUNK 1e-6          /* of the guessed length */
#define SHORT 1e-2           /* of it, for the second experiment: nearly the slope of the cost by the length */
#define LONGEST 1            /* guessed lengths more, for the experiment */
#define FEASIBLE 1e-6        /* violation of scaled rows */
#define GAIN 1e-6            /* of the cost, relative: above the tolerance of the solver */
#define SMALL_OBJECTIVE 1e-3 /* smaller ones are compared with this */

/* One free end, where the horizon is opened: with two of them the start stays. */
typedef struct opening {
    uint32_t at;
    double lower, upper, value;
} opening;

static opening opening_of(const dd_ocp *p, double share)
{
    const dd_transcription *t = p->transcription;
    const dd_nlp *nlp = t->nlp;
    const double t0 = dd_transcription_time(t, p->result.x, 0), length = share * fabs(p->problem->first_horizon);
    const bool end = t->tf_at != UINT32_MAX;
    opening o = {.at = end ? t->tf_at : t->t0_at};
    o.value = end ? t0 + length : dd_transcription_time(t, p->result.x, 1) - length;
    /* and that it cannot run away where the cost has no minimum */
    o.lower = end ? o.value : fmax(nlp->x_lower[o.at], o.value - LONGEST * length);
    o.upper = end ? fmin(nlp->x_upper[o.at], o.value + LONGEST * length) : o.value;
    return o;
}

static bool is_free(const dd_ocp *p)
{
    return p->transcription->t0_at != UINT32_MAX || p->transcription->tf_at != UINT32_MAX;
}

/* Any phase shorter than that part of its guess. */
static bool phase_shrunk(const dd_ocp *p)
{
    const dd_ocp_problem *o = p->problem;
    dd_pool *pool = dd_pool_child(p->pool);
    double *params = dd_pool_alloc_array(pool, o->p.len + 1, sizeof *params), from, to;
    bool any = false;
    for (uint32_t i = 0; i < o->p.len; i++) {
        params[i] = p->result.x[p->transcription->p_at + i] * o->p.data[i].scale;
    }
    for (uint32_t k = 0; k < dd_ocp_phase_count(o); k++) {
        dd_ocp_phase_times(o, k, NULL, &from, &to);
        const double first = to - from;
        dd_ocp_phase_times(o, k, params, &from, &to);
        any = any || to - from < SHRUNK * first;
    }
    dd_pool_free(pool);
    return any;
}

bool dd_ocp_horizon_shrunk(const dd_ocp *p)
{
    const dd_transcription *t = p->transcription;
    if (p->problem->u.len == 0) {
        return false;
    }
    if (!is_free(p)) {
        return phase_shrunk(p);
    }
    const double first = fabs(p->problem->first_horizon);
    const double now = dd_transcription_time(t, p->result.x, 1) - dd_transcription_time(t, p->result.x, 0);
    const opening o = opening_of(p, 1);
    return now < SHRUNK * first && o.value >= t->nlp->x_lower[o.at] && o.value <= t->nlp->x_upper[o.at];
}

/* Parameters that are times of phases stay at their guesses, or on the way there. */
static void hold_phases(const dd_ocp *p, double share, double *lower, double *upper, double *x)
{
    const dd_ocp_problem *o = p->problem;
    const dd_phase_vec *phases = &o->model->optimization->phases;
    const double *first = dd_elements_start(p->transcription->elements);
    for (uint32_t i = 0; i < o->p.len; i++) {
        const uint32_t at = p->transcription->p_at + i;
        for (uint32_t k = 0; k < phases->len; k++) {
            const dd_expr symbol = o->p.data[i].symbol;
            if (dd_depends(o->dag, phases->data[k].start, symbol) ||
                dd_depends(o->dag, phases->data[k].length, symbol)) {
                lower[at] = upper[at] = x[at] = x[at] + share * (first[at] - x[at]);
                break;
            }
        }
    }
}

static void hold_open(const dd_ocp *p, double share, double *lower, double *upper, double *x)
{
    if (!is_free(p)) {
        hold_phases(p, share, lower, upper, x);
        return;
    }
    const opening o = opening_of(p, share);
    const uint32_t start = p->transcription->t0_at;
    lower[o.at] = o.lower;
    upper[o.at] = o.upper;
    x[o.at] = o.value;
    if (start != UINT32_MAX && start != o.at) {
        lower[start] = upper[start] = x[start];
    }
}

static double violation(const dd_nlp *nlp, const double *y, double *c)
{
    double worst = 0;
    if (!nlp->constraints(nlp->user, y, true, c)) {
        return INFINITY;
    }
    for (uint32_t i = 0; i < nlp->m; i++) {
        worst = fmax(worst, fmax(nlp->c_lower[i] - c[i], c[i] - nlp->c_upper[i]));
    }
    return worst;
}

/* With that share of the guessed length at least. */
static bool lengthen_to(dd_ocp *p, double share, double deadline, double *y)
{
    const dd_nlp *program = p->transcription->nlp;
    dd_pool *pool = dd_pool_child(p->pool);
    const size_t n = program->n, m = program->m;
    double *memory = dd_pool_alloc_array(pool, 5 * n + 2 * m + 1, sizeof *memory);
    double *lower = memory, *upper = lower + n, *rows = upper + n;
    dd_nlp_result result = {
        .x = rows + m, .z_lower = rows + m + n, .z_upper = rows + m + 2 * n, .lambda = rows + m + 3 * n};
    memcpy(lower, program->x_lower, n * sizeof *lower);
    memcpy(upper, program->x_upper, n * sizeof *upper);
    memcpy(result.x, p->result.x, n * sizeof *result.x);
    hold_open(p, share, lower, upper, result.x);
    dd_nlp nlp = *program;
    nlp.x_lower = lower;
    nlp.x_upper = upper;
    dd_limited limited = {p->ctx, deadline};
    dd_nlp_options options = dd_ocp_solver_options(p);
    options.tolerance = p->options.tolerance;
    options.max_iterations = p->options.max_iterations < MOST_ITERATIONS ? p->options.max_iterations : MOST_ITERATIONS;
    options.user = &limited;
    options.progress = dd_limited_progress;
    options.stop = dd_limited_stop;
    const dd_status status = dd_nlp_solve(p->ctx, &nlp, &options, &result);
    if (status != DD_OK) {
        dd_raise(p->ctx, status, "%s", dd_pool_strdup(p->pool, dd_context_message(p->ctx)));
    }
    /* any point that meets the rows and costs less shows that the short horizon is no minimum of its neighbourhood in u */
    const double here = p->result.objective;
    double objective;
    const bool cheaper = violation(program, result.x, rows) < FEASIBLE &&
                         program->objective(program->user, result.x, true, &objective) &&
                         objective < here - GAIN * fmax(SMALL_OBJECTIVE, fabs(here));
    if (cheaper) {
        memcpy(y, result.x, n * sizeof *y);
    }
    dd_pool_free(pool);
    return cheaper;
}

bool dd_ocp_lengthen(dd_ocp *p, double deadline, double *y)
{
    /* a minimum elsewhere, or one so near that the guessed length is too long */
    return lengthen_to(p, 1, deadline, y) || lengthen_to(p, SHORT, deadline, y);
}

void dd_ocp_refuse_shrunk(dd_ocp *p, const double *y)
{
    const dd_nlp *nlp = p->transcription->nlp;
    double cost;
    if (dd_ocp_solved(p) && dd_ocp_horizon_shrunk(p) && nlp->objective(nlp->user, y, true, &cost) &&
        cost < p->result.objective - GAIN * fmax(SMALL_OBJECTIVE, fabs(cost))) {
        p->info.status = DD_OCP_ITERATION_LIMIT;
        p->info.reason =
            "the solver shrinks the horizon to nothing, where controls have no slopes; longer ones cost less, "
            "but no optimum was found among them: give finalTime other bounds or another initialGuess";
    }
}
