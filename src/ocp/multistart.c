/* multistart.c - the first solve from a guess: coarse meshes first, and further guesses where it fails. */
#include "ocp/multistart.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "ocp/horizon.h"
#include "ocp/motion.h"
#include "ocp/overshoot.h"
#include "ocp/perturbed.h"
#include "ocp/refine.h"
#include "ocp/relax.h"
#include "ocp/resolved.h"

enum {
    FINEST_MOTION = 4,   /* times the intervals that were asked for, */
    FINER_FOR_SPEED = 8, /* and for speeds: a light wrist moves ten times as fast as the arm that carries it */
    MOST_FINER = 2000    /* intervals */
};
enum {
    COARSENING = 5,
    LEAST_COARSE = 4,
    ENOUGH_COARSE = 10,
    LOOKS = 11,
    OTHER_TRY = 200,
    OTHER_TRIES = 8,
    LINE_TRIES = 3
};
#define CONFLICT_SECONDS 5 /* for the question whether the constraints can hold at all */
#define RAN_AWAY 1e-4      /* violation */
#define FAR 1e4            /* times the size of a state */
#define NO_MOTION 0.5      /* error of an interval, of the size of the states */
#define ROUNDED 0.1        /* of the tolerance of the rows: what rounding of a variable may hide */

/* So far out that differences between two ends of a motion are lost in rounding: rows hold there because nothing shows
 * that they do not (a point of a relaxation oscillator at 5e8, which hardly moves, passes for a closed orbit). Where the
 * start is known and no row asks for values at a time, there is no such row: an unstable model may go far. */
static bool is_lost_in_rounding(const dd_ocp *p)
{
    bool asked = !p->problem->start_known;
    for (uint32_t i = 0; i < p->problem->points.len && !asked; i++) {
        asked = !p->problem->points.data[i].dropped;
    }
    if (!asked) {
        return false;
    }
    const dd_transcription *t = p->transcription;
    double largest = 0;
    for (uint32_t k = 0; k <= t->mesh.n; k++) {
        for (uint32_t i = 0; i < p->problem->x.len; i++) {
            largest = fmax(largest, fabs(p->result.x[t->x_at[k] + i]));
        }
    }
    return DBL_EPSILON * largest > ROUNDED * p->options.tolerance;
}

/* A solution whose states the model follows, and that does not step over a constraint. A mesh may hide that a body left its constraint within an interval
 * and came back on another branch (a bob that falls through its pivot), or that it turned several times: optimal
 * for the program, and no motion. */
bool dd_ocp_is_real(dd_ocp *p)
{
    if (dd_ocp_solved(p) && (is_lost_in_rounding(p) || dd_ocp_crosses(p))) {
        return false;
    }
    /* another way to begin may end at a horizon without length, which is stationary whatever the cost is (horizon.h) */
    if (dd_ocp_solved(p) && p->iteration_cap == OTHER_TRY && dd_ocp_horizon_shrunk(p)) {
        return false;
    }
    /* without invariants and with speeds that the mesh resolves there is nothing to doubt */
    if (!dd_ocp_solved(p) || (p->problem->equations->invariants.len == 0 && !dd_resolved_exceeded(p))) {
        return dd_ocp_solved(p);
    }
    return dd_ocp_interval_error(p) < NO_MOTION;
}

static void note_tried(dd_ocp *p, const char *words)
{
    for (uint32_t i = 0; i < p->tried.len; i++) {
        if (strcmp(p->tried.data[i], words) == 0) { /* once more with relaxed rates or rounded roots */
            return;
        }
    }
    dd_vec_push(p->pool, &p->tried, words);
}

static const char *first_words(const dd_ocp *p)
{
    const char *kind = p->options.guess;
    return kind == NULL ? "the written one" : dd_pool_printf(p->pool, "%s %s", dd_option_word(p->ctx, "--guess"), kind);
}

/* ---- coarse to fine ---- */

