/* judge.c - from errors of intervals, a simulation and one finer mesh to the verdict `inaccurate`, and its words. */
#include "ocp/judge.h"

#include <math.h>
#include <string.h>

#include "ocp/diagnose.h"
#include "ocp/jumps.h"
#include "ocp/overshoot.h"
#include "ocp/quadrature.h"
#include "ocp/redundant.h"
#include "ocp/refine.h"
#include "ocp/switching.h"

enum { FINER_MOST = 3 }; /* finer meshes that are kept, where the user left the mesh to us */

/* ---- the worst interval ---- */

static const char *state_name(const dd_ocp *p, uint32_t i)
{
    const dd_decision *d = &p->problem->x.data[i];
    const char *name = dd_model_var_name_dup(p->problem->model, d->var, p->pool);
    return d->order == 0 ? name : dd_pool_printf(p->pool, "der(%s)", name);
}

static void note_worst(dd_ocp *p)
{
    const dd_mesh *mesh = &p->transcription->mesh;
    uint32_t worst = 0;
    /* the interval that is worst by the estimate */
    for (uint32_t k = 1; k < mesh->n; k++) {
        worst = p->error.size[k] > p->error.size[worst] ? k : worst;
    }
    /* the state that differs most there, unless the integration failed */
    uint32_t state = p->error.state[worst];
    p->info.worst_interval = worst + 1;
    p->info.worst_from = dd_transcription_time(p->transcription, p->result.x, mesh->theta[worst]);
    p->info.worst_to = dd_transcription_time(p->transcription, p->result.x, mesh->theta[worst + 1]);
    p->info.worst_state = state != DD_NO_INDEX ? state_name(p, state) : "";
}

/* "in interval 7 of 20, from time 0.45 to 0.525, w[4] ends 0.0022 of its size away from the motion of the model" */
static const char *worst_words(const dd_ocp *p)
{
    const dd_ocp_info *i = &p->info;
    const char *where = dd_pool_printf(p->pool, "in interval %u of %u, from time %.6g to %.6g,", i->worst_interval,
                                       p->transcription->mesh.n, i->worst_from, i->worst_to);
    if (i->worst_state[0] == '\0') {
        return dd_pool_printf(p->pool, "%s the model cannot be integrated under this control", where);
    }
    return dd_pool_printf(p->pool, "%s %s ends %.2g of its size away from the motion of the model", where,
                          i->worst_state, p->interval_error);
}

/* ---- the whole horizon ---- */

/* How far a simulation is from the solution, and its cost from the integral of the mesh. */
static void simulate_again(dd_ocp *p)
{
    double until;
    p->info.simulation_difference = dd_replay_all(p->replay, &until);
    if (p->problem->x.len == 0) { /* nothing to simulate */
        return;
    }
    p->simulated = isfinite(p->info.simulation_difference)
                       ? dd_pool_printf(p->pool,
                                        "simulated again under the optimal control, states differ by %.2g at most "
                                        "(relative to their size)",
                                        p->info.simulation_difference)
                       : dd_pool_printf(p->pool, "a simulation under the optimal control did not get past time %.6g",
                                        dd_transcription_time(p->transcription, p->result.x, until));
}

/* ---- one finer mesh ---- */

/* By how much the mesh of twice as many intervals changed things. */
typedef struct finer {
    bool solved;
    double objective, states; /* relative; states of their size, at the boundaries of the mesh before */
    uint32_t intervals;
} finer;

/* x at all boundaries, in the user's units */
static double *boundary_states(const dd_ocp *p, dd_pool *pool)
{
    const dd_transcription *t = p->transcription;
    uint32_t nx = p->problem->x.len;
    double *x = dd_pool_alloc_array(pool, (size_t)(t->mesh.n + 1) * nx + 1, sizeof *x);
    for (uint32_t k = 0; k <= t->mesh.n; k++) {
        for (uint32_t i = 0; i < nx; i++) {
            x[(size_t)k * nx + i] = p->result.x[t->x_at[k] + i] * p->problem->x.data[i].scale;
        }
    }
    return x;
}

static double states_changed(const dd_ocp *p, const double *before, const double *scale, dd_pool *pool)
{
    const double *now = boundary_states(p, pool);
    uint32_t nx = p->problem->x.len;
    double largest = 0;
    /* every second boundary of the halved mesh is one of the mesh before */
    for (uint32_t k = 0; k <= p->transcription->mesh.n / 2; k++) {
        for (uint32_t i = 0; i < nx; i++) {
            double d = fabs(now[2 * (size_t)k * nx + i] - before[(size_t)k * nx + i]) / scale[i];
            largest = isfinite(d) ? fmax(largest, d) : INFINITY;
        }
    }
    return largest;
}

