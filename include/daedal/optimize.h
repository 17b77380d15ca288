/* optimize.h - optimal control: the optimization class of a model, transcribed, solved, checked.
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

/* Where the constraints of a model of index 2 and more are imposed; along the rest they hold by themselves. A start that
 * its conditions determine is computed and imposed whole, except with `end`. */
typedef enum dd_ocp_consistency { DD_OCP_AT_START, DD_OCP_AT_END, DD_OCP_NOWHERE } dd_ocp_consistency;

/* Baumgarte: (d/dt + alpha)^k c = 0 in place of the k-th derivative of a constraint c. */
typedef enum dd_ocp_stabilization { DD_OCP_UNSTABILIZED, DD_OCP_BAUMGARTE } dd_ocp_stabilization;

typedef enum dd_ocp_hessian { DD_OCP_EXACT, DD_OCP_BFGS, DD_OCP_GAUSS_NEWTON } dd_ocp_hessian;
DD_API const char *dd_ocp_hessian_name(dd_ocp_hessian hessian); /* "exact", "bfgs", "gauss-newton" */

/* One line of the iteration table. */
typedef struct dd_ocp_iteration {
    uint32_t number; /* of this solve, from 0 */
    double objective, violation, dual_infeasibility, barrier;
    double step, regularization, alpha; /* size of the step, what was added to the Hessian, how much of it was taken */
    bool restoration;                   /* the solver is looking for a feasible point alone */
    uint32_t solve;                     /* from 1: another mesh, another start; */
    const char *title;                  /* which: "50 intervals", "start 2: 50 intervals" */
} dd_ocp_iteration;

typedef struct dd_ocp_options {
    uint32_t intervals;             /* 0: 50, and finer by itself where these are too coarse */
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
    bool
        start_given; /* the state at the start is what dd_ocp_set and dd_ocp_set_start give: the model's own conditions at
                         the start do not apply, nor constraints on values at startTime */
    bool
        program_only; /* the program on the first mesh is solved and no more: no error estimate, no simulation, no further
                          meshes or guesses beside it. For programs that are solved again and again */
    bool coarse;      /* solve on a coarse mesh first; it is tried without this too when the first solve fails */
    double refine;    /* the mesh is refined until the estimated error is below; 0: it is left as it is */
    bool multipliers;      /* JSON, table and page show them */
    uint32_t threads;      /* of functions and linear algebra; 0 and 1: one. Results of `daedal` do not depend on it */
    uint32_t permutation;  /* the solver sees variables and rows in another order, for tests: not 0, one of many */
    double seconds_before; /* spent on reading and analysing the model: counts as set-up */
    void *user;
    /* After each iteration; false stops. NULL: none. Called from the thread of the solver, while the caller's waits. */
    bool (*progress)(void *user, const dd_ocp_iteration *it);
} dd_ocp_options;
DD_API dd_ocp_options dd_ocp_options_default(void);

/* Status `inaccurate`: the program is solved, but its solution is no motion of the model: the estimated error of an interval
 * is above 1e-3 or not finite, `refine` was not reached, or a simulation differs by more than 1e-2 and one finer mesh
 * changes objective or states by as much. The trajectory is there all the same. */
