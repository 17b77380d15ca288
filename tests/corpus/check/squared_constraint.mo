// Pendulum with the square of its constraint: the gradient vanishes wherever the equation holds.
model SquaredConstraint
  parameter Real g = 9.81;
  Real x(start = 0.6), y(start = -0.8), u, v, l;
equation
  der(x) = u;
  der(y) = v;
  der(u) = -l*x;
  der(v) = -l*y - g;
  (x^2 + y^2 - 1)^2 = 0;
end SquaredConstraint;
// expect: index=null dof=null verdict=singular unknowns=5 equations=5
// expect-reason: squared_constraint.mo:10
// expect-exit: 1
// run: --set x=0.7 --set y=-0.6
// expect: index=null verdict=singular
// expect-exit: 1
