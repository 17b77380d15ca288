/* sim_impl.h - a simulation, for the files of this folder: sim.c (creation, start), run.c (the loop), events.c, and
 * sim_report.c (CSV, JSON, text). */
#ifndef DD_SIM_SIM_IMPL_H
#define DD_SIM_SIM_IMPL_H

#include <time.h>

#include "daedal/options.h"
#include "dynamics/numbers.h"
#include "integ/integrator.h"
#include "integ/project.h"
#include "integ/slopes.h"
#include "methods/tableau.h"
#include "report/scene.h"
#include "report/written.h"
#include "result/table.h"
#include "sim/crossing.h"
#include "sim/dummy.h"
#include "sim/impulse.h"
#include "sim/inputs.h"
#include "sim/watch.h"
#include "structure/variant.h"

typedef DD_VEC(double) dd_moment_vec;

/* What becomes of the solution where the rank is lost. */
typedef enum dd_singular_kind {
    DD_SINGULAR_OPEN,  /* it goes on by continuity, but the equations do not say how */
    DD_SINGULAR_ENDS,  /* two solutions meet and end */
    DD_SINGULAR_GROWS, /* unknowns grow without bound */
    DD_SINGULAR_FAINT, /* it goes on, but rounding errors decide it */
    DD_SINGULAR_ROOT,  /* it may end like a root of the distance or go on: not known */
} dd_singular_kind;

typedef struct dd_singular {
    double t; /* the first time found */
    dd_singular_kind kind;
    bool steep; /* unknowns arrive with an infinite slope */
    const dd_solvable_item *item;
} dd_singular;

/* Where solvability was lost, for the reports. */
typedef struct dd_singular_parts {
    bool found;
    const char *expression; /* "": a block of several equations */
    dd_string_vec equations, variables;
    uint32_t differentiated; /* times the equations were */
} dd_singular_parts;

/* Steps that ended at kinks of relations within noEvent, since a mark. */
typedef struct dd_kink_stops {
    uint64_t count, wanted; /* their number, and from which on steps are compared */
    uint64_t steps;         /* of the run at the mark, */
    double t;               /* its time, */
    double pace;            /* and time per step before it; 0: nothing to compare */
} dd_kink_stops;

struct dd_sim {
    dd_context *ctx;
    const dd_system *system;
    dd_variant *variant;   /* the same with other numbers, from the first dd_sim_set on; else NULL */
    dd_system *own_system; /* the same analysed here, so that inputs with formulas have offsets; else NULL */
    dd_pool *pool;
    dd_sim_options options;
    double t0, t_stop;
    double t_goal;     /* of the present call: t_stop, or where a step from outside goes to */
    bool begun;        /* a run is under way that dd_sim_step goes on with */
    bool moved_on;     /* it has taken a step, */
    bool has_step;     /* also since states were replaced or numbers set */
    bool stale;        /* the start was found with other numbers */
    bool jumps;        /* inputs or parameters change where the run is, */
    bool renumbered;   /* parameters among them */
    dd_inputs *inputs; /* NULL: no input file */
    bool told_unfed;   /* inputs that nothing feeds were mentioned */
    bool compared;     /* the end of the last run with that of another form */
    dd_numbers *numbers;
    dd_dummy *dummy;     /* NULL: no dummy derivatives */
    double restart_step; /* for an integrator that takes over; 0: found */
    double last_choice;  /* time of the last choice of dummies */
    dd_slopes *slopes;
    dd_projector *projector; /* for constraint_distance */
    dd_projector *keeper;    /* for points between steps: first integrals too, as in the integrator */
    dd_watch *watch;         /* for the same, where the equations do not contain all constraints; NULL else */
    dd_impulses *impulses;   /* NULL: not looked for */
    struct dd_solvability *solvability; /* solvability.h; NULL: nothing can vanish */
    struct dd_unstable *unstable;       /* unstable.h; NULL: nothing to watch */
    struct dd_growth *growth;           /* growth.h; NULL: not looked at */
    struct dd_leap *leap;               /* leap.h; NULL: steps are controlled */
    dd_singular_parts singular;
    dd_singular last_singular; /* the last one passed */
    uint32_t singular_points;  /* passed (options.through) */
    double *invariant;         /* n_invariants */
    dd_integrator *integrator;
    dd_tableau *tableau;                   /* of the integrator, when it has one */
    dd_integrator *inner;                  /* dense.c; NULL: the polynomials of the steps are good enough */
    bool one_step;                         /* it goes to a row in one step */
    bool spare;                            /* it is for steps whose own polynomial cannot be had */
    double inner_from;                     /* where it was started, NAN: it was not */
    bool z_steep;                          /* in the last step z loses digits of x: rows are ends of steps */
    double z_plain;                        /* how far its polynomial was known to be off without that, in tolerances, */
    uint32_t z_trusted;                    /* and for so many steps more */
    double *w_before, *wdot_before;        /* n: before the last step */
    double *z_solved, *guess, *guess_rate; /* n: z where it was last solved for within the step, scratch */
    double *first_z, *first_rate;          /* n: what a first guess led to, scratch */
    double *state_w, *state_wdot;          /* n: what dd_sim_state found last: conditions may have changed since */
    double state_at;                       /* that time */
    double solved_at;                      /* that time, NAN: not yet */
    bool end_open;            /* it leaves z at the end of a step open: rows take it from the reduced system */
    bool automatic;           /* the method may be changed during the run */
    bool switched;            /* it was, in the last run */
    double *atol;             /* n */
    struct dd_sim_sens *sens; /* sensitivity.h; NULL: none wanted */

