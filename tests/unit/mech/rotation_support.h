/* rotation_support.h - rotations to test with, their matrices in long double, and the worst error seen.
 *
 * References are computed in long double (11 bits more than double on x86, 60 on 64-bit ARM) from their definition, by
 * other formulas than the library's. Derivatives come from jets: truncated Taylor series, exact but for rounding.
 */
#ifndef DAEDAL_TESTS_ROTATION_SUPPORT_H
#define DAEDAL_TESTS_ROTATION_SUPPORT_H

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "daedal/rotation.h"
#include "sizes.h"

#define EPS DBL_EPSILON /* one ulp of 1 */
#define PI_L 3.141592653589793238462643383279502884L

typedef long double real;

enum { N_ROTATIONS = TEST_SIZE(10000, 100000) };

/* ---- a deterministic generator: splitmix64 ---- */

static uint64_t random_state;

static inline uint64_t random_bits(void)
{
    uint64_t z = random_state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static inline double uniform(double low, double high)
{
    return low + (high - low) * ((double)(random_bits() >> 11) * 0x1p-53);
}

static inline void random_vector(double out[3], double largest)
{
    for (int i = 0; i < 3; i++) {
        out[i] = uniform(-largest, largest);
    }
}

/* An axis of length 1 to rounding: any direction, near a coordinate plane or axis, or a coordinate axis itself. */
static inline void random_axis(double out[3])
{
    double length;
    do {
        random_vector(out, 1);
        length = sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2]);
    } while (length > 1 || length < 0.1);
    const uint64_t kind = random_bits() % 8;
    if (kind < 3) {
        out[random_bits() % 3] = kind == 0 ? 0 : uniform(-1, 1) * pow(10, uniform(-20, -1));
    }
    if (kind == 1) {
        out[random_bits() % 3] = 0;
    }
    length = sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2]);
    if (!(length > 1e-30)) {
        out[0] = length = 1;
    }
    for (int i = 0; i < 3; i++) {
        out[i] /= length;
    }
}

/* By turns any angle up to pi, near 0 (1e-300 ... 1e-3), near pi (pi - 1e-3 ... pi - 1e-16), near a quarter turn. */
static inline double random_angle(int k)
{
    switch (k % 4) {
    case 0:
        return uniform(0, M_PI);
    case 1:
        return pow(10, uniform(-300, -3));
    case 2:
        return M_PI - pow(10, uniform(-16, -3));
    default:
        return M_PI_2 + uniform(-1, 1) * pow(10, uniform(-17, -1));
    }
}

static inline void random_rotation_vector(double w[3], int k)
{
    const double angle = random_angle(k);
    random_axis(w);
    for (int i = 0; i < 3; i++) {
        w[i] *= angle;
    }
}

static inline void random_rotation(double R[9], int k)
{
    double w[3];
    random_rotation_vector(w, k);
    dd_rot_exp(R, w);
}

/* ---- the worst of many errors, in ulps of 1 ---- */

typedef struct worst {
    const char *what;
    double bound; /* in ulps */
    real seen;
} worst;

static inline void note(worst *w, real error)
{
    if (!(error <= w->seen)) { /* not-a-number counts as worst, and stays */
        w->seen = isnan(error) ? INFINITY : error;
    }
}

static inline void assert_worst(const worst *list, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        print_message("    %-58s %6.2f ulp (allowed %g)\n", list[i].what, (double)(list[i].seen / EPS), list[i].bound);
    }
    for (size_t i = 0; i < n; i++) {
        if (!(list[i].seen <= list[i].bound * EPS)) {
            fail_msg("%s: %.3g ulp, allowed are %g", list[i].what, (double)(list[i].seen / EPS), list[i].bound);
        }
    }
}

#define ASSERT_WORST(list) assert_worst(list, sizeof(list) / sizeof *(list))

/* The largest difference of n numbers. */
static inline real difference(const double *a, const real *b, int n)
{
    real largest = 0;
    for (int i = 0; i < n; i++) {
        const real d = fabsl((real)a[i] - b[i]);
        largest = d > largest || isnan(d) ? d : largest;
    }
    return largest;
}

static inline real difference_d(const double *a, const double *b, int n)
{
    real c[16];
    for (int i = 0; i < n; i++) {
        c[i] = b[i];
    }
    return difference(a, c, n);
}

static inline real length_l(const double *v, int n)
{
    real sum = 0;
    for (int i = 0; i < n; i++) {
        sum += (real)v[i] * v[i];
    }
    return sqrtl(sum);
}

/* ---- references ---- */

