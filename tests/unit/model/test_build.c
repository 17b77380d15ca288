/* test_build.c - the C API: what is built, what is refused and how failures stay. */
#include <math.h>

#include "unit/model/kit.h"

static const char *message(kit *k)
{
    return dd_context_message(k->ctx);
}

static const char *text_of(kit *k, dd_expr e)
{
    static char buffer[256];
    dd_expr_print(k->m, e, buffer, sizeof buffer);
    return buffer;
}

/* The model fails for this reason, and everything afterwards with it. */
static void assert_failed(kit *k, dd_status status, const char *part)
{
    kit_contains(message(k), part);
    assert_int_equal(dd_fail(k->ctx, DD_IO, "something else"), DD_IO); /* another failure in the same context */
    assert_int_equal(dd_expr_number(k->m, 1), DD_EXPR_NONE);
    kit_contains(message(k), part);
    dd_expr x = 7;
    assert_int_equal(dd_model_add_variable(k->m, "later", 0, NULL, &x), status);
    assert_int_equal(x, DD_EXPR_NONE);
    const char *flat = NULL;
    assert_int_equal(dd_model_flat_text(&flat, k->m), status);
    assert_string_equal(flat, "");
    dd_system *system = NULL;
    assert_int_equal(dd_model_analyse(&system, k->m, NULL), status);
    assert_null(system);
    assert_int_equal(dd_model_first_failure(k->m), status);
    kit_contains(message(k), part);
    kit_free(k);
}

/* ---- expressions ---- */

static void arithmetic_is_canonical(void **state)
{
    (void)state;
    kit k = kit_new("M");
    dd_expr x = kit_variable(k.m, "x"), y = kit_variable(k.m, "y"), two = dd_expr_number(k.m, 2);
    assert_int_equal(dd_expr_add(k.m, x, x), dd_expr_mul(k.m, two, x));
    assert_int_equal(dd_expr_sub(k.m, x, x), dd_expr_number(k.m, 0));
    assert_int_equal(dd_expr_div(k.m, x, y), dd_expr_mul(k.m, x, dd_expr_pow(k.m, y, dd_expr_number(k.m, -1))));
    assert_int_equal(dd_expr_neg(k.m, dd_expr_neg(k.m, x)), x);
    assert_string_equal(text_of(&k, dd_expr_div(k.m, dd_expr_time(k.m), x)), "time/x");
    dd_expr xy[2] = {x, y};
    assert_int_equal(dd_expr_dot(k.m, xy, xy, 2), dd_expr_add(k.m, dd_expr_mul(k.m, x, x), dd_expr_mul(k.m, y, y)));
    assert_int_equal(dd_expr_sum(k.m, xy, 2), dd_expr_add(k.m, x, y));
    assert_int_equal(dd_expr_sum(k.m, NULL, 0), dd_expr_number(k.m, 0));
    assert_int_equal(dd_expr_dot(k.m, NULL, NULL, 0), dd_expr_number(k.m, 0));
    kit_free(&k);
}

