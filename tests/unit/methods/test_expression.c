/* Formulas: values against closed forms, mistakes with their place. */
#include "methods/expression.h"

#include "tableau_kit.h"

static void test_values(void **state)
{
    (void)state;
    const dd_quad root = dd_quad_sqrt(3);
    const struct {
        const char *text;
        dd_quad value;
    } rows[] = {{"1/6", (dd_quad)1 / 6},
                {"(3-sqrt(3))/6", (3 - root) / 6},
                {" ( 3 + sqrt( 3 ) ) / 6 ", (3 + root) / 6},
                {"-2^2", -4},
                {"(-2)^2", 4},
                {"2^-2", (dd_quad)0.25},
                {"2^3^2", 512},
                {"1-2-3", -4},
                {"12/2/3", 2},
                {"2*-3", -6},
                {"--4", 4},
                {"+4", 4},
                {"1+2*3^2-4/8", (dd_quad)18.5},
                {"sqrt(sqrt(16))", 2},
                {"-sqrt(4)^2", -4},
                {"1.5e-1*2", (dd_quad)3 / 10},
                {".5", (dd_quad)0.5},
                {"0", 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        dd_quad value, accuracy = 0;
        dd_expression_error error;
        if (!dd_expression_evaluate(rows[i].text, strlen(rows[i].text), &value, &accuracy, &error)) {
            fail_msg("%s: %s", rows[i].text, error.message);
        }
        kit_near(value, rows[i].value, 1e-32);
        assert_true(accuracy == 0);
    }
}

/* decimals of 12 and more digits count as rounded; whole numbers and short decimals are what they are */
static void test_accuracy(void **state)
{
    (void)state;
    const struct {
        const char *text;
        double accuracy;
    } rows[] = {{"0.123456789012", 1e-12},
                {"1/3+0.3333333333333333", 1e-16},
                {"0.33333333333", 0},
                {"701980252875/199316789632", 0},
                {"1.234567890123456789012345678901", 1e-31}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        dd_quad value, accuracy = 0;
        dd_expression_error error;
        assert_true(dd_expression_evaluate(rows[i].text, strlen(rows[i].text), &value, &accuracy, &error));
        assert_true(fabs((double)accuracy - rows[i].accuracy) <= 1e-3 * rows[i].accuracy);
    }
}

static void test_mistakes(void **state)
{
    (void)state;
    const struct {
        const char *text;
        size_t at;
        const char *message;
    } rows[] = {{"", 0, "an empty text is not a number"},
                {"1+", 2, "the formula ends where a number is missing"},
                {"(1", 0, "\"(\" is never closed"},
                {"1)", 1, "\")\" without \"(\""},
                {"()", 1, "a number is missing before \")\""},
                {"1 2", 2, "an operator is missing before this"},
                {"2(3)", 1, "an operator is missing before this"},
                {"1/0", 1, "division by zero"},
                {"1/(2-2)", 1, "division by zero"},
                {"sqrt(1-2)", 0, "the square root of a negative number"},
                {"sqrt 2", 5, "sqrt needs parentheses: sqrt(3)"},
                {"2^0.5", 1, "an exponent must be a whole number of at most 1000"},
                {"2^1001", 1, "an exponent must be a whole number of at most 1000"},
                {"NaN", 0, "\"NaN\" is not known here; numbers, + - * / ^ and sqrt() are"},
                {"1e99999", 0, "a number that is too large"},
                {"1e4000*1e4000", 0, "the value is too large"},
                {"1,5", 1, "an operator (+ - * / ^) is expected here"},
                {"#", 0, "a number is missing here"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        dd_quad value, accuracy = 0;
        dd_expression_error error;
        assert_false(dd_expression_evaluate(rows[i].text, strlen(rows[i].text), &value, &accuracy, &error));
        assert_string_equal(error.message, rows[i].message);
        assert_int_equal(error.at, rows[i].at);
    }
}

/* long and deep ones end in a message, not in a crash */
static void test_limits(void **state)
{
    (void)state;
    enum { N = 1000000 };
    static char text[N];
    static const char fills[] = "(-1+s)";
    for (size_t f = 0; f + 1 < sizeof fills; f++) {
        dd_quad value, accuracy = 0;
        dd_expression_error error;
        memset(text, fills[f], N);
        assert_false(dd_expression_evaluate(text, N, &value, &accuracy, &error));
        assert_true(error.at <= N && strlen(error.message) > 5);
    }
    for (size_t i = 0; i + 1 < N; i += 2) { /* 1+1+1+... is fine at any length, 1^1^1^... is not */
        memcpy(text + i, "1+", 2);
    }
    dd_quad value, accuracy = 0;
    dd_expression_error error;
    assert_true(dd_expression_evaluate(text, N - 1, &value, &accuracy, &error));
    kit_near(value, N / 2, 0);
    for (size_t i = 1; i < N; i += 2) {
        text[i] = '^';
    }
    assert_false(dd_expression_evaluate(text, N - 1, &value, &accuracy, &error));
    assert_string_equal(error.message, "this formula is too long");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_values), cmocka_unit_test(test_accuracy),
                                       cmocka_unit_test(test_mistakes), cmocka_unit_test(test_limits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
