/* kernel_scalar.c - programs at one point. */
#define KERNEL dd_kernel_scalar
#define V double
#define K 1
#define TRUTH(c) ((double)(c))
#define PICK(c, a, b) ((c) ? (a) : (b))
#define SQRT(x) sqrt(x)
#define ABS(x) fabs(x)
#define FLOOR(x) floor(x)
#define CEIL(x) ceil(x)
#define CALL1(f, x) f(x)
#define CALL2(f, x, y) f(x, y)
#define SINCOS(x, s, c) sincos(x, s, c)
#include "eval/kernel.h"