static void functions_go_by_name(void **state)
{
    (void)state;
    kit k = kit_new("M");
    dd_expr x = kit_variable(k.m, "x"), y = kit_variable(k.m, "y"), xy[3] = {x, y, x};
    const struct {
        const char *name;
        uint32_t n;
        const char *text;
    } cases[] = {{"sin", 1, "sin(x)"},
                 {"sqrt", 1, "sqrt(x)"},
                 {"abs", 1, "abs(x)"},
                 {"atan2", 2, "atan2(x, y)"},
                 {"mod", 2, "mod(x, y)"},
                 {"max", 2, "max(x, y)"},
                 {"min", 1, "x"},
                 {"log10", 1, "log10(x)"},
                 {"<", 2, "x < y"},
                 {">", 2, "y < x"},
                 {">=", 2, "y <= x"},
                 {"<>", 2, "x <> y"},
                 {"==", 2, "x == y"},
                 {"homotopy", 2, "homotopy(x, y)"},
                 {"semiLinear", 3, "noEvent(if 0 <= x then x*y else x^2)"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dd_expr e = dd_expr_call(k.m, cases[i].name, xy, cases[i].n);
        assert_int_not_equal(e, DD_EXPR_NONE);
        assert_string_equal(text_of(&k, e), cases[i].text);
    }
    assert_int_equal(dd_expr_call(k.m, "sum", xy, 3), dd_expr_sum(k.m, xy, 3));
    assert_int_equal(dd_expr_call(k.m, "product", xy, 3), dd_expr_mul(k.m, dd_expr_mul(k.m, x, y), x));
    kit_free(&k);
}

static void conditions_select(void **state)
{
    (void)state;
    kit k = kit_new("M");
    dd_expr x = kit_variable(k.m, "x"), zero = dd_expr_number(k.m, 0), xz[2] = {x, zero};
    dd_expr positive = dd_expr_call(k.m, ">", xz, 2),
            small = dd_expr_call(k.m, "<", (dd_expr[]){x, dd_expr_number(k.m, 1)}, 2);
    dd_expr both = dd_expr_call(k.m, "and", (dd_expr[]){positive, small}, 2);
    dd_expr e = dd_expr_call(k.m, "if", (dd_expr[]){both, x, zero}, 3);
    kit_contains(text_of(&k, e), " then x else 0");
    assert_string_equal(text_of(&k, dd_expr_call(k.m, "not", &positive, 1)), "x <= 0");
    /* a condition that is decided becomes a number, and is still a condition */
    dd_expr yes = dd_expr_call(k.m, "<", (dd_expr[]){zero, dd_expr_number(k.m, 1)}, 2);
    assert_int_equal(dd_expr_call(k.m, "if", (dd_expr[]){yes, x, zero}, 3), x);
    dd_expr quiet = dd_expr_call(k.m, "noEvent", &positive, 1);
    assert_int_not_equal(dd_expr_call(k.m, "if", (dd_expr[]){quiet, x, zero}, 3), DD_EXPR_NONE);
    kit_free(&k);
}

static void derivatives(void **state)
{
    (void)state;
    kit k = kit_new("M");
    dd_expr x = kit_variable(k.m, "x"), y = kit_variable(k.m, "y"), a = kit_parameter(k.m, "a", 2);
    dd_expr product = dd_expr_mul(k.m, dd_expr_mul(k.m, a, x), y), dx = dd_expr_der(k.m, x);
    assert_string_equal(text_of(&k, dx), "der(x)");
    assert_string_equal(text_of(&k, dd_expr_der(k.m, dx)), "der(der(x))");
    assert_int_equal(dd_expr_der(k.m, a), dd_expr_number(k.m, 0));
    assert_int_equal(dd_expr_der(k.m, dd_expr_time(k.m)), dd_expr_number(k.m, 1));
    dd_expr expected = dd_expr_add(k.m, dd_expr_mul(k.m, dd_expr_mul(k.m, a, dx), y),
                                   dd_expr_mul(k.m, dd_expr_mul(k.m, a, x), dd_expr_der(k.m, y)));
    assert_int_equal(dd_expr_der(k.m, product), expected);
    assert_int_equal(dd_expr_diff(k.m, product, x), dd_expr_mul(k.m, a, y));
    assert_int_equal(dd_expr_diff(k.m, product, a), dd_expr_mul(k.m, x, y));
    assert_int_equal(dd_expr_diff(k.m, dd_expr_mul(k.m, dx, x), dx), x);
    assert_int_equal(dd_expr_diff(k.m, product, dx), dd_expr_number(k.m, 0));
    kit_free(&k);
}

static void derivatives_have_a_limit(void **state)
{
    (void)state;
    kit k = kit_new("M");
    dd_expr e = kit_variable(k.m, "x");
    for (int i = 0; i < 1000; i++) {
        e = dd_expr_der(k.m, e);
    }
    assert_int_not_equal(e, DD_EXPR_NONE);
    assert_int_equal(dd_expr_der(k.m, dd_expr_mul(k.m, e, e)), DD_EXPR_NONE);
    assert_failed(&k, DD_LIMIT, "dd_expr_der: x would be differentiated more than 1000 times");
}

static void printing_follows_snprintf(void **state)
{
    (void)state;
    kit k = kit_new("M");
    dd_expr x = kit_variable(k.m, "x"), e = dd_expr_add(k.m, x, kit_variable(k.m, "y"));
    char buffer[4] = "zzz";
    assert_int_equal(dd_expr_print(k.m, e, buffer, 4), 5);
    assert_string_equal(buffer, "x +");
    assert_int_equal(dd_expr_print(k.m, e, NULL, 0), 5);
    assert_int_equal(dd_expr_print(k.m, DD_EXPR_NONE, buffer, 4), 0);
    assert_string_equal(buffer, "");
    assert_int_equal(dd_expr_print(k.m, 1000000, buffer, 4), 0);
    assert_int_equal(dd_expr_print(NULL, e, buffer, 4), 0);
    assert_int_not_equal(dd_expr_number(k.m, 1), DD_EXPR_NONE); /* looking never fails a model */
    kit_free(&k);
}

/* ---- refusals: a call, the status, a part of the message ---- */

static void refuse_unknown_function(dd_model *m)
{
    dd_expr one = dd_expr_number(m, 1);
    dd_expr_call(m, "sine", &one, 1);
}

static void refuse_count(dd_model *m)
{
    dd_expr one = dd_expr_number(m, 1);
    dd_expr_call(m, "atan2", &one, 1);
}

static void refuse_null_name(dd_model *m)
{
    dd_expr_call(m, NULL, NULL, 0);
}

static void refuse_null_arguments(dd_model *m)
{
    dd_expr_call(m, "sin", NULL, 1);
}

static void refuse_none(dd_model *m)
{
    dd_expr_add(m, dd_expr_number(m, 1), DD_EXPR_NONE);
}

static void refuse_foreign(dd_model *m)
{
    dd_expr_neg(m, 123456);
}

static void refuse_element(dd_model *m)
{
    dd_expr list[2] = {dd_expr_number(m, 1), DD_EXPR_NONE};
    dd_expr_sum(m, list, 2);
}

static void refuse_null_list(dd_model *m)
{
    dd_expr one = dd_expr_number(m, 1);
    dd_expr_dot(m, &one, NULL, 1);
}

static void refuse_nan(dd_model *m)
{
    dd_expr_number(m, NAN);
}

static void refuse_zero(dd_model *m)
{
    dd_expr_div(m, dd_expr_time(m), dd_expr_number(m, 0));
}

static void refuse_overflow(dd_model *m)
{
    dd_expr large = dd_expr_number(m, 1e308);
    dd_expr_mul(m, large, large);
}

static void refuse_truth(dd_model *m)
{
    dd_expr sides[2] = {dd_expr_time(m), dd_expr_number(m, 1)};
    dd_expr_add(m, dd_expr_call(m, "<", sides, 2), sides[1]);
}

static void refuse_number_as_condition(dd_model *m)
{
    dd_expr sides[3] = {dd_expr_time(m), dd_expr_number(m, 1), dd_expr_number(m, 2)};
    dd_expr_call(m, "if", sides, 3);
}

static void refuse_diff(dd_model *m)
{
    dd_expr t = dd_expr_time(m);
    dd_expr_diff(m, t, dd_expr_mul(m, t, t));
}

static void refuse_no_name(dd_model *m)
{
    dd_model_add_variable(m, NULL, 0, NULL, NULL);
}

static void refuse_control_character(dd_model *m)
{
    dd_model_add_input(m, "a\nb", 0, NULL, NULL);
}

static void refuse_time(dd_model *m)
{
    dd_model_add_variable(m, "time", 0, NULL, NULL);
}

static void refuse_duplicate(dd_model *m)
{
    double one = 1;
    dd_model_add_variable(m, "a b", 2, NULL, NULL);
    dd_model_add_parameter(m, "'a b'", 0, &one, NULL);
}

static void refuse_no_values(dd_model *m)
{
    dd_model_add_parameter(m, "k", 3, NULL, NULL);
}

static void refuse_infinite_parameter(dd_model *m)
{
    double values[2] = {1, INFINITY};
    dd_model_add_parameter(m, "k", 2, values, NULL);
}

static void refuse_size(dd_model *m)
{
    dd_model_add_variable(m, "x", 4000000000u, NULL, NULL);
}

static void refuse_infinite_start(dd_model *m)
{
    dd_attributes a = dd_attributes_default();
    a.start = INFINITY;
    dd_model_add_variable(m, "x", 0, &a, NULL);
}

static void refuse_bounds(dd_model *m)
{
    dd_attributes a[2] = {dd_attributes_default(), dd_attributes_default()};
    a[1].min = 2, a[1].max = 1;
    dd_model_add_variable(m, "x", 2, a, NULL);
}

static void refuse_nominal(dd_model *m)
{
    dd_attributes a = dd_attributes_default();
    a.nominal = 0;
    dd_model_add_variable(m, "x", 0, &a, NULL);
}

static void refuse_fixed_input(dd_model *m)
{
    dd_attributes a = dd_attributes_default();
    a.fixed = true;
    dd_model_add_input(m, "u", 0, &a, NULL);
}

static void refuse_equation(dd_model *m)
{
    dd_model_add_equation(m, "balance", dd_expr_time(m), DD_EXPR_NONE);
}

static void refuse_initial_equation(dd_model *m)
{
    dd_model_add_initial_equation(m, NULL, 99999, dd_expr_time(m));
}

static void refuse_truth_as_side(dd_model *m)
{
    dd_expr sides[2] = {dd_expr_time(m), dd_expr_number(m, 1)};
    dd_model_add_equation(m, NULL, dd_expr_call(m, "<", sides, 2), sides[1]);
}

static const struct {
    void (*run)(dd_model *m);
    dd_status status;
    const char *part;
} refusals[] = {
    {refuse_unknown_function, DD_INVALID_ARGUMENT, "dd_expr_call: there is no function \"sine\": did you mean \"sin"},
    {refuse_count, DD_INVALID_ARGUMENT, "dd_expr_call: atan2 takes 2 arguments, but 1 is given"},
    {refuse_null_name, DD_INVALID_ARGUMENT, "dd_expr_call: the name of the function is NULL"},
    {refuse_null_arguments, DD_INVALID_ARGUMENT, "dd_expr_call: sin: the arguments are NULL"},
    {refuse_none, DD_INVALID_ARGUMENT, "dd_expr_add: the second operand is DD_EXPR_NONE"},
    {refuse_foreign, DD_INVALID_ARGUMENT, "dd_expr_neg: the operand is not an expression of this model"},
    {refuse_element, DD_INVALID_ARGUMENT, "dd_expr_sum: a[1] is DD_EXPR_NONE"},
    {refuse_null_list, DD_INVALID_ARGUMENT, "dd_expr_dot: b is NULL, but should have 1 element"},
    {refuse_nan, DD_INVALID_ARGUMENT, "dd_expr_number: the result is not a finite number"},
    {refuse_zero, DD_INVALID_ARGUMENT, "dd_expr_div: division by the number 0"},
    {refuse_overflow, DD_INVALID_ARGUMENT, "dd_expr_mul: the result is not a finite number"},
    {refuse_truth, DD_INVALID_ARGUMENT, "dd_expr_add: the first operand is true or false, not a number: time < 1"},
    {refuse_number_as_condition, DD_INVALID_ARGUMENT, "dd_expr_call: if needs a condition as argument[0]"},
    {refuse_diff, DD_INVALID_ARGUMENT, "dd_expr_diff: with_respect_to is neither"},
    {refuse_no_name, DD_INVALID_ARGUMENT, "dd_model_add_variable: a name is text"},
    {refuse_control_character, DD_INVALID_ARGUMENT, "dd_model_add_input: a name is text"},
    {refuse_time, DD_INVALID_ARGUMENT, "dd_model_add_variable: time is the name of the time itself"},
    {refuse_duplicate, DD_INVALID_ARGUMENT, "dd_model_add_parameter: 'a b' is declared already"},
    {refuse_no_values, DD_INVALID_ARGUMENT, "dd_model_add_parameter: k: the values are NULL"},
    {refuse_infinite_parameter, DD_INVALID_ARGUMENT, "dd_model_add_parameter: k[2]: the value is not a finite number"},
    {refuse_size, DD_LIMIT, "dd_model_add_variable: x exceeds the limit"},
    {refuse_infinite_start, DD_INVALID_ARGUMENT, "dd_model_add_variable: x: an attribute is not a finite number"},
    {refuse_bounds, DD_INVALID_ARGUMENT, "dd_model_add_variable: x[2]: min is greater than max"},
    {refuse_nominal, DD_INVALID_ARGUMENT, "dd_model_add_variable: x: nominal is 0"},
    {refuse_fixed_input, DD_INVALID_ARGUMENT, "dd_model_add_input: u: an input is given from outside"},
    {refuse_equation, DD_INVALID_ARGUMENT, "dd_model_add_equation: the right side is DD_EXPR_NONE"},
    {refuse_initial_equation, DD_INVALID_ARGUMENT, "dd_model_add_initial_equation: the left side is not an expression"},
    {refuse_truth_as_side, DD_INVALID_ARGUMENT, "dd_model_add_equation: the left side is true or false"},
};

static void wrong_arguments_are_named_and_stay(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        kit k = kit_new("M");
        refusals[i].run(k.m);
        assert_failed(&k, refusals[i].status, refusals[i].part);
    }
}

