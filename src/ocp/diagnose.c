/* diagnose.c - from the solver's verdict and its last point to a status of the contract and one sentence:
 * experiments (runaway.h), elastic solves (relax.h), violated rows by name and time window, ranks (dependent.h). */
#include "ocp/diagnose.h"

#include <math.h>
#include <string.h>

#include "ocp/dependent.h"
#include "ocp/flat.h"
#include "ocp/horizon.h"
#include "ocp/motion.h"
#include "ocp/multistart.h"
#include "ocp/nearer.h"
#include "ocp/relations.h"
#include "ocp/relax.h"
#include "ocp/runaway.h"
#include "ocp/steady.h"

enum { MOST_INSTEAD = 3, MOST_CONFLICT = 4, FEW_ITERATIONS = 200, AGAIN_ITERATIONS = 1000, FEW_GUESSES = 2 };
#define LEAST_SECONDS 8 /* for explanations, */
#define MOST_SECONDS 30 /* and at most this, */
#define OF_THE_SOLVE 3  /* else this many times the seconds of the solve */
#define FEASIBLE 1e-6   /* violation of a point that satisfies all rows */
#define FAR_OFF 1e-4 /* the same of one that grows without bound, and that rounding of large numbers does not explain */
#define STEEP 1e-2   /* dual infeasibility, of the size of the objective: far from any minimum */
#define NEARLY 1e-4  /* dual infeasibility of a point that is optimal for most purposes */

bool dd_limited_progress(void *limited, const dd_nlp_iteration *it)
{
    const dd_limited *l = limited;
    (void)it;
    return dd_poll_stop(l->ctx) == DD_OK && dd_clock_seconds() < l->deadline;
}

bool dd_limited_stop(void *limited)
{
    return dd_poll_stop_now(((const dd_limited *)limited)->ctx) != DD_OK;
}

/* ---- violations ---- */

static void add_violation(dd_text *text, const dd_violation *v)
{
    /* a user can look for a name and a time window in a plot */
    if (!isfinite(v->by)) {
        dd_text_printf(text, "%s is not a finite number at time %.4g", v->name, v->time);
        return;
    }
    dd_text_printf(text, "%s is violated", v->name);
    if (v->to > v->from) {
        dd_text_printf(text, " from time %.4g to %.4g, by %.3g at most, at time %.4g", v->from, v->to, v->by, v->time);
    } else {
        dd_text_printf(text, " at time %.4g, by %.3g", v->time, v->by);
    }
}

static const char *first_violation(dd_ocp *p, const dd_diagnosis *d)
{
    if (d->worst.len == 0) {
        return "";
    }
    dd_text text = dd_text_new(p->pool);
    add_violation(&text, &d->worst.data[0]);
    return dd_text_str(&text);
}

/* ---- sentences ---- */

static void conclude(dd_ocp *p, dd_ocp_status status, const char *reason)
{
    p->info.status = status;
    p->info.reason = reason;
}

/* "a, b and c" */
static void add_names(dd_text *text, const char *const *names, uint32_t n, uint32_t most)
{
    uint32_t shown = n <= most ? n : most;
    for (uint32_t i = 0; i < shown; i++) {
        dd_text_add(text, i == 0 ? "" : i + 1 == shown && n <= most ? " and " : ", ");
        dd_text_add(text, names[i]);
    }
    dd_text_add(text, n > most ? " and others" : "");
}

static const char *relax_words(dd_ocp *p, const dd_diagnosis *d)
{
    dd_text text = dd_text_new(p->pool);
    /* linear rows: the relaxation is a proof. Otherwise it is a local search */
    dd_text_add(&text, dd_ocp_rows_linear(p) ? "the constraints cannot all hold: "
                                             : "the constraints cannot all hold, as far as a search shows: ");
    /* the cheapest relaxation, then single ones that would do as well, then the rest of the conflict */
    for (uint32_t i = 0; i < d->relax.len; i++) {
        dd_text_add(&text, i == 0 ? "" : i + 1 == d->relax.len ? " and " : ", ");
        dd_text_printf(&text, i == 0 ? "%s would have to give way by %.3g" : "%s by %.3g", d->relax.data[i].name,
                       d->relax.data[i].by);
    }
    for (uint32_t i = 0; i < d->instead.len && i < MOST_INSTEAD; i++) {
        dd_text_printf(&text, ", or %s by %.3g", d->instead.data[i].name, d->instead.data[i].by);
    }
    if (d->conflict.len > 0) {
        dd_text_add(&text, "; also in conflict: ");
        add_names(&text, d->conflict.data, d->conflict.len, MOST_CONFLICT);
    }
    return dd_text_str(&text);
}

