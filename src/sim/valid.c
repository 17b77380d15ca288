/* valid.c - what is computed from the solution but does not act on it: variables that become infinite or no numbers (sqrt of
 * a negative number there stops no integrator), and assertions. Looked at after every step, assertions also in between;
 * the moment is closed in by bisection on the dense output. */
#include <math.h>

#include "sim/sim_impl.h"

enum { PROBES = 8 };

bool dd_sim_assertion_fails(dd_sim *sim, uint32_t i, double t)
{
    const dd_model *m = sim->system->model;
    const dd_assertion *a = &m->assertions.data[i];
    if (sim->values[sim->system->declared + i] != 0) {
        return false;
    }
    if (a->is_warning && !sim->warned[i]) {
        sim->warned[i] = true;
        dd_vec_push(
            sim->pool, &sim->messages,
            dd_pool_printf(sim->pool, "by time %.6g: %s (%s)", t, a->message, dd_model_place(m, a->span, sim->pool)));
    }
    return !a->is_warning;
}

/* What is wrong at t: a column, declared + an assertion, or DD_NO_INDEX. */
static uint32_t wrong_at(dd_sim *sim, double t)
{
    const uint32_t declared = sim->system->declared;
    dd_integ_interpolate(sim->integrator, t, sim->w, sim->wdot);
    dd_numbers_outputs(sim->numbers, t, sim->w, sim->wdot, sim->values);
    for (uint32_t j = 0; j < declared; j++) {
        if (!isfinite(sim->values[j])) {
            return j;
        }
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
    if (sim->numbers->equations->assigned.len + assertions == 0) {
        return DD_NO_INDEX; /* the integrator saw all there is */
    }
    const double begin = sim->integrator->t_old, part = (t - begin) / PROBES;
    double good = begin, bad = t;
    uint32_t wrong = DD_NO_INDEX;
    for (uint32_t p = assertions > 0 ? 1 : PROBES; p <= PROBES && wrong == DD_NO_INDEX; p++) {
        bad = p == PROBES ? t : begin + p * part;
        wrong = wrong_at(sim, bad);
        good = wrong == DD_NO_INDEX ? bad : good;
    }
    for (double middle; wrong != DD_NO_INDEX && (middle = good + 0.5 * (bad - good)) > good && middle < bad;) {
        const uint32_t there = wrong_at(sim, middle);
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