typedef struct dd_ocp_info {
    dd_ocp_status status;
    double objective, start_time, final_time;
    uint32_t iterations, variables, equalities, inequalities;
    double violation; /* of any row or bound, relative to max(1, nominal) */
    /* In variables of size 1, relative to max(1, size of the objective and its gradient). */
    double dual_infeasibility, complementarity;
    /* Wall time. setup: from the text to the solver, on every mesh; solve: the iterations of the solver; verify: the rest,
     * which is the error estimate, the simulation under the optimal control, cheaper solutions beside this one and, where
     * there is no solution, why. total = setup + solve + verify. */
    double seconds_total, seconds_setup, seconds_solve, seconds_verify;
    /* In the solver: functions of the program, the rest, and of this the linear systems (0: the solver does not say). */
    double seconds_evaluate, seconds_linear_algebra, seconds_factor;
    double cpu_setup, cpu_solve, cpu_verify; /* seconds of the processor, of all threads, since dd_ocp_solve began */
    const char *solver;                      /* that ran: "daedal" */
    const char *reason;                      /* "" when optimal */
    /* Accuracy; NaN where there is none. Differences of states are relative to max(nominal, max|x|). */
    double estimated_error;       /* largest over the intervals, of an accurate integration from x_k */
    double objective_change;      /* relative, from the mesh before the last to the last */
    double simulation_difference; /* of a simulation over the whole horizon under the optimal control */
    uint32_t meshes, intervals;   /* solved; of the last */
    uint32_t worst_interval;      /* the one with the largest error, from 1; 0: not known */
    double worst_from, worst_to;  /* its times (of phases: parts of each phase, 0 to 1) */
    const char *worst_state;      /* the state that differs most there; "": the model cannot be integrated there */
    const char *note; /* what a user must know of a good solution: that it is unstable in open loop; or "" */
} dd_ocp_info;

/* The system must be of a model with an optimization class, and outlive it. options may be NULL. */
DD_API dd_status dd_ocp_new(dd_ocp **out, const dd_system *system, const dd_ocp_options *options);
DD_API void dd_ocp_free(dd_ocp *ocp); /* NULL is fine */
/* May be called again: it begins again, and the former result is gone. Asked to stop (Ctrl-C, the time limit) it
 * succeeds with status `interrupted` or `time_limit` and the best it has; dd_ocp_has_trajectory says whether that is
 * anything. */
DD_API dd_status dd_ocp_solve(dd_ocp *ocp);
DD_API bool dd_ocp_has_trajectory(const dd_ocp *ocp);
DD_API dd_ocp_info dd_ocp_get_info(const dd_ocp *ocp);

/* The solution: every variable and control, in the order of their declaration; numbers of what is decided beside them. 0
 * and "" before there is a trajectory. Texts live as long as the solution. */
DD_API uint32_t dd_ocp_variable_count(const dd_ocp *ocp);
DD_API const char *dd_ocp_variable_name(dd_ocp *ocp, uint32_t i);
/* At time t (of a problem with phases: the part of each phase that is over, 0 to 1): one value per variable. left: the
 * limit from the left where something jumps. DD_INVALID_ARGUMENT outside of the horizon. */
DD_API dd_status dd_ocp_values(dd_ocp *ocp, double t, bool left, double *values);
DD_API uint32_t dd_ocp_parameter_count(const dd_ocp *ocp);
DD_API const char *dd_ocp_parameter_name(dd_ocp *ocp, uint32_t i);
DD_API double dd_ocp_parameter(const dd_ocp *ocp, uint32_t i); /* NaN without */

/* ---- set and solve again: nothing is read, analysed or compiled again ----
 *
 *     o.start_given = o.program_only = true;  o.intervals = 20;  o.control = DD_OCP_CONSTANT;
 *     dd_ocp_new(&ocp, system, &o);  dd_ocp_solve(ocp);
 *     for (;;) {
 *         dd_ocp_set(ocp, "sRef", reference());                   // parameters by name
 *         dd_ocp_set_start(ocp, t, state);                        // where it begins, and when
 *         dd_ocp_solve_again(ocp, &(dd_ocp_again){.shift = 1});   // from the solution before, one interval later
 *         dd_ocp_controls(ocp, t, u);
 *     }
 */

