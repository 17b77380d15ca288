/* radau_dense.c - the collocation polynomial P(theta) through (0, 0) and (c_k, Z_k): dense output and prediction. */
#include "integ/radau_impl.h"

void dd_radau_polynomial_setup(radau_order *o)
{
    for (uint32_t k = 0; k < o->k.s; k++) {
        double d = o->k.c[k];
        for (uint32_t m = 0; m < o->k.s; m++) {
            d *= m == k ? 1.0 : o->k.c[k] - o->k.c[m];
        }
        o->per_denominator[k] = 1.0 / d;
    }
}

void dd_radau_polynomial(const radau_order *o, double theta, double *weights)
{
    uint32_t s = o->k.s;
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
