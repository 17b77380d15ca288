/* order.c - errors over steps, and the orders that follow from them. Steps divide the run into equal parts, so that no
 * last step is shorter than the others. */
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "study/study_impl.h"

static const dd_grid_column point_columns[] = {{"method", NULL, 0}, {"variables", NULL, 0}, {"step", NULL, 4},
                                               {"error", NULL, 4},  {"order", NULL, -2},    {"use", NULL, 0},
                                               {"note", NULL, 0}};
static const dd_grid_column summary_columns[] = {{"method", NULL, 0},       {"variables", NULL, 0}, {"theory", NULL, 3},
                                                 {"order", "measured", -2}, {"spread", NULL, -2},   {"points", NULL, 3},
                                                 {"verdict", NULL, 0}};
enum { N_POINT = sizeof point_columns / sizeof *point_columns };
enum { N_SUMMARY = sizeof summary_columns / sizeof *summary_columns };

typedef struct order_study {
    dd_study *study;
    dd_groups groups;
    dd_reference_run reference;
    dd_number_vec steps;
    int index;        /* of the equations integrated */
    double *error;    /* group by group: one per step */
    const char **why; /* per step */
} order_study;

/* One step size of one method. */
static void one_run(order_study *w, const char *method, uint32_t k)
{
    dd_study *study = w->study;
    dd_pool *pool = dd_pool_child(study->pool);
    double error[DD_MOST_GROUPS];
    const double step = w->steps.data[k];
    dd_sim_options options = dd_study_sim_options(study, method, step, 0);
    options.keep_rows = w->reference.everywhere;
    dd_study_begin_run(study, method);
    const dd_run run = dd_study_simulate(study, &options, pool);
    /* the error of each group of variables; a failed run keeps its reason */
    dd_reference_compare(study, &w->reference, &run, step, error);
    for (uint32_t g = 0; g < w->groups.count; g++) {
        w->error[g * w->steps.len + k] = error[g];
    }
    w->why[k] = dd_pool_strdup(study->pool, run.why);
    dd_pool_free(pool);
}

static bool is_compared(const order_study *w, uint32_t group)
{
    return !w->reference.exact || dd_truth_covers(w->reference.exact, group);
}

static void add_rows(order_study *w, const char *method, uint32_t g)
{
    dd_study *study = w->study;
    const uint32_t n = w->steps.len;
    const double *error = w->error + g * n;
    dd_point_use *use = dd_pool_alloc_array(study->pool, n + 1, sizeof *use);
    /* equations of higher index as written divide rounding errors by the step: once for each differentiation that the
     * reduction would have made */
    const double powers = w->index > 1 ? fmax(w->index - 1.0 - w->groups.level[g], 0) : 0;
    double *floor = dd_pool_alloc_array(study->pool, n + 1, sizeof *floor);
    for (uint32_t k = 0; k < n; k++) {
        floor[k] = dd_reference_floor(&w->reference, g) / pow(fmin(w->steps.data[k], 1), powers);
    }
    dd_fit fit = dd_fit_order(w->steps.data, error, n, floor, use);
    fit.exact = fit.exact && !dd_fit_is_hidden(dd_reference_floor(&w->reference, g), w->reference.scale[g]);
    const double theory =
        study->still ? NAN : dd_theory_order(study, method, w->index, w->groups.level[g], w->reference.everywhere);
    /* every point with its slope and what it was used for */
    for (uint32_t k = 0; k < n; k++) {
        dd_grid_word(&study->points, method);
        dd_grid_word(&study->points, w->groups.name[g]);
        dd_grid_number(&study->points, w->steps.data[k]);
        dd_grid_number(&study->points, error[k]);
        dd_grid_number(&study->points, dd_fit_slope(w->steps.data, error, k));
        dd_grid_word(&study->points, dd_point_use_name(use[k]));
        dd_grid_word(&study->points, w->why[k]);
    }
    /* the line through them */
    dd_grid_word(&study->summary, method);
    dd_grid_word(&study->summary, w->groups.name[g]);
    dd_grid_number(&study->summary, theory);
    dd_grid_number(&study->summary, fit.order);
    dd_grid_number(&study->summary, fit.spread);
    dd_grid_number(&study->summary, fit.used);
    bool failed = true;
    for (uint32_t k = 0; k < n; k++) {
        failed = failed && use[k] == DD_POINT_FAILED;
    }
    dd_grid_word(&study->summary, failed         ? "failed"
                                  : study->still ? "nothing integrated"
                                                 : dd_fit_verdict(&fit, theory));
}

