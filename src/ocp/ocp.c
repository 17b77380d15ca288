/* ocp.c - making and solving an optimization: problem, mesh, guess, transcription, solver. */
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "nlp/permuted.h"
#include "ocp/alternatives.h"
#include "ocp/approach.h"
#include "ocp/boundary.h"
#include "ocp/diagnose.h"
#include "ocp/judge.h"
#include "ocp/leave_out.h"
#include "ocp/multistart.h"
#include "ocp/path_equality.h"
#include "ocp/phases.h"
#include "ocp/precheck.h"
#include "ocp/redundant.h"
#include "ocp/refine.h"
#include "ocp/relations.h"
#include "ocp/shooting.h"
#include "ocp/statistics.h"

#define USUAL_INTERVALS 50 /* where none are asked for */
#define HOPELESS_AFTER 60  /* iterations */
#define HOPELESS 10.0      /* times the violation of the guess */
#define CRAWLING_AFTER 50u /* iterations in a row */
#define CRAWLING 10.0      /* what is added to the Hessian */
#define CRAWLING_STEP 0.03 /* scaled */
#define AGAIN_BARRIER 1e-4 /* where the barrier begins on a refined mesh */
#define CLOSING 200u       /* iterations for the last digits of the objective */

const char *dd_ocp_status_name(dd_ocp_status status)
{
    static const char *const names[] = {
#define DD_OCP_STATUS_TEXT(id, name) name,
        DD_OCP_STATUS_LIST(DD_OCP_STATUS_TEXT)
#undef DD_OCP_STATUS_TEXT
    };
    return names[status];
}

dd_ocp_options dd_ocp_options_default(void)
{
    return (dd_ocp_options){
        .control = DD_OCP_CHOSEN, .degree = 3, .substeps = 1, .tolerance = 1e-8, .max_iterations = 3000};
}

const char *dd_ocp_hessian_name(dd_ocp_hessian hessian)
{
    static const char *const names[] = {"exact", "bfgs", "gauss-newton"};
    return names[hessian];
}

/* ---- the mesh ---- */

uint32_t dd_ocp_first_intervals(const dd_ocp *p)
{
    return p->options.intervals > 0 ? p->options.intervals : USUAL_INTERVALS;
}

static dd_mesh equidistant(dd_ocp *p)
{
    /* Radau nodes unless Gauss is asked for: they contain the end of the interval and damp stiff components */
    static const dd_control_kind kind[] = {[DD_OCP_CONSTANT] = DD_CONTROL_CONSTANT,
                                           [DD_OCP_LINEAR] = DD_CONTROL_LINEAR,
                                           [DD_OCP_POLYNOMIAL] = DD_CONTROL_POLYNOMIAL,
                                           [DD_OCP_CHOSEN] = DD_CONTROL_CONSTANT};
    uint32_t n = dd_ocp_first_intervals(p);
    dd_mesh mesh = {
        .n = n, .nodes = p->options.legendre ? DD_NODES_GAUSS : DD_NODES_RADAU, .control = kind[p->options.control]};
    mesh.theta = dd_pool_alloc_array(p->pool, n + 1, sizeof *mesh.theta);
    mesh.degree = dd_pool_alloc_array(p->pool, n + 1, sizeof *mesh.degree);
    /* theta = k / n, a fraction of the horizon: it stays the same while a free horizon changes */
    for (uint32_t k = 0; k <= n; k++) {
        mesh.theta[k] = (double)k / n;
        mesh.degree[k] = p->tableau != NULL ? 0 : p->options.degree;
    }
    mesh.tableau = p->tableau;
    mesh.substeps = p->options.substeps;
    mesh.gauss_newton = p->options.hessian == DD_OCP_GAUSS_NEWTON;
    return mesh;
}

/* ---- the solve ---- */

/* Short steps with much added to the Hessian, one after the other: the solver follows a flat valley of a program that is
 * far from convex there. From another guess it is usually short. */
static bool crawls(dd_ocp *p, const dd_nlp_iteration *it)
{
    bool slow = it->regularization > CRAWLING && it->step * it->alpha < CRAWLING_STEP && !it->restoration;
    p->crawled = it->number > 0 && slow ? p->crawled + 1 : 0;
    return p->crawled >= CRAWLING_AFTER;
}

