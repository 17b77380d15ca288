/* test_form_derivative.c - time derivatives of forms as texts a person would write, for equations, and with rates put
 * in. That they are right is checked in test_form_random.c. */
#include "../base/support.h"
#include "form_reader.h"

static const char *const derivatives[][2] = {
    /* symbols */
    {"x", "vx"},
    {"p", "v"},
    {"p[2]", "v[2]"},
    {"p[2:3]", "v[2:3]"},
    {"z", "der(z)"},
    {"r", "der(r)"},
    {"r[1]", "der(r[1])"},
    {"A[1,:]", "der(A[1,:])"},
    {"vx", "der(vx)"},
    {"der(x)", "der(vx)"},
    {"der(z)", "der(der(z))"},
    {"der(p[1])", "der(v[1])"},
    {"time", "1"},
    {"L", "0"},
    {"3", "0"},
    {"d", "zeros(size(d, 1))"},
    {"{1, 2}", "{0, 0}"},
    {"ones(3)", "zeros(3)"},
    {"identity(2)", "zeros(2, 2)"},
    /* sums and products */
    {"p*p - L^2", "2*(p*v)"},
    {"(x - s)^2 + y^2 - L^2", "2*(x - s)*(vx - vs) + 2*y*vy"},
    {"p*v", "p*der(v) + v*v"},
    {"x*y", "x*vy + vx*y"},
    {"x*x", "2*x*vx"},
    {"x*vx", "x*der(vx) + vx^2"},
    {"x*y*s", "x*y*vs + x*vy*s + vx*y*s"},
    {"x*2", "2*vx"},
    {"0.1*x*3", "0.3*vx"},
    {"-x", "-vx"},
    {"-(x - y)", "-vx + vy"},
    {"x - (-y)", "vx + vy"},
    {"x*(-y)", "-x*vy - vx*y"},
    {"2*(x + y)", "2*(vx + vy)"},
    {"x - x", "0"},
    {"th*time", "th + w*time"},
    {"L*x + L", "L*vx"},
    {"0.5*m*(v*v)", "m*(v*der(v))"},
    {"L*(p*q)", "L*(p*u + v*q)"},
    {"x*p", "x*v + vx*p"},
    {"p*q*r", "p*q*der(r) + (p*u + v*q)*r"},
    {"r*(p*q)", "r*(p*u + v*q) + der(r)*(p*q)"},
    {"A*p", "A*v + der(A)*p"},
    {"p*A", "p*der(A) + v*A"},
    {"C*p", "C*v"},
    {"A*A", "A*der(A) + der(A)*A"},
    {"A^2", "der(A)*A + A*der(A)"},
    {"p*C*p", "p*C*v + v*C*p"},
    {"(p - q)*(p - q)", "2*((p - q)*(v - u))"},
    {"cos(x)^2 + sin(x)^2", "0"},
    /* quotients and powers */
    {"x/L", "vx/L"},
    {"x^2/2", "x*vx"},
    {"x/y", "(y*vx - x*vy)/y^2"},
    {"1/x", "-vx/x^2"},
    {"1/x^2", "-2*vx/x^3"},
    {"p/x", "(x*v - p*vx)/x^2"},
    {"x*(y/L)", "x*vy/L + vx*y/L"},
    /* a zero as written is no term of the sum that the number 8 is taken out of */
    {"(0 - 8*x)*y", "-8*x*vy - 8*vx*y"},
    {"(0 - 8*x + 4*s)*y", "4*(-2*x + s)*vy + 4*(-2*vx + vs)*y"},
    {"x^3", "3*x^2*vx"},
    {"x^(-2)", "-2*x^(-3)*vx"},
    {"x^0.5", "0.5*x^(-0.5)*vx"},
    {"x^1", "vx"},
    {"x^L", "L*x^(L - 1)*vx"},
    {"L^x", "L^x*log(L)*vx"},
    {"x^y", "x^y*(log(x)*vy + y*vx/x)"},
    /* functions */
    {"sin(th)", "cos(th)*w"},
    {"L*cos(th)", "-L*sin(th)*w"},
    {"tan(x)", "vx/cos(x)^2"},
    {"asin(x)", "vx/sqrt(1 - x^2)"},
    {"acos(x)", "-vx/sqrt(1 - x^2)"},
    {"atan(x)", "vx/(1 + x^2)"},
    {"sinh(x)", "cosh(x)*vx"},
    {"cosh(x)", "sinh(x)*vx"},
    {"tanh(x)", "(1 - tanh(x)^2)*vx"},
    {"exp(-x)", "-exp(-x)*vx"},
    {"log(x)", "vx/x"},
    {"log10(x)", "vx/(log(10)*x)"},
    {"sqrt(x)", "vx/(2*sqrt(x))"},
    {"sqrt(x^2 + y^2)", "(x*vx + y*vy)/sqrt(x^2 + y^2)"},
    {"abs(x)", "sign(x)*vx"},
    {"sign(x) + floor(x) + ceil(y) + integer(s) + div(x, y)", "0"},
    {"atan2(y, x)", "(x*vy - y*vx)/(x^2 + y^2)"},
    {"mod(x, y)", "vx - floor(x/y)*vy"},
    {"rem(x, y)", "vx - div(x, y)*vy"},
    {"mod(x, 3)", "vx"},
    {"min(x, y)", "if x < y then vx else vy"},
    {"max(x, 1)", "if x > 1 then vx else 0"},
    {"semiLinear(x, 2, 3)", "(if x >= 0 then 2 else 3)*vx"},
    {"semiLinear(x, y, 3)", "(if x >= 0 then y else 3)*vx + semiLinear(x, vy, 0)"},
    {"semiLinear(2, 3, y)", "semiLinear(2, 0, vy)"},
    {"semiLinear(2, 3, 4)", "0"},
    {"noEvent(x)", "noEvent(vx)"},
    {"smooth(1, x)", "smooth(0, vx)"},
    {"smooth(0, x)", "noEvent(vx)"},
    {"homotopy(x, 1)", "homotopy(vx, 0)"},
    {"sin(p)", "cos(p) .* v"},
    {"sqrt(p)", "v ./ (2*sqrt(p))"},
    {"exp(x)*p", "exp(x)*v + exp(x)*vx*p"},
    /* arrays */
    {"{x, 1, y}", "{vx, 0, vy}"},
    {"{p, d}", "{v, zeros(size(d, 1))}"},
    {"[x, 1; 2, y]", "[vx, 0; 0, vy]"},
    {"[1, 2; 2, y]", "[0, 0; 0, vy]"},
    {"cross(p, q)", "cross(p, u) + cross(v, q)"},
    {"cross(p, v)", "cross(p, der(v))"},
    {"skew(p)*q", "skew(p)*u + skew(v)*q"},
    {"transpose(A)", "transpose(der(A))"},
    {"outerProduct(p, d)", "outerProduct(v, d)"},
    {"diagonal(p)", "diagonal(v)"},
    {"symmetric(A)", "symmetric(der(A))"},
    {"vector(p)", "vector(v)"},
    {"sum(p)", "sum(v)"},
    {"sum({p[i]^2 for i in 1:3})", "sum({2*p[i]*v[i] for i in 1:3})"},
    {"sum(p[i]^2 for i in 1:3)", "sum(2*p[i]*v[i] for i in 1:3)"},
    {"{i*p[i] for i in 1:3}", "{i*v[i] for i in 1:3}"},
    {"{L*i for i in 1:3} + p", "v"},
    {"cat(1, p, d, {x})", "cat(1, v, zeros(size(d, 1)), {vx})"},
    {"fill(x, 3)", "fill(vx, 3)"},
    {"linspace(0, x, 4)", "linspace(0, vx, 4)"},
    {"product(d)", "0"},
    {"p .* p", "2*p .* v"},
    {"p .* q", "p .* u + v .* q"},
    {"p ./ q", "(q .* v - p .* u) ./ q .^ 2"},
    {"1 ./ p", "-v ./ p .^ 2"},
    {"p .^ 2", "2*p .* v"},
    {"p .+ x", "v .+ vx"},
    {"p .- 1", "v"},
    {"d .+ x", "fill(vx, size(d, 1))"},
    {"if x > 0 then x^2 else 3", "if x > 0 then 2*x*vx else 0"},
    {"if x > 0 then p elseif y > 0 then d else q", "if x > 0 then v elseif y > 0 then zeros(size(d, 1)) else u"},
    {"if x > 0 then 1 else 2", "0"},
    {"x(L)", "0"},
    /* no closed form at this level */
    {"product(p)", NULL},
    {"max(p)", NULL},
    {"x < y", NULL},
    {"A^n", NULL},
};

