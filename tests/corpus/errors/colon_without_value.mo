model M
  Real x, a[:];
  parameter Real b[:, 2] = {1, 2};
equation
  x = 1;
end M;
// expect-error: 2:11: a has a size `:` that comes from its value, but no value is given
// expect-error: 3:18: b is declared with 2 dimensions, but its value has 1
