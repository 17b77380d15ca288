/* radau_dense.c - the collocation polynomial P(theta) through (0, 0) and (c_k, Z_k): dense output and prediction. */
#include <float.h>
#include <math.h>

#include "integ/radau_impl.h"

void dd_radau_polynomial_setup(radau_order *o)
{
    for (uint32_t k = 0; k < o->k.s; k++) {
        double d = o->k.c[k];
        for (uint32_t m = 0; m < o->k.s; m++) {
            d *= m == k ? 1.0 : o->k.c[k] - o->k.c[m];
        }
        o->per_denominator[k] = 1.0 / d;
        o->per_lower[k] = k + 1 < o->k.s ? (o->k.c[k] - o->k.c[o->k.s - 1]) / d : 0.0;
    }
    /* the largest error of interpolation on [0, 1] per unit of the next divided difference, by samples */
    enum { POINTS = 200 };
    o->bulge = 0;
    for (uint32_t i = 0; i <= POINTS; i++) {
        double theta = (double)i / POINTS, product = theta, nodes = 1;
        for (uint32_t k = 0; k < o->k.s; k++) {
            product *= theta - o->k.c[k];
            nodes *= o->k.c[k];
        }
        o->bulge = fmax(o->bulge, fabs(product));
        o->per_slope = 1.0 / nodes;
    }
}

/* A polynomial through 0 and the nodes is off by a theta prod (theta - c_k), and its slope at 0 by a prod c_k, which
 * is seen: x' there is known. After a disturbance x' is that of a transient which the polynomial passes over; then a
 * is taken for no more than the last two coefficients of the polynomial itself, which are all there is for z. As
 * what is seen at one point may happen to be zero there, it is taken for no less than a part of them. */
static const double LEAST = 0.02, LOWER = 0.3;
/* Relative errors of the polynomial that may be rounding errors of the stages. */
static const double NOISE = 1000 * DBL_EPSILON;

void dd_radau_look_inside(radau *r, double h)
{
    const radau_order *o = &r->order[r->now];
    const uint8_t *x = r->base.problem->differential;
    const double unit = r->rtol_now / r->options.rtol;
    double error = 0, rough = 0;
    for (uint32_t j = 0; j < r->n; j++) {
        const double *z = r->z + (size_t)j * o->ld;
        /* divided differences of the polynomial: the last, and the one before */
        double slope = 0, highest = 0, lower = 0;
        for (uint32_t i = 0; i < o->k.s; i++) {
            slope += o->k.e[i] * z[i];
            highest += o->per_denominator[i] * z[i];
            lower += o->per_lower[i] * z[i];
        }
        const double seen = fabs(h * r->base.wdot[j] + slope) * o->per_slope,
                     most = fabs(highest) + LOWER * fabs(lower);
        const double off = o->bulge * r->weight[j] * (x[j] ? fmin(fmax(seen, LEAST * most), most) : most);
        error = x[j] ? fmax(error, unit * off) : error;
        rough = fmax(rough, r->rtol_now * off);
    }
    /* what was put into the rows may be steep; divided differences of rounding errors say nothing */
    r->dense_error = error * (error * r->options.rtol > NOISE ? fmax(1.0, r->base.steep) : 1.0);
    r->dense_rough = rough;
}

void dd_radau_polynomial(const radau_order *o, double theta, double *weights)
{
    uint32_t s = o->k.s;
    /* prefix and suffix products: no division by theta - c_k, which may vanish */
    double before[DD_RADAU_MOST + 1];
    before[0] = theta;
    for (uint32_t k = 0; k < s; k++) {
        before[k + 1] = before[k] * (theta - o->k.c[k]);
    }
    double after = 1.0;
    for (uint32_t k = s; k-- > 0;) {
        weights[k] = before[k] * after * o->per_denominator[k];
        after *= theta - o->k.c[k];
    }
}

void dd_radau_polynomial_slope(const radau_order *o, double theta, double *weights)
{
    uint32_t s = o->k.s;
    /* product rule: the sum over the factor that is differentiated */
    for (uint32_t k = 0; k < s; k++) {
        double sum = 0;
        for (uint32_t left = 0; left <= s; left++) { /* the factor that is differentiated: theta itself is s */
            double product = left == k ? 0.0 : 1.0;
            for (uint32_t m = 0; m <= s && product != 0; m++) {
                product *= m == k || m == left ? 1.0 : theta - (m == s ? 0.0 : o->k.c[m]);
            }
            sum += product;
        }
        weights[k] = sum * o->per_denominator[k];
    }
}

void dd_radau_interpolate(const dd_integrator *it, double t, double *w, double *wdot)
{
    const radau *r = (const radau *)it;
    uint32_t n = r->n;
    /* at the end the values are known; before the first step also anywhere */
    if (r->last == DD_NO_INDEX || t == it->t) {
        for (uint32_t j = 0; j < n; j++) {
            if (w) {
                w[j] = it->w[j];
            }
            if (wdot) {
                wdot[j] = it->wdot[j];
            }
        }
        return;
    }
    /* P(theta) through 0 and Z_k, with what projection added spread linearly */
    const radau_order *o = &r->order[r->last];
    double theta = (t - it->t_old) / r->h_last, value[DD_RADAU_MOST], slope[DD_RADAU_MOST];
    dd_radau_polynomial(o, theta, value);
    dd_radau_polynomial_slope(o, theta, slope);
    for (uint32_t j = 0; j < n; j++) {
        double p = 0, q = 0;
        for (uint32_t k = 0; k < o->k.s; k++) {
            p += value[k] * r->z_last[(size_t)j * o->ld + k];
            q += slope[k] * r->z_last[(size_t)j * o->ld + k];
        }
        if (w) {
            w[j] = r->w_old[j] + p + theta * r->shift[j];
        }
        if (wdot) {
            wdot[j] = q / r->h_last;
        }
    }
}
