/* test_chebyshev.c - spectral collocation by windows: convergence in N, the index-3 pendulum as it is written, windows
 * found by the tolerance, failures. */
#include "outcomes.h"

#include "integ/chebyshev.h"
#include "integ/explicit.h"

static dd_status make(dd_integrator **out, dd_context *c, const dd_problem *p, const void *method,
                      const dd_integ_options *options)
{
    return dd_chebyshev_new(out, c, p, *(const uint32_t *)method, options);
}

static outcome solve(uint32_t points, const ivp *from, double rtol, double fixed)
{
    return outcome_by(make, &points, from, rtol, fixed, 8);
}

/* Errors fall geometrically with N on one window, down to rounding. */
static void test_spectral(void **state)
{
    (void)state;
    const ivp *problems[] = {&ivp_ode, &ivp_dae};
    for (size_t q = 0; q < 2; q++) {
        double before = INFINITY;
        for (uint32_t points = 6; points <= 42; points += 6) {
            outcome o = solve(points, problems[q], 1e-6, 4.0);
            assert_true(o.inside < 0.1 * before || o.inside < 1e-11);
            before = fmax(o.inside, 1e-11);
        }
        outcome o = solve(42, problems[q], 1e-6, 4.0);
        assert_true(o.x < 1e-13 && o.inside < 1e-11 && o.inside_z < 1e-10);
    }
}

/* Few points and many windows: the order of collocation at K points that are not Gaussian, K or K + 1. */
static void test_order(void **state)
{
    (void)state;
    for (uint32_t points = 3; points <= 6; points++) {
        double seen = log2(solve(points, &ivp_dae, 1e-6, 4.0 / 32).x / solve(points, &ivp_dae, 1e-6, 4.0 / 64).x);
        const double order = points - 1;
        if (!(seen > order - 0.2 && seen < order + 1.2)) {
            print_error("%u points: order %.2f\n", points, seen);
        }
        assert_true(seen > order - 0.2 && seen < order + 1.2);
    }
}

static void test_tolerances(void **state)
{
    (void)state;
    const ivp *problems[] = {&ivp_ode, &ivp_dae, &ivp_pendulum, &ivp_stiff};
    for (size_t q = 0; q < 4; q++) {
        for (double tol = 1e-3; tol > 1e-11; tol *= 1e-2) {
            outcome o = solve(0, problems[q], tol, 0);
            if (!(o.x <= tol)) {
                print_error("%s at %g: error %g, inside %g, %d windows, %d rejected\n", problems[q]->name, tol, o.x,
                            o.inside, (int)o.stats.steps, (int)o.stats.rejected);
            }
            assert_true(o.x <= tol && o.inside <= 2 * tol);
            assert_true(o.stats.rejected <= 4 + o.stats.steps / 3);
        }
    }
}

/* ---- the pendulum as it is written: x' = u, y' = v, u' = -L x, v' = -L y - 1, x^2 + y^2 = 1 ---- */

static void index3_residual(void *user, double t, const double *w, const double *v, double *f)
{
    pendulum_residual(user, t, w, v, f);
    f[4] = w[0] * w[0] + w[1] * w[1] - 1;
}

static void index3_jacobian(const ivp *p, double t, const double *w, const double *v, double *m, double *j)
{
    pendulum_jacobian(p, t, w, v, m, j);
    j[AT(4, 2)] = j[AT(4, 3)] = j[AT(4, 4)] = 0;
    j[AT(4, 0)] = 2 * w[0];
    j[AT(4, 1)] = 2 * w[1];
}

/* theta'' = -sin theta; x = sin theta, y = -cos theta, L = theta'^2 + cos theta */
static void angle_residual(void *user, double t, const double *w, const double *v, double *f)
{
    (void)user, (void)t;
    f[0] = v[0] - w[1];
    f[1] = v[1] + sin(w[0]);
}

static void angle_jacobian(const ivp *p, double t, const double *w, const double *v, double *m, double *j)
{
    (void)t, (void)v;
    m[AT(0, 0)] = m[AT(1, 1)] = 1;
    j[AT(0, 1)] = -1;
    j[AT(1, 0)] = cos(w[0]);
}

