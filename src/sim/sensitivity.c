/* sensitivity.c - sensitivities of a run: start, steps, rows, and what an event does to them.
 *
 * At an event g(w', w, t, p) = 0 the moment depends on p: with S at fixed time,
 *
 *     dt/dp = -(g_w S + g_w' S' + g_p) / (dg/dt along the solution),   S(+) = S(-) + (x'(-) - x'(+)) dt/dp
 *
 * for x, which goes on; z and x' behind it follow from the equations of the new branch. This is for steps that are
 * chosen by the error. Given steps begin again at the event, so that all of them move with it up to the next bound:
 * what is carried on is the derivative along their ends, S(-) + P' dt/dp with the slope P' of the dense output on
 * which the event was found (sens/sens_moving.c). */
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
    /* S at the start and at a point, for all unknowns and parameters */
    const size_t n = sim->numbers->n, block = n * q->count, declared = sim->system->declared;
    double **const arrays[] = {&q->s0, &q->sdot0, &q->s, &q->sdot};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        *arrays[i] = dd_pool_alloc_array(sim->pool, block + 1, sizeof(double));
    }
    q->values = dd_pool_alloc_array(sim->pool, declared * q->count + 1, sizeof(double));
    q->columns = dd_pool_alloc_array(sim->pool, declared + sim->system->model->assertions.len + 1, sizeof(double));
    q->moment = dd_pool_alloc_array(sim->pool, q->count + 1, sizeof(double));
    q->work_moment = dd_pool_alloc_array(sim->pool, q->count + 1, sizeof(double));
    q->ends = dd_pool_alloc_array(sim->pool, q->count + 1, sizeof(double));
    q->slope = dd_pool_alloc_array(sim->pool, n + 1, sizeof(double));
    q->work = dd_pool_alloc_array(sim->pool, 4 * n + 1, sizeof(double));
    q->rows.width = (uint32_t)(declared * q->count + 1);
    q->solve = sim->numbers->equations->form == DD_EQUATIONS_REDUCED;
    q->rest = sim->options.step > 0 && (q->solve || sim->system->index <= 1);
}

static void free_engines(dd_sim_sens *q)
{
    dd_sens_free(q->engine);
    dd_sens_free(q->inner);
    q->engine = q->inner = NULL;
}

