/* test_function.c - functions of the user against closed forms and numbers worked out by other means. */
#include "function_kit.h"

/* ---- arithmetic and loops ---- */

static const char numeric[] =
    "function horner input Real a[:]; input Real s; output Real y; algorithm\n"
    "  y := a[size(a, 1)];\n"
    "  for i in size(a, 1) - 1:-1:1 loop y := y*s + a[i]; end for;\n"
    "end horner;\n"
    "function product2 input Real B[:, :]; input Real C[size(B, 2), :]; output Real D[size(B, 1), size(C, 2)];\n"
    "algorithm\n"
    "  for i in 1:size(B, 1) loop for j in 1:size(C, 2) loop\n"
    "    D[i, j] := 0;\n"
    "    for l in 1:size(B, 2) loop D[i, j] := D[i, j] + B[i, l]*C[l, j]; end for;\n"
    "  end for; end for;\n"
    "end product2;\n"
    "function factorial input Integer m; output Integer f; algorithm\n"
    "  if m <= 1 then f := 1; else f := m*factorial(m - 1); end if;\n"
    "end factorial;\n"
    "function fibonacci input Integer m; output Integer f; algorithm\n"
    "  f := if m < 3 then 1 else fibonacci(m - 1) + fibonacci(m - 2);\n"
    "end fibonacci;\n"
    "function newton \"square root by steps of Newton\" input Real a; input Integer steps = 20; output Real r = 1;\n"
    "algorithm for i in 1:steps loop r := (r + a/r)/2; end for;\n"
    "end newton;\n"
    "function geometric input Real q; output Real s = 0; protected Real t = 1; Integer i = 0; algorithm\n"
    "  while i < 5 loop s := s + t; t := t*q; i := i + 1; if i == 4 then break; end if; end while;\n"
    "end geometric;\n"
    "function both input Real a; input Real c = 3; input Real d = 10*c; output Real sum; output Real difference;\n"
    "algorithm sum := a + c + d; difference := a - c;\n"
    "end both;\n"
    "function tuples input Real a; output Real y; protected Real p; Real q; algorithm\n"
    "  (p, q) := both(a); y := p*100 + q; (, q) := both(a, 1); y := y + 1000*q; (p) := both(a); y := y + p;\n"
    "end tuples;\n"
    "function reversed input Real u[:]; output Real r[size(u, 1)]; algorithm\n"
    "  for i loop r[i] := u[size(u, 1) + 1 - i]; end for;\n"
    "end reversed;\n"
    "function cube input Real a; output Real c = a^3; end cube;\n"
    "function scale3 = scale(factor = 3);\n"
    "function scale input Real a; input Real factor = 2; output Real c; algorithm c := a*factor; end scale;\n"
    "partial function Interface input Real a; output Real c; end Interface;\n"
    "function plusOne extends Interface; algorithm c := a + 1; end plusOne;\n"
    "function empty input Real u[:]; output Real s; protected Real r[0]; algorithm s := sum(u) + sum(r); end empty;\n"
    "function tail input Real u[:]; output Real r[:]; algorithm r := u[2:end]; end tail;\n"
    "function weird input Integer m; output Real r[m]; protected Integer last = m + 0; Real B[last, 2]; algorithm\n"
    "  B[:, 1] := ones(last); B[1:end, 2] := linspace(1, last, last); r := B[:, 1] + 10*B[:, 2];\n"
    "end weird;\n";

