/* test_elaborate.c - the array semantics: shapes and numbers of every operation against values worked out by hand,
 * the messages of what is refused, point values, limits, speed and memory failures. */
#include <math.h>
#include <time.h>

#include "../base/support.h"
#include "../expr/form_reader.h"
#include "expr/value.h"
#include "lang/elaborate.h"

/* ---- the numbers behind the symbols ---- */

/* x = 2, y = 3, s = 5, th = 0.5, z = -1; p = {1,2,3}, q = {4,5,6}, r = {-1,0,2}, e = {7,8}; A = [1..9], B = [1..6]
 * row by row; C, d, from, L, m, g, n, b as declared. der(x) of any order adds 100 per order. */
static double number_of(void *user, dd_expr symbol)
{
    dd_model *m = user;
    if (dd_op_of(m->dag, symbol) == DD_OP_TIME) {
        return 0.25;
    }
    uint32_t var = dd_symbol_id(m->dag, symbol);
    const dd_variable *v = &m->vars.data[var];
    if (dd_op_of(m->dag, symbol) == DD_OP_PARAM && v->kind != DD_KIND_POINT) {
        return v->value;
    }
    static const struct {
        const char *name;
        double first, step;
    } values[] = {{"x", 2, 0}, {"y", 3, 0}, {"s", 5, 0}, {"th", 0.5, 0}, {"z", -1, 0},
                  {"p", 1, 1}, {"q", 4, 1}, {"e", 7, 1}, {"A", 1, 1},    {"B", 1, 1}};
    const char *name = m->arrays.data[v->array].name;
    double order = v->kind == DD_KIND_POINT ? 0 : dd_symbol_order(m->dag, symbol);
    if (strcmp(name, "r") == 0) {
        return (double[]){-1, 0, 2}[v->element] + 100 * order;
    }
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        if (strcmp(values[i].name, name) == 0) {
            return values[i].first + values[i].step * v->element + 100 * order;
        }
    }
    return NAN;
}

static void check_value(fixture *fix, dd_elaborator *e, const char *text, const dd_form_env *env, const char *shape,
                        const double *expected)
{
    dd_value v;
    dd_text described = dd_text_new(fix->pool);
    if (!dd_elaborate(e, read_form(&fix->r, text), env, &v)) {
        fail_msg("%s: %s", text, dd_context_diagnostic(fix->ctx, dd_context_diagnostic_count(fix->ctx) - 1).message);
    }
    dd_value_describe(&v, &described);
    if (strcmp(dd_text_str(&described), shape) != 0) {
        fail_msg("%s is %s, not %s", text, dd_text_str(&described), shape);
    }
    for (uint32_t k = 0; k < v.size; k++) {
        double found = dd_value_of(fix->m->dag, v.elems[k], number_of, fix->m, fix->pool);
        if (!(fabs(found - expected[k]) <= 1e-12 * (1 + fabs(expected[k])))) {
            fail_msg("%s: element %u is %.17g, not %.17g", text, k + 1, found, expected[k]);
        }
    }
}

/* ---- values ---- */

