/* Tables over time: rows, jumps, values between rows, files that read back bit by bit, files that are refused. */
#include "unit/base/support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "result/table.h"

static char path[] = "/tmp/daedal-table-XXXXXX";

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

typedef struct fixture {
    dd_context *ctx;
    dd_pool *pool;
} fixture;

static fixture begin(void)
{
    fixture f;
    assert_int_equal(dd_context_new(&f.ctx, NULL), DD_OK);
    f.pool = dd_pool_new(f.ctx);
    assert_non_null(f.pool);
    return f;
}

static void end(fixture *f)
{
    dd_pool_free(f->pool);
    dd_context_free(f->ctx);
}

/* ---- rows ---- */

/* Rows keep their values while the table grows; a known number of rows is the memory that is taken. */
static void rows_grow(void **state)
{
    (void)state;
    enum { ROWS = 1000 };
    fixture f = begin();
    dd_table t = {.width = 3, .expected = ROWS};
    for (uint32_t i = 0; i < ROWS; i++) {
        assert_int_equal(dd_table_add(&t, f.ctx, i, (const double[]){sin(i), cos(i)}), DD_OK);
    }
    assert_int_equal(t.capacity, ROWS);
    for (uint32_t i = 0; i < ROWS; i++) {
        const double *row = dd_table_row(&t, i);
        assert_true(row[0] == i && row[1] == sin(i) && row[2] == cos(i));
    }
    dd_table_free(&t, f.ctx);
    end(&f);
}

static void merged_by_time(void **state)
{
    (void)state;
    fixture f = begin();
    dd_table *a = dd_table_of_pool(f.pool, 1), *b = dd_table_of_pool(f.pool, 1);
    static const double expected[] = {1, 10, 2, 20, 3, 30};
    for (uint32_t i = 0; i < 3; i++) {
        dd_table_push(a, f.pool, i, &expected[2 * i]);
        dd_table_push(b, f.pool, i < 2 ? i + 0.5 * i : 2, &expected[2 * i + 1]);
    }
    /* times 0 1 2 and 0 1.5 2: of equal times the first table's row comes first */
    const dd_table *all = dd_table_merge(a, b, f.pool);
    assert_int_equal(all->count, 6);
    for (uint32_t i = 0; i < 6; i++) {
        assert_true(dd_table_row(all, i)[1] == expected[i]);
        assert_true(i == 0 || dd_table_time(all, i) >= dd_table_time(all, i - 1));
    }
    end(&f);
}

/* ---- between rows ---- */

static double at(const dd_table *t, double time, bool left)
{
    return dd_table_value(t, dd_table_find(t, time, time, !left), 0);
}

/* Linear between rows, held outside, both limits at a jump. */
static void values_between_rows(void **state)
{
    (void)state;
    fixture f = begin();
    dd_table *t = dd_table_of_pool(f.pool, 1);
    static const double rows[][2] = {{0, 1}, {1, 3}, {1, 7}, {1, -5}, {3, 0}};
    for (uint32_t i = 0; i < 5; i++) {
        dd_table_push(t, f.pool, rows[i][0], &rows[i][1]);
    }
    assert_true(at(t, -1, false) == 1 && at(t, -1, true) == 1);
    assert_true(at(t, 0, false) == 1 && at(t, 0, true) == 1);
    assert_true(at(t, 0.25, false) == 1.5 && at(t, 0.25, true) == 1.5);
    assert_true(at(t, 1, true) == 3 && at(t, 1, false) == -5);
    assert_true(at(t, 2, false) == -2.5);
    assert_true(at(t, 3, true) == 0 && at(t, 3, false) == 0 && at(t, 9, false) == 0);
    /* an edge beside the time: rows within rounding belong to it */
    assert_true(dd_table_value(t, dd_table_find(t, 1 - 1e-14, 1 - 1e-14 + 1e-12, true), 0) == -5);
    assert_true(fabs(dd_table_value(t, dd_table_find(t, 1 + 1e-14, 1 + 1e-14 - 1e-12, true), 0) - 3) < 1e-12);
    end(&f);
}

/* ---- files ---- */

static const char *blank_name(void *user, uint32_t field)
{
    (void)user;
    static const char *const names[] = {"time", "a[1,2]", "b"};
    return names[field];
}

static const double *blank_row(void *user, uint64_t i, const bool **blank)
{
    double *row = user;
    static const bool second[] = {false, true, false};
    row[0] = (double)i / 3, row[1] = 7, row[2] = exp((double)i);
    *blank = i % 2 == 1 ? second : NULL;
    return row;
}