static void check_numeric(fkit *k)
{
    const double x = 0.7, y = -1.3;
    CHECK(k, "horner({1, 2, 3}, x)", 1 + 2 * x + 3 * x * x);
    CHECK(k, "horner(a = c, s = y)", 1.5 - 2 * y);
    CHECK(k, "horner(v, z)", 0.3 - 0.8 * 2.1 + 1.1 * 2.1 * 2.1);
    CHECK(k, "product2(A, A) - A*A", 0, 0, 0, 0, 0, 0, 0, 0, 0);
    CHECK(k, "product2([1, 2; 3, 4; 5, 6], [x; y])", x + 2 * y, 3 * x + 4 * y, 5 * x + 6 * y);
    CHECK(k, "factorial(10)", 3628800);
    CHECK(k, "factorial(n)", 6);
    CHECK(k, "fibonacci(15)", 610);
    CHECK(k, "newton(2)", sqrt(2));
    CHECK(k, "newton(z)", sqrt(2.1));
    CHECK(k, "newton(z, steps = 1)", 1.55);
    CHECK(k, "geometric(x)", 1 + x + x * x + x * x * x);
    CHECK(k, "both(x)", x + 33);
    CHECK(k, "both(x, d = 1)", x + 4);
    CHECK(k, "both(x, y)", x + 11 * y);
    CHECK(k, "tuples(x)", (x + 33) * 100 + x - 3 + 1000 * (x - 1) + x + 33);
    CHECK(k, "reversed(v)", 1.1, -0.8, 0.3);
    CHECK(k, "cube(x)", x * x * x);
    CHECK(k, "scale3(x) + 100*scale3(x, 5)", 3 * x + 500 * x);
    CHECK(k, "plusOne(x)", x + 1);
    CHECK(k, "2*pure(plusOne(x))^2", 2 * (x + 1) * (x + 1));
    CHECK(k, "empty(zeros(0))", 0);
    CHECK(k, "tail(v)", -0.8, 1.1);
    CHECK(k, "weird(n)", 11, 21, 31);
    /* element by element */
    CHECK(k, "cube(v)", 0.027, -0.512, 1.331);
    CHECK(k, "scale({x, y}, {10, 100})", 10 * x, 100 * y);
    CHECK(k, "scale({{1, 2}, {3, 4}}, 10)", 10, 20, 30, 40);
    CHECK(k, "horner({{1, 2}, {3, 4}}, {x, y})", 1 + 2 * x, 3 + 4 * y);
    CHECK(k, "cube(zeros(0))");
    /* functions of the language made of others */
    CHECK(k, "array(x, y)", x, y);
    CHECK(k, "semiLinear(y, 3, 5) + semiLinear(negativeSlope = 5, x = x, positiveSlope = 3)", 5 * y + 3 * x);
    fkit_check_derivatives(k, "horner(v, x*y)");
    fkit_check_derivatives(k, "product2(A, A)");
    fkit_check_derivatives(k, "newton(z, 6)");
    fkit_check_derivatives(k, "cube(v + w)");
}

/* ---- conditions ---- */

static const char conditions[] =
    "function absolute input Real a; output Real r; algorithm if a < 0 then r := -a; else r := a; end if;\n"
    "end absolute;\n"
    "function early input Real a; output Real r; algorithm\n"
    "  r := 1; if a < 0 then r := -1; return; end if; r := sqrt(a);\n"
    "end early;\n"
    "function firstAbove input Real u[:]; input Real limit; output Integer at = 0; algorithm\n"
    "  for i in 1:size(u, 1) loop if u[i] > limit then at := i; break; end if; end for;\n"
    "end firstAbove;\n"
    "function lookFor input Real u[:]; input Real limit; output Real r; algorithm\n"
    "  r := -100; for i in 1:size(u, 1) loop\n"
    "    if u[i] > limit then break; end if;\n"
    "    if u[i] < -0.5 then r := 10*i; return; end if;\n"
    "    r := i;\n"
    "  end for; r := r + 1000;\n"
    "end lookFor;\n"
    "function steps input Real a; output Real r; algorithm\n"
    "  if a < -1 then r := 1; elseif a < 0 then r := 2; elseif a < 1 then r := 3; else r := 4; end if;\n"
    "end steps;\n"
    "function onParameter input Real a; input Real p; output Real r; algorithm\n"
    "  if p > 0 then r := a; else r := -a; end if;\n"
    "end onParameter;\n"
    "function shaped input Real p; output Real r[:]; algorithm\n"
    "  if p > 0 then r := {1, 2}; else r := {1, 2, 3}; end if;\n"
    "end shaped;\n"
    "function power input Real a; input Real p; output Real r; algorithm\n"
    "  if p < 0.5 then r := 1; else r := a*power(a, p - 1); end if;\n"
    "end power;\n"
    "function limited input Real a; output Real r; algorithm\n"
    "  assert(a < 100, \"too large\"); assert(true, \"never\");\n"
    "  if a > 0 then assert(a < 50, \"half\"); end if; r := a;\n"
    "end limited;\n"
    "function flags input Boolean f; input Real a; output Boolean g; output Real r; algorithm\n"
    "  g := not f and a > 0; r := if g then 1 else 0;\n"
    "end flags;\n"
    "function choose input Real a; output Real r; protected Real t; algorithm\n"
    "  if a > 0 then t := a; r := 2*t; else r := 0; end if;\n"
    "end choose;\n";

