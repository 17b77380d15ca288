/* sparse_kkt.c - the linear systems of an interior-point iteration for any pattern: a sparse LDL^T factorisation
 * (la/ldl.h) of
 *
 *     [ H + diag(p)    J^T     ]
 *     [ J          -diag(q)    ]
 *
 * on the variables that are not fixed, in one order that is found once.
 *
 * An equality has no diagonal of its own. It is paired with a variable that it contains, so that the two are eliminated
 * together: with the one that the shape of the program names, or else one of a maximum matching that begins with the
 * variables in the fewest entries.
 */
#include <string.h>

#include "graph/match.h"
#include "la/csc.h"
#include "la/ldl.h"
#include "nlp/kkt_system.h"

typedef struct sparse_kkt {
    dd_kkt_system system;
    dd_kkt_pattern pattern;
    uint32_t unknowns, free; /* rows and free variables; free variables, which come first */
    uint32_t *unknown_of;    /* n: DD_NO_INDEX where it is fixed */
    dd_csc matrix;           /* lower triangle */
    uint32_t *at;            /* triplets: where each is added; hessian, p, jacobian, q in this order */
    size_t triplets;
    double *x; /* unknowns */
    dd_ldl *ldl;
} sparse_kkt;

static bool suits(const dd_kkt_pattern *pattern)
{
    (void)pattern;
    return true;
}

static void destroy(dd_kkt_system *system)
{
    sparse_kkt *k = (sparse_kkt *)(void *)system;
    if (k == NULL) {
        return;
    }
    dd_context *ctx = system->ctx;
    dd_ldl_free(k->ldl);
    dd_csc_free(ctx, &k->matrix);
    dd_mem_free(ctx, k->unknown_of, ((size_t)k->pattern.n + 1) * sizeof *k->unknown_of);
    dd_mem_free(ctx, k->at, (k->triplets + 1) * sizeof *k->at);
    dd_mem_free(ctx, k->x, ((size_t)k->unknowns + 1) * sizeof *k->x);
    dd_mem_free(ctx, k, sizeof *k);
}

/* ---- pairs ---- */

/* Equalities by rows, with the variables that are not fixed, each once. */
static dd_status equalities(const sparse_kkt *k, dd_csc *out)
{
    const dd_kkt_pattern *p = &k->pattern;
    dd_work w = {.ctx = k->system.ctx};
    uint32_t *row = dd_work_array(&w, p->jacobian_nnz, sizeof *row);
    uint32_t *col = dd_work_array(&w, p->jacobian_nnz, sizeof *col);
    double *val = dd_work_array(&w, p->jacobian_nnz, sizeof *val);
    dd_status st = DD_OUT_OF_MEMORY;
    if (!w.failed) {
        dd_triplets t = {.row = row, .col = col, .val = val};
        for (uint32_t e = 0; e < p->jacobian_nnz; e++) {
            const uint32_t u = k->unknown_of[p->jacobian_col[e]], i = p->jacobian_row[e];
            if (u != DD_NO_INDEX && p->equality[i]) {
                row[t.count] = u;
                col[t.count++] = i;
            }
        }
        st = dd_csc_from_triplets(out, k->system.ctx, k->free, p->m, &t, NULL);
    }
    dd_work_free(&w);
    return st;
}

/* A matching that takes the variable in the fewest entries for each row. degree: entries of a variable. */
static void match_few(const dd_csc *rows, const uint32_t *degree, uint32_t *row_match, uint32_t *col_match)
{
    for (uint32_t i = 0; i < rows->ncols; i++) {
        uint32_t best = DD_NO_INDEX;
        for (uint32_t e = rows->ptr[i]; e < rows->ptr[i + 1] && row_match[i] == DD_NO_INDEX; e++) {
            const uint32_t u = rows->idx[e];
            if (col_match[u] == DD_NO_INDEX && (best == DD_NO_INDEX || degree[u] < degree[best])) {
                best = u;
            }
        }
        if (best != DD_NO_INDEX) {
            row_match[i] = best;
            col_match[best] = i;
        }
    }
}

/* Pairs that the shape names. */
static void match_shape(const sparse_kkt *k, uint32_t *row_match, uint32_t *col_match)
{
    const dd_kkt_pattern *p = &k->pattern;
    for (uint32_t i = 0; i < p->m && p->shape != NULL; i++) {
        const uint32_t v = p->equality[i] ? p->shape->determines[i] : DD_DETERMINES_NONE;
        const uint32_t u = v == DD_DETERMINES_NONE ? DD_NO_INDEX : k->unknown_of[v];
        if (u != DD_NO_INDEX && col_match[u] == DD_NO_INDEX) {
            row_match[i] = u;
            col_match[u] = i;
        }
    }
}

