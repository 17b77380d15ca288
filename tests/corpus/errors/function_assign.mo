function f
  input Real x;
  output Real y;
  constant Real c = 3;
algorithm
  x := 2;
  y := x;
  c := 4;
  q := 5;
  y[2] := 3;
  (y, z) := g(x);
  y := true;
end f;
function g
  input Real x;
  output Real a, b;
algorithm
  a := {1, 2};
  b := x;
end g;
model Top
  Real u = f(1), v = g(1);
end Top;
// expect-error: 6:3: x is an input of f and cannot be assigned
// expect-error: 8:3: c is a constant of f and cannot be assigned
// expect-error: 9:3: q is not declared
// expect-error: 11:7: z is not declared
// expect-note: 22:12: in this call of f
// expect-error: 18:8: a is a scalar, but the value assigned to it has size 2
// expect-note: 22:22: in this call of g
