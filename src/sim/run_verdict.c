/* run_verdict.c - why a run ends, in the user's words: what failed, when, which variable, and what can be done. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/context.h"
#include "sim/run_impl.h"
#include "sim/sensitivity.h"

void dd_run_stop(dd_sim *sim, dd_sim_status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    dd_format(sim->reason, sizeof sim->reason, format, args);
    va_end(args);
    sim->info.status = status;
    sim->info.reason = sim->reason;
}

void dd_sim_end(dd_sim *sim, dd_sim_status status, const char *reason)
{
    dd_run_stop(sim, status, "%s", reason);
}

/* Was the run asked to stop, by a signal or by its time limit? Then the status says so. */
bool dd_run_interrupted(dd_sim *sim)
{
    dd_status st = dd_poll_stop_now(sim->ctx);
    if (st == DD_OK) {
        return false;
    }
    /* kernels foresee that a factorisation would not end in time, and stop before it */
    dd_run_stop(sim, st == DD_INTERRUPTED ? DD_SIM_INTERRUPTED : DD_SIM_TIME_LIMIT, "%s at time %.10g",
                st == DD_INTERRUPTED         ? "interrupted"
                : dd_stop_foreseen(sim->ctx) ? "the time limit leaves no time for the next factorisation"
                                             : "the time limit was reached",
                sim->integrator->t);
    return true;
}

void dd_run_name_unknown(const dd_sim *sim, uint32_t j, char *out, size_t size)
{
    const dd_numbers *q = sim->numbers;
    if (j == DD_NO_INDEX || j >= q->n) {
        snprintf(out, size, "the solution");
        return;
    }
    dd_dag *dag = q->system->model->dag;
    const char *name = dd_model_var_name_dup(q->system->model, dd_symbol_id(dag, q->w.data[j]), sim->pool);
    snprintf(out, size, "%s", name);
}

/* The unknown that changes fastest, for its size. */
static uint32_t fastest(const dd_sim *sim)
{
    const dd_integrator *it = sim->integrator;
    uint32_t found = DD_NO_INDEX;
    double most = 0;
    /* relative to the value or its nominal: the likely culprit where no step is short enough */
    for (uint32_t j = 0; j < sim->numbers->n; j++) {
        const double rate = fabs(it->wdot[j]) / fmax(fabs(it->w[j]), sim->numbers->problem.nominal[j]);
        if (sim->numbers->problem.differential[j] && rate > most) {
            found = j;
            most = rate;
        }
    }
    return found;
}

/* The unknown that is larger than any solution would be, DD_NO_INDEX: none. */
static uint32_t grown(const dd_sim *sim)
{
    const double beyond = 1e30; /* times nominal: numbers that end in overflow, not sizes of things */
    uint32_t found = DD_NO_INDEX;
    double most = beyond;
    for (uint32_t j = 0; j < sim->numbers->n; j++) {
        const double size = fabs(sim->integrator->w[j]) / sim->numbers->problem.nominal[j];
        if (size > most) {
            found = j;
            most = size;
        }
    }
    return found;
}

/* The unknown that x' would move furthest in a given step, if that is further than it is large; DD_NO_INDEX: none. */
static uint32_t thrown(const dd_sim *sim)
{
    const dd_integrator *it = sim->integrator;
    uint32_t found = DD_NO_INDEX;
    double most = 1;
    for (uint32_t j = 0; j < sim->numbers->n; j++) {
        const double size = fmax(fabs(it->w[j]), sim->numbers->problem.nominal[j]);
        const double part = sim->numbers->problem.differential[j] ? sim->options.step * fabs(it->wdot[j]) / size : 0.0;
        if (part > most) {
            found = j;
            most = part;
        }
    }
    return found;
}

static void not_finite(dd_sim *sim, const char *name)
{
    const dd_integrator *it = sim->integrator;
    const uint32_t large = grown(sim), far = large == DD_NO_INDEX ? thrown(sim) : DD_NO_INDEX;
    if (far != DD_NO_INDEX) {
        char moved[200];
        dd_run_name_unknown(sim, far, moved, sizeof moved);
        dd_run_stop(sim, DD_SIM_NONFINITE,
                    "at time %.10g a step of %g leads to where the equations cannot be evaluated (not a number or "
                    "infinite; %s is affected first): it is too long, the slope alone would change %s from %.4g by "
                    "%.4g; take shorter ones (%s), or a method that chooses them",
                    it->t, sim->options.step, name, moved, it->w[far], sim->options.step * it->wdot[far],
                    dd_option_word(sim->ctx, "--step"));
        return;
    }
    /* without a huge value it is a formula that has no value there */
    if (large == DD_NO_INDEX) {
        dd_run_stop(
            sim, DD_SIM_NONFINITE,
            "at time %.10g the equations cannot be evaluated any further (not a number or infinite; %s is affected "
            "first): look for sqrt or log of a negative number, or a division by zero",
            it->t, name);
        return;
    }
    char which[200];
    dd_run_name_unknown(sim, large, which, sizeof which);
    dd_run_stop(sim, DD_SIM_NONFINITE,
                sim->options.step > 0
                    ? "at time %.10g the solution has grown beyond all bounds (%s = %.1e): the method is unstable with "
                      "steps of this size; take shorter ones (%s), or a method that chooses them"
                    : "at time %.10g the solution has grown beyond all bounds (%s = %.1e): it grows without bound",
                it->t, which, it->w[large], dd_option_word(sim->ctx, "--step"));
}

