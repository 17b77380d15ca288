/* test_model.c - arrays, their scalars, their names; identifiers. */
#include "lang/lexer.h"
#include "model/identifier.h"
#include "unit/model/kit.h"

typedef struct add_call {
    dd_model *m;
    const uint32_t *dims;
    uint8_t ndim;
    const char *name;
    uint32_t index;
} add_call;

static void add_body(void *arg)
{
    add_call *c = arg;
    c->index = dd_model_add_array(c->m, c->name, c->dims, c->ndim, DD_KIND_VARIABLE, DD_TYPE_REAL, DD_NO_SPAN);
}

static dd_status add(kit *k, const char *name, const uint32_t *dims, uint8_t ndim, uint32_t *index)
{
    add_call c = {k->m, dims, ndim, name, DD_NO_INDEX};
    dd_status status = dd_protect(k->ctx, add_body, &c);
    *index = c.index;
    return status;
}

static void scalars_are_row_major(void **state)
{
    (void)state;
    kit k = kit_new("M");
    uint32_t a, dims[] = {2, 3, 2};
    assert_int_equal(add(&k, "x", NULL, 0, &a), DD_OK);
    assert_int_equal(add(&k, "A", dims, 3, &a), DD_OK);
    const dd_array *array = &k.m->arrays.data[a];
    assert_int_equal(array->size, 12);
    assert_int_equal(array->first, 1);
    assert_string_equal(kit_name(k.m, 0), "x");
    assert_string_equal(kit_name(k.m, 1), "A[1,1,1]");
    assert_string_equal(kit_name(k.m, 2), "A[1,1,2]");
    assert_string_equal(kit_name(k.m, 1 + 5), "A[1,3,2]");
    assert_string_equal(kit_name(k.m, 1 + 11), "A[2,3,2]");
    assert_int_equal(dd_model_find_array(k.m, "A"), a);
    assert_int_equal(dd_model_find_array(k.m, "B"), DD_NO_INDEX);
    kit_free(&k);
}

static void empty_arrays_have_no_scalars(void **state)
{
    (void)state;
    kit k = kit_new("M");
    uint32_t a, none = 0, dims[] = {4000000, 4000000, 0};
    assert_int_equal(add(&k, "e", &none, 1, &a), DD_OK);
    assert_int_equal(k.m->arrays.data[a].size, 0);
    assert_int_equal(add(&k, "f", dims, 3, &a), DD_OK);
    assert_int_equal(k.m->arrays.data[a].size, 0);
    assert_int_equal(k.m->vars.len, 0);
    kit_free(&k);
}

static void sizes_have_a_limit(void **state)
{
    (void)state;
    kit k = kit_new("M");
    uint32_t a, large = 10000001, square[] = {4000000000u, 4000000000u, 4000000000u, 4000000000u};
    assert_int_equal(add(&k, "x", &large, 1, &a), DD_LIMIT);
    assert_non_null(strstr(dd_context_message(k.ctx), "x exceeds the limit"));
    assert_int_equal(add(&k, "y", square, 4, &a), DD_LIMIT);
    assert_int_equal(k.m->arrays.len, 0);
    assert_int_equal(k.m->vars.len, 0);
    kit_free(&k);
}

static void scalars_count_towards_the_limit(void **state)
{
    (void)state;
    kit k = kit_new("M");
    uint32_t a, all = 10000000;
    assert_int_equal(add(&k, "x", &all, 1, &a), DD_OK);
    assert_int_equal(add(&k, "y", NULL, 0, &a), DD_LIMIT);
    kit_free(&k);
}

/* ---- introduced velocities ---- */

static void introduce(dd_model *m, const char *name, uint32_t of, const uint32_t *dims, uint8_t ndim)
{
    uint32_t v = dd_model_add_array(m, name, dims, ndim, DD_KIND_VARIABLE, DD_TYPE_REAL, DD_NO_SPAN);
    m->arrays.data[v].introduced = true;
    m->arrays.data[v].derivative_of = of;
}

static void velocities_body(void *arg)
{
    dd_model *m = arg;
    uint32_t three = 3;
    dd_model_add_array(m, "p", &three, 1, DD_KIND_VARIABLE, DD_TYPE_REAL, DD_NO_SPAN); /* 0 1 2 */
    introduce(m, "der(p)", 0, &three, 1);                                              /* 3 4 5 */
    introduce(m, "der(der(p[2]))", 4, NULL, 0);                                        /* 6 */
    for (uint32_t i = 0; i < 100000; i++) {                                            /* deep, without a deep stack */
        introduce(m, "d", 6 + i, NULL, 0);
    }
}

static void velocities_are_named_by_what_they_are(void **state)
{
    (void)state;
    kit k = kit_new("M");
    assert_int_equal(dd_protect(k.ctx, velocities_body, k.m), DD_OK);
    assert_string_equal(kit_name(k.m, 4), "der(p[2])");
    assert_string_equal(kit_name(k.m, 6), "der(der(p[2]))");
    assert_int_equal(strlen(kit_name(k.m, 6 + 100000)), 5 * 100002 + strlen("p[2]"));
    dd_namer namer = dd_model_namer(k.m);
    uint32_t array, index, size;
    assert_true(namer.element(namer.user, false, 4, &array, &index, &size));
    assert_int_equal(index, 1);
    assert_int_equal(size, 3);
    dd_text text = dd_text_new(k.m->pool);
    namer.array_name(namer.user, false, array, &text);
    assert_string_equal(dd_text_str(&text), "der(p)");
    assert_false(namer.element(namer.user, false, 6, &array, &index, &size));
    kit_free(&k);
}

