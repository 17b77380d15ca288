/* derivative_array.c - ranks of the derivative array by Taylor arithmetic (Campbell; Kunkel and Mehrmann 2006, ch. 3).
 *
 * Unknowns are Taylor coefficients X_j,m; rows are the coefficients (f_i)_k. With p0 = df/dx and p1 = df/dx' as series,
 *     d (f_i)_k / d X_j,m = (p0)_{k-m} + m (p1)_{k-m+1},
 * so no expression is ever differentiated more than once. With w = (x', x'', ...) and M_k = the rows 0..k:
 *     index     smallest k where x' is determined:  rank M_k(w) - rank M_k(w without x') = n
 *     visible   rank [M_0(x) M_0(w)] - rank M_0(w);    all constraints: the same difference at k = index
 */
#include "structure/derivative_array.h"

#include <math.h>
#include <string.h>

#include "la/dense.h"
#include "structure/point.h"

enum {
    MAX_ROWS = 700,      /* of the array: dense algebra, whose cost is their cube */
    MAX_ITERATIONS = 80, /* of Gauss-Newton: at a singular point it converges linearly */
    MAX_HALVINGS = 12
};
static const double least_decrease = 1e-4; /* part of the promised decrease that a step must bring (Armijo) */
static const double no_step = 1e-14;       /* relative: the iteration has come to rest */
static const double solved = 1e-8;         /* a residual below this part of its terms is zero */
static const double dependent_part = 1e-7; /* singular values of orthonormal parts below this are zero */
static const double open_part = 1e-5;      /* entries of null vectors above this are not rounding */
static const double max_work = 3e9;        /* rows * columns * smaller of them, summed: about a second */
static const double rank_tolerance = 1e-8;
static const double noise_floor = 1e-4;
/* entries below 1e-11 of their row's magnitude, and rows all below 1e-7 of it, are zero */
static const double entry_noise = 1e-7, row_noise = 1e-3;
static const double time_step = 1e-2; /* how far along the solution ranks are compared */

typedef struct array_work {
    dd_system *s;
    dd_numeric *nm;
    dd_pool *scratch;
    uint32_t n, k_max; /* coefficients 0..k_max of the rows, 0..k_max+1 of the unknowns */
    uint32_t rows, cols, stride;
    double *m; /* rows x cols, column-major; column (m n + j), row (k n + i) */
    double *r, *dx, *scaled, *floor, *weight;
} array_work;

/* Counts the work of a factorisation that is about to be done; false when there has been enough. */
static bool spend(array_work *w, uint32_t rows, uint32_t cols)
{
    double svd = rows <= DD_RANK_SVD || cols <= DD_RANK_SVD ? 4 : 1; /* against QR */
    w->s->array->work += svd * rows * cols * (rows < cols ? rows : cols);
    w->s->array->given_up = w->s->array->given_up || w->s->array->work > max_work;
    return !w->s->array->given_up;
}

static void set_order(array_work *w, uint32_t k_max)
{
    w->k_max = k_max;
    w->rows = w->n * (k_max + 1);
    w->cols = w->n * (k_max + 2);
    w->stride = k_max + 2;
    w->m = dd_pool_alloc_array(w->scratch, (size_t)w->rows * w->cols, sizeof *w->m);
    w->scaled = dd_pool_alloc_array(w->scratch, (size_t)w->rows * w->cols, sizeof *w->scaled);
    w->r = dd_pool_alloc_array(w->scratch, w->rows, sizeof *w->r);
    w->floor = dd_pool_alloc_array(w->scratch, w->rows, sizeof *w->floor);
    w->dx = dd_pool_alloc_array(w->scratch, w->cols, sizeof *w->dx);
    w->weight = dd_pool_alloc_array(w->scratch, w->cols, sizeof *w->weight);
}

/* Which values a correction may move: a column with weight 0 stays. */
typedef enum hold { HOLD_WRITTEN, HOLD_FIXED, HOLD_NONE } hold;

