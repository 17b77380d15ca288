// Nothing fixed: both degrees of freedom are missing; either coordinate and either speed may be chosen.
model UnderDetermined
  parameter Real L = 1, g = 9.81;
  Real p[2](start = {0.6, -0.8}), v[2] = der(p), lam[1];
equation
  lagrange(q = p, T = 0.5*(v*v), V = g*p[2], c = {p*p - L^2}, lambda = lam);
end UnderDetermined;
// expect: index=3 dof=2 verdict=ok initial.missing=2 initial.excess=0