void dd_sim_sens_free(dd_sim *sim)
{
    dd_sim_sens *q = sim->sens;
    if (q) {
        free_engines(q);
        dd_table_free(&q->rows, sim->ctx);
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
    /* a start that is not differentiable has no sensitivities */
    if (!start->derivative) {
        sim->info.status = DD_SIM_INIT_FAILED;
        sim->info.reason = dd_pool_printf(sim->pool, "there are no sensitivities: %s", start->no_derivative);
        return false;
    }
    /* the same reading of Taylor coefficients as for the start itself */
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
        /* a start value that is only a guess has no effect: say so */
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
    free_engines(q);
    dd_status st = dd_sens_new(&q->engine, sim->ctx, sim->integrator);
    /* rows between given steps come from the inner integrator, which is differentiated too */
    if (st == DD_OK && sim->inner) {
        st = dd_sens_new(&q->inner, sim->ctx, sim->inner);
    }
    *v = st == DD_OK ? dd_sens_start(q->engine, sim->integrator, q->s, q->sdot, q->ends, q->solve)
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
    memset(q->ends, 0, q->count * sizeof *q->ends);
    return begin(sim, v);
}

void dd_sim_sens_pause(dd_sim *sim)
{
    dd_sim_sens *q = sim->sens;
    if (q) {
        const size_t block = (size_t)sim->numbers->n * q->count;
        memcpy(q->s, dd_sens_values(q->engine), block * sizeof *q->s);
        memcpy(q->sdot, dd_sens_slopes(q->engine), block * sizeof *q->sdot);
        memcpy(q->ends, dd_sens_moment(q->engine), q->count * sizeof *q->ends);
        free_engines(q);
    }
}

bool dd_sim_sens_go_on(dd_sim *sim, dd_step_verdict *v)
{
    return !sim->sens || begin(sim, v);
}

/* ---- values ---- */

static bool steps_given(const dd_sim *sim)
{
    return sim->options.step > 0;
}

static bool between_steps(const dd_sim *sim, double t)
{
    return steps_given(sim) && t > sim->integrator->t_old && t < sim->integrator->t;
}

/* The steps of the inner integrator to t once more, with their derivatives; false when it gets stuck. */
static bool inner_steps(dd_sim *sim, double t, uint32_t steps, dd_step_verdict *v)
{
    dd_sim_sens *q = sim->sens;
    /* the same steps as for the row itself */
    const double from = sim->integrator->t_old;
    const double *moment = dd_sens_old_moment(q->engine);
    dd_sim_start_inner(sim);
    dd_sens_restart(q->inner, sim->inner, q->engine);
    for (uint32_t k = 1; k <= steps; k++) {
        if (dd_integ_step(sim->inner, k == steps ? t : from + k * ((t - from) / steps)) != DD_STEP_OK) {
            return false;
        }
        for (uint32_t p = 0; p < q->count; p++) { /* t is fixed, the beginning is not */
            q->work_moment[p] = moment[p] * (steps - k) / steps;
        }
        *v = dd_sens_step(q->inner, sim->inner, q->work_moment);
        if (*v != DD_STEP_OK) {
            return true;
        }
    }
    const size_t block = (size_t)sim->numbers->n * q->count;
    memcpy(q->s, dd_sens_values(q->inner), block * sizeof *q->s);
    memcpy(q->sdot, dd_sens_slopes(q->inner), block * sizeof *q->sdot);
    return true;
}

/* S and S' at t before projection, as dd_sim_differential finds x. */
static dd_step_verdict state_at(dd_sim *sim, double t)
{
    dd_sim_sens *q = sim->sens;
    dd_step_verdict v = DD_STEP_OK;
    /* the way x was found is the way S is found */
    if (q->inner && between_steps(sim, t) && (inner_steps(sim, t, 1, &v) || inner_steps(sim, t, DD_INNER_MANY, &v))) {
        return v;
    }
    return dd_sens_interpolate(q->engine, sim->integrator, t, q->s, q->sdot);
}

/* S and S' at t; moved: of the point in sim->w, which dd_sim_point has moved onto the constraints. */
static dd_step_verdict look_at(dd_sim *sim, double t, bool moved)
{
    dd_sim_sens *q = sim->sens;
    dd_step_verdict v = state_at(sim, t);
    /* dummies are algebraic: S of them follows from the equations */
    if (v == DD_STEP_OK && moved && sim->integrator->problem->n_invariants == 0) { /* dummies, and little else */
        v = dd_sens_solve(q->engine, t, sim->w, sim->wdot, q->s, q->sdot);
    } else if (v == DD_STEP_OK && moved) {
        v = dd_sens_move(q->engine, t, sim->w, sim->shift, dd_sim_point_weights(sim), q->s);
    }
    return v;
}

/* The columns in q->values at a point. Where the method leaves the end of a step open, those of the reduced system, as
 * dd_sim_values takes them. */
static dd_step_verdict find_columns(dd_sim *sim, double t, const double *w, const double *wdot)
{
    dd_sim_sens *q = sim->sens;
    dd_numbers_output_derivatives(sim->numbers, t, w, wdot, q->s, q->sdot, q->values);
    if (!dd_sim_is_completed(sim)) {
        return DD_STEP_OK;
    }
    dd_numbers_outputs(sim->numbers, t, w, wdot, q->columns);
    return dd_watch_complete_change(sim->watch, t, q->columns, NULL, 0, q->values);
}

bool dd_sim_sens_look(dd_sim *sim, double t, const double *w, const double *wdot, bool keep, dd_step_verdict *v)
{
    dd_sim_sens *q = sim->sens;
    if (!q) {
        return true;
    }
    *v = look_at(sim, t, w == sim->w && sim->shifted);
    if (*v == DD_STEP_OK && q->rest && between_steps(sim, t)) {
        *v = dd_sens_solve(q->engine, t, w, wdot, q->s, q->sdot);
    }
    *v = *v == DD_STEP_OK ? find_columns(sim, t, w, wdot) : *v;
    if (*v == DD_STEP_OK && keep && dd_table_add(&q->rows, sim->ctx, t, q->values) != DD_OK) {
        *v = DD_STEP_OUT_OF_MEMORY;
    }
    return *v == DD_STEP_OK;
}

void dd_sim_sens_go_back(dd_sim *sim, double t)
{
    dd_sim_sens *q = sim->sens;
    if (q && look_at(sim, t, sim->shifted) == DD_STEP_OK) {
        dd_sens_start(q->engine, sim->integrator, q->s, q->sdot, NULL, false);
    }
}

void dd_sim_sens_finish(dd_sim *sim, double t, const double *w, const double *wdot)
{
    dd_sim_sens *q = sim->sens;
    if (!q) {
        return;
    }
    /* what is not known is not a number, rather than an old value */
    bool good =
        q->engine && !q->lost && dd_sens_interpolate(q->engine, sim->integrator, t, q->s, q->sdot) == DD_STEP_OK;
    good = good && (!q->solve || dd_sens_solve(q->engine, t, w, wdot, q->s, q->sdot) == DD_STEP_OK);
    good = find_columns(sim, t, w, wdot) == DD_STEP_OK && good;
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
        /* a moment by formula that has been reached and whose relation has not yet changed */
        if (s->only_time && s->at <= t && (q->mode[k] > 0) != (s->rate > 0)) {
            return k;
        }
    }
    return DD_NO_INDEX;
}

