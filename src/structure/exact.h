/* exact.h - exact algebra on rows: what is identically zero (judged at generic points), symbolic null vectors, orders
 * of derivatives. Shared by the two conversions, convert.c and substitute.c. */
#ifndef DD_STRUCTURE_EXACT_H
#define DD_STRUCTURE_EXACT_H

#include "structure/field.h"
#include "structure/numeric.h"

enum { DD_EXACT_POINTS = 4, DD_EXACT_ORDER = 2 };

typedef struct dd_exact {
    dd_system *s;
    dd_pool *scratch;
    dd_field field;                 /* decides what is rational; the points decide the rest */
    double *point[DD_EXACT_POINTS]; /* generic: ncols * (DD_EXACT_ORDER + 1) Taylor coefficients each */
} dd_exact;

dd_exact dd_exact_new(dd_system *s, dd_pool *scratch);

/* Is e zero wherever it is defined? */
bool dd_exact_vanishes(dd_exact *x, dd_expr e);

/* u with A u = 0 and u[target] = 1 for a matrix of expressions, `rows` x n by rows, whose columns are a minimal
 * dependent set; A is destroyed. Rational numbers stay exact. False when the columns turn out to be independent. */
bool dd_exact_null_vector(dd_exact *x, dd_expr *a, uint32_t rows, uint32_t n, uint32_t target, dd_expr *u);

/* Does e contain x_j^(k) with k >= d_j - c? They are added to `leading`. */
bool dd_exact_has_leading(dd_exact *x, dd_expr e, const dd_offsets *off, uint32_t c, dd_expr_vec *leading);

/* No unknown differentiated more than once. */
bool dd_exact_first_order(dd_exact *x, dd_expr e);

/* "model.mo:4, model.mo:7": where these rows were written, each place once. In the system's pool. */
const char *dd_exact_places(dd_exact *x, const dd_eq_vec *eqs, const uint32_t *rows, uint32_t n);

#endif
