/* certificate.c - the numeric half of the answer: ranks of the system Jacobian J_ij = d f_i / d x_j^(d_j - c_i).
 *
 * J is split into its block-triangular form; each block is scaled by the magnitudes its entries were computed with, so
 * that a row made of rounding noise, or a gradient that only vanishes to the accuracy of the point, is treated as zero.
 */
#include "structure/certificate.h"

#include <math.h>
#include <string.h>

#include "graph/assign.h"
#include "graph/scc.h"
#include "la/dense.h"
#include "la/rank_sparse.h"
#include "structure/field.h"

/* entries of singular vectors below this part of the largest do not belong to a combination: with a gap in the singular
 * values as it is asked for here they are rounding */
static const double negligible = 1e-7;
static const double noise_floor = 1e-4; /* rows below this part of their magnitude are not scaled up to size 1 */

/* a block whose reciprocal condition is estimated above this is regular, five decades above what counts as singular; below
 * that many rows singular values cost no more than the estimate */
static const double clear_rcond = 1e-4;
enum { CLEAR_FROM = 24 };

dd_blocks dd_system_blocks(const dd_system *s, const dd_incidence *inc, const dd_offsets *off, dd_pool *pool)
{
    dd_blocks b = {0};
    uint32_t n = inc->n;
    dd_pool *scratch = dd_pool_child(pool);
    /* the pattern of J: entries with d_j - c_i = sigma_ij, others are lower derivatives */
    uint32_t *ptr = dd_pool_alloc_array(scratch, n + 1, sizeof *ptr);
    uint32_t *idx = dd_pool_alloc_array(scratch, inc->ptr[n] + 1, sizeof *idx);
    for (uint32_t i = 0; i < n; i++) {
        ptr[i + 1] = ptr[i];
        for (uint32_t e = inc->ptr[i]; e < inc->ptr[i + 1]; e++) {
            if (dd_is_tight(inc, off, i, e)) {
                idx[ptr[i + 1]++] = inc->idx[e];
            }
        }
    }
    /* strong components of the graph that the transversal makes of it */
    b.row_perm = dd_pool_alloc_array(pool, n + 1, sizeof *b.row_perm);
    b.col_perm = dd_pool_alloc_array(pool, n + 1, sizeof *b.col_perm);
    b.ptr = dd_pool_alloc_array(pool, n + 2, sizeof *b.ptr);
    dd_pattern pattern = {n, n, ptr, idx};
    dd_system_must(s, dd_graph_btf(&b.count, s->ctx, &pattern, off->row_match, b.row_perm, b.col_perm, b.ptr),
                   "rank analysis");
    b.block_of_col = dd_pool_alloc_array(pool, n + 1, sizeof *b.block_of_col);
    for (uint32_t k = 0; k < b.count; k++) {
        for (uint32_t p = b.ptr[k]; p < b.ptr[k + 1]; p++) {
            b.block_of_col[b.col_perm[p]] = k;
        }
    }
    dd_pool_free(scratch);
    return b;
}

typedef struct judge {
    dd_system *s;
    dd_numeric *nm;
    const dd_offsets *off;
    const dd_blocks *blocks;
    dd_pool *pool;                 /* for the result */
    uint32_t *local;               /* column -> position inside its block */
    double *row_scale, *col_scale; /* of the block at hand, by position inside it */
    bool wide;                     /* its entries differ by more than a few powers of two */
    bool generic;                  /* the point represents all points */
    dd_field *field;               /* made when first needed */
    dd_regularity out;
} judge;

static void keep_combination(judge *j, uint32_t first, uint32_t size, const double *left, const double *right)
{
    dd_regularity *out = &j->out;
    double most_left = 0, most_right = 0;
    for (uint32_t k = 0; k < size; k++) {
        most_left = fmax(most_left, fabs(left[k]));
        most_right = fmax(most_right, fabs(right[k]));
    }
    /* entries of the singular vectors above noise, scaled back: u^T J = 0 and J v = 0 in the rows and columns of
     * the model */
    out->rows = dd_pool_alloc_array(j->pool, size, sizeof *out->rows);
    out->row_coef = dd_pool_alloc_array(j->pool, size, sizeof *out->row_coef);
    out->cols = dd_pool_alloc_array(j->pool, size, sizeof *out->cols);
    out->col_coef = dd_pool_alloc_array(j->pool, size, sizeof *out->col_coef);
    for (uint32_t k = 0; k < size; k++) {
        if (fabs(left[k]) > negligible * most_left) {
            out->rows[out->n_rows] = j->blocks->row_perm[first + k];
            out->row_coef[out->n_rows++] = left[k] * j->row_scale[k];
        }
        if (fabs(right[k]) > negligible * most_right) {
            out->cols[out->n_cols] = j->blocks->col_perm[first + k];
            out->col_coef[out->n_cols++] = right[k] * j->col_scale[k];
        }
    }
    out->zero_row = out->n_rows == 1;
}

