/* refine.c - solve, estimate, make a better mesh, solve again from there. */
#include "ocp/refine.h"

#include <math.h>
#include <string.h>

#include "base/context.h"
#include "ocp/hidden.h"
#include "ocp/leaps.h"
#include "ocp/multistart.h"
#include "ocp/overshoot.h"
#include "ocp/quadrature.h"
#include "ocp/redundant.h"
#include "ocp/roots.h"

enum { SMALL_BARRIER_MOST = 200, LARGE_BARRIER_MOST = 1000 }; /* iterations */
enum { UNCOVERED_MOST = 4 };                                  /* times that a settled mesh turns out to hide a switch */

/* The goal of refinement. */
typedef struct refine_goal {
    double tolerance;           /* of the estimated error */
    double cost;                /* of the integral in the objective */
    bool objective;             /* the tolerance is also one of the change of the objective */
    uint32_t meshes, intervals; /* at most: see may_go_on for more meshes */
} refine_goal;

/* Where refinement is. */
typedef struct refine_place {
    double ratio;       /* by how much the last mesh was finer; 1: there was none */
    uint64_t intervals; /* of all meshes so far */
} refine_place;

#define BLIND 0.03      /* error of a solution so far from any motion that it does not show where the mesh is coarse */
#define OVERSHOOT 1e-2  /* of the range of a control, between points: more is no smooth control */
#define MARGIN 1.2      /* times the intervals that an extrapolation asks for */
#define GROWTH_MOST 3.0 /* times as many intervals: extrapolation from one change is no better */
#define GROWTH_LEAST 1.5
#define OF_THE_MOST 0.9  /* of the intervals that are allowed: parts are rounded up */
#define HARDLY_FINER 1.1 /* ratio of two meshes that says nothing about an order */
#define BELOW_SUM 0.5    /* of the errors that would just do if all fell alike: not all do */
#define DEARER 1e-6      /* of the objective: on a finer mesh it falls */
#define ROUNDING 1e-12   /* tolerances below it are nobody's fault */

/* Unasked for, it must not take much longer than the solve that was asked for. */
#define BY_ITSELF ((refine_goal){DD_OCP_COARSE, DD_OCP_COARSE, false, 6, 1000})
#define AS_ASKED(p) ((refine_goal){(p)->options.refine, (p)->options.refine, true, 12, 5000})
enum { FURTHER_MESHES = 28 }; /* beside these, if they are small */

/* An integrator for the errors of the present solution. */
static void begin_replay(dd_ocp *p)
{
    if (p->replay == NULL) {
        p->replay = dd_replay_new(p->problem, p->pool);
    }
    dd_replay_use(p->replay, p->transcription, p->result.x);
}

double dd_ocp_interval_error(dd_ocp *p)
{
    begin_replay(p);
    if (!p->error_known) {
        /* belongs to the mesh: goes with its pool, and so did the errors of the cost on the mesh before */
        p->cost_part = NULL;
        p->error.size = dd_pool_alloc_array(p->mesh_pool, p->transcription->mesh.n + 1, sizeof *p->error.size);
        p->error.state = dd_pool_alloc_array(p->mesh_pool, p->transcription->mesh.n + 1, sizeof *p->error.state);
        p->interval_error = dd_replay_intervals(p->replay, &p->error);
        /* a tank that is empty: steps past zero have no value, unless the root is zero there */
        if (!isfinite(p->interval_error) && !p->problem->held && dd_ocp_hold_roots(p)) {
            dd_replay_free(p->replay);
            p->replay = NULL;
            begin_replay(p);
            p->interval_error = dd_replay_intervals(p->replay, &p->error);
        }
        p->error_known = true;
    }
    return p->interval_error;
}

void dd_ocp_estimate(dd_ocp *p)
{
    p->info.estimated_error = fmax(dd_ocp_interval_error(p), dd_ocp_redundant_error(p));
    if (p->cost_part == NULL) {
        p->cost_part = dd_pool_alloc_array(p->mesh_pool, p->transcription->mesh.n + 1, sizeof *p->cost_part);
        p->cost_error = dd_ocp_cost_error(p, p->cost_part);
    }
}

/* ---- the next guess ---- */

static void solution_at(void *user, double theta, bool left, double *x, double *z, double *u)
{
    const dd_ocp *p = user;
    dd_transcription_at(p->transcription, p->result.x, theta, left, x, z, u);
}

