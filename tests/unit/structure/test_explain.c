/* Explanations of the small models of the corpus (the others: tests/verify/test_explain.c), and formulas as LaTeX. */
#include "explain_checks.h"

/* ---- formulas as LaTeX ---- */

static int dimensions(void *user, const char *name, size_t length)
{
    (void)user;
    return (length == 1 && (*name == 'p' || *name == 'v')) || (length == 8 && memcmp(name, "arm[2].q", 8) == 0);
}

static void test_latex_of_formulas(void **state)
{
    (void)state;
    static const struct {
        const char *formula, *tex;
    } cases[] = {
        {"p*p - L^2 = 0", "p\\cdot p-L^{2} = 0"},
        {"der(x1) = -2*a/b", "\\dot{x}_{1} = -\\frac{2\\,a}{b}"},
        {"der(der(theta[2])) = sin(theta[2])", "\\ddot{\\theta}_{2} = \\sin\\left(\\theta_{2}\\right)"},
        {"2*lam[1]*(p*v)/m", "\\frac{2\\,\\mathit{lam}_{1}\\,\\left(p\\cdot v\\right)}{m}"},
        {"a - (b - c)", "a-\\left(b-c\\right)"},
        {"(a + b)*c^(-1)", "\\left(a+b\\right)\\,c^{-1}"},
        {"sin(x)^2", "\\left(\\sin\\left(x\\right)\\right)^{2}"},
        {"v_max*1.5e-3", "v_{\\mathit{max}}\\cdot 1.5\\cdot 10^{-3}"},
        {"if x > 0 then 1 else -x", "\\begin{cases}1 & \\text{if } x>0 \\\\ -x & \\text{otherwise}\\end{cases}"},
        {"time*foo(a, b)", "t\\,\\operatorname{foo}\\left(a,b\\right)"},
        {"'a.b c'[1]", "\\mathit{'a.b c'}_{1}"},
        {"sqrt(x)/abs(y)", "\\frac{\\sqrt{x}}{\\left|y\\right|}"},
        {"arm[2].q*arm[2].q", "\\mathit{arm}_{2}.q\\cdot \\mathit{arm}_{2}.q"},
        {"der(arm[2].th1[3])", "\\mathit{arm}_{2}.\\dot{\\mathit{th}}_{1,3}"},
        {"x +", "\\texttt{x +}"},
        {"100%", "\\texttt{100\\%}"},
    };
    dd_context *ctx = NULL;
    assert_int_equal(dd_context_new(&ctx, NULL), DD_OK);
    dd_pool *pool = dd_pool_new(ctx);
    const dd_latex_names names = {NULL, dimensions};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dd_text out = dd_text_new(pool);
        dd_latex_formula(cases[i].formula, &names, &out);
        assert_string_equal(dd_text_str(&out), cases[i].tex);
        assert_null(latex_mistake(dd_text_str(&out)));
    }
    dd_pool_free(pool);
    dd_context_free(ctx);
}

/* Whatever a model is called, and however deep a formula is, LaTeX stays well formed and nothing recurses without end. */
static void test_latex_of_nonsense(void **state)
{
    (void)state;
    dd_context *ctx = NULL;
    assert_int_equal(dd_context_new(&ctx, NULL), DD_OK);
    dd_pool *pool = dd_pool_new(ctx);
    uint32_t seed = 1;
    static const char letters[] = "ab'.[](){}^*/+-=<>,;:#$%&_~\\|1e \"\xce\xb8\xff";
    for (int round = 0; round < 3000; round++) {
        char text[64];
        size_t n = 0;
        for (seed = seed * 1664525u + 1013904223u; n < seed % 60; n++) {
            text[n] = letters[(seed >> 8) % (sizeof letters - 1)];
            seed = seed * 1664525u + 1013904223u;
            if (n + 1 >= sizeof text - 1) {
                break;
            }
        }
        text[n] = '\0';
        dd_text out = dd_text_new(pool);
        dd_latex_formula(text, NULL, &out);
        const char *mistake = latex_mistake(dd_text_str(&out));
        if (mistake) {
            print_error("`%s` gives `%s`\n", text, dd_text_str(&out));
        }
        assert_null(mistake);
    }
    char *deep = dd_pool_alloc(pool, 10001);
    memset(deep, '(', 10000);
    dd_text out = dd_text_new(pool);
    dd_latex_formula(deep, NULL, &out);
    assert_memory_equal(dd_text_str(&out), "\\texttt{((((", 12);
    dd_pool_free(pool);
    dd_context_free(ctx);
}

static void test_explanations_agree(void **state)
{
    (void)state;
    const tally sum = explain_corpus(600);
    assert_true(sum.systems > 30 && sum.formulas > 100 && sum.ranks > 15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_latex_of_formulas),
                                       cmocka_unit_test(test_latex_of_nonsense),
                                       cmocka_unit_test(test_explanations_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
