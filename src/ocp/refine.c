/* refine.c - solve, estimate, make a better mesh, solve again from there. */
#include "ocp/refine.h"

#include <math.h>
#include <string.h>

#include "base/context.h"
#include "ocp/redundant.h"

enum {
    MESHES_MOST = 12,
    INTERVALS_MOST = 5000,
    SMALL_BARRIER_MOST = 200,
    LARGE_BARRIER_MOST = 1000
}; /* the last two: iterations */

double dd_ocp_interval_error(dd_ocp *p)
{
    if (p->replay == NULL) {
        p->replay = dd_replay_new(p->problem, p->pool);
    }
    dd_replay_use(p->replay, p->transcription, p->result.x);
    if (!p->error_known) {
        p->error = dd_pool_alloc_array(p->mesh_pool, p->transcription->mesh.n + 1, sizeof *p->error);
        p->interval_error = dd_replay_intervals(p->replay, p->error);
        p->error_known = true;
    }
    return p->interval_error;
}

static void estimate(dd_ocp *p)
{
    p->info.estimated_error = fmax(dd_ocp_interval_error(p), dd_ocp_redundant_error(p));
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

/* Relative, except that what the solver cannot resolve is no change. */
static double relative_change(const dd_ocp *p, double before)
{
    double now = p->info.objective, size = fmax(fabs(now), fabs(before));
    return fabs(now - before) / fmax(size, p->options.tolerance / p->options.refine);
}

/* How many times as many intervals are needed. The error of the objective falls with the power q of their number, so
 * the last change, made by `ratio` times as many, was ratio^q - 1 times the error that is left. */
static double growth_for(const dd_ocp *p, double change, double ratio)
{
    dd_control_kind control = p->transcription->mesh.control;
    double q = control == DD_CONTROL_CONSTANT ? 2 : 4, first = control == DD_CONTROL_CONSTANT ? 2 : 1.6;
    if (control == DD_CONTROL_POLYNOMIAL || !isfinite(change) || ratio < 1.1) {
        return control == DD_CONTROL_POLYNOMIAL ? 1.5 : first;
    }
    double left = change / (pow(ratio, q) - 1), growth = 1.2 * pow(left / p->options.refine, 1 / q);
    double most = (double)INTERVALS_MOST / p->transcription->mesh.n;
    return fmax(fmin(fmin(growth, 3), 0.9 * most), 1.5);
}

/* The solve on the new mesh failed: the solution before is the answer. */
static void step_back(dd_ocp *p)
{
    dd_ocp_status status = p->info.status;
    uint32_t n = p->info.intervals;
    dd_ocp_take_back(p);
    estimate(p);
    dd_ocp_say(p, dd_pool_printf(p->pool, "refinement stopped: the mesh of %u intervals ended as %s", n,
                                 dd_ocp_status_name(status)));
    if (status == DD_OCP_INTERRUPTED || status == DD_OCP_TIME_LIMIT) {
        p->info.status = status;
        p->info.reason = "stopped while refining the mesh; the solution is that of the mesh before";
    }
}

static const char *limit_words(const dd_ocp *p)
{
    return dd_pool_printf(p->pool,
                          "refinement stopped at its limit of %d meshes or %d intervals: estimated error %.2g, change "
                          "of the objective %.2g, asked for %.2g",
                          MESHES_MOST, INTERVALS_MOST, p->info.estimated_error, p->info.objective_change,
                          p->options.refine);
}

/* ---- the loop ---- */

/* From the solution on the mesh before, with a small barrier: mostly a few iterations. Where many rows are active at
 * other points than before that may get stuck, and a large barrier leads away from them first. */
static void solve_on_refined(dd_ocp *p, const dd_mesh *mesh)
{
    dd_guess guess = dd_ocp_continue(p);
    p->iteration_cap = SMALL_BARRIER_MOST;
    dd_ocp_solve_on(p, mesh, &guess, true);
    if (!dd_ocp_solved(p) && !dd_ocp_stopped(p)) {
        dd_ocp_take_back(p);
        guess = dd_ocp_continue(p);
        p->iteration_cap = LARGE_BARRIER_MOST;
        dd_ocp_solve_on(p, mesh, &guess, false);
    }
    p->iteration_cap = 0;
}

/* ratio: by how much the last mesh was finer. False when there is no better mesh to be had. */
static bool refine_once(dd_ocp *p, double *ratio)
{
    double tolerance = p->options.refine, before = p->info.objective, change = p->info.objective_change;
    bool settled = change <= tolerance; /* not on the first mesh, where it is not a number */
    if (settled && p->info.estimated_error <= tolerance) {
        return false;
    }
    bool local = p->interval_error > tolerance; /* otherwise what adds up is too large: all intervals get smaller */
    dd_pool *scratch = dd_pool_child(p->pool);
    dd_mesh mesh = dd_mesh_refined(p->transcription, p->result.x, p->error, tolerance,
                                   settled && local ? 1 : growth_for(p, change, *ratio), scratch);
    if (p->info.meshes >= MESHES_MOST || mesh.n > INTERVALS_MOST) {
        dd_ocp_say(p, limit_words(p));
        dd_pool_free(scratch);
        return false;
    }
    *ratio = (double)mesh.n / p->transcription->mesh.n;
    solve_on_refined(p, &mesh);
    dd_pool_free(scratch);
    if (!dd_ocp_solved(p)) {
        step_back(p);
        return false;
    }
    dd_ocp_forget_previous(p);
    p->info.objective_change = relative_change(p, before);
    estimate(p);
    return true;
}

void dd_ocp_refine(dd_ocp *p)
{
    estimate(p);
    if (!isfinite(p->info.estimated_error)) {
        dd_ocp_say(p, "the accurate integration failed in some interval: its error is not known");
    }
    double ratio = 1;
    while (p->options.refine > 0 && refine_once(p, &ratio)) {
    }
}
