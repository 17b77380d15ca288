model M
  Real x "the state" (start = 1, fixed = true);
  Real y "twice the state" = 2*x;
equation
  der(x) = -x;
end M;
// expect-error: 2:22: the description comes last: behind the attributes in brackets and the value
// expect-error: 3:28: the description comes last: behind the attributes in brackets and the value
