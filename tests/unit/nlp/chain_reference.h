/* chain_reference.h - the same linear system as one dense matrix: eigenvalues of the equilibrated matrix, and the
 * comparison of a factorisation with them. */
#ifndef DD_TESTS_CHAIN_REFERENCE_H
#define DD_TESTS_CHAIN_REFERENCE_H

#include "unit/nlp/chain_problem.h"

void dsyev_(const char *jobz, const char *uplo, const int *n, double *a, const int *lda, double *w, double *work,
            const int *lwork, int *info, size_t jobz_len, size_t uplo_len);

typedef struct chain_truth {
    uint32_t size, negative, zero;  /* eigenvalues below `tiny` are zero */
    double next;                    /* the smallest that is not zero */
    double smallest;                /* of the equilibrated matrix, in magnitude */
    double *matrix, *value, *scale; /* eigenvectors by columns; of unknown i */
    uint32_t *id;                   /* unknown: variable or n + row */
} chain_truth;

static inline void chain_truth_free(chain_truth *t)
{
    free(t->matrix);
    free(t->value);
    free(t->scale);
    free(t->id);
}

static inline void equilibrate_dense(chain_truth *t)
{
    for (uint32_t i = 0; i < t->size; i++) {
        t->scale[i] = 1;
    }
    for (int pass = 0; pass < 8; pass++) {
        for (uint32_t i = 0; i < t->size; i++) {
            double largest = 0;
            for (uint32_t j = 0; j < t->size; j++) {
                largest = fmax(largest, fabs(t->matrix[i * t->size + j]) * t->scale[i] * t->scale[j]);
            }
            t->scale[i] /= largest > 0 ? sqrt(largest) : 1;
        }
    }
    for (uint32_t i = 0; i < t->size; i++) {
        for (uint32_t j = 0; j < t->size; j++) {
            t->matrix[i * t->size + j] *= t->scale[i] * t->scale[j];
        }
    }
}

static inline void chain_truth_make(chain_truth *t, const chain_problem *g, double tiny)
{
    const uint32_t all = g->n + g->m;
    *t = (chain_truth){.smallest = INFINITY, .next = INFINITY};
    uint32_t *at = calloc(all + 1, sizeof *at);
    t->id = calloc(all + 1, sizeof *t->id);
    for (uint32_t u = 0; u < all; u++) {
        at[u] = u < g->n && g->fixed[u] ? UINT32_MAX : t->size;
        if (at[u] != UINT32_MAX) {
            t->id[t->size++] = u;
        }
    }
    const uint32_t n = t->size;
    t->matrix = calloc((size_t)n * n + 1, sizeof(double));
    t->value = calloc(n + 1, sizeof(double));
    t->scale = calloc(n + 1, sizeof(double));
    for (uint32_t e = 0; e < g->hn; e++) {
        const uint32_t a = at[g->hr[e]], b = at[g->hc[e]];
        if (a != UINT32_MAX && b != UINT32_MAX) {
            t->matrix[a * n + b] += g->h[e];
            t->matrix[b * n + a] += a != b ? g->h[e] : 0;
        }
    }
    for (uint32_t e = 0; e < g->jn; e++) {
        const uint32_t a = at[g->n + g->jr[e]], b = at[g->jc[e]];
        if (b != UINT32_MAX) {
            t->matrix[a * n + b] += g->j[e];
            t->matrix[b * n + a] += g->j[e];
        }
    }
    for (uint32_t u = 0; u < all; u++) {
        if (at[u] != UINT32_MAX) {
            t->matrix[at[u] * n + at[u]] += u < g->n ? g->p[u] : -g->q[u - g->n];
        }
    }
    free(at);
    equilibrate_dense(t);
    const int size = (int)n, lwork = 40 * size + 64;
    int info = 0;
    double *work = calloc((size_t)lwork, sizeof(double));
    if (n) {
        dsyev_("V", "U", &size, t->matrix, &size, t->value, work, &lwork, &info, 1, 1);
    }
    assert(info == 0);
    free(work);
    for (uint32_t i = 0; i < n; i++) {
        t->zero += fabs(t->value[i]) <= tiny;
        t->negative += t->value[i] < -tiny;
        t->smallest = fmin(t->smallest, fabs(t->value[i]));
        t->next = fabs(t->value[i]) > tiny ? fmin(t->next, fabs(t->value[i])) : t->next;
    }
}

