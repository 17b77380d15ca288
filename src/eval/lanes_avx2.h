/* lanes_avx2.h - vectors of four doubles for processors with AVX2. The three instructions that the compiler's vectors have
 * no operator for are written out: <immintrin.h> alone takes a third of a second to read. */
typedef double quad __attribute__((vector_size(32), may_alias));
typedef __INT64_TYPE__ quad_bits __attribute__((vector_size(32), may_alias));

static inline __attribute__((unused)) quad quad_sqrt(quad x)
{
    quad y;
    __asm__("vsqrtpd %1, %0" : "=x"(y) : "x"(x));
    return y;
}

static inline __attribute__((unused)) quad quad_floor(quad x)
{
    quad y;
    __asm__("vroundpd $9, %1, %0" : "=x"(y) : "x"(x)); /* 1: down, 8: no exception for inexact results */
    return y;
}

static inline __attribute__((unused)) quad quad_ceil(quad x)
{
    quad y;
    __asm__("vroundpd $10, %1, %0" : "=x"(y) : "x"(x)); /* 2: up */
    return y;
}

#define V quad
#define I quad_bits
#define SQRT(x) quad_sqrt(x)
#define FLOOR(x) quad_floor(x)
#define CEIL(x) quad_ceil(x)
#define MVEC1 _ZGVdN4v_
#define MVEC2 _ZGVdN4vv_
#include "eval/lanes.h"
