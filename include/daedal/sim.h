/* sim.h - simulation: a consistent start, then integration to the requested tolerance.
 *
 *     dd_sim_options o = dd_sim_options_default();
 *     o.stop = 10; o.has_stop = true;
 *     dd_sim *sim;
 *     if (dd_sim_new(&sim, system, &o) == DD_OK && dd_sim_run(sim) == DD_OK && dd_sim_get_info(sim).status == DD_SIM_OK)
 *         printf("x = %g\n", dd_sim_final(sim, 0));
 *     dd_sim_free(sim);
 *
 * A run that cannot reach its end is a status of a successful call, not a failure: the results so far are kept.
 */
#ifndef DAEDAL_SIM_H
#define DAEDAL_SIM_H

#include "daedal/check.h"
#include "daedal/export.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dd_sim dd_sim;

#define DD_SIM_STATUS_LIST(X)                                                                                          \
    X(OK, "ok")                                                                                                        \
    X(INIT_FAILED, "init_failed")                                                                                      \
    X(STEP_TOO_SMALL, "step_too_small")                                                                                \
    X(TOO_MANY_STEPS, "too_many_steps")                                                                                \
    X(NEWTON_FAILED, "newton_failed")                                                                                  \
    X(SINGULAR, "singular")                                                                                            \
    X(NONFINITE, "nonfinite")                                                                                          \
    X(CHATTERING, "chattering")                                                                                        \
    X(ASSERTION_FAILED, "assertion_failed")                                                                            \
    X(OUT_OF_MEMORY, "out_of_memory")                                                                                  \
    X(TIME_LIMIT, "time_limit")                                                                                        \
    X(INTERRUPTED, "interrupted")                                                                                      \
    X(INVALID_MODEL, "invalid_model")
typedef enum dd_sim_status {
#define DD_SIM_STATUS_ENUM(id, name) DD_SIM_##id,
    DD_SIM_STATUS_LIST(DD_SIM_STATUS_ENUM)
#undef DD_SIM_STATUS_ENUM
} dd_sim_status;

DD_API const char *dd_sim_status_name(dd_sim_status status);

/* How the constraints of a reduced system are maintained. */
typedef enum dd_stabilize {
    DD_STABILIZE_PROJECTION, /* onto all constraints after every step */
    DD_STABILIZE_BAUMGARTE,  /* c'' + 2 alpha c' + alpha^2 c = 0 in place of the highest derivative */
    DD_STABILIZE_DUMMY,      /* dummy derivatives: some states follow from the constraints, chosen again when needed */
    DD_STABILIZE_NONE
} dd_stabilize;

typedef enum dd_sim_form {
    DD_SIM_FORM_REDUCED, /* the index-1 system with its constraints */
    DD_SIM_FORM_ORIGINAL /* the equations as written, whatever their index */
} dd_sim_form;

/* Between the rows of an input file. */
typedef enum dd_interpolation {
    DD_INTERPOLATE_LINEAR, /* no derivatives */
    DD_INTERPOLATE_SPLINE  /* cubic, two derivatives */
} dd_interpolation;

typedef struct dd_sim_options {
    bool has_start, has_stop; /* a start or stop at 0 is meant; without, a time of 0 stands for the model's experiment
                               * annotation, else 0 and 1 */
    double start, stop;
    double tol;               /* relative, at least 1e-14; 0: the model's Tolerance, else 1e-6 */
    double atol;              /* absolute, the same for every variable; 0: tol times nominal */
    const char *method;       /* NULL or "auto": chosen automatically */
    const char *tableau_file; /* instead: a Runge-Kutta method from a JSON file (docs/methods.md) */
    double step;              /* fixed step; 0: error control */
    double first_step;        /* 0: automatic */
    uint32_t points;          /* rows at this many equal intervals; 0: see interval */
    double interval;          /* rows this far apart; 0: the solver's own steps */
    dd_sim_form form;
    dd_stabilize stabilize;
    double alpha;           /* baumgarte; 0: the rate of the motion at the start, at most 0.1/step with fixed steps */
    const char *input_file; /* CSV with `time` and columns named like inputs; NULL: none */
    bool hold_inputs;       /* inputs without a formula or a column of the file are held at the values of dd_sim_set */
    /* instead: returns these inputs at any time of the run, in the order of their declaration; must be smooth
     * between the times of dd_sim_step, where it may jump. May be NULL */
    void (*input)(void *user, double t, double *values);
    void *input_user;
    dd_interpolation interpolation;
    const char *const *sensitivity; /* n_sensitivity names: parameters; variables, for their start values; inputs, for a
                                       constant added to them; rows of a column of input_file ("u@0.5" the row at that
                                       time, after a jump; "u@0.5-" before it; "u@0:0.5" from, to) */
    uint32_t n_sensitivity;
    bool auto_init, project;
    /* continue, with a message, beyond a point where the equations do not determine the solution; otherwise such a
     * point ends the run with DD_SIM_SINGULAR */
    bool through;
    uint64_t max_steps; /* default 10 million */
    bool keep_rows;     /* the trajectory is kept (default), not only the end */
    bool write_rows;    /* rows will be written to a file: with a time limit the run ends early enough for that */
    bool keep_curves;   /* a few hundred additional points between the rows, for smooth plots */
    /* reduced form: a constraint that determines a variable in closed form stays a constraint, so that it can drift */
    bool keep_constraints;
    /* called now and then with the time reached and the step size; may be NULL */
    void (*progress)(void *user, double t, double h);
    void *progress_user;
} dd_sim_options;