/* These two are called from inside the solver and must not raise. */
static bool must_stop(void *user)
{
    const dd_ocp *p = user;
    return dd_poll_stop_now(p->ctx) != DD_OK;
}

static bool report_progress(void *user, const dd_nlp_iteration *it)
{
    dd_ocp *p = user;
    dd_ocp_iteration row = {.number = it->number,
                            .objective = it->objective,
                            .violation = it->violation,
                            .dual_infeasibility = it->dual_infeasibility,
                            .barrier = it->barrier,
                            .step = it->step,
                            .regularization = it->regularization,
                            .alpha = it->alpha,
                            .restoration = it->restoration,
                            .solve = p->solves,
                            .title = p->title};
    dd_history_add(p->history, &row);
    /* two signs that this guess leads nowhere. They only matter while there are other guesses to try (a cap is
     * set) */
    p->first_violation = it->number == 0 ? it->violation : p->first_violation;
    bool away = it->number >= HOPELESS_AFTER && it->violation > HOPELESS * fmax(1, p->first_violation);
    bool slow = crawls(p, it);
    if (p->iteration_cap > 0 && (away || slow)) {
        p->gave_up = true; /* farther from the constraints than the guess, or crawling: there are other ways to begin */
        return false;
    }
    /* an alternative that will not beat the present solution, or rows that repeat each other, end a solve early
     * too */
    if (dd_ocp_alternative_fails(p, it)) {
        p->gave_up = true;
        return false;
    }
    if (dd_ocp_stalls_on_rows(p, it)) {
        p->gave_up = true;
        return false;
    }
    return p->options.progress == NULL || p->options.progress(p->options.user, &row);
}

bool dd_ocp_solved(const dd_ocp *p)
{
    return p->info.status == DD_OCP_OPTIMAL || p->info.status == DD_OCP_ACCEPTABLE;
}

void dd_ocp_say(dd_ocp *p, const char *text)
{
    dd_vec_push(p->problem->pool, &p->problem->messages, text);
}

bool dd_ocp_stopped(const dd_ocp *p)
{
    return p->info.status == DD_OCP_INTERRUPTED || p->info.status == DD_OCP_TIME_LIMIT;
}

const char *dd_ocp_end_words(const dd_ocp *p)
{
    bool capped =
        p->gave_up || (p->result.status == DD_NLP_ITERATION_LIMIT && p->result.iterations < p->options.max_iterations);
    if (capped) {
        return dd_pool_printf(p->pool, "was given up after %u iterations", p->result.iterations);
    }
    if (p->result.status == DD_NLP_FAILED) {
        return dd_pool_printf(p->pool, "stalled after %u iterations", p->result.iterations);
    }
    return dd_pool_printf(p->pool, "ended with %s", dd_ocp_status_name(p->info.status));
}

static dd_ocp_status status_of(dd_nlp_status status)
{
    static const dd_ocp_status table[] = {[DD_NLP_OPTIMAL] = DD_OCP_OPTIMAL,
                                          [DD_NLP_ACCEPTABLE] = DD_OCP_ACCEPTABLE,
                                          [DD_NLP_INFEASIBLE] = DD_OCP_INFEASIBLE,
                                          [DD_NLP_UNBOUNDED] = DD_OCP_UNBOUNDED,
                                          [DD_NLP_ITERATION_LIMIT] = DD_OCP_ITERATION_LIMIT,
                                          [DD_NLP_TIME_LIMIT] = DD_OCP_TIME_LIMIT,
                                          [DD_NLP_EVALUATION_ERROR] = DD_OCP_EVALUATION_ERROR,
                                          [DD_NLP_INTERRUPTED] = DD_OCP_INTERRUPTED,
                                          [DD_NLP_OVERDETERMINED] = DD_OCP_INFEASIBLE,
                                          [DD_NLP_FAILED] = DD_OCP_INFEASIBLE}; /* until it is looked at */
    return table[status];
}

