/* start_impl.h - the parts that the files of the start share. */
#ifndef DD_INIT_START_IMPL_H
#define DD_INIT_START_IMPL_H

#include "init/start.h"
#include "structure/numeric.h"
#include "structure/tangent.h"

/* All rows: those of the system, then the initial equations, which are not differentiated. */
typedef struct start_rows {
    dd_eq_vec eqs;
    dd_incidence inc;
    uint32_t n;          /* rows of the system */
    uint8_t *varies;     /* per entry of inc: bit 0: d row / dx changes with time or unknowns, bit 1: d row / dx' */
    dd_numeric *numeric; /* of all rows */
} start_rows;

/* The conditions that apply and the values that complete them. */
typedef struct start_choice {
    uint8_t *dependent;    /* per condition: it follows from others */
    dd_index_vec starts;   /* columns taken from their written start */
    dd_index_vec zeros;    /* speeds taken as 0 */
    dd_index_vec defaults; /* columns taken from the default start */
    dd_index_vec kept;     /* columns that stay where the projection put them */
    dd_index_vec open;     /* when conditions are missing: columns that complete them */
    uint32_t missing;
} start_choice;

enum { START_CANDIDATE_KINDS = 3 };

typedef struct start_work {
    const dd_system *s;
    dd_outside at;       /* the time, and the inputs there */
    dd_numeric *numeric; /* of the system's rows */
    const dd_start_options *o;
    dd_pool *pool, *scratch;
    dd_start *out;
    start_rows rows;
    uint32_t extra;  /* derivatives beyond c and d, for initial equations with der() of an algebraic variable */
    uint32_t stride; /* of x and guess */
    double *x, *guess;
    dd_tangent shape;            /* numbers of the unknowns */
    dd_condition_vec conditions; /* fixed values, then initial equations */
    bool *speed;                 /* column: the derivative of another */
    bool *held;                  /* column: its value is given by a condition or a completion */
    double *value;               /* column: that value */
    bool projected;              /* fixed values were moved */

    /* the jumps in the rows (start_relations.c) */
    dd_expr_vec relations;
    dd_index_vec relation_row;                              /* where each was found first */
    double *relation_before, *relation_now, *relation_size; /* values at a guess and at its solution; scratch */

    /* the choice by pattern (start_choice.c): rows are equations, conditions, candidates */
    dd_index_vec candidates;
    uint32_t first[START_CANDIDATE_KINDS + 1]; /* where each kind of candidates begins */
    uint32_t equations;
    uint8_t *by_pattern;  /* per row: it depends on rows before */
    bool pattern_decides; /* the others are as many as unknowns */
} start_work;

/* The square system: rows (f_i)_k and unknowns x_j^(m) that are not held, with its block-triangular form. */
typedef struct start_square {
    uint32_t n;            /* rows and unknowns */
    uint32_t *row, *order; /* position -> row of w->rows and its derivative */
    uint32_t *col, *power; /* unknown -> column and its derivative */
    uint32_t *number;      /* unknown of w->shape -> unknown, DD_NO_INDEX when held */
    uint32_t *ptr;         /* n + 1: pattern by rows */
    dd_index_vec idx;
    uint32_t *row_perm, *col_perm, *block;
    uint32_t blocks;
} start_square;

uint32_t dd_start_row_order(const start_work *w, uint32_t row); /* derivatives of the row that are solved */

/* ---- start_rows.c ---- */
/* Do x_j^(m) and (f_i)_k meet, through entry e? bit 0: by df/dx, bit 1: by df/dx'. */
uint32_t dd_start_meets(const start_rows *r, uint32_t e, uint32_t k, uint32_t m);
void dd_start_collect_rows(start_work *w);

/* ---- start_choice.c ---- */
void dd_start_prepare_choice(start_work *w);
start_choice dd_start_choose(start_work *w);
/* The same, at one point. */
start_choice dd_start_choose_at(start_work *w, const double *x, uint32_t stride);
/* As the pattern decides; for w->pattern_decides. */
start_choice dd_start_choose_by_pattern(start_work *w);
/* Are its rows independent at a point that has nothing to do with the model? */
bool dd_start_pattern_is_generic(start_work *w);
bool dd_start_same_choice(const start_work *w, const start_choice *a, const start_choice *b);
/* At w->x: the conditions that condition c depends on together with those before, by name. */
const char *dd_start_partners(start_work *w, uint32_t c);
/* The default start of a column: 0, moved into its bounds. */
double dd_start_default(const dd_system *s, uint32_t col);

/* ---- start_solve.c ---- */
/* Solves all rows for the values not held, from the guess into x. False with out->reason when a block fails. */
bool dd_start_solve(start_work *w, const start_choice *choice);
/* ---- start_relations.c ---- */
void dd_start_collect_relations(start_work *w);
/* start_solve, until relations and values agree. False with out->reason when they do not. */
bool dd_start_solve_settled(start_work *w, const start_choice *choice);
/* ---- start_linear.c ---- */
/* Derivative `order` of a row for x_col^(power) alone, into w->x, where the row is a sum of numbers times unknowns and
 * parameters; false where it is something else. */
bool dd_start_solve_linear(start_work *w, uint32_t row, uint32_t order, uint32_t col, uint32_t power);
/* ---- start_block.c ---- */
/* Solves the block at positions first .. first + n - 1, into w->x. local_of: q->n times DD_NO_INDEX, before and after.
 * False with out->reason when no attempt succeeds. */
bool dd_start_solve_block(start_work *w, const start_square *q, uint32_t first, uint32_t n, uint32_t *local_of);

/* ---- start_rates.c ---- */
/* The largest residual of all rows at x, including the initial equations that apply, relative to the size of the
 * terms. */
double dd_start_residual(start_work *w, const start_choice *choice);
/* First derivatives of columns that are algebraic. */
bool dd_start_rates(start_work *w);

/* ---- start_project.c ---- */
/* From a consistent point near x: moves the values of fixed columns (w->value) and w->x to the nearest point; says by
 * how much. False when none was found. */
bool dd_start_project(start_work *w, const start_choice *choice, const double *x, uint32_t stride);

/* ---- start_derivative.c ---- */
/* d x / dp at the solution. */
void dd_start_derivative(start_work *w, const start_choice *choice);

/* ---- start_words.c ---- */
void dd_start_say(start_work *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Sets the reason; returns false. */
bool dd_start_refuse(start_work *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* "x, y and 3 more" */
const char *dd_start_names(start_work *w, const uint32_t *cols, uint32_t count, uint32_t most);
/* "`x^2 = -1` (f.mo:3)", "derivative 2 of `...`", "initial equation `...`". */
const char *dd_start_row_words(start_work *w, uint32_t row, uint32_t order);
/* "x", "der(x)"; "x = 1" */
const char *dd_start_unknown_name(start_work *w, uint32_t col, uint32_t order);
const char *dd_start_unknown_text(start_work *w, uint32_t col, uint32_t order, double value);
/* A number for people: six digits. */
const char *dd_start_number(start_work *w, double v);

#endif
