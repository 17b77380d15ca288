// A Cartesian force F on the cart-pole's bob: generalised forces F1 and L (-F1 sin(th) + F2 cos(th)).
model ForceOnBob
  parameter Real M = 0.3, m = 1, L = 0.5, g = 9.81;
  input Real F[2];
  Real x(start = 0), th(start = 0.1), v(start = 0) = der(x), w(start = 0) = der(th);
equation
  lagrange(q = {x, th}, T = 0.5*(M + m)*v^2 - M*L*sin(th)*v*w + 0.5*M*L^2*w^2, V = M*g*L*sin(th),
           forces = F, points = {x + L*cos(th), L*sin(th)});
end ForceOnBob;
// expect: index=0 dof=4 unknowns=4 kind=ode verdict=ok
// expect-equation: (M + m)*der(v) - M*L*sin(th)*der(w) = M*L*w^2*cos(th) + F[1]
// expect-equation: -M*L*sin(th)*der(v) + M*L^2*der(w) = -M*g*L*cos(th) + L*(-F[1]*sin(th) + F[2]*cos(th))
