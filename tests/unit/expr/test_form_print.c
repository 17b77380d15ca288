/* test_form_print.c - forms to text: fewest parentheses, loop variables put in, and the same form when read back. */
#include "form_reader.h"

#include "expr/form_private.h"

/* Texts without a needless character: printing gives them back. */
static const char *const minimal[] = {
    "p*p - L^2",
    "x + y - s",
    "x - (y - s)",
    "x + (y + s)",
    "-x",
    "-x + y",
    "-(x + y)",
    "x - (-y)",
    "-x*y",
    "(-x)*y",
    "x*(-y)",
    "x*(y*s)",
    "x*y*s",
    "x/(y*s)",
    "x/y/s",
    "x/(y/s)",
    "(x + y)*s",
    "x^2",
    "(x^2)^3",
    "x^(-2)",
    "(-x)^2",
    "-x^2",
    "(x*y)^2",
    "2*x^3*y",
    "sin(th)*w",
    "der(x)",
    "der(der(x))",
    "x .+ p",
    "2 .* p",
    "p .^ 2",
    "(p .- q) .* r",
    "p .- (q .- r)",
    "p + q .+ r",
    "p[1] + p[n]",
    "p[1:2]*e",
    "p[end]",
    "p[end - 1]",
    "A[1,:]*p",
    "A[:,2]",
    "p[from[2]]",
    "p[{1, 3}]",
    "{x, y, s}",
    "[x, y; s, 1]",
    "[x, y]",
    "{p[i] for i in 1:3}",
    "{i*j for i in 1:2, j in 1:n}",
    "sum({p[i]^2 for i in 1:n})",
    "sum(p[i]^2 for i in 1:n-1)",
    "{p[i]*{q[j] for j in 1:3} for i in 1:3}",
    "1:n",
    "1:2:n+1",
    "{(1:3)*d}",
    "if x > 0 then x else -x",
    "if x > 0 then x elseif y > 0 then y else s",
    "if x > 0 then (if y > 0 then y else s) else x",
    "if x > 0 then y else if y > 0 then x else s",
    "2*(if x > 0 then x else y)",
    "x < y and not y < s or x == s",
    "x < y and (x <> y or y >= s)",
    "not (not b)",
    "not (x < y and b)",
    "(not b) == true",
    "-x < -y",
    "atan2(y, x)",
    "cat(1, p, {x}, zeros(2))",
    "transpose(A)*p",
    "'a.b'*2",
    "x(1.5)",
    "p[2](L/2)",
    "0.1*x",
    "1e-3*x",
    "time",
    "noEvent(if x > 0 then x else 0)",
    "size(A, 1)",
};

/* Texts with something to leave out, and what is printed for them. */
static const char *const shortened[][2] = {
    {"((x))", "x"},
    {"(x*y)*s", "x*y*s"},
    {"(x + y) + s", "x + y + s"},
    {"(x^2)*y", "x^2*y"},
    {"x*(y^2)", "x*y^2"},
    {"(x*y) + (s/th)", "x*y + s/th"},
    {"sin((x))", "sin(x)"},
    {"p[(1)]", "p[1]"},
    {"{(x), (y)}", "{x, y}"},
    {"(p[1])^2", "p[1]^2"},
    {"-(x*y)", "-x*y"},
    {"(x < y) and (y < s)", "x < y and y < s"},
    {"if (x > 0) then (x) else (y)", "if x > 0 then x else y"},
    {"(if x > 0 then x else y)", "if x > 0 then x else y"},
    {"(-x) + y", "-x + y"},
    {"(x - y) - s", "x - y - s"},
    {"x+y", "x + y"},
    {"1:(n - 1)", "1:n-1"},
};

static void check_minimal(fixture *fix)
{
    for (size_t i = 0; i < sizeof minimal / sizeof *minimal; i++) {
        dd_form f = read_form(&fix->r, minimal[i]);
        const char *text = text_of(fix, f, NULL);
        assert_string_equal(text, minimal[i]);
    }
}

static void check_shortened(fixture *fix)
{
    for (size_t i = 0; i < sizeof shortened / sizeof *shortened; i++) {
        assert_string_equal(text_of(fix, read_form(&fix->r, shortened[i][0]), NULL), shortened[i][1]);
    }
}

