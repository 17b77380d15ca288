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

/* Inputs that are decided, from `begin` until the next piece begins. */
typedef struct dd_decided_piece {
    double begin, end; /* of the polynomial through the values */
    double *value;     /* points by inputs */
} dd_decided_piece;
typedef struct dd_decided {
    DD_VEC(dd_decided_piece) pieces; /* in the order of time; behind `count` there is only memory */
    uint32_t count, points;
} dd_decided;

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
    dd_decided decided; /* with a delay: the inputs from c->t on; without one empty */
    dd_sim *predictor;  /* over the delay; NULL: none */
    uint32_t *predictor_state;
    uint32_t predicted_piece; /* that acts where the predictor is */
    double *expected; /* states at the next sample, by the prediction; where the delay is longer than a sample period */
    double *now;      /* inputs that act at c->t, just before those that begin there */
    double horizon;   /* seconds; of a free end NaN */
    uint32_t per_sample; /* intervals in a sample period */
    bool free_end;

    double t; /* of the next sample: first + steps*period, so that long loops do not drift */
    double first;
    uint64_t steps;
    bool has_plan, prepared, finished;
    bool lost;         /* the last sample failed */
    bool can_step;     /* quadratic programs can be condensed */
    bool jumped;       /* a set-point changed since */
    double *x, *z, *u; /* the estimate; inputs decided last */
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
/* Inputs that act from c->t on over a sample period: all of them are decided. */
void dd_control_note_inputs(dd_control *c);
/* ---- decided.c ---- */
/* The first inputs, or those decided last, act at all times. Raises. */
void dd_decided_reset(dd_control *c);
/* The inputs of the sample at c->t, which act from c->t + delay on. */
dd_status dd_decided_add(dd_control *c);
/* The piece that acts at and after t; inputs of a piece at t; when the next one begins (INFINITY: never). */
uint32_t dd_decided_find(const dd_control *c, double t);
void dd_decided_value(const dd_control *c, uint32_t piece, double t, double *u);
double dd_decided_change(const dd_control *c, double t);
/* Inputs that act just before t, also without a delay; the mean of held ones. */
void dd_decided_now(const dd_control *c, double t, double *u);
void dd_decided_mean(const dd_control *c, double from, double to, double *u);
/* ---- controller_solve.c ---- */
/* The plan of this sample, from the one before; c->sample says what became of it. What fails leaves the moved plan. */
dd_status dd_control_solve_next(dd_control *c);
/* ---- controller_look.c ---- */
/* Where the plan ends, and where its held inputs change next after a time (INFINITY: never). */
double dd_control_plan_end(const dd_control *c);
double dd_control_next_change(const dd_control *c, double time);
/* The plan at a time, as the interval has it that contains the time `inside`. False: there is none yet. */
bool dd_control_plan_beside(const dd_control *c, double time, double inside, double *inputs);
/* Do inputs change with the plan between samples? Else its first ones are held. */
bool dd_control_follows(const dd_control *c);
/* ---- controller.c ---- */
void dd_control_note(dd_control *c, dd_sample_status status, const char *reason);
/* A sample without a plan: the state from measurements; c->t advances. */
dd_status dd_control_estimate_only(dd_control *c, const double *y);

#endif