static const char *runaway_words(dd_ocp *p, const dd_diagnosis *d)
{
    dd_text text = dd_text_new(p->pool);
    dd_text_add(&text, "there is no minimum: the cost keeps falling as ");
    add_names(&text, d->runaway.data, d->runaway.len, MOST_CONFLICT);
    dd_text_printf(&text, " %s; bound %s (min, max) or let the cost rise there", d->runaway.len == 1 ? "grows" : "grow",
                   d->runaway.len == 1 ? "it" : "them");
    return dd_text_str(&text);
}

/* ---- functions that have no value ---- */

static void explain_evaluation(dd_ocp *p)
{
    bool began = p->info.iterations > 0;
    const char *went = began ? " during the solve" : " of the guess";
    /* where an evaluation failed, else the last iterate */
    const char *words = p->result.failed ? dd_ocp_nonfinite_words(p, p->result.failed_at, went) : NULL;
    words = words != NULL ? words
                          : dd_ocp_nonfinite_words(p, p->result.x, began ? " of the last iterate" : " of the guess");
    conclude(p, DD_OCP_EVALUATION_ERROR,
             words != NULL ? words : "a function of the model is not a finite number where the solver went");
}

/* ---- the point ---- */

/* The point that is reported from now on. */
static void move_to(dd_ocp *p, const double *y)
{
    const dd_nlp *nlp = p->transcription->nlp;
    double objective;
    memmove(p->result.x, y, nlp->n * sizeof *y);
    /* a point without an objective is reported all the same */
    objective = nlp->objective(nlp->user, p->result.x, true, &objective) ? objective : NAN;
    p->result.objective = p->info.objective = objective;
    p->info.start_time = dd_transcription_time(p->transcription, y, 0);
    p->info.final_time = dd_transcription_time(p->transcription, y, 1);
}

static void find_violation(dd_ocp *p, dd_diagnosis *d)
{
    dd_ocp_find_worst(p, d);
    p->info.violation = d->worst.len > 0 ? d->worst.data[0].violation : p->info.violation;
}

/* ---- without a solution ---- */

typedef struct inquiry {
    dd_ocp *p;
    dd_diagnosis *d;
    double deadline;
    double *y;
} inquiry;

static bool run_from(inquiry *q, const char *how)
{
    dd_ocp *p = q->p;
    const char *before = dd_ocp_solved(p) ? "ended there" : dd_ocp_end_words(p);
    /* from a better point: often the guess was all that was wrong */
    memcpy(p->result.x, q->y, p->transcription->nlp->n * sizeof *q->y);
    dd_ocp_run_again(p, AGAIN_ITERATIONS);
    if (dd_ocp_solved(p)) {
        dd_ocp_say_found(p, before, how);
    }
    return dd_ocp_solved(p);
}

/* Unless other guesses lead to a solution: fits have parameters that the data hardly determine from far away. */
static void call_unbounded(inquiry *q)
{
    if (q->p->problem->u.len > 0 || !dd_ocp_solve_nearer(q->p)) {
        conclude(q->p, DD_OCP_UNBOUNDED, runaway_words(q->p, q->d));
    }
}

/* True when that is the explanation, or there is a solution after all. */
static bool explain_runaway(inquiry *q)
{
    dd_ocp *p = q->p;
    switch (dd_ocp_bounded_solve(p, q->deadline, q->d, q->y)) {
    case DD_RUNAWAY_YES:
        call_unbounded(q);
        return true;
    case DD_RUNAWAY_BOUNDED:
        return run_from(q, "by way of wide bounds on what has none");
    default:
        return false;
    }
}

