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
