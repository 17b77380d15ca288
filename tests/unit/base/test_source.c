/* Places in texts, and messages shown with the line and a caret. */
#include "unit/base/support.h"

#include <string.h>

#include "base/source.h"

typedef struct {
    dd_context *ctx;
    const char *text;
    size_t length;
    uint32_t file;
} adding;

static void add_body(void *arg)
{
    adding *a = arg;
    a->file = dd_source_add(a->ctx, "m.mo", a->text, a->length);
}

static uint32_t add_text(dd_context *ctx, const char *text, size_t length)
{
    adding a = {ctx, text, length, 0};
    assert_int_equal(dd_protect(ctx, add_body, &a), DD_OK);
    return a.file;
}

typedef struct {
    dd_context *ctx;
    dd_span span;
    dd_severity severity;
    const char *message;
} reporting;

static void report_body(void *arg)
{
    reporting *r = arg;
    dd_report(r->ctx, r->severity, r->span, "%s", r->message);
}

static void report(dd_context *ctx, dd_severity severity, dd_span span, const char *message)
{
    reporting r = {ctx, span, severity, message};
    assert_int_equal(dd_protect(ctx, report_body, &r), DD_OK);
}

static void expect_place(const dd_context *ctx, uint32_t file, uint32_t offset, uint32_t line, uint32_t column)
{
    const dd_span span = {file, offset, offset};
    assert_int_equal(dd_span_line(ctx, span), line);
    assert_int_equal(dd_span_column(ctx, span), column);
}

static void test_lines_and_columns(void **state)
{
    (void)state;
    dd_context *ctx = new_context();
    const char text[] = "ab\ncd\r\n\re\xc3\xa9z\xe2\x82\xacq\n";
    const uint32_t file = add_text(ctx, text, sizeof text - 1);
    assert_int_equal(file, 1);
    expect_place(ctx, file, 0, 1, 1);
    expect_place(ctx, file, 2, 1, 3);
    expect_place(ctx, file, 3, 2, 1);
    expect_place(ctx, file, 5, 2, 3);
    expect_place(ctx, file, 7, 3, 1); /* a lone CR ends a line too */
    expect_place(ctx, file, 8, 4, 1);
    expect_place(ctx, file, 9, 4, 2);
    expect_place(ctx, file, 11, 4, 3);
    expect_place(ctx, file, 12, 4, 4);
    expect_place(ctx, file, 15, 4, 5);
    expect_place(ctx, file, 17, 5, 1);      /* the end of the text */
    expect_place(ctx, file, 1000000, 5, 1); /* past the end is taken as the end */
    expect_place(ctx, 0, 3, 0, 0);
    expect_place(ctx, 9, 3, 0, 0);
    assert_string_equal(dd_source_name(ctx, file), "m.mo");
    assert_string_equal(dd_source_name(ctx, 0), "");
    size_t length;
    assert_memory_equal(dd_source_text(ctx, file, &length), text, sizeof text);
    assert_int_equal(length, sizeof text - 1);

    const uint32_t marked = add_text(ctx, "\xef\xbb\xbfx\ny", 6);
    expect_place(ctx, marked, 0, 1, 1);
    expect_place(ctx, marked, 3, 1, 1);
    expect_place(ctx, marked, 5, 2, 1);
    const uint32_t empty = add_text(ctx, "", 0);
    expect_place(ctx, empty, 0, 1, 1);
    dd_context_free(ctx);
}

/* columns by the table of every 256th byte equal those counted from the line's begin */
static void test_long_line_columns(void **state)
{
    (void)state;
    enum { N = 30000 };
    static char text[N];
    for (size_t i = 0; i < N; i++) {
        text[i] = i % 7 == 3 ? '\xc3' : i % 7 == 4 ? '\xa9' : 'a';
    }
    text[100] = '\n';
    dd_context *ctx = new_context();
    const uint32_t file = add_text(ctx, text, N);
    uint32_t column = 1;
    for (uint32_t i = 101; i < N; i++) {
        if (((unsigned char)text[i] & 0xc0) != 0x80) {
            expect_place(ctx, file, i, 2, column);
            column++;
        }
    }
    dd_context_free(ctx);
}

