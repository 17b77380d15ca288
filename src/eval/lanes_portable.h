/* lanes_portable.h - vectors of two doubles, which every compiler maps to the instructions of the processor. */
typedef double pair __attribute__((vector_size(16), may_alias));
typedef __INT64_TYPE__ pair_bits __attribute__((vector_size(16), may_alias));
#define V pair
#define I pair_bits
#include "eval/lanes.h"
#ifdef DAEDAL_HAVE_AVX /* processors without AVX2 are rare among these: a loop, which compiles in half the time */
#define EACH_VECTOR for (int k = 0; k < K; k++)
#endif
