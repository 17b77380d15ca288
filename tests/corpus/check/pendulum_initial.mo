// Planar pendulum given only one coordinate and one speed: the rest follows.
model PendulumInitial
  parameter Real L = 1, g = 9.81;
  Real p[2](start = {0.6, -0.8}, fixed = {true, false}), v[2](each start = 0, fixed = {true, false}) = der(p), lam[1];
equation
  lagrange(q = p, T = 0.5*(v*v), V = g*p[2], c = {p*p - L^2}, lambda = lam);
end PendulumInitial;
// expect: index=3 dof=2 constraint_count=1 hidden_count=2 verdict=ok initial.missing=0 initial.excess=0