void dd_ocp_count_rows(dd_ocp *p)
{
    const dd_nlp *nlp = p->transcription->nlp;
    p->info.variables = nlp->n;
    p->info.equalities = p->info.inequalities = 0;
    for (uint32_t i = 0; i < nlp->m; i++) {
        *(nlp->c_lower[i] == nlp->c_upper[i] ? &p->info.equalities : &p->info.inequalities) += 1;
    }
}

typedef struct state_guess {
    const dd_guess *guess;
    double *z, *u;
} state_guess;

static void states_at(void *user, double theta, double *x)
{
    const state_guess *s = user;
    s->guess->at(s->guess->user, theta, theta >= 1, x, s->z, s->u);
}

static void rank_boundary(dd_ocp *p, const dd_guess *guess)
{
    state_guess s = {.guess = guess};
    const dd_ranking_values values = {&s, states_at};
    s.z = dd_pool_alloc_array(p->pool, p->problem->z.len + 1, sizeof *s.z);
    s.u = dd_pool_alloc_array(p->pool, p->problem->u.len + 1, sizeof *s.u);
    dd_ocp_boundary(p->problem, &values, (dd_consistency)p->options.consistency);
}

double dd_ocp_gap(const dd_ocp *p)
{
    const dd_nlp *nlp = p->transcription->nlp;
    const dd_nlp_result *r = &p->result;
    double sum = 0;
    /* sum of |z_i (x_i - bound_i)|: how far the objective may be from that of the exact complementarity */
    for (uint32_t i = 0; i < nlp->n; i++) {
        sum += isfinite(nlp->x_lower[i]) ? fabs(r->z_lower[i] * (r->x[i] - nlp->x_lower[i])) : 0;
        sum += isfinite(nlp->x_upper[i]) ? fabs(r->z_upper[i] * (nlp->x_upper[i] - r->x[i])) : 0;
    }
    return sum;
}

static void run_solver(dd_ocp *p, const dd_nlp_options *options)
{
    /* quasi-Newton methods have no Hessian to ask for; solvers approximate it when there is none */
    dd_nlp nlp = *p->transcription->nlp;
    if (p->options.hessian == DD_OCP_BFGS) {
        nlp.hessian = NULL;
        nlp.hessian_nnz = 0;
    }
    dd_permuted *permuted = NULL;
    dd_status status = DD_OK;
    /* variables and rows in another order: for tests of what depends on the order */
    if (p->options.permutation > 0) {
        status = dd_permuted_new(&permuted, p->ctx, &nlp, p->options.permutation, p->transcription->mesh.n);
        status = status == DD_OK ? dd_permuted_ipopt(permuted, options, &p->result) : status;
        dd_permuted_free(permuted);
    } else {
        status = dd_nlp_solve(p->ctx, &nlp, options, &p->result);
    }
    if (status != DD_OK) {
        dd_raise(p->ctx, status, "%s", dd_pool_strdup(p->pool, dd_context_message(p->ctx)));
    }
    /* what a callback could not raise is raised here, outside of the solver */
    if (p->look_failed == DD_OUT_OF_MEMORY) {
        p->look_failed = DD_OK;
        dd_raise(p->ctx, DD_OUT_OF_MEMORY, "%s", dd_status_text(DD_OUT_OF_MEMORY));
    }
    if (p->result.status == DD_NLP_INTERRUPTED && dd_poll_stop_now(p->ctx) == DD_TIME_LIMIT) {
        p->result.status = DD_NLP_TIME_LIMIT;
    }
}

/* The barrier's last value leaves its mark on the objective where many bounds are active and the cost is small: then
 * the solve goes on from there with a smaller one. */
