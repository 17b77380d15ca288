/* chebyshev_dense.c - the polynomials of a window between its points, and the window as a step for its derivatives. */
#include <string.h>

#include "integ/chebyshev_impl.h"
#include "integ/step_record.h"
#include "methods/collocation.h"

/* Barycentric: sum_k b_k / (theta - c_k) f_k / sum_k b_k / (theta - c_k), written as weights of the f_k. */
static void barycentric(const chebyshev *c, const double *b, uint32_t first, double theta, double *weight)
{
    double sum = 0;
    for (uint32_t k = first; k <= c->last; k++) {
        /* at a point itself the formula is 0/0 */
        if (theta == c->node[k]) {
            memset(weight, 0, (c->last + 1) * sizeof *weight);
            weight[k] = 1;
            return;
        }
        weight[k] = b[k] / (theta - c->node[k]);
        sum += weight[k];
    }
    for (uint32_t k = first; k <= c->last; k++) {
        weight[k] /= sum;
    }
}

void dd_chebyshev_interpolate(const dd_integrator *it, double t, double *w, double *wdot)
{
    const chebyshev *c = (const chebyshev *)it;
    const uint8_t *x = it->problem->differential;
    const bool here = !c->started || t == it->t;
    /* x through all points, z through all but the first, where its value is not known */
    double weight_x[DD_CHEBYSHEV_POINTS] = {0}, weight_z[DD_CHEBYSHEV_POINTS] = {0};
    const double theta = c->started ? (t - it->t_old) / c->h_last : 0;
    barycentric(c, c->weight_x, 0, theta, weight_x);
    barycentric(c, c->weight_z, 1, theta, weight_z);
    for (uint32_t j = 0; j < c->n; j++) {
        double value = x[j] ? theta * c->shift[j] : 0.0, rate = 0;
        for (uint32_t k = 0; k <= c->last && !here; k++) {
            value += (x[j] ? weight_x[k] : weight_z[k]) * c->value_last[(size_t)k * c->n + j];
            rate += weight_x[k] * c->rate_last[(size_t)k * c->n + j];
        }
        if (w) {
            w[j] = here ? it->w[j] : value;
        }
        if (wdot) {
            wdot[j] = here ? it->wdot[j] : rate;
        }
    }
}

/* A collocation method: A_ij = int_0^{c_i} l_j over the nodes but the first, the inverse of that part of D. */
void dd_chebyshev_make_integrals(chebyshev *c)
{
    const uint32_t K = c->last;
    dd_quad nodes[DD_CHEBYSHEV_POINTS], integral[DD_CHEBYSHEV_POINTS];
    dd_collocation_nodes(DD_NODES_CHEBYSHEV, K, nodes);
    for (uint32_t i = 0; i < K; i++) {
        dd_lagrange_integrals(nodes, K, nodes[i], integral);
        for (uint32_t j = 0; j < K; j++) {
            c->A[(size_t)i * K + j] = (double)integral[j];
        }
    }
}

void dd_chebyshev_record(dd_integrator *it, bool dense, dd_step_record *out)
{
    chebyshev *c = (chebyshev *)it;
    const uint32_t K = c->last;
    (void)dense;
    /* one step of a Runge-Kutta method with K coupled stages at the points 1..K */
    dd_record_one_input(out, c->h_last);
    out->stages = K;
    if (!out->point) {
        return;
    }
    out->coupled = true;
    out->shift = c->projector ? c->shift : NULL;
    out->scale = c->projected_scale;
    out->old = chebyshev_at(c->value_last, c, 0);
    out->scale_floor = c->options.fixed_step > 0;
    out->scale_slope = out->scale_floor ? 1.0 : c->rtol_now;
    /* the last row of A is b: the window ends at its last point */
    memcpy(out->b, c->A + (size_t)(K - 1) * K, K * sizeof *out->b);
    memcpy(out->point, chebyshev_at(c->value_last, c, 1), (size_t)K * c->n * sizeof *out->point);
    memcpy(out->rate, chebyshev_at(c->rate_last, c, 1), (size_t)K * c->n * sizeof *out->rate);
    for (uint32_t i = 0; i < K; i++) {
        out->time[i] = it->t_old + c->node[i + 1] * c->h_last;
        memcpy(out->A + (size_t)i * out->room, c->A + (size_t)i * K, K * sizeof *out->A);
    }
}

void dd_chebyshev_dense(const dd_integrator *it, double t, dd_step_dense *out)
{
    const chebyshev *c = (const chebyshev *)it;
    const double theta = (t - it->t_old) / c->h_last;
    double weight_x[DD_CHEBYSHEV_POINTS] = {0}, weight_z[DD_CHEBYSHEV_POINTS] = {0};
    barycentric(c, c->weight_x, 0, theta, weight_x);
    barycentric(c, c->weight_z, 1, theta, weight_z);
    /* derivatives of the interpolated values by those of the points, as in dd_chebyshev_interpolate */
    out->x.input[0] = weight_x[0];
    out->x.shift = theta;
    out->slope.input[0] = weight_x[0] * c->D[0] / c->h_last; /* w' at the first point is a sum over all of them */
    for (uint32_t k = 1; k <= c->last; k++) {
        out->x.value[k - 1] = weight_x[k];
        out->z.value[k - 1] = weight_z[k];
        out->slope.rate[k - 1] = weight_x[k] / c->h_last;
        out->slope.value[k - 1] = weight_x[0] * c->D[k] / c->h_last;
    }
}
