/* random.c - splitmix64: a counter with the golden ratio's increment, mixed. */
#include "base/random.h"

#include <math.h>

double dd_random(uint64_t *state)
{
    uint64_t v = *state += 0x9e3779b97f4a7c15u;
    v = (v ^ (v >> 30)) * 0xbf58476d1ce4e5b9u;
    v = (v ^ (v >> 27)) * 0x94d049bb133111ebu;
    v ^= v >> 31;
    /* 52 bits behind the point and one in front, shifted to [-1, 1) */
    return ldexp((double)(v >> 11), -52) - 1;
}