static void close_gap(dd_ocp *p, dd_nlp_options options)
{
    dd_nlp_result *r = &p->result;
    /* mu times the number of active bounds is about the gap: allowed is 1e-8 of the objective */
    double gap = dd_ocp_gap(p), allowed = 1e-8 * fmax(fabs(r->objective), 1e-10);
    double limit = p->options.refine > 0 ? fmin(10, 1e7 * p->options.refine) : 10;
    if (r->status != DD_NLP_OPTIMAL || gap <= limit * allowed) {
        return;
    }
    /* all of the present solution is kept: a failed attempt must not cost it */
    dd_nlp_result before = *r;
    size_t n = p->transcription->nlp->n, m = p->transcription->nlp->m;
    double *kept = dd_pool_alloc_array(p->pool, 3 * n + m + 1, sizeof *kept);
    memcpy(kept, r->x, n * sizeof *kept);
    memcpy(kept + n, r->z_lower, n * sizeof *kept);
    memcpy(kept + 2 * n, r->z_upper, n * sizeof *kept);
    memcpy(kept + 3 * n, r->lambda, m * sizeof *kept);
    /* from the point and the multipliers, with a barrier so small that the gap is what is allowed */
    options.warm = true;
    options.max_iterations = options.max_iterations < CLOSING ? options.max_iterations : CLOSING;
    options.barrier = options.tolerance * 0.1;
    options.complementarity = fmax(options.tolerance * allowed / gap, 1e-14);
    p->title = dd_pool_printf(p->pool, "%s, once more with a smaller barrier", p->title);
    p->solves++;
    run_solver(p, &options);
    if (r->status == DD_NLP_OPTIMAL) {
        r->iterations += before.iterations;
        r->seconds_evaluate += before.seconds_evaluate;
        r->seconds_total += before.seconds_total;
        return;
    }
    /* the first solution again */
    memcpy(r->x, kept, n * sizeof *kept);
    memcpy(r->z_lower, kept + n, n * sizeof *kept);
    memcpy(r->z_upper, kept + 2 * n, n * sizeof *kept);
    memcpy(r->lambda, kept + 3 * n, m * sizeof *kept);
    *r = before;
    p->gave_up = false; /* it was solved before */
}

dd_mesh dd_mesh_copy(const dd_mesh *mesh, dd_pool *pool)
{
    dd_mesh copy = *mesh;
    copy.theta = dd_pool_alloc_array(pool, mesh->n + 1, sizeof *copy.theta);
    copy.degree = dd_pool_alloc_array(pool, mesh->n + 1, sizeof *copy.degree);
    memcpy(copy.theta, mesh->theta, (mesh->n + 1) * sizeof *copy.theta);
    memcpy(copy.degree, mesh->degree, mesh->n * sizeof *copy.degree);
    return copy;
}

static dd_nlp_result new_result(dd_transcription *t, dd_pool *pool)
{
    const dd_nlp *nlp = t->nlp;
    dd_nlp_result r = {0};
    /* primal point, multipliers of rows, multipliers of both bounds, and the point of a failed evaluation */
    r.x = dd_pool_alloc_array(pool, nlp->n + 1, sizeof *r.x);
    r.lambda = dd_pool_alloc_array(pool, nlp->m + 1, sizeof *r.lambda);
    r.z_lower = dd_pool_alloc_array(pool, nlp->n + 1, sizeof *r.z_lower);
    r.z_upper = dd_pool_alloc_array(pool, nlp->n + 1, sizeof *r.z_upper);
    r.failed_at = dd_pool_alloc_array(pool, nlp->n + 1, sizeof *r.failed_at);
    if (nlp->n > 0) { /* otherwise there is nothing to copy from */
        memcpy(r.x, dd_elements_start(t->elements), nlp->n * sizeof *r.x);
    }
    return r;
}

static void read_info(dd_ocp *p)
{
    /* KKT conditions of the solution, computed again from the program itself and not from the solver's report */
    const dd_nlp_result *r = &p->result;
    dd_kkt kkt = {0};
    if (dd_nlp_kkt(p->ctx, p->transcription->nlp, r, &kkt) == DD_OUT_OF_MEMORY) {
        dd_raise(p->ctx, DD_OUT_OF_MEMORY, NULL);
    }
    p->info.status = p->gave_up ? DD_OCP_ITERATION_LIMIT : status_of(r->status);
    p->info.objective = r->objective;
    p->info.iterations += r->iterations;
    /* dual infeasibility and complementarity have the unit of the objective; relative to its size they compare */
    double size = fmax(1, fmax(fabs(r->objective), kkt.gradient)); /* of the objective */
    p->info.violation = dd_ocp_violation(p);
    p->info.dual_infeasibility = kkt.dual_infeasibility / size;
    p->info.complementarity = kkt.complementarity / size;
    p->info.start_time = dd_transcription_time(p->transcription, r->x, 0);
    p->info.final_time = dd_transcription_time(p->transcription, r->x, 1);
    p->info.reason = ""; /* dd_ocp_conclude finds it */
    p->info.intervals = p->transcription->mesh.n;
    p->info.meshes++;
    p->info.seconds_evaluate += r->seconds_evaluate;
    p->info.seconds_linear_algebra += r->seconds_total - r->seconds_evaluate;
}

