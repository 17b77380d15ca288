/* dense_kkt.c - small systems of kkt_system.h as one dense matrix: Bunch and Kaufman's factorisation of LAPACK. Also the
 * reference that the other kinds are compared with. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "la/lapack.h"
#include "nlp/kkt_kinds.h"

#define MOST_UNKNOWNS 24u /* beyond, sparse factorisations are faster */
#define ZERO_PIVOT 1e-14  /* relative to the scaled matrix, whose entries are at most 1 */

typedef struct dense_kkt {
    dd_kkt_system base;
    dd_kkt_pattern pattern;
    int size;           /* unknowns: free variables, rows */
    uint32_t *place;    /* n + m: index of an unknown; UINT32_MAX: fixed */
    int *pivots;        /* size */
    bool *zero;         /* size: pivots that are zero */
    double *a, *scale;  /* size^2, size */
    double *work, *rhs; /* size * block, size */
    size_t bytes;
} dense_kkt;

enum { BLOCK = 32 };

static bool suits_small(const dd_kkt_pattern *pattern)
{
    return (uint64_t)pattern->n + pattern->m <= MOST_UNKNOWNS;
}

static dd_status make(dd_kkt_system **out, dd_context *ctx, const dd_kkt_pattern *pattern)
{
    size_t all = (size_t)pattern->n + pattern->m;
    uint32_t size = pattern->m;
    for (uint32_t i = 0; i < pattern->n; i++) {
        size += pattern->fixed != NULL && pattern->fixed[i] ? 0 : 1;
    }
    /* one block of memory behind the struct */
    size_t doubles = (size_t)size * size + (size_t)size * (BLOCK + 2) + 1;
    size_t bytes = sizeof(dense_kkt) + doubles * sizeof(double) + (all + 2 * (size_t)size + 1) * sizeof(int);
    dense_kkt *k = dd_mem_new_array(ctx, bytes, 1);
    if (k == NULL) {
        return dd_fail(ctx, DD_OUT_OF_MEMORY, "%s", dd_status_text(DD_OUT_OF_MEMORY));
    }
    *k = (dense_kkt){.base = {&dd_kkt_dense, ctx}, .pattern = *pattern, .size = (int)size, .bytes = bytes};
    k->a = (double *)(k + 1);
    k->scale = k->a + (size_t)size * size;
    k->rhs = k->scale + size;
    k->work = k->rhs + size;
    k->place = (void *)(k->work + (size_t)size * BLOCK + 1);
    k->pivots = (int *)(k->place + all);
    k->zero = (bool *)(k->pivots + size);
    /* free variables first, then rows */
    uint32_t next = 0;
    for (uint32_t i = 0; i < all; i++) {
        bool fixed = i < pattern->n && pattern->fixed != NULL && pattern->fixed[i];
        k->place[i] = fixed ? UINT32_MAX : next++;
    }
    *out = &k->base;
    return DD_OK;
}

static void free_kkt(dd_kkt_system *base)
{
    dd_mem_free(base->ctx, base, ((dense_kkt *)base)->bytes);
}

static void add(dense_kkt *k, uint32_t i, uint32_t j, double value)
{
    uint32_t row = k->place[i], col = k->place[j];
    if (row == UINT32_MAX || col == UINT32_MAX) {
        return;
    }
    /* the lower triangle */
    uint32_t low = row < col ? row : col, high = row < col ? col : row;
    k->a[(size_t)low * (size_t)k->size + high] += value;
}

static void assemble(dense_kkt *k, const dd_kkt_values *v)
{
    const dd_kkt_pattern *t = &k->pattern;
    memset(k->a, 0, (size_t)k->size * (size_t)k->size * sizeof *k->a);
    for (uint32_t e = 0; e < t->hessian_nnz; e++) {
        add(k, t->hessian_row[e], t->hessian_col[e], v->hessian[e]);
    }
    for (uint32_t i = 0; i < t->n; i++) {
        add(k, i, i, v->p[i]);
    }
    for (uint32_t e = 0; e < t->jacobian_nnz; e++) {
        add(k, t->n + t->jacobian_row[e], t->jacobian_col[e], v->jacobian[e]);
    }
    for (uint32_t i = 0; i < t->m; i++) {
        add(k, t->n + i, t->n + i, -v->q[i]);
    }
}

/* Symmetric scaling by square roots of the largest entries, in three sweeps; powers of two, so that nothing is
 * rounded. */