static void judge_scalar(judge *j, uint32_t first)
{
    uint32_t row = j->blocks->row_perm[first], col = j->blocks->col_perm[first];
    const dd_incidence *inc = j->nm->inc;
    double value = 0, magnitude = 0, one = 1;
    for (uint32_t e = inc->ptr[row]; e < inc->ptr[row + 1]; e++) {
        if (inc->idx[e] == col) {
            value = dd_numeric_tight(j->nm, e, &magnitude);
        }
    }
    /* against the terms it was computed from: 1 - 1 + 1e-16 is zero, 1e-16 alone is not */
    if (fabs(value) <= j->s->options.rank_tolerance * noise_floor * magnitude) {
        j->out.singular = true;
        keep_combination(j, first, 1, &one, &one);
    }
}

/* Calls put(row in block, column in block, value, magnitude) for the entries of a block. */
static void block_entries(judge *j, uint32_t block, void (*put)(void *, uint32_t, uint32_t, double, double), void *user)
{
    const dd_incidence *inc = j->nm->inc;
    uint32_t first = j->blocks->ptr[block];
    for (uint32_t p = first; p < j->blocks->ptr[block + 1]; p++) {
        uint32_t row = j->blocks->row_perm[p];
        for (uint32_t e = inc->ptr[row]; e < inc->ptr[row + 1]; e++) {
            if (dd_is_tight(inc, j->off, row, e) && j->blocks->block_of_col[inc->idx[e]] == block) {
                uint32_t r = p - first, c = j->local[inc->idx[e]];
                double magnitude, value = dd_numeric_tight(j->nm, e, &magnitude);
                double scale = j->row_scale[r] * j->col_scale[c];
                put(user, r, c, value * scale, magnitude * scale);
            }
        }
    }
}

typedef struct dense_block {
    uint32_t size;
    double *a, *floor;
} dense_block;

static void put_dense(void *user, uint32_t row, uint32_t col, double value, double magnitude)
{
    dense_block *d = user;
    d->a[(size_t)col * d->size + row] = value;
    d->floor[row] = fmax(d->floor[row], noise_floor * magnitude);
}

typedef struct size_block {
    dd_pool *pool;
    DD_VEC(uint32_t) ptr, col;
    DD_VEC(int32_t) size;
    double least, most, zero;
} size_block;

/* sizes are logarithms to base 2 in eighths; entries that differ by more than 2^8 are scaled */
enum { SIZE_STEPS = 8, SIZE_MOST = 1 << 19, WIDE = 8 * SIZE_STEPS };

static void put_size(void *user, uint32_t row, uint32_t col, double value, double magnitude)
{
    size_block *b = user;
    while (b->ptr.len <= row) {
        dd_vec_push(b->pool, &b->ptr, b->col.len);
    }
    /* what is treated as zero has no logarithm, and no size */
    if (fabs(value) > b->zero * magnitude) {
        double size = round(log2(fabs(value)) * SIZE_STEPS);
        b->least = fmin(b->least, size);
        b->most = fmax(b->most, size);
        dd_vec_push(b->pool, &b->col, col);
        dd_vec_push(b->pool, &b->size, (int32_t)size);
    }
}

/* Powers of two that make the largest product of entries, one in each row and column, a product of ones, with nothing
 * larger (Duff and Koster 2001): ranks and pivots then do not depend on units. All ones where there is no such
 * product. */
