/* Strings, interned names, "did you mean", JSON. */
#include "unit/base/support.h"

#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "base/json.h"
#include "base/text.h"
#include "base/utf8.h"

static void protect(void (*body)(void *))
{
    dd_context *ctx = new_context();
    const size_t before = dd_context_memory(ctx);
    dd_pool *pool = dd_pool_new(ctx);
    assert_int_equal(dd_protect(ctx, body, pool), DD_OK);
    dd_pool_free(pool);
    assert_int_equal(dd_context_memory(ctx), before);
    dd_context_free(ctx);
}

static void text_body(void *arg)
{
    dd_pool *pool = arg;
    dd_text t = dd_text_new(pool);
    assert_string_equal(dd_text_str(&t), "");
    dd_text_add(&t, "ab");
    dd_text_add_char(&t, 'c');
    dd_text_add_n(&t, "defg", 2);
    dd_text_printf(&t, "%d%g", 42, 0.5);
    assert_string_equal(dd_text_str(&t), "abcde420.5");
    dd_text_clear(&t);
    assert_string_equal(dd_text_str(&t), "");
    for (int i = 0; i < 1000; i++) {
        dd_text_printf(&t, "%0400d", i);
    }
    assert_int_equal(t.len, 400000);
    assert_memory_equal(t.data + 399997, "999", 4);
}

static void names_body(void *arg)
{
    dd_pool *pool = arg;
    dd_names *names = dd_names_new(pool);
    char text[32];
    for (uint32_t i = 1; i <= 20000; i++) {
        const int n = snprintf(text, sizeof text, "x[%u]", i);
        assert_int_equal(dd_names_find(names, text, (size_t)n), 0);
        assert_int_equal(dd_names_intern(names, text, (size_t)n), i);
    }
    for (uint32_t i = 1; i <= 20000; i++) {
        const int n = snprintf(text, sizeof text, "x[%u]", i);
        assert_int_equal(dd_names_intern(names, text, (size_t)n), i);
        assert_int_equal(dd_names_find(names, text, (size_t)n), i);
        assert_string_equal(dd_names_get(names, i), text);
    }
    assert_int_equal(dd_names_count(names), 20000);
    assert_string_equal(dd_names_get(names, 0), "");
    assert_string_equal(dd_names_get(names, 20001), "");
    const uint32_t prefix = dd_names_intern(names, "abc", 2);
    assert_string_equal(dd_names_get(names, prefix), "ab");
    assert_int_not_equal(dd_names_intern(names, "", 0), 0);
}

static void test_text(void **state)
{
    (void)state;
    protect(text_body);
}

static void test_names(void **state)
{
    (void)state;
    protect(names_body);
}

static void expect_closest(const char *name, const char *expected)
{
    static const char *const names[] = {"lambda", "velocity", "position", "x", "p", "mass", "Length", "der"};
    const char *found = dd_closest_name(name, names, sizeof names / sizeof *names);
    if (expected) {
        assert_non_null(found);
        assert_string_equal(found, expected);
    } else {
        assert_null(found);
    }
}

static void test_closest(void **state)
{
    (void)state;
    expect_closest("lamda", "lambda");
    expect_closest("lambad", "lambda");
    expect_closest("vleocty", "velocity");
    expect_closest("positoin", "position");
    expect_closest("length", "Length");
    expect_closest("masss", "mass");
    expect_closest("dre", "der");
    expect_closest("X", "x");
    expect_closest("xx", "x");
    expect_closest("q", NULL);
    expect_closest("acceleration", NULL);
    expect_closest("", NULL);
    assert_null(dd_closest_name("x", NULL, 0));
    char big[300];
    memset(big, 'x', 299);
    big[299] = '\0';
    expect_closest(big, NULL);
    const char *const ties[] = {"ab1", "ab2"};
    assert_string_equal(dd_closest_name("ab3", ties, 2), "ab1");
}