/* ---- identifiers ---- */

static void identifiers_are_quoted_where_the_language_asks(void **state)
{
    (void)state;
    kit k = kit_new("M");
    dd_pool *pool = k.m->pool;
    assert_string_equal(dd_identifier(pool, "x_1"), "x_1");
    assert_string_equal(dd_identifier(pool, "_"), "_");
    assert_string_equal(dd_identifier(pool, "1x"), "'1x'");
    assert_string_equal(dd_identifier(pool, "a b"), "'a b'");
    assert_string_equal(dd_identifier(pool, "arm.th"), "'arm.th'");
    assert_string_equal(dd_identifier(pool, "if"), "'if'");
    assert_string_equal(dd_identifier(pool, "iff"), "iff");
    assert_string_equal(dd_identifier(pool, "'x'"), "'x'");
    assert_string_equal(dd_identifier(pool, "\xce\xb1"), "'\xce\xb1'");
    assert_string_equal(dd_identifier(pool, "it's"), "'it\\'s'");
    assert_string_equal(dd_identifier(pool, "a\\b"), "'a\\\\b'");
    assert_string_equal(dd_identifier(pool, "'a\\'"),
                        "'\\'a\\\\\\''"); /* its last quote is escaped: not a quoted name */
    assert_string_equal(dd_identifier(pool, "''"), "'\\'\\''");
    const char *bad[] = {"", "a\nb", "\x01", "\xff", "tab\there", NULL};
    for (int i = 0; i < 6; i++) {
        assert_null(dd_identifier(pool, bad[i]));
    }
    char longest[DD_IDENTIFIER_MAX + 2];
    memset(longest, 'a', sizeof longest);
    longest[DD_IDENTIFIER_MAX] = '\0';
    assert_non_null(dd_identifier(pool, longest));
    longest[0] = ' ';
    assert_null(dd_identifier(pool, longest)); /* no room for the quotes */
    longest[DD_IDENTIFIER_MAX] = 'a';
    longest[DD_IDENTIFIER_MAX + 1] = '\0';
    assert_null(dd_identifier(pool, longest));
    kit_free(&k);
}

/* The reserved words here and in the lexer are two lists: they must say the same. */
static void reserved_words_are_those_of_the_lexer(void **state)
{
    (void)state;
    kit k = kit_new("M");
    uint32_t count = 0;
    for (int t = 0; t < DD_TOK_COUNT; t++) {
        if (dd_token_is_keyword((dd_token_kind)t)) {
            const char *word = dd_token_text((dd_token_kind)t);
            assert_string_equal(dd_identifier(k.m->pool, word), dd_name_quoted(k.m->pool, word));
            assert_int_equal(dd_identifier(k.m->pool, word)[0], '\'');
            count++;
        }
    }
    assert_true(count > 50);
    const char *plain[] = {"x", "model_", "optimization", "constraint", "Real", "sin", "a.b", "1", "StateSelect"};
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
        assert_string_equal(dd_identifier(k.m->pool, plain[i]), dd_name_quoted(k.m->pool, plain[i]));
    }
    kit_free(&k);
}

/* ---- rows and groups ---- */

static void groups_print_their_own_rows(void **state)
{
    (void)state;
    kit k = kit_new("M");
    dd_expr x = kit_variable(k.m, "x"), y = kit_variable(k.m, "y");
    assert_int_equal(dd_model_add_equation(k.m, "", dd_expr_der(k.m, x), dd_expr_neg(k.m, x)), DD_OK);
    assert_int_equal(dd_model_add_initial_equation(k.m, "", y, dd_expr_number(k.m, 2)), DD_OK);
    dd_text text = dd_text_new(k.m->pool);
    dd_model_print_group(k.m, &k.m->groups.data[0], &text);
    assert_string_equal(dd_text_str(&text), "der(x) = -x");
    dd_text_clear(&text);
    dd_model_print_group(k.m, &k.m->initial_groups.data[0], &text);
    assert_string_equal(dd_text_str(&text), "y - 2 = 0");
    assert_string_equal(dd_model_place(k.m, DD_NO_SPAN, k.m->pool), "");
    kit_free(&k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scalars_are_row_major),
        cmocka_unit_test(empty_arrays_have_no_scalars),
        cmocka_unit_test(sizes_have_a_limit),
        cmocka_unit_test(scalars_count_towards_the_limit),
        cmocka_unit_test(velocities_are_named_by_what_they_are),
        cmocka_unit_test(identifiers_are_quoted_where_the_language_asks),
        cmocka_unit_test(reserved_words_are_those_of_the_lexer),
        cmocka_unit_test(groups_print_their_own_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
