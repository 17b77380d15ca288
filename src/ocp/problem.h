/* problem.h - an optimization class as a problem in functions of time, before any mesh.
 *
 *     min  M(x(t0), .., x(tf), p, t0, tf) + int L(x, z, u, p, t) dt
 *     x' = f(x, z, u, p, t),  0 = g(x, z, u, p, t)      of index 1: the reduced system
 *     path rows   lower <= c(x, z, u, p, t) <= upper    at all times
 *     point rows  lower <= r(values at some times, p) <= upper
 *     c(x, p, t) = 0                                    invariants: imposed once
 *
 * States whose derivative is not known in closed form have that derivative among z: x' = s with s in z. Everything
 * is expressed in symbols of the model's dag: VAR for x, z, u, PARAM for p, TIME. Values at one time have separate
 * symbols (PARAM numbers past those of the model).
 */
#ifndef DD_OCP_PROBLEM_H
#define DD_OCP_PROBLEM_H

#include "structure/equations.h"

/* A quantity that is decided: state, algebraic, control or parameter. */
typedef struct dd_decision {
    dd_expr symbol;
    uint32_t var;   /* of the model */
    uint32_t order; /* of the derivative it represents */
    double lower, upper;
    const char *lower_from, *upper_from; /* the constraint that set it, "x <= 0.5"; NULL: min and max */
    double scale;                        /* expected size */
    dd_expr guess;                       /* in parameters and time; DD_EXPR_NONE: start_value */
    double start_value;
    double open_guess; /* of a variable without guess and start value: its value at the start; 0: unknown */
    double nominal;    /* written, for it or for a copy of it; 0: none is */
    bool affine;       /* an algebraic variable that every function of the model contains linearly */
} dd_decision;
typedef DD_VEC(dd_decision) dd_decision_vec;

/* A constraint, or bounds of a copy, that became a bound: lower <= coefficient*x + rest <= upper, both in parameters. */
typedef struct dd_bound_source {
    dd_decision_vec *list; /* of the problem: x, z or u */
    uint32_t index;
    dd_expr coefficient, rest;
    double lower, upper;
    uint32_t bounds_of; /* these are min and max of that variable of the model; DD_NO_INDEX: they are numbers */
} dd_bound_source;

/* A function with a kink, abs(e), max(a, b), min(a, b) or a norm, as one more variable s and smooth rows: kinks.h. */
typedef struct dd_kink {
    dd_expr symbol;        /* s */
    dd_expr_vec pieces;    /* a_i, in symbols of the problem and of kinks before it; a norm: q/s */
    int side;              /* 1: s >= a_i, -1: s <= a_i */
    bool norm;             /* s >= q/s, that is s >= sqrt(q) */
    bool of_control;       /* of controls and parameters alone: constant where controls are */
    uint32_t level;        /* kinks inside kinks */
    double lower, upper;   /* bounds of s */
    double least, most;    /* between which its values lie, as far as is known */
    double scale;          /* expected size */
    const dd_decision *of; /* a decision that it contains; NULL: none */
    uint32_t first_piece;  /* pieces of all kinks are numbered */
} dd_kink;
typedef DD_VEC(dd_kink) dd_kink_vec;

/* A slope that has to keep its sign: only then the rows of a kink are as good as the kink. */
typedef struct dd_kink_slope {
    dd_expr e;
    int sign;
} dd_kink_slope;

/* An expression whose kinks are replaced by their symbols. */
typedef struct dd_lifted {
    dd_expr e;          /* DD_EXPR_NONE: the expression has no such kinks */
    dd_index_vec kinks; /* of the problem */
} dd_lifted;

