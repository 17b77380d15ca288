/* sparse_kkt.c - the linear systems of an interior-point iteration for any pattern: a sparse LDL^T factorisation
 * (la/ldl.h) of
 *
 *     [ H + diag(p)    J^T     ]
 *     [ J          -diag(q)    ]
 *
 * on the variables that are not fixed, in one order that is found once.
 */
#include <string.h>

#include "nlp/sparse_pattern.h"

typedef struct sparse_kkt {
    dd_kkt_system system;
    dd_kkt_pattern pattern;
    dd_sparse_pattern matrix;
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
    dd_mem_free(ctx, k->x, ((size_t)k->matrix.unknowns + 1) * sizeof *k->x);
    dd_sparse_pattern_free(&k->matrix);
    dd_mem_free(ctx, k, sizeof *k);
}

static dd_status build(sparse_kkt *k)
{
    dd_context *ctx = k->system.ctx;
    dd_sparse_pattern *m = &k->matrix;
    dd_status st = dd_sparse_pattern_make(m, ctx, &k->pattern);
    if (st != DD_OK) {
        return st;
    }
    /* long chains are cut at nodes that are eliminated last */
    dd_sparse_cuts cuts;
    st = dd_sparse_find_cuts(&cuts, ctx, &k->pattern);
    dd_work w = {.ctx = ctx};
    k->x = dd_mem_new_array(ctx, (size_t)m->unknowns + 1, sizeof *k->x);
    uint32_t *level = dd_work_array(&w, m->unknowns, sizeof *level);
    st = st == DD_OK && (w.failed || k->x == NULL) ? DD_OUT_OF_MEMORY : st;
    if (st == DD_OK) {
        if (cuts.step > 0) {
            dd_sparse_levels(m, cuts.step, level);
        }
        const dd_ldl_pattern pattern = {.n = m->unknowns,
                                        .ptr = m->matrix.ptr,
                                        .idx = m->matrix.idx,
                                        .partner = m->partner,
                                        .level = cuts.step > 0 ? level : NULL};
        st = dd_ldl_new(&k->ldl, ctx, &pattern);
    }
    dd_work_free(&w);
    return st;
}

static dd_status make(dd_kkt_system **out, dd_context *ctx, const dd_kkt_pattern *pattern)
{
    *out = NULL;
    sparse_kkt *k = dd_mem_new_array(ctx, 1, sizeof *k);
    if (k == NULL) {
        return DD_OUT_OF_MEMORY;
    }
    k->system = (dd_kkt_system){.kind = &dd_kkt_general, .ctx = ctx};
    k->pattern = *pattern;
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
            k->matrix.matrix.val[at[e]] += sign * value[e];
        }
    }
    return at + count;
}

static dd_status factor(dd_kkt_system *system, const dd_kkt_values *values, dd_kkt_inertia *out)
{
    sparse_kkt *k = (sparse_kkt *)(void *)system;
    const dd_kkt_pattern *p = &k->pattern;
    dd_csc *a = &k->matrix.matrix;
    memset(a->val, 0, a->ptr[k->matrix.unknowns] * sizeof *a->val);
    const uint32_t *at = add(k, k->matrix.at, p->hessian_nnz, values->hessian, 1);
    at = add(k, at, p->n, values->p, 1);
    at = add(k, at, p->jacobian_nnz, values->jacobian, 1);
    add(k, at, p->m, values->q, -1);
    dd_ldl_info info;
    const dd_status st = dd_ldl_factor(k->ldl, a->val, &info);
    *out = (dd_kkt_inertia){.negative = info.negative, .zero = info.zero, .broken = info.broken};
    return st;
}

static void solve(dd_kkt_system *system, double *r, double *s)
{
    sparse_kkt *k = (sparse_kkt *)(void *)system;
    const dd_kkt_pattern *p = &k->pattern;
    for (uint32_t j = 0; j < p->n; j++) {
        if (k->matrix.unknown_of[j] != DD_NO_INDEX) {
            k->x[k->matrix.unknown_of[j]] = r[j];
        }
    }
    memcpy(k->x + k->matrix.free, s, p->m * sizeof *s);
    dd_ldl_solve(k->ldl, k->x);
    for (uint32_t j = 0; j < p->n; j++) {
        r[j] = k->matrix.unknown_of[j] != DD_NO_INDEX ? k->x[k->matrix.unknown_of[j]] : 0;
    }
    memcpy(s, k->x + k->matrix.free, p->m * sizeof *s);
}

static uint32_t dependent(const dd_kkt_system *system, uint32_t *rows, uint32_t most)
{
    const sparse_kkt *k = (const sparse_kkt *)(const void *)system;
    const uint32_t zero = dd_ldl_get_info(k->ldl).zero, *zeros = dd_ldl_zeros(k->ldl);
    uint32_t count = 0;
    for (uint32_t e = 0; e < zero; e++) {
        if (zeros[e] >= k->matrix.free) {
            if (count < most) {
                rows[count] = zeros[e] - k->matrix.free;
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