static void set_weights(array_work *w, hold held)
{
    for (uint32_t j = 0; j < w->n; j++) {
        const dd_variable *v = &w->s->model->vars.data[w->s->unknown[j]];
        bool stays = (v->fixed && held != HOLD_NONE) || (v->has_start && held == HOLD_WRITTEN);
        for (uint32_t k = 0; k <= w->k_max + 1; k++) {
            /* derivatives move as easily as values that nobody has written */
            w->weight[k * w->n + j] = w->s->size[j] * (k > 0 ? 10.0 : stays ? 0.0 : v->has_start ? 1.0 : 10.0);
        }
    }
}

static bool fill_residual(array_work *w, const double *x)
{
    const double *f = dd_numeric_residual_series(w->nm, x, w->stride, w->k_max);
    /* block k holds the coefficients of order k of all rows: f^(k)/k! */
    for (uint32_t i = 0; i < w->n; i++) {
        for (uint32_t k = 0; k <= w->k_max; k++) {
            w->r[k * w->n + i] = f[(size_t)i * (w->k_max + 1) + k];
            if (!isfinite(w->r[k * w->n + i])) {
                return false;
            }
        }
    }
    return true;
}

static bool fill_matrix(array_work *w, const double *x)
{
    const dd_incidence *inc = w->nm->inc;
    uint32_t order = w->k_max + 1;
    memset(w->m, 0, (size_t)w->rows * w->cols * sizeof *w->m);
    if (!dd_numeric_partials(w->nm, x, w->stride)) {
        return false;
    }
    /* what a row's entries are computed from: below a part of it they are rounding */
    for (uint32_t i = 0; i < w->n; i++) {
        double magnitude = 0;
        for (uint32_t e = inc->ptr[i]; e < inc->ptr[i + 1]; e++) {
            magnitude = w->nm->slot0[e] != DD_NO_INDEX ? fmax(magnitude, w->nm->magnitude[w->nm->slot0[e]]) : magnitude;
            magnitude = w->nm->slot1[e] != DD_NO_INDEX ? fmax(magnitude, w->nm->magnitude[w->nm->slot1[e]]) : magnitude;
        }
        for (uint32_t k = 0; k <= w->k_max; k++) {
            w->floor[k * w->n + i] = noise_floor * magnitude;
        }
    }
    /* d (f_i)_k / d X_j,q = (p0)_{k-q} + q (p1)_{k-q+1} */
    const double *p = dd_numeric_partial_series(w->nm, x, w->stride, order);
    for (uint32_t i = 0; i < w->n; i++) {
        for (uint32_t e = inc->ptr[i]; e < inc->ptr[i + 1]; e++) {
            const double *p0 = w->nm->slot0[e] == DD_NO_INDEX ? NULL : p + (size_t)w->nm->slot0[e] * (order + 1);
            const double *p1 = w->nm->slot1[e] == DD_NO_INDEX ? NULL : p + (size_t)w->nm->slot1[e] * (order + 1);
            for (uint32_t k = 0; k <= w->k_max; k++) {
                for (uint32_t q = 0; q <= k + 1; q++) {
                    double v = p0 && q <= k ? p0[k - q] : 0.0;
                    v += p1 && q >= 1 ? q * p1[k + 1 - q] : 0.0;
                    if (!isfinite(v)) {
                        return false;
                    }
                    w->m[(size_t)(q * w->n + inc->idx[e]) * w->rows + k * w->n + i] = v;
                }
            }
        }
    }
    return true;
}

static double residual_size(const array_work *w)
{
    double sum = 0;
    for (uint32_t i = 0; i < w->rows; i++) {
        sum += w->r[i] * w->r[i];
    }
    return sqrt(sum);
}

