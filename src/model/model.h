/* model.h - the flat model: variables and equations as scalars, each knowing the array and the text it came from.
 *
 *   arrays   as declared: name, dims, kind, span               p[3]
 *     └ vars   its scalars, contiguous, row-major                  p[1] p[2] p[3]
 *   groups   one equation each, as written: form, loop env     p*p - L^2 = 0
 *     └ rows   its scalar residuals, contiguous                    p[1]^2 + p[2]^2 + p[3]^2 - L^2
 *
 * Symbols in the dag: PARAM(var) for parameters and constants, VAR(var, order) for everything else.
 * Functions here raise (base/context.h).
 */
#ifndef DD_MODEL_MODEL_H
#define DD_MODEL_MODEL_H

#include "base/hash.h"
#include "base/source.h"
#include "daedal/model.h"
#include "expr/dag.h"
#include "expr/form.h"
#include "result/table.h"

#define DD_MAX_DIMS 6
#define DD_NO_INDEX UINT32_MAX

typedef enum dd_var_kind {
    DD_KIND_VARIABLE, /* unknown, differential or algebraic */
    DD_KIND_INPUT,
    DD_KIND_PARAMETER,
    DD_KIND_CONSTANT,
    DD_KIND_POINT /* value of a variable at one time, in an optimization: x(finalTime) */
} dd_var_kind;

typedef enum dd_base_type { DD_TYPE_REAL, DD_TYPE_INTEGER, DD_TYPE_BOOLEAN } dd_base_type;

typedef enum dd_state_select {
    DD_SELECT_NEVER,
    DD_SELECT_AVOID,
    DD_SELECT_DEFAULT,
    DD_SELECT_PREFER,
    DD_SELECT_ALWAYS
} dd_state_select;

typedef struct dd_array {
    const char *name; /* printed name of the whole: p, 'a.b' quoted where needed */
    uint8_t ndim;
    uint32_t dims[DD_MAX_DIMS];
    uint32_t size;  /* product of dims; 1 for a scalar; 0 for an empty array */
    uint32_t first; /* its first scalar in vars */
    dd_var_kind kind;
    dd_base_type type;
    bool is_output;
    bool introduced;        /* made by the tool: a velocity for der(der(x)) */
    bool auxiliary;         /* made by the analysis for an expression; never shown */
    uint32_t derivative_of; /* introduced: the first scalar of the array it is the derivative of */
    uint32_t symbol;        /* its number in forms */
    dd_form binding;        /* declared `= expr`, resolved; DD_FORM_NONE without */
    dd_span span;
    const char *doc, *unit, *display_unit, *quantity; /* "" when absent */
} dd_array;

typedef struct dd_variable {
    uint32_t array, element; /* element from 0, row-major */
    dd_var_kind kind;
    dd_state_select select;
    bool fixed;
    bool has_start, has_min, has_max, has_nominal; /* written in the text or given by --set */
    bool set_start;                                /* its start value was given by --set */
    bool free;                                     /* optimization: a parameter to be decided */
    bool structural;                               /* parameter whose value shaped the flat model or the analysis */
    bool has_value;                                /* parameter or constant with a value; input given by --set */
    dd_expr start, min, max, nominal, guess;       /* in parameters (guess also in time); DD_EXPR_NONE without */
    double start_value, min_value, max_value, nominal_value; /* at the parameter values; 0, -inf, inf, 1 when absent */
    double value;                                            /* parameters and constants */
    dd_expr binding; /* scalar of the declaration's `= expr`; inputs: expression of time from --set */
} dd_variable;

typedef enum dd_origin {
    DD_ORIGIN_EQUATION,   /* written in an equation section */
    DD_ORIGIN_BINDING,    /* declaration with `= expr` */
    DD_ORIGIN_LAGRANGE,   /* equation of motion from lagrange() */
    DD_ORIGIN_CONSTRAINT, /* constraint given to lagrange() */
    DD_ORIGIN_CONNECTION, /* from connect() */
    DD_ORIGIN_VELOCITY    /* der(x) = v of an introduced velocity */
} dd_origin;

typedef struct dd_group {
    dd_form lhs, rhs;       /* DD_FORM_NONE: only scalar rows exist (lagrange, C API) */
    const dd_form_env *env; /* values of loop variables, or NULL */
    dd_span span;
    const char *doc;          /* "" when absent */
    const char *undetermined; /* what to do where it leaves unknowns open, as its connector says; NULL without */
    dd_origin origin;
    uint32_t first, count; /* rows */
    bool stacked;          /* the rows are in the common time of all phases, the forms in the time of their phase */
} dd_group;

