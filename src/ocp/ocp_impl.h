/* ocp_impl.h - one optimization: problem, transcription, solution. */
#ifndef DD_OCP_OCP_IMPL_H
#define DD_OCP_OCP_IMPL_H

#include "daedal/options.h"
#include "ocp/estimate.h"
#include "ocp/guess.h"
#include "ocp/history.h"
#include "ocp/outputs.h"
#include "ocp/transcription.h"
#include "report/written.h"
#include "structure/variant.h"

/* The program on one mesh and its solution. */
typedef struct dd_ocp_meshed {
    dd_pool *pool; /* of the mesh and all that follows from it */
    dd_transcription *transcription;
    dd_nlp_result result; /* x: the solution in scaled variables */
    dd_ocp_info info;
} dd_ocp_meshed;

/* A constraint that repeats others at a point. */
typedef struct dd_repeat {
    uint32_t row;     /* of the problem's points */
    const char *from; /* the rows it repeats, in words */
    double size;      /* its largest change when a scaled variable changes by 1 */
    uint32_t others;  /* rows that could be left out instead of it follow in the list */
} dd_repeat;
typedef DD_VEC(dd_repeat) dd_repeat_vec;

/* One of several local optima. */
typedef struct dd_optimum {
    double objective;
    uint32_t count;     /* starts that led to it */
    uint32_t first;     /* the first of them, from 1 */
    const double *look; /* scaled states at a few times */
} dd_optimum;

/* Seconds of the clock and of the processor. */
typedef struct dd_spent {
    double wall, cpu;
} dd_spent;

/* Seconds of the clock that a solver reports of itself: all, functions of the program, linear systems. */
typedef struct dd_inside_solver {
    double total, evaluate, factor;
} dd_inside_solver;

/* What solves have taken. */
typedef struct dd_solving {
    dd_spent spent;
    dd_inside_solver inside;
    uint32_t iterations;
} dd_solving;

/* A solve that begins beside a solution: with its multipliers, or by way of a larger barrier. */
typedef enum dd_beside { DD_BESIDE_NOTHING, DD_BESIDE_WARM, DD_BESIDE_COLD } dd_beside;

