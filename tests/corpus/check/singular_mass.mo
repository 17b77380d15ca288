// Mass matrix [m1, c; c, m2]: singular when c^2 = m1 m2.
model SingularMass
  parameter Real m1 = 4, m2 = 1, c = 1;
  Real x(start = 1), y(start = 0);
equation
  m1*der(x) + c*der(y) = -x;
  c*der(x) + m2*der(y) = -y;
end SingularMass;
// expect: index=0 dof=2 kind=ode verdict=ok
// run: --set c=2
// expect: index=1 dof=1 constraint_count=1 kind=dae verdict=ok certificate=converted|derivative_array