static const struct {
    const char *text, *shape;
    double expected[12];
} cases[] = {
    {"7", "a scalar", {7}},
    {"0.5", "a scalar", {0.5}},
    {"true", "a scalar", {1}},
    {"time", "a scalar", {0.25}},
    {"x", "a scalar", {2}},
    {"p", "3", {1, 2, 3}},
    {"B", "2 x 3", {1, 2, 3, 4, 5, 6}},
    /* sums */
    {"x + y - s", "a scalar", {0}},
    {"x - y + 4*s - th + z + x + y + s + 1 + 2", "a scalar", {2 - 3 + 20 - 0.5 - 1 + 2 + 3 + 5 + 3}},
    {"p + q - r", "3", {6, 7, 7}},
    {"-p", "3", {-1, -2, -3}},
    {"-p + q", "3", {3, 3, 3}},
    {"B - B", "2 x 3", {0, 0, 0, 0, 0, 0}},
    /* products */
    {"x*y", "a scalar", {6}},
    {"x*p", "3", {2, 4, 6}},
    {"p*x", "3", {2, 4, 6}},
    {"p*q", "a scalar", {32}},
    {"B*p", "2", {14, 32}},
    {"e*B", "3", {7 * 1 + 8 * 4, 7 * 2 + 8 * 5, 7 * 3 + 8 * 6}},
    {"B*A", "2 x 3", {30, 36, 42, 66, 81, 96}},
    {"p*A*q", "a scalar", {30 * 4 + 36 * 5 + 42 * 6}},
    {"p/x", "3", {0.5, 1, 1.5}},
    {"x/y", "a scalar", {2.0 / 3}},
    {"B/2", "2 x 3", {0.5, 1, 1.5, 2, 2.5, 3}},
    {"x^3", "a scalar", {8}},
    {"x^y", "a scalar", {8}},
    {"A^2", "3 x 3", {30, 36, 42, 66, 81, 96, 102, 126, 150}},
    {"A^0", "3 x 3", {1, 0, 0, 0, 1, 0, 0, 0, 1}},
    {"A^1", "3 x 3", {1, 2, 3, 4, 5, 6, 7, 8, 9}},
    {"[1, 1; 1, 0]^(n + 3)", "2 x 2", {13, 8, 8, 5}},
    /* elementwise */
    {"p .* q", "3", {4, 10, 18}},
    {"p ./ q", "3", {0.25, 0.4, 0.5}},
    {"p .^ 2", "3", {1, 4, 9}},
    {"2 .^ p", "3", {2, 4, 8}},
    {"p .+ 1", "3", {2, 3, 4}},
    {"1 .- p", "3", {0, -1, -2}},
    {"x .* y", "a scalar", {6}},
    {"6 ./ p", "3", {6, 3, 2}},
    {"B .* B", "2 x 3", {1, 4, 9, 16, 25, 36}},
    /* subscripts */
    {"p[2]", "a scalar", {2}},
    {"p[end]", "a scalar", {3}},
    {"p[end - 1]", "a scalar", {2}},
    {"p[n]", "a scalar", {3}},
    {"p[from[2]]", "a scalar", {1}},
    {"p[from[end]]", "a scalar", {2}},
    {"e[from[2] + end - 1]", "a scalar", {8}},
    {"p[from]", "3", {3, 1, 2}},
    {"p[{3, 1}]", "2", {3, 1}},
    {"p[2:3]", "2", {2, 3}},
    {"p[1:2:3]", "2", {1, 3}},
    {"p[3:-1:1]", "3", {3, 2, 1}},
    {"p[2:end]", "2", {2, 3}},
    {"p[:]", "3", {1, 2, 3}},
    {"p[3:2]", "0", {0}},
    {"A[2,3]", "a scalar", {6}},
    {"A[end,end - 1]", "a scalar", {8}},
    {"A[2,:]", "3", {4, 5, 6}},
    {"A[:,2]", "3", {2, 5, 8}},
    {"A[2]", "3", {4, 5, 6}},
    {"A[{3, 1},2:3]", "2 x 2", {8, 9, 2, 3}},
    {"p[div(n, 2)]", "a scalar", {1}},
    {"p[integer(2.7)]", "a scalar", {2}},
    {"p[size(p, 1)]", "a scalar", {3}},
    {"p[if n > 2 then 1 else 17]", "a scalar", {1}},
    {"p[max(n - 1, 1)]", "a scalar", {2}},
    /* ranges */
    {"1:3", "3", {1, 2, 3}},
    {"5:-2:1", "3", {5, 3, 1}},
    {"0:0.25:1", "5", {0, 0.25, 0.5, 0.75, 1}},
    {"0:0.1:0.3", "4", {0, 0.1, 0.2, 0.3}},
    {"n:n+1", "2", {3, 4}},
    {"2:1", "0", {0}},
    /* arrays */
    {"{x, y, 1}", "3", {2, 3, 1}},
    {"{p, q}", "2 x 3", {1, 2, 3, 4, 5, 6}},
    {"{{{1, 2}}}", "1 x 1 x 2", {1, 2}},
    {"[x, y; 7, 8]", "2 x 2", {2, 3, 7, 8}},
    {"[p, q]", "3 x 2", {1, 4, 2, 5, 3, 6}},
    {"[p; q]", "6 x 1", {1, 2, 3, 4, 5, 6}},
    {"[A[1:2,1:2], e; 1, 2, 3]", "3 x 3", {1, 2, 7, 4, 5, 8, 1, 2, 3}},
    {"cat(1, p, {x}, zeros(2))", "6", {1, 2, 3, 2, 0, 0}},
    {"cat(1, B, [7, 8, 9])", "3 x 3", {1, 2, 3, 4, 5, 6, 7, 8, 9}},
    {"cat(2, B, [7; 8])", "2 x 4", {1, 2, 3, 7, 4, 5, 6, 8}},
    {"{i*x for i in 1:3}", "3", {2, 4, 6}},
    {"{p[i]^2 for i in from}", "3", {9, 1, 4}},
    {"{10*i + j for i in 1:3, j in 1:2}", "2 x 3", {11, 21, 31, 12, 22, 32}},
    {"{{10*i + j for i in 1:3} for j in 1:2}", "2 x 3", {11, 21, 31, 12, 22, 32}},
    {"{i*{1, 2} for i in 1:2}", "2 x 2", {1, 2, 2, 4}},
    {"{h*x for h in 0:0.5:1}", "3", {0, 1, 2}},
    {"{x for i in 1:0}", "0", {0}},
    {"{if i == 1 then 0 else p[i - 1] for i in 1:3}", "3", {0, 1, 2}},
    {"{if i > 1 and p[i - 1] > 1 then 1 else 0 for i in 1:3}", "3", {0, 0, 1}},
    /* reductions */
    {"sum(p)", "a scalar", {6}},
    {"sum(A)", "a scalar", {45}},
    {"sum({p[i]*q[i] for i in 1:3})", "a scalar", {32}},
    {"sum(p[i]*q[i] for i in 1:3)", "a scalar", {32}},
    {"sum(i*p for i in 1:2)", "3", {3, 6, 9}},
    {"sum({i*p for i in 1:2})", "a scalar", {18}},
    {"sum(i*j for i in 1:2, j in 1:3)", "a scalar", {18}},
    {"sum(zeros(0))", "a scalar", {0}},
    {"product(q)", "a scalar", {120}},
    {"product({i for i in 1:5})", "a scalar", {120}},
    {"product(zeros(0))", "a scalar", {1}},
    {"min(x, y)", "a scalar", {2}},
    {"max(x, y)", "a scalar", {3}},
    {"min(r)", "a scalar", {-1}},
    {"max(A)", "a scalar", {9}},
    {"max({4, 9, 2, 7, 1})", "a scalar", {9}},
    {"max(abs(r[i]) for i in 1:3)", "a scalar", {2}},
    /* making arrays */
    {"zeros(2, 3)", "2 x 3", {0, 0, 0, 0, 0, 0}},
    {"ones(n)", "3", {1, 1, 1}},
    {"fill(x, 2, 2)", "2 x 2", {2, 2, 2, 2}},
    {"identity(2)", "2 x 2", {1, 0, 0, 1}},
    {"linspace(0, x, 5)", "5", {0, 0.5, 1, 1.5, 2}},
    {"diagonal(p[1:2])", "2 x 2", {1, 0, 0, 2}},
    {"cross(p, q)", "3", {2 * 6 - 3 * 5, 3 * 4 - 1 * 6, 1 * 5 - 2 * 4}},
    {"skew(p)", "3 x 3", {0, -3, 2, 3, 0, -1, -2, 1, 0}},
    {"skew(p)*q - cross(p, q)", "3", {0, 0, 0}},
    {"transpose(B)", "3 x 2", {1, 4, 2, 5, 3, 6}},
    {"transpose({{{1, 2}, {3, 4}}})", "2 x 1 x 2", {1, 2, 3, 4}},
    {"outerProduct(e, p)", "2 x 3", {7, 14, 21, 8, 16, 24}},
    {"symmetric(A)", "3 x 3", {1, 2, 3, 2, 5, 6, 3, 6, 9}},
    {"scalar({{x}})", "a scalar", {2}},
    {"vector([1; 2; 3])", "3", {1, 2, 3}},
    {"vector(x)", "1", {2}},
    {"matrix(p)", "3 x 1", {1, 2, 3}},
    {"matrix(x)", "1 x 1", {2}},
    {"matrix({{{1}, {2}}})", "1 x 2", {1, 2}},
    {"size(B)", "2", {2, 3}},
    {"size(B, 2)", "a scalar", {3}},
    {"size(x)", "0", {0}},
    {"size(B*A, 1)", "a scalar", {2}},
    {"ndims(B)", "a scalar", {2}},
    /* functions, element by element */
    {"sin(x) + cos(x) + tan(x)", "a scalar", {0.9092974268256817 - 0.4161468365471424 - 2.185039863261519}},
    {"asin(th) + acos(th) + atan(th)", "a scalar", {0.5235987755982989 + 1.0471975511965979 + 0.4636476090008061}},
    {"sinh(x) + cosh(x) + tanh(x)", "a scalar", {3.6268604078470186 + 3.7621956910836314 + 0.9640275800758169}},
    {"exp(x) + log(x) + log10(x) + sqrt(x)",
     "a scalar",
     {7.38905609893065 + 0.6931471805599453 + 0.3010299956639812 + 1.4142135623730951}},
    {"abs(r)", "3", {1, 0, 2}},
    {"sign(r)", "3", {-1, 0, 1}},
    {"floor(-x/3)", "a scalar", {-1}},
    {"ceil(-x/3)", "a scalar", {0}},
    {"sqrt(p .* p)", "3", {1, 2, 3}},
    {"atan2(y, x)", "a scalar", {0.982793723247329}},
    {"atan2(p, 1)", "3", {0.7853981633974483, 1.1071487177940904, 1.2490457723982544}},
    {"mod(-7, 3)", "a scalar", {2}},
    {"rem(-7, 3)", "a scalar", {-1}},
    {"div(-7, 3)", "a scalar", {-2}},
    {"mod(q, 3)", "3", {1, 2, 0}},
    {"rem(z, y)", "a scalar", {-1}},
    {"integer(x/3)", "a scalar", {0}},
    {"noEvent(p)", "3", {1, 2, 3}},
    {"smooth(1, x*y)", "a scalar", {6}},
    {"homotopy(x, y)", "a scalar", {2}},
    /* logic */
    {"x < y", "a scalar", {1}},
    {"x > y", "a scalar", {0}},
    {"x <= 2 and y >= 3", "a scalar", {1}},
    {"x == 2 or x <> 2 and y < 0", "a scalar", {1}},
    {"not x < y", "a scalar", {0}},
    {"b == true", "a scalar", {1}},
    {"if x < y then p else q", "3", {1, 2, 3}},
    {"if x > y then 1 elseif x > 1 then 2 else 3", "a scalar", {2}},
    {"if n > 5 then 1/0 else x", "a scalar", {2}},
    {"if n > 5 then p[n + 10] else x", "a scalar", {2}},
    {"if b then p else e", "3", {1, 2, 3}},
    {"if b then x else 1/0", "a scalar", {2}},
    {"if x > 0 then 1 elseif b then 2 else p[9]", "a scalar", {1}},
    /* derivatives: der adds 100 to every symbol here */
    {"der(x)", "a scalar", {102}},
    {"der(p)", "3", {101, 102, 103}},
    {"der(p[2])", "a scalar", {102}},
    {"der(der(x))", "a scalar", {202}},
    {"der(x*y)", "a scalar", {102 * 3 + 2 * 103}},
    {"der(p*p)", "a scalar", {2 * (101 + 2 * 102 + 3 * 103)}},
    {"der(x + y)", "a scalar", {205}},
    {"der(L*x + L)", "a scalar", {0.7 * 102}},
    {"der(L)", "a scalar", {0}},
    {"der(3)", "a scalar", {0}},
    {"der(time)", "a scalar", {1}},
    {"der(x*der(x))", "a scalar", {102 * 102 + 2 * 202}},
};

