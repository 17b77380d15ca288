/* radau_coefficients.c - Radau IIA in the variables of its integrator.
 *
 * The eigenvalues of A^-1 are the zeros of det(I - zA), the denominator of the Pade approximation (s-1, s) of exp(z),
 * whose coefficients are known. Each eigenpair is then corrected by Newton's method on A^-1 v = lambda v, v_s = 1. */
#include "integ/radau_coefficients.h"

#include <string.h>

#include "methods/collocation.h"

enum { MOST = DD_RADAU_STAGES };

/* q_k = (-1)^k (2s-1-k)! s! / ((2s-1)! k! (s-k)!) */
static void pade_denominator(uint32_t s, dd_quad *q)
{
    q[0] = 1;
    for (uint32_t k = 0; k < s; k++) {
        q[k + 1] = -q[k] * (s - k) / ((dd_quad)(2 * s - 1 - k) * (k + 1));
    }
}

typedef struct {
    dd_cquad value;
    dd_cquad vector[MOST]; /* the last entry is 1 */
} eigenpair;

/* One Newton step: (A^-1 - lambda) dv - dlambda v = -(A^-1 v - lambda v) with dv_s = 0; the place of dv_s is taken by
 * dlambda. */
static bool correct(const dd_radau_exact *r, eigenpair *e)
{
    const uint32_t s = r->s;
    dd_cquad matrix[MOST * MOST], rhs[MOST];
    /* rows of A^-1 - lambda; the last column is -v, for the correction of lambda */
    for (uint32_t i = 0; i < s; i++) {
        dd_cquad sum = {0, 0};
        for (uint32_t j = 0; j < s; j++) {
            const dd_cquad entry = {r->A_inverse[i * s + j], 0};
            sum = dd_cquad_add(sum, dd_cquad_mul(entry, e->vector[j]));
            matrix[i * s + j] = i == j ? dd_cquad_sub(entry, e->value) : entry;
        }
        rhs[i] = dd_cquad_sub(dd_cquad_mul(e->value, e->vector[i]), sum);
        matrix[i * s + s - 1] = dd_cquad_new(-e->vector[i].re, -e->vector[i].im);
    }
    if (!dd_cquad_solve(matrix, rhs, s, 1)) {
        return false;
    }
    /* dv_s = 0 keeps the scaling, the last entry is dlambda */
    for (uint32_t i = 0; i + 1 < s; i++) {
        e->vector[i] = dd_cquad_add(e->vector[i], rhs[i]);
    }
    e->value = dd_cquad_add(e->value, rhs[s - 1]);
    return true;
}

/* the eigenvector of a good eigenvalue: the first s - 1 rows of (A^-1 - lambda) v = 0 with v_s = 1, then Newton */
static bool find_pair(const dd_radau_exact *r, dd_cquad value, eigenpair *e)
{
    const uint32_t s = r->s, n = s - 1;
    /* drop the last row: v_s = 1 moves its column to the right-hand side */
    dd_cquad matrix[MOST * MOST], rhs[MOST];
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < n; j++) {
            matrix[i * n + j] = dd_cquad_new(r->A_inverse[i * s + j] - (i == j ? value.re : 0), i == j ? -value.im : 0);
        }
        rhs[i] = dd_cquad_new(-r->A_inverse[i * s + n], 0);
    }
    if (!dd_cquad_solve(matrix, rhs, n, 1)) {
        return false;
    }
    memcpy(e->vector, rhs, n * sizeof *rhs);
    e->vector[n] = dd_cquad_new(1, 0);
    e->value = value;
    /* two Newton steps restore the digits that the zeros of the polynomial have lost */
    bool fine = true;
    for (int round = 0; round < 2; round++) {
        fine = fine && correct(r, e);
    }
    return fine;
}

/* Column 0 of T: the real eigenvector, of norm 1. Columns 2k-1 and 2k: real and imaginary part of the eigenvector of
 * alpha - i beta, since A^-1 (p + iq) = (alpha - i beta)(p + iq) means
 * A^-1 p = alpha p + beta q, A^-1 q = -beta p + alpha q. */
