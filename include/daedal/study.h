/* study.h - numerical experiments: how errors depend on step, tolerance, mesh and method.
 *
 *     dd_study_options o = dd_study_options_default();
 *     o.methods = "rk4,radau-2";  o.steps = "0.1:0.5:6";
 *     dd_study *study;
 *     if (dd_study_new(&study, ctx, system, &o) == DD_OK && dd_study_run(study) == DD_OK)
 *         { const char *text;  dd_study_text(&text, study, false);  puts(text); }
 *     dd_study_free(study);
 *
 * docs/study.md defines the kinds, their tables and how orders are measured. A run of a study that fails is a row with
 * its reason, not a failure of the call.
 */
#ifndef DAEDAL_STUDY_H
#define DAEDAL_STUDY_H

#include "daedal/check.h"
#include "daedal/export.h"
#include "daedal/optimize.h"
#include "daedal/options.h"
#include "daedal/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dd_study dd_study;

typedef enum dd_study_kind {
    DD_STUDY_ORDER,   /* errors over steps or meshes; measured order and that of the theory */
    DD_STUDY_WORK,    /* errors over the work they cost */
    DD_STUDY_DRIFT,   /* residuals of the constraints over time, for each stabilization */
    DD_STUDY_LOCAL,   /* the error of each step, and the error so far */
    DD_STUDY_NODES,   /* interpolation at equispaced, Chebyshev and Gauss points */
    DD_STUDY_SPECTRA, /* eigenvalues of differentiation matrices */
    DD_STUDY_REGIONS  /* stability regions */
} dd_study_kind;
DD_API const char *dd_study_kind_name(dd_study_kind kind); /* "order" */
/* Is it about a model? The others take NULL for the system. */
DD_API bool dd_study_needs_model(dd_study_kind kind);

/* Where errors are taken: by the kind of problem, at the end, or the largest over steps or mesh points. */
typedef enum dd_study_norm { DD_STUDY_AUTO, DD_STUDY_END, DD_STUDY_MAX } dd_study_norm;

/* Which work a picture shows. */
typedef enum dd_study_cost { DD_STUDY_EVALUATIONS, DD_STUDY_STEPS, DD_STUDY_SECONDS } dd_study_cost;

typedef struct dd_study_options {
    dd_study_kind kind;
    const char *methods;   /* names with commas; NULL: see docs/study.md */
    const char *steps;     /* "0.1:0.5:6" (first, factor, count) or "0.1,0.05"; NULL: from the length of the run */
    const char *tols;      /* tolerances likewise; NULL: "1e-3:0.1:8" */
    const char *intervals; /* meshes of an optimization likewise; NULL: "4:2:5" */
    const char *degrees;   /* of interpolation likewise; NULL: 2,4,...,20 */
    const char *function;  /* that is interpolated, of x; NULL: "1/(1 + 25*x^2)" */
    const char *variables; /* names with commas: only these are compared; NULL: all */
    const char *const
        *exact; /* n_exact relations "x = cos(time)" that hold for the exact solution; without: a reference
                                 solution of high accuracy */
    uint32_t n_exact;
    dd_study_norm norm;
    dd_study_cost cost;
    dd_ocp_control control; /* of optimizations; chosen: free at each point */
    dd_sim_options sim;     /* of every simulation: times, form, stabilization, inputs; of `local`: method, step, tol */
    void *user;
    /* now and then with what is being computed, runs done and runs in all; NULL: none */
    void (*progress)(void *user, const char *what, uint32_t done, uint32_t of);
} dd_study_options;
DD_API dd_study_options dd_study_options_default(void);

/* Options by name, as in options.h: the lists that the command line shows. */
DD_API const dd_option *dd_study_option(uint32_t i);
DD_API bool dd_study_options_set(dd_study_options *options, const char *name, const char *value, char *why);

typedef enum dd_study_status {
    DD_STUDY_OK,
    DD_STUDY_FAILED,
    DD_STUDY_TIME_LIMIT,
    DD_STUDY_INTERRUPTED
} dd_study_status;
DD_API const char *dd_study_status_name(dd_study_status status); /* "ok", "failed", "time_limit", "interrupted" */

/* Checks the options; texts are copied. DD_INVALID_ARGUMENT with a message for lists that cannot be read, unknown
 * methods, options that do not belong to the kind. system is NULL where the kind needs none, else it must outlive the
 * study; an optimization class makes it a study of meshes. */
DD_API dd_status dd_study_new(dd_study **out, dd_context *ctx, const dd_system *system,
                              const dd_study_options *options);
/* Only the check, before a model is read. */
DD_API dd_status dd_study_check(dd_context *ctx, const dd_study_options *options);
DD_API void dd_study_free(dd_study *study); /* NULL is fine */

/* Computes. Stopped by a limit or an interrupt it returns DD_OK with that status and the rows so far. */
DD_API dd_status dd_study_run(dd_study *study);

typedef struct dd_study_info {
    dd_study_status status; /* failed: no run succeeded */
    const char *reason;     /* "" when ok */
    uint32_t runs, failed;
} dd_study_info;
DD_API dd_study_info dd_study_get_info(const dd_study *study);

/* The two tables of a study: the points, as they are written to a CSV file, and the summary (a row per method). A cell
 * has a number (NaN: empty or a word) and a word ("": a number). */
typedef enum dd_study_table { DD_STUDY_POINTS, DD_STUDY_SUMMARY } dd_study_table;
DD_API uint32_t dd_study_row_count(const dd_study *study, dd_study_table table);
DD_API uint32_t dd_study_column_count(const dd_study *study, dd_study_table table);
DD_API const char *dd_study_column_name(const dd_study *study, dd_study_table table, uint32_t column);
DD_API double dd_study_number(const dd_study *study, dd_study_table table, uint32_t row, uint32_t column);
DD_API const char *dd_study_word(const dd_study *study, dd_study_table table, uint32_t row, uint32_t column);

/* Reports; the texts live as long as the study. Files are written completely or not at all. */
DD_API dd_status dd_study_json(const char **out, dd_study *study);
DD_API dd_status dd_study_text(const char **out, dd_study *study, bool colour);
DD_API dd_status dd_study_write_csv(dd_study *study, const char *path);
/* False where no number can be drawn: no rows, or all errors are 0 on a logarithmic axis. */
DD_API bool dd_study_has_picture(const dd_study *study);
/* SVG; DD_INVALID_ARGUMENT when there is nothing to draw. */
DD_API dd_status dd_study_write_plot(dd_study *study, const char *path);
DD_API dd_status dd_study_write_report(dd_study *study, const char *path); /* HTML */

#ifdef __cplusplus
}
#endif
#endif
