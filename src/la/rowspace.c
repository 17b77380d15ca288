/* rowspace.c - the row space as its users see it: adding, testing and expressing rows, null vectors. The reduction of a
 * row is in travel.c, the elimination order in order.c; start with dd_rowspace_add.
 */
#include "la/rowspace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "la/travel.h"

/* A partial sum joins this many entries of a long row. */
enum { CHUNK = 16 };

/* Rows with more entries than this, and than twice the root of the number of columns, are long: below, cutting them
 * costs more than the fill it saves. */
enum { LEAST_LONG = 500 };

/* Entries of long rows that are cut: this many per column and some more. A few dozen rows across all columns, and a bound
 * on the auxiliary columns. */
enum { BUDGET_PER_COLUMN = 64, BUDGET_LEAST = 1000 };

dd_rowspace_options dd_rowspace_options_default(void)
{
    return (dd_rowspace_options){.tol = 1e-8, .threshold = 0.3};
}

uint32_t dd_long_row_limit(uint32_t ncols)
{
    double limit = 2 * sqrt(ncols);
    return limit > LEAST_LONG ? (uint32_t)limit : LEAST_LONG;
}

static void init_column(dd_row_column *c, uint64_t key, double scale)
{
    *c = (dd_row_column){.key = key, .scale = scale, .pivot = DD_NO_INDEX, .first = DD_NO_INDEX};
}

/* Positions are 2^32 apart: room for columns that are postponed behind others. */
static uint64_t position_key(uint32_t position)
{
    return (uint64_t)position << 32;
}

dd_status dd_rowspace_new(dd_rowspace **out, dd_context *ctx, uint32_t ncols, const uint32_t *column_order,
                          const dd_rowspace_options *options)
{
    *out = NULL;
    dd_rowspace *rs = dd_mem_new_array(ctx, 1, sizeof *rs);
    if (rs == NULL) {
        return DD_OUT_OF_MEMORY;
    }
    rs->ctx = ctx;
    rs->options = options != NULL ? *options : dd_rowspace_options_default();
    rs->info.kept = 1;
    rs->ncols = rs->ncolumns = ncols;
    rs->long_row = dd_long_row_limit(ncols);
    rs->long_budget = BUDGET_PER_COLUMN * (uint64_t)ncols + BUDGET_LEAST;
    rs->column = dd_grow(ctx, NULL, &rs->column_cap, (size_t)ncols + 1, sizeof *rs->column);
    if (rs->column == NULL) {
        dd_rowspace_free(rs);
        return DD_OUT_OF_MEMORY;
    }
    /* columns in elimination order, none with a pivot */
    for (uint32_t k = 0; k < ncols; k++) {
        init_column(&rs->column[column_order != NULL ? column_order[k] : k], position_key(k), 1.0);
    }
    *out = rs;
    return DD_OK;
}

void dd_rowspace_free(dd_rowspace *rs)
{
    if (rs == NULL) {
        return;
    }
    dd_context *ctx = rs->ctx;
    dd_mem_free(ctx, rs->column, rs->column_cap * sizeof *rs->column);
    dd_mem_free(ctx, rs->basis, rs->basis_cap * sizeof *rs->basis);
    dd_mem_free(ctx, rs->passed, rs->passed_cap * sizeof *rs->passed);
    dd_mem_free(ctx, rs->lookup, rs->lookup_cap * sizeof *rs->lookup);
    dd_mem_free(ctx, rs->entries.data, rs->entries.cap * sizeof *rs->entries.data);
    dd_mem_free(ctx, rs->history.data, rs->history.cap * sizeof *rs->history.data);
    dd_mem_free(ctx, rs->sweep, rs->sweep_cap * sizeof *rs->sweep);
    dd_mem_free(ctx, rs, sizeof *rs);
}

void dd_rowspace_set_scale(dd_rowspace *rs, const double *scale)
{
    for (uint32_t j = 0; j < rs->ncols; j++) {
        rs->column[j].scale = scale[j];
    }
}

/* ---- adding ---- */

static dd_status check_row(const dd_rowspace *rs, uint32_t count, const uint32_t *idx, const double *val)
{
    for (uint32_t k = 0; k < count; k++) {
        if (idx[k] >= rs->ncols || !isfinite(val[k])) {
            return dd_fail(rs->ctx, DD_INVALID_ARGUMENT,
                           "a row has a column out of range or a value that is not finite");
        }
    }
    return DD_OK;
}

static void load_row(dd_rowspace *rs, uint32_t count, const uint32_t *idx, const double *val, double magnitude)
{
    for (uint32_t k = 0; k < count; k++) {
        dd_travel_put(rs, idx[k], val[k], fmax(fabs(val[k]), magnitude));
    }
}