/* The cause is the first mistake, not the one where it is noticed. */
static void the_first_cause_is_reported(void **state)
{
    (void)state;
    kit k = kit_new("M");
    dd_expr x = kit_variable(k.m, "x");
    dd_expr wrong = dd_expr_call(k.m, "sinus", &x, 1);
    dd_expr e = dd_expr_add(k.m, wrong, dd_expr_call(k.m, "cosinus", &x, 1));
    assert_int_equal(e, DD_EXPR_NONE);
    assert_int_equal(dd_model_add_equation(k.m, "motion", dd_expr_der(k.m, x), e), DD_INVALID_ARGUMENT);
    assert_failed(&k, DD_INVALID_ARGUMENT, "dd_expr_call: there is no function \"sinus\"");
}

static void null_models_are_refused(void **state)
{
    (void)state;
    kit k = kit_new("M");
    dd_expr symbols[2] = {5, 5};
    dd_lagrange_input in = {0};
    const char *text = NULL;
    assert_int_equal(dd_expr_number(NULL, 1), DD_EXPR_NONE);
    assert_int_equal(dd_model_add_variable(NULL, "x", 2, NULL, symbols), DD_INVALID_ARGUMENT);
    assert_int_equal(symbols[1], DD_EXPR_NONE);
    assert_int_equal(dd_model_add_equation(NULL, "", 1, 1), DD_INVALID_ARGUMENT);
    assert_int_equal(dd_model_add_lagrange(NULL, &in), DD_INVALID_ARGUMENT);
    assert_int_equal(dd_model_flat_text(&text, NULL), DD_INVALID_ARGUMENT);
    assert_int_equal(dd_model_flat_text(NULL, k.m), DD_INVALID_ARGUMENT);
    assert_string_equal(dd_model_name(NULL), "");
    dd_model_free(NULL);
    dd_model *m = k.m;
    assert_int_equal(dd_model_new(NULL, k.ctx, "M"), DD_INVALID_ARGUMENT);
    assert_int_equal(dd_model_new(&m, k.ctx, ""), DD_INVALID_ARGUMENT);
    assert_null(m);
    kit_contains(message(&k), "dd_model_new: the name of a model");
    assert_int_equal(dd_model_new(&m, k.ctx, "a b"), DD_OK);
    assert_string_equal(dd_model_name(m), "'a b'");
    dd_model_free(m);
    kit_free(&k);
}

