/* system.h - the analysed model: the one object that check, simulate, linearize, optimize and export consume.
 *
 *   model rows (any order) -> first-order rows F(x', x, t) = 0 -> incidence -> offsets c, d -> numeric certificate
 *        -> (conversion and again | derivative array) -> reduced system of index 1, invariants, initial conditions
 *
 * Columns are the unknowns of the first-order form: every declared variable and every velocity that der(der(x)) needs.
 * sigma_ij in {0, 1} is the order of the highest derivative of column j in row i; c_i counts the differentiations of
 * row i, d_j the highest derivative of column j then; d_j - c_i >= sigma_ij with equality ("tight") on a transversal.
 */
#ifndef DD_STRUCTURE_SYSTEM_H
#define DD_STRUCTURE_SYSTEM_H

#include "daedal/check.h"
#include "model/model.h"

typedef DD_VEC(uint32_t) dd_index_vec;

/* A part of a combination: factor times the derivative of this order of a row. */
typedef struct dd_combined_row {
    uint32_t row; /* of eqs */
    uint32_t level;
    dd_expr factor;
    bool converted; /* the row was a combination itself */
} dd_combined_row;

/* A row of the first-order form. */
typedef struct dd_eq {
    dd_expr residual;             /* VARs of order 0 and 1 only (inputs: any order) */
    uint32_t row;                 /* the model row it came from */
    uint32_t depth;               /* differentiations of model rows it contains (conversion), else 0 */
    bool converted;               /* a combination of rows that replaced model row `row` */
    bool definition;              /* says what an auxiliary unknown means (substitute.c) */
    const char *from;             /* converted: the places of the rows combined; NULL otherwise */
    const dd_combined_row *parts; /* converted by a linear combination (convert.c): its parts; NULL otherwise */
    uint32_t n_parts;
    const uint32_t *origins; /* converted so: the rows as written that are in it, through all combinations */
    uint32_t n_origins;
} dd_eq;

/* Which unknowns appear where, with symbolic partial derivatives. CSR by rows. */
typedef struct dd_incidence {
    uint32_t n; /* rows; square systems have as many columns */
    uint32_t ncols;
    uint32_t *ptr;     /* n + 1 */
    uint32_t *idx;     /* column */
    int32_t *sigma;    /* 0 or 1 */
    dd_expr *partial0; /* d row / d x,  DD_EXPR_NONE when it does not appear */
    dd_expr *partial1; /* d row / d x', likewise */
} dd_incidence;

/* The structural answer for one set of rows. */
typedef struct dd_offsets {
    bool perfect; /* a transversal exists */
    uint32_t *row_match, *col_match;
    uint32_t *c, *d; /* smallest offsets with d_j >= 0: the reduction */
    uint32_t *c1;    /* smallest offsets with d_j >= 1: their maximum is the structural index */
    uint32_t max_c, max_d, max_c1;
    int64_t dof; /* value of the transversal */
} dd_offsets;

/* Values of the unknowns as Taylor coefficients at the initial time: x_j^(k)/k! for k = 0..order. */
typedef struct dd_taylor_point {
    uint32_t order; /* highest coefficient kept */
    double *x;      /* ncols * (order + 1) */
    bool consistent;
    uint32_t failed_row; /* not consistent: a row with the worst residual, */
    double failed_residual;
    int64_t failed_level;  /* and the stage l (point.c) and block whose unknowns were sought then; DD_NO_INDEX: all */
    uint32_t failed_block; /* blocks of the stage */
} dd_taylor_point;

/* A visible or hidden constraint: the k-th derivative of a row, or of all rows of a group. */
typedef struct dd_constraint_row {
    uint32_t eq;    /* row of the (converted) first-order form */
    uint32_t order; /* total differentiations behind it */
    uint32_t level; /* k: how often the row itself is differentiated */
    dd_expr raw;    /* k-th derivative, velocities put in, numeric factor divided out */
    dd_expr expr;   /* the same with derivatives put in where possible, once the constraints are closed */
} dd_constraint_row;

/* The system of index 1 that integrators and transcriptions work on (design: F(x', x, z, u, p, t) = 0). */
typedef DD_VEC(dd_constraint_row) dd_constraint_row_vec;
typedef struct dd_reduced {
    dd_expr_vec x;                    /* VAR(.,0) of the differential variables */
    dd_expr_vec z;                    /* algebraic unknowns: VAR(.,0), and VAR(.,m >= 2) without a velocity */
    dd_constraint_row_vec rows;       /* F: as many as x and z together */
    dd_constraint_row_vec invariants; /* constraints on x (t, u, p), by level: true along exact solutions */
    dd_expr_vec input_rates;          /* VAR(u, k >= 1) that some row needs */
    dd_index_vec input_rate_rows;     /* for each: a row that needs it (of eqs) */
} dd_reduced;

