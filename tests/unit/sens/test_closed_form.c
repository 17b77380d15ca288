/* Sensitivities are derivatives of the numerical solution itself: for x' = -k x and given steps that solution is
 * x_0 R(-k h)^N with the method's stability function, whose derivatives are computed here in 113 bits from the
 * coefficients, by another route. To 1e-12 for every method that the program lists, with D10: m substeps of implicit
 * Euler. Methods with error control: the exact solution at the tolerance. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/context.h"
#include "integ/bdf.h"
#include "integ/explicit.h"
#include "integ/irk.h"
#include "integ/radau.h"
#include "methods/multistep.h"
#include "sens/sens.h"

/* ---- x' = -k x + a z, 0 = z - x: rows of both kinds when a != 0; parameters k, x_0 ---- */

typedef struct decay {
    double k;
    uint32_t n; /* 1: x alone; 2: with z */
    uint32_t ptr[3], idx[4];
    uint8_t differential[2];
    double nominal[2], atol[2];
    dd_problem problem;
} decay;

static void residual(void *user, double t, const double *w, const double *v, double *f)
{
    const decay *d = user;
    (void)t;
    if (d->n == 1) {
        f[0] = v[0] + d->k * w[0];
    } else { /* x' + k z, z - x */
        f[0] = v[0] + d->k * w[1];
        f[1] = w[1] - w[0];
    }
}

static void residuals(void *user, uint32_t lanes, size_t ld, const double *t, const double *w, const double *v,
                      double *f)
{
    const decay *d = user;
    for (uint32_t k = 0; k < lanes; k++) {
        double wk[2], vk[2], fk[2];
        for (uint32_t j = 0; j < d->n; j++) {
            wk[j] = w[j * ld + k];
            vk[j] = v[j * ld + k];
        }
        residual(user, t[k], wk, vk, fk);
        for (uint32_t j = 0; j < d->n; j++) {
            f[j * ld + k] = fk[j];
        }
    }
}

static void jacobian(void *user, double t, const double *w, const double *v, double *m, double *j)
{
    const decay *d = user;
    (void)t, (void)w, (void)v;
    memset(m, 0, (size_t)d->n * d->n * sizeof *m);
    memset(j, 0, (size_t)d->n * d->n * sizeof *j);
    m[0] = 1;
    if (d->n == 1) {
        j[0] = d->k;
    } else {
        j[1] = -1;
        j[2] = d->k;
        j[3] = 1;
    }
}

static void parameters(void *user, double t, const double *w, const double *v, double *out)
{
    const decay *d = user;
    (void)t, (void)v;
    memset(out, 0, 2 * (size_t)d->n * sizeof *out);
    out[0] = w[d->n - 1];
}

static void make(decay *d, double k, uint32_t n)
{
    *d = (decay){.k = k, .n = n, .differential = {1, 0}, .nominal = {1, 1}, .atol = {1e-12, 1e-12}};
    for (uint32_t c = 0; c <= n; c++) {
        d->ptr[c] = c * n;
        for (uint32_t r = 0; r < n && c < n; r++) {
            d->idx[c * n + r] = r;
        }
    }
    d->problem = (dd_problem){.user = d,
                              .n = n,
                              .differential = d->differential,
                              .nominal = d->nominal,
                              .pattern = {.nrows = n, .ncols = n, .ptr = d->ptr, .idx = d->idx},
                              .residual = residual,
                              .residuals = residuals,
                              .jacobian = jacobian,
                              .n_parameters = 2,
                              .parameter_derivatives = parameters};
}

/* ---- running ---- */

typedef struct result {
    double x, by_k, by_start, z_by_k;
    double mid_x, mid_by_k; /* dense output in the middle of the last step */
} result;

static result run(dd_context *ctx, dd_integrator *it, uint32_t n, double stop)
{
    dd_sens *sens;
    const double w[] = {1.5, 1.5}, v[] = {0, 0};
    const double s[] = {0, 0, 1, 1}, by_start[] = {0, 1}, *first = n == 1 ? by_start : s;
    const double zero[4] = {0};
    assert_int_equal(dd_sens_new(&sens, ctx, it), DD_OK);
    assert_int_equal(dd_integ_start(it, 0, w, v), DD_STEP_OK);
    assert_int_equal(dd_sens_start(sens, it, first, zero, NULL, true), DD_STEP_OK);
    while (it->t < stop) {
        assert_int_equal(dd_integ_step(it, stop), DD_STEP_OK);
        assert_int_equal(dd_sens_step(sens, it, NULL), DD_STEP_OK);
    }
    result out = {.x = it->w[0], .by_k = dd_sens_values(sens)[0], .by_start = dd_sens_values(sens)[n]};
    out.z_by_k = dd_sens_values(sens)[n - 1];
    double mid = 0.5 * (it->t_old + it->t), point[2], slope[2], ms[4], mv[4];
    dd_integ_interpolate(it, mid, point, slope);
    assert_int_equal(dd_sens_interpolate(sens, it, mid, ms, mv), DD_STEP_OK);
    out.mid_x = point[0];
    out.mid_by_k = ms[0];
    dd_sens_free(sens);
    return out;
}

