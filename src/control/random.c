/* random.c - xoshiro256++ 1.0 and Box and Muller's transformation. */
#include "control/random.h"

#include <math.h>

static uint64_t rotated(uint64_t x, int k)
{
    return (x << k) | (x >> (64 - k));
}

dd_random dd_random_new(uint64_t seed)
{
    dd_random r = {.has_spare = false};
    for (int i = 0; i < 4; i++) {
        /* splitmix64: neighbouring seeds give unrelated states, never all zero */
        uint64_t z = (seed += 0x9e3779b97f4a7c15u);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        r.state[i] = z ^ (z >> 31);
    }
    return r;
}

uint64_t dd_random_bits(dd_random *r)
{
    uint64_t *s = r->state;
    const uint64_t result = rotated(s[0] + s[3], 23) + s[0], t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotated(s[3], 45);
    return result;
}

double dd_random_normal(dd_random *r)
{
    if (r->has_spare) {
        r->has_spare = false;
        return r->spare;
    }
    /* two uniform numbers of 53 bits, the first in (0, 1] */
    const double a = (double)((dd_random_bits(r) >> 11) + 1) * 0x1p-53, b = (double)(dd_random_bits(r) >> 11) * 0x1p-53;
    const double radius = sqrt(-2 * log(a)), angle = 6.283185307179586476925287 * b;
    r->spare = radius * sin(angle);
    r->has_spare = true;
    return radius * cos(angle);
}