static const char *title_of(dd_ocp *p, uint32_t intervals)
{
    return p->start > 0 ? dd_pool_printf(p->pool, "start %u: %u intervals", p->start, intervals)
                        : dd_pool_printf(p->pool, "%u intervals", intervals);
}

typedef struct run_limits {
    double barrier; /* 0: the solver's own */
    uint32_t iterations;
    bool warm; /* multipliers are known too */
} run_limits;

static void run_present(dd_ocp *p, const run_limits *limits)
{
    /* the options of this solve; the callbacks count, report and end it */
    dd_nlp_options options = dd_nlp_options_default();
    options.tolerance = p->options.tolerance;
    options.max_iterations = limits->iterations;
    options.barrier = limits->barrier;
    options.warm = limits->warm;
    options.user = p;
    options.progress = report_progress;
    options.stop = must_stop;
    p->gave_up = false;
    p->error_known = false;
    /* far guesses are brought closer to the rows first */
    if (p->approach) {
        dd_ocp_approach(p, &options);
    }
    run_solver(p, &options);
    close_gap(p, options);
    read_info(p);
}

static void run_limited(dd_ocp *p, void *user)
{
    run_present(p, user);
}

static uint32_t at_most(const dd_ocp *p, uint32_t iterations)
{
    return p->options.max_iterations < iterations ? p->options.max_iterations : iterations;
}

void dd_ocp_solve_on(dd_ocp *p, const dd_mesh *mesh, const dd_guess *guess, bool again)
{
    double begin = dd_clock_seconds();
    /* the transcription has a pool of its own, which goes when the next but one mesh is made */
    dd_pool *pool = dd_pool_child(p->pool);
    dd_mesh copy = dd_mesh_copy(mesh, pool);
    dd_transcription *t = dd_transcribe(p->problem, &copy, guess, pool);
    /* the mesh before stays: should this solve fail, its solution is taken back */
    dd_ocp_forget_previous(p);
    p->previous = (dd_ocp_meshed){p->mesh_pool, p->transcription, p->result, p->info};
    p->mesh_pool = pool;
    p->transcription = t;
    p->error_known = false;
    p->result = (dd_nlp_result){0}; /* if there is no memory for it, there is no trajectory */
    p->result = new_result(t, pool);
    p->title = title_of(p, mesh->n);
    p->solves++;
    dd_ocp_count_rows(p);
    p->info.seconds_setup += dd_clock_seconds() - begin;
    /* a guess with values that are not finite is reported instead of solved */
    if (dd_ocp_check_guess(p)) {
        run_limits limits = {.barrier = again ? AGAIN_BARRIER : 0, .iterations = p->options.max_iterations};
        limits.iterations = p->iteration_cap > 0 ? at_most(p, p->iteration_cap) : limits.iterations;
        run_limited(p, &limits);
        dd_ocp_solve_without_repeated(p, run_limited, &limits);
    }
}

void dd_ocp_run_again(dd_ocp *p, uint32_t most)
{
    run_present(p, &(run_limits){.iterations = at_most(p, most)});
    p->info.meshes -= p->info.meshes > 1 ? 1 : 0; /* the mesh is the same */
}

void dd_ocp_run_from(dd_ocp *p, uint32_t most, bool warm)
{
    run_limits limits = {
        .barrier = warm ? p->options.tolerance : AGAIN_BARRIER, .iterations = at_most(p, most), .warm = warm};
    p->title = dd_pool_printf(p->pool, "%s, beside the solution", title_of(p, p->transcription->mesh.n));
    p->solves++;
    run_present(p, &limits);
    p->info.meshes -= p->info.meshes > 1 ? 1 : 0;
}

