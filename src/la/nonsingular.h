/* nonsingular.h - how far sparse square matrices of one pattern are from a singular one, with the sign of the determinant.
 *
 * A determinant is the product of all pivots: where hundreds of them change a little it changes by orders of magnitude, and
 * means nothing. This number vanishes with it, changes its sign with it, and is as smooth, but it is of the size of the
 * smallest pivot:  sign(det A) / |(A/R/C)^-1 b|,  with rows and columns scaled by their largest entries in the first matrix
 * seen, and a fixed b with entries of size 1 and signs in no order. */
#ifndef DD_LA_NONSINGULAR_H
#define DD_LA_NONSINGULAR_H

#include "la/csc.h"

typedef struct dd_nonsingular dd_nonsingular;

/* Of n x n matrices with entries at (row[k], col[k]), k < count, each place once; val is not used. */
dd_status dd_nonsingular_new(dd_nonsingular **out, dd_context *ctx, uint32_t n, const dd_triplets *entries);
void dd_nonsingular_free(dd_nonsingular *d); /* NULL is fine */

/* values[count], in the order of the entries. 0 for a singular matrix; NaN when an entry is not finite, or memory or a
 * limit of the context ended the factorisation. */
double dd_nonsingular_value(dd_nonsingular *d, const double *values);

#endif