/* The slope in time of one switching function at the values in sim->w and sim->wdot: of what it contains of time and of
 * inputs. */
static double explicit_rate(dd_sim *sim, double t, uint32_t k)
{
    const dd_stencil d = dd_stencil_new(sim->integrator->t_old, sim->integrator->t, t);
    double sum = 0;
    for (int i = 0; i < DD_STENCIL; i++) {
        dd_sim_switching(sim, d.at[i], sim->w, sim->wdot, sim->g_probe);
        sum += d.weight[i] * sim->g_probe[k];
    }
    return sum;
}

/* The slope of a switching function along the solution, at the point in sim->w and sim->wdot. */
static dd_step_verdict find_rate(dd_sim *sim, double t, uint32_t k, double *rate)
{
    dd_sim_sens *q = sim->sens;
    const double *second = NULL;
    /* x'' and z' are needed where g contains x' or z */
    if (sim->numbers->switches.data[k].implicit) {
        /* not so short that differences of the equations are rounding */
        const double part = fmax(1e-3 * (sim->integrator->t - sim->integrator->t_old), 1e-6 * (sim->t_stop - sim->t0));
        const dd_step_verdict v = dd_sens_rates(q->engine, t, sim->w, sim->wdot, part, q->work);
        if (v != DD_STEP_OK) {
            return v;
        }
        second = q->work;
    }
    const dd_sensitive_point at = {t, sim->w, sim->wdot, q->s, q->sdot, second};
    *rate = dd_numbers_switch_derivatives(sim->numbers, k, &at, q->moment);
    if (sim->inputs && !sim->numbers->switches.data[k].only_time) { /* a table has slopes too */
        *rate += explicit_rate(sim, t, k) - dd_numbers_switch_time_rate(sim->numbers, k);
    }
    return DD_STEP_OK;
}

/* The same on the dense output, where it was looked for. */
static double dense_rate(dd_sim *sim, double t, uint32_t k)
{
    const dd_stencil d = dd_stencil_new(sim->integrator->t_old, sim->integrator->t, t);
    double sum = 0;
    for (int i = 0; i < DD_STENCIL; i++) {
        if (d.weight[i] != 0) {
            dd_sim_state(sim, d.at[i]);
            dd_sim_switching(sim, d.at[i], sim->w, sim->wdot, sim->g_probe);
            sum += d.weight[i] * sim->g_probe[k];
        }
    }
    return sum;
}

