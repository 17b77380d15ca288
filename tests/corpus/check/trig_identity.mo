// The factor sin^2 + cos^2 - 1 of y' is zero: y is algebraic.
model TrigIdentity
  Real x(start = 1, fixed = true), y;
equation
  der(x) = -x + y;
  (sin(x)^2 + cos(x)^2 - 1)*der(y) + y = x;
end TrigIdentity;
// expect: index=1 dof=1 constraint_count=1 hidden_count=0 unknowns=2 kind=dae verdict=ok certificate=structural|converted|derivative_array