static void test_index3(void **state)
{
    (void)state;
    const double T = 4 * PENDULUM_QUARTER, half_pi = 1.57079632679489662;
    ivp pendulum = ivp_pendulum, angle = {.name = "angle",
                                          .n = 2,
                                          .differential = {1, 1},
                                          .m_constant = true,
                                          .w0 = {half_pi, 0},
                                          .residual = angle_residual,
                                          .jacobian = angle_jacobian};
    pendulum.residual = index3_residual;
    pendulum.jacobian = index3_jacobian;
    pendulum.n_invariants = 0;
    ivp_problem p, q;
    ivp_make(&p, &pendulum, 1e-10);
    ivp_make(&q, &angle, 1e-13);
    dd_integrator *it, *reference;
    dd_tableau *tab;
    dd_integ_options options = {.rtol = 1e-10, .atol = p.atol, .fixed_step = T / 8};
    dd_integ_options fine = {.rtol = 1e-13, .atol = q.atol};
    assert_int_equal(dd_tableau_new(&tab, ctx, "dop853"), DD_OK);
    assert_int_equal(dd_chebyshev_new(&it, ctx, &p.p, 24, &options), DD_OK);
    assert_int_equal(dd_explicit_new(&reference, ctx, &q.p, tab, &fine), DD_OK);
    assert_int_equal(dd_integ_start(it, 0, pendulum.w0, pendulum.v0), DD_STEP_OK);
    assert_int_equal(dd_integ_start(reference, 0, angle.w0, angle.v0), DD_STEP_OK);
    double most = 0, most_z = 0;
    while (it->t < T) { /* one period */
        assert_int_equal(dd_integ_step(it, T), DD_STEP_OK);
        for (uint32_t k = 1; k <= 8; k++) {
            const double t = k == 8 ? it->t : it->t_old + k * (it->t - it->t_old) / 8;
            while (reference->t < t) {
                assert_int_equal(dd_integ_step(reference, t), DD_STEP_OK);
            }
            double w[5];
            dd_integ_interpolate(it, t, w, NULL);
            const double th = reference->w[0], om = reference->w[1];
            const double exact[4] = {sin(th), -cos(th), om * cos(th), om * sin(th)};
            for (uint32_t j = 0; j < 4; j++) {
                most = fmax(most, fabs(w[j] - exact[j]));
            }
            most_z = fmax(most_z, fabs(w[4] - (om * om + cos(th))));
        }
    }
    if (!(most < 1e-9) || !(most_z < 1e-6)) {
        print_error("index 3: %g, multiplier %g\n", most, most_z);
    }
    assert_true(most < 1e-9);
    assert_true(most_z < 1e-6);
    assert_true(fabs(it->w[0] - 1) < 1e-9 && fabs(it->w[1]) < 1e-9); /* back again */
    dd_integ_free(it);
    dd_integ_free(reference);
    dd_tableau_free(tab);
}

static dd_step_verdict fate(const ivp *from, double fixed, double *t)
{
    ivp_problem p;
    dd_integrator *it;
    ivp_make(&p, from, 1e-6);
    dd_integ_options options = ivp_options(&p, 1e-6, fixed);
    assert_int_equal(dd_chebyshev_new(&it, ctx, &p.p, 8, &options), DD_OK);
    dd_step_verdict v = ivp_run(it, from);
    for (uint32_t j = 0; j < from->n; j++) {
        assert_true(isfinite(it->w[j]));
    }
    *t = it->t;
    dd_integ_free(it);
    return v;
}

/* x' = 2 with a matrix that leads away from it: no window is solved, however short, though all can be evaluated */
static void away_residual(void *user, double t, const double *w, const double *v, double *f)
{
    (void)user, (void)t, (void)w;
    f[0] = v[0] - 2;
}

static void away_jacobian(const ivp *p, double t, const double *w, const double *v, double *m, double *j)
{
    (void)t, (void)w, (void)v, (void)j;
    m[AT(0, 0)] = -1;
}

static const ivp ivp_away = {.name = "away",
                             .n = 1,
                             .differential = {1},
                             .t1 = 1,
                             .w0 = {1e6},
                             .v0 = {0.7},
                             .residual = away_residual,
                             .jacobian = away_jacobian};

static void test_failures(void **state)
{
    (void)state;
    double t;
    dd_step_verdict v = fate(&ivp_blowup, 0, &t);
    assert_true(v == DD_STEP_STEP_TOO_SMALL || v == DD_STEP_NEWTON_FAILED);
    assert_true(fabs(t - 1) < 1e-3);
    assert_int_equal(fate(&ivp_nan, 0.3, &t), DD_STEP_NONFINITE);
    assert_int_equal(fate(&ivp_nan, 0, &t), DD_STEP_NONFINITE);
    assert_true(fabs(t - 1) < 1e-3);
    assert_int_equal(fate(&ivp_singular, 0.1, &t), DD_STEP_SINGULAR);
    assert_int_equal(fate(&ivp_away, 0, &t), DD_STEP_NEWTON_FAILED);
    ivp_problem p;
    dd_integrator *it;
    ivp_make(&p, &ivp_ode, 1e-6);
    dd_integ_options options = ivp_options(&p, 1e-6, 0);
    assert_int_equal(dd_chebyshev_new(&it, ctx, &p.p, 2, &options), DD_INVALID_ARGUMENT);
    assert_int_equal(dd_chebyshev_new(&it, ctx, &p.p, 66, &options), DD_INVALID_ARGUMENT);
}

static void test_allocation_failures(void **state)
{
    (void)state;
    const uint32_t points = 8;
    expect_clean_failures(make, &points, 0.1, 0);
}

static void test_set_tolerance(void **state)
{
    (void)state;
    const uint32_t points = 12;
    expect_new_tolerance(make, &points);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spectral),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_tolerances),
        cmocka_unit_test(test_index3),
        cmocka_unit_test(test_failures),
        cmocka_unit_test(test_set_tolerance),
        cmocka_unit_test(test_allocation_failures),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
