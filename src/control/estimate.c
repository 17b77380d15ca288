/* estimate.c - least squares with constraints at one time. */
#include "control/estimate.h"

#include <math.h>
#include <string.h>

#include "base/context.h"
#include "la/dense.h"
#include "la/lapack.h"

#define MOST_STEPS 25   /* Gauss and Newton's method from a good prediction needs a handful */
#define SETTLED 1e-11   /* relative to the sizes of the unknowns: a step of this size is rounding */
#define REST 1e-10      /* weight of the distance to the prediction: it decides only what nothing else does */
#define HOLDS 1e-8      /* of the constraints' residual at the end, in expected sizes */
#define OPEN_RANK 1e-10 /* relative: singular values below are zero */

static double size_of(const dd_estimator *e, uint32_t i)
{
    const dd_ocp_problem *o = e->o;
    const dd_decision *d = i < o->x.len ? &o->x.data[i] : &o->z.data[i - o->x.len];
    return d->scale;
}

dd_estimator *dd_estimator_new(dd_ocp_problem *o, const dd_named_vec *measured, const double *noise, dd_pool *pool)
{
    dd_estimator *e = dd_pool_alloc(pool, sizeof *e);
    *e = (dd_estimator){.o = o, .ctx = dd_pool_context(pool), .measured = *measured};
    e->n = o->x.len + o->z.len;
    e->m = o->equations->invariants.len + o->g.len;
    /* what is measured, in x, z, u and time; then what must hold */
    dd_expr *h = dd_pool_alloc_array(pool, measured->len + 1, sizeof *h);
    dd_expr *rows = dd_pool_alloc_array(pool, (size_t)e->m + 1, sizeof *rows);
    e->sigma = dd_pool_alloc_array(pool, measured->len + 1, sizeof *e->sigma);
    for (uint32_t i = 0; i < measured->len; i++) {
        const uint32_t var = measured->data[i].var, column = o->system->column[var];
        h[i] = dd_ocp_resolve(o, dd_model_symbol(o->model, var));
        const double size = column != DD_NO_INDEX ? o->system->size[column] : 1;
        e->sigma[i] = noise[i] > 0 ? noise[i] : size;
    }
    for (uint32_t i = 0; i < e->m; i++) {
        const uint32_t c = o->equations->invariants.len;
        rows[i] = i < c ? dd_ocp_resolve(o, o->equations->invariants.data[i]) : o->g.data[i - c];
    }
    e->h = dd_local_function_new(o, h, measured->len, pool);
    e->rows = dd_local_function_new(o, rows, e->m, pool);
    const size_t all = (size_t)e->n + e->m;
    e->w = dd_pool_alloc_array(pool, e->n + 1, sizeof(double));
    e->before = dd_pool_alloc_array(pool, e->n + 1, sizeof(double));
    e->value = dd_pool_alloc_array(pool, measured->len + 1, sizeof(double));
    e->slope = dd_pool_alloc_array(pool, (size_t)measured->len * e->n + 1, sizeof(double));
    e->row_value = dd_pool_alloc_array(pool, (size_t)e->m + 1, sizeof(double));
    e->row_slope = dd_pool_alloc_array(pool, (size_t)e->m * e->n + 1, sizeof(double));
    e->kkt = dd_pool_alloc_array(pool, all * all + 1, sizeof(double));
    e->right = dd_pool_alloc_array(pool, all + 1, sizeof(double));
    e->pivot = dd_pool_alloc_array(pool, all + 1, sizeof *e->pivot);
    return e;
}

void dd_estimator_set(dd_estimator *e, const double *parameter)
{
    dd_local_function_set(e->h, parameter);
    dd_local_function_set(e->rows, parameter);
}

