/* numbers.h - the equations of a system as a problem for integrators: compiled programs behind dd_problem. */
#ifndef DD_SIM_NUMBERS_H
#define DD_SIM_NUMBERS_H

#include "eval/program.h"
#include "integ/problem.h"
#include "sim/switches.h"
#include "structure/equations.h"

/* Where inputs without a formula come from: values of the wanted symbols VAR(u, k) at time t. */
typedef struct dd_input_source {
    void *user;
    void (*values)(void *user, double t, double *out); /* as many as there are symbols */
} dd_input_source;

typedef struct dd_numbers {
    dd_problem problem;
    dd_system *system;
    dd_equations *equations;
    dd_context *ctx;
    uint32_t n;              /* x, then z */
    dd_expr_vec w;           /* their symbols */
    dd_expr_vec rate_symbol; /* of w': VAR(.,1) for x */
    dd_expr_vec inputs;      /* VAR(u, k) that are supplied from outside */
    dd_input_source source;
    dd_switch_vec switches;

    struct dd_compiled *residual, *jacobian, *invariants, *invariant_jacobian, *switching, *outputs;
    uint32_t n_entries;          /* outputs of jacobian */
    uint32_t *m_entry, *j_entry; /* per output: position in the pattern, DD_NO_INDEX */
    double *m_fixed, *j_fixed;   /* values on the pattern that never change */
    double *entry_value;         /* n_entries */
    uint32_t *invariant_entry;   /* per output of invariant_jacobian: position in its pattern */
    double *invariant_value;
    double *mode;        /* per switch: its frozen value */
    double *mode_spread; /* the same in all lanes of a batch with leading dimension mode_ld */
    size_t mode_ld;
    double *outside;     /* (1 + inputs) * DD_MOST_LD: time and inputs, per lane */
    double *input_value; /* inputs */
} dd_numbers;

/* Compiles. Lives in the pool, except for memory of the context that dd_numbers_free gives back. Raises. Inputs without
 * a formula are 0 unless they are among `supplied` (variables). */
dd_numbers *dd_numbers_new(dd_system *s, dd_form_of_equations form, double baumgarte, const dd_index_vec *supplied,
                           dd_pool *pool);
void dd_numbers_free(dd_numbers *q); /* NULL is fine */

/* Values of the declared columns of the system, then the conditions of its assertions (1 where they hold). */
void dd_numbers_outputs(dd_numbers *q, double t, const double *w, const double *wdot, double *out);

/* Switching functions g, one per switch. */
void dd_numbers_switching(dd_numbers *q, double t, const double *w, const double *wdot, double *g);

/* Freezes switch k at this value (1, 0; an integer for floor). */
void dd_numbers_freeze(dd_numbers *q, uint32_t k, double value);

#endif
