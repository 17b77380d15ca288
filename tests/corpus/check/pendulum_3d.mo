// Constrained Lagrange: m p'' + m g e3 + z p = u, (p.p - L^2)/2 = 0
model Pendulum3d
  parameter Real m = 0.7, L = 1.2, g = 9.81;
  input Real u[3];
  Real p[3](start = {0, 0.9, -0.8}), v[3] = der(p), z[1];
equation
  lagrange(q = p, T = 0.5*m*(v*v), V = m*g*p[3], c = {(p*p - L^2)/2}, Q = u, lambda = z);
end Pendulum3d;
// expect: index=3 dof=4 constraint_count=1 hidden_count=2 unknowns=7 equations=7 kind=dae verdict=ok certificate=structural
// expect-equation: m*der(v) + m*g*{0, 0, 1} + z[1]*p = u
// expect-equation: p*p - L^2 = 0
// expect-equivalent: p*v = 0
// expect-equivalent: v*v + p*(u - m*g*{0, 0, 1} - z[1]*p)/m = 0