/* Lets the loaded row travel and keeps it when it is independent. */
static dd_status add_loaded(dd_rowspace *rs, bool partial, bool *independent)
{
    uint32_t landing;
    /* multipliers of a row that turns out dependent are taken back */
    size_t history = rs->history.len;
    dd_status st = dd_travel_run(rs, DD_TRAVEL_ADD, &landing);
    if (st != DD_OK) {
        return st;
    }
    *independent = landing != DD_NO_INDEX;
    if (*independent) {
        return dd_travel_settle(rs, landing, rs->info.rows - 1, partial, history);
    }
    /* dependent: how close the call was is part of the answer */
    rs->history.len = history;
    rs->info.dropped = fmax(rs->info.dropped, rs->row_dropped);
    return DD_OK;
}

typedef struct long_entry {
    uint64_t key;
    uint32_t column;
    double value;
} long_entry;

static int compare_long(const void *a, const void *b)
{
    const long_entry *x = a, *y = b;
    if (x->key != y->key) {
        return x->key < y->key ? -1 : 1;
    }
    return x->column < y->column ? -1 : x->column > y->column;
}

/* A new auxiliary column directly behind the column with key `after`; no row is travelling. */
static dd_status add_column(dd_rowspace *rs, uint64_t after, uint32_t *column)
{
    void *grown = dd_grow(rs->ctx, rs->column, &rs->column_cap, (size_t)rs->ncolumns + 1, sizeof *rs->column);
    if (grown == NULL) {
        return DD_OUT_OF_MEMORY;
    }
    rs->column = grown;
    *column = rs->ncolumns++;
    init_column(&rs->column[*column], after + 1, 1.0);
    return DD_OK;
}

/* sum_k a_k x_k as s_1 = chunk_1, s_2 = s_1 + chunk_2, ..., row = s_last + chunk_last, along the elimination order.
 * Every s_k is a new column with a defining row that is independent by itself, so the verdict on the last row is the
 * verdict on the long row. The s_k are in units of the largest a_k. */
static dd_status add_pieces(dd_rowspace *rs, uint32_t count, const long_entry *e, double magnitude, bool *independent)
{
    /* the partial sums are in units of the largest coefficient: pivots then stay of size 1 */
    double unit = 0;
    for (uint32_t k = 0; k < count; k++) {
        unit = fmax(unit, fabs(e[k].value));
    }
    uint32_t sum = DD_NO_INDEX;
    /* each chunk but the last defines a new partial sum: chunk + unit s_old - unit s_new = 0 */
    for (uint32_t at = 0; at < count; at += CHUNK) {
        bool last = at + CHUNK >= count;
        uint32_t end = last ? count : at + CHUNK, next = DD_NO_INDEX;
        dd_status st = last ? DD_OK : add_column(rs, e[end - 1].key, &next);
        if (st != DD_OK) {
            return st;
        }
        /* the travelling row: the entries of the chunk, the sum before, the sum behind */
        for (uint32_t k = at; k < end; k++) {
            dd_travel_put(rs, e[k].column, e[k].value, fmax(fabs(e[k].value), magnitude));
        }
        if (sum != DD_NO_INDEX) {
            dd_travel_put(rs, sum, unit, unit);
        }
        if (!last) {
            dd_travel_put(rs, next, -unit, unit);
        }
        st = add_loaded(rs, !last, independent);
        if (st != DD_OK) {
            return st;
        }
        sum = next;
    }
    return DD_OK;
}

static dd_status add_long(dd_rowspace *rs, uint32_t count, const uint32_t *idx, const double *val, double magnitude,
                          bool *independent)
{
    dd_work w = {.ctx = rs->ctx};
    long_entry *e = dd_work_array(&w, count, sizeof *e);
    if (w.failed) {
        return DD_OUT_OF_MEMORY;
    }
    /* noise would only add columns to the partial sums */
    uint32_t n = 0;
    for (uint32_t k = 0; k < count; k++) {
        if (fabs(val[k]) > rs->options.tol * magnitude) {
            e[n++] = (long_entry){rs->column[idx[k]].key, idx[k], val[k]};
        }
    }
    /* along the elimination order, so that a partial sum joins neighbours */
    qsort(e, n, sizeof *e, compare_long);
    rs->long_budget -= count;
    *independent = false; /* also when no entry is left */
    dd_status st = add_pieces(rs, n, e, magnitude, independent);
    dd_work_free(&w);
    return st;
}

