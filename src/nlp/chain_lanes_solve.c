/* chain_lanes_solve.c - right-hand sides through the leaves, eight intervals at a time; which kernels this processor
 * has (chain_lanes.h). */
#include "nlp/chain_vector.h"

enum { NEAR_MOST = 64 }; /* variables inside: vectors of 4 kB */

/* In four sums, so that one need not wait for the other. */
INLINE v8 dot(const v8 *a, const v8 *b, uint32_t count)
{
    v8 s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0};
    uint32_t k = 0;
    for (; k + 4 <= count; k += 4) {
        s0 += a[k] * b[k];
        s1 += a[k + 1] * b[k + 1];
        s2 += a[k + 2] * b[k + 2];
        s3 += a[k + 3] * b[k + 3];
    }
    for (; k < count; k++) {
        s0 += a[k] * b[k];
    }
    return (s0 + s1) + (s2 + s3);
}

/* r_D - H_DD d for variable i inside. */
INLINE v8 inside(const chain_batch *b, const double *rhs, const v8 *d, uint32_t i)
{
    const chain_shape *s = b->shape;
    const v8 *hessian = (const v8 *)b->value + s->at_hd;
    v8 x = collect(b, rhs, chain_at_d(s) + i);
    for (uint32_t e = s->hd_ptr[i]; e < s->hd_ptr[i + 1]; e++) {
        x -= hessian[s->hd_slot[e]] * d[s->hd_col[e]];
    }
    return x;
}

/* d0 = A^-1 s_R; outside: -S^T (r_D - H_DD d0) - H_De^T d0 for e, -G_D d0 for g. */
INLINE void forward_batch(const chain_batch *b, const double *rhs)
{
    const chain_shape *s = b->shape;
    const v8 *value = (const v8 *)b->value;
    v8 *d0 = (v8 *)b->d0, *out = (v8 *)b->outside;
    const uint32_t nd = s->nd, ne = s->ne;
    /* L, then U */
    for (uint32_t i = 0; i < nd; i++) {
        const uint32_t original = b->row[i] / s->ld;
        const v8 *line = value + b->row[i];
        d0[i] = collect(b, rhs, chain_at_r(s) + original) - dot(line, d0, i);
    }
    for (uint32_t i = nd; i-- > 0;) {
        const v8 *line = value + b->row[i];
        d0[i] = (d0[i] - dot(line + i + 1, d0 + i + 1, nd - i - 1)) * line[i];
    }
    /* outside: variables, then rows */
    for (uint32_t e = 0; e < ne; e++) {
        v8 x = {0};
        for (uint32_t k = s->hu_ptr[e]; k < s->hu_ptr[e + 1]; k++) {
            x -= value[s->at_hu + k] * d0[s->hu_row[k]];
        }
        out[e] = x;
    }
    for (uint32_t i = 0; i < nd; i++) {
        const v8 x = inside(b, rhs, d0, i), *line = value + b->row[i] + nd;
        for (uint32_t e = 0; e < ne; e++) {
            out[e] -= line[e] * x;
        }
    }
    for (uint32_t g = 0; g < s->ng; g++) {
        v8 x = {0};
        for (uint32_t k = s->g_ptr[g]; k < s->g_ptr[g + 1]; k++) {
            x -= value[s->at_g + k] * d0[s->g_col[k]];
        }
        out[ne + g] = x;
    }
}

void dd_chain_add_outside(const chain_batch *b, uint32_t lane, double *rhs)
{
    const uint32_t ne = b->shape->ne, ng = b->shape->ng;
    const double *number = b->outside + lane;
    for (uint32_t e = 0; e < ne; e++) {
        rhs[chain_number(b, chain_at_e(b->shape) + e, lane)] += number[e * CHAIN_LANES];
    }
    for (uint32_t g = 0; g < ng; g++) {
        rhs[chain_number(b, chain_at_g(b->shape) + g, lane)] += number[(ne + g) * CHAIN_LANES];
    }
}