/* lower <= e <= upper */
typedef struct dd_ocp_row {
    dd_expr e;
    dd_lifted lifted;
    double lower, upper;
    const char *name; /* as the user wrote it: "s <= 1", "b[1](finalTime) = 0" */
    dd_span span;
    bool at_points;     /* contains z or der(): holds at collocation points only */
    bool of_control;    /* contains controls and parameters only */
    bool at_nodes;      /* an equality, linear in linear controls: it holds when it holds at the nodes */
    bool invariant;     /* an invariant of the reduced system, imposed once */
    uint32_t bounds_of; /* its bounds are min and max of this variable of the model; DD_NO_INDEX: they are numbers */
    double value;       /* the number on one of its sides; 0 without */
    bool branch;        /* only keeps a start on the branch of its start value */
    bool dropped;       /* follows from others: left out, kept as a guard */
    bool repeated;      /* dropped, because it repeats others on the motions of the model */
    bool compared;      /* was so at some time */
    double guard_lower, guard_upper, guard_size; /* size: max(nominal, |value|) */
    const char *follows;                         /* dropped: "p[3](finalTime) = 1: follows from p*p - L^2 = 0" */
} dd_ocp_row;
typedef DD_VEC(dd_ocp_row) dd_ocp_row_vec;

/* One time at which values are asked for: t0 + theta (tf - t0). */
typedef struct dd_instant {
    double theta;
    dd_expr_vec x, z, u; /* symbols of the values there */
    dd_expr time;
} dd_instant;
typedef DD_VEC(dd_instant) dd_instant_vec;

/* A column of measured data and the input it supplies. */
typedef struct dd_ocp_data {
    dd_expr symbol;
    const dd_data_column *column;
} dd_ocp_data;
typedef DD_VEC(dd_ocp_data) dd_ocp_data_vec;

/* Data that is a parameter of the model, at an instant: a constant that moves with the horizon. */
typedef struct dd_instant_data {
    dd_expr symbol;
    uint32_t data;
    double theta;
} dd_instant_data;

/* Where the invariants are imposed. */
typedef enum dd_consistency { DD_CONSISTENCY_START, DD_CONSISTENCY_END, DD_CONSISTENCY_NONE } dd_consistency;

typedef struct dd_ocp_problem {
    const dd_system *system;
    dd_model *model;
    dd_dag *dag;
    dd_pool *pool;
    dd_form_of_equations form;
    bool stabilised; /* the equations contain Baumgarte's terms */
    dd_equations *equations;
    dd_decision_vec x, z, u, p;
    dd_ocp_data_vec data; /* known functions of time: ocp/data.h */
    DD_VEC(dd_instant_data) instant_data;
    dd_expr_vec f, g;
    double *g_size;               /* per g: what its row is divided by; 1 where its terms are not far from that */
    dd_index_vec g_row;           /* per g: the row of the equations */
    DD_VEC(dd_assigned) assigned; /* algebraic unknowns that were put in */
    bool *decided;                /* per variable of the model: a free parameter, or one that follows from free ones */
    dd_expr *bound;               /* per variable of the model: its binding; DD_EXPR_NONE: none */
    dd_expr integrand;            /* DD_EXPR_NONE without */
    dd_expr mayer;                /* in symbols of instants; DD_EXPR_NONE without */
    dd_lifted integrand_lifted, mayer_lifted;
    bool rounded; /* programs are made of these instead of f, g and the integrand: roots.h, kinks.h */
    dd_expr_vec rounded_f, rounded_g;
    dd_expr rounded_integrand; /* DD_EXPR_NONE: as it is */
    bool held;                 /* errors are estimated with these instead of f and g: roots.h */
    dd_expr_vec held_f, held_g;
    dd_expr_vec roots_of; /* arguments of the roots, divided by their sizes */
    dd_kink_vec kinks;    /* of the cost and of rows; a solver sees them, a user does not */
    uint32_t n_pieces;
    uint32_t first_of_rates;  /* of the kinks: those in rates */
    dd_index_vec sharp_kinks; /* those of the integrand, while its list has the ones of rates too */
    DD_VEC(dd_kink_slope) kink_slopes;
    dd_ocp_row_vec path, points;
    DD_VEC(dd_bound_source) bound_sources;
    dd_instant_vec instants; /* [0]: the start, [1]: the end */
    dd_expr time, t0, tf;    /* TIME and the PARAMs of startTime and finalTime */
    bool free_t0, free_tf;
    double t0_value, tf_value; /* values, or guesses */
    double t0_lower, t0_upper, tf_lower, tf_upper;
    bool end_unsaid;       /* the text has no guess, value or positive lower bound of a free end */
    double first_horizon;  /* the user's value or guess, whatever guesses follow */
    dd_expr_vec constants; /* PARAMs that are not decided */
    double *constant_value;
    struct dd_ocp_functions *functions; /* of its transcriptions, compiled once for all meshes */
    struct dd_team *team;               /* that evaluates its functions at many points; NULL: one thread */
    uint32_t fresh;                     /* the next number of a PARAM that nothing uses */
    struct dd_window *window;           /* of a moving-horizon estimator: window.h; NULL: none */
    const dd_model *written;            /* NULL, or the model whose start values tell the sizes of states */
    bool start_given;                   /* from outside: conditions of the model at the start do not apply */
    bool start_known;
    double *x_start; /* start_known: the consistent start; else, where not NULL, that at the guess of the parameters */
    bool clock_met;  /* the mesh has nodes where relations in time alone change: moments.h */
    const char *relations; /* where relations in `if` are, in words; NULL: nowhere */
    dd_string_vec messages, redundant;
    dd_string_vec traps;          /* rows that touch a constraint where they hold */
    dd_string_vec contradictions; /* rows that no states satisfy together */
    uint32_t open_start;          /* values at the start that nothing determines */
    const char *reason; /* not NULL: there is no such problem, and why; status `infeasible` or `invalid_model` */
    bool infeasible;
    bool not_finite; /* the start has no values: `evaluation_error` */
} dd_ocp_problem;