static void json_body(void *arg)
{
    dd_pool *pool = arg;
    dd_text t = dd_text_new(pool);
    dd_json j = dd_json_new(&t);
    dd_json_begin_object(&j);
    dd_json_key(&j, "a\"b");
    dd_json_string(&j, "tab\t line\n quote\" back\\ bell\a del\x7f caf\xc3\xa9");
    dd_json_key(&j, "list");
    dd_json_begin_array(&j);
    dd_json_number(&j, 0.1);
    dd_json_number(&j, NAN);
    dd_json_number(&j, -INFINITY);
    dd_json_int(&j, INT64_MIN);
    dd_json_bool(&j, true);
    dd_json_bool(&j, false);
    dd_json_null(&j);
    dd_json_begin_array(&j);
    dd_json_end_array(&j);
    dd_json_begin_object(&j);
    dd_json_end_object(&j);
    dd_json_end_array(&j);
    dd_json_key(&j, "bad");
    dd_json_string(&j, "\xff\xc0\xaf\xed\xa0\x80\xe2\x82|");
    dd_json_end_object(&j);
    assert_string_equal(dd_text_str(&t),
                        "{\"a\\\"b\":\"tab\\t line\\n quote\\\" back\\\\ bell\\u0007 del\\u007f caf\xc3\xa9\","
                        "\"list\":[0.1,null,null,-9223372036854775808,true,false,null,[],{}],"
                        "\"bad\":\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"
                        "\xef\xbf\xbd\xef\xbf\xbd|\"}");
    assert_int_equal(j.depth, 0);
}

static void test_json(void **state)
{
    (void)state;
    protect(json_body);
}

/* every code point encodes and decodes; every broken or cut sequence is refused */
static void test_utf8(void **state)
{
    (void)state;
    for (uint32_t code = 0; code <= 0x10ffff; code++) {
        char s[4];
        size_t n;
        if (code < 0x80) {
            s[0] = (char)code;
            n = 1;
        } else if (code < 0x800) {
            s[0] = (char)(0xc0 | code >> 6);
            n = 2;
        } else if (code < 0x10000) {
            s[0] = (char)(0xe0 | code >> 12);
            n = 3;
        } else {
            s[0] = (char)(0xf0 | code >> 18);
            n = 4;
        }
        for (size_t i = 1; i < n; i++) {
            s[i] = (char)(0x80 | (code >> 6 * (n - 1 - i) & 0x3f));
        }
        uint32_t found;
        const bool surrogate = code >= 0xd800 && code <= 0xdfff;
        const size_t used = dd_utf8_decode(s, n, &found);
        if (used != (surrogate ? 1 : n) || found != (surrogate ? UINT32_MAX : code)) {
            fail_msg("code point %x", code);
        }
        if (n > 1 && (dd_utf8_decode(s, n - 1, &found) != 1 || found != UINT32_MAX)) {
            fail_msg("cut code point %x", code);
        }
    }
    uint32_t code;
    assert_int_equal(dd_utf8_decode("\xf4\x90\x80\x80", 4, &code), 1); /* above U+10FFFF */
    assert_int_equal(code, UINT32_MAX);
    assert_int_equal(dd_utf8_decode("\xe0\x80\x80", 3, &code), 1); /* overlong */
    assert_int_equal(code, UINT32_MAX);
    assert_int_equal(dd_utf8_width(0x4e2d), 2);
    assert_int_equal(dd_utf8_width(0x0301), 0);
    assert_int_equal(dd_utf8_width('a'), 1);
}

static void sweep_body(void *arg)
{
    dd_pool *pool = arg;
    dd_text t = dd_text_new(pool);
    dd_names *names = dd_names_new(pool);
    dd_json j = dd_json_new(&t);
    dd_json_begin_array(&j);
    for (int i = 0; i < 300; i++) {
        char name[32];
        const int n = snprintf(name, sizeof name, "name%d", i);
        const uint32_t id = dd_names_intern(names, name, (size_t)n);
        dd_json_string(&j, dd_names_get(names, id));
        dd_json_number(&j, i / 7.0);
    }
    dd_json_end_array(&j);
    dd_text_printf(&t, "%20000s", "x");
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    assert_true(sweep_failures(sweep_body) > 15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text), cmocka_unit_test(test_names), cmocka_unit_test(test_closest),
        cmocka_unit_test(test_json), cmocka_unit_test(test_utf8),  cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
