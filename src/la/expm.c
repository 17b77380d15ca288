/* expm.c - e^A by scaling and squaring with the diagonal Pade approximant of degree 13.
 *
 * e^A = (e^(A/2^s))^(2^s), and e^X = q(X)^-1 p(X) with p(X) = sum b_k X^k, q(X) = p(-X). For |X|_1 <= 5.37 the backward
 * error is below the unit roundoff (N. J. Higham, SIAM J. Matrix Anal. Appl. 26, 2005, Table 2.3, Algorithm 2.3). */
#include "la/expm.h"

#include <math.h>
#include <string.h>

#include "la/lapack.h"

static const double THETA_13 = 5.371920351148152;

/* b_k of Pade 13, up to a common factor */
static const double PADE[14] = {64764752532480000.0,
                                32382376266240000.0,
                                7771770303897600.0,
                                1187353796428800.0,
                                129060195264000.0,
                                10559470521600.0,
                                670442572800.0,
                                33522128640.0,
                                1323241920.0,
                                40840800.0,
                                960960.0,
                                16380.0,
                                182.0,
                                1.0};

typedef struct expm_work {
    int n;
    size_t n2;
    double *x, *x2, *x4, *x6, *odd, *even, *t;
    int *pivot;
} expm_work;

static void multiply(const expm_work *w, const double *a, const double *b, double *out)
{
    const double one = 1, zero = 0;
    dgemm_("N", "N", &w->n, &w->n, &w->n, &one, a, &w->n, b, &w->n, &zero, out, &w->n, 1, 1);
}

/* out = c6 X^6 + c4 X^4 + c2 X^2 + c0 I */
static void combine(const expm_work *w, double c6, double c4, double c2, double c0, double *out)
{
    for (size_t k = 0; k < w->n2; k++) {
        out[k] = c6 * w->x6[k] + c4 * w->x4[k] + c2 * w->x2[k];
    }
    for (int i = 0; i < w->n; i++) {
        out[(size_t)i * w->n + i] += c0;
    }
}

/* odd = X sum b_(2k+1) X^2k, even = sum b_2k X^2k, in six multiplications */
static void evaluate_pade(const expm_work *w)
{
    /* the even powers X^2, X^4, X^6 serve both halves */
    multiply(w, w->x, w->x, w->x2);
    multiply(w, w->x2, w->x2, w->x4);
    multiply(w, w->x2, w->x4, w->x6);
    /* odd = X (X^6 (b13 X^6 + b11 X^4 + b9 X^2) + b7 X^6 + b5 X^4 + b3 X^2 + b1 I) */
    combine(w, PADE[13], PADE[11], PADE[9], 0, w->t);
    multiply(w, w->x6, w->t, w->even);
    combine(w, PADE[7], PADE[5], PADE[3], PADE[1], w->t);
    for (size_t k = 0; k < w->n2; k++) {
        w->t[k] += w->even[k];
    }
    multiply(w, w->x, w->t, w->odd);
    /* even = X^6 (b12 X^6 + b10 X^4 + b8 X^2) + b6 X^6 + b4 X^4 + b2 X^2 + b0 I */
    combine(w, PADE[12], PADE[10], PADE[8], 0, w->t);
    multiply(w, w->x6, w->t, w->even);
    combine(w, PADE[6], PADE[4], PADE[2], PADE[0], w->t);
    for (size_t k = 0; k < w->n2; k++) {
        w->even[k] += w->t[k];
    }
}

static double norm_1(uint32_t n, const double *a)
{
    double most = 0;
    for (uint32_t j = 0; j < n; j++) {
        double sum = 0;
        for (uint32_t i = 0; i < n; i++) {
            sum += fabs(a[(size_t)j * n + i]);
        }
        most = sum > most || isnan(sum) ? sum : most;
    }
    return most;
}

static dd_status run(const expm_work *w, double norm, const double *a, double *out)
{
    int squarings = 0, info = 0;
    /* 2^s >= |A| / theta, so that |A / 2^s| <= theta; scaling by a power of two is exact */
    if (norm > THETA_13) {
        frexp(norm / THETA_13, &squarings);
    }
    for (size_t k = 0; k < w->n2; k++) {
        w->x[k] = ldexp(a[k], -squarings);
    }
    evaluate_pade(w);
    /* p = even + odd, q = p(-X) = even - odd; then e^X = q^-1 p */
    for (size_t k = 0; k < w->n2; k++) {
        out[k] = w->even[k] + w->odd[k];
        w->t[k] = w->even[k] - w->odd[k];
    }
    dgetrf_(&w->n, &w->n, w->t, &w->n, w->pivot, &info);
    if (info != 0) {
        return DD_NUMERIC;
    }
    dgetrs_("N", &w->n, &w->n, w->t, &w->n, w->pivot, out, &w->n, &info, 1);
    /* undo the scaling: e^A = (e^X)^(2^s) */
    for (int i = 0; i < squarings; i++) {
        memcpy(w->t, out, w->n2 * sizeof *out);
        multiply(w, w->t, w->t, out);
    }
    return isfinite(norm_1((uint32_t)w->n, out)) ? DD_OK : DD_NUMERIC;
}

dd_status dd_expm(dd_context *ctx, uint32_t n, const double *a, double *out)
{
    enum { MATRICES = 7 };
    const double norm = norm_1(n, a);
    if (n == 0) {
        return DD_OK;
    }
    if (!isfinite(norm)) {
        return DD_INVALID_ARGUMENT;
    }
    expm_work w = {.n = (int)n, .n2 = (size_t)n * n};
    double *memory = dd_mem_new_array(ctx, w.n2, MATRICES * sizeof *memory);
    w.pivot = dd_mem_new_array(ctx, n, sizeof *w.pivot);
    dd_status st = DD_OUT_OF_MEMORY;
    if (memory && w.pivot) {
        /* seven matrices in one piece of memory */
        double **const part[MATRICES] = {&w.x, &w.x2, &w.x4, &w.x6, &w.odd, &w.even, &w.t};
        for (size_t i = 0; i < MATRICES; i++) {
            *part[i] = memory + i * w.n2;
        }
        st = run(&w, norm, a, out);
    }
    dd_mem_free(ctx, memory, w.n2 * MATRICES * sizeof *memory);
    dd_mem_free(ctx, w.pivot, n * sizeof *w.pivot);
    return st;
}
