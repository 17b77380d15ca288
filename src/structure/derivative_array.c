/* derivative_array.c - ranks of the derivative array by Taylor arithmetic (Campbell; Kunkel and Mehrmann 2006, ch. 3).
 *
 * The array and its columns, Taylor coefficients of x and of w = (x', x'', ...), are those of array_point.c. With M_k
 * the rows 0..k:
 *     index     smallest k where x' is determined:  rank M_k(w) - rank M_k(w without x') = n
 *     visible   rank [M_0(x) M_0(w)] - rank M_0(w);    all constraints: the same difference at k = index
 */
#include "structure/derivative_array.h"

#include <math.h>
#include <string.h>

#include "la/dense.h"
#include "structure/array_impl.h"

enum { MAX_ROWS = 700 };                   /* of the array: dense algebra, whose cost is their cube */
static const double dependent_part = 1e-7; /* singular values of orthonormal parts below this are zero */
static const double open_part = 1e-5;      /* entries of null vectors above this are not rounding */
static const double rank_tolerance = 1e-8;
/* entries below 1e-11 of their row's magnitude, and rows all below 1e-7 of it, are zero */
static const double entry_noise = 1e-7, row_noise = 1e-3;
static const double doubtful_part = 1e-4; /* of the rows that stay: a row of noise above it may be one like them */
static const double time_step = 1e-2;     /* how far along the solution ranks are compared */

/* Of the first n_rows rows and n_cols columns. */
static void geometric_scale(dd_array_work *w, double *scale, uint32_t n_rows, uint32_t n_cols, bool rows)
{
    uint32_t n = rows ? n_rows : n_cols;
    /* 1 / sqrt(smallest * largest) of each row, or column, without its zeros */
    for (uint32_t k = 0; k < n; k++) {
        double least = INFINITY, most = 0;
        for (uint32_t q = 0; q < (rows ? n_cols : n_rows); q++) {
            double v = fabs(rows ? w->scaled[(size_t)q * w->rows + k] : w->scaled[(size_t)k * w->rows + q]);
            least = v > 0 ? fmin(least, v) : least;
            most = fmax(most, v);
        }
        scale[k] = most > 0 ? 1.0 / sqrt(least * most) : 1.0;
    }
    for (uint32_t c = 0; c < n_cols; c++) {
        for (uint32_t i = 0; i < n_rows; i++) {
            w->scaled[(size_t)c * w->rows + i] *= scale[rows ? i : c];
        }
    }
}

/* A copy of the matrix in which entries at noise level are zero and rows 0..k and their columns have geometric means near
 * 1, so that ranks do not depend on units of variables or of time. Only these: the coefficients of a quick motion grow
 * with their order, and rows of a higher one would blur the scales of columns that they share. False where a row that was
 * dropped as noise is as large as others: terms of its formula that cancel are huge (a division by what vanishes on
 * solutions), and it says nothing. */
static bool scale_matrix(dd_array_work *w, uint32_t k)
{
    enum { SWEEPS = 4 };
    const uint32_t n_rows = (k + 1) * w->n, n_cols = (k + 2) * w->n;
    double *row = dd_pool_alloc_array(w->scratch, w->rows, sizeof *row),
           *col = dd_pool_alloc_array(w->scratch, w->cols, sizeof *col);
    memset(w->scaled, 0, (size_t)w->rows * w->cols * sizeof *w->scaled);
    /* entries that are rounding, and rows made of nothing but rounding, become zero, in units of the unknowns, since a
     * term of large ones has a small coefficient; row: 1 where there is more */
    for (uint32_t u = 0; u < DD_UNITS; u++) {
        for (uint32_t c = 0; c < w->cols; c++) {
            const double unit = dd_system_unit(w->s, c % w->n, u), one = dd_system_unit(w->s, c % w->n, 0);
            for (uint32_t i = 0; i < w->rows; i++) {
                double *entry = &w->scaled[(size_t)c * w->rows + i];
                const double v = w->m[(size_t)c * w->rows + i], noise = w->noise[u * w->rows + i];
                *entry = fabs(v) * unit > entry_noise * noise ? v * one : *entry;
                row[i] = v != 0 && fabs(v) * unit >= row_noise * noise ? 1.0 : row[i];
            }
        }
    }
    double least = HUGE_VAL, dropped = 0;
    for (uint32_t i = 0; i < w->rows; i++) {
        double largest = 0;
        for (uint32_t c = 0; c < w->cols; c++) {
            largest = fmax(largest, fabs(w->m[(size_t)c * w->rows + i]) * dd_system_unit(w->s, c % w->n, 0));
        }
        for (uint32_t c = 0; c < w->cols && row[i] == 0; c++) {
            w->scaled[(size_t)c * w->rows + i] = 0.0;
        }
        least = row[i] > 0 ? fmin(least, largest) : least;
        dropped = row[i] == 0 ? fmax(dropped, largest) : dropped;
    }
    /* then rows and columns in turn; a few sweeps settle it */
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        geometric_scale(w, row, n_rows, n_cols, true);
        geometric_scale(w, col, n_rows, n_cols, false);
    }
    return dropped == 0 || dropped < doubtful_part * least;
}

