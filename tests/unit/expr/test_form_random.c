/* test_form_random.c - the guarantee of derivatives: for hundreds of random array expressions, the scalars of the
 * derivative of the form equal the derivatives of the scalars of the form, by finite differences along smooth curves
 * and by the scalar calculus; and what is printed reads back as the same scalars. */
#include "form_random.h"

#include "expr/form_private.h"
#include "expr/value.h"
#include "lang/elaborate.h"

#define CASES 900
#define LARGEST 1e6 /* values beyond this are not compared: finite differences say nothing there */

typedef struct totals {
    uint32_t compared, without_derivative, skipped, at_kink;
} totals;

static bool elaborate(fixture *fix, dd_form f, dd_value *v)
{
    dd_elaborator e = dd_elaborator_new(fix->m, fix->pool);
    if (dd_elaborate(&e, f, NULL, v)) {
        return true;
    }
    const char *message = dd_context_diagnostic(fix->ctx, dd_context_diagnostic_count(fix->ctx) - 1).message;
    fail_msg("%s: %s", text_of(fix, f, NULL), message);
    return false;
}

static double value_at(fixture *fix, dd_expr e, double time, double scale, dd_pool *scratch)
{
    motion at = {fix->m, time, scale};
    return dd_value_of(fix->m->dag, e, motion_value, &at, scratch);
}

/* d/dt by the central difference of sixth order: (45 (f1 - f-1) - 9 (f2 - f-2) + (f3 - f-3))/(60 h) */
static double difference(fixture *fix, dd_expr e, double time, double scale, double h, double *size, dd_pool *scratch)
{
    const double weights[3] = {45, -9, 1};
    double sum = 0;
    *size = 0;
    for (int k = 1; k <= 3; k++) {
        double above = value_at(fix, e, time + k * h, scale, scratch),
               below = value_at(fix, e, time - k * h, scale, scratch);
        sum += weights[k - 1] * (above - below);
        *size = fmax(*size, fmax(fabs(above), fabs(below)));
    }
    return sum / (60 * h);
}

static void compare_scalar(fixture *fix, const char *text, const char *rate_text, dd_expr e, dd_expr rate, totals *t,
                           dd_pool *scratch)
{
    dd_expr by_dag = dd_total_derivative(fix->m->dag, e, NULL, NULL);
    for (int point = 0; point < 2; point++) {
        double time = 0.37 + 0.9 * point, scale = 1 + point, size;
        double by_difference = difference(fix, e, time, scale, 2e-3, &size, scratch);
        double closer = difference(fix, e, time, scale, 1e-3, &size, scratch);
        double expected = value_at(fix, by_dag, time, scale, scratch),
               found = value_at(fix, rate, time, scale, scratch);
        if (!(size < LARGEST) || !(fabs(expected) < LARGEST)) {
            t->skipped++;
            continue;
        }
        if (!(fabs(found - expected) <= 1e-9 * (1 + fabs(expected) + size))) {
            fail_msg("d/dt(%s) = %s:\n  %.15g from the form, %.15g from its scalars", text, rate_text, found, expected);
        }
        t->compared++;
        double tolerance = 1e-6 * (1 + fabs(expected) + size);
        if (fabs(by_difference - closer) > 0.1 * tolerance) {
            t->at_kink++; /* abs, min, if: the branch changes nearby */
        } else if (!(fabs(found - closer) <= tolerance)) {
            fail_msg("d/dt(%s) = %s:\n  %.15g from the form, %.15g by differences", text, rate_text, found, closer);
        }
    }
}

/* Reading the printed text again gives the very same scalars. */
static void check_round_trip(fixture *fix, dd_form f, const dd_value *v)
{
    const char *text = text_of(fix, f, NULL);
    dd_value again;
    elaborate(fix, read_form(&fix->r, text), &again);
    if (!dd_value_same_shape(v, &again) || memcmp(v->elems, again.elems, v->size * sizeof *v->elems) != 0) {
        fail_msg("%s reads back as something else", text);
    }
}

/* Nothing that a person would not write. */
static void check_reading(const char *text)
{
    static const char *const never[] = {"--", "- -", "+ -", " 0 +", "(0 +", "+ 0)", "*1)", " 1*", "(1*", "- 0)"};
    for (size_t i = 0; i < sizeof never / sizeof *never; i++) {
        if (strstr(text, never[i]) != NULL) {
            fail_msg("`%s` in %s", never[i], text);
        }
    }
    if (strncmp(text, "1*", 2) == 0 || strncmp(text, "0 +", 3) == 0) {
        fail_msg("%s", text);
    }
}

