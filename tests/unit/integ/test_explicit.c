/* test_explicit.c - explicit Runge-Kutta methods: observed orders, error control, dense output, stiffness, failures. */
#include "outcomes.h"

#include "integ/explicit.h"
#include "integ/explicit_rhs.h"

static dd_status make(dd_integrator **out, dd_context *c, const dd_problem *p, const void *method,
                      const dd_integ_options *options)
{
    return dd_explicit_new(out, c, p, method, options);
}

static outcome solve(const char *method, const ivp *from, double rtol, double fixed)
{
    return outcome_of_tableau(make, method, from, rtol, fixed);
}

static bool is_explicit(const char *method, uint32_t *order)
{
    dd_tableau *tab;
    assert_int_equal(dd_tableau_new(&tab, ctx, method), DD_OK);
    bool yes = tab->structure == DD_TABLEAU_EXPLICIT;
    *order = tab->order;
    dd_tableau_free(tab);
    return yes;
}

static void test_orders(void **state)
{
    (void)state;
    const char *method;
    uint32_t order, count = 0;
    for (uint32_t i = 0; (method = dd_tableau_listed(i)); i++) {
        if (is_explicit(method, &order)) {
            expect_tableau_order(make, method, &ivp_ode, of_x, "x", order);
            expect_tableau_order(make, method, &ivp_dae, of_x, "x", order);
            expect_tableau_order(make, method, &ivp_dae, of_z, "z", order);
            expect_tableau_order(make, method, &ivp_pendulum, of_x, "x", order);
            count++;
        }
    }
    assert_true(count >= 15);
}

/* Between grid points: own extensions of order q have local errors h^(q+1), Hermite's cubic h^4, the quintic h^6. */
static void test_dense_orders(void **state)
{
    (void)state;
    const struct {
        const char *method;
        uint32_t order;
    } list[] = {{"rk4", 4},         {"kutta3", 3},   {"bs32", 3},       {"dopri54", 5},
                {"cash-karp54", 5}, {"verner65", 6}, {"fehlberg78", 6}, {"dop853", 8}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        expect_tableau_order(make, list[i].method, &ivp_ode, of_inside, "x inside", list[i].order);
        expect_tableau_order(make, list[i].method, &ivp_dae, of_inside, "x inside", list[i].order);
        expect_tableau_order(make, list[i].method, &ivp_dae, of_inside_z, "z inside", list[i].order);
    }
}

/* Every pair delivers what was asked for, and costs grow as they should. */
static void test_tolerances(void **state)
{
    (void)state;
    const char *methods[] = {"heun-euler21", "bs32",     "fehlberg45", "cash-karp54",
                             "dopri54",      "verner65", "fehlberg78", "dop853"};
    const ivp *problems[] = {&ivp_ode, &ivp_dae, &ivp_pendulum};
    for (size_t q = 0; q < 3; q++) {
        for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
            for (double tol = 1e-3; tol > 1e-11; tol *= 1e-2) {
                if (tol < 1e-8 && i < 2) {
                    continue;
                }
                outcome o = solve(methods[i], problems[q], tol, 0);
                const bool low = strcmp(methods[i], "fehlberg78") == 0; /* its quintic is of lower order */
                o.inside = low ? 0 : o.inside;
                if (!(o.x <= tol * 2.7) || o.inside > tol * 10 || o.stats.rejected > 4 + o.stats.steps / 3) {
                    print_error("%s on %s at %g: error %g, inside %g, %d of %d rejected\n", methods[i],
                                problems[q]->name, tol, o.x, o.inside, (int)o.stats.rejected, (int)o.stats.steps);
                }
                assert_true(o.x <= tol * 2.7); /* relative to |x|, which reaches e */
                assert_true(o.inside <= tol * 10);
                assert_true(o.stats.rejected <= 4 + o.stats.steps / 3);
                assert_false(o.stiff);
            }
        }
    }
}

