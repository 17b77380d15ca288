/* sensitivity.c - sensitivities of a run: start, steps, rows, and what an event does to them.
 *
 * At an event g(w', w, t, p) = 0 the moment depends on p: with S at fixed time,
 *
 *     dt/dp = -(g_w S + g_w' S' + g_p) / (dg/dt along the solution),   S(+) = S(-) + (x'(-) - x'(+)) dt/dp
 *
 * for x, which goes on; z and x' behind it follow from the equations of the new branch. */
#include "sim/sensitivity.h"

#include <math.h>
#include <string.h>

#include "base/context.h"

/* ---- creation ---- */

void dd_sim_sens_allocate(dd_sim *sim)
{
    dd_sim_sens *q = sim->sens;
    if (!q) {
        return;
    }
    const size_t n = sim->numbers->n, block = n * q->count, declared = sim->system->declared;
    double **const arrays[] = {&q->s0, &q->sdot0, &q->s, &q->sdot};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        *arrays[i] = dd_pool_alloc_array(sim->pool, block + 1, sizeof(double));
    }
    q->values = dd_pool_alloc_array(sim->pool, declared * q->count + 1, sizeof(double));
    q->moment = dd_pool_alloc_array(sim->pool, q->count + 1, sizeof(double));
    q->slope = dd_pool_alloc_array(sim->pool, n + 1, sizeof(double));
    q->work = dd_pool_alloc_array(sim->pool, 4 * n + 1, sizeof(double));
    q->rows.width = (uint32_t)(declared * q->count + 1);
    q->solve = sim->numbers->equations->form == DD_EQUATIONS_REDUCED;
}

void dd_sim_sens_free(dd_sim *sim)
{
    dd_sim_sens *q = sim->sens;
    if (q) {
        dd_sens_free(q->engine);
        dd_mem_free(sim->ctx, q->rows.data, q->rows.capacity * q->rows.width * sizeof *q->rows.data);
        q->engine = NULL;
        q->rows = (dd_rows){0};
    }
}

/* ---- the start ---- */

bool dd_sim_sens_take_start(dd_sim *sim, const dd_start *start)
{
    dd_sim_sens *q = sim->sens;
    const dd_numbers *numbers = sim->numbers;
    const dd_system *s = sim->system;
    if (!q) {
        return true;
    }
    if (!start->derivative) {
        sim->info.status = DD_SIM_INIT_FAILED;
        sim->info.reason = dd_pool_printf(sim->pool, "there are no sensitivities: %s", start->no_derivative);
        return false;
    }
    for (uint32_t k = 0; k < q->count; k++) {
        const double *x = start->derivative + (size_t)k * s->ncols * start->stride;
        for (uint32_t j = 0; j < numbers->n; j++) {
            const uint32_t col = s->column[dd_symbol_id(s->model->dag, numbers->w.data[j])];
            const uint32_t order = dd_symbol_order(s->model->dag, numbers->w.data[j]);
            double factorial = 1;
            for (uint32_t m = 2; m <= order; m++) {
                factorial *= m;
            }
            const size_t at = (size_t)k * numbers->n + j;
            q->s0[at] = order < start->stride ? x[(size_t)col * start->stride + order] * factorial : 0.0;
            q->sdot0[at] = order == 0 && numbers->problem.differential[j] ? x[(size_t)col * start->stride + 1] : 0.0;
        }
        if (!start->acts[k]) {
            dd_vec_push(sim->pool, &sim->messages,
                        (const char *)dd_pool_printf(sim->pool,
                                                     "the start value of %s is a guess, not a condition: nothing "
                                                     "changes with it, and its sensitivities are 0",
                                                     q->name[k]));
        }
    }
    return true;
}