/* Long names and messages are cut, at a whole character. */
static void long_messages_are_cut(void **state)
{
    (void)state;
    for (int shift = 0; shift < 3; shift++) {
        kit k = kit_new("M");
        char name[900] = "";
        memset(name, 'x', (size_t)shift);
        while (strlen(name) < 800) {
            strcat(name, "\xe2\x82\xac");
        }
        dd_model_add_variable(k.m, name, 0, NULL, NULL);
        assert_int_equal(dd_model_add_variable(k.m, name, 0, NULL, NULL), DD_INVALID_ARGUMENT);
        const char *end = message(&k) + strlen(message(&k));
        assert_in_range(end - message(&k), 200, 255);
        assert_memory_equal(end - 3, "\xe2\x82\xac", 3);
        kit_free(&k);
    }
}

/* ---- what is declared ---- */

static void attributes_are_kept(void **state)
{
    (void)state;
    kit k = kit_new("M");
    dd_attributes a[2] = {dd_attributes_default(), dd_attributes_default()};
    a[0].start = 0.5, a[0].fixed = true, a[0].unit = "m", a[0].min = -INFINITY, a[0].max = 7;
    a[1].nominal = 100, a[1].doc = "place";
    dd_expr x[2];
    assert_int_equal(dd_model_add_variable(k.m, "x", 2, a, x), DD_OK);
    const dd_variable *v = &k.m->vars.data[dd_symbol_id(k.m->dag, x[0])], *w = v + 1;
    assert_true(v->has_start && v->start_value == 0.5 && v->fixed && !v->has_min && v->min_value == -INFINITY);
    assert_true(v->has_max && v->max_value == 7 && !v->has_nominal && v->nominal_value == 1);
    assert_true(!w->has_start && w->start == DD_EXPR_NONE && !w->fixed && w->has_nominal && w->nominal_value == 100);
    assert_string_equal(k.m->arrays.data[0].unit, "m");
    assert_string_equal(k.m->arrays.data[0].doc, "place");
    dd_expr u, p[2];
    double values[2] = {1, -2};
    assert_int_equal(dd_model_add_input(k.m, "u", 0, NULL, &u), DD_OK);
    assert_int_equal(dd_model_add_parameter(k.m, "p", 2, values, p), DD_OK);
    assert_int_equal(dd_op_of(k.m->dag, u), DD_OP_VAR);
    assert_int_equal(dd_op_of(k.m->dag, p[1]), DD_OP_PARAM);
    assert_true(k.m->vars.data[dd_symbol_id(k.m->dag, p[1])].value == -2);
    assert_int_equal(dd_model_add_variable(k.m, "silent", 3, NULL, NULL), DD_OK);
    kit_free(&k);
}

