/* problems.h - initial value problems with known solutions, written by hand for the tests of the integrators. */
#ifndef DD_TEST_INTEG_PROBLEMS_H
#define DD_TEST_INTEG_PROBLEMS_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "integ/integrator.h"

enum { IVP_MOST = 8 };

typedef struct ivp ivp;
struct ivp {
    const char *name;
    uint32_t n;
    uint8_t differential[IVP_MOST];
    bool m_constant, j_constant;
    double t0, t1, w0[IVP_MOST], v0[IVP_MOST];
    void (*residual)(void *user, double t, const double *w, const double *v, double *f);
    /* dense, column-major n x n, zero on entry */
    void (*jacobian)(const ivp *p, double t, const double *w, const double *v, double *m, double *j);
    void (*exact)(double t, double *w); /* NULL: unknown */
    uint32_t n_invariants;
    void (*invariants)(void *user, double t, const double *w, double *c);
    void (*invariant_jacobian)(void *user, double t, const double *w, double *values); /* dense column-major */
};

/* A problem for the integrators, on full patterns. */
typedef struct ivp_problem {
    dd_problem p;
    const ivp *from;
    uint32_t ptr[IVP_MOST + 1], idx[IVP_MOST * IVP_MOST], cptr[IVP_MOST + 1], cidx[IVP_MOST * IVP_MOST];
    double nominal[IVP_MOST], atol[IVP_MOST];
} ivp_problem;

static inline void ivp_residuals(void *user, uint32_t lanes, size_t ld, const double *t, const double *w,
                                 const double *v, double *f)
{
    const ivp *p = user;
    for (uint32_t k = 0; k < lanes; k++) {
        double wk[IVP_MOST], vk[IVP_MOST], fk[IVP_MOST];
        for (uint32_t j = 0; j < p->n; j++) {
            wk[j] = w[j * ld + k];
            vk[j] = v[j * ld + k];
        }
        p->residual(user, t[k], wk, vk, fk);
        for (uint32_t j = 0; j < p->n; j++) {
            f[j * ld + k] = fk[j];
        }
    }
}

static inline void ivp_jacobian(void *user, double t, const double *w, const double *v, double *m, double *j)
{
    const ivp *p = user;
    memset(m, 0, (size_t)p->n * p->n * sizeof *m);
    memset(j, 0, (size_t)p->n * p->n * sizeof *j);
    p->jacobian(p, t, w, v, m, j);
}

static inline void ivp_full(uint32_t rows, uint32_t cols, uint32_t *ptr, uint32_t *idx)
{
    for (uint32_t c = 0; c <= cols; c++) {
        ptr[c] = c * rows;
        for (uint32_t r = 0; r < rows && c < cols; r++) {
            idx[c * rows + r] = r;
        }
    }
}

static inline void ivp_make(ivp_problem *out, const ivp *from, double atol)
{
    memset(out, 0, sizeof *out);
    out->from = from;
    ivp_full(from->n, from->n, out->ptr, out->idx);
    ivp_full(from->n_invariants, from->n, out->cptr, out->cidx);
    for (uint32_t j = 0; j < from->n; j++) {
        out->nominal[j] = 1.0;
        out->atol[j] = atol;
    }
    out->p = (dd_problem){.user = (void *)(uintptr_t)from,
                          .n = from->n,
                          .differential = from->differential,
                          .nominal = out->nominal,
                          .pattern = {from->n, from->n, out->ptr, out->idx, NULL, 0},
                          .m_constant = from->m_constant,
                          .j_constant = from->j_constant,
                          .residual = from->residual,
                          .residuals = ivp_residuals,
                          .jacobian = ivp_jacobian,
                          .n_invariants = from->n_invariants,
                          .invariant_pattern = {from->n_invariants, from->n, out->cptr, out->cidx, NULL, 0},
                          .invariants = from->invariants,
                          .invariant_jacobian = from->invariant_jacobian};
}

#define AT(row, col) ((size_t)(col)*p->n + (row))

/* ---- an ODE: x1' = x1 x2, x2' = -log x1; x1 = exp(a sin t), x2 = a cos t ---- */

#define IVP_A 0.5