/* An engine for the integrator of the run, from S and S' in q->s and q->sdot. */
static bool begin(dd_sim *sim, dd_step_verdict *v)
{
    dd_sim_sens *q = sim->sens;
    dd_sens_free(q->engine);
    q->engine = NULL;
    *v = dd_sens_new(&q->engine, sim->ctx, sim->integrator) == DD_OK
             ? dd_sens_start(q->engine, sim->integrator, q->s, q->sdot, q->solve)
             : DD_STEP_OUT_OF_MEMORY;
    return *v == DD_STEP_OK;
}

bool dd_sim_sens_start(dd_sim *sim, dd_step_verdict *v)
{
    dd_sim_sens *q = sim->sens;
    if (!q) {
        return true;
    }
    const size_t block = (size_t)sim->numbers->n * q->count;
    memcpy(q->s, q->s0, block * sizeof *q->s);
    memcpy(q->sdot, q->sdot0, block * sizeof *q->sdot);
    q->rows.count = 0;
    q->lost = false;
    memset(q->moment, 0, q->count * sizeof *q->moment);
    return begin(sim, v);
}

void dd_sim_sens_pause(dd_sim *sim)
{
    dd_sim_sens *q = sim->sens;
    if (q) {
        const size_t block = (size_t)sim->numbers->n * q->count;
        memcpy(q->s, dd_sens_values(q->engine), block * sizeof *q->s);
        memcpy(q->sdot, dd_sens_slopes(q->engine), block * sizeof *q->sdot);
        dd_sens_free(q->engine);
        q->engine = NULL;
    }
}

bool dd_sim_sens_go_on(dd_sim *sim, dd_step_verdict *v)
{
    return !sim->sens || begin(sim, v);
}

bool dd_sim_sens_step(dd_sim *sim, dd_step_verdict *v)
{
    *v = sim->sens ? dd_sens_step(sim->sens->engine, sim->integrator) : DD_STEP_OK;
    return *v == DD_STEP_OK;
}

/* ---- values ---- */

/* S and S' at t; moved: of the point in sim->w, which dd_sim_point has moved onto the constraints. */
static dd_step_verdict look_at(dd_sim *sim, double t, bool moved)
{
    dd_sim_sens *q = sim->sens;
    dd_step_verdict v = dd_sens_interpolate(q->engine, sim->integrator, t, q->s, q->sdot);
    if (v == DD_STEP_OK && moved) {
        v = dd_sens_move(q->engine, t, sim->w, sim->shift, sim->numbers->problem.nominal, q->s);
    }
    return v;
}

bool dd_sim_sens_look(dd_sim *sim, double t, const double *w, const double *wdot, bool keep, dd_step_verdict *v)
{
    dd_sim_sens *q = sim->sens;
    if (!q) {
        return true;
    }
    *v = look_at(sim, t, w == sim->w && sim->shifted);
    if (*v == DD_STEP_OK) {
        dd_numbers_output_derivatives(sim->numbers, t, w, wdot, q->s, q->sdot, q->values);
    }
    if (*v == DD_STEP_OK && keep && dd_rows_add(sim->ctx, &q->rows, t, q->values) != DD_OK) {
        *v = DD_STEP_OUT_OF_MEMORY;
    }
    return *v == DD_STEP_OK;
}

void dd_sim_sens_go_back(dd_sim *sim, double t)
{
    dd_sim_sens *q = sim->sens;
    if (q && look_at(sim, t, sim->shifted) == DD_STEP_OK) {
        dd_sens_start(q->engine, sim->integrator, q->s, q->sdot, false);
    }
}

void dd_sim_sens_finish(dd_sim *sim, double t, const double *w, const double *wdot)
{
    dd_sim_sens *q = sim->sens;
    if (!q) {
        return;
    }
    bool good =
        q->engine && !q->lost && dd_sens_interpolate(q->engine, sim->integrator, t, q->s, q->sdot) == DD_STEP_OK;
    good = good && (!q->solve || dd_sens_solve(q->engine, t, w, wdot, q->s, q->sdot) == DD_STEP_OK);
    dd_numbers_output_derivatives(sim->numbers, t, w, wdot, q->s, q->sdot, q->values);
    for (uint32_t k = 0; !good && k < sim->system->declared * q->count; k++) {
        q->values[k] = NAN;
    }
}

