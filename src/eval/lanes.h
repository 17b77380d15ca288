/* lanes.h - the macros that kernel.h needs, for vectors of the compiler. The including file defines V, the vector type
 * of doubles, and I, the one of 64-bit integers of the same size, and may define SQRT, FLOOR and CEIL. Functions go
 * lane by lane through the mathematical library; with MVEC1 and MVEC2, the prefixes of names with one and two
 * arguments, the vector library of the C library (libmvec, errors below four units in the last place) is called
 * instead. */
#include <math.h>
#include <stdint.h>

#define TRUTH(c) ((V)((I)(c) & (I)((V){0} + 1.0)))
#define PICK(c, a, b) ((V)(((I)(c) & (I)(a)) | (~(I)(c) & (I)(b))))
#define ABS(x) ((V)((I)(x)&INT64_MAX))
#define SINCOS(x, s, c) (*(s) = CALL1(sin, x), *(c) = CALL1(cos, x))

/* not inlined: the calls inside cost more than the one around them, and there is one per function and lane otherwise */
static __attribute__((unused, noinline)) V lanewise1(double (*f)(double), V x)
{
    V y = x;
    for (unsigned i = 0; i < sizeof(V) / sizeof(double); i++) {
        y[i] = f(x[i]);
    }
    return y;
}

static __attribute__((unused, noinline)) V lanewise2(double (*f)(double, double), V x, V y)
{
    V z = x;
    for (unsigned i = 0; i < sizeof(V) / sizeof(double); i++) {
        z[i] = f(x[i], y[i]);
    }
    return z;
}

#ifndef SQRT
#define SQRT(x) lanewise1(sqrt, x)
#endif
#ifndef FLOOR
#define FLOOR(x) lanewise1(floor, x)
#define CEIL(x) lanewise1(ceil, x)
#endif

#if defined(MVEC1) && defined(DAEDAL_HAVE_MVEC)
#include "eval/code.h"
#define LANES_JOIN(a, b) a##b
#define LANES_NAME(prefix, f) LANES_JOIN(prefix, f)
#define LANES_DECLARE(id, text, f, ...) V LANES_NAME(MVEC1, f)(V x);
DD_ELEMENTARY_LIST(LANES_DECLARE)
V LANES_NAME(MVEC2, pow)(V x, V y);
V LANES_NAME(MVEC2, atan2)(V x, V y);
#define CALL1(f, x) LANES_NAME(MVEC1, f)(x)
#define CALL2(f, x, y) LANES_NAME(MVEC2, f)(x, y)
#else
#define CALL1(f, x) lanewise1(f, x)
#define CALL2(f, x, y) lanewise2(f, x, y)
#endif