dd_status dd_rowspace_add(dd_rowspace *rs, uint32_t count, const uint32_t *idx, const double *val, double magnitude,
                          bool *independent)
{
    dd_status st = check_row(rs, count, idx, val);
    if (st != DD_OK) {
        return st;
    }
    rs->info.rows++;
    /* a long row as it is would couple all its columns: cut it, as long as the budget lasts */
    if (count > rs->long_row && count <= rs->long_budget) {
        return add_long(rs, count, idx, val, magnitude, independent);
    }
    load_row(rs, count, idx, val, magnitude);
    return add_loaded(rs, false, independent);
}

dd_status dd_rowspace_test(dd_rowspace *rs, uint32_t count, const uint32_t *idx, const double *val, double magnitude,
                           bool *independent)
{
    uint32_t landing;
    dd_status st = check_row(rs, count, idx, val);
    if (st != DD_OK) {
        return st;
    }
    load_row(rs, count, idx, val, magnitude);
    st = dd_travel_run(rs, DD_TRAVEL_TEST, &landing);
    dd_travel_clear(rs, landing);
    *independent = landing != DD_NO_INDEX;
    return st;
}

/* ---- combinations of rows ---- */

/* weight[k]: how often basis row k occurs. From the last to the first, basis row k is replaced by
 * (row - sum of multipliers times earlier basis rows) / scale; the remaining weight is the coefficient of its row. */
static uint32_t unfold(const dd_rowspace *rs, double *weight, uint32_t *of, double *coef)
{
    uint32_t terms = 0;
    /* later basis rows were reduced by earlier ones, never the other way round: one backward pass */
    for (uint32_t k = rs->basis_len; k > 0; k--) {
        const dd_basis *b = &rs->basis[k - 1];
        weight[k - 1] /= b->scale;
        if (weight[k - 1] != 0) {
            for (size_t e = b->history; e < b->history + b->history_len; e++) {
                weight[rs->history.data[e].idx] -= weight[k - 1] * rs->history.data[e].val;
            }
        }
    }
    /* partial sums define auxiliary columns and are no rows of the caller */
    for (uint32_t k = 0; k < rs->basis_len; k++) {
        if (!rs->basis[k].partial && weight[k] != 0) {
            of[terms] = rs->basis[k].row;
            coef[terms++] = weight[k];
        }
    }
    return terms;
}

dd_status dd_rowspace_express(dd_rowspace *rs, uint32_t count, const uint32_t *idx, const double *val, double magnitude,
                              dd_combination *out)
{
    out->terms = 0;
    out->in_space = false;
    dd_status st = check_row(rs, count, idx, val);
    if (st == DD_OK && !rs->options.track) {
        st = dd_fail(rs->ctx, DD_INVALID_ARGUMENT, "this row space does not keep its multipliers");
    }
    if (st != DD_OK) {
        return st;
    }
    dd_work w = {.ctx = rs->ctx};
    double *weight = dd_work_array(&w, rs->basis_len, sizeof *weight);
    if (w.failed) {
        return DD_OUT_OF_MEMORY;
    }
    uint32_t landing;
    /* the multipliers of this journey go behind the history and are dropped again at the end */
    size_t history = rs->history.len;
    load_row(rs, count, idx, val, magnitude);
    st = dd_travel_run(rs, DD_TRAVEL_EXPRESS, &landing);
    dd_travel_clear(rs, landing);
    out->in_space = landing == DD_NO_INDEX;
    /* nothing was left: row = sum of multipliers times basis rows */
    if (st == DD_OK && out->in_space) {
        for (size_t e = history; e < rs->history.len; e++) {
            weight[rs->history.data[e].idx] += rs->history.data[e].val;
        }
        out->terms = unfold(rs, weight, out->of, out->coef);
    }
    rs->history.len = history;
    dd_work_free(&w);
    return st;
}

/* ---- columns ---- */

void dd_rowspace_pivots(const dd_rowspace *rs, uint32_t *pivot_row)
{
    for (uint32_t j = 0; j < rs->ncols; j++) {
        uint32_t k = rs->column[j].pivot;
        pivot_row[j] = k != DD_NO_INDEX ? rs->basis[k].row : DD_NO_INDEX;
    }
}

typedef struct sweep_item {
    uint64_t key;
    uint32_t column, basis;
} sweep_item;

static int compare_sweep(const void *a, const void *b)
{
    const sweep_item *x = a, *y = b;
    if (x->key != y->key) {
        return x->key > y->key ? -1 : 1;
    }
    return x->column > y->column ? -1 : x->column < y->column;
}

