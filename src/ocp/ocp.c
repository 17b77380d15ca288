/* ocp.c - an optimization from its model to its verdict: problem, mesh, guess, solves (ocp_solve.c), what became
 * of them. */
#include <math.h>

#include "base/context.h"
#include "ocp/alternatives.h"
#include "ocp/boundary.h"
#include "ocp/diagnose.h"
#include "ocp/judge.h"
#include "ocp/kinks.h"
#include "ocp/leave_out.h"
#include "ocp/moments.h"
#include "ocp/no_memory.h"
#include "ocp/path_equality.h"
#include "ocp/phases.h"
#include "ocp/precheck.h"
#include "ocp/redundant.h"
#include "ocp/refine.h"
#include "ocp/relations.h"
#include "ocp/relax.h"
#include "ocp/roots.h"
#include "ocp/saddle.h"
#include "ocp/several.h"
#include "ocp/shooting.h"
#include "ocp/statistics.h"
#include "ocp/transcription_kinks.h"

#define USUAL_INTERVALS 50      /* where none are asked for */
#define INTERVALS_PER_INSTANT 4 /* at least: nodes move to instants only where there are few */
#define RELAXED_MOST 150        /* iterations: a relaxed program that has a solution is convex as a rule, and short */
#define CONTRADICTS 1e-4        /* violation: no rounding */
#define CONFLICT_SECONDS 5      /* for the question whether constraints can hold at all */
#define DEFAULT_ALPHA 1.0       /* Baumgarte's: violations decay over one unit of time */

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
        .control = DD_OCP_CHOSEN, .degree = 3, .substeps = 1, .threads = 1, .tolerance = 1e-8, .max_iterations = 3000};
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

/* Nodes at the instants that constraints and cost name: a control that must jump there can. Each takes the nearest node,
 * within half an interval; where there are too many, as for a fit to many measurements, the mesh stays even. */
static void meet(dd_mesh *mesh, double theta)
{
    const double place = rint(theta * mesh->n);
    const uint32_t k = (uint32_t)fmin(fmax(place, 1), mesh->n - 1.0);
    /* two that share the nearest node: the first has it */
    const bool free_node = fabs(mesh->theta[k] * mesh->n - k) < 1e-9;
    if (theta > 0 && theta < 1 && free_node && theta > mesh->theta[k - 1] && theta < mesh->theta[k + 1]) {
        mesh->theta[k] = theta;
    }
}

static void meet_instants(dd_ocp_problem *o, dd_mesh *mesh, dd_pool *pool)
{
    const dd_moment_vec moments = dd_ocp_moments(o, pool);
    uint32_t inside = moments.len;
    for (uint32_t i = 0; i < o->instants.len; i++) {
        inside += o->instants.data[i].theta > 0 && o->instants.data[i].theta < 1;
    }
    o->clock_met = !o->free_t0 && !o->free_tf && inside * INTERVALS_PER_INSTANT <= mesh->n;
    if (inside * INTERVALS_PER_INSTANT > mesh->n) {
        return;
    }
    for (uint32_t i = 0; i < moments.len; i++) {
        meet(mesh, moments.data[i]);
    }
    for (uint32_t i = 0; i < o->instants.len; i++) {
        meet(mesh, o->instants.data[i].theta);
    }
}

/* ---- the whole run ---- */

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

/* Estimate, refinement, simulation of the result: optional work, which can stop without losing the solution. */
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

/* The horizon of phases, which share a scaled time from 0 to 1. */
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
    double given = p->options.alpha > 0 ? p->options.alpha : DEFAULT_ALPHA;
    double alpha = p->options.stabilize == DD_OCP_BAUMGARTE ? given : 0;
    const dd_model *written = p->options.start_given && p->variant != NULL ? p->variant->base->model : NULL;
    const dd_ocp_problem_options how = {form, alpha, p->options.start_given, p->preview, written};
    dd_ocp_problem *o = dd_ocp_problem_new(p->system, &how, p->pool);
    o->team = p->team;
    o->functions = dd_ocp_functions_new(p->pool);
    return o;
}

