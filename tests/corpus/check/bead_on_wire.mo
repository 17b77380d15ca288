// A bead on a wire z = x^2 - y^2 cut by the plane x + y = 1: two constraints, one degree of freedom.
model BeadOnWire
  parameter Real m = 1, g = 9.81;
  Real p[3](start = {0.7, 0.3, 0.4}), v[3] = der(p), lam[2];
equation
  lagrange(q = p, T = 0.5*m*(v*v), V = m*g*p[3], c = {p[1]^2 - p[2]^2 - p[3], p[1] + p[2] - 1}, lambda = lam);
end BeadOnWire;
// expect: index=3 dof=2 constraint_count=2 hidden_count=4 unknowns=8 verdict=ok certificate=structural