/* d = d0 - S e; r = A^-T (r_D - H_DD d - H_De e - G_D^T g). */
INLINE void backward_batch(const chain_batch *b, double *rhs)
{
    const chain_shape *s = b->shape;
    const v8 *value = (const v8 *)b->value;
    v8 local[NEAR_MOST], *d0 = (v8 *)b->d0, *in = (v8 *)b->outside;
    const uint32_t nd = s->nd, ne = s->ne;
    v8 *r1 = nd <= NEAR_MOST ? local : (v8 *)b->r1; /* nothing of it is needed later: it stays in the first cache */
    for (uint32_t e = 0; e < ne; e++) {
        in[e] = collect(b, rhs, chain_at_e(s) + e);
    }
    for (uint32_t i = 0; i < nd; i++) {
        const v8 *line = value + b->row[i] + nd;
        v8 x = d0[i];
        for (uint32_t e = 0; e < ne; e++) {
            x -= line[e] * in[e];
        }
        d0[i] = x;
    }
    for (uint32_t i = 0; i < nd; i++) {
        r1[i] = inside(b, rhs, d0, i);
    }
    for (uint32_t e = 0; e < ne; e++) {
        for (uint32_t k = s->hu_ptr[e]; k < s->hu_ptr[e + 1]; k++) {
            r1[s->hu_row[k]] -= value[s->at_hu + k] * in[e];
        }
    }
    for (uint32_t g = 0; g < s->ng; g++) {
        const v8 x = collect(b, rhs, chain_at_g(s) + g);
        for (uint32_t k = s->g_ptr[g]; k < s->g_ptr[g + 1]; k++) {
            r1[s->g_col[k]] -= value[s->at_g + k] * x;
        }
    }
    /* U^T, then L^T: by columns, which are rows here */
    for (uint32_t i = 0; i < nd; i++) {
        const v8 *line = value + b->row[i], x = r1[i] * line[i];
        r1[i] = x;
        for (uint32_t k = i + 1; k < nd; k++) {
            r1[k] -= line[k] * x;
        }
    }
    for (uint32_t i = nd; i-- > 0;) {
        const v8 *line = value + b->row[i], x = r1[i];
        for (uint32_t k = 0; k < i; k++) {
            r1[k] -= line[k] * x;
        }
    }
    for (uint32_t i = 0; i < nd; i++) {
        const uint32_t original = b->row[i] / s->ld;
        put(b, rhs, chain_at_d(s) + i, d0[i]);
        put(b, rhs, chain_at_r(s) + original, r1[i]);
    }
}

#define SOLVE(name, target)                                                                                            \
    target static void forward_##name(const chain_batch *b, const double *rhs)                                         \
    {                                                                                                                  \
        forward_batch(b, rhs);                                                                                         \
    }                                                                                                                  \
    target static void backward_##name(const chain_batch *b, double *rhs)                                              \
    {                                                                                                                  \
        backward_batch(b, rhs);                                                                                        \
    }                                                                                                                  \
    static const chain_kernels kernels_##name = {#name,                                                                \
                                                 dd_chain_factor_##name,                                               \
                                                 forward_##name,                                                       \
                                                 backward_##name,                                                      \
                                                 dd_chain_sparse_factor_##name,                                        \
                                                 dd_chain_sparse_forward_##name,                                       \
                                                 dd_chain_sparse_backward_##name,                                      \
                                                 dd_chain_product_##name};

SOLVE(plain, )
#ifdef CHAIN_TARGETS
SOLVE(avx512, CHAIN_AVX512)
/* vectors of eight in registers of four are no faster than in registers of two */
static const chain_kernels kernels_avx2 = {"avx2",
                                           dd_chain_factor_avx2,
                                           forward_plain,
                                           backward_plain,
                                           dd_chain_sparse_factor_avx2,
                                           dd_chain_sparse_forward_plain,
                                           dd_chain_sparse_backward_plain,
                                           dd_chain_product_avx2};
#endif

const chain_kernels *dd_chain_kernels(uint32_t which)
{
#ifdef CHAIN_TARGETS
    const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
                        __builtin_cpu_supports("avx512cd");
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
    const chain_kernels *all[] = {avx512 ? &kernels_avx512 : NULL, avx2 ? &kernels_avx2 : NULL, &kernels_plain};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (all[i] && which-- == 0) {
            return all[i];
        }
    }
    return NULL;
#else
    return which == 0 ? &kernels_plain : NULL;
#endif
}
