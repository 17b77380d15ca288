/* shooting_read.c - values between the nodes: the collocation polynomial, or the continuous extension of the method. */
#include <math.h>
#include <string.h>

#include "ocp/shooting_impl.h"

#define SAME_NODE 1e-12

/* Methods without a continuous extension: through both ends, with the slope of the left one when the first
 * stage is there. */
static void plain_weights(const dd_tableau *t, double tau, double *weight)
{
    bool slope = t->c[0] == 0 && t->structure != DD_TABLEAU_IMPLICIT && t->A[0] == 0;
    /* X_m + tau sum b_i K_i; with the slope K_1 at the left end X_m + tau^2 sum b_i K_i + (tau - tau^2) K_1 */
    for (uint32_t i = 0; i < t->stages; i++) {
        weight[i] = (slope ? tau * tau : tau) * t->b[i];
    }
    weight[0] += slope ? tau - tau * tau : 0;
}

static void state_weights(const dd_shooting *s, double tau, double *weight)
{
    const dd_tableau *t = s->tableau;
    /* integrals of the Lagrange polynomials: x is the integral of the interpolated slopes */
    if (t->collocation) {
        dd_lagrange_rule_integrals(&s->rule, tau, weight);
    } else if (t->dense.stages == t->stages) {
        /* Horner's rule without a constant: x(0) = X_m */
        for (uint32_t i = 0; i < t->stages; i++) {
            weight[i] = 0;
            for (uint32_t d = t->dense.degree; d > 0; d--) {
                weight[i] = (weight[i] + t->dense.B[i * t->dense.degree + d - 1]) * tau;
            }
        }
    } else {
        plain_weights(t, tau, weight);
    }
}

/* The polynomial through the different nodes; of stages with the same node the last one. */
static void algebraic_weights(const dd_tableau *t, double tau, double *weight)
{
    bool used[DD_TABLEAU_STAGES];
    /* explicit methods may have two stages at one time */
    for (uint32_t i = 0; i < t->stages; i++) {
        used[i] = true;
        for (uint32_t j = i + 1; j < t->stages; j++) {
            used[i] = used[i] && fabs(t->c[i] - t->c[j]) > SAME_NODE;
        }
    }
    /* Lagrange polynomials on the nodes that are left */
    for (uint32_t i = 0; i < t->stages; i++) {
        weight[i] = used[i] ? 1 : 0;
        for (uint32_t j = 0; j < t->stages && used[i]; j++) {
            weight[i] *= j != i && used[j] ? (tau - t->c[j]) / (t->c[i] - t->c[j]) : 1;
        }
    }
}

void dd_shooting_weights(const dd_shooting *s, double tau, double *x_weight, double *z_weight)
{
    state_weights(s, tau, x_weight);
    algebraic_weights(s->tableau, tau, z_weight);
}

uint32_t dd_shooting_place(const dd_shooting *s, uint32_t k, double theta, double *tau)
{
    const double *mesh = s->t->mesh.theta;
    double at = fmax(0, (theta - mesh[k]) / (mesh[k + 1] - mesh[k]) * s->substeps);
    uint32_t m = at >= s->substeps ? s->substeps - 1 : (uint32_t)at;
    *tau = fmin(at - m, 1);
    return m;
}

void dd_shooting_at(dd_shooting *s, const double *y, uint32_t k, double theta, double *x, double *z)
{
    const dd_ocp_problem *o = s->t->o;
    double x_weight[DD_TABLEAU_STAGES] = {0}, z_weight[DD_TABLEAU_STAGES] = {0}, tau;
    /* values of another point: the steps are computed again */
    if (!s->have_values || memcmp(s->y, y, s->nlp.n * sizeof *y) != 0) {
        dd_shooting_values(s, y);
        s->have_y = false; /* the elements have not seen it */
    }
    uint32_t m = dd_shooting_place(s, k, theta, &tau);
    dd_shooting_weights(s, tau, x_weight, z_weight);
    const double *w = s->w + (size_t)k * s->nw + (size_t)m * s->stages * s->ns;
    const double *left = s->ends + ((size_t)k * (s->substeps + 1) + m) * s->nx;
    /* X_m + sum_i B_i(tau) K_i, and sum_i l_i(tau) z_i */
    for (uint32_t c = 0; c < s->nx; c++) {
        x[c] = left[c];
        for (uint32_t i = 0; i < s->stages; i++) {
            x[c] += x_weight[i] * w[i * s->ns + c];
        }
        x[c] *= o->x.data[c].scale;
    }
    for (uint32_t c = 0; c < s->nz; c++) {
        z[c] = 0;
        for (uint32_t i = 0; i < s->stages; i++) {
            z[c] += z_weight[i] * w[i * s->ns + s->nx + c];
        }
        z[c] *= o->z.data[c].scale;
    }
}

uint32_t dd_shooting_controls(const dd_shooting *s, uint32_t k, double theta, uint32_t *first, double *weight)
{
    double tau;
    if (s->t->mesh.control != DD_CONTROL_POLYNOMIAL) {
        return 0;
    }
    *first = s->t->u_at[k] + dd_shooting_place(s, k, theta, &tau) * s->stages * s->nu;
    algebraic_weights(s->tableau, tau, weight);
    return s->stages;
}

/* ---- rows of a file ---- */

/* Stages of a collocation method inside a step, and the ends of steps. */
static uint32_t inside_step(const dd_shooting *s, double *at)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->stages && s->tableau->collocation; i++) {
        double c = s->tableau->c[i];
        if (c > SAME_NODE && c < 1 - SAME_NODE) {
            at[n++] = c;
        }
    }
    at[n++] = 1;
    return n;
}

uint32_t dd_shooting_points(const dd_shooting *s)
{
    double at[DD_TABLEAU_STAGES + 1];
    return inside_step(s, at) * s->substeps - 1;
}

double dd_shooting_point(const dd_shooting *s, uint32_t i)
{
    double at[DD_TABLEAU_STAGES + 1];
    uint32_t n = inside_step(s, at);
    uint32_t step = i / n;
    return (step + at[i % n]) / s->substeps;
}
