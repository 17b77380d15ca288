/* test_dag.c - numbers, canonical forms, symbols, linear parts, limits and failing memory. */
#include "dag_support.h"

#include "../base/support.h"
#include "eval/tape.h"
#include "expr/ratio.h"
#include "sizes.h"

/* ---- numbers ---- */

static void assert_rational(dd_dag *dag, dd_expr e, int64_t num, int64_t den)
{
    int64_t n, d;
    assert_int_equal(dd_op_of(dag, e), DD_OP_NUM);
    assert_true(dd_num_rational(dag, e, &n, &d));
    assert_int_equal(n, num);
    assert_int_equal(d, den);
    assert_true(dd_num_value(dag, e) == (double)num / (double)den);
}

static void numbers_are_exact_where_they_fit(dd_dag *dag, dd_pool *pool)
{
    (void)pool;
    int64_t n, d;
    assert_rational(dag, dd_num(dag, 0.1), 1, 10);
    assert_rational(dag, dd_num(dag, 9.81), 981, 100);
    assert_rational(dag, dd_num(dag, -0.0), 0, 1);
    assert_rational(dag, dd_num(dag, 1e-7), 1, 10000000);
    assert_rational(dag, dd_num(dag, ldexp(1, -20)), 1, 1 << 20);
    assert_rational(dag, dd_num(dag, 9007199254740992.0), INT64_C(9007199254740992), 1);
    assert_rational(dag, dd_num(dag, 1e18), INT64_C(1000000000000000000), 1);
    assert_false(dd_num_rational(dag, dd_num(dag, 1.0 / 3), &n, &d));
    assert_false(dd_num_rational(dag, dd_num(dag, 3.14159265358979312), &n, &d));
    assert_false(dd_num_rational(dag, dd_num(dag, 1e300), &n, &d));
    assert_true(dd_num_value(dag, dd_num(dag, 1.0 / 3)) == 1.0 / 3);
    assert_rational(dag, dd_rational(dag, 6, -4), -3, 2);
    assert_rational(dag, dd_add(dag, dd_num(dag, 0.1), dd_num(dag, 0.2)), 3, 10);
    assert_rational(dag, dd_div(dag, dd_num(dag, 1), dd_num(dag, 3)), 1, 3);
    assert_rational(dag, dd_pow(dag, dd_num(dag, 2), dd_num(dag, 10)), 1024, 1);
    assert_rational(dag, dd_pow(dag, dd_num(dag, 1.5), dd_num(dag, -2)), 4, 9);
    assert_rational(dag, dd_sqrt(dag, dd_num(dag, 4)), 2, 1);
    assert_rational(dag, dd_pow(dag, dd_rational(dag, 8, 27), dd_rational(dag, 2, 3)), 4, 9);
    assert_true(dd_num_value(dag, dd_sqrt(dag, dd_num(dag, 2))) == sqrt(2));
    /* what does not fit falls to double with the right value */
    dd_expr big = dd_rational(dag, INT64_MAX, 1);
    assert_true(dd_num_value(dag, dd_mul(dag, big, big)) == (double)INT64_MAX * (double)INT64_MAX);
    assert_true(dd_num_value(dag, dd_add(dag, big, big)) == 2 * (double)INT64_MAX);
    assert_true(dd_num_value(dag, dd_rational(dag, INT64_MIN, 1)) == -ldexp(1, 63));
    assert_true(dd_num_value(dag, dd_rational(dag, INT64_MIN, INT64_MIN)) == 1);
    assert_true(dd_num_value(dag, dd_rational(dag, 1, INT64_MIN)) == -ldexp(1, -63));
}

static dd_expr decimal(dd_dag *dag, const char *s)
{
    return dd_decimal(dag, s, strlen(s));
}