static inline void ode_residual(void *user, double t, const double *w, const double *v, double *f)
{
    (void)user, (void)t;
    f[0] = v[0] - w[0] * w[1];
    f[1] = v[1] + log(w[0]);
}

static inline void ode_jacobian(const ivp *p, double t, const double *w, const double *v, double *m, double *j)
{
    (void)t, (void)v;
    m[AT(0, 0)] = m[AT(1, 1)] = 1;
    j[AT(0, 0)] = -w[1];
    j[AT(0, 1)] = -w[0];
    j[AT(1, 0)] = 1 / w[0];
}

static inline void ode_exact(double t, double *w)
{
    w[0] = exp(IVP_A * sin(t));
    w[1] = IVP_A * cos(t);
}

static const ivp ivp_ode = {.name = "ode",
                            .n = 2,
                            .differential = {1, 1},
                            .m_constant = true,
                            .t1 = 4,
                            .w0 = {1, IVP_A},
                            .v0 = {IVP_A, 0},
                            .residual = ode_residual,
                            .jacobian = ode_jacobian,
                            .exact = ode_exact};

/* ---- the same solution in an index-1 DAE with z1 = a sin t, z2 = x1 x2, rates and z mixed ---- */

static inline void dae_residual(void *user, double t, const double *w, const double *v, double *f)
{
    (void)user, (void)t;
    f[0] = (1 + w[1] * w[1]) * (v[0] - w[3]);
    f[1] = v[1] + w[2] + 0.1 * (v[0] - w[3]);
    f[2] = exp(w[2]) - w[0];
    f[3] = w[3] - w[0] * w[1] + 0.1 * (v[1] + w[2]);
}

static inline void dae_jacobian(const ivp *p, double t, const double *w, const double *v, double *m, double *j)
{
    (void)t;
    m[AT(0, 0)] = 1 + w[1] * w[1];
    j[AT(0, 1)] = 2 * w[1] * (v[0] - w[3]);
    j[AT(0, 3)] = -(1 + w[1] * w[1]);
    m[AT(1, 1)] = 1;
    m[AT(1, 0)] = 0.1;
    j[AT(1, 2)] = 1;
    j[AT(1, 3)] = -0.1;
    j[AT(2, 2)] = exp(w[2]);
    j[AT(2, 0)] = -1;
    j[AT(3, 3)] = 1;
    j[AT(3, 0)] = -w[1];
    j[AT(3, 1)] = -w[0];
    j[AT(3, 2)] = 0.1;
    m[AT(3, 1)] = 0.1;
}

static inline void dae_exact(double t, double *w)
{
    w[0] = exp(IVP_A * sin(t));
    w[1] = IVP_A * cos(t);
    w[2] = IVP_A * sin(t);
    w[3] = w[0] * w[1];
}

/* the given z is only a guess */
static const ivp ivp_dae = {.name = "dae",
                            .n = 4,
                            .differential = {1, 1, 0, 0},
                            .t1 = 4,
                            .w0 = {1, IVP_A, 0.3, 0.5},
                            .residual = dae_residual,
                            .jacobian = dae_jacobian,
                            .exact = dae_exact};

/* ---- Prothero & Robinson 1974: x' = -lambda (x - cos t) - sin t, lambda = 10^6; x = cos t ---- */

static inline void stiff_residual(void *user, double t, const double *w, const double *v, double *f)
{
    (void)user;
    f[0] = v[0] + 1e6 * (w[0] - cos(t)) + sin(t);
}

static inline void stiff_jacobian(const ivp *p, double t, const double *w, const double *v, double *m, double *j)
{
    (void)p, (void)t, (void)w, (void)v;
    m[0] = 1;
    j[0] = 1e6;
}

static inline void stiff_exact(double t, double *w)
{
    w[0] = cos(t);
}

static const ivp ivp_stiff = {.name = "stiff",
                              .n = 1,
                              .differential = {1},
                              .m_constant = true,
                              .j_constant = true,
                              .t1 = 10,
                              .w0 = {1},
                              .residual = stiff_residual,
                              .jacobian = stiff_jacobian,
                              .exact = stiff_exact};