/* Solves by the eigenvectors: b over all unknowns is replaced. */
static inline void chain_truth_solve(const chain_truth *t, double *b)
{
    const uint32_t n = t->size;
    double *y = calloc(n + 1, sizeof *y), *x = calloc(n + 1, sizeof *x);
    for (uint32_t k = 0; k < n; k++) {
        for (uint32_t i = 0; i < n; i++) {
            y[k] += t->matrix[k * n + i] * b[t->id[i]] * t->scale[i];
        }
        y[k] /= t->value[k];
    }
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < n; k++) {
            x[i] += t->matrix[k * n + i] * y[k];
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        b[t->id[i]] = x[i] * t->scale[i];
    }
    free(y);
    free(x);
}

/* What a factorisation and a solve with refinement give beside the truth. */
typedef struct chain_outcome {
    dd_kkt_inertia inertia;
    double first;    /* largest scaled residual of the first solve, relative to the right-hand side and solution */
    double residual; /* after refinement */
    double error;    /* of the solution, relative, in the scaled unknowns */
} chain_outcome;

static inline double scaled_largest(const chain_truth *t, const double *v, bool inverse)
{
    double largest = 0;
    for (uint32_t i = 0; i < t->size; i++) {
        const double s = fabs(v[t->id[i]]) * (inverse ? 1 / t->scale[i] : t->scale[i]);
        largest = s > largest || isnan(s) ? s : largest;
    }
    return largest;
}

/* Factors, and solves for ones; ahead: the factorisation begins with them, which must not change a bit. */
static inline dd_kkt_inertia chain_solve_ones(chain_problem *g, dd_kkt_system *k, bool ahead, double *x)
{
    dd_kkt_inertia inertia = {0};
    dd_kkt_values values = g->values;
    for (size_t i = 0; i < (size_t)g->n + g->m; i++) {
        x[i] = 1;
    }
    values.r = ahead ? x : NULL;
    values.s = ahead ? x + g->n : NULL;
    const dd_status status = k->kind->factor(k, &values, &inertia);
    assert(status == DD_OK && (ahead || !inertia.begun));
    for (size_t i = 0; i < (size_t)g->n + g->m && !inertia.begun; i++) {
        x[i] = 1;
    }
    k->kind->solve(k, x, x + g->n);
    inertia.begun = false;
    return inertia;
}

static inline chain_outcome chain_judge(chain_problem *g, dd_kkt_system *k, const chain_truth *t, int refinements)
{
    const uint32_t n = g->n, m = g->m;
    chain_outcome out = {0};
    assert(k->kind->factor(k, &g->values, &out.inertia) == DD_OK);
    double *b = calloc(n + m + 1, sizeof *b), *r = calloc(n + m + 1, sizeof *r), *x = calloc(n + m + 1, sizeof *x);
    /* a right-hand side of size 1 in the scaled system */
    for (uint32_t i = 0; i < t->size; i++) {
        b[t->id[i]] = rnd(g) / t->scale[i];
    }
    double *truth = calloc(n + m + 1, sizeof *truth);
    memcpy(truth, b, (n + m) * sizeof *b);
    chain_truth_solve(t, truth);
    memcpy(r, b, (n + m) * sizeof *b);
    for (int pass = 0; pass <= refinements; pass++) {
        k->kind->solve(k, r, r + n);
        for (uint32_t u = 0; u < n + m; u++) {
            x[u] += r[u];
        }
        memcpy(r, b, (n + m) * sizeof *b);
        chain_residual(g, x, x + n, r, r + n);
        out.residual = scaled_largest(t, r, false) / (1 + scaled_largest(t, x, true));
        out.first = pass == 0 ? out.residual : out.first;
    }
    const double size = scaled_largest(t, truth, true);
    for (uint32_t u = 0; u < n + m; u++) {
        x[u] -= truth[u];
    }
    out.error = scaled_largest(t, x, true) / (1 + size);
    free(b);
    free(r);
    free(x);
    free(truth);
    return out;
}

#endif
