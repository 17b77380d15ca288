model M
  Real x;
  parameter Real a = b, b = c, c = 2*a;
equation
  x = a;
end M;
// expect-error: 3:18: values and sizes depend on each other in a cycle: a -> b -> c -> a; give one of them a number
