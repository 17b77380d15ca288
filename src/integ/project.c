/* project.c - dw = -D^2 G^T (G D^2 G^T)^-1 c, repeated with the same factors: simplified Gauss-Newton.
 *
 * Few invariants: the matrix G D^2 G^T dense. Many: the augmented system [D^-2 G^T; G 0] by KLU.
 * First integrals are kept where that is possible: where they depend on the invariants, these alone are kept. */
#include "integ/project.h"

#include <math.h>
#include <string.h>

#include "base/context.h"
#include "base/vector.h"
#include "la/linsolver.h"
#include "la/small.h"
#include "nls/corrections.h"

enum { MOST_DENSE = DD_PROJECT_DENSE };
static const double NOTHING = 1e-9; /* a correction, in units of the tolerance */
static const double CLOSE = 1e-2;   /* the last one of an iteration that converged, in the same units */

struct dd_projector {
    dd_context *ctx;
    const dd_problem *problem;
    bool keeping;  /* first integrals too */
    uint32_t n, m; /* m: rows in use now, */
    uint32_t most; /* at most */
    const dd_csc *pattern;
    double *g;      /* values on the pattern */
    double *c;      /* m */
    double *before; /* n: keeping, where it began */
    double *step;   /* n + m: right-hand side and solution */
    double *normal; /* m x m, leading dimension dd_small_ld(m) */
    int32_t *pivot;
    dd_csc augmented;
    uint32_t *entry; /* position in augmented of: n diagonals, then G^T, then G */
    dd_linsolver *solver;
};

static dd_status build_augmented(dd_projector *p)
{
    const dd_csc *pattern = p->pattern;
    uint32_t n = p->n, nnz = pattern->ptr[n], count = n + 2 * nnz, at = 0;
    uint32_t *row = dd_mem_new_array(p->ctx, count + 1, sizeof *row);
    uint32_t *col = dd_mem_new_array(p->ctx, count + 1, sizeof *col);
    double *val = dd_mem_new_array(p->ctx, count + 1, sizeof *val);
    p->entry = dd_mem_new_array(p->ctx, count + 1, sizeof *p->entry);
    dd_status st = row && col && val && p->entry ? DD_OK : DD_OUT_OF_MEMORY;
    /* [D^-2 G^T; G 0]: the diagonal, G^T above, G below, with the place of each entry */
    if (st == DD_OK) {
        for (; at < n; at++) {
            row[at] = col[at] = at;
        }
        for (int transposed = 1; transposed >= 0; transposed--) {
            for (uint32_t j = 0; j < n; j++) {
                for (uint32_t k = pattern->ptr[j]; k < pattern->ptr[j + 1]; k++, at++) {
                    row[at] = transposed ? j : n + pattern->idx[k];
                    col[at] = transposed ? n + pattern->idx[k] : j;
                }
            }
        }
        st = dd_csc_from_triplets(&p->augmented, p->ctx, n + p->m, n + p->m, &(dd_triplets){count, row, col, val},
                                  p->entry);
    }
    dd_mem_free(p->ctx, row, (count + 1) * sizeof *row);
    dd_mem_free(p->ctx, col, (count + 1) * sizeof *col);
    dd_mem_free(p->ctx, val, (count + 1) * sizeof *val);
    if (st == DD_OK) {
        st = dd_linsolver_new(&p->solver, p->ctx, "klu");
    }
    return st == DD_OK ? dd_linsolver_analyse(p->solver, &p->augmented) : st;
}

