/* Tableau files: what is read, what is refused and in which words. */
#include "methods/tableau_file.h"

#include "tableau_kit.h"

static dd_status read_text(dd_tableau **out, dd_context *ctx, const char *text)
{
    return dd_tableau_read_text(out, ctx, "dir/t.json", text, strlen(text));
}

static void test_good_ones(void **state)
{
    (void)state;
    static const struct {
        const char *text, *name;
        uint32_t stages, order, embedded;
        dd_tableau_structure structure;
    } rows[] = {
        {"{\"A\":[[0]],\"b\":[1]}", "t.json", 1, 1, 0, DD_TABLEAU_EXPLICIT},
        {"{\"name\":\"mine\",\"A\":[[0,0],[\"2/3\",0]],\"b\":[\"1/4\",\"3/4\"],\"c\":[0,\"2/3\"],\"bhat\":[1,0]}",
         "mine", 2, 2, 1, DD_TABLEAU_EXPLICIT},
        {"{\"A\":[[\"1/4\",\"1/4-sqrt(3)/6\"],[\"1/4+sqrt(3)/6\",0.25]],\"b\":[0.5,5e-1],\"comment\":\"Gauss\"}",
         "t.json", 2, 4, 0, DD_TABLEAU_IMPLICIT},
        /* 16 digits count as rounded */
        {"{\"A\":[[0.25,-0.03867513459481287],[0.5386751345948129,0.25]],\"b\":[0.5,0.5]}", "t.json", 2, 4, 0,
         DD_TABLEAU_IMPLICIT},
        /* 6 digits are taken as they are, so it is no method of order 4 */
        {"{\"A\":[[0.25,-0.038675],[0.538675,0.25]],\"b\":[0.5,0.5]}", "t.json", 2, 2, 0, DD_TABLEAU_IMPLICIT},
        {"{\"A\":[[1]],\"b\":[2]}", "t.json", 1, 0, 0, DD_TABLEAU_DIAGONAL},
        /* what --json prints */
        {"{\"name\":\"x\",\"stages\":1,\"order\":1,\"kind\":\"explicit\",\"A\":[[0]],\"b\":[1],\"c\":[0],\"row_sums_"
         "ok\":true,"
         "\"stability\":{\"numerator\":[1,1]},\"embedded\":{\"order\":0,\"bhat\":[2]}}",
         "x", 1, 1, 0, DD_TABLEAU_EXPLICIT},
    };
    dd_context *ctx = kit_context();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        dd_tableau *t;
        if (read_text(&t, ctx, rows[i].text) != DD_OK) {
            fail_msg("%s: %s", rows[i].text, dd_context_diagnostic(ctx, 0).message);
        }
        assert_string_equal(t->name, rows[i].name);
        assert_int_equal(t->stages, rows[i].stages);
        assert_int_equal(t->order, rows[i].order);
        assert_int_equal(t->embedded_order, rows[i].embedded);
        assert_int_equal(t->structure, rows[i].structure);
        dd_tableau_free(t);
    }
    dd_context_free(ctx);
}

static void test_bad_ones(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t line, column;
        const char *message;
    } rows[] = {
        {"[1]", 1, 1, "a tableau is an object {\"A\": ..., \"b\": ...}, not an array"},
        {"{\"A\":[[0]]}", 1, 1, "the tableau has no \"b\"; a method is given by its matrix A and its weights b"},
        {"{}", 1, 1, "the tableau has no \"A\"; a method is given by its matrix A and its weights b"},
        {"{\"A\":[],\"b\":[]}", 1, 6, "A must be an array of rows, such as [[0, 0], [\"2/3\", 0]]"},
        {"{\"A\":1,\"b\":[1]}", 1, 6, "A must be an array of rows, such as [[0, 0], [\"2/3\", 0]]"},
        {"{\"A\":[0],\"b\":[1]}", 1, 7, "row 1 of A must be an array of 1 number, not a number"},
        {"{\"A\":[[0,0],\n [1]],\"b\":[1,0]}", 2, 2, "row 2 of A has 1 entry; 2 are needed, one for each stage"},
        {"{\"A\":[[0]],\"b\":[1,2]}", 1, 16, "b has 2 entries; 1 is needed, one for each stage"},
        {"{\"A\":[[0]],\"b\":[1],\"c\":0}", 1, 24, "c must be an array of 1 number, not a number"},
        {"{\"A\":[[0]],\"b\":[null]}", 1, 17,
         "b, entry 1 must be a number or a formula in quotes such as \"1/6\", not null"},
        {"{\"A\":[[0]],\"b\":[\"1//6\"]}", 1, 20, "b, entry 1: a number is missing here"},
        {"{\"A\":[[\"NaN\"]],\"b\":[1]}", 1, 9,
         "row 1 of A, entry 1: \"NaN\" is not known here; numbers, + - * / ^ and sqrt() are"},
        {"{\"A\":[[0]],\"b\":[1e400]}", 1, 17, "b, entry 1 is too large"},
        {"{\"A\":[[NaN]],\"b\":[1]}", 1, 8, "NaN is not a JSON value; put text in quotes"},
        {"{\"A\":[[0]],\"b\":[1],\"bhatt\":[1]}", 1, 20, "\"bhatt\" is not known in a tableau; did you mean \"bhat\"?"},
        {"{\"A\":[[0]],\"b\":[1],\"zzz\":[1]}", 1, 20,
         "\"zzz\" is not known in a tableau, which has A, b and, where wanted, c, bhat, name, comment"},
        {"{\"A\":[[0]],\"b\":[1],\"b\":[1]}", 1, 20, "\"b\" is given twice"},
        {"{\"A\":[[0]],\"b\":[1],\"name\":3}", 1, 27, "name must be a text in quotes"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        dd_context *ctx = kit_context();
        dd_tableau *t;
        assert_int_equal(read_text(&t, ctx, rows[i].text), DD_INVALID_MODEL);
        assert_null(t);
        const dd_diagnostic d = dd_context_diagnostic(ctx, 0);
        assert_string_equal(d.message, rows[i].message);
        assert_string_equal(d.file, "dir/t.json");
        assert_int_equal(d.line, rows[i].line);
        assert_int_equal(d.column, rows[i].column);
        dd_context_free(ctx);
    }
}

