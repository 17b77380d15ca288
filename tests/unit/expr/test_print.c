/* test_print.c - the text of expressions: order, signs, parentheses, arrays; and that it reads back. */
#include "dag_support.h"

typedef struct text_case {
    const char *text, *printed; /* printed NULL: the same text */
} text_case;

static void check_texts(dd_dag *dag, const dd_namer *namer, const text_case *cases, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        dd_expr e = parse(dag, cases[i].text);
        const char *expected = cases[i].printed != NULL ? cases[i].printed : cases[i].text;
        const char *printed = print_with(dag, e, namer);
        assert_string_equal(printed, expected);
        if (namer == &plain_namer) {
            assert_int_equal(parse(dag, printed), e);
        }
    }
}
#define CHECK(dag, namer, cases) check_texts(dag, namer, cases, sizeof cases / sizeof *cases)

static void scalars(dd_dag *dag, dd_pool *pool)
{
    (void)pool;
    parse(dag, "a + b + c + d + x + y + z + u + v + w"); /* fixes the order */
    static const text_case cases[] = {
        {"x - y", NULL},
        {"-x + y", "y - x"},
        {"-x - y", NULL},
        {"1 - x", NULL},
        {"x + 1", NULL},
        {"-1 - x", "-x - 1"},
        {"2*x", NULL},
        {"-2*x", NULL},
        {"0.5*x", NULL},
        {"x/2", "0.5*x"},
        {"x/3", NULL},
        {"-2*x/3", NULL},
        {"1/3", NULL},
        {"-1/3", NULL},
        {"x + 1/3", NULL},
        {"1/x", NULL},
        {"-1/x", NULL},
        {"2/x", NULL},
        {"1/(3*x)", NULL},
        {"a*x/(b*y)", NULL},
        {"a/b/c", "a/(b*c)"},
        {"a/b^2", NULL},
        {"1/sqrt(x)", NULL},
        {"sqrt(x + y)", NULL},
        {"x^1.5", NULL},
        {"x^(1/3)", NULL},
        {"x^(-3)", "1/x^3"},
        {"x^(-y)", NULL},
        {"x^(y + 1)", NULL},
        {"(x + y)^2", NULL},
        {"(x^y)^z", NULL},
        {"x^(y^z)", NULL},
        {"(-x)^y", NULL},
        {"2^x", NULL},
        {"(-2)^x", NULL},
        {"(1/3)^x", NULL},
        {"-x^2", NULL},
        {"a*(x + y)", NULL},
        {"2*a*(x + y)", NULL},
        {"a/(x + y)", NULL},
        {"(x + y)*(z + u)", NULL},
        {"-a*(x + y)", NULL},
        {"x - (y - z)", "x - y + z"},
        {"sin(x)*cos(y)", NULL},
        {"atan2(x + 1, -y)", NULL},
        {"x < y", NULL},
        {"x > y", "y < x"},
        {"x < y and y < z or z < u", NULL},
        {"(x < y or y < z) and z < u", "z < u and (x < y or y < z)"},
        {"not (x < y and y < z)", NULL},
        {"if x < y then x elseif y < z then y else z", NULL},
        {"1 + (if x < y then x else y)", "(if x < y then x else y) + 1"},
        {"2*(if x < y then x else y)", NULL},
        {"sin(if x < y then x else y)", NULL},
        {"if x < y then (if y < z then 1 else 2) else 3", NULL},
        {"der(x)", NULL},
        {"2*der(x) + der(der(x))", NULL},
        {"time*x", "x*time"},
        {"1e-7*x", NULL},
        {"1e20*x", NULL},
        {"9.81*a", NULL},
        {"1000000*x", NULL},
        {"noEvent(x < y)", NULL},
        {"homotopy(x, y)", NULL},
    };
    CHECK(dag, &plain_namer, cases);
}