static void product_scaling(const dd_system *s, size_block *b, uint32_t size, double *row_scale, double *col_scale)
{
    while (b->ptr.len <= size) {
        dd_vec_push(b->pool, &b->ptr, b->col.len);
    }
    for (uint32_t k = 0; k < size; k++) {
        row_scale[k] = col_scale[k] = 1.0;
    }
    /* nearly the same size already, or beyond what integers hold */
    if (b->most - b->least <= WIDE || b->most - b->least >= SIZE_MOST) {
        return;
    }
    for (uint32_t k = 0; k < b->size.len; k++) {
        b->size.data[k] -= (int32_t)b->least;
    }
    /* maximise sum log2 |a_ij| over transversals; the duals satisfy v_j - u_i >= log2 |a_ij|, with equality there */
    uint32_t *row_match = dd_pool_alloc_array(b->pool, size, sizeof *row_match);
    uint32_t *col_match = dd_pool_alloc_array(b->pool, size, sizeof *col_match);
    int64_t *row_dual = dd_pool_alloc_array(b->pool, size, sizeof *row_dual);
    int64_t *col_dual = dd_pool_alloc_array(b->pool, size, sizeof *col_dual);
    dd_pattern pattern = {size, size, b->ptr.data, b->col.data};
    dd_assign_info info;
    dd_system_must(s, dd_graph_assign(&info, s->ctx, &pattern, b->size.data, row_match, col_match, row_dual, col_dual),
                   "scaling");
    /* scaled by 2^u and 2^-v; powers of two lose no bits */
    for (uint32_t k = 0; k < size && info.perfect; k++) {
        row_scale[k] = exp2(floor((double)row_dual[k] / SIZE_STEPS));
        col_scale[k] = exp2(floor(-((double)col_dual[k] + b->least) / SIZE_STEPS));
    }
}

static size_block new_size_block(const dd_system *s, dd_pool *pool)
{
    size_block b = {.pool = pool, .least = INFINITY, .most = -INFINITY};
    b.zero = s->options.rank_tolerance * noise_floor;
    return b;
}

static void scale_block(judge *j, uint32_t block)
{
    uint32_t size = j->blocks->ptr[block + 1] - j->blocks->ptr[block];
    for (uint32_t k = 0; k < size; k++) {
        j->row_scale[k] = j->col_scale[k] = 1.0;
    }
    dd_pool *scratch = dd_pool_child(j->pool);
    size_block b = new_size_block(j->s, scratch);
    block_entries(j, block, put_size, &b);
    product_scaling(j->s, &b, size, j->row_scale, j->col_scale);
    j->wide = b.most - b.least > WIDE;
    dd_pool_free(scratch);
}

/* ---- exact ranks ---- */

enum { MAX_EXACT = 300 }; /* rows: the work is their cube */

typedef enum exact_rank { EXACT_UNKNOWN, EXACT_REGULAR, EXACT_SINGULAR } exact_rank;

/* Fills the block; false when it is not the same everywhere. *symbols: something was treated as a separate symbol. */
static bool fill_exact(judge *j, uint32_t block, uint64_t *a, bool *symbols)
{
    const dd_incidence *inc = j->nm->inc;
    uint32_t first = j->blocks->ptr[block], size = j->blocks->ptr[block + 1] - first;
    for (uint32_t p = first; p < j->blocks->ptr[block + 1]; p++) {
        uint32_t row = j->blocks->row_perm[p];
        for (uint32_t e = inc->ptr[row]; e < inc->ptr[row + 1]; e++) {
            if (dd_is_tight(inc, j->off, row, e) && j->blocks->block_of_col[inc->idx[e]] == block) {
                dd_expr partial = inc->sigma[e] == 1 ? inc->partial1[e] : inc->partial0[e];
                dd_field_kind kind =
                    dd_field_value(j->field, partial, &a[(size_t)(p - first) * size + j->local[inc->idx[e]]]);
                *symbols = *symbols || kind == DD_FIELD_AS_SYMBOL;
                if (kind == DD_FIELD_UNDEFINED || (!j->generic && kind != DD_FIELD_CONSTANT)) {
                    return false;
                }
            }
        }
    }
    return true;
}

/* A block that is the same at all points, or represents all of them, needs no rounding: where numbers are many powers
 * of ten apart their scaled singular values say little. */
