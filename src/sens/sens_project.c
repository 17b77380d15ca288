/* sens_project.c - the derivative of the projection onto the invariants.
 *
 * project.c finds e1 = e0 + D^2 G(e0)^T mu with c(e1) = 0, D and the matrix G = dc/dw at e0 fixed while it iterates.
 * Hence, with G1 = G(e1) and dG the change of G at e0 along de0 and with p,
 *
 *     d e1 = d e0 + D q,   q - D G^T dmu = D dG^T mu + 2 D^-2 dD (e1 - e0),   G1 D q = -(G1 d e0 + dc/dp).
 *
 * Where the time of the point depends on p, dG and dc/dp contain G_t dt/dp and c_t dt/dp, by differences of fourth
 * order. mu follows from what was added, q = 0 in  q - D G^T mu = -D^-1 (e1 - e0),  G1 D q = 0. */
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "integ/fixed_newton.h"
#include "sens/sens_impl.h"

struct sens_projection {
    dd_context *ctx;
    const dd_problem *problem;
    uint32_t n, m;
    dd_csc matrix;   /* (n + m) x (n + m) */
    uint32_t *entry; /* places in it: n diagonals, then -D G^T, then G1 D */
    dd_pencil *solver;
    double *g0, *g1, *dg; /* on the invariants' pattern */
    double *before;       /* n: e0 */
    double *mu, *rhs;     /* m; n + m */
    double *cp;           /* m * n_parameters */
    double *gt, *ct;      /* G_t at e0, c_t at e1; m: scratch */
    double *sample;       /* the longer of them */
};

static dd_status build_matrix(sens_projection *x)
{
    const dd_csc *pattern = &x->problem->invariant_pattern;
    const uint32_t n = x->n, nnz = pattern->ptr[n], count = n + 2 * nnz;
    uint32_t *row = dd_mem_new_array(x->ctx, count + 1, sizeof *row);
    uint32_t *col = dd_mem_new_array(x->ctx, count + 1, sizeof *col);
    double *val = dd_mem_new_array(x->ctx, count + 1, sizeof *val);
    dd_status st = row && col && val ? DD_OK : DD_OUT_OF_MEMORY;
    /* [I -D G^T; G1 D 0]: the diagonal, the two off-diagonal blocks */
    for (uint32_t j = 0; j < n && st == DD_OK; j++) {
        row[j] = col[j] = j;
        for (uint32_t k = pattern->ptr[j]; k < pattern->ptr[j + 1]; k++) {
            row[n + k] = col[n + nnz + k] = j;
            col[n + k] = row[n + nnz + k] = n + pattern->idx[k];
        }
    }
    if (st == DD_OK) {
        st = dd_csc_from_triplets(&x->matrix, x->ctx, n + x->m, n + x->m, &(dd_triplets){count, row, col, val},
                                  x->entry);
    }
    dd_mem_free(x->ctx, row, (count + 1) * sizeof *row);
    dd_mem_free(x->ctx, col, (count + 1) * sizeof *col);
    dd_mem_free(x->ctx, val, (count + 1) * sizeof *val);
    return st == DD_OK ? dd_pencil_new(&x->solver, x->ctx, &x->matrix, false, DD_PENCIL_AUTO) : st;
}

/* clang-format off */
#define PROJECTION_ARRAYS(X)                                                                                           \
    X(g0, nnz) X(g1, nnz) X(dg, nnz) X(before, n) X(mu, m) X(rhs, n + m) X(cp, m * x->problem->n_parameters) \
    X(gt, nnz) X(ct, m) X(sample, nnz + m)
/* clang-format on */

dd_status dd_sens_projection_new(sens_projection **out, dd_context *ctx, const dd_problem *problem)
{
    *out = NULL;
    sens_projection *x = dd_mem_new_array(ctx, 1, sizeof *x);
    if (!x) {
        return DD_OUT_OF_MEMORY;
    }
    x->ctx = ctx;
    x->problem = problem;
    x->n = problem->n;
    x->m = problem->n_invariants;
    const size_t n = x->n, m = x->m, nnz = problem->invariant_pattern.ptr[n];
    bool all = true;
#define PROJECTION_NEW(field, length)                                                                                  \
    x->field = dd_mem_new_array(ctx, (length) + 1, sizeof(double));                                                    \
    all = all && x->field;
    PROJECTION_ARRAYS(PROJECTION_NEW)
#undef PROJECTION_NEW
    x->entry = dd_mem_new_array(ctx, n + 2 * nnz + 1, sizeof *x->entry);
    dd_status st = all && x->entry ? build_matrix(x) : DD_OUT_OF_MEMORY;
    if (st != DD_OK) {
        dd_sens_projection_free(x);
        return st;
    }
    *out = x;
    return DD_OK;
}

