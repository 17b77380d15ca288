model M
  Real p[2], v[2] = der(p), lam[1], w;
  Real z = w + 1, c1 = c2, c2 = c1;
  parameter Real m = 1;
equation
  w = 1;
  lagrange(q = p, T = v, V = 0);
  lagrange(q = w, T = 1);
  lagrange(q = p, T = v*v, c = p*p - 1, lambda = lam);
  lagrange(q = p, T = v*v, c = {p*p - 1});
  lagrange(q = p, T = v*v, c = {p[1], p[2]}, lambda = lam);
  lagrange(q = p, T = v*v, Q = {1});
  lagrange(q = p, T = v*v, forces = {{1, 2}});
  lagrange(q = p, T = v*v, forces = {1, 2}, points = {p[1], p[2], 0});
end M;
// expect-error: 7:19: T is an energy and must be a scalar, but it has size 2
// expect-error: 8:12: q must be a vector, but it is a scalar: write q = {..}
// expect-error: 9:28: c must be a vector, but it is a scalar: write c = {..}
// expect-error: 10:3: 1 constraint needs a multiplier: declare Real lam[1] and set lambda = lam
// expect-error: 11:46: lambda has size 1, but there are 2 constraints (c has 2, a has 0)
// expect-error: 12:28: Q has size 1, but there are 2 coordinates q
// expect-error: 13:28: forces and points belong together: points, where the forces act, is missing
// expect-error: 14:28: forces and points are lists of Cartesian vectors of the same size, {F1, F2} and {p1, p2}; forces has size 2, points has size 3
