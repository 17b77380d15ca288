/* test_bdf.c - backward differentiation: orders of the fixed formulas, error control, large sparse problems, failures. */
#include "outcomes.h"

#include "integ/bdf.h"

/* method: the steps of a fixed formula; 0: variable */
static dd_status make(dd_integrator **out, dd_context *c, const dd_problem *p, const void *method,
                      const dd_integ_options *options)
{
    return *(const uint32_t *)method > 0 ? dd_bdf_fixed_new(out, c, p, *(const uint32_t *)method, options)
                                         : dd_bdf_new(out, c, p, options);
}

static outcome solve(uint32_t steps, const ivp *from, double rtol, double fixed)
{
    return outcome_by(make, &steps, from, rtol, fixed, 4);
}

static double of_all_x(const outcome *o)
{
    return fmax(o->x, o->inside);
}

static void expect_order(uint32_t steps, const ivp *from, double at(const outcome *), const char *what)
{
    double err[16], order = 0;
    uint32_t grid = 32;
    for (size_t k = 0; k < 6; k++, grid *= 2) {
        outcome o = solve(steps, from, 1e-6, (from->t1 - from->t0) / grid);
        err[k] = at(&o);
        if (err[k] < 1e-13 + 1e-15 * grid) {
            break;
        }
        order = k >= 1 ? log2(err[k - 1] / err[k]) : 0;
    }
    if (!(fabs(order - steps) < 0.2)) {
        print_error("bdf-%u on %s, %s: order %.2f\n", steps, from->name, what, order);
    }
    assert_true(fabs(order - steps) < 0.2);
}

static void test_orders(void **state)
{
    (void)state;
    for (uint32_t m = 1; m <= 6; m++) {
        expect_order(m, &ivp_ode, of_x, "x");
        expect_order(m, &ivp_ode, of_all_x, "x inside");
        expect_order(m, &ivp_dae, of_x, "x");
        expect_order(m, &ivp_dae, of_z, "z");
        expect_order(m, &ivp_pendulum, of_x, "x");
    }
}

/* A last step that does not fit. */
static void test_uneven_end(void **state)
{
    (void)state;
    for (uint32_t m = 1; m <= 6; m++) {
        double even = solve(m, &ivp_dae, 1e-6, 0.01).x, uneven = solve(m, &ivp_dae, 1e-6, 0.0101).x;
        assert_true(uneven < 1.2 * even + 1e-13);
    }
}

static void test_tolerances(void **state)
{
    (void)state;
    const ivp *problems[] = {&ivp_ode, &ivp_dae, &ivp_pendulum, &ivp_stiff};
    for (size_t q = 0; q < 4; q++) {
        for (double tol = 1e-2; tol > 1e-9; tol *= 0.1) {
            outcome o = solve(0, problems[q], tol, 0);
            if (!(o.x <= 2 * tol)) {
                print_error("%s at %g: error %g, inside %g, %d steps, %d rejected\n", problems[q]->name, tol, o.x,
                            o.inside, (int)o.stats.steps, (int)o.stats.rejected);
            }
            assert_true(o.x <= 2 * tol);
            assert_true(o.inside <= 4 * tol);
            assert_true(o.stats.rejected <= 8 + o.stats.steps / 5);
            assert_true(o.stats.jacobians <= 10 + o.stats.steps / 4);
        }
    }
}

/* 20001 unknowns, stiff: a few hundred steps at most, few factorisations, linear cost. */
static void test_large(void **state)
{
    (void)state;
    rod r;
    rod_make(&r, 10000, 1e-6);
    dd_integrator *it;
    dd_integ_options options = {.rtol = 1e-5, .atol = r.atol};
    assert_int_equal(dd_bdf_new(&it, ctx, &r.p, &options), DD_OK);
    assert_int_equal(dd_integ_start(it, 0, r.w0, r.v0), DD_STEP_OK);
    while (it->t < 0.1) {
        assert_int_equal(dd_integ_step(it, 0.1), DD_STEP_OK);
    }
    assert_true(rod_error(&r, it) < 2e-5);
    assert_true(it->stats.steps < 100);
    assert_true(it->stats.factorizations < 30);
    assert_int_equal(it->stats.jacobians, 2); /* one for the start */
    dd_integ_free(it);
    rod_free(&r);
}

static dd_step_verdict fate(uint32_t steps, const ivp *from, double fixed, double *t)
{
    ivp_problem p;
    dd_integrator *it;
    ivp_make(&p, from, 1e-6);
    dd_integ_options options = ivp_options(&p, 1e-6, fixed);
    assert_int_equal(
        steps > 0 ? dd_bdf_fixed_new(&it, ctx, &p.p, steps, &options) : dd_bdf_new(&it, ctx, &p.p, &options), DD_OK);
    dd_step_verdict v = ivp_run(it, from);
    for (uint32_t j = 0; j < from->n; j++) {
        assert_true(isfinite(it->w[j]));
    }
    *t = it->t;
    dd_integ_free(it);
    return v;
}

