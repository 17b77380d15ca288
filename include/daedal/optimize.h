/* optimize.h - optimal control: the optimization class of a model is transcribed, solved and verified.
 *
 *     dd_ocp_options o = dd_ocp_options_default();
 *     dd_ocp *ocp;
 *     if (dd_ocp_new(&ocp, system, &o) == DD_OK && dd_ocp_solve(ocp) == DD_OK)
 *         printf("%s %g\n", dd_ocp_status_name(dd_ocp_get_info(ocp).status), dd_ocp_get_info(ocp).objective);
 *     dd_ocp_free(ocp);
 *
 * A problem that has no solution is a status of a successful call, not a failure.
 */
#ifndef DAEDAL_OPTIMIZE_H
#define DAEDAL_OPTIMIZE_H

#include "daedal/check.h"
#include "daedal/export.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dd_ocp dd_ocp;

#define DD_OCP_STATUS_LIST(X)                                                                                          \
    X(OPTIMAL, "optimal")                                                                                              \
    X(ACCEPTABLE, "acceptable")                                                                                        \
    X(INACCURATE, "inaccurate")                                                                                        \
    X(INFEASIBLE, "infeasible")                                                                                        \
    X(UNBOUNDED, "unbounded")                                                                                          \
    X(ITERATION_LIMIT, "iteration_limit")                                                                              \
    X(TIME_LIMIT, "time_limit")                                                                                        \
    X(EVALUATION_ERROR, "evaluation_error")                                                                            \
    X(INTERRUPTED, "interrupted")                                                                                      \
    X(INVALID_MODEL, "invalid_model")
typedef enum dd_ocp_status {
#define DD_OCP_STATUS_ENUM(id, name) DD_OCP_##id,
    DD_OCP_STATUS_LIST(DD_OCP_STATUS_ENUM)
#undef DD_OCP_STATUS_ENUM
} dd_ocp_status;
DD_API const char *dd_ocp_status_name(dd_ocp_status status);

/* chosen: constant; with `refine` polynomial (of shooting: linear) where the controls turn out to be smooth. */
typedef enum dd_ocp_control { DD_OCP_CONSTANT, DD_OCP_LINEAR, DD_OCP_POLYNOMIAL, DD_OCP_CHOSEN } dd_ocp_control;

/* Where the constraints of a model of index 2 and more are imposed; along the rest of the horizon they hold by
 * themselves. A start that its conditions determine is computed and imposed as a whole, except with `end`. */
typedef enum dd_ocp_consistency { DD_OCP_AT_START, DD_OCP_AT_END, DD_OCP_NOWHERE } dd_ocp_consistency;

/* Baumgarte: (d/dt + alpha)^k c = 0 in place of the k-th derivative of a constraint c. */
typedef enum dd_ocp_stabilization { DD_OCP_UNSTABILIZED, DD_OCP_BAUMGARTE } dd_ocp_stabilization;

typedef enum dd_ocp_hessian { DD_OCP_EXACT, DD_OCP_BFGS, DD_OCP_GAUSS_NEWTON } dd_ocp_hessian;
DD_API const char *dd_ocp_hessian_name(dd_ocp_hessian hessian); /* "exact", "bfgs", "gauss-newton" */

/* One line of the iteration table. */
typedef struct dd_ocp_iteration {
    uint32_t number; /* of this solve, from 0 */
    double objective, violation, dual_infeasibility, barrier;
    double step, regularization, alpha; /* step size, regularisation of the Hessian, fraction of the step taken */
    bool restoration;                   /* the solver looks for a feasible point only */
    uint32_t solve;                     /* number of the solve, from 1: one for each mesh and each start */
    const char *title;                  /* of the solve: "50 intervals", "start 2: 50 intervals" */
} dd_ocp_iteration;

