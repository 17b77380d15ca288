/* irk_matrix.c - the matrix of all stages: its pattern is made once, its values are filled in the same order. */
#include "integ/irk_matrix.h"

#include <string.h>

#include "base/context.h"
#include "la/pencil.h"

struct dd_stage_matrix {
    dd_context *ctx;
    const dd_problem *problem;
    uint32_t n, s;
    double *P, *Q; /* s x s */
    dd_csc big;
    dd_pencil *solver;
};

/* Does column `col` of stage j have entries in the rows of stage i? */
static bool present(const dd_stage_matrix *a, uint32_t i, uint32_t j, uint32_t col)
{
    const size_t at = (size_t)i * a->s + j;
    /* z of stage j appears in the equations of stage j alone */
    return i == j || (a->problem->differential[col] && (a->P[at] != 0 || a->Q[at] != 0));
}

static dd_status make_pattern(dd_stage_matrix *a)
{
    const dd_csc *p = &a->problem->pattern;
    const uint32_t n = a->n, s = a->s;
    uint64_t count = 0;
    /* the entries are counted in 64 bits, since the solver's indices have 32 */
    for (uint32_t j = 0; j < s; j++) {
        for (uint32_t i = 0; i < s; i++) {
            for (uint32_t col = 0; col < n; col++) {
                count += present(a, i, j, col) ? p->ptr[col + 1] - p->ptr[col] : 0;
            }
        }
    }
    if ((uint64_t)n * s > INT32_MAX || count > INT32_MAX) {
        return dd_fail(a->ctx, DD_LIMIT, "%u stages of %u unknowns are too many for one matrix", s, n);
    }
    dd_status st = dd_csc_new(&a->big, a->ctx, n * s, n * s, (uint32_t)count);
    /* columns in order; within a column the stages, so that rows rise */
    uint32_t at = 0;
    for (uint32_t j = 0; j < s && st == DD_OK; j++) {
        st = dd_poll_stop_now(a->ctx); /* gigabytes take seconds to be filled */
        for (uint32_t col = 0; col < n && st == DD_OK; col++) {
            for (uint32_t i = 0; i < s; i++) {
                for (uint32_t q = p->ptr[col]; present(a, i, j, col) && q < p->ptr[col + 1]; q++) {
                    a->big.idx[at++] = i * n + p->idx[q];
                }
            }
            a->big.ptr[j * n + col + 1] = at;
        }
    }
    return st;
}

dd_status dd_stage_matrix_new(dd_stage_matrix **out, dd_context *ctx, const dd_problem *problem, uint32_t s,
                              const double *P, const double *Q)
{
    *out = NULL;
    dd_stage_matrix *a = dd_mem_new_array(ctx, 1, sizeof *a);
    if (!a) {
        return DD_OUT_OF_MEMORY;
    }
    a->ctx = ctx;
    a->problem = problem;
    a->n = problem->n;
    a->s = s;
    /* P and Q are copied: callers make them up for this call */
    a->P = dd_mem_new_array(ctx, (size_t)s * s, sizeof *a->P);
    a->Q = dd_mem_new_array(ctx, (size_t)s * s, sizeof *a->Q);
    dd_status st = a->P && a->Q ? DD_OK : DD_OUT_OF_MEMORY;
    if (st == DD_OK) {
        memcpy(a->P, P, (size_t)s * s * sizeof *P);
        memcpy(a->Q, Q, (size_t)s * s * sizeof *Q);
        st = make_pattern(a);
    }
    if (st == DD_OK) {
        st = dd_pencil_new(&a->solver, ctx, &a->big, false, DD_PENCIL_AUTO);
    }
    if (st != DD_OK) {
        dd_stage_matrix_free(a);
        return st;
    }
    *out = a;
    return DD_OK;
}

void dd_stage_matrix_free(dd_stage_matrix *a)
{
    if (!a) {
        return;
    }
    const size_t square = (size_t)a->s * a->s;
    dd_mem_free(a->ctx, a->P, square * sizeof *a->P);
    dd_mem_free(a->ctx, a->Q, square * sizeof *a->Q);
    dd_csc_free(a->ctx, &a->big);
    dd_pencil_free(a->solver);
    dd_mem_free(a->ctx, a, sizeof *a);
}

dd_status dd_stage_matrix_factor(dd_stage_matrix *a, double sigma, const double *m, const double *j, size_t stride,
                                 bool *singular, uint32_t *unknown)
{
    const dd_csc *p = &a->problem->pattern;
    const uint32_t n = a->n, s = a->s;
    double *out = a->big.val;
    /* block (i, k) is sigma P_ik M_i + Q_ik J_i for x and J_i on the diagonal for z, in the order of the pattern */
    for (uint32_t block = 0; block < s; block++) {
        for (uint32_t col = 0; col < n; col++) {
            const bool x = a->problem->differential[col];
            for (uint32_t i = 0; i < s; i++) {
                if (!present(a, i, block, col)) {
                    continue;
                }
                const double f = x ? sigma * a->P[(size_t)i * s + block] : 0.0, g = x ? a->Q[(size_t)i * s + block] : 1;
                const double *mi = m + i * stride, *ji = j + i * stride;
                for (uint32_t q = p->ptr[col]; q < p->ptr[col + 1]; q++) {
                    *out++ = f * mi[q] + g * ji[q];
                }
            }
        }
    }
    uint32_t column;
    dd_status st = dd_pencil_factor(a->solver, 0, 0, a->big.val, a->big.val, singular, &column);
    /* the column of a block is the unknown that the matrix does not determine */
    *unknown = column == DD_NO_INDEX || n == 0 ? DD_NO_INDEX : column % n;
    return st;
}

void dd_stage_matrix_solve(dd_stage_matrix *a, double *b)
{
    dd_pencil_solve(a->solver, b, NULL);
}
