/* flat.c - see flat.h. */
#include "ocp/flat.h"

#include <math.h>
#include <string.h>

#include "base/random.h"

static const double BESIDE = 0.3;    /* how far, scaled: there a cost that bends shows it */
static const double NO_SLOPE = 1e-4; /* of the slope beside a point: none */
static const double NO_BEND = 1e-2;  /* of the curvature beside a point: none */

void dd_ocp_step_beside(const dd_nlp *nlp, int sign, double *y)
{
    uint64_t random = 0x9e3779b97f4a7c15u;
    /* the same numbers in every run; values that go together do not cancel in a mean */
    for (uint32_t j = 0; j < nlp->n; j++) {
        const double moved = y[j] + sign * BESIDE * (1 + dd_random(&random) / 2);
        y[j] = fmin(fmax(moved, nlp->x_lower[j]), nlp->x_upper[j]);
    }
}

/* Curvatures of the cost alone at y, one per variable; NULL: there are none. */
static double *own_curvatures(const dd_nlp *nlp, const double *y, dd_pool *pool)
{
    double *h = dd_pool_alloc_array(pool, (size_t)nlp->hessian_nnz + 1, sizeof *h);
    double *zero = dd_pool_alloc_array(pool, (size_t)nlp->m + 1, sizeof *zero);
    double *own = dd_pool_alloc_array(pool, (size_t)nlp->n + 1, sizeof *own);
    /* multipliers of zero leave the cost; without second derivatives nothing is known */
    if (nlp->hessian == NULL || !nlp->hessian(nlp->user, y, true, 1, zero, h)) {
        return NULL;
    }
    for (uint32_t k = 0; k < nlp->hessian_nnz; k++) {
        own[nlp->hessian_row[k]] += nlp->hessian_row[k] == nlp->hessian_col[k] ? h[k] : 0;
    }
    return own;
}

static double largest(const double *v, uint32_t n)
{
    double most = 0;
    for (uint32_t i = 0; i < n; i++) {
        most = fmax(most, fabs(v[i]));
    }
    return most;
}

static bool has_no_slope(const dd_nlp *nlp, const double *here, const double *beside, dd_pool *pool)
{
    double *g = dd_pool_alloc_array(pool, (size_t)nlp->n + 1, sizeof *g);
    double *other = dd_pool_alloc_array(pool, (size_t)nlp->n + 1, sizeof *other);
    return nlp->gradient(nlp->user, here, true, g) && nlp->gradient(nlp->user, beside, true, other) &&
           largest(g, nlp->n) <= NO_SLOPE * largest(other, nlp->n);
}

bool dd_ocp_flat(dd_ocp *p)
{
    const dd_nlp *nlp = p->transcription->nlp;
    dd_pool *pool = dd_pool_child(p->pool);
    double *beside = dd_pool_alloc_array(pool, (size_t)nlp->n + 1, sizeof *beside);
    bool flat = false;
    memcpy(beside, p->result.x, nlp->n * sizeof *beside);
    dd_ocp_step_beside(nlp, 1, beside);
    /* nearly all solutions have multipliers, and with them a slope: one look */
    if (has_no_slope(nlp, p->result.x, beside, pool)) {
        const double *bent = own_curvatures(nlp, p->result.x, pool);
        const double *other = bent != NULL ? own_curvatures(nlp, beside, pool) : NULL;
        const double most = other != NULL ? largest(other, nlp->n) : 0;
        for (uint32_t j = 0; j < nlp->n && other != NULL && !flat; j++) {
            flat = fabs(bent[j]) < NO_BEND * fabs(other[j]) && fabs(other[j]) > NO_BEND * most;
        }
    }
    dd_pool_free(pool);
    return flat;
}
