/* kernel_portable_8.c - programs at 8 points on any processor. */
#include "eval/lanes_portable.h"
#define KERNEL dd_kernel_portable_8
#define K 4
#include "eval/kernel.h"
