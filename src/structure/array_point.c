/* array_point.c - points on the rows of the derivative array.
 *
 * Unknowns are Taylor coefficients X_j,m; rows are the coefficients (f_i)_k. With p0 = df/dx and p1 = df/dx' as series,
 *     d (f_i)_k / d X_j,m = (p0)_{k-m} + m (p1)_{k-m+1},
 * so no expression is ever differentiated more than once.
 */
#include <math.h>
#include <string.h>

#include "la/dense.h"
#include "nls/gauss_newton.h"
#include "structure/array_impl.h"

enum {
    MAX_ITERATIONS = 80, /* of Gauss-Newton: at a singular point it converges linearly */
    MAX_TRIALS = 12      /* of the length of a step: the whole one, then halves */
};
static const double least_decrease = 1e-4; /* part of the promised decrease that a step must bring (Armijo) */
static const double least_rank = 1e-10;    /* of a step: smaller singular values belong to rows that depend */
static const double open_weight = 10.0; /* against 1 for a written start: what nobody has written moves more easily */
static const double least_value = 1e-3; /* what a value counts at least when the size of a term is judged */
static const double no_step = 1e-14;    /* relative: the iteration has come to rest, */
static const double short_step =
    1e-7;                           /* or such a step, beyond what rounding leaves at a double root, has left more of */
static const double slow = 0.7;     /* the residual than any multiple root would, which is 1/e */
static const double solved = 1e-8;  /* a residual below this part of its terms is zero */
static const double max_work = 3e9; /* rows * columns * smaller of them, summed: about a second */
static const double noise_floor = 1e-4; /* part of the magnitude of a row that `floor` holds */

/* Counts the work of a factorisation that is about to be done; false when there has been enough. */
bool dd_array_spend(dd_array_work *w, uint32_t rows, uint32_t cols)
{
    double svd = rows <= DD_RANK_SVD || cols <= DD_RANK_SVD ? 4 : 1; /* against QR */
    w->s->array->work += svd * rows * cols * (rows < cols ? rows : cols);
    w->s->array->given_up = w->s->array->given_up || w->s->array->work > max_work;
    return !w->s->array->given_up;
}

void dd_array_set_order(dd_array_work *w, uint32_t k_max)
{
    w->k_max = k_max;
    w->rows = w->n * (k_max + 1);
    w->cols = w->n * (k_max + 2);
    w->stride = k_max + 2;
    w->m = dd_pool_alloc_array(w->scratch, (size_t)w->rows * w->cols, sizeof *w->m);
    w->scaled = dd_pool_alloc_array(w->scratch, (size_t)w->rows * w->cols, sizeof *w->scaled);
    w->r = dd_pool_alloc_array(w->scratch, w->rows, sizeof *w->r);
    w->floor = dd_pool_alloc_array(w->scratch, w->rows, sizeof *w->floor);
    w->noise = dd_pool_alloc_array(w->scratch, (size_t)DD_UNITS * w->rows, sizeof *w->noise);
    w->dx = dd_pool_alloc_array(w->scratch, w->cols, sizeof *w->dx);
    w->weight = dd_pool_alloc_array(w->scratch, w->cols, sizeof *w->weight);
}

void dd_array_set_weights(dd_array_work *w, dd_array_hold held)
{
    for (uint32_t j = 0; j < w->n; j++) {
        const dd_variable *v = &w->s->model->vars.data[w->s->unknown[j]];
        bool stays = (v->fixed && held != DD_HOLD_NONE) || (v->has_start && held == DD_HOLD_WRITTEN);
        for (uint32_t k = 0; k <= w->k_max + 1; k++) {
            /* derivatives move as easily as values that nobody has written */
            w->weight[k * w->n + j] = w->s->size[j] * (k > 0          ? open_weight
                                                       : stays        ? 0.0
                                                       : v->has_start ? 1.0
                                                                      : open_weight);
        }
    }
}

static bool fill_residual(const dd_array_work *w, const double *x, double *r)
{
    const double *f = dd_numeric_residual_series(w->nm, x, w->stride, w->k_max);
    /* block k holds the coefficients of order k of all rows: f^(k)/k! */
    for (uint32_t i = 0; i < w->n; i++) {
        for (uint32_t k = 0; k <= w->k_max; k++) {
            r[k * w->n + i] = f[(size_t)i * (w->k_max + 1) + k];
            if (!isfinite(r[k * w->n + i])) {
                return false;
            }
        }
    }
    return true;
}