/* ---- the pendulum of length 1, mass 1, gravity 1 in index-1 form, swinging from rest at the horizontal ----
 * x' = u, y' = v, u' = -L x, v' = -L y - 1, 0 = u^2 + v^2 - y - L (x^2 + y^2); x^2 + y^2 = 1, x u + y v = 0.
 * After a quarter of the period T = 2 pi / agm(1, cos(pi/4)) it passes the lowest point: u = -sqrt(2), L = 3. */

static inline void pendulum_residual(void *user, double t, const double *w, const double *v, double *f)
{
    (void)user, (void)t;
    f[0] = v[0] - w[2];
    f[1] = v[1] - w[3];
    f[2] = v[2] + w[4] * w[0];
    f[3] = v[3] + w[4] * w[1] + 1;
    f[4] = w[2] * w[2] + w[3] * w[3] - w[1] - w[4] * (w[0] * w[0] + w[1] * w[1]);
}

static inline void pendulum_jacobian(const ivp *p, double t, const double *w, const double *v, double *m, double *j)
{
    (void)t, (void)v;
    m[AT(0, 0)] = m[AT(1, 1)] = m[AT(2, 2)] = m[AT(3, 3)] = 1;
    j[AT(0, 2)] = j[AT(1, 3)] = -1;
    j[AT(2, 4)] = w[0];
    j[AT(2, 0)] = j[AT(3, 1)] = w[4];
    j[AT(3, 4)] = w[1];
    j[AT(4, 2)] = 2 * w[2];
    j[AT(4, 3)] = 2 * w[3];
    j[AT(4, 0)] = -2 * w[4] * w[0];
    j[AT(4, 1)] = -1 - 2 * w[4] * w[1];
    j[AT(4, 4)] = -(w[0] * w[0] + w[1] * w[1]);
}

static inline void pendulum_invariants(void *user, double t, const double *w, double *c)
{
    (void)user, (void)t;
    c[0] = w[0] * w[0] + w[1] * w[1] - 1;
    c[1] = w[0] * w[2] + w[1] * w[3];
}

static inline void pendulum_invariant_jacobian(void *user, double t, const double *w, double *g)
{
    (void)user, (void)t;
    memset(g, 0, 10 * sizeof *g);
    g[0] = 2 * w[0];
    g[2] = 2 * w[1];
    g[1] = w[2];
    g[3] = w[3];
    g[5] = w[0];
    g[7] = w[1];
}

/* pi / 2 / agm(1, sqrt(1/2)) */
#define PENDULUM_QUARTER 1.85407467730137191843385034719526

static inline void pendulum_exact(double t, double *w)
{
    (void)t; /* known at t1 alone */
    const double end[5] = {0, -1, -sqrt(2.0), 0, 3};
    memcpy(w, end, sizeof end);
}

static const ivp ivp_pendulum = {.name = "pendulum",
                                 .n = 5,
                                 .differential = {1, 1, 1, 1, 0},
                                 .m_constant = true,
                                 .t1 = PENDULUM_QUARTER,
                                 .w0 = {1, 0, 0, 0, 0},
                                 .v0 = {0, 0, 0, -1, 0},
                                 .residual = pendulum_residual,
                                 .jacobian = pendulum_jacobian,
                                 .exact = pendulum_exact,
                                 .n_invariants = 2,
                                 .invariants = pendulum_invariants,
                                 .invariant_jacobian = pendulum_invariant_jacobian};

/* ---- failures ---- */

/* x' = x^2 from 1: infinite at t = 1 */
static inline void blowup_residual(void *user, double t, const double *w, const double *v, double *f)
{
    (void)user, (void)t;
    f[0] = v[0] - w[0] * w[0];
}

static inline void blowup_jacobian(const ivp *p, double t, const double *w, const double *v, double *m, double *j)
{
    (void)p, (void)t, (void)v;
    m[0] = 1;
    j[0] = -2 * w[0];
}

static const ivp ivp_blowup = {.name = "blow-up",
                               .n = 1,
                               .differential = {1},
                               .m_constant = true,
                               .t1 = 2,
                               .w0 = {1},
                               .v0 = {1},
                               .residual = blowup_residual,
                               .jacobian = blowup_jacobian};

/* x' = -1 - 0 sqrt(x) from 1: NaN beyond t = 1 */
static inline void nan_residual(void *user, double t, const double *w, const double *v, double *f)
{
    (void)user, (void)t;
    f[0] = v[0] + 1 + 0 * sqrt(w[0]);
}

