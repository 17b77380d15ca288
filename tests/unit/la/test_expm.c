/* e^A against closed forms: diagonal, rotation, nilpotent and defective matrices, large norms; e^A e^-A = I. */
#include "la/expm.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "daedal/context.h"

static dd_context *new_context(void)
{
    dd_context *ctx;
    assert_int_equal(dd_context_new(&ctx, NULL), DD_OK);
    return ctx;
}

static void closed_forms(void **state)
{
    (void)state;
    dd_context *ctx = new_context();
    double e[9];
    const double diagonal[4] = {-30, 0, 0, 2};
    assert_int_equal(dd_expm(ctx, 2, diagonal, e), DD_OK);
    assert_true(fabs(e[0] / exp(-30.0) - 1) < 1e-13 && fabs(e[3] / exp(2.0) - 1) < 1e-14);
    assert_true(e[1] == 0 && e[2] == 0);
    /* a rotation by 1 and by 100 (several squarings) */
    for (double angle = 1; angle < 200; angle *= 100) {
        const double rotation[4] = {0, angle, -angle, 0};
        assert_int_equal(dd_expm(ctx, 2, rotation, e), DD_OK);
        assert_true(fabs(e[0] - cos(angle)) < 2e-14 * angle && fabs(e[1] - sin(angle)) < 2e-14 * angle);
    }
    /* nilpotent: I + N + N^2/2 exactly */
    const double nilpotent[9] = {0, 0, 0, 2, 0, 0, 0, 3, 0};
    assert_int_equal(dd_expm(ctx, 3, nilpotent, e), DD_OK);
    assert_true(fabs(e[3] - 2) < 1e-15 && fabs(e[7] - 3) < 1e-15 && fabs(e[6] - 3) < 2e-15 && fabs(e[0] - 1) < 1e-15);
    /* a Jordan block: e^l [1 1; 0 1] */
    const double jordan[4] = {1.5, 0, 1, 1.5};
    assert_int_equal(dd_expm(ctx, 2, jordan, e), DD_OK);
    assert_true(fabs(e[0] - exp(1.5)) < 1e-14 && fabs(e[2] - exp(1.5)) < 1e-14 && fabs(e[1]) < 1e-15);
    dd_context_free(ctx);
}

static void inverse(void **state)
{
    (void)state;
    enum { N = 12 };
    dd_context *ctx = new_context();
    double a[N * N], e[N * N], inv[N * N];
    uint32_t seed = 1;
    for (int k = 0; k < N * N; k++) {
        seed = seed * 1664525u + 1013904223u;
        a[k] = (double)seed / 4294967296.0 - 0.5;
    }
    assert_int_equal(dd_expm(ctx, N, a, e), DD_OK);
    for (int k = 0; k < N * N; k++) {
        a[k] = -a[k];
    }
    assert_int_equal(dd_expm(ctx, N, a, inv), DD_OK);
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            double sum = 0;
            for (int k = 0; k < N; k++) {
                sum += e[k * N + i] * inv[j * N + k];
            }
            assert_true(fabs(sum - (i == j)) < 1e-13);
        }
    }
    dd_context_free(ctx);
}

static void refusals(void **state)
{
    (void)state;
    dd_context *ctx = new_context();
    double e[1], bad[1] = {NAN}, huge[1] = {800};
    assert_int_equal(dd_expm(ctx, 0, NULL, NULL), DD_OK);
    assert_int_equal(dd_expm(ctx, 1, bad, e), DD_INVALID_ARGUMENT);
    assert_int_equal(dd_expm(ctx, 1, huge, e), DD_NUMERIC);
    dd_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(closed_forms), cmocka_unit_test(inverse),
                                       cmocka_unit_test(refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
