// Pendulum stabilised by Gear, Gupta and Leimkuhler: both constraints, one more multiplier.
model GglPendulum
  parameter Real g = 9.81;
  Real x(start = 0.6, fixed = true), y(start = -0.8), u(start = 0, fixed = true), v, l, m;
equation
  der(x) = u - m*x;
  der(y) = v - m*y;
  der(u) = -l*x;
  der(v) = -l*y - g;
  x^2 + y^2 = 1;
  x*u + y*v = 0;
end GglPendulum;
// expect: index=2 structural_index=2 dof=2 constraint_count=2 hidden_count=2 unknowns=6 equations=6
// expect: certificate=structural verdict=ok kind=dae initial.missing=0 initial.excess=0
// expect-equivalent: x*(u - m*x) + y*(v - m*y) = 0
// expect-equivalent: u*(u - m*x) + v*(v - m*y) - l*(x^2 + y^2) - g*y = 0
