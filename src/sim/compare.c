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
static const double ROUGH = 0.1;    /* of the size of a variable: said of given steps of the equations as written */
static const double FINE = 1e-8;    /* tolerance of the run beside given steps */

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

/* The same for the variables of the user, where the unknowns of both are not the same. Given steps have no tolerance: `off` is
 * relative to the size of the variable. */
static farthest compare_values(const dd_sim *sim, const dd_sim *other)
{
    farthest f = {.unknown = DD_NO_INDEX};
    const dd_system *s = sim->system;
    const bool given = sim->options.step > 0;
    const double tol = given ? 1.0 : dd_sim_tolerance(sim);
    /* by columns of the system, which both have; tolerances as in the error test */
    for (uint32_t i = 0; i < s->declared; i++) {
        const dd_variable *v = &s->model->vars.data[s->unknown[i]];
        const double nominal = v->has_nominal && v->nominal_value != 0 ? fabs(v->nominal_value) : 1.0;
        const double exact = dd_sim_final(other, i), atol = sim->options.atol > 0 ? sim->options.atol : tol * nominal;
        const double off = fabs(exact - dd_sim_final(sim, i)) / ((given ? nominal : atol) + tol * fabs(exact));
        const double part = off / (given ? ROUGH : s->differentiated[i] ? A_FEW : MANY_OF_Z);
        if (isfinite(part) && part > f.serious) {
            f = (farthest){.unknown = i, .off = off, .serious = part};
        }
    }
    return f;
}

/* Errors of single steps are below the tolerance, and where the equations damp nothing (swings, orbits) those of many
 * steps add up. How far is the end from that of another simulation, by Radau with a tenth of the tolerance? */
static farthest distance_of_radau(dd_sim *sim)
{
    const double tighter = 0.1, least = 1e-14;
    const bool by_values = sim->options.form == DD_SIM_FORM_ORIGINAL || sim->dummy;
    farthest f = {.unknown = DD_NO_INDEX};
    dd_sim *other = NULL;
    /* the same, without rows and derivatives */
    dd_sim_options o = sim->options;
    o.method = "radau";
    o.tableau_file = NULL;
    o.tol = o.step > 0 ? FINE : fmax(tighter * dd_sim_tolerance(sim), least);
    o.atol *= tighter;
    o.form = DD_SIM_FORM_REDUCED;
    o.stabilize = by_values ? DD_STABILIZE_PROJECTION : o.stabilize;
    o.step = 0;
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
    if (done && by_values) {
        f = compare_values(sim, other);
    } else if (done && other->numbers->n == sim->numbers->n) {
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

void dd_compare_tell_form(dd_sim *sim)
{
    const dd_sim_info *info = &sim->info;
    const bool written = sim->options.form == DD_SIM_FORM_ORIGINAL && sim->system->index > 1;
    const bool same = info->status == DD_SIM_OK && !sim->begun && !sim->variant && info->t > info->t0;
    if (sim->compared || !same || !(written || sim->dummy) || (sim->dummy && sim->options.step > 0) ||
        info->stats.seconds > SHORT) {
        return;
    }
    sim->compared = true;
    /* given steps have no tolerance, so their errors are said in percent */
    const farthest f = distance_of_radau(sim);
    if (!(f.serious > 1)) {
        return;
    }
    const char *name = dd_system_column_name(sim->system, f.unknown, sim->pool);
    const char *beside = written ? "the reduced form" : "projection";
    dd_vec_push(
        sim->pool, &sim->messages,
        sim->options.step > 0
            ? (const char *)dd_pool_printf(sim->pool,
                                           "at time %.6g %s is off by about %.0f %% of its size, beside a run of the "
                                           "reduced form with error control",
                                           info->t, name, 100 * f.off)
            : (const char *)dd_pool_printf(
                  sim->pool,
                  "the values at time %.6g are off by about %.0f times the tolerance, %s most of all, beside a run "
                  "with %s, which has these digits",
                  info->t, f.off, name, beside));
}
