// All four values of the pendulum fixed: two too many.
model OverDetermined
  parameter Real L = 1, g = 9.81;
  Real p[2](start = {0.6, -0.8}, each fixed = true), v[2](each start = 0, each fixed = true) = der(p), lam[1];
equation
  lagrange(q = p, T = 0.5*(v*v), V = g*p[2], c = {p*p - L^2}, lambda = lam);
end OverDetermined;
// expect: index=3 dof=2 verdict=ok initial.missing=0 initial.excess=2
// expect-exit: 0
