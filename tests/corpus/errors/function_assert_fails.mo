function f
  input Real x;
  output Real y;
algorithm
  assert(x > 0, "x must be positive");
  y := sqrt(x);
end f;
model Part parameter Real k = -1; Real y = f(k); end Part;
model Top
  Part p[3];
  Real a = f(-1);
end Top;
// expect-error: 5:10: f: the assertion x > 0 does not hold: x must be positive
// expect-note: 11:12: in this call of f
