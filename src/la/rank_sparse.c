/* rank_sparse.c - rank of a sparse matrix whose rows are all known: order the columns, add the rows in priority order,
 * then collect the null vectors asked for. A square matrix is first tried block by block: when it is clearly regular
 * there is nothing to choose among the rows.
 */
#include "la/rank_sparse.h"

#include <math.h>
#include <string.h>

#include "la/regular.h"
#include "la/travel.h"

/* Null vectors: entries below this share of the largest are rounding. */
static const double null_vector_drop = 1e-13;

/* A sum below this share of the sizes of its terms is rounding: a few units in the last place. */
static const double sum_rounding = 1e-15;

typedef struct ranker {
    dd_context *ctx;
    const dd_csc *a;
    const dd_rank_sparse_options *options;
    dd_csc rows; /* the transpose: row i of a is its column i */
    dd_rowspace *space;
    uint8_t *row_dependent;
    uint32_t *pivot_row;  /* columns of a */
    uint32_t *number_row; /* rows by number of adding */
} ranker;

dd_rank_sparse_options dd_rank_sparse_options_default(void)
{
    return (dd_rank_sparse_options){.space = dd_rowspace_options_default()};
}

static double magnitude_of(const ranker *r, uint32_t i)
{
    return r->options->row_magnitude != NULL ? r->options->row_magnitude[i] : 0;
}

/* Sizes of the entries of all rows with columns scaled; an entry that is noise has size 0. */
static void entry_sizes(const ranker *r, const double *col_scale, double *size)
{
    for (uint32_t i = 0; i < r->a->nrows; i++) {
        /* below tol times its magnitude an entry is rounding noise */
        double noise = r->options->space.tol * magnitude_of(r, i);
        for (uint32_t e = r->rows.ptr[i]; e < r->rows.ptr[i + 1]; e++) {
            double v = fabs(r->rows.val[e]);
            size[e] = v > noise ? v * col_scale[r->rows.idx[e]] : 0;
        }
    }
}

/* The row space with its column order and scales. */
static dd_status open_space(ranker *r, bool track)
{
    dd_work w = {.ctx = r->ctx};
    uint32_t *order = dd_work_array(&w, r->a->ncols, sizeof *order);
    double *row_scale = dd_work_array(&w, r->a->nrows, sizeof *row_scale);
    double *col_scale = dd_work_array(&w, r->a->ncols, sizeof *col_scale);
    double *size = dd_work_array(&w, r->rows.ptr[r->a->nrows], sizeof *size);
    dd_rowspace_options space = r->options->space;
    space.track = track;
    dd_pattern p = {.nrows = r->a->nrows, .ncols = r->a->ncols, .ptr = r->rows.ptr, .idx = r->rows.idx};
    /* columns in comparable units, then the order that limits fill, then the space itself */
    dd_status st = w.failed ? DD_OUT_OF_MEMORY : dd_csc_equilibrate(r->ctx, r->a, 3, row_scale, col_scale);
    if (st == DD_OK) {
        entry_sizes(r, col_scale, size);
        st = dd_rowspace_order(r->ctx, &p, size, space.threshold, order);
    }
    if (st == DD_OK) {
        st = dd_rowspace_new(&r->space, r->ctx, r->a->ncols, order, &space);
    }
    if (st == DD_OK) {
        dd_rowspace_set_scale(r->space, col_scale);
    }
    dd_work_free(&w);
    return st;
}

static dd_status add_rows(ranker *r)
{
    for (uint32_t k = 0; k < r->a->nrows; k++) {
        /* first in priority, first added: rows added later are the dependent ones */
        uint32_t i = r->options->row_priority != NULL ? r->options->row_priority[k] : k, at = r->rows.ptr[i];
        bool independent = false;
        dd_status st = dd_rowspace_add(r->space, r->rows.ptr[i + 1] - at, r->rows.idx + at, r->rows.val + at,
                                       magnitude_of(r, i), &independent);
        if (st != DD_OK) {
            return st;
        }
        r->row_dependent[i] = !independent;
        r->number_row[k] = i;
    }
    /* free columns are those without a pivot */
    dd_rowspace_pivots(r->space, r->pivot_row);
    return DD_OK;
}

