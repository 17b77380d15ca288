/* dense.h - dense rank decisions with their reasons, null spaces and least squares (LAPACK). */
#ifndef DD_LA_DENSE_H
#define DD_LA_DENSE_H

#include "la/csc.h"

/* How a rank was decided. The numbers belong to the equilibrated matrix (rows and columns scaled to largest entry 1),
 * so they do not depend on units. */
typedef struct dd_rank_info {
    uint32_t rank;
    double sigma_max; /* largest singular value of the equilibrated matrix (of R's diagonal when large) */
    double kept;      /* smallest kept singular value / sigma_max; 1 when rank == 0 */
    double dropped;   /* largest dropped one / sigma_max; 0 when none was dropped */
    double gap;       /* kept / dropped, HUGE_VAL when nothing (or exact zeros) was dropped */
    bool clear;       /* no doubt: kept >= 100 tol and dropped <= tol / 100, or gap >= 1e5 */
    bool svd;         /* singular values were used; otherwise QR with column pivoting (both sides above DD_RANK_SVD) */
} dd_rank_info;

enum { DD_RANK_SVD = 200 }; /* min(m, n) up to which the SVD is used */

/* An m x n matrix by columns, with leading dimension lda >= max(1, m). */
typedef struct dd_dense {
    uint32_t m, n;
    const double *a;
    uint32_t lda;
} dd_dense;

/* Rank of a matrix.
 *   tol         relative: singular values below tol * sigma_max of the equilibrated matrix are treated as zero (0:
 *   takes
 *               max(m,n) * 2^-52 * 8)
 *   floor       NULL, or m row magnitudes: a row whose largest entry is below floor[i] is scaled by floor[i] instead of
 *               by its largest entry, so that a row made of rounding noise is not blown up to size 1
 *   left_null   NULL, or room for m*m: receives m - rank orthonormal columns y (leading dimension m) with y^T A = 0
 *   right_null  NULL, or room for n*n: receives n - rank orthonormal columns x (leading dimension n) with A x = 0
 * Null vectors are in the caller's scaling. m or n may be 0. */
dd_status dd_rank_dense(dd_rank_info *out, dd_context *ctx, const dd_dense *a, double tol, const double *floor,
                        double *left_null, double *right_null);

/* The right null space alone, in memory of the caller: for loops that must not allocate. The rows of A (m x n, by columns,
 * leading dimension m) are scaled to largest entry 1; the rank is that of a QR with pivoting, tol as above.
 *   null   n*n: receives n - rank orthonormal columns x (leading dimension n) with A x = 0; returns how many
 *   work   dd_null_work(m, n) doubles;  pivot: m
 * Entries must be finite. */
size_t dd_null_work(uint32_t m, uint32_t n);
uint32_t dd_null_dense(const double *a, uint32_t m, uint32_t n, double tol, double *null, double *work, int *pivot);

/* Minimum-norm least squares: x of smallest ||x|| among those that minimise ||A x - b||, any shape and rank.
 *   x        n;  b: m (not changed), finite like a
 *   tol      singular values below tol * largest are zero (0: machine precision times max(m,n)); no equilibration. Both
 *            sides above DD_RANK_SVD: QR with column pivoting and its condition estimate replace the SVD
 *   rank     NULL or receives the rank used;  residual: NULL or receives ||A x - b|| (2-norm) */
dd_status dd_lstsq_dense(dd_context *ctx, const dd_dense *a, const double *b, double tol, double *x, uint32_t *rank,
                         double *residual);

#endif