static void equilibrate(dense_kkt *k)
{
    int size = k->size;
    for (int i = 0; i < size; i++) {
        k->scale[i] = 1;
    }
    /* each sweep brings the largest entry of every row closer to 1; of the matrix only the lower triangle is stored */
    for (int sweep = 0; sweep < 3; sweep++) {
        for (int i = 0; i < size; i++) {
            double most = 0;
            for (int j = 0; j < size; j++) {
                double entry =
                    i >= j ? k->a[(size_t)j * (size_t)size + (size_t)i] : k->a[(size_t)i * (size_t)size + (size_t)j];
                most = fmax(most, fabs(entry) * k->scale[j]);
            }
            most *= k->scale[i];
            k->rhs[i] = most > 0 ? ldexp(1, -ilogb(most) / 2) : 1;
        }
        for (int i = 0; i < size; i++) {
            k->scale[i] *= k->rhs[i];
        }
    }
    for (int j = 0; j < size; j++) {
        for (int i = j; i < size; i++) {
            k->a[(size_t)j * (size_t)size + (size_t)i] *= k->scale[i] * k->scale[j];
        }
    }
}

/* Signs of the eigenvalues from the blocks of D: a block of two has one of each. */
static void count_signs(dense_kkt *k, dd_kkt_inertia *out)
{
    int size = k->size;
    for (int i = 0; i < size; i++) {
        double d = k->a[(size_t)i * (size_t)size + (size_t)i];
        k->zero[i] = false;
        if (k->pivots[i] < 0) {
            double off = k->a[(size_t)i * (size_t)size + (size_t)i + 1], e = k->a[(size_t)(i + 1) * ((size_t)size + 1)];
            k->zero[i + 1] = false;
            out->negative++;
            out->broken = out->broken || !isfinite(d + off + e);
            i++;
            continue;
        }
        k->zero[i] = fabs(d) <= ZERO_PIVOT;
        out->zero += k->zero[i] ? 1 : 0;
        out->negative += !k->zero[i] && d < 0 ? 1 : 0;
        out->broken = out->broken || !isfinite(d);
    }
}

static dd_status factor(dd_kkt_system *base, const dd_kkt_values *values, dd_kkt_inertia *out)
{
    dense_kkt *k = (dense_kkt *)base;
    int info = 0, length = k->size * BLOCK;
    *out = (dd_kkt_inertia){0};
    if (k->size == 0) {
        return DD_OK;
    }
    assemble(k, values);
    equilibrate(k);
    dsytrf_("L", &k->size, k->a, &k->size, k->pivots, k->work, &length, &info, 1);
    count_signs(k, out);
    /* zero pivots: the solve leaves their components out */
    for (int i = 0; i < k->size; i++) {
        if (k->zero[i]) {
            k->a[(size_t)i * ((size_t)k->size + 1)] = INFINITY;
        }
    }
    return DD_OK;
}

static void solve(dd_kkt_system *base, double *r, double *s)
{
    dense_kkt *k = (dense_kkt *)base;
    const dd_kkt_pattern *t = &k->pattern;
    int one = 1, info = 0;
    for (uint32_t i = 0; i < t->n + t->m; i++) {
        if (k->place[i] != UINT32_MAX) {
            k->rhs[k->place[i]] = (i < t->n ? r[i] : s[i - t->n]) * k->scale[k->place[i]];
        }
    }
    if (k->size > 0) {
        dsytrs_("L", &k->size, &one, k->a, &k->size, k->pivots, k->rhs, &k->size, &info, 1);
    }
    for (uint32_t i = 0; i < t->n + t->m; i++) {
        double value = k->place[i] == UINT32_MAX ? 0 : k->rhs[k->place[i]] * k->scale[k->place[i]];
        *(i < t->n ? &r[i] : &s[i - t->n]) = value;
    }
}

/* The row that LAPACK exchanged with row `step` before it eliminated that: blocks of two exchange their second row. */
static int exchanged_with(const dense_kkt *k, int step)
{
    if (k->pivots[step] > 0) {
        return k->pivots[step] - 1;
    }
    /* first or second row of a block: blocks are pairs of equal negative numbers, counted from their beginning */
    int begin = step;
    while (begin > 0 && k->pivots[begin - 1] < 0) {
        begin--;
    }
    return (step - begin) % 2 == 0 ? step : -k->pivots[step] - 1;
}

/* A null vector of the matrix is (0, y) with J^T y = 0, and it is not zero in the component of the zero pivot. */
static uint32_t dependent(const dd_kkt_system *base, uint32_t *rows, uint32_t most)
{
    const dense_kkt *k = (const dense_kkt *)base;
    int free = k->size - (int)k->pattern.m;
    uint32_t count = 0;
    for (int i = 0; i < k->size; i++) {
        /* the unknown at pivot i: where the exchanges up to it came from, backwards */
        int at = i;
        for (int step = i; step >= 0 && k->zero[i]; step--) {
            int other = exchanged_with(k, step);
            at = at == step ? other : at == other ? step : at;
        }
        if (k->zero[i] && at >= free) {
            if (count < most) {
                rows[count] = (uint32_t)(at - free);
            }
            count++;
        }
    }
    return count;
}

const dd_kkt_kind dd_kkt_dense = {"dense", suits_small, make, free_kkt, factor, solve, dependent};
