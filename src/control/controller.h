/* controller.h - a controller: estimate, plan and timing of one sample. */
#ifndef DD_CONTROL_CONTROLLER_H
#define DD_CONTROL_CONTROLLER_H

#include "control/estimate.h"
#include "control/mhe.h"
#include "daedal/control.h"
#include "ocp/again.h"
#include "result/table.h"

/* Set-points: a table whose columns are parameters of the class, constant from sample to sample. */
typedef struct dd_reference {
    dd_table *rows; /* as read */
    dd_named_vec names;
    double *value; /* set last; NaN: not yet */
} dd_reference;

struct dd_control {
    dd_context *ctx;
    dd_pool *pool;
    const dd_system *system;
    dd_control_options options;
    dd_ocp *ocp;
    dd_ocp_problem *problem; /* of the estimator; states and controls are in the order of ocp's */
    dd_estimator *estimator;
    dd_mhe *mhe;       /* NULL: none */
    double *u_points;  /* inputs at its points since the sample before */
    double *estimated; /* parameters */
    const char **estimated_name;
    uint32_t n_estimated;
    dd_reference reference;
    dd_data_column_vec preview;
    dd_sim *predictor; /* over the delay; NULL: none */
    uint32_t *predictor_state;
    double horizon;      /* seconds; of a free end NaN */
    uint32_t per_sample; /* intervals in a sample period */
    bool free_end;

    double t; /* of the next sample: first + steps*period, so that long loops do not drift */
    double first;
    uint64_t steps;
    bool has_plan, prepared, finished;
    bool lost;         /* the last sample failed */
    bool can_step;     /* quadratic programs can be condensed */
    bool jumped;       /* a set-point changed since */
    double *x, *z, *u; /* the estimate; inputs that are applied now */
    double *before;    /* inputs of the sample before */
    double *kept;      /* the plan before a solve: n + m + 2 n */
    double kept_end;   /* its final time */
    double *guess;     /* of a horizon that shrinks: times, states, controls */
    const char **state_name, **input_name, **measured_name;
    const double *noise; /* per measured scalar; NaN: not given */
    dd_sample_info sample;
    char reason[512];
};

/* ---- reference.c ---- */
/* Reads the file of set-points; with preview its columns become known functions of time. Raises. */
void dd_reference_read(dd_control *c);
/* Sets what has changed for the sample at c->t. */
dd_status dd_reference_apply(dd_control *c);

/* ---- observe.c ---- */
/* The moving-horizon estimator of the options, if there is one. Raises. */
void dd_control_make_mhe(dd_control *c);
/* Takes the sample at c->t; found: the states are in the estimator's w, the parameters in c->estimated. */
dd_status dd_control_observe(dd_control *c, const double *y, bool *found);
/* Estimated parameters become those of the plan. */
dd_status dd_control_use_estimated(dd_control *c);
/* Inputs from c->t on over a sample period; before: those until the delay has passed. */
void dd_control_note_inputs(dd_control *c, const double *before);
/* ---- controller_solve.c ---- */
/* The plan of this sample, from the one before; c->sample says what became of it. What fails leaves the moved plan. */
dd_status dd_control_solve_next(dd_control *c);
/* ---- controller_look.c ---- */
/* Where the plan ends, and where its held inputs change next after a time (INFINITY: never). */
double dd_control_plan_end(const dd_control *c);
double dd_control_next_change(const dd_control *c, double time);
/* ---- controller.c ---- */
void dd_control_note(dd_control *c, dd_sample_status status, const char *reason);
/* A sample without a plan: the state from measurements; c->t advances. */
dd_status dd_control_estimate_only(dd_control *c, const double *y);

#endif