DD_API dd_sim_options dd_sim_options_default(void);

/* The default start and stop times of a simulation: those of the model's experiment annotation, else 0 and 1. */
DD_API void dd_sim_default_range(const dd_system *system, double *start, double *stop);

/* Compiles the system and finds a consistent start. The system must outlive it; texts of the options are copied.
 * DD_INVALID_ARGUMENT with a message for wrong options (a stop before the start, an unknown method); for a system
 * whose verdict is not ok, the simulation has the status DD_SIM_INVALID_MODEL. */
DD_API dd_status dd_sim_new(dd_sim **out, const dd_system *system, const dd_sim_options *options);
DD_API void dd_sim_free(dd_sim *sim); /* NULL is fine */

/* Runs from start to stop. May be called again. */
DD_API dd_status dd_sim_run(dd_sim *sim);
/* Sets the tolerances of the following runs. */
DD_API dd_status dd_sim_set_tolerance(dd_sim *sim, double tol, double atol);

/* ---- one simulation, stepped and changed by the caller ----
 *
 *     o.hold_inputs = true;                     dd_sim_new(&sim, system, &o);
 *     for (k = 0; k < 100; k++) {
 *         dd_sim_set(sim, "F", controller(dd_sim_value(sim, "s")));
 *         dd_sim_step(sim, (k + 1)*0.05);
 *     }
 *
 * Nothing is read or analysed again. dd_sim_get_info says how a step ended; after a status other than ok the simulation
 * stays at the time it reached, until dd_sim_begin. Rows of the trajectory and messages add up from dd_sim_begin on. */

/* Starts again at the start time, from consistent values with the numbers that were set. The first dd_sim_step does
 * this by itself. */
DD_API dd_status dd_sim_begin(dd_sim *sim);
/* Continues to time t, which may be beyond the stop time. */
DD_API dd_status dd_sim_step(dd_sim *sim, double t);

/* Sets a number by name, from the next step on: a parameter (those bound to it follow), or a held input, both also
 * between steps, as jumps; or the start value of a variable, for the next dd_sim_begin. DD_INVALID_ARGUMENT, with a
 * message and nothing changed, for a name that does not exist, for constants, for parameters that shaped the model
 * or its analysis (load the model again with other settings), for inputs that are not held. */
DD_API dd_status dd_sim_set(dd_sim *sim, const char *name, double value);

/* The index of a variable by name; dd_sim_variable_count if there is none. And its value at the time reached, or
 * NaN. */
DD_API uint32_t dd_sim_find(const dd_sim *sim, const char *name);
DD_API double dd_sim_value(const dd_sim *sim, const char *name);

/* Replaces the values of differential variables (`count` of them, by their numbers) at the time reached: by a
 * measurement, for example. The rest follows: constraints hold again at the nearest point that keeps these values
 * or, where they contradict the constraints, at the nearest point to them; *moved (may be NULL) receives the
 * distance, in units of their nominal values. DD_INVALID_ARGUMENT for other variables, with status init_failed where
 * no such point was found; nothing is replaced then. */
DD_API dd_status dd_sim_replace(dd_sim *sim, const uint32_t *variables, const double *values, uint32_t count,
                                double *moved);
/* The same at any time t, earlier or later than the time reached: the simulation goes on from there. */
DD_API dd_status dd_sim_replace_at(dd_sim *sim, double t, const uint32_t *variables, const double *values,
                                   uint32_t count);

typedef struct dd_sim_stats {
    uint64_t steps, rejected, residuals, jacobians, factorizations, newton, events, projections;
    uint64_t choices; /* number of times that dummy derivatives were chosen again */
    double seconds;   /* wall time of the run */
} dd_sim_stats;

