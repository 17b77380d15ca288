/* ip_quasi.c - where a program has no second derivatives: limited-memory BFGS in compact form (Byrd, Nocedal and
 * Schnabel, "Representations of quasi-Newton matrices and their use in limited memory methods", Mathematical
 * Programming 63, 1994).
 *
 *     B = sigma I - Psi M^-1 Psi^T,    Psi = [sigma S, Y],    M = [sigma S^T S, L; L^T, -D]
 *
 * with the last steps S and changes of the Lagrangian's gradient Y, L the part of S^T Y below the diagonal, D its
 * diagonal. The factorisation has sigma I alone; the rest is a correction of low rank to each solve (Sherman, Morrison
 * and Woodbury). B is positive definite, so the inertia is right where that of sigma I is. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "la/lapack.h"
#include "nlp/ip_impl.h"

enum { MEMORY = 6, WIDTH = 2 * MEMORY };

struct dd_ip_quasi {
    uint32_t n, k; /* pairs kept */
    double sigma;
    double *s[MEMORY], *y[MEMORY]; /* n each, the oldest first */
    double *before;                /* n: gradient of the Lagrangian at the last point with the new multipliers */
    double *at;                    /* n: the last point */
    double *solved_x[WIDTH], *solved_y[WIDTH]; /* K0^-1 [Psi; 0]: n and m each */
    double middle[WIDTH * WIDTH];              /* M, factored */
    double schur[WIDTH * WIDTH];               /* M - Psi^T (K0^-1) Psi, factored */
    int middle_pivots[WIDTH], schur_pivots[WIDTH];
    bool ready; /* solved_* and schur belong to the present factorisation */
    size_t bytes;
};

#define CURVATURE 1.5e-8 /* pairs with less (relative to their sizes) say nothing */
#define LEAST_SIGMA 1e-8
#define MOST_SIGMA 1e8

dd_status dd_ip_quasi_new(dd_ip_quasi **out, dd_context *ctx, uint32_t n, uint32_t m)
{
    size_t doubles = (size_t)n * (2 * MEMORY + 2 + WIDTH) + (size_t)m * WIDTH + 1;
    size_t bytes = sizeof(dd_ip_quasi) + doubles * sizeof(double);
    dd_ip_quasi *q = dd_mem_new_array(ctx, bytes, 1);
    *out = q;
    if (q == NULL) {
        return dd_fail(ctx, DD_OUT_OF_MEMORY, "%s", dd_status_text(DD_OUT_OF_MEMORY));
    }
    *q = (dd_ip_quasi){.n = n, .bytes = bytes, .sigma = 1};
    double *memory = (double *)(q + 1);
    for (uint32_t i = 0; i < MEMORY; i++, memory += 2 * (size_t)n) {
        q->s[i] = memory;
        q->y[i] = memory + n;
    }
    q->before = memory;
    q->at = memory + n;
    memory += 2 * (size_t)n;
    for (uint32_t i = 0; i < WIDTH; i++, memory += (size_t)n + m) {
        q->solved_x[i] = memory;
        q->solved_y[i] = memory + n;
    }
    return DD_OK;
}

void dd_ip_quasi_free(dd_ip_quasi *q, dd_context *ctx)
{
    if (q != NULL) {
        dd_mem_free(ctx, q, q->bytes);
    }
}

void dd_ip_quasi_forget(dd_ip_quasi *q)
{
    q->k = 0;
    q->sigma = 1;
    q->ready = false;
}

double dd_ip_quasi_sigma(const dd_ip_quasi *q)
{
    return q->sigma;
}