typedef struct dd_ocp_options {
    uint32_t intervals;             /* 0: 50, refined automatically where that is too coarse */
    uint32_t degree;                /* 3; 1 to 9 */
    bool legendre;                  /* nodes; default radau */
    dd_ocp_control control;         /* chosen */
    bool shooting;                  /* multiple shooting instead of collocation */
    const char *integrator;         /* of shooting: a fixed-step Runge-Kutta method; NULL: "radau-3" */
    uint32_t substeps;              /* its steps in an interval: 1 */
    dd_ocp_hessian hessian;         /* exact; gauss-newton with shooting only */
    const char *solver;             /* of the nonlinear program: "daedal" or "ipopt"; NULL: daedal */
    double tolerance;               /* 1e-8 */
    uint32_t max_iterations;        /* 3000 */
    dd_ocp_stabilization stabilize; /* none */
    double alpha;                   /* of baumgarte; 0: 1 */
    dd_ocp_consistency consistency; /* at the start */
    const char *guess;   /* NULL: initialGuess and start values; "linear", "simulate" or the name of a CSV file */
    uint32_t multistart; /* solve from this many guesses and take the best; 0 and 1: one */
    /* dd_ocp_set and dd_ocp_set_start set the state at the start: the model's own conditions at the start and
     * constraints on values at startTime do not apply */
    bool start_given;
    /* only the program on the first mesh is solved, without error estimate, simulation, further meshes or guesses: for
     * programs that are solved repeatedly */
    bool program_only;
    bool coarse;           /* solve on a coarse mesh first; without this it is tried if the first solve fails */
    double refine;         /* the mesh is refined until the estimated error is below this; 0: no refinement */
    bool multipliers;      /* JSON, table and page show them */
    uint32_t threads;      /* of functions and linear algebra; 0 and 1: one. Results of `daedal` do not depend on it */
    uint32_t permutation;  /* for tests: if not 0, the solver sees variables and rows in order number N of many */
    double seconds_before; /* spent on reading and analysing the model, part of the set-up time */
    void *user;
    /* After each iteration; false stops. NULL: none. Called from the thread of the solver, while the caller's waits. */
    bool (*progress)(void *user, const dd_ocp_iteration *it);
} dd_ocp_options;
DD_API dd_ocp_options dd_ocp_options_default(void);

/* Status `inaccurate`: the program is solved, but its solution is not a motion of the model: the estimated error of
 * an interval is above 1e-3 or not finite, `refine` was not reached, or a simulation differs by more than 1e-2 and
 * one finer mesh changes objective or states by as much. The trajectory is still available. */
typedef struct dd_ocp_info {
    dd_ocp_status status;
    double objective, start_time, final_time;
    uint32_t iterations, variables, equalities, inequalities;
    uint32_t iterations_solve; /* of the iterations: those that led to the solution, without those that verify it */
    double violation;          /* of any row or bound, relative to max(1, nominal) */
    /* In variables of size 1, relative to max(1, size of the objective and its gradient). */
    double dual_infeasibility, complementarity;
    /* Wall time. setup: from the text to the solver, on every mesh, and motions that are simulated as guesses; solve:
     * the iterations of the solver, on all meshes that led to the solution; verify: the rest, which is the error
     * estimate, the simulation under the optimal control, a finer mesh that confirms the solution and is not kept, the
     * search for cheaper solutions if it found none and, if there is no solution, the search for the reason.
     * total = setup + solve + verify. */
    double seconds_total, seconds_setup, seconds_solve, seconds_verify;
    /* Within the solve: functions of the program, the rest, and the part of it spent on linear systems (0: unknown). */
    double seconds_evaluate, seconds_linear_algebra, seconds_factor;
    double cpu_setup, cpu_solve, cpu_verify; /* seconds of the processor, of all threads, since dd_ocp_solve began */
    const char *solver;                      /* the solver that ran: "daedal" */
    const char *reason;                      /* "" when optimal */
    /* Accuracy; NaN if unknown. Differences of states are relative to max(nominal, max|x|). */
    double estimated_error;       /* largest over the intervals, of an accurate integration from x_k */
    double objective_change;      /* relative, from the mesh before the last to the last */
    double simulation_difference; /* of a simulation over the whole horizon under the optimal control */
    uint32_t meshes, intervals;   /* number of meshes solved; intervals of the last */
    uint32_t worst_interval;      /* the one with the largest error, from 1; 0: not known */
    double worst_from, worst_to;  /* its times (of phases: parts of each phase, 0 to 1) */
    const char *worst_state;      /* the state that differs most there; "": the model cannot be integrated there */
    const char *note;             /* a remark on a good solution, for example that it is unstable in open loop; or "" */
} dd_ocp_info;