static uint32_t coarse_intervals(const dd_mesh *mesh)
{
    /* a fifth, but no mesh on which the model can hardly do anything: then half */
    const uint32_t fifth = mesh->n / COARSENING, half = mesh->n / 2;
    const uint32_t n = fifth >= ENOUGH_COARSE ? fifth : half < ENOUGH_COARSE ? half : ENOUGH_COARSE;
    return n < LEAST_COARSE ? LEAST_COARSE : n;
}

static dd_mesh even_mesh(const dd_mesh *mesh, uint32_t intervals, dd_pool *pool)
{
    /* equidistant, with the degree of the first interval */
    dd_mesh out = *mesh;
    out.n = intervals;
    out.theta = dd_pool_alloc_array(pool, out.n + 1, sizeof *out.theta);
    out.degree = dd_pool_alloc_array(pool, out.n + 1, sizeof *out.degree);
    for (uint32_t k = 0; k <= out.n; k++) {
        out.theta[k] = (double)k / out.n;
        out.degree[k] = mesh->degree[0];
    }
    return out;
}

/* Solves on a coarse mesh (beside: from a guess near the guess; constant: with constant controls there), then on the mesh
 * from there. False: the coarse one has no solution and is the present one. */
static bool solve_by_way_of_coarse(dd_ocp *p, const dd_mesh *mesh, const dd_guess *guess, bool beside, bool constant)
{
    /* a fifth of the intervals: the solver finds the rough shape there */
    dd_mesh coarse = even_mesh(mesh, coarse_intervals(mesh), p->pool);
    coarse.control = constant ? DD_CONTROL_CONSTANT : coarse.control;
    /* near the guess by collocation: between the nodes a motion need not be one from the first iteration on, as in shooting */
    for (uint32_t k = 0; k < coarse.n && coarse.tableau != NULL && beside; k++) {
        coarse.degree[k] = p->options.degree;
    }
    coarse.tableau = beside ? NULL : coarse.tableau;
    dd_ocp_solve_on(p, &coarse, guess, false);
    if (!dd_ocp_is_real(p)) {
        return false;
    }
    /* the coarse solution is near: small barrier. If it leads nowhere, parameters and times of it are no guesses for others */
    dd_ocp_problem *o = p->problem;
    const double t0 = o->t0_value, tf = o->tf_value;
    double *params = dd_pool_alloc_array(p->pool, o->p.len + 1, sizeof *params);
    for (uint32_t i = 0; i < o->p.len; i++) {
        params[i] = o->p.data[i].start_value;
    }
    dd_guess next = dd_ocp_continue(p);
    p->approach = false; /* it is near */
    dd_ocp_solve_on(p, mesh, &next, true);
    /* not near enough: by way of the nearest feasible point and a large barrier */
    if (!dd_ocp_is_real(p) && !dd_ocp_stopped(p)) {
        dd_ocp_take_back(p);
        next = dd_ocp_continue(p);
        p->approach = true;
        dd_ocp_solve_on(p, mesh, &next, false);
        p->approach = false;
    }
    for (uint32_t i = 0; i < o->p.len && !dd_ocp_solved(p); i++) {
        o->p.data[i].start_value = params[i];
    }
    o->t0_value = dd_ocp_solved(p) ? o->t0_value : t0;
    o->tf_value = dd_ocp_solved(p) ? o->tf_value : tf;
    dd_ocp_forget_previous(p);
    return true;
}

/* Another way to begin may help where the solver stopped early, or ran away from the constraints. */
static bool may_help(dd_ocp *p)
{
    dd_ocp_status s = p->info.status;
    /* values held constant need not be near a motion: roots may have no slope there, an integrator no step from them */
    const bool no_step = s == DD_OCP_EVALUATION_ERROR;
    /* stopped, infeasible, no motion, or ran away while the rows were violated */
    return (p->info.iterations > 0 || no_step) &&
           ((dd_ocp_solved(p) && !dd_ocp_is_real(p)) || s == DD_OCP_INFEASIBLE || s == DD_OCP_ITERATION_LIMIT ||
            s == DD_OCP_EVALUATION_ERROR || (s == DD_OCP_UNBOUNDED && !(p->info.violation < RAN_AWAY)));
}

