/* mhe_arrival.c - the prior of the first sample of a window, and its step to the next one.
 *
 *     update    v = mean + K (y - h(v*) - H (mean - v*)),     P = (I - K H) P           measurements of the sample that leaves
 *     step      v = v2* + F (v - v*) - G w*,                  P = F P F^T + G Q G^T     Q = sigma^2/dt
 *
 * with H, F, G at the solution v*, w*, v2* of the window. F and G follow from the collocation equations of one interval. The
 * invariants hold, so P lives on the null space of their slopes, with the basis T: A = T (T^T P T)^-1 T^T.
 */
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "control/mhe.h"
#include "la/dense.h"
#include "la/lapack.h"

#define RANK 1e-9        /* relative: smaller singular values of the invariants' slopes are zero */
#define LEAST_PART 1e-12 /* of a variance: what other variables leave open of it is no smaller; rounding is */

void dd_arrival_new(dd_mhe *m)
{
    const dd_ocp_problem *o = m->o;
    dd_arrival *a = &m->arrival;
    const uint32_t n = o->x.len + o->p.len, ny = m->window.n_measured, nw = o->x.len + o->z.len + o->p.len;
    const size_t square = (size_t)n * n + 1, points = (size_t)m->degree * (o->x.len + o->z.len);
    const uint32_t rows = ny > m->c->n_out ? ny : m->c->n_out;
    *a = (dd_arrival){.n = n, .n_measured = ny};
    /* covariances and bases of states and parameters */
    double **const squares[] = {&a->p, &a->a, &a->null, &a->basis, &a->small, &a->f};
    for (size_t i = 0; i < sizeof squares / sizeof *squares; i++) {
        *squares[i] = dd_pool_alloc_array(m->pool, square, sizeof(double));
    }
    a->mean = dd_pool_alloc_array(m->pool, n + 1, sizeof(double));
    a->row = dd_pool_alloc_array(m->pool, n + 1, sizeof(double));
    a->star = dd_pool_alloc_array(m->pool, n + 1, sizeof(double));
    a->gain = dd_pool_alloc_array(m->pool, n + 1, sizeof(double));
    a->packed = dd_pool_alloc_array(m->pool, n + square, sizeof(double));
    /* slopes of one interval, eliminated to its ends */
    a->g = dd_pool_alloc_array(m->pool, (size_t)n * o->u.len + 1, sizeof(double));
    a->jacobian = dd_pool_alloc_array(m->pool, m->t->nlp->jacobian_nnz + 1, sizeof(double));
    a->matrix = dd_pool_alloc_array(m->pool, points * points + 1, sizeof(double));
    a->right = dd_pool_alloc_array(m->pool, points * (n + o->u.len) + 1, sizeof(double));
    a->slope = dd_pool_alloc_array(m->pool, (size_t)rows * nw + 1, sizeof(double));
    a->value = dd_pool_alloc_array(m->pool, rows + 1, sizeof(double));
    /* invariants, in whose null space the covariance lives */
    a->invariant = dd_pool_alloc_array(m->pool, (size_t)m->c->n_out * n + 1, sizeof(double));
    a->null_work = dd_pool_alloc_array(m->pool, dd_null_work(m->c->n_out, n), sizeof(double));
    a->null_pivot = dd_pool_alloc_array(m->pool, m->c->n_out + 1, sizeof *a->null_pivot);
    a->rows = dd_pool_alloc_array(m->pool, m->t->nlp->m + 1, sizeof(double));
    a->row_of = dd_pool_alloc_array(m->pool, m->t->nlp->m + 1, sizeof *a->row_of);
    a->pivot = dd_pool_alloc_array(m->pool, points + n + 1, sizeof *a->pivot);
}

/* ---- the tangent space ---- */

/* An orthonormal basis of it at the point in m->w, m->u into a->null, n rows; how many vectors. Raises. */
static uint32_t tangent(dd_mhe *m, double time)
{
    const dd_ocp_problem *o = m->o;
    dd_arrival *a = &m->arrival;
    const uint32_t n = a->n, nc = m->c->n_out, nx = o->x.len, nw = m->c->n_in;
    dd_local_function_eval(m->c, time, m->w, m->u, a->value, a->slope);
    for (uint32_t j = 0; j < n; j++) {
        const uint32_t from = j < nx ? j : j + o->z.len;
        const double scale = j < nx ? o->x.data[j].scale : o->p.data[j - nx].scale;
        for (uint32_t i = 0; i < nc; i++) {
            a->invariant[(size_t)j * nc + i] = a->slope[(size_t)i * nw + from] * scale;
        }
    }
    for (size_t i = 0; i < (size_t)n * nc; i++) {
        if (!isfinite(a->invariant[i])) {
            dd_raise(m->ctx, DD_INVALID_ARGUMENT, "mhe: a constraint of the model has no slope at time %.10g", time);
        }
    }
    return dd_null_dense(a->invariant, nc, n, RANK, a->null, a->null_work, a->null_pivot);
}

