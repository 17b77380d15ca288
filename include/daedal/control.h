/* control.h - closed loops: an optimization class as a controller, and a plant that it controls.
 *
 *     dd_control_options o = dd_control_options_default();
 *     dd_control_options_of(&o, system, 0);                                  // the annotation of the class
 *     dd_control *c;  dd_control_new(&c, system, &o);
 *     for (;;) {
 *         dd_control_prepare(c);                                             // before the measurement
 *         dd_control_step(c, measurement, input);                            // after it
 *     }
 *
 * The controller estimates the state from the newest measurement, solves the optimization class from there over its
 * horizon, and returns the first part of the control. dd_loop simulates the plant between the samples.
 */
#ifndef DAEDAL_CONTROL_H
#define DAEDAL_CONTROL_H

#include "daedal/export.h"
#include "daedal/optimize.h"
#include "daedal/options.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dd_control dd_control;
typedef struct dd_loop dd_loop;

typedef enum dd_control_mode {
    DD_MODE_CONVERGE, /* every sample is solved to the tolerance */
    DD_MODE_RTI       /* one linearisation and one quadratic program per sample */
} dd_control_mode;

/* Texts are lists separated by commas, as in the options and the annotation; they are not copied before
 * dd_control_new. */
typedef struct dd_control_options {
    double sample_period;    /* seconds; must divide the horizon */
    const char *plant;       /* MODEL or FILE:MODEL, with modifications; NULL: the model that the class extends */
    const char *measured;    /* names; an array's name means all its elements; NULL: every state of the class */
    const char *noise;       /* a standard deviation per name; NULL: none */
    double delay;            /* seconds between a measurement and the input that follows from it; any length */
    const char *reference;   /* CSV file: columns named like parameters of the class */
    bool preview;            /* the set-points are known over the whole horizon */
    const char *disturbance; /* CSV file: columns named like inputs or parameters of the plant */
    uint64_t seed;           /* of the noise */
    dd_control_mode mode;    /* converge */
    uint32_t mhe_horizon;    /* samples of the estimator's window; 0: none */
    const char *estimate;    /* parameters that it estimates */
    const char *process_noise, *initial_error; /* "NAME: SIGMA" each */
    const char *measurements;                  /* CSV file of recorded data instead of a plant */
    bool has_start, has_stop;                  /* of the loop; else the experiment annotation, else 0 and 1 */
    double start, stop;
    double plant_tol;   /* of the plant's simulation; 0: 1e-8 */
    double deadline;    /* seconds that the solves of a sample may take together; 0: no limit */
    uint32_t intervals; /* of the horizon; 0: one per sample period */
    uint32_t degree;    /* collocation points of an interval: 3 */
    bool legendre;
    dd_ocp_control control;  /* constant */
    double tolerance;        /* of the optimality conditions: 1e-8 */
    uint32_t max_iterations; /* of each solve of a sample: 200 */
    const char *solver;      /* NULL: the first that is available */
    uint32_t threads;
} dd_control_options;

DD_API dd_control_options dd_control_options_default(void);
DD_API const dd_option *dd_control_option(uint32_t i);
DD_API bool dd_control_options_set(dd_control_options *options, const char *name, const char *value, char *why);
/* Settings of the class's annotation, except for options marked in `given` (a bit per option, or 0). DD_INVALID_MODEL
 * with file:line for a setting that does not exist or has a wrong value. Texts live as long as the system's model. */
DD_API dd_status dd_control_options_of(dd_control_options *options, const dd_system *system, uint64_t given);

/* ---- the controller ---- */

/* The system must be of a model with an optimization class, and outlive it. The first call of dd_control_step solves
 * from the guess of the class and may allocate; later ones do not, with the solver `daedal`, unless rows have to be
 * relaxed or an estimated parameter decides other numbers (bounds, starts). */
DD_API dd_status dd_control_new(dd_control **out, const dd_system *system, const dd_control_options *options);
DD_API void dd_control_free(dd_control *control); /* NULL is fine */

/* The measured variables, and the inputs that the controller returns, element by element. */
DD_API uint32_t dd_control_measured_count(const dd_control *control);
DD_API const char *dd_control_measured_name(const dd_control *control, uint32_t i);
DD_API uint32_t dd_control_input_count(const dd_control *control);
DD_API const char *dd_control_input_name(const dd_control *control, uint32_t i);

/* Sets a parameter of the class (a set-point) from the next sample on, like dd_ocp_set. */
DD_API dd_status dd_control_set(dd_control *control, const char *name, double value);

/* Does everything that is possible before the measurement of the next sample: moves the plan, and linearises it in rti
 * mode. Optional: otherwise dd_control_step does it. */
DD_API dd_status dd_control_prepare(dd_control *control);

typedef enum dd_sample_status {
    DD_SAMPLE_SOLVED,
    DD_SAMPLE_SOFTENED, /* infeasible; solved with relaxed path inequalities */
    DD_SAMPLE_FAILED    /* the input is that of the previous plan */
} dd_sample_status;

