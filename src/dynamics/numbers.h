/* numbers.h - the equations of a system as a problem for integrators: compiled programs behind dd_problem. */
#ifndef DD_DYNAMICS_NUMBERS_H
#define DD_DYNAMICS_NUMBERS_H

#include "dynamics/solvable.h"
#include "dynamics/switches.h"
#include "eval/program.h"
#include "integ/problem.h"
#include "structure/equations.h"

/* Where inputs without a formula come from: values of the wanted symbols VAR(u, k) at time t. */
typedef struct dd_input_source {
    void *user;
    void (*values)(void *user, double t, double *out); /* as many as there are symbols */
    /* d u^(order)(t) by values of its table, where directions are along these */
    double (*basis)(void *user, uint32_t basis, uint32_t order, double t);
} dd_input_source;

/* A parameter that derivatives are taken by: how the PARAM symbols change with it, others through their bindings.
 * None for a start value. Along values of a table an input changes with time: in->var by basis, and `seeds` are the
 * changes of the symbols as expressions in time that hold at the start. */
typedef struct dd_direction {
    dd_expr_vec symbols;
    DD_VEC(double) change;
    dd_expr_vec seeds; /* none: `change` */
    bool of_table;
    uint32_t var, basis;
} dd_direction;
typedef DD_VEC(dd_direction) dd_direction_vec;

/* Derivatives of a list of expressions, entry by entry: column j < n: by w_j, n + j: by w_j', 2n: by time, 2n + 1 +
 * k: by the k-th direction. */
typedef struct dd_derivative_table {
    struct dd_compiled *program;
    uint32_t count;
    uint32_t *row, *col;
    uint32_t *factor; /* 0, or 1 + k: times the change of u^(k) with the values of its table */
    double *value;
} dd_derivative_table;

typedef struct dd_numbers {
    dd_problem problem;
    const dd_system *system;
    const dd_equations *equations;
    dd_context *ctx;
    uint32_t n;              /* x, then z */
    dd_expr_vec w;           /* their symbols */
    dd_expr_vec rate_symbol; /* of w': VAR(.,1) for x */
    dd_expr_vec inputs;      /* VAR(u, k) that are supplied from outside */
    dd_expr_vec parameters;  /* PARAM symbols of all programs, */
    double *parameter_value; /* and their numbers */
    dd_input_source source;
    dd_switch_vec switches;
    uint32_t changing;   /* how many of them change during a run: the others are numbers that are set */
    bool seen_kinks;     /* all that jumps or has kinks in the rows is among them */
    dd_switch_vec kinks; /* of the outputs alone */
    double *side_mode;   /* switches, then kinks: as `sides` takes them */

    struct dd_compiled *residual, *jacobian, *invariants, *invariant_jacobian, *switching, *kinking, *sides, *outputs;
    /* the expressions themselves, with switches as nodes, for other uses than evaluation: rows, invariants, switching
     * functions, and the outputs with the conditions of assertions */
    dd_expr_vec rows_written; /* the rows before kinks and relations were rewritten: for words */
    dd_expr_vec row_values, invariant_values, switch_values, output_values;
    struct dd_compiled *checked; /* the rows with powers that end at their margins; NULL: there are none */
    double *row_value;           /* n */
    uint32_t *assigned_column;   /* problem.n_assigned: columns of algebraic unknowns that were put into the rows */
    double *output_value;        /* as many as outputs */
    dd_solvable *solvable;       /* what must not vanish; NULL: nothing can */
    uint32_t n_entries;          /* outputs of jacobian */
    uint32_t *m_entry, *j_entry; /* per output: position in the pattern, DD_NO_INDEX */
    double *m_fixed, *j_fixed;   /* values on the pattern that never change */
    double *entry_value;         /* n_entries */
    uint32_t *invariant_entry;   /* per output of invariant_jacobian: position in its pattern */
    double *invariant_value;
    /* first integrals (numbers_integrals.c): invariants, then integrals less their values at the start */
    dd_expr_vec integrals, linear_value;
    struct dd_compiled *kept, *kept_jacobian, *linear;
    uint32_t *kept_entry; /* per output of kept_jacobian: position in its pattern */
    double *kept_value, *integral_start, *linear_start, *kept_room;
    double *mode;        /* per switch: its frozen value */
    double *mode_spread; /* the same in all lanes of a batch with leading dimension mode_ld */
    size_t mode_ld;
    double *aside;       /* n: a point beside one where a derivative is infinite */
    double *outside;     /* (1 + inputs) * DD_MOST_LD: time and inputs, per lane */
    double *input_value; /* inputs */

    /* derivatives by parameters, where there are directions (numbers_derivatives.c) */
    const dd_direction_vec *directions;
    dd_derivative_table row_table, invariant_table, matrix_table, switch_table, output_table;
    struct dd_compiled *matrix_change; /* of G along w', the place of any direction there */
    double *matrix_value;
} dd_numbers;

