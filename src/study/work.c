/* work.c - what an error costs: methods with error control over tolerances, others over steps. */
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "study/study_impl.h"

static const dd_grid_column columns[] = {{"method", NULL, 0},    {"variables", NULL, 0},      {"tol", NULL, 3},
                                         {"step", NULL, 4},      {"error", NULL, 3},          {"evaluations", NULL, 9},
                                         {"jacobians", NULL, 9}, {"factorizations", NULL, 9}, {"steps", NULL, 9},
                                         {"rejected", NULL, 9},  {"seconds", NULL, 2},        {"note", NULL, 0}};
static const dd_grid_column summary_columns[] = {{"method", NULL, 0},       {"variables", NULL, 0},
                                                 {"best", "best error", 3}, {"evaluations", "evaluations for it", 9},
                                                 {"runs", NULL, 4},         {"failed", NULL, 4}};
enum { N_COLUMNS = sizeof columns / sizeof *columns, COST = 5, STEPS = 8, SECONDS = 10, ERROR = 4 };
enum { N_SUMMARY = sizeof summary_columns / sizeof *summary_columns };

typedef struct work_study {
    dd_study *study;
    dd_groups groups;
    dd_reference_run reference;
} work_study;

/* Does the method choose its steps? */
static bool has_error_control(dd_study *study, const char *name)
{
    if (dd_study_has_own_steps(name)) {
        return true;
    }
    dd_method *m;
    const dd_status st = dd_method_new(&m, study->ctx, name);
    dd_study_heed(study, st);
    if (st != DD_OK) {
        return false;
    }
    const bool pair = dd_method_kind_of(m) == DD_METHOD_EXPLICIT && dd_method_embedded_order(m) > 0;
    dd_method_free(m);
    return pair;
}

static void add_row(work_study *w, const char *method, uint32_t g, const dd_sim_options *o, const dd_run *run,
                    double error)
{
    dd_grid *points = &w->study->points;
    const dd_sim_stats stats = run->sim ? dd_sim_get_info(run->sim).stats : (dd_sim_stats){0};
    dd_grid_word(points, method);
    dd_grid_word(points, w->groups.name[g]);
    dd_grid_number(points, o->step > 0 ? NAN : o->tol);
    dd_grid_number(points, o->step > 0 ? o->step : NAN);
    dd_grid_number(points, error);
    /* counts of a run that failed say nothing */
    const double counts[] = {(double)stats.residuals, (double)stats.jacobians, (double)stats.factorizations,
                             (double)stats.steps,     (double)stats.rejected,  run->cpu};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        dd_grid_number(points, run->ok ? counts[i] : NAN);
    }
    dd_grid_word(points, dd_pool_strdup(w->study->pool, run->why));
}

static void one_run(work_study *w, const char *method, double step, double tol)
{
    dd_study *study = w->study;
    dd_pool *pool = dd_pool_child(study->pool);
    double error[DD_MOST_GROUPS];
    const dd_sim_options options = dd_study_sim_options(study, method, step, tol);
    dd_study_begin_run(study, method);
    const dd_run run = dd_study_simulate(study, &options, pool);
    dd_reference_compare(study, &w->reference, &run, 0, error);
    for (uint32_t g = 0; g < w->groups.count; g++) {
        if (!w->reference.exact || dd_truth_covers(w->reference.exact, g)) {
            add_row(w, method, g, &options, &run, error[g]);
        }
    }
    dd_pool_free(pool);
}

/* The best error of a method, and what it took. */
static void summarize(work_study *w, const char *method, uint32_t g)
{
    dd_study *study = w->study;
    double best = INFINITY, cost = NAN, runs = 0, failed = 0;
    /* its rows among the points */
    for (uint32_t i = 0; i < dd_grid_rows(&study->points); i++) {
        if (strcmp(dd_grid_at(&study->points, i, 0)->word, method) != 0 ||
            strcmp(dd_grid_at(&study->points, i, 1)->word, w->groups.name[g]) != 0) {
            continue;
        }
        const double error = dd_grid_at(&study->points, i, ERROR)->number;
        runs++;
        failed += isnan(error);
        if (error < best) {
            best = error;
            cost = dd_grid_at(&study->points, i, COST)->number;
        }
    }
    if (runs == 0) {
        return;
    }
    dd_grid_word(&study->summary, method);
    dd_grid_word(&study->summary, w->groups.name[g]);
    dd_grid_number(&study->summary, isfinite(best) ? best : NAN);
    dd_grid_number(&study->summary, cost);
    dd_grid_number(&study->summary, runs);
    dd_grid_number(&study->summary, failed);
}

void dd_study_work(dd_study *study)
{
    static const char default_tols[] = "1e-3:0.1:8";
    const dd_study_options *o = &study->options;
    work_study w = {.study = study};
    const bool original = o->sim.form == DD_SIM_FORM_ORIGINAL;
    study->points = dd_grid_new(study->pool, columns, N_COLUMNS);
    study->summary = dd_grid_new(study->pool, summary_columns, N_SUMMARY);
    w.groups = dd_study_groups(study, original && dd_system_index(study->system) > 1);
    const dd_number_vec tols =
        dd_study_numbers(study->pool, dd_option_word(study->ctx, "--tols"), o->tols ? o->tols : default_tols, false);
    const dd_number_vec steps = dd_study_steps(study);
    study->planned = study->methods.len * (tols.len > steps.len ? tols.len : steps.len) + (o->n_exact > 0 ? 0 : 2);
    w.reference = dd_study_reference(study, &w.groups, false);
    study->headline = dd_pool_printf(
        study->pool, "work and precision; error at time %g, against %s; evaluations are those of the equations",
        study->stop, w.reference.text);
    /* the accuracy of a method is set by its tolerance where it has error control, else by its step */
    for (uint32_t i = 0; i < study->methods.len; i++) {
        const char *method = study->methods.data[i];
        const bool controlled = has_error_control(study, method);
        const dd_number_vec *list = controlled ? &tols : &steps;
        for (uint32_t k = 0; k < list->len; k++) {
            one_run(&w, method, controlled ? 0 : list->data[k], controlled ? list->data[k] : 0);
        }
        for (uint32_t g = 0; g < w.groups.count; g++) {
            summarize(&w, method, g);
        }
    }
}

void dd_study_work_plots(dd_study *study)
{
    static const struct {
        uint32_t column;
        const char *name;
    } costs[] = {{COST, "evaluations of the equations"}, {STEPS, "steps"}, {SECONDS, "seconds of the processor"}};
    const dd_line_spec spec = {.x = costs[study->options.cost].column,
                               .y = ERROR,
                               .name = 0,
                               .group = 1,
                               .x_name = costs[study->options.cost].name,
                               .caption = "error",
                               .log_x = true,
                               .log_y = true,
                               .of_variables = true,
                               .style = DD_LINE_MARKED};
    dd_study_add_lines(study, &spec);
}