/* The first attempt again, unless it was given up for a better one. */
static void take_first_back(dd_ocp *p)
{
    if (p->previous.transcription != NULL) {
        dd_ocp_take_back(p);
    }
}

static const char *by_coarse(dd_ocp *p, const dd_mesh *mesh, const char *from)
{
    return dd_pool_printf(p->problem->pool, "%sby way of a mesh of %u intervals", from, coarse_intervals(mesh));
}

/* With a free end, from longer horizons: the violation may have minima at short times, in each of which a solver that
 * began below the solution ends, and more time leaves more to choose. */
static bool solve_longer(dd_ocp *p, const dd_mesh *mesh, const dd_guess *guess, const char **how)
{
    static const double factor[] = {2.5, 6};
    dd_ocp_problem *o = p->problem;
    double first = o->tf_value;
    bool found = false;
    /* two and a half and six times the horizon: each begins from the first attempt */
    for (int k = 0; k < 2 && o->free_tf && !found && may_help(p); k++) {
        double longer = fmin(o->t0_value + (first - o->t0_value) * factor[k], o->tf_upper);
        if (longer <= o->tf_value) {
            break;
        }
        take_first_back(p);
        o->tf_value = longer;
        found = solve_by_way_of_coarse(p, mesh, guess, false, false) && dd_ocp_is_real(p);
        *how = by_coarse(p, mesh, dd_pool_printf(o->pool, "from a guess of %.3g for finalTime and ", longer));
        if (!found && may_help(p)) { /* so long a horizon may be too much for a coarse mesh */
            take_first_back(p);
            dd_ocp_solve_on(p, mesh, guess, false);
            found = dd_ocp_is_real(p);
            *how = dd_pool_printf(o->pool, "from a guess of %.3g for finalTime", longer);
        }
        note_tried(p, dd_pool_printf(o->pool, "finalTime = %.3g", longer));
    }
    o->tf_value = first;
    return found;
}

/* From a motion, on the mesh and, where it may be too coarse to hold that motion, on finer ones. */
static bool solve_from_one_motion(dd_ocp *p, const dd_mesh *mesh, const dd_motion *m, const dd_guess *motion,
                                  uint32_t finest, const char **how)
{
    bool found = false;
    p->moved = true;
    p->compare_rows = true; /* elsewhere other rows may depend on each other than near the guess */
    note_tried(p, m->words);
    /* the mesh, then twice and four times as fine where the motion is too fast for it */
    for (uint32_t times = 1; times <= finest && !found && may_help(p); times *= 2) {
        take_first_back(p);
        dd_mesh finer = even_mesh(mesh, times * mesh->n, p->pool);
        dd_ocp_solve_on(p, times > 1 ? &finer : mesh, motion, false);
        found = dd_ocp_is_real(p);
        const char *on = times > 1 ? dd_pool_printf(p->problem->pool, ", on a mesh of %u intervals", finer.n) : "";
        *how = dd_pool_printf(p->problem->pool, "from %s%s", m->words, on);
    }
    return found;
}