static void test_join(void **state)
{
    (void)state;
    const dd_span a = {1, 5, 9}, b = {1, 12, 15}, other = {2, 1, 2};
    assert_int_equal(dd_span_join(a, b).begin, 5);
    assert_int_equal(dd_span_join(a, b).end, 15);
    assert_int_equal(dd_span_join(DD_NO_SPAN, b).begin, 12);
    assert_int_equal(dd_span_join(a, DD_NO_SPAN).end, 9);
    assert_int_equal(dd_span_join(a, other).end, 9);
}

static void expect_shown(const char *text, size_t length, uint32_t begin, uint32_t end, const char *expected)
{
    dd_context *ctx = new_context();
    const uint32_t file = add_text(ctx, text, length);
    report(ctx, DD_SEVERITY_ERROR, (dd_span){file, begin, end}, "bad");
    char shown[2000];
    const size_t n = dd_context_format_diagnostic(ctx, 0, shown, sizeof shown);
    assert_string_equal(shown, expected);
    assert_int_equal(n, strlen(expected));
    /* every cut is terminated and a beginning of the whole */
    for (size_t size = 0; size <= n + 1; size++) {
        char cut[2000];
        memset(cut, '#', sizeof cut);
        assert_int_equal(dd_context_format_diagnostic(ctx, 0, cut, size), n);
        if (size > 0) {
            assert_int_equal(strlen(cut), size - 1);
            assert_memory_equal(cut, shown, size - 1);
        }
        assert_int_equal(cut[size], '#');
    }
    dd_context_free(ctx);
}

static void test_carets(void **state)
{
    (void)state;
    expect_shown("x = lamda;\n", 11, 4, 9, "m.mo:1:5: error: bad\n 1 | x = lamda;\n   |     ^~~~~\n");
    expect_shown("a\r\nbc\r\nd", 8, 3, 5, "m.mo:2:1: error: bad\n 2 | bc\n   | ^~\n");
    expect_shown("\tx\ty", 4, 3, 4, "m.mo:1:4: error: bad\n 1 |     x   y\n   |         ^\n");
    expect_shown("\xc3\xa9\xc3\xa9 = q", 8, 7, 8, "m.mo:1:6: error: bad\n 1 | \xc3\xa9\xc3\xa9 = q\n   |      ^\n");
    expect_shown("\xe4\xb8\xad = q", 7, 6, 7, "m.mo:1:5: error: bad\n 1 | \xe4\xb8\xad = q\n   |      ^\n");
    /* the end of the text, an empty text, a span over several lines, a place past the end */
    expect_shown("ab", 2, 2, 2, "m.mo:1:3: error: bad\n 1 | ab\n   |   ^\n");
    expect_shown("", 0, 0, 0, "m.mo:1:1: error: bad\n 1 | \n   | ^\n");
    expect_shown("abc\ndef\n", 8, 1, 6, "m.mo:1:2: error: bad\n 1 | abc\n   |  ^~\n");
    expect_shown("ab\n", 3, 50, 60, "m.mo:2:1: error: bad\n 2 | \n   | ^\n");
    /* control characters and broken bytes never reach the terminal */
    expect_shown("a\033[2Jb\xff", 7, 5, 6, "m.mo:1:6: error: bad\n 1 | a\xef\xbf\xbd[2Jb\xef\xbf\xbd\n   |      ^\n");
}