typedef struct dd_text_row {
    dd_constraint_text text;
    uint32_t eq;   /* its first row */
    bool together; /* not a formula: several equations that imply a constraint together */
} dd_text_row;

/* What must not vanish for the answer to hold: the derivative of a row by the variable that it determines. */
typedef struct dd_pivot {
    dd_expr value;
    uint32_t row; /* of eqs */
    uint32_t col;
} dd_pivot;

typedef DD_VEC(dd_pivot) dd_pivot_vec;
typedef DD_VEC(dd_text_row) dd_text_row_vec;
typedef DD_VEC(const char *) dd_string_vec;
typedef DD_VEC(dd_eq) dd_eq_vec;

/* Work spent on derivative arrays, whose cost grows with the cube of rows and orders. */
typedef struct dd_array_budget {
    double work;   /* operations so far */
    bool given_up; /* they have passed the limit */
} dd_array_budget;

struct dd_system {
    dd_model *model;
    dd_context *ctx;
    dd_pool *pool;
    dd_analyse_options options;

    /* first-order form */
    uint32_t ncols;    /* the declared ones, then auxiliaries of substitute.c */
    uint32_t declared; /* columns the user knows: declared variables and their velocities */
    dd_expr *follower; /* var -> value of an unknown that left before the analysis (followers.c), else DD_EXPR_NONE;
                             NULL: none was looked for */
    uint32_t *shown;   /* vars of columns the user knows, and of followers, as declared: what reports of runs show */
    uint32_t n_shown;
    dd_expr_vec meaning;  /* per auxiliary: its meaning */
    uint32_t *unknown;    /* column -> var */
    uint32_t *column;     /* var -> column, DD_NO_INDEX for others (model->vars.len entries) */
    uint32_t *velocity;   /* var -> var that equals its derivative, DD_NO_INDEX without */
    bool *differentiated; /* column: its derivative appears in the model */
    double *size;         /* column: expected size: nominal, else |start| when above 1, else 1 */
    double *parameter;    /* var -> number used for it: its value, or a guess for a free one */
    dd_eq_vec original;   /* as written, first order */
    dd_eq_vec eqs;        /* after conversion; the same rows when nothing was converted */

    dd_incidence inc;                    /* of eqs */
    dd_offsets off;                      /* of eqs */
    struct dd_numeric *numeric;          /* tapes of eqs, made when first needed (dd_system_numeric) */
    struct dd_condensed_once *condensed; /* of the reduction: made when first needed (dd_system_condensed) */
    dd_taylor_point point;               /* where the certificate was taken */
    bool point_given;                    /* it has the fixed values, and the answer was taken there */

    dd_array_budget *array;             /* one for all attempts of an analysis */
    const struct dd_system *unanswered; /* these rows, before the answer (attempt.h); NULL before an attempt */
    bool rates_combined;                /* rows with dependent derivative parts were looked for */
    bool on_factor;                     /* a row was replaced by the factor on which the start lies */
    bool others_pass;                   /* the start is singular, and other solutions pass through it */

    /* the answer */
    dd_verdict verdict;
    dd_certificate certificate;
    dd_system_kind kind;
    int index, structural_index, dof;
    uint32_t constraint_count, hidden_count, assigned_count;
    const char *reason;
    dd_string_vec warnings;
    dd_string_vec structural_conditions; /* "C2 <> 0": what the analysis relied on */
    dd_pivot_vec conditions;             /* the same as expressions */

    dd_constraint_row_vec visible, hidden;
    dd_text_row_vec visible_text, hidden_text;
    dd_reduced reduced;
    dd_expr *rate;          /* per column: x' in closed form, DD_EXPR_NONE without */
    dd_expr *assigned_rate; /* per column without a rate that an active row assigns: x' likewise, once closed */
    bool closed;            /* dd_system_close_constraints() was called */
    uint32_t *rate_row;     /* per column with a rate: the row of eqs that determines it */
    bool *steady;           /* per row of eqs: every derivative of it that is used determines some derivative */