/* q->moment from dg/dp there and the rate of g. */
static dd_step_verdict divide_by_rate(dd_sim_sens *q, double rate)
{
    for (uint32_t p = 0; p < q->count; p++) {
        q->moment[p] = q->moment[p] == 0 ? 0.0 : -q->moment[p] / rate;
        if (!isfinite(q->moment[p])) {
            return DD_STEP_NONFINITE;
        }
    }
    return DD_STEP_OK;
}

/* dt/dp of the moment at which switch k changes, at the point in sim->w and sim->wdot. */
static dd_step_verdict find_moment(dd_sim *sim, double t, uint32_t k)
{
    double rate;
    const dd_step_verdict v = find_rate(sim, t, k, &rate);
    return v == DD_STEP_OK ? divide_by_rate(sim->sens, rate) : v;
}

/* ---- given steps ---- */

bool dd_sim_sens_step(dd_sim *sim, double bound, dd_step_verdict *v)
{
    dd_sim_sens *q = sim->sens;
    const dd_integrator *it = sim->integrator;
    if (!q) {
        return true;
    }
    /* a step moves as a whole, unless it ends at a bound: that may be the moment of a condition on time */
    memcpy(q->ends, dd_sens_moment(q->engine), q->count * sizeof *q->ends);
    if (steps_given(sim) && it->t >= bound) {
        const uint32_t k = switch_of_moment(sim, it->t);
        /* dt/dp of that moment is the change of the step's end */
        memset(q->moment, 0, q->count * sizeof *q->moment);
        *v = k != DD_NO_INDEX ? find_moment(sim, it->t, k) : DD_STEP_OK;
        if (*v != DD_STEP_OK) {
            return false;
        }
        memcpy(q->ends, q->moment, q->count * sizeof *q->ends);
    }
    *v = dd_sens_step(q->engine, sim->integrator, q->ends);
    return *v == DD_STEP_OK;
}

/* dt/dp of an event that was found on the dense output, before projection. */
static dd_step_verdict find_dense_moment(dd_sim *sim, double t, uint32_t k)
{
    dd_sim_sens *q = sim->sens;
    /* the slope of g on the dense output on which the event was found */
    const double rate = dense_rate(sim, t, k);
    dd_sim_state(sim, t);
    dd_step_verdict v = state_at(sim, t);
    if (v == DD_STEP_OK && q->rest) {
        v = dd_sens_solve(q->engine, t, sim->w, sim->wdot, q->s, q->sdot);
    }
    if (v == DD_STEP_OK) {
        const dd_sensitive_point at = {t, sim->w, sim->wdot, q->s, q->sdot, NULL};
        dd_numbers_switch_derivatives(sim->numbers, k, &at, q->moment);
        v = divide_by_rate(q, rate);
    }
    return v;
}

/* The slope of x in time at t, as rows have it: q->slope. */
static void find_row_slope(dd_sim *sim, double t)
{
    dd_sim_sens *q = sim->sens;
    const uint32_t n = sim->numbers->n;
    const dd_stencil d = dd_stencil_new(sim->integrator->t_old, sim->integrator->t, t);
    memset(q->slope, 0, n * sizeof *q->slope);
    for (int i = 0; i < DD_STENCIL; i++) {
        if (d.weight[i] != 0) {
            dd_sim_point(sim, d.at[i]);
            for (uint32_t j = 0; j < n; j++) {
                q->slope[j] += d.weight[i] * sim->w[j];
            }
        }
    }
}