void dd_sens_projection_free(sens_projection *x)
{
    if (!x) {
        return;
    }
    const size_t n = x->n, m = x->m, nnz = x->problem->invariant_pattern.ptr[n];
#define PROJECTION_FREE(field, length) dd_mem_free(x->ctx, x->field, ((length) + 1) * sizeof(double));
    PROJECTION_ARRAYS(PROJECTION_FREE)
#undef PROJECTION_FREE
    dd_mem_free(x->ctx, x->entry, (n + 2 * nnz + 1) * sizeof *x->entry);
    dd_csc_free(x->ctx, &x->matrix);
    dd_pencil_free(x->solver);
    dd_mem_free(x->ctx, x, sizeof *x);
}

static double scale_of(const sens_projection *x, const double *d, uint32_t j)
{
    return x->problem->differential[j] ? d[j] : 0.0;
}

static dd_step_verdict factor(sens_projection *x, const double *d)
{
    const dd_csc *pattern = &x->problem->invariant_pattern;
    const uint32_t n = x->n, nnz = pattern->ptr[n];
    for (uint32_t j = 0; j < n; j++) {
        const double dj = scale_of(x, d, j);
        x->matrix.val[x->entry[j]] = 1.0;
        for (uint32_t k = pattern->ptr[j]; k < pattern->ptr[j + 1]; k++) {
            x->matrix.val[x->entry[n + k]] = -dj * x->g0[k];
            x->matrix.val[x->entry[n + nnz + k]] = dj * x->g1[k];
        }
    }
    bool singular;
    uint32_t column;
    if (!dd_all_finite(x->matrix.val, x->matrix.ptr[n + x->m])) {
        return DD_STEP_NONFINITE;
    }
    dd_status st = dd_pencil_factor(x->solver, 0, 0, x->matrix.val, x->matrix.val, &singular, &column);
    return st != DD_OK ? DD_STEP_OUT_OF_MEMORY : singular ? DD_STEP_SINGULAR : DD_STEP_OK;
}

static void find_multipliers(sens_projection *x, const double *d, const double *shift)
{
    /* mu from D G^T mu = D^-1 (e1 - e0) */
    for (uint32_t j = 0; j < x->n; j++) {
        x->rhs[j] = x->problem->differential[j] ? -shift[j] / d[j] : 0.0;
    }
    memset(x->rhs + x->n, 0, x->m * sizeof *x->rhs);
    dd_pencil_solve(x->solver, x->rhs, NULL);
    memcpy(x->mu, x->rhs + x->n, x->m * sizeof *x->mu);
}

/* dD_j/dp, where D_j depends on |w_j|; s, s_old: dw_j/dp at the end before projection and at the start of the step */
static double scale_change(const sens_projection *x, const dd_step_record *r, uint32_t j, double s, double s_old)
{
    /* the larger of both ends determines the weight, where both do */
    const bool end = r->scale_both && fabs(x->before[j]) > fabs(r->old[j]);
    const double w = end ? x->before[j] : r->old[j], change = end ? s : s_old;
    /* sqrt(w^2 + floor^2) for given steps, |w| otherwise */
    if (r->scale_floor) {
        return r->scale_slope * change * w / r->scale[j];
    }
    return r->scale_slope * change * (w < 0 ? -1.0 : w > 0 ? 1.0 : 0.0);
}

/* shift := D q for the column s of parameter p */
static void differentiate(sens_projection *x, const dd_step_record *r, double t, uint32_t p, double moment,
                          const double *s, const double *s_old, double *shift)
{
    const dd_problem *problem = x->problem;
    const double *d = r->scale;
    const dd_csc *pattern = &problem->invariant_pattern;
    /* dG along de0 and with p, and with the time where that moves */
    problem->invariant_change(problem->user, t, x->before, s, p, x->dg);
    for (uint32_t k = 0; k < pattern->ptr[x->n] && moment != 0; k++) {
        x->dg[k] += moment * x->gt[k];
    }
    /* second block of rows: -(G1 de0 + dc/dp) */
    for (uint32_t k = 0; k < x->m; k++) {
        x->rhs[x->n + k] = -x->cp[(size_t)p * x->m + k] - (moment != 0 ? moment * x->ct[k] : 0.0);
    }
    /* first block: D dG^T mu, and the change of the weights */
    for (uint32_t j = 0; j < x->n; j++) {
        double sum = 0;
        for (uint32_t k = pattern->ptr[j]; k < pattern->ptr[j + 1]; k++) {
            sum += x->dg[k] * x->mu[pattern->idx[k]];
            x->rhs[x->n + pattern->idx[k]] -= x->g1[k] * s[j];
        }
        x->rhs[j] = scale_of(x, d, j) * sum;
        if (problem->differential[j]) {
            x->rhs[j] += 2 * scale_change(x, r, j, s[j], s_old[j]) * r->shift[j] / (d[j] * d[j]);
        }
    }
    dd_pencil_solve(x->solver, x->rhs, NULL);
    for (uint32_t j = 0; j < x->n; j++) {
        shift[j] = scale_of(x, d, j) * x->rhs[j];
    }
}

