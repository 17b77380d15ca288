/* random.h - pseudo-random numbers, the same on every machine. */
#ifndef DD_BASE_RANDOM_H
#define DD_BASE_RANDOM_H

#include <stdint.h>

/* The next of a sequence, in [-1, 1): splitmix64 (Steele, Lea, Flood, 2014). Any start value of *state will do. */
double dd_random(uint64_t *state);

#endif