static void check_values(fixture *fix)
{
    dd_elaborator e = dd_elaborator_new(fix->m, fix->pool);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        check_value(fix, &e, cases[i].text, NULL, cases[i].shape, cases[i].expected);
    }
    assert_int_equal(dd_context_error_count(fix->ctx), 0);
}

/* ---- errors ---- */

static const char *const errors[][2] = {
    {"p + e", "`+` needs equal sizes: p has size 3, e has size 2"},
    {"p - e", "`-` needs equal sizes: p has size 3, e has size 2"},
    {"p + 1", "`+` needs equal sizes: p has size 3, 1 is a scalar"},
    {"x + y - p", "`-` needs equal sizes: x is a scalar, p has size 3"},
    {"x + B", "`+` needs equal sizes: x is a scalar, B has size 2 x 3"},
    {"p .* e", "`.*` needs equal sizes: p has size 3, e has size 2"},
    {"p*e", "`*` needs matching sizes: p has size 3, e has size 2"},
    {"A*e", "`*` needs matching sizes: A has size 3 x 3, e has size 2"},
    {"p*B", "`*` needs matching sizes: p has size 3, B has size 2 x 3"},
    {"{{p}}*p",
     "`*` works on vectors and matrices: {{p}} has size 1 x 1 x 3, p has size 3; use `.*` for elementwise products"},
    {"x/p", "`/` needs a scalar divisor, but p has size 3; use `./` for elementwise division"},
    {"x/0", "division by zero in x/0"},
    {"x/(n - n)", "division by zero in x/(n - n)"},
    {"p^2", "`^` needs a scalar or a square matrix, but p has size 3; use `.^` for elementwise powers"},
    {"B^2", "`^` needs a scalar or a square matrix, but B has size 2 x 3; use `.^` for elementwise powers"},
    {"A^x", "the exponent of a matrix must be an Integer, but x is Real; div(a, b) and integer(x) return Integers"},
    {"A^(-1)", "the exponent of a matrix must not be negative, but it is -1"},
    {"2^p", "`^` needs a scalar exponent, but p has size 3; use `.^` for elementwise powers"},
    {"b + 1", "a sum needs numbers, but b is Boolean"},
    {"1 + b", "`+` needs numbers, but b is Boolean"},
    {"sin(b)", "sin needs numbers, but b is Boolean"},
    {"x and b", "`and` needs Booleans, but x is a number"},
    {"not x", "`not` needs Booleans, but x is a number"},
    {"b < 1", "`<` needs numbers, but b is Boolean"},
    {"b == 1", "`==` compares a Boolean with a number: b == 1"},
    {"p < q", "`<` compares scalars, but p has size 3"},
    {"p[4]", "subscript 4 is out of range: p has size 3"},
    {"p[0]", "subscript 0 is out of range: p has size 3"},
    {"p[end + 1]", "subscript 4 is out of range: p has size 3"},
    {"p[2:4]", "subscript 4 is out of range: p has size 3"},
    {"p[{1, 7}]", "subscript 7 is out of range: p has size 3"},
    {"A[1,5]", "subscript 5 is out of range: dimension 2 of A has size 3"},
    {"p[1,2]", "p has 1 dimension, but 2 subscripts"},
    {"x[1]", "x has 0 dimensions, but 1 subscript"},
    {"p[1.5]", "a subscript must be an Integer or a vector of Integers, but 1.5 is Real; div(a, b) and integer(x) "
               "return Integers"},
    {"p[n/3]", "a subscript must be an Integer or a vector of Integers, but n/3 is Real; div(a, b) and integer(x) "
               "return Integers"},
    {"p[integer(x)]", "a subscript must be known before the simulation, but x is a variable"},
    {"p[integer(time)]", "a subscript must be known before the simulation, but integer(time) depends on time"},
    {"p[b]", "a subscript must be an Integer or a vector of Integers, but b is Boolean"},
    {"{x, p}", "an array constructor needs equal sizes: x is a scalar, p has size 3"},
    {"{x, b}", "an array mixes Booleans and numbers: x and b"},
    {"{{{{{{{x}}}}}}}", "{{{{{{{x}}}}}}} has 7 dimensions; at most 6 are supported"},
    {"[p, e]", "a row of a matrix needs equal sizes except in dimension 2: p has size 3 x 1, e has size 2 x 1"},
    {"[1, 2; 3]", "a matrix needs equal sizes except in dimension 1: 1, 2 has size 1 x 2, 3 has size 1 x 1"},
    {"cat(2, p, q)", "cat along dimension 2, but p has size 3"},
    {"cat(1, A, e)", "cat needs equal sizes except in dimension 1: A has size 3 x 3, e has size 2"},
    {"if x > 0 then p else e", "`if` needs equal sizes: p has size 3, e has size 2"},
    {"if x > 0 then b else 1", "the branches of `if` mix Booleans and numbers: b and 1"},
    {"if x then 1 else 2", "a condition needs Booleans, but x is a number"},
    {"cross(p, e)", "cross needs vectors of size 3, but e has size 2"},
    {"skew(A)", "skew needs vectors of size 3, but A has size 3 x 3"},
    {"transpose(p)", "transpose needs a matrix, but p has size 3"},
    {"symmetric(B)", "symmetric needs a square matrix, but B has size 2 x 3"},
    {"diagonal(x)", "diagonal needs a vector, but x is a scalar"},
    {"scalar(p)", "scalar needs one element, but p has size 3"},
    {"vector(B)", "vector needs an array with one dimension above 1, but B has size 2 x 3"},
    {"size(p, 2)", "dimension 2 is requested, but p has 1 dimension"},
    {"sum(x)", "sum needs an array, but x is a scalar"},
    {"min(zeros(0))", "min of an empty array has no value"},
    {"min(p, q)", "min takes one array or two scalars, but p has size 3"},
    {"zeros(-1)", "a size must not be negative, but -1 is -1"},
    {"zeros(x)", "a size must be an Integer, but x is Real; div(a, b) and integer(x) return Integers"},
    {"zeros(20000, 20000)", "zeros(20000, 20000) has size 20000 x 20000, more than the limit of 10000000 elements"},
    {"1:100000000", "the range 1:100000000 has 100000000 values, more than the limit of 10000000"},
    {"1:0:5", "the step of the range 1:0:5 is 0"},
    {"1:x", "a range must be known before the simulation, but x is a variable"},
    {"1:p", "a range needs scalar numbers, but p has size 3"},
    {"linspace(0, 1, 1)", "linspace needs at least 2 points, not 1"},
    {"{x for i in y}", "a loop runs over a range or a vector of numbers, but y is a scalar"},
    {"{zeros(i) for i in 1:2}",
     "zeros(2) changes its size between iterations: first it has size 1, then it has size 2"},
    {"{p[i] for i in 1:5}", "subscript 4 is out of range: p has size 3"},
    {"mod(x, 0)", "division by zero in mod(x, 0)"},
    {"der(b)", "der needs numbers, but b is Boolean"},
    {"x(1)", "a value at one time, x(1), is allowed only in an optimization"},
    {"x + y*(s + th)*(z + 1)^2*sin(x + y)*cos(s + th) + exp(x)*p",
     "`+` needs equal sizes: x is a scalar, exp(x)*p has size 3"},
    {"(x + y)*(s + th)*(z + 1)^2*sin(x + y)*cos(s + th)*exp(x)*log(y)*p + e",
     "`+` needs equal sizes: (x + y)*(s + th)*(z + 1)^2*sin(x + y)*cos(s + th)*exp(x)*... has size 3, e has size 2"},
    {"sqrt(x, y)", "sqrt takes 1 argument, but 2 are given"},
    {"atan2(x)", "atan2 takes 2 arguments, but 1 is given"},
    {"size(A, 1, 2)", "size takes 1 to 2 arguments, but 3 are given"},
};