/* The matrices of the projection that r describes; w: after it. */
static dd_step_verdict prepare(sens_projection *x, const dd_step_record *r, double t, const double *w)
{
    const dd_problem *p = x->problem;
    /* the point before projection */
    for (uint32_t j = 0; j < x->n; j++) {
        x->before[j] = w[j] - r->shift[j];
    }
    p->invariant_jacobian(p->user, t, x->before, x->g0);
    p->invariant_jacobian(p->user, t, w, x->g1);
    p->invariant_derivatives(p->user, t, w, x->cp);
    dd_step_verdict v = factor(x, r->scale);
    if (v == DD_STEP_OK) {
        find_multipliers(x, r->scale, r->shift);
    }
    return v;
}

/* G_t and c_t, from times within the step from t_old to t */
static void find_time_rates(sens_projection *x, double t_old, double t, const double *w)
{
    const dd_problem *p = x->problem;
    const uint32_t nnz = p->invariant_pattern.ptr[x->n];
    const dd_stencil d = dd_stencil_new(t_old, t, t);
    memset(x->gt, 0, nnz * sizeof *x->gt);
    memset(x->ct, 0, x->m * sizeof *x->ct);
    /* G_t and c_t in one pass over the times */
    for (int i = 0; i < DD_STENCIL; i++) {
        if (d.weight[i] == 0) {
            continue;
        }
        p->invariant_jacobian(p->user, d.at[i], x->before, x->sample);
        for (uint32_t k = 0; k < nnz; k++) {
            x->gt[k] += d.weight[i] * x->sample[k];
        }
        p->invariants(p->user, d.at[i], w, x->sample);
        for (uint32_t k = 0; k < x->m; k++) {
            x->ct[k] += d.weight[i] * x->sample[k];
        }
    }
}

dd_step_verdict dd_sens_project(dd_sens *q, double t, const double *w)
{
    dd_step_verdict v = prepare(q->projection, &q->record, t, w);
    if (q->moving) {
        find_time_rates(q->projection, q->t_old, t, w);
    }
    for (uint32_t k = 0; k < q->np && v == DD_STEP_OK; k++) {
        const size_t at = (size_t)k * q->n;
        differentiate(q->projection, &q->record, t, k, sens_moment(q, 0, k), q->s + at, q->s_old + at, q->shift + at);
    }
    return v;
}

/* follow: along the moment of the step's end */
static dd_step_verdict move(dd_sens *q, double t, const double *w, const double *shift, const double *scale,
                            bool follow, double *s)
{
    const dd_step_record r = {.shift = shift, .scale = scale, .old = w, .scale_slope = 0};
    dd_step_verdict v = prepare(q->projection, &r, t, w);
    if (follow && q->moving) {
        find_time_rates(q->projection, q->t_old, t, w);
    }
    for (uint32_t k = 0; k < q->np && v == DD_STEP_OK; k++) {
        double *column = s + (size_t)k * q->n;
        differentiate(q->projection, &r, t, k, follow ? sens_moment(q, 0, k) : 0.0, column, column, q->point);
        for (uint32_t j = 0; j < q->n; j++) {
            column[j] += q->point[j];
        }
    }
    return v;
}

dd_step_verdict dd_sens_move(dd_sens *q, double t, const double *w, const double *shift, const double *scale, double *s)
{
    return move(q, t, w, shift, scale, false, s);
}

dd_step_verdict dd_sens_moved(dd_sens *q, double t, const double *w, const double *shift, const double *scale)
{
    const dd_step_verdict v = q->projection ? move(q, t, w, shift, scale, true, q->s) : DD_STEP_OK;
    if (q->inputs == 1) { /* of a history the newest entry alone moves, by what is below the tolerance */
        memcpy(q->y, q->s, q->block * sizeof *q->s);
    }
    return v;
}
