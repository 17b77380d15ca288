/* nlprog_new.c - a public nonlinear program from what the caller gives: checked, then copied. */
#include <math.h>
#include <string.h>

#include "nlp/nlprog_private.h"

/* ---- checks; messages count from 0, like the arrays ---- */

static dd_status check_range(dd_context *ctx, const char *what, uint32_t count, const double *lower,
                             const double *upper)
{
    for (uint32_t i = 0; i < count; i++) {
        const double low = lower != NULL ? lower[i] : -INFINITY, high = upper != NULL ? upper[i] : INFINITY;
        if (isnan(low) || isnan(high)) {
            return dd_fail(ctx, DD_INVALID_ARGUMENT, "%s %u: a bound is not a number", what, i);
        }
        if (low > high) {
            return dd_fail(ctx, DD_INVALID_ARGUMENT, "%s %u: the lower bound %g is above the upper bound %g", what, i,
                           low, high);
        }
        if (low == INFINITY || high == -INFINITY) {
            return dd_fail(ctx, DD_INVALID_ARGUMENT, "%s %u: no number is between its bounds", what, i);
        }
    }
    return DD_OK;
}

static dd_status check_jacobian(dd_context *ctx, const dd_nlprog_functions *f)
{
    if (f->jacobian_nnz > 0 && (f->jacobian_row == NULL || f->jacobian_col == NULL)) {
        return dd_fail(ctx, DD_INVALID_ARGUMENT, "the Jacobian has entries without places");
    }
    for (uint32_t k = 0; k < f->jacobian_nnz; k++) {
        if (f->jacobian_row[k] >= f->m || f->jacobian_col[k] >= f->n) {
            return dd_fail(ctx, DD_INVALID_ARGUMENT,
                           "entry %u of the Jacobian is at (%u, %u): there are %u rows and %u variables", k,
                           f->jacobian_row[k], f->jacobian_col[k], f->m, f->n);
        }
    }
    return DD_OK;
}

static dd_status check_hessian(dd_context *ctx, const dd_nlprog_functions *f)
{
    if (f->hessian_nnz > 0 && (f->hessian_row == NULL || f->hessian_col == NULL)) {
        return dd_fail(ctx, DD_INVALID_ARGUMENT, "the Hessian has entries without places");
    }
    for (uint32_t k = 0; k < f->hessian_nnz; k++) {
        if (f->hessian_row[k] >= f->n || f->hessian_col[k] > f->hessian_row[k]) {
            return dd_fail(ctx, DD_INVALID_ARGUMENT,
                           "entry %u of the Hessian is at (%u, %u): not in the lower triangle of %u variables", k,
                           f->hessian_row[k], f->hessian_col[k], f->n);
        }
    }
    return DD_OK;
}

static dd_status check_sizes(dd_context *ctx, const dd_nlprog_functions *f)
{
    /* indices and their sums must fit into 31 bits: other solvers have signed ones */
    if ((uint64_t)f->n + f->m > INT32_MAX || f->jacobian_nnz > INT32_MAX || f->hessian_nnz > INT32_MAX) {
        return dd_fail(ctx, DD_LIMIT, "more than 2^31 variables, rows or entries");
    }
    if (f->objective == NULL || f->gradient == NULL || (f->m > 0 && (f->constraints == NULL || f->jacobian == NULL))) {
        return dd_fail(ctx, DD_INVALID_ARGUMENT, "a function is missing: objective, gradient, constraints or jacobian");
    }
    for (uint32_t i = 0; f->x_size != NULL && i < f->n; i++) {
        if (!(f->x_size[i] > 0 && isfinite(f->x_size[i]))) {
            return dd_fail(ctx, DD_INVALID_ARGUMENT, "variable %u: its size must be a positive number, not %g", i,
                           f->x_size[i]);
        }
    }
    return DD_OK;
}

static dd_status check(dd_context *ctx, const dd_nlprog_functions *f)
{
    dd_status status = check_sizes(ctx, f);
    status = status == DD_OK ? check_range(ctx, "variable", f->n, f->x_lower, f->x_upper) : status;
    status = status == DD_OK ? check_range(ctx, "row", f->m, f->c_lower, f->c_upper) : status;
    status = status == DD_OK ? check_jacobian(ctx, f) : status;
    return status == DD_OK ? check_hessian(ctx, f) : status;
}

/* ---- copies ---- */

/* `count` numbers, or the one given where there are none. Never empty, so that it is never NULL. */
static double *copied(dd_pool *pool, const double *values, uint32_t count, double without)
{
    double *copy = dd_pool_alloc_array(pool, (size_t)count + 1, sizeof *copy);
    for (uint32_t i = 0; i < count; i++) {
        copy[i] = values != NULL ? values[i] : without;
    }
    return copy;
}

static const uint32_t *places(dd_pool *pool, const uint32_t *values, uint32_t count)
{
    uint32_t *copy = dd_pool_alloc_array(pool, (size_t)count + 1, sizeof *copy);
    if (count > 0) {
        memcpy(copy, values, count * sizeof *copy);
    }
    return copy;
}

static const char **names(dd_pool *pool, const char *const *texts, uint32_t count)
{
    const char **copy = dd_pool_alloc_array(pool, (size_t)count + 1, sizeof *copy);
    for (uint32_t i = 0; i < count; i++) {
        copy[i] = texts[i] != NULL ? dd_pool_strdup(pool, texts[i]) : "";
    }
    return copy;
}

