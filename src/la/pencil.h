/* pencil.h - linear systems with sigma M + J for a real or complex number sigma, as implicit integrators solve them.
 *
 * M and J are given on one pattern (CSC, n x n). Small systems are solved with their explicit inverse or a dense
 * factorisation, large ones with KLU; which is cheaper is found from the pattern. After creation nothing is allocated
 * by the dense kinds; KLU keeps its own memory.
 */
#ifndef DD_LA_PENCIL_H
#define DD_LA_PENCIL_H

#include "la/csc.h"

typedef struct dd_pencil dd_pencil;

typedef enum dd_pencil_kind { DD_PENCIL_AUTO, DD_PENCIL_DENSE, DD_PENCIL_SPARSE } dd_pencil_kind;

/* pattern: n x n, values unused, copied. is_complex: sigma has an imaginary part. */
dd_status dd_pencil_new(dd_pencil **out, dd_context *ctx, const dd_csc *pattern, bool is_complex, dd_pencil_kind kind);
void dd_pencil_free(dd_pencil *p); /* NULL is fine */

bool dd_pencil_is_sparse(const dd_pencil *p);

/* Factors (re + i im) M + J; m, j: values on the pattern. *singular: no regular factor was found (also when a value is
 * not finite); column: where it failed, DD_NO_INDEX when unknown. Fails with DD_OUT_OF_MEMORY only. */
dd_status dd_pencil_factor(dd_pencil *p, double re, double im, const double *m, const double *j, bool *singular,
                           uint32_t *column);

/* Solves in place with the last regular factor: re[n], and im[n] for a complex sigma (NULL otherwise). */
void dd_pencil_solve(dd_pencil *p, double *re, double *im);

#endif
