// stateSelect: the preferred coordinates are proposed as states.
model Preferred
  parameter Real g = 9.81;
  Real x(start = 0.6), y(start = -0.8, stateSelect = StateSelect.prefer), u, v(stateSelect = StateSelect.prefer), l;
equation
  der(x) = u;
  der(y) = v;
  der(u) = -l*x;
  der(v) = -l*y - g;
  x^2 + y^2 = 1;
end Preferred;
// expect: index=3 dof=2 verdict=ok initial.missing=2