static dd_integrator *new_method(dd_context *ctx, const decay *d, const char *name, double step, double tol,
                                 dd_tableau **tableau)
{
    dd_integrator *it = NULL;
    dd_integ_options o = {.rtol = tol, .atol = d->atol, .fixed_step = step};
    *tableau = NULL;
    if (strncmp(name, "bdf-", 4) == 0) {
        assert_int_equal(dd_bdf_fixed_new(&it, ctx, &d->problem, (uint32_t)(name[4] - '0'), &o), DD_OK);
    } else if (strcmp(name, "bdf") == 0) {
        assert_int_equal(dd_bdf_new(&it, ctx, &d->problem, &o), DD_OK);
    } else if (strcmp(name, "radau") == 0) {
        assert_int_equal(dd_radau_new(&it, ctx, &d->problem, &o), DD_OK);
    } else {
        assert_int_equal(dd_tableau_new(tableau, ctx, name), DD_OK);
        dd_status st = (*tableau)->structure == DD_TABLEAU_EXPLICIT
                           ? dd_explicit_new(&it, ctx, &d->problem, *tableau, &o)
                           : dd_irk_new(&it, ctx, &d->problem, *tableau, &o);
        assert_int_equal(st, DD_OK);
    }
    return it;
}

/* ---- the truth: R(z) and R'(z) = b^T (I - z A)^-2 1 ---- */

enum { MOST = DD_TABLEAU_STAGES };

/* (I - z A) y = r by elimination with pivoting */
static void solve(const dd_tableau *tab, dd_quad z, dd_quad *r)
{
    static dd_quad a[MOST][MOST];
    const uint32_t s = tab->stages;
    for (uint32_t i = 0; i < s; i++) {
        for (uint32_t j = 0; j < s; j++) {
            a[i][j] = (i == j) - z * tab->exact.A[(size_t)i * s + j];
        }
    }
    for (uint32_t c = 0; c < s; c++) {
        uint32_t best = c;
        for (uint32_t i = c + 1; i < s; i++) {
            best = fabs((double)a[i][c]) > fabs((double)a[best][c]) ? i : best;
        }
        for (uint32_t j = 0; j < s; j++) {
            dd_quad swap = a[c][j];
            a[c][j] = a[best][j];
            a[best][j] = swap;
        }
        dd_quad swap = r[c];
        r[c] = r[best];
        r[best] = swap;
        for (uint32_t i = c + 1; i < s; i++) {
            dd_quad f = a[i][c] / a[c][c];
            for (uint32_t j = c; j < s; j++) {
                a[i][j] -= f * a[c][j];
            }
            r[i] -= f * r[c];
        }
    }
    for (uint32_t c = s; c-- > 0;) {
        for (uint32_t j = c + 1; j < s; j++) {
            r[c] -= a[c][j] * r[j];
        }
        r[c] /= a[c][c];
    }
}

static void stability(const dd_tableau *tab, dd_quad z, dd_quad *value, dd_quad *slope)
{
    dd_quad y[MOST];
    for (uint32_t i = 0; i < tab->stages; i++) {
        y[i] = 1;
    }
    solve(tab, z, y);
    *value = 1;
    for (uint32_t i = 0; i < tab->stages; i++) {
        *value += z * tab->exact.b[i] * y[i];
    }
    solve(tab, z, y);
    *slope = 0;
    for (uint32_t i = 0; i < tab->stages; i++) {
        *slope += tab->exact.b[i] * y[i];
    }
}

/* x and dx/dk after count steps, by powers of R */
static void truth_by_powers(const dd_tableau *tab, double k, double h, uint32_t count, dd_quad *x, dd_quad *dx)
{
    dd_quad r, slope;
    stability(tab, -(dd_quad)k * h, &r, &slope);
    *x = 1.5;
    *dx = 0;
    for (uint32_t i = 0; i < count; i++) {
        *dx = *dx * r - *x * slope * h;
        *x *= r;
    }
}

static void close_to(const char *name, const char *what, double got, double expected, double tol)
{
    if (!(fabs(got - expected) <= tol * fabs(expected))) {
        fail_msg("%s: %s is %.17g, expected %.17g (off by %.2e)", name, what, got, expected,
                 fabs(got - expected) / fabs(expected));
    }
}

static void compare(const char *name, const result *r, double x, double dx)
{
    close_to(name, "x", r->x, x, 1e-12);
    close_to(name, "dx/dk", r->by_k, dx, 1e-12);
    close_to(name, "dx/dx0", r->by_start, x / 1.5, 1e-12);
    close_to(name, "dz/dk", r->z_by_k, dx, 1e-12);
}