/* From motions of the model: its equations hold from the beginning, as far as the mesh can say them. */
static bool solve_from_motion(dd_ocp *p, const dd_mesh *mesh, const char **how)
{
    /* any control has a motion from the start, so several are worth trying; else one */
    dd_motion m = dd_motion_new(p);
    bool always = dd_ocp_always_moves(p->problem), found = false;
    uint32_t most = always ? DD_MOTIONS : 1; /* others follow among the guesses beside it */
    uint32_t finest = always && mesh->n <= MOST_FINER / FINEST_MOTION ? FINEST_MOTION : 1;
    dd_guess motion;
    for (uint32_t k = 0; k < most && !found && may_help(p); k++) {
        found = dd_motion_guess(&m, k, &motion) && solve_from_one_motion(p, mesh, &m, &motion, finest, how);
    }
    /* starts beside one at rest, or other motions where nothing but the start decides */
    for (uint32_t k = 1; k <= DD_MOTIONS_AWAY && !found && may_help(p) && dd_motion_away(&m, k, &motion); k++) {
        found = solve_from_one_motion(p, mesh, &m, &motion, finest, how);
    }
    /* the best of many starts: where its motion fits, only a coarse mesh can be in the way */
    for (uint32_t k = 0; k < DD_MOTIONS_FOUND && !found && may_help(p) && dd_motion_search(&m, k, &motion); k++) {
        const bool fits = m.misfit < DD_MOTION_FITS && mesh->n <= MOST_FINER / FINEST_MOTION;
        p->approach = true; /* before the cost leads away from it */
        found = solve_from_one_motion(p, mesh, &m, &motion, fits ? FINEST_MOTION : 1, how);
        p->approach = false;
    }
    dd_motion_restore(&m);
    return found;
}

/* From guess `number` near the present source of guesses. */
static bool solve_near_guess(dd_ocp *p, const dd_mesh *mesh, dd_perturbed *q, uint32_t number, bool constant)
{
    take_first_back(p);
    dd_guess near = dd_perturbed_guess(q, number);
    p->approach = true;
    bool found = solve_by_way_of_coarse(p, mesh, &near, true, constant) && dd_ocp_is_real(p);
    p->approach = false;
    return found;
}

/* From guesses near it: a guess may lie where nothing can leave it (a pendulum that hangs still under a cart at
 * rest). */
static bool solve_beside(dd_ocp *p, const dd_mesh *mesh, const char **how)
{
    dd_perturbed q = dd_perturbed_new(p);
    bool found = false;
    uint32_t k = 1, l = 0;
    /* every second with constant controls on the coarse mesh: fewer ways to go astray */
    for (; k <= OTHER_TRIES && !found && may_help(p); k++) {
        found = solve_near_guess(p, mesh, &q, k, k % 2 == 0);
        *how = by_coarse(p, mesh, dd_pool_printf(p->problem->pool, "from a guess near it (number %u) and ", k));
    }
    /* lines to the end values may lead straight into an obstacle: near them on one side of it */
    if (!found && may_help(p) && dd_guess_source_lines(p->guess)) {
        for (; l < LINE_TRIES && !found && may_help(p); l++) {
            found = solve_near_guess(p, mesh, &q, 4 * l + 1, false); /* neither far away nor a motion: perturbed.c */
            *how = by_coarse(p, mesh, "from a guess near straight lines to the end values and ");
        }
        dd_guess_source_no_lines(p->guess);
    }
    dd_perturbed_restore(&q);
    if (k > 1) {
        note_tried(p, dd_pool_printf(p->problem->pool, "%u guesses near it", k - 1));
    }
    if (l > 0) {
        note_tried(p, dd_pool_printf(p->problem->pool, "%u guesses near straight lines to the end values", l));
    }
    return found;
}

/* The first solve is the previous one again, whatever was tried since. */
static void bring_first_back(dd_ocp *p)
{
    dd_ocp_forget_previous(p);
    p->previous = p->first;
    p->first = (dd_ocp_meshed){0};
}