void dd_ocp_forget_previous(dd_ocp *p)
{
    dd_transcription_free(p->previous.transcription);
    dd_pool_free(p->previous.pool);
    p->previous = (dd_ocp_meshed){0};
}

void dd_ocp_take_back(dd_ocp *p)
{
    /* the tried mesh changes places with the previous one and is freed; its iterations and seconds were spent
     * all the same */
    dd_ocp_meshed tried = {p->mesh_pool, p->transcription, p->result, p->info};
    p->mesh_pool = p->previous.pool;
    p->transcription = p->previous.transcription;
    p->result = p->previous.result;
    p->info = p->previous.info;
    p->info.iterations = tried.info.iterations;
    p->info.seconds_setup = tried.info.seconds_setup;
    p->info.seconds_evaluate = tried.info.seconds_evaluate;
    p->info.seconds_linear_algebra = tried.info.seconds_linear_algebra;
    p->previous = tried;
    p->error_known = false;
    dd_ocp_forget_previous(p);
}

/* Estimate, refinement, simulation of the result: what can be given up without losing the solution. */
static void judge(void *user)
{
    dd_ocp_judge(user);
}

static void judge_or_stop(dd_ocp *p)
{
    /* whatever stops here leaves the last solution in place: a result with a worse verdict instead of none */
    dd_status status = dd_protect(p->ctx, judge, p);
    if (status == DD_INTERRUPTED || status == DD_TIME_LIMIT) {
        dd_ocp_bring_back(p);
        p->info.status = status == DD_INTERRUPTED ? DD_OCP_INTERRUPTED : DD_OCP_TIME_LIMIT;
        p->info.reason = "stopped while the error was estimated or the mesh refined; this is the last solution";
    } else if (status != DD_OK) {
        dd_raise(p->ctx, status, "%s", dd_pool_strdup(p->pool, dd_context_message(p->ctx)));
    }
}

/* The horizon of phases, which have a common time of their own. */
static void tell_phase_times(dd_ocp *p)
{
    const dd_ocp_problem *o = p->problem;
    p->info.reason = dd_ocp_phase_reason(o, p->info.reason);
    p->info.note = dd_ocp_phase_reason(o, p->info.note);
    /* phases have parameters for their times: the horizon of the program is 0 to 1 */
    if (dd_ocp_phase_count(o) > 0 && p->transcription != NULL) {
        double *params = dd_pool_alloc_array(p->pool, o->p.len + 1, sizeof *params);
        for (uint32_t i = 0; i < o->p.len; i++) {
            params[i] = p->result.x[p->transcription->p_at + i] * o->p.data[i].scale;
        }
        dd_ocp_phase_span(o, params, &p->info.start_time, &p->info.final_time);
    }
}

dd_ocp_problem *dd_ocp_new_problem(dd_ocp *p)
{
    /* an integrator solves for algebraic variables in every step: the fewer the better */
    dd_form_of_equations form = p->options.shooting ? DD_EQUATIONS_CONDENSED : DD_EQUATIONS_UNDIVIDED;
    return dd_ocp_problem_new(p->system, form, p->options.baumgarte, p->pool);
}

bool dd_ocp_prepare(dd_ocp *p, dd_mesh *mesh)
{
    /* in this order: the model, the problem in functions of time, the mesh, a guess; then what rows mean at that
     * guess */
    p->info.reason = "";
    if (p->system->verdict != DD_VERDICT_OK) {
        return dd_ocp_refuse(p, DD_OCP_INVALID_MODEL, p->system->reason);
    }
    p->problem = dd_ocp_new_problem(p);
    if (!dd_ocp_check_problem(p)) {
        return false;
    }
    /* ranking and reduction of path equalities look at numbers: they need a mesh and a guess */
    *mesh = equidistant(p);
    dd_guess_source_new(&p->guess, p->problem, p->options.guess, p->pool);
    dd_guess guess = dd_guess_source_as(p->guess);
    dd_ocp_note_relations(p->problem);
    dd_ocp_path_equalities(p->problem, mesh->control, &guess, p->pool);
    rank_boundary(p, &guess);
    return dd_ocp_check_problem(p) && dd_ocp_check_rows(p);
}