struct dd_ocp {
    dd_context *ctx;
    dd_pool *pool;
    const dd_system *system;
    dd_ocp_options options;
    dd_ocp_info info;
    dd_requests show;                  /* figures and values that were asked for; they outlive solves */
    dd_pool *own;                      /* of the variant; it outlives solves */
    dd_string_vec overlays;            /* trajectories that are drawn over the solution; they outlive solves, too */
    const dd_data_column_vec *preview; /* parameters known over the horizon; NULL: none */
    dd_variant *variant;               /* the system with numbers that were set; NULL: none were */
    struct {
        double *x, *z, *u;                 /* one point: again.c */
        struct dd_linearized *model;       /* again_step.c; NULL: none yet */
        double *term;                      /* m: of its rows */
        double *plan;                      /* before the last of several steps */
        struct dd_condensed_qp *condensed; /* NULL: the program cannot be condensed */
        bool model_fine;                   /* all functions had a value where it was taken */
        bool is_motion;                    /* and the equations hold there but for a part of their terms */
    } again;
    bool outputs_stale; /* the functions of `outputs` have other numbers */
    bool bounds_set;    /* numbers that bounds may follow from changed since the last solve */
    dd_ocp_problem *problem;
    dd_pool *mesh_pool;
    dd_transcription *transcription;
    dd_team *team;               /* of `threads`; NULL: one */
    dd_tableau *tableau;         /* of shooting; NULL: collocation */
    const dd_nlp_solver *solver; /* that was asked for; NULL: the first that is available */
    dd_ocp_outputs *outputs;
    dd_guess_source *guess;
    struct dd_diagnosis *diagnosis;   /* why it is not optimal: diagnose.h; NULL: nothing to say */
    struct dd_statistics *statistics; /* of free parameters: statistics.h; NULL: none */
    DD_VEC(dd_optimum) optima;        /* of several starts, the best first */
    dd_string_vec tried;              /* guesses of the first solve and those that followed it, in words */
    dd_nlp_result result;             /* x: the solution in scaled variables */
    dd_nlp_memory memory;             /* of the solver, for solves of the present program */
    dd_ocp_meshed previous;           /* on the mesh before, while meshes are refined */
    dd_ocp_meshed aside;              /* another kind of control, while one is chosen */
    dd_ocp_meshed first;              /* the first solve, while bounds on speeds are tried (multistart.c) */
    dd_replay *replay;
    dd_replay_error error;      /* per interval: estimated */
    bool error_known;           /* of the present solution */
    double interval_error;      /* the largest of them */
    double cost_error;          /* of the integral in the objective, relative to it */
    double *cost_part;          /* per interval: the same; NULL: not known of the present solution */
    bool shortened;             /* memory ran out while something was explained that need not be */
    const char *unreached;      /* why the refinement ended before its tolerance; NULL: it did not */
    const char *simulated;      /* result of a simulation of the solution, in words; NULL: there was none */
    double *redundant_residual; /* per entry of the problem's `redundant`; NULL: not known */
    bool needs_polynomial;      /* inspection: controls were made polynomial for equalities at all times */
    double began;               /* wall clock */
    dd_spent setup;             /* so far */
    dd_solving solving;         /* the same; without solves that are tried and not kept */
    dd_solving trial;           /* since a verdict or a cheaper solution began to be looked for */
    bool verifying;             /* a finer mesh is to confirm the solution */
    bool confirming;            /* its objective alone, */
    double agrees_below;        /* by a feasible point that costs no more than this */
    bool agreed;                /* there was one, and the solve ended there */
    uint32_t iteration_cap;     /* of the next solve, which may be given up early; 0: the options' */
    bool persistent;            /* no other guess follows the present solve: only its cap ends it early */
    bool nearest;               /* the next solve stays as near to the solution before as it can */
    bool strays_near;           /* solves on finer meshes lose the solution before unless they do */
    bool approach;              /* the next solve goes to the nearest feasible point first */
    bool gave_up;
    bool moved;                /* a simulation for a guess reached the end of the horizon */
    uint32_t crawled, strayed; /* iterations in a row */
    uint32_t strayed_at_all;
    uint32_t rank_lost;
    double first_violation;
    bool compare_rows;                 /* rows that repeat others are looked for: leave_out.h */
    dd_repeat_vec repeats;             /* found and not yet left out */
    uint32_t stall_signs, stall_looks; /* in the present solve */
    dd_status look_failed;             /* of the last look at rows from inside the solver */
    uint32_t alternatives;             /* tried: alternatives.h */
    dd_beside beside;                  /* the present solve is one of them, */
    double to_beat;                    /* and this the objective that it must fall below, */
    uint32_t budget;                   /* within this many iterations */
    double gained;                     /* by them */
    uint32_t iterations_alternatives;
    double seconds_alternatives;
    bool repeated_said;
    uint32_t repeated_note;   /* of the problem's messages */
    dd_pool *text;            /* of the last report */
    dd_history *history;      /* of all solves */
    uint32_t solves;          /* of the solver, so far */
    const dd_ocp *instead_of; /* the run from the given guess, if this one tries other starts: several.h */
    uint32_t start;           /* of several, from 1; 0: there is one */
    uint32_t best_start, done_starts, failed_starts; /* of a run of other starts; the given guess is done */
    bool went_on;                                    /* to the verdict of the best of them */
    const char *title;                               /* of the present solve */
};

/* Starts again: results of an earlier solve are freed. */
dd_status dd_ocp_begin(dd_ocp *p);
/* The time now, and what has gone by since then, added to a sum. */
dd_spent dd_ocp_now(void);
void dd_ocp_add_spent(dd_spent *sum, dd_spent since);
/* A solver that began then has ended with this result: adds to what solves have taken so far. */
void dd_ocp_add_solve(dd_solving *sum, dd_spent since, const dd_nlp_result *result);
/* Solves that are tried begin, to confirm a solution or to find a cheaper one; or the last one is the solution from now
 * on: then they were part of its solve. */
