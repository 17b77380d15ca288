// A point mass on a rod of length L, in Cartesian coordinates: index 3, four degrees of freedom.
model SphericalPendulum
  parameter Real m = 1, L = 1, g = 9.81;
  Real p[3](start = {0.6, 0.0, -0.8}, fixed = {true, true, false}) "bob position";
  Real v[3](start = {0.0, 1.0, 0.0}, fixed = {true, true, false}) = der(p);
  Real lam[1] "force in the rod";
equation
  lagrange(q = p, T = 0.5*m*(v*v), V = m*g*p[3], c = {p*p - L^2}, lambda = lam);
end SphericalPendulum;