    /* the consistent start; the branches there */
    bool started;
    double *w0, *wdot0, *mode0;

    /* a run */
    dd_sim_info info;
    char reason[1024];
    dd_string_vec messages;
    dd_table rows;                              /* the trajectory: a column per declared variable */
    double write_number;                        /* seconds that one number in a file takes */
    double began;                               /* when the run did, */
    clock_t began_clock;                        /* and by the clock of the processor */
    dd_table curves;                            /* keep_curves: points between the rows */
    dd_table steps;                             /* keep_curves: what each step was (sim_steps.c), */
    double watched;                             /* residual that the watch found at the last one */
    double *values;                             /* variables and assertions at the point last looked at */
    bool *warned;                               /* per assertion: said already */
    double next_row;                            /* output grid: number of the next row */
    double *w, *wdot;                           /* a point of the dense output */
    bool shifted;                               /* it was moved onto the constraints, */
    double *shift, *plain;                      /* n: the last shift, and the point before it */
    double *kink_mode, *kink_seen, *kink_probe; /* conditions in outputs alone */
    double *g_seen, *g_probe;                   /* switching functions: at all probes of a step; at one */
    bool never_sticks;      /* explicit steps of a fixed size would leap out of the stiff layer of a sign */
    bool *passed;           /* per switch: its kink is passed in this step */
    bool *turned, *crossed; /* changed at the event; a sign from one side to the other */
    bool *decided;          /* by what comes after the event: it keeps its value there */
    double *g_aside, *aside, *aside_rate; /* switching functions and a point near the one looked at */
    double last_length;                   /* of the last step in which relations were looked for */
    double *g_part;                       /* switching functions at probes of a part of a step */
    double *g_before;                     /* switching functions with the branch in force, while another one is tried */
    double *arrived, *arrived_rate;       /* the point before an event, */
    double *mode_arrived;                 /* and per switch: its branch */
    bool smooth;                          /* steps pass no kink unseen */
    bool has_conditions;                  /* conditions on more than time, */
    bool has_implicit;                    /* and on x' or z */
    dd_kink_stops kink_stops;
    uint64_t live_for, live_rest; /* steps with relations within noEvent as written; the next time */
    uint32_t near_events;         /* events in a row without progress */
    double last_event;
    double kink_bound; /* ahead: a step ends there, between a kink and where the branch before it has no solution */
    bool undone;       /* the last step was */
    bool rejoined;     /* it ended on another branch and was put back; */
    bool branch_told;  /* that was said */
    double *near_w;    /* n: where the first of them was */
    dd_moment_vec event_times;
    dd_requests show;                                  /* what pages and printed values show; none: all */
    const char *written, *reported, *plotted, *filmed; /* files of the trajectory, page, plot and film, once written */
    dd_string_vec overlays;                            /* trajectories that are drawn over the run */
};

