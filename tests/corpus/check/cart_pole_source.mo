// Cart-pole with the energies of the lecture: mass matrix [M + m, -M L sin(th); -M L sin(th), M L^2],
// right side (M L th'^2 cos(th), M g L sin(th)).
model CartPoleSource
  parameter Real M = 0.3, m = 1, L = 0.5, g = 9.81;
  Real x(start = 0, fixed = true), th(start = 0.1, fixed = true);
  Real v(start = 0, fixed = true) = der(x), w(start = 0, fixed = true) = der(th);
equation
  lagrange(q = {x, th}, T = 0.5*(M + m)*v^2 - M*L*sin(th)*v*w + 0.5*M*L^2*w^2, V = M*g*L*cos(th));
end CartPoleSource;
// expect: index=0 dof=4 constraint_count=0 hidden_count=0 unknowns=4 equations=4 kind=ode verdict=ok certificate=structural initial.missing=0 initial.excess=0
// expect-equation: (M + m)*der(v) - M*L*sin(th)*der(w) = M*L*w^2*cos(th)
// expect-equation: -M*L*sin(th)*der(v) + M*L^2*der(w) = M*g*L*sin(th)