static bool transformation(dd_radau_exact *r, const dd_cquad *roots)
{
    const uint32_t s = r->s;
    uint32_t pair = 0;
    /* roots come sorted, conjugates as neighbours */
    for (uint32_t k = 0; k < s; k++) {
        const bool is_real = roots[k].im == 0;
        if (roots[k].im > 0) {
            continue; /* its conjugate came before */
        }
        eigenpair e;
        if (pair + !is_real > r->pairs || !find_pair(r, roots[k], &e)) {
            return false;
        }
        /* the real eigenvector has length 1; pairs keep v_s = 1 */
        dd_quad norm = 0;
        for (uint32_t i = 0; i < s; i++) {
            norm += dd_cquad_norm(e.vector[i]);
        }
        for (uint32_t i = 0; i < s; i++) {
            if (is_real) {
                r->T[i * s] = e.vector[i].re / dd_quad_sqrt(norm);
            } else {
                r->T[i * s + 2 * pair + 1] = e.vector[i].re;
                r->T[i * s + 2 * pair + 2] = e.vector[i].im;
            }
        }
        if (is_real) {
            r->gamma = e.value.re;
        } else {
            r->alpha[pair] = e.value.re;
            r->beta[pair++] = -e.value.im;
        }
    }
    return pair == r->pairs;
}

static bool invert(const dd_quad *matrix, uint32_t n, dd_quad *inverse)
{
    dd_quad work[MOST * MOST];
    memcpy(work, matrix, (size_t)n * n * sizeof *work);
    for (uint32_t k = 0; k < n * n; k++) {
        inverse[k] = k / n == k % n;
    }
    return dd_quad_solve(work, inverse, n, n);
}

/* e_i = -N_i'(0) = (-1/c_i) prod_{k != i} c_k / (c_k - c_i), N_i as in dd_collocation_inverse */
static void error_weights(dd_radau_exact *r)
{
    for (uint32_t i = 0; i < r->s; i++) {
        r->e[i] = -dd_lagrange(r->c, r->s, i, 0) / r->c[i];
    }
}

dd_status dd_radau_exact_init(dd_radau_exact *out, uint32_t s)
{
    dd_quad b[MOST], q[MOST + 1];
    dd_cquad roots[MOST];
    if (s % 2 == 0 || s > MOST) {
        return DD_INVALID_ARGUMENT;
    }
    memset(out, 0, sizeof *out);
    out->s = s;
    out->pairs = (s - 1) / 2;
    /* nodes, A and A^-1 by quadrature and closed formulas; eigenvalues of A^-1 as zeros of the Pade denominator */
    dd_collocation_nodes(DD_NODES_RADAU, s, out->c);
    dd_collocation(out->c, s, out->A, b);
    dd_collocation_inverse(out->c, s, out->A_inverse);
    error_weights(out);
    pade_denominator(s, q);
    const bool fine = dd_quad_roots(q, s, roots) && transformation(out, roots) && invert(out->T, s, out->T_inverse);
    return fine ? DD_OK : DD_NUMERIC;
}

static void round_all(double *to, const dd_quad *from, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++) {
        to[k] = (double)from[k];
    }
}

dd_status dd_radau_coefficients_init(dd_radau_coefficients *out, uint32_t s)
{
    const dd_radau_coefficients *known = dd_radau_table(s);
    if (known != NULL) {
        *out = *known;
        return DD_OK;
    }
    return dd_radau_coefficients_compute(out, s);
}

dd_status dd_radau_coefficients_compute(dd_radau_coefficients *out, uint32_t s)
{
    dd_radau_exact r;
    const dd_status st = dd_radau_exact_init(&r, s);
    if (st != DD_OK) {
        return st;
    }
    memset(out, 0, sizeof *out);
    out->s = s;
    out->pairs = r.pairs;
    out->gamma = (double)r.gamma;
    round_all(out->c, r.c, s);
    round_all(out->e, r.e, s);
    round_all(out->alpha, r.alpha, r.pairs);
    round_all(out->beta, r.beta, r.pairs);
    round_all(out->A, r.A, s * s);
    round_all(out->A_inverse, r.A_inverse, s * s);
    round_all(out->T, r.T, s * s);
    round_all(out->T_inverse, r.T_inverse, s * s);
    return DD_OK;
}
