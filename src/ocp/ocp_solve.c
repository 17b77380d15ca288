/* ocp_solve.c - one solve of the program on a mesh: the solver and its callbacks, what it said, and the way back
 * to the solution before. */
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "nlp/permuted.h"
#include "ocp/alternatives.h"
#include "ocp/approach.h"
#include "ocp/diagnose.h"
#include "ocp/leave_out.h"
#include "ocp/precheck.h"
#include "ocp/transcription_kinks.h"

#define HOPELESS_AFTER 60  /* iterations */
#define HOPELESS 10.0      /* times the violation of the guess */
#define AWAY_IN_A_ROW 15u  /* iterations: a long step near a solution is far from the rows for a few, */
#define AWAY_AT_ALL 40u    /* and a solve that finds its way has not many such steps */
#define CRAWLING_AFTER 50u /* iterations in a row */
#define CRAWLING 10.0      /* regularization of the Hessian */
#define CRAWLING_STEP 0.03 /* scaled */
#define RANK_LOST 1e12     /* regularization that no Hessian of a scaled program needs: the rows have lost their rank */
#define RANK_LOST_MOST 5u  /* iterations */
#define AGAIN_BARRIER 1e-4 /* where the barrier begins on a refined mesh, if not as near to the solution as can be: */
#define NEAREST_BARRIER 1e-7 /* far below that, multipliers of bounds that are active elsewhere there are too small; */
#define NEAREST_PUSH 1e-5    /* far above, what holds at the guess no longer does */
#define CONFIRMING 1e-7      /* violation: what all rows together do to the objective is far below what is asked */
#define CONFIRMING_BARRIER 1e-6 /* what it adds to the objective is far below that, too; */
#define CONFIRMING_PUSH 1e-4 /* bounds that hold in the solution mostly hold here: a usual push takes iterations back */
#define GAP 1e-8             /* of the objective: the error that complementarity may leave */
#define GAP_ASKED 0.1        /* the part of it that a solver should leave, if it can be asked */
#define LEAST_OBJECTIVE 1e-10 /* smaller ones are compared with this */
#define GAP_ROOM 10.0 /* times as much before another solve is worth its time; less where a fine mesh asks for digits */
#define GAP_OF_REFINE 1e7           /* the same per unit of the tolerance of the mesh: 10 from 1e-6 on */
#define LEAST_COMPLEMENTARITY 1e-14 /* rounding */
#define CLOSING 200u                /* iterations for the last digits of the objective */
#define CLOSING_BARRIER 0.1         /* of the tolerance: where the barrier of that solve begins */

/* ---- callbacks ---- */

/* Short steps with much added to the Hessian, one after the other: the solver follows a flat valley of a program
 * that is far from convex there. From another guess it is usually short. */
static bool crawls(dd_ocp *p, const dd_nlp_iteration *it)
{
    bool slow = it->regularization > CRAWLING && it->step * it->alpha < CRAWLING_STEP && !it->restoration;
    p->crawled = it->number > 0 && slow ? p->crawled + 1 : 0;
    /* or it has come to where no curvature makes a step: every such iteration costs dozens of factorisations */
    p->rank_lost = it->number > 0 ? p->rank_lost + (it->regularization > RANK_LOST ? 1 : 0) : 0;
    return p->crawled >= CRAWLING_AFTER || p->rank_lost >= RANK_LOST_MOST;
}

/* Iterates that stay farther from the rows than the guess was. */
static bool strays(dd_ocp *p, const dd_nlp_iteration *it)
{
    p->first_violation = it->number == 0 ? it->violation : p->first_violation;
    bool away = it->violation > HOPELESS * fmax(1, p->first_violation);
    p->strayed = it->number > 0 && away ? p->strayed + 1 : 0;
    p->strayed_at_all = it->number > 0 ? p->strayed_at_all + (away ? 1 : 0) : 0;
    return it->number >= HOPELESS_AFTER && (p->strayed >= AWAY_IN_A_ROW || p->strayed_at_all >= AWAY_AT_ALL);
}

/* A mesh that is to confirm a solution: a point that meets its rows is an upper bound of its optimum. Where that is low
 * enough, how much lower the optimum is does not matter. */