/* out = T^T S T (k by k), S symmetric n by n. */
static void reduce(const dd_arrival *a, const double *s, uint32_t k, double *out, double *work)
{
    const uint32_t n = a->n;
    for (uint32_t c = 0; c < k; c++) {
        const double *t = a->null + (size_t)c * n;
        for (uint32_t i = 0; i < n; i++) {
            work[i] = 0;
            for (uint32_t j = 0; j < n; j++) {
                work[i] += s[(size_t)j * n + i] * t[j];
            }
        }
        for (uint32_t r = 0; r < k; r++) {
            double sum = 0;
            for (uint32_t i = 0; i < n; i++) {
                sum += a->null[(size_t)r * n + i] * work[i];
            }
            out[(size_t)c * k + r] = sum;
        }
    }
}

/* out = T S T^T (n by n), S symmetric k by k. */
static void expand(const dd_arrival *a, const double *s, uint32_t k, double *out)
{
    const uint32_t n = a->n;
    memset(out, 0, (size_t)n * n * sizeof *out);
    for (uint32_t c = 0; c < k; c++) {
        for (uint32_t r = 0; r < k; r++) {
            const double value = s[(size_t)c * k + r], *left = a->null + (size_t)r * n,
                         *right = a->null + (size_t)c * n;
            for (uint32_t j = 0; j < n && value != 0; j++) {
                for (uint32_t i = 0; i < n; i++) {
                    out[(size_t)j * n + i] += left[i] * value * right[j];
                }
            }
        }
    }
}

/* Cholesky's factors of a symmetric k by k matrix with a diagonal of one, in its lower triangle. Pivots that are rounding are
 * raised: a variance is never less than that. */
static void cholesky(double *s, uint32_t k)
{
    for (uint32_t j = 0; j < k; j++) {
        for (uint32_t i = j; i < k; i++) {
            double sum = s[(size_t)j * k + i];
            for (uint32_t l = 0; l < j; l++) {
                sum -= s[(size_t)l * k + i] * s[(size_t)l * k + j];
            }
            const double pivot = s[(size_t)j * k + j];
            s[(size_t)j * k + i] = i == j ? sqrt(fmax(sum, LEAST_PART)) : sum / pivot;
        }
    }
}

/* S^-1 of a symmetric positive definite S (k by k); in place. False: a variance is not positive. */
static bool invert(dd_arrival *a, double *s, uint32_t k)
{
    double *inverse = a->basis, *size = a->row;
    for (uint32_t i = 0; i < k; i++) {
        if (!(s[(size_t)i * k + i] > 0)) {
            return false;
        }
        size[i] = sqrt(s[(size_t)i * k + i]);
    }
    /* correlations: their diagonal is one, whatever the variances are */
    for (uint32_t j = 0; j < k; j++) {
        for (uint32_t i = 0; i < k; i++) {
            s[(size_t)j * k + i] /= size[i] * size[j];
        }
    }
    cholesky(s, k);
    /* L^-1 column by column, then L^-T L^-1 */
    memset(inverse, 0, (size_t)k * k * sizeof *inverse);
    for (uint32_t j = 0; j < k; j++) {
        for (uint32_t i = j; i < k; i++) {
            double sum = i == j ? 1 : 0;
            for (uint32_t l = j; l < i; l++) {
                sum -= s[(size_t)l * k + i] * inverse[(size_t)j * k + l];
            }
            inverse[(size_t)j * k + i] = sum / s[(size_t)i * k + i];
        }
    }
    for (uint32_t j = 0; j < k; j++) {
        for (uint32_t i = 0; i < k; i++) {
            double sum = 0;
            for (uint32_t l = i > j ? i : j; l < k; l++) {
                sum += inverse[(size_t)i * k + l] * inverse[(size_t)j * k + l];
            }
            s[(size_t)j * k + i] = sum / (size[i] * size[j]);
        }
    }
    return true;
}

