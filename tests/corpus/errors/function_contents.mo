function f
  input Real x;
  output Real y;
  Real stray;
equation
  y = der(x) + time;
end f;
function g
  input Real x;
  output Real y;
algorithm
  y := der(x) + time;
end g;
function h
  input Real x;
  output Real y;
algorithm
  when x > 1 then
    y := 1;
  end when;
end h;
model Top
  Real a = f(1), b = g(1), c = h(1);
end Top;
// expect-error: 5:1: a function has no equations: its statements follow `algorithm`
// expect-error: 18:3: `when` is not supported yet
