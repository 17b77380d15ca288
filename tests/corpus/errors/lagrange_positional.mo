model M
  Real p[2], v[2] = der(p), lam[1], w;
  Real z = w + 1, c1 = c2, c2 = c1;
  parameter Real m = 1;
equation
  w = 1;
  lagrange(p, v*v);
  w = lagrange(q = p, T = 1);
end M;
// expect-error: 7:12: the arguments of lagrange are named: lagrange(q = .., T = .., V = ..)
// expect-error: 8:7: `lagrange` is a statement of an equation section, not part of an expression
