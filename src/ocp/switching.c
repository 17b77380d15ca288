/* switching.c - see switching.h. */
#include "ocp/switching.h"

#include <math.h>

#include "ocp/hidden.h"
#include "ocp/overshoot.h"
#include "ocp/reading.h"
#include "ocp/refine.h"
#include "ocp/stairs.h"

#define SAID 2e-3    /* of the objective: what constant controls may lose without a word */
#define SHARE 0.02   /* of the loss of all intervals to switches: one that is worth dividing */
#define STEEP 1e-2   /* of the objective: what constant controls may lose to slopes */
#define FAR 0.5      /* of the objective: a loss to slopes that is no small change, which its estimate assumes */
#define EVEN 0.25    /* of the mean loss of all intervals to slopes: one that is worth dividing */
#define GAINED 5e-4  /* of the objective: a gain that shows that the estimate was right */
#define OUTSIDE 1e-2 /* of its range: an overshoot that may pay */
#define CHANGED 5e-4 /* of the objective, on a mesh of halved intervals: the error falls by half there */
enum {
    MOST_STAIRS = 200
}; /* intervals that are divided for slopes: after that --refine is better, with other controls */
enum { DIVISIONS = 4, HALVINGS = 3 };

static double size_of(const dd_ocp *p, double objective)
{
    return fmax(fabs(objective), p->options.tolerance * dd_ocp_cost_unit(p));
}

static bool is_ours(const dd_ocp *p)
{
    return p->options.intervals == 0;
}

/* The solution before is the answer again. */
static void go_back(dd_ocp *p)
{
    const dd_ocp_status status = p->info.status;
    const bool stopped = dd_ocp_stopped(p);
    dd_ocp_take_back(p);
    dd_ocp_estimate(p);
    if (stopped) {
        p->info.status = status;
        p->info.reason =
            "stopped while another mesh was tried for the switches of a control; this is the last solution";
    }
}

static void keep(dd_ocp *p, double change)
{
    dd_ocp_keep_trial(p);
    dd_ocp_forget_previous(p);
    p->info.objective_change = change;
    dd_ocp_estimate(p);
}

/* One more solution, on a mesh that is freed with the pool given. */
static void solve_for_verdict(dd_ocp *p, const dd_mesh *mesh)
{
    dd_ocp_begin_trial(p);
    p->verifying = true;
    dd_ocp_solve_on_refined(p, mesh);
    p->verifying = false;
}

/* The mesh for the next division: switches first, then slopes. n = 0: little is lost. */
static dd_mesh next_mesh(const dd_ocp *p, bool *stairs, dd_pool *pool)
{
    const uint32_t n = p->transcription->mesh.n;
    const double size = size_of(p, p->info.objective);
    double *part = dd_pool_alloc_array(pool, n + 1, sizeof *part), loss = dd_ocp_switch_loss(p, part);
    *stairs = !(loss > SAID * size);
    if (!*stairs) {
        return dd_ocp_mesh_for_losses(p, part, SHARE * loss, pool);
    }
    loss = is_ours(p) && n <= MOST_STAIRS ? dd_ocp_stairs_loss(p, part) : 0;
    return loss > STEEP * size ? dd_ocp_mesh_for_losses(p, part, EVEN * loss / n, pool) : (dd_mesh){0};
}

/* Solves with the intervals divided in which most is lost; the gain, relative, or 0 if there is none and the solution is the
 * one before. */
static double divide(dd_ocp *p, bool *stairs)
{
    dd_pool *scratch = dd_pool_child(p->pool);
    const double before = p->info.objective;
    const dd_mesh mesh = next_mesh(p, stairs, scratch);
    double gain = 0;
    if (mesh.n > 0) {
        solve_for_verdict(p, &mesh);
        gain = dd_ocp_solved(p) ? (before - p->info.objective) / size_of(p, before) : 0;
        if (!(gain > GAINED)) {
            gain = 0;
            go_back(p);
        }
    }
    dd_pool_free(scratch);
    return gain;
}

