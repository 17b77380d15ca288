// The physical cart-pole: bob at (x + L cos(th), L sin(th)), right side (M L th'^2 cos(th), -M g L cos(th)).
model CartPole
  parameter Real M = 0.3, m = 1, L = 0.5, g = 9.81;
  Real x(start = 0, fixed = true), th(start = 0.1, fixed = true);
  Real v(start = 0, fixed = true) = der(x), w(start = 0, fixed = true) = der(th);
  Real bob[2] = {x + L*cos(th), L*sin(th)};
equation
  lagrange(q = {x, th}, T = 0.5*m*v^2 + 0.5*M*(der(bob)*der(bob)), V = M*g*bob[2]);
end CartPole;
// bob is assigned, so the model is a DAE of index 1 by the definition.
// expect: index=1 dof=4 constraint_count=2 hidden_count=0 unknowns=6 equations=6 kind=dae assigned_count=2 verdict=ok certificate=structural initial.missing=0 initial.excess=0
// expect-equation: (M + m)*der(v) - M*L*sin(th)*der(w) = M*L*w^2*cos(th)
// expect-equation: -M*L*sin(th)*der(v) + M*L^2*der(w) = -M*g*L*cos(th)