/* Weighted minimum-norm Gauss-Newton step into dx. */
static void find_step(array_work *w)
{
    /* -M W y = r, and the step is W y: the smallest one in the weighted norm, of least squares where rows depend */
    for (uint32_t c = 0; c < w->cols; c++) {
        for (uint32_t i = 0; i < w->rows; i++) {
            w->scaled[(size_t)c * w->rows + i] = -w->m[(size_t)c * w->rows + i] * w->weight[c];
        }
    }
    dd_status st =
        dd_lstsq_dense(w->s->ctx, &(dd_dense){w->rows, w->cols, w->scaled, w->rows}, w->r, 1e-10, w->dx, NULL, NULL);
    if (st != DD_OK) {
        dd_raise(w->s->ctx, st, "derivative array: %s", dd_status_text(st));
    }
    for (uint32_t c = 0; c < w->cols; c++) {
        w->dx[c] *= w->weight[c];
    }
}

static double take_step(array_work *w, double *x, double *trial)
{
    double before = residual_size(w), alpha = 1;
    /* halved until the residual falls by a part of what the linear model promises (Armijo's rule) */
    for (int h = 0; h < MAX_HALVINGS; h++, alpha /= 2) {
        double step = 0;
        for (uint32_t j = 0; j < w->n; j++) {
            for (uint32_t k = 0; k < w->stride; k++) {
                double change = alpha * w->dx[k * w->n + j];
                trial[(size_t)j * w->stride + k] = x[(size_t)j * w->stride + k] + change;
                step = fmax(step, fabs(change) / fmax(1.0, fabs(x[(size_t)j * w->stride + k])));
            }
        }
        if (fill_residual(w, trial) && residual_size(w) < before * (1 - least_decrease * alpha)) {
            memcpy(x, trial, (size_t)w->n * w->stride * sizeof *x);
            return step;
        }
    }
    fill_residual(w, x);
    return 0;
}

/* What the terms of a row amount to. */
static double row_size(const array_work *w, const double *x, uint32_t row)
{
    double size = 1e-300;
    for (uint32_t c = 0; c < w->cols; c++) {
        double value = fmax(fabs(x[(size_t)(c % w->n) * w->stride + c / w->n]), 1e-3);
        size = fmax(size, fabs(w->m[(size_t)c * w->rows + row]) * value);
    }
    return size;
}

/* Moves x onto the array's zero set. */
static bool make_consistent(array_work *w, double *x, uint32_t *failed_row)
{
    double *trial = dd_pool_alloc_array(w->scratch, (size_t)w->n * w->stride, sizeof *trial);
    bool finite = fill_residual(w, x);
    /* down to rounding: the step must vanish, since a small residual hides a vanishing gradient */
    for (int it = 0; finite && it < MAX_ITERATIONS && residual_size(w) > 0; it++) {
        dd_check_stop(w->s->ctx);
        finite = fill_matrix(w, x) && spend(w, w->rows, w->cols);
        if (!finite) {
            break;
        }
        find_step(w);
        if (take_step(w, x, trial) < no_step) {
            break;
        }
    }
    if (!finite || !fill_matrix(w, x)) {
        return false;
    }
    /* each row against its own terms */
    double worst = 0;
    for (uint32_t i = 0; i < w->rows; i++) {
        double scaled = fabs(w->r[i]) / row_size(w, x, i);
        if (!(scaled <= worst)) {
            worst = scaled;
            *failed_row = i % w->n;
        }
    }
    return worst < solved;
}

/* The values written in the model are kept if that is possible, then the fixed ones; a model with fixed values is
 * judged at those and nowhere else. */
static bool find_point(array_work *w, const double *guess, double *x, uint32_t *failed_row)
{
    bool any_fixed = false;
    for (uint32_t j = 0; j < w->n; j++) {
        any_fixed = any_fixed || w->s->model->vars.data[w->s->unknown[j]].fixed;
    }
    for (hold held = HOLD_WRITTEN; held <= (any_fixed ? HOLD_FIXED : HOLD_NONE); held++) {
        memcpy(x, guess, (size_t)w->n * w->stride * sizeof *x);
        set_weights(w, held);
        if (make_consistent(w, x, failed_row)) {
            return true;
        }
        if (w->s->array->given_up) {
            break;
        }
    }
    return false;
}

