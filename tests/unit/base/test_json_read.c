/* The JSON reader: trees, places, every kind of mistake, limits, memory. */
#include "base/json_read.h"

#include <string.h>

#include "base/json.h"
#include "support.h"

typedef struct {
    const char *text;
    size_t length;
    dd_pool *pool;
    dd_json_value *root;
} call;

static void read_body(void *arg)
{
    call *c = arg;
    dd_context *ctx = dd_pool_context(c->pool);
    c->root = dd_json_read(c->pool, dd_source_add(ctx, "t.json", c->text, c->length));
}

static dd_json_value *read_text(dd_pool *pool, const char *text, size_t length)
{
    call c = {.text = text, .length = length, .pool = pool};
    assert_int_equal(dd_protect(dd_pool_context(pool), read_body, &c), DD_OK);
    return c.root;
}

/* writes a tree back, so that structure and texts can be compared at once */
static void write_back(dd_json *j, const dd_json_value *v, int depth)
{
    assert_true(depth < 20);
    if (v->key) {
        dd_json_key(j, v->key);
    }
    switch (v->kind) {
    case DD_JSON_NULL:
        dd_json_null(j);
        break;
    case DD_JSON_BOOL:
        dd_json_bool(j, v->boolean);
        break;
    case DD_JSON_NUMBER:
        dd_json_number(j, strtod(v->text, NULL));
        break;
    case DD_JSON_STRING:
        dd_json_string(j, v->text);
        break;
    default:
        v->kind == DD_JSON_ARRAY ? dd_json_begin_array(j) : dd_json_begin_object(j);
        uint32_t count = 0;
        for (const dd_json_value *e = v->first; e; e = e->next) {
            write_back(j, e, depth + 1);
            count++;
        }
        assert_int_equal(count, v->count);
        v->kind == DD_JSON_ARRAY ? dd_json_end_array(j) : dd_json_end_object(j);
    }
}

static void test_values(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"null", "null"},
        {" \t\r\n true ", "true"},
        {"[]", "[]"},
        {"{}", "{}"},
        {"[1, -0.5, 2.5e3, 1E-2, 0, -0]", "[1,-0.5,2500,0.01,0,-0]"},
        {"{\"a\": [true, false, {\"b\": null}], \"c\": \"x\"}", "{\"a\":[true,false,{\"b\":null}],\"c\":\"x\"}"},
        {"\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud83d\\ude00\"", "\"\\\"\\\\/\\b\\f\\n\\r\\t\xc3\xa9\xf0\x9f\x98\x80\""},
        {"\"\\ud83d!\"", "\"\xef\xbf\xbd!\""},
        {"\"\\ud83d\\u0041\"", "\"\xef\xbf\xbd"
                               "A\""},
        {"\xef\xbb\xbf[\"\xc3\xa9\xff\"]", "[\"\xc3\xa9\xef\xbf\xbd\"]"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        dd_context *ctx = new_context();
        dd_pool *pool = dd_pool_new(ctx);
        const dd_json_value *root = read_text(pool, rows[i][0], strlen(rows[i][0]));
        assert_non_null(root);
        dd_text text = dd_text_new(pool);
        dd_json j = dd_json_new(&text);
        write_back(&j, root, 0);
        assert_string_equal(dd_text_str(&text), rows[i][1]);
        dd_pool_free(pool);
        dd_context_free(ctx);
    }
}

static void test_places(void **state)
{
    (void)state;
    dd_context *ctx = new_context();
    dd_pool *pool = dd_pool_new(ctx);
    const char text[] = "{\"key\":\n  [10, \"ab\"]}";
    const dd_json_value *root = read_text(pool, text, sizeof text - 1);
    const dd_json_value *array = root->first, *number = array->first, *string = number->next;
    assert_int_equal(root->span.end, sizeof text - 1);
    assert_string_equal(array->key, "key");
    assert_int_equal(array->key_span.begin, 1);
    assert_int_equal(dd_span_line(ctx, array->span), 2);
    assert_int_equal(dd_span_column(ctx, number->span), 4);
    assert_string_equal(number->text, "10");
    assert_int_equal(string->span.end - string->span.begin, 4);
    dd_pool_free(pool);
    dd_context_free(ctx);
}