/* Parameters and free times begin where they are now. */
static void keep_decided(dd_ocp *p)
{
    dd_ocp_problem *o = p->problem;
    /* parameters and times have no function of theta: they are start values of the problem */
    for (uint32_t i = 0; i < o->p.len; i++) {
        o->p.data[i].start_value = p->result.x[p->transcription->p_at + i] * o->p.data[i].scale;
    }
    o->t0_value = o->free_t0 ? p->info.start_time : o->t0_value;
    o->tf_value = o->free_tf ? p->info.final_time : o->tf_value;
}

dd_guess dd_ocp_continue(dd_ocp *p)
{
    keep_decided(p);
    return (dd_guess){p, solution_at};
}

/* ---- when to stop ---- */

/* Relative; differences below the tolerance of the solver are not a change. */
static double relative_change(const dd_ocp *p, double before, const refine_goal *goal)
{
    /* below tolerance / goal the objective cannot be resolved */
    double now = p->info.objective, size = fmax(fabs(now), fabs(before));
    return fabs(now - before) / fmax(size, p->options.tolerance * dd_ocp_cost_unit(p) / goal->tolerance);
}

static bool settled(const dd_ocp *p, const refine_goal *goal)
{
    return !goal->objective || p->info.objective_change <= goal->tolerance; /* not a number on the first mesh */
}

static bool reached(const dd_ocp *p, const refine_goal *goal)
{
    return settled(p, goal) && p->info.estimated_error <= goal->tolerance && p->cost_error <= goal->cost;
}

/* On a mesh that is hardly finer the solution before is often a local optimum of the new program: that its objective
 * did not change says nothing yet. Is there room for a mesh that can tell? ratio: 1 before the first refinement. */
static bool may_be_stuck(const dd_ocp *p, const refine_goal *goal, double ratio)
{
    bool room = p->info.meshes < goal->meshes && GROWTH_LEAST * p->transcription->mesh.n <= goal->intervals;
    return goal->objective && ratio > 1 && ratio < HARDLY_FINER && room;
}

/* Another mesh? A switch that moves by an interval from mesh to mesh takes many, which cost little where they are small:
 * there may be more meshes than usual as long as all together have no more intervals than one alone may have. */
static bool may_go_on(const dd_ocp *p, const refine_goal *goal, const refine_place *at)
{
    const bool small =
        goal->objective && p->info.meshes < goal->meshes + FURTHER_MESHES && at->intervals <= goal->intervals;
    return p->info.meshes < goal->meshes || small;
}

/* Good enough where nobody asked for more. */
static bool is_good(const dd_ocp *p)
{
    return p->info.estimated_error <= DD_OCP_COARSE && p->cost_error <= DD_OCP_APART;
}

/* How many times as many intervals are needed. The error of the objective falls with the power q of their number, so
 * the last change, made by `ratio` times as many, was ratio^q - 1 times the error that is left. */
static double growth_for(const dd_ocp *p, const refine_goal *goal, double ratio)
{
    dd_control_kind control = p->transcription->mesh.control;
    double change = p->info.objective_change;
    double q = control == DD_CONTROL_CONSTANT ? 2 : 4, first = control == DD_CONTROL_CONSTANT ? 2 : 1.6;
    /* on the first mesh there is no change to extrapolate from */
    if (control == DD_CONTROL_POLYNOMIAL || !isfinite(change) || ratio < HARDLY_FINER) {
        return control == DD_CONTROL_POLYNOMIAL ? GROWTH_LEAST : first;
    }
    /* left = change / (ratio^q - 1) is the error that is left (Richardson) */
    double left = change / (pow(ratio, q) - 1), growth = MARGIN * pow(left / goal->tolerance, 1 / q);
    double most = (double)goal->intervals / p->transcription->mesh.n;
    return fmax(fmin(fmin(growth, GROWTH_MOST), OF_THE_MOST * most), GROWTH_LEAST);
}

/* "the tolerance 1e-05 was not reached (estimated error 1.1e-4, change of the objective 2e-3): WHY" */
static void give_up(dd_ocp *p, const refine_goal *goal, const char *why)
{
    dd_text text = dd_text_new(p->pool);
    dd_text_printf(&text, "the tolerance %.2g of the mesh was not reached (estimated error %.2g", goal->tolerance,
                   p->info.estimated_error);
    if (goal->objective && isfinite(p->info.objective_change)) {
        dd_text_printf(&text, ", change of the objective %.2g", p->info.objective_change);
    }
    if (p->cost_error > goal->cost) {
        dd_text_printf(&text, ", error of its integral %.2g", p->cost_error);
    }
    dd_text_printf(&text, "): %s", why);
    p->unreached = dd_text_str(&text);
}