static void check_conditions(fkit *k)
{
    const double x = 0.7, y = -1.3;
    CHECK(k, "absolute(x) + 10*absolute(y)", x - 10 * y);
    CHECK(k, "absolute(-2)", 2);
    CHECK(k, "{early(x), early(y), early(4)}", sqrt(x), -1, 2);
    CHECK(k, "{firstAbove(v, 1), firstAbove(v, 0), firstAbove(v, 7), firstAbove({1, 2}, 1.5)}", 3, 1, 0, 2);
    CHECK(k, "{lookFor(v, 0), lookFor(v, 1), lookFor(w, 1), lookFor(w, 7), lookFor({x, y}, 1)}", 900, 20, 900, 1003,
          20);
    CHECK(k, "{steps(y), steps(y + 1), steps(x), steps(z)}", 1, 2, 3, 4);
    CHECK(k, "choose(x)", 2 * x);
    CHECK(k, "flags(false, x)", 1);
    fkit_check_derivatives(k, "early(x) + absolute(y) + steps(x)*x");

    /* the value of a Real parameter stays open where it shapes nothing */
    uint32_t h = k->m->arrays.data[dd_model_find_array(k->m, "h")].first;
    uint32_t p = k->m->arrays.data[dd_model_find_array(k->m, "k")].first;
    CHECK(k, "onParameter(x, h)", -x);
    assert_false(k->m->vars.data[h].structural);
    dd_expr e[MOST_VALUES];
    assert_int_equal(fkit_exprs(k, "onParameter(x, h)", e), 1);
    k->m->vars.data[h].value = 0.5;
    assert_true(fabs(dd_value_of(k->m->dag, e[0], fkit_number, k, k->syntax) - x) < 1e-15);
    k->m->vars.data[h].value = -0.5;
    /* and is taken where it does: a size, a recursion */
    CHECK(k, "shaped(h)", 1, 2, 3);
    assert_true(k->m->vars.data[h].structural);
    assert_false(k->m->vars.data[p].structural);
    CHECK(k, "power(x, k + 1)", x * x * x);
    assert_true(k->m->vars.data[p].structural);

    /* assertions: one for each condition, under the condition of its branch */
    uint32_t before = k->m->assertions.len;
    CHECK(k, "limited(x)", x);
    CHECK(k, "limited(x)", x);
    assert_int_equal(k->m->assertions.len, before + 2);
    CHECK(k, "limited(3)", 3);
    assert_int_equal(k->m->assertions.len, before + 2);
    dd_expr half = k->m->assertions.data[before + 1].condition;
    assert_true(dd_value_of(k->m->dag, half, fkit_number, k, k->syntax) == 1);
    k->nudged = 0;
    k->nudge = 60;
    assert_true(dd_value_of(k->m->dag, half, fkit_number, k, k->syntax) == 0);
    k->nudge = -60;
    assert_true(dd_value_of(k->m->dag, half, fkit_number, k, k->syntax) == 1);
    k->nudged = UINT32_MAX;
    fkit_expect_error(k, "limited(200)", "too large");
}

/* ---- linear algebra ---- */

static const char algebra[] =
    "function solve \"Gauss elimination with row exchange\"\n"
    "  input Real M[:, size(M, 1)]; input Real r[size(M, 1)]; output Real s[size(M, 1)];\n"
    "protected Integer m = size(M, 1); Real B[m, m] = M; Real t[m] = r; Real row[m]; Real f;\n"
    "algorithm\n"
    "  for j in 1:m loop\n"
    "    for i in j + 1:m loop\n"
    "      if abs(B[i, j]) > abs(B[j, j]) then\n"
    "        row := B[j, :]; B[j, :] := B[i, :]; B[i, :] := row; f := t[j]; t[j] := t[i]; t[i] := f;\n"
    "      end if;\n"
    "    end for;\n"
    "    for i in j + 1:m loop\n"
    "      f := B[i, j]/B[j, j]; B[i, :] := B[i, :] - f*B[j, :]; t[i] := t[i] - f*t[j];\n"
    "    end for;\n"
    "  end for;\n"
    "  for i in m:-1:1 loop s[i] := (t[i] - B[i, i + 1:m]*s[i + 1:m])/B[i, i]; end for;\n"
    "end solve;\n"
    "function rotate \"Rodrigues' formula\" input Real axis[3]; input Real angle; input Real u[3]; output Real r[3];\n"
    "protected Real e[3] = axis/sqrt(axis*axis);\n"
    "algorithm r := u*cos(angle) + cross(e, u)*sin(angle) + e*(e*u)*(1 - cos(angle));\n"
    "end rotate;\n"
    "function rotation input Real axis[3]; input Real angle; output Real R[3, 3]; protected Real I[3, 3] = "
    "identity(3);\n"
    "algorithm for i in 1:3 loop R[:, i] := rotate(axis, angle, I[:, i]); end for;\n"
    "end rotation;\n";

