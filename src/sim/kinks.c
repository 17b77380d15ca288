/* kinks.c - conditions in variables that nothing else depends on (y = if x > 0 then 1 else 2): the solver need not
 * stop for them, but a trajectory has both sides of the jump, at its moment. */
#include "sim/sim_impl.h"

enum { MOST_IN_A_STEP = 100 }; /* a condition that hovers at its bound stops being looked at */

void dd_sim_first_kinks(dd_sim *sim, double t, const double *w, const double *wdot)
{
    const dd_numbers *q = sim->numbers;
    dd_numbers_kinks(sim->numbers, t, w, wdot, sim->kink_probe);
    for (uint32_t k = 0; k < q->kinks.len; k++) {
        sim->kink_mode[k] = dd_switch_mode(&q->kinks.data[k], sim->kink_probe[k]);
    }
}

/* Relations on g and -g turn together: sign(a) has 0 < a and a < 0. */
static void turn_twins(dd_sim *sim, uint32_t which)
{
    const dd_switch *list = sim->numbers->kinks.data;
    const double mode = sim->kink_mode[which];
    for (uint32_t k = 0; k < sim->numbers->kinks.len && list[which].kind == DD_SWITCH_RELATION; k++) {
        if (list[k].kind == DD_SWITCH_RELATION && list[k].twin == list[which].twin) {
            sim->kink_mode[k] = list[k].twin_sign == list[which].twin_sign ? mode : 1.0 - mode;
        }
    }
}

/* The values behind the change at t; which: the one that was found, whose g is near its bound. */
static void change_modes(dd_sim *sim, double t, uint32_t which)
{
    const dd_numbers *q = sim->numbers;
    dd_integ_interpolate(sim->integrator, t, sim->w, sim->wdot);
    dd_numbers_kinks(sim->numbers, t, sim->w, sim->wdot, sim->kink_probe);
    for (uint32_t k = 0; k < q->kinks.len; k++) {
        const dd_switch *s = &q->kinks.data[k];
        const double g = sim->kink_probe[k], mode = sim->kink_mode[k];
        if (k != which) {
            sim->kink_mode[k] = dd_switch_distance(s, mode, g) < 0 ? dd_switch_mode(s, g) : mode;
        } else if (s->kind == DD_SWITCH_FLOOR) {
            sim->kink_mode[k] = g - mode > 0.5 ? mode + 1 : mode - 1;
        } else {
            sim->kink_mode[k] = mode > 0 ? 0.0 : 1.0;
        }
    }
    turn_twins(sim, which);
}

/* One side of a change at t, which is the point in sim->w; a row of its own where the language has an event. */
static bool add_side(dd_sim *sim, double t, bool event)
{
    dd_sim_point(sim, t);
    dd_numbers_sides(sim->numbers, t, sim->w, sim->wdot, sim->kink_mode, sim->values);
    return !event || !sim->options.keep_rows || dd_sim_row_spacing(sim) > 0 ||
           dd_sim_keep_row(sim, t, sim->w, sim->wdot);
}

static void values(void *user, double t, const double *w, const double *wdot, double *g)
{
    dd_sim *sim = user;
    dd_numbers_kinks(sim->numbers, t, w, wdot, g);
}

bool dd_sim_add_kinks(dd_sim *sim, double until, double *stopped)
{
    dd_numbers *q = sim->numbers;
    dd_crossings c = dd_sim_crossings(sim, &q->kinks, sim->kink_mode, values, sim->kink_seen, sim->kink_probe);
    double from = sim->integrator->t_old, at;
    uint32_t which;
    for (int count = 0; count < MOST_IN_A_STEP && dd_crossings_first(&c, from, until, &at, &which); count++) {
        const bool event = !q->kinks.data[which].quiet;
        if (!add_side(sim, at, event)) {
            return false;
        }
        dd_sim_before_kink(sim);
        change_modes(sim, at, which);
        if (event) {
            dd_sim_note_event(sim, at);
        }
        if (!add_side(sim, at, event)) {
            return false;
        }
        if (!dd_sim_behind_kink(sim, at, which)) {
            *stopped = at;
            return false;
        }
        from = at;
    }
    return true;
}