/* The solve on the new mesh failed: the solution before is the answer. */
static void step_back(dd_ocp *p, const refine_goal *goal)
{
    dd_ocp_status status = p->info.status;
    const char *why = dd_pool_printf(p->pool, "the solve on a mesh of %u intervals %s", p->transcription->mesh.n,
                                     dd_ocp_end_words(p));
    bool stopped = dd_ocp_stopped(p);
    dd_ocp_take_back(p);
    dd_ocp_estimate(p);
    if (stopped) {
        p->info.status = status;
        p->info.reason = "stopped while refining the mesh; the solution is that of the mesh before";
        return;
    }
    give_up(p, goal, why);
}

/* ---- solves ---- */

/* Ways to begin at the solution before. */
typedef enum beginning { BEGIN_NEAREST, BEGIN_NEAR, BEGIN_FAR } beginning;

/* The smaller the barrier, the longer the iterates stay near the guess, which is the solution but for the errors of its
 * mesh. From near it: mostly a few iterations, and a chance to leave a local optimum of the program before. Where the
 * cost is flat, as along singular arcs, every mesh has optima of its own, and a solver that leaves the one before finds a
 * worse one or none: once that has happened the next solves begin nearest to it. Where many rows are active at other
 * points than before both may get stuck, and a large barrier leads away from them first. */
void dd_ocp_solve_on_refined(dd_ocp *p, const dd_mesh *mesh)
{
    static const beginning usual[] = {BEGIN_NEAR, BEGIN_NEAREST, BEGIN_FAR};
    static const beginning flat[] = {BEGIN_NEAREST, BEGIN_NEAR, BEGIN_FAR};
    const beginning *order = p->strays_near ? flat : usual;
    const double before = p->info.objective;
    for (int k = 0; k < 3; k++) {
        /* a mesh that only confirms has a barrier of its own */
        if (order[k] == BEGIN_NEAREST && p->confirming) {
            continue;
        }
        dd_guess guess = dd_ocp_continue(p);
        p->iteration_cap = order[k] == BEGIN_FAR ? LARGE_BARRIER_MOST : SMALL_BARRIER_MOST;
        p->nearest = order[k] == BEGIN_NEAREST;
        p->persistent = order[k] == BEGIN_FAR;
        dd_ocp_solve_on(p, mesh, &guess, order[k] != BEGIN_FAR);
        if (order[k] == BEGIN_NEAR && !p->confirming && !dd_ocp_stopped(p)) {
            p->strays_near = p->strays_near || !dd_ocp_solved(p) || p->info.objective > before + DEARER * fabs(before);
        }
        if (dd_ocp_solved(p) || dd_ocp_stopped(p) || p->agreed || order[k] == BEGIN_FAR) {
            break;
        }
        dd_ocp_take_back(p);
    }
    p->nearest = p->persistent = false;
    p->iteration_cap = 0;
}

/* The solution on the new mesh is the present one. */
static void accept(dd_ocp *p, const refine_goal *goal, double objective_before)
{
    dd_ocp_forget_previous(p);
    p->info.objective_change = relative_change(p, objective_before, goal);
    dd_ocp_estimate(p);
}

/* ---- the kind of control ---- */

static bool may_choose_control(const dd_ocp *p, const refine_goal *goal)
{
    return p->options.control == DD_OCP_CHOSEN && goal->objective && p->problem->u.len > 0 &&
           p->transcription->mesh.control == DD_CONTROL_CONSTANT;
}

/* What is asked of an interval. Small errors may add up to a large residual of a row that was left out; it falls as
 * they do. */
static double interval_tolerance(const dd_ocp *p, const refine_goal *goal)
{
    const double sum = p->info.estimated_error;
    const bool add_up = p->interval_error <= goal->tolerance && sum > goal->tolerance && isfinite(sum);
    return add_up ? BELOW_SUM * p->interval_error * goal->tolerance / sum : goal->tolerance;
}

