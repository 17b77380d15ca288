/* kernel_avx512_8.c - programs at 8 points with AVX-512 (compiled for it, called where the processor has it). */
#ifdef __AVX512F__
#include <immintrin.h>

typedef __INT64_TYPE__ octet_bits __attribute__((vector_size(64)));
#define V __m512d
#define I octet_bits
#define SQRT(x) _mm512_sqrt_pd(x)
#define FLOOR(x) _mm512_floor_pd(x)
#define CEIL(x) _mm512_ceil_pd(x)
#define MVEC1 _ZGVeN8v_
#define MVEC2 _ZGVeN8vv_
#include "eval/lanes.h"
#define KERNEL dd_kernel_avx512_8
#define K 1
#include "eval/kernel.h"
#endif
