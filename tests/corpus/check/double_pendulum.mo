// Double pendulum in Cartesian coordinates: per mass 2 positions, 2 speeds, 1 multiplier.
model DoublePendulum
  parameter Real m1 = 1, m2 = 0.5, L1 = 1, L2 = 0.7, g = 9.81;
  Real a[2](start = {0.6, -0.8}, fixed = {true, false}), b[2](start = {1.0, -1.37}, fixed = {true, false});
  Real va[2](each start = 0, fixed = {true, false}) = der(a), vb[2](each start = 0, fixed = {true, false}) = der(b), lam[2];
equation
  lagrange(q = cat(1, a, b), T = 0.5*m1*(va*va) + 0.5*m2*(vb*vb), V = m1*g*a[2] + m2*g*b[2],
           c = {a*a - L1^2, (b - a)*(b - a) - L2^2}, lambda = lam);
end DoublePendulum;
// expect: index=3 structural_index=3 dof=4 constraint_count=2 hidden_count=4 unknowns=10 equations=10 kind=dae verdict=ok certificate=structural initial.missing=0 initial.excess=0
// expect-equivalent: a*va = 0
// expect-equivalent: (b - a)*(vb - va) = 0
// expect-equation: m1*der(va) + {0, m1*g} + 2*lam[1]*a - 2*lam[2]*(b - a) = zeros(2)
