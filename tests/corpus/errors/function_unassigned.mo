function f
  input Real x;
  output Real y, z[2];
protected
  Real w;
algorithm
  if x > 1 then
    y := 1;
  end if;
  z[1] := w;
end f;
function g
  input Real x;
  output Real y;
algorithm
end g;
model Top
  Real a = f(2), b = g(1), c, d[2];
equation
  (c, d) = f(0);
end Top;
// expect-error: 10:11: w is used before it has a value in f
// expect-note: 18:12: in this call of f
// expect-error: 18:22: g ends without a value for its output y: it has no algorithm