void dd_ocp_begin_trial(dd_ocp *p);
void dd_ocp_keep_trial(dd_ocp *p);
/* The problem in the form that the method wants. Raises. */
dd_ocp_problem *dd_ocp_new_problem(dd_ocp *p);
/* All that comes before a mesh is transcribed: problem, guess, rows that follow or contradict each other. False
 * after a reason was given. Raises. */
bool dd_ocp_prepare(dd_ocp *p, dd_mesh *mesh);
/* Sizes of the program, from its transcription. */
/* Not solved, and more equalities than variables that are not fixed: rows repeat each other, or contradict. */
bool dd_ocp_overdetermined(const dd_ocp *p);
void dd_ocp_count_rows(dd_ocp *p);

/* ---- again.c ---- */
/* Room for one point of the solution, once. */
dd_status dd_ocp_need_room(dd_ocp *p);

dd_ocp_status dd_ocp_status_of(dd_nlp_status status);
/* What all solves of this optimization have in common: the solver. */
bool dd_ocp_options_possible(const dd_ocp_options *options, char *why); /* DD_OPTION_WHY bytes */
dd_nlp_options dd_ocp_solver_options(const dd_ocp *p);
/* Verdict and residuals of result, computed again, into info. Raises. */
void dd_ocp_read_info(dd_ocp *p);
/* Transcribes and solves; the solution before becomes `previous`. The mesh is copied. again: the guess is a
 * solution of a similar mesh. Raises. */
void dd_ocp_solve_on(dd_ocp *p, const dd_mesh *mesh, const dd_guess *guess, bool again);
/* Solves the present transcription again from result.x, with at most this many iterations. Raises. */
void dd_ocp_run_again(dd_ocp *p, uint32_t most);
/* The same from near a solution: with a small barrier; warm: with its multipliers and a barrier as small as at its
 * end. Raises. */
void dd_ocp_run_from(dd_ocp *p, uint32_t most, bool warm);
/* What a number that an objective is compared with is multiplied by: 1, or less where the solver scaled a small objective up.
 * A cost in m^2 is a cost in mm^2. */
double dd_ocp_cost_unit(const dd_ocp *p);
/* Products of multipliers and distances to bounds: the objective may still be too large by this much. */
double dd_ocp_gap(const dd_ocp *p);
void dd_ocp_forget_previous(dd_ocp *p);
/* The present solution, out of reach of the solves that follow, which free the previous one; there is none then. The
 * caller keeps it where dd_ocp_free finds it. */
dd_ocp_meshed dd_ocp_step_aside(dd_ocp *p);
dd_mesh dd_mesh_copy(const dd_mesh *mesh, dd_pool *pool);
/* Optimal, or nearly so. */
bool dd_ocp_solved(const dd_ocp *p);
/* A note of the report; the text lives as long as the problem. Raises. */
void dd_ocp_say(dd_ocp *p, const char *text);
/* How the present solve ended, which was not optimal: "ended with infeasible", "was given up after 200
 * iterations". The word iteration_limit is used for the user's limit alone. Raises. */
const char *dd_ocp_end_words(const dd_ocp *p);
/* Intervals to begin with. */
uint32_t dd_ocp_first_intervals(const dd_ocp *p);
/* Interrupted, or out of time. */
bool dd_ocp_stopped(const dd_ocp *p);
/* The previous one is the solution after all. */
void dd_ocp_take_back(dd_ocp *p);

/* ---- ocp_scene.c ---- */
/* The motion of what the model draws; NULL: it draws nothing, or has phases. Raises. */
struct dd_scene *dd_ocp_scene(dd_ocp *p, dd_pool *pool);
/* The number of every parameter of the model: as decided, or as given. p has a trajectory. Raises. */
const double *dd_ocp_all_parameters(dd_ocp *p, dd_pool *pool);

#endif