/* Appends column q of `out` from the dense vector x, without rounding dust. */
static dd_status append_dense(dd_context *ctx, dd_csc *out, dd_pairs *pairs, uint32_t q, const double *x)
{
    /* relative to the largest entry: a null vector may have any scale */
    double largest = 0;
    for (uint32_t i = 0; i < out->nrows; i++) {
        largest = fmax(largest, fabs(x[i]));
    }
    for (uint32_t i = 0; i < out->nrows; i++) {
        if (fabs(x[i]) > null_vector_drop * largest && dd_pairs_push(ctx, pairs, i, x[i]) != DD_OK) {
            return DD_OUT_OF_MEMORY;
        }
    }
    if (pairs->len > UINT32_MAX) {
        return dd_fail(ctx, DD_LIMIT, "the null vectors asked for have too many entries");
    }
    out->ptr[q + 1] = (uint32_t)pairs->len;
    return DD_OK;
}

/* Columns of a null-space matrix are made one by one by `make`, which fills the dense x. */
typedef dd_status (*vector_fn)(ranker *r, uint32_t which, double *x);

static dd_status collect(ranker *r, dd_csc *out, uint32_t n, uint32_t count, const uint32_t *which, vector_fn make)
{
    /* the number of entries is known only at the end, so they are collected as pairs */
    dd_work w = {.ctx = r->ctx};
    dd_pairs pairs = {0};
    double *x = dd_work_array(&w, n, sizeof *x);
    dd_csc shape = {.nrows = n, .ncols = count};
    shape.ptr = dd_work_array(&w, (size_t)count + 1, sizeof *shape.ptr);
    dd_status st = w.failed ? DD_OUT_OF_MEMORY : DD_OK;
    /* one dense vector at a time */
    for (uint32_t q = 0; q < count && st == DD_OK; q++) {
        st = make(r, which[q], x);
        st = st == DD_OK ? append_dense(r->ctx, &shape, &pairs, q, x) : st;
    }
    /* pairs to columns */
    st = st == DD_OK ? dd_csc_new(out, r->ctx, n, count, (uint32_t)pairs.len) : st;
    if (st == DD_OK) {
        memcpy(out->ptr, shape.ptr, ((size_t)count + 1) * sizeof *out->ptr);
        for (size_t e = 0; e < pairs.len; e++) {
            out->idx[e] = pairs.data[e].idx;
            out->val[e] = pairs.data[e].val;
        }
    }
    dd_mem_free(r->ctx, pairs.data, pairs.cap * sizeof *pairs.data);
    dd_work_free(&w);
    return st;
}

/* The space knows its rows up to tol; one step of refinement with the rows themselves restores the digits. */
static dd_status right_vector(ranker *r, uint32_t column, double *x)
{
    dd_work w = {.ctx = r->ctx};
    double *residual = dd_work_array(&w, r->a->nrows, sizeof *residual);
    double *rhs = dd_work_array(&w, r->a->nrows, sizeof *rhs);
    double *dx = dd_work_array(&w, r->a->ncols, sizeof *dx);
    dd_status st = w.failed ? DD_OUT_OF_MEMORY : dd_rowspace_null_vector(r->space, column, x);
    if (st == DD_OK) {
        /* r = -A x in the order of adding, then A dx = r with dx = 0 in the free columns */
        dd_csc_multiply(r->a, -1, x, residual);
        for (uint32_t k = 0; k < r->a->nrows; k++) {
            rhs[k] = residual[r->number_row[k]];
        }
        st = dd_rowspace_solve(r->space, rhs, dx);
    }
    for (uint32_t j = 0; j < r->a->ncols && st == DD_OK; j++) {
        x[j] += dx[j];
    }
    dd_work_free(&w);
    return st;
}

/* x -= the coefficients of the sparse row in the space; nothing happens when it is not in it. */
static dd_status subtract_row(ranker *r, uint32_t count, const uint32_t *idx, const double *val, double magnitude,
                              dd_combination *c, double *x)
{
    dd_status st = dd_rowspace_express(r->space, count, idx, val, magnitude, c);
    for (uint32_t t = 0; t < c->terms && st == DD_OK; t++) {
        x[r->number_row[c->of[t]]] -= c->coef[t];
    }
    return st;
}

/* Subtracts the residual x^T A. Entries of it that are rounding are left out. */
static dd_status refine_left(ranker *r, dd_combination *c, double *x)
{
    dd_work w = {.ctx = r->ctx};
    const dd_csc *a = r->a;
    uint32_t *idx = dd_work_array(&w, a->ncols, sizeof *idx), count = 0;
    double *val = dd_work_array(&w, a->ncols, sizeof *val);
    /* the row x^T A, whose entries would all be zero without rounding */
    for (uint32_t j = 0; j < a->ncols && !w.failed; j++) {
        double sum = 0, size = 0;
        for (uint32_t e = a->ptr[j]; e < a->ptr[j + 1]; e++) {
            sum += a->val[e] * x[a->idx[e]];
            size += fabs(a->val[e] * x[a->idx[e]]);
        }
        if (fabs(sum) > sum_rounding * size) {
            idx[count] = j;
            val[count++] = sum;
        }
    }
    dd_status st = w.failed ? DD_OUT_OF_MEMORY : subtract_row(r, count, idx, val, 0, c, x);
    dd_work_free(&w);
    return st;
}

