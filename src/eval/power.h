/* power.h - integer powers of doubles by squaring. */
#ifndef DD_EVAL_POWER_H
#define DD_EVAL_POWER_H

#include <stdint.h>

static inline double dd_power_int(double a, int32_t k)
{
    double r = 1;
    for (uint32_t n = k < 0 ? 0u - (uint32_t)k : (uint32_t)k; n != 0; n >>= 1) {
        r = (n & 1) != 0 ? r * a : r;
        a *= a;
    }
    return k < 0 ? 1 / r : r;
}

#endif
