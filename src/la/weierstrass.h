/* weierstrass.h - the structure of a matrix pencil s E - A: finite eigenvalues, and Jordan blocks at infinity.
 *
 * A regular pencil is equivalent to s [I 0; 0 N] - [J 0; 0 I] with N nilpotent (Weierstrass). Of J the eigenvalues are
 * found, of N the sizes of its Jordan blocks; the largest is the nilpotency index, which is the differential index of
 * E w' = A w + B u.
 */
#ifndef DD_LA_WEIERSTRASS_H
#define DD_LA_WEIERSTRASS_H

#include "base/context.h"

/* Ranks are those of the balanced pencil: singular values above the tolerance times the largest count. A rank is clear
 * when none lies between the other two limits. */
#define DD_WEIERSTRASS_TOLERANCE 1e-10
#define DD_WEIERSTRASS_KEPT 1e-8
#define DD_WEIERSTRASS_DROPPED 1e-12

enum { DD_WEIERSTRASS_MOST = 600 }; /* rows: the work grows with the cube */

typedef struct dd_weierstrass {
    uint32_t n;
    bool regular;      /* det(s E - A) is not zero for all s; otherwise nothing below is known */
    bool decided;      /* every rank was clear */
    double doubtful;   /* not decided: the singular value in doubt, relative to the largest */
    uint32_t finite;   /* number of finite eigenvalues */
    double *re, *im;   /* n: these, by decreasing real part, conjugate pairs together */
    uint32_t n_blocks; /* Jordan blocks at infinity, */
    uint32_t *block;   /* n: their sizes, largest first */
    uint32_t index;    /* nilpotency: the largest size; 0 when E is regular */
} dd_weierstrass;

/* E, A: n x n by columns, finite; not changed. After a failure nothing needs freeing. DD_LIMIT: n is too large;
 * DD_NUMERIC: an iteration did not converge. */
dd_status dd_weierstrass_find(dd_weierstrass *out, dd_context *ctx, uint32_t n, const double *E, const double *A);
void dd_weierstrass_free(dd_context *ctx, dd_weierstrass *w);

/* Eigenvalues by falling real part, conjugate pairs together with the positive imaginary part first. */
void dd_sort_eigenvalues(uint32_t n, double *re, double *im);

#endif
