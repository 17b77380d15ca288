/* conserve.c - see conserve.h. */
#include "integ/conserve.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "la/small.h"

enum { MOST_SETS = 4 };

/* What belongs to one A. Complex numbers in two arrays; the second are NULL for the real one. */
typedef struct directions {
    double *v[2];      /* k x n: V */
    double *matrix[2]; /* k x k, leading dimension dd_small_ld(k): C^T V */
    int32_t *order;
    bool usable;
} directions;

struct dd_conserve {
    dd_context *ctx;
    const dd_problem *problem;
    uint32_t n, k, sets;
    bool active; /* there is something to correct */
    directions set[MOST_SETS];
    double *sum[2]; /* k */
    double *terms;  /* n */
};

static void free_set(dd_conserve *q, directions *s)
{
    const size_t k = q->k;
    for (uint32_t part = 0; part < 2; part++) {
        dd_mem_free(q->ctx, s->v[part], k * q->n * sizeof(double));
        dd_mem_free(q->ctx, s->matrix[part], k * dd_small_ld(q->k) * sizeof(double));
    }
    dd_mem_free(q->ctx, s->order, k * sizeof *s->order);
}

static bool new_set(dd_conserve *q, directions *s, bool is_complex)
{
    const size_t k = q->k;
    s->order = dd_mem_new_array(q->ctx, k, sizeof *s->order);
    bool all = s->order != NULL;
    for (uint32_t part = 0; part < (is_complex ? 2u : 1u); part++) {
        s->v[part] = dd_mem_new_array(q->ctx, k * q->n, sizeof(double));
        s->matrix[part] = dd_mem_new_array(q->ctx, k * dd_small_ld(q->k), sizeof(double));
        all = all && s->v[part] && s->matrix[part];
    }
    return all;
}

void dd_conserve_free(dd_conserve *q)
{
    if (!q) {
        return;
    }
    for (uint32_t i = 0; i < q->sets; i++) {
        free_set(q, &q->set[i]);
    }
    for (uint32_t part = 0; part < 2; part++) {
        dd_mem_free(q->ctx, q->sum[part], dd_small_ld(q->k) * sizeof(double));
    }
    dd_mem_free(q->ctx, q->terms, q->n * sizeof *q->terms);
    dd_mem_free(q->ctx, q, sizeof *q);
}

dd_status dd_conserve_new(dd_conserve **out, dd_context *ctx, const dd_problem *problem, uint32_t pairs)
{
    *out = NULL;
    if (problem->n_linear == 0) {
        return DD_OK;
    }
    assert(pairs < MOST_SETS);
    dd_conserve *q = dd_mem_new_array(ctx, 1, sizeof *q);
    if (!q) {
        return DD_OUT_OF_MEMORY;
    }
    *q = (dd_conserve){.ctx = ctx, .problem = problem, .n = problem->n, .k = problem->n_linear, .sets = 1 + pairs};
    q->terms = dd_mem_new_array(ctx, q->n, sizeof *q->terms);
    bool all = q->terms != NULL;
    /* room for sums of all integrals; sets of directions for the real matrix and each pair */
    for (uint32_t part = 0; part < 2; part++) {
        q->sum[part] = dd_mem_new_array(ctx, dd_small_ld(q->k), sizeof(double));
        all = all && q->sum[part];
    }
    for (uint32_t i = 0; i < q->sets; i++) {
        all = new_set(q, &q->set[i], i > 0) && all;
    }
    if (!all) {
        dd_conserve_free(q);
        return DD_OUT_OF_MEMORY;
    }
    *out = q;
    return DD_OK;
}

/* c_i^T v */
static double measure(const dd_conserve *q, uint32_t i, const double *v)
{
    const dd_problem *p = q->problem;
    double sum = 0;
    for (uint32_t at = p->linear_ptr[i]; at < p->linear_ptr[i + 1]; at++) {
        sum += p->linear_val[at] * v[p->linear_idx[at]];
    }
    return sum;
}

/* out = N^2 lambda_i; rows without any terms at this point get a little weight. */
static void direction(const dd_conserve *q, uint32_t i, const double *terms, double *out)
{
    const dd_problem *p = q->problem;
    const double little = 1e-6;
    double most = 0;
    memset(out, 0, q->n * sizeof *out);
    /* rows weigh by the size of their terms: rounding errors are as large as these */
    for (uint32_t at = p->linear_row_ptr[i]; at < p->linear_row_ptr[i + 1]; at++) {
        most = fmax(most, terms[p->linear_row[at]]);
    }
    for (uint32_t at = p->linear_row_ptr[i]; at < p->linear_row_ptr[i + 1]; at++) {
        const double part = most > 0 ? fmax(terms[p->linear_row[at]] / most, little) : 1.0;
        out[p->linear_row[at]] = part * part * p->linear_factor[at];
    }
}

/* v + i u to the length 1: nothing overflows. */
static void normalise(uint32_t n, const double *weight, double *v, double *u)
{
    double size = 0;
    /* scaled by the largest entry in the weights */
    for (uint32_t j = 0; j < n; j++) {
        size = fmax(size, fmax(fabs(v[j]), u ? fabs(u[j]) : 0.0) * weight[j]);
    }
    for (uint32_t j = 0; j < n && size > 0; j++) {
        v[j] /= size;
        if (u) {
            u[j] /= size;
        }
    }
}