/* A mesh for the errors of the present solution. */
static dd_mesh refined(const dd_ocp *p, const refine_goal *goal, double growth, dd_pool *pool)
{
    const dd_mesh_error error = {p->error.size, interval_tolerance(p, goal), p->cost_part, goal->cost};
    return dd_mesh_refined(p->transcription, p->result.x, &error, growth, pool);
}

/* Solves with another kind of control. It is accepted if it costs no more, is a motion, and stays within its
 * bounds: polynomials can bend more in a coarse interval than its points see. Otherwise the solution is the one
 * before. True: it was accepted, or the run was stopped. */
static bool try_control(dd_ocp *p, const refine_goal *goal, dd_control_kind kind)
{
    dd_pool *scratch = dd_pool_child(p->pool);
    double objective = p->info.objective, error = p->info.estimated_error;
    /* growth 1: the mesh only follows the error, the kind of control changes */
    dd_mesh mesh = refined(p, goal, 1, scratch);
    mesh.control = kind;
    dd_ocp_solve_on_refined(p, &mesh);
    dd_pool_free(scratch);
    /* a stop keeps the solution with constant controls */
    if (dd_ocp_stopped(p)) {
        step_back(p, goal);
        return true;
    }
    /* no dearer than before, within the tolerance */
    bool good = dd_ocp_solved(p) &&
                p->info.objective <= objective + goal->tolerance * fmax(dd_ocp_cost_unit(p), fabs(objective));
    if (good) {
        dd_ocp_estimate(p);
        good = p->info.estimated_error <= fmax(error, DD_OCP_COARSE) && dd_ocp_overshoot(p).part <= OVERSHOOT;
    }
    if (good) {
        accept(p, goal, objective);
    } else {
        dd_ocp_take_back(p);
        dd_ocp_estimate(p);
    }
    return good;
}

/* Constant controls lose width^2 of the objective where the best one is smooth: that takes hundreds of intervals,
 * or thousands, for what polynomials do with few. Where it jumps from bound to bound constant ones are as good,
 * and calmer where nothing determines it. Where it is smooth between jumps, polynomials may overshoot: linear ones
 * do not. */
static void choose_control(dd_ocp *p, const refine_goal *goal)
{
    dd_pool *scratch = dd_pool_child(p->pool);
    double loss = dd_mesh_control_loss(p->transcription, p->result.x, goal->tolerance, scratch);
    dd_pool_free(scratch);
    if (loss <= goal->tolerance || (p->tableau == NULL && try_control(p, goal, DD_CONTROL_POLYNOMIAL))) {
        return;
    }
    try_control(p, goal, DD_CONTROL_LINEAR);
}

void dd_ocp_bring_back(dd_ocp *p)
{
    if (p->aside.transcription != NULL) {
        dd_ocp_forget_previous(p);
        p->previous = p->aside;
        p->aside = (dd_ocp_meshed){0};
        dd_ocp_take_back(p);
    }
}

/* ---- the loop ---- */

/* Ways to a better solution, in the order in which they are tried. */
typedef enum way_on {
    WAY_LOCAL,  /* a mesh for the errors and the control of the present solution */
    WAY_HALVED, /* every interval halved */
    WAY_ANEW,   /* the same from the first guess: the present solution may lead nowhere */
    WAYS_ON = 3
} way_on;

static dd_mesh next_mesh(const dd_ocp *p, const refine_goal *goal, way_on way, double ratio, dd_pool *pool)
{
    bool local = p->info.estimated_error > goal->tolerance || p->cost_error > goal->cost;
    return way == WAY_LOCAL ? refined(p, goal, settled(p, goal) && local ? 1 : growth_for(p, goal, ratio), pool)
                            : dd_mesh_halved(&p->transcription->mesh, pool);
}

/* With all that follows a failed solve; meanwhile the present solution is put aside, then it is the previous one. */
static void solve_anew(dd_ocp *p, const dd_mesh *mesh)
{
    uint32_t meshes = p->info.meshes;
    p->aside = dd_ocp_step_aside(p);
    dd_ocp_solve_from_guess(p, mesh);
    p->info.meshes = meshes + 1;
    dd_ocp_forget_previous(p);
    p->previous = p->aside;
    p->aside = (dd_ocp_meshed){0};
}

/* False: there is no mesh with as few intervals as allowed. Otherwise the last solve, good or not, is the present
 * one. */