/* partner: unknowns. */
static dd_status find_pairs(const sparse_kkt *k, uint32_t *partner)
{
    const dd_kkt_pattern *p = &k->pattern;
    dd_work w = {.ctx = k->system.ctx};
    uint32_t *row_match = dd_work_array(&w, p->m, sizeof *row_match);
    uint32_t *col_match = dd_work_array(&w, k->free, sizeof *col_match);
    uint32_t *degree = dd_work_array(&w, k->unknowns, sizeof *degree), size;
    dd_csc rows = {0};
    dd_status st = w.failed ? DD_OUT_OF_MEMORY : equalities(k, &rows);
    if (st == DD_OK) {
        memset(row_match, 0xff, p->m * sizeof *row_match);
        memset(col_match, 0xff, k->free * sizeof *col_match);
        for (uint32_t j = 0; j < k->unknowns; j++) {
            for (uint32_t e = k->matrix.ptr[j]; e < k->matrix.ptr[j + 1]; e++) {
                degree[j]++;
                degree[k->matrix.idx[e]]++;
            }
        }
        /* good pairs first, then as many as there can be */
        match_shape(k, row_match, col_match);
        match_few(&rows, degree, row_match, col_match);
        const dd_pattern pattern = {.nrows = p->m, .ncols = k->free, .ptr = rows.ptr, .idx = rows.idx};
        st = dd_graph_match(&size, k->system.ctx, &pattern, NULL, true, row_match, col_match);
    }
    for (uint32_t i = 0; i < p->m && st == DD_OK; i++) {
        if (row_match[i] != DD_NO_INDEX) {
            partner[k->free + i] = row_match[i];
            partner[row_match[i]] = k->free + i;
        }
    }
    dd_csc_free(k->system.ctx, &rows);
    dd_work_free(&w);
    return st;
}

/* ---- the pattern ---- */

/* Triplets of the lower triangle that are there, and which of all they are. */
static uint32_t list_triplets(const sparse_kkt *k, uint32_t *row, uint32_t *col, uint32_t *which)
{
    const dd_kkt_pattern *p = &k->pattern;
    uint32_t count = 0, all = 0;
    /* H and p */
    for (uint32_t e = 0; e < p->hessian_nnz; e++, all++) {
        const uint32_t i = k->unknown_of[p->hessian_row[e]], j = k->unknown_of[p->hessian_col[e]];
        if (i != DD_NO_INDEX && j != DD_NO_INDEX) {
            row[count] = i > j ? i : j;
            col[count] = i > j ? j : i;
            which[count++] = all;
        }
    }
    for (uint32_t j = 0; j < p->n; j++, all++) {
        if (k->unknown_of[j] != DD_NO_INDEX) {
            row[count] = col[count] = k->unknown_of[j];
            which[count++] = all;
        }
    }
    /* J and q */
    for (uint32_t e = 0; e < p->jacobian_nnz; e++, all++) {
        const uint32_t j = k->unknown_of[p->jacobian_col[e]];
        if (j != DD_NO_INDEX) {
            row[count] = k->free + p->jacobian_row[e];
            col[count] = j;
            which[count++] = all;
        }
    }
    for (uint32_t i = 0; i < p->m; i++, all++) {
        row[count] = col[count] = k->free + i;
        which[count++] = all;
    }
    return count;
}

static dd_status make_matrix(sparse_kkt *k)
{
    dd_work w = {.ctx = k->system.ctx};
    uint32_t *row = dd_work_array(&w, k->triplets, sizeof *row);
    uint32_t *col = dd_work_array(&w, k->triplets, sizeof *col);
    uint32_t *which = dd_work_array(&w, k->triplets, sizeof *which);
    uint32_t *entry = dd_work_array(&w, k->triplets, sizeof *entry);
    double *val = dd_work_array(&w, k->triplets, sizeof *val);
    dd_status st = DD_OUT_OF_MEMORY;
    if (!w.failed) {
        const uint32_t count = list_triplets(k, row, col, which);
        const dd_triplets t = {.count = count, .row = row, .col = col, .val = val};
        st = dd_csc_from_triplets(&k->matrix, k->system.ctx, k->unknowns, k->unknowns, &t, entry);
        memset(k->at, 0xff, k->triplets * sizeof *k->at);
        for (uint32_t e = 0; e < count && st == DD_OK; e++) {
            k->at[which[e]] = entry[e];
        }
    }
    dd_work_free(&w);
    return st;
}

