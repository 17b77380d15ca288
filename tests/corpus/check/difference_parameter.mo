// The coefficient a - b vanishes for equal parameters.
model DifferenceParameter
  parameter Real a = 2, b = 1;
  Real x(start = 1), y;
equation
  der(x) = -y;
  (a - b)*der(y) + y = x;
end DifferenceParameter;
// expect: index=0 dof=2 kind=ode verdict=ok
// run: --set b=2
// expect: index=1 dof=1 constraint_count=1 kind=dae verdict=ok