/* Rows made on demand, with empty fields, read back bit by bit. */
static void written_and_read(void **state)
{
    (void)state;
    enum { ROWS = 600 };
    fixture f = begin();
    double row[3];
    const dd_table_rows rows = {.user = row, .count = ROWS, .fields = 3, .name = blank_name, .row = blank_row};
    assert_int_equal(dd_table_write(f.ctx, path, &rows), DD_OK);
    dd_table_reader r;
    assert_int_equal(dd_table_open(&r, path, f.pool), DD_OK);
    assert_true(dd_table_header(&r) && dd_table_require_time(&r));
    assert_int_equal(r.fields, 3);
    assert_int_equal(r.time, 0);
    const uint32_t chosen[] = {dd_table_field(&r, "b"), dd_table_field(&r, "a[1,2]")};
    assert_int_equal(dd_table_field(&r, "c"), UINT32_MAX);
    dd_table_choose(&r, chosen, 2);
    r.blanks = true;
    dd_table *t = dd_table_of_pool(f.pool, 2);
    assert_true(dd_table_read(&r, t, f.pool));
    assert_int_equal(t->count, ROWS);
    for (uint32_t i = 0; i < ROWS; i++) {
        const double *got = dd_table_row(t, i);
        assert_true(got[0] == (double)i / 3 && got[1] == exp(i) && (i % 2 == 1 ? isnan(got[2]) : got[2] == 7));
    }
    /* a stored table writes the same file again */
    static const dd_table_column columns[] = {{"b", "m"}, {"a", ""}};
    t->columns = columns;
    const dd_table_rows stored = dd_table_stored_rows(t);
    assert_int_equal(stored.count, ROWS);
    assert_string_equal(stored.name(stored.user, 0), "time");
    assert_string_equal(stored.name(stored.user, 2), "a");
    end(&f);
}

static const char *problem_of(fixture *f, const char *text, bool blanks, uint32_t *line)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
    dd_table_reader r;
    assert_int_equal(dd_table_open(&r, path, f->pool), DD_OK);
    if (dd_table_header(&r) && dd_table_require_time(&r)) {
        const uint32_t field = dd_table_field(&r, "u");
        dd_table_choose(&r, &field, 1);
        r.blanks = blanks;
        assert_true(dd_table_read(&r, dd_table_of_pool(f->pool, 1), f->pool) == (r.problem == NULL));
    }
    *line = r.csv.line;
    return r.problem;
}

static void wrong_files(void **state)
{
    (void)state;
    static const struct {
        const char *text, *problem;
        bool blanks;
        uint32_t line;
    } cases[] = {
        {"", "the file is empty", false, 1},
        {"t,u\n0,1\n", "no column is named `time`", false, 1},
        {"u,time\n1,0\n1\n", "1 fields, but the header has 2", false, 3},
        {"u,time\n1,0\n2,x\n", "`x` in field 2 is not a finite number", false, 3},
        {"u,time\n,0\n", "`` in field 1 is not a finite number", false, 2},
        {"u,time\n1,\n", "`` in field 2 is not a finite number", true, 2},
        {"u,time\n1,1\n\n1,0\n", "time goes backwards", true, 4},
        {"u,time\n1,\"1\n", "a quoted field has no closing quote", false, 2},
        {"u,time,rest\n1,0,anything\n1,0,\n 2 , 1 ,\"\"\n", NULL, false, 5},
        {"u,time\n,0\n1,1\n", NULL, true, 4},
    };
    fixture f = begin();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t line = 0;
        const char *problem = problem_of(&f, cases[i].text, cases[i].blanks, &line);
        assert_true((problem == NULL) == (cases[i].problem == NULL));
        assert_true(problem == NULL || strcmp(problem, cases[i].problem) == 0);
        assert_int_equal(line, cases[i].line);
    }
    dd_table_reader r;
    assert_int_equal(dd_table_open(&r, "/nonexistent/table.csv", f.pool), DD_IO);
    end(&f);
}

/* For people a motion that came to rest is at 0; a small quantity is not. */
static void rounded_values(void **state)
{
    (void)state;
    fixture f = begin();
    dd_table *t = dd_table_of_pool(f.pool, 2);
    dd_table_push(t, f.pool, 0, (double[]){-0.5, 1.6e-19});
    dd_table_push(t, f.pool, 1, (double[]){-2e-22, 1.5e-19});
    assert_true(dd_table_rounded(t, 0, -2e-22) == 0);
    assert_true(dd_table_rounded(t, 1, 1.5e-19) == 1.5e-19);
    assert_true(isnan(dd_table_rounded(t, 0, NAN)));
    end(&f);
}

static void digits(void **state)
{
    (void)state;
    assert_true(dd_rounded_digits(2459.3, 2) == 2500);
    assert_true(dd_rounded_digits(-0.045678, 3) == -0.0457);
    assert_true(dd_rounded_digits(9.96, 2) == 10);
    assert_true(dd_rounded_digits(1e-300, 2) == 1e-300);
    assert_true(dd_rounded_digits(3e-310, 2) == 3e-310);
    assert_true(dd_rounded_digits(0, 2) == 0);
    assert_true(isinf(dd_rounded_digits(INFINITY, 2)) && isnan(dd_rounded_digits(NAN, 2)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_grow),
                                       cmocka_unit_test(merged_by_time),
                                       cmocka_unit_test(values_between_rows),
                                       cmocka_unit_test(rounded_values),
                                       cmocka_unit_test(digits),
                                       cmocka_unit_test_setup_teardown(written_and_read, make_file, remove_file),
                                       cmocka_unit_test_setup_teardown(wrong_files, make_file, remove_file)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
