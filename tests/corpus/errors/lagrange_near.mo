model M
  Real p[2](start = {1, 0}), v[2] = der(p), lam[1];
equation
  lagrange(q = p, T = 0.5*(v*v), c = {p*p - 1}, lamda = lam);
end M;
// expect-error: 4:49: lagrange has no argument lamda: did you mean lambda?