static exact_rank judge_exact(judge *j, uint32_t block)
{
    uint32_t size = j->blocks->ptr[block + 1] - j->blocks->ptr[block];
    if (size > MAX_EXACT) {
        return EXACT_UNKNOWN;
    }
    dd_pool *scratch = dd_pool_child(j->pool);
    if (!j->field) {
        j->field = dd_pool_alloc(j->pool, sizeof *j->field);
        *j->field = dd_field_new(j->s, 1, j->pool);
    }
    uint64_t *a = dd_pool_alloc_array(scratch, (size_t)size * size, sizeof *a);
    bool *dependent = dd_pool_alloc_array(scratch, size, sizeof *dependent);
    uint32_t *pivot = dd_pool_alloc_array(scratch, size, sizeof *pivot);
    bool symbols = false;
    /* a lower rank is exact; a full one may be for want of an identity between symbols (sin^2 + cos^2 = 1) */
    exact_rank out = EXACT_UNKNOWN;
    if (fill_exact(j, block, a, &symbols)) {
        bool regular = dd_field_eliminate(a, size, size, size, dependent, pivot) == size;
        out = !regular ? EXACT_SINGULAR : symbols ? EXACT_UNKNOWN : EXACT_REGULAR;
    }
    dd_pool_free(scratch);
    return out;
}

void dd_system_scaling(const dd_system *s, const dd_numeric *nm, const dd_offsets *off, double *row_scale,
                       double *col_scale, dd_pool *pool)
{
    const dd_incidence *inc = nm->inc;
    dd_pool *scratch = dd_pool_child(pool);
    size_block b = new_size_block(s, scratch);
    for (uint32_t i = 0; i < inc->n; i++) {
        for (uint32_t e = inc->ptr[i]; e < inc->ptr[i + 1]; e++) {
            if (dd_is_tight(inc, off, i, e)) {
                double magnitude, value = dd_numeric_tight(nm, e, &magnitude);
                put_size(&b, i, inc->idx[e], value, magnitude);
            }
        }
    }
    product_scaling(s, &b, inc->n, row_scale, col_scale);
    dd_pool_free(scratch);
}

static void judge_dense(judge *j, uint32_t block)
{
    uint32_t first = j->blocks->ptr[block], size = j->blocks->ptr[block + 1] - first;
    dd_pool *scratch = dd_pool_child(j->pool);
    dense_block d = {.size = size};
    d.a = dd_pool_alloc_array(scratch, (size_t)size * size, sizeof *d.a);
    d.floor = dd_pool_alloc_array(scratch, size, sizeof *d.floor);
    double *left = dd_pool_alloc_array(scratch, (size_t)size * size, sizeof *left);
    double *right = dd_pool_alloc_array(scratch, (size_t)size * size, sizeof *right);
    /* singular values of the scaled block, against the rounding of its entries */
    block_entries(j, block, put_dense, &d);
    dd_rank_info info;
    double tolerance = j->s->options.rank_tolerance;
    dd_status st = dd_rank_dense(&info, j->s->ctx, &(dd_dense){size, size, d.a, size}, tolerance, d.floor, left, right);
    /* rounding leaves doubt: exact arithmetic overrules it where it can */
    if (st == DD_OK && (info.rank < size || j->wide)) {
        exact_rank exact = judge_exact(j, block);
        if (exact == EXACT_SINGULAR && info.rank == size) { /* what nearly vanishes does */
            tolerance = 1.001 * info.kept;
            st = dd_rank_dense(&info, j->s->ctx, &(dd_dense){size, size, d.a, size}, tolerance, d.floor, left, right);
        }
        info.rank = exact == EXACT_REGULAR ? size : info.rank;
    }
    dd_system_must(j->s, st, "rank analysis");
    j->out.least = fmin(j->out.least, info.kept);
    if (info.rank < size) {
        j->out.singular = true;
        keep_combination(j, first, size, left, right);
    }
    dd_pool_free(scratch);
}

typedef struct sparse_block {
    dd_pool *pool;
    DD_VEC(uint32_t) row, col;
    DD_VEC(double) val;
    double *magnitude;
} sparse_block;

static void put_sparse(void *user, uint32_t row, uint32_t col, double value, double magnitude)
{
    sparse_block *b = user;
    dd_vec_push(b->pool, &b->row, row);
    dd_vec_push(b->pool, &b->col, col);
    dd_vec_push(b->pool, &b->val, value);
    b->magnitude[row] = fmax(b->magnitude[row], noise_floor * magnitude);
}