/* d (f_i)_k / d X_j,q = (p0)_{k-q} + q (p1)_{k-q+1} for all k and q; p0, p1: the series of df_i/dx_j and df_i/dx_j',
 * NULL for none. */
static bool fill_entry(dd_array_work *w, uint32_t i, uint32_t j, const double *p0, const double *p1)
{
    for (uint32_t k = 0; k <= w->k_max; k++) {
        for (uint32_t q = 0; q <= k + 1; q++) {
            double v = p0 && q <= k ? p0[k - q] : 0.0;
            v += p1 && q >= 1 ? q * p1[k + 1 - q] : 0.0;
            if (!isfinite(v)) {
                return false;
            }
            w->m[(size_t)(q * w->n + j) * w->rows + k * w->n + i] = v;
        }
    }
    return true;
}

/* What a row's entries are computed from: below a part of it they are rounding. */
static void set_floors(dd_array_work *w)
{
    const dd_numeric *nm = w->nm;
    for (uint32_t i = 0; i < w->n; i++) {
        double most = 0, unit[DD_UNITS] = {0};
        for (uint32_t e = nm->inc->ptr[i]; e < nm->inc->ptr[i + 1]; e++) {
            const double value = nm->slot0[e] != DD_NO_INDEX ? nm->magnitude[nm->slot0[e]] : 0.0;
            const double rate = nm->slot1[e] != DD_NO_INDEX ? nm->magnitude[nm->slot1[e]] : 0.0;
            most = fmax(most, fmax(value, rate));
            for (uint32_t u = 0; u < DD_UNITS; u++) {
                unit[u] = fmax(unit[u], fmax(value, rate) * dd_system_unit(w->s, nm->inc->idx[e], u));
            }
        }
        for (uint32_t k = 0; k <= w->k_max; k++) {
            w->floor[k * w->n + i] = noise_floor * most;
            for (uint32_t u = 0; u < DD_UNITS; u++) {
                w->noise[u * w->rows + k * w->n + i] = noise_floor * unit[u];
            }
        }
    }
}

static bool fill_matrix(dd_array_work *w, const double *x)
{
    const dd_incidence *inc = w->nm->inc;
    uint32_t order = w->k_max + 1;
    memset(w->m, 0, (size_t)w->rows * w->cols * sizeof *w->m);
    if (!dd_numeric_partials(w->nm, x, w->stride)) {
        return false;
    }
    set_floors(w);
    const double *p = dd_numeric_partial_series(w->nm, x, w->stride, order);
    for (uint32_t i = 0; i < w->n; i++) {
        for (uint32_t e = inc->ptr[i]; e < inc->ptr[i + 1]; e++) {
            const double *p0 = w->nm->slot0[e] == DD_NO_INDEX ? NULL : p + (size_t)w->nm->slot0[e] * (order + 1);
            const double *p1 = w->nm->slot1[e] == DD_NO_INDEX ? NULL : p + (size_t)w->nm->slot1[e] * (order + 1);
            if (!fill_entry(w, i, inc->idx[e], p0, p1)) {
                return false;
            }
        }
    }
    return true;
}

/* ---- the iteration, as nls/gauss_newton.h asks for it ---- */

static int array_residual(void *user, const double *x, double *r)
{
    return fill_residual(user, x, r) ? 0 : 1;
}

static double array_size(void *user, const double *r)
{
    const dd_array_work *w = user;
    double sum = 0;
    for (uint32_t i = 0; i < w->rows; i++) {
        sum += r[i] * r[i];
    }
    return sqrt(sum);
}

/* The weighted minimum-norm step, within the budget of work. */
static dd_status array_step(void *user, const double *x, const double *r, double *dx, dd_correction *found)
{
    dd_array_work *w = user;
    if (!fill_matrix(w, x) || !dd_array_spend(w, w->rows, w->cols)) {
        *found = DD_CORRECTION_MISSING;
        return DD_OK;
    }
    /* -M W y = r, and the step is W y: the smallest one in the weighted norm, of least squares where rows depend */
    for (uint32_t c = 0; c < w->cols; c++) {
        for (uint32_t i = 0; i < w->rows; i++) {
            w->scaled[(size_t)c * w->rows + i] = -w->m[(size_t)c * w->rows + i] * w->weight[c];
        }
    }
    dd_status st =
        dd_lstsq_dense(w->s->ctx, &(dd_dense){w->rows, w->cols, w->scaled, w->rows}, r, least_rank, dx, NULL, NULL);
    for (uint32_t c = 0; st == DD_OK && c < w->cols; c++) {
        dx[c] *= w->weight[c];
    }
    return st;
}