typedef struct dd_row {
    dd_expr residual; /* lhs - rhs */
    uint32_t group;
    dd_expr solve_for; /* a listing has this symbol alone on the left; DD_EXPR_NONE: what reads best */
} dd_row;

typedef struct dd_assertion {
    dd_expr condition;
    dd_form form; /* as written, under env; DD_FORM_NONE without */
    const dd_form_env *env;
    const char *message;
    dd_span span;
    bool is_warning; /* a simulation says it once and goes on */
} dd_assertion;

/* The optimization class (Optimica), elaborated: used by optimize. */
typedef enum dd_constraint_relation { DD_CONSTRAINT_EQ, DD_CONSTRAINT_LE, DD_CONSTRAINT_GE } dd_constraint_relation;
typedef struct dd_constraint {
    dd_expr lhs, rhs;
    dd_constraint_relation relation;
    dd_form lhs_form, rhs_form;
    const dd_form_env *env;
    dd_span span;
    uint32_t phase; /* it is written in, from 1; 0: none */
} dd_constraint;
typedef struct dd_time_bound {
    bool free;
    dd_expr value, min, max, guess; /* DD_EXPR_NONE when absent */
} dd_time_bound;
typedef struct dd_point {
    uint32_t var; /* the POINT variable */
    uint32_t of;  /* the variable it is a value of */
    dd_expr time; /* expression in startTime, finalTime, parameters */
} dd_point;
/* A column of measured data: a function of time, linear between its rows, held beyond them. */
typedef struct dd_data_column {
    const char *name;
    uint32_t var;   /* the input it supplies, DD_NO_INDEX: none */
    dd_table *rows; /* its own, without the times at which it was not measured */
} dd_data_column;
typedef DD_VEC(dd_data_column) dd_data_column_vec;
/* A setting of closed loops from nmpc(...) or mhe(...) in the annotation, as the option of that name would be given:
 * samplePeriod = 0.1 is "sample-period" with "0.1"; lists are separated by commas. */
typedef struct dd_control_setting {
    const char *option, *value;
    dd_span span;
} dd_control_setting;
typedef DD_VEC(dd_control_setting) dd_control_setting_vec;

/* A part of the horizon with a separate model. The flat model has all phases side by side, over a common time from
 * 0 (their starts) to 1 (their ends). */
typedef struct dd_phase {
    const char *name;              /* of the component */
    uint32_t start_var, final_var; /* parameters: its times */
    dd_expr start, length;         /* numbers, or expressions of free parameters */
    dd_span span;
} dd_phase;
typedef DD_VEC(dd_phase) dd_phase_vec;
typedef struct dd_optimization {
    dd_expr objective, integrand; /* DD_EXPR_NONE when absent */
    dd_time_bound start, final;
    uint32_t start_var, final_var;  /* parameters named startTime and finalTime */
    dd_control_setting_vec control; /* settings of closed loops */
    bool has_nmpc, has_mhe;         /* the annotation has these, perhaps empty */
    DD_VEC(dd_constraint) constraints;
    DD_VEC(dd_point) points;
    const char *data_file; /* annotation(Daedal(data = "...")), or "" */
    dd_data_column_vec data;
    const char *data_problem; /* why it could not be read; NULL: nothing is wrong */
    dd_phase_vec phases;      /* empty: the problem is one */
    const uint32_t *phase_of; /* per var: its phase from 1, 0: none; NULL without phases */
    uint32_t n_phase_of;
    double data_sigma; /* Daedal(sigma = ...): standard deviation of a measurement; 0: not given */
} dd_optimization;

typedef struct dd_experiment {
    bool has_start, has_stop, has_tolerance, has_interval;
    double start, stop, tolerance, interval;
} dd_experiment;

typedef DD_VEC(dd_array) dd_array_vec;
typedef DD_VEC(dd_variable) dd_variable_vec;
typedef DD_VEC(dd_group) dd_group_vec;
typedef DD_VEC(dd_row) dd_row_vec;
typedef DD_VEC(dd_assertion) dd_assertion_vec;

struct dd_lagrange;

