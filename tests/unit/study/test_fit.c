/* test_fit.c - orders from made-up errors, whose order is known. */
#include "unit/study/kit.h"

#include "study/study_impl.h"

enum { N = 8 };

static void fill_steps(double *h)
{
    for (int i = 0; i < N; i++) {
        h[i] = 0.1 * pow(0.5, i);
    }
}

static const double *fill_floor(double *floor, double value)
{
    for (int i = 0; i < N; i++) {
        floor[i] = value;
    }
    return floor;
}

static void test_pure_power(void **state)
{
    (void)state;
    double h[N], e[N];
    double floor[N];
    dd_point_use use[N];
    fill_steps(h);
    for (int i = 0; i < N; i++) {
        e[i] = 3 * pow(h[i], 4);
    }
    const dd_fit fit = dd_fit_order(h, e, N, fill_floor(floor, 1e-15), use);
    assert_near(fit.order, 4, 1e-12);
    assert_int_equal(fit.used, N);
    assert_true(fit.steady && fit.spread < 1e-10);
    assert_string_equal(dd_fit_verdict(&fit, 4), "as the theory");
    assert_string_equal(dd_fit_verdict(&fit, 3), "above the theory");
    assert_string_equal(dd_fit_verdict(&fit, 5), "below the theory");
    assert_string_equal(dd_fit_verdict(&fit, NAN), "measured");
}

/* errors below the floor are rounding, unless the floor is doubt about the reference */
static void test_hidden(void **state)
{
    (void)state;
    assert_false(dd_fit_is_hidden(3e-12, 1));
    assert_true(dd_fit_is_hidden(0.5, 1));
    assert_true(dd_fit_is_hidden(5e-9, 1e-6));
}

/* large steps far from the line, small ones at rounding: neither is used */
static void test_range(void **state)
{
    (void)state;
    double h[N], e[N];
    double floor[N];
    dd_point_use use[N];
    fill_steps(h);
    for (int i = 0; i < N; i++) {
        e[i] = i < 2 ? 0.5 : fmax(pow(h[i], 3), 2e-9);
    }
    const dd_fit fit = dd_fit_order(h, e, N, fill_floor(floor, 3e-9), use);
    assert_near(fit.order, 3, 1e-10);
    assert_int_equal(use[0], DD_POINT_COARSE);
    assert_int_equal(use[1], DD_POINT_COARSE);
    assert_int_equal(use[2], DD_POINT_USED);
    assert_int_equal(use[N - 1], DD_POINT_ROUNDING);
}

static void test_few_points(void **state)
{
    (void)state;
    double h[N], e[N];
    double floor[N];
    dd_point_use use[N];
    fill_steps(h);
    /* failed runs, then rounding: nothing to measure */
    for (int i = 0; i < N; i++) {
        e[i] = i < 4 ? NAN : 1e-16;
    }
    dd_fit fit = dd_fit_order(h, e, N, fill_floor(floor, 1e-15), use);
    assert_true(fit.exact && isnan(fit.order));
    assert_int_equal(use[0], DD_POINT_FAILED);
    assert_string_equal(dd_fit_verdict(&fit, 4), "rounding level");
    /* slopes that never agree */
    for (int i = 0; i < N; i++) {
        e[i] = exp(-i * i);
    }
    fit = dd_fit_order(h, e, N, fill_floor(floor, 1e-40), use);
    assert_false(fit.steady);
    assert_string_equal(dd_fit_verdict(&fit, 4), "undecided");
    /* a range that is left towards the truth, not by rounding, is none */
    const double slopes[] = {2, 2, 2, 2, 2, 3, 3.2};
    e[0] = 1e-3;
    for (int i = 1; i < N; i++) {
        e[i] = e[i - 1] * pow(0.5, slopes[i - 1]);
    }
    fit = dd_fit_order(h, e, N - 1, fill_floor(floor, 1e-30), use);
    assert_false(fit.steady);
    /* with enough steps behind it, the finer range is taken */
    fit = dd_fit_order(h, e, N, fill_floor(floor, 1e-30), use);
    assert_true(fit.steady && fabs(fit.order - 3.1) < 0.01);
    /* errors that stay, or grow: no order to be measured */
    for (int i = 0; i < N; i++) {
        e[i] = 0.153 * pow(h[i], i % 2 == 0 ? 0.01 : 0);
    }
    fit = dd_fit_order(h, e, N, fill_floor(floor, 1e-15), use);
    assert_string_equal(dd_fit_verdict(&fit, NAN), "no convergence");
    assert_string_equal(dd_fit_verdict(&fit, 0), "as the theory");
    assert_string_equal(dd_fit_verdict(&fit, 2), "below the theory");
    /* two points have a slope, but it is not a verdict */
    fit = dd_fit_order(h, (double[]){1e-2, 1e-3}, 2, fill_floor(floor, 1e-15), use);
    assert_near(fit.order, log2(10), 1e-12);
    assert_false(fit.steady);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pure_power),
        cmocka_unit_test(test_hidden),
        cmocka_unit_test(test_range),
        cmocka_unit_test(test_few_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