void dd_run_tell_left(dd_sim *sim, double off)
{
    dd_run_stop(
        sim, DD_SIM_NONFINITE,
        sim->options.step > 0
            ? "at time %.10g the solution has left its constraints (by %.1e times the size of its variables): the "
              "method is unstable with steps of this size; take shorter ones (%s), or a method that chooses them"
            : "at time %.10g the solution has left its constraints (by %.1e times the size of its variables): "
              "the drift grows without bound; let steps end on them (%s projection, default)",
        sim->integrator->t, off,
        sim->options.step > 0 ? dd_option_word(sim->ctx, "--step") : dd_option_word(sim->ctx, "--stabilize"));
}

/* Drift is what a run without projection shows, and part of the answer. But a point that is off its constraints by many
 * times the size of its variables is no motion with some error: an unstable method goes on like that until it overflows,
 * or ends before. */
bool dd_run_left_constraints(dd_sim *sim, double off)
{
    const double many = 100,
                 part = 1e-3; /* nominals; and of the largest state, which may have grown for good reasons */
    const dd_integrator *it = sim->integrator;
    const dd_problem *p = &sim->numbers->problem;
    double largest = 0;
    for (uint32_t j = 0; j < p->n && off > many; j++) {
        largest = p->differential[j] ? fmax(largest, fabs(it->w[j]) / p->nominal[j]) : largest;
    }
    if (!(off > many && off > part * largest)) {
        return false;
    }
    dd_run_tell_left(sim, off);
    return true;
}

/* Formulas over several steps of different lengths leave errors in z that index 3 divides by h^2: shorter steps make
 * them larger. */
static bool lengths_matter(const dd_sim *sim)
{
    return sim->numbers->equations->form != DD_EQUATIONS_REDUCED && sim->system->index > 2 && sim->options.step <= 0 &&
           strcmp(sim->integrator->name, "bdf") == 0;
}

static void blame_lengths(dd_sim *sim, dd_sim_status status, const char *what, const char *name)
{
    dd_run_stop(
        sim, status,
        "at time %.10g %s: bdf changes the length of its steps, which makes %s inaccurate in equations of index "
        "%d; take radau, bdf-M with steps of one length (%s), or the reduced form (default)",
        sim->integrator->t, what, name, sim->system->index, dd_option_word(sim->ctx, "--step"));
}

/* Steps with error control have become as short as they can be. */
static void no_step_is_short_enough(dd_sim *sim, const char *name)
{
    const double part = 1e-6; /* of the run: shorter steps are seldom needed but at a singular point */
    const double t = sim->integrator->t, apart = nextafter(fabs(t), INFINITY) - fabs(t);
    if (10 * apart > part * (sim->t_stop - sim->t0)) {
        dd_run_stop(sim, DD_SIM_STEP_TOO_SMALL,
                    "at time %.17g no step is short enough for the tolerance: numbers of this size are %.2g apart, too "
                    "far for a run of length %.6g; let it begin nearer to time 0",
                    t, apart, sim->t_stop - sim->t0);
        return;
    }
    const bool written = sim->numbers->equations->form == DD_EQUATIONS_ORIGINAL && sim->system->index > 2;
    const char *also = written ? dd_pool_printf(sim->pool,
                                                ", or the tolerance is below the rounding errors of short steps, which "
                                                "equations of index %d as written multiply; the reduced form (default) "
                                                "does not",
                                                sim->system->index)
                               : "";
    dd_run_stop(sim, DD_SIM_STEP_TOO_SMALL,
                "at time %.10g no step is short enough for the tolerance: %s may grow without bound there or jump%s", t,
                name, also);
}

