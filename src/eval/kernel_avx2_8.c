/* kernel_avx2_8.c - programs at 8 points with AVX2 (compiled for it, called where the processor has it). */
#ifdef __AVX2__
#include "eval/lanes_avx2.h"
#define KERNEL dd_kernel_avx2_8
#define K 2
#include "eval/kernel.h"
#endif