static void explain_overdetermined(inquiry *q)
{
    dd_ocp *p = q->p;
    dd_text text = dd_text_new(p->pool);
    uint32_t shown = 0;
    /* counts first; then which rows fix something at every point, since these are too many on most meshes */
    dd_text_printf(&text, "there are more equations than variables on this mesh: %u equalities, %u variables",
                   p->info.equalities, p->info.variables);
    for (uint32_t i = 0; i < p->problem->path.len; i++) {
        const dd_ocp_row *row = &p->problem->path.data[i];
        if (row->lower == row->upper && shown < MOST_CONFLICT) {
            dd_text_printf(&text, "%s%s", shown++ == 0 ? "; required at every point: " : ", ", row->name);
        }
    }
    /* no path equalities: one at a point as an example */
    for (uint32_t i = 0; i < p->problem->points.len && shown == 0; i++) {
        const dd_ocp_row *row = &p->problem->points.data[i];
        if (row->lower == row->upper && !row->dropped) {
            dd_text_printf(&text, "; among them %s", row->name);
            shown++;
        }
    }
    /* with constant controls more freedom is the remedy; else the rank says which rows meet */
    dd_ocp_find_dependent(p, q->d);
    if (p->options.control != DD_OCP_POLYNOMIAL && p->problem->u.len > 0) {
        dd_text_printf(&text, "; %s polynomial gives every point its own control", dd_option_word(p->ctx, "--control"));
    } else if (q->d->dependent.len > 0) {
        dd_text_printf(&text, "; these depend on each other: %s", q->d->dependent.data[0].names);
    }
    /* counts are no proof, since rows may repeat each other where all of them hold; a least violation is evidence */
    switch (dd_ocp_relax(p, q->deadline, q->d, q->y)) {
    case DD_RELAX_NEEDED:
        move_to(p, q->y);
        find_violation(p, q->d);
        dd_text_printf(&text, "; %s", relax_words(p, q->d));
        break;
    case DD_RELAX_FEASIBLE:
        move_to(p, q->y);
        find_violation(p, q->d);
        dd_text_add(&text,
                    "; a trajectory that satisfies all of them was found (it is reported), but no optimum from there");
        conclude(p, DD_OCP_ITERATION_LIMIT, dd_text_str(&text));
        return;
    default:
        break;
    }
    conclude(p, DD_OCP_INFEASIBLE, dd_text_str(&text));
}

/* The rows hold: how good is the point? */
static void explain_stalled(inquiry *q)
{
    dd_ocp *p = q->p;
    /* rows that depend on each other make multipliers unbounded: the usual reason for a stall */
    dd_ocp_find_dependent(p, q->d);
    const char *why = q->d->dependent.len > 0
                          ? dd_pool_printf(p->pool, "; at this point these constraints depend on each other: %s",
                                           q->d->dependent.data[0].names)
                          : dd_ocp_sharp_words(p->problem);
    /* the user's limit, a nearly optimal point, or neither */
    if (p->result.status == DD_NLP_ITERATION_LIMIT) {
        conclude(p, DD_OCP_ITERATION_LIMIT,
                 dd_pool_printf(p->pool,
                                "not solved within %u iterations: all constraints hold, but the cost can still "
                                "fall (dual infeasibility %.2g)%s",
                                p->info.iterations, p->info.dual_infeasibility, why));
    } else if (p->info.dual_infeasibility <= NEARLY) {
        conclude(p, DD_OCP_ACCEPTABLE,
                 dd_pool_printf(p->pool,
                                "the solver cannot get closer to the optimum: all constraints hold, the dual "
                                "infeasibility is %.2g%s",
                                p->info.dual_infeasibility, why));
    } else {
        conclude(p, DD_OCP_ITERATION_LIMIT,
                 dd_pool_printf(p->pool,
                                "the solver stopped after %u iterations without an optimum: all constraints "
                                "hold, but the dual infeasibility is %.2g%s",
                                p->info.iterations, p->info.dual_infeasibility, why));
    }
}

static void explain_unknown(inquiry *q, const char *words)
{
    dd_ocp *p = q->p;
    const char *worst = first_violation(p, q->d);
    /* a limit of iterations says nothing about the constraints */
    bool limit = p->info.status == DD_OCP_ITERATION_LIMIT || p->result.status == DD_NLP_FAILED;
    conclude(p, limit ? DD_OCP_ITERATION_LIMIT : DD_OCP_INFEASIBLE,
             limit ? dd_pool_printf(p->pool, "not solved within %u iterations: %s", p->info.iterations, worst)
                   : dd_pool_printf(p->pool, "%s: %s", words, worst));
}