/* P onto the tangent space at the point in m->w, and A from it. False: a variance is not positive. */
static bool settle(dd_mhe *m, double time)
{
    dd_arrival *a = &m->arrival;
    const uint32_t k = tangent(m, time);
    reduce(a, a->p, k, a->small, a->row);
    for (uint32_t j = 0; j < k; j++) { /* symmetric but for rounding */
        for (uint32_t i = 0; i < j; i++) {
            const double mean = 0.5 * (a->small[(size_t)j * k + i] + a->small[(size_t)i * k + j]);
            a->small[(size_t)j * k + i] = a->small[(size_t)i * k + j] = mean;
        }
    }
    expand(a, a->small, k, a->p);
    if (!invert(a, a->small, k)) {
        return false;
    }
    expand(a, a->small, k, a->a);
    return true;
}

/* ---- the first prior ---- */

double dd_arrival_first_error(const dd_mhe *m, uint32_t i)
{
    const dd_ocp_problem *o = m->o;
    const dd_mhe_model *model = m->model;
    if (i >= o->x.len) {
        const dd_decision *p = &o->p.data[i - o->x.len];
        for (uint32_t k = 0; k < model->estimated.len; k++) {
            if (model->estimated.data[k].var == p->var) {
                return model->estimated.data[k].number / p->scale;
            }
        }
    }
    const dd_decision *x = &o->x.data[i];
    for (uint32_t k = 0; k < model->start_errors.len; k++) {
        if (model->start_errors.data[k].var == x->var) {
            return model->start_errors.data[k].number / x->scale;
        }
    }
    return model->system->size[model->system->column[x->var]] / x->scale;
}

/* Errors that keep the invariants: the quadratic form of the given ones, on the tangent space at the point in m->w. */
static bool first_errors(dd_mhe *m, double time)
{
    dd_arrival *a = &m->arrival;
    const uint32_t n = a->n;
    memset(a->p, 0, (size_t)n * n * sizeof *a->p);
    for (uint32_t i = 0; i < n; i++) {
        const double error = dd_arrival_first_error(m, i);
        a->p[(size_t)i * n + i] = 1 / (error * error);
    }
    const uint32_t k = tangent(m, time);
    reduce(a, a->p, k, a->small, a->row);
    expand(a, a->small, k, a->a);
    const bool regular = invert(a, a->small, k);
    expand(a, a->small, k, a->p);
    return regular;
}

void dd_arrival_begin(dd_mhe *m)
{
    const dd_ocp_problem *o = m->o;
    dd_arrival *a = &m->arrival;
    const uint32_t n = a->n, nx = o->x.len;
    for (uint32_t i = 0; i < n; i++) {
        a->mean[i] = m->result.x[i < nx ? m->t->x_at[0] + i : m->t->p_at + (i - nx)];
    }
    if (!first_errors(m, dd_mhe_end_of(m, m->size - 1))) {
        dd_raise(m->ctx, DD_INVALID_ARGUMENT, "initialError: the errors given are too far apart in size");
    }
}

/* ---- the step ---- */

/* One measurement with the slopes a->row: y = h(v*) + row (v - v*). */
static void update_one(dd_mhe *m, const double *star, double residual, double sigma)
{
    dd_arrival *a = &m->arrival;
    const uint32_t n = a->n;
    double variance = sigma * sigma;
    for (uint32_t i = 0; i < n; i++) {
        a->gain[i] = 0;
        for (uint32_t j = 0; j < n; j++) {
            a->gain[i] += a->p[(size_t)j * n + i] * a->row[j];
        }
        variance += a->row[i] * a->gain[i];
        residual -= a->row[i] * (a->mean[i] - star[i]);
    }
    for (uint32_t i = 0; i < n; i++) {
        a->gain[i] /= variance;
        a->mean[i] += a->gain[i] * residual;
    }
    /* Joseph's form (I - K H) P (I - K H)^T + K sigma^2 K^T stays definite where the short one loses it to rounding */
    for (int side = 0; side < 2; side++) {
        for (uint32_t i = 0; i < n; i++) {
            double sum = 0;
            for (uint32_t j = 0; j < n; j++) {
                sum += a->row[j] * a->p[side == 0 ? (size_t)i * n + j : (size_t)j * n + i];
            }
            for (uint32_t j = 0; j < n; j++) {
                a->p[side == 0 ? (size_t)i * n + j : (size_t)j * n + i] -= a->gain[j] * sum;
            }
        }
    }
    for (uint32_t j = 0; j < n; j++) {
        for (uint32_t i = 0; i < n; i++) {
            a->p[(size_t)j * n + i] += sigma * sigma * a->gain[i] * a->gain[j];
        }
    }
}

