/* phases.h - phases of an optimization, as far as the problem knows of them. The system is one over a common time from 0
 * to 1 (lang/phases.h); what begins with a phase's own time, and what is told of it, is here. */
#ifndef DD_OCP_PHASES_H
#define DD_OCP_PHASES_H

#include "base/json.h"
#include "ocp/problem.h"

uint32_t dd_ocp_phase_count(const dd_ocp_problem *o); /* 0: the problem is one */

/* Where a state has no guess of its own: along the rows that link phases, from known starts to known ends in straight
 * lines over the phases' times, level where there is no end. Also says which phases nothing links. Raises. */
void dd_ocp_phase_guesses(dd_ocp_problem *o);

/* When a phase begins and ends; p: values of the decided parameters, NULL: at the guess. */
void dd_ocp_phase_times(const dd_ocp_problem *o, uint32_t phase, const double *p, double *start, double *final);
/* From the first start to the last end. */
void dd_ocp_phase_span(const dd_ocp_problem *o, const double *p, double *start, double *final);

/* "phases":[{"name":"six","startTime":..,"finalTime":..},..]; nothing without phases. */
void dd_ocp_phases_json(dd_json *j, const dd_ocp_problem *o, const double *p);
void dd_ocp_phases_text(dd_text *text, const dd_ocp_problem *o, const double *p);

/* Columns of a table over all phases: variables by their names inside a phase. */
typedef struct dd_phase_columns {
    uint32_t n;
    const char **name;
    uint32_t *source; /* column of phase k: source[k*n + column], an index of vars; DD_NO_INDEX: it has none */
    uint32_t *order;  /* the phases by their starts */
} dd_phase_columns;
dd_phase_columns dd_ocp_phase_columns(const dd_ocp_problem *o, const dd_index_vec *vars, const double *p,
                                      dd_pool *pool);

#endif
