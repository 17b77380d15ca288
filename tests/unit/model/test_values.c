/* test_values.c - numbers for parameters: dependency order, cycles, missing values, structural parameters. */
#include <math.h>

#include "unit/model/kit.h"

/* A parameter that has no value yet; bind() says what it is made of. */
static dd_expr unbound(kit *k, const char *name)
{
    dd_expr e = kit_parameter(k->m, name, 0);
    k->m->vars.data[dd_symbol_id(k->m->dag, e)].has_value = false;
    return e;
}

static dd_variable *var_of(kit *k, dd_expr e)
{
    return &k->m->vars.data[dd_symbol_id(k->m->dag, e)];
}

static void settle_body(void *arg)
{
    dd_model_settle_values(arg);
}

static dd_status settle(kit *k)
{
    return dd_protect(k->ctx, settle_body, k->m);
}

static void values_follow_dependencies(void **state)
{
    (void)state;
    kit k = kit_new("M");
    dd_expr a = unbound(&k, "a"), b = unbound(&k, "b"), c = kit_parameter(k.m, "c", 3);
    var_of(&k, a)->binding = dd_expr_add(k.m, b, c);
    var_of(&k, b)->binding = dd_expr_mul(k.m, c, c);
    dd_expr x = kit_variable(k.m, "x");
    var_of(&k, x)->start = a;
    var_of(&k, x)->min = dd_expr_number(k.m, -1.7976931348623157e308);
    assert_int_equal(settle(&k), DD_OK);
    assert_true(var_of(&k, b)->value == 9);
    assert_true(var_of(&k, a)->value == 12);
    assert_true(var_of(&k, x)->start_value == 12);
    assert_true(var_of(&k, x)->min_value == -INFINITY); /* the largest number stands for none */
    assert_true(var_of(&k, x)->nominal_value == 1);
    kit_free(&k);
}

/* 200000 parameters, each needing the next: no recursion, each looked at twice. */
static void chains_may_be_long(void **state)
{
    (void)state;
    enum { N = 200000 };
    kit k = kit_new("M");
    double *zero = calloc(N, sizeof *zero);
    dd_expr *p = calloc(N, sizeof *p);
    assert_int_equal(dd_model_add_parameter(k.m, "p", N, zero, p), DD_OK);
    dd_expr one = dd_expr_number(k.m, 1);
    for (uint32_t i = 0; i + 1 < N; i++) {
        var_of(&k, p[i])->has_value = false;
        var_of(&k, p[i])->binding = dd_expr_add(k.m, p[i + 1], one);
    }
    assert_int_equal(settle(&k), DD_OK);
    assert_true(var_of(&k, p[0])->value == N - 1);
    free(zero);
    free(p);
    kit_free(&k);
}

static void cycles_are_shown_as_chains(void **state)
{
    (void)state;
    kit k = kit_new("M");
    dd_expr a = unbound(&k, "a"), b = unbound(&k, "b"), c = unbound(&k, "c"), d = unbound(&k, "d"),
            e = unbound(&k, "e");
    /* a needs b and c, c needs b, b needs d, d needs b: the cycle is b -> d -> b, however it is entered */
    var_of(&k, a)->binding = dd_expr_add(k.m, b, c);
    var_of(&k, b)->binding = dd_expr_mul(k.m, d, dd_expr_number(k.m, 2));
    var_of(&k, c)->binding = dd_expr_mul(k.m, b, dd_expr_number(k.m, 3));
    var_of(&k, d)->binding = dd_expr_mul(k.m, b, dd_expr_number(k.m, 4));
    var_of(&k, e)->binding = dd_expr_mul(k.m, a, dd_expr_number(k.m, 5)); /* waits for something broken: silent */
    assert_int_equal(settle(&k), DD_INVALID_MODEL);
    assert_int_equal(dd_context_error_count(k.ctx), 1);
    const char *message = dd_context_diagnostic(k.ctx, 0).message;
    if (!strstr(message, ": b -> d -> b;") && !strstr(message, ": d -> b -> d;")) {
        fail_msg("%s", message);
    }
    kit_free(&k);
}

static void a_parameter_of_itself_is_a_cycle(void **state)
{
    (void)state;
    kit k = kit_new("M");
    dd_expr a = unbound(&k, "a"), b = unbound(&k, "b");
    var_of(&k, a)->binding = dd_expr_call(k.m, "sin", &a, 1);
    var_of(&k, b)->binding = dd_expr_call(k.m, "sin", &b, 1);
    assert_int_equal(settle(&k), DD_INVALID_MODEL);
    assert_int_equal(dd_context_error_count(k.ctx), 2);
    kit_contains(dd_context_diagnostic(k.ctx, 0).message, ": a -> a;");
    kit_contains(dd_context_diagnostic(k.ctx, 1).message, ": b -> b;");
    kit_free(&k);
}