/* row i = sum coef * earlier rows, as the vector e_i - coef */
static dd_status left_vector(ranker *r, uint32_t i, double *x)
{
    dd_work w = {.ctx = r->ctx};
    /* e_i minus the combination of independent rows that row i is */
    uint32_t rank = dd_rowspace_get_info(r->space).rank, at = r->rows.ptr[i], count = r->rows.ptr[i + 1] - at;
    dd_combination c = {.of = dd_work_array(&w, rank, sizeof *c.of)};
    c.coef = dd_work_array(&w, rank, sizeof *c.coef);
    memset(x, 0, r->a->nrows * sizeof *x);
    x[i] = 1;
    dd_status st = DD_OUT_OF_MEMORY;
    if (!w.failed) {
        st = subtract_row(r, count, r->rows.idx + at, r->rows.val + at, magnitude_of(r, i), &c, x);
    }
    st = st == DD_OK ? refine_left(r, &c, x) : st;
    dd_work_free(&w);
    return st;
}

/* ---- square and regular ---- */

/* A scaled copy of A without the entries that are noise by their row's magnitude. */
static dd_status scaled_copy(const ranker *r, dd_csc *out, double *row_scale, double *col_scale)
{
    const dd_csc *a = r->a;
    uint32_t n = 0;
    dd_status st = dd_csc_new(out, r->ctx, a->nrows, a->ncols, a->ptr[a->ncols]);
    /* entries that are noise are left out; !(<=) keeps NaN, which the factorisation then refuses */
    for (uint32_t j = 0; j < a->ncols && st == DD_OK; j++) {
        for (uint32_t e = a->ptr[j]; e < a->ptr[j + 1]; e++) {
            if (!(fabs(a->val[e]) <= r->options->space.tol * magnitude_of(r, a->idx[e]))) {
                out->idx[n] = a->idx[e];
                out->val[n++] = a->val[e];
            }
        }
        out->ptr[j + 1] = n;
    }
    st = st == DD_OK ? dd_csc_equilibrate(r->ctx, out, 3, row_scale, col_scale) : st;
    if (st == DD_OK) {
        dd_csc_scale(out, row_scale, col_scale);
    }
    return st;
}

/* out->rank is n when the matrix is regular with an rcond of at least `limit`, otherwise 0. */
static dd_status try_regular(const ranker *r, double limit, dd_rowspace_info *out)
{
    uint32_t n = r->a->ncols;
    dd_csc copy = {0};
    dd_regular test = {0};
    dd_work w = {.ctx = r->ctx};
    double *row_scale = dd_work_array(&w, n, sizeof *row_scale);
    double *col_scale = dd_work_array(&w, n, sizeof *col_scale);
    dd_status st = w.failed ? DD_OUT_OF_MEMORY : scaled_copy(r, &copy, row_scale, col_scale);
    st = st == DD_OK ? dd_regular_test(&test, r->ctx, &copy, limit) : st;
    /* without dependent rows priorities do not matter */
    if (st == DD_OK && test.rcond >= limit && test.rcond > 0) {
        *out = (dd_rowspace_info){.rows = n, .rank = n, .kept = test.rcond, .clear = true};
        out->work = out->stored = test.fill;
    }
    dd_csc_free(r->ctx, &copy);
    dd_work_free(&w);
    return st;
}

/* Fills the results of a regular matrix: nothing is dependent or free. */
static dd_status report_regular(const ranker *r, uint8_t *col_free, dd_csc *left, dd_csc *right)
{
    uint32_t n = r->a->ncols;
    memset(r->row_dependent, 0, n);
    if (col_free != NULL) {
        /* all columns carry a pivot, and the null spaces have no columns */
        memset(col_free, 0, n);
    }
    dd_status st = left != NULL ? dd_csc_new(left, r->ctx, n, 0, 0) : DD_OK;
    return st == DD_OK && right != NULL ? dd_csc_new(right, r->ctx, n, 0, 0) : st;
}

/* ---- any matrix ---- */

