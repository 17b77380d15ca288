// Two masses with springs and Rayleigh dissipation D.
model DampedNet
  parameter Real m[2] = {1, 2}, k = 10, d = 0.5;
  Real x[2](start = {1, 0}), v[2](each start = 0) = der(x);
equation
  lagrange(q = x, T = 0.5*(m[1]*v[1]^2 + m[2]*v[2]^2), V = 0.5*k*(x[1]^2 + (x[2] - x[1])^2), D = 0.5*d*(v[2] - v[1])^2);
end DampedNet;
// expect: index=0 dof=4 kind=ode unknowns=4 verdict=ok
// expect-equation: m[1]*der(v[1]) + k*x[1] - k*(x[2] - x[1]) - d*(v[2] - v[1]) = 0
// expect-equation: m[2]*der(v[2]) + k*(x[2] - x[1]) + d*(v[2] - v[1]) = 0