/* S along the moment of the event in q->s. */
static dd_step_verdict arrive_with_steps(dd_sim *sim, double t, uint32_t which)
{
    dd_sim_sens *q = sim->sens;
    const dd_integrator *it = sim->integrator;
    const uint32_t n = sim->numbers->n;
    /* a moment by formula: the step's end already moves with it */
    if (which == DD_NO_INDEX && t == it->t) { /* the step ended at the moment, which is known */
        memcpy(q->s, dd_sens_values(q->engine), (size_t)n * q->count * sizeof *q->s);
        memcpy(q->sdot, dd_sens_slopes(q->engine), (size_t)n * q->count * sizeof *q->sdot);
        memcpy(q->moment, q->ends, q->count * sizeof *q->ends);
        return DD_STEP_OK;
    }
    dd_step_verdict v = DD_STEP_OK;
    if (t > it->t_old) { /* else a consequence of the last event: at the same moment */
        memset(q->moment, 0, q->count * sizeof *q->moment);
        v = which != DD_NO_INDEX ? find_dense_moment(sim, t, which) : DD_STEP_OK;
    }
    if (v != DD_STEP_OK) {
        return v;
    }
    /* S along the moment: S at fixed time plus the slope of the rows */
    find_row_slope(sim, t);
    dd_sim_point(sim, t);
    v = look_at(sim, t, sim->shifted);
    for (uint32_t p = 0; p < q->count; p++) {
        for (uint32_t j = 0; j < n; j++) {
            q->s[(size_t)p * n + j] += q->slope[j] * q->moment[p];
        }
    }
    return v;
}

/* ---- both kinds of steps ---- */

bool dd_sim_sens_arrive(dd_sim *sim, double t, uint32_t which, dd_step_verdict *v)
{
    dd_sim_sens *q = sim->sens;
    if (!q) {
        return true;
    }
    if (steps_given(sim)) {
        *v = arrive_with_steps(sim, t, which);
        return *v == DD_STEP_OK;
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

/* S += rate dt/dp for x */
static void go_along(dd_sim *sim, const double *rate, double factor)
{
    dd_sim_sens *q = sim->sens;
    const uint32_t n = sim->numbers->n;
    for (uint32_t p = 0; p < q->count; p++) {
        for (uint32_t j = 0; j < n; j++) {
            if (sim->numbers->problem.differential[j]) {
                q->s[(size_t)p * n + j] += factor * rate[j] * q->moment[p];
            }
        }
    }
}

/* Equations as written go on from a point that the reduced system has made consistent (run_events.c): so does S, which is
 * along the moment of the event. */
static dd_step_verdict follow_consistent_point(dd_sim *sim, double t)
{
    dd_sim_sens *q = sim->sens;
    dd_numbers *numbers = sim->numbers;
    const uint32_t n = numbers->n, declared = sim->system->declared;
    const double part = steps_given(sim) ? 1e-3 * sim->options.step : 1e-5 * (sim->t_stop - sim->t0);
    dd_numbers_outputs(numbers, t, sim->arrived, sim->arrived_rate, q->columns);
    dd_numbers_output_derivatives(numbers, t, sim->arrived, sim->arrived_rate, q->s, q->sdot, q->values);
    const dd_step_verdict v = dd_watch_complete_change(sim->watch, t, q->columns, q->moment, part, q->values);
    for (uint32_t j = 0; j < n && v == DD_STEP_OK; j++) {
        const uint32_t column = dd_sim_column_of(sim, j);
        for (uint32_t p = 0; p < q->count; p++) {
            double *s = &q->s[(size_t)p * n + j];
            *s = column != DD_NO_INDEX ? q->values[(size_t)p * declared + column] : *s;
            if (numbers->problem.differential[j]) {
                dd_watch_rate_change(sim->watch, numbers->w.data[j], p, &q->sdot[(size_t)p * n + j]);
            }
        }
    }
    return v;
}

bool dd_sim_sens_leave(dd_sim *sim, dd_step_verdict *v)
{
    dd_sim_sens *q = sim->sens;
    const dd_integrator *it = sim->integrator;
    if (!q) {
        return true;
    }
    /* S(+) = S(-) + (x'(-) - x'(+)) dt/dp for x; dd_sens_start solves for the rest */
    if (!steps_given(sim)) {
        go_along(sim, q->slope, 1);
    }
    *v = sim->watch ? follow_consistent_point(sim, it->t) : DD_STEP_OK;
    if (*v != DD_STEP_OK) {
        return false;
    }
    if (!steps_given(sim)) {
        go_along(sim, it->wdot, -1);
    }
    *v = dd_sens_start(q->engine, sim->integrator, q->s, q->sdot, steps_given(sim) ? q->moment : NULL, q->solve);
    return *v == DD_STEP_OK;
}
