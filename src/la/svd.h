/* svd.h - the singular value decomposition A = U diag(s) V^T of a small dense matrix, kept for repeated use. */
#ifndef DD_LA_SVD_H
#define DD_LA_SVD_H

#include "la/csc.h"

typedef enum dd_svd_vectors {
    DD_SVD_VALUES, /* s alone, several times faster */
    DD_SVD_THIN,   /* U is m x count and V^T count x n */
    DD_SVD_FULL    /* U is m x m and V^T n x n */
} dd_svd_vectors;

typedef struct dd_svd {
    uint32_t m, n, count; /* count = min(m, n) */
    dd_svd_vectors vectors;
    double *s;  /* count, decreasing */
    double *u;  /* leading dimension m */
    double *vt; /* leading dimension n when full, else count */
    double *work;
    int lwork;
    dd_work memory;
} dd_svd;

/* Memory for m x n matrices; after a failure nothing needs freeing. */
dd_status dd_svd_new(dd_svd *out, dd_context *ctx, uint32_t m, uint32_t n, dd_svd_vectors vectors);
void dd_svd_free(dd_svd *svd);

/* Decomposes a (m x n, leading dimension m; destroyed). DD_INVALID_ARGUMENT when an entry is not finite, DD_NUMERIC
 * should the iteration not converge. */
dd_status dd_svd_run(dd_svd *svd, dd_context *ctx, double *a);

/* Singular values above tol * largest. */
uint32_t dd_svd_rank(const dd_svd *svd, double tol);

/* Needs vectors. x = V diag(s / (s^2 + mu)) U^T b over the first `rank` values: minimum-norm least squares, damped when
 * mu > 0. x: n; multiplier: NULL, or m: receives l = -U diag(1 / (s^2 + mu)) U^T b, so that x = -A^T l. */
void dd_svd_apply_inverse(const dd_svd *svd, uint32_t rank, double mu, const double *b, double *x, double *multiplier);

#endif
