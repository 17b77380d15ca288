model ForceOnBob
  parameter Real M = 0.3, m = 1, L = 0.5, g = 9.81;
  input Real F[2];
  Real x(start = 0), th(start = 0.1), v(start = 0) = der(x), w(start = 0) = der(th);
equation
  lagrange(q = {x, th}, T = 0.5*(M + m)*v^2 - M*L*sin(th)*v*w + 0.5*M*L^2*w^2, V = M*g*L*sin(th),
           forces = F, points = {x + L*cos(th), L*sin(th)});
end ForceOnBob;