static bool confirms(const dd_ocp *p, const dd_nlp_iteration *it)
{
    return p->confirming && it->violation <= CONFIRMING && it->objective <= p->agrees_below && !it->restoration;
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
    bool away = strays(p, it), slow = crawls(p, it);
    if (p->iteration_cap > 0 && !p->persistent && (away || slow)) {
        p->gave_up = true; /* farther from the constraints than the guess, or crawling: there are other ways to begin */
        return false;
    }
    /* an alternative that will not beat the present solution, or rows that repeat each other, end a solve early
     * too */
    if (dd_ocp_alternative_fails(p, it)) {
        p->gave_up = true;
        return false;
    }
    if (confirms(p, it)) {
        p->agreed = p->gave_up = true;
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

dd_ocp_status dd_ocp_status_of(dd_nlp_status status)
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
    /* those that stand for kinks are not the user's, nor are their rows */
    p->info.variables = nlp->n - p->transcription->kinks.len;
    p->info.equalities = p->info.inequalities = 0;
    for (uint32_t i = 0; i < nlp->m; i++) {
        *(nlp->c_lower[i] == nlp->c_upper[i] ? &p->info.equalities : &p->info.inequalities) += 1;
    }
    p->info.inequalities -= p->transcription->kink_rows.len;
}

bool dd_ocp_overdetermined(const dd_ocp *p)
{
    const dd_nlp *nlp = p->transcription->nlp;
    uint32_t open = 0;
    for (uint32_t i = 0; i < nlp->n; i++) {
        open += nlp->x_lower[i] < nlp->x_upper[i] ? 1 : 0;
    }
    return p->info.equalities > open - p->transcription->kinks.len && p->result.status != DD_NLP_OPTIMAL;
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

double dd_ocp_cost_unit(const dd_ocp *p)
{
    return p->result.objective_factor > 1 ? 1 / p->result.objective_factor : 1;
}

dd_spent dd_ocp_now(void)
{
    return (dd_spent){dd_clock_seconds(), dd_cpu_seconds()};
}

void dd_ocp_add_spent(dd_spent *sum, dd_spent since)
{
    dd_spent now = dd_ocp_now();
    sum->wall += now.wall - since.wall;
    sum->cpu += now.cpu - since.cpu;
}

void dd_ocp_add_solve(dd_solving *sum, dd_spent since, const dd_nlp_result *result)
{
    dd_ocp_add_spent(&sum->spent, since);
    sum->inside.total += result->seconds_total;
    sum->inside.evaluate += result->seconds_evaluate;
    sum->inside.factor += result->seconds_factor;
    sum->iterations += result->iterations;
}

void dd_ocp_begin_trial(dd_ocp *p)
{
    p->trial = (dd_solving){0};
}

void dd_ocp_keep_trial(dd_ocp *p)
{
    p->solving.spent.wall += p->trial.spent.wall;
    p->solving.spent.cpu += p->trial.spent.cpu;
    p->solving.inside.total += p->trial.inside.total;
    p->solving.inside.evaluate += p->trial.inside.evaluate;
    p->solving.inside.factor += p->trial.inside.factor;
    p->solving.iterations += p->trial.iterations;
    p->trial = (dd_solving){0};
}

dd_nlp_options dd_ocp_solver_options(const dd_ocp *p)
{
    dd_nlp_options options = dd_nlp_options_default();
    options.solver = p->solver;
    options.threads = p->options.threads;
    options.team = p->team;
    return options;
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
    dd_spent begin = dd_ocp_now();
    dd_status status = DD_OK;
    /* variables and rows in another order: for tests of the dependence on the order */
    if (p->options.permutation > 0) {
        status = dd_permuted_new(&permuted, p->ctx, &nlp, p->options.permutation, p->transcription->mesh.n);
        status = status == DD_OK ? dd_permuted_solve(permuted, options, &p->result) : status;
        dd_permuted_free(permuted);
    } else {
        status = dd_nlp_solve(p->ctx, &nlp, options, &p->result);
    }
    if (status != DD_OK) {
        dd_raise(p->ctx, status, "%s", dd_pool_strdup(p->pool, dd_context_message(p->ctx)));
    }
    /* neighbours that are tried, and a mesh that confirms, are part of the verification unless they become the solution */
    const bool tried = p->beside != DD_BESIDE_NOTHING || p->verifying;
    dd_ocp_add_solve(tried ? &p->trial : &p->solving, begin, &p->result);
    /* errors inside callbacks are raised here, outside of the solver */
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
    /* mu times the number of active bounds is about the gap: GAP of the objective is allowed */
    double gap = dd_ocp_gap(p), allowed = GAP * fmax(fabs(r->objective), LEAST_OBJECTIVE * dd_ocp_cost_unit(p));
    double limit = p->options.refine > 0 ? fmin(GAP_ROOM, GAP_OF_REFINE * p->options.refine) : GAP_ROOM;
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
    /* from the point and the multipliers, with a barrier so small that the gap is within the limit */
    options.warm = true;
    options.max_iterations = options.max_iterations < CLOSING ? options.max_iterations : CLOSING;
    options.barrier = options.tolerance * CLOSING_BARRIER;
    options.complementarity = fmax(options.tolerance * allowed / gap, LEAST_COMPLEMENTARITY);
    p->title = dd_pool_printf(p->pool, "%s, once more with a smaller barrier", p->title);
    p->solves++;
    run_solver(p, &options);
    if (r->status == DD_NLP_OPTIMAL) {
        r->iterations += before.iterations;
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

void dd_ocp_read_info(dd_ocp *p)
{
    /* KKT conditions of the solution, computed again from the program itself and not from the solver's report */
    const dd_nlp_result *r = &p->result;
    dd_kkt kkt = {0};
    if (dd_nlp_kkt(p->ctx, p->transcription->nlp, r, &kkt) == DD_OUT_OF_MEMORY) {
        dd_raise(p->ctx, DD_OUT_OF_MEMORY, NULL);
    }
    p->info.status = p->gave_up ? DD_OCP_ITERATION_LIMIT : dd_ocp_status_of(r->status);
    p->info.objective = r->objective;
    dd_transcription_objective(p->transcription, r->x, &p->info.objective); /* as the user wrote it */
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
}

static const char *title_of(dd_ocp *p, uint32_t intervals)
{
    return p->start > 0 ? dd_pool_printf(p->pool, "start %u: %u intervals", p->start, intervals)
                        : dd_pool_printf(p->pool, "%u intervals", intervals);
}

typedef struct run_limits {
    double barrier, push; /* 0: the solver's own */
    uint32_t iterations;
    bool warm; /* multipliers are known too */
} run_limits;

static void run_present(dd_ocp *p, const run_limits *limits)
{
    /* the options of this solve; the callbacks count, report and end it */
    dd_nlp_options options = dd_ocp_solver_options(p);
    options.tolerance = p->options.tolerance;
    options.max_iterations = limits->iterations;
    options.barrier = limits->barrier;
    options.push = limits->push;
    options.gap = GAP_ASKED * GAP;
    options.warm = limits->warm;
    options.user = p;
    options.progress = report_progress;
    options.stop = must_stop;
    p->gave_up = p->agreed = false;
    p->error_known = false;
    /* far guesses are brought closer to the rows first */
    if (p->approach) {
        dd_ocp_approach(p, &options);
    }
    /* solves of the same program, such as those beside a solution, need no new plans; another order makes other programs */
    options.memory = p->options.permutation == 0 ? &p->memory : NULL;
    run_solver(p, &options);
    close_gap(p, options);
    dd_ocp_read_info(p);
}

static void run_limited(dd_ocp *p, void *user)
{
    run_present(p, user);
}

static uint32_t at_most(const dd_ocp *p, uint32_t iterations)
{
    return p->options.max_iterations < iterations ? p->options.max_iterations : iterations;
}

/* More equations than variables: they hold together only where some repeat others, and a solver that does not know
 * which ends anywhere. So these are looked for first. False: there are not more, or none that repeat were found. */
static bool solve_overdetermined(dd_ocp *p, run_limits *limits)
{
    p->result.status = DD_NLP_OVERDETERMINED;
    if (!p->compare_rows || !dd_ocp_overdetermined(p)) {
        return false;
    }
    p->info.status = dd_ocp_status_of(p->result.status);
    p->info.violation = INFINITY;
    dd_ocp_solve_without_repeated(p, run_limited, limits);
    return p->result.status != DD_NLP_OVERDETERMINED;
}

void dd_ocp_solve_on(dd_ocp *p, const dd_mesh *mesh, const dd_guess *guess, bool again)
{
    dd_spent begin = dd_ocp_now();
    dd_nlp_memory_free(&p->memory);
    /* the transcription has a separate pool, freed when the next but one mesh is made */
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
    dd_ocp_add_spent(&p->setup, begin);
    /* a guess with values that are not finite is reported instead of solved */
    if (dd_ocp_check_guess(p)) {
        run_limits limits = {.barrier = again ? AGAIN_BARRIER : 0, .iterations = p->options.max_iterations};
        if (again && p->confirming) {
            limits.barrier = CONFIRMING_BARRIER;
            limits.push = CONFIRMING_PUSH;
        } else if (again && p->nearest) {
            limits.barrier = NEAREST_BARRIER;
            limits.push = NEAREST_PUSH;
        }
        limits.iterations = p->iteration_cap > 0 ? at_most(p, p->iteration_cap) : limits.iterations;
        if (!solve_overdetermined(p, &limits)) {
            run_limited(p, &limits);
            dd_ocp_solve_without_repeated(p, run_limited, &limits);
        }
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

dd_ocp_meshed dd_ocp_step_aside(dd_ocp *p)
{
    const dd_ocp_meshed present = {p->mesh_pool, p->transcription, p->result, p->info};
    p->mesh_pool = NULL;
    p->transcription = NULL;
    p->result = (dd_nlp_result){0};
    return present;
}

void dd_ocp_forget_previous(dd_ocp *p)
{
    dd_transcription_free(p->previous.transcription);
    dd_pool_free(p->previous.pool);
    p->previous = (dd_ocp_meshed){0};
}

void dd_ocp_take_back(dd_ocp *p)
{
    /* the tried mesh changes places with the previous one and is freed; its iterations were spent all the
     * same */
    dd_nlp_memory_free(&p->memory);
    dd_ocp_meshed tried = {p->mesh_pool, p->transcription, p->result, p->info};
    p->mesh_pool = p->previous.pool;
    p->transcription = p->previous.transcription;
    p->result = p->previous.result;
    p->info = p->previous.info;
    p->info.iterations = tried.info.iterations;
    p->previous = tried;
    p->error_known = false;
    dd_ocp_forget_previous(p);
}
