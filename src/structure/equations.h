/* equations.h - the reduced system made ready for numbers.
 *
 *     F(x', x, z, u, p, t) = 0     as many rows as x and z together, of index 1
 *     y = h(x', x, z, u, p, t)     assigned: algebraic unknowns that one row determines in closed form
 *     c(x, u, p, t) = 0            invariants
 *
 * Where x' is known in closed form its row is x' - f = 0 and f replaces x' in all other rows. Integrators and
 * transcriptions see this one object.
 */
#ifndef DD_STRUCTURE_EQUATIONS_H
#define DD_STRUCTURE_EQUATIONS_H

#include "structure/system.h"

typedef enum dd_form_of_equations {
    DD_EQUATIONS_REDUCED, /* of index 1, with the invariants */
    /* the same with the fewest states, in closed loops too (condense.c): for programs, not for marching */
    DD_EQUATIONS_CONDENSED,
    /* the same, but an unknown that only a division by a function of the variables determines stays an unknown: its row
     * is of lower degree than the quotient, which Newton's method likes where the point is far from consistent */
    DD_EQUATIONS_UNDIVIDED,
    /* of index 1, from the reduction of the whole system: what rows determine in closed form stays a state with
     * constraints where these are to be watched, or exchanged for states while time passes */
    DD_EQUATIONS_WHOLE,
    /* the same, and constraints that time alone drives (x = sin(time)) stay constraints too: for the study of drift */
    DD_EQUATIONS_KEPT,
    DD_EQUATIONS_ORIGINAL /* the rows as written, of first order: any index, no invariants */
} dd_form_of_equations;

typedef struct dd_assigned {
    dd_expr symbol; /* VAR(y, order) */
    dd_expr value;  /* in x', x, z, inputs, parameters and time only */
} dd_assigned;

/* An algebraic unknown was assigned by dividing by a function of the variables: where that vanishes, its row does not
 * determine it. With the matrix [dF/dx' dF/dz] of the rows left, the divisors make up the determinant of the whole
 * system. */
typedef struct dd_divisor {
    dd_expr value;  /* in x', x, z, inputs, parameters and time only */
    dd_expr symbol; /* of the unknown */
    uint32_t eq;    /* as row_eq */
    uint32_t level; /* as row_level */
} dd_divisor;

typedef struct dd_equations {
    dd_form_of_equations form;
    const dd_system *system;      /* the reduction they come from: of the whole system, or of what condense.h leaves */
    dd_expr_vec x, z;             /* unknowns: VAR(.,0); VAR(.,m >= 2) among z */
    dd_expr_vec rows;             /* F */
    dd_index_vec row_eq;          /* per row: the row of s->eqs (original form: of s->original) it came from */
    dd_index_vec row_level;       /* per row: how often that was differentiated */
    dd_expr_vec rate;             /* per row that reads x_k' - f = 0: f; other rows: DD_EXPR_NONE */
    dd_index_vec rate_of;         /* per row of that kind: k, the place in x; else DD_NO_INDEX */
    DD_VEC(dd_assigned) assigned; /* no value contains another assigned symbol */
    dd_map value_of;              /* assigned symbol -> value */
    DD_VEC(dd_divisor) divisors;
    dd_expr_vec invariants; /* c */
    dd_index_vec invariant_eq, invariant_level;
} dd_equations;

/* From s->reduced or s->original; in the pool. The form of the result is reduced or original. Raises.
 * baumgarte: 0, or alpha > 0 for (d/dt + alpha)^k c = 0 in place of the k-th derivative of a constraint c. */
dd_equations *dd_system_equations(const dd_system *s, dd_form_of_equations form, double baumgarte, dd_pool *pool);

/* Any expression of the model (first order or not) in the symbols that the equations keep: assigned ones put in; x'
 * stays where it is no explicit rate. */
dd_expr dd_equations_resolve(const dd_system *s, const dd_equations *q, dd_expr e);
/* The same for many, in place; formulas that share their parts cost little more than one. */
void dd_equations_resolve_all(const dd_system *s, const dd_equations *q, dd_expr *e, uint32_t n);

#endif