typedef struct dd_sim_info {
    dd_sim_status status;
    const char *reason;                               /* one sentence; "" when ok */
    const char *method;                               /* the one used: "radau5", ... */
    double t0, t;                                     /* start time, time reached */
    double constraint_violation, constraint_distance; /* NaN if the formulas of hidden constraints are unknown */
    dd_sim_stats stats;
} dd_sim_info;
DD_API dd_sim_info dd_sim_get_info(const dd_sim *sim);

/* The factor by which errors of the size of the tolerance grow until the end of a run that is ok; NaN if it is not
 * large or not known. The first call may take as long as the run. The reports call it; it adds a message if the values
 * at the end are in doubt. */
DD_API double dd_sim_error_growth(dd_sim *sim);

/* Start and stop time, from options and model. */
DD_API void dd_sim_time_range(const dd_sim *sim, double *start, double *stop);

DD_API uint32_t dd_sim_message_count(const dd_sim *sim); /* messages of the run, for people */
DD_API const char *dd_sim_message(const dd_sim *sim, uint32_t i);

/* Variables: every one of the model that is not a parameter, and velocities. */
DD_API uint32_t dd_sim_variable_count(const dd_sim *sim);
DD_API const char *dd_sim_variable_name(const dd_sim *sim, uint32_t i);
DD_API double dd_sim_final(const dd_sim *sim, uint32_t i); /* at the time reached */

/* The trajectory: rows in increasing time, the first is the consistent start. */
DD_API uint64_t dd_sim_row_count(const dd_sim *sim);
DD_API double dd_sim_row_time(const dd_sim *sim, uint64_t row);
DD_API double dd_sim_row_value(const dd_sim *sim, uint64_t row, uint32_t variable);

/* Sensitivities: derivatives of every variable with respect to the names in options.sensitivity, the elements of an
 * array one by one: at the time reached (NaN if they could not be computed), and in each row of the trajectory. */
DD_API uint32_t dd_sim_sensitivity_count(const dd_sim *sim);
DD_API const char *dd_sim_sensitivity_name(const dd_sim *sim, uint32_t parameter);
DD_API double dd_sim_sensitivity(const dd_sim *sim, uint32_t parameter, uint32_t variable);
DD_API double dd_sim_row_sensitivity(const dd_sim *sim, uint64_t row, uint32_t parameter, uint32_t variable);

/* Moments at which the equations changed branch or an input jumped, in order; those of the last run, at most 10000.
 * abs and sign create no events, min and max only where a step cannot pass the kink within the tolerance. */
DD_API uint32_t dd_sim_event_count(const dd_sim *sim);
DD_API double dd_sim_event_time(const dd_sim *sim, uint32_t i);

/* Writes the trajectory as CSV, completely or not at all. The reports mention the last file written. */
DD_API dd_status dd_sim_write_csv(dd_sim *sim, const char *path);
/* What dd_sim_text, pages and the final values there show: requests as of dd_sim_write_plot, copied; none: everything.
 * DD_INVALID_ARGUMENT with a message for an unknown name. */
DD_API dd_status dd_sim_show(dd_sim *sim, const char *const *requests, uint32_t count);
/* Writes a page with plots of the variables, steps, statistics and messages: one HTML file that needs no other. */
DD_API dd_status dd_sim_write_report(dd_sim *sim, const char *path);
/* Writes a picture of chosen variables: one SVG file with a panel for each request,
 * "[CAPTION:] NAME, NAME ... [over NAME]". An array's name means all its elements, ':' every index (cell[:].T). "over"
 * selects a horizontal axis other than time. Without requests: the first six variables. DD_INVALID_ARGUMENT with a
 * message for an unknown name; dd_sim_check_plot only checks the names, before the run. options.keep_curves makes the
 * lines smooth. */
DD_API dd_status dd_sim_write_plot(dd_sim *sim, const char *path, const char *const *requests, uint32_t count);
DD_API dd_status dd_sim_check_plot(dd_sim *sim, const char *const *requests, uint32_t count);
/* Writes the motion of what the model draws (docs/animation.md) as one SVG picture: poses from translucent to opaque.
 * dd_sim_set_overlays, before the run: CSV files with trajectories of the same model, drawn over the run here and in
 * the page; count may be 0. Both return DD_INVALID_ARGUMENT with a message when the model draws nothing.
 * options.keep_curves makes the motion smooth. */
DD_API dd_status dd_sim_write_film(dd_sim *sim, const char *path);
DD_API dd_status dd_sim_set_overlays(dd_sim *sim, const char *const *files, uint32_t count);
/* The reports of `daedal simulate`: one JSON object (a line), or text for people; they live as long as the
 * simulation. */
DD_API dd_status dd_sim_json(const char **out, dd_sim *sim);
DD_API dd_status dd_sim_text(const char **out, dd_sim *sim, bool colour);

#ifdef __cplusplus
}
#endif
#endif