/* Solves with speeds that the mesh resolves, on a finer one where these are not enough. False: there is no solution. */
static bool solve_bounded(dd_ocp *p, const dd_mesh *mesh, dd_guess *from, dd_mesh *on)
{
    bool enough = false;
    /* bounds by the present mesh; when they are active at the solution, a finer mesh with wider ones */
    for (uint32_t times = 1; !enough; times *= 2) {
        *on = times > 1 ? even_mesh(mesh, times * mesh->n, p->pool) : *mesh;
        dd_resolved r = dd_resolved_new(p, on->n);
        dd_ocp_solve_on(p, on, from, false);
        dd_resolved_restore(&r);
        /* the first solve must survive: later ones free the previous one */
        if (times == 1) {
            p->first = p->previous; /* out of reach of the solves that follow */
            p->previous = (dd_ocp_meshed){0};
        }
        if (!dd_ocp_is_real(p)) {
            return false;
        }
        enough = !dd_resolved_active(p, &r) || times >= FINER_FOR_SPEED || times * mesh->n > MOST_FINER / 2;
        *from = dd_ocp_continue(p);
    }
    return true;
}

/* With bounds on the speeds, then without them: a solution with bounds that are not in the model text is not a
 * solution. Where that fails the first solve is the present one again. */
static bool solve_resolved(dd_ocp *p, const dd_mesh *mesh, const dd_guess *guess, const char **how)
{
    dd_guess from = *guess;
    dd_mesh on;
    /* with bounds, then without them from there */
    bool found = solve_bounded(p, mesh, &from, &on);
    if (found) {
        dd_ocp_solve_on(p, &on, &from, true);
        found = dd_ocp_is_real(p);
        *how = dd_pool_printf(p->problem->pool, "with speeds that %u intervals resolve, and then without that bound",
                              on.n);
    }
    bring_first_back(p);
    /* found: the first solve is not needed; otherwise it is the answer */
    if (found) {
        dd_ocp_forget_previous(p);
    } else if (!dd_ocp_stopped(p)) {
        dd_ocp_take_back(p);
    }
    return found;
}

/* By way of a coarse mesh from lines to the end values, from a simulation, from longer horizons, from guesses
 * beside it. True: found; how: in words. */
static bool solve_otherwise(dd_ocp *p, const dd_mesh *mesh, const dd_guess *guess, const char **how)
{
    bool finer = coarse_intervals(mesh) < mesh->n, found = false;
    /* from the cheapest idea to the most expensive: bounds on speeds, a coarse mesh, motions, longer horizons,
     * guesses beside */
    p->iteration_cap = OTHER_TRY;
    if (!p->problem->free_tf && (p->gave_up ? dd_resolved_open(p->problem)
                                            : dd_resolved_exceeded(p))) { /* it may have gone where speeds are large */
        note_tried(p, "the same with speeds that the mesh resolves");
        found = solve_resolved(p, mesh, guess, how);
    }
    /* straight lines to the end values may be better than the written guess */
    if (finer && !found && may_help(p)) {
        bool lines = dd_guess_source_lines(p->guess);
        found = solve_by_way_of_coarse(p, mesh, guess, false, false) && dd_ocp_is_real(p);
        if (lines) {
            dd_guess_source_no_lines(p->guess);
        }
        *how = by_coarse(p, mesh, lines ? "from straight lines to the end values and " : "");
        note_tried(p, lines ? "straight lines to the end values" : by_coarse(p, mesh, "the same "));
    }
    found = found || solve_from_motion(p, mesh, how);
    found = found || (finer && (solve_longer(p, mesh, guess, how) || solve_beside(p, mesh, how)));
    p->iteration_cap = 0;
    return found;
}

/* Does the model go so far by itself that the solver may not see the way there? What it calls a contradiction, even
 * of linear rows, then need not be one: beside e^20 the gradient of a violation is as good as zero. */
static bool goes_far(dd_ocp *p)
{
    const dd_ocp_problem *o = p->problem;
    dd_motion m = dd_motion_new(p);
    dd_guess motion;
    double *x = dd_pool_alloc_array(p->pool, o->x.len + 1, sizeof *x);
    double *z = dd_pool_alloc_array(p->pool, o->z.len + 1, sizeof *z);
    double *u = dd_pool_alloc_array(p->pool, o->u.len + 1, sizeof *u);
    bool known = dd_motion_guess(&m, 0, &motion), far = false;
    for (uint32_t k = 0; k < LOOKS && known; k++) {
        motion.at(motion.user, (double)k / (LOOKS - 1), k > 0, x, z, u);
        for (uint32_t i = 0; i < o->x.len; i++) {
            far = far || fabs(x[i]) > FAR * o->x.data[i].scale;
        }
    }
    dd_motion_restore(&m);
    return far;
}