static void arrays(dd_dag *dag, dd_pool *pool)
{
    (void)pool;
    parse(dag, "a + b + x + y + lam[1] + P[1] + P[2] + P[3] + Q[1] + Q[2] + Q[3]");
    static const text_case cases[] = {
        {"P[1]*Q[1] + P[2]*Q[2] + P[3]*Q[3]", "P*Q"},
        {"P[1]^2 + P[2]^2 + P[3]^2 - a^2", "P*P - a^2"},
        {"-P[1]*Q[1] - P[2]*Q[2] - P[3]*Q[3]", "-P*Q"},
        {"P[1]*Q[1] + P[2]*Q[2]", NULL},
        {"P[1]*Q[1] + P[2]*Q[2] + 2*P[3]*Q[3]", NULL},
        {"P[1]*Q[2] + P[2]*Q[3] + P[3]*Q[1]", NULL},
        {"a*(P[1]*Q[1] + P[2]*Q[2] + P[3]*Q[3])", "a*(P*Q)"},
        {"2*a*P[1]*Q[1] + 2*a*P[2]*Q[2] + 2*a*P[3]*Q[3] + x", "x + 2*a*(P*Q)"},
        {"0.5*a*Q[1]^2 + 0.5*a*Q[2]^2 + 0.5*a*Q[3]^2 + a*b*P[3]", "0.5*a*(Q*Q) + a*b*P[3]"},
        {"(P[1]*Q[1] + P[2]*Q[2] + P[3]*Q[3])/x", "P*Q/x"},
        {"P[1]*Q[1]/x + P[2]*Q[2]/x + P[3]*Q[3]/x", "P*Q/x"},
        {"(P[1]*Q[1] + P[2]*Q[2] + P[3]*Q[3])^2", "(P*Q)^2"},
        {"sqrt(P[1]^2 + P[2]^2 + P[3]^2)", "sqrt(P*P)"},
        {"der(P[1]^2 + P[2]^2 + P[3]^2)", "2*(P*der(P))"},
        {"der(der(0.5*(P[1]^2 + P[2]^2 + P[3]^2)))", "der(P)*der(P) + P*der(der(P))"},
        {"C[1]*P[1] + C[2]*P[2] + C[3]*P[3]", "C*P"},
        {"2*lam[1]*P[1]^2 + 2*lam[1]*P[2]^2 + 2*lam[1]*P[3]^2", "2*lam[1]*(P*P)"},
        {"P[1]^2 + P[2]^2 + P[3]^2 + P[1]*Q[1] + P[2]*Q[2] + P[3]*Q[3]", "P*Q + P*P"},
        {"P[1]^2 + P[2]^2 + P[3]^2 + P[1]*Q[1] + P[2]*Q[2]", "P[1]*Q[1] + P[2]*Q[2] + P*P"},
        {"x*(P[1]*Q[1] + P[2]*Q[2] + P[3]*Q[3])*(P[1]^2 + P[2]^2 + P[3]^2)", "x*(P*Q)*(P*P)"},
        {"P[1] + P[2] + P[3]", NULL},
    };
    CHECK(dag, &array_namer, cases);
}

static const char *equation(dd_dag *dag, const char *text, dd_expr solve_for)
{
    dd_text out = dd_text_new(dd_dag_pool(dag));
    dd_print_equation(dag, parse(dag, text), solve_for, &plain_namer, &out);
    return dd_text_str(&out);
}

static void equations(dd_dag *dag, dd_pool *pool)
{
    (void)pool;
    parse(dag, "a + b + x + y");
    dd_expr dx = dd_var(dag, 0, 1);
    assert_string_equal(equation(dag, "der(x) + a*x - b", dx), "der(x) = b - a*x");
    assert_string_equal(equation(dag, "a*x - der(x)", dx), "der(x) = a*x");
    assert_string_equal(equation(dag, "der(x)", dx), "der(x) = 0");
    assert_string_equal(equation(dag, "a*der(x) - b", dx), "a*der(x) - b = 0");
    assert_string_equal(equation(dag, "sin(der(x)) - b", dx), "sin(der(x)) - b = 0");
    assert_string_equal(equation(dag, "x - y", DD_EXPR_NONE), "x - y = 0");
    assert_string_equal(equation(dag, "y + x*y", dx), "y + x*y = 0");
}

/* Long sums over long arrays stay quick: 10^5 terms with a map of families each. */
static bool long_element(void *user, bool is_param, uint32_t id, uint32_t *array, uint32_t *index, uint32_t *size)
{
    (void)user;
    *array = is_param;
    *index = id;
    *size = 100000;
    return true;
}

static void long_arrays(dd_dag *dag, dd_pool *pool)
{
    enum { N = 100000 };
    dd_expr *terms = dd_pool_alloc_array(pool, N, sizeof *terms);
    for (uint32_t i = 0; i < N; i++) {
        terms[i] = dd_mul(dag, dd_param(dag, i), dd_var(dag, i, 0));
    }
    dd_namer namer = {.name = test_name, .element = long_element, .array_name = test_array_name};
    assert_string_equal(print_with(dag, dd_sum(dag, terms, N), &namer), "C*P");
    assert_true(strlen(print_with(dag, dd_sum(dag, terms, N - 1), &namer)) > N);
}

DAG_TEST(scalars)
DAG_TEST(arrays)
DAG_TEST(equations)
DAG_TEST(long_arrays)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scalars),
        cmocka_unit_test(test_arrays),
        cmocka_unit_test(test_equations),
        cmocka_unit_test(test_long_arrays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