static void check_algebra(fkit *k)
{
    CHECK(k, "A*solve(A, v)", 0.3, -0.8, 1.1);
    CHECK(k, "solve([0, 1, 0; 0, 0, 2; 4, 0, 0], {1, 2, 3})", 0.75, 1, 1);
    CHECK(k, "[0, x; y, z]*solve([0, x; y, z], {1, 2})", 1, 2); /* the exchange is decided when it runs */
    CHECK(k, "rotate({0, 0, 2}, x, {1, 0, 0})", cos(0.7), sin(0.7), 0);
    CHECK(k, "transpose(rotation(v, x))*rotation(v, x)", 1, 0, 0, 0, 1, 0, 0, 0, 1);
    CHECK(k, "rotation(v, x)*v", 0.3, -0.8, 1.1);
    fkit_check_derivatives(k, "solve(A, v)");
    fkit_check_derivatives(k, "rotation(v, x*y)*w");
}

/* ---- records ---- */

static const char records[] =
    "record Complex Real re; Real im = 0; end Complex;\n"
    "record Pair Complex first; Complex second(re = 7); Real list[2] = {5, 6}; end Pair;\n"
    "record Named extends Complex; Integer id = 4; end Named;\n"
    "function multiply input Complex a; input Complex b; output Complex c; algorithm\n"
    "  c.re := a.re*b.re - a.im*b.im; c.im := a.re*b.im + a.im*b.re;\n"
    "end multiply;\n"
    "function power input Complex a; input Integer m; output Complex c = Complex(1); algorithm\n"
    "  for i in 1:m loop c := multiply(c, a); end for;\n"
    "end power;\n"
    "function polynomial input Complex a[:]; input Complex s; output Complex y; algorithm\n"
    "  y := a[size(a, 1)];\n"
    "  for i in size(a, 1) - 1:-1:1 loop y := multiply(y, s); y.re := y.re + a[i].re; y.im := y.im + a[i].im; end "
    "for;\n"
    "end polynomial;\n"
    "function nested input Real a; output Real r; protected Pair p; Complex q[3]; algorithm\n"
    "  p.first := Complex(a, 2); p.list[2] := 60; q[2] := p.first; q[3].re := 8; q[1].re := 9;\n"
    "  p.second := Complex(re = 7, im = q[2].im);\n"
    "  r := p.first.re + 10*p.second.im + p.list[2] + q[2].re + sum(q.re);\n"
    "end nested;\n"
    "function larger input Complex a; input Complex b; output Complex c; algorithm\n"
    "  if a.re > b.re then c := a; else c := b; end if;\n"
    "end larger;\n"
    "function swap input Complex a; output Complex c; output Real d; algorithm c := Complex(a.im, a.re); d := a.re;\n"
    "end swap;\n";

