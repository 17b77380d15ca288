/* The figures of bench/ivp: envelope, interpolation, digits, the data files, and what counts as a missed claim. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/ivp/data.h"
#include "bench/ivp/summary.h"

static void near(double a, double b)
{
    if (!(fabs(a - b) <= 1e-12 * fabs(b))) {
        fail_msg("%.17g is not %.17g", a, b);
    }
}

/* Time 10^digits: the envelope is the curve itself, whatever the order, and worse runs do not matter. */
static void test_envelope(void **state)
{
    (void)state;
    ivp_curve c = {0};
    assert_true(isnan(ivp_curve_cost(&c, 1)));
    assert_true(isnan(ivp_curve_least(&c)));
    for (int d = 5; d >= 2; d--) {
        ivp_curve_add(&c, d, pow(10, d));
    }
    ivp_curve_add(&c, NAN, 1e-3); /* an end value that is not finite does not count */
    ivp_curve_add(&c, 3.5, 2e4);  /* slower than the run with 4 digits */
    ivp_curve_add(&c, 2.5, 1e3);  /* as slow as the run with 3 digits */
    near(ivp_curve_cost(&c, 2), 1e2);
    near(ivp_curve_cost(&c, 2.25), pow(10, 2.25));
    near(ivp_curve_cost(&c, 3.5), pow(10, 3.5));
    near(ivp_curve_cost(&c, 5), 1e5);
    near(ivp_curve_cost(&c, 1), 1e2); /* fewer digits than any run has */
    assert_true(isnan(ivp_curve_cost(&c, 5.01)));
    near(ivp_curve_least(&c), 1e5);
    ivp_curve_add(&c, 9, 1); /* beats all */
    near(ivp_curve_cost(&c, 3), 1);
    near(ivp_curve_cost(&c, 9), 1);
}

static void test_digits(void **state)
{
    (void)state;
    const double reference[3] = {1, -2, 0};
    const unsigned char all[3] = {1, 1, 1}, two[3] = {1, 1, 0};
    near(ivp_digits((double[]){1.002, -2, 0}, reference, all, 3, 1), 3);
    near(ivp_digits((double[]){1, -2, 1e-5}, reference, all, 3, 1e-2), 3);
    near(ivp_digits((double[]){1, -2, 5}, reference, two, 3, 1), 17);
    assert_true(isnan(ivp_digits((double[]){1, NAN, 0}, reference, all, 3, 1)));
    assert_true(isnan(ivp_digits((double[]){1, INFINITY, 0}, reference, all, 3, 1)));
}

static void test_data(void **state)
{
    (void)state;
    const char *root = getenv("DAEDAL_SOURCE");
    char path[600];
    static ivp_reference r;
    snprintf(path, sizeof path, "%s/tests/verify/ivp/reference.txt", root ? root : ".");
    assert_int_equal(ivp_read_reference(path, "jay3", &r), 0);
    assert_int_equal(r.n, 5);
    near(r.value[0], exp(2));
    near(r.value[4], exp(1));
    assert_string_equal(r.name[3], "z2");
    assert_int_equal(r.counts[3], 1);
    assert_int_equal(r.counts[4], 0);
    assert_int_equal(ivp_read_reference(path, "jay", &r), -1);
    assert_int_equal(ivp_read_reference("no such file", "jay3", &r), -1);

    ivp_curve c;
    snprintf(path, sizeof path, "%s/bench/ivp/recorded.txt", root ? root : ".");
    assert_int_equal(ivp_read_recorded(path, "roberdae", "ida-dq", &c), 0);
    assert_int_equal(c.count, 3); /* the fourth tolerance failed */
    near(c.points[0].digits, 4);
    near(c.points[0].ms, 3.78);
    assert_int_equal(ivp_read_recorded(path, "roberdae", "cvode-dq", &c), 0);
    assert_int_equal(c.count, 0);
}

/* Straight lines in log time: `ms` at 6 digits, ten times as much at 8. */
static ivp_curve line(double ms, int most)
{
    ivp_curve c = {0};
    for (int d = 4; d <= most; d++) {
        ivp_curve_add(&c, d, ms * pow(10, (d - 6) / 2.0));
    }
    return c;
}

/* Missed claims with these times at 6 digits; up to `digits` digits IDA has runs. */
static int missed(const char *problem, double daedal, double ida, double cvode, double radau5, int digits, char *text,
                  size_t size)
{
    ivp_result r = {.problem = problem, .recorded_ida = line(100, 9)};
    r.curves[IVP_IDA] = line(ida, digits);
    r.recorded_radau5 = line(radau5, 9);
    if (daedal > 0) {
        r.curves[IVP_DAEDAL] = line(daedal, 9);
    }
    if (cvode > 0) {
        r.curves[IVP_CVODE] = line(cvode, 9);
    }
    memset(text, 0, size);
    FILE *out = fmemopen(text, size, "w");
    assert_non_null(out);
    const int n = ivp_print_summary(out, &r, 1);
    fclose(out);
    return n;
}

static void test_claims(void **state)
{
    (void)state;
    char text[4000];
    /* IDA needs 10 here and 100 in the records: RADAU5's 20 there are 2 here */
    assert_int_equal(missed("orego", 1.3, 10, 12, 20, 9, text, sizeof text), 0);
    assert_non_null(strstr(text, "0.130"));                                      /* of IDA */
    assert_non_null(strstr(text, "0.650"));                                      /* of RADAU5 by way of IDA */
    assert_int_equal(missed("orego", 1.5, 10, 12, 20, 9, text, sizeof text), 1); /* 0.75 at 8 digits */
    assert_int_equal(missed("orego", 2.1, 10, 12, 20, 9, text, sizeof text), 2); /* and 1.05 at 6 */
    assert_int_equal(missed("orego", 9, 10, 8, 1e9, 9, text, sizeof text), 2);   /* slower than CVODE, twice */
    assert_non_null(strstr(text, "slower than CVODE"));
    assert_int_equal(missed("chemakzo", 1.3, 10, 0, 1e9, 9, text, sizeof text), 2); /* 1/8 is asked for */
    assert_int_equal(missed("transamp", 0.4, 10, 0, 1e9, 9, text, sizeof text), 1); /* 1/20 met, 1/50 not */
    /* IDA ends at 7 digits: a bound, nothing to miss at 8 */
    assert_int_equal(missed("transamp", 0.4, 10, 0, 1e9, 7, text, sizeof text), 0);
    assert_non_null(strstr(text, ">31.62"));
    assert_non_null(strstr(text, "<0.126"));
    assert_int_equal(missed("orego", 0, 10, 12, 1, 9, text, sizeof text), 0); /* Daedal was not there */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_envelope), cmocka_unit_test(test_digits),
                                       cmocka_unit_test(test_data), cmocka_unit_test(test_claims)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