/* 64 stages are read, 65 are not; a million brackets are one message */
static void test_limits(void **state)
{
    (void)state;
    enum { SIZE = 1 << 20 };
    static char text[SIZE];
    for (uint32_t s = 64; s <= 65; s++) {
        dd_context *ctx = kit_context();
        dd_tableau *t;
        size_t n = (size_t)snprintf(text, SIZE, "{\"A\":[");
        for (uint32_t i = 0; i < s; i++) {
            n += (size_t)snprintf(text + n, SIZE - n, i == 0 ? "[" : ",[");
            for (uint32_t j = 0; j < s; j++) {
                n += (size_t)snprintf(text + n, SIZE - n, j == 0 ? "%s" : ",%s", j < i ? "\"1/64\"" : "0");
            }
            n += (size_t)snprintf(text + n, SIZE - n, "]");
        }
        n += (size_t)snprintf(text + n, SIZE - n, "],\"b\":[");
        for (uint32_t j = 0; j < s; j++) {
            n += (size_t)snprintf(text + n, SIZE - n, j == 0 ? "%s" : ",%s", "\"1/64\"");
        }
        snprintf(text + n, SIZE - n, "]}");
        assert_int_equal(read_text(&t, ctx, text), s == 64 ? DD_OK : DD_INVALID_MODEL);
        if (s == 64) {
            assert_int_equal(t->order, 1); /* 64 Euler steps */
        } else {
            assert_string_equal(dd_context_diagnostic(ctx, 0).message,
                                "A has 65 rows; methods with up to 64 stages are possible");
        }
        dd_tableau_free(t);
        dd_context_free(ctx);
    }
    dd_context *ctx = kit_context();
    dd_tableau *t;
    memset(text, '[', SIZE);
    assert_int_equal(dd_tableau_read_text(&t, ctx, "t.json", text, SIZE), DD_INVALID_MODEL);
    assert_int_equal(dd_context_error_count(ctx), 1);
    assert_int_equal(dd_tableau_read(&t, ctx, "/nonexistent/t.json"), DD_IO);
    assert_int_equal(dd_tableau_read(&t, ctx, "/"), DD_IO);
    assert_int_equal(dd_tableau_read(&t, ctx, "/dev/zero"), DD_LIMIT);
    dd_context_free(ctx);
}

static dd_status read_one(dd_context *ctx)
{
    dd_tableau *t;
    const dd_status st = read_text(&t, ctx, "{\"A\":[[0,0],[\"2/3\",0]],\"b\":[\"1/4\",\"3/4\"],\"bhat\":[1,0]}");
    dd_tableau_free(t);
    return st;
}

static dd_status read_bad(dd_context *ctx)
{
    dd_tableau *t;
    const dd_status st = read_text(&t, ctx, "{\"A\":[[0,0],[\"2/3\",0]],\"b\":[\"1/4\",\"3//4\"],\"bhatt\":[1,0]}");
    return st == DD_INVALID_MODEL ? DD_OK : st;
}

static void test_memory(void **state)
{
    (void)state;
    assert_true(kit_memory_sweep(read_one) > 5);
    assert_true(kit_memory_sweep(read_bad) > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_good_ones), cmocka_unit_test(test_bad_ones),
                                       cmocka_unit_test(test_limits), cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
