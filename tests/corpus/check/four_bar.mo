// Planar four-bar linkage: three angles, two loop equations.
model FourBar
  parameter Real l[4] = {1, 2, 1.5, 2}, J[3] = {0.1, 0.3, 0.2}, g = 9.81;
  Real f[3](start = {1.2, 0.4, 1.7}, fixed = {true, false, false}), w[3](each start = 0, fixed = {true, false, false}) = der(f);
  Real lam[2];
equation
  lagrange(q = f, T = 0.5*sum({J[i]*w[i]^2 for i in 1:3}), V = g*(sin(f[1]) + sin(f[2]) + sin(f[3])),
           c = {l[1]*cos(f[1]) + l[2]*cos(f[2]) - l[3]*cos(f[3]) - l[4], l[1]*sin(f[1]) + l[2]*sin(f[2]) - l[3]*sin(f[3])},
           lambda = lam);
end FourBar;
// expect: index=3 dof=2 constraint_count=2 hidden_count=4 unknowns=8 equations=8 kind=dae verdict=ok certificate=structural initial.missing=0 initial.excess=0