/* i = 3, j = -2, h = 0.5 */
static const char *const folded[][2] = {
    {"p[i]", "p[3]"},
    {"p[i + 1]", "p[4]"},
    {"p[i - 1]", "p[2]"},
    {"p[2*i - 4]", "p[2]"},
    {"p[n - i]", "p[n - 3]"},
    {"p[n + i - 1]", "p[n + 2]"},
    {"p[i - 3 + n]", "p[n]"},
    {"p[j + 3]", "p[1]"},
    {"i*x", "3*x"},
    {"j*x", "(-2)*x"},
    {"x*j", "x*(-2)"},
    {"x + j", "x - 2"},
    {"x - j", "x + 2"},
    {"x - i", "x - 3"},
    {"(i + 1)*x", "4*x"},
    {"x^i", "x^3"},
    {"x^j", "x^(-2)"},
    {"-i", "-3"},
    {"x + i + 1", "x + 4"},
    {"x + i - 3", "x"},
    {"h*x", "0.5*x"},
    {"x + h", "x + 0.5"},
    {"x(i/20)", "x(3/20)"},
    {"if i > 1 then x else y", "x"},
    {"{k*i*x for k in 1:i}", "{k*3*x for k in 1:3}"},
    {"p[1 + 1]", "p[1 + 1]"},
    {"1:i-1", "1:2"},
};

static void check_folded(fixture *fix)
{
    dd_form_env env[3] = {{.value = 3, .real = 3}, {.value = -2, .real = -2}, {.value = 0, .real = 0.5}};
    env[0].loop = reader_loop(&fix->r, "i");
    env[1].loop = reader_loop(&fix->r, "j");
    env[2].loop = reader_loop(&fix->r, "h");
    env[0].outer = &env[1];
    env[1].outer = &env[2];
    for (size_t i = 0; i < sizeof folded / sizeof *folded; i++) {
        dd_form f = read_form(&fix->r, folded[i][0]);
        assert_string_equal(text_of(fix, f, env), folded[i][1]);
        if (i == 0) {
            assert_string_equal(text_of(fix, f, NULL), "p[i]");
        }
    }
}

static void check_parsed_names(fixture *fix)
{
    dd_forms *forms = fix->m->forms;
    uint32_t dotted = dd_names_intern(fix->m->names, "a.b", 3), odd = dd_names_intern(fix->m->names, "two words", 9);
    dd_form one = dd_form_number(forms, 1, DD_NO_SPAN);
    assert_string_equal(text_of(fix, dd_form_new(forms, DD_FORM_NAME, 1, dotted, &one, 1, DD_NO_SPAN), NULL), "a.b[1]");
    assert_string_equal(text_of(fix, dd_form_new(forms, DD_FORM_NAME, 0, dotted, NULL, 0, DD_NO_SPAN), NULL), "'a.b'");
    assert_string_equal(text_of(fix, dd_form_new(forms, DD_FORM_NAME, 0, odd, NULL, 0, DD_NO_SPAN), NULL),
                        "'two words'");
    dd_form named = dd_form_new(forms, DD_FORM_NAMED_ARG, 0, dotted, &one, 1, DD_NO_SPAN);
    assert_string_equal(text_of(fix, dd_form_new(forms, DD_FORM_UNKNOWN_CALL, 0, odd, &named, 1, DD_NO_SPAN), NULL),
                        "'two words'(a.b = 1)");
    uint32_t text = dd_names_intern(fix->m->names, "say \"no\"", 8);
    assert_string_equal(text_of(fix, dd_form_new(forms, DD_FORM_STRING, 0, text, NULL, 0, DD_NO_SPAN), NULL),
                        "\"say \\\"no\\\"\"");
    assert_string_equal(text_of(fix, dd_form_number(forms, -2.5, DD_NO_SPAN), NULL), "-2.5");
}

