/* drift.c - how far a reduced model leaves its constraints, for each way to keep them. The residuals are those of the
 * constraints as `check` prints them, explicit and hidden ones, at every row of the run. */
#include <math.h>

#include "base/context.h"
#include "sim/watch.h"
#include "study/study_impl.h"

static const dd_grid_column columns[] = {{"stabilize", NULL, 0},
                                         {"time", NULL, 6},
                                         {"residual", "largest residual", 3},
                                         {"residual0", "constraints as written", 3},
                                         {"residual1", "their first derivatives", 3},
                                         {"distance", NULL, 3}};
static const dd_grid_column summary_columns[] = {{"stabilize", NULL, 0},   {"largest", "largest residual", 3},
                                                 {"end", "at the end", 3}, {"distance", "largest distance", 3},
                                                 {"steps", NULL, 9},       {"note", NULL, 0}};
enum { N_COLUMNS = sizeof columns / sizeof *columns, N_SUMMARY = sizeof summary_columns / sizeof *summary_columns };

static void release(void *place)
{
    dd_watch_free(*(dd_watch **)place);
}

static dd_watch *new_watch(dd_study *study)
{
    dd_watch **watch = dd_pool_alloc(study->pool, sizeof *watch);
    *watch = NULL;
    if (study->options.sim.input_file) {
        dd_raise(study->ctx, DD_INVALID_ARGUMENT, "a study of drift takes no input table; give inputs by formulas: %s",
                 dd_option_word(study->ctx, "--set"));
    }
    dd_pool_keep(study->pool, watch, release); /* before: a watch that is half made when this raises is freed too */
    const bool constrained = study->system->reduced.invariants.len > 0;
    if (constrained) {
        dd_watch_new(watch, study->system, DD_EQUATIONS_KEPT, NULL, NULL, study->pool);
    }
    if (!*watch && constrained) {
        dd_raise(study->ctx, DD_INVALID_ARGUMENT,
                 "the constraints of %s contain unknowns without a closed form, so their drift cannot be measured "
                 "(its index is %d)",
                 study->system->model->name, dd_system_index(study->system));
    }
    if (!*watch) {
        dd_raise(study->ctx, DD_INVALID_ARGUMENT,
                 "%s has no constraints between its differential variables, so nothing can drift (its index is %d)",
                 study->system->model->name, dd_system_index(study->system));
    }
    return *watch;
}

typedef struct largest {
    double residual, end, distance;
} largest;

static largest add_rows(dd_study *study, dd_watch *watch, const char *name, const dd_sim *sim, dd_pool *pool)
{
    const uint32_t n = study->system->declared;
    double *values = dd_pool_alloc_array(pool, n + 1, sizeof *values);
    largest most = {0};
    for (uint64_t i = 0; i < dd_sim_row_count(sim); i++) {
        double residual, distance;
        const double t = dd_sim_row_time(sim, i);
        for (uint32_t c = 0; c < n; c++) {
            values[c] = dd_sim_row_value(sim, i, c);
        }
        dd_watch_look(watch, t, values, &residual, &distance);
        /* all constraints together, those as written, and their first derivatives */
        dd_grid_word(&study->points, name);
        const double cells[] = {t, residual, dd_watch_residual(watch, 0), dd_watch_residual(watch, 1), distance};
        for (size_t k = 0; k < sizeof cells / sizeof *cells; k++) {
            dd_grid_number(&study->points, cells[k]);
        }
        most.residual = fmax(most.residual, residual);
        most.distance = fmax(most.distance, distance);
        most.end = residual;
    }
    return most;
}

/* Returns the largest distance to the constraints; NaN: the run has no rows. */
static double one_run(dd_study *study, dd_watch *watch, dd_stabilize how, const char *name)
{
    const dd_study_options *o = &study->options;
    dd_pool *pool = dd_pool_child(study->pool);
    const double step = o->sim.step > 0 ? dd_study_fit_step(study, o->sim.step) : 0;
    dd_sim_options sim = dd_study_sim_options(study, study->methods.data[0], step, o->sim.tol);
    sim.stabilize = how;
    sim.alpha = how == DD_STABILIZE_BAUMGARTE ? o->sim.alpha : 0;
    sim.keep_rows = true;
    sim.keep_constraints = true; /* otherwise linear ones are solved for a variable, and there is nothing to see */
    sim.points = o->sim.points;
    dd_study_begin_run(study, name);
    const dd_run run = dd_study_simulate(study, &sim, pool);
    /* rows of a run that failed on its way belong to the picture too */
    largest most = {NAN, NAN, NAN};
    if (run.sim && dd_sim_row_count(run.sim) > 0) {
        most = add_rows(study, watch, name, run.sim, pool);
    }
    dd_grid_word(&study->summary, name);
    dd_grid_number(&study->summary, most.residual);
    dd_grid_number(&study->summary, most.end);
    dd_grid_number(&study->summary, most.distance);
    dd_grid_number(&study->summary, run.ok ? (double)dd_sim_get_info(run.sim).stats.steps : NAN);
    dd_grid_word(&study->summary, dd_pool_strdup(study->pool, run.why));
    dd_pool_free(pool);
    return most.distance;
}

void dd_study_drift(dd_study *study)
{
    const double rounding = 1e-13; /* a distance in units of the nominal values */
    static const struct {
        dd_stabilize how;
        const char *name;
    } ways[] = {{DD_STABILIZE_NONE, "none"},
                {DD_STABILIZE_BAUMGARTE, "baumgarte"},
                {DD_STABILIZE_PROJECTION, "projection"},
                {DD_STABILIZE_DUMMY, "dummy"}};
    enum { N_WAYS = sizeof ways / sizeof *ways };
    study->points = dd_grid_new(study->pool, columns, N_COLUMNS);
    study->summary = dd_grid_new(study->pool, summary_columns, N_SUMMARY);
    study->planned = N_WAYS;
    study->headline = dd_pool_printf(
        study->pool, "drift; residuals of %u explicit and %u hidden constraints from %g to %g, method %s",
        dd_system_constraint_count(study->system), dd_system_hidden_count(study->system), study->start, study->stop,
        study->methods.data[0]);
    dd_watch *watch = new_watch(study);
    double most = 0;
    for (uint32_t k = 0; k < N_WAYS; k++) {
        const double distance = one_run(study, watch, ways[k].how, ways[k].name);
        most = isnan(distance) || distance > most ? distance : most;
    }
    if (most <= rounding) {
        dd_study_note(study, "all residuals are rounding: every method keeps a constraint that is linear with constant "
                             "coefficients, so it cannot drift");
    }
}

void dd_study_drift_plots(dd_study *study)
{
    static const char *const captions[] = {"residual of the constraints as written",
                                           "residual of their first derivatives"};
    for (uint32_t k = 0; k < sizeof captions / sizeof *captions; k++) {
        const dd_line_spec spec = {.x = 1,
                                   .y = 3 + k,
                                   .name = 0,
                                   .group = UINT32_MAX,
                                   .x_name = "time",
                                   .caption = captions[k],
                                   .log_y = true,
                                   .floor = 1e-17}; /* less than the rounding of a number of size 1 */
        dd_study_add_lines(study, &spec);
    }
}
