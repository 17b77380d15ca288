// The planar pendulum in units that differ by many powers of ten: the answer must not depend on them.
model ScaledUnits
  parameter Real L = 1e6, g = 9.81e3, m = 1e-9;
  Real x(start = 0.6e6), y(start = -0.8e6), u(nominal = 1e5), v(nominal = 1e5), l(nominal = 1e-12);
equation
  der(x) = u;
  der(y) = v;
  m*der(u) = -l*x;
  m*der(v) = -l*y - m*g;
  x^2 + y^2 = L^2;
end ScaledUnits;
// expect: index=3 dof=2 constraint_count=1 hidden_count=2 verdict=ok certificate=structural
