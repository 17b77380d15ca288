/* run_impl.h - what the files of a run share: run.c (the loop), run_verdict.c (why it ends), run_rows.c (rows of the
 * trajectory), run_events.c (passing an event),
 * run_singular.c (singular points), run_branch.c (steps that end on another branch). */
#ifndef DD_SIM_RUN_IMPL_H
#define DD_SIM_RUN_IMPL_H

#include "sim/sim_impl.h"

/* ---- run_verdict.c ---- */
/* The run ends with this status and reason. */
void dd_run_stop(dd_sim *sim, dd_sim_status status, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Was the run asked to stop, by a signal or by its time limit? Then the status says so. */
bool dd_run_interrupted(dd_sim *sim);
/* The name of unknown j, "the solution" without one. */
void dd_run_name_unknown(const dd_sim *sim, uint32_t j, char *out, size_t size);
/* Is the last point off its constraints, by that many nominals, so far that it is no solution? The status says so. */
bool dd_run_left_constraints(dd_sim *sim, double off);
/* The words for that. */
void dd_run_tell_left(dd_sim *sim, double off);
/* A step failed: the status and the words for it. */
void dd_run_step_failed(dd_sim *sim, dd_step_verdict v);
/* The solution is there, its derivatives by parameters are not. */
void dd_run_sensitivities_failed(dd_sim *sim, double t, dd_step_verdict v);
/* Assertion i does not hold at t. */
void dd_run_assertion_failed(dd_sim *sim, uint32_t i, double t);
/* A value is wrong from first_bad on (see valid.c): the trajectory ends just before. */
void dd_run_value_failed(dd_sim *sim, uint32_t wrong, double last_good, double first_bad);
/* Returns false. */
bool dd_run_memory_ran_out(dd_sim *sim, double t);

/* ---- run_rows.c ---- */
/* Rows of the last step up to `until`: those of the grid, or its end. False: the status says why. */
bool dd_run_add_rows(dd_sim *sim, double until);
/* A grid determines how many rows there will be. More than memory may hold are refused before the first. */
void dd_run_expect_rows(dd_sim *sim);

/* ---- run.c ---- */
/* A run: everything that it changes is set again, and the first row; true when it can go on. Then to sim->t_goal, and what
 * is known at the end. */
bool dd_run_begin(dd_sim *sim);
void dd_run_go(dd_sim *sim);
void dd_run_finish(dd_sim *sim);
/* The run ends at t, within the last step. */
void dd_run_go_back(dd_sim *sim, double t);

/* ---- run_singular.c ---- */
/* The last step up to `until`. False: the run ends, and the status says why. */
bool dd_run_stays_solvable(dd_sim *sim, double until);
/* The trajectory up to just before a singular point. */
void dd_run_end_at_singular(dd_sim *sim, const dd_singular *found);
/* The singular point that --through led past was the end all the same. */
bool dd_run_has_just_passed(const dd_sim *sim);
/* A run has ended: at a singular point at most `reach` ahead? Then that is the verdict. */
void dd_run_blame_singular(dd_sim *sim, double reach);

/* ---- run_branch.c ---- */
/* Did the last step, looked at up to `until`, end on another branch? True: it is undone, and the next one will be shorter. A
 * given step goes on from the right branch instead: rejoin before the next one. */
bool dd_run_leaves_branch(dd_sim *sim, double until);
void dd_run_rejoin(dd_sim *sim);

/* ---- run_events.c ---- */
/* The solver starts again at t with the new branches. False: the status says why. */
bool dd_run_pass_event(dd_sim *sim, double t, uint32_t which);
/* The same where the run is, before it has taken a step from there: nothing is known of the side before. */
bool dd_run_restart(dd_sim *sim);

#endif