/* Solves on it; the solution before is `previous` then. */
static finer solve_finer(dd_ocp *p)
{
    dd_pool *scratch = dd_pool_child(p->pool);
    dd_mesh mesh = dd_mesh_halved(&p->transcription->mesh, scratch);
    uint32_t nx = p->problem->x.len;
    const double *before = boundary_states(p, scratch), objective = p->info.objective;
    double *scale = dd_pool_alloc_array(scratch, nx + 1, sizeof *scale);
    /* sizes as in the estimate, so that numbers compare */
    for (uint32_t i = 0; i < nx; i++) {
        scale[i] = dd_replay_scale(p->replay, i);
    }
    finer f = {.intervals = mesh.n};
    /* from the present solution, which becomes `previous` */
    dd_ocp_solve_on_refined(p, &mesh);
    f.solved = dd_ocp_solved(p);
    if (f.solved) {
        /* an objective near zero is compared in units that the solver resolves */
        const double least = p->options.tolerance * dd_ocp_cost_unit(p) / DD_OCP_APART;
        const double size = fmax(fmax(fabs(objective), fabs(p->info.objective)), least);
        f.objective = fabs(p->info.objective - objective) / size;
        f.states = states_changed(p, before, scale, scratch);
    }
    dd_pool_free(scratch);
    return f;
}

/* The verdict of a finer mesh on a solution that a simulation leaves. */
typedef struct confirmation {
    bool asked, confirmed;
    finer last;
} confirmation;

/* The mesh is ours to choose: the finer one is the solution from now on. */
static void keep_finer(dd_ocp *p, const finer *f)
{
    const char *why = p->cost_error > DD_OCP_APART ? "the integral of the cost was not accurate"
                                                   : "a simulation had left the solution";
    dd_ocp_keep_trial(p);
    dd_ocp_forget_previous(p);
    p->info.objective_change = f->objective;
    dd_ocp_estimate(p);
    simulate_again(p);
    dd_ocp_say(p, dd_pool_printf(p->problem->pool,
                                 "the mesh was refined to %u intervals, which changed the objective by %.2g and states "
                                 "by %.2g: %s on the one before",
                                 f->intervals, f->objective, f->states, why));
}

static bool simulation_leaves(const dd_ocp *p)
{
    return !(p->info.simulation_difference <= DD_OCP_APART);
}

static bool is_doubtful(const dd_ocp *p)
{
    return simulation_leaves(p) || p->cost_error > DD_OCP_APART;
}

static bool too_coarse(const dd_ocp *p)
{
    return !(p->info.estimated_error <= DD_OCP_COARSE);
}

/* Nobody asked for it, or it was made finer already to find a solution at all. */
static bool mesh_is_ours(const dd_ocp *p)
{
    return p->options.intervals == 0 || (p->options.refine == 0 && p->transcription->mesh.n > p->options.intervals);
}

static confirmation confirm(dd_ocp *p)
{
    confirmation c = {0};
    const bool ours = mesh_is_ours(p);
    /* a simulation that leaves the solution: instability or a coarse mesh? A finer mesh decides. So it does where the
     * cost between the points is not what it is at the points */
    for (uint32_t kept = 0; is_doubtful(p); kept++) {
        c.asked = true;
        /* the verdict is known, unless a mesh that is finer than the one asked for may become finer still */
        const bool further = p->options.intervals > 0 && ours && kept < FINER_MOST;
        if ((too_coarse(p) && !further) || p->unreached != NULL) {
            return c;
        }
        dd_ocp_begin_trial(p);
        p->verifying = true;
        c.last = solve_finer(p);
        p->verifying = false;
        /* the finer mesh agrees: then the motion is unstable in open loop */
        c.confirmed = c.last.solved && c.last.objective <= DD_OCP_APART && c.last.states <= DD_OCP_APART;
        /* it does not, and the mesh is ours: it is kept, and asked again */
        bool keep = !c.confirmed && c.last.solved && ours && kept < FINER_MOST;
        if (!keep) {
            /* the user's mesh stays; its verdict follows */
            dd_ocp_status status = p->info.status;
            bool stopped = dd_ocp_stopped(p);
            dd_ocp_take_back(p);
            dd_ocp_estimate(p);
            if (stopped) {
                p->info.status = status;
                p->info.reason = "stopped while a finer mesh was confirming the solution; this is the previous one";
            }
            return c;
        }
        keep_finer(p, &c.last);
    }
    c.asked = false;
    return c;
}

/* ---- the verdict ---- */

static const char *finer_words(const dd_ocp *p, const finer *f)
{
    return f->solved ? dd_pool_printf(p->pool, "on %u intervals the objective changes by %.2g and states by %.2g",
                                      f->intervals, f->objective, f->states)
                     : dd_pool_printf(p->pool, "a mesh of %u intervals, which would confirm it, was not solved",
                                      f->intervals);
}