static void copy_functions(dd_nlprog *p, const dd_nlprog_functions *f)
{
    dd_pool *pool = p->pool;
    dd_nlp *nlp = &p->nlp;
    p->functions = *f;
    nlp->n = f->n;
    nlp->m = f->m;
    /* bounds, which may change between solves */
    nlp->x_lower = p->x_lower = copied(pool, f->x_lower, f->n, -INFINITY);
    nlp->x_upper = p->x_upper = copied(pool, f->x_upper, f->n, INFINITY);
    nlp->c_lower = p->c_lower = copied(pool, f->c_lower, f->m, -INFINITY);
    nlp->c_upper = p->c_upper = copied(pool, f->c_upper, f->m, INFINITY);
    nlp->x_size = f->x_size != NULL ? copied(pool, f->x_size, f->n, 1) : NULL;
    /* patterns and names */
    nlp->jacobian_nnz = f->jacobian_nnz;
    nlp->hessian_nnz = f->hessian_nnz;
    nlp->jacobian_row = places(pool, f->jacobian_row, f->jacobian_nnz);
    nlp->jacobian_col = places(pool, f->jacobian_col, f->jacobian_nnz);
    nlp->hessian_row = places(pool, f->hessian_row, f->hessian_nnz);
    nlp->hessian_col = places(pool, f->hessian_col, f->hessian_nnz);
    p->x_names = f->x_names != NULL ? names(pool, f->x_names, f->n) : NULL;
    p->c_names = f->c_names != NULL ? names(pool, f->c_names, f->m) : NULL;
}

typedef struct making {
    dd_nlprog *made;
    dd_pool *pool;
    dd_context *ctx;
    const dd_nlprog_functions *functions;
} making;

static void make(void *arg)
{
    making *m = arg;
    const dd_nlprog_functions *f = m->functions;
    dd_nlprog *p = dd_pool_alloc(m->pool, sizeof *p);
    p->ctx = m->ctx;
    p->pool = m->pool;
    copy_functions(p, f);
    dd_nlprog_connect(p);
    /* where a solve begins and ends */
    p->x = copied(m->pool, NULL, f->n, 0);
    p->lambda = copied(m->pool, NULL, f->m, 0);
    p->z_lower = copied(m->pool, NULL, f->n, 0);
    p->z_upper = copied(m->pool, NULL, f->n, 0);
    p->dependent = dd_pool_alloc_array(m->pool, (size_t)f->m + 1, sizeof *p->dependent);
    p->info = (dd_nlprog_info){.status = DD_NLP_FAILED, .worst_row = f->m};
    m->made = p;
}

dd_status dd_nlprog_new(dd_nlprog **out, dd_context *ctx, const dd_nlprog_functions *functions)
{
    if (out == NULL || ctx == NULL || functions == NULL) {
        return DD_INVALID_ARGUMENT;
    }
    *out = NULL;
    dd_status status = check(ctx, functions);
    if (status != DD_OK) {
        return status;
    }
    making m = {.pool = dd_pool_new(ctx), .ctx = ctx, .functions = functions};
    status = m.pool != NULL ? dd_protect(ctx, make, &m) : dd_fail(ctx, DD_OUT_OF_MEMORY, NULL);
    if (status != DD_OK) {
        dd_pool_free(m.pool);
        return status;
    }
    *out = m.made;
    return DD_OK;
}

void dd_nlprog_free(dd_nlprog *p)
{
    if (p != NULL) {
        dd_pool_free(p->pool);
    }
}

/* ---- changes between solves ---- */

static void replace(double *to, const double *from, uint32_t count)
{
    if (from != NULL) {
        memmove(to, from, count * sizeof *to);
    }
}

dd_status dd_nlprog_set_bounds(dd_nlprog *p, const double *x_lower, const double *x_upper, const double *c_lower,
                               const double *c_upper)
{
    if (p == NULL) {
        return DD_INVALID_ARGUMENT;
    }
    /* NULL keeps a bound, and the new ones must agree with those that stay */
    const uint32_t n = p->nlp.n, m = p->nlp.m;
    dd_status status = check_range(p->ctx, "variable", n, x_lower != NULL ? x_lower : p->x_lower,
                                   x_upper != NULL ? x_upper : p->x_upper);
    if (status == DD_OK) {
        status = check_range(p->ctx, "row", m, c_lower != NULL ? c_lower : p->c_lower,
                             c_upper != NULL ? c_upper : p->c_upper);
    }
    if (status == DD_OK) {
        replace(p->x_lower, x_lower, n);
        replace(p->x_upper, x_upper, n);
        replace(p->c_lower, c_lower, m);
        replace(p->c_upper, c_upper, m);
    }
    return status;
}

static void set_or_clear(double *to, const double *from, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        to[i] = from != NULL ? from[i] : 0;
    }
}

dd_status dd_nlprog_set_multipliers(dd_nlprog *p, const double *lambda, const double *z_lower, const double *z_upper)
{
    if (p == NULL) {
        return DD_INVALID_ARGUMENT;
    }
    set_or_clear(p->lambda, lambda, p->nlp.m);
    set_or_clear(p->z_lower, z_lower, p->nlp.n);
    set_or_clear(p->z_upper, z_upper, p->nlp.n);
    return DD_OK;
}