static inline void nan_jacobian(const ivp *p, double t, const double *w, const double *v, double *m, double *j)
{
    (void)p, (void)t, (void)v;
    m[0] = 1;
    j[0] = w[0] < 0 ? NAN : 0;
}

static const ivp ivp_nan = {.name = "nan",
                            .n = 1,
                            .differential = {1},
                            .m_constant = true,
                            .t1 = 2,
                            .w0 = {1},
                            .v0 = {-1},
                            .residual = nan_residual,
                            .jacobian = nan_jacobian};

/* x' + 0 z = 1, 0 = x - t + 0 z: z is nowhere */
static inline void singular_residual(void *user, double t, const double *w, const double *v, double *f)
{
    (void)user;
    f[0] = v[0] - 1;
    f[1] = w[0] - t;
}

static inline void singular_jacobian(const ivp *p, double t, const double *w, const double *v, double *m, double *j)
{
    (void)t, (void)v, (void)w;
    m[AT(0, 0)] = 1;
    j[AT(1, 0)] = 1;
}

static const ivp ivp_singular = {.name = "singular",
                                 .n = 2,
                                 .differential = {1, 0},
                                 .m_constant = true,
                                 .t1 = 1,
                                 .v0 = {1, 0},
                                 .residual = singular_residual,
                                 .jacobian = singular_jacobian};

/* ---- diffusion along a rod of `cells` cells, fluxes as algebraic unknowns: index 1, sparse, stiff ----
 * x_i' = N (z_i - z_{i+1}), z_i = N (x_{i-1} - x_i), x = 0 at both ends: x_i = sin(pi i / N) exp(-mu t),
 * mu = 4 N^2 sin^2(pi / 2N), N = cells + 1. Unknowns: x_1..x_cells, z_1..z_N. */

typedef struct rod {
    dd_problem p;
    uint32_t cells;
    double decay; /* mu */
    uint8_t *differential;
    uint32_t *ptr, *idx;
    double *nominal, *atol, *w0, *v0;
} rod;

static inline void rod_residual(void *user, double t, const double *w, const double *v, double *f)
{
    (void)t;
    const rod *r = user;
    const uint32_t m = r->cells;
    const double N = m + 1;
    const double *z = w + m;
    for (uint32_t i = 0; i < m; i++) {
        f[i] = v[i] - N * (z[i] - z[i + 1]);
    }
    for (uint32_t i = 0; i <= m; i++) {
        f[m + i] = z[i] - N * ((i > 0 ? w[i - 1] : 0) - (i < m ? w[i] : 0));
    }
}

static inline void rod_residuals(void *user, uint32_t lanes, size_t ld, const double *t, const double *w,
                                 const double *v, double *f)
{
    const rod *r = user;
    const uint32_t n = r->p.n;
    double *one = malloc(3 * n * sizeof *one);
    for (uint32_t k = 0; k < lanes; k++) {
        for (uint32_t j = 0; j < n; j++) {
            one[j] = w[j * ld + k];
            one[n + j] = v[j * ld + k];
        }
        rod_residual(user, t[k], one, one + n, one + 2 * n);
        for (uint32_t j = 0; j < n; j++) {
            f[j * ld + k] = one[2 * n + j];
        }
    }
    free(one);
}

/* column i < m: rows i (M), m + i, m + i + 1; column m + i: rows i - 1, i, m + i */
static inline void rod_jacobian(void *user, double t, const double *w, const double *v, double *m, double *j)
{
    (void)t, (void)w, (void)v;
    const rod *r = user;
    const double N = r->cells + 1;
    for (uint32_t col = 0, k = 0; col < r->p.n; col++) {
        for (; k < r->ptr[col + 1]; k++) {
            const uint32_t row = r->idx[k], z = col - r->cells;
            const bool x = col < r->cells;
            m[k] = x && row == col ? 1 : 0;
            j[k] = x ? (row == col ? 0 : row == r->cells + col ? N : -N) : row == col ? 1 : row == z ? -N : N;
        }
    }
}