/* ---- sim.c ---- */
/* The start with the present numbers, the integrator and the watch that begin there. Raises. */
void dd_sim_make_start(dd_sim *sim);
double dd_sim_tolerance(const dd_sim *sim);

/* ---- alpha.c ---- */
/* Baumgarte's alpha, 0 without; before the start is known, and with it. */
double dd_sim_first_alpha(const dd_sim *sim);
double dd_sim_alpha(const dd_sim *sim);

/* ---- unfed.c ---- */
/* Is the variable no input, or one that has a formula or a column? */
bool dd_sim_is_fed(const dd_sim *sim, uint32_t var);
/* Messages about inputs that nothing feeds, once. */
void dd_sim_tell_unfed(dd_sim *sim);

/* ---- run_events.c ---- */
/* The declared column whose value unknown j is; DD_NO_INDEX: none. */
uint32_t dd_sim_column_of(const dd_sim *sim, uint32_t j);

/* ---- run.c ---- */
/* Ends the run with this status and this sentence. */
void dd_sim_end(dd_sim *sim, dd_sim_status status, const char *reason);

/* ---- method.c ---- */
/* A method with an integrator to itself; a new one is an entry of the list in method.c. */
typedef struct dd_sim_method {
    const char *name;
    uint32_t least, most;  /* the number behind "name-"; 0, 0: the name alone */
    uint32_t argument;     /* of make, when there is no number */
    bool own_steps;        /* it chooses its steps: the option step is refused, */
    const char *with_step; /* and this is what to use with it */
    bool given_steps;      /* it needs the option step */
    bool starts_low;       /* begins with its lowest order, and small steps, after every restart */
    bool also_tableau;     /* dd_tableau_new knows which numbers are possible */
    dd_status (*make)(dd_sim *sim, dd_integ_options *o, uint32_t argument);
} dd_sim_method;
/* NULL when it is the name of a tableau, or of nothing. */
const dd_sim_method *dd_sim_method_named(const char *name, uint32_t *argument);
const char *dd_sim_method_listed(uint32_t i); /* NULL behind the last */
/* By the options; messages of wrong names are in the context. */
dd_status dd_sim_make_integrator(dd_sim *sim);
/* Another one in its place, by name. */
dd_status dd_sim_use_method(dd_sim *sim, const char *name);
/* Do the options name an explicit Runge-Kutta method? */
bool dd_sim_method_is_explicit(const dd_sim *sim);
/* Is it the method, not the equations (of index above 1), that leaves something undetermined in every step? */
bool dd_sim_method_leaves_open(const dd_sim *sim);
/* Chooses the dummies at a point; DD_INVALID_ARGUMENT with a message when it cannot be done. Frees the integrator. */
dd_status dd_sim_choose_dummies(dd_sim *sim, double t, const double *w);
/* ---- sim_options.c ---- */
/* DD_OK, or DD_INVALID_ARGUMENT with a message; t0 and t_stop are settled. */
dd_status dd_sim_check_options(const dd_sim *sim);
bool dd_sim_options_possible(const dd_sim_options *options, char *why); /* DD_OPTION_WHY bytes */

/* ---- events.c ---- */
/* Branches at the start, from g there. */
void dd_sim_first_modes(dd_sim *sim);
/* The next moment after t at which a condition on time alone changes; INFINITY without. */
double dd_sim_next_time_event(const dd_sim *sim, double t);
/* A list of switches of the run as the search for crossings wants it. */
dd_crossings dd_sim_crossings(dd_sim *sim, const dd_switch_vec *list, const double *mode, dd_crossing_values evaluate,
                              double *g_seen, double *g_probe);
/* Looks for changes of sign within the last step. True: *at is the first, *which the switch. */
bool dd_sim_find_event(dd_sim *sim, double *at, uint32_t *which);
/* Flips the switches that change at t (which: the one found during the run, DD_NO_INDEX at a moment known before),
 * by the point in sim->w and sim->wdot. */