dd_number_vec dd_study_steps(dd_study *study)
{
    enum { COUNT = 7, FIRST_PART = 10 };
    dd_number_vec list;
    if (study->options.steps) {
        list = dd_study_numbers(study->pool, dd_option_word(study->ctx, "--steps"), study->options.steps, false);
    } else {
        list = (dd_number_vec){0};
        for (uint32_t k = 0; k < COUNT; k++) {
            dd_vec_push(study->pool, &list, (study->stop - study->start) / FIRST_PART * pow(0.5, k));
        }
    }
    /* steps that are equal after this are one */
    uint32_t kept = 0;
    for (uint32_t i = 0; i < list.len; i++) {
        const double h = dd_study_fit_step(study, list.data[i]);
        if (kept == 0 || h < list.data[kept - 1] * (1 - 1e-12)) {
            list.data[kept++] = h;
        } else if (h > list.data[kept - 1] * (1 + 1e-12)) {
            dd_raise(study->ctx, DD_INVALID_ARGUMENT, "option %s: steps must become smaller",
                     dd_option_word(study->ctx, "--steps"));
        }
    }
    list.len = kept;
    return list;
}

void dd_study_order(dd_study *study)
{
    order_study w = {.study = study};
    const bool original = study->options.sim.form == DD_SIM_FORM_ORIGINAL;
    const bool everywhere = study->options.norm == DD_STUDY_MAX;
    study->points = dd_grid_new(study->pool, point_columns, N_POINT);
    study->summary = dd_grid_new(study->pool, summary_columns, N_SUMMARY);
    /* what the theory needs to know: the index of the equations that are integrated */
    w.index = original ? dd_system_index(study->system) : 1;
    w.groups = dd_study_groups(study, original && w.index > 1);
    w.steps = dd_study_steps(study);
    study->planned = study->methods.len * w.steps.len + (study->options.n_exact > 0 ? 0 : 2) +
                     (everywhere && study->options.n_exact == 0 ? study->methods.len * w.steps.len : 0);
    w.reference = dd_study_reference(study, &w.groups, everywhere);
    study->headline =
        dd_pool_printf(study->pool, "order of convergence; error %s, against %s%s",
                       everywhere ? "at the worst step" : dd_pool_printf(study->pool, "at time %g", study->stop),
                       w.reference.text, original ? "; equations as written" : "");
    w.error = dd_pool_alloc_array(study->pool, DD_MOST_GROUPS * (w.steps.len + 1), sizeof(double));
    w.why = dd_pool_alloc_array(study->pool, w.steps.len + 1, sizeof *w.why);
    /* method by method: rows of a method that is complete are kept when the study is stopped */
    for (uint32_t i = 0; i < study->methods.len; i++) {
        for (uint32_t k = 0; k < w.steps.len; k++) {
            one_run(&w, study->methods.data[i], k);
        }
        for (uint32_t g = 0; g < w.groups.count; g++) {
            if (is_compared(&w, g)) {
                add_rows(&w, study->methods.data[i], g);
            }
        }
    }
}

void dd_study_order_plots(dd_study *study)
{
    const dd_line_spec spec = {.x = 2,
                               .y = 3,
                               .name = 0,
                               .group = 1,
                               .x_name = "step",
                               .caption = "error",
                               .log_x = true,
                               .log_y = true,
                               .of_variables = true,
                               .style = DD_LINE_MARKED,
                               .slope = 1};
    dd_study_add_lines(study, &spec);
}