static void geometric_scale(array_work *w, double *scale, bool rows)
{
    uint32_t n = rows ? w->rows : w->cols;
    /* 1 / sqrt(smallest * largest) of each row, or column, without its zeros */
    for (uint32_t k = 0; k < n; k++) {
        double least = INFINITY, most = 0;
        for (uint32_t q = 0; q < (rows ? w->cols : w->rows); q++) {
            double v = fabs(rows ? w->scaled[(size_t)q * w->rows + k] : w->scaled[(size_t)k * w->rows + q]);
            least = v > 0 ? fmin(least, v) : least;
            most = fmax(most, v);
        }
        scale[k] = most > 0 ? 1.0 / sqrt(least * most) : 1.0;
    }
    for (uint32_t c = 0; c < w->cols; c++) {
        for (uint32_t i = 0; i < w->rows; i++) {
            w->scaled[(size_t)c * w->rows + i] *= scale[rows ? i : c];
        }
    }
}

/* A copy of the matrix in which entries at noise level are zero and rows and columns have geometric means near 1, so
 * that ranks do not depend on units of variables or of time. */
static void scale_matrix(array_work *w)
{
    enum { SWEEPS = 4 };
    double *row = dd_pool_alloc_array(w->scratch, w->rows, sizeof *row),
           *col = dd_pool_alloc_array(w->scratch, w->cols, sizeof *col);
    memset(w->scaled, 0, (size_t)w->rows * w->cols * sizeof *w->scaled);
    /* entries that are rounding, and rows made of nothing but rounding, become zero */
    for (uint32_t c = 0; c < w->cols; c++) {
        for (uint32_t i = 0; i < w->rows; i++) {
            double v = w->m[(size_t)c * w->rows + i];
            w->scaled[(size_t)c * w->rows + i] = fabs(v) > entry_noise * w->floor[i] ? v : 0.0;
            row[i] = fmax(row[i], fabs(v));
        }
    }
    for (uint32_t i = 0; i < w->rows; i++) {
        for (uint32_t c = 0; c < w->cols && row[i] < row_noise * w->floor[i]; c++) {
            w->scaled[(size_t)c * w->rows + i] = 0.0;
        }
    }
    /* then rows and columns in turn; a few sweeps settle it */
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        geometric_scale(w, row, true);
        geometric_scale(w, col, false);
    }
}

/* Rank of rows 0..k and the column blocks first..k+1. */
static uint32_t rank_of(array_work *w, uint32_t k, uint32_t first_block, bool *clear)
{
    uint32_t rows = (k + 1) * w->n, cols = (k + 2 - first_block) * w->n;
    dd_rank_info info;
    if (!spend(w, rows, cols)) {
        *clear = false;
        return 0;
    }
    /* columns below first_block are left out by beginning behind them */
    dd_status st = dd_rank_dense(&info, w->s->ctx,
                                 &(dd_dense){rows, cols, w->scaled + (size_t)first_block * w->n * w->rows, w->rows},
                                 rank_tolerance, NULL, NULL, NULL);
    if (st != DD_OK) {
        dd_raise(w->s->ctx, st, "derivative array: %s", dd_status_text(st));
    }
    *clear = *clear && info.clear;
    return info.rank;
}

typedef struct ranks {
    bool found, clear;
    bool
        stalled; /* not found, and the last rows brought no new constraint: where ranks are constant none will follow */
    uint32_t index, visible, constraints;
} ranks;