    /* initial conditions */
    dd_string_vec given; /* "p[1] = 0.6" */
    uint32_t given_count, missing, excess;
    dd_index_vec free_choice; /* columns that could be given next */
    dd_index_vec completion;  /* columns that complete the given conditions, preferred states first */
    dd_string_vec redundant_given;
    dd_given_start start;      /* what became of them (dd_system_test_start) */
    const char *unconfirmed;   /* the warning that says why nothing was confirmed, NULL without */
    uint32_t general_warnings; /* warnings that came before the answer at a point */
};

/* ---- first_order.c ---- */
void dd_system_first_order(dd_system *s);
/* Brings an expression of the model's variables to first order: VAR(x,2) -> VAR(v,1), der(x) -> v, given inputs put
 * in. */
dd_expr dd_system_lower(const dd_system *s, dd_expr e);
/* Total time derivative in first-order form: the derivative of x is its velocity when it has one. */
dd_expr dd_system_derivative(const dd_system *s, dd_expr e);
/* The same for n expressions in place, which may share most of their parts. */
void dd_system_derivatives(const dd_system *s, dd_expr *e, uint32_t n);

/* ---- incidence.c: also takes coefficients that vanish at the given parameter values out of the rows, with a
 * warning ---- */
dd_incidence dd_system_incidence(dd_system *s, dd_eq_vec *eqs, dd_pool *pool);

/* ---- sigma.c ---- */
dd_offsets dd_system_offsets(dd_system *s, const dd_incidence *inc, dd_pool *pool);

/* ---- reduce.c: constraints, hidden constraints and the system of index 1, from eqs, inc and off ---- */
void dd_system_reduce(dd_system *s);
/* Then, for those who read them: rates of assigned columns, and derivatives put into all constraints (their `expr`). */
void dd_system_close_constraints(dd_system *s);
/* x_j' of a column as an expression without derivatives, where one row determines it in closed form; else
 * DD_EXPR_NONE. */
dd_expr dd_system_rate(dd_system *s, uint32_t col);

/* e with derivatives put in where they are known in closed form. */
dd_expr dd_system_put_rates(const dd_system *s, dd_expr e);

/* ---- formulas.c: visible and hidden constraints as texts ---- */
void dd_system_write_formulas(dd_system *s);
/* e without a common whole-number factor of its terms: 2*x*u + 2*y*v is better read, and kept, as x*u + y*v; -x - y as
 * x + y. */
dd_expr dd_system_divide_content(const dd_system *s, dd_expr e);
/* The equation e = 0 as it is or multiplied out, whichever is shorter to read: sums over arrays show only when
 * multiplied out. *e becomes what is printed. */
const char *dd_system_print_shorter(const dd_system *s, dd_expr *e, dd_pool *pool);
/* Does e contain a derivative of an unknown? */
bool dd_system_has_rates(const dd_system *s, dd_expr e, dd_pool *scratch);

/* ---- analyse.c ---- */
/* The answer again at a consistent point that has the given initial values (ncols * stride Taylor coefficients).
 * False when the Jacobian is singular there: nothing but a warning is changed, and the answer is no longer
 * confirmed. */
bool dd_system_answer_at(dd_system *s, const double *x, uint32_t stride);
/* Equations that no values satisfy, shown after the analysis: another verdict replaces the answer. */
void dd_system_refuse_inconsistent(dd_system *s, const char *reason);

/* ---- attempt.c ---- */
/* More is known now: takes the warning back that nothing was confirmed. */
void dd_system_forget_unconfirmed(dd_system *s);

/* ---- initial.c ---- */
void dd_system_initial_conditions(dd_system *s);
/* The same from tangent directions (ncols x dof, column-major), where no reduced system exists. */
void dd_system_initial_from_tangent(dd_system *s, const double *tangent, uint32_t dof, const double *x,
                                    uint32_t stride);

/* ---- names.c ---- */
/* Raises when a kernel failed. */
void dd_system_must(const dd_system *s, dd_status status, const char *what);
const char *dd_system_column_name(const dd_system *s, uint32_t col, dd_pool *pool);
/* The component that the row belongs to by the names in it, of a connection its first connector; "" for the model itself. */
const char *dd_system_part_of(const dd_system *s, const dd_eq *eq, dd_pool *pool);
/* The connector whose flow the row sets to zero because nothing is connected to it; NULL: another row. */
const char *dd_system_unconnected(const dd_system *s, const dd_eq *eq, dd_pool *pool);
/* The row in the user's words with its place: "`x + y = 1` (model.mo:4)". */
const char *dd_system_row_words(const dd_system *s, const dd_eq *eq, dd_pool *pool);
void dd_system_warn(dd_system *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
