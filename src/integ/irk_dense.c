/* irk_dense.c - the solution between the ends of a step: the collocation polynomial
 *
 *     x(t_n + theta h) = x_n + h sum_i K_i int_0^theta l_i,   z(t_n + theta h) = sum_i z_i l_i(theta),
 *
 * or, for other methods, Hermite's cubic for x, and z from the equations. Integrals of Lagrange polynomials are
 * taken by Gauss quadrature, which is exact here; powers of theta would lose digits for many stages. */
#include <string.h>

#include "integ/irk_impl.h"
#include "methods/collocation.h"

void dd_irk_dense_setup(irk *r)
{
    /* a Gauss formula with (s + 1)/2 points is exact for degree s - 1 */
    const uint32_t s = r->s, m = (s + 1) / 2;
    if (!r->tableau->collocation) {
        return;
    }
    /* in 113 bits: products of differences of nodes lose digits */
    dd_quad nodes[DD_COLLOCATION_MOST], weights[DD_COLLOCATION_MOST];
    dd_collocation_nodes(DD_NODES_GAUSS, m, nodes);
    dd_lagrange_integrals(nodes, m, 1, weights);
    r->n_nodes = m;
    for (uint32_t q = 0; q < m; q++) {
        r->node[q] = (double)nodes[q];
        r->node_weight[q] = (double)weights[q];
    }
    for (uint32_t i = 0; i < s; i++) {
        dd_quad product = 1;
        for (uint32_t k = 0; k < s; k++) {
            product *= k == i ? 1 : r->tableau->exact.c[i] - r->tableau->exact.c[k];
        }
        r->barycentric[i] = (double)(1 / product);
    }
}

void dd_irk_lagrange(const irk *r, double theta, double *values)
{
    const double *c = r->tableau->c;
    /* prefix and suffix products: l_i(theta) without divisions, also at the nodes */
    double product = 1;
    for (uint32_t i = 0; i < r->s; i++) {
        values[i] = r->barycentric[i] * product;
        product *= theta - c[i];
    }
    product = 1;
    for (uint32_t i = r->s; i-- > 0;) {
        values[i] *= product;
        product *= theta - c[i];
    }
}

void dd_irk_lagrange_integrals(const irk *r, double theta, double *integrals)
{
    double values[DD_TABLEAU_STAGES];
    /* int_0^theta l_i = theta sum_q w_q l_i(theta x_q) */
    memset(integrals, 0, r->s * sizeof *integrals);
    for (uint32_t q = 0; q < r->n_nodes; q++) {
        dd_irk_lagrange(r, theta * r->node[q], values);
        for (uint32_t i = 0; i < r->s; i++) {
            integrals[i] += theta * r->node_weight[q] * values[i];
        }
    }
}

bool dd_irk_end_weights(const irk *r, double *weight)
{
    if (!r->end_open || !r->tableau->collocation) {
        return false;
    }
    /* l_i(1): extrapolation from the nodes to the end */
    dd_irk_lagrange(r, 1.0, weight);
    return true;
}

/* ---- use ---- */

static void collocation(const irk *r, double theta, double *w, double *wdot)
{
    const uint8_t *x = r->base.problem->differential;
    double l[DD_TABLEAU_STAGES], integral[DD_TABLEAU_STAGES];
    /* u = h K for x: integrals of l_i for values, l_i for slopes; z by its own polynomial */
    dd_irk_lagrange(r, theta, l);
    dd_irk_lagrange_integrals(r, theta, integral);
    for (uint32_t j = 0; j < r->n; j++) {
        double value = x[j] ? r->w_old[j] + theta * r->shift[j] : 0, slope = 0;
        for (uint32_t i = 0; i < r->s; i++) {
            const double u = r->u_last[(size_t)i * r->n + j];
            value += (x[j] ? integral[i] : l[i]) * u;
            slope += l[i] * u;
        }
        if (w) {
            w[j] = value;
        }
        if (wdot) {
            wdot[j] = x[j] ? slope / r->h_last : 0.0;
        }
    }
}

bool dd_irk_z_follows(const irk *r)
{
    return dd_rhs_algebraic(r->rhs) > 0 && !r->options.higher_index;
}

static void hermite(irk *r, double t, double theta, double *w, double *wdot)
{
    const uint8_t *x = r->base.problem->differential;
    /* Hermite's cubic on [0, 1]: a = 3 theta^2 - 2 theta^3 blends the values, b = theta (1 - theta) the slopes */
    const double h = r->h_last, a = theta * theta * (3 - 2 * theta), b = theta * (1 - theta);
    double *point = r->point, *rate = r->rate;
    for (uint32_t j = 0; j < r->n; j++) {
        const double d = r->base.w[j] - r->w_old[j], v0 = r->v_old[j], v1 = r->base.wdot[j];
        point[j] = r->w_old[j] + (x[j] ? a * d + h * b * ((1 - theta) * v0 - theta * v1) : theta * d);
        rate[j] = x[j] ? 6 * b * d / h + (1 - theta) * (1 - 3 * theta) * v0 + theta * (3 * theta - 2) * v1 : 0.0;
    }
    /* z from the equations; where these do not determine it, z stays linear between the ends */
    if (dd_irk_z_follows(r)) {
        memcpy(r->work, point, r->n * sizeof *r->work);
        memcpy(r->err, rate, r->n * sizeof *r->err);
        dd_rhs_accuracy accuracy = {r->weight, h, r->goal, .given = r->options.fixed_step > 0, .wary = r->base.wary};
        if (dd_rhs_solve(r->rhs, t, r->work, r->err, &accuracy, &r->base.stats, &r->base.worst) == DD_STEP_OK) {
            point = r->work;
            rate = r->err;
        }
    }
    if (w) {
        memcpy(w, point, r->n * sizeof *w);
    }
    if (wdot) {
        memcpy(wdot, rate, r->n * sizeof *wdot);
    }
}

void dd_irk_interpolate(const dd_integrator *it, double t, double *w, double *wdot)
{
    irk *r = ((const irk *)it)->self;
    /* at the ends the values are known; also before the first step */
    if (!r->started || t == it->t || t == it->t_old) {
        const bool old = r->started && t != it->t;
        if (w) {
            memcpy(w, old ? r->w_old : it->w, r->n * sizeof *w);
        }
        if (wdot) {
            memcpy(wdot, old ? r->v_old : it->wdot, r->n * sizeof *wdot);
        }
        return;
    }
    const double theta = (t - it->t_old) / r->h_last;
    if (r->tableau->collocation) {
        collocation(r, theta, w, wdot);
    } else {
        hermite(r, t, theta, w, wdot);
    }
}