static void check_derivatives(fixture *fix)
{
    for (size_t i = 0; i < sizeof derivatives / sizeof *derivatives; i++) {
        dd_form rate = dd_form_derivative(fix->m->forms, read_form(&fix->r, derivatives[i][0]));
        if (rate == DD_FORM_NONE || derivatives[i][1] == NULL) {
            if (rate != DD_FORM_NONE || derivatives[i][1] != NULL) {
                fail_msg("%s: %s", derivatives[i][0],
                         rate == DD_FORM_NONE ? "no derivative" : text_of(fix, rate, NULL));
            }
            continue;
        }
        const char *text = text_of(fix, rate, NULL);
        if (strcmp(text, derivatives[i][1]) != 0) {
            fail_msg("d/dt(%s) is printed as\n  %s\nnot\n  %s", derivatives[i][0], text, derivatives[i][1]);
        }
    }
}

/* ---- equations ---- */

static const struct {
    const char *lhs, *rhs, *first;
    double factor;
    const char *second;
} equations[] = {
    {"p*p - L^2", "0", "p*v = 0", 2, "p*der(v) + v*v = 0"},
    {"p*p", "L^2", "p*v = 0", 2, "p*der(v) + v*v = 0"},
    {"L^2", "p*p", "0 = p*v", 2, "0 = p*der(v) + v*v"},
    {"(x - s)^2 + y^2 - L^2", "0", "(x - s)*(vx - vs) + y*vy = 0", 2,
     "(x - s)*(der(vx) - der(vs)) + (vx - vs)^2 + y*der(vy) + vy^2 = 0"},
    {"y", "x^2", "vy = 2*x*vx", 1, "der(vy) = 2*x*der(vx) + 2*vx^2"},
    {"4*x", "6*y", "2*vx = 3*vy", 2, "2*der(vx) = 3*der(vy)"},
    {"-x^2", "-y", "2*x*vx = vy", -1, "2*x*der(vx) + 2*vx^2 = der(vy)"},
    {"-2*x*y", "4*s", "-x*vy - vx*y = 2*vs", 2, "-x*der(vy) - 2*vx*vy - der(vx)*y = 2*der(vs)"},
    {"0.5*x", "0.5*y", "vx = vy", 0.5, "der(vx) = der(vy)"},
    {"p", "q", "v = u", 1, "der(v) = der(u)"},
    {"A*p", "d", "A*v + der(A)*p = zeros(size(d, 1))", 1, "A*der(v) + 2*der(A)*v + der(der(A))*p = zeros(size(d, 1))"},
    {"{(p - q)*(p - q) - L^2 for i in 1:2}", "{0, 0}", "{(p - q)*(v - u) for i in 1:2} = {0, 0}", 2,
     "{(p - q)*(der(v) - der(u)) + (v - u)*(v - u) for i in 1:2} = {0, 0}"},
    {"sum(p[i]^2 for i in 1:3)", "L", "sum(p[i]*v[i] for i in 1:3) = 0", 2,
     "sum(p[i]*der(v[i]) + v[i]^2 for i in 1:3) = 0"},
    {"{x^2, 2*y}", "{1, 4*s}", "{x*vx, vy} = {0, 2*vs}", 2, "{x*der(vx) + vx^2, der(vy)} = {0, 2*der(vs)}"},
    {"L*cos(th)", "x", "-L*sin(th)*w = vx", 1, "-L*sin(th)*der(w) - L*cos(th)*w^2 = der(vx)"},
    {"L", "m", "0 = 0", 1, "0 = 0"},
};

