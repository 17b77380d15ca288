/* linearized.c - values and derivatives at one point, and the functions of the quadratic model made of them. */
#include "nlp/linearized.h"

#include <math.h>
#include <string.h>

struct dd_linearized {
    dd_context *ctx;
    const dd_nlp *inner;
    dd_nlp nlp;
    double f;                                      /* objective at the point */
    double *x, *gradient, *c, *jacobian, *hessian; /* n, n, m, entries */
    double *d, *none;                              /* n: the step; m: zeros */
    size_t bytes;
};

static void set_step(dd_linearized *l, const double *x)
{
    for (uint32_t i = 0; i < l->nlp.n; i++) {
        l->d[i] = x[i] - l->x[i];
    }
}

/* f + g^T d + d^T H d / 2 from the lower triangle of H. */
static bool objective(void *user, const double *x, bool new_x, double *out)
{
    dd_linearized *l = user;
    (void)new_x;
    set_step(l, x);
    double sum = 0, curvature = 0;
    for (uint32_t i = 0; i < l->nlp.n; i++) {
        sum += l->gradient[i] * l->d[i];
    }
    for (uint32_t k = 0; k < l->nlp.hessian_nnz; k++) {
        uint32_t i = l->nlp.hessian_row[k], j = l->nlp.hessian_col[k];
        curvature += (i == j ? 0.5 : 1) * l->hessian[k] * l->d[i] * l->d[j];
    }
    *out = l->f + sum + curvature;
    return isfinite(*out);
}

static bool gradient(void *user, const double *x, bool new_x, double *g)
{
    dd_linearized *l = user;
    (void)new_x;
    set_step(l, x);
    memcpy(g, l->gradient, l->nlp.n * sizeof *g);
    for (uint32_t k = 0; k < l->nlp.hessian_nnz; k++) {
        uint32_t i = l->nlp.hessian_row[k], j = l->nlp.hessian_col[k];
        g[i] += l->hessian[k] * l->d[j];
        g[j] += i != j ? l->hessian[k] * l->d[i] : 0;
    }
    return true;
}

static bool constraints(void *user, const double *x, bool new_x, double *c)
{
    dd_linearized *l = user;
    (void)new_x;
    set_step(l, x);
    memcpy(c, l->c, l->nlp.m * sizeof *c);
    for (uint32_t k = 0; k < l->nlp.jacobian_nnz; k++) {
        c[l->nlp.jacobian_row[k]] += l->jacobian[k] * l->d[l->nlp.jacobian_col[k]];
    }
    return true;
}

static bool jacobian(void *user, const double *x, bool new_x, double *values)
{
    const dd_linearized *l = user;
    (void)x, (void)new_x;
    memcpy(values, l->jacobian, l->nlp.jacobian_nnz * sizeof *values);
    return true;
}

/* The rows are linear: their multipliers have no part in it. */
static bool hessian(void *user, const double *x, bool new_x, double sigma, const double *lambda, double *values)
{
    const dd_linearized *l = user;
    (void)x, (void)new_x, (void)lambda;
    for (uint32_t k = 0; k < l->nlp.hessian_nnz; k++) {
        values[k] = sigma * l->hessian[k];
    }
    return true;
}

dd_status dd_linearized_new(dd_linearized **out, dd_context *ctx, const dd_nlp *nlp)
{
    size_t doubles = 3 * (size_t)nlp->n + 2 * (size_t)nlp->m + nlp->jacobian_nnz + nlp->hessian_nnz + 1;
    size_t bytes = sizeof(dd_linearized) + doubles * sizeof(double);
    dd_linearized *l = dd_mem_new_array(ctx, bytes, 1);
    *out = l;
    if (l == NULL) {
        return dd_fail(ctx, DD_OUT_OF_MEMORY, "%s", dd_status_text(DD_OUT_OF_MEMORY));
    }
    *l = (dd_linearized){.ctx = ctx, .inner = nlp, .nlp = *nlp, .bytes = bytes};
    l->x = (double *)(l + 1);
    l->gradient = l->x + nlp->n;
    l->d = l->gradient + nlp->n;
    l->c = l->d + nlp->n;
    l->none = l->c + nlp->m;
    l->jacobian = l->none + nlp->m;
    l->hessian = l->jacobian + nlp->jacobian_nnz;
    /* everything but the functions is the program's: bounds, patterns, sizes, shape, names */
    l->nlp.user = l;
    l->nlp.objective = objective;
    l->nlp.gradient = gradient;
    l->nlp.constraints = constraints;
    l->nlp.jacobian = jacobian;
    l->nlp.hessian = hessian;
    l->nlp.row_name = NULL;
    l->nlp.column_name = NULL;
    return DD_OK;
}

void dd_linearized_free(dd_linearized *l)
{
    if (l != NULL) {
        dd_mem_free(l->ctx, l, l->bytes);
    }
}

bool dd_linearized_at(dd_linearized *l, const double *x, const double *lambda)
{
    const dd_nlp *nlp = l->inner;
    memcpy(l->x, x, nlp->n * sizeof *x);
    return nlp->objective(nlp->user, x, true, &l->f) && nlp->constraints(nlp->user, x, false, l->c) &&
           nlp->gradient(nlp->user, x, false, l->gradient) && nlp->jacobian(nlp->user, x, false, l->jacobian) &&
           nlp->hessian(nlp->user, x, false, 1, lambda != NULL ? lambda : l->none, l->hessian);
}

const dd_nlp *dd_linearized_nlp(const dd_linearized *l)
{
    return &l->nlp;
}

dd_linearized_values dd_linearized_get_values(const dd_linearized *l)
{
    return (dd_linearized_values){l->x, l->gradient, l->c, l->jacobian, l->hessian};
}

double dd_linearized_objective(const dd_linearized *l)
{
    return l->f;
}