static dd_status build(sparse_kkt *k)
{
    const dd_kkt_pattern *p = &k->pattern;
    dd_context *ctx = k->system.ctx;
    /* variables that are not fixed, then rows */
    k->unknown_of = dd_mem_new_array(ctx, (size_t)p->n + 1, sizeof *k->unknown_of);
    k->at = dd_mem_new_array(ctx, k->triplets + 1, sizeof *k->at);
    if (k->unknown_of == NULL || k->at == NULL) {
        return DD_OUT_OF_MEMORY;
    }
    for (uint32_t j = 0; j < p->n; j++) {
        k->unknown_of[j] = p->fixed != NULL && p->fixed[j] ? DD_NO_INDEX : k->free++;
    }
    const uint32_t unknowns = k->free + p->m;
    k->x = dd_mem_new_array(ctx, (size_t)unknowns + 1, sizeof *k->x);
    if (k->x == NULL) {
        return DD_OUT_OF_MEMORY;
    }
    k->unknowns = unknowns;
    dd_status st = make_matrix(k);
    dd_work w = {.ctx = ctx};
    uint32_t *partner = dd_work_array(&w, unknowns, sizeof *partner);
    st = st == DD_OK && w.failed ? DD_OUT_OF_MEMORY : st;
    if (st == DD_OK) {
        memset(partner, 0xff, unknowns * sizeof *partner);
        st = find_pairs(k, partner);
    }
    if (st == DD_OK) {
        const dd_ldl_pattern pattern = {unknowns, k->matrix.ptr, k->matrix.idx, partner};
        st = dd_ldl_new(&k->ldl, ctx, &pattern);
    }
    dd_work_free(&w);
    return st;
}

static dd_status make(dd_kkt_system **out, dd_context *ctx, const dd_kkt_pattern *pattern)
{
    *out = NULL;
    const size_t triplets =
        (size_t)pattern->hessian_nnz + pattern->jacobian_nnz + (size_t)pattern->n + (size_t)pattern->m;
    if (triplets > INT32_MAX) {
        return dd_fail(ctx, DD_LIMIT, "the linear system of an iteration has too many entries");
    }
    sparse_kkt *k = dd_mem_new_array(ctx, 1, sizeof *k);
    if (k == NULL) {
        return DD_OUT_OF_MEMORY;
    }
    k->system = (dd_kkt_system){.kind = &dd_kkt_general, .ctx = ctx};
    k->pattern = *pattern;
    k->triplets = triplets;
    const dd_status st = build(k);
    if (st != DD_OK) {
        destroy(&k->system);
        return st;
    }
    *out = &k->system;
    return DD_OK;
}

/* ---- values ---- */

/* Adds `count` values with a sign to their entries; returns what follows in k->at. */
static const uint32_t *add(sparse_kkt *k, const uint32_t *at, uint32_t count, const double *value, double sign)
{
    for (uint32_t e = 0; e < count; e++) {
        if (at[e] != DD_NO_INDEX) {
            k->matrix.val[at[e]] += sign * value[e];
        }
    }
    return at + count;
}

static dd_status factor(dd_kkt_system *system, const dd_kkt_values *values, dd_kkt_inertia *out)
{
    sparse_kkt *k = (sparse_kkt *)(void *)system;
    const dd_kkt_pattern *p = &k->pattern;
    memset(k->matrix.val, 0, k->matrix.ptr[k->unknowns] * sizeof *k->matrix.val);
    const uint32_t *at = add(k, k->at, p->hessian_nnz, values->hessian, 1);
    at = add(k, at, p->n, values->p, 1);
    at = add(k, at, p->jacobian_nnz, values->jacobian, 1);
    add(k, at, p->m, values->q, -1);
    dd_ldl_info info;
    const dd_status st = dd_ldl_factor(k->ldl, k->matrix.val, &info);
    *out = (dd_kkt_inertia){.negative = info.negative, .zero = info.zero, .broken = info.broken};
    return st;
}

static void solve(dd_kkt_system *system, double *r, double *s)
{
    sparse_kkt *k = (sparse_kkt *)(void *)system;
    const dd_kkt_pattern *p = &k->pattern;
    for (uint32_t j = 0; j < p->n; j++) {
        if (k->unknown_of[j] != DD_NO_INDEX) {
            k->x[k->unknown_of[j]] = r[j];
        }
    }
    memcpy(k->x + k->free, s, p->m * sizeof *s);
    dd_ldl_solve(k->ldl, k->x);
    for (uint32_t j = 0; j < p->n; j++) {
        r[j] = k->unknown_of[j] != DD_NO_INDEX ? k->x[k->unknown_of[j]] : 0;
    }
    memcpy(s, k->x + k->free, p->m * sizeof *s);
}

static uint32_t dependent(const dd_kkt_system *system, uint32_t *rows, uint32_t most)
{
    const sparse_kkt *k = (const sparse_kkt *)(const void *)system;
    const uint32_t zero = dd_ldl_get_info(k->ldl).zero, *zeros = dd_ldl_zeros(k->ldl);
    uint32_t count = 0;
    for (uint32_t e = 0; e < zero; e++) {
        if (zeros[e] >= k->free) {
            if (count < most) {
                rows[count] = zeros[e] - k->free;
            }
            count++;
        }
    }
    return count;
}

const dd_kkt_kind dd_kkt_general = {
    .name = "general",
    .suits = suits,
    .make = make,
    .free = destroy,
    .factor = factor,
    .solve = solve,
    .dependent = dependent,
};
