/* start_impl.h - what the files of the start share. */
#ifndef DD_SIM_START_IMPL_H
#define DD_SIM_START_IMPL_H

#include "sim/start.h"
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

/* Which conditions count and what completes them. */
typedef struct start_choice {
    uint8_t *dependent;    /* per condition: it follows from others */
    dd_index_vec starts;   /* columns taken from their written start */
    dd_index_vec zeros;    /* speeds taken as 0 */
    dd_index_vec defaults; /* columns taken from the default start */
    dd_index_vec open;     /* when conditions are missing: columns that complete them */
    uint32_t missing;
    bool singular; /* the rows themselves are dependent at the point */
} start_choice;

typedef struct start_work {
    dd_system *s;
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
} start_work;

uint32_t start_row_order(const start_work *w, uint32_t row); /* derivatives of the row that are solved */

/* ---- start_rows.c ---- */
void start_collect_rows(start_work *w);

/* ---- start_choice.c ---- */
start_choice start_choose(start_work *w, const double *x, uint32_t stride);
bool start_same_choice(const start_work *w, const start_choice *a, const start_choice *b);
/* Columns of fixed values and texts of initial equations that condition c depends on together with those before. */
const char *start_partners(start_work *w, uint32_t c, const double *x, uint32_t stride);
/* The default start of a column: 0, moved into its bounds. */
double start_default(const dd_system *s, uint32_t col);

/* ---- start_solve.c ---- */
/* Solves all rows for what is not held, from the guess into x. False with out->reason when a block fails. */
bool start_solve(start_work *w, const start_choice *choice);
/* The largest residual of all rows at x, relative to the size of the terms. */
double start_residual(start_work *w);
/* First derivatives of columns that are algebraic. */
bool start_rates(start_work *w);

/* ---- start_project.c ---- */
bool start_project(start_work *w);

/* ---- start_words.c ---- */
void start_say(start_work *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Sets the reason; returns false. */
bool start_refuse(start_work *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* "x, y and 3 more" */
const char *start_names(start_work *w, const uint32_t *cols, uint32_t count, uint32_t most);
/* "`x^2 = -1` (f.mo:3)", "derivative 2 of `...`", "initial equation `...`". */
const char *start_row_words(start_work *w, uint32_t row, uint32_t order);
/* A number for people: six digits. */
const char *start_number(start_work *w, double v);

#endif