/* Rounding errors of row i, eps N_i, are off by eps N_i / sigma in c^T x. */
bool dd_conserve_begin(dd_conserve *q, double sigma, const dd_residual_point *point, const double *weight, double part)
{
    const dd_problem *p = q->problem;
    q->active = false;
    dd_residual_terms(p, point, q->terms);
    /* is the rounding noise of the combined rows visible in c^T x, beside the tolerance? */
    for (uint32_t i = 0; i < q->k && !q->active; i++) {
        double noise = 0, scale = 0;
        for (uint32_t at = p->linear_row_ptr[i]; at < p->linear_row_ptr[i + 1]; at++) {
            noise = fmax(noise, fabs(p->linear_factor[at]) * q->terms[p->linear_row[at]]);
        }
        for (uint32_t at = p->linear_ptr[i]; at < p->linear_ptr[i + 1]; at++) {
            scale += fabs(p->linear_val[at]) / weight[p->linear_idx[at]];
        }
        q->active = DBL_EPSILON * noise > part * sigma * scale;
    }
    return q->active;
}

void dd_conserve_update(dd_conserve *q, uint32_t which, dd_pencil *solver, const double *weight)
{
    const size_t ld = dd_small_ld(q->k), n = q->n;
    directions *s = &q->set[which];
    const uint32_t parts = which > 0 ? 2 : 1;
    /* V = A^-1 N^2 lambda: the direction in which rounding errors of the rows move x */
    for (uint32_t i = 0; i < q->k; i++) {
        double *v = s->v[0] + i * n, *u = which > 0 ? s->v[1] + i * n : NULL;
        direction(q, i, q->terms, v);
        if (u) {
            memset(u, 0, n * sizeof *u);
        }
        dd_pencil_solve(solver, v, u);
        normalise(q->n, weight, v, u);
        /* C^T V, to take out combinations of integrals at once */
        for (uint32_t part = 0; part < parts; part++) {
            memset(s->matrix[part] + i * ld, 0, ld * sizeof(double));
            for (uint32_t l = 0; l < q->k; l++) {
                s->matrix[part][i * ld + l] = measure(q, l, part == 0 ? v : u);
            }
        }
    }
    uint32_t failed;
    s->usable = which > 0 ? dd_small_factor_complex(q->k, s->matrix[0], s->matrix[1], s->order, &failed)
                          : dd_small_factor(q->k, s->matrix[0], s->order, &failed);
}

void dd_conserve_apply(dd_conserve *q, double *v, const double *base, double factor)
{
    const directions *s = &q->set[0];
    if (!q->active || !s->usable) {
        return;
    }
    /* v := v - V (C^T V)^-1 (C^T v + factor C^T base) */
    for (uint32_t i = 0; i < q->k; i++) {
        q->sum[0][i] = measure(q, i, v) + (base ? factor * measure(q, i, base) : 0.0);
    }
    dd_small_solve(q->k, s->matrix[0], s->order, q->sum[0]);
    for (uint32_t i = 0; i < q->k; i++) {
        const double *along = s->v[0] + (size_t)i * q->n, part = q->sum[0][i];
        for (uint32_t j = 0; j < q->n; j++) {
            v[j] -= part * along[j];
        }
    }
}

void dd_conserve_apply_pair(dd_conserve *q, uint32_t which, double *v, double *u)
{
    const directions *s = &q->set[which];
    if (!q->active || !s->usable) {
        return;
    }
    /* the same in complex arithmetic */
    for (uint32_t i = 0; i < q->k; i++) {
        q->sum[0][i] = measure(q, i, v);
        q->sum[1][i] = measure(q, i, u);
    }
    dd_small_solve_complex(q->k, s->matrix[0], s->matrix[1], s->order, q->sum[0], q->sum[1]);
    for (uint32_t i = 0; i < q->k; i++) {
        const double *x = s->v[0] + (size_t)i * q->n, *y = s->v[1] + (size_t)i * q->n;
        const double re = q->sum[0][i], im = q->sum[1][i];
        for (uint32_t j = 0; j < q->n; j++) {
            v[j] -= re * x[j] - im * y[j];
            u[j] -= re * y[j] + im * x[j];
        }
    }
}

/* One after the other: integrals that share unknowns are held as well as rounding lets them in a few steps. */
void dd_conserve_hold(dd_conserve *q, double *w, const double *weight)
{
    const dd_problem *p = q->problem;
    /* smallest change in the weights that restores c^T x */
    for (uint32_t i = 0; p->linear_known && i < q->k; i++) {
        const double off = measure(q, i, w) - p->linear_start[i];
        double sum = 0;
        for (uint32_t at = p->linear_ptr[i]; at < p->linear_ptr[i + 1]; at++) {
            const double c = p->linear_val[at] / weight[p->linear_idx[at]];
            sum += c * c;
        }
        for (uint32_t at = p->linear_ptr[i]; at < p->linear_ptr[i + 1] && sum > 0; at++) {
            const uint32_t j = p->linear_idx[at];
            w[j] -= off / sum * p->linear_val[at] / (weight[j] * weight[j]);
        }
    }
}
