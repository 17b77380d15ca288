/* solvable.h - the numbers that must not vanish while a model is simulated.
 *
 *     N = [dF/dx' dF/dz]  of the reduced system, in block-triangular form: the determinant of every block that changes,
 *                         of large ones a number that vanishes with it (la/nonsingular.h)
 *     divisors            what algebraic unknowns were divided by when they were put into other rows
 *     conditions          what `check` prints after "solvable while", where it is none of the above
 *
 * Together they are the determinant of the whole system, factor by factor. Blocks of numbers and parameters cannot
 * change and are left out, so most models have few of them or none. */
#ifndef DD_DYNAMICS_SOLVABLE_H
#define DD_DYNAMICS_SOLVABLE_H

#include "la/nonsingular.h"
#include "structure/equations.h"

struct dd_numbers;
struct dd_compiler;

enum { DD_SOLVABLE_MOST = 2000 }; /* rows of a block; larger ones are left to the integrator */

/* An equation of the reduced system, in terms of the analysis. */
typedef struct dd_solvable_row {
    uint32_t eq, level; /* as dd_equations.row_eq, row_level */
    bool of_analysis;   /* eq is a row of s->eqs whatever the form */
} dd_solvable_row;

/* One number that must not vanish. */
typedef struct dd_solvable_item {
    uint32_t size;          /* rows of the block */
    dd_expr expression;     /* of one row: itself; DD_EXPR_NONE for larger blocks */
    uint32_t partial_of;    /* it is the derivative of this row by symbols[0]; DD_NO_INDEX: a divisor, a condition */
    dd_solvable_row *rows;  /* size */
    dd_expr *symbols;       /* size: the unknowns that the rows determine */
    uint32_t entries;       /* larger blocks: those of the matrix, */
    uint32_t *place;        /* where (row + size*column), */
    uint32_t *output;       /* and which output of the program; DD_NO_INDEX: */
    double *fixed;          /* a number */
    dd_nonsingular *sparse; /* of a large block, whose determinant says little; else NULL */
} dd_solvable_item;

typedef struct dd_solvable {
    uint32_t count;
    uint32_t singles; /* the items of one row come first; their values are the first outputs */
    dd_solvable_item *items;
    dd_expr_vec symbols; /* that they contain */
    struct dd_compiled *program;
    double *value;  /* of its outputs */
    double *matrix; /* of the largest dense block; entries of the largest sparse one */
    int *exponent;  /* per item: its determinants are divided by 2^exponent, that of the first one seen */
    bool *seen;     /* per item */
} dd_solvable;

/* Entries of dF/dw' and dF/dw, row after row. */
typedef struct dd_solvable_entries {
    uint32_t count;
    const uint32_t *row, *col;
    const dd_expr *value;
    const bool *of_rate;
} dd_solvable_entries;

/* Part of compiling (numbers.c). divisors: those of the equations, with inputs put in. NULL when nothing can vanish.
 * Raises. */
dd_solvable *dd_solvable_compile(struct dd_compiler *c, const dd_solvable_entries *e, const dd_expr *divisors);

/* Frees what does not lie in the pool; NULL is fine. */
void dd_solvable_free(dd_solvable *s);

/* The expression of an item of one row as the model has it, with abs and min and not with what takes their place.
 * Raises. */
dd_expr dd_solvable_written(const struct dd_numbers *q, const dd_solvable_item *item);

/* Does one of the numbers depend on a symbol? */
bool dd_solvable_depends(const struct dd_numbers *q, dd_expr symbol);

/* values[count]: not finite where something cannot be evaluated. */
void dd_solvable_values(struct dd_numbers *q, double t, const double *w, const double *wdot, double *values);

#endif
