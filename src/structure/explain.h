/* explain.h - the reduction of a model, step by step as one would do it on paper.
 *
 *   dd_system --explain*.c--> dd_explanation: steps with sentences, formulas and a matrix
 *                               --explain_write.c--> text, Markdown, LaTeX
 *                               --explain_json.c---> the key "explanation" of the report
 *
 * Sentences are written once, in plain words; what stands between `...` in them is a formula of the language and is
 * set as one. Every formula keeps the expressions that it shows, so that tests can compare the two.
 */
#ifndef DD_STRUCTURE_EXPLAIN_H
#define DD_STRUCTURE_EXPLAIN_H

#include "base/json.h"
#include "structure/system.h"

/* id, name in the JSON */
#define DD_EXPLAIN_LIST(X)                                                                                             \
    X(LAGRANGE, "lagrange")           /* energies, constraints and forces of lagrange(...) */                          \
    X(MOTION, "motion")               /* the terms of one equation of motion */                                        \
    X(EQUATIONS, "equations")         /* the equations of first order, numbered */                                     \
    X(LEADING, "leading_matrix")      /* dF/dx' and its rank */                                                        \
    X(COMBINE, "combine")             /* equations combined without differentiating */                                 \
    X(DIFFERENTIATE, "differentiate") /* one differentiation, and what it shows */                                     \
    X(INDEX, "index")                 /* the count */                                                                  \
    X(CONSISTENCY, "consistency")     /* conditions that must hold at one time */                                      \
    X(INITIAL, "initial_values")      /* what may be chosen */                                                         \
    X(CONDITION, "condition")         /* when the answer holds */                                                      \
    X(REFUSED, "refused")             /* there is no reduction, and why */
typedef enum dd_explain_kind {
#define DD_EXPLAIN_ENUM(id, name) DD_EXPLAIN_##id,
    DD_EXPLAIN_LIST(DD_EXPLAIN_ENUM)
#undef DD_EXPLAIN_ENUM
} dd_explain_kind;

/* A formula on a line of its own. */
typedef struct dd_explain_line {
    const char *label;     /* "(3)", "(3)''"; "" without */
    const char *words;     /* what it is: "d/dt of (3)", "that is"; "" without */
    const char *name;      /* left side that is not a formula of the language ("dL/dq'"), as LaTeX in name_tex; NULL */
    const char *name_tex;  /* without */
    const char *formula;   /* in the language: an equation, or the right side of `name` */
    const char *from;      /* "file:line"; "" without */
    const dd_expr *values; /* the residuals of the equation, or the value of the right side */
    uint32_t n_values;
} dd_explain_line;
typedef DD_VEC(dd_explain_line) dd_explain_line_vec;

/* dF/dx', small enough to be read. */
typedef struct dd_explain_matrix {
    uint32_t rows, cols;
    const char **row_label; /* "(1)" */
    const char **col_label; /* "der(x)" */
    const char **entry;     /* rows x cols, by rows: formulas */
    const dd_expr *expr;    /* the same as expressions; DD_EXPR_NONE: 0 */
} dd_explain_matrix;

typedef struct dd_explain_step {
    dd_explain_kind kind;
    const char *title;
    const char *text;          /* sentences before the formulas */
    dd_explain_matrix *matrix; /* NULL without */
    dd_explain_line_vec lines;
    uint32_t left_out;    /* formulas that are not shown */
    const char *behind;   /* sentences behind the formulas */
    uint32_t order;       /* DIFFERENTIATE: which one, from 1 */
    uint32_t rank;        /* LEADING, DIFFERENTIATE: of dF/dx' then; DD_NO_INDEX: not known */
    uint32_t constraints; /* LEADING, DIFFERENTIATE: equations that are free of derivatives then, as scalars */
} dd_explain_step;

typedef struct dd_explanation {
    const dd_system *s;
    dd_pool *pool;
    bool all; /* every formula is listed */
    DD_VEC(dd_explain_step *) steps;
    const char **group_label; /* per group of the model: "(3)"; "" for rows that the tool has made */
} dd_explanation;

const char *dd_explain_kind_name(dd_explain_kind kind);

/* all: every formula; else long lists end after the first ones. In the pool. Raises. */
dd_explanation *dd_explain(const dd_system *s, bool all, dd_pool *pool);

/* ---- pieces for the parts of the explanation ---- */
dd_explain_step *dd_explain_add(dd_explanation *x, dd_explain_kind kind, const char *title);
/* Adds a line; in short explanations only the first ones of a step are kept, and the others are counted. */
void dd_explain_push(dd_explanation *x, dd_explain_step *step, dd_explain_line line);
/* An equation given by its residual, printed readably. */
dd_explain_line dd_explain_equation(dd_explanation *x, const char *label, const char *words, dd_expr residual);
/* A row of s->eqs by its label: "(3)", "(3.2)" for one row of an array equation, "(3*)" when it was combined; level
 * primes behind it. */
const char *dd_explain_row_label(const dd_explanation *x, uint32_t eq, uint32_t level, bool whole_group);
/* A row of a combination, before that replaced it. */
const char *dd_explain_part_label(const dd_explanation *x, const dd_combined_row *part);
/* "2 equations", "1 equation". */
const char *dd_explain_count(dd_pool *pool, uint32_t n, const char *one);

/* ---- explain_equations.c ---- */
void dd_explain_number_equations(dd_explanation *x);
void dd_explain_equations(dd_explanation *x);
void dd_explain_leading(dd_explanation *x);
void dd_explain_combined(dd_explanation *x);

/* ---- explain_rounds.c ---- */
void dd_explain_rounds(dd_explanation *x);

/* ---- explain_rank.c ---- */
/* The differentiation that shows a constraint. Orders of the report are upper bounds where rows were combined: with
 * index k all are found in k - 1 differentiations. */
uint32_t dd_explain_order(const dd_system *s, uint32_t order);
/* The rank of dF/dx' at the consistent point after this many differentiations; DD_NO_INDEX where it takes second
 * derivatives, no point is known, or the system is large. */
uint32_t dd_explain_rank_after(const dd_explanation *x, uint32_t differentiations);

/* ---- explain_mechanics.c ---- */
void dd_explain_mechanics(dd_explanation *x);

/* ---- explain_json.c ---- */
void dd_explain_json(const dd_explanation *x, dd_json *j);

#endif
