/* method.c - from a method's name to an integrator. */
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "integ/bdf.h"
#include "integ/chebyshev.h"
#include "integ/explicit.h"
#include "integ/irk.h"
#include "integ/radau.h"
#include "methods/stability.h"
#include "methods/tableau_file.h"
#include "sim/sim_impl.h"
#include "sim/unstable.h"

/* ---- the choice ---- */

/* An explicit method needs about rate*span/4 steps for stability alone: where that is few, it is the cheapest choice
 * for plain evaluations. If the model turns out to be stiff later, run.c goes on with Radau. */
static const char *choose(dd_sim *sim)
{
    enum { FEW_STEPS = 400 };
    if (sim->options.step > 0) {
        return "radau-3";
    }
    /* plain evaluations: x' = f(x, t), and no constraints to project on */
    const dd_numbers *q = sim->numbers;
    if (!sim->started || !dd_numbers_all_explicit(q) || q->equations->invariants.len > 0) {
        return "radau";
    }
    const double rate = dd_numbers_fastest_rate(q, sim->t0, sim->w0, sim->wdot0, sim->pool);
    return rate * (sim->t_stop - sim->t0) < 4.0 * FEW_STEPS ? "dop853" : "radau";
}

/* The method of the user's file, or the one of this name. */
static dd_status read_tableau(const dd_sim *sim, const char *name, dd_tableau **out)
{
    *out = NULL;
    return sim->options.tableau_file ? dd_tableau_read(out, sim->ctx, sim->options.tableau_file)
                                     : dd_tableau_new(out, sim->ctx, name);
}

bool dd_sim_method_is_explicit(const dd_sim *sim)
{
    dd_tableau *tableau = NULL;
    const char *name = sim->options.method;
    bool found = (name || sim->options.tableau_file) && read_tableau(sim, name, &tableau) == DD_OK;
    bool is_explicit = found && tableau->structure == DD_TABLEAU_EXPLICIT;
    dd_tableau_free(tableau);
    return is_explicit;
}

bool dd_sim_method_leaves_open(const dd_sim *sim)
{
    const dd_tableau *tab = sim->tableau;
    bool zero = tab && sim->numbers->equations->form == DD_EQUATIONS_ORIGINAL && sim->system->index > 1;
    /* a column of zeros: the last stage enters no other, so rows of higher index leave it open */
    for (uint32_t i = 0; zero && i < tab->stages; i++) {
        zero = tab->A[(size_t)i * tab->stages + tab->stages - 1] == 0;
    }
    return zero;
}

/* ---- making it ---- */

static const dd_problem *problem_of(const dd_sim *sim)
{
    return sim->dummy ? dd_dummy_problem(sim->dummy) : &sim->numbers->problem;
}

dd_status dd_sim_choose_dummies(dd_sim *sim, double t, const double *w)
{
    uint32_t blamed = DD_NO_INDEX;
    /* the integrators were made for the old dummies */
    dd_integ_free(sim->integrator);
    dd_integ_free(sim->inner);
    sim->integrator = sim->inner = NULL;
    switch (dd_dummy_choose(sim->dummy, t, w, &blamed)) {
    case DD_DUMMY_OK:
        sim->last_choice = t;
        return DD_OK;
    case DD_DUMMY_OUT_OF_MEMORY:
        return dd_fail(sim->ctx, DD_OUT_OF_MEMORY, "memory ran out");
    case DD_DUMMY_NO_RATE:
        return dd_fail(sim->ctx, DD_INVALID_ARGUMENT,
                       "dummy derivatives do not fit this model: the constraints would have to determine %s, whose "
                       "derivative has no closed form; use projection or baumgarte",
                       dd_model_var_name_dup(sim->system->model,
                                             dd_symbol_id(sim->system->model->dag, sim->numbers->w.data[blamed]),
                                             sim->pool));
    default:
        return dd_fail(sim->ctx, DD_INVALID_ARGUMENT,
                       "at time %.10g the constraints depend on each other: no dummy derivatives can be chosen there",
                       t);
    }
}