static void check_error(fixture *fix, const char *text, bool done, const char *message)
{
    if (done) {
        fail_msg("%s was accepted", text);
    }
    if (dd_context_error_count(fix->ctx) != 1) {
        fail_msg("%s gave %zu messages", text, dd_context_error_count(fix->ctx));
    }
    const char *found = dd_context_diagnostic(fix->ctx, 0).message;
    if (strcmp(found, message) != 0) {
        fail_msg("%s:\n  %s\nnot\n  %s", text, found, message);
    }
    dd_context_clear_diagnostics(fix->ctx);
}

static void check_errors(fixture *fix)
{
    dd_elaborator e = dd_elaborator_new(fix->m, fix->pool);
    dd_value v;
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        check_error(fix, errors[i][0], dd_elaborate(&e, read_form(&fix->r, errors[i][0]), NULL, &v), errors[i][1]);
    }
}

static void check_parameters_only(fixture *fix)
{
    dd_elaborator e = dd_elaborator_new(fix->m, fix->pool);
    dd_value v;
    e.parameters_only = true;
    check_value(fix, &e, "L*d[1] + sin(0) + der(L)", NULL, "a scalar", (double[]){0.7 * 1.5});
    check_error(fix, "x", dd_elaborate(&e, read_form(&fix->r, "L + x"), NULL, &v),
                "only parameters and constants are allowed here, but x is a variable");
    check_error(fix, "time", dd_elaborate(&e, read_form(&fix->r, "L*time"), NULL, &v),
                "only parameters and constants are allowed here, not time");
    /* the size of a variable is no use of its value */
    check_value(fix, &e, "size(p, 1)", NULL, "a scalar", (double[]){3});
}