static dd_status new_projector(dd_projector **out, dd_context *ctx, const dd_problem *problem, bool keeping)
{
    *out = NULL;
    if (problem->n_invariants == 0 && !keeping) {
        return DD_OK;
    }
    dd_projector *p = dd_mem_new_array(ctx, 1, sizeof *p);
    if (!p) {
        return DD_OUT_OF_MEMORY;
    }
    p->ctx = ctx;
    p->problem = problem;
    p->n = problem->n;
    p->keeping = keeping;
    p->m = p->most = keeping ? problem->n_kept : problem->n_invariants;
    p->pattern = keeping ? &problem->kept_pattern : &problem->invariant_pattern;
    /* few rows: normal equations; many: the augmented matrix, which stays sparse */
    size_t m = p->m;
    p->g = dd_mem_new_array(ctx, p->pattern->ptr[p->n] + 1, sizeof *p->g);
    p->c = dd_mem_new_array(ctx, m, sizeof *p->c);
    p->before = dd_mem_new_array(ctx, p->n + 1, sizeof *p->before);
    p->step = dd_mem_new_array(ctx, p->n + m, sizeof *p->step);
    dd_status st = p->g && p->c && p->before && p->step ? DD_OK : DD_OUT_OF_MEMORY;
    if (st == DD_OK && m <= MOST_DENSE) {
        p->normal = dd_mem_new_array(ctx, m * dd_small_ld(p->m), sizeof *p->normal);
        p->pivot = dd_mem_new_array(ctx, m, sizeof *p->pivot);
        st = p->normal && p->pivot ? DD_OK : DD_OUT_OF_MEMORY;
    } else if (st == DD_OK) {
        st = build_augmented(p);
    }
    if (st != DD_OK) {
        dd_projector_free(p);
        return st;
    }
    *out = p;
    return DD_OK;
}

dd_status dd_projector_new(dd_projector **out, dd_context *ctx, const dd_problem *problem)
{
    return new_projector(out, ctx, problem, false);
}

dd_status dd_projector_new_keeping(dd_projector **out, dd_context *ctx, const dd_problem *problem)
{
    return new_projector(out, ctx, problem, problem->n_kept > 0);
}

void dd_projector_free(dd_projector *p)
{
    if (!p) {
        return;
    }
    size_t m = p->most, nnz = p->pattern->ptr[p->n];
    dd_mem_free(p->ctx, p->g, (nnz + 1) * sizeof *p->g);
    dd_mem_free(p->ctx, p->c, m * sizeof *p->c);
    dd_mem_free(p->ctx, p->step, (p->n + m) * sizeof *p->step);
    dd_mem_free(p->ctx, p->before, (p->n + 1) * sizeof *p->before);
    dd_mem_free(p->ctx, p->normal, m * dd_small_ld(p->most) * sizeof *p->normal);
    dd_mem_free(p->ctx, p->pivot, m * sizeof *p->pivot);
    dd_mem_free(p->ctx, p->entry, (p->n + 2 * nnz + 1) * sizeof *p->entry);
    dd_csc_free(p->ctx, &p->augmented);
    dd_linsolver_free(p->solver);
    dd_mem_free(p->ctx, p, sizeof *p);
}

/* The entries of column j, from ptr[j] on, that are in rows in use: rows are in order. */
static uint32_t entries_of(const dd_projector *p, uint32_t j)
{
    uint32_t end = p->pattern->ptr[j + 1];
    while (end > p->pattern->ptr[j] && p->pattern->idx[end - 1] >= p->m) {
        end--;
    }
    return end;
}

static bool factor_normal(dd_projector *p, const double *d)
{
    const dd_csc *pattern = p->pattern;
    size_t m = p->m, ld = dd_small_ld(p->m);
    memset(p->normal, 0, m * ld * sizeof *p->normal);
    /* sum_j d_j^2 G_kj G_qj over differential unknowns: z is not moved */
    for (uint32_t j = 0; j < p->n; j++) {
        double d2 = p->problem->differential[j] ? d[j] * d[j] : 0.0;
        const uint32_t end = entries_of(p, j);
        for (uint32_t k = pattern->ptr[j]; k < end; k++) {
            for (uint32_t q = pattern->ptr[j]; q < end; q++) {
                p->normal[pattern->idx[k] * ld + pattern->idx[q]] += p->g[k] * p->g[q] * d2;
            }
        }
    }
    uint32_t failed;
    return dd_small_factor(p->m, p->normal, p->pivot, &failed);
}