/* Does the text without the pair of parentheses that opens at `open` read as the same form? */
static bool redundant(fixture *fix, char *text, size_t open, dd_form f)
{
    size_t close = open;
    int depth = 0;
    do {
        depth += (text[close] == '(') - (text[close] == ')');
        close++;
    } while (depth > 0);
    reader r = {.m = fix->m, .tolerant = true};
    text[open] = text[close - 1] = ' ';
    dd_form without = read_form(&r, text);
    text[open] = '(';
    text[close - 1] = ')';
    return !r.failed && dd_form_equal(fix->m->forms, without, f);
}

/* No pair of parentheses can go. Loop variables are fresh each time a text is read, so comprehensions are left out;
 * an `if` inside an `if` has parentheses for the reader's sake. */
static void check_parentheses(fixture *fix, dd_form f)
{
    char *text = dd_pool_strdup(fix->pool, text_of(fix, f, NULL));
    if (strstr(text, " for ") != NULL || strstr(text, "(if ") != NULL || strlen(text) > 400) {
        return;
    }
    dd_form again = read_form(&fix->r, text);
    for (size_t i = 0; text[i] != 0; i++) {
        bool call = i > 0 && word_character(text[i - 1]);
        if (text[i] == '(' && !call && redundant(fix, text, i, again)) {
            fail_msg("parentheses at %zu are not needed in %s", i + 1, text);
        }
    }
}

static void check_one(fixture *fix, const char *text, totals *t)
{
    dd_pool *scratch = dd_pool_child(fix->pool);
    dd_form f = read_form(&fix->r, text);
    dd_value values, rates;
    elaborate(fix, f, &values);
    check_round_trip(fix, f, &values);
    check_parentheses(fix, f);
    for (int order = 1; order <= 2; order++) {
        dd_form rate = dd_form_derivative(fix->m->forms, f);
        if (rate == DD_FORM_NONE) {
            t->without_derivative++;
            break;
        }
        elaborate(fix, rate, &rates);
        const char *rate_text = text_of(fix, rate, NULL);
        if (!dd_value_same_shape(&values, &rates)) {
            fail_msg("d/dt(%s) has another shape: %s", text, rate_text);
        }
        check_reading(rate_text);
        check_round_trip(fix, rate, &rates);
        check_parentheses(fix, rate);
        for (uint32_t k = 0; k < values.size; k++) {
            compare_scalar(fix, text, rate_text, values.elems[k], rates.elems[k], t, scratch);
        }
        f = rate;
        values = rates;
        text = rate_text;
    }
    dd_pool_free(scratch);
}

static void check_random(fixture *fix)
{
    totals t = {0};
    for (uint32_t i = 0; i < CASES; i++) {
        check_one(fix, random_text(fix->pool, i, "SVM"[i % 3], 1 + (int)(i / 3) % 3), &t);
    }
    print_message("%u scalars compared (%u at kinks), %u too large, %u forms without derivative\n", t.compared,
                  t.at_kink, t.skipped, t.without_derivative);
    assert_true(t.compared > 10 * CASES);
    assert_int_equal(t.without_derivative, 0);
    assert_true(t.skipped < t.compared / 10);
    assert_true(t.at_kink < t.compared / 50);
}

/* derivative rows = factor * printed rows, for random equations */
static void check_random_equations(fixture *fix)
{
    dd_elaborator e = dd_elaborator_new(fix->m, fix->pool);
    for (uint32_t i = 0; i < 200; i++) {
        char shape = "SV"[i % 2];
        dd_form lhs = read_form(&fix->r, random_text(fix->pool, 5000 + i, shape, 2)),
                rhs = read_form(&fix->r, random_text(fix->pool, 9000 + i, shape, 1));
        dd_value l, r, dl, dr;
        double factor;
        assert_true(dd_elaborate(&e, lhs, NULL, &l) && dd_elaborate(&e, rhs, NULL, &r));
        assert_true(dd_form_differentiate_equation(fix->m->forms, &lhs, &rhs, &factor));
        assert_true(dd_elaborate(&e, lhs, NULL, &dl) && dd_elaborate(&e, rhs, NULL, &dr));
        assert_true(dd_value_same_shape(&l, &dl) && dd_value_same_shape(&r, &dr));
        for (uint32_t k = 0; k < l.size; k++) {
            dd_expr expected =
                dd_total_derivative(fix->m->dag, dd_sub(fix->m->dag, l.elems[k], r.elems[k]), NULL, NULL);
            double a = value_at(fix, expected, 0.4, 1, fix->pool);
            double b = factor *
                       (value_at(fix, dl.elems[k], 0.4, 1, fix->pool) - value_at(fix, dr.elems[k], 0.4, 1, fix->pool));
            assert_true(fabs(a - b) <= 1e-9 * (1 + fabs(a) + fabs(b)) || fabs(a) > LARGEST);
        }
    }
}

FIXTURE_TEST(random)
FIXTURE_TEST(random_equations)

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random), cmocka_unit_test(test_random_equations)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