/* ---- what shapes the model ---- */

static bool structural(fixture *fix, const char *name)
{
    return fix->m->vars.data[fix->m->arrays.data[dd_model_find_array(fix->m, name)].first].structural;
}

static void check_structural(fixture *fix)
{
    dd_elaborator e = dd_elaborator_new(fix->m, fix->pool);
    int64_t i;
    bool truth, all_integer;
    double *values;
    uint64_t count;
    dd_value v;
    assert_true(dd_elaborate_integer(&e, read_form(&fix->r, "2*3 + 1"), NULL, &i));
    assert_int_equal(i, 7);
    assert_false(structural(fix, "n"));
    assert_true(dd_elaborate_integer(&e, read_form(&fix->r, "n^1*0 + mod(n, 2)"), NULL, &i) == false); /* ^ is Real */
    dd_context_clear_diagnostics(fix->ctx);
    assert_true(dd_elaborate_integer(&e, read_form(&fix->r, "mod(n, 2) + from[1]"), NULL, &i));
    assert_int_equal(i, 4);
    assert_true(structural(fix, "n"));
    assert_true(structural(fix, "from"));

    /* a condition with a variable in it leaves its parameters alone, a folded one does not */
    assert_true(dd_elaborate(&e, read_form(&fix->r, "if L*x > 0 then x else y"), NULL, &v));
    assert_false(structural(fix, "L"));
    assert_int_equal(dd_op_of(fix->m->dag, v.elems[0]), DD_OP_IF);
    assert_true(dd_elaborate(&e, read_form(&fix->r, "if L > 0 then x else y"), NULL, &v));
    assert_true(structural(fix, "L"));
    assert_int_equal(v.elems[0], dd_model_symbol(fix->m, fix->m->arrays.data[dd_model_find_array(fix->m, "x")].first));

    assert_true(dd_elaborate_boolean(&e, read_form(&fix->r, "m < 1"), NULL, &truth));
    assert_false(truth);
    assert_true(structural(fix, "m"));
    check_error(fix, "x < 1", dd_elaborate_boolean(&e, read_form(&fix->r, "x < 1"), NULL, &truth),
                "the condition must be known before the simulation, but x is a variable");
    check_error(fix, "m", dd_elaborate_boolean(&e, read_form(&fix->r, "m"), NULL, &truth),
                "a condition needs Booleans, but m is a number");

    assert_true(dd_elaborate_range(&e, read_form(&fix->r, "0:0.1:0.5"), NULL, &values, &count, &all_integer));
    assert_int_equal(count, 6);
    assert_false(all_integer);
    assert_true(values[3] == 0.3);
    assert_true(dd_elaborate_range(&e, read_form(&fix->r, "from"), NULL, &values, &count, &all_integer));
    assert_int_equal(count, 3);
    assert_true(all_integer && values[0] == 3 && values[2] == 2);
}