static void equations_are_rows(void **state)
{
    (void)state;
    kit k = kit_new("M");
    dd_expr x = kit_variable(k.m, "x"), y = kit_variable(k.m, "y");
    assert_int_equal(dd_model_add_equation(k.m, "motion", dd_expr_der(k.m, x), y), DD_OK);
    assert_int_equal(dd_model_add_initial_equation(k.m, NULL, x, y), DD_OK);
    assert_int_equal(k.m->rows.len, 1);
    assert_int_equal(k.m->rows.data[0].residual, dd_expr_sub(k.m, dd_expr_der(k.m, x), y));
    assert_string_equal(k.m->groups.data[0].doc, "motion");
    assert_int_equal(k.m->initial_rows.data[0].residual, dd_expr_sub(k.m, x, y));
    assert_string_equal(k.m->initial_groups.data[0].doc, "");
    kit_free(&k);
}

/* ---- lagrange ---- */

static void lagrange_gives_the_pendulum(void **state)
{
    (void)state;
    kit k = kit_new("Pendulum");
    assert_int_equal(kit_pendulum(k.m), DD_OK);
    assert_int_equal(k.m->rows.len, 4);
    assert_int_equal(k.m->groups.data[0].origin, DD_ORIGIN_LAGRANGE);
    assert_int_equal(k.m->groups.data[3].origin, DD_ORIGIN_CONSTRAINT);
    assert_string_equal(k.m->groups.data[2].doc, "equation of motion of p[3]");
    assert_string_equal(k.m->groups.data[3].doc, "constraint with multiplier lam[1]");
    /* m p3'' + m g + 2 lam p3 */
    dd_expr m = dd_model_symbol(k.m, 0), g = dd_model_symbol(k.m, 2), p3 = dd_model_symbol(k.m, 5),
            lam = dd_model_symbol(k.m, 6);
    dd_expr terms[3] = {dd_expr_mul(k.m, m, dd_expr_der(k.m, dd_expr_der(k.m, p3))), dd_expr_mul(k.m, m, g),
                        dd_expr_mul(k.m, dd_expr_mul(k.m, dd_expr_number(k.m, 2), lam), p3)};
    assert_int_equal(k.m->rows.data[2].residual, dd_expr_sum(k.m, terms, 3));
    kit_free(&k);
}

