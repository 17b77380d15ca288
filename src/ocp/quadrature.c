/* quadrature.c - the cost of a solution by a finer quadrature than that of its mesh. */
#include "ocp/quadrature.h"

#include <math.h>
#include <string.h>

#include "base/context.h"
#include "ocp/reading.h"

/* Gauss-Legendre with five points on [0, 1], on each of PIECES pieces of an interval: exact to degree 9 in each, and
 * dense enough that what the points of the mesh alias is seen. */
enum { GAUSS = 5, PIECES = 4 };
static const double node[GAUSS] = {0.0469100770306680, 0.2307653449471585, 0.5, 0.7692346550528415, 0.9530899229693320};
static const double weight[GAUSS] = {0.1184634425280945, 0.2393143352496832, 0.2844444444444444, 0.2393143352496832,
                                     0.1184634425280945};
static const double SMALL = 1e-2; /* an objective below this is compared with it */

static double integrand_at(dd_reading *a, double theta)
{
    dd_reading_at(a, theta, true);
    return a->values[0];
}

/* The integral over interval k by the steps of shooting: stage i of each has the weight b_i. */
static double by_stages(dd_reading *a, uint32_t k, double h)
{
    const dd_mesh *mesh = &a->p->transcription->mesh;
    const dd_tableau *b = mesh->tableau;
    const double length = mesh->theta[k + 1] - mesh->theta[k];
    double sum = 0;
    for (uint32_t g = 0; g < mesh->substeps * b->stages; g++) {
        const double weight_of = b->b[g % b->stages];
        const double theta = mesh->theta[k] + dd_mesh_stage(mesh, g) * length;
        sum += weight_of != 0 ? h / mesh->substeps * weight_of * integrand_at(a, theta) : 0;
    }
    return sum;
}

/* The integral over interval k: by the points of the mesh, and finer. */
static void integrate(dd_reading *a, uint32_t k, double *coarse, double *fine)
{
    const dd_transcription *t = a->p->transcription;
    const double begin = t->mesh.theta[k], length = t->mesh.theta[k + 1] - begin;
    const double h = dd_transcription_time(t, a->p->result.x, t->mesh.theta[k + 1]) -
                     dd_transcription_time(t, a->p->result.x, begin);
    const uint32_t d = t->mesh.degree[k];
    *coarse = t->shooting != NULL ? by_stages(a, k, h) : 0;
    *fine = 0;
    for (uint32_t j = 1; j <= d && t->shooting == NULL; j++) {
        *coarse += h * t->weight[d][j] * integrand_at(a, begin + t->tau[d][j] * length);
    }
    for (uint32_t i = 0; i < PIECES * GAUSS; i++) {
        const uint32_t piece = i / GAUSS;
        const double s = (piece + node[i % GAUSS]) / PIECES;
        *fine += h * weight[i % GAUSS] / PIECES * integrand_at(a, begin + s * length);
    }
}

double dd_ocp_cost_error(const dd_ocp *p, double *part)
{
    dd_ocp_problem *o = p->problem;
    const dd_transcription *t = p->transcription;
    memset(part, 0, t->mesh.n * sizeof *part);
    if (o->integrand == DD_EXPR_NONE) {
        return 0;
    }
    /* the integrand as a function of its own */
    dd_pool *pool = dd_pool_child(p->pool);
    dd_expr_vec values = {0};
    dd_vec_push(pool, &values, o->integrand);
    dd_reading a = dd_reading_of(p, dd_ocp_outputs_of(o, &values, pool), 1, pool);
    /* errors of intervals may cancel: what counts is the sum */
    double difference = 0, size = fmax(fabs(p->info.objective), SMALL * dd_ocp_cost_unit(p)), amount = 0;
    for (uint32_t k = 0; k < t->mesh.n; k++) {
        double coarse, fine;
        dd_check_stop(p->ctx);
        integrate(&a, k, &coarse, &fine);
        part[k] = fine - coarse;
        difference += fine - coarse;
        amount += fabs(fine);
    }
    dd_pool_free(pool);
    size = fmax(size, amount);
    /* an integrand without a value somewhere between the points has no integral to compare with */
    for (uint32_t k = 0; k < t->mesh.n; k++) {
        part[k] = isfinite(difference) ? fabs(part[k]) / size : 0;
    }
    return isfinite(difference) ? fabs(difference) / size : 0;
}