static dd_integ_options integrator_options(const dd_sim *sim)
{
    return (dd_integ_options){.rtol = dd_sim_tolerance(sim),
                              .atol = sim->atol,
                              .first_step = sim->restart_step > 0 ? sim->restart_step : sim->options.first_step,
                              .fixed_step = sim->options.step,
                              .higher_index =
                                  sim->numbers->equations->form == DD_EQUATIONS_ORIGINAL && sim->system->index > 1,
                              .dense = sim->sens && dd_sim_row_spacing(sim) > 0 ? DD_DENSE_KEPT
                                       : dd_sim_inner_wanted(sim)               ? DD_DENSE_SEEN
                                                                                : DD_DENSE_UNSEEN,
                              .assigned = !sim->dummy,
                              .project = sim->options.stabilize == DD_STABILIZE_PROJECTION};
}

/* Equations of index 2 and more are solved at the stages. A method whose last stage is not the end of the step says
 * nothing on the algebraic variables there; one with |R(infinity)| = 1 carries every error in them on for ever. */
static void find_open_end(dd_sim *sim, const dd_integ_options *o)
{
    const dd_tableau *tab = sim->tableau;
    dd_stability *stability = dd_pool_alloc(sim->pool, sizeof *stability);
    const bool before = sim->end_open;
    /* |R(infinity)| = 1: errors in z are not damped from step to step */
    sim->end_open = o->higher_index &&
                    (!tab->stiffly_accurate ||
                     (dd_stability_find(stability, sim->ctx, tab) == DD_OK && stability->at_infinity > 1 - 1e-6));
    /* said once, and only where there are algebraic variables */
    const dd_expr_vec *z = &sim->numbers->equations->z;
    if (!sim->end_open || before || z->len == 0) {
        return;
    }
    const char *name =
        dd_model_var_name_dup(sim->system->model, dd_symbol_id(sim->system->model->dag, z->data[0]), sim->pool);
    const char *message = dd_pool_printf(
        sim->pool,
        "%s does not %s algebraic variables such as %s at the end of a step (equations of index %d): %s; radau-S, "
        "lobatto-S and bdf-M do",
        tab->name, tab->stiffly_accurate ? "damp errors of" : "determine", name, sim->system->index,
        dd_watch_count(sim->watch) > 0
            ? "there the solution is moved onto the constraints, hidden ones too, and they are taken from the rows of "
              "the reduced system"
            : "there they are continued from the stages");
    dd_vec_push(sim->pool, &sim->messages, message);
}

static dd_status make_by_tableau(dd_sim *sim, const char *name, const dd_integ_options *o)
{
    dd_context *ctx = sim->ctx;
    dd_tableau_free(sim->tableau);
    sim->tableau = NULL;
    dd_status st = read_tableau(sim, name, &sim->tableau);
    if (st != DD_OK || !sim->tableau) {
        return st;
    }
    /* without an estimate there is no step size to find */
    if (sim->tableau->embedded_order == 0 && sim->options.step <= 0) {
        return dd_fail(ctx, DD_INVALID_ARGUMENT, "%s has no error estimate: give a step size (%s H)",
                       sim->tableau->name, dd_option_word(ctx, "--step"));
    }
    find_open_end(sim, o);
    st = sim->tableau->structure == DD_TABLEAU_EXPLICIT
             ? dd_explicit_new(&sim->integrator, ctx, problem_of(sim), sim->tableau, o)
             : dd_irk_new(&sim->integrator, ctx, problem_of(sim), sim->tableau, o);
    if (sim->tableau->structure == DD_TABLEAU_EXPLICIT && !sim->unstable && !sim->dummy) {
        sim->unstable = dd_unstable_new(sim);
    }
    return st == DD_OK ? dd_sim_make_inner(sim, problem_of(sim), o, false) : st;
}

/* ---- methods by entries ---- */

/* stages: 0 for any of the three orders */
static dd_status make_radau(dd_sim *sim, dd_integ_options *o, uint32_t stages)
{
    o->least_stages = o->most_stages = stages;
    dd_status st = dd_radau_new(&sim->integrator, sim->ctx, problem_of(sim), o);
    return st == DD_OK ? dd_sim_make_inner(sim, problem_of(sim), o, true) : st;
}

static dd_status make_bdf(dd_sim *sim, dd_integ_options *o, uint32_t number)
{
    (void)number;
    return dd_bdf_new(&sim->integrator, sim->ctx, problem_of(sim), o);
}

static dd_status make_bdf_fixed(dd_sim *sim, dd_integ_options *o, uint32_t steps)
{
    return dd_bdf_fixed_new(&sim->integrator, sim->ctx, problem_of(sim), steps, o);
}

