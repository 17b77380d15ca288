/* test_ratio.c - rational arithmetic against 128-bit integers, and the sorting routines. */
#include "dag_support.h"

#include "expr/ratio.h"
#include "expr/sort.h"

/* A random 64-bit integer of random length, so that some operations overflow and some do not. */
static int64_t random_integer(void)
{
    int64_t a = (int64_t)(random_bits() >> (1 + random_below(62)));
    return random_below(2) == 0 ? a : -a;
}

static dd_ratio random_ratio(void)
{
    int64_t den = random_integer();
    return dd_ratio_of(random_integer(), den == 0 ? 1 : den);
}

static __int128 gcd128(__int128 a, __int128 b)
{
    while (b != 0) {
        __int128 r = a % b;
        a = b;
        b = r;
    }
    return a < 0 ? -a : a;
}

static bool is_exactly(dd_ratio r, __int128 num, __int128 den)
{
    __int128 g = gcd128(num, den);
    return r.num == num / g && r.den == den / g;
}

static bool is_short(dd_ratio a)
{
    return llabs(a.num) < INT64_C(1) << 30 && a.den < INT64_C(1) << 30;
}

static void test_arithmetic(void **state)
{
    (void)state;
    uint32_t exact = 0, inexact = 0;
    for (int round = 0; round < 100000; round++) {
        dd_ratio a = random_ratio(), b = random_ratio(), sum = dd_ratio_add(a, b), product = dd_ratio_mul(a, b);
        __int128 den = (__int128)a.den * b.den, x = (__int128)a.num * b.den, y = (__int128)b.num * a.den;
        assert_true(a.den > 0 && b.den > 0);
        if (is_short(a) && is_short(b)) { /* no overflow on the way */
            assert_true(is_exactly(product, (__int128)a.num * b.num, den) && is_exactly(sum, x + y, den));
            assert_int_equal(dd_ratio_compare(a, b), (x > y) - (x < y));
            exact++;
        }
        inexact += product.den == 0;
        assert_true(close_to(sum.value, a.value + b.value, fabs(a.value), 1e-15));
        assert_true(close_to(product.value, a.value * b.value, 0, 1e-15));
        dd_ratio whole = dd_ratio_floor(a);
        assert_true(whole.value <= a.value && a.value < whole.value + 1 + 1e-6 * fabs(a.value));
    }
    assert_true(exact > 1000 && inexact > 1000);
}

static void test_powers(void **state)
{
    (void)state;
    for (int round = 0; round < 20000; round++) {
        dd_ratio a = dd_ratio_of((int64_t)random_below(41) - 20, 1 + random_below(20)), r;
        dd_ratio k = dd_ratio_of((int64_t)random_below(31) - 15, random_below(3) == 0 ? 2 : 1);
        double expected = pow(a.value, k.value);
        if (dd_ratio_power(a, k, &r)) {
            assert_true(close_to(r.value, expected, 0, 1e-13));
        } else {
            assert_true(!isfinite(expected) || a.num == 0);
        }
    }
}

/* Every double comes back with the same value, whether it was taken as exact or not. */
static void test_doubles(void **state)
{
    (void)state;
    for (int round = 0; round < 100000; round++) {
        uint64_t bits = random_bits();
        double v;
        memcpy(&v, &bits, sizeof v);
        if (round % 2 == 0) {
            v = rint(random_between(-1e6, 1e6)) / pow(10, random_below(8));
        }
        if (isfinite(v)) {
            dd_ratio r = dd_ratio_from_double(v);
            assert_true(r.value == v);
            assert_true(round % 2 == 1 || r.den != 0);
        }
    }
}

/* A decimal of up to 15 digits is exact, however many zeros it ends with. */
static void test_decimals(void **state)
{
    (void)state;
    for (int round = 0; round < 100000; round++) {
        const int64_t m = 1 + (int64_t)(random_bits() % (uint64_t)pow(10, 1 + random_below(15)));
        int64_t den = 1;
        for (uint32_t k = random_below(19); k > 0; k--) {
            den *= 10;
        }
        const dd_ratio r = dd_ratio_from_double((double)m / (double)den), minus = dd_ratio_neg(r);
        if (m < INT64_C(1000000000000000)) {
            assert_true(is_exactly(r, m, den));
            assert_true(is_exactly(dd_ratio_mul(dd_ratio_of(1, 1), r), m, den));
            assert_true(dd_ratio_from_double(-(double)m / (double)den).num == minus.num);
        }
    }
    /* sixteen digits are not a decimal that somebody wrote */
    assert_int_equal(dd_ratio_from_double(0.1234567890123457).den, 0);
    assert_int_equal(dd_ratio_from_double(1.0 / 3).den, 0);
}

static void check_sort(const uint32_t *in, uint32_t n)
{
    static uint32_t a[5000];
    static uint64_t b[5000];
    uint64_t sum = 0, sum_after = 0;
    for (uint32_t i = 0; i < n; i++) {
        a[i] = in[i];
        b[i] = (uint64_t)in[i] << 32 | i;
        sum += in[i];
    }
    dd_sort_u32(a, n);
    dd_sort_u64(b, n);
    for (uint32_t i = 0; i < n; i++) {
        sum_after += a[i];
        assert_true(i == 0 || (a[i - 1] <= a[i] && b[i - 1] < b[i]));
        assert_int_equal(b[i] >> 32, a[i]);
    }
    assert_true(sum == sum_after);
}

static void test_sorting(void **state)
{
    (void)state;
    static uint32_t a[5000];
    for (int round = 0; round < 600; round++) {
        uint32_t n = random_below(round < 300 ? 100 : 5000);
        for (uint32_t i = 0; i < n; i++) {
            switch (round % 6) {
            case 0:
                a[i] = (uint32_t)random_bits();
                break;
            case 1:
                a[i] = i;
                break;
            case 2:
                a[i] = n - i;
                break;
            case 3:
                a[i] = random_below(4);
                break;
            case 4:
                a[i] = i < n / 2 ? i : n - i;
                break;
            default:
                a[i] = i % 2 == 0 ? i : UINT32_MAX - i;
                break;
            }
        }
        check_sort(a, n);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arithmetic), cmocka_unit_test(test_powers),  cmocka_unit_test(test_doubles),
        cmocka_unit_test(test_decimals),   cmocka_unit_test(test_sorting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