static inline void rod_make(rod *r, uint32_t cells, double atol)
{
    const uint32_t n = 2 * cells + 1;
    *r = (rod){.cells = cells};
    r->decay = 4.0 * (cells + 1) * (cells + 1) * pow(sin(1.57079632679489662 / (cells + 1)), 2);
    r->differential = calloc(n, 1);
    r->ptr = calloc(n + 1, sizeof *r->ptr);
    r->idx = calloc(3 * (size_t)n, sizeof *r->idx);
    r->nominal = calloc(4 * (size_t)n, sizeof *r->nominal);
    r->atol = r->nominal + n;
    r->w0 = r->atol + n;
    r->v0 = r->w0 + n;
    uint32_t k = 0;
    for (uint32_t col = 0; col < n; col++) {
        const bool x = col < cells;
        r->differential[col] = x;
        r->nominal[col] = 1;
        r->atol[col] = atol;
        if (x) {
            r->idx[k++] = col;
            r->idx[k++] = cells + col;
            r->idx[k++] = cells + col + 1;
            r->w0[col] = sin(3.14159265358979324 * (col + 1) / (cells + 1));
            r->v0[col] = -r->decay * r->w0[col];
        } else {
            const uint32_t i = col - cells;
            if (i > 0) {
                r->idx[k++] = i - 1;
            }
            if (i < cells) {
                r->idx[k++] = i;
            }
            r->idx[k++] = col;
        }
        r->ptr[col + 1] = k;
    }
    for (uint32_t i = 0; i <= cells; i++) {
        r->w0[cells + i] = (cells + 1) * ((i > 0 ? r->w0[i - 1] : 0) - (i < cells ? r->w0[i] : 0));
    }
    r->p = (dd_problem){.user = r,
                        .n = n,
                        .differential = r->differential,
                        .nominal = r->nominal,
                        .pattern = {n, n, r->ptr, r->idx, NULL, 0},
                        .m_constant = true,
                        .j_constant = true,
                        .residual = rod_residual,
                        .residuals = rod_residuals,
                        .jacobian = rod_jacobian};
}

static inline void rod_free(rod *r)
{
    free(r->differential);
    free(r->ptr);
    free(r->idx);
    free(r->nominal);
}

static inline double rod_error(const rod *r, const dd_integrator *it)
{
    double most = 0;
    for (uint32_t i = 0; i < r->cells; i++) {
        most = fmax(most, fabs(it->w[i] - r->w0[i] * exp(-r->decay * it->t)));
    }
    return most;
}

/* ---- the context of a test program, made and given back by setup and teardown ---- */

static dd_context *ctx;
static size_t empty; /* memory of a context alone */

static inline int setup(void **state)
{
    (void)state;
    int bad = dd_context_new(&ctx, NULL) != DD_OK;
    empty = bad ? 0 : dd_context_memory(ctx);
    return bad;
}

static inline int teardown(void **state)
{
    (void)state;
    assert_int_equal(dd_context_memory(ctx), empty);
    dd_context_free(ctx);
    return 0;
}

/* ---- running ---- */

static inline dd_integ_options ivp_options(const ivp_problem *p, double rtol, double fixed)
{
    return (dd_integ_options){.rtol = rtol, .atol = p->atol, .fixed_step = fixed, .project = true};
}

/* From t0 to t1; nothing may be allocated on the way. */
static inline dd_step_verdict ivp_run(dd_integrator *it, const ivp *p)
{
    uint64_t before = dd_context_allocations(it->ctx);
    dd_step_verdict v = dd_integ_start(it, p->t0, p->w0, p->v0);
    while (v == DD_STEP_OK && it->t < p->t1) {
        double t = it->t;
        v = dd_integ_step(it, p->t1);
        assert_true(v != DD_STEP_OK || it->t > t);
        assert_true(it->stats.steps < 3000000);
    }
    assert_int_equal(dd_context_allocations(it->ctx), before);
    return v;
}

/* Largest error over the differential (x) or algebraic unknowns at it->t. */
static inline double ivp_error(const dd_integrator *it, const ivp *p, bool differential)
{
    double w[IVP_MOST], most = 0;
    p->exact(it->t, w);
    for (uint32_t j = 0; j < p->n; j++) {
        if (p->differential[j] == differential) {
            most = fmax(most, fabs(it->w[j] - w[j]));
        }
    }
    return most;
}

#endif
