/* vector.h - four doubles at once, through the compiler's vector types, and functions compiled for several processors.
 *
 * DD_CLONES before a static function: it is compiled for the base architecture and for AVX2 with FMA, and the right one
 * is chosen when the program starts. Elsewhere than on x86-64 Linux with gcc it does nothing. Static, because gcc
 * exports the clones of other functions whatever their visibility. */
#ifndef DD_BASE_VECTOR_H
#define DD_BASE_VECTOR_H

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

#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && !defined(__clang__) &&                       \
    !defined(__SANITIZE_ADDRESS__) && !defined(DD_NO_CLONES)
#define DD_CLONES __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define DD_CLONES
#endif

#endif
