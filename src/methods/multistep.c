/* multistep.c - coefficients of the backward differentiation formulas, exactly, and their stability. */
#include "methods/multistep.h"

#include <math.h>
#include <string.h>

static int64_t gcd(int64_t a, int64_t b)
{
    while (b != 0) {
        const int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a < 0 ? -a : a;
}

/* alpha_j = sum_{k >= max(j, 1)} (-1)^j binomial(k, j) / k, over the denominator 60 = lcm(1..6), shortened */
static void exact_coefficients(dd_bdf *bdf)
{
    const int64_t common = 60;
    int64_t divisor = common;
    /* h w' = sum_{k=1..m} nabla^k w / k, each difference written out by binomials */
    for (uint32_t k = 1; k <= bdf->steps; k++) {
        int64_t binomial = 1;
        for (uint32_t j = 0; j <= k; j++) {
            bdf->numerator[j] += (j % 2 == 0 ? 1 : -1) * binomial * (common / k);
            binomial = binomial * (k - j) / (j + 1);
        }
    }
    /* cancel what all coefficients share */
    for (uint32_t j = 0; j <= bdf->steps; j++) {
        divisor = gcd(divisor, bdf->numerator[j]);
    }
    bdf->denominator = common / divisor;
    for (uint32_t j = 0; j <= bdf->steps; j++) {
        bdf->numerator[j] /= divisor;
        bdf->alpha[j] = (double)bdf->numerator[j] / (double)bdf->denominator;
    }
}

/* The boundary of the stability region is part of the curve z(phi) = sum_j alpha_j e^{-ij phi}; the angle of the
 * largest sector around the negative axis is the smallest |pi - arg z| on it (where re z < 0). */
static double sector_angle(const dd_bdf *bdf)
{
    enum { SAMPLES = 20000 };
    double angle = 90;
    for (uint32_t k = 1; k < SAMPLES; k++) {
        const double phi = 3.14159265358979324 * k / SAMPLES;
        double re = 0, im = 0;
        for (uint32_t j = 0; j <= bdf->steps; j++) {
            re += bdf->alpha[j] * cos(j * phi);
            im -= bdf->alpha[j] * sin(j * phi);
        }
        /* near the origin re is rounding: z = i phi + O(phi^(m+1)) */
        if (re < -1e-12) {
            angle = fmin(angle, atan2(fabs(im), -re) * 57.2957795130823209);
        }
    }
    return angle;
}

dd_status dd_bdf_init(dd_bdf *out, uint32_t steps)
{
    if (steps < 1 || steps > DD_BDF_STEPS) {
        return DD_INVALID_ARGUMENT;
    }
    memset(out, 0, sizeof *out);
    out->steps = steps;
    exact_coefficients(out);
    out->angle = sector_angle(out);
    return DD_OK;
}

uint32_t dd_bdf_steps(const char *name)
{
    const bool fits =
        strncmp(name, "bdf-", 4) == 0 && name[4] >= '1' && name[4] <= '0' + DD_BDF_STEPS && name[5] == '\0';
    return fits ? (uint32_t)(name[4] - '0') : 0;
}

/* Largest root of sum_j c_j zeta^(m-j), c_0 = alpha_0 - z complex: Durand-Kerner in double precision is plenty for six
 * roots, and a picture. */
double dd_bdf_factor(const dd_bdf *bdf, double re, double im)
{
    enum { ROUNDS = 60 };
    const uint32_t m = bdf->steps;
    double x[DD_BDF_STEPS], y[DD_BDF_STEPS];
    /* alpha_0 = z: the leading coefficient vanishes and a root is at infinity */
    double size = (bdf->alpha[0] - re) * (bdf->alpha[0] - re) + im * im;
    if (size == 0) {
        return HUGE_VAL;
    }
    double cre[DD_BDF_STEPS + 1], cim[DD_BDF_STEPS + 1]; /* monic: divided by alpha_0 - z */
    for (uint32_t j = 0; j <= m; j++) {
        cre[j] = j == 0 ? 1 : bdf->alpha[j] * (bdf->alpha[0] - re) / size;
        cim[j] = j == 0 ? 0 : bdf->alpha[j] * im / size;
    }
    /* start on a circle that encloses the roots, turned by 0.4 so that no start lies on the real axis */
    for (uint32_t i = 0; i < m; i++) {
        const double radius = 1 + fabs(cre[m]) + fabs(cim[m]);
        x[i] = radius * cos(0.4 + 6.283185307179586 * i / m);
        y[i] = radius * sin(0.4 + 6.283185307179586 * i / m);
    }
    double moved = 1;
    for (uint32_t round = 0; round < ROUNDS && moved > 1e-10; round++) {
        moved = 0;
        /* Durand-Kerner: x_i -= p(x_i) / prod_{j != i} (x_i - x_j) */
        for (uint32_t i = 0; i < m; i++) {
            double pr = 1, pi = 0, qr = 1, qi = 0;
            /* Horner for the monic polynomial */
            for (uint32_t j = 1; j <= m; j++) {
                const double t = pr * x[i] - pi * y[i] + cre[j];
                pi = pr * y[i] + pi * x[i] + cim[j];
                pr = t;
            }
            for (uint32_t j = 0; j < m; j++) {
                if (j != i) {
                    const double dx = x[i] - x[j], dy = y[i] - y[j], t = qr * dx - qi * dy;
                    qi = qr * dy + qi * dx;
                    qr = t;
                }
            }
            const double q = qr * qr + qi * qi;
            /* coinciding roots are pushed apart */
            const double sx = q > 0 ? (pr * qr + pi * qi) / q : 1e-3, sy = q > 0 ? (pi * qr - pr * qi) / q : 1e-3;
            x[i] -= sx;
            y[i] -= sy;
            moved = fmax(moved, fabs(sx) + fabs(sy));
        }
    }
    double largest = 0;
    for (uint32_t i = 0; i < m; i++) {
        largest = fmax(largest, hypot(x[i], y[i]));
    }
    return largest;
}
