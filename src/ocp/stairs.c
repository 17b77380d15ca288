/* stairs.c - see stairs.h. */
#include "ocp/stairs.h"

#include <math.h>
#include <string.h>

#define AT_A_BOUND 1e-4 /* of the variation: a control as near to a bound as this is held by it */

/* The diagonal of the Hessian of the Lagrangian at the solution; NULL: not known. */
static const double *curvatures(const dd_ocp *p, dd_pool *pool)
{
    const dd_nlp *nlp = p->transcription->nlp;
    double *own = dd_pool_alloc_array(pool, nlp->n + 1, sizeof *own);
    double *h = dd_pool_alloc_array(pool, nlp->hessian_nnz + 1, sizeof *h);
    if (nlp->hessian == NULL || !nlp->hessian(nlp->user, p->result.x, true, 1, p->result.lambda, h)) {
        return NULL;
    }
    memset(own, 0, nlp->n * sizeof *own);
    for (uint32_t k = 0; k < nlp->hessian_nnz; k++) {
        own[nlp->hessian_row[k]] += nlp->hessian_row[k] == nlp->hessian_col[k] ? h[k] : 0;
    }
    return own;
}

/* The slope of control i, over theta, between the middles of intervals k and k + 1. */
static double slope_after(const dd_ocp *p, uint32_t i, uint32_t k)
{
    const dd_transcription *t = p->transcription;
    const double *theta = t->mesh.theta, *u = p->result.x;
    return (u[t->u_at[k + 1] + i] - u[t->u_at[k] + i]) / (0.5 * (theta[k + 2] - theta[k]));
}

/* By how much control i would change within interval k: by its slope there, from those on both sides; in the first and last
 * interval, where layers are, it is extrapolated. */
static double variation(const dd_ocp *p, uint32_t i, uint32_t k)
{
    const dd_mesh *mesh = &p->transcription->mesh;
    const uint32_t last = mesh->n - 1;
    const double slope = k == 0      ? 1.5 * slope_after(p, i, 0) - 0.5 * slope_after(p, i, 1)
                         : k == last ? 1.5 * slope_after(p, i, last - 1) - 0.5 * slope_after(p, i, last - 2)
                                     : 0.5 * (slope_after(p, i, k - 1) + slope_after(p, i, k));
    return slope * (mesh->theta[k + 1] - mesh->theta[k]);
}

double dd_ocp_stairs_loss(const dd_ocp *p, double *part)
{
    const dd_transcription *t = p->transcription;
    double sum = 0;
    memset(part, 0, t->mesh.n * sizeof *part);
    if (t->mesh.control != DD_CONTROL_CONSTANT || t->mesh.n < 3) {
        return 0;
    }
    dd_pool *pool = dd_pool_child(p->pool);
    const double *own = curvatures(p, pool);
    for (uint32_t i = 0; own != NULL && i < p->problem->u.len; i++) {
        for (uint32_t k = 0; k < t->mesh.n; k++) {
            const uint32_t j = t->u_at[k] + i;
            const double u = p->result.x[j], d = fabs(variation(p, i, k));
            /* a control at a bound cannot vary there; switches have an estimate of their own (hidden.h) */
            const double room = fmin(u - t->nlp->x_lower[j], t->nlp->x_upper[j] - u);
            const double loss = room > AT_A_BOUND * d ? fmax(0, own[j]) * d * d / 24 : 0;
            part[k] += loss;
            sum += loss;
        }
    }
    dd_pool_free(pool);
    return isfinite(sum) ? sum : 0;
}