static void test_failures(void **state)
{
    (void)state;
    double t;
    dd_step_verdict v = fate(0, &ivp_blowup, 0, &t);
    assert_true(v == DD_STEP_STEP_TOO_SMALL || v == DD_STEP_NEWTON_FAILED);
    assert_true(fabs(t - 1) < 1e-3);
    assert_int_equal(fate(0, &ivp_nan, 0, &t), DD_STEP_NONFINITE);
    assert_true(fabs(t - 1) < 1e-6);
    assert_int_equal(fate(0, &ivp_singular, 0, &t), DD_STEP_SINGULAR);
    assert_int_equal(fate(2, &ivp_nan, 0.15, &t), DD_STEP_NONFINITE);
    assert_true(t > 0.89 && t < 1);
    assert_int_equal(fate(2, &ivp_singular, 0.1, &t), DD_STEP_SINGULAR);
}

/* the same grid: pieces between bounds join, and the run may go on behind each */
static void test_bounds(void **state)
{
    (void)state;
    ivp_problem p;
    dd_integrator *it;
    ivp_make(&p, &ivp_dae, 1e-7);
    dd_integ_options options = ivp_options(&p, 1e-7, 0);
    assert_int_equal(dd_bdf_new(&it, ctx, &p.p, &options), DD_OK);
    assert_int_equal(dd_integ_start(it, 0, ivp_dae.w0, ivp_dae.v0), DD_STEP_OK);
    for (double bound = 0.1; bound < 4; bound += 0.1 + 1e-3) {
        while (it->t < bound) {
            assert_int_equal(dd_integ_step(it, bound), DD_STEP_OK);
        }
        assert_true(it->t == bound);
        assert_true(ivp_error(it, &ivp_dae, true) < 1e-6);
    }
    dd_integ_free(it);
}

static void test_refusals(void **state)
{
    (void)state;
    ivp_problem p;
    dd_integrator *it;
    ivp_make(&p, &ivp_ode, 1e-6);
    dd_integ_options options = ivp_options(&p, 1e-6, 0);
    assert_int_equal(dd_bdf_fixed_new(&it, ctx, &p.p, 3, &options), DD_INVALID_ARGUMENT);
    options.fixed_step = 0.1;
    assert_int_equal(dd_bdf_fixed_new(&it, ctx, &p.p, 7, &options), DD_INVALID_ARGUMENT);
    assert_int_equal(dd_bdf_fixed_new(&it, ctx, &p.p, 0, &options), DD_INVALID_ARGUMENT);
}

static void test_allocation_failures(void **state)
{
    (void)state;
    const uint32_t steps[] = {0, 4};
    for (int k = 0; k < 2; k++) {
        expect_clean_failures(make, &steps[k], 0.1, 256); /* a message may stay */
    }
}

static void test_set_tolerance(void **state)
{
    (void)state;
    const uint32_t variable = 0;
    expect_new_tolerance(make, &variable);
}

/* exp(-a t) (x' + x) = 0 and exp(-a t/2) (y' - cos t) = 0: rows that fade, so that a matrix of some steps ago is too
 * large and its corrections are too small. */
static double fading = 0;

static void fading_residual(void *user, double t, const double *w, const double *v, double *f)
{
    (void)user;
    f[0] = exp(-fading * t) * (v[0] + w[0]);
    f[1] = exp(-fading / 2 * t) * (v[1] - cos(t));
}

static void fading_jacobian(const ivp *p, double t, const double *w, const double *v, double *m, double *j)
{
    (void)p, (void)w, (void)v;
    m[0] = j[0] = exp(-fading * t);
    m[3] = exp(-fading / 2 * t);
}

static void fading_exact(double t, double *w)
{
    w[0] = exp(-t);
    w[1] = sin(t);
}

static void test_fading_rows(void **state)
{
    (void)state;
    static const double rates[] = {5, 20, 40, 100, -100};
    ivp from = {.name = "fading rows",
                .n = 2,
                .differential = {1, 1},
                .t1 = 5,
                .w0 = {1, 0},
                .v0 = {-1, 1},
                .residual = fading_residual,
                .jacobian = fading_jacobian,
                .exact = fading_exact};
    for (size_t k = 0; k < sizeof rates / sizeof *rates; k++) {
        fading = rates[k];
        for (double tol = 1e-3; tol > 1e-9; tol *= 0.3) {
            const outcome o = solve(0, &from, tol, 0);
            if (!(fmax(o.x, o.inside) < 3 * tol)) {
                print_error("rows that fade by %g, tolerance %g: error %g\n", fading, tol, fmax(o.x, o.inside));
            }
            assert_true(fmax(o.x, o.inside) < 3 * tol);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_orders),
        cmocka_unit_test(test_uneven_end),
        cmocka_unit_test(test_tolerances),
        cmocka_unit_test(test_large),
        cmocka_unit_test(test_failures),
        cmocka_unit_test(test_set_tolerance),
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_allocation_failures),
        cmocka_unit_test(test_fading_rows),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
