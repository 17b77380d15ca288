/* sparse_pattern.c - the symmetric matrix of a linear system: which unknowns and entries it has, and which equality is
 * eliminated together with which variable (sparse_pattern.h). */
#include "nlp/sparse_pattern.h"

#include <string.h>

#include "graph/match.h"

/* ---- pairs ---- */

/* Equalities by rows, with the variables that are not fixed, each once. */
static dd_status equalities(const dd_sparse_pattern *k, dd_csc *out)
{
    const dd_kkt_pattern *p = k->kkt;
    dd_work w = {.ctx = k->ctx};
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
        st = dd_csc_from_triplets(out, k->ctx, k->free, p->m, &t, NULL);
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
static void match_shape(const dd_sparse_pattern *k, uint32_t *row_match, uint32_t *col_match)
{
    const dd_kkt_pattern *p = k->kkt;
    for (uint32_t i = 0; i < p->m && p->shape != NULL; i++) {
        const uint32_t v = p->equality[i] ? p->shape->determines[i] : DD_DETERMINES_NONE;
        const uint32_t u = v == DD_DETERMINES_NONE ? DD_NO_INDEX : k->unknown_of[v];
        if (u != DD_NO_INDEX && col_match[u] == DD_NO_INDEX) {
            row_match[i] = u;
            col_match[u] = i;
        }
    }
}

static dd_status find_pairs(const dd_sparse_pattern *k)
{
    const dd_kkt_pattern *p = k->kkt;
    dd_work w = {.ctx = k->ctx};
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
        st = dd_graph_match(&size, k->ctx, &pattern, NULL, true, row_match, col_match);
    }
    for (uint32_t i = 0; i < p->m && st == DD_OK; i++) {
        if (row_match[i] != DD_NO_INDEX) {
            k->partner[k->free + i] = row_match[i];
            k->partner[row_match[i]] = k->free + i;
        }
    }
    dd_csc_free(k->ctx, &rows);
    dd_work_free(&w);
    return st;
}

/* ---- the pattern ---- */

/* Triplets of the lower triangle that are there, and which of all they are. */
static uint32_t list_triplets(const dd_sparse_pattern *k, uint32_t *row, uint32_t *col, uint32_t *which)
{
    const dd_kkt_pattern *p = k->kkt;
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

static dd_status make_matrix(dd_sparse_pattern *k)
{
    dd_work w = {.ctx = k->ctx};
    uint32_t *row = dd_work_array(&w, k->triplets, sizeof *row);
    uint32_t *col = dd_work_array(&w, k->triplets, sizeof *col);
    uint32_t *which = dd_work_array(&w, k->triplets, sizeof *which);
    uint32_t *entry = dd_work_array(&w, k->triplets, sizeof *entry);
    double *val = dd_work_array(&w, k->triplets, sizeof *val);
    dd_status st = DD_OUT_OF_MEMORY;
    if (!w.failed) {
        const uint32_t count = list_triplets(k, row, col, which);
        const dd_triplets t = {.count = count, .row = row, .col = col, .val = val};
        st = dd_csc_from_triplets(&k->matrix, k->ctx, k->unknowns, k->unknowns, &t, entry);
        memset(k->at, 0xff, k->triplets * sizeof *k->at);
        for (uint32_t e = 0; e < count && st == DD_OK; e++) {
            k->at[which[e]] = entry[e];
        }
    }
    dd_work_free(&w);
    return st;
}

/* Variables that are not fixed, then rows. */
static dd_status number_unknowns(dd_sparse_pattern *k)
{
    const dd_kkt_pattern *p = k->kkt;
    k->unknown_of = dd_mem_new_array(k->ctx, (size_t)p->n + 1, sizeof *k->unknown_of);
    k->at = dd_mem_new_array(k->ctx, k->triplets + 1, sizeof *k->at);
    if (k->unknown_of == NULL || k->at == NULL) {
        return DD_OUT_OF_MEMORY;
    }
    uint32_t count = 0;
    for (uint32_t j = 0; j < p->n; j++) {
        k->unknown_of[j] = p->fixed != NULL && p->fixed[j] ? DD_NO_INDEX : count++;
    }
    k->free = count;
    k->partner = dd_mem_new_array(k->ctx, (size_t)count + p->m + 1, sizeof *k->partner);
    if (k->partner == NULL) {
        return DD_OUT_OF_MEMORY;
    }
    k->unknowns = count + p->m;
    memset(k->partner, 0xff, k->unknowns * sizeof *k->partner);
    return DD_OK;
}

dd_status dd_sparse_pattern_make(dd_sparse_pattern *k, dd_context *ctx, const dd_kkt_pattern *pattern)
{
    const size_t triplets =
        (size_t)pattern->hessian_nnz + pattern->jacobian_nnz + (size_t)pattern->n + (size_t)pattern->m;
    *k = (dd_sparse_pattern){.ctx = ctx, .kkt = pattern, .triplets = triplets};
    if (triplets > INT32_MAX) {
        return dd_fail(ctx, DD_LIMIT, "the linear system of an iteration has too many entries");
    }
    dd_status st = number_unknowns(k);
    st = st == DD_OK ? make_matrix(k) : st;
    st = st == DD_OK ? find_pairs(k) : st;
    if (st != DD_OK) {
        dd_sparse_pattern_free(k);
    }
    return st;
}

void dd_sparse_pattern_free(dd_sparse_pattern *k)
{
    if (k->ctx == NULL) {
        return;
    }
    dd_csc_free(k->ctx, &k->matrix);
    dd_mem_free(k->ctx, k->unknown_of, ((size_t)k->kkt->n + 1) * sizeof *k->unknown_of);
    dd_mem_free(k->ctx, k->at, (k->triplets + 1) * sizeof *k->at);
    dd_mem_free(k->ctx, k->partner, ((size_t)k->free + k->kkt->m + 1) * sizeof *k->partner);
    *k = (dd_sparse_pattern){0};
}
