/* Backward differentiation formulas: coefficients, order by polynomials, angles from the literature, roots. */
#include "methods/multistep.h"

#include "tableau_kit.h"

static void test_coefficients(void **state)
{
    (void)state;
    static const int64_t rows[6][8] = {/* numerators, then the denominator */
                                       {1, -1, 0, 0, 0, 0, 0, 1},
                                       {3, -4, 1, 0, 0, 0, 0, 2},
                                       {11, -18, 9, -2, 0, 0, 0, 6},
                                       {25, -48, 36, -16, 3, 0, 0, 12},
                                       {137, -300, 300, -200, 75, -12, 0, 60},
                                       {147, -360, 450, -400, 225, -72, 10, 60}};
    for (uint32_t m = 1; m <= DD_BDF_STEPS; m++) {
        dd_bdf bdf;
        assert_int_equal(dd_bdf_init(&bdf, m), DD_OK);
        assert_int_equal(bdf.denominator, rows[m - 1][7]);
        for (uint32_t j = 0; j <= DD_BDF_STEPS; j++) {
            assert_int_equal(bdf.numerator[j], rows[m - 1][j]);
            assert_true(bdf.alpha[j] == (double)rows[m - 1][j] / (double)rows[m - 1][7]);
        }
        /* exact for x = t^k, k <= m: sum_j alpha_j (-j)^k = k 0^(k-1), and not for k = m + 1 */
        for (uint32_t k = 0; k <= m + 1; k++) {
            int64_t sum = 0;
            for (uint32_t j = 0; j <= m; j++) {
                int64_t power = 1;
                for (uint32_t i = 0; i < k; i++) {
                    power *= -(int64_t)j;
                }
                sum += bdf.numerator[j] * power;
            }
            assert_int_equal(sum == (k == 1 ? bdf.denominator : 0), k <= m);
        }
    }
    dd_bdf bdf;
    assert_int_equal(dd_bdf_init(&bdf, 0), DD_INVALID_ARGUMENT);
    assert_int_equal(dd_bdf_init(&bdf, 7), DD_INVALID_ARGUMENT);
}

static void test_angles(void **state)
{
    (void)state;
    static const double angles[] = {90, 90, 86.03, 73.35, 51.84, 17.84}; /* Hairer & Wanner II, table V.2.1 */
    for (uint32_t m = 1; m <= DD_BDF_STEPS; m++) {
        dd_bdf bdf;
        dd_bdf_init(&bdf, m);
        assert_true(fabs(bdf.angle - angles[m - 1]) < 0.006);
    }
}

static void test_factor(void **state)
{
    (void)state;
    dd_bdf bdf;
    dd_bdf_init(&bdf, 1);
    assert_true(fabs(dd_bdf_factor(&bdf, -3, 0) - 0.25) < 1e-12);
    assert_true(dd_bdf_factor(&bdf, 1, 0) == HUGE_VAL);
    dd_bdf_init(&bdf, 2); /* (3/2 - z) w^2 - 2 w + 1/2: at z = -1/2 two equal moduli, sqrt(1/4) */
    assert_true(fabs(dd_bdf_factor(&bdf, -0.5, 0) - 0.5) < 1e-6);
    for (uint32_t m = 1; m <= DD_BDF_STEPS; m++) {
        dd_bdf_init(&bdf, m);
        /* the principal root is exp(z) up to z^(m+1) */
        assert_true(fabs(dd_bdf_factor(&bdf, 0.02, 0.01) - exp(0.02)) < pow(0.03, m + 1));
        /* inside the sector stable, on the imaginary axis above the origin not for m >= 3 */
        const double a = (bdf.angle - 1) * 0.0174532925199433;
        for (double r = 1e-2; r < 1e4; r *= 1.3) {
            assert_true(dd_bdf_factor(&bdf, -r * cos(a), r * sin(a)) < 1);
        }
        const double out = (bdf.angle + 1) * 0.0174532925199433;
        double worst = 0;
        for (double r = 1e-2; r < 1e3; r *= 1.02) {
            worst = fmax(worst, dd_bdf_factor(&bdf, -r * cos(out), r * sin(out)));
        }
        assert_true(worst > 1);
    }
}

static void test_names(void **state)
{
    (void)state;
    assert_int_equal(dd_bdf_steps("bdf-1"), 1);
    assert_int_equal(dd_bdf_steps("bdf-6"), 6);
    static const char *const wrong[] = {"bdf", "bdf-", "bdf-0", "bdf-7", "bdf-11", "bdf-2x", "", "radau-3"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(dd_bdf_steps(wrong[i]), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_coefficients), cmocka_unit_test(test_angles),
                                       cmocka_unit_test(test_factor), cmocka_unit_test(test_names)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