static void check_records(fkit *k)
{
    const double x = 0.7, y = -1.3;
    CHECK(k, "Complex(x, y)", x, y);
    CHECK(k, "Complex(im = 1, re = x)", x, 1);
    CHECK(k, "Named(x)", x, 0, 4);
    CHECK(k, "multiply(Complex(x, y), Complex(1, 2))", x - 2 * y, 2 * x + y);
    CHECK(k, "power(Complex(0, x), 4)", x * x * x * x, 0);
    CHECK(k, "polynomial({Complex(1), Complex(2), Complex(3)}, Complex(x))", 1 + 2 * x + 3 * x * x, 0);
    CHECK(k, "nested(x)", x + 20 + 60 + x + 9 + x + 8);
    CHECK(k, "larger(Complex(x, 1), Complex(y, 2))", x, 1);
    CHECK(k, "if x > y then Complex(x) else Complex(y, 3)", x, 0);
    fkit_check_derivatives(k, "polynomial({Complex(x, y), Complex(y, z)}, Complex(z, x))");

    dd_leaf *leaves, **lists;
    uint32_t n, *counts;
    assert_true(fkit_leaves(k, "Pair(Complex(1), Complex(2))", &leaves, &n));
    assert_int_equal(n, 5);
    assert_string_equal(leaves[1].path, ".first.im");
    assert_string_equal(leaves[4].path, ".list");
    assert_int_equal(leaves[4].value.size, 2);
    dd_form call = fkit_form(k, "swap(Complex(x, y))");
    assert_int_equal(dd_functions_outputs(k->fs, call), 2);
    assert_true(dd_elaborate_outputs(&k->e, call, NULL, &lists, &counts));
    assert_int_equal(counts[0], 2);
    assert_int_equal(counts[1], 1);
    assert_true(dd_value_of(k->m->dag, lists[0][0].value.elems[0], fkit_number, k, k->syntax) == y);
    assert_true(dd_value_of(k->m->dag, lists[1][0].value.elems[0], fkit_number, k, k->syntax) == x);
    fkit_expect_error(k, "Complex(x) + 1", "is a record");
    fkit_expect_error(k, "multiply(Complex(x), 3)", "b is Complex");
    fkit_expect_error(k, "Complex()", "re is not given");
}

/* ---- mistakes ---- */

static const char mistakes[] =
    "function f input Real a; input Real u[3] = {1, 2, 3}; output Real r; algorithm r := a + sum(u); end f;\n"
    "function endless input Real a; output Real r; algorithm r := endless(a + 1); end endless;\n"
    "function slow input Real a; output Real r; algorithm\n"
    "  r := 0; for i in 1:5000000 loop for j in 1:10 loop r := a; end for; end for;\n"
    "end slow;\n"
    "function tree input Real a; input Integer m; output Real r = if m == 0 then a else tree(a, m - 1) + tree(-a, m - "
    "1);\n"
    "end tree;\n"
    "function unset input Real a; output Real r; protected Real t; algorithm r := a + t; end unset;\n"
    "function unsetElement input Real a; output Real r[2]; algorithm r[1] := a; r[1] := r[2]; end unsetElement;\n"
    "function oneBranch input Real a; output Real r; algorithm if a > 0 then r := 1; end if; end oneBranch;\n"
    "function sizes input Real a; output Real r[:]; algorithm\n"
    "  if a > 0 then r := {1}; else r := {1, 2}; end if;\n"
    "end sizes;\n"
    "function waits input Real a; output Real r = 0; algorithm while r < a loop r := r + 1; end while; end waits;\n"
    "function assignsInput input Real a; output Real r; algorithm a := 1; r := 2; end assignsInput;\n"
    "function unknownName input Real a; output Real r; algorithm r := missing; end unknownName;\n"
    "function usesTime input Real a; output Real r; algorithm r := a*time; end usesTime;\n"
    "function outOfRange input Real u[:]; output Real r; algorithm r := u[4]; end outOfRange;\n"
    "function wrongSize input Real u[:]; output Real r[2]; algorithm r := u; end wrongSize;\n"
    "function wrongType input Real a; output Integer r; algorithm r := a; end wrongType;\n"
    "function slices input Real a; output Real r[3]; algorithm r := zeros(3); r[1:2] := {a}; end slices;\n"
    "function itself input Real a; output Real r; protected Real t = s; Real s = t; algorithm r := t; end itself;\n"
    "partial function P input Real a; output Real r; end P;\n"
    "function nothing input Real a; end nothing;\n"
    "model M Real q; end M;\n"
    "record Loop Loop inside; end Loop;\n"
    "function text input String s; output Real r = 1; end text;\n";

