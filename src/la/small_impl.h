/* small_impl.h - the parts that small.c and small_lu.c share (private). */
#ifndef DD_LA_SMALL_IMPL_H
#define DD_LA_SMALL_IMPL_H

#include <stddef.h>
#include <stdint.h>

#define INLINE static inline __attribute__((always_inline))
#define UNROLLED4 _Pragma("GCC unroll 4")
#define UNROLLED _Pragma("GCC unroll 8")

/* Exchanges entries p and q of every line. */
INLINE void swap_entries(uint32_t n, size_t ld, double *a, uint32_t p, uint32_t q)
{
    for (uint32_t k = 0; k < n; k++) {
        double *line = a + k * ld, t = line[p];
        line[p] = line[q];
        line[q] = t;
    }
}

#endif
