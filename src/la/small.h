/* small.h - dense matrices of a few unknowns: inverses and triangular factors without the cost of a library call.
 *
 * Column-major with leading dimension dd_small_ld(n), the pads zero; complex matrices and vectors as a real and an
 * imaginary array. The functions that factor return false when a pivot is zero or not finite, with its column in
 * *failed. */
#ifndef DD_LA_SMALL_H
#define DD_LA_SMALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline size_t dd_small_ld(uint32_t n)
{
    return ((size_t)n + 3) & ~(size_t)3;
}

enum {
    DD_SMALL_INVERSE = 8, /* largest n for which an inverse is offered */
    DD_SMALL_MOST = 64    /* and triangular factors; a multiple of four */
};

/* a := a^-1 by Gauss-Jordan with partial pivoting; pivot: n. */
bool dd_small_invert(uint32_t n, double *a, int32_t *pivot, uint32_t *failed);
bool dd_small_invert_complex(uint32_t n, double *re, double *im, int32_t *pivot, uint32_t *failed);

/* x := a x for an inverse. */
void dd_small_apply(uint32_t n, const double *a, double *x);
void dd_small_apply_complex(uint32_t n, const double *re, const double *im, double *xr, double *xi);

/* LU with partial pivoting, the pivots of U stored inverted; order[k]: the row that became row k. And solving in
 * place. */
bool dd_small_factor(uint32_t n, double *a, int32_t *order, uint32_t *failed);
void dd_small_solve(uint32_t n, const double *lu, const int32_t *order, double *x);
bool dd_small_factor_complex(uint32_t n, double *re, double *im, int32_t *order, uint32_t *failed);
void dd_small_solve_complex(uint32_t n, const double *lr, const double *li, const int32_t *order, double *xr,
                            double *xi);

#endif