static bool solve_next(dd_ocp *p, const refine_goal *goal, double *ratio)
{
    static const way_on usual[WAYS_ON] = {WAY_LOCAL, WAY_HALVED, WAY_ANEW};
    static const way_on blind[WAYS_ON] = {WAY_HALVED, WAY_ANEW, WAY_LOCAL};
    /* a solution far from any motion does not show where its mesh is coarse: halving is safer */
    const way_on *ways = !goal->objective && !(p->info.estimated_error <= BLIND) ? blind : usual;
    /* and a motion of the model leads on: only a solution that is none may lead nowhere */
    const int most = is_good(p) ? WAYS_ON - 1 : WAYS_ON;
    uint32_t before = p->transcription->mesh.n;
    bool tried = false;
    double last = *ratio;
    /* the next way begins at the solution before */
    for (int i = 0; i < most && !(tried && (dd_ocp_solved(p) || dd_ocp_stopped(p))); i++) {
        if (tried) {
            dd_ocp_take_back(p);
            dd_ocp_interval_error(p);
        }
        dd_pool *scratch = dd_pool_child(p->pool);
        dd_mesh mesh = next_mesh(p, goal, ways[i], last, scratch);
        tried = mesh.n <= goal->intervals;
        if (tried) {
            *ratio = (double)mesh.n / before;
            ways[i] == WAY_ANEW ? solve_anew(p, &mesh) : dd_ocp_solve_on_refined(p, &mesh);
        }
        dd_pool_free(scratch);
    }
    return tried;
}

/* What has settled may have settled at the wrong bound in an interval that hides a switch (hidden.h): that is
 * looked at with these intervals divided. True: the objective falls, and what follows begins there. */
static bool uncover(dd_ocp *p, const refine_goal *goal)
{
    dd_pool *scratch = dd_pool_child(p->pool);
    double before = p->info.objective;
    /* intervals in which the switching function changes its sign without the control following */
    dd_mesh mesh = dd_ocp_mesh_for_hidden(p, scratch);
    bool tried = mesh.n > 0 && mesh.n <= goal->intervals;
    if (tried) {
        dd_ocp_solve_on_refined(p, &mesh);
    }
    dd_pool_free(scratch);
    if (!tried) {
        return false;
    }
    if (dd_ocp_stopped(p)) {
        step_back(p, goal);
        return false;
    }
    /* a clearly lower objective: the mesh did hide a switch */
    if (dd_ocp_solved(p) &&
        before - p->info.objective > goal->tolerance * fmax(fabs(before), p->options.tolerance * dd_ocp_cost_unit(p))) {
        accept(p, goal, before);
        return true;
    }
    dd_ocp_take_back(p);
    dd_ocp_estimate(p);
    return false;
}

static void give_up_meshes(dd_ocp *p, const refine_goal *goal)
{
    const char *large = dd_pool_printf(p->pool, ", since together they have more than %u intervals", goal->intervals);
    give_up(p, goal,
            dd_pool_printf(p->pool, "%u meshes are the limit%s", p->info.meshes,
                           goal->objective && p->info.meshes < goal->meshes + FURTHER_MESHES ? large : ""));
}

/* False when it is done, or there is no better mesh to be had. */
static bool refine_once(dd_ocp *p, const refine_goal *goal, refine_place *at)
{
    double before = p->info.objective;
    /* in this order: done, too many meshes, too many intervals, a failed solve */
    bool good = reached(p, goal);
    at->intervals += p->transcription->mesh.n;
    if (good && !may_be_stuck(p, goal, at->ratio)) {
        return false;
    }
    if (!may_go_on(p, goal, at)) {
        give_up_meshes(p, goal);
        return false;
    }
    if (!solve_next(p, goal, &at->ratio)) {
        give_up(p, goal, dd_pool_printf(p->pool, "it takes more than %u intervals", goal->intervals));
        return false;
    }
    if (!dd_ocp_solved(p)) {
        step_back(p, goal);
        p->unreached = good ? NULL : p->unreached; /* it was reached before */
        return false;
    }
    accept(p, goal, before);
    return true;
}

static void refine_until(dd_ocp *p, const refine_goal *goal)
{
    refine_goal now = *goal;
    for (int again = 0;; again++) {
        refine_place at = {.ratio = 1};
        while (refine_once(p, &now, &at)) {
        }
        /* only an objective that was asked for is worth this */
        bool done = dd_ocp_solved(p) && p->unreached == NULL && goal->objective;
        if (!done || again == UNCOVERED_MOST || !uncover(p, &now)) {
            return;
        }
        now.meshes = p->info.meshes + goal->meshes; /* that solution was about other switches */
    }
}