static void expand_column(const dd_csc *a, uint32_t size, double *out)
{
    memset(out, 0, size * sizeof *out);
    for (uint32_t k = a->ptr[0]; a->ncols > 0 && k < a->ptr[1]; k++) {
        out[a->idx[k]] = a->val[k];
    }
}

static dd_status sparse_matrix(judge *j, const sparse_block *b, uint32_t size, dd_csc *a)
{
    const dd_triplets t = {b->row.len, b->row.data, b->col.data, b->val.data};
    return dd_csc_from_triplets(a, j->s->ctx, size, size, &t, NULL);
}

static dd_rank_sparse_options sparse_options(const judge *j, const sparse_block *b)
{
    dd_rank_sparse_options options = dd_rank_sparse_options_default();
    options.space.tol = j->s->options.rank_tolerance;
    options.row_magnitude = b->magnitude;
    return options;
}

/* Most blocks are regular without doubt, as a sparse factorisation of the scaled block shows: singular values, whose work is
 * the cube of the rows, are for the others. */
static bool is_clear(judge *j, uint32_t block)
{
    const uint32_t size = j->blocks->ptr[block + 1] - j->blocks->ptr[block];
    if (size < CLEAR_FROM) {
        return false;
    }
    dd_pool *scratch = dd_pool_child(j->pool);
    sparse_block b = {.pool = scratch};
    b.magnitude = dd_pool_alloc_array(scratch, size, sizeof *b.magnitude);
    block_entries(j, block, put_sparse, &b);
    const dd_rank_sparse_options options = sparse_options(j, &b);
    dd_csc a = {0};
    bool clear = false;
    double rcond = 0;
    dd_status st = sparse_matrix(j, &b, size, &a);
    st = st == DD_OK ? dd_rank_is_clear(&clear, &rcond, j->s->ctx, &a, &options, clear_rcond) : st;
    dd_csc_free(j->s->ctx, &a);
    dd_system_must(j->s, st, "rank analysis");
    j->out.least = clear ? fmin(j->out.least, rcond) : j->out.least;
    dd_pool_free(scratch);
    return clear;
}

static void judge_sparse(judge *j, uint32_t block)
{
    uint32_t first = j->blocks->ptr[block], size = j->blocks->ptr[block + 1] - first;
    dd_pool *scratch = dd_pool_child(j->pool);
    sparse_block b = {.pool = scratch};
    b.magnitude = dd_pool_alloc_array(scratch, size, sizeof *b.magnitude);
    uint8_t *dependent = dd_pool_alloc_array(scratch, size, 1);
    double *left = dd_pool_alloc_array(scratch, size, sizeof *left);
    double *right = dd_pool_alloc_array(scratch, size, sizeof *right);
    /* too large for singular values: pivots, with one vector of each null space */
    block_entries(j, block, put_sparse, &b);
    dd_context *ctx = j->s->ctx;
    dd_csc a = {0}, l = {0}, r = {0};
    dd_rank_sparse_options options = sparse_options(j, &b);
    options.max_left = options.max_right = 1;
    dd_rowspace_info info = {0};
    dd_status st = sparse_matrix(j, &b, size, &a);
    if (st == DD_OK) {
        st = dd_rank_sparse(&info, ctx, &a, &options, dependent, NULL, &l, &r);
    }
    if (st == DD_OK && info.rank < size) {
        expand_column(&l, size, left);
        expand_column(&r, size, right);
    }
    dd_csc_free(ctx, &a);
    dd_csc_free(ctx, &l);
    dd_csc_free(ctx, &r);
    dd_system_must(j->s, st, "rank analysis");
    j->out.least = fmin(j->out.least, info.kept);
    /* pivots are a weaker test: exact arithmetic may contradict them */
    if (info.rank < size && judge_exact(j, block) != EXACT_REGULAR) {
        j->out.singular = true;
        keep_combination(j, first, size, left, right);
    }
    dd_pool_free(scratch);
}