static void literals_are_read(dd_dag *dag, dd_pool *pool)
{
    (void)pool;
    static const char *const texts[] = {"0.1",
                                        "12",
                                        "1e-3",
                                        "1.5E+2",
                                        "0.000",
                                        "3.14159265358979323846264338327950288",
                                        "6.02214076e23",
                                        "1e-320",
                                        "123456789012345.6",
                                        "0.3333333333333333",
                                        "1.633123935319537e16",
                                        "18446744073709551616",
                                        "1e400",
                                        ".5",
                                        "2."};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        assert_int_equal(decimal(dag, texts[i]), dd_num(dag, strtod(texts[i], NULL)));
    }
    assert_rational(dag, decimal(dag, "0.1"), 1, 10);
    assert_rational(dag, decimal(dag, "9007199254740993"), INT64_C(9007199254740993), 1);
    assert_int_equal(dd_decimal(dag, "0.15", 3), dd_num(dag, 0.1)); /* only what belongs to it */
    char text[300] = "0.";
    memset(text + 2, '0', 100);
    strcpy(text + 102, "12345678901234567890123456789012345678901234567890123456789012345678901234567890e101");
    assert_true(dd_num_value(dag, decimal(dag, text)) == strtod(text, NULL));
    memset(text, '9', 290);
    text[290] = 0;
    assert_true(dd_num_value(dag, decimal(dag, text)) == strtod(text, NULL));
}