void dd_sim_pass_event(dd_sim *sim, double t, uint32_t which);
/* Flips switches that are on the wrong side at the point in sim->w and sim->wdot. True: some were. */
bool dd_sim_settle(dd_sim *sim, double t, uint32_t which);
/* Relations on the same bound as k take the side that k is on. */
void dd_sim_turn_twins(dd_sim *sim, uint32_t k);
/* Has something else changed than abs and sign, which are no events of the language? */
bool dd_sim_is_event(const dd_sim *sim, uint32_t which);

void dd_sim_note_event(dd_sim *sim, double t);

/* ---- layers.c ---- */
/* Switching functions at a point; of a sign that sticks: how strongly it is held. */
void dd_sim_switching(dd_sim *sim, double t, const double *w, const double *wdot, double *g);
/* Sign k at g = 0: it sticks, in a layer within the tolerance, when both sides push it back (true); else it
 * takes the side that the solution leaves to. */
bool dd_sim_slide(dd_sim *sim, uint32_t k, double t, const double *w, const double *wdot);
/* The same for signs that have just changed sides, at the point in sim->w. True: some stick. */
bool dd_sim_slide_all(dd_sim *sim, double t);
bool dd_sim_sticks(const dd_sim *sim);
/* Relations that are at their bound too when another one changes, and leave their value at once. True: some did; x'
 * and z in sim->w and sim->wdot are those behind it. */
bool dd_sim_turn_at_once(dd_sim *sim, double t, uint32_t which);
/* Layers of powers at a point, by the tolerance of the unknowns in their bases. */
void dd_sim_set_margins(dd_sim *sim, double t, const double *w, const double *wdot);
void dd_sim_no_margins(dd_sim *sim);
/* Switch k changes at `at` within the last step. Soft, or at its bound anyway: is what that makes of the rest of the
 * step below the tolerance? */
bool dd_sim_passes_kink(dd_sim *sim, uint32_t k, double at);
/* The switches passed in the last step take the values in force at its end. */
void dd_sim_leave_kinks(dd_sim *sim);

/* ---- literal.c ---- */
/* Relations within noEvent are frozen from this point on, unless steps have a given size. */
void dd_sim_freeze_literals(dd_sim *sim, double t, const double *w, const double *wdot);
void dd_sim_first_literals(dd_sim *sim);
/* They are taken as written to the end of the run: they switch back and forth. False: they were. */
bool dd_sim_stays_literal(dd_sim *sim);
/* The same for some steps, since no step succeeds with them frozen. */
bool dd_sim_try_literally(dd_sim *sim);
/* After a step: are they to be frozen again? */
void dd_sim_rest_literals(dd_sim *sim);

/* ---- kinks.c ---- */
/* Conditions in outputs at a point, where the solver starts. */
void dd_sim_first_kinks(dd_sim *sim, double t, const double *w, const double *wdot);
/* Their changes within the last step, up to until: rows on both sides, unless rows are those of a grid. False: the
 * status says why; *stopped is then the moment, where the solution ends at one of them. */
bool dd_sim_add_kinks(dd_sim *sim, double until, double *stopped);

/* ---- dense.c ---- */
/* Are there points between the ends of steps to be found? Not with sensitivities, which are those of the
 * polynomials. */
bool dd_sim_inner_wanted(const dd_sim *sim);
/* For the integrator that was just made for this problem with these options: radau, or one by sim->tableau. */
dd_status dd_sim_make_inner(dd_sim *sim, const dd_problem *problem, const dd_integ_options *options, bool radau);
/* Before every step: what the solution was. */
void dd_sim_dense_before(dd_sim *sim);
/* x at t_old <= t <= it->t, within the last step, into sim->w; z and x' there are guesses. Then what follows from x. */
void dd_sim_differential(dd_sim *sim, double t);
void dd_sim_solve_rest(dd_sim *sim, double t);
/* Both; user is the dd_sim. */
void dd_sim_state(void *user, double t);
/* x alone. */
void dd_sim_state_x(void *user, double t);
/* Is the polynomial of the last step no guide for signs? */
bool dd_sim_dense_is_rough(const dd_sim *sim);
/* The inner integrator at the beginning of the last step. Of methods with given steps it takes one step to a row; where
 * that fails, this many. */