static void explain_violated(inquiry *q)
{
    dd_ocp *p = q->p;
    double *feasible = dd_pool_alloc_array(p->pool, p->transcription->nlp->n + 1, sizeof *feasible);
    /* the constraints that would have to give way (relax.h) */
    switch (dd_ocp_relax(p, q->deadline, q->d, q->y)) {
    case DD_RELAX_NEEDED:
        move_to(p, q->y);
        find_violation(p, q->d);
        conclude(p, DD_OCP_INFEASIBLE, relax_words(p, q->d));
        dd_ocp_find_dependent(p, q->d);
        return;
    case DD_RELAX_FEASIBLE:
        /* constraints can hold: from such a point the solver may succeed, or run away */
        memcpy(feasible, q->y, p->transcription->nlp->n * sizeof *feasible);
        if (run_from(q, "by way of a trajectory that satisfies all constraints")) {
            return;
        }
        if (explain_runaway(q)) {
            return;
        }
        move_to(p, feasible);
        find_violation(p, q->d);
        /* the elastic program and this one differ where a function has no value */
        if (!isfinite(p->info.objective) || (q->d->worst.len > 0 && !(p->info.violation <= FEASIBLE))) {
            explain_unknown(q, "no point near the last one satisfies all constraints");
            return;
        }
        conclude(p, DD_OCP_ITERATION_LIMIT,
                 "a trajectory that satisfies all constraints was found (it is reported), but no optimum from there");
        return;
    case DD_RELAX_IMPOSSIBLE:
        explain_unknown(q, "no trajectory of the model was found near the guess, even with all constraints relaxed");
        return;
    default:
        explain_unknown(q, "no point near the last one satisfies all constraints");
    }
}

static void explain_unsolved(inquiry *q)
{
    dd_ocp *p = q->p;
    bool diverged = p->result.status == DD_NLP_UNBOUNDED;
    const double off =
        p->info.violation; /* a cost that falls while rows are violated more and more has a minimum, perhaps */
    /* cheap questions first: counts, growth without bound; elastic solves last */
    find_violation(p, q->d);
    if (dd_ocp_overdetermined(p)) {
        explain_overdetermined(q);
        return;
    }
    /* far iterates: the cost may have no lower bound */
    /* or the point that is reported is the best of many that went far away, and its slope says so */
    const bool slopes = p->info.violation <= FEASIBLE && p->info.dual_infeasibility > STEEP;
    if ((diverged || slopes || dd_ocp_far_away(p, false)) && explain_runaway(q)) {
        return;
    }
    /* few iterations prove nothing */
    bool stopped_early = p->result.status == DD_NLP_ITERATION_LIMIT && p->options.max_iterations < FEW_ITERATIONS;
    if (p->info.violation <= FEASIBLE && !diverged) {
        explain_stalled(q);
    } else if (stopped_early) {
        explain_unknown(q, "");
    } else {
        explain_violated(q);
    }
    /* nothing explains it and the iterates still grow: that is the answer */
    if (diverged && off <= FAR_OFF && p->info.status != DD_OCP_INFEASIBLE && !dd_ocp_solved(p)) {
        dd_ocp_name_largest(p, q->d);
        conclude(p, DD_OCP_UNBOUNDED, runaway_words(p, q->d));
    }
}

static void explain_stop(inquiry *q)
{
    dd_ocp *p = q->p;
    bool time = dd_poll_stop(p->ctx) == DD_TIME_LIMIT;
    /* the best iterate and its worst row */
    find_violation(p, q->d);
    const char *worst = first_violation(p, q->d);
    conclude(p, time ? DD_OCP_TIME_LIMIT : DD_OCP_INTERRUPTED,
             dd_pool_printf(p->pool, "%s after %u iterations on %s; this is the best iterate%s%s",
                            time ? "out of time" : "interrupted", p->result.iterations, p->title,
                            worst[0] != '\0' ? ", where " : "", worst));
}

static void explain_acceptable(dd_ocp *p, dd_diagnosis *d)
{
    dd_ocp_find_worst(p, d);
    conclude(p, DD_OCP_ACCEPTABLE,
             dd_pool_printf(p->pool,
                            "the solver cannot get closer to the optimum than this (violation %.2g, dual "
                            "infeasibility %.2g)",
                            p->info.violation, p->info.dual_infeasibility));
}

