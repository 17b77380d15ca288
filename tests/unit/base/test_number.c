/* Numbers to text and back: a million random doubles, edge cases, locales. */
#include "unit/base/support.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

static uint64_t next_random(uint64_t *seed)
{
    uint64_t z = (*seed += 0x9e3779b97f4a7c15u);
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static void check_round_trip(double value)
{
    if (!isfinite(value)) {
        return;
    }
    char buffer[32];
    const char *text = dd_number_text(value, buffer);
    const char *end;
    const double back = dd_number_parse(text, &end);
    if (memcmp(&back, &value, sizeof value) != 0 || *end != '\0' || strlen(text) > 24) {
        fail_msg("%a was written as %s, read as %a", value, text, back);
    }
}

static void test_random_doubles(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int i = 0; i < 200000; i++) {
        const uint64_t bits = next_random(&seed);
        double value;
        memcpy(&value, &bits, sizeof value);
        if (i % 2 == 0) { /* every second one of everyday size, with a random number of decimals */
            value = (double)(bits >> 40) / pow(10, (double)(bits % 12));
        }
        check_round_trip(value);
    }
}

static void test_edges(void **state)
{
    (void)state;
    const double edges[] = {0.0,     -0.0,    DBL_MIN, DBL_MAX, DBL_TRUE_MIN, DBL_EPSILON, 1e15,   1e15 - 1, 1e16,
                            1e22,    1e23,    0.1,     1.0 / 3, 2.0 / 3,      1e-5,        1e-4,   123456.7, -2.5e-10,
                            9.81e-7, 4.35e17, 0x1p53,  0x1p-44, 0x1p1023,     -DBL_MAX,    1e-308, 3e-320,   0x1p-1074};
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++) {
        check_round_trip(edges[i]);
        check_round_trip(nextafter(edges[i], INFINITY));
        check_round_trip(nextafter(edges[i], -INFINITY));
    }
}

static void check_text(double value, const char *expected)
{
    char buffer[32];
    assert_string_equal(dd_number_text(value, buffer), expected);
}

static void test_shortest_texts(void **state)
{
    (void)state;
    check_text(0.1, "0.1");
    check_text(9.81, "9.81");
    check_text(1e-7, "1e-7");
    check_text(1e100, "1e100");
    check_text(1e22, "1e22");
    check_text(-1.5e-300, "-1.5e-300");
    check_text(5e-324, "5e-324");
    check_text(100000, "100000");
    check_text(-42, "-42");
    check_text(0, "0");
    check_text(-0.0, "-0");
    check_text(0.3, "0.3");
    check_text(0.1 + 0.2, "0.30000000000000004");
    check_text(2.0 / 3, "0.6666666666666666");
    check_text(NAN, "nan");
    check_text(INFINITY, "inf");
    check_text(-INFINITY, "-inf");
}

static void check_parse(const char *text, double expected, size_t length)
{
    const char *end;
    const double value = dd_number_parse(text, &end);
    assert_memory_equal(&value, &expected, sizeof value);
    assert_int_equal(end - text, length);
}

static void test_parse(void **state)
{
    (void)state;
    check_parse("1.5+x", 1.5, 3);
    check_parse("1e5", 1e5, 3);
    check_parse("1e", 1, 1);
    check_parse("1e+", 1, 1);
    check_parse("1E-3.5", 1e-3, 4);
    check_parse(".5", 0.5, 2);
    check_parse("5.", 5, 2);
    check_parse(".", 0, 0);
    check_parse("-2", -2, 2);
    check_parse("0x10", 0, 1);
    check_parse("-0x10", -0.0, 2);
    check_parse("nan", 0, 0);
    check_parse("inf", 0, 0);
    check_parse(" 1", 0, 0);
    check_parse("", 0, 0);
    check_parse("e5", 0, 0);
    check_parse("1,5", 1, 1);
    check_parse("1e999", INFINITY, 5);
}

/* Decimal commas must not reach any text. The test needs such a locale; without one it is skipped. */
static void test_locale(void **state)
{
    (void)state;
    static const char *const locales[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE", "ru_RU.UTF-8"};
    bool found = false;
    for (size_t i = 0; !found && i < sizeof locales / sizeof *locales; i++) {
        found = setlocale(LC_ALL, locales[i]) != NULL;
    }
    if (!found) {
        skip();
    }
    char comma[16];
    snprintf(comma, sizeof comma, "%g", 0.5);
    assert_string_equal(comma, "0,5");
    test_shortest_texts(NULL);
    test_parse(NULL);
    dd_context *ctx = new_context();
    dd_fail(ctx, DD_LIMIT, "%g", 0.5);
    assert_string_equal(dd_context_message(ctx), "0.5");
    dd_context_free(ctx);
    setlocale(LC_ALL, "C");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_doubles), cmocka_unit_test(test_edges),  cmocka_unit_test(test_shortest_texts),
        cmocka_unit_test(test_parse),          cmocka_unit_test(test_locale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
