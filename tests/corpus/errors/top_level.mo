parameter Real k = 3;
model M
  Real x = 1;
end M;
// expect-error: 1:1: expected `model NAME`, `package NAME` or another class, found `parameter`