static double dot(const double *a, const double *b, uint32_t n)
{
    double sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

/* grad f + J^T y at the present point: the part of the Lagrangian that has curvature. */
static void smooth_gradient(const dd_ip *ip, double *out)
{
    const dd_nlp *nlp = ip->base->nlp;
    /* the proximity term of a restoration is known exactly and not approximated */
    memset(out, 0, ip->n * sizeof *out);
    if (ip->outer == NULL) {
        memcpy(out, ip->gradient, ip->n * sizeof *out);
    }
    for (uint32_t e = 0; e < nlp->jacobian_nnz; e++) {
        out[nlp->jacobian_col[e]] += ip->base->jacobian[e] * ip->y[nlp->jacobian_row[e]];
    }
}

/* After a step was accepted, before its derivatives are known: x_old is where they belong to. */
void dd_ip_quasi_leave(dd_ip *ip, const double *x_old)
{
    dd_ip_quasi *q = ip->base->quasi;
    smooth_gradient(ip, q->before);
    memcpy(q->at, x_old, q->n * sizeof *q->at);
}

/* M of the pairs there are, factored. */
static void set_middle(dd_ip_quasi *q)
{
    uint32_t k = q->k, w = 2 * k;
    for (uint32_t i = 0; i < k; i++) {
        for (uint32_t j = 0; j < k; j++) {
            double sy = dot(q->s[i], q->y[j], q->n);
            q->middle[j * w + i] = q->sigma * dot(q->s[i], q->s[j], q->n);
            q->middle[(k + j) * w + i] = i > j ? sy : 0;
            q->middle[i * w + k + j] = i > j ? sy : 0;
            q->middle[(k + j) * w + k + i] = i == j ? -sy : 0;
        }
    }
    memcpy(q->schur, q->middle, sizeof q->middle);
    int size = (int)w, info = 0;
    dgetrf_(&size, &size, q->middle, &size, q->middle_pivots, &info);
    if (info != 0) {
        dd_ip_quasi_forget(q);
    }
}

void dd_ip_quasi_arrive(dd_ip *ip)
{
    dd_ip_quasi *q = ip->base->quasi;
    /* the oldest pair makes room for the newest */
    double *s = q->s[q->k < MEMORY ? q->k : 0], *y = q->y[q->k < MEMORY ? q->k : 0];
    if (q->k == MEMORY) {
        memmove(q->s, q->s + 1, (MEMORY - 1) * sizeof *q->s);
        memmove(q->y, q->y + 1, (MEMORY - 1) * sizeof *q->y);
        q->s[MEMORY - 1] = s;
        q->y[MEMORY - 1] = y;
        q->k--;
    }
    smooth_gradient(ip, y);
    for (uint32_t i = 0; i < q->n; i++) {
        bool fixed = ip->base->fixed[i];
        s[i] = fixed ? 0 : ip->now.w[i] - q->at[i];
        y[i] = fixed ? 0 : y[i] - q->before[i];
    }
    double sy = dot(s, y, q->n), ss = dot(s, s, q->n), yy = dot(y, y, q->n);
    /* without positive curvature B would not stay positive definite: the pair is left out */
    if (sy > CURVATURE * sqrt(ss) * sqrt(yy) && isfinite(sy)) {
        q->k++;
        q->sigma = fmin(fmax(sy / ss, LEAST_SIGMA), MOST_SIGMA);
    }
    q->ready = false;
    if (q->k > 0) {
        set_middle(q);
    }
}

/* Column c of Psi. */
static double psi(const dd_ip_quasi *q, uint32_t c, uint32_t i)
{
    return c < q->k ? q->sigma * q->s[c][i] : q->y[c - q->k][i];
}

static void psi_transposed(const dd_ip_quasi *q, const double *x, double *out)
{
    for (uint32_t c = 0; c < q->k; c++) {
        out[c] = q->sigma * dot(q->s[c], x, q->n);
        out[q->k + c] = dot(q->y[c], x, q->n);
    }
}

static void solve_small(const double *lu, const int *pivots, uint32_t size, double *x)
{
    int n = (int)size, one = 1, info = 0;
    dgetrs_("N", &n, &one, lu, &n, pivots, x, &n, &info, 1);
}

/* out -= (B - sigma I) x */
void dd_ip_quasi_subtract(const dd_ip_quasi *q, const double *x, double *out)
{
    double small[WIDTH];
    if (q->k == 0) {
        return;
    }
    psi_transposed(q, x, small);
    solve_small(q->middle, q->middle_pivots, 2 * q->k, small);
    for (uint32_t c = 0; c < 2 * q->k; c++) {
        for (uint32_t i = 0; i < q->n; i++) {
            out[i] += psi(q, c, i) * small[c];
        }
    }
}

/* A new factorisation of the matrix with sigma I: its solutions for the columns of Psi. */
void dd_ip_quasi_factored(dd_ip *ip)
{
    dd_ip_base *b = ip->base;
    dd_ip_quasi *q = b->quasi;
    uint32_t w = 2 * q->k;
    if (w == 0) {
        return;
    }
    set_middle(q); /* schur begins as M */
    w = 2 * q->k;
    for (uint32_t c = 0; c < w; c++) {
        for (uint32_t i = 0; i < q->n; i++) {
            q->solved_x[c][i] = psi(q, c, i);
        }
        memset(q->solved_y[c], 0, ip->m * sizeof(double));
        b->kkt->kind->solve(b->kkt, q->solved_x[c], q->solved_y[c]);
        double column[WIDTH];
        psi_transposed(q, q->solved_x[c], column);
        for (uint32_t r = 0; r < w; r++) {
            q->schur[c * w + r] -= column[r];
        }
    }
    int size = (int)w, info = 0;
    dgetrf_(&size, &size, q->schur, &size, q->schur_pivots, &info);
    q->ready = info == 0;
}

/* From the solution with sigma I to that with B. */
void dd_ip_quasi_correct(const dd_ip *ip, double *dx, double *dy)
{
    const dd_ip_quasi *q = ip->base->quasi;
    double small[WIDTH];
    if (q->k == 0 || !q->ready) {
        return;
    }
    psi_transposed(q, dx, small);
    solve_small(q->schur, q->schur_pivots, 2 * q->k, small);
    for (uint32_t c = 0; c < 2 * q->k; c++) {
        for (uint32_t i = 0; i < q->n; i++) {
            dx[i] += q->solved_x[c][i] * small[c];
        }
        for (uint32_t i = 0; i < ip->m; i++) {
            dy[i] += q->solved_y[c][i] * small[c];
        }
    }
}