/* Where coefficient c = (order, unknown) is in x. */
static uint32_t place_of(const dd_array_work *w, uint32_t c)
{
    return (c % w->n) * w->stride + c / w->n;
}

static double array_length(void *user, const double *x, const double *dx)
{
    const dd_array_work *w = user;
    double step = 0;
    for (uint32_t c = 0; c < w->cols; c++) {
        step = fmax(step, fabs(dx[c]) / fmax(1.0, fabs(x[place_of(w, c)])));
    }
    return step;
}

static dd_gauss_newton_info iterate(dd_array_work *w, double *x)
{
    uint32_t *unknown = dd_pool_alloc_array(w->scratch, w->cols, sizeof *unknown);
    for (uint32_t c = 0; c < w->cols; c++) {
        unknown[c] = place_of(w, c);
    }
    /* down to rounding: the step must vanish, since a small residual hides a vanishing gradient */
    const dd_gauss_newton g = {.user = w,
                               .n = w->cols,
                               .rows = w->rows,
                               .unknown = unknown,
                               .residual = array_residual,
                               .size = array_size,
                               .step = array_step,
                               .length = array_length,
                               .x = x,
                               .r = w->r,
                               .dx = w->dx,
                               .trial = dd_pool_alloc_array(w->scratch, w->cols, sizeof(double)),
                               .trial_r = dd_pool_alloc_array(w->scratch, w->rows, sizeof(double)),
                               .most_steps = MAX_ITERATIONS,
                               .trials = MAX_TRIALS,
                               .decrease = least_decrease,
                               .step_goal = no_step,
                               .slow = slow,
                               .slow_step = short_step};
    dd_gauss_newton_info run;
    dd_status st = dd_gauss_newton_run(&run, w->s->ctx, &g);
    dd_check_stop(w->s->ctx);
    dd_system_must(w->s, st, "derivative array");
    return run;
}

/* What the terms of a row amount to. */
static double row_size(const dd_array_work *w, const double *x, uint32_t row)
{
    double size = 1e-300;
    for (uint32_t c = 0; c < w->cols; c++) {
        double value = fmax(fabs(x[(size_t)(c % w->n) * w->stride + c / w->n]), least_value);
        size = fmax(size, fabs(w->m[(size_t)c * w->rows + row]) * value);
    }
    return size;
}

/* Moves x onto the array's zero set. */
bool dd_array_make_consistent(dd_array_work *w, double *x, uint32_t *failed_row)
{
    const dd_gauss_newton_info run = iterate(w, x);
    if (run.end == DD_END_NOT_FINITE || run.end == DD_END_NO_STEP || !fill_matrix(w, x)) {
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
bool dd_array_find_point(dd_array_work *w, const double *guess, double *x, uint32_t *failed_row)
{
    bool any_fixed = false;
    for (uint32_t j = 0; j < w->n; j++) {
        any_fixed = any_fixed || w->s->model->vars.data[w->s->unknown[j]].fixed;
    }
    for (dd_array_hold held = DD_HOLD_WRITTEN; held <= (any_fixed ? DD_HOLD_FIXED : DD_HOLD_NONE); held++) {
        memcpy(x, guess, (size_t)w->n * w->stride * sizeof *x);
        dd_array_set_weights(w, held);
        if (dd_array_make_consistent(w, x, failed_row)) {
            return true;
        }
        if (w->s->array->given_up) {
            break;
        }
    }
    return false;
}

bool dd_system_fixed_hold(dd_system *s, dd_numeric *nm, const double *x0, uint32_t stride0, uint32_t order,
                          uint32_t *row, bool *defined, dd_pool *pool)
{
    enum { MOST_ROWS = 240 }; /* dense algebra for a warning: not more than a few milliseconds */
    dd_array_work w = {.s = s, .nm = nm, .n = nm->inc->n};
    *defined = true;
    *row = DD_NO_INDEX;
    if ((uint64_t)w.n * (order + 1) > MOST_ROWS || s->array->given_up) {
        return true;
    }
    w.scratch = dd_pool_child(pool);
    dd_array_set_order(&w, order);
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
    dd_array_set_weights(&w, DD_HOLD_FIXED);
    bool finite = fill_residual(&w, x, w.r);
    for (uint32_t i = 0; i < w.rows && !finite && *defined; i++) {
        *defined = isfinite(w.r[i]);
        *row = i % w.n;
    }
    bool possible = (finite && dd_array_make_consistent(&w, x, row)) || s->array->given_up || *row == DD_NO_INDEX;
    dd_pool_free(w.scratch);
    return possible;
}