static inline void multiply_l(real out[9], const real A[9], const real B[9])
{
    real C[9];
    for (int i = 0; i < 9; i++) {
        C[i] = 0;
        for (int k = 0; k < 3; k++) {
            C[i] += A[i / 3 * 3 + k] * B[3 * k + i % 3];
        }
    }
    memcpy(out, C, sizeof C);
}

/* How far from SO(3), computed in long double: |R^T R - I| and |det - 1|. */
static inline real defect_l(const double R[9])
{
    real largest = 0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            real sum = -(real)(i == j);
            for (int k = 0; k < 3; k++) {
                sum += (real)R[3 * k + i] * R[3 * k + j];
            }
            largest = fabsl(sum) > largest || isnan(sum) ? fabsl(sum) : largest;
        }
    }
    real det = -1;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        det += R[i] * ((real)R[3 + j] * R[6 + k] - (real)R[3 + k] * R[6 + j]);
    }
    return fabsl(det) > largest || isnan(det) ? fabsl(det) : largest;
}

/* exp(skew(w)) = I + A + A^2/2! + ..., halved 8 times before and squared 8 times after; A^3 = -|w|^2 A is not used */
static inline void exp_l(real out[9], const double w[3])
{
    const real x = w[0] / 256.0L, y = w[1] / 256.0L, z = w[2] / 256.0L;
    const real A[9] = {0, -z, y, z, 0, -x, -y, x, 0};
    real E[9] = {0}, term[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    for (int k = 1; k < 11; k++) { /* E = exp(A) - I, to keep its digits; (4/256)^11/11! < 1e-27 */
        multiply_l(term, term, A);
        for (int i = 0; i < 9; i++) {
            term[i] /= k;
            E[i] += term[i];
        }
    }
    for (int k = 0; k < 8; k++) { /* (I + E)^2 - I = 2 E + E^2 */
        real square[9];
        multiply_l(square, E, E);
        for (int i = 0; i < 9; i++) {
            E[i] = 2 * E[i] + square[i];
        }
    }
    for (int i = 0; i < 9; i++) {
        out[i] = E[i] + (i % 4 == 0);
    }
}

/* ---- jets: value, first and second derivative in time ---- */

typedef struct jet {
    real d[3];
} jet;

static inline jet jet_add(jet a, jet b)
{
    return (jet){{a.d[0] + b.d[0], a.d[1] + b.d[1], a.d[2] + b.d[2]}};
}

static inline jet jet_mul(jet a, jet b)
{
    return (jet){
        {a.d[0] * b.d[0], a.d[1] * b.d[0] + a.d[0] * b.d[1], a.d[2] * b.d[0] + 2 * a.d[1] * b.d[1] + a.d[0] * b.d[2]}};
}

static inline jet jet_scale(jet a, real s)
{
    return (jet){{s * a.d[0], s * a.d[1], s * a.d[2]}};
}

static inline void jet_sincos(jet *sine, jet *cosine, jet a)
{
    const real c = cosl(a.d[0]), s = sinl(a.d[0]), square = a.d[1] * a.d[1];
    *sine = (jet){{s, c * a.d[1], c * a.d[2] - s * square}};
    *cosine = (jet){{c, -s * a.d[1], -s * a.d[2] - c * square}};
}

static inline void jet_multiply(jet out[9], const jet A[9], const jet B[9])
{
    jet C[9];
    for (int i = 0; i < 9; i++) {
        C[i] = (jet){{0}};
        for (int k = 0; k < 3; k++) {
            C[i] = jet_add(C[i], jet_mul(A[i / 3 * 3 + k], B[3 * k + i % 3]));
        }
    }
    memcpy(out, C, sizeof C);
}

/* The turn by an angle about axis 0, 1 or 2. */
static inline void jet_turn(jet out[9], int axis, jet angle)
{
    const int j = (axis + 1) % 3, k = (axis + 2) % 3;
    memset(out, 0, 9 * sizeof *out);
    out[4 * axis].d[0] = 1;
    jet_sincos(&out[3 * k + j], &out[4 * j], angle);
    out[4 * k] = out[4 * j];
    out[3 * j + k] = jet_scale(out[3 * k + j], -1);
}

/* Turns by three angles about three axes, the first one first in the product. */
static inline void jet_rotation(jet out[9], const int axes[3], const jet angles[3])
{
    jet B[9];
    jet_turn(out, axes[0], angles[0]);
    for (int i = 1; i < 3; i++) {
        jet_turn(B, axes[i], angles[i]);
        jet_multiply(out, out, B);
    }
}

/* The derivative of order `order` of n jets, rounded to double. */
static inline void jet_get(double *out, const jet *a, int n, int order)
{
    for (int i = 0; i < n; i++) {
        out[i] = (double)a[i].d[order];
    }
}

#endif
