/* Exact values and ranks: known identities, known fractions, numbers many powers of ten apart. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "daedal/daedal.h"
#include "structure/field.h"

typedef struct world {
    dd_context *ctx;
    dd_model *model;
    dd_system *s;
    dd_pool *pool;
} world;

/* Two parameters, 0.1 and 1e-20, two unknowns. */
static world make_world(void)
{
    static const char text[] =
        "model W\n parameter Real a = 0.1, b = 1e-20, c = 1/3, d = sqrt(2);\n Real x, y;\nequation\n"
        " der(x) = a*x + c*y; der(y) = b*x + d*y;\nend W;\n";
    world w = {0};
    assert_int_equal(dd_context_new(&w.ctx, NULL), DD_OK);
    assert_int_equal(dd_model_load_text(&w.model, w.ctx, "w.mo", text, strlen(text), NULL), DD_OK);
    assert_int_equal(dd_model_analyse(&w.s, w.model, NULL), DD_OK);
    w.pool = dd_pool_new(w.ctx);
    assert_non_null(w.pool);
    return w;
}

static void free_world(world *w)
{
    dd_pool_free(w->pool);
    dd_system_free(w->s);
    dd_model_free(w->model);
    dd_context_free(w->ctx);
}

static dd_expr symbol(const world *w, const char *name)
{
    for (uint32_t v = 0; v < w->model->vars.len; v++) {
        dd_text text = dd_text_new(w->pool);
        dd_model_var_name(w->model, v, &text);
        if (strcmp(dd_text_str(&text), name) == 0) {
            bool parameter = w->model->vars.data[v].kind == DD_KIND_PARAMETER;
            return parameter ? dd_param(w->model->dag, v) : dd_var(w->model->dag, v, 0);
        }
    }
    fail();
    return DD_EXPR_NONE;
}

static uint64_t value_of(const world *w, dd_expr e, dd_field_kind *kind)
{
    dd_field f = dd_field_new(w->s, 1, w->pool);
    uint64_t value = 0;
    *kind = dd_field_value(&f, e, &value);
    return value;
}

static void test_numbers(void **state)
{
    (void)state;
    world w = make_world();
    dd_dag *dag = w.model->dag;
    dd_field_kind kind;
    int64_t num = 0, den = 0;
    assert_true(dd_field_rational(value_of(&w, symbol(&w, "a"), &kind), &num, &den));
    assert_int_equal(kind, DD_FIELD_CONSTANT);
    assert_int_equal(num, 1);
    assert_int_equal(den, 10);
    assert_true(dd_field_rational(value_of(&w, dd_neg(dag, symbol(&w, "c")), &kind), &num, &den));
    assert_int_equal(kind, DD_FIELD_CONSTANT);
    assert_int_equal(num, -1);
    assert_int_equal(den, 3);
    /* 1e-20 is no small fraction, but it is exact: 10^20 times it is 1 */
    dd_expr big = dd_pow(dag, dd_rational(dag, 10, 1), dd_rational(dag, 20, 1));
    assert_true(value_of(&w, dd_mul(dag, big, symbol(&w, "b")), &kind) == 1);
    assert_int_equal(kind, DD_FIELD_CONSTANT);
    value_of(&w, symbol(&w, "d"), &kind);
    assert_int_equal(kind, DD_FIELD_AS_SYMBOL);
    free_world(&w);
}

static void test_identities(void **state)
{
    (void)state;
    world w = make_world();
    dd_dag *dag = w.model->dag;
    dd_expr x = symbol(&w, "x"), y = symbol(&w, "y"), b = symbol(&w, "b"), two = dd_rational(dag, 2, 1);
    dd_field_kind kind;
    dd_expr square = dd_pow(dag, dd_add(dag, x, y), two);
    dd_expr difference = dd_sub(dag, square, dd_pow(dag, dd_sub(dag, x, y), two));
    dd_expr zero = dd_sub(dag, difference, dd_mul(dag, dd_rational(dag, 4, 1), dd_mul(dag, x, y)));
    assert_true(value_of(&w, zero, &kind) == 0);
    assert_int_equal(kind, DD_FIELD_GENERIC);
    /* 1e-20 beside something of size 1 */
    assert_false(value_of(&w, dd_add(dag, zero, b), &kind) == 0);
    assert_false(value_of(&w, dd_unary(dag, DD_OP_SIN, zero), &kind) == 0);
    assert_int_equal(kind, DD_FIELD_AS_SYMBOL);
    value_of(&w, dd_div(dag, x, zero), &kind);
    assert_int_equal(kind, DD_FIELD_UNDEFINED);
    free_world(&w);
}

static void test_rank(void **state)
{
    (void)state;
    /* row 2 = 3 row 0 - row 1 modulo the prime; row 3 is independent */
    const uint64_t prime = ((uint64_t)1 << 61) - 1;
    uint64_t a[] = {1, 2, 3, 4, 0, 5, 1, 7, 3, 1, 8, 5, 0, 0, 0, prime - 1};
    bool dependent[4];
    uint32_t pivot[4];
    assert_int_equal(dd_field_eliminate(a, 4, 4, 4, dependent, pivot), 3);
    assert_true(dependent[2] && !dependent[0] && !dependent[1] && !dependent[3]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_numbers), cmocka_unit_test(test_identities),
                                       cmocka_unit_test(test_rank)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