/* Index 3, two positions and two speeds to choose, as from text. */
static void the_pendulum_is_analysed(void **state)
{
    (void)state;
    kit k = kit_new("Pendulum");
    dd_system *s = NULL;
    assert_int_equal(kit_pendulum(k.m), DD_OK);
    assert_int_equal(dd_model_analyse(&s, k.m, NULL), DD_OK);
    assert_int_equal(dd_system_verdict(s), DD_VERDICT_OK);
    assert_int_equal(dd_system_index(s), 3);
    assert_int_equal(dd_system_dof(s), 4);
    assert_int_equal(dd_system_constraint_count(s), 1);
    assert_int_equal(dd_system_hidden_count(s), 2);
    assert_int_equal(dd_system_initial_given(s), 4);
    assert_int_equal(dd_system_initial_missing(s), 0);
    kit_contains(kit_flat(k.m), "  der(p[2]) = 1;\nequation\n"); /* what the analysis introduced is not listed */
    assert_null(strstr(kit_flat(k.m), "Real der"));
    dd_system_free(s);
    kit_free(&k);
}

/* A disk rolling without slipping: a velocity constraint, a generalised force and a force at a point. */
static void lagrange_takes_all_its_parts(void **state)
{
    (void)state;
    kit k = kit_new("Disk");
    dd_expr q[2] = {kit_variable(k.m, "x"), kit_variable(k.m, "phi")}, lam = kit_variable(k.m, "lam"), F, zero;
    assert_int_equal(dd_model_add_input(k.m, "F", 0, NULL, &F), DD_OK);
    dd_expr v = dd_expr_der(k.m, q[0]), w = dd_expr_der(k.m, q[1]), d = kit_parameter(k.m, "d", 0.1);
    zero = dd_expr_number(k.m, 0);
    dd_expr T = dd_expr_add(k.m, dd_expr_mul(k.m, v, v), dd_expr_mul(k.m, w, w));
    dd_expr D = dd_expr_mul(k.m, d, dd_expr_mul(k.m, v, v)), slip = dd_expr_sub(k.m, v, w), Q[2] = {zero, F};
    dd_expr point = dd_expr_call(k.m, "sin", &q[0], 1);
    dd_lagrange_input in = {.q = q,
                            .nq = 2,
                            .T = T,
                            .D = D,
                            .a = &slip,
                            .na = 1,
                            .lambda = &lam,
                            .Q = Q,
                            .forces = &F,
                            .points = &point,
                            .nf = 1};
    assert_int_equal(dd_model_add_lagrange(k.m, &in), DD_OK);
    assert_int_equal(k.m->rows.len, 3);
    /* 2 x'' + 2 d x' + lam - cos(x) F and 2 phi'' - lam - F */
    dd_expr two = dd_expr_number(k.m, 2);
    dd_expr first[4] = {dd_expr_mul(k.m, two, dd_expr_der(k.m, v)), dd_expr_mul(k.m, dd_expr_mul(k.m, two, d), v), lam,
                        dd_expr_neg(k.m, dd_expr_mul(k.m, dd_expr_call(k.m, "cos", &q[0], 1), F))};
    dd_expr second[3] = {dd_expr_mul(k.m, two, dd_expr_der(k.m, w)), dd_expr_neg(k.m, lam), dd_expr_neg(k.m, F)};
    assert_int_equal(k.m->rows.data[0].residual, dd_expr_sum(k.m, first, 4));
    assert_int_equal(k.m->rows.data[1].residual, dd_expr_sum(k.m, second, 3));
    assert_int_equal(k.m->rows.data[2].residual, slip);
    kit_free(&k);
}

