/* kernel_avx512_8.c - programs at 8 points with AVX-512 (compiled for it, called where the processor has it). As in
 * lanes_avx2.h, the instructions without an operator are written out. */
#ifdef __AVX512F__
typedef double octet __attribute__((vector_size(64), may_alias));
typedef __INT64_TYPE__ octet_bits __attribute__((vector_size(64), may_alias));

static inline octet octet_sqrt(octet x)
{
    octet y;
    __asm__("vsqrtpd %1, %0" : "=v"(y) : "v"(x));
    return y;
}

static inline octet octet_floor(octet x)
{
    octet y;
    __asm__("vrndscalepd $9, %1, %0" : "=v"(y) : "v"(x)); /* 1: down, 8: no exception for inexact results */
    return y;
}

static inline octet octet_ceil(octet x)
{
    octet y;
    __asm__("vrndscalepd $10, %1, %0" : "=v"(y) : "v"(x)); /* 2: up */
    return y;
}

#define V octet
#define I octet_bits
#define SQRT(x) octet_sqrt(x)
#define FLOOR(x) octet_floor(x)
#define CEIL(x) octet_ceil(x)
#define MVEC1 _ZGVeN8v_
#define MVEC2 _ZGVeN8vv_
#include "eval/lanes.h"
#define KERNEL dd_kernel_avx512_8
#define K 1
#include "eval/kernel.h"
#endif
