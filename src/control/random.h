/* random.h - repeatable noise: xoshiro256++ (Blackman and Vigna) with Box and Muller's transformation, the same numbers on
 * every machine. */
#ifndef DD_CONTROL_RANDOM_H
#define DD_CONTROL_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

typedef struct dd_random {
    uint64_t state[4];
    double spare;
    bool has_spare;
} dd_random;

/* From a seed, spread by splitmix64. */
dd_random dd_random_new(uint64_t seed);
uint64_t dd_random_bits(dd_random *r);
/* Normally distributed, with mean 0 and standard deviation 1. */
double dd_random_normal(dd_random *r);

#endif
