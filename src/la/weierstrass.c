/* weierstrass.c - the infinite part of a pencil taken off step by step with orthogonal transformations, as one reduces
 * the index of a linear DAE by hand. Start reading at dd_weierstrass_find().
 *
 *     U^T E = [E1; 0]      rows of E that are zero: nu = n - rank E algebraic equations
 *     U^T A = [A1; A2]     A2 w = 0 (nu x n, of full row rank when the pencil is regular)
 *     A2 Z = 0             w = Z v solves them, and s E1 Z - A1 Z is the pencil for v, smaller by nu
 *
 * Each step shortens every Jordan block at infinity by one, so nu is the number of blocks that are left. When E is
 * regular, the generalised eigenvalues of what remains are the finite ones.
 */
#include "la/weierstrass.h"

#include <math.h>
#include <string.h>

#include "la/lapack.h"
#include "la/svd.h"

typedef struct pencil {
    dd_context *ctx;
    uint32_t n;            /* rows left */
    double *e, *a;         /* n x n, leading dimension n */
    double *next, *spare;  /* room of the same size */
    double unit;           /* of time, by which E was divided */
    double size_e, size_a; /* largest singular values of the whole pencil */
    dd_weierstrass *out;
} pencil;

/* ---- balancing ---- */

enum { SWEEPS = 20 }; /* of the alternating means below; they settle after a few */

static int exponent_of(double x)
{
    int e = 0;
    frexp(x, &e);
    return e;
}

/* Powers of two that bring the entries near 1 in the mean of their logarithms: rows, columns, and the unit of time. */
static void balance(pencil *p, double *row, double *col)
{
    const uint32_t n = p->n;
    double unit = 0;
    memset(row, 0, n * sizeof *row);
    memset(col, 0, n * sizeof *col);
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        /* rows, then columns, then the unit: each the mean of what the others leave */
        for (int by_row = 1; by_row >= 0; by_row--) {
            double *own = by_row ? row : col;
            for (uint32_t i = 0; i < n; i++) {
                double sum = 0, count = 0;
                for (uint32_t k = 0; k < n; k++) {
                    const size_t at = by_row ? i + (size_t)k * n : k + (size_t)i * n;
                    const double other = by_row ? col[k] : row[k];
                    sum += p->e[at] != 0 ? exponent_of(p->e[at]) + other - unit : 0;
                    sum += p->a[at] != 0 ? exponent_of(p->a[at]) + other : 0;
                    count += (p->e[at] != 0) + (p->a[at] != 0);
                }
                own[i] = count > 0 ? -sum / count : 0;
            }
        }
        double sum = 0, count = 0;
        for (uint32_t j = 0; j < n; j++) {
            for (uint32_t i = 0; i < n; i++) {
                const double e = p->e[i + (size_t)j * n];
                sum += e != 0 ? exponent_of(e) + row[i] + col[j] : 0;
                count += e != 0;
            }
        }
        unit = count > 0 ? sum / count : 0;
    }
    p->unit = ldexp(1, (int)lrint(unit));
}

static void apply_scales(pencil *p, const double *row, const double *col)
{
    const int unit = exponent_of(p->unit) - 1;
    for (uint32_t j = 0; j < p->n; j++) {
        for (uint32_t i = 0; i < p->n; i++) {
            const size_t at = i + (size_t)j * p->n;
            const int scale = (int)(lrint(row[i]) + lrint(col[j])); /* separately: they are diagonal matrices */
            p->e[at] = ldexp(p->e[at], scale - unit);
            p->a[at] = ldexp(p->a[at], scale);
        }
    }
}

/* ---- ranks ---- */

/* Singular values that count; one between the limits leaves doubt. */
static uint32_t count_rank(pencil *p, const dd_svd *svd, double size)
{
    uint32_t rank = 0;
    for (uint32_t i = 0; i < svd->count; i++) {
        const double s = size > 0 ? svd->s[i] / size : 0;
        rank += s > DD_WEIERSTRASS_TOLERANCE;
        if (s > DD_WEIERSTRASS_DROPPED && s < DD_WEIERSTRASS_KEPT && p->out->decided) {
            p->out->decided = false;
            p->out->doubtful = s;
        }
    }
    return rank;
}