/* The index seen with rows 0..k_limit. */
static ranks read_ranks(array_work *w, uint32_t k_limit)
{
    ranks out = {.clear = true};
    scale_matrix(w);
    for (uint32_t k = 0; k <= k_limit && !out.found; k++) {
        /* [M(x) M(w)], M(w), and M(w) without x' */
        uint32_t all = rank_of(w, k, 0, &out.clear);
        uint32_t rates = rank_of(w, k, 1, &out.clear);
        uint32_t higher = k > 0 ? rank_of(w, k, 2, &out.clear) : 0;
        if (k == 0) {
            out.visible = all - rates;
        }
        if (w->s->array->given_up) {
            return (ranks){0};
        }
        /* x' is determined when taking it away costs n ranks; what M(x) adds to M(w) are constraints on x alone */
        out.found = rates - higher == w->n;
        out.stalled = k > 0 && !out.found && all - rates == out.constraints;
        out.constraints = all - rates;
        out.index = k;
    }
    return out;
}

/* Shifts the Taylor coefficients to a slightly later time. */
static void advance(const array_work *w, const double *x, double h, double *out)
{
    for (uint32_t j = 0; j < w->n; j++) {
        for (uint32_t k = 0; k < w->stride; k++) {
            double sum = 0, binomial = 1, power = 1;
            /* X_k(t + h) = sum over q >= k of binomial(q, k) h^(q-k) X_q */
            for (uint32_t q = k; q < w->stride; q++) {
                sum += binomial * power * x[(size_t)j * w->stride + q];
                binomial *= (double)(q + 1) / (double)(q + 1 - k);
                power *= h;
            }
            out[(size_t)j * w->stride + k] = sum;
        }
    }
}

static bool same_later(array_work *w, const double *x, const ranks *now, uint32_t k_limit)
{
    double *later = dd_pool_alloc_array(w->scratch, (size_t)w->n * w->stride, sizeof *later);
    uint32_t row;
    double t0 = w->nm->t0;
    /* a point on the same solution, nearly: a correction brings it onto the rows again */
    advance(w, x, time_step, later);
    set_weights(w, HOLD_NONE);
    w->nm->t0 = t0 + time_step;
    bool ok = make_consistent(w, later, &row);
    /* where no such point is found nothing contradicts */
    ranks then = ok ? read_ranks(w, k_limit) : *now;
    then = w->s->array->given_up ? *now : then;
    w->nm->t0 = t0;
    return then.index == now->index && then.visible == now->visible && then.constraints == now->constraints;
}

/* Columns whose x' is not determined by rows 0..k: null vectors of M(w) with a part in x'. */
static void open_columns(array_work *w, dd_array_verdict *out, dd_pool *pool)
{
    uint32_t cols = w->cols - w->n;
    double *null = dd_pool_alloc_array(w->scratch, (size_t)cols * cols, sizeof *null);
    dd_rank_info info;
    /* all rows, without the columns of x: what the derivatives alone leave open */
    dd_status st = dd_rank_dense(&info, w->s->ctx, &(dd_dense){w->rows, cols, w->m + (size_t)w->n * w->rows, w->rows},
                                 rank_tolerance, w->floor, NULL, null);
    if (st != DD_OK) {
        dd_raise(w->s->ctx, st, "derivative array: %s", dd_status_text(st));
    }
    out->open = dd_pool_alloc_array(pool, w->n + 1, sizeof *out->open);
    /* the first n entries of a null vector are x' */
    for (uint32_t j = 0; j < w->n; j++) {
        double part = 0;
        for (uint32_t q = 0; q < cols - info.rank; q++) {
            part = fmax(part, fabs(null[(size_t)q * cols + j]));
        }
        if (part > open_part) {
            out->open[out->n_open++] = j;
        }
    }
}

