/* Radau IIA for the integrator: published digits, and all identities, in 113 bits and after rounding. */
#include "integ/radau_coefficients.h"

#include "../methods/tableau_kit.h"

static dd_radau_exact exact(uint32_t s)
{
    dd_radau_exact r;
    assert_int_equal(dd_radau_exact_init(&r, s), DD_OK);
    return r;
}

/* closed forms and the digits printed in Hairer & Wanner's codes */
static void test_published(void **state)
{
    (void)state;
    const dd_quad root = dd_quad_sqrt(6);
    const dd_radau_exact r = exact(3), r5 = exact(5), r7 = exact(7);
    kit_near(r.c[0], (4 - root) / 10, 1e-33);
    kit_near(r.c[1], (4 + root) / 10, 1e-33);
    kit_near(r.A[0], (88 - 7 * root) / 360, 1e-33);
    kit_near(r.A[1], (296 - 169 * root) / 1800, 1e-33);
    kit_near(r.A[2], (-2 + 3 * root) / 225, 1e-33);
    kit_near(r.A[3], (296 + 169 * root) / 1800, 1e-33);
    kit_near(r.A[4], (88 + 7 * root) / 360, 1e-33);
    kit_near(r.A[5], (-2 - 3 * root) / 225, 1e-33);
    kit_near(r.A[6], (16 - root) / 36, 1e-33);
    kit_near(r.A[7], (16 + root) / 36, 1e-33);
    kit_near(r.A[8], (dd_quad)1 / 9, 1e-33);
    kit_near(r.e[0], (-13 - 7 * root) / 3, 1e-32);
    kit_near(r.e[1], (-13 + 7 * root) / 3, 1e-32);
    kit_near(r.e[2], (dd_quad)-1 / 3, 1e-33);
    kit_same_digits(r.gamma, "3.637834252744495732208418513578");
    kit_same_digits(r.alpha[0], "2.681082873627752133895790743211");
    kit_same_digits(r.beta[0], "3.050430199247410569426377624788");
    kit_same_digits(r.T[0], "0.091232394870892942792");
    kit_same_digits(r.T[1], "-0.14125529502095420843");
    kit_same_digits(r.T[2], "-0.030029194105147424492");
    kit_same_digits(r.T[5], "0.3829421127572619378");
    kit_same_digits(r.T[6], "0.96604818261509293619");
    kit_same_digits(r5.c[0], "0.05710419611451768219312");
    kit_same_digits(r5.gamma, "6.286704751729276645173");
    kit_same_digits(r5.alpha[0], "3.655694325463572258243");
    kit_same_digits(r5.beta[1], "3.210265600308549888425");
    kit_same_digits(r5.e[0], "-27.78093394406463730479");
    kit_same_digits(r5.e[3], "0.5920031671845428725662");
    kit_same_digits(r7.gamma, "8.936832788405216337302");
    kit_same_digits(r7.alpha[2], "8.511834825102945723051");
    kit_same_digits(r7.beta[0], "10.16969328379501162732");
    kit_same_digits(r7.e[4], "-0.6468913267673587118673");
}

/* The residual of A A^-1 = I, T T^-1 = I and A^-1 T = T Lambda, each entry relative to the terms it is summed from. */
static double worst_residual(const dd_radau_exact *r)
{
    const uint32_t s = r->s;
    double worst = 0;
    for (uint32_t i = 0; i < s; i++) {
        for (uint32_t j = 0; j < s; j++) {
            dd_quad sum[3] = {0}, size[3] = {0};
            for (uint32_t k = 0; k < s; k++) {
                const dd_quad terms[] = {r->A[i * s + k] * r->A_inverse[k * s + j],
                                         r->T[i * s + k] * r->T_inverse[k * s + j],
                                         r->A_inverse[i * s + k] * r->T[k * s + j]};
                for (uint32_t m = 0; m < 3; m++) {
                    sum[m] += terms[m];
                    size[m] += dd_quad_abs(terms[m]);
                }
            }
            const uint32_t p = j > 0 ? (j - 1) / 2 : 0;
            dd_quad right = r->gamma * r->T[i * s];
            if (j % 2 == 1) { /* column (alpha, beta) of the block */
                right = r->alpha[p] * r->T[i * s + j] + r->beta[p] * r->T[i * s + j + 1];
            } else if (j > 0) { /* column (-beta, alpha) */
                right = r->alpha[p] * r->T[i * s + j] - r->beta[p] * r->T[i * s + j - 1];
            }
            const dd_quad truth[] = {i == j, i == j, right};
            for (uint32_t m = 0; m < 3; m++) {
                worst = fmax(worst, (double)(dd_quad_abs(sum[m] - truth[m]) / size[m]));
            }
        }
    }
    return worst;
}