static void test_mistakes(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t line, column;
        const char *message;
    } rows[] = {
        {"", 1, 1, "this file is empty"},
        {" \n ", 2, 2, "this file is empty"},
        {"[1,", 1, 4, "the text ends before a value"},
        {"[1 2]", 1, 4, "\",\" or \"]\" is expected here"},
        {"{\"a\":1 \"b\":2}", 1, 8, "\",\" or \"}\" is expected here"},
        {"[1", 1, 1, "this bracket is never closed"},
        {"{\n\"a\":[1}", 2, 7, "\"]\" is expected here, for \"[\" in line 2"},
        {"[1,]", 1, 4, "a value is expected here: a number, a text in quotes, [ or {"},
        {"{a:1}", 1, 2, "a name in quotes is expected here"},
        {"{\"a\" 1}", 1, 6, "\":\" is missing after \"a\""},
        {"{\"a\":1,}", 1, 8, "a name in quotes is expected here"},
        {"[NaN]", 1, 2, "NaN is not a JSON value; put text in quotes"},
        {"[-Infinity]", 1, 2, "JSON writes numbers as 12, -0.5 or 1e-3"},
        {"[1/6]", 1, 2, "JSON has no fractions; put quotes around it, as in \"1/6\""},
        {"[01]", 1, 2, "JSON writes numbers as 12, -0.5 or 1e-3"},
        {"[1.]", 1, 2, "JSON writes numbers as 12, -0.5 or 1e-3"},
        {"[.5]", 1, 2, "a value is expected here: a number, a text in quotes, [ or {"},
        {"[1e]", 1, 2, "JSON writes numbers as 12, -0.5 or 1e-3"},
        {"[\"abc]", 1, 2, "this text is not closed: \" is missing at its end"},
        {"[\"abc\n\"]", 1, 2, "this text is not closed: \" is missing at its end"},
        {"[\"\\x\"]", 1, 3, "JSON has no such escape; write a backslash as \\\\"},
        {"[\"\\u12g4\"]", 1, 3, "\\u needs four hexadecimal digits that are not all 0"},
        {"[\"\\u0000\"]", 1, 3, "\\u needs four hexadecimal digits that are not all 0"},
        {"[1] 2", 1, 5, "unexpected text after the JSON value"},
        {"]", 1, 1, "a value is expected here: a number, a text in quotes, [ or {"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        dd_context *ctx = new_context();
        dd_pool *pool = dd_pool_new(ctx);
        assert_null(read_text(pool, rows[i].text, strlen(rows[i].text)));
        assert_int_equal(dd_context_error_count(ctx), 1);
        const dd_diagnostic d = dd_context_diagnostic(ctx, 0);
        assert_string_equal(d.message, rows[i].message);
        assert_int_equal(d.line, rows[i].line);
        assert_int_equal(d.column, rows[i].column);
        dd_pool_free(pool);
        dd_context_free(ctx);
    }
}

static void test_limits(void **state)
{
    (void)state;
    enum { N = 1000000 };
    static char text[N];
    static const char *const starts[] = {"[", "{\"a\":", "[[],", "\"\\u0041", "1"};
    for (size_t s = 0; s < sizeof starts / sizeof *starts; s++) {
        dd_context *ctx = new_context();
        dd_pool *pool = dd_pool_new(ctx);
        for (size_t i = 0; i < N; i++) {
            text[i] = starts[s][i % strlen(starts[s])];
        }
        const dd_json_value *root = read_text(pool, text, N);
        assert_int_equal(root != NULL, s == 4); /* a number of a million digits is one */
        assert_int_equal(dd_context_error_count(ctx), s != 4);
        dd_pool_free(pool);
        dd_context_free(ctx);
    }
    /* exactly as deep as allowed */
    dd_context *ctx = new_context();
    dd_pool *pool = dd_pool_new(ctx);
    memset(text, '[', DD_JSON_DEEPEST);
    memset(text + DD_JSON_DEEPEST, ']', DD_JSON_DEEPEST);
    assert_non_null(read_text(pool, text, 2 * DD_JSON_DEEPEST));
    assert_null(read_text(pool, "[\0]", 3));
    dd_pool_free(pool);
    dd_context_free(ctx);
}

static void read_some(void *pool)
{
    static const char text[] = "{\"a\": [1, \"two\", {\"three\": null}], \"b\": tru}";
    const uint32_t file = dd_source_add(dd_pool_context(pool), "t.json", text, sizeof text - 1);
    assert_null(dd_json_read(pool, file));
}

static void test_memory(void **state)
{
    (void)state;
    assert_true(sweep_failures(read_some) > 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_values), cmocka_unit_test(test_places),
                                       cmocka_unit_test(test_mistakes), cmocka_unit_test(test_limits),
                                       cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