static void test_every_listed_method(void **state)
{
    (void)state;
    const double k = 0.7, h = 0.125;
    uint32_t tested = 0;
    for (uint32_t n = 1; n <= 2; n++) {
        decay d;
        make(&d, k, n);
        for (uint32_t i = 0; dd_tableau_listed(i); i++) {
            const char *name = dd_tableau_listed(i);
            dd_context *ctx;
            dd_tableau *tab;
            dd_quad x, dx;
            assert_int_equal(dd_context_new(&ctx, NULL), DD_OK);
            dd_integrator *it = new_method(ctx, &d, name, h, 1e-6, &tab);
            result r = run(ctx, it, n, 8 * h);
            truth_by_powers(tab, k, h, 8, &x, &dx);
            compare(name, &r, (double)x, (double)dx);
            dd_integ_free(it);
            dd_tableau_free(tab);
            dd_context_free(ctx);
            tested++;
        }
    }
    assert_true(tested > 60);
}

/* D10: m substeps of implicit Euler have x_0 (1 + k h)^-m. */
static void test_substeps_of_implicit_euler(void **state)
{
    (void)state;
    for (uint32_t m = 1; m <= 64; m *= 4) {
        decay d;
        dd_context *ctx;
        dd_tableau *tab;
        const double k = 1.3, h = 1.0 / m;
        make(&d, k, 2);
        assert_int_equal(dd_context_new(&ctx, NULL), DD_OK);
        dd_integrator *it = new_method(ctx, &d, "implicit-euler", h, 1e-6, &tab);
        result r = run(ctx, it, 2, 1.0);
        double x = 1.5 * pow(1 + k * h, -(double)m);
        compare("implicit-euler", &r, x, -(double)m * h / (1 + k * h) * x);
        dd_integ_free(it);
        dd_tableau_free(tab);
        dd_context_free(ctx);
    }
}

/* The recurrence with its first steps by Radau IIA, differentiated by hand. */
static void test_bdf_with_given_steps(void **state)
{
    (void)state;
    const double k = 0.7, h = 0.0625;
    enum { COUNT = 16 };
    for (uint32_t m = 1; m <= 6; m++) {
        char name[] = "bdf-0", starter[] = "radau-0";
        name[4] = (char)('0' + m);
        starter[6] = (char)('0' + (m + 2) / 2);
        dd_context *ctx;
        dd_tableau *tab, *first;
        dd_bdf formula;
        dd_quad x[COUNT + 1], dx[COUNT + 1];
        assert_int_equal(dd_context_new(&ctx, NULL), DD_OK);
        assert_int_equal(dd_tableau_new(&first, ctx, starter), DD_OK);
        assert_int_equal(dd_bdf_init(&formula, m), DD_OK);
        for (uint32_t i = 0; i <= COUNT; i++) {
            if (i < m) {
                truth_by_powers(first, k, h, i, &x[i], &dx[i]);
                continue;
            }
            /* sum_j alpha_j x_{i-j} = -k h x_i */
            dd_quad sum = 0, change = 0, whole = (dd_quad)formula.numerator[0] / formula.denominator + (dd_quad)k * h;
            for (uint32_t j = 1; j <= m; j++) {
                dd_quad alpha = (dd_quad)formula.numerator[j] / formula.denominator;
                sum += alpha * x[i - j];
                change += alpha * dx[i - j];
            }
            x[i] = -sum / whole;
            dx[i] = -(change + h * x[i]) / whole;
        }
        for (uint32_t n = 1; n <= 2; n++) {
            decay d;
            make(&d, k, n);
            dd_integrator *it = new_method(ctx, &d, name, h, 1e-6, &tab);
            result r = run(ctx, it, n, COUNT * h);
            compare(name, &r, (double)x[COUNT], (double)dx[COUNT]);
            dd_integ_free(it);
        }
        dd_tableau_free(first);
        dd_context_free(ctx);
    }
}

/* dx/dk = -t x, at the tolerance; and between the steps. */
static void test_error_control(void **state)
{
    (void)state;
    static const char *const names[] = {"radau", "bdf", "dop853", "dopri54", "bs32"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const double tol = strcmp(names[i], "bs32") == 0 ? 1e-6 : 1e-9;
        for (uint32_t n = 1; n <= 2; n++) {
            decay d;
            dd_context *ctx;
            dd_tableau *tab;
            make(&d, 2.0, n);
            assert_int_equal(dd_context_new(&ctx, NULL), DD_OK);
            dd_integrator *it = new_method(ctx, &d, names[i], 0, tol, &tab);
            result r = run(ctx, it, n, 1.0);
            const double x = 1.5 * exp(-2.0), mid = 0.5 * (it->t_old + it->t), y = 1.5 * exp(-2.0 * mid);
            close_to(names[i], "x", r.x, x, 30 * tol);
            close_to(names[i], "dx/dk", r.by_k, -x, 100 * tol);
            close_to(names[i], "dz/dk", r.z_by_k, -x, 100 * tol);
            close_to(names[i], "dx/dx0", r.by_start, x / 1.5, 100 * tol);
            close_to(names[i], "x between", r.mid_x, y, 1000 * tol);
            close_to(names[i], "dx/dk between", r.mid_by_k, -mid * y, 1000 * tol);
            dd_integ_free(it);
            dd_tableau_free(tab);
            dd_context_free(ctx);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_listed_method),
        cmocka_unit_test(test_substeps_of_implicit_euler),
        cmocka_unit_test(test_bdf_with_given_steps),
        cmocka_unit_test(test_error_control),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
