/* quad.h - binary128 arithmetic for coefficients: 113 bits, computed once at creation and rounded once to double.
 *
 * The compiler's own type does + - * /; what else is needed (square root, 1 - cosine, reading and printing decimals) is
 * here, so that no library has to be linked. Far too slow for anything but set-up. */
#ifndef DD_METHODS_QUAD_H
#define DD_METHODS_QUAD_H

#include <float.h>
#include <stdbool.h>
#include <stdint.h>

#if defined(__SIZEOF_FLOAT128__) && LDBL_MANT_DIG < 113
__extension__ typedef __float128 dd_quad;
#else
typedef long double dd_quad;
_Static_assert(LDBL_MANT_DIG >= 113, "a type with 113 bits is needed: __float128, or long double of that size");
#endif

/* 2^-113: half a unit in the last place of 1. */
#define DD_QUAD_EPSILON ((dd_quad)0x1p-113)

enum { DD_QUAD_DIGITS = 34, DD_QUAD_TEXT = 48 };

static inline dd_quad dd_quad_abs(dd_quad a)
{
    return a < 0 ? -a : a;
}

static inline dd_quad dd_quad_max(dd_quad a, dd_quad b)
{
    return a > b ? a : b;
}

/* False for infinities and NaN. */
static inline bool dd_quad_is_finite(dd_quad a)
{
    return a - a == 0;
}

dd_quad dd_quad_sqrt(dd_quad a); /* NaN for a < 0 */
dd_quad dd_quad_pi(void);
dd_quad dd_quad_versine(dd_quad a); /* 1 - cos a, small values accurately too; 0 <= a <= pi */

/* Reads a decimal number without sign ("12", ".5", "5.26e-2") at the start of s and sets *end behind it (*end == s:
 * there is none). Correctly rounded up to 34 digits and exponents around +-40. *digits, where not NULL, receives the
 * number of significant digits as written. */
dd_quad dd_quad_parse(const char *s, const char **end, uint32_t *digits);

/* The number with that many significant digits (1 to 34), as "0.0523", "-1.5" or "3.1e-12"; trailing zeros are left
 * out. Correct to one unit in the last printed digit. */
const char *dd_quad_text(dd_quad a, uint32_t digits, char buffer[DD_QUAD_TEXT]);

/* ---- complex numbers ---- */

typedef struct dd_cquad {
    dd_quad re, im;
} dd_cquad;

static inline dd_cquad dd_cquad_new(dd_quad re, dd_quad im)
{
    return (dd_cquad){re, im};
}

static inline dd_cquad dd_cquad_add(dd_cquad a, dd_cquad b)
{
    return (dd_cquad){a.re + b.re, a.im + b.im};
}

static inline dd_cquad dd_cquad_sub(dd_cquad a, dd_cquad b)
{
    return (dd_cquad){a.re - b.re, a.im - b.im};
}

static inline dd_cquad dd_cquad_mul(dd_cquad a, dd_cquad b)
{
    return (dd_cquad){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static inline dd_cquad dd_cquad_div(dd_cquad a, dd_cquad b)
{
    const dd_quad size = b.re * b.re + b.im * b.im;
    return (dd_cquad){(a.re * b.re + a.im * b.im) / size, (a.im * b.re - a.re * b.im) / size};
}

/* |a|^2 */
static inline dd_quad dd_cquad_norm(dd_cquad a)
{
    return a.re * a.re + a.im * a.im;
}

/* ---- small dense systems ---- */

/* Solves A X = B by Gaussian elimination with row pivoting: A n x n and B n x m, row-major, both overwritten (X in B).
 * False when a pivot is zero. */
bool dd_quad_solve(dd_quad *a, dd_quad *b, uint32_t n, uint32_t m);
bool dd_cquad_solve(dd_cquad *a, dd_cquad *b, uint32_t n, uint32_t m);

/* ---- polynomials: n + 1 coefficients, the constant term first ---- */

/* p(z), and p'(z) where derivative is not NULL (Horner). */
dd_cquad dd_quad_polynomial(const dd_quad *p, uint32_t n, dd_cquad z, dd_cquad *derivative);

enum { DD_QUAD_MOST_ROOTS = 128 };

/* All n <= DD_QUAD_MOST_ROOTS roots of a polynomial with p[n] != 0, by Aberth's simultaneous iteration; nonreal roots
 * in conjugate pairs next to each other, sorted by real part, then by imaginary part. False when the iteration did not
 * settle. */
bool dd_quad_roots(const dd_quad *p, uint32_t n, dd_cquad *roots);

#endif