/* Parameters stay symbols, constants bound to literals become numbers, other constants stay symbols. */
static void check_constants(fixture *fix)
{
    dd_model *m = fix->m;
    dd_elaborator e = dd_elaborator_new(m, fix->pool);
    dd_value v;
    uint32_t tenth = declare(m, "tenth", DD_KIND_CONSTANT, DD_TYPE_REAL, 0, 0, 0);
    uint32_t pair = declare(m, "pair", DD_KIND_CONSTANT, DD_TYPE_REAL, 1, 2, 0);
    uint32_t twice = declare(m, "twice", DD_KIND_CONSTANT, DD_TYPE_REAL, 0, 0, 0);
    m->arrays.data[tenth].binding = read_form(&fix->r, "0.1");
    m->arrays.data[pair].binding = read_form(&fix->r, "{-2, 0.5}");
    m->arrays.data[twice].binding = read_form(&fix->r, "2*tenth");
    int64_t num, den;
    assert_true(dd_elaborate(&e, read_form(&fix->r, "tenth"), NULL, &v));
    assert_true(dd_num_rational(m->dag, v.elems[0], &num, &den));
    assert_int_equal(num, 1);
    assert_int_equal(den, 10);
    check_value(fix, &e, "pair", NULL, "2", (double[]){-2, 0.5});
    assert_true(dd_elaborate(&e, read_form(&fix->r, "pair[1]"), NULL, &v));
    assert_int_equal(dd_op_of(m->dag, v.elems[0]), DD_OP_NUM);
    assert_true(dd_elaborate(&e, read_form(&fix->r, "twice"), NULL, &v));
    assert_int_equal(dd_op_of(m->dag, v.elems[0]), DD_OP_PARAM);
    assert_true(dd_elaborate(&e, read_form(&fix->r, "L"), NULL, &v));
    assert_int_equal(dd_op_of(m->dag, v.elems[0]), DD_OP_PARAM);
}

