/* A model that could not be loaded is NULL: every call that takes one says so instead of failing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "daedal/daedal.h"

static void test_missing_file(void **state)
{
    (void)state;
    dd_context *ctx;
    dd_model *m;
    dd_system *s;
    const char *text;
    assert_int_equal(dd_context_new(&ctx, NULL), DD_OK);
    assert_int_not_equal(dd_model_load_file(&m, ctx, "there is no such file.mo", NULL), DD_OK);
    assert_null(m);
    assert_int_equal(dd_model_analyse(&s, m, NULL), DD_INVALID_ARGUMENT);
    assert_null(s);
    assert_int_equal(dd_model_analyse(NULL, m, NULL), DD_INVALID_ARGUMENT);
    assert_int_equal(dd_model_flat_text(&text, m), DD_INVALID_ARGUMENT);
    assert_int_equal(dd_system_json(&text, s), DD_INVALID_ARGUMENT);
    assert_int_equal(dd_system_text(&text, s, false), DD_INVALID_ARGUMENT);
    dd_system_free(s);
    dd_model_free(m);
    dd_context_free(ctx);
}

static void test_getters(void **state)
{
    (void)state;
    assert_int_equal(dd_system_index(NULL), -1);
    assert_int_equal(dd_system_structural_index(NULL), -1);
    assert_int_equal(dd_system_dof(NULL), -1);
    assert_int_equal(dd_system_verdict(NULL), DD_VERDICT_SINGULAR);
    assert_int_equal(dd_system_certificate(NULL), DD_CERTIFICATE_UNDECIDED);
    assert_int_equal(dd_system_unknown_count(NULL) + dd_system_equation_count(NULL), 0);
    assert_int_equal(dd_system_constraint_count(NULL) + dd_system_hidden_count(NULL), 0);
    assert_int_equal(dd_system_visible_text_count(NULL) + dd_system_hidden_text_count(NULL), 0);
    assert_int_equal(dd_system_initial_given(NULL) + dd_system_initial_missing(NULL) + dd_system_initial_excess(NULL),
                     0);
    assert_string_equal(dd_system_reason(NULL), "");
    assert_string_equal(dd_system_visible_text(NULL, 0).equation, "");
    assert_string_equal(dd_system_hidden_text(NULL, 0).equation, "");
    assert_string_equal(dd_model_name(NULL), "");
}

static void test_no_arguments(void **state)
{
    (void)state;
    dd_context *ctx;
    dd_model *m;
    assert_int_equal(dd_context_new(&ctx, NULL), DD_OK);
    assert_int_equal(dd_model_load_file(&m, ctx, NULL, NULL), DD_INVALID_ARGUMENT);
    assert_int_equal(dd_model_load_file(&m, NULL, "a.mo", NULL), DD_INVALID_ARGUMENT);
    assert_int_equal(dd_model_load_file(NULL, ctx, "a.mo", NULL), DD_INVALID_ARGUMENT);
    assert_int_equal(dd_model_load_text(&m, ctx, "a.mo", NULL, 5, NULL), DD_INVALID_ARGUMENT);
    assert_int_equal(dd_model_load_text(&m, ctx, NULL, "", 0, NULL), DD_INVALID_ARGUMENT);
    assert_null(m);
    dd_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_missing_file), cmocka_unit_test(test_getters),
                                       cmocka_unit_test(test_no_arguments)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