static dd_status make_chebyshev(dd_sim *sim, dd_integ_options *o, uint32_t points)
{
    return dd_chebyshev_new(&sim->integrator, sim->ctx, &sim->numbers->problem, points, o);
}

/* Every method that is not a tableau. Steps of one's own exclude the option step; the other word is what to use with
 * it. */
static const dd_sim_method entries[] = {
    {.name = "radau", .own_steps = true, .with_step = "radau-3 (fixed steps of order 5)", .make = make_radau},
    {.name = "radau5",
     .argument = 3,
     .own_steps = true,
     .with_step = "radau-3 (fixed steps of order 5)",
     .make = make_radau},
    {.name = "radau9",
     .argument = 5,
     .own_steps = true,
     .with_step = "radau-3 (fixed steps of order 5)",
     .make = make_radau},
    {.name = "radau13",
     .argument = 7,
     .own_steps = true,
     .with_step = "radau-3 (fixed steps of order 5)",
     .make = make_radau},
    {.name = "bdf", .own_steps = true, .with_step = "bdf-1 to bdf-6", .starts_low = true, .make = make_bdf},
    {.name = "bdf", .least = 1, .most = 6, .given_steps = true, .starts_low = true, .make = make_bdf_fixed},
    {.name = "chebyshev", .make = make_chebyshev},
    {.name = "chebyshev", .least = 1, .most = 1000, .also_tableau = true, .make = make_chebyshev},
};

/* The number behind "family-"; 0 when there is none, UINT32_MAX when the rest is not a number. */
static uint32_t number_behind(const char *rest)
{
    uint32_t number = 0;
    if (*rest == '\0') {
        return 0;
    }
    if (*rest++ != '-' || *rest == '\0') {
        return UINT32_MAX;
    }
    for (; *rest >= '0' && *rest <= '9' && number < 100000; rest++) {
        number = 10 * number + (uint32_t)(*rest - '0');
    }
    return *rest == '\0' && number > 0 ? number : UINT32_MAX;
}

const dd_sim_method *dd_sim_method_named(const char *name, uint32_t *argument)
{
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        const dd_sim_method *e = &entries[i];
        const size_t length = strlen(e->name);
        /* behind the name nothing may follow, or a hyphen and a number */
        if (strncmp(name, e->name, length) != 0) {
            continue;
        }
        const uint32_t number = number_behind(name + length);
        if (e->most == 0 ? number == 0 : number >= e->least && number <= e->most) {
            *argument = e->most == 0 ? e->argument : number;
            return e;
        }
    }
    return NULL;
}

const char *dd_sim_method_listed(uint32_t i)
{
    return i < sizeof entries / sizeof *entries ? entries[i].name : NULL;
}

dd_status dd_sim_use_method(dd_sim *sim, const char *name)
{
    dd_integ_free(sim->integrator);
    dd_integ_free(sim->inner);
    sim->integrator = sim->inner = NULL;
    dd_integ_options o = integrator_options(sim);
    uint32_t argument = 0;
    const dd_sim_method *e = sim->options.tableau_file ? NULL : dd_sim_method_named(name, &argument);
    if (!e) {
        return make_by_tableau(sim, name, &o);
    }
    /* a method that chooses its steps, and one that cannot, refuse the wrong option */
    if (e->own_steps && o.fixed_step > 0) {
        return dd_fail(sim->ctx, DD_INVALID_ARGUMENT, "%s chooses its own steps; with %s use %s", name,
                       dd_option_word(sim->ctx, "--step"), e->with_step);
    }
    if (e->given_steps && !(o.fixed_step > 0)) {
        return dd_fail(sim->ctx, DD_INVALID_ARGUMENT, "%s needs a step size (%s H)", name,
                       dd_option_word(sim->ctx, "--step"));
    }
    return e->make(sim, &o, argument);
}

dd_status dd_sim_make_integrator(dd_sim *sim)
{
    const char *name = sim->options.method;
    sim->switched = false;
    sim->automatic = !sim->options.tableau_file && (!name || strcmp(name, "auto") == 0);
    sim->restart_step = 0;
    /* dummies first: they determine the problem that the integrator sees */
    if (sim->dummy) {
        dd_status st = dd_sim_choose_dummies(sim, sim->t0, sim->w0);
        if (st != DD_OK) {
            return st;
        }
    }
    return dd_sim_use_method(sim, sim->automatic ? choose(sim) : name);
}