/* Directions in x that rows 0..k allow: the x part of the null space of [M(x) M(w)], an orthonormal basis. */
static void tangent_space(array_work *w, uint32_t k, dd_array_verdict *out, dd_pool *pool)
{
    uint32_t rows = (k + 1) * w->n, cols = (k + 2) * w->n;
    double *null = dd_pool_alloc_array(w->scratch, (size_t)cols * cols, sizeof *null);
    double *left = dd_pool_alloc_array(w->scratch, (size_t)w->n * w->n, sizeof *left);
    dd_rank_info info, part;
    dd_status st =
        dd_rank_dense(&info, w->s->ctx, &(dd_dense){rows, cols, w->m, w->rows}, rank_tolerance, w->floor, NULL, null);
    uint32_t count = cols - info.rank;
    /* the x parts span the tangent space: its orthogonal complement is the left null space of that n x count matrix */
    if (st == DD_OK) {
        st = dd_rank_dense(&part, w->s->ctx, &(dd_dense){w->n, count, null, cols}, dependent_part, NULL, left, NULL);
    }
    double *complement = dd_pool_alloc_array(w->scratch, (size_t)w->n * w->n, sizeof *complement);
    uint32_t closed = st == DD_OK ? w->n - part.rank : 0;
    for (uint32_t q = 0; q < closed; q++) {
        for (uint32_t j = 0; j < w->n; j++) {
            complement[(size_t)j * closed + q] = left[(size_t)q * w->n + j];
        }
    }
    out->tangent = dd_pool_alloc_array(pool, (size_t)w->n * w->n + 1, sizeof *out->tangent);
    if (st == DD_OK) {
        st = dd_rank_dense(&info, w->s->ctx, &(dd_dense){closed, w->n, complement, closed > 0 ? closed : 1},
                           dependent_part, NULL, NULL, out->tangent);
    }
    if (st != DD_OK) {
        dd_raise(w->s->ctx, st, "derivative array: %s", dd_status_text(st));
    }
    out->dof = w->n - closed;
}

static void conclude(array_work *w, const ranks *r, const double *x, dd_array_verdict *out, dd_pool *pool)
{
    out->decided = true;
    out->finite_index = r->found;
    out->clear = r->clear;
    out->index = r->index;
    out->visible = r->visible;
    out->hidden = r->constraints - r->visible;
    out->stride = w->stride;
    out->x = dd_pool_alloc_array(pool, (size_t)w->n * w->stride, sizeof *out->x);
    memcpy(out->x, x, (size_t)w->n * w->stride * sizeof *x);
    /* with an index: which values may be chosen. Without: what stays open */
    if (r->found) {
        tangent_space(w, r->index, out, pool);
    } else {
        open_columns(w, out, pool);
    }
}

uint32_t dd_array_rows(const dd_system *s, uint32_t index)
{
    enum { NO_ARRAY = 1000 }; /* an index beyond is not computed, and its product might overflow */
    return index > NO_ARRAY ? UINT32_MAX : (index + 3) * s->ncols;
}