/* ---- loop variables ---- */

static void check_environment(fixture *fix)
{
    dd_elaborator e = dd_elaborator_new(fix->m, fix->pool);
    dd_form_env outer = {.value = 2, .real = 2}, inner = {.value = 0, .real = 0.5, .outer = &outer};
    outer.loop = reader_loop(&fix->r, "i");
    inner.loop = reader_loop(&fix->r, "h");
    check_value(fix, &e, "p[i + 1]", &inner, "a scalar", (double[]){3});
    check_value(fix, &e, "h*i", &inner, "a scalar", (double[]){1});
    check_value(fix, &e, "{p[j] for j in i:3}", &inner, "2", (double[]){2, 3});
    dd_value v;
    check_error(fix, "i", dd_elaborate(&e, read_form(&fix->r, "x*i"), NULL, &v),
                "the loop variable i has no value here");
    check_error(fix, "p[h]", dd_elaborate(&e, read_form(&fix->r, "p[h]"), &inner, &v),
                "a subscript must be an Integer or a vector of Integers, but 0.5 is Real; div(a, b) and integer(x) "
                "return Integers");
}

/* ---- point values ---- */

static void check_points(fixture *fix)
{
    dd_model *m = fix->m;
    dd_optimization optimization = {.data_file = ""};
    m->optimization = &optimization;
    dd_elaborator e = dd_elaborator_new(m, fix->pool);
    dd_value v, again;
    e.in_optimization = true;
    assert_true(dd_elaborate(&e, read_form(&fix->r, "x(L)"), NULL, &v));
    assert_true(dd_elaborate(&e, read_form(&fix->r, "x(L + 0)"), NULL, &again));
    assert_int_equal(v.elems[0], again.elems[0]);
    assert_int_equal(optimization.points.len, 1);
    const dd_point *point = &optimization.points.data[0];
    assert_string_equal(m->arrays.data[m->vars.data[point->var].array].name, "x(L)");
    assert_int_equal(m->vars.data[point->var].kind, DD_KIND_POINT);
    assert_int_equal(point->of, m->arrays.data[dd_model_find_array(m, "x")].first);
    assert_int_equal(v.elems[0], dd_model_symbol(m, point->var));

    assert_true(dd_elaborate(&e, read_form(&fix->r, "p(1) - {p[i](1) for i in 1:3}"), NULL, &v));
    assert_int_equal(optimization.points.len, 4);
    assert_true(dd_is_num(m->dag, v.elems[2], 0));
    dd_elaborator other = dd_elaborator_new(m, fix->pool); /* finds what an earlier one made */
    other.in_optimization = true;
    assert_true(dd_elaborate(&other, read_form(&fix->r, "sum({(x(k/20) - d[k])^2 for k in 1:3}) + p[2](1)"), NULL, &v));
    assert_int_equal(optimization.points.len, 7);
    assert_true(dd_model_find_array(m, "x(2/20)") != DD_NO_INDEX);
    assert_true(dd_model_find_array(m, "p[3](1)") != DD_NO_INDEX);

    check_error(fix, "x(y)", dd_elaborate(&e, read_form(&fix->r, "x(y)"), NULL, &v),
                "only parameters and constants are allowed here, but y is a variable");
    check_error(fix, "L(1)", dd_elaborate(&e, read_form(&fix->r, "L(1)"), NULL, &v),
                "L is not a variable, so it has no value at a time");
    assert_false(e.parameters_only);
}

/* ---- limits ---- */

static void check_limit(fixture *fix)
{
    dd_elaborator e = dd_elaborator_new(fix->m, fix->pool);
    dd_value v;
    e.max_elements = 10;
    check_error(fix, "outerProduct", dd_elaborate(&e, read_form(&fix->r, "outerProduct(1:4, 1:3)"), NULL, &v),
                "outerProduct(1:4, 1:3) has size 4 x 3, more than the limit of 10 elements");
    check_error(fix, "comprehension", dd_elaborate(&e, read_form(&fix->r, "{x for i in 1:4, j in 1:4}"), NULL, &v),
                "{x for i in 1:4, j in 1:4} has 16 elements, more than the limit of 10");
    check_error(fix, "product of sizes",
                dd_elaborate(&e, read_form(&fix->r, "zeros(100000, 100000, 100000, 100000)"), NULL, &v),
                "zeros(100000, 100000, 100000, 100000) has size 100000 x 100000 x 100000 x 100000, more than the limit "
                "of 10 elements");
}

