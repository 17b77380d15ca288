model CartPole
  parameter Real M = 0.3, m = 1, L = 0.5, g = 9.81;
  Real x(start = 0, fixed = true), th(start = 0.1, fixed = true);
  Real v(start = 0, fixed = true) = der(x), w(start = 0, fixed = true) = der(th);
  Real bob[2] = {x + L*cos(th), L*sin(th)};
equation
  lagrange(q = {x, th}, T = 0.5*m*v^2 + 0.5*M*(der(bob)*der(bob)), V = M*g*bob[2]);
end CartPole;