/* Rows scaled by D: [I D G^T; G D 0], so that only G D carries numbers. */
static bool factor_augmented(dd_projector *p, const double *d)
{
    const dd_csc *pattern = p->pattern;
    uint32_t nnz = pattern->ptr[p->n];
    /* in the unknowns D^-1 dw the matrix has ones on its diagonal */
    for (uint32_t j = 0; j < p->n; j++) {
        p->augmented.val[p->entry[j]] = 1.0;
        double dj = p->problem->differential[j] ? d[j] : 0.0;
        for (uint32_t k = pattern->ptr[j]; k < pattern->ptr[j + 1]; k++) {
            p->augmented.val[p->entry[p->n + k]] = p->g[k] * dj;
            p->augmented.val[p->entry[p->n + nnz + k]] = p->g[k] * dj;
        }
    }
    return dd_linsolver_refactor(p->solver, &p->augmented) == DD_OK && !dd_linsolver_get_info(p->solver).singular;
}

/* dw of one step, from c. */
static void solve_step(dd_projector *p, const double *d, double *dw)
{
    const dd_csc *pattern = p->pattern;
    /* dw = -D^2 G^T lambda with (G D^2 G^T) lambda = c */
    if (p->most <= MOST_DENSE) {
        memcpy(p->step, p->c, p->m * sizeof *p->c);
        dd_small_solve(p->m, p->normal, p->pivot, p->step);
        for (uint32_t j = 0; j < p->n; j++) {
            double sum = 0;
            for (uint32_t k = pattern->ptr[j], end = entries_of(p, j); k < end; k++) {
                sum += p->g[k] * p->step[pattern->idx[k]];
            }
            dw[j] = p->problem->differential[j] ? -sum * d[j] * d[j] : 0.0;
        }
        return;
    }
    /* the augmented right-hand side is (0, -c), its solution D^-1 dw and the multipliers */
    memset(p->step, 0, p->n * sizeof *p->step);
    for (uint32_t k = 0; k < p->m; k++) {
        p->step[p->n + k] = -p->c[k];
    }
    dd_linsolver_solve(p->solver, 1, p->step);
    for (uint32_t j = 0; j < p->n; j++) {
        dw[j] = p->problem->differential[j] ? p->step[j] * d[j] : 0.0;
    }
}

/* Values of the rows in use: the largest that is left, and of the invariants among them. */
static double look_at(dd_projector *p, double t, const double *w, dd_projection *out)
{
    const dd_problem *q = p->problem;
    (p->keeping ? q->kept : q->invariants)(q->user, t, w, p->c);
    double left = 0;
    out->violation = 0;
    /* invariants come first, kept integrals behind them */
    for (uint32_t k = 0; k < p->m; k++) {
        left = fabs(p->c[k]) <= left ? left : fabs(p->c[k]);
        if (k < q->n_invariants && !(fabs(p->c[k]) <= out->violation)) {
            out->violation = fabs(p->c[k]);
            out->worst = k;
        }
    }
    return left;
}

static double weighted(const dd_projector *p, const double *dw, const double *d)
{
    double sum = 0;
    uint32_t count = 0;
    for (uint32_t j = 0; j < p->n; j++) {
        if (p->problem->differential[j]) {
            sum += dw[j] / d[j] * (dw[j] / d[j]);
            count++;
        }
    }
    return count > 0 ? sqrt(sum / count) : 0.0;
}

/* ---- the corrections, as nls/corrections.h asks for them ---- */

typedef struct projection_call {
    dd_projector *p;
    double t;
    const double *d;
    dd_projection *out;
    double left; /* the largest residual */
} projection_call;

static int rows_at(void *user, const double *w)
{
    projection_call *call = user;
    call->left = look_at(call->p, call->t, w, call->out);
    return call->left == 0 ? -1 : 0;
}