/* One wrong part each. */
static void lagrange_refuses(void **state)
{
    (void)state;
    static const char *const parts[] = {"q is empty",
                                        "T is DD_EXPR_NONE",
                                        "q[1] is not a variable of the model",
                                        "x appears twice in q",
                                        "lambda is NULL, but should have 1 element",
                                        "x is a coordinate and cannot appear in lambda",
                                        "V contains z, which is neither a coordinate",
                                        "V contains der(x), but may depend on positions only",
                                        "T contains a higher derivative of x",
                                        "a[0] is not linear in the derivatives",
                                        "Q[1] is DD_EXPR_NONE",
                                        "points is NULL",
                                        "c contains der(x)",
                                        "the input is NULL",
                                        "q[0] is DD_EXPR_NONE"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        kit k = kit_new("M");
        dd_expr x = kit_variable(k.m, "x"), y = kit_variable(k.m, "y"), z = kit_variable(k.m, "z"),
                lam = kit_variable(k.m, "lam");
        dd_expr dx = dd_expr_der(k.m, x), q[2] = {x, y}, list[2] = {x, DD_EXPR_NONE}, square = dd_expr_mul(k.m, dx, dx);
        dd_lagrange_input in = {.q = q, .nq = 2, .T = square};
        switch (i) {
        case 0:
            in.nq = 0;
            break;
        case 1:
            in.T = DD_EXPR_NONE;
            break;
        case 2:
            q[1] = dx;
            break;
        case 3:
            q[1] = x;
            break;
        case 4:
            in.c = &x, in.nc = 1;
            break;
        case 5:
            in.c = &x, in.nc = 1, in.lambda = &x;
            break;
        case 6:
            in.V = dd_expr_mul(k.m, x, z);
            break;
        case 7:
            in.V = dx;
            break;
        case 8:
            in.T = dd_expr_der(k.m, dx);
            break;
        case 9:
            in.a = &square, in.na = 1, in.lambda = &lam;
            break;
        case 10:
            in.Q = list;
            break;
        case 11:
            in.forces = &x, in.nf = 1;
            break;
        case 12:
            in.c = &dx, in.nc = 1, in.lambda = &lam;
            break;
        case 14:
            q[0] = DD_EXPR_NONE;
            break;
        default:
            break;
        }
        assert_int_equal(dd_model_add_lagrange(k.m, i == 13 ? NULL : &in), DD_INVALID_ARGUMENT);
        kit_contains(message(&k), "dd_model_add_lagrange: ");
        kit_contains(message(&k), parts[i]);
        assert_int_equal(k.m->rows.len, 0);
        kit_free(&k);
    }
}