/* Stopped while other ways were tried: the smaller violation is the answer. */
static void keep_less_violated(dd_ocp *p)
{
    dd_ocp_status status = p->info.status;
    if (p->previous.transcription != NULL && p->previous.info.violation < p->info.violation) {
        dd_ocp_take_back(p);
        p->info.status = status;
        p->info.reason = "stopped while another way to begin was tried; this is the iterate before";
    }
}

void dd_ocp_say_found(dd_ocp *p, const char *ended, const char *how)
{
    dd_pool *pool = p->problem->pool;
    /* one of perhaps many local optima, chosen by the order in which guesses are tried */
    const bool others = p->options.multistart <= 1 && !dd_ocp_rows_linear(p);
    const char *more = others ? dd_pool_printf(pool, "; other guesses may lead to cheaper ones: %s 8 tries some",
                                               dd_option_word(p->ctx, "--multistart"))
                              : "";
    dd_ocp_say(p, dd_pool_printf(pool, "from the guess the solver %s; the solution was found %s%s", ended, how, more));
}

static void solve_once(dd_ocp *p, const dd_mesh *mesh, const dd_guess *guess)
{
    bool finer = coarse_intervals(mesh) < mesh->n;
    /* as asked: by way of a coarse mesh */
    if (p->options.coarse && finer && (solve_by_way_of_coarse(p, mesh, guess, false, false) || dd_ocp_stopped(p))) {
        return;
    }
    /* capped: other guesses are there when it takes too long */
    bool other = !p->options.coarse;
    p->iteration_cap = other ? DD_FIRST_TRY : 0;
    dd_ocp_solve_on(p, mesh, guess, false);
    p->iteration_cap = 0;
    note_tried(p, first_words(p));
    /* linear rows without a solution have none from any guess */
    bool linear = p->info.status == DD_OCP_INFEASIBLE && dd_ocp_rows_linear(p) && !dd_ocp_always_moves(p->problem);
    if (dd_ocp_is_real(p) || !other || !may_help(p) || (linear && !goes_far(p))) {
        return;
    }
    /* the end of the first solve is part of the message */
    const char *how;
    const char *ended = !dd_ocp_solved(p)   ? dd_ocp_end_words(p)
                        : dd_ocp_crosses(p) ? "ended with states that step over a constraint between two points"
                                            : "ended with states that are not a motion of the model";
    bool unfinished = p->info.status == DD_OCP_ITERATION_LIMIT && p->options.max_iterations > DD_FIRST_TRY;
    if (linear ? solve_from_motion(p, mesh, &how) : solve_otherwise(p, mesh, guess, &how)) {
        dd_ocp_say_found(p, ended, how);
        return;
    }
    if (dd_ocp_stopped(p)) {
        keep_less_violated(p);
        return;
    }
    /* nothing helped: the first solve once more without a cap, unless an elastic solve shows a conflict */
    bool go_on = unfinished && may_help(p);
    take_first_back(p);
    if (go_on && !dd_ocp_in_conflict(p, dd_clock_seconds() + CONFLICT_SECONDS)) {
        dd_guess first = dd_guess_source_as(p->guess); /* not one beside it */
        dd_ocp_solve_on(p, mesh, &first, false);
        dd_ocp_forget_previous(p);
    }
}

void dd_ocp_solve_from_guess(dd_ocp *p, const dd_mesh *mesh)
{
    dd_guess guess = dd_guess_source_as(p->guess);
    solve_once(p, mesh, &guess);
}