/* A solution may be a place where a slope became too flat to see. */
static void doubt_solution(inquiry *q)
{
    dd_ocp *p = q->p;
    const bool flat = dd_ocp_flat(p);
    /* a guess without slope: stationary, but perhaps a maximum; so is a point where the cost does not bend either */
    if (flat || p->info.iterations == 0 || dd_ocp_stayed(p)) {
        /* nor does it where a control has a dead zone, however far that goes */
        const bool wide = flat || dd_ocp_sharp_words(p->problem)[0] != '\0';
        dd_runaway beside = dd_ocp_leave_guess(p, wide, q->deadline, q->d, q->y);
        if (beside == DD_RUNAWAY_YES) {
            call_unbounded(q);
            return;
        }
        if (beside == DD_RUNAWAY_UNKNOWN) {
            dd_ocp_say(p, dd_pool_printf(p->pool,
                                         "%s the slope of the cost vanishes; solves from points near it did not "
                                         "finish, so it may not be a minimum: give an initialGuess, or try %s",
                                         flat ? "here" : "this is the guess itself, where",
                                         dd_option_word(p->ctx, "--multistart")));
        }
        if (beside == DD_RUNAWAY_BOUNDED &&
            !run_from(q, flat ? "beside a point where the cost is flat"
                              : "near the guess, where the slope of the cost vanishes")) {
            if (!dd_ocp_stopped(p)) {
                explain_unsolved(q);
            }
            return;
        }
    }
    /* a horizon that has shrunk to nothing: stationary, but perhaps no minimum */
    if (dd_ocp_horizon_shrunk(p) && dd_ocp_lengthen(p, q->deadline, q->y)) {
        if (!run_from(q, "with a longer horizon: where it has no length controls have no slopes") &&
            !dd_ocp_stopped(p)) {
            explain_unsolved(q);
        }
        dd_ocp_refuse_shrunk(p, q->y);
        return;
    }
    /* values far away from all guesses, or steps that did not become shorter: does the cost go on falling? */
    const bool steady = dd_ocp_steps_steady(p->history), far = dd_ocp_far_away(p, true);
    const bool leads_on = (steady || far) && dd_ocp_slope_leads_on(p, steady, q->deadline, q->d);
    if (far && (leads_on || p->problem->u.len == 0) && dd_ocp_solve_nearer(p)) {
        q->d->runaway.len = 0;
    } else if (leads_on && !dd_ocp_stopped(p)) {
        conclude(p, DD_OCP_UNBOUNDED, runaway_words(p, q->d));
    } else if (p->info.status == DD_OCP_ACCEPTABLE) {
        explain_acceptable(p, q->d);
    }
}

/* Start and bounds on controls only: every control has a motion, so infeasible would be wrong. */
static void say_it_moves(dd_ocp *p, dd_text *text)
{
    const char *worst = first_violation(p, p->diagnosis);
    const char *motions =
        p->moved ? dd_pool_printf(
                       p->pool,
                       "the model has motions, since nothing but a start and bounds on controls is asked for, but no "
                       "optimal one was found; give an initialGuess, more %s or another %s",
                       dd_option_word(p->ctx, "--intervals"), dd_option_word(p->ctx, "--method"))
                 : "no simulation from the start under constant controls reaches the end, so the states may grow "
                   "without bound before it; a shorter horizon or an initialGuess of the controls may help";
    dd_text_printf(text, "the solver did not converge%s%s: %s", worst[0] != '\0' ? " and ends where " : "", worst,
                   motions);
    p->info.status = DD_OCP_ITERATION_LIMIT;
    p->diagnosis->relax.len = p->diagnosis->instead.len = p->diagnosis->conflict.len = 0;
}

/* A search that ends off the constraints says from where it was made, and that it is no proof. Infeasible it is called
 * where the violation has a least value with names, which several guesses led to; and where nothing is asked for that
 * could be in the way of a motion it says nothing about the problem. */
