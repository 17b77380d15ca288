/* local.c - the error of each step beside the error so far.
 *
 *     local error at t_{n+1}:   x_{n+1} - phi(t_{n+1}; t_n, x_n)     global error:   x_{n+1} - x(t_{n+1})
 *
 * phi, the exact solution through the last point, and x, the exact solution through the start, are both computed by
 * the production integrator at a small tolerance: one run is set back to x_n after every step, the other is not. */
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "sim/replace.h"
#include "study/study_impl.h"

static const dd_grid_column columns[] = {
    {"method", NULL, 0}, {"error", NULL, 0}, {"time", NULL, 6}, {"step", NULL, 4}, {"value", NULL, 3}};
static const dd_grid_column summary_columns[] = {{"method", NULL, 0},
                                                 {"steps", NULL, 9},
                                                 {"local", "largest local", 3},
                                                 {"sum", "sum of local", 3},
                                                 {"global", "global at the end", 3},
                                                 {"ratio", "global/sum", 3},
                                                 {"note", NULL, 0}};
enum { N_COLUMNS = sizeof columns / sizeof *columns, N_SUMMARY = sizeof summary_columns / sizeof *summary_columns };
static const double TIGHT = 1e-12; /* of the exact solutions: restarted in every step, they cannot do much better */

typedef struct local_study {
    dd_study *study;
    dd_groups groups;
    uint32_t
        *state; /* columns that are set back: differential variables of the reduced system that are not solved for */
    uint32_t n_states;
    double *values; /* n_states */
} local_study;

static void find_states(local_study *w)
{
    const dd_system *s = w->study->system;
    w->state = dd_pool_alloc_array(w->study->pool, s->reduced.x.len + 1, sizeof *w->state);
    w->values = dd_pool_alloc_array(w->study->pool, s->reduced.x.len + 1, sizeof *w->values);
    for (uint32_t j = 0; j < s->reduced.x.len; j++) {
        const uint32_t column = s->column[dd_symbol_id(s->model->dag, s->reduced.x.data[j])];
        if (column < s->declared) {
            w->state[w->n_states++] = column;
        }
    }
}

static void release(void *sim)
{
    dd_sim_free(sim);
}

static void must(dd_study *study, dd_status st, const dd_sim *sim)
{
    const dd_sim_info info = dd_sim_get_info(sim);
    if (st == DD_OK && info.status != DD_SIM_OK) {
        st = info.status == DD_SIM_INTERRUPTED  ? DD_INTERRUPTED
             : info.status == DD_SIM_TIME_LIMIT ? DD_TIME_LIMIT
                                                : DD_NUMERIC;
        dd_raise(study->ctx, st, "the exact solution could not be computed: %s", info.reason);
    }
    if (st != DD_OK) {
        dd_raise(study->ctx, st, "%s", dd_context_message(study->ctx));
    }
}

static dd_sim *new_exact(dd_study *study, dd_pool *pool)
{
    dd_sim_options o = dd_study_sim_options(study, "radau", 0, TIGHT);
    dd_sim *sim = NULL;
    o.form = DD_SIM_FORM_REDUCED;
    o.stabilize = DD_STABILIZE_PROJECTION;
    o.alpha = 0;
    const dd_status st = dd_sim_new(&sim, study->system, &o);
    if (st == DD_OK) {
        dd_pool_keep(pool, sim, release);
    }
    must(study, st, sim);
    must(study, dd_sim_begin(sim), sim);
    return sim;
}

/* The largest difference of the variables that are compared: the differential ones, unless others are asked for. */
static double difference(const local_study *w, const dd_sim *run, uint64_t row, const dd_sim *exact)
{
    double most = 0;
    for (uint32_t c = 0; c < w->study->system->declared; c++) {
        const uint32_t g = w->groups.of[c];
        if (g != UINT32_MAX && (w->study->options.variables || w->groups.level[g] > 0)) {
            most = fmax(most, fabs(dd_sim_row_value(run, row, c) - dd_sim_final(exact, c)));
        }
    }
    return most;
}