enum { DD_INNER_MANY = 8 };
void dd_sim_start_inner(dd_sim *sim);
/* How far the algebraic unknowns are from this value, in tolerances. */
double dd_sim_z_off(const dd_sim *sim, const double *z);
/* Does the polynomial of z contradict what dd_sim_solve_rest has just found, while nobody knows which one is right? */
bool dd_sim_z_is_doubtful(const dd_sim *sim, double t);

/* ---- point.c ---- */
/* The solution at t_old <= t <= it->t, within the last step, into sim->w and sim->wdot. */
void dd_sim_point(dd_sim *sim, double t);
/* The weights with which it moves points onto the constraints. */
const double *dd_sim_point_weights(dd_sim *sim);
/* Are values those of the reduced system, since the method leaves the ends of steps open? */
bool dd_sim_is_completed(const dd_sim *sim);
/* All variables and assertions at a point of the solution, into sim->values. */
void dd_sim_values(dd_sim *sim, double t, const double *w, const double *wdot);

/* ---- valid.c ---- */
/* Does assertion i fail, by sim->values of time t? Those that only warn do not: the first time they are a message. */
bool dd_sim_assertion_fails(dd_sim *sim, uint32_t i, double t);
/* Looks at what is computed from the solution within the last step, up to t. DD_NO_INDEX when all is well; else what
 * is not: a column that is not finite, or declared + the assertion that does not hold, *first_bad, and the moment
 * before. */
uint32_t dd_sim_wrong_value(dd_sim *sim, double t, double *last_good, double *first_bad);

/* ---- sim_report.c ---- */
/* Warnings of the analysis that matter here: those of an answer without confirmation. */
uint32_t dd_sim_warning_count(const dd_sim *sim);

/* ---- stepping.c ---- */
/* Parameters that were set apply from now on. */
void dd_sim_renumber(dd_sim *sim);

/* ---- rows ---- */
/* 0: rows are the solver's steps. */
double dd_sim_row_spacing(const dd_sim *sim);
/* False: the status says why. */
bool dd_sim_add_row(dd_sim *sim, double t, const double *w, const double *wdot);
/* The same with the values that are in sim->values. */
bool dd_sim_keep_row(dd_sim *sim, double t, const double *w, const double *wdot);

/* ---- sim_steps.c ---- */
/* A step of the run, for the page. */
typedef enum dd_sim_step_column {
    DD_STEP_SIZE,
    DD_STEP_ORDER,    /* 0: not known */
    DD_STEP_ERROR,    /* in units of the tolerance; 0: no estimate */
    DD_STEP_RESIDUAL, /* of constraints: the largest; NAN without any */
    DD_STEP_COLUMNS
} dd_sim_step_column;
/* Keeps the last step, which went as far as `until`. False: memory ran out. */
bool dd_sim_note_step(dd_sim *sim, double until);
/* Figures of all steps. */
void dd_sim_add_steps(const dd_sim *sim, dd_page_writer *w, dd_pool *pool);

/* ---- sim_page.c ---- */
/* Points of the curves within the last step, up to `until`. */
dd_status dd_sim_add_curves(dd_sim *sim, double until);
/* Every declared variable as a curve, for plots; data: with all points. */
dd_curves dd_sim_curves(const dd_sim *sim, bool data, dd_pool *pool);
/* Per variable: was it asked for by dd_sim_show? All are, without requests. */
bool *dd_sim_shown(const dd_sim *sim, dd_pool *pool);
/* Variables whose values are listed: those that --show asks for, or all; more than `most` come in the order in which people
 * look for them. */
dd_index_vec dd_sim_listed(const dd_sim *sim, uint32_t most, dd_pool *pool);

/* ---- sim_scene.c ---- */
/* The motion of what the model draws; NULL: it draws nothing. Raises. */
dd_scene *dd_sim_scene(dd_sim *sim, dd_pool *pool);

#endif
