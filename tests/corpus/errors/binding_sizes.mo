model M
  Real p[3] = {1, 2};
  Real q[2] = 1;
  Real x = {1, 2};
  parameter Real k[2] = {1, 2, 3};
  parameter Real l[2] = 1;
  parameter Real m = {1};
equation
  x = 1;
end M;
// expect-error: 5:18: k has size 2, but its value has size 3
// expect-error: 6:18: l has size 2, but its value is a scalar: fill(value, n) makes an array
// expect-error: 7:18: m is a scalar, but its value has size 1
// expect-error: 2:8: p has size 3, but its value has size 2
// expect-error: 3:8: q has size 2, but its value is a scalar
// expect-error: 4:8: x is a scalar, but its value has size 2