static void functions_of_numbers(dd_dag *dag, dd_pool *pool)
{
    (void)pool;
    static const struct {
        const char *text;
        const char *result;
    } cases[] = {{"sin(0)", "0"},
                 {"cos(0)", "1"},
                 {"exp(0)", "1"},
                 {"log(1)", "0"},
                 {"sqrt(4)", "2"},
                 {"acos(1)", "0"},
                 {"log10(1000)", "3"},
                 {"floor(-1.5)", "-2"},
                 {"ceil(-1.5)", "-1"},
                 {"abs(-1/3)", "1/3"},
                 {"sign(-2)", "-1"},
                 {"mod(7, 3)", "1"},
                 {"mod(-1, 3)", "2"},
                 {"mod(0.7, 0.2)", "0.1"},
                 {"min(2, 1/3)", "1/3"},
                 {"max(2, 3)", "3"},
                 {"1 < 2", "1"},
                 {"2 <= 1", "0"},
                 {"1 == 1", "1"},
                 {"1 <> 1", "0"},
                 {"not 1 < 2", "0"},
                 {"atan2(0, 1)", "0"},
                 {"1 < 2 and 2 < 3", "1"},
                 {"1 > 2 or 2 > 3", "0"},
                 {"if 1 < 2 then x else y", "x"},
                 {"sinh(0)", "0"},
                 {"log(0)", "log(0)"},
                 {"sqrt(-1)", "sqrt(-1)"},
                 {"asin(2)", "asin(2)"},
                 {"1/0", "1/0"},
                 {"mod(1, 0)", "mod(1, 0)"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_string_equal(print_with(dag, parse(dag, cases[i].text), &plain_namer), cases[i].result);
    }
    assert_true(dd_num_value(dag, parse(dag, "sin(1)")) == sin(1));
    assert_true(dd_num_value(dag, parse(dag, "atan2(1, -1)")) == atan2(1, -1));
}

/* ---- canonical forms ---- */

static void equal_expressions_are_equal(dd_dag *dag, dd_pool *pool)
{
    (void)pool;
    static const char *const pairs[][2] = {
        {"x + y", "y + x"},
        {"x - x", "0"},
        {"x + x", "2*x"},
        {"x*y*x", "x^2*y"},
        {"x/x", "1"},
        {"0*log(x)", "0"},
        {"2*(x + y)", "2*x + 2*y"},
        {"(x + y) + (z - x)", "y + z"},
        {"x/(y*z)", "x/y/z"},
        {"(2*x)^2", "4*x^2"},
        {"(x^3)^2", "x^6"},
        {"sqrt(x)^2", "x"},
        {"sqrt(1/x)", "x^(-0.5)"},
        {"x^a*x^b", "x^(a + b)"},
        {"x*x^a", "x^(a + 1)"},
        {"sqrt(x*y)*sqrt(x*y)*x", "x^2*y"},
        {"(2*a + 2*b)*x", "2*(a + b)*x"},
        {"x/(2*a + 4*b)", "0.5*x/(a + 2*b)"},
        {"(2*a + 2*b)*(a + b)", "2*(a + b)^2"},
        {"x^0", "1"},
        {"1^x", "1"},
        {"x^1", "x"},
        {"x*2*3", "6*x"},
        {"x/3*3", "x"},
        {"0.1*x + 0.2*x", "0.3*x"},
        {"sin(-2*x)", "-sin(2*x)"},
        {"cos(-x)", "cos(x)"},
        {"abs(-x)", "abs(x)"},
        {"log(exp(x))", "x"},
        {"exp(log(x))", "x"},
        {"min(x, x)", "x"},
        {"x < x", "0"},
        {"x <= x", "1"},
        {"x > y", "y < x"},
        {"not x < y", "y <= x"},
        {"not (not (x < y and y < z))", "x < y and y < z"},
        {"x < y and y < z and x < y", "x < y and y < z"},
        {"if not (x < y and y < z) then x else y", "if x < y and y < z then y else x"},
        {"if x < y then z else z", "z"},
        {"if x < y then if x < y then 1 else 2 else 3", "if x < y then 1 else 3"},
        {"-(x - y)", "y - x"},
        {"x*(y + z) - x*y - x*z", "x*(y + z) - x*y - x*z"}};
    static const char *const different[][2] = {
        {"sqrt(x^2)", "x"}, {"(x^2)^0.5", "abs(x)"}, {"x*(y + z)", "x*y + x*z"}, {"x - y", "y - x"}, {"x^2^1", "x"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        if (parse(dag, pairs[i][0]) != parse(dag, pairs[i][1])) {
            fail_msg("%s is %s, not %s", pairs[i][0], print_with(dag, parse(dag, pairs[i][0]), &plain_namer),
                     pairs[i][1]);
        }
    }
    for (size_t i = 0; i + 1 < sizeof different / sizeof *different; i++) {
        assert_int_not_equal(parse(dag, different[i][0]), parse(dag, different[i][1]));
    }
}

/* The invariants of the header, for every node that is there. */
static void assert_canonical(dd_dag *dag)
{
    for (dd_expr e = 1; e < dd_dag_count(dag); e++) {
        dd_op op = dd_op_of(dag, e);
        uint32_t n = dd_arg_count(dag, e);
        for (uint32_t i = 0; i < n; i++) {
            dd_expr a = dd_arg(dag, e, i);
            assert_true(a < e && a != DD_EXPR_NONE);
            if (op == DD_OP_ADD || op == DD_OP_MUL) {
                assert_true(n >= 2 && dd_op_of(dag, a) != op);
                bool is_num = dd_op_of(dag, a) == DD_OP_NUM;
                assert_true(!is_num || i == 0);
                assert_false(is_num && (dd_is_num(dag, a, 0) || (op == DD_OP_MUL && dd_is_num(dag, a, 1))));
                assert_true(i < 2 || dd_arg(dag, e, i - 1) < a);
                assert_false(op == DD_OP_MUL && n == 2 && i == 1 && dd_op_of(dag, dd_arg(dag, e, 0)) == DD_OP_NUM &&
                             dd_op_of(dag, a) == DD_OP_ADD);
            }
        }
    }
}

static void random_nodes_are_canonical(dd_dag *dag, dd_pool *pool)
{
    for (int round = 0; round < TEST_SIZE(1000, 3000); round++) {
        tree_count = 0;
        dd_expr e = tree_to_dag(dag, random_tree(5, false));
        dd_expr_vec symbols = {0}, partials = {0};
        dd_partials(dag, e, true, &symbols, &partials, pool);
        dd_total_derivative(dag, e, NULL, NULL);
    }
    assert_canonical(dag);
}

static void sums_cancel_rounding_noise(dd_dag *dag, dd_pool *pool)
{
    (void)pool;
    dd_expr x = dd_var(dag, 0, 0), third = dd_num(dag, 1.0 / 3), sine = dd_num(dag, sin(1)),
            cosine = dd_num(dag, cos(1));
    dd_expr terms[] = {dd_mul(dag, dd_mul(dag, sine, sine), x), dd_mul(dag, dd_mul(dag, cosine, cosine), x),
                       dd_neg(dag, x)};
    assert_true(dd_is_num(dag, dd_sum(dag, terms, 3), 0));
    assert_false(dd_is_num(dag, dd_sub(dag, third, dd_rational(dag, 3, 10)), 0));
}

static void long_sums(dd_dag *dag, dd_pool *pool)
{
    enum { N = TEST_SIZE(30000, 300000) };
    dd_expr *terms = dd_pool_alloc_array(pool, 2 * N, sizeof *terms);
    for (uint32_t i = 0; i < N; i++) {
        dd_expr x = dd_var(dag, (i * 7919u) % N, 0);
        terms[2 * i] = dd_mul(dag, dd_num(dag, 2), x);
        terms[2 * i + 1] = dd_mul(dag, x, dd_param(dag, i % 10));
    }
    dd_expr s = dd_sum(dag, terms, 2 * N);
    assert_int_equal(dd_arg_count(dag, s), 2 * N);
    for (uint32_t i = 0; i < N; i++) {
        terms[2 * i] = dd_mul(dag, dd_num(dag, -2), dd_var(dag, i, 0));
        terms[2 * i + 1] = dd_neg(dag, terms[2 * i + 1]);
    }
    dd_expr t = dd_sum(dag, terms, 2 * N);
    assert_true(dd_is_num(dag, dd_add(dag, s, t), 0));
    dd_expr p = dd_product(dag, terms, 1000);
    assert_int_equal(dd_op_of(dag, p), DD_OP_MUL);
    dd_expr_vec symbols = {0}, partials = {0};
    dd_partials(dag, s, false, &symbols, &partials, pool);
    assert_int_equal(symbols.len, N);
}

/* 3*10^5 nested functions: nothing may recurse over the depth. */
static void deep_nesting(dd_dag *dag, dd_pool *pool)
{
    dd_expr x = dd_var(dag, 0, 0), e = x;
    for (int i = 0; i < 300000; i++) {
        e = dd_unary(dag, DD_OP_SIN, dd_add(dag, e, dd_num(dag, 1)));
    }
    assert_true(dd_depends(dag, e, x));
    assert_false(dd_depends(dag, e, dd_param(dag, 5)));
    dd_text out = dd_text_new(pool);
    dd_print(dag, e, &plain_namer, &out);
    assert_int_equal(out.len, 300000u * strlen("sin( + 1)") + 1);
}

/* The derivative of nested functions is one long product, so the depth is less here. */
static void deep_derivatives(dd_dag *dag, dd_pool *pool)
{
    dd_expr x = dd_var(dag, 0, 0), e = x;
    for (int i = 0; i < 2000; i++) {
        e = dd_unary(dag, DD_OP_SIN, dd_add(dag, e, dd_num(dag, 1)));
    }
    dd_expr d = dd_diff(dag, e, x);
    assert_int_equal(dd_op_of(dag, d), DD_OP_MUL);
    assert_int_equal(dd_arg_count(dag, d), 2000);
    dd_expr_vec symbols = {0}, partials = {0};
    dd_partials(dag, e, false, &symbols, &partials, pool);
    assert_int_equal(symbols.len, 1);
    assert_int_equal(partials.data[0], d);
}

/* ---- symbols, linear parts, expansion ---- */

static void symbols_are_found(dd_dag *dag, dd_pool *pool)
{
    dd_expr e = parse(dag, "a*sin(x) + time*der(y)/(z + 1) - 2*x");
    dd_expr_vec vars = {0}, all = {0};
    dd_symbols(dag, e, false, &vars, pool);
    dd_symbols(dag, e, true, &all, pool);
    assert_int_equal(vars.len, 3);
    assert_int_equal(all.len, 5);
    assert_true(dd_depends(dag, e, dd_var(dag, 1, 1)));
    assert_false(dd_depends(dag, e, dd_var(dag, 1, 0)));
    assert_true(dd_depends(dag, e, dd_time(dag)));
}

static void check_linear(dd_dag *dag, const char *text, const char *cx, const char *cy, const char *rest_text)
{
    dd_expr symbols[] = {dd_var(dag, 0, 0), dd_var(dag, 1, 0)}, c[2] = {0}, rest = 0;
    bool linear = dd_linear(dag, parse(dag, text), symbols, 2, c, &rest);
    assert_int_equal(linear, cx != NULL);
    if (cx == NULL) {
        assert_int_equal(c[0] | c[1] | rest, 0);
        return;
    }
    assert_string_equal(print_with(dag, c[0], &plain_namer), cx);
    assert_string_equal(print_with(dag, c[1], &plain_namer), cy);
    assert_string_equal(print_with(dag, rest, &plain_namer), rest_text);
}

/* In x alone, in one step and in two. */
static void check_linear_in_x(dd_dag *dag, const char *text, const char *cx, const char *rest_text)
{
    dd_expr x = dd_var(dag, 0, 0), e = parse(dag, text), c = 7, d = 7, rest = 7;
    assert_int_equal(dd_linear(dag, e, &x, 1, &c, &rest), cx != NULL);
    assert_int_equal(dd_linear_coefficients(dag, e, &x, 1, &d), cx != NULL);
    assert_int_equal(c, d);
    if (cx == NULL) {
        assert_int_equal(c, 7);
        assert_int_equal(rest, 7);
        return;
    }
    assert_string_equal(print_with(dag, c, &plain_namer), cx);
    assert_string_equal(print_with(dag, rest, &plain_namer), rest_text);
    assert_int_equal(dd_linear_rest(dag, e, &x, 1), rest);
}

static void linear_parts(dd_dag *dag, dd_pool *pool)
{
    (void)pool;
    parse(dag, "x + y + z + a + b"); /* fixes the order */
    check_linear_in_x(dag, "x - y*z + sin(a)", "1", "sin(a) - y*z");
    check_linear_in_x(dag, "y - 2.5*x", "-2.5", "y");
    check_linear_in_x(dag, "x + x*y + z", "y + 1", "z");
    check_linear_in_x(dag, "x", "1", "0");
    check_linear_in_x(dag, "3*x", "3", "0");
    check_linear_in_x(dag, "x + x^2", NULL, NULL);
    check_linear_in_x(dag, "2*x + sin(x + y)", NULL, NULL);
    check_linear(dag, "2*x - y/3 + z", "2", "-1/3", "z");
    check_linear(dag, "a*(x + b*y)/sin(z) - 1", "a/sin(z)", "a*b/sin(z)", "-1");
    check_linear(dag, "if z > 0 then x else 3*y + 1", "if 0 < z then 1 else 0", "if 0 < z then 0 else 3",
                 "if 0 < z then 0 else 1");
    check_linear(dag, "z^2", "0", "0", "z^2");
    check_linear(dag, "z*(x + 1) - z*x", "0", "0", "z");
    check_linear(dag, "x*y", NULL, NULL, NULL);
    check_linear(dag, "sin(x)", NULL, NULL, NULL);
    check_linear(dag, "x^2", NULL, NULL, NULL);
    check_linear(dag, "1/x", NULL, NULL, NULL);
    check_linear(dag, "z^x", NULL, NULL, NULL);
    check_linear(dag, "if x > 0 then x else y", NULL, NULL, NULL);
    check_linear(dag, "max(x, y)", NULL, NULL, NULL);
}

static void expansion_decides(dd_dag *dag, dd_pool *pool)
{
    (void)pool;
    static const char *const zero[] = {"(x + y)^2 - x^2 - 2*x*y - y^2",
                                       "(x + y)*(x - y) - x^2 + y^2",
                                       "(x + 1)^5 - x^5 - 5*x^4 - 10*x^3 - 10*x^2 - 5*x - 1",
                                       "sin((x + y)*z) - sin(x*z + y*z)",
                                       "sqrt(x + y)*z*sqrt(x + y) - x*z - y*z",
                                       "(x - y)*z + (y - x)*z"};
    for (size_t i = 0; i < sizeof zero / sizeof *zero; i++) {
        dd_expr e = parse(dag, zero[i]);
        assert_true(dd_is_num(dag, dd_expand(dag, e, 100), 0));
    }
    dd_expr big = parse(dag, "(x + y + z + u + v)^20");
    assert_int_equal(dd_expand(dag, big, 100), big);
}

/* ---- derivatives in closed form ---- */

static void known_derivatives(dd_dag *dag, dd_pool *pool)
{
    (void)pool;
    static const char *const cases[][2] = {{"sin(x)", "cos(x)"},
                                           {"cos(2*x)", "-2*sin(2*x)"},
                                           {"tan(x)", "1 + tan(x)^2"},
                                           {"asin(x)", "1/sqrt(1 - x^2)"},
                                           {"acos(x)", "-1/sqrt(1 - x^2)"},
                                           {"atan(x)", "1/(1 + x^2)"},
                                           {"sinh(x)", "cosh(x)"},
                                           {"cosh(x)", "sinh(x)"},
                                           {"tanh(x)", "1 - tanh(x)^2"},
                                           {"exp(3*x)", "3*exp(3*x)"},
                                           {"log(x)", "1/x"},
                                           {"sqrt(x)", "0.5/sqrt(x)"},
                                           {"x^5", "5*x^4"},
                                           {"x^a", "a*x^(a - 1)"},
                                           {"a^x", "a^x*log(a)"},
                                           {"abs(x)", "sign(x)"},
                                           {"floor(x)", "0"},
                                           {"sign(x)", "0"},
                                           {"mod(x, y)", "1"},
                                           {"mod(y, x)", "-floor(y/x)"},
                                           {"min(x, 3)", "if x <= 3 then 1 else 0"},
                                           {"max(x, x^2)", "if x^2 <= x then 1 else 2*x"},
                                           {"if x < y then sqrt(x) else x^2", "if x < y then 0.5/sqrt(x) else 2*x"},
                                           {"atan2(x, y)", "y/(x^2 + y^2)"},
                                           {"atan2(y, x)", "-y/(x^2 + y^2)"},
                                           {"noEvent(x^2)", "2*x"},
                                           {"sqrt(if x < y then 0 else x)*0 + x", "1"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dd_expr e = parse(dag, cases[i][0]), expected = parse(dag, cases[i][1]);
        dd_expr x = dd_var(dag, 0, 0), forward = dd_diff(dag, e, x);
        dd_expr_vec symbols = {0}, partials = {0};
        dd_partials(dag, e, false, &symbols, &partials, pool);
        dd_expr reverse = dd_rational(dag, 0, 1);
        for (uint32_t k = 0; k < symbols.len; k++) {
            reverse = symbols.data[k] == x ? partials.data[k] : reverse;
        }
        if (dd_op_of(dag, forward) == DD_OP_NOEVENT) {
            forward = dd_arg(dag, forward, 0);
        }
        if (forward != expected || reverse != expected) {
            fail_msg("d/dx %s: forward %s, reverse %s, not %s", cases[i][0], print_with(dag, forward, &plain_namer),
                     print_with(dag, reverse, &plain_namer), cases[i][1]);
        }
    }
}

/* A shared argument under several selections: no product of zero with something infinite. */
static void selections_are_guarded(dd_dag *dag, dd_pool *pool)
{
    static const char *const texts[] = {"if x > 0 then sqrt(x) else 0",
                                        "if x > 0 then log(x)*sqrt(x) + (if y > 0 then log(x) else 0) else y"};
    for (size_t i = 0; i < 2; i++) {
        dd_expr e = parse(dag, texts[i]);
        dd_expr_vec symbols = {0}, partials = {0};
        dd_partials(dag, e, false, &symbols, &partials, pool);
        for (uint32_t k = 0; k < symbols.len; k++) {
            dd_tape *tape =
                dd_tape_new(pool, dag, (dd_expr[]){dd_var(dag, 0, 0), dd_var(dag, 1, 0)}, 2, &partials.data[k], 1);
            double out;
            dd_tape_eval(tape, (double[]){0, 1}, &out);
            assert_true(isfinite(out));
        }
    }
}

/* ---- limits and failing memory ---- */

static void use_many_nodes(void *pool)
{
    dd_dag *dag = dd_dag_new(pool, 1000);
    for (uint32_t i = 0; i < 2000; i++) {
        dd_var(dag, i, 0);
    }
}

static void test_node_limit(void **state)
{
    (void)state;
    dd_context *ctx;
    assert_int_equal(dd_context_new(&ctx, NULL), DD_OK);
    dd_pool *pool = dd_pool_new(ctx);
    assert_int_equal(dd_protect(ctx, use_many_nodes, pool), DD_LIMIT);
    assert_non_null(strstr(dd_context_message(ctx), "1000"));
    dd_pool_free(pool);
    dd_context_free(ctx);
}

static void script(void *pool)
{
    dd_dag *dag = dd_dag_new(pool, 0);
    dd_expr terms[100], symbols[2], coefficients[2], rest;
    for (uint32_t i = 0; i < 100; i++) {
        terms[i] = dd_mul(dag, dd_var(dag, i, 0), dd_unary(dag, DD_OP_SIN, dd_var(dag, i / 2, 1)));
    }
    dd_expr s = dd_sum(dag, terms, 100), p = dd_product(dag, terms, 60);
    dd_expr e = dd_if(dag, dd_binary(dag, DD_OP_LT, terms[0], terms[1]), dd_mul(dag, s, p), dd_pow(dag, s, p));
    dd_expr_vec found = {0}, partials = {0};
    dd_partials(dag, dd_if(dag, dd_binary(dag, DD_OP_LT, terms[3], terms[1]), s, dd_pow(dag, s, terms[1])), true,
                &found, &partials, pool);
    dd_total_derivative(dag, s, NULL, NULL);
    symbols[0] = dd_var(dag, 99, 0);
    symbols[1] = dd_var(dag, 98, 0);
    dd_linear(dag, s, symbols, 2, coefficients, &rest);
    dd_expand(dag, dd_pow(dag, dd_add(dag, terms[0], terms[1]), dd_num(dag, 5)), 100);
    dd_text out = dd_text_new(pool);
    dd_print(dag, s, &(dd_namer){.name = test_name, .element = test_element, .array_name = test_array_name}, &out);
    dd_expr_vec inputs = {0};
    dd_symbols(dag, e, true, &inputs, pool);
    dd_tape *tape = dd_tape_new(pool, dag, inputs.data, inputs.len, &e, 1);
    double *in = dd_pool_alloc_array(pool, 5 * (size_t)inputs.len, sizeof *in), o[5];
    dd_tape_eval(tape, in, o);
    dd_tape_eval_taylor(tape, 4, in, o);
}

static void test_failing_memory(void **state)
{
    (void)state;
    assert_true(sweep_failures(script) > 50);
}

DAG_TEST(numbers_are_exact_where_they_fit)
DAG_TEST(literals_are_read)
DAG_TEST(functions_of_numbers)
DAG_TEST(equal_expressions_are_equal)
DAG_TEST(random_nodes_are_canonical)
DAG_TEST(sums_cancel_rounding_noise)
DAG_TEST(long_sums)
DAG_TEST(deep_nesting)
DAG_TEST(deep_derivatives)
DAG_TEST(symbols_are_found)
DAG_TEST(linear_parts)
DAG_TEST(expansion_decides)
DAG_TEST(known_derivatives)
DAG_TEST(selections_are_guarded)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_are_exact_where_they_fit),
        cmocka_unit_test(test_literals_are_read),
        cmocka_unit_test(test_functions_of_numbers),
        cmocka_unit_test(test_equal_expressions_are_equal),
        cmocka_unit_test(test_random_nodes_are_canonical),
        cmocka_unit_test(test_sums_cancel_rounding_noise),
        cmocka_unit_test(test_long_sums),
        cmocka_unit_test(test_deep_nesting),
        cmocka_unit_test(test_deep_derivatives),
        cmocka_unit_test(test_symbols_are_found),
        cmocka_unit_test(test_linear_parts),
        cmocka_unit_test(test_expansion_decides),
        cmocka_unit_test(test_known_derivatives),
        cmocka_unit_test(test_selections_are_guarded),
        cmocka_unit_test(test_node_limit),
        cmocka_unit_test(test_failing_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
