/* test_elaborate_reading.c - what forms and their derivatives are printed as, the language reads back as the same
 * scalars: random expressions through printer, lexer, parser, resolution and elaboration. */
#include "../expr/form_random.h"

#include "lang/elaborate.h"
#include "lang/lang.h"

#define CASES 600

static void compare(fixture *fix, const char *text, const dd_value *v)
{
    dd_pool *scratch = dd_pool_child(fix->pool);
    dd_expr *rows;
    uint32_t count;
    if (!dd_lang_read_equation(fix->m, scratch, text, &rows, &count)) {
        fail_msg("%s: %s", text, dd_context_diagnostic(fix->ctx, dd_context_diagnostic_count(fix->ctx) - 1).message);
    }
    if (count != v->size || memcmp(rows, v->elems, count * sizeof *rows) != 0) {
        fail_msg("%s reads back as something else", text);
    }
    dd_pool_free(scratch);
}

static void check_random(fixture *fix)
{
    dd_elaborator e = dd_elaborator_new(fix->m, fix->pool);
    for (uint32_t i = 0; i < CASES; i++) {
        const char *text = random_text(fix->pool, i, "SVM"[i % 3], 1 + (int)(i / 3) % 3);
        dd_form f = read_form(&fix->r, text);
        for (int order = 0; order <= 2; order++) {
            dd_value v;
            assert_true(dd_elaborate(&e, f, NULL, &v));
            compare(fix, text_of(fix, f, NULL), &v);
            f = dd_form_derivative(fix->m->forms, f);
            assert_true(f != DD_FORM_NONE);
        }
    }
}

/* Differentiated equations, with their factor, and loop variables put in. */
static void check_equations(fixture *fix)
{
    static const char *const sides[][2] = {{"p*p - L^2", "0"},
                                           {"(x - s)^2 + y^2", "L^2"},
                                           {"p[i]^2 + q[i]*p[i + 1]", "d[i]*x^i"},
                                           {"{p[j]*i for j in 1:i}", "{x^j for j in 1:i}"},
                                           {"if i > 1 then p else q", "A[i,:]*x"}};
    dd_elaborator e = dd_elaborator_new(fix->m, fix->pool);
    dd_form_env env = {.loop = reader_loop(&fix->r, "i"), .value = 2, .real = 2};
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        dd_form lhs = read_form(&fix->r, sides[i][0]), rhs = read_form(&fix->r, sides[i][1]);
        for (int order = 0; order <= 2; order++) {
            dd_value l, r;
            double factor;
            assert_true(dd_elaborate(&e, lhs, &env, &l) && dd_elaborate(&e, rhs, &env, &r));
            for (uint32_t k = 0; k < l.size; k++) {
                l.elems[k] = dd_sub(fix->m->dag, l.elems[k], r.elems[k]);
            }
            compare(fix, dd_pool_printf(fix->pool, "%s = %s", text_of(fix, lhs, &env), text_of(fix, rhs, &env)), &l);
            assert_true(dd_form_differentiate_equation(fix->m->forms, &lhs, &rhs, &factor));
        }
    }
}

FIXTURE_TEST(random)
FIXTURE_TEST(equations)

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random), cmocka_unit_test(test_equations)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