/* Lists up to `most` dependent rows in priority (or free columns), then collects their vectors. */
static dd_status collect_left(ranker *r, dd_csc *out, uint32_t most)
{
    dd_work w = {.ctx = r->ctx};
    uint32_t *which = dd_work_array(&w, r->a->nrows, sizeof *which), count = 0;
    for (uint32_t k = 0; k < r->a->nrows && count < most && !w.failed; k++) {
        if (r->row_dependent[r->number_row[k]]) {
            which[count++] = r->number_row[k];
        }
    }
    dd_status st = w.failed ? DD_OUT_OF_MEMORY : collect(r, out, r->a->nrows, count, which, left_vector);
    dd_work_free(&w);
    return st;
}

static dd_status collect_right(ranker *r, dd_csc *out, uint32_t most)
{
    dd_work w = {.ctx = r->ctx};
    uint32_t *which = dd_work_array(&w, r->a->ncols, sizeof *which), count = 0;
    for (uint32_t j = 0; j < r->a->ncols && count < most && !w.failed; j++) {
        if (r->pivot_row[j] == DD_NO_INDEX) {
            which[count++] = j;
        }
    }
    dd_status st = w.failed ? DD_OUT_OF_MEMORY : collect(r, out, r->a->ncols, count, which, right_vector);
    dd_work_free(&w);
    return st;
}

static dd_status run(ranker *r, dd_rowspace_info *out, uint8_t *col_free, dd_csc *left, dd_csc *right)
{
    /* square: perhaps the blocks of its block-triangular form are all regular */
    /* two decades above tol: only a clearly regular matrix skips the row space */
    const double limit = DD_CLEAR_MARGIN * r->options->space.tol;
    dd_status st = r->a->nrows == r->a->ncols ? try_regular(r, limit, out) : DD_OK;
    if (st != DD_OK || (out->rank > 0 && out->rank == r->a->ncols)) {
        return st == DD_OK ? report_regular(r, col_free, left, right) : st;
    }
    /* the row space needs rows, that is columns of the transpose */
    st = dd_csc_transpose(&r->rows, r->ctx, r->a);
    /* multipliers cost memory: they are kept only for the sake of null vectors */
    st = st == DD_OK
             ? open_space(r, (left != NULL && r->options->max_left > 0) || (right != NULL && r->options->max_right > 0))
             : st;
    st = st == DD_OK ? add_rows(r) : st;
    for (uint32_t j = 0; j < r->a->ncols && st == DD_OK && col_free != NULL; j++) {
        col_free[j] = r->pivot_row[j] == DD_NO_INDEX;
    }
    if (st == DD_OK && left != NULL) {
        st = collect_left(r, left, r->options->max_left);
    }
    if (st == DD_OK && right != NULL) {
        st = collect_right(r, right, r->options->max_right);
    }
    if (st == DD_OK) {
        *out = dd_rowspace_get_info(r->space);
    }
    return st;
}

static void empty(dd_context *ctx, dd_csc *a)
{
    if (a != NULL) {
        dd_csc_free(ctx, a);
    }
}

dd_status dd_rank_sparse(dd_rowspace_info *out, dd_context *ctx, const dd_csc *a, const dd_rank_sparse_options *options,
                         uint8_t *row_dependent, uint8_t *col_free, dd_csc *left, dd_csc *right)
{
    dd_rank_sparse_options defaults = dd_rank_sparse_options_default();
    dd_work w = {.ctx = ctx};
    ranker r = {.ctx = ctx, .a = a, .options = options != NULL ? options : &defaults};
    memset(out, 0, sizeof *out);
    /* empty results first: a failure must leave something that can be freed */
    if (left != NULL) {
        memset(left, 0, sizeof *left);
    }
    if (right != NULL) {
        memset(right, 0, sizeof *right);
    }
    r.row_dependent = row_dependent;
    r.pivot_row = dd_work_array(&w, a->ncols, sizeof *r.pivot_row);
    r.number_row = dd_work_array(&w, a->nrows, sizeof *r.number_row);
    dd_status st = w.failed ? DD_OUT_OF_MEMORY : run(&r, out, col_free, left, right);
    if (st != DD_OK) {
        empty(ctx, left);
        empty(ctx, right);
    }
    dd_rowspace_free(r.space);
    dd_csc_free(ctx, &r.rows);
    dd_work_free(&w);
    return st;
}

dd_status dd_rank_is_clear(bool *clear, double *rcond, dd_context *ctx, const dd_csc *a,
                           const dd_rank_sparse_options *options, double limit)
{
    const ranker r = {.ctx = ctx, .a = a, .options = options};
    dd_rowspace_info info = {0};
    dd_status st = a->nrows == a->ncols ? try_regular(&r, limit, &info) : DD_OK;
    *clear = st == DD_OK && a->ncols > 0 && info.rank == a->ncols;
    *rcond = info.kept;
    return st;
}
