/* valid.c - what is computed from the solution but does not act on it: variables that become infinite or no numbers
 * (sqrt of a negative number there stops no integrator), and assertions. Looked at after every step, assertions also
 * in between; the moment is closed in by bisection on the dense output. */
#include <math.h>

#include "sim/sim_impl.h"

enum { PROBES = 8 };

bool dd_sim_assertion_fails(dd_sim *sim, uint32_t i, double t)
{
    const dd_model *m = sim->system->model;
    const dd_assertion *a = &m->assertions.data[i];
    /* outputs of assertions are 1 where they hold */
    if (sim->values[sim->system->declared + i] != 0) {
        return false;
    }
    if (a->is_warning && !sim->warned[i]) {
        sim->warned[i] = true;
        /* a warning once per assertion, with the place in the model */
        dd_vec_push(
            sim->pool, &sim->messages,
            dd_pool_printf(sim->pool, "by time %.6g: %s (%s)", t, a->message, dd_model_place(m, a->span, sim->pool)));
    }
    return !a->is_warning;
}

/* A column without a finite value at the point in sim->w, declared + assertions for a row, DD_NO_INDEX. */
static uint32_t not_finite(dd_sim *sim, double t)
{
    const uint32_t declared = sim->system->declared;
    dd_numbers_outputs(sim->numbers, t, sim->w, sim->wdot, sim->values);
    for (uint32_t j = 0; j < declared; j++) {
        if (!isfinite(sim->values[j])) {
            return j;
        }
    }
    const bool hold = dd_numbers_rows_hold(sim->numbers, t, sim->w, sim->wdot);
    return hold ? DD_NO_INDEX : declared + sim->system->model->assertions.len;
}

/* What is wrong at t: a column, declared + an assertion, declared + assertions for a row, or DD_NO_INDEX. */
static uint32_t wrong_at(dd_sim *sim, double t, bool strictly)
{
    const uint32_t declared = sim->system->declared;
    dd_integ_interpolate(sim->integrator, t, sim->w, sim->wdot);
    uint32_t wrong = not_finite(sim, t);
    /* the polynomial may be wrong by the tolerance: look again at the accurate point */
    if (wrong != DD_NO_INDEX && sim->numbers->checked) { /* by an error of the polynomial? */
        dd_sim_state(sim, t);
        wrong = not_finite(sim, t);
    }
    if (wrong != DD_NO_INDEX && sim->numbers->checked && !strictly) {
        /* the base of a root may be short of zero by the tolerance */
        dd_sim_set_margins(sim, t, sim->w, sim->wdot);
        wrong = not_finite(sim, t);
    }
    if (wrong != DD_NO_INDEX) {
        return wrong;
    }
    for (uint32_t i = 0; i < sim->system->model->assertions.len; i++) {
        if (dd_sim_assertion_fails(sim, i, t)) {
            return declared + i;
        }
    }
    return DD_NO_INDEX;
}

uint32_t dd_sim_wrong_value(dd_sim *sim, double t, double *last_good, double *first_bad)
{
    const uint32_t assertions = sim->system->model->assertions.len;
    if (sim->numbers->equations->assigned.len + assertions == 0 && !sim->numbers->checked) {
        return DD_NO_INDEX; /* the integrator saw all there is */
    }
    /* assertions are probed within the step, values at its end */
    const double begin = sim->integrator->t_old, part = (t - begin) / PROBES;
    double good = begin, bad = t;
    uint32_t wrong = DD_NO_INDEX;
    for (uint32_t p = assertions > 0 ? 1 : PROBES; p <= PROBES && wrong == DD_NO_INDEX; p++) {
        bad = p == PROBES ? t : begin + p * part;
        wrong = wrong_at(sim, bad, false);
        good = wrong == DD_NO_INDEX ? bad : good;
    }
    if (wrong != DD_NO_INDEX && sim->numbers->checked) {
        dd_sim_no_margins(sim); /* the moment is that of zero */
    }
    /* bisection down to rounding */
    for (double middle; wrong != DD_NO_INDEX && (middle = good + 0.5 * (bad - good)) > good && middle < bad;) {
        const uint32_t there = wrong_at(sim, middle, true);
        if (there == DD_NO_INDEX) {
            good = middle;
        } else {
            wrong = there;
            bad = middle;
        }
    }
    *last_good = good;
    *first_bad = bad;
    return wrong;
}
