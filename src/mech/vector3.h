/* vector3.h - shared by the files on rotations: vectors of three, matrices of nine, row by row. */
#ifndef DAEDAL_MECH_VECTOR3_H
#define DAEDAL_MECH_VECTOR3_H

#include <math.h>
#include <string.h>

/* Sums of squares between its reciprocal and this are computed as they are: doubles range from 2^-1022 to 2^1024, which
 * leaves room for four squares above and for all digits of the smaller ones below. */
#define DD_V3_SAFE 0x1p900

static inline double dd_v3_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* out must not be a or b */
static inline void dd_v3_cross(double *restrict out, const double *restrict a, const double *restrict b)
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* The length of v and v divided by it, n <= 4; the zero vector and vectors that are not finite are copied. */
static inline double dd_v3_unit(double *out, const double *v, int n)
{
    double sum = 0, scaled[4], scale = 1;
    for (int i = 0; i < n; i++) {
        scaled[i] = v[i];
        sum += v[i] * v[i];
    }
    /* where squares overflow or lose digits to underflow: the same, scaled by a power of two, which is exact */
    if (!(sum > 1 / DD_V3_SAFE && sum < DD_V3_SAFE)) {
        double largest = 0;
        for (int i = 0; i < n; i++) {
            largest = fabs(v[i]) > largest || isnan(v[i]) ? fabs(v[i]) : largest;
        }
        if (!(largest > 0 && isfinite(largest))) {
            memmove(out, v, (size_t)n * sizeof *v);
            return largest;
        }
        /* largest = 2^exponent times a factor in [1, 2): the sum of the scaled squares lies in [1, 4n) */
        const int exponent = ilogb(largest);
        sum = 0;
        for (int i = 0; i < n; i++) {
            scaled[i] = scalbn(v[i], -exponent);
            sum += scaled[i] * scaled[i];
        }
        scale = scalbn(1, exponent);
    }
    const double length = sqrt(sum);
    for (int i = 0; i < n; i++) {
        out[i] = scaled[i] / length;
    }
    return length * scale;
}

#endif