/* How the system becomes a problem. */
typedef struct dd_ocp_problem_options {
    dd_form_of_equations form; /* reduced or undivided */
    double baumgarte;          /* alpha, or 0 */
    bool start_given; /* the state at the start is that of the start values of the model, whatever else is said of it */
    const dd_data_column_vec *preview; /* parameters that are functions of time; NULL: none */
    const dd_model
        *written; /* with the start values of the text, which tell the sizes of states; NULL: those of the system do */
} dd_ocp_problem_options;

/* Raises. */
dd_ocp_problem *dd_ocp_problem_new(const dd_system *s, const dd_ocp_problem_options *options, dd_pool *pool);

/* Takes the numbers of parameters from its system again: constants of functions and, with `bounds`, all bounds. Without
 * them nothing is allocated. Raises. */
void dd_ocp_problem_refresh(dd_ocp_problem *o, bool bounds);

/* The parameters that the functions contain; again after rows were added. */
void dd_ocp_collect_constants(dd_ocp_problem *o);

/* The number of an expression in the model's parameters (decided ones at their guesses); false when it contains
 * anything else or has no finite value. */
bool dd_ocp_number(const dd_ocp_problem *o, dd_expr e, double *value);

/* A bound of a decision may be a constraint that the user wrote in another quantity: a change of the decision by 1 changes
 * that by this much. Raises. */
double dd_ocp_bound_factor(const dd_ocp_problem *o, const dd_decision *d);

/* The number of a PARAM symbol that is not decided. */
double dd_ocp_constant(const dd_ocp_problem *o, dd_expr symbol);

/* What programs are made of: rates, algebraic rows, the integrand. */
static inline dd_expr dd_ocp_rate(const dd_ocp_problem *o, uint32_t i)
{
    return o->rounded ? o->rounded_f.data[i] : o->f.data[i];
}

static inline dd_expr dd_ocp_algebraic(const dd_ocp_problem *o, uint32_t i)
{
    return o->rounded ? o->rounded_g.data[i] : o->g.data[i];
}

static inline dd_expr dd_ocp_integrand(const dd_ocp_problem *o)
{
    return o->rounded && o->rounded_integrand != DD_EXPR_NONE ? o->rounded_integrand : o->integrand;
}

/* An expression of the model's variables in x, z, u, p and time. */
dd_expr dd_ocp_resolve(dd_ocp_problem *o, dd_expr e);
/* The same for many, in place: all together, since they share most of their parts. */
void dd_ocp_resolve_all(dd_ocp_problem *o, dd_expr *e, uint32_t n);
/* The same at an instant, in its symbols. */
dd_expr dd_ocp_at(dd_ocp_problem *o, uint32_t instant, dd_expr resolved);

#endif
