model M
  parameter Integer n = m + 1;
  parameter Integer m = size(x, 1);
  Real x[n];
  parameter Real a = a + 1;
equation
  x = zeros(n);
end M;
// expect-error: 2:21: values and sizes depend on each other in a cycle: n -> m -> x -> n; give one of them a number
// expect-error: 5:18: values and sizes depend on each other in a cycle: a -> a; give one of them a number
