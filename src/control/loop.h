/* loop.h - a closed loop: the plant between the samples, its record, and what it costs. */
#ifndef DD_CONTROL_LOOP_H
#define DD_CONTROL_LOOP_H

#include "control/controller.h"
#include "control/random.h"
#include "report/written.h"

/* Rows of the disturbance file: columns of the plant, constant between rows. */
typedef struct dd_disturbance {
    dd_table *rows;
    const char **names;
    uint32_t count;
    uint64_t next; /* row that applies next */
} dd_disturbance;

/* Plans of a few samples, spread over the loop: a row per point of the horizon with the time, states and inputs. */
typedef struct dd_prediction {
    double time; /* of its sample */
    uint32_t points;
    double *rows;
} dd_prediction;

/* A sample whose inputs are on their way: its row is written when they begin to act. */
typedef struct dd_late {
    double at;
    dd_sample_info sample;
    double *estimate;
} dd_late;

/* Recorded measurements and inputs in the place of the plant. */
typedef struct dd_recorded {
    dd_table *rows; /* measured variables, then inputs; NULL: there is a plant */
    uint64_t next;
    uint32_t between; /* rows that were at no sample */
} dd_recorded;

/* The integrand, end terms, bounds and path rows of the class along the plant's motion. */
typedef struct dd_ledger {
    dd_estimator *point;          /* z from x: no measurements */
    dd_local_function *functions; /* integrand, then path rows */
    dd_local_function *end;       /* terms at the end; NULL: none, or they need other times too */
    uint32_t *state_of;           /* per state of the class: a variable of the plant */
    const char **z_name;          /* of the algebraic variables of the class */
    const char *missing;          /* the first that the plant does not have; NULL: all are there */
    double *value;
    double cost, violation;
    const char *worst;
    bool cost_known;
} dd_ledger;

struct dd_loop {
    dd_context *ctx;
    dd_pool *pool, *text;
    const dd_system *system, *plant_system;
    dd_control_options options;
    dd_control *control;
    dd_sim *plant;
    dd_random random;
    dd_disturbance disturbance;
    dd_recorded recorded;
    dd_ledger ledger;
    uint32_t *measured_of; /* per measured scalar: a variable of the plant */
    double *noise;
    double start, stop;
    double *y, *u, *next_u;
    bool follows;    /* the plant's inputs follow the plan instead of being held, */
    double from, to; /* which is smooth between these times */
    uint32_t piece;  /* with a delay: of the decided inputs, that acts now */
    DD_VEC(dd_late) late;
    uint32_t due; /* the next of these */
    dd_loop_info info;
    dd_string_vec messages, overlays;
    dd_table record; /* a row per point: plant, inputs, estimates, set-points; then of samples */
    uint32_t n_plant, /* recorded: what is measured */ n_inputs, n_estimates, n_references;
    const char **columns;
    dd_requests show; /* figures of the page that were asked for */
    DD_VEC(dd_prediction) predictions;
    DD_VEC(double) solve_ms, preparation_ms, feedback_ms, estimate_ms, iterations;
    const char *written;
};

/* ---- loop_curves.c ---- */
/* Keeps the present plan for the page when it is the turn of this sample. Raises. */
void dd_loop_keep_plan(dd_loop *l, const dd_sample_info *sample);
/* The record as curves: inputs jump at samples, estimates are lines between them. data: false has names only. Raises. */
dd_curves dd_loop_curves(const dd_loop *l, bool data, dd_pool *pool);

/* ---- loop_scene.c ---- */
/* The motion of what the plant or the class draws; NULL: neither does, or there is no plant. Raises. */
struct dd_scene *dd_loop_scene(dd_loop *l, dd_pool *pool);

/* ---- loop_report.c ---- */
typedef struct dd_spread {
    double median, p99, most;
} dd_spread;
/* Without the first sample, which is cold; it counts where it is the only one. */
dd_spread dd_spread_of(const double *values, uint32_t n, dd_pool *pool);

/* ---- ledger.c ---- */
/* Raises. */
void dd_ledger_new(dd_loop *l);
/* Integrand at a point of the plant; NaN where it is not known. Notes violations. */
double dd_ledger_look(dd_loop *l, double t);
/* Adds the terms at the end. */
void dd_ledger_close(dd_loop *l, double t);

/* ---- recorded.c ---- */
/* Reads the file; start and stop may follow from it. Raises. */
void dd_recorded_new(dd_loop *l);
/* One sample: the estimate. False: it was the last one. Raises. */
bool dd_recorded_sample(dd_loop *l);
void dd_recorded_close(dd_loop *l);

/* ---- loop.c ---- */
/* The i-th of the first columns: a variable of the plant now, or what was measured. */
double dd_loop_value(const dd_loop *l, uint32_t i);

#endif
