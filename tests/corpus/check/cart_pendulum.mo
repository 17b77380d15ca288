// Cart and bob joined by a rod, a force on the cart.
model CartPendulum
  parameter Real M = 1, m = 0.2, L = 0.5, g = 9.81;
  Real s(start = 0, fixed = true), vs(start = 0, fixed = true) = der(s);
  Real b[2](start = {0, -L}, fixed = {true, false});
  Real vb[2](start = {0, 0}, fixed = {true, false}) = der(b);
  input Real F(min = -10, max = 10);
  Real lam[1];
equation
  lagrange(q = cat(1, {s}, b), T = 0.5*M*vs^2 + 0.5*m*(vb*vb), V = m*g*b[2],
           c = {(b[1] - s)^2 + b[2]^2 - L^2}, Q = {F, 0, 0}, lambda = lam);
end CartPendulum;
// expect: index=3 structural_index=3 dof=4 constraint_count=1 hidden_count=2 unknowns=7 equations=7
// expect: certificate=structural verdict=ok kind=dae initial.missing=0 initial.excess=0
// expect-constraint: (b[1] - s)^2 + b[2]^2 - L^2 = 0
// expect-equivalent: (b[1] - s)*(vb[1] - vs) + b[2]*vb[2] = 0
// expect-equation: M*der(vs) - 2*lam[1]*(b[1] - s) = F
// expect-equation: m*der(vb[1]) + 2*lam[1]*(b[1] - s) = 0
// expect-equation: m*der(vb[2]) + m*g + 2*lam[1]*b[2] = 0
