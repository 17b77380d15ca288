/* kkt.c - residuals of the Karush-Kuhn-Tucker conditions, from the functions of the problem alone. */
#include <math.h>
#include <string.h>

#include "nlp/nlp.h"

static void raise_to(double *most, double value)
{
    *most = value > *most || isnan(value) ? value : *most;
}

/* Distance of a value outside [lower, upper]. */
static double outside(double value, double lower, double upper)
{
    return fmax(0, fmax(lower - value, value - upper));
}

/* Multiplier y of a row: positive ones push against the upper bound, negative ones against the lower. */
static double slack_product(double y, double value, double lower, double upper)
{
    /* an infinite bound cannot push: its multiplier itself is the residual */
    double bound = y > 0 ? upper : lower;
    return y == 0 || lower == upper ? 0 : isinf(bound) ? fabs(y) : fabs(y * (value - bound));
}

static void check_bounds(const dd_nlp *nlp, const dd_nlp_result *at, dd_kkt *out)
{
    for (uint32_t i = 0; i < nlp->n; i++) {
        double low = at->z_lower[i], high = at->z_upper[i];
        raise_to(&out->violation, outside(at->x[i], nlp->x_lower[i], nlp->x_upper[i]));
        raise_to(&out->sign, fmax(-low, -high));
        /* a fixed variable has no slack, and its multiplier may have either sign */
        if (nlp->x_lower[i] < nlp->x_upper[i]) {
            raise_to(&out->complementarity,
                     isinf(nlp->x_lower[i]) ? fabs(low) : fabs(low * (at->x[i] - nlp->x_lower[i])));
            raise_to(&out->complementarity,
                     isinf(nlp->x_upper[i]) ? fabs(high) : fabs(high * (nlp->x_upper[i] - at->x[i])));
        }
    }
}

static void check_rows(const dd_nlp *nlp, const dd_nlp_result *at, const double *c, dd_kkt *out)
{
    for (uint32_t i = 0; i < nlp->m; i++) {
        double violation = outside(c[i], nlp->c_lower[i], nlp->c_upper[i]);
        /* the row is noted before the maximum is raised */
        if (violation > out->violation) {
            out->worst_row = i;
        }
        raise_to(&out->violation, violation);
        raise_to(&out->complementarity, slack_product(at->lambda[i], c[i], nlp->c_lower[i], nlp->c_upper[i]));
    }
}

static bool lagrangian(const dd_nlp *nlp, const dd_nlp_result *at, double *g, double *jacobian, dd_kkt *out)
{
    if (!nlp->gradient(nlp->user, at->x, true, g) || !nlp->jacobian(nlp->user, at->x, false, jacobian)) {
        return false;
    }
    /* the gradient of the objective alone is the scale for the Lagrangian's */
    for (uint32_t i = 0; i < nlp->n; i++) {
        raise_to(&out->gradient, fabs(g[i]));
    }
    /* grad f + J^T lambda - z_lower + z_upper */
    for (uint32_t k = 0; k < nlp->jacobian_nnz; k++) {
        g[nlp->jacobian_col[k]] += at->lambda[nlp->jacobian_row[k]] * jacobian[k];
    }
    for (uint32_t i = 0; i < nlp->n; i++) {
        g[i] += at->z_upper[i] - at->z_lower[i];
    }
    return true;
}

dd_status dd_nlp_kkt(dd_context *ctx, const dd_nlp *nlp, const dd_nlp_result *at, dd_kkt *out)
{
    *out = (dd_kkt){.worst_row = nlp->n + nlp->m};
    size_t size = (size_t)nlp->n + nlp->m + nlp->jacobian_nnz + 1;
    double *g = dd_mem_new_array(ctx, size, sizeof *g);
    if (g == NULL) {
        return dd_fail(ctx, DD_OUT_OF_MEMORY, "%s", dd_status_text(DD_OUT_OF_MEMORY));
    }
    double *c = g + nlp->n, *jacobian = c + nlp->m;
    /* constraints at a new point, then the Lagrangian at the same one */
    bool ok = nlp->constraints(nlp->user, at->x, true, c) && lagrangian(nlp, at, g, jacobian, out);
    check_bounds(nlp, at, out);
    check_rows(nlp, at, c, out);
    /* a fixed variable has a multiplier that is not reported: its component is free */
    for (uint32_t i = 0; ok && i < nlp->n; i++) {
        bool fixed = nlp->x_lower[i] == nlp->x_upper[i];
        raise_to(&out->dual_infeasibility, fixed ? 0 : fabs(g[i]));
    }
    dd_mem_free(ctx, g, size * sizeof *g);
    return ok ? DD_OK : dd_fail(ctx, DD_NUMERIC, "a function is not finite at the point");
}
