/* vector.h - four doubles at once, through the compiler's vector types, and functions compiled for several processors.
 *
 * DD_CLONES before a static function: it is compiled for the base architecture and for AVX2 with FMA, and the right one
 * is chosen when the program starts. Elsewhere than on x86-64 Linux with gcc it does nothing. Static, because gcc
 * exports the clones of other functions whatever their visibility. */
#ifndef DD_BASE_VECTOR_H
#define DD_BASE_VECTOR_H

#include <stdbool.h>
#include <stddef.h>

typedef double dd_v4 __attribute__((vector_size(32), aligned(8), may_alias));

#pragma GCC diagnostic ignored "-Wpsabi" /* these are inlined always */
static inline __attribute__((always_inline)) dd_v4 dd_v4_load(const double *p)
{
    return *(const dd_v4 *)p;
}

static inline __attribute__((always_inline)) void dd_v4_store(double *p, dd_v4 v)
{
    *(dd_v4 *)p = v;
}

/* For functions that are compiled for several processors: the sum of a[i] b[i], and to += factor from. */
static inline __attribute__((always_inline)) double dd_v4_dot(const double *a, const double *b, size_t n)
{
    dd_v4 even = {0}, odd = {0};
    size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        even += dd_v4_load(a + i) * dd_v4_load(b + i);
        odd += dd_v4_load(a + i + 4) * dd_v4_load(b + i + 4);
    }
    even += odd;
    double sum = (even[0] + even[1]) + (even[2] + even[3]);
    for (; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

static inline __attribute__((always_inline)) void dd_v4_add_scaled(double *restrict to, double factor,
                                                                   const double *restrict from, size_t n)
{
    size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        dd_v4_store(to + i, dd_v4_load(to + i) + factor * dd_v4_load(from + i));
    }
    for (; i < n; i++) {
        to[i] += factor * from[i];
    }
}

/* v * 0 is 0 for numbers and NaN for NaN and the infinities: sums without a branch, several at a time. */
static inline bool dd_all_finite(const double *v, size_t n)
{
    dd_v4 a = {0}, b = {0}, c = {0}, d = {0};
    size_t i = 0;
    for (; i + 16 <= n; i += 16) {
        a += dd_v4_load(v + i) * 0;
        b += dd_v4_load(v + i + 4) * 0;
        c += dd_v4_load(v + i + 8) * 0;
        d += dd_v4_load(v + i + 12) * 0;
    }
    double sum = 0;
    for (; i < n; i++) {
        sum += v[i] * 0;
    }
    a += b + c + d;
    return sum + a[0] + a[1] + a[2] + a[3] == 0;
}

#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && !defined(__clang__) &&                       \
    !defined(__SANITIZE_ADDRESS__) && !defined(DD_NO_CLONES)
#define DD_CLONES __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define DD_CLONES
#endif

#endif
