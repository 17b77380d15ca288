/* CSV: what is written reads back bit by bit; quoting as RFC 4180 asks; wrong files are told. */
#include <float.h>
#include <locale.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "result/csv.h"
#include "unit/base/support.h"

static char path[] = "/tmp/daedal-csv-XXXXXX";

static int make_file(void **state)
{
    (void)state;
    strcpy(path + strlen(path) - 6, "XXXXXX");
    const int fd = mkstemp(path);
    return fd < 0 ? -1 : close(fd);
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

static const char *const names[] = {"time", "A[1,2]", "a \"quoted\" name", "'x,y'", "plain", "two\nlines"};
enum { COLUMNS = 6, ROWS = 2000 };

/* numbers of all sizes, without a pattern */
static double value_at(uint32_t row, uint32_t column)
{
    static const double special[] = {0.0,          -0.0, DBL_MAX, -DBL_MAX, DBL_MIN,
                                     DBL_TRUE_MIN, 0.1,  1.0 / 3, 1e22,     123456789};
    if (row < sizeof special / sizeof *special) {
        return special[row];
    }
    return sin(row * 7.0 + column) * pow(10, fmod(row * 13.0 + column * 5.0, 600) - 300);
}

static void write_table(dd_context *ctx)
{
    dd_csv_writer *w;
    assert_int_equal(dd_csv_open(&w, ctx, path), DD_OK);
    for (uint32_t c = 0; c < COLUMNS; c++) {
        dd_csv_name(w, names[c]);
    }
    dd_csv_end_record(w);
    for (uint32_t r = 0; r < ROWS; r++) {
        for (uint32_t c = 0; c < COLUMNS; c++) {
            dd_csv_number(w, value_at(r, c));
        }
        dd_csv_end_record(w);
    }
    assert_int_equal(dd_csv_close(w), DD_OK);
}

static void read_table(dd_context *ctx)
{
    dd_pool *pool = dd_pool_new(ctx);
    char *text;
    size_t length;
    assert_int_equal(dd_file_read(pool, path, 1 << 24, &text, &length), DD_OK);
    dd_csv_reader r = dd_csv_reader_new(pool, text, length);
    assert_true(dd_csv_next(&r));
    assert_int_equal(r.count, COLUMNS);
    for (uint32_t c = 0; c < COLUMNS; c++) {
        assert_string_equal(r.field[c], names[c]);
    }
    for (uint32_t row = 0; row < ROWS; row++) {
        assert_true(dd_csv_next(&r));
        assert_int_equal(r.count, COLUMNS);
        assert_int_equal(r.line, row + 3); /* the header takes two lines */
        for (uint32_t c = 0; c < COLUMNS; c++) {
            double value;
            const double expected = value_at(row, c);
            assert_true(dd_csv_read_number(r.field[c], &value));
            assert_memory_equal(&value, &expected, sizeof value);
        }
    }
    assert_false(dd_csv_next(&r));
    assert_null(r.problem);
    dd_pool_free(pool);
}

static void test_round_trip(void **state)
{
    (void)state;
    dd_context *ctx = new_context();
    write_table(ctx);
    read_table(ctx);
    dd_context_free(ctx);
}

/* a locale with a decimal comma changes nothing (skipped where none is installed) */
static void test_locale(void **state)
{
    (void)state;
    static const char *const locales[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "it_IT.UTF-8", "ps_AF.UTF-8"};
    bool found = false;
    for (size_t i = 0; i < 4 && !found; i++) {
        found = setlocale(LC_ALL, locales[i]) != NULL;
    }
    if (!found) {
        skip();
    }
    dd_context *ctx = new_context();
    write_table(ctx);
    read_table(ctx);
    dd_context_free(ctx);
    setlocale(LC_ALL, "C");
}

static void test_quoting(void **state)
{
    (void)state;
    dd_context *ctx = new_context();
    dd_csv_writer *w;
    assert_int_equal(dd_csv_open(&w, ctx, path), DD_OK);
    for (uint32_t c = 0; c < COLUMNS; c++) {
        dd_csv_name(w, names[c]);
    }
    dd_csv_end_record(w);
    dd_csv_number(w, 0.1);
    dd_csv_number(w, 2);
    dd_csv_end_record(w);
    assert_int_equal(dd_csv_close(w), DD_OK);
    dd_pool *pool = dd_pool_new(ctx);
    char *text;
    size_t length;
    assert_int_equal(dd_file_read(pool, path, 1000, &text, &length), DD_OK);
    assert_string_equal(text, "time,\"A[1,2]\",\"a \"\"quoted\"\" name\",\"'x,y'\",plain,\"two\nlines\"\n"
                              "0.10000000000000001,2\n");
    dd_pool_free(pool);
    dd_context_free(ctx);
}

static dd_csv_reader reader(dd_pool *pool, const char *text)
{
    return dd_csv_reader_new(pool, dd_pool_strdup(pool, text), strlen(text));
}

static void test_reading(void **state)
{
    (void)state;
    dd_context *ctx = new_context();
    dd_pool *pool = dd_pool_new(ctx);
    /* byte order mark, all kinds of line ends, empty fields and lines, no end of the last line */
    dd_csv_reader r = reader(pool, "\xEF\xBB\xBF"
                                   "a,,\"\"\r\n\r\n\"b \"\"c\"\"\",d\r,\n\ne");
    assert_true(dd_csv_next(&r));
    assert_int_equal(r.count, 3);
    assert_string_equal(r.field[0], "a");
    assert_string_equal(r.field[1], "");
    assert_string_equal(r.field[2], "");
    assert_true(dd_csv_next(&r));
    assert_int_equal(r.line, 3);
    assert_int_equal(r.count, 2);
    assert_string_equal(r.field[0], "b \"c\"");
    assert_string_equal(r.field[1], "d");
    assert_true(dd_csv_next(&r));
    assert_int_equal(r.count, 2);
    assert_string_equal(r.field[1], "");
    assert_true(dd_csv_next(&r));
    assert_int_equal(r.count, 1);
    assert_string_equal(r.field[0], "e");
    assert_int_equal(r.line, 6);
    assert_false(dd_csv_next(&r));
    assert_false(dd_csv_next(&r));
    assert_null(r.problem);

    static const char *const wrong[] = {"\"a", "a,\"b", "\"a\"b", "\"a\" ,b", "\"", "\"\"\""};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        r = reader(pool, wrong[i]);
        assert_false(dd_csv_next(&r));
        assert_non_null(r.problem);
        assert_false(dd_csv_next(&r));
    }
    static const char *const empty[] = {"", "\n", "\r\n\r\n", "\xEF\xBB\xBF"};
    for (size_t i = 0; i < sizeof empty / sizeof *empty; i++) {
        r = reader(pool, empty[i]);
        assert_false(dd_csv_next(&r));
        assert_null(r.problem);
    }
    dd_pool_free(pool);
    dd_context_free(ctx);
}

