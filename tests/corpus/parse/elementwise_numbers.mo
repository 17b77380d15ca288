// a point belongs to the number before it: 2.*x is 2.0 * x
model Numbers
  Real x[2], y[2], s;
equation
  x = 2.*y + {1., 0.25e1}*1.e0;
  s = y*2.*y;
  y = {1e3, 1E-3};
end Numbers;

// expect-row: x = {2*y[1] + 1, 2*y[2] + 2.5}
// expect-row: s = 2*y[1]^2 + 2*y[2]^2
// expect-row: y = {1000, 0.001}
