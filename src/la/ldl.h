/* ldl.h - sparse symmetric indefinite matrices: P S A S P^T = L D L^T, multifrontal (Duff and Reid, ACM TOMS 9, 1983).
 *
 *     A: symmetric, given by its lower triangle        S: diagonal, powers of two, so that the largest entry of each
 *     L: unit lower triangular                            row is about 1; new at every factorisation
 *     D: blocks of 1 x 1 and 2 x 2                      P: fill-reducing order, changed by the pivots
 *
 * The order is AMD's, on the pattern. Pairs of unknowns that shall be eliminated together as a 2 x 2 block (an equality
 * and a variable that it determines) may be given: then the order is that of the graph in which each pair is one node.
 *
 * Everything is allocated when the object is made; factorisations and solves allocate nothing, unless more pivots are
 * delayed than was foreseen.
 */
#ifndef DD_LA_LDL_H
#define DD_LA_LDL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/context.h"

typedef struct dd_ldl dd_ldl;

/* The lower triangle by columns: column j holds the rows idx[ptr[j] .. ptr[j+1]-1], each >= j and at most once, in any
 * order. The diagonal need not be there. */
typedef struct dd_ldl_pattern {
    uint32_t n;
    const uint32_t *ptr, *idx; /* n + 1, ptr[n] */
    const uint32_t *partner;   /* n: the other one of the pair, or DD_NO_INDEX; NULL: there are no pairs */
    const uint32_t *level;     /* n: unknowns of a level are eliminated after those below; NULL: any order */
} dd_ldl_pattern;

typedef struct dd_ldl_info {
    uint32_t negative, zero; /* eigenvalues; the others are positive */
    bool broken;       /* a value is not finite, or became so during the factorisation; there are no factors then */
    uint32_t delayed;  /* pivots that were refused in a front and passed to the next, counted each time */
    uint32_t pairs;    /* 2 x 2 pivots */
    uint64_t entries;  /* of the factors, with the room for their upper triangles */
    double operations; /* multiplications of the factorisation */
} dd_ldl_info;

/* The pattern is not needed afterwards. Fails with DD_OUT_OF_MEMORY, with DD_LIMIT (more entries than 32-bit numbers
 * can count), DD_INVALID_ARGUMENT (an index is out of range or above the diagonal, partners do not agree). */
dd_status dd_ldl_new(dd_ldl **out, dd_context *ctx, const dd_ldl_pattern *pattern);
/* How long a factorisation of such a matrix takes, in nanoseconds: an estimate, from the order that dd_ldl_new would
 * choose. Fails like it. */
dd_status dd_ldl_cost(double *nanoseconds, dd_context *ctx, const dd_ldl_pattern *pattern);
/* That order: the unknown at each position (n). */
dd_status dd_ldl_find_order(uint32_t *order, dd_context *ctx, const dd_ldl_pattern *pattern);
/* NULL is fine. */
void dd_ldl_free(dd_ldl *f);

/* Factors the matrix with these values (ptr[n]). Fails with DD_OUT_OF_MEMORY, or with what the context's limits say;
 * then there are no factors, but the object can be used again. out may be NULL. */
dd_status dd_ldl_factor(dd_ldl *f, const double *val, dd_ldl_info *out);

/* b := A^-1 b (n) with the last factorisation, which must have succeeded. With zero pivots: a solution of the equations of
 * the others in which the unknowns of the zero pivots are 0. */
void dd_ldl_solve(dd_ldl *f, double *b);

/* The unknowns of the zero pivots of the last factorisation (info.zero of them), in the order they were met. */
const uint32_t *dd_ldl_zeros(const dd_ldl *f);

/* What the last factorisation was like. */
dd_ldl_info dd_ldl_get_info(const dd_ldl *f);

#endif
