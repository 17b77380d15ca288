// Planar pendulum in Cartesian coordinates (Pantelides 1988).
model PlanarPendulum
  parameter Real g = 9.81;
  Real x(start = 0.6, fixed = true), y(start = -0.8), u(start = 0, fixed = true), v, l;
equation
  der(x) = u;
  der(y) = v;
  der(u) = -l*x;
  der(v) = -l*y - g;
  x^2 + y^2 = 1;
end PlanarPendulum;
// expect: status=ok index=3 structural_index=3 dof=2 constraint_count=1 hidden_count=2 unknowns=5 equations=5
// expect: certificate=structural verdict=ok kind=dae initial.missing=0 initial.excess=0
// expect-constraint: x^2 + y^2 = 1 | x^2 + y^2 - 1 = 0
// expect-equivalent: x*u + y*v = 0
// expect-equivalent: u^2 + v^2 - l*(x^2 + y^2) - g*y = 0
// expect-exit: 0
