/* ldl_lanes.h - vectors of four in the loops of the LDL^T factorisation (private). The functions are inlined always, so
 * that a function with DD_CLONES has them for each processor. Rows and leading dimensions are multiples of four, arrays may
 * begin anywhere. */
#ifndef DD_LA_LDL_LANES_H
#define DD_LA_LDL_LANES_H

#include <stddef.h>
#include <stdint.h>

#include "base/vector.h"

#define INLINE static inline __attribute__((always_inline))
#define UNROLLED _Pragma("GCC unroll 8")

typedef long long dd_lanes __attribute__((vector_size(32), may_alias));

INLINE dd_v4 magnitude(dd_v4 x)
{
    const dd_lanes mask = {INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX};
    return (dd_v4)((dd_lanes)x & mask);
}

INLINE dd_v4 larger(dd_v4 x, dd_v4 y)
{
    const dd_lanes first = (dd_lanes)(x > y);
    return (dd_v4)(((dd_lanes)x & first) | ((dd_lanes)y & ~first));
}

INLINE double larger_of(double x, double y)
{
    return x > y ? x : y;
}

INLINE dd_v4 all_of(double x)
{
    return (dd_v4){x, x, x, x};
}

INLINE double total_of(dd_v4 x)
{
    return (x[0] + x[1]) + (x[2] + x[3]);
}

/* a := a - sum of `count` columns of l (leading dimension ld) times factor[i * ld]. */
INLINE void subtract_columns(size_t rows, size_t count, const double *l, size_t ld, const double *factor, double *a)
{
    size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        const double *c = l + i * ld;
        const double f0 = factor[i * ld], f1 = factor[(i + 1) * ld], f2 = factor[(i + 2) * ld],
                     f3 = factor[(i + 3) * ld];
        for (size_t r = 0; r < rows; r += 4) {
            const dd_v4 s = dd_v4_load(c + r) * f0 + dd_v4_load(c + ld + r) * f1;
            const dd_v4 t = dd_v4_load(c + 2 * ld + r) * f2 + dd_v4_load(c + 3 * ld + r) * f3;
            dd_v4_store(a + r, dd_v4_load(a + r) - (s + t));
        }
    }
    for (; i < count; i++) {
        const double *c = l + i * ld, f0 = factor[i * ld];
        for (size_t r = 0; r < rows; r += 4) {
            dd_v4_store(a + r, dd_v4_load(a + r) - dd_v4_load(c + r) * f0);
        }
    }
}

/* The largest magnitude of a[from .. to-1]; adds all of them to *sum. */
INLINE double largest_of(const double *a, size_t from, size_t to, double *sum)
{
    dd_v4 most = all_of(0), all = all_of(0), most2 = all_of(0), all2 = all_of(0);
    double rest = 0;
    size_t r = from;
    for (; r + 8 <= to; r += 8) {
        const dd_v4 x = magnitude(dd_v4_load(a + r)), y = magnitude(dd_v4_load(a + r + 4));
        most = larger(x, most);
        most2 = larger(y, most2);
        all += x;
        all2 += y;
    }
    if (r + 4 <= to) {
        const dd_v4 x = magnitude(dd_v4_load(a + r));
        most = larger(x, most);
        all += x;
        r += 4;
    }
    for (; r < to; r++) {
        const double x = __builtin_fabs(a[r]);
        rest = larger_of(x, rest);
        *sum += x;
    }
    most = larger(most, most2);
    *sum += total_of(all + all2);
    return larger_of(larger_of(larger_of(most[0], most[1]), larger_of(most[2], most[3])), rest);
}

/* One pivot, and two: w := a, a := a D^-1; noise: see ldl_front.c. */
typedef struct dd_ldl_pivot {
    double e11, e12, e22;  /* D^-1 */
    double noise1, noise2; /* of a row for entries of size 1 */
} dd_ldl_pivot;

INLINE void scale_one(size_t rows, double *a, double *w, double *noise, const dd_ldl_pivot *p)
{
    const dd_v4 inverse = all_of(p->e11), factor = all_of(p->noise1);
    for (size_t r = 0; r < rows; r += 4) {
        const dd_v4 x = dd_v4_load(a + r);
        dd_v4_store(w + r, x);
        dd_v4_store(a + r, x * inverse);
        dd_v4_store(noise + r, larger(magnitude(x) * factor, dd_v4_load(noise + r)));
    }
}

INLINE void scale_two(size_t rows, size_t ld, double *a, double *w, double *noise, const dd_ldl_pivot *p)
{
    const dd_v4 e11 = all_of(p->e11), e12 = all_of(p->e12), e22 = all_of(p->e22), factor1 = all_of(p->noise1),
                factor2 = all_of(p->noise2);
    for (size_t r = 0; r < rows; r += 4) {
        const dd_v4 x = dd_v4_load(a + r), y = dd_v4_load(a + ld + r);
        const dd_v4 terms = magnitude(x) * factor1 + magnitude(y) * factor2;
        dd_v4_store(w + r, x);
        dd_v4_store(w + ld + r, y);
        dd_v4_store(a + r, x * e11 + y * e12);
        dd_v4_store(a + ld + r, x * e12 + y * e22);
        dd_v4_store(noise + r, larger(terms, dd_v4_load(noise + r)));
    }
}

#endif