/* A number by name, for the next solve: a parameter (those bound to it, and bounds written in it, follow), `NAME.min` or
 * `NAME.max` of a state, an algebraic variable or a control, or the start value of a variable (the latter for dd_ocp_solve
 * only). DD_INVALID_ARGUMENT, with a message and nothing changed, for a name that does not exist, for constants, for what
 * the optimization decides, and for parameters that shaped the model or its analysis. */
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
    uint32_t shift; /* intervals by which the solution before is moved towards the start, with its multipliers */
    uint32_t max_iterations; /* 0: the options' */
    double max_seconds;      /* 0: no limit; the iterate then is the best so far, status time_limit */
    double barrier;          /* where the barrier begins; 0: chosen */
} dd_ocp_again;

/* Solves the program of the last dd_ocp_solve with all that was set, from its last solution. Status and objective are in
 * dd_ocp_get_info, without an error estimate. Collocation only; DD_INVALID_ARGUMENT before dd_ocp_solve has found a
 * solution. how may be NULL. With the solver `daedal` nothing is allocated after the first call, unless bounds follow from
 * a parameter that was set. */
DD_API dd_status dd_ocp_solve_again(dd_ocp *ocp, const dd_ocp_again *how);

/* The solution at time t: controls and states; what the next solve begins from is replaced by dd_ocp_guess. */
DD_API dd_status dd_ocp_controls(dd_ocp *ocp, double t, double *controls);
DD_API dd_status dd_ocp_states(dd_ocp *ocp, double t, double *states);
/* The guess of the next dd_ocp_solve_again: states and controls at n times (row by row), linear in between. */
DD_API dd_status dd_ocp_guess(dd_ocp *ocp, const double *times, uint32_t n, const double *states,
                              const double *controls);

/* The costate of a state at time t, by name: the derivative of the objective by that state there. NaN where there is
 * none. And the multipliers of a constraint (as written, or the equation of a state), as a density in time: 0 where it is
 * inactive. */
DD_API double dd_ocp_costate(dd_ocp *ocp, const char *state, double t);
DD_API double dd_ocp_multiplier(dd_ocp *ocp, const char *constraint, double t);

/* Everything up to the solve, and not the solve: what `daedal check` says about an optimization class. The info then has
 * the sizes on the mesh of the options, and a reason when the problem is refused. */
DD_API bool dd_system_has_optimization(const dd_system *system);
DD_API dd_status dd_ocp_inspect(dd_ocp *ocp);
/* The report of dd_system_json with one more key, "optimization", and that of dd_system_text with one more section; valid until the next call or dd_ocp_free. */
DD_API dd_status dd_ocp_inspect_json(const char **out, dd_ocp *ocp);
DD_API dd_status dd_ocp_inspect_text(const char **out, dd_ocp *ocp, bool colour);
/* Does the problem contradict itself, so that there is nothing to solve? */
DD_API bool dd_ocp_is_contradictory(const dd_ocp *ocp);

/* The answer as JSON and as text for people; valid until the next call or dd_ocp_free. */
DD_API dd_status dd_ocp_json(const char **out, dd_ocp *ocp);
DD_API dd_status dd_ocp_text(const char **out, dd_ocp *ocp, bool colour);
/* The trajectory: a row per interval boundary and collocation point, two where something jumps, and more where a control
 * is a polynomial, so that it is linear between them to 1e-6. With the option `multipliers` also costates and densities
 * of multipliers. */
DD_API dd_status dd_ocp_write_csv(dd_ocp *ocp, const char *path);
/* A page with plots, which needs no other file; also where there is no trajectory: then it says why. */
DD_API dd_status dd_ocp_write_report(dd_ocp *ocp, const char *path);
/* A picture with a panel for each request, as dd_sim_write_plot; DD_INVALID_ARGUMENT for a name that does not exist. The
 * second one only looks, before the solve (with the option `multipliers` it does not: their names are not known yet). */
DD_API dd_status dd_ocp_write_plot(dd_ocp *ocp, const char *path, const char *const *requests, uint32_t count);
DD_API dd_status dd_ocp_check_plot(dd_ocp *ocp, const char *const *requests, uint32_t count);

#ifdef __cplusplus
}
#endif

#endif