static void check_equations(fixture *fix)
{
    for (size_t i = 0; i < sizeof equations / sizeof *equations; i++) {
        dd_form lhs = read_form(&fix->r, equations[i].lhs), rhs = read_form(&fix->r, equations[i].rhs);
        for (int order = 1; order <= 2; order++) {
            double factor;
            assert_true(dd_form_differentiate_equation(fix->m->forms, &lhs, &rhs, &factor));
            const char *text = dd_pool_printf(fix->pool, "%s = %s", text_of(fix, lhs, NULL), text_of(fix, rhs, NULL));
            assert_string_equal(text, order == 1 ? equations[i].first : equations[i].second);
            if (order == 1) {
                assert_true(factor == equations[i].factor);
            }
        }
    }
    dd_form lhs = read_form(&fix->r, "product(p)"), rhs = read_form(&fix->r, "1"), before = lhs;
    double factor;
    assert_false(dd_form_differentiate_equation(fix->m->forms, &lhs, &rhs, &factor));
    assert_int_equal(lhs, before);
}

/* ---- derivatives put in ---- */

/* der(vx) = -z*x, der(v) = -z*p - {0, 0, g}, der(r) = u, der(z) = 0 */
static dd_form test_rate(void *user, uint32_t symbol)
{
    fixture *fix = user;
    const char *name = dd_forms_symbol(fix->m->forms, symbol)->name;
    if (strcmp(name, "vx") == 0) {
        return read_form(&fix->r, "-z*x");
    }
    if (strcmp(name, "v") == 0) {
        return read_form(&fix->r, "-z*p - {0, 0, g}");
    }
    if (strcmp(name, "z") == 0) {
        return read_form(&fix->r, "0");
    }
    return strcmp(name, "r") == 0 ? read_form(&fix->r, "u") : DD_FORM_NONE;
}