/* ---- events ---- */

/* The condition on time alone that changes at t, DD_NO_INDEX when it is only an input that jumps. */
static uint32_t switch_of_moment(const dd_sim *sim, double t)
{
    const dd_numbers *q = sim->numbers;
    for (uint32_t k = 0; k < q->switches.len; k++) {
        const dd_switch *s = &q->switches.data[k];
        if (s->only_time && s->at <= t && (q->mode[k] > 0) != (s->rate > 0)) {
            return k;
        }
    }
    return DD_NO_INDEX;
}

/* dt/dp of the moment at which switch k changes, at the point in sim->w and sim->wdot. */
static dd_step_verdict find_moment(dd_sim *sim, double t, uint32_t k)
{
    dd_sim_sens *q = sim->sens;
    const double *second = NULL;
    if (sim->numbers->switches.data[k].implicit) {
        /* not so short that differences of the equations are rounding */
        const double part = fmax(1e-3 * (sim->integrator->t - sim->integrator->t_old), 1e-6 * (sim->t_stop - sim->t0));
        const dd_step_verdict v = dd_sens_rates(q->engine, t, sim->w, sim->wdot, part, q->work);
        if (v != DD_STEP_OK) {
            return v;
        }
        second = q->work;
    }
    const double rate =
        dd_numbers_switch_derivatives(sim->numbers, k, t, sim->w, sim->wdot, q->s, q->sdot, second, q->moment);
    for (uint32_t p = 0; p < q->count; p++) {
        q->moment[p] = q->moment[p] == 0 ? 0.0 : -q->moment[p] / rate;
        if (!isfinite(q->moment[p])) {
            return DD_STEP_NONFINITE;
        }
    }
    return DD_STEP_OK;
}

bool dd_sim_sens_arrive(dd_sim *sim, double t, uint32_t which, dd_step_verdict *v)
{
    dd_sim_sens *q = sim->sens;
    if (!q) {
        return true;
    }
    /* x is what the dense output knows best; the rest follows from it, with the branches before the event */
    dd_sim_point(sim, t);
    *v = look_at(sim, t, sim->shifted);
    if (*v == DD_STEP_OK && q->solve) {
        dd_slopes_solve(sim->slopes, t, sim->w, sim->wdot);
        *v = dd_sens_solve(q->engine, t, sim->w, sim->wdot, q->s, q->sdot);
    }
    memcpy(q->slope, sim->wdot, sim->numbers->n * sizeof *q->slope);
    if (*v == DD_STEP_OK && t > sim->integrator->t_old) { /* else a consequence of the last event: at the same moment */
        const uint32_t k = which != DD_NO_INDEX ? which : switch_of_moment(sim, t);
        memset(q->moment, 0, q->count * sizeof *q->moment);
        *v = k != DD_NO_INDEX ? find_moment(sim, t, k) : DD_STEP_OK;
    }
    return *v == DD_STEP_OK;
}

bool dd_sim_sens_leave(dd_sim *sim, dd_step_verdict *v)
{
    dd_sim_sens *q = sim->sens;
    const dd_integrator *it = sim->integrator;
    if (!q) {
        return true;
    }
    const uint32_t n = sim->numbers->n;
    for (uint32_t p = 0; p < q->count; p++) {
        for (uint32_t j = 0; j < n; j++) {
            if (it->problem->differential[j]) {
                q->s[(size_t)p * n + j] += (q->slope[j] - it->wdot[j]) * q->moment[p];
            }
        }
    }
    *v = dd_sens_start(q->engine, sim->integrator, q->s, q->sdot, q->solve);
    return *v == DD_STEP_OK;
}
