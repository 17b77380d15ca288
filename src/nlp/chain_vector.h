/* chain_vector.h - eight numbers at once, and functions for several processors (private to chain_*.c and
 * condense.c). */
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

/* from[number i] of every lane. */
INLINE v8 collect(const chain_batch *b, const double *from, uint32_t i)
{
    if (b->place) {
        const ptrdiff_t step = (int32_t)b->place[i].step;
        const double *at = from + (uint32_t)(b->place[i].first + b->shift * b->place[i].step), *far = at + 4 * step;
        return (v8){at[0], at[step], at[2 * step], at[3 * step], far[0], far[step], far[2 * step], far[3 * step]};
    }
    const uint32_t *at = b->number + (size_t)i * CHAIN_LANES;
    return (v8){from[at[0]], from[at[1]], from[at[2]], from[at[3]], from[at[4]], from[at[5]], from[at[6]], from[at[7]]};
}

/* The same back: to[number i] of every lane that is condensed. */
INLINE void put(const chain_batch *b, double *to, uint32_t i, v8 x)
{
    if (b->place && !b->any_apart) {
        const ptrdiff_t step = (int32_t)b->place[i].step;
        double *at = to + (uint32_t)(b->place[i].first + b->shift * b->place[i].step);
        UNROLL for (int l = 0; l < CHAIN_LANES; l++, at += step)
        {
            *at = x[l];
        }
        return;
    }
    for (uint32_t l = 0; l < b->lanes; l++) {
        if (!b->apart[l]) {
            to[chain_number(b, i, l)] = x[l];
        }
    }
}

/* Numbers to their slots; those of [A | A_e], which come first, stay as they are where it is the same. */
INLINE void gather(const chain_batch *b, const chain_source *from, v8 *value)
{
    const chain_shape *s = b->shape;
    const uint32_t first = from->same_inside ? s->at_hu : 0;
    /* slots that only sums reach begin at zero */
    for (uint32_t i = 0; i < s->zeros; i++) {
        if (s->zero_slot[i] >= first) {
            value[s->zero_slot[i]] = (v8){0};
        }
    }
    /* each source in turn; a slot may collect several */
    uint32_t i = 0;
    for (int kind = 0; kind < FROM_KINDS; kind++) {
        const double *numbers = from->from[kind];
        for (const uint32_t end = i + s->count[kind]; i < end; i++) {
            const uint32_t at = s->slot[i] & ~SLOT_ADD;
            if (at < first) {
                continue;
            }
            const v8 x = collect(b, numbers, i);
            v8 *to = value + at;
            if (s->slot[i] & SLOT_ADD) {
                *to += x;
            } else {
                *to = x;
            }
        }
    }
    /* J^T S J of rows that are eliminated */
    for (i = 0; i < s->products; i++) {
        const chain_product *p = &s->product[i];
        value[p->to] += value[p->a] * value[p->b] * value[p->weight];
    }
}

#ifdef __clang__
#define PAIR(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define PAIR(a, b, ...) __builtin_shuffle(a, b, (m8){__VA_ARGS__})
#endif

/* Eight elements to eight numbers of every lane: pairs, fours, eights. */
INLINE void transpose(const v8 *from, double *to, uint32_t stride)
{
    v8 a[8], b[8];
    UNROLL for (int i = 0; i < 8; i += 2)
    {
        a[i] = PAIR(from[i], from[i + 1], 0, 8, 2, 10, 4, 12, 6, 14);
        a[i + 1] = PAIR(from[i], from[i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
    }
    UNROLL for (int i = 0; i < 8; i += 4)
    {
        UNROLL for (int j = 0; j < 2; j++)
        {
            b[i + j] = PAIR(a[i + j], a[i + j + 2], 0, 1, 8, 9, 4, 5, 12, 13);
            b[i + j + 2] = PAIR(a[i + j], a[i + j + 2], 2, 3, 10, 11, 6, 7, 14, 15);
        }
    }
    UNROLL for (int j = 0; j < 4; j++)
    {
        *(v8 *)(to + (size_t)j * stride) = PAIR(b[j], b[j + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        *(v8 *)(to + (size_t)(j + 4) * stride) = PAIR(b[j], b[j + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
}

/* The same, also where shuffling is slow. */
INLINE void deal_out(bool wide, const v8 *from, double *to, uint32_t stride)
{
    if (wide) {
        transpose(from, to, stride);
        return;
    }
    const double *number = (const double *)from;
    for (uint32_t l = 0; l < CHAIN_LANES; l++) {
        for (uint32_t j = 0; j < CHAIN_LANES; j++) {
            to[(size_t)l * stride + j] = number[j * CHAIN_LANES + l];
        }
    }
}

/* Growth of the Hessian that counts like growth 1 of multipliers; noise of what was there before. */
#define CHAIN_CURVATURE_GROWTH 1e4
#define CHAIN_NOISE_OF_CHANGE 1e-13

/* ---- by processor: chain_lanes.c, chain_lanes_solve.c ---- */
void dd_chain_factor_plain(chain_batch *b, const chain_source *from, double *scratch);
void dd_chain_factor_avx2(chain_batch *b, const chain_source *from, double *scratch);
void dd_chain_factor_avx512(chain_batch *b, const chain_source *from, double *scratch);
/* chain_sparse.c, chain_sparse_solve.c, chain_product.c */
void dd_chain_sparse_factor_plain(chain_batch *b, const chain_source *from, double *scratch);
void dd_chain_sparse_factor_avx2(chain_batch *b, const chain_source *from, double *scratch);
void dd_chain_sparse_factor_avx512(chain_batch *b, const chain_source *from, double *scratch);
void dd_chain_sparse_forward_plain(const chain_batch *b, const double *rhs);
void dd_chain_sparse_forward_avx512(const chain_batch *b, const double *rhs);
void dd_chain_sparse_backward_plain(const chain_batch *b, double *rhs);
void dd_chain_sparse_backward_avx512(const chain_batch *b, double *rhs);
void dd_chain_product_plain(const chain_product_of *p);
void dd_chain_product_avx2(const chain_product_of *p);
void dd_chain_product_avx512(const chain_product_of *p);

#endif
