// m x'' + k x = 0 from its energies
model SpringMass
  parameter Real m = 2, k = 8;
  Real x(start = 1, fixed = true), v(start = 0, fixed = true) = der(x);
equation
  lagrange(q = {x}, T = 0.5*m*v^2, V = 0.5*k*x^2);
end SpringMass;
// expect: index=0 dof=2 constraint_count=0 hidden_count=0 unknowns=2 equations=2 kind=ode verdict=ok initial.missing=0 initial.excess=0
// expect-equation: m*der(v) + k*x = 0