/* the rounded numbers, widened again: the same identities at the level of double precision */
static void widen(dd_radau_exact *r, const dd_radau_coefficients *d)
{
    for (uint32_t k = 0; k < d->s * d->s; k++) {
        r->A[k] = (dd_quad)d->A[k];
        r->A_inverse[k] = (dd_quad)d->A_inverse[k];
        r->T[k] = (dd_quad)d->T[k];
        r->T_inverse[k] = (dd_quad)d->T_inverse[k];
    }
    r->gamma = (dd_quad)d->gamma;
    for (uint32_t k = 0; k < d->pairs; k++) {
        r->alpha[k] = (dd_quad)d->alpha[k];
        r->beta[k] = (dd_quad)d->beta[k];
    }
}

static void test_identities(void **state)
{
    (void)state;
    for (uint32_t s = 1; s <= DD_RADAU_STAGES; s += 2) {
        dd_radau_exact r = exact(s);
        dd_radau_coefficients d;
        assert_int_equal(dd_radau_coefficients_init(&d, s), DD_OK);
        assert_int_equal(r.pairs, (s - 1) / 2);
        assert_true(worst_residual(&r) < 1e-30);
        for (uint32_t k = 0; k < r.pairs; k++) {
            assert_true(r.beta[k] > 0 && (k == 0 || r.alpha[k] > r.alpha[k - 1]));
            assert_true(r.T[(s - 1) * s + 2 * k + 1] == 1 && r.T[(s - 1) * s + 2 * k + 2] == 0);
        }
        widen(&r, &d);
        assert_true(worst_residual(&r) < 1e-15);
    }
    dd_radau_coefficients d;
    assert_int_equal(dd_radau_coefficients_init(&d, 2), DD_INVALID_ARGUMENT);
    assert_int_equal(dd_radau_coefficients_init(&d, 11), DD_INVALID_ARGUMENT);
    assert_int_equal(dd_radau_coefficients_init(&d, 0), DD_INVALID_ARGUMENT);
}

/* The embedded formula: weight 1/gamma at 0 and d + b at the nodes, e/gamma = d A^-1, integrates t^0, ..., t^(s-1)
 * exactly. */
static void test_error_estimate(void **state)
{
    (void)state;
    for (uint32_t s = 1; s <= DD_RADAU_STAGES; s += 2) {
        const dd_radau_exact r = exact(s);
        for (uint32_t k = 1; k <= s; k++) {
            dd_quad sum = k == 1 ? 1 / r.gamma : 0, size = 0;
            for (uint32_t j = 0; j < s; j++) {
                dd_quad weight = r.A[(s - 1) * s + j], power = 1;
                for (uint32_t i = 0; i < s; i++) {
                    weight += r.e[i] / r.gamma * r.A[i * s + j];
                }
                for (uint32_t i = 1; i < k; i++) {
                    power *= r.c[j];
                }
                sum += weight * power;
                size += dd_quad_abs(weight * power);
            }
            kit_near(sum, 1 / (dd_quad)k, 1e-30 * (double)size);
        }
    }
}

/* Every number of the table is the exact one, rounded. */
static void test_table(void **state)
{
    (void)state;
    for (uint32_t s = 1; s <= DD_RADAU_STAGES; s += 2) {
        dd_radau_coefficients computed;
        const dd_radau_coefficients *table = dd_radau_table(s);
        assert_int_equal(dd_radau_coefficients_compute(&computed, s), DD_OK);
        assert_true((table != NULL) == (s >= 3 && s <= 7));
        if (table != NULL) {
            assert_int_equal(table->s, s);
            assert_int_equal(table->pairs, computed.pairs);
            assert_memory_equal(&table->c, &computed.c, sizeof computed - offsetof(dd_radau_coefficients, c));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_table), cmocka_unit_test(test_published),
                                       cmocka_unit_test(test_identities), cmocka_unit_test(test_error_estimate)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