/* Smooth controls did not get there: constant ones from the first mesh, which may, or may not either. Then the
 * smooth ones were the better. */
static void go_back_to_constant(dd_ocp *p, const refine_goal *goal, const dd_mesh *first)
{
    /* smooth solutions go aside; they come back unless constant controls reach the goal */
    const char *unreached = p->unreached;
    dd_ocp_solve_on_refined(p, first);
    if (!dd_ocp_solved(p)) {
        step_back(p, goal);
        p->unreached = unreached;
        return;
    }
    p->aside = p->previous;
    p->previous = (dd_ocp_meshed){0};
    p->info.meshes = 1;
    p->info.objective_change = NAN;
    p->unreached = NULL;
    dd_ocp_estimate(p);
    refine_until(p, goal);
    if (p->unreached != NULL && dd_ocp_solved(p)) {
        dd_ocp_bring_back(p);
        dd_ocp_estimate(p);
        p->unreached = unreached;
    }
}

/* That they are smooth is said of controls that do not jump in any phase. */
static void say_kind(dd_ocp *p)
{
    const dd_control_leap leap = dd_ocp_leap(p);
    const char *kind = p->transcription->mesh.control == DD_CONTROL_LINEAR ? "linear" : "polynomials";
    const char *keeps = dd_option_word(p->ctx, "--control");
    dd_ocp_say(p, leap.part > 0
                      ? dd_pool_printf(p->problem->pool,
                                       "the controls are %s in each interval of the last mesh (%s keeps one kind); %s "
                                       "jumps or is steep: it changes by %.0f %% of its range in an interval (%s)",
                                       kind, keeps, leap.name, 100 * leap.part, leap.when)
                      : dd_pool_printf(p->problem->pool,
                                       "the controls are smooth: they are %s in each interval of the last mesh "
                                       "(%s keeps one kind)",
                                       kind, keeps));
}

static void refine_as_asked(dd_ocp *p)
{
    refine_goal goal = AS_ASKED(p);
    /* a kind of control that was asked for stays */
    if (reached(p, &goal) || !may_choose_control(p, &goal)) {
        refine_until(p, &goal);
        return;
    }
    dd_mesh first = dd_mesh_copy(&p->transcription->mesh, p->pool);
    choose_control(p, &goal);
    if (dd_ocp_solved(p)) {
        refine_until(p, &goal);
    }
    bool smooth = p->transcription->mesh.control != DD_CONTROL_CONSTANT;
    /* polynomials that did not reach the tolerance: constant controls may */
    if (smooth && p->unreached != NULL && dd_ocp_solved(p) && goal.tolerance > ROUNDING) {
        go_back_to_constant(p, &goal, &first);
        smooth = p->transcription->mesh.control != DD_CONTROL_CONSTANT;
    }
    if (smooth) {
        say_kind(p);
    }
}

static void refine_by_itself(dd_ocp *p)
{
    refine_goal goal = BY_ITSELF;
    /* how coarse the first mesh was is worth a note */
    double error = p->info.estimated_error, cost = p->cost_error;
    uint32_t n = p->transcription->mesh.n;
    const char *of_cost =
        cost > goal.cost ? dd_pool_printf(p->problem->pool, ", error of the integral of the cost %.2g", cost) : "";
    refine_until(p, &goal);
    p->unreached = is_good(p) ? NULL : p->unreached; /* aimed at more than is asked for */
    if (dd_ocp_solved(p) && p->transcription->mesh.n != n) {
        dd_ocp_say(p, dd_pool_printf(p->problem->pool,
                                     "the first mesh of %u intervals was too coarse (estimated error %.2g%s): it was "
                                     "refined to %u intervals",
                                     n, error, of_cost, p->transcription->mesh.n));
    }
}

void dd_ocp_refine(dd_ocp *p)
{
    /* refined as asked; unasked only where the intervals were left open and the result is no motion */
    dd_ocp_estimate(p);
    if (p->options.refine > 0) {
        refine_as_asked(p);
    } else if (p->options.intervals == 0 && !is_good(p)) {
        refine_by_itself(p);
    }
}
