/* 113-bit arithmetic against known digits and against identities. */
#include "tableau_kit.h"

static void test_functions(void **state)
{
    (void)state;
    kit_same_digits(dd_quad_sqrt(2), "1.414213562373095048801688724209698");
    kit_same_digits(dd_quad_sqrt(3), "1.732050807568877293527446341505872");
    kit_same_digits(dd_quad_pi(), "3.141592653589793238462643383279503");
    kit_same_digits(dd_quad_versine(dd_quad_pi() / 3), "0.5");
    kit_same_digits(dd_quad_versine(dd_quad_pi()), "2");
    kit_same_digits(dd_quad_versine(dd_quad_pi() / 1000), "4.93479814183388815518255129987e-6");
    assert_true(dd_quad_sqrt(0) == 0);
    assert_true(dd_quad_sqrt(-1) != dd_quad_sqrt(-1));
    for (int k = -4000; k <= 4000; k += 400) { /* far beyond the range of double */
        dd_quad a = 3;
        for (int i = 0; i < abs(k); i++) {
            a *= k < 0 ? (dd_quad)0.5 : 2;
        }
        const dd_quad r = dd_quad_sqrt(a);
        assert_true(dd_quad_abs(r * r - a) <= 4 * DD_QUAD_EPSILON * a);
    }
}

static void test_decimals(void **state)
{
    (void)state;
    const char *texts[] = {"0",
                           "1",
                           "-1.5",
                           "0.1",
                           "0.0001234",
                           "1.25e-5",
                           "123456",
                           "1e40",
                           "-2.5e-300",
                           "3.25e200",
                           "0.3333333333333333333333333333333333",
                           "9.99999999999999999999999999999999"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const char *end, *text = texts[i];
        const bool negative = *text == '-';
        uint32_t digits;
        const dd_quad value = dd_quad_parse(text + negative, &end, &digits);
        assert_int_equal(*end, '\0');
        char buffer[DD_QUAD_TEXT];
        /* large exponents cost a rounding or two, so one digit less is asked for there */
        assert_string_equal(
            dd_quad_text(negative ? -value : value, strchr(text, 'e') || *text == '9' ? 33 : 34, buffer), text);
    }
    char buffer[DD_QUAD_TEXT];
    assert_string_equal(dd_quad_text((dd_quad)999999, 3, buffer), "1e6");
    assert_string_equal(dd_quad_text((dd_quad)0.99996, 4, buffer), "1");
    assert_string_equal(dd_quad_text((dd_quad)1 / 3, 5, buffer), "0.33333");
    assert_string_equal(dd_quad_text((dd_quad)2 / 3, 5, buffer), "0.66667");
    const char *end;
    uint32_t digits;
    dd_quad_parse("0.00120300x", &end, &digits);
    assert_string_equal(end, "x");
    assert_int_equal(digits, 6);
    dd_quad_parse(".", &end, NULL);
    assert_string_equal(end, ".");
    dd_quad_parse("1e", &end, NULL);
    assert_string_equal(end, "e");
    assert_false(dd_quad_is_finite(dd_quad_parse("1e999999999", NULL, NULL)));
    assert_true(dd_quad_parse("1e-999999999", NULL, NULL) == 0);
}

/* p = prod (z - r) from its zeros, then back */
static void expand(const dd_cquad *roots, uint32_t n, dd_quad *p)
{
    dd_cquad c[DD_QUAD_MOST_ROOTS + 1] = {{1, 0}};
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = i + 1; k > 0; k--) {
            c[k] = dd_cquad_sub(k <= i ? c[k] : dd_cquad_new(0, 0), dd_cquad_mul(roots[i], c[k - 1]));
        }
    }
    for (uint32_t k = 0; k <= n; k++) {
        p[n - k] = c[k].re;
    }
}

static void test_roots(void **state)
{
    (void)state;
    const dd_cquad truth[] = {{-3, 0}, {-1, -2}, {-1, 2}, {(dd_quad)0.25, 0}, {2, -1}, {2, 1}, {5, 0}};
    const uint32_t n = sizeof truth / sizeof *truth;
    dd_quad p[8];
    dd_cquad roots[8];
    expand(truth, n, p);
    assert_true(dd_quad_roots(p, n, roots));
    for (uint32_t i = 0; i < n; i++) {
        kit_near(roots[i].re, truth[i].re, 1e-30);
        kit_near(roots[i].im, truth[i].im, 1e-30);
    }
    /* zero as a root, and a constant */
    const dd_quad shifted[] = {0, 0, -1, 1};
    assert_true(dd_quad_roots(shifted, 3, roots));
    kit_near(roots[2].re, 1, 1e-30);
    kit_near(roots[0].re * roots[0].re + roots[1].re * roots[1].re, 0, 1e-20);
    assert_true(dd_quad_roots(shifted + 3, 0, roots));
    /* z^40 = 1 */
    dd_quad unity[41] = {0};
    dd_cquad many[40];
    unity[0] = -1;
    unity[40] = 1;
    assert_true(dd_quad_roots(unity, 40, many));
    for (uint32_t i = 0; i < 40; i++) {
        kit_near(dd_cquad_norm(many[i]), 1, 1e-31);
    }
}

static void test_systems(void **state)
{
    (void)state;
    enum { N = 8 };
    dd_quad a[N * N], b[N];
    dd_cquad ca[N * N], cb[N];
    for (uint32_t i = 0; i < N; i++) { /* Hilbert's matrix and the right side of x = 1 */
        b[i] = 0;
        for (uint32_t j = 0; j < N; j++) {
            a[i * N + j] = 1 / (dd_quad)(i + j + 1);
            b[i] += a[i * N + j];
            ca[i * N + j] = dd_cquad_new(0, a[i * N + j]);
        }
        cb[i] = dd_cquad_new(b[i], 0);
    }
    assert_true(dd_quad_solve(a, b, N, 1));
    assert_true(dd_cquad_solve(ca, cb, N, 1)); /* i H x = H 1: x = -i */
    for (uint32_t i = 0; i < N; i++) {
        kit_near(b[i], 1, 1e-22); /* the condition number is 1e10 */
        kit_near(cb[i].im, -1, 1e-22);
        kit_near(cb[i].re, 0, 1e-22);
    }
    dd_quad singular[] = {1, 2, 2, 4}, right[] = {1, 2};
    assert_false(dd_quad_solve(singular, right, 2, 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_functions), cmocka_unit_test(test_decimals),
                                       cmocka_unit_test(test_roots), cmocka_unit_test(test_systems)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
