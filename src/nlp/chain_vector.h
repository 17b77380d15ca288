/* chain_vector.h - eight numbers at once, and functions for several processors (private to chain_lanes*.c). */
#ifndef DD_NLP_CHAIN_VECTOR_H
#define DD_NLP_CHAIN_VECTOR_H

#include "nlp/chain_lanes.h"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define CHAIN_TARGETS
#define CHAIN_AVX2 __attribute__((target("arch=x86-64-v3")))
#define CHAIN_AVX512 __attribute__((target("arch=x86-64-v4,prefer-vector-width=512")))
#endif

#pragma GCC diagnostic ignored "-Wpsabi" /* these are inlined always */

typedef chain_v8 v8;
typedef long long m8 __attribute__((vector_size(64)));

#define UNROLL _Pragma("GCC unroll 8")

INLINE v8 absolute(v8 x)
{
    return (v8)((m8)x & 0x7fffffffffffffffLL);
}

/* x where the mask is set, else y. */
INLINE v8 either(m8 mask, v8 x, v8 y)
{
    return (v8)(((m8)x & mask) | ((m8)y & ~mask));
}

INLINE v8 larger(v8 x, v8 y)
{
    return either(x > y, x, y);
}

INLINE v8 collect(const double *from, const uint32_t *at)
{
    return (v8){from[at[0]], from[at[1]], from[at[2]], from[at[3]], from[at[4]], from[at[5]], from[at[6]], from[at[7]]};
}

/* ---- by processor: chain_lanes.c, chain_lanes_solve.c ---- */
void dd_chain_factor_plain(chain_batch *b, const chain_source *from);
void dd_chain_factor_avx2(chain_batch *b, const chain_source *from);
void dd_chain_factor_avx512(chain_batch *b, const chain_source *from);

#endif