static void long_cycles_are_shortened(void **state)
{
    (void)state;
    enum { N = 1000 };
    kit k = kit_new("M");
    double zero[N] = {0};
    dd_expr p[N];
    assert_int_equal(dd_model_add_parameter(k.m, "p", N, zero, p), DD_OK);
    for (uint32_t i = 0; i < N; i++) {
        var_of(&k, p[i])->has_value = false;
        var_of(&k, p[i])->binding = dd_expr_neg(k.m, p[(i + 1) % N]);
    }
    assert_int_equal(settle(&k), DD_INVALID_MODEL);
    kit_contains(dd_context_diagnostic(k.ctx, 0).message, ": p[1] -> p[2] -> p[3] -> ");
    kit_contains(dd_context_diagnostic(k.ctx, 0).message, " -> p[10] -> ... -> p[1000] -> p[1];");
    kit_free(&k);
}

static void missing_values_are_named_once(void **state)
{
    (void)state;
    kit k = kit_new("M");
    dd_expr a = unbound(&k, "a"), b = unbound(&k, "b"), c = unbound(&k, "c");
    var_of(&k, b)->binding = dd_expr_neg(k.m, a);
    var_of(&k, c)->binding = dd_expr_neg(k.m, b);
    assert_int_equal(settle(&k), DD_INVALID_MODEL);
    assert_int_equal(dd_context_error_count(k.ctx), 1);
    kit_contains(dd_context_diagnostic(k.ctx, 0).message, "parameter a has no value");
    kit_free(&k);
}

/* ---- evaluating ---- */

typedef struct evaluate_call {
    dd_model *m;
    dd_expr e;
    bool structural, found;
    double value;
    uint32_t culprit;
} evaluate_call;

static void evaluate_body(void *arg)
{
    evaluate_call *c = arg;
    c->found = dd_model_evaluate(c->m, c->e, c->structural, &c->value, &c->culprit);
}

static evaluate_call evaluate(kit *k, dd_expr e, bool structural)
{
    evaluate_call c = {.m = k->m, .e = e, .structural = structural};
    assert_int_equal(dd_protect(k->ctx, evaluate_body, &c), DD_OK);
    return c;
}

static void expressions_of_parameters_have_values(void **state)
{
    (void)state;
    kit k = kit_new("M");
    dd_expr a = kit_parameter(k.m, "a", 4), x = kit_variable(k.m, "x");
    evaluate_call c = evaluate(&k, dd_expr_call(k.m, "sqrt", &a, 1), false);
    assert_true(c.found && c.value == 2);
    assert_int_equal(c.culprit, DD_NO_INDEX);
    assert_false(var_of(&k, a)->structural);
    c = evaluate(&k, dd_expr_add(k.m, a, x), false);
    assert_false(c.found);
    assert_string_equal(kit_name(k.m, c.culprit), "x");
    c = evaluate(&k, dd_expr_time(k.m), false);
    assert_false(c.found);
    assert_int_equal(c.culprit, DD_NO_INDEX);
    kit_free(&k);
}

static void what_shapes_the_model_is_marked_through_bindings(void **state)
{
    (void)state;
    kit k = kit_new("M");
    dd_expr n = unbound(&k, "n"), half = kit_parameter(k.m, "half", 2), other = kit_parameter(k.m, "other", 1);
    var_of(&k, n)->binding = dd_expr_add(k.m, half, half);
    evaluate_call c = evaluate(&k, dd_expr_add(k.m, n, dd_expr_number(k.m, 1)), true);
    assert_true(c.found && c.value == 5);
    assert_true(var_of(&k, n)->structural);
    assert_true(var_of(&k, half)->structural);
    assert_false(var_of(&k, other)->structural);
    kit_free(&k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_follow_dependencies),
        cmocka_unit_test(chains_may_be_long),
        cmocka_unit_test(cycles_are_shown_as_chains),
        cmocka_unit_test(a_parameter_of_itself_is_a_cycle),
        cmocka_unit_test(long_cycles_are_shortened),
        cmocka_unit_test(missing_values_are_named_once),
        cmocka_unit_test(expressions_of_parameters_have_values),
        cmocka_unit_test(what_shapes_the_model_is_marked_through_bindings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
