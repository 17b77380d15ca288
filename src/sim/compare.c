/* compare.c - the end of a run beside that of a run with more digits. Start reading at dd_compare_tell.
 *
 * The tolerance limits errors of single steps. Those of many steps add up, and what the equations let grow grows: whether
 * the end has the digits that were asked for, only another run tells. */
#include "sim/compare.h"

#include <math.h>
#include <string.h>

#include "base/context.h"
#include "sim/run_impl.h"

enum {
    MANY = 50,       /* steps whose errors can add up, */
    MANY_EXACT = 400 /* of a method whose errors are far smaller, since its order is high */
};
static const double SHORT = 2;      /* seconds: runs that are compared */
static const double CHEAP = 1e6;    /* residuals times unknowns, some 20 ms: such runs are compared in any case */
static const double A_FEW = 5;      /* tolerances that are said, */
static const double MANY_OF_Z = 20; /* of algebraic unknowns, which may follow x steeply */

/* The unknown that is farthest off. */
typedef struct farthest {
    uint32_t unknown; /* DD_NO_INDEX: not known */
    double off;       /* in tolerances */
    double serious;   /* relative to what is said: above 1 it is */
} farthest;

/* At the end of another simulation of the same. */
static farthest compare_ends(const dd_sim *sim, const dd_sim *other)
{
    farthest f = {.unknown = DD_NO_INDEX};
    const double *w = sim->integrator->w, *exact = other->integrator->w;
    for (uint32_t j = 0; j < sim->numbers->n; j++) {
        const double tolerance = sim->atol[j] + dd_sim_tolerance(sim) * fabs(exact[j]);
        const double off = fabs(exact[j] - w[j]) / tolerance;
        const double part = off / (sim->numbers->problem.differential[j] ? A_FEW : MANY_OF_Z);
        if (isfinite(part) && part > f.serious) {
            f = (farthest){.unknown = j, .off = off, .serious = part};
        }
    }
    return f;
}

/* Errors of single steps are below the tolerance, and where the equations damp nothing (swings, orbits) those of many
 * steps add up. How far is the end from that of another simulation, by Radau with a tenth of the tolerance? */
static farthest distance_of_radau(dd_sim *sim)
{
    const double tighter = 0.1, least = 1e-14;
    farthest f = {.unknown = DD_NO_INDEX};
    dd_sim *other = NULL;
    /* the same, without rows and derivatives */
    dd_sim_options o = sim->options;
    o.method = "radau";
    o.tableau_file = NULL;
    o.tol = fmax(tighter * dd_sim_tolerance(sim), least);
    o.atol *= tighter;
    o.has_start = o.has_stop = true;
    o.start = sim->t0;
    o.stop = sim->t_stop;
    o.first_step = o.interval = 0;
    o.points = o.n_sensitivity = 0;
    o.keep_rows = o.write_rows = o.keep_curves = false;
    o.progress = NULL;
    dd_status st = dd_sim_new(&other, sim->system, &o);
    st = st == DD_OK ? dd_sim_run(other) : st;
    const bool done = st == DD_OK && other->info.status == DD_SIM_OK && other->info.t == sim->info.t;
    if (done && other->numbers->n == sim->numbers->n) {
        f = compare_ends(sim, other);
    }
    const bool memory = st == DD_OUT_OF_MEMORY || (st == DD_OK && other->info.status == DD_SIM_OUT_OF_MEMORY);
    dd_sim_free(other);
    if (memory) {
        dd_raise(sim->ctx, DD_OUT_OF_MEMORY, "memory ran out");
    }
    return f;
}

/* Is a run compared with one of Radau? Errors add up in many steps, most of all with bdf and low orders; they may grow; and
 * where it costs next to nothing, why not ask. */
static bool is_compared(const dd_sim *sim, bool growing)
{
    const dd_sim_info *info = &sim->info;
    const bool explicit = sim->tableau && sim->tableau->structure == DD_TABLEAU_EXPLICIT && !sim->switched;
    const bool exact = explicit && sim->tableau->order >= 8;
    const bool rough = strcmp(sim->integrator->name, "bdf") == 0 || explicit;
    const bool many = rough && info->stats.steps >= (exact ? MANY_EXACT : MANY);
    const bool cheap = (double)info->stats.residuals * sim->numbers->n <= CHEAP;
    const bool same = info->status == DD_SIM_OK && !sim->begun && !sim->variant && info->t > info->t0;
    return same && (many || cheap || growing) && info->stats.seconds <= SHORT;
}

void dd_compare_tell(dd_sim *sim, bool growing)
{
    const dd_sim_info *info = &sim->info;
    if (!is_compared(sim, growing)) {
        return;
    }
    const farthest f = distance_of_radau(sim);
    if (f.serious > 1) {
        char name[200];
        dd_run_name_unknown(sim, f.unknown, name, sizeof name);
        dd_vec_push(
            sim->pool, &sim->messages,
            (const char *)dd_pool_printf(
                sim->pool,
                "errors of single steps are within the tolerance, but those of %llu steps have added up or grown: the "
                "values at time %.6g are off by about %.0f times the tolerance, %s most of all; %sask for a smaller "
                "one (%s)",
                (unsigned long long)info->stats.steps, info->t, f.off, name,
                strcmp(sim->integrator->name, "bdf") == 0 ? "take radau, or " : "", dd_option_word(sim->ctx, "--tol")));
    }
}