/* 13 periods of the pendulum, some 100 s: energy and end point, falling with the tolerance; constraints to rounding. */
static void test_conservation(void **state)
{
    (void)state;
    ivp long_run = ivp_pendulum;
    long_run.t1 = 52 * PENDULUM_QUARTER;
    dd_tableau *tab;
    assert_int_equal(dd_tableau_new(&tab, ctx, "dop853"), DD_OK);
    for (double tol = 1e-4; tol > 1e-11; tol *= 1e-2) {
        ivp_problem p;
        dd_integrator *it;
        ivp_make(&p, &long_run, tol);
        dd_integ_options options = ivp_options(&p, tol, 0);
        assert_int_equal(dd_explicit_new(&it, ctx, &p.p, tab, &options), DD_OK);
        assert_int_equal(dd_integ_start(it, 0, long_run.w0, long_run.v0), DD_STEP_OK);
        double most = 0;
        while (it->t < long_run.t1) {
            assert_int_equal(dd_integ_step(it, long_run.t1), DD_STEP_OK);
            const double *w = it->w;
            most = fmax(most, fabs((w[2] * w[2] + w[3] * w[3]) / 2 + w[1])); /* 0 at the start */
        }
        assert_true(most < 2 * tol);
        assert_true(fabs(it->w[0] - 1) + fabs(it->w[1]) < 20 * tol);
        assert_true(it->violation < 1e-15);
        /* linear in x' and z: one residual per stage, the points of control and check aside */
        assert_true(tol < 1e-8 || it->stats.residuals < (it->stats.steps + it->stats.rejected) * 15);
        dd_integ_free(it);
    }
    dd_tableau_free(tab);
}

static void test_stiffness_is_seen(void **state)
{
    (void)state;
    ivp stiff = ivp_stiff;
    stiff.t1 = 0.01; /* 10000 time constants */
    const char *methods[] = {"dopri54", "dop853", "verner65", "cash-karp54"};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        outcome o = solve(methods[i], &stiff, 1e-5, 0);
        if (!o.stiff) {
            print_error("%s: not seen in %d steps\n", methods[i], (int)o.stats.steps);
        }
        assert_true(o.stiff);
        assert_true(o.x < 1e-4);
    }
}

/* Effort: one residual per stage and nothing else when rows are explicit; factors kept otherwise. */
static void test_effort(void **state)
{
    (void)state;
    ivp_problem p;
    ivp_make(&p, &ivp_ode, 1e-6);
    dd_rhs *rhs;
    assert_int_equal(dd_rhs_new(&rhs, ctx, &p.p), DD_OK);
    assert_int_equal(dd_rhs_get_kind(rhs), DD_RHS_DIAGONAL);
    dd_rhs_free(rhs);
    ivp_make(&p, &ivp_dae, 1e-6);
    assert_int_equal(dd_rhs_new(&rhs, ctx, &p.p), DD_OK);
    assert_int_equal(dd_rhs_get_kind(rhs), DD_RHS_NEWTON);
    dd_rhs_free(rhs);

    dd_tableau *tab;
    dd_integrator *it;
    assert_int_equal(dd_tableau_new(&tab, ctx, "dopri54"), DD_OK);
    ivp_make(&p, &ivp_ode, 1e-6);
    dd_integ_options options = ivp_options(&p, 1e-6, 0.1);
    assert_int_equal(dd_explicit_new(&it, ctx, &p.p, tab, &options), DD_OK);
    assert_int_equal(ivp_run(it, &ivp_ode), DD_STEP_OK);
    assert_int_equal(it->stats.steps, 40);
    assert_int_equal(it->stats.residuals, 40 * 6 + 1); /* the seventh is the first of the next step */
    assert_int_equal(it->stats.jacobians, 0);
    dd_integ_free(it);

    ivp_make(&p, &ivp_dae, 1e-6);
    options = ivp_options(&p, 1e-6, 0);
    assert_int_equal(dd_explicit_new(&it, ctx, &p.p, tab, &options), DD_OK);
    assert_int_equal(ivp_run(it, &ivp_dae), DD_STEP_OK);
    assert_true(it->stats.factorizations < it->stats.steps * 6);
    assert_true(it->stats.residuals < it->stats.steps * 6 * 5);
    dd_integ_free(it);
    dd_tableau_free(tab);
}

/* x' = A x with a full constant M: the constant kind, against the diagonal one. */
static void mass_residual(void *user, double t, const double *w, const double *v, double *f)
{
    double g[2];
    ode_residual(user, t, w, v, g);
    f[0] = 2 * g[0] + g[1];
    f[1] = g[0] - 3 * g[1];
}

static void mass_jacobian(const ivp *p, double t, const double *w, const double *v, double *m, double *j)
{
    double m0[4] = {0}, j0[4] = {0};
    ode_jacobian(p, t, w, v, m0, j0);
    for (uint32_t c = 0; c < 2; c++) {
        m[AT(0, c)] = 2 * m0[AT(0, c)] + m0[AT(1, c)];
        m[AT(1, c)] = m0[AT(0, c)] - 3 * m0[AT(1, c)];
        j[AT(0, c)] = 2 * j0[AT(0, c)] + j0[AT(1, c)];
        j[AT(1, c)] = j0[AT(0, c)] - 3 * j0[AT(1, c)];
    }
}

