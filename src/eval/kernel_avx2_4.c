/* kernel_avx2_4.c - programs at 4 points with AVX2 (compiled for it, called where the processor has it). */
#ifdef __AVX2__
#include "eval/lanes_avx2.h"
#define KERNEL dd_kernel_avx2_4
#define K 1
#include "eval/kernel.h"
#endif
