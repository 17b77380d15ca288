model M
  parameter Real k = -1;
  Real x = k;
equation
  assert(k > 0, "k must be " + "positive");
  assert(x > 0, "fine");
end M;
// expect-error: 5:3: assertion failed: k must be positive