static void test_constant_mass(void **state)
{
    (void)state;
    ivp mass = ivp_ode;
    mass.residual = mass_residual;
    mass.jacobian = mass_jacobian;
    outcome plain = solve("dop853", &ivp_ode, 1e-8, 0), constant = solve("dop853", &mass, 1e-8, 0);
    assert_int_equal(constant.stats.factorizations, 1);
    assert_int_equal(constant.stats.residuals, plain.stats.residuals);
    assert_true(fabs(constant.x - plain.x) < 1e-13);
    mass.m_constant = false;
    outcome newton = solve("dop853", &mass, 1e-8, 0);
    assert_true(newton.x < 1e-8);
}

static dd_step_verdict fate(const char *method, const ivp *from, double fixed, double *t)
{
    ivp_problem p;
    dd_tableau *tab;
    dd_integrator *it;
    ivp_make(&p, from, 1e-6);
    dd_integ_options options = ivp_options(&p, 1e-6, fixed);
    assert_int_equal(dd_tableau_new(&tab, ctx, method), DD_OK);
    assert_int_equal(dd_explicit_new(&it, ctx, &p.p, tab, &options), DD_OK);
    dd_step_verdict v = ivp_run(it, from);
    for (uint32_t j = 0; j < from->n; j++) {
        assert_true(isfinite(it->w[j])); /* the trajectory so far is kept */
    }
    *t = it->t;
    dd_integ_free(it);
    dd_tableau_free(tab);
    return v;
}

static void test_failures(void **state)
{
    (void)state;
    double t;
    const char *methods[] = {"dopri54", "dop853"};
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(fate(methods[i], &ivp_blowup, 0, &t), DD_STEP_STEP_TOO_SMALL);
        assert_true(fabs(t - 1) < 1e-4);
        assert_int_equal(fate(methods[i], &ivp_nan, 0, &t), DD_STEP_NONFINITE);
        assert_true(fabs(t - 1) < 1e-9);
        assert_int_equal(fate(methods[i], &ivp_singular, 0, &t), DD_STEP_SINGULAR);
    }
    assert_int_equal(fate("rk4", &ivp_nan, 0.1, &t), DD_STEP_NONFINITE);
    assert_true(t > 0.89 && t < 1.01);
    assert_int_equal(fate("rk4", &ivp_blowup, 0.05, &t), DD_STEP_NONFINITE); /* overflows some steps later */
}

static void test_refusals(void **state)
{
    (void)state;
    ivp_problem p;
    dd_tableau *tab;
    dd_integrator *it;
    ivp_make(&p, &ivp_ode, 1e-6);
    dd_integ_options options = ivp_options(&p, 1e-6, 0);
    assert_int_equal(dd_tableau_new(&tab, ctx, "rk4"), DD_OK);
    assert_int_equal(dd_explicit_new(&it, ctx, &p.p, tab, &options), DD_INVALID_ARGUMENT);
    assert_non_null(strstr(dd_context_message(ctx), "step size"));
    dd_tableau_free(tab);
    assert_int_equal(dd_tableau_new(&tab, ctx, "radau-3"), DD_OK);
    assert_int_equal(dd_explicit_new(&it, ctx, &p.p, tab, &options), DD_INVALID_ARGUMENT);
    dd_tableau_free(tab);
}

static void test_allocation_failures(void **state)
{
    (void)state;
    dd_tableau *tab;
    assert_int_equal(dd_tableau_new(&tab, ctx, "dop853"), DD_OK);
    expect_clean_failures(make, tab, 0, 0);
    dd_tableau_free(tab);
}

static void test_set_tolerance(void **state)
{
    (void)state;
    dd_tableau *tab;
    assert_int_equal(dd_tableau_new(&tab, ctx, "dop853"), DD_OK);
    expect_new_tolerance(make, tab);
    dd_tableau_free(tab);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_orders),
        cmocka_unit_test(test_dense_orders),
        cmocka_unit_test(test_tolerances),
        cmocka_unit_test(test_stiffness_is_seen),
        cmocka_unit_test(test_effort),
        cmocka_unit_test(test_constant_mass),
        cmocka_unit_test(test_failures),
        cmocka_unit_test(test_set_tolerance),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_conservation),
        cmocka_unit_test(test_allocation_failures),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