static void test_long_line_is_cut(void **state)
{
    (void)state;
    enum { N = 1000000 };
    static char text[N];
    memset(text, 'a', N);
    text[500000] = 'X';
    dd_context *ctx = new_context();
    const uint32_t file = add_text(ctx, text, N);
    report(ctx, DD_SEVERITY_ERROR, (dd_span){file, 500000, 500001}, "bad");
    report(ctx, DD_SEVERITY_ERROR, (dd_span){file, 500000, 900000}, "bad");
    char shown[2000];
    assert_true(dd_context_format_diagnostic(ctx, 0, shown, sizeof shown) < 300);
    assert_non_null(strstr(shown, "m.mo:1:500001: error"));
    const char *line = strstr(shown, "| ..."), *caret = strchr(shown, '^');
    assert_non_null(line);
    assert_non_null(caret);
    assert_non_null(strstr(line, "aaa...\n"));
    /* the caret stands below the X */
    const char *second = strchr(line, '\n') + 1;
    assert_int_equal(strchr(line, 'X') - (line - 3), caret - second);
    assert_true(dd_context_format_diagnostic(ctx, 1, shown, sizeof shown) < 400);
    dd_context_free(ctx);
}

static void test_diagnostics(void **state)
{
    (void)state;
    dd_context *ctx = new_context();
    const uint32_t file = add_text(ctx, "ab\ncd ef\n", 9);
    report(ctx, DD_SEVERITY_WARNING, (dd_span){file, 6, 8}, "first");
    report(ctx, DD_SEVERITY_ERROR, DD_NO_SPAN, "second");
    assert_int_equal(dd_context_diagnostic_count(ctx), 2);
    assert_int_equal(dd_context_error_count(ctx), 1);
    dd_diagnostic d = dd_context_diagnostic(ctx, 0);
    assert_int_equal(d.severity, DD_SEVERITY_WARNING);
    assert_string_equal(d.file, "m.mo");
    assert_int_equal(d.line, 2);
    assert_int_equal(d.column, 4);
    assert_int_equal(d.end_column, 6);
    assert_string_equal(d.message, "first");
    d = dd_context_diagnostic(ctx, 1);
    assert_string_equal(d.file, "");
    assert_int_equal(d.line, 0);
    char shown[100];
    dd_context_format_diagnostic(ctx, 1, shown, sizeof shown);
    assert_string_equal(shown, "error: second\n");
    assert_string_equal(dd_context_diagnostic(ctx, 2).message, "");
    assert_int_equal(dd_context_format_diagnostic(ctx, 2, shown, sizeof shown), 0);
    const size_t before = dd_context_memory(ctx);
    dd_context_clear_diagnostics(ctx);
    assert_true(dd_context_memory(ctx) < before);
    assert_int_equal(dd_context_diagnostic_count(ctx), 0);
    assert_int_equal(dd_context_error_count(ctx), 0);
    dd_context_free(ctx);
}

static void test_most_errors(void **state)
{
    (void)state;
    dd_context *ctx = new_context();
    report(ctx, DD_SEVERITY_NOTE, DD_NO_SPAN, "a note of its own");
    for (int i = 0; i < 1000; i++) {
        report(ctx, DD_SEVERITY_ERROR, DD_NO_SPAN, "e");
        report(ctx, DD_SEVERITY_NOTE, DD_NO_SPAN, "belongs to it");
    }
    assert_int_equal(dd_context_diagnostic_count(ctx), 201);
    assert_int_equal(dd_context_error_count(ctx), 1000);
    report(ctx, DD_SEVERITY_WARNING, DD_NO_SPAN, "w");
    assert_int_equal(dd_context_diagnostic_count(ctx), 202);
    dd_context_free(ctx);
}

static void sweep_body(void *arg)
{
    dd_pool *pool = arg;
    dd_context *ctx = dd_pool_context(pool);
    for (int i = 0; i < 12; i++) {
        const uint32_t file = dd_source_add(ctx, "name", "line\nl\xc3\xa9ne\n", 11);
        dd_error(ctx, ((dd_span){file, 6, 9}), "%0*d", 300, i);
    }
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    assert_true(sweep_failures(sweep_body) > 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines_and_columns),
        cmocka_unit_test(test_long_line_columns),
        cmocka_unit_test(test_join),
        cmocka_unit_test(test_carets),
        cmocka_unit_test(test_long_line_is_cut),
        cmocka_unit_test(test_diagnostics),
        cmocka_unit_test(test_most_errors),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
