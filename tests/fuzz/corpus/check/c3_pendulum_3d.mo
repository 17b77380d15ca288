model Pendulum3d
  parameter Real m = 0.7, L = 1.2, g = 9.81;
  input Real u[3];
  Real p[3](start = {0, 0.9, -0.8}), v[3] = der(p), z[1];
equation
  lagrange(q = p, T = 0.5*m*(v*v), V = m*g*p[3], c = {(p*p - L^2)/2}, Q = u, lambda = z);
end Pendulum3d;
