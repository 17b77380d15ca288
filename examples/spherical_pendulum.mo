// A bob on a rod that may swing in every direction: energies and one constraint, nothing else.
// Index 3; four initial values may be chosen, and the four `fixed` ones do so exactly.
model SphericalPendulum
  parameter Real m = 1, L = 1, g = 9.81;
  Real p[3](start = {0.6, 0.0, -0.8}, fixed = {true, true, false}) "bob position";
  Real v[3](start = {0.0, 1.0, 0.0}, fixed = {true, true, false}) = der(p);
  Real lam[1];
equation
  lagrange(q = p, T = 0.5*m*(v*v), V = m*g*p[3], c = {p*p - L^2}, lambda = lam);
  annotation(Daedal(draw(rod = line({0, 0, 0}, p), bob = sphere(p, radius = 0.07, colour = "red"), path = trail(p))));
end SphericalPendulum;