const char *dd_estimator_open_state(dd_estimator *e, double time, const double *u, dd_pool *pool)
{
    const uint32_t rows = e->measured.len + e->m;
    double *a = dd_pool_alloc_array(pool, (size_t)rows * e->n + 1, sizeof *a);
    double *null = dd_pool_alloc_array(pool, (size_t)e->n * e->n + 1, sizeof *null);
    dd_local_function_eval(e->h, time, e->w, u, e->value, e->slope);
    dd_local_function_eval(e->rows, time, e->w, u, e->row_value, e->row_slope);
    /* columns in expected sizes */
    for (uint32_t j = 0; j < e->n; j++) {
        for (uint32_t i = 0; i < rows; i++) {
            const double slope = i < e->measured.len ? e->slope[(size_t)i * e->n + j] / e->sigma[i]
                                                     : e->row_slope[(size_t)(i - e->measured.len) * e->n + j];
            a[(size_t)j * rows + i] = slope * size_of(e, j);
        }
    }
    dd_rank_info info;
    const dd_dense matrix = {rows, e->n, a, rows > 0 ? rows : 1};
    const dd_status st = dd_rank_dense(&info, e->ctx, &matrix, OPEN_RANK, NULL, NULL, null);
    if (st == DD_OUT_OF_MEMORY) {
        dd_raise(e->ctx, st, NULL);
    }
    if (st != DD_OK || info.rank == e->n) {
        return NULL;
    }
    /* the state with the largest part in what is left open */
    uint32_t most = 0;
    double part = -1;
    for (uint32_t j = 0; j < e->o->x.len; j++) {
        double sum = 0;
        for (uint32_t k = 0; k < e->n - info.rank; k++) {
            sum += null[(size_t)k * e->n + j] * null[(size_t)k * e->n + j];
        }
        most = sum > part ? j : most;
        part = fmax(sum, part);
    }
    return dd_model_var_name_dup(e->o->model, e->o->x.data[most].var, pool);
}

/* [J^T S J + rest, A^T; A, 0] and its right-hand side at e->w; y NULL: only onto the constraints. */
static void fill_system(dd_estimator *e, double time, const double *u, const double *y)
{
    const uint32_t n = e->n, m = e->m, all = n + m;
    dd_local_function_eval(e->h, time, e->w, u, e->value, e->slope);
    dd_local_function_eval(e->rows, time, e->w, u, e->row_value, e->row_slope);
    memset(e->kkt, 0, (size_t)all * all * sizeof *e->kkt);
    memset(e->right, 0, all * sizeof *e->right);
    for (uint32_t j = 0; j < n;
         j++) { /* onto the constraints: the states stay near; algebraic variables follow from them */
        const bool stays = y == NULL && j < e->o->x.len;
        e->kkt[(size_t)j * all + j] = (stays ? 1 : REST) / (size_of(e, j) * size_of(e, j));
    }
    for (uint32_t i = 0; y != NULL && i < e->measured.len; i++) {
        if (!isfinite(y[i])) {
            continue; /* missing */
        }
        const double weight = 1 / (e->sigma[i] * e->sigma[i]), *row = e->slope + (size_t)i * n;
        for (uint32_t j = 0; j < n; j++) {
            for (uint32_t k = 0; k < n && row[j] != 0; k++) {
                e->kkt[(size_t)k * all + j] += weight * row[j] * row[k];
            }
            e->right[j] -= weight * row[j] * (e->value[i] - y[i]);
        }
    }
    for (uint32_t i = 0; i < m; i++) {
        for (uint32_t j = 0; j < n; j++) {
            const double a = e->row_slope[(size_t)i * n + j];
            e->kkt[(size_t)j * all + n + i] = e->kkt[(size_t)(n + i) * all + j] = a;
        }
        e->right[n + i] = -e->row_value[i];
    }
}

/* Steps until they are rounding; false: they do not settle. */
static bool iterate(dd_estimator *e, double time, const double *u, const double *y)
{
    const int all = (int)(e->n + e->m), one = 1;
    for (e->iterations = 0; e->iterations < MOST_STEPS; e->iterations++) {
        int info;
        double step = 0;
        fill_system(e, time, u, y);
        dgetrf_(&all, &all, e->kkt, &all, e->pivot, &info);
        if (info != 0) {
            return false;
        }
        dgetrs_("N", &all, &one, e->kkt, &all, e->pivot, e->right, &all, &info, 1);
        for (uint32_t j = 0; j < e->n; j++) {
            e->w[j] += e->right[j];
            step = fmax(step, fabs(e->right[j]) / fmax(size_of(e, j), fabs(e->w[j])));
        }
        if (!isfinite(step)) {
            return false;
        }
        if (step <= SETTLED) {
            break;
        }
    }
    /* it may crawl at the level of the noise: what counts is that the constraints hold */
    double residual = 0;
    dd_local_function_eval(e->rows, time, e->w, u, e->row_value, NULL);
    for (uint32_t i = 0; i < e->m; i++) {
        residual = fmax(residual, fabs(e->row_value[i]));
    }
    return residual <= HOLDS;
}

bool dd_estimator_find(dd_estimator *e, double time, const double *u, const double *y)
{
    memcpy(e->before, e->w, e->n * sizeof *e->w);
    if (y != NULL && iterate(e, time, u, y)) {
        return true;
    }
    memcpy(e->w, e->before, e->n * sizeof *e->w);
    if (!iterate(e, time, u, NULL)) {
        memcpy(e->w, e->before, e->n * sizeof *e->w);
    }
    return y == NULL;
}