static void test_numbers(void **state)
{
    (void)state;
    double v;
    assert_true(dd_csv_read_number(" -1.5e3\t", &v) && v == -1500);
    assert_true(dd_csv_read_number("+.5", &v) && v == 0.5);
    static const char *const wrong[] = {"", " ", "x", "1x", "1 2", "nan", "inf", "1e400", "0x10", "1,5", "--1", "1e"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_false(dd_csv_read_number(wrong[i], &v));
    }
}

static void test_failures(void **state)
{
    (void)state;
    dd_context *ctx = new_context();
    dd_csv_writer *w;
    assert_int_equal(dd_csv_open(&w, ctx, "/nonexistent/a.csv"), DD_IO);
    assert_null(w);
    /* what is given up leaves the old file */
    assert_int_equal(dd_file_write(ctx, path, "old", 3), DD_OK);
    assert_int_equal(dd_csv_open(&w, ctx, path), DD_OK);
    dd_csv_name(w, "time");
    dd_csv_abandon(w);
    dd_pool *pool = dd_pool_new(ctx);
    char *text;
    size_t length;
    assert_int_equal(dd_file_read(pool, path, 1000, &text, &length), DD_OK);
    assert_string_equal(text, "old");
    if (access("/dev/full", W_OK) == 0) {
        assert_int_equal(dd_csv_open(&w, ctx, "/dev/full"), DD_OK);
        for (int i = 0; i < 100000; i++) {
            dd_csv_number(w, i);
        }
        assert_int_equal(dd_csv_close(w), DD_IO);
    }
    assert_int_equal(dd_csv_close(NULL), DD_OK);
    dd_csv_abandon(NULL);
    dd_pool_free(pool);
    dd_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_round_trip, make_file, remove_file),
        cmocka_unit_test_setup_teardown(test_locale, make_file, remove_file),
        cmocka_unit_test_setup_teardown(test_quoting, make_file, remove_file),
        cmocka_unit_test(test_reading),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test_setup_teardown(test_failures, make_file, remove_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