typedef struct dd_sample_info {
    dd_sample_status status;
    dd_ocp_status solver; /* its own verdict */
    double time;
    uint32_t iterations;
    double objective;
    double violation; /* the largest relaxation of a softened row, in the unit of the row */
    /* Processor time of the thread in seconds: the estimate, the preparation, and everything after the measurement. */
    double seconds_estimate, seconds_preparation, seconds_feedback;
    const char *reason; /* one sentence; "" when solved */
} dd_sample_info;

/* One sample: measurements (NaN: missing) at the controller's time, which then advances by a sample period; inputs
 * to apply from then on (after the delay). DD_OK whenever `inputs` is usable, whatever the status of the sample.
 * DD_INVALID_ARGUMENT with a message when no state can be estimated before the first solve. */
DD_API dd_status dd_control_step(dd_control *control, const double *measurements, double *inputs);
DD_API dd_sample_info dd_control_get_sample(const dd_control *control);
/* The time of the next sample. */
DD_API double dd_control_time(const dd_control *control);
DD_API void dd_control_set_time(dd_control *control, double time);
/* The estimate of the last sample: states of the class, then estimated parameters. */
DD_API uint32_t dd_control_estimate_count(const dd_control *control);
DD_API const char *dd_control_estimate_name(const dd_control *control, uint32_t i);
DD_API double dd_control_estimate(const dd_control *control, uint32_t i);
/* The current plan: inputs at a time of its horizon. */
DD_API dd_status dd_control_plan(dd_control *control, double time, double *inputs);

/* ---- the loop ---- */

#define DD_LOOP_STATUS_LIST(X)                                                                                         \
    X(OK, "ok")                                                                                                        \
    X(PLANT_FAILED, "plant_failed")                                                                                    \
    X(INFEASIBLE_START, "infeasible_start")                                                                            \
    X(TIME_LIMIT, "time_limit")                                                                                        \
    X(INTERRUPTED, "interrupted")                                                                                      \
    X(INVALID_MODEL, "invalid_model")
typedef enum dd_loop_status {
#define DD_LOOP_STATUS_ENUM(id, name) DD_LOOP_##id,
    DD_LOOP_STATUS_LIST(DD_LOOP_STATUS_ENUM)
#undef DD_LOOP_STATUS_ENUM
} dd_loop_status;
DD_API const char *dd_loop_status_name(dd_loop_status status);

typedef struct dd_loop_info {
    dd_loop_status status;
    const char *reason;
    double t; /* time reached */
    uint32_t samples, failed, softened;
    double cost, max_violation; /* NaN: not known */
    const char *worst;          /* the row or bound with the largest violation; "" */
} dd_loop_info;

/* The plant of a class: `plant` of the options, from the class's file or another one; default the model that the class
 * extends. DD_INVALID_MODEL or DD_IO with a message. */
DD_API dd_status dd_loop_load_plant(dd_model **out, const dd_system *system, const char *class_file, const char *plant,
                                    const dd_load_options *load);
/* The controller's system and the plant must outlive it. plant: NULL with recorded measurements. */
DD_API dd_status dd_loop_new(dd_loop **out, const dd_system *system, const dd_system *plant,
                             const dd_control_options *options);
DD_API void dd_loop_free(dd_loop *loop); /* NULL is fine */
/* Runs the loop from start to stop. If it is stopped (Ctrl-C, limits), it succeeds with that status and keeps its
 * rows. */
DD_API dd_status dd_loop_run(dd_loop *loop);
DD_API dd_loop_info dd_loop_get_info(const dd_loop *loop);
DD_API dd_control *dd_loop_controller(dd_loop *loop);
/* The answer as JSON and for people; valid until the next call or dd_loop_free. */
DD_API dd_status dd_loop_json(const char **out, dd_loop *loop);
DD_API dd_status dd_loop_text(const char **out, dd_loop *loop, bool colour);
/* The plant's variables, held inputs, estimates, set-points, and the record of every sample. */
DD_API dd_status dd_loop_write_csv(dd_loop *loop, const char *path);
/* A page with the plant's motion, inputs, estimates, predictions, set-points, timing and settings. */
DD_API dd_status dd_loop_write_report(dd_loop *loop, const char *path);
/* Figures that the page shows instead of all variables of the plant: requests as of dd_sim_write_plot, copied; none:
 * everything. */
DD_API dd_status dd_loop_show(dd_loop *loop, const char *const *requests, uint32_t count);
/* A picture of columns of the record, as dd_sim_write_plot; dd_loop_check_plot only looks at the requests. */
DD_API dd_status dd_loop_write_plot(dd_loop *loop, const char *path, const char *const *requests, uint32_t count);
/* The motion of what the plant draws, or else the class, as dd_sim_write_film and dd_sim_set_overlays. */
DD_API dd_status dd_loop_write_film(dd_loop *loop, const char *path);
DD_API dd_status dd_loop_set_overlays(dd_loop *loop, const char *const *files, uint32_t count);
DD_API dd_status dd_loop_check_plot(dd_loop *loop, const char *const *requests, uint32_t count);

#ifdef __cplusplus
}
#endif
#endif
