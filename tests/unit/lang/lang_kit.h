/* lang_kit.h - loading model texts in tests of the front end. */
#ifndef LANG_KIT_H
#define LANG_KIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "lang/lang.h"

typedef struct kit {
    dd_context *ctx;
    dd_pool *pool;
    dd_model *m; /* NULL when loading failed */
    dd_status status;
    const char *choice;
    const char *text, *class_name;
    const char *const *paths; /* of libraries */
    size_t length;
    const dd_setting *settings;
    uint32_t n_settings;
} kit;

static void kit_body(void *arg)
{
    kit *k = arg;
    dd_lang_source source = {.file = "test.mo",
                             .text = k->text,
                             .length = k->length,
                             .paths = k->paths,
                             .class_name = k->class_name,
                             .settings = k->settings,
                             .n_settings = k->n_settings};
    k->m = dd_lang_load(k->ctx, k->pool, &source, &k->choice);
}

static inline void kit_run(kit *k)
{
    k->status = dd_protect(k->ctx, kit_body, k);
    if (k->status != DD_OK) {
        k->m = NULL;
    }
}

static inline kit kit_open_with(const char *text, size_t length, const dd_context_options *options)
{
    kit k = {.text = text, .length = length};
    assert_int_equal(dd_context_new(&k.ctx, options), DD_OK);
    k.pool = dd_pool_new(k.ctx);
    return k;
}

static inline kit kit_open(const char *text, size_t length)
{
    return kit_open_with(text, length, NULL);
}

static inline kit kit_load(const char *text)
{
    kit k = kit_open(text, strlen(text));
    kit_run(&k);
    return k;
}

static inline kit kit_load_set(const char *text, const dd_setting *settings, uint32_t n)
{
    kit k = kit_open(text, strlen(text));
    k.settings = settings;
    k.n_settings = n;
    kit_run(&k);
    return k;
}

static inline void kit_close(kit *k)
{
    dd_pool_free(k->pool);
    dd_context_free(k->ctx);
}

/* Prints what was reported, for a test that is about to fail. */
static inline void kit_print(const kit *k)
{
    char text[2000];
    for (size_t i = 0; i < dd_context_diagnostic_count(k->ctx); i++) {
        dd_context_format_diagnostic(k->ctx, i, text, sizeof text);
        print_message("%s", text);
    }
}

static inline void kit_expect_ok(const kit *k)
{
    if (k->status != DD_OK) {
        kit_print(k);
    }
    assert_int_equal(k->status, DD_OK);
}

/* The load failed, and diagnostic i is at line:column and says this. */
static inline void kit_expect_error(const kit *k, size_t i, uint32_t line, uint32_t column, const char *part)
{
    assert_int_equal(k->status, DD_INVALID_MODEL);
    assert_true(i < dd_context_diagnostic_count(k->ctx));
    dd_diagnostic d = dd_context_diagnostic(k->ctx, i);
    if (d.line != line || d.column != column || strstr(d.message, part) == NULL) {
        kit_print(k);
        print_message("expected %u:%u: %s\n", line, column, part);
    }
    assert_int_equal(d.line, line);
    assert_int_equal(d.column, column);
    assert_non_null(strstr(d.message, part));
}

typedef struct kit_equation {
    const kit *k;
    const char *text;
    dd_expr *rows;
    uint32_t count;
    bool ok; /* the text was understood */
} kit_equation;

static inline void kit_equation_body(void *arg)
{
    kit_equation *e = arg;
    e->ok = dd_lang_read_equation(e->k->m, e->k->pool, e->text, &e->rows, &e->count);
}

/* One equation in the scope of the loaded model. */
static inline kit_equation kit_read_equation(const kit *k, const char *text)
{
    kit_equation e = {.k = k, .text = text};
    assert_int_equal(dd_protect(k->ctx, kit_equation_body, &e), DD_OK);
    return e;
}

static inline uint32_t kit_var(const kit *k, const char *array, uint32_t element)
{
    uint32_t a = dd_model_find_array(k->m, array);
    assert_int_not_equal(a, DD_NO_INDEX);
    assert_true(element < k->m->arrays.data[a].size);
    return k->m->arrays.data[a].first + element;
}

static inline const dd_variable *kit_variable(const kit *k, const char *array, uint32_t element)
{
    return &k->m->vars.data[kit_var(k, array, element)];
}

#endif
