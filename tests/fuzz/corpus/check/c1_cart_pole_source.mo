model CartPoleSource
  parameter Real M = 0.3, m = 1, L = 0.5, g = 9.81;
  Real x(start = 0, fixed = true), th(start = 0.1, fixed = true);
  Real v(start = 0, fixed = true) = der(x), w(start = 0, fixed = true) = der(th);
equation
  lagrange(q = {x, th}, T = 0.5*(M + m)*v^2 - M*L*sin(th)*v*w + 0.5*M*L^2*w^2, V = M*g*L*cos(th));
end CartPoleSource;