bool dd_ocp_prepare(dd_ocp *p, dd_mesh *mesh)
{
    /* in this order: the model, the problem in functions of time, the mesh, a guess; then the ranks of rows at that
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
    meet_instants(p->problem, mesh, p->pool);
    dd_guess_source_new(&p->guess, p->problem, p->options.guess, p->pool);
    dd_guess guess = dd_guess_source_as(p->guess);
    dd_ocp_note_relations(p->problem);
    dd_ocp_path_equalities(p->problem, mesh->control, &guess, p->pool);
    rank_boundary(p, &guess);
    if (!dd_ocp_check_problem(p) || !dd_ocp_check_rows(p)) {
        return false;
    }
    dd_ocp_lift_kinks(p->problem, p->options.shooting);
    return true;
}

/* What rounded roots change is of the size of d^r: once more from the solution with a smaller d, if that can be solved. */
static void round_less(dd_ocp *p)
{
    const dd_mesh mesh = dd_mesh_copy(&p->transcription->mesh, p->pool);
    dd_ocp_round_roots_less(p->problem, true);
    dd_ocp_solve_on_refined(p, &mesh);
    if (dd_ocp_solved(p)) {
        dd_ocp_forget_previous(p);
    } else if (!dd_ocp_stopped(p)) {
        dd_ocp_round_roots_less(p->problem, false);
        dd_ocp_take_back(p);
    }
}

/* A solve that failed, perhaps where a root has no slope: once more with rounded ones. If that is no better, it is as if
 * nothing had been tried. With an open start the rounded problem has stationary points of its own: a state that stays near
 * zero forgets where it began. */
static void solve_with_rounded_roots(dd_ocp *p, const dd_mesh *mesh)
{
    const bool began = p->info.iterations > 0 || p->info.status == DD_OCP_EVALUATION_ERROR;
    const bool failed = !dd_ocp_solved(p) && !dd_ocp_stopped(p) && began;
    if (!failed || p->options.program_only || !p->problem->start_known || !dd_ocp_round_roots(p)) {
        return;
    }
    dd_ocp_first_solve(p, mesh);
    if (dd_ocp_solved(p)) {
        round_less(p);
        dd_ocp_say(p,
                   "solved with rounded roots: sqrt(a) and other broken powers have no derivative where a = 0, so "
                   "(a + d)^r replaces a^r, where d is 1e-8 of the size of a or less; errors are estimated without it");
    } else if (!dd_ocp_stopped(p)) {
        dd_ocp_sharp_roots(p->problem);
        dd_ocp_first_solve(p, mesh);
    }
}

/* Constraints that contradict each other with relaxed rates do so with sharp ones, whose motions are among the relaxed. The
 * verdict is then that of the relaxed program, which has slopes everywhere. */
static bool contradicts(dd_ocp *p)
{
    return !dd_ocp_solved(p) && p->info.violation > CONTRADICTS &&
           dd_ocp_in_conflict(p, dd_clock_seconds() + CONFLICT_SECONDS);
}

/* With relaxed rates. False: nothing to relax, not solved, or a solution that uses what was relaxed; then it is as if nothing
 * had been tried. */
static bool solve_relaxed(dd_ocp *p, const dd_mesh *mesh, bool first)
{
    const bool possible = !p->options.shooting || dd_shooting_takes_kinks(p->tableau);
    if (!possible || p->options.program_only || !dd_ocp_relax_rates(p->problem, p->options.shooting)) {
        return false;
    }
    if (!first || dd_ocp_relax_first(p->problem)) {
        /* the first attempt is one solve from the guess, which other attempts may follow */
        if (first && p->instead_of == NULL) {
            const dd_guess guess = dd_guess_source_as(p->guess);
            p->iteration_cap = RELAXED_MOST;
            dd_ocp_solve_on(p, mesh, &guess, false);
            p->iteration_cap = 0;
            p->info.meshes = 1;
        } else {
            dd_ocp_first_solve(p, mesh);
        }
        bool conflict = !dd_ocp_stopped(p) && contradicts(p);
        if (conflict && first) { /* from other guesses, too */
            dd_ocp_first_solve(p, mesh);
            conflict = !dd_ocp_stopped(p) && contradicts(p);
        }
        if (dd_ocp_stopped(p) || conflict ||
            (dd_ocp_solved(p) && dd_transcription_kinks_tight(p->transcription, p->result.x))) {
            return true;
        }
    }
    dd_ocp_sharp_rates(p->problem);
    return false;
}

/* The present solution belongs to a program that is not solved any more. */
static void forget_present(dd_ocp *p)
{
    dd_ocp_forget_previous(p);
    p->previous = dd_ocp_step_aside(p);
    dd_ocp_forget_previous(p);
}

/* After a solve that failed, which is the present one again where relaxing helps nothing. */
static bool solve_relaxed_instead(dd_ocp *p, const dd_mesh *mesh)
{
    p->aside = dd_ocp_step_aside(p);
    const bool found = solve_relaxed(p, mesh, false);
    dd_ocp_forget_previous(p);
    p->previous = p->aside;
    p->aside = (dd_ocp_meshed){0};
    if (!found) {
        dd_ocp_take_back(p);
    }
    return found;
}

/* The first solution on a mesh, if need be with relaxed rates or rounded roots. */
static void solve_first(dd_ocp *p, const dd_mesh *mesh)
{
    if (solve_relaxed(p, mesh, true)) {
        return;
    }
    forget_present(p);
    dd_ocp_first_solve(p, mesh);
    if (!dd_ocp_solved(p) && !dd_ocp_stopped(p) && !solve_relaxed_instead(p, mesh)) {
        solve_with_rounded_roots(p, mesh);
    }
}

/* At a solution ranks are known better than at the guess: rows that turn out to follow are dropped and the solve repeated.
 * Other local solutions are looked for from there. */
static void look_around(dd_ocp *p)
{
    dd_ocp_rank_again(p);
    if (!dd_ocp_solved(p)) {
        dd_ocp_conclude(p);
    } else {
        dd_ocp_compare_at_solution(p);
        dd_ocp_leave_saddle(p);
        dd_ocp_try_alternatives(p);
    }
}

/* A run from the given guess, or one of other starts. */
static void solve(void *user)
{
    dd_ocp *p = user;
    dd_spent begin = dd_ocp_now();
    dd_mesh mesh;
    p->history = dd_history_new(p->pool);
    p->compare_rows = true;
    bool ready = dd_ocp_prepare(p, &mesh);
    dd_ocp_add_spent(&p->setup, begin);
    if (!ready) {
        return;
    }
    p->outputs = dd_ocp_outputs_new(p->problem, p->pool);
    solve_first(p, &mesh);
    if (p->instead_of == NULL) {
        /* the verdict of the first solution: optimal, infeasible, given up */
        dd_ocp_conclude(p);
        dd_ocp_note_first(p);
    } else if (!dd_ocp_others_go_on(p)) {
        tell_phase_times(p);
        return;
    }
    if (dd_ocp_solved(p) && !p->options.program_only) {
        look_around(p);
    }
    /* error estimate, refinement of the mesh, comparison with a simulation; statistics of fits need the final
     * mesh */
    if (dd_ocp_solved(p) && !p->options.program_only) {
        judge_or_stop(p);
        dd_ocp_settle(p);
        if (dd_ocp_solved(p)) {
            dd_ocp_statistics(p);
        }
    }
    if (p->shortened) {
        dd_ocp_say(p,
                   "memory ran out while constraints were compared with each other: which of them repeat or depend on "
                   "others is not reported");
    }
    tell_phase_times(p);
    if (dd_ocp_stopped(p) && (p->info.reason == NULL || *p->info.reason == 0)) {
        p->info.reason = "stopped before everything was tried; this is the last solution";
    }
}

/* ---- public ---- */

static void clear_info(dd_ocp *p)
{
    p->info = (dd_ocp_info){.status = DD_OCP_INTERRUPTED, .reason = "not solved yet", .note = "", .worst_state = ""};
    p->info.solver = (p->solver != NULL ? p->solver : dd_nlp_solver_preferred())->name;
    p->info.worst_from = p->info.worst_to = NAN;
    p->info.estimated_error = p->info.objective_change = p->info.simulation_difference = NAN;
}

static dd_status read_shooting(dd_tableau **tableau, dd_context *ctx, const dd_ocp_options *o)
{
    /* Gauss-Newton needs the sensitivities of a shooting step */
    if (!o->shooting) {
        return o->hessian != DD_OCP_GAUSS_NEWTON
                   ? DD_OK
                   : dd_fail(ctx, DD_INVALID_ARGUMENT, "the Gauss-Newton Hessian needs multiple shooting");
    }
    /* radau-3 where nothing is named: stiffly accurate, and good for algebraic variables */
    dd_status status = dd_tableau_new(tableau, ctx, o->integrator != NULL ? o->integrator : "radau-3");
    if (status == DD_OK && o->control == DD_OCP_POLYNOMIAL && !(*tableau)->collocation) {
        status = dd_fail(ctx, DD_INVALID_ARGUMENT,
                         "polynomial controls need a collocation method such as radau-3, and "
                         "%s is not one: use constant or linear controls",
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
    char why[DD_OPTION_WHY];
    o.threads = o.threads > 0 ? o.threads : 1;
    if (!dd_ocp_options_possible(&o, why)) {
        return dd_fail(ctx, DD_INVALID_ARGUMENT, "option %s", why);
    }
    dd_tableau *tableau = NULL;
    const dd_nlp_solver *solver = NULL;
    dd_status status = dd_nlp_solver_find(&solver, ctx, o.solver);
    status = status == DD_OK ? read_shooting(&tableau, ctx, &o) : status;
    if (status != DD_OK) {
        return status;
    }
    dd_ocp *p = dd_mem_new_array(ctx, 1, sizeof *p);
    if (p == NULL) {
        dd_tableau_free(tableau);
        return dd_fail(ctx, DD_OUT_OF_MEMORY, "%s", dd_status_text(DD_OUT_OF_MEMORY));
    }
    /* nothing is solved yet; the pools come with dd_ocp_solve */
    *p = (dd_ocp){.ctx = ctx, .system = system, .options = o, .tableau = tableau, .solver = solver};
    clear_info(p);
    *out = p;
    return DD_OK;
}

/* What was asked for, without anything that a solve made. */
static dd_ocp unsolved(const dd_ocp *p)
{
    return (dd_ocp){.ctx = p->ctx,
                    .system = p->system,
                    .own = p->own,
                    .preview = p->preview,
                    .overlays = p->overlays,
                    .show = p->show,
                    .variant = p->variant,
                    .options = p->options,
                    .tableau = p->tableau,
                    .solver = p->solver,
                    .instead_of = p->instead_of};
}

/* Results of a solve. */
static void forget_solve(dd_ocp *p)
{
    /* in the order of dependence: users of a transcription before it, pools last */
    dd_nlp_memory_free(&p->memory);
    dd_guess_source_free(p->guess);
    dd_replay_free(p->replay);
    dd_ocp_forget_previous(p);
    dd_transcription_free(p->aside.transcription); /* its pool is a child of the one below, and so is the next */
    dd_transcription_free(p->first.transcription);
    dd_transcription_free(p->transcription);
    dd_team_free(p->team);
    dd_pool_free(p->text);
    dd_pool_free(p->pool);
    *p = unsolved(p);
    clear_info(p);
}

void dd_ocp_free(dd_ocp *p)
{
    if (p != NULL) {
        dd_context *ctx = p->ctx;
        forget_solve(p);
        dd_tableau_free(p->tableau);
        dd_pool_free(p->own);
        dd_mem_free(ctx, p, sizeof *p);
    }
}

dd_status dd_ocp_begin(dd_ocp *p)
{
    forget_solve(p);
    p->began = dd_clock_seconds();
    p->pool = dd_pool_new(p->ctx);
    dd_status status = dd_team_new(&p->team, p->ctx, p->options.threads);
    if (status != DD_OK) {
        return status;
    }
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
        dd_ocp_read_info(p);
        p->info.status = status;
        p->info.reason = "stopped before the first iteration; this is the guess";
    } else {
        p->info.reason = "stopped while the next solve was prepared; this is the last solution";
    }
}

static void tell_times(dd_ocp *p, dd_spent begin)
{
    dd_spent all = {p->options.seconds_before, 0};
    dd_ocp_add_spent(&all, begin);
    p->info.seconds_total = all.wall;
    p->info.seconds_setup = p->options.seconds_before + p->setup.wall;
    p->info.seconds_solve = p->solving.spent.wall;
    p->info.seconds_verify = fmax(0, all.wall - p->info.seconds_setup - p->solving.spent.wall);
    p->info.seconds_evaluate = p->solving.inside.evaluate;
    p->info.seconds_linear_algebra = p->solving.inside.total - p->solving.inside.evaluate;
    p->info.seconds_factor = p->solving.inside.factor;
    p->info.iterations_solve = p->solving.iterations;
    p->info.cpu_setup = p->setup.cpu;
    p->info.cpu_solve = p->solving.spent.cpu;
    p->info.cpu_verify = fmax(0, all.cpu - p->setup.cpu - p->solving.spent.cpu);
}

/* Two runs, of which the better one stays. */
typedef struct two_runs {
    dd_ocp *p, *others;
    dd_status ended; /* the second */
} two_runs;

static void take_better(void *user)
{
    const two_runs *r = user;
    dd_ocp_take_better(r->p, r->others, r->ended);
}

/* Other starts than the given guess, which p has come to its end from. */
static dd_status solve_from_others(dd_ocp *p)
{
    dd_ocp others = unsolved(p);
    others.instead_of = p;
    two_runs runs = {p, &others, dd_ocp_begin(&others)};
    others.solves = p->solves;
    runs.ended = runs.ended == DD_OK ? dd_protect(p->ctx, solve, &others) : runs.ended;
    const bool stopped = runs.ended == DD_INTERRUPTED || runs.ended == DD_TIME_LIMIT;
    const dd_status status = runs.ended == DD_OK || stopped ? dd_protect(p->ctx, take_better, &runs) : runs.ended;
    forget_solve(&others);
    return status;
}

dd_status dd_ocp_solve(dd_ocp *p)
{
    if (p == NULL) {
        return DD_INVALID_ARGUMENT;
    }
    dd_spent begin = dd_ocp_now();
    /* everything that raises does so inside solve; stops keep the results so far and say how far the run came */
    dd_status status = dd_ocp_begin(p);
    status = status == DD_OK ? dd_protect(p->ctx, solve, p) : status;
    if (status == DD_INTERRUPTED || status == DD_TIME_LIMIT) {
        p->info.status = status == DD_INTERRUPTED ? DD_OCP_INTERRUPTED : DD_OCP_TIME_LIMIT;
        status = dd_protect(p->ctx, note_stop, p);
    }
    if (status == DD_OK && dd_ocp_wants_others(p)) {
        status = solve_from_others(p);
    }
    status = status == DD_OUT_OF_MEMORY ? dd_ocp_say_no_memory(p) : status;
    tell_times(p, begin);
    return status;
}

bool dd_ocp_has_trajectory(const dd_ocp *p)
{
    return p != NULL && p->transcription != NULL && p->outputs != NULL && p->result.x != NULL;
}

dd_ocp_info dd_ocp_get_info(const dd_ocp *p)
{
    return p != NULL ? p->info
                     : (dd_ocp_info){
                           .status = DD_OCP_INVALID_MODEL, .reason = "", .note = "", .worst_state = "", .solver = ""};
}