static void solve(void *user)
{
    dd_ocp *p = user;
    double begin = dd_clock_seconds();
    dd_mesh mesh;
    p->history = dd_history_new(p->pool);
    p->compare_rows = true;
    if (!dd_ocp_prepare(p, &mesh)) {
        return;
    }
    /* setup is counted apart from the solver's time */
    p->outputs = dd_ocp_outputs_new(p->problem, p->pool);
    p->info.seconds_setup = p->options.seconds_before + dd_clock_seconds() - begin;
    /* a first solution from one or several guesses, and what it is: optimal, infeasible, given up */
    dd_ocp_first_solve(p, &mesh);
    dd_ocp_conclude(p);
    /* at a solution ranks are known better than at the guess: rows that turn out to follow are dropped and the
     * solve repeated. Other local solutions are looked for from there */
    if (dd_ocp_solved(p)) {
        dd_ocp_rank_again(p);
        if (!dd_ocp_solved(p)) {
            dd_ocp_conclude(p);
        } else {
            dd_ocp_compare_at_solution(p);
            dd_ocp_try_alternatives(p);
        }
    }
    /* error estimate, refinement of the mesh, comparison with a simulation; statistics of fits need the final
     * mesh */
    if (dd_ocp_solved(p)) {
        judge_or_stop(p);
        dd_ocp_settle(p);
        if (dd_ocp_solved(p)) {
            dd_ocp_statistics(p);
        }
    }
    if (p->shortened) {
        dd_ocp_say(p,
                   "memory ran out while constraints were compared with each other: which of them repeat or depend on "
                   "others is not told");
    }
    tell_phase_times(p);
}

/* ---- public ---- */

static void clear_info(dd_ocp *p)
{
    p->info = (dd_ocp_info){.status = DD_OCP_INTERRUPTED, .reason = "not solved yet", .note = "", .worst_state = ""};
    p->info.worst_from = p->info.worst_to = NAN;
    p->info.estimated_error = p->info.objective_change = p->info.simulation_difference = NAN;
}

static dd_status read_shooting(dd_tableau **tableau, dd_context *ctx, const dd_ocp_options *o)
{
    /* Gauss-Newton needs the sensitivities of a shooting step */
    if (!o->shooting) {
        return o->hessian != DD_OCP_GAUSS_NEWTON
                   ? DD_OK
                   : dd_fail(ctx, DD_INVALID_ARGUMENT, "the Gauss-Newton Hessian is one of multiple shooting");
    }
    if (o->substeps == 0) {
        return dd_fail(ctx, DD_INVALID_ARGUMENT, "multiple shooting has at least one step in an interval");
    }
    /* radau-3 where nothing is named: stiffly accurate, and good for algebraic variables */
    dd_status status = dd_tableau_new(tableau, ctx, o->integrator != NULL ? o->integrator : "radau-3");
    if (status == DD_OK && o->control == DD_OCP_POLYNOMIAL && !(*tableau)->collocation) {
        status = dd_fail(ctx, DD_INVALID_ARGUMENT,
                         "polynomial controls need a collocation method such as radau-3, and "
                         "%s is none: take constant or linear ones",
                         (*tableau)->name);
        dd_tableau_free(*tableau);
        *tableau = NULL;
    }
    return status;
}

