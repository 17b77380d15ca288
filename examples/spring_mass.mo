// m x'' + d x' + k x = 0 from its energies: T kinetic, V potential, D dissipation.
model SpringMass
  parameter Real m = 2, k = 8, d = 0.1;
  Real x(start = 1, fixed = true), v(start = 0, fixed = true) = der(x);
equation
  lagrange(q = {x}, T = 0.5*m*v^2, V = 0.5*k*x^2, D = 0.5*d*v^2);
end SpringMass;