/* The measurements of the first sample, at the end of interval 0, whose points have x_0 and p alone. */
static void update(dd_mhe *m, const double *star)
{
    const dd_ocp_problem *o = m->o;
    dd_arrival *a = &m->arrival;
    const uint32_t nx = o->x.len, nz = o->z.len, nw = m->h->n_in, points = m->degree * (nx + nz),
                   last = points - nx - nz;
    const double time = dd_mhe_end_of(m, 0);
    dd_local_function_eval(m->h, time, m->w, m->u, a->value, a->slope);
    for (uint32_t i = 0; i < a->n_measured; i++) {
        const double *slope = a->slope + (size_t)i * nw;
        if (!isfinite(m->y[i])) {
            continue;
        }
        for (uint32_t j = 0; j < a->n; j++) {
            const double *point = a->right + (size_t)j * points + last;
            double sum = j < nx ? 0 : slope[nz + j] * o->p.data[j - nx].scale;
            for (uint32_t r = 0; r < nx + nz; r++) {
                sum += slope[r] * point[r] * (r < nx ? o->x.data[r].scale : o->z.data[r - nx].scale);
            }
            a->row[j] = sum;
        }
        update_one(m, star, m->y[i] - a->value[i], m->sigma[i]);
    }
}

/* F and G of interval 1: v = (x, p) at its end by v and w at its begin. */
static void take_slopes(dd_mhe *m)
{
    const dd_ocp_problem *o = m->o;
    dd_arrival *a = &m->arrival;
    const uint32_t n = a->n, nx = o->x.len, points = m->degree * (nx + o->z.len), last = points - nx - o->z.len;
    for (uint32_t j = 0; j < n + o->u.len; j++) {
        double *to = j < n ? a->f + (size_t)j * n : a->g + (size_t)(j - n) * n;
        for (uint32_t i = 0; i < n; i++) {
            to[i] = i < nx ? a->right[(size_t)j * points + last + i] : i == j ? 1 : 0;
        }
    }
}

/* P = F P F^T + G Q G^T */
static void propagate(dd_mhe *m)
{
    const dd_ocp_problem *o = m->o;
    dd_arrival *a = &m->arrival;
    const int n = (int)a->n;
    const double one = 1, zero = 0;
    dgemm_("N", "N", &n, &n, &n, &one, a->f, &n, a->p, &n, &zero, a->small, &n, 1, 1);
    dgemm_("N", "T", &n, &n, &n, &one, a->small, &n, a->f, &n, &zero, a->p, &n, 1, 1);
    for (uint32_t k = 0; k < o->u.len; k++) {
        const double sigma = m->window.sigma[k] / o->u.data[k].scale, q = sigma * sigma / m->dt;
        const double *g = a->g + (size_t)k * a->n;
        for (uint32_t j = 0; j < a->n; j++) {
            for (uint32_t i = 0; i < a->n; i++) {
                a->p[(size_t)j * a->n + i] += q * g[i] * g[j];
            }
        }
    }
}

/* mean = v2* + F (mean - v*) - G w* */
static void move_mean(dd_mhe *m, const double *star)
{
    const dd_ocp_problem *o = m->o;
    const double *y = m->result.x;
    dd_arrival *a = &m->arrival;
    const uint32_t n = a->n, nx = o->x.len;
    for (uint32_t i = 0; i < n; i++) {
        a->gain[i] = i < nx ? y[m->t->x_at[2] + i] : star[i];
        for (uint32_t j = 0; j < n; j++) {
            a->gain[i] += a->f[(size_t)j * n + i] * (a->mean[j] - star[j]);
        }
        for (uint32_t k = 0; k < o->u.len; k++) {
            a->gain[i] -= a->g[(size_t)k * n + i] * y[m->t->u_at[1] + k];
        }
    }
    memcpy(a->mean, a->gain, n * sizeof *a->mean);
}

void dd_arrival_carry(dd_mhe *m)
{
    const dd_ocp_problem *o = m->o;
    const double *y = m->result.x;
    dd_arrival *a = &m->arrival;
    double *star = a->star;
    for (uint32_t i = 0; i < a->n; i++) {
        star[i] = y[i < o->x.len ? m->t->x_at[1] + i : m->t->p_at + (i - o->x.len)];
    }
    if (!m->t->nlp->jacobian(m->t->nlp->user, y, true, a->jacobian) || !dd_mhe_interval_slopes(m, 0)) {
        return; /* the prior stays as it is: wider than it could be, at a place nearby */
    }
    update(m, star);
    if (dd_mhe_interval_slopes(m, 1)) {
        take_slopes(m);
        move_mean(m, star);
        propagate(m);
    }
    if (!settle(m, dd_mhe_end_of(m, 1))) { /* nothing is known any more: as at the start */
        first_errors(m, dd_mhe_end_of(m, 1));
    }
}
