/* test_kinds.c - work, drift, local errors, nodes, spectra, regions against what is known about them. */
#include "unit/study/kit.h"

static const char *const pendulum =
    "model P Real x(start = 0.6, fixed = true), y(start = -0.8), u(start = 0, fixed = true), v, lam;\n"
    "equation der(x) = u; der(y) = v; der(u) = -lam*x; der(v) = -lam*y - 1; x^2 + y^2 = 1; end P;\n";

/* the largest residual of each stabilization is what a simulation reports */
static void test_drift(void **state)
{
    (void)state;
    static const char *const names[] = {"none", "baumgarte", "projection", "dummy"};
    static const dd_stabilize how[] = {DD_STABILIZE_NONE, DD_STABILIZE_BAUMGARTE, DD_STABILIZE_PROJECTION,
                                       DD_STABILIZE_DUMMY};
    dd_study_options o = dd_study_options_default();
    o.kind = DD_STUDY_DRIFT;
    o.methods = "rk4";
    o.sim.step = 0.05;
    o.sim.stop = 10;
    o.sim.has_stop = true;
    study_case c = study_make(pendulum, NULL, &o);
    for (int k = 0; k < 4; k++) {
        dd_sim_options sim = o.sim;
        dd_sim *run;
        sim.method = "rk4";
        sim.tol = 1e-13;
        sim.stabilize = how[k];
        assert_int_equal(dd_sim_new(&run, c.system, &sim), DD_OK);
        assert_int_equal(dd_sim_run(run), DD_OK);
        const double largest = study_value(c.study, DD_STUDY_SUMMARY, names[k], NULL, "largest");
        assert_near(largest, dd_sim_get_info(run).constraint_violation, 1e-3 * largest + 1e-15);
        dd_sim_free(run);
    }
    /* the plain reduction drifts, the others do not */
    assert_true(study_value(c.study, DD_STUDY_SUMMARY, "none", NULL, "end") > 1e-6);
    assert_true(study_value(c.study, DD_STUDY_SUMMARY, "baumgarte", NULL, "largest") < 3e-6);
    assert_true(study_value(c.study, DD_STUDY_SUMMARY, "projection", NULL, "largest") < 1e-14);
    study_end(&c);
}

/* Euler on x' = x: each step is off by (e^h - 1 - h) x_n, the run by e^t - (1 + h)^n */
static void test_local(void **state)
{
    (void)state;
    dd_study_options o = dd_study_options_default();
    o.kind = DD_STUDY_LOCAL;
    o.methods = "euler";
    o.sim.step = 0.1;
    study_case c = study_make("model M Real x(start = 1, fixed = true); equation der(x) = x; end M;", NULL, &o);
    const dd_study *s = c.study;
    assert_int_equal(dd_study_row_count(s, DD_STUDY_POINTS), 20);
    for (uint32_t n = 0; n < 10; n++) {
        const double x = pow(1.1, n), local = (exp(0.1) - 1.1) * x, global = exp(0.1 * (n + 1)) - pow(1.1, n + 1);
        assert_near(dd_study_number(s, DD_STUDY_POINTS, 2 * n, 4), local, 1e-9);
        assert_near(dd_study_number(s, DD_STUDY_POINTS, 2 * n + 1, 4), global, 1e-9);
    }
    study_end(&c);
}

/* The same where a constraint is solved for another differential variable: with y = x^2 its error is that of x^2, of which
 * the difference of z = 2 x^2 is the largest. Euler integrates x alone. */
static void test_local_constraint(void **state)
{
    (void)state;
    dd_study_options o = dd_study_options_default();
    o.kind = DD_STUDY_LOCAL;
    o.methods = "euler";
    o.sim.step = 0.1;
    study_case c =
        study_make("model M Real x(start = 1, fixed = true), y, z, u; equation der(x) = x; der(y) = z; y = x^2;\n"
                   "der(z) = u; end M;",
                   NULL, &o);
    const dd_study *s = c.study;
    assert_int_equal(dd_study_row_count(s, DD_STUDY_POINTS), 20);
    for (uint32_t n = 0; n < 10; n++) {
        const double x = pow(1.1, n), local = 2 * x * x * (exp(0.2) - 1.21),
                     global = 2 * (exp(0.2 * (n + 1)) - pow(1.21, n + 1));
        assert_near(dd_study_number(s, DD_STUDY_POINTS, 2 * n, 4), local, 1e-8);
        assert_near(dd_study_number(s, DD_STUDY_POINTS, 2 * n + 1, 4), global, 1e-8);
    }
    study_end(&c);
}

/* smaller tolerances cost more and bring more */
static void test_work(void **state)
{
    (void)state;
    static const char *const exact[] = {"x = exp(-time)"};
    dd_study_options o = dd_study_options_default();
    o.kind = DD_STUDY_WORK;
    o.methods = "rk4,dopri54,radau";
    o.tols = "1e-3:0.01:4";
    o.steps = "0.1:0.5:4";
    o.exact = exact;
    o.n_exact = 1;
    study_case c = study_make("model M Real x(start = 1, fixed = true); equation der(x) = -x; end M;", NULL, &o);
    const dd_study *s = c.study;
    assert_int_equal(dd_study_row_count(s, DD_STUDY_POINTS), 12);
    for (uint32_t i = 1; i < 12; i++) {
        if (i % 4 != 0) {
            assert_true(dd_study_number(s, DD_STUDY_POINTS, i, 4) < dd_study_number(s, DD_STUDY_POINTS, i - 1, 4));
            assert_true(dd_study_number(s, DD_STUDY_POINTS, i, 5) > dd_study_number(s, DD_STUDY_POINTS, i - 1, 5));
        }
    }
    /* four evaluations a step, and one at the start for the first row */
    assert_true(fabs(study_value(s, DD_STUDY_POINTS, "rk4", NULL, "evaluations") - 40) <= 2);
    study_end(&c);
}

