model M
  Real p[2], v[2] = der(p), lam[1], w;
  Real z = w + 1, c1 = c2, c2 = c1;
  parameter Real m = 1;
equation
  w = 1;
  lagrange(q = {m}, T = 1);
  lagrange(q = {w, w}, T = 1);
  lagrange(q = v, T = 1);
  lagrange(q = {2*w}, T = 1);
  lagrange(q = p, T = v*v, c = {p[1]}, lambda = {m});
end M;
// expect-error: 7:12: element 1 of q is not a variable of the model
// expect-error: 8:12: w appears twice in q
// expect-error: 9:12: v[1] is a coordinate, so its motion follows from lagrange: declare it without `= ...`
// expect-error: 10:12: element 1 of q is not a variable of the model
// expect-error: 11:40: element 1 of lambda is not a variable of the model