static void set_back(local_study *w, const dd_sim *run, uint64_t row, dd_sim *exact)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < w->n_states; k++) {
        if (dd_sim_can_replace(exact, w->state[k])) {
            w->values[n] = dd_sim_row_value(run, row, w->state[k]);
            w->state[n++] = w->state[k];
        }
    }
    w->n_states = n; /* the same ones from now on */
    must(w->study, dd_sim_replace(exact, w->state, w->values, n, NULL), exact);
}

static void add_row(dd_study *study, const char *method, const char *kind, double t, double step, double value)
{
    dd_grid_word(&study->points, method);
    dd_grid_word(&study->points, kind);
    dd_grid_number(&study->points, t);
    dd_grid_number(&study->points, step);
    dd_grid_number(&study->points, value);
}

static void summarize(dd_study *study, const char *method, double steps, const double sums[3], const char *why)
{
    dd_grid_word(&study->summary, method);
    dd_grid_number(&study->summary, steps);
    for (int i = 0; i < 3; i++) {
        dd_grid_number(&study->summary, steps > 0 ? sums[i] : NAN);
    }
    dd_grid_number(&study->summary, steps > 0 && sums[1] > 0 ? sums[2] / sums[1] : NAN);
    dd_grid_word(&study->summary, dd_pool_strdup(study->pool, why));
}

/* Both errors of all rows of a run. */
static void compare(local_study *w, const char *method, const dd_run *run, dd_pool *pool)
{
    dd_study *study = w->study;
    dd_sim *through_start = new_exact(study, pool), *through_last = new_exact(study, pool);
    double sums[3] = {0}; /* largest local, sum of local, last global */
    double steps = 0, before = study->start;
    for (uint64_t i = 1; i < dd_sim_row_count(run->sim); i++) {
        const double t = dd_sim_row_time(run->sim, i);
        if (!(t > before)) { /* a jump has two rows */
            continue;
        }
        must(study, dd_sim_step(through_start, t), through_start);
        must(study, dd_sim_step(through_last, t), through_last);
        const double local = difference(w, run->sim, i, through_last);
        sums[0] = fmax(sums[0], local);
        sums[1] += local;
        sums[2] = difference(w, run->sim, i, through_start);
        add_row(study, method, "local", t, t - before, local);
        add_row(study, method, "global", t, t - before, sums[2]);
        /* the next step begins where the run is */
        set_back(w, run->sim, i, through_last);
        before = t;
        steps++;
    }
    summarize(study, method, steps, sums, run->why);
}

void dd_study_local(dd_study *study)
{
    enum { STEPS = 50 };
    local_study w = {.study = study};
    const dd_study_options *o = &study->options;
    study->points = dd_grid_new(study->pool, columns, N_COLUMNS);
    study->summary = dd_grid_new(study->pool, summary_columns, N_SUMMARY);
    study->planned = study->methods.len;
    w.groups = dd_study_groups(study, false);
    find_states(&w);
    /* steps as given, or those of the error control, or a few dozen */
    const double step = o->sim.step > 0 ? o->sim.step : o->sim.tol > 0 ? 0 : (study->stop - study->start) / STEPS;
    study->headline =
        step > 0 ? dd_pool_printf(study->pool, "local and global errors of steps of %g", dd_study_fit_step(study, step))
                 : dd_pool_printf(study->pool, "local and global errors with tolerance %g", o->sim.tol);
    for (uint32_t i = 0; i < study->methods.len; i++) {
        dd_pool *pool = dd_pool_child(study->pool);
        dd_sim_options sim = dd_study_sim_options(study, study->methods.data[i],
                                                  step > 0 ? dd_study_fit_step(study, step) : 0, o->sim.tol);
        sim.keep_rows = true;
        dd_study_begin_run(study, study->methods.data[i]);
        const dd_run run = dd_study_simulate(study, &sim, pool);
        if (run.ok) {
            compare(&w, study->methods.data[i], &run, pool);
        } else {
            summarize(study, study->methods.data[i], 0, (double[3]){0}, run.why);
        }
        dd_pool_free(pool);
    }
}

void dd_study_local_plots(dd_study *study)
{
    const dd_line_spec spec = {
        .x = 2, .y = 4, .name = 1, .group = 0, .x_name = "time", .caption = "error", .log_y = true};
    dd_study_add_lines(study, &spec);
}