/* C (m x n) = op(A) B; leading dimensions as given. */
static void multiply(char op, uint32_t m, uint32_t n, uint32_t k, const double *a, uint32_t lda, const double *b,
                     uint32_t ldb, double *c, uint32_t ldc)
{
    const double one = 1, zero = 0;
    const int rows = (int)m, cols = (int)n, inner = (int)k, la = (int)lda, lb = (int)ldb, lc = (int)ldc;
    if (m > 0 && n > 0 && k > 0) {
        dgemm_(&op, "N", &rows, &cols, &inner, &one, a, &la, b, &lb, &zero, c, &lc, 1, 1);
    }
}

/* C = A B^T for the null space, which LAPACK leaves as rows. */
static void multiply_by_rows(uint32_t m, uint32_t n, uint32_t k, const double *a, uint32_t lda, const double *b,
                             uint32_t ldb, double *c, uint32_t ldc)
{
    const double one = 1, zero = 0;
    const int rows = (int)m, cols = (int)n, inner = (int)k, la = (int)lda, lb = (int)ldb, lc = (int)ldc;
    if (m > 0 && n > 0 && k > 0) {
        dgemm_("N", "T", &rows, &cols, &inner, &one, a, &la, b, &lb, &zero, c, &lc, 1, 1);
    }
}

/* ---- one step ---- */

/* The rows of E that are zero, as equations A2 w = 0: their null space Z, and the pencil for v in w = Z v. rank: of E;
 * u: n x n from its decomposition. */
static dd_status take_off(pencil *p, uint32_t rank, const double *u)
{
    const uint32_t n = p->n, nu = n - rank;
    dd_svd svd = {0};
    dd_status st = dd_svd_new(&svd, p->ctx, nu, n, DD_SVD_FULL);
    if (st != DD_OK) {
        return st;
    }
    /* next = U^T A, whose last nu rows are A2 */
    multiply('T', n, n, n, u, n, p->a, n, p->next, n);
    for (uint32_t j = 0; j < n; j++) {
        memcpy(p->spare + (size_t)j * nu, p->next + (size_t)j * n + rank, nu * sizeof *p->spare);
    }
    st = dd_svd_run(&svd, p->ctx, p->spare);
    p->out->regular = st == DD_OK && count_rank(p, &svd, p->size_a) == nu;
    if (st == DD_OK && p->out->regular) {
        /* the last rows of V^T span the null space; A1 Z, then E1 Z */
        const double *z = svd.vt + nu;
        multiply_by_rows(rank, rank, n, p->next, n, z, n, p->a, rank);
        multiply('T', n, n, n, u, n, p->e, n, p->next, n);
        multiply_by_rows(rank, rank, n, p->next, n, z, n, p->e, rank);
        p->n = rank;
    }
    dd_svd_free(&svd);
    return st;
}

/* One differentiation of the algebraic equations; *more: E is singular still. */
static dd_status step(pencil *p, bool *more)
{
    const uint32_t n = p->n;
    dd_svd svd = {0};
    *more = false;
    dd_status st = dd_svd_new(&svd, p->ctx, n, n, DD_SVD_FULL);
    if (st != DD_OK) {
        return st;
    }
    memcpy(p->spare, p->e, (size_t)n * n * sizeof *p->spare);
    st = dd_svd_run(&svd, p->ctx, p->spare);
    const uint32_t rank = st == DD_OK ? count_rank(p, &svd, p->size_e) : n;
    if (st == DD_OK && rank < n) {
        /* nu blocks at infinity reach this step */
        for (uint32_t b = 0; b < n - rank; b++) {
            p->out->block[b]++;
        }
        p->out->n_blocks = p->out->index == 0 ? n - rank : p->out->n_blocks;
        p->out->index++;
        st = take_off(p, rank, svd.u);
        *more = p->out->regular && p->n > 0;
    }
    dd_svd_free(&svd);
    return st;
}

/* ---- finite eigenvalues ---- */

void dd_sort_eigenvalues(uint32_t n, double *re, double *im)
{
    for (uint32_t i = 1; i < n; i++) {
        double a = re[i], b = im[i];
        uint32_t at = i;
        /* falling real part; of a pair with equal real part the positive imaginary part first */
        for (; at > 0 && (re[at - 1] < a || (re[at - 1] == a && fabs(im[at - 1]) < fabs(b)) ||
                          (re[at - 1] == a && im[at - 1] == -b && b > 0));
             at--) {
            re[at] = re[at - 1];
            im[at] = im[at - 1];
        }
        re[at] = a;
        im[at] = b;
    }
}

