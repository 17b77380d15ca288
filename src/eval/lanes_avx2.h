/* lanes_avx2.h - vectors of four doubles for processors with AVX2. */
#include <immintrin.h>

typedef __INT64_TYPE__ quad_bits __attribute__((vector_size(32)));
#define V __m256d
#define I quad_bits
#define SQRT(x) _mm256_sqrt_pd(x)
#define FLOOR(x) _mm256_floor_pd(x)
#define CEIL(x) _mm256_ceil_pd(x)
#define MVEC1 _ZGVdN4v_
#define MVEC2 _ZGVdN4vv_
#include "eval/lanes.h"
