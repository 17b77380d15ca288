function dot
  input Real a[3], b[3];
  output Real y;
algorithm
  y := a*b;
end dot;
function same
  input Real a[:], b[size(a, 1)];
  output Real y;
algorithm
  y := a*b;
end same;
model Top
  Real x = dot({1, 2}, {1, 2, 3}), y = same({1, 2}, {1, 2, 3}), z = dot(1, 2), w = dot([1, 2; 3, 4], {1, 2, 3});
end Top;
// expect-error: 14:12: dot: a has size 3, but the value given to it has size 2
// expect-error: 14:40: same: b has size 2, but the value given to it has size 3
// expect-error: 14:69: dot: a has 1 dimension, but the value given to it is a scalar
// expect-error: 14:84: dot: a has size 3, but the value given to it has size 2
