/* test_errors.c - wrong texts of every kind: always a status with a message, never a crash, never more than 100
 * messages. The wording and the places are in tests/corpus/errors. */
#include <dirent.h>
#include <stdlib.h>

#include "lang_kit.h"

#include "base/file.h"

#ifndef DD_SOURCE_DIR
#define DD_SOURCE_DIR "."
#endif

static void test_several_in_one_run(void **state)
{
    (void)state;
    kit k = kit_load("model M\n  Real x\n  Real y;\nequation\n  x = ;\n  pre(x) = 1;\n  y == 2;\nend N;\n");
    kit_expect_error(&k, 0, 2, 9, "missing `;`");
    kit_expect_error(&k, 1, 5, 7, "expected an expression, found `;`");
    kit_expect_error(&k, 2, 6, 3, "`pre` is not supported yet");
    kit_expect_error(&k, 3, 7, 3, "one `=`");
    kit_expect_error(&k, 4, 8, 5, "`end N` does not fit");
    assert_int_equal(dd_context_diagnostic_count(k.ctx), 5);
    assert_non_null(strstr(dd_context_message(k.ctx), "5 errors"));
    kit_close(&k);
}

static void test_columns_are_characters(void **state)
{
    (void)state;
    kit k = kit_load("model M\n  Real x = 1 /* \xC3\xA4\xC3\xB6 */ + unknown;\nend M;\n");
    kit_expect_error(&k, 0, 2, 25, "unknown is not declared");
    kit_close(&k);
}

/* 10^5 wrong equations: 100 messages, all counted. */
static void test_many_errors(void **state)
{
    (void)state;
    const size_t n = 100000;
    const char line[] = "  x = ;\n";
    char *text = malloc(n * sizeof line + 100), *at = text;
    at += sprintf(at, "model M\n  Real x;\nequation\n");
    for (size_t i = 0; i < n; i++) {
        at = stpcpy(at, line);
    }
    strcpy(at, "end M;\n");
    kit k = kit_load(text);
    assert_int_equal(k.status, DD_INVALID_MODEL);
    assert_int_equal(dd_context_diagnostic_count(k.ctx), 100);
    assert_int_equal(dd_context_error_count(k.ctx), n);
    kit_close(&k);
    free(text);
}

/* The same mistake in a loop is one message, and an unknown name is reported once. */
static void test_once_per_cause(void **state)
{
    (void)state;
    kit k =
        kit_load("model M\n  Real x[10];\nequation\n  for i in 1:10 loop\n    x[i] = x[i + 20];\n  end for;\nend M;\n");
    kit_expect_error(&k, 0, 5, 14, "subscript 21 is out of range: x has size 10");
    assert_int_equal(dd_context_error_count(k.ctx), 1);
    kit_close(&k);
    k = kit_load("model M\n  Real x, y, z;\nequation\n  x = foo;\n  y = foo + foo;\n  z = foo;\nend M;\n");
    kit_expect_error(&k, 0, 4, 7, "foo is not declared");
    assert_int_equal(dd_context_error_count(k.ctx), 1);
    kit_close(&k);
}

/* What depends on something wrong says nothing more. */
static void test_no_consequences(void **state)
{
    (void)state;
    kit k = kit_load("model M\n  parameter Integer n = k;\n  parameter Real a[n] = zeros(n), b = a[1];\n  Real "
                     "x[n](start = a), y = x[1] + b;\n"
                     "equation\n  for i in 1:n loop\n    der(x[i]) = a[i];\n  end for;\nend M;\n");
    kit_expect_error(&k, 0, 2, 25, "k is not declared");
    assert_int_equal(dd_context_error_count(k.ctx), 1);
    kit_close(&k);
}

static void test_binary(void **state)
{
    (void)state;
    char bytes[4096];
    uint64_t seed = 7;
    for (size_t i = 0; i < sizeof bytes; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        bytes[i] = (char)(seed >> 56);
    }
    kit k = kit_open(bytes, sizeof bytes);
    kit_run(&k);
    assert_int_equal(k.status, DD_INVALID_MODEL);
    assert_int_equal(dd_context_error_count(k.ctx), 1);
    assert_non_null(strstr(dd_context_diagnostic(k.ctx, 0).message, "UTF-8 text"));
    kit_close(&k);
}

