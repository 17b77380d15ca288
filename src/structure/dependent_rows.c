/* dependent_rows.c - which rows depend on which at generic points. Start reading at dd_dependent_rows(). */
#include "structure/dependent_rows.h"

#include <math.h>

#include "la/rank_sparse.h"

enum { MAX_EXACT = 300 }; /* rows up to which the rank is taken without rounding: the work grows with their cube */

#define NEGLIGIBLE                                                                                                     \
    1e-9 /* coefficients of a combination, scaled to 1, that are noise: its row does not belong to the set */

typedef struct copy_sets {
    dd_row_scope *c;
    const dd_csc *left;
    const uint32_t *position; /* scope position -> place in priority */
    dd_dependent_sets *out;
} copy_sets;

static void copy_sets_body(void *arg)
{
    copy_sets *copy = arg;
    dd_row_scope *c = copy->c;
    dd_dependent_sets *out = copy->out;
    dd_vec_push(c->scratch, &out->ptr, 0);
    for (uint32_t q = 0; q < copy->left->ncols; q++) {
        uint32_t first = out->rows.len, last = first;
        /* rows whose coefficient is not rounding */
        for (uint32_t k = copy->left->ptr[q]; k < copy->left->ptr[q + 1]; k++) {
            if (fabs(copy->left->val[k]) > NEGLIGIBLE) {
                dd_vec_push(c->scratch, &out->rows, copy->left->idx[k]);
                dd_vec_push(c->scratch, &out->coefs, copy->left->val[k]);
                uint32_t at = out->rows.len - 1;
                last = copy->position[out->rows.data[at]] > copy->position[out->rows.data[last]] ? at : last;
            }
        }
        /* the dependent row is the last in priority */
        for (uint32_t k = first; k < out->rows.len; k++) {
            out->rows.data[k] = c->rows[out->rows.data[k]];
        }
        if (out->rows.len > first) {
            uint32_t row = out->rows.data[first];
            double coef = out->coefs.data[first];
            out->rows.data[first] = out->rows.data[last];
            out->coefs.data[first] = out->coefs.data[last];
            out->rows.data[last] = row;
            out->coefs.data[last] = coef;
        }
        dd_vec_push(c->scratch, &out->ptr, out->rows.len);
    }
}

static bool entry_in_scope(const dd_row_scope *c, uint32_t row, uint32_t entry)
{
    return dd_is_tight(c->nm->inc, c->off, row, entry) && c->columns[c->nm->inc->idx[entry]];
}

static dd_dependent_sets sets_at(dd_row_scope *c, uint32_t p, const uint32_t *priority, uint32_t most)
{
    const dd_incidence *inc = c->nm->inc;
    dd_dependent_sets out = {0};
    DD_VEC(uint32_t) row = {0}, col = {0};
    DD_VEC(double) val = {0};
    /* the matrix at generic point p, by rows of the scope */
    c->nm->t0 = dd_system_generic_time(c->s, p);
    out.finite = dd_numeric_partials(c->nm, c->exact.point[p], DD_EXACT_ORDER + 1);
    for (uint32_t k = 0; k < c->n && out.finite; k++) {
        uint32_t i = c->rows[k];
        for (uint32_t e = inc->ptr[i]; e < inc->ptr[i + 1]; e++) {
            if (entry_in_scope(c, i, e)) {
                double magnitude;
                dd_vec_push(c->scratch, &row, k);
                dd_vec_push(c->scratch, &col, inc->idx[e]);
                dd_vec_push(c->scratch, &val, dd_numeric_tight(c->nm, e, &magnitude));
            }
        }
    }
    if (!out.finite) {
        return out;
    }
    /* where each row is in the order of preference */
    uint8_t *dependent = dd_pool_alloc_array(c->scratch, c->n + 1, 1);
    uint32_t *position = dd_pool_alloc_array(c->scratch, c->n + 1, sizeof *position);
    for (uint32_t k = 0; k < c->n; k++) {
        position[priority[k]] = k;
    }
    /* vanishing combinations of rows, each with one dependent row */
    dd_csc a = {0}, left = {0};
    dd_rank_sparse_options options = dd_rank_sparse_options_default();
    options.max_left = most;
    options.row_priority = priority;
    dd_rowspace_info info = {0};
    dd_context *ctx = c->s->ctx;
    dd_status st =
        dd_csc_from_triplets(&a, ctx, c->n, inc->ncols, &(dd_triplets){row.len, row.data, col.data, val.data}, NULL);
    if (st == DD_OK) {
        st = dd_rank_sparse(&info, ctx, &a, &options, dependent, NULL, &left, NULL);
    }
    if (st == DD_OK) {
        /* may raise, while the matrices are not in a pool */
        copy_sets copy = {c, &left, position, &out};
        st = dd_protect(ctx, copy_sets_body, &copy);
    }
    dd_csc_free(ctx, &a);
    dd_csc_free(ctx, &left);
    dd_system_must(c->s, st, "combining equations");
    out.rank = info.rank;
    out.clear = info.clear;
    return out;
}

