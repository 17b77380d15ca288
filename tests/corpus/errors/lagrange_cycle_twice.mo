model M
  Real p[2], v[2] = der(p);
  Real c1 = c2, c2 = c1;
equation
  lagrange(q = p, T = c1);
  lagrange(q = p, T = c2);
end M;
// expect-error: 3:8: lagrange needs these declarations, but they depend on each other in a cycle: c1 -> c2 -> c1