static const char *const replaced[][2] = {
    {"der(vx)", "-z*x"},
    {"x*der(vx) + vx^2", "-x^2*z + vx^2"},
    {"y - der(vx)", "y + z*x"},
    {"2*der(vx)", "-2*z*x"},
    {"p*der(v) + v*v", "-p*(z*p + {0, 0, g}) + v*v"},
    {"der(v[2])", "-z*p[2]"},
    {"der(v[3]) + g", "-z*p[3]"},
    {"der(r)", "u"},
    {"der(r[2])", "u[2]"},
    {"der(r[2:3])", "der(r[2:3])"},
    {"{der(r[i]) for i in 1:3}", "{u[i] for i in 1:3}"},
    {"x*der(z) + y", "y"},
    {"sin(der(z))", "sin(0)"},
    {"der(der(vx))", "der(der(vx))"},
    {"der(y)", "der(y)"},
    {"x + y", "x + y"},
    {"der(vx)/L", "-z*x/L"},
};

static void check_rates(fixture *fix)
{
    for (size_t i = 0; i < sizeof replaced / sizeof *replaced; i++) {
        dd_form f = dd_form_replace_rates(fix->m->forms, read_form(&fix->r, replaced[i][0]), test_rate, fix);
        assert_string_equal(text_of(fix, f, NULL), replaced[i][1]);
    }
    dd_form same = read_form(&fix->r, "x*der(y)");
    assert_int_equal(dd_form_replace_rates(fix->m->forms, same, test_rate, fix), same);
}

/* ---- limits ---- */

/* A long sum costs in proportion; nesting too deep and growth too large give no derivative instead of a failure. */
static void check_limits(fixture *fix)
{
    enum { MANY = 50000 };
    dd_forms *forms = fix->m->forms;
    dd_form *terms = dd_pool_alloc_array(fix->pool, MANY, sizeof *terms);
    for (uint32_t i = 0; i < MANY; i++) {
        dd_form factors[2] = {dd_form_number(forms, i + 1, DD_NO_SPAN),
                              read_form(&fix->r, i % 2 == 0 ? "x" : "sin(y)")};
        terms[i] = dd_form_new(forms, DD_FORM_MUL, 0, 0, factors, 2, DD_NO_SPAN);
    }
    dd_form rate = dd_form_derivative(forms, dd_form_new(forms, DD_FORM_SUM, 0, 0, terms, MANY, DD_NO_SPAN));
    assert_string_equal(text_of(fix, rate, NULL), "625000000*vx + 625025000*cos(y)*vy");

    dd_form deep = read_form(&fix->r, "x");
    for (int i = 0; i < 900; i++) {
        deep = dd_form_new(forms, DD_FORM_CALL, DD_FN_SIN, 0, &deep, 1, DD_NO_SPAN);
    }
    assert_int_equal(dd_form_derivative(forms, deep), DD_FORM_NONE);

    /* x^x^x..., each derivative several times as large as the one before */
    dd_form f = read_form(&fix->r, "(x + y)^(x*y)/(x - y)^(x/y)");
    for (int order = 0; order < 30 && f != DD_FORM_NONE; order++) {
        f = dd_form_derivative(forms, f);
    }
    assert_int_equal(f, DD_FORM_NONE);
}

static void derive_sample(void *arg)
{
    dd_pool *pool = arg;
    dd_model *m = dd_model_create(dd_pool_context(pool), pool, "Sample");
    reader r = {.m = m};
    standard_model(m);
    dd_form lhs = read_form(&r, "{p*p - L^2, sin(x)*y/s, x + 2*x + y + s + th + z + x*y + y*s + s*th + 1}"),
            rhs = read_form(&r, "{1, 2, [x; 2]*{y}*{1, 2}}");
    double factor;
    dd_form_differentiate_equation(m->forms, &lhs, &rhs, &factor);
}

static void test_memory(void **state)
{
    (void)state;
    assert_true(sweep_failures(derive_sample) > 5);
}

FIXTURE_TEST(derivatives)
FIXTURE_TEST(equations)
FIXTURE_TEST(rates)
FIXTURE_TEST(limits)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_derivatives), cmocka_unit_test(test_equations), cmocka_unit_test(test_rates),
        cmocka_unit_test(test_limits),      cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