static int correct(void *user, const double *w, double *dw, double *size)
{
    projection_call *call = user;
    (void)w;
    solve_step(call->p, call->d, dw);
    *size = weighted(call->p, dw, call->d);
    return 0;
}

/* Onto the first p->m rows. */
static dd_projection project(dd_projector *p, double t, double *w, const double *d, uint32_t most, double *dw)
{
    const dd_problem *q = p->problem;
    dd_projection out = {.worst = DD_NO_INDEX};
    projection_call call = {.p = p, .t = t, .d = d, .out = &out};
    memset(dw, 0, p->n * sizeof *dw);
    /* already there: no factorisation */
    if (rows_at(&call, w) < 0) {
        out.converged = true;
        return out;
    }
    /* G at the beginning serves all corrections: simplified Gauss-Newton */
    (p->keeping ? q->kept_jacobian : q->invariant_jacobian)(q->user, t, w, p->g);
    if (!isfinite(call.left) || !(p->most <= MOST_DENSE ? factor_normal(p, d) : factor_augmented(p, d))) {
        return out;
    }
    const dd_corrections c = {.user = &call,
                              .n = p->n,
                              .residual = rows_at,
                              .correct = correct,
                              .dx = p->step + (p->most <= MOST_DENSE ? p->m : 0), /* behind the multipliers */
                              .most = most,
                              .contraction = 0.5,
                              .goal = NOTHING};
    double last;
    const dd_corrections_end end = dd_corrections_run(&c, w, dw, &last);
    /* the residual behind the last correction; where none was made it is known */
    if (end == DD_CORRECTIONS_DONE || end == DD_CORRECTIONS_ALL_USED) {
        rows_at(&call, w);
    }
    out.shift = isfinite(last) ? last : 0;
    out.moved = weighted(p, dw, d);
    out.converged = call.left == 0 || (isfinite(call.left) && last < CLOSE);
    return out;
}

dd_projection dd_project(dd_projector *p, double t, double *w, const double *d, uint32_t most, double *dw)
{
    const uint32_t core = p->problem->n_invariants;
    /* with first integrals where these are independent of the invariants; otherwise without */
    if (p->keeping && p->problem->kept_known) {
        memcpy(p->before, w, p->n * sizeof *w);
        p->m = p->most;
        const dd_projection out = project(p, t, w, d, most, dw);
        if (out.converged) {
            return out;
        }
        memcpy(w, p->before, p->n * sizeof *w);
    }
    p->m = core;
    if (core == 0) {
        memset(dw, 0, p->n * sizeof *dw);
        return (dd_projection){.converged = true, .worst = DD_NO_INDEX};
    }
    return project(p, t, w, d, most, dw);
}

double dd_project_noise(dd_projector *p, double t, const double *w, const double *d)
{
    const dd_problem *q = p->problem;
    double *dw = p->before, *c = p->step; /* the difference of two evaluations */
    p->m = q->n_invariants;
    if (p->m == 0) {
        return 0;
    }
    /* the rows at the next number behind t: what they differ by is known to nobody */
    void (*const rows)(void *, double, const double *, double *) = p->keeping ? q->kept : q->invariants;
    rows(q->user, t, w, p->c);
    memcpy(c, p->c, p->m * sizeof *c);
    rows(q->user, nextafter(t, INFINITY), w, p->c);
    for (uint32_t k = 0; k < p->m; k++) {
        p->c[k] -= c[k];
    }
    /* the move that this means: dw = -D^2 G^T (G D^2 G^T)^-1 dc */
    (p->keeping ? q->kept_jacobian : q->invariant_jacobian)(q->user, t, w, p->g);
    if (!dd_all_finite(p->c, p->m) || !(p->most <= MOST_DENSE ? factor_normal(p, d) : factor_augmented(p, d))) {
        return 0;
    }
    solve_step(p, d, dw);
    const double size = weighted(p, dw, d);
    return isfinite(size) ? size : 0;
}