/* Compiles. Lives in the pool, except for memory of the context that dd_numbers_free frees. Raises. Inputs without a
 * formula keep their start value unless they are among `supplied` (variables). directions: NULL, or what the
 * problem's derivatives by parameters are taken by; must live as long. */
dd_numbers *dd_numbers_new(const dd_system *s, dd_form_of_equations form, double baumgarte,
                           const dd_index_vec *supplied, const dd_direction_vec *directions, dd_pool *pool);
/* The same with equations that are there already; they must live as long. */
dd_numbers *dd_numbers_of(const dd_system *s, const dd_equations *equations, const dd_index_vec *supplied,
                          const dd_direction_vec *directions, dd_pool *pool);
void dd_numbers_free(dd_numbers *q); /* NULL is fine */
/* Takes the parameters' numbers from its system again. Integrators that have looked at constant matrices must be made
 * again. Allocates nothing. */
void dd_numbers_set_parameters(dd_numbers *q);

/* Values of the declared columns of the system, then the conditions of its assertions (1 where they hold). */
void dd_numbers_outputs(dd_numbers *q, double t, const double *w, const double *wdot, double *out);

/* Have all rows a value at the point, with the bases of powers not below their margins? */
bool dd_numbers_rows_hold(dd_numbers *q, double t, const double *w, const double *wdot);

/* Switching functions g, one per switch. */
void dd_numbers_switching(dd_numbers *q, double t, const double *w, const double *wdot, double *g);

/* The same of the kinks of the outputs. */
void dd_numbers_kinks(dd_numbers *q, double t, const double *w, const double *wdot, double *g);
/* Values of the declared columns with these values of the kinks: one side of a jump. */
void dd_numbers_sides(dd_numbers *q, double t, const double *w, const double *wdot, const double *mode, double *out);

/* d/dp of the declared columns: s, sdot: dw/dp and dw'/dp, n per direction; out: system->declared per direction. */
void dd_numbers_output_derivatives(dd_numbers *q, double t, const double *w, const double *wdot, const double *s,
                                   const double *sdot, double *out);

/* A point of the solution with its derivatives: w, w' (n), dw/dp, dw'/dp (n per direction), and w'' (z' and x'';
 * NULL: 0). */
typedef struct dd_sensitive_point {
    double t;
    const double *w, *wdot, *s, *sdot, *second;
} dd_sensitive_point;

/* x' = f(x, t) throughout, without algebraic unknowns? */
bool dd_numbers_all_explicit(const dd_numbers *q);
/* |dF/dw| at a point, for explicit rates an upper bound of the fastest one there: the largest absolute row sum. */
double dd_numbers_fastest_rate(const dd_numbers *q, double t, const double *w, const double *wdot, dd_pool *pool);

/* g of switch k: d/dp at fixed time, per direction, and its rate along w' and w''. Returns the rate. */
double dd_numbers_switch_derivatives(dd_numbers *q, uint32_t k, const dd_sensitive_point *at, double *out);

/* The part of that rate that is explicit in time, in the last call. */
double dd_numbers_switch_time_rate(const dd_numbers *q, uint32_t k);

/* The solution begins here: what the first integrals are from now on. No effect where there are none. */
void dd_numbers_start_integrals(dd_numbers *q, double t, const double *w);

/* The power of two nearest to a scale that was found from numbers which derivatives may be taken by: it stays where
 * it is when they change a little, so that it is a constant of the run. */
double dd_constant_scale(double found);

/* Freezes switch k at this value (1, 0; an integer for floor; a number for slopes and margins). */
void dd_numbers_freeze(dd_numbers *q, uint32_t k, double value);

#endif