/* As deep as forms can be, through every kind of recursion. */
static void check_depth(fixture *fix)
{
    dd_forms *forms = fix->m->forms;
    dd_elaborator e = dd_elaborator_new(fix->m, fix->pool);
    dd_form f = read_form(&fix->r, "x"), condition = read_form(&fix->r, "y > 0"), one = read_form(&fix->r, "1");
    dd_value v;
    while (dd_form_get(forms, f)->depth < DD_FORM_MAX_DEPTH - 4) {
        f = dd_form_new(forms, DD_FORM_IF, 0, 0, (dd_form[]){condition, f, one}, 3, DD_NO_SPAN);
        f = dd_form_new(forms, DD_FORM_SUM, 0, 0, (dd_form[]){one, f}, 2, DD_NO_SPAN);
        f = dd_form_new(forms, DD_FORM_ARRAY, 0, 0, (dd_form[]){f, one}, 2, DD_NO_SPAN);
        f = dd_form_new(forms, DD_FORM_CALL, DD_FN_SUM, 0, &f, 1, DD_NO_SPAN);
    }
    assert_true(dd_elaborate(&e, f, NULL, &v));
    assert_true(strlen(text_of(fix, f, NULL)) > 1000);
}

/* ---- cost ---- */

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* A heat equation of 10^5 cells, about 30 forms a cell: the time per instance must not depend on the size of the
 * array. */
static void check_speed(fixture *fix)
{
    enum { CELLS = 100000 };
    dd_model *m = fix->m;
    declare(m, "T", DD_KIND_VARIABLE, DD_TYPE_REAL, 1, CELLS + 2, 0);
    declare(m, "k", DD_KIND_VARIABLE, DD_TYPE_REAL, 1, CELLS + 2, 0);
    dd_form_env env = {.loop = reader_loop(&fix->r, "i")};
    dd_form f = read_form(&fix->r, "k[i]*(T[i + 1] - 2*T[i] + T[i - 1])/L^2 + m*(T[i]^2 - g*sin(T[i])) - der(T[i])");
    uint32_t before = m->dag != NULL ? dd_dag_count(m->dag) : 0;
    double start = seconds();
    for (uint32_t round = 0; round < CELLS / 1000; round++) {
        dd_pool *scratch = dd_pool_child(fix->pool);
        dd_elaborator e = dd_elaborator_new(m, scratch);
        for (uint32_t k = 0; k < 1000; k++) {
            dd_value v;
            env.value = 1000 * round + k + 2;
            env.real = (double)env.value;
            assert_true(dd_elaborate(&e, f, &env, &v));
        }
        dd_pool_free(scratch);
    }
    double taken = seconds() - start;
    print_message("10^5 loop instances: %.3f s, %u nodes\n", taken, dd_dag_count(m->dag) - before);
    if (getenv("DAEDAL_TIMED") && taken > 2) { /* `make bench`: a cost that grows with the array takes minutes */
        fail_msg("10^5 loop instances took %.3f s", taken);
    }
}

/* ---- memory failures ---- */

static void elaborate_sample(void *arg)
{
    dd_pool *pool = arg;
    dd_model *m = dd_model_create(dd_pool_context(pool), pool, "Sample");
    static const char *const texts[] = {"p*p - L^2",
                                        "{if i > 1 then A[i,:]*p else x for i in 1:3}",
                                        "[p, q]*{x, 1}",
                                        "sum({sin(p[i])^2 for i in from}) + max(q)",
                                        "if x > 0 then cross(p, q) else p + r",
                                        "cat(1, der(p), linspace(0, x, 4)) + e",
                                        "p[9]"};
    reader r = {.m = m};
    standard_model(m);
    dd_elaborator e = dd_elaborator_new(m, pool);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        dd_value v;
        bool ok = dd_elaborate(&e, read_form(&r, texts[i]), NULL, &v);
        assert_true(ok == (i + 2 < sizeof texts / sizeof *texts));
    }
}

static void test_memory(void **state)
{
    (void)state;
    assert_true(sweep_failures(elaborate_sample) > 5);
}

FIXTURE_TEST(values)
FIXTURE_TEST(errors)
FIXTURE_TEST(parameters_only)
FIXTURE_TEST(structural)
FIXTURE_TEST(constants)
FIXTURE_TEST(environment)
FIXTURE_TEST(points)
FIXTURE_TEST(limit)
FIXTURE_TEST(depth)
FIXTURE_TEST(speed)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),     cmocka_unit_test(test_errors),    cmocka_unit_test(test_parameters_only),
        cmocka_unit_test(test_structural), cmocka_unit_test(test_constants), cmocka_unit_test(test_environment),
        cmocka_unit_test(test_points),     cmocka_unit_test(test_limit),     cmocka_unit_test(test_depth),
        cmocka_unit_test(test_speed),      cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
