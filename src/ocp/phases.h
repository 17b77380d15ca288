/* phases.h - phases of an optimization, as far as the problem knows of them. The system is one over a common time
 * from 0 to 1 (lang/phases.h); times of single phases and their reports are here. */
#ifndef DD_OCP_PHASES_H
#define DD_OCP_PHASES_H

#include "base/json.h"
#include "ocp/problem.h"

uint32_t dd_ocp_phase_count(const dd_ocp_problem *o); /* 0: the problem is one */

/* Where a state has no guess in the text: along the rows that link phases, from known starts to known ends in
 * straight lines over the phases' times, level where there is no end. Also says which phases nothing links.
 * Raises. */
void dd_ocp_phase_guesses(dd_ocp_problem *o);

/* When a phase begins and ends; p: values of the decided parameters, NULL: at the guess. */
void dd_ocp_phase_times(const dd_ocp_problem *o, uint32_t phase, const double *p, double *start, double *final);
/* From the first start to the last end. */
void dd_ocp_phase_span(const dd_ocp_problem *o, const double *p, double *start, double *final);

/* "phases":[{"name":"six","startTime":..,"finalTime":..},..]; nothing without phases. */
void dd_ocp_phases_json(dd_json *j, const dd_ocp_problem *o, const double *p);
void dd_ocp_phases_text(dd_text *text, const dd_ocp_problem *o, const double *p);

/* A table over all phases: their rows one after the other, in the order of their starts, with the time of the
 * phase and its number from 1; columns go by their names inside a phase, and are empty where a phase has none. */
typedef struct dd_phase_columns {
    uint32_t n;
    const char **name;
    uint32_t *source; /* column of phase k: source[k*n + column], an index of names; DD_NO_INDEX: it has none */
    uint32_t *order;  /* the phases by their starts */
    double *start, *final;
} dd_phase_columns;
/* names: of all columns, as one system has them (six.x, der(six.x), costate(six.x)); var: of each, for those that
 * no name of a phase stands in, DD_NO_INDEX: none. */
dd_phase_columns dd_ocp_phase_columns(const dd_ocp_problem *o, const char *const *names, const uint32_t *var,
                                      uint32_t n, const double *p, dd_pool *pool);
/* The phase of a variable or a row from 1, by its name or as the model recorded it (var: DD_NO_INDEX: no variable); 0: it is
 * of all. */
uint32_t dd_ocp_phase_of(const dd_ocp_problem *o, const char *name, uint32_t var);
/* x[2] of six.x[2], der(x) of der(six.x); the name itself when the phase is not in it. */
const char *dd_ocp_phase_local(const char *name, const char *phase, dd_pool *pool);
/* A row of that table. from: the common time, then values as names; to: the time of the phase, its number, then the
 * columns; blank: per field, the phase has no such column. Does not allocate. */
void dd_ocp_phase_row(const dd_phase_columns *c, uint32_t phase, const double *from, double *to, bool *blank);

/* Adds to words that name times that these are parts of phases. */
const char *dd_ocp_phase_reason(const dd_ocp_problem *o, const char *reason);

#endif