/* One combination, the dependent row k first; its coefficients are left in place. */
static void add_exact_set(dd_row_scope *c, const uint32_t *priority, const uint64_t *combination, uint32_t k,
                          dd_dependent_sets *out)
{
    for (uint32_t q = k + 1; q-- > 0;) {
        if (combination[q] != 0) {
            int64_t num = 0, den = 1;
            bool small = dd_field_rational(dd_field_div(combination[q], combination[k]), &num, &den);
            dd_vec_push(c->scratch, &out->rows, c->rows[priority[q]]);
            dd_vec_push(c->scratch, &out->coefs, small ? (double)num / (double)den : (double)NAN);
        }
    }
    dd_vec_push(c->scratch, &out->ptr, out->rows.len);
}

/* The same without rounding; not finite where something divides by zero, or where there are too many rows. Coefficients
 * that are not small rational numbers are left open (NAN). */
static dd_dependent_sets exact_sets(dd_row_scope *c, const uint32_t *priority, uint32_t most)
{
    const dd_incidence *inc = c->nm->inc;
    dd_dependent_sets out = {.finite = c->n <= MAX_EXACT};
    uint32_t n = c->n, cols = 0;
    /* columns of the scope, numbered */
    uint32_t *local = dd_pool_alloc_array(c->scratch, inc->ncols + 1, sizeof *local);
    for (uint32_t j = 0; j < inc->ncols; j++) {
        local[j] = c->columns[j] ? cols++ : DD_NO_INDEX;
    }
    if (!out.finite || cols > 2 * MAX_EXACT) {
        return (dd_dependent_sets){0};
    }
    /* [J I]: what the elimination does to I are the combinations */
    uint32_t width = cols + n;
    uint64_t *a = dd_pool_alloc_array(c->scratch, (size_t)n * width + 1, sizeof *a);
    bool *dependent = dd_pool_alloc_array(c->scratch, n + 1, sizeof *dependent);
    uint32_t *pivot = dd_pool_alloc_array(c->scratch, n + 1, sizeof *pivot);
    for (uint32_t k = 0; k < n; k++) {
        uint32_t i = c->rows[priority[k]];
        a[(size_t)k * width + cols + k] = 1;
        for (uint32_t e = inc->ptr[i]; e < inc->ptr[i + 1]; e++) {
            if (entry_in_scope(c, i, e)) {
                dd_expr partial = inc->sigma[e] == 1 ? inc->partial1[e] : inc->partial0[e];
                uint64_t *at = &a[(size_t)k * width + local[inc->idx[e]]];
                out.finite = out.finite && dd_field_value(&c->exact.field, partial, at) != DD_FIELD_UNDEFINED;
            }
        }
    }
    out.clear = true;
    out.rank = out.finite ? dd_field_eliminate(a, n, width, cols, dependent, pivot) : 0;
    dd_vec_push(c->scratch, &out.ptr, 0);
    for (uint32_t k = 0; k < n && out.finite && out.ptr.len <= most; k++) {
        if (dependent[k]) {
            add_exact_set(c, priority, a + (size_t)k * width + cols, k, &out);
        }
    }
    return out;
}

/* Is the first point the better one to judge at? Clear decisions first, then the higher rank. */
static bool judges_better(const dd_dependent_sets *a, const dd_dependent_sets *b)
{
    return !b->finite || (a->clear != b->clear ? a->clear : a->rank > b->rank);
}

/* At the best generic point, one with dependent rows if they are known to exist; rows with many differentiations are
 * preferred as the independent ones. */
dd_dependent_sets dd_dependent_rows(dd_row_scope *c, uint32_t most, bool known)
{
    /* rows with the most differentiations first, so that the dependent ones are cheap to replace */
    uint32_t *priority = dd_pool_alloc_array(c->scratch, c->n + 1, sizeof *priority);
    uint32_t filled = 0, most_c = 0;
    for (uint32_t k = 0; k < c->n; k++) {
        most_c = c->off->c[c->rows[k]] > most_c ? c->off->c[c->rows[k]] : most_c;
    }
    for (uint32_t level = most_c + 1; level-- > 0;) {
        for (uint32_t k = 0; k < c->n; k++) {
            if (c->off->c[c->rows[k]] == level) {
                priority[filled++] = k;
            }
        }
    }
    /* full rank of symbols may hide an identity: then points decide */
    dd_dependent_sets best = exact_sets(c, priority, most);
    if (best.finite && best.rank < c->n) {
        return best;
    }
    best = (dd_dependent_sets){0};
    for (uint32_t p = 0; p < DD_EXACT_POINTS; p++) {
        dd_dependent_sets at = sets_at(c, p, priority, most);
        if (at.finite && !(known && at.rank == c->n) && judges_better(&at, &best)) {
            best = at;
        }
    }
    return best;
}
