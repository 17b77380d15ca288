/* printed.h - the reduced system as a model in the language: equations and initial equations of one of three forms.
 *
 *   reduced         F(x', x, z, u, p, t) = 0 of index 1, rows as the reduction leaves them
 *   semi-explicit   x' = f(x, z, u), 0 = g(x, z, u); rates without a formula become algebraic unknowns: x' = a,
 *                   0 = F(a, x, z), in mechanics the block system [M -J; G 0] (a, lambda) = ...
 *   normal          x' = f(x, u) with z = xi(x, u) put in
 *
 * The invariants are initial equations: what they leave open is what the model leaves open.
 */
#ifndef DD_STRUCTURE_PRINTED_H
#define DD_STRUCTURE_PRINTED_H

#include "structure/system.h"

typedef struct dd_printed_row {
    dd_expr residual;
    dd_expr solve_for; /* the symbol that stands alone on the left; DD_EXPR_NONE: any */
    const char *doc;   /* where it comes from */
} dd_printed_row;
typedef DD_VEC(dd_printed_row) dd_printed_row_vec;

typedef struct dd_printed {
    const dd_system *s;
    dd_printed_form form;
    dd_printed_row_vec rows, initial;
    dd_expr_vec added;   /* symbols that become variables of their own: VAR(x, m) */
    uint32_t n_rates;    /* the first of these are rates x', with rows x' = a */
    const char *refusal; /* why there is no such form; NULL: there is */
} dd_printed;

/* In the pool. Raises. */
dd_printed *dd_printed_new(const dd_system *s, dd_printed_form form, dd_pool *pool);

/* The model as text, in the pool of the system: out must be there too. start: values of the declared columns at a
 * consistent start; NULL: the starts of the model. Raises. */
void dd_printed_write(const dd_printed *p, const double *start, dd_text *out);

/* The names in the forms, which all copies of a model share, are those of the system again. To be called after
 * dd_printed_write has raised. */
void dd_printed_restore(const dd_system *s);

#endif