/* The system must be of a model with an optimization class, and outlive it. options may be NULL. */
DD_API dd_status dd_ocp_new(dd_ocp **out, const dd_system *system, const dd_ocp_options *options);
DD_API void dd_ocp_free(dd_ocp *ocp); /* NULL is fine */
/* May be called again: it then starts over, and the previous result is lost. If it is stopped (Ctrl-C, the time
 * limit), it succeeds with status `interrupted` or `time_limit` and the best iterate; dd_ocp_has_trajectory says
 * whether there is one. */
DD_API dd_status dd_ocp_solve(dd_ocp *ocp);
DD_API bool dd_ocp_has_trajectory(const dd_ocp *ocp);
DD_API dd_ocp_info dd_ocp_get_info(const dd_ocp *ocp);

/* The solution: every variable and control, in the order of their declaration; then free parameters and times. 0 and ""
 * before there is a trajectory. Texts live as long as the solution. */
DD_API uint32_t dd_ocp_variable_count(const dd_ocp *ocp);
DD_API const char *dd_ocp_variable_name(dd_ocp *ocp, uint32_t i);
/* One value per variable at time t (with phases: a fraction of each phase, 0 to 1). left: at a jump, the limit from the
 * left. DD_INVALID_ARGUMENT outside the horizon. */
DD_API dd_status dd_ocp_values(dd_ocp *ocp, double t, bool left, double *values);
DD_API uint32_t dd_ocp_parameter_count(const dd_ocp *ocp);
DD_API const char *dd_ocp_parameter_name(dd_ocp *ocp, uint32_t i);
DD_API double dd_ocp_parameter(const dd_ocp *ocp, uint32_t i); /* NaN beyond the end */

/* ---- set and solve again: nothing is read, analysed or compiled again ----
 *
 *     o.start_given = o.program_only = true;  o.intervals = 20;  o.control = DD_OCP_CONSTANT;
 *     dd_ocp_new(&ocp, system, &o);  dd_ocp_solve(ocp);
 *     for (;;) {
 *         dd_ocp_set(ocp, "sRef", reference());                   // parameters by name
 *         dd_ocp_set_start(ocp, t, state);                        // the initial state and its time
 *         dd_ocp_solve_again(ocp, &(dd_ocp_again){.shift = 1});   // from the previous solution, one interval later
 *         dd_ocp_controls(ocp, t, u);
 *     }
 */

/* Sets a number by name, for the next solve: a parameter (those bound to it, and bounds written in it, follow),
 * `NAME.min` or `NAME.max` of a state, an algebraic variable or a control, or the start value of a variable (the
 * latter for dd_ocp_solve only). DD_INVALID_ARGUMENT, with a message and nothing changed, for a name that does not
 * exist, for constants, for quantities that are optimized, and for parameters that shaped the model or its analysis. */
DD_API dd_status dd_ocp_set(dd_ocp *ocp, const char *name, double value);

/* States of the problem, in the order of dd_ocp_set_start; controls likewise. Known after dd_ocp_solve or
 * dd_ocp_inspect. */
DD_API uint32_t dd_ocp_state_count(const dd_ocp *ocp);
DD_API const char *dd_ocp_state_name(const dd_ocp *ocp, uint32_t i);
DD_API uint32_t dd_ocp_control_count(const dd_ocp *ocp);
DD_API const char *dd_ocp_control_name(const dd_ocp *ocp, uint32_t i);

/* The next solve begins at this time with these states (dd_ocp_state_count of them, consistent: they must satisfy the
 * constraints of the model); a horizon that is not free keeps its length, a free end keeps its bounds. Needs the option
 * start_given. */
DD_API dd_status dd_ocp_set_start(dd_ocp *ocp, double time, const double *states);

typedef struct dd_ocp_again {
    uint32_t shift; /* intervals by which the previous solution is moved towards the start, with its multipliers */
    uint32_t max_iterations; /* 0: the options' */
    double max_seconds;      /* 0: no limit. At the limit the result is the best iterate, with status time_limit */
    double barrier;          /* first value of the barrier parameter; 0: automatic */
    double least_step;       /* a step cut to less than this part of Newton's ends the solve; 0: none does */
    bool cold; /* the guess is far from a solution: multipliers are computed again, and it is moved off the bounds */
} dd_ocp_again;

