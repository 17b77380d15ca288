/* kernel_portable_4.c - programs at 4 points on any processor. */
#include "eval/lanes_portable.h"
#define KERNEL dd_kernel_portable_4
#define K 2
#include "eval/kernel.h"