/* Chebyshev zeros: the sum of cot((2k - 1) pi/4n)/n exactly (Rivlin); extrema, odd degree: the same as the zeros of one
 * degree less (Ehlich and Zeller); equispaced: published values */
static void test_lebesgue(void **state)
{
    (void)state;
    dd_study_options o = dd_study_options_default();
    o.kind = DD_STUDY_NODES;
    o.methods = "equispaced,chebyshev,chebyshev-lobatto";
    o.degrees = "4,5,10,20";
    study_case c = study_make(NULL, NULL, &o);
    const dd_study *s = c.study;
    const double degrees[] = {4, 5, 10, 20}, equispaced[] = {2.20782, 3.10630, 29.90, 10986.5};
    for (uint32_t i = 0; i < 4; i++) {
        double sum = 0;
        const double n = degrees[i] + 1;
        for (int k = 1; k <= n; k++) {
            sum += 1 / tan((2 * k - 1) * M_PI / (4 * n)) / n;
        }
        assert_near(dd_study_number(s, DD_STUDY_POINTS, i, 3), equispaced[i], 1e-4 * equispaced[i]);
        assert_near(dd_study_number(s, DD_STUDY_POINTS, 4 + i, 3), sum, 1e-9);
    }
    assert_near(dd_study_number(s, DD_STUDY_POINTS, 9, 3), dd_study_number(s, DD_STUDY_POINTS, 4, 3), 1e-9);
    study_end(&c);
}

/* interpolation of degree n is exact for x^n, and not for x^(n+1), where the error is known: 2^-n at Chebyshev zeros */
static void test_interpolation(void **state)
{
    (void)state;
    dd_study_options o = dd_study_options_default();
    o.kind = DD_STUDY_NODES;
    o.methods = "equispaced,chebyshev,gauss";
    o.function = "x^6";
    o.degrees = "5,6";
    study_case c = study_make(NULL, NULL, &o);
    for (uint32_t i = 0; i < 3; i++) {
        assert_true(dd_study_number(c.study, DD_STUDY_POINTS, 2 * i + 1, 2) < 1e-14);
    }
    assert_near(dd_study_number(c.study, DD_STUDY_POINTS, 2, 2), pow(2, -5), 1e-12);
    study_end(&c);
}

/* inverse of A of Radau IIA: 2 +- i sqrt(2) for two stages; three stages have the real one 3.6378342527444957 (Hairer and
 * Wanner, volume II, IV.8) */
static void test_spectra(void **state)
{
    (void)state;
    dd_study_options o = dd_study_options_default();
    o.kind = DD_STUDY_SPECTRA;
    o.methods = "radau-2,radau-3,rk4";
    study_case c = study_make(NULL, NULL, &o);
    const dd_study *s = c.study;
    assert_int_equal(dd_study_row_count(s, DD_STUDY_POINTS), 5);
    assert_near(dd_study_number(s, DD_STUDY_POINTS, 0, 1), 2, 1e-13);
    assert_near(fabs(dd_study_number(s, DD_STUDY_POINTS, 0, 2)), sqrt(2), 1e-13);
    double real = NAN;
    for (uint32_t i = 2; i < 5; i++) {
        real = dd_study_number(s, DD_STUDY_POINTS, i, 2) == 0 ? dd_study_number(s, DD_STUDY_POINTS, i, 1) : real;
    }
    assert_near(real, 3.6378342527444957, 1e-12);
    assert_int_equal(dd_study_get_info(s).failed, 1); /* A of rk4 is singular */
    study_end(&c);
}

static void test_regions(void **state)
{
    (void)state;
    dd_study_options o = dd_study_options_default();
    o.kind = DD_STUDY_REGIONS;
    o.methods = "euler,rk4,radau-2,bdf-3";
    study_case c = study_make(NULL, NULL, &o);
    const dd_study *s = c.study;
    assert_near(study_value(s, DD_STUDY_POINTS, "euler", NULL, "real"), -2, 1e-9);
    assert_near(study_value(s, DD_STUDY_POINTS, "rk4", NULL, "real"), -2.785293563405282, 1e-6);
    assert_near(study_value(s, DD_STUDY_POINTS, "rk4", NULL, "imaginary"), 2 * sqrt(2), 1e-6);
    assert_near(study_value(s, DD_STUDY_POINTS, "radau-2", NULL, "angle"), 90, 0);
    assert_near(study_value(s, DD_STUDY_POINTS, "bdf-3", NULL, "angle"), 86.03, 0.01);
    study_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_drift),   cmocka_unit_test(test_local),         cmocka_unit_test(test_local_constraint),
        cmocka_unit_test(test_work),    cmocka_unit_test(test_lebesgue),      cmocka_unit_test(test_spectra),
        cmocka_unit_test(test_regions), cmocka_unit_test(test_interpolation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