/* ---- memory ---- */

typedef struct counting {
    size_t bytes;
} counting;

static void *counting_alloc(void *user, void *ptr, size_t old_size, size_t new_size)
{
    counting *c = user;
    if (new_size == 0) {
        c->bytes -= old_size;
        free(ptr);
        return NULL;
    }
    void *result = realloc(ptr, new_size);
    c->bytes += result ? new_size - old_size : 0;
    return result;
}

static dd_status build_and_print(dd_context *ctx)
{
    dd_model *m = NULL;
    dd_status status = dd_model_new(&m, ctx, "Pendulum");
    if (status == DD_OK) {
        const char *text = NULL;
        status = kit_pendulum(m);
        dd_status flat = dd_model_flat_text(&text, m);
        status = status != DD_OK ? status : flat;
        char buffer[64];
        dd_expr_print(m, 5, buffer, sizeof buffer); /* may fail as well, with nothing left behind */
    }
    dd_model_free(m);
    return status;
}

/* The n-th allocation fails, for every n: a clean status, a message, no leak. */
static void every_failing_allocation_is_survived(void **state)
{
    (void)state;
    uint64_t n = 1;
    for (;; n++) {
        counting count = {0};
        dd_context_options options = dd_context_options_default();
        options.alloc = counting_alloc;
        options.alloc_user = &count;
        options.fail_at = n;
        dd_context *ctx = NULL;
        dd_status status = dd_context_new(&ctx, &options);
        bool reached = true;
        if (status == DD_OK) {
            const size_t empty = dd_context_memory(ctx);
            status = build_and_print(ctx);
            assert_int_equal(dd_context_memory(ctx), empty);
            if (status != DD_OK) {
                kit_contains(dd_context_message(ctx), "memory");
            }
            reached = dd_context_allocations(ctx) >= n;
            dd_context_free(ctx);
        }
        assert_int_equal(count.bytes, 0);
        if (!reached) {
            assert_int_equal(status, DD_OK);
            break;
        }
        assert_true(status == DD_OUT_OF_MEMORY || status == DD_OK); /* OK: only the print at the end was hit */
    }
    assert_true(n > 30);
}

static void memory_limits_hold(void **state)
{
    (void)state;
    dd_context_options options = dd_context_options_default();
    options.max_memory = 64 * 1024;
    dd_context *ctx;
    assert_int_equal(dd_context_new(&ctx, &options), DD_OK);
    dd_model *m;
    assert_int_equal(dd_model_new(&m, ctx, "M"), DD_OK);
    assert_int_equal(dd_model_add_variable(m, "x", 100000, NULL, NULL), DD_OUT_OF_MEMORY);
    kit_contains(dd_context_message(ctx), "dd_model_add_variable: ");
    assert_int_equal(dd_expr_time(m), DD_EXPR_NONE);
    dd_model_free(m);
    dd_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arithmetic_is_canonical),
        cmocka_unit_test(functions_go_by_name),
        cmocka_unit_test(conditions_select),
        cmocka_unit_test(derivatives),
        cmocka_unit_test(derivatives_have_a_limit),
        cmocka_unit_test(printing_follows_snprintf),
        cmocka_unit_test(wrong_arguments_are_named_and_stay),
        cmocka_unit_test(the_first_cause_is_reported),
        cmocka_unit_test(null_models_are_refused),
        cmocka_unit_test(long_messages_are_cut),
        cmocka_unit_test(attributes_are_kept),
        cmocka_unit_test(equations_are_rows),
        cmocka_unit_test(lagrange_gives_the_pendulum),
        cmocka_unit_test(the_pendulum_is_analysed),
        cmocka_unit_test(lagrange_takes_all_its_parts),
        cmocka_unit_test(lagrange_refuses),
        cmocka_unit_test(every_failing_allocation_is_survived),
        cmocka_unit_test(memory_limits_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