/* A mesh of the user is not divided for slopes: a note says what they cost. */
static void note_stairs(dd_ocp *p)
{
    dd_pool *scratch = dd_pool_child(p->pool);
    double *part = dd_pool_alloc_array(scratch, p->transcription->mesh.n + 1, sizeof *part);
    const double loss = dd_ocp_stairs_loss(p, part) / size_of(p, p->info.objective);
    dd_pool_free(scratch);
    if (loss > STEEP && p->info.note[0] == '\0') {
        const char *costs = "may cost a large part of the objective";
        if (loss < FAR) {
            costs = dd_pool_printf(
                p->pool, "costs %.2g of the objective, or more if it is steeper than the intervals show", loss);
        }
        p->info.note = dd_pool_printf(p->pool,
                                      "a control is steep inside intervals, in which it is constant: that %s; try %s "
                                      "1e-6, %s linear, or more %s",
                                      costs, dd_option_word(p->ctx, "--refine"), dd_option_word(p->ctx, "--control"),
                                      dd_option_word(p->ctx, "--intervals"));
        dd_ocp_say(p, p->info.note);
    }
}

void dd_ocp_divide_switches(dd_ocp *p)
{
    const uint32_t n = p->transcription->mesh.n;
    double gained = 0, gain = 1;
    bool stairs = false, any_stairs = false;
    if (p->options.refine > 0) {
        return;
    }
    for (int again = 0; again < DIVISIONS && gain > 0 && dd_ocp_solved(p); again++) {
        gain = divide(p, &stairs);
        if (gain > 0 && !is_ours(p)) {
            /* the mesh of the user stays */
            go_back(p);
            p->info.note = dd_pool_printf(
                p->pool,
                "a control switches inside intervals, in which it is constant: with these divided in four the "
                "objective falls by %.2g of its size; try %s 1e-6, or more %s",
                gain, dd_option_word(p->ctx, "--refine"), dd_option_word(p->ctx, "--intervals"));
            dd_ocp_say(p, p->info.note);
            return;
        }
        if (gain > 0) {
            keep(p, gain);
            gained += gain;
            any_stairs = any_stairs || stairs;
        }
    }
    if (!is_ours(p) && dd_ocp_solved(p)) {
        note_stairs(p);
    }
    if (gained > 0) {
        dd_ocp_say(p, dd_pool_printf(p->problem->pool,
                                     "intervals in which a control %s were divided: on %u intervals instead of %u the "
                                     "objective is lower by %.2g of its size",
                                     any_stairs ? "is steep or switches" : "switches", p->transcription->mesh.n, n,
                                     gained));
    }
}

/* By how much a mesh of halved intervals raises the objective, relative; infinite if it has no solution. */
static double halve(dd_ocp *p)
{
    dd_pool *scratch = dd_pool_child(p->pool);
    const dd_mesh mesh = dd_mesh_halved(&p->transcription->mesh, scratch);
    const double before = p->info.objective;
    /* half of what may change: rows hold to a tolerance only, and the objective with them */
    p->confirming = true;
    p->agrees_below = before + CHANGED / 2 * size_of(p, before);
    solve_for_verdict(p, &mesh);
    p->confirming = false;
    dd_pool_free(scratch);
    return p->agreed ? 0 : dd_ocp_solved(p) ? (p->info.objective - before) / size_of(p, before) : INFINITY;
}

const char *dd_ocp_leaves_bounds(dd_ocp *p)
{
    const uint32_t n = p->transcription->mesh.n;
    double change = INFINITY;
    dd_overshoot worst = dd_ocp_overshoot(p);
    /* halved intervals until the control stays inside, or it no longer changes the objective; only meshes of our own are kept */
    for (int again = 0; worst.part > OUTSIDE; again++) {
        change = halve(p);
        const bool settled = change <= CHANGED, further = again < HALVINGS && is_ours(p) && dd_ocp_solved(p);
        if (settled || !further) {
            go_back(p);
            break;
        }
        keep(p, change);
        worst = dd_ocp_overshoot(p);
    }
    if (dd_ocp_solved(p) && p->transcription->mesh.n > n) {
        dd_ocp_say(p,
                   dd_pool_printf(p->problem->pool,
                                  "the mesh was refined from %u to %u intervals: a control left its bounds between the "
                                  "points, and the objective was too low",
                                  n, p->transcription->mesh.n));
    }
    /* inside, or without an effect on the objective */
    if (!(worst.part > OUTSIDE) || change <= CHANGED || !dd_ocp_solved(p)) {
        return NULL;
    }
    const char *finer = isfinite(change) ? dd_pool_printf(p->pool, "raises the objective by %.2g of its size", change)
                                         : "has no solution";
    return dd_pool_printf(
        p->pool,
        "the objective is not that of a control within its bounds: between collocation points %s by up to "
        "%.2g (%s), and a mesh of halved intervals %s; try %s linear or constant, or more %s",
        worst.bounds, worst.by, dd_reading_when(p, worst.phase, worst.theta), finer,
        dd_option_word(p->ctx, "--control"), dd_option_word(p->ctx, "--intervals"));
}