static dd_status find_finite(pencil *p)
{
    const int n = (int)p->n, one = 1, lwork = 16 * n + 8;
    int info = 0;
    dd_weierstrass *out = p->out;
    if (n == 0) {
        return DD_OK;
    }
    double *beta = dd_mem_new_array(p->ctx, (size_t)n + (size_t)lwork, sizeof *beta);
    if (!beta) {
        return DD_OUT_OF_MEMORY;
    }
    dggev_("N", "N", &n, p->a, &n, p->e, &n, out->re, out->im, beta, NULL, &one, NULL, &one, beta + n, &lwork, &info, 1,
           1);
    /* E is regular, so beta is not 0; back to the unit of time of the caller */
    for (int i = 0; i < n && info == 0; i++) {
        out->re[i] = out->re[i] / beta[i] / p->unit;
        out->im[i] = out->im[i] / beta[i] / p->unit;
    }
    /* LAPACK has pairs side by side, the positive imaginary part first, with factors beta of their own */
    for (int i = 0; i + 1 < n && info == 0; i++) {
        if (out->im[i] > 0) {
            out->re[i + 1] = out->re[i];
            out->im[i + 1] = -out->im[i];
            i++;
        }
    }
    dd_mem_free(p->ctx, beta, ((size_t)n + (size_t)lwork) * sizeof *beta);
    out->finite = p->n;
    dd_sort_eigenvalues(out->finite, out->re, out->im);
    return info == 0 ? DD_OK : DD_NUMERIC;
}

/* ---- the whole ---- */

/* Largest singular values, against which all ranks are taken. */
static dd_status measure(pencil *p)
{
    dd_svd svd = {0};
    dd_status st = dd_svd_new(&svd, p->ctx, p->n, p->n, DD_SVD_VALUES);
    if (st != DD_OK) {
        return st;
    }
    for (int which = 0; which < 2 && st == DD_OK; which++) {
        memcpy(p->spare, which ? p->a : p->e, (size_t)p->n * p->n * sizeof *p->spare);
        st = dd_svd_run(&svd, p->ctx, p->spare);
        *(which ? &p->size_a : &p->size_e) = svd.s[0];
    }
    dd_svd_free(&svd);
    return st;
}

static dd_status analyse(pencil *p, double *scales)
{
    balance(p, scales, scales + p->n);
    apply_scales(p, scales, scales + p->n);
    bool more = true;
    dd_status st = measure(p);
    while (st == DD_OK && more) {
        st = dd_poll_stop(p->ctx);
        st = st == DD_OK ? step(p, &more) : st;
    }
    return st == DD_OK && p->out->regular ? find_finite(p) : st;
}

void dd_weierstrass_free(dd_context *ctx, dd_weierstrass *w)
{
    dd_mem_free(ctx, w->re, (2 * (size_t)w->n + 2) * sizeof *w->re);
    dd_mem_free(ctx, w->block, ((size_t)w->n + 1) * sizeof *w->block);
    w->re = w->im = NULL;
    w->block = NULL;
}

dd_status dd_weierstrass_find(dd_weierstrass *out, dd_context *ctx, uint32_t n, const double *E, const double *A)
{
    *out = (dd_weierstrass){.n = n, .regular = true, .decided = true};
    if (n > DD_WEIERSTRASS_MOST) {
        return DD_LIMIT;
    }
    const size_t square = (size_t)n * n, room = 4 * square + 2 * (size_t)n + 1;
    out->re = dd_mem_new_array(ctx, 2 * (size_t)n + 2, sizeof *out->re);
    out->im = out->re ? out->re + n + 1 : NULL;
    out->block = dd_mem_new_array(ctx, (size_t)n + 1, sizeof *out->block);
    double *work = dd_mem_new_array(ctx, room, sizeof *work);
    dd_status st = out->re && out->block && work ? DD_OK : DD_OUT_OF_MEMORY;
    if (st == DD_OK && n > 0) {
        memset(out->block, 0, ((size_t)n + 1) * sizeof *out->block);
        memcpy(work, E, square * sizeof *work);
        memcpy(work + square, A, square * sizeof *work);
        pencil p = {.ctx = ctx, .n = n, .e = work, .a = work + square, .out = out};
        p.next = work + 2 * square;
        p.spare = work + 3 * square;
        st = analyse(&p, work + 4 * square);
    }
    dd_mem_free(ctx, work, room * sizeof *work);
    if (st != DD_OK) {
        dd_weierstrass_free(ctx, out);
    }
    return st;
}