/* Solves the program of the last dd_ocp_solve again with the numbers that were set, from its last solution. Status
 * and objective are in dd_ocp_get_info, without an error estimate. Collocation only; DD_INVALID_ARGUMENT before
 * dd_ocp_solve has found a solution. how may be NULL. With the solver `daedal` nothing is allocated after the first
 * call, unless bounds follow from a parameter that was set. */
DD_API dd_status dd_ocp_solve_again(dd_ocp *ocp, const dd_ocp_again *how);

/* Controls and states of the solution at time t. */
DD_API dd_status dd_ocp_controls(dd_ocp *ocp, double t, double *controls);
DD_API dd_status dd_ocp_states(dd_ocp *ocp, double t, double *states);
/* Replaces the initial guess of the next dd_ocp_solve_again: states and controls at n times (row by row), linear in
 * between. */
DD_API dd_status dd_ocp_guess(dd_ocp *ocp, const double *times, uint32_t n, const double *states,
                              const double *controls);

/* The costate of a state at time t, by name: the derivative of the objective with respect to that state. NaN if
 * there is none. And the multipliers of a constraint (as written, or the equation of a state), as a density in time:
 * 0 where it is inactive, negative at a lower bound. A constraint on a variable alone is a bound: it goes by the name
 * of the variable. */
DD_API double dd_ocp_costate(dd_ocp *ocp, const char *state, double t);
DD_API double dd_ocp_multiplier(dd_ocp *ocp, const char *constraint, double t);

/* Does everything up to the solve: the analysis of an optimization class by `daedal check`. The info then has the
 * sizes on the mesh of the options, and a reason if the problem is refused. */
DD_API bool dd_system_has_optimization(const dd_system *system);
DD_API dd_status dd_ocp_inspect(dd_ocp *ocp);
/* The report of dd_system_json with one more key, "optimization", and that of dd_system_text with one more section;
 * valid until the next call or dd_ocp_free. */
DD_API dd_status dd_ocp_inspect_json(const char **out, dd_ocp *ocp);
DD_API dd_status dd_ocp_inspect_text(const char **out, dd_ocp *ocp, bool colour);
/* Whether the problem contradicts itself, so that there is nothing to solve. */
DD_API bool dd_ocp_is_contradictory(const dd_ocp *ocp);

/* The result as JSON and as text for people; valid until the next call or dd_ocp_free. */
DD_API dd_status dd_ocp_json(const char **out, dd_ocp *ocp);
DD_API dd_status dd_ocp_text(const char **out, dd_ocp *ocp, bool colour);
/* The trajectory: a row per interval boundary and collocation point, two where something jumps, and more where a
 * control is a polynomial, so that it is linear between them to 1e-6. With the option `multipliers` also costates
 * and densities of multipliers. */
DD_API dd_status dd_ocp_write_csv(dd_ocp *ocp, const char *path);
/* A self-contained page with plots; if there is no trajectory, the page states the reason. */
DD_API dd_status dd_ocp_write_report(dd_ocp *ocp, const char *path);
/* Figures that the page shows instead of all variables: requests as of dd_sim_write_plot, copied; none: everything. */
DD_API dd_status dd_ocp_show(dd_ocp *ocp, const char *const *requests, uint32_t count);
/* A picture with a panel for each request, as dd_sim_write_plot; DD_INVALID_ARGUMENT for a name that does not exist.
 * The second function only checks the requests, before the solve (but not with the option `multipliers`, whose names
 * are not known yet). */
DD_API dd_status dd_ocp_write_plot(dd_ocp *ocp, const char *path, const char *const *requests, uint32_t count);
/* The motion of what the model draws, and trajectories that are drawn over it, as dd_sim_write_film and
 * dd_sim_set_overlays. */
DD_API dd_status dd_ocp_write_film(dd_ocp *ocp, const char *path);
DD_API dd_status dd_ocp_set_overlays(dd_ocp *ocp, const char *const *files, uint32_t count);
DD_API dd_status dd_ocp_check_plot(dd_ocp *ocp, const char *const *requests, uint32_t count);

#ifdef __cplusplus
}
#endif

#endif
