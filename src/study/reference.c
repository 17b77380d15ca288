/* reference.c - what a simulation is compared with: exact relations, or a run of the production integrator at its
 * smallest useful tolerance, whose own error is judged by a second run. */
#include "daedal/study.h"

#include <float.h>
#include <math.h>

#include "base/context.h"
#include "study/study_impl.h"

static const double TIGHT = 1e-13, LESS_TIGHT = 1e-12; /* relative tolerances of the two runs */
static const double ROUNDING =
    1e-13;                     /* of the size of the variables: what Newton iterations and hundreds of steps leave */
static const double DOUBT = 3; /* times the difference of the two runs */

static dd_sim_options reference_options(const dd_study *study, double tol, double step)
{
    /* radau controls its error for stiff equations and those of index 1 alike */
    dd_sim_options o = dd_study_sim_options(study, "radau", 0, tol);
    o.form = DD_SIM_FORM_REDUCED;
    o.stabilize = DD_STABILIZE_PROJECTION;
    o.alpha = 0;
    if (step > 0) {
        o.keep_rows = true;
        o.points = (uint32_t)round((study->stop - study->start) / step);
    }
    return o;
}

static dd_run reference_run(dd_study *study, double tol, double step, dd_pool *pool)
{
    const dd_sim_options options = reference_options(study, tol, step);
    dd_study_begin_run(study, "the reference");
    const dd_run run = dd_study_simulate(study, &options, pool);
    if (!run.ok) {
        dd_raise(study->ctx, DD_NUMERIC,
                 "there is no reference to compare with: %s (with %s no reference run is needed)", run.why,
                 dd_option_word(study->ctx, "--exact"));
    }
    return run;
}

/* Sizes of the variables, and how far the two runs differ. */
static void judge(dd_reference_run *r, const dd_sim *tight, const dd_sim *loose, uint32_t n)
{
    for (uint32_t c = 0; c < n; c++) {
        const uint32_t g = r->groups->of[c];
        r->end[c] = dd_sim_final(tight, c);
        if (g != UINT32_MAX) {
            r->doubt[g] = fmax(r->doubt[g], fabs(dd_sim_final(loose, c) - r->end[c]));
            r->scale[g] = fmax(r->scale[g], fabs(r->end[c]));
        }
    }
}

dd_reference_run dd_study_reference(dd_study *study, const dd_groups *groups, bool everywhere)
{
    dd_reference_run r = {.groups = groups, .everywhere = everywhere, .text = "the exact relations given"};
    r.exact = dd_truth_new(study, groups);
    if (r.exact) {
        return r;
    }
    const uint32_t n = study->system->declared;
    r.end = dd_pool_alloc_array(study->pool, n + 1, sizeof(double));
    r.text = dd_pool_printf(study->pool, "a run of radau with tolerance %g", TIGHT);
    /* both runs are needed for a moment only */
    dd_pool *pool = dd_pool_child(study->pool);
    const dd_run tight = reference_run(study, TIGHT, 0, pool), loose = reference_run(study, LESS_TIGHT, 0, pool);
    judge(&r, tight.sim, loose.sim, n);
    dd_pool_free(pool);
    return r;
}

/* ---- comparing ---- */

static void compare_values(dd_reference_run *r, double t, const double *values, const double *right, double *error,
                           uint32_t n)
{
    if (r->exact) {
        dd_truth_look(r->exact, t, values, error, r->scale);
        return;
    }
    for (uint32_t c = 0; c < n; c++) {
        const uint32_t g = r->groups->of[c];
        if (g != UINT32_MAX) {
            const double off = fabs(values[c] - right[c]);
            error[g] = isnan(off) ? INFINITY : fmax(error[g], off);
            r->scale[g] = fmax(r->scale[g], fabs(right[c]));
        }
    }
}

static void row_values(const dd_sim *sim, uint64_t row, double *values, uint32_t n)
{
    for (uint32_t c = 0; c < n; c++) {
        values[c] = dd_sim_row_value(sim, row, c);
    }
}

/* Over all steps; a reference run has its rows at the same times. */
static void compare_everywhere(dd_study *study, dd_reference_run *r, const dd_run *run, double step, double *error,
                               dd_pool *pool)
{
    const uint32_t n = study->system->declared;
    double *values = dd_pool_alloc_array(pool, n + 1, sizeof(double));
    double *right = dd_pool_alloc_array(pool, n + 1, sizeof(double));
    const dd_sim *reference = r->exact ? NULL : reference_run(study, TIGHT, step, pool).sim;
    const uint64_t rows = dd_sim_row_count(run->sim);
    if (reference && dd_sim_row_count(reference) != rows) {
        dd_raise(study->ctx, DD_NUMERIC,
                 "the steps cannot be compared one by one: the run has %llu rows and the reference %llu (events?)",
                 (unsigned long long)rows, (unsigned long long)dd_sim_row_count(reference));
    }
    for (uint64_t i = 0; i < rows; i++) {
        row_values(run->sim, i, values, n);
        if (reference) {
            row_values(reference, i, right, n);
        }
        compare_values(r, dd_sim_row_time(run->sim, i), values, right, error, n);
    }
}

void dd_reference_compare(dd_study *study, dd_reference_run *r, const dd_run *run, double step, double *error)
{
    const uint32_t n = study->system->declared;
    dd_pool *pool = dd_pool_child(study->pool);
    for (uint32_t g = 0; g < r->groups->count; g++) {
        error[g] = run->ok ? 0 : NAN;
    }
    /* at every step, or at the end alone */
    if (run->ok && r->everywhere) {
        compare_everywhere(study, r, run, step, error, pool);
    } else if (run->ok) {
        double *values = dd_pool_alloc_array(pool, n + 1, sizeof(double));
        for (uint32_t c = 0; c < n; c++) {
            values[c] = dd_sim_final(run->sim, c);
        }
        compare_values(r, study->stop, values, r->end, error, n);
    }
    for (uint32_t g = 0; r->exact && g < r->groups->count; g++) {
        error[g] = dd_truth_covers(r->exact, g) ? error[g] : NAN;
    }
    dd_pool_free(pool);
}

double dd_reference_floor(const dd_reference_run *r, uint32_t group)
{
    return fmax(ROUNDING * fmax(r->scale[group], DBL_MIN), DOUBT * r->doubt[group]);
}
