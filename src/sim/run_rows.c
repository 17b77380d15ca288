/* run_rows.c - rows of the trajectory: those of a grid, or the ends of steps; ended early enough to be written. */
#include <math.h>
#include <time.h>

#include "base/context.h"
#include "sim/run_impl.h"
#include "sim/sensitivity.h"

bool dd_sim_add_row(dd_sim *sim, double t, const double *w, const double *wdot)
{
    dd_sim_values(sim, t, w, wdot);
    return !sim->options.keep_rows || dd_sim_keep_row(sim, t, w, wdot);
}

bool dd_sim_keep_row(dd_sim *sim, double t, const double *w, const double *wdot)
{
    dd_step_verdict v;
    if (!dd_sim_sens_look(sim, t, w, wdot, true, &v)) {
        dd_run_sensitivities_failed(sim, t, v);
        return false;
    }
    return dd_table_add(&sim->rows, sim->ctx, t, sim->values) == DD_OK || dd_run_memory_ran_out(sim, t);
}

double dd_sim_row_spacing(const dd_sim *sim)
{
    return sim->options.points > 0 ? (sim->t_stop - sim->t0) / sim->options.points : sim->options.interval;
}

/* Seconds that go by while this program computes for one: on a busy machine it waits for others. */
static double waiting(const dd_sim *sim)
{
    const double computed = (double)(clock() - sim->began_clock) / CLOCKS_PER_SEC;
    const double passed = dd_clock_seconds() - sim->began;
    return computed > 0 && passed > computed ? passed / computed : 1.0;
}

/* Rows may be many, or long: they end early enough for those that are there to be written before the time limit. */
static bool no_time_for_rows(dd_sim *sim)
{
    enum { EVERY = 256, NUMBERS = 1 << 16 }; /* rows, or that many numbers, between two looks at the clock */
    const double room = (double)NUMBERS / sim->rows.width;
    const uint64_t count = sim->rows.count, every = room >= EVERY ? EVERY : room > 1 ? (uint64_t)room : 1;
    if (count % every != 0) {
        return false;
    }
    const uint64_t looks = count / every;
    /* the cost of writing a number is measured, since rows that cannot be written are worthless */
    if (looks > 0 && (looks & (looks - 1)) == 0 && dd_seconds_left(sim->ctx) < INFINITY) {
        sim->write_number = dd_csv_number_seconds() * waiting(sim); /* now and then: the machine may be busy */
    }
    const double width = sim->rows.width + (sim->sens ? sim->sens->rows.width : 0);
    if ((double)count * width * sim->write_number < dd_seconds_left(sim->ctx)) {
        return dd_run_interrupted(sim);
    }
    dd_run_stop(sim, DD_SIM_TIME_LIMIT, "the time limit leaves no time for more than %llu rows, at time %.10g",
                (unsigned long long)count, sim->integrator->t);
    return true;
}

/* Rows of the last step up to `until`: those of the grid, or its end. False: the status says why. */
bool dd_run_add_rows(dd_sim *sim, double until)
{
    /* curves for pictures are denser than rows, and kept apart */
    if (sim->options.keep_curves && dd_sim_add_curves(sim, until) != DD_OK) {
        return dd_run_memory_ran_out(sim, until);
    }
    double spacing = dd_sim_row_spacing(sim);
    /* without a grid every step is a row, at its end or at the event */
    if (spacing <= 0) {
        const dd_integrator *it = sim->integrator;
        if (sim->options.write_rows && no_time_for_rows(sim)) {
            return false;
        }
        if (until == it->t) {
            return dd_sim_add_row(sim, until, it->w, it->wdot);
        }
        dd_sim_point(sim, until);
        return dd_sim_add_row(sim, until, sim->w, sim->wdot);
    }
    /* a grid: rows by dense output, the last one exactly at the stop time */
    for (;;) {
        double t = sim->t0 + sim->next_row * spacing;
        if (fabs(t - sim->t_stop) < 1e-9 * spacing) {
            t = sim->t_stop;
        }
        if (t > until) {
            return true;
        }
        if (no_time_for_rows(sim)) {
            return false;
        }
        dd_sim_point(sim, t);
        if (!dd_sim_add_row(sim, t, sim->w, sim->wdot)) {
            return false;
        }
        sim->next_row += 1;
    }
}

/* A grid says how many rows there will be. More than memory may hold are refused before the first. */
void dd_run_expect_rows(dd_sim *sim)
{
    const double spacing = dd_sim_row_spacing(sim), most = 1e15;
    if (!sim->options.keep_rows || spacing <= 0) {
        return;
    }
    /* one more for the first row, one for rounding */
    const double rows = fmin(ceil((sim->t_stop - sim->t0) / spacing) + 2, most);
    const double width = sim->rows.width + (sim->sens ? sim->sens->rows.width : 0);
    sim->rows.expected = (uint64_t)rows;
    if (sim->sens) {
        sim->sens->rows.expected = sim->rows.expected;
    }
    /* refused before the first row, rather than after hours */
    const double bytes = rows * width * sizeof(double), room = dd_memory_left(sim->ctx);
    if (bytes > room + (double)sim->rows.capacity * sim->rows.width * sizeof(double)) {
        dd_raise(sim->ctx, DD_OUT_OF_MEMORY,
                 "%.0f rows of %.0f numbers need %.3g MB, and the memory limit leaves %.3g MB", rows, width,
                 1e-6 * bytes, 1e-6 * room);
    }
}
