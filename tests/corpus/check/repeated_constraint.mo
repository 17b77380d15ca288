// Pendulum with its constraint written twice and two multipliers: only l1 + 2 l2 is determined.
model RepeatedConstraint
  parameter Real g = 9.81;
  Real x(start = 0.6), y(start = -0.8), u, v, l1, l2;
equation
  der(x) = u;
  der(y) = v;
  der(u) = -(l1 + 2*l2)*x;
  der(v) = -(l1 + 2*l2)*y - g;
  x^2 + y^2 = 1;
  2*x^2 + 2*y^2 = 2;
end RepeatedConstraint;
// expect: index=null dof=null verdict=singular unknowns=6 equations=6
// expect-reason: l1
// expect-reason: l2
// expect-exit: 1