static void check_mistakes(fkit *k)
{
    fkit_expect_error(k, "f(x, {1, 2})", "f: u has size 3, but the value given to it has size 2");
    fkit_expect_error(k, "f()", "the input a is not given and has no default");
    fkit_expect_error(k, "f(1, 2, 3)", "f has 2 inputs, but 3 arguments are given");
    fkit_expect_error(k, "f(1, q = 2)", "f has no input q");
    fkit_expect_error(k, "f(1, a = 2)", "the input a is given twice");
    fkit_expect_error(k, "f(b)", "f: a is Real, but the value given to it is Boolean");
    fkit_expect_error(k, "f(x, 3)", "u has 1 dimension");
    fkit_expect_error(k, "endless(x)", "does the recursion end?");
    fkit_expect_error(k, "unset(x)", "t is used before it has a value in unset");
    fkit_expect_error(k, "unsetElement(x)", "r[2] is used before it has a value");
    fkit_expect_error(k, "oneBranch(x)", "oneBranch ends without a value for its output r");
    fkit_expect_error(k, "sizes(x)", "assign r values of different sizes");
    fkit_expect_error(k, "waits(x)", "the condition of `while` changes");
    fkit_expect_error(k, "assignsInput(x)", "a is an input of assignsInput and cannot be assigned");
    fkit_expect_error(k, "unknownName(x)", "missing is not declared");
    fkit_expect_error(k, "usesTime(x)", "time cannot be used in the function usesTime");
    fkit_expect_error(k, "outOfRange(v)", "subscript 4 is out of range: u has size 3");
    fkit_expect_error(k, "wrongSize(v)", "r has size 2, but the value assigned to it has size 3");
    fkit_expect_error(k, "wrongType(x)", "r is Integer, but the value assigned to it is Real");
    fkit_expect_error(k, "slices(x)", "the part that is assigned has size 2, but the value has size 1");
    fkit_expect_error(k, "itself(x)", "needs");
    fkit_expect_error(k, "P(x)", "P is partial");
    fkit_expect_error(k, "nothing(x)", "has no output");
    fkit_expect_error(k, "M(x)", "neither a function nor a record");
    fkit_expect_error(k, "Loop(x)", "contains itself");
    fkit_expect_error(k, "text(1)", "String variables are not supported");
    fkit_expect_error(k, "nowhere(x)", "there is no function nowhere");
    fkit_expect_error(k, "delay(x, 1)", "`delay` is not supported yet");
    CHECK(k, "f(x)", 6.7); /* nothing is broken by all this */
}

static void check_slow(fkit *k)
{
    k->e.max_statements = 100000;
    CHECK(k, "tree(x, 3)", 0);
    fkit_expect_error(k, "tree(x, 50)", "tree runs too long");
    fkit_expect_error(k, "slow(x)", "slow runs too long: more than 100000 statements");
}

/* ---- derivatives ---- */

/* The given derivatives are wrong on purpose, so that they show. */
static const char derivatives[] =
    "function sq input Real a; input Real s; output Real r; algorithm r := s*a^2; annotation(derivative = sq_der);\n"
    "end sq;\n"
    "function sq_der input Real a; input Real s; input Real a_der; input Real s_der; output Real r_der; algorithm\n"
    "  r_der := (2*s*a + 100)*a_der + a^2*s_der;\n"
    "end sq_der;\n"
    "function partly input Real a; input Real s; output Real r; algorithm r := s*a;\n"
    "  annotation(Inline = true, derivative(noDerivative = s) = partly_der, smoothOrder = 3);\n"
    "end partly;\n"
    "function partly_der input Real a; input Real s; input Real a_der; output Real r_der = 5*s*a_der; end partly_der;\n"
    "function zero input Real a; input Real s; output Real r; algorithm r := s*a^3;\n"
    "  annotation(derivative(zeroDerivative = s) = zero_der);\n"
    "end zero;\n"
    "function zero_der input Real a; input Real s; input Real a_der; output Real r_der = 7*s*a_der; end zero_der;\n"
    "function dot input Real a[:]; input Real c[size(a, 1)]; output Real r = a*c; annotation(derivative = dot_der);\n"
    "end dot;\n"
    "function dot_der input Real a[:]; input Real c[size(a, 1)]; input Real da[size(a, 1)];\n"
    "  input Real dc[size(a, 1)]; output Real r = da*c + 3*(a*dc);\n"
    "end dot_der;\n"
    "function g input Real a; input Real c; output Real r = a^2*c; annotation(derivative = g1); end g;\n"
    "function g1 input Real a; input Real c; input Real da; input Real dc; output Real r = 2*a*c*da + a^2*dc;\n"
    "  annotation(derivative(order = 2) = g2);\n"
    "end g1;\n"
    "function g2 input Real a; input Real c; input Real da; input Real dc; input Real dda; input Real ddc;\n"
    "  output Real r = 11*c*da^2 + 8*a*da*dc + 2*a*c*dda + a^2*ddc;\n"
    "end g2;\n"
    "function bad input Real a; output Real r = a; annotation(derivative = sq_der); end bad;\n";

