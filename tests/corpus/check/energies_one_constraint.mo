// A spherical pendulum from energies and one constraint.
model SphericalPendulum
  parameter Real m = 1, L = 1, g = 9.81;
  Real p[3](start = {0.6, 0.0, -0.8}, fixed = {true, true, false}) "bob position";
  Real v[3](start = {0.0, 1.0, 0.0}, fixed = {true, true, false}) = der(p);
  Real lam[1];
equation
  lagrange(q = p, T = 0.5*m*(v*v), V = m*g*p[3], c = {p*p - L^2}, lambda = lam);
end SphericalPendulum;
// expect: index=3 structural_index=3 dof=4 constraint_count=1 hidden_count=2 unknowns=7 equations=7 kind=dae verdict=ok certificate=structural initial.missing=0 initial.excess=0
// expect-constraint: p*p - L^2 = 0
// expect-hidden: p*v = 0
// expect-equivalent: p*v = 0
// expect-equivalent: v*v - 2*lam[1]/m*(p*p) - g*p[3] = 0
// expect-equation: m*der(v) + {0, 0, m*g} + 2*lam[1]*p = zeros(3)
// expect-in-states: p[1]
// expect-in-algebraic: lam[1]
// expect-exit: 0