/* What stays open in the whole system: a null vector of all of J, not only of the singular block. */
static void open_columns(judge *j)
{
    const dd_incidence *inc = j->nm->inc;
    dd_context *ctx = j->s->ctx;
    dd_pool *scratch = dd_pool_child(j->pool);
    sparse_block b = {.pool = scratch};
    b.magnitude = dd_pool_alloc_array(scratch, inc->n + 1, sizeof *b.magnitude);
    uint8_t *dependent = dd_pool_alloc_array(scratch, inc->n + 1, 1);
    uint32_t *cols = dd_pool_alloc_array(j->pool, inc->ncols + 1, sizeof *cols);
    double *coef = dd_pool_alloc_array(j->pool, inc->ncols + 1, sizeof *coef);
    /* all of J: an unknown of another block may depend on what the singular one leaves open */
    for (uint32_t i = 0; i < inc->n; i++) {
        for (uint32_t e = inc->ptr[i]; e < inc->ptr[i + 1]; e++) {
            if (dd_is_tight(inc, j->off, i, e)) {
                double magnitude, value = dd_numeric_tight(j->nm, e, &magnitude);
                put_sparse(&b, i, inc->idx[e], value, magnitude);
            }
        }
    }
    dd_csc a = {0}, right = {0};
    dd_rank_sparse_options options = dd_rank_sparse_options_default();
    options.space.tol = j->s->options.rank_tolerance;
    options.row_magnitude = b.magnitude;
    options.max_right = 1;
    dd_rowspace_info info = {0};
    dd_status st = dd_csc_from_triplets(&a, ctx, inc->n, inc->ncols,
                                        &(dd_triplets){b.row.len, b.row.data, b.col.data, b.val.data}, NULL);
    if (st == DD_OK) {
        st = dd_rank_sparse(&info, ctx, &a, &options, dependent, NULL, NULL, &right);
    }
    /* one direction that satisfies all rows: the variables in it are not determined */
    j->out.n_cols = 0;
    for (uint32_t k = 0; st == DD_OK && right.ncols > 0 && k < right.ptr[1]; k++) {
        if (fabs(right.val[k]) > negligible) {
            cols[j->out.n_cols] = right.idx[k];
            coef[j->out.n_cols++] = right.val[k];
        }
    }
    dd_csc_free(ctx, &a);
    dd_csc_free(ctx, &right);
    j->out.cols = cols;
    j->out.col_coef = coef;
    dd_pool_free(scratch);
    dd_system_must(j->s, st, "rank analysis");
}

dd_regularity dd_system_regularity(dd_system *s, dd_numeric *nm, const dd_offsets *off, const dd_blocks *blocks,
                                   const double *x, uint32_t stride, bool generic, dd_pool *pool)
{
    judge j = {.s = s, .nm = nm, .off = off, .blocks = blocks, .generic = generic, .pool = pool};
    j.out.least = 1.0;
    j.out.finite = dd_numeric_partials(nm, x, stride);
    if (!j.out.finite) {
        return j.out;
    }
    dd_pool *scratch = dd_pool_child(pool);
    j.local = dd_pool_alloc_array(scratch, nm->inc->ncols + 1, sizeof *j.local);
    j.row_scale = dd_pool_alloc_array(scratch, nm->inc->n + 1, sizeof *j.row_scale);
    j.col_scale = dd_pool_alloc_array(scratch, nm->inc->n + 1, sizeof *j.col_scale);
    for (uint32_t b = 0; b < blocks->count; b++) {
        for (uint32_t p = blocks->ptr[b]; p < blocks->ptr[b + 1]; p++) {
            j.local[blocks->col_perm[p]] = p - blocks->ptr[b];
        }
    }
    /* det J is the product of the blocks' determinants; the first singular block decides */
    for (uint32_t b = 0; b < blocks->count && !j.out.singular; b++) {
        uint32_t size = blocks->ptr[b + 1] - blocks->ptr[b];
        if (size == 1) {
            j.row_scale[0] = j.col_scale[0] = 1.0;
            judge_scalar(&j, blocks->ptr[b]);
            j.out.block = b;
            continue;
        }
        scale_block(&j, b);
        if (size > DD_RANK_SVD) {
            judge_sparse(&j, b);
        } else if (!is_clear(&j, b)) {
            judge_dense(&j, b);
        }
        j.out.block = b;
    }
    /* the block names the rows; the columns left open are those of the whole system */
    if (j.out.singular && blocks->count > 1) {
        open_columns(&j);
    }
    dd_pool_free(scratch);
    return j.out;
}