struct dd_model {
    dd_context *ctx;
    dd_pool *pool;
    const char *name, *doc;
    dd_span span;
    dd_names *names;
    dd_dag *dag;
    dd_forms *forms;
    dd_array_vec arrays;
    dd_variable_vec vars;
    dd_group_vec groups; /* equations */
    dd_row_vec rows;
    dd_group_vec initial_groups; /* initial equations */
    dd_row_vec initial_rows;
    dd_assertion_vec assertions;
    DD_VEC(const struct dd_lagrange *) lagrange; /* statements lagrange(...) (mech/lagrange.h), for explanations */
    dd_experiment experiment;
    dd_optimization *optimization;  /* NULL for a plain model */
    dd_map array_by_name;           /* name id -> array + 1 */
    DD_VEC(uint32_t) symbol_arrays; /* symbol of the forms -> array + 1; 0: something else has this symbol */
    dd_status failure;              /* first failure of the building calls of the C API */
    char failure_text[256];         /* its message: the context keeps only the newest one */
    const char *source;             /* file name for messages, "" when built by calls */
    struct dd_drawing *drawing;     /* drawing.h: what Daedal(draw(...)) shows; NULL: nothing */
};

/* Raising constructor used by lang and by the C API. ctx must be inside dd_protect. The model owns `pool`. */
dd_model *dd_model_create(dd_context *ctx, dd_pool *pool, const char *name);

/* The same model with separate lists, in the pool: additions to one are not seen by the other. Expressions and
 * forms, which only grow, are shared. Raises. */
dd_model *dd_model_copy(const dd_model *m, dd_pool *pool);

/* Declares an array (or scalar: ndim 0); makes its scalar vars with default attributes and its form symbol. The name
 * must be new (the caller has checked). Returns its index. Raises DD_LIMIT past the variable limit (10^7). */
uint32_t dd_model_add_array(dd_model *m, const char *name, const uint32_t *dims, uint8_t ndim, dd_var_kind kind,
                            dd_base_type type, dd_span span);
uint32_t dd_model_find_array(const dd_model *m, const char *name); /* DD_NO_INDEX when absent */

uint32_t dd_model_array_of(const dd_model *m, uint32_t symbol); /* DD_NO_INDEX when it belongs to no array */

/* The dag symbol of a var: PARAM or VAR of order 0. */
dd_expr dd_model_symbol(dd_model *m, uint32_t var);

/* Adds one equation (or initial equation) with `count` scalar residuals. Returns the group's index. */
uint32_t dd_model_add_group(dd_model *m, dd_group group, const dd_expr *residuals, uint32_t count);
uint32_t dd_model_add_initial_group(dd_model *m, dd_group group, const dd_expr *residuals, uint32_t count);

/* What an optimization asks for beside its equations: its cost, both sides of its constraints, what holds at the start; nothing of a
 * model that is none. */
dd_expr_vec dd_model_asked(const dd_model *m, dd_pool *pool);

/* Value of an expression in parameters and constants at their values. False (and *culprit = a var that has no value or
 * is not a parameter, DD_NO_INDEX otherwise) when it cannot be evaluated. mark_structural: parameters it contains
 * become structural. */
bool dd_model_evaluate(dd_model *m, dd_expr e, bool mark_structural, double *value, uint32_t *culprit);

/* Sets values of parameters that have a binding from the bindings, in dependency order; raises DD_INVALID_MODEL after
 * reporting a cycle ("a -> b -> a") or a missing value. Then evaluates start/min/max/nominal. Called by lang and the C
 * API before analysis. */
void dd_model_settle_values(dd_model *m);

/* The first failure of the building calls, with its message put back into the context; DD_OK when there was none. */
dd_status dd_model_first_failure(const dd_model *m);

/* Names for printing: scalar `p[2]`, also `A[1,2]`. */
void dd_model_var_name(const dd_model *m, uint32_t var, dd_text *out);
const char *dd_model_var_name_dup(const dd_model *m, uint32_t var, dd_pool *pool);
dd_namer dd_model_namer(const dd_model *m);

/* The equation as the user wrote it ("p*p - L^2 = 0"); for groups without forms the scalar row `row` (index in rows).
 * A group must be an element of the model's groups or initial_groups. */
void dd_model_print_group(const dd_model *m, const dd_group *g, dd_text *out);
void dd_model_print_row(const dd_model *m, uint32_t row, dd_text *out);
void dd_model_print_residual(const dd_model *m, dd_expr residual, dd_text *out); /* "der(x) = ..." or "... = 0" */

/* The left side of an equation or constraint: an `if` is put in parentheses. */
void dd_model_print_left(const dd_model *m, dd_form lhs, const dd_form_env *env, dd_text *out);

/* "file:line" of a group. */
const char *dd_model_place(const dd_model *m, dd_span span, dd_pool *pool);

/* The whole flat model as text in the same language (check --flat). */
void dd_model_print_flat(const dd_model *m, dd_text *out);

#endif
