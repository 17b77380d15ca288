function f
  input Real u;
  output Real y;
external "C" y = my_f(u) annotation(Library = "m");
end f;
function g
  input Real u;
  output Real y;
algorithm
  when u > 1 then
    y := 2;
  end when;
  y := pre(u);
  terminate("no");
  print("hello");
  y := f(function g(a = 1), u);
equation
  y = 2;
end g;
model M
  Real x = 1;
end M;
// expect-error: 4:1: `external` is not supported yet
// expect-error: 10:3: `when` is not supported yet
// expect-error: 13:8: `pre` is not supported yet
// expect-error: 14:3: `terminate` is not supported yet
// expect-error: 16:10: expected an expression, found `function`, a keyword
// expect-error: 17:1: a function has no equations: its statements follow `algorithm`