static const char *apart_words(const dd_ocp *p)
{
    if (!simulation_leaves(p)) {
        return dd_pool_printf(p->pool,
                              "the integral of objectiveIntegrand varies faster than the mesh: between the points it "
                              "differs by %.2g of the objective",
                              p->cost_error);
    }
    return isfinite(p->info.simulation_difference)
               ? dd_pool_printf(p->pool,
                                "a simulation under the optimal control differs by %.2g of the size of the states",
                                p->info.simulation_difference)
               : p->simulated;
}

static void call_inaccurate(dd_ocp *p, const char *reason)
{
    dd_diagnosis *d = dd_pool_alloc(p->pool, sizeof *d);
    *d = (dd_diagnosis){0};
    dd_ocp_find_worst(p, d);
    p->diagnosis = d;
    p->info.status = DD_OCP_INACCURATE;
    p->info.reason = reason;
}

/* Remedies for a coarse mesh. */
static const char *advice(const dd_ocp *p)
{
    const char *intervals = dd_option_word(p->ctx, "--intervals");
    if (p->unreached != NULL) {
        return dd_pool_printf(p->pool, "begin with more %s or another %s, or ask for less", intervals,
                              dd_option_word(p->ctx, "--control"));
    }
    return p->options.refine > 0
               ? dd_pool_printf(p->pool, "begin with more %s", intervals)
               : dd_pool_printf(p->pool, "try %s 1e-6, or more %s", dd_option_word(p->ctx, "--refine"), intervals);
}

static void conclude(dd_ocp *p, const confirmation *c)
{
    /* in the order of severity: no motion, tolerance not reached, not confirmed, unstable in open loop */
    bool coarse = too_coarse(p);
    const char *also = c->asked ? dd_pool_printf(p->pool, "; %s", apart_words(p)) : "";
    if (coarse && p->interval_error <= DD_OCP_COARSE) {
        call_inaccurate(
            p, dd_pool_printf(p->pool,
                              "this is not a motion of the model: a row that was left out because it follows from "
                              "others is off by %.2g of its size%s; %s",
                              p->info.estimated_error, also, advice(p)));
    } else if (coarse) {
        call_inaccurate(p, dd_pool_printf(p->pool, "this is not a motion of the model: %s%s%s%s; %s", worst_words(p),
                                          also, p->unreached != NULL ? "; " : "",
                                          p->unreached != NULL ? p->unreached : "", advice(p)));
    } else if (p->unreached != NULL) {
        call_inaccurate(
            p, dd_pool_printf(p->pool, "%s (the largest: %s)%s; %s", p->unreached, worst_words(p), also, advice(p)));
    } else if (c->asked && !c->confirmed && simulation_leaves(p)) {
        call_inaccurate(p, dd_pool_printf(p->pool, "%s, and %s (the largest error of an interval: %s); %s",
                                          apart_words(p), finer_words(p, &c->last), worst_words(p), advice(p)));
    } else if (c->asked && simulation_leaves(p)) {
        /* confirmed: a good solution that a simulation cannot follow. That is a note */
        p->info.note =
            dd_pool_printf(p->pool, "%s, although every interval is accurate to %.2g and %s: the motion is unstable%s",
                           apart_words(p), p->info.estimated_error, finer_words(p, &c->last),
                           p->problem->u.len > 0 ? " in open loop, use the control with feedback" : "");
        dd_ocp_say(p, p->info.note);
    } else if (c->asked) {
        /* a motion of the model, but its cost is another than the objective of this mesh */
        call_inaccurate(p,
                        dd_pool_printf(p->pool, "%s, and %s; %s", apart_words(p), finer_words(p, &c->last), advice(p)));
    }
}

void dd_ocp_judge(dd_ocp *p)
{
    /* refine, simulate, confirm, then the verdict */
    dd_ocp_refine(p);
    if (!dd_ocp_solved(p)) { /* stopped */
        return;
    }
    dd_ocp_divide_switches(p);
    const char *outside = dd_ocp_solved(p) ? dd_ocp_leaves_bounds(p) : NULL;
    if (!dd_ocp_solved(p)) { /* stopped */
        return;
    }
    simulate_again(p);
    confirmation c = confirm(p);
    if (p->simulated != NULL) {
        dd_ocp_say(p, p->simulated);
    }
    note_worst(p);
    dd_ocp_say_overshoot(p, outside == NULL);
    dd_ocp_judge_guards(p);
    if (dd_ocp_solved(p)) {
        conclude(p, &c);
    }
    if (dd_ocp_solved(p) && outside != NULL) {
        call_inaccurate(p, outside);
    }
    const char *crosses = dd_ocp_solved(p) ? dd_ocp_crossing_words(p) : NULL;
    if (crosses != NULL) {
        call_inaccurate(p, crosses);
    }
    const char *jumps = p->info.status == DD_OCP_OPTIMAL ? dd_ocp_jump_words(p) : NULL;
    if (jumps != NULL) {
        p->info.status = DD_OCP_ACCEPTABLE;
        p->info.reason = jumps;
    }
}