static void test_no_text(void **state)
{
    (void)state;
    kit k = kit_load("");
    kit_expect_error(&k, 0, 1, 1, "there is no model here");
    kit_close(&k);
}

/* ---- damaged texts ---- */

typedef struct file_job {
    dd_pool *pool;
    const char *path;
    char *text;
    size_t length;
} file_job;

static void read_file(void *arg)
{
    file_job *job = arg;
    assert_int_equal(dd_file_read(job->pool, job->path, 1 << 20, &job->text, &job->length), DD_OK);
}

static void load_damaged(const char *text, size_t length)
{
    dd_context_options options = dd_context_options_default();
    options.max_memory = (size_t)200 << 20;
    kit k = {.text = text, .length = length};
    assert_int_equal(dd_context_new(&k.ctx, &options), DD_OK);
    k.pool = dd_pool_new(k.ctx);
    kit_run(&k);
    if (k.status == DD_INVALID_MODEL) {
        assert_true(dd_context_error_count(k.ctx) > 0);
    } else {
        assert_true(k.status == DD_OK || k.status == DD_LIMIT || k.status == DD_OUT_OF_MEMORY);
    }
    assert_true(dd_context_diagnostic_count(k.ctx) <= 200);
    kit_close(&k);
}

/* Cuts, drops, swaps and replaces pieces of a text, always the same ones. */
static void damage_file(const char *path, uint64_t *seed)
{
    static const char *const pieces[] = {
        "end", ";", "(",  ")",   "equation", "model",        "for i in",   "[", "]", "{", "if",   "=",
        "\"",  "'", "/*", "1e9", "der(",     "optimization", "constraint", ",", ".", "x", "then", "loop"};
    kit k = kit_open("", 0);
    file_job job = {.pool = k.pool, .path = path};
    assert_int_equal(dd_protect(k.ctx, read_file, &job), DD_OK);
    char *text = malloc(job.length + 64);
    for (int round = 0; round < 24; round++) {
        *seed = *seed * 6364136223846793005u + 1442695040888963407u;
        size_t at = (size_t)(*seed >> 33) % (job.length + 1), n = job.length;
        memcpy(text, job.text, n);
        if (round % 3 == 0) {
            n = at; /* cut */
        } else if (round % 3 == 1) {
            size_t drop = (size_t)(*seed >> 20) % 12;
            drop = at + drop > n ? n - at : drop;
            memmove(text + at, text + at + drop, n - at - drop);
            n -= drop;
        } else {
            const char *piece = pieces[(*seed >> 17) % (sizeof pieces / sizeof pieces[0])];
            memmove(text + at + strlen(piece), text + at, n - at);
            memcpy(text + at, piece, strlen(piece));
            n += strlen(piece);
        }
        load_damaged(text, n);
    }
    free(text);
    kit_close(&k);
}

static void damage_folder(const char *folder)
{
    struct dirent **entries;
    uint64_t seed = 12345;
    int n = scandir(folder, &entries, NULL, alphasort);
    assert_true(n > 2);
    for (int i = 0; i < n; i++) {
        if (entries[i]->d_name[0] != '.' && strcmp(entries[i]->d_name, "loop_limit.mo") != 0) {
            char path[1024];
            snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
            damage_file(path, &seed);
        }
        free(entries[i]);
    }
    free(entries);
}

static void test_damaged_texts(void **state)
{
    (void)state;
    damage_folder(DD_SOURCE_DIR "/tests/corpus/parse");
    damage_folder(DD_SOURCE_DIR "/tests/corpus/errors");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_several_in_one_run),
        cmocka_unit_test(test_columns_are_characters),
        cmocka_unit_test(test_many_errors),
        cmocka_unit_test(test_once_per_cause),
        cmocka_unit_test(test_no_consequences),
        cmocka_unit_test(test_binary),
        cmocka_unit_test(test_no_text),
        cmocka_unit_test(test_damaged_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