static void qualify_infeasible(dd_ocp *p)
{
    if (p->info.status != DD_OCP_INFEASIBLE || p->info.iterations == 0) {
        return;
    }
    dd_text text = dd_text_new(p->pool);
    const bool linear = dd_ocp_rows_linear(p);
    if (dd_ocp_always_moves(p->problem)) {
        say_it_moves(p, &text);
    } else if (!linear && (p->diagnosis->relax.len == 0 || p->tried.len < FEW_GUESSES)) {
        dd_text_printf(&text,
                       "no point that satisfies all constraints was found, which does not prove that there is none: %s",
                       p->info.reason);
        p->info.status = DD_OCP_ITERATION_LIMIT;
    } else {
        dd_text_add(&text, p->info.reason);
    }
    /* a local search depends on where it began */
    if (p->tried.len > 0 && !linear) {
        dd_text_add(&text, "; this is not a proof; guesses tried: ");
        add_names(&text, p->tried.data, p->tried.len, p->tried.len);
    }
    p->info.reason = dd_text_str(&text);
}

void dd_ocp_conclude(dd_ocp *p)
{
    if (p->transcription == NULL) {
        return;
    }
    /* explanations may take a while, in proportion to the solve */
    double spent = dd_clock_seconds() - p->began;
    inquiry q = {.p = p, .d = dd_pool_alloc(p->pool, sizeof *q.d)};
    *q.d = (dd_diagnosis){0};
    q.deadline = dd_clock_seconds() + fmin(fmax(LEAST_SECONDS, OF_THE_SOLVE * spent), MOST_SECONDS);
    q.y = dd_pool_alloc_array(p->pool, p->transcription->nlp->n + 1, sizeof *q.y);
    /* by the status of the solver */
    if (dd_ocp_solved(p)) {
        doubt_solution(&q);
    } else if (p->info.status == DD_OCP_EVALUATION_ERROR && p->result.status == DD_NLP_EVALUATION_ERROR) {
        /* functions without a value where iterates ran away: the cause is the cost, not the function */
        bool away = p->info.iterations > 0 && dd_ocp_far_away(p, false);
        if (!away || !explain_runaway(&q)) {
            explain_evaluation(p);
            move_to(p, p->result.x);
            dd_ocp_find_worst(p, q.d);
        }
    } else if (p->info.status == DD_OCP_EVALUATION_ERROR) {
        move_to(p, p->result.x); /* refused at the guess */
        p->info.intervals = p->transcription->mesh.n;
        dd_ocp_find_worst(p, q.d);
    } else if (p->info.status == DD_OCP_INTERRUPTED || p->info.status == DD_OCP_TIME_LIMIT) {
        explain_stop(&q);
    } else {
        explain_unsolved(&q);
    }
    /* an optimal result needs no diagnosis */
    p->diagnosis = p->info.status != DD_OCP_OPTIMAL ? q.d : NULL;
    qualify_infeasible(p);
}

void dd_ocp_settle(dd_ocp *p)
{
    /* refinement may have changed the status since */
    if (p->info.status == DD_OCP_OPTIMAL) {
        p->diagnosis = NULL;
        p->info.reason = "";
    } else if (p->info.status == DD_OCP_ACCEPTABLE && (p->diagnosis == NULL || p->info.meshes > 1)) {
        p->diagnosis = dd_pool_alloc(p->pool, sizeof *p->diagnosis);
        *p->diagnosis = (dd_diagnosis){0};
        if (p->result.status == DD_NLP_OPTIMAL) { /* judged so for a reason of its own, which stays */
            dd_ocp_find_worst(p, p->diagnosis);
        } else {
            explain_acceptable(p, p->diagnosis);
        }
    }
}

/* ---- reports ---- */

void dd_diagnosis_text(const dd_diagnosis *d, dd_text *out)
{
    for (uint32_t i = 0; i < d->worst.len; i++) {
        dd_text_add(out, "  ");
        add_violation(out, &d->worst.data[i]);
        dd_text_add(out, "\n");
    }
    for (uint32_t i = 0; i < d->relax.len; i++) {
        dd_text_printf(out, "  would have to give way: %s, by %.4g\n", d->relax.data[i].name, d->relax.data[i].by);
    }
    for (uint32_t i = 0; i < d->instead.len; i++) {
        dd_text_printf(out, "  or instead: %s, by %.4g\n", d->instead.data[i].name, d->instead.data[i].by);
    }
    for (uint32_t i = 0; i < d->dependent.len; i++) {
        dd_text_printf(out, "  depend on each other here: %s\n", d->dependent.data[i].names);
    }
}