/* Basis rows by decreasing elimination order of their pivots; kept until rows are added. */
static dd_status prepare_sweep(dd_rowspace *rs)
{
    /* no row added since */
    if (rs->sweep_len == rs->basis_len) {
        return DD_OK;
    }
    /* the order of elimination decides, not the order of adding */
    dd_work w = {.ctx = rs->ctx};
    sweep_item *item = dd_work_array(&w, rs->basis_len, sizeof *item);
    uint32_t *grown = w.failed ? NULL : dd_grow(rs->ctx, rs->sweep, &rs->sweep_cap, rs->basis_len, sizeof *grown);
    if (grown != NULL) {
        rs->sweep = grown;
        for (uint32_t k = 0; k < rs->basis_len; k++) {
            uint32_t column = rs->basis[k].column;
            item[k] = (sweep_item){rs->column[column].key, column, k};
        }
        qsort(item, rs->basis_len, sizeof *item, compare_sweep);
        for (uint32_t k = 0; k < rs->basis_len; k++) {
            rs->sweep[k] = item[k].basis;
        }
        rs->sweep_len = rs->basis_len;
    }
    dd_work_free(&w);
    return grown != NULL ? DD_OK : DD_OUT_OF_MEMORY;
}

/* Back substitution through all basis rows, b[k] on the right of basis row k (NULL: all zero). The vector, including
 * partial sums, is value2 of the columns; free columns keep their values. In a null vector (b NULL) entries that
 * are zero up to cancellation become 0. */
static void substitute_back(dd_rowspace *rs, const double *b)
{
    for (uint32_t k = 0; k < rs->sweep_len; k++) {
        const dd_basis *row = &rs->basis[rs->sweep[k]];
        /* x_pivot = (b - sum a_j x_j) / a_pivot, with the size of the terms to judge cancellation */
        double sum = b != NULL ? b[rs->sweep[k]] : 0, size = fabs(sum);
        for (size_t e = row->start; e < row->start + row->len; e++) {
            double term = rs->entries.data[e].val * rs->column[rs->entries.data[e].idx].value2;
            sum -= term;
            size += fabs(term);
        }
        bool zero = b == NULL && fabs(sum) <= rs->options.tol * size;
        rs->column[row->column].value2 = zero ? 0.0 : sum / row->value;
    }
}

dd_status dd_rowspace_null_combination(dd_rowspace *rs, double *x)
{
    dd_status st = prepare_sweep(rs);
    if (st != DD_OK) {
        return st;
    }
    /* free columns are given; pivot columns and partial sums follow */
    for (uint32_t j = 0; j < rs->ncolumns; j++) {
        rs->column[j].value2 = j < rs->ncols && rs->column[j].pivot == DD_NO_INDEX ? x[j] : 0;
    }
    substitute_back(rs, NULL);
    for (uint32_t j = 0; j < rs->ncols; j++) {
        x[j] = rs->column[j].value2;
    }
    return DD_OK;
}

dd_status dd_rowspace_null_vector(dd_rowspace *rs, uint32_t column, double *x)
{
    if (column >= rs->ncols || rs->column[column].pivot != DD_NO_INDEX) {
        return dd_fail(rs->ctx, DD_INVALID_ARGUMENT, "the column is not a free column of the row space");
    }
    for (uint32_t j = 0; j < rs->ncols; j++) {
        x[j] = j == column;
    }
    return dd_rowspace_null_combination(rs, x);
}

dd_status dd_rowspace_solve(dd_rowspace *rs, const double *rhs, double *x)
{
    if (!rs->options.track) {
        return dd_fail(rs->ctx, DD_INVALID_ARGUMENT, "this row space does not keep its multipliers");
    }
    dd_work w = {.ctx = rs->ctx};
    double *b = dd_work_array(&w, rs->basis_len, sizeof *b);
    dd_status st = w.failed ? DD_OUT_OF_MEMORY : prepare_sweep(rs);
    if (st == DD_OK) {
        /* L b = rhs by the stored multipliers: the right sides go the way of their rows */
        for (uint32_t k = 0; k < rs->basis_len; k++) {
            const dd_basis *row = &rs->basis[k];
            double sum = row->partial ? 0 : rhs[row->row];
            for (size_t e = row->history; e < row->history + row->history_len; e++) {
                sum -= rs->history.data[e].val * b[rs->history.data[e].idx];
            }
            b[k] = sum / row->scale;
        }
        /* free columns are zero in this particular solution */
        for (uint32_t j = 0; j < rs->ncolumns; j++) {
            rs->column[j].value2 = 0;
        }
        substitute_back(rs, b);
        for (uint32_t j = 0; j < rs->ncols; j++) {
            x[j] = rs->column[j].value2;
        }
    }
    dd_work_free(&w);
    return st;
}

dd_rowspace_info dd_rowspace_get_info(const dd_rowspace *rs)
{
    dd_rowspace_info info = rs->info;
    info.clear = info.kept >= DD_CLEAR_MARGIN * rs->options.tol && info.dropped <= rs->options.tol / DD_CLEAR_MARGIN;
    info.stored = rs->entries.len + rs->history.len;
    return info;
}
