model M
  Real p[2], v[2] = der(p), lam[1], w;
  Real z = w + 1, c1 = c2, c2 = c1;
  parameter Real m = 1;
equation
  w = 1;
  lagrange(q = p, T = v*v + w^2);
  lagrange(q = p, T = v*v, V = z);
  lagrange(q = p, T = v*v, c = {w}, lambda = lam);
  lagrange(q = p, T = v*v, V = v[1]);
  lagrange(q = p, T = v*v, c = {v[1]}, lambda = lam);
  lagrange(q = p, T = v*v + der(v)*v);
  lagrange(q = p, T = v*v, a = {v*v}, lambda = lam);
  lagrange(q = p, T = c1);
end M;
// expect-error: 7:19: T contains w, which is neither a coordinate in q, nor the derivative of one, nor time, a parameter or an input; if w is a speed, declare it as Real w = der(..)
// expect-error: 8:28: V contains w, which is neither a coordinate in q, nor the derivative of one, nor time, a parameter or an input; if w is a speed, declare it as Real w = der(..)
// expect-error: 9:28: c contains w, which is neither a coordinate in q, nor the derivative of one, nor time, a parameter or an input; if w is a speed, declare it as Real w = der(..)
// expect-error: 10:28: V contains der(p[1]): a potential depends on positions only, dissipation goes into D and other forces into Q
// expect-error: 11:28: c contains der(p[1]): constraints on speeds go into a
// expect-error: 12:19: T contains a higher derivative of p[1]
// expect-error: 13:28: element 1 of a is not linear in the derivatives of the coordinates
// expect-error: 3:19: lagrange needs these declarations, but they depend on each other in a cycle: c1 -> c2 -> c1