void dd_run_step_failed(dd_sim *sim, dd_step_verdict v)
{
    const dd_integrator *it = sim->integrator;
    char name[200];
    /* the integrator names the unknown that moved most, where it knows one */
    dd_run_name_unknown(sim, it->worst == DD_NO_INDEX && v == DD_STEP_STEP_TOO_SMALL ? fastest(sim) : it->worst, name,
                        sizeof name);
    switch (v) {
    case DD_STEP_NONFINITE:
        not_finite(sim, name);
        break;
    case DD_STEP_SINGULAR:
        if (dd_sim_method_leaves_open(sim)) {
            dd_run_stop(sim, DD_SIM_SINGULAR,
                        "%s cannot integrate these equations of index %d: its last stage enters no other one, so that "
                        "they do not determine %s; take radau-S, lobatto-S or gauss-S, or the reduced form (default)",
                        it->name, sim->system->index, name);
            break;
        }
        if (lengths_matter(sim)) { /* shorter and shorter steps have made its matrix singular */
            blame_lengths(sim, DD_SIM_NEWTON_FAILED, "a step of bdf could not be solved", name);
            break;
        }
        dd_run_stop(sim, DD_SIM_SINGULAR,
                    "at time %.10g the equations lose rank: they no longer determine %s and what depends on it", it->t,
                    name);
        break;
    case DD_STEP_NEWTON_FAILED:
        if (lengths_matter(sim)) {
            blame_lengths(sim, DD_SIM_NEWTON_FAILED, "a step of bdf could not be solved", name);
            break;
        }
        if (sim->options.step > 0) {
            dd_run_stop(
                sim, DD_SIM_NEWTON_FAILED,
                "at time %.10g the nonlinear equations of a step of %.6g could not be solved; %s moved most; take "
                "a smaller %s%s",
                it->t, sim->options.step, name, dd_option_word(sim->ctx, "--step"),
                dd_sim_method_is_explicit(sim) ? ", or an implicit method: explicit ones are unstable in long steps"
                                               : "");
            break;
        }
        dd_run_stop(sim, DD_SIM_NEWTON_FAILED,
                    "at time %.10g the nonlinear equations of a step could not be solved, however short; %s moved most",
                    it->t, name);
        break;
    case DD_STEP_PROJECTION_FAILED:
        dd_run_stop(sim, DD_SIM_NEWTON_FAILED,
                    "at time %.10g the solution could not be projected onto its constraints: they may become dependent "
                    "there (check at that point), or the tolerance is too loose",
                    it->t);
        break;
    case DD_STEP_OUT_OF_MEMORY:
        dd_run_stop(sim, DD_SIM_OUT_OF_MEMORY, "memory ran out at time %.10g", it->t);
        break;
    default:
        if (lengths_matter(sim)) {
            blame_lengths(sim, DD_SIM_STEP_TOO_SMALL, "no step of bdf is short enough for the tolerance", name);
            break;
        }
        no_step_is_short_enough(sim, name);
        break;
    }
}

/* The solution is there, its derivatives by parameters are not. */
void dd_run_sensitivities_failed(dd_sim *sim, double t, dd_step_verdict v)
{
    sim->sens->lost = true;
    if (v == DD_STEP_OUT_OF_MEMORY && dd_run_interrupted(sim)) { /* kernels that stop say that they cannot go on */
        return;
    }
    switch (v) {
    case DD_STEP_OUT_OF_MEMORY:
        dd_run_stop(sim, DD_SIM_OUT_OF_MEMORY, "memory ran out at time %.10g", t);
        break;
    case DD_STEP_SINGULAR:
        dd_run_stop(sim, DD_SIM_SINGULAR, "at time %.10g the linear equations of the sensitivities are singular", t);
        break;
    default:
        dd_run_stop(sim, DD_SIM_NONFINITE,
                    "at time %.10g a sensitivity is not a number or infinite: a derivative of the equations does not "
                    "exist there, or a condition changes without crossing its bound",
                    t);
        break;
    }
}

/* Returns false. */
bool dd_run_memory_ran_out(dd_sim *sim, double t)
{
    dd_run_stop(sim, DD_SIM_OUT_OF_MEMORY, "memory ran out at time %.10g", t);
    return false;
}

void dd_run_assertion_failed(dd_sim *sim, uint32_t i, double t)
{
    const dd_model *m = sim->system->model;
    dd_run_stop(sim, DD_SIM_ASSERTION_FAILED, "at time %.10g: %s (%s)", t, m->assertions.data[i].message,
                dd_model_place(m, m->assertions.data[i].span, sim->pool));
}

void dd_run_value_failed(dd_sim *sim, uint32_t wrong, double last_good, double first_bad)
{
    dd_integrator *it = sim->integrator;
    /* rows up to the last good point, then the reason */
    if (last_good > it->t_old && !dd_run_add_rows(sim, last_good)) {
        return;
    }
    const uint32_t assertions = sim->system->model->assertions.len;
    /* a row of the equations, an assertion, or a variable */
    if (wrong == sim->system->declared + assertions) {
        dd_run_stop(
            sim, DD_SIM_NONFINITE,
            "at time %.10g the equations cannot be evaluated any further (not a number or infinite): look for sqrt "
            "or another power of a negative number",
            first_bad);
    } else if (wrong >= sim->system->declared) {
        dd_run_assertion_failed(sim, wrong - sim->system->declared, first_bad);
    } else {
        dd_run_stop(
            sim, DD_SIM_NONFINITE,
            "from time %.10g on %s is not a number or infinite: look for sqrt or log of a negative number, or a "
            "division by zero",
            first_bad, dd_system_column_name(sim->system, wrong, sim->pool));
    }
    dd_run_go_back(sim, last_good);
}