dd_array_verdict dd_system_derivative_array(dd_system *s, dd_numeric *nm, const double *x0, uint32_t stride0,
                                            bool singular, dd_pool *pool)
{
    dd_array_verdict out = {.consistent = true};
    array_work w = {.s = s, .nm = nm, .n = nm->inc->n};
    double *x = NULL;
    uint32_t stride = 0;
    ranks before = {0};
    uint32_t highest = s->options.max_index < w.n + 1 ? s->options.max_index : w.n + 1;
    /* at a singular point rows 0..k are believed for an index of k/2 - 1 at most, so twice as many are needed */
    uint32_t limit = singular ? 2 * highest + 1 : highest;
    uint64_t least =
        singular ? 2 * (uint64_t)s->off.max_c1 + 3 : 0; /* blocks of rows below which nothing is believed */
    /* not even the structural index could be confirmed */
    if (least * w.n > MAX_ROWS) {
        s->array->given_up = true;
        return (dd_array_verdict){.exhausted = true};
    }
    /* one more block of rows in each round, from the point of the round before */
    for (uint32_t k = 1; k <= limit + 1 && w.n * (k + 1) <= MAX_ROWS; k++) {
        w.scratch = dd_pool_child(pool);
        set_order(&w, k);
        /* coefficients found so far, those of the caller, then zeros */
        double *guess = dd_pool_alloc_array(w.scratch, (size_t)w.n * w.stride, sizeof *guess);
        double *next = dd_pool_alloc_array(pool, (size_t)w.n * w.stride, sizeof *next);
        for (uint32_t j = 0; j < w.n; j++) {
            for (uint32_t q = 0; q < w.stride; q++) {
                double first = q < stride0 ? x0[(size_t)j * stride0 + q] : 0.0;
                guess[(size_t)j * w.stride + q] = x && q < stride ? x[(size_t)j * stride + q] : first;
            }
        }
        /* ranks mean something only where all rows hold */
        out.consistent = find_point(&w, guess, next, &out.failed_row);
        if (s->array->given_up) {
            out.consistent = false;
            out.exhausted = true;
        }
        if (!out.consistent) {
            dd_pool_free(w.scratch);
            return out;
        }
        /* of a singular point only an index with 2 index + 2 <= k is believed: no need to look further */
        uint32_t believed = !singular ? k : k >= 2 ? k / 2 - 1 : 0;
        ranks now = singular && k % 2 == 1 && k > 1 && !before.found ? before : read_ranks(&w, believed);
        if (s->array->given_up) {
            dd_pool_free(w.scratch);
            return (dd_array_verdict){.exhausted = true};
        }
        now.found = now.found && (!singular || 2 * now.index + 2 <= k);
        /* the same index, constraints and ranks with one more differentiation: they will not change any more */
        bool settled = k > 1 && now.found && before.found && now.index == before.index && now.index < k &&
                       now.visible == before.visible && now.constraints == before.constraints;
        /* or the constraints have ended without determining x': no finite index */
        bool stalled = singular && now.stalled && now.clear && believed >= s->off.max_c1;
        bool hopeless = k == limit + 1 || w.n * (k + 2) > MAX_ROWS;
        /* or there is no room for more rows, and no index was seen */
        if (settled || stalled || (hopeless && !now.found && !before.found && k > highest)) {
            conclude(&w, &now, next, &out, pool);
            out.motion_varies = singular && (settled || stalled) && !same_later(&w, next, &now, believed);
            dd_pool_free(w.scratch);
            return out;
        }
        /* the next round starts here */
        before = now;
        x = next;
        stride = w.stride;
        dd_pool_free(w.scratch);
    }
    return out;
}

bool dd_system_fixed_hold(dd_system *s, dd_numeric *nm, const double *x0, uint32_t stride0, uint32_t order,
                          uint32_t *row, bool *defined, dd_pool *pool)
{
    enum { MOST_ROWS = 240 };
    array_work w = {.s = s, .nm = nm, .n = nm->inc->n};
    *defined = true;
    *row = DD_NO_INDEX;
    if ((uint64_t)w.n * (order + 1) > MOST_ROWS || s->array->given_up) {
        return true;
    }
    w.scratch = dd_pool_child(pool);
    set_order(&w, order);
    /* the point that was found, with the fixed values put back */
    double *x = dd_pool_alloc_array(w.scratch, (size_t)w.n * w.stride, sizeof *x);
    for (uint32_t j = 0; j < w.n; j++) {
        const dd_variable *v = &s->model->vars.data[s->unknown[j]];
        for (uint32_t q = 0; q < w.stride && q < stride0; q++) {
            x[(size_t)j * w.stride + q] = x0[(size_t)j * stride0 + q];
        }
        x[(size_t)j * w.stride] = v->fixed ? v->start_value : x[(size_t)j * w.stride];
    }
    /* all else may move; a row without a value at the beginning is the culprit itself */
    set_weights(&w, HOLD_FIXED);
    bool finite = fill_residual(&w, x);
    for (uint32_t i = 0; i < w.rows && !finite && *defined; i++) {
        *defined = isfinite(w.r[i]);
        *row = i % w.n;
    }
    bool possible = (finite && make_consistent(&w, x, row)) || s->array->given_up || *row == DD_NO_INDEX;
    dd_pool_free(w.scratch);
    return possible;
}
