/* equations_impl.h - between the files that make equations ready for numbers (equations.h). They run in this order:
 *
 *   equations_assign.c     columns that a differentiated row assigns, with all their derivatives
 *   equations_rows.c       x and z that are left; rows x' = f, and the rest
 *   equations_spare.c      small blocks of the rest joined with constraints that determine the same unknowns
 *   equations_eliminate.c  algebraic unknowns that one row of the rest determines
 *   equations_scale.c      rows divided by what multiplies all their unknowns
 *   equations_result.c     the equations in the symbols that stay, and the invariants
 */
#ifndef DD_STRUCTURE_EQUATIONS_IMPL_H
#define DD_STRUCTURE_EQUATIONS_IMPL_H

#include "structure/equations.h"

enum {
    DD_EQUATIONS_ROUNDS =
        50, /* values that contain symbols with values: chains are far shorter, and there are no cycles */
    DD_EQUATIONS_TORN = 400 /* rows looked at for tearing and closed forms, whose work grows with their square */
};

typedef enum dd_assigning { DD_ASSIGN_NOTHING, DD_ASSIGN_STRICTLY, DD_ASSIGN_FREELY } dd_assigning;

typedef struct dd_equations_work {
    const dd_system *s;
    dd_equations *q;
    dd_pool *pool, *scratch;
    dd_map place;               /* z symbol -> 1 + index in z */
    dd_expr_vec z;              /* all algebraic unknowns */
    dd_expr *value;             /* per z: DD_EXPR_NONE while unknown */
    bool *kept;                 /* per z: stays an unknown */
    bool undivided;             /* no unknown is the quotient by a function of variables */
    bool constrained;           /* rows with invariants assign nothing */
    uint32_t *uses;             /* per z: rows that contain it */
    dd_constraint_row_vec rows; /* rows that are no explicit rates; expr holds the residual */
    bool *done;                 /* per row: it determined an unknown */
    uint32_t *left;             /* per row: unknowns left */
    uint32_t *ptr, *list;       /* per z: the rows that contain it */
    dd_index_vec queue;
    dd_expr *h;                    /* per column: what a differentiated row assigns to it, DD_EXPR_NONE */
    bool *assigning;               /* per row of s->eqs: it does so */
    uint32_t *row_uses, *col_uses; /* per row of s->eqs, per column: how often they are in the reduced system */
    dd_expr *late;                 /* per column: its rate in closed form from a differentiated row, DD_EXPR_NONE */
    uint32_t *late_of;             /* per reduced row: 1 + the column whose rate it determines so */
    dd_map h_rate;                 /* VAR(x, m) of such a column -> m-th derivative of h */
    dd_form_of_equations form;
    dd_assigning assign;
    double alpha;
    bool *is_x;      /* per column */
    dd_expr *joined; /* per invariant: what stands for it when it was joined with a block, DD_EXPR_NONE; or NULL */
} dd_equations_work;

typedef struct dd_rate_rows {
    dd_expr_vec symbols, rates;
    dd_index_vec eqs, levels;
} dd_rate_rows;

/* The place of an algebraic unknown in w->z, DD_NO_INDEX for other symbols. */
uint32_t dd_equations_place(const dd_equations_work *w, dd_expr symbol);
/* e with everything put in that has a value so far. */
dd_expr dd_equations_put(dd_equations_work *w, dd_expr e);
/* Made of parameters and numbers alone. */
bool dd_equations_constant(const dd_equations_work *w, dd_expr e);

/* ---- equations_assign.c ---- */
void dd_equations_assign(dd_equations_work *w);

/* ---- equations_rows.c ---- */
/* x and z of the form asked for, without assigned columns. */
void dd_equations_sort_unknowns(dd_equations_work *w, dd_expr_vec *x);
/* The reduced rows: explicit rates into out, others into w->rows. */
void dd_equations_sort_rows(dd_equations_work *w, dd_rate_rows *out);
/* The rows as written, into w->rows. */
void dd_equations_take_original(dd_equations_work *w);
/* A differentiated row with what Baumgarte's method adds. */
dd_expr dd_equations_damped(dd_equations_work *w, const dd_constraint_row *c);

/* ---- equations_spare.c ---- */
void dd_equations_use_spares(dd_equations_work *w, const dd_expr_vec *x, const dd_rate_rows *rates);

/* ---- equations_eliminate.c ---- */
void dd_equations_eliminate(dd_equations_work *w, const dd_expr_vec *rates);

/* ---- equations_scale.c ---- */
/* A row in its final symbols, divided by what multiplies all its unknowns; the divisor is noted. */
dd_expr dd_equations_scaled(dd_equations_work *w, dd_expr row, const dd_constraint_row *c);

/* ---- equations_result.c ---- */
void dd_equations_write(dd_equations_work *w, const dd_expr_vec *x, const dd_rate_rows *rates, dd_pool *pool);
void dd_equations_write_invariants(dd_equations_work *w, dd_pool *pool);

#endif
