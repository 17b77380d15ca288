/* again.h - an optimization that is solved again and again, for closed loops: its parts, moved plans, softened rows, and
 * one step of sequential quadratic programming in two halves. After dd_ocp_solve. */
#ifndef DD_OCP_AGAIN_H
#define DD_OCP_AGAIN_H

#include "daedal/optimize.h"
#include "ocp/transcription.h"

/* With the numbers that were set. */
const dd_system *dd_ocp_system_of(const dd_ocp *p);
dd_ocp_problem *dd_ocp_problem_of(const dd_ocp *p);
dd_transcription *dd_ocp_transcription_of(const dd_ocp *p);
const dd_nlp_result *dd_ocp_result_of(const dd_ocp *p);

/* Before dd_ocp_solve: these parameters are known functions of time over the horizon, from tables that may change between
 * solves. They must live as long. */
void dd_ocp_use_preview(dd_ocp *p, const dd_data_column_vec *columns);

/* dd_ocp_set of the parameter with this number in the model. Allocates nothing where nothing else follows from it. */
dd_status dd_ocp_set_parameter(dd_ocp *p, uint32_t var, double value);

/* x, z and u of the solution at time t, after a jump there. */
dd_status dd_ocp_point(dd_ocp *p, double t, double *x, double *z, double *u);
/* u at time t as the interval of the mesh has it that contains the time `inside`: on either side of a jump. */
void dd_ocp_controls_beside(const dd_ocp *p, double t, double inside, double *u);
/* After the solution was replaced: its times become those of the info, by which it is read. */
void dd_ocp_retime(dd_ocp *p);
/* The final time that the next solve begins from, within its bounds; of a class whose final time is free. */
void dd_ocp_guess_final_time(dd_ocp *p, double time);
/* Algebraic variables of the guess: the same at all points. dd_ocp_guess leaves them as they are. */
void dd_ocp_guess_algebraic(dd_ocp *p, const double *z);
/* The solution becomes the guess of the next solve: moved by intervals. */
dd_status dd_ocp_shift(dd_ocp *p, uint32_t intervals);

/* Path inequalities and bounds of states give way as little as possible, then the cost is minimised with these. `moved` (may
 * be NULL) is the largest amount, and `names` (may be NULL) says which rows gave way, in the optimization's memory: "" when none
 * had to. The next solve has all rows as they were. DD_OK whatever the verdict, which is in the info. */
dd_status dd_ocp_solve_softened(dd_ocp *p, const dd_ocp_again *how, double *moved, const char **names);

/* What gives way in groups, each by one amount: path inequalities, then states, then algebraic variables, in their order. */
typedef struct dd_soft_groups {
    uint32_t count;
    uint32_t *row, *variable; /* m, n: the group, or DD_ELASTIC_HARD (nlp/elastic.h) */
    double *size;             /* of an amount: in the program's own scale */
} dd_soft_groups;
dd_soft_groups dd_soft_groups_of(const dd_transcription *t, dd_pool *pool);
/* An amount of 1 in the user's units; and what gives way, the constraint in the user's words or the variable. */
double dd_soft_unit(const dd_ocp_problem *o, uint32_t group);
const char *dd_soft_name(const dd_ocp_problem *o, uint32_t group, bool upper, dd_pool *pool);

/* The program at its guess becomes a quadratic one (before the measurement); then dd_ocp_set_start, and the solution of that
 * (after it): in dd_ocp_get_info and the trajectory as usual. is_motion: the guess is near enough to a motion for that. */
dd_status dd_ocp_linearize(dd_ocp *p, bool *is_motion);
dd_status dd_ocp_solve_linearized(dd_ocp *p, const dd_ocp_again *how);

/* Numbers of a plan: variables, multipliers of bounds and of rows; copied from the solution, or back to it. */
size_t dd_ocp_plan_length(const dd_ocp *p);
void dd_ocp_copy_plan(dd_ocp *p, double *plan, bool back);
/* One iteration whose result is dropped: then the solver has its plans and has touched its memory, and the first of many short
 * solves is not charged for them. plan: memory for the numbers of a plan. */
dd_status dd_ocp_rehearse(dd_ocp *p, double *plan);

/* Memory for the steps below, so that they allocate nothing. condensed: they can be taken. */
dd_status dd_ocp_reserve_steps(dd_ocp *p, bool *condensed);
/* Up to `most` whole steps of sequential quadratic programming from the guess, with its multipliers, until no equation is
 * off by more than `near` of its terms; a step that leads farther away is taken back. Where this ends is the guess of the next
 * solve, which has the verdict: here the status is iteration_limit, or infeasible where the rows of a quadratic program
 * contradict each other; iterations: the steps that were taken. */
dd_status dd_ocp_take_steps(dd_ocp *p, uint32_t most, double near);

#endif
