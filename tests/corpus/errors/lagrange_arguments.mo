model M
  Real p[2], v[2] = der(p), lam[1], w;
  Real z = w + 1, c1 = c2, c2 = c1;
  parameter Real m = 1;
equation
  w = 1;
  lagrange(q = p, T = v*v, V = 1, U = 2);
  lagrange(q = p);
  lagrange(T = 1);
  lagrange(q = p, q = p, T = 1);
  lagrange(q = p, T);
end M;
// expect-error: 7:35: lagrange has no argument U; there are q, T, V, D, c, a, Q, lambda, forces and points
// expect-error: 8:3: lagrange needs the kinetic energy, T = ...
// expect-error: 9:3: lagrange needs its coordinates, q = {..} or q = p
// expect-error: 10:19: the argument q of lagrange is given twice
// expect-error: 11:19: the argument T of lagrange needs a value: T = ...