static double partial(fkit *k, const char *text, const char *by)
{
    dd_expr e[MOST_VALUES];
    assert_int_equal(fkit_exprs(k, text, e), 1);
    dd_expr symbol = dd_model_symbol(k->m, k->m->arrays.data[dd_model_find_array(k->m, by)].first);
    return dd_value_of(k->m->dag, dd_diff(k->m->dag, e[0], symbol), fkit_number, k, k->syntax);
}

static double second_partial(fkit *k, const char *text, const char *by, const char *then)
{
    dd_expr e[MOST_VALUES];
    assert_int_equal(fkit_exprs(k, text, e), 1);
    dd_expr a = dd_model_symbol(k->m, k->m->arrays.data[dd_model_find_array(k->m, by)].first);
    dd_expr b = dd_model_symbol(k->m, k->m->arrays.data[dd_model_find_array(k->m, then)].first);
    dd_expr second = dd_diff(k->m->dag, dd_diff(k->m->dag, e[0], a), b);
    return dd_value_of(k->m->dag, second, fkit_number, k, k->syntax);
}

static void near(double a, double b)
{
    if (!(fabs(a - b) <= 1e-12 * (1 + fabs(b)))) {
        fail_msg("%.17g is not %.17g", a, b);
    }
}

static void check_derivatives(fkit *k)
{
    const double x = 0.7, y = -1.3, z = 2.1;
    CHECK(k, "sq(x, y)", y * x * x);
    near(partial(k, "sq(x, y)", "x"), 2 * x * y + 100);
    near(partial(k, "sq(x, y)", "y"), x * x);
    near(partial(k, "sq(x*z, y)", "x"), (2 * x * z * y + 100) * z); /* chain rule */
    near(partial(k, "sq(x, y)^2", "x"), 2 * y * x * x * (2 * x * y + 100));
    near(partial(k, "sq(x, 1)", "y"), 0);
    near(second_partial(k, "sq(x, y)", "x", "x"), 2 * y); /* of what is given */
    near(partial(k, "partly(x, k)", "x"), 5 * 2);
    near(partial(k, "partly(x, y)", "x"), y); /* y is an unknown, and the value depends on it: as it is written */
    near(partial(k, "partly(x, y)", "y"), x);
    near(partial(k, "zero(x, k)", "x"), 7 * 2);         /* k does not change */
    near(partial(k, "zero(x, y)", "x"), 3 * y * x * x); /* y does */
    near(partial(k, "dot(v, w)", "v"), 1.2);
    near(partial(k, "dot(v, w)", "w"), 3 * 0.3);
    near(partial(k, "sum(sq({x, z}, y))", "x"), 2 * x * y + 100);
    /* the second derivatives of g are given by g2: 11*c*da^2 for 2*c*da^2, 8*a*da*dc for 4*a*da*dc */
    near(partial(k, "g(x, y)", "x"), 2 * x * y);
    near(second_partial(k, "g(x, y)", "x", "x"), 11 * y);
    near(second_partial(k, "g(x, y)", "x", "y"), 4 * x);
    near(second_partial(k, "g(x, y)", "y", "x"), 4 * x);
    near(second_partial(k, "g(x, y)", "y", "y"), 0);
    /* total derivative in time: what index reduction takes */
    dd_expr e[MOST_VALUES];
    fkit_exprs(k, "sq(x, y)", e);
    dd_expr rate = dd_total_derivative(k->m->dag, e[0], NULL, NULL);
    near(dd_value_of(k->m->dag, rate, fkit_number, k, k->syntax), (2 * x * y + 100) * x + x * x * y);
    fkit_expect_error(k, "bad(x)", "sq_der is not a derivative of bad");
}

#define FUNCTION_TEST(name, classes)                                                                                   \
    static void test_##name(void **state)                                                                              \
    {                                                                                                                  \
        (void)state;                                                                                                   \
        fkit_run(classes, check_##name);                                                                               \
    }

FUNCTION_TEST(numeric, numeric)
FUNCTION_TEST(conditions, conditions)
FUNCTION_TEST(algebra, algebra)
FUNCTION_TEST(records, records)
FUNCTION_TEST(mistakes, mistakes)
FUNCTION_TEST(slow, mistakes)
FUNCTION_TEST(derivatives, derivatives)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numeric),     cmocka_unit_test(test_conditions), cmocka_unit_test(test_algebra),
        cmocka_unit_test(test_records),     cmocka_unit_test(test_mistakes),   cmocka_unit_test(test_slow),
        cmocka_unit_test(test_derivatives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