dd_status dd_ocp_new(dd_ocp **out, const dd_system *system, const dd_ocp_options *options)
{
    /* arguments first: out is NULL whatever fails */
    if (out != NULL) {
        *out = NULL;
    }
    if (out == NULL || system == NULL) {
        return DD_INVALID_ARGUMENT;
    }
    dd_context *ctx = system->ctx;
    if (system->model->optimization == NULL) {
        return dd_fail(ctx, DD_INVALID_ARGUMENT, "%s is a model, not an `optimization`", system->model->name);
    }
    /* options are checked before anything is made */
    dd_ocp_options o = options != NULL ? *options : dd_ocp_options_default();
    if (o.degree == 0 || o.degree > DD_DEGREE_MOST || o.control < DD_OCP_CONSTANT || o.control > DD_OCP_CHOSEN) {
        return dd_fail(ctx, DD_INVALID_ARGUMENT, "the degree must be from 1 to %d, controls one of their kinds",
                       DD_DEGREE_MOST);
    }
    dd_tableau *tableau = NULL;
    dd_status status = read_shooting(&tableau, ctx, &o);
    if (status != DD_OK) {
        return status;
    }
    dd_ocp *p = dd_mem_new_array(ctx, 1, sizeof *p);
    if (p == NULL) {
        dd_tableau_free(tableau);
        return dd_fail(ctx, DD_OUT_OF_MEMORY, "%s", dd_status_text(DD_OUT_OF_MEMORY));
    }
    /* nothing is solved yet; the pools come with dd_ocp_solve */
    *p = (dd_ocp){.ctx = ctx, .system = system, .options = o, .tableau = tableau};
    clear_info(p);
    *out = p;
    return DD_OK;
}

/* What a solve made. */
static void forget_solve(dd_ocp *p)
{
    /* in the order of dependence: what uses a transcription before it, pools last */
    dd_guess_source_free(p->guess);
    dd_replay_free(p->replay);
    dd_ocp_forget_previous(p);
    dd_transcription_free(p->aside.transcription); /* its pool is a child of the one below, and so is the next */
    dd_transcription_free(p->first.transcription);
    dd_transcription_free(p->transcription);
    dd_pool_free(p->text);
    dd_pool_free(p->pool);
    *p = (dd_ocp){.ctx = p->ctx, .system = p->system, .options = p->options, .tableau = p->tableau};
    clear_info(p);
}

void dd_ocp_free(dd_ocp *p)
{
    if (p != NULL) {
        dd_context *ctx = p->ctx;
        forget_solve(p);
        dd_tableau_free(p->tableau);
        dd_mem_free(ctx, p, sizeof *p);
    }
}

dd_status dd_ocp_begin(dd_ocp *p)
{
    forget_solve(p);
    p->began = dd_clock_seconds();
    p->pool = dd_pool_new(p->ctx);
    return p->pool != NULL ? DD_OK : dd_fail(p->ctx, DD_OUT_OF_MEMORY, "%s", dd_status_text(DD_OUT_OF_MEMORY));
}

/* Stopped outside of the solver: while the problem was set up, or between two solves. */
static void note_stop(void *user)
{
    dd_ocp *p = user;
    if (!dd_ocp_has_trajectory(p)) {
        p->info.reason = "stopped before the solver had begun";
    } else if (p->info.meshes == 0) { /* the guess */
        dd_ocp_status status = p->info.status;
        p->transcription->nlp->objective(p->transcription->nlp->user, p->result.x, true, &p->result.objective);
        read_info(p);
        p->info.status = status;
        p->info.reason = "stopped before the first iteration; this is the guess";
    } else {
        p->info.reason = "stopped while the next solve was prepared; this is the last solution";
    }
}

dd_status dd_ocp_solve(dd_ocp *p)
{
    if (p == NULL) {
        return DD_INVALID_ARGUMENT;
    }
    double begin = dd_clock_seconds();
    /* everything that raises does so inside solve; stops keep what is there and say how far it came */
    dd_status status = dd_ocp_begin(p);
    status = status == DD_OK ? dd_protect(p->ctx, solve, p) : status;
    if (status == DD_INTERRUPTED || status == DD_TIME_LIMIT) {
        p->info.status = status == DD_INTERRUPTED ? DD_OCP_INTERRUPTED : DD_OCP_TIME_LIMIT;
        status = dd_protect(p->ctx, note_stop, p);
    }
    p->info.seconds_total = p->options.seconds_before + dd_clock_seconds() - begin;
    return status;
}

bool dd_ocp_has_trajectory(const dd_ocp *p)
{
    return p != NULL && p->transcription != NULL && p->outputs != NULL && p->result.x != NULL;
}

dd_ocp_info dd_ocp_get_info(const dd_ocp *p)
{
    return p != NULL ? p->info
                     : (dd_ocp_info){.status = DD_OCP_INVALID_MODEL, .reason = "", .note = "", .worst_state = ""};
}