static void check_shapes(fixture *fix)
{
    static const struct {
        const char *text;
        int ndim;
    } shapes[] = {{"x", 0},
                  {"p", 1},
                  {"A", 2},
                  {"p[1]", 0},
                  {"p[1:2]", 1},
                  {"A[1,:]", 1},
                  {"A[1]", 1},
                  {"A[2,3]", 0},
                  {"A[{1, 2},1]", 1},
                  {"p*q", 0},
                  {"A*p", 1},
                  {"p*A", 1},
                  {"A*A", 2},
                  {"x*A", 2},
                  {"{x, y}", 1},
                  {"{p, q}", 2},
                  {"[x, y]", 2},
                  {"{x for i in 1:3, j in 1:2}", 2},
                  {"sum(A)", 0},
                  {"sum(p*i for i in 1:3)", 1},
                  {"sum({p for i in 1:3})", 0},
                  {"cross(p, q)", 1},
                  {"skew(p)", 2},
                  {"size(A)", 1},
                  {"size(A, 1)", 0},
                  {"x .+ p", 1},
                  {"sin(p)", 1},
                  {"zeros(2, 3)", 2},
                  {"fill(x, 2)", 1},
                  {"if b then p else q", 1},
                  {"der(p)", 1},
                  {"1:3", 1},
                  {"cat(1, p, q)", 1},
                  {"A^2", 2},
                  {"p/x", 1}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        assert_int_equal(dd_form_ndim(fix->m->forms, read_form(&fix->r, shapes[i].text)), shapes[i].ndim);
    }
}

static void check_zero(fixture *fix)
{
    static const char *const zero[] = {"0",      "0.0",          "0e3",        "-0",        "zeros(n)",
                                       "{0, 0}", "[0, 0; 0, 0]", "fill(0, 3)", "{{0}, {0}}"};
    static const char *const not_zero[] = {"1", "0.01", "x", "{0, 1}", "fill(1, 3)", "ones(2)", "0*x"};
    for (size_t i = 0; i < sizeof zero / sizeof *zero; i++) {
        assert_true(dd_form_is_zero(fix->m->forms, read_form(&fix->r, zero[i])));
    }
    for (size_t i = 0; i < sizeof not_zero / sizeof *not_zero; i++) {
        assert_false(dd_form_is_zero(fix->m->forms, read_form(&fix->r, not_zero[i])));
    }
}

/* A sum of many terms is one shallow node; nesting past the limit is refused. */
static void too_deep(void *arg)
{
    dd_forms *forms = arg;
    dd_form f = dd_form_number(forms, 1, DD_NO_SPAN);
    for (int i = 0; i < DD_FORM_MAX_DEPTH; i++) {
        f = dd_form_new(forms, DD_FORM_NEG, 0, 0, &f, 1, DD_NO_SPAN);
    }
}

static void check_limits(fixture *fix)
{
    enum { MANY = 200000 };
    dd_form *terms = dd_pool_alloc_array(fix->pool, MANY, sizeof *terms);
    dd_form x = read_form(&fix->r, "x");
    for (uint32_t i = 0; i < MANY; i++) {
        terms[i] = x;
    }
    dd_form sum = dd_form_new(fix->m->forms, DD_FORM_SUM, 0, 0, terms, MANY, DD_NO_SPAN);
    assert_int_equal(dd_form_get(fix->m->forms, sum)->depth, 2);
    assert_int_equal(strlen(text_of(fix, sum, NULL)), 4 * MANY - 3);
    assert_int_equal(dd_protect(fix->ctx, too_deep, fix->m->forms), DD_LIMIT);
    assert_non_null(strstr(dd_context_message(fix->ctx), "1000 levels"));
}

/* The arguments given may be those of another form, inside the table that grows. */
static void check_shared_arguments(fixture *fix)
{
    dd_forms *forms = fix->m->forms;
    dd_form f = read_form(&fix->r, "{x, y, s}");
    for (int i = 0; i < 1000; i++) {
        f = dd_form_new(forms, DD_FORM_ARRAY, 0, 0, dd_form_args(forms, f), 3, DD_NO_SPAN);
    }
    assert_string_equal(text_of(fix, f, NULL), "{x, y, s}");
    assert_true(dd_form_equal(forms, f, read_form(&fix->r, "{x, y, s}")));
    assert_false(dd_form_equal(forms, f, read_form(&fix->r, "{x, s, y}")));
}

FIXTURE_TEST(minimal)
FIXTURE_TEST(shortened)
FIXTURE_TEST(folded)
FIXTURE_TEST(parsed_names)
FIXTURE_TEST(shapes)
FIXTURE_TEST(zero)
FIXTURE_TEST(limits)
FIXTURE_TEST(shared_arguments)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_minimal),      cmocka_unit_test(test_shortened),        cmocka_unit_test(test_folded),
        cmocka_unit_test(test_parsed_names), cmocka_unit_test(test_shapes),           cmocka_unit_test(test_zero),
        cmocka_unit_test(test_limits),       cmocka_unit_test(test_shared_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
