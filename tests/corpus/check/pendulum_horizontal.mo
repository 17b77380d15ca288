// The same pendulum started at (1, 0): there x and u do not move with the angle, so fixing them fixes nothing.
model Horizontal
  parameter Real g = 9.81;
  Real x(start = 1, fixed = true), y(start = 0), u(start = 0, fixed = true), v(start = 0), l;
equation
  der(x) = u;
  der(y) = v;
  der(u) = -l*x;
  der(v) = -l*y - g;
  x^2 + y^2 = 1;
end Horizontal;
// expect: index=3 dof=2 constraint_count=1 hidden_count=2 verdict=ok initial.missing=2 initial.excess=2