/* Rank of rows 0..k and the column blocks first..k+1. */
static uint32_t rank_of(dd_array_work *w, uint32_t k, uint32_t first_block, bool *clear)
{
    uint32_t rows = (k + 1) * w->n, cols = (k + 2 - first_block) * w->n;
    dd_rank_info info;
    if (!dd_array_spend(w, rows, cols)) {
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
static ranks read_ranks(dd_array_work *w, uint32_t k_limit)
{
    ranks out = {.clear = scale_matrix(w, k_limit)};
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
static void advance(const dd_array_work *w, const double *x, double h, double *out)
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

static bool same_later(dd_array_work *w, const double *x, const ranks *now, uint32_t k_limit)
{
    double *later = dd_pool_alloc_array(w->scratch, (size_t)w->n * w->stride, sizeof *later);
    uint32_t row;
    double t0 = w->nm->t0;
    /* a point on the same solution, nearly: a correction brings it onto the rows again */
    advance(w, x, time_step, later);
    dd_array_set_weights(w, DD_HOLD_NONE);
    w->nm->t0 = t0 + time_step;
    bool ok = dd_array_make_consistent(w, later, &row);
    /* where no such point is found nothing contradicts */
    ranks then = ok ? read_ranks(w, k_limit) : *now;
    then = w->s->array->given_up ? *now : then;
    w->nm->t0 = t0;
    return then.index == now->index && then.visible == now->visible && then.constraints == now->constraints;
}

/* Columns whose x' is not determined by rows 0..k: null vectors of M(w) with a part in x'. */
static void open_columns(dd_array_work *w, dd_array_verdict *out, dd_pool *pool)
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

/* Complement of the x parts (n x count, leading dimension cols) of null vectors, which have length 1. Vectors that only
 * move derivatives have x parts of rounding errors, and a rank scales its columns: parts below a level are set to zero,
 * the lowest level at which dof directions are left. */
static dd_status complement_of(dd_array_work *w, double *null, uint32_t count, uint32_t cols, uint32_t dof,
                               dd_rank_info *part, double *left)
{
    static const double levels[] = {1e-14, 1e-12, 1e-10, 1e-8}; /* rounding errors grow with the size of derivatives */
    dd_status st = DD_OK;
    for (size_t l = 0; st == DD_OK && l < sizeof levels / sizeof *levels && (l == 0 || part->rank != dof); l++) {
        for (uint32_t q = 0; q < count; q++) {
            for (uint32_t j = 0; j < w->n; j++) {
                double *entry = &null[(size_t)q * cols + j];
                *entry = fabs(*entry) > levels[l] ? *entry : 0;
            }
        }
        st = dd_rank_dense(part, w->s->ctx, &(dd_dense){w->n, count, null, cols}, dependent_part, NULL, left, NULL);
    }
    return st;
}

/* Directions in x that rows 0..k allow: the x part of the null space of [M(x) M(w)], an orthonormal basis of dof
 * vectors. */
static void tangent_space(dd_array_work *w, uint32_t k, uint32_t dof, dd_array_verdict *out, dd_pool *pool)
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
        st = complement_of(w, null, count, cols, dof, &part, left);
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

static void conclude(dd_array_work *w, const ranks *r, const double *x, dd_array_verdict *out, dd_pool *pool)
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
        tangent_space(w, r->index, w->n - r->constraints, out, pool);
    } else {
        open_columns(w, out, pool);
    }
}

uint32_t dd_array_rows(const dd_system *s, uint32_t index)
{
    enum { NO_ARRAY = 1000 }; /* an index beyond is not computed, and its product might overflow */
    return index > NO_ARRAY ? UINT32_MAX : (index + 3) * s->ncols;
}

/* The search for an index, one more block of rows in each round. */
typedef struct index_search {
    bool singular;           /* the Jacobian is singular at the point */
    const double *x0;        /* the caller's guess, */
    uint32_t stride0;        /* ncols * stride0 coefficients */
    const double *x;         /* the point of the round before, NULL at first, */
    uint32_t stride;         /* likewise */
    ranks before;            /* its ranks */
    uint32_t highest, limit; /* index, and order of rows, up to which it goes on */
} index_search;

/* Coefficients found so far, those of the caller, then zeros. */
static double *guess_of_round(const dd_array_work *w, const index_search *f)
{
    double *guess = dd_pool_alloc_array(w->scratch, (size_t)w->n * w->stride, sizeof *guess);
    for (uint32_t j = 0; j < w->n; j++) {
        for (uint32_t q = 0; q < w->stride; q++) {
            double first = q < f->stride0 ? f->x0[(size_t)j * f->stride0 + q] : 0.0;
            guess[(size_t)j * w->stride + q] = f->x && q < f->stride ? f->x[(size_t)j * f->stride + q] : first;
        }
    }
    return guess;
}

/* The same index, constraints and ranks with one more differentiation: they will not change any more. */
static bool is_settled(const ranks *now, const ranks *before, uint32_t k)
{
    return k > 1 && now->found && before->found && now->index == before->index && now->index < k &&
           now->visible == before->visible && now->constraints == before->constraints;
}

/* Ranks of rows 0..k. At a singular point only an index with 2 index + 2 <= k is believed, so an odd k > 1 shows
 * nothing new where none was found before. */
static ranks ranks_of_round(dd_array_work *w, const index_search *f, uint32_t k, uint32_t believed)
{
    const bool nothing_new = f->singular && k % 2 == 1 && k > 1 && !f->before.found;
    ranks now = {0};
    /* an index that was found is confirmed by its own rows, at the point of this round; where it is not, all rows count */
    if (f->before.found && f->before.index < believed) {
        now = read_ranks(w, f->before.index);
    }
    if (!w->s->array->given_up && !(now.found && now.clear)) {
        now = nothing_new ? f->before : read_ranks(w, believed);
    }
    now.found = now.found && (!f->singular || 2 * now.index + 2 <= k);
    return now;
}

/* Rows 0..k from the point of the round before. True when the search is over, with *out. */
static bool run_round(dd_array_work *w, index_search *f, uint32_t k, dd_array_verdict *out, dd_pool *pool)
{
    const dd_system *s = w->s;
    /* ranks mean something only where all rows hold */
    double *next = dd_pool_alloc_array(pool, (size_t)w->n * w->stride, sizeof *next);
    out->consistent = dd_array_find_point(w, guess_of_round(w, f), next, &out->failed_row);
    if (s->array->given_up) {
        out->consistent = false;
        out->exhausted = true;
    }
    if (!out->consistent) {
        return true;
    }
    const uint32_t believed = !f->singular ? k : k >= 2 ? k / 2 - 1 : 0;
    const ranks now = ranks_of_round(w, f, k, believed);
    if (s->array->given_up) {
        *out = (dd_array_verdict){.exhausted = true};
        return true;
    }
    /* settled; or the constraints have ended without determining x'; or there is no room for more rows and no index was
     * seen */
    const bool settled = is_settled(&now, &f->before, k);
    const bool stalled = f->singular && now.stalled && now.clear && believed >= s->off.max_c1;
    const bool hopeless = k == f->limit + 1 || w->n * (k + 2) > MAX_ROWS;
    if (settled || stalled || (hopeless && !now.found && !f->before.found && k > f->highest)) {
        conclude(w, &now, next, out, pool);
        out->motion_varies = f->singular && (settled || stalled) && !same_later(w, next, &now, believed);
        return true;
    }
    f->before = now;
    f->x = next;
    f->stride = w->stride;
    return false;
}

dd_array_verdict dd_system_derivative_array(dd_system *s, dd_numeric *nm, const double *x0, uint32_t stride0,
                                            bool singular, dd_pool *pool)
{
    dd_array_verdict out = {.consistent = true};
    dd_array_work w = {.s = s, .nm = nm, .n = nm->inc->n};
    index_search f = {.singular = singular, .x0 = x0, .stride0 = stride0};
    /* at a singular point rows 0..k are believed for an index of k/2 - 1 at most, so twice as many are needed */
    f.highest = s->options.max_index < w.n + 1 ? s->options.max_index : w.n + 1;
    f.limit = singular ? 2 * f.highest + 1 : f.highest;
    /* blocks of rows below which nothing is believed: not even the structural index could be confirmed */
    const uint64_t least = singular ? 2 * (uint64_t)s->off.max_c1 + 3 : 0;
    if (least * w.n > MAX_ROWS) {
        s->array->given_up = true;
        return (dd_array_verdict){.exhausted = true};
    }
    bool over = false;
    for (uint32_t k = 1; !over && k <= f.limit + 1 && w.n * (k + 1) <= MAX_ROWS; k++) {
        w.scratch = dd_pool_child(pool);
        dd_array_set_order(&w, k);
        over = run_round(&w, &f, k, &out, pool);
        dd_pool_free(w.scratch);
    }
    return out;
}
